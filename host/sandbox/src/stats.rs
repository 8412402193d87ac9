//! What a session did so far.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::outcome::{Cause, Ending, Outcome};

/// Counts over the life of a session.
///
/// # Source
///
/// `MontyExecutionStats` of rlm-code, with its keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(default)]
pub struct Stats {
    /// Execs that ended.
    pub total_executions: u64,
    /// Host calls of those.
    pub total_external_calls: u64,
    /// Time from the start of each to its end, in seconds.
    pub total_time_secs: f64,
    /// Always 0: type checking is not built in.
    pub type_check_failures: u64,
    /// Those that did not parse.
    pub syntax_errors: u64,
    /// Those that failed in any other way.
    pub runtime_errors: u64,
}

impl Stats {
    pub(crate) fn count(&mut self, outcome: &Outcome) {
        self.total_executions = self.total_executions.saturating_add(1);
        let calls = outcome.calls.len() as u64;
        self.total_external_calls = self.total_external_calls.saturating_add(calls);
        self.total_time_secs += outcome.usage.elapsed.as_secs_f64();
        let errors = match (&outcome.ending, outcome.exception()) {
            (Ending::Value(_), _) | (_, None) => return,
            (_, Some(exception)) if exception.cause == Cause::Syntax => &mut self.syntax_errors,
            _ => &mut self.runtime_errors,
        };
        *errors = errors.saturating_add(1);
    }

    /// [`total_time_secs`](Self::total_time_secs) as a duration.
    pub fn total_time(&self) -> Duration {
        Duration::try_from_secs_f64(self.total_time_secs).unwrap_or_default()
    }
}
