//! Requests of a script that are under way.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_util::StreamExt as _;
use futures_util::stream::{self, FuturesUnordered};
use serde::Serialize;
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use crate::answer::{AnswerCap, json_bytes, long_model_answer};
use crate::arguments::Arguments;
use crate::cost::{Allowance, Cost, Ledger};
use crate::journal::{Said, Tape};
use crate::limits::Limits;
use crate::model::{AnyLm, LmRequest, TokenUsage};
use crate::outcome::Exception;
use crate::plugin::{self, Reach};
use crate::profile::Errors;
use crate::tool::{BoxFuture, Handler, Tool, ToolContext};
use rlm_sandbox_engine::{Error, Result, hex};

/// Prompts of one batch that are asked at the same time, unless somebody says.
const BATCH_WIDTH: usize = 8;

/// A request that the script waits for, or will.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Call {
    /// Its number, from 0 over the life of the session.
    pub ticket: u64,
    /// What is asked.
    pub request: Request,
    /// True if the script goes on without the answer for now.
    pub open: bool,
    /// What was set aside for it, if it is a plugin's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) allowance: Option<Allowance>,
    /// Bytes that its arguments count for in the session, as they were when it was made.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) asked_bytes: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What a script asks for.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Request {
    /// A tool is called.
    Tool {
        /// The tool, by its name.
        name: String,
        /// What it is given.
        arguments: Arguments,
    },
    /// The model is asked.
    Model {
        /// The prompts, one unless `batched`.
        prompts: Vec<Prompt>,
        /// True if the answer is a list.
        batched: bool,
        /// True if it is asked as `rlm_query`, which a session of its own may answer.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        recursive: bool,
    },
}

impl Request {
    /// What the script called.
    pub fn name(&self) -> &str {
        match self {
            Self::Tool { name, .. } => name,
            Self::Model {
                batched, recursive, ..
            } => model_name(*batched, *recursive),
        }
    }

    /// Refuses a value that no handler of such a call answers with.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage).
    pub(crate) fn check(&self, ticket: u64, answer: &Answer) -> Result<()> {
        match self {
            Self::Tool { .. } => Ok(()),
            Self::Model {
                prompts, batched, ..
            } => {
                let batch = batched.then_some(prompts.len() as u64);
                check_texts(ticket, self.name(), batch, answer)
            }
        }
    }
}

/// Refuses a value that is no answer of a model: a text, or as many texts as a batch has prompts.
///
/// # Errors
///
/// [`ErrorKind::Usage`](crate::ErrorKind::Usage).
pub(crate) fn check_texts(
    ticket: u64,
    name: &str,
    batch: Option<u64>,
    answer: &Answer,
) -> Result<()> {
    let Answer::Returned(value) = answer else {
        return Ok(());
    };
    let is_possible = match (batch, value.as_array()) {
        (None, _) => value.is_string(),
        (Some(prompts), Some(texts)) => {
            texts.len() as u64 == prompts && texts.iter().all(Json::is_string)
        }
        (Some(_), None) => false,
    };
    if is_possible {
        return Ok(());
    }
    let wanted = match batch {
        None => String::from("a text"),
        Some(prompts) => format!("a list of {prompts} texts"),
    };
    Err(Error::usage(format!(
        "call {ticket} is one of {name}(), which is answered with {wanted}"
    )))
}

/// What a script calls to ask so.
pub(crate) fn model_name(batched: bool, recursive: bool) -> &'static str {
    match (batched, recursive) {
        (false, false) => "llm_query",
        (true, false) => "llm_query_batched",
        (false, true) => "rlm_query",
        (true, true) => "rlm_query_batched",
    }
}

/// One prompt of a request.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Prompt {
    /// What the script wrote.
    pub text: String,
    /// The model it asked for.
    pub model: Option<String>,
}

/// What a request came to.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Answer {
    /// A value, as JSON; tags as in `wit/types.wit` are understood.
    Returned(Json),
    /// An exception that the script may catch.
    Raised(Exception),
}

impl Answer {
    /// A value.
    ///
    /// # Errors
    ///
    /// If it has no JSON form.
    pub fn value(value: impl Serialize) -> crate::Result<Self> {
        let json = serde_json::to_value(value)
            .map_err(|error| crate::Error::usage("the answer has no JSON form").because(error))?;
        Ok(Self::Returned(json))
    }

    /// An exception of the class `kind`.
    pub fn error(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Raised(Exception::new(kind, message))
    }
}

/// One host call of an exec, and how far it got.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct CallRecord {
    /// Its number, from 0 over the life of the session.
    pub ticket: u64,
    /// The tool, or what the script called to ask the model or the host.
    pub name: String,
    /// SHA-256 of the arguments as they crossed the wall, in hex.
    pub arguments_digest: String,
    /// How far it got.
    pub progress: Progress,
}

impl CallRecord {
    /// Returns true if it is of this open call, as far as that shows. Arguments of a tool are kept as the tool reads them, of
    /// which nothing leads back to their digest.
    pub(crate) fn is_of(&self, call: &Call) -> bool {
        let has_arguments = match &call.request {
            Request::Tool { name, arguments } => arguments.is_for(name),
            Request::Model { prompts, .. } => {
                let prompts = prompts
                    .iter()
                    .map(|prompt| (prompt.text.as_str(), prompt.model.as_deref()));
                self.arguments_digest == digest(&prompt_text(prompts))
            }
        };
        self.ticket == call.ticket
            && self.name == call.request.name()
            && self.progress == Progress::Asked
            && has_arguments
    }
}

/// Returns the bytes that the digest of a request to a model covers.
pub(crate) fn prompt_text<'p>(
    prompts: impl Iterator<Item = (&'p str, Option<&'p str>)>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (text, model) in prompts {
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0);
        if let Some(model) = model {
            bytes.extend_from_slice(model.as_bytes());
            bytes.push(1);
        }
    }
    bytes
}

/// How far a call got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Progress {
    /// Asked; the exec ended before there was an answer.
    Asked,
    /// Answered with a value.
    Returned,
    /// Answered with an exception.
    Raised,
    /// Not carried out: a limit stood against it.
    Refused,
}

impl Progress {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Returned => "returned",
            Self::Raised => "raised",
            Self::Refused => "refused",
        }
    }
}

/// SHA-256, in hex.
pub(crate) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// What a handler answered, with what it cost.
#[derive(Clone, Debug)]
pub(crate) struct Answered {
    pub(crate) ticket: u64,
    pub(crate) answer: Answer,
    pub(crate) cost: Cost,
}

impl Answered {
    pub(crate) fn new(ticket: u64, answer: Answer, cost: impl Into<Cost>) -> Self {
        Self {
            ticket,
            answer,
            cost: cost.into(),
        }
    }

    /// Returns the answer as it is kept until the script waits for it: as text, within its cap.
    pub(crate) fn settle(self, cap: &AnswerCap) -> Settled {
        Settled::new(self.ticket, cap.settle(self.answer), self.cost)
    }
}

/// An answer as text, with what it cost.
///
/// A tree of small values takes a hundred times as much memory as its text.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    pub(crate) ticket: u64,
    pub(crate) answer: Said,
    pub(crate) cost: Cost,
    /// True if it stands in the journal, if there is one.
    pub(crate) is_noted: bool,
}

impl Settled {
    /// Of a call that nobody has heard of yet.
    pub(crate) fn new(ticket: u64, answer: Said, cost: impl Into<Cost>) -> Self {
        Self {
            ticket,
            answer,
            cost: cost.into(),
            is_noted: false,
        }
    }

    /// Of a call whose answer is known from before.
    pub(crate) fn told(ticket: u64, answer: &Answer, cost: impl Into<Cost>) -> Self {
        Self {
            is_noted: true,
            ..Self::new(ticket, Said::of(answer), cost)
        }
    }
}

/// The handlers of a session.
#[derive(Clone)]
pub(crate) struct Handlers {
    pub(crate) tools: Vec<Tool>,
    pub(crate) model: Option<Arc<dyn AnyLm>>,
    /// What answers `rlm_query`.
    pub(crate) recursion: Option<Arc<dyn AnyLm>>,
    /// How many levels there may be below this session.
    pub(crate) depth: u32,
    /// Prompts of one batch that are asked at the same time.
    pub(crate) batch_width: usize,
    pub(crate) tool_errors: Errors,
    pub(crate) model_errors: Errors,
}

impl Handlers {
    /// Returns the same with what answers of others.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if a script would see other names.
    pub(crate) fn replaced_by(&self, others: Self) -> Result<Self> {
        let names = |tools: &[Tool]| {
            let names = tools.iter();
            names
                .map(|tool| {
                    (
                        tool.name().to_owned(),
                        tool.parameters.clone(),
                        tool.awaitable,
                    )
                })
                .collect::<Vec<_>>()
        };
        let has = |handlers: &Self| (handlers.model.is_some(), handlers.recursion.is_some());
        if names(&self.tools) != names(&others.tools) || has(self) != has(&others) {
            return Err(Error::usage(
                "a fork has the tools of its session, in their order, and a model if that has one; park the session and \
                 restore it with others",
            ));
        }
        Ok(Self {
            tools: others.tools,
            model: others.model,
            recursion: others.recursion,
            ..self.clone()
        })
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers")
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}

impl Default for Handlers {
    fn default() -> Self {
        Self {
            tools: Vec::new(),
            model: None,
            recursion: None,
            depth: 0,
            batch_width: BATCH_WIDTH,
            tool_errors: Errors::default(),
            model_errors: Errors::default(),
        }
    }
}

impl Handlers {
    /// Returns whether calls of this name get an answer: from the tool of the name, or from a model.
    pub(crate) fn answer(&self, name: &str) -> bool {
        match self.tool(name) {
            Some(tool) => !matches!(tool.handler, Handler::Declared),
            None => self.model.is_some() || self.recursion.is_some(),
        }
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name() == name)
    }

    /// How a script is told of an error of this request.
    pub(crate) fn errors(&self, request: &Request) -> Errors {
        match request {
            Request::Tool { .. } => self.tool_errors,
            Request::Model { .. } => self.model_errors,
        }
    }

    /// Who answers the model's requests of this kind.
    pub(crate) fn answerer(&self, recursive: bool) -> Option<&Arc<dyn AnyLm>> {
        let deeper = self
            .recursion
            .as_ref()
            .filter(|_| recursive && self.depth > 0);
        deeper.or(self.model.as_ref())
    }

    /// Starts the registered handler of a call; `reach` is for plugins.
    pub(crate) fn start(
        &self,
        call: &Call,
        context: ToolContext,
        limits: &Limits,
        reach: impl FnOnce() -> Reach,
    ) -> BoxFuture<Answered> {
        let ticket = call.ticket;
        let settled = move |answer| -> BoxFuture<Answered> {
            let answered = Answered::new(ticket, answer, TokenUsage::default());
            Box::pin(std::future::ready(answered))
        };
        match &call.request {
            Request::Tool { name, arguments } => match self.tool(name).map(|tool| &tool.handler) {
                Some(Handler::Deferred(handler)) => {
                    let answer = handler(context, arguments);
                    let errors = self.tool_errors;
                    Box::pin(async move {
                        let answer = match answer.await {
                            Ok(json) => Answer::Returned(json),
                            Err(error) => errors.answer(error.exception),
                        };
                        Answered::new(ticket, answer, TokenUsage::default())
                    })
                }
                Some(Handler::Plugin { plugin, .. }) => {
                    // A session that was restored may have another plugin now.
                    let allowed = plugin.allowed();
                    let allowance = call.allowance.map_or(allowed, |call| call.within(&allowed));
                    let (plugin, function) = (Arc::clone(plugin), member(name));
                    plugin::start(
                        plugin,
                        function,
                        arguments,
                        context,
                        allowance,
                        reach(),
                        self.tool_errors,
                    )
                }
                _ => settled(self.tool_errors.answer(Exception::new(
                    "RuntimeError",
                    format!(
                        "nothing answers {name}() in this process: attach the tool where the session is opened (--tool, tools=, SessionBuilder::tool)"
                    ),
                ))),
            },
            Request::Model {
                prompts,
                batched,
                recursive,
            } => match self.answerer(*recursive) {
                Some(model) => ask(
                    Arc::clone(model),
                    prompts.clone(),
                    batched.then_some(self.batch_width),
                    self.model_errors,
                    limits.model_answer_bytes,
                    context,
                ),
                None => settled(
                    self.model_errors
                        .answer(Exception::new("RuntimeError", NO_MODEL)),
                ),
            },
        }
    }
}

impl Errors {
    /// How a script is told of an error.
    pub(crate) fn answer(self, exception: Exception) -> Answer {
        match self {
            Self::Raise => Answer::Raised(exception),
            Self::Text => Answer::Returned(Json::String(format!("ERROR: {}", exception.message))),
        }
    }
}

/// The name of a member of a namespace, without that.
fn member(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, member)| member)
}

/// Message of a call of a model where the session has none. It is for the model that wrote the script.
pub(crate) const NO_MODEL: &str = "no language model is attached to this session: work without one";

/// Message of a refused model call where the session was recorded with a model and goes on without
/// one. It differs from [`NO_MODEL`], which a journal with a model does not have.
pub(crate) const NO_MODEL_NOW: &str =
    "no language model is attached to this session any more: work without one";

fn ask(
    model: Arc<dyn AnyLm>,
    prompts: Vec<Prompt>,
    batch_width: Option<usize>,
    errors: Errors,
    most_bytes: u64,
    context: ToolContext,
) -> BoxFuture<Answered> {
    let ticket = context.ticket;
    let one = move |prompt: Prompt| {
        let request = LmRequest {
            prompt: prompt.text,
            model: prompt.model,
            call: context.clone(),
        };
        Arc::clone(&model).answer_boxed(request)
    };
    Box::pin(async move {
        let mut answers = stream::iter(prompts)
            .map(one)
            .buffered(batch_width.unwrap_or(1));
        let mut tokens = TokenUsage::default();
        let Some(_) = batch_width else {
            let answer = match answers.next().await {
                Some(Ok(answer)) => {
                    tokens.add(answer.usage.unwrap_or_default());
                    Answer::Returned(Json::String(answer.text))
                }
                Some(Err(error)) => errors.answer(Exception::new("RuntimeError", error.message)),
                None => Answer::error("RuntimeError", "nothing was asked"),
            };
            return Answered::new(ticket, answer, tokens);
        };
        let mut batch = Batch::new(most_bytes);
        while let Some(answer) = answers.next().await {
            batch.push(match answer {
                Ok(answer) => {
                    tokens.add(answer.usage.unwrap_or_default());
                    answer.text
                }
                Err(error) => format!("[ERROR] {error}"),
            });
        }
        Answered::new(ticket, batch.answer(), tokens)
    })
}

/// The answers to the prompts of a batch. It keeps no text once all together have more than the
/// cap.
#[derive(Debug)]
struct Batch {
    slots: Vec<Json>,
    /// Bytes of all of them as JSON.
    bytes: u64,
    most_bytes: u64,
}

impl Batch {
    fn new(most_bytes: u64) -> Self {
        Self {
            slots: Vec::new(),
            bytes: "[]".len() as u64,
            most_bytes,
        }
    }

    fn push(&mut self, text: String) {
        let comma = u64::from(self.bytes > 2);
        let text = Json::String(text);
        self.bytes = self.bytes.saturating_add(comma + json_bytes(&text));
        if self.bytes <= self.most_bytes {
            self.slots.push(text);
        } else {
            self.slots = Vec::new();
        }
    }

    fn answer(self) -> Answer {
        match self.bytes <= self.most_bytes {
            true => Answer::Returned(Json::Array(self.slots)),
            false => Answer::Raised(long_model_answer(self.bytes, self.most_bytes)),
        }
    }
}

/// The started calls of an exec, and those that settled.
#[derive(Default)]
pub(crate) struct InFlight {
    /// Where the imports leave what they start; the guest holds the store.
    pub(crate) inbox: Arc<Mutex<Vec<BoxFuture<Settled>>>>,
    running: FuturesUnordered<BoxFuture<Settled>>,
    pub(crate) settled: Vec<Settled>,
    /// What calls under way were told, and what some cost.
    pub(crate) ledger: Arc<Mutex<Ledger>>,
}

impl InFlight {
    /// Returns whether answers have come to all of `waiting`.
    pub(crate) fn has_all(&self, waiting: &[u64]) -> bool {
        let settled: BTreeSet<u64> = self.settled.iter().map(|settled| settled.ticket).collect();
        waiting.iter().all(|ticket| settled.contains(ticket))
    }

    /// Moves every call as far as it goes.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) {
        let started =
            std::mem::take(&mut *self.inbox.lock().unwrap_or_else(PoisonError::into_inner));
        self.running.extend(started);
        while let Poll::Ready(Some(settled)) = self.running.poll_next_unpin(context) {
            self.settled.push(settled);
        }
    }

    /// Tells the tape of answers that it has not heard of.
    pub(crate) fn note<'a>(&mut self, tape: impl FnOnce() -> &'a mut Tape) {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let is_noted = ledger.all_told().all(|told| told.is_noted)
            && self.settled.iter().all(|settled| settled.is_noted);
        if is_noted {
            return;
        }
        let tape = tape();
        for told in ledger.all_told().filter(|told| !told.is_noted) {
            tape.told(told);
            told.is_noted = true;
        }
        for settled in self.settled.iter_mut().filter(|settled| !settled.is_noted) {
            tape.answered(settled.ticket, &settled.answer, &settled.cost);
            settled.is_noted = true;
        }
    }

    /// Drops whatever is under way.
    pub(crate) fn clear(&mut self) {
        self.inbox
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        self.running.clear();
        self.settled.clear();
        self.ledger().clear();
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for InFlight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InFlight({} running)", self.running.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_call_is_the_one_that_was_recorded() {
        let record = |name: &str, digest_of: &[u8], progress| CallRecord {
            ticket: 3,
            name: name.to_owned(),
            arguments_digest: digest(digest_of),
            progress,
        };
        let call = |ticket, request| Call {
            ticket,
            request,
            open: false,
            allowance: None,
            asked_bytes: 0,
        };
        let asks = |text: &str, model: Option<&str>| Request::Model {
            prompts: vec![Prompt {
                text: text.to_owned(),
                model: model.map(str::to_owned),
            }],
            batched: false,
            recursive: false,
        };
        let asked = record("llm_query", b"why\0m\x01", Progress::Asked);
        assert!(asked.is_of(&call(3, asks("why", Some("m")))));
        for other in [
            call(4, asks("why", Some("m"))),
            call(3, asks("how", Some("m"))),
            call(3, asks("why", None)),
        ] {
            assert!(!asked.is_of(&other), "{other:?}");
        }
        let returned = record("llm_query", b"why\0m\x01", Progress::Returned);
        assert!(!returned.is_of(&call(3, asks("why", Some("m")))));
        let calls = |name: &str, tool: &Tool| {
            let json = r#"{"args":[1],"kwargs":{}}"#;
            let arguments = Arguments::parse(tool, json, u64::MAX).expect("arguments");
            let name = name.to_owned();
            call(3, Request::Tool { name, arguments })
        };
        let tool = Tool::declared("search").parameters(["query"]);
        let asked = record("search", b"", Progress::Asked);
        assert!(asked.is_of(&calls("search", &tool)));
        assert!(!asked.is_of(&calls("erase", &tool)));
        let other = Tool::declared("erase").parameters(["query"]);
        assert!(!asked.is_of(&calls("search", &other)));
    }

    #[test]
    fn a_batch_over_its_cap_keeps_no_text() {
        let (mut small, mut large) = (Batch::new(1 << 20), Batch::new(1000));
        for text in ["", "\"é\n", "[ERROR] x"].into_iter().cycle().take(300) {
            small.push(text.to_owned());
            large.push(text.to_owned());
            assert!(large.slots.len() < 1000);
        }
        let bytes = small.bytes;
        assert!(large.slots.is_empty() && large.slots.capacity() == 0);
        let Answer::Returned(json) = small.answer() else {
            panic!("below the cap");
        };
        assert_eq!(json.to_string().len() as u64, bytes);
        let Answer::Raised(exception) = large.answer() else {
            panic!("over the cap");
        };
        assert_eq!(
            exception.message,
            format!("the model answered {bytes} bytes, more than the 1000 it may; ask for less")
        );
    }
}
