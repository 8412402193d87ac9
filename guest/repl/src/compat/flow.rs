//! Effects of a piece of a script, as far as its text shows.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Comprehension, ExceptHandler, Expr, ExprContext, Parameters, Pattern, Stmt};

/// Names of parameters.
pub(crate) fn names(parameters: &Parameters) -> BTreeSet<&str> {
    parameters
        .iter()
        .map(|parameter| parameter.name().as_str())
        .collect()
}

/// Returns the names that the targets of a comprehension bind.
pub(crate) fn targets(clauses: &[Comprehension]) -> BTreeSet<&str> {
    let mut own = Own::default();
    for clause in clauses {
        own.visit_expr(&clause.target);
    }
    own.names
}

/// Names that are a function's own.
pub(crate) fn bound<'a>(parameters: &'a Parameters, body: &'a [Stmt]) -> BTreeSet<&'a str> {
    let mut own = Own {
        names: names(parameters),
        ..Own::default()
    };
    own.visit_body(body);
    own.names
}

/// Returns the names that statements bind which import nothing; those of functions and classes where these say `global`.
pub(crate) fn assigned(body: &[Stmt]) -> BTreeSet<&str> {
    let mut own = Own {
        skips_imports: true,
        ..Own::default()
    };
    own.visit_body(body);
    Globals(&mut own.names).visit_body(body);
    own.names
}

#[derive(Default)]
struct Own<'a> {
    names: BTreeSet<&'a str>,
    skips_imports: bool,
}

struct Globals<'n, 'a>(&'n mut BTreeSet<&'a str>);

impl<'a> Visitor<'a> for Globals<'_, 'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::Global(global) = stmt {
            self.0.extend(global.names.iter().map(|name| name.as_str()));
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

impl<'a> Own<'a> {
    fn visit_defaults(&mut self, parameters: &'a Parameters) {
        parameters
            .iter_non_variadic_params()
            .filter_map(|parameter| parameter.default())
            .for_each(|default| self.visit_expr(default));
    }
}

impl<'a> Visitor<'a> for Own<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            // Decorators, defaults and bases are worked out around what they belong to.
            Stmt::FunctionDef(function) => {
                self.names.insert(function.name.as_str());
                for decorator in &function.decorator_list {
                    self.visit_decorator(decorator);
                }
                self.visit_defaults(&function.parameters);
            }
            Stmt::ClassDef(class) => {
                self.names.insert(class.name.as_str());
                for decorator in &class.decorator_list {
                    self.visit_decorator(decorator);
                }
                if let Some(arguments) = &class.arguments {
                    self.visit_arguments(arguments);
                }
            }
            Stmt::Import(_) | Stmt::ImportFrom(_) if self.skips_imports => {}
            Stmt::Import(import) => self.names.extend(import.names.iter().map(bound_by)),
            Stmt::ImportFrom(import) => self.names.extend(import.names.iter().map(bound_by)),
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx == ExprContext::Store => {
                self.names.insert(name.id.as_str());
            }
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.visit_defaults(parameters);
                }
            }
            _ => visitor::walk_expr(self, expr),
        }
    }

    /// The targets of a comprehension are its own.
    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.visit_expr(&comprehension.iter);
        comprehension
            .ifs
            .iter()
            .for_each(|test| self.visit_expr(test));
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchAs(pattern) => pattern.name.as_ref(),
            Pattern::MatchStar(pattern) => pattern.name.as_ref(),
            Pattern::MatchMapping(pattern) => pattern.rest.as_ref(),
            _ => None,
        };
        self.names.extend(name.map(|name| name.as_str()));
        visitor::walk_pattern(self, pattern);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        self.names
            .extend(inner.name.iter().map(|name| name.as_str()));
        visitor::walk_except_handler(self, handler);
    }
}

fn bound_by(alias: &ruff_python_ast::Alias) -> &str {
    alias.asname.as_ref().unwrap_or(&alias.name).as_str()
}

/// Returns whether `body` is that of a generator function.
pub(crate) fn yields(body: &[Stmt]) -> bool {
    let mut yields = Yields::default();
    yields.visit_body(body);
    yields.0
}

/// Looks for a `yield` of a function.
#[derive(Default)]
struct Yields(bool);

impl<'a> Visitor<'a> for Yields {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if !matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            visitor::walk_stmt(self, stmt);
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Lambda(_) => {}
            Expr::Yield(_) | Expr::YieldFrom(_) => self.0 = true,
            _ => visitor::walk_expr(self, expr),
        }
    }
}
