//! Methods and attributes of builtin types beside those of upstream: they are looked for where the type has none of the name.

mod arguments;
mod numbers;
mod sequences;
mod sets;
mod text;

use crate::{
    args::ArgValues,
    builtins::Builtins,
    bytecode::{CallResult, VM},
    exception_private::RunResult,
    heap::HeapData,
    intern::StaticStrings,
    types::{PyTrait as _, Type, streams},
    value::{EitherStr, Value},
};

/// Returns the names of methods that values of a type have.
pub(crate) fn names(of: Type) -> &'static [&'static str] {
    match of {
        Type::Int | Type::Bool => numbers::OF_INT,
        Type::Float => numbers::OF_FLOAT,
        Type::Str => text::NAMES,
        Type::Set => sets::OF_SET,
        Type::Range => &["count", "index"],
        Type::Slice => &["indices"],
        Type::TextIOWrapper => streams::NAMES,
        _ => &[],
    }
}

/// Returns true for a method that is one of the type itself, an alternative constructor.
pub(crate) fn is_of_type(name: &str) -> bool {
    matches!(name, "from_bytes" | "maketrans")
}

/// Calls a method of a value of a builtin type.
#[inline(never)]
pub(crate) fn call(
    receiver: &Value,
    attr: &EitherStr,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    if !may_have(receiver, vm) {
        return receiver.py_value(vm).py_call_attr(vm, attr, args);
    }
    let known = attr.static_string(vm.interns);
    let args = if known.is_none_or(|known| is_extended(known, receiver, vm)) {
        match own(receiver, attr, args, vm) {
            Ok(result) => return result.map(CallResult::Value),
            Err(args) => args,
        }
    } else {
        args
    };
    receiver.py_value(vm).py_call_attr(vm, attr, args)
}

/// Returns false for most values that have no methods of ours.
#[inline]
fn may_have(receiver: &Value, vm: &VM<'_>) -> bool {
    let Value::Ref(id) = receiver else {
        return true;
    };
    matches!(
        vm.heap.get(*id),
        HeapData::Str(_)
            | HeapData::Set(_)
            | HeapData::FrozenSet(_)
            | HeapData::LongInt(_)
            | HeapData::Range(_)
            | HeapData::Slice(_)
    )
}

/// Returns true for a name of upstream's that is one of ours for this value.
fn is_extended(known: StaticStrings, receiver: &Value, vm: &VM<'_>) -> bool {
    match known {
        StaticStrings::Union
        | StaticStrings::Intersection
        | StaticStrings::Difference
        | StaticStrings::Update => {
            matches!(receiver, Value::Ref(id) if matches!(vm.heap.get(*id), HeapData::Set(_) | HeapData::FrozenSet(_)))
        }
        StaticStrings::Hex | StaticStrings::Fromhex | StaticStrings::Conjugate => true,
        StaticStrings::Count | StaticStrings::Index => {
            matches!(receiver, Value::Ref(id) if matches!(vm.heap.get(*id), HeapData::Range(_)))
        }
        _ => streams::stream_of(receiver).is_some(),
    }
}

/// Calls a method of ours; gives the arguments back if the value has none of this name.
#[inline(never)]
fn own(
    receiver: &Value,
    attr: &EitherStr,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> Result<RunResult<Value>, ArgValues> {
    // The text of names lives as long as the interpreter, but not for the compiler.
    let name = attr.as_str(vm.interns).to_owned();
    match receiver {
        Value::Builtin(Builtins::Type(Type::Int | Type::Bool)) if name == "from_bytes" => {
            return Ok(numbers::from_bytes(args, vm));
        }
        Value::Builtin(Builtins::Type(Type::Float)) if name == "fromhex" => {
            return Ok(numbers::from_hex(args, vm));
        }
        Value::Builtin(Builtins::Type(Type::Str)) if name == "maketrans" => {
            return Ok(text::make_trans(args, vm));
        }
        _ => {}
    }
    match receiver.py_type(vm) {
        Type::Int | Type::Bool if !matches!(receiver, Value::Builtin(_)) => {
            numbers::call_of_int(receiver, &name, args, vm)
        }
        Type::Float => numbers::call_of_float(receiver, &name, args, vm),
        Type::Str => text::call(receiver, &name, args, vm),
        Type::Set | Type::FrozenSet => sets::call(receiver, &name, args, vm),
        Type::Range => sequences::call_of_range(receiver, &name, args, vm),
        Type::Slice => sequences::call_of_slice(receiver, &name, args, vm),
        Type::TextIOWrapper => streams::call(receiver, &name, args, vm),
        _ => Err(args),
    }
}

/// Returns an attribute of a number, or of a stream.
pub(crate) fn attribute(receiver: &Value, attr: &EitherStr, vm: &mut VM<'_>) -> Option<Value> {
    let name = attr.as_str(vm.interns);
    match receiver {
        Value::Marker(_) => streams::member(receiver, name, vm),
        _ => numbers::attribute(receiver, name, vm),
    }
}
