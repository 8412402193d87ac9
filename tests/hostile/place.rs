//! Where a script that means harm runs.

use std::fs;
use std::process::Command;

use crate::report::Suffered;

/// Names the place to the process that is to be one.
const PLACE: &str = "RLM_SANDBOX_TEST_PLACE";
/// Names the file with the source.
pub(crate) const SOURCE: &str = "RLM_SANDBOX_TEST_SOURCE";

/// The most a process may have held, in KiB. A session may have 64 MiB of its
/// own, twice that while it is brought back, and there are two sessions; the
/// rest is the program with its tables.
const PEAK_KIB: u64 = 400 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) thread: Thread,
    /// True if instances come from a pool.
    pub(crate) is_pooled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thread {
    Main,
    /// One whose stack is small.
    Small,
    /// A worker of a tokio runtime.
    Worker,
}

impl Place {
    pub(crate) const ALL: [Self; 6] = [
        Self::new(Thread::Main, false),
        Self::new(Thread::Small, true),
        Self::new(Thread::Worker, false),
        Self::new(Thread::Main, true),
        Self::new(Thread::Small, false),
        Self::new(Thread::Worker, true),
    ];

    const fn new(thread: Thread, is_pooled: bool) -> Self {
        Self { thread, is_pooled }
    }

    pub(crate) fn name(self) -> &'static str {
        match (self.thread, self.is_pooled) {
            (Thread::Main, false) => "main thread",
            (Thread::Main, true) => "main thread, pool",
            (Thread::Small, false) => "small stack",
            (Thread::Small, true) => "small stack, pool",
            (Thread::Worker, false) => "worker",
            (Thread::Worker, true) => "worker, pool",
        }
    }

    /// Returns whether everything may be imported and sources may be long, so that only the
    /// walls are left.
    pub(crate) fn is_lax(self) -> bool {
        !self.is_pooled
    }

    /// Runs a source in a process of its own. Says what is wrong, if anything is.
    pub(crate) fn run(self, source: &str) -> Result<Suffered, String> {
        let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        fs::write(&file, source).map_err(|error| error.to_string())?;
        let mut process = Command::new(std::env::current_exe().expect("this program"));
        process.env(PLACE, self.name()).env(SOURCE, file.path());
        let output = process.output().map_err(|error| error.to_string())?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return Err(format!(
                "the process ended with {}: {stderr}",
                output.status
            ));
        }
        let suffered: Suffered = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("it told nothing ({error}): {stderr}"))?;
        // The source itself: the process's own, the session's, and the guest's.
        let sources_kib = 3 * (source.len() as u64 >> 10);
        if suffered.peak_kib > PEAK_KIB + sources_kib {
            return Err(format!("it held {} KiB: {suffered:?}", suffered.peak_kib));
        }
        Ok(suffered)
    }
}

/// The place that this process is asked to be.
pub(crate) fn asked_for() -> Option<Place> {
    let name = std::env::var(PLACE).ok()?;
    let place = Place::ALL.into_iter().find(|place| place.name() == name);
    Some(place.expect("the name of a place"))
}
