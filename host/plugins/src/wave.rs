//! Calls as people type them, in WAVE: `search("error", 10)`.

use std::time::Duration;

use rlm_sandbox::{Error, Plugin as _, PluginCall, Result, has_reserved_key};
use rlm_sandbox_engine::Meter;
use serde_json::Value as Json;
use wasmtime::component::Val;
use wasmtime::component::wasm_wave::untyped::UntypedFuncCall;

use crate::conversion::Conversion;
use crate::plugin::WasmPlugin;
use crate::writer::Writer;

impl WasmPlugin {
    /// A call that is written in [WAVE](https://docs.rs/wasm-wave): the name of a
    /// function, as Python or the component has it, and values in parentheses.
    /// JSON for the function `run` of the world `plugin` is given as text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](rlm_sandbox::ErrorKind::Usage) if it is no WAVE, or does not fit the function.
    pub fn parse_call(&self, text: &str) -> Result<PluginCall> {
        // Names have hyphens there.
        let called = text.find('(').map(|at| text.split_at(at));
        let Some((name, rest)) = called.filter(|(name, _)| !name.trim().is_empty()) else {
            return Err(Error::usage(format!(
                "`{text}` is no call; write the name of a function and values in parentheses, as in count(\"text\", 3)"
            )));
        };
        let function = self
            .function(name.trim())
            .map_err(|error| Error::usage(error.exception().message.clone()))?;
        let signature = function.signature();
        let wrong = |why: String| {
            let name = self.name();
            Error::usage(format!("`{text}` is no call of {name}.{signature}: {why}"))
        };
        let call = format!("{}{rest}", function.name);
        let call = UntypedFuncCall::parse(&call).map_err(|error| wrong(error.to_string()))?;
        let types = || function.parameters.iter().map(|(_, ty)| ty);
        let values: Vec<Val> = call
            .to_wasm_params(types())
            .map_err(|error| wrong(error.to_string()))?;
        // The person who types it waits for it.
        let (meter, most) = (Meter::default(), Duration::MAX);
        let arguments = values.iter().zip(types()).map(|(value, ty)| match value {
            Val::String(text) if function.speaks_json => {
                let json = Some(text).filter(|text| !has_reserved_key(text));
                let json = json.and_then(|json| serde_json::from_str(json).ok());
                Ok(json.unwrap_or_else(|| Json::from(text.as_str())))
            }
            value => Writer::new(u64::MAX, Conversion::new(&meter, most))
                .json(value, ty)
                .map_err(|misfit| wrong(misfit.to_string())),
        });
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        Ok(PluginCall::new(
            self,
            &function.python,
            Json::Array(arguments),
        ))
    }
}
