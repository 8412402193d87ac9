//! One Python namespace, exec after exec.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime};

use tracing::Instrument as _;

use crate::answer::readable;
use crate::base::{Base, Checkpoint, Rebasing};
use crate::builder::SessionBuilder;
use crate::call::{Answer, Answered, Call, InFlight, Settled};
use crate::caps;
use crate::ending;
use crate::event::{Event, Kind};
use crate::exec::unexpected;
use crate::guest_state::GuestState;
use crate::inputs::check_name;
use crate::instance::Returned;
use crate::journal::{Count, Line, ReaderLimits, Said};
use crate::kept_bytes::KeptBytes;
use crate::limits::Limits;
use crate::meter::{CancelHandle, block_on};
use crate::outcome::{Look, Outcome, Variable};
use crate::profile::Profile;
use crate::residence::Residence;
use crate::sandbox::Sandbox;
use crate::state::{Durable, SessionState};
use crate::stats::Stats;
use crate::tool::BoxFuture;
use crate::value::Value;
use rlm_sandbox_engine::{Error, Meter, Result};

/// A Python namespace that lives from exec to exec.
///
/// [`exec`](Self::exec) runs a script to its end with the registered handlers.
/// [`step`](Self::step) and [`resume`](Self::resume) hand every deferred call
/// to a loop of the embedder's own.
///
/// # Cancelling
///
/// Dropping the future of an exec, a step or a resume ends the script and drops
/// the calls it waits for; the session goes back to where it was before. A
/// [`CancelHandle`] does the same from anywhere and gives the outcome. It ends
/// inspections and [`park`](Self::park), too, with an error.
///
/// # Limits
///
/// A script that reaches a limit or crashes the interpreter is an outcome with
/// [`State::RolledBack`](crate::State::RolledBack): variables, Python's `random`
/// and the session's clock are as they were before that exec. What it printed
/// stays printed, what its calls did stays done, and budgets are not refunded.
/// The host is not asked again for anything.
#[derive(Debug)]
pub struct Session {
    pub(crate) settings: SessionBuilder,
    pub(crate) seed: u64,
    pub(crate) start: SystemTime,
    pub(crate) residence: Residence,
    pub(crate) doing: SessionState,
    /// The namespace, outside of its instance.
    pub(crate) checkpoint: Checkpoint,
    pub(crate) durable: Durable,
    pub(crate) rebasing: Rebasing,
    /// The memory of the events since the base.
    pub(crate) kept: KeptBytes,
    /// The memory of what a file says of the session for all its life: its names, functions and profile. Whoever wrote
    /// the file chose them.
    pub(crate) described: KeptBytes,
    /// The memory of what a file says of the script that waits.
    pub(crate) restored: KeptBytes,
    pub(crate) in_flight: InFlight,
    pub(crate) meter: Arc<Meter>,
    pub(crate) cancel: CancelHandle,
    /// Fuel of the last entry into the instance.
    pub(crate) entry_fuel: u64,
    pub(crate) span: tracing::Span,
    pub(crate) upkeep_fuel: u64,
    /// Fuel of repetitions over its life.
    pub(crate) repeated_fuel: u64,
    /// Fuel of [`Usage::recovery_fuel`](crate::Usage::recovery_fuel) since the last outcome.
    pub(crate) recovery_fuel: u64,
    /// True if another version of the sandbox wrote its state, which no interpreter here has read yet.
    pub(crate) is_foreign: bool,
}

/// Where an exec stands after a turn.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is matched at once and never kept"
)]
pub enum Step {
    /// It ended.
    Done(Outcome),
    /// It waits for at least one of the calls that are not
    /// [`open`](Call::open); nothing runs until one is answered.
    Waiting(Vec<Call>),
}

impl Session {
    pub(crate) fn new(settings: SessionBuilder, seed: u64, start: SystemTime) -> Self {
        let span =
            tracing::info_span!(target: "rlm_sandbox", "session", id = %settings.caller.session);
        let meter = Arc::new(Meter::default());
        let cancel = CancelHandle::default();
        let in_flight = InFlight::default();
        let state = GuestState::new(&settings, seed, start, &meter, &cancel, &in_flight);
        let checkpoint = Checkpoint::from(Base::new(&state));
        let residence = Residence::new(state, settings.sandbox.admission());
        let kept = KeptBytes::new(settings.sandbox.admission(), 0);
        let (described, restored) = (kept.again(), kept.again());
        Self {
            durable: Durable::new(settings.has_contexts()),
            settings,
            seed,
            start,
            residence,
            doing: SessionState::Idle,
            checkpoint,
            rebasing: Rebasing::default(),
            kept,
            described,
            restored,
            in_flight,
            meter,
            cancel,
            entry_fuel: 0,
            span,
            upkeep_fuel: 0,
            repeated_fuel: 0,
            recovery_fuel: 0,
            is_foreign: false,
        }
    }

    /// Runs a script to its end and says how it ended.
    ///
    /// A script that raises, does not parse or reaches a limit is an outcome,
    /// not an error. Deferred tools and the model are awaited together; the
    /// script goes on when everything it waits for is answered.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Lost`](crate::ErrorKind::Lost) if the session could not be taken up again, which
    /// would be a bug of the sandbox;
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) while a [`step`](Self::step) waits;
    /// [`ErrorKind::Guest`](crate::ErrorKind::Guest) and [`ErrorKind::Host`](crate::ErrorKind::Host) if there is no interpreter
    /// to run or no room for it.
    ///
    /// # Source
    ///
    /// Calls `repl.exec` and `repl.resume` of `wit/repl.wit`.
    pub async fn exec(&mut self, source: &str) -> Result<Outcome> {
        let span = self.exec_span(source);
        self.exec_to_end(source).instrument(span).await
    }

    /// [`exec`](Self::exec) for programs without a runtime.
    ///
    /// # Errors
    ///
    /// The errors of [`exec`](Self::exec), and [`ErrorKind::Usage`](crate::ErrorKind::Usage) inside a tokio
    /// runtime, where it would stand in the way of the tools it waits for.
    pub fn exec_blocking(&mut self, source: &str) -> Result<Outcome> {
        outside_runtime("exec")?;
        block_on(self.exec(source))
    }

    /// Runs a script until it ends or waits for a deferred call.
    ///
    /// # Errors
    ///
    /// The errors of [`exec`](Self::exec).
    pub async fn step(&mut self, source: &str) -> Result<Step> {
        let span = self.exec_span(source);
        let stay = Stay::idle(self)?;
        let step = stay.0.begin(source, false).instrument(span).await?;
        stay.0.hand_back(step)
    }

    /// Goes on with a script that waits, with the answers to at least one call
    /// that it waits for. Their order is part of the run. Where a [cassette](SessionBuilder::cassette) has an answer to
    /// a call, that is taken.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if no script waits, a ticket is not asked or
    /// was answered before, a call of a model is answered with no text or a batch with another number of texts than it has prompts,
    /// or the session goes on with a recording that has another answer; nothing
    /// has changed then. Else as [`exec`](Self::exec).
    pub async fn resume(
        &mut self,
        answers: impl IntoIterator<Item = (u64, Answer)>,
    ) -> Result<Step> {
        let stay = Stay::suspended(self)?;
        stay.0.check_kept()?;
        let answers: Vec<_> = answers.into_iter().collect();
        let settled = answers.into_iter().map(|(ticket, answer)| {
            // A cassette that has an answer gives that.
            if let Some((recorded, cost)) = stay.0.state().tape.answer_to(ticket) {
                return Ok(Settled::new(ticket, Said::of(&recorded), cost));
            }
            if let Some(call) = stay.0.state().pending.get(&ticket) {
                call.request.check(ticket, &answer)?;
            }
            let cost = stay.0.in_flight.ledger().owed(ticket);
            Ok(Settled::new(ticket, readable(Said::of(&answer)), cost))
        });
        let settled = settled.collect::<Result<_>>()?;
        let step = stay.0.answer(settled).await?;
        stay.0.hand_back(step)
    }

    /// Goes on with a script that waits, to its end, as [`exec`](Self::exec)
    /// would: the calls that wait for an answer are started with their
    /// registered handlers. For sessions that were
    /// [restored](SessionBuilder::restore), forked or stepped.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if no script waits, else as [`exec`](Self::exec).
    pub async fn finish(&mut self) -> Result<Outcome> {
        let span = tracing::info_span!(target: "rlm_sandbox", parent: &self.span, "finish");
        self.finish_waiting().instrument(span).await
    }

    /// Ends a script that waits, as a [`CancelHandle`] ends one that runs; no
    /// handler is called for it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if no script waits, else as [`exec`](Self::exec).
    pub async fn abandon(&mut self) -> Result<Outcome> {
        let stay = Stay::suspended(self)?;
        stay.0.cancel.cancel();
        match stay.0.stop_waiting().await? {
            Step::Done(outcome) => Ok(outcome),
            Step::Waiting(_) => Err(Error::usage("the script waits again; abandon it again")),
        }
    }

    /// Runs the registered handler of a call, for a loop of one's own, unless the
    /// answer has come already: from a [cassette](SessionBuilder::cassette), or
    /// before the session was [rebuilt](crate::Journal::rebuild).
    ///
    /// # Errors
    ///
    /// Those of the handler are in the [`Answer`]; there are no others.
    pub fn perform(
        &mut self,
        call: &Call,
    ) -> impl Future<Output = Answer> + Send + 'static + use<> {
        let stay = Stay::new(self);
        let session = &mut *stay.0;
        session.recall();
        let mut came = session.in_flight.settled.iter();
        let came = came.find(|settled| settled.ticket == call.ticket);
        let recorded = match came {
            Some(settled) => Some((settled.answer.kept(), settled.cost.clone())),
            None => session.state().tape.answer_to(call.ticket),
        };
        let started: BoxFuture<Answered> = match recorded {
            Some((answer, cost)) => {
                let answered = Answered::new(call.ticket, answer, cost);
                Box::pin(std::future::ready(answered))
            }
            None => session.state().started(call),
        };
        let ledger = Arc::clone(&session.in_flight.ledger);
        async move {
            let Answered {
                ticket,
                answer,
                cost,
            } = started.await;
            let mut ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
            ledger.owe(ticket, cost);
            answer
        }
    }

    /// The value of a name, or none if no script or [`set`](Self::set) bound it.
    ///
    /// # Errors
    ///
    /// The errors of [`exec`](Self::exec), [`ErrorKind::Usage`](crate::ErrorKind::Usage) if it is no Python name, and
    /// [`ErrorKind::Canceled`](crate::ErrorKind::Canceled).
    pub async fn get(&mut self, name: &str) -> Result<Option<Value>> {
        check_name(name)?;
        let stay = Stay::new(self);
        let kind = Kind::GetVariable {
            name: name.to_owned(),
        };
        match stay.0.look(kind).await? {
            Returned::Value(value) => {
                let limits = &stay.0.settings.limits;
                Ok(value.map(|value| ending::value_of(value, limits)))
            }
            other => Err(stay.0.lose(unexpected(&other))),
        }
    }

    /// The names that scripts made, sorted, each with its type and its repr,
    /// which runs no code of the script's unless that is asked for.
    ///
    /// # Errors
    ///
    /// The errors of [`exec`](Self::exec), [`ErrorKind::Limit`](crate::ErrorKind::Limit) if a `__repr__` runs
    /// into a limit, and [`ErrorKind::Canceled`](crate::ErrorKind::Canceled); nothing has changed then.
    pub async fn variables(&mut self, look: Look) -> Result<Vec<Variable>> {
        let stay = Stay::new(self);
        match stay.0.look(Kind::Variables { look }).await? {
            Returned::Variables(variables) => {
                Ok(caps::variables(variables, look, &stay.0.settings.limits))
            }
            other => Err(stay.0.lose(unexpected(&other))),
        }
    }

    /// Empties the namespace. Contexts, tools and budgets stay, and so does the
    /// number of the next ticket; Python's `random` begins anew. A session that
    /// [is lost](Self::is_lost) can be used again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) while a script waits.
    pub fn reset(&mut self) -> Result<()> {
        Stay::new(self).0.start_over()
    }

    /// Returns whether nothing runs in it, and nothing is to enter before the next execution.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.doing.is_idle() && self.durable.queued.is_empty() && !self.durable.contexts_changed()
    }

    /// Gives it another id.
    pub(crate) fn rename(&mut self, id: &str) {
        Arc::make_mut(&mut self.settings.caller).session = id.to_owned();
        let caller = Arc::clone(&self.settings.caller);
        self.state().caller = caller;
    }

    /// Returns whether the time of day goes on between executions.
    pub(crate) fn follows_time(&self) -> bool {
        self.settings.follows_time == Some(true)
    }

    /// Does what [`reset`](Self::reset) does.
    pub(crate) fn start_over(&mut self) -> Result<()> {
        if self.is_lost() {
            self.doing = SessionState::Idle;
            self.restored.set(0);
        }
        self.expect_idle()?;
        self.residence.rest();
        self.clear();
        self.note(&Line::Reset {})
    }

    /// Changes [`Limits::time`] for later execs, and the budget of fuel where that follows the time.
    pub fn set_time_limit(&mut self, time: Duration) {
        let stay = Stay::new(self);
        let mut limits = stay.0.settings.limits.clone();
        limits.time = time;
        limits.settle_fuel();
        stay.0.limit_time(time, limits.fuel_of_time);
    }

    /// Takes the caps of a reader away: from here on it is no replay any more. The limits
    /// that the journal named stay below the reader's.
    pub(crate) fn release_reader(&mut self, reader: &ReaderLimits) {
        let limits = &mut self.settings.limits;
        limits.time = limits.time.min(reader.time);
        limits.memory_bytes = limits.memory_bytes.min(reader.memory_bytes);
        limits.output_bytes = limits.output_bytes.min(reader.text_bytes);
        limits.tool_answer_bytes = limits.tool_answer_bytes.min(reader.text_bytes);
        limits.model_answer_bytes = limits.model_answer_bytes.min(reader.text_bytes);
        limits.open_calls = limits.open_calls.min(reader.open_calls);
        limits.calls = limits.calls.min(reader.calls);
        limits.model_calls = limits.model_calls.min(reader.model_calls);
        limits.call_wait = limits.call_wait.min(reader.time);
        let limits = limits.clone();
        self.settings.reader = None;
        // The contexts are the journal's, too.
        let most = Some(reader.memory_bytes);
        self.settings.most_growth_bytes = most;
        let state = self.state();
        state.limits = limits;
        state.most_growth_bytes = most;
        let contexts = Arc::clone(&state.contexts);
        state.set_contexts(&contexts);
        state.reader = None;
        state.memory.reader = None;
    }

    /// Changes the limits for all that follows. The interpreter learns of its limits when it
    /// starts, and linear memory never shrinks, so `restarts` gives the session a new instance
    /// before the next entry.
    pub(crate) async fn change_limits(&mut self, limits: Limits, restarts: bool) -> Result<()> {
        if restarts {
            self.forget_events().await?;
        }
        self.settings.limits.clone_from(&limits);
        let state = self.state();
        state.limits = limits;
        let contexts = Arc::clone(&state.contexts);
        state.set_contexts(&contexts);
        if restarts {
            self.residence.rest();
        }
        Ok(())
    }

    /// Makes bases of the session, and of what a waiting script returns to, without events:
    /// those would be repeated under other limits than they ran under.
    async fn forget_events(&mut self) -> Result<()> {
        self.checkpoint.forget_undone();
        if !self.checkpoint.is_written() {
            self.write_down().await?;
        }
        self.checkpoint.base.forget_pages();
        if let Some(before) = self.doing.before().cloned() {
            // The interpreter that works this out takes the place of the session's.
            self.residence.rest();
            self.residence.run(self.room()).await?;
            let base = self.flatten(before, false).await?;
            if let Some(execution) = self.doing.execution_mut() {
                execution.before = Some(Box::new(Checkpoint::from(base)));
            }
        }
        Ok(())
    }

    /// Changes the time, and the fuel that it comes to.
    pub(crate) fn limit_time(&mut self, time: Duration, fuel: Option<u64>) {
        let limits = &self.settings.limits;
        if (time, fuel) == (limits.time, limits.fuel_of_time) {
            return;
        }
        self.bound_time(time, fuel);
        let tape = &mut self.state().tape;
        if tape.is_on() {
            let fuel = fuel.map(Count);
            // What speaks against it, the next exec tells.
            tape.note(&Line::TimeLimit { time, fuel });
        }
    }

    /// Goes on with the limits that a journal names, as far as they are trusted, and notes what a replay has to know of the change.
    pub(crate) fn distrust_limits(&mut self) {
        let mut limits = self.settings.limits.clone();
        limits.distrust();
        (self.settings.limits.grace, self.state().limits.grace) = (limits.grace, limits.grace);
        self.limit_time(limits.time, limits.fuel_of_time);
    }

    /// Changes the time, and the fuel that it comes to, and notes nothing.
    pub(crate) fn bound_time(&mut self, time: Duration, fuel: Option<u64>) {
        let own = &mut self.settings.limits;
        (own.time, own.fuel_of_time) = (time, fuel);
        let of_state = &mut self.state().limits;
        (of_state.time, of_state.fuel_of_time) = (time, fuel);
    }

    /// Ends execs and inspections of this session from anywhere.
    pub fn cancel_handle(&self) -> CancelHandle {
        self.cancel.clone()
    }

    fn exec_span(&self, source: &str) -> tracing::Span {
        tracing::info_span!(target: "rlm_sandbox", parent: &self.span, "exec", bytes = source.len())
    }

    /// What Python sees.
    pub fn profile(&self) -> &Profile {
        &self.settings.profile
    }

    /// What it did so far.
    pub fn stats(&self) -> Stats {
        self.durable.stats
    }

    /// Returns the sandbox that it runs in.
    pub fn sandbox(&self) -> &Sandbox {
        &self.settings.sandbox
    }

    /// What one exec may use.
    pub fn limits(&self) -> &Limits {
        &self.settings.limits
    }

    /// The id that tools and traces know the session by.
    pub fn id(&self) -> &str {
        &self.settings.caller.session
    }

    /// The seed of everything random, whether it was set or drawn.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The time at which the session's clock started.
    pub fn start_time(&self) -> SystemTime {
        self.start
    }

    /// Returns whether what the session does is recorded.
    pub fn is_recorded(&mut self) -> bool {
        self.state().tape.recorder().is_some()
    }

    /// Returns the bytes of memory that an execution and the session's own upkeep may take at the most, as they count in
    /// [`SandboxLimits::memory_bytes`](crate::SandboxLimits::memory_bytes).
    pub fn most_memory_bytes(&self) -> u64 {
        self.room()
    }

    /// What entered the instance, in order, since the session last got a new
    /// base; those of a rolled back exec until the next one begins.
    pub fn events(&self) -> &[Event] {
        &self.checkpoint.events
    }

    /// Fuel that went into writing and loading the session, over its life; it
    /// is charged to no exec.
    pub fn upkeep_fuel(&self) -> u64 {
        self.upkeep_fuel
    }

    /// Returns the fuel of repetitions over its life: after an instance was lost, the next one
    /// repeats what happened since the session was last written. It is charged to no execution.
    pub fn repeated_fuel(&self) -> u64 {
        self.repeated_fuel
    }

    /// Returns whether the session could not be taken up again: it refuses everything but
    /// [`reset`](Self::reset).
    pub fn is_lost(&self) -> bool {
        matches!(self.doing, SessionState::Lost(_))
    }

    /// Returns whether a script waits for answers.
    pub fn is_waiting(&self) -> bool {
        self.doing.is_suspended()
    }
}

/// While something is done with a session. Broken off in the middle of a turn,
/// it gives up the script; afterwards others may have the session's room.
pub(crate) struct Stay<'a>(pub(crate) &'a mut Session);

impl<'a> Stay<'a> {
    pub(crate) fn new(session: &'a mut Session) -> Self {
        // A future may have been forgotten instead of dropped.
        session.settle();
        Self(session)
    }

    /// For what can only be done while nothing runs.
    pub(crate) fn idle(session: &'a mut Session) -> Result<Self> {
        let stay = Self::new(session);
        stay.0.expect_idle()?;
        Ok(stay)
    }

    /// For what can only be done while a script waits.
    pub(crate) fn suspended(session: &'a mut Session) -> Result<Self> {
        let stay = Self::new(session);
        stay.0.expect_suspended()?;
        Ok(stay)
    }
}

impl Drop for Stay<'_> {
    fn drop(&mut self) {
        self.0.settle();
        self.0.residence.leave();
    }
}

/// Refuses to block where that would stop the very tasks one waits for.
pub(crate) fn outside_runtime(instead: &str) -> Result<()> {
    if tokio::runtime::Handle::try_current().is_ok() {
        return Err(Error::usage(format!(
            "this is a tokio runtime, which must not be blocked; use `{instead}` and await it"
        )));
    }
    Ok(())
}
