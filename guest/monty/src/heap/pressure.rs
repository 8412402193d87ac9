//! Collections of cycles that memory is the reason for.
//!
//! The number of allocations says little about memory: a few objects that refer to each other can hold all of it. So the
//! collector also runs when memory has grown by an eighth of the limit, or by as much as is left of it, and once more
//! before the limit ends a script.

use std::sync::atomic::Ordering::Relaxed;

use monty_types::{BASELINE_MEMORY, LIVE_MEMORY, ResourceError};

use super::Heap;

/// The share of the limit that memory can grow by before the collector runs: an eighth.
const SHARE: usize = 8;
/// Bytes that memory has to grow by for each entry of the heap: a collection takes time for all of them.
const BYTES_PER_ENTRY: usize = 32;
/// The share of the limit that a collection has to leave free for a script that reached it to go on: one part in 64.
/// With less it would soon be there again, and do little else than collect.
const LEAST_FREE: usize = 64;

impl Heap {
    /// Checks memory and time as the tracker does, and collects cycles before it says that memory is full.
    pub(crate) fn check_memory_time(&mut self) -> Result<(), ResourceError> {
        let checked = self.tracker.check_memory_time();
        let Err(ResourceError::Memory { limit, .. }) = checked else {
            return checked;
        };
        if self.purple_count == 0 || self.allocations_since_gc.get() == 0 {
            return checked;
        }
        self.collect();
        match self.tracker.check_allocation(limit / LEAST_FREE) {
            Ok(()) => self.tracker.check_memory_time(),
            Err(_) => checked,
        }
    }

    /// Returns true if memory has grown so much since it was smallest that cycles are to be looked for.
    pub(super) fn memory_has_grown(&self) -> bool {
        let (Some(limit), Some(used)) = (self.tracker.max_memory(), used()) else {
            return false;
        };
        let least = self.least_memory.get().min(used);
        self.least_memory.set(least);
        let room = limit.saturating_sub(used).min(limit / SHARE);
        used - least > room.max(self.entries.len().saturating_mul(BYTES_PER_ENTRY))
    }

    /// Collects cycles, and looks at the growth of memory from here.
    pub(crate) fn collect(&mut self) -> usize {
        let freed = self.collect_cycles();
        self.least_memory.set(used().unwrap_or(usize::MAX));
        freed
    }
}

/// Bytes that count against the limit; nothing where what is allocated is not charged.
fn used() -> Option<usize> {
    let baseline = BASELINE_MEMORY.load(Relaxed);
    (baseline != usize::MAX).then(|| LIVE_MEMORY.load(Relaxed).saturating_sub(baseline))
}
