//! Base classes: their order, and members that a class has from them.

use std::collections::VecDeque;

use strum::VariantNames as _;

use super::{Class, meta::STANDS_FOR};
use crate::{
    args::ArgValues,
    builtins::{Builtins, BuiltinsFunctions},
    bytecode::VM,
    defer_drop, exception_objects,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult},
    heap::{DropWithContext as _, Heap, HeapData, HeapId, HeapReadOutput},
    intern::Interns,
    modules::classes::ClassFunctions,
    types::{
        Dict, Type, allocate_tuple,
        descriptor::{self, Descriptor, bound},
        instance::{attributes, class_defines, class_name, dict, is_method_value, members},
        str::allocate_string,
        tuple::TupleVec,
    },
    value::Value,
};

/// Classes behind one class, and properties of it that follow from its members.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Bases {
    /// The bases as written; counted references.
    pub(super) direct: Vec<Value>,
    /// The classes behind this one in the order in which members are looked for; counted references.
    pub(super) order: Vec<HeapId>,
    /// The members of the class itself that decide about instances and their attributes: a set of [`Hook`]s.
    hooks: u8,
    /// True if there are no instances while members are abstract.
    pub(super) is_abc: bool,
    /// Members of the class itself that are abstract.
    pub(super) abstracts: Vec<String>,
    /// The metaclass, if it is one of the host's own; a counted reference.
    pub(super) meta: Option<HeapId>,
    /// The builtin types of exceptions behind it, none of which is above another, in the order of the bases.
    exceptions: Vec<ExcType>,
    /// The number of classes of `order` before these types.
    before_exceptions: usize,
}

/// A member of a class that is looked for so often that the class knows whether it has it.
#[derive(Clone, Copy)]
pub(crate) enum Hook {
    /// A member that decides what setting it does.
    Data,
    Slots,
    Getattr,
    Setattr,
    Delattr,
    New,
    StandsFor,
    /// The class is one of exceptions.
    Exception,
}

impl Hook {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Bases {
    /// Notes a member of the class itself.
    pub(super) fn note(&mut self, name: &str, decides: bool) {
        let hook = match name {
            "__slots__" => Some(Hook::Slots),
            "__getattr__" => Some(Hook::Getattr),
            "__setattr__" => Some(Hook::Setattr),
            "__delattr__" => Some(Hook::Delattr),
            "__new__" => Some(Hook::New),
            STANDS_FOR => Some(Hook::StandsFor),
            _ => None,
        };
        self.hooks |= hook.map_or(0, Hook::bit);
        if decides {
            self.hooks |= Hook::Data.bit();
        }
    }

    /// Returns the objects that it refers to.
    pub(crate) fn children(&self) -> impl Iterator<Item = HeapId> {
        let direct = self.direct.iter().filter_map(Value::ref_id);
        direct.chain(self.order.iter().chain(&self.meta).copied())
    }

    /// Gives its references to `stack`.
    pub(super) fn dec_ref_ids(&mut self, stack: &mut Vec<HeapId>) {
        stack.append(&mut self.order);
        stack.extend(self.meta.take());
        for base in &mut self.direct {
            base.py_dec_ref_ids(stack);
        }
    }
}

fn class(id: HeapId, heap: &Heap) -> Option<&Class> {
    match heap.get(id) {
        HeapData::Class(class) => Some(class),
        _ => None,
    }
}

/// Returns a class and the classes behind it, in the order in which members are looked for.
pub(crate) fn line(class_id: HeapId, heap: &Heap) -> impl Iterator<Item = HeapId> {
    let behind = class(class_id, heap).map_or(&[][..], |class| &class.bases.order);
    std::iter::once(class_id).chain(behind.iter().copied())
}

/// Returns a member that a class itself has.
pub(crate) fn own<'v>(
    class_id: HeapId,
    name: &str,
    heap: &'v Heap,
    interns: &Interns,
) -> Option<&'v Value> {
    class(class_id, heap)?
        .namespace
        .get_by_str(name, heap, interns)
}

/// Returns the classes behind one in which a member of this name is looked for: where builtin types of exceptions have
/// it, none of those behind these types.
fn behind<'v>(class: &'v Class, name: &str) -> &'v [HeapId] {
    let Bases {
        order,
        before_exceptions,
        ..
    } = &class.bases;
    let ends = *before_exceptions < order.len() && is_of_exceptions(class, name);
    &order[..if ends {
        *before_exceptions
    } else {
        order.len()
    }]
}

/// Returns whether a class has a member of this name from builtin types of exceptions.
fn is_of_exceptions(class: &Class, name: &str) -> bool {
    let has = || name == "__new__" || exception_objects::function(name).is_some();
    !class.bases.exceptions.is_empty() && has()
}

/// Returns a member that a class or one behind it has.
pub(crate) fn find<'v>(
    class_id: HeapId,
    name: &str,
    heap: &'v Heap,
    interns: &Interns,
) -> Option<&'v Value> {
    let class = class(class_id, heap)?;
    let inherited = || {
        let mut behind = behind(class, name).iter();
        behind.find_map(|&id| own(id, name, heap, interns))
    };
    class
        .namespace
        .get_by_str(name, heap, interns)
        .or_else(inherited)
}

/// Returns whether a class is `of` or has it behind it.
pub(crate) fn is_subclass(class_id: HeapId, of: HeapId, heap: &Heap) -> bool {
    line(class_id, heap).any(|id| id == of)
}

/// Returns whether a member decides what setting it does.
pub(crate) fn decides(member: &Value, vm: &VM<'_>) -> bool {
    match member.ref_id().map(|id| vm.heap.get(id)) {
        Some(HeapData::Descriptor(descriptor)) => matches!(**descriptor, Descriptor::Property(_)),
        Some(HeapData::Instance(instance)) => {
            let has = |name| find(instance.class(), name, vm.heap, vm.interns).is_some();
            has("__set__") || has("__delete__")
        }
        _ => false,
    }
}

/// Returns the [`Hook`]s that a class or one behind it may have.
#[inline]
fn hooks(class_id: HeapId, heap: &Heap) -> u8 {
    let Some(first) = class(class_id, heap) else {
        return 0;
    };
    let behind = first.bases.order.iter();
    behind.fold(first.bases.hooks, |hooks, &id| {
        hooks | class(id, heap).map_or(0, |class| class.bases.hooks)
    })
}

/// Returns whether a class, or one behind it, may have such a member.
#[inline]
pub(crate) fn has(class_id: HeapId, hook: Hook, heap: &Heap) -> bool {
    hooks(class_id, heap) & hook.bit() != 0
}

/// Returns whether setting an attribute is nothing that a class decides.
#[inline]
pub(crate) fn sets_plainly(class_id: HeapId, heap: &Heap) -> bool {
    let deciding =
        Hook::Data.bit() | Hook::Setattr.bit() | Hook::Slots.bit() | Hook::Exception.bit();
    hooks(class_id, heap) & deciding == 0
}

/// Returns whether the class nearest to this one that has `__eq__` or `__hash__` has `__eq__` alone.
pub(crate) fn equality_hides_hash(class_id: HeapId, vm: &VM<'_>) -> bool {
    let has = |id, name| own(id, name, vm.heap, vm.interns).is_some();
    let nearest = line(class_id, vm.heap).find(|&id| has(id, "__hash__") || has(id, "__eq__"));
    nearest.is_some_and(|id| !has(id, "__hash__"))
}

/// Returns the names that instances may have as attributes; `None` if they may have any.
pub(crate) fn slots(class_id: HeapId, vm: &VM<'_>) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for id in line(class_id, vm.heap) {
        if class(id, vm.heap)?.bases.hooks & Hook::Slots.bit() == 0 {
            return None;
        }
        let slots = own(id, "__slots__", vm.heap, vm.interns)?;
        let mut add = |value: &Value| {
            let name = value.as_either_str(vm.heap);
            names.extend(name.map(|name| name.as_str(vm.interns).to_owned()));
        };
        match slots {
            Value::Ref(id) => match vm.heap.get(*id) {
                HeapData::Tuple(tuple) => tuple.as_slice().iter().for_each(add),
                HeapData::List(list) => list.as_slice().iter().for_each(add),
                HeapData::Dict(dict) => dict.iter().for_each(|(name, _)| add(name)),
                HeapData::Str(_) => add(slots),
                _ => return None,
            },
            other => add(other),
        }
    }
    (!names.iter().any(|name| name == "__dict__")).then_some(names)
}

/// Returns the members of a class that are abstract still, sorted; none if that is not enforced.
pub(super) fn abstract_members(class_id: HeapId, vm: &VM<'_>) -> Vec<String> {
    let line: Vec<HeapId> = line(class_id, vm.heap).collect();
    let of = |id: HeapId| class(id, vm.heap).map(|class| &class.bases);
    if !line
        .iter()
        .any(|&id| of(id).is_some_and(|bases| bases.is_abc))
    {
        return Vec::new();
    }
    let mut names = Vec::new();
    for &id in &line {
        for name in of(id).map_or(&[][..], |bases| &bases.abstracts) {
            let first = line
                .iter()
                .find(|&&id| own(id, name, vm.heap, vm.interns).is_some());
            if first == Some(&id) {
                names.push(name.clone());
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// A class in an order of classes; `None` stands for the builtin types of exceptions.
type Place = Option<HeapId>;

/// Returns a class and the classes behind it, with the place of the builtin types of exceptions.
fn places(class_id: HeapId, heap: &Heap) -> VecDeque<Place> {
    let mut places: VecDeque<Place> = line(class_id, heap).map(Some).collect();
    if let Some(class) = class(class_id, heap)
        && !class.bases.exceptions.is_empty()
    {
        places.insert(1 + class.bases.before_exceptions, None);
    }
    places
}

/// Returns the order of the classes behind one with these bases (C3), and how many of them come before the builtin types
/// of exceptions; `None` where the orders of the bases disagree.
fn linear(bases: &[Place], heap: &Heap) -> Option<(Vec<HeapId>, usize)> {
    let line_of = |base: &Place| match base {
        Some(class) => places(*class, heap),
        None => VecDeque::from([None]),
    };
    let mut lines: Vec<VecDeque<Place>> = bases.iter().map(line_of).collect();
    lines.push(bases.iter().copied().collect());
    let merged = merged(lines.clone()).or_else(|| {
        // Types of exceptions that are none of each other count as one here, which Python does not take them for.
        lines
            .iter_mut()
            .for_each(|line| line.retain(Option::is_some));
        merged(lines)
    })?;
    let before = merged.iter().position(Option::is_none);
    let order: Vec<HeapId> = merged.into_iter().flatten().collect();
    let before = before.unwrap_or(order.len());
    Some((order, before))
}

/// Merges orders of classes into one that follows each of them.
fn merged(mut lines: Vec<VecDeque<Place>>) -> Option<Vec<Place>> {
    let mut order = Vec::new();
    loop {
        lines.retain(|line| !line.is_empty());
        if lines.is_empty() {
            return Some(order);
        }
        let is_free = |head: &Place| {
            let mut tails = lines.iter().flat_map(|line| line.iter().skip(1));
            !tails.any(|place| place == head)
        };
        let next = lines.iter().map(|line| line[0]).find(is_free)?;
        order.push(next);
        for line in &mut lines {
            line.pop_front_if(|head| *head == next);
        }
    }
}

/// Gives a class its bases.
pub(super) fn set(class_id: HeapId, direct: &[Value], vm: &mut VM<'_>) -> RunResult<()> {
    let (mut classes, mut types, mut written) = (Vec::new(), Vec::new(), Vec::new());
    for base in direct {
        match base {
            Value::Builtin(Builtins::Type(Type::Object)) | Value::Marker(_) => {}
            // No class of a script stands for `GeneratorExit`.
            Value::Builtin(Builtins::ExcType(kind)) if *kind != ExcType::KeyboardInterrupt => {
                types.push(*kind);
                if !written.contains(&None) {
                    written.push(None);
                }
            }
            Value::Ref(id) => match vm.heap.get(*id) {
                HeapData::Class(_) if classes.contains(id) => {
                    let name =
                        class(*id, vm.heap).map_or("", |class| class.name.as_str(vm.interns));
                    return Err(ExcType::type_error(format!("duplicate base class {name}")));
                }
                HeapData::Class(class) => {
                    types.extend_from_slice(&class.bases.exceptions);
                    classes.push(*id);
                    written.push(Some(*id));
                }
                _ => return Err(unacceptable(base, vm)),
            },
            _ => return Err(unacceptable(base, vm)),
        }
    }
    let Some((order, before_exceptions)) = linear(&written, vm.heap) else {
        let names = classes
            .iter()
            .filter_map(|&id| class(id, vm.heap))
            .map(|class| class.name.as_str(vm.interns));
        let names = names.collect::<Vec<_>>().join(", ");
        let text = "Cannot create a consistent method resolution order (MRO) for bases";
        return Err(ExcType::type_error(format!("{text} {names}")));
    };
    if order.contains(&class_id) {
        let message = "a __bases__ item causes an inheritance cycle";
        return Err(ExcType::type_error(message));
    }
    let direct: Vec<Value> = direct
        .iter()
        .map(|base| base.clone_with_heap(vm.heap))
        .collect();
    order.iter().for_each(|&id| vm.heap.inc_ref(id));
    let HeapReadOutput::Class(handle) = vm.heap.read(class_id) else {
        return Err(RunError::internal("a class is none"));
    };
    let bases = &mut handle.get_mut(vm.heap).bases;
    (bases.direct, bases.order) = (direct, order);
    bases.before_exceptions = before_exceptions;
    bases.exceptions = lowest(&types);
    if !bases.exceptions.is_empty() {
        bases.hooks |= Hook::Exception.bit();
    }
    Ok(())
}

/// Returns those of the types that have none of the others below them, each once.
fn lowest(types: &[ExcType]) -> Vec<ExcType> {
    let mut lowest: Vec<ExcType> = Vec::new();
    for &kind in types {
        let is_above = |other: &ExcType| *other != kind && other.is_subclass_of(kind);
        if !types.iter().any(is_above) && !lowest.contains(&kind) {
            lowest.push(kind);
        }
    }
    lowest
}

/// Returns the builtin types of exceptions behind a class, none of which is above another; none if it is not one of exceptions.
pub(crate) fn exceptions(class_id: HeapId, heap: &Heap) -> &[ExcType] {
    class(class_id, heap).map_or(&[], |class| &class.bases.exceptions)
}

/// Returns the module that `repr()` shows of a class, with a dot; nothing for a class of the host's own that names none.
pub(super) fn shown_module(class_id: HeapId, vm: &VM<'_>) -> String {
    let Some(class) = class(class_id, vm.heap) else {
        return String::new();
    };
    let own = own(class_id, "__module__", vm.heap, vm.interns);
    let own = own.and_then(|module| module.as_either_str(vm.heap));
    match own {
        Some(module) => format!("{}.", module.as_str(vm.interns)),
        None if class.is_immutable => String::new(),
        None => String::from("__main__."),
    }
}

/// Returns a builtin type of exceptions and those above it, the farthest last.
pub(crate) fn types_above(kind: ExcType) -> Vec<ExcType> {
    let all = || {
        ExcType::VARIANTS
            .iter()
            .filter_map(|name| name.parse().ok())
    };
    let above = |kind: ExcType| all().filter(move |other: &ExcType| kind.is_subclass_of(*other));
    let mut types: Vec<ExcType> = above(kind).collect();
    types.sort_by_key(|kind| std::cmp::Reverse(above(*kind).count()));
    types
}

fn unacceptable(base: &Value, vm: &VM<'_>) -> RunError {
    let name = match base {
        Value::Builtin(Builtins::Type(base)) => base.name(vm.heap, vm.interns).into_owned(),
        Value::Builtin(Builtins::ExcType(base)) => base.to_string(),
        Value::Builtin(Builtins::Function(BuiltinsFunctions::Type)) => String::from("type"),
        Value::Ref(id) if let HeapData::NamedTupleClass(_) = vm.heap.get(*id) => {
            String::from("namedtuple")
        }
        other => other.py_type_name(vm).into_owned(),
    };
    ExcType::type_error(format!("type '{name}' is not an acceptable base type"))
}

/// Returns `__mro__`, `__bases__` and what else a class has that is no member.
pub(crate) fn special(class_id: HeapId, name: &str, vm: &VM<'_>) -> Option<Value> {
    let class = class(class_id, vm.heap)?;
    let object = || Value::Builtin(Builtins::Type(Type::Object));
    let items: TupleVec = match name {
        "__bases__" if class.bases.direct.is_empty() => std::iter::once(object()).collect(),
        "__bases__" => {
            let direct = class.bases.direct.iter();
            direct.map(|base| base.clone_with_heap(vm.heap)).collect()
        }
        "__mro__" => {
            let mut line = line(class_id, vm.heap).map(|id| {
                vm.heap.inc_ref(id);
                Value::Ref(id)
            });
            let first: Vec<Value> = line
                .by_ref()
                .take(1 + class.bases.before_exceptions)
                .collect();
            let mut types: Vec<ExcType> = Vec::new();
            for kind in class
                .bases
                .exceptions
                .iter()
                .flat_map(|kind| types_above(*kind))
            {
                types.retain(|other| *other != kind);
                types.push(kind);
            }
            let types = types
                .into_iter()
                .map(|kind| Value::Builtin(Builtins::ExcType(kind)));
            first
                .into_iter()
                .chain(types)
                .chain(line)
                .chain([object()])
                .collect()
        }
        "__base__" => {
            let first = class.bases.direct.first();
            return Some(first.map_or_else(object, |base| base.clone_with_heap(vm.heap)));
        }
        "mro" => {
            vm.heap.inc_ref(class_id);
            return Some(bound(Value::Ref(class_id), ClassFunctions::Mro.into(), vm));
        }
        "__qualname__" => return Some(allocate_string(class.name.as_str(vm.interns), vm.heap)),
        "__module__" => return Some(allocate_string("__main__", vm.heap)),
        _ => return None,
    };
    Some(allocate_tuple(items, vm.heap))
}

/// Returns the fields of the dataclasses behind a class, those of the farthest first.
pub(crate) fn inherited_fields(class: &Class, vm: &VM<'_>) -> Vec<Value> {
    let mut fields = Vec::new();
    for &id in class.bases.order.iter().rev() {
        if let Some(Value::Ref(of_base)) = own(id, "__dataclass_fields__", vm.heap, vm.interns)
            && let HeapData::Dict(of_base) = vm.heap.get(*of_base)
        {
            let of_base = of_base.iter();
            fields.extend(of_base.map(|(_, field)| field.clone_with_heap(vm.heap)));
        }
    }
    fields
}

/// Returns the fields with every name once, where it stands first and as it stands last.
pub(crate) fn merged_fields(fields: Vec<Value>, vm: &mut VM<'_>) -> Vec<Value> {
    let name = |field: &Value, vm: &VM<'_>| match vm.heap.get(field.ref_id()?) {
        HeapData::DataclassField(field) => field.name(),
        _ => None,
    };
    let mut merged: Vec<Value> = Vec::with_capacity(fields.len());
    for field in fields {
        let of_field = name(&field, vm);
        match merged.iter().position(|other| name(other, vm) == of_field) {
            Some(at) => std::mem::replace(&mut merged[at], field).drop_with(vm),
            None => merged.push(field),
        }
    }
    merged
}

fn counted(id: HeapId, vm: &VM<'_>) -> Value {
    vm.heap.inc_ref(id);
    Value::Ref(id)
}

/// Returns what `super(class, receiver)` has under a name.
pub(crate) fn super_member(
    class_id: HeapId,
    receiver: HeapId,
    name: &str,
    vm: &mut VM<'_>,
) -> RunResult<Value> {
    let start = receiver_class(receiver, vm.heap);
    let is_instance = start != receiver;
    // The place behind the class in the order of the receiver's.
    let next = line(start, vm.heap).position(|id| id == class_id);
    let (classes, is_exception) = match (class(start, vm.heap), next) {
        (Some(class), Some(next)) => {
            let is_before = next <= class.bases.before_exceptions;
            let within = match is_before {
                true => behind(class, name),
                false => &class.bases.order,
            };
            let is_exception = is_before && !class.bases.exceptions.is_empty();
            (&within[next..], is_exception)
        }
        _ => (&[][..], false),
    };
    let found = classes
        .iter()
        .find_map(|&id| own(id, name, vm.heap, vm.interns))
        .map(|found| found.clone_with_heap(vm.heap));
    let Some(member) = found else {
        let function = is_exception
            .then(|| exception_objects::function(name))
            .flatten();
        if let (true, None) = (is_exception && is_instance, &function)
            && of_object(name).is_none()
            && let Some(value) = exception_objects::member(receiver, name, vm)?
        {
            return Ok(value);
        }
        let member = function.or_else(|| of_object(name));
        let member = member.ok_or_else(|| ExcType::attribute_error("super", name))?;
        // `__new__` is given its class by the caller.
        return Ok(match name {
            "__new__" => member,
            _ => bound(counted(receiver, vm), member, vm),
        });
    };
    if let Some(value) = members::of_static_or_class(&member, start, vm) {
        member.drop_with(vm);
        return Ok(value);
    }
    match descriptor::of(&member, vm) {
        Some(Descriptor::Property([get, ..])) if is_instance => {
            let get = get.clone_with_heap(vm.heap);
            let value = vm.evaluate_function(&get, ArgValues::One(counted(receiver, vm)));
            [get, member].drop_with(vm);
            value
        }
        // A function of a class is bound to it where classes are asked by themselves.
        _ if is_method_value(&member, vm)
            && name != "__new__"
            && (is_instance || is_of_class(name)) =>
        {
            Ok(bound(counted(receiver, vm), member, vm))
        }
        None if let Some(of) = members::asked(&member, "__get__", vm) => {
            let instance = match is_instance {
                true => counted(receiver, vm),
                false => Value::None,
            };
            let args = ArgValues::Two(instance, counted(start, vm));
            let value = members::call_special(of, "__get__", args, vm);
            member.drop_with(vm);
            value?.ok_or_else(|| RunError::internal("a special method is gone"))
        }
        _ => Ok(member),
    }
}

/// Returns whether a special method is a class method without being decorated.
pub(crate) fn is_of_class(name: &str) -> bool {
    matches!(name, "__init_subclass__" | "__class_getitem__")
}

/// Returns the class whose order `super()` follows.
pub(crate) fn receiver_class(receiver: HeapId, heap: &Heap) -> HeapId {
    match heap.get(receiver) {
        HeapData::Instance(instance) => instance.class(),
        _ => receiver,
    }
}

/// Returns what a script reads from `object` under a name.
pub(crate) fn object_member(name: &str) -> Option<Value> {
    of_object(name).filter(|_| name != "__post_init__")
}

/// Returns what `object` has under a name.
fn of_object(name: &str) -> Option<Value> {
    Some(match name {
        "__init__" => ClassFunctions::ObjectInit.into(),
        "__new__" => ClassFunctions::ObjectNew.into(),
        "__repr__" | "__str__" => ClassFunctions::ObjectRepr.into(),
        "__eq__" => ClassFunctions::ObjectEq.into(),
        "__ne__" => ClassFunctions::ObjectNe.into(),
        "__hash__" => ClassFunctions::ObjectHash.into(),
        "__init_subclass__" => ClassFunctions::ObjectInitSubclass.into(),
        "__post_init__" => ClassFunctions::ObjectNothing.into(),
        "__getattribute__" => ClassFunctions::ObjectGetattribute.into(),
        "__delattr__" => ClassFunctions::ObjectDelattr.into(),
        "__setattr__" => Value::Builtin(Builtins::Function(BuiltinsFunctions::ObjectSetattr)),
        _ => return None,
    })
}

/// Returns what a class has under a name; `None` if it has nothing.
pub(super) fn read(class_id: HeapId, name: &str, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    if let Some(listed) = attributes::listed(class_id, name, vm)? {
        return Ok(Some(listed));
    }
    match find(class_id, name, vm.heap, vm.interns) {
        Some(member) => {
            let member = member.clone_with_heap(vm.heap);
            members::read_from_class(class_id, member, name, vm).map(Some)
        }
        None if name == "__dict__" => {
            let members = match vm.heap.get(class_id) {
                HeapData::Class(class) => dict::visible(class.namespace(), vm),
                _ => Vec::new(),
            };
            let members = Dict::from_pairs(members, vm)?;
            let members = vm.heap.allocate(HeapData::Dict(members));
            Ok(Some(Value::Ref(members)))
        }
        None => Ok(special(class_id, name, vm).or_else(|| {
            let is_exception = has(class_id, Hook::Exception, vm.heap);
            is_exception.then(|| exception_objects::function(name))?
        })),
    }
}

/// Returns `class[key]`; `None` if the class has no `__class_getitem__`.
pub(super) fn item(class_id: HeapId, key: &Value, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let Some(function) = read(class_id, "__class_getitem__", vm)? else {
        return Ok(None);
    };
    defer_drop!(function, vm);
    let key = key.clone_with_heap(vm.heap);
    vm.evaluate_function(function, ArgValues::One(key))
        .map(Some)
}

/// Returns an attribute that a class has without a member of its name.
pub(crate) fn fallback(class: HeapId, name: &str, vm: &mut VM<'_>) -> RunResult<Value> {
    let of = class_name(class, vm.heap, vm.interns).into_owned();
    match name {
        "__qualname__" => Ok(allocate_string(of, vm.heap)),
        // What says which objects are equal, and not by which number, has none.
        "__hash__" if class_defines(class, "__eq__", vm) => Ok(Value::None),
        _ => Err(ExcType::attribute_error_type(&of, name)),
    }
}
