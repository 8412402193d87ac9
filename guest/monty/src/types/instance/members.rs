//! Attributes of instances: what reading, setting and deleting one does.
//!
//! Python's order: a member of the class that decides what setting it does, the attributes of the instance,
//! another member of the class, `__getattr__`.

use super::{
    attributes, call_dunder_member, class_member, class_name,
    dict::{self, DICT},
    instance_class, is_method_value,
};
use crate::{
    args::ArgValues,
    bytecode::{CallResult, VM},
    defer_drop, exception_objects,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult, SimpleException},
    heap::{DropWithContext as _, HeapData, HeapId, HeapReadOutput},
    intern::StringId,
    types::{
        attribute_name_value,
        class::bases::{self, Hook},
        descriptor::{self, Descriptor, bound},
        function_attributes,
    },
    value::{EitherStr, Value},
};

/// Setting or deleting an attribute.
#[derive(Clone, Copy)]
enum Change {
    Set,
    Delete,
}

fn counted(id: HeapId, vm: &VM<'_>) -> Value {
    vm.heap.inc_ref(id);
    Value::Ref(id)
}

/// Returns the value of an attribute that was read.
pub(crate) fn value(read: Option<CallResult>, vm: &mut VM<'_>) -> RunResult<Value> {
    match read {
        Some(read) => read.require_synchronous(vm),
        None => Err(RunError::internal("an attribute has no value")),
    }
}

/// Calls an attribute that was read of an object of the type `of`.
pub(crate) fn call_found(
    read: RunResult<Option<CallResult>>,
    attr: &EitherStr,
    of: String,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    let callee = match read {
        Ok(None) => return Err(ExcType::attribute_error_method(of, attr, args, vm)),
        Ok(read) => value(read, vm),
        Err(error) => Err(error),
    };
    match callee {
        Ok(callee) => {
            defer_drop!(callee, vm);
            vm.call_function(callee, args)
        }
        Err(error) => {
            args.drop_with(vm);
            Err(error)
        }
    }
}

/// Calls a special method of an instance, and returns what it gives; `None` if its class has none.
pub(crate) fn call_special(
    id: HeapId,
    name: &'static str,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    match class_member(instance_class(id, vm), name, vm) {
        Some(member) => call_dunder_member(id, member, args, vm).map(Some),
        None => {
            args.drop_with(vm);
            Ok(None)
        }
    }
}

/// Returns the instance of a class of a script that a member is and that has a special method.
pub(crate) fn asked(member: &Value, name: &str, vm: &VM<'_>) -> Option<HeapId> {
    match member {
        Value::Ref(id) => match vm.heap.get(*id) {
            HeapData::Instance(instance) => {
                bases::find(instance.class(), name, vm.heap, vm.interns).map(|_| *id)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns a member of the class that goes before attributes of the instance.
fn data_descriptor(class_id: HeapId, name: &str, vm: &VM<'_>) -> Option<Value> {
    if !bases::has(class_id, Hook::Data, vm.heap) {
        return None;
    }
    let member = bases::find(class_id, name, vm.heap, vm.interns)?;
    bases::decides(member, vm).then(|| member.clone_with_heap(vm.heap))
}

/// Returns an attribute that the instance itself has.
fn own(id: HeapId, name: &str, vm: &VM<'_>) -> Option<Value> {
    match vm.heap.get(id) {
        HeapData::Instance(instance) => {
            let value = instance.attr(name, vm.heap, vm.interns)?;
            Some(value.clone_with_heap(vm.heap))
        }
        _ => None,
    }
}

fn missing(class_id: HeapId, text: impl std::fmt::Display, vm: &VM<'_>) -> RunError {
    let class = class_name(class_id, vm.heap, vm.interns);
    SimpleException::new_msg(
        ExcType::AttributeError,
        format!("{text} of '{class}' object"),
    )
    .into()
}

/// Returns what a static method or a class method is for a reader; `None` for any other member.
pub(crate) fn of_static_or_class(member: &Value, class_id: HeapId, vm: &VM<'_>) -> Option<Value> {
    match descriptor::of(member, vm)? {
        Descriptor::Static(function) => Some(function.clone_with_heap(vm.heap)),
        Descriptor::Class(function) => {
            let function = function.clone_with_heap(vm.heap);
            Some(bound(counted(class_id, vm), function, vm))
        }
        _ => None,
    }
}

/// Returns what a member is for an instance that it is read from. `member` is consumed.
fn read_member(
    id: HeapId,
    class_id: HeapId,
    member: Value,
    name: &str,
    vm: &mut VM<'_>,
) -> RunResult<Value> {
    if is_method_value(&member, vm) {
        return Ok(bound(counted(id, vm), member, vm));
    }
    defer_drop!(member, vm);
    if let Some(value) = of_static_or_class(member, class_id, vm) {
        return Ok(value);
    }
    match descriptor::of(member, vm) {
        Some(Descriptor::Property([get, ..])) => {
            let get = get.clone_with_heap(vm.heap);
            defer_drop!(get, vm);
            if matches!(get, Value::None) {
                let class = class_name(class_id, vm.heap, vm.interns);
                let text = format!("property '{name}' of '{class}' object has no getter");
                return Err(SimpleException::new_msg(ExcType::AttributeError, text).into());
            }
            let receiver = counted(id, vm);
            vm.evaluate_function(get, ArgValues::One(receiver))
        }
        Some(_) => Ok(member.clone_with_heap(vm.heap)),
        None => match asked(member, "__get__", vm) {
            Some(of) => {
                let args = ArgValues::Two(counted(id, vm), counted(class_id, vm));
                let value = call_special(of, "__get__", args, vm)?;
                value.ok_or_else(|| RunError::internal("a special method is gone"))
            }
            None => Ok(member.clone_with_heap(vm.heap)),
        },
    }
}

/// Returns an attribute of an instance, without asking `__getattr__`; `None` if there is none.
fn find(id: HeapId, name: &str, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let class_id = instance_class(id, vm);
    if let Some(member) = data_descriptor(class_id, name, vm) {
        return read_member(id, class_id, member, name, vm).map(Some);
    }
    if let Some(value) = own(id, name, vm) {
        return Ok(Some(value));
    }
    match class_member(class_id, name, vm) {
        Some(member) => read_member(id, class_id, member, name, vm).map(Some),
        None if name == "__class__" => Ok(Some(counted(class_id, vm))),
        None if name == DICT => dict::of(id, vm),
        None if bases::has(class_id, Hook::Exception, vm.heap) => {
            exception_objects::member(id, name, vm)
        }
        None if name == "__module__" => Ok(bases::special(class_id, name, vm)),
        None => Ok(None),
    }
}

/// Returns an attribute of an instance.
pub(crate) fn read(id: HeapId, attr: &EitherStr, vm: &mut VM<'_>) -> RunResult<Value> {
    let name = attr.as_str(vm.interns);
    if let Some(value) = attributes::listed(id, name, vm)? {
        return Ok(value);
    }
    let found = find(id, name, vm);
    let lacks = match &found {
        Ok(value) => value.is_none(),
        Err(RunError::Exc(error)) => error.exc.exc_type() == ExcType::AttributeError,
        Err(_) => false,
    };
    if lacks {
        let class_id = instance_class(id, vm);
        if bases::has(class_id, Hook::Getattr, vm.heap) {
            let name = attribute_name_value(attr, vm);
            if let Some(value) = call_special(id, "__getattr__", ArgValues::One(name), vm)? {
                found.ok().flatten().drop_with(vm);
                return Ok(value);
            }
        }
    }
    found?.ok_or_else(|| {
        let class = class_name(instance_class(id, vm), vm.heap, vm.interns);
        ExcType::attribute_error(class, name)
    })
}

/// Reads an attribute of an instance where that is simple, or begins to call the getter of a property, so that it may wait for
/// the host; `None` for all else.
pub(crate) fn load(
    object: &Value,
    name: StringId,
    vm: &mut VM<'_>,
) -> RunResult<Option<CallResult>> {
    let Value::Ref(id) = object else {
        return Ok(None);
    };
    let HeapData::Instance(instance) = vm.heap.get(*id) else {
        return Ok(None);
    };
    let class_id = instance.class();
    let name = vm.interns.get_str(name);
    if !bases::has(class_id, Hook::Data, vm.heap) {
        let value = instance.attr(name, vm.heap, vm.interns);
        return Ok(value.map(|value| CallResult::Value(value.clone_with_heap(vm.heap))));
    }
    if bases::has(class_id, Hook::Getattr, vm.heap) {
        return Ok(None);
    }
    let member = bases::find(class_id, name, vm.heap, vm.interns);
    let get = match member.and_then(|member| descriptor::of(member, vm)) {
        Some(Descriptor::Property([get, ..])) if is_method_value(get, vm) => {
            get.clone_with_heap(vm.heap)
        }
        _ => return Ok(None),
    };
    defer_drop!(get, vm);
    let receiver = counted(*id, vm);
    vm.call_function(get, ArgValues::One(receiver)).map(Some)
}

/// Returns the function to call for `instance.name(…)` where the member of the class is more than a function; `None` if it is
/// called as it is.
pub(crate) fn callee(
    id: HeapId,
    member: &Value,
    name: &str,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    let is_more = descriptor::of(member, vm).is_some() || asked(member, "__get__", vm).is_some();
    if !is_more {
        return Ok(None);
    }
    let class_id = instance_class(id, vm);
    let member = member.clone_with_heap(vm.heap);
    read_member(id, class_id, member, name, vm).map(Some)
}

/// Returns what `__getattr__` of a class gives for a function that an instance lacks; `None` if the class has none.
pub(crate) fn lacking_callee(
    id: HeapId,
    attr: &EitherStr,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    let class_id = instance_class(id, vm);
    if let Some(member) = exception_objects::member(id, attr.as_str(vm.interns), vm)? {
        return Ok(Some(member));
    }
    if !bases::has(class_id, Hook::Getattr, vm.heap) {
        return Ok(None);
    }
    let name = attribute_name_value(attr, vm);
    call_special(id, "__getattr__", ArgValues::One(name), vm)
}

/// Returns what a member is for the class that it is read from. `member` is consumed.
pub(crate) fn read_from_class(
    class_id: HeapId,
    member: Value,
    name: &str,
    vm: &mut VM<'_>,
) -> RunResult<Value> {
    if let Some(value) = of_static_or_class(&member, class_id, vm) {
        member.drop_with(vm);
        return Ok(value);
    }
    if descriptor::of(&member, vm).is_some() {
        return Ok(member);
    }
    if bases::is_of_class(name) && is_method_value(&member, vm) {
        return Ok(bound(counted(class_id, vm), member, vm));
    }
    let Some(of) = asked(&member, "__get__", vm) else {
        return Ok(member);
    };
    let args = ArgValues::Two(Value::None, counted(class_id, vm));
    let value = call_special(of, "__get__", args, vm);
    member.drop_with(vm);
    value?.ok_or_else(|| RunError::internal("a special method is gone"))
}

/// Asks the class of an instance to set or delete an attribute. Returns false if it has nothing to say about that; then `value` is left in
/// place.
fn ask_to_change(
    id: HeapId,
    name: &str,
    value: &mut Option<Value>,
    change: Change,
    vm: &mut VM<'_>,
) -> RunResult<bool> {
    let class_id = instance_class(id, vm);
    let Some(member) = data_descriptor(class_id, name, vm) else {
        return Ok(false);
    };
    defer_drop!(member, vm);
    let (at, what, method) = match change {
        Change::Set => (1, "setter", "__set__"),
        Change::Delete => (2, "deleter", "__delete__"),
    };
    let receiver = counted(id, vm);
    let args = match value.take() {
        Some(value) => ArgValues::Two(receiver, value),
        None => ArgValues::One(receiver),
    };
    if let Some(Descriptor::Property(accessors)) = descriptor::of(member, vm) {
        let accessor = accessors[at].clone_with_heap(vm.heap);
        defer_drop!(accessor, vm);
        if matches!(accessor, Value::None) {
            args.drop_with(vm);
            let class = class_name(class_id, vm.heap, vm.interns);
            let text = format!("property '{name}' of '{class}' object has no {what}");
            return Err(SimpleException::new_msg(ExcType::AttributeError, text).into());
        }
        vm.evaluate_function(accessor, args)?.drop_with(vm);
        return Ok(true);
    }
    let Some(of) = asked(member, method, vm) else {
        args.drop_with(vm);
        return Err(missing(class_id, format!("attribute '{name}'"), vm));
    };
    call_special(of, method, args, vm)?.drop_with(vm);
    Ok(true)
}

/// Sets an attribute of an instance, unless its class has nothing to say about that: then the value is returned.
pub(super) fn set(
    id: HeapId,
    attr: &EitherStr,
    value: Value,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    let class_id = instance_class(id, vm);
    let name = attr.as_str(vm.interns);
    if name == "__class__" {
        value.drop_with(vm);
        let text = "the class of an object cannot be changed in this sandbox: make another object";
        return Err(ExcType::type_error(text));
    }
    if bases::sets_plainly(class_id, vm.heap) && name != DICT {
        return Ok(Some(value));
    }
    let is_generated = |member: &Value| matches!(member, Value::Ref(id) if matches!(vm.heap.get(*id), HeapData::DataclassMethod(_)));
    if bases::has(class_id, Hook::Setattr, vm.heap)
        && bases::find(class_id, "__setattr__", vm.heap, vm.interns)
            .is_some_and(|member| !is_generated(member))
    {
        let name = attribute_name_value(attr, vm);
        call_special(id, "__setattr__", ArgValues::Two(name, value), vm)?.drop_with(vm);
        return Ok(None);
    }
    set_plainly(id, attr, value, vm)
}

/// Sets an attribute without asking `__setattr__`; see [`set`].
pub(crate) fn set_plainly(
    id: HeapId,
    attr: &EitherStr,
    value: Value,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    let class_id = instance_class(id, vm);
    let name = attr.as_str(vm.interns);
    let value = match bases::has(class_id, Hook::Exception, vm.heap) {
        true => match exception_objects::set(id, name, value, vm)? {
            Some(value) => value,
            None => return Ok(None),
        },
        false => value,
    };
    let mut value = Some(value);
    match ask_to_change(id, name, &mut value, Change::Set, vm) {
        Ok(true) => return Ok(None),
        Ok(false) => {}
        Err(error) => {
            value.drop_with(vm);
            return Err(error);
        }
    }
    if name == DICT
        && let Some(value) = value.take()
    {
        dict::set(id, value, vm)?;
        return Ok(None);
    }
    if let Some(names) = bases::slots(class_id, vm)
        && !names.iter().any(|slot| slot == name)
    {
        value.drop_with(vm);
        let class = class_name(class_id, vm.heap, vm.interns);
        let text = match bases::find(class_id, name, vm.heap, vm.interns) {
            Some(_) => format!("'{class}' object attribute '{name}' is read-only"),
            None => format!("'{class}' object has no attribute '{name}'"),
        };
        return Err(SimpleException::new_msg(ExcType::AttributeError, text).into());
    }
    Ok(value)
}

/// Deletes an attribute of an object: of an instance, or of a class.
pub(crate) fn delete(
    object: &Value,
    attr: &EitherStr,
    is_asked: bool,
    vm: &mut VM<'_>,
) -> RunResult<()> {
    let name = attr.as_str(vm.interns);
    let key = attribute_name_value(attr, vm);
    defer_drop!(key, vm);
    match object.ref_id().map(|id| (id, vm.heap.read(id))) {
        Some((id, HeapReadOutput::Instance(instance))) => {
            let class_id = instance.get(vm.heap).class();
            if is_asked && bases::has(class_id, Hook::Delattr, vm.heap) {
                let args = ArgValues::One(key.clone_with_heap(vm.heap));
                call_special(id, "__delattr__", args, vm)?.drop_with(vm);
                return Ok(());
            }
            if ask_to_change(id, name, &mut None, Change::Delete, vm)? {
                return Ok(());
            }
            if let Some(error) = super::dataclasses::frozen_assignment_error(class_id, key, vm) {
                return Err(error);
            }
            let [] = instance.unless_frozen([], vm)?;
            match instance.remove(key, vm)? {
                Some((key, value)) => [key, value].drop_with(vm),
                None => {
                    let slots = bases::slots(class_id, vm);
                    if slots.is_some_and(|slots| slots.iter().any(|slot| slot == name)) {
                        return Err(SimpleException::new_msg(ExcType::AttributeError, name).into());
                    }
                    let class = class_name(class_id, vm.heap, vm.interns);
                    return Err(ExcType::attribute_error(class, name));
                }
            }
        }
        Some((_, HeapReadOutput::Class(class))) => match class.pop_attr(key, vm)? {
            Some(value) => value.drop_with(vm),
            None => {
                let of = class.get(vm.heap).name().as_str(vm.interns);
                return Err(ExcType::attribute_error_type(of, name));
            }
        },
        Some((id, HeapReadOutput::Exception(_))) if exception_objects::delete(id, name, vm) => {}
        _ if function_attributes::number(object, vm).is_some() => {
            return function_attributes::delete(object, name, vm);
        }
        _ => {
            let kind = object.py_type_name(vm);
            return Err(ExcType::attribute_error(kind, name));
        }
    }
    Ok(())
}

/// Calls `__delitem__` of an instance; `None` if its class has none.
pub(crate) fn delete_item(
    id: HeapId,
    key: &Value,
    vm: &mut VM<'_>,
) -> RunResult<Option<CallResult>> {
    let Some(member) = class_member(instance_class(id, vm), "__delitem__", vm) else {
        return Ok(None);
    };
    defer_drop!(member, vm);
    let args = ArgValues::One(key.clone_with_heap(vm.heap));
    super::call_member_bound(member, id, args, vm).map(Some)
}
