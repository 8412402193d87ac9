//! The allocator, which tells Monty how much memory is in use.
//!
//! Monty compares `LIVE_MEMORY` with the session's limit at its checkpoints and
//! before large allocations, and ends the script with an uncatchable
//! `MemoryError`. Without a counting allocator the limit would do nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::Ordering;

use monty_types::LIVE_MEMORY;

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[expect(unsafe_code, reason = "the only way to count allocations")]
// SAFETY: every call goes to the system allocator as it came; the counter has
// no influence on what is returned.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE_MEMORY.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LIVE_MEMORY.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE_MEMORY.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE_MEMORY.fetch_add(size, Ordering::Relaxed);
        LIVE_MEMORY.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
