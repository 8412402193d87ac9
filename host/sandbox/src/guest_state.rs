//! The host's side of one instance: what its imports answer.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use crate::admission::Admission;
use crate::bindings::rlm::sandbox::calls::Reply;
use crate::bindings::rlm::sandbox::context::ContextError;
use crate::branch::Given;
use crate::builder::SessionBuilder;
use crate::call::{CallRecord, Handlers, InFlight, Settled};
use crate::clock::{Clock, Random};
use crate::context::Context;
use crate::cost::Ledger;
use crate::ending::Seen;
use crate::event::StoppedAt;
use crate::fault::Faults;
use crate::journal::{Count, Histories, Line, ReaderGuard, ReaderLimit, Tape};
use crate::limits::Limits;
use crate::memory::{Limiter, footprint, growth};
use crate::meter::{Brake, CancelHandle, Watch};
use crate::open_calls::{CallLimit, OpenCalls};
use crate::outcome::Stop;
use crate::output::{Channel, Output, Printed};
use crate::plugin::Kept;
use crate::profile::Profile;
use crate::tool::{BoxFuture, Caller};
use crate::underway::Counts;
use rlm_sandbox_engine::{AlarmClock, Meter, Metering};

/// Time that a script may take while a cassette plays, in multiples of its time limit.
const PLAYED_FACTOR: u32 = 10;

/// A read of the monotonic clock after the host wants the script to end is
/// this much later than the one before; the guest ends a script at half of it.
pub(crate) const JUMP_NANOSECONDS: u64 = 1 << 50;

/// Fuel that a read of the clock stands for where none is counted. Between two reads the interpreter uses 9 thousand
/// (sorting) to 1.5 million (joining text), and 44 thousand in a plain loop.
const READ_FUEL: u64 = 50_000;

/// The contexts that a guest may read, by name.
pub(crate) type Readable = Arc<BTreeMap<Arc<str>, Context>>;

/// What the guest is entered for.
pub(crate) enum Purpose {
    /// Scripts, on their limits.
    Script,
    /// To repeat what happened, with the replies it got. Nobody hears of it.
    Repeat(VecDeque<Reply>),
    /// To make an instance or to move a session: no script runs, time stands still,
    /// and the guest may make no host call.
    Upkeep,
}

/// What a store of the sandbox holds. It outlives the store: a session takes it
/// from instance to instance.
pub(crate) struct GuestState {
    pub(crate) purpose: Purpose,
    pub(crate) limits: Limits,
    pub(crate) profile: Arc<Profile>,
    pub(crate) histories: Histories,
    pub(crate) handlers: Handlers,
    pub(crate) caller: Arc<Caller>,
    pub(crate) alarms: AlarmClock,
    pub(crate) metering: Metering,
    pub(crate) contexts: Readable,
    pub(crate) meter: Arc<Meter>,
    pub(crate) cancel: CancelHandle,
    pub(crate) memory: Limiter,
    pub(crate) output: Output,
    pub(crate) faults: Faults,
    /// Caps of whoever replays a journal with it.
    pub(crate) reader: Option<ReaderGuard>,
    /// Bytes by which linear memory grows at most, with contexts of any size.
    pub(crate) most_growth_bytes: Option<u64>,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    /// True if a sleep takes real time.
    pub(crate) sleeps_really: bool,
    pub(crate) owed_sleep: Duration,
    pub(crate) brake: Brake,
    /// Where the guest's panic hook said what went wrong.
    pub(crate) last_error: Option<String>,

    /// True if handlers are started as their calls come; false if they are left to the embedder.
    pub(crate) starts_handlers: bool,
    /// Calls that were played from a tape, so that nobody started them.
    pub(crate) unstarted: Vec<u64>,
    /// Answers to calls by their tickets, in place of those of handlers.
    pub(crate) given: Given,
    pub(crate) inbox: Arc<Mutex<Vec<BoxFuture<Settled>>>>,
    /// What calls of plugins were told, and what some cost.
    pub(crate) ledger: Arc<Mutex<Ledger>>,
    /// What plugins keep between calls.
    pub(crate) kept: Kept,
    /// Counts the memory of plugins.
    pub(crate) admission: Arc<Admission>,
    pub(crate) counts: Counts,
    pub(crate) tally: Tally,
    pub(crate) pending: OpenCalls,
    /// Of the event at hand.
    pub(crate) replies: Vec<Reply>,
    /// Of the answers among them.
    pub(crate) replied_bytes: u64,
    /// Bytes that passed through the imports in the entry at hand, and
    /// [`IMPORT_BYTES`] for each call of one.
    pub(crate) passed_bytes: u64,
    /// The most of them that a repetition may pass.
    pub(crate) repeated_bytes: u64,
    /// Who writes all of it down, or says how it goes.
    pub(crate) tape: Tape,
}

/// Counts and places of the current execution on the host, besides its open calls and its output.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Fuel of plugins.
    pub(crate) charged_fuel: u64,
    pub(crate) records: Vec<CallRecord>,
    /// Calls that were refused at a limit.
    pub(crate) refused_calls: u64,
    /// The line that printed or called last.
    pub(crate) last_seen: Option<Seen>,
    /// Line of the first print that was refused.
    pub(crate) refused_at: Option<Seen>,
    /// The limit that refused the first call that was refused.
    pub(crate) call_limit: Option<CallLimit>,
    /// Message of the exception that refused prompts above the limit.
    pub(crate) budget_refusal: Option<String>,
}

/// Returns whether each of these is asked, and named once, and at least one is waited for.
/// A script of which that is not true would wait forever.
pub(crate) fn are_asked(waiting: &[u64], open: &[u64], is_asked: impl Fn(u64) -> bool) -> bool {
    let mut named = BTreeSet::new();
    let mut tickets = waiting.iter().chain(open);
    !waiting.is_empty() && tickets.all(|ticket| is_asked(*ticket) && named.insert(*ticket))
}

impl std::fmt::Debug for GuestState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GuestState").finish_non_exhaustive()
    }
}

impl GuestState {
    /// Keeps what is printed, as far as it may be.
    pub(crate) fn print(&mut self, channel: Channel, text: &str) -> bool {
        let most = self.limits.output_bytes;
        let Some(reader) = &self.reader else {
            return self.output.write(channel, text, most);
        };
        let capped = reader.text(most);
        let is_whole = self.output.write(channel, text, capped);
        if !is_whole && capped < most {
            reader.reach(ReaderLimit::Text);
        }
        is_whole
    }

    /// Returns whether a script that waits for these, and leaves those open, can: it made
    /// the calls, and they have no answers yet.
    pub(crate) fn was_asked(&self, waiting: &[u64], open: &[u64]) -> bool {
        are_asked(waiting, open, |ticket| self.pending.contains_key(&ticket))
    }

    /// Of a session that has done nothing yet.
    pub(crate) fn new(
        settings: &SessionBuilder,
        seed: u64,
        start: SystemTime,
        meter: &Arc<Meter>,
        cancel: &CancelHandle,
        in_flight: &InFlight,
    ) -> Self {
        Self {
            purpose: Purpose::Upkeep,
            limits: settings.limits.clone(),
            profile: Arc::clone(&settings.profile),
            histories: Arc::clone(&settings.histories),
            handlers: settings.handlers.clone(),
            caller: Arc::clone(&settings.caller),
            alarms: settings.sandbox.alarms().clone(),
            metering: settings.sandbox.metering(),
            contexts: Readable::default(),
            meter: Arc::clone(meter),
            cancel: cancel.clone(),
            memory: Limiter::default(),
            output: Output {
                listener: settings.listener.clone(),
                ..Output::default()
            },
            faults: settings.faults.clone(),
            reader: settings.reader.clone(),
            most_growth_bytes: settings.most_growth_bytes,
            clock: Clock::new(start),
            random: Random(seed),
            sleeps_really: settings.sleeps_really,
            owed_sleep: Duration::ZERO,
            brake: Brake::default(),
            last_error: None,
            starts_handlers: true,
            unstarted: Vec::new(),
            given: Given::default(),
            inbox: Arc::clone(&in_flight.inbox),
            ledger: Arc::clone(&in_flight.ledger),
            kept: Kept::default(),
            admission: Arc::clone(settings.sandbox.admission()),
            counts: Counts::default(),
            tally: Tally::default(),
            pending: OpenCalls::new(settings.sandbox.admission()),
            replies: Vec::new(),
            replied_bytes: 0,
            passed_bytes: 0,
            repeated_bytes: 0,
            tape: Tape::off(),
        }
    }

    /// What is looked at while the guest runs, if anything is.
    pub(crate) fn watch(&self) -> Option<Watch> {
        // What is played ends where it ended.
        let is_played = self.tape.is_playing();
        if !matches!(self.purpose, Purpose::Script) || (is_played && !self.tape.is_cassette()) {
            return None;
        }
        // What was recorded to its end ends as it did then; a machine may be slower, but not endlessly.
        let patience = match self.tape.has_end_of_turn() {
            true => PLAYED_FACTOR,
            false => 1,
        };
        Some(Watch {
            brake: self.brake.clone(),
            cancel: self.cancel.clone(),
            time: self.limits.time.saturating_mul(patience),
            grace: self.limits.grace,
        })
    }

    pub(crate) fn want_stop(&self, why: Stop, since: Duration) {
        self.brake.pull(why, since);
    }

    /// The monotonic clock, when the store has `left` fuel. Also how the guest
    /// learns that its script has to end.
    pub(crate) fn read_clock(&mut self, left: u64) -> wasmtime::Result<u64> {
        if !matches!(self.purpose, Purpose::Script) {
            self.clock.reads = self.clock.reads.saturating_add(1);
            return Ok(self.clock.nanoseconds(left));
        }
        let fuel = self.exec_fuel(left);
        if self.faults.trap_at_fuel.is_some_and(|at| fuel >= at) {
            wasmtime::bail!("a test traps at this fuel");
        }
        let recorded = self.tape.stop_at(self.clock.reads);
        if let Some(why) = recorded.filter(|why| why.is_by_chance()) {
            self.want_stop(why, self.meter.read());
        }
        if fuel >= self.fuel_budget() {
            self.want_stop(Stop::Fuel, self.meter.read());
        }
        if recorded.is_some() {
            // Other limits are counted here, too: a script that has not reached one goes another way than the journal.
            self.want_stop(Stop::Canceled, self.meter.read());
        }
        let told = StoppedAt {
            read: self.clock.reads,
            fuel: self.clock.fuel_set.saturating_sub(left),
        };
        if let Some((why, is_first)) = self.brake.tell(told) {
            if is_first && self.tape.is_on() {
                self.tape.note(&Line::Stop {
                    why,
                    read: Count(told.read),
                    fuel: Count(told.fuel),
                });
            }
            self.clock.jumped_nanoseconds = self
                .clock
                .jumped_nanoseconds
                .saturating_add(JUMP_NANOSECONDS);
        }
        self.clock.reads = self.clock.reads.saturating_add(1);
        Ok(self.clock.nanoseconds(left))
    }

    /// Returns the fuel that an execution may use; any without fuel.
    pub(crate) fn fuel_budget(&self) -> u64 {
        match self.metering.counts_fuel() {
            true => self.limits.fuel_budget(),
            false => u64::MAX / 4,
        }
    }

    /// Returns the fuel that is left of the entry at hand. Without fuel it goes by the reads of the clock, and so does
    /// everything that follows from it: the guest reads it at counted places.
    pub(crate) fn fuel_left(
        &self,
        counted: impl FnOnce() -> wasmtime::Result<u64>,
    ) -> wasmtime::Result<u64> {
        match self.metering.counts_fuel() {
            true => counted(),
            false => {
                let used = self.clock.reads.saturating_mul(READ_FUEL);
                Ok(self.clock.fuel_set.saturating_sub(used))
            }
        }
    }

    /// Moves the clock by what the script sleeps.
    pub(crate) fn sleep(&mut self, nanoseconds: u64) {
        self.clock.sleep(nanoseconds);
        if self.sleeps_really && matches!(self.purpose, Purpose::Script) && !self.tape.is_playing()
        {
            let owed = Duration::from_nanos(nanoseconds);
            self.owed_sleep = self.owed_sleep.saturating_add(owed);
        }
    }

    /// Is ready when what was slept is over, if that takes any time at all, or
    /// somebody cancels.
    pub(crate) fn awake(&mut self) -> impl Future<Output = ()> + Send + use<> {
        let owed = std::mem::take(&mut self.owed_sleep);
        let until = (!owed.is_zero()).then(|| Instant::now().checked_add(owed));
        let (alarms, cancel, mut alarm) = (self.alarms.clone(), self.cancel.clone(), None);
        poll_fn(move |context| {
            let Some(until) = until else {
                return Poll::Ready(());
            };
            cancel.register(context);
            if cancel.is_canceled() || until.is_some_and(|until| until <= Instant::now()) {
                return Poll::Ready(());
            }
            if let Some(until) = until {
                alarms.wake_at(until, context.waker(), &mut alarm);
            }
            Poll::Pending
        })
    }

    /// Readies the host's side for a new exec.
    pub(crate) fn begin_exec(&mut self, starts_handlers: bool) {
        self.meter.reset();
        self.clock.exec_fuel_before = 0;
        self.output.printed = Printed::default();
        self.tally = Tally::default();
        self.pending.clear();
        self.unstarted.clear();
        self.brake.release();
        self.owed_sleep = Duration::ZERO;
        self.last_error = None;
        self.starts_handlers = starts_handlers;
        self.memory.refused = None;
    }

    /// Fuel of the exec at hand, with that of plugins, when the store has `left`.
    pub(crate) fn exec_fuel(&self, left: u64) -> u64 {
        self.clock
            .exec_fuel(left)
            .saturating_add(self.tally.charged_fuel)
    }

    /// The same before the event at hand.
    pub(crate) fn exec_fuel_before(&self) -> u64 {
        let before = self.clock.exec_fuel_before;
        before.saturating_add(self.tally.charged_fuel)
    }

    /// Why the host wanted the script to end, if it did.
    pub(crate) fn stop_reason(&self) -> Option<Stop> {
        let stop = self.brake.pulled()?;
        // What the script was not told did not end it.
        (stop.told.is_some() || !stop.why.is_by_chance()).then_some(stop.why)
    }

    /// Makes these contexts, and no others, readable.
    pub(crate) fn set_contexts(&mut self, readable: &Readable) {
        let bytes = footprint(readable);
        self.contexts = Arc::clone(readable);
        let most = self.most_growth_bytes.unwrap_or(u64::MAX);
        self.memory.growth_bytes = growth(bytes, &self.limits).min(most);
    }

    /// A context, whatever it holds, if the guest may read it at `offset`.
    pub(crate) fn context(
        &self,
        name: &str,
        offset: u64,
    ) -> Result<(&Context, usize), ContextError> {
        let context = self.contexts.get(name).ok_or(ContextError::Unknown)?;
        let offset = usize::try_from(offset)
            .ok()
            .filter(|&at| at <= context.as_bytes().len());
        Ok((context, offset.ok_or(ContextError::Offset)?))
    }
}
