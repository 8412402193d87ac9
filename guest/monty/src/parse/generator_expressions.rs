//! Generator expressions, which are calls of generator functions without a name.
//!
//! `(f(x) for x in xs if x)` is `(lambda .0: [None for x in .0 if x if <yield>(f(x)) and False] or None)(<iter>(xs))`: the
//! comprehension yields where it tests, and gathers nothing.

use std::mem;

use super::{ParsedParam, ParsedSignature, Parser, generators::call_of};
use crate::{
    args::ArgExprs,
    builtins::{Builtins, BuiltinsFunctions},
    expressions::{Expr, ExprLoc, Identifier, Literal, Operator},
    intern::{CompileInterns, StringId},
    modules::classes::ClassFunctions,
    parse::ParseError,
};
use ruff_python_ast::{
    Expr as AstExpr, ExprCall, ExprGenerator,
    visitor::{self, Visitor},
};
use ruff_text_size::Ranged as _;

/// The name of the functions. No script can give it to one.
const NAME: &str = "<genexpr>";

/// Returns whether this is the name of the function of a generator expression.
pub(crate) fn is_name(name: StringId, interner: &CompileInterns<'_>) -> bool {
    interner.get_str(name) == NAME
}

/// The kind of a call with a generator expression, for the compiler.
pub(super) enum Loop {
    /// A call of this builtin function with a list, which the compiler makes a loop without one.
    Call(BuiltinsFunctions),
    /// The set or the dict that is made.
    Set,
    Dict,
}

/// Returns what a call is by one of the names that the host writes where a script has not bound that of the builtin.
pub(super) fn looped(call: &ExprCall) -> Option<Loop> {
    let (AstExpr::Name(name), Some(AstExpr::Generator(generator))) =
        (&*call.func, call.arguments.args.first())
    else {
        return None;
    };
    let count = call.arguments.len();
    let is_pair = matches!(&*generator.elt, AstExpr::Tuple(pair) if pair.elts.len() == 2 && !pair.elts.iter().any(AstExpr::is_starred_expr));
    Some(match (name.id.as_str(), count) {
        ("_rlm_any", 1) => Loop::Call(BuiltinsFunctions::Any),
        ("_rlm_all", 1) => Loop::Call(BuiltinsFunctions::All),
        ("_rlm_sum_of", 1 | 2) => Loop::Call(BuiltinsFunctions::Sum),
        ("_rlm_min_of", 1 | 2) => Loop::Call(BuiltinsFunctions::Min),
        ("_rlm_max_of", 1 | 2) => Loop::Call(BuiltinsFunctions::Max),
        ("_rlm_set_of", 1) => Loop::Set,
        ("_rlm_dict_of", 1) if is_pair => Loop::Dict,
        _ => return None,
    })
}

impl Parser<'_, '_> {
    /// Parses a call with a generator expression that becomes a loop. A second argument is what a sum begins with, or the value
    /// of `min` and `max` where there is no item.
    pub(super) fn parse_looped(
        &mut self,
        made: Loop,
        call: ExprCall,
    ) -> Result<ExprLoc, ParseError> {
        let position = self.convert_range(call.range());
        let mut args = call.arguments.args.into_iter();
        let Some(AstExpr::Generator(generator)) = args.next() else {
            return Err(ParseError::syntax(
                "a generator expression is expected",
                position,
            ));
        };
        let keyword = call.arguments.keywords.into_iter().next();
        let second = args.next().or(keyword.map(|keyword| keyword.value));
        let second = second
            .map(|second| self.parse_expression(second))
            .transpose()?;
        let captured_slots = Vec::new();
        let (function, items) = match (made, *generator.elt) {
            (Loop::Dict, AstExpr::Tuple(pair)) => {
                let mut pair = pair.elts.into_iter();
                let (Some(key), Some(value)) = (pair.next(), pair.next()) else {
                    return Err(ParseError::syntax("a pair is expected", position));
                };
                let made = Expr::DictComp {
                    key: Box::new(self.parse_expression(key)?),
                    value: Box::new(self.parse_expression(value)?),
                    generators: self.parse_comprehension_generators(generator.generators)?,
                    captured_slots,
                };
                return Ok(ExprLoc::new(position, made));
            }
            (made, element) => {
                let elt = Box::new(self.parse_expression(element)?);
                let generators = self.parse_comprehension_generators(generator.generators)?;
                let Loop::Call(function) = made else {
                    let made = Expr::SetComp {
                        elt,
                        generators,
                        captured_slots,
                    };
                    return Ok(ExprLoc::new(position, made));
                };
                let items = Expr::ListComp {
                    elt,
                    generators,
                    captured_slots,
                };
                (function, ExprLoc::new(position, items))
            }
        };
        let function = Expr::Builtin(Builtins::Function(function));
        let callable = Box::new(ExprLoc::new(position, function));
        let args = match second {
            Some(second) => ArgExprs::Two(items, second),
            None => ArgExprs::One(items),
        };
        let args = Box::new(args);
        Ok(ExprLoc::new(
            position,
            Expr::IndirectCall { callable, args },
        ))
    }

    /// Parses a generator expression. One with `await` gathers its items at once.
    pub(super) fn parse_generator_expression(
        &mut self,
        generator: ExprGenerator,
    ) -> Result<ExprLoc, ParseError> {
        let position = self.convert_range(generator.range);
        let waits = Waits::is_in(&generator);
        let element = self.parse_expression(*generator.elt)?;
        let mut clauses = self.parse_comprehension_generators(generator.generators)?;
        if waits {
            let items = Expr::ListComp {
                elt: Box::new(element),
                generators: clauses,
                captured_slots: Vec::new(),
            };
            return Ok(call_of(
                ClassFunctions::Iterate,
                ExprLoc::new(position, items),
                position,
            ));
        }
        let source = self.interner.intern(".0");
        let yielded = call_of(ClassFunctions::Yield, element, position);
        let yielded = binary(yielded, Operator::And, Literal::Bool(false));
        let mut first = ExprLoc::new(position, Expr::Name(Identifier::new(source, position)));
        if let Some(clause) = clauses.first_mut() {
            mem::swap(&mut clause.iter, &mut first);
        }
        if let Some(clause) = clauses.last_mut() {
            clause.ifs.push(yielded);
        }
        let gathered = Expr::ListComp {
            elt: Box::new(ExprLoc::new(position, Expr::Literal(Literal::None))),
            generators: clauses,
            captured_slots: Vec::new(),
        };
        let gathered = ExprLoc::new(position, gathered);
        let signature = ParsedSignature {
            args: vec![ParsedParam {
                name: source,
                default: None,
            }],
            ..ParsedSignature::default()
        };
        let function = Expr::LambdaRaw {
            name_id: self.interner.intern(NAME),
            signature,
            body: Box::new(binary(gathered, Operator::Or, Literal::None)),
        };
        let first = call_of(ClassFunctions::Iterate, first, position);
        let call = Expr::IndirectCall {
            callable: Box::new(ExprLoc::new(position, function)),
            args: Box::new(ArgExprs::One(first)),
        };
        Ok(ExprLoc::new(position, call))
    }
}

fn binary(left: ExprLoc, op: Operator, right: Literal) -> ExprLoc {
    let position = left.position;
    let right = ExprLoc::new(position, Expr::Literal(right));
    let (left, right) = (Box::new(left), Box::new(right));
    ExprLoc::new(position, Expr::Op { left, op, right })
}

/// An `await` or a `yield` in a part that the function would run.
#[derive(Default)]
struct Waits(bool);

impl Waits {
    fn is_in(generator: &ExprGenerator) -> bool {
        let mut waits = Self::default();
        waits.visit_expr(&generator.elt);
        for (at, clause) in generator.generators.iter().enumerate() {
            if at > 0 {
                waits.visit_expr(&clause.iter);
            }
            clause.ifs.iter().for_each(|test| waits.visit_expr(test));
        }
        waits.0
    }
}

impl<'a> Visitor<'a> for Waits {
    fn visit_expr(&mut self, expr: &'a AstExpr) {
        match expr {
            AstExpr::Await(_) | AstExpr::Yield(_) | AstExpr::YieldFrom(_) => self.0 = true,
            AstExpr::Lambda(_) => {}
            expr => visitor::walk_expr(self, expr),
        }
    }
}
