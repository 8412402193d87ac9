//! The loop that runs a guest, and what ends it.
//!
//! Time counts while the guest is inside `poll`, less what host functions take
//! there. Between polls, and while calls are answered, nothing counts.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::task::AtomicWaker;

use crate::call::InFlight;
use crate::deadline::Deadline;
use crate::event::StoppedAt;
use crate::outcome::Stop;
use rlm_sandbox_engine::Meter;

/// A future of the guest, run on the clock, with the work it has asked for
/// going on beside it. Dropped in the middle, it gives the guest up.
pub(crate) struct Metered<'a, F> {
    pub(crate) guest: Pin<&'a mut F>,
    pub(crate) meter: &'a Meter,
    /// None where no time counts.
    pub(crate) watch: Option<Watch>,
    pub(crate) in_flight: &'a mut InFlight,
}

impl<T, F: Future<Output = wasmtime::Result<T>>> Future for Metered<'_, F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.get_mut();
        // It may have come up for air, or a sleep may be over too soon.
        if let Some(Err(killed)) = this
            .watch
            .as_ref()
            .map(|watch| watch.look(this.meter.read()))
        {
            return Poll::Ready(Err(wasmtime::Error::new(killed)));
        }
        let result = this.meter.poll(this.guest.as_mut(), context);
        // Work starts when it is asked for, not when the guest waits for it.
        this.in_flight.poll(context);
        result
    }
}

/// What is looked at whenever a guest comes up for air.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) brake: Brake,
    pub(crate) cancel: CancelHandle,
    /// Compute time that the execution may take.
    pub(crate) time: Duration,
    pub(crate) grace: Duration,
}

impl Watch {
    /// Wants the script to end when it is time, and says when the guest has to go.
    pub(crate) fn look(&self, now: Duration) -> Result<(), Killed> {
        match self.brake.pulled() {
            Some(stopping) if now >= stopping.since.saturating_add(self.grace) => {
                return Err(Killed);
            }
            Some(_) => {}
            None => match self.cancel.why() {
                Some(why) => self.brake.pull(why, now),
                None if now >= self.time => {
                    self.brake.pull(Stop::Time, now);
                }
                None => {}
            },
        }
        Ok(())
    }
}

/// Runs a future of the guest for so much compute time at the most. It has to come up for air. Waiting for a processor
/// between polls does not count.
///
/// # Errors
///
/// [`Killed`] if it takes longer; else its own.
pub(crate) async fn within<T>(
    bound: Option<Duration>,
    guest: impl Future<Output = wasmtime::Result<T>>,
) -> wasmtime::Result<T> {
    let meter = Meter::default();
    let mut guest = std::pin::pin!(guest);
    std::future::poll_fn(|context| {
        if bound.is_some_and(|bound| meter.read() > bound) {
            return Poll::Ready(Err(wasmtime::Error::new(Killed)));
        }
        meter.poll(guest.as_mut(), context)
    })
    .await
}

/// Why and since when the host wants the script to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopping {
    pub(crate) why: Stop,
    /// Compute time at which it was decided; `grace` later the guest is killed.
    pub(crate) since: Duration,
    /// The first read of the clock that said so.
    pub(crate) told: Option<StoppedAt>,
}

/// The host killed the guest: it did not end its script in time.
#[derive(Debug)]
pub(crate) struct Killed;

impl std::fmt::Display for Killed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the script did not end within the grace period")
    }
}

impl std::error::Error for Killed {}

/// True if the host wants the script to end. It is pulled from inside of the guest,
/// by imports, and from outside, by who polls it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Brake {
    shared: Arc<Mutex<Option<Stopping>>>,
}

impl Brake {
    fn lock(&self) -> MutexGuard<'_, Option<Stopping>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the script to end. The first reason stays, but for one: a limit that a call of the guest reaches takes the
    /// place of a stop by chance of which the guest was not told, as a replay meets that limit first.
    pub(crate) fn pull(&self, why: Stop, since: Duration) {
        let mut stopping = self.lock();
        let stopping = stopping.get_or_insert(Stopping {
            why,
            since,
            told: None,
        });
        let is_of_call = matches!(why, Stop::Output | Stop::Calls);
        if is_of_call && stopping.told.is_none() && stopping.why.is_by_chance() {
            stopping.why = why;
        }
    }

    pub(crate) fn release(&self) {
        *self.lock() = None;
    }

    pub(crate) fn pulled(&self) -> Option<Stopping> {
        *self.lock()
    }

    /// Notes that the guest was told, if it had to be; gives why, and whether it
    /// was the first time.
    pub(crate) fn tell(&self, at: StoppedAt) -> Option<(Stop, bool)> {
        let mut stopping = self.lock();
        let stopping = stopping.as_mut()?;
        let is_first = stopping.told.is_none();
        stopping.told.get_or_insert(at);
        Some((stopping.why, is_first))
    }
}

/// Ends what a session runs from anywhere: another task, a thread, a signal
/// handler's task.
///
/// The exec ends with [`Stop::Canceled`](crate::Stop::Canceled) and what it
/// printed so far. Inspections (`get`, `variables`, `export`), `park` and `fork`
/// end with [`ErrorKind::Canceled`](crate::ErrorKind::Canceled) and have no
/// effect, and a report is without variables. A handle that was used stays used
/// until what it hit has ended; with nothing running it hits what is next.
#[derive(Clone, Debug, Default)]
pub struct CancelHandle {
    shared: Arc<Cancel>,
}

/// The requests to end an execution from outside.
#[derive(Debug, Default)]
pub(crate) struct Cancel {
    /// True after a cancellation.
    asked: AtomicBool,
    /// True after the deadline.
    is_late: AtomicBool,
    waker: AtomicWaker,
    deadline: Mutex<Deadline>,
}

impl Cancel {
    pub(crate) fn deadline(&self) -> MutexGuard<'_, Deadline> {
        self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends what runs because its deadline is over.
    pub(crate) fn strike(&self) {
        self.is_late.store(true, Ordering::Release);
        self.waker.wake();
    }

    /// Forgets that a deadline was over.
    pub(crate) fn forget_deadline(&self) {
        self.is_late.store(false, Ordering::Release);
    }
}

impl CancelHandle {
    /// Asks what runs to end.
    pub fn cancel(&self) {
        self.shared.asked.store(true, Ordering::Release);
        self.shared.waker.wake();
    }

    /// Returns true if it was asked to end, or its deadline is over.
    pub fn is_canceled(&self) -> bool {
        self.why().is_some()
    }

    /// Returns when what runs was asked to end, or its deadline is over. Wakes one task at a time, that of the session:
    /// for what a session waits for outside of an execution.
    pub async fn canceled(&self) {
        std::future::poll_fn(|context| {
            self.register(context);
            match self.is_canceled() {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }

    /// Takes back what was asked, if nothing has ended by it yet.
    pub fn take_back(&self) {
        self.shared.asked.store(false, Ordering::Release);
    }

    /// Returns the reason why what runs has to end, if it has to.
    pub(crate) fn why(&self) -> Option<Stop> {
        if self.shared.asked.load(Ordering::Acquire) {
            return Some(Stop::Canceled);
        }
        let is_late = self.shared.is_late.load(Ordering::Acquire);
        is_late.then_some(Stop::Deadline)
    }

    /// Returns the state that all handles of a session share.
    pub(crate) fn shared(&self) -> &Arc<Cancel> {
        &self.shared
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

/// Lets other tasks run once.
pub(crate) async fn yield_now() {
    let mut has_yielded = false;
    poll_fn(move |context| {
        if has_yielded {
            return Poll::Ready(());
        }
        has_yielded = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_a_call_reaches_comes_before_a_stop_by_chance_that_was_not_told() {
        let told = StoppedAt { read: 1, fuel: 1 };
        for chance in [Stop::Time, Stop::Deadline, Stop::Canceled] {
            let brake = Brake::default();
            brake.pull(chance, Duration::from_millis(5));
            brake.pull(Stop::Output, Duration::from_millis(7));
            brake.pull(Stop::Calls, Duration::from_millis(8));
            let pulled = brake.pulled().expect("it was pulled");
            // The grace counts from the first.
            assert_eq!(
                (pulled.why, pulled.since),
                (Stop::Output, Duration::from_millis(5))
            );
            // A replay is told of both at the same read.
            let brake = Brake::default();
            brake.pull(chance, Duration::ZERO);
            brake.pull(Stop::Fuel, Duration::ZERO);
            assert_eq!(brake.pulled().map(|pulled| pulled.why), Some(chance));
            let brake = Brake::default();
            brake.pull(chance, Duration::ZERO);
            brake.tell(told);
            brake.pull(Stop::Output, Duration::ZERO);
            assert_eq!(brake.pulled().map(|pulled| pulled.why), Some(chance));
        }
    }

    #[test]
    fn a_bound_counts_what_a_future_computes_and_not_what_it_waits() {
        let bound = Some(Duration::from_millis(20));
        let run = |works: bool| {
            let mut polls = 0;
            let guest = std::future::poll_fn(|context: &mut Context<'_>| {
                polls += 1;
                if works {
                    std::thread::sleep(Duration::from_millis(30));
                }
                match polls {
                    3 => Poll::Ready(Ok(())),
                    _ => {
                        context.waker().wake_by_ref();
                        Poll::Pending
                    }
                }
            });
            let mut guest = std::pin::pin!(within(bound, guest));
            loop {
                let mut context = Context::from_waker(std::task::Waker::noop());
                if let Poll::Ready(ended) = guest.as_mut().poll(&mut context) {
                    return ended.is_ok();
                }
                // The processor is another one's.
                std::thread::sleep(Duration::from_millis(30));
            }
        };
        assert!(run(false));
        assert!(!run(true));
    }
}
