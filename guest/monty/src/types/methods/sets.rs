//! `set` and `frozenset`: methods that take any number of other sets, and those that change a set in place.

use crate::{
    args::{ArgValues, KwargsValues},
    bytecode::VM,
    defer_drop, defer_drop_mut,
    exception_private::{ExcType, ExcTypeExt as _, RunResult},
    heap::DropWithContext as _,
    intern::StaticStrings,
    types::{PyTrait as _, Type, iter::collect_owned_iterable},
    value::{EitherStr, Value},
};

pub(super) const OF_SET: &[&str] = &[
    "difference_update",
    "intersection_update",
    "symmetric_difference_update",
];

pub(super) fn call(
    receiver: &Value,
    name: &str,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> Result<RunResult<Value>, ArgValues> {
    let is_set = receiver.py_type(vm) == Type::Set;
    // With one argument upstream's do.
    let is_one = matches!(args, ArgValues::One(_));
    let combining = match name {
        "union" => Some(StaticStrings::Union),
        "intersection" => Some(StaticStrings::Intersection),
        "difference" => Some(StaticStrings::Difference),
        _ => None,
    };
    Ok(match (name, combining) {
        (_, Some(method)) if !is_one => {
            others(name, args, vm).and_then(|others| combined(receiver, method, others, vm))
        }
        ("update", _) if is_set && !is_one => others(name, args, vm).and_then(|others| {
            each(others, vm, |other, vm| {
                native(receiver, StaticStrings::Update, ArgValues::One(other), vm)?.drop_with(vm);
                Ok(())
            })
        }),
        ("difference_update", _) if is_set => others(name, args, vm).and_then(|others| {
            each(others, vm, |other, vm| {
                let items = collect_owned_iterable::<Vec<Value>>(other, vm)?;
                each(items, vm, |item, vm| {
                    native(receiver, StaticStrings::Discard, ArgValues::One(item), vm)?
                        .drop_with(vm);
                    Ok(())
                })?;
                Ok(())
            })
        }),
        ("intersection_update", _) if is_set => others(name, args, vm).and_then(|others| {
            let kept = combined(receiver, StaticStrings::Intersection, others, vm)?;
            replaced(receiver, kept, vm)
        }),
        ("symmetric_difference_update", _) if is_set => {
            match args.get_one_arg("set.symmetric_difference_update", vm.heap) {
                Ok(other) => native(
                    receiver,
                    StaticStrings::SymmetricDifference,
                    ArgValues::One(other),
                    vm,
                )
                .and_then(|kept| replaced(receiver, kept, vm)),
                Err(error) => Err(error),
            }
        }
        _ => return Err(args),
    })
}

/// Returns positional arguments; there are no others.
fn others(name: &str, args: ArgValues, vm: &mut VM<'_>) -> RunResult<Vec<Value>> {
    let (positional, named) = args.into_parts();
    let positional: Vec<Value> = positional.collect();
    if matches!(named, KwargsValues::Empty) {
        return Ok(positional);
    }
    positional.drop_with(vm);
    named.drop_with(vm);
    Err(ExcType::type_error(format!(
        "{name}() takes no keyword arguments"
    )))
}

/// Calls a method that upstream has.
fn native(
    receiver: &Value,
    method: StaticStrings,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<Value> {
    let attr = EitherStr::Interned(vm.interns.intern_static(method));
    let called = receiver.py_value(vm).py_call_attr(vm, &attr, args)?;
    called.require_synchronous(vm)
}

/// Does something with each of the values.
fn each<'h>(
    values: Vec<Value>,
    vm: &mut VM<'h>,
    mut action: impl FnMut(Value, &mut VM<'h>) -> RunResult<()>,
) -> RunResult<Value> {
    let values = values.into_iter();
    defer_drop_mut!(values, vm);
    for value in values.by_ref() {
        action(value, vm)?;
    }
    Ok(Value::None)
}

/// Returns what a method makes of a set and all others, or a copy if there are none.
fn combined(
    receiver: &Value,
    method: StaticStrings,
    others: Vec<Value>,
    vm: &mut VM<'_>,
) -> RunResult<Value> {
    if others.is_empty() {
        return native(receiver, StaticStrings::Copy, ArgValues::Empty, vm);
    }
    let mut made = Value::None;
    let mut is_first = true;
    let result = each(others, vm, |other, vm| {
        let from = match is_first {
            true => receiver.clone_with_heap(vm.heap),
            false => std::mem::replace(&mut made, Value::None),
        };
        is_first = false;
        defer_drop!(from, vm);
        made = native(from, method, ArgValues::One(other), vm)?;
        Ok(())
    });
    match result {
        Ok(_) => Ok(made),
        Err(error) => {
            made.drop_with(vm);
            Err(error)
        }
    }
}

/// Gives a set the items of another one, which is consumed.
fn replaced(receiver: &Value, items: Value, vm: &mut VM<'_>) -> RunResult<Value> {
    defer_drop!(items, vm);
    native(receiver, StaticStrings::Clear, ArgValues::Empty, vm)?.drop_with(vm);
    let items = items.clone_with_heap(vm.heap);
    native(receiver, StaticStrings::Update, ArgValues::One(items), vm)
}
