//! The tool `exec_wasm`: calls a function of a plugin.
//!
//! In a session the call is a script of one expression, so that it counts in the session's limits, is in its journal, and
//! replays.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{Capability, Definition, Timeouts, ToolResult, refused, run, unknown};
use crate::plugin::PluginFunction;
use crate::session::Session;

pub(super) const NAME: &str = "exec_wasm";

/// Purpose of the tool, before its list of functions.
const DESCRIPTION: &str = "Run a function of a precompiled WebAssembly plugin. Faster than Python for heavy work; has \
     no filesystem and no network beyond what the plugin was granted.";

/// The functions of plugins, by the name of their plugin.
type Plugins = [(String, Vec<PluginFunction>)];

/// Returns `exec_wasm` as a model sees it, for calls outside of a session.
pub fn exec_wasm_definition(plugins: &Plugins) -> Definition {
    define(plugins, Timeouts::default())
}

/// Returns the tool as a model sees it; none if the session has no plugin.
pub(super) fn definition(session: &Session, timeouts: Timeouts) -> Option<Definition> {
    let plugins = plugins_of(session);
    (!plugins.is_empty()).then(|| define(&plugins, timeouts))
}

fn define(plugins: &Plugins, timeouts: Timeouts) -> Definition {
    let names: Vec<_> = plugins.iter().map(|(name, _)| name).collect();
    let mut description = String::from(DESCRIPTION);
    for (plugin, functions) in plugins {
        for function in functions {
            let doc = match function.doc.is_empty() {
                true => format!("{}({})", function.name, function.parameters.join(", ")),
                false => function.doc.clone(),
            };
            let _ = write!(description, "\n- {plugin}.{doc}");
        }
    }
    let parameters = json!({
        "type": "object",
        "properties": {
            "plugin": {"type": "string", "enum": names},
            "function": {
                "type": "string",
                "description": "The function, if the plugin has more than one",
            },
            "input": {
                "description": "Its arguments: an object by name, an array by position, or the only one",
            },
            "timeout_ms": timeouts.schema(),
        },
        "required": ["plugin", "input"],
    });
    Definition::new(NAME, description, parameters).capability(Capability::Compute)
}

fn plugins_of(session: &Session) -> Vec<(String, Vec<PluginFunction>)> {
    let mut plugins: Vec<(String, Vec<PluginFunction>)> = Vec::new();
    for tool in &session.settings.handlers.tools {
        let Some((plugin, function)) = tool.function_of_plugin() else {
            continue;
        };
        match plugins.iter_mut().find(|(name, _)| name == plugin) {
            Some((_, functions)) => functions.push(function),
            None => plugins.push((plugin.to_owned(), vec![function])),
        }
    }
    plugins
}

/// Carries out a call `{plugin, function?, input, timeout_ms?}`.
pub(super) async fn call(
    session: &mut Session,
    arguments: &Json,
    timeouts: Timeouts,
) -> ToolResult {
    let call = match WasmCall::read_with(arguments, &plugins_of(session), timeouts) {
        Ok(call) => call,
        Err(message) => return refused(&message),
    };
    let mut result = run(session, &call.source(), call.timeout).await;
    result.json["_sandbox"] = json!("plugin");
    result
}

/// The arguments of a call of `exec_wasm`, checked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WasmCall {
    /// Name of the plugin.
    pub plugin: String,
    /// Name of its function.
    pub function: String,
    /// Arguments: an object by name, or an array by position.
    pub input: Json,
    /// Compute time that it may take.
    pub timeout: Duration,
}

impl WasmCall {
    /// Reads a call `{plugin, function?, input, timeout_ms?}` of one of these plugins. The timeout is [`DEFAULT_TIMEOUT`](crate::DEFAULT_TIMEOUT) if it
    /// has none, and [`MAX_TIMEOUT`](crate::MAX_TIMEOUT) at most.
    ///
    /// # Errors
    ///
    /// A sentence for the model.
    pub fn read(arguments: &Json, plugins: &Plugins) -> Result<Self, String> {
        Self::read_with(arguments, plugins, Timeouts::default())
    }

    fn read_with(arguments: &Json, plugins: &Plugins, timeouts: Timeouts) -> Result<Self, String> {
        let known = ["plugin", "function", "input", "timeout_ms"];
        if let Some(refusal) = unknown(NAME, &known, arguments) {
            return Err(refusal);
        }
        let text = |name: &str| match arguments.get(name) {
            Some(Json::String(text)) => Ok(Some(text.as_str())),
            None | Some(Json::Null) => Ok(None),
            Some(_) => Err(format!("{NAME}: '{name}' must be a string")),
        };
        let listed = |names: Vec<&str>| match names.is_empty() {
            true => String::from("none is loaded"),
            false => format!("there are {}", names.join(", ")),
        };
        let plugin = text("plugin")?.ok_or("exec_wasm: missing 'plugin' parameter")?;
        let functions = plugins.iter().find(|(name, _)| name == plugin);
        let (_, functions) = functions.ok_or_else(|| {
            let names = plugins.iter().map(|(name, _)| name.as_str()).collect();
            let plugin = plugin.escape_debug();
            format!("{NAME}: there is no plugin `{plugin}`; {}", listed(names))
        })?;
        let names = || functions.iter().map(|function| function.name.as_str());
        let function = match (text("function")?, functions.as_slice()) {
            (Some(wanted), all) => all
                .iter()
                .find(|function| function.name == wanted.replace('-', "_"))
                .ok_or_else(|| {
                    let wanted = wanted.escape_debug();
                    format!(
                        "{NAME}: {plugin} has no function `{wanted}`; {}",
                        listed(names().collect())
                    )
                })?,
            (None, [only]) => only,
            (None, _) => {
                let names: Vec<_> = names().collect();
                return Err(format!(
                    "{NAME}: missing 'function' parameter; {plugin} has {}",
                    names.join(", ")
                ));
            }
        };
        let timeout = timeouts.read(NAME, arguments)?;
        let input = arguments.get("input").cloned();
        let input = match input.ok_or("exec_wasm: missing 'input' parameter")? {
            input if function.takes_json => json!([input]),
            input @ (Json::Object(_) | Json::Array(_)) => input,
            only => json!([only]),
        };
        Ok(Self {
            plugin: plugin.to_owned(),
            function: function.name.clone(),
            input,
            timeout,
        })
    }

    /// Returns the call as a Python expression.
    fn source(&self) -> String {
        let stars = if self.input.is_object() { "**" } else { "*" };
        let mut source = format!("{}.{}({stars}", self.plugin, self.function);
        write_literal(&self.input, &mut source);
        source.push(')');
        source
    }
}

/// Writes JSON as Python does. Texts of JSON are literals of Python, too.
fn write_literal(value: &Json, source: &mut String) {
    match value {
        Json::Null => source.push_str("None"),
        Json::Bool(true) => source.push_str("True"),
        Json::Bool(false) => source.push_str("False"),
        Json::Number(_) | Json::String(_) => {
            let _ = write!(source, "{value}");
        }
        Json::Array(items) => {
            source.push('[');
            for item in items {
                write_literal(item, source);
                source.push_str(", ");
            }
            source.push(']');
        }
        Json::Object(members) => {
            source.push('{');
            for (name, item) in members {
                let _ = write!(source, "{}: ", json!(name));
                write_literal(item, source);
                source.push_str(", ");
            }
            source.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_written_as_a_literal_of_python() {
        let mut source = String::new();
        let value =
            json!({"a\n\u{0}\"": [null, true, false, -1, 0.5, 1e300, u64::MAX], "é\u{2028}": {}});
        write_literal(&value, &mut source);
        assert_eq!(
            source,
            "{\"a\\n\\u0000\\\"\": [None, True, False, -1, 0.5, 1e+300, 18446744073709551615, ], \"é\u{2028}\": {}, }"
        );
    }
}
