//! The other side of the wall, as the REPL sees it.

use crate::bindings::rlm::sandbox::{calls, console, context, position};

pub use calls::{Prompt, Reply};
pub use console::{Accepted, Channel, Level};
pub use context::ContextError;

/// Imports of the world `python`, which a REPL may ask of its host.
///
/// The WIT files say what each function promises. A trait stands between them
/// and the REPL so that tests can answer natively.
pub trait Host {
    /// `console.write-output`.
    fn write_output(&self, to: Channel, text: &str) -> Accepted;
    /// `console.log`.
    fn log(&self, level: Level, message: &str);
    /// `position.at`.
    fn at(&self, script: u32, line: u32);
    /// `context.read-context`.
    fn read_context(&self, name: &str, offset: u64, length: u32) -> Result<String, ContextError>;
    /// `context.read-context-bytes`.
    fn read_context_bytes(
        &self,
        name: &str,
        offset: u64,
        length: u32,
    ) -> Result<Vec<u8>, ContextError>;
    /// `calls.llm-query`.
    fn llm_query(&self, prompts: &[Prompt], batched: bool) -> Reply;
    /// `calls.call-tool`.
    fn call_tool(&self, name: &str, arguments: &str) -> Reply;
}

/// The imports of the component.
#[derive(Debug, Clone, Copy, Default)]
pub struct Imports;

impl Host for Imports {
    fn write_output(&self, to: Channel, text: &str) -> Accepted {
        console::write_output(to, text)
    }

    fn log(&self, level: Level, message: &str) {
        console::log(level, message);
    }

    fn at(&self, script: u32, line: u32) {
        position::at(script, line);
    }

    fn read_context(&self, name: &str, offset: u64, length: u32) -> Result<String, ContextError> {
        context::read_context(name, offset, length)
    }

    fn read_context_bytes(
        &self,
        name: &str,
        offset: u64,
        length: u32,
    ) -> Result<Vec<u8>, ContextError> {
        context::read_context_bytes(name, offset, length)
    }

    fn llm_query(&self, prompts: &[Prompt], batched: bool) -> Reply {
        calls::llm_query(prompts, batched)
    }

    fn call_tool(&self, name: &str, arguments: &str) -> Reply {
        calls::call_tool(name, arguments)
    }
}
