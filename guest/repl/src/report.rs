//! Values as text, made inside Python.
//!
//! Monty's structural export panics when a class precedes one of its instances
//! in one value. So the value of a script is first looked at in Python: what
//! `json.dumps` accepts holds no classes and is exported as it is, anything
//! else is rebuilt from the types known to be safe, with the repr of whatever
//! is not. `f"{v!r}"` and the names below work whatever the script calls `repr`
//! or `list`. Numbers and text, which are most values, take a short cut.

use monty_types::unstable::{self, MontyNode};
use monty_types::{MontyObject, ObjectRef};
use serde::{Deserialize, Serialize};

use crate::bindings::exports::rlm::sandbox::repl::{Value, Variable};
use crate::caps;
use crate::value::encode;

/// Bytes of a value that a script of ours shows, unless the limit on values is above that.
pub(crate) const SHOWN_BYTES: usize = 1 << 20;

/// Defines what scripts of ours call. Runs once in each namespace, before any script.
pub(crate) const PRELUDE: &str = concat!(
    include_str!("prelude/show.py"),
    include_str!("prelude/look.py"),
    include_str!("prelude/finish.py"),
    include_str!("prelude/callbacks.py"),
);

/// Returns whether the call at `offset` of [`PRELUDE`] has a result that is awaited.
pub(crate) fn is_awaited(offset: u32) -> bool {
    (place("def map_awaited")..place("def filter")).contains(&(offset as usize))
}

/// Returns whether it is the call by which workers of a pool ask.
pub(crate) fn is_workers(offset: u32) -> bool {
    (place("def asked")..place("def filter")).contains(&(offset as usize))
}

fn place(text: &str) -> usize {
    PRELUDE.find(text).unwrap_or(0)
}

/// Facts to establish after a script has run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Question {
    /// An expression that gives the value, shown.
    pub(crate) value: Option<String>,
    /// True if the bound names may have changed.
    pub(crate) names: bool,
}

/// Reads what `_rlm_kit['variables']` gave; all values together have at most
/// [`caps::LISTED_VALUES`] times `value_bytes` of JSON.
pub(crate) fn read_variables(listed: &MontyObject, value_bytes: usize) -> Vec<Variable> {
    let mut left = value_bytes.saturating_mul(caps::LISTED_VALUES);
    let read = |item: &ObjectRef<'_>| match item.items().as_deref() {
        Some(&[name, kind, repr, size, value]) => Some(Variable {
            name: name.as_str()?.to_owned(),
            kind: caps::cut(kind.as_str()?, caps::KIND_BYTES),
            repr: repr.as_str()?.to_owned(),
            size: size.as_int().and_then(|size| size.try_into().ok()),
            json: value.items().as_deref().and_then(|value| {
                let mut json = String::new();
                encode(*value.first()?, &mut json);
                if json.len() > value_bytes.min(left) {
                    return None;
                }
                left -= json.len();
                Some(json)
            }),
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

/// A value of `_rlm_show`: a scalar itself, or its repr and what is safe of it.
pub(crate) fn read_value(report: ObjectRef<'_>, value_bytes: usize) -> Option<Value> {
    let items = report.items();
    let (repr, plain) = match (items.as_deref(), unstable::node(report)) {
        (_, MontyNode::None) => return None,
        // Too large to be shown whole.
        (Some(&[repr, _, _]), _) => {
            let repr = repr.as_str().unwrap_or_default();
            return Some(Value {
                repr: repr[..repr.floor_char_boundary(value_bytes)].to_owned(),
                truncated: true,
                json: None,
            });
        }
        (Some(&[repr, plain]), _) => (repr.as_str().unwrap_or_default().to_owned(), plain),
        _ => (report.py_repr(), report),
    };
    Some(value_of(repr, plain, value_bytes))
}

/// A value whose repr is known and whose parts are safe.
pub(crate) fn value_of(repr: String, plain: ObjectRef<'_>, value_bytes: usize) -> Value {
    let mut json = String::new();
    encode(plain, &mut json);
    let end = repr.floor_char_boundary(value_bytes);
    let truncated = end < repr.len();
    let repr = if truncated {
        repr[..end].to_owned()
    } else {
        repr
    };
    Value {
        repr,
        truncated,
        json: (json.len() <= value_bytes).then_some(json),
    }
}
