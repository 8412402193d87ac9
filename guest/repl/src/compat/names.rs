//! Which names a piece of a script binds in the scope that it stands in.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Alias, ExceptHandler, Expr, ExprContext, Pattern, Stmt};

use crate::survey::captured;

/// The names that a piece of a script binds, and those that it declares to be of
/// another scope.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    pub(super) bound: BTreeSet<&'a str>,
    pub(super) global: BTreeSet<&'a str>,
    pub(super) nonlocal: BTreeSet<&'a str>,
    /// How many comprehensions are around.
    inside: usize,
}

impl<'a> Names<'a> {
    pub(super) fn of(body: &'a [Stmt]) -> Self {
        let mut names = Self::default();
        names.visit_body(body);
        names
    }

    pub(super) fn of_expr(expr: &'a Expr) -> Self {
        let mut names = Self::default();
        names.visit_expr(expr);
        names
    }
}

impl<'a> Visitor<'a> for Names<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                self.bound.insert(function.name.as_str());
                return;
            }
            Stmt::ClassDef(class) => {
                self.bound.insert(class.name.as_str());
                return;
            }
            Stmt::Import(import) => self.bound.extend(import.names.iter().map(bound_by)),
            Stmt::ImportFrom(import) => self.bound.extend(import.names.iter().map(bound_by)),
            Stmt::Global(names) => self
                .global
                .extend(names.names.iter().map(|name| name.as_str())),
            Stmt::Nonlocal(names) => {
                self.nonlocal
                    .extend(names.names.iter().map(|name| name.as_str()));
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx != ExprContext::Load && self.inside == 0 => {
                self.bound.insert(name.id.as_str());
            }
            Expr::Named(named) => {
                if let Expr::Name(name) = &*named.target {
                    self.bound.insert(name.id.as_str());
                }
                self.visit_expr(&named.value);
            }
            Expr::Lambda(_) => {}
            Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                self.inside += 1;
                visitor::walk_expr(self, expr);
                self.inside -= 1;
            }
            _ => visitor::walk_expr(self, expr),
        }
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        self.bound
            .extend(inner.name.iter().map(|name| name.as_str()));
        visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        self.bound
            .extend(captured(pattern).map(|name| name.as_str()));
        visitor::walk_pattern(self, pattern);
    }
}

/// What an import binds: `import a.b` binds `a`.
fn bound_by(alias: &Alias) -> &str {
    match &alias.asname {
        Some(name) => name.as_str(),
        None => alias.name.split('.').next().unwrap_or_default(),
    }
}
