//! The matches of a pattern in a text, one after the other, as `_sre` finds them: an empty match may follow another one directly,
//! and only at the end of an empty match the next one has to take something.

use fancy_regex::{Captures, Match, Regex};

use super::{RePattern, compile_regex_limited};
use crate::exception_private::{ExcType, ExcTypeExt, RunResult};

/// A walk over the matches in a text.
pub(super) struct Matches<'p, 't> {
    pattern: &'p RePattern,
    text: &'t str,
    /// The byte at which the next match is looked for.
    from: usize,
    /// True if it has to take something if it begins there.
    must_take: bool,
}

impl RePattern {
    pub(super) fn matches<'p, 't>(&'p self, text: &'t str) -> RunResult<Matches<'p, 't>> {
        Ok(Matches {
            pattern: self.for_text(text)?,
            text,
            from: 0,
            must_take: false,
        })
    }

    /// Returns the pattern for a match that is not empty where it is looked for.
    fn taking(&self) -> RunResult<&Regex> {
        if let Some(regex) = self.compiled_taking.get() {
            return Ok(regex);
        }
        // The line end closes a comment of `(?x)`.
        let source = format!("(?:{}(?x)\n)(?!\\G)", self.pattern);
        let regex = compile_regex_limited(&source, self.flags, self.delegate_size_limit)
            .map_err(ExcType::re_pattern_error)?;
        Ok(self.compiled_taking.get_or_init(|| regex))
    }
}

impl<'t> Matches<'_, 't> {
    fn regex(&self) -> RunResult<&Regex> {
        match self.must_take {
            true => self.pattern.taking(),
            false => Ok(&self.pattern.compiled),
        }
    }

    fn go_on(&mut self, found: &Match<'_>) {
        self.must_take = found.start() == found.end();
        self.from = found.end();
    }

    /// Returns the next match with its groups.
    pub(super) fn next_captures(&mut self) -> RunResult<Option<Captures<'t>>> {
        let found = self.regex()?.captures_from_pos(self.text, self.from);
        let found = found.map_err(ExcType::re_pattern_error)?;
        if let Some(whole) = found.as_ref().and_then(|captures| captures.get(0)) {
            self.go_on(&whole);
        }
        Ok(found)
    }

    /// Returns the next match.
    pub(super) fn next_match(&mut self) -> RunResult<Option<Match<'t>>> {
        let found = self.regex()?.find_from_pos(self.text, self.from);
        let found = found.map_err(ExcType::re_pattern_error)?;
        if let Some(whole) = &found {
            self.go_on(whole);
        }
        Ok(found)
    }
}

/// Returns the character that a letter behind a backslash stands for in a replacement.
pub(super) fn control(letter: char) -> Option<char> {
    Some(match letter {
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0b',
        _ => return None,
    })
}
