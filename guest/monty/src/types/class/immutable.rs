//! Classes whose members only code of the host's own changes.

use super::{Class, bases};
use crate::{
    bytecode::VM,
    exception_private::RunResult,
    heap::HeapReadMut,
    own_code,
    value::{EitherStr, Value},
};

impl Class {
    /// Returns whether only code of the host's own changes its members.
    pub(crate) fn is_immutable(&self) -> bool {
        self.is_immutable
    }
}

impl<'h> HeapReadMut<'h, Class> {
    /// Returns a member's name and value, if the code that runs may change the member.
    pub(super) fn checked(
        &self,
        name: Value,
        value: Value,
        vm: &mut VM<'h>,
    ) -> RunResult<(Value, Value)> {
        match self.check_change(&name, vm) {
            Ok(()) => {
                let text = name.as_either_str(vm.heap);
                let text = text.as_ref().map_or("", |text| text.as_str(vm.interns));
                let decides = bases::decides(&value, vm);
                let title = value.as_either_str(vm.heap).filter(|_| text == "__name__");
                let title = title.map(|title| title.as_str(vm.interns).to_owned());
                let class = self.get_mut(vm.heap);
                class.bases.note(text, decides);
                if let Some(title) = title {
                    class.name = EitherStr::Heap(title);
                }
                Ok((name, value))
            }
            Err(error) => {
                name.drop_with(vm);
                value.drop_with(vm);
                Err(error)
            }
        }
    }

    /// Checks that the code that runs may change the member `name`.
    pub(super) fn check_change(&self, name: &Value, vm: &VM<'h>) -> RunResult<()> {
        let class = self.get(vm.heap);
        let name = name.as_either_str(vm.heap);
        let name = name.as_ref().map_or("", |name| name.as_str(vm.interns));
        let of = class.name.as_str(vm.interns);
        own_code::check_change(class.is_immutable, of, name, vm)
    }
}
