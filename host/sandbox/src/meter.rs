//! Compute time, and the loop that runs a guest.
//!
//! Time counts while the guest is inside `poll`, less what host functions take
//! there. Between polls, and while calls are answered, nothing counts.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::task::AtomicWaker;

use crate::call::InFlight;
use crate::ticker::Ticker;

/// How long the guest of one exec has run.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    done: Duration,
    running_since: Option<Instant>,
}

impl Meter {
    /// For a new exec.
    pub(crate) fn reset(&self) {
        *self.lock() = Inner::default();
    }

    /// For an exec that took `done` already.
    pub(crate) fn resume_at(&self, done: Duration) {
        *self.lock() = Inner {
            done,
            running_since: None,
        };
    }

    /// Compute time so far.
    pub(crate) fn read(&self) -> Duration {
        let inner = self.lock();
        let since = inner.running_since.map(|since| since.elapsed());
        inner.done.saturating_add(since.unwrap_or_default())
    }

    /// Runs a host function off the clock.
    pub(crate) fn pause<R>(&self, host: impl FnOnce() -> R) -> R {
        self.stop();
        let result = host();
        self.start();
        result
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

/// A future of the guest, run on the clock, with the work it has asked for
/// going on beside it.
pub(crate) struct Metered<'a, F> {
    pub(crate) guest: Pin<&'a mut F>,
    pub(crate) meter: &'a Meter,
    pub(crate) ticker: &'a Ticker,
    pub(crate) in_flight: &'a mut InFlight,
}

impl<F: Future> Future for Metered<'_, F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.get_mut();
        let running = this.ticker.run();
        this.meter.start();
        let result = this.guest.as_mut().poll(context);
        this.meter.stop();
        drop(running);
        // Work starts when it is asked for, not when the guest waits for it.
        this.in_flight.poll(context);
        result
    }
}

/// Ends the exec of a session from anywhere: another task, a thread, a signal
/// handler's task.
///
/// The exec ends with [`Stop::Canceled`](crate::Stop::Canceled) and what it
/// printed so far. A handle that was used stays used until the exec it hit has
/// ended; with no exec running it hits the next one.
#[derive(Clone, Debug, Default)]
pub struct CancelHandle {
    shared: Arc<Cancel>,
}

#[derive(Debug, Default)]
struct Cancel {
    asked: AtomicBool,
    waker: AtomicWaker,
}

impl CancelHandle {
    /// Asks the exec to end.
    pub fn cancel(&self) {
        self.shared.asked.store(true, Ordering::Release);
        self.shared.waker.wake();
    }

    /// Whether the exec was asked to end.
    pub fn is_canceled(&self) -> bool {
        self.shared.asked.load(Ordering::Acquire)
    }

    pub(crate) fn clear(&self) {
        self.shared.asked.store(false, Ordering::Release);
    }

    /// Has `context` woken when somebody cancels.
    pub(crate) fn register(&self, context: &Context<'_>) {
        self.shared.waker.register(context.waker());
    }
}

/// Runs a future to its end on the caller's thread.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Arc::new(Unpark(std::thread::current())).into();
    let mut context = Context::from_waker(&waker);
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(result) => return result,
            Poll::Pending => std::thread::park(),
        }
    }
}
