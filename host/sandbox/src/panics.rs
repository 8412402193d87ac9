//! Handlers of the embedder that panic.
//!
//! Whoever finds what makes a tool panic must not be able to end the host with it,
//! so a panic is an exception for the script, and ends there. The panic hook has
//! told people about it by then. Where panics abort the process nothing helps.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt as _;

/// What a script is told of whoever panicked.
pub(crate) const PANICKED: &str = "panicked, which is a bug of the program that runs this script";

/// What `handler` gives, or nothing if it panics.
///
/// Nobody looks at what it may have left half done: handlers own what they change,
/// and are shared by sessions of other threads anyway.
pub(crate) fn caught<T>(handler: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(handler)).ok()
}

/// The same for one that answers later.
pub(crate) async fn caught_later<T>(handler: impl Future<Output = T>) -> Option<T> {
    AssertUnwindSafe(handler).catch_unwind().await.ok()
}
