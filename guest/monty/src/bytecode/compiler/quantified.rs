//! `any` and `all` of a generator expression, which are loops that end where they know the answer.

use super::{CompileError, Compiler, Opcode, check_comp_generators};
use crate::{
    args::ArgExprs,
    builtins::{Builtins, BuiltinsFunctions},
    expressions::{Comprehension, Expr, ExprLoc},
};

/// A call as the parser writes it for `any` or `all`.
pub(super) struct Quantified<'e> {
    is_any: bool,
    element: &'e ExprLoc,
    generators: &'e [Comprehension],
    captured_slots: &'e [u16],
}

impl<'e> Quantified<'e> {
    /// Returns the parts of a call of the builtin itself with a comprehension, which the parser alone writes.
    pub(super) fn of(callable: &ExprLoc, args: &'e ArgExprs) -> Option<Self> {
        let is_any = match &callable.expr {
            Expr::Builtin(Builtins::Function(BuiltinsFunctions::Any)) => true,
            Expr::Builtin(Builtins::Function(BuiltinsFunctions::All)) => false,
            _ => return None,
        };
        let ArgExprs::One(ExprLoc {
            expr:
                Expr::ListComp {
                    elt: element,
                    generators,
                    captured_slots,
                },
            ..
        }) = args
        else {
            return None;
        };
        Some(Self {
            is_any,
            element,
            generators,
            captured_slots,
        })
    }
}

impl<'a> Compiler<'a, '_> {
    /// Compiles `any` or `all`: the first item that decides leaves the loops, with all that they have on the stack.
    pub(super) fn compile_quantified(&mut self, call: &Quantified<'_>) -> Result<(), CompileError> {
        let Some(base) = self.code.stack_depth() else {
            return Ok(());
        };
        let (decided, undecided) = match call.is_any {
            true => (Opcode::LoadTrue, Opcode::LoadFalse),
            false => (Opcode::LoadFalse, Opcode::LoadTrue),
        };
        let position = call.element.position;
        check_comp_generators(call.generators.len(), position)?;
        self.enter_captured_comp_cells(call.captured_slots, position)?;
        let mut end = None;
        self.compile_comprehension_generators(call.generators, 0, |compiler| {
            let goes_on = match call.is_any {
                true => compiler.jumps_unless(call.element)?,
                false => compiler.jumps_if(call.element)?,
            };
            let depth = compiler.code.stack_depth().unwrap_or(base);
            for _ in base..depth {
                compiler.code.emit(Opcode::Pop)?;
            }
            compiler.code.emit(decided)?;
            end = Some(compiler.code.emit_jump(Opcode::Jump)?);
            compiler.patch_jumps(goes_on)
        })?;
        self.exit_captured_comp_cells(call.captured_slots)?;
        self.code.emit(undecided)?;
        end.map_or(Ok(()), |end| self.code.patch_jump(end))
    }
}
