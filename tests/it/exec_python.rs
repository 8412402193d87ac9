//! The tool `exec_python` as a model's host calls it.

use expect_test::expect;
use rlm_sandbox::Shape;
use serde_json::{Value as Json, json};

use crate::check::{block_on, described, sandbox, session};

fn call(arguments: Json) -> Json {
    block_on(session().call_tool(&arguments))
}

/// Without what differs from run to run.
fn stable(mut result: Json) -> String {
    let members = result.as_object_mut().expect("an object");
    for name in ["execution_time_ms", "usage"] {
        members.insert(name.to_owned(), Json::Null);
    }
    serde_json::to_string_pretty(&result).expect("JSON")
}

#[test]
fn the_schema_is_the_same_in_each_shape() {
    // R0-2, R1-7.
    expect![[r#"{"type":"function","function":{"name":"exec_python","description":"Execute Python code in a sandboxed interpreter. Has access to `context` variable (the materialized data), `llm_query(prompt)` for sub-LM calls, and standard Python builtins. No filesystem, no network.","parameters":{"type":"object","properties":{"code":{"type":"string","description":"Python source to execute"},"timeout_ms":{"type":"integer","description":"max wall-clock execution time","default":5000,"minimum":1,"maximum":600000}},"required":["code"]}}}"#]]
        .assert_eq(&sandbox().tool_schema(Shape::OpenAi).to_string());
    for (shape, place) in [
        (Shape::Anthropic, "input_schema"),
        (Shape::Mcp, "inputSchema"),
    ] {
        assert_eq!(
            sandbox().tool_schema(shape)[place]["required"],
            json!(["code"])
        );
    }
}

#[test]
fn the_result_has_its_fields_in_order() {
    // R0-16, R0-18, R1-17, X04, X40.
    expect![[r#"
        {
          "success": true,
          "stdout": "hi\n",
          "return_value": "4",
          "error": null,
          "execution_time_ms": null,
          "variables": [
            "results",
            "x"
          ],
          "_local": true,
          "_rust": true,
          "_sandbox": "monty",
          "_isolation": "wasmtime",
          "stderr": "",
          "error_kind": null,
          "traceback": null,
          "hint": null,
          "return_json": 4,
          "final": null,
          "fuel": 264927,
          "usage": null,
          "state": "intact",
          "truncated": false
        }"#]]
    .assert_eq(&stable(call(
        json!({"code": "x = 2\nresults = []\nprint('hi')\nx + 2", "other": 1}),
    )));
}

#[test]
fn a_failing_script_is_told_in_band_with_what_it_printed() {
    // R0-12 and X35.
    let result = call(json!({"code": "print('a'); 1/0"}));
    assert_eq!(result["success"], json!(false));
    assert_eq!(result["stdout"], json!("a\n"));
    assert_eq!(
        result["error"],
        json!("ZeroDivisionError: division by zero")
    );
    assert!(
        result["traceback"]
            .as_str()
            .expect("text")
            .starts_with("Traceback (most recent call last):\n")
    );
    assert_eq!(result["return_value"], Json::Null);
}

#[test]
fn bad_arguments_are_told_in_band() {
    // R0-2, R0-3.
    for (arguments, error) in [
        (json!({}), "missing 'code' parameter"),
        (json!(null), "missing 'code' parameter"),
        (json!([1]), "missing 'code' parameter"),
        (json!({"code": 1}), "'code' must be a string"),
        (
            json!({"code": "1", "timeout_ms": 0}),
            "'timeout_ms' must be a whole number",
        ),
        (
            json!({"code": "1", "timeout_ms": -5}),
            "'timeout_ms' must be a whole number",
        ),
        (
            json!({"code": "1", "timeout_ms": "5"}),
            "'timeout_ms' must be a whole number",
        ),
        (
            json!({"code": "1", "timeout_ms": 1.5}),
            "'timeout_ms' must be a whole number",
        ),
    ] {
        let result = call(arguments);
        assert_eq!(result["success"], json!(false));
        assert!(
            result["error"].as_str().expect("text").contains(error),
            "{result}"
        );
    }
}

#[test]
fn the_timeout_of_a_call_is_for_that_call() {
    let mut session = session();
    let result =
        block_on(session.call_tool(&json!({"code": "while True: pass", "timeout_ms": 20})));
    assert_eq!(result["error_kind"], json!("timeout"));
    assert!(result["error"].as_str().expect("text").contains("timeout"));
    assert_eq!(session.limits().time, std::time::Duration::from_secs(5));
}

#[test]
fn the_typed_value_is_plain_json() {
    let result = call(json!({"code": "[('a', 1), {2}]"}));
    assert_eq!(result["return_json"], json!([["a", 1], [2]]));
    assert_eq!(result["return_value"], json!("[('a', 1), {2}]"));
}

#[test]
fn a_timeout_is_told_in_band_and_the_session_goes_on() {
    // R0-9: a timeout, and the next call works.
    let mut session = session();
    block_on(session.call_tool(&json!({"code": "x = 1"})));
    let result =
        block_on(session.call_tool(&json!({"code": "x = 2\nwhile True: pass", "timeout_ms": 10})));
    assert_eq!(
        (&result["success"], &result["state"]),
        (&json!(false), &json!("rolled_back"))
    );
    let result = block_on(session.call_tool(&json!({"code": "x"})));
    assert_eq!(result["return_value"], json!("1"));
}

#[test]
fn a_call_that_is_dropped_leaves_no_time_limit_behind() {
    let mut session = described().open().expect("right");
    let before = session.limits().time;
    let arguments = json!({"code": "later('a', 10_000)", "timeout_ms": 77_000});
    block_on(async {
        let call = session.call_tool(&arguments);
        let waited = tokio::time::timeout(std::time::Duration::from_millis(200), call).await;
        assert!(waited.is_err(), "{waited:?}");
    });
    assert_eq!(session.limits().time, before);
    let result = block_on(session.call_tool(&json!({"code": "1 + 1"})));
    assert_eq!(result["return_value"], json!("2"));
}
