//! What a piece of a script does, as far as its text shows.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, ExprContext, Parameters, Stmt, StmtFunctionDef,
};

/// Methods that change what they are called on.
const CHANGING: [&str; 22] = [
    "append",
    "appendleft",
    "extend",
    "extendleft",
    "insert",
    "pop",
    "popleft",
    "popitem",
    "remove",
    "clear",
    "update",
    "add",
    "discard",
    "setdefault",
    "sort",
    "reverse",
    "rotate",
    "write",
    "writelines",
    "send",
    "submit",
    "subtract",
];

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
    };
    own.visit_body(body);
    own.names
}

#[derive(Default)]
struct Own<'a> {
    names: BTreeSet<&'a str>,
}

impl<'a> Visitor<'a> for Own<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                self.names.insert(function.name.as_str());
            }
            Stmt::ClassDef(class) => {
                self.names.insert(class.name.as_str());
            }
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
            Expr::Lambda(_) => {}
            _ => visitor::walk_expr(self, expr),
        }
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

/// What is seen from outside of a piece of code.
#[derive(Debug, Default)]
pub(crate) struct Effects<'a> {
    /// Names of things that it changes in place.
    pub(crate) changed: BTreeSet<&'a str>,
    /// Names of functions that it calls.
    pub(crate) calls: BTreeSet<&'a str>,
    /// Whether it changes something that has no name of its own, or names of others.
    pub(crate) reaches_out: bool,
}

impl<'a> Effects<'a> {
    pub(crate) fn of_expr(expr: &'a Expr) -> Self {
        let mut effects = Self::default();
        effects.visit_expr(expr);
        effects
    }

    fn change(&mut self, what: &'a Expr) {
        match what {
            Expr::Name(name) => {
                self.changed.insert(name.id.as_str());
            }
            Expr::Subscript(inner) => self.change(&inner.value),
            _ => self.reaches_out = true,
        }
    }
}

impl<'a> Visitor<'a> for Effects<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Global(_) | Stmt::Nonlocal(_) => self.reaches_out = true,
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Lambda(_) => return,
            Expr::Subscript(target) if target.ctx != ExprContext::Load => {
                self.change(&target.value)
            }
            Expr::Attribute(target) if target.ctx != ExprContext::Load => self.reaches_out = true,
            Expr::Call(call) => match &*call.func {
                Expr::Name(name) => {
                    self.calls.insert(name.id.as_str());
                }
                Expr::Attribute(method) if CHANGING.contains(&method.attr.as_str()) => {
                    self.change(&method.value);
                }
                Expr::Attribute(method) => {
                    let of = match &*method.value {
                        Expr::Name(name) => name.id.as_str(),
                        _ => "",
                    };
                    self.reaches_out |=
                        matches!(of, "random" | "time" | "logging" | "self" | "sys");
                }
                _ => self.reaches_out = true,
            },
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }
}

/// Whether `body` is that of a generator function.
pub(crate) fn yields(body: &[Stmt]) -> bool {
    let mut yields = Yields::default();
    yields.visit_body(body);
    yields.0
}

/// All functions, however deep.
pub(crate) fn functions(body: &[Stmt]) -> Vec<&StmtFunctionDef> {
    let mut functions = Functions::default();
    functions.visit_body(body);
    functions.found
}

#[derive(Default)]
struct Functions<'a> {
    found: Vec<&'a StmtFunctionDef>,
}

impl<'a> Visitor<'a> for Functions<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::FunctionDef(function) = stmt {
            self.found.push(function);
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
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
