//! What the sandbox gives, in the words of the protocol.

use std::time::Duration;

use rlm_sandbox::{
    Call, Ending, Error, ErrorKind, Exception, Final, Finisher, MOST_LEVELS, Outcome, Progress,
    Request, Session, State, Step, Turn, Validation, Value, Variable, has_reserved_key,
};
use serde::de::IgnoredAny;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::protocol::{
    CallDone, CallSaid, ErrorSaid, FinalSaid, Member, OutcomeSaid, PromptSaid, Report, RewriteSaid,
    Shared, StepSaid, TurnCall, TurnSaid, UsageSaid, Validated, ValueSaid, VariableSaid, Word,
};
use crate::memory::Full;
use crate::wire::{ArgumentsSaid, Failure, answered};

/// Returns an execution of a recorded run for a reply.
pub(super) fn turn(turn: Turn) -> TurnSaid {
    let calls = turn.calls.into_iter().map(|call| TurnCall {
        ticket: call.ticket,
        name: call.name,
        arguments: call.arguments,
    });
    TurnSaid {
        number: turn.number,
        calls: calls.collect(),
        source: turn.source,
    }
}

/// The code of everything that the sandbox itself fails at.
pub(super) const FAILED: i64 = -32000;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::Guest => "guest",
            ErrorKind::Host => "host",
            ErrorKind::Usage => "usage",
            ErrorKind::Limit => "limit",
            ErrorKind::Lost => "lost",
            ErrorKind::Parked => "parked",
            ErrorKind::Journal => "journal",
            ErrorKind::Diverged => "diverged",
            ErrorKind::Canceled => "canceled",
            _ => "other",
        };
        let mut message = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            message.push_str(&format!("; because: {cause}"));
            source = cause.source();
        }
        Self {
            data: Some(serde_json::json!({"kind": kind})),
            ..Self::new(FAILED, message)
        }
    }
}

impl From<Full> for Failure {
    fn from(full: Full) -> Self {
        anyhow::Error::from(full).into()
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        match error.downcast::<Error>() {
            Ok(error) => error.into(),
            Err(error) => Self::usage(format!("{error:#}")),
        }
    }
}

impl Failure {
    /// A request was canceled before it was done.
    pub(crate) fn canceled() -> Self {
        Self {
            data: Some(serde_json::json!({"kind": "canceled"})),
            ..Self::new(FAILED, "the request was canceled")
        }
    }

    /// Somebody asked for what cannot be.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self {
            data: Some(serde_json::json!({"kind": "usage"})),
            ..Self::new(FAILED, message)
        }
    }
}

pub(super) async fn outcome(
    session: &mut Session,
    outcome: Outcome,
    with_report: bool,
) -> Result<OutcomeSaid, Failure> {
    let view = session.view(&outcome);
    let report = match with_report {
        true => Some(session.report(&outcome).await?),
        false => None,
    };
    let stopped = match &outcome.ending {
        Ending::Stopped(stop, _) => Some(stop.word().into()),
        _ => None,
    };
    let crashed = matches!(outcome.ending, Ending::Crashed(_));
    let error = outcome.exception().map(|exception| ErrorSaid {
        stopped,
        crashed,
        ..exception_said(exception)
    });
    let usage = &outcome.usage;
    let usage = UsageSaid {
        fuel: usage.fuel,
        compute: seconds(usage.compute),
        elapsed: seconds(usage.elapsed),
        peak_memory_bytes: usage.peak_memory_bytes,
        live_memory_bytes: usage.live_memory_bytes,
        model_calls: usage.model_calls,
        input_tokens: usage.tokens.input,
        output_tokens: usage.tokens.output,
        recovery_fuel: usage.recovery_fuel,
    };
    let calls = outcome.calls.into_iter().map(|call| CallDone {
        ticket: call.ticket,
        name: call.name,
        progress: Word::Borrowed(match call.progress {
            Progress::Returned => "returned",
            Progress::Raised => "raised",
            Progress::Refused => "refused",
            _ => "asked",
        }),
    });
    let rewrites = outcome.rewrites.into_iter().map(|rewrite| RewriteSaid {
        rule: rewrite.rule,
        line: rewrite.line,
        column: rewrite.column,
    });
    let (stdout, stderr) = (outcome.stdout, outcome.stderr);
    let texts = [
        ("stdout", Shared::Stdout, &stdout),
        ("stderr", Shared::Stderr, &stderr),
    ];
    let report = report.map(|report| sharing(report, texts));
    let (report, report_shares) = report.transpose()?.unzip();
    Ok(OutcomeSaid {
        ok: matches!(outcome.ending, Ending::Value(_)),
        value: match outcome.ending {
            Ending::Value(value) => value.map(self::value),
            _ => None,
        },
        error,
        answer: outcome.finish.map(answer),
        stdout,
        stderr,
        dropped_bytes: outcome.dropped_bytes,
        names: outcome.names,
        calls: calls.collect(),
        pauses: outcome.pauses,
        rewrites: rewrites.collect(),
        state: Word::Borrowed(match outcome.state {
            State::Intact => "intact",
            _ => "rolled-back",
        }),
        usage,
        view,
        report,
        report_shares: report_shares.unwrap_or_default(),
    })
}

/// Returns a report without these texts, which an answer has beside it, and the names of those that
/// it would have. All formats are objects.
fn sharing(
    report: Json,
    texts: [(&str, Shared, &String); 2],
) -> Result<(Report, Vec<Shared>), Failure> {
    let Json::Object(mut members) = report else {
        return Ok((Report(Vec::new()), Vec::new()));
    };
    let mut shared = Vec::new();
    for (name, member, text) in texts {
        if members.get(name).is_some_and(|said| *said == **text) {
            members.remove(name);
            shared.push(member);
        }
    }
    let members = members.into_iter().map(|(name, member)| {
        let member = match member {
            Json::String(text) => Member::Text(text),
            member => Member::Other(answered(member)?),
        };
        Ok((name, member))
    });
    let members: Result<_, Failure> = members.collect();
    Ok((Report(members?), shared))
}

pub(super) async fn step(
    session: &mut Session,
    step: Step,
    with_report: bool,
) -> Result<StepSaid, Failure> {
    Ok(match step {
        Step::Done(done) => StepSaid::Done {
            outcome: outcome(session, done, with_report).await?,
        },
        Step::Waiting(calls) => StepSaid::Waiting {
            waiting: calls.into_iter().map(call).collect(),
        },
    })
}

pub(super) fn call(call: Call) -> CallSaid {
    let name = call.request.name().to_owned();
    let (mut arguments, mut prompts) = (None, None);
    let (mut is_batch, mut is_recursive) = (false, false);
    match call.request {
        Request::Tool {
            arguments: given, ..
        } => arguments = Some(ArgumentsSaid::Of(given)),
        Request::Model {
            prompts: asked,
            batched,
            recursive,
        } => {
            (is_batch, is_recursive) = (batched, recursive);
            let asked = asked.into_iter().map(|prompt| PromptSaid {
                text: prompt.text,
                model: prompt.model,
            });
            prompts = Some(asked.collect());
        }
        _ => {}
    }
    CallSaid {
        ticket: call.ticket,
        name,
        open: call.open,
        arguments,
        prompts,
        batched: is_batch,
        recursive: is_recursive,
    }
}

/// JSON as a guest claims it, on one line, and not where it nests deeper than readers of JSON
/// go or has very many values. It stays text: a tree of very many small values takes a hundred times as much.
fn checked(json: Option<String>) -> Option<Box<RawValue>> {
    let is_read = |json: &String| {
        let shape = Shape::of(json);
        shape.depth <= MOST_LEVELS && shape.values <= MOST_VALUES && !has_reserved_key(json)
    };
    let json = json.filter(is_read)?;
    serde_json::from_str::<IgnoredAny>(&json).ok()?;
    // Between values only: in a text they would be escaped.
    let json = match json.contains(['\n', '\r']) {
        true => json.replace(['\n', '\r'], " "),
        false => json,
    };
    RawValue::from_string(json).ok()
}

/// Digits of the longest number that every reader of JSON takes, with its sign, fraction and exponent: Python stops at 4,300.
const LONGEST_NUMBER: usize = 1000;

/// Returns whether every reader of JSON takes the nesting, the numbers and the texts of a message, and every
/// reader of lines takes it for one: some end a line at a carriage return, which no session sends
/// (in a text it is escaped).
pub(super) fn is_plain(json: &RawValue) -> bool {
    let shape = Shape::of(json.get());
    shape.depth <= MOST_LEVELS + ENVELOPE
        && shape.longest_number <= LONGEST_NUMBER
        && !json.get().contains(['\n', '\r'])
        && pairs_surrogates(json.get())
}

/// Returns whether each escape of half a surrogate pair stands beside the other half. One that does not is valid JSON,
/// and no text: Python reads it and fails when it writes it, and Rust refuses it.
fn pairs_surrogates(json: &str) -> bool {
    let mut escapes = json.bytes().enumerate().filter(|(_, byte)| *byte == b'\\');
    let unit = |at: usize| {
        let digits = json.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    while let Some((at, _)) = escapes.next() {
        match unit(at) {
            Some(0xD800..0xDC00) => {
                if !matches!(unit(at + 6), Some(0xDC00..0xE000)) {
                    return false;
                }
                escapes.next();
            }
            Some(0xDC00..0xE000) => return false,
            // The character that is escaped may be another backslash.
            None if json.as_bytes().get(at + 1) == Some(&b'\\') => {
                escapes.next();
            }
            _ => {}
        }
    }
    true
}

/// Levels that messages have around values.
const ENVELOPE: usize = 20;

/// Values of one list or dictionary, with all in it. A client takes up to a hundred bytes for each.
const MOST_VALUES: usize = 1_000_000;

/// Measures of valid JSON.
struct Shape {
    /// Levels of lists and objects.
    depth: usize,
    /// Upper bound of the number of values.
    values: usize,
    /// Characters of the longest number.
    longest_number: usize,
}

impl Shape {
    fn of(json: &str) -> Self {
        let mut shape = Self {
            depth: 0,
            values: 1,
            longest_number: 0,
        };
        let (mut depth, mut number) = (0_usize, 0);
        let (mut is_in_text, mut is_escaped) = (false, false);
        for byte in json.bytes() {
            number = match byte {
                b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E' if !is_in_text => number + 1,
                _ => 0,
            };
            shape.longest_number = shape.longest_number.max(number);
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if is_in_text => is_escaped = true,
                b'"' => is_in_text = !is_in_text,
                _ if is_in_text => {}
                b'[' | b'{' => {
                    depth += 1;
                    shape.values += 1;
                    shape.depth = shape.depth.max(depth);
                }
                b']' | b'}' => depth = depth.saturating_sub(1),
                b',' | b':' => shape.values += 1,
                _ => {}
            }
        }
        shape
    }
}

pub(super) fn value(value: Value) -> ValueSaid {
    let json = checked(value.json);
    ValueSaid {
        repr: value.repr,
        truncated: value.truncated,
        has_value: json.is_some(),
        value: json,
    }
}

pub(super) fn variable(variable: Variable) -> VariableSaid {
    VariableSaid {
        name: variable.name,
        kind: variable.kind,
        repr: variable.repr,
        size: variable.size,
        value: checked(variable.json),
    }
}

fn answer(finish: Final) -> FinalSaid {
    let (by, name) = match finish.by {
        Finisher::Variable(name) => ("variable", Some(name)),
        Finisher::Undefined(name) => ("undefined", Some(name)),
        Finisher::Fields(_) => ("fields", None),
        Finisher::Ready => ("ready", None),
        _ => ("direct", None),
    };
    FinalSaid {
        by: Word::Borrowed(by),
        name,
        answer: value(finish.answer),
    }
}

fn exception_said(exception: &Exception) -> ErrorSaid {
    ErrorSaid {
        kind: exception.kind.clone(),
        message: exception.message.clone(),
        cause: exception.cause.as_str().into(),
        traceback: exception.traceback.clone(),
        hint: exception.hint.clone(),
        exit_code: exception.exit_code(),
        stopped: None,
        crashed: false,
    }
}

pub(super) fn validation(validation: Validation) -> Validated {
    Validated {
        ok: validation.is_ok(),
        message: validation.message,
        error: validation.exception.as_ref().map(exception_said),
        unknown_names: validation.unknown_names,
        note: validation.note,
    }
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_with_half_of_a_surrogate_pair_is_not_plain() {
        let is_plain = |json: &str| {
            let json: Box<RawValue> = serde_json::from_str(json).expect("valid JSON");
            super::is_plain(&json)
        };
        for text in [
            r#"{"a":"\ud83d\ude00"}"#,
            r#"{"\ud83d\ude00":"\u00e9\\"}"#,
            r#"["\\ud800", "\\\\ud800", "\n\ud83d\ude00\ud83d\ude00"]"#,
        ] {
            assert!(is_plain(text), "{text}");
        }
        for text in [
            r#"{"a":"\ud800"}"#,
            r#"{"a":"\uDC00"}"#,
            r#"{"\ud83d":1}"#,
            r#"["\ud83d\ud83d\ude00"]"#,
            r#"["\ud83d\\ude00"]"#,
            r#"["\ud83d \ude00"]"#,
            r#"["\\\ud800"]"#,
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
