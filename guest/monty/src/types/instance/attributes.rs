//! The attributes of an instance or of a class, for code of the host's own.

use crate::{
    bytecode::VM,
    exception_private::RunResult,
    heap::{HeapData, HeapId},
    types::Dict,
    value::Value,
};

/// The name under which an instance has a copy of its attributes, and a class one of its members, in the order in which
/// they were set.
const LISTED: &str = "_rlm_attributes";

/// Returns a copy of the attributes of an instance, or of the members of a class, if they are asked for.
pub(crate) fn listed(object: HeapId, name: &str, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    if name != LISTED {
        return Ok(None);
    }
    let attributes = match vm.heap.get(object) {
        HeapData::Instance(instance) => instance.attrs(vm.heap),
        HeapData::Class(class) => class.namespace(),
        _ => return Ok(None),
    };
    let pairs = attributes
        .iter()
        .map(|(name, value)| {
            (
                name.clone_with_heap(vm.heap),
                value.clone_with_heap(vm.heap),
            )
        })
        .collect();
    let copy = Dict::from_pairs(pairs, vm)?;
    Ok(Some(Value::Ref(vm.heap.allocate(HeapData::Dict(copy)))))
}
