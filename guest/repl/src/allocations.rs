//! A limit on how many allocations one exec makes.
//!
//! Monty has none. The allocator counts; past the limit it pretends that a
//! great deal of memory is in use, and Monty ends the script at its next look.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use monty_types::{BASELINE_MEMORY, LIVE_MEMORY};

/// Bytes that are pretended.
const TOO_MUCH: usize = 1 << 31;

static COUNT: AtomicU64 = AtomicU64::new(0);
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static PRETENDS: AtomicBool = AtomicBool::new(false);

/// Called by the allocator, for each allocation.
#[inline]
pub fn count() {
    // There is one thread; `fetch_add` would say the same at a higher price.
    let count = COUNT.load(Relaxed) + 1;
    COUNT.store(count, Relaxed);
    if count == LIMIT.load(Relaxed) {
        LIVE_MEMORY.fetch_add(TOO_MUCH, Relaxed);
        PRETENDS.store(true, Relaxed);
    }
}

/// Returns how many allocations the current exec made.
pub(crate) fn made() -> u64 {
    COUNT.load(Relaxed)
}

/// Returns the bytes that are really in use.
pub(crate) fn live_memory() -> usize {
    let pretended = if PRETENDS.load(Relaxed) { TOO_MUCH } else { 0 };
    LIVE_MEMORY.load(Relaxed).saturating_sub(pretended)
}

/// Begins counting for an exec, which may make `limit` allocations and made `made`.
pub(crate) fn begin(limit: Option<u64>, made: u64) {
    if PRETENDS.swap(false, Relaxed) {
        LIVE_MEMORY.fetch_sub(TOO_MUCH, Relaxed);
    }
    COUNT.store(made, Relaxed);
    LIMIT.store(
        limit.map_or(u64::MAX, |limit| limit.saturating_add(1)),
        Relaxed,
    );
    if limit.is_some_and(|limit| made > limit) {
        LIVE_MEMORY.fetch_add(TOO_MUCH, Relaxed);
        PRETENDS.store(true, Relaxed);
    }
}

/// Runs `build`. What it leaves allocated, or frees, is not charged to the script, and no limit
/// ends it.
pub(crate) fn uncharged<T>(build: impl FnOnce() -> T) -> T {
    let (live, baseline) = (LIVE_MEMORY.load(Relaxed), BASELINE_MEMORY.load(Relaxed));
    BASELINE_MEMORY.store(usize::MAX, Relaxed);
    let value = build();
    let grown = LIVE_MEMORY.load(Relaxed).wrapping_sub(live).cast_signed();
    BASELINE_MEMORY.store(baseline.saturating_add_signed(grown), Relaxed);
    value
}

/// Returns what `build` gives, and the bytes that it left allocated.
pub(crate) fn measured<T>(build: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE_MEMORY.load(Relaxed);
    let value = build();
    let bytes = LIVE_MEMORY.load(Relaxed).saturating_sub(before);
    (value, bytes)
}

/// Leaves no more than `most` bytes uncharged. What a script frees of memory that was left uncharged, and what it
/// keeps of it under names of its own, would add up otherwise.
pub(crate) fn charge_above(most: usize) {
    let baseline = BASELINE_MEMORY.load(Relaxed);
    BASELINE_MEMORY.store(baseline.min(most), Relaxed);
}

/// Ends counting for an exec.
pub(crate) fn end() {
    begin(None, 0);
}

/// Returns the message for a script that made too many allocations.
pub(crate) fn message() -> Option<String> {
    let (count, limit) = (COUNT.load(Relaxed), LIMIT.load(Relaxed));
    (count >= limit).then(|| {
        format!(
            "allocation limit exceeded: {count} > {} allocations",
            limit - 1
        )
    })
}
