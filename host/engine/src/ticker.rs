//! The epoch of an engine, which advances while guests run.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::Engine;

/// Time from one epoch to the next.
pub const TICK: Duration = Duration::from_millis(1);

/// Advances the epoch of an engine every [`TICK`] while a guest runs, on a thread that ends within a tick after the last
/// guest, or sleeps until the next one if it was [prepared](Self::prepare).
#[derive(Clone, Debug)]
pub struct Ticker {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    engine: Engine,
    guests: Mutex<Guests>,
    /// Wakes a thread that is kept.
    wanted: Condvar,
}

#[derive(Debug, Default)]
struct Guests {
    running: usize,
    is_ticking: bool,
    /// True if the thread stays when no guest runs.
    is_kept: bool,
}

/// A guest that runs. While it is there the epoch advances.
#[derive(Debug)]
pub struct RunningGuest(Arc<Shared>);

impl Ticker {
    /// Creates a ticker, which does nothing yet.
    pub fn new(engine: &Engine) -> Self {
        Self {
            shared: Arc::new(Shared {
                engine: engine.clone(),
                guests: Mutex::default(),
                wanted: Condvar::new(),
            }),
        }
    }

    /// Lets the epoch advance until the guard is dropped.
    ///
    /// # Errors
    ///
    /// The system's, if there is no thread to be had.
    pub fn run(&self) -> io::Result<RunningGuest> {
        let mut guests = self.shared.guests();
        self.start(&mut guests)?;
        guests.running += 1;
        drop(guests);
        self.shared.wanted.notify_one();
        Ok(RunningGuest(Arc::clone(&self.shared)))
    }

    /// Starts the thread and keeps it, so that it need not be started later.
    ///
    /// # Errors
    ///
    /// The system's, if there is no thread to be had.
    pub fn prepare(&self) -> io::Result<()> {
        let mut guests = self.shared.guests();
        guests.is_kept = true;
        self.start(&mut guests)
    }

    fn start(&self, guests: &mut Guests) -> io::Result<()> {
        if !guests.is_ticking {
            let shared = Arc::clone(&self.shared);
            let thread = thread::Builder::new().name(String::from("rlm-sandbox-epoch"));
            thread.spawn(move || shared.tick())?;
            guests.is_ticking = true;
        }
        Ok(())
    }

    /// Returns whether its thread runs.
    pub fn is_ticking(&self) -> bool {
        self.shared.guests().is_ticking
    }
}

impl Shared {
    fn guests(&self) -> MutexGuard<'_, Guests> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self) {
        loop {
            thread::sleep(TICK);
            let mut guests = self.guests();
            while guests.running == 0 {
                if !guests.is_kept {
                    guests.is_ticking = false;
                    return;
                }
                let woken = self.wanted.wait(guests);
                guests = woken.unwrap_or_else(PoisonError::into_inner);
            }
            drop(guests);
            self.engine.increment_epoch();
        }
    }
}

impl Drop for RunningGuest {
    fn drop(&mut self) {
        self.0.guests().running -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn wait(mut until: impl FnMut() -> bool) {
        let since = Instant::now();
        while !until() {
            assert!(
                since.elapsed() < Duration::from_secs(20),
                "it does not happen"
            );
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_thread_ticks_while_a_guest_runs_and_no_longer() {
        let ticker = Ticker::new(&Engine::default());
        assert!(!ticker.is_ticking());
        for _ in 0..3 {
            let (one, other) = (
                ticker.run().expect("a thread"),
                ticker.run().expect("a thread"),
            );
            drop(one);
            thread::sleep(10 * TICK);
            assert!(ticker.is_ticking());
            drop(other);
            wait(|| !ticker.is_ticking());
        }
    }
}
