//! A plugin that was loaded.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rlm_sandbox::{
    Allowance, Arguments, Plugin, PluginAnswer, PluginCall, PluginFunction, PluginMemory,
    ToolError, has_reserved_key,
};
use rlm_sandbox_engine::Meter;
use serde_json::Value as Json;
use tokio::sync::Semaphore;
use wasmtime::component::{Type, Val};

use crate::conversion::Conversion;
use crate::function::Function;
use crate::inspect::Inspection;
use crate::instance::{Instance, Mold, NO_PLUGIN, Ran, Slot, took_too_long};
use crate::limits::PluginLimits;
use crate::manifest::{Keep, Manifest};
use crate::parts::Parts;
use crate::value::{Misfit, Reader, means, python};
use crate::writer::{TOO_MUCH, Writer};

/// A plugin of a [`Registry`](crate::Registry). Clones share it.
///
/// Give it to [`SessionBuilder::plugin`](rlm_sandbox::SessionBuilder::plugin), and
/// scripts call its functions as members of its name; or
/// [`call`](Plugin::call) it from Rust:
///
/// ```no_run
/// # async fn f() -> rlm_sandbox::Result<()> {
/// use rlm_sandbox::{Plugin as _, PluginCall};
/// use rlm_sandbox_plugins::Registry;
///
/// let words = Registry::new()?.load_file("words.wasm")?;
/// let call = PluginCall::new(&words, "count", serde_json::json!(["to be or not to be", 3]));
/// println!("{:?}", words.call(call).await.answer);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct WasmPlugin {
    inner: Arc<Loaded>,
}

pub(crate) struct Loaded {
    pub(crate) mold: Mold,
    pub(crate) parts: Arc<Parts>,
}

impl fmt::Debug for WasmPlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WasmPlugin")
            .field("name", &self.name())
            .field("digest", &self.digest())
            .finish_non_exhaustive()
    }
}

/// Instances that one session keeps, of all plugins together. Further plugins get an instance for
/// each call.
const KEPT_INSTANCES: usize = 16;

impl WasmPlugin {
    pub(crate) fn new(loaded: Loaded) -> Self {
        Self {
            inner: Arc::new(loaded),
        }
    }

    /// Returns whether this is the only clone.
    pub(crate) fn is_unused(&self) -> bool {
        Arc::strong_count(&self.inner) == 1
    }

    /// SHA-256 of its file, in hex.
    pub fn digest(&self) -> &str {
        &self.inner.parts.digest
    }

    /// What it is allowed. The name is left out, since plugins of several names share one manifest; see
    /// [`name`](Plugin::name).
    pub fn manifest(&self) -> &Manifest {
        &self.inner.mold.manifest
    }

    /// What one call may use.
    pub fn limits(&self) -> &PluginLimits {
        &self.inner.mold.limits
    }

    /// What it imports and exports, with schemas.
    pub fn inspect(&self) -> Inspection {
        let parts = &*self.inner.parts;
        Inspection::new(
            self.name(),
            self.digest(),
            &parts.imports,
            &parts.functions,
            &parts.docs,
        )
    }

    /// Bytes of memory that the plugin takes beside its compiled code, about: its manifest, docs and
    /// imports, and what the registry and a session keep of its functions. Plugins of the same component
    /// with the same manifest share most of them.
    pub fn memory_bytes(&self) -> u64 {
        self.inner.parts.memory_bytes()
    }

    pub(crate) fn function(&self, name: &str) -> Result<&Function, ToolError> {
        let mut functions = self.inner.parts.functions.iter();
        functions
            .find(|function| function.python == name || means(name, &function.name))
            .ok_or_else(|| {
                let names: Vec<_> = self.names().collect();
                let (plugin, names) = (self.name(), names.join(", "));
                let message = format!("{plugin} has no function `{name}`; it has {names}");
                ToolError::new("AttributeError", message)
            })
    }

    /// The functions, as Python calls them.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let functions = self.inner.parts.functions.iter();
        functions.map(|function| function.python.as_str())
    }

    async fn carry_out(
        &self,
        function: &Function,
        call: PluginCall,
        time: Duration,
        meter: &Arc<Meter>,
    ) -> Result<Ran, ToolError> {
        let mold = &self.inner.mold;
        // Only calls that have a place take memory for values.
        let read = |call: &PluginCall| {
            converted(meter, time, |conversion| {
                let reader = Reader::new(conversion, call.memory());
                parameters(function, &call.arguments, reader)
            })
        };
        let places = mold.places.of_session(&call);
        if mold.manifest.keep == Keep::Call {
            let place = places.take().await;
            let (parameters, _memory) = read(&call)?;
            let mut instance = Instance::new(mold, &call, time, meter).await?;
            let called = instance.call(mold, function, &parameters, call, place, meter);
            return Ok(called.await);
        }
        let slot = call.kept(&mold.name, Slot::default);
        let kept = call.kept(NO_PLUGIN, || Semaphore::new(KEPT_INSTANCES));
        // One call after the other, in the order of asking; who waits for that
        // takes no place.
        let _turn = slot.turn.lock().await;
        let place = places.take().await;
        let (parameters, _memory) = read(&call)?;
        let mut instance = match slot.take() {
            Some(instance) => instance,
            None => Instance::new(mold, &call, time, meter).await?,
        };
        let called = instance.call(mold, function, &parameters, call, place, meter);
        let ran = called.await;
        if ran.result.is_ok() {
            slot.keep(instance, kept);
        }
        Ok(ran)
    }
}

impl Plugin for WasmPlugin {
    fn name(&self) -> &str {
        &self.inner.mold.name
    }

    fn functions(&self) -> Vec<PluginFunction> {
        let functions = self.inner.parts.functions.iter().map(|function| {
            let parameters = function.parameters.iter();
            let parameters = parameters.map(|(name, _)| python(name));
            let signature = function.signature();
            let doc = match function.doc.is_empty() {
                true => signature,
                false => format!("{signature}: {}", function.doc),
            };
            let described = PluginFunction::new(&function.python, parameters).doc(doc);
            match function.speaks_json {
                true => described.takes_json(),
                false => described,
            }
        });
        functions.collect()
    }

    fn allowance(&self) -> Allowance {
        let limits = &self.inner.mold.limits;
        let prompts = match self.manifest().permissions.llm_query {
            true => limits.model_calls,
            false => 0,
        };
        Allowance::new(limits.fuel, limits.time, prompts)
    }

    async fn call(&self, call: PluginCall) -> PluginAnswer {
        let meter = Arc::new(Meter::default());
        let name = call.function.clone();
        let time = call.allowance.time.min(self.limits().time);
        let ran = match self.function(&name) {
            Ok(function) => {
                let ran = self.carry_out(function, call, time, &meter).await;
                ran.map(|ran| (function, ran))
            }
            Err(error) => Err(error),
        };
        let (answer, fuel, printed) = match ran {
            Err(error) => (Err(error), 0, String::new()),
            Ok((function, ran)) => {
                let answer = ran.result.and_then(|value| {
                    converted(&meter, time, |conversion| {
                        self.answer(function, value, conversion)
                    })
                });
                (answer, ran.fuel, ran.printed)
            }
        };
        let located = |error: ToolError| {
            let exception = error.exception();
            let (plugin, message) = (self.name(), &exception.message);
            ToolError::new(&exception.kind, format!("{plugin}.{name}(): {message}"))
        };
        let mut answered = PluginAnswer::new(answer.map_err(located));
        answered.fuel = fuel;
        answered.compute = meter.read();
        answered.printed = printed;
        answered
    }
}

impl WasmPlugin {
    /// What a function gave, as JSON; what it gave as an error, as one.
    fn answer(
        &self,
        function: &Function,
        value: Option<Val>,
        conversion: Conversion<'_>,
    ) -> Result<Json, ToolError> {
        let most = self.limits().output_bytes;
        let mut writer = Writer::new(most, conversion);
        let misfit = |misfit: Misfit| {
            let message = match misfit.to_string() {
                told if told.ends_with(TOO_MUCH) => too_much(most),
                told => told,
            };
            ToolError::new("ValueError", message)
        };
        let json = match (value, &function.result) {
            (Some(Val::Result(Err(error))), Some(Type::Result(ty))) => {
                let error = writer.payload(error.as_deref(), ty.err().as_ref(), 0);
                let message = match error.map_err(misfit)? {
                    Json::Null => String::from("it failed"),
                    Json::String(text) => text,
                    other => other.to_string(),
                };
                return Err(ToolError::new("RuntimeError", message));
            }
            (Some(Val::Result(Ok(value))), Some(Type::Result(ty))) => {
                let json = writer.payload(value.as_deref(), ty.ok().as_ref(), 0);
                match json.map_err(misfit)? {
                    Json::String(text) if function.speaks_json && has_reserved_key(&text) => {
                        let message = "what it gave has a key that is reserved";
                        return Err(ToolError::new("ValueError", message));
                    }
                    Json::String(text) if function.speaks_json => serde_json::from_str(&text)
                        .map_err(|error| {
                            let message = format!("what it gave is no JSON: {error}");
                            ToolError::new("ValueError", message)
                        })?,
                    json => json,
                }
            }
            (Some(value), Some(ty)) => writer.json(&value, ty).map_err(misfit)?,
            _ => Json::Null,
        };
        if json.to_string().len() as u64 > most {
            return Err(ToolError::new("ValueError", too_much(most)));
        }
        Ok(json)
    }
}

fn too_much(most: u64) -> String {
    format!(
        "{TOO_MUCH}, {most} bytes of JSON (`output_bytes` under [limits] of its manifest); ask for less"
    )
}

/// Converts values on the clock of a call, which `meter` is, and ends the call if it took longer than
/// `most` then.
fn converted<T>(
    meter: &Meter,
    most: Duration,
    convert: impl FnOnce(Conversion<'_>) -> Result<T, ToolError>,
) -> Result<T, ToolError> {
    let converted = meter.run(|| convert(Conversion::new(meter, most)));
    match meter.read() < most {
        true => converted,
        false => Err(took_too_long(most, "")),
    }
}

/// Returns what a script gave, fitted to a function, and the account of the memory that it takes.
fn parameters(
    function: &Function,
    given: &Arguments,
    mut reader: Reader<'_>,
) -> Result<(Vec<Val>, PluginMemory), ToolError> {
    let wrong = |message: String| ToolError::new("TypeError", message);
    let misfit = |misfit: Misfit| ToolError::new(misfit.kind(), misfit.to_string());
    let known = function.parameters.len();
    let mut values: Vec<Option<&Json>> = vec![None; known];
    for (index, (name, value)) in given.tagged().enumerate() {
        let place = match function.position(name) {
            Some(place) => place,
            None if name == format!("_arg{index}") && index < known => index,
            None if name.starts_with("_arg") => {
                return Err(wrong(format!("takes {known} arguments at the most")));
            }
            None => {
                return Err(wrong(format!(
                    "got an unexpected keyword argument '{name}'"
                )));
            }
        };
        if values[place].replace(value).is_some() {
            return Err(wrong(format!("got multiple values for argument '{name}'")));
        }
    }
    if function.speaks_json {
        let plain = given.iter().next().map(|(_, value)| value);
        let input = plain.ok_or_else(|| wrong(String::from("missing the argument 'input'")))?;
        let input = Json::String(input.to_string());
        let text = reader.value(&input, &Type::String).map_err(misfit)?;
        return Ok((vec![text], reader.into_memory()));
    }
    let values = function
        .parameters
        .iter()
        .zip(values)
        .map(|((name, ty), value)| {
            let name = python(name);
            match (value, ty) {
                (Some(json), ty) => {
                    let value = reader.value(json, ty);
                    value.map_err(|why| misfit(why.at(name)))
                }
                (None, Type::Option(_)) => Ok(Val::Option(None)),
                (None, _) => Err(wrong(format!("missing the argument '{name}'"))),
            }
        });
    let values = values.collect::<Result<_, _>>()?;
    Ok((values, reader.into_memory()))
}
