//! A regular expression whose searches end soon, whatever it is and however long a line.

use std::ops::Range;

use regex_automata::meta::{self, Cache, Regex};
use regex_automata::nfa::thompson::{NFA, WhichCaptures};
use regex_automata::util::syntax;
use regex_automata::{Input, Span};

/// Bytes of a pattern.
const LONGEST: usize = 4096;
/// Bytes that a pattern may take when compiled.
const LARGEST: usize = 1 << 20;
/// Bytes of the states that are kept of a pattern while it is searched for.
const STATES: usize = 2 << 20;
/// Groups and repetitions inside of each other.
const NESTING: u32 = 100;
/// States times bytes of one piece: what nothing interrupts. Some hundredths of a second at the
/// worst.
const WORK: usize = 16 << 20;
/// Bytes of a piece at the least, and at the most.
const PIECE: Range<usize> = 1 << 10..1 << 20;

/// A pattern, ready to be searched for.
#[derive(Debug)]
pub(super) struct Pattern {
    regex: Regex,
    cache: Cache,
    /// Bytes that are searched at once.
    piece: usize,
    /// States that each byte of a text may have to be compared with.
    states: usize,
}

/// The result of a search in a part of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Searched {
    /// A match begins at this byte.
    Found(usize),
    /// Nothing up to here; the next piece begins at this byte.
    More(usize),
    /// Nothing in the rest of the line.
    Nothing,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// A text for the model if it does not parse, is too long, or is too large when compiled.
    pub(super) fn new(pattern: &str, ignore_case: bool) -> Result<Self, String> {
        if pattern.len() > LONGEST {
            return Err(format!(
                "the pattern cannot be used: it has {} bytes, and {LONGEST} is the most; look for a part of it, or \
                 use exec_python",
                pattern.len()
            ));
        }
        let syntax = syntax::Config::new()
            .case_insensitive(ignore_case)
            .nest_limit(NESTING);
        let refused = |size_limit: Option<usize>, error: &dyn std::fmt::Display| match size_limit {
            Some(limit) => format!(
                "the pattern cannot be used: it takes more than {limit} bytes when compiled; repeat less, or use \
                 exec_python"
            ),
            None => format!("the pattern cannot be used: {error}"),
        };
        let parsed = syntax::parse_with(pattern, &syntax).map_err(|error| refused(None, &error))?;
        let config = NFA::config()
            .nfa_size_limit(Some(LARGEST))
            .which_captures(WhichCaptures::Implicit);
        let nfa = NFA::compiler().configure(config).build_from_hir(&parsed);
        let nfa = nfa.map_err(|error| refused(error.size_limit(), &error))?;
        let config = meta::Config::new()
            .nfa_size_limit(Some(LARGEST))
            .hybrid_cache_capacity(STATES)
            .which_captures(WhichCaptures::Implicit);
        let regex = Regex::builder().configure(config).build_from_hir(&parsed);
        let regex = regex.map_err(|error| refused(error.size_limit(), &error))?;
        let states = nfa.states().len().max(1);
        Ok(Self {
            cache: regex.create_cache(),
            regex,
            piece: (WORK / states).clamp(PIECE.start, PIECE.end),
            states,
        })
    }

    /// Bytes of a line that are searched at once; longer ones are searched in pieces.
    pub(super) fn piece(&self) -> usize {
        self.piece
    }

    /// Bytes that two pieces have in common: a match of up to this length is found wherever it
    /// is.
    pub(super) fn overlap(&self) -> usize {
        self.piece / 4
    }

    /// What it may take to search so many bytes, in states times bytes.
    pub(super) fn work(&self, bytes: usize) -> usize {
        (bytes.min(self.piece) + 16).saturating_mul(self.states)
    }

    /// Searches a piece of the line that begins at byte `from`. Anchors and word boundaries see
    /// the whole line.
    pub(super) fn search(&mut self, line: &str, from: usize) -> Searched {
        let end = line.ceil_char_boundary(from.saturating_add(self.piece).min(line.len()));
        let input = Input::new(line).span(Span { start: from, end });
        match self.regex.search_with(&mut self.cache, &input) {
            Some(found) => Searched::Found(found.start()),
            None if end == line.len() => Searched::Nothing,
            None => Searched::More(line.floor_char_boundary(end - self.overlap())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(pattern: &mut Pattern, line: &str) -> (Option<usize>, usize) {
        let (mut from, mut pieces) = (0, 0);
        loop {
            pieces += 1;
            match pattern.search(line, from) {
                Searched::Found(at) => return (Some(at), pieces),
                Searched::Nothing => return (None, pieces),
                Searched::More(next) => {
                    assert!(next > from, "no progress");
                    from = next;
                }
            }
        }
    }

    #[test]
    fn matches_are_found_across_pieces_and_anchors_mean_the_line() {
        let mut pattern = Pattern::new("é(needle)+é", false).expect("a pattern");
        let piece = pattern.piece();
        for at in [0, piece - 9, piece - 4, piece - 1, piece, 3 * piece + 1] {
            // Two bytes for a letter, and one to shift them.
            let line = format!("x{}éneedleé{}", "ü".repeat(at / 2), "ü".repeat(piece));
            assert_eq!(first(&mut pattern, &line).0, Some(1 + at / 2 * 2), "{at}");
        }
        let long = "a".repeat(5 * piece);
        for (pattern, line, expected) in [
            ("^a", long.as_str(), Some(0)),
            ("^b", &long, None),
            ("aaa$", &long, Some(long.len() - 3)),
            (r"\ba", &long, Some(0)),
            (r"a\b", &long, Some(long.len() - 1)),
            (r"\Bb", &long, None),
        ] {
            let mut pattern = Pattern::new(pattern, false).expect("a pattern");
            assert_eq!(first(&mut pattern, line).0, expected);
        }
    }

    #[test]
    fn large_patterns_search_small_pieces() {
        let small = Pattern::new("ERROR", false).expect("a pattern");
        let large = Pattern::new(".*a.{500}c", false).expect("a pattern");
        assert_eq!(small.piece(), PIECE.end);
        // What people look for is found in lines of some kilobytes without pieces.
        let usual = Pattern::new(r"(?i)error: \w+@\w+\.\w+", false).expect("a pattern");
        assert!(usual.piece() > 4 << 10, "{}", usual.piece());
        assert!(large.piece() < 32 << 10, "{}", large.piece());
        assert!(large.work(1 << 30) <= 2 * WORK);
        let mut largest = Pattern::new(r"[\w.]{15}c", true).expect("a pattern");
        let line = "a".repeat(10 * largest.piece());
        assert!(first(&mut largest, &line).1 >= 10);
    }

    #[test]
    fn patterns_that_are_too_large_are_refused_with_what_to_do() {
        for (pattern, part) in [
            ("(", "unclosed group"),
            ("(x{1000}){1000}", "more than 1048576 bytes when compiled"),
            (r"\w{300}", "repeat less"),
            (&"a".repeat(LONGEST + 1), "4096 is the most"),
            (&format!("{}a{}", "(".repeat(200), ")".repeat(200)), "nest"),
        ] {
            let error = Pattern::new(pattern, false).expect_err("refused");
            assert!(error.contains(part), "{error}");
            assert!(error.contains("pattern cannot be used"), "{error}");
        }
    }
}
