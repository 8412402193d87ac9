//! The clock behind every deadline: one thread that advances the engine's epoch.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use wasmtime::Engine;

/// How often a running guest looks at its deadline.
pub const TICK: Duration = Duration::from_millis(1);

/// Ticks without a running guest after which the thread parks. Waking it costs
/// a system call, which a session that execs again and again should not pay.
const LINGER: u32 = 100;

/// Ticks while a guest runs. The thread holds the engine weakly and ends with it.
#[derive(Debug, Clone)]
pub struct Ticker {
    shared: Arc<Shared>,
    thread: Thread,
}

/// Somebody who is woken at an instant, unless this is dropped before.
#[derive(Debug)]
pub struct Alarm {
    ticker: Ticker,
    key: (Instant, u64),
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.ticker.shared.alarms().wakers.remove(&self.key);
    }
}

#[derive(Debug, Default)]
struct Shared {
    alarms: Mutex<Alarms>,
    /// Guests inside `poll`, in the upper half; whether the thread is parked, in bit 0.
    state: AtomicU64,
}

#[derive(Debug, Default)]
struct Alarms {
    /// By when they are due, and a number of their own.
    wakers: BTreeMap<(Instant, u64), Waker>,
    next: u64,
}

impl Shared {
    fn alarms(&self) -> MutexGuard<'_, Alarms> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes whoever is due; says how long it is to the next one.
    fn wake_due(&self) -> Duration {
        loop {
            let mut alarms = self.alarms();
            let Some(first) = alarms.wakers.first_entry() else {
                return LONGEST_PARK;
            };
            let left = first.key().0.saturating_duration_since(Instant::now());
            if !left.is_zero() {
                return left.min(LONGEST_PARK);
            }
            let waker = first.remove();
            drop(alarms);
            waker.wake();
        }
    }
}

/// After this long a parked thread looks whether its engine is gone.
const LONGEST_PARK: Duration = Duration::from_secs(1);

const RUNNING: u64 = 1 << 1;
const PARKED: u64 = 1;

impl Ticker {
    /// Starts the thread.
    pub fn start(engine: &Engine) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let weak = engine.weak();
        let theirs = Arc::clone(&shared);
        let handle = thread::Builder::new()
            .name(String::from("rlm-sandbox-ticker"))
            .spawn(move || {
                let mut idle = 0;
                while let Some(engine) = weak.upgrade() {
                    engine.increment_epoch();
                    drop(engine);
                    let mut next = theirs.wake_due();
                    idle = if theirs.state.load(Ordering::Acquire) >= RUNNING {
                        0
                    } else {
                        idle + 1
                    };
                    if idle < LINGER {
                        thread::sleep(TICK);
                    } else if theirs
                        .state
                        .compare_exchange(0, PARKED, Ordering::AcqRel, Ordering::Acquire)
                        .is_ok()
                    {
                        // Wakes up now and then to see whether the engine is gone.
                        while theirs.state.load(Ordering::Acquire) == PARKED
                            && weak.upgrade().is_some()
                        {
                            thread::park_timeout(next);
                            next = theirs.wake_due();
                        }
                        theirs.state.fetch_and(!PARKED, Ordering::AcqRel);
                        idle = 0;
                    }
                }
            })?;
        Ok(Self {
            shared,
            thread: handle.thread().clone(),
        })
    }

    /// Wakes `waker` at `deadline`. `alarm` is what the caller keeps of it from
    /// one poll to the next; the last waker counts.
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
        let first = alarms.wakers.first_key_value().map(|(first, _)| *first);
        drop(alarms);
        alarm.get_or_insert_with(|| Alarm {
            ticker: self.clone(),
            key,
        });
        if first == Some(key) {
            self.thread.unpark();
        }
    }

    /// Ticks until the guard is dropped.
    pub fn run(&self) -> Running<'_> {
        let before = self.shared.state.fetch_add(RUNNING, Ordering::AcqRel);
        if before & PARKED != 0 {
            self.thread.unpark();
        }
        Running { ticker: self }
    }
}

/// A guest that runs.
#[derive(Debug)]
pub struct Running<'a> {
    ticker: &'a Ticker,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.ticker
            .shared
            .state
            .fetch_sub(RUNNING, Ordering::AcqRel);
    }
}
