//! One Python namespace, exec after exec.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;
use tracing::Instrument as _;

use crate::bindings::exports::rlm::sandbox::repl::{self, Entry, Form, Misuse, Resumption, Suspension};
use crate::bindings::rlm::sandbox::types;
use crate::builder::{SessionBuilder, check_context};
use crate::call::{Answer, Call, InFlight, Progress, Request, Settled};
use crate::context::{Context, Data, select_default_context};
use crate::ending;
use crate::error::{Error, ErrorKind, Result};
use crate::event::{Event, Kind};
use crate::guest_state::{Clock, GuestState, Random, capped_tool_answer};
use crate::instance::{Death, Instance, Returned};
use crate::limits::Limits;
use crate::memory::{Limiter, growth};
use crate::meter::{CancelHandle, Meter, block_on};
use crate::model::TokenUsage;
use crate::outcome::{Ending, Outcome, State, Stop, Usage};
use crate::output::Output;
use crate::tool::is_identifier;
use crate::value::Value;

/// A Python namespace that lives from exec to exec.
///
/// [`exec`](Self::exec) runs a script to its end with the registered handlers.
/// [`step`](Self::step) and [`resume`](Self::resume) hand every deferred call
/// to a loop of the embedder's own.
///
/// # Cancelling
///
/// Dropping the future of an exec ends the script and drops the calls it
/// waits for; the session is lost then. A [`CancelHandle`] ends an exec from
/// anywhere and gives its outcome.
#[derive(Debug)]
pub struct Session {
    settings: SessionBuilder,
    seed: u64,
    start: SystemTime,
    instance: Option<Box<Instance>>,
    phase: Phase,
    /// Everything that entered the instance, in order.
    events: Vec<Event>,
    /// What has yet to enter it before the next exec.
    queued: Vec<Kind>,
    contexts_changed: bool,
    /// Numbers the contexts' contents.
    version: u64,
    in_flight: InFlight,
    meter: Arc<Meter>,
    cancel: CancelHandle,
    running: Running,
    span: tracing::Span,
}

/// What a session is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    Waiting,
    /// The instance is being entered; stays so if the future is dropped.
    Inside,
    Lost,
}

/// The exec at hand.
#[derive(Debug)]
struct Running {
    since: Instant,
    model_calls_before: u64,
    tokens: TokenUsage,
    waiting: Vec<u64>,
}

/// Where an exec stands after a turn.
#[derive(Debug)]
pub enum Step {
    /// It ended.
    Done(Outcome),
    /// It waits for at least one of the calls that are not
    /// [`open`](Call::open); nothing runs until one is answered.
    Waiting(Vec<Call>),
}

impl Session {
    pub(crate) fn new(settings: SessionBuilder, seed: u64, start: SystemTime) -> Self {
        let span = tracing::info_span!(target: "rlm_sandbox", "session", id = %settings.caller.session);
        Self {
            contexts_changed: !settings.contexts.is_empty() || settings.graph_input.is_some(),
            settings,
            seed,
            start,
            instance: None,
            phase: Phase::Idle,
            events: Vec::new(),
            queued: Vec::new(),
            version: 0,
            in_flight: InFlight::default(),
            meter: Arc::new(Meter::default()),
            cancel: CancelHandle::default(),
            running: Running {
                since: Instant::now(),
                model_calls_before: 0,
                tokens: TokenUsage::default(),
                waiting: Vec::new(),
            },
            span,
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
    /// [`ErrorKind::Lost`] if an earlier exec cost the session;
    /// [`ErrorKind::Usage`] while a [`step`](Self::step) waits;
    /// [`ErrorKind::Guest`] and [`ErrorKind::Host`] if there is no interpreter
    /// to run or no room for it.
    ///
    /// # Source
    ///
    /// Calls `repl.exec` and `repl.resume` of `wit/repl.wit`.
    pub async fn exec(&mut self, source: &str) -> Result<Outcome> {
        let span = tracing::info_span!(target: "rlm_sandbox", parent: &self.span, "exec", bytes = source.len());
        self.exec_to_end(source).instrument(span).await
    }

    /// [`exec`](Self::exec) for programs without a runtime.
    ///
    /// # Errors
    ///
    /// As [`exec`](Self::exec), and [`ErrorKind::Usage`] inside a tokio
    /// runtime, where it would stand in the way of the tools it waits for.
    pub fn exec_blocking(&mut self, source: &str) -> Result<Outcome> {
        outside_runtime("exec")?;
        block_on(self.exec(source))
    }

    /// Runs a script until it ends or waits for a deferred call.
    ///
    /// # Errors
    ///
    /// As [`exec`](Self::exec).
    pub async fn step(&mut self, source: &str) -> Result<Step> {
        let span = tracing::info_span!(target: "rlm_sandbox", parent: &self.span, "exec", bytes = source.len());
        self.begin(source, false).instrument(span).await
    }

    /// Goes on with a script that waits, with the answers to at least one call
    /// that it waits for. Their order is part of the run.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] if no script waits, or a ticket is not asked or
    /// was answered before; nothing has changed then. Else as
    /// [`exec`](Self::exec).
    pub async fn resume(&mut self, answers: impl IntoIterator<Item = (u64, Answer)>) -> Result<Step> {
        self.expect(Phase::Waiting)?;
        let answers: Vec<_> = answers.into_iter().collect();
        let settled = answers.into_iter().map(|(ticket, answer)| Settled { ticket, answer, tokens: TokenUsage::default() });
        self.answer(settled.collect()).await
    }

    /// Runs the registered handler of a call, for a loop of one's own.
    ///
    /// # Errors
    ///
    /// Those of the handler are in the [`Answer`]; there are no others.
    pub fn perform(&self, call: &Call) -> impl Future<Output = Answer> + Send + 'static + use<> {
        let context = crate::tool::ToolContext {
            shared: Arc::clone(&self.settings.caller),
            ticket: call.ticket,
            cancel: self.cancel.clone(),
        };
        let started = self.settings.handlers.start(call, context);
        async move { started.await.answer }
    }

    /// Binds a name, from the next exec on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] if it is no Python name, or the value has no JSON
    /// form or one larger than [`Limits::memory_bytes`]: data of that size
    /// should be a [`Context`].
    pub fn set(&mut self, name: impl Into<String>, value: impl Serialize) -> Result<()> {
        let name = name.into();
        if !is_identifier(&name) || name.starts_with("_rlm_") {
            return Err(Error::usage(format!("`{name}` is not a name that a variable can have")));
        }
        let json = serde_json::to_string(&value)
            .map_err(|error| Error::usage(format!("the value for `{name}` has no JSON form")).because(error))?;
        if json.len() as u64 > self.settings.limits.memory_bytes {
            return Err(Error::usage(format!(
                "the value for `{name}` takes {} bytes of JSON, more than the memory limit; add it as a context",
                json.len()
            )));
        }
        self.queued.push(Kind::SetVariable { name, json });
        Ok(())
    }

    /// The value of a name, or none if no script or [`set`](Self::set) bound it.
    ///
    /// # Errors
    ///
    /// As [`exec`](Self::exec), and [`ErrorKind::Usage`] if it is no Python name.
    pub async fn get(&mut self, name: &str) -> Result<Option<Value>> {
        if !is_identifier(name) || name.starts_with("_rlm_") {
            return Err(Error::usage(format!("`{name}` is not a name that a variable can have")));
        }
        self.ready(false).await?;
        let entered = self.enter(Kind::GetVariable { name: name.to_owned() }).await?;
        match entered {
            Ok(Returned::Value(value)) => {
                self.phase = Phase::Idle;
                Ok(value.map(ending::value_of))
            }
            Ok(_) => Err(self.lose(Error::new(ErrorKind::Guest, "the interpreter gave something else than a value"))),
            Err(death) => {
                let error = Error::new(ErrorKind::Lost, format!("reading `{name}` ended the session: {death:?}"));
                Err(self.lose(error))
            }
        }
    }

    /// Adds a context, from the next exec on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] if there is one of that name.
    pub fn add_context(&mut self, context: Context) -> Result<()> {
        check_context(&self.settings.contexts, &context)?;
        self.settings.contexts.push(context);
        self.contexts_changed = true;
        Ok(())
    }

    /// Takes a context away, from the next exec on; names that scripts gave it
    /// stay bound until then. Says whether there was one.
    pub fn remove_context(&mut self, name: &str) -> bool {
        let before = self.settings.contexts.len();
        self.settings.contexts.retain(|context| context.name() != name);
        let removed = self.settings.contexts.len() < before;
        self.contexts_changed |= removed;
        removed
    }

    /// Changes [`Limits::time`] for later execs.
    pub fn set_time_limit(&mut self, time: Duration) {
        self.settings.limits.time = time;
        if let Some(instance) = &mut self.instance {
            instance.store.data_mut().limits.time = time;
        }
    }

    /// Ends execs of this session from anywhere.
    pub fn cancel_handle(&self) -> CancelHandle {
        self.cancel.clone()
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

    /// Everything that entered the instance so far, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    async fn exec_to_end(&mut self, source: &str) -> Result<Outcome> {
        let mut step = self.begin(source, true).await?;
        loop {
            match step {
                Step::Done(outcome) => return Ok(outcome),
                Step::Waiting(_) => step = self.wait().await?,
            }
        }
    }

    /// Waits until everything that the script waits for is answered.
    async fn wait(&mut self) -> Result<Step> {
        let (in_flight, cancel, waiting) = (&mut self.in_flight, &self.cancel, &self.running.waiting);
        let answered = poll_fn(|context| {
            cancel.register(context);
            if cancel.is_canceled() {
                return Poll::Ready(false);
            }
            in_flight.poll(context);
            let all = waiting.iter().all(|ticket| in_flight.settled.iter().any(|settled| settled.ticket == *ticket));
            if all { Poll::Ready(true) } else { Poll::Pending }
        })
        .await;
        if !answered {
            return self.turn(Kind::Resume { how: Resumption::Stop(types::Stop::Canceled) }).await;
        }
        // What was only asked for stays here until the script waits for it, so
        // that how fast it was makes no difference.
        let (mut ready, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.in_flight.settled)
            .into_iter()
            .partition(|settled| self.running.waiting.contains(&settled.ticket));
        self.in_flight.settled = kept;
        ready.sort_by_key(|settled| settled.ticket);
        self.answer(ready).await
    }

    async fn answer(&mut self, settled: Vec<Settled>) -> Result<Step> {
        let instance = self.instance.as_mut().ok_or_else(lost)?;
        let state = instance.store.data_mut();
        let unknown = settled.iter().find(|settled| !state.pending.contains_key(&settled.ticket));
        if let Some(settled) = unknown {
            return Err(Error::usage(format!("ticket {} is not asked, or was answered before", settled.ticket)));
        }
        if !settled.iter().any(|settled| self.running.waiting.contains(&settled.ticket)) {
            return Err(Error::usage("none of these answers is one that the script waits for"));
        }
        let mut answers = Vec::new();
        for Settled { ticket, answer, tokens } in settled {
            self.running.tokens.input += tokens.input;
            self.running.tokens.output += tokens.output;
            let (answer, progress) = claim(&state.pending[&ticket], answer, &state.limits);
            state.settle(ticket, progress);
            answers.push((ticket, answer));
        }
        self.turn(Kind::Resume { how: Resumption::Answers(answers) }).await
    }

    async fn begin(&mut self, source: &str, starts_handlers: bool) -> Result<Step> {
        self.ready(starts_handlers).await?;
        self.turn(Kind::Exec { source: source.into() }).await
    }

    /// Makes the instance if there is none, and lets in what was queued.
    async fn ready(&mut self, starts_handlers: bool) -> Result<()> {
        self.expect(Phase::Idle)?;
        if self.instance.is_none() {
            let state = self.guest_state();
            let instance = Instance::new(&self.settings.sandbox, state, self.seed).await?;
            self.instance = Some(Box::new(instance));
        }
        let instance = self.instance.as_mut().ok_or_else(lost)?;
        instance.begin_exec(starts_handlers);
        self.in_flight.clear();
        self.running = Running {
            since: Instant::now(),
            model_calls_before: instance.store.data().model_calls,
            tokens: TokenUsage::default(),
            waiting: Vec::new(),
        };
        let mut kinds = std::mem::take(&mut self.queued);
        if std::mem::take(&mut self.contexts_changed) {
            kinds.insert(0, self.context_event());
        }
        for kind in kinds {
            let name = kind.name();
            if let Err(death) = self.enter(kind).await? {
                let error = Error::new(ErrorKind::Lost, format!("`{name}` ended the session: {death:?}"));
                return Err(self.lose(error));
            }
            self.phase = Phase::Idle;
        }
        Ok(())
    }

    fn expect(&self, wanted: Phase) -> Result<()> {
        match (self.phase, wanted) {
            (phase, wanted) if phase == wanted => Ok(()),
            (Phase::Lost, _) => Err(lost()),
            (Phase::Inside, _) => {
                Err(Error::new(ErrorKind::Lost, "the session is lost: the future of an exec was dropped; open a new one"))
            }
            (Phase::Waiting, _) => Err(Error::usage("a script waits for answers; `resume` it first")),
            (Phase::Idle, _) => Err(Error::usage("no script waits; start one with `step`")),
        }
    }

    fn guest_state(&self) -> GuestState {
        let settings = &self.settings;
        GuestState {
            limits: settings.limits.clone(),
            handlers: settings.handlers.clone(),
            caller: Arc::clone(&settings.caller),
            contexts: BTreeMap::new(),
            meter: Arc::clone(&self.meter),
            cancel: self.cancel.clone(),
            memory: Limiter::new(growth(0, &settings.limits), settings.faults.refuse_memory_at_bytes),
            output: Output { listener: settings.listener.clone(), ..Output::default() },
            faults: settings.faults.clone(),
            clock: Clock::new(self.start),
            random: Random(self.seed),
            stop: None,
            last_error: None,
            starts_handlers: true,
            inbox: Arc::clone(&self.in_flight.inbox),
            next_ticket: 0,
            model_calls: 0,
            records: Vec::new(),
            pending: BTreeMap::new(),
            replies: Vec::new(),
        }
    }

    /// Makes the contexts readable and says what their names mean.
    fn context_event(&mut self) -> Kind {
        self.version += 1;
        let default = select_default_context(&self.settings.contexts, self.settings.graph_input.as_ref());
        let mut files: Vec<Context> = self.settings.contexts.clone();
        files.sort_by(|a, b| a.name().as_bytes().cmp(b.name().as_bytes()));
        let readable: BTreeMap<Arc<str>, Context> =
            files.iter().chain(&default).map(|context| (Arc::from(context.name()), context.clone())).collect();
        let bytes = readable.values().map(Context::footprint_bytes).fold(0, u64::saturating_add);
        if let Some(instance) = &mut self.instance {
            let state = instance.store.data_mut();
            state.contexts = readable;
            state.memory.growth_bytes = growth(bytes, &state.limits);
        }
        let entry = |context: &Context| entry(context, self.version);
        Kind::SetContexts { files: files.iter().map(entry).collect(), default: default.as_ref().map(entry) }
    }

    /// Enters the instance and notes the event. On death the instance is gone,
    /// but for its store, which still knows what the exec printed.
    async fn enter(&mut self, kind: Kind) -> Result<Result<Returned, Death>> {
        let instance = self.instance.as_mut().ok_or_else(lost)?;
        self.phase = Phase::Inside;
        let (event, result) = instance.enter(&self.settings.sandbox, kind, &mut self.in_flight).await;
        tracing::debug!(target: "rlm_sandbox", event = event.kind.name(), fuel = event.fuel, "entered");
        self.events.push(event);
        match result {
            Ok(Ok(returned)) => Ok(Ok(returned)),
            Ok(Err(misuse)) => {
                self.phase = Phase::Idle;
                Err(refusal(misuse))
            }
            Err(death) => Ok(Err(death)),
        }
    }

    /// One turn of a script.
    async fn turn(&mut self, kind: Kind) -> Result<Step> {
        let limits = self.settings.limits.clone();
        let (ending, names, state) = match self.enter(kind).await? {
            Ok(Returned::Step(repl::Step::Suspended(suspension))) => return Ok(self.suspend(&suspension)),
            Ok(Returned::Step(repl::Step::Complete(outcome))) => {
                let stop = self.instance.as_ref().and_then(|instance| instance.stop_reason()).map(|(why, _)| why);
                let ending = ending::read(outcome.ending, stop, &limits);
                let state = if matches!(ending, Ending::Stopped(..)) { State::Lost } else { State::Intact };
                (ending, outcome.names, state)
            }
            Ok(_) => {
                return Err(self.lose(Error::new(ErrorKind::Guest, "the interpreter gave something else than a step")));
            }
            Err(Death::Machine) => {
                return Err(self.lose(Error::new(ErrorKind::Host, "this machine refused memory to a running script")));
            }
            Err(Death::Stopped(why)) => {
                let exception = match self.instance.as_ref().and_then(|instance| instance.stop_reason()) {
                    Some((told, _)) if told == why => ending::killed_exception(why, &limits),
                    _ => ending::stop_exception(why, &limits),
                };
                (Ending::Stopped(why, with_traceback(exception)), Vec::new(), State::Lost)
            }
            Err(Death::Crashed(what)) => (Ending::Crashed(ending::crash_exception(&what)), Vec::new(), State::Lost),
        };
        Ok(Step::Done(self.conclude(ending, names, state)))
    }

    fn suspend(&mut self, suspension: &Suspension) -> Step {
        self.phase = Phase::Waiting;
        self.running.waiting.clone_from(&suspension.waiting);
        let pending = self.instance.as_ref().map(|instance| &instance.store.data().pending);
        let calls = suspension.waiting.iter().map(|ticket| (ticket, false));
        let calls = calls.chain(suspension.open.iter().map(|ticket| (ticket, true)));
        let calls = calls.filter_map(|(ticket, open)| Some(Call { open, ..pending?.get(ticket)?.clone() }));
        Step::Waiting(calls.collect())
    }

    fn conclude(&mut self, ending: Ending, names: Vec<String>, state: State) -> Outcome {
        self.in_flight.clear();
        if matches!(ending, Ending::Stopped(Stop::Canceled, _)) {
            self.cancel.clear();
        }
        let mut outcome = Outcome {
            ending,
            stdout: String::new(),
            stderr: String::new(),
            dropped_bytes: 0,
            names,
            calls: Vec::new(),
            state,
            usage: Usage::default(),
        };
        if let Some(instance) = &mut self.instance {
            outcome.usage = Usage {
                fuel: instance.exec_fuel(),
                compute: self.meter.read(),
                elapsed: self.running.since.elapsed(),
                peak_memory_bytes: instance.store.data().memory.peak_bytes,
                model_calls: instance.store.data().model_calls - self.running.model_calls_before,
                tokens: self.running.tokens,
            };
            let guest = instance.store.data_mut();
            outcome.stdout = std::mem::take(&mut guest.output.stdout);
            outcome.stderr = std::mem::take(&mut guest.output.stderr);
            outcome.dropped_bytes = guest.output.dropped_bytes;
            outcome.calls = std::mem::take(&mut guest.records);
        }
        self.phase = match state {
            State::Intact => Phase::Idle,
            State::Lost => Phase::Lost,
        };
        if self.phase == Phase::Lost {
            self.instance = None;
        }
        outcome
    }

    fn lose(&mut self, error: Error) -> Error {
        self.phase = Phase::Lost;
        self.instance = None;
        self.in_flight.clear();
        error
    }
}

fn with_traceback(mut exception: crate::Exception) -> crate::Exception {
    exception.traceback = exception.to_string();
    exception
}

fn lost() -> Error {
    Error::new(ErrorKind::Lost, "the session is lost to an earlier limit or crash; open a new one")
}

fn refusal(misuse: Misuse) -> Error {
    Error::usage(match misuse {
        Misuse::Settings => "the interpreter refuses the session's settings",
        Misuse::State => "the interpreter is not in a state for this call",
        Misuse::Ticket => "the interpreter does not know this ticket",
        Misuse::Name => "the interpreter says this is no Python name",
        Misuse::Json => "the interpreter cannot read this JSON; it may nest too deeply",
    })
}

fn entry(context: &Context, version: u64) -> Entry {
    Entry {
        name: context.name().to_owned(),
        form: match context.data() {
            Data::Text(_) => Form::Text,
            Data::Json(_) => Form::Json,
            Data::Bytes(_) => Form::Bytes,
        },
        size_bytes: context.size_bytes(),
        characters: context.as_text().map_or(0, |text| text.chars().count() as u64),
        version,
    }
}

/// An answer as the guest is told it, within its cap.
fn claim(call: &Call, answer: Answer, limits: &Limits) -> (repl::Answer, Progress) {
    match answer {
        Answer::Raised(exception) => {
            let exception = types::Exception { kind: exception.kind, message: exception.message };
            (repl::Answer::Raised(exception), Progress::Raised)
        }
        Answer::Returned(value) => {
            let json = value.to_string();
            match &call.request {
                Request::Tool { name, .. } => {
                    (repl::Answer::Returned(capped_tool_answer(name, json, limits)), Progress::Returned)
                }
                Request::Model { .. } if json.len() as u64 > limits.model_answer_bytes => {
                    let message = format!(
                        "the model answered {} bytes, more than the {} it may; ask for less",
                        json.len(),
                        limits.model_answer_bytes
                    );
                    (repl::Answer::Raised(types::Exception { kind: String::from("ValueError"), message }), Progress::Raised)
                }
                Request::Model { .. } => (repl::Answer::Returned(json), Progress::Returned),
            }
        }
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
