//! The pages of a memory that differ from the image.

use std::any::Any;
use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use rustix::process::Resource;

use super::page_map::{Entry, entries};
use super::region::{Mapped, Region};
use super::texts::{self, SharedText};
use super::{PAGE, anonymous_file, seal, write_all_at};

/// Pages of a run that is mapped and not copied: with fewer, a system call and the faults that follow take longer.
const LONG_RUN: u32 = 16;
/// Pages in long runs for which a file is made.
const FILE_PAGES: u32 = 128;
/// Stores that a snapshot refers to, at the most. One that needs more copies all.
const MOST_STORES: usize = 8;

/// Account of bytes that are held, dropped with them.
pub type Kept = Box<dyn Any + Send + Sync>;

/// The state of a memory at one moment, as far as it differs from the image.
#[derive(Debug)]
pub struct Snapshot {
    size: usize,
    runs: Vec<Run>,
    /// Pages that it holds beside earlier ones.
    own: u32,
}

/// Pages that follow each other, in memory and in a store.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Number of the first one in memory.
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) store: Arc<Store>,
    /// Number of the first one in the store.
    pub(crate) at: u32,
}

/// Pages of one snapshot, or of a text, to which later ones may refer.
pub(crate) struct Store {
    pages: u32,
    data: Data,
    is_text: bool,
    _kept: Kept,
}

pub(super) enum Data {
    Bytes(Vec<u8>),
    File(OwnedFd, CountedFile),
}

/// A file of a snapshot, which counts while it lives.
pub(super) struct CountedFile;

static FILES: AtomicUsize = AtomicUsize::new(0);

impl CountedFile {
    pub(super) fn new() -> Option<Self> {
        let before = FILES.fetch_add(1, Ordering::Relaxed);
        let counted = Self;
        (before < most_files()).then_some(counted)
    }
}

impl Drop for CountedFile {
    fn drop(&mut self) {
        FILES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns how many files of snapshots the process may have open: a quarter of all that it may.
fn most_files() -> usize {
    static MOST: OnceLock<usize> = OnceLock::new();
    *MOST.get_or_init(|| {
        let most = rustix::process::getrlimit(Resource::Nofile).current;
        most.map_or(16 << 10, |most| (most / 4).min(16 << 10) as usize)
    })
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("pages", &self.pages)
            .finish_non_exhaustive()
    }
}

impl Run {
    /// Returns whether it is mapped where it can be.
    pub(crate) fn is_long(&self) -> bool {
        self.count >= LONG_RUN
    }
}

impl Data {
    /// Keeps the pages of these stretches, in a file where long ones are many.
    pub(super) fn of(bytes: Vec<u8>, stretches: &[(u32, u32)]) -> Self {
        let counts = stretches.iter().map(|(_, count)| *count);
        let parts = [&bytes[..]].into_iter();
        Self::in_file(counts, parts).unwrap_or(Self::Bytes(bytes))
    }

    /// Returns pages in a file, if enough of them are in long runs. What refuses a file, as a limit on the size of files, may
    /// not refuse memory.
    fn in_file<'a>(
        counts: impl Iterator<Item = u32>,
        parts: impl Iterator<Item = &'a [u8]>,
    ) -> Option<Self> {
        let long: u32 = counts.filter(|count| *count >= LONG_RUN).sum();
        if long < FILE_PAGES {
            return None;
        }
        let counted = CountedFile::new()?;
        let file = write_file(parts).ok()?;
        Some(Self::File(file, counted))
    }
}

impl Store {
    pub(super) fn new(pages: u32, data: Data, kept: Kept) -> Self {
        Self {
            pages,
            data,
            is_text: false,
            _kept: kept,
        }
    }

    /// Returns the pages of a text, which memories share however many other stores they refer to.
    pub(super) fn of_text(pages: u32, data: Data, kept: Kept) -> Self {
        Self {
            is_text: true,
            ..Self::new(pages, data, kept)
        }
    }

    pub(crate) fn file(&self) -> Option<&OwnedFd> {
        match &self.data {
            Data::File(file, _) => Some(file),
            Data::Bytes(_) => None,
        }
    }

    /// Copies pages from number `at` on.
    pub(crate) fn read(&self, at: u32, into: &mut [u8]) -> io::Result<()> {
        let start = at as usize * PAGE;
        match &self.data {
            Data::File(file, _) => super::read_exact_at(file, into, start as u64),
            Data::Bytes(bytes) => {
                into.copy_from_slice(&bytes[start..start + into.len()]);
                Ok(())
            }
        }
    }
}

/// Place of the content of a page.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// The image, or no place: zeros.
    Image,
    /// The memory alone.
    Memory,
    /// The store of the mapped run with this number.
    Store(usize),
    /// The text that was found with this number.
    Text(usize),
}

impl Snapshot {
    pub(super) fn new(size: usize, runs: Vec<Run>) -> Self {
        let own = runs.iter().map(|run| run.count).sum();
        Self { size, runs, own }
    }

    /// Returns the size of the memory in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Returns the bytes of all its pages, those that it shares with other snapshots included.
    pub fn bytes(&self) -> u64 {
        let pages = self.runs.iter().map(|run| u64::from(run.count));
        pages.sum::<u64>() * PAGE as u64
    }

    /// Returns the bytes of the pages that it holds beside earlier snapshots.
    pub fn own_bytes(&self) -> u64 {
        u64::from(self.own) * PAGE as u64
    }

    /// Takes a snapshot of a memory that nothing writes meanwhile. The memory is mapped from it then, where that saves
    /// memory; where the system refuses that, it is [not whole](Region::is_whole) any more.
    #[expect(unsafe_code, reason = "the memory is behind a pointer")]
    pub(super) fn take(
        region: &Region,
        texts: &[Arc<SharedText>],
        keep: &mut dyn FnMut(u64) -> Kept,
    ) -> io::Result<Self> {
        let snapshot = {
            let mapped = region.mapped();
            let start = region.pages.stack_bytes.min(region.byte_size());
            // SAFETY: the caller holds the store, so that no guest runs.
            unsafe {
                region.look(start, |memory| {
                    Self::of(memory, start, &mapped, region, texts, keep)
                })?
            }
        };
        if let Err(error) = region.map_onto(&snapshot) {
            crate::reservation::page_error("a memory was not mapped from its snapshot", &error);
        }
        Ok(snapshot)
    }

    fn of(
        memory: &[u8],
        start: usize,
        mapped: &[Mapped],
        region: &Region,
        texts: &[Arc<SharedText>],
        keep: &mut dyn FnMut(u64) -> Kept,
    ) -> io::Result<Self> {
        let entries = entries(memory.as_ptr() as usize / PAGE, memory.len() / PAGE);
        let mut places = places(memory, start, mapped, region, entries.as_deref());
        let first = (start / PAGE) as u32;
        let found = texts::find(memory, first, &mut places, texts, keep);
        let own = places.iter().filter(|place| **place == Place::Memory);
        let own = own.count() as u32;
        let mut snapshot = Self {
            size: start + memory.len(),
            runs: Vec::new(),
            own,
        };
        let store = match own {
            0 => None,
            _ => {
                let kept = keep(u64::from(own) * PAGE as u64);
                Some(Arc::new(Store::new(own, write(memory, &places)?, kept)))
            }
        };
        let mut written = 0;
        for (number, place) in (first..).zip(&places) {
            let (store, at) = match (place, &store) {
                (Place::Memory, Some(store)) => {
                    written += 1;
                    (store, written - 1)
                }
                (Place::Store(run), _) => {
                    let run = &mapped[*run];
                    (&run.store, run.at + (number - run.first))
                }
                (Place::Text(text), _) => {
                    let text = &found[*text];
                    (&text.store, number - text.first)
                }
                (Place::Image | Place::Memory, _) => continue,
            };
            match snapshot.runs.last_mut() {
                Some(run)
                    if Arc::ptr_eq(&run.store, store)
                        && run.first + run.count == number
                        && run.at + run.count == at =>
                {
                    run.count += 1;
                }
                _ => snapshot.runs.push(Run {
                    first: number,
                    count: 1,
                    store: Arc::clone(store),
                    at,
                }),
            }
        }
        Ok(snapshot)
    }
}

/// Writes the pages that are in memory alone, one after the other.
fn write(memory: &[u8], places: &[Place]) -> io::Result<Data> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (number, _) in places
        .iter()
        .enumerate()
        .filter(|(_, place)| **place == Place::Memory)
    {
        match runs.last_mut() {
            Some((first, count)) if *first + *count == number => *count += 1,
            _ => runs.push((number, 1)),
        }
    }
    let parts = || {
        runs.iter()
            .map(|(first, count)| &memory[first * PAGE..(first + count) * PAGE])
    };
    let counts = runs.iter().map(|(_, count)| *count as u32);
    if let Some(data) = Data::in_file(counts, parts()) {
        return Ok(data);
    }
    let mut bytes = Vec::new();
    let total = parts().map(<[u8]>::len).sum();
    bytes
        .try_reserve_exact(total)
        .map_err(|_| io::ErrorKind::OutOfMemory)?;
    for part in parts() {
        bytes.extend_from_slice(part);
    }
    Ok(Data::Bytes(bytes))
}

/// Writes parts one after the other into a file in memory that nothing can write afterwards.
fn write_file<'a>(parts: impl Iterator<Item = &'a [u8]>) -> io::Result<OwnedFd> {
    let file = anonymous_file()?;
    let mut offset = 0;
    for part in parts {
        write_all_at(&file, part, offset)?;
        offset += part.len() as u64;
    }
    seal(&file)?;
    Ok(file)
}

/// Returns where each page of `memory` is to be found, which is what a region has from the address `start` on.
/// `entries` is what the page map says of them.
fn places(
    memory: &[u8],
    start: usize,
    mapped: &[Mapped],
    region: &Region,
    entries: Option<&[Entry]>,
) -> Vec<Place> {
    let first = start / PAGE;
    let mut places = vec![Place::Image; memory.len() / PAGE];
    for (number, run) in mapped.iter().enumerate() {
        let at = run.first as usize - first;
        places[at..at + run.count as usize].fill(Place::Store(number));
    }
    for (number, place) in places.iter_mut().enumerate() {
        let is_own = match entries {
            Some(entries) => entries[number].is_own(),
            None => true,
        };
        if is_own {
            let page = &memory[number * PAGE..(number + 1) * PAGE];
            *place = match page == region.pages.initial(start + number * PAGE) {
                true => Place::Image,
                false => Place::Memory,
            };
        }
    }
    let is_copied = copied(mapped, &places);
    for place in &mut places {
        if let Place::Store(run) = place
            && is_copied[*run]
        {
            *place = Place::Memory;
        }
    }
    places
}

/// Returns for each mapped run whether a snapshot copies it in place of referring to its store: where that would be one of
/// many, or less than half of it is left, so that no more than twice as much is held as there is.
fn copied(mapped: &[Mapped], places: &[Place]) -> Vec<bool> {
    let mut left = vec![0_u32; mapped.len()];
    for place in places {
        if let Place::Store(run) = place {
            left[*run] += 1;
        }
    }
    let mut stores: Vec<(&Arc<Store>, u32)> = Vec::new();
    for (run, left) in mapped.iter().zip(&left).filter(|(_, left)| **left > 0) {
        let store = &run.store;
        match stores
            .iter_mut()
            .find(|(known, _)| Arc::ptr_eq(known, store))
        {
            Some((_, pages)) => *pages += left,
            None => stores.push((store, *left)),
        }
    }
    let is_few = stores.iter().filter(|(store, _)| !store.is_text).count() < MOST_STORES;
    let is_kept = |run: &Mapped| {
        let store = stores
            .iter()
            .find(|(store, _)| Arc::ptr_eq(store, &run.store));
        store.is_some_and(|(store, left)| u64::from(*left) * 2 >= u64::from(store.pages))
    };
    let runs = mapped.iter();
    runs.map(|run| !(is_few || run.store.is_text) || !is_kept(run))
        .collect()
}
