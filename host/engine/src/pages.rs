//! Linear memories that are mapped page by page, and snapshots of them.
//!
//! Between two entries the stack of a guest is empty, so its linear memory is all of its state. A memory is mapped from the
//! image of the guest and copied where it is written; what differs from the image is a [`Snapshot`], from which another
//! memory is mapped that is the same to the last byte. The data section of the guest is cut out of its code for that
//! ([`image`]), since the engine initialises only memories of its own by mapping.
//!
//! Needs Linux, pages of 4 KiB and wide memories. Everywhere else the engine's own memories are used, and sessions are
//! written by the interpreter.

pub mod image;
mod page_map;
mod region;
mod snapshot;
mod stacks;
#[cfg(test)]
mod tests;
mod texts;
mod unmapped;

use std::cell::RefCell;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use wasmtime::{Config, LinearMemory, MemoryCreator, MemoryType, Store};

use crate::reservation::Reservation;
pub use crate::unmapped::{PAGE, Unmapped};
use image::Image;
use region::Region;
pub use snapshot::{Kept, Snapshot};
use stacks::Stacks;
pub use texts::SharedText;

/// Memories that wait for their next instance, at the most, where no pool is laid out.
const KEPT_MEMORIES: usize = 16;

/// Image, free memories and sizes that all memories of one engine share.
#[derive(Debug)]
pub struct Pages {
    image: OnceLock<Image>,
    /// Memories without an instance, as they were when they were made.
    free: Mutex<Vec<Reservation>>,
    most_free: usize,
    stack_bytes: usize,
    /// Bytes with which a memory begins, once there was one.
    minimum: OnceLock<usize>,
}

/// The memory of an instance that is about to be made: what it is mapped from, and where it is found afterwards.
#[derive(Clone, Debug, Default)]
pub struct Order {
    from: Option<Arc<Snapshot>>,
    made: Arc<OnceLock<Memory>>,
}

/// The linear memory of an instance.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Region>);

impl PartialEq for Pages {
    /// Compares identities.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Pages {}

thread_local! {
    /// The order of the memory that this thread makes next.
    static NEXT: RefCell<Option<Order>> = const { RefCell::new(None) };
}

impl Pages {
    /// Returns pages for an engine, with a pool of so many memories if one is laid out. None where the pages of this system
    /// have another size. Memories begin with a stack of so many bytes, which is empty between two entries.
    pub fn new(pool: Option<u32>, stack_bytes: usize) -> Option<Arc<Self>> {
        page_map::prepare();
        let most_free = pool.map_or(KEPT_MEMORIES, |sessions| sessions as usize);
        (rustix::param::page_size() == PAGE).then(|| {
            Arc::new(Self {
                image: OnceLock::new(),
                free: Mutex::default(),
                most_free,
                stack_bytes,
                minimum: OnceLock::new(),
            })
        })
    }

    /// Returns the bytes of the stack with which memories begin.
    pub fn stack_bytes(&self) -> usize {
        self.stack_bytes
    }

    /// Sets what fresh memories are mapped from. The first image stays.
    pub fn set_image(&self, image: Image) {
        let _ = self.image.set(image);
    }

    /// Configures an engine to map its memories from these pages.
    pub(crate) fn configure(self: &Arc<Self>, config: &mut Config, pool: Option<u32>) {
        config
            .with_host_memory(Arc::new(Creator(Arc::clone(self))))
            .with_host_stack(Arc::new(Stacks::new(pool)));
    }

    /// Returns what a page of a fresh memory holds, by its address.
    fn initial(&self, at: usize) -> &[u8; PAGE] {
        const ZEROS: [u8; PAGE] = [0; PAGE];
        let image = self.image.get().and_then(|image| {
            let at = at.checked_sub(image.start)?;
            image.bytes().get(at..)?.first_chunk()
        });
        image.unwrap_or(&ZEROS)
    }

    fn take_free(&self) -> Option<Reservation> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.pop()
    }

    /// Keeps a memory that is as it was when it was made.
    fn give_back(&self, reservation: Reservation) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < self.most_free {
            free.push(reservation);
        }
    }
}

impl Order {
    /// Returns an order for a memory as `snapshot` has it.
    pub fn from(snapshot: &Arc<Snapshot>) -> Self {
        Self {
            from: Some(Arc::clone(snapshot)),
            made: Arc::default(),
        }
    }

    /// Places the order: the memory that this thread makes next is of this kind. A limiter does so when it is asked for the
    /// first bytes, since that happens just before the memory is made.
    pub fn place(&self) {
        NEXT.set(Some(self.clone()));
    }

    /// Returns the memory, if it was made.
    pub fn memory(&self) -> Option<Memory> {
        self.made.get().cloned()
    }
}

impl Memory {
    /// Returns its size in bytes.
    pub fn byte_size(&self) -> usize {
        self.0.byte_size()
    }

    /// Returns whether all of it is there. A memory that is not must be dropped.
    pub fn is_whole(&self) -> bool {
        self.0.is_whole()
    }

    /// Takes a snapshot. `store` is that of the instance, whose guest cannot run meanwhile, and must be at rest between two
    /// entries. Pages that are of one of `texts` are those of the text, which all memories share. `keep` is called with the
    /// bytes that the snapshot holds beside earlier ones, and with those of each text that no snapshot had; what it returns is
    /// dropped with those bytes. The memory may not be [whole](Self::is_whole) afterwards, if the system is short of mappings.
    ///
    /// # Errors
    ///
    /// The system's, if there is no memory for it.
    pub fn snapshot<T>(
        &self,
        _store: &mut Store<T>,
        texts: &[Arc<SharedText>],
        mut keep: impl FnMut(u64) -> Kept,
    ) -> io::Result<Snapshot> {
        Snapshot::take(&self.0, texts, &mut keep)
    }
}

struct HostMemory(Arc<Region>);

/// Makes the memories of an engine.
#[derive(Debug)]
struct Creator(Arc<Pages>);

#[expect(
    unsafe_code,
    reason = "the engine has no safe way to be given a memory"
)]
// SAFETY: `byte_size` bytes from `as_ptr` on can be read and written, the rest up to the end of the reservation and of the
// guard pages cannot be accessed, and nothing moves while the region lives.
unsafe impl LinearMemory for HostMemory {
    fn byte_size(&self) -> usize {
        self.0.byte_size()
    }

    fn byte_capacity(&self) -> usize {
        self.0.byte_capacity()
    }

    fn grow_to(&mut self, new_size: usize) -> wasmtime::Result<()> {
        Ok(self.0.grow_to(new_size)?)
    }

    fn as_ptr(&self) -> *mut u8 {
        self.0.as_ptr()
    }
}

#[expect(
    unsafe_code,
    reason = "the engine has no safe way to be given a memory"
)]
// SAFETY: a region reserves what is asked for and the guard after it, and holds zeros but for the image of the guest, which
// is what the engine would have copied there.
unsafe impl MemoryCreator for Creator {
    fn new_memory(
        &self,
        _ty: MemoryType,
        minimum: usize,
        _maximum: Option<usize>,
        reserved_size_in_bytes: Option<usize>,
        guard_size_in_bytes: usize,
    ) -> Result<Box<dyn LinearMemory>, String> {
        let order = NEXT.take().unwrap_or_default();
        if order.memory().is_some() {
            return Err(String::from("an instance has more than one memory"));
        }
        let capacity = reserved_size_in_bytes
            .filter(|bytes| *bytes >= minimum)
            .ok_or("the engine reserves too little for a memory")?;
        let reservation = (capacity, guard_size_in_bytes);
        let region = Region::new(&self.0, minimum, reservation, order.from.as_deref());
        let region = Arc::new(region.map_err(|error| error.to_string())?);
        let _ = order.made.set(Memory(Arc::clone(&region)));
        Ok(Box::new(HostMemory(region)))
    }
}

/// Returns a file in memory, to be written and then [sealed](seal).
fn anonymous_file() -> io::Result<OwnedFd> {
    use rustix::fs::MemfdFlags;
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let name = c"rlm-sandbox pages";
    // Kernels before 6.3 do not know the third flag.
    let file = rustix::fs::memfd_create(name, flags | MemfdFlags::NOEXEC_SEAL);
    Ok(file.or_else(|_| rustix::fs::memfd_create(name, flags))?)
}

/// Makes a file in memory one that nothing can write any more.
fn seal(file: &OwnedFd) -> io::Result<()> {
    use rustix::fs::SealFlags;
    let all = SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
    Ok(rustix::fs::fcntl_add_seals(file, all)?)
}

/// Writes all of `bytes` at an offset.
fn write_all_at(file: &OwnedFd, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = rustix::io::pwrite(file, bytes, offset)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        (bytes, offset) = (&bytes[written..], offset + written as u64);
    }
    Ok(())
}

fn read_exact_at(file: &OwnedFd, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = rustix::io::pread(file, &mut *bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (bytes, offset) = (&mut bytes[read..], offset + read as u64);
    }
    Ok(())
}
