//! The clock behind every deadline: one thread that advances the engine's epoch.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use wasmtime::Engine;

/// How often a running guest looks at its deadline.
pub(crate) const TICK: Duration = Duration::from_millis(1);

/// Ticks without a running guest after which the thread parks. Waking it costs
/// a system call, which a session that execs again and again should not pay.
const LINGER: u32 = 100;

/// Ticks while a guest runs. The thread holds the engine weakly and ends with it.
#[derive(Debug, Clone)]
pub(crate) struct Ticker {
    shared: Arc<Shared>,
    thread: Thread,
}

#[derive(Debug, Default)]
struct Shared {
    /// Guests inside `poll`, in the upper half; whether the thread is parked, in bit 0.
    state: AtomicU64,
}

const RUNNING: u64 = 1 << 1;
const PARKED: u64 = 1;

impl Ticker {
    /// Starts the thread.
    pub(crate) fn start(engine: &Engine) -> std::io::Result<Self> {
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
                            thread::park_timeout(Duration::from_secs(1));
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

    /// Ticks until the guard is dropped.
    pub(crate) fn run(&self) -> Running<'_> {
        let before = self.shared.state.fetch_add(RUNNING, Ordering::AcqRel);
        if before & PARKED != 0 {
            self.thread.unpark();
        }
        Running { ticker: self }
    }
}

/// A guest that runs.
#[derive(Debug)]
pub(crate) struct Running<'a> {
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
