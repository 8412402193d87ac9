//! The time of a call: computing, and waiting for files.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use rlm_sandbox_engine::{Alarm, AlarmClock, Meter};
use wasmtime::{CallHook, CallHookHandler, StoreContextMut};

use crate::instance::State;

/// Time after which a poll of a call yields to the executor where the guest returns from the host.
const POLL_TIME: Duration = Duration::from_millis(1);

/// Measures how long a call waits for the host, from the poll that returned without a result to
/// the wake. The time until the next poll is that of the executor and does not count: a plugin is
/// not charged for a busy program.
#[derive(Debug, Default)]
pub(crate) struct HostWait {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Waker of the task that polls the call.
    task: Option<Waker>,
    /// Start of the wait that is not over.
    since: Option<Instant>,
    is_woken: bool,
    is_free: bool,
    /// Waits that were not taken yet.
    waited: Duration,
}

impl Inner {
    fn end(&mut self) {
        if let Some(since) = self.since.take() {
            self.waited = self.waited.saturating_add(since.elapsed());
        }
    }
}

impl HostWait {
    /// Counts waits of a new call.
    pub(crate) fn reset(&self) {
        *self.lock() = Inner::default();
    }

    /// Sets whether waiting is free of charge, as for a model or for other calls.
    pub(crate) fn set_free(&self, is_free: bool) {
        self.lock().is_free = is_free;
    }

    /// Ends the wait before a poll of `task`, and returns its time.
    fn begin_poll(&self, task: &Waker) -> Duration {
        let mut inner = self.lock();
        inner.end();
        inner.is_woken = false;
        match &mut inner.task {
            Some(waker) => waker.clone_from(task),
            none => *none = Some(task.clone()),
        }
        std::mem::take(&mut inner.waited)
    }

    /// Begins a wait, unless it is free or over. Returns whether it began.
    fn begin_wait(&self) -> bool {
        let mut inner = self.lock();
        let waits = !inner.is_woken && !inner.is_free;
        inner.since = waits.then(Instant::now);
        waits
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for HostWait {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let mut inner = self.lock();
        inner.end();
        inner.is_woken = true;
        let task = inner.task.clone();
        drop(inner);
        if let Some(task) = task {
            task.wake();
        }
    }
}

/// The clock of one call.
pub(crate) struct CallTime<'a> {
    pub(crate) meter: &'a Meter,
    pub(crate) wait: &'a Arc<HostWait>,
    pub(crate) alarms: &'a AlarmClock,
    /// The most that both may be.
    pub(crate) most: Duration,
}

impl CallTime<'_> {
    /// Runs a future of the guest until it is done, or returns none when its time is over. Waits
    /// are passed to `count`.
    pub(crate) async fn run<F: Future>(
        &self,
        guest: F,
        count: impl Fn(Duration),
    ) -> Option<F::Output> {
        let mut guest = pin!(guest);
        let waker = Waker::from(Arc::clone(self.wait));
        let mut alarm: Option<Alarm> = None;
        poll_fn(|task| {
            alarm = None;
            let waited = self.wait.begin_poll(task.waker());
            if !waited.is_zero() {
                self.meter.add(waited);
                count(waited);
                if self.left().is_zero() {
                    return Poll::Ready(None);
                }
            }
            let mut woken_here = Context::from_waker(&waker);
            if let Poll::Ready(done) = self.meter.poll(guest.as_mut(), &mut woken_here) {
                return Poll::Ready(Some(done));
            }
            let left = self.left();
            if left.is_zero() {
                return Poll::Ready(None);
            }
            if self.wait.begin_wait()
                && let Some(deadline) = Instant::now().checked_add(left)
            {
                self.alarms.wake_at(deadline, task.waker(), &mut alarm);
            }
            Poll::Pending
        })
        .await
    }

    fn left(&self) -> Duration {
        self.most.saturating_sub(self.meter.read())
    }
}

/// Deadline check where the host is left for the guest: when a host function returns, and when the host
/// calls a function of the guest. Fuel does not tell how long a call runs: a host function costs the guest
/// a dozen units, and the host milliseconds where it copies megabytes. So a check at each fuel yield alone
/// would come minutes late, and the call would hold its thread until then.
pub(crate) struct DeadlineCheck;

#[wasmtime_wasi_io::async_trait]
impl CallHookHandler<State> for DeadlineCheck {
    async fn handle_call_event(
        &self,
        mut store: StoreContextMut<'_, State>,
        event: CallHook,
    ) -> wasmtime::Result<()> {
        if event.exiting_host() && store.data_mut().check_time()? >= POLL_TIME {
            yield_once().await;
        }
        Ok(())
    }
}

/// Yields to the executor. The immediate wake tells [`HostWait`] that the call does not wait.
fn yield_once() -> impl Future<Output = ()> + Send {
    let mut is_again = false;
    poll_fn(move |context| {
        if std::mem::replace(&mut is_again, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::thread;

    use super::*;

    const LIMIT: Duration = Duration::from_millis(100);

    /// Runs a future under a limit, and returns what it came to, its time and its waits.
    async fn run<F: Future>(
        wait: &Arc<HostWait>,
        guest: F,
    ) -> (Option<F::Output>, Duration, Duration) {
        let (meter, alarms) = (Meter::default(), AlarmClock::default());
        let time = CallTime {
            meter: &meter,
            wait,
            alarms: &alarms,
            most: LIMIT,
        };
        let counted = Cell::new(Duration::ZERO);
        let done = time.run(guest, |waited| counted.set(counted.get() + waited));
        let done = done.await;
        (done, meter.read(), counted.get())
    }

    #[tokio::test]
    async fn a_wait_that_never_ends_is_ended_and_charged() {
        let since = Instant::now();
        let (done, time, waited) = run(&Arc::default(), std::future::pending::<()>()).await;
        assert!(done.is_none());
        assert!(time >= LIMIT && waited >= LIMIT, "{time:?} {waited:?}");
        assert!(since.elapsed() < LIMIT * 10, "{:?}", since.elapsed());
    }

    #[tokio::test]
    async fn free_waits_and_those_of_the_executor_do_not_count() {
        let wait = Arc::<HostWait>::default();
        wait.set_free(true);
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let sleeper = thread::spawn(move || {
            thread::sleep(LIMIT * 2);
            sender.send(()).expect("it waits");
        });
        let (done, time, waited) = run(&wait, receiver).await;
        sleeper.join().expect("it ends");
        assert!(done.is_some() && time < LIMIT, "{time:?}");
        assert_eq!(waited, Duration::ZERO);

        // A task that is woken at once, and polled late.
        let wait = Arc::<HostWait>::default();
        let mut is_again = false;
        let guest = poll_fn(|task| {
            task.waker().wake_by_ref();
            match std::mem::replace(&mut is_again, true) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        });
        let busy = async { thread::sleep(LIMIT * 2) };
        let ((done, time, _), ()) = tokio::join!(run(&wait, guest), busy);
        assert!(done.is_some() && time < LIMIT, "{time:?}");
    }

    #[tokio::test]
    async fn waits_add_up() {
        let wait = Arc::<HostWait>::default();
        let guest = async {
            for _ in 0..100 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let (done, time, _) = run(&wait, guest).await;
        assert!(done.is_none() && time < LIMIT * 3, "{time:?}");
    }
}
