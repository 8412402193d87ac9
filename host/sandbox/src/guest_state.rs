//! The host's side of one instance: what its imports answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::arguments::Arguments;
use crate::bindings::rlm::sandbox::calls::{self, Reply};
use crate::bindings::rlm::sandbox::console::{self, Accepted, Channel, Level};
use crate::bindings::rlm::sandbox::context::{self, ContextError};
use crate::bindings::rlm::sandbox::types;
use crate::call::{
    Call, CallRecord, Handlers, NO_MODEL, Progress, Prompt, Request, Settled, digest,
};
use crate::context::Context;
use crate::event::StoppedAt;
use crate::fault::Faults;
use crate::limits::Limits;
use crate::memory::Limiter;
use crate::meter::{CancelHandle, Meter};
use crate::outcome::Stop;
use crate::output::Output;
use crate::tool::{BoxFuture, Caller, Handler, ToolContext};

/// A read of the monotonic clock after the host wants the script to end is
/// this much later than the one before; the guest ends a script at half of it.
pub(crate) const JUMP_NANOSECONDS: u64 = 1 << 50;
/// The most that one read of a context gives.
const PIECE_BYTES: u32 = 1 << 20;
/// The longest log message that is passed on.
const LOG_BYTES: usize = 4 << 10;

/// What a store of the sandbox holds.
pub(crate) struct GuestState {
    pub(crate) limits: Limits,
    pub(crate) handlers: Handlers,
    pub(crate) caller: Arc<Caller>,
    pub(crate) contexts: BTreeMap<Arc<str>, Context>,
    pub(crate) meter: Arc<Meter>,
    pub(crate) cancel: CancelHandle,
    pub(crate) memory: Limiter,
    pub(crate) output: Output,
    pub(crate) faults: Faults,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
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

/// Why and since when the host wants the script to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopping {
    pub(crate) why: Stop,
    /// Compute time at which it was decided; `grace` later the guest is killed.
    pub(crate) since: Duration,
    /// The first read of the clock that said so.
    pub(crate) told: Option<StoppedAt>,
}

/// Virtual time: the start of the session, a tenth of a nanosecond for each
/// unit of fuel, and whatever the script slept.
#[derive(Debug)]
pub(crate) struct Clock {
    pub(crate) started: SystemTime,
    /// Fuel of the session before the event at hand.
    pub(crate) fuel_before: u64,
    /// Fuel of the exec at hand before this event.
    pub(crate) exec_fuel_before: u64,
    /// What the store was given for this event.
    pub(crate) fuel_set: u64,
    slept_nanoseconds: u64,
    jumped_nanoseconds: u64,
    /// Reads within the event at hand.
    pub(crate) reads: u64,
}

impl Clock {
    pub(crate) fn new(started: SystemTime) -> Self {
        Self {
            started,
            fuel_before: 0,
            exec_fuel_before: 0,
            fuel_set: 0,
            slept_nanoseconds: 0,
            jumped_nanoseconds: 0,
            reads: 0,
        }
    }

    /// Fuel of the exec at hand, when the store has `left`.
    fn exec_fuel(&self, left: u64) -> u64 {
        self.exec_fuel_before + (self.fuel_set - left)
    }

    fn nanoseconds(&self, left: u64) -> u64 {
        let fuel = self.fuel_before + (self.fuel_set - left);
        (fuel / 10)
            .saturating_add(self.slept_nanoseconds)
            .saturating_add(self.jumped_nanoseconds)
    }

    pub(crate) fn sleep(&mut self, nanoseconds: u64) {
        self.slept_nanoseconds = self.slept_nanoseconds.saturating_add(nanoseconds);
    }

    /// Time since 1970, when the store has `left`.
    pub(crate) fn wall(&self, left: u64) -> Duration {
        let start = self.started.duration_since(UNIX_EPOCH).unwrap_or_default();
        // Jumps are a signal, not time.
        start + Duration::from_nanos(self.nanoseconds(left) - self.jumped_nanoseconds)
    }
}

/// Randomness from the session's seed (SplitMix64).
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
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
    /// Called at every tick while the guest runs.
    pub(crate) fn look_at_time(&mut self) -> Result<(), Killed> {
        let now = self.meter.read();
        match self.stop {
            Some(stopping) if now >= stopping.since + self.limits.grace => return Err(Killed),
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

    fn take_ticket(&mut self) -> wasmtime::Result<u64> {
        let ticket = self.next_ticket;
        if self.faults.trap_at_ticket == Some(ticket) {
            wasmtime::bail!("a test traps at this ticket");
        }
        self.next_ticket += 1;
        Ok(ticket)
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
            let started = self.handlers.start(&call, self.tool_context(ticket));
            self.inbox
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(started);
        }
        self.pending.insert(ticket, call);
        Reply::Pending(ticket)
    }

    pub(crate) fn tool_context(&self, ticket: u64) -> ToolContext {
        ToolContext::new(&self.caller, ticket, &self.cancel)
    }

    fn tool(&mut self, name: &str, json: &str) -> wasmtime::Result<Reply> {
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

    fn model(&mut self, prompts: Vec<calls::Prompt>, batched: bool) -> wasmtime::Result<Reply> {
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

    /// A context, whatever it holds, if the guest may read it at `offset`.
    fn context(&self, name: &str, offset: u64) -> Result<(&Context, usize), ContextError> {
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

impl types::Host for GuestState {}

impl context::Host for GuestState {
    fn read_context(
        &mut self,
        name: String,
        offset: u64,
        length: u32,
    ) -> wasmtime::Result<Result<String, ContextError>> {
        Ok(self.context(&name, offset).and_then(|(context, start)| {
            let text = context.as_text().ok_or(ContextError::Binary)?;
            let rest = text.get(start..).ok_or(ContextError::Offset)?;
            Ok(rest[..rest.floor_char_boundary(length.min(PIECE_BYTES) as usize)].to_owned())
        }))
    }

    fn read_context_bytes(
        &mut self,
        name: String,
        offset: u64,
        length: u32,
    ) -> wasmtime::Result<Result<Vec<u8>, ContextError>> {
        Ok(self.context(&name, offset).map(|(context, start)| {
            let rest = &context.as_bytes()[start..];
            rest[..rest.len().min(length.min(PIECE_BYTES) as usize)].to_vec()
        }))
    }
}

impl console::Host for GuestState {
    fn write_output(&mut self, to: Channel, text: String) -> wasmtime::Result<Accepted> {
        let whole = self.meter.clone().pause(|| {
            self.output
                .write(to.into(), &text, self.limits.output_bytes)
        });
        Ok(if whole {
            Accepted::All
        } else {
            Accepted::Truncated
        })
    }

    fn log(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        let message = &message[..message.floor_char_boundary(LOG_BYTES)];
        match level {
            Level::Debug => tracing::debug!(target: "rlm_sandbox::guest", "{message}"),
            Level::Info => tracing::info!(target: "rlm_sandbox::guest", "{message}"),
            Level::Warn => tracing::warn!(target: "rlm_sandbox::guest", "{message}"),
            Level::Error => {
                tracing::error!(target: "rlm_sandbox::guest", "{message}");
                self.last_error = Some(message.to_owned());
            }
        }
        Ok(())
    }
}

impl calls::Host for GuestState {
    fn llm_query(&mut self, prompts: Vec<calls::Prompt>, batched: bool) -> wasmtime::Result<Reply> {
        let _span =
            tracing::debug_span!("call", name = "llm_query", ticket = self.next_ticket).entered();
        let reply = self.model(prompts, batched)?;
        self.replies.push(reply.clone());
        Ok(reply)
    }

    fn call_tool(&mut self, name: String, arguments: String) -> wasmtime::Result<Reply> {
        let _span = tracing::debug_span!("call", name = %name, ticket = self.next_ticket).entered();
        let reply = self.tool(&name, &arguments)?;
        self.replies.push(reply.clone());
        Ok(reply)
    }
}
