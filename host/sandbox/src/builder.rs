//! What a session is made of.

use std::any::Any;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::Value as Json;

use crate::call::Handlers;
use crate::caps::{ALL_PARAMETERS, CONTEXTS, NAMES, OUTPUTS_BYTES, TOOLS};
use crate::clock;
use crate::context::{Context, of_graph_input};
use crate::fault::Faults;
use crate::instructions;
use crate::journal::{Cassette, Histories, ReaderGuard, Recording};
use crate::limits::Limits;
use crate::model::{AnyLm, Lm};
use crate::output::{Channel, Listener};
use crate::parked::Parked;
use crate::plugin::Plugin;
use crate::profile::{Imports, Name, Output, Profile};
use crate::sandbox::{Sandbox, needs_fuel};
use crate::session::Session;
use crate::tool::{Caller, Tool, is_identifier};
use rlm_sandbox_engine::{Error, Metering, Result};

/// Time from 1970 to the year 9999, which is the last one of Python's dates.
pub(crate) const DATES: Duration = Duration::from_secs(253_370_764_800);

/// Describes a session; [`open`](Self::open) makes it.
#[derive(Clone)]
pub struct SessionBuilder {
    pub(crate) sandbox: Sandbox,
    pub(crate) limits: Limits,
    /// What Python sees.
    pub(crate) profile: Arc<Profile>,
    /// The same with the names that nothing stands behind yet.
    pub(crate) whole_profile: Arc<Profile>,
    /// True if the names of the profile are those to define, even where variables of these names exist.
    pub(crate) names_as_given: bool,
    /// What `SUBMIT` takes, whatever the profile says.
    pub(crate) outputs: Option<Vec<Output>>,
    /// Conversations as JSON; empty for one that has no JSON form.
    pub(crate) histories: Histories,
    pub(crate) handlers: Handlers,
    pub(crate) contexts: Vec<Context>,
    pub(crate) graph_input: Option<Context>,
    pub(crate) seed: Option<u64>,
    pub(crate) start: Option<SystemTime>,
    /// True if the time of day goes on between executions. None: if no start is set.
    pub(crate) follows_time: Option<bool>,
    pub(crate) sleeps_really: bool,
    pub(crate) caller: Arc<Caller>,
    pub(crate) listener: Option<Listener>,
    pub(crate) faults: Faults,
    pub(crate) tape: Option<Source>,
    /// Caps above the session's limits, where it follows a journal.
    pub(crate) reader: Option<ReaderGuard>,
    /// Bytes by which linear memory grows at most, with contexts of any size, of a session that a journal handed back.
    pub(crate) most_growth_bytes: Option<u64>,
}

/// What a session is recorded on, or follows.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Recording(Recording),
    Cassette(Cassette),
}

impl std::fmt::Debug for SessionBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionBuilder")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl SessionBuilder {
    pub(crate) fn new(sandbox: Sandbox) -> Self {
        Self {
            sandbox,
            limits: Limits::default(),
            profile: Profile::shared(),
            whole_profile: Profile::shared(),
            names_as_given: false,
            outputs: None,
            histories: Arc::default(),
            handlers: Handlers::default(),
            contexts: Vec::new(),
            graph_input: None,
            seed: None,
            start: None,
            follows_time: None,
            sleeps_really: false,
            caller: Arc::new(Caller::default()),
            listener: None,
            faults: Faults::default(),
            tape: None,
            reader: None,
            most_growth_bytes: None,
        }
    }

    /// Adds a host function.
    #[must_use]
    pub fn tool(mut self, tool: Tool) -> Self {
        self.handlers.tools.push(tool);
        self
    }

    /// Adds a plugin: scripts call its functions as members of its name.
    #[must_use]
    pub fn plugin(mut self, plugin: impl Plugin) -> Self {
        self.handlers.tools.extend(Tool::of_plugin(plugin));
        self
    }

    /// Attaches the language model behind `llm_query`. By default there is
    /// none, and asking raises.
    #[must_use]
    pub fn model(mut self, model: impl Lm) -> Self {
        self.handlers.model = Some(Arc::new(model) as Arc<dyn AnyLm>);
        self
    }

    /// Attaches what answers `rlm_query`: a session of its own for each prompt,
    /// one level deeper. `depth` is how many levels there may be below this one.
    /// Without it, or at depth 0, the model answers.
    #[must_use]
    pub fn recursion(mut self, hook: impl Lm, depth: u32) -> Self {
        self.handlers.recursion = Some(Arc::new(hook) as Arc<dyn AnyLm>);
        self.handlers.depth = depth;
        self
    }

    /// Sets how many prompts of one batch are asked at the same time, at least
    /// one. By default eight; answers keep the order of the prompts.
    #[must_use]
    pub fn concurrent_prompts(mut self, count: usize) -> Self {
        self.handlers.batch_width = count.max(1);
        self
    }

    /// Sets what Python sees, and the limits that the profile has.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self = self.limits(profile.limits.clone());
        self.profile = Arc::new(profile);
        self.whole_profile = Arc::clone(&self.profile);
        self
    }

    /// Sets what `SUBMIT` takes, names with types in order, in place of what the
    /// profile says; also of a session that is [restored](Self::restore).
    #[must_use]
    pub fn outputs<'a>(mut self, fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        self.outputs = Some(Output::list(fields));
        self
    }

    /// Adds a conversation, a list of messages: scripts see a copy of the first
    /// as `history` and `history_0`, of the next ones as `history_1` and so on.
    ///
    /// What has no JSON form is refused when the session is opened.
    #[must_use]
    pub fn history(mut self, messages: impl Serialize) -> Self {
        // A `Value` sorts the keys.
        let messages = serde_json::to_value(messages).map(|messages| messages.to_string());
        let text = messages.unwrap_or_default();
        Arc::make_mut(&mut self.histories).push(text.into());
        self
    }

    pub(crate) fn names_as_given(mut self) -> Self {
        self.names_as_given = true;
        self
    }

    /// Adds a context.
    #[must_use]
    pub fn context(mut self, context: Context) -> Self {
        self.contexts.push(context);
        self
    }

    /// What scripts see as `context` if there are no contexts: text as it is,
    /// anything else as indented JSON.
    #[must_use]
    pub fn graph_input(mut self, input: Json) -> Self {
        self.graph_input = Some(of_graph_input(input));
        self
    }

    /// Sets what one exec may use.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.limits.fuel_of_time = None;
        self
    }

    /// Sets the seed of everything random, Python's `random` included. By
    /// default a session takes one from the system.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets the time at which the session's clock starts; it goes on with fuel
    /// and with sleeps alone then. By default this is the real time, and before each execution the time of day goes on to
    /// the real one, in whole seconds; within an execution it does not follow. From the year 9999 on, Python has no dates: opening
    /// the session is [`ErrorKind::Usage`](crate::ErrorKind::Usage) then.
    #[must_use]
    pub fn start_time(mut self, start: SystemTime) -> Self {
        self.start = Some(start);
        self
    }

    /// Makes a script that sleeps really wait. By default a sleep is over at once
    /// and only moves the session's clock. Waiting is no compute time; it holds
    /// no thread but keeps the session's place among
    /// [`concurrent_execs`](crate::SandboxLimits::concurrent_execs). A
    /// [cancel](crate::CancelHandle) ends it.
    #[must_use]
    pub fn real_sleep(mut self) -> Self {
        self.sleeps_really = true;
        self
    }

    /// Names the session, for tools and traces. By default a random id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.caller_mut().session = id.into();
        self
    }

    /// Says on whose behalf the session runs. Tools see it; scripts do not.
    #[must_use]
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.caller_mut().user = Some(user.into());
        self
    }

    /// Sets the trace id that tools see.
    #[must_use]
    pub fn trace_id(mut self, id: impl Into<String>) -> Self {
        self.caller_mut().trace_id = Some(id.into());
        self
    }

    /// Attaches something that tools find again by its type.
    #[must_use]
    pub fn extension<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.caller_mut().extensions.insert(value);
        self
    }

    /// Is given text as it is printed, besides its being kept for the outcome.
    /// It is called from inside the exec and should return quickly.
    #[must_use]
    pub fn on_output(mut self, listener: impl Fn(Channel, &str) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// Records everything that crosses the wall, from the first exec on. A
    /// recording is of one session.
    #[must_use]
    pub fn record(mut self, recording: &Recording) -> Self {
        self.tape = Some(Source::Recording(recording.clone()));
        self
    }

    /// Answers tools and the model from a cassette, or records them there. The
    /// seed and the start of the clock are the recorded ones.
    #[must_use]
    pub fn cassette(mut self, cassette: &Cassette) -> Self {
        self.tape = Some(Source::Cassette(cassette.clone()));
        self
    }

    /// Makes trouble, for tests.
    #[must_use]
    pub fn faults(mut self, faults: Faults) -> Self {
        self.faults = faults;
        self
    }

    /// Makes the session. Its instance comes with the first exec.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if two tools or two
    /// contexts have one name, a name is not a Python name, a tool may not be
    /// called what it is called, or a limit is out of range.
    ///
    /// A recording or cassette that was used by another session is refused with
    /// the same kind of error.
    pub fn open(self) -> Result<Session> {
        self.open_from(None)
    }

    /// Returns whether scripts have contexts to read.
    pub(crate) fn has_contexts(&self) -> bool {
        !self.contexts.is_empty() || self.graph_input.is_some()
    }

    /// Makes the session, to begin with what was parked.
    pub(crate) fn open_from(mut self, parked: Option<&Parked>) -> Result<Session> {
        self.settle_outputs();
        self.settle_names();
        self.check_tools()?;
        for (what, count, most) in [
            ("fields of SUBMIT", self.profile.outputs.len(), NAMES),
            ("contexts", self.contexts.len(), CONTEXTS),
        ] {
            check_count(what, count, most)?;
        }
        if self.start.is_some_and(|start| start >= UNIX_EPOCH + DATES) {
            return Err(Error::usage(
                "the session starts in the year 9999 or later, where Python has no dates; take an earlier start",
            ));
        }
        if self
            .histories
            .iter()
            .any(|text| text.is_empty() || &**text == "null")
        {
            return Err(Error::usage(
                "a history has no JSON form; give a list of messages",
            ));
        }
        self.check_metering()?;
        let bytes: usize = self.profile.outputs.iter().map(Output::size_bytes).sum();
        if bytes > OUTPUTS_BYTES {
            return Err(Error::usage(format!(
                "the fields of SUBMIT have {bytes} bytes; {OUTPUTS_BYTES} are possible"
            )));
        }
        let mut outputs = BTreeSet::new();
        for output in &self.profile.outputs {
            let is_twice = !outputs.insert(&output.name);
            if is_twice || !is_identifier(&output.name) {
                return Err(Error::usage(format!(
                    "`{}` cannot be a field of SUBMIT: fields are Python names, each of them once",
                    output.name
                )));
            }
        }
        let mut contexts = BTreeSet::new();
        for context in &self.contexts {
            if !contexts.insert(context.name()) {
                return Err(twice(context));
            }
        }
        if let Imports::Only(modules) = &self.profile.imports
            && let Some(part) = modules.iter().find(|module| module.contains('.'))
        {
            let whole = part.split('.').next().unwrap_or_default();
            return Err(Error::usage(format!(
                "`{part}` cannot be in the imports of a profile; name `{whole}`, whose parts come with it"
            )));
        }
        if let Imports::Only(modules) = &self.profile.imports
            && let Some(unknown) = modules
                .iter()
                .find(|name| !instructions::all_modules().any(|module| module == *name))
        {
            return Err(Error::usage(format!(
                "`{unknown}` in the imports of a profile is no module of the sandbox; there are {}",
                instructions::all_modules().collect::<Vec<_>>().join(", ")
            )));
        }
        if !(1..=1000).contains(&self.limits.recursion) {
            return Err(Error::usage(format!(
                "a recursion limit of {} is not possible; choose one from 1 to 1000",
                self.limits.recursion
            )));
        }
        if self.limits.fuel_of_time.is_none() {
            self.limits.settle_fuel();
        }
        if self.caller.session.is_empty() {
            self.caller_mut().session = format!("{:016x}", random()?);
        }
        if let Some(Source::Cassette(cassette)) = &self.tape
            && let Some(header) = cassette.header()
        {
            (self.seed, self.start) = (Some(header.seed.0), Some(header.start.0));
            self.follows_time = Some(header.follows_time);
        }
        let follows_time = self.follows_time.unwrap_or(self.start.is_none());
        self.follows_time = Some(follows_time);
        let seed = match self.seed {
            Some(seed) => seed,
            None => random()?,
        };
        let start = self.start.unwrap_or_else(clock::now);
        if start < SystemTime::UNIX_EPOCH {
            return Err(Error::usage(
                "a session's clock cannot start before 1970; choose a later start time",
            ));
        }
        self.handlers.tool_errors = self.profile.tool_errors;
        self.handlers.model_errors = self.profile.model_errors;
        let tape = self.tape.take();
        let mut session = Session::new(self, seed, start);
        if let Some(source) = tape {
            session.insert(&source, parked)?;
        }
        Ok(session)
    }

    /// Refuses tools that no session can have together.
    pub(crate) fn check_tools(&self) -> Result<()> {
        let tools = &self.handlers.tools;
        // Before anything looks at each of them.
        let parameters = tools.iter().map(|tool| tool.parameters.len());
        check_count("parameters of all tools", parameters.sum(), ALL_PARAMETERS)?;
        check_count("tools", tools.len(), TOOLS)?;
        let (mut names, mut namespaces) = (BTreeSet::new(), BTreeSet::new());
        for tool in tools {
            tool.check(&self.profile)?;
            namespaces.extend(tool.name().split_once('.').map(|(namespace, _)| namespace));
            if !names.insert(tool.name()) {
                return Err(Error::usage(format!(
                    "two tools are named `{}`; rename one",
                    tool.name()
                )));
            }
        }
        match namespaces.intersection(&names).next() {
            None => Ok(()),
            Some(name) => Err(Error::usage(format!(
                "`{name}` is the name of a tool and of a plugin; rename one"
            ))),
        }
    }

    /// Refuses what the sandbox's metering cannot do.
    fn check_metering(&self) -> Result<()> {
        let metering = self.sandbox.metering();
        let has_plugin = |tool: &Tool| tool.function_of_plugin().is_some();
        if self.tape.is_some() {
            self.sandbox.check_records()?;
        }
        let refused = match metering {
            Metering::Epoch if self.limits.fuel.is_some() => "a limit of fuel",
            Metering::Epoch if self.handlers.tools.iter().any(has_plugin) => "a plugin",
            _ => return Ok(()),
        };
        Err(needs_fuel(refused))
    }

    fn settle_outputs(&mut self) {
        if let Some(outputs) = self.outputs.take() {
            Arc::make_mut(&mut self.profile)
                .outputs
                .clone_from(&outputs);
            Arc::make_mut(&mut self.whole_profile).outputs = outputs;
        }
    }

    /// Leaves out names that nothing stands behind.
    fn settle_names(&mut self) {
        if std::mem::replace(&mut self.names_as_given, true) {
            return;
        }
        let recorded = match &self.tape {
            Some(Source::Cassette(cassette)) => {
                cassette.header().is_some_and(|header| header.model)
            }
            _ => false,
        };
        let hides_model =
            self.profile.hide_unprovided && self.handlers.model.is_none() && !recorded;
        let deeper = self.handlers.recursion.is_some() && self.handlers.depth > 0;
        let hides = |name: &Name| match name {
            Name::History => self.histories.is_empty(),
            Name::RlmQuery | Name::RlmQueryBatched => hides_model && !deeper,
            name => hides_model && name.asks_model(),
        };
        if self.profile.names.iter().any(hides) {
            let mut profile = Profile::clone(&self.profile);
            profile.names.retain(|name| !hides(name));
            self.profile = Arc::new(profile);
        }
    }

    /// Returns these settings with the handlers and the listener of others.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) for other tools, or a model where these have none.
    pub(crate) fn with_handlers_of(&self, others: Self) -> Result<Self> {
        let handlers = self.handlers.replaced_by(others.handlers)?;
        Ok(Self {
            handlers,
            listener: others.listener,
            ..self.clone()
        })
    }

    fn caller_mut(&mut self) -> &mut Caller {
        Arc::make_mut(&mut self.caller)
    }
}

fn check_count(what: &str, count: usize, most: usize) -> Result<()> {
    match count > most {
        true => Err(Error::usage(format!(
            "there are {count} {what}; {most} are possible"
        ))),
        false => Ok(()),
    }
}

pub(crate) fn check_context(others: &[Context], context: &Context) -> Result<()> {
    if others.len() >= CONTEXTS {
        return Err(Error::usage(format!(
            "the session has {CONTEXTS} contexts, which is the most; take one away, or join some"
        )));
    }
    if others.iter().any(|other| other.name() == context.name()) {
        return Err(twice(context));
    }
    Ok(())
}

fn twice(context: &Context) -> Error {
    let name = context.name();
    Error::usage(format!("two contexts are named `{name}`; rename one"))
}

pub(crate) fn random() -> Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::new(
            crate::ErrorKind::Host,
            "the system has no randomness; set a seed and an id",
        )
        .because(error)
    })?;
    Ok(u64::from_le_bytes(bytes))
}
