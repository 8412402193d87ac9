//! One namespace and the script that runs in it: `rlm:sandbox/repl`.

use std::collections::BTreeSet;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use monty::{DisabledBuiltins, MontyRepl, ReplProgress};
use monty_types::{
    BASELINE_MEMORY, ExcType, LIVE_MEMORY, MontyException, MontyObject, NamedValues, PrintWriter,
    ResourceLimits, ResourceTracker,
};

use crate::bindings::exports::rlm::sandbox::repl::{
    Ending, Entry, Failure, Misuse, Resumption, Settings, Step,
};
use crate::console::{Console, Pending};
use crate::contexts::Contexts;
use crate::failure::Scripts;
use crate::functions::Functions;
use crate::hints::Offered;
use crate::host::Host;
use crate::namespace::namespace;
use crate::profile::Profile;
use crate::scaffold::Scaffold;
use crate::script::Tail;
use crate::turn::{Open, Progress, Turn, Waiting};
use crate::{allocations, caps, modules, system};

/// One Python namespace. The WIT file `repl.wit` says what its methods promise.
pub struct Repl<H> {
    pub(crate) host: H,
    pub(crate) state: State,
    pub(crate) limits: Limits,
    pub(crate) functions: Functions,
    /// Names of functions whose calls may have to wait.
    pub(crate) askable: BTreeSet<String>,
    pub(crate) profile: Profile,
    pub(crate) scaffold: Scaffold,
    pub(crate) contexts: Contexts,
    pub(crate) scripts: Scripts,
    pub(crate) pending: Pending,
    pub(crate) open: Open,
    /// Every name in the namespace when it was last looked at, sorted.
    pub(crate) names: Vec<String>,
    /// True if scripts may bind names that are not seen in their text.
    pub(crate) stores_unseen: bool,
    /// The way in which the current script gives its value.
    pub(crate) tail: Tail,
    /// Rewritten constructs in it, with line and column.
    pub(crate) rewrites: Vec<(String, u32, u32)>,
    /// Bytes that were in use before the first script.
    pub(crate) start_bytes: usize,
    /// Virtual time that scripts have slept over the life of the session.
    pub(crate) slept: Duration,
    /// True if a limit of the interpreter raised its last exception, and no script.
    pub(crate) is_limit: bool,
    /// A state on its way out or in.
    pub(crate) passing: Vec<u8>,
}

/// The part of the limits that is looked at after configuring.
pub(crate) struct Limits {
    pub(crate) source_bytes: usize,
    pub(crate) value_bytes: usize,
    request_bytes: usize,
    pub(crate) allocations: Option<u64>,
    /// Those that Monty looks at.
    monty: ResourceLimits,
}

impl Limits {
    /// Returns the tracker of a session under these limits.
    pub(crate) fn tracker(&self) -> ResourceTracker {
        ResourceTracker::new(self.monty.clone())
    }
}

pub(crate) enum State {
    Fresh(Box<MontyRepl>),
    Idle(Box<MontyRepl>),
    Waiting(Waiting),
    /// While Monty has the namespace, and after a trap.
    Away,
}

/// The answer for a line of the REPL's own that asked for something.
pub(crate) const WAITS: &str = "cannot wait here";

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
        let repl = namespace();
        Self {
            host,
            state: State::Fresh(Box::new(repl)),
            limits: Limits {
                source_bytes: 0,
                value_bytes: 0,
                request_bytes: 0,
                allocations: None,
                monty: ResourceLimits::default(),
            },
            functions: Functions::default(),
            askable: BTreeSet::new(),
            profile: Profile::default(),
            scaffold: Scaffold::default(),
            contexts: Contexts::default(),
            scripts: Scripts::default(),
            pending: Pending::default(),
            open: Open::default(),
            names: Vec::new(),
            stores_unseen: false,
            tail: Tail::default(),
            rewrites: Vec::new(),
            start_bytes: 0,
            is_limit: false,
            slept: Duration::ZERO,
            passing: Vec::new(),
        }
    }

    /// `repl.configure`.
    pub fn configure(&mut self, settings: Settings) -> Result<(), Misuse> {
        if matches!(self.state, State::Away) {
            return Err(Misuse::State);
        }
        self.functions = Functions::new(settings.functions).ok_or(Misuse::Settings)?;
        self.profile = Profile::from(settings.profile).with_namespaces(&self.functions);
        let models = self.profile.models().map(str::to_owned);
        self.askable = self.functions.names().cloned().chain(models).collect();
        let limits = settings.limits;
        self.limits = Limits {
            source_bytes: limits.source_bytes as usize,
            value_bytes: limits.value_bytes as usize,
            request_bytes: limits.request_bytes as usize,
            allocations: limits.allocations,
            monty: ResourceLimits {
                max_feed_duration: Some(Duration::from_nanos(limits.jump_nanoseconds) / 2),
                max_memory: Some(usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX)),
                max_recursion_depth: limits.recursion as usize,
                ..ResourceLimits::default()
            },
        };
        let disabled = self.disabled();
        if !matches!(self.state, State::Fresh(_)) {
            self.scaffold.renew_functions(&self.functions, &self.names);
        }
        self.state = match mem::replace(&mut self.state, State::Away) {
            State::Fresh(repl) => {
                let mut repl = repl.with_os_policy(system::policy(settings.seed));
                *repl.tracker_mut() = self.limits.tracker();
                repl.disable_builtins(disabled);
                self.start_bytes = LIVE_MEMORY.load(Relaxed);
                BASELINE_MEMORY.store(self.start_bytes, Relaxed);
                State::Idle(Box::new(repl))
            }
            State::Idle(mut repl) => {
                *repl.tracker_mut() = self.limits.tracker();
                repl.disable_builtins(disabled);
                State::Idle(repl)
            }
            // The limits of a script that waits are those that it began with.
            State::Waiting(waiting) => {
                let change = |progress: &mut ReplProgress| progress.disable_builtins(disabled);
                waiting.with_progress(change).0
            }
            State::Away => State::Away,
        };
        Ok(())
    }

    /// `repl.set-contexts`.
    pub fn set_contexts(
        &mut self,
        files: Vec<Entry>,
        default: Option<Entry>,
    ) -> Result<(), Misuse> {
        let State::Idle(repl) = &mut self.state else {
            return Err(Misuse::State);
        };
        self.contexts.set(files, default);
        for name in self.contexts.unbound() {
            if !self.scaffold.owns(name) {
                repl.unbind(name);
            }
        }
        let count = self.contexts.count();
        let names = self.scaffold.disown_contexts(count, &self.profile);
        self.contexts.reclaim(names.into_iter());
        Ok(())
    }

    /// `repl.exec`.
    pub fn exec(&mut self, source: &str) -> Result<Step, Misuse> {
        let repl = self.take_idle()?;
        self.open = Open::default();
        self.pending.begin();
        match self.start(repl, source) {
            Ok(progress) => Ok(self.turn(|turn| turn.drive(progress))),
            // Nothing has run, so no name is new.
            Err((repl, failure)) => Ok(self.complete(repl, Ending::Raised(*failure), None, false)),
        }
    }

    /// `repl.resume`.
    pub fn resume(&mut self, how: Resumption) -> Result<Step, Misuse> {
        let State::Waiting(waiting) = mem::replace(&mut self.state, State::Away) else {
            return Err(Misuse::State);
        };
        match how {
            Resumption::Stop(stop) => Ok(self.turn(|turn| turn.stop(waiting, stop))),
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
                Ok(self.turn(|turn| turn.resume(waiting, answers)))
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

    pub(crate) fn push(
        &mut self,
        repl: Box<MontyRepl>,
        text: &str,
        inputs: NamedValues,
    ) -> Progress {
        let mut console = Console {
            host: &self.host,
            pending: &mut self.pending,
            scripts: &self.scripts,
        };
        repl.feed_start(text, inputs, PrintWriter::Callback(&mut console))
    }

    /// Feeds a line of ours that cannot wait.
    pub(crate) fn feed(
        &mut self,
        mut repl: Box<MontyRepl>,
        text: &str,
        inputs: NamedValues,
    ) -> (Box<MontyRepl>, Result<MontyObject, MontyException>) {
        repl.feed_aside(true);
        let progress = self.push(repl, text, inputs);
        self.is_limit = false;
        Console {
            host: &self.host,
            pending: &mut self.pending,
            scripts: &self.scripts,
        }
        .flush();
        let (mut repl, result) = match progress {
            Ok(ReplProgress::Complete { repl, value }) => (Box::new(repl), Ok(value)),
            Ok(unexpected) => (
                Box::new(unexpected.into_repl()),
                Err(MontyException::new(
                    ExcType::RuntimeError,
                    Some(String::from(WAITS)),
                )),
            ),
            Err(error) => {
                self.is_limit = error.uncatchable;
                (Box::new(error.repl), Err(error.error))
            }
        };
        repl.feed_aside(false);
        (repl, result)
    }

    pub(crate) fn failure(&self, error: &MontyException) -> Failure {
        let offered = Offered::new(&self.profile, self.contexts.count());
        let message_bytes = self.limits.value_bytes.min(caps::MESSAGE_BYTES);
        let mut failure = self.scripts.failure(error, message_bytes, offered);
        if failure.hint.is_none()
            && error.exc_type() == ExcType::NameError
            && let Some(name) = failure.exception.message.split('\'').nth(1)
            && modules::is_standard(name)
            && self.profile.denial(name).is_none()
        {
            failure.hint = Some(format!("import it first: import {name}"));
        }
        failure
    }

    /// Returns the builtins and modules that scripts do not have, and the functions that the host has.
    pub(crate) fn disabled(&self) -> DisabledBuiltins {
        let own = Profile::asked().filter(|name| self.profile.origin(name).is_some());
        let all = self.askable.iter().cloned().chain(own.map(str::to_owned));
        let disabled = self.profile.disabled();
        disabled.with_functions_of_host(Arc::new(all.collect()))
    }

    pub(crate) fn borrow(&mut self) -> Turn<'_, H> {
        Turn {
            host: &self.host,
            pending: &mut self.pending,
            functions: &self.functions,
            profile: &self.profile,
            request_bytes: self.limits.request_bytes,
            value_bytes: self.limits.value_bytes,
            contexts: &self.contexts,
            scripts: &self.scripts,
            scaffold: &mut self.scaffold,
            names: &self.names,
            open: &mut self.open,
            slept: &mut self.slept,
        }
    }

    /// Returns whether scripts made `name`, not we.
    pub(crate) fn is_scripts(&self, name: &str) -> bool {
        self.scaffold
            .is_scripts(name, &self.profile, &self.functions)
    }

    /// Returns the bytes that scripts and contexts hold.
    pub(crate) fn live_bytes(&self) -> u64 {
        allocations::live_memory().saturating_sub(self.start_bytes) as u64
    }
}
