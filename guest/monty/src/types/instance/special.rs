//! Special methods of instances that say how long they are, whether they are true, and which of two is less.
//!
//! They run where a callback of a builtin does, which cannot wait for the host.

use std::cmp::Ordering;

use super::{
    call_binary_dunder, class_defines, class_dunder, instance_call_dunder_sync, instance_class,
};
use crate::{
    args::ArgValues,
    bytecode::VM,
    exception_private::{ExcType, ExcTypeExt, RunResult, SimpleException},
    expressions::CmpOperator,
    heap::{HeapData, HeapId},
    modules::dataclasses::ordering,
    types::{
        CmpOrder, PyTrait,
        class::{bases, meta},
    },
    value::Value,
};

/// Returns the instance of a class of a script that a value is, if it is one.
#[inline]
fn instance(value: &Value, vm: &VM<'_>) -> Option<HeapId> {
    match value {
        Value::Ref(id) if matches!(vm.heap.get(*id), HeapData::Instance(_)) => Some(*id),
        _ => None,
    }
}

/// Returns what `len()` gives for an instance whose class has `__len__`, or a class whose metaclass has it.
pub(crate) fn len(value: &Value, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    match instance(value, vm) {
        Some(id) => len_of(id, vm),
        None => meta::call_on(value, "__len__", vm),
    }
}

pub(crate) fn len_of(id: HeapId, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let Some(len) = instance_call_dunder_sync(id, "__len__", None, vm)? else {
        return Ok(None);
    };
    let number = len.as_int_with_overflow(vm, || ExcType::overflow_index_sized_int().into());
    len.drop_with(vm);
    match number? {
        ..0 => Err(
            SimpleException::new_msg(ExcType::ValueError, "__len__() should return >= 0").into(),
        ),
        number => Ok(Some(Value::Int(number))),
    }
}

/// Returns what `reversed()` gives for an instance whose class has `__reversed__`, or a class whose metaclass has it.
pub(crate) fn reversed(value: &Value, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    match instance(value, vm) {
        Some(id) => instance_call_dunder_sync(id, "__reversed__", None, vm),
        None => meta::call_on(value, "__reversed__", vm),
    }
}

/// Returns whether an instance is true: by `__bool__`, by `__len__`, or as every object is.
pub(super) fn truth(id: HeapId, vm: &mut VM<'_>) -> RunResult<bool> {
    match instance_call_dunder_sync(id, "__bool__", None, vm)? {
        Some(Value::Bool(truth)) => Ok(truth),
        Some(other) => {
            let message = format!(
                "__bool__ should return bool, returned {}",
                other.py_type_name(vm)
            );
            other.drop_with(vm);
            Err(ExcType::type_error(message))
        }
        None => match len_of(id, vm)? {
            Some(len) => Ok(!matches!(len, Value::Int(0))),
            None => Ok(true),
        },
    }
}

/// Returns whether a comparison asks an instance.
#[inline]
pub(crate) fn may_ask(left: &Value, right: &Value, vm: &VM<'_>) -> bool {
    instance(left, vm).is_some() || instance(right, vm).is_some()
}

/// Returns whether an operator asks which of two is less.
#[inline]
pub(crate) const fn is_ordering(op: CmpOperator) -> bool {
    methods(op).is_some()
}

/// Returns the special method of an ordering, and that of the same one read from the right.
const fn methods(op: CmpOperator) -> Option<[&'static str; 2]> {
    match op {
        CmpOperator::Lt => Some(["__lt__", "__gt__"]),
        CmpOperator::LtE => Some(["__le__", "__ge__"]),
        CmpOperator::Gt => Some(["__gt__", "__lt__"]),
        CmpOperator::GtE => Some(["__ge__", "__le__"]),
        _ => None,
    }
}

/// Asks one operand of a comparison.
fn ask(
    asked: &Value,
    method: &'static str,
    other: &Value,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    let Some(id) = instance(asked, vm) else {
        return Ok(None);
    };
    if let Some(answer) = ordering::asked(id, method, other, vm)? {
        return Ok((!answer.is_not_implemented()).then_some(answer));
    }
    let args = ArgValues::One(other.clone_with_heap(vm.heap));
    call_binary_dunder(id, method, args, vm)
}

/// Returns what one of both sides answers to an ordering; `None` if none does.
fn answer(
    op: CmpOperator,
    left: &Value,
    right: &Value,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    let Some([method, reflected]) = methods(op) else {
        return Ok(None);
    };
    let (first, second) = ((left, method, right), (right, reflected, left));
    let (first, second) = match is_of_subclass(right, left, vm) {
        true => (second, first),
        false => (first, second),
    };
    match ask(first.0, first.1, first.2, vm)? {
        Some(answer) => Ok(Some(answer)),
        None => ask(second.0, second.1, second.2, vm),
    }
}

/// Returns whether `value` is an instance of a class that inherits from that of `other`: it is asked first, wherever it stands.
#[inline(never)]
fn is_of_subclass(value: &Value, other: &Value, vm: &VM<'_>) -> bool {
    let (Some(other), Some(value)) = (instance(other, vm), instance(value, vm)) else {
        return false;
    };
    let (class, above) = (instance_class(value, vm), instance_class(other, vm));
    class != above && bases::is_subclass(class, above, vm.heap)
}

/// Returns what `right` says about equality, if it is asked first and does not leave it to `left`.
#[inline(never)]
pub(crate) fn reflected_eq(
    left: &Value,
    right: &Value,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    if !is_of_subclass(right, left, vm) {
        return Ok(None);
    }
    let answer = right.py_rich_eq_impl(left, vm)?;
    Ok((!answer.is_not_implemented()).then_some(answer))
}

/// Returns what the reflected method of `right` gives for an operator. It is asked first if the class inherits from that of
/// `left` and has another such method.
#[inline(never)]
pub(crate) fn reflected_op(
    left: &Value,
    right: &Value,
    operator: &'static str,
    vm: &mut VM<'_>,
) -> RunResult<Option<Value>> {
    if !is_of_subclass(right, left, vm) {
        return Ok(None);
    }
    let name = match operator {
        "+" => "__radd__",
        "-" => "__rsub__",
        "*" => "__rmul__",
        "@" => "__rmatmul__",
        "/" => "__rtruediv__",
        "//" => "__rfloordiv__",
        "%" => "__rmod__",
        "divmod()" => "__rdivmod__",
        "** or pow()" => "__rpow__",
        "<<" => "__rlshift__",
        ">>" => "__rrshift__",
        "&" => "__rand__",
        "|" => "__ror__",
        "^" => "__rxor__",
        _ => return Ok(None),
    };
    let member = |value| {
        let class = instance_class(instance(value, vm)?, vm);
        class_dunder(class, name, vm)
    };
    match member(right) {
        Some(own) if member(left).is_none_or(|above| !own.is(above)) => ask(right, name, left, vm),
        _ => Ok(None),
    }
}

/// Returns what an ordering of which one side is an instance gives, which need not be a bool.
pub(crate) fn compared(
    op: CmpOperator,
    left: &Value,
    right: &Value,
    vm: &mut VM<'_>,
) -> RunResult<Value> {
    if let Some(answer) = answer(op, left, right, vm)? {
        return Ok(answer);
    }
    let (left, right) = (left.py_type_name(vm), right.py_type_name(vm));
    Err(ExcType::type_error_ordering(op.as_str(), &left, &right))
}

/// Returns whether an ordering of which one side is an instance holds.
pub(crate) fn holds(
    op: CmpOperator,
    left: &Value,
    right: &Value,
    vm: &mut VM<'_>,
) -> RunResult<bool> {
    let answer = compared(op, left, right, vm)?;
    is_true(answer, vm)
}

fn is_true(answer: Value, vm: &mut VM<'_>) -> RunResult<bool> {
    let truth = answer.py_bool(vm);
    answer.drop_with(vm);
    truth
}

/// Returns what `__ne__` says; `None` if neither side has it, or the first that could answer has `__eq__` alone.
pub(crate) fn unequal(left: &Value, right: &Value, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let mut sides = [(left, right), (right, left)];
    if is_of_subclass(right, left, vm) {
        sides.reverse();
    }
    for (asked, other) in sides {
        let Some(id) = instance(asked, vm) else {
            continue;
        };
        if let Some(answer) = ask(asked, "__ne__", other, vm)? {
            return Ok(Some(answer));
        }
        if class_defines(instance_class(id, vm), "__eq__", vm) {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Returns the order of two values in a sequence, of which one is an instance: equal ones first, then the one that is less.
pub(crate) fn order(left: &Value, right: &Value, vm: &mut VM<'_>) -> RunResult<CmpOrder> {
    if left.py_eq(right, vm)? {
        return Ok(CmpOrder::Ordered(Ordering::Equal));
    }
    if holds(CmpOperator::Lt, left, right, vm)? {
        return Ok(CmpOrder::Ordered(Ordering::Less));
    }
    let greater = match answer(CmpOperator::Gt, left, right, vm)? {
        Some(answer) => is_true(answer, vm)?,
        None => false,
    };
    Ok(match greater {
        true => CmpOrder::Ordered(Ordering::Greater),
        false => CmpOrder::Unordered,
    })
}

/// Returns whether `min()` or `max()` takes a candidate in place of the best one so far; one of both is an instance.
pub(crate) fn wins(
    best: &Value,
    candidate: &Value,
    is_min: bool,
    vm: &mut VM<'_>,
) -> RunResult<bool> {
    let op = if is_min {
        CmpOperator::Lt
    } else {
        CmpOperator::Gt
    };
    holds(op, candidate, best, vm)
}

impl Value {
    /// Returns whether both are the same object, which is equal to itself wherever Python compares items.
    #[inline]
    pub(crate) fn is_same_object(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Ref(one), Self::Ref(other)) if one == other)
    }
}
