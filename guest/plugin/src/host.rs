//! What a plugin may ask of its host.
//!
//! A plugin's manifest says which contexts it may read and whether it may ask a
//! language model; printing and logging are always there. Only functions that
//! are used become imports of the component. Natively all of them panic.

use std::fmt;

pub use crate::context::{
    ContextError, ContextReader, read_context, read_context_at, read_context_text,
};
use bindings::rlm::sandbox::host;

/// How much a log message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// For whoever works on the plugin.
    Debug,
    /// What is going on.
    Info,
    /// Something odd.
    Warn,
    /// Something went wrong.
    Error,
}

/// Asks the host's default language model, and waits for its answer.
///
/// # Errors
///
/// [`NoAnswer`] says in the host's words why there is none.
pub fn llm_query(prompt: &str) -> Result<String, NoAnswer> {
    ask(prompt, None)
}

/// Asks the language model called `model`, and waits for its answer.
///
/// # Errors
///
/// [`NoAnswer`] says in the host's words why there is none.
pub fn llm_query_with(prompt: &str, model: &str) -> Result<String, NoAnswer> {
    ask(prompt, Some(model))
}

/// Prints text as the script that called the plugin would.
///
/// What is over the plugin's limit is dropped. [`print!`](crate::print) and
/// [`println!`](crate::println) take a format.
pub fn write_output(text: &str) {
    check();
    host::write_output(text);
}

/// Says something to the people who look into a run; no script sees it.
///
/// [`debug!`](crate::debug), [`info!`](crate::info), [`warn!`](crate::warn) and
/// [`error!`](crate::error) take a format.
pub fn log(level: Level, message: &str) {
    check();
    let level = match level {
        Level::Debug => host::Level::Debug,
        Level::Info => host::Level::Info,
        Level::Warn => host::Level::Warn,
        Level::Error => host::Level::Error,
    };
    host::log(level, message);
}

/// Why a language model did not answer, in the host's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoAnswer(String);

impl fmt::Display for NoAnswer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for NoAnswer {}

fn ask(prompt: &str, model: Option<&str>) -> Result<String, NoAnswer> {
    check();
    host::llm_query(prompt, model).map_err(NoAnswer)
}

/// One call of the host: at most `length` bytes from `offset` on.
pub(crate) fn piece(name: &str, offset: u64, length: u32) -> Result<Vec<u8>, ContextError> {
    check();
    host::read_context(name, offset, length).map_err(|reason| match reason {
        host::Unreadable::Unknown => ContextError::Unknown,
        host::Unreadable::Offset => ContextError::Offset,
    })
}

/// Panics where there is no host, and says so.
fn check() {
    #[cfg(not(target_family = "wasm"))]
    panic!("a plugin has a host in WebAssembly only; test functions that do not call it");
}

/// Both sides of the calls, from `wit/plugin.wit`.
#[allow(
    warnings,
    unsafe_code,
    clippy::all,
    clippy::allow_attributes_without_reason,
    clippy::undocumented_unsafe_blocks,
    clippy::use_self,
    reason = "generated"
)]
mod bindings {
    rlm_plugin_macro::host_bindings!();
}
