//! Positions of characters in long texts.
//!
//! Python counts characters and UTF-8 has bytes. Where each call that takes or returns
//! a position walks the text to convert one into the other, a loop of
//! `text.find(word, position)` takes time in the square of the text. Here ASCII
//! text is addressed directly, and a long text of other characters by a table of the
//! beginnings of every [`STEP`]th of them, which is made at the first such call.

use std::cell::Cell;

use super::{PyStr, Str, affix_matches, allocate_char, allocate_string, extract_string_arg};
use crate::{
    args::ArgValues,
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunResult},
    heap::{Heap, HeapData, HeapObjectRead},
    intern::{StaticStrings, StringId},
    resource_checks::check_estimated_size,
    types::{
        Type, re_pattern,
        slice::{normalize_sequence_index, value_to_option_i64},
    },
    value::Value,
};

/// Characters between two entries of the table: an entry has four bytes.
const STEP: usize = 128;

/// Bytes from which on a text of other characters than ASCII has a table.
const LONG: usize = 1024;

/// Bytes at which every [`STEP`]th character of a text begins.
#[derive(Debug, Clone)]
pub(super) struct Positions {
    starts: Box<[u32]>,
    /// Characters of the text.
    len: usize,
    /// True if regular expressions have to look for the ends of words by themselves, once it is known.
    has_disputed: Cell<Option<bool>>,
}

impl Positions {
    /// Makes the table of `text`; a limit on time or memory ends it.
    fn new(text: &str, heap: &Heap) -> RunResult<Self> {
        check_estimated_size(text.len() / (STEP / size_of::<u32>()), &heap.tracker)?;
        let mut starts = Vec::with_capacity(text.len() / STEP + 1);
        let mut len = 0;
        for (byte, _) in text.char_indices() {
            if len % STEP == 0 {
                heap.tracker.check_time_every(starts.len())?;
                starts.push(u32::try_from(byte).unwrap_or(u32::MAX));
            }
            len += 1;
        }
        Ok(Self {
            starts: starts.into(),
            len,
            has_disputed: Cell::new(None),
        })
    }

    /// Returns the byte at which the character `position` of `text` begins, its length behind the last one.
    fn byte(&self, text: &str, position: usize) -> usize {
        if position >= self.len {
            return text.len();
        }
        let near = self.starts[position / STEP] as usize;
        near + walk(&text[near..], position % STEP)
    }

    /// Returns how many characters of `text` begin before `byte`.
    fn position(&self, text: &str, byte: usize) -> usize {
        let entry = self
            .starts
            .partition_point(|start| *start as usize <= byte)
            .saturating_sub(1);
        let near = self.starts.get(entry).map_or(0, |start| *start as usize);
        entry * STEP + text[near..byte].chars().count()
    }
}

/// Returns the bytes of the first `count` characters of `text`, of all of it if it has fewer.
fn walk(text: &str, count: usize) -> usize {
    text.char_indices()
        .nth(count)
        .map_or(text.len(), |(byte, _)| byte)
}

impl Str {
    /// Returns the table of the text, made if it was not; `None` if ASCII or a short text needs none.
    fn positions(&self, heap: &Heap) -> RunResult<Option<&Positions>> {
        if self.is_ascii() || self.0.len() < LONG || u32::try_from(self.0.len()).is_err() {
            return Ok(None);
        }
        if self.3.get().is_none() {
            let _ = self.3.set(Box::new(Positions::new(&self.0, heap)?));
        }
        Ok(self.3.get().map(Box::as_ref))
    }

    /// Returns the text with what is known of its positions.
    fn addressed(&self, heap: &Heap) -> RunResult<Text<'_>> {
        let known = match self.positions(heap)? {
            Some(positions) => Known::Table(positions),
            None if self.is_ascii() => Known::Ascii,
            None => Known::Nothing,
        };
        Ok(Text {
            text: &self.0,
            known,
        })
    }
}

/// Knowledge of the positions in a text.
#[derive(Clone, Copy)]
enum Known<'a> {
    /// One byte is one character.
    Ascii,
    Table(&'a Positions),
    Nothing,
}

/// A text whose characters are found by their positions.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    text: &'a str,
    known: Known<'a>,
}

impl<'a> Text<'a> {
    /// Returns how many characters it has.
    fn len(self) -> usize {
        match self.known {
            Known::Ascii => self.text.len(),
            Known::Table(positions) => positions.len,
            Known::Nothing => self.text.chars().count(),
        }
    }

    /// Returns the byte at which a character begins, the length of the text behind the last one.
    fn byte(self, position: usize) -> usize {
        match self.known {
            Known::Ascii => position.min(self.text.len()),
            Known::Table(positions) => positions.byte(self.text, position),
            Known::Nothing => walk(self.text, position),
        }
    }

    /// Returns how many characters begin before a byte.
    fn position(self, byte: usize) -> usize {
        match self.known {
            Known::Ascii => byte,
            Known::Table(positions) => positions.position(self.text, byte),
            Known::Nothing => self.text[..byte].chars().count(),
        }
    }

    /// Returns the characters from `start` to before `end`.
    fn between(self, start: usize, end: usize) -> &'a str {
        let first = self.byte(start);
        match self.known {
            Known::Nothing => {
                &self.text[first..first + walk(&self.text[first..], end.saturating_sub(start))]
            }
            _ => &self.text[first..self.byte(end).max(first)],
        }
    }
}

/// A string of a script: on the heap, or a constant.
pub(super) trait Addressed<'h> {
    /// Borrows the text with what is known of its positions.
    fn text<'a>(&'a self, vm: &'a VM<'h>) -> RunResult<Text<'a>>;
}

impl<'h> Addressed<'h> for HeapObjectRead<'h, Str> {
    fn text<'a>(&'a self, vm: &'a VM<'h>) -> RunResult<Text<'a>> {
        self.get(vm.heap).addressed(vm.heap)
    }
}

impl<'h> Addressed<'h> for StringId {
    fn text<'a>(&'a self, vm: &'a VM<'h>) -> RunResult<Text<'a>> {
        let text = vm.interns.get_str(*self);
        let known = if text.is_ascii() {
            Known::Ascii
        } else {
            Known::Nothing
        };
        Ok(Text { text, known })
    }
}

/// Returns the length of a string in characters.
pub(super) fn len<'h>(string: &HeapObjectRead<'h, Str>, vm: &VM<'h>) -> usize {
    let string = string.get(vm.heap);
    string
        .addressed(vm.heap)
        .map_or_else(|_| string.char_len(), Text::len)
}

/// Returns the item at an index or in a slice, or `None` where there is no faster way than character by character.
pub(super) fn item<'h>(
    string: &HeapObjectRead<'h, Str>,
    key: &Value,
    vm: &mut VM<'h>,
) -> RunResult<Option<Value>> {
    if let Value::Ref(id) = key
        && let HeapData::Slice(slice) = vm.heap.get(*id)
    {
        let text = string.text(vm)?;
        let (start, end, step) = slice.indices(text.len())?;
        if step != 1 {
            return Ok(None);
        }
        let (start, end) = (
            usize::try_from(start).unwrap_or(0),
            usize::try_from(end).unwrap_or(0),
        );
        let part = text.between(start, end);
        check_estimated_size(part.len(), &vm.heap.tracker)?;
        let is_ascii = matches!(text.known, Known::Ascii);
        let value = allocate_string(part, vm.heap);
        if let Value::Ref(id) = &value
            && let HeapData::Str(made) = vm.heap.get(*id)
            && is_ascii
        {
            made.2.set(Some(true));
        }
        return Ok(Some(value));
    }
    if matches!(string.text(vm)?.known, Known::Ascii) {
        return Ok(None);
    }
    let index = key.as_index(vm, Type::Str)?;
    let text = string.text(vm)?;
    let len = i64::try_from(text.len()).unwrap_or(i64::MAX);
    let found = if index < 0 {
        index.saturating_add(len)
    } else {
        index
    };
    if !(0..len).contains(&found) {
        return Err(ExcType::str_index_error());
    }
    let byte = text.byte(usize::try_from(found).unwrap_or(usize::MAX));
    let character = text.text[byte..]
        .chars()
        .next()
        .ok_or_else(ExcType::str_index_error)?;
    Ok(Some(allocate_char(character, vm.heap)))
}

/// Returns whether a method is one of [`search`].
pub(super) fn has(method: StaticStrings) -> bool {
    use StaticStrings::{Count, Endswith, Find, Index, Rfind, Rindex, Startswith};
    matches!(
        method,
        Count | Endswith | Find | Index | Rfind | Rindex | Startswith
    )
}

/// Calls a method that looks for a text between two positions.
///
/// A start behind the end finds nothing, not even an empty text, as in CPython.
pub(super) fn search<'h>(
    string: &impl Addressed<'h>,
    method: StaticStrings,
    args: ArgValues,
    vm: &mut VM<'h>,
) -> RunResult<Value> {
    let name = match method {
        StaticStrings::Find => "str.find",
        StaticStrings::Rfind => "str.rfind",
        StaticStrings::Index => "str.index",
        StaticStrings::Rindex => "str.rindex",
        StaticStrings::Count => "str.count",
        StaticStrings::Startswith => "str.startswith",
        _ => "str.endswith",
    };
    let given = args.into_pos_only(name, vm.heap)?;
    defer_drop!(given, vm);
    let [wanted, bounds @ ..] = given.as_slice() else {
        return Err(ExcType::type_error_at_least(name, 1, 0));
    };
    if bounds.len() > 2 {
        return Err(ExcType::type_error_at_most(name, 3, given.len()));
    }
    let is_affix = matches!(method, StaticStrings::Startswith | StaticStrings::Endswith);
    let wanted_text = if is_affix {
        String::new()
    } else {
        extract_string_arg(wanted, vm)?
    };
    let len = string.text(vm)?.len();
    let start = match bounds.first() {
        Some(value) => value_to_option_i64(value, vm)?.unwrap_or(0),
        None => 0,
    };
    let end = match bounds.get(1) {
        Some(value) => {
            value_to_option_i64(value, vm)?.map_or(len, |end| normalize_sequence_index(end, len))
        }
        None => len,
    };
    let is_behind = start > i64::try_from(len).unwrap_or(i64::MAX);
    let start = normalize_sequence_index(start, len);
    let part = if is_behind || start > end {
        None
    } else {
        Some(string.text(vm)?.between(start, end))
    };
    if is_affix {
        let matcher = |text: &str, affix: &str| match part {
            None => false,
            Some(_) if matches!(method, StaticStrings::Startswith) => text.starts_with(affix),
            Some(_) => text.ends_with(affix),
        };
        let is_there = affix_matches(wanted, part.unwrap_or_default(), name, matcher, vm)?;
        return Ok(Value::Bool(is_there));
    }
    if matches!(method, StaticStrings::Count) {
        let count = match part {
            None => 0,
            Some(part) if wanted_text.is_empty() => part.chars().count() + 1,
            Some(part) => part.matches(&wanted_text).count(),
        };
        return Ok(Value::Int(i64::try_from(count).unwrap_or(i64::MAX)));
    }
    let found = part.and_then(|part| match method {
        StaticStrings::Find | StaticStrings::Index => part.find(&wanted_text),
        _ => part.rfind(&wanted_text),
    });
    match found {
        Some(byte) => {
            let text = string.text(vm)?;
            let position = text.position(text.byte(start) + byte);
            Ok(Value::Int(i64::try_from(position).unwrap_or(i64::MAX)))
        }
        None if matches!(method, StaticStrings::Find | StaticStrings::Rfind) => Ok(Value::Int(-1)),
        None => Err(ExcType::value_error_substring_not_found()),
    }
}

/// Returns whether the text of a string is ASCII, which is looked for once.
pub(crate) fn is_ascii(string: &Value, text: &str, heap: &Heap) -> bool {
    match string {
        Value::Ref(id) if let HeapData::Str(string) = heap.get(*id) => string.is_ascii(),
        _ => text.is_ascii(),
    }
}

/// Returns whether words end elsewhere in a string than the engine of regular expressions sees. The answer for a long one is kept.
pub(crate) fn has_disputed(string: &Value, text: &str, heap: &Heap) -> RunResult<bool> {
    let kept = match string {
        Value::Ref(id) if let HeapData::Str(string) = heap.get(*id) => {
            if string.is_ascii() {
                return Ok(false);
            }
            string.positions(heap)?.map(|table| &table.has_disputed)
        }
        _ => None,
    };
    if let Some(has_disputed) = kept.and_then(Cell::get) {
        return Ok(has_disputed);
    }
    let has_disputed = re_pattern::has_disputed(text);
    if let Some(kept) = kept {
        kept.set(Some(has_disputed));
    }
    Ok(has_disputed)
}

/// Returns how many characters of a string begin before a byte.
pub(crate) fn position(string: &Value, byte: usize, vm: &VM<'_>) -> usize {
    let counted = addressed(string, vm, |text| text.position(byte));
    counted.unwrap_or_else(|_| {
        string
            .to_str(vm)
            .map_or(byte, |text| text[..byte].chars().count())
    })
}

/// Returns the byte at which a character of a string begins, its length behind the last one.
pub(crate) fn byte(string: &Value, position: usize, vm: &VM<'_>) -> RunResult<usize> {
    addressed(string, vm, |text| text.byte(position))
}

/// Answers a question about the text of a string.
fn addressed(string: &Value, vm: &VM<'_>, ask: impl Fn(Text<'_>) -> usize) -> RunResult<usize> {
    match PyStr::from_value(string, vm) {
        Some(PyStr::Heap(string)) => Ok(ask(string.text(vm)?)),
        Some(PyStr::Interned(id)) => Ok(ask(id.text(vm)?)),
        None => Err(ExcType::type_error("expected str")),
    }
}
