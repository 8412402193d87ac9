//! What a script asks of the host, and what it is told at once.

use std::future::poll_fn;
use std::sync::{Arc, PoisonError};
use std::task::Poll;
use std::time::Instant;

use crate::answer::{AnswerCap, readable, tool_answer};
use crate::arguments::{Arguments, held_bytes};
use crate::asked::Asked;
use crate::bindings::rlm::sandbox::calls::{self, Reply};
use crate::bindings::rlm::sandbox::types;
use crate::branch::Recorded;
use crate::call::{
    Answer, Answered, Call, CallRecord, NO_MODEL, NO_MODEL_NOW, Progress, Prompt, Request, Settled,
    digest,
};
use crate::caps;
use crate::cost::{Allowance, Cost};
use crate::guest_state::{GuestState, Purpose};
use crate::journal::{CallLine, Heard, Line, Said};
use crate::open_calls::CallLimit;
use crate::outcome::{Exception, Stop};
use crate::profile::Name;
use crate::tool::{BoxFuture, Handler, Tool, ToolContext, ToolError};
use crate::value::READ_BYTES;
use rlm_sandbox_engine::{Error, ErrorKind};

/// The beginning of the message of the exception that refuses prompts above the limit.
const BUDGET: &str = "LLM call limit exceeded: ";
/// The beginning of the messages for want of a model.
const LACKS_MODEL: &str = "no language model is attached";

/// Calls that a guest may make after one was refused at a limit. Tasks that are
/// under way may each make one.
pub(crate) const REFUSED_CALLS: u64 = 1000;

impl GuestState {
    /// Answers a request, when the store has `left` fuel.
    pub(crate) fn request(&mut self, asked: &Asked, left: u64) -> wasmtime::Result<Reply> {
        self.expect_script()?;
        self.pass(asked.size_bytes())?;
        if let Some(reply) = self.repeated() {
            return reply;
        }
        let ticket = self.counts.next_ticket;
        let _span = tracing::debug_span!("call", name = %asked.name(), ticket).entered();
        let fuel = self.exec_fuel(left);
        let made = self.tally.records.len();
        let heard = self
            .tape
            .asked(|| asked.line(ticket, made, fuel, Said::Pending, false));
        if let Heard::Live = heard {
            let call = || asked.line(ticket, made, fuel, Said::Pending, false);
            if self.given.is_any()
                && let Some(other) = self.given.asked_instead_of(&call())
            {
                return self.leave_the_run(asked, &other);
            }
        }
        let reply = match heard {
            Heard::Live => match asked {
                Asked::Tool { name, arguments } => self.tool(name, arguments, fuel)?,
                Asked::Model { .. } => self.model(asked)?,
            },
            Heard::Recorded(said, recorded) => self.follow(asked, said, &recorded, fuel)?,
            Heard::Diverged => self.halt()?,
        };
        self.replies.push(reply.clone());
        if let (Some(recorder), Some(record)) = (self.tape.recorder(), self.tally.records.last()) {
            let said = match &reply {
                Reply::Returned(json) => Said::Returned(json.clone()),
                Reply::Raised(exception) => Said::Raised {
                    kind: exception.kind.clone(),
                    message: exception.message.clone(),
                },
                Reply::Pending(_) => Said::Pending,
                Reply::Stopped(_) => Said::Stopped,
            };
            let refused = record.progress == Progress::Refused;
            let mut line = asked.line(record.ticket, made, fuel, said, refused);
            let call = self.pending.get(&line.ticket);
            line.set_aside = call.and_then(|call| call.allowance);
            recorder.write(&Line::Call(Box::new(line)));
        }
        Ok(reply)
    }

    /// Ends a script that goes another way than it did.
    fn halt(&mut self) -> wasmtime::Result<Reply> {
        self.refuse()?;
        if let Some(player) = self.tape.player() {
            // A forger could say that the script was canceled here.
            player.refuse("a reply that no session with these limits gives");
        }
        self.want_stop(Stop::Canceled, self.meter.read());
        Ok(Reply::Stopped(types::Stop::Canceled))
    }

    /// Ends the script of a branch that goes another way than its run, where its answers are of no use.
    fn leave_the_run(&mut self, asked: &Asked, other: &str) -> wasmtime::Result<Reply> {
        let message = format!(
            "call {} is one of {}() with other arguments, or in place of one of {other}(), than in the run, although nothing was \
             changed before it: what the clock or a cancellation ended in the run goes on here; branch behind that execution",
            self.counts.next_ticket,
            asked.name()
        );
        self.tape.fail(Error::new(ErrorKind::Diverged, message));
        self.halt()
    }

    /// Counts a call that gets no other reply than to stop; a guest that goes on making them traps.
    fn refuse(&mut self) -> wasmtime::Result<()> {
        self.tally.refused_calls = self.tally.refused_calls.saturating_add(1);
        if self.tally.refused_calls > REFUSED_CALLS {
            wasmtime::bail!("the guest goes on calling after it was told to stop");
        }
        Ok(())
    }

    /// Tells a call what it was told before.
    fn follow(
        &mut self,
        asked: &Asked,
        said: Said,
        recorded: &CallLine,
        fuel: u64,
    ) -> wasmtime::Result<Reply> {
        let ticket = match self.begin(asked.name(), &asked.bytes(), asked.held_bytes(), true)? {
            Ok(ticket) => ticket,
            Err(reply) => return Ok(reply),
        };
        if let Asked::Model { prompts, .. } = asked
            && self.tape.compares_all()
        {
            // The replay counts limits itself and compares.
            let own = self.refused_prompts(asked, prompts);
            let own = own.map(|refused| (refused.kind, refused.message));
            let theirs = match &said {
                Said::Raised { message, .. } if message.starts_with(LACKS_MODEL) => None,
                Said::Raised { kind, message } if recorded.refused => Some((kind, message)),
                _ => None,
            };
            if own.as_ref().map(|(kind, message)| (kind, message)) != theirs {
                self.pending.remove(ticket);
                return self.halt();
            }
        }
        if let (Asked::Tool { name, arguments }, Said::Returned(json)) = (asked, &said)
            && self.tape.compares_all()
            && self.contradicts_budget(name, arguments, json, fuel)
        {
            self.pending.remove(ticket);
            return self.halt();
        }
        Ok(match said {
            Said::Returned(json) if json.len() as u64 > self.most_reply_bytes(asked) => {
                self.pending.remove(ticket);
                return self.halt();
            }
            Said::Returned(json) => {
                self.settle(ticket, Progress::Returned);
                Reply::Returned(json)
            }
            Said::Raised { kind, message } => {
                if recorded.refused && message.starts_with(BUDGET) {
                    self.tally.budget_refusal = Some(message.clone());
                }
                let progress = match recorded.refused {
                    true => Progress::Refused,
                    false => Progress::Raised,
                };
                self.settle(ticket, progress);
                Reply::Raised(types::Exception { kind, message })
            }
            Said::Pending => {
                let left = self.unpromised(fuel);
                if recorded.set_aside.is_some_and(|aside| {
                    aside.fuel > left.fuel || aside.model_calls > left.model_calls
                }) {
                    self.pending.remove(ticket);
                    return self.halt();
                }
                let request = match asked {
                    Asked::Tool { name, arguments } => {
                        let tool = self.handlers.tool(name).cloned();
                        let tool = tool.unwrap_or_else(|| Tool::declared(name.as_str()));
                        let most_bytes = self.most_argument_bytes();
                        let Ok(arguments) = Arguments::parse(&tool, arguments, most_bytes) else {
                            self.pending.remove(ticket);
                            return self.halt();
                        };
                        let name = name.clone();
                        Request::Tool { name, arguments }
                    }
                    Asked::Model {
                        prompts,
                        batched,
                        recursive,
                    } => {
                        let left = self
                            .limits
                            .model_calls
                            .saturating_sub(self.counts.model_calls);
                        if asked.held_bytes() > self.most_argument_bytes() || asked.prompts() > left
                        {
                            self.pending.remove(ticket);
                            return self.halt();
                        }
                        self.counts.model_calls =
                            self.counts.model_calls.saturating_add(asked.prompts());
                        self.prompts(prompts, *batched, *recursive)
                    }
                };
                // Nothing starts while the tape plays.
                self.unstarted.push(ticket);
                self.defer(ticket, request, recorded.set_aside)
            }
            Said::Stopped | Said::Redacted(_) => {
                // Calls of other sessions, which are not there now, left no room for it.
                if recorded.refused {
                    self.tally.call_limit.get_or_insert(CallLimit::Sandbox);
                }
                self.settle(ticket, Progress::Refused);
                self.want_stop(Stop::Calls, self.meter.read());
                Reply::Stopped(types::Stop::Calls)
            }
        })
    }

    /// Returns the bytes that a recorded reply may have: those of an answer, and some for an error in its place.
    fn most_reply_bytes(&self, asked: &Asked) -> u64 {
        const ERROR_BYTES: u64 = 1 << 20;
        let answer = match asked {
            // The session itself answers, with a conversation of any length.
            Asked::Tool { name, .. }
                if name == "history" && self.profile.defines(Name::History) =>
            {
                READ_BYTES
            }
            Asked::Tool { .. } => self.limits.tool_answer_bytes,
            Asked::Model { .. } => {
                let one = self.limits.model_answer_bytes;
                one.saturating_mul(asked.prompts())
            }
        };
        answer.saturating_add(ERROR_BYTES)
    }

    /// Returns the memory that the arguments of one call may take when they are read.
    fn most_argument_bytes(&self) -> u64 {
        self.limits.open_bytes()
    }

    fn prompts(&self, prompts: &[calls::Prompt], batched: bool, recursive: bool) -> Request {
        let prompts = prompts.iter().map(|prompt| Prompt {
            text: prompt.text.clone(),
            model: prompt.model.clone(),
        });
        let prompts = prompts.collect();
        Request::Model {
            prompts,
            batched,
            recursive,
        }
    }

    fn take_ticket(&mut self) -> wasmtime::Result<u64> {
        let ticket = self.counts.next_ticket;
        if self.faults.trap_at_ticket == Some(ticket) {
            wasmtime::bail!("a test traps at this ticket");
        }
        self.counts.next_ticket = ticket.saturating_add(1);
        Ok(ticket)
    }

    /// Counts a call, and refuses it at a limit.
    ///
    /// `held_bytes` is the memory that it counts for while it is open. Calls of other sessions are no
    /// reason to refuse one that `is_recorded`.
    fn begin(
        &mut self,
        name: &str,
        arguments: &[u8],
        held_bytes: u64,
        is_recorded: bool,
    ) -> wasmtime::Result<Result<u64, Reply>> {
        let ticket = self.take_ticket()?;
        let (pending, limits) = (&mut self.pending, &self.limits);
        let reserved = match self.tally.records.len() as u64 >= limits.calls {
            true => Err(CallLimit::Calls),
            false => pending.reserve(ticket, held_bytes, limits, is_recorded),
        };
        let full = reserved.is_err();
        if let Err(limit) = reserved {
            self.tally.call_limit.get_or_insert(limit);
            self.refuse()?;
        }
        self.tally.records.push(CallRecord {
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
        let records = &mut self.tally.records;
        if let Ok(at) = records.binary_search_by_key(&ticket, |record| record.ticket) {
            records[at].progress = progress;
        }
        self.pending.remove(ticket);
    }

    /// Leaves a call open, and starts it if that is ours to do.
    fn defer(&mut self, ticket: u64, request: Request, allowance: Option<Allowance>) -> Reply {
        let call = Call {
            ticket,
            request,
            open: true,
            allowance,
            asked_bytes: 0,
        };
        if self.starts_handlers {
            self.start(&call);
        }
        self.pending.insert(call);
        Reply::Pending(ticket)
    }

    /// Starts the handler of a call; whoever drives the session polls it.
    pub(crate) fn start(&self, call: &Call) {
        if self.tape.is_playing() {
            return;
        }
        let limited = match self.given_to(call) {
            Some((said, cost)) => {
                let settled = Settled::new(call.ticket, said, cost);
                Box::pin(std::future::ready(settled))
            }
            None => self.limited(call, self.started(call)),
        };
        self.inbox
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(limited);
    }

    /// Returns the answer that a branch has for a call, within the limit on answers, if it has one. The answer is text: a tree of
    /// JSON can take a hundred times as much memory.
    fn given_to(&self, call: &Call) -> Option<(Said, Cost)> {
        let prompts = match &call.request {
            Request::Tool { .. } => 0,
            Request::Model { prompts, .. } => prompts.len() as u64,
        };
        let given = self.given.to(call.ticket, call.request.name(), prompts);
        let (said, cost) = given?.answer(call.allowance)?;
        let cap = AnswerCap::new(&call.request, &self.limits);
        Some((readable(cap.apply(said.clone())), cost))
    }

    /// Returns the future of a call's registered handler.
    pub(crate) fn started(&self, call: &Call) -> BoxFuture<Answered> {
        if let Some((said, cost)) = self.given_to(call) {
            let unreadable = || Answer::error("RuntimeError", "the answer cannot be read again");
            let answer = said.answer().unwrap_or_else(unreadable);
            let answered = Answered::new(call.ticket, answer, cost);
            return Box::pin(std::future::ready(answered));
        }
        let name = match &call.request {
            Request::Tool { name, .. } => Some(name.as_str()),
            Request::Model { .. } => None,
        };
        let context = self.tool_context(call.ticket, name);
        self.handlers
            .start(call, context, &self.limits, || self.reach())
    }

    /// The same call, for as long as one may take, with an answer within its cap.
    fn limited(&self, call: &Call, mut started: BoxFuture<Answered>) -> BoxFuture<Settled> {
        let wait = self.limits.call_wait;
        let cap = AnswerCap::new(&call.request, &self.limits);
        let Some(deadline) = Instant::now().checked_add(wait) else {
            return Box::pin(async move { started.await.settle(&cap) });
        };
        let (ticket, name) = (call.ticket, call.request.name().to_owned());
        let errors = self.handlers.errors(&call.request);
        let cost = Cost::of_all(call.allowance);
        let (alarms, mut alarm) = (self.alarms.clone(), None);
        Box::pin(poll_fn(move |context| {
            if let Poll::Ready(answered) = started.as_mut().poll(context) {
                return Poll::Ready(answered.settle(&cap));
            }
            if Instant::now() >= deadline {
                let message = format!("{name}() did not answer within {wait:?}");
                let answer = errors.answer(Exception::new("TimeoutError", message));
                let answered = Answered::new(ticket, answer, cost.clone());
                return Poll::Ready(answered.settle(&cap));
            }
            alarms.wake_at(deadline, context.waker(), &mut alarm);
            Poll::Pending
        }))
    }

    /// Returns what a handler learns of a call: of the tool `name`, or of the model.
    fn tool_context(&self, ticket: u64, name: Option<&str>) -> ToolContext {
        let bytes = match name {
            Some(name) if name.contains('.') => self.limits.value_bytes.into(),
            Some(_) => self.limits.tool_answer_bytes,
            None => self.limits.model_answer_bytes,
        };
        ToolContext::new(&self.caller, ticket, &self.cancel).with_answer_bytes(bytes)
    }

    fn tool(&mut self, name: &str, json: &str, fuel: u64) -> wasmtime::Result<Reply> {
        let ticket = match self.begin(name, json.as_bytes(), held_bytes(json), false)? {
            Ok(ticket) => ticket,
            Err(refused) => return Ok(refused),
        };
        if let Some(json) = self.own(name, json, fuel) {
            self.settle(ticket, Progress::Returned);
            return Ok(self.kept(Reply::Returned(json)));
        }
        let raised = |state: &mut Self, error: ToolError| match state
            .handlers
            .tool_errors
            .answer(error.exception)
        {
            Answer::Returned(text) => {
                state.settle(ticket, Progress::Returned);
                state.kept(Reply::Returned(text.to_string()))
            }
            Answer::Raised(exception) => {
                state.settle(ticket, Progress::Raised);
                state.kept(Reply::Raised(exception.into()))
            }
        };
        let given = self.given.to(ticket, name, 0).and_then(Recorded::immediate);
        let given = given.cloned();
        if let Some(said) = given {
            return Ok(self.give(ticket, said));
        }
        let Some(tool) = self.handlers.tool(name).cloned() else {
            return Ok(raised(self, ToolError::undefined(name)));
        };
        let arguments = match Arguments::parse(&tool, json, self.most_argument_bytes()) {
            Ok(arguments) => arguments,
            Err(error) => return Ok(raised(self, error)),
        };
        let Handler::Immediate(handler) = &tool.handler else {
            let allowance = match self.set_aside(&tool, fuel) {
                Ok(allowance) => allowance,
                Err(error) => return Ok(raised(self, error)),
            };
            let name = name.to_owned();
            let request = Request::Tool { name, arguments };
            return Ok(self.defer(ticket, request, allowance));
        };
        let given = self.given.to(ticket, name, 0).and_then(Recorded::said);
        if let Some(said) = given.cloned() {
            // It was answered later in its run.
            return Ok(self.give(ticket, said));
        }
        let context = self.tool_context(ticket, Some(name));
        let meter = Arc::clone(&self.meter);
        let answered = meter.pause(|| handler(&context, &arguments));
        let kept = answered.and_then(|value| self.keep(tool_answer(name, &value, &self.limits)));
        Ok(match kept {
            Ok(json) => {
                self.settle(ticket, Progress::Returned);
                Reply::Returned(json)
            }
            Err(error) => raised(self, error),
        })
    }

    /// Tells a call an answer that stands beforehand.
    fn give(&mut self, ticket: u64, said: Said) -> Reply {
        let (progress, reply) = match said {
            Said::Returned(json) => (Progress::Returned, Reply::Returned(json)),
            Said::Raised { kind, message } => {
                let exception = types::Exception { kind, message };
                (Progress::Raised, Reply::Raised(exception))
            }
            Said::Pending | Said::Stopped | Said::Redacted(_) => {
                let exception = Exception::new("RuntimeError", "the answer cannot be read again");
                (Progress::Raised, Reply::Raised(exception.into()))
            }
        };
        self.settle(ticket, progress);
        self.kept(reply)
    }

    fn model(&mut self, request: &Asked) -> wasmtime::Result<Reply> {
        let Asked::Model {
            prompts,
            batched,
            recursive,
        } = request
        else {
            wasmtime::bail!("this is no request to a model");
        };
        let ticket = match self.begin(
            request.name(),
            &request.bytes(),
            request.held_bytes(),
            false,
        )? {
            Ok(ticket) => ticket,
            Err(refused) => return Ok(refused),
        };
        if let Some(refused) = self.refused_prompts(request, prompts) {
            self.settle(ticket, Progress::Refused);
            return Ok(Reply::Raised(refused));
        }
        let is_given = self
            .given
            .to(ticket, request.name(), request.prompts())
            .is_some();
        if self.handlers.answerer(*recursive).is_none() && self.starts_handlers && !is_given {
            self.settle(ticket, Progress::Refused);
            let message = match self.tape.continues() {
                true => NO_MODEL_NOW,
                false => NO_MODEL,
            };
            return Ok(Reply::Raised(types::Exception {
                kind: String::from("RuntimeError"),
                message: String::from(message),
            }));
        }
        let asked = request.prompts();
        self.counts.model_calls = self.counts.model_calls.saturating_add(asked);
        let request = self.prompts(prompts, *batched, *recursive);
        Ok(self.defer(ticket, request, None))
    }

    /// Returns the exception that refuses prompts, if they are above a limit of the session.
    fn refused_prompts(
        &mut self,
        request: &Asked,
        prompts: &[calls::Prompt],
    ) -> Option<types::Exception> {
        let value_error = |message| types::Exception {
            kind: String::from("ValueError"),
            message,
        };
        if let Some(message) = long_model(request.name(), prompts) {
            return Some(value_error(message));
        }
        if request.held_bytes() > self.most_argument_bytes() {
            return Some(value_error(format!(
                "{}() was called with too many small prompts; pass fewer at once",
                request.name()
            )));
        }
        let (asked, most) = (request.prompts(), self.limits.model_calls);
        let made = self
            .counts
            .model_calls
            .saturating_add(self.promised().model_calls);
        if asked <= most.saturating_sub(made) {
            return None;
        }
        let message = format!(
            "{BUDGET}{made} + {asked} > {most}. Use Python code for aggregation instead of making more LLM calls."
        );
        self.tally.budget_refusal = Some(message.clone());
        Some(types::Exception {
            kind: String::from("RuntimeError"),
            message,
        })
    }

    /// The reply that a request got when it was made, if this repeats it.
    fn repeated(&mut self) -> Option<wasmtime::Result<Reply>> {
        match &mut self.purpose {
            Purpose::Repeat(replies) => Some(replies.pop_front().ok_or_else(|| {
                wasmtime::Error::msg("a repeated script asks for more than it did before")
            })),
            Purpose::Script | Purpose::Upkeep => None,
        }
    }
}

/// Returns what is told of a request that names a model with too long a name.
fn long_model(name: &str, prompts: &[calls::Prompt]) -> Option<String> {
    let models = prompts.iter().filter_map(|prompt| prompt.model.as_ref());
    let bytes = models
        .map(String::len)
        .find(|bytes| *bytes > caps::KIND_BYTES)?;
    let most = caps::KIND_BYTES;
    Some(format!(
        "{name}() was given the name of a model of {bytes} bytes; give one of at most {most} bytes"
    ))
}
