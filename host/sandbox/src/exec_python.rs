//! The tool `exec_python`: a session as agents' function calling sees it.

use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::outcome::Outcome;
use crate::sandbox::Sandbox;
use crate::session::Session;
use rlm_sandbox_engine::{ErrorKind, Result};

/// What models are told about the tool.
pub const DESCRIPTION: &str = "Execute Python code in a sandboxed interpreter. Has access to `context` variable (the \
     materialized data), `llm_query(prompt)` for sub-LM calls, and standard Python builtins. No filesystem, no network.";

/// The time an exec gets if the call does not say, in milliseconds.
pub const DEFAULT_TIMEOUT_MS: u64 = 5000;

/// The most time a call may ask for, in milliseconds.
pub const MAX_TIMEOUT_MS: u64 = 600_000;

/// Whose way of writing down a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// `{"type": "function", "function": {name, description, parameters}}`
    OpenAi,
    /// `{name, description, input_schema}`
    Anthropic,
    /// `{name, description, inputSchema}`
    Mcp,
}

impl Shape {
    /// A tool of this name, for a model's list of tools; `parameters` is the JSON
    /// schema of its arguments.
    pub fn tool(self, name: &str, description: &str, parameters: &Json) -> Json {
        match self {
            Self::OpenAi => json!({
                "type": "function",
                "function": {"name": name, "description": description, "parameters": parameters},
            }),
            Self::Anthropic => {
                json!({"name": name, "description": description, "input_schema": parameters})
            }
            Self::Mcp => {
                json!({"name": name, "description": description, "inputSchema": parameters})
            }
        }
    }
}

impl Sandbox {
    /// The tool `exec_python`, for a model's list of tools.
    pub fn tool_schema(&self, shape: Shape) -> Json {
        let parameters = json!({
            "type": "object",
            "properties": {
                "code": {"type": "string", "description": "Python source to execute"},
                "timeout_ms": {
                    "type": "integer",
                    "description": "max wall-clock execution time",
                    "default": DEFAULT_TIMEOUT_MS,
                    "minimum": 1,
                    "maximum": MAX_TIMEOUT_MS,
                },
            },
            "required": ["code"],
        });
        shape.tool("exec_python", DESCRIPTION, &parameters)
    }
}

impl Session {
    /// Carries out a call of `exec_python` with these arguments.
    ///
    /// Whatever goes wrong is told in the result, with `success` false.
    pub async fn call_tool(&mut self, arguments: &Json) -> Json {
        let code = match arguments.get("code") {
            Some(Json::String(code)) => code,
            Some(_) => return failure("exec_python: 'code' must be a string"),
            None => return failure("exec_python: missing 'code' parameter"),
        };
        let timeout_ms = match arguments.get("timeout_ms") {
            None | Some(Json::Null) => DEFAULT_TIMEOUT_MS,
            Some(value) => match value.as_u64() {
                Some(timeout) if timeout > 0 => timeout.min(MAX_TIMEOUT_MS),
                _ => {
                    return failure(
                        "exec_python: 'timeout_ms' must be a whole number of milliseconds above 0",
                    );
                }
            },
        };
        let limited = TimeLimited::new(self, Duration::from_millis(timeout_ms));
        let result = limited.session.exec(code).await;
        drop(limited);
        exec_python_result(&result)
    }
}

/// A session that has another time limit for one call, also where the call is dropped.
struct TimeLimited<'a> {
    session: &'a mut Session,
    before: Duration,
}

impl<'a> TimeLimited<'a> {
    fn new(session: &'a mut Session, limit: Duration) -> Self {
        let before = session.limits().time;
        session.set_time_limit(limit);
        Self { session, before }
    }
}

impl Drop for TimeLimited<'_> {
    fn drop(&mut self) {
        self.session.set_time_limit(self.before);
    }
}

/// An outcome or an error as the result of the tool.
pub(crate) fn exec_python_result(result: &Result<Outcome>) -> Json {
    match result {
        Ok(outcome) => outcome.to_exec_python(),
        Err(error) => {
            let kind = match error.kind() {
                // What the caller can do something about.
                ErrorKind::Usage => POLICY,
                _ => "host_error",
            };
            refused(kind, &error.to_string())
        }
    }
}

fn failure(message: &str) -> Json {
    refused(POLICY, message)
}

/// The kind of what is refused before anything runs.
const POLICY: &str = "policy";

fn refused(kind: &str, message: &str) -> Json {
    json!({
        "success": false,
        "stdout": "",
        "return_value": null,
        "error": message,
        "execution_time_ms": 0,
        "variables": [],
        "_local": true,
        "_rust": true,
        "_sandbox": "monty",
        "_isolation": "wasmtime",
        "error_kind": kind,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::meter::block_on;
    use crate::{ErrorKind, Sandbox};

    #[test]
    fn without_the_interpreter_the_tool_says_so_in_band() {
        // R0-21.
        let mut session = Sandbox::builder()
            .without_guest()
            .build()
            .expect("an engine")
            .session()
            .open()
            .expect("right");
        let result = block_on(session.call_tool(&json!({"code": "1"})));
        assert_eq!(result["success"], json!(false));
        assert_eq!(
            result["error"],
            json!("exec_python unavailable: rlm-sandbox was built without feature 'python'")
        );
        assert_eq!(
            block_on(session.exec("1"))
                .expect_err("nothing to run")
                .kind(),
            ErrorKind::Guest
        );
    }
}
