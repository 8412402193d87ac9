//! The qualified names and the documentation of functions.

use super::Parser;
use crate::{expressions::Identifier, function::Described};
use ruff_python_ast::{Expr as AstExpr, Stmt};

impl Parser<'_, '_> {
    /// Returns the qualified name and the documentation of a function whose body is not parsed yet.
    pub(super) fn described(&mut self, name: Identifier, body: &[Stmt]) -> Described {
        let doc = match body.first() {
            Some(Stmt::Expr(first)) => match &*first.value {
                AstExpr::StringLiteral(text) => Some(self.interner.intern(text.value.to_str())),
                _ => None,
            },
            _ => None,
        };
        let mut qualname = None;
        if !self.around.scopes.is_empty() {
            let mut text = String::new();
            for (name, is_function) in &self.around.scopes {
                text.push_str(self.interner.get_str(*name));
                text.push_str(if *is_function { ".<locals>." } else { "." });
            }
            text.push_str(self.interner.get_str(name.name_id));
            qualname = Some(text.into_boxed_str());
        }
        Described { qualname, doc }
    }
}
