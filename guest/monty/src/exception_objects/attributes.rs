//! Attributes of exceptions and of their types.

use super::{
    change, class_of, fields, is_of, kind_of,
    text::{given, item, len},
    traceback, type_name,
};
use monty_types::UnicodeErrorObject;

use crate::{
    args::ArgValues,
    builtins::Builtins,
    bytecode::{CallResult, VM},
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult},
    heap::{DropWithContext as _, HeapData, HeapId},
    modules::classes::ClassFunctions,
    types::{
        Dict, LazyHeapSet, List, PyTrait as _, Type, allocate_tuple, bytes::allocate_bytes,
        class::bases, descriptor::bound, instance::members, str::allocate_string, tuple::TupleVec,
    },
    value::{EitherStr, Value},
};

fn counted(id: HeapId, vm: &VM<'_>) -> Value {
    vm.heap.inc_ref(id);
    Value::Ref(id)
}

fn texted(text: Option<&str>, vm: &VM<'_>) -> Value {
    text.map_or(Value::None, |text| allocate_string(text, vm.heap))
}

/// Returns a function that every type of exceptions has.
pub(crate) fn function(name: &str) -> Option<Value> {
    Some(Value::from(match name {
        "__init__" => ClassFunctions::ExceptionInit,
        "__str__" => ClassFunctions::ExceptionStr,
        "__repr__" => ClassFunctions::ExceptionRepr,
        "with_traceback" => ClassFunctions::WithTraceback,
        "add_note" => ClassFunctions::AddNote,
        _ => return None,
    }))
}

/// Returns the arguments of an exception, a tuple.
fn args(id: HeapId, vm: &VM<'_>) -> Value {
    if let Some(args) = given(id, vm) {
        return args;
    }
    let mut items = TupleVec::new();
    if let HeapData::Exception(object) = vm.heap.get(id)
        && let Some(text) = object.arg()
    {
        items.push(allocate_string(text.as_str(), vm.heap));
    }
    allocate_tuple(items, vm.heap)
}

/// Returns an attribute that an exception has by its builtin types, or that was set; `None` if it has none.
pub(crate) fn member(id: HeapId, name: &str, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    if kind_of(id, vm).is_none() {
        return Ok(None);
    }
    let of = fields(id, vm);
    let own = |value: Option<&Value>| value.map(|value| value.clone_with_heap(vm.heap));
    Ok(Some(match name {
        "args" => args(id, vm),
        "__cause__" => own(of.and_then(|fields| fields.cause.as_ref())).unwrap_or(Value::None),
        "__context__" => own(of.and_then(|fields| fields.context.as_ref())).unwrap_or(Value::None),
        "__suppress_context__" => Value::Bool(of.is_some_and(|fields| fields.suppresses_context)),
        "__traceback__" => traceback_of(id, vm),
        "__class__" => class_of(id, vm),
        "__dict__" | "_rlm_attributes" if matches!(vm.heap.get(id), HeapData::Exception(_)) => {
            let pairs = of.map_or(&[][..], |fields| &fields.attributes).iter();
            let pairs = pairs.map(|(name, value)| {
                let name = allocate_string(&**name, vm.heap);
                (name, value.clone_with_heap(vm.heap))
            });
            let pairs = pairs.collect();
            let dict = Dict::from_pairs(pairs, vm)?;
            Value::Ref(vm.heap.allocate(HeapData::Dict(dict)))
        }
        _ => {
            if let Some(value) = own(of.and_then(|fields| fields.attribute(name))) {
                return Ok(Some(value));
            }
            if let Some(function) = function(name) {
                return Ok(Some(bound(counted(id, vm), function, vm)));
            }
            return Ok(of_kind(id, name, vm));
        }
    }))
}

/// Returns the traceback of an exception, or `None`.
pub(crate) fn traceback_of(id: HeapId, vm: &mut VM<'_>) -> Value {
    let places = vm.traceback_of(id).unwrap_or_default();
    traceback::object(&places, vm)
}

/// Removes the traceback of an exception by `None`. Any other value has no effect: it is made of copies of frames.
fn set_traceback(id: HeapId, value: &Value, vm: &mut VM<'_>) {
    if matches!(value, Value::None) {
        traceback::keep(id, None, vm);
    }
}

/// Returns the first argument of an exception, or `None`.
fn first(id: HeapId, vm: &mut VM<'_>) -> Value {
    let args = args(id, vm);
    defer_drop!(args, vm);
    item(args, 0, vm).unwrap_or(Value::None)
}

/// Returns an attribute that exceptions of some types have.
fn of_kind(id: HeapId, name: &str, vm: &mut VM<'_>) -> Option<Value> {
    let is = |kind| is_of(id, kind, vm);
    match name {
        "value" if is(ExcType::StopIteration) => Some(first(id, vm)),
        "msg" if is(ExcType::SyntaxError) || is(ExcType::ImportError) => Some(first(id, vm)),
        "code" if is(ExcType::SystemExit) => {
            let args = args(id, vm);
            match len(&args, vm) {
                0 | 1 => {
                    args.drop_with(vm);
                    Some(first(id, vm))
                }
                _ => Some(args),
            }
        }
        "errno" | "strerror" | "filename" | "filename2" if is(ExcType::OSError) => {
            Some(of_os(id, name, vm))
        }
        "name"
            if is(ExcType::AttributeError)
                || is(ExcType::NameError)
                || is(ExcType::ImportError) =>
        {
            Some(named(id, vm))
        }
        "path" if is(ExcType::ImportError) => Some(Value::None),
        "encoding" | "object" | "start" | "end" | "reason"
            if is(ExcType::UnicodeDecodeError) || is(ExcType::UnicodeEncodeError) =>
        {
            of_unicode(id, name, vm)
        }
        "msg" | "doc" | "pos" | "lineno" | "colno" if is(ExcType::JsonDecodeError) => {
            of_json(id, name, vm)
        }
        "msg" | "pos" if is(ExcType::RePatternError) => {
            let (message, place) = match plain(id, vm)?.rsplit_once(" at position ") {
                Some((message, place)) => (message, place.split(' ').next()),
                None => (plain(id, vm)?, None),
            };
            Some(match name {
                "msg" => texted(Some(message), vm),
                _ => place
                    .and_then(|place| place.parse().ok())
                    .map_or(Value::None, Value::Int),
            })
        }
        _ => None,
    }
}

/// Returns the text of an exception that the interpreter raised, or that was made of one text.
fn plain<'v>(id: HeapId, vm: &'v VM<'_>) -> Option<&'v str> {
    match vm.heap.get(id) {
        HeapData::Exception(object)
            if fields(id, vm).is_none_or(|fields| fields.args.is_none()) =>
        {
            object.arg().map(String::as_str)
        }
        _ => None,
    }
}

/// Returns the part of a text between two others.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    text.split_once(start)?
        .1
        .split_once(end)
        .map(|(part, _)| part)
}

/// Returns an attribute of an exception with the number of an error of the system.
fn of_os(id: HeapId, name: &str, vm: &mut VM<'_>) -> Value {
    if let Some(args) = given(id, vm) {
        defer_drop!(args, vm);
        let at = match name {
            "errno" => 0,
            "strerror" => 1,
            _ => return Value::None,
        };
        return match len(args, vm) {
            2 => item(args, at, vm).unwrap_or(Value::None),
            _ => Value::None,
        };
    }
    let Some(text) = plain(id, vm) else {
        return Value::None;
    };
    let Some((number, rest)) = text
        .strip_prefix("[Errno ")
        .and_then(|text| text.split_once("] "))
    else {
        return Value::None;
    };
    let (message, file) = match rest.split_once(": '") {
        Some((message, file)) => (message, file.strip_suffix('\'')),
        None => (rest, None),
    };
    match name {
        "errno" => number.parse().map_or(Value::None, Value::Int),
        "strerror" => texted(Some(message), vm),
        "filename" => texted(file, vm),
        _ => Value::None,
    }
}

/// Returns the name that an exception of the interpreter's is about.
fn named(id: HeapId, vm: &VM<'_>) -> Value {
    let found = plain(id, vm).and_then(|text| {
        if is_of(id, ExcType::AttributeError, vm) {
            let about = text.strip_suffix('\'')?;
            return about
                .contains(" has no attribute ")
                .then(|| about.rsplit_once('\'').map(|(_, name)| name))?;
        }
        if is_of(id, ExcType::ImportError, vm) {
            return between(text, "No module named '", "'")
                .or_else(|| between(text, " from '", "'"));
        }
        between(text, "name '", "'").or_else(|| between(text, "variable '", "'"))
    });
    texted(found, vm)
}

/// Returns an attribute of an exception of encoding or decoding.
fn of_unicode(id: HeapId, name: &str, vm: &mut VM<'_>) -> Option<Value> {
    if let Some(args) = given(id, vm) {
        defer_drop!(args, vm);
        let at = ["encoding", "object", "start", "end", "reason"]
            .iter()
            .position(|one| *one == name)?;
        return item(args, at, vm);
    }
    let data = match vm.heap.get(id) {
        HeapData::Exception(object) => object.data().unicode(),
        _ => None,
    };
    let number = |number: usize| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    if let Some(data) = data {
        return Some(match name {
            "encoding" => allocate_string(data.encoding.as_str(), vm.heap),
            "start" => number(data.start),
            "end" => number(data.end),
            "reason" => allocate_string(data.reason.as_str(), vm.heap),
            _ => match &data.object {
                UnicodeErrorObject::Bytes(bytes) => allocate_bytes(bytes.clone(), vm.heap),
                UnicodeErrorObject::Str(text) => allocate_string(text.as_str(), vm.heap),
            },
        });
    }
    let text = plain(id, vm)?;
    let place = between(text, " in position ", ":")?;
    let (start, last) = place.split_once('-').unwrap_or((place, place));
    match name {
        "encoding" => Some(texted(between(text, "'", "'"), vm)),
        "start" => start.parse().ok().map(number),
        "end" => last.parse::<usize>().ok().map(|last| number(last + 1)),
        "reason" => Some(texted(text.split_once(": ").map(|(_, reason)| reason), vm)),
        _ => None,
    }
}

/// Returns an attribute of an exception of reading JSON.
fn of_json(id: HeapId, name: &str, vm: &VM<'_>) -> Option<Value> {
    let data = match vm.heap.get(id) {
        HeapData::Exception(object) => object.data().json()?,
        _ => return None,
    };
    let number = |number: usize| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    Some(match name {
        "msg" => allocate_string(data.msg.as_str(), vm.heap),
        "doc" => texted(data.doc.as_deref(), vm),
        "pos" => number(data.pos),
        "lineno" => number(data.lineno),
        _ => number(data.colno),
    })
}

/// Sets an attribute of an exception. `value` is given back where the exception has a dictionary for it.
pub(crate) fn set(
    id: HeapId,
    name: &str,
    value: Value,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    match name {
        "args" => {
            let args = tuple_of(value, vm)?;
            change(id, vm, |fields| fields.args.replace(args));
        }
        "__cause__" | "__context__" => {
            if !matches!(value, Value::None) && super::kind(&value, vm).is_none() {
                value.drop_with(vm);
                let what = name.trim_matches('_');
                return Err(ExcType::type_error(format!(
                    "exception {what} must be None or derive from BaseException"
                )));
            }
            let value = Some(value).filter(|value| !matches!(value, Value::None));
            change(id, vm, |fields| match name {
                "__cause__" => {
                    fields.suppresses_context = true;
                    std::mem::replace(&mut fields.cause, value)
                }
                _ => std::mem::replace(&mut fields.context, value),
            });
        }
        "__suppress_context__" => {
            let suppresses = value.py_bool(vm);
            value.drop_with(vm);
            let suppresses = suppresses?;
            change(id, vm, |fields| {
                fields.suppresses_context = suppresses;
                None
            });
        }
        "__traceback__" => {
            set_traceback(id, &value, vm);
            value.drop_with(vm);
        }
        _ if matches!(vm.heap.get(id), HeapData::Exception(_)) => {
            change(id, vm, |fields| fields.set_attribute(name, value));
        }
        _ => return Ok(Some(value)),
    }
    Ok(None)
}

/// Deletes an attribute of an exception of a builtin type, and returns false if it has none of that name.
pub(crate) fn delete(id: HeapId, name: &str, vm: &mut VM<'_>) -> bool {
    let mut was_there = false;
    change(id, vm, |fields| {
        let at = fields
            .attributes
            .iter()
            .position(|(own, _)| **own == *name)?;
        was_there = true;
        Some(fields.attributes.remove(at).1)
    });
    was_there
}

/// Returns a tuple of the items of a tuple or a list. `value` is consumed.
fn tuple_of(value: Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let items: Option<TupleVec> = match value.ref_id().map(|id| vm.heap.get(id)) {
        Some(HeapData::Tuple(_)) => return Ok(value),
        Some(HeapData::List(list)) => {
            let items = list.as_slice().iter();
            Some(items.map(|item| item.clone_with_heap(vm.heap)).collect())
        }
        _ => None,
    };
    let kind = value.py_type_name(vm).into_owned();
    value.drop_with(vm);
    match items {
        Some(items) => Ok(allocate_tuple(items, vm.heap)),
        None => Err(ExcType::type_error(format!(
            "'{kind}' object is not iterable"
        ))),
    }
}

/// Returns an attribute of a builtin type of exceptions.
fn of_type(kind: ExcType, name: &str, vm: &VM<'_>) -> Option<Value> {
    Some(match name {
        "__name__" | "__qualname__" => allocate_string(type_name(kind), vm.heap),
        "__module__" => {
            let name: &'static str = kind.into();
            let module = name
                .rsplit_once('.')
                .map_or("builtins", |(module, _)| module);
            allocate_string(module, vm.heap)
        }
        "__doc__" => Value::None,
        "__mro__" => {
            let above = bases::types_above(kind).into_iter();
            let above = above.map(|kind| Value::Builtin(Builtins::ExcType(kind)));
            allocate_tuple(above.chain([object()]).collect(), vm.heap)
        }
        "__bases__" => {
            let mut above = bases::types_above(kind).into_iter().skip(1);
            let base = above.next();
            let base = base.map_or_else(object, |kind| Value::Builtin(Builtins::ExcType(kind)));
            allocate_tuple(std::iter::once(base).collect(), vm.heap)
        }
        "__base__" => {
            let mut above = bases::types_above(kind).into_iter().skip(1);
            let base = above.next();
            base.map_or_else(object, |kind| Value::Builtin(Builtins::ExcType(kind)))
        }
        "__class__" => Value::Builtin(Builtins::Type(Type::Type)),
        "_rlm_attributes" => Value::Ref(vm.heap.allocate(HeapData::Dict(Dict::new()))),
        _ => return function(name).or_else(|| bases::object_member(name)),
    })
}

fn object() -> Value {
    Value::Builtin(Builtins::Type(Type::Object))
}

/// Calls one of the functions that every type of exceptions has, with the exception before the other arguments.
pub(crate) fn call_function(
    function: ClassFunctions,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<Value> {
    let (mut given, named) = args.into_parts();
    let exception = given.next();
    let given: Vec<Value> = given.collect();
    defer_drop!(exception, vm);
    defer_drop!(given, vm);
    named.drop_with(vm);
    let id = exception.as_ref().and_then(Value::ref_id);
    let Some(id) = id.filter(|id| kind_of(*id, vm).is_some()) else {
        return Err(ExcType::type_error(format!(
            "{function}() needs an exception"
        )));
    };
    match (function, given.as_slice()) {
        (ClassFunctions::ExceptionStr, []) => Ok(allocate_string(super::text(id, vm)?, vm.heap)),
        (ClassFunctions::ExceptionRepr, []) => {
            let mut text = String::new();
            super::write_repr(id, &mut text, vm, &mut LazyHeapSet::default())?;
            Ok(allocate_string(text, vm.heap))
        }
        (ClassFunctions::WithTraceback, [frames]) => {
            set_traceback(id, frames, vm);
            Ok(counted(id, vm))
        }
        (ClassFunctions::AddNote, [note]) => {
            if !note.is_str(vm.heap) {
                let kind = note.py_type_name(vm);
                return Err(ExcType::type_error(format!(
                    "note must be a str, not '{kind}'"
                )));
            }
            add_note(id, note, vm)
        }
        (_, given) => {
            let name = function.to_string();
            Err(ExcType::type_error_arg_count(&name, 1, given.len()))
        }
    }
}

/// Adds a note to those of an exception, a list that is an attribute like others.
fn add_note(id: HeapId, note: &Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let notes = EitherStr::Heap(String::from("__notes__"));
    counted_do(id, vm, |exception, vm| {
        let known = match exception.py_getattr(&notes, vm) {
            Ok(CallResult::Value(known)) => Some(known),
            Ok(other) => {
                other.drop_with(vm);
                None
            }
            Err(RunError::Exc(error)) if error.exc.exc_type() == ExcType::AttributeError => None,
            Err(error) => return Err(error),
        };
        let mut items = Vec::new();
        if let Some(Value::Ref(list)) = &known
            && let HeapData::List(list) = vm.heap.get(*list)
        {
            let known = list.as_slice().iter();
            items.extend(known.map(|one| one.clone_with_heap(vm.heap)));
        }
        known.drop_with(vm);
        items.push(note.clone_with_heap(vm.heap));
        let list = Value::Ref(vm.heap.allocate(HeapData::List(List::new(items))));
        exception.py_set_attr(&notes, list, vm)?;
        Ok(Value::None)
    })
}

fn counted_do<R>(id: HeapId, vm: &mut VM<'_>, run: impl FnOnce(&Value, &mut VM<'_>) -> R) -> R {
    let value = counted(id, vm);
    let result = run(&value, vm);
    value.drop_with(vm);
    result
}

/// Calls a method of an exception of a builtin type.
pub(crate) fn call_member(
    id: HeapId,
    attr: &EitherStr,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    let found = member(id, attr.as_str(vm.interns), vm);
    let found = found.map(|found| found.map(CallResult::Value));
    let of = kind_of(id, vm).map_or("", type_name).to_owned();
    members::call_found(found, attr, of, args, vm)
}

/// Reads an attribute of a builtin type of exceptions.
pub(crate) fn read_of_type(
    kind: ExcType,
    attr: &EitherStr,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    let name = attr.as_str(vm.interns);
    let value = of_type(kind, name, vm);
    value
        .map(CallResult::Value)
        .ok_or_else(|| ExcType::attribute_error_type(type_name(kind), name))
}

/// Calls a function of a builtin type of exceptions.
pub(crate) fn call_of_type(
    kind: ExcType,
    attr: &EitherStr,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    let name = attr.as_str(vm.interns);
    let Some(callee) = of_type(kind, name, vm) else {
        args.drop_with(vm);
        return Err(ExcType::attribute_error_type(type_name(kind), name));
    };
    defer_drop!(callee, vm);
    vm.call_function(callee, args)
}
