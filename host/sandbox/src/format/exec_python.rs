//! The result of the tool `exec_python`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::{is_cut, shown, value_json};
use crate::outcome::{Ending, Exception, Finisher, Outcome, State, Usage};
use crate::view::{View, marked};

/// The result of `exec_python`, in the order of R0-16 and R0-18; what follows
/// `_sandbox` is ours.
#[derive(Serialize)]
struct ExecPython<'a> {
    success: bool,
    stdout: &'a str,
    return_value: Option<Cow<'a, str>>,
    error: Option<String>,
    execution_time_ms: u128,
    variables: &'a [String],
    _local: bool,
    _rust: bool,
    _sandbox: &'static str,
    _isolation: &'static str,
    stderr: &'a str,
    error_kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i64>,
    traceback: Option<&'a str>,
    hint: Option<&'a str>,
    return_json: Option<Json>,
    #[serde(rename = "final")]
    answer: Option<Json>,
    fuel: u64,
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

pub(super) fn write(outcome: &Outcome) -> Json {
    let value = match &outcome.ending {
        Ending::Value(value) => value.as_ref(),
        _ => None,
    };
    let exception = outcome.exception();
    let return_json = value_json(outcome);
    let truncated = is_cut(outcome) || (value.is_some() && return_json.is_none());
    let result = ExecPython {
        success: outcome.is_success(),
        stdout: &outcome.stdout,
        return_value: value.map(marked),
        error: exception.map(ToString::to_string),
        execution_time_ms: outcome.usage.elapsed.as_millis(),
        variables: &outcome.names,
        _local: true,
        _rust: true,
        _sandbox: "monty",
        _isolation: "wasmtime",
        stderr: &outcome.stderr,
        error_kind: exception.map(|exception| exception.cause.as_str()),
        exit_code: exception.and_then(Exception::exit_code),
        traceback: exception.map(|exception| exception.traceback.as_str()),
        hint: exception.and_then(|exception| exception.hint.as_deref()),
        return_json,
        answer: outcome.finish.as_ref().map(|finish| {
            json!({
                "answer": shown(&finish.answer),
                "type": match &finish.by {
                    Finisher::Direct => "direct",
                    Finisher::Variable(_) | Finisher::Undefined(_) => "variable",
                    Finisher::Fields(_) => "fields",
                    Finisher::Ready => "ready",
                },
            })
        }),
        fuel: outcome.usage.fuel,
        usage: Used::new(&outcome.usage, outcome.calls.len()),
        state: match outcome.state {
            State::Intact => "intact",
            State::RolledBack => "rolled_back",
        },
        truncated,
    };
    serde_json::to_value(result).unwrap_or_default()
}

/// The same for a model to read, with stdout and all of it cut.
pub(crate) fn clipped(mut result: Json, view: &View, total: usize) -> Json {
    let Some(members) = result.as_object_mut() else {
        return result;
    };
    let mut is_cut = false;
    // What is left out is counted from the whole.
    let mut whole = BTreeMap::new();
    for name in ["stdout", "return_value", "error", "traceback", "stderr"] {
        if let Some(Json::String(text)) = members.get_mut(name) {
            let shown = view.cut(text);
            is_cut |= shown.omitted > 0;
            whole.insert(name, std::mem::replace(text, shown.text));
        }
    }
    // What is ours goes first where there is no room.
    for name in [
        "return_json",
        "final",
        "traceback",
        "stderr",
        "variables",
        "return_value",
        "stdout",
        "error",
    ] {
        // As JSON a text is longer than it is, so it takes a few steps.
        while length(members) > total {
            is_cut = true;
            let text = match (name, members.get_mut(name)) {
                // A part of it would be another value.
                ("return_json", Some(value)) => {
                    *value = Json::Null;
                    break;
                }
                (_, Some(Json::String(text))) => text,
                ("variables", Some(Json::Array(names))) if !names.is_empty() => {
                    names.truncate(names.len() * 3 / 4);
                    continue;
                }
                // That there is an answer is told in any case.
                ("final", Some(Json::Object(answer))) => {
                    let value = answer.entry("answer").or_insert(Json::Null);
                    if !value.is_string() {
                        *value = Json::String(value.to_string());
                    }
                    let Json::String(text) = value else { break };
                    text
                }
                ("variables", _) => break,
                _ => {
                    members.insert(String::from(name), Json::Null);
                    break;
                }
            };
            let left = text.chars().count() * 3 / 4;
            let mut small = view.clone();
            (small.head, small.tail) = (left.saturating_sub(view.marker.chars().count()), 0);
            let whole = whole.entry(name).or_insert_with(|| text.clone());
            *text = small.cut(whole).text;
            if small.head == 0 {
                break;
            }
        }
    }
    if is_cut {
        members.insert(String::from("truncated"), Json::Bool(true));
        members.insert(String::from("_truncated"), Json::Bool(true));
        members.insert(
            String::from("_hint"),
            json!("the result was cut; print less, or slice the variable"),
        );
    }
    result
}

/// Characters that are left for the two members that say that it was cut.
const HINT_ROOM: usize = 120;

fn length(members: &serde_json::Map<String, Json>) -> usize {
    let text = serde_json::to_string(members).unwrap_or_default();
    text.chars().count() + HINT_ROOM
}
