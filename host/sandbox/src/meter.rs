//! The loop that runs a guest, and what ends it.
//!
//! Time counts while the guest is inside `poll`, less what host functions take
//! there. Between polls, and while calls are answered, nothing counts.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use futures_util::task::AtomicWaker;

use crate::call::InFlight;
use rlm_sandbox_engine::{Meter, Ticker};

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
        let result = this.meter.poll(this.ticker, this.guest.as_mut(), context);
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

    /// Takes back what was asked, if no exec has ended by it yet.
    pub fn take_back(&self) {
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
