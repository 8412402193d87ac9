//! Conditions: `and`, `or` and `not` of which only the truth counts jump at once, and ask no operand twice.

use super::{CompileError, Compiler, JumpLabel, Opcode};
use crate::expressions::{Expr, ExprLoc, Operator};

impl<'a> Compiler<'a, '_> {
    /// Compiles a condition behind which the code goes on if it is true; returns the jumps for where it is false.
    pub(super) fn jumps_unless(&mut self, test: &ExprLoc) -> Result<Vec<JumpLabel>, CompileError> {
        self.jumps(test, false)
    }

    /// Compiles a condition behind which the code goes on if it is false; returns the jumps for where it is true.
    pub(super) fn jumps_if(&mut self, test: &ExprLoc) -> Result<Vec<JumpLabel>, CompileError> {
        self.jumps(test, true)
    }

    /// Has jumps end here.
    pub(super) fn patch_jumps(&mut self, jumps: Vec<JumpLabel>) -> Result<(), CompileError> {
        jumps
            .into_iter()
            .try_for_each(|jump| self.code.patch_jump(jump))
    }

    /// Compiles a condition, and returns the jumps for where its truth is `on`.
    fn jumps(&mut self, test: &ExprLoc, on: bool) -> Result<Vec<JumpLabel>, CompileError> {
        match &test.expr {
            Expr::Not(operand) => self.jumps(operand, !on),
            Expr::Op {
                left,
                op: op @ (Operator::And | Operator::Or),
                right,
            } => {
                let decides = matches!(op, Operator::Or);
                let mut jumps = self.jumps(left, decides)?;
                if decides == on {
                    jumps.extend(self.jumps(right, on)?);
                    return Ok(jumps);
                }
                let others = self.jumps(right, on)?;
                self.patch_jumps(jumps)?;
                Ok(others)
            }
            _ => {
                self.compile_expr(test)?;
                let jump = if on {
                    Opcode::JumpIfTrue
                } else {
                    Opcode::JumpIfFalse
                };
                Ok(vec![self.code.emit_jump(jump)?])
            }
        }
    }
}
