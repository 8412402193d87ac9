//! Compilers other than the one of this process.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rlm_sandbox::{Error, ErrorKind, Result};
use rlm_sandbox_engine::compile::{PANICKED, precompile};
use rlm_sandbox_engine::{AddressSpace, Settings};

use crate::bounds::Compile;
use crate::file;

/// Native stack of a plugin.
const WASM_STACK_BYTES: usize = 2 << 20;
/// Time that a compiler in a process of its own may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Address space of a compiler in a process of its own.
const MEMORY_BYTES: u64 = 4 << 30;

/// A component to compile.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CompileRequest<'a> {
    /// The component.
    pub wasm: &'a [u8],
    /// Configuration of the engine, for [`compile`].
    pub configuration: &'static str,
    /// Wall-clock time after which the compiler is to be ended.
    pub timeout: Duration,
    /// Bytes of address space that the compiler may have.
    pub memory_bytes: u64,
}

impl<'a> CompileRequest<'a> {
    pub(crate) fn new(wasm: &'a [u8], settings: &Settings, limits: &Compile) -> Self {
        Self {
            wasm,
            configuration: name(settings.address_space),
            timeout: limits.timeout_ms.map_or(TIMEOUT, Duration::from_millis),
            memory_bytes: limits.memory_bytes.unwrap_or(MEMORY_BYTES),
        }
    }
}

/// A function that compiles components, in place of the compiler of this process.
#[derive(Clone)]
pub(crate) struct Compiler(pub(crate) Arc<Function>);

type Function = dyn Fn(&CompileRequest<'_>) -> Result<Vec<u8>> + Send + Sync;

impl fmt::Debug for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiler").finish_non_exhaustive()
    }
}

fn name(address_space: AddressSpace) -> &'static str {
    match address_space {
        AddressSpace::Wide => "wide",
        AddressSpace::Narrow => "narrow",
        AddressSpace::Bounded => "bounded",
    }
}

/// Returns the engine's settings for plugins.
pub(crate) fn settings(address_space: AddressSpace, pool: Option<u32>) -> Settings {
    Settings {
        wasm_stack_bytes: WASM_STACK_BYTES,
        optimizes: false,
        ..Settings::new(address_space, pool)
    }
}

/// Compiles a component in the calling process, for a [`CompileRequest`] of another one.
///
/// Checks no bounds: the registry that made the request has done so.
///
/// # Errors
///
/// [`ErrorKind::Usage`](rlm_sandbox::ErrorKind::Usage) for an unknown configuration;
/// [`ErrorKind::Guest`](rlm_sandbox::ErrorKind::Guest) if the bytes are no component that the engine takes;
/// [`ErrorKind::Host`](rlm_sandbox::ErrorKind::Host) if the compiler panics, mostly for want of memory or threads.
pub fn compile(configuration: &str, wasm: &[u8]) -> Result<Vec<u8>> {
    let all = [
        AddressSpace::Wide,
        AddressSpace::Narrow,
        AddressSpace::Bounded,
    ];
    let mut spaces = all.into_iter();
    let Some(space) = spaces.find(|space| name(*space) == configuration) else {
        return Err(Error::usage(format!(
            "`{configuration}` is no configuration of the engine; give that of the request"
        )));
    };
    let engine = settings(space, None).engine("plugins")?;
    precompile(&engine, "the plugin", wasm, None).map_err(|error| {
        let why = std::error::Error::source(&error).map(ToString::to_string);
        match why.filter(|why| why.starts_with(PANICKED) && !why.contains(file::ADAPTER_PANIC)) {
            Some(why) => Error::new(ErrorKind::Host, why),
            None => error,
        }
    })
}
