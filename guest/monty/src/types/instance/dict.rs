//! `__dict__`: the dict of an instance's attributes, which is allocated when a script first reads it. Attributes that no
//! script sees stay beside it.

use std::mem;

use super::{Instance, instance_class};
use crate::{
    bytecode::VM,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult},
    heap::{DropWithContext as _, Heap, HeapData, HeapId, HeapReadMut, HeapReadOutput},
    intern::Interns,
    own_code,
    types::{
        Dict,
        class::{bases, meta},
    },
    value::Value,
};

/// The attributes of an instance as one value.
pub(super) const DICT: &str = "__dict__";

/// Names that no script sees begin with this.
pub(crate) const HIDDEN: &str = "_rlm_";

impl Instance {
    /// Returns the attributes.
    pub(crate) fn attrs<'i>(&'i self, heap: &'i Heap) -> &'i Dict {
        match self.dict.map(|id| heap.get(id)) {
            Some(HeapData::Dict(dict)) => dict,
            _ => &self.attrs,
        }
    }

    /// Returns an attribute of a name, one that no script sees, too.
    pub(crate) fn attr<'i>(
        &'i self,
        name: &str,
        heap: &'i Heap,
        interns: &Interns,
    ) -> Option<&'i Value> {
        let hidden = || {
            let is_beside = self.dict.is_some() && name.starts_with(HIDDEN);
            is_beside.then(|| self.attrs.get_by_str(name, heap, interns))?
        };
        let found = self.attrs(heap).get_by_str(name, heap, interns);
        found.or_else(hidden)
    }

    /// Returns the attributes that are no dict of their own.
    pub(crate) fn own_attrs(&self) -> &Dict {
        &self.attrs
    }

    /// Returns the dict that the attributes are, if they are one.
    pub(crate) fn dict(&self) -> Option<HeapId> {
        self.dict
    }
}

impl<'h> HeapReadMut<'h, Instance> {
    /// Sets an attribute without asking the class, and returns the value before.
    pub(crate) fn store(
        &self,
        name: Value,
        value: Value,
        vm: &mut VM<'h>,
    ) -> RunResult<Option<Value>> {
        let Some(held) = held(self, vm).filter(|_| !is_hidden(&name, vm)) else {
            return self.attrs_mut().set(name, value, vm);
        };
        let result = match held.read_heap(vm) {
            Some(HeapReadOutput::Dict(dict)) => dict.set(name, value, vm),
            _ => Err(RunError::internal("a __dict__ is no dict")),
        };
        held.drop_with(vm);
        result
    }

    /// Removes an attribute without asking the class.
    pub(crate) fn remove(
        &self,
        name: &Value,
        vm: &mut VM<'h>,
    ) -> RunResult<Option<(Value, Value)>> {
        let Some(held) = held(self, vm) else {
            return self.attrs_mut().pop(name, vm);
        };
        let result = match held.read_heap(vm) {
            Some(HeapReadOutput::Dict(dict)) => dict.pop(name, vm),
            _ => Err(RunError::internal("a __dict__ is no dict")),
        };
        held.drop_with(vm);
        result
    }
}

/// Returns a reference to the dict of an instance: comparing keys may run code of a script, which can give the instance
/// another dict.
fn held<'h>(instance: &HeapReadMut<'h, Instance>, vm: &VM<'h>) -> Option<Value> {
    let id = instance.get(vm.heap).dict?;
    vm.heap.inc_ref(id);
    Some(Value::Ref(id))
}

/// Returns `__dict__` of an instance; `None` if it has none. That of a frozen one is a copy.
pub(super) fn of(id: HeapId, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let class_id = instance_class(id, vm);
    if bases::slots(class_id, vm).is_some() {
        return Ok(None);
    }
    let HeapReadOutput::Instance(instance) = vm.heap.read(id) else {
        return Ok(None);
    };
    if own_code::is_frozen(instance.get(vm.heap), vm) {
        let copy = visible(instance.get(vm.heap).attrs(vm.heap), vm);
        let copy = Dict::from_pairs(copy, vm)?;
        return Ok(Some(Value::Ref(vm.heap.allocate(HeapData::Dict(copy)))));
    }
    let dict = match instance.get(vm.heap).dict {
        Some(dict) => dict,
        None => {
            let seen = visible(&instance.get(vm.heap).attrs, vm);
            let attrs = match seen.len() == instance.get(vm.heap).attrs.len() {
                true => {
                    seen.drop_with(vm);
                    mem::take(&mut instance.get_mut(vm.heap).attrs)
                }
                false => {
                    for (name, _) in &seen {
                        instance.attrs_mut().pop(name, vm)?.drop_with(vm);
                    }
                    Dict::from_pairs(seen, vm)?
                }
            };
            let dict = vm.heap.allocate(HeapData::Dict(attrs));
            instance.get_mut(vm.heap).dict = Some(dict);
            dict
        }
    };
    vm.heap.inc_ref(dict);
    Ok(Some(Value::Ref(dict)))
}

/// Returns the attributes of an instance that no script sees, if they are beside its `__dict__`.
pub(crate) fn beside(id: HeapId, vm: &VM<'_>) -> Vec<(Value, Value)> {
    let HeapData::Instance(instance) = vm.heap.get(id) else {
        return Vec::new();
    };
    let attrs = instance.dict.is_some().then_some(&instance.attrs);
    let pairs = attrs.into_iter().flat_map(Dict::iter);
    pairs
        .map(|(name, value)| {
            (
                name.clone_with_heap(vm.heap),
                value.clone_with_heap(vm.heap),
            )
        })
        .collect()
}

/// Returns whether a name is one that no script sees.
fn is_hidden(name: &Value, vm: &VM<'_>) -> bool {
    let name = name.as_either_str(vm.heap);
    name.is_some_and(|name| name.as_str(vm.interns).starts_with(HIDDEN))
}

/// Returns the pairs of a namespace that scripts see.
pub(crate) fn visible(namespace: &Dict, vm: &VM<'_>) -> Vec<(Value, Value)> {
    let pairs = namespace.iter().filter(|(name, _)| !is_hidden(name, vm));
    pairs
        .map(|(name, value)| {
            (
                name.clone_with_heap(vm.heap),
                value.clone_with_heap(vm.heap),
            )
        })
        .collect()
}

/// Makes a dict the attributes of an instance. `value` is consumed.
pub(super) fn set(id: HeapId, value: Value, vm: &mut VM<'_>) -> RunResult<()> {
    // An instance of a class that inherits from dict is its own `__dict__` in a known idiom.
    let value = meta::unwrapped(value, vm);
    let given = value.ref_id();
    let given = given.filter(|id| matches!(vm.heap.get(*id), HeapData::Dict(_)));
    let is_frozen = matches!(vm.heap.get(id), HeapData::Instance(instance) if own_code::is_frozen(instance, vm));
    if given.is_none() || is_frozen {
        let kind = value.py_type_name(vm).into_owned();
        value.drop_with(vm);
        let text = format!("__dict__ must be set to a dictionary, not a '{kind}'");
        return Err(ExcType::type_error(text));
    }
    let Some(shared) = of(id, vm)? else {
        value.drop_with(vm);
        return Err(ExcType::attribute_error("object", DICT));
    };
    shared.drop_with(vm);
    if let HeapReadOutput::Instance(instance) = vm.heap.read(id) {
        // The instance keeps what was given, with its reference.
        let given = value.into_ref_id();
        let before = mem::replace(&mut instance.get_mut(vm.heap).dict, given);
        before.map(Value::Ref).drop_with(vm);
    }
    Ok(())
}
