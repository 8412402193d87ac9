//! The variables of a session as plain JSON, for anybody to read.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::arguments::read_bytes;
use crate::outcome::Look;
use crate::session::Session;
use crate::stats::Stats;
use crate::value::{clip, parse};
use rlm_sandbox_engine::{Error, Result};

/// The variables of a session that have a JSON form, and a list of the others.
///
/// This is an export: functions, classes and instances are left out, and what
/// was one object under two names becomes two. [`Session::park`] keeps all.
///
/// # Source
///
/// `checkpoint()` of rlm-code; `skipped` is ours. Unknown keys are ignored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Portable {
    /// By name. Tuples, sets, bytes and the like carry the tags of `wit/types.wit`.
    #[serde(default)]
    pub variables: Map<String, Json>,
    /// What was left out.
    #[serde(default)]
    pub skipped: Vec<Skipped>,
    /// What the session did so far.
    #[serde(default)]
    pub stats: Stats,
}

/// A variable that has no JSON form, or one larger than
/// [`Limits::value_bytes`](crate::Limits::value_bytes).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Skipped {
    /// Its name.
    pub name: String,
    /// The name of its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Why it was left out, in words.
    #[serde(default)]
    pub reason: String,
}

/// Returns why a variable of this type is not exported.
fn reason(kind: &str, value_bytes: u32) -> String {
    const DATA: [&str; 12] = [
        "NoneType",
        "bool",
        "bytes",
        "date",
        "datetime",
        "dict",
        "float",
        "frozenset",
        "int",
        "list",
        "set",
        "tuple",
    ];
    match kind == "str" || DATA.contains(&kind) {
        true => format!(
            "its JSON is larger than {value_bytes} bytes or takes too long to write, or it holds what has none"
        ),
        false => format!("a value of the type `{kind}` has no JSON form"),
    }
}

/// What the variables of an export may take when they are read, in bytes: many small
/// objects take a hundred times as much as their text.
const READ_BYTES: u64 = 512 << 20;

impl Session {
    /// Gives the variables as JSON: numbers, text, bytes, dates and `None`, and
    /// lists, tuples, sets and dictionaries of those. A value is left out, and the others
    /// are there, where its JSON is larger than [`Limits::value_bytes`](crate::Limits::value_bytes),
    /// where all of them together are larger than sixteen times that, and where
    /// one takes too many steps to copy.
    ///
    /// # Errors
    ///
    /// As [`variables`](Self::variables), and [`ErrorKind::Usage`](crate::ErrorKind::Usage) if
    /// reading all of it would take more than 512 MiB.
    pub async fn export(&mut self) -> Result<Portable> {
        let look = Look {
            repr_bytes: 0,
            json: true,
            ..Look::default()
        };
        let mut portable = Portable {
            stats: self.stats(),
            ..Portable::default()
        };
        let mut bytes = 0_u64;
        for variable in self.variables(look).await? {
            let json = variable.json.as_deref();
            bytes = bytes.saturating_add(json.map_or(0, read_bytes));
            if bytes > READ_BYTES {
                return Err(Error::usage(format!(
                    "the variables up to `{}` take more than {READ_BYTES} bytes to export; park the session, or delete large ones",
                    clip(&variable.name)
                )));
            }
            match json.and_then(|json| parse(json).ok()) {
                Some(json) => {
                    portable.variables.insert(variable.name, json);
                }
                None => portable.skipped.push(Skipped {
                    reason: reason(&variable.kind, self.limits().value_bytes),
                    name: variable.name,
                    kind: variable.kind,
                }),
            }
        }
        Ok(portable)
    }

    /// Binds what was exported, from the next exec on, and goes on counting
    /// where it stopped.
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set), before anything is bound.
    pub fn import(&mut self, portable: &Portable) -> Result<()> {
        for (name, value) in &portable.variables {
            self.check_variable(name, value)?;
        }
        for (name, value) in &portable.variables {
            self.set(name, value)?;
        }
        self.stats = portable.stats;
        Ok(())
    }
}
