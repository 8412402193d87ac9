//! What a client asks for.

#![expect(
    dead_code,
    reason = "a request finds its session before the rest of it is read"
)]

use std::collections::BTreeMap;

use rlm_sandbox::{Look, python_json};
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::wire::Message;

/// Reads a value with all digits of its numbers, as scripts get it.
///
/// # Errors
///
/// The errors of [`python_json`].
fn value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
    read(&Box::deserialize(deserializer)?)
}

/// Reads an answer like a [`value`]; null is none.
fn answer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    let given = Option::<Box<RawValue>>::deserialize(deserializer)?;
    given.as_deref().map(read).transpose()
}

/// Reads a list of [`value`]s.
fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Json>, D::Error> {
    let given = Vec::<Box<RawValue>>::deserialize(deserializer)?;
    given.iter().map(|value| read(value)).collect()
}

/// Reads [`value`]s by their keys.
fn map<'de, K, D>(deserializer: D) -> Result<BTreeMap<K, Json>, D::Error>
where
    K: Ord + Deserialize<'de>,
    D: Deserializer<'de>,
{
    let given = BTreeMap::<K, Box<RawValue>>::deserialize(deserializer)?;
    let values = given.into_iter();
    values
        .map(|(key, value)| Ok((key, read(&value)?)))
        .collect()
}

fn read<E: serde::de::Error>(given: &RawValue) -> Result<Json, E> {
    python_json(given.get(), true).map_err(E::custom)
}

/// A profile: the name of one, or an object with its fields.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a profile is a name or an object")]
pub(crate) enum ProfileSpec {
    Named(String),
    Given(serde_json::Map<String, Json>),
}

/// What a session is made of.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Open {
    /// What Python sees. Default: `rlm`.
    pub(crate) profile: Option<ProfileSpec>,
    /// True if `eval` and `exec` exist, with any profile.
    pub(crate) allow_eval: bool,
    /// The fields that SUBMIT takes.
    pub(crate) outputs: Option<Vec<Output>>,
    /// Limits by the names of the command line: seconds, bytes, counts.
    pub(crate) limits: BTreeMap<String, Json>,
    /// Seed of everything random. Default: drawn.
    pub(crate) seed: Option<u64>,
    /// Time at which the session's clock starts, in seconds since 1970. Default: now, and before each execution it goes on to
    /// the real time, in whole seconds. One that is set goes on with fuel and with sleeps alone.
    pub(crate) start: Option<f64>,
    /// The id. Default: drawn.
    pub(crate) id: Option<String>,
    /// What the client does for it.
    pub(crate) handlers: Handlers,
    /// Variables and contexts that it begins with.
    pub(crate) values: Values,
    /// Conversations, as `history`, `history_1` …
    #[serde(deserialize_with = "list")]
    pub(crate) histories: Vec<Json>,
    /// Records everything that crosses the wall to this new file.
    pub(crate) record: Option<String>,
    /// Answers calls from this journal, or records it.
    pub(crate) cassette: Option<CassetteSpec>,
}

/// What the client does for a session.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Handlers {
    /// Functions that Python may call; each call is a request `call` to the client.
    pub(crate) tools: Vec<ToolSpec>,
    /// WebAssembly plugins that Python may call, 64 at most, each a file, or `name=file`: the
    /// component or its manifest.
    pub(crate) plugins: Vec<String>,
    /// True if the client answers prompts, as requests `ask`.
    pub(crate) model: bool,
    /// How many levels of `rlm_query` the client answers itself.
    pub(crate) depth: u32,
    /// Prompts of one batch that are asked at the same time. Default: 8.
    pub(crate) concurrent_prompts: Option<usize>,
    /// True if printed text is sent at once, as notifications `output`.
    pub(crate) stream: bool,
}

/// A function of the client's.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolSpec {
    /// The name by which Python calls it.
    pub(crate) name: String,
    /// The names of its parameters, in order. None: it takes anything.
    #[serde(default)]
    pub(crate) parameters: Vec<String>,
    /// What it is for.
    #[serde(default)]
    pub(crate) doc: String,
    /// Form of its calls in instructions, as `(a: int, *, b: str = "") -> dict`. Default: the names of the parameters.
    #[serde(default)]
    pub(crate) signature: String,
    /// True if every call gives an awaitable.
    #[serde(default)]
    pub(crate) awaitable: bool,
}

/// A field of what SUBMIT takes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Output {
    pub(crate) name: String,
    /// `str`, `int`, `float`, `bool`, `list`, `dict`, `NoneType`, or anything.
    #[serde(default, rename = "type")]
    pub(crate) kind: Option<String>,
}

/// Variables and contexts.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Values {
    /// Variables to bind.
    #[serde(deserialize_with = "map")]
    pub(crate) variables: BTreeMap<String, Json>,
    /// Contexts to add; one that has the name of another takes its place.
    pub(crate) contexts: Vec<ContextSpec>,
    /// Contexts to take away, by name; only in `set`.
    pub(crate) without: Vec<String>,
}

/// An input that stays with the host until a script mentions it.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContextSpec {
    /// Its name in `files`.
    pub(crate) name: String,
    /// Text, or JSON as text.
    pub(crate) text: Option<String>,
    /// Bytes, in base64.
    pub(crate) base64: Option<String>,
    /// A file to read in place of these.
    pub(crate) path: Option<String>,
    /// True if it is JSON, which Python sees parsed.
    #[serde(default)]
    pub(crate) json: bool,
    /// The field that it stands for; the one with `context` is `context`.
    pub(crate) field: Option<String>,
}

/// A journal that calls are answered from.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CassetteSpec {
    pub(crate) path: String,
    /// What to do where the journal has nothing.
    #[serde(default)]
    pub(crate) record: RecordMode,
}

/// When a cassette is recorded.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RecordMode {
    /// Where there is no file yet.
    #[default]
    Once,
    /// Never.
    None,
    /// What comes after its end.
    New,
    /// Always, in its place.
    All,
}

/// `restore`: takes up a session that was parked.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Restore {
    /// What `park` gave, or what `exec --session` wrote, in base64.
    pub(crate) parked: Option<String>,
    /// Takes it up from a journal instead.
    pub(crate) journal: Option<JournalPlace>,
    /// What the client does for it.
    pub(crate) handlers: Handlers,
    /// Contexts that it had, and variables to bind.
    pub(crate) values: Values,
    /// Another set of fields that SUBMIT takes.
    pub(crate) outputs: Option<Vec<Output>>,
    /// Conversations that it had.
    #[serde(deserialize_with = "list")]
    pub(crate) histories: Vec<Json>,
    /// Goes on recording in the journal, where it was taken up from its end; not with `parked`.
    pub(crate) record: bool,
    /// Limits in place of its own, as for `open`; they can lower those of a journal, and not raise them.
    pub(crate) limits: BTreeMap<String, Json>,
}

/// The members of `open` and `restore` that make a request wait for its turn, read by themselves.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Waits {
    pub(crate) journal: Option<IgnoredAny>,
    pub(crate) handlers: WaitsToCompile,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct WaitsToCompile {
    pub(crate) plugins: Vec<IgnoredAny>,
}

/// A place in a journal.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JournalPlace {
    pub(crate) path: String,
    /// Just before this exec, from 0. Default: at its end.
    pub(crate) exec: Option<u64>,
    /// Waiting for the call with this ticket.
    pub(crate) call: Option<u64>,
    /// Lets `fork` make branches of the run at this exec, of which the session then does nothing itself. The time of day
    /// in them is that of the run, and so are contexts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) branches: bool,
}

/// `cancel`: ends what a session does or was asked to do before, or a request that belongs to none.
///
/// In a session, scripts end, and with an error of the kind `canceled` also `get`, `variables`, `export`, `park`,
/// `fork` and `register`. Of a request, `replay`, and `restore` from a journal, end with such an error while they
/// repeat what was recorded, and they, `open` and `validate` while they wait for others. One that is answered, or
/// that was never sent, stays as it is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cancel {
    /// The session.
    #[serde(default)]
    pub(crate) session: Option<String>,
    /// The `id` of the request.
    #[serde(default)]
    pub(crate) request: Option<RequestId>,
}

/// The `id` of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum RequestId {
    Text(String),
    Number(serde_json::Number),
}

impl RequestId {
    /// Returns the id of a request; none of a notification.
    pub(crate) fn of(message: &Message) -> Option<Self> {
        serde_json::from_str(message.id.as_deref()?.get()).ok()
    }
}

/// `fork`: makes a second session of one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fork {
    pub(crate) session: String,
    /// Makes it a branch of a recorded run, where `restore` took the session up for `branches`.
    #[serde(default)]
    pub(crate) branch: Option<Branch>,
}

/// Differences of a branch from its recorded run.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Branch {
    /// Other answers to recorded calls. Calls before the first of them have their recorded answers.
    pub(crate) answers: Vec<AnswerGiven>,
    /// Another script in place of the first; not with `answers`.
    pub(crate) code: Option<String>,
    /// Records the branch beside its run, in the folder of its branches.
    pub(crate) record: bool,
}

/// `reset`, `close`, `finish`, `export`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Of {
    pub(crate) session: String,
}

/// `exec` and `step`: runs code.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exec {
    pub(crate) session: String,
    pub(crate) code: String,
    /// Compute time of this script, in seconds. Default: the session's.
    #[serde(default)]
    pub(crate) timeout: Option<f64>,
    /// True if the outcome is wanted in the profile's format, too.
    #[serde(default)]
    pub(crate) report: bool,
}

/// `advance`: does in a branch what its run did up to its next script, and runs that.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Advance {
    pub(crate) session: String,
    /// As in `exec`.
    #[serde(default)]
    pub(crate) report: bool,
}

/// `resume`: answers calls that a script waits for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resume {
    pub(crate) session: String,
    pub(crate) answers: Vec<AnswerGiven>,
    /// As in `exec`.
    #[serde(default)]
    pub(crate) report: bool,
}

/// What a call came to: a value, or an error.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerGiven {
    pub(crate) ticket: u64,
    #[serde(default, deserialize_with = "answer")]
    pub(crate) value: Option<Json>,
    #[serde(default)]
    pub(crate) error: Option<Raised>,
}

/// An exception that the script may catch.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Raised {
    /// Its class, as in `ValueError`.
    pub(crate) kind: String,
    pub(crate) message: String,
}

/// `set`: binds variables and changes contexts, from the next exec on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Set {
    pub(crate) session: String,
    #[serde(default)]
    pub(crate) values: Values,
    /// Replaces the conversation of a number, or adds the next one; the first
    /// comes with `open`.
    #[serde(default, deserialize_with = "map")]
    pub(crate) histories: BTreeMap<usize, Json>,
}

/// `register`: changes what the client does for a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Register {
    pub(crate) session: String,
    /// All that it does from now on, besides the plugins, which stay those that the session was opened with.
    pub(crate) handlers: Handlers,
    /// Another set of fields that SUBMIT takes.
    #[serde(default)]
    pub(crate) outputs: Option<Vec<Output>>,
}

/// `park`: the session as bytes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Park {
    pub(crate) session: String,
    /// True if the bytes are to hold its contexts, if these have at most 64 MiB and all of it packs into 8 MiB. A `restore` then needs
    /// none, and may bring others. Without them it needs each as it was.
    #[serde(default)]
    pub(crate) contexts: bool,
    /// True for the pages of its memory: what is restored from them goes on exactly as this session, to identities and fuel. Only
    /// processes of the same system that are not isolated restore them. An isolated process gives what its interpreter writes, and
    /// a session that `RLM_SANDBOX_RECORD` records begins with that. Pages hold what was freed, too, as texts read from contexts.
    #[serde(default)]
    pub(crate) snapshot: bool,
}

/// `get`: the value of a name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    pub(crate) session: String,
    pub(crate) name: String,
}

/// `variables`: the names that scripts made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variables {
    pub(crate) session: String,
    /// Bytes of each repr. Default: 200.
    #[serde(default)]
    pub(crate) repr_bytes: Option<u32>,
    /// True if instances are asked for their repr, which runs code.
    #[serde(default)]
    pub(crate) user_reprs: bool,
    /// True if values are wanted.
    #[serde(default)]
    pub(crate) json: bool,
    /// Bytes of JSON that values have together; one for which there is no room is left out. Default: as many as there
    /// are.
    #[serde(default)]
    pub(crate) values_bytes: Option<u64>,
}

impl Variables {
    pub(crate) fn look(&self) -> Look {
        let mut look = self.repr_bytes.map_or_else(Look::default, Look::reprs);
        look.user_reprs = self.user_reprs;
        look.json = self.json;
        look
    }
}

/// `import`: binds what `export` gave.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    pub(crate) session: String,
    /// What `export` gave; unknown members are ignored.
    #[serde(deserialize_with = "value")]
    pub(crate) portable: Json,
}

/// `tools`: the tools that a model may call in a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolsWanted {
    pub(crate) session: String,
    #[serde(default)]
    pub(crate) shape: ShapeWanted,
}

/// The JSON in which a model's API wants a tool.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ShapeWanted {
    #[default]
    Openai,
    Anthropic,
    Mcp,
}

/// `call-tool`: carries out a call of a model.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallTool {
    pub(crate) session: String,
    /// Name of the tool.
    pub(crate) name: String,
    /// Arguments, as the model gave them: an object, or the JSON text of one.
    #[serde(default)]
    pub(crate) arguments: Json,
}

/// `validate`: what speaks against code, without running it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Validate {
    pub(crate) code: String,
    #[serde(default)]
    pub(crate) profile: Option<ProfileSpec>,
    /// Variables that there are.
    #[serde(default)]
    pub(crate) known: Vec<String>,
    /// Functions that there are.
    #[serde(default)]
    pub(crate) functions: Vec<String>,
    /// Asks for type checking, which is not built in; `note` says so.
    #[serde(default)]
    pub(crate) type_check: bool,
}

/// `instructions`: what to tell a model that writes code.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Instructions {
    /// For this session, or else for the profile and tools here.
    pub(crate) session: Option<String>,
    pub(crate) profile: Option<ProfileSpec>,
    pub(crate) tools: Vec<ToolSpec>,
    /// In two or three lines.
    pub(crate) short: bool,
}

/// `turns`: lists the executions of a recorded run, with their calls.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Turns {
    pub(crate) path: String,
}

/// `replay`: repeats a journal and compares.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Replay {
    pub(crate) path: String,
}
