//! Using up what there is.

use std::cell::RefCell;
use std::hint::black_box;

thread_local! {
    /// What was taken and is kept.
    static TAKEN: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Bytes of a page of WebAssembly.
const PAGE_BYTES: usize = 64 << 10;

/// Runs for ever.
pub(crate) fn spin() -> ! {
    let mut count = 0_u64;
    loop {
        count = black_box(count.wrapping_add(1));
    }
}

/// Takes `mebibytes` more, writes to each page, keeps it; gives how many it has.
pub(crate) fn grow(mebibytes: u32) -> u32 {
    TAKEN.with_borrow_mut(|taken| {
        for _ in 0..mebibytes {
            let mut mebibyte = vec![0; 1 << 20];
            for page in mebibyte.chunks_mut(PAGE_BYTES) {
                page[0] = black_box(1);
            }
            taken.push(mebibyte);
        }
        taken.len() as u32
    })
}

/// Calls itself `depth` times and gives how often it did. The frame lives in
/// memory and is used after the call, so that no loop comes of it.
#[inline(never)]
pub(crate) fn recurse(depth: u32) -> u32 {
    let frame = black_box([depth; 16]);
    if depth == 0 {
        return 0;
    }
    let below = recurse(depth - 1);
    below + u32::from(black_box(&frame)[depth as usize % 16] == depth)
}

/// Calls itself `depth` times. Nothing of a frame has to be in memory, and what
/// is done after the call cannot be done before it, so that no loop comes of it.
#[inline(never)]
pub(crate) fn descend(depth: u32) -> u32 {
    if depth == 0 {
        return 0;
    }
    descend(depth - 1).rotate_left(1) ^ depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excess_is_counted() {
        assert_eq!(grow(2), 2);
        assert_eq!(grow(1), 3);
        assert_eq!(recurse(1000), 1000);
        assert_eq!(descend(3), 0b011);
    }
}
