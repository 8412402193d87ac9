//! The variables of a session as plain JSON, for anybody to read.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::arguments::read_bytes;
use crate::inputs::Reserved;
use crate::outcome::{Look, Variable};
use crate::session::Session;
use crate::stats::Stats;
use crate::value::{MOST_LEVELS, READ_BYTES, holds_repr, is_read_by_all, parse};
use rlm_sandbox_engine::{ErrorKind, Result};

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

/// Returns whether values of this type have a JSON form.
fn is_data(kind: &str) -> bool {
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
    kind == "str" || DATA.contains(&kind)
}

/// Returns why a variable of this type is not exported. An empty type is unknown.
fn reason(kind: &str, value_bytes: u32) -> String {
    match kind.is_empty() || is_data(kind) {
        true => format!(
            "its JSON is larger than {value_bytes} bytes or takes too long to write, or it holds what has none"
        ),
        false => format!("a value of the type `{kind}` has no JSON form"),
    }
}

/// Variables that may run into a limit in one export. After each the session is brought back.
const FAILURES: u32 = 16;

impl Session {
    /// Gives the variables as JSON, but for names that begin with an underscore: numbers, text, bytes, dates and `None`,
    /// and lists, tuples, sets and dictionaries of those. A value is left out, and the others
    /// are there, where its JSON is larger than [`Limits::value_bytes`](crate::Limits::value_bytes),
    /// where all of them together are larger than sixteen times that, where the profile or a tool defines
    /// the name (`answer`), where
    /// one takes too many steps to copy, and where reading all of them would take more than 512 MiB.
    /// Where listing all of them together runs into a limit, each is read by itself, within
    /// [`Limits::time`](crate::Limits::time) for all; then a `__repr__` of a script may run.
    ///
    /// # Errors
    ///
    /// The errors of [`exec`](Self::exec), [`ErrorKind::Usage`](crate::ErrorKind::Usage) while a script waits, and
    /// [`ErrorKind::Canceled`](crate::ErrorKind::Canceled).
    pub async fn export(&mut self) -> Result<Portable> {
        let stats = self.stats();
        let look = Look {
            repr_bytes: 0,
            json: true,
            ..Look::default()
        };
        let listed = match self.variables(look).await {
            Err(error) if error.kind() == ErrorKind::Limit => self.variables_one_by_one().await?,
            listed => {
                let reason = |variable: &Variable, most| reason(&variable.kind, most);
                let most = self.limits().value_bytes;
                let listed = listed?.into_iter();
                let listed = listed.map(|variable| (reason(&variable, most), variable));
                listed.collect()
            }
        };
        let mut portable = Portable {
            stats,
            ..Portable::default()
        };
        let mut left = READ_BYTES;
        let reserved = Reserved::of(self);
        for (reason, variable) in listed {
            let json = variable.json.as_deref();
            let bytes = json.map_or(0, read_bytes);
            let (json, reason) = match left.checked_sub(bytes) {
                // An import into such a session would refuse it, and all others with it.
                Some(_) if let Err(error) = reserved.check(&variable.name) => {
                    (None, error.to_string())
                }
                Some(rest) => {
                    left = rest;
                    match json.and_then(|json| parse(json).ok()) {
                        Some(json) if !is_read_by_all(&json) => (
                            None,
                            format!("it nests more than {MOST_LEVELS} levels deep"),
                        ),
                        Some(json) if holds_repr(&json) => (
                            None,
                            String::from("it is or holds a value without a JSON form"),
                        ),
                        json => (json, reason),
                    }
                }
                None => (
                    None,
                    format!(
                        "it and the variables before it take more than {READ_BYTES} bytes to read"
                    ),
                ),
            };
            match json {
                Some(json) => {
                    portable.variables.insert(variable.name, json);
                }
                None => portable.skipped.push(Skipped {
                    reason,
                    name: variable.name,
                    kind: variable.kind,
                }),
            }
        }
        Ok(portable)
    }

    /// Reads each variable by itself, with the reason why it has no JSON if it has none.
    async fn variables_one_by_one(&mut self) -> Result<Vec<(String, Variable)>> {
        let names = match self.variables(Look::reprs(0)).await {
            Ok(variables) => variables,
            // Not even their types can be listed.
            Err(error) if error.kind() == ErrorKind::Limit => {
                let unknown = |name: &String| Variable::unlisted(name.clone());
                self.durable.names.iter().map(unknown).collect()
            }
            Err(error) => return Err(error),
        };
        let (value_bytes, time) = (self.limits().value_bytes, self.limits().time);
        let (mut listed, mut spent, mut failures) = (Vec::new(), Duration::ZERO, 0);
        for mut variable in names {
            if !variable.kind.is_empty() && !is_data(&variable.kind) {
                listed.push((reason(&variable.kind, value_bytes), variable));
                continue;
            }
            if spent >= time || failures == FAILURES {
                let reason = match failures {
                    FAILURES => format!("{FAILURES} variables before it ran into a limit"),
                    _ => format!("the variables before it took the time limit, {time:?}"),
                };
                listed.push((reason, variable));
                continue;
            }
            let mut reason = reason(&variable.kind, value_bytes);
            match self.get(&variable.name).await {
                Ok(value) => variable.json = value.and_then(|value| value.json),
                Err(error) if error.kind() == ErrorKind::Limit => {
                    reason = error.to_string();
                    failures += 1;
                }
                Err(error) => return Err(error),
            }
            spent = spent.saturating_add(self.meter.read());
            listed.push((reason, variable));
        }
        Ok(listed)
    }

    /// Binds what was exported, from the next exec on, and goes on counting
    /// where it stopped.
    ///
    /// # Errors
    ///
    /// The errors of [`set`](Self::set), before anything is bound.
    pub fn import(&mut self, portable: &Portable) -> Result<()> {
        let variables = portable.variables.iter();
        self.set_all(variables.map(|(name, value)| (name.clone(), value)))?;
        self.durable.stats = portable.stats;
        Ok(())
    }
}
