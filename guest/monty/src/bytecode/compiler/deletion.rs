//! The statement `del`.

use super::{CompileError, Compiler};
use crate::{
    bytecode::op::Opcode,
    expressions::{Deletion, NameScope},
};

impl<'a> Compiler<'a, '_> {
    /// Compiles what a `del` statement does to each of its targets.
    pub(super) fn compile_deletions(
        &mut self,
        targets: &'a [Deletion],
    ) -> Result<(), CompileError> {
        for target in targets {
            match target {
                Deletion::Name(name) => {
                    self.code.set_location(name.position, None);
                    // Names of modules are looked for where they are unbound.
                    let is_checked = matches!(name.scope, NameScope::Cell)
                        || matches!(name.scope, NameScope::Local) && !self.is_module_scope;
                    if is_checked {
                        self.compile_name(name)?;
                        self.code.emit(Opcode::Pop)?;
                    }
                    self.compile_delete(name)?;
                }
                Deletion::Call(call) => {
                    self.compile_expr(call)?;
                    self.code.emit(Opcode::Pop)?;
                }
            }
        }
        Ok(())
    }
}
