//! What is changed about a script before it is fed, and how to get back.

use std::borrow::Cow;
use std::collections::BTreeMap;

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

/// How to get from positions in the fed text to positions in the source.
///
/// Changes are rare, so only the lines that have one are kept.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Edits {
    lines: BTreeMap<u32, EditedLine>,
    /// Lines of the source; what lies beyond was added by us.
    line_count: u32,
    /// Whether the source became the body of a function.
    wrapped: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct EditedLine {
    original: String,
    /// (column from 0 in the source, characters removed, characters inserted)
    changes: Vec<(u32, u32, u32)>,
}

impl Edits {
    /// For a source that is fed as it is.
    pub(crate) fn none(source: &str) -> Self {
        Self::new(source, &[], false)
    }

    pub(crate) fn new(source: &str, changes: &[Change], wrapped: bool) -> Self {
        let mut lines: BTreeMap<u32, EditedLine> = BTreeMap::new();
        for change in changes {
            let place = location(source, change.offset as usize);
            let line = lines.entry(place.line).or_default();
            if line.changes.is_empty() {
                line.original = source
                    .lines()
                    .nth(place.line as usize - 1)
                    .unwrap_or_default()
                    .to_owned();
            }
            line.changes.push((
                place.column - 1,
                change.removed,
                change.inserted.chars().count() as u32,
            ));
        }
        Self {
            lines,
            line_count: source.lines().count() as u32,
            wrapped,
        }
    }

    /// Where the line `line` (from 1) of the fed text stands in the source.
    pub(crate) fn line(&self, line: u32) -> Option<u32> {
        match self.wrapped {
            true if line < self.line_count => line.checked_sub(1).filter(|&line| line > 0),
            false if line <= self.line_count => Some(line),
            _ => None,
        }
    }

    /// A line of the source, as it was before it was indented.
    pub(crate) fn unindented<'t>(&self, text: &'t str) -> &'t str {
        match self.wrapped {
            true => text.strip_prefix(INDENT).unwrap_or(text),
            false => text,
        }
    }

    /// The column (from 1) in the source of a position in the fed text.
    pub(crate) fn column(&self, line: u32, column: u32) -> u32 {
        let column = self.before_changes(line, column);
        match self.wrapped {
            true => column.saturating_sub(INDENT.len() as u32).max(1),
            false => column,
        }
    }

    fn before_changes(&self, line: u32, column: u32) -> u32 {
        let Some(edited) = self.lines.get(&line) else {
            return column;
        };
        let fed = i64::from(column) - 1;
        let mut delta = 0_i64;
        for &(at, removed, inserted) in &edited.changes {
            let start = i64::from(at) + delta;
            if fed < start {
                break;
            }
            if fed < start + i64::from(inserted) {
                return at + 1;
            }
            delta += i64::from(inserted) - i64::from(removed);
        }
        (fed - delta + 1).max(1) as u32
    }

    /// The source line `line`, if it is one that was changed.
    pub(crate) fn original(&self, line: u32) -> Option<&str> {
        self.lines.get(&line).map(|edited| edited.original.as_str())
    }
}
