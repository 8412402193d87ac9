//! The tool `exec_python`: a session as agents' function calling sees it.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::error::Result;
use crate::outcome::{Outcome, State, Usage};
use crate::sandbox::{Sandbox, unavailable};
use crate::session::Session;

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
        match shape {
            Shape::OpenAi => json!({
                "type": "function",
                "function": {"name": "exec_python", "description": DESCRIPTION, "parameters": parameters},
            }),
            Shape::Anthropic => {
                json!({"name": "exec_python", "description": DESCRIPTION, "input_schema": parameters})
            }
            Shape::Mcp => {
                json!({"name": "exec_python", "description": DESCRIPTION, "inputSchema": parameters})
            }
        }
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
        let before = self.limits().time;
        self.set_time_limit(Duration::from_millis(timeout_ms));
        let result = self.exec(code).await;
        self.set_time_limit(before);
        exec_python_result(&result)
    }
}

/// The result of `exec_python`, in the order of R0-16 and R0-18; what follows
/// `_sandbox` is ours.
#[derive(Serialize)]
struct ExecPython<'a> {
    success: bool,
    stdout: &'a str,
    return_value: Option<&'a str>,
    error: Option<String>,
    execution_time_ms: u128,
    variables: &'a [String],
    _local: bool,
    _rust: bool,
    _sandbox: &'static str,
    _isolation: &'static str,
    stderr: &'a str,
    error_kind: Option<&'static str>,
    traceback: Option<&'a str>,
    return_json: Option<Json>,
    usage: Used,
    state: &'static str,
    truncated: bool,
}

#[derive(Serialize)]
struct Used {
    fuel: u64,
    compute_ms: u128,
    peak_memory_bytes: u64,
    host_calls: usize,
    llm_calls: u64,
    input_tokens: u64,
    output_tokens: u64,
}

impl Used {
    fn new(usage: &Usage, host_calls: usize) -> Self {
        Self {
            fuel: usage.fuel,
            compute_ms: usage.compute.as_millis(),
            peak_memory_bytes: usage.peak_memory_bytes,
            host_calls,
            llm_calls: usage.model_calls,
            input_tokens: usage.tokens.input,
            output_tokens: usage.tokens.output,
        }
    }
}

impl Outcome {
    /// The outcome as the result of the tool `exec_python`, one JSON object.
    pub fn to_exec_python(&self) -> Json {
        let value = match &self.ending {
            crate::Ending::Value(value) => value.as_ref(),
            _ => None,
        };
        let exception = self.exception();
        let result = ExecPython {
            success: self.is_success(),
            stdout: &self.stdout,
            return_value: value.map(|value| value.repr.as_str()),
            error: exception.map(|exception| match &exception.hint {
                Some(hint) => format!("{exception} ({hint})"),
                None => exception.to_string(),
            }),
            execution_time_ms: self.usage.elapsed.as_millis(),
            variables: &self.names,
            _local: true,
            _rust: true,
            _sandbox: "monty",
            _isolation: "wasmtime",
            stderr: &self.stderr,
            error_kind: exception.map(|exception| exception.cause.as_str()),
            traceback: exception.map(|exception| exception.traceback.as_str()),
            return_json: value
                .and_then(|value| value.json.as_deref())
                .and_then(|json| crate::value::parse(json).ok())
                .map(crate::value::untag),
            usage: Used::new(&self.usage, self.calls.len()),
            state: match self.state {
                State::Intact => "intact",
                State::RolledBack => "rolled_back",
            },
            truncated: self.dropped_bytes > 0 || value.is_some_and(|value| value.truncated),
        };
        serde_json::to_value(result).unwrap_or_else(|error| failure(&error.to_string()))
    }
}

/// An outcome or an error as the result of the tool.
pub(crate) fn exec_python_result(result: &Result<Outcome>) -> Json {
    match result {
        Ok(outcome) => outcome.to_exec_python(),
        Err(error) => failure(&error.to_string()),
    }
}

fn failure(message: &str) -> Json {
    let kind = if message == unavailable().to_string() {
        "host_error"
    } else {
        "policy"
    };
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
