//! Deadline and cancellation of a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// States times bytes after which the clock is read.
const BETWEEN: usize = 4 << 20;

/// The deadline of a search, and the flags that cancel it.
#[derive(Debug)]
pub(in crate::mcp) struct Stop {
    deadline: Instant,
    flags: Vec<Arc<AtomicBool>>,
    work: usize,
    has_begun: bool,
}

/// The reason why a search has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Deadline,
    Canceled,
}

impl Stop {
    /// Ends a search after `time`, or once one of the flags is set.
    pub(in crate::mcp) fn new(time: Duration, flags: Vec<Arc<AtomicBool>>) -> Self {
        let now = Instant::now();
        Self {
            // A time that no clock shows is no limit that anybody reaches.
            deadline: now
                .checked_add(time)
                .unwrap_or(now + Duration::from_secs(1 << 30)),
            flags,
            work: 0,
            has_begun: false,
        }
    }

    /// Checks whether the search has to end before it does so much more. The deadline lets
    /// each search do something, so that going on comes to an end.
    pub(super) fn check(&mut self, work: usize) -> Option<Why> {
        if self.flags.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Why::Canceled);
        }
        if !std::mem::replace(&mut self.has_begun, true) {
            self.work = work;
            return None;
        }
        self.work = self.work.saturating_add(work);
        if self.work < BETWEEN {
            return None;
        }
        self.work = 0;
        (Instant::now() >= self.deadline).then_some(Why::Deadline)
    }
}
