//! The tool `exec_python` as a model's host calls it.

use std::time::Duration;

use expect_test::expect;
use rlm_sandbox::{Capability, Definition, LocalTools, Profile, Session, Shape, View};
use serde_json::{Value as Json, json};

use crate::check::{block_on, described, sandbox, session};
use crate::replay::Counting;

fn call(arguments: Json) -> Json {
    call_in(&mut session(), arguments)
}

fn call_in(session: &mut Session, arguments: Json) -> Json {
    block_on(LocalTools::new().call(session, "exec_python", &arguments)).json
}

/// Writes the first tool of a session, which is `exec_python`.
fn schema(session: &Session, shape: Shape) -> Json {
    LocalTools::new().schemas(session, shape).swap_remove(0)
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
fn r0_2_r1_7_the_schema_is_the_same_in_each_shape() {
    let session = described().model(Counting).open().expect("right");
    expect![[r#"{"type":"function","function":{"name":"exec_python","description":"Execute Python code in a sandboxed interpreter. Has access to `context` variable (the materialized data), `llm_query(prompt)` for sub-LM calls, and standard Python builtins. No filesystem, no network.","parameters":{"type":"object","properties":{"code":{"type":"string","description":"Python source to execute"},"timeout_ms":{"type":"integer","description":"max wall-clock execution time in milliseconds; waiting for tools and models does not count","default":5000,"minimum":1,"maximum":600000}},"required":["code"]}}}"#]]
        .assert_eq(&schema(&session, Shape::OpenAi).to_string());
    for (shape, place) in [
        (Shape::Anthropic, "input_schema"),
        (Shape::Mcp, "inputSchema"),
    ] {
        assert_eq!(schema(&session, shape)[place]["required"], json!(["code"]));
    }
}

#[doc = "Keeps R0-16, R0-18, R1-17, X04, X40."]
#[test]
fn the_result_has_its_fields_in_order() {
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
          "fuel": 263319,
          "usage": null,
          "state": "intact",
          "truncated": false
        }"#]]
    .assert_eq(&stable(call(
        json!({"code": "x = 2\nresults = []\nprint('hi')\nx + 2"}),
    )));
}

#[doc = "Keeps R0-12, X35."]
#[test]
fn a_failing_script_is_told_in_band_with_what_it_printed() {
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

#[doc = "Keeps R0-2, R0-3."]
#[test]
fn bad_arguments_are_told_in_band() {
    for (arguments, error) in [
        (json!({}), "missing 'code' parameter"),
        (json!(null), "missing 'code' parameter"),
        (json!([1]), "the arguments are no JSON object"),
        (json!("{\"code\":"), "the arguments are no JSON object"),
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

#[doc = "Keeps R0-2."]
#[test]
fn arguments_that_the_tool_does_not_have_are_ignored() {
    let result = call(json!({"code": "1 + 1", "language": "python", "timeout": 1}));
    assert_eq!(result["return_value"], json!("2"), "{result}");
}

#[test]
fn a_timeout_is_any_whole_number_and_at_most_the_largest_one() {
    for timeout in [json!(1000.0), json!(10_u64.pow(12)), json!(1e30)] {
        let result = call(json!({"code": "1", "timeout_ms": timeout}));
        assert_eq!(result["return_value"], json!("1"), "{timeout}: {result}");
    }
}

#[test]
fn the_timeout_of_a_call_is_for_that_call() {
    let mut session = session();
    let result = call_in(
        &mut session,
        json!({"code": "while True: pass", "timeout_ms": 20}),
    );
    assert_eq!(result["error_kind"], json!("timeout"));
    assert!(result["error"].as_str().expect("text").contains("timeout"));
    assert_eq!(session.limits().time, Duration::from_secs(5));
}

#[test]
fn the_typed_value_is_plain_json() {
    let result = call(json!({"code": "[('a', 1), {2}]"}));
    assert_eq!(result["return_json"], json!([["a", 1], [2]]));
    assert_eq!(result["return_value"], json!("[('a', 1), {2}]"));
}

#[test]
fn a_result_that_is_cut_counts_what_it_leaves_out_and_makes_up_no_value() {
    let arguments = json!({"code": "print('p' * 30_000, end='')\n'k' * 15_000"});
    let result = block_on(LocalTools::new().call(&mut session(), "exec_python", &arguments));
    let mut view = View::default();
    (view.head, view.tail) = (7500, 2500);
    view.marker = String::from("[{omitted} left out]");
    let shown = result.clipped(&view, 8000);
    assert_eq!(shown["return_json"], Json::Null);
    for (name, whole) in [("stdout", 30_000), ("return_value", 15_002)] {
        let text = shown[name].as_str().expect("text");
        let (_, rest) = text.split_once('[').expect("it was cut");
        let omitted: usize = rest
            .split(' ')
            .next()
            .and_then(|count| count.parse().ok())
            .expect("a count");
        let marker = format!("[{omitted} left out]").len();
        assert_eq!(text.len() - marker + omitted, whole, "{name}");
    }
    assert!(shown.to_string().len() <= 8000);
}

#[test]
fn a_value_above_the_limit_has_no_end_that_is_none() {
    // Two megabytes, where a value has one.
    let result = call(json!({"code": "list(range(300_000))"}));
    let shown = result["return_value"].as_str().expect("text");
    let end: String = shown.chars().rev().take(40).collect();
    assert!(shown.ends_with(" […]"), "{end}");
    assert_eq!(result["truncated"], json!(true));
    let whole = call(json!({"code": "list(range(100_000))"}));
    let shown = whole["return_value"].as_str().expect("text");
    assert!(shown.ends_with("99999]"));
}

#[doc = "Keeps R0-9."]
#[test]
fn a_timeout_is_told_in_band_and_the_session_goes_on() {
    // A timeout, and the next call works.
    let mut session = session();
    call_in(&mut session, json!({"code": "x = 1"}));
    let result = call_in(
        &mut session,
        json!({"code": "x = 2\nwhile True: pass", "timeout_ms": 10}),
    );
    assert_eq!(
        (&result["success"], &result["state"]),
        (&json!(false), &json!("rolled_back"))
    );
    let result = call_in(&mut session, json!({"code": "x"}));
    assert_eq!(result["return_value"], json!("1"));
}

#[test]
fn a_call_that_is_dropped_leaves_no_time_limit_behind() {
    let mut session = described().open().expect("right");
    let before = session.limits().time;
    let arguments = json!({"code": "later('a', 10_000)", "timeout_ms": 77_000});
    block_on(async {
        let tools = LocalTools::new();
        let call = tools.call(&mut session, "exec_python", &arguments);
        let waited = tokio::time::timeout(Duration::from_millis(200), call).await;
        assert!(waited.is_err(), "{waited:?}");
    });
    assert_eq!(session.limits().time, before);
    let result = call_in(&mut session, json!({"code": "1 + 1"}));
    assert_eq!(result["return_value"], json!("2"));
}

#[test]
fn a_waiting_script_keeps_its_time_limit() {
    let mut session = described().open().expect("right");
    let before = session.limits().time;
    block_on(session.step("later('a', 1)")).expect("it waits");
    let refused = call_in(&mut session, json!({"code": "1", "timeout_ms": 77_000}));
    assert_eq!(refused["error_kind"], json!("policy"), "{refused}");
    assert_eq!(session.limits().time, before);
    block_on(session.abandon()).expect("right");
}

#[test]
fn the_description_names_no_model_and_no_context_that_scripts_do_not_have() {
    let described = |session: Session| {
        let definition = LocalTools::new().definitions(&session).swap_remove(0);
        definition.description
    };
    let builder = sandbox().session();
    expect!["Execute Python code in a sandboxed interpreter. Has access to `context` variable (the materialized data) and standard Python builtins. No filesystem, no network."]
        .assert_eq(&described(builder.open().expect("right")));
    let apexflow = Profile::named("apexflow").expect("there");
    expect!["Execute Python code in a sandboxed interpreter. Has access to standard Python builtins. No filesystem, no network."]
        .assert_eq(&described(sandbox().session().profile(apexflow).open().expect("right")));
}

#[test]
fn r0_3_one_registry_dispatches_by_name() {
    let definition = Definition::new("echo", "Gives its input.", json!({"type": "object"}));
    let echo = |arguments: Json| async move { json!({"echoed": arguments}) };
    let tools = LocalTools::new()
        .tool(definition.clone(), echo)
        .expect("a new name");
    let mut session = session();
    let names = tools.definitions(&session).into_iter().map(|one| one.name);
    assert_eq!(names.collect::<Vec<_>>(), ["exec_python", "echo"]);
    let mut call =
        |name: &str, arguments: Json| block_on(tools.call(&mut session, name, &arguments)).json;
    assert_eq!(
        call("exec_python", json!({"code": "1 + 1"}))["return_value"],
        json!("2")
    );
    assert_eq!(call("echo", json!([1])), json!({"echoed": [1]}));
    let unknown = call("codex_exec", json!({"code": "1"}));
    assert_eq!(unknown["success"], json!(false));
    assert_eq!(
        unknown["error"],
        json!("there is no tool 'codex_exec'; there are exec_python, echo")
    );
    // Without plugins there is no `exec_wasm`.
    let none = call("exec_wasm", json!({"plugin": "adder", "input": []}));
    assert_eq!(
        none["error"],
        json!("exec_wasm: there is no plugin `adder`; none is loaded")
    );
    // A name is taken once.
    for name in ["echo", "exec_python", "exec_wasm"] {
        let mut taken = definition.clone();
        name.clone_into(&mut taken.name);
        assert!(tools.clone().tool(taken, echo).is_err(), "{name}");
    }
}

#[test]
fn timeouts_are_capped_and_in_the_schema() {
    let seconds = Duration::from_secs;
    let tools = LocalTools::new().timeouts(seconds(20), seconds(3));
    let mut session = session();
    let timeout = &tools.definitions(&session)[0].parameters["properties"]["timeout_ms"];
    assert_eq!(
        (&timeout["default"], &timeout["maximum"]),
        (&json!(3000), &json!(3000))
    );
    let arguments = json!({"code": "budget()['time_left_s']", "timeout_ms": 50_000});
    let result = block_on(tools.call(&mut session, "exec_python", &arguments)).json;
    let left = result["return_json"].as_f64().expect("a number");
    assert!((2.0..=3.0).contains(&left), "{left}");
}

#[test]
fn x05_the_return_value_is_what_is_most_explicit() {
    for (code, value) in [
        ("return_value = 5\nresult = 6\n7", "5"),
        ("result = 6", "6"),
        ("result = 6\n7", "7"),
        ("x = 3\nx", "3"),
    ] {
        let horizons = Profile::named("horizons").expect("there");
        let mut session = sandbox().session().profile(horizons).open().expect("right");
        assert_eq!(
            call_in(&mut session, json!({"code": code}))["return_value"],
            json!(value),
            "{code}"
        );
    }
}

#[test]
fn r1_24_capabilities_gate_tools() {
    let shell = |arguments: Json| async move { json!({"ran": arguments["command"]}) };
    let parameters = json!({"type": "object"});
    let own = |name: &str| Definition::new(name, "Runs a command", parameters.clone());
    let tools = || {
        LocalTools::new()
            .tool(own("codex_exec").capability(Capability::Shell), shell)
            .and_then(|tools| tools.tool(own("note"), shell))
            .expect("other names")
    };
    let mut session = described().open().expect("right");
    // The map of all of them.
    let all = tools().capabilities(&session);
    let all: Vec<_> = all
        .iter()
        .map(|(name, capability)| (name.as_str(), capability.word()))
        .collect();
    assert_eq!(
        all,
        [
            ("codex_exec", "shell"),
            ("exec_python", "compute"),
            ("note", "host")
        ]
    );
    let names = |tools: &LocalTools, session: &Session| {
        let all = tools.definitions(session).into_iter();
        all.map(|definition| definition.name).collect::<Vec<_>>()
    };
    let command = json!({"command": "ls"});
    for (allowed, listed, runs) in [
        (None, &["exec_python", "codex_exec", "note"][..], true),
        (Some(vec![Capability::Compute]), &["exec_python"], false),
        (
            Some(vec![Capability::Compute, Capability::Shell]),
            &["exec_python", "codex_exec"],
            true,
        ),
        (Some(vec![]), &[], false),
    ] {
        let tools = match &allowed {
            None => tools(),
            Some(allowed) => tools().allow(allowed.iter().copied()),
        };
        assert_eq!(names(&tools, &session), listed);
        let result = block_on(tools.call(&mut session, "codex_exec", &command)).json;
        match runs {
            true => assert_eq!(result, json!({"ran": "ls"})),
            false => assert!(
                result.to_string().contains("needs the capability `shell`"),
                "{result}"
            ),
        }
        let result = block_on(tools.call(&mut session, "exec_python", &json!({"code": "1"})));
        assert_eq!(result.outcome.is_some(), listed.contains(&"exec_python"));
    }
}
