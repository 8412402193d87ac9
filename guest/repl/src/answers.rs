//! Scripts that can say by the dictionary `answer` that the run is done.
//!
//! A value or an exception that the sandbox shows may be an object that an earlier script left, whose methods
//! run then. They say nothing about the run: the script that they are shown for does not either.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt};
use serde::{Deserialize, Serialize};

/// Endings of a script after which its `answer` counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Answers {
    /// It names `answer`, or runs code, which may be of an earlier script that does.
    #[default]
    Always,
    /// The same, but it raises exceptions, which may be shown by such code.
    UnlessRaised,
    /// It runs nothing: there are names and constants in it.
    Never,
}

impl Answers {
    /// Returns what counts for a script, which may name `answer`.
    pub(crate) fn of(body: &[Stmt], names_answer: bool) -> Self {
        match names_answer {
            true => Self::Always,
            false if body.iter().all(is_inert) => Self::Never,
            false if raises(body) => Self::UnlessRaised,
            false => Self::Always,
        }
    }

    /// Returns whether it counts for a script that ended, by an exception if it `raised`.
    pub(crate) fn counts(self, raised: bool) -> bool {
        match self {
            Self::Always => true,
            Self::UnlessRaised => !raised,
            Self::Never => false,
        }
    }
}

/// Returns whether statements raise exceptions, without those of functions and classes.
fn raises(body: &[Stmt]) -> bool {
    struct Raises(bool);
    impl Visitor<'_> for Raises {
        fn visit_stmt(&mut self, stmt: &Stmt) {
            match stmt {
                Stmt::Raise(_) | Stmt::Assert(_) => self.0 = true,
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
                other => visitor::walk_stmt(self, other),
            }
        }

        /// No expression has a statement in it.
        fn visit_expr(&mut self, _: &Expr) {}
    }
    let mut raises = Raises(false);
    raises.visit_body(body);
    raises.0
}

/// Returns whether a statement runs no code of any object, but to make an exception.
fn is_inert(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Pass(_) => true,
        Stmt::Expr(stmt) => is_name_or_constant(&stmt.value),
        Stmt::Assign(stmt) => {
            stmt.targets.iter().all(Expr::is_name_expr) && is_name_or_constant(&stmt.value)
        }
        Stmt::Raise(stmt) => {
            let mut given = stmt.exc.iter().chain(&stmt.cause);
            given.all(|expr| match &**expr {
                Expr::Call(call) => {
                    let keywords = call.arguments.keywords.iter().map(|given| &given.value);
                    let mut all = call.arguments.args.iter().chain(keywords);
                    call.func.is_name_expr() && all.all(is_name_or_constant)
                }
                other => is_name_or_constant(other),
            })
        }
        _ => false,
    }
}

fn is_name_or_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Name(_) => true,
        Expr::Tuple(all) => all.elts.iter().all(is_name_or_constant),
        Expr::List(all) => all.elts.iter().all(is_name_or_constant),
        other => other.is_literal_expr(),
    }
}
