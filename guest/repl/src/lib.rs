//! The REPL that the guest component is made of.
//!
//! [`Repl`] drives Monty, a Python interpreter without system calls, through
//! the interface `rlm:sandbox/repl`: it feeds scripts, hands requests to a
//! [`Host`], gives the turn back when nothing can run without an answer, and
//! turns values into text. It knows nothing of WebAssembly, so its tests run
//! natively with a host made of plain closures.
//!
//! Everything that leaves is text. Monty's structural export panics on some
//! values (a class next to its instance), so values are first reduced inside
//! Python to ones that are safe; see `report.rs`.

pub mod allocations;
mod answers;
mod awaits;
mod begin;
pub mod bindings;
mod callbacks;
mod caps;
mod compat;
mod conclude;
mod console;
mod contexts;
mod dump;
mod edits;
mod evaluated;
mod failure;
mod finish;
mod functions;
mod hints;
mod host;
mod intact;
mod modules;
mod namespace;
mod nesting;
mod numbers;
mod pools;
mod profile;
mod repl;
mod report;
mod requests;
mod scaffold;
mod script;
mod source;
mod survey;
mod system;
mod turn;
mod unfinished;
mod validate;
mod value;
mod variables;
mod wrap;

pub use host::{Accepted, Channel, ContextError, Host, Imports, Level, Prompt, Reply};
pub use repl::Repl;
pub use validate::{validate, wrap};
