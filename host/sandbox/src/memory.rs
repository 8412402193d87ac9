//! How much linear memory a session gets, and why it did not get more.

use std::sync::Arc;

use rlm_sandbox_engine::pages::{Memory, Order, Snapshot};
use wasmtime::ResourceLimiter;

use crate::context::Context;
use crate::guest_state::Readable;
use crate::journal::ReaderGuard;
use crate::limits::Limits;

/// Room for parser stacks, for work between two checkpoints and for fragmentation.
const SLACK_BYTES: u64 = 16 << 20;
/// The most a 32-bit memory can have, less one page.
const MOST_BYTES: u64 = (4 << 30) - (64 << 10);

/// The stack and the image, rounded up.
const START_BYTES: u64 = 16 << 20;

/// What a session may have beyond what its instance starts with: 8 MiB of
/// stack (`guest/python/build.rs`) and the interpreter's image.
pub(crate) fn growth(context_bytes: u64, limits: &Limits) -> u64 {
    context_bytes
        .saturating_add(limits.memory_bytes)
        .saturating_add(SLACK_BYTES)
}

/// What contexts may take in a guest, in bytes.
pub(crate) fn footprint(contexts: &Readable) -> u64 {
    let bytes = contexts.values().map(Context::footprint_bytes);
    bytes.fold(0, u64::saturating_add)
}

/// What a session may take at the most, also while it is moved: then its state
/// is there twice, and once more as bytes.
pub(crate) fn most(context_bytes: u64, limits: &Limits) -> u64 {
    START_BYTES
        .saturating_add(context_bytes.saturating_mul(2))
        .saturating_add(limits.memory_bytes.saturating_mul(3))
        .saturating_add(2 * SLACK_BYTES)
        .min(MOST_BYTES)
}

/// Grants memory up to the cap and keeps account.
#[derive(Debug, Default)]
pub(crate) struct Limiter {
    /// What the instance started with.
    start_bytes: u64,
    /// What it may have beyond that.
    pub(crate) growth_bytes: u64,
    /// What it may have in any case, as one that had to be larger before.
    pub(crate) least_bytes: u64,
    /// What it may have on top while the host moves the session.
    pub(crate) upkeep_bytes: u64,
    /// What it has.
    pub(crate) current_bytes: u64,
    /// A test's wish: refuse growth beyond this many bytes, as if the machine did.
    pub(crate) refuse_bytes: Option<u64>,
    /// The largest the memory has been.
    pub(crate) peak_bytes: u64,
    pub(crate) refused: Option<Refusal>,
    /// Caps of whoever replays a journal.
    pub(crate) reader: Option<ReaderGuard>,
    /// Order for the memory, and the memory once it was made.
    order: Order,
}

/// Why memory did not grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The cap of the session.
    Cap,
    /// The machine has no more. The host's trouble, not the script's.
    Machine,
}

impl Limiter {
    pub(crate) fn new(refuse_bytes: Option<u64>, reader: Option<ReaderGuard>) -> Self {
        Self {
            refuse_bytes,
            reader,
            ..Self::default()
        }
    }
}

impl Limiter {
    /// Lets the memory begin as a snapshot has it.
    pub(crate) fn begin_with(&mut self, snapshot: &Arc<Snapshot>, least_bytes: u64) {
        self.order = Order::from(snapshot);
        self.least_bytes = least_bytes;
    }

    /// Returns the memory that was made, if it is one that is mapped page by page, and lets go of it.
    pub(crate) fn take_memory(&mut self) -> Option<Memory> {
        let memory = std::mem::take(&mut self.order).memory()?;
        // One that began as a snapshot is larger than what was asked for.
        self.current_bytes = memory.byte_size() as u64;
        self.peak_bytes = self.peak_bytes.max(self.current_bytes);
        Some(memory)
    }

    /// Returns what the memory has beyond what it started with.
    pub(crate) fn grown_bytes(&self) -> u64 {
        self.current_bytes.saturating_sub(self.start_bytes)
    }

    /// Makes room for a state of `bytes` to be written or read: all that admission has
    /// reserved for it. What small objects take to be read depends on their number, so a
    /// state that was written could else not be read again.
    pub(crate) fn begin_upkeep(&mut self, bytes: u64, limits: &Limits) {
        let reserved = limits.memory_bytes.saturating_mul(2);
        self.upkeep_bytes = self
            .held(bytes)
            .saturating_mul(3)
            .max(reserved)
            .saturating_add(SLACK_BYTES);
    }

    /// Back to the cap; what the memory has grown to stays allowed, and room to
    /// work in.
    pub(crate) fn end_upkeep(&mut self) {
        self.upkeep_bytes = 0;
        let most = self.growth_bytes.saturating_mul(4);
        let most = self.start_bytes.saturating_add(most);
        self.least_bytes = self.current_bytes.min(most).saturating_add(SLACK_BYTES);
    }

    /// Returns the bytes of a state, but no more than scripts and contexts may hold: what a guest that lost count
    /// holds besides gives it no room.
    fn held(&self, bytes: u64) -> u64 {
        match self.growth_bytes {
            0 => bytes,
            most => bytes.min(most),
        }
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let desired = desired as u64;
        if current == 0 {
            self.start_bytes = desired;
        }
        let cap = self
            .start_bytes
            .saturating_add(self.growth_bytes)
            .max(self.least_bytes)
            .saturating_add(self.upkeep_bytes)
            .min(MOST_BYTES);
        if self.refuse_bytes.is_some_and(|most| desired > most) {
            self.refused = Some(Refusal::Machine);
            return Err(wasmtime::Error::msg("a test refuses memory"));
        }
        if let Some(reader) = &self.reader
            && !reader.takes_memory(desired)
        {
            self.refused = Some(Refusal::Cap);
            return Err(wasmtime::Error::msg(
                "the reader of a journal allows no more memory",
            ));
        }
        if desired > cap || maximum.is_some_and(|most| desired > most as u64) {
            self.refused = Some(Refusal::Cap);
            // `Ok(false)` would let the guest's allocator abort with no word of why.
            return Err(wasmtime::Error::msg("the session's memory is at its cap"));
        }
        if current == 0 {
            self.order.place();
        }
        self.peak_bytes = self.peak_bytes.max(desired);
        self.current_bytes = desired;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        self.refused.get_or_insert(Refusal::Machine);
        Err(error)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        // The guest's tables have fixed sizes; this is their start.
        Ok(desired <= 20_000)
    }
}
