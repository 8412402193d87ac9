//! Orderings of instances of classes with `@dataclass(order=True)`: those of the tuples of their fields.

use super::method::{MethodKind, generated_method, instance_class, method_at};
use crate::{
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult},
    expressions::CmpOperator,
    heap::{HeapData, HeapId},
    intern::StaticStrings,
    types::instance::{class_name, instance_attr},
    value::Value,
};

/// The orderings that `order=True` makes.
pub(super) const OPERATORS: [CmpOperator; 4] = [
    CmpOperator::Lt,
    CmpOperator::LtE,
    CmpOperator::Gt,
    CmpOperator::GtE,
];

/// Returns the special method of an ordering.
pub(super) fn dunder(op: CmpOperator) -> StaticStrings {
    match op {
        CmpOperator::Lt => StaticStrings::DunderLt,
        CmpOperator::LtE => StaticStrings::DunderLe,
        CmpOperator::Gt => StaticStrings::DunderGt,
        _ => StaticStrings::DunderGe,
    }
}

/// Returns what the special method `dunder` of an instance says, if it is one of these; `None` if it is another.
pub(crate) fn asked(
    this: HeapId,
    dunder: &str,
    other: &Value,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    match generated_method(instance_class(this, vm), dunder, vm) {
        Some(method) => answer(method, this, other, vm).map(Some),
        None => Ok(None),
    }
}

/// Returns what the generated ordering `method` says of an instance and another value.
pub(super) fn answer(
    method: HeapId,
    this: HeapId,
    other: &Value,
    vm: &mut VM<'_>,
) -> RunResult<Value> {
    // Comparing fields may run code of a script, which can take the method away.
    let (op, names) = match method_at(method, vm).kind() {
        MethodKind::Order(op, names) => (*op, names.clone()),
        _ => return Err(RunError::internal("a generated method is no ordering")),
    };
    let class = instance_class(this, vm);
    let that = match other {
        Value::Ref(id) => match vm.heap.get(*id) {
            HeapData::Instance(instance) if instance.class() == class => *id,
            _ => return Ok(Value::NotImplemented),
        },
        _ => return Ok(Value::NotImplemented),
    };
    // Fields may hold instances in turn.
    let mut guard = vm.recursion_guard()?;
    let vm = &mut *guard;
    let interns = vm.interns;
    for name in names {
        let name = interns.get_str(name);
        let one = read(this, name, vm)?;
        defer_drop!(one, vm);
        let other = read(that, name, vm)?;
        defer_drop!(other, vm);
        if !one.is_same_object(other) && !one.py_eq(other, vm)? {
            return vm.cmp_values(op, one, other).map(Value::Bool);
        }
    }
    Ok(Value::Bool(matches!(
        op,
        CmpOperator::LtE | CmpOperator::GtE
    )))
}

/// Returns a field of an instance.
fn read(instance: HeapId, name: &str, vm: &VM<'_>) -> RunResult<Value> {
    instance_attr(instance, name, vm).ok_or_else(|| {
        let class = class_name(instance_class(instance, vm), vm.heap, vm.interns);
        ExcType::attribute_error(class, name)
    })
}
