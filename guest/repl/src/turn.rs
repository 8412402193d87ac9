//! Turns: from one wait of a script to the next.
//!
//! Monty runs until it needs something. Requests that can be answered at once
//! are, in place; the others stay open under the host's ticket, and the turn
//! ends when nothing can run without one of the answers. Sleeps wait in virtual
//! time, which moves only when nothing else can run. No order here depends on a
//! hash map or on how fast the host is.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use monty::{
    MontyRepl, ReplFunctionCall, ReplOsCall, ReplProgress, ReplResolveFutures, ReplStartError,
};
use monty_types::{
    ExcType, ExtFunctionResult, MontyException, MontyObject, NameLookupResult, OsFunctionCall,
    PrintWriter,
};
use serde::{Deserialize, Serialize};

use crate::bindings::exports::rlm::sandbox::repl::{
    Answer, Exception, Finish, Stop, Suspension, Ticket,
};
use crate::console::{Console, Pending};
use crate::contexts::Contexts;
use crate::failure::{Scripts, UNANSWERED};
use crate::functions::Functions;
use crate::host::Host;
use crate::modules;
use crate::profile::{Origin, Profile};
use crate::repl::State;
use crate::requests::{CHECKED, exception_of};
use crate::scaffold::Scaffold;
use crate::script::PREFIX;
use crate::{system, value};

/// Function of the prelude's: gives the value of the global that it is given the name of.
const GLOBAL: &str = "_rlm_global";

/// The result of Monty after each push.
pub(crate) type Progress = Result<ReplProgress, Box<ReplStartError>>;

/// A script that waits for an answer.
pub(crate) enum Waiting {
    /// For the answer of one plain call.
    Call(Box<ReplFunctionCall>, Ticket),
    /// For any of several awaited calls.
    Futures(Box<ReplResolveFutures>, Vec<Ticket>),
}

impl Waiting {
    /// Returns what it waits for.
    pub(crate) fn tickets(&self) -> Vec<Ticket> {
        match self {
            Self::Call(_, ticket) => vec![*ticket],
            Self::Futures(_, tickets) => tickets.clone(),
        }
    }

    /// Gives the script to `look` as the progress that Monty stopped with, as which alone it can be written.
    pub(crate) fn with_progress<T>(self, look: impl FnOnce(&mut ReplProgress) -> T) -> (State, T) {
        let tickets = self.tickets();
        let mut progress = match self {
            Self::Call(call, _) => ReplProgress::FunctionCall(*call),
            Self::Futures(futures, _) => ReplProgress::ResolveFutures(*futures),
        };
        let seen = look(&mut progress);
        let waiting = match (progress, &tickets[..]) {
            (ReplProgress::FunctionCall(call), &[ticket]) => Self::Call(Box::new(call), ticket),
            (ReplProgress::ResolveFutures(futures), _) => Self::Futures(Box::new(futures), tickets),
            _ => return (State::Away, seen),
        };
        (State::Waiting(waiting), seen)
    }
}

/// Calls of the script at hand that are not settled. Keys are Monty's call ids,
/// which begin anew with each script; the wall knows tickets only.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Open {
    asked: BTreeMap<u32, Ticket>,
    answered: Vec<(u32, Answer)>,
    #[serde(with = "system::sleepers")]
    asleep: Vec<(u32, Instant)>,
    /// Calls by workers of a pool. Their answers are delivered when all are there,
    /// in the order of the calls, so that workers go on in an order that does not
    /// depend on the host.
    together: BTreeSet<u32>,
    /// Set when the script is being ended; survives Monty's unwinding.
    pub(crate) stop: Option<Stop>,
    /// The number of times that the script paused for a function of the host.
    pub(crate) pauses: u32,
}

impl Open {
    /// Returns the suspension that the host gets.
    pub(crate) fn suspension(&self, waiting: &Waiting, live_bytes: u64) -> Suspension {
        let waiting = waiting.tickets();
        let mut open: Vec<_> = self
            .asked
            .values()
            .copied()
            .filter(|ticket| !waiting.contains(ticket))
            .collect();
        open.sort_unstable();
        Suspension {
            waiting,
            open,
            live_bytes,
        }
    }
}

/// The end of a turn.
pub(crate) enum Pause {
    Done(Box<Progress>),
    Waiting(Waiting),
    /// The script said that it is done; it was dropped.
    Finished(Box<MontyRepl>, Finish),
}

/// The parts of the REPL that one turn borrows.
pub(crate) struct Turn<'a, H> {
    pub(crate) host: &'a H,
    pub(crate) pending: &'a mut Pending,
    pub(crate) functions: &'a Functions,
    pub(crate) profile: &'a Profile,
    pub(crate) request_bytes: usize,
    pub(crate) value_bytes: usize,
    pub(crate) contexts: &'a Contexts,
    pub(crate) scripts: &'a Scripts,
    pub(crate) scaffold: &'a mut Scaffold,
    /// Every name in the namespace when it was last looked at.
    pub(crate) names: &'a [String],
    pub(crate) open: &'a mut Open,
    /// Virtual time that scripts have slept over the life of the session.
    pub(crate) slept: &'a mut Duration,
}

/// The outcome of a request.
pub(crate) enum Outcome {
    Returned(MontyObject),
    Raised(MontyException),
    Pending(Ticket),
    Stopped(Stop),
    Finished(Finish),
    Unknown,
}

impl<H: Host> Turn<'_, H> {
    /// Runs until the script ends or waits, and hands over what it printed.
    pub(crate) fn drive(&mut self, mut progress: Progress) -> Pause {
        let pause = loop {
            progress = match progress {
                Ok(ReplProgress::FunctionCall(call)) => match self.call(call) {
                    Ok(next) => next,
                    Err(pause) => break pause,
                },
                Ok(ReplProgress::ResolveFutures(futures)) => match self.settle(futures) {
                    Ok(next) => next,
                    Err(waiting) => break Pause::Waiting(waiting),
                },
                Ok(ReplProgress::OsCall(call)) => self.system(call),
                Ok(ReplProgress::NameLookup(lookup)) => {
                    let answer = if self.is_function(&lookup.name) && lookup.object_id().is_none() {
                        NameLookupResult::Value(self.functions.value(&lookup.name))
                    } else {
                        NameLookupResult::Undefined
                    };
                    self.console(|print| lookup.resume(answer, print))
                }
                done => break Pause::Done(Box::new(done)),
            };
        };
        Console {
            host: self.host,
            pending: self.pending,
            scripts: self.scripts,
        }
        .flush();
        pause
    }

    /// Goes on with a script whose `answers` were checked to fit.
    pub(crate) fn resume(&mut self, waiting: Waiting, answers: Vec<(Ticket, Answer)>) -> Pause {
        let mut mine = None;
        for (ticket, answer) in answers {
            if matches!(waiting, Waiting::Call(_, waited) if waited == ticket) {
                mine = Some(answer);
            } else if let Some(call) = self.call_of(ticket) {
                self.open.asked.remove(&call);
                self.open.answered.push((call, answer));
            }
        }
        let progress = match (waiting, mine) {
            (Waiting::Call(call, _), Some(answer)) => {
                let result = settled(answer);
                self.console(|print| call.resume(result, print))
            }
            (Waiting::Futures(futures, _), _) => Ok(ReplProgress::ResolveFutures(*futures)),
            (waiting @ Waiting::Call(..), None) => return Pause::Waiting(waiting),
        };
        self.drive(progress)
    }

    /// Ends a waiting script where it waits.
    pub(crate) fn stop(&mut self, waiting: Waiting, stop: Stop) -> Pause {
        self.open.stop = Some(stop);
        let progress = match waiting {
            Waiting::Call(call, _) => self.console(|print| call.abort(stopped(), print)),
            Waiting::Futures(futures, _) => self.console(|print| futures.abort(stopped(), print)),
        };
        self.drive(progress)
    }

    /// The call that has `ticket`, if it is open.
    pub(crate) fn call_of(&self, ticket: Ticket) -> Option<u32> {
        self.open
            .asked
            .iter()
            .find(|(_, asked)| **asked == ticket)
            .map(|(call, _)| *call)
    }

    fn console<R>(&mut self, push: impl FnOnce(PrintWriter<'_>) -> R) -> R {
        let mut console = Console {
            host: self.host,
            pending: self.pending,
            scripts: self.scripts,
        };
        push(PrintWriter::Callback(&mut console))
    }

    fn is_function(&self, name: &str) -> bool {
        self.functions.defines(name) || self.profile.origin(name) == Some(Origin::Asked)
    }

    /// Serves one call of a function that Python does not know.
    fn call(&mut self, call: ReplFunctionCall) -> Result<Progress, Pause> {
        if call.object_id.is_none() && call.function_name == GLOBAL {
            // A name of ours stays unbound for those who look one up.
            let name = call
                .args
                .arg(0)
                .and_then(|name| name.as_str().map(str::to_owned));
            let name = name
                .filter(|name| !name.starts_with(PREFIX))
                .unwrap_or_default();
            return Ok(self.console(|print| call.resume_with_global(&name, print)));
        }
        self.open.pauses += 1;
        let position = self
            .scripts
            .position(&call.position.filename, call.position.start);
        self.pending.tell_position(self.host, position);
        let awaitable = call.allow_eager_await
            || self.functions.is_awaitable(&call.function_name)
            || self
                .scripts
                .awaits(&call.position.filename, call.position.start);
        let outcome = match call.object_id {
            Some(_) => Outcome::Unknown,
            None if call.function_name == CHECKED && self.profile.eval => {
                self.checked(&call.args, call.room())
            }
            None => self.request(&call.function_name, &call.args),
        };
        let id = call.call_id;
        if self
            .scripts
            .is_workers(&call.position.filename, call.position.start)
        {
            self.open.together.insert(id);
        }
        Ok(match outcome {
            Outcome::Unknown => {
                self.open.pauses -= 1;
                let name = call.function_name.clone();
                self.console(|print| call.resume(ExtFunctionResult::NotFound(name), print))
            }
            Outcome::Stopped(stop) => {
                self.open.stop = Some(stop);
                self.console(|print| call.abort(stopped(), print))
            }
            Outcome::Pending(ticket) if awaitable => {
                self.open.asked.insert(id, ticket);
                self.console(|print| call.resume_pending(print))
            }
            Outcome::Pending(ticket) => {
                return Err(Pause::Waiting(Waiting::Call(Box::new(call), ticket)));
            }
            Outcome::Finished(finish) => {
                return Err(Pause::Finished(Box::new(call.into_repl()), finish));
            }
            Outcome::Returned(value) if call.allow_eager_await => {
                self.console(|print| call.resume_eager(Ok(value), print))
            }
            Outcome::Raised(error) if call.allow_eager_await => {
                self.console(|print| call.resume_eager(Err(error), print))
            }
            Outcome::Returned(value) if awaitable => self.settled_future(call, Ok(value)),
            Outcome::Raised(error) if awaitable => self.settled_future(call, Err(error)),
            Outcome::Returned(value) => self.console(|print| call.resume(value, print)),
            Outcome::Raised(error) => self.console(|print| call.resume(error, print)),
        })
    }

    /// Gives Python a future for what is known already.
    fn settled_future(
        &mut self,
        call: ReplFunctionCall,
        result: Result<MontyObject, MontyException>,
    ) -> Progress {
        let id = call.call_id;
        let progress = self.console(|print| call.resume_pending(print));
        match progress {
            // Where nothing else runs, Monty asks for it at once.
            Ok(ReplProgress::ResolveFutures(futures)) if futures.pending_call_ids() == [id] => {
                let result =
                    result.map_or_else(ExtFunctionResult::Error, ExtFunctionResult::Return);
                self.console(|print| futures.resume(vec![(id, result)], print))
            }
            progress => {
                let mut json = String::new();
                let answer = match result {
                    Ok(value) => {
                        value::encode(value.as_ref(), &mut json);
                        Answer::Returned(json)
                    }
                    Err(error) => Answer::Raised(Exception {
                        kind: <&str>::from(error.exc_type()).to_owned(),
                        message: error.message().unwrap_or_default().to_owned(),
                    }),
                };
                self.open.answered.push((id, answer));
                progress
            }
        }
    }

    /// Delivers what is known when all tasks wait: answers in the order in
    /// which they came, else the sleeper that wakes first.
    fn settle(&mut self, futures: ReplResolveFutures) -> Result<Progress, Waiting> {
        let waited = futures.pending_call_ids().to_vec();
        let together = &self.open.together;
        let is_held = self.open.asked.keys().any(|call| together.contains(call));
        let (mut ready, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.open.answered)
            .into_iter()
            .partition(|(call, _)| waited.contains(call) && !(is_held && together.contains(call)));
        ready.sort_by_key(|(call, _)| together.contains(call).then_some(*call));
        self.open.answered = kept;
        if !ready.is_empty() {
            let results = ready
                .into_iter()
                .map(|(call, answer)| (call, settled(answer)))
                .collect();
            return Ok(self.console(|print| futures.resume(results, print)));
        }
        let sleepers = self
            .open
            .asleep
            .iter()
            .enumerate()
            .filter(|(_, (call, _))| waited.contains(call));
        if let Some((index, _)) = sleepers.min_by_key(|(_, (call, wakes))| (*wakes, *call)) {
            let (call, wakes) = self.open.asleep.remove(index);
            self.sleep(wakes.saturating_duration_since(Instant::now()));
            let results = vec![(call, ExtFunctionResult::Return(MontyObject::none()))];
            return Ok(self.console(|print| futures.resume(results, print)));
        }
        let mut tickets: Vec<Ticket> = waited
            .iter()
            .filter_map(|call| self.open.asked.get(call).copied())
            .collect();
        tickets.sort_unstable();
        if tickets.is_empty() {
            let error = MontyException::new(ExcType::RuntimeError, Some(String::from(UNANSWERED)));
            return Ok(self.console(|print| futures.abort(error, print)));
        }
        Err(Waiting::Futures(Box::new(futures), tickets))
    }

    fn sleep(&mut self, duration: Duration) {
        *self.slept = self.slept.saturating_add(duration);
        system::sleep(duration);
    }

    fn system(&mut self, call: ReplOsCall) -> Progress {
        if let Some(duration) = system::sleeps(&call.function_call)
            && self.slept.saturating_add(duration) > system::LONGEST
        {
            let answer = ExtFunctionResult::Error(system::too_long());
            return self.console(|print| call.resume(answer, print));
        }
        if let OsFunctionCall::AsyncSleep(duration) | OsFunctionCall::AsyncSystemSleep(duration) =
            call.function_call
        {
            let wakes = system::wakes_after(duration);
            self.open.asleep.push((call.call_id, wakes));
            let future = ExtFunctionResult::Future(call.call_id);
            return self.console(|print| call.resume(future, print));
        }
        if let OsFunctionCall::Sleep(duration) | OsFunctionCall::SystemSleep(duration) =
            call.function_call
        {
            self.sleep(duration);
            return self.console(|print| call.resume(MontyObject::none(), print));
        }
        let answer = self
            .imported(&call.function_call)
            .or_else(|| self.opened(&call.function_call));
        self.console(|print| match answer {
            Some(answer) => call.resume(answer, print),
            None => call.resume_with(print, system::answer),
        })
    }

    /// Returns what an import gives that the interpreter does not know: a namespace of host functions, which models import
    /// out of habit, or why there is none.
    fn imported(&self, call: &OsFunctionCall) -> Option<ExtFunctionResult> {
        match call {
            OsFunctionCall::Import(name) if self.functions.is_namespace(name) => {
                Some(ExtFunctionResult::Return(self.functions.value(name)))
            }
            OsFunctionCall::Import(name) => {
                let denied = self.profile.denial_of_disabled(name);
                let denied = denied.map(|why| MontyException::new(ExcType::ImportError, Some(why)));
                let in_part = match modules::part_of(name) {
                    Some(part) => Some(format!("of the package '{name}' there is '{part}' alone")),
                    // The module itself would have been found: a part of it is imported.
                    None if modules::find(name).is_some() => Some(format!(
                        "'{name}' is there without modules in it: it is not a package here"
                    )),
                    None => None,
                };
                let in_part = in_part.map(|message| {
                    MontyException::new(ExcType::ModuleNotFoundError, Some(message))
                });
                denied.or(in_part).map(ExtFunctionResult::Error)
            }
            _ => None,
        }
    }

    /// Returns the text of a context that a script reads as a file, where it may.
    fn opened(&self, call: &OsFunctionCall) -> Option<ExtFunctionResult> {
        if !self.profile.opens_contexts {
            return None;
        }
        let result = self.contexts.as_file(self.host, call)?;
        Some(result.map_or_else(ExtFunctionResult::Error, ExtFunctionResult::Return))
    }
}

fn stopped() -> MontyException {
    MontyException::new(
        ExcType::RuntimeError,
        Some(String::from("stopped by the host")),
    )
}

fn settled(answer: Answer) -> ExtFunctionResult {
    match answer {
        Answer::Returned(json) => match value::decode(&json, true) {
            Ok(value) => ExtFunctionResult::Return(value),
            Err(error) => {
                ExtFunctionResult::Error(MontyException::new(ExcType::ValueError, Some(error)))
            }
        },
        Answer::Raised(exception) => ExtFunctionResult::Error(exception_of(exception)),
    }
}
