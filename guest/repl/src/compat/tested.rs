//! Places where only the truth of an expression counts.

use ruff_python_ast::{ExprBoolOp, ExprUnaryOp, Stmt, UnaryOp};

use super::{Pass, Place};

impl Pass<'_> {
    /// Notes what a statement tests.
    pub(super) fn test(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::If(inner) => {
                self.stands(&inner.test, Place::Tested);
                for clause in &inner.elif_else_clauses {
                    if let Some(test) = &clause.test {
                        self.stands(test, Place::Tested);
                    }
                }
            }
            Stmt::While(inner) => self.stands(&inner.test, Place::Tested),
            Stmt::Assert(inner) => self.stands(&inner.test, Place::Tested),
            _ => {}
        }
    }

    /// Notes what `not` tests.
    pub(super) fn negated(&mut self, unary: &ExprUnaryOp) {
        if unary.op == UnaryOp::Not {
            self.stands(&unary.operand, Place::Tested);
        }
    }

    /// Notes what `and` and `or` test, where their own value is tested.
    pub(super) fn chosen(&mut self, operation: &ExprBoolOp, place: Option<Place>) {
        if place == Some(Place::Tested) {
            for value in &operation.values {
                self.stands(value, Place::Tested);
            }
        }
    }
}
