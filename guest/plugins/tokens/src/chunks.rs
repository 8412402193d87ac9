//! Texts and budgets of tokens.

use crate::cost::{TOKEN, cost};
use crate::pieces::{Kind, Piece, pieces};

/// About how many tokens a text has.
pub(crate) fn count(text: &str) -> u64 {
    pieces(text).map(cost).sum::<u64>().div_ceil(TOKEN)
}

/// Returns whether a text has at most `budget` tokens.
pub(crate) fn fits(text: &str, budget: u64) -> bool {
    truncate(text, budget).len() == text.len()
}

/// The longest beginning of whole pieces that has at most `budget` tokens; of
/// the first piece what fits, if that alone has more.
pub(crate) fn truncate(text: &str, budget: u64) -> &str {
    let budget = budget.saturating_mul(TOKEN);
    let mut left = budget;
    let mut length = 0;
    for piece in pieces(text) {
        let Some(rest) = left.checked_sub(cost(piece)) else {
            if length == 0 {
                length = part(piece.text, budget);
            }
            break;
        };
        left = rest;
        length += piece.text.len();
    }
    &text[..length]
}

/// A text in chunks of at most `budget` tokens. A piece that alone has more is
/// cut between characters; a character that alone has more is a chunk.
pub(crate) fn split(text: &str, budget: u64) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(first(rest, budget));
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

/// How well a text can be cut at some place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    Word,
    Sentence,
    Line,
    Paragraph,
}

/// Length in bytes of the first chunk.
///
/// It ends at the last of the best places in its second half.
fn first(text: &str, budget: u64) -> usize {
    let budget = budget.saturating_mul(TOKEN);
    let mut spent = 0;
    let mut length = 0;
    let mut best = (Cut::Word, 0);
    for piece in pieces(text) {
        spent += cost(piece);
        if spent > budget {
            return match (length, best.0) {
                (0, _) => {
                    let one = piece.text.chars().next().map_or(0, char::len_utf8);
                    part(piece.text, budget).max(one)
                }
                (_, Cut::Word) => length,
                _ => best.1,
            };
        }
        length += piece.text.len();
        let cut = after(piece, &text[..length]);
        if spent * 2 >= budget && cut >= best.0 {
            best = (cut, length);
        }
    }
    length
}

/// Length in bytes of the part of a piece that has at most `budget`, as far as it
/// is found by adding characters one by one.
fn part(piece: &str, budget: u64) -> usize {
    let ends = piece.char_indices().map(|(at, one)| at + one.len_utf8());
    // It becomes a text of its own: the sign in front of a word is none alone.
    let fits = |&end: &usize| pieces(&piece[..end]).map(cost).sum::<u64>() <= budget;
    ends.take_while(fits).last().unwrap_or(0)
}

/// How well a text can be cut behind `piece`, with which `so_far` ends.
fn after(piece: Piece<'_>, so_far: &str) -> Cut {
    let breaks = piece.text.bytes().filter(|&it| it == b'\n').count();
    if breaks > 1 || breaks == 1 && so_far.ends_with("\n\n") {
        return Cut::Paragraph;
    }
    if breaks == 1 {
        return Cut::Line;
    }
    if piece.kind == Kind::Signs && piece.text.ends_with(['.', '!', '?', '。']) {
        return Cut::Sentence;
    }
    Cut::Word
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of all kinds.
    const TEXTS: [&str; 10] = [
        "",
        "The quick brown fox jumps over the lazy dog. It didn't look back!\n\nWhy should it?",
        "fn main() {\n    println!(\"{}\", readLine(12345)?);\n}\n",
        "2026-03-01T12:00:00.123Z ERROR [db-4] request_id=9f8e7d6c5b4a3210 took 1234ms\n",
        "Übergrößenträger, naïve façade; Привет, мир; 你好,世界。こんにちは。🎉🎉 — “so”",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   \n ",
        "日本語日本語日本語日本語日本語日本語",
        "😀😀😀😀😀😀😀😀😀😀",
        " antidisestablishmentarianismAndSoOn'LLONGER--------====#!?\n\n\n",
        "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301} ΣΊΣΥΦΟΣ १२३",
    ];

    #[test]
    fn counts_are_near_what_models_count() {
        // Within a fifth of what `cl100k_base` and `o200k_base` say.
        for (text, least, most) in [
            ("hello world, this is a test", 7, 8),
            (TEXTS[1], 18, 22),
            (TEXTS[2], 14, 17),
            (TEXTS[3], 40, 48),
            (TEXTS[4], 30, 41),
        ] {
            let counted = count(text);
            assert!((least..=most).contains(&counted), "{text:?} {counted}");
        }
        assert_eq!(count(""), 0);
        assert_eq!(count("a"), 1);
    }

    #[test]
    fn a_cut_text_fits() {
        for text in TEXTS {
            let all = count(text);
            for budget in 0..=all + 1 {
                let cut = truncate(text, budget);
                assert!(text.starts_with(cut));
                assert!(count(cut) <= budget, "{cut:?} {budget}");
                assert_eq!(fits(text, budget), cut == text);
                assert_eq!(fits(text, budget), all <= budget);
            }
        }
    }

    #[test]
    fn chunks_fit_and_are_the_text() {
        for text in TEXTS {
            let text = text.repeat(7);
            for budget in [1, 2, 3, 5, 20, 1000] {
                let chunks = split(&text, budget);
                assert_eq!(chunks.concat(), text);
                assert!(chunks.iter().all(|it| !it.is_empty()));
                let over = |it: &&str| count(it) > budget && it.chars().count() > 1;
                assert!(!chunks.iter().any(over), "{chunks:?} {budget}");
            }
        }
    }

    #[test]
    fn what_has_no_words_is_cut_too() {
        let most = |text: &str, budget| {
            let chunks = split(text, budget);
            chunks.iter().map(|it| count(it)).max()
        };
        assert_eq!(most(&"x".repeat(1000), 10), Some(10));
        assert_eq!(most(&"日本語".repeat(20), 5), Some(5));
        // One of them has more than that.
        assert_eq!(split(&"😀".repeat(30), 1), ["😀"; 30]);
        assert_eq!(split(&"😀".repeat(30), 5), ["😀😀"; 15]);
        // Words come first.
        let long = format!("one two {}", "x".repeat(100));
        assert_eq!(split(&long, 10)[0], "one two");
        assert_eq!(count(truncate(&"x".repeat(1000), 10)), 10);
        assert_eq!(truncate(&"日本語".repeat(20), 5), "日本語日");
        assert_eq!(truncate("😀", 1), "");
    }

    #[test]
    fn chunks_end_where_sentences_do() {
        let chunks = split("One two. Three four five. Six", 8);
        assert_eq!(chunks, ["One two. Three four five.", " Six"]);
        let chunks = split("One two.\n\nThree. Four five. Six seven", 9);
        assert_eq!(chunks[0], "One two.\n\nThree. Four five.");
        let chunks = split("One two three four.\n\nFive. Six seven", 7);
        assert_eq!(chunks[0], "One two three four.\n\n");
    }
}
