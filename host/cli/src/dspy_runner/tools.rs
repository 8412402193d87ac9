//! Functions that dspy registers, and how a script calls them.

use std::collections::BTreeMap;

use rlm_sandbox::{Arguments, Tool, ToolContext, ToolError};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::plain::plain;
use crate::wire::{Failure, Peer, read_answer};

/// A function of dspy's; older versions give no more than its name.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "a tool is a name, or an object with name and parameters"
)]
pub(super) enum Registered {
    Named(String),
    Described {
        name: String,
        #[serde(default)]
        parameters: Vec<Parameter>,
    },
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Parameter {
    name: String,
    /// There, if the parameter may be left out; also null.
    #[serde(default, deserialize_with = "present")]
    default: Option<Json>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

/// Arguments by name.
type Keywords = BTreeMap<String, Box<RawValue>>;

#[derive(Serialize)]
struct Asked<'a> {
    name: &'a str,
    kwargs: Keywords,
}

#[derive(Deserialize)]
struct Answered {
    value: Box<RawValue>,
    #[serde(default, rename = "type")]
    kind: String,
}

impl Registered {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Named(name) | Self::Described { name, .. } => name,
        }
    }

    fn parameters(&self) -> &[Parameter] {
        match self {
            Self::Named(_) => &[],
            Self::Described { parameters, .. } => parameters,
        }
    }

    /// The function, carried out by dspy.
    pub(super) fn tool(&self, peer: &Peer) -> Tool {
        let (this, peer) = (self.clone(), peer.clone());
        let names: Vec<_> = self
            .parameters()
            .iter()
            .map(|parameter| parameter.name.clone())
            .collect();
        let handler = move |context: ToolContext, arguments: Arguments| {
            let (name, peer) = (this.name().to_owned(), peer.clone());
            let kwargs = this.fitted(&arguments);
            async move { call(&peer, &context, &name, kwargs?).await }
        };
        Tool::with_arguments(self.name(), handler).parameters(names)
    }

    /// The arguments by name, as a function with these parameters gets them.
    fn fitted(&self, arguments: &Arguments) -> Result<Keywords, ToolError> {
        let wrong = |message| ToolError::new("TypeError", format!("{}() {message}", self.name()));
        let parameters = self.parameters();
        let given: Vec<_> = arguments.tagged().collect();
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
            let value = given.iter().find(|(name, _)| *name == parameter.name);
            let value = value.map(|(_, value)| *value);
            let value = value.or(parameter.default.as_ref());
            match value {
                Some(value) => drop(kwargs.insert(parameter.name.clone(), plain(value))),
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
    let answer = peer.ask("tool_call", Asked { name, kwargs }).await;
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
