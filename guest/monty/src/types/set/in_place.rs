//! `|=` and `-=` of sets, in steps of the right operand's items.

use super::{Set, SetEntry};
use crate::{
    bytecode::VM,
    defer_drop,
    exception_private::RunResult,
    heap::{HeapData, HeapReadMut},
    types::hash_table::TableProbe,
    value::Value,
};

impl<'h> HeapReadMut<'h, Set> {
    /// Adds the items of a set or a frozenset; false for anything else, which the operator handles.
    pub(super) fn unite(&self, other: &Value, vm: &mut VM<'h>) -> RunResult<bool> {
        let is_set = other
            .ref_id()
            .is_some_and(|id| matches!(vm.heap.get(id), HeapData::Set(_) | HeapData::FrozenSet(_)));
        if is_set {
            self.hr_update(other.clone_with_heap(vm.heap), vm)?;
        }
        Ok(is_set)
    }

    /// Takes out the items of a set or a frozenset; false for anything else, which the operator handles.
    pub(super) fn subtract(&self, other: &Value, vm: &mut VM<'h>) -> RunResult<bool> {
        let Some(entries) = entries(other, vm) else {
            return Ok(false);
        };
        defer_drop!(entries, vm);
        for (i, entry) in entries.iter().enumerate() {
            vm.heap.tracker.check_time_every(i)?;
            if let Some(slot) = self.storage().find_index(&entry.value, entry.hash, vm)? {
                let removed = self.get_mut(vm.heap).0.table.remove(slot);
                removed.value.drop_with(vm);
            }
        }
        Ok(true)
    }
}

/// Owned entries of a set or a frozenset.
fn entries(value: &Value, vm: &VM<'_>) -> Option<Vec<SetEntry>> {
    match vm.heap.get(value.ref_id()?) {
        HeapData::Set(set) => Some(set.0.clone_entries(vm.heap)),
        HeapData::FrozenSet(set) => Some(set.storage.clone_entries(vm.heap)),
        _ => None,
    }
}

/// Returns a hash of an item whose bits depend on all of its bits: sets of small numbers differ in few of them.
pub(super) fn scattered(hash: u64) -> u64 {
    let mixed = (hash ^ (hash >> 32) ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ mixed >> 31
}
