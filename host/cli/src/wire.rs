//! What all doors have in common: a line of JSON for each message, both ways,
//! and nothing else on standard output.
//!
//! [`Wire::text`] is all that a protocol with its own library needs. The others
//! speak JSON-RPC 2.0 in both directions: [`Wire::next`] gives requests and
//! notifications, tells the other side what is no message, and hands answers to
//! whoever asked through the [`Peer`].
//!
//! A line is bounded in bytes and, as parsed values take many times their text, in
//! values. A line above either limit is not parsed: a scan finds its id, and the client
//! gets an error under that.

mod arguments;
mod input;
mod scan;
mod surrogates;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::BufReader;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use rlm_sandbox::{ToolContext, has_reserved_key, python_json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value as Json, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use crate::isolation;
use crate::terminal::Terminal;
pub(crate) use arguments::{ArgumentsSaid, Members, ReadArguments};
pub(crate) use input::{Held, MessageOptions, Text};
use input::{Line, read_line};
use scan::{About, LONGEST_ID, Scan};
pub(crate) use surrogates::healed;

/// The time that requests have to be answered after the end of the input: a client may have sent all that it wants, or be gone.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Requests that end something, which are taken when others are not.
const URGENT: [&str; 3] = ["cancel", "close", "shutdown"];
/// Lines of a client that are in memory at the same time, but for those that were asked for before the last one.
const AHEAD: usize = 4;

/// Codes of JSON-RPC 2.0, section 5.1.
pub(crate) const PARSE_ERROR: i64 = -32700;
pub(crate) const INVALID_REQUEST: i64 = -32600;
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;
pub(crate) const INTERNAL_ERROR: i64 = -32603;

/// An error where the system refuses the thread of [`Wire::new`].
pub(crate) const CANNOT_READ: &str = "cannot start the thread that reads standard input";

/// Scripts run on its threads, as many as there are cores.
/// Says on a terminal what a server reads there, where a program would write.
pub(crate) fn say_what_is_read(terminal: &Terminal, protocol: &str) {
    if terminal.is_typed {
        terminal.error(&format!(
            "this reads messages of {protocol}, which a program writes to its standard input; Ctrl-D ends it\n"
        ));
    }
}

pub(crate) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    isolation::keep_threads(&mut builder);
    builder.enable_all().build()
}

/// Panics at the requests of a method that `RLM_SANDBOX_PANIC` names, in builds with debug assertions: tests see that a
/// bug of ours costs one answer.
pub(crate) fn panic_if_wanted(method: &str) {
    let is_wanted = || std::env::var_os("RLM_SANDBOX_PANIC").is_some_and(|wanted| wanted == method);
    assert!(
        !cfg!(debug_assertions) || !is_wanted(),
        "a test wants this panic"
    );
}

/// Runs a future; none if it panics.
pub(crate) async fn unless_it_panics<F: Future>(future: F) -> Option<F::Output> {
    AssertUnwindSafe(future).catch_unwind().await.ok()
}

/// The program's end of the streams.
pub(crate) struct Wire {
    lines: mpsc::Receiver<Line>,
    /// Lets the thread that reads read one more line.
    more: std::sync::mpsc::Sender<()>,
    /// True if a line was handed out, which is dealt with once the next one is asked for.
    has_line: bool,
    peer: Peer,
    options: MessageOptions,
    /// Bytes of requests that have no answer yet.
    waiting: Arc<AtomicU64>,
    /// True if a line that is no message, or too much, ends it.
    is_strict: bool,
}

/// Sends messages to the other side, and asks it.
#[derive(Clone)]
pub(crate) struct Peer(Arc<Inner>);

struct Inner {
    terminal: Terminal,
    asked: Mutex<HashMap<String, Asker>>,
    next: AtomicU64,
    /// Questions that are given up, and whose answers may come.
    given_up: AtomicU64,
    /// The answer to every question, once the other side is known to be gone.
    gone: OnceLock<Failure>,
    /// The place of a long answer of a side that is not trusted.
    long: Arc<Semaphore>,
    /// Limits of the process that started this one on what it is asked, in an isolated process.
    to_parent: Option<MessageOptions>,
}

/// Bytes of the message of an error that the other side answers with.
const ERROR_BYTES: usize = 64 << 10;
/// Bytes of the class of its exception.
const KIND_BYTES: usize = 1000;

/// An answer that may be long, which the next long one waits for.
type Placed = (Answer, Option<OwnedSemaphorePermit>);

/// Bytes of an answer that is long.
const LONG_BYTES: usize = 1 << 20;

/// Where the answer to a question goes.
struct Asker {
    sender: oneshot::Sender<Placed>,
    /// Bytes of an answer as its script gets it.
    answer_bytes: u64,
}

impl Asker {
    /// Hands an answer over. Keeps one that is far too long as a text that is a little too long,
    /// since a session may take its time to look at it.
    fn settle(self, answer: Answer, place: Option<OwnedSemaphorePermit>) {
        let is_far_too_long = |json: &RawValue| {
            json.get().len() as u64 > self.answer_bytes.saturating_mul(WRITTEN_BYTES)
        };
        let answer = match answer {
            Ok(json) if is_far_too_long(&json) => {
                let bytes = usize::try_from(self.answer_bytes).unwrap_or(usize::MAX);
                answered("x".repeat(bytes.saturating_add(1)))
            }
            answer => answer,
        };
        let _ = self.sender.send((answer, place));
    }
}

/// What a request comes to, whoever asked.
pub(crate) type Answer = Result<Box<RawValue>, Failure>;

/// Answers with a value; all of ours have JSON.
pub(crate) fn answered(value: impl Serialize) -> Answer {
    to_raw_value(&value).map_err(|error| Failure::new(INTERNAL_ERROR, error.to_string()))
}

/// A result that is written as JSON when its turn has come. Until then it takes the memory of its
/// texts alone: as JSON, a control character takes six bytes.
pub(crate) trait Reply: Send {
    /// Returns its bytes as JSON.
    fn json_bytes(&self) -> u64;

    /// Answers a request with it; a notification gets no answer.
    fn answer(&self, id: Option<&RawValue>, peer: &Peer);
}

impl<T: Serialize + Send> Reply for T {
    fn json_bytes(&self) -> u64 {
        json_bytes(self)
    }

    fn answer(&self, id: Option<&RawValue>, peer: &Peer) {
        peer.answer(id, Ok(self));
    }
}

/// What a request comes to, not written as JSON yet.
pub(crate) type Replied = Result<Box<dyn Reply>, Failure>;

/// Answers with a value, which is written later; all of ours have JSON.
pub(crate) fn replied(value: impl Serialize + Send + 'static) -> Replied {
    Ok(Box::new(value))
}

/// Returns the bytes of a value as JSON, without writing it anywhere.
pub(crate) fn json_bytes(value: &impl Serialize) -> u64 {
    struct Counter(u64);

    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut counter = Counter(0);
    // Nothing fails but a value without JSON, which is not sent either.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// The `error` of a response.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failure {
    pub(crate) code: i64,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Json>,
}

/// Bytes of JSON as a client may write it, for each as a script gets it: escapes of characters
/// take six for one.
const WRITTEN_BYTES: u64 = 6;

/// Reads the answer to a tool's call, as [`python_json`] does with `tags`, and with a sign for each
/// half of a surrogate pair, as models write them when they are cut off. One that is far too long
/// for the script is not read: as text it is refused like any other that is too long.
///
/// # Errors
///
/// Those of [`python_json`].
pub(crate) fn read_answer(
    context: &ToolContext,
    json: &str,
    tags: bool,
) -> rlm_sandbox::Result<Json> {
    if json.len() as u64 > context.answer_bytes().saturating_mul(WRITTEN_BYTES) {
        return Ok(Json::String(json.to_owned()));
    }
    python_json(&healed(json), tags)
}

impl Failure {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// The class of the exception that the other side names.
    pub(crate) fn exception(&self) -> Option<&str> {
        self.data.as_ref()?.get("type")?.as_str()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// What the other side wants.
pub(crate) struct Message {
    /// None for a notification, which nobody answers.
    pub(crate) id: Option<Box<RawValue>>,
    pub(crate) method: String,
    params: Option<Box<RawValue>>,
    #[expect(dead_code, reason = "it counts while the message is there")]
    held: Held,
}

impl Message {
    /// Returns the parameters as they came; an empty object if there are none.
    pub(crate) fn params(&self) -> Box<RawValue> {
        let params = self.params.as_deref().map(ToOwned::to_owned);
        params.unwrap_or_else(|| RawValue::from_string(String::from("{}")).expect("JSON"))
    }

    /// The parameters as a type of ours.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        let params = self.params.as_deref().map_or("{}", RawValue::get);
        let wrong = |why: String| {
            let message = format!("params of {}: {why}", self.method);
            Failure::new(INVALID_PARAMS, message)
        };
        // Lists would be taken for the members in their order.
        if !params.starts_with('{') {
            return Err(wrong(String::from("give an object")));
        }
        let params = healed(params);
        let mut params = serde_json::Deserializer::from_str(&params);
        serde_path_to_error::deserialize(&mut params).map_err(|error| {
            let path = error.path().to_string();
            let why = error.into_inner();
            wrong(match path.as_str() {
                "." => why.to_string(),
                path => format!("{path}: {why}"),
            })
        })
    }
}

impl Peer {
    /// Returns the terminal of the operator.
    pub(crate) fn terminal(&self) -> &Terminal {
        &self.0.terminal
    }

    /// Writes to the operator's standard error what the other side must not read.
    pub(crate) fn tell_operator(&self, text: &str) {
        self.0.terminal.error(text);
    }
}

impl Wire {
    /// Reads standard input on a thread of its own, from now on.
    ///
    /// # Errors
    ///
    /// The system's error where it refuses the thread.
    pub(crate) fn new(terminal: &Terminal, options: &MessageOptions) -> std::io::Result<Self> {
        let options = *options;
        let ahead = options.lines_ahead(AHEAD);
        let (sender, lines) = mpsc::channel(ahead);
        let (more, wanted) = std::sync::mpsc::channel();
        (0..ahead).for_each(|_| {
            let _ = more.send(());
        });
        let mut input = BufReader::new(terminal.input());
        std::thread::Builder::new().spawn(move || {
            while wanted.recv().is_ok()
                && let Some(line) = read_line(&mut input, options)
            {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self {
            lines,
            more,
            has_line: false,
            peer: Peer(Arc::new(Inner {
                terminal: terminal.clone(),
                asked: Mutex::default(),
                next: AtomicU64::new(0),
                given_up: AtomicU64::new(0),
                gone: OnceLock::new(),
                long: Arc::new(Semaphore::new(1)),
                to_parent: isolation::Role::of_process().map(|_| options),
            })),
            options,
            waiting: Arc::default(),
            is_strict: false,
        })
    }

    /// Takes what is no message, or too much, for the end: the other side is a process of this program.
    pub(crate) fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    pub(crate) fn peer(&self) -> Peer {
        self.peer.clone()
    }

    /// The next line, or none when nobody writes or reads any more.
    async fn line(&mut self) -> Option<Line> {
        if self.peer.is_gone() {
            return None;
        }
        if std::mem::take(&mut self.has_line) {
            // The thread is gone at the end of the input.
            let _ = self.more.send(());
        }
        let line = self.lines.recv().await;
        self.has_line = line.is_some();
        line
    }

    /// The next line that has anything on it; what is no text, or too large, is refused.
    pub(crate) async fn text(&mut self) -> Option<Text> {
        loop {
            let refused = match self.line().await? {
                Line::Text(text) if text.line.trim().is_empty() => None,
                Line::Text(text) if has_reserved_key(&text.line) => {
                    let why = "a key begins with `$serde_json::private::`, which is reserved";
                    let mut scan = Scan::default();
                    scan.feed(text.line.as_bytes());
                    Some((scan.about(), Failure::new(INVALID_REQUEST, why)))
                }
                Line::Text(text) => return Some(text),
                Line::NotText => {
                    let why = "the line is not UTF-8; send each message as one line of JSON";
                    Some((About::default(), Failure::new(PARSE_ERROR, why)))
                }
                Line::TooLong(about) => Some((about, self.options.too_long())),
                Line::TooMany(about) => Some((about, self.options.too_many())),
            };
            if self.is_strict {
                return None;
            }
            if let Some((about, failure)) = refused {
                self.peer.reject(about, failure);
            }
        }
    }

    /// Counts a request among those that wait, or refuses it.
    pub(crate) fn hold(&self, text: &Text, is_urgent: bool) -> Option<Held> {
        let held = Held::new(&self.waiting, text, is_urgent, self.options);
        if held.is_none() && !self.is_strict {
            let mut scan = Scan::default();
            scan.feed(text.line.as_bytes());
            self.peer
                .reject(scan.about(), self.options.too_many_waiting());
        }
        held
    }

    /// Refuses a line that is no message, under its id if it has one.
    pub(crate) fn refuse(&self, line: &str, code: i64, why: &str) {
        match Envelope::parse(line) {
            Ok(envelope) if envelope.method.is_some() => {
                let refused: Result<(), _> = Err(Failure::new(code, why));
                self.peer.answer(envelope.id.as_deref(), refused);
            }
            Ok(_) => self.peer.refuse(code, why),
            Err(failure) => self.peer.refuse(failure.code, failure.message),
        }
    }

    /// The next request or notification, or none at the end.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        loop {
            let Text { line, .. } = self.text().await?;
            match Envelope::parse(&line) {
                Ok(Envelope {
                    id,
                    method: Some(method),
                    params,
                    ..
                }) => {
                    // A notification of another process of this program is passed on at once.
                    let is_passing = self.is_strict && id.is_none();
                    let is_urgent = is_passing || URGENT.contains(&method.as_str());
                    // The params stay text until they are dealt with.
                    let text = Text { line, values: 0 };
                    if let Some(held) = self.hold(&text, is_urgent) {
                        return Some(Message {
                            id,
                            method,
                            params,
                            held,
                        });
                    }
                    if self.is_strict {
                        // As a script is refused a call for which there is no room.
                        let refused: Result<(), _> = Err(self.options.too_many_calls());
                        self.peer.answer(id.as_deref(), refused);
                    }
                }
                Ok(Envelope {
                    id: Some(id),
                    result: None,
                    error: None,
                    ..
                }) if !self.is_strict && !self.peer.asks(&id) => {
                    let why = "the message has no method";
                    let refused: Result<(), _> = Err(Failure::new(INVALID_REQUEST, why));
                    self.peer.answer(Some(&id), refused);
                }
                Ok(answer) => {
                    // One at a time is in memory, until it is passed on.
                    let is_long = self.is_strict && line.len() > LONG_BYTES;
                    drop(line);
                    let place = match is_long {
                        true => Arc::clone(&self.peer.0.long).acquire_owned().await.ok(),
                        false => None,
                    };
                    if !self.peer.settle(answer, place) && self.is_strict {
                        return None;
                    }
                }
                Err(_) if self.is_strict => return None,
                Err(failure) => self.peer.refuse(failure.code, failure.message),
            }
        }
    }
}

/// Returns the method and the params of a line that is a notification.
pub(crate) fn notification(line: &str) -> Option<(String, Option<Box<RawValue>>)> {
    let envelope = Envelope::parse(line).ok()?;
    match (envelope.id, envelope.method) {
        (None, Some(method)) => Some((method, envelope.params)),
        _ => None,
    }
}

#[derive(Deserialize)]
struct Envelope {
    jsonrpc: Option<String>,
    #[serde(default, deserialize_with = "given")]
    id: Option<Box<RawValue>>,
    method: Option<String>,
    params: Option<Box<RawValue>>,
    #[serde(default, deserialize_with = "given")]
    result: Option<Box<RawValue>>,
    error: Option<Box<RawValue>>,
}

/// Reads a member that is there, also as `null`.
fn given<'de, D: Deserializer<'de>>(member: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(member).map(Some)
}

impl Envelope {
    fn parse(line: &str) -> Result<Self, Failure> {
        let refused = |is_json, why: &str| {
            let code = match is_json {
                true => INVALID_REQUEST,
                false => PARSE_ERROR,
            };
            Failure::new(code, format!("the line is no JSON-RPC message: {why}"))
        };
        if !line.trim_start().starts_with('{') {
            let is_json = serde_json::from_str::<&RawValue>(line).is_ok();
            let why = "each line is one object; batches are not supported";
            return Err(refused(is_json, why));
        }
        let mut envelope: Self = serde_json::from_str(line)
            .map_err(|error| refused(error.is_data(), &error.to_string()))?;
        if let Some(id) = &envelope.id
            && id.get() == "null"
        {
            if envelope.method.is_some() {
                return Err(refused(true, "its id is null; a notification has none"));
            }
            envelope.id = None;
        }
        let is_id = |id: &RawValue| scan::is_id(id.get());
        if !envelope.id.as_deref().is_none_or(is_id) {
            let why = format!("its id is no text or number of at most {LONGEST_ID} bytes");
            return Err(refused(true, &why));
        }
        let is_answer = envelope.result.is_some() || envelope.error.is_some();
        match (&envelope.method, envelope.jsonrpc.as_deref()) {
            // Who answers is understood, however it is put.
            (None, _) if is_answer || envelope.id.is_some() => Ok(envelope),
            (Some(_), Some("2.0")) => Ok(envelope),
            (None, _) => Err(refused(true, "it has neither a method nor an id")),
            (Some(_), _) => Err(refused(true, "it does not say \"jsonrpc\": \"2.0\"")),
        }
    }

    /// What an answer says; an error in whatever form it comes.
    fn reply(self) -> Answer {
        let Some(error) = self.error else {
            return Ok(self.result.unwrap_or_else(|| RawValue::NULL.to_owned()));
        };
        // It answers a question, whatever it says. Nothing is built of what is not passed on.
        let healed = healed(error.get());
        let said = serde_json::from_str::<ErrorSaid>(&healed).unwrap_or_default();
        let mut message = match said.message {
            Some(message) => text_of(message.get()),
            None => text_of(&healed),
        };
        message.truncate(message.floor_char_boundary(ERROR_BYTES));
        message.shrink_to_fit();
        let code = said
            .code
            .and_then(|code| serde_json::from_str::<i64>(code.get()).ok());
        let data = said
            .data
            .map(RawValue::get)
            .map(serde_json::from_str::<KindsSaid>);
        let data = data.and_then(Result::ok).unwrap_or_default();
        // The class of an exception, and the kind of an error of a worker.
        let kinds = [("type", data.kind_of_exception), ("kind", data.kind)];
        let kinds = kinds.into_iter().filter_map(|(name, kind)| {
            let kind = serde_json::from_str::<String>(kind?.get()).ok()?;
            Some((
                name,
                kind[..kind.floor_char_boundary(KIND_BYTES)].to_owned(),
            ))
        });
        let kinds: BTreeMap<_, _> = kinds.collect();
        Err(Failure {
            data: (!kinds.is_empty()).then(|| json!(kinds)),
            ..Failure::new(code.unwrap_or(INVALID_REQUEST), message)
        })
    }
}

/// The members of an error that are passed on.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorSaid<'e> {
    #[serde(borrow)]
    code: Option<&'e RawValue>,
    #[serde(borrow, deserialize_with = "even_null")]
    message: Option<&'e RawValue>,
    #[serde(borrow)]
    data: Option<&'e RawValue>,
}

/// The members of its data that are passed on.
#[derive(Default, Deserialize)]
#[serde(default)]
struct KindsSaid<'e> {
    #[serde(borrow, rename = "type")]
    kind_of_exception: Option<&'e RawValue>,
    #[serde(borrow)]
    kind: Option<&'e RawValue>,
}

/// Reads a member that is there, also where it is null.
fn even_null<'e, D: Deserializer<'e>>(member: D) -> Result<Option<&'e RawValue>, D::Error> {
    <&RawValue>::deserialize(member).map(Some)
}

/// Returns a text, or the beginning of another value as JSON.
fn text_of(json: &str) -> String {
    let cut = || json[..json.floor_char_boundary(ERROR_BYTES)].to_owned();
    serde_json::from_str::<String>(json).unwrap_or_else(|_| cut())
}

/// What is sent.
#[derive(Serialize)]
struct Sent<'a, T> {
    jsonrpc: &'static str,
    #[serde(flatten)]
    body: Body<'a, T>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Body<'a, T> {
    Request {
        id: &'a str,
        method: &'a str,
        params: T,
    },
    Notification {
        method: &'a str,
        params: T,
    },
    Result {
        id: &'a RawValue,
        result: T,
    },
    Error {
        id: Option<&'a RawValue>,
        error: T,
    },
}

impl Peer {
    /// Writes one line.
    pub(crate) fn send(&self, message: &impl Serialize) {
        self.0.terminal.print_json(message);
    }

    fn write<T: Serialize>(&self, body: Body<'_, T>) {
        self.send(&Sent {
            jsonrpc: "2.0",
            body,
        });
    }

    /// Returns whether the reader of the messages is gone.
    pub(crate) fn is_gone(&self) -> bool {
        self.0.terminal.is_closed()
    }

    /// Waits at the end of the input until standard output has no reader, or [`LAST_WORDS`] have passed. Questions to the other
    /// side fail, since no answer can come.
    pub(crate) async fn until_gone(&self) {
        self.hang_up(Failure::new(INVALID_REQUEST, "the other side is gone"));
        let since = Instant::now();
        while !self.0.terminal.has_no_reader() && since.elapsed() < LAST_WORDS {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) fn notify(&self, method: &str, params: impl Serialize) {
        self.write(Body::Notification { method, params });
    }

    /// Answers a request; a notification gets no answer.
    pub(crate) fn answer<T: Serialize>(&self, id: Option<&RawValue>, result: Result<T, Failure>) {
        let Some(id) = id else { return };
        match result {
            Ok(result) => self.write(Body::Result { id, result }),
            Err(error) => self.write(Body::Error {
                id: Some(id),
                error,
            }),
        }
    }

    /// Refuses a message that was not parsed, under its id if that is known.
    fn reject(&self, about: About, failure: Failure) {
        match (about.id, about.has_method) {
            (Some(id), true) => self.answer::<()>(Some(&id), Err(failure)),
            // An answer to a question that waits, which fails.
            (Some(id), false) => self.settle_with(&id, Err(failure)),
            (None, _) => self.write(Body::Error {
                id: None,
                error: failure,
            }),
        }
    }

    /// Tells of something that was no message.
    fn refuse(&self, code: i64, message: impl Into<String>) {
        let error = Failure::new(code, message);
        self.write(Body::Error { id: None, error });
    }

    /// Asks the other side, for an answer of so many bytes. Dropping the future gives up waiting.
    pub(crate) async fn ask(
        &self,
        method: &str,
        params: impl Serialize,
        answer_bytes: u64,
    ) -> Answer {
        self.begin(method, params, answer_bytes).answer().await
    }

    /// Sends a question, before it returns, and leaves it to the caller to wait for the answer.
    pub(crate) fn begin(
        &self,
        method: &str,
        params: impl Serialize,
        answer_bytes: u64,
    ) -> Question {
        let id = format!("r{}", self.0.next.fetch_add(1, Ordering::Relaxed));
        let (sender, reply) = oneshot::channel();
        let asker = Asker {
            sender,
            answer_bytes,
        };
        self.asked().insert(id.clone(), asker);
        let peer = self.clone();
        let question = Question { peer, id, reply };
        let checked = self
            .0
            .to_parent
            .map(|options| options.check_question(&params));
        match (self.0.gone.get(), checked) {
            (Some(failure), _) => self.hang_up(failure.clone()),
            (None, Some(Err(failure))) => {
                if let Some(asker) = self.asked().remove(&question.id) {
                    asker.settle(Err(failure), None);
                }
            }
            (None, _) => self.write(Body::Request {
                id: &question.id,
                method,
                params,
            }),
        }
        question
    }

    /// Fails what was asked and what will be, since the other side is gone.
    pub(crate) fn hang_up(&self, failure: Failure) {
        let failure = self.0.gone.get_or_init(|| failure);
        let askers: Vec<_> = self.asked().drain().collect();
        for (_, asker) in askers {
            asker.settle(Err(failure.clone()), None);
        }
    }

    /// Hands an answer on, which is not read before. Returns false for one to no question.
    fn settle(&self, mut answer: Envelope, place: Option<OwnedSemaphorePermit>) -> bool {
        let asker = answer.id.take().and_then(|id| self.asker(&id));
        if let Some(asker) = asker {
            asker.settle(answer.reply(), place);
            return true;
        }
        let left = |given_up: u64| given_up.checked_sub(1);
        let given_up = &self.0.given_up;
        given_up
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left)
            .is_ok()
    }

    fn settle_with(&self, id: &RawValue, answer: Answer) {
        if let Some(asker) = self.asker(id) {
            asker.settle(answer, None);
        }
    }

    /// Returns whether a question of this id waits for its answer.
    fn asks(&self, id: &RawValue) -> bool {
        let id = serde_json::from_str::<String>(id.get());
        id.is_ok_and(|id| self.asked().contains_key(&id))
    }

    /// Returns the end of the question of this id that waits, if it does.
    fn asker(&self, id: &RawValue) -> Option<Asker> {
        let id: String = serde_json::from_str(id.get()).ok()?;
        self.asked().remove(&id)
    }

    fn asked(&self) -> std::sync::MutexGuard<'_, HashMap<String, Asker>> {
        self.0.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that was sent and has no answer yet. Dropping it gives up waiting.
pub(crate) struct Question {
    peer: Peer,
    id: String,
    reply: oneshot::Receiver<Placed>,
}

impl Question {
    pub(crate) async fn answer(self) -> Answer {
        self.placed().await.0
    }

    /// Returns the answer with the place that it has if it is long: until that is dropped, no other long one is read.
    pub(crate) async fn placed(mut self) -> (Answer, Option<OwnedSemaphorePermit>) {
        let gone = || Failure::new(INVALID_REQUEST, "the other side is gone");
        let answered = (&mut self.reply).await;
        answered.unwrap_or_else(|_| (Err(gone()), None))
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        if self.peer.asked().remove(&self.id).is_some() {
            self.peer.0.given_up.fetch_add(1, Ordering::Relaxed);
            if self.peer.0.to_parent.is_some() {
                let id = self.id.clone();
                self.peer.notify(GIVEN_UP, GivenUp { id });
            }
        }
    }
}

/// The notification of an isolated process to the one that started it: it gives up a question.
pub(crate) const GIVEN_UP: &str = "given-up";

/// The params of [`GIVEN_UP`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenUp {
    /// The id of the question.
    pub(crate) id: String,
}
