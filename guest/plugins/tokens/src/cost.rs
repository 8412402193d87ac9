//! What a piece costs: hundredths of a token, on average.
//!
//! Each figure is the mean of what OpenAI's `cl100k_base` and `o200k_base` make
//! of such pieces, rounded, over some megabytes of English prose, source code in
//! three languages, JSON and logs, and for other scripts one text in twenty-five
//! languages. The two differ little for English and code. For Greek the first
//! takes two and a half times as many tokens as the second, for Cyrillic and
//! Hangul one and a half times, for Chinese and Japanese a third more.

use crate::pieces::{Kind, Piece};

/// Hundredths of a token.
pub(crate) const TOKEN: u64 = 100;

/// Words with a space in front, by their letters. Most words of up to nine
/// letters are one token.
const SPACED: Lengths = Lengths {
    first: &[
        100, 100, 101, 102, 107, 108, 110, 119, 126, 128, 142, 160, 165, 185, 260, 320,
    ],
    further: 30,
};

/// Words at the start of a line, or within a longer one.
const BARE: Lengths = Lengths {
    first: &[
        100, 100, 106, 112, 120, 126, 132, 136, 160, 170, 200, 205, 250, 290, 300, 330,
    ],
    further: 25,
};

/// Words with a sign in front, which are names in code more often than not.
const SIGNED: Lengths = Lengths {
    first: &[
        100, 113, 130, 133, 148, 146, 154, 180, 212, 220, 250, 258, 306, 330, 365, 450,
    ],
    further: 30,
};

/// Capitals.
const CAPITALS: Lengths = Lengths {
    first: &[
        100, 100, 110, 115, 138, 145, 152, 190, 208, 220, 250, 265, 285, 330,
    ],
    further: 25,
};

/// Signs that are not all the same.
const SIGNS: Lengths = Lengths {
    first: &[100, 104, 118, 165, 210, 240, 265, 350],
    further: 50,
};

/// What the piece costs.
pub(crate) fn cost(piece: Piece<'_>) -> u64 {
    match piece.kind {
        Kind::Number | Kind::Space => TOKEN,
        Kind::Signs => signs(piece.text),
        Kind::Word if piece.text.is_ascii() => word(piece.text),
        Kind::Word => foreign(piece.text),
    }
}

/// Letters of ASCII. A word like `readLine` is taken as two.
fn word(text: &str) -> u64 {
    let front = text.as_bytes()[0];
    let (lengths, letters) = match front {
        b'a'..=b'z' | b'A'..=b'Z' => (&BARE, text.as_bytes()),
        b' ' => (&SPACED, &text.as_bytes()[1..]),
        b'\'' => return TOKEN.max(word(&text[1..])),
        _ => (&SIGNED, &text.as_bytes()[1..]),
    };
    if !letters[1..].iter().any(u8::is_ascii_uppercase) {
        return lengths.of(letters.len());
    }
    if letters.iter().all(u8::is_ascii_uppercase) {
        return CAPITALS.of(letters.len());
    }
    let mut cost = 0;
    let mut start = 0;
    for at in 1..=letters.len() {
        let ends = at == letters.len()
            || letters[at].is_ascii_uppercase()
                && (letters[at - 1].is_ascii_lowercase()
                    || letters.get(at + 1).is_some_and(u8::is_ascii_lowercase));
        if ends {
            let lengths = if start == 0 { lengths } else { &BARE };
            cost += lengths.of(at - start);
            start = at;
        }
    }
    cost
}

/// Letters that are not all of ASCII, each by its script.
fn foreign(text: &str) -> u64 {
    let letters = text.chars().filter(|it| it.is_alphabetic());
    let cost: u64 = letters
        .map(|letter| match u32::from(letter) {
            0..0x250 => 36,
            // Cyrillic.
            0x400..0x530 => 38,
            // Hangul.
            0x1100..0x1200 | 0xac00..0xd7b0 => 64,
            // Kana.
            0x3040..0x3100 => 95,
            // Chinese.
            0x3400..0xa000 | 0xf900..0xfb00 => 110,
            0x2_0000.. => 250,
            // Greek, Arabic, Hebrew, the scripts of India and others.
            _ => 75,
        })
        .sum();
    cost + 50
}

fn signs(text: &str) -> u64 {
    let signs = text.trim();
    if !signs.is_ascii() {
        // Dashes, quotes and bullets are a token; pictures are two or three.
        let of = |sign: char| match u32::from(sign) {
            0..0x80 => 70,
            0x80..0x3100 => 110,
            _ => 250,
        };
        return signs.chars().map(of).sum::<u64>().max(TOKEN);
    }
    let length = signs.len();
    let same = signs.bytes().all(|it| it == signs.as_bytes()[0]);
    if same && length > 2 {
        // Vocabularies have lines of up to a good dozen.
        return TOKEN + 6 * (length as u64).saturating_sub(4);
    }
    SIGNS.of(length.max(1))
}

/// Costs by length.
struct Lengths {
    /// Of one, two and so on.
    first: &'static [u64],
    /// For each one more.
    further: u64,
}

impl Lengths {
    fn of(&self, length: usize) -> u64 {
        let known = length.min(self.first.len());
        self.first[known - 1] + self.further * (length - known) as u64
    }
}
