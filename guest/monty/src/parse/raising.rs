//! `raise … from …`, whose exception is what a builtin function gives that no script can name.

use super::Parser;
use crate::{
    args::ArgExprs,
    expressions::{Callable, Expr, ExprLoc, Identifier},
    modules::classes::WITH_CAUSE,
    parse::ParseError,
};
use ruff_python_ast::Expr as AstExpr;
use ruff_text_size::Ranged as _;

impl Parser<'_, '_> {
    /// Parses what a `raise` statement raises, and the cause that it gives it.
    pub(super) fn parse_raised(
        &mut self,
        raised: AstExpr,
        cause: Option<Box<AstExpr>>,
    ) -> Result<ExprLoc, ParseError> {
        // Code of the interpreter's own has no names of builtins. Text that `exec` was given has a file that no name stands for.
        let frozen = self.interner.get_string_id_by_name("<monty-frozen>");
        let is_frozen = frozen == Some(self.filename_id);
        let Some(cause) = cause.filter(|_| !is_frozen) else {
            return self.parse_expression(raised);
        };
        let position = self.convert_range(raised.range());
        let raised = self.parse_expression(raised)?;
        let cause = self.parse_expression(*cause)?;
        let name = self.interner.intern(WITH_CAUSE);
        let callable = Callable::Name(Identifier::new(name, position));
        let args = Box::new(ArgExprs::Two(raised, cause));
        Ok(ExprLoc::new(position, Expr::Call { callable, args }))
    }
}
