//! What a session is made of, for every command that opens one.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use anyhow::Result;
use clap::Args;
use jiff::Timestamp;
use rlm_sandbox::{
    CancelHandle, Channel, Context, Limits, Metering, Name, Parked, Profile, Recording, Sandbox,
    Session, SessionBuilder,
};
use rlm_sandbox_files::Links;
use rlm_sandbox_plugins::WasmPlugin;

use crate::isolation::{Broker, CommandLimits, RunLimits};
use crate::limit::LimitOptions;
use crate::profile::ProfileOptions;
use crate::sandbox::SandboxOptions;
use crate::subprocess::{self, CommandModel, HostCommand};
use crate::terminal::Terminal;
use crate::{context, plugin, record, sandbox, usage};

/// The types of fields of `SUBMIT` that the guest checks.
const OUTPUT_TYPES: [&str; 7] = ["str", "int", "float", "bool", "list", "dict", "NoneType"];
/// Bytes of a key that redacts, at most.
const KEY_BYTES: u64 = 64 << 10;

/// The options of `exec` and `repl`.
#[derive(Debug, Args)]
pub(crate) struct SessionOptions {
    /// Makes a file readable as `context`, `files[NAME]` and `context_0` …
    ///
    /// PATH may be `-` for standard input. `:json` parses it, `:bytes` reads it
    /// as bytes. Without NAME it has the name of the file. The one with the NAME `context` is
    /// `context`; else it is `context.txt`, else the first by name. `context_0`, `context_1` … go by name, too.
    ///
    /// A session that was saved to a file keeps its contexts where none is given; those that are given replace them all. Beyond 64 MiB
    /// together it does not keep them: give each again, as it was or with more at its end.
    #[arg(long, value_name = "[NAME=]PATH[:json]", allow_hyphen_values = true)]
    context: Vec<String>,

    /// Binds a variable
    ///
    /// The name `context` gives the text of the context where there is no file; JSON other than a text
    /// is written as text. `--context FILE:json` parses it.
    #[arg(long, value_name = "NAME=JSON")]
    input: Vec<String>,

    #[command(flatten)]
    handlers: HandlerOptions,

    #[command(flatten)]
    profile: ProfileOptions,

    /// A field that SUBMIT takes, with its type; once for each, in order
    ///
    /// TYPE is `str`, `int`, `float`, `bool`, `list`, `dict` or `NoneType`; without one any value fits.
    #[arg(long, value_name = "NAME[:TYPE]")]
    output: Vec<String>,

    #[command(flatten)]
    limits: LimitOptions,

    /// Seed of everything random [default: drawn]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    seed: Option<u64>,

    /// Time at which the script's clock starts, which no real time moves then [default: now]
    #[arg(long, value_name = "RFC3339", value_parser = timestamp)]
    now: Option<Timestamp>,

    /// Records everything that crosses the wall to this new file, for `replay`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Records keyed digests in place of data, with the bytes of this file as
    /// the key; to compare recordings, not to replay them
    ///
    /// Prompts, answers, contexts, values and output are data. The sources of
    /// the scripts stay readable, with every text that is written in them.
    #[arg(long, value_name = "KEYFILE", requires = "record")]
    redact: Option<PathBuf>,

    #[command(flatten)]
    sandbox: SandboxOptions,
}

/// What answers a script.
#[derive(Debug, Args)]
pub(crate) struct HandlerOptions {
    /// Lets the script call a command: arguments as JSON on its standard
    /// input, JSON or text on its standard output
    ///
    /// With NAME(A,B) a call takes these arguments and they come as {"A": …, "B": …}, else any, as
    /// {"args": […], "kwargs": {…}}; tuples and sets are lists, bytes are base64 text. The command is run by the shell, as in
    /// 'count(word)=grep -c -e "$(jq -r .word)" app.log || true'.
    #[arg(long, value_name = "NAME=COMMAND")]
    tool: Vec<String>,

    /// Lets the script call a WebAssembly plugin: the functions of the component
    /// as members of NAME
    ///
    /// FILE is the component or its manifest, which says what it may do: that of `find.wasm` is `find.toml`
    /// beside it. Without one it may do nothing but compute.
    #[arg(long, value_name = "[NAME=]FILE")]
    plugin: Vec<String>,

    /// Answers `llm_query` with a command: the prompt on its standard input,
    /// the answer on its standard output
    ///
    /// A line break at the end of the answer is not part of it.
    #[arg(long, value_name = "COMMAND")]
    llm_command: Option<String>,
}

impl HandlerOptions {
    /// Returns the first option that was given.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let Self {
            tool,
            plugin,
            llm_command,
        } = self;
        let given = [
            ("--tool", !tool.is_empty()),
            ("--plugin", !plugin.is_empty()),
            ("--llm-command", llm_command.is_some()),
        ];
        given
            .iter()
            .find(|(_, is_given)| *is_given)
            .map(|(name, _)| *name)
    }

    /// Returns what opens sessions with these handlers and nothing else.
    ///
    /// # Errors
    ///
    /// A usage error for an option that says nothing, or a plugin that cannot be read.
    pub(crate) fn builder(&self, sandbox: &Sandbox, terminal: &Terminal) -> Result<SessionBuilder> {
        let limits = Limits::default();
        let attached = self.attach(sandbox.session(), &limits, terminal, None)?;
        Ok(attached.0)
    }

    /// Attaches all of it. With a broker, commands are its parent's.
    fn attach(
        &self,
        mut builder: SessionBuilder,
        limits: &Limits,
        terminal: &Terminal,
        broker: Option<&Broker>,
    ) -> Result<(SessionBuilder, Vec<WasmPlugin>)> {
        let commands = self.commands(limits, terminal)?.into_iter().enumerate();
        let mut commands = commands.map(|(number, command)| match broker {
            Some(broker) => command.elsewhere(broker, number),
            None => command,
        });
        for (tool, command) in self.tool.iter().zip(commands.by_ref()) {
            builder = builder.tool(subprocess::tool(tool, command)?);
        }
        if let Some(command) = commands.next() {
            builder = builder.model(CommandModel::new(command));
        }
        let plugins = plugin::all(&self.plugin)?;
        for plugin in &plugins {
            builder = builder.plugin(plugin.clone());
        }
        Ok((builder, plugins))
    }

    /// Returns the commands: those of tools in their order, then that of the model.
    fn commands(&self, limits: &Limits, terminal: &Terminal) -> Result<Vec<HostCommand>> {
        let tools = self.tool.iter();
        let tools = tools.map(|tool| HostCommand::of_tool(tool, limits, terminal));
        let model = self.llm_command.iter();
        let model = model.map(|line| HostCommand::of_model(line, limits, terminal));
        tools.chain(model).collect()
    }
}

/// Prompts that each open batch asks at the same time by default (`SessionBuilder::concurrent_prompts`).
const BATCH_WIDTH: usize = 8;

/// Reads a time.
fn timestamp(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|error| {
        format!("{error}; write a date, a time and a zone, as in 2024-01-31T12:00:00Z")
    })
}

/// Returns the limits on commands that the isolated process of a saved session has run, for any limits that the session names. Chosen by
/// hand: ten times, and four times, what a session allows by default.
fn most_of_saved(mut limits: Limits) -> Limits {
    limits.calls = 1_000_000;
    limits.model_calls = 1_000_000;
    limits.open_calls = 1024;
    limits.request_bytes = u32::MAX;
    limits
}

type Canceled = Arc<Mutex<Option<CancelHandle>>>;

/// A session's description, and what is to happen to each one made of it.
pub(crate) struct Opener {
    pub(crate) sandbox: Sandbox,
    builder: SessionBuilder,
    contexts: Vec<Context>,
    variables: Vec<(String, serde_json::Value)>,
    /// Ends the exec when nobody reads its output any more.
    cancel: Canceled,
    /// The time that was asked for, whatever a saved session has.
    time: Option<Duration>,
    /// True if the operator may have set the time, by an option or in a profile.
    is_timed: bool,
    /// Limits that a saved session has in place of its own.
    limits: LimitOptions,
    /// The options that a saved session has no use for.
    fixed: Vec<&'static str>,
    /// Of the session that is opened first.
    record: Option<Record>,
    /// For warnings of recordings that fail.
    terminal: Terminal,
    plugins: Vec<WasmPlugin>,
}

/// A recording that is to be made.
struct Record {
    path: PathBuf,
    /// The key that redacts it.
    key: Option<Vec<u8>>,
    /// True if only the environment wants it.
    is_unasked: bool,
}

/// The refusal of a recording where fuel alone does not interrupt scripts.
const RECORD_NEEDS_FUEL: &str =
    "--record makes a recording, which needs --metering fuel; leave one of the two out";

impl Record {
    /// Reads the key, and leaves the file to [`create`](Self::create).
    fn new(path: PathBuf, redact: Option<&Path>) -> Result<Self> {
        let key = match redact {
            None => None,
            Some(path) => Some(read_key(path)?),
        };
        Ok(Self {
            path,
            key,
            is_unasked: false,
        })
    }

    fn create(&self, terminal: &Terminal) -> Result<Recording> {
        let recording = match self.is_unasked {
            true => record::unasked(&self.path, terminal)?,
            false => record::recording(&self.path, terminal)?.with_forks(),
        };
        Ok(match &self.key {
            Some(key) => recording.redact(key)?,
            None => recording,
        })
    }
}

fn seed(value: &str) -> std::result::Result<u64, String> {
    let number = value.parse();
    number.map_err(|_| format!("`{value}` is no whole number of 0 or more below 2**64; write 7"))
}

fn read_key(path: &Path) -> Result<Vec<u8>> {
    let refused = |why: &dyn Display| usage(format!("--redact {}: {why}", path.display()));
    let key = rlm_sandbox_files::open_secret(path, Links::Follow)
        .and_then(|file| rlm_sandbox_files::read_to_end(&file, KEY_BYTES))
        .map_err(|error| refused(&error))?;
    if key.is_empty() {
        return Err(refused(&"the key is empty; take some 32 random bytes"));
    }
    Ok(key)
}

impl SessionOptions {
    /// Has the interpreter loaded, or compiled, while the program goes on.
    pub(crate) fn load_in_background(&mut self) {
        self.sandbox.in_background = true;
    }

    /// Reads what the options name. Sessions print to `terminal` if they are to
    /// be heard while they run.
    /// With a broker, commands are run by the process that started this one.
    pub(crate) fn opener(
        self,
        terminal: &Terminal,
        is_heard: bool,
        broker: Option<&Broker>,
    ) -> Result<Opener> {
        let profile = outputs(self.profile.read()?, &self.output)?;
        let (limits, all) = self.limits.read(&profile.limits)?;
        let contexts = context::read(&self.context, terminal)?;
        let inputs = self
            .input
            .iter()
            .map(|input| context::input(input))
            .collect::<Result<Vec<_>>>()?;
        let mut names: Vec<_> = inputs.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(usage(format!(
                "--input {}=… is there twice; leave one of the two out",
                pair[0]
            )));
        }
        if !contexts.is_empty() && inputs.iter().any(|(name, _)| name == context::NAME) {
            return Err(usage(
                "--input context=… is the text of `context` where there is no file, and --context names one; leave one of the two out",
            ));
        }
        if !self.output.is_empty() && !profile.defines(Name::Submit) {
            return Err(usage(
                "--output: scripts of this profile have no SUBMIT, which would take it; leave it out, or take another profile",
            ));
        }
        if !contexts.is_empty() && !profile.reads_contexts() {
            terminal.error("note: scripts of this profile see no contexts, so nothing reads what --context names\n");
        }
        let fixed = [
            ("--profile", self.profile.profile.is_some()),
            ("--allow", !self.profile.allow.is_empty()),
            ("--no-compat", self.profile.no_compat),
            ("--output", !self.output.is_empty()),
            ("--seed", self.seed.is_some()),
            ("--now", self.now.is_some()),
        ];
        let fixed = fixed.into_iter().filter(|(_, is_given)| *is_given);

        let redact = self.redact.as_deref();
        let record = self.record.map(|path| Record::new(path, redact));
        let record = record.transpose()?;
        if record.is_some() && self.sandbox.metering() != Metering::Fuel {
            return Err(usage(RECORD_NEEDS_FUEL));
        }
        let sandbox = sandbox::load(self.sandbox, all, terminal)?;
        let builder = sandbox.session().profile(profile);
        let mut builder = builder.limits(limits.clone());
        let (attached, plugins) = self.handlers.attach(builder, &limits, terminal, broker)?;
        builder = attached;
        for context in &contexts {
            builder = builder.context(context.clone());
        }
        if let Some(seed) = self.seed {
            builder = builder.seed(seed);
        }
        if let Some(now) = self.now {
            builder = builder.start_time(SystemTime::from(now));
        }
        let cancel = Arc::default();
        if is_heard {
            builder = heard(builder, terminal, &cancel);
        }
        let mut variables = Vec::new();
        for (name, value) in inputs {
            if name == context::NAME {
                builder = builder.graph_input(value);
            } else {
                variables.push((name, value));
            }
        }
        Ok(Opener {
            sandbox,
            builder,
            contexts,
            variables,
            cancel,
            time: self.limits.is_timed().then_some(limits.time),
            is_timed: self.limits.is_timed() || self.profile.is_file(),
            limits: self.limits,
            fixed: fixed.map(|(name, _)| name).collect(),
            record,
            terminal: terminal.clone(),
            plugins,
        })
    }

    /// Refuses a context from standard input where something else is read from it.
    pub(crate) fn leave_input_to(&self, other: &str) -> Result<()> {
        match context::reads_input(&self.context) {
            true => Err(usage(format!(
                "--context - reads standard input, and so does {other}; name a file"
            ))),
            false => Ok(()),
        }
    }

    /// Refuses what an isolated process would have to know a secret of the operator for.
    ///
    /// # Errors
    ///
    /// A usage error for `--redact`, whose key would be in its memory.
    pub(crate) fn check_isolated(&self) -> Result<()> {
        match self.redact {
            Some(_) => Err(usage(
                "--redact: an isolated process writes its recording itself, and would have the key; leave --redact or --isolate out",
            )),
            None => Ok(()),
        }
    }

    /// Returns the commands of tools and of the model, without anything that they would belong to.
    ///
    /// # Errors
    ///
    /// A usage error for an option that says nothing.
    pub(crate) fn commands(
        &self,
        terminal: &Terminal,
        is_saved: bool,
    ) -> Result<(Vec<HostCommand>, CommandLimits)> {
        let profile = self.profile.read()?;
        let (limits, _) = self.limits.read(&profile.limits)?;
        let commands = self.handlers.commands(&limits, terminal)?;
        let limits = match is_saved {
            // It has limits of its own, which are read in the other process, but for those that are named.
            true => self.limits.read(&most_of_saved(profile.limits))?.0,
            false => limits,
        };
        let open_calls = limits.open_calls as usize;
        let tools = RunLimits {
            calls: limits.calls,
            at_once: open_calls,
        };
        let model = RunLimits {
            calls: limits.model_calls,
            at_once: open_calls.saturating_mul(BATCH_WIDTH),
        };
        let limits = CommandLimits {
            tools,
            model,
            request_bytes: limits.request_bytes.into(),
        };
        Ok((commands, limits))
    }
}

/// Returns the profile with the fields that SUBMIT takes, if any are named.
pub(crate) fn outputs(profile: Profile, fields: &[String]) -> Result<Profile> {
    if fields.is_empty() {
        return Ok(profile);
    }
    let fields: Vec<_> = fields
        .iter()
        .map(|field| field.split_once(':').unwrap_or((field, "")))
        .collect();
    if let Some((name, kind)) = fields
        .iter()
        .find(|(_, kind)| !kind.is_empty() && !OUTPUT_TYPES.contains(kind))
    {
        return Err(usage(format!(
            "--output {name}:{kind}: there is no type `{kind}`; choose {}, or leave it out for any value",
            OUTPUT_TYPES.join(", ")
        )));
    }
    Ok(profile.outputs(fields))
}

/// Prints what sessions print, and ends them when nobody reads it any more.
fn heard(builder: SessionBuilder, terminal: &Terminal, cancel: &Canceled) -> SessionBuilder {
    let (terminal, cancel) = (terminal.clone(), Arc::clone(cancel));
    builder.on_output(move |channel, text| {
        match channel {
            Channel::Out => terminal.print(text),
            Channel::Err => terminal.error(text),
        }
        let cancel = cancel.lock().unwrap_or_else(PoisonError::into_inner);
        if let (true, Some(cancel)) = (terminal.is_closed(), &*cancel) {
            cancel.cancel();
        }
    })
}

impl Opener {
    /// For sessions of this sandbox with no more than handlers.
    pub(crate) fn new(
        sandbox: Sandbox,
        handlers: HandlerOptions,
        terminal: &Terminal,
    ) -> Result<Self> {
        let cancel = Arc::default();
        let limits = Limits::default();
        let (builder, plugins) = handlers.attach(sandbox.session(), &limits, terminal, None)?;
        let builder = heard(builder, terminal, &cancel);
        Ok(Self {
            sandbox,
            builder,
            contexts: Vec::new(),
            variables: Vec::new(),
            cancel,
            time: None,
            is_timed: false,
            limits: LimitOptions::default(),
            fixed: Vec::new(),
            record: None,
            terminal: terminal.clone(),
            plugins,
        })
    }

    /// Returns the plugins of sessions.
    pub(crate) fn plugins(&self) -> &[WasmPlugin] {
        &self.plugins
    }

    /// Tells `listener` what sessions print.
    pub(crate) fn hear(&mut self, listener: impl Fn(&str) + Send + Sync + 'static) {
        let builder = self.builder.clone();
        self.builder = builder.on_output(move |_, text| listener(text));
    }

    /// Returns whether the session that was opened first is recorded.
    pub(crate) fn records(&self) -> bool {
        self.record.is_some()
    }

    /// The contexts that sessions have.
    pub(crate) fn contexts(&self) -> &[Context] {
        &self.contexts
    }

    /// Returns whether the operator may have set the compute time.
    pub(crate) fn is_timed(&self) -> bool {
        self.is_timed
    }

    pub(crate) fn builder(&self) -> SessionBuilder {
        self.builder.clone()
    }

    /// The saved session, or a new one if there is none.
    pub(crate) fn open(&self, saved: Option<&Parked>) -> Result<Session> {
        if let (Some(_), Some(option)) = (saved, self.fixed.first()) {
            return Err(usage(format!(
                "a saved session keeps what it began with, as its profile, outputs, seed and clock; leave {option} out"
            )));
        }
        let of_environment = match &self.record {
            Some(_) => None,
            None => record::path()?.map(|path| Record {
                path,
                key: None,
                is_unasked: true,
            }),
        };
        let Some(record) = self.record.as_ref().or(of_environment.as_ref()) else {
            return self.prepare_with(self.builder(), saved);
        };
        // Whatever may be refused is refused by a session without a recording, so that an
        // error leaves no file.
        self.sandbox
            .check_records()
            .map_err(|_| match of_environment {
                Some(_) => usage(
                    "RLM_SANDBOX_RECORD wants a recording, which needs --metering fuel; unset the variable, or leave --metering out",
                ),
                None => usage(RECORD_NEEDS_FUEL),
            })?;
        drop(self.prepare_with(self.builder(), saved)?);
        let recording = record.create(&self.terminal)?;
        self.prepare_with(self.builder().record(&recording), saved)
    }

    /// A new session or this one, whatever options were given for another session.
    pub(crate) fn prepare(&self, saved: Option<&Parked>) -> Result<Session> {
        self.prepare_with(record::attach(self.builder(), &self.terminal)?, saved)
    }

    fn prepare_with(&self, builder: SessionBuilder, saved: Option<&Parked>) -> Result<Session> {
        let saved = match saved {
            Some(saved) if self.limits.has_any() => {
                let (mut limits, _) = self.limits.read(saved.limits())?;
                // Of this script alone; see below.
                limits.time = saved.limits().time;
                Some(Cow::Owned(saved.clone().with_limits(limits)?))
            }
            saved => saved.map(Cow::Borrowed),
        };
        let mut session = match saved.as_deref() {
            None => builder.open()?,
            Some(saved) => builder.restore(saved).map_err(|error| {
                let message = error.to_string();
                match message.contains("context `") {
                    true => usage(format!(
                        "{message}: the session was saved without its contexts (they had more than 64 MiB, or a program left them \
                         out), so give each again, as it was, with --context"
                    )),
                    false => error.into(),
                }
            })?,
        };
        if let Some(time) = self.time {
            session.set_time_limit(time);
        }
        self.watch(&session);
        for (name, value) in &self.variables {
            session.set(name, value)?;
        }
        Ok(session)
    }

    /// Lets sessions go on where the reader of their output has gone.
    pub(crate) fn watch_none(&self) {
        *self.cancel.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Makes `session` the one that ends when nobody reads its output.
    pub(crate) fn watch(&self, session: &Session) {
        *self.cancel.lock().unwrap_or_else(PoisonError::into_inner) = Some(session.cancel_handle());
    }
}
