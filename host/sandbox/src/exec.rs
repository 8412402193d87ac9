//! One exec of a session, from its first entry into the instance to its outcome.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::base::{Base, Checkpoint, Rebasing};
use crate::bindings::exports::rlm::sandbox::repl::{self, Entry, Form, Misuse};
use crate::caps;
use crate::clock::{self, Clock, Random};
use crate::context::{Context, Data, default_of};
use crate::deadline::Watched;
use crate::ending::{self, Seen};
use crate::event::Kind;
use crate::guest_state::Readable;
use crate::instance::{Death, Returned, STACK_EXHAUSTED, short_of_memory};
use crate::memory::footprint;
use crate::noting::How;
use crate::outcome::{Ending, Exception, Final, Outcome, Rewrite, State, Stop, Usage};
use crate::plugin::Kept;
use crate::profile::{Namespace, OnError};
use crate::session::{Session, Stay, Step};
use crate::state::{Began, SessionState, Variable};
use rlm_sandbox_engine::{Error, ErrorKind, Result};

impl Session {
    pub(crate) async fn exec_to_end(&mut self, source: &str) -> Result<Outcome> {
        let stay = Stay::idle(self)?;
        let driven = Driven(stay.0);
        let mut step = driven.0.begin(source, true).await?;
        loop {
            match step {
                Step::Done(outcome) => return Ok(outcome),
                Step::Waiting(_) => step = Box::pin(driven.0.wait()).await?,
            }
        }
    }

    pub(crate) async fn finish_waiting(&mut self) -> Result<Outcome> {
        let stay = Stay::suspended(self)?;
        stay.0.check_kept()?;
        let driven = Driven(stay.0);
        driven.0.start_handlers();
        loop {
            if let Step::Done(outcome) = driven.0.wait().await? {
                return Ok(outcome);
            }
        }
    }

    pub(crate) async fn begin(&mut self, source: &str, starts_handlers: bool) -> Result<Step> {
        self.check_kept()?;
        self.expect_idle()?;
        self.begin_anew()?;
        // What is played takes no time to speak of; what goes on behind it does.
        let goes_on = self.state().tape.goes_on();
        let deadline = self.settings.limits.deadline.filter(|_| goes_on);
        self.cancel.shared().begin_deadline(deadline);
        let _watched = self.watch_deadline();
        self.check_writable().await?;
        let since = Instant::now();
        // One that is canceled before it has begun has nothing to undo.
        let queue = match self.cancel.is_canceled() {
            true => Ok(Queue::Entered),
            false => self.enter_queued(starts_handlers).await,
        };
        // An execution that has not begun leaves the values that entered to the next one.
        self.durable.is_used |= !matches!(queue, Ok(Queue::OutOfTime | Queue::Refused(_)));
        self.checkpoint.exec_start = self.checkpoint.events.len();
        if self.cancel.is_canceled() && self.doing.is_idle() {
            self.start(starts_handlers);
            return Ok(self.canceled());
        }
        match queue? {
            Queue::Entered => {}
            Queue::OutOfTime => return Ok(self.out_of_time()),
            Queue::Refused(refused) => return Ok(self.no_room(refused, since)),
        }
        if let Some(exception) = ending::too_long(source, &self.settings.limits) {
            return Ok(self.refuse(exception));
        }
        let waited_seconds = self.seconds_waited();
        self.turn(Kind::Exec {
            source: source.into(),
            waited_seconds,
        })
        .await
    }

    /// Returns the seconds by which the time of day has gone on between executions, all together: as recorded, or up to
    /// the real time where the clock follows it.
    fn seconds_waited(&mut self) -> u64 {
        let (follows_time, least) = (self.follows_time(), self.durable.least_waited);
        let state = self.state();
        match state.tape.seconds_waited() {
            Some(recorded) => recorded,
            None if follows_time => state.clock.seconds_to_wait(clock::now()),
            None => state.clock.waited_seconds.max(least),
        }
    }

    /// Ends an exec that does not enter the instance. It changes nothing, so it stands in no
    /// journal: a replay, or a cassette, refuses it by itself.
    fn refuse(&mut self, exception: Exception) -> Step {
        let claim = Claim {
            names: self.durable.names.clone(),
            live_bytes: self.durable.live_bytes,
            ..Claim::default()
        };
        let now = self.begin_now();
        let outcome = self.conclude(now, Ending::Raised(exception), claim);
        self.durable.stats.count(&outcome);
        Step::Done(outcome)
    }

    /// Ends an execution whose time was used up by values that were queued for it. Those that
    /// entered stay, and the others enter with the next execution. It stands in no journal,
    /// since it has not entered the instance.
    fn out_of_time(&mut self) -> Step {
        let mut exception = ending::stop_exception(Stop::Time, &self.settings.limits);
        exception.message.push_str(&format!(
            "; the values that were set before the script took it, {} are left for the next one",
            self.durable.queued.len()
        ));
        let (now, ending) = (self.begin_now(), stopped(Stop::Time, exception, None));
        let outcome = self.conclude(now, ending, Claim::default());
        self.durable.stats.count(&outcome);
        Step::Done(outcome)
    }

    /// Ends an execution for which a value or the contexts could not enter: one of them reached a
    /// limit. It has not entered the instance, so it stands in no journal, and its fuel is 0. The
    /// values that were queued behind the refused one enter with the next execution.
    fn no_room(&mut self, refused: Refused, since: Instant) -> Step {
        let Refused { what, death } = refused;
        let limits = &self.settings.limits;
        let (why, mut exception) = match death {
            Death::Stopped(why) | Death::Ignored(why) | Death::Killed(why) => {
                (Some(why), ending::stop_exception(why, limits))
            }
            Death::Crashed(how) => (None, ending::crash_exception(&how)),
            Death::Machine => (None, ending::crash_exception("no memory")),
        };
        exception.message.push_str(&format!(
            "; {what} could not be bound before the script, which did not run"
        ));
        let ending = match why {
            Some(why) => stopped(why, exception, None),
            None => {
                exception.traceback = exception.to_string();
                Ending::Crashed(exception)
            }
        };
        let spent = self.meter.read();
        self.start(false);
        self.meter.resume_at(spent);
        let began = Began {
            since,
            ..self.begin_now()
        };
        let outcome = self.conclude(began, ending, Claim::default());
        self.durable.stats.count(&outcome);
        Step::Done(outcome)
    }

    /// Empties the namespace where each exec has one of its own. What was given
    /// since is for the next.
    fn begin_anew(&mut self) -> Result<()> {
        if !self.durable.is_used || self.settings.profile.namespace != Namespace::Exec {
            return Ok(());
        }
        let queued = std::mem::take(&mut self.durable.queued);
        let begun = self.start_over();
        self.durable.queued = queued;
        begun
    }

    /// Ends the script at hand where it stands.
    pub(crate) fn canceled(&mut self) -> Step {
        self.note_given_up();
        let why = self.cancel.why().unwrap_or(Stop::Canceled);
        let exception = ending::stop_exception(why, &self.settings.limits);
        // One that waits is at the call that it made last.
        let waits = self.doing.is_suspended();
        let seen = self.state().tally.last_seen.filter(|_| waits);
        let began = match self.doing.execution() {
            Some(execution) => execution.began,
            None => self.begin_now(),
        };
        let outcome = self.conclude(began, stopped(why, exception, seen), Claim::default());
        self.durable.stats.count(&outcome);
        self.roll_back();
        Step::Done(outcome)
    }

    /// Enters the instance for something that is no script. A cancellation ends it as it ends a
    /// script, and nothing that comes later.
    pub(crate) async fn look(&mut self, kind: Kind) -> Result<Returned> {
        self.expect_idle()?;
        let returned = self.look_unless_canceled(kind).await;
        self.end_cancel();
        returned
    }

    async fn look_unless_canceled(&mut self, kind: Kind) -> Result<Returned> {
        self.check_canceled()?;
        match self.enter_queued(false).await? {
            Queue::Entered => {}
            Queue::OutOfTime => {
                return Err(Error::limit(format!(
                    "`{}` has not happened: the values that were set before it took the time limit, {} are left; ask again",
                    kind.name(),
                    self.durable.queued.len()
                )));
            }
            Queue::Refused(refused) => return Err(refused.error()),
        }
        self.check_canceled()?;
        let returned = self.let_in(kind).await?;
        self.rebase_if_due(self.durable.live_bytes, false).await?;
        Ok(returned)
    }

    /// Lets the deadline of the script at hand end it while the guard lives.
    pub(crate) fn watch_deadline(&self) -> Watched {
        let alarms = self.settings.sandbox.alarms();
        self.cancel.shared().watch_deadline(alarms)
    }

    /// Takes back all requests to end the script at hand.
    fn end_script(&self) {
        self.cancel.take_back();
        self.cancel.shared().begin_deadline(None);
        self.cancel.shared().forget_deadline();
    }

    /// Refuses to begin what was canceled already.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Canceled`] if it was.
    pub(crate) fn check_canceled(&self) -> Result<()> {
        match self.cancel.is_canceled() {
            true => Err(canceled("canceled before it began")),
            false => Ok(()),
        }
    }

    /// Ends a cancellation with what is no script and has ended. A script that waits is still to be
    /// ended by it.
    pub(crate) fn end_cancel(&self) {
        if !self.doing.is_suspended() {
            self.cancel.take_back();
        }
    }

    /// Gives up a turn that was broken off.
    pub(crate) fn settle(&mut self) {
        if matches!(self.doing, SessionState::Running(_)) {
            self.give_up();
        }
    }

    /// Gives up the script at hand, and with it what was to end it.
    pub(crate) fn give_up(&mut self) {
        self.note_given_up();
        self.in_flight.clear();
        self.state().charge_abandoned();
        self.end_script();
        self.roll_back();
    }

    /// Makes the instance if there is none, and enters what was queued, as much as the time
    /// limit allows: the rest stays queued.
    pub(crate) async fn ready(&mut self, starts_handlers: bool) -> Result<()> {
        match self.enter_queued(starts_handlers).await? {
            Queue::Entered | Queue::OutOfTime => Ok(()),
            Queue::Refused(refused) => Err(refused.error()),
        }
    }

    /// Does what [`ready`](Self::ready) does, and returns whether all of it entered. The time
    /// counts as the execution's own. Each value may take all of the time limit, so that
    /// a slow one enters at last; no further one enters beyond the limit.
    async fn enter_queued(&mut self, starts_handlers: bool) -> Result<Queue> {
        self.expect_idle()?;
        if !self.durable.queued.is_empty() {
            self.begin_anew()?;
        }
        if !self.durable.queued.is_empty() || self.durable.contexts_changed() {
            self.check_kept_to_write()?;
        }
        self.checkpoint.forget_undone();
        self.count_events();
        self.live_at_bounded_cost().await?;
        self.in_flight.clear();
        let mut spent = Duration::ZERO;
        if self.durable.contexts_changed() {
            let event = self.context_event();
            // Seldom, and not to be carried along by every exec.
            if let Err(refused) = Box::pin(self.try_enter(event)).await? {
                return Ok(Queue::Refused(refused));
            }
            self.durable.settle_contexts();
            spent = self.meter.read();
        }
        // A replay ends where the recording ended.
        let is_played = self.state().tape.is_playing();
        let most = (!is_played).then_some(self.settings.limits.time);
        let mut queue = Queue::Entered;
        while let Some(Variable { name, json }) = self.durable.queued.front().cloned() {
            let kind = Kind::SetVariable { name, json };
            if most.is_some_and(|most| spent >= most) {
                queue = Queue::OutOfTime;
                break;
            }
            let result = Box::pin(self.try_enter(kind)).await;
            spent = spent.saturating_add(self.meter.read());
            // One that was refused is not tried again; a cancel and the machine's
            // trouble are not its fault.
            let is_over = match &result {
                Ok(Ok(_)) => true,
                Ok(Err(_)) => !self.cancel.is_canceled(),
                Err(error) => error.kind() != ErrorKind::Host && !self.cancel.is_canceled(),
            };
            if is_over {
                self.durable.queued.pop_front();
            }
            if let Err(refused) = result? {
                return Ok(Queue::Refused(refused));
            }
            // An execution that is rolled back does not repeat all of them.
            Box::pin(self.rebase_if_due(self.durable.live_bytes, false)).await?;
        }
        self.start(starts_handlers);
        self.meter.resume_at(spent);
        Ok(queue)
    }

    /// Enters the instance for what is no script, on a budget of its own.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] where a limit was reached, and [`ErrorKind::Usage`] where the guest refuses it; nothing has
    /// changed then.
    async fn let_in(&mut self, kind: Kind) -> Result<Returned> {
        let entered = self.try_enter(kind).await?;
        entered.map_err(|refused| refused.error())
    }

    /// Does what [`let_in`](Self::let_in) does, and returns the limit that was reached as a value.
    async fn try_enter(&mut self, kind: Kind) -> Result<Result<Returned, Refused>> {
        self.checkpoint.exec_start = self.checkpoint.events.len();
        self.state().begin_exec(false);
        let what = match &kind {
            Kind::SetVariable { name, .. } => format!("the value of `{name}`"),
            Kind::SetContexts { .. } => String::from("the contexts"),
            kind => format!("`{}`", kind.name()),
        };
        match self.enter(kind).await? {
            Ok(returned) => {
                self.doing = SessionState::Idle;
                self.note_returned(&returned)?;
                Ok(Ok(returned))
            }
            Err(Death::Machine) => {
                self.roll_back();
                self.note_failed(String::from("machine"), true)?;
                Err(short_of_memory())
            }
            Err(death) => {
                self.roll_back();
                let killed = matches!(death, Death::Killed(_));
                self.note_failed(format!("{death:?}"), killed)?;
                Ok(Err(Refused { what, death }))
            }
        }
    }

    /// Readies both sides for a script.
    fn start(&mut self, starts_handlers: bool) {
        self.state().begin_exec(starts_handlers);
    }

    /// Returns the beginning of an execution that begins now.
    fn begin_now(&mut self) -> Began {
        Began::now(self.state().counts.model_calls)
    }

    /// Refuses what can only be done while nothing runs.
    pub(crate) fn expect_idle(&self) -> Result<()> {
        match &self.doing {
            SessionState::Idle => Ok(()),
            SessionState::Lost(why) => Err(lost(why)),
            SessionState::Running(_) => Err(Error::usage("the session is busy")),
            SessionState::Suspended(_) => Err(Error::usage(
                "a script waits for answers; `resume` it first",
            )),
        }
    }

    /// Refuses what can only be done while a script waits.
    pub(crate) fn expect_suspended(&self) -> Result<()> {
        match &self.doing {
            SessionState::Suspended(_) => Ok(()),
            SessionState::Lost(why) => Err(lost(why)),
            SessionState::Running(_) => Err(Error::usage("the session is busy")),
            SessionState::Idle => Err(Error::usage("no script waits; start one with `step`")),
        }
    }

    /// Returns what scripts see as `context`.
    fn default_context(&self) -> Option<&Context> {
        let settings = &self.settings;
        default_of(settings.contexts.iter()).or(settings.graph_input.as_ref())
    }

    /// The contexts that scripts can read, by name.
    pub(crate) fn readable(&self) -> Readable {
        let default = self.default_context();
        let contexts = self.settings.contexts.iter().chain(default);
        let named = contexts.map(|context| (Arc::from(context.name()), context.clone()));
        Arc::new(named.collect())
    }

    /// Makes the contexts readable and says what their names mean.
    pub(crate) fn context_event(&mut self) -> Kind {
        let default = self.default_context().map(entry);
        let readable = self.readable();
        self.durable.count_contexts(footprint(&readable));
        let mut files: Vec<&Context> = self.settings.contexts.iter().collect();
        files.sort_by(|a, b| a.name().as_bytes().cmp(b.name().as_bytes()));
        Kind::SetContexts {
            files: files.into_iter().map(entry).collect(),
            default,
            readable,
        }
    }

    /// Enters the instance and notes the event. After a death the instance is
    /// of no use, but the host's side still knows what the exec printed.
    pub(crate) async fn enter(&mut self, kind: Kind) -> Result<Result<Returned, Death>> {
        self.live().await?;
        self.note_entry(&kind)?;
        let now = self.begin_now();
        let instance = self
            .residence
            .instance()
            .ok_or_else(|| lost("it has no instance"))?;
        if let Kind::SetContexts { readable, .. } = &kind {
            instance.store.data_mut().set_contexts(readable);
        }
        self.doing.enter(now);
        let (event, result) = instance.enter(kind, &mut self.in_flight).await;
        tracing::debug!(target: "rlm_sandbox", event = event.kind.name(), fuel = event.fuel, "entered");
        let told = event.stopped.is_some();
        self.rebasing.count(&event);
        self.entry_fuel = event.fuel.unwrap_or(0);
        self.checkpoint.events.push(event);
        self.count_events();
        match result {
            // Replayed without being told, it would come out otherwise.
            Ok(Ok(returned)) if told && !returned.is_stop() => {
                let why = self.state().stop_reason().unwrap_or(Stop::Time);
                Ok(Err(Death::Ignored(why)))
            }
            Ok(Ok(returned)) => Ok(Ok(returned)),
            Ok(Err(Misuse::Limit)) => Ok(Err(Death::Stopped(
                self.state().stop_reason().unwrap_or(Stop::Memory),
            ))),
            Ok(Err(misuse)) => {
                self.doing = SessionState::Idle;
                self.note_failed(format!("{misuse:?}"), false)?;
                Err(refusal(misuse))
            }
            Err(death) => Ok(Err(death)),
        }
    }

    /// One turn of a script.
    pub(crate) async fn turn(&mut self, kind: Kind) -> Result<Step> {
        let mut entered = self.enter(kind).await?;
        if let Ok(Returned::Step(repl::Step::Suspended(suspension))) = &entered
            && !self
                .state()
                .was_asked(&suspension.waiting, &suspension.open)
        {
            let what = "it waits for calls that it did not make";
            entered = Err(Death::Crashed(what.to_owned()));
        }
        let told = self.state().stop_reason();
        let call_limit = self.state().tally.call_limit;
        let refusal = self.state().tally.budget_refusal.clone();
        let (seen, refused_at) = (self.state().tally.last_seen, self.state().tally.refused_at);
        self.check_divergence(&entered)?;
        let mut how = How::default();
        let limits = &self.settings.limits;
        let (ending, claim) = match entered {
            Ok(Returned::Step(repl::Step::Suspended(suspension))) => {
                // What brings a session back is bounded while it waits, too.
                self.rebase_if_due(suspension.live_bytes, true).await?;
                self.suspend(&suspension);
                self.note_suspended()?;
                return Ok(Step::Waiting(self.asked()));
            }
            Ok(Returned::Step(repl::Step::Complete(outcome))) => {
                let claim = Claim {
                    exited: ending::exits(&outcome.ending),
                    finish: outcome.finish.map(|finish| ending::finish(finish, limits)),
                    pauses: outcome.pauses,
                    names: caps::names(outcome.names),
                    live_bytes: outcome.live_bytes,
                    rewrites: caps::rewrites(outcome.rewrites, limits),
                };
                let ending = ending::read(outcome.ending, told, limits, call_limit)
                    .refused_by(refusal.as_deref())
                    .printed_at(refused_at);
                (ending, claim)
            }
            Ok(other) => return Err(self.lose(unexpected(&other))),
            Err(Death::Machine) => {
                self.give_up();
                return Err(short_of_memory());
            }
            Err(Death::Killed(why)) => {
                how.killed = true;
                let exception = ending::killed_exception(why, limits);
                (stopped(why, exception, seen), Claim::default())
            }
            Err(Death::Stopped(why) | Death::Ignored(why)) => {
                let exception = ending::stopped_by(why, limits, call_limit);
                (stopped(why, exception, seen), Claim::default())
            }
            Err(Death::Crashed(what)) => {
                how.overflow = what == STACK_EXHAUSTED;
                let ending = Ending::Crashed(ending::crash_exception(&what));
                (ending, Claim::default())
            }
        };
        let live_bytes = claim.live_bytes;
        let began = match self.doing.execution() {
            Some(execution) => execution.began,
            None => self.begin_now(),
        };
        let outcome = self.conclude(began, ending, claim);
        match outcome.state {
            State::RolledBack => {
                self.roll_back();
                self.note_outcome(&outcome, how)?;
            }
            State::Intact => {
                // Dropped until here, it is as if it had not been.
                let may_fail = self.state().tape.is_on();
                self.rebase_if_due(live_bytes, may_fail).await?;
                self.note_outcome(&outcome, how)?;
                self.cancel.take_back();
                self.doing = SessionState::Idle;
                self.count_events();
                self.durable.live_bytes = live_bytes;
                self.durable.names.clone_from(&outcome.names);
            }
        }
        self.durable.stats.count(&outcome);
        Ok(Step::Done(outcome))
    }

    fn conclude(&mut self, began: Began, ending: Ending, claim: Claim) -> Outcome {
        self.in_flight.clear();
        // The script of a session that was restored is over.
        self.restored.set(0);
        // Whatever it ended with, this was the exec that was to end.
        self.end_script();
        let rolls_back = match ending {
            Ending::Value(_) => false,
            Ending::Raised(_) => self.settings.profile.on_error == OnError::RollBack,
            Ending::Stopped(..) | Ending::Crashed(_) => true,
        };
        let (state, names, live_bytes) = match rolls_back {
            false => (State::Intact, claim.names, claim.live_bytes),
            true => (
                State::RolledBack,
                self.durable.names.clone(),
                self.durable.live_bytes,
            ),
        };
        let compute = self.meter.read();
        let Began {
            since,
            model_calls,
            tokens,
        } = began;
        let recovery_fuel = std::mem::take(&mut self.recovery_fuel);
        let guest = self.state();
        guest.charge_abandoned();
        // Without fuel there are no figures of it.
        let counts_fuel = guest.metering.counts_fuel();
        let figure = |fuel: u64| if counts_fuel { fuel } else { 0 };
        Outcome {
            ending,
            exited: claim.exited,
            finish: claim.finish,
            pauses: claim.pauses,
            rewrites: claim.rewrites,
            stdout: std::mem::take(&mut guest.output.printed.stdout),
            stderr: std::mem::take(&mut guest.output.printed.stderr),
            dropped_bytes: guest.output.printed.dropped_bytes,
            names,
            calls: std::mem::take(&mut guest.tally.records),
            state,
            usage: Usage {
                fuel: figure(guest.exec_fuel_before()),
                compute,
                elapsed: since.elapsed(),
                peak_memory_bytes: guest.memory.peak_bytes,
                live_memory_bytes: live_bytes,
                model_calls: guest.counts.model_calls.saturating_sub(model_calls),
                tokens,
                recovery_fuel: figure(recovery_fuel),
            },
        }
    }

    /// The namespace as it was before anything happened.
    pub(crate) fn clear(&mut self) {
        let (seed, start) = (self.seed, self.start);
        let state = self.state();
        state.clock = Clock::new(start);
        state.random = Random(seed);
        state.kept = Kept::default();
        state.set_contexts(&Readable::default());
        self.checkpoint = Checkpoint::from(Base::new(self.state()));
        self.rebasing = Rebasing::default();
        self.count_events();
        self.durable.reset(self.settings.has_contexts());
    }

    /// Gives the session up, whose state no instance can load.
    pub(crate) fn lose(&mut self, error: Error) -> Error {
        self.residence.rest();
        let follows_journal = self.state().tape.compares_all();
        let is_foreign = self.is_foreign;
        self.doing = SessionState::Lost(error.to_string().into());
        self.in_flight.clear();
        let (kind, message) = match follows_journal {
            _ if is_foreign => (
                ErrorKind::Parked,
                "the session was written by another version of the sandbox, whose interpreter is another; go on with that \
                 version",
            ),
            true => (
                ErrorKind::Journal,
                "a state of the session that the journal holds cannot be loaded; take a copy that was not changed",
            ),
            false => (
                ErrorKind::Lost,
                "the session is lost, and all its variables; reset it or open a new one",
            ),
        };
        Error::new(kind, message).because(error)
    }
}

/// State of the queue of values and contexts after they were entered.
#[derive(Debug)]
enum Queue {
    /// It is empty.
    Entered,
    /// The time limit was used up, and some are left.
    OutOfTime,
    /// One of them reached a limit and is not tried again; those behind it are left.
    Refused(Refused),
}

/// An entry that is no script and reached a limit. Nothing has changed.
#[derive(Debug)]
struct Refused {
    what: String,
    death: Death,
}

impl Refused {
    fn error(&self) -> Error {
        let Self { what, death } = self;
        match death {
            Death::Stopped(Stop::Canceled)
            | Death::Killed(Stop::Canceled)
            | Death::Ignored(Stop::Canceled) => {
                canceled(format!("{what} was canceled and had no effect"))
            }
            Death::Crashed(how) => Error::limit(format!(
                "{what} crashed the interpreter ({how}) and had no effect"
            )),
            Death::Stopped(why) | Death::Ignored(why) | Death::Killed(why) => Error::limit(
                format!("{what} reached a limit ({}) and had no effect", why.word()),
            ),
            Death::Machine => Error::limit(format!(
                "{what} found no memory on this machine and had no effect"
            )),
        }
    }
}

/// What a guest says of a script that ended, but for how.
#[derive(Debug, Default)]
struct Claim {
    exited: bool,
    finish: Option<Final>,
    pauses: u32,
    names: Vec<String>,
    live_bytes: u64,
    rewrites: Vec<Rewrite>,
}

/// A session whose exec is driven to its end; gives up the script if it is
/// dropped before.
struct Driven<'a>(&'a mut Session);

impl Drop for Driven<'_> {
    fn drop(&mut self) {
        if self.0.doing.execution().is_some() {
            self.0.give_up();
        }
    }
}

/// Returns the ending of a script whose interpreter tells no traceback.
fn stopped(why: Stop, exception: crate::Exception, seen: Option<Seen>) -> Ending {
    Ending::Stopped(why, exception.seen_at(seen))
}

/// What is told when the guest gave what it was not asked for.
pub(crate) fn unexpected(returned: &Returned) -> Error {
    Error::new(
        ErrorKind::Guest,
        format!("the interpreter gave something unexpected: {returned:?}"),
    )
}

/// Returns the error of what a cancellation ended.
pub(crate) fn canceled(how: impl Into<String>) -> Error {
    Error::new(ErrorKind::Canceled, how)
}

fn lost(why: &str) -> Error {
    Error::new(
        ErrorKind::Lost,
        format!(
            "the session is lost, and all its variables: it could not be taken up again after a limit or a crash ({why}); \
             reset it or open a new one"
        ),
    )
}

fn refusal(misuse: Misuse) -> Error {
    Error::usage(match misuse {
        Misuse::Settings => "the interpreter refuses the session's settings",
        Misuse::State => "the interpreter is not in a state for this call",
        Misuse::Ticket => "the interpreter does not know this ticket",
        Misuse::Name => "the interpreter says this is no Python name",
        Misuse::Dump => "the interpreter cannot write or read its state",
        Misuse::Limit => "the interpreter ran into a limit",
        Misuse::Json => "the interpreter cannot read this JSON; it may nest too deeply",
    })
}

fn entry(context: &Context) -> Entry {
    Entry {
        name: context.name().to_owned(),
        form: match context.data() {
            Data::Text(_) => Form::Text,
            Data::Json(_) => Form::Json,
            Data::Bytes(_) => Form::Bytes,
        },
        size_bytes: context.size_bytes(),
        characters: context.characters(),
    }
}
