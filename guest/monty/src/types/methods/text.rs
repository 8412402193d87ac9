//! `str`.

use ahash::AHashMap;

use super::arguments::bind;
use crate::{
    args::{ArgValues, KwargsValues},
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, ExcTypeExt as _, RunError, RunResult},
    heap::{DropGuard, HeapData, HeapReadOutput},
    intern::StaticStrings,
    resource_checks::check_estimated_size,
    types::{
        Dict, PyTrait as _,
        class::meta,
        str::{allocate_string, copy_format_template},
    },
    value::{EitherStr, Value},
};

pub(super) const NAMES: &[&str] = &["format_map", "maketrans", "translate"];

pub(super) fn call(
    receiver: &Value,
    name: &str,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> Result<RunResult<Value>, ArgValues> {
    Ok(match name {
        "translate" => translate(receiver, args, vm),
        "maketrans" => make_trans(args, vm),
        "format_map" => format_map(receiver, args, vm),
        _ => return Err(args),
    })
}

/// The text in place of a character, `None` for the character itself.
type Replacement = Option<Box<str>>;

/// `str.translate(table)`
fn translate(receiver: &Value, args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let table = args.get_one_arg("str.translate", vm.heap)?;
    defer_drop!(table, vm);
    let text = copy_format_template(receiver.to_str(vm)?, &vm.heap.tracker)?;
    // A dict says the same each time.
    let is_dict = matches!(table, Value::Ref(id)
        if matches!(vm.heap.get(*id), HeapData::Dict(dict) if !dict.is_defaultdict()));
    let mut seen: AHashMap<char, Replacement> = AHashMap::new();
    let mut made = String::new();
    for (index, letter) in text.chars().enumerate() {
        vm.heap.tracker.check_time_every(index)?;
        if made.len() == made.capacity() {
            check_estimated_size(2 * made.len() + 64, &vm.heap.tracker)?;
        }
        if let Some(replacement) = seen.get(&letter) {
            push(&mut made, letter, replacement);
            continue;
        }
        let replacement = replacement(table, letter, is_dict, vm)?;
        push(&mut made, letter, &replacement);
        if is_dict {
            seen.insert(letter, replacement);
        }
    }
    Ok(allocate_string(made, vm.heap))
}

fn push(made: &mut String, letter: char, replacement: &Replacement) {
    match replacement {
        Some(text) => made.push_str(text),
        None => made.push(letter),
    }
}

/// Returns what a table has for a character.
fn replacement(
    table: &Value,
    letter: char,
    is_dict: bool,
    vm: &mut VM<'_>,
) -> RunResult<Replacement> {
    let key = Value::Int(i64::from(u32::from(letter)));
    let found = match is_dict {
        true => dict_get(table, &key, vm)?,
        false => match table.py_getitem(&key, vm) {
            Ok(found) => Some(found),
            Err(RunError::Exc(error)) if is_lookup_error(error.exc.exc_type()) => None,
            Err(error) => return Err(error),
        },
    };
    let Some(found) = found else {
        return Ok(None);
    };
    defer_drop!(found, vm);
    match found {
        Value::None => Ok(Some(Box::from(""))),
        Value::Int(_) | Value::Bool(_) => {
            let number = found.as_int(vm)?;
            let made = u32::try_from(number)
                .ok()
                .filter(|number| *number < 0x11_0000);
            let Some(number) = made else {
                return Err(ExcType::value_error(
                    "character mapping must be in range(0x110000)",
                ));
            };
            let Some(made) = char::from_u32(number) else {
                return Err(ExcType::not_implemented(
                    "a surrogate as a character is not available in this sandbox",
                )
                .into());
            };
            Ok(Some(made.to_string().into()))
        }
        _ => match found.to_str(vm) {
            Ok(text) => Ok(Some(text.into())),
            Err(_) => Err(ExcType::type_error(
                "character mapping must return integer, None or str",
            )),
        },
    }
}

fn is_lookup_error(kind: ExcType) -> bool {
    matches!(
        kind,
        ExcType::KeyError | ExcType::IndexError | ExcType::LookupError
    )
}

fn dict_get(table: &Value, key: &Value, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    match table.read_heap(vm) {
        Some(HeapReadOutput::Dict(dict)) => dict.dict_get(key, vm),
        _ => Ok(None),
    }
}

/// `str.maketrans(x[, y[, z]])`
pub(super) fn make_trans(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let given = bind("maketrans", args, &["x", "y", "z"], 3, vm)?;
    defer_drop!(given, vm);
    let pairs = match (&given[0], &given[1]) {
        (None, _) => {
            return Err(ExcType::type_error(
                "maketrans expected at least 1 argument, got 0",
            ));
        }
        (Some(table), None) => of_table(table, vm)?,
        (Some(from), Some(to)) => {
            let wrong = || {
                ExcType::type_error(
                    "the first maketrans argument must be a string if there is a second argument",
                )
            };
            let from: Vec<char> = from.to_str(vm).map_err(|_| wrong())?.chars().collect();
            let to: Vec<char> = to.to_str(vm)?.chars().collect();
            if from.len() != to.len() {
                return Err(ExcType::value_error(
                    "the first two maketrans arguments must have equal length",
                ));
            }
            let without: Vec<char> = match &given[2] {
                Some(without) => without.to_str(vm)?.chars().collect(),
                None => Vec::new(),
            };
            let point = |letter: char| Value::Int(i64::from(u32::from(letter)));
            let replaced = from.into_iter().zip(to).map(|(a, b)| (point(a), point(b)));
            let removed = without
                .into_iter()
                .map(|letter| (point(letter), Value::None));
            replaced.chain(removed).collect()
        }
    };
    let made = Dict::from_pairs(pairs, vm)?;
    Ok(Value::Ref(vm.heap.allocate(HeapData::Dict(made))))
}

/// Returns the items of a dict whose keys are characters or their numbers, as items with numbers.
fn of_table(table: &Value, vm: &mut VM<'_>) -> RunResult<Vec<(Value, Value)>> {
    let wrong =
        || ExcType::type_error("if you give only one argument to maketrans it must be a dict");
    let table = meta::unwrapped(table.clone_with_heap(vm.heap), vm);
    defer_drop!(table, vm);
    let Some(HeapReadOutput::Dict(dict)) = table.read_heap(vm) else {
        return Err(wrong());
    };
    let given = dict.clone_all_pairs(vm)?;
    let mut made = DropGuard::new(Vec::with_capacity(given.len()), vm);
    let (made_pairs, vm) = made.as_parts_mut();
    let mut error = None;
    for (key, value) in given {
        if error.is_none() {
            match point_of(&key, vm) {
                Ok(point) => {
                    key.drop_with(vm);
                    made_pairs.push((point, value));
                    continue;
                }
                Err(found) => error = Some(found),
            }
        }
        key.drop_with(vm);
        value.drop_with(vm);
    }
    match error {
        Some(error) => Err(error),
        None => Ok(made.into_inner()),
    }
}

fn point_of(key: &Value, vm: &mut VM<'_>) -> RunResult<Value> {
    if let Ok(text) = key.to_str(vm) {
        let mut letters = text.chars();
        return match (letters.next(), letters.next()) {
            (Some(letter), None) => Ok(Value::Int(i64::from(u32::from(letter)))),
            _ => Err(ExcType::value_error(
                "string keys in translate table must be of length 1",
            )),
        };
    }
    match key {
        Value::Int(_) | Value::Bool(_) => Ok(Value::Int(key.as_int(vm)?)),
        _ => Err(ExcType::type_error(
            "keys in translate table must be strings or integers",
        )),
    }
}

/// `str.format_map(mapping)`
fn format_map(receiver: &Value, args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let mapping = args.get_one_arg("str.format_map", vm.heap)?;
    defer_drop!(mapping, vm);
    let fields = fields(receiver.to_str(vm)?);
    let mut pairs = DropGuard::new(Vec::<(Value, Value)>::with_capacity(fields.len()), vm);
    for field in fields {
        let (pairs, vm) = pairs.as_parts_mut();
        if field.is_empty() || field.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ExcType::value_error(
                "Format string contains positional fields",
            ));
        }
        let key = allocate_string(field, vm.heap);
        let mut key = DropGuard::new(key, vm);
        let (key_value, vm) = key.as_parts_mut();
        let value = mapping.py_getitem(key_value, vm)?;
        let (key, _) = key.into_parts();
        pairs.push((key, value));
    }
    let (pairs, vm) = pairs.into_parts();
    let named = KwargsValues::Dict(Dict::from_pairs(pairs, vm)?);
    let attr = EitherStr::Interned(vm.interns.intern_static(StaticStrings::Format));
    let args = ArgValues::Kwargs(named);
    let called = receiver.py_value(vm).py_call_attr(vm, &attr, args)?;
    called.require_synchronous(vm)
}

/// Returns the names of the fields of a format, also of those in other fields, each once.
fn fields(format: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find(['{', '}']) {
        if rest[at..].starts_with("{{") || rest[at..].starts_with("}}") {
            rest = &rest[at + 2..];
            continue;
        }
        let is_field = rest[at..].starts_with('{');
        rest = &rest[at + 1..];
        if is_field {
            let end = rest
                .find(['}', '!', ':', '.', '[', '{'])
                .unwrap_or(rest.len());
            let name = rest[..end].to_owned();
            if !found.contains(&name) {
                found.push(name);
            }
            rest = &rest[end..];
        }
    }
    found
}
