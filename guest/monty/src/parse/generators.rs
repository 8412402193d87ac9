//! `yield` and `yield from`, which are calls of builtin functions that no script can name.

use super::Parser;
use crate::{
    args::ArgExprs,
    expressions::{Callable, Expr, ExprLoc, Identifier, Literal},
    modules::classes::{YIELD, YIELD_FROM},
    parse::ParseError,
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
        self.yields(YIELD, value, range)
    }

    /// Parses `yield from`.
    pub(super) fn parse_yield_from(
        &mut self,
        iterable: AstExpr,
        range: TextRange,
    ) -> Result<ExprLoc, ParseError> {
        self.yields(YIELD_FROM, Some(iterable), range)
    }

    fn yields(
        &mut self,
        name: &str,
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
        let name = self.interner.intern(name);
        let callable = Callable::Name(Identifier::new(name, position));
        let args = Box::new(ArgExprs::One(value));
        Ok(ExprLoc::new(position, Expr::Call { callable, args }))
    }
}
