//! The attributes of an instance, for code of the host's own.

use crate::{
    bytecode::VM,
    exception_private::RunResult,
    heap::{HeapData, HeapId, HeapReadOutput},
    types::Dict,
    value::Value,
};

/// The name under which an instance has a copy of its attributes, in the order in which they were set.
const LISTED: &str = "_rlm_attributes";

/// Returns a copy of the attributes of an instance, if they are asked for.
pub(super) fn listed(instance: HeapId, name: &str, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    if name != LISTED {
        return Ok(None);
    }
    let HeapReadOutput::Instance(read) = vm.heap.read(instance) else {
        return Ok(None);
    };
    let attributes = read.get(vm.heap).attrs().iter();
    let pairs = attributes
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
