//! Write a Rust function, get a plugin for `rlm-sandbox`.
//!
//! A plugin is a WebAssembly component whose functions a sandboxed script can
//! call. This library makes one from plain Rust:
//!
//! ```
//! #[rlm_plugin::plugin]
//! mod words {
//!     /// How often each word occurs, most frequent first.
//!     pub fn count(text: String, most: Option<u32>) -> Vec<Word> {
//!         let mut counts = std::collections::BTreeMap::new();
//!         for word in text.split_whitespace() {
//!             *counts.entry(word.to_lowercase()).or_insert(0) += 1;
//!         }
//!         let mut words: Vec<Word> =
//!             counts.into_iter().map(|(text, times)| Word { text, times }).collect();
//!         words.sort_by_key(|word| std::cmp::Reverse(word.times));
//!         words.truncate(most.map_or(usize::MAX, |most| most as usize));
//!         words
//!     }
//!
//!     /// A word.
//!     pub struct Word {
//!         /// The word itself, in lower case.
//!         pub text: String,
//!         /// How often it occurs.
//!         pub times: u64,
//!     }
//! }
//! # fn main() {}
//! ```
//!
//! The manifest has this crate and a crate type, and nothing else is needed:
//!
//! ```toml
//! [lib]
//! crate-type = ["cdylib"]
//!
//! [dependencies]
//! rlm-plugin = { path = "…" }
//! ```
//!
//! `cargo build --release --target wasm32-wasip2` makes the component.
//!
//! # Two ways
//!
//! [`plugin`] exports every `pub fn` of a module, with the types it has. [`run`]
//! exports one function that takes JSON and gives JSON, as any Serde types.
//!
//! # What a plugin can reach
//!
//! What its arguments hold, and what [`host`] has, as far as its manifest says.
//! There are no files, no network and no environment.
//!
//! # Tests
//!
//! `cargo test` runs natively, where there is no host: a function of [`host`]
//! panics. Keep what you test in functions that take text or bytes.

mod context;
mod error;
pub mod host;
mod json;
mod print;
mod wire;

pub use error::Error;

/// Exports each `pub fn` of a module as a function of the plugin.
///
/// The module is named as the plugin is for the host. A function `line_count` is
/// called `line-count` there, with the types it has in Rust. These can cross:
///
/// | Rust | there |
/// |---|---|
/// | `bool`, `u8` to `u64`, `i8` to `i64`, `f32`, `f64`, `char`, `String` | the same |
/// | `Vec<T>`, `Option<T>`, tuples of up to eight | list, option, tuple |
/// | `Result<T, E>` | result |
/// | a `pub struct` of the module, with named `pub` fields | record |
/// | a `pub enum` of the module without payloads | enum |
/// | a `pub enum` of the module with payloads, one at the most for each case | variant |
///
/// Parameters may be `&str`, `&[T]`, and either of them in an `Option`, too.
///
/// The error of a `Result` that a function returns may also be anything from
/// outside the module that has `Display` ([`Error`], `anyhow::Error`,
/// `std::io::Error`); it crosses as text. A type of the module crosses as a value,
/// with its fields or cases, even if it has `Display`. An error that is to cross
/// as text is a `String`, an [`Error`], or a type from outside the module: one
/// that the module imports with `use` is.
///
/// Your types stay your own: derive what you like, give them methods. Whatever
/// else the module holds stays private: functions without `pub`, types that no
/// exported function uses, other modules, tests. What macros make is not seen.
///
/// What is written in `///` about the module, its functions, types, fields and
/// cases is kept in the section `rlm:docs` of the component's core module, as a
/// line of JSON, for the host to show.
///
/// # Errors
///
/// Whatever cannot cross does not compile, and the message says what can.
///
/// # Examples
///
/// ```
/// #[rlm_plugin::plugin]
/// mod levels {
///     use std::fmt;
///
///     /// The lines of a log that matter at least as much as `least`.
///     pub fn filter(log: &str, least: Level) -> Result<Vec<String>, Unknown> {
///         let mut found = Vec::new();
///         for line in log.lines() {
///             if level(line)? >= least {
///                 found.push(line.to_owned());
///             }
///         }
///         Ok(found)
///     }
///
///     /// How much a line matters.
///     #[derive(PartialEq, Eq, PartialOrd, Ord)]
///     pub enum Level {
///         Note,
///         Warning,
///     }
///
///     /// A line of neither level.
///     pub struct Unknown {
///         pub line: String,
///     }
///
///     // Not exported.
///     fn level(line: &str) -> Result<Level, Unknown> {
///         match line.split(':').next() {
///             Some("note") => Ok(Level::Note),
///             Some("warning") => Ok(Level::Warning),
///             _ => Err(Unknown { line: line.to_owned() }),
///         }
///     }
/// }
/// # fn main() {}
/// ```
pub use rlm_plugin_macro::plugin;

/// Exports one function from JSON to JSON, as the world `plugin` of
/// `wit/plugin.wit` has it.
///
/// The function takes one Serde type and gives a `Result` of another; its error
/// has `Display` and crosses as text, as does the error of an input that does
/// not fit.
///
/// # Examples
///
/// ```
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize)]
/// struct Question {
///     numbers: Vec<f64>,
/// }
///
/// #[derive(Serialize)]
/// struct Answer {
///     mean: f64,
/// }
///
/// fn mean(question: Question) -> Result<Answer, rlm_plugin::Error> {
///     if question.numbers.is_empty() {
///         return Err(rlm_plugin::Error::new("there are no numbers"));
///     }
///     let sum: f64 = question.numbers.iter().sum();
///     Ok(Answer { mean: sum / question.numbers.len() as f64 })
/// }
///
/// rlm_plugin::run!(mean);
/// # fn main() {}
/// ```
pub use rlm_plugin_macro::run;

/// What the macros' output needs; no part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::json::run;
    pub use crate::wire::{Lift, Lower};
    pub use wit_bindgen;
}
