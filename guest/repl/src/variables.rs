//! Names of the namespace, bound and read from outside of any script.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use monty_types::{MontyObject, NamedValues, is_identifier};

use crate::bindings::exports::rlm::sandbox::repl::{Look, Misuse, Value, Variable};
use crate::host::Host;
use crate::repl::{Repl, State};
use crate::report;
use crate::script::PREFIX;
use crate::value;
use crate::{allocations, caps};

impl<H: Host> Repl<H> {
    /// `repl.set-variable`.
    pub fn set_variable(&mut self, name: String, json: &str) -> Result<(), Misuse> {
        check_name(&name)?;
        let value = value::decode(json, true).map_err(|_| Misuse::Json)?;
        let repl = self.take_idle()?;
        let mut inputs = NamedValues::new();
        inputs.push(name.clone(), value);
        let (repl, answer) = self.feed(repl, "pass", inputs);
        let result = match answer {
            Ok(_) => Ok(()),
            Err(error) if self.limit(&error).is_some() => Err(Misuse::Limit),
            // JSON, but of a value that cannot be, as a set of lists.
            Err(_) => Err(Misuse::Json),
        };
        self.scaffold.forget_import(&name);
        if result.is_ok()
            && let Err(place) = self.names.binary_search(&name)
        {
            self.names.insert(place, name);
        }
        allocations::end();
        self.state = State::Idle(repl);
        result
    }

    /// `repl.get-variable`.
    pub fn get_variable(&mut self, name: &str) -> Result<Option<Value>, Misuse> {
        check_name(name)?;
        let most = self.limits.value_bytes;
        let shown = self.look(&format!("_rlm_show({name},{most})"))?;
        let is_bound = match &self.state {
            State::Idle(repl) => repl.bound_names().any(|bound| bound == name),
            _ => false,
        };
        Ok(match shown {
            Some(shown) => {
                let none = Value {
                    repr: String::from("None"),
                    json: Some(String::from("null")),
                    truncated: false,
                };
                let value = report::read_value(shown.as_ref(), self.limits.value_bytes);
                Some(value.unwrap_or(none))
            }
            // One that cannot be shown, as where `__repr__` raises.
            None if is_bound => Some(Value {
                repr: String::from("..."),
                json: None,
                truncated: true,
            }),
            None => None,
        })
    }

    /// `repl.variables`.
    pub fn variables(&mut self, how: &Look) -> Result<Vec<Variable>, Misuse> {
        let mut wanted = String::new();
        // A `__repr__` that ran for a look may have unbound some.
        let bound: BTreeSet<&str> = match &self.state {
            State::Idle(repl) => repl.bound_names().collect(),
            _ => return Err(Misuse::State),
        };
        let is_listed = |name: &&String| self.is_scripts(name) && bound.contains(name.as_str());
        let names = self.names.iter().filter(is_listed);
        for name in caps::fitting(names.cloned().collect()) {
            let _ = write!(wanted, "'{name}':{name},");
        }
        let asks = if how.user_reprs { "True" } else { "False" };
        let room = if how.json { self.limits.value_bytes } else { 0 };
        let line = format!(
            "_rlm_kit['variables']({{{wanted}}},{},{asks},{room})",
            how.repr_bytes
        );
        let listed = self.look(&line)?;
        let mut variables = listed.map_or_else(Vec::new, |listed| {
            report::read_variables(&listed, self.limits.value_bytes)
        });
        for variable in &mut variables {
            let end = variable.repr.floor_char_boundary(how.repr_bytes as usize);
            variable.repr.truncate(end);
        }
        Ok(variables)
    }

    /// Returns the value of a line of the REPL's own; `None` if it raises.
    fn look(&mut self, line: &str) -> Result<Option<MontyObject>, Misuse> {
        let repl = self.take_idle()?;
        let (repl, result) = self.feed(repl, line, NamedValues::new());
        let result = result.map_err(|error| (self.limit(&error).is_some(), error));
        // What a `__repr__` puts into `answer` is said by no script: no later one has said it.
        let (Ok((repl, _)) | Err((repl, _))) = self.answer(repl, false);
        self.state = State::Idle(repl);
        match result {
            Ok(shown) => Ok(Some(shown)),
            Err((true, _)) => Err(Misuse::Limit),
            Err((false, _)) => Ok(None),
        }
    }
}

/// Our own names are nobody else's to bind or read.
fn check_name(name: &str) -> Result<(), Misuse> {
    if is_identifier(name) && !name.starts_with(PREFIX) && name.len() <= caps::NAME_BYTES {
        Ok(())
    } else {
        Err(Misuse::Name)
    }
}
