//! Exceptions: Monty's hold one text and nothing else, and it lacks some types.
//! What more there is in Python is kept beside them by functions of ours, which
//! make, raise, catch, read and show them where a script could tell.

use ruff_python_ast::{
    ExceptHandler, Expr, ExprAttribute, ExprBinOp, ExprCall, ExprContext, ExprName, ExprSubscript,
    Operator, StmtAssert, StmtClassDef, StmtFunctionDef, StmtRaise, StmtTry,
};
use ruff_text_size::{Ranged, TextRange};

use super::errors::{
    LOOKS, MISSING, MODULES, OLD, TYPES, any_name, base, is_odd, is_text, odd_call,
};
use super::{Pass, Place};

/// Attributes that only exceptions have, and such as others have too.
pub(super) const ONLY: [&str; 7] = [
    "__cause__",
    "__context__",
    "__suppress_context__",
    "__notes__",
    "add_note",
    "errno",
    "strerror",
];
const SHARED: [&str; 8] = [
    "__class__",
    "code",
    "encoding",
    "end",
    "filename",
    "name",
    "reason",
    "start",
];

/// Returns whether exceptions alone have an attribute of that name, which is read by functions of their own.
pub(super) fn is_attribute(name: &str) -> bool {
    name == "args" || ONLY.contains(&name)
}

impl Pass<'_> {
    pub(super) fn learn_errors(&mut self) {
        let classes = self.errors.classes.iter().map(|name| (*name).to_owned());
        self.out.habits.error_classes = classes.collect();
        let bodies = self.errors.bodies.iter().map(|name| (*name).to_owned());
        self.out.habits.error_bodies = bodies.collect();
        let members = self.errors.members.iter().map(|name| (*name).to_owned());
        self.out.habits.properties.extend(members);
        let of_modules = self.learn_modules();
        let is_missing = of_modules
            || self.errors.missing.iter().any(|name| self.is_pythons(name))
            || !self.out.habits.error_classes.is_empty();
        let (odd, asks, from) = (self.errors.odd, self.errors.asks, self.errors.from);
        let keyed = self.errors.keyed || !self.errors.tries.is_empty();
        let habits = &mut self.out.habits;
        habits.own_errors |= is_missing;
        habits.odd_errors |= odd || keyed || is_missing;
        habits.chains |= asks;
        habits.unchained |= from && !habits.chains;
        if habits.unchained && asks {
            let start = TextRange::empty(0.into());
            self.refuse(
                "asking where exceptions of functions of earlier scripts came from",
                "define the functions that raise them again in this script",
                start,
            );
        }
    }

    /// Whether a script may tell types of exceptions of modules of ours.
    fn learn_modules(&mut self) -> bool {
        let source = self.source;
        let holds = |words: &[&str]| words.iter().any(|word| source.contains(word));
        let is_imported = |module: &str| {
            let is_import = |word| source.contains(&format!("{word} {module}"));
            is_import("import") || is_import("from") || is_import(",")
        };
        if source.contains("import") {
            for (module, _) in MODULES {
                if source.contains(module) && is_imported(module) {
                    self.out.helpers.insert("exceptions");
                    self.out.habits.error_modules = true;
                }
            }
        }
        let is_told = || MODULES.iter().any(|(_, names)| holds(names));
        let is_looked_at = || source.contains("except") && holds(&LOOKS);
        self.out.habits.error_modules && (is_told() || is_looked_at())
    }

    /// Whether a script sees what a missing key is, where it says so at `range`.
    pub(super) fn is_tried(&self, range: TextRange) -> bool {
        let mut tries = self.errors.tries.iter();
        self.errors.keyed || tries.any(|tried| tried.contains_range(range))
    }

    pub(super) fn by_ours(&mut self, range: TextRange) {
        self.rewrote("exception", range, "exceptions");
    }

    /// Has ours stand for a class of exceptions of the script's own.
    pub(super) fn defines_error(&mut self, class: &StmtClassDef) -> bool {
        let Some(base) = base(class) else {
            return false;
        };
        let name = class.name.as_str();
        let Some(above) = self.above(base.id.as_str()) else {
            return false;
        };
        if self.out.habits.error_bodies.contains(name) {
            return false;
        }
        let range = class.range();
        let text = format!("{name}=_rlm_define('{name}',{above})");
        self.by_ours(range);
        self.replace_range(range, text);
        true
    }

    /// What stands for the type of exceptions `name`.
    pub(super) fn above(&self, name: &str) -> Option<String> {
        match name {
            _ if self.out.habits.error_classes.contains(name) => Some(name.to_owned()),
            _ if !self.is_pythons(name) => None,
            _ if OLD.contains(&name) => Some(String::from("OSError")),
            _ if MISSING.contains(&name) => Some(format!("_rlm_kinds['{name}']")),
            _ if TYPES.contains(&name) => Some(name.to_owned()),
            _ => None,
        }
    }

    pub(super) fn raises(&mut self, raise: &StmtRaise) {
        let Some(error) = &raise.exc else {
            return;
        };
        if self.out.habits.chains || self.out.habits.own_errors {
            self.keeps(raise, error);
        }
        if let Some(call) = odd_call(raise)
            && !any_name(&call.func, &TYPES)
            && !matches!(&*call.func, Expr::Name(name) if (self.known.asks)(name.id.as_str()))
        {
            self.makes(call);
        }
    }

    /// Has ours keep where an exception came from.
    fn keeps(&mut self, raise: &StmtRaise, error: &Expr) {
        self.by_ours(raise.range());
        let word = raise.range().start().to_u32() + "raise".len() as u32;
        let start = error.range().start().to_u32();
        // What stands in parentheses goes with them.
        match self.source[word as usize..start as usize].trim().is_empty() {
            true => self.insert(start, "_rlm_raised("),
            false => self.insert(word, " _rlm_raised("),
        }
        if let Some(cause) = &raise.cause {
            let end = error.range().end().to_u32();
            let between = &self.source[end as usize..cause.range().start().to_usize()];
            let at = end + between.find("from").unwrap_or(0) as u32;
            self.replace(at, at + "from".len() as u32, ",");
        }
        self.insert(raise.range().end(), ")");
    }

    /// `__exit__` is given the type that Monty knows of.
    pub(super) fn leaves(&mut self, function: &StmtFunctionDef) {
        let given = &function.parameters.args;
        let (true, [_, kind, error, ..], Some(first)) = (
            self.out.habits.own_errors && function.name.as_str() == "__exit__",
            &given[..],
            function.body.first(),
        ) else {
            return;
        };
        let at = first.range().start().to_u32();
        if first.is_import_stmt() || first.is_import_from_stmt() {
            return;
        }
        let then = match self.indent(at) {
            Some(indent) => format!("\n{indent}"),
            None => String::from(";"),
        };
        let (kind, error) = (kind.name().as_str(), error.name().as_str());
        let text = format!("{kind}={error} if {error} is None else _rlm_type({error}){then}");
        self.by_ours(function.name.range());
        self.insert(at, text);
    }

    /// Has ours make an exception.
    fn makes(&mut self, call: &ExprCall) {
        self.by_ours(call.range());
        self.insert(call.func.range().start(), "_rlm_error(");
        let open = call.arguments.range().start().to_u32();
        self.replace(open, open + 1, ",");
    }

    pub(super) fn attempts(&mut self, attempt: &StmtTry) {
        let chains = self.out.habits.chains;
        let start = attempt.range().start().to_u32();
        if attempt.is_star || !(chains || self.out.habits.own_errors) {
            return;
        }
        if let (true, Some(first)) = (chains, attempt.body.first()) {
            let rest = &self.source[start as usize..];
            let colon = start + rest.find(':').unwrap_or(0) as u32 + 1;
            let text = format!("_rlm_mark_{start}=_rlm_mark()");
            let text = match self.indent(first.range().start().to_u32()) {
                Some(indent) => format!("\n{indent}{text}"),
                None => format!(" {text};"),
            };
            self.insert(colon, text);
        }
        let end = match chains {
            true => format!(",_rlm_mark_{start})"),
            false => String::from(")"),
        };
        for ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
            self.by_ours(handler.range());
            if let Some(kind) = &handler.type_ {
                self.insert(kind.range().start(), "_rlm_caught(");
                self.insert(kind.range().end(), end.clone());
            } else if chains {
                let after = handler.range().start().to_u32() + "except".len() as u32;
                self.insert(after, format!(" _rlm_caught(BaseException{end}"));
            }
        }
    }

    pub(super) fn error_name(&mut self, name: &ExprName) {
        let range = name.range();
        let (start, end) = (range.start().to_u32(), range.end().to_u32());
        match name.id.as_str() {
            old if OLD.contains(&old) && self.is_pythons(old) => {
                self.replace(start, end, "OSError");
            }
            missing if MISSING.contains(&missing) && self.is_pythons(missing) => {
                let ours = format!("_rlm_kinds['{missing}']");
                self.by_ours(range);
                self.replace(start, end, ours);
            }
            _ => {}
        }
    }

    pub(super) fn error_call(&mut self, call: &ExprCall, name: &str) {
        let habits = &self.out.habits;
        match name {
            _ if TYPES.contains(&name) && is_odd(call) => self.makes(call),
            "isinstance" if habits.own_errors => {
                self.stand_in(call, "exception", "_rlm_isinstance", "exceptions");
            }
            "type" if self.asks_type(call) => {
                self.stand_in(call, "exception", "_rlm_type", "exceptions");
            }
            "issubclass" if habits.own_errors => {
                self.out.helpers.insert("builtins");
                self.stands(&call.func, Place::Done);
                self.stand_in(call, "exception", "_rlm_subclass", "exceptions");
            }
            "print" | "str" | "repr" | "format" => {
                for arg in &call.arguments.args {
                    match arg {
                        Expr::Starred(spread) => self.shows(&spread.value),
                        Expr::Name(_)
                        | Expr::Call(_)
                        | Expr::Subscript(_)
                        | Expr::List(_)
                        | Expr::Tuple(_)
                        | Expr::Dict(_)
                        | Expr::ListComp(_) => self.shown(arg),
                        _ => self.shows(arg),
                    }
                }
            }
            _ => {}
        }
    }

    /// `assert test, said` where what is said is no text.
    pub(super) fn asserts(&mut self, assert: &StmtAssert) {
        let Some(said) = assert.msg.as_deref().filter(|said| !is_text(said)) else {
            return;
        };
        self.by_ours(assert.range());
        let start = assert.range().start().to_u32() + "assert".len() as u32;
        let end = assert.test.range().end().to_u32();
        let between = &self.source[end as usize..said.range().start().to_usize()];
        let comma = end + between.find(',').unwrap_or(0) as u32;
        self.insert(start, " (");
        self.replace(comma, comma + 1, ") or _rlm_fails(");
        self.insert(assert.range().end(), ")");
    }

    pub(super) fn error_method(&mut self, call: &ExprCall, attribute: &ExprAttribute) {
        let of_sys = matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == "sys");
        // What is replaced is not to be looked for in our `sys`.
        if of_sys && matches!(attribute.attr.as_str(), "exit" | "exc_info" | "exception") {
            self.stands(&call.func, Place::Done);
        }
        match attribute.attr.as_str() {
            "exit" if of_sys => self.stand_in(call, "exception", "_rlm_leave", "exceptions"),
            "exc_info" if of_sys => self.stand_in(call, "exception", "_rlm_exc_info", "exceptions"),
            "exception" if of_sys => {
                self.stand_in(call, "exception", "_rlm_exception", "exceptions");
            }
            "format" if attribute.value.is_string_literal_expr() => {
                call.arguments.args.iter().for_each(|arg| self.shows(arg));
            }
            name @ ("pop" | "remove") if self.is_tried(call.range()) => {
                let wanted = matches!(&call.arguments.args[..], [key]
                    if !key.is_string_literal_expr() && !key.is_starred_expr());
                if !wanted || !call.arguments.keywords.is_empty() {
                    return;
                }
                let ours = format!(",'{name}',");
                self.by_ours(call.range());
                self.insert(call.range().start(), "_rlm_taken(");
                let open = call.arguments.range().start().to_u32();
                self.replace(self.dot(attribute), open + 1, ours);
            }
            _ => {}
        }
    }

    /// `'%s' % error`
    pub(super) fn fills_in(&mut self, operation: &ExprBinOp) {
        if operation.op != Operator::Mod || !operation.left.is_string_literal_expr() {
            return;
        }
        match &*operation.right {
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|item| self.shows(item)),
            other => self.shows(other),
        }
    }

    /// Whether ours tells the type that `call` asks for.
    pub(super) fn asks_type(&self, call: &ExprCall) -> bool {
        let args = &call.arguments.args;
        call.arguments.len() == 1
            && (self.out.habits.own_errors || args.iter().any(|arg| self.may_be_error(arg)))
    }

    fn may_be_error(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Name(name) => {
                self.errors.names.contains(name.id.as_str()) || is_wont(name.id.as_str())
            }
            Expr::Attribute(attribute) => {
                let name = attribute.attr.as_str();
                is_wont(name) || name == "message" && self.out.habits.error_modules
            }
            Expr::Call(call) => {
                any_name(&call.func, &TYPES) && is_odd(call)
                    || any_name(&call.func, &MISSING)
                    || matches!(&*call.func, Expr::Name(name) if self.out.habits.error_classes.contains(name.id.as_str()))
            }
            _ => false,
        }
    }

    /// What becomes a text may be an exception.
    pub(super) fn shows(&mut self, expr: &Expr) {
        if self.may_be_error(expr) {
            self.shown(expr);
        }
    }

    fn shown(&mut self, expr: &Expr) {
        if self.out.habits.odd_errors {
            self.by_ours(expr.range());
            self.insert(expr.range().start(), "_rlm_shown(");
            self.insert(expr.range().end(), ")");
        }
    }

    /// What is not found is a text, or says so.
    pub(super) fn looks_up(&mut self, subscript: &ExprSubscript) {
        let key = &*subscript.slice;
        let is_plain = key.is_string_literal_expr() || key.is_f_string_expr() || has_slice(key);
        let range = subscript.range();
        let is_tried = self.errors.keyed || !key.is_number_literal_expr() && self.is_tried(range);
        if is_plain || !is_tried || subscript.ctx != ExprContext::Load {
            return;
        }
        self.by_ours(range);
        self.insert(range.start(), "_rlm_item(");
        let value = subscript.value.range().end().to_u32();
        let between = &self.source[value as usize..key.range().start().to_usize()];
        let bracket = value + between.find('[').unwrap_or(0) as u32;
        let bare = matches!(key, Expr::Tuple(tuple) if !tuple.parenthesized);
        let (open, close) = if bare { (",(", "))") } else { (",", ")") };
        self.replace(bracket, bracket + 1, open);
        self.replace(range.end().to_u32() - 1, range.end().to_u32(), close);
    }

    /// Attributes that Monty's exceptions have not.
    pub(super) fn reads_error(&mut self, attribute: &ExprAttribute, place: Option<Place>) -> bool {
        let name = attribute.attr.as_str();
        let of_type = matches!(name, "__name__" | "__qualname__")
            && matches!(&*attribute.value, Expr::Call(call) if any_name(&call.func, &["type"]));
        if of_type && !self.out.habits.own_errors {
            self.stands(&attribute.value, Place::Done);
            return false;
        }
        let of_caught = matches!(&*attribute.value, Expr::Name(of) if self.errors.names.contains(of.id.as_str()));
        let wanted = match name {
            "filename" => self.out.habits.odd_errors && place != Some(Place::Callee),
            "value" => place != Some(Place::Callee) && self.source.contains("StopIteration("),
            "args" => self.out.habits.odd_errors && place != Some(Place::Callee),
            _ if ONLY.contains(&name) || of_type => true,
            _ => of_caught && SHARED.contains(&name) && place != Some(Place::Callee),
        };
        if wanted {
            let name = name.to_owned();
            self.by_ours(attribute.range());
            self.insert(attribute.range().start(), "_rlm_read(");
            let end = attribute.attr.range().end().to_u32();
            self.replace(self.dot(attribute), end, format!(",'{name}')"));
        }
        wanted
    }
}

/// Whether variables of that name are wont to be exceptions.
fn is_wont(name: &str) -> bool {
    matches!(name, "e" | "ex" | "exc")
        || ["err", "exception"].iter().any(|part| name.contains(part))
}

fn has_slice(key: &Expr) -> bool {
    match key {
        Expr::Slice(_) => true,
        Expr::Tuple(tuple) => tuple.elts.iter().any(has_slice),
        _ => false,
    }
}
