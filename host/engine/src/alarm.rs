//! Wakes whoever waits for an instant.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Waker;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Wakes tasks at instants, by a thread that is started when the first is set and
/// sleeps until the next is due. It ends with the last clone of this.
#[derive(Clone, Debug, Default)]
pub struct AlarmClock {
    shared: Arc<Shared>,
}

/// Somebody who is woken at an instant, unless this is dropped before.
#[derive(Debug)]
pub struct Alarm {
    shared: Arc<Shared>,
    key: (Instant, u64),
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.shared.alarms().wakers.remove(&self.key);
    }
}

#[derive(Debug, Default)]
struct Shared {
    alarms: Mutex<Alarms>,
}

#[derive(Debug, Default)]
struct Alarms {
    /// By when they are due, and a number of their own.
    wakers: BTreeMap<(Instant, u64), Waker>,
    next: u64,
    thread: Option<Thread>,
    /// When the thread looks again by itself; never, if there is none.
    looks: Option<Instant>,
}

impl Shared {
    fn alarms(&self) -> MutexGuard<'_, Alarms> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes whoever is due; says how long it is to the next one, if there is one.
    fn wake_due(&self) -> Option<Duration> {
        loop {
            let mut alarms = self.alarms();
            let now = Instant::now();
            let first = alarms.wakers.first_key_value().map(|(key, _)| key.0);
            alarms.looks = first;
            let left = first?.saturating_duration_since(now);
            if !left.is_zero() {
                return Some(left);
            }
            let due = alarms.wakers.pop_first();
            // Whoever is woken may set an alarm.
            drop(alarms);
            if let Some((_, waker)) = due {
                waker.wake();
            }
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(thread) = &self.alarms().thread {
            thread.unpark();
        }
    }
}

impl AlarmClock {
    /// Wakes `waker` at `deadline`, or at once where there is no thread to be had.
    /// `alarm` is what the caller keeps of it from one poll to the next; the last
    /// waker counts.
    pub fn wake_at(&self, deadline: Instant, waker: &Waker, alarm: &mut Option<Alarm>) {
        let mut alarms = self.shared.alarms();
        let key = match alarm {
            Some(alarm) => alarm.key,
            None => {
                alarms.next += 1;
                (deadline, alarms.next)
            }
        };
        alarms.wakers.insert(key, waker.clone());
        let is_sooner = alarms.looks.is_none_or(|looks| key.0 < looks);
        if is_sooner {
            alarms.looks = Some(key.0);
        }
        let thread = match &alarms.thread {
            Some(thread) => is_sooner.then(|| thread.clone()),
            None => {
                alarms.thread = self.start();
                if alarms.thread.is_none() {
                    waker.wake_by_ref();
                }
                None
            }
        };
        drop(alarms);
        alarm.get_or_insert_with(|| Alarm {
            shared: Arc::clone(&self.shared),
            key,
        });
        if let Some(thread) = thread {
            thread.unpark();
        }
    }

    /// Starts the thread, so that it need not be started later. Without one everyone is woken at once.
    pub fn prepare(&self) {
        let mut alarms = self.shared.alarms();
        if alarms.thread.is_none() {
            alarms.thread = self.start();
        }
    }

    fn start(&self) -> Option<Thread> {
        let shared = Arc::downgrade(&self.shared);
        let thread = thread::Builder::new().name(String::from("rlm-sandbox-alarms"));
        let handle = thread.spawn(move || run(&shared)).ok()?;
        Some(handle.thread().clone())
    }
}

fn run(shared: &Weak<Shared>) {
    while let Some(held) = shared.upgrade() {
        let left = held.wake_due();
        // Held no longer, so that it ends when everybody else lets go.
        drop(held);
        match left {
            Some(left) => thread::park_timeout(left),
            None => thread::park(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    use super::*;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn soon(count: &Count, wanted: usize) -> bool {
        (0..5000).any(|_| {
            thread::sleep(Duration::from_millis(1));
            count.0.load(Ordering::SeqCst) == wanted
        })
    }

    #[test]
    fn who_is_due_is_woken_and_a_sooner_one_before() {
        let clock = AlarmClock::default();
        let (late, sooner) = (Arc::new(Count::default()), Arc::new(Count::default()));
        let (mut one, mut other) = (None, None);
        let now = Instant::now();
        let hour = now + Duration::from_secs(3600);
        clock.wake_at(hour, &Waker::from(Arc::clone(&late)), &mut one);
        let soon_after = now + Duration::from_millis(5);
        clock.wake_at(soon_after, &Waker::from(Arc::clone(&sooner)), &mut other);
        assert!(soon(&sooner, 1));
        assert_eq!(late.0.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn an_alarm_that_is_dropped_wakes_nobody_and_the_thread_ends_with_the_clock() {
        let clock = AlarmClock::default();
        let count = Arc::new(Count::default());
        let mut alarm = None;
        let deadline = Instant::now() + Duration::from_millis(20);
        clock.wake_at(deadline, &Waker::from(Arc::clone(&count)), &mut alarm);
        drop(alarm);
        thread::sleep(Duration::from_millis(60));
        assert_eq!(count.0.load(Ordering::SeqCst), 0);
        let shared = Arc::downgrade(&clock.shared);
        drop(clock);
        assert!(shared.upgrade().is_none());
    }
}
