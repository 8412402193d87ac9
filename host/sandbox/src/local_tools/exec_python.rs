//! The tool `exec_python`: runs a script in the session.

use serde_json::{Value as Json, json};

use super::{Capability, Definition, Timeouts, ToolResult, refused, run};
use crate::profile::Name;
use crate::session::Session;

pub(super) const NAME: &str = "exec_python";

/// Returns the tool as a model sees it.
///
/// Source: R0-2. Its words on `context` and `llm_query` are left out where scripts do not have them.
pub(super) fn definition(session: &Session, timeouts: Timeouts) -> Definition {
    let settings = &session.settings;
    let has_model = settings.handlers.answerer(false).is_some();
    let names = [
        (
            Name::Context,
            true,
            "`context` variable (the materialized data)",
        ),
        (
            Name::LlmQuery,
            has_model,
            "`llm_query(prompt)` for sub-LM calls",
        ),
    ];
    let there = names
        .into_iter()
        .filter(|(name, is_served, _)| *is_served && settings.profile.defines(*name));
    let mut access: Vec<_> = there.map(|(.., words)| words).collect();
    access.push("standard Python builtins");
    let access = match access.as_slice() {
        [only] => (*only).to_owned(),
        [first, last] => format!("{first} and {last}"),
        all => {
            let (last, others) = all.split_last().unwrap_or((&"", &[]));
            format!("{}, and {last}", others.join(", "))
        }
    };
    let parameters = json!({
        "type": "object",
        "properties": {
            "code": {"type": "string", "description": "Python source to execute"},
            "timeout_ms": timeouts.schema(),
        },
        "required": ["code"],
    });
    let description = format!(
        "Execute Python code in a sandboxed interpreter. Has access to {access}. No filesystem, no network."
    );
    Definition::new(NAME, description, parameters).capability(Capability::Compute)
}

/// Returns the JSON schema of results. They may have further members.
///
/// Source: R0-16 and R0-18. A member of which a client has no room may be null.
pub(super) fn output_schema() -> Json {
    let text = || json!({"type": ["string", "null"]});
    let count = || json!({"type": "integer", "minimum": 0});
    json!({
        "type": "object",
        "properties": {
            "success": {"type": "boolean", "description": "Whether it ran to its end"},
            "stdout": text(),
            "return_value": {"type": ["string", "null"], "description": "The repr of the last expression"},
            "error": {"type": ["string", "null"], "description": "The exception in one line"},
            "execution_time_ms": count(),
            "variables": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The names in the namespace",
            },
            "stderr": text(),
            "error_kind": {"type": ["string", "null"], "description": "A word to match on, as in `timeout`"},
            "exit_code": {"type": "integer", "description": "The status that the script exited with, if it did"},
            "traceback": text(),
            "hint": text(),
            "return_json": {"description": "The value of the last expression, if it has JSON"},
            "final": {
                "type": ["object", "null"],
                "description": "The `answer` that it gave, and in `type` how: direct, variable, fields or ready",
            },
            "fuel": count(),
            "usage": {"type": "object"},
            "state": {
                "type": "string",
                "enum": ["intact", "rolled_back"],
                "description": "Whether variables are as the script left them, or as they were before it",
            },
            "truncated": {"type": "boolean"},
            "_truncated": {"type": "boolean", "description": "Whether this result was cut"},
        },
        "required": ["success", "stdout", "return_value", "error", "execution_time_ms", "variables"],
    })
}

/// Carries out a call `{code, timeout_ms?}`; other arguments are ignored.
pub(super) async fn call(
    session: &mut Session,
    arguments: &Json,
    timeouts: Timeouts,
) -> ToolResult {
    if !(arguments.is_object() || arguments.is_null()) {
        return refused("exec_python: the arguments are no JSON object; give {\"code\": \"…\"}");
    }
    let code = match arguments.get("code") {
        Some(Json::String(code)) => code,
        Some(_) => return refused("exec_python: 'code' must be a string"),
        None => return refused("exec_python: missing 'code' parameter"),
    };
    match timeouts.read(NAME, arguments) {
        Ok(timeout) => run(session, code, timeout).await,
        Err(message) => refused(&message),
    }
}
