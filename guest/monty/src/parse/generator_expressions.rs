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

/// Returns the builtin function of a call of `_rlm_any` or `_rlm_all` with a generator expression, as the host writes it where
/// a script has not bound `any` or `all`.
pub(super) fn quantifier(call: &ExprCall) -> Option<BuiltinsFunctions> {
    let AstExpr::Name(name) = &*call.func else {
        return None;
    };
    let is_one = matches!(&*call.arguments.args, [AstExpr::Generator(_)])
        && call.arguments.keywords.is_empty();
    match name.id.as_str() {
        "_rlm_any" if is_one => Some(BuiltinsFunctions::Any),
        "_rlm_all" if is_one => Some(BuiltinsFunctions::All),
        _ => None,
    }
}

impl Parser<'_, '_> {
    /// Parses `any` or `all` of a generator expression: the call of the builtin with a list, which the compiler makes a loop
    /// that ends early.
    pub(super) fn parse_quantified(
        &mut self,
        function: BuiltinsFunctions,
        call: ExprCall,
    ) -> Result<ExprLoc, ParseError> {
        let position = self.convert_range(call.range());
        let Some(AstExpr::Generator(generator)) = call.arguments.args.into_iter().next() else {
            return Err(ParseError::syntax(
                "a generator expression is expected",
                position,
            ));
        };
        let items = Expr::ListComp {
            elt: Box::new(self.parse_expression(*generator.elt)?),
            generators: self.parse_comprehension_generators(generator.generators)?,
            captured_slots: Vec::new(),
        };
        let function = Expr::Builtin(Builtins::Function(function));
        let callable = Box::new(ExprLoc::new(position, function));
        let args = Box::new(ArgExprs::One(ExprLoc::new(position, items)));
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
