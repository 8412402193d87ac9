//! What a model is shown of an outcome, cut to a size it can read.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::outcome::{Ending, Exception, Outcome, State, Variable};
use crate::value::Value;

/// How much of a text is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct View {
    /// Characters from the beginning. Default: 15,000.
    #[serde(default = "head")]
    pub head: usize,
    /// Characters from the end. Default: 5,000, and none in a profile that has
    /// a table `[view]` and does not say.
    #[serde(default)]
    pub tail: usize,
    /// Stands where something was left out, with `{omitted}` and `{total}` for
    /// the two counts of characters.
    #[serde(default = "marker")]
    pub marker: String,
    /// Characters of a result that is JSON; past it, the result says so in
    /// itself. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
}

fn head() -> usize {
    15_000
}

fn marker() -> String {
    String::from("\n... [{omitted} chars omitted; slice the variable or use llm_query] ...\n")
}

impl Default for View {
    fn default() -> Self {
        Self {
            head: head(),
            tail: 5_000,
            marker: marker(),
            total: None,
        }
    }
}

/// A text that may have been cut.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shown {
    /// What is shown, marker included.
    pub text: String,
    /// Characters of the whole text.
    pub total: usize,
    /// Characters that were left out.
    pub omitted: usize,
}

impl View {
    /// Cuts a text, between characters.
    ///
    /// ```
    /// # use rlm_sandbox::View;
    /// let mut view = View::default();
    /// (view.head, view.tail, view.marker) = (3, 2, "[{omitted} of {total}]".into());
    /// let shown = view.cut("übermütig");
    /// assert_eq!(shown.text, "übe[4 of 9]ig");
    /// assert_eq!((shown.total, shown.omitted), (9, 4));
    /// ```
    pub fn cut(&self, text: &str) -> Shown {
        let whole = |total| Shown {
            text: text.to_owned(),
            total,
            omitted: 0,
        };
        let room = self.head.saturating_add(self.tail);
        // No text has more characters than bytes.
        let total = text.chars().count();
        if total <= room {
            return whole(total);
        }
        let omitted = total - room;
        let place = |character: usize| {
            let found = text.char_indices().nth(character);
            found.map_or(text.len(), |(at, _)| at)
        };
        let marker = self
            .marker
            .replace("{omitted}", &omitted.to_string())
            .replace("{total}", &total.to_string());
        let (head, tail) = (&text[..place(self.head)], &text[place(total - self.tail)..]);
        Shown {
            text: format!("{head}{marker}{tail}"),
            total,
            omitted,
        }
    }
}

impl Outcome {
    /// What a model is shown: what was printed, the value, and how it failed,
    /// with the hint, and that a limit undid its variables. Text that says so if there is nothing of that.
    pub fn view(&self, view: &View) -> Shown {
        let mut text = self.stdout.clone();
        let end_line = |text: &mut String| {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
        };
        if !self.stderr.is_empty() {
            end_line(&mut text);
            text.push_str(&self.stderr);
        }
        if let Ending::Value(Some(value)) = &self.ending {
            end_line(&mut text);
            text.push_str(&marked(value));
        }
        if let Some(finish) = &self.finish {
            end_line(&mut text);
            let _ = write!(text, "[finished with {}]", marked(&finish.answer));
        }
        if let Some(exception) = self.exception() {
            end_line(&mut text);
            text.push_str(&traceback(exception));
            if let Some(hint) = &exception.hint {
                let _ = write!(text, "\nHint: {hint}");
            }
        }
        if self.state == State::RolledBack {
            end_line(&mut text);
            text.push_str(ROLLED_BACK);
        }
        if self.dropped_bytes > 0 {
            end_line(&mut text);
            let _ = write!(
                text,
                "[{} bytes of output were dropped]",
                self.dropped_bytes
            );
        }
        if text.is_empty() {
            text.push_str("(no output; print() what you want to see)");
        }
        view.cut(&text)
    }
}

/// Stands behind a value that is longer than is kept of it.
const CUT: &str = " […]";

/// Returns the `repr` of a value, with a mark behind it if it is not all of it.
pub(crate) fn marked(value: &Value) -> Cow<'_, str> {
    match value.truncated {
        true => Cow::Owned(format!("{}{CUT}", value.repr)),
        false => Cow::Borrowed(&value.repr),
    }
}

/// Tells a model that names of the script do not exist.
const ROLLED_BACK: &str = "[variables are as they were before this script]";

/// Lines of a traceback that are shown from its beginning, and from its end.
const FIRST_LINES: usize = 4;
const LAST_LINES: usize = 16;

/// Returns the traceback of an exception, without the middle of a long one.
fn traceback(exception: &Exception) -> String {
    let lines: Vec<_> = exception.traceback.lines().collect();
    if lines.is_empty() {
        return exception.to_string();
    }
    match lines.len().checked_sub(FIRST_LINES + LAST_LINES) {
        None | Some(0) => exception.traceback.clone(),
        Some(omitted) => {
            let (first, last) = (&lines[..FIRST_LINES], &lines[lines.len() - LAST_LINES..]);
            format!(
                "{}\n  [{omitted} lines]\n{}",
                first.join("\n"),
                last.join("\n")
            )
        }
    }
}

/// What a model is shown of the code blocks of one response, in one message, as
/// the RLM of its paper's authors does: each block cut by itself, with the names
/// of the variables that hold data after it.
///
/// # Source
///
/// `format_execution_result` of `alexzhang13/rlm`.
pub fn format_iteration<'a>(
    blocks: impl IntoIterator<Item = (&'a Outcome, &'a [Variable])>,
    view: &View,
) -> String {
    let blocks: Vec<_> = blocks.into_iter().collect();
    let shown = blocks
        .iter()
        .enumerate()
        .map(|(index, (outcome, variables))| {
            let header = match blocks.len() {
                1 => String::from("REPL output:"),
                _ => format!("REPL output (block {}):", index + 1),
            };
            format!("{header}\n{}", view.cut(&block(outcome, variables)).text)
        });
    shown.collect::<Vec<_>>().join("\n\n")
}

fn block(outcome: &Outcome, variables: &[Variable]) -> String {
    const DATA: [&str; 7] = ["str", "int", "float", "bool", "list", "dict", "tuple"];
    let mut parts = Vec::new();
    if !outcome.stdout.is_empty() {
        parts.push(format!("\n{}", outcome.stdout));
    }
    let mut errors = outcome.stderr.clone();
    if let Some(exception) = outcome.exception() {
        let _ = write!(errors, "\n{exception}");
    }
    if !errors.is_empty() {
        parts.push(format!("\n{errors}"));
    }
    let data = variables
        .iter()
        .filter(|variable| DATA.contains(&variable.kind.as_str()));
    let names: Vec<_> = data
        .map(|variable| format!("'{}'", variable.name))
        .collect();
    if !names.is_empty() {
        parts.push(format!("REPL variables: [{}]\n", names.join(", ")));
    }
    match parts.is_empty() {
        true => String::from("No output"),
        false => parts.join("\n\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[doc = "Keeps X41, R0-22."]
    #[test]
    fn text_is_cut_between_characters_and_both_counts_are_told() {
        // Repl.md 2.10.3.
        let view = View {
            head: 2,
            tail: 1,
            marker: String::from("<{omitted}/{total}>"),
            total: None,
        };
        for (text, shown, total, omitted) in [
            ("", "", 0, 0),
            ("äöü", "äöü", 3, 0),
            ("äöüß", "äö<1/4>ß", 4, 1),
            ("🦀🦀🦀🦀🦀", "🦀🦀<2/5>🦀", 5, 2),
        ] {
            let cut = view.cut(text);
            assert_eq!(
                (cut.text.as_str(), cut.total, cut.omitted),
                (shown, total, omitted)
            );
        }
        let nothing = View {
            head: 0,
            tail: 0,
            ..view
        };
        assert_eq!(nothing.cut("ab").text, "<2/2>");
    }
}
