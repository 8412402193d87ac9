//! `--limit NAME=VALUE`, and those limits that have options of their own.

use std::time::Duration;

use anyhow::Result;
use bytesize::ByteSize;
use clap::Args;
use rlm_sandbox::{Limits, LocalTools, Overflow, SandboxLimits};

use crate::usage;

/// The limits, by the names they have here. The fields of [`Limits`] and, for
/// the last three, [`SandboxLimits`] say what each means.
const NAMES: &str = "time, deadline, grace, fuel, memory, recursion, allocations, source, output, output-overflow, value, \
                     request, calls, open-calls, call-wait, model-calls, tool-answer, model-answer, live-sessions, \
                     total-memory, concurrent-execs";

/// What an exec may use.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct LimitOptions {
    /// Compute time of a script [default: the profile's, or 5s]
    ///
    /// Waiting for tools and the model does not count. `--limit call-wait=10s` bounds each call, and `--limit deadline=30s`
    /// all of it.
    #[arg(long, value_name = "DURATION", allow_hyphen_values = true)]
    pub(crate) timeout: Option<String>,

    /// Memory a script may hold [default: the profile's, or 64MiB]
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(crate) memory: Option<String>,

    /// Fuel of a script [default: the profile's, or 250e9 for each second of compute time]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) fuel: Option<String>,

    /// Any other limit; `--help` lists them
    ///
    /// Limits of a script: deadline (wall-clock time, waiting included; none), grace (time to end in; 250ms), recursion (1000, which is the most),
    /// allocations (none), source (bytes of a script; 64KiB), output (what it prints; 1MiB), output-overflow (drop or stop),
    /// value (bytes of a value shown; 1MiB), request (arguments of a call; 8MiB), calls (100000), open-calls (calls that
    /// wait at the same time; 256), call-wait (time for one; 5m), model-calls (prompts in the whole life of a session, also after `reset`; 50),
    /// tool-answer (100KiB), model-answer (1MiB). Limits of all sessions: live-sessions (1000), total-memory (8GiB), concurrent-execs (64).
    #[arg(long, value_name = "NAME=VALUE", verbatim_doc_comment)]
    pub(crate) limit: Vec<String>,
}

impl LimitOptions {
    /// The limits of the profile, with what was said otherwise.
    pub(crate) fn read(&self, of_profile: &Limits) -> Result<(Limits, SandboxLimits)> {
        let (mut limits, mut all) = (of_profile.clone(), SandboxLimits::default());
        let named = [
            ("time", &self.timeout),
            ("memory", &self.memory),
            ("fuel", &self.fuel),
        ];
        for (name, value) in named {
            if let Some(value) = value {
                let option = if name == "time" { "timeout" } else { name };
                if let Some(other) = self.limit.iter().find(|setting| is_of(setting, name)) {
                    return Err(usage(format!(
                        "--{option} {value} and --limit {other} set the same limit; leave one out"
                    )));
                }
                set(&mut limits, &mut all, &format!("{name}={value}")).map_err(|error| {
                    let text = error.to_string();
                    let rest = text.strip_prefix(name).unwrap_or(&text);
                    usage(format!("--{option}{rest}"))
                })?;
            }
        }
        for setting in &self.limit {
            set(&mut limits, &mut all, setting).map_err(|error| {
                let text = error.to_string();
                match text.starts_with("--") {
                    true => error,
                    false => usage(format!("--limit {text}")),
                }
            })?;
        }
        Ok((limits, all))
    }

    /// Returns true if a limit was given.
    pub(crate) fn has_any(&self) -> bool {
        let Self {
            timeout,
            memory,
            fuel,
            limit,
        } = self;
        timeout.is_some() || memory.is_some() || fuel.is_some() || !limit.is_empty()
    }

    /// Returns whether the time was said.
    pub(crate) fn is_timed(&self) -> bool {
        self.timeout.is_some() || self.limit.iter().any(|limit| is_of(limit, "time"))
    }
}

/// Returns the tools for a model, which may ask for no more time than its session has, where that may have been set or is
/// another than by default.
pub(crate) fn local_tools(time: Duration, is_set: bool) -> LocalTools {
    match is_set || time != Limits::default().time {
        true => LocalTools::new().timeouts(time, time),
        false => LocalTools::new(),
    }
}

/// Bytes of memory that a session can have: WebAssembly addresses no more.
const MOST_MEMORY: u64 = 4 << 30;

/// Limits of all sessions together.
pub(crate) const OF_ALL: [&str; 3] = ["live-sessions", "total-memory", "concurrent-execs"];

/// Returns true if `NAME=VALUE` sets a limit of all sessions together.
pub(crate) fn is_of_all(setting: &str) -> bool {
    OF_ALL.iter().any(|name| is_of(setting, name))
}

/// Returns true if `NAME=VALUE` sets the limit of this name.
fn is_of(setting: &str, name: &str) -> bool {
    setting.split('=').next() == Some(name)
}

/// Sets one limit, of an exec or of all together, from `NAME=VALUE`.
pub(crate) fn set(limits: &mut Limits, all: &mut SandboxLimits, setting: &str) -> Result<()> {
    let Some((name, value)) = setting.split_once('=') else {
        return Err(usage(format!(
            "--limit {setting}: write NAME=VALUE, with one of {NAMES}"
        )));
    };
    match name {
        "time" => limits.time = duration(name, value)?,
        "deadline" => limits.deadline = Some(duration(name, value)?),
        "grace" => limits.grace = duration(name, value)?,
        "fuel" => {
            let fuel = count(name, value)?;
            if fuel == 0 {
                return Err(usage(format!(
                    "fuel: `{value}` lets no script begin; write 1e9"
                )));
            }
            limits.fuel = Some(fuel);
        }
        "memory" => {
            let memory_bytes = bytes(name, value)?;
            if memory_bytes == 0 {
                return Err(usage(format!(
                    "memory: `{value}` lets no script begin; write 64MiB"
                )));
            }
            if memory_bytes > MOST_MEMORY {
                return Err(usage(format!(
                    "memory: `{value}` is more than the 4 GiB that a session can have"
                )));
            }
            limits.memory_bytes = memory_bytes;
        }
        "recursion" => limits.recursion = count(name, value)?,
        "allocations" => limits.allocations = Some(count(name, value)?),
        "source" => limits.source_bytes = small_bytes(name, value)?,
        "output" => limits.output_bytes = bytes(name, value)?,
        "output-overflow" => {
            limits.output_overflow = match value {
                "drop" => Overflow::Drop,
                "stop" => Overflow::Stop,
                _ => return Err(usage(format!("{name}: `{value}` is neither drop nor stop"))),
            }
        }
        "value" => limits.value_bytes = small_bytes(name, value)?,
        "request" => limits.request_bytes = small_bytes(name, value)?,
        "calls" => limits.calls = count(name, value)?,
        "open-calls" => limits.open_calls = count(name, value)?,
        "call-wait" => limits.call_wait = duration(name, value)?,
        "model-calls" => limits.model_calls = count(name, value)?,
        "tool-answer" => limits.tool_answer_bytes = bytes(name, value)?,
        "model-answer" => limits.model_answer_bytes = bytes(name, value)?,
        "live-sessions" => all.live_sessions = count(name, value)?,
        "total-memory" => all.memory_bytes = bytes(name, value)?,
        "concurrent-execs" => all.concurrent_execs = count(name, value)?,
        _ => {
            return Err(usage(format!(
                "--limit {setting}: there is no limit `{name}`; there are {NAMES}"
            )));
        }
    }
    Ok(())
}

fn duration(name: &str, value: &str) -> Result<Duration> {
    match humantime::parse_duration(value) {
        Ok(duration) if duration.is_zero() && name != "grace" => Err(usage(format!(
            "{name}: `{value}` leaves no time; write 5s, 250ms or 1m30s"
        ))),
        Ok(duration) => Ok(duration),
        Err(_) => Err(usage(format!(
            "{name}: `{value}` is no duration; write 5s, 250ms or 1m30s"
        ))),
    }
}

/// Reads a duration that is no limit.
pub(crate) fn duration_option(value: &str) -> std::result::Result<Duration, String> {
    let found = humantime::parse_duration(value);
    found.map_err(|_| format!("`{value}` is no duration; write 5s, 250ms or 1m30s"))
}

fn bytes(name: &str, value: &str) -> Result<u64> {
    value
        .parse::<ByteSize>()
        .map(|size| size.as_u64())
        .map_err(|_| {
            usage(format!(
                "{name}: `{value}` is no size; write 64MiB, 100KiB or a number of bytes"
            ))
        })
}

fn small_bytes(name: &str, value: &str) -> Result<u32> {
    u32::try_from(bytes(name, value)?)
        .map_err(|_| usage(format!("{name}: `{value}` is more than 4 GiB")))
}

/// Reads a number.
pub(crate) fn count<T: TryFrom<u64>>(name: &str, value: &str) -> Result<T> {
    let plain = value.replace('_', "");
    let number = plain.parse::<u64>().ok().or_else(|| {
        // `100e9` reads better than a hundred billion in digits.
        let number = plain.parse::<f64>().ok()?;
        (number >= 0.0 && number.fract() == 0.0 && number < 1e18).then_some(number as u64)
    });
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| {
            usage(format!(
                "{name}: `{value}` is no number in range; write 1000, 100_000 or 100e9"
            ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_has_a_name() {
        let (mut limits, mut all) = (Limits::default(), SandboxLimits::default());
        for name in NAMES.split(", ") {
            let value = match name {
                "time" | "deadline" | "grace" | "call-wait" => "7ms",
                "output-overflow" => "stop",
                _ => "7",
            };
            set(&mut limits, &mut all, &format!("{name}={value}")).expect(name);
        }
        assert_eq!((all.live_sessions, all.memory_bytes), (7, 7));
        set(&mut limits, &mut all, "fuel=100e9").expect("a number");
        assert_eq!(limits.fuel, Some(100_000_000_000));
        set(&mut limits, &mut all, "memory=1MiB").expect("a size");
        assert_eq!(limits.memory_bytes, 1 << 20);
    }

    #[test]
    fn mistakes_are_told_with_what_to_write_instead() {
        for (setting, hint) in [
            ("fuel", "NAME=VALUE"),
            ("feul=1", "there are time, deadline"),
            ("time=5", "5s"),
            ("calls=-1", "1000"),
        ] {
            let error = set(
                &mut Limits::default(),
                &mut SandboxLimits::default(),
                setting,
            )
            .expect_err(setting)
            .to_string();
            assert!(error.contains(hint), "{error}");
        }
    }
}
