//! Iterators whose items are taken at once: generator expressions, calls of generator functions, of `map` and its kin. A list
//! gives the same faster where no code of a script runs between two items; and builtin functions cannot wait for the host.

use std::borrow::Cow;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprCall, ExprGenerator, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::{Pass, Place, flow, methods};
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
const DRAINING: [&str; 8] = [
    "join",
    "fsum",
    "prod",
    "mean",
    "median",
    "stdev",
    "fmean",
    "OrderedDict",
];

/// Methods that add item by item to what there is.
const ADDING: [&str; 6] = [
    "extend",
    "update",
    "union",
    "intersection",
    "difference",
    "Counter",
];

impl<'a> Pass<'a> {
    /// Notes the generator functions of a script.
    pub(super) fn learn_generators(&mut self, functions: &[&StmtFunctionDef]) {
        for function in functions {
            if flow::yields(&function.body) {
                let name = function.name.as_str().to_owned();
                self.out.habits.generators.insert(name);
            }
        }
    }

    /// A call whose items are taken at once: by a function of ours, in which a generator can wait for the host.
    pub(super) fn gathers(
        &mut self,
        call: &ExprCall,
        place: Option<Place>,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        let (name, is_method) = match &*call.func {
            Expr::Name(name) => (name.id.as_str(), false),
            Expr::Attribute(method) => (method.attr.as_str(), true),
            _ => return,
        };
        let is_generator = self.out.habits.generators.contains(name);
        let is_wanted = match place {
            Some(Place::Given) => callbacks::is_lazy(call) || is_generator,
            Some(Place::Drained | Place::Added) if callbacks::is_lazy(call) => {
                self.passes_on_asking(call)
            }
            Some(Place::Drained) if !is_method => is_generator,
            Some(Place::Drained | Place::Added) => is_generator && (self.known.asks)(name),
            _ => false,
        };
        if is_wanted {
            self.rewrote("generator", call.range(), "generators");
            let ours = match place {
                Some(Place::Added) => "_rlm_kept(",
                _ => "_rlm_gathered(",
            };
            self.insert(call.range().start(), ours);
            after.push((call.range().end().to_u32(), ")"));
        }
    }

    /// Notes which arguments of `call` are taken whole.
    pub(super) fn drain(&mut self, call: &ExprCall) {
        let args = &call.arguments.args;
        let place = match &*call.func {
            Expr::Name(name) if name.id.as_str() == "OrderedDict" => Some(Place::Drained),
            Expr::Name(name) if matches!(name.id.as_str(), "Counter" | "deque") => {
                Some(Place::Added)
            }
            Expr::Name(name) if (self.known.is_host)(name.id.as_str()) => {
                // A host function is given a list in place of an iterator.
                args.iter().for_each(|arg| self.stands(arg, Place::Given));
                return;
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
            Some(Place::Drained | Place::Given) => true,
            Some(Place::Added) if parts().any(|expr| self.may_ask(expr)) => {
                self.rewrote("gathered", generator.range(), "generators");
                return self.around(generator, "_rlm_kept(", ")", after);
            }
            _ => false,
        };
        if is_at_once {
            self.rewrote("gathered", generator.range(), "");
            return self.around(generator, "[", "]", after);
        }
        let asks = parts().any(|expr| callbacks::visibly_asks(expr, self.known.asks));
        if asks && !matches!(place, Some(Place::Looped | Place::Done)) {
            self.rewrote("gathered", generator.range(), "generators");
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

    /// Returns whether a call of `map`, `zip` and their kin gives an iterator that may ask the host, as far as its text shows.
    pub(super) fn passes_on_asking(&self, call: &ExprCall) -> bool {
        let is_function = |at: usize| {
            let takes = matches!(&*call.func, Expr::Name(name)
                if matches!(name.id.as_str(), "map" | "filter"));
            takes && at == 0
        };
        let mut args = call.arguments.args.iter().enumerate();
        args.any(|(at, arg)| match arg {
            Expr::Lambda(lambda) if is_function(at) => self.may_ask(&lambda.body),
            Expr::Attribute(method) if is_function(at) => {
                !methods::is_builtin_method(method.attr.as_str())
                    && self.builtin(&method.value).is_none()
            }
            Expr::Name(name) if is_function(at) => self.is_asking_name(name.id.as_str()),
            Expr::NoneLiteral(_) => false,
            _ if is_function(at) => true,
            Expr::Call(inner) if callbacks::is_lazy(inner) => self.passes_on_asking(inner),
            Expr::Call(_) | Expr::Generator(_) => self.may_ask(arg),
            _ => false,
        })
    }

    /// Returns whether a call of what has this name may ask the host: it does, or is not known.
    fn is_asking_name(&self, name: &str) -> bool {
        let is_known = self.is_pythons(name) || self.defined.contains(name);
        !is_known || (self.known.asks)(name)
    }

    /// Returns whether working `expr` out may ask the host, as far as its text shows: it calls something that does, or that
    /// is not known.
    fn may_ask(&self, expr: &Expr) -> bool {
        let mut called = Called::default();
        called.visit_expr(expr);
        called.is_hidden
            || called.names.iter().any(|name| self.is_asking_name(name))
            || called
                .methods
                .iter()
                .any(|name| !methods::is_builtin_method(name))
    }
}

/// The functions and methods that an expression calls.
#[derive(Default)]
struct Called<'a> {
    names: Vec<&'a str>,
    methods: Vec<&'a str>,
    /// True if it calls something that is neither a name nor a method.
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
