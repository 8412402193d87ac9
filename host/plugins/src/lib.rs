//! WebAssembly plugins for [`rlm_sandbox`]: heavy algorithms, parsers and policies
//! that users compile, loaded at run time and trusted no more than the Python that
//! calls them.
//!
//! ```no_run
//! use rlm_sandbox::Sandbox;
//! use rlm_sandbox_plugins::Registry;
//!
//! # fn main() -> rlm_sandbox::Result<()> {
//! let plugins = Registry::new()?;
//! let index = plugins.load_file("plugins/index.toml")?;
//! let mut session = Sandbox::new()?.session().plugin(index).open()?;
//! session.exec_blocking("for hit in index.search('error', 10): print(hit['line'], hit['text'])")?;
//! # Ok(())
//! # }
//! ```
//!
//! A plugin is a component, for the world `plugin` of `wit/plugin.wit` or with
//! functions of its own over any WIT values. Its [`Manifest`] says what it may
//! reach; nothing else is there. Each call has limits, and its fuel and time are
//! charged to the exec that made it.
//!
//! # Cost of compiling
//!
//! A component that would cost too much to compile is refused before the compiler sees it: see
//! [`CompileBounds`]. The command line compiles in a process of its own, which has a
//! deadline and a cap on memory; [`Builder::compiler`] is the way to do so elsewhere.
//!
//! # What a plugin can reach
//!
//! Contexts of the session and its model, the clock, randomness, variables of the
//! environment, folders to read: each only if the manifest grants it. No network,
//! no writing, no other plugin, no Python.

mod bounds;
mod call_time;
mod compiler;
mod conversion;
mod docs;
mod exec_wasm;
mod file;
mod folders;
mod function;
mod host;
mod imports;
mod inspect;
mod instance;
mod limits;
pub mod manifest;
mod open_files;
mod parts;
mod places;
mod plugin;
mod registry;
mod schema;
mod streams;
mod value;
mod wasi;
mod wave;
mod writer;

pub use bounds::{Compile, CompileBounds, CompileCost};
pub use compiler::{CompileRequest, compile};
pub use exec_wasm::ExecWasm;
pub use file::file_digest;
pub use imports::Import;
pub use inspect::{FunctionInspection, Inspection};
pub use limits::PluginLimits;
pub use manifest::{Keep, Manifest};
pub use plugin::WasmPlugin;
pub use registry::{Builder, Registry};

/// The README's programs are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
