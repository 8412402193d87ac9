//! `REPLResult` of `alexzhang13/rlm`.

use serde_json::{Map, Value as Json, json};

use super::{Written, json_or_repr, shown, told};

pub(super) fn write(written: &Written<'_>) -> Json {
    let outcome = written.outcome;
    let mut stderr = outcome.stderr.clone();
    if let Some(exception) = outcome.exception() {
        stderr.push_str(&format!("\n{}", told(exception)));
    }
    let locals = written.variables.iter().map(|variable| {
        let shown = json_or_repr(variable.json.as_deref(), &variable.repr);
        (variable.name.clone(), shown)
    });
    let answer = outcome
        .finish
        .as_ref()
        .map(|finish| match shown(&finish.answer) {
            Json::String(text) => text,
            _ => finish.answer.repr.clone(),
        });
    json!({
        "stdout": outcome.stdout,
        "stderr": stderr,
        "locals": locals.collect::<Map<_, _>>(),
        "execution_time": outcome.usage.elapsed.as_secs_f64(),
        "rlm_calls": [],
        "final_answer": answer,
    })
}
