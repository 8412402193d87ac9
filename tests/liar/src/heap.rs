//! The allocator, which can be told to hand out wrong addresses.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::effects::end;

struct Heap;

#[global_allocator]
static HEAP: Heap = Heap;

static LIE: AtomicU8 = AtomicU8::new(0);
static AFTER: AtomicU64 = AtomicU64::new(0);

/// Lies in the words of a script, by their number.
const LIES: [&str; 7] = ["", "null", "wild", "odd", "trap", "loop", "low"];

/// Has an allocation go wrong, after as many that do not.
pub(crate) fn lie(how: &str, after: u64) {
    let lie = LIES.iter().position(|lie| *lie == how).unwrap_or(0);
    AFTER.store(after, Ordering::Relaxed);
    LIE.store(lie as u8, Ordering::Relaxed);
}

fn wrong() -> Option<usize> {
    let lie = LIE.load(Ordering::Relaxed);
    if lie == 0 {
        return None;
    }
    let left = AFTER.load(Ordering::Relaxed);
    if left > 0 {
        AFTER.store(left - 1, Ordering::Relaxed);
        return None;
    }
    LIE.store(0, Ordering::Relaxed);
    match LIES[lie as usize] {
        "null" => Some(0),
        "wild" => Some(0xffff_fff8),
        "odd" => Some(0x10001),
        "low" => Some(16),
        how => {
            end(how);
            None
        }
    }
}

// SAFETY: it is the system's allocator, unless a script asks for what is not safe.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match wrong() {
            Some(address) => address as *mut u8,
            // SAFETY: as the caller promises.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match wrong() {
            Some(address) => address as *mut u8,
            // SAFETY: as the caller promises.
            None => unsafe { System.realloc(at, layout, size) },
        }
    }
}
