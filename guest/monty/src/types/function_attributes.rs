//! Attributes of functions: `__name__`, `__doc__` and their kin, and those that scripts give them.
//!
//! A dict has those that scripts set. A function that is an object has its dict; the heap has that of a function which is
//! known by its number. `__dict__` is an item of that dict, and the others are those of the function's own that were set.

use crate::{
    args::ArgValues,
    builtins::Builtins,
    bytecode::{CallResult, VM},
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult, SimpleException},
    heap::{DropWithContext as _, HeapData, HeapId, HeapReadOutput},
    intern::{FunctionId, StaticStrings},
    types::{Dict, PyTrait as _, Type, allocate_tuple, instance::members, str::allocate_string},
    value::{EitherStr, Value},
};

/// The attributes that scripts set, as one value.
const DICT: &str = "__dict__";
/// Attributes that every function has and that are not in `__dict__`.
const OWN: [&str; 6] = [
    "__name__",
    "__qualname__",
    "__doc__",
    "__module__",
    "__defaults__",
    "__kwdefaults__",
];

/// Returns the number of a function of Python code; `None` for any other value.
pub(crate) fn number(value: &Value, vm: &VM<'_>) -> Option<FunctionId> {
    match value {
        Value::DefFunction(id) => Some(*id),
        Value::Ref(id) => match vm.heap.get(*id) {
            HeapData::Closure(closure) => Some(closure.func_id),
            HeapData::FunctionDefaults(function) => Some(function.func_id),
            _ => None,
        },
        _ => None,
    }
}

/// Returns an attribute of a function; `None` if it has none of that name.
pub(crate) fn read(function: &Value, name: &str, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let Some(id) = number(function, vm) else {
        return Ok(name_of(function, name, vm));
    };
    let is_own = OWN.contains(&name);
    if name == DICT {
        return dict(function, vm).map(Some);
    }
    let table = match is_own {
        true => table(function, vm),
        false => given(function, vm),
    };
    if let Some(found) = table.and_then(|table| item(table, name, vm)) {
        return Ok(Some(found));
    }
    let described = vm.interns.get_function(id);
    Ok(Some(match name {
        "__name__" => Value::InternString(described.name.name_id),
        "__qualname__" => {
            let name = described.qualname(vm.interns).to_owned();
            allocate_string(name, vm.heap)
        }
        "__doc__" => described
            .described
            .doc
            .map_or(Value::None, Value::InternString),
        "__module__" => Value::InternString(vm.interns.intern_static(StaticStrings::DunderMain)),
        "__defaults__" => {
            let count = described.signature.positional_defaults();
            let values = defaults(function, vm).iter().take(count);
            let values: Vec<_> = values.map(|value| value.clone_with_heap(vm.heap)).collect();
            match values.is_empty() {
                true => Value::None,
                false => allocate_tuple(values.into(), vm.heap),
            }
        }
        "__kwdefaults__" => {
            let all = defaults(function, vm);
            let names = described.signature.keyword_defaults().into_iter();
            let pairs: Vec<_> = names
                .filter_map(|(name, index)| {
                    let value = all.get(index)?.clone_with_heap(vm.heap);
                    Some((Value::InternString(name), value))
                })
                .collect();
            match pairs.is_empty() {
                true => Value::None,
                false => {
                    let pairs = Dict::from_pairs(pairs, vm)?;
                    Value::Ref(vm.heap.allocate(HeapData::Dict(pairs)))
                }
            }
        }
        _ => return Ok(None),
    }))
}

/// Returns the name of a function that is no Python code: a builtin one, or one of the host.
fn name_of(function: &Value, name: &str, vm: &VM<'_>) -> Option<Value> {
    if !matches!(name, "__name__" | "__qualname__") {
        return None;
    }
    let text = match function {
        Value::Builtin(Builtins::Function(function)) => function.to_string(),
        Value::Builtin(Builtins::Type(kind)) => kind.name(vm.heap, vm.interns).into_owned(),
        Value::ModuleFunction(function) => function.to_string(),
        Value::Ref(id) => match vm.heap.get(*id) {
            HeapData::ExtFunction(function) => function.as_str().to_owned(),
            _ => return None,
        },
        _ => return None,
    };
    Some(allocate_string(text, vm.heap))
}

/// Sets an attribute of a function. `value` is consumed.
pub(crate) fn write(
    function: &Value,
    name: &EitherStr,
    value: Value,
    vm: &mut VM<'_>,
) -> RunResult<()> {
    let text = name.as_str(vm.interns);
    if let Err(error) = check(function, text, &value, vm) {
        value.drop_with(vm);
        return Err(error);
    }
    let name = text.to_owned();
    let own = table_or_new(function, vm);
    let table = match name == DICT || OWN.contains(&name.as_str()) {
        true => own,
        false => match dict_id(own, vm) {
            Ok(dict) => dict,
            Err(error) => {
                value.drop_with(vm);
                return Err(error);
            }
        },
    };
    set(table, name, value, vm)
}

/// Checks that an attribute of a function may be set to `value`.
fn check(function: &Value, name: &str, value: &Value, vm: &VM<'_>) -> RunResult<()> {
    if number(function, vm).is_none() {
        let of = function.py_type_name(vm);
        return Err(ExcType::attribute_error_no_setattr(&of, name));
    }
    match name {
        "__name__" | "__qualname__" if value.py_type(vm) != Type::Str => Err(ExcType::type_error(
            format!("{name} must be set to a string object"),
        )),
        DICT if !value
            .ref_id()
            .is_some_and(|id| matches!(vm.heap.get(id), HeapData::Dict(_))) =>
        {
            let kind = value.py_type_name(vm);
            let text = format!("__dict__ must be set to a dictionary, not a '{kind}'");
            Err(ExcType::type_error(text))
        }
        "__defaults__" | "__kwdefaults__" | "__code__" => Err(ExcType::not_implemented(&format!(
            "{name} of a function cannot be set in this sandbox"
        ))
        .into()),
        "__globals__" | "__closure__" | "__builtins__" => {
            Err(SimpleException::new_msg(ExcType::AttributeError, "readonly attribute").into())
        }
        _ => Ok(()),
    }
}

/// Deletes an attribute of a function.
pub(crate) fn delete(function: &Value, name: &str, vm: &mut VM<'_>) -> RunResult<()> {
    let missing = |vm: &VM<'_>| ExcType::attribute_error(function.py_type_name(vm), name);
    match name {
        "__name__" | "__qualname__" | DICT => check(function, name, &Value::None, vm)?,
        "__doc__" | "__module__" => {
            let name = EitherStr::Heap(name.to_owned());
            return write(function, &name, Value::None, vm);
        }
        _ => check(function, name, &Value::None, vm)?,
    }
    let Some(table) = given(function, vm) else {
        return Err(missing(vm));
    };
    let key = allocate_string(name.to_owned(), vm.heap);
    defer_drop!(key, vm);
    vm.heap.inc_ref(table);
    let held = Value::Ref(table);
    defer_drop!(held, vm);
    let Some(HeapReadOutput::Dict(dict)) = held.read_heap(vm) else {
        return Err(missing(vm));
    };
    match dict.pop(key, vm)? {
        Some((key, value)) => {
            [key, value].drop_with(vm);
            Ok(())
        }
        None => Err(missing(vm)),
    }
}

/// Calls an attribute of a function, as `f.cache_clear()` does.
pub(crate) fn call(
    function: &Value,
    attr: &EitherStr,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    let found = read(function, attr.as_str(vm.interns), vm);
    let found = found.map(|found| found.map(CallResult::Value));
    members::call_found(
        found,
        attr,
        function.py_type_name(vm).into_owned(),
        args,
        vm,
    )
}

/// Does what [`read`] does, for a function that is an object.
pub(crate) fn read_at(
    id: HeapId,
    attr: &EitherStr,
    vm: &mut VM<'_>,
) -> RunResult<Option<CallResult>> {
    let function = held(id, vm);
    defer_drop!(function, vm);
    let found = read(function, attr.as_str(vm.interns), vm)?;
    Ok(found.map(CallResult::Value))
}

/// Does what [`write`] does, for a function that is an object.
pub(crate) fn write_at(
    id: HeapId,
    name: &EitherStr,
    value: Value,
    vm: &mut VM<'_>,
) -> RunResult<()> {
    let function = held(id, vm);
    defer_drop!(function, vm);
    write(function, name, value, vm)
}

/// Does what [`call`] does, for a function that is an object.
pub(crate) fn call_at(
    id: HeapId,
    attr: &EitherStr,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    let function = held(id, vm);
    defer_drop!(function, vm);
    call(function, attr, args, vm)
}

/// Returns a reference to a function that is an object.
fn held(id: HeapId, vm: &VM<'_>) -> Value {
    vm.heap.inc_ref(id);
    Value::Ref(id)
}

fn defaults<'v>(function: &Value, vm: &'v VM<'_>) -> &'v [Value] {
    match function.ref_id().map(|id| vm.heap.get(id)) {
        Some(HeapData::Closure(closure)) => &closure.defaults,
        Some(HeapData::FunctionDefaults(function)) => &function.defaults,
        _ => &[],
    }
}

/// Returns the dict of all that was set, if anything was.
fn table(function: &Value, vm: &VM<'_>) -> Option<HeapId> {
    match function {
        Value::DefFunction(id) => vm.heap.function_attributes.get(id).copied(),
        Value::Ref(id) => match vm.heap.get(*id) {
            HeapData::Closure(closure) => closure.attributes,
            HeapData::FunctionDefaults(function) => function.attributes,
            _ => None,
        },
        _ => None,
    }
}

/// Returns the dict of all that is set.
fn table_or_new(function: &Value, vm: &mut VM<'_>) -> HeapId {
    if let Some(table) = table(function, vm) {
        return table;
    }
    let new = vm.heap.allocate(HeapData::Dict(Dict::new()));
    match function {
        Value::DefFunction(id) => {
            vm.heap.function_attributes.insert(*id, new);
        }
        Value::Ref(id) => match vm.heap.read(*id) {
            HeapReadOutput::Closure(closure) => closure.get_mut(vm.heap).attributes = Some(new),
            HeapReadOutput::FunctionDefaults(function) => {
                function.get_mut(vm.heap).attributes = Some(new);
            }
            _ => {}
        },
        _ => {}
    }
    new
}

/// Returns the dict of the attributes that scripts gave to a function, if there is one.
fn given(function: &Value, vm: &VM<'_>) -> Option<HeapId> {
    let HeapData::Dict(table) = vm.heap.get(table(function, vm)?) else {
        return None;
    };
    table.get_by_str(DICT, vm.heap, vm.interns)?.ref_id()
}

/// Returns `__dict__` of a function.
fn dict(function: &Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let table = table_or_new(function, vm);
    let dict = dict_id(table, vm)?;
    vm.heap.inc_ref(dict);
    Ok(Value::Ref(dict))
}

/// Returns the dict that is the item `__dict__` of `table`.
fn dict_id(table: HeapId, vm: &mut VM<'_>) -> RunResult<HeapId> {
    if let HeapData::Dict(table) = vm.heap.get(table)
        && let Some(dict) = table.get_by_str(DICT, vm.heap, vm.interns)
        && let Some(id) = dict.ref_id()
    {
        return Ok(id);
    }
    let new = vm.heap.allocate(HeapData::Dict(Dict::new()));
    set(table, DICT.to_owned(), Value::Ref(new), vm)?;
    Ok(new)
}

fn item(table: HeapId, name: &str, vm: &VM<'_>) -> Option<Value> {
    let HeapData::Dict(table) = vm.heap.get(table) else {
        return None;
    };
    let found = table.get_by_str(name, vm.heap, vm.interns)?;
    Some(found.clone_with_heap(vm.heap))
}

/// Sets an item of a dict. Comparing keys may run code of a script, which can give the function another one.
fn set(table: HeapId, name: String, value: Value, vm: &mut VM<'_>) -> RunResult<()> {
    vm.heap.inc_ref(table);
    let held = Value::Ref(table);
    defer_drop!(held, vm);
    let key = allocate_string(name, vm.heap);
    let Some(HeapReadOutput::Dict(dict)) = held.read_heap(vm) else {
        [key, value].drop_with(vm);
        return Err(RunError::internal("attributes are no dict"));
    };
    let before = dict.set(key, value, vm)?;
    before.drop_with(vm);
    Ok(())
}
