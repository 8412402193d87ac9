//! Calls of functions that Monty has not, or not with all their arguments.

use ruff_python_ast::{Expr, ExprCall, ExprName};
use ruff_text_size::Ranged;

use super::{Pass, Place, methods};

/// Builtins that Monty does not have, and that ours stand in for.
const MISSING: [&str; 5] = ["callable", "issubclass", "ascii", "vars", "bytearray"];

impl Pass<'_> {
    pub(super) fn call(
        &mut self,
        call: &ExprCall,
        place: Option<Place>,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        self.calls_generator(call, place);
        let count = call.arguments.len();
        let Some(name) = self.builtin(&call.func).map(str::to_owned) else {
            return self.method_call(call);
        };
        self.error_call(call, &name);
        match name.as_str() {
            "any" | "all" | "next" => self.first(call, &name, after),
            "map" | "filter" | "zip" | "enumerate" | "reversed" => self.lazily(call, &name, place),
            "len" if self.out.habits.truth => self.stand_in(call, "truth", "_rlm_len", "truth"),
            "bool" if self.out.habits.truth => self.stand_in(call, "truth", "_rlm_bool", "truth"),
            "sorted" | "min" | "max" => self.sorted(call),
            "dict" if self.out.habits.mappings && count > 0 => {
                self.stand_in(call, "mapping", "_rlm_dict", "mappings");
            }
            "bytes"
                if count == 1
                    && !call
                        .arguments
                        .args
                        .first()
                        .is_some_and(Expr::is_number_literal_expr) =>
            {
                self.stand_in(call, "missing-builtin", "_rlm_bytes", "builtins");
            }
            "object" if count == 0 => {
                self.stand_in(call, "missing-builtin", "_rlm_object", "builtins")
            }
            "round" if count == 2 => self.stand_in(call, "round", "_rlm_round", "numbers"),
            "iter" if count == 2 => self.stand_in(call, "lazy-iterator", "_rlm_iter_until", "lazy"),
            "print" if keyword(call, "file").is_some_and(|file| !is_stream(file)) => {
                self.stand_in(call, "print-to", "_rlm_print", "printing");
            }
            "getattr" | "hasattr" => {
                let wanted = call.arguments.args.get(1).is_some_and(|name| match name {
                    Expr::StringLiteral(text) => super::is_builtin_method(text.value.to_str()),
                    _ => true,
                });
                if wanted {
                    self.out.methods.extend(methods::METHODS);
                    let ours = if name == "getattr" {
                        "_rlm_getattr"
                    } else {
                        "_rlm_hasattr"
                    };
                    self.stand_in(call, "method-as-value", ours, "methods");
                }
            }
            "dumps" if keyword(call, "default").is_some() => {
                self.stand_in(call, "json", "_rlm_dumps", "json")
            }
            _ => {}
        }
    }

    /// A builtin that Monty does not have.
    pub(super) fn name(&mut self, name: &ExprName, place: Option<Place>) {
        self.error_name(name);
        let truth = ["len", "bool"]
            .into_iter()
            .find(|ours| *ours == name.id.as_str());
        if let Some(truth) = truth
            && place != Some(Place::Callee)
            && self.out.habits.truth
            && self.is_pythons(truth)
        {
            self.rewrote("truth", name.range(), "truth");
            let range = name.range();
            return self.replace(
                range.start().to_u32(),
                range.end().to_u32(),
                format!("_rlm_{truth}"),
            );
        }
        if let Some(missing) = MISSING.iter().find(|missing| **missing == name.id.as_str())
            && self.is_pythons(missing)
        {
            self.rewrote("missing-builtin", name.range(), "builtins");
            self.replace(
                name.range().start().to_u32(),
                name.range().end().to_u32(),
                format!("_rlm_{missing}"),
            );
        }
    }

    fn method_call(&mut self, call: &ExprCall) {
        let Expr::Attribute(attribute) = &*call.func else {
            return;
        };
        self.error_method(call, attribute);
        let of_re = matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == "re");
        match attribute.attr.as_str() {
            "sort" => self.sorted(call),
            "dumps" if keyword(call, "default").is_some() => {
                self.stands(&call.func, Place::Done);
                self.stand_in(call, "json", "_rlm_dumps", "json");
            }
            "loads" if matches!(&*attribute.value, Expr::Name(name) if name.id.as_str() == "json") =>
            {
                self.stands(&call.func, Place::Done);
                self.stand_in(call, "json", "_rlm_loads", "json");
            }
            "dumps" if keyword(call, "cls").is_some() => self.refuse(
                "json.dumps(cls=...)",
                "use json.dumps(value, default=function)",
                call.range(),
            ),
            "subn" if of_re => {
                self.stands(&call.func, Place::Done);
                self.stand_in(call, "re", "_rlm_re_subn", "re");
            }
            name if of_re
                && (is_verbose(call)
                    || (name == "sub"
                        && !call.arguments.args.get(1).is_some_and(is_plain_text))) =>
            {
                let name = name.to_owned();
                self.stands(&call.func, Place::Done);
                self.rewrote("re", call.range(), "re");
                let range = call.func.range();
                self.replace(
                    range.start().to_u32(),
                    range.end().to_u32(),
                    format!("_rlm_re_{name}"),
                );
            }
            _ if !call.arguments.is_empty() => self.short_method(call),
            _ => {}
        }
    }

    /// Puts `ours` in the place of what is called.
    pub(super) fn stand_in(
        &mut self,
        call: &ExprCall,
        rule: &'static str,
        ours: &'static str,
        helper: &'static str,
    ) {
        self.rewrote(rule, call.range(), helper);
        let range = call.func.range();
        self.replace(range.start().to_u32(), range.end().to_u32(), ours);
    }
}

/// A text that stands for nothing but itself where `re.sub` puts it.
fn is_plain_text(expr: &Expr) -> bool {
    matches!(expr, Expr::StringLiteral(text) if !text.value.to_str().contains(['\\', '$']))
}

fn keyword<'a>(call: &'a ExprCall, name: &str) -> Option<&'a Expr> {
    let mut keywords = call.arguments.keywords.iter();
    let found = keywords.find(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg == name));
    found.map(|keyword| &keyword.value)
}

/// `sys.stdout` and `sys.stderr`
fn is_stream(file: &Expr) -> bool {
    match file {
        Expr::Attribute(attribute) => matches!(attribute.attr.as_str(), "stdout" | "stderr"),
        Expr::NoneLiteral(_) => true,
        _ => false,
    }
}

/// Whether a function of `re` is given `re.VERBOSE`.
fn is_verbose(call: &ExprCall) -> bool {
    fn names_it(expr: &Expr) -> bool {
        match expr {
            Expr::Attribute(attribute) => matches!(attribute.attr.as_str(), "VERBOSE" | "X"),
            Expr::BinOp(operation) => names_it(&operation.left) || names_it(&operation.right),
            _ => false,
        }
    }
    call.arguments.args.iter().skip(1).any(names_it)
        || call
            .arguments
            .keywords
            .iter()
            .any(|keyword| names_it(&keyword.value))
}
