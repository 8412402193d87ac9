//! Compute time.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// How long the guest of one exec has run.
#[derive(Debug, Default)]
pub struct Meter {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    done: Duration,
    running_since: Option<Instant>,
}

impl Meter {
    /// For a new exec.
    pub fn reset(&self) {
        *self.lock() = Inner::default();
    }

    /// For an exec that took `done` already.
    pub fn resume_at(&self, done: Duration) {
        *self.lock() = Inner {
            done,
            running_since: None,
        };
    }

    /// Compute time so far.
    pub fn read(&self) -> Duration {
        self.read_within_poll().0
    }

    /// Compute time so far, and the part of it that the poll at hand has taken.
    pub fn read_within_poll(&self) -> (Duration, Duration) {
        let inner = self.lock();
        let since = inner.running_since.map(|since| since.elapsed());
        let poll = since.unwrap_or_default();
        (inner.done.saturating_add(poll), poll)
    }

    /// Counts time that a plugin took.
    pub fn add(&self, time: Duration) {
        let mut inner = self.lock();
        inner.done = inner.done.saturating_add(time);
    }

    /// Runs a host function off the clock.
    pub fn pause<R>(&self, host: impl FnOnce() -> R) -> R {
        self.stop();
        let result = host();
        self.start();
        result
    }

    /// Runs work of the host on the clock.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        self.start();
        let result = work();
        self.stop();
        result
    }

    /// Polls a guest on the clock.
    pub fn poll<F: Future>(
        &self,
        guest: Pin<&mut F>,
        context: &mut Context<'_>,
    ) -> Poll<F::Output> {
        self.run(|| guest.poll(context))
    }

    fn start(&self) {
        self.lock().running_since = Some(Instant::now());
    }

    fn stop(&self) {
        let mut inner = self.lock();
        if let Some(since) = inner.running_since.take() {
            inner.done = inner.done.saturating_add(since.elapsed());
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
