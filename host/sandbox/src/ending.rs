//! From what a guest claims to what an embedder reads.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::bindings::exports::rlm::sandbox::repl::{self, Failure, Frame, PastException};
use crate::bindings::rlm::sandbox::types;
use crate::caps::{self, FRAMES, KIND_BYTES, LISTED_VALUES, NAME_BYTES};
use crate::limits::Limits;
use crate::open_calls::CallLimit;
use crate::outcome::{Cause, Ending, Exception, Final, Finisher, Stop, exit_code};
use crate::value::Value;

/// Frames like the last one after which Python only counts.
const REPEATS_SHOWN: usize = 3;

/// Returns whether a script exited with the status 0.
pub(crate) fn exits(ending: &repl::Ending) -> bool {
    match ending {
        repl::Ending::Raised(failure) => {
            exit_code(&failure.exception.kind, &failure.exception.message) == Some(0)
        }
        _ => false,
    }
}

/// Reads a guest's ending. `stop` is why the host wanted the script to end, if
/// it did; it knows better than the guest.
pub(crate) fn read(
    ending: repl::Ending,
    stop: Option<Stop>,
    limits: &Limits,
    call_limit: Option<CallLimit>,
) -> Ending {
    match ending {
        repl::Ending::Value(value) => Ending::Value(value.map(|value| value_of(value, limits))),
        repl::Ending::Raised(failure) => match exception(failure, limits) {
            exit if exit.exit_code() == Some(0) => Ending::Value(None),
            exception => Ending::Raised(exception),
        },
        repl::Ending::Stopped((claim, failure)) => {
            let why = stop.unwrap_or(claim.into());
            let frames = failure.as_ref().map_or(&[][..], |failure| &failure.frames);
            let mut exception = stopped_by(why, limits, call_limit);
            if let (Stop::Memory, Some(failure)) = (why, &failure) {
                let message = failure.exception.message.clone();
                exception.message = caps::cut(message, STOP_BYTES);
            }
            exception.traceback = traceback(frames, &exception);
            Ending::Stopped(why, exception)
        }
    }
}

impl Ending {
    /// Sets the line of a script that was ended for what it printed: the interpreter stops it a little later.
    pub(crate) fn printed_at(self, seen: Option<Seen>) -> Self {
        match self {
            Self::Stopped(Stop::Output, exception) if seen.is_some() => {
                Self::Stopped(Stop::Output, exception.seen_at(seen))
            }
            other => other,
        }
    }

    /// Sets the cause to [`Cause::LlmBudget`] if the script ended with the exception that refused its prompts.
    pub(crate) fn refused_by(mut self, refusal: Option<&str>) -> Self {
        if let Self::Raised(exception) = &mut self
            && exception.kind == "RuntimeError"
            && Some(exception.message.as_str()) == refusal
        {
            exception.cause = Cause::LlmBudget;
        }
        self
    }
}

/// Reads a value that a guest claims; what is over [`Limits::value_bytes`] is cut.
pub(crate) fn value_of(value: repl::Value, limits: &Limits) -> Value {
    let most = limits.value_bytes as usize;
    let mut repr = value.repr;
    let truncated = value.truncated || repr.len() > most;
    repr.truncate(repr.floor_char_boundary(most));
    Value {
        repr,
        json: value.json.filter(|json| json.len() <= most),
        truncated,
    }
}

/// Reads what a guest claims to be the answer of a run.
pub(crate) fn finish(finish: repl::Finish, limits: &Limits) -> Final {
    Final {
        answer: value_of(finish.answer, limits),
        by: match finish.by {
            repl::Finisher::Direct => Finisher::Direct,
            repl::Finisher::Variable(name) => Finisher::Variable(caps::cut(name, NAME_BYTES)),
            repl::Finisher::Undefined(name) => Finisher::Undefined(caps::cut(name, KIND_BYTES)),
            repl::Finisher::Fields(fields) => {
                let most = (limits.value_bytes as usize).saturating_mul(LISTED_VALUES);
                let (mut room, mut reprs, mut jsons) = (caps::Room::default(), most, most);
                let fields = fields.into_iter().filter(|(name, _)| room.take(name));
                let fields = fields.map(|(name, value)| {
                    let mut value = value_of(value, limits);
                    value.truncated |= value.repr.len() > reprs;
                    value.repr.truncate(value.repr.floor_char_boundary(reprs));
                    value.json = value.json.filter(|json| json.len() <= jsons);
                    reprs -= value.repr.len();
                    jsons -= value.json.as_ref().map_or(0, String::len);
                    (name, value)
                });
                Finisher::Fields(fields.collect())
            }
            repl::Finisher::Ready => Finisher::Ready,
        },
    }
}

impl From<types::Stop> for Stop {
    fn from(stop: types::Stop) -> Self {
        match stop {
            types::Stop::Time => Self::Time,
            types::Stop::Deadline => Self::Deadline,
            types::Stop::Fuel => Self::Fuel,
            types::Stop::Memory => Self::Memory,
            types::Stop::Output => Self::Output,
            types::Stop::Calls => Self::Calls,
            types::Stop::Budget => Self::Budget,
            types::Stop::Canceled => Self::Canceled,
        }
    }
}

impl From<Stop> for types::Stop {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Time => Self::Time,
            Stop::Deadline => Self::Deadline,
            Stop::Fuel => Self::Fuel,
            Stop::Memory => Self::Memory,
            Stop::Output => Self::Output,
            Stop::Calls => Self::Calls,
            Stop::Budget => Self::Budget,
            Stop::Canceled => Self::Canceled,
        }
    }
}

/// What a person is told about a limit.
pub(crate) fn stop_exception(why: Stop, limits: &Limits) -> Exception {
    stopped_by(why, limits, None)
}

/// Returns the exception of an execution that a limit ended; `call_limit` is the one that refused a call, if one did.
pub(crate) fn stopped_by(why: Stop, limits: &Limits, call_limit: Option<CallLimit>) -> Exception {
    let (kind, message, cause) = match why {
        Stop::Time => (
            "TimeoutError",
            format!("timeout: time limit exceeded: {:?}", limits.time),
            Cause::Timeout,
        ),
        Stop::Deadline => (
            "TimeoutError",
            format!(
                "timeout: deadline exceeded: {:?}",
                limits.deadline.unwrap_or_default()
            ),
            Cause::Timeout,
        ),
        Stop::Fuel => (
            "TimeoutError",
            format!("timeout: fuel limit exceeded: {}", limits.fuel_budget()),
            Cause::Fuel,
        ),
        Stop::Memory => (
            "MemoryError",
            format!("memory limit exceeded: {} bytes", limits.memory_bytes),
            Cause::Memory,
        ),
        Stop::Output => (
            "RuntimeError",
            format!("output limit exceeded: {} bytes", limits.output_bytes),
            Cause::OutputLimit,
        ),
        Stop::Calls => (
            "RuntimeError",
            format!(
                "external call limit exceeded: {}",
                refused_by(call_limit, limits)
            ),
            Cause::HostCallLimit,
        ),
        Stop::Budget => (
            "RuntimeError",
            String::from("budget exceeded"),
            Cause::LlmBudget,
        ),
        Stop::Canceled => (
            "KeyboardInterrupt",
            String::from("canceled"),
            Cause::Canceled,
        ),
    };
    let mut exception = Exception::new(kind, message).caused_by(cause);
    exception.hint = instead(why).map(String::from);
    exception
}

/// Returns the words for the limit that refused a call.
fn refused_by(limit: Option<CallLimit>, limits: &Limits) -> String {
    let Some(limit) = limit else {
        return format!(
            "{} calls in one execution, {} open at a time, {} bytes of their arguments",
            limits.calls,
            limits.open_calls,
            limits.open_bytes()
        );
    };
    match limit {
        CallLimit::Calls => format!("{} calls in one execution", limits.calls),
        CallLimit::OpenCalls => format!("{} calls open at a time", limits.open_calls),
        CallLimit::OpenBytes => format!(
            "{} bytes of arguments of open calls; wait for answers before asking on",
            limits.open_bytes()
        ),
        CallLimit::Sandbox => String::from(
            "the arguments of the open calls of all sessions take together a quarter of the memory of \
             all sessions (`--limit total-memory`); wait for answers, or try again later",
        ),
    }
}

/// Returns what a script can do about a limit that it reached.
fn instead(why: Stop) -> Option<&'static str> {
    match why {
        Stop::Time | Stop::Fuel => Some("do less in one script, or work on a part of the data"),
        Stop::Memory => Some(
            "go through what is large in slices, and keep only the results; an owner can allow more memory",
        ),
        Stop::Output => Some("print less: a part, a count or a summary"),
        _ => None,
    }
}

/// The line of a script that printed or called last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// Scripts of a session count from 0.
    pub(crate) script: u32,
    /// Counts from 1.
    pub(crate) line: u32,
}

impl Exception {
    /// Sets the traceback of an exception whose script is gone with its instance.
    pub(crate) fn seen_at(mut self, seen: Option<Seen>) -> Self {
        self.traceback = match seen {
            Some(Seen { script, line }) => format!(
                "Traceback (last seen at line {line}):\n  File \"<python-input-{script}>\", line {line}\n{self}"
            ),
            None => self.to_string(),
        };
        self
    }
}

/// The script did not end within `grace`; the instance is gone.
pub(crate) fn killed_exception(why: Stop, limits: &Limits) -> Exception {
    match why {
        Stop::Time => Exception::new(
            "TimeoutError",
            format!(
                "exec_python timed out after {}ms (host timeout backstop)",
                limits.time.as_millis()
            ),
        )
        .caused_by(Cause::Timeout),
        other => stop_exception(other, limits),
    }
}

/// The interpreter crashed; `what` is all that is known.
pub(crate) fn crash_exception(what: &str) -> Exception {
    let mut exception = Exception::new("SystemError", format!("the interpreter crashed: {what}"))
        .caused_by(Cause::Trap);
    if what.contains("MontyGraph") {
        exception.hint = Some(String::from(
            "a class was passed to a host function together with one of its instances; pass plain values",
        ));
    }
    exception.traceback = exception.to_string();
    exception
}

/// The most of the message of a limit.
const STOP_BYTES: usize = 1000;
/// The most of a message that a handler may raise.
const MESSAGE_BYTES: usize = 100 << 10;

impl From<Exception> for types::Exception {
    /// What Python sees of it, which is kept as answers are, and so has a cap.
    fn from(exception: Exception) -> Self {
        let (mut kind, mut message) = (exception.kind, exception.message);
        for (text, most) in [(&mut kind, KIND_BYTES), (&mut message, MESSAGE_BYTES)] {
            if text.len() > most {
                text.truncate(text.floor_char_boundary(most));
                text.push('…');
            }
        }
        Self { kind, message }
    }
}

/// A source is looked at by the guest, which takes fences off first, where it is no longer
/// than so many times [`Limits::source_bytes`].
const FENCED: u64 = 16;

/// Returns the exception for a source that is refused without being copied to the guest.
pub(crate) fn too_long(source: &str, limits: &Limits) -> Option<Exception> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let (bytes, limit) = (source.len() as u64, u64::from(limits.source_bytes));
    if bytes <= limit.saturating_mul(FENCED) {
        return None;
    }
    let message = format!("source is too long: {bytes} bytes > {limit} bytes");
    let mut exception = Exception::new("SyntaxError", message).caused_by(Cause::Source);
    exception.traceback = exception.to_string();
    Some(exception)
}

/// Reads a guest's word for an exception.
pub(crate) fn exception(failure: Failure, limits: &Limits) -> Exception {
    // The guest adds where a source is wrong, and the kind of import.
    let most = (limits.value_bytes as usize).min(caps::MESSAGE_BYTES) + SUFFIX_BYTES;
    let mut exception = Exception {
        kind: caps::cut(failure.exception.kind, KIND_BYTES),
        message: caps::cut(failure.exception.message, most),
        cause: Cause::parse(&caps::word(failure.cause)),
        traceback: String::new(),
        hint: caps::hint(failure.hint),
    };
    exception.traceback =
        earlier_exceptions(failure.past) + &traceback(&failure.frames, &exception);
    exception
}

/// The most earlier exceptions that a traceback shows.
const PAST: usize = 8;
/// The most frames that it shows of each of them.
const PAST_FRAMES: usize = 1000;
/// The most bytes of the frames of each of them.
const PAST_TRACEBACK_BYTES: usize = 16 << 10;

/// Returns the lines that Python prints before a traceback: the exceptions that came before, and how they are related.
fn earlier_exceptions(past: Vec<PastException>) -> String {
    let mut text = String::new();
    for PastException {
        exception,
        frames,
        is_cause,
    } in past.into_iter().take(PAST).rev()
    {
        let exception = Exception::new(
            caps::cut(exception.kind, KIND_BYTES),
            caps::cut(exception.message, STOP_BYTES),
        );
        let frames = &frames[..frames.len().min(PAST_FRAMES)];
        let shown = traceback_within(frames, &exception, PAST_TRACEBACK_BYTES);
        let what = match is_cause {
            true => "The above exception was the direct cause of the following exception:",
            false => "During handling of the above exception, another exception occurred:",
        };
        let _ = write!(text, "{shown}\n\n{what}\n\n");
    }
    text
}

/// Bytes that a message may have beside its cap.
const SUFFIX_BYTES: usize = 100;
/// The most of the frames of a traceback; those in the middle are left out.
const TRACEBACK_BYTES: usize = 256 << 10;
/// The most of a name or of a line of the script in it.
const PART_BYTES: usize = 4 << 10;

/// Returns the text that Python prints for an uncaught exception.
fn traceback(frames: &[Frame], exception: &Exception) -> String {
    traceback_within(frames, exception, TRACEBACK_BYTES)
}

/// Returns the same with frames of so many bytes at the most.
fn traceback_within(frames: &[Frame], exception: &Exception, most: usize) -> String {
    let frames = &frames[..frames.len().min(FRAMES)];
    let mut text = String::new();
    if !frames.is_empty() && exception.cause != Cause::Syntax {
        text.push_str("Traceback (most recent call last):\n");
    }
    push_within(shown_frames(frames, exception), most, &mut text);
    let _ = write!(text, "{exception}");
    text
}

/// The first and the last of them, if all are more than `most` bytes.
fn push_within(frames: Vec<String>, most: usize, text: &mut String) {
    let fitting = |frames: &mut dyn Iterator<Item = &String>| {
        let mut bytes = 0;
        frames
            .take_while(|frame| {
                bytes += frame.len();
                bytes <= most / 2
            })
            .count()
    };
    if frames.iter().map(String::len).sum::<usize>() <= most {
        text.extend(frames);
        return;
    }
    let first = fitting(&mut frames.iter());
    let last = fitting(&mut frames[first..].iter().rev());
    let (head, tail) = frames.split_at(first);
    let (left_out, tail) = tail.split_at(tail.len() - last);
    text.extend(head.iter().map(String::as_str));
    if !left_out.is_empty() {
        let _ = writeln!(text, "  [{} more of these are left out]", left_out.len());
    }
    text.extend(tail.iter().map(String::as_str));
}

/// Each as it is printed; of many like one another the first, and their number.
fn shown_frames(frames: &[Frame], exception: &Exception) -> Vec<String> {
    let mut all = Vec::new();
    let mut same = 0;
    for (index, frame) in frames.iter().enumerate() {
        let repeats = index.checked_sub(1).is_some_and(|before| {
            let before = &frames[before];
            (&before.file, before.line, &before.function)
                == (&frame.file, frame.line, &frame.function)
        });
        same = if repeats { same + 1 } else { 0 };
        if same < REPEATS_SHOWN {
            all.push(shown_frame(frame, exception.cause == Cause::Syntax));
        }
        let last_of_run = frames.get(index + 1).is_none_or(|next| {
            (&next.file, next.line, &next.function) != (&frame.file, frame.line, &frame.function)
        });
        if last_of_run && same >= REPEATS_SHOWN {
            let more = same + 1 - REPEATS_SHOWN;
            all.push(format!(
                "  [Previous line repeated {more} more time{}]\n",
                if more == 1 { "" } else { "s" }
            ));
        }
    }
    all
}

fn part(text: &str) -> &str {
    &text[..text.floor_char_boundary(PART_BYTES)]
}

fn shown_frame(frame: &Frame, is_syntax_error: bool) -> String {
    let mut text = format!("  File \"{}\", line {}", part(&frame.file), frame.line);
    if !is_syntax_error {
        let function = frame.function.as_deref().unwrap_or("<module>");
        let _ = write!(text, ", in {}", part(function));
    }
    text.push('\n');
    let Some(line) = &frame.text else { return text };
    let line = part(line);
    let shown = line.trim_start();
    let _ = writeln!(text, "    {}", shown.trim_end());
    let indent = line.chars().count() - shown.chars().count();
    // What begins in the indentation, which is not shown, has no marks, as in Python.
    if frame.end_column > frame.column && frame.column as usize > indent {
        let start = frame.column as usize - (1 + indent);
        // A claim about a long line must not become a long text.
        let width = ((frame.end_column - frame.column) as usize)
            .min(shown.chars().count().saturating_sub(start).max(1));
        let _ = writeln!(
            text,
            "    {}{}",
            " ".repeat(start.min(shown.len())),
            "~".repeat(width)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(line: u32, column: u32, end_column: u32, text: &str) -> Frame {
        Frame {
            file: "<python-input-0>".into(),
            line,
            column,
            end_column,
            function: None,
            text: (!text.is_empty()).then(|| text.into()),
        }
    }

    #[test]
    fn tracebacks_look_as_in_python() {
        let frames = [frame(2, 5, 10, "    1 / 0")];
        let exception = Exception::new("ZeroDivisionError", "division by zero");
        assert_eq!(
            traceback(&frames, &exception),
            "Traceback (most recent call last):\n  File \"<python-input-0>\", line 2, in <module>\n    1 / 0\n    ~~~~~\nZeroDivisionError: division by zero"
        );
    }

    #[test]
    fn an_indentation_is_not_marked() {
        let exception = Exception::new("IndentationError", "unexpected indent");
        let text = traceback(&[frame(2, 1, 5, "    x = 3")], &exception);
        assert!(text.contains("    x = 3\nIndentationError"), "{text}");
    }

    #[test]
    fn deep_recursion_is_told_in_a_few_lines() {
        let frames = vec![frame(1, 1, 1, "f()"); 1000];
        let text = traceback(
            &frames,
            &Exception::new("RecursionError", "maximum recursion depth exceeded"),
        );
        assert_eq!(text.lines().count(), 9);
        assert!(text.contains("[Previous line repeated 997 more times]"));
    }

    #[test]
    fn long_names_make_no_long_text() {
        let frames: Vec<Frame> = (1..=500)
            .map(|line| Frame {
                function: Some("f".repeat(50_000)),
                ..frame(line, 1, 1, "f()")
            })
            .collect();
        let text = traceback(&frames, &Exception::new("RecursionError", "too deep"));
        assert!(text.len() < TRACEBACK_BYTES + 100, "{}", text.len());
        assert!(text.contains("more of these are left out]"));
        assert!(text.contains("line 1, in f") && text.contains("line 500, in f"));
    }

    #[test]
    fn absurd_columns_make_no_long_text() {
        let text = traceback(
            &[frame(1, u32::MAX - 1, u32::MAX, "x")],
            &Exception::new("E", ""),
        );
        assert!(text.len() < 200);
    }
}
