//! `sys.stdout` and `sys.stderr`: their methods, and objects that a script has put in their place.

use monty_types::PrintStream;
use smallvec::smallvec;

use crate::{
    args::ArgValues,
    bytecode::{CallResult, VM, gathering::Gathering},
    defer_drop,
    exception_private::{ExcType, ExcTypeExt as _, RunResult, SimpleException},
    frozen::FrozenFunction,
    heap::{DropGuard, DropWithContext as _, Heap, HeapData, HeapId, HeapRead},
    intern::StaticStrings,
    types::{List, Module, allocate_tuple, iter::collect_owned_iterable, str::allocate_string},
    value::{EitherStr, Marker, Value},
};

/// Methods of the streams.
pub(super) const NAMES: &[&str] = &[
    "fileno",
    "flush",
    "isatty",
    "readable",
    "reconfigure",
    "seekable",
    "writable",
    "write",
    "writelines",
];

/// The names of the streams in `sys`, each with the one that the host gives.
const STREAMS: [(&str, StaticStrings); 2] = [
    ("stdout", StaticStrings::Stdout),
    ("stderr", StaticStrings::Stderr),
];

/// Tuples of the one object that is in the place of each stream.
pub(crate) type Replaced = [Option<HeapId>; STREAMS.len()];

impl Heap {
    /// Has `sys.stdout` and `sys.stderr` be the host's again.
    pub(crate) fn restore_streams(&mut self) {
        for replaced in std::mem::take(&mut self.streams).into_iter().flatten() {
            self.dec_ref(replaced);
        }
    }
}

/// Returns which stream an attribute of a module is.
fn place(module: &Module, attr: &str, vm: &VM<'_>) -> Option<usize> {
    let place = STREAMS.iter().position(|(name, _)| *name == attr)?;
    let is_sys = module.id().is_none() && module.name_str(vm.interns) == "sys";
    is_sys.then_some(place)
}

/// Returns what is in the place of a stream, if a script has put something there.
fn replaced(place: usize, vm: &VM<'_>) -> Option<Value> {
    match vm.heap.get(vm.heap.streams[place]?) {
        HeapData::Tuple(held) => {
            let first = held.as_slice().first()?;
            Some(first.clone_with_heap(vm.heap))
        }
        _ => None,
    }
}

/// Returns what `sys.stdout`, `sys.stderr`, `sys.__stdout__` or `sys.__stderr__` is; `None` for another attribute, and
/// where it is what the module has.
pub(crate) fn attribute(module: &Module, attr: &EitherStr, vm: &VM<'_>) -> Option<Value> {
    let attr = attr.as_str(vm.interns);
    if let Some(place) = place(module, attr, vm) {
        return replaced(place, vm);
    }
    let plain = attr.strip_prefix("__")?.strip_suffix("__")?;
    let place = place(module, plain, vm)?;
    Some(Value::Marker(Marker(STREAMS[place].1)))
}

/// Sets an attribute of a module: only that of a stream can be. `value` is consumed.
pub(crate) fn set<'h>(
    module: &HeapRead<'h, Module>,
    attr: &EitherStr,
    value: Value,
    vm: &mut VM<'h>,
) -> RunResult<()> {
    let name = attr.as_str(vm.interns);
    let Some(place) = place(module.get(vm.heap), name, vm) else {
        value.drop_with(vm);
        return Err(ExcType::attribute_error_no_setattr("module", name));
    };
    let is_own = matches!(&value, Value::Marker(Marker(stream)) if *stream == STREAMS[place].1);
    let before = if is_own {
        vm.heap.streams[place].take()
    } else {
        let held = allocate_tuple(smallvec![value], vm.heap);
        std::mem::replace(&mut vm.heap.streams[place], held.ref_id())
    };
    before.map(Value::Ref).drop_with(vm);
    Ok(())
}

/// Returns the object that `print` writes to, given its argument `file`; `None` where that is a stream of the host's.
pub(crate) fn target(file: &Value, vm: &VM<'_>) -> Option<Value> {
    match file {
        Value::None => replaced(0, vm).filter(|target| stream_of(target).is_none()),
        file => stream_of(file)
            .is_none()
            .then(|| file.clone_with_heap(vm.heap)),
    }
}

/// Has each of the texts written to an object, in a frame in which its method can wait for the host. Both are consumed.
pub(crate) fn write_each(
    target: Value,
    texts: Vec<Value>,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    let texts = Value::Ref(vm.heap.allocate(HeapData::List(List::new(texts))));
    let mut given = DropGuard::new((target, texts), vm);
    let ((target, _), vm) = given.as_parts_mut();
    // As in CPython, nothing is printed where there is no stream.
    if matches!(target, Value::None) {
        return Ok(CallResult::Value(Value::None));
    }
    let write = EitherStr::Interned(vm.interns.intern_static(StaticStrings::Write));
    let write = target.py_getattr(&write, vm)?.require_synchronous(vm)?;
    let ((target, texts), vm) = given.into_parts();
    target.drop_with(vm);
    vm.call_frozen_exact(FrozenFunction::Gathering(Gathering::Each), [write, texts])
}

/// Returns the stream of the host's that a value is.
pub(crate) fn stream_of(value: &Value) -> Option<PrintStream> {
    match value {
        Value::Marker(Marker(StaticStrings::Stdout)) => Some(PrintStream::Stdout),
        Value::Marker(Marker(StaticStrings::Stderr)) => Some(PrintStream::Stderr),
        _ => None,
    }
}

/// Calls a method of a stream; gives the arguments back if it has none of this name.
pub(super) fn call(
    receiver: &Value,
    name: &str,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> Result<RunResult<Value>, ArgValues> {
    let Some(stream) = stream_of(receiver) else {
        return Err(args);
    };
    Ok(match name {
        "write" => args
            .get_one_arg("TextIOWrapper.write", vm.heap)
            .and_then(|text| write(stream, text, vm)),
        "writelines" => args
            .get_one_arg("TextIOWrapper.writelines", vm.heap)
            .and_then(|lines| write_lines(stream, lines, vm)),
        // Nothing is kept back, and no setting makes a difference.
        "reconfigure" => {
            args.drop_with(vm);
            Ok(Value::None)
        }
        "flush" => args
            .check_zero_args("TextIOWrapper.flush", vm.heap)
            .map(|()| Value::None),
        "isatty" | "readable" | "seekable" => args
            .check_zero_args(name, vm.heap)
            .map(|()| Value::Bool(false)),
        "writable" => args
            .check_zero_args(name, vm.heap)
            .map(|()| Value::Bool(true)),
        "fileno" => args
            .check_zero_args(name, vm.heap)
            .and_then(|()| Err(SimpleException::new_msg(ExcType::OSError, "fileno").into())),
        _ => return Err(args),
    })
}

/// Writes a text, and returns how many characters it has. `text` is consumed.
fn write(stream: PrintStream, text: Value, vm: &mut VM<'_>) -> RunResult<Value> {
    defer_drop!(text, vm);
    vm.note_print();
    let Ok(written) = text.to_str_heap(vm.heap, vm.interns) else {
        let message = format!(
            "write() argument must be str, not {}",
            text.py_type_name(vm)
        );
        return Err(ExcType::type_error(message));
    };
    let count = written.chars().count();
    vm.print_writer.write(stream, written.into())?;
    Ok(Value::Int(i64::try_from(count).unwrap_or(i64::MAX)))
}

fn write_lines(stream: PrintStream, lines: Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let lines: Vec<Value> = collect_owned_iterable(lines, vm)?;
    defer_drop!(lines, vm);
    for line in lines {
        write(stream, line.clone_with_heap(vm.heap), vm)?;
    }
    Ok(Value::None)
}

/// Returns an attribute of a stream.
pub(super) fn member(receiver: &Value, name: &str, vm: &VM<'_>) -> Option<Value> {
    let stream = stream_of(receiver)?;
    let text = match (name, stream) {
        ("encoding", _) => "utf-8",
        ("errors", PrintStream::Stdout) => "strict",
        ("errors", PrintStream::Stderr) => "backslashreplace",
        ("mode", _) => "w",
        ("name", PrintStream::Stdout) => "<stdout>",
        ("name", PrintStream::Stderr) => "<stderr>",
        ("closed", _) => return Some(Value::Bool(false)),
        _ => return None,
    };
    Some(allocate_string(text.to_owned(), vm.heap))
}
