//! Exceptions as objects: arguments of any kind, attributes, causes, and classes of scripts.
//!
//! One of a builtin type is an [`ExceptionObject`]. One of a class of a script is an instance with [`Fields`], whose class
//! knows the builtin types behind it ([`bases::exceptions`]).

mod attributes;
mod construction;
mod text;
pub(crate) mod traceback;
mod uncaught;

pub(crate) use attributes::{
    call_function, call_member, call_of_type, delete, function, member, read_of_type, set,
    traceback_of,
};
pub(crate) use construction::{
    begin, call, finish, init, key_error, raisable, stop_iteration, with_cause,
};
pub(crate) use text::{argument, text, text_for_host, write_repr};
pub use traceback::{PastFrame, ScriptLines};
pub use uncaught::PastException;
pub(crate) use uncaught::Uncaught;

use std::ops::Deref;

use crate::{
    builtins::Builtins,
    bytecode::VM,
    exception_private::{ExcType, SimpleException},
    heap::{DropWithContext as _, Heap, HeapData, HeapId, HeapItem, HeapReadOutput},
    types::class::bases,
    value::Value,
};

/// An exception of a builtin type.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct ExceptionObject {
    pub(crate) exc: SimpleException,
    pub(crate) fields: Option<Box<Fields>>,
}

/// The state of an exception besides its type and one text. Values are counted references.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Fields {
    /// The arguments, a tuple; `None` if they are the text.
    args: Option<Value>,
    cause: Option<Value>,
    context: Option<Value>,
    suppresses_context: bool,
    /// Where it came from, after it was handled.
    traceback: Option<Box<[traceback::Run]>>,
    /// Attributes for which the exception has no dictionary.
    attributes: Vec<(Box<str>, Value)>,
}

impl From<SimpleException> for ExceptionObject {
    fn from(exc: SimpleException) -> Self {
        Self { exc, fields: None }
    }
}

impl Deref for ExceptionObject {
    type Target = SimpleException;

    fn deref(&self) -> &SimpleException {
        &self.exc
    }
}

impl ExceptionObject {
    /// Returns the objects that it refers to.
    pub(crate) fn children(&self) -> impl Iterator<Item = HeapId> {
        self.fields.iter().flat_map(|fields| fields.children())
    }
}

impl HeapItem for ExceptionObject {
    fn py_dec_ref_ids(&mut self, stack: &mut Vec<HeapId>) {
        if let Some(fields) = &mut self.fields {
            fields.py_dec_ref_ids(stack);
        }
    }
}

impl Fields {
    /// Returns the objects that they refer to.
    pub(crate) fn children(&self) -> impl Iterator<Item = HeapId> {
        let single = [&self.args, &self.cause, &self.context];
        let attributes = self.attributes.iter().map(|(_, value)| value);
        let values = single.into_iter().flatten().chain(attributes);
        values.filter_map(Value::ref_id)
    }

    /// Gives their references to `stack`.
    pub(crate) fn py_dec_ref_ids(&mut self, stack: &mut Vec<HeapId>) {
        let single = [&mut self.args, &mut self.cause, &mut self.context];
        let attributes = self.attributes.iter_mut().map(|(_, value)| value);
        for value in single.into_iter().flatten().chain(attributes) {
            value.py_dec_ref_ids(stack);
        }
    }

    /// Returns the arguments alone, for a copy.
    pub(crate) fn copied(&self, heap: &Heap) -> Box<Self> {
        let args = self.args.as_ref();
        Box::new(Self {
            args: args.map(|args| args.clone_with_heap(heap)),
            ..Self::default()
        })
    }

    fn attribute(&self, name: &str) -> Option<&Value> {
        let named = self.attributes.iter().find(|(own, _)| **own == *name);
        named.map(|(_, value)| value)
    }

    /// Sets an attribute, and returns the value that it had.
    fn set_attribute(&mut self, name: &str, value: Value) -> Option<Value> {
        match self.attributes.iter_mut().find(|(own, _)| **own == *name) {
            Some((_, own)) => Some(std::mem::replace(own, value)),
            None => {
                self.attributes.push((name.into(), value));
                None
            }
        }
    }
}

/// Returns what an exception holds; `None` if there is nothing, or it is none.
fn fields<'v>(id: HeapId, vm: &'v VM<'_>) -> Option<&'v Fields> {
    match vm.heap.get(id) {
        HeapData::Exception(object) => object.fields.as_deref(),
        HeapData::Instance(instance) => instance.exception(),
        _ => None,
    }
}

/// Changes what an exception holds, and drops the value that `change` takes out of it.
fn change(id: HeapId, vm: &mut VM<'_>, change: impl FnOnce(&mut Fields) -> Option<Value>) {
    let old = match vm.heap.read(id) {
        HeapReadOutput::Exception(object) => {
            change(object.get_mut(vm.heap).fields.get_or_insert_default())
        }
        HeapReadOutput::Instance(instance) => {
            instance.get_mut(vm.heap).exception_mut().and_then(change)
        }
        _ => None,
    };
    old.drop_with(vm);
}

/// Returns the builtin type of an exception, that nearest to its class; `None` if a value is none.
pub(crate) fn kind(value: &Value, vm: &VM<'_>) -> Option<ExcType> {
    kind_of(value.ref_id()?, vm)
}

/// Returns the same for an object.
pub(crate) fn kind_of(id: HeapId, vm: &VM<'_>) -> Option<ExcType> {
    match vm.heap.get(id) {
        HeapData::Exception(object) => Some(object.exc_type()),
        HeapData::Instance(instance) => {
            instance.exception()?;
            bases::exceptions(instance.class(), vm.heap)
                .first()
                .copied()
        }
        _ => None,
    }
}

/// Returns whether a value is an exception of a builtin type, or of one below it.
pub(crate) fn is_kind(value: &Value, of: ExcType, vm: &VM<'_>) -> bool {
    value.ref_id().is_some_and(|id| is_of(id, of, vm))
}

/// Returns the same for an object.
fn is_of(id: HeapId, of: ExcType, vm: &VM<'_>) -> bool {
    match vm.heap.get(id) {
        HeapData::Exception(object) => object.exc_type().is_subclass_of(of),
        HeapData::Instance(instance) => is_class_below(instance.class(), of, vm),
        _ => false,
    }
}

/// Returns whether a class is one of exceptions of a builtin type.
pub(crate) fn is_class_below(class: HeapId, of: ExcType, vm: &VM<'_>) -> bool {
    let behind = bases::exceptions(class, vm.heap);
    behind.iter().any(|kind| kind.is_subclass_of(of))
}

/// Returns whether an exception is of a type that `except` names; `None` if that is no type of exceptions.
pub(crate) fn is_caught(exception: &Value, by: &Value, vm: &VM<'_>) -> Option<bool> {
    match by {
        Value::Builtin(Builtins::ExcType(of)) => Some(is_kind(exception, *of, vm)),
        Value::Ref(class) if !bases::exceptions(*class, vm.heap).is_empty() => {
            let id = exception.ref_id()?;
            let is_instance = matches!(vm.heap.get(id), HeapData::Instance(instance)
                if bases::is_subclass(instance.class(), *class, vm.heap));
            Some(is_instance || is_also(exception, *class, vm))
        }
        _ => None,
    }
}

/// The member of a class of the host's own that names builtin types which are below it.
const CATCHES: &str = "_rlm_catches";

/// Returns whether an exception is of a builtin type that a class of the host's own counts among those below it.
pub(crate) fn is_also(exception: &Value, class: HeapId, vm: &VM<'_>) -> bool {
    let is_own = matches!(vm.heap.get(class), HeapData::Class(class) if class.is_immutable());
    let named = bases::own(class, CATCHES, vm.heap, vm.interns).filter(|_| is_own);
    match named.and_then(Value::ref_id).map(|id| vm.heap.get(id)) {
        Some(HeapData::Tuple(types)) => types.as_slice().iter().any(|of| match of {
            Value::Builtin(Builtins::ExcType(of)) => is_kind(exception, *of, vm),
            _ => false,
        }),
        _ => false,
    }
}

/// Returns the class of an exception.
pub(crate) fn class_of(id: HeapId, vm: &VM<'_>) -> Value {
    match vm.heap.get(id) {
        HeapData::Exception(object) => Value::Builtin(Builtins::ExcType(object.exc_type())),
        HeapData::Instance(instance) => {
            let class = instance.class();
            vm.heap.inc_ref(class);
            Value::Ref(class)
        }
        _ => Value::None,
    }
}

/// Returns the type, and the text if it has one without being asked, with which an exception is on its way.
pub(crate) fn simple(id: HeapId, vm: &VM<'_>) -> Option<SimpleException> {
    match vm.heap.get(id) {
        HeapData::Exception(object) => Some(object.exc.clone()),
        _ => kind_of(id, vm).map(SimpleException::new_none),
    }
}

/// Gives an exception the one that was handled where it was raised. That one, and those before it, do not come from it.
pub(crate) fn set_context(id: HeapId, handled: &Value, vm: &mut VM<'_>) {
    let Some(first) = handled.ref_id() else {
        return;
    };
    if first == id {
        return;
    }
    let mut past = first;
    let mut steps = 0;
    while let Some(before) = fields(past, vm).and_then(|fields| fields.context.as_ref()?.ref_id()) {
        steps += 1;
        if before == id {
            change(past, vm, |fields| fields.context.take());
            break;
        }
        if before == first || steps > LONGEST_CHAIN {
            break;
        }
        past = before;
    }
    let handled = handled.clone_with_heap(vm.heap);
    change(id, vm, |fields| fields.context.replace(handled));
}

/// Gives an exception its cause.
pub(crate) fn set_cause(id: HeapId, cause: Value, vm: &mut VM<'_>) {
    change(id, vm, |fields| {
        fields.suppresses_context = true;
        fields.cause.replace(cause)
    });
}

/// Contexts that are looked through for an exception that is raised once more, at most.
const LONGEST_CHAIN: u32 = 1000;

/// Returns whether an exception has no context yet.
pub(crate) fn lacks_context(id: HeapId, vm: &VM<'_>) -> bool {
    fields(id, vm).is_none_or(|fields| fields.context.is_none())
}

/// Returns the name of a builtin type of exceptions, without its module.
pub(crate) fn type_name(kind: ExcType) -> &'static str {
    // The interpreter ends a generator with an exception of that type, and no script sees another one.
    if kind == ExcType::KeyboardInterrupt {
        return "GeneratorExit";
    }
    let name: &'static str = kind.into();
    name.rsplit('.').next().unwrap_or(name)
}
