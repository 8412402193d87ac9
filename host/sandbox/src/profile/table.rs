//! The table `[limits]` of a profile: the limits by the names they have on the
//! command line, in seconds, bytes and numbers.

use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::limits::{Limits, Overflow};

/// A time in seconds, whole or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seconds(pub(super) Duration);

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(seconds)
            .map(Self)
            .map_err(|_| D::Error::custom("a time is a number of seconds, as 30 or 0.25"))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Table {
    #[serde(alias = "max_duration_secs")]
    time: Option<Seconds>,
    deadline: Option<Seconds>,
    grace: Option<Seconds>,
    fuel: Option<u64>,
    #[serde(alias = "max_memory")]
    memory: Option<u64>,
    #[serde(alias = "max_recursion_depth")]
    recursion: Option<u32>,
    #[serde(alias = "max_allocations")]
    allocations: Option<u64>,
    source: Option<u32>,
    output: Option<u64>,
    output_overflow: Option<Overflow>,
    value: Option<u32>,
    request: Option<u32>,
    calls: Option<u64>,
    open_calls: Option<u32>,
    call_wait: Option<Seconds>,
    model_calls: Option<u64>,
    tool_answer: Option<u64>,
    model_answer: Option<u64>,
}

/// What is not said stays as it is by default.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Limits, D::Error> {
    let table = Table::deserialize(deserializer)?;
    let mut limits = Limits::default();
    fn set<T>(place: &mut T, said: Option<T>) {
        if let Some(said) = said {
            *place = said;
        }
    }
    set(&mut limits.time, table.time.map(|time| time.0));
    limits.deadline = table.deadline.map(|time| time.0);
    set(&mut limits.grace, table.grace.map(|time| time.0));
    limits.fuel = table.fuel;
    set(&mut limits.memory_bytes, table.memory);
    set(&mut limits.recursion, table.recursion);
    limits.allocations = table.allocations;
    set(&mut limits.source_bytes, table.source);
    set(&mut limits.output_bytes, table.output);
    set(&mut limits.output_overflow, table.output_overflow);
    set(&mut limits.value_bytes, table.value);
    set(&mut limits.request_bytes, table.request);
    set(&mut limits.calls, table.calls);
    set(&mut limits.open_calls, table.open_calls);
    set(&mut limits.call_wait, table.call_wait.map(|time| time.0));
    set(&mut limits.model_calls, table.model_calls);
    set(&mut limits.tool_answer_bytes, table.tool_answer);
    set(&mut limits.model_answer_bytes, table.model_answer);
    Ok(limits)
}
