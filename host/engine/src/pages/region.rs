//! Memories of instances: mapped from files, grown, and given back.

use std::ffi::c_void;
use std::io;
use std::os::fd::OwnedFd;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use super::snapshot::{Run, Snapshot, Store};
use super::{PAGE, Pages, page_map};
use crate::reservation::{Reservation, page_error};

/// Memory mappings that snapshots may take in one process, of the 65,530 that Linux allows by default. Beyond that pages are
/// copied.
const MOST_MAPPINGS: usize = 16 << 10;
static MAPPINGS: AtomicUsize = AtomicUsize::new(0);
/// Runs of one memory that are mapped, at the most, so that no session takes all mappings.
const MOST_RUNS: usize = 256;

/// A part of a file, to be read.
#[derive(Debug)]
pub(crate) struct View {
    at: *const c_void,
    length: usize,
}

#[expect(unsafe_code, reason = "it owns what it points to")]
// SAFETY: nothing writes to the mapping.
unsafe impl Send for View {}
#[expect(unsafe_code, reason = "it owns what it points to")]
// SAFETY: nothing writes to the mapping.
unsafe impl Sync for View {}

#[expect(unsafe_code, reason = "mappings are made by system calls")]
impl View {
    pub(crate) fn new(file: &OwnedFd, offset: u64, length: usize) -> io::Result<Self> {
        // SAFETY: a new mapping, at an address that the system chooses.
        let at = unsafe {
            mmap(
                null_mut(),
                length,
                ProtFlags::READ,
                MapFlags::PRIVATE,
                file,
                offset,
            )?
        };
        Ok(Self { at, length })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping has so many bytes, which nothing writes while this lives.
        unsafe { std::slice::from_raw_parts(self.at.cast(), self.length) }
    }
}

#[expect(unsafe_code, reason = "mappings are removed by system calls")]
impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's, and no reference into it is left.
        if let Err(error) = unsafe { munmap(self.at.cast_mut(), self.length) } {
            page_error("address space cannot be given back", &error.into());
        }
    }
}

/// A linear memory.
#[derive(Debug)]
pub(crate) struct Region {
    /// Address space; none once it was given back.
    reservation: Option<Reservation>,
    capacity: usize,
    minimum: usize,
    size: AtomicUsize,
    /// Runs that are mapped from snapshots, by address. Where they are not written they differ from the image, and the page
    /// map does not tell.
    mapped: Mutex<Vec<Mapped>>,
    /// Set once a part was mapped from a snapshot. Pages there that are given back are those of the snapshot again, also after
    /// all of them were written.
    was_mapped: AtomicBool,
    /// Unset once the system has refused a mapping, which may leave a hole.
    is_whole: AtomicBool,
    pub(super) pages: Arc<Pages>,
}

/// Pages that are mapped from a snapshot.
#[derive(Clone, Debug)]
pub(crate) struct Mapped {
    /// Number of the first one in memory.
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) store: Arc<Store>,
    /// Number of the first one in the store.
    pub(crate) at: u32,
    _counted: CountedMapping,
}

/// A run that counts in [`MAPPINGS`] while it lives.
#[derive(Debug)]
struct CountedMapping;

impl CountedMapping {
    /// A run may split the mapping around it.
    const MAPPINGS: usize = 2;

    fn new() -> Option<Self> {
        let before = MAPPINGS.fetch_add(Self::MAPPINGS, Ordering::Relaxed);
        let counted = Self;
        (before < MOST_MAPPINGS).then_some(counted)
    }
}

impl Clone for CountedMapping {
    fn clone(&self) -> Self {
        MAPPINGS.fetch_add(Self::MAPPINGS, Ordering::Relaxed);
        Self
    }
}

impl Drop for CountedMapping {
    fn drop(&mut self) {
        MAPPINGS.fetch_sub(Self::MAPPINGS, Ordering::Relaxed);
    }
}

impl Pages {
    /// Maps the image into a memory of so many bytes.
    fn map_image(&self, reservation: &Reservation, minimum: usize) -> io::Result<()> {
        let Some(image) = self.image.get() else {
            return Ok(());
        };
        let end = image.start + image.bytes().len();
        if end > minimum {
            return Err(io::Error::other("the image is larger than the memory"));
        }
        reservation.map(image.start..end, &image.file, image.offset)
    }
}

impl Region {
    /// Makes a memory of `minimum` bytes, or as large and with the content of a snapshot, in a reservation of so many bytes
    /// and a guard behind it.
    pub(crate) fn new(
        pages: &Arc<Pages>,
        minimum: usize,
        (capacity, guard): (usize, usize),
        from: Option<&Snapshot>,
    ) -> io::Result<Self> {
        let _ = pages.minimum.set(minimum);
        let total = capacity
            .checked_add(guard)
            .ok_or(io::ErrorKind::OutOfMemory)?;
        let free = pages.take_free().filter(|free| free.bytes() == total);
        let reservation = match free {
            Some(free) => free,
            None => {
                let reservation = Reservation::new(total)?;
                reservation.open(0..minimum)?;
                pages.map_image(&reservation, minimum)?;
                reservation
            }
        };
        let mut region = Self {
            reservation: Some(reservation),
            capacity,
            minimum,
            size: AtomicUsize::new(minimum),
            mapped: Mutex::default(),
            was_mapped: AtomicBool::new(false),
            is_whole: AtomicBool::new(true),
            pages: Arc::clone(pages),
        };
        if let Some(snapshot) = from {
            region.fill(snapshot)?;
        }
        Ok(region)
    }

    fn fill(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        if snapshot.size() < self.minimum {
            return Err(io::Error::other("a snapshot is smaller than its memory"));
        }
        self.grow_to(snapshot.size())?;
        for run in snapshot.runs() {
            let count = self.mapped().len();
            if let Some(mapped) = self.map(run, count)? {
                self.mapped().push(mapped);
                continue;
            }
            let bytes = self.bytes_of(run.first, run.count);
            run.store.read(run.at, bytes)?;
        }
        Ok(())
    }

    /// Maps a run, if that is less work than to copy it. `count` runs of the memory are mapped already.
    fn map(&self, run: &Run, count: usize) -> io::Result<Option<Mapped>> {
        let is_mapped = run.is_long() && count < MOST_RUNS;
        let Some(file) = run.store.file().filter(|_| is_mapped) else {
            return Ok(None);
        };
        let Some(counted) = CountedMapping::new() else {
            return Ok(None);
        };
        #[cfg(test)]
        match REFUSAL.get() {
            Some(Refusal::Count) => return Ok(None),
            Some(Refusal::System) => {
                self.is_whole.store(false, Ordering::Relaxed);
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            None => {}
        }
        let start = run.first as usize * PAGE;
        let range = start..start + run.count as usize * PAGE;
        let offset = u64::from(run.at) * PAGE as u64;
        self.was_mapped.store(true, Ordering::Relaxed);
        if let Err(error) = self.reservation().map(range, file, offset) {
            self.is_whole.store(false, Ordering::Relaxed);
            return Err(error);
        }
        Ok(Some(Mapped {
            first: run.first,
            count: run.count,
            store: Arc::clone(&run.store),
            at: run.at,
            _counted: counted,
        }))
    }

    /// Maps the long runs of a snapshot of this very memory in their place, so that its pages are there once, and the next
    /// snapshot holds what is written until then. Pages that were mapped from earlier ones and were copied are the memory's
    /// own afterwards: what is mapped and what is listed as mapped is the same.
    ///
    /// # Errors
    ///
    /// The system's; the memory is of no use any more then.
    pub(crate) fn map_onto(&self, snapshot: &Snapshot) -> io::Result<()> {
        let mut all = self.mapped();
        let mut now: Vec<Mapped> = Vec::new();
        for run in snapshot.runs() {
            let here = all.iter().find(|mapped| {
                Arc::ptr_eq(&mapped.store, &run.store)
                    && mapped.first <= run.first
                    && run.first + run.count <= mapped.first + mapped.count
                    && run.at - mapped.at == run.first - mapped.first
            });
            if let Some(here) = here.filter(|_| now.len() < MOST_RUNS) {
                now.push(Mapped {
                    first: run.first,
                    count: run.count,
                    at: run.at,
                    ..here.clone()
                });
            } else if let Some(mapped) = self.map(run, now.len())? {
                now.push(mapped);
            }
        }
        for page in all.iter().flat_map(|was| was.first..was.first + was.count) {
            // Runs are in the order of their addresses.
            let next = now.partition_point(|run| run.first + run.count <= page);
            if now.get(next).is_none_or(|run| page < run.first) {
                self.reservation().own(page as usize * PAGE);
            }
        }
        *all = now;
        Ok(())
    }

    /// Returns whether all of the memory is there.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole.load(Ordering::Relaxed)
    }

    pub(crate) fn mapped(&self) -> MutexGuard<'_, Vec<Mapped>> {
        self.mapped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reservation(&self) -> &Reservation {
        match &self.reservation {
            Some(reservation) => reservation,
            None => unreachable!("a region has its reservation until it is dropped"),
        }
    }

    pub(crate) fn byte_size(&self) -> usize {
        self.size.load(Ordering::Relaxed)
    }

    pub(crate) fn byte_capacity(&self) -> usize {
        self.capacity
    }

    pub(crate) fn as_ptr(&self) -> *mut u8 {
        self.reservation().at(0)
    }

    pub(crate) fn grow_to(&self, size: usize) -> io::Result<()> {
        if size > self.capacity {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let old = self.byte_size();
        if size > old {
            self.reservation().open(old..size)?;
            self.size.store(size, Ordering::Relaxed);
        }
        Ok(())
    }

    #[expect(unsafe_code, reason = "the memory is behind a pointer")]
    fn bytes_of(&mut self, first: u32, count: u32) -> &mut [u8] {
        let (start, length) = (first as usize * PAGE, count as usize * PAGE);
        assert!(start + length <= self.byte_size(), "pages of the memory");
        // SAFETY: they can be read and written, and no other thread has the region yet.
        unsafe { std::slice::from_raw_parts_mut(self.reservation().at(start), length) }
    }

    /// Calls `look` with the bytes from `start` on.
    ///
    /// # Safety
    ///
    /// Nothing writes to the memory meanwhile.
    #[expect(unsafe_code, reason = "the memory is behind a pointer")]
    pub(crate) unsafe fn look<T>(&self, start: usize, look: impl FnOnce(&[u8]) -> T) -> T {
        let size = self.byte_size();
        assert!(start <= size, "an address in the memory");
        let at = self.reservation().at(start);
        // SAFETY: so many bytes can be read, and the caller sees to it that nothing writes them.
        look(unsafe { std::slice::from_raw_parts(at, size - start) })
    }
}

impl Drop for Region {
    /// Keeps the reservation for the next memory, if it is as it was when it was made.
    fn drop(&mut self) {
        let Some(reservation) = self.reservation.take() else {
            return;
        };
        if !self.is_whole() {
            return;
        }
        match self.restore(&reservation) {
            Ok(()) => self.pages.give_back(reservation),
            Err(error) => page_error("a memory cannot be used again", &error),
        }
    }
}

/// Reason for which runs are not mapped in a test.
#[cfg(test)]
#[derive(Clone, Copy)]
pub(super) enum Refusal {
    /// The count of mappings.
    Count,
    System,
}

#[cfg(test)]
thread_local! {
    pub(super) static REFUSAL: std::cell::Cell<Option<Refusal>> = const { std::cell::Cell::new(None) };
}

/// Bytes at the upper end of the stack that most scripts write.
const SHALLOW_BYTES: usize = 128 << 10;
/// Pages of a memory that stay when it is given back, at the most. They are written over, so that its next instance need
/// not fault them in, and no other processor is interrupted.
const KEPT_PAGES: usize = 128;

impl Region {
    /// Makes the memory what it was at first.
    fn restore(&self, reservation: &Reservation) -> io::Result<()> {
        let (size, minimum) = (self.byte_size(), self.minimum);
        let stack = self.pages.stack_bytes.min(minimum);
        // Where what may be written over ends.
        let mut end = minimum;
        if self.was_mapped.load(Ordering::Relaxed) {
            // Snapshots have no pages of the stack.
            end = stack;
            reservation.replace(stack..size)?;
            reservation.open(stack..minimum)?;
            self.pages.map_image(reservation, minimum)?;
        } else if size > minimum {
            reservation.forget(minimum..size)?;
            reservation.close(minimum..size)?;
        }
        let deep = stack.saturating_sub(SHALLOW_BYTES);
        if deep > 0 {
            reservation.forget(0..deep)?;
        }
        let (first, count) = (reservation.at(deep) as usize / PAGE, (end - deep) / PAGE);
        let Some(entries) = page_map::entries(first, count) else {
            return reservation.forget(deep..end);
        };
        let own = || (0..count).filter(|number| entries[*number].is_own());
        if own().count() > KEPT_PAGES {
            return reservation.forget(deep..end);
        }
        for at in own().map(|number| deep + number * PAGE) {
            reservation.write_page(at, self.pages.initial(at));
        }
        Ok(())
    }
}
