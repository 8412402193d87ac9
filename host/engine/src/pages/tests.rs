//! Memories, their snapshots, and what a stranger may make of an image.

use std::sync::Arc;

use super::image::Image;
use super::region::{REFUSAL, Refusal, Region};
use super::snapshot::Snapshot;
use super::texts::SharedText;
use super::{PAGE, Pages};

const MINIMUM: usize = 4 << 20;
const CAPACITY: usize = 64 << 20;
const STACK: usize = 1 << 20;
/// Address and pages of the image.
const IMAGE: (usize, usize) = (STACK + 3 * PAGE, 50);

fn pages() -> Arc<Pages> {
    let pages = Pages::new(None, STACK).expect("pages of 4 KiB");
    let (start, count) = IMAGE;
    let bytes: Vec<u8> = (0..count * PAGE)
        .map(|n| (n / 7 + n / PAGE) as u8)
        .collect();
    let code = with_trailer(b"code", &bytes, start as u64, bytes.len() as u64);
    pages.set_image(Image::of_bytes(&code).expect("memory").expect("one"));
    pages
}

fn with_trailer(code: &[u8], bytes: &[u8], start: u64, length: u64) -> Vec<u8> {
    let mut all = code.to_vec();
    all.resize(PAGE, 0);
    all.extend_from_slice(bytes);
    all.extend_from_slice(b"rlm-image 1\0\0\0\0\0");
    all.extend_from_slice(&start.to_le_bytes());
    all.extend_from_slice(&length.to_le_bytes());
    all
}

fn region(pages: &Arc<Pages>, from: Option<&Snapshot>) -> Region {
    Region::new(pages, MINIMUM, (CAPACITY, 2 << 20), from).expect("address space")
}

fn write(region: &Region, page: usize, count: usize, byte: u8) {
    assert!((page + count) * PAGE <= region.byte_size());
    let at = region.as_ptr().wrapping_add(page * PAGE);
    #[expect(unsafe_code, reason = "as a guest would")]
    // SAFETY: the pages are in the memory, and nothing else has it.
    unsafe {
        at.write_bytes(byte, count * PAGE)
    };
}

fn content(region: &Region, start: usize) -> Vec<u8> {
    #[expect(unsafe_code, reason = "as a guest would")]
    // SAFETY: nothing writes meanwhile.
    unsafe {
        region.look(start, <[u8]>::to_vec)
    }
}

fn take(region: &Region) -> Snapshot {
    Snapshot::take(region, &[], &mut |_| Box::new(())).expect("memory")
}

#[test]
fn a_memory_begins_with_the_image_and_zeros() {
    let memory = region(&pages(), None);
    let (start, count) = IMAGE;
    let all = content(&memory, 0);
    assert_eq!(all.len(), MINIMUM);
    assert!(all[..start].iter().all(|byte| *byte == 0));
    assert_eq!(all[start + PAGE + 7], (PAGE / 7 + 2) as u8);
    assert!(all[start + count * PAGE..].iter().all(|byte| *byte == 0));
}

/// Writes that leave short and long runs, in the image and outside, and then take some back.
fn change(region: &Region, step: usize) {
    let first = (STACK / PAGE) + 1;
    region
        .grow_to(MINIMUM + (step + 1) * (1 << 20))
        .expect("room");
    write(region, first + 5 * step, 2, 7 + step as u8);
    write(region, first + 100 + 10 * step, 300, 40 + step as u8);
    write(region, (MINIMUM / PAGE) + 200 * step, 180, 80 + step as u8);
    // Back to zeros, which are what was there at first.
    write(region, first + 150, 20, 0);
    // Above the stack alone.
    write(region, 3, 4, 99);
}

#[test]
fn forks_of_forks_hold_what_their_parents_did() {
    let pages = pages();
    let mut memory = region(&pages, None);
    for step in 0..12 {
        change(&memory, step);
        let wanted = content(&memory, STACK);
        let snapshot = take(&memory);
        // Taken again, with nothing changed, it shares all but short runs.
        let mut held = 0;
        let again = Snapshot::take(&memory, &[], &mut |bytes| {
            held = bytes;
            Box::new(())
        });
        assert_eq!(again.expect("memory").bytes(), snapshot.bytes());
        assert!(held < 64 * PAGE as u64, "{step}: {held}");
        assert_eq!(content(&memory, STACK), wanted, "mapped onto itself");
        let fork = region(&pages, Some(&snapshot));
        assert_eq!(content(&fork, STACK), wanted, "step {step}");
        // What one of them writes the others do not see.
        write(&memory, STACK / PAGE + 120, 40, 200);
        assert_eq!(content(&fork, STACK), wanted);
        assert_eq!(content(&region(&pages, Some(&snapshot)), STACK), wanted);
        if step % 3 != 2 {
            memory = fork;
        }
    }
}

/// Sequences of writes, snapshots, forks and drops, from a generator of numbers.
#[test]
fn whatever_is_written_and_forked_in_whatever_order_is_there() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize
    };
    let pages = pages();
    let fresh = content(&region(&pages, None), 0);
    for round in 0..30 {
        let mut live = vec![region(&pages, None)];
        for step in 0..60 {
            let at = random(live.len());
            match random(8) {
                0..4 => {
                    let memory = &live[at];
                    let first = STACK / PAGE + random(MINIMUM / PAGE - STACK / PAGE - 1);
                    let most = memory.byte_size() / PAGE - first;
                    let count = [1, 3, 20, 140, 400][random(5)].min(most);
                    write(memory, first, count, random(4) as u8 * 50);
                }
                4 => drop(take(&live[at])),
                5 if live.len() > 3 => drop(live.swap_remove(at)),
                6 => {
                    let memory = &live[at];
                    memory
                        .grow_to(memory.byte_size() + random(20) * (64 << 10))
                        .expect("room");
                }
                _ => {
                    REFUSAL.set([None, None, None, Some(Refusal::Count)][random(4)]);
                    let hides_map = random(6) == 0;
                    let snapshot = super::page_map::hidden(hides_map, || take(&live[at]));
                    let fork = region(&pages, Some(&snapshot));
                    REFUSAL.set(None);
                    let wanted = content(&live[at], STACK);
                    assert!(
                        content(&fork, STACK) == wanted,
                        "round {round}, step {step}"
                    );
                    live.push(fork);
                }
            }
        }
        drop(live);
        // All that were given back are as they were when they were made.
        let again: Vec<_> = (0..8).map(|_| region(&pages, None)).collect();
        for memory in again {
            assert!(content(&memory, 0) == fresh, "round {round}");
        }
    }
}

#[test]
fn without_a_page_map_the_same_pages_are_found() {
    let pages = pages();
    let first = region(&pages, None);
    change(&first, 0);
    let second = region(&pages, Some(&take(&first)));
    change(&second, 1);
    for memory in [first, second] {
        let wanted = content(&memory, STACK);
        for hides_map in [false, true] {
            let snapshot = super::page_map::hidden(hides_map, || take(&memory));
            let fork = super::page_map::hidden(hides_map, || region(&pages, Some(&snapshot)));
            assert_eq!(content(&fork, STACK), wanted, "{hides_map}");
            super::page_map::hidden(hides_map, || drop(fork));
            assert_eq!(
                content(&region(&pages, None), 0),
                content(&region(&pages, None), 0)
            );
        }
    }
}

#[test]
fn without_mappings_to_spare_pages_are_copied() {
    let pages = pages();
    let memory = region(&pages, None);
    change(&memory, 0);
    let mapped = region(&pages, Some(&take(&memory)));
    change(&mapped, 1);
    REFUSAL.set(Some(Refusal::Count));
    for memory in [memory, mapped] {
        let wanted = content(&memory, STACK);
        let snapshot = take(&memory);
        assert!(memory.is_whole() && content(&memory, STACK) == wanted);
        let fork = region(&pages, Some(&snapshot));
        assert!(content(&fork, STACK) == wanted);
        drop(fork);
        assert!(content(&region(&pages, None), 0) == content(&region(&pages, None), 0));
    }
    REFUSAL.set(None);
}

/// A mapping that fails may leave a hole, so such a memory is not used again.
#[test]
fn a_memory_with_a_hole_is_dropped_and_its_snapshot_is_whole() {
    let pages = pages();
    let memory = region(&pages, None);
    change(&memory, 0);
    let wanted = content(&memory, STACK);
    REFUSAL.set(Some(Refusal::System));
    let snapshot = take(&memory);
    assert!(!memory.is_whole());
    let address = memory.as_ptr() as usize;
    Region::new(&pages, MINIMUM, (CAPACITY, 2 << 20), Some(&snapshot)).expect_err("refused");
    REFUSAL.set(None);
    drop(memory);
    let fork = region(&pages, Some(&snapshot));
    assert!(content(&fork, STACK) == wanted);
    assert!(pages.take_free().is_none(), "{address:x} was kept");
}

#[test]
fn pages_that_the_system_took_out_are_part_of_a_snapshot() {
    let pages = pages();
    let memory = region(&pages, None);
    change(&memory, 0);
    let parent = take(&memory);
    let fork = region(&pages, Some(&parent));
    change(&fork, 1);
    for memory in [memory, fork] {
        let wanted = content(&memory, STACK);
        let at = memory.as_ptr().wrapping_add(STACK).cast();
        #[expect(unsafe_code, reason = "as a system does that is short of memory")]
        // SAFETY: the content of no page changes.
        unsafe {
            rustix::mm::madvise(
                at,
                memory.byte_size() - STACK,
                rustix::mm::Advice::LinuxPageOut,
            )
            .expect("Linux 5.4");
        }
        let snapshot = take(&memory);
        assert!(content(&region(&pages, Some(&snapshot)), STACK) == wanted);
        assert!(content(&memory, STACK) == wanted);
    }
}

#[test]
fn a_memory_that_was_given_back_is_as_if_new() {
    let pages = pages();
    let wanted = content(&region(&pages, None), 0);
    for (count, byte) in [(3, 9), (100, 8), (900, 7)] {
        for hides_map in [false, true] {
            let memory = region(&pages, None);
            let address = memory.as_ptr() as usize;
            write(&memory, 0, 2, byte);
            write(&memory, STACK / PAGE - 3, count.min(200), byte);
            write(&memory, (MINIMUM / PAGE) - 3, 3, byte);
            memory.grow_to(MINIMUM + (1 << 20)).expect("room");
            write(&memory, MINIMUM / PAGE, count.min(256), byte);
            let memory = match byte {
                7 => region(&pages, Some(&take(&memory))),
                _ => memory,
            };
            let address = match byte {
                7 => memory.as_ptr() as usize,
                _ => address,
            };
            super::page_map::hidden(hides_map, || drop(memory));
            let next = region(&pages, None);
            assert_eq!(next.as_ptr() as usize, address, "used again");
            assert_eq!(next.byte_size(), MINIMUM);
            assert!(content(&next, 0) == wanted, "{count} pages");
            next.grow_to(MINIMUM + (1 << 20)).expect("room");
            assert!(content(&next, MINIMUM).iter().all(|byte| *byte == 0));
        }
    }
}

#[test]
fn trailers_that_do_not_fit_their_file_are_no_images() {
    let bytes = [1; 2 * PAGE];
    let length = bytes.len() as u64;
    let good = with_trailer(b"code", &bytes, 8 << 20, length);
    assert!(Image::of_bytes(&good).expect("memory").is_some());
    let page = PAGE as u64;
    for (start, length) in [
        (8 << 20, 0),
        (8 << 20, length + 1),
        (8 << 20, length * 100),
        (8 << 20, u64::MAX),
        (8 << 20, u64::MAX - page + 1),
        (1, length),
        (4 << 30, length),
        ((4 << 30) - page, length),
        (u64::MAX - page + 1, length),
    ] {
        let code = with_trailer(b"code", &bytes, start, length);
        assert!(
            Image::of_bytes(&code).expect("memory").is_none(),
            "{start} {length}"
        );
    }
    for cut in [0, 1, 31, 32, good.len() - 1] {
        assert!(Image::of_bytes(&good[..cut]).expect("memory").is_none());
    }
}

#[cfg(feature = "compiler")]
#[test]
fn data_is_cut_out_only_where_that_changes_nothing() {
    use std::slice::from_ref;

    use super::image::split;

    fn section(id: u8, content: &[u8]) -> Vec<u8> {
        let mut section = vec![id, content.len() as u8];
        section.extend_from_slice(content);
        section
    }
    let module = |sections: &[Vec<u8>]| {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        module.extend(sections.concat());
        module
    };
    let component = |parts: &[Vec<u8>]| {
        let mut component = b"\0asm\x0d\0\x01\0".to_vec();
        component.extend(parts.concat());
        component
    };
    let memory = section(5, &[1, 0, 1]);
    // At 8, and behind it.
    let data = section(11, &[1, 0, 0x41, 8, 0x0b, 2, 10, 11]);
    let whole = component(&[section(1, &module(&[memory.clone(), data.clone()]))]);
    let (code, _) = split(&whole, 0).expect("simple");
    assert_eq!(code, component(&[section(1, &module(from_ref(&memory)))]));
    // Behind the end of the memory, and spread too far.
    let data_at = |at: &[u8]| section(11, &[&[1, 0, 0x41], at, &[0x0b, 1, 9]].concat());
    let large = section(5, &[1, 0, 0x80, 0x40]);
    for (memory, data, is_cut) in [
        (&memory, data_at(&[0xff, 0xff, 3]), true),
        (&memory, data_at(&[0x80, 0x80, 4]), false),
        (&large, data_at(&[0x80, 0x80, 0x80, 0x80, 1]), true),
    ] {
        let whole = component(&[section(1, &module(&[memory.clone(), data]))]);
        assert_eq!(split(&whole, 0).is_some(), is_cut);
    }
    let far = section(
        11,
        &[
            2, 0, 0x41, 0, 0x0b, 1, 9, 0, 0x41, 0x80, 0x80, 0x80, 0x80, 1, 0x0b, 1, 9,
        ],
    );
    assert!(split(&component(&[section(1, &module(&[large, far]))]), 0).is_none());
    // All of it is on the stack.
    assert!(split(&whole, 64).is_none());
    let two = section(5, &[2, 0, 1, 0, 1]);
    let count = section(12, &[1]);
    let of_global = section(11, &[1, 0, 0x23, 0, 0x0b, 1, 1]);
    for parts in [
        vec![],
        vec![section(1, &module(from_ref(&memory)))],
        vec![section(1, &module(&[two, data.clone()]))],
        vec![section(1, &module(&[memory.clone(), count, data.clone()]))],
        vec![section(1, &module(&[memory.clone(), of_global]))],
        vec![
            section(1, &module(&[memory.clone(), data.clone()])),
            section(1, &module(from_ref(&memory))),
        ],
        vec![
            section(1, &module(&[memory.clone(), data.clone()])),
            section(1, &module(from_ref(&data))),
        ],
        vec![section(4, &whole)],
    ] {
        assert!(split(&component(&parts), 0).is_none(), "{parts:?}");
    }
    for cut in 0..whole.len() {
        let _ = split(&whole[..cut], 0);
    }
    assert!(split(b"", 0).is_none() && split(&module(&[memory, data]), 0).is_none());
}

#[test]
fn a_snapshot_as_bytes_is_the_same_snapshot() {
    let pages = pages();
    let memory = region(&pages, None);
    let (image, count) = (IMAGE.0 / PAGE, IMAGE.1);
    write(&memory, image + 2, 1, 7);
    write(&memory, image + count - 1, 3, 8);
    memory.grow_to(8 << 20).expect("room");
    // Enough for a file.
    write(&memory, 1100, 300, 9);
    let first = take(&memory);
    // A snapshot whose pages are in two stores.
    write(&memory, 1200, 1, 10);
    write(&memory, 1400, 1, 11);
    for snapshot in [first, take(&memory)] {
        let bytes = snapshot.unmapped(&pages).expect("memory");
        assert_eq!(bytes.size_bytes, 8 << 20);
        let halves = bytes.content.split_at(1000);
        let parts = [halves.0, halves.1].into_iter();
        let mut kept = 0;
        let keep = |bytes| -> super::Kept {
            kept = bytes;
            Box::new(())
        };
        let again = Snapshot::map(&pages, bytes.size_bytes, &bytes.stretches, parts, keep);
        let again = again.expect("the same");
        assert_eq!(kept, bytes.content.len() as u64);
        let (one, other) = (
            region(&pages, Some(&snapshot)),
            region(&pages, Some(&again)),
        );
        assert!(content(&one, STACK) == content(&other, STACK));
        assert_eq!(again.unmapped(&pages).expect("memory"), bytes);
    }
}

#[test]
fn bytes_that_are_no_snapshot_are_refused() {
    let pages = pages();
    let size = MINIMUM as u64;
    let first = (STACK / PAGE) as u32;
    let last = (MINIMUM / PAGE) as u32;
    let zeros = vec![0; 4 * PAGE];
    let map = |size, stretches: &[(u32, u32)], bytes: usize| {
        let content = [&zeros[..bytes]].into_iter();
        Snapshot::map(&pages, size, stretches, content, |_| Box::new(())).map_err(|e| e.kind())
    };
    assert!(map(size, &[(first, 1), (last - 1, 1)], 2 * PAGE).is_ok());
    // What a memory has at the least is known when there was one.
    let less = size - (64 << 10);
    assert!(map(less, &[], 0).is_ok());
    drop(region(&pages, None));
    assert_eq!(
        map(less, &[], 0).err(),
        Some(std::io::ErrorKind::InvalidData)
    );
    assert!(map(size, &[], 0).is_ok());
    for (size, stretches, bytes) in [
        (size, &[(first - 1, 1)][..], PAGE),
        (size, &[(first, 0)], 0),
        (size, &[(first, 1)], PAGE - 1),
        (size, &[(first, 1)], 2 * PAGE),
        (size, &[(last, 1)], PAGE),
        (size, &[(last - 1, 2)], 2 * PAGE),
        (size, &[(first, 2), (first + 1, 1)], 3 * PAGE),
        (size, &[(first + 1, 1), (first, 1)], 2 * PAGE),
        (size, &[(first, u32::MAX)], PAGE),
        (size, &[(u32::MAX, 1)], PAGE),
        (size + 1, &[(first, 1)], PAGE),
        (4 << 30, &[(first, 1)], PAGE),
        (u64::MAX, &[(first, 1)], PAGE),
    ] {
        let refused = map(size, stretches, bytes);
        assert_eq!(
            refused.err(),
            Some(std::io::ErrorKind::InvalidData),
            "{stretches:?}"
        );
    }
}

/// Takes a snapshot of a memory that may hold `text`, and returns it with the bytes that it is charged, one after the other.
fn take_with(region: &Region, text: &Arc<SharedText>) -> (Snapshot, Vec<u64>) {
    let mut charged = Vec::new();
    let snapshot = Snapshot::take(region, &[Arc::clone(text)], &mut |bytes| {
        charged.push(bytes);
        Box::new(())
    });
    (snapshot.expect("memory"), charged)
}

fn write_text(region: &Region, at: usize, text: &[u8]) {
    assert!(at + text.len() <= region.byte_size());
    #[expect(unsafe_code, reason = "as a guest would")]
    // SAFETY: the bytes are in the memory, and nothing else has it.
    unsafe {
        let at = region.as_ptr().wrapping_add(at);
        at.copy_from_nonoverlapping(text.as_ptr(), text.len())
    };
}

#[test]
fn memories_share_the_pages_of_a_text_that_each_of_them_holds() {
    let pages = pages();
    let bytes: Vec<u8> = (0_u32..600_000)
        .flat_map(|n| n.wrapping_mul(0x9e37_79b9).to_le_bytes())
        .collect();
    let text = Arc::new(SharedText::new(bytes.clone().into()).expect("a long text"));
    assert!(SharedText::new(bytes[..1000].into()).is_none());
    let at = MINIMUM + 5 * PAGE + 77;
    let holding = |at: usize| {
        let memory = region(&pages, None);
        memory.grow_to(MINIMUM + (4 << 20)).expect("room");
        // The beginning alone is no text.
        write_text(&memory, MINIMUM - 8 * PAGE, &bytes[..4 * PAGE]);
        write_text(&memory, at, &bytes);
        memory
    };
    let of_text = ((77 + bytes.len()).div_ceil(PAGE) * PAGE) as u64;
    let memory = holding(at);
    let wanted = content(&memory, STACK);
    let (snapshot, charged) = take_with(&memory, &text);
    // The text once, and the beginning with the pages at both ends of the text.
    assert_eq!(charged, [of_text, 6 * PAGE as u64]);
    assert_eq!(snapshot.own_bytes(), 6 * PAGE as u64);
    assert_eq!(content(&memory, STACK), wanted, "mapped onto itself");
    // Another memory, also one that has it further on, is not charged for it.
    let (other, charged) = take_with(&holding(at + 9 * PAGE), &text);
    assert_eq!(charged, [6 * PAGE as u64]);
    let unmapped = [&snapshot, &other].map(|one| one.unmapped(&pages).expect("memory"));
    assert!(unmapped[0].content.len() > bytes.len());
    assert_eq!(unmapped[0].content, unmapped[1].content);
    let fork = region(&pages, Some(&snapshot));
    assert_eq!(content(&fork, STACK), wanted);
    // A page of the text that is written is the memory's own.
    write_text(&fork, at + 100 * PAGE, b"changed");
    assert_eq!(content(&memory, STACK), wanted);
    let changed = content(&fork, STACK);
    let (again, charged) = take_with(&fork, &text);
    assert!(
        charged.iter().sum::<u64>() < 20 * PAGE as u64,
        "{charged:?}"
    );
    assert_eq!(content(&region(&pages, Some(&again)), STACK), changed);
    // Elsewhere in its pages the text has other pages.
    let (_, charged) = take_with(&holding(at + 1), &text);
    assert_eq!(charged.len(), 2);
    // A text that is not whole is copied.
    let broken = holding(at);
    write_text(&broken, at + bytes.len() - 1, b"?");
    let (_, charged) = take_with(&broken, &text);
    assert_eq!(charged, [of_text + 4 * PAGE as u64]);
    // Nothing of it stays behind the last memory that refers to it.
    drop((snapshot, other, fork, again, memory));
    let (_, charged) = take_with(&holding(at), &text);
    assert_eq!(charged.len(), 2);
}
