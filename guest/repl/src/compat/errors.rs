//! What can be told of exceptions from the text of a script.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    ExceptHandler, Expr, ExprCall, ExprName, Operator, Stmt, StmtClassDef, StmtRaise,
};
use ruff_text_size::{Ranged, TextRange};

use super::{Known, error_bodies};

/// Types that Monty has.
pub(super) const TYPES: [&str; 35] = [
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "Exception",
    "FileExistsError",
    "FileNotFoundError",
    "ImportError",
    "IndexError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PermissionError",
    "RecursionError",
    "RuntimeError",
    "StopIteration",
    "SyntaxError",
    "SystemExit",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "ValueError",
    "ZeroDivisionError",
    "IOError",
    "EnvironmentError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
];

/// Types that Monty lacks, and that ours stand for.
pub(super) const MISSING: [&str; 27] = [
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "EncodingWarning",
    "FloatingPointError",
    "FutureWarning",
    "ImportWarning",
    "InterruptedError",
    "PendingDeprecationWarning",
    "ProcessLookupError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeWarning",
    "SyntaxWarning",
    "SystemError",
    "UnicodeError",
    "UnicodeWarning",
    "UserWarning",
    "Warning",
];

/// Modules that have types of exceptions of their own, and what scripts name
/// that can tell them from Monty's.
pub(super) const MODULES: [(&str, &[&str]); 5] = [
    ("graphlib", &["CycleError"]),
    ("queue", &["Empty", "Full"]),
    ("statistics", &["StatisticsError"]),
    ("struct", &["struct.error", "import error"]),
    ("warnings", &[]),
];

/// What scripts say that look at the type of an exception.
pub(super) const LOOKS: [&str; 4] = ["type(", "__class__", "repr(", "!r}"];

/// Other names of `OSError`, which Monty lacks.
pub(super) const OLD: [&str; 2] = ["IOError", "EnvironmentError"];

/// Whether `name` is a type of exceptions that Monty has.
pub(crate) fn is_exception(name: &str) -> bool {
    TYPES.contains(&name) && !OLD.contains(&name)
}

/// What a script does with exceptions.
#[derive(Default)]
pub(super) struct Errors<'a> {
    /// Names that `except … as` binds.
    pub(super) names: BTreeSet<&'a str>,
    /// Types that it names and Monty lacks.
    pub(super) missing: BTreeSet<&'a str>,
    /// Classes of exceptions that it, or one before it, defines.
    pub(super) classes: BTreeSet<&'a str>,
    /// Those that have something of their own, and what their attributes are called.
    pub(super) bodies: BTreeSet<&'a str>,
    pub(super) members: BTreeSet<&'a str>,
    /// It makes one of something else than a text.
    pub(super) odd: bool,
    /// It asks where one came from.
    pub(super) asks: bool,
    /// It looks at what `KeyError` says.
    pub(super) keyed: bool,
    /// Where all that fails is looked at.
    pub(super) tries: Vec<TextRange>,
    /// Where it raises one from another inside of a function.
    pub(super) from: bool,
    depth: u32,
}

impl<'a> Errors<'a> {
    pub(super) fn of(body: &'a [Stmt], known: &Known<'a>) -> Self {
        let names = |names: &'a BTreeSet<String>| {
            let names = names.iter().map(String::as_str);
            names.filter(|name| (known.is_own)(name)).collect()
        };
        let mut errors = Self {
            classes: names(&known.habits.error_classes),
            bodies: names(&known.habits.error_bodies),
            ..Self::default()
        };
        errors.visit_body(body);
        errors
    }
}

impl<'a> Visitor<'a> for Errors<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let nested = matches!(stmt, Stmt::FunctionDef(_));
        match stmt {
            Stmt::Raise(raise) => {
                self.from |= self.depth > 0 && raise.cause.is_some();
                self.odd |= odd_call(raise).is_some();
            }
            Stmt::Try(attempt) => {
                for ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
                    let Some(name) = &handler.name else {
                        continue;
                    };
                    self.names.insert(name.as_str());
                    let names = |wanted: &[&str]| {
                        let kind = handler.type_.as_deref();
                        kind.is_some_and(|kind| any_name(kind, wanted))
                    };
                    self.keyed |= names(&["KeyError", "LookupError"]);
                    if names(&["Exception", "BaseException"])
                        && let (Some(first), Some(last)) =
                            (attempt.body.first(), attempt.body.last())
                    {
                        let range = TextRange::new(first.range().start(), last.range().end());
                        self.tries.push(range);
                    }
                }
            }
            Stmt::ClassDef(class) => {
                let above = error_bodies::base(class).map(|base| base.id.as_str());
                let is_error = above.is_some_and(|base| {
                    let known = |names: &[&str]| names.contains(&base);
                    known(&TYPES) || known(&MISSING) || self.classes.contains(base)
                });
                let inherits = above.is_some_and(|base| self.bodies.contains(base));
                if is_error && base(class).is_some() && !inherits {
                    self.classes.insert(class.name.as_str());
                    self.bodies.remove(class.name.as_str());
                } else if let (true, Some(body)) = (is_error, error_bodies::of(class)) {
                    self.classes.insert(class.name.as_str());
                    self.bodies.insert(class.name.as_str());
                    self.members.extend(body.members);
                } else if !is_error {
                    // A class of that name that was one of exceptions is another one from here on.
                    self.classes.remove(class.name.as_str());
                    self.bodies.remove(class.name.as_str());
                }
            }
            Stmt::ImportFrom(import) => {
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
                    self.classes.remove(name);
                    self.bodies.remove(name);
                }
            }
            Stmt::Assert(assert) => {
                self.odd |= assert.msg.as_deref().is_some_and(|said| !is_text(said));
            }
            _ => {}
        }
        self.depth += u32::from(nested);
        visitor::walk_stmt(self, stmt);
        self.depth -= u32::from(nested);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if MISSING.contains(&name.id.as_str()) => {
                self.missing.insert(name.id.as_str());
            }
            Expr::Call(call) => {
                self.odd |= any_name(&call.func, &TYPES) && is_odd(call);
            }
            Expr::Attribute(attribute) => {
                self.asks |= match attribute.attr.as_str() {
                    "__cause__" | "__context__" | "__suppress_context__" => true,
                    "name" => any_name(&attribute.value, &["e", "err", "exc", "error"]),
                    _ => false,
                };
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

/// What a statement raises, where some name is called with more than a text.
pub(super) fn odd_call(raise: &StmtRaise) -> Option<&ExprCall> {
    match raise.exc.as_deref()? {
        Expr::Call(call) if call.func.is_name_expr() && is_odd(call) => Some(call),
        _ => None,
    }
}

/// What a class inherits from that has nothing of its own.
pub(super) fn base(class: &StmtClassDef) -> Option<&ExprName> {
    let is_empty = |stmt: &Stmt| match stmt {
        Stmt::Pass(_) => true,
        Stmt::Expr(only) => {
            only.value.is_string_literal_expr() || only.value.is_ellipsis_literal_expr()
        }
        _ => false,
    };
    error_bodies::base(class).filter(|_| class.body.iter().all(is_empty))
}

/// Whether `expr` is one of `names`, or has one among its items.
pub(super) fn any_name(expr: &Expr, names: &[&str]) -> bool {
    match expr {
        Expr::Name(name) => names.contains(&name.id.as_str()),
        Expr::Tuple(tuple) => tuple.elts.iter().any(|item| any_name(item, names)),
        _ => false,
    }
}

/// Whether an exception is made of anything but a text, as far as one can tell.
pub(super) fn is_odd(call: &ExprCall) -> bool {
    match &call.arguments.args[..] {
        [] => !call.arguments.keywords.is_empty(),
        [only] => !is_text(only) || !call.arguments.keywords.is_empty(),
        _ => true,
    }
}

pub(super) fn is_text(expr: &Expr) -> bool {
    match expr {
        Expr::StringLiteral(_) | Expr::FString(_) => true,
        Expr::BinOp(operation) => {
            matches!(operation.op, Operator::Add | Operator::Mod) && is_text(&operation.left)
        }
        Expr::Call(call) => match &*call.func {
            Expr::Name(name) => name.id.as_str() == "str",
            Expr::Attribute(attribute) => {
                matches!(attribute.attr.as_str(), "join" | "format") && is_text(&attribute.value)
            }
            _ => false,
        },
        _ => false,
    }
}
