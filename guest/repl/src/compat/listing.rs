//! `vars(x)` and `x.__dict__`, which are copies here: they may stand where that
//! cannot be told, and `x.__dict__.update(...)` sets the attributes.

use ruff_python_ast::{Expr, ExprAttribute, ExprCall, Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use super::{Pass, Place, flow};

/// Functions that keep nothing of what stands in what they are given, however deep.
const SINKS: [&str; 11] = [
    "print",
    "dumps",
    "pprint",
    "pformat",
    "write",
    "len",
    "str",
    "repr",
    "any",
    "all",
    "isinstance",
];

/// Functions that keep nothing of what they are given.
const READERS: [&str; 22] = [
    "print",
    "dict",
    "sorted",
    "list",
    "len",
    "str",
    "repr",
    "tuple",
    "set",
    "frozenset",
    "any",
    "all",
    "isinstance",
    "format",
    "dumps",
    "pprint",
    "pformat",
    "write",
    "update",
    "deepcopy",
    "type",
    "copy",
];

impl Pass<'_> {
    fn is_listing(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => match &*call.func {
                Expr::Attribute(method) => self.out.habits.copies.contains(method.attr.as_str()),
                func => self.builtin(func) == Some("vars"),
            },
            Expr::Attribute(attribute) => lists(attribute),
            Expr::Name(_) => self.builtin(expr) == Some("vars"),
            _ => false,
        }
    }

    pub(super) fn copied(&mut self, expr: &Expr) {
        if self.is_listing(expr) {
            self.stands(expr, Place::Copied);
        } else if let Expr::If(choice) = expr {
            self.copied(&choice.body);
            self.copied(&choice.orelse);
        }
    }

    /// The same for all that is in `expr`.
    fn sunk(&mut self, expr: &Expr) {
        match expr {
            Expr::List(all) => all.elts.iter().for_each(|item| self.sunk(item)),
            Expr::Tuple(all) => all.elts.iter().for_each(|item| self.sunk(item)),
            Expr::Dict(all) => all.items.iter().for_each(|item| self.sunk(&item.value)),
            Expr::ListComp(list) => self.sunk(&list.elt),
            Expr::Generator(list) => self.sunk(&list.elt),
            Expr::DictComp(dict) => self.sunk(&dict.value),
            Expr::Starred(starred) => self.sunk(&starred.value),
            _ => self.copied(expr),
        }
    }

    /// What a function gives that is called by `json.dumps` alone is only read;
    /// so is what a method gives wherever that may stand.
    pub(super) fn gives_copies(&mut self, function: &StmtFunctionDef) {
        let name = function.name.as_str();
        let calls = || self.source.matches(&format!("{name}(")).count();
        if self.out.habits.listed
            && self.source.contains(&format!("default={name}"))
            && calls() == 1
            || self.in_class && self.out.habits.copies.contains(name)
        {
            let given = flow::returns(&function.body);
            let given = given.into_iter().filter_map(|inner| inner.value.as_deref());
            given.for_each(|value| self.copied(value));
        }
    }

    /// Notes the parts of `expr` that may be copies.
    pub(super) fn copies(&mut self, expr: &Expr) {
        if !self.out.habits.listed {
            return;
        }
        match expr {
            Expr::Call(call) => {
                let name = super::last_name(&call.func);
                let reads = READERS.contains(&name);
                let sinks = SINKS.contains(&name);
                for arg in call.arguments.args.iter().filter(|_| reads) {
                    match sinks {
                        true => self.sunk(arg),
                        false => self.copied(arg),
                    }
                }
                for keyword in &call.arguments.keywords {
                    match &keyword.value {
                        Expr::Lambda(lambda) if reads => self.copied(&lambda.body),
                        value if reads || keyword.arg.is_none() => self.copied(value),
                        _ => {}
                    }
                }
            }
            Expr::Attribute(attribute)
                if matches!(
                    attribute.attr.as_str(),
                    "items" | "keys" | "values" | "get" | "copy"
                ) =>
            {
                self.copied(&attribute.value);
            }
            Expr::Subscript(subscript) if subscript.ctx.is_load() => self.copied(&subscript.value),
            Expr::Compare(compare) => compare.operands.iter().for_each(|side| self.copied(side)),
            Expr::Dict(dict) => {
                for item in dict.items.iter().filter(|item| item.key.is_none()) {
                    self.copied(&item.value);
                }
            }
            Expr::BinOp(operation) => {
                self.copied(&operation.left);
                self.copied(&operation.right);
            }
            _ => {}
        }
    }

    /// The same for statements.
    pub(super) fn shows_copy(&mut self, stmt: &Stmt) {
        if let Stmt::Expr(statement) = stmt {
            self.copied(&statement.value);
        }
    }

    /// `vars`, a call of it, or `.__dict__`, at a place where it is no copy.
    pub(super) fn listing(&mut self, range: TextRange, place: Option<Place>) {
        let is_copy = matches!(
            place,
            Some(Place::Copied | Place::Drained | Place::Looped { .. } | Place::Tested)
        );
        if !is_copy {
            self.refuse(
                "the attributes of an instance as a dictionary that is kept",
                "copy them, as in dict(vars(x)), and set attributes with setattr(x, name, value), in __setattr__ with super().__setattr__(name, value)",
                range,
            );
        }
    }

    /// `x.__dict__.update(...)`
    pub(super) fn fills(&mut self, call: &ExprCall) -> bool {
        let Expr::Attribute(method) = &*call.func else {
            return false;
        };
        if method.attr.as_str() != "update" || !self.out.habits.listed {
            return false;
        }
        let (start, end) = match &*method.value {
            Expr::Attribute(inner) if inner.attr.as_str() == "__dict__" => {
                self.stands(&method.value, Place::Filled);
                (inner.range().start(), self.dot(inner))
            }
            Expr::Call(inner) if self.is_listing(&method.value) && inner.arguments.len() == 1 => {
                let name = inner.func.range();
                self.stands(&method.value, Place::Filled);
                self.stands(&inner.func, Place::Done);
                self.replace_range(name, "");
                (name.start(), inner.range().end().to_u32())
            }
            _ => return false,
        };
        self.rewrote("attribute", call.range(), "attributes");
        self.stands(&call.func, Place::Done);
        self.insert(start, "_rlm_fill(");
        self.replace(end, method.range().end().to_u32(), ")");
        true
    }
}

/// Whether `method` gives all attributes of its instance.
pub(super) fn is_given(method: &StmtFunctionDef) -> bool {
    let mut given = flow::returns(&method.body)
        .into_iter()
        .filter_map(|inner| inner.value.as_deref());
    given.any(|value| match value {
        Expr::Attribute(attribute) => lists(attribute),
        Expr::Call(call) => matches!(&*call.func, Expr::Name(name) if name.id.as_str() == "vars"),
        _ => false,
    })
}

/// Whether `attribute` lists attributes.
pub(super) fn lists(attribute: &ExprAttribute) -> bool {
    attribute.attr.as_str() == "__dict__"
}
