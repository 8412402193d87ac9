//! `sum`, `min` and `max` of a generator expression, which are loops that keep no items.

use super::{CompileError, Compiler, Opcode, check_comp_generators};
use crate::{
    args::ArgExprs,
    builtins::{Builtins, BuiltinsFunctions},
    bytecode::vm::folding::Fold,
    expressions::{Comprehension, Expr, ExprLoc},
    parse::CodeRange,
    value::Value,
};

/// A call as the parser writes it for `sum`, `min` or `max`.
pub(super) struct Folded<'e> {
    step: Fold,
    element: &'e ExprLoc,
    generators: &'e [Comprehension],
    captured_slots: &'e [u16],
    /// The start of a sum, or the value where there is no item.
    first: Option<&'e ExprLoc>,
}

impl<'e> Folded<'e> {
    /// Returns the parts of a call of the builtin itself with a comprehension, which the parser alone writes.
    pub(super) fn of(callable: &ExprLoc, args: &'e ArgExprs) -> Option<Self> {
        let step = match &callable.expr {
            Expr::Builtin(Builtins::Function(BuiltinsFunctions::Sum)) => Fold::Sum,
            Expr::Builtin(Builtins::Function(BuiltinsFunctions::Min)) => Fold::Min,
            Expr::Builtin(Builtins::Function(BuiltinsFunctions::Max)) => Fold::Max,
            _ => return None,
        };
        let (items, first) = match args {
            ArgExprs::One(items) => (items, None),
            ArgExprs::Two(items, first) => (items, Some(first)),
            _ => return None,
        };
        let Expr::ListComp {
            elt: element,
            generators,
            captured_slots,
        } = &items.expr
        else {
            return None;
        };
        Some(Self {
            step,
            element,
            generators,
            captured_slots,
            first,
        })
    }
}

impl Compiler<'_, '_> {
    /// Compiles the loop. `position` is that of the call, which is where it fails.
    pub(super) fn compile_folded(
        &mut self,
        call: &Folded<'_>,
        position: CodeRange,
    ) -> Result<(), CompileError> {
        if self.code.is_dead() {
            return Ok(());
        }
        check_comp_generators(call.generators.len(), position)?;
        match call.first {
            Some(first) => self.compile_expr(first)?,
            None if call.step == Fold::Sum => self.load(Value::Int(0))?,
            None => self.load(Value::None)?,
        }
        self.load(match call.step {
            Fold::Sum => Value::Float(0.0),
            _ => Value::Bool(false),
        })?;
        let Some(base) = self.code.stack_depth() else {
            return Ok(());
        };
        self.enter_captured_comp_cells(call.captured_slots, position)?;
        self.compile_comprehension_generators(call.generators, 0, |compiler| {
            compiler.compile_expr(call.element)?;
            if compiler.code.is_dead() {
                return Ok(());
            }
            let depth = compiler.compute_append_depth(base, 1, position)?;
            compiler.code.set_location(position, None);
            compiler
                .code
                .emit_u8_u8(Opcode::Fold, depth, call.step as u8)
        })?;
        self.exit_captured_comp_cells(call.captured_slots)?;
        self.code.set_location(position, None);
        let end = call.step.end(call.first.is_some());
        self.code.emit_u8_u8(Opcode::Fold, 0, end as u8)
    }

    fn load(&mut self, value: Value) -> Result<(), CompileError> {
        let at = self.code.add_const(value)?;
        self.code.emit_u16(Opcode::LoadConst, at)
    }
}
