//! One namespace and the script that runs in it: `rlm:sandbox/repl`.

use std::collections::BTreeSet;
use std::mem;
use std::num::NonZeroU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use monty::{MontyRepl, ReplProgress};
use monty_types::{
    AssertMessageAnnotations, BASELINE_MEMORY, CompileOptions, ExcType, LIVE_MEMORY,
    MontyException, MontyObject, NamedValues, PrintWriter, ResourceLimits, ResourceTracker,
    is_identifier,
};

use crate::bindings::exports::rlm::sandbox::repl::{
    Ending, Entry, Failure, Misuse, Outcome, Resumption, Settings, Step, Stop,
};
use crate::console::{Console, Pending};
use crate::contexts::Contexts;
use crate::failure::{Scripts, refusal};
use crate::host::Host;
use crate::report::{self, NAMES, Report};
use crate::script::{Edits, Script, Tail};
use crate::turn::{Functions, Open, Pause, Progress, Turn, Waiting};
use crate::{allocations, system};

/// One Python namespace. The WIT file `repl.wit` says what its methods promise.
pub struct Repl<H> {
    pub(crate) host: H,
    pub(crate) state: State,
    pub(crate) limits: Limits,
    pub(crate) functions: Functions,
    pub(crate) contexts: Contexts,
    pub(crate) scripts: Scripts,
    pub(crate) pending: Pending,
    pub(crate) open: Open,
    /// Every name in the namespace when it was last looked at, sorted.
    pub(crate) names: Vec<String>,
    /// Whether scripts may bind names that are not seen in their text.
    pub(crate) stores_unseen: bool,
    /// How the script at hand tells its value.
    pub(crate) tail: Tail,
    /// Bytes that were in use before the first script.
    pub(crate) start_bytes: usize,
    /// A state on its way out or in.
    pub(crate) passing: Vec<u8>,
}

/// The part of the limits that is looked at after configuring.
pub(crate) struct Limits {
    source_bytes: usize,
    pub(crate) value_bytes: usize,
    request_bytes: usize,
    pub(crate) allocations: Option<u64>,
    jump: Duration,
}

pub(crate) enum State {
    Fresh(Box<MontyRepl>),
    Idle(Box<MontyRepl>),
    Waiting(Waiting),
    /// While Monty has the namespace, and after a trap.
    Away,
}

impl<H> std::fmt::Debug for Repl<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repl").finish_non_exhaustive()
    }
}

impl<H: Host> Repl<H> {
    /// A namespace with what every session needs in it. Draws no randomness
    /// and reads no clock, so it may be part of a pre-initialised image.
    ///
    /// # Panics
    ///
    /// If Monty refuses our own prelude.
    pub fn new(host: H) -> Self {
        let options = CompileOptions {
            assert_message_annotations: AssertMessageAnnotations::MaxBytes(
                NonZeroU32::new(120).expect("not zero"),
            ),
            // Sources are small; each is checked for nesting before it is parsed.
            source_scan_threshold: 0,
        };
        let repl = MontyRepl::new("<session>", ResourceTracker::default(), options)
            .with_os_policy(system::policy(0));
        let progress = repl.feed_start(
            report::PRELUDE,
            report::prelude_inputs(),
            PrintWriter::Disabled,
        );
        let Ok(ReplProgress::Complete { repl, .. }) = progress else {
            panic!("the prelude does not run");
        };
        Self {
            host,
            state: State::Fresh(Box::new(repl)),
            limits: Limits {
                source_bytes: 0,
                value_bytes: 0,
                request_bytes: 0,
                allocations: None,
                jump: Duration::ZERO,
            },
            functions: Functions::new(),
            contexts: Contexts::default(),
            scripts: Scripts::default(),
            pending: Pending::default(),
            open: Open::default(),
            names: Vec::new(),
            stores_unseen: false,
            tail: Tail::default(),
            start_bytes: 0,
            passing: Vec::new(),
        }
    }

    /// `repl.configure`.
    pub fn configure(&mut self, settings: Settings) -> Result<(), Misuse> {
        let State::Fresh(repl) = mem::replace(&mut self.state, State::Away) else {
            return Err(Misuse::State);
        };
        let mut functions = Functions::new();
        for function in settings.functions {
            if !is_identifier(&function.name)
                || functions
                    .insert(function.name, function.awaitable)
                    .is_some()
            {
                self.state = State::Fresh(repl);
                return Err(Misuse::Settings);
            }
        }
        self.functions = functions;
        let limits = settings.limits;
        self.limits = Limits {
            source_bytes: limits.source_bytes as usize,
            value_bytes: limits.value_bytes as usize,
            request_bytes: limits.request_bytes as usize,
            allocations: limits.allocations,
            jump: Duration::from_nanos(limits.jump_nanoseconds),
        };
        let mut repl = repl.with_os_policy(system::policy(settings.seed));
        *repl.tracker_mut() = ResourceTracker::new(ResourceLimits {
            max_feed_duration: Some(self.limits.jump / 2),
            max_memory: Some(usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX)),
            max_recursion_depth: limits.recursion as usize,
            ..ResourceLimits::default()
        });
        self.start_bytes = LIVE_MEMORY.load(Relaxed);
        BASELINE_MEMORY.store(self.start_bytes, Relaxed);
        self.state = State::Idle(Box::new(repl));
        Ok(())
    }

    /// `repl.set-contexts`.
    pub fn set_contexts(
        &mut self,
        files: Vec<Entry>,
        default: Option<Entry>,
    ) -> Result<(), Misuse> {
        if !matches!(self.state, State::Idle(_)) {
            return Err(Misuse::State);
        }
        self.contexts.set(files, default);
        Ok(())
    }

    /// `repl.exec`.
    pub fn exec(&mut self, source: &str) -> Result<Step, Misuse> {
        let repl = self.take_idle()?;
        self.open = Open::default();
        let started = Instant::now();
        match self.start(repl, source) {
            Ok(progress) => Ok(self.turn(started, |turn| turn.drive(progress))),
            // Nothing has run, so no name is new.
            Err((repl, failure)) => Ok(self.complete(repl, Ending::Raised(*failure), None)),
        }
    }

    /// `repl.resume`.
    pub fn resume(&mut self, how: Resumption) -> Result<Step, Misuse> {
        let State::Waiting(waiting) = mem::replace(&mut self.state, State::Away) else {
            return Err(Misuse::State);
        };
        let started = Instant::now();
        match how {
            Resumption::Stop(stop) => Ok(self.turn(started, |turn| turn.stop(waiting, stop))),
            Resumption::Answers(answers) => {
                let suspension = self.open.suspension(&waiting, self.live_bytes());
                let mut left: BTreeSet<_> =
                    suspension.waiting.iter().chain(&suspension.open).collect();
                let known = answers.iter().all(|(ticket, _)| left.remove(ticket));
                if !known
                    || !answers
                        .iter()
                        .any(|(ticket, _)| suspension.waiting.contains(ticket))
                {
                    self.state = State::Waiting(waiting);
                    return Err(Misuse::Ticket);
                }
                Ok(self.turn(started, |turn| turn.resume(waiting, answers)))
            }
        }
    }

    pub(crate) fn take_idle(&mut self) -> Result<Box<MontyRepl>, Misuse> {
        match mem::replace(&mut self.state, State::Away) {
            State::Idle(repl) => Ok(repl),
            other => {
                self.state = other;
                Err(Misuse::State)
            }
        }
    }

    /// Checks a script and feeds it; gives the namespace back if it may not run.
    fn start(
        &mut self,
        mut repl: Box<MontyRepl>,
        source: &str,
    ) -> Result<Progress, (Box<MontyRepl>, Box<Failure>)> {
        if source.len() > self.limits.source_bytes {
            let message = format!(
                "source is too long: {} bytes > {} bytes",
                source.len(),
                self.limits.source_bytes
            );
            return Err((
                repl,
                Box::new(refusal("SyntaxError", "source", message, None)),
            ));
        }
        if let Err(error) = repl.check_source(source) {
            let failure = Box::new(self.failure(&error));
            return Err((repl, failure));
        }
        let Ok(parsed) = ruff_python_parser::parse_module(source) else {
            // Let Monty word the complaint.
            self.scripts.add(
                repl.next_script_name(),
                Edits::none(source),
                Vec::new(),
                false,
            );
            self.tail = Tail::default();
            return Ok(self.push(repl, source, NamedValues::new()));
        };
        let functions = self
            .functions
            .keys()
            .map(String::as_str)
            .chain(["llm_query", "llm_query_batched"])
            .collect();
        let known = |name: &str| {
            self.names
                .binary_search_by(|other| other.as_str().cmp(name))
                .is_ok()
        };
        let mut script = Script::new(
            source,
            parsed.syntax(),
            &functions,
            (!self.stores_unseen).then_some(known),
        );
        drop(parsed);
        if let Some((module, at)) = script.denied_import.take() {
            let message = format!("import of '{module}' is not allowed in this sandbox");
            let place = (self.scripts.next_name(), at);
            return Err((
                repl,
                Box::new(refusal(
                    "ImportError",
                    "import-denied",
                    message,
                    Some(place),
                )),
            ));
        }
        let (fed, bound) =
            allocations::uncharged(|| match self.contexts.inputs(&self.host, &script) {
                Ok(inputs) if inputs.is_empty() => (repl, Ok(MontyObject::none())),
                Ok(inputs) => self.feed(repl, "pass", inputs),
                Err(error) => (repl, Err(error)),
            });
        repl = fed;
        if let Err(error) = bound {
            let failure = Box::new(self.failure(&error));
            return Err((repl, failure));
        }
        self.stores_unseen |= script.stores_unseen;
        self.tail = script.tail;
        let mut fed = script.fed;
        if let (Some(line), false) = (self.tail.question.line(), self.tail.may_return) {
            fed.push('\n');
            fed.push_str(line);
        }
        self.scripts.add(
            repl.next_script_name(),
            script.edits,
            script.awaited,
            script.defines_code,
        );
        allocations::begin(self.limits.allocations, 0);
        Ok(self.push(repl, &fed, NamedValues::new()))
    }

    fn push(&mut self, repl: Box<MontyRepl>, text: &str, inputs: NamedValues) -> Progress {
        let mut console = Console {
            host: &self.host,
            pending: &mut self.pending,
        };
        repl.feed_start(text, inputs, PrintWriter::Callback(&mut console))
    }

    /// Feeds a line of ours that cannot wait.
    pub(crate) fn feed(
        &mut self,
        repl: Box<MontyRepl>,
        text: &str,
        inputs: NamedValues,
    ) -> (Box<MontyRepl>, Result<MontyObject, MontyException>) {
        let progress = self.push(repl, text, inputs);
        Console {
            host: &self.host,
            pending: &mut self.pending,
        }
        .flush();
        match progress {
            Ok(ReplProgress::Complete { repl, value }) => (Box::new(repl), Ok(value)),
            Ok(unexpected) => (
                Box::new(unexpected.into_repl()),
                Err(MontyException::new(
                    ExcType::RuntimeError,
                    Some(String::from("cannot wait here")),
                )),
            ),
            Err(error) => (Box::new(error.repl), Err(error.error)),
        }
    }

    fn failure(&self, error: &MontyException) -> Failure {
        self.scripts.failure(error, self.limits.value_bytes)
    }

    pub(crate) fn borrow(&mut self) -> Turn<'_, H> {
        Turn {
            host: &self.host,
            pending: &mut self.pending,
            functions: &self.functions,
            request_bytes: self.limits.request_bytes,
            contexts: &self.contexts,
            scripts: &self.scripts,
            open: &mut self.open,
        }
    }

    /// Runs a turn and says how it ended.
    fn turn(&mut self, started: Instant, run: impl FnOnce(&mut Turn<'_, H>) -> Pause) -> Step {
        let mut turn = self.borrow();
        let progress = match run(&mut turn) {
            Pause::Done(progress) => *progress,
            Pause::Waiting(waiting) => {
                let suspension = self.open.suspension(&waiting, self.live_bytes());
                self.state = State::Waiting(waiting);
                return Step::Suspended(suspension);
            }
        };
        match progress {
            Ok(ReplProgress::Complete { repl, value }) => self.succeed(repl.into(), value, started),
            Ok(unexpected) => self.end(unexpected.into_repl().into(), Ending::Value(None)),
            Err(error) => self.fail(error.repl.into(), &error.error, started),
        }
    }

    /// Finds out the value and the names that a script left.
    fn succeed(
        &mut self,
        mut repl: Box<MontyRepl>,
        mut answer: MontyObject,
        started: Instant,
    ) -> Step {
        let Tail {
            shown,
            question,
            may_return,
        } = self.tail;
        // Where a `return` may have come first, the line stands alone.
        if let (Some(line), true) = (question.line(), may_return) {
            let (fed, result) = self.feed(repl, line, NamedValues::new());
            repl = fed;
            answer = match result {
                Ok(answer) => answer,
                Err(error) => return self.fail(repl, &error, started),
            };
        }
        let report = if shown {
            let value = report::read_value(answer.as_ref(), self.limits.value_bytes);
            Report { value, names: None }
        } else {
            question.read(&answer, self.limits.value_bytes)
        };
        self.complete(repl, Ending::Value(report.value), report.names)
    }

    /// Tells a limit from an exception of the script's own.
    fn fail(&mut self, repl: Box<MontyRepl>, error: &MontyException, started: Instant) -> Step {
        let mut failure = self.failure(error);
        let stop = self.limit(error, started);
        if let (Some(Stop::Memory), Some(message)) = (stop, allocations::message()) {
            failure.exception.message = message;
        }
        match stop {
            // The namespace is not to be trusted after an uncatchable limit:
            // the host goes back to the state before.
            Some(stop) => self.complete(repl, Ending::Stopped((stop, Some(failure))), None),
            None => self.end(repl, Ending::Raised(failure)),
        }
    }

    /// The limit that an exception stands for, if it does.
    pub(crate) fn limit(&self, error: &MontyException, started: Instant) -> Option<Stop> {
        let message = error.message().unwrap_or_default();
        match error.exc_type() {
            _ if self.open.stop.is_some() => self.open.stop,
            ExcType::TimeoutError if started.elapsed() >= self.limits.jump / 2 => Some(Stop::Time),
            ExcType::MemoryError if message.starts_with("memory limit exceeded: ") => {
                Some(Stop::Memory)
            }
            _ => None,
        }
    }

    /// Ends a script that failed, with the names it left.
    fn end(&mut self, mut repl: Box<MontyRepl>, ending: Ending) -> Step {
        let mut names = None;
        if let (Some(line), true) = (NAMES.line(), self.tail.question.names) {
            let (fed, answer) = self.feed(repl, line, NamedValues::new());
            repl = fed;
            names = answer.ok().and_then(|answer| NAMES.read(&answer, 0).names);
        }
        self.complete(repl, ending, names)
    }

    /// Whether scripts made `name`, not we.
    pub(crate) fn is_scripts(&self, name: &str) -> bool {
        !(name.starts_with('_')
            || Contexts::owns(name)
            || self.functions.contains_key(name)
            || matches!(name, "llm_query" | "llm_query_batched"))
    }

    /// Goes idle. `found` are all names there are, if they were looked at.
    pub(crate) fn complete(
        &mut self,
        repl: Box<MontyRepl>,
        ending: Ending,
        found: Option<Vec<String>>,
    ) -> Step {
        if let Some(mut names) = found {
            names.sort_unstable();
            self.names = names;
        }
        allocations::end();
        self.state = State::Idle(repl);
        let names = self
            .names
            .iter()
            .filter(|name| self.is_scripts(name))
            .cloned()
            .collect();
        let live_bytes = self.live_bytes();
        Step::Complete(Outcome {
            ending,
            names,
            live_bytes,
        })
    }

    /// What scripts and contexts hold.
    pub(crate) fn live_bytes(&self) -> u64 {
        allocations::live_memory().saturating_sub(self.start_bytes) as u64
    }
}
