//! Functions that dspy registers, and how a script calls them.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use rlm_sandbox::{Arguments, Tool, ToolContext, ToolError};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::memory::{Full, Kept, Memory};
use crate::plain::plain;
use crate::wire::{Failure, Peer, read_answer};

/// A function as dspy describes it; older versions give no more than its name.
#[derive(Debug)]
pub(super) struct Signature {
    name: String,
    parameters: Vec<Parameter>,
}

#[derive(Debug, Deserialize)]
struct Parameter {
    name: String,
    /// JSON, also null, if the parameter may be left out. It stays text: a tree of small values
    /// takes many times as much.
    #[serde(default, deserialize_with = "present")]
    default: Option<Box<RawValue>>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(deserializer).map(Some)
}

impl<'de> Deserialize<'de> for Signature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Described {
            name: String,
            #[serde(default)]
            parameters: Vec<Parameter>,
        }

        /// The visitor of both forms. An untagged enum would read defaults as trees.
        struct NamedOrDescribed;

        impl<'de> Visitor<'de> for NamedOrDescribed {
            type Value = Signature;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a tool, or an object with name and parameters")
            }

            fn visit_str<E>(self, name: &str) -> Result<Signature, E> {
                Ok(Signature {
                    name: name.to_owned(),
                    parameters: Vec::new(),
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Signature, A::Error> {
                let Described { name, parameters } =
                    Described::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Signature { name, parameters })
            }
        }

        deserializer.deserialize_any(NamedOrDescribed)
    }
}

/// Arguments by name.
type Keywords = BTreeMap<String, Box<RawValue>>;

#[derive(Serialize)]
struct Asked<'a> {
    name: &'a str,
    kwargs: Keywords,
}

#[derive(Deserialize)]
#[serde(expecting = "the answer is an object with a value and its type")]
struct Answered {
    value: Box<RawValue>,
    #[serde(default, rename = "type")]
    kind: String,
}

impl Signature {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The function, carried out by dspy, with the memory that it takes. All sessions share it.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is no memory for it.
    pub(super) fn tool(self, peer: &Peer, memory: &Arc<Memory>) -> Result<Tool, Full> {
        let parameters = self.parameters.iter();
        let names: Vec<_> = parameters.map(|parameter| parameter.name.clone()).collect();
        let mut kept = Kept::default();
        kept.function([&self.name].into_iter().chain(&names).map(String::as_str));
        for parameter in &self.parameters {
            let default = parameter.default.as_deref().map_or("", RawValue::get);
            kept.add(default.len() as u64);
        }
        let share = kept.share_of(&self.name, memory)?;
        let name = self.name.clone();
        let (this, peer) = (Arc::new((self, share)), peer.clone());
        let handler = move |context: ToolContext, arguments: Arguments| {
            let (this, peer) = (Arc::clone(&this), peer.clone());
            // Defaults are copied when the call is sent, as very many calls may be open.
            async move {
                let signature = &this.0;
                let kwargs = signature.fitted(&arguments)?;
                call(&peer, &context, &signature.name, kwargs).await
            }
        };
        Ok(Tool::with_arguments(name, handler).parameters(names))
    }

    /// The arguments by name, as a function with these parameters gets them.
    fn fitted(&self, arguments: &Arguments) -> Result<Keywords, ToolError> {
        let wrong = |message| ToolError::new("TypeError", format!("{}() {message}", self.name()));
        let parameters = &self.parameters;
        let given: HashMap<_, _> = arguments.tagged().collect();
        if parameters.is_empty() && !given.is_empty() {
            return Err(wrong(format!(
                "takes 0 positional arguments but {} {} given",
                given.len(),
                if given.len() == 1 { "was" } else { "were" }
            )));
        }
        let mut kwargs = Keywords::new();
        let mut missing = Vec::new();
        for parameter in parameters {
            let value = given.get(parameter.name.as_str());
            let value = value.map(|value| plain(value));
            // What looks like a tag in a default is data.
            match value.or_else(|| parameter.default.clone()) {
                Some(value) => drop(kwargs.insert(parameter.name.clone(), value)),
                None => missing.push(format!("'{}'", parameter.name)),
            }
        }
        match missing.as_slice() {
            [] => Ok(kwargs),
            [one] => Err(wrong(format!(
                "missing 1 required positional argument: {one}"
            ))),
            [first @ .., last] => Err(wrong(format!(
                "missing {} required positional arguments: {} and {last}",
                missing.len(),
                first.join(", ")
            ))),
        }
    }
}

async fn call(
    peer: &Peer,
    context: &ToolContext,
    name: &str,
    kwargs: Keywords,
) -> Result<Json, ToolError> {
    let answer = peer
        .ask("tool_call", Asked { name, kwargs }, context.answer_bytes())
        .await;
    let answer = answer.map_err(refusal)?;
    let strange = |error: serde_json::Error| {
        ToolError::new(
            "RuntimeError",
            format!("Tool bridge error for '{name}': {error}"),
        )
    };
    let Answered { value, kind } = serde_json::from_str(answer.get()).map_err(strange)?;
    let unreadable = |error: rlm_sandbox::Error| {
        ToolError::new(
            "RuntimeError",
            format!("Tool bridge error for '{name}': {error}"),
        )
    };
    let text = match kind.as_str() {
        "json" => serde_json::from_str::<String>(value.get()).ok(),
        _ => None,
    };
    // dspy writes plain JSON: what looks like a tag is data.
    read_answer(context, text.as_deref().unwrap_or(value.get()), false).map_err(unreadable)
}

/// As `runner.js` raises what a tool raised.
fn refusal(failure: Failure) -> ToolError {
    let kind = failure.exception().unwrap_or("ToolError");
    ToolError::new("RuntimeError", format!("{kind}: {}", failure.message))
}
