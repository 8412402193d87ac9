//! `range` and `slice`.

use smallvec::smallvec;

use super::arguments::bind;
use crate::{
    args::ArgValues,
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, ExcTypeExt as _, RunResult},
    heap::HeapData,
    types::{PyTrait as _, Type, allocate_tuple},
    value::Value,
};

/// `range.index` and `range.count`
pub(super) fn call_of_range(
    receiver: &Value,
    name: &str,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> Result<RunResult<Value>, ArgValues> {
    let Value::Ref(id) = receiver else {
        return Err(args);
    };
    let HeapData::Range(range) = vm.heap.get(*id) else {
        return Err(args);
    };
    let range = *range;
    Ok(match name {
        "index" => (|| {
            let item = args.get_one_arg("range.index", vm.heap)?;
            defer_drop!(item, vm);
            if !receiver.py_contains(item, vm)? {
                if !matches!(item.py_type(vm), Type::Int | Type::Bool) {
                    return Err(ExcType::value_error("sequence.index(x): x not in sequence"));
                }
                let shown = item.py_repr(vm)?;
                defer_drop!(shown, vm);
                let shown = shown.to_str(vm).unwrap_or_default();
                return Err(ExcType::value_error(format!("{shown} is not in range")));
            }
            let at = i128::from(number(item, vm)?) - i128::from(range.start);
            let place = at / i128::from(range.step);
            Ok(Value::Int(i64::try_from(place).unwrap_or(i64::MAX)))
        })(),
        "count" => (|| {
            let item = args.get_one_arg("range.count", vm.heap)?;
            defer_drop!(item, vm);
            Ok(Value::Int(i64::from(receiver.py_contains(item, vm)?)))
        })(),
        _ => return Err(args),
    })
}

/// Returns a number that a range has as a whole one.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it is equal to a whole number"
)]
fn number(item: &Value, vm: &mut VM<'_>) -> RunResult<i64> {
    match item {
        Value::Float(float) => Ok(*float as i64),
        _ => item.as_int(vm),
    }
}

/// `slice.indices`
pub(super) fn call_of_slice(
    receiver: &Value,
    name: &str,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> Result<RunResult<Value>, ArgValues> {
    let Value::Ref(id) = receiver else {
        return Err(args);
    };
    let (HeapData::Slice(slice), "indices") = (vm.heap.get(*id), name) else {
        return Err(args);
    };
    let slice = slice.clone();
    Ok((|| {
        let given = bind("indices", args, &["length"], 1, vm)?;
        defer_drop!(given, vm);
        let Some(length) = &given[0] else {
            return Err(ExcType::type_error(
                "slice.indices() takes exactly one argument (0 given)",
            ));
        };
        let Ok(length) = usize::try_from(length.as_int(vm)?) else {
            return Err(ExcType::value_error("length should not be negative"));
        };
        let (start, stop, step) = slice.indices(length)?;
        let parts = smallvec![Value::Int(start), Value::Int(stop), Value::Int(step)];
        Ok(allocate_tuple(parts, vm.heap))
    })())
}
