//! Making exceptions.

use monty_types::{ExcData, JsonErrorData};

use super::{
    ExceptionObject, Fields, attributes, change, is_of, kind_of,
    text::{item, len, name},
};
use crate::{
    args::ArgValues,
    builtins::Builtins,
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult, SimpleException},
    heap::{DropWithContext as _, HeapData, HeapId},
    types::{allocate_tuple, class::bases, tuple::TupleVec},
    value::Value,
};

/// Types below `OSError` by the number of the error.
const OF_SYSTEM: [(i64, ExcType); 8] = [
    (1, ExcType::PermissionError),
    (2, ExcType::FileNotFoundError),
    (13, ExcType::PermissionError),
    (17, ExcType::FileExistsError),
    (20, ExcType::NotADirectoryError),
    (21, ExcType::IsADirectoryError),
    (62, ExcType::TimeoutError),
    (110, ExcType::TimeoutError),
];

/// Calls a builtin type of exceptions.
pub(crate) fn call(kind: ExcType, args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let plain = match &args {
        ArgValues::Empty => Some(SimpleException::new_none(kind)),
        ArgValues::One(only) if only.is_str(vm.heap) => {
            Some(SimpleException::new_msg(kind, only.to_str(vm)?))
        }
        _ => None,
    };
    if let Some(plain) = plain {
        args.drop_with(vm);
        return Ok(Value::Ref(
            vm.heap.allocate(HeapData::Exception(plain.into())),
        ));
    }
    let (given, named) = args.into_parts();
    let given: TupleVec = given.collect();
    if let (ExcType::JsonDecodeError, Some(exc)) = (kind, of_json(&given, vm)) {
        given.into_iter().for_each(|one| one.drop_with(vm));
        named.drop_with(vm);
        return Ok(Value::Ref(
            vm.heap.allocate(HeapData::Exception(exc.into())),
        ));
    }
    let number = match given.first() {
        Some(Value::Int(number)) if (2..=5).contains(&given.len()) => Some(*number),
        _ => None,
    };
    let known = OF_SYSTEM.iter().find(|(of, _)| Some(*of) == number);
    let kind = match (kind, known) {
        (ExcType::OSError, Some((_, known))) => *known,
        _ => kind,
    };
    let id = object(kind, given, vm);
    match take_named(id, named.into_iter().collect(), vm) {
        Ok(()) => {
            take_file(id, vm);
            Ok(Value::Ref(id))
        }
        Err(error) => {
            Value::Ref(id).drop_with(vm);
            Err(error)
        }
    }
}

/// Returns what `JSONDecodeError(message, document, position)` makes; `None` of other arguments.
fn of_json(args: &[Value], vm: &VM<'_>) -> Option<SimpleException> {
    let [message, document, Value::Int(position)] = args else {
        return None;
    };
    let text = |value: &Value| value.as_either_str(vm.heap);
    let (message, document) = (text(message)?, text(document)?);
    let (message, document) = (message.as_str(vm.interns), document.as_str(vm.interns));
    let position = usize::try_from(*position).ok()?;
    let before: String = document.chars().take(position).collect();
    let lineno = before.matches('\n').count() + 1;
    let colno = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let data = JsonErrorData {
        msg: message.to_owned(),
        doc: (document.len() <= JsonErrorData::MAX_DOC_LEN).then(|| document.to_owned()),
        pos: position,
        lineno,
        colno,
    };
    let text = format!("{message}: line {lineno} column {colno} (char {position})");
    let exc = SimpleException::new_msg(ExcType::JsonDecodeError, text);
    Some(exc.with_data(ExcData::Json(Box::new(data))))
}

/// Allocates an exception of a builtin type with these arguments.
fn object(kind: ExcType, args: TupleVec, vm: &VM<'_>) -> HeapId {
    let fields = Fields {
        args: Some(allocate_tuple(args, vm.heap)),
        ..Fields::default()
    };
    vm.heap.allocate(HeapData::Exception(ExceptionObject {
        exc: SimpleException::new_none(kind),
        fields: Some(Box::new(fields)),
    }))
}

/// Gives a new instance the arguments with which its class was called, if that is one of exceptions.
pub(crate) fn begin(id: HeapId, args: &ArgValues, vm: &mut VM<'_>) {
    let is_begun = super::fields(id, vm).is_none_or(|fields| fields.args.is_some());
    if kind_of(id, vm).is_none() || is_begun {
        return;
    }
    let copy = |value: &Value| value.clone_with_heap(vm.heap);
    let args: TupleVec = match args {
        ArgValues::Empty | ArgValues::Kwargs(_) => TupleVec::new(),
        ArgValues::One(one) => std::iter::once(copy(one)).collect(),
        ArgValues::Two(one, other) => [copy(one), copy(other)].into_iter().collect(),
        ArgValues::ArgsKargs { args, .. } => args.iter().map(copy).collect(),
    };
    let args = allocate_tuple(args, vm.heap);
    change(id, vm, |fields| fields.args.replace(args));
}

/// Ends the construction of an instance of a class of exceptions without `__init__`.
pub(crate) fn finish(id: HeapId, args: ArgValues, vm: &mut VM<'_>) -> RunResult<()> {
    let (given, named) = args.into_parts();
    given.drop_with(vm);
    take_named(id, named.into_iter().collect(), vm)?;
    take_file(id, vm);
    Ok(())
}

/// Takes the keywords that the constructors of some types have.
fn take_named(id: HeapId, named: Vec<(Value, Value)>, vm: &mut VM<'_>) -> RunResult<()> {
    let takes: &[&str] = match () {
        () if is_of(id, ExcType::ImportError, vm) => &["name", "path"],
        () if is_of(id, ExcType::AttributeError, vm) => &["name", "obj"],
        () if is_of(id, ExcType::NameError, vm) => &["name"],
        () => &[],
    };
    let mut is_unknown = false;
    for (key, value) in named {
        let text = key.as_either_str(vm.heap);
        let text = text.as_ref().map_or("", |text| text.as_str(vm.interns));
        match takes.iter().find(|one| **one == text) {
            Some(name) => change(id, vm, |fields| fields.set_attribute(name, value)),
            None => {
                is_unknown = true;
                value.drop_with(vm);
            }
        }
        key.drop_with(vm);
    }
    match is_unknown {
        true => {
            let name = name(id, vm);
            Err(ExcType::type_error(format!(
                "{name}() takes no keyword arguments"
            )))
        }
        false => Ok(()),
    }
}

/// Makes an attribute of the third argument of an exception with a number, as Python does: the file.
fn take_file(id: HeapId, vm: &mut VM<'_>) {
    if !is_of(id, ExcType::OSError, vm) {
        return;
    }
    let Some(args) = super::text::given(id, vm) else {
        return;
    };
    defer_drop!(args, vm);
    if !(3..=5).contains(&len(args, vm)) {
        return;
    }
    let file = item(args, 2, vm).unwrap_or(Value::None);
    let first: TupleVec = (0..2).filter_map(|at| item(args, at, vm)).collect();
    let first = allocate_tuple(first, vm.heap);
    change(id, vm, |fields| fields.args.replace(first));
    if !matches!(file, Value::None) {
        change(id, vm, |fields| fields.set_attribute("filename", file));
    }
}

/// Initializes an exception as its builtin types do: `args` begins with it.
pub(crate) fn init(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let (mut given, named) = args.into_parts();
    let Some(exception) = given.next() else {
        named.drop_with(vm);
        return Err(ExcType::type_error("__init__() needs an exception"));
    };
    defer_drop!(exception, vm);
    let given: TupleVec = given.collect();
    let named = named.into_iter().collect();
    let Some(id) = exception.ref_id().filter(|id| kind_of(*id, vm).is_some()) else {
        given.into_iter().for_each(|one| one.drop_with(vm));
        Vec::drop_with(named, vm);
        let kind = exception.py_type_name(vm);
        return Err(ExcType::type_error(format!(
            "descriptor '__init__' requires a 'BaseException' object but received a '{kind}'"
        )));
    };
    let args = allocate_tuple(given, vm.heap);
    change(id, vm, |fields| fields.args.replace(args));
    take_named(id, named, vm)?;
    take_file(id, vm);
    Ok(Value::None)
}

/// Returns the exception that a value is, or that its class makes without arguments; `value` is consumed.
pub(crate) fn raisable(value: Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let is_class = match &value {
        Value::Builtin(Builtins::ExcType(_)) => true,
        Value::Ref(class) => !bases::exceptions(*class, vm.heap).is_empty(),
        _ => false,
    };
    if !is_class {
        return Ok(value);
    }
    let made = vm.evaluate_function(&value, ArgValues::Empty);
    value.drop_with(vm);
    made
}

/// Returns the first argument, an exception or a class of them, with the second one as its cause.
pub(crate) fn with_cause(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let (raised, cause) = args.get_two_args("raise", vm.heap)?;
    let raised = match raisable(raised, vm) {
        Ok(raised) => raised,
        Err(error) => {
            cause.drop_with(vm);
            return Err(error);
        }
    };
    let Some(id) = raised.ref_id().filter(|id| kind_of(*id, vm).is_some()) else {
        // The statement says what is wrong with it.
        cause.drop_with(vm);
        return Ok(raised);
    };
    let set = raisable(cause, vm).and_then(|cause| {
        if matches!(cause, Value::None) || super::kind(&cause, vm).is_some() {
            return attributes::set(id, "__cause__", cause, vm);
        }
        cause.drop_with(vm);
        Err(ExcType::type_error(
            "exception causes must derive from BaseException",
        ))
    });
    match set {
        Ok(_) => Ok(raised),
        Err(error) => {
            raised.drop_with(vm);
            Err(error)
        }
    }
}

/// Returns the `KeyError` of a key that is no text.
pub(crate) fn key_error(key: &Value, vm: &mut VM<'_>) -> RunError {
    let args = std::iter::once(key.clone_with_heap(vm.heap)).collect();
    let id = object(ExcType::KeyError, args, vm);
    vm.raised(Value::Ref(id))
}

/// Returns the `StopIteration` with which a generator gives its result.
pub(crate) fn stop_iteration(value: Value, vm: &mut VM<'_>) -> RunError {
    let id = object(ExcType::StopIteration, std::iter::once(value).collect(), vm);
    vm.raised(Value::Ref(id))
}
