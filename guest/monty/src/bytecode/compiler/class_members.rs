//! Members of a class, once its body has run.

use super::{CompileError, Compiler, Opcode, check_collection_size_u16};
use crate::{
    expressions::{Identifier, NameScope},
    modules::classes::ClassFunctions,
    parse::CodeRange,
    value::Value,
};

impl Compiler<'_, '_> {
    /// Emits a dictionary of the members of a class. Where one of them may be unbound, those that are bound are looked for when
    /// the body has run.
    pub(super) fn emit_members(
        &mut self,
        members: &[&Identifier],
        position: CodeRange,
    ) -> Result<(), CompileError> {
        let count = check_collection_size_u16(members.len(), position)?;
        let are_bound = members.iter().all(|member| member.scope != NameScope::Name);
        if !are_bound {
            let function = self.code.add_const(ClassFunctions::BoundMembers.into())?;
            self.code.emit_u16(Opcode::LoadConst, function)?;
        }
        for member in members {
            let name = self.code.add_const(Value::InternString(member.name_id))?;
            self.code.emit_u16(Opcode::LoadConst, name)?;
            if are_bound {
                self.compile_name(member)?;
            }
        }
        if are_bound {
            self.code.emit_u16(Opcode::BuildDict, count)?;
        } else {
            self.code.emit_u16(Opcode::BuildTuple, count)?;
            self.code.emit_u8(Opcode::CallFunction, 1)?;
        }
        Ok(())
    }
}
