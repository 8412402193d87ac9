//! Methods of builtin types as values: `key=counts.get`, `map(str.upper, names)`, `getattr(items, 'append')`.
//!
//! Such a value is a [`BoundMethod`] whose function is the name of the method, an interned text. It is bound to an
//! object, or to a type: then the first argument is the object, unless the method is one of the type itself.

use crate::{
    args::ArgValues,
    builtins::Builtins,
    bytecode::{CallResult, VM},
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunResult},
    hash::{HashValue, hash_one},
    heap::{DropWithContext as _, HeapData, HeapId},
    identity::Identity,
    types::{
        BoundMethod, PyTrait as _, Type, class::meta, function_attributes, instance::members,
        methods, str::allocate_string,
    },
    value::{EitherStr, Value},
};

const TEXT: &[&str] = &[
    "capitalize",
    "casefold",
    "center",
    "count",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "format",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "upper",
    "zfill",
];
const BYTES: &[&str] = &[
    "capitalize",
    "center",
    "count",
    "decode",
    "endswith",
    "find",
    "hex",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdigit",
    "islower",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "upper",
    "zfill",
];
const LIST: &[&str] = &[
    "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse",
    "sort",
];
const DICT: &[&str] = &[
    "clear",
    "copy",
    "fromkeys",
    "get",
    "items",
    "keys",
    "pop",
    "popitem",
    "setdefault",
    "update",
    "values",
];
const COUNTER: &[&str] = &[
    "clear",
    "copy",
    "elements",
    "get",
    "items",
    "keys",
    "most_common",
    "pop",
    "popitem",
    "setdefault",
    "subtract",
    "total",
    "update",
    "values",
];
const ORDERED: &[&str] = &[
    "clear",
    "copy",
    "fromkeys",
    "get",
    "items",
    "keys",
    "move_to_end",
    "pop",
    "popitem",
    "setdefault",
    "update",
    "values",
];
const FROZEN_SET: &[&str] = &[
    "copy",
    "difference",
    "intersection",
    "isdisjoint",
    "issubset",
    "issuperset",
    "symmetric_difference",
    "union",
];
const SET: &[&str] = &[
    "add",
    "clear",
    "copy",
    "difference",
    "discard",
    "intersection",
    "isdisjoint",
    "issubset",
    "issuperset",
    "pop",
    "remove",
    "symmetric_difference",
    "union",
    "update",
];
const DEQUE: &[&str] = &[
    "append",
    "appendleft",
    "clear",
    "copy",
    "count",
    "extend",
    "extendleft",
    "index",
    "insert",
    "pop",
    "popleft",
    "remove",
    "reverse",
    "rotate",
];
const ROW: &[&str] = &["_asdict", "_make", "_replace", "count", "index"];
const MATCH: &[&str] = &["end", "group", "groupdict", "groups", "span", "start"];
const PATTERN: &[&str] = &[
    "findall",
    "finditer",
    "fullmatch",
    "match",
    "search",
    "split",
    "sub",
];
const DATE: &[&str] = &[
    "fromisoformat",
    "isoformat",
    "isoweekday",
    "replace",
    "strftime",
    "today",
    "weekday",
];
const DATETIME: &[&str] = &[
    "astimezone",
    "combine",
    "date",
    "dst",
    "fromisoformat",
    "isoformat",
    "isoweekday",
    "now",
    "replace",
    "strftime",
    "strptime",
    "time",
    "timestamp",
    "timetz",
    "today",
    "tzname",
    "utcoffset",
    "weekday",
];
const TIME: &[&str] = &[
    "dst",
    "fromisoformat",
    "isoformat",
    "replace",
    "strftime",
    "tzname",
    "utcoffset",
];

/// Returns the methods that values of a type have and that are no values of their own.
fn names(of: Type) -> &'static [&'static str] {
    match of {
        Type::Str => TEXT,
        Type::Bytes => BYTES,
        Type::List => LIST,
        Type::Dict | Type::DefaultDict => DICT,
        Type::Counter => COUNTER,
        Type::OrderedDict => ORDERED,
        Type::Set => SET,
        Type::FrozenSet => FROZEN_SET,
        Type::Deque => DEQUE,
        Type::Tuple => &["count", "index"],
        Type::NamedTuple => ROW,
        Type::DictKeys | Type::DictItems => &["isdisjoint"],
        Type::ReMatch => MATCH,
        Type::RePattern => PATTERN,
        Type::Date => DATE,
        Type::DateTime => DATETIME,
        Type::Time => TIME,
        Type::TimeDelta => &["total_seconds"],
        Type::TimeZone => &["dst", "tzname", "utcoffset"],
        Type::Complex => &["conjugate"],
        _ => &[],
    }
}

fn has(of: Type, name: &str) -> bool {
    names(of).contains(&name) || methods::names(of).contains(&name)
}

/// Returns the methods that a value of a builtin type, or such a type, has.
pub(crate) fn names_of(
    receiver: &Value,
    vm: &VM<'_>,
) -> impl Iterator<Item = &'static &'static str> {
    let of = receiver_type(receiver, vm);
    names(of).iter().chain(methods::names(of))
}

/// Returns true for a method that is one of the type itself, an alternative constructor.
fn is_of_type(name: &str) -> bool {
    matches!(
        name,
        "fromkeys"
            | "fromhex"
            | "fromisoformat"
            | "today"
            | "now"
            | "combine"
            | "strptime"
            | "_make"
    ) || methods::is_of_type(name)
}

/// Returns whether a value is a method of a builtin type, as `dict.get`, which binds its first argument.
pub(crate) fn is_unbound(id: HeapId, vm: &VM<'_>) -> bool {
    let HeapData::BoundMethod(method) = vm.heap.get(id) else {
        return false;
    };
    matches!(method.instance, Value::Builtin(Builtins::Type(_)))
        && name(&method.func, vm).is_some_and(|name| !is_of_type(name.as_str(vm.interns)))
}

/// Returns the method `attr` of a value of a builtin type, or of such a type, if it has it.
pub(crate) fn read(receiver: &Value, attr: &EitherStr, vm: &mut VM<'_>) -> Option<Value> {
    let of = receiver_type(receiver, vm);
    let name = attr.as_str(vm.interns);
    let is_type_of_bytes = matches!(receiver, Value::Builtin(Builtins::Type(Type::Bytes)));
    let object = receiver.ref_id().map(|id| vm.heap.get(id));
    let is_class_of_rows = matches!(object, Some(HeapData::NamedTupleClass(_)));
    if !has(of, name)
        && !(is_type_of_bytes && name == "fromhex")
        && !(is_class_of_rows && name == "_make")
    {
        return None;
    }
    let func = match attr {
        EitherStr::Interned(id) => Value::InternString(*id),
        EitherStr::Heap(text) => match attr.static_string(vm.interns) {
            Some(name) => Value::InternString(vm.interns.intern_static(name)),
            None => allocate_string(text.clone(), vm.heap),
        },
    };
    let instance = receiver.clone_with_heap(vm.heap);
    Some(Value::Ref(vm.heap.allocate(HeapData::BoundMethod(
        BoundMethod { instance, func },
    ))))
}

/// Returns the name of the method that `bound` is, if it is one of a builtin type.
pub(crate) fn name(func: &Value, vm: &VM<'_>) -> Option<EitherStr> {
    match func {
        Value::InternString(id) => Some(EitherStr::Interned(*id)),
        Value::Ref(id) => match vm.heap.get(*id) {
            HeapData::Str(text) => Some(EitherStr::Heap(text.as_str().to_owned())),
            _ => None,
        },
        _ => None,
    }
}

/// Calls the method `attr` of `receiver`, which is an object or a type.
pub(crate) fn call(
    receiver: Value,
    attr: &EitherStr,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    let result = methods::call(&receiver, attr, args, vm);
    receiver.drop_with(vm);
    result
}

/// Calls the method `attr` of the type `of`: one of the type itself, or one of its values, the first argument.
pub(crate) fn call_of_type(
    of: Type,
    attr: &EitherStr,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    let name = attr.as_str(vm.interns);
    if is_of_type(name) || !has(of, name) {
        let id = match attr {
            EitherStr::Interned(id) => Some(*id),
            EitherStr::Heap(_) => attr
                .static_string(vm.interns)
                .map(|name| vm.interns.intern_static(name)),
        };
        return match id {
            Some(id) => of.call_class_method(id, args, vm),
            None => {
                args.drop_with(vm);
                Err(of.attribute_error(attr, vm))
            }
        };
    }
    let type_name = of.name(vm.heap, vm.interns).into_owned();
    let Some(first) = args.first_positional() else {
        let message = format!("unbound method {type_name}.{name}() needs an argument");
        args.drop_with(vm);
        return Err(ExcType::type_error(message));
    };
    // An instance of a class that stands for the type has its methods by the value that it holds.
    let has = meta::held(first, vm).unwrap_or(first).py_type(vm);
    if !is_kind_of(has, of) {
        let given = has.name(vm.heap, vm.interns);
        let message = format!(
            "descriptor '{name}' for '{type_name}' objects doesn't apply to a '{given}' object"
        );
        args.drop_with(vm);
        return Err(ExcType::type_error(message));
    }
    let (mut positional, kwargs) = args.into_parts();
    let Some(object) = positional.next() else {
        kwargs.drop_with(vm);
        return Err(ExcType::type_error(format!(
            "unbound method {type_name}.{name}() needs an argument"
        )));
    };
    let rest = ArgValues::from_parts(positional.collect(), kwargs);
    let object = meta::unwrapped(object, vm);
    let result = methods::call(&object, attr, rest, vm);
    object.drop_with(vm);
    result
}

fn is_kind_of(has: Type, of: Type) -> bool {
    has == of
        || match of {
            Type::Int => has == Type::Bool,
            Type::Dict => matches!(has, Type::DefaultDict | Type::Counter | Type::OrderedDict),
            Type::Tuple => has == Type::NamedTuple,
            Type::Date => has == Type::DateTime,
            _ => false,
        }
}

/// Returns an attribute of a bound method: what it is bound to, its function, or its name.
pub(crate) fn attribute(id: HeapId, attr: &EitherStr, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let HeapData::BoundMethod(bound) = vm.heap.get(id) else {
        return Ok(None);
    };
    let is_builtin = name(&bound.func, vm).is_some();
    Ok(match attr.as_str(vm.interns) {
        "__self__" => Some(bound.instance.clone_with_heap(vm.heap)),
        "__func__" if !is_builtin => Some(bound.func.clone_with_heap(vm.heap)),
        "__name__" if is_builtin => Some(bound.func.clone_with_heap(vm.heap)),
        "__qualname__" if is_builtin => {
            let of = receiver_type(&bound.instance, vm).name(vm.heap, vm.interns);
            let name = name(&bound.func, vm);
            name.map(|name| {
                let text = format!("{of}.{}", name.as_str(vm.interns));
                allocate_string(text, vm.heap)
            })
        }
        name if !is_builtin => {
            let (func, name) = (bound.func.clone_with_heap(vm.heap), name.to_owned());
            defer_drop!(func, vm);
            return function_attributes::read(func, &name, vm);
        }
        _ => None,
    })
}

/// Calls an attribute of a bound method, as `method.__func__(object)` does.
pub(crate) fn call_attribute(
    id: HeapId,
    attr: &EitherStr,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> RunResult<CallResult> {
    let found = attribute(id, attr, vm).map(|found| found.map(CallResult::Value));
    members::call_found(found, attr, Type::Function.to_string(), args, vm)
}

fn receiver_type(receiver: &Value, vm: &VM<'_>) -> Type {
    match receiver {
        Value::Builtin(Builtins::Type(of)) => *of,
        _ => receiver.py_type(vm),
    }
}

/// Returns whether `other` is the same method of the same object; `None` if it is no bound method.
pub(crate) fn is_same(id: HeapId, other: &Value, vm: &VM<'_>) -> Option<bool> {
    match (vm.heap.get(id), vm.heap.get(other.ref_id()?)) {
        (HeapData::BoundMethod(one), HeapData::BoundMethod(other)) => {
            Some(one.instance.is(&other.instance) && one.func.is(&other.func))
        }
        _ => None,
    }
}

/// Returns a hash that methods which are the same share.
pub(crate) fn hash(bound: &BoundMethod) -> HashValue {
    hash_one((Identity::new(&bound.instance), Identity::new(&bound.func)))
}

/// Returns the text that `repr` gives.
pub(crate) fn shown(id: HeapId, vm: &VM<'_>) -> String {
    let HeapData::BoundMethod(bound) = vm.heap.get(id) else {
        return String::new();
    };
    let Some(name) = name(&bound.func, vm) else {
        return String::from("<bound method>");
    };
    let name = name.as_str(vm.interns);
    let of = receiver_type(&bound.instance, vm).name(vm.heap, vm.interns);
    match &bound.instance {
        Value::Builtin(_) if is_of_type(name) => format!("<built-in method {name} of type object>"),
        Value::Builtin(_) => format!("<method '{name}' of '{of}' objects>"),
        _ => format!("<built-in method {name} of {of} object>"),
    }
}
