//! Instances that are mappings, because their class has `keys` and `__getitem__`.

use super::{class_defines, members};
use crate::{
    args::ArgValues,
    bytecode::VM,
    defer_drop,
    exception_private::RunResult,
    heap::{DropGuard, HeapData},
    types::{Dict, PyTrait as _, class::meta, iter::collect_owned_iterable},
    value::Value,
};

/// Returns what a value is for those that take mappings: the value of a builtin type that it holds, a dict of an instance
/// that is a mapping, or the value itself. `value` is consumed.
pub(crate) fn plain(value: Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let value = meta::unwrapped(value, vm);
    let mut value = DropGuard::new(value, vm);
    let (mapping, vm) = value.as_parts_mut();
    let Some(pairs) = pairs(mapping, vm)? else {
        return Ok(value.into_inner());
    };
    let dict = Dict::from_pairs(pairs, vm)?;
    Ok(Value::Ref(vm.heap.allocate(HeapData::Dict(dict))))
}

/// Returns whether a value is an instance that gives items by keys.
pub(crate) fn has_items(value: &Value, vm: &VM<'_>) -> bool {
    value.ref_id().is_some_and(|id| match vm.heap.get(id) {
        HeapData::Instance(instance) => class_defines(instance.class(), "__getitem__", vm),
        _ => false,
    })
}

/// Returns the item of a key, as the class of an instance gives it.
pub(crate) fn item(mapping: &Value, key: &Value, vm: &mut VM<'_>) -> RunResult<Value> {
    if let Some(id) = mapping.ref_id().filter(|_| has_items(mapping, vm)) {
        let given = ArgValues::One(key.clone_with_heap(vm.heap));
        if let Some(item) = members::call_special(id, "__getitem__", given, vm)? {
            return Ok(item);
        }
    }
    mapping.py_getitem(key, vm)
}

/// Returns the pairs of an instance that is a mapping; `None` for another value.
fn pairs(value: &Value, vm: &mut VM<'_>) -> RunResult<Option<Vec<(Value, Value)>>> {
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
