//! `MontyCodeResult` of rlm-code.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::{Written, shown, told};
use crate::outcome::Finisher;

#[derive(Serialize)]
struct CodeResult<'a> {
    output: String,
    error: Option<String>,
    variables: BTreeMap<&'a str, String>,
    final_output: Option<Json>,
    submit_fields: Option<Map<String, Json>>,
    type_errors: Option<&'static str>,
    resource_usage: Json,
    execution_snapshots: u32,
    /// Ours: names of functions, which have no value to show.
    functions: Vec<&'a str>,
}

pub(super) fn write(written: &Written<'_>) -> Json {
    let outcome = written.outcome;
    let usage = &outcome.usage;
    const CODE: [&str; 3] = ["function", "module", "type"];
    let variables = written.variables.iter();
    let (code, data): (Vec<_>, Vec<_>) =
        variables.partition(|variable| CODE.contains(&variable.kind.as_str()));
    let (mut final_output, mut submit_fields) = (None, None);
    if let Some(finish) = &outcome.finish {
        let answer = shown(&finish.answer);
        match &finish.by {
            Finisher::Fields(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), shown(value)));
                submit_fields = Some(fields.collect());
            }
            Finisher::Variable(name) | Finisher::Undefined(name) => {
                final_output = Some(json!({"answer": answer, "type": "variable", "var": name}));
            }
            _ => final_output = Some(json!({"answer": answer, "type": "direct"})),
        }
    }
    let result = CodeResult {
        output: written.view.cut(&outcome.stdout).text,
        error: outcome.exception().map(told),
        variables: data
            .iter()
            .map(|variable| (variable.name.as_str(), shortened(&variable.repr)))
            .collect(),
        final_output,
        submit_fields,
        type_errors: None,
        resource_usage: json!({
            "fuel": usage.fuel,
            "duration_ms": milliseconds(usage.elapsed),
            "peak_memory_bytes": usage.peak_memory_bytes,
            "live_memory_bytes": usage.live_memory_bytes,
            "host_calls": outcome.calls.len(),
            "llm_calls": usage.model_calls,
            "llm_wait_ms": milliseconds(usage.elapsed.saturating_sub(usage.compute)),
        }),
        execution_snapshots: outcome.pauses,
        functions: code
            .iter()
            .filter(|variable| variable.kind == "function")
            .map(|variable| variable.name.as_str())
            .collect(),
    };
    serde_json::to_value(result).unwrap_or_default()
}

fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// At most 200 characters, with dots where there are more.
fn shortened(repr: &str) -> String {
    match repr.char_indices().nth(200) {
        Some((end, _)) => format!("{}...", &repr[..end]),
        None => repr.to_owned(),
    }
}
