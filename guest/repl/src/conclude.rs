//! The end of a script: a value, an answer, an exception, or a limit.

use std::mem;

use monty::{MontyRepl, ReplProgress};
use monty_types::{ExcType, MontyException, MontyObject, NamedValues};

use crate::bindings::exports::rlm::sandbox::repl::{Ending, Finish, Outcome, Rewrite, Step, Stop};
use crate::host::Host;
use crate::repl::{Repl, State, WAITS};
use crate::report;
use crate::scaffold::ANSWER;
use crate::script::Tail;
use crate::survey::RESULTS;
use crate::turn::{Pause, Turn};
use crate::{allocations, caps, finish};

/// The namespace again, with the answer that was found, or the exception.
type Answered = Result<(Box<MontyRepl>, Option<Finish>), (Box<MontyRepl>, Box<MontyException>)>;

impl<H: Host> Repl<H> {
    /// Runs a turn and says how it ended.
    pub(crate) fn turn(&mut self, run: impl FnOnce(&mut Turn<'_, H>) -> Pause) -> Step {
        let mut turn = self.borrow();
        let progress = match run(&mut turn) {
            Pause::Done(progress) => *progress,
            Pause::Waiting(waiting) => {
                let suspension = self.open.suspension(&waiting, self.live_bytes());
                self.state = State::Waiting(waiting);
                return Step::Suspended(suspension);
            }
            Pause::Finished(repl, finish) => return self.finished(repl, finish),
        };
        match progress {
            Ok(ReplProgress::Complete { repl, value }) => match allocations::message() {
                None => self.succeed(repl.into(), value),
                // It ended before the interpreter looked.
                Some(message) => {
                    let over = MontyException::new(ExcType::MemoryError, Some(message));
                    self.is_limit = true;
                    self.fail(repl.into(), &over)
                }
            },
            Ok(unexpected) => {
                let repl = unexpected.into_repl().into();
                self.end(repl, Ending::Value(None), None)
            }
            Err(error) => {
                self.is_limit = error.uncatchable;
                self.fail(error.repl.into(), &error.error)
            }
        }
    }

    /// Ends a script that a finisher ended where it was, perhaps inside of `with` statements.
    /// Their restoring is part of the script: it is charged, and no later script sees them.
    fn finished(&mut self, mut repl: Box<MontyRepl>, finish: Finish) -> Step {
        repl.leave_decimal_contexts();
        let is_bound = |name: &str| repl.bound_names().any(|bound| bound == name);
        if let Some(text) = self.scaffold.leave(is_bound) {
            repl = match self.leave(repl, &text) {
                Ok(repl) => repl,
                Err(step) => return *step,
            };
        }
        self.end(repl, Ending::Value(None), Some(finish))
    }

    /// Feeds what leaves states that a script is still in.
    fn leave(&mut self, repl: Box<MontyRepl>, text: &str) -> Result<Box<MontyRepl>, Box<Step>> {
        let (repl, left) = self.feed(repl, text, NamedValues::new());
        match left {
            Err(error) if self.limit(&error).is_some() => Err(Box::new(self.fail(repl, &error))),
            _ => Ok(repl),
        }
    }

    /// Finds out the value and the names that a script left.
    fn succeed(&mut self, mut repl: Box<MontyRepl>, mut answer: MontyObject) -> Step {
        let Tail {
            shown,
            question,
            is_apart,
            settles: _,
            answers,
        } = mem::take(&mut self.tail);
        if let (Some(line), true) = (&question.value, is_apart) {
            let mut marks = NamedValues::new();
            for (name, mark) in RESULTS {
                if line.contains(mark) && !repl.bound_names().any(|bound| bound == name) {
                    marks.push(mark.to_owned(), MontyObject::bool(false));
                }
            }
            let (fed, result) = self.feed(repl, line, marks);
            repl = fed;
            answer = match result {
                Ok(answer) => answer,
                Err(error) => return self.fail(repl, &error),
            };
        }
        let value = (shown || question.value.is_some())
            .then(|| report::read_value(answer.as_ref(), self.limits.value_bytes))
            .flatten();
        let (repl, finish) = match self.answer(repl, answers.counts(false)) {
            Ok(found) => found,
            Err((repl, error)) => return self.fail(repl, &error),
        };
        self.complete(repl, Ending::Value(value), finish, question.names)
    }

    /// Looks whether the dictionary `answer` is ready, and makes a new one then. It is the answer if it `counts`.
    pub(crate) fn answer(&mut self, repl: Box<MontyRepl>, counts: bool) -> Answered {
        if !self.scaffold.has_answer() {
            return Ok((repl, None));
        }
        let (repl, content) = self.feed(repl, "_rlm_kit['ready'](answer)", NamedValues::new());
        let content = match content {
            Ok(content) => content,
            Err(error) if self.limit(&error).is_some() => {
                return Err((repl, Box::new(error)));
            }
            // It cannot be read, or is gone: this script is told, and no later one.
            Err(error) => {
                self.scaffold.renew_answer();
                return match self.feed(repl, ANSWER, NamedValues::new()) {
                    (repl, Ok(_)) if error.message() == Some(WAITS) => Ok((repl, None)),
                    (repl, Ok(_)) => Err((repl, Box::new(error))),
                    (repl, Err(error)) => Err((repl, Box::new(error))),
                };
            }
        };
        let Some(finish) = finish::ready(content.as_ref(), self.limits.value_bytes) else {
            return Ok((repl, None));
        };
        self.scaffold.renew_answer();
        match self.feed(repl, ANSWER, NamedValues::new()) {
            (repl, Ok(_)) => Ok((repl, Some(finish).filter(|_| counts))),
            (repl, Err(error)) => Err((repl, Box::new(error))),
        }
    }

    /// Tells a limit from an exception of the script's own.
    fn fail(&mut self, mut repl: Box<MontyRepl>, error: &MontyException) -> Step {
        let mut failure = self.failure(error);
        let stop = self.limit(error);
        if let (Some(Stop::Memory), Some(message)) = (stop, allocations::message()) {
            failure.exception.message = message;
        }
        match stop {
            // The namespace is not to be trusted after an uncatchable limit:
            // the host goes back to the state before.
            Some(stop) => self.complete(repl, Ending::Stopped((stop, Some(failure))), None, false),
            None => {
                // An exit is known by its type, never by the name of a class.
                let exits =
                    |class: &str| error.exc_type() == ExcType::SystemExit || class == "SystemExit";
                let (class, past) = repl.take_uncaught();
                failure.past = past
                    .into_iter()
                    .map(|past| self.scripts.past(past))
                    .collect();
                if let Some(class) = class.filter(|class| !exits(class)) {
                    failure.exception.kind = caps::cut(&class, caps::KIND_BYTES);
                }
                let is_bound = |name: &str| repl.bound_names().any(|bound| bound == name);
                if let Some(text) = self.scaffold.leave_pools(is_bound) {
                    repl = match self.leave(repl, &text) {
                        Ok(repl) => repl,
                        Err(step) => return *step,
                    };
                }
                self.end(repl, Ending::Raised(failure), None)
            }
        }
    }

    /// Returns the limit that the last exception of the interpreter stands for, if it does.
    /// A script can raise one of the same class and text, and that is no limit.
    pub(crate) fn limit(&self, error: &MontyException) -> Option<Stop> {
        match error.exc_type() {
            _ if self.open.stop.is_some() => self.open.stop,
            ExcType::TimeoutError if self.is_limit => Some(Stop::Time),
            ExcType::MemoryError if self.is_limit => Some(Stop::Memory),
            _ => None,
        }
    }

    /// Ends a script that did not run to its end, with the names it left.
    fn end(&mut self, repl: Box<MontyRepl>, ending: Ending, finish: Option<Finish>) -> Step {
        let tail = mem::take(&mut self.tail);
        let raised = matches!(ending, Ending::Raised(_));
        // An answer that is ready begins anew, even where there is another.
        let (repl, ready) = match self.answer(repl, tail.answers.counts(raised)) {
            Ok(found) => found,
            Err((repl, error)) if self.limit(&error).is_some() => {
                return self.fail(repl, &error);
            }
            Err((repl, _)) => (repl, None),
        };
        self.complete(repl, ending, finish.or(ready), tail.question.names)
    }

    /// Goes idle. `new_names` says that the bound names may have changed.
    pub(crate) fn complete(
        &mut self,
        repl: Box<MontyRepl>,
        ending: Ending,
        finish: Option<Finish>,
        new_names: bool,
    ) -> Step {
        if new_names {
            self.names = repl.bound_names().map(str::to_owned).collect();
            self.names.sort_unstable();
        }
        allocations::end();
        self.state = State::Idle(repl);
        let names = self
            .names
            .iter()
            .filter(|name| self.is_scripts(name))
            .cloned()
            .collect();
        let names = caps::fitting(names);
        let live_bytes = self.live_bytes();
        let rewrites = mem::take(&mut self.rewrites);
        let rewrites = rewrites.into_iter();
        let rewrites = rewrites
            .map(|(rule, line, column)| Rewrite { rule, line, column })
            .collect();
        Step::Complete(Outcome {
            ending,
            finish,
            pauses: self.open.pauses,
            names,
            live_bytes,
            rewrites,
        })
    }
}
