//! One exec of a session, from its first entry into the instance to its outcome.

use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use crate::bindings::exports::rlm::sandbox::repl::{
    self, Entry, Form, Misuse, Resumption, Suspension,
};
use crate::bindings::rlm::sandbox::types;
use crate::call::{Answer, Call, Progress, Request, Settled};
use crate::context::{Context, Data, select_default_context};
use crate::ending;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Kind;
use crate::guest_state::{Clock, GuestState, Random, capped_tool_answer};
use crate::instance::{Death, Instance, Returned};
use crate::limits::Limits;
use crate::memory::{Limiter, growth};
use crate::model::TokenUsage;
use crate::outcome::{Ending, Outcome, State, Stop, Usage};
use crate::output::Output;
use crate::session::{Phase, Running, Session, Step};

impl Session {
    pub(crate) async fn exec_to_end(&mut self, source: &str) -> Result<Outcome> {
        self.expect(Phase::Idle)?;
        let driven = Driven(self);
        let mut step = driven.0.begin(source, true).await?;
        loop {
            match step {
                Step::Done(outcome) => return Ok(outcome),
                Step::Waiting(_) => step = driven.0.wait().await?,
            }
        }
    }

    /// Waits until everything that the script waits for is answered.
    pub(crate) async fn wait(&mut self) -> Result<Step> {
        let (in_flight, cancel, waiting) =
            (&mut self.in_flight, &self.cancel, &self.running.waiting);
        let answered = poll_fn(|context| {
            cancel.register(context);
            if cancel.is_canceled() {
                return Poll::Ready(false);
            }
            in_flight.poll(context);
            let all = waiting.iter().all(|ticket| {
                in_flight
                    .settled
                    .iter()
                    .any(|settled| settled.ticket == *ticket)
            });
            if all {
                Poll::Ready(true)
            } else {
                Poll::Pending
            }
        })
        .await;
        if !answered {
            return self
                .turn(Kind::Resume {
                    how: Resumption::Stop(types::Stop::Canceled),
                })
                .await;
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

    pub(crate) async fn answer(&mut self, settled: Vec<Settled>) -> Result<Step> {
        let instance = self.instance.as_mut().ok_or_else(lost)?;
        let state = instance.store.data_mut();
        let mut left: BTreeSet<u64> = state.pending.keys().copied().collect();
        if let Some(settled) = settled.iter().find(|settled| !left.remove(&settled.ticket)) {
            return Err(Error::usage(format!(
                "ticket {} is not asked, or was answered before",
                settled.ticket
            )));
        }
        if !settled
            .iter()
            .any(|settled| self.running.waiting.contains(&settled.ticket))
        {
            return Err(Error::usage(
                "none of these answers is one that the script waits for",
            ));
        }
        let mut answers = Vec::new();
        for Settled {
            ticket,
            answer,
            tokens,
        } in settled
        {
            self.running.tokens.input += tokens.input;
            self.running.tokens.output += tokens.output;
            let (answer, progress) = claim(&state.pending[&ticket], answer, &state.limits);
            state.settle(ticket, progress);
            answers.push((ticket, answer));
        }
        self.turn(Kind::Resume {
            how: Resumption::Answers(answers),
        })
        .await
    }

    pub(crate) async fn begin(&mut self, source: &str, starts_handlers: bool) -> Result<Step> {
        self.ready(starts_handlers).await?;
        self.turn(Kind::Exec {
            source: source.into(),
        })
        .await
    }

    /// Makes the instance if there is none, and lets in what was queued.
    pub(crate) async fn ready(&mut self, starts_handlers: bool) -> Result<()> {
        self.expect(Phase::Idle)?;
        if self.instance.is_none() {
            let state = self.guest_state();
            let instance = Instance::new(&self.settings.sandbox, state, self.seed).await?;
            self.instance = Some(Box::new(instance));
        }
        self.in_flight.clear();
        if std::mem::take(&mut self.contexts_changed) {
            let event = self.context_event();
            self.queued.push_front(event);
        }
        // Each on a budget of its own: none is charged to the script.
        while let Some(kind) = self.queued.pop_front() {
            self.begin_entry(starts_handlers)?;
            let name = kind.name();
            if let Err(death) = self.enter(kind).await? {
                let error = Error::new(
                    ErrorKind::Lost,
                    format!("`{name}` ended the session: {death:?}"),
                );
                return Err(self.lose(error));
            }
            self.phase = Phase::Idle;
        }
        let model_calls_before = self.begin_entry(starts_handlers)?;
        self.running = Running {
            since: Instant::now(),
            model_calls_before,
            tokens: TokenUsage::default(),
            waiting: Vec::new(),
        };
        Ok(())
    }

    /// Readies the instance for an exec; says how many model calls came before.
    fn begin_entry(&mut self, starts_handlers: bool) -> Result<u64> {
        let instance = self.instance.as_mut().ok_or_else(lost)?;
        instance.begin_exec(starts_handlers);
        Ok(instance.store.data().model_calls)
    }

    pub(crate) fn expect(&self, wanted: Phase) -> Result<()> {
        match (self.phase, wanted) {
            (phase, wanted) if phase == wanted => Ok(()),
            (Phase::Lost | Phase::Inside, _) => Err(lost()),
            (Phase::Waiting, _) => Err(Error::usage(
                "a script waits for answers; `resume` it first",
            )),
            (Phase::Idle, _) => Err(Error::usage("no script waits; start one with `step`")),
        }
    }

    pub(crate) fn guest_state(&self) -> GuestState {
        let settings = &self.settings;
        GuestState {
            limits: settings.limits.clone(),
            handlers: settings.handlers.clone(),
            caller: Arc::clone(&settings.caller),
            contexts: BTreeMap::new(),
            meter: Arc::clone(&self.meter),
            cancel: self.cancel.clone(),
            memory: Limiter::new(
                growth(0, &settings.limits),
                settings.faults.refuse_memory_at_bytes,
            ),
            output: Output {
                listener: settings.listener.clone(),
                ..Output::default()
            },
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
    pub(crate) fn context_event(&mut self) -> Kind {
        let default =
            select_default_context(&self.settings.contexts, self.settings.graph_input.as_ref());
        let mut files: Vec<Context> = self.settings.contexts.clone();
        files.sort_by(|a, b| a.name().as_bytes().cmp(b.name().as_bytes()));
        let readable: BTreeMap<Arc<str>, Context> = files
            .iter()
            .chain(&default)
            .map(|context| (Arc::from(context.name()), context.clone()))
            .collect();
        let bytes = readable
            .values()
            .map(Context::footprint_bytes)
            .fold(0, u64::saturating_add);
        if let Some(instance) = &mut self.instance {
            let state = instance.store.data_mut();
            state.contexts = readable;
            state.memory.growth_bytes = growth(bytes, &state.limits);
        }
        Kind::SetContexts {
            files: files.iter().map(entry).collect(),
            default: default.as_ref().map(entry),
        }
    }

    /// Enters the instance and notes the event. On death the instance is gone,
    /// but for its store, which still knows what the exec printed.
    pub(crate) async fn enter(&mut self, kind: Kind) -> Result<Result<Returned, Death>> {
        let instance = self.instance.as_mut().ok_or_else(lost)?;
        self.phase = Phase::Inside;
        let (event, result) = instance
            .enter(&self.settings.sandbox, kind, &mut self.in_flight)
            .await;
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
    pub(crate) async fn turn(&mut self, kind: Kind) -> Result<Step> {
        let entered = self.enter(kind).await?;
        let limits = &self.settings.limits;
        let told = self
            .instance
            .as_ref()
            .and_then(|instance| instance.stop_reason());
        let (ending, names, state) = match entered {
            Ok(Returned::Step(repl::Step::Suspended(suspension))) => {
                return Ok(self.suspend(&suspension));
            }
            Ok(Returned::Step(repl::Step::Complete(outcome))) => {
                let ending = ending::read(outcome.ending, told, limits);
                let state = if matches!(ending, Ending::Stopped(..)) {
                    State::Lost
                } else {
                    State::Intact
                };
                (ending, outcome.names, state)
            }
            Ok(_) => {
                return Err(self.lose(Error::new(
                    ErrorKind::Guest,
                    "the interpreter gave something else than a step",
                )));
            }
            Err(Death::Machine) => {
                return Err(self.lose(Error::new(
                    ErrorKind::Host,
                    "this machine refused memory to a running script",
                )));
            }
            Err(Death::Stopped(why)) => {
                let exception = if told == Some(why) {
                    ending::killed_exception(why, limits)
                } else {
                    ending::stop_exception(why, limits)
                };
                (
                    Ending::Stopped(why, with_traceback(exception)),
                    Vec::new(),
                    State::Lost,
                )
            }
            Err(Death::Crashed(what)) => (
                Ending::Crashed(ending::crash_exception(&what)),
                Vec::new(),
                State::Lost,
            ),
        };
        Ok(Step::Done(self.conclude(ending, names, state)))
    }

    pub(crate) fn suspend(&mut self, suspension: &Suspension) -> Step {
        self.phase = Phase::Waiting;
        self.running.waiting.clone_from(&suspension.waiting);
        let pending = self
            .instance
            .as_ref()
            .map(|instance| &instance.store.data().pending);
        let calls = suspension.waiting.iter().map(|ticket| (ticket, false));
        let calls = calls.chain(suspension.open.iter().map(|ticket| (ticket, true)));
        let calls = calls.filter_map(|(ticket, open)| {
            Some(Call {
                open,
                ..pending?.get(ticket)?.clone()
            })
        });
        Step::Waiting(calls.collect())
    }

    pub(crate) fn conclude(&mut self, ending: Ending, names: Vec<String>, state: State) -> Outcome {
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

    pub(crate) fn lose(&mut self, error: Error) -> Error {
        self.phase = Phase::Lost;
        self.instance = None;
        self.in_flight.clear();
        error
    }
}

/// A session whose exec is driven to its end; gives up the script if it is
/// dropped before.
struct Driven<'a>(&'a mut Session);

impl Drop for Driven<'_> {
    fn drop(&mut self) {
        if matches!(self.0.phase, Phase::Inside | Phase::Waiting) {
            self.0.lose(lost());
        }
    }
}

fn with_traceback(mut exception: crate::Exception) -> crate::Exception {
    exception.traceback = exception.to_string();
    exception
}

fn lost() -> Error {
    Error::new(
        ErrorKind::Lost,
        "the session is lost to an earlier limit or crash, or the future of an exec was dropped; open a new one",
    )
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

fn entry(context: &Context) -> Entry {
    Entry {
        name: context.name().to_owned(),
        form: match context.data() {
            Data::Text(_) => Form::Text,
            Data::Json(_) => Form::Json,
            Data::Bytes(_) => Form::Bytes,
        },
        size_bytes: context.size_bytes(),
        characters: context
            .as_text()
            .map_or(0, |text| text.chars().count() as u64),
    }
}

/// An answer as the guest is told it, within its cap.
fn claim(call: &Call, answer: Answer, limits: &Limits) -> (repl::Answer, Progress) {
    match answer {
        Answer::Raised(exception) => (repl::Answer::Raised(exception.into()), Progress::Raised),
        Answer::Returned(value) => {
            let json = value.to_string();
            match &call.request {
                Request::Tool { name, .. } => (
                    repl::Answer::Returned(capped_tool_answer(name, json, limits)),
                    Progress::Returned,
                ),
                Request::Model { .. } if json.len() as u64 > limits.model_answer_bytes => {
                    let message = format!(
                        "the model answered {} bytes, more than the {} it may; ask for less",
                        json.len(),
                        limits.model_answer_bytes
                    );
                    (
                        repl::Answer::Raised(types::Exception {
                            kind: String::from("ValueError"),
                            message,
                        }),
                        Progress::Raised,
                    )
                }
                Request::Model { .. } => (repl::Answer::Returned(json), Progress::Returned),
            }
        }
    }
}
