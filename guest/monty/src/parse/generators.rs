//! `yield` and `yield from`, which are calls of builtin functions that have no names in scripts.

use super::Parser;
use crate::{
    args::ArgExprs,
    expressions::{Expr, ExprLoc, Literal},
    modules::classes::ClassFunctions,
    parse::{CodeRange, ParseError},
};
use ruff_python_ast::Expr as AstExpr;
use ruff_text_size::TextRange;

impl Parser<'_, '_> {
    /// Parses `yield`, of `None` if there is no value.
    pub(super) fn parse_yield(
        &mut self,
        value: Option<AstExpr>,
        range: TextRange,
    ) -> Result<ExprLoc, ParseError> {
        self.yields(ClassFunctions::Yield, value, range)
    }

    /// Parses `yield from`.
    pub(super) fn parse_yield_from(
        &mut self,
        iterable: AstExpr,
        range: TextRange,
    ) -> Result<ExprLoc, ParseError> {
        self.yields(ClassFunctions::YieldFrom, Some(iterable), range)
    }

    fn yields(
        &mut self,
        function: ClassFunctions,
        value: Option<AstExpr>,
        range: TextRange,
    ) -> Result<ExprLoc, ParseError> {
        let position = self.convert_range(range);
        if !self.around.note_yield() {
            return Err(ParseError::syntax("'yield' outside function", position));
        }
        let value = match value {
            Some(value) => self.parse_expression(value)?,
            None => ExprLoc::new(position, Expr::Literal(Literal::None)),
        };
        Ok(call_of(function, value, position))
    }
}

/// Returns a call of a builtin function that has no name in scripts.
pub(super) fn call_of(function: ClassFunctions, argument: ExprLoc, position: CodeRange) -> ExprLoc {
    let function = Expr::Literal(Literal::Function(function));
    let callable = Box::new(ExprLoc::new(position, function));
    let args = Box::new(ArgExprs::One(argument));
    ExprLoc::new(position, Expr::IndirectCall { callable, args })
}
