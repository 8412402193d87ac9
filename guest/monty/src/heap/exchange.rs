//! Exchanging the contents of two entries of the heap, and counting references to one.

use std::mem;

use super::{Heap, HeapData, HeapId};
use crate::types::Tuple;

impl Heap {
    /// Returns true if more than one reference to an entry is counted.
    pub(crate) fn is_shared(&self, id: HeapId) -> bool {
        self.entries.get(id).refcount.get() > 1
    }

    /// Exchanges what two entries hold, which has to be of one type: readers of either find what they can read.
    pub(crate) fn exchange(&mut self, a: HeapId, b: HeapId) {
        let taken = self.replace(a, HeapData::Tuple(Tuple::default()));
        let taken = self.replace(b, taken);
        self.replace(a, taken);
    }

    fn replace(&mut self, id: HeapId, data: HeapData) -> HeapData {
        let entry = self.entries.get_mut(id).expect("a live entry");
        mem::replace(entry.data.0.get_mut(), data)
    }
}
