//! A merge sort that takes any order: one that is none, as with NaN or where a class answers as it likes, makes the
//! standard library's sort panic.
//!
//! Asks `<` alone, as CPython does.

use super::apply_permutation;
use crate::{
    bytecode::VM, exception_private::RunResult, expressions::CmpOperator, heap::HeapData,
    value::Value,
};

/// Sorts values, unless their order is surely one: then returns false.
pub(super) fn sort_values(values: &mut [Value], reverse: bool, vm: &mut VM<'_>) -> RunResult<bool> {
    let mut indices: Vec<usize> = (0..values.len()).collect();
    let is_sorted = sort(&mut indices, values, reverse, vm)?;
    if is_sorted {
        apply_permutation(values, &mut indices);
    }
    Ok(is_sorted)
}

/// Sorts indices by values, unless their order is surely one: then returns false.
pub(super) fn sort(
    indices: &mut [usize],
    values: &[Value],
    reverse: bool,
    vm: &mut VM<'_>,
) -> RunResult<bool> {
    if is_total(values, vm) {
        return Ok(false);
    }
    // Equal values stay as they stood, also from the last one to the first.
    if reverse {
        indices.reverse();
    }
    // As CPython begins: what is in order is asked once.
    let mut order = Order { values, asked: 0 };
    let mut has_descent = false;
    for pair in indices.windows(2) {
        has_descent = order.is_less(pair[1], pair[0], vm)?;
        if has_descent {
            break;
        }
    }
    if has_descent {
        let mut other = indices.to_vec();
        order.merge(indices, &mut other, vm)?;
    }
    if reverse {
        indices.reverse();
    }
    Ok(true)
}

/// Returns whether all values are numbers, or all are texts, which have one order.
fn is_total(values: &[Value], vm: &VM<'_>) -> bool {
    let is_number = |value: &Value| match value {
        Value::Int(_) | Value::Bool(_) | Value::InternLongInt(_) => true,
        Value::Float(number) => !number.is_nan(),
        Value::Ref(id) => matches!(vm.heap.get(*id), HeapData::LongInt(_)),
        _ => false,
    };
    let is_text = |value: &Value| match value {
        Value::InternString(_) => true,
        Value::Ref(id) => matches!(vm.heap.get(*id), HeapData::Str(_)),
        _ => false,
    };
    match values.first() {
        Some(first) if is_text(first) => values.iter().all(is_text),
        _ => values.iter().all(is_number),
    }
}

/// Values that are sorted, and how often they were compared.
struct Order<'a> {
    values: &'a [Value],
    asked: usize,
}

impl Order<'_> {
    /// Returns whether the value at one index is less than that at another.
    fn is_less(&mut self, one: usize, than: usize, vm: &mut VM<'_>) -> RunResult<bool> {
        vm.heap.tracker.check_time_every(self.asked)?;
        self.asked += 1;
        vm.cmp_values(CmpOperator::Lt, &self.values[one], &self.values[than])
    }

    /// Sorts indices, with as many others for its work.
    fn merge(
        &mut self,
        indices: &mut [usize],
        other: &mut [usize],
        vm: &mut VM<'_>,
    ) -> RunResult<()> {
        if indices.len() < 2 {
            return Ok(());
        }
        let half = indices.len() / 2;
        {
            let (left, right) = indices.split_at_mut(half);
            let (left_other, right_other) = other.split_at_mut(half);
            self.merge(left, left_other, vm)?;
            self.merge(right, right_other, vm)?;
        }
        // What is in order already is asked once.
        if !self.is_less(indices[half], indices[half - 1], vm)? {
            return Ok(());
        }
        let (mut left, mut right) = (0, half);
        for place in 0..indices.len() {
            let takes_right = if left == half {
                true
            } else if right == indices.len() {
                false
            } else {
                self.is_less(indices[right], indices[left], vm)?
            };
            let from = if takes_right { &mut right } else { &mut left };
            other[place] = indices[*from];
            *from += 1;
        }
        indices.copy_from_slice(other);
        Ok(())
    }
}
