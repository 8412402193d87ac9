//! Generator expressions whose items are taken at once, and functions that take them: a list gives the same faster where no
//! code of a script runs between two items, and builtin functions cannot wait for the host.

use std::borrow::Cow;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, ExprGenerator};
use ruff_text_size::Ranged;

use super::flow::Effects;
use super::{Pass, Place, methods};
use crate::callbacks;

/// Builtin functions that take all items of their first argument.
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

/// Methods, and functions of modules, that do so before they do anything else.
const DRAINING: [&str; 9] = [
    "join",
    "fsum",
    "prod",
    "mean",
    "median",
    "stdev",
    "fmean",
    "Counter",
    "OrderedDict",
];

/// Methods that add item by item to what there is.
const ADDING: [&str; 5] = ["extend", "update", "union", "intersection", "difference"];

impl<'a> Pass<'a> {
    /// Notes which arguments of `call` are taken whole.
    pub(super) fn drain(&mut self, call: &ExprCall) {
        let args = &call.arguments.args;
        let place = match &*call.func {
            Expr::Name(name) if matches!(name.id.as_str(), "Counter" | "OrderedDict" | "deque") => {
                Some(Place::Drained)
            }
            Expr::Attribute(attribute) => match attribute.attr.as_str() {
                name if DRAINING.contains(&name) => Some(Place::Drained),
                name if ADDING.contains(&name) => Some(Place::Added),
                _ => None,
            },
            func => {
                let drains = self.builtin(func).is_some_and(|name| {
                    DRAINS.contains(&name) && (args.len() == 1 || !matches!(name, "min" | "max"))
                });
                drains.then_some(Place::Drained)
            }
        };
        if let (Some(place), Some(first)) = (place, args.first()) {
            self.stands(first, place);
        }
    }

    /// A generator expression, wherever it stands.
    pub(super) fn generator_expression(
        &mut self,
        generator: &'a ExprGenerator,
        place: Option<Place>,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        let parts = || {
            let tests = generator.generators.iter().flat_map(|clause| &clause.ifs);
            std::iter::once(&*generator.elt).chain(tests)
        };
        let is_at_once = match place {
            Some(Place::Drained) => true,
            Some(Place::Added) => {
                parts().all(|expr| self.is_quiet(expr)) || parts().any(|expr| self.may_ask(expr))
            }
            _ => false,
        };
        if is_at_once {
            self.rewrote("gathered", generator.range(), "");
            return self.around(generator, "[", "]", after);
        }
        let asks = parts().any(|expr| callbacks::visibly_asks(expr, self.known.asks));
        if asks && !matches!(place, Some(Place::Looped | Place::Done)) {
            self.rewrote("gathered", generator.range(), "lazy");
            self.around(generator, "_rlm_iter([", "])", after);
        }
    }

    /// `any`, `all` and `next` of a generator expression, which is asked for one item after the other. The interpreter knows
    /// the names of ours: it makes a loop of the first two, in which scripts can wait for the host.
    pub(super) fn first(&mut self, call: &ExprCall, name: &str) {
        let Some(argument @ Expr::Generator(_)) = call.arguments.args.first() else {
            return;
        };
        self.stands(argument, Place::Done);
        let ours = match name {
            "any" => "_rlm_any",
            "all" => "_rlm_all",
            _ => return,
        };
        if call.arguments.len() == 1 {
            self.stand_in(call, "quantified", ours, "");
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

    /// Whether nobody sees when `expr` is worked out, unless it fails.
    fn is_quiet(&self, expr: &Expr) -> bool {
        let effects = Effects::of_expr(expr);
        let is_quiet = |name: &&str| {
            self.is_pythons(name) && *name != "print" && *name != "next" && !(self.known.asks)(name)
        };
        effects.changed.is_empty() && !effects.reaches_out && effects.calls.iter().all(is_quiet)
    }

    /// Returns whether working `expr` out may ask the host, as far as its text shows: it calls something that does, or that
    /// is not known.
    fn may_ask(&self, expr: &Expr) -> bool {
        let mut called = Called::default();
        called.visit_expr(expr);
        let asks = |name: &&str| {
            let is_known = self.is_pythons(name) || self.defined.contains(name);
            !is_known || (self.known.asks)(name)
        };
        called.is_hidden
            || called.names.iter().any(asks)
            || called
                .methods
                .iter()
                .any(|name| !methods::is_builtin_method(name))
    }
}

/// What an expression calls.
#[derive(Default)]
struct Called<'a> {
    names: Vec<&'a str>,
    methods: Vec<&'a str>,
    /// Whether it calls something that is neither a name nor a method.
    is_hidden: bool,
}

impl<'a> Visitor<'a> for Called<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Call(call) = expr {
            match &*call.func {
                Expr::Name(name) => self.names.push(name.id.as_str()),
                Expr::Attribute(method) => self.methods.push(method.attr.as_str()),
                _ => self.is_hidden = true,
            }
        }
        visitor::walk_expr(self, expr);
    }
}
