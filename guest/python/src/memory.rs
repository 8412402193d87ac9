//! The allocator, which tells Monty how much memory is in use.
//!
//! Monty compares `LIVE_MEMORY` with the session's limit at its checkpoints and
//! before large allocations, and ends the script with an uncatchable
//! `MemoryError`. Without a counting allocator the limit would do nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::Ordering;

use monty_types::LIVE_MEMORY;
use rlm_repl::allocations;

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[expect(unsafe_code, reason = "the only way to count allocations")]
// SAFETY: every call goes to the system allocator as it came; the counter has
// no influence on what is returned.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        allocations::count();
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

/// Sizes of holes that are filled, in bytes.
const HOLES: std::ops::Range<usize> = 16..256 << 10;

/// Fills the holes of the heap for good, so that what is allocated from here on
/// stands side by side.
///
/// The first write to a page of the image costs a session a page fault, and
/// allocations spread over holes would touch many.
pub(crate) fn close_holes() {
    let mut size = HOLES.end;
    let Some(end) = allocate(size) else { return };
    free(end, size);
    while size >= HOLES.start {
        match allocate(size) {
            Some(block) if block < end => {}
            Some(block) => {
                free(block, size);
                size -= if size > 4096 { 4096 } else { 8 };
            }
            None => return,
        }
    }
}

const ALIGN: usize = 8;

#[expect(unsafe_code, reason = "the heap can be asked in no other way")]
fn allocate(size: usize) -> Option<*mut u8> {
    let layout = Layout::from_size_align(size, ALIGN).ok()?;
    // SAFETY: the layout is not empty.
    let block = unsafe { System.alloc(layout) };
    (!block.is_null()).then_some(block)
}

#[expect(unsafe_code, reason = "see `allocate`")]
fn free(block: *mut u8, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size, ALIGN) {
        // SAFETY: `allocate` gave the block for this size, and nobody kept it.
        unsafe { System.dealloc(block, layout) }
    }
}
