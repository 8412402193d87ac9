//! `Pattern.search` from a position on.

use super::RePattern;
use crate::{
    args::ArgValues,
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunResult},
    heap::HeapObjectRead,
    types::str::positions,
    value::Value,
};

/// Looks for a match that begins at a position or behind it.
///
/// Look-behinds and `\b` see the text before the position, and `^` does not match at it, as in CPython.
/// `\G` matches at it.
pub(super) fn search<'h>(
    pattern: &HeapObjectRead<'h, RePattern>,
    args: ArgValues,
    vm: &mut VM<'h>,
) -> RunResult<Value> {
    let (subject, from) = args.get_one_two_args("Pattern.search", vm.heap)?;
    defer_drop!(subject, vm);
    defer_drop!(from, vm);
    let from = match from {
        Some(from) => match from.as_int(vm)? {
            ..0 => 0,
            from => usize::try_from(from).unwrap_or(usize::MAX),
        },
        None => 0,
    };
    let text = subject.to_str(vm)?;
    let byte = if from == 0 {
        0
    } else {
        positions::byte(subject, from, vm)?
    };
    let pattern = pattern.get(vm.heap);
    let exact = pattern.for_subject(subject, text, vm.heap)?;
    match exact.compiled.captures_from_pos(text, byte) {
        Ok(Some(captures)) => {
            let is_ascii = positions::is_ascii(subject, text, vm.heap);
            Ok(pattern.build_match(&captures, subject, is_ascii, vm.heap))
        }
        Ok(None) => Ok(Value::None),
        Err(error) => Err(ExcType::re_pattern_error(error)),
    }
}
