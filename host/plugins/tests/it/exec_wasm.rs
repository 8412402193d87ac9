//! The tool `exec_wasm`, as an agent's loop uses it.

use std::time::Duration;

use rlm_sandbox::{
    Allowance, Journal, LocalTools, Plugin, PluginAnswer, PluginCall, PluginFunction, Recording,
    Shape, Verdict,
};
use rlm_sandbox_plugins::{Manifest, Registry};
use serde_json::{Value as Json, json};

use crate::check::{block_on, sandbox};

const ADDER: &str = "(component (core module $m
        (func (export \"add\") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
        (func (export \"spin\") (loop br 0)))
    (core instance $i (instantiate $m))
    (func (export \"add\") (param \"a\" u32) (param \"b\" u32) (result u32) (canon lift (core func $i \"add\")))
    (func (export \"spin\") (canon lift (core func $i \"spin\"))))";

fn registry() -> Registry {
    let registry = Registry::builder().no_cache().build().expect("an engine");
    let wasm = wat::parse_str(ADDER).expect("a component");
    registry
        .load(Manifest::named("adder"), &wasm)
        .expect("loads");
    let mut manifest = Manifest::named("only");
    manifest.exports = Some(vec![String::from("add")]);
    registry.load(manifest, &wasm).expect("loads");
    registry
}

#[doc = "Keeps R1-25, R0-3."]
#[test]
fn calls_are_carried_out_and_answered_in_band() {
    let registry = registry();
    let run = |arguments: Json| block_on(registry.exec_wasm(&arguments).run());
    for input in [json!([2, 3]), json!({"a": 2, "b": 3})] {
        let told = run(json!({"plugin": "adder", "function": "add", "input": input}));
        assert_eq!(
            (&told["success"], &told["return_value"]),
            (&json!(true), &json!(5)),
            "{told}"
        );
        assert!(
            told["fuel"]
                .as_str()
                .expect("text")
                .parse::<u64>()
                .expect("a number")
                > 0
        );
    }
    // The only function need not be named.
    assert_eq!(
        run(json!({"plugin": "only", "input": [1, 1]}))["return_value"],
        json!(2)
    );
    for (arguments, told) in [
        (json!({}), "missing 'plugin' parameter"),
        (json!({"plugin": 1}), "'plugin' must be a string"),
        (
            json!({"plugin": "no", "input": 1}),
            "there is no plugin `no`; there are adder, only",
        ),
        (
            json!({"plugin": "adder", "input": 1}),
            "missing 'function' parameter; adder has add, spin",
        ),
        (
            json!({"plugin": "adder", "function": "add"}),
            "missing 'input' parameter",
        ),
        (
            json!({"plugin": "adder", "function": "sub", "input": 1}),
            "adder has no function `sub`",
        ),
        (
            json!({"plugin": "adder", "function": "add", "input": ["a", 1]}),
            "a: this should be an int",
        ),
        (
            json!({"plugin": "adder", "function": "add", "input": [1, 1], "timeout_ms": 0}),
            "above 0",
        ),
        (
            json!({"plugin": "adder", "function": "spin", "input": [], "timeout_ms": 20}),
            "longer than 20ms",
        ),
        (json!([]), "missing 'plugin' parameter"),
        (json!(null), "missing 'plugin' parameter"),
    ] {
        let answer = run(arguments);
        assert_eq!(answer["success"], json!(false), "{answer}");
        assert!(
            answer["error"].as_str().expect("text").contains(told),
            "{answer}"
        );
    }
}

#[test]
fn models_are_told_what_there_is() {
    let schema = registry().tool_schema(Shape::OpenAi);
    let function = &schema["function"];
    assert_eq!(function["name"], json!("exec_wasm"));
    assert!(
        function["description"]
            .as_str()
            .expect("text")
            .contains("\n- adder.add(a: int, b: int) -> int")
    );
    assert_eq!(
        function["parameters"]["properties"]["plugin"]["enum"],
        json!(["adder", "only"])
    );
    assert!(registry().tool_schema(Shape::Anthropic)["input_schema"].is_object());
}

#[doc = "Keeps R1-25, R0-3."]
#[test]
fn in_a_session_a_call_is_charged_recorded_and_replayed() {
    let registry = registry();
    let plugin = |name: &str| registry.plugin(name).expect("it is loaded");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let builder = sandbox().session().seed(1).plugin(plugin("adder"));
    let builder = builder.plugin(plugin("only"));
    let recording = Recording::create(&path).expect("a new file");
    let mut session = builder.record(&recording).open().expect("right");
    let tools = LocalTools::new();
    let definitions = tools.definitions(&session);
    let names: Vec<_> = definitions.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["exec_python", "exec_wasm"]);
    assert!(
        definitions[1]
            .description
            .contains("\n- adder.add(a: int, b: int) -> int"),
        "{}",
        definitions[1].description
    );
    let mut call =
        |name: &str, arguments: Json| block_on(tools.call(&mut session, name, &arguments)).json;
    // No script takes the plugin's place.
    call(
        "exec_python",
        json!({"code": "adder = only = None\nkept = 1"}),
    );
    for input in [json!([2, 3]), json!({"a": 2, "b": 3})] {
        let result = call(
            "exec_wasm",
            json!({"plugin": "adder", "function": "add", "input": input}),
        );
        assert_eq!(
            (&result["success"], &result["return_json"]),
            (&json!(true), &json!(5)),
            "{result}"
        );
        assert_eq!(result["_sandbox"], json!("plugin"));
        assert!(
            result["usage"]["host_calls"] == json!(1) && result["fuel"].as_u64() > Some(0),
            "{result}"
        );
        // It leaves no variable.
        assert_eq!(result["variables"], json!(["kept"]));
    }
    assert_eq!(
        call("exec_wasm", json!({"plugin": "only", "input": [1, 1]}))["return_json"],
        json!(2)
    );
    for (arguments, told) in [
        (
            json!({"plugin": "no", "input": 1}),
            "there is no plugin `no`; there are adder, only",
        ),
        (
            json!({"plugin": "adder", "function": "add", "input": [1]}),
            "b",
        ),
        (
            json!({"plugin": "adder", "function": "add", "input": {"c": 1}}),
            "c",
        ),
        (
            json!({"plugin": "adder", "function": "add", "input": ["a\n\"", null]}),
            "a: this should be an int",
        ),
        (
            json!({"plugin": "adder", "function": "spin", "input": [], "timeout_ms": 50}),
            "time",
        ),
    ] {
        let result = call("exec_wasm", arguments);
        assert_eq!(result["success"], json!(false), "{result}");
        assert!(
            result["error"].as_str().expect("text").contains(told),
            "{result}"
        );
    }
    drop(session);
    let journal = Journal::open(&path).expect("a journal");
    let replay = block_on(journal.replay(sandbox())).expect("it is read");
    assert!(
        matches!(replay.verdict, Verdict::Identical),
        "{:?}",
        replay.verdict
    );
}

/// A plugin whose only argument is any JSON gets it as it is.
#[test]
fn json_reaches_a_plugin_of_the_world_as_it_is() {
    struct Echo;
    impl Plugin for Echo {
        fn name(&self) -> &str {
            "echo"
        }
        fn functions(&self) -> Vec<PluginFunction> {
            vec![PluginFunction::new("run", ["input"]).takes_json()]
        }
        fn allowance(&self) -> Allowance {
            Allowance::new(1_000_000, Duration::from_secs(1), 0)
        }
        async fn call(&self, call: PluginCall) -> PluginAnswer {
            let given = call.arguments.iter().map(|(_, value)| value.clone());
            PluginAnswer::new(Ok(given.collect()))
        }
    }
    let mut session = sandbox().session().plugin(Echo).open().expect("right");
    let tools = LocalTools::new();
    for input in [
        json!({"input": 1, "b": [true, null, -0.5, 1e300, "\u{0}\n'\"\\é\u{2028}"]}),
        json!([1, 2]),
        json!([]),
        json!("text"),
        json!(null),
        json!(u64::MAX),
    ] {
        let arguments = json!({"plugin": "echo", "input": input});
        let result = block_on(tools.call(&mut session, "exec_wasm", &arguments)).json;
        let same = match input.as_u64() {
            // As readers of JSON need it.
            Some(u64::MAX) => json!([{"$int": u64::MAX.to_string()}]),
            _ => json!([input]),
        };
        assert_eq!(result["return_json"], same, "{result}");
    }
}
