//! The part of a machine that Python sees: a clock, and nothing else.
//!
//! Monty asks for files, environment variables and modules it does not have;
//! each is refused as Python would. Clocks are read through WASI, where the
//! host answers with virtual time. A sleep is over at once and moves that time.

use std::thread;
use std::time::{Duration, Instant};

use monty_types::{
    DateTimeSource, ExcType, ExtFunctionResult, MontyException, OsFunctionCall, OsPolicy,
    ProcessTime, RandomSeed, RandomStart, SandboxTimeZone, SleepMode,
};

/// The longest that all sleeps of a session last together, so that scripts cannot fill the
/// virtual clock: 100 years.
pub(crate) const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// Virtual clocks in UTC, sleeps that we see, `random` from a known seed.
pub(crate) fn policy(seed: u64) -> OsPolicy {
    OsPolicy {
        datetime: DateTimeSource::System,
        timezone: SandboxTimeZone::utc(),
        sleep: SleepMode::CallHost,
        process_time: ProcessTime::Zero,
        random_start: RandomStart::Seed(RandomSeed::Int(seed.into())),
    }
}

/// Moves the clock. On WASI the host does not wait but jumps.
pub(crate) fn sleep(duration: Duration) {
    thread::sleep(duration);
}

/// When somebody wakes who goes to sleep now.
pub(crate) fn wakes_after(duration: Duration) -> Instant {
    Instant::now() + duration.min(LONGEST)
}

/// Returns how long a call sleeps, if it is one that does.
pub(crate) fn sleeps(call: &OsFunctionCall) -> Option<Duration> {
    match call {
        OsFunctionCall::Sleep(duration)
        | OsFunctionCall::SystemSleep(duration)
        | OsFunctionCall::AsyncSleep(duration)
        | OsFunctionCall::AsyncSystemSleep(duration) => Some(*duration),
        _ => None,
    }
}

/// The exception for a sleep that would last past [`LONGEST`].
pub(crate) fn too_long() -> MontyException {
    let message = "timestamp too large to convert to C PyTime_t: the sleeps of a session last 100 years together at most";
    MontyException::new(ExcType::OverflowError, Some(String::from(message)))
}

/// The answer to everything but sleeps.
pub(crate) fn answer(call: OsFunctionCall) -> ExtFunctionResult {
    match call {
        OsFunctionCall::Import(name) => ExtFunctionResult::Error(MontyException::new(
            ExcType::ModuleNotFoundError,
            Some(format!("No module named '{name}'")),
        )),
        refused => ExtFunctionResult::Error(refused.on_no_handler()),
    }
}

/// Sleepers as bytes: by how long they have yet to sleep.
pub(crate) mod sleepers {
    use std::time::{Duration, Instant};

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        sleepers: &[(u32, Instant)],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let now = Instant::now();
        let left = |(call, wakes): &(u32, Instant)| {
            let (left, overdue) = (
                wakes.saturating_duration_since(now),
                now.saturating_duration_since(*wakes),
            );
            (*call, left, overdue)
        };
        sleepers.iter().map(left).collect::<Vec<_>>().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<(u32, Instant)>, D::Error> {
        let now = Instant::now();
        let left = Vec::<(u32, Duration, Duration)>::deserialize(from)?;
        let wakes = |(call, left, overdue): (u32, Duration, Duration)| {
            (call, (now + left).checked_sub(overdue).unwrap_or(now))
        };
        Ok(left.into_iter().map(wakes).collect())
    }
}
