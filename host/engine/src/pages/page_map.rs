//! The page map: knowledge of the system about the pages of this process.

use std::os::fd::OwnedFd;
use std::sync::OnceLock;

use rustix::fs::{Mode, OFlags};
use rustix::process::Pid;

use super::{PAGE, read_exact_at};

/// Entry of the page map for a page.
#[derive(Clone, Copy)]
pub(super) struct Entry(u64);

impl Entry {
    const BYTES: usize = 8;

    /// Returns whether the page was written since it was mapped: it is in memory or swapped out, and of no file. One that
    /// is on its way to another place in memory looks as if it were swapped out.
    pub(super) fn is_own(self) -> bool {
        let (in_memory, swapped, of_file) = (self.0 >> 63 & 1, self.0 >> 62 & 1, self.0 >> 61 & 1);
        in_memory + swapped > 0 && of_file == 0
    }
}

/// The page map, and the process that opened it: a child that goes on with its parent's file would read of its pages.
static OPENED: OnceLock<(Pid, Option<OwnedFd>)> = OnceLock::new();

/// Opens the page map, so that nothing is opened while a guest runs.
pub(super) fn prepare() {
    OPENED.get_or_init(|| (rustix::process::getpid(), open()));
}

/// Returns the entries of pages by their numbers. None where the system does not tell: then each page may have been written.
pub(super) fn entries(first: usize, count: usize) -> Option<Vec<Entry>> {
    #[cfg(test)]
    if HIDDEN.get() {
        return None;
    }
    let me = rustix::process::getpid();
    let (opened_by, file) = OPENED.get_or_init(|| (me, open()));
    match *opened_by == me {
        true => read(file.as_ref()?, first, count),
        false => read(&open()?, first, count),
    }
}

#[cfg(test)]
thread_local! {
    static HIDDEN: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Does something as if the system did not tell, if it `is_hidden`.
#[cfg(test)]
pub(super) fn hidden<T>(is_hidden: bool, work: impl FnOnce() -> T) -> T {
    HIDDEN.set(is_hidden);
    let result = work();
    HIDDEN.set(false);
    result
}

/// Opens the page map of this process, if it can be read and tells of a page that was just written. Some systems have one
/// that is empty.
fn open() -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = rustix::fs::open("/proc/self/pagemap", flags, Mode::empty()).ok()?;
    let written = std::hint::black_box(vec![1_u8; 3 * PAGE]);
    let number = (written.as_ptr() as usize).div_ceil(PAGE);
    let tells = read(&file, number, 1).is_some_and(|entries| entries[0].is_own());
    drop(written);
    tells.then_some(file)
}

fn read(file: &OwnedFd, first: usize, count: usize) -> Option<Vec<Entry>> {
    let mut bytes = vec![0; count * Entry::BYTES];
    read_exact_at(file, &mut bytes, (first * Entry::BYTES) as u64).ok()?;
    let entries = bytes.as_chunks::<{ Entry::BYTES }>().0.iter();
    Some(
        entries
            .map(|entry| Entry(u64::from_ne_bytes(*entry)))
            .collect(),
    )
}
