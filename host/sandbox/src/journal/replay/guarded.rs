//! A replay that ends when it takes more than its reader allows.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use crate::journal::ReaderGuard;

/// Puts a future under the limits of a reader.
pub(super) trait Guard: Future + Sized {
    /// Returns what the future gives, or none once one of the limits is reached, which
    /// is looked at before each poll: a guest hands its turn back every quarter of a
    /// millisecond.
    async fn guarded(self, guard: &ReaderGuard) -> Option<Self::Output> {
        let mut future = pin!(self);
        poll_fn(|context| match guard.reached() {
            Some(_) => Poll::Ready(None),
            None => future.as_mut().poll(context).map(Some),
        })
        .await
    }
}

impl<F: Future> Guard for F {}
