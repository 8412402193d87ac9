//! `map`, `filter`, `zip`, `enumerate`, `reversed` and generator expressions,
//! which Monty works off at once: where somebody could see that, they become
//! iterators that work when they are asked.

use std::borrow::Cow;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Comprehension, Expr, ExprCall, ExprGenerator};
use ruff_text_size::Ranged;

use super::flow::Effects;
use super::{Pass, Place};
use crate::callbacks;

/// Functions and methods that take all items of their first argument.
const DRAINS: [&str; 9] = [
    "list",
    "tuple",
    "set",
    "frozenset",
    "dict",
    "sorted",
    "sum",
    "min",
    "max",
];
const DRAINING: [&str; 14] = [
    "join",
    "extend",
    "update",
    "union",
    "intersection",
    "difference",
    "fsum",
    "prod",
    "mean",
    "median",
    "stdev",
    "fmean",
    "Counter",
    "OrderedDict",
];
const LAZY: [&str; 5] = ["map", "filter", "zip", "enumerate", "reversed"];

impl Pass<'_> {
    /// Notes which arguments of `call` are taken whole.
    pub(super) fn drain(&mut self, call: &ExprCall) {
        let args = &call.arguments.args;
        let drains = match &*call.func {
            Expr::Name(name) if matches!(name.id.as_str(), "Counter" | "OrderedDict" | "deque") => {
                true
            }
            Expr::Attribute(attribute) => DRAINING.contains(&attribute.attr.as_str()),
            func => self.builtin(func).is_some_and(|name| {
                DRAINS.contains(&name) && (args.len() == 1 || !matches!(name, "min" | "max"))
            }),
        };
        if let (true, Some(first)) = (drains, args.first()) {
            self.stands(first, Place::Drained);
        }
    }

    /// Notes what a comprehension goes through.
    pub(super) fn collects(&mut self, clauses: &[Comprehension], given: &[&Expr]) {
        let tests = clauses.iter().flat_map(|clause| &clause.ifs);
        let is_quiet = given
            .iter()
            .copied()
            .chain(tests)
            .all(|expr| self.is_quiet(expr));
        for clause in clauses {
            if is_quiet {
                self.stands(&clause.iter, Place::Drained);
            } else if !self.known.habits.lazy && self.is_plain(&clause.iter) {
                self.stands(
                    &clause.iter,
                    Place::Looped {
                        early: false,
                        changes: false,
                    },
                );
            }
        }
    }

    /// A call of one of the five builtins.
    pub(super) fn lazily(&mut self, call: &ExprCall, name: &str, place: Option<Place>) {
        let Some(name) = LAZY.iter().find(|lazy| **lazy == name) else {
            return;
        };
        let asks = callbacks::asks(call, self.known.asks);
        let is_early = matches!(place, Some(Place::Looped { early: true, .. }));
        let is_fine = match place {
            _ if *name == "reversed" && self.out.habits.reversible => false,
            Some(Place::Drained) => true,
            Some(Place::Looped { changes: false, .. }) if !matches!(*name, "map" | "filter") => {
                self.is_plain(&Expr::Call(call.clone()))
            }
            _ => asks,
        };
        if asks && is_early {
            return self.refuse(
                "a loop over map() or filter() that may end early would call the host for all items",
                "call the function in the body of a plain for loop",
                call.range(),
            );
        }
        if !is_fine {
            self.rewrote("lazy-iterator", call.range(), "lazy");
            let range = call.func.range();
            self.replace_range(range, format!("_rlm_lazy_{name}"));
        }
    }

    /// Whether what `enumerate` and its kin go through is there already.
    fn is_plain(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => match &*call.func {
                Expr::Name(name) => match name.id.as_str() {
                    "zip" | "enumerate" | "reversed" => {
                        call.arguments.args.iter().all(|arg| self.is_plain(arg))
                    }
                    "range" | "sorted" | "list" | "str" | "tuple" | "set" | "dict" => true,
                    _ => false,
                },
                // `text.splitlines()`, `d.items()`
                Expr::Attribute(method) => {
                    !self.known.habits.lazy || super::is_builtin_method(method.attr.as_str())
                }
                _ => false,
            },
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
                !self.known.habits.lazy && !self.out.habits.lazy
            }
            Expr::Generator(_) | Expr::Await(_) => false,
            _ => true,
        }
    }

    /// A generator expression, wherever it stands.
    pub(super) fn generator_expression(
        &mut self,
        generator: &ExprGenerator,
        place: Option<Place>,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        let asks = callbacks::visibly_asks(&generator.elt, self.known.asks);
        match place {
            Some(Place::Drained) => {}
            Some(Place::Looped { early: true, .. }) if asks => self.refuse(
                "a loop over a generator expression that may end early would call the host for all items",
                "call the function in the body of a plain for loop",
                generator.range(),
            ),
            _ if asks || has_walrus(generator) => {
                self.rewrote("lazy-iterator", generator.range(), "lazy");
                self.around(generator, "_rlm_iter([", "])", after);
            }
            _ => {
                self.rewrote("lazy-iterator", generator.range(), "lazy");
                self.out.habits.lazy = true;
                self.stepped(generator, "_rlm_generator(lambda _rlm_s:[", "])", after);
            }
        }
    }

    /// `any`, `all` and `next` of a generator expression stop where they know.
    pub(super) fn first(
        &mut self,
        call: &ExprCall,
        name: &str,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        let Some(Expr::Generator(generator)) = call.arguments.args.first() else {
            return;
        };
        let argument = &call.arguments.args[0];
        let is_one =
            generator.generators.len() == 1 && self.is_plain(&generator.generators[0].iter);
        if name != "next"
            && is_one
            && self.is_tame(&generator.elt)
            && generator.generators[0]
                .ifs
                .iter()
                .all(|test| self.is_tame(test))
        {
            return self.stands(argument, Place::Drained);
        }
        self.rewrote("lazy-iterator", call.range(), "lazy");
        self.stands(argument, Place::Done);
        let walrus = has_walrus(generator);
        let helper = match (name, walrus) {
            ("any", false) => "_rlm_any",
            ("all", false) => "_rlm_all",
            ("any", true) => "_rlm_any_seen",
            ("all", true) => "_rlm_all_seen",
            (_, true) => "_rlm_next_seen",
            _ => "_rlm_next",
        };
        let range = call.func.range();
        self.replace_range(range, helper);
        if walrus {
            // What it binds is bound outside of it, so there can be no function. Other tasks and threads may be here at the
            // same time: each has a variable of its own.
            let see = match name {
                "any" => "see_true",
                "all" => "see_false",
                _ => "see",
            };
            let gate = format!("_rlm_g{}", generator.range().start().to_u32());
            let before = format!("({gate}:=_rlm_gate()).seen([{gate}.{see}(");
            self.around(generator, before, "])", after);
            after.push((generator.elt.range().end().to_u32(), ")"));
            let first = &generator.generators[0].iter;
            self.insert(first.range().start(), format!("{gate}.of("));
            after.push((first.range().end().to_u32(), ")"));
        } else {
            self.stepped(generator, "lambda _rlm_s:[", "]", after);
        }
    }

    fn around(
        &mut self,
        generator: &ExprGenerator,
        before: impl Into<Cow<'static, str>>,
        behind: &'static str,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        let inside = u32::from(generator.parenthesized);
        self.insert(generator.range().start().to_u32() + inside, before);
        after.push((generator.range().end().to_u32() - inside, behind));
    }

    /// Makes `generator` a function that is called for each item of what the
    /// expression goes through; see `prelude/compat/lazy.py`.
    fn stepped(
        &mut self,
        generator: &ExprGenerator,
        before: &'static str,
        behind: &'static str,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        self.around(generator, before, behind, after);
        let first = &generator.generators[0].iter;
        self.insert(first.range().start(), "_rlm_s or _rlm_source(");
        after.push((first.range().end().to_u32(), ")"));
        self.stands(
            first,
            Place::Looped {
                early: true,
                changes: false,
            },
        );
    }

    /// Whether nobody sees when `expr` is worked out, unless it fails.
    fn is_quiet(&self, expr: &Expr) -> bool {
        let effects = Effects::of_expr(expr);
        let is_quiet = |name: &&str| {
            self.is_pythons(name) && *name != "print" && *name != "next" && !(self.known.asks)(name)
        };
        effects.changed.is_empty() && !effects.reaches_out && effects.calls.iter().all(is_quiet)
    }

    /// Whether nobody sees whether `expr` is worked out: it cannot fail either,
    /// as far as its kind goes.
    fn is_tame(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Name(_)
            | Expr::StringLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_) => true,
            Expr::Attribute(attribute) => self.is_tame(&attribute.value),
            Expr::UnaryOp(unary) => self.is_tame(&unary.operand),
            Expr::BoolOp(operation) => operation.values.iter().all(|value| self.is_tame(value)),
            Expr::Compare(compare) => {
                let ordered = |op: &ruff_python_ast::CmpOp| {
                    use ruff_python_ast::CmpOp::{Gt, GtE, Lt, LtE};
                    matches!(op, Lt | LtE | Gt | GtE)
                };
                !compare.ops.iter().any(ordered)
                    && compare.operands.iter().all(|side| self.is_tame(side))
            }
            Expr::Tuple(tuple) => tuple.elts.iter().all(|item| self.is_tame(item)),
            Expr::Call(call) => {
                let args = call.arguments.args.iter().all(|arg| self.is_tame(arg));
                args && call.arguments.keywords.is_empty()
                    && match &*call.func {
                        Expr::Name(name) => {
                            matches!(name.id.as_str(), "isinstance" | "str" | "bool" | "len")
                                && self.is_pythons(name.id.as_str())
                        }
                        Expr::Attribute(method) => {
                            let name = method.attr.as_str();
                            (name.starts_with("is")
                                || matches!(
                                    name,
                                    "startswith" | "endswith" | "lower" | "upper" | "strip"
                                ))
                                && self.is_tame(&method.value)
                        }
                        _ => false,
                    }
            }
            _ => false,
        }
    }
}

/// Whether it binds names of the scope around it.
fn has_walrus(generator: &ExprGenerator) -> bool {
    struct Walrus(bool);
    impl<'a> Visitor<'a> for Walrus {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0 |= expr.is_named_expr() || expr.is_await_expr();
            visitor::walk_expr(self, expr);
        }
    }
    let mut walrus = Walrus(false);
    walrus.visit_expr(&generator.elt);
    for clause in &generator.generators {
        clause.ifs.iter().for_each(|test| walrus.visit_expr(test));
    }
    walrus.0
}
