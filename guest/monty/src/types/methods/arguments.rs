//! Arguments by position and by name.

use crate::{
    args::ArgValues,
    bytecode::VM,
    exception_private::{ExcType, ExcTypeExt as _, RunResult},
    heap::DropGuard,
    value::Value,
};

/// Returns the arguments of a method in the order of its parameters, of which the first `positional` may be given by position.
pub(super) fn bind(
    method: &str,
    args: ArgValues,
    parameters: &[&str],
    positional: usize,
    vm: &mut VM<'_>,
) -> RunResult<Vec<Option<Value>>> {
    let (given, named) = args.into_parts();
    let given: Vec<Value> = given.collect();
    let named: Vec<(Value, Value)> = named.into_iter().collect();
    let count = given.len();
    let bound = parameters.iter().map(|_| None).collect::<Vec<_>>();
    let mut all = DropGuard::new((given, (named, bound)), vm);
    let ((given, (named, bound)), vm) = all.as_parts_mut();
    if count > positional {
        let message = format!("{method}() takes at most {positional} arguments ({count} given)");
        return Err(ExcType::type_error(message));
    }
    for (place, value) in bound.iter_mut().zip(given.drain(..)) {
        *place = Some(value);
    }
    for (name, value) in named.drain(..) {
        let text = name.to_str(vm).unwrap_or_default().to_owned();
        name.drop_with(vm);
        let place = parameters.iter().position(|parameter| *parameter == text);
        match place.map(|place| &mut bound[place]) {
            Some(place @ None) => *place = Some(value),
            found => {
                let is_known = found.is_some();
                value.drop_with(vm);
                let message = match is_known {
                    true => format!("{method}() got multiple values for argument '{text}'"),
                    false => format!("{method}() got an unexpected keyword argument '{text}'"),
                };
                return Err(ExcType::type_error(message));
            }
        }
    }
    let ((_, (_, bound)), _) = all.into_parts();
    Ok(bound)
}
