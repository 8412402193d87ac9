//! `del`, whose items and attributes go by calls of builtin functions that no script can name.

use super::Parser;
use crate::{
    args::ArgExprs,
    expressions::{Callable, Deletion, Expr, ExprLoc, Identifier, Literal, Node},
    modules::classes::{DELETE_ATTRIBUTE, DELETE_ITEM},
    parse::{ParseError, ParseNode},
};
use ruff_python_ast::{self as ast, Expr as AstExpr};
use ruff_text_size::Ranged as _;

impl Parser<'_, '_> {
    /// Parses the targets of `del`.
    pub(super) fn parse_delete(
        &mut self,
        targets: impl IntoIterator<Item = AstExpr>,
    ) -> Result<ParseNode, ParseError> {
        let mut deletions = Vec::new();
        for target in targets {
            self.parse_deletion(target, &mut deletions)?;
        }
        Ok(Node::Delete(deletions))
    }

    fn parse_deletion(
        &mut self,
        target: AstExpr,
        deletions: &mut Vec<Deletion>,
    ) -> Result<(), ParseError> {
        let range = target.range();
        let position = self.convert_range(range);
        let (name, args) = match target {
            AstExpr::Tuple(ast::ExprTuple { elts, .. })
            | AstExpr::List(ast::ExprList { elts, .. }) => {
                self.decr_depth_remaining(|| range)?;
                for target in elts {
                    self.parse_deletion(target, deletions)?;
                }
                self.depth_remaining += 1;
                return Ok(());
            }
            AstExpr::Subscript(ast::ExprSubscript { value, slice, .. }) => {
                let object = self.parse_expression(*value)?;
                let key = self.parse_expression(*slice)?;
                (DELETE_ITEM, ArgExprs::Two(object, key))
            }
            AstExpr::Attribute(ast::ExprAttribute { value, attr, .. }) => {
                let object = self.parse_expression(*value)?;
                let name = Literal::Str(self.interner.intern(attr.id()));
                let name = ExprLoc::new(position, Expr::Literal(name));
                (DELETE_ATTRIBUTE, ArgExprs::Two(object, name))
            }
            name => {
                let name = self.parse_identifier(name)?;
                deletions.push(Deletion::Name(name));
                return Ok(());
            }
        };
        let callable = Callable::Name(Identifier::new(self.interner.intern(name), position));
        let args = Box::new(args);
        let call = Expr::Call { callable, args };
        deletions.push(Deletion::Call(ExprLoc::new(position, call)));
        Ok(())
    }
}
