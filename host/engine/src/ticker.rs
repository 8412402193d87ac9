//! The epoch of an engine, which advances while guests run.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::Engine;

/// Time from one epoch to the next.
pub const TICK: Duration = Duration::from_millis(1);

/// Advances the epoch of an engine every [`TICK`] while a guest runs, on a thread that ends within a tick after the last
/// guest.
#[derive(Clone, Debug)]
pub struct Ticker {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    engine: Engine,
    guests: Mutex<Guests>,
}

#[derive(Debug, Default)]
struct Guests {
    running: usize,
    is_ticking: bool,
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
        if !guests.is_ticking {
            let shared = Arc::clone(&self.shared);
            let thread = thread::Builder::new().name(String::from("rlm-sandbox-epoch"));
            thread.spawn(move || shared.tick())?;
            guests.is_ticking = true;
        }
        guests.running += 1;
        Ok(RunningGuest(Arc::clone(&self.shared)))
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
            if guests.running == 0 {
                guests.is_ticking = false;
                return;
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
