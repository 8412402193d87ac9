//! The parts of a session, from what a client says of them.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;
use std::string::FromUtf8Error;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rlm_sandbox::{Context, Limits, Profile, SandboxLimits, SessionBuilder};
use rlm_sandbox_files::Links;
use rlm_sandbox_plugins::WasmPlugin;
use serde_json::Value as Json;
use tokio::sync::Semaphore;

use super::callback;
use super::protocol::{ContextSpec, Handlers, Instructed, Output, ProfileSpec, ToolSpec};
use crate::memory::{Memory, Share};
use crate::wire::{Failure, Peer};
use crate::{limit, plugin, usage};

type Result<T> = std::result::Result<T, Failure>;

/// The profile that was named or given, `rlm` if none was.
pub(super) fn profile(spec: Option<&ProfileSpec>) -> Result<Profile> {
    Ok(match spec {
        None => Profile::default(),
        Some(ProfileSpec::Named(name)) => Profile::named(name)?,
        Some(ProfileSpec::Given(fields)) => {
            Profile::parse(&Json::Object(fields.clone()).to_string())?
        }
    })
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
                "time" | "grace" | "call-wait" => {
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
    const VALUE: u64 = 64;

    /// Counts the messages of the history of this number.
    ///
    /// # Errors
    ///
    /// [`Full`](crate::memory::Full) if there is no memory for it.
    pub(super) fn new(number: usize, messages: Json, memory: &Arc<Memory>) -> anyhow::Result<Self> {
        Self::counted(number, Arc::new(messages), memory)
    }

    pub(super) fn all(histories: Vec<Json>, memory: &Arc<Memory>) -> anyhow::Result<Vec<Self>> {
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
    let inner: u64 = match value {
        Json::String(text) => text.len() as u64,
        Json::Array(items) => items.iter().map(size_bytes).sum(),
        Json::Object(members) => members
            .iter()
            .map(|(name, value)| History::VALUE + name.len() as u64 + size_bytes(value))
            .sum(),
        _ => 0,
    };
    History::VALUE + inner
}

/// Requests that load plugins at the same time. Each compiles one plugin after the other.
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
}

impl Supplies {
    pub(super) async fn new(
        peer: Peer,
        name: String,
        contexts: Vec<Context>,
        histories: Vec<History>,
        handlers: Handlers,
    ) -> Result<Self> {
        // Each compiler may take its limit of memory, however many sessions are opened at once.
        let permit = match handlers.plugins.is_empty() {
            true => None,
            false => COMPILERS.acquire().await.ok(),
        };
        // Their files are read and compiled on a thread that may wait.
        let options = handlers.plugins.clone();
        let plugins = tokio::task::spawn_blocking(move || {
            // It counts until it has ended, though the client has gone.
            let _permit = permit;
            plugin::all(&options)
        });
        let plugins = plugins.await;
        let plugins = plugins.map_err(anyhow::Error::from).flatten();
        Ok(Self {
            plugins: plugins.map_err(|error| Failure::usage(error.to_string()))?,
            peer,
            name,
            contexts,
            histories,
            handlers,
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
    let (bytes, share) = match (&spec.text, &spec.base64, &spec.path) {
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
    let context = context.guard(Arc::new(share));
    Ok(match &spec.field {
        Some(field) => context.field(field.as_str()),
        None => context,
    })
}
