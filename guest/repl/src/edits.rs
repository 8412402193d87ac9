//! Changes to a script before it is fed, and the map back to its positions.

use std::borrow::Cow;

use monty_types::CodeLoc;
use serde::{Deserialize, Serialize};

/// Stands before the lines of a source that became the body of a function.
pub(crate) const INDENT: &str = "    ";

/// At byte `offset` of the source, `removed` bytes give way to `inserted`.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) offset: u32,
    pub(crate) removed: u32,
    pub(crate) inserted: Cow<'static, str>,
}

impl Change {
    pub(crate) fn new(offset: u32, removed: u32, inserted: impl Into<Cow<'static, str>>) -> Self {
        Self {
            offset,
            removed,
            inserted: inserted.into(),
        }
    }
}

pub(crate) fn apply(source: &str, changes: &[Change]) -> String {
    let mut fed = String::with_capacity(source.len() + 128);
    let mut done = 0;
    for change in changes {
        fed.push_str(&source[done..change.offset as usize]);
        fed.push_str(&change.inserted);
        done = (change.offset + change.removed) as usize;
    }
    fed.push_str(&source[done..]);
    fed
}

/// Puts a space where a change would make one word of a word of the source and its own, as in `x in[1, 2]`. The changes
/// are sorted.
pub(crate) fn separate(source: &str, changes: &mut [Change]) {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut done = None;
    for index in 0..changes.len() {
        let (before, rest) = source.split_at(changes[index].offset as usize);
        let end = (changes[index].offset + changes[index].removed) as usize;
        let is_last = changes
            .get(index + 1)
            .is_none_or(|next| next.offset as usize > end);
        let change = &mut changes[index];
        if change.inserted.is_empty() {
            continue;
        }
        let follows_source = done.is_none_or(|done| done < change.offset);
        // What begins a literal of text belongs to it.
        let is_own = change.inserted.starts_with("_rlm") || !rest.starts_with(['"', '\'']);
        if follows_source
            && is_own
            && before.ends_with(is_word)
            && change.inserted.starts_with(is_word)
        {
            change.inserted.to_mut().insert(0, ' ');
        }
        if is_last
            && change.removed > 0
            && change.inserted.ends_with(is_word)
            && source[end..].starts_with(is_word)
        {
            change.inserted.to_mut().push(' ');
        }
        done = Some(end as u32);
    }
}

pub(crate) fn shifted(changes: &[Change], offset: u32) -> u32 {
    changes
        .iter()
        .take_while(|change| change.offset <= offset)
        .fold(offset, |at, change| {
            at + change.inserted.len() as u32 - change.removed
        })
}

pub(crate) fn location(source: &str, offset: usize) -> CodeLoc {
    let line_start = source[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = source[..offset]
        .bytes()
        .filter(|&byte| byte == b'\n')
        .count();
    CodeLoc::new(
        line as u32,
        source[line_start..offset].chars().count() as u32,
    )
}

/// A map from positions in the fed text to positions in the source.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Edits {
    pieces: Vec<Piece>,
    /// Lines of the source; what lies beyond was added by us.
    line_count: u32,
    /// True if the source became the body of a function.
    wrapped: bool,
}

/// Line and column, both from 1, in characters.
type Place = (u32, u32);

/// One change: what was inserted lies between the first two places of the fed
/// text, what it stands for between the last two of the source.
#[derive(Debug, Serialize, Deserialize)]
struct Piece(Place, Place, Place, Place);

/// The place after `text` that begins at `place`.
fn after((line, column): Place, text: &str) -> Place {
    match text.rfind('\n') {
        None => (line, column + text.chars().count() as u32),
        Some(at) => (
            line + text.bytes().filter(|&byte| byte == b'\n').count() as u32,
            text[at + 1..].chars().count() as u32 + 1,
        ),
    }
}

impl Edits {
    /// For a source that is fed as it is.
    pub(crate) fn none(source: &str) -> Self {
        Self::new(source, &[], false)
    }

    pub(crate) fn new(source: &str, changes: &[Change], wrapped: bool) -> Self {
        let mut pieces = Vec::with_capacity(changes.len());
        let (mut done, mut from, mut fed) = (0, (1, 1), (1, 1));
        for change in changes {
            let (start, end) = (
                change.offset as usize,
                (change.offset + change.removed) as usize,
            );
            let kept = &source[done..start];
            (from, fed) = (after(from, kept), after(fed, kept));
            let until = after(from, &source[start..end]);
            let fed_until = after(fed, &change.inserted);
            pieces.push(Piece(fed, fed_until, from, until));
            (done, from, fed) = (end, until, fed_until);
        }
        Self {
            pieces,
            line_count: source.lines().count() as u32,
            wrapped,
        }
    }

    /// Where a place of the fed text stands in the source; none if we added it.
    pub(crate) fn place(&self, at: CodeLoc) -> Option<CodeLoc> {
        let (line, column) = self.before_wrapping((at.line, at.column));
        match self.wrapped {
            true if line < self.line_count => {
                let line = line.checked_sub(1).filter(|&line| line > 0)?;
                let column = column.saturating_sub(INDENT.len() as u32).max(1);
                Some(CodeLoc::new(line - 1, column - 1))
            }
            false if line <= self.line_count => Some(CodeLoc::new(line - 1, column - 1)),
            _ => None,
        }
    }

    fn before_wrapping(&self, at: Place) -> Place {
        let past = self.pieces.partition_point(|piece| piece.0 <= at);
        let Some(Piece(_, fed, from, until)) = past.checked_sub(1).map(|last| &self.pieces[last])
        else {
            return at;
        };
        match at {
            _ if at < *fed => *from,
            (line, column) if line == fed.0 => (until.0, until.1 + (column - fed.1)),
            (line, column) => (until.0 + (line - fed.0), column),
        }
    }

    /// Returns the lines of the source by where they begin in the text `fed`: offset and line, 0 for text of ours.
    pub(crate) fn lines_of(&self, fed: &str) -> Vec<(u32, u32)> {
        let mut starts: Vec<(u32, u32)> = Vec::new();
        let mut ends = self.pieces.iter().map(|piece| piece.1).peekable();
        let mut offset = 0;
        for (line, number) in fed.split('\n').zip(1..) {
            let mut characters = line.char_indices();
            let mut begins = |byte: usize, column: u32| {
                let at = CodeLoc::new(number - 1, column - 1);
                let line = self.place(at).map_or(0, |at| at.line);
                if starts.last().is_none_or(|(_, last)| *last != line) {
                    starts.push(((offset + byte) as u32, line));
                }
            };
            begins(0, 1);
            // The source may go on with another line where a change ends.
            let mut column = 1;
            while let Some((line, end)) = ends.next_if(|(line, _)| *line <= number) {
                if line == number
                    && end >= column
                    && let Some((byte, _)) = characters.nth((end - column) as usize)
                {
                    column = end + 1;
                    begins(byte, end);
                }
            }
            offset += line.len() + 1;
        }
        starts
    }
}
