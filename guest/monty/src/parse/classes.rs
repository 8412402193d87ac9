//! Bases of classes, and `super()` in their methods.

use super::{ParsedSignature, Parser};
use crate::{
    args::ArgExprs,
    expressions::{Callable, Expr, ExprLoc, Identifier},
    intern::StringId,
    modules::classes::WITH_BASES,
    parse::{CodeRange, ParseError},
};
use ruff_python_ast::{Arguments, Expr as AstExpr, Keyword, name::Name};

/// Classes and functions around what is parsed.
#[derive(Debug, Default)]
pub(super) struct Around {
    classes: u32,
    /// First parameters of the functions around, the innermost last; none where no class is around.
    receivers: Vec<Option<StringId>>,
}

impl Around {
    pub(super) fn enter_class(&mut self) {
        self.classes += 1;
    }

    pub(super) fn leave_class(&mut self) {
        self.classes -= 1;
    }

    pub(super) fn enter_function(&mut self, signature: &ParsedSignature) {
        let named = signature.pos_args.first().or(signature.args.first());
        let first = named.map(|parameter| parameter.name);
        let first = first.or(signature.var_args);
        self.receivers.push(first.filter(|_| self.classes > 0));
    }

    pub(super) fn leave_function(&mut self) {
        self.receivers.pop();
    }
}

impl Parser<'_, '_> {
    /// Returns the innermost decorator of a class with bases or keywords, which gives them to it.
    pub(super) fn bases_decorator(
        &mut self,
        arguments: Arguments,
        position: CodeRange,
    ) -> Result<Option<ExprLoc>, ParseError> {
        let keywords = arguments.keywords.into_iter().collect::<Vec<_>>();
        let args = arguments.args;
        if args.is_empty() && keywords.is_empty() {
            return Ok(None);
        }
        let args = match Self::needs_generalized_call(&args, &keywords) {
            true => self.parse_generalized_call_args(args, keywords)?,
            false => self.parse_simple_call_args(args, keywords)?,
        };
        let name = self.interner.intern(WITH_BASES);
        let callable = Callable::Name(Identifier::new(name, position));
        let args = Box::new(args);
        Ok(Some(ExprLoc::new(position, Expr::Call { callable, args })))
    }

    /// Returns the arguments that `super()` stands for in a method.
    pub(super) fn super_args(
        &mut self,
        function: &AstExpr,
        args: &[AstExpr],
        keywords: &[Keyword],
    ) -> Option<ArgExprs> {
        let AstExpr::Name(name) = function else {
            return None;
        };
        if name.id != "super" || !args.is_empty() || !keywords.is_empty() {
            return None;
        }
        let receiver = self.around.receivers.last().copied().flatten()?;
        let class = self.identifier(&Name::new_static("__class__"), name.range);
        let receiver = Identifier::new(receiver, class.position);
        let [class, receiver] =
            [class, receiver].map(|name| ExprLoc::new(name.position, Expr::Name(name)));
        Some(ArgExprs::Two(class, receiver))
    }
}
