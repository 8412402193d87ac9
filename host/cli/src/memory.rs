//! Memory that contexts, journals and what clients leave in sessions take together.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use bytesize::ByteSize;
use clap::Args;
use rlm_sandbox::{Context, Journal, Look, ReaderLimits, Session};

use crate::{FILE_BYTES, usage};

/// Bytes that a context counts for on top of its name and data.
const OVERHEAD: u64 = 1024;
/// Bytes of the longest name of a context.
const NAME_BYTES: usize = 4096;
/// Files beside one journal. A recording has a file for each context, which is a few, and a session
/// of many changing contexts has thousands; looking at 100,000 takes a tenth of a second.
const DATA_FILES: usize = 100_000;
/// Bytes that are read at once from a file that is longer than it said.
const STEP: usize = 64 << 10;

/// The memory that contexts may take.
#[derive(Clone, Debug, Args)]
pub(crate) struct MemoryOptions {
    /// Memory of all contexts and journals together, and of what a client leaves in sessions:
    /// histories, inputs, functions, outputs, values that wait for an execution, restored
    /// states. More is refused
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = parse)]
    max_contexts: ByteSize,
}

fn parse(text: &str) -> std::result::Result<ByteSize, String> {
    text.parse()
        .map_err(|_| String::from("write 1GiB, 500MiB or a number of bytes"))
}

impl MemoryOptions {
    #[cfg(test)]
    pub(crate) fn of(max_contexts: ByteSize) -> Self {
        Self { max_contexts }
    }

    /// Returns the bytes that it has.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.max_contexts.as_u64()
    }

    /// The memory, all of it free. `remedy` tells a client how to free some.
    pub(crate) fn memory(&self, remedy: &'static str) -> Arc<Memory> {
        Arc::new(Memory {
            limit: self.max_contexts.as_u64(),
            used: AtomicU64::new(0),
            remedy,
        })
    }
}

/// Counts the bytes of all contexts. A context has its share until its last clone is
/// dropped, wherever a session keeps that.
#[derive(Debug)]
pub(crate) struct Memory {
    limit: u64,
    used: AtomicU64,
    remedy: &'static str,
}

/// The error of a context for which there is no memory.
#[derive(Debug)]
pub(crate) struct Full {
    name: String,
    wanted: u64,
    used: u64,
    limit: u64,
    remedy: &'static str,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no memory for `{}`: it takes {} bytes, and contexts, journals and sessions hold {} of {} bytes (--max-contexts); {}",
            self.name, self.wanted, self.used, self.limit, self.remedy
        )
    }
}

impl std::error::Error for Full {}

/// A part of the memory, which is free again when it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    memory: Arc<Memory>,
    bytes: u64,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.bytes, Ordering::AcqRel);
    }
}

impl Share {
    /// Makes the share larger by `bytes`.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is not so much left.
    pub(crate) fn grow(&mut self, name: &str, bytes: u64) -> Result<(), Full> {
        self.memory.take(name, bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Returns the bytes of the share.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes as much memory once more.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is not so much left.
    pub(crate) fn again(&self, name: &str) -> Result<Self, Full> {
        self.memory.take(name, self.bytes)?;
        Ok(Self {
            memory: Arc::clone(&self.memory),
            bytes: self.bytes,
        })
    }

    /// Makes the share smaller, if it has more than `bytes`.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        let free = self.bytes.saturating_sub(bytes);
        self.memory.used.fetch_sub(free, Ordering::AcqRel);
        self.bytes -= free;
    }
}

impl Memory {
    fn take(&self, name: &str, bytes: u64) -> Result<(), Full> {
        let taken = self
            .used
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |used| {
                used.checked_add(bytes).filter(|sum| *sum <= self.limit)
            });
        match taken {
            Ok(_) => Ok(()),
            Err(used) => Err(Full {
                name: name.chars().take(100).collect(),
                wanted: bytes,
                used,
                limit: self.limit,
                remedy: self.remedy,
            }),
        }
    }

    /// Takes the memory for a context of this name with so many bytes of data.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is not so much left, and a usage error if the name has more than
    /// 4,096 bytes.
    pub(crate) fn share(self: &Arc<Self>, name: &str, bytes: u64) -> Result<Share> {
        if name.len() > NAME_BYTES {
            return Err(usage(format!(
                "the name of a context has {} bytes; {NAME_BYTES} is the most",
                name.len()
            )));
        }
        let bytes = bytes.saturating_add(OVERHEAD + name.len() as u64);
        self.take(name, bytes)?;
        Ok(Share {
            memory: Arc::clone(self),
            bytes,
        })
    }

    /// Returns a share of no bytes.
    pub(crate) fn empty_share(self: &Arc<Self>) -> Share {
        Share {
            memory: Arc::clone(self),
            bytes: 0,
        }
    }

    /// Returns a function that takes memory in this name, and returns false if there is not so much left. All of it is
    /// free again when the function is dropped.
    pub(crate) fn account(
        self: &Arc<Self>,
        name: &'static str,
    ) -> impl Fn(u64) -> bool + Send + Sync + use<> {
        let share = Mutex::new(self.empty_share());
        move |bytes| {
            let mut share = share.lock().unwrap_or_else(PoisonError::into_inner);
            share.grow(name, bytes).is_ok()
        }
    }

    /// Counts a context that is in memory already.
    ///
    /// # Errors
    ///
    /// Those of [`share`](Self::share).
    pub(crate) fn admit(self: &Arc<Self>, context: Context) -> Result<Context> {
        let share = self.share(context.name(), context.size_bytes())?;
        Ok(context.guard(Arc::new(share)))
    }

    /// Reads an open file as the data of a context of this name. Memory is taken before
    /// anything is read, and more of it before more is read than the file said.
    ///
    /// # Errors
    ///
    /// [`Full`], the system's as [`io::Error`], `FileTooLarge` for a file of more than
    /// 512 MiB, and `WouldBlock` for a file that has nothing yet, as `/proc/kmsg`.
    pub(crate) fn read(self: &Arc<Self>, mut file: &File, name: &str) -> Result<(Vec<u8>, Share)> {
        let too_large = || {
            let message = format!("larger than {FILE_BYTES} bytes");
            io::Error::new(io::ErrorKind::FileTooLarge, message)
        };
        let size = file.metadata()?.len();
        if size > FILE_BYTES {
            return Err(too_large().into());
        }
        let mut share = self.share(name, size)?;
        never_wait(file)?;
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(usize::try_from(size)?)
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        file.take(size).read_to_end(&mut bytes)?;
        // A file may grow while it is read, and those of /proc say that they are empty.
        let mut more = vec![0; STEP];
        loop {
            let count = match file.read(&mut more) {
                Ok(0) => return Ok((bytes, share)),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            if (bytes.len() + count) as u64 > FILE_BYTES {
                return Err(too_large().into());
            }
            share.grow(name, count as u64)?;
            bytes.extend_from_slice(&more[..count]);
        }
    }
}

/// Counts the bytes of what a session keeps of requests, besides contexts, histories and values.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    bytes: u64,
}

impl Kept {
    /// Copies of a text: that of the request, and that of the session.
    const COPIES: u64 = 2;
    /// Bytes that a text counts for besides its own.
    const TEXT: u64 = 64;
    /// Bytes that a function counts for besides its texts.
    const TOOL: u64 = 512;
    /// Bytes that every session may keep without counting.
    const FREE: u64 = 4 << 10;
    /// The name of it in the error of a full memory.
    const NAME: &str = "functions, outputs and the profile of the session";

    /// Adds bytes that are kept once.
    pub(crate) fn add(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.add(Self::COPIES * (text.len() as u64 + Self::TEXT));
    }

    /// Adds a function with all its texts.
    pub(crate) fn function<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) {
        self.add(Self::TOOL);
        for text in texts {
            self.text(text);
        }
    }

    /// Takes the memory for it; none for the little that every session may keep.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is not so much left.
    pub(crate) fn share(&self, memory: &Arc<Memory>) -> Result<Option<Arc<Share>>> {
        if self.bytes <= Self::FREE {
            return Ok(None);
        }
        let share = memory.share(Self::NAME, self.bytes)?;
        Ok(Some(Arc::new(share)))
    }

    /// Takes the memory for it, all of it, in the name of what it is.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is not so much left.
    pub(crate) fn share_of(&self, name: &str, memory: &Arc<Memory>) -> Result<Share, Full> {
        let mut share = memory.empty_share();
        share.grow(name, self.bytes)?;
        Ok(share)
    }
}

/// The memory of a journal, free again when this is dropped.
#[derive(Debug)]
pub(crate) struct JournalShare {
    /// Limits under which the memory suffices.
    reader: ReaderLimits,
    share: Share,
}

impl JournalShare {
    /// Bytes of memory that a byte of a journal's lines takes, at most: lines of small values
    /// take seven.
    const FACTOR: u64 = 8;

    /// Takes the memory for the lines of the journal in this file; none if there is no file yet.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is not so much left.
    pub(crate) fn of_text(
        memory: &Arc<Memory>,
        path: &Path,
        reader: &ReaderLimits,
    ) -> Result<Self> {
        let mut reader = reader.clone();
        // A branch is read with the recordings that it begins in.
        let files = Journal::lineage(path);
        let sizes = files
            .iter()
            .map(std::fs::metadata)
            .map(|about| about.map_or(0, |about| about.len()));
        let file_bytes: u64 = sizes.fold(0, u64::saturating_add);
        // A file that grows, or that is too large, is refused by its reader.
        if file_bytes <= reader.file_bytes {
            reader.file_bytes = file_bytes;
        }
        let bytes = file_bytes.min(reader.file_bytes);
        Self::new(memory, path, reader, bytes.saturating_mul(Self::FACTOR))
    }

    /// Takes the memory for the contexts that lie beside the journal in this file: all files of its
    /// folder of data, up to [`ReaderLimits::data_bytes`]. Returns their bytes, too.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is not so much left, and a usage error for a folder that cannot be listed
    /// or has more than 100,000 files.
    pub(crate) fn of_data(
        memory: &Arc<Memory>,
        path: &Path,
        reader: &ReaderLimits,
    ) -> Result<(Self, u64)> {
        let mut bytes = 0_u64;
        for file in Journal::lineage(path) {
            bytes = bytes.saturating_add(data_bytes(&file, reader)?);
        }
        // No more is read, whatever else lies there.
        let bytes = bytes.min(reader.data_bytes);
        Ok((Self::new(memory, path, reader.clone(), bytes)?, bytes))
    }

    fn new(memory: &Arc<Memory>, path: &Path, reader: ReaderLimits, bytes: u64) -> Result<Self> {
        let name = path.display().to_string();
        Ok(Self {
            reader,
            share: memory.share(&name, bytes)?,
        })
    }

    /// Takes the memory for unpacking the session that the journal begins with, which is there twice meanwhile.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is not so much left.
    pub(crate) fn unpack(&mut self, bytes: u64) -> Result<(), Full> {
        self.share.grow(
            "a session that a journal begins with",
            bytes.saturating_mul(2),
        )
    }

    /// Returns the limits under which the memory suffices.
    pub(crate) fn reader_limits(&self) -> ReaderLimits {
        self.reader.clone()
    }
}

/// Returns the bytes of all files beside a journal, up to those that a reader takes.
fn data_bytes(path: &Path, reader: &ReaderLimits) -> Result<u64> {
    let mut folder = path.as_os_str().to_owned();
    folder.push(".data");
    let mut bytes = 0_u64;
    let files = match std::fs::read_dir(&folder) {
        Ok(files) => Some(files),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            return Err(usage(format!(
                "cannot list {}, and a journal counts with all that lies beside it: {error}",
                Path::new(&folder).display()
            )));
        }
    };
    for (number, file) in files.into_iter().flatten().flatten().enumerate() {
        if number == DATA_FILES {
            return Err(usage(format!(
                "more than {DATA_FILES} files lie beside {}, and a journal of them cannot be restored; remove \
                 those that it does not name",
                path.display()
            )));
        }
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        bytes = bytes.saturating_add(size);
        if bytes >= reader.data_bytes {
            break;
        }
    }
    Ok(bytes)
}

/// Makes reads of a file fail that would wait for data. Those of regular files do not wait, except
/// of a few in `/proc` and `/sys`.
#[cfg(unix)]
pub(crate) fn never_wait(file: &File) -> io::Result<()> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let flags = fcntl_getfl(file)?;
    Ok(fcntl_setfl(file, flags | OFlags::NONBLOCK)?)
}

#[cfg(not(unix))]
pub(crate) fn never_wait(_file: &File) -> io::Result<()> {
    Ok(())
}

/// Frees what a session keeps of contexts that were dropped, to repeat what read them: the session
/// is written down, and read back. What cannot be freed stays counted.
pub(crate) async fn free(session: &mut Session) {
    if session.park().await.is_ok() {
        let _ = session.variables(Look::reprs(0)).await;
    }
}

/// Makes a context of text, or of bytes if they are not UTF-8, which has `share`.
pub(crate) fn context(name: &str, bytes: Vec<u8>, share: Share) -> Context {
    let context = match String::from_utf8(bytes) {
        Ok(text) => Context::text(name, text),
        Err(error) => Context::bytes(name, error.into_bytes()),
    };
    context.guard(Arc::new(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_counted_until_the_last_clone_is_dropped() {
        let options = MemoryOptions {
            max_contexts: ByteSize(10_000),
        };
        let memory = options.memory("free some");
        let admit = |name: &str, bytes: usize| memory.admit(Context::text(name, "x".repeat(bytes)));
        let first = admit("a", 5000).expect("fits");
        let clone = first.clone();
        let error = admit("b", 5000).expect_err("no room").to_string();
        assert!(
            error.contains("`b`") && error.contains("free some"),
            "{error}"
        );
        drop(first);
        assert!(admit("b", 5000).is_err());
        drop(clone);
        let second = admit("b", 10_000 - 1024 - 1).expect("fits exactly");
        assert!(admit("", 0).is_err());
        drop(second);
        assert!(admit(&"n".repeat(NAME_BYTES + 1), 0).is_err());
        assert_eq!(memory.used.load(Ordering::Acquire), 0);
    }

    #[test]
    fn every_file_beside_a_journal_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.jsonl");
        let data = folder.path().join("run.jsonl.data");
        std::fs::create_dir(&data).expect("made");
        let (file, reader) = (data.join("first"), ReaderLimits::default());
        std::fs::write(&file, "0123456789").expect("written");
        for number in 1..10_100 {
            std::fs::hard_link(&file, data.join(number.to_string())).expect("linked");
        }
        let memory = MemoryOptions::of(ByteSize::mib(1)).memory("");
        let (share, counted) = JournalShare::of_data(&memory, &path, &reader).expect("fits");
        let used = memory.used.load(Ordering::Acquire);
        assert!((101_000..110_000).contains(&used), "{used}");
        assert_eq!(counted, 101_000);
        drop(share);
        let memory = MemoryOptions::of(ByteSize(101_000)).memory("");
        let refused = JournalShare::of_data(&memory, &path, &reader);
        assert!(refused.expect_err("no room").is::<Full>());
        // A reader takes no more than its own limit.
        let mut reader = reader;
        reader.data_bytes = 50_000;
        let (share, counted) = JournalShare::of_data(&memory, &path, &reader).expect("fits");
        let used = memory.used.load(Ordering::Acquire);
        assert!((50_000..60_000).contains(&used), "{used}");
        assert_eq!(counted, 50_000);
        drop(share);
        // A folder that cannot be listed is no empty one.
        let other = folder.path().join("other.jsonl");
        std::fs::write(folder.path().join("other.jsonl.data"), "").expect("written");
        let refused = JournalShare::of_data(&memory, &other, &reader);
        let error = refused.expect_err("no folder").to_string();
        assert!(error.contains("cannot list"), "{error}");
        // And looks at no more files than there can be.
        for number in 10_100..=DATA_FILES {
            std::fs::File::create(data.join(number.to_string())).expect("made");
        }
        reader.data_bytes = u64::MAX;
        let refused = JournalShare::of_data(&memory, &path, &reader);
        let error = refused.expect_err("too many").to_string();
        assert!(error.contains("more than 100000 files"), "{error}");
    }

    #[test]
    fn a_file_takes_its_memory_before_it_is_read() {
        let options = MemoryOptions {
            max_contexts: ByteSize(100_000),
        };
        let memory = options.memory("");
        let file = tempfile::tempfile().expect("a file");
        file.set_len(99_000).expect("sparse");
        assert!(memory.read(&file, "a").expect_err("no room").is::<Full>());
        file.set_len(FILE_BYTES + 1).expect("sparse");
        let error = memory.read(&file, "a").expect_err("too large");
        assert!(error.is::<io::Error>(), "{error}");
        file.set_len(98_000).expect("sparse");
        let (bytes, share) = memory.read(&file, "a").expect("fits");
        assert_eq!(bytes.len(), 98_000);
        assert!(memory.used.load(Ordering::Acquire) >= 98_000);
        drop(share);
        assert_eq!(memory.used.load(Ordering::Acquire), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_has_nothing_yet_is_an_error_and_not_waited_for() {
        let memory = MemoryOptions::of(ByteSize::mib(1)).memory("");
        let (read, write) = io::pipe().expect("a pipe");
        let file = File::from(std::os::fd::OwnedFd::from(read));
        let error = memory.read(&file, "a").expect_err("nothing is there");
        let error = error.downcast::<io::Error>().expect("of the system");
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        assert_eq!(memory.used.load(Ordering::Acquire), 0);
        drop(write);
        // It cannot be opened everywhere.
        #[cfg(target_os = "linux")]
        if let Ok(file) =
            rlm_sandbox_files::open("/proc/kmsg".as_ref(), rlm_sandbox_files::Links::Refuse)
        {
            while memory.read(&file, "a").is_ok() {}
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_says_it_is_empty_is_counted_while_it_is_read() {
        let options = MemoryOptions {
            max_contexts: ByteSize(1 << 20),
        };
        let memory = options.memory("");
        let open = || File::open("/proc/self/maps").expect("there");
        let (bytes, share) = memory.read(&open(), "maps").expect("fits");
        assert_eq!(share.bytes, bytes.len() as u64 + OVERHEAD + 4);
        let rest = memory
            .share("rest", (1 << 20) - share.bytes - OVERHEAD - 4 - 10)
            .expect("fits");
        drop(share);
        drop(rest);
        let most = memory
            .share("", (1 << 20) - 2 * OVERHEAD - 100)
            .expect("fits");
        assert!(
            memory
                .read(&open(), "maps")
                .expect_err("no room")
                .is::<Full>()
        );
        drop(most);
        assert_eq!(memory.used.load(Ordering::Acquire), 0);
    }
}
