//! What all doors have in common: a line of JSON for each message, both ways,
//! and nothing else on standard output.
//!
//! [`Wire::text`] is all that a protocol with its own library needs. The others
//! speak JSON-RPC 2.0 in both directions: [`Wire::next`] gives requests and
//! notifications, tells the other side what is no message, and hands answers to
//! whoever asked through the [`Peer`].

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead as _, BufReader, Read as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::{mpsc, oneshot};

use crate::terminal::Terminal;

/// Bytes of the longest line that is read. The bytes that a line takes are kept
/// until the message has been dealt with.
pub(crate) const LONGEST_LINE: u64 = 512 << 20;
/// Lines that are read before anybody asks for them.
const AHEAD: usize = 4;

/// Codes of JSON-RPC 2.0, section 5.1.
pub(crate) const PARSE_ERROR: i64 = -32700;
pub(crate) const INVALID_REQUEST: i64 = -32600;
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;
pub(crate) const INTERNAL_ERROR: i64 = -32603;

/// Scripts run on its threads, as many as there are cores.
pub(crate) fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
}

/// One line of input, as it came.
enum Line {
    Text(String),
    NotText,
    TooLong,
}

/// The program's end of the streams.
pub(crate) struct Wire {
    lines: mpsc::Receiver<Line>,
    peer: Peer,
}

/// Sends messages to the other side, and asks it.
#[derive(Clone)]
pub(crate) struct Peer(Arc<Inner>);

struct Inner {
    terminal: Terminal,
    asked: Mutex<HashMap<String, oneshot::Sender<Answer>>>,
    next: AtomicU64,
}

/// What a request comes to, whoever asked.
pub(crate) type Answer = Result<Box<RawValue>, Failure>;

/// Answers with a value; all of ours have JSON.
pub(crate) fn answered(value: impl Serialize) -> Answer {
    to_raw_value(&value).map_err(|error| Failure::new(INTERNAL_ERROR, error.to_string()))
}

/// The `error` of a response.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failure {
    pub(crate) code: i64,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Json>,
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
}

impl Message {
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

impl Wire {
    /// Reads standard input on a thread of its own, from now on.
    pub(crate) fn new(terminal: &Terminal, longest: u64) -> Self {
        let (sender, lines) = mpsc::channel(AHEAD);
        let mut input = BufReader::new(terminal.input());
        std::thread::spawn(move || {
            while let Some(line) = read_line(&mut input, longest) {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            lines,
            peer: Peer(Arc::new(Inner {
                terminal: terminal.clone(),
                asked: Mutex::default(),
                next: AtomicU64::new(0),
            })),
        }
    }

    pub(crate) fn peer(&self) -> Peer {
        self.peer.clone()
    }

    /// The next line, or none when nobody writes or reads any more.
    async fn line(&mut self) -> Option<Line> {
        if self.peer.is_gone() {
            return None;
        }
        self.lines.recv().await
    }

    /// The next line that has anything on it; what is no text is refused.
    pub(crate) async fn text(&mut self) -> Option<String> {
        loop {
            let why = match self.line().await? {
                Line::Text(line) if line.trim().is_empty() => continue,
                Line::Text(line) => return Some(line),
                Line::NotText => "the line is not UTF-8; send each message as one line of JSON",
                Line::TooLong => "the line is too long; send less at a time",
            };
            self.peer.refuse(PARSE_ERROR, why);
        }
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
            let line = self.text().await?;
            match Envelope::parse(&line) {
                Ok(Envelope {
                    id,
                    method: Some(method),
                    params,
                    ..
                }) => return Some(Message { id, method, params }),
                Ok(answer) => self.peer.settle(answer),
                Err(failure) => self.peer.refuse(failure.code, failure.message),
            }
        }
    }
}

/// The next line without its end; none at the end of input, also where that
/// comes in the middle of a line that is no message yet.
fn read_line(input: &mut impl std::io::BufRead, longest: u64) -> Option<Line> {
    let mut line = Vec::new();
    let taken = input.take(longest + 1).read_until(b'\n', &mut line).ok()?;
    if taken == 0 {
        return None;
    }
    if line.pop_if(|last| *last == b'\n').is_none() {
        if taken as u64 > longest {
            drop(line);
            return input.skip_until(b'\n').ok().map(|_| Line::TooLong);
        }
        // Whoever wrote half a line is gone, or the last line has no end.
        serde_json::from_slice::<&RawValue>(&line).ok()?;
    }
    Some(String::from_utf8(line).map_or(Line::NotText, Line::Text))
}

#[derive(Deserialize)]
struct Envelope {
    jsonrpc: Option<String>,
    id: Option<Box<RawValue>>,
    method: Option<String>,
    params: Option<Box<RawValue>>,
    result: Option<Box<RawValue>>,
    error: Option<Json>,
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
        let envelope: Self = serde_json::from_str(line)
            .map_err(|error| refused(error.is_data(), &error.to_string()))?;
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
        let message = match error.get("message").unwrap_or(&error) {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        let code = error.get("code").and_then(Json::as_i64);
        Err(Failure {
            data: error.get("data").cloned(),
            ..Failure::new(code.unwrap_or(INVALID_REQUEST), message)
        })
    }
}

/// The JSON with a sign for what is no character in place of halves of surrogate
/// pairs, which other languages let into their texts.
pub(crate) fn healed(json: &str) -> Cow<'_, str> {
    let unit = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (mut text, mut done, mut at) = (String::new(), 0, 0);
    while let Some(found) = memchr::memchr(b'\\', &json.as_bytes()[at..]) {
        at += found;
        match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at += 12,
            (Some(0xd800..=0xdfff), _) => {
                text.push_str(&json[done..at]);
                text.push_str("\\ufffd");
                at += 6;
                done = at;
            }
            _ => at += 2,
        }
        if at >= json.len() {
            break;
        }
    }
    if done == 0 {
        return json.into();
    }
    text.push_str(&json[done..]);
    text.into()
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
        // Our own types have JSON.
        let mut line = serde_json::to_string(message).unwrap_or_default();
        line.push('\n');
        self.0.terminal.print(&line);
    }

    fn write<T: Serialize>(&self, body: Body<'_, T>) {
        self.send(&Sent {
            jsonrpc: "2.0",
            body,
        });
    }

    /// Whether nobody reads what is sent.
    pub(crate) fn is_gone(&self) -> bool {
        self.0.terminal.is_closed()
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

    /// Tells of something that was no message.
    fn refuse(&self, code: i64, message: impl Into<String>) {
        let error = Failure::new(code, message);
        self.write(Body::Error { id: None, error });
    }

    /// Asks the other side. Dropping the future gives up waiting.
    pub(crate) async fn ask(&self, method: &str, params: impl Serialize) -> Answer {
        let id = format!("r{}", self.0.next.fetch_add(1, Ordering::Relaxed));
        let (sender, reply) = oneshot::channel();
        self.asked().insert(id.clone(), sender);
        let waiting = Waiting { peer: self, id };
        self.write(Body::Request {
            id: &waiting.id,
            method,
            params,
        });
        let gone = Failure::new(INVALID_REQUEST, "the other side is gone");
        reply.await.unwrap_or(Err(gone))
    }

    /// Hands an answer to whoever asked.
    fn settle(&self, answer: Envelope) {
        let id = answer.id.as_deref().map(RawValue::get);
        let id: Option<String> = id.and_then(|id| serde_json::from_str(id).ok());
        // An answer that nobody waits for any more may come.
        if let Some(waiting) = id.and_then(|id| self.asked().remove(&id)) {
            let _ = waiting.send(answer.reply());
        }
    }

    fn asked(&self) -> std::sync::MutexGuard<'_, HashMap<String, oneshot::Sender<Answer>>> {
        self.0.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that has no answer yet.
struct Waiting<'a> {
    peer: &'a Peer,
    id: String,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.peer.asked().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8], longest: u64) -> Vec<String> {
        let mut input = input;
        std::iter::from_fn(|| read_line(&mut input, longest))
            .map(|line| match line {
                Line::Text(text) => text,
                Line::NotText => String::from("(not text)"),
                Line::TooLong => String::from("(too long)"),
            })
            .collect()
    }

    #[test]
    fn halves_of_surrogate_pairs_become_a_sign() {
        for (json, text) in [
            (r#""a\ud83db""#, "a\u{fffd}b"),
            (r#""\ud83d\ude00""#, "\u{1f600}"),
            (r#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"),
            (r#""\\ud83d \n\u00e9""#, "\\ud83d \n\u{e9}"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            ("\"\u{e9}\"", "\u{e9}"),
        ] {
            let read: String = serde_json::from_str(&healed(json)).expect(json);
            assert_eq!(read, text, "{json}");
        }
        assert_eq!(healed(r#""\ud8"#), r#""\ud8"#);
    }

    #[test]
    fn a_line_is_a_message_whatever_stands_around_it() {
        assert_eq!(
            lines(b"{}\n\xff\n[1]\r\n", 9),
            ["{}", "(not text)", "[1]\r"]
        );
        assert_eq!(lines(b"0123456789\n{}\n", 9), ["(too long)", "{}"]);
        assert_eq!(lines(b"012345678\n{}\n", 9), ["012345678", "{}"]);
        assert_eq!(lines(b"{}\n{\"half", 9), ["{}"]);
        assert_eq!(lines(b"{}", 9), ["{}"]);
    }
}
