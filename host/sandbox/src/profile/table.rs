//! The table `[limits]` of a profile: the limits by the names and with the units they have on the
//! command line. Numbers are seconds, bytes or a count.

use std::time::Duration;

use bytesize::ByteSize;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::limits::{Limits, Overflow};

/// A number, or a text with a unit.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written<T> {
    Number(T),
    Text(String),
}

/// A time in seconds, whole or not, or with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seconds(pub(super) Duration);

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let time = match Written::deserialize(deserializer) {
            Ok(Written::Number(seconds)) => Duration::try_from_secs_f64(seconds).ok(),
            Ok(Written::Text(text)) => humantime::parse_duration(&text).ok(),
            Err(_) => None,
        };
        let hint =
            "a time is a number of seconds, as 30 or 0.25, or a text, as \"250ms\" or \"5m\"";
        time.map(Self).ok_or_else(|| D::Error::custom(hint))
    }
}

/// A number of bytes, or a size with its unit.
struct Size<T>(T);

impl<'de, T: TryFrom<u64>> Deserialize<'de> for Size<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = match Written::deserialize(deserializer) {
            Ok(Written::Number(bytes)) => Some(bytes),
            Ok(Written::Text(text)) => text.parse().ok().map(|size: ByteSize| size.as_u64()),
            Err(_) => None,
        };
        let bytes = bytes.ok_or_else(|| {
            D::Error::custom(
                "a size is a number of bytes, as 65536, or a text, as \"64MiB\" or \"100KiB\"",
            )
        })?;
        T::try_from(bytes)
            .map(Self)
            .map_err(|_| D::Error::custom("this size has to be less than 4 GiB"))
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
    memory: Option<Size<u64>>,
    #[serde(alias = "max_recursion_depth")]
    recursion: Option<u32>,
    #[serde(alias = "max_allocations")]
    allocations: Option<u64>,
    source: Option<Size<u32>>,
    output: Option<Size<u64>>,
    output_overflow: Option<Overflow>,
    value: Option<Size<u32>>,
    request: Option<Size<u32>>,
    calls: Option<u64>,
    open_calls: Option<u32>,
    call_wait: Option<Seconds>,
    model_calls: Option<u64>,
    tool_answer: Option<Size<u64>>,
    model_answer: Option<Size<u64>>,
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
    set(&mut limits.memory_bytes, table.memory.map(|size| size.0));
    set(&mut limits.recursion, table.recursion);
    limits.allocations = table.allocations;
    set(&mut limits.source_bytes, table.source.map(|size| size.0));
    set(&mut limits.output_bytes, table.output.map(|size| size.0));
    set(&mut limits.output_overflow, table.output_overflow);
    set(&mut limits.value_bytes, table.value.map(|size| size.0));
    set(&mut limits.request_bytes, table.request.map(|size| size.0));
    set(&mut limits.calls, table.calls);
    set(&mut limits.open_calls, table.open_calls);
    set(&mut limits.call_wait, table.call_wait.map(|time| time.0));
    set(&mut limits.model_calls, table.model_calls);
    set(
        &mut limits.tool_answer_bytes,
        table.tool_answer.map(|size| size.0),
    );
    set(
        &mut limits.model_answer_bytes,
        table.model_answer.map(|size| size.0),
    );
    Ok(limits)
}
