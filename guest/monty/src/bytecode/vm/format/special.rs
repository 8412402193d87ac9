//! `__format__` of classes, and values that have no format but the empty one.

use crate::{
    args::ArgValues,
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunResult},
    heap::HeapData,
    types::{instance::members, str::allocate_string},
    value::Value,
};

/// Returns true if the interpreter formats a value by a specification of numbers or texts.
#[inline]
pub(super) fn is_plain(value: &Value, vm: &VM<'_>) -> bool {
    match value {
        Value::Int(_)
        | Value::Float(_)
        | Value::Bool(_)
        | Value::InternString(_)
        | Value::InternLongInt(_) => true,
        Value::Ref(id) => matches!(
            vm.heap.get(*id),
            HeapData::Str(_) | HeapData::LongInt(_) | HeapData::Complex(_) | HeapData::Decimal(_)
        ),
        _ => false,
    }
}

/// Returns the text that a value of any other type has in this format; `None` if it is its text without a format.
///
/// # Errors
/// CPython's `TypeError` for a value that has no format, and what a date or `__format__` raises.
pub(super) fn formatted(value: &Value, spec: &str, vm: &mut VM<'_>) -> RunResult<Option<String>> {
    if let Some(id) = members::asked(value, "__format__", vm) {
        let args = ArgValues::One(allocate_string(spec, vm.heap));
        let text = members::call_special(id, "__format__", args, vm)?.unwrap_or(Value::None);
        defer_drop!(text, vm);
        if !text.is_str(vm.heap) {
            let kind = text.py_type_name(vm);
            return Err(ExcType::type_error(format!(
                "__format__ must return a str, not {kind}"
            )));
        }
        return Ok(Some(text.to_str(vm)?.to_owned()));
    }
    if let Some(text) = vm.try_format_temporal(value, spec)? {
        return Ok(Some(text));
    }
    if spec.is_empty() {
        return Ok(None);
    }
    let kind = value.py_type_name(vm);
    Err(ExcType::type_error(format!(
        "unsupported format string passed to {kind}.__format__"
    )))
}
