//! The tool `exec_wasm`: plugins as agents' function calling sees them.

use std::time::{Duration, Instant};

use rlm_sandbox::{
    Context, DEFAULT_TIMEOUT_MS, Lm, MAX_TIMEOUT_MS, Plugin as _, PluginAnswer, PluginCall, Shape,
};
use serde_json::{Value as Json, json};

use crate::registry::Registry;

/// What models are told about the tool.
const DESCRIPTION: &str = "Run a function of a precompiled WebAssembly plugin. Faster than Python for heavy work; has \
     no filesystem and no network beyond what the plugin was granted.";

/// A call of `exec_wasm`, with what the plugin may reach if its manifest says so.
#[derive(Debug)]
pub struct ExecWasm {
    call: Result<(crate::WasmPlugin, PluginCall), Json>,
}

impl Registry {
    /// The tool `exec_wasm` with all plugins that are loaded, for a model's list
    /// of tools.
    pub fn tool_schema(&self, shape: Shape) -> Json {
        let plugins = self.plugins();
        let names: Vec<_> = plugins.iter().map(|plugin| plugin.name()).collect();
        let told = plugins.iter().flat_map(|plugin| {
            let functions = plugin.functions().into_iter();
            functions.map(|function| format!("\n- {}.{}", plugin.name(), function.doc))
        });
        let description = format!("{DESCRIPTION}{}", told.collect::<String>());
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
                "timeout_ms": {
                    "type": "integer",
                    "default": DEFAULT_TIMEOUT_MS,
                    "minimum": 1,
                    "maximum": MAX_TIMEOUT_MS,
                },
            },
            "required": ["plugin", "input"],
        });
        shape.tool("exec_wasm", &description, &parameters)
    }

    /// A call of the tool with these arguments, `{plugin, function?, input,
    /// timeout_ms}`; [`run`](ExecWasm::run) carries it out.
    pub fn exec_wasm(&self, arguments: &Json) -> ExecWasm {
        ExecWasm {
            call: self
                .read(arguments)
                .map_err(|message| failure(&message, "policy", told("", 0, 0))),
        }
    }

    fn read(&self, arguments: &Json) -> Result<(crate::WasmPlugin, PluginCall), String> {
        let text = |name: &str| match arguments.get(name) {
            Some(Json::String(text)) => Ok(Some(text.as_str())),
            None | Some(Json::Null) => Ok(None),
            Some(_) => Err(format!("exec_wasm: '{name}' must be a string")),
        };
        let name = text("plugin")?.ok_or("exec_wasm: missing 'plugin' parameter")?;
        let plugin = self
            .plugin(name)
            .ok_or_else(|| format!("exec_wasm: there is no plugin `{name}`; {}", self.names()))?;
        let function = match text("function")? {
            Some(function) => function.to_owned(),
            None => {
                let mut names = plugin.names();
                match (names.next(), names.next()) {
                    (Some(only), None) => only.to_owned(),
                    _ => {
                        let names: Vec<_> = plugin.names().collect();
                        return Err(format!(
                            "exec_wasm: missing 'function' parameter; {name} has {}",
                            names.join(", ")
                        ));
                    }
                }
            }
        };
        let timeout_ms = match arguments.get("timeout_ms") {
            None | Some(Json::Null) => DEFAULT_TIMEOUT_MS,
            Some(value) => match value.as_u64() {
                Some(timeout) if timeout > 0 => timeout.min(MAX_TIMEOUT_MS),
                _ => {
                    return Err(String::from(
                        "exec_wasm: 'timeout_ms' must be a whole number of milliseconds above 0",
                    ));
                }
            },
        };
        let input = arguments.get("input").cloned();
        let input = match input.ok_or("exec_wasm: missing 'input' parameter")? {
            // The one argument of the world `plugin` is whatever JSON it is.
            input
                if plugin
                    .function(&function)
                    .is_ok_and(|function| function.speaks_json) =>
            {
                json!([input])
            }
            input => input,
        };
        let call = PluginCall::new(&plugin, function, input);
        Ok((plugin, call.time(Duration::from_millis(timeout_ms))))
    }
}

impl ExecWasm {
    /// Lets the plugin read a context, if its manifest does.
    #[must_use]
    pub fn context(mut self, context: Context) -> Self {
        self.call = self
            .call
            .map(|(plugin, call)| (plugin, call.context(context)));
        self
    }

    /// Lets the plugin ask a model, if its manifest does.
    #[must_use]
    pub fn model(mut self, model: impl Lm) -> Self {
        self.call = self.call.map(|(plugin, call)| (plugin, call.model(model)));
        self
    }

    /// Carries it out. Whatever goes wrong is told in the result, with `success`
    /// false.
    pub async fn run(self) -> Json {
        let (plugin, call) = match self.call {
            Ok(call) => call,
            Err(failure) => return failure,
        };
        let since = Instant::now();
        let PluginAnswer {
            answer,
            fuel,
            printed,
            ..
        } = plugin.call(call).await;
        let took = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        match answer {
            Ok(value) => {
                let mut told = told(&printed, fuel, took);
                told["success"] = json!(true);
                told["return_value"] = rlm_sandbox::plain_json(value);
                told
            }
            Err(error) => {
                let exception = error.exception();
                failure(
                    &exception.to_string(),
                    &exception.kind,
                    told(&printed, fuel, took),
                )
            }
        }
    }
}

/// The result of a call that failed, but for why.
fn told(printed: &str, fuel: u64, took: u64) -> Json {
    json!({
        "success": false,
        "stdout": printed,
        "return_value": null,
        "error": null,
        "execution_time_ms": took,
        "fuel": fuel.to_string(),
        "_local": true,
        "_rust": true,
        "_sandbox": "plugin",
        "_isolation": "wasmtime",
    })
}

fn failure(message: &str, kind: &str, mut told: Json) -> Json {
    told["error"] = json!(message);
    told["error_kind"] = json!(kind);
    told
}
