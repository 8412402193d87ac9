//! Whether a script that was rewritten still says what it said.
//!
//! Everything that a script may not say is looked for before it is rewritten. So
//! nothing that stood in a comment or in text may have become code, by a mistake
//! of a rewrite: a word of the new text is a word of the old one, in its place, or
//! was put there by us.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::Ranged as _;

use crate::edits::Change;

/// Gives a word that came to be code, if there is one. `fed` is what `changes`, in
/// order, made of the source that `tokens` are those of.
pub(crate) fn smuggled(tokens: &Tokens, fed: &str, changes: &[Change]) -> Option<String> {
    let again = parse_unchecked(fed, ParseOptions::from(Mode::Module));
    let mut before = words(tokens).peekable();
    let mut changes = changes.iter().peekable();
    // What has been inserted so far, less what was removed.
    let mut shift = 0;
    for (start, end) in words(again.tokens()) {
        let span = |change: &Change, shift: i64| {
            let at = i64::from(change.offset) + shift;
            (at, at + change.inserted.len() as i64)
        };
        while let Some(change) = changes.next_if(|change| span(change, shift).1 <= start) {
            shift += change.inserted.len() as i64 - i64::from(change.removed);
        }
        if changes
            .peek()
            .is_some_and(|change| span(change, shift).0 < end)
        {
            // Ours, or one of the script's that we began with a prefix.
            continue;
        }
        let place = (start - shift, end - shift);
        while before.next_if(|word| word.0 < place.0).is_some() {}
        if before.peek() != Some(&place) {
            return Some(fed[start as usize..end as usize].to_owned());
        }
    }
    None
}

/// Where names and keywords stand, in order.
fn words(tokens: &Tokens) -> impl Iterator<Item = (i64, i64)> {
    let is_word = |kind: TokenKind| kind == TokenKind::Name || kind.is_keyword();
    let words = tokens.iter().filter(move |token| is_word(token.kind()));
    words.map(|token| {
        (
            i64::from(token.start().to_u32()),
            i64::from(token.end().to_u32()),
        )
    })
}
