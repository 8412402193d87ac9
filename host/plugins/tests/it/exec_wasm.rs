//! The tool `exec_wasm`, as an agent's loop uses it.

use rlm_sandbox::Shape;
use rlm_sandbox_plugins::{Manifest, Registry};
use serde_json::{Value as Json, json};

use crate::check::block_on;

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

#[test]
fn calls_are_carried_out_and_answered_in_band() {
    // R1-25, R0-3.
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
