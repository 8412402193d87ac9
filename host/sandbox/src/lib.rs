//! Runs untrusted Python inside WebAssembly.
//!
//! ```
//! use rlm_sandbox::{Sandbox, Tool, ToolContext};
//!
//! # fn main() -> rlm_sandbox::Result<()> {
//! let sandbox = Sandbox::new()?;
//! let shout = Tool::immediate("shout", |_: &ToolContext, (text,): (String,)| Ok(text.to_uppercase()));
//! let mut session = sandbox.session().tool(shout).open()?;
//! session.exec_blocking("words = ['hello', 'wasm']")?;
//! let outcome = session.exec_blocking("[shout(w) for w in words]")?;
//! assert_eq!(outcome.value::<Vec<String>>()?, ["HELLO", "WASM"]);
//! # Ok(())
//! # }
//! ```
//!
//! # What it does, and what it does not
//!
//! Python is interpreted by [Monty](https://docs.rs/monty), which has no system
//! calls, compiled to a WebAssembly component whose only way out is the
//! interface in `wit/`. Every exec has limits on time, fuel, memory, output and
//! calls. There are no packages and no files, and not all of Python: classes
//! do not inherit, for one. The README has the list.
//!
//! # The types you will meet
//!
//! A [`Sandbox`] holds the engine and the compiled interpreter, once for each
//! process. A [`Session`] is a namespace; each [`exec`](Session::exec) of it
//! ends in an [`Outcome`], within its [`Limits`]. [`Tool`]s, an [`Lm`] and
//! [`Context`]s are all that a script can reach. A [`Profile`] says what Python
//! sees, a [`Format`] how an outcome is written for a reader, a [`View`] what a
//! model is shown of it.
//!
//! # What a script can reach
//!
//! Nothing, unless a tool, a model or a context gives it.
//!
//! # Cargo features
//!
//! - `python` (default): carries the interpreter. Without it `exec_python`
//!   says, in band, that it is unavailable.
//! - `compiler` (default): carries Cranelift, to compile the interpreter on
//!   first use. Without it a file that `rlm-sandbox compile` made must be given
//!   to [`Builder::compiled`].
//! - `pulley`: carries the engine's own interpreter, for machines that native
//!   code cannot be compiled for.
//!
//! # Architecture
//!
//! `ARCHITECTURE.md` in the repository is the map. Three things hold
//! everywhere: guests only make claims, which are parsed before anything
//! believes them; a script's failure is a value and never an [`Error`]; nothing
//! enters an instance that is not an event.

mod admission;
mod answer;
mod arguments;
mod asked;
mod base;
mod bindings;
mod branch;
mod budget;
mod builder;
mod call;
mod caps;
mod checking;
mod clock;
mod context;
mod cost;
mod deadline;
mod dump;
mod ending;
mod event;
mod exec;
mod fault;
mod format;
mod guest;
mod guest_state;
mod imports;
mod inputs;
mod instance;
mod instructions;
mod journal;
mod kept_bytes;
mod limits;
mod local_tools;
mod memory;
mod meter;
mod model;
mod noting;
mod open_calls;
mod outcome;
mod output;
mod packed;
mod panics;
mod parked;
mod parked_state;
mod passing;
mod plugin;
mod portable;
mod profile;
mod recovery;
mod requests;
mod residence;
mod response;
mod sandbox;
mod sealed;
mod session;
mod state;
mod stats;
mod tool;
mod underway;
mod validation;
mod value;
mod view;
mod waiting;
mod wasi;

pub use admission::PluginMemory;
pub use arguments::Arguments;
pub use branch::{Branch, BranchPoint, Change, RecordedCall, Run, Turn};
#[doc(hidden)]
pub use branch::{BranchPlace, Rest};
pub use builder::SessionBuilder;
pub use call::{Answer, Call, CallRecord, Progress, Prompt, Request};
pub use context::{Context, select_default_context};
pub use cost::Allowance;
pub use deadline::DeadlinePause;
pub use event::{Event, StoppedAt};
pub use fault::Faults;
pub use format::Format;
pub use journal::{
    Cassette, Divergence, Journal, Place, ReaderLimit, ReaderLimits, Record, RecordedBranch,
    Recording, Replayed, Verdict,
};
pub use limits::{Limits, Overflow, SandboxLimits, SandboxUsage};
pub use local_tools::{
    Capability, DEFAULT_TIMEOUT, Definition, LocalTools, MAX_TIMEOUT, Shape, ToolResult, WasmCall,
    exec_wasm_definition,
};
pub use meter::CancelHandle;
pub use model::{Lm, LmAnswer, LmError, LmRequest, TokenUsage};
pub use outcome::{
    Cause, Ending, Exception, Final, Finisher, Look, Outcome, Rewrite, State, Stop, Usage, Variable,
};
pub use output::Channel;
pub use parked::Parked;
pub use plugin::{Plugin, PluginAnswer, PluginCall, PluginFunction};
pub use portable::{Portable, Skipped};
pub use profile::{
    Errors, Fences, Imports, Name, Namespace, OnError, Opens, Output, Print, Profile, ProfileNames,
    Returns, Runtime, ShowVars, Syntax, Undefined,
};
pub use response::{
    FinalText, WrongLanguage, extract_code, find_code_blocks, parse_final, strip_code_fences,
};
pub use rlm_sandbox_engine::{Error, ErrorKind, Metering, Result};
pub use sandbox::{Builder, Sandbox};
pub use session::{Session, Step};
pub use stats::Stats;
pub use tool::{Tool, ToolContext, ToolError, is_identifier};
pub use validation::{Preprocessed, Validation};
#[doc(hidden)]
pub use value::{
    MOST_LEVELS, has_reserved_key, holds_dictionary, is_read_by_all, parse as parse_value,
};
pub use value::{Value, plain_json, python_json};
pub use view::{Shown, View, format_iteration};
