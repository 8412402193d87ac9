//! What ApexFlow's `run_user_code` gives.

use serde_json::{Value as Json, json};

use super::{Written, is_cut, result_json};
use crate::limits::Limits;
use crate::outcome::{Cause, Ending, Exception, Outcome, Stop};

pub(super) fn write(written: &Written<'_>) -> Json {
    let outcome = written.outcome;
    let Some(exception) = outcome.exception() else {
        return json!({
            "status": "success",
            "result": result_json(outcome),
            "stdout": outcome.stdout,
            "execution_time": outcome.usage.elapsed.as_secs_f64(),
            "truncated": is_cut(outcome),
        });
    };
    json!({
        "status": "error",
        "error": told(exception, outcome, written.limits),
        "error_type": exception.kind,
        "stdout": outcome.stdout,
        "execution_time": outcome.usage.elapsed.as_secs_f64(),
    })
}

fn told(exception: &Exception, outcome: &Outcome, limits: &Limits) -> String {
    let limit = match outcome.ending {
        Ending::Stopped(Stop::Deadline, _) => limits.deadline.unwrap_or_default(),
        _ => limits.time,
    };
    match exception.cause {
        Cause::Syntax => format!("Syntax error: {}", exception.message),
        Cause::Timeout => format!("Execution timed out after {}s", limit.as_secs_f64()),
        _ => super::told(exception),
    }
}
