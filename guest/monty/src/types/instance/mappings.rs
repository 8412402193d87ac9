//! Instances that are mappings, because their class has `keys` and `__getitem__`.

use super::{class_defines, members};
use crate::{
    args::ArgValues,
    bytecode::VM,
    defer_drop,
    exception_private::RunResult,
    heap::{DropGuard, HeapData},
    types::iter::collect_owned_iterable,
    value::Value,
};

/// Returns the pairs of a mapping, as `dict` takes them; `None` for another value.
pub(crate) fn pairs(value: &Value, vm: &mut VM<'_>) -> RunResult<Option<Vec<(Value, Value)>>> {
    let class = value.ref_id().and_then(|id| match vm.heap.get(id) {
        HeapData::Instance(instance) => Some((id, instance.class())),
        _ => None,
    });
    let Some((id, class)) = class else {
        return Ok(None);
    };
    if !class_defines(class, "keys", vm) || !class_defines(class, "__getitem__", vm) {
        return Ok(None);
    }
    let Some(keys) = members::call_special(id, "keys", ArgValues::Empty, vm)? else {
        return Ok(None);
    };
    let keys: Vec<Value> = collect_owned_iterable(keys, vm)?;
    defer_drop!(keys, vm);
    let mut pairs = DropGuard::new(Vec::with_capacity(keys.len()), vm);
    for key in keys {
        let (found, vm) = pairs.as_parts_mut();
        let given = ArgValues::One(key.clone_with_heap(vm.heap));
        if let Some(item) = members::call_special(id, "__getitem__", given, vm)? {
            found.push((key.clone_with_heap(vm.heap), item));
        }
    }
    Ok(Some(pairs.into_inner()))
}
