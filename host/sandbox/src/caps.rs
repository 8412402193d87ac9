//! Caps on texts that a guest hands over beside values: names, names of classes,
//! hints, and the lists of them. The figures are those of `wit/repl.wit`, which the
//! guest keeps to; a guest that does not is cut.

use crate::bindings::exports::rlm::sandbox::repl;
use crate::limits::Limits;
use crate::outcome::{Look, Rewrite, Variable};

/// Bytes of one name.
pub(crate) const NAME_BYTES: usize = 1000;
/// Bytes of the name of a class, a model or a function that is called.
pub(crate) const KIND_BYTES: usize = 200;
/// Bytes of the message of an exception, where a value may have more.
pub(crate) const MESSAGE_BYTES: usize = 1 << 20;
/// Variables of one session, and fields of one answer.
pub(crate) const NAMES: usize = 10_000;
/// Bytes of the names of all of them.
const NAMES_BYTES: usize = 256 << 10;
/// Bytes of the names and types of the fields of an answer.
pub(crate) const OUTPUTS_BYTES: usize = 256 << 10;
/// Tools of one session, with the functions of plugins.
pub(crate) const TOOLS: usize = 10_000;
/// Parameters of one tool.
pub(crate) const PARAMETERS: usize = 1000;
/// Parameters of all tools of a session together.
pub(crate) const ALL_PARAMETERS: usize = 100_000;
/// Contexts of one session.
pub(crate) const CONTEXTS: usize = 10_000;
/// Bytes of a hint.
const HINT_BYTES: usize = 4 << 10;
/// Bytes of the word for a kind of failure or of rewriting.
const WORD_BYTES: usize = 64;
/// JSON of all variables of one listing, or of all fields of an answer, in multiples of
/// [`Limits::value_bytes`](crate::Limits::value_bytes).
pub(crate) const LISTED_VALUES: usize = 16;
/// Frames of one traceback: twice the deepest recursion.
pub(crate) const FRAMES: usize = 2000;

/// Cuts a text to `most` bytes; one that was cut ends with `…`.
pub(crate) fn cut(mut text: String, most: usize) -> String {
    // The guest marks what it has cut itself.
    if text.len() > most + '…'.len_utf8() {
        text.truncate(text.floor_char_boundary(most));
        text.push('…');
    }
    text
}

/// Cuts a hint.
pub(crate) fn hint(hint: Option<String>) -> Option<String> {
    hint.map(|hint| cut(hint, HINT_BYTES))
}

/// Cuts a word for a kind of failure.
pub(crate) fn word(word: String) -> String {
    cut(word, WORD_BYTES)
}

/// Room for names that are listed together.
#[derive(Debug)]
pub(crate) struct Room {
    names: usize,
    bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            names: NAMES,
            bytes: NAMES_BYTES,
        }
    }
}

impl Room {
    /// Returns whether one more name fits, and takes its room.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        let fits = name.len() <= NAME_BYTES && self.names > 0 && name.len() <= self.bytes;
        if fits {
            self.names -= 1;
            self.bytes -= name.len();
        }
        fits
    }
}

/// Keeps the first names of a list, as many as there may be.
pub(crate) fn names(mut names: Vec<String>) -> Vec<String> {
    let mut room = Room::default();
    names.retain(|name| room.take(name));
    names
}

/// Keeps the rewrites that a source of a session's length can have.
pub(crate) fn rewrites(rewrites: Vec<repl::Rewrite>, limits: &Limits) -> Vec<Rewrite> {
    let rewrites = rewrites.into_iter().take(limits.source_bytes as usize);
    rewrites
        .map(|mut rewrite| {
            rewrite.rule = word(rewrite.rule);
            rewrite.into()
        })
        .collect()
}

/// Keeps the first variables of a listing, each cut to what was asked for.
pub(crate) fn variables(
    variables: Vec<repl::Variable>,
    look: Look,
    limits: &Limits,
) -> Vec<Variable> {
    let value_bytes = limits.value_bytes as usize;
    let (mut room, mut left) = (Room::default(), value_bytes.saturating_mul(LISTED_VALUES));
    let variables = variables.into_iter();
    variables
        .filter(|variable| room.take(&variable.name))
        .map(|mut variable| {
            let repr = &mut variable.repr;
            repr.truncate(repr.floor_char_boundary(look.repr_bytes as usize));
            variable.kind = cut(variable.kind, KIND_BYTES);
            let json = variable.json.take();
            variable.json = json.filter(|json| look.json && json.len() <= value_bytes.min(left));
            left -= variable.json.as_ref().map_or(0, String::len);
            variable.into()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: String, json: &str) -> repl::Variable {
        repl::Variable {
            name,
            kind: "k".repeat(1 << 20),
            repr: "é".repeat(1 << 20),
            size: None,
            json: Some(json.to_owned()),
        }
    }

    #[test]
    fn a_guest_that_keeps_to_no_cap_is_cut() {
        let many: Vec<_> = (0..100_000).map(|number| format!("a{number}")).collect();
        assert_eq!(names(many.clone()).len(), NAMES);
        let long: Vec<_> = (0..1000).map(|number| format!("{number:0>1000}")).collect();
        assert_eq!(names(long).len(), NAMES_BYTES / 1000);
        assert_eq!(names(vec!["x".repeat(NAME_BYTES + 1)]), [""; 0]);
        let limits = Limits::default();
        let rewrite = repl::Rewrite {
            rule: "r".repeat(1 << 20),
            line: 1,
            column: 1,
        };
        let all = rewrites(vec![rewrite], &limits);
        assert_eq!(all[0].rule.chars().count(), WORD_BYTES + 1);
    }

    #[test]
    fn a_listing_ends_at_its_caps() {
        let limits = Limits::default();
        let json = "1".repeat(1 << 20);
        let listed = (0..30).map(|number| variable(format!("a{number}"), &json));
        let listed = variables(listed.collect(), Look::reprs(99).json(), &limits);
        assert_eq!(listed.len(), 30);
        assert!(listed.iter().all(|variable| variable.repr.len() == 98));
        assert!(listed.iter().all(|variable| variable.kind.len() == 203));
        let with_json = listed.iter().filter(|variable| variable.json.is_some());
        assert_eq!(with_json.count(), LISTED_VALUES);
        let over = variable("a".into(), &"1".repeat((1 << 20) + 1));
        let listed = variables(vec![over], Look::reprs(1).json(), &limits);
        assert_eq!(listed[0].json, None);
        let unasked = variables(vec![variable("a".into(), "1")], Look::reprs(1), &limits);
        assert_eq!(unasked[0].json, None);
    }
}
