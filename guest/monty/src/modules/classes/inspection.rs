//! Builtin functions that look at a value: `callable`, `ascii`, `vars` and `dir`.

use std::collections::BTreeSet;

use crate::{
    args::ArgValues,
    builtins::{Builtins, BuiltinsFunctions},
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult},
    heap::{HeapData, HeapId},
    types::{
        Dict, List, PyTrait as _,
        class::bases,
        instance::{class_defines, dict::HIDDEN, members},
        method_values,
        str::allocate_string,
    },
    value::{EitherStr, Value},
};

/// Returns `ascii(value)`.
pub(super) fn ascii(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let value = args.get_one_arg("ascii", vm.heap)?;
    defer_drop!(value, vm);
    let shown = value.py_repr(vm)?;
    defer_drop!(shown, vm);
    let shown = shown.to_str(vm)?;
    if shown.is_ascii() {
        return Ok(allocate_string(shown.to_owned(), vm.heap));
    }
    let mut text = String::with_capacity(shown.len());
    for character in shown.chars() {
        match u32::from(character) {
            0..=0x7f => text.push(character),
            code @ 0x80..=0xff => text.push_str(&format!("\\x{code:02x}")),
            code @ 0x100..=0xffff => text.push_str(&format!("\\u{code:04x}")),
            code => text.push_str(&format!("\\U{code:08x}")),
        }
    }
    vm.heap.tracker.check_allocation(text.len())?;
    Ok(allocate_string(text, vm.heap))
}

fn only(args: ArgValues, name: &str, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let given = args.get_zero_one_arg(name, vm.heap)?;
    match given {
        Some(value) => Ok(Some(value)),
        None => Err(ExcType::not_implemented(&format!(
            "{name}() of the names of a script is not available in this sandbox"
        ))
        .into()),
    }
}

/// Returns `vars(value)`.
pub(super) fn vars(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let value = only(args, "vars", vm)?;
    defer_drop!(value, vm);
    let attr = EitherStr::Heap(String::from("__dict__"));
    let dict = match value {
        Some(value) => value.py_getattr(&attr, vm),
        None => return Ok(Value::None),
    };
    match dict {
        Ok(dict) => dict.require_synchronous(vm),
        Err(RunError::Exc(error)) if error.exc.exc_type() == ExcType::AttributeError => Err(
            ExcType::type_error("vars() argument must have __dict__ attribute"),
        ),
        Err(error) => Err(error),
    }
}

/// Returns `dir(value)`.
pub(super) fn dir(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let value = only(args, "dir", vm)?;
    defer_drop!(value, vm);
    let mut names = BTreeSet::new();
    if let Some(value) = value {
        if let Some(own) = own_names(value, vm)? {
            return Ok(own);
        }
        collect(value, &mut names, vm);
    }
    names.retain(|name| !name.starts_with(HIDDEN));
    let bytes = names.iter().map(|name| name.len() + size_of::<Value>());
    vm.heap.tracker.check_allocation(bytes.sum())?;
    let names = names
        .into_iter()
        .map(|name| allocate_string(name, vm.heap))
        .collect();
    let names = HeapData::List(List::new(names));
    Ok(Value::Ref(vm.heap.allocate(names)))
}

/// Returns what `__dir__` of a class of a script gives, in order.
fn own_names(value: &Value, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let Some(id) = value.ref_id() else {
        return Ok(None);
    };
    let HeapData::Instance(instance) = vm.heap.get(id) else {
        return Ok(None);
    };
    if !class_defines(instance.class(), "__dir__", vm) {
        return Ok(None);
    }
    let Some(names) = members::call_special(id, "__dir__", ArgValues::Empty, vm)? else {
        return Ok(None);
    };
    let sorted = Value::Builtin(Builtins::Function(BuiltinsFunctions::Sorted));
    vm.evaluate_function(&sorted, ArgValues::One(names))
        .map(Some)
}

fn add(namespace: &Dict, names: &mut BTreeSet<String>, vm: &VM<'_>) {
    for (name, _) in namespace.iter() {
        if let Some(name) = name.as_either_str(vm.heap) {
            names.insert(name.as_str(vm.interns).to_owned());
        }
    }
}

fn add_class(class: HeapId, names: &mut BTreeSet<String>, vm: &VM<'_>) {
    for class in bases::line(class, vm.heap).collect::<Vec<_>>() {
        if let HeapData::Class(class) = vm.heap.get(class) {
            add(class.namespace(), names, vm);
        }
    }
    names.extend(OF_ALL.iter().map(|name| String::from(*name)));
}

/// Names that every instance and every class has in CPython.
const OF_ALL: [&str; 27] = [
    "__class__",
    "__delattr__",
    "__dict__",
    "__dir__",
    "__doc__",
    "__eq__",
    "__format__",
    "__ge__",
    "__getattribute__",
    "__getstate__",
    "__gt__",
    "__hash__",
    "__init__",
    "__init_subclass__",
    "__le__",
    "__lt__",
    "__module__",
    "__ne__",
    "__new__",
    "__reduce__",
    "__reduce_ex__",
    "__repr__",
    "__setattr__",
    "__sizeof__",
    "__str__",
    "__subclasshook__",
    "__weakref__",
];

fn collect(value: &Value, names: &mut BTreeSet<String>, vm: &VM<'_>) {
    match value.ref_id().map(|id| (id, vm.heap.get(id))) {
        Some((_, HeapData::Instance(instance))) => {
            add(instance.attrs(vm.heap), names, vm);
            add_class(instance.class(), names, vm);
        }
        Some((id, HeapData::Class(_))) => add_class(id, names, vm),
        Some((_, HeapData::Module(module))) => add(module.attrs(), names, vm),
        _ => names.extend(method_values::names_of(value, vm).map(|name| String::from(*name))),
    }
}
