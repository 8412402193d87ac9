//! Time and randomness as a guest knows them: both follow from settings.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::builder::DATES;

/// Returns the time of day that people set: where the clocks of sessions start, and what they follow between executions.
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// Virtual time: the start of the session, a tenth of a nanosecond for each
/// unit of fuel, and the time that the script slept. The time of day also goes on between executions.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Clock {
    pub(crate) started: SystemTime,
    /// Fuel of the session before the event at hand.
    pub(crate) fuel_before: u64,
    /// Fuel of the exec at hand before this event.
    pub(crate) exec_fuel_before: u64,
    /// What the store was given for this event.
    pub(crate) fuel_set: u64,
    pub(crate) slept_nanoseconds: u64,
    pub(crate) jumped_nanoseconds: u64,
    /// Seconds by which the time of day went on between executions, all together.
    #[serde(default)]
    pub(crate) waited_seconds: u64,
    /// Reads within the event at hand.
    pub(crate) reads: u64,
    /// True if time stands still, as it does while the host moves a session.
    pub(crate) stands_still: bool,
}

impl Clock {
    pub(crate) fn new(started: SystemTime) -> Self {
        Self {
            started,
            fuel_before: 0,
            exec_fuel_before: 0,
            fuel_set: 0,
            slept_nanoseconds: 0,
            jumped_nanoseconds: 0,
            waited_seconds: 0,
            reads: 0,
            stands_still: true,
        }
    }

    /// Fuel of the exec at hand, when the store has `left`.
    pub(crate) fn exec_fuel(&self, left: u64) -> u64 {
        self.exec_fuel_before
            .saturating_add(self.fuel_set.saturating_sub(left))
    }

    /// Virtual time that so much fuel takes.
    pub(crate) fn time(fuel: u64) -> Duration {
        Duration::from_nanos(Self::fuel_nanoseconds(fuel))
    }

    fn fuel_nanoseconds(fuel: u64) -> u64 {
        fuel / 10
    }

    pub(crate) fn nanoseconds(&self, left: u64) -> u64 {
        let fuel = match self.stands_still {
            true => self.fuel_before,
            false => self
                .fuel_before
                .saturating_add(self.fuel_set.saturating_sub(left)),
        };
        Self::fuel_nanoseconds(fuel)
            .saturating_add(self.slept_nanoseconds)
            .saturating_add(self.jumped_nanoseconds)
    }

    pub(crate) fn sleep(&mut self, nanoseconds: u64) {
        self.slept_nanoseconds = self.slept_nanoseconds.saturating_add(nanoseconds);
    }

    /// Time since 1970, when the store has `left`.
    pub(crate) fn wall(&self, left: u64) -> Duration {
        let start = self.started.duration_since(UNIX_EPOCH).unwrap_or_default();
        // Jumps are a signal, not time.
        let passed = Duration::from_nanos(self.nanoseconds(left) - self.jumped_nanoseconds);
        let here = start.saturating_add(passed);
        // A file may say anything of the wait.
        let waited = Duration::from_secs(self.waited_seconds).min(DATES.saturating_sub(here));
        here.saturating_add(waited)
    }

    /// Returns the seconds to wait, all together, so that the time of day is `now`, to the second. It never goes back.
    pub(crate) fn seconds_to_wait(&self, now: SystemTime) -> u64 {
        let now = now
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .min(DATES);
        // At the beginning of an event, before it has used fuel.
        let here = self.wall(self.fuel_set);
        self.waited_seconds
            .saturating_add(now.saturating_sub(here).as_secs())
    }
}

/// Randomness from the session's seed (SplitMix64).
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}
