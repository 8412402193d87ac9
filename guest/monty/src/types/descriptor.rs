//! Members of classes that are more than a value: properties, static and class methods; and the object that `super()` gives.

use std::{borrow::Cow, fmt::Write};

use super::{LazyHeapSet, PyTrait, Type, class::bases, instance::members};
use crate::{
    args::ArgValues,
    bytecode::{CallResult, VM},
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunResult},
    hash::{HashValue, identity_hash},
    heap::{DropWithContext as _, HeapData, HeapId, HeapItem, HeapObjectRead},
    modules::classes::ClassFunctions,
    types::{BoundMethod, py_trait::PyObjectIdentity as _},
    value::{EitherStr, Value},
};

/// A member of a class that says what reading, setting or deleting it does, or the object that `super()` gives.
///
/// Values and classes are counted references.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum Descriptor {
    /// `property(get, set, delete)`; `None` is Python's.
    Property([Value; 3]),
    /// `staticmethod(function)`
    Static(Value),
    /// `classmethod(function)`
    Class(Value),
    /// `super(class, receiver)`
    Super { class: HeapId, receiver: HeapId },
}

impl Descriptor {
    /// Allocates a descriptor.
    pub(crate) fn allocate(self, vm: &VM<'_>) -> Value {
        Value::Ref(vm.heap.allocate(HeapData::Descriptor(Box::new(self))))
    }

    /// Returns the values that it refers to.
    pub(crate) fn values(&self) -> &[Value] {
        match self {
            Self::Property(accessors) => accessors,
            Self::Static(value) | Self::Class(value) => std::slice::from_ref(value),
            Self::Super { .. } => &[],
        }
    }

    /// Returns the objects that it refers to.
    pub(crate) fn children(&self) -> impl Iterator<Item = HeapId> {
        let ids = match self {
            Self::Super { class, receiver } => [Some(*class), Some(*receiver)],
            _ => [None, None],
        };
        let values = self.values().iter().filter_map(Value::ref_id);
        values.chain(ids.into_iter().flatten())
    }

    /// Returns the name of its type.
    fn type_name(&self) -> &'static str {
        match self {
            Self::Property(_) => "property",
            Self::Static(_) => "staticmethod",
            Self::Class(_) => "classmethod",
            Self::Super { .. } => "super",
        }
    }
}

/// Returns the descriptor that a value is, if it is one.
pub(crate) fn of<'v>(value: &Value, vm: &'v VM<'_>) -> Option<&'v Descriptor> {
    match value {
        Value::Ref(id) => match vm.heap.get(*id) {
            HeapData::Descriptor(descriptor) => Some(descriptor),
            _ => None,
        },
        _ => None,
    }
}

/// Binds a function to the object that it gets first.
pub(crate) fn bound(instance: Value, func: Value, vm: &VM<'_>) -> Value {
    let method = BoundMethod { instance, func };
    Value::Ref(vm.heap.allocate(HeapData::BoundMethod(method)))
}

impl HeapItem for Descriptor {
    fn py_dec_ref_ids(&mut self, stack: &mut Vec<HeapId>) {
        match self {
            Self::Property(accessors) => accessors
                .iter_mut()
                .for_each(|accessor| accessor.py_dec_ref_ids(stack)),
            Self::Static(value) | Self::Class(value) => value.py_dec_ref_ids(stack),
            Self::Super { class, receiver } => stack.extend([*class, *receiver]),
        }
    }
}

impl<'h> PyTrait<'h> for HeapObjectRead<'h, Descriptor> {
    fn py_type(&self, vm: &VM<'h>) -> Type {
        match self.get(vm.heap) {
            Descriptor::Property(_) => Type::Property,
            _ => Type::Function,
        }
    }

    fn py_type_name(&self, vm: &VM<'h>) -> Cow<'h, str> {
        Cow::Borrowed(self.get(vm.heap).type_name())
    }

    fn py_len(&self, _vm: &VM<'h>) -> Option<usize> {
        None
    }

    fn py_eq_impl(&self, _other: &Value, _vm: &mut VM<'h>) -> RunResult<Option<bool>> {
        Ok(None)
    }

    fn py_hash(&self, _vm: &mut VM<'h>) -> RunResult<Option<HashValue>> {
        Ok(Some(identity_hash(self.id())))
    }

    fn py_repr_fmt(
        &self,
        f: &mut impl Write,
        vm: &mut VM<'h>,
        _heap_ids: &mut LazyHeapSet,
    ) -> RunResult<()> {
        let name = self.get(vm.heap).type_name();
        Ok(write!(
            f,
            "<{name} object at 0x{:x}>",
            self.py_identity().encoded()
        )?)
    }

    /// Calls the function of a static method, as the body of its class may.
    fn py_call(&mut self, args: ArgValues, vm: &mut VM<'h>) -> RunResult<CallResult> {
        let function = match self.get(vm.heap) {
            Descriptor::Static(function) => function.clone_with_heap(vm.heap),
            _ => {
                args.drop_with(vm);
                return Err(ExcType::type_error_not_callable_object(
                    &self.py_type_name(vm),
                ));
            }
        };
        defer_drop!(function, vm);
        let token = match vm.recursion_token() {
            Ok(token) => token,
            Err(error) => {
                args.drop_with(vm);
                return Err(error.into());
            }
        };
        defer_drop!(token, vm);
        vm.call_function(function, args)
    }

    fn py_getattr(&self, attr: &EitherStr, vm: &mut VM<'h>) -> RunResult<Option<CallResult>> {
        let name = attr.as_str(vm.interns);
        let value = |value: &Value| value.clone_with_heap(vm.heap);
        let found = match (self.get(vm.heap), name) {
            (Descriptor::Super { class, receiver }, _) => {
                let (class, receiver) = (*class, *receiver);
                return bases::super_member(class, receiver, name, vm)
                    .map(|member| Some(CallResult::Value(member)));
            }
            (Descriptor::Property([get, _, _]), "fget") => value(get),
            (Descriptor::Property([_, set, _]), "fset") => value(set),
            (Descriptor::Property([_, _, delete]), "fdel") => value(delete),
            (Descriptor::Property(_), "getter") => self.accessor(ClassFunctions::Getter, vm),
            (Descriptor::Property(_), "setter") => self.accessor(ClassFunctions::Setter, vm),
            (Descriptor::Property(_), "deleter") => self.accessor(ClassFunctions::Deleter, vm),
            (
                Descriptor::Static(function) | Descriptor::Class(function),
                "__func__" | "__wrapped__",
            ) => value(function),
            (descriptor, _) => {
                let inner = descriptor.values().first().map(value);
                return match (name, inner) {
                    ("__name__" | "__qualname__" | "__module__" | "__doc__", Some(inner)) => {
                        defer_drop!(inner, vm);
                        let mut guard = vm.recursion_guard()?;
                        inner.py_getattr(attr, &mut guard).map(Some)
                    }
                    (_, inner) => {
                        inner.drop_with(vm);
                        Err(ExcType::attribute_error(self.py_type_name(vm), name))
                    }
                };
            }
        };
        Ok(Some(CallResult::Value(found)))
    }

    fn py_call_attr(
        &mut self,
        vm: &mut VM<'h>,
        attr: &EitherStr,
        args: ArgValues,
    ) -> RunResult<CallResult> {
        let found = self.py_getattr(attr, vm);
        members::call_found(found, attr, self.py_type_name(vm).into_owned(), args, vm)
    }
}

impl<'h> HeapObjectRead<'h, Descriptor> {
    /// Returns `setter` and its kin of a property.
    fn accessor(&self, function: ClassFunctions, vm: &VM<'h>) -> Value {
        vm.heap.inc_ref(self.id());
        bound(Value::Ref(self.id()), function.into(), vm)
    }
}
