//! Calls of functions that Monty has not, or not with all their arguments.

use ruff_python_ast::{Expr, ExprCall, ExprName};
use ruff_text_size::Ranged;

use super::methods;
use super::{Pass, Place};

/// Builtins that Monty does not have, and that ours stand in for.
pub(super) const MISSING: [&str; 2] = ["issubclass", "bytearray"];

/// Returns whether a call of a function of `json` says how other values are written.
fn encodes(call: &ExprCall) -> bool {
    keyword(call, "default").is_some() || keyword(call, "cls").is_some()
}

impl Pass<'_> {
    pub(super) fn call(
        &mut self,
        call: &ExprCall,
        place: Option<Place>,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        self.spread_first(call, after);
        self.partial_power(call);
        let is_gather = self.is_member(&call.func, &["asyncio"], "gather");
        if is_gather && keyword(call, "return_exceptions").is_some() {
            self.stands(&call.func, Place::Done);
            return self.stand_in(call, "gather", "_rlm_gather", "gathering");
        }
        let count = call.arguments.len();
        let Some(name) = self.builtin(&call.func).map(str::to_owned) else {
            return self.method_call(call, place);
        };
        match name.as_str() {
            "isinstance" | "issubclass" => {
                if let Some(types) = call.arguments.args.get(1) {
                    self.types(types);
                }
                if name == "isinstance" {
                    self.tests_kind(call);
                }
            }
            "any" | "all" | "sum" | "set" | "dict" => self.looped(call, &name),
            "min" | "max" if !self.orders => self.looped(call, &name),
            "sorted" | "min" | "max" => self.sorted(call),
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
            "pow" if count == 3 || !call.arguments.keywords.is_empty() => {
                self.stand_in(call, "pow", "_rlm_pow", "numbers")
            }
            "getattr" | "hasattr" => {
                let wanted = call.arguments.args.get(1).is_some_and(|name| match name {
                    Expr::StringLiteral(text) => methods::is_missing(text.value.to_str()),
                    _ => true,
                });
                if wanted {
                    let ours = if name == "getattr" {
                        "_rlm_getattr"
                    } else {
                        "_rlm_hasattr"
                    };
                    self.stand_in(call, "missing-method", ours, "methods");
                }
            }
            "dumps" if self.is_member(&call.func, &["json"], "dumps") && encodes(call) => {
                self.stand_in(call, "json", "_rlm_dumps", "json")
            }
            _ => {}
        }
    }

    /// In `isinstance` and in comparisons, `bool` is a type and not a function.
    pub(super) fn types(&mut self, expr: &Expr) {
        match expr {
            Expr::Name(name) if name.id.as_str() == "bool" => self.stands(expr, Place::Done),
            Expr::Tuple(all) => all.elts.iter().for_each(|each| self.types(each)),
            Expr::List(all) => all.elts.iter().for_each(|each| self.types(each)),
            Expr::Set(all) => all.elts.iter().for_each(|each| self.types(each)),
            Expr::BinOp(union) => {
                self.types(&union.left);
                self.types(&union.right);
            }
            _ => {}
        }
    }

    /// `partial(pow, exp=2)`: Monty's takes no names.
    fn partial_power(&mut self, call: &ExprCall) {
        if self.is_member(&call.func, &["functools"], "partial")
            && let Some(power) = call.arguments.args.first()
            && self.builtin(power) == Some("pow")
            && !call.arguments.keywords.is_empty()
        {
            self.rewrote("pow", power.range(), "numbers");
            self.insert(power.range().start(), "_rlm_");
        }
    }

    /// `f(**a, b=1)`: Monty puts what is named before what is spread.
    fn spread_first(&mut self, call: &ExprCall, after: &mut Vec<(u32, &'static str)>) {
        let keywords = call.arguments.keywords.iter();
        for keyword in keywords.skip_while(|keyword| keyword.arg.is_some()) {
            if let Some(name) = &keyword.arg {
                self.rewrote("keywords", keyword.range(), "");
                let value = keyword.value.range();
                // Parentheses around the value stay.
                let start = keyword.range().start().to_u32();
                let between = &self.source[start as usize..value.start().to_usize()];
                let end = start + between.find('=').map_or(0, |at| at as u32 + 1);
                self.replace(start, end, format!("**{{'{name}':"));
                after.push((keyword.range().end().to_u32(), "}"));
            }
        }
    }

    /// A builtin that Monty does not have.
    pub(super) fn name(&mut self, name: &ExprName) {
        self.error_name(name);
        if let Some(missing) = MISSING.iter().find(|missing| **missing == name.id.as_str())
            && self.is_pythons(missing)
        {
            let helper = match *missing {
                "bytearray" => "bytearray",
                _ => "builtins",
            };
            self.rewrote("missing-builtin", name.range(), helper);
            if self.out.habits.kinds {
                self.out.helpers.insert("kinds");
            }
            self.replace_range(name.range(), format!("_rlm_{missing}"));
        }
    }

    fn method_call(&mut self, call: &ExprCall, place: Option<Place>) {
        let Expr::Attribute(attribute) = &*call.func else {
            return;
        };
        let of_json = self.is_module(&attribute.value, "json");
        match attribute.attr.as_str() {
            "sort" => self.sorted(call),
            "dumps" if of_json && encodes(call) => {
                self.stands(&call.func, Place::Done);
                self.stand_in(call, "json", "_rlm_dumps", "json");
            }
            "dump" if of_json && encodes(call) => {
                self.stands(&call.func, Place::Done);
                self.stand_in(call, "json", "_rlm_dump", "json");
            }
            _ if self.is_regex(&call.func) => self.regex(call, place),
            _ if !call.arguments.is_empty() => self.short_method(call, place),
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
        let range = call.func.range();
        let start = range.start().to_u32();
        let mut near = self.out.changes.iter().rev().take(16);
        // Another rewrite may have seen the call before.
        if near.any(|change| change.offset == start && change.removed > 0) {
            return;
        }
        self.rewrote(rule, call.range(), helper);
        self.replace_range(range, ours);
    }
}

fn keyword<'a>(call: &'a ExprCall, name: &str) -> Option<&'a Expr> {
    let found = call.arguments.find_keyword(name);
    found.map(|keyword| &keyword.value)
}
