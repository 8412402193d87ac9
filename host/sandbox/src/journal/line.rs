//! One line of a journal: what crossed the wall, or what came of it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::header::{Given, Header};
use crate::arguments::read_bytes;
use crate::call::Answer;
use crate::cost::{Allowance, Charge};
use crate::model::TokenUsage;
use crate::outcome::{Ending, Exception, Finisher, Look, Outcome, State, Stop};
use crate::value::has_reserved_key;
use rlm_sandbox_engine::hex;

/// The version of the format; a reader knows its own and no other.
pub(crate) const FORMAT: u32 = 2;
/// Bytes of a text that is there to be read by people, next to its digest.
const SHOWN_BYTES: usize = 4 << 10;

/// In JSON an object with one member, named as the variant.
///
/// What is there to be read comes before its digest, so that a difference is
/// told in words where that is possible.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
pub(crate) enum Line {
    Header(Box<Header>),
    /// The contexts that scripts see from here on.
    Contexts {
        files: Vec<Given>,
        default: Option<Given>,
    },
    Set {
        name: String,
        value: Said,
    },
    Get {
        name: String,
    },
    Variables {
        look: Look,
    },
    Exec {
        number: u64,
        source: String,
        /// Seconds by which the time of day has gone on between executions, all together.
        #[serde(default, skip_serializing_if = "is_zero")]
        waited_s: u64,
        at_us: u64,
    },
    /// The script goes on with the answers to these, in this order, or is ended.
    Resume {
        tickets: Vec<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<Stop>,
    },
    Call(Box<CallLine>),
    /// The read of the clock that told the script to end.
    Stop {
        why: Stop,
        read: Count,
        fuel: Count,
    },
    /// A deferred call was answered.
    Answer {
        ticket: u64,
        answer: Said,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<TokenUsage>,
        /// What a plugin used of the session's budget.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        charge: Option<Charge>,
        at_us: u64,
    },
    /// A model answered a plugin, in the middle of its call.
    Told {
        ticket: u64,
        /// Which of its questions, from 0.
        number: u64,
        /// Digest of the prompt.
        prompt: String,
        answer: Said,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<TokenUsage>,
        at_us: u64,
    },
    /// The turn was handed back; the script waits.
    Suspended {
        waiting: Vec<u64>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        open: Vec<u64>,
        fuel: Count,
        total: Count,
    },
    /// What was no script was done.
    Returned {
        digest: String,
        fuel: Count,
        total: Count,
    },
    /// What was no script was not done.
    Failed {
        why: String,
        killed: bool,
    },
    Outcome(Box<OutcomeLine>),
    /// The session was written down and goes on in what was loaded: of itself,
    /// or because somebody asked. Without bytes, writing it was broken off, and nothing changed.
    Base {
        asked: bool,
        bytes: u64,
        digest: String,
    },
    Reset {},
    TimeLimit {
        time: Duration,
        /// The budget of fuel that it came to, where that follows the time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fuel: Option<Count>,
    },
    /// The script was dropped, in the middle of a turn or between two.
    GivenUp {
        inside: bool,
    },
    End {
        execs: u64,
        total: Count,
    },
}

/// One call of a script, with what it was told at once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct CallLine {
    pub(crate) ticket: u64,
    pub(crate) name: String,
    /// As far as a person wants to read them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) arguments: Option<String>,
    /// Of the arguments, if that is not all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<String>,
    /// Of the exec, when it was made.
    pub(crate) fuel: Count,
    pub(crate) reply: Said,
    /// Prompts to the model, if it is one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) prompts: u64,
    /// True if it was not carried out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) refused: bool,
    /// What a call of a plugin may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) set_aside: Option<Allowance>,
}

/// How an exec ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct OutcomeLine {
    pub(crate) exec: u64,
    pub(crate) ending: Ended,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shown: Option<String>,
    /// The final answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stdout: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stderr: Option<String>,
    pub(crate) fuel: Count,
    pub(crate) total: Count,
    pub(crate) digest: String,
    pub(crate) rolled_back: bool,
    /// True if it was killed between two checkpoints, which nothing repeats.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) killed: bool,
    /// True if the interpreter ran out of native stack, whose size differs from
    /// machine to machine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) overflow: bool,
    pub(crate) compute_us: u64,
    pub(crate) elapsed_us: u64,
}

/// The word for an [`Ending`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ended {
    Value,
    Raised,
    Stopped,
    Crashed,
}

/// What somebody was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Said {
    #[serde(with = "raw")]
    Returned(String),
    Raised {
        kind: String,
        message: String,
    },
    /// The answer comes later.
    Pending,
    Stopped,
    /// Its keyed digest.
    Redacted(String),
}

impl Said {
    /// Returns the bytes of its text.
    pub(crate) fn text_bytes(&self) -> u64 {
        let bytes = match self {
            Self::Returned(text) | Self::Redacted(text) => text.len(),
            Self::Raised { kind, message } => kind.len() + message.len(),
            Self::Pending | Self::Stopped => 0,
        };
        bytes as u64
    }
}

/// A number that may be larger than what readers of JSON keep exactly, as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Count(pub(crate) u64);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

/// A moment, in seconds since 1970 as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start(pub(crate) SystemTime);

impl Serialize for Start {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let since = self.0.duration_since(UNIX_EPOCH).unwrap_or_default();
        serializer.collect_str(&format_args!(
            "{}.{:09}",
            since.as_secs(),
            since.subsec_nanos()
        ))
    }
}

impl<'de> Deserialize<'de> for Start {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let read = || {
            let (seconds, nanoseconds) = text.split_once('.')?;
            // Nine digits are less than a second, which `Duration::new` could not carry.
            let nanoseconds: u32 = match nanoseconds.len() {
                9 => nanoseconds.parse().ok()?,
                _ => return None,
            };
            let since = Duration::new(seconds.parse().ok()?, nanoseconds);
            UNIX_EPOCH.checked_add(since)
        };
        let start = read().ok_or_else(|| D::Error::custom("this is no time"))?;
        Ok(Self(start))
    }
}

/// A number as a [`Count`].
pub(crate) mod as_text {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
        Count(*number).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        Count::deserialize(from).map(|count| count.0)
    }
}

/// JSON that is kept to the letter.
mod raw {
    use super::*;

    pub(super) fn serialize<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(json).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<String, D::Error> {
        Ok(Box::<RawValue>::deserialize(deserializer)?.get().to_owned())
    }
}

impl Said {
    /// An answer, as the guest is told it.
    pub(crate) fn of(answer: &Answer) -> Self {
        match answer {
            Answer::Returned(value) => Self::Returned(value.to_string()),
            Answer::Raised(exception) => Self::Raised {
                kind: exception.kind.clone(),
                message: exception.message.clone(),
            },
        }
    }

    /// The answer again, if it is one that can be read.
    pub(crate) fn answer(&self) -> Option<Answer> {
        match self {
            Self::Returned(json) if !is_readable(json) => None,
            Self::Returned(json) => Some(Answer::Returned(parse(json)?)),
            Self::Raised { kind, message } => Some(Answer::error(kind.as_str(), message.as_str())),
            Self::Pending | Self::Stopped | Self::Redacted(_) => None,
        }
    }

    /// Returns the answer again, of one that a handler of this process gave, however deep it nests.
    pub(crate) fn kept(&self) -> Answer {
        let read = |json: &String| {
            let mut json = serde_json::Deserializer::from_str(json);
            json.disable_recursion_limit();
            serde_json::Value::deserialize(&mut json).ok()
        };
        match self {
            Self::Returned(json) if has_reserved_key(json) => None,
            Self::Returned(json) => read(json).map(Answer::Returned),
            other => other.answer(),
        }
        .unwrap_or_else(|| Answer::error("RuntimeError", "the answer cannot be read again"))
    }

    /// Returns whether [`answer`](Self::answer) could read it.
    pub(crate) fn is_readable(&self) -> bool {
        match self {
            Self::Returned(json) => is_readable(json),
            _ => true,
        }
    }

    /// What it comes to, as bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Returned(json) => json.clone().into_bytes(),
            Self::Raised { kind, message } => format!("{kind}: {message}").into_bytes(),
            Self::Pending | Self::Stopped | Self::Redacted(_) => Vec::new(),
        }
    }
}

/// Returns whether JSON nests no deeper than a small stack can read, and has no more
/// values than fit into half a gigabyte when they are read.
pub(crate) fn is_readable(json: &str) -> bool {
    is_readable_within(json, 400)
}

/// Returns whether JSON nests no deeper than `most_depth`, which a small stack has to be able to read, and has no more
/// values than fit into half a gigabyte when they are read.
pub(crate) fn is_readable_within(json: &str, most_depth: usize) -> bool {
    const MOST_BYTES: u64 = 512 << 20;
    // Nothing takes a thousand times its text.
    let is_small = json.len() as u64 <= MOST_BYTES / 1000 || read_bytes(json) <= MOST_BYTES;
    is_small && is_bounded(json, most_depth, LINE_VALUES)
}

/// Values of a line of a journal.
pub(crate) const LINE_VALUES: usize = 8_000_000;
/// Values of the header: as many tools, parameters, contexts and outputs as a session may have. Each takes many times
/// its text.
pub(crate) const HEADER_VALUES: usize = 500_000;

/// Returns whether JSON has no more than `most_values`, nests no deeper than `most_depth`, and has no key that hides
/// others from these counts.
pub(crate) fn is_bounded(json: &str, most_depth: usize, most_values: usize) -> bool {
    if has_reserved_key(json) {
        return false;
    }
    let mut values = 0_usize;
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                values += 1;
            }
            b',' | b':' if !in_text => values += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > most_depth || values > most_values {
            return false;
        }
    }
    true
}

fn parse(json: &str) -> Option<serde_json::Value> {
    let mut reader = serde_json::Deserializer::from_str(json);
    reader.disable_recursion_limit();
    let value = serde_json::Value::deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(value)
}

impl Line {
    /// Returns whether it can stand between the look at a variable and the end of it.
    pub(crate) fn may_end_a_look(&self) -> bool {
        matches!(
            self,
            Self::Stop { .. } | Self::Returned { .. } | Self::Failed { .. } | Self::GivenUp { .. }
        )
    }

    /// What a person calls it.
    pub(crate) fn noun(&self) -> String {
        match self {
            Self::Header(_) => {
                String::from("the header (guest, engine, seed, clock, limits, profile, functions)")
            }
            Self::Contexts { .. } => String::from("the contexts"),
            Self::Set { name, .. } => format!("the variable `{}`", one_line(name)),
            Self::Get { name } => format!("the look at `{}`", one_line(name)),
            Self::Variables { .. } => String::from("the look at all variables"),
            Self::Exec { number, .. } => format!("the source of exec {number}"),
            Self::Resume { .. } => String::from("the resumption"),
            Self::Call(call) => format!("call {}, `{}`", call.ticket, one_line(&call.name)),
            Self::Stop { why, .. } => format!("the stop for {}", why.word()),
            Self::Answer { ticket, .. } => format!("the answer to call {ticket}"),
            Self::Told { ticket, number, .. } => {
                format!("what the model told the plugin of call {ticket} at question {number}")
            }
            Self::Suspended { .. } => String::from("the wait for answers"),
            Self::Returned { .. } | Self::Failed { .. } => String::from("what came of it"),
            Self::Outcome(outcome) => format!("the outcome of exec {}", outcome.exec),
            Self::Base { .. } => String::from("the state that was written down"),
            Self::Reset {} => String::from("the reset"),
            Self::TimeLimit { .. } => String::from("the time limit"),
            Self::GivenUp { .. } => String::from("the end of a script that was dropped"),
            Self::End { .. } => String::from("the end"),
        }
    }
}

impl Line {
    /// Says that writing a base that was due was broken off.
    pub(crate) fn no_base() -> Self {
        Self::Base {
            asked: false,
            bytes: 0,
            digest: String::new(),
        }
    }

    /// The call that it is about.
    pub(crate) fn ticket(&self) -> Option<u64> {
        match self {
            Self::Call(call) => Some(call.ticket),
            Self::Answer { ticket, .. } | Self::Told { ticket, .. } => Some(*ticket),
            _ => None,
        }
    }
}

impl OutcomeLine {
    /// What is kept of an outcome. `shows` says whether people may read it.
    pub(crate) fn new(exec: u64, outcome: &Outcome, total: u64, shows: bool) -> Self {
        let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let shown = |text: &str| (shows && !text.is_empty()).then(|| cut(text).to_owned());
        let (ending, text) = match &outcome.ending {
            Ending::Value(value) => {
                let repr = value.as_ref().map(|value| cut(&value.repr).to_owned());
                (Ended::Value, repr.unwrap_or_default())
            }
            Ending::Raised(exception) => (Ended::Raised, exception.to_string()),
            Ending::Stopped(_, exception) => (Ended::Stopped, exception.to_string()),
            Ending::Crashed(exception) => (Ended::Crashed, exception.to_string()),
        };
        Self {
            exec,
            ending,
            shown: shown(&text),
            answer: outcome
                .finish
                .as_ref()
                .and_then(|finish| shown(&finish.answer.repr)),
            stdout: shown(&outcome.stdout),
            stderr: shown(&outcome.stderr),
            fuel: Count(outcome.usage.fuel),
            total: Count(total),
            digest: digest_of(outcome),
            rolled_back: outcome.state == State::RolledBack,
            killed: false,
            overflow: false,
            compute_us: microseconds(outcome.usage.compute),
            elapsed_us: microseconds(outcome.usage.elapsed),
        }
    }
}

/// Characters of a text that a line of the timeline has room for.
const WIDTH: usize = 96;

/// The beginning of a text, on one line.
pub(super) fn one_line(text: &str) -> String {
    let mut line: String = text
        .chars()
        .take(WIDTH)
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect();
    if text.chars().nth(WIDTH).is_some() {
        line.push('…');
    }
    line
}

/// The digest of everything of an outcome that is the same in every repetition.
fn digest_of(outcome: &Outcome) -> String {
    let mut hash = Sha256::new();
    let mut part = |part: &str| {
        // No two outcomes are the same text cut at different places.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    let mut exception = |exception: &Exception, why: &str| {
        // What to do about a limit follows from which one it was.
        let hint = exception.hint.as_deref();
        let hint = hint.filter(|_| why == "raised" || why == "crashed");
        for text in [
            why,
            &exception.kind,
            &exception.message,
            exception.cause.as_str(),
            &exception.traceback,
            hint.unwrap_or_default(),
        ] {
            part(text);
        }
    };
    match &outcome.ending {
        Ending::Value(None) => part("none"),
        Ending::Value(Some(value)) => {
            part(&value.repr);
            part(value.json.as_deref().unwrap_or_default());
            part(if value.truncated { "cut" } else { "whole" });
        }
        Ending::Raised(raised) => exception(raised, "raised"),
        Ending::Stopped(why, told) => exception(told, why.word()),
        Ending::Crashed(told) => exception(told, "crashed"),
    }
    if let Some(finish) = &outcome.finish {
        part("finish");
        part(&finish.answer.repr);
        part(finish.answer.json.as_deref().unwrap_or_default());
        match &finish.by {
            Finisher::Direct => part("direct"),
            Finisher::Variable(name) => part(&format!("variable {name}")),
            Finisher::Undefined(name) => part(&format!("undefined {name}")),
            Finisher::Fields(fields) => fields.iter().for_each(|(name, _)| part(name)),
            Finisher::Ready => part("ready"),
        }
    }
    part(&outcome.stdout);
    part(&outcome.stderr);
    part(&outcome.dropped_bytes.to_string());
    outcome.names.iter().for_each(|name| part(name));
    for call in &outcome.calls {
        part(call.progress.word());
    }
    hex(&hash.finalize())
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// As much of a text as a person wants to read.
pub(crate) fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHOWN_BYTES)]
}
