//! How an exec ended.

use std::fmt;
use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::bindings::exports::rlm::sandbox::repl;
use crate::call::CallRecord;
use crate::model::TokenUsage;
use crate::value::Value;
use rlm_sandbox_engine::{Error, Result};

/// What is left of an exec.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// How the script ended.
    pub ending: Ending,
    /// True if it ended by `sys.exit()` or `SystemExit` with the status 0, which is no error: [`Ending::Value`].
    pub exited: bool,
    /// The answer, if the script said that the run is done. Then nothing of it
    /// ran after that, and the namespace stays as it was there.
    pub finish: Option<Final>,
    /// How often it paused for a function that is not Python's own.
    pub pauses: u32,
    /// What was rewritten in it before it ran, in the order of the source; see
    /// [`Profile::compat`](crate::Profile::compat).
    pub rewrites: Vec<Rewrite>,
    /// What it printed, as far as it was kept.
    pub stdout: String,
    /// What it printed to `sys.stderr`.
    pub stderr: String,
    /// Bytes that it printed and that were dropped at
    /// [`Limits::output_bytes`](crate::Limits::output_bytes).
    pub dropped_bytes: u64,
    /// Names in the namespace that scripts made, sorted.
    pub names: Vec<String>,
    /// The host calls of this exec, in the order in which they were asked.
    pub calls: Vec<CallRecord>,
    /// What became of the namespace.
    pub state: State,
    /// What the exec used.
    pub usage: Usage,
}

/// How a script ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// It ran to its end or returned. The value of its top-level `return`, else
    /// of its last expression; none for `None` and where there is neither.
    Value(Option<Value>),
    /// It raised, or did not parse.
    Raised(Exception),
    /// It was ended at a limit. Python could not catch it.
    Stopped(Stop, Exception),
    /// It crashed the interpreter, which is a bug in there; the host is fine.
    Crashed(Exception),
}

/// Something in a script that was rewritten before it ran, because the
/// interpreter does not run it as Python does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewrite {
    /// The kind of rewrite: `looped`, `missing-method`, `re`, …
    pub rule: String,
    /// Where it stands in the source, from 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

impl From<repl::Rewrite> for Rewrite {
    fn from(rewrite: repl::Rewrite) -> Self {
        Self {
            rule: rewrite.rule,
            line: rewrite.line,
            column: rewrite.column,
        }
    }
}

/// What a script gave as the answer of its run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Final {
    /// The answer; all fields as one dictionary if there are fields.
    pub answer: Value,
    /// How it was given.
    pub by: Finisher,
}

/// By what a script said that it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finisher {
    /// `FINAL(answer)` and its kin.
    Direct,
    /// `FINAL_VAR(name)`.
    Variable(String),
    /// `FINAL_VAR(name)` where nothing has that name.
    Undefined(String),
    /// `SUBMIT(…)`, with its fields in order.
    Fields(Vec<(String, Value)>),
    /// The dictionary `answer` said that it is ready.
    Ready,
}

/// Why a script was ended from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// [`Limits::time`](crate::Limits::time).
    Time,
    /// [`Limits::deadline`](crate::Limits::deadline).
    Deadline,
    /// [`Limits::fuel`](crate::Limits::fuel).
    Fuel,
    /// [`Limits::memory_bytes`](crate::Limits::memory_bytes), or the hard cap above it.
    Memory,
    /// [`Limits::output_bytes`](crate::Limits::output_bytes), where that ends an exec.
    Output,
    /// [`Limits::calls`](crate::Limits::calls) or [`Limits::open_calls`](crate::Limits::open_calls).
    Calls,
    /// A budget shared by several execs.
    Budget,
    /// Somebody used a [`CancelHandle`](crate::CancelHandle).
    Canceled,
}

impl Stop {
    /// The word for it, as in `wit/types.wit`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Deadline => "deadline",
            Self::Fuel => "fuel",
            Self::Memory => "memory",
            Self::Output => "output",
            Self::Calls => "calls",
            Self::Budget => "budget",
            Self::Canceled => "canceled",
        }
    }

    /// Returns whether when it comes depends on the machine, not on what the script does.
    pub(crate) fn is_by_chance(self) -> bool {
        matches!(self, Self::Time | Self::Deadline | Self::Canceled)
    }
}

/// What became of the namespace of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// It is as the script left it; after an exception that includes whatever
    /// the script did before.
    Intact,
    /// It is as it was before the exec, which ran into a limit or crashed the
    /// interpreter. What it printed and called stays.
    RolledBack,
}

/// How variables are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Look {
    /// Bytes of each repr. Default: 200.
    pub repr_bytes: u32,
    /// True if instances are asked for their repr, which runs code of the
    /// script's; else they are shown by their class. Default: no.
    pub user_reprs: bool,
    /// True if values are wanted as JSON. Default: no.
    pub json: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            repr_bytes: 200,
            user_reprs: false,
            json: false,
        }
    }
}

impl Look {
    /// With so many bytes of each repr.
    pub fn reprs(repr_bytes: u32) -> Self {
        Self {
            repr_bytes,
            ..Self::default()
        }
    }

    /// Asks instances for their repr.
    #[must_use]
    pub fn user_reprs(mut self) -> Self {
        self.user_reprs = true;
        self
    }

    /// Wants values as JSON.
    #[must_use]
    pub fn json(mut self) -> Self {
        self.json = true;
        self
    }
}

impl From<Look> for repl::Look {
    fn from(look: Look) -> Self {
        Self {
            repr_bytes: look.repr_bytes,
            user_reprs: look.user_reprs,
            json: look.json,
        }
    }
}

/// A name that scripts made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The name of its type, as in `list`.
    pub kind: String,
    /// Its repr, as far as it was asked for.
    pub repr: String,
    /// Items of a container, characters of a text, bytes of bytes.
    pub size: Option<u64>,
    /// Its value as JSON with tags, if it was asked for and all of it has one.
    pub json: Option<String>,
}

impl Variable {
    /// A variable of which only the name is known.
    pub(crate) fn unlisted(name: String) -> Self {
        Self {
            name,
            kind: String::new(),
            repr: String::new(),
            size: None,
            json: None,
        }
    }
}

impl From<repl::Variable> for Variable {
    fn from(variable: repl::Variable) -> Self {
        Self {
            name: variable.name,
            kind: variable.kind,
            repr: variable.repr,
            size: variable.size,
            json: variable.json,
        }
    }
}

/// A Python exception.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Exception {
    /// Its class, as in `ValueError`.
    pub kind: String,
    /// What it says.
    pub message: String,
    /// What to match on.
    pub cause: Cause,
    /// The traceback as Python prints it, with the last line `kind: message`.
    pub traceback: String,
    /// What to do about it, where the message does not say.
    pub hint: Option<String>,
}

/// Why an exec failed, as a word that does not change with the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is the word it is")]
pub enum Cause {
    Syntax,
    Source,
    Name,
    Type,
    Value,
    Attribute,
    Index,
    Key,
    ImportDenied,
    ImportMissing,
    Permission,
    Recursion,
    Unsupported,
    Timeout,
    Memory,
    Fuel,
    OutputLimit,
    HostCallLimit,
    LlmBudget,
    Canceled,
    Trap,
    Policy,
    Other,
}

impl Cause {
    /// The word, as it stands in JSON.
    pub fn as_str(self) -> &'static str {
        Self::WORDS
            .iter()
            .find(|(cause, _)| *cause == self)
            .map_or("other", |(_, word)| word)
    }

    /// What a guest calls it; anything unknown is `Other`.
    pub(crate) fn parse(word: &str) -> Self {
        let word = word.replace('-', "_");
        Self::WORDS
            .iter()
            .find(|(_, known)| *known == word)
            .map_or(Self::Other, |(cause, _)| *cause)
    }

    const WORDS: [(Self, &'static str); 23] = [
        (Self::Syntax, "syntax"),
        (Self::Source, "source"),
        (Self::Name, "name"),
        (Self::Type, "type"),
        (Self::Value, "value"),
        (Self::Attribute, "attribute"),
        (Self::Index, "index"),
        (Self::Key, "key"),
        (Self::ImportDenied, "import_denied"),
        (Self::ImportMissing, "import_missing"),
        (Self::Permission, "permission"),
        (Self::Recursion, "recursion"),
        (Self::Unsupported, "unsupported"),
        (Self::Timeout, "timeout"),
        (Self::Memory, "memory"),
        (Self::Fuel, "fuel"),
        (Self::OutputLimit, "output_limit"),
        (Self::HostCallLimit, "host_call_limit"),
        (Self::LlmBudget, "llm_budget"),
        (Self::Canceled, "cancelled"),
        (Self::Trap, "trap"),
        (Self::Policy, "policy"),
        (Self::Other, "other"),
    ];
}

impl Exception {
    /// An exception without a traceback.
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            message: message.into(),
            cause: Cause::Other,
            traceback: String::new(),
            hint: None,
        }
    }

    pub(crate) fn caused_by(mut self, cause: Cause) -> Self {
        self.cause = cause;
        self
    }
}

impl Exception {
    /// The exit status of a script that called `sys.exit` or raised `SystemExit`, as CPython would end with it: 0 of none
    /// and 1 of a text. [`Ending::Value`] is the ending of one that is 0.
    pub fn exit_code(&self) -> Option<i64> {
        exit_code(&self.kind, &self.message)
    }
}

/// Returns the exit status that an exception stands for; see [`Exception::exit_code`].
pub(crate) fn exit_code(kind: &str, message: &str) -> Option<i64> {
    if kind != "SystemExit" {
        return None;
    }
    Some(match message {
        "" | "None" | "False" => 0,
        message => message.parse().unwrap_or(1),
    })
}

impl fmt::Display for Exception {
    /// `ValueError: no such row`, as in the last line of a traceback.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.message.is_empty() {
            f.write_str(&self.kind)
        } else {
            write!(f, "{}: {}", self.kind, self.message)
        }
    }
}

/// What an exec used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// Fuel. The same script in the same session uses the same. 0 if the script did not run,
    /// because the values that were set before it reached a limit.
    pub fuel: u64,
    /// Compute time; see [`Limits::time`](crate::Limits::time).
    pub compute: Duration,
    /// Time from the start of the exec to its end, waiting included.
    pub elapsed: Duration,
    /// The most linear memory the instance had, in bytes, since it was made.
    pub peak_memory_bytes: u64,
    /// Bytes that scripts and contexts hold after it.
    pub live_memory_bytes: u64,
    /// Prompts to the model.
    pub model_calls: u64,
    /// Tokens, as far as the model told.
    pub tokens: TokenUsage,
    /// Fuel that brought the session back since the outcome before, charged to no execution:
    /// after a limit, a failure that was rolled back, or when other sessions had taken its
    /// instance. Loading its state, repeating what happened since that was written, and writing
    /// it anew where the repetition cost more than that. It depends on the machine's load.
    pub recovery_fuel: u64,
}

impl Outcome {
    /// The value as a Rust type.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if the script did not end
    /// with a value, or the value is not a `T`. `None` reads as `Option::None`
    /// and as `()`.
    pub fn value<T: DeserializeOwned>(&self) -> Result<T> {
        match &self.ending {
            Ending::Value(Some(value)) => value.get(),
            Ending::Value(None) => serde_json::from_value(serde_json::Value::Null)
                .map_err(|error| Error::usage("the script ended without a value").because(error)),
            Ending::Raised(exception)
            | Ending::Stopped(_, exception)
            | Ending::Crashed(exception) => Err(Error::usage(format!(
                "the script ended without a value: {exception}"
            ))),
        }
    }

    /// Returns whether the execution was canceled, which rolled it back.
    pub fn is_canceled(&self) -> bool {
        matches!(self.ending, Ending::Stopped(Stop::Canceled, _))
    }

    /// Why there is no value, if that is so.
    pub fn exception(&self) -> Option<&Exception> {
        match &self.ending {
            Ending::Value(_) => None,
            Ending::Raised(exception)
            | Ending::Stopped(_, exception)
            | Ending::Crashed(exception) => Some(exception),
        }
    }

    /// Returns whether the script ran to its end.
    pub fn is_success(&self) -> bool {
        matches!(self.ending, Ending::Value(_))
    }
}
