//! The words of a text, in lower case.

/// Bytes of a word that are looked at; of longer ones the rest is ignored, when
/// indexing and when searching.
pub(crate) const LONGEST: usize = 64;

/// A word as it is found in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    /// Its bytes in lower case.
    pub(crate) bytes: &'a [u8],
    /// A number that is the same for the same bytes, and if it [`is_exact`] for no
    /// others.
    pub(crate) key: u64,
    /// Where it begins in the text.
    pub(crate) start: usize,
}

/// Tells `found` each word of `text`: a run of letters, digits and underscores.
/// Where scripts do without spaces, each character is a word.
///
/// Texts and queries are both read by this, and so are words that it has told:
/// it tells them as they are.
pub(crate) fn each_word(text: &str, mut found: impl FnMut(Word<'_>)) {
    let bytes = text.as_bytes();
    let mut buffer = [0; LONGEST];
    let mut at = 0;
    while at < bytes.len() {
        // Most words are of ASCII alone, and most of the time goes by here.
        let start = at;
        let mut length = 0;
        let mut beyond = false;
        while let Some(&byte) = bytes.get(at) {
            let lower = LOWER[usize::from(byte)];
            if lower <= BEYOND {
                beyond = lower == BEYOND;
                break;
            }
            if length < LONGEST {
                buffer[length] = lower;
                length += 1;
            }
            at += 1;
        }
        if beyond {
            (at, length) = spell(text, start, &mut buffer);
        } else if length == 0 {
            at += 1;
        }
        if length > 0 {
            found(Word {
                bytes: &buffer[..length],
                // A word may be of ASCII only once it is in lower case.
                key: key(&buffer, length, !beyond || buffer[..length].is_ascii()),
                start,
            });
        }
    }
}

/// Spells the word at `start`, which is not of ASCII alone; gives where it ends,
/// and its length in lower case. A character that belongs to no word is passed.
#[inline(never)]
fn spell(text: &str, start: usize, buffer: &mut [u8; LONGEST]) -> (usize, usize) {
    let mut end = start;
    let mut length = 0;
    for character in text[start..].chars() {
        let belongs = is_of_word(character) || length > 0 && is_mark(character);
        if end > start && (!belongs || is_alone(character)) {
            break;
        }
        end += character.len_utf8();
        if !belongs {
            break;
        }
        let mut encoded = [0; 4];
        for lower in lower(character) {
            // A character goes in whole or not at all.
            let bytes = lower.encode_utf8(&mut encoded).as_bytes();
            if let Some(room) = buffer.get_mut(length..length + bytes.len()) {
                room.copy_from_slice(bytes);
                length += bytes.len();
            }
        }
        if is_alone(character) {
            break;
        }
    }
    (end, length)
}

/// Returns whether a word can begin with a character.
fn is_of_word(character: char) -> bool {
    (character.is_alphanumeric() || character == '_') && !is_mark(character)
}

/// What a character is in lower case, whatever stands around it: the sigma at the
/// end of a word is like all others, and the dot that `İ` leaves is dropped.
fn lower(character: char) -> impl Iterator<Item = char> {
    let lower = character.to_lowercase().filter(|&it| !is_mark(it));
    lower.map(|it| if it == 'ς' { 'σ' } else { it })
}

/// Marks that stand on the letter before them. They are part of its word, and
/// are dropped from it.
fn is_mark(character: char) -> bool {
    matches!(
        u32::from(character),
        0x300..0x370 | 0x1ab0..0x1b00 | 0x1dc0..0x1e00 | 0x20d0..0x2100 | 0xfe20..0xfe30
    )
}

/// Returns whether a key belongs to one word only.
pub(crate) fn is_exact(key: u64) -> bool {
    key & HASHED == 0
}

/// In a key: there may be other words that have it.
const HASHED: u64 = 1 << 63;

/// The key of the first `length` bytes: a word of up to eight bytes of ASCII is
/// its own key.
#[inline]
fn key(buffer: &[u8; LONGEST], length: usize, is_ascii: bool) -> u64 {
    let part = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&buffer[at..at + 8]);
        let left = (length - at).min(8);
        // What stands behind the word is not part of it.
        u64::from_le_bytes(bytes) & u64::MAX >> (64 - 8 * left)
    };
    if length <= 8 && is_ascii {
        return part(0);
    }
    let parts = (0..length).step_by(8).map(part);
    parts.fold(0, |hash: u64, part| {
        // A step of FxHash.
        (hash.rotate_left(5) ^ part).wrapping_mul(0x517c_c1b7_2722_0a95)
    }) | HASHED
}

/// Characters of Chinese and Japanese.
fn is_alone(character: char) -> bool {
    matches!(u32::from(character), 0x2e80..0xa000 | 0xf900..0xfb00 | 0x2_0000..0x4_0000)
}

/// In [`LOWER`]: a byte that is not of ASCII.
const BEYOND: u8 = 1;

/// What the characters of ASCII are in lower case; 0 if they are of no word.
const LOWER: [u8; 0x100] = {
    let mut lower = [BEYOND; 0x100];
    let mut byte = 0;
    while byte < 0x80 {
        let character = byte as u8;
        lower[byte] = if character.is_ascii_alphanumeric() || character == b'_' {
            character.to_ascii_lowercase()
        } else {
            0
        };
        byte += 1;
    }
    lower
};

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(usize, String)> {
        let mut words = Vec::new();
        each_word(text, |word| {
            let text = String::from_utf8(word.bytes.to_vec()).expect("UTF-8");
            words.push((word.start, text));
        });
        words
    }

    #[test]
    fn words_are_letters_digits_and_underscores() {
        let wanted = [
            (0, "error"),
            (7, "user_id"),
            (15, "10"),
            (18, "0"),
            (22, "é"),
            (26, "é2"),
        ];
        let wanted = wanted.map(|(at, word)| (at, word.to_owned()));
        assert_eq!(
            words("ERROR: User_Id=10.0 — É; é2"),
            wanted.map(|(at, word)| {
                // The dash has three bytes.
                (if at > 20 { at + 2 } else { at }, word)
            })
        );
        assert!(words("").is_empty());
        assert!(words("—; …!").is_empty());
    }

    #[test]
    fn characters_may_be_words() {
        let found: Vec<_> = words("ab世界12。x")
            .into_iter()
            .map(|(_, word)| word)
            .collect();
        assert_eq!(found, ["ab", "世", "界", "12", "x"]);
    }

    #[test]
    fn words_are_the_same_in_any_case() {
        for (text, wanted) in [
            ("İstanbul", "istanbul"),
            ("I\u{307}STANBUL", "istanbul"),
            ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
            ("Σίσυφος", "σίσυφοσ"),
            ("\u{301}cafe\u{301}s", "cafes"),
            ("\u{212a}elvin", "kelvin"),
        ] {
            let found = words(text);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].1, wanted);
        }
        // The same bytes have the same key.
        let mut keys = Vec::new();
        each_word("istanbul İstanbul ISTANBUL", |word| keys.push(word.key));
        assert_eq!(keys, [keys[0]; 3]);
        assert!(is_exact(keys[0]));
    }

    #[test]
    fn words_stay_as_they_are_told() {
        for character in '\0'..=char::MAX {
            each_word(character.encode_utf8(&mut [0; 4]), |word| {
                let told = str::from_utf8(word.bytes).expect("UTF-8");
                let mut again = Vec::new();
                each_word(told, |word| again.push((word.start, word.bytes.to_vec())));
                assert_eq!(again, [(0, word.bytes.to_vec())], "{character:?}");
            });
        }
    }

    #[test]
    fn long_words_are_cut() {
        let found = words(&format!("{} {}é", "a".repeat(1000), "b".repeat(63)));
        assert_eq!(found[0].1, "a".repeat(64));
        assert_eq!(found[1], (1001, "b".repeat(63)));
    }
}
