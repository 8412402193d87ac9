//! Patterns in the words of the engine, where `$`, `\Z`, `\w`, `\s` and `\b` mean something else than in Python.
//!
//! Words are the same for both in nearly all texts. Where a text has one of the characters that matter, another form of the
//! pattern is compiled, which is slower.

use std::{borrow::Cow, cell::OnceCell, sync::OnceLock};

use fancy_regex::Regex;

use super::RePattern;
use crate::{
    exception_private::RunResult, heap::Heap, modules::re::MULTILINE, types::str::positions,
    value::Value,
};

/// Members of a set for `\w`: `str.isalnum` and the underscore. Marks that combine with a letter are none for the engine only.
const WORD: &str = "\\p{L}\\p{N}_";
/// Members of a set for `\s`: `str.isspace`.
const SPACE: &str = "\\s\\x1c-\\x1f";
/// Characters that are part of a word for Python or for the engine, and not for both.
const DISPUTED: &str = "[[\\w--[\\p{L}\\p{N}_]]\\p{No}]";
/// `\b` and `\B` with Python's words.
const BOUNDARY: &str =
    "(?:(?<=[\\p{L}\\p{N}_])(?![\\p{L}\\p{N}_])|(?<![\\p{L}\\p{N}_])(?=[\\p{L}\\p{N}_]))";
const NO_BOUNDARY: &str =
    "(?:(?<=[\\p{L}\\p{N}_])(?=[\\p{L}\\p{N}_])|(?<![\\p{L}\\p{N}_])(?![\\p{L}\\p{N}_]))";

/// Returns a pattern in the words of the engine: in Python `$` is also before a line end that ends the text, and `\Z` is not.
pub(super) fn translated(pattern: &str, flags: u16) -> Cow<'_, str> {
    let differ = ["$", "\\Z", "\\s", "\\S"];
    if !differ.iter().any(|piece| pattern.contains(piece)) {
        return Cow::Borrowed(pattern);
    }
    // Flags in the pattern may say that `$` is at the end of each line.
    let keeps_dollar = flags & MULTILINE != 0 || sets(pattern, 'm');
    Cow::Owned(rewritten(pattern, |piece, in_set| {
        Some(match (piece, in_set) {
            ("$", false) if !keeps_dollar => Cow::Borrowed("(?=\\n?\\z)"),
            ("\\Z", false) => Cow::Borrowed("\\z"),
            ("\\s", true) => Cow::Borrowed(SPACE),
            ("\\s", false) => Cow::Owned(format!("[{SPACE}]")),
            ("\\S", _) => Cow::Owned(format!("[^{SPACE}]")),
            _ => return None,
        })
    }))
}

/// Returns a pattern with Python's words.
fn with_words(pattern: &str) -> String {
    rewritten(pattern, |piece, in_set| {
        Some(match (piece, in_set) {
            ("\\w", true) => Cow::Borrowed(WORD),
            ("\\w", false) => Cow::Owned(format!("[{WORD}]")),
            ("\\W", _) => Cow::Owned(format!("[^{WORD}]")),
            ("\\b", false) => Cow::Borrowed(BOUNDARY),
            ("\\B", false) => Cow::Borrowed(NO_BOUNDARY),
            _ => return None,
        })
    })
}

/// Returns a pattern with other text for some of its pieces: characters, and what follows a backslash. Comments stay.
fn rewritten(
    pattern: &str,
    replacement: impl Fn(&str, bool) -> Option<Cow<'static, str>>,
) -> String {
    let mut words = String::with_capacity(pattern.len() + 32);
    let is_verbose = sets(pattern, 'x');
    let mut in_set = false;
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
            '[' if !in_set => {
                in_set = true;
                // A bracket that comes first is an item.
                length += usize::from(rest[length..].starts_with('^'));
                length += usize::from(rest[length..].starts_with(']'));
            }
            ']' => in_set = false,
            '#' if is_verbose && !in_set => {
                length = rest.find('\n').unwrap_or(rest.len());
            }
            _ => {}
        }
        let (piece, behind) = rest.split_at(length);
        match replacement(piece, in_set) {
            Some(other) => words.push_str(&other),
            None => words.push_str(piece),
        }
        rest = behind;
    }
    words
}

/// Returns whether a pattern sets a flag in itself.
fn sets(pattern: &str, flag: char) -> bool {
    pattern.split("(?").skip(1).any(|flags| {
        let mut letters = flags.chars().take_while(char::is_ascii_lowercase);
        letters.any(|letter| letter == flag)
    })
}

/// Returns whether words end elsewhere in a text than the engine sees.
pub(crate) fn has_disputed(text: &str) -> bool {
    static COMPILED: OnceLock<Option<Regex>> = OnceLock::new();
    if text.is_ascii() {
        return false;
    }
    let regex = COMPILED.get_or_init(|| Regex::new(DISPUTED).ok());
    regex
        .as_ref()
        .is_some_and(|regex| regex.is_match(text).unwrap_or(true))
}

/// A pattern for texts in which words end elsewhere than the engine sees, compiled at its first use.
#[derive(Debug, Clone, Default)]
pub(super) struct Exact(OnceCell<Box<RePattern>>);

impl RePattern {
    /// Returns the pattern that finds the ends of words in `text` as Python does.
    pub(super) fn for_text(&self, text: &str) -> RunResult<&Self> {
        self.exact(|| Ok(has_disputed(text)))
    }

    /// Does so for the text of a value, where the answer for a long one is kept.
    pub(super) fn for_subject(&self, subject: &Value, text: &str, heap: &Heap) -> RunResult<&Self> {
        self.exact(|| positions::has_disputed(subject, text, heap))
    }

    fn exact(&self, has_disputed: impl Fn() -> RunResult<bool>) -> RunResult<&Self> {
        let has_words = ["\\w", "\\W", "\\b", "\\B"]
            .iter()
            .any(|words| self.pattern.contains(words));
        if !has_words || !has_disputed()? {
            return Ok(self);
        }
        if let Some(exact) = self.exact.0.get() {
            return Ok(exact);
        }
        let exact = Self::compile(with_words(&self.pattern), self.flags)?;
        Ok(self.exact.0.get_or_init(|| Box::new(exact)))
    }
}
