//! Caps of whoever reads a journal, above the limits that the journal names.
//!
//! A journal is a file, perhaps of a stranger. A replay runs under the recorded
//! limits, or nothing in it would be identical, so they are no protection for the
//! reader: a journal may name any. These are, and a replay that reaches one ends with
//! [`Verdict::ReaderLimit`](crate::Verdict::ReaderLimit).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::context::{Context, Data};
use crate::limits::Limits;

/// Limits of the reader on reading and replaying one journal.
///
/// The defaults pass recordings of honest sessions whose scripts ran for ten minutes together,
/// under the default [`Limits`](crate::Limits), as long as their calls, answers and sources have
/// less than [`file_bytes`](Self::file_bytes) together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReaderLimits {
    /// Bytes of the journal's file. Default: 512 MiB. Its lines take up to eight times as much memory.
    pub file_bytes: u64,
    /// Bytes of one line. Default: 64 MiB.
    pub line_bytes: u64,
    /// Lines of the file. Default: 2,000,000.
    pub lines: u64,
    /// Bytes of the folder of data, all together: each context once, and the session that
    /// the journal begins with twice, packed and unpacked. Default: 256 MiB. Under the default
    /// limits a session and its state from before the execution that waits unpack to less than
    /// 128 MiB, which leaves as much for contexts; with 512 MiB of memory, as in the profiles
    /// `dspy` and `rlms`, a large session takes more.
    pub data_bytes: u64,
    /// Time that reading the journal takes, and again the time of a replay as a whole.
    /// Default: 15 minutes. Checked before each line, for each megabyte that is unpacked, and
    /// at each fuel yield of a guest, about four times a millisecond.
    pub time: Duration,
    /// Bytes of linear memory of the interpreter. Default: 1 GiB.
    pub memory_bytes: u64,
    /// Bytes of text that one exec prints, and of one value, source or call.
    /// Default: 64 MiB.
    pub text_bytes: u64,
    /// Calls that are open at the same moment. Default: 4096.
    pub open_calls: u32,
    /// Host calls of one exec of a session that a journal hands back. A replay makes no calls.
    /// Default: 100,000.
    pub calls: u64,
    /// Prompts to the model over the life of a session that a journal hands back, those that were
    /// recorded included. Default: 1000.
    pub model_calls: u64,
}

impl Default for ReaderLimits {
    fn default() -> Self {
        Self {
            file_bytes: 512 << 20,
            line_bytes: 64 << 20,
            lines: 2_000_000,
            data_bytes: 256 << 20,
            time: Duration::from_secs(900),
            memory_bytes: 1 << 30,
            text_bytes: 64 << 20,
            open_calls: 4096,
            calls: 100_000,
            model_calls: 1000,
        }
    }
}

/// One of the [`ReaderLimits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReaderLimit {
    /// [`ReaderLimits::data_bytes`]
    Data,
    /// [`ReaderLimits::time`]
    Time,
    /// [`ReaderLimits::memory_bytes`]
    Memory,
    /// [`ReaderLimits::text_bytes`]
    Text,
    /// [`ReaderLimits::open_calls`]
    OpenCalls,
}

impl ReaderLimit {
    const ALL: [Self; 5] = [
        Self::Data,
        Self::Time,
        Self::Memory,
        Self::Text,
        Self::OpenCalls,
    ];

    /// Returns its word on the command line: `data`, `time`, `memory`, `text` or `open-calls`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Text => "text",
            Self::OpenCalls => "open-calls",
        }
    }
}

impl std::fmt::Display for ReaderLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// The account of a caller: takes memory, or returns false if there is none.
#[derive(Clone)]
pub(crate) struct Account(Arc<dyn Fn(u64) -> bool + Send + Sync>);

impl Account {
    pub(crate) fn new(take: impl Fn(u64) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(take))
    }
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Account")
    }
}

/// The limits of one replay, and the first of them that was reached.
///
/// Shared by the replay and by what serves the guest: imports and the limiter of its
/// memory note what they refuse, and the replay ends when it comes to look.
#[derive(Clone, Debug)]
pub(crate) struct ReaderGuard(Arc<Guarded>);

#[derive(Debug)]
struct Guarded {
    limits: ReaderLimits,
    since: Instant,
    data_bytes: AtomicU64,
    account: Option<Account>,
    /// Contexts that were read, by digest and form.
    contexts: Mutex<BTreeMap<(String, String), Context>>,
    /// Files that were read as contexts, by digest. Contexts of all forms share them.
    data: Mutex<BTreeMap<String, Data>>,
    /// Its place in [`ReaderLimit::ALL`], from 1; 0 if none was reached.
    reached: AtomicU8,
}

impl ReaderGuard {
    pub(crate) fn new(limits: ReaderLimits) -> Self {
        Self::with_account(limits, None)
    }

    pub(crate) fn with_account(limits: ReaderLimits, account: Option<Account>) -> Self {
        Self(Arc::new(Guarded {
            account,
            limits,
            since: Instant::now(),
            data_bytes: AtomicU64::new(0),
            contexts: Mutex::default(),
            data: Mutex::default(),
            reached: AtomicU8::new(0),
        }))
    }

    /// Notes that a limit was reached, unless another one was before.
    pub(crate) fn reach(&self, limit: ReaderLimit) {
        let place = ReaderLimit::ALL.iter().position(|&one| one == limit);
        let place = place.map_or(0, |place| place as u8 + 1);
        let reached = &self.0.reached;
        let _ = reached.compare_exchange(0, place, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Returns the first limit that was reached, time included.
    pub(crate) fn reached(&self) -> Option<ReaderLimit> {
        if self.0.since.elapsed() > self.0.limits.time {
            self.reach(ReaderLimit::Time);
        }
        let place = self.0.reached.load(Ordering::Relaxed).checked_sub(1)?;
        ReaderLimit::ALL.get(usize::from(place)).copied()
    }

    /// Counts bytes that are read beside the journal; false if they are too many.
    pub(crate) fn takes_data(&self, bytes: u64) -> bool {
        let before = self.0.data_bytes.fetch_add(bytes, Ordering::Relaxed);
        let fits = before.saturating_add(bytes) <= self.0.limits.data_bytes;
        if !fits {
            self.reach(ReaderLimit::Data);
        }
        fits
    }

    /// Returns the context that was read under this digest, if one was.
    pub(crate) fn context(&self, digest: &str, form: &str) -> Option<Context> {
        let contexts = self.0.contexts.lock();
        let contexts = contexts.unwrap_or_else(PoisonError::into_inner);
        contexts.get(&(digest.to_owned(), form.to_owned())).cloned()
    }

    /// Keeps a context, so that each is read and counted once however many lines name it.
    pub(crate) fn keep_context(&self, digest: &str, context: &Context) {
        let contexts = self.0.contexts.lock();
        let mut contexts = contexts.unwrap_or_else(PoisonError::into_inner);
        let key = (digest.to_owned(), context.form().to_owned());
        contexts.insert(key, context.clone());
    }

    /// Returns what was read as a context under this digest, if something was.
    pub(crate) fn data(&self, digest: &str) -> Option<Data> {
        let data = self.0.data.lock();
        let data = data.unwrap_or_else(PoisonError::into_inner);
        data.get(digest).cloned()
    }

    /// Keeps what was read as a context, so that it is in memory once in all forms.
    pub(crate) fn keep_data(&self, digest: &str, read: &Data) {
        let data = self.0.data.lock();
        let mut data = data.unwrap_or_else(PoisonError::into_inner);
        data.insert(digest.to_owned(), read.clone());
    }

    /// Returns whether a guest may have so much linear memory.
    pub(crate) fn takes_memory(&self, bytes: u64) -> bool {
        let fits = bytes <= self.0.limits.memory_bytes;
        if !fits {
            self.reach(ReaderLimit::Memory);
        }
        fits
    }

    /// Takes memory for values that are to be read from JSON. Few count as none.
    pub(crate) fn takes_values(&self, bytes: u64) -> bool {
        const FEW_BYTES: u64 = 1 << 20;
        let has_account = |Account(take): &Account| bytes <= FEW_BYTES || take(bytes);
        if !self.takes_memory(bytes) {
            return false;
        }
        let fits = self.0.account.as_ref().is_none_or(has_account);
        if !fits {
            self.reach(ReaderLimit::Memory);
        }
        fits
    }

    /// Returns how much linear memory a guest may have, at most `wanted` bytes.
    pub(crate) fn memory(&self, wanted: u64) -> u64 {
        wanted.min(self.0.limits.memory_bytes)
    }

    /// Returns how much text of one exec is kept, at most `wanted` bytes.
    pub(crate) fn text(&self, wanted: u64) -> u64 {
        wanted.min(self.0.limits.text_bytes)
    }

    /// Checks limits that bound what the host holds for a guest. Those of a session
    /// that was recorded may be large and never reached, so only those count here
    /// that nothing looks at while the guest runs.
    pub(crate) fn check(&self, limits: &Limits) {
        let largest = [
            limits.value_bytes,
            limits.request_bytes,
            limits.source_bytes,
        ];
        if largest
            .iter()
            .any(|&bytes| u64::from(bytes) > self.0.limits.text_bytes)
        {
            self.reach(ReaderLimit::Text);
        }
        if limits.open_calls > self.0.limits.open_calls {
            self.reach(ReaderLimit::OpenCalls);
        }
    }
}
