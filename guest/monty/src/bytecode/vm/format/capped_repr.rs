//! `f"{value!r:.100}"`: a representation of which only the beginning is wanted.

use std::fmt::{self, Write};

use crate::{
    bytecode::VM,
    exception_private::RunResult,
    types::{LazyHeapSet, PyTrait as _},
    value::Value,
};

/// The conversion `!r` in the flags of a format instruction.
const REPR: u8 = 2;

/// Returns the beginning of the representation of a value that this format cuts, `None` for other formats.
pub(super) fn converted(
    value: &Value,
    conversion: u8,
    format_spec: Option<&str>,
    vm: &mut VM<'_>,
) -> RunResult<Option<String>> {
    let digits = format_spec.and_then(|spec| spec.strip_prefix('.'));
    let Some(characters) = digits.and_then(|digits| digits.parse::<usize>().ok()) else {
        return Ok(None);
    };
    if conversion != REPR {
        return Ok(None);
    }
    // A character has four bytes at the most.
    let mut writer = Beginning {
        text: String::new(),
        room: characters.saturating_mul(4),
        is_full: false,
    };
    match value.py_repr_fmt(&mut writer, vm, &mut LazyHeapSet::default()) {
        Err(error) if !writer.is_full => Err(error),
        _ => Ok(Some(writer.text)),
    }
}

/// A text that takes so many bytes and no more.
struct Beginning {
    text: String,
    room: usize,
    is_full: bool,
}

impl Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let fitting = text.floor_char_boundary(self.room);
        self.text.push_str(&text[..fitting]);
        self.room -= fitting;
        self.is_full |= fitting < text.len();
        match self.is_full {
            true => Err(fmt::Error),
            false => Ok(()),
        }
    }
}
