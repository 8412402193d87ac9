//! Names that the body of a class reads, and whose code may change a class.

use super::{VM, namespace::FrameNamespace};
use crate::{
    bytecode::NAME_GLOBAL_ONLY,
    intern::{FunctionId, StringId},
    value::Value,
};

impl VM<'_> {
    /// Returns the function whose frame runs; `None` for the script itself.
    pub(crate) fn running_function(&self) -> Option<FunctionId> {
        self.current_frame().function_id
    }

    /// Pushes the member of a class in this slot of its body. Where it is not bound, returns the slot of the global of that
    /// name; where no body of a class runs, returns the slot that it is given.
    pub(super) fn load_member(&mut self, slot: u16, name: StringId, flags: u8) -> Option<u16> {
        let frame = self.current_frame();
        let is_snippet = matches!(
            frame.namespace.as_deref(),
            Some(FrameNamespace::Snippet { .. })
        );
        if is_snippet || frame.function_id.is_none() || flags & NAME_GLOBAL_ONLY != 0 {
            return Some(slot);
        }
        let value = &self.stack[frame.stack_base() + usize::from(slot)];
        if matches!(value, Value::Undefined) {
            let global = self.global_names.get(name);
            return Some(global.map_or(slot, |global| global.as_u16()));
        }
        let value = value.clone_with_heap(self.heap);
        self.push(value);
        None
    }
}
