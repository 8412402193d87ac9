//! Values as text, made inside Python.
//!
//! Monty's structural export panics when a class precedes one of its instances
//! in one value. So the value of a script is first looked at in Python: what
//! `json.dumps` accepts holds no classes and is exported as it is, anything
//! else is rebuilt from the types known to be safe, with the repr of whatever
//! is not. `f"{v!r}"` and the names below work whatever the script calls `repr`
//! or `list`.

use monty_types::unstable::{self, MontyNode};
use monty_types::{BuiltinsFunctions, MontyObject, MontyType, NamedValues, ObjectRef};

use crate::bindings::exports::rlm::sandbox::repl::Value;
use crate::script::{PREFIX, VALUE};
use crate::value::{OPAQUE, encode};

/// Defines what [`line`] calls. Runs once in each namespace, before any script.
pub(crate) const PRELUDE: &str = "\
import json as _rlm_json
_rlm_value = None
def _rlm_plain(v, around):
    t = _rlm_type(v)
    if v is None or t in _rlm_leaves:
        return v
    for outer in around:
        if outer is v:
            return (_rlm_locals, '...')
    inner = (*around, v)
    if t is _rlm_list:
        return [_rlm_plain(x, inner) for x in v]
    if t is _rlm_tuple:
        return (*[_rlm_plain(x, inner) for x in v],)
    if t is _rlm_dict:
        return {_rlm_plain(k, inner): _rlm_plain(x, inner) for k, x in v.items()}
    if t is _rlm_set:
        return {*[_rlm_plain(x, inner) for x in v]}
    if t is _rlm_frozenset:
        return _rlm_frozenset([_rlm_plain(x, inner) for x in v])
    return (_rlm_locals, f'{v!r}')
def _rlm_report(v):
    if v is None:
        return None
    r = f'{v!r}'
    try:
        _rlm_json.dumps(v)
        return (r, v)
    except:
        pass
    try:
        return (r, _rlm_plain(v, ()))
    except:
        return (r, (_rlm_locals, r))
";

/// Types whose values are exported as they are.
const LEAVES: [MontyType; 8] = [
    MontyType::Bool,
    MontyType::Int,
    MontyType::Float,
    MontyType::Str,
    MontyType::Bytes,
    MontyType::Date,
    MontyType::DateTime,
    MontyType::Complex,
];

/// What [`PRELUDE`] needs by names that scripts do not use.
pub(crate) fn prelude_inputs() -> NamedValues {
    let mut inputs = NamedValues::new();
    let mut name = |name: &str, value| inputs.push(format!("{PREFIX}{name}"), value);
    name("locals", MontyObject::builtin_function(OPAQUE));
    name("type", MontyObject::builtin_function(BuiltinsFunctions::Type));
    name("list", MontyObject::type_object(MontyType::List));
    name("tuple", MontyObject::type_object(MontyType::Tuple));
    name("dict", MontyObject::type_object(MontyType::Dict));
    name("set", MontyObject::type_object(MontyType::Set));
    name("frozenset", MontyObject::type_object(MontyType::FrozenSet));
    name("leaves", MontyObject::tuple(LEAVES.map(MontyObject::type_object)));
    inputs
}

/// A line of Python that gives (the value's report, the names), and lets go of
/// the value.
pub(crate) fn line(has_value: bool) -> String {
    if has_value {
        format!("(_rlm_report({VALUE}), [*_rlm_locals()], {VALUE} := None)")
    } else {
        String::from("(None, [*_rlm_locals()])")
    }
}

/// What [`line`] gave: the value, and the names in the namespace.
pub(crate) fn read(report: &MontyObject, value_bytes: usize) -> Option<(Option<Value>, Vec<String>)> {
    let parts = report.as_ref().items()?;
    let [value, names, ..] = &parts[..] else { return None };
    let names = names.items()?.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();
    Some((read_value(*value, value_bytes), names))
}

/// What `_rlm_report` gave.
pub(crate) fn read_value(report: ObjectRef<'_>, value_bytes: usize) -> Option<Value> {
    let [repr, plain] = report.items()?[..] else { return None };
    let repr = repr.as_str()?;
    let end = repr.floor_char_boundary(value_bytes);
    let json = (!matches!(unstable::node(plain), MontyNode::None))
        .then(|| {
            let mut json = String::new();
            encode(plain, &mut json);
            json
        })
        .filter(|json| json.len() <= value_bytes);
    Some(Value { repr: repr[..end].to_owned(), truncated: end < repr.len(), json })
}
