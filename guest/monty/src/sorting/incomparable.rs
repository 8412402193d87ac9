//! Errors of comparisons that have no order: they name the items that have none, however deep these are.

use crate::{
    bytecode::VM,
    exception_private::{ExcType, ExcTypeExt as _, RunError},
    heap::{DropWithContext as _, HeapData},
    value::Value,
};

/// Levels of sequences in each other that are looked through.
const MOST_LEVELS: usize = 100;

/// Returns the error for `left <operator> right`, which has no answer: that of the first items that differ, where both are
/// lists, or tuples.
#[cold]
pub(crate) fn error(operator: &str, left: &Value, right: &Value, vm: &mut VM<'_>) -> RunError {
    let mut pair = [
        left.clone_with_heap(vm.heap),
        right.clone_with_heap(vm.heap),
    ];
    for _ in 0..MOST_LEVELS {
        let Some(inner) = differing(&pair, vm) else {
            break;
        };
        std::mem::replace(&mut pair, inner).drop_with(vm);
    }
    let [left, right] = [&pair[0], &pair[1]].map(|value| value.py_type_name(vm).into_owned());
    pair.drop_with(vm);
    ExcType::type_error_ordering(operator, &left, &right)
}

/// Returns the first items of two sequences that are not equal.
fn differing([left, right]: &[Value; 2], vm: &mut VM<'_>) -> Option<[Value; 2]> {
    let mut at = 0;
    while let (Some((kind, left)), Some((other, right))) = (item(left, at, vm), item(right, at, vm))
    {
        let pair = [left, right];
        if kind == other && !pair[0].py_eq(&pair[1], vm).unwrap_or(false) {
            return Some(pair);
        }
        pair.drop_with(vm);
        if kind != other {
            return None;
        }
        at += 1;
    }
    None
}

/// Kinds of sequences that are compared with each other item by item.
#[derive(PartialEq, Eq)]
enum Kind {
    List,
    Tuple,
}

fn item(sequence: &Value, at: usize, vm: &VM<'_>) -> Option<(Kind, Value)> {
    let Value::Ref(id) = sequence else {
        return None;
    };
    let (kind, items) = match vm.heap.get(*id) {
        HeapData::List(list) => (Kind::List, list.as_slice()),
        HeapData::Tuple(tuple) => (Kind::Tuple, tuple.as_slice()),
        HeapData::NamedTuple(row) => (Kind::Tuple, row.items()),
        _ => return None,
    };
    Some((kind, items.get(at)?.clone_with_heap(vm.heap)))
}
