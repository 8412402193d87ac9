//! The pages that every session writes.
//!
//! An image is shared until somebody writes. A page that is read first and written
//! later costs a session two faults, and the second one interrupts every other
//! processor that runs the process. So a session writes what it will write anyway
//! before it reads anything. Which pages these are is found out while the image is
//! made, by a session that is undone.

use core::arch::wasm32::{memory_grow, memory_size};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Bytes of what is copied at a time when it is written.
const PAGE: usize = 4 << 10;
/// Bytes of what is mapped at a time when it is read, and of a page of WebAssembly.
const AROUND: usize = 64 << 10;
/// Where the image begins, above the stack; see `build.rs`.
const START: usize = 8 << 20;
/// More than there are.
const MOST: usize = 64;

/// A word in each of the pages, and what it holds. Reading these maps nothing else.
#[repr(align(65536))]
struct Footprint([(AtomicU32, AtomicU32); MOST]);

static FOOTPRINT: Footprint = Footprint([const { (AtomicU32::new(0), AtomicU32::new(0)) }; MOST]);

/// Returns whether it is known.
pub(crate) fn is_known() -> bool {
    FOOTPRINT.0[0].0.load(Relaxed) != 0
}

/// Writes to each page what is there. Nothing else may have happened since the image
/// was made.
#[expect(unsafe_code, reason = "there is no other way to write to a page")]
pub(crate) fn touch() {
    for (address, value) in &FOOTPRINT.0 {
        let address = address.load(Relaxed) as usize;
        if address == 0 {
            break;
        }
        // SAFETY: the address is a word of the image, and this is what it holds.
        unsafe { (address as *mut u32).write_volatile(value.load(Relaxed)) };
    }
}

/// Notes what `session` writes, and undoes it.
///
/// # Panics
///
/// If it writes to more pages than are common, or needs more memory.
#[inline(never)]
#[expect(unsafe_code, reason = "all of memory is looked at and put back")]
pub(crate) fn find(session: impl FnOnce()) {
    let size = memory_size::<0>() * AROUND - START;
    let copy = memory_grow::<0>(size / AROUND) * AROUND;
    assert_eq!(copy, START + size, "there is no memory for a copy");
    // SAFETY: both are in memory and apart from each other; the stack is below both.
    unsafe { (copy as *mut u8).copy_from(START as *const u8, size) };
    session();
    assert_eq!(
        memory_size::<0>() * AROUND,
        copy + size,
        "the session took more memory"
    );
    let mut written = [0; MOST];
    let mut count = 0;
    for offset in (0..size).step_by(PAGE) {
        // SAFETY: as above.
        let [now, before] = [START, copy]
            .map(|base| unsafe { core::slice::from_raw_parts((base + offset) as *const u8, PAGE) });
        if now != before {
            written[count] = START + offset;
            count += 1;
        }
    }
    // SAFETY: as above. All that the session changed is as it was, and nothing in
    // between holds on to any of it.
    unsafe {
        (START as *mut u8).copy_from(copy as *const u8, size);
        (copy as *mut u8).write_bytes(0, size);
    }
    for (address, (at, value)) in written.into_iter().zip(&FOOTPRINT.0).take(count) {
        // SAFETY: a word of the image.
        value.store(unsafe { (address as *const u32).read_volatile() }, Relaxed);
        at.store(address as u32, Relaxed);
    }
}
