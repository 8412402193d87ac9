//! What is asked for.

use rlm_plugin::Error;

use crate::words::each_word;

/// Clauses, all of which have to hold.
#[derive(Debug)]
pub(crate) struct Query {
    pub(crate) clauses: Vec<Clause>,
}

/// Words that a line has next to each other, or does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    /// One at least, in lower case.
    pub(crate) words: Vec<String>,
    /// The last word is the beginning of one.
    pub(crate) is_prefix: bool,
    pub(crate) is_excluded: bool,
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    ///
    /// If no word is in it.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let mut clauses = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let is_excluded = rest.starts_with('-');
            let start = &rest[usize::from(is_excluded)..];
            let (part, after) = match start.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => start.split_once(char::is_whitespace).unwrap_or((start, "")),
            };
            // `"out of mem"*` has its star behind the quote.
            let (is_prefix, after) = match after.strip_prefix('*') {
                Some(after) if start.starts_with('"') => (true, after),
                _ => (part.ends_with('*'), after),
            };
            let mut words = Vec::new();
            each_word(part, |word| {
                words.push(String::from_utf8_lossy(word.bytes).into_owned());
            });
            if !words.is_empty() {
                clauses.push(Clause {
                    words,
                    is_prefix,
                    is_excluded,
                });
            }
            rest = after.trim_start();
        }
        if clauses.is_empty() {
            return Err(Error::new("the query has no word in it"));
        }
        Ok(Self { clauses })
    }
}

impl Clause {
    /// The words that are whole.
    pub(crate) fn whole(&self) -> &[String] {
        &self.words[..self.words.len() - usize::from(self.is_prefix)]
    }

    /// The last word, if it is the beginning of one.
    pub(crate) fn prefix(&self) -> Option<&str> {
        self.words
            .last()
            .filter(|_| self.is_prefix)
            .map(String::as_str)
    }

    /// Returns whether a line that fits can have `word` first.
    pub(crate) fn begins_with(&self, word: &[u8]) -> bool {
        match (self.whole().first(), self.prefix()) {
            (Some(first), _) => word == first.as_bytes(),
            (None, prefix) => prefix.is_some_and(|prefix| word.starts_with(prefix.as_bytes())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(words: &[&str], is_prefix: bool, is_excluded: bool) -> Clause {
        Clause {
            words: words.iter().map(|&word| word.to_owned()).collect(),
            is_prefix,
            is_excluded,
        }
    }

    #[test]
    fn queries_are_read() {
        for (text, wanted) in [
            ("Error", vec![clause(&["error"], false, false)]),
            (
                " db  ERROR ",
                vec![
                    clause(&["db"], false, false),
                    clause(&["error"], false, false),
                ],
            ),
            ("err*", vec![clause(&["err"], true, false)]),
            (
                "\"Out of memory\"",
                vec![clause(&["out", "of", "memory"], false, false)],
            ),
            (
                "\"out of mem\"*",
                vec![clause(&["out", "of", "mem"], true, false)],
            ),
            (
                "\"not closed",
                vec![clause(&["not", "closed"], false, false)],
            ),
            (
                "10.0.0.1",
                vec![clause(&["10", "0", "0", "1"], false, false)],
            ),
            (
                "-debug -\"a b\" -x*",
                vec![
                    clause(&["debug"], false, true),
                    clause(&["a", "b"], false, true),
                    clause(&["x"], true, true),
                ],
            ),
            (
                "a - b",
                vec![clause(&["a"], false, false), clause(&["b"], false, false)],
            ),
        ] {
            assert_eq!(Query::parse(text).expect(text).clauses, wanted, "{text}");
        }
    }

    #[test]
    fn a_query_has_a_word() {
        for text in ["", "  ", "\"\"", "-", "* ; --"] {
            assert!(Query::parse(text).is_err(), "{text:?}");
        }
    }
}
