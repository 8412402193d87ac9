//! Exceptions, told in terms of the script as it was written.

use std::collections::BTreeMap;
use std::sync::Arc;

use monty::{MontyRepl, PastFrame, ScriptLines};
use monty_types::{CodeLoc, ExcType, MontyException};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bindings::exports::rlm::sandbox::repl::{Exception, Failure, Frame, PastException};
use crate::caps;
use crate::edits::{Edits, INDENT, location};
use crate::hints::{self, Offered};
use crate::report;
use crate::survey::Refusal;

/// The name that Monty has for the text that it is fed first.
const PRELUDE: &str = "<python-input-0>";

/// Bytes of a source line that a traceback shows.
const SHOWN: usize = 400;

/// Bytes of the message of an exception before another one.
const PAST_BYTES: usize = 1000;

/// The message for a script that waits for a call which is not open.
pub(crate) const UNANSWERED: &str = "the script waits for something that nobody will answer";
/// The message of Monty for that where something else was waited for, too.
const STALLED: &str = "asyncio scheduler stalled";

/// The scripts of a session, by the name that Monty gave their text.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Scripts {
    by_fed_name: BTreeMap<String, Shown>,
    count: u32,
    /// The last one, if nothing of it can run after it has ended.
    passing: Option<String>,
}

/// The part of a script that is kept once it ran: functions it defined may raise later.
#[derive(Debug, Serialize, Deserialize)]
struct Shown {
    edits: Edits,
    #[serde(with = "Lines")]
    lines: ScriptLines,
    awaited: Vec<u32>,
}

/// The form of [`ScriptLines`] in a dump.
#[derive(Serialize, Deserialize)]
struct Lines {
    number: u32,
    starts: Vec<(u32, u32)>,
    source: String,
}

impl Lines {
    fn serialize<S: Serializer>(lines: &ScriptLines, serializer: S) -> Result<S::Ok, S::Error> {
        let form = Self {
            number: lines.number,
            starts: lines.starts.to_vec(),
            source: String::from(&*lines.source),
        };
        Serialize::serialize(&form, serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ScriptLines, D::Error> {
        let form: Self = Deserialize::deserialize(deserializer)?;
        Ok(ScriptLines {
            number: form.number,
            starts: form.starts.into(),
            source: form.source.into(),
        })
    }
}

/// A script and the text that is fed for it.
pub(crate) struct Fed<'s> {
    /// The script as it was written.
    pub(crate) source: Arc<str>,
    pub(crate) text: &'s str,
    pub(crate) edits: Edits,
    /// Offsets in the text of calls whose results are awaited.
    pub(crate) awaited: Vec<u32>,
    pub(crate) defines_code: bool,
}

impl Scripts {
    /// Notes the script that is fed to `repl` next, and gives that its lines.
    pub(crate) fn add(&mut self, repl: &mut MontyRepl, fed: Fed<'_>) {
        if let Some(past) = &self.passing {
            repl.set_script_lines(past, None);
        }
        let name = repl.next_script_name();
        let lines = self.put(name.clone(), fed);
        repl.set_script_lines(&name, Some(lines));
    }

    /// Notes a script under the name that Monty has for its text, and returns its lines.
    pub(crate) fn put(&mut self, fed_name: String, fed: Fed<'_>) -> ScriptLines {
        let lines = ScriptLines {
            number: self.count,
            starts: fed.edits.lines_of(fed.text).into(),
            source: fed.source,
        };
        self.count += 1;
        if let Some(past) = self.passing.take() {
            self.by_fed_name.remove(&past);
        }
        self.passing = (!fed.defines_code).then(|| fed_name.clone());
        let shown = Shown {
            edits: fed.edits,
            lines: lines.clone(),
            awaited: fed.awaited,
        };
        self.by_fed_name.insert(fed_name, shown);
        lines
    }

    /// Returns the lines of all scripts by the names that Monty gave their text, for its tracebacks.
    pub(crate) fn script_lines(&self) -> impl Iterator<Item = (&str, ScriptLines)> {
        let all = self.by_fed_name.iter();
        all.map(|(name, shown)| (&**name, shown.lines.clone()))
    }

    /// Returns the name of the next script in tracebacks. Monty counts our own small
    /// feeds too; a reader should see the scripts only.
    pub(crate) fn next_name(&self) -> String {
        name(self.count)
    }

    /// Returns the number and the line of the script in which `offset` of a fed text stands; none if it is ours.
    pub(crate) fn position(&self, fed_name: &str, offset: u32) -> Option<(u32, u32)> {
        let shown = self.by_fed_name.get(fed_name)?;
        Some((shown.lines.number, shown.lines.at(offset)?))
    }

    /// Returns whether the result of the call at `offset` of the fed text is awaited.
    pub(crate) fn awaits(&self, fed_name: &str, offset: u32) -> bool {
        if fed_name == PRELUDE {
            return report::is_awaited(offset);
        }
        self.by_fed_name
            .get(fed_name)
            .is_some_and(|shown| shown.awaited.binary_search(&offset).is_ok())
    }

    /// Returns whether it is a call by which workers of a pool ask.
    pub(crate) fn is_workers(&self, fed_name: &str, offset: u32) -> bool {
        fed_name == PRELUDE && report::is_workers(offset)
    }

    /// Turns an exception into what the host is told.
    pub(crate) fn failure(
        &self,
        error: &MontyException,
        message_bytes: usize,
        offered: Offered,
    ) -> Failure {
        let frames: Vec<Frame> = error
            .traceback()
            .iter()
            .filter_map(|frame| self.frame(frame))
            .collect();
        let kind: &'static str = error.exc_type().into();
        let message = match error.message().unwrap_or_default() {
            stalled if stalled.contains(STALLED) => UNANSWERED,
            message => message,
        };
        let is_of_source = error.exc_type() == ExcType::SyntaxError && is_of_source(error);
        let of_indentation = is_of_source.then(|| of_indentation(message)).flatten();
        let (kind, message) = match &of_indentation {
            Some(message) => ("IndentationError", &**message),
            None => (kind, message),
        };
        let mut message = message[..message.floor_char_boundary(message_bytes)].to_owned();
        if error.exc_type() == ExcType::ModuleNotFoundError {
            message.push_str(" (import failed)");
        }
        let mut failure = Failure {
            cause: cause(error.exc_type()).to_owned(),
            hint: hints::hint(error, offered),
            frames,
            past: Vec::new(),
            exception: Exception {
                kind: kind.to_owned(),
                message,
            },
        };
        if is_of_source {
            say_place(&mut failure);
        }
        failure
    }

    /// None for frames that are ours.
    fn frame(&self, frame: &monty_types::StackFrame) -> Option<Frame> {
        let script = match self.by_fed_name.get(&frame.filename) {
            Some(shown) => Some(shown),
            // `eval` and `exec` call their text `<string>`.
            None if !frame.filename.starts_with("<python-input-") => None,
            None => return None,
        };
        let map = |at: CodeLoc| script.map_or(Some(at), |script| script.edits.place(at));
        let start = map(frame.start)?;
        let end = map(frame.end).filter(|end| !frame.hide_caret && end.line == start.line);
        let text = match script {
            Some(script) => script.lines.line(start.line),
            None => frame
                .preview_line
                .as_deref()
                .and_then(|text| text.lines().next()),
        };
        Some(Frame {
            file: script.map_or_else(
                || frame.filename.clone(),
                |script| name(script.lines.number),
            ),
            line: start.line,
            column: start.column,
            end_column: end.map_or(start.column, |end| end.column.max(start.column + 1)),
            function: frame
                .frame_name
                .as_ref()
                .map(|name| caps::cut(name, caps::KIND_BYTES)),
            text: text.map(|text| text[..text.floor_char_boundary(SHOWN)].to_owned()),
        })
    }

    /// Converts an exception before another one for the host.
    pub(crate) fn past(&self, exception: monty::PastException) -> PastException {
        let frames = exception.frames.into_iter();
        PastException {
            exception: Exception {
                kind: caps::cut(&exception.kind, caps::KIND_BYTES),
                message: caps::cut(&exception.text, PAST_BYTES),
            },
            frames: frames.map(|frame| self.past_frame(frame)).collect(),
            is_cause: exception.is_cause,
        }
    }

    /// Converts a frame of an exception before another one, of which the line alone is known.
    fn past_frame(&self, frame: PastFrame) -> Frame {
        let mut scripts = self.by_fed_name.values().map(|shown| &shown.lines);
        let script = scripts.find(|lines| Some(lines.number) == frame.script);
        Frame {
            file: frame.script.map_or_else(|| String::from("<string>"), name),
            line: frame.line,
            column: 1,
            end_column: 1,
            function: Some(caps::cut(&frame.function, caps::KIND_BYTES)),
            text: script
                .and_then(|lines| lines.line(frame.line))
                .map(str::to_owned),
        }
    }
}

/// Returns the message that Python has for an error of the parser about indentation; `None` for others.
fn of_indentation(message: &str) -> Option<String> {
    if message == "Unexpected indentation" {
        return Some(String::from("unexpected indent"));
    }
    if message.starts_with("unindent does not match") {
        return Some(message.to_owned());
    }
    let block = message.strip_prefix("Expected an indented block")?;
    let block = block
        .replace("`class`", "class")
        .replace('`', "'")
        .replace("' clause", "' statement")
        .replace("'case' block", "'case' statement");
    Some(format!("expected an indented block{block}"))
}

/// Adds to the message of a syntax error where it is.
pub(crate) fn say_place(failure: &mut Failure) {
    if let Some(frame) = failure.frames.last() {
        let place = format!(
            " (syntax error at line {}, column {})",
            frame.line, frame.column
        );
        failure.exception.message.push_str(&place);
    }
}

/// Returns what the script `number` is called in tracebacks.
fn name(number: u32) -> String {
    format!("<python-input-{number}>")
}

/// Returns whether a text is no Python, rather than that a script says so of something.
fn is_of_source(error: &MontyException) -> bool {
    let last = error.traceback().last();
    last.is_some_and(|frame| frame.hide_frame_name || frame.filename == "<string>")
}

/// A script that was refused before any of it ran: it is called `file`.
pub(crate) fn refusal(refused: Refusal, file: String, source: &str, offered: Offered) -> Failure {
    let (start, end) = (
        refused.range.start().to_usize(),
        refused.range.end().to_usize(),
    );
    let at = location(source, start);
    let text = source.lines().nth(at.line as usize - 1).unwrap_or_default();
    let width = source[start..end]
        .lines()
        .next()
        .map_or(0, |line| line.chars().count());
    let frame = Frame {
        file,
        line: at.line,
        column: at.column,
        end_column: at.column + width as u32,
        function: None,
        text: Some(text[..text.floor_char_boundary(SHOWN)].to_owned()),
    };
    Failure {
        frames: vec![frame],
        hint: refused.hint.map(|hint| offered.fit(hint).into_owned()),
        ..plain(refused.kind, refused.cause, refused.message)
    }
}

/// Moves the place of a failure from the function that a source became to the source.
pub(crate) fn unwrapped(mut failure: Failure) -> Failure {
    let width = INDENT.len() as u32;
    for frame in &mut failure.frames {
        frame.line = frame.line.saturating_sub(1).max(1);
        let column = frame.column;
        frame.column = column.saturating_sub(width).max(1);
        frame.end_column = frame.end_column.saturating_sub(column - frame.column);
        if let Some(text) = &mut frame.text
            && let Some(rest) = text.strip_prefix(INDENT)
        {
            *text = rest.to_owned();
        }
    }
    failure
}

/// A failure of no place in particular.
pub(crate) fn plain(kind: &str, cause: &str, message: String) -> Failure {
    Failure {
        exception: Exception {
            kind: kind.to_owned(),
            message,
        },
        cause: cause.to_owned(),
        frames: Vec::new(),
        past: Vec::new(),
        hint: None,
    }
}

/// Returns the cause of an exception. A limit is never the cause: the host names those, and
/// a script can raise `TimeoutError` and `MemoryError` itself.
fn cause(kind: ExcType) -> &'static str {
    match kind {
        ExcType::SyntaxError => "syntax",
        ExcType::NameError | ExcType::UnboundLocalError => "name",
        ExcType::TypeError => "type",
        ExcType::ValueError => "value",
        ExcType::AttributeError => "attribute",
        ExcType::IndexError => "index",
        ExcType::KeyError => "key",
        ExcType::ModuleNotFoundError => "import-missing",
        ExcType::ImportError => "import-denied",
        ExcType::PermissionError => "permission",
        ExcType::RecursionError => "recursion",
        ExcType::NotImplementedError => "unsupported",
        _ => "other",
    }
}
