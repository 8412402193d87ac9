//! `ExecutionResult` of Cairn's executor.

use serde_json::{Value as Json, json};

use super::{Written, is_cut, result_json, told};
use crate::outcome::Cause;

pub(super) fn write(written: &Written<'_>) -> Json {
    let outcome = written.outcome;
    let exception = outcome.exception();
    json!({
        "success": outcome.is_success(),
        "return_value": result_json(outcome),
        "error": exception.map(told),
        "error_type": exception.map(|exception| error_type(exception.cause)),
        "duration_ms": u64::try_from(outcome.usage.elapsed.as_millis()).unwrap_or(u64::MAX),
        "agent_id": written.session,
        "truncated": is_cut(outcome),
        // Ours: what the script printed and logged.
        "log": outcome.stdout,
    })
}

fn error_type(cause: Cause) -> &'static str {
    match cause {
        Cause::Timeout | Cause::Fuel => "timeout",
        Cause::Memory => "memory",
        Cause::Recursion => "recursion",
        Cause::Syntax | Cause::Source => "syntax",
        Cause::Trap => "unknown",
        _ => "runtime",
    }
}
