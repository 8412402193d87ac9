//! Address space: reserved, opened, moved, mapped from files, and given back.

use std::ffi::c_void;
use std::io;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::ptr::null_mut;

use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, MprotectFlags, MremapFlags, ProtFlags};
use rustix::mm::{madvise, mmap, mmap_anonymous, mprotect, mremap, munmap};

use crate::unmapped::PAGE;

/// Address space with one owner.
#[derive(Debug)]
pub(crate) struct Reservation {
    base: *mut c_void,
    bytes: usize,
}

#[expect(unsafe_code, reason = "it owns what it points to")]
// SAFETY: nothing else points to the mapping, which no thread has a part in.
unsafe impl Send for Reservation {}
#[expect(unsafe_code, reason = "it owns what it points to")]
// SAFETY: through a shared reference only mappings change, by system calls.
unsafe impl Sync for Reservation {}

#[expect(unsafe_code, reason = "mappings are made by system calls")]
impl Reservation {
    /// Reserves so many bytes that cannot be accessed.
    pub(crate) fn new(bytes: usize) -> io::Result<Self> {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new mapping, at an address that the system chooses.
        let base = unsafe { mmap_anonymous(null_mut(), bytes, ProtFlags::empty(), flags)? };
        Ok(Self { base, bytes })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the address of a byte, or that of the end.
    pub(crate) fn at(&self, offset: usize) -> *mut u8 {
        assert!(offset <= self.bytes, "an offset within the reservation");
        // SAFETY: it is within the mapping, or at its end.
        unsafe { self.base.cast::<u8>().add(offset) }
    }

    /// Makes it `bytes` long, of which the first `kept` are as they are and all others cannot be accessed. It may be elsewhere
    /// then. Nothing is there twice meanwhile, unless the system has the first ones in several mappings.
    ///
    /// # Errors
    ///
    /// Those of the system, if there is too little address space; the reservation is as it was then.
    pub(crate) fn enlarge(&mut self, kept: usize, bytes: usize) -> io::Result<()> {
        assert!(kept > 0 && kept < self.bytes.min(bytes), "a part of both");
        // SAFETY: the part is within the mapping that this owns, and the caller has it alone. What lies behind it is still
        // mapped, so the system moves it.
        let moved = unsafe { mremap(self.base, kept, bytes, MremapFlags::MAYMOVE) };
        let base = match moved {
            Ok(base) => base,
            Err(Errno::FAULT) => return self.copy(kept, bytes),
            Err(error) => return Err(error.into()),
        };
        // SAFETY: `bytes` is more than `kept`, and the rest of the old mapping is this one's, with nothing in it.
        let given_back = unsafe { munmap(self.base.byte_add(kept), self.bytes - kept) };
        if let Err(error) = given_back {
            page_error("address space cannot be given back", &error.into());
        }
        (self.base, self.bytes) = (base, bytes);
        if let Err(error) = self.close(kept..bytes) {
            // A guest could read and write beyond its memory.
            page_error("a memory has no guard, so the process ends", &error);
            std::process::abort();
        }
        Ok(())
    }

    /// Does what [`Self::enlarge`] does by copying.
    fn copy(&mut self, kept: usize, bytes: usize) -> io::Result<()> {
        let other = Self::new(bytes)?;
        other.open(0..kept)?;
        // SAFETY: both parts can be read and written, and are of two mappings.
        unsafe { other.at(0).copy_from_nonoverlapping(self.at(0), kept) };
        *self = other;
        Ok(())
    }

    fn part(&self, range: &Range<usize>) -> (*mut c_void, usize) {
        assert!(
            range.start <= range.end && range.end <= self.bytes,
            "a part of the reservation"
        );
        (self.at(range.start).cast(), range.end - range.start)
    }

    /// Lets a part be read and written.
    pub(crate) fn open(&self, range: Range<usize>) -> io::Result<()> {
        let (at, length) = self.part(&range);
        let flags = MprotectFlags::READ | MprotectFlags::WRITE;
        // SAFETY: the part is within the mapping that this owns.
        unsafe { mprotect(at, length, flags)? };
        Ok(())
    }

    /// Lets nothing access a part.
    pub(crate) fn close(&self, range: Range<usize>) -> io::Result<()> {
        let (at, length) = self.part(&range);
        // SAFETY: the part is within the mapping that this owns, and the caller that gives it back does not use it any more.
        unsafe { mprotect(at, length, MprotectFlags::empty())? };
        Ok(())
    }

    /// Reserves a part anew, without its content.
    pub(crate) fn replace(&self, range: Range<usize>) -> io::Result<()> {
        let (at, length) = self.part(&range);
        let flags = MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE;
        // SAFETY: as `close`.
        unsafe { mmap_anonymous(at, length, ProtFlags::empty(), flags)? };
        Ok(())
    }

    /// Gives the pages of a part back: those of a file are as in the file again, all others zero.
    pub(crate) fn forget(&self, range: Range<usize>) -> io::Result<()> {
        let (at, length) = self.part(&range);
        // SAFETY: as `close`.
        unsafe { madvise(at, length, Advice::LinuxDontNeed)? };
        Ok(())
    }

    /// Writes over a page that can be written.
    pub(crate) fn write_page(&self, offset: usize, content: &[u8; PAGE]) {
        let (at, length) = self.part(&(offset..offset + PAGE));
        // SAFETY: the page is within the mapping that this owns, and no instance has a part in it any more.
        unsafe {
            at.cast::<u8>()
                .copy_from_nonoverlapping(content.as_ptr(), length)
        };
    }

    /// Makes a page that can be written the mapping's own, if it is one of a file that was not written yet.
    pub(crate) fn own(&self, offset: usize) {
        let (at, _) = self.part(&(offset..offset + PAGE));
        let at = at.cast::<u8>();
        // SAFETY: the page is within the mapping that this owns, and no guest runs; what it holds stays.
        unsafe { at.write_volatile(at.read_volatile()) };
    }

    /// Maps a part from a file; what is written stays here.
    pub(crate) fn map(&self, range: Range<usize>, file: &OwnedFd, offset: u64) -> io::Result<()> {
        let (at, length) = self.part(&range);
        let flags = MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: it takes the place of a part of the mapping that this owns, and the file is sealed, or one that only this
        // user can write.
        unsafe { mmap(at, length, access, flags, file, offset)? };
        Ok(())
    }
}

#[expect(unsafe_code, reason = "mappings are removed by system calls")]
impl Drop for Reservation {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's, and nothing uses it any more.
        if let Err(error) = unsafe { munmap(self.base, self.bytes) } {
            page_error("address space cannot be given back", &error.into());
        }
    }
}

/// Notes a refusal of the system where no caller can be given an error.
pub(crate) fn page_error(what: &str, error: &io::Error) {
    tracing::warn!(target: "rlm_sandbox", "{what}: {error}");
}
