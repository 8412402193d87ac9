//! The parts of a session, from what a client says of them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::string::FromUtf8Error;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rlm_sandbox::{Context, Limits, Plugin as _, Profile, SandboxLimits, Session, SessionBuilder};
use rlm_sandbox_files::Links;
use rlm_sandbox_plugins::WasmPlugin;
use serde_json::Value as Json;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::callback;
use super::protocol::{ContextSpec, Handlers, Instructed, Output, ProfileSpec, ToolSpec};
use crate::memory::{Kept, Memory, Share};
use crate::wire::{self, Failure, Peer};
use crate::{limit, plugin, usage};

type Result<T> = std::result::Result<T, Failure>;

/// Bytes of a text of a session that is no data: its id, the field of a context.
const TEXT_BYTES: usize = 1000;
/// Conversations of one session.
pub(super) const HISTORIES: usize = 1000;
/// Plugins that one session may name, however many of them are the same component: each has a file that is
/// read and compiled, a thread that does so, and its functions in the session.
const PLUGINS: usize = 64;

/// Checks the length of a text that is no data.
pub(super) fn check_text(what: &str, text: &str) -> Result<()> {
    match text.len() {
        ..=TEXT_BYTES => Ok(()),
        bytes => Err(Failure::usage(format!(
            "{what} has {bytes} bytes; {TEXT_BYTES} is the most"
        ))),
    }
}

/// Checks the number of plugins that a session names.
pub(super) fn check_plugins(plugins: &[String]) -> Result<()> {
    match plugins.len() {
        ..=PLUGINS => Ok(()),
        count => Err(Failure::usage(format!(
            "the session names {count} plugins; {PLUGINS} are the most: name those that its scripts call, or build one \
             component of several"
        ))),
    }
}

/// The profile that was named or given, `rlm` if none was. A name that it repeats counts once.
pub(super) fn profile(spec: Option<&ProfileSpec>) -> Result<Profile> {
    Ok(match spec {
        None => Profile::default(),
        Some(ProfileSpec::Named(name)) => Profile::named(name)?,
        Some(ProfileSpec::Given(fields)) => {
            Profile::parse(&Json::Object(fields.clone()).to_string())?
        }
    })
}

impl Kept {
    fn handlers(&mut self, handlers: &Handlers) {
        for tool in &handlers.tools {
            let texts = [&tool.name, &tool.doc, &tool.signature]
                .into_iter()
                .chain(&tool.parameters);
            self.function(texts.map(String::as_str));
        }
        for plugin in &handlers.plugins {
            self.text(plugin);
        }
    }

    /// Adds the fields of SUBMIT.
    pub(super) fn outputs(&mut self, outputs: Option<&[Output]>) {
        for output in outputs.into_iter().flatten() {
            self.text(&output.name);
            self.text(output.kind.as_deref().unwrap_or(""));
        }
    }

    /// Adds a profile that is given by its fields.
    pub(super) fn profile(&mut self, spec: Option<&ProfileSpec>) {
        if let Some(ProfileSpec::Given(fields)) = spec {
            let values = fields.iter();
            let bytes = values.map(|(name, value)| name.len() as u64 + size_bytes(value));
            self.add(bytes.sum());
        }
    }
}

/// Counts the bytes of values as JSON, as they wait for an execution.
pub(super) fn json_bytes(variables: &BTreeMap<String, Json>) -> u64 {
    /// Bytes that a variable counts for besides its name and JSON.
    const VARIABLE: u64 = 128;
    let variables = variables.iter();
    variables
        .map(|(name, value)| VARIABLE + name.len() as u64 + wire::json_bytes(value))
        .sum()
}

/// What to tell a model that writes code.
pub(super) fn instructions(profile: &Profile, tools: &[ToolSpec], short: bool) -> Instructed {
    let tools: Vec<_> = tools.iter().map(callback::described).collect();
    Instructed {
        text: match short {
            true => profile.short_instructions(&tools),
            false => profile.instructions(&tools),
        },
    }
}

/// Limits by the names of the command line; a bare number of time is seconds.
pub(super) fn limits(
    of_profile: &Limits,
    given: impl IntoIterator<Item = (String, Json)>,
) -> Result<Limits> {
    let (mut limits, mut all) = (of_profile.clone(), SandboxLimits::default());
    let before = all.clone();
    for (name, value) in given {
        let value = match value {
            Json::String(text) => text,
            Json::Number(number) => match name.as_str() {
                "time" | "deadline" | "grace" | "call-wait" => {
                    let time = duration(number.as_f64().unwrap_or(-1.0))?;
                    format!("{}ns", time.as_nanos())
                }
                _ => number.to_string(),
            },
            _ => return Err(Failure::usage(format!("limit {name}: give a number"))),
        };
        limit::set(&mut limits, &mut all, &format!("{name}={value}"))
            .map_err(|error| Failure::usage(error.to_string().replace("--limit ", "limit ")))?;
    }
    if all != before {
        return Err(Failure::usage(
            "limits of all sessions together are options of the worker, as in `rlm-sandbox worker --limit live-sessions=8`",
        ));
    }
    Ok(limits)
}

pub(super) fn duration(seconds: f64) -> Result<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| Failure::usage("a time is a number of seconds, as 5 or 0.25"))
}

pub(super) fn time(seconds: f64) -> Result<SystemTime> {
    let start = SystemTime::UNIX_EPOCH.checked_add(duration(seconds)?);
    start.ok_or_else(|| Failure::usage("`start` is too far in the future"))
}

/// A conversation, with the memory that it takes in one session: the client's messages,
/// and the copies that the session keeps for scripts and for restoring.
#[derive(Clone)]
pub(super) struct History {
    messages: Arc<Json>,
    /// In one session, however often its parts are cloned.
    _share: Arc<Share>,
}

impl History {
    const COPIES: u64 = 3;
    /// Bytes that a value counts for besides its text.
    const VALUE: u64 = 72;

    /// Counts the messages of the history of this number.
    ///
    /// # Errors
    ///
    /// [`Full`](crate::memory::Full) if there is no memory for it.
    pub(super) fn new(number: usize, messages: Json, memory: &Arc<Memory>) -> anyhow::Result<Self> {
        Self::counted(number, Arc::new(messages), memory)
    }

    /// Counts the histories that a session begins with.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new), and a usage error for more than 1,000.
    pub(super) fn all(histories: Vec<Json>, memory: &Arc<Memory>) -> anyhow::Result<Vec<Self>> {
        if histories.len() > HISTORIES {
            return Err(usage(format!(
                "there are {} histories; {HISTORIES} are possible",
                histories.len()
            )));
        }
        let histories = histories.into_iter().enumerate();
        histories
            .map(|(number, messages)| Self::new(number, messages, memory))
            .collect()
    }

    /// Counts the same messages once more, for a session of its own.
    ///
    /// # Errors
    ///
    /// [`Full`](crate::memory::Full) if there is no memory for it.
    pub(super) fn of_fork(&self, number: usize, memory: &Arc<Memory>) -> anyhow::Result<Self> {
        Self::counted(number, Arc::clone(&self.messages), memory)
    }

    fn counted(number: usize, messages: Arc<Json>, memory: &Arc<Memory>) -> anyhow::Result<Self> {
        let bytes = size_bytes(&messages).saturating_mul(Self::COPIES);
        let share = memory.share(&format!("history_{number}"), bytes)?;
        Ok(Self {
            messages,
            _share: Arc::new(share),
        })
    }

    pub(super) fn messages(&self) -> &Json {
        &self.messages
    }
}

/// Bytes that a JSON value takes in memory, about.
fn size_bytes(value: &Json) -> u64 {
    /// Bytes of an object's first room, for three members and their index.
    const OBJECT: u64 = 450;
    /// Bytes of the place of a name.
    const NAME: u64 = 56;
    let inner: u64 = match value {
        Json::String(text) => text.len() as u64,
        Json::Array(items) => items.iter().map(size_bytes).sum(),
        Json::Object(members) => {
            let members = members.iter();
            let all = members.map(|(name, value)| NAME + name.len() as u64 + size_bytes(value));
            OBJECT + all.sum::<u64>()
        }
        _ => 0,
    };
    History::VALUE + inner
}

/// Plugins that are loaded at the same time: each compiler may take its limit of memory. Requests
/// take turns, so that one with many plugins does not hold up one with few.
static COMPILERS: Semaphore = Semaphore::const_new(2);

/// What the client supplies a session with, and those that come of it.
#[derive(Clone)]
pub(super) struct Supplies {
    pub(super) peer: Peer,
    /// By what requests name the session.
    pub(super) name: String,
    pub(super) contexts: Vec<Context>,
    pub(super) histories: Vec<History>,
    pub(super) handlers: Handlers,
    pub(super) plugins: Vec<WasmPlugin>,
    /// The memory of the handlers, and of other texts that came with them.
    kept: Option<Arc<Share>>,
    /// The memory of the plugins beside their compiled code.
    loaded: Arc<Share>,
}

impl Supplies {
    pub(super) async fn new(
        peer: Peer,
        name: String,
        contexts: Vec<Context>,
        histories: Vec<History>,
        handlers: Handlers,
        mut kept: Kept,
        memory: &Arc<Memory>,
    ) -> Result<Self> {
        check_plugins(&handlers.plugins)?;
        kept.handlers(&handlers);
        let kept = kept.share(memory)?;
        let mut loaded = memory.empty_share();
        // Their files are read and compiled on a thread that may wait.
        let options = handlers.plugins.clone();
        let runtime = Handle::current();
        let plugins = tokio::task::spawn_blocking(move || {
            let load = |option: &String| {
                // It counts until it has ended, though the client has gone.
                let _permit = runtime.block_on(COMPILERS.acquire());
                let plugin = plugin::one(option)?;
                let name = format!("plugin {}", plugin.name());
                loaded.grow(&name, plugin.memory_bytes())?;
                Ok(plugin)
            };
            let plugins = options.iter().map(load);
            let plugins = plugins.collect::<anyhow::Result<Vec<_>>>();
            plugins.map(|plugins| (plugins, loaded))
        });
        let plugins = plugins.await;
        let plugins = plugins.map_err(anyhow::Error::from).flatten();
        let (plugins, loaded) = plugins.map_err(|error| Failure::usage(error.to_string()))?;
        Ok(Self {
            plugins,
            loaded: Arc::new(loaded),
            peer,
            name,
            contexts,
            histories,
            handlers,
            kept,
        })
    }

    /// Takes memory for the profile that a session was restored with.
    ///
    /// # Errors
    ///
    /// [`Full`](crate::memory::Full) if there is no memory for it.
    pub(super) fn keep_profile(&mut self, session: &Session, memory: &Arc<Memory>) -> Result<()> {
        let profile = wire::json_bytes(session.profile());
        let mut kept = Kept::default();
        kept.add(self.kept.as_ref().map_or(0, |kept| kept.bytes()) + profile);
        // What it had is free again only afterwards, so that others cannot take it.
        self.kept = kept.share(memory)?;
        Ok(())
    }

    /// Returns the same for a session of another name, with memory of its own.
    ///
    /// # Errors
    ///
    /// [`Full`](crate::memory::Full) if there is no memory for it.
    pub(super) fn of_fork(&self, name: String, memory: &Arc<Memory>) -> Result<Self> {
        let histories = self.histories.iter().enumerate();
        let histories = histories.map(|(number, history)| history.of_fork(number, memory));
        let kept = match &self.kept {
            Some(kept) => Some(Arc::new(
                kept.again("functions and outputs of the session")?,
            )),
            None => None,
        };
        Ok(Self {
            name,
            histories: histories.collect::<anyhow::Result<_>>()?,
            kept,
            loaded: Arc::new(self.loaded.again("plugins of the session")?),
            ..self.clone()
        })
    }

    /// Returns the same with other handlers.
    ///
    /// # Errors
    ///
    /// A usage failure for other plugins; [`Full`](crate::memory::Full) if there is no memory for them.
    pub(super) fn with_handlers(
        &self,
        mut handlers: Handlers,
        outputs: Option<&[Output]>,
        memory: &Arc<Memory>,
    ) -> Result<Self> {
        check_plugins(&handlers.plugins)?;
        if !handlers.plugins.is_empty() && handlers.plugins != self.handlers.plugins {
            return Err(Failure::usage(
                "a session keeps the plugins that it was opened with; leave `plugins` out, or open another session with these",
            ));
        }
        handlers.plugins.clone_from(&self.handlers.plugins);
        let mut kept = Kept::default();
        kept.handlers(&handlers);
        kept.outputs(outputs);
        Ok(Self {
            handlers,
            kept: kept.share(memory)?,
            ..self.clone()
        })
    }

    /// Attaches all of it, and `outputs` as what SUBMIT takes, if they are given.
    pub(super) fn attach(
        &self,
        mut builder: SessionBuilder,
        outputs: Option<&[Output]>,
    ) -> SessionBuilder {
        for context in &self.contexts {
            builder = builder.context(context.clone());
        }
        for plugin in &self.plugins {
            builder = builder.plugin(plugin.clone());
        }
        for history in &self.histories {
            builder = builder.history(history.messages());
        }
        if let Some(outputs) = outputs {
            builder = builder.outputs(outputs.iter().map(|output| {
                let kind = output.kind.as_deref().unwrap_or("");
                (output.name.as_str(), kind)
            }));
        }
        callback::attach(builder, &self.handlers, &self.name, &self.peer)
    }
}

/// Reads contexts on a thread that may wait.
pub(super) async fn contexts(
    specs: Arc<Vec<ContextSpec>>,
    memory: &Arc<Memory>,
) -> anyhow::Result<Vec<Context>> {
    let memory = Arc::clone(memory);
    let read = tokio::task::spawn_blocking(move || {
        let read = specs.iter().map(|spec| context(spec, &memory));
        read.collect()
    });
    read.await?
}

fn context(spec: &ContextSpec, memory: &Arc<Memory>) -> anyhow::Result<Context> {
    let name = spec.name.as_str();
    let field = spec.field.as_deref().unwrap_or("");
    if field.len() > TEXT_BYTES {
        return Err(usage(format!(
            "the field of context `{}` has {} bytes; {TEXT_BYTES} is the most",
            name.chars().take(100).collect::<String>(),
            field.len()
        )));
    }
    let (bytes, mut share) = match (&spec.text, &spec.base64, &spec.path) {
        (Some(text), None, None) => {
            let share = memory.share(name, text.len() as u64)?;
            (Ok(Cow::from(text)), share)
        }
        (None, Some(base64), None) => {
            let share = memory.share(name, base64::decoded_len_estimate(base64.len()) as u64)?;
            let bytes = BASE64_STANDARD.decode(base64);
            let bytes = bytes.map_err(|_| usage(format!("context `{name}` is not base64")))?;
            (Err(bytes), share)
        }
        (None, None, Some(path)) => {
            let cannot = |error: &dyn Display| usage(format!("cannot read {path}: {error}"));
            let file = rlm_sandbox_files::open(Path::new(path), Links::Follow)
                .map_err(|error| cannot(&error))?;
            let read = memory.read(&file, name);
            let (bytes, share) = read.map_err(|error| match error.is::<std::io::Error>() {
                true => cannot(&error),
                false => error,
            })?;
            let bytes = String::from_utf8(bytes).map(Cow::from);
            (bytes.map_err(FromUtf8Error::into_bytes), share)
        }
        _ => {
            return Err(usage(format!(
                "context `{name}`: give one of `text`, `base64` and `path`"
            )));
        }
    };
    let context = match (spec.json, bytes) {
        (true, Ok(text)) => Context::json(name, text)?,
        (false, Ok(text)) => Context::text(name, text),
        (false, Err(bytes)) => Context::bytes(name, bytes),
        (true, Err(_)) => {
            return Err(usage(format!(
                "context `{name}` is not text; JSON has to be UTF-8"
            )));
        }
    };
    share.grow(name, field.len() as u64)?;
    let context = context.guard(Arc::new(share));
    Ok(match &spec.field {
        Some(field) => context.field(field.as_str()),
        None => context,
    })
}
