//! The host's side of one instance: what its imports answer.

use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant, SystemTime};

use crate::arguments::Arguments;
use crate::bindings::rlm::sandbox::calls::{self, Reply};
use crate::bindings::rlm::sandbox::context::ContextError;
use crate::bindings::rlm::sandbox::types;
use crate::builder::SessionBuilder;
use crate::call::{
    Answer, Call, CallRecord, Handlers, InFlight, NO_MODEL, Progress, Prompt, Request, Settled,
    digest,
};
use crate::clock::{Clock, Random};
use crate::context::Context;
use crate::event::StoppedAt;
use crate::fault::Faults;
use crate::limits::Limits;
use crate::memory::{Limiter, footprint, growth};
use crate::meter::{CancelHandle, Meter};
use crate::model::TokenUsage;
use crate::outcome::Stop;
use crate::output::Output;
use crate::ticker::Ticker;
use crate::tool::{BoxFuture, Caller, Handler, ToolContext};

/// A read of the monotonic clock after the host wants the script to end is
/// this much later than the one before; the guest ends a script at half of it.
pub(crate) const JUMP_NANOSECONDS: u64 = 1 << 50;

/// The contexts that a guest may read, by name.
pub(crate) type Readable = Arc<BTreeMap<Arc<str>, Context>>;

/// What the guest is entered for.
pub(crate) enum Purpose {
    /// Scripts, on their limits.
    Script,
    /// To repeat what happened, with the replies it got. Nobody hears of it.
    Repeat(VecDeque<Reply>),
    /// To move a session: no script runs, and time stands still.
    Upkeep,
}

/// What a store of the sandbox holds. It outlives the store: a session takes it
/// from instance to instance.
pub(crate) struct GuestState {
    pub(crate) purpose: Purpose,
    pub(crate) limits: Limits,
    pub(crate) handlers: Handlers,
    pub(crate) caller: Arc<Caller>,
    pub(crate) ticker: Ticker,
    pub(crate) contexts: Readable,
    pub(crate) meter: Arc<Meter>,
    pub(crate) cancel: CancelHandle,
    pub(crate) memory: Limiter,
    pub(crate) output: Output,
    pub(crate) faults: Faults,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    /// Whether a sleep takes real time, and how much of it is still to pass.
    pub(crate) sleeps_really: bool,
    pub(crate) owed_sleep: Duration,
    pub(crate) stop: Option<Stopping>,
    /// Where the guest's panic hook said what went wrong.
    pub(crate) last_error: Option<String>,

    /// Whether handlers are started as their calls come, or left to the embedder.
    pub(crate) starts_handlers: bool,
    pub(crate) inbox: Arc<Mutex<Vec<BoxFuture<Settled>>>>,
    pub(crate) next_ticket: u64,
    pub(crate) model_calls: u64,
    /// Of the exec at hand.
    pub(crate) records: Vec<CallRecord>,
    pub(crate) pending: BTreeMap<u64, Call>,
    /// Of the event at hand.
    pub(crate) replies: Vec<Reply>,
}

impl std::fmt::Debug for GuestState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GuestState").finish_non_exhaustive()
    }
}

/// Why and since when the host wants the script to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopping {
    pub(crate) why: Stop,
    /// Compute time at which it was decided; `grace` later the guest is killed.
    pub(crate) since: Duration,
    /// The first read of the clock that said so.
    pub(crate) told: Option<StoppedAt>,
}

/// The host killed the guest: it did not end its script in time.
#[derive(Debug)]
pub(crate) struct Killed;

impl std::fmt::Display for Killed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the script did not end within the grace period")
    }
}

impl std::error::Error for Killed {}

impl GuestState {
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
            handlers: settings.handlers.clone(),
            caller: Arc::clone(&settings.caller),
            ticker: settings.sandbox.ticker().clone(),
            contexts: Readable::default(),
            meter: Arc::clone(meter),
            cancel: cancel.clone(),
            memory: Limiter::default(),
            output: Output {
                listener: settings.listener.clone(),
                ..Output::default()
            },
            faults: settings.faults.clone(),
            clock: Clock::new(start),
            random: Random(seed),
            sleeps_really: settings.sleeps_really,
            owed_sleep: Duration::ZERO,
            stop: None,
            last_error: None,
            starts_handlers: true,
            inbox: Arc::clone(&in_flight.inbox),
            next_ticket: 0,
            model_calls: 0,
            records: Vec::new(),
            pending: BTreeMap::new(),
            replies: Vec::new(),
        }
    }

    /// Called at every tick while the guest runs.
    pub(crate) fn look_at_time(&mut self) -> Result<(), Killed> {
        if !matches!(self.purpose, Purpose::Script) {
            return Ok(());
        }
        let now = self.meter.read();
        match self.stop {
            Some(stopping) if now >= stopping.since.saturating_add(self.limits.grace) => {
                return Err(Killed);
            }
            Some(_) => {}
            None if self.cancel.is_canceled() => self.want_stop(Stop::Canceled, now),
            None if now >= self.limits.time => self.want_stop(Stop::Time, now),
            None => {}
        }
        Ok(())
    }

    pub(crate) fn want_stop(&mut self, why: Stop, since: Duration) {
        self.stop.get_or_insert(Stopping {
            why,
            since,
            told: None,
        });
    }

    /// The monotonic clock, when the store has `left` fuel. Also how the guest
    /// learns that its script has to end.
    pub(crate) fn read_clock(&mut self, left: u64) -> wasmtime::Result<u64> {
        if !matches!(self.purpose, Purpose::Script) {
            return Ok(self.clock.nanoseconds(left));
        }
        let fuel = self.clock.exec_fuel(left);
        if self.faults.trap_at_fuel.is_some_and(|at| fuel >= at) {
            wasmtime::bail!("a test traps at this fuel");
        }
        if fuel >= self.limits.fuel {
            self.want_stop(Stop::Fuel, self.meter.read());
        }
        if let Some(stopping) = &mut self.stop {
            let event_fuel = self.clock.fuel_set - left;
            stopping.told.get_or_insert(StoppedAt {
                read: self.clock.reads,
                fuel: event_fuel,
            });
            self.clock.jumped_nanoseconds = self
                .clock
                .jumped_nanoseconds
                .saturating_add(JUMP_NANOSECONDS);
        }
        self.clock.reads += 1;
        Ok(self.clock.nanoseconds(left))
    }

    /// Moves the clock by what the script sleeps.
    pub(crate) fn sleep(&mut self, nanoseconds: u64) {
        self.clock.sleep(nanoseconds);
        if self.sleeps_really && matches!(self.purpose, Purpose::Script) {
            self.owed_sleep += Duration::from_nanos(nanoseconds);
        }
    }

    /// Is ready when what was slept is over, if that takes any time at all, or
    /// somebody cancels.
    pub(crate) fn awake(&mut self) -> impl Future<Output = ()> + Send + use<> {
        let owed = std::mem::take(&mut self.owed_sleep);
        let until = (!owed.is_zero()).then(|| Instant::now().checked_add(owed));
        let (ticker, cancel, mut alarm) = (self.ticker.clone(), self.cancel.clone(), None);
        poll_fn(move |context| {
            let Some(until) = until else {
                return Poll::Ready(());
            };
            cancel.register(context);
            if cancel.is_canceled() || until.is_some_and(|until| until <= Instant::now()) {
                return Poll::Ready(());
            }
            if let Some(until) = until {
                ticker.wake_at(until, context.waker(), &mut alarm);
            }
            Poll::Pending
        })
    }

    fn take_ticket(&mut self) -> wasmtime::Result<u64> {
        let ticket = self.next_ticket;
        if self.faults.trap_at_ticket == Some(ticket) {
            wasmtime::bail!("a test traps at this ticket");
        }
        self.next_ticket += 1;
        Ok(ticket)
    }

    /// Readies the host's side for a new exec.
    pub(crate) fn begin_exec(&mut self, starts_handlers: bool) {
        self.meter.reset();
        self.clock.exec_fuel_before = 0;
        self.output.clear();
        self.records.clear();
        self.pending.clear();
        self.stop = None;
        self.owed_sleep = Duration::ZERO;
        self.last_error = None;
        self.starts_handlers = starts_handlers;
        self.memory.refused = None;
    }

    /// Why the host wanted the script to end, if it did.
    pub(crate) fn stop_reason(&self) -> Option<Stop> {
        self.stop.map(|stopping| stopping.why)
    }

    /// Makes these contexts, and no others, readable.
    pub(crate) fn set_contexts(&mut self, readable: &Readable) {
        let bytes = footprint(readable);
        self.contexts = Arc::clone(readable);
        self.memory.growth_bytes = growth(bytes, &self.limits);
    }

    /// Counts a call, and refuses it at a limit.
    fn begin(&mut self, name: &str, arguments: &[u8]) -> wasmtime::Result<Result<u64, Reply>> {
        let ticket = self.take_ticket()?;
        let full = self.records.len() as u64 >= self.limits.calls
            || self.pending.len() as u64 >= u64::from(self.limits.open_calls);
        self.records.push(CallRecord {
            ticket,
            name: name.to_owned(),
            arguments_digest: digest(arguments),
            progress: if full {
                Progress::Refused
            } else {
                Progress::Asked
            },
        });
        if full {
            self.want_stop(Stop::Calls, self.meter.read());
            return Ok(Err(Reply::Stopped(types::Stop::Calls)));
        }
        Ok(Ok(ticket))
    }

    /// Notes how far a call of this exec got.
    pub(crate) fn settle(&mut self, ticket: u64, progress: Progress) {
        if let Some(record) = self
            .records
            .iter_mut()
            .rev()
            .find(|record| record.ticket == ticket)
        {
            record.progress = progress;
        }
        self.pending.remove(&ticket);
    }

    /// Leaves a call open, and starts it if that is ours to do.
    fn defer(&mut self, ticket: u64, request: Request) -> Reply {
        let call = Call {
            ticket,
            request,
            open: true,
        };
        if self.starts_handlers {
            self.start(&call);
        }
        self.pending.insert(ticket, call);
        Reply::Pending(ticket)
    }

    /// Starts the handler of a call; whoever drives the session polls it.
    pub(crate) fn start(&self, call: &Call) {
        let started = self.handlers.start(call, self.tool_context(call.ticket));
        let limited = self.limited(call, started);
        self.inbox
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(limited);
    }

    /// The same call, for as long as one may take.
    fn limited(&self, call: &Call, mut started: BoxFuture<Settled>) -> BoxFuture<Settled> {
        let wait = self.limits.call_wait;
        let Some(deadline) = Instant::now().checked_add(wait) else {
            return started;
        };
        let (ticket, name) = (call.ticket, call.request.name().to_owned());
        let (ticker, mut alarm) = (self.ticker.clone(), None);
        Box::pin(poll_fn(move |context| {
            if let Poll::Ready(settled) = started.as_mut().poll(context) {
                return Poll::Ready(settled);
            }
            if Instant::now() >= deadline {
                let message = format!("{name}() did not answer within {wait:?}");
                return Poll::Ready(Settled {
                    ticket,
                    answer: Answer::error("TimeoutError", message),
                    tokens: TokenUsage::default(),
                });
            }
            ticker.wake_at(deadline, context.waker(), &mut alarm);
            Poll::Pending
        }))
    }

    pub(crate) fn tool_context(&self, ticket: u64) -> ToolContext {
        ToolContext::new(&self.caller, ticket, &self.cancel)
    }

    pub(crate) fn tool(&mut self, name: &str, json: &str) -> wasmtime::Result<Reply> {
        let ticket = match self.begin(name, json.as_bytes())? {
            Ok(ticket) => ticket,
            Err(refused) => return Ok(refused),
        };
        let raised = |state: &mut Self, error: crate::ToolError| {
            state.settle(ticket, Progress::Raised);
            Reply::Raised(error.exception.into())
        };
        let Some(tool) = self.handlers.tool(name).cloned() else {
            return Ok(raised(
                self,
                crate::ToolError::new("NameError", format!("name '{name}' is not defined")),
            ));
        };
        let arguments = match Arguments::parse(&tool, json) {
            Ok(arguments) => arguments,
            Err(error) => return Ok(raised(self, error)),
        };
        let Handler::Immediate(handler) = &tool.handler else {
            return Ok(self.defer(
                ticket,
                Request::Tool {
                    name: name.to_owned(),
                    arguments,
                },
            ));
        };
        let context = self.tool_context(ticket);
        let meter = Arc::clone(&self.meter);
        Ok(match meter.pause(|| handler(&context, &arguments)) {
            Ok(value) => {
                self.settle(ticket, Progress::Returned);
                Reply::Returned(capped_tool_answer(name, value.to_string(), &self.limits))
            }
            Err(error) => raised(self, error),
        })
    }

    pub(crate) fn model(
        &mut self,
        prompts: Vec<calls::Prompt>,
        batched: bool,
    ) -> wasmtime::Result<Reply> {
        let name = if batched {
            "llm_query_batched"
        } else {
            "llm_query"
        };
        let mut text = Vec::new();
        for prompt in &prompts {
            text.extend_from_slice(prompt.text.as_bytes());
            text.push(0);
        }
        let ticket = match self.begin(name, &text)? {
            Ok(ticket) => ticket,
            Err(refused) => return Ok(refused),
        };
        let (asked, made, most) = (
            prompts.len() as u64,
            self.model_calls,
            self.limits.model_calls,
        );
        let refusal = if asked > most.saturating_sub(made) {
            Some(format!(
                "LLM call limit exceeded: {made} + {asked} > {most}. Use Python code for aggregation instead of \
                 making more LLM calls."
            ))
        } else if self.handlers.model.is_none() && self.starts_handlers {
            Some(NO_MODEL.to_owned())
        } else {
            None
        };
        if let Some(message) = refusal {
            self.settle(ticket, Progress::Refused);
            return Ok(Reply::Raised(types::Exception {
                kind: String::from("RuntimeError"),
                message,
            }));
        }
        self.model_calls += asked;
        let prompts = prompts
            .into_iter()
            .map(|prompt| Prompt {
                text: prompt.text,
                model: prompt.model,
            })
            .collect();
        Ok(self.defer(ticket, Request::Model { prompts, batched }))
    }

    /// The reply that a request got when it was made, if this repeats it.
    pub(crate) fn repeated(&mut self) -> Option<wasmtime::Result<Reply>> {
        match &mut self.purpose {
            Purpose::Repeat(replies) => Some(replies.pop_front().ok_or_else(|| {
                wasmtime::Error::msg("a repeated script asks for more than it did before")
            })),
            Purpose::Script | Purpose::Upkeep => None,
        }
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

/// A tool's answer, or the word that it is too large.
pub(crate) fn capped_tool_answer(name: &str, json: String, limits: &Limits) -> String {
    if json.len() as u64 <= limits.tool_answer_bytes {
        return json;
    }
    let message = format!(
        "{name}() answered {} bytes, more than the {} a tool may answer; ask for less",
        json.len(),
        limits.tool_answer_bytes
    );
    serde_json::json!({"error": "response_too_large", "message": message}).to_string()
}
