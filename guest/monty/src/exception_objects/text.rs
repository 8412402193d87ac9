//! The texts of exceptions, as builtin types show them.

use std::fmt::Write;

use super::{fields, is_of, kind_of, type_name};
use crate::{
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, RunResult},
    heap::{HeapData, HeapId},
    types::{LazyHeapSet, PyTrait as _, instance::class_name},
    value::Value,
};

/// Returns the arguments of an exception that are more than its text, a tuple.
pub(super) fn given(id: HeapId, vm: &VM<'_>) -> Option<Value> {
    let args = fields(id, vm)?.args.as_ref()?;
    Some(args.clone_with_heap(vm.heap))
}

/// Returns an item of a tuple.
pub(super) fn item(tuple: &Value, at: usize, vm: &VM<'_>) -> Option<Value> {
    match vm.heap.get(tuple.ref_id()?) {
        HeapData::Tuple(tuple) => Some(tuple.as_slice().get(at)?.clone_with_heap(vm.heap)),
        _ => None,
    }
}

/// Returns the number of items of a tuple.
pub(super) fn len(tuple: &Value, vm: &VM<'_>) -> usize {
    match tuple.ref_id().map(|id| vm.heap.get(id)) {
        Some(HeapData::Tuple(tuple)) => tuple.as_slice().len(),
        _ => 0,
    }
}

fn shown(value: &Value, vm: &mut VM<'_>) -> RunResult<String> {
    let text = value.py_str(vm)?;
    defer_drop!(text, vm);
    Ok(text.to_str(vm)?.to_owned())
}

fn quoted(value: &Value, vm: &mut VM<'_>) -> RunResult<String> {
    let mut text = String::new();
    value.py_repr_fmt(&mut text, vm, &mut LazyHeapSet::default())?;
    Ok(text)
}

/// Returns the text of an exception without asking `__str__` of its class.
pub(crate) fn text(id: HeapId, vm: &mut VM<'_>) -> RunResult<String> {
    let Some(args) = given(id, vm) else {
        return Ok(match vm.heap.get(id) {
            HeapData::Exception(object) => object.py_str(),
            _ => String::new(),
        });
    };
    defer_drop!(args, vm);
    let mut guard = vm.recursion_guard()?;
    let vm = &mut *guard;
    let count = len(args, vm);
    let is = |kind| is_of(id, kind, vm);
    let (is_key, is_os) = (is(ExcType::KeyError), is(ExcType::OSError));
    let is_decoding = is(ExcType::UnicodeDecodeError);
    let is_unicode = is_decoding || is(ExcType::UnicodeEncodeError);
    let args_at = |at: usize, vm: &VM<'_>| item(args, at, vm).unwrap_or(Value::None);
    match count {
        0 => Ok(String::new()),
        1 => {
            let only = args_at(0, vm);
            defer_drop!(only, vm);
            match is_key {
                true => quoted(only, vm),
                false => shown(only, vm),
            }
        }
        2 if is_os => {
            let (number, message) = (args_at(0, vm), args_at(1, vm));
            defer_drop!(number, vm);
            defer_drop!(message, vm);
            let mut text = format!("[Errno {}] {}", shown(number, vm)?, shown(message, vm)?);
            let file = fields(id, vm).and_then(|fields| fields.attribute("filename"));
            if let Some(file) = file.map(|file| file.clone_with_heap(vm.heap)) {
                defer_drop!(file, vm);
                write!(text, ": {}", quoted(file, vm)?)?;
            }
            Ok(text)
        }
        5 if is_unicode => of_unicode(args, is_decoding, vm),
        _ => quoted(args, vm),
    }
}

/// Returns the text of an exception with the five arguments of `UnicodeDecodeError`.
fn of_unicode(args: &Value, is_decoding: bool, vm: &mut VM<'_>) -> RunResult<String> {
    let mut parts = Vec::new();
    for at in 0..5 {
        let part = item(args, at, vm).unwrap_or(Value::None);
        defer_drop!(part, vm);
        parts.push(match at {
            1 => String::new(),
            _ => shown(part, vm)?,
        });
    }
    let (start, end) = (
        parts[2].parse::<usize>().unwrap_or(0),
        parts[3].parse::<usize>().unwrap_or(0),
    );
    let object = item(args, 1, vm).unwrap_or(Value::None);
    defer_drop!(object, vm);
    let byte = match object.ref_id().map(|id| vm.heap.get(id)) {
        Some(HeapData::Bytes(bytes)) => bytes.as_slice().get(start).copied(),
        _ => None,
    };
    let (verb, what) = match is_decoding {
        true => ("decode", "byte"),
        false => ("encode", "character"),
    };
    let place = match (end == start + 1, byte) {
        (true, Some(byte)) => format!("{what} 0x{byte:02x} in position {start}"),
        (true, None) => format!("{what} in position {start}"),
        (false, _) => format!("{what}s in position {start}-{}", end.saturating_sub(1)),
    };
    Ok(format!(
        "'{}' codec can't {verb} {place}: {}",
        parts[0], parts[4]
    ))
}

/// Writes the `repr()` of an exception without asking `__repr__` of its class.
pub(crate) fn write_repr(
    id: HeapId,
    f: &mut impl Write,
    vm: &mut VM<'_>,
    heap_ids: &mut LazyHeapSet,
) -> RunResult<()> {
    let Some(args) = given(id, vm) else {
        if let HeapData::Exception(object) = vm.heap.get(id) {
            let exc = object.exc.clone();
            let mut text = String::new();
            exc.py_repr_fmt(&mut text)?;
            // The name of the type may be another one for scripts.
            let arguments = text.find('(').map_or("", |at| &text[at..]);
            return Ok(write!(f, "{}{arguments}", type_name(exc.exc_type()))?);
        }
        let name = name(id, vm);
        return Ok(write!(f, "{name}()")?);
    };
    defer_drop!(args, vm);
    let name = name(id, vm);
    f.write_str(&name)?;
    let mut guard = vm.recursion_guard()?;
    let vm = &mut *guard;
    if len(args, vm) != 1 {
        return args.py_repr_fmt(f, vm, heap_ids);
    }
    let only = item(args, 0, vm).unwrap_or(Value::None);
    defer_drop!(only, vm);
    f.write_char('(')?;
    only.py_repr_fmt(f, vm, heap_ids)?;
    Ok(f.write_char(')')?)
}

/// Returns the name of the class of an exception.
pub(super) fn name(id: HeapId, vm: &VM<'_>) -> String {
    match vm.heap.get(id) {
        HeapData::Instance(instance) => {
            class_name(instance.class(), vm.heap, vm.interns).into_owned()
        }
        _ => kind_of(id, vm).map_or("", type_name).to_owned(),
    }
}

/// Returns whether the text of an exception is not the one that it is on its way with.
fn has_own_text(id: HeapId, vm: &VM<'_>) -> bool {
    matches!(vm.heap.get(id), HeapData::Instance(_))
        || fields(id, vm).is_some_and(|fields| fields.args.is_some())
}

/// Returns the text of an exception for the host; `None` if there is none.
pub(crate) fn text_for_host(
    exception: &Value,
    id: HeapId,
    vm: &mut VM<'_>,
) -> RunResult<Option<String>> {
    if !has_own_text(id, vm) {
        return Ok(match vm.heap.get(id) {
            HeapData::Exception(object) if object.arg().is_some() => Some(object.py_str()),
            _ => None,
        });
    }
    let text = shown(exception, vm)?;
    Ok((!text.is_empty()).then_some(text))
}

/// Returns the text that stands for the arguments of an exception of a builtin type where it leaves the interpreter.
pub(crate) fn argument(id: HeapId, vm: &mut VM<'_>) -> Option<String> {
    let own = match vm.heap.get(id) {
        HeapData::Exception(object) => object.arg().cloned(),
        _ => None,
    };
    let Some(args) = given(id, vm) else {
        return own;
    };
    defer_drop!(args, vm);
    // Nothing of a script runs here: a limit that it reached would be lost.
    let is_plain = match args.ref_id().map(|id| vm.heap.get(id)) {
        Some(HeapData::Tuple(args)) => args.as_slice().iter().all(|arg| match arg {
            Value::Ref(id) => matches!(
                vm.heap.get(*id),
                HeapData::Str(_) | HeapData::LongInt(_) | HeapData::Bytes(_)
            ),
            _ => true,
        }),
        _ => false,
    };
    let text = is_plain.then(|| text(id, vm).ok()).flatten();
    text.filter(|text| !text.is_empty())
}
