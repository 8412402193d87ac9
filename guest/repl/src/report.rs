//! Values as text, made inside Python.
//!
//! Monty's structural export panics when a class precedes one of its instances
//! in one value. So the value of a script is first looked at in Python: what
//! `json.dumps` accepts holds no classes and is exported as it is, anything
//! else is rebuilt from the types known to be safe, with the repr of whatever
//! is not. `f"{v!r}"` and the names below work whatever the script calls `repr`
//! or `list`. Numbers and text, which are most values, take a short cut.

use monty_types::unstable::{self, MontyNode};
use monty_types::{BuiltinsFunctions, MontyObject, MontyType, NamedValues, ObjectRef};
use serde::{Deserialize, Serialize};

use crate::bindings::exports::rlm::sandbox::repl::{Value, Variable};
use crate::script::PREFIX;
use crate::value::{OPAQUE, encode};

/// Defines `_rlm_show` and `_rlm_report`, which scripts call in their tails, and `_rlm_names`. Runs once in each namespace, before any script.
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
def _rlm_report():
    global _rlm_value
    v = _rlm_value
    _rlm_value = None
    return _rlm_show(v)
def _rlm_show(v):
    if _rlm_type(v) in _rlm_scalars:
        return v
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
def _rlm_names(names, most):
    listed = []
    for n, v in names.items():
        try:
            r = f'{v!r}'
        except:
            r = '...'
        listed.append((n, f'{_rlm_type(v).__name__}', r[:most]))
    return listed
";

/// Types whose values are exported as they are, and shown from that.
const SCALARS: [MontyType; 5] = [
    MontyType::NoneType,
    MontyType::Bool,
    MontyType::Int,
    MontyType::Float,
    MontyType::Str,
];
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
    name(
        "type",
        MontyObject::builtin_function(BuiltinsFunctions::Type),
    );
    name("list", MontyObject::type_object(MontyType::List));
    name("tuple", MontyObject::type_object(MontyType::Tuple));
    name("dict", MontyObject::type_object(MontyType::Dict));
    name("set", MontyObject::type_object(MontyType::Set));
    name("frozenset", MontyObject::type_object(MontyType::FrozenSet));
    name(
        "scalars",
        MontyObject::tuple(SCALARS.map(MontyObject::type_object)),
    );
    name(
        "leaves",
        MontyObject::tuple(LEAVES.map(MontyObject::type_object)),
    );
    inputs
}

/// What to find out after a script has run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Question {
    /// What `_rlm_value` holds, shown. Asking lets go of it.
    pub(crate) value: bool,
    /// Which names there are.
    pub(crate) names: bool,
}

/// What is asked after a script that failed.
pub(crate) const NAMES: Question = Question {
    value: false,
    names: true,
};

/// What was found out.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) value: Option<Value>,
    pub(crate) names: Option<Vec<String>>,
}

impl Question {
    /// A line of Python that answers, or none if nothing is asked.
    pub(crate) fn line(self) -> Option<&'static str> {
        match (self.value, self.names) {
            (true, true) => Some("(_rlm_report(), [*_rlm_locals()])"),
            (true, false) => Some("_rlm_report()"),
            (false, true) => Some("[*_rlm_locals()]"),
            (false, false) => None,
        }
    }

    /// Reads what [`line`](Self::line) gave.
    pub(crate) fn read(self, answer: &MontyObject, value_bytes: usize) -> Report {
        let answer = answer.as_ref();
        let both = (self.value && self.names).then(|| answer.items()).flatten();
        let (value, names) = match both.as_deref() {
            Some(&[value, names]) => (value, names),
            _ => (answer, answer),
        };
        Report {
            value: self.value.then(|| read_value(value, value_bytes)).flatten(),
            names: self.names.then(|| read_names(names)),
        }
    }
}

fn read_names(names: ObjectRef<'_>) -> Vec<String> {
    names
        .items()
        .unwrap_or_default()
        .iter()
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect()
}

/// What `_rlm_names` gave.
pub(crate) fn read_variables(listed: &MontyObject) -> Vec<Variable> {
    let read = |item: &ObjectRef<'_>| match item.items().as_deref() {
        Some(&[name, kind, repr]) => Some(Variable {
            name: name.as_str()?.to_owned(),
            kind: kind.as_str()?.to_owned(),
            repr: repr.as_str()?.to_owned(),
        }),
        _ => None,
    };
    listed
        .as_ref()
        .items()
        .unwrap_or_default()
        .iter()
        .filter_map(read)
        .collect()
}

/// What `_rlm_show` gave: a scalar itself, or its repr and what is safe of it.
pub(crate) fn read_value(report: ObjectRef<'_>, value_bytes: usize) -> Option<Value> {
    let items = report.items();
    let (repr, plain) = match (items.as_deref(), unstable::node(report)) {
        (_, MontyNode::None) => return None,
        (Some(&[repr, plain]), _) => (repr.as_str().unwrap_or_default().to_owned(), plain),
        _ => (report.py_repr(), report),
    };
    let mut json = String::new();
    encode(plain, &mut json);
    let end = repr.floor_char_boundary(value_bytes);
    let truncated = end < repr.len();
    let repr = if truncated {
        repr[..end].to_owned()
    } else {
        repr
    };
    Some(Value {
        repr,
        truncated,
        json: (json.len() <= value_bytes).then_some(json),
    })
}
