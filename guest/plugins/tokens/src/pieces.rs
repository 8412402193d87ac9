//! A text in pieces: the first step of GPT's tokenizers, which never join
//! letters across a piece's end.
//!
//! The rules are those of the pattern that `cl100k_base` splits with: a word
//! takes the character before it along, digits go by threes, signs stay
//! together, and of white space in front of a word the last is the word's.

/// A part of a text that is looked at by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a str,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letters; one character that is none may be in front.
    Word,
    /// One to three digits.
    Number,
    /// Signs; a space may be in front and line breaks behind.
    Signs,
    Space,
}

/// Characters that a piece has at the most, so that any text can be cut; words
/// are hardly ever longer. Chosen by hand.
const LONGEST: usize = 64;

/// The pieces of a text, which give it again when joined.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (length, kind) = first(rest)?;
        let (text, after) = rest.split_at(length);
        rest = after;
        Some(Piece { text, kind })
    })
}

/// What a character is, as far as cutting goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Break,
    /// White space but for line breaks.
    Space,
    Sign,
}

/// Length in bytes and kind of the piece that `text` begins with.
fn first(text: &str) -> Option<(usize, Kind)> {
    let (one, after) = class(text, 0)?;
    let two = class(text, after).map(|(class, _)| class);
    if text.as_bytes()[0] == b'\''
        && let Some(length) = contraction(text)
    {
        return Some((length, Kind::Word));
    }
    let piece = match (one, two) {
        (Class::Letter, _) => (run(text, 0, Class::Letter, LONGEST), Kind::Word),
        (Class::Space | Class::Sign, Some(Class::Letter)) => {
            (run(text, after, Class::Letter, LONGEST), Kind::Word)
        }
        (Class::Digit, _) => (run(text, 0, Class::Digit, 3), Kind::Number),
        (Class::Sign, _) => (signs(text, 0), Kind::Signs),
        (Class::Space, Some(Class::Sign)) if text.starts_with(' ') => {
            (signs(text, after), Kind::Signs)
        }
        (Class::Space | Class::Break, _) => (space(text), Kind::Space),
    };
    Some(piece)
}

/// Where signs from `start` on end, and the line breaks behind them.
fn signs(text: &str, start: usize) -> usize {
    let end = run(text, start, Class::Sign, LONGEST);
    run(text, end, Class::Break, LONGEST)
}

/// White space: to the last of its line breaks if it has any, else all of it
/// but what goes with the word behind it.
fn space(text: &str) -> usize {
    let mut end = 0;
    let mut after_break = None;
    let mut last = 0;
    for _ in 0..LONGEST {
        match class(text, end) {
            Some((Class::Break, length)) => {
                last = end;
                end += length;
                after_break = Some(end);
            }
            Some((Class::Space, length)) => {
                last = end;
                end += length;
            }
            _ => break,
        }
    }
    match after_break {
        Some(after) => after,
        None if last > 0 && end < text.len() => last,
        None => end,
    }
}

/// `'s` and its like, in bytes.
fn contraction(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let lower = |at: usize| bytes.get(at).map(u8::to_ascii_lowercase);
    match (lower(1)?, lower(2)) {
        (b'r' | b'v', Some(b'e')) | (b'l', Some(b'l')) => Some(3),
        (b's' | b't' | b'm' | b'd', _) => Some(2),
        _ => None,
    }
}

/// Where at most `longest` characters of one class end that begin at `start`.
fn run(text: &str, start: usize, wanted: Class, longest: usize) -> usize {
    let mut end = start;
    for _ in 0..longest {
        match class(text, end) {
            Some((found, length)) if found == wanted => end += length,
            _ => break,
        }
    }
    end
}

/// The class of the character at `at`, and its length in bytes.
#[inline]
fn class(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    match ASCII.get(usize::from(byte)) {
        Some(&class) => Some((class, 1)),
        None => class_beyond(&text[at..]),
    }
}

/// The class of a first character that is not of ASCII.
#[inline(never)]
fn class_beyond(text: &str) -> Option<(Class, usize)> {
    let character = text.chars().next()?;
    let class = match character {
        it if it.is_alphabetic() => Class::Letter,
        it if it.is_numeric() => Class::Digit,
        it if it.is_whitespace() => Class::Space,
        _ => Class::Sign,
    };
    Some((class, character.len_utf8()))
}

/// The classes of ASCII; looking them up takes half the steps of telling them.
const ASCII: [Class; 0x80] = {
    let mut classes = [Class::Sign; 0x80];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'\r' | b'\n' => Class::Break,
            b' ' | b'\t' | 0x0b | 0x0c => Class::Space,
            _ => Class::Sign,
        };
        byte += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        pieces(text).map(|piece| piece.text).collect()
    }

    #[test]
    fn texts_are_split_as_gpt_splits_them() {
        for (text, wanted) in [
            ("", vec![]),
            ("Hello, world!", vec!["Hello", ",", " world", "!"]),
            ("it's (we'll)", vec!["it", "'s", " (", "we", "'ll", ")"]),
            ("a.b(c)", vec!["a", ".b", "(c", ")"]),
            ("12345 67", vec!["123", "45", " ", "67"]),
            ("x = 1", vec!["x", " =", " ", "1"]),
            ("a\n\n    b", vec!["a", "\n\n", "   ", " b"]),
            ("end;  \n\n  if", vec!["end", ";", "  \n\n", " ", " if"]),
            ("done.\nNext", vec!["done", ".\n", "Next"]),
            ("größer 世界", vec!["größer", " 世界"]),
            ("\tx  ", vec!["\tx", "  "]),
        ] {
            assert_eq!(texts(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn pieces_are_not_long() {
        for one in ["a", "é", "世", "-", "\n", " ", "1"] {
            let text = one.repeat(1000);
            let pieces = texts(&text);
            assert!(
                pieces.iter().all(|it| it.chars().count() <= LONGEST + 1),
                "{one:?}"
            );
            assert_eq!(pieces.concat(), text);
        }
    }
}
