//! Making classes and instances of them.

use super::{
    Class,
    bases::{self, Bases, Hook},
    meta,
};
use crate::{
    args::{ArgValues, KwargsValues},
    builtins::Builtins,
    bytecode::{CallResult, VM},
    defer_drop, exception_objects,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult},
    heap::{DropGuard, DropWithContext as _, HeapData, HeapId, HeapReadOutput},
    modules::classes::ClassFunctions,
    types::{
        Dict, Instance, Type, allocate_tuple,
        descriptor::{self, Descriptor, bound},
        instance::{class_name, members},
        tuple::TupleVec,
    },
    value::Value,
};

/// The name of a class in whose subclasses abstract members are enforced, where it is one of the host's own.
const META: &str = "ABCMeta";

impl Class {
    /// Returns the classes behind it.
    pub(crate) fn bases(&self) -> &Bases {
        &self.bases
    }
}

/// Returns a function that gives the class that it is called with these bases and keywords.
pub(crate) fn with_bases(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let (direct, keywords) = args.into_parts();
    let keywords = match Dict::from_pairs(keywords.into_iter().collect(), vm) {
        Ok(keywords) => keywords,
        Err(error) => {
            direct.drop_with(vm);
            return Err(error);
        }
    };
    let mut parts: TupleVec = direct.collect();
    parts.push(Value::Ref(vm.heap.allocate(HeapData::Dict(keywords))));
    let parts = allocate_tuple(parts, vm.heap);
    Ok(bound(parts, ClassFunctions::SetBases.into(), vm))
}

/// Returns the items of a tuple; none of another value.
fn items(tuple: &Value, vm: &VM<'_>) -> Vec<Value> {
    match tuple {
        Value::Ref(id) if let HeapData::Tuple(tuple) = vm.heap.get(*id) => {
            let items = tuple.as_slice().iter();
            items.map(|item| item.clone_with_heap(vm.heap)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns those of the names in a tuple that are bound where it is called, with their values.
pub(crate) fn bound_members(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let names = args.get_one_arg("members", vm.heap)?;
    defer_drop!(names, vm);
    let bound = Value::Ref(vm.snapshot_locals()?);
    defer_drop!(bound, vm);
    let mut members = Vec::new();
    for name in items(names, vm) {
        let text = name.as_either_str(vm.heap);
        let text = text.as_ref().map_or("", |text| text.as_str(vm.interns));
        let value = match bound {
            Value::Ref(id) if let HeapData::Dict(bound) = vm.heap.get(*id) => {
                bound.get_by_str(text, vm.heap, vm.interns)
            }
            _ => None,
        };
        match value.map(|value| value.clone_with_heap(vm.heap)) {
            Some(value) => members.push((name, value)),
            None => name.drop_with(vm),
        }
    }
    let members = HeapData::Dict(Dict::from_pairs(members, vm)?);
    Ok(Value::Ref(vm.heap.allocate(members)))
}

/// Gives a class the bases and keywords of [`with_bases`], and returns it.
pub(crate) fn set_bases(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let (parts, class) = args.get_two_args("class", vm.heap)?;
    defer_drop!(parts, vm);
    let mut direct = items(parts, vm);
    let last = direct.pop();
    let keywords = match &last {
        Some(Value::Ref(id)) if let HeapData::Dict(keywords) = vm.heap.get(*id) => {
            let pairs = keywords.iter().map(|(name, value)| {
                (
                    name.clone_with_heap(vm.heap),
                    value.clone_with_heap(vm.heap),
                )
            });
            pairs.collect()
        }
        _ => Vec::new(),
    };
    last.drop_with(vm);
    defer_drop!(direct, vm);
    inherit(class, direct, keywords, vm)
}

/// Returns the bases with what those that are no classes stand for, by `__mro_entries__`.
fn entries(direct: &[Value], vm: &mut VM<'_>) -> RunResult<Vec<Value>> {
    let mut entries = DropGuard::new(Vec::with_capacity(direct.len()), vm);
    let (found, vm) = entries.as_parts_mut();
    for base in direct {
        let id = base
            .ref_id()
            .filter(|id| matches!(vm.heap.get(*id), HeapData::Instance(_)));
        let Some(id) = id else {
            found.push(base.clone_with_heap(vm.heap));
            continue;
        };
        let written = direct.iter().map(|base| base.clone_with_heap(vm.heap));
        let written = allocate_tuple(written.collect(), vm.heap);
        let given = members::call_special(id, "__mro_entries__", ArgValues::One(written), vm)?;
        defer_drop!(given, vm);
        match given {
            Some(Value::Ref(id)) if let HeapData::Tuple(given) = vm.heap.get(*id) => {
                let given = given.as_slice().iter();
                found.extend(given.map(|base| base.clone_with_heap(vm.heap)));
            }
            _ => found.push(base.clone_with_heap(vm.heap)),
        }
    }
    Ok(entries.into_parts().0)
}

/// Gives a class its bases, and asks them for what they do with it. `class` is returned.
pub(crate) fn inherit(
    class: Value,
    direct: &[Value],
    keywords: Vec<(Value, Value)>,
    vm: &mut VM<'_>,
) -> RunResult<Value> {
    let mut keywords = DropGuard::new(keywords, vm);
    let (given, vm) = keywords.as_parts_mut();
    let mut class = DropGuard::new(class, vm);
    let (value, vm) = class.as_parts();
    let Some(class_id) = value.ref_id() else {
        return Err(RunError::internal("a class is none"));
    };
    let is_meta = |name: &Value| {
        name.as_either_str(vm.heap)
            .is_some_and(|name| name.as_str(vm.interns) == "metaclass")
    };
    if let Some(at) = given.iter().position(|(name, _)| is_meta(name)) {
        let (name, meta) = given.remove(at);
        name.drop_with(vm);
        let own = match meta.ref_id().map(|id| (id, vm.heap.get(id))) {
            Some((id, HeapData::Class(class))) if class.is_immutable => {
                Some((id, class.name.as_str(vm.interns) == META))
            }
            _ => None,
        };
        let is_plain = matches!(meta, Value::Builtin(Builtins::Type(Type::Type)));
        match own {
            Some((_, true)) => {
                if let HeapReadOutput::Class(handle) = vm.heap.read(class_id) {
                    handle.get_mut(vm.heap).bases.is_abc = true;
                }
            }
            Some((id, false)) => meta::set(class_id, Some(id), &[], vm),
            None => {}
        }
        meta.drop_with(vm);
        if own.is_none() && !is_plain {
            return Err(ExcType::type_error(
                "metaclasses of one's own are not supported in this sandbox",
            ));
        }
    }
    let entries = entries(direct, vm)?;
    let entries = meta::given_bases(entries, vm)?;
    let is_set = bases::set(class_id, &entries, vm);
    if is_set.is_ok() && meta::of(class_id, vm).is_none() {
        meta::set(class_id, None, &entries, vm);
    }
    entries.drop_with(vm);
    is_set?;
    let asked = bases::line(class_id, vm.heap).skip(1).find_map(|id| {
        let asked = bases::own(id, "__init_subclass__", vm.heap, vm.interns)?;
        Some(asked.clone_with_heap(vm.heap))
    });
    let given = std::mem::take(given);
    let Some(asked) = asked else {
        if given.is_empty() {
            meta::made(class_id, vm)?;
            return Ok(class.into_parts().0);
        }
        given.drop_with(vm);
        let name = class_name(class_id, vm.heap, vm.interns);
        return Err(ExcType::type_error(format!(
            "{name}.__init_subclass__() takes no keyword arguments"
        )));
    };
    let function = match descriptor::of(&asked, vm) {
        Some(Descriptor::Class(function)) => function.clone_with_heap(vm.heap),
        _ => asked.clone_with_heap(vm.heap),
    };
    asked.drop_with(vm);
    vm.heap.inc_ref(class_id);
    let keywords = match given.is_empty() {
        true => KwargsValues::Empty,
        false => KwargsValues::Pairs(given),
    };
    let args = ArgValues::from_parts(vec![Value::Ref(class_id)], keywords);
    let given = vm.evaluate_function(&function, args);
    function.drop_with(vm);
    given?.drop_with(vm);
    meta::made(class_id, vm)?;
    Ok(class.into_parts().0)
}

/// Descriptors in a member that are looked through for an abstract function, at most.
const DESCRIPTORS: u32 = 64;

/// Returns whether a value says of itself that it is to be defined still, as `abstractmethod` makes it do.
fn is_abstract(value: &Value, vm: &VM<'_>) -> bool {
    let mut left = DESCRIPTORS;
    is_abstract_within(value, &mut left, vm)
}

/// Returns the same, and counts the descriptors that it looks through.
fn is_abstract_within(value: &Value, left: &mut u32, vm: &VM<'_>) -> bool {
    if let Some(descriptor) = descriptor::of(value, vm) {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let mut inner = descriptor.values().iter();
        return inner.any(|inner| is_abstract_within(inner, left, vm));
    }
    let Some(HeapData::Instance(instance)) = value.ref_id().map(|id| vm.heap.get(id)) else {
        return false;
    };
    let mark = instance
        .attrs(vm.heap)
        .get_by_str("__isabstractmethod__", vm.heap, vm.interns);
    matches!(mark, Some(Value::Bool(true)))
}

/// Returns the function that an abstract one of the host's own stands for until its class is made.
fn wrapped(value: &Value, vm: &VM<'_>) -> Option<Value> {
    let HeapData::Instance(instance) = vm.heap.get(value.ref_id()?) else {
        return None;
    };
    let is_own =
        matches!(vm.heap.get(instance.class()), HeapData::Class(class) if class.is_immutable);
    let wrapped = instance
        .attrs(vm.heap)
        .get_by_str("__wrapped__", vm.heap, vm.interns);
    let wrapped = wrapped.filter(|_| is_own && is_abstract(value, vm))?;
    Some(wrapped.clone_with_heap(vm.heap))
}

/// Looks through the members of a new class: notes what they are, and gives them their names.
pub(crate) fn finish(class: Value, direct: &Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let mut class = DropGuard::new(class, vm);
    let (value, vm) = class.as_parts();
    let Some(class_id) = value.ref_id() else {
        return Err(RunError::internal("a class is none"));
    };
    let mut bases = Bases::default();
    let mut found = DropGuard::new((Vec::new(), Vec::new()), vm);
    let ((named, replaced), vm) = found.as_parts_mut();
    if let HeapData::Class(class) = vm.heap.get(class_id) {
        for (name, member) in class.namespace.iter() {
            let Some(text) = name.as_either_str(vm.heap) else {
                continue;
            };
            let text = text.as_str(vm.interns);
            if is_abstract(member, vm) {
                bases.abstracts.push(text.to_owned());
            }
            bases.note(text, bases::decides(member, vm));
            let name = || name.clone_with_heap(vm.heap);
            if let Some(function) = wrapped(member, vm) {
                replaced.push((name(), function));
            } else if let Some(id) = members::asked(member, "__set_name__", vm) {
                vm.heap.inc_ref(id);
                named.push((Value::Ref(id), name()));
            }
        }
    }
    if let HeapReadOutput::Class(handle) = vm.heap.read(class_id) {
        handle.get_mut(vm.heap).bases = bases;
        while let Some((name, function)) = replaced.pop() {
            let wrapper = handle.namespace_mut().set(name, function, vm)?;
            wrapper.drop_with(vm);
        }
    }
    for (member, name) in named.iter() {
        if let Some(id) = member.ref_id() {
            vm.heap.inc_ref(class_id);
            let args = ArgValues::Two(Value::Ref(class_id), name.clone_with_heap(vm.heap));
            members::call_special(id, "__set_name__", args, vm)?.drop_with(vm);
        }
    }
    drop(found);
    let (value, vm) = class.into_parts();
    let given = items(direct, vm);
    defer_drop!(given, vm);
    match given.is_empty() {
        true => Ok(value),
        false => inherit(value, given, Vec::new(), vm),
    }
}

/// Allocates what is to become an instance of a class, or what its `__new__` gives instead.
///
/// `Err` is the whole result of the call.
pub(crate) fn allocated(
    class_id: HeapId,
    args: &ArgValues,
    vm: &mut VM<'_>,
) -> Result<HeapId, RunResult<CallResult>> {
    let has_bases = matches!(vm.heap.get(class_id), HeapData::Class(class)
        if !class.bases.order.is_empty() || class.bases.is_abc);
    if has_bases {
        let names = bases::abstract_members(class_id, vm);
        if !names.is_empty() {
            let class = class_name(class_id, vm.heap, vm.interns);
            let plural = if names.len() > 1 { "s" } else { "" };
            let names = names.join("', '");
            return Err(Err(ExcType::type_error(format!(
                "Can't instantiate abstract class {class} without an implementation for abstract method{plural} '{names}'"
            ))));
        }
    }
    let plain = |vm: &mut VM<'_>| {
        let id = allocate(class_id, vm);
        exception_objects::begin(id, args, vm);
        id
    };
    if !takes_any(class_id, vm) {
        return Ok(plain(vm));
    }
    let Some(new) = bases::find(class_id, "__new__", vm.heap, vm.interns) else {
        return Ok(plain(vm));
    };
    let new = match descriptor::of(new, vm) {
        Some(Descriptor::Static(function)) => function.clone_with_heap(vm.heap),
        _ => new.clone_with_heap(vm.heap),
    };
    defer_drop!(new, vm);
    vm.heap.inc_ref(class_id);
    let given = cloned(args, vm).prepend(Value::Ref(class_id));
    let made = vm.evaluate_function(new, given).map_err(Err)?;
    let is_instance = matches!(&made, Value::Ref(id) if matches!(vm.heap.get(*id), HeapData::Instance(instance)
        if bases::is_subclass(instance.class(), class_id, vm.heap)));
    if !is_instance {
        return Err(Ok(CallResult::Value(made)));
    }
    let made = made
        .into_ref_id()
        .ok_or_else(|| Err(RunError::internal("an instance is none")))?;
    exception_objects::begin(made, args, vm);
    Ok(made)
}

/// Allocates an instance of a class without attributes.
pub(crate) fn allocate(class_id: HeapId, vm: &VM<'_>) -> HeapId {
    vm.heap.inc_ref(class_id);
    let is_exception = bases::has(class_id, Hook::Exception, vm.heap);
    let exception = is_exception.then(Box::default);
    let instance = Instance::new(class_id, Dict::new()).with_exception(exception);
    vm.heap.allocate(HeapData::Instance(Box::new(instance)))
}

/// Returns whether a class takes any arguments without an `__init__`.
pub(crate) fn takes_any(class_id: HeapId, vm: &VM<'_>) -> bool {
    bases::has(class_id, Hook::New, vm.heap)
}

fn cloned(args: &ArgValues, vm: &VM<'_>) -> ArgValues {
    let value = |value: &Value| value.clone_with_heap(vm.heap);
    let keywords = |keywords: &KwargsValues| match keywords {
        KwargsValues::Empty => KwargsValues::Empty,
        KwargsValues::Inline(pairs) => KwargsValues::Inline(
            pairs
                .iter()
                .map(|(name, one)| (*name, value(one)))
                .collect(),
        ),
        KwargsValues::Pairs(pairs) => {
            let pairs = pairs.iter().map(|(name, one)| (value(name), value(one)));
            KwargsValues::Pairs(pairs.collect())
        }
        KwargsValues::Dict(dict) => {
            let pairs = dict.iter().map(|(name, one)| (value(name), value(one)));
            KwargsValues::Pairs(pairs.collect())
        }
    };
    match args {
        ArgValues::Empty => ArgValues::Empty,
        ArgValues::One(one) => ArgValues::One(value(one)),
        ArgValues::Two(one, other) => ArgValues::Two(value(one), value(other)),
        ArgValues::Kwargs(named) => ArgValues::Kwargs(keywords(named)),
        ArgValues::ArgsKargs { args, kwargs } => ArgValues::ArgsKargs {
            args: args.iter().map(value).collect(),
            kwargs: keywords(kwargs),
        },
    }
}
