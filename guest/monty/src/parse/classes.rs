//! Bases of classes, statements in their bodies, and `super()` in their methods.

use super::{ParsedSignature, Parser};
use crate::{
    args::ArgExprs,
    expressions::{Callable, Expr, ExprLoc, Identifier, Literal, Node},
    intern::StringId,
    modules::classes::WITH_BASES,
    parse::{CodeRange, ParseError, ParseNode},
};
use ruff_python_ast::{
    Arguments, Expr as AstExpr, Keyword, Stmt,
    name::Name,
    visitor::{self, Visitor},
};
use ruff_text_size::TextRange;

/// Classes and functions around what is parsed.
#[derive(Debug, Default)]
pub(super) struct Around {
    /// First parameters of the functions around, the innermost last; none where no class is around.
    receivers: Vec<Option<StringId>>,
    /// One flag for each function around, the innermost last: true if it yields.
    yields: Vec<bool>,
    /// The names of all that is around, the innermost last, and whether it is a function.
    pub(super) scopes: Vec<(StringId, bool)>,
}

impl Around {
    pub(super) fn leave_class(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn enter_function(&mut self, name: StringId, signature: &ParsedSignature) {
        let is_in_class = self.scopes.iter().any(|(_, is_function)| !is_function);
        self.scopes.push((name, true));
        let named = signature.pos_args.first().or(signature.args.first());
        let first = named.map(|parameter| parameter.name);
        let first = first.or(signature.var_args);
        self.receivers.push(first.filter(|_| is_in_class));
        self.yields.push(false);
    }

    /// Returns whether the function yields.
    pub(super) fn leave_function(&mut self) -> bool {
        self.scopes.pop();
        self.receivers.pop();
        self.yields.pop() == Some(true)
    }

    /// Notes that the innermost function yields; returns false if there is none.
    pub(super) fn note_yield(&mut self) -> bool {
        match self.yields.last_mut() {
            Some(yields) => {
                *yields = true;
                true
            }
            None => false,
        }
    }
}

impl Parser<'_, '_> {
    /// Begins with the body of a class. One in the body of another class gets the member `__qualname__`.
    pub(super) fn enter_class(
        &mut self,
        class: Identifier,
        members: &mut Vec<Identifier>,
        body: &mut Vec<ParseNode>,
    ) {
        self.around.scopes.push((class.name_id, false));
        let mut classes = self.around.scopes.rsplit(|(_, is_function)| *is_function);
        if let Some(names @ [_, _, ..]) = classes.next() {
            let names = names.iter().map(|&(name, _)| self.interner.get_str(name));
            let qualified = names.collect::<Vec<_>>().join(".");
            let value = Expr::Literal(Literal::Str(self.interner.intern(&qualified)));
            let target = Identifier::new(self.interner.intern("__qualname__"), class.position);
            members.push(target);
            let object = ExprLoc::new(class.position, value);
            body.push(Node::Assign { target, object });
        }
    }

    /// Parses a statement in the body of a class that is no method and binds more than one name, or none.
    pub(super) fn class_statement(&mut self, statement: Stmt) -> Result<ParseNode, ParseError> {
        let mut refused = OutsideFunction::default();
        refused.visit_stmt(&statement);
        match refused.found {
            Some((word, range)) => Err(ParseError::syntax(
                format!("'{word}' outside function"),
                self.convert_range(range),
            )),
            None => self.parse_statement(statement),
        }
    }

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

/// A statement or an expression of functions alone, in the body of a class.
#[derive(Default)]
struct OutsideFunction {
    found: Option<(&'static str, TextRange)>,
}

impl<'a> Visitor<'a> for OutsideFunction {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::Return(statement) => self.found = Some(("return", statement.range)),
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expr: &'a AstExpr) {
        match expr {
            AstExpr::Lambda(_) => {}
            AstExpr::Await(expr) => self.found = Some(("await", expr.range)),
            AstExpr::Yield(expr) => self.found = Some(("yield", expr.range)),
            AstExpr::YieldFrom(expr) => self.found = Some(("yield from", expr.range)),
            _ => visitor::walk_expr(self, expr),
        }
    }
}
