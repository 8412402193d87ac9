//! Answers of the host that are globals of the session itself.

use super::{FrameExit, VM};
use crate::{
    exception_private::{ExcType, ExcTypeExt, RunError},
    value::Value,
};

impl VM<'_> {
    /// Resumes a suspended call with the value of the global `name`, or with a
    /// `NameError` if it is unbound.
    pub(crate) fn resume_with_global(&mut self, name: &str) -> Result<FrameExit, RunError> {
        let slot = self
            .interns
            .get_string_id_by_name(name)
            .and_then(|name_id| self.global_names.get(name_id));
        let value = slot.and_then(|slot| self.globals.get(slot.index()));
        match value {
            None | Some(Value::Undefined) => {
                self.resume_with_exception(ExcType::name_error(name).into())
            }
            Some(value) => {
                let value = value.clone_with_heap(self.heap);
                self.push(value);
                self.run_external()
            }
        }
    }
}
