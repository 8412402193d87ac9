//! Handles of resources, which an instance may have 256 of.

use serde_json::json;

use crate::check::{error, plugin};

#[test]
fn more_handles_than_allowed_end_the_call() {
    let text = "(component
        (import \"wasi:io/poll@0.2.0\" (instance $poll (export \"pollable\" (type (sub resource)))))
        (alias export $poll \"pollable\" (type $pollable))
        (import \"wasi:clocks/monotonic-clock@0.2.0\" (instance $clock
            (alias outer 1 $pollable (type $p))
            (export \"pollable\" (type $q (eq $p)))
            (export \"subscribe-duration\" (func (param \"when\" u64) (result (own $q))))))
        (core func $subscribe (canon lower (func $clock \"subscribe-duration\")))
        (core module $m
            (import \"\" \"subscribe\" (func $subscribe (param i64) (result i32)))
            (func (export \"f\") (loop (drop (call $subscribe (i64.const 1))) br 0)))
        (core instance $i (instantiate $m (with \"\" (instance (export \"subscribe\" (func $subscribe))))))
        (func (export \"f\") (canon lift (core func $i \"f\"))))";
    let plugin = plugin("", text);
    let (kind, message) = error(&plugin, "f", json!([]));
    assert_eq!(kind, "RuntimeError");
    assert!(message.contains("the plugin failed"), "{message}");
}
