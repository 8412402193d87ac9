//! From a component to code that can run, by way of the cache.

use std::borrow::Cow;
use std::path::Path;

use wasmtime::Engine;
use wasmtime::component::Component;

use crate::cache;
use crate::error::{Error, ErrorKind, Result};

/// Loads the code of a component from `path`, or else compiles it and keeps it
/// there. `wasm` is asked for the component only if it is compiled. `what` it is
/// stands in messages, and what could be better goes to `warnings`, each with a
/// remedy.
///
/// # Errors
///
/// [`ErrorKind::Guest`] if it has to be compiled and cannot be.
pub fn load_or_compile<'a>(
    engine: &Engine,
    what: &str,
    wasm: impl FnOnce() -> Cow<'a, [u8]>,
    path: Option<&Path>,
    on_compile: Option<Box<dyn FnOnce() + Send>>,
    warnings: &mut Vec<String>,
) -> Result<Component> {
    if let Some(path) = path.filter(|path| path.exists()) {
        match cache::load(engine, path) {
            Ok(component) => return Ok(component),
            Err(error) => warnings.push(error.to_string()),
        }
    }
    if let Some(tell) = on_compile {
        tell();
    }
    let code = precompile(engine, what, &wasm())?;
    let Some(path) = path else {
        warnings.push(format!(
            "there is no folder for compiled code, so every process compiles {what} again; set RLM_SANDBOX_CACHE"
        ));
        return in_memory(engine, what, &code);
    };
    match cache::store(path, &code) {
        Ok(()) => cache::load(engine, path).or_else(|_| in_memory(engine, what, &code)),
        Err(error) => {
            warnings.push(format!(
                "{what} as compiled cannot be kept in {} ({error}), so every process compiles it again; set \
                 RLM_SANDBOX_CACHE to a folder that you can write",
                path.parent().unwrap_or(path).display()
            ));
            in_memory(engine, what, &code)
        }
    }
}

fn in_memory(engine: &Engine, what: &str, code: &[u8]) -> Result<Component> {
    cache::from_bytes(engine, code).map_err(|error| {
        let message = format!("cannot load {what} that was just compiled");
        Error::new(ErrorKind::Host, message).because(error)
    })
}

/// Compiles a component.
///
/// # Errors
///
/// [`ErrorKind::Guest`] if that is no component that this engine takes, or this
/// program was built without a compiler.
#[cfg(feature = "compiler")]
pub fn precompile(engine: &Engine, what: &str, wasm: &[u8]) -> Result<Vec<u8>> {
    let compiled = engine.precompile_component(wasm);
    compiled.map_err(|error| {
        Error::new(ErrorKind::Guest, format!("cannot compile {what}")).because(error)
    })
}

/// Says that this program was built without a compiler.
///
/// # Errors
///
/// Always.
#[cfg(not(feature = "compiler"))]
pub fn precompile(_engine: &Engine, what: &str, _wasm: &[u8]) -> Result<Vec<u8>> {
    Err(Error::new(
        ErrorKind::Guest,
        format!(
            "{what} is not compiled, and this program was built without the feature `compiler`; make a compiled file \
             with `rlm-sandbox compile -o FILE` and pass it to `Builder::compiled`"
        ),
    ))
}
