//! Generator expressions whose items are taken at once: a list gives the same faster where no code of a script runs between two
//! items, and a loop of the compiler keeps none.

use ruff_python_ast::helpers::any_over_expr;
use ruff_python_ast::{Expr, ExprCall, ExprGenerator};
use ruff_text_size::Ranged;

use super::{Pass, Place};
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

/// Functions of modules that do so before they do anything else.
const DRAINING: [&str; 7] = [
    "fsum",
    "prod",
    "mean",
    "median",
    "stdev",
    "fmean",
    "OrderedDict",
];

impl<'a> Pass<'a> {
    /// Notes which arguments of `call` are taken whole.
    pub(super) fn drain(&mut self, call: &ExprCall) {
        let args = &call.arguments.args;
        if callbacks::blocks(call) {
            // Native code asks for the items, and cannot wait.
            args.iter()
                .filter(|arg| matches!(arg, Expr::Generator(generator) if self.asks(generator)))
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|arg| self.stands(arg, Place::Drained));
        }
        let drains = match &*call.func {
            Expr::Name(name) if (self.known.is_host)(name.id.as_str()) => {
                // A host function is given a list in place of an iterator.
                args.iter().for_each(|arg| self.stands(arg, Place::Drained));
                return;
            }
            Expr::Name(name) if name.id.as_str() == "OrderedDict" => true,
            Expr::Attribute(attribute) => match &*attribute.value {
                Expr::StringLiteral(_) | Expr::BytesLiteral(_) | Expr::FString(_) => {
                    attribute.attr.as_str() == "join"
                }
                Expr::Name(module) => {
                    DRAINING.contains(&attribute.attr.as_str()) && self.is_imported(&module.id)
                }
                _ => false,
            },
            func => self.builtin(func).is_some_and(|name| {
                DRAINS.contains(&name) && (args.len() == 1 || !matches!(name, "min" | "max"))
            }),
        };
        // What is behind the items is worked out before them, which only a call can show.
        let mut behind = args
            .iter()
            .skip(1)
            .chain(call.arguments.keywords.iter().map(|keyword| &keyword.value));
        if let (true, Some(first)) = (drains, args.first())
            && !behind.any(runs_code)
        {
            self.stands(first, Place::Drained);
        }
    }

    /// A generator expression, wherever it stands.
    pub(super) fn generator_expression(
        &mut self,
        generator: &'a ExprGenerator,
        place: Option<Place>,
        after: &mut Vec<(u32, &'static str)>,
    ) {
        if place == Some(Place::Drained) {
            self.rewrote("gathered", generator.range(), "");
            let inside = u32::from(generator.parenthesized);
            self.insert(generator.range().start().to_u32() + inside, "[");
            after.push((generator.range().end().to_u32() - inside, "]"));
        }
    }

    /// Returns whether the items of a generator expression visibly ask the host.
    fn asks(&self, generator: &ExprGenerator) -> bool {
        let tests = generator.generators.iter().flat_map(|clause| &clause.ifs);
        let mut parts = std::iter::once(&*generator.elt).chain(tests);
        parts.any(|expr| callbacks::visibly_asks(expr, self.known.asks))
    }

    /// A builtin function called with a generator expression that becomes a loop. The interpreter knows the names of ours.
    pub(super) fn looped(&mut self, call: &ExprCall, name: &str) {
        let Some(argument @ Expr::Generator(generator)) = call.arguments.args.first() else {
            return;
        };
        let is_pair = matches!(&*generator.elt, Expr::Tuple(pair)
            if pair.elts.len() == 2 && !pair.elts.iter().any(Expr::is_starred_expr));
        let second = match (&call.arguments.args[1..], &call.arguments.keywords[..]) {
            ([], []) => None,
            ([second], []) if name == "sum" => Some(second),
            ([], [keyword]) => match (name, keyword.arg.as_deref()) {
                ("sum", Some("start")) | ("min" | "max", Some("default")) => Some(&keyword.value),
                _ => return,
            },
            _ => return,
        };
        // It is worked out before the items here, and after the first iterable in Python.
        if !second.is_none_or(|second| is_constant(second, name)) {
            return;
        }
        let ours = match name {
            "any" => "_rlm_any",
            "all" => "_rlm_all",
            "sum" => "_rlm_sum_of",
            "min" => "_rlm_min_of",
            "max" => "_rlm_max_of",
            "set" if second.is_none() => "_rlm_set_of",
            "dict" if second.is_none() && is_pair => "_rlm_dict_of",
            _ => return,
        };
        self.stands(argument, Place::Done);
        self.stand_in(call, "looped", ours, "");
    }
}

/// Returns whether an argument may run code of a script, or ask the host, when it is worked out.
fn runs_code(expr: &Expr) -> bool {
    !expr.is_lambda_expr()
        && any_over_expr(expr, &|part: &Expr| {
            part.is_call_expr() || part.is_await_expr()
        })
}

/// Returns whether a value is always the same, and a sum may begin with it.
fn is_constant(expr: &Expr, name: &str) -> bool {
    match expr {
        Expr::NumberLiteral(_) => true,
        Expr::List(list) => list.elts.is_empty(),
        Expr::NoneLiteral(_) | Expr::BooleanLiteral(_) | Expr::StringLiteral(_) => name != "sum",
        Expr::UnaryOp(unary) => unary.operand.is_number_literal_expr(),
        _ => false,
    }
}
