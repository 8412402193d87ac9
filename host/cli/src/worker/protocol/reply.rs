//! What a worker gives, and what it asks of its client.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::wire::{ArgumentsSaid, Members};

/// A word of the protocol.
pub(crate) type Word = Cow<'static, str>;

/// A session that was made.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Opened {
    /// By what later requests name it, in this worker.
    pub(crate) session: String,
    /// By what tools and journals know it.
    pub(crate) id: String,
    pub(crate) seed: u64,
    /// Calls that its script waits for; none if none runs.
    pub(crate) waiting: Vec<CallSaid>,
    /// Seconds of wall time that an execution has; none without a deadline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) deadline: Option<f64>,
    /// Seconds that a call may take until it raises a `TimeoutError` in its script.
    pub(crate) call_wait: f64,
    /// True if its profile has a name by which scripts read contexts.
    pub(crate) reads_contexts: bool,
    /// True if its profile has a name by which scripts ask a model.
    pub(crate) asks_models: bool,
    /// The scripts that a run has from there on, of a session that `restore` took up for `branches`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) scripts: Option<Vec<String>>,
    /// Its number among the recorded branches of a run, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<u64>,
}

/// The result of `advance`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Advanced {
    /// None after the last script of the run.
    pub(crate) outcome: Option<OutcomeSaid>,
}

/// What `get` gives.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Got {
    /// None where nothing has that name.
    pub(crate) value: Option<ValueSaid>,
}

/// What `variables` gives.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct VariablesSaid {
    pub(crate) variables: Vec<VariableSaid>,
}

/// One name.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct VariableSaid {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) repr: String,
    /// Items, characters or bytes.
    pub(crate) size: Option<u64>,
    /// The value, if it was asked for, there was room for it, and all of it has a JSON form.
    #[schemars(with = "Option<Json>")]
    pub(crate) value: Option<Box<RawValue>>,
}

/// What `park` gives.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ParkedSaid {
    /// The session as bytes, in base64, sealed with the key of this user.
    pub(crate) parked: String,
    /// True if a script waits in it.
    pub(crate) waiting: bool,
}

/// What `validate` gives.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Validated {
    /// True if the code would begin to run.
    pub(crate) ok: bool,
    /// Why not, in one line.
    pub(crate) message: Option<String>,
    pub(crate) error: Option<ErrorSaid>,
    /// Names that nobody defines; it runs all the same, up to there.
    pub(crate) unknown_names: Vec<String>,
    pub(crate) note: Option<String>,
}

/// What `instructions` gives.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Instructed {
    pub(crate) text: String,
}

/// Reply to `tools`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ToolsSaid {
    /// Tools, for a model's API.
    #[schemars(with = "Vec<Json>")]
    pub(crate) tools: Vec<Box<RawValue>>,
}

/// Reply to `call-tool`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ToolSaid {
    /// Result for the model. Its `success` is false after any failure, also after wrong arguments.
    #[schemars(with = "Json")]
    pub(crate) result: Box<RawValue>,
}

/// What `replay` gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplaySaid {
    pub(crate) identical: bool,
    /// What is different, or why nothing more can be repeated.
    pub(crate) message: Option<String>,
    pub(crate) execs: u64,
    pub(crate) calls: u64,
    /// Entries that nothing can repeat and that changed nothing: killed inspections.
    pub(crate) left_out: u64,
    pub(crate) fuel: u64,
    /// SHA-256 of the parked session that the recording begins with, if it does; nothing compares what that holds.
    pub(crate) begins_with: Option<String>,
}

/// Reply to `turns`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TurnsSaid {
    pub(crate) turns: Vec<TurnSaid>,
}

/// An execution of a recorded run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TurnSaid {
    /// Its number, from 0; those of a branch begin where it branches.
    pub(crate) number: u64,
    pub(crate) source: String,
    pub(crate) calls: Vec<TurnCall>,
}

/// A host call of a recorded run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TurnCall {
    /// Its number over the life of the session.
    pub(crate) ticket: u64,
    pub(crate) name: String,
    /// The beginning of its arguments, as JSON text; null where they are not there in the clear.
    pub(crate) arguments: Option<String>,
}

/// What `hello` gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Hello {
    pub(crate) version: &'static str,
    /// SHA-256 of the interpreter.
    pub(crate) guest: String,
    pub(crate) profiles: Vec<String>,
}

/// Nothing.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Done {}

/// What `step` and `resume` give.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is written at once and never kept"
)]
pub(crate) enum StepSaid {
    /// It ended.
    Done { outcome: OutcomeSaid },
    /// It waits for at least one of these that is not `open`.
    Waiting { waiting: Vec<CallSaid> },
}

/// What `waiting` gives.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct WaitingSaid {
    /// What the script that waits has asked for; none if none waits.
    pub(crate) waiting: Vec<CallSaid>,
}

/// What `exec` and `finish` give.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Ran {
    pub(crate) outcome: OutcomeSaid,
}

/// A call that a script waits for, or will.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct CallSaid {
    /// Its number over the life of the session.
    pub(crate) ticket: u64,
    /// What the script called.
    pub(crate) name: String,
    /// True if the script goes on without the answer for now.
    pub(crate) open: bool,
    /// Of a tool.
    pub(crate) arguments: Option<ArgumentsSaid>,
    /// Of the model.
    pub(crate) prompts: Option<Vec<PromptSaid>>,
    /// True if the model's answer is a list.
    pub(crate) batched: bool,
    /// True if it was asked as `rlm_query`.
    pub(crate) recursive: bool,
}

/// One prompt.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct PromptSaid {
    pub(crate) text: String,
    /// The model that the script asked for.
    pub(crate) model: Option<String>,
}

/// How an exec ended.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct OutcomeSaid {
    /// True if it ran to its end.
    pub(crate) ok: bool,
    /// The value of its last expression or top-level `return`.
    pub(crate) value: Option<ValueSaid>,
    /// Why there is none.
    pub(crate) error: Option<ErrorSaid>,
    /// The answer, if it said that the run is done.
    #[serde(rename = "final")]
    pub(crate) answer: Option<FinalSaid>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Bytes that it printed and that were dropped.
    pub(crate) dropped_bytes: u64,
    /// Names in the namespace that scripts made.
    pub(crate) names: Vec<String>,
    pub(crate) calls: Vec<CallDone>,
    /// How often it paused for a function that is not Python's own.
    pub(crate) pauses: u32,
    /// What was rewritten in it before it ran.
    pub(crate) rewrites: Vec<RewriteSaid>,
    /// `intact`, or `rolled-back` to where it was before.
    pub(crate) state: Word,
    pub(crate) usage: UsageSaid,
    /// What a model is shown of it.
    pub(crate) view: String,
    /// In the profile's format, if that was asked for; without the members that `report_shares` names.
    #[schemars(with = "Option<Json>")]
    pub(crate) report: Option<Report>,
    /// Members of the report that are those of the outcome.
    pub(crate) report_shares: Vec<Shared>,
}

/// A member that a report and its outcome have in common.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Shared {
    /// Text that was printed.
    Stdout,
    /// Text that was printed to `sys.stderr`.
    Stderr,
}

/// An outcome in the format of a profile, without copies of what was printed.
#[derive(Debug)]
pub(crate) struct Report(pub(crate) Vec<(String, Member)>);

/// A member of a report. Lists and objects are text: a tree of very many small values takes a
/// hundred times as much.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Member {
    Text(String),
    Other(Box<RawValue>),
}

impl<'de> Deserialize<'de> for Report {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Members(members) = Members::deserialize(deserializer)?;
        let members = members.into_iter();
        Ok(Self(
            members
                .map(|(name, json)| (name, Member::Other(json)))
                .collect(),
        ))
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, member)| (name, member)))
    }
}

/// Something in a script that was rewritten before it ran.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RewriteSaid {
    /// What was done: `del`, `generator`, …
    pub(crate) rule: String,
    /// Where it stands in the source, from 1.
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A Python value.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ValueSaid {
    pub(crate) repr: String,
    /// True if the repr was cut.
    pub(crate) truncated: bool,
    /// True if `value` is there; else it is too large.
    pub(crate) has_value: bool,
    #[schemars(with = "Json")]
    pub(crate) value: Option<Box<RawValue>>,
}

/// A Python exception.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ErrorSaid {
    /// Its class, as in `ValueError`.
    pub(crate) kind: String,
    pub(crate) message: String,
    /// A word to match on, as in `timeout`.
    pub(crate) cause: Word,
    pub(crate) traceback: String,
    /// What to do about it.
    pub(crate) hint: Option<String>,
    /// The status that a script gave to `sys.exit`, if it is not 0, which is no error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exit_code: Option<i64>,
    /// The limit at which the script was ended, as in `time`.
    pub(crate) stopped: Option<Word>,
    /// True if the interpreter crashed.
    pub(crate) crashed: bool,
}

/// The answer of a run.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct FinalSaid {
    /// `direct`, `variable`, `undefined`, `fields` or `ready`.
    pub(crate) by: Word,
    /// The name, where it was given by one.
    pub(crate) name: Option<String>,
    /// All fields as one dictionary, where there are fields.
    pub(crate) answer: ValueSaid,
}

/// A host call, and how far it got.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct CallDone {
    pub(crate) ticket: u64,
    pub(crate) name: String,
    /// `asked`, `returned`, `raised` or `refused`.
    pub(crate) progress: Word,
}

/// What an exec used.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct UsageSaid {
    pub(crate) fuel: u64,
    /// Compute time, in seconds.
    pub(crate) compute: f64,
    /// Time from its start to its end, in seconds.
    pub(crate) elapsed: f64,
    pub(crate) peak_memory_bytes: u64,
    pub(crate) live_memory_bytes: u64,
    pub(crate) model_calls: u64,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
    /// Fuel that brought the session back since the outcome before, charged to no execution.
    pub(crate) recovery_fuel: u64,
}

/// The request `call` to the client: a script calls a tool. The result is the
/// value; the `data` of an error may have the class of the exception as `type`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CallAsked<'a> {
    pub(crate) session: &'a str,
    pub(crate) ticket: u64,
    pub(crate) name: &'a str,
    #[serde(flatten)]
    pub(crate) arguments: ArgumentsSaid,
}

/// The request `ask` to the client: a script asks the model.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PromptAsked<'a> {
    pub(crate) session: &'a str,
    pub(crate) ticket: u64,
    pub(crate) prompt: &'a str,
    /// The model that the script asked for.
    pub(crate) model: Option<&'a str>,
    /// True if it was asked as `rlm_query`.
    pub(crate) recursive: bool,
}

/// What the client answers to `ask`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "it is a text, or an object with text, input_tokens and output_tokens"
)]
pub(crate) enum PromptAnswered {
    Text(String),
    Counted {
        text: String,
        #[serde(default)]
        input_tokens: u64,
        #[serde(default)]
        output_tokens: u64,
    },
}

/// The notification `output`: a script printed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Printed<'a> {
    pub(crate) session: &'a str,
    /// `stdout` or `stderr`.
    pub(crate) stream: &'static str,
    pub(crate) text: &'a str,
}
