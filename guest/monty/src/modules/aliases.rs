//! Members of modules that are something else under another name.

use crate::{
    builtins::Builtins,
    bytecode::{CallResult, VM},
    exception_private::ExcType,
    heap::HeapId,
    types::Module,
    value::{EitherStr, Value},
};

/// Returns a member that a module does not have of itself: `json.decoder` has the members of `json` that it has in CPython.
/// Flags of `re` that nothing follows are refused where a pattern has them.
pub(crate) fn attribute(
    module: &Module,
    id: HeapId,
    attr: &EitherStr,
    vm: &VM<'_>,
) -> Option<CallResult> {
    if module.id().is_some() {
        return None;
    }
    let found = match (module.name_str(vm.interns), attr.as_str(vm.interns)) {
        ("asyncio", "TimeoutError") => Value::Builtin(Builtins::ExcType(ExcType::TimeoutError)),
        ("re", "UNICODE" | "U") => Value::Int(32),
        ("re", "VERBOSE" | "X") => Value::Int(64),
        ("json", "decoder") => {
            vm.heap.inc_ref(id);
            Value::Ref(id)
        }
        _ => return None,
    };
    Some(CallResult::Value(found))
}
