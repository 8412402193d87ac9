//! Metaclasses of the host's own: what they decide about their classes, and classes that stand for a builtin type.

use super::bases::{self, Hook};
use crate::{
    args::ArgValues,
    builtins::{Builtins, BuiltinsFunctions},
    bytecode::VM,
    exception_private::{ExcType, RunResult, SimpleException},
    heap::{DropWithContext as _, HeapData, HeapId, HeapReadOutput},
    types::{PyTrait as _, Type, allocate_tuple, tuple::TupleVec},
    value::Value,
};

/// The member of a class that names the builtin type whose values its instances hold.
pub(super) const STANDS_FOR: &str = "_rlm_stands_for";
/// The attribute of an instance that is such a value, and that of a member of an enumeration.
const HELD: [&str; 2] = ["_rlm_value", "_value_"];
/// The function of a metaclass that is given the bases of a new class, and gives those that it gets.
const BASES: &str = "_rlm_bases";
/// The function of a metaclass that is given each new class.
const MADE: &str = "_rlm_made";

/// Returns the metaclass of a class, if it has one of the host's own.
pub(crate) fn of(class_id: HeapId, vm: &VM<'_>) -> Option<HeapId> {
    match vm.heap.get(class_id) {
        HeapData::Class(class) => class.bases.meta,
        _ => None,
    }
}

/// Returns whether the metaclass of a class has a member.
pub(crate) fn has(class_id: HeapId, name: &str, vm: &VM<'_>) -> bool {
    of(class_id, vm).is_some_and(|meta| bases::find(meta, name, vm.heap, vm.interns).is_some())
}

/// Calls a function of a metaclass.
fn call_of(meta: HeapId, name: &str, args: ArgValues, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let Some(function) = bases::find(meta, name, vm.heap, vm.interns) else {
        args.drop_with(vm);
        return Ok(None);
    };
    let function = function.clone_with_heap(vm.heap);
    let result = vm.evaluate_function(&function, args);
    function.drop_with(vm);
    result.map(Some)
}

/// Calls a function of the metaclass of a class with the class before `args`; `None` if there is none.
pub(crate) fn call(
    class_id: HeapId,
    name: &str,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    let Some(meta) = of(class_id, vm) else {
        args.drop_with(vm);
        return Ok(None);
    };
    vm.heap.inc_ref(class_id);
    call_of(meta, name, args.prepend(Value::Ref(class_id)), vm)
}

/// Returns what a function of the metaclass gives for a value that is a class, as `len()` asks it.
pub(crate) fn call_on(value: &Value, name: &str, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    match value.ref_id() {
        Some(id) if of(id, vm).is_some() => call(id, name, ArgValues::Empty, vm),
        _ => Ok(None),
    }
}

/// Returns the metaclass that a class with these bases has.
fn inherited(direct: &[Value], vm: &VM<'_>) -> Option<HeapId> {
    let mut ids = direct.iter().filter_map(Value::ref_id);
    ids.find_map(|id| of(id, vm))
}

/// Returns the bases that the metaclass gives a new class in place of these. `direct` is consumed.
pub(super) fn given_bases(direct: Vec<Value>, vm: &mut VM<'_>) -> RunResult<Vec<Value>> {
    let Some(meta) = inherited(&direct, vm) else {
        return Ok(direct);
    };
    let asked: TupleVec = direct.into_iter().collect();
    let args = ArgValues::One(allocate_tuple(asked, vm.heap));
    let Some(given) = call_of(meta, BASES, args, vm)? else {
        return Ok(Vec::new());
    };
    let bases = match &given {
        Value::Ref(id) if let HeapData::Tuple(tuple) = vm.heap.get(*id) => {
            let bases = tuple.as_slice().iter();
            bases.map(|base| base.clone_with_heap(vm.heap)).collect()
        }
        _ => Vec::new(),
    };
    given.drop_with(vm);
    Ok(bases)
}

/// Gives a class its metaclass: `meta`, or that of its bases.
pub(super) fn set(class_id: HeapId, meta: Option<HeapId>, direct: &[Value], vm: &mut VM<'_>) {
    let Some(meta) = meta.or_else(|| inherited(direct, vm)) else {
        return;
    };
    if let HeapReadOutput::Class(handle) = vm.heap.read(class_id) {
        vm.heap.inc_ref(meta);
        handle.get_mut(vm.heap).bases.meta = Some(meta);
    }
}

/// Gives the metaclass of a class the class, which has all that it is to have.
pub(super) fn made(class_id: HeapId, vm: &mut VM<'_>) -> RunResult<()> {
    call(class_id, MADE, ArgValues::Empty, vm)?.drop_with(vm);
    Ok(())
}

/// Checks that a member of a class may be changed: one that is an instance of the class, made with it, may not.
pub(super) fn check_change(class_id: HeapId, name: &str, vm: &VM<'_>) -> RunResult<()> {
    if of(class_id, vm).is_none() {
        return Ok(());
    }
    let member = bases::own(class_id, name, vm.heap, vm.interns).and_then(Value::ref_id);
    let is_instance = member.is_some_and(
        |id| matches!(vm.heap.get(id), HeapData::Instance(member) if member.class() == class_id),
    );
    if !is_instance {
        return Ok(());
    }
    let message = format!("cannot reassign member '{name}'");
    Err(SimpleException::new_msg(ExcType::AttributeError, message).into())
}

/// Returns the builtin type that a class stands for.
fn stands_for(class_id: HeapId, vm: &VM<'_>) -> Option<Type> {
    if !bases::has(class_id, Hook::StandsFor, vm.heap) {
        return None;
    }
    match bases::find(class_id, STANDS_FOR, vm.heap, vm.interns) {
        Some(Value::Builtin(Builtins::Type(of))) => Some(*of),
        _ => None,
    }
}

/// Returns whether a value is a class or a type.
pub(crate) fn is_type(value: &Value, vm: &VM<'_>) -> bool {
    value.py_type(vm) == Type::Type
        || matches!(
            value,
            Value::Builtin(Builtins::Function(BuiltinsFunctions::Type))
        )
}

/// Returns whether a value is an instance of a class that stands for a type, or one behind it.
pub(crate) fn is_instance(value: &Value, of: Type, vm: &VM<'_>) -> bool {
    let class_id = match value.ref_id().map(|id| vm.heap.get(id)) {
        Some(HeapData::Instance(instance)) => instance.class(),
        _ => return false,
    };
    is_subclass(class_id, of, vm)
}

/// Returns whether a class stands for a type, or one behind it.
pub(crate) fn is_subclass(class_id: HeapId, of: Type, vm: &VM<'_>) -> bool {
    stands_for(class_id, vm).is_some_and(|own| own.is_instance_of(of))
}

/// Returns the value of a builtin type that an instance of a class stands for.
pub(crate) fn held<'v>(value: &Value, vm: &'v VM<'_>) -> Option<&'v Value> {
    let HeapData::Instance(instance) = vm.heap.get(value.ref_id()?) else {
        return None;
    };
    stands_for(instance.class(), vm)?;
    let mut names = HELD.iter();
    let held = names.find_map(|name| instance.attr(name, vm.heap, vm.interns))?;
    let is_plain = !matches!(
        held.ref_id().map(|id| vm.heap.get(id)),
        Some(HeapData::Instance(_))
    );
    is_plain.then_some(held)
}

/// Returns whether an attribute of this name is such a value.
pub(crate) fn is_held(name: &Value, vm: &VM<'_>) -> bool {
    let name = name.as_either_str(vm.heap);
    name.is_some_and(|name| name.as_str(vm.interns) == HELD[0])
}

/// Returns the value of a builtin type that a value stands for, or the value itself. `value` is consumed.
pub(crate) fn unwrapped(value: Value, vm: &mut VM<'_>) -> Value {
    match held(&value, vm).map(|held| held.clone_with_heap(vm.heap)) {
        Some(held) => {
            value.drop_with(vm);
            held
        }
        None => value,
    }
}
