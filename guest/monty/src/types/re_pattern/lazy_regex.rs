//! A regular expression that is compiled where it is first used.
//!
//! A dump holds the text of a pattern. Compiling it can take thousands of times as long as
//! reading it, and a session that is loaded need not use it at all.

use std::{cell::OnceCell, ops::Deref};

use fancy_regex::Regex;

use super::compile_regex_limited;

/// Matches nothing.
const NOTHING: &str = r"[^\s\S]";

/// A compiled regular expression, or the text and the flags of one.
#[derive(Debug, Clone)]
pub(super) struct LazyRegex {
    source: Option<Box<(String, u16)>>,
    compiled: OnceCell<Regex>,
}

impl LazyRegex {
    /// The pattern of a dump, which was compiled before it was written.
    pub(super) fn read(pattern: &str, flags: u16) -> Self {
        Self {
            source: Some(Box::new((pattern.to_owned(), flags))),
            compiled: OnceCell::new(),
        }
    }

    fn compile(&self) -> Regex {
        let source = self.source.as_deref();
        let compiled =
            source.and_then(|(pattern, flags)| compile_regex_limited(pattern, *flags, None).ok());
        // Of a dump that somebody made up.
        compiled.unwrap_or_else(|| Regex::new(NOTHING).expect("it is a pattern"))
    }
}

impl From<Regex> for LazyRegex {
    fn from(regex: Regex) -> Self {
        Self {
            source: None,
            compiled: OnceCell::from(regex),
        }
    }
}

impl Deref for LazyRegex {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        self.compiled.get_or_init(|| self.compile())
    }
}
