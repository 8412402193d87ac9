//! Where a session can be taken up again: a state, and what came after it.

use std::sync::Arc;

use crate::clock::{Clock, Random};
use crate::dump::Dump;
use crate::event::Event;
use crate::guest_state::{GuestState, Readable};
use crate::kept_bytes::KeptBytes;
use rlm_sandbox_engine::pages::Snapshot;

/// The state of a session at one moment, outside of any instance.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    pub(crate) stored: Stored,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    pub(crate) contexts: Readable,
    /// Price of a dump.
    pub(crate) price: Option<Price>,
    /// The memory of a dump, which all clones share. That of a snapshot counts with its pages.
    pub(crate) kept: Option<Arc<KeptBytes>>,
}

/// The namespace of a session outside of any instance.
#[derive(Clone, Debug)]
pub(crate) enum Stored {
    /// Nothing has happened in it.
    New,
    /// Bytes that the interpreter wrote.
    Dump(Dump),
    /// The memory of the interpreter, which goes on as if nothing had been.
    Pages {
        snapshot: Arc<Snapshot>,
        /// Bytes that the memory may have in any case.
        least_bytes: u64,
        /// Dump that the interpreter had written before, where nothing has happened since.
        dump: Option<Dump>,
        /// Digest of what the interpreter was configured with, where that may be other than what its session says.
        configured: Option<Arc<str>>,
    },
}

/// Fuel of a dump and of the load that followed, and the bytes that were live.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Price {
    pub(crate) fuel: u64,
    pub(crate) live_bytes: u64,
    /// True if `fuel` is both of them.
    pub(crate) is_complete: bool,
}

impl Price {
    /// Of a dump that has yet to be loaded.
    pub(crate) fn written(fuel: u64, live_bytes: u64) -> Self {
        Self {
            fuel,
            live_bytes,
            is_complete: false,
        }
    }

    /// Notes what loading took: once, as a base is loaded after each limit.
    pub(crate) fn loaded(&mut self, fuel: u64) {
        if !self.is_complete {
            self.fuel = self.fuel.saturating_add(fuel);
            self.is_complete = true;
        }
    }

    /// For another number of live bytes. Part of the price is the same for all. A price that no state has (the author
    /// of a journal may have made it up) counts as the highest that one may have.
    fn scaled(self, live_bytes: u64) -> u64 {
        // What a guest claims.
        let claimed = |bytes: u64| bytes.min(4 << 30) + SMALL_BYTES;
        let (now, then) = (claimed(live_bytes), claimed(self.live_bytes));
        let scaled = u128::from(self.fuel) * u128::from(now) / u128::from(then);
        let highest = MOST_FUEL + now * MOST_FUEL_FOR_A_BYTE;
        u64::try_from(scaled).unwrap_or(u64::MAX).min(highest)
    }
}

impl Base {
    /// Returns the base of a guest that has done nothing yet.
    pub(crate) fn new(state: &GuestState) -> Self {
        Self::of(Stored::New, state)
    }

    /// Returns the base of a guest that wrote `dump`.
    pub(crate) fn written(dump: Dump, price: Price, state: &GuestState) -> Self {
        Self {
            kept: Some(dump.keep(&state.admission)),
            price: Some(price),
            ..Self::of(Stored::Dump(dump), state)
        }
    }

    /// Returns the base of a guest whose memory is in `snapshot`.
    pub(crate) fn mapped(snapshot: Snapshot, state: &GuestState) -> Self {
        let stored = Stored::Pages {
            snapshot: Arc::new(snapshot),
            least_bytes: state.memory.least_bytes,
            dump: None,
            configured: None,
        };
        Self::of(stored, state)
    }

    /// Keeps what the interpreter wrote in `before`, after which nothing has happened: it is not written again.
    pub(crate) fn keep_dump(&mut self, before: &Self) {
        if let Stored::Pages { dump, .. } = &mut self.stored {
            *dump = before.dump().cloned();
            (self.price, self.kept) = (before.price, before.kept.clone());
        }
    }

    /// Notes the digest of what its interpreter was configured with, since its session says something else from now on.
    pub(crate) fn keep_configured(&mut self, before: Arc<str>) {
        if let Stored::Pages { configured, .. } = &mut self.stored {
            configured.get_or_insert(before);
        }
    }

    /// Forgets the memory of the interpreter where there is what it wrote: other settings do not fit the memory.
    pub(crate) fn forget_pages(&mut self) {
        if let Stored::Pages { dump, .. } = &mut self.stored
            && let Some(dump) = dump.take()
        {
            self.stored = Stored::Dump(dump);
        }
    }

    fn of(stored: Stored, state: &GuestState) -> Self {
        Self {
            stored,
            price: None,
            kept: None,
            clock: state.clock.clone(),
            random: state.random.clone(),
            contexts: Arc::clone(&state.contexts),
        }
    }

    /// Returns what the interpreter wrote, if it did.
    pub(crate) fn dump(&self) -> Option<&Dump> {
        match &self.stored {
            Stored::Dump(dump) => Some(dump),
            Stored::Pages { dump, .. } => dump.as_ref(),
            Stored::New => None,
        }
    }

    /// Returns whether it is what the interpreter wrote, or new.
    pub(crate) fn is_written(&self) -> bool {
        matches!(self.stored, Stored::New) || self.dump().is_some()
    }

    /// Returns the digest of what its interpreter was configured with, where that may be other than what its session says.
    pub(crate) fn configured(&self) -> Option<&str> {
        match &self.stored {
            Stored::Pages { configured, .. } => configured.as_deref(),
            Stored::New | Stored::Dump(_) => None,
        }
    }

    /// Returns whether it is the memory of an interpreter, which no other program can read.
    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self.stored, Stored::Pages { .. })
    }

    /// Returns how many bytes a snapshot of a memory of so many bytes may hold beside this base: by how much it has grown,
    /// or what changed before the last snapshot, as scripts often do the same again.
    pub(crate) fn changed_bytes(&self, memory_bytes: u64, grown_bytes: u64) -> u64 {
        match &self.stored {
            Stored::Pages { snapshot, .. } => {
                let grown_bytes = memory_bytes.saturating_sub(snapshot.size() as u64);
                grown_bytes.max(snapshot.own_bytes())
            }
            Stored::New | Stored::Dump(_) => grown_bytes,
        }
    }

    /// Returns the bytes that it keeps, those that it shares included.
    pub(crate) fn kept_bytes(&self) -> u64 {
        let dump = self.kept.as_ref().map_or(0, |kept| kept.bytes());
        match &self.stored {
            Stored::Pages { snapshot, .. } => dump.saturating_add(snapshot.bytes()),
            Stored::New | Stored::Dump(_) => dump,
        }
    }

    /// Gives the host's side back what a base knows of it.
    pub(crate) fn restore(&self, state: &mut GuestState) {
        state.clock = self.clock.clone();
        state.random = self.random.clone();
        state.set_contexts(&self.contexts);
        if let Stored::Pages {
            snapshot,
            least_bytes,
            ..
        } = &self.stored
        {
            state.memory.begin_with(snapshot, *least_bytes);
        }
    }
}

/// A base and what has happened since; together they are the session.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    pub(crate) base: Base,
    pub(crate) events: Vec<Event>,
    /// Where among them the exec at hand begins, or the last one did.
    pub(crate) exec_start: usize,
    /// Checkpoint from before the base was written, until an instance has loaded that.
    fallback: Option<Box<Self>>,
}

impl From<Base> for Checkpoint {
    /// A base after which nothing has happened.
    fn from(base: Base) -> Self {
        Self {
            base,
            events: Vec::new(),
            exec_start: 0,
            fallback: None,
        }
    }
}

impl Checkpoint {
    /// Returns the bytes of all events, also of those that were undone and of its fallback.
    pub(crate) fn events_bytes(&self) -> u64 {
        let own: u64 = self.events.iter().map(|event| event.kept_bytes).sum();
        let fallback = self.fallback.as_deref();
        own.saturating_add(fallback.map_or(0, Self::events_bytes))
    }

    /// Returns the bytes of its base and that of its fallback.
    pub(crate) fn bases_bytes(&self) -> u64 {
        let fallback = self.fallback.as_deref();
        let fallback = fallback.map_or(0, Self::bases_bytes);
        self.base.kept_bytes().saturating_add(fallback)
    }

    /// Returns whether it is what an interpreter wrote, or new, and nothing else.
    pub(crate) fn is_written(&self) -> bool {
        self.events.is_empty() && self.base.is_written()
    }

    /// Begins anew from a base. What it was is its fallback, which is returned, until it [settles](Self::settle).
    pub(crate) fn begin_from(&mut self, base: Base) -> &Self {
        let mut old = std::mem::replace(self, Self::from(base));
        old.settle();
        self.fallback.insert(Box::new(old))
    }

    /// Lets go of its fallback: an instance has loaded the base.
    pub(crate) fn settle(&mut self) {
        self.fallback = None;
    }

    /// Returns to its fallback; false if it has none.
    pub(crate) fn fall_back(&mut self) -> bool {
        let fallback = self.fallback.take();
        let has_one = fallback.is_some();
        if let Some(fallback) = fallback {
            *self = *fallback;
        }
        has_one
    }

    /// Forgets what was undone last.
    pub(crate) fn forget_undone(&mut self) {
        while self.events.pop_if(|event| event.undone).is_some() {}
    }

    /// The same without the exec at hand.
    pub(crate) fn before_exec(&self) -> Self {
        Self {
            base: self.base.clone(),
            events: self.events[..self.exec_start].to_vec(),
            exec_start: self.exec_start,
            fallback: None,
        }
    }
}

/// When a session should get a new base. Everything is counted, so the moment
/// comes again when the session is repeated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rebasing {
    /// Fuel since the base.
    pub(crate) fuel: u64,
    /// Bytes kept to repeat what happened since the base.
    pub(crate) kept_bytes: u64,
    /// After one that failed, nothing is tried before this much fuel is used.
    pub(crate) not_before_fuel: u64,
    /// The same for those that a replay does not repeat where they fail: nothing records them.
    pub(crate) not_asked_before_fuel: u64,
    /// Fuel of what was repeated, or will be before the next execution, because executions since
    /// the base were rolled back.
    pub(crate) lost_fuel: u64,
    /// Fuel of all that was repeated since the base, also because other sessions took the place of
    /// this one.
    pub(crate) repeated_fuel: u64,
    /// Fuel since the base at which the state was written and could not be loaded; 0 for none.
    pub(crate) unwritable_at_fuel: u64,
}

/// A new base may cost this share of what the execs cost: a twentieth.
const SHARE: u64 = 20;
/// Bytes that are kept at the most; more if more are live, within what may be, so
/// that a byte of answers costs no more than a byte of the namespace does.
const KEPT_BYTES: u64 = 8 << 20;
/// Fuel of a dump and a load, before the first one of a session told: for
/// nothing at all, and for each live byte.
const FUEL_AT_LEAST: u64 = 4_000_000;
const FUEL_FOR_A_BYTE: u64 = 60;
/// The most of the two. Measured: 10 million, and 9 to 142 for each live byte.
const MOST_FUEL: u64 = 100_000_000;
const MOST_FUEL_FOR_A_BYTE: u64 = 1000;
/// Fuel of repetitions that no session causes by taking turns with a few others: some two seconds.
const COSTLY_FUEL: u64 = 20_000_000_000;
/// A state smaller than this costs hardly less.
const SMALL_BYTES: u64 = 64 << 10;
/// Fuel that takes as long as a snapshot of pages does: any, and for each byte that it holds beside earlier ones.
/// Measured: 20 to 40 µs, and 1 to 1.5 µs for a page.
const SNAPSHOT_FUEL: u64 = 500_000;
const SNAPSHOT_FUEL_FOR_A_BYTE: u64 = 4;
/// Fuel that is repeated rather than have snapshots of small sessions slow down short scripts: some millisecond.
const REPEATED_FUEL: u64 = 10_000_000;

/// Returns what a base costs with so many bytes live, after one of that price.
fn price_at(price: Option<Price>, live_bytes: u64) -> u64 {
    match price {
        // Without fuel there is no price.
        Some(price) if price.fuel > 0 => price.scaled(live_bytes),
        _ => FUEL_AT_LEAST.saturating_add(live_bytes.saturating_mul(FUEL_FOR_A_BYTE)),
    }
}

/// Returns the fuel that stands for a snapshot of a memory in which so many bytes have changed.
fn snapshot_price(changed_bytes: u64) -> u64 {
    SNAPSHOT_FUEL.saturating_add(changed_bytes.saturating_mul(SNAPSHOT_FUEL_FOR_A_BYTE))
}

impl Rebasing {
    /// Returns whether it is time for a snapshot of a memory in which so many bytes may have changed, with so many bytes live
    /// of those that may be: when all that would be repeated without one takes longer than a millisecond and twice the
    /// snapshot, or too much is kept, or executions that were rolled back have had more repeated than it takes.
    pub(crate) fn is_snapshot_due(&self, changed_bytes: u64, live_bytes: u64, most: u64) -> bool {
        let price = snapshot_price(changed_bytes);
        self.fuel > price.saturating_mul(2).saturating_add(REPEATED_FUEL)
            || self.kept_bytes > KEPT_BYTES.max(live_bytes.min(most))
            || self.lost_fuel.max(self.repeated_fuel) > price
    }

    /// Notes what happened.
    pub(crate) fn count(&mut self, event: &Event) {
        self.fuel = self.fuel.saturating_add(event.work);
        self.kept_bytes = self.kept_bytes.saturating_add(event.kept_bytes);
    }

    /// Notes that all since the base has to be repeated.
    pub(crate) fn lose(&mut self) {
        self.lost_fuel = self.lost_fuel.saturating_add(self.fuel);
    }

    /// Notes what was repeated to bring the session back.
    pub(crate) fn repeat(&mut self, fuel: u64) {
        self.repeated_fuel = self.repeated_fuel.saturating_add(fuel);
    }

    /// After one that failed: not at once again.
    pub(crate) fn put_off(&mut self, asked: bool) {
        (self.lost_fuel, self.repeated_fuel) = (0, 0);
        let most = self.fuel.saturating_mul(2).max(FUEL_AT_LEAST * SHARE);
        self.not_asked_before_fuel = most;
        if !asked {
            self.not_before_fuel = most;
        }
    }

    /// Returns whether it is time, with so many bytes live of those that may be, after a
    /// base of that price. What is live is what a guest claims.
    pub(crate) fn is_due(&self, price: Option<Price>, live_bytes: u64, most: u64) -> bool {
        self.fuel >= self.not_before_fuel
            && (self.fuel > price_at(price, live_bytes).saturating_mul(SHARE)
                || self.kept_bytes > KEPT_BYTES.max(live_bytes.min(most)))
    }

    /// Returns whether so much was kept since a base failed, or takes so long to repeat, that no script may add to it
    /// before there is a base: four times what is kept otherwise, or twice [`COSTLY_FUEL`].
    pub(crate) fn needs_base(&self, most: u64) -> bool {
        self.not_asked_before_fuel > 0
            && (self.fuel > COSTLY_FUEL * 2 || self.kept_bytes / 4 > KEPT_BYTES.max(most))
    }

    /// Returns whether nothing has happened since the state was written and could not be loaded.
    pub(crate) fn is_unwritable(&self) -> bool {
        self.unwritable_at_fuel > 0 && self.unwritable_at_fuel == self.fuel
    }

    /// Returns whether executions that were rolled back have had more repeated than a new base
    /// costs, or repetitions in all took [`COSTLY_FUEL`] and twice that. Evictions depend on other
    /// sessions, so below that they change nothing: the same scripts have the same bases, and the
    /// same fuel, however busy the sandbox is.
    pub(crate) fn repeats_too_much(&self, price: Option<Price>, live_bytes: u64) -> bool {
        let price = price_at(price, live_bytes);
        let evictions = COSTLY_FUEL.max(price.saturating_mul(2));
        self.fuel >= self.not_asked_before_fuel
            && (self.lost_fuel > price || self.repeated_fuel > evictions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_that_no_state_has_puts_no_base_off() {
        let forged = Price {
            fuel: 1 << 63,
            live_bytes: 1,
            is_complete: true,
        };
        let mut rebasing = Rebasing {
            fuel: 5_000_000_000,
            ..Rebasing::default()
        };
        assert!(rebasing.is_due(Some(forged), 2000, 64 << 20));
        rebasing.lost_fuel = 5_000_000_000;
        assert!(rebasing.repeats_too_much(Some(forged), 2000));
        // Of 50,000 dates.
        let price = Price::written(722_061_872, 5_069_732);
        assert!(price.scaled(5_069_732).abs_diff(price.fuel) < 10);
    }

    #[test]
    fn a_claim_about_what_is_live_does_not_have_more_kept_than_may_be() {
        let mut rebasing = Rebasing::default();
        let most = 32 << 20;
        rebasing.kept_bytes = KEPT_BYTES + 1;
        assert!(rebasing.is_due(None, 0, most));
        assert!(!rebasing.is_due(None, KEPT_BYTES + 1, most));
        rebasing.kept_bytes = most + 1;
        for price in [None, Some(Price::written(1 << 40, 1))] {
            assert!(rebasing.is_due(price, u64::MAX, most));
        }
    }
}
