//! The tool `exec_wasm`: plugins as agents' function calling sees them.

use std::time::Instant;

use rlm_sandbox::{
    Context, Lm, Plugin as _, PluginAnswer, PluginCall, PluginFunction, Shape, WasmCall,
    exec_wasm_definition,
};
use serde_json::{Value as Json, json};

use crate::registry::Registry;

/// A call of `exec_wasm`, with what the plugin may reach if its manifest says so.
#[derive(Debug)]
pub struct ExecWasm {
    call: Result<(crate::WasmPlugin, PluginCall), Json>,
}

impl Registry {
    /// Returns the tool `exec_wasm` with all plugins that are loaded, for a model's list of tools.
    ///
    /// It is for agents without Python: where there is a session, [`LocalTools`](rlm_sandbox::LocalTools) has the tool, within
    /// the limits and the journal of the session.
    pub fn tool_schema(&self, shape: Shape) -> Json {
        exec_wasm_definition(&self.functions()).shaped(shape)
    }

    /// Prepares a call of the tool with these arguments, `{plugin, function?, input, timeout_ms?}`;
    /// [`run`](ExecWasm::run) carries it out.
    pub fn exec_wasm(&self, arguments: &Json) -> ExecWasm {
        let read = WasmCall::read(arguments, &self.functions()).and_then(|call| {
            let name = &call.plugin;
            let plugin = self.plugin(name);
            let plugin = plugin.ok_or_else(|| format!("exec_wasm: there is no plugin `{name}`"))?;
            let prepared = PluginCall::new(&plugin, call.function, call.input);
            Ok((plugin, prepared.time(call.timeout)))
        });
        ExecWasm {
            call: read.map_err(|message| failure(&message, "policy", told("", 0, 0))),
        }
    }

    fn functions(&self) -> Vec<(String, Vec<PluginFunction>)> {
        let plugins = self.plugins();
        let functions = plugins.iter();
        let functions = functions.map(|plugin| (plugin.name().to_owned(), plugin.functions()));
        functions.collect()
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
