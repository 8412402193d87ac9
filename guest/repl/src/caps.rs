//! Caps on texts that leave a session beside its values: names, names of classes,
//! and the lists of them. `wit/repl.wit` has the figures, which the host applies too.

use std::collections::BTreeSet;

use monty::Room;
use ruff_python_ast::token::{Token, TokenKind, Tokens};
use ruff_text_size::{Ranged as _, TextRange, TextSize};

use crate::bindings::exports::rlm::sandbox::repl::Failure;
use crate::failure::plain;
use crate::survey::Refusal;

/// Bytes of one name.
pub(crate) const NAME_BYTES: usize = 1000;
/// Bytes of the name of a class or a model, or of a function in a traceback.
pub(crate) const KIND_BYTES: usize = 200;
/// Bytes of the message of an exception, where a value may have more. Those who read an outcome hold its message
/// several times: alone, in the traceback, and in views.
pub(crate) const MESSAGE_BYTES: usize = 1 << 20;
/// Variables of one session.
pub(crate) const NAMES: usize = 10_000;
/// Bytes of the names of all variables of one session.
pub(crate) const NAMES_BYTES: usize = 256 << 10;
/// JSON of all variables of one listing, or of all fields of an answer, in multiples of the bytes of one value.
pub(crate) const LISTED_VALUES: usize = 16;

/// Room in the tables of the interpreter that is kept for functions of the prelude.
const KEPT: Room = Room {
    strings: 8192,
    globals: 1024,
    functions: 2048,
};

/// Cuts a text to `most` bytes; one that was cut ends with `…`.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let end = text.floor_char_boundary(most);
    let mark = if end < text.len() { "…" } else { "" };
    format!("{}{mark}", &text[..end])
}

/// Refuses a source with a token that a script cannot have.
pub(crate) fn check_tokens(source: &str, tokens: &Tokens) -> Result<(), Refusal> {
    check_names(tokens).and_then(|()| check_escapes(source, tokens))
}

/// Refuses a source with a name of more than [`NAME_BYTES`].
fn check_names(tokens: &Tokens) -> Result<(), Refusal> {
    let is_long = |length: usize| length > NAME_BYTES;
    let mut names = tokens
        .iter()
        .filter(|token| token.kind() == TokenKind::Name);
    match names.find(|name| is_long(name.range().len().to_usize())) {
        None => Ok(()),
        Some(name) => Err(Refusal {
            kind: "SyntaxError",
            cause: "source",
            message: format!(
                "a name of {} bytes is too long; shorten it to {NAME_BYTES} bytes",
                name.range().len().to_usize()
            ),
            range: name.range(),
            hint: None,
        }),
    }
}

/// Refuses a literal with an escape for half of a character, as in JSON: texts have whole ones here, and the interpreter would
/// read another character.
fn check_escapes(source: &str, tokens: &Tokens) -> Result<(), Refusal> {
    if !source.contains("\\u") && !source.contains("\\U") {
        return Ok(());
    }
    let has_escapes = |token: &&Token| {
        token
            .string_flags()
            .is_some_and(|flags| !flags.is_raw_string() && !flags.is_byte_string())
    };
    for token in tokens.iter().filter(has_escapes) {
        let text = &source[token.range()];
        if let Some(at) = half(text) {
            let start = token.range().start() + TextSize::new(at as u32);
            return Err(Refusal {
                kind: "NotImplementedError",
                cause: "unsupported",
                message: format!("{} is half of a character", &text[at..at + 6]),
                range: TextRange::at(start, TextSize::new(6)),
                hint: Some(
                    "write the character itself, or `\\U` and its eight digits, as '\\U0001F600'",
                ),
            });
        }
    }
    Ok(())
}

/// Returns where in a literal the first escape `\uD800` to `\uDFFF` stands.
fn half(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..)
        && let Some(found) = rest.iter().position(|byte| *byte == b'\\')
    {
        let escape = at + found;
        at = escape + 2;
        let is_half = matches!(
            bytes.get(escape + 1..escape + 6),
            Some([b'u', b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', rest @ ..])
                if rest.iter().all(u8::is_ascii_hexdigit)
        );
        if is_half {
            return Some(escape);
        }
    }
    None
}

/// Returns why a session that has the variables `names` cannot have those of `new`, if so.
pub(crate) fn too_many<'a>(
    names: impl Iterator<Item = &'a String>,
    new: impl Iterator<Item = &'a String>,
) -> Option<String> {
    let mut all: BTreeSet<_> = names.collect();
    let before = all.len();
    all.extend(new);
    // Functions may have bound more than there may be; nothing new is needed to go on.
    if all.len() == before {
        return None;
    }
    let bytes: usize = all.iter().map(|name| name.len()).sum();
    (all.len() > NAMES || bytes > NAMES_BYTES).then(|| {
        format!(
            "the session would have {} variables with {bytes} bytes of names, more than {NAMES} variables or \
             {NAMES_BYTES} bytes; keep values in one dict or list, or delete variables",
            all.len()
        )
    })
}

/// Keeps the first names of a sorted list, as many as there may be.
pub(crate) fn fitting(mut names: Vec<String>) -> Vec<String> {
    let mut left = NAMES_BYTES;
    names.retain(|name| name.len() <= NAME_BYTES);
    let fits = names.iter().take(NAMES).take_while(|name| {
        let rest = left.checked_sub(name.len());
        left = rest.unwrap_or(0);
        rest.is_some()
    });
    let count = fits.count();
    names.truncate(count);
    names
}

/// Returns why a script cannot be compiled, if the tables of the interpreter may be too
/// full for it.
pub(crate) fn no_room(room: Room, source: &str, tokens: &Tokens) -> Option<Box<Failure>> {
    // No source of this length has as many tokens.
    if room.strings.min(room.globals) > KEPT.strings + source.len()
        && room.functions > KEPT.functions + 4 * source.len()
    {
        return None;
    }
    let (mut strings, mut names, mut functions) = (BTreeSet::new(), BTreeSet::new(), 0);
    for token in tokens.iter() {
        let text = &source[token.range().start().to_usize()..token.range().end().to_usize()];
        match token.kind() {
            TokenKind::Name => {
                names.insert(text);
                strings.insert(text);
            }
            TokenKind::String | TokenKind::FStringMiddle => {
                strings.insert(text);
            }
            // What is rewritten may become several.
            TokenKind::Def | TokenKind::Lambda | TokenKind::Class | TokenKind::For => {
                functions += 4;
            }
            _ => {}
        }
    }
    let has_room = room.strings >= strings.len() + KEPT.strings
        && room.globals >= names.len() + KEPT.globals
        && room.functions >= functions + KEPT.functions;
    if has_room {
        return None;
    }
    let message = String::from(
        "the interpreter's tables are full: over its life this session has used nearly 65536 different names and texts, \
         or functions; reset the session or open a new one",
    );
    let mut failure = plain("RuntimeError", "other", message);
    failure.hint = Some(String::from(
        "keep values under the keys of one dict, and texts in contexts, instead of in variables and literals of their own",
    ));
    Some(Box::new(failure))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names_end_at_their_caps() {
        let names = |count: usize, length: usize| -> Vec<String> {
            let name = |number| format!("n{number:0>width$}", width = length - 1);
            (0..count).map(name).collect()
        };
        assert_eq!(fitting(names(NAMES + 1, 10)).len(), NAMES);
        assert_eq!(fitting(names(1000, 1000)).len(), NAMES_BYTES / 1000);
        assert_eq!(fitting(names(1, NAME_BYTES + 1)), [""; 0]);
        let (none, all) = (Vec::new(), names(NAMES, 10));
        assert_eq!(too_many(all.iter(), none.iter()), None);
        assert_eq!(too_many(all.iter(), all.iter()), None);
        let over = names(NAMES + 5, 10);
        assert_eq!(too_many(over.iter(), all.iter()), None);
        let one = [String::from("one_more")];
        let told = too_many(all.iter(), one.iter()).expect("too many");
        assert!(told.contains("10001 variables"), "{told}");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("éé", 4), "éé");
        assert_eq!(cut("éé", 3), "é…");
    }
}
