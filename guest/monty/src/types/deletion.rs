//! `del object[key]`.

use crate::{
    bytecode::{CallResult, VM},
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult},
    heap::{DropWithContext as _, HeapData, HeapReadOutput},
    types::{PyTrait as _, Slice, Type, instance::members},
    value::Value,
};

/// Deletes the item of an object that a key or a slice stands for.
pub(crate) fn item(object: &Value, key: &Value, vm: &mut VM<'_>) -> RunResult<CallResult> {
    match object.ref_id().map(|id| (id, vm.heap.read(id))) {
        Some((_, HeapReadOutput::Dict(dict))) => match dict.pop(key, vm)? {
            Some((key, value)) => [key, value].drop_with(vm),
            // As in Python, a counter has every key.
            None if dict.get(vm.heap).is_counter() => {}
            None => return Err(ExcType::key_error(key, vm)),
        },
        Some((_, HeapReadOutput::List(list))) => {
            let slice = key.ref_id().and_then(|id| match vm.heap.get(id) {
                HeapData::Slice(slice) => Some(slice),
                _ => None,
            });
            let (start, count, step) = match slice {
                Some(slice) => positions(slice, list.get(vm.heap).len())?,
                None => {
                    let at = index(key, Type::List, vm)?;
                    (place(at, list.get(vm.heap).len(), Type::List)?, 1, 1)
                }
            };
            let gone = without(list.get_mut(vm.heap).as_vec_mut(), start, count, step);
            gone.drop_with(vm);
        }
        Some((_, HeapReadOutput::Deque(deque))) => {
            let at = index(key, Type::Deque, vm)?;
            let at = place(at, deque.get(vm.heap).len(), Type::Deque)?;
            let gone = deque.get_mut(vm.heap).remove_at(at);
            gone.drop_with(vm);
        }
        Some((id, HeapReadOutput::Instance(_))) => {
            if let Some(called) = members::delete_item(id, key, vm)? {
                return Ok(called);
            }
            return Err(no_deletion(object, key, vm));
        }
        _ => return Err(no_deletion(object, key, vm)),
    }
    Ok(CallResult::Value(Value::None))
}

/// Returns the error of an object without items that can be deleted, in the words that CPython has for an index.
fn no_deletion(object: &Value, key: &Value, vm: &mut VM<'_>) -> RunError {
    let is_index = matches!(key, Value::Int(_) | Value::Bool(_));
    let does = match object.py_type(vm) {
        Type::Str
        | Type::Bytes
        | Type::Tuple
        | Type::NamedTuple
        | Type::Range
        | Type::Set
        | Type::FrozenSet
        | Type::Instance(_)
            if is_index =>
        {
            "doesn't"
        }
        _ => "does not",
    };
    let name = object.py_type_name(vm);
    ExcType::type_error(format!("'{name}' object {does} support item deletion"))
}

/// Returns the number that an index is. Its `__index__` may change what it is an index of.
fn index(key: &Value, of: Type, vm: &mut VM<'_>) -> RunResult<i64> {
    let is_index = match key {
        Value::Int(_) | Value::Bool(_) | Value::InternLongInt(_) => true,
        Value::Ref(id) => matches!(
            vm.heap.get(*id),
            HeapData::LongInt(_) | HeapData::Instance(_)
        ),
        _ => false,
    };
    if !is_index {
        let kind = key.py_type_name(vm).into_owned();
        return Err(match of {
            Type::Deque => {
                ExcType::type_error(format!("sequence index must be integer, not '{kind}'"))
            }
            _ => ExcType::type_error(format!(
                "list indices must be integers or slices, not {kind}"
            )),
        });
    }
    key.as_int(vm)
}

/// Returns the index from the start that an index stands for.
fn place(at: i64, len: usize, of: Type) -> RunResult<usize> {
    let from_start = match at {
        0.. => usize::try_from(at).ok(),
        _ => usize::try_from(at.unsigned_abs())
            .ok()
            .and_then(|back| len.checked_sub(back)),
    };
    from_start.filter(|at| *at < len).ok_or_else(|| {
        let of = match of {
            Type::Deque => "deque index out of range",
            _ => "list assignment index out of range",
        };
        ExcType::index_error(of)
    })
}

/// Returns where the items of a slice begin from the start, how many there are, and how far one is from the next.
fn positions(slice: &Slice, len: usize) -> RunResult<(usize, usize, usize)> {
    let (start, stop, step) = slice.indices(len)?;
    let (low, high) = match step > 0 {
        true => (start, stop),
        false => (stop + 1, start + 1),
    };
    if low >= high {
        return Ok((0, 0, 1));
    }
    let every = usize::try_from(step.unsigned_abs()).unwrap_or(usize::MAX);
    let span = usize::try_from(high - low).unwrap_or(0);
    let count = (span - 1) / every + 1;
    let first = match step > 0 {
        true => usize::try_from(low).unwrap_or(0),
        // The last that is taken.
        false => usize::try_from(start).unwrap_or(0) - (count - 1) * every,
    };
    Ok((first, count, every))
}

/// Takes items out of a list, in their order.
fn without(items: &mut Vec<Value>, start: usize, count: usize, step: usize) -> Vec<Value> {
    if count == 0 {
        return Vec::new();
    }
    if step == 1 {
        return items.drain(start..start + count).collect();
    }
    let last = start + (count - 1) * step;
    let mut at = 0;
    let gone = items.extract_if(.., |_| {
        let is_gone = (start..=last).contains(&at) && (at - start) % step == 0;
        at += 1;
        is_gone
    });
    gone.collect()
}
