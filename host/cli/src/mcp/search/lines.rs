//! The lines of a text, one after the other, with those around the current one.

use std::collections::VecDeque;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

/// Bytes of a line that are shown.
pub(super) const WIDTH: usize = 300;

/// A cursor over the lines of a text, as `str::lines` splits it. Keeps the places of the
/// lines around the current one and of no others, and looks at no byte twice.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    text: &'t str,
    /// The places of lines, in order.
    known: VecDeque<Range<usize>>,
    /// The index of the current line among them, plus one; zero before the first.
    current: usize,
    /// Where the line begins that is not known yet.
    rest: usize,
    /// The number of the current line, from 1; zero before the first.
    number: usize,
    /// Lines that are kept on each side of the current one.
    around: usize,
}

impl<'t> Lines<'t> {
    /// The lines from the one on that holds byte `start`.
    pub(super) fn new(text: &'t str, start: usize, around: usize) -> Self {
        let bytes = text.as_bytes();
        let begins = |end: usize| memrchr(b'\n', &bytes[..end]).map_or(0, |at| at + 1);
        let first = begins(start);
        let mut lines = Self {
            text,
            known: VecDeque::new(),
            current: 0,
            rest: first,
            number: memchr_iter(b'\n', &bytes[..first]).count(),
            around,
        };
        // Those before it can be shown, too.
        while lines.rest > 0 && lines.current < around {
            lines.rest = begins(lines.rest - 1);
            lines.current += 1;
        }
        for _ in 0..lines.current {
            lines.learn();
        }
        lines
    }

    /// Goes to the next line. Returns its place in the text without its end, or none at the
    /// end.
    pub(super) fn next(&mut self) -> Option<Range<usize>> {
        if self.current == self.known.len() && !self.learn() {
            return None;
        }
        let place = self.known.get(self.current)?.clone();
        self.current += 1;
        self.number += 1;
        if self.current > self.around + 1 {
            self.known.pop_front();
            self.current -= 1;
        }
        Some(place)
    }

    /// The number of the current line, from 1.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// The current line with what is at its byte `at`, and those around it.
    pub(super) fn shown(&mut self, at: usize) -> String {
        while self.known.len() < self.current + self.around && self.learn() {}
        let lines = self.known.iter().enumerate().map(|(index, place)| {
            let at = if index + 1 == self.current { at } else { 0 };
            excerpt(&self.text[place.clone()], at)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Looks for the end of one more line; false if there is none.
    fn learn(&mut self) -> bool {
        let start = self.rest;
        let bytes = &self.text.as_bytes()[start..];
        if bytes.is_empty() {
            return false;
        }
        let end = match memchr(b'\n', bytes) {
            Some(end) => {
                self.rest = start + end + 1;
                end - usize::from(bytes[..end].ends_with(b"\r"))
            }
            None => {
                self.rest = self.text.len();
                bytes.len()
            }
        };
        self.known.push_back(start..start + end);
        true
    }
}

/// As much of a line as is shown, with what is at byte `at`.
fn excerpt(line: &str, at: usize) -> String {
    let start = line.floor_char_boundary(match at < WIDTH / 2 {
        true => 0,
        false => at - WIDTH / 4,
    });
    let end = line.floor_char_boundary(start + WIDTH);
    let dots = |is_cut| if is_cut { "…" } else { "" };
    let (before, after) = (dots(start > 0), dots(end < line.len()));
    format!("{before}{}{after}", &line[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_standard_library() {
        for text in [
            "",
            "\n",
            "a",
            "a\n",
            "a\nb",
            "a\r\nb\r\n",
            "\r",
            "a\r",
            "\r\n\n\r\r\n",
            "é\n\nü",
        ] {
            let mut lines = Lines::new(text, 0, 0);
            let mut found = Vec::new();
            while let Some(place) = lines.next() {
                found.push(&text[place]);
                assert_eq!(lines.number(), found.len());
            }
            assert_eq!(found, text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }

    #[test]
    fn lines_around_are_shown_from_wherever_the_search_begins() {
        let texts: Vec<String> = (1..=9).map(|number| format!("line {number}")).collect();
        let text = texts.join("\n");
        for around in 0..12 {
            for first in 0..9 {
                let start = text.find(&texts[first]).expect("there") + 3;
                let mut lines = Lines::new(&text, start, around);
                for current in first..9 {
                    let place = lines.next().expect("a line");
                    assert_eq!(text[place], texts[current]);
                    assert_eq!(lines.number(), current + 1);
                    // Not each line is shown, and what is not known yet stays so.
                    if (current + around) % 3 != 0 {
                        let (from, to) = (current.saturating_sub(around), current + around + 1);
                        let expected = texts[from..to.min(9)].join("\n");
                        assert_eq!(lines.shown(0), expected, "{around} {first} {current}");
                    }
                    assert!(lines.known.len() <= 2 * around + 1);
                }
                assert_eq!(lines.next(), None);
            }
        }
    }
}
