//! Annotations of classes, which are kept as text: what a script reads is worked out then.

use ruff_python_ast::{Expr, Number, Operator};
use ruff_python_parser::parse_expression;

use super::bases;
use crate::{
    builtins::Builtins,
    bytecode::VM,
    defer_drop,
    exception_private::{RunError, RunResult},
    heap::{DropGuard, HeapData, HeapId},
    source_nesting::source_within_nesting_bound,
    types::{Dict, List, PyTrait as _, allocate_tuple, str::allocate_string},
    value::Value,
};

/// Bytes of an annotation that is worked out; a longer one stays text.
const MOST_BYTES: usize = 1000;

/// The beginning of names that are no names of scripts.
const OWN: &str = "_rlm";

/// Returns the annotations of a class by name, each as the value that [`value`] gives; `None` if it has none.
pub(super) fn read(class_id: HeapId, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let own = bases::own(class_id, "__annotations__", vm.heap, vm.interns);
    let Some(HeapData::Dict(texts)) = own.and_then(Value::ref_id).map(|id| vm.heap.get(id)) else {
        return Ok(None);
    };
    let texts: Vec<_> = texts
        .iter()
        .map(|(name, text)| (name.clone_with_heap(vm.heap), text.clone_with_heap(vm.heap)))
        .collect();
    let mut guard = DropGuard::new(Vec::with_capacity(texts.len()), vm);
    let (pairs, vm) = guard.as_parts_mut();
    for (name, text) in texts {
        let found = value(&text, vm);
        text.drop_with(vm);
        match found {
            Ok(found) => pairs.push((name, found)),
            Err(error) => {
                name.drop_with(vm);
                return Err(error);
            }
        }
    }
    let (pairs, vm) = guard.into_parts();
    let dict = Dict::from_pairs(pairs, vm)?;
    Ok(Some(Value::Ref(vm.heap.allocate(HeapData::Dict(dict)))))
}

/// Returns the value of an annotation that consists of globals, builtin types, literals, subscripts and `|`. Any other is
/// what it was given as, and so is one with a name that is not bound.
///
/// # Errors
/// The error of a limit.
pub(crate) fn value(annotation: &Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let text = annotation.as_either_str(vm.heap);
    let text = text.map(|text| text.as_str(vm.interns).to_owned());
    let parsed = text
        .filter(|text| text.len() <= MOST_BYTES && source_within_nesting_bound(text, 0))
        .and_then(|text| parse_expression(&text).ok());
    let found = match parsed {
        Some(parsed) => match evaluated(parsed.expr(), vm) {
            Ok(found) => found,
            Err(RunError::Exc(_)) => None,
            Err(error) => return Err(error),
        },
        None => None,
    };
    Ok(found.unwrap_or_else(|| annotation.clone_with_heap(vm.heap)))
}

fn evaluated(expr: &Expr, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    Ok(Some(match expr {
        Expr::Name(name) => return Ok(named(name.id.as_str(), vm)),
        Expr::NoneLiteral(_) => Value::None,
        Expr::EllipsisLiteral(_) => Value::Ellipsis,
        Expr::BooleanLiteral(literal) => Value::Bool(literal.value),
        Expr::StringLiteral(literal) => allocate_string(literal.value.to_str().to_owned(), vm.heap),
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(number) => match number.as_i64() {
                Some(number) => Value::Int(number),
                None => return Ok(None),
            },
            _ => return Ok(None),
        },
        Expr::Tuple(tuple) => {
            let Some(items) = all(&tuple.elts, vm)? else {
                return Ok(None);
            };
            allocate_tuple(items.into(), vm.heap)
        }
        Expr::List(list) => {
            let Some(items) = all(&list.elts, vm)? else {
                return Ok(None);
            };
            Value::Ref(vm.heap.allocate(HeapData::List(List::new(items))))
        }
        Expr::Subscript(subscript) => {
            return combined(&subscript.value, &subscript.slice, vm, |of, key, vm| {
                of.py_getitem(key, vm)
            });
        }
        Expr::BinOp(union) if union.op == Operator::BitOr => {
            return combined(&union.left, &union.right, vm, |left, right, vm| {
                left.py_or(right, vm)
            });
        }
        _ => return Ok(None),
    }))
}

/// Returns what `operation` makes of the values of two expressions.
fn combined(
    left: &Expr,
    right: &Expr,
    vm: &mut VM<'_>,
    operation: impl FnOnce(&Value, &Value, &mut VM<'_>) -> RunResult<Value>,
) -> RunResult<Option<Value>> {
    let Some(left) = evaluated(left, vm)? else {
        return Ok(None);
    };
    defer_drop!(left, vm);
    let Some(right) = evaluated(right, vm)? else {
        return Ok(None);
    };
    defer_drop!(right, vm);
    operation(left, right, vm).map(Some)
}

fn all(items: &[Expr], vm: &mut VM<'_>) -> RunResult<Option<Vec<Value>>> {
    let mut guard = DropGuard::new(Vec::with_capacity(items.len()), vm);
    let (found, vm) = guard.as_parts_mut();
    for item in items {
        match evaluated(item, vm)? {
            Some(value) => found.push(value),
            None => return Ok(None),
        }
    }
    Ok(Some(guard.into_parts().0))
}

/// Returns the global or the builtin type of a name.
fn named(name: &str, vm: &VM<'_>) -> Option<Value> {
    if name.starts_with(OWN) {
        return None;
    }
    let id = vm.interns.get_string_id_by_name(name);
    let slot = id.and_then(|id| vm.global_names.get(id));
    match slot.and_then(|slot| vm.globals.get(slot.index())) {
        None | Some(Value::Undefined) => match name.parse() {
            Ok(found @ (Builtins::Type(_) | Builtins::ExcType(_))) => Some(Value::Builtin(found)),
            _ => None,
        },
        Some(value) => Some(value.clone_with_heap(vm.heap)),
    }
}
