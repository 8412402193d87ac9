//! The time of a call: what the host does for a plugin counts, whatever fuel it takes.

use std::cell::Cell;
use std::time::{Duration, Instant};

use rlm_sandbox::{Plugin as _, PluginAnswer, PluginCall};
use rlm_sandbox_plugins::WasmPlugin;
use serde_json::{Value as Json, json};

use crate::check::{block_on, call, error, plugin, value};

/// Units of UTF-16 of which the host copies millions in some milliseconds, for a dozen units of fuel.
const MANY: u32 = 2_000_000;

/// A component whose `run` writes so many units of UTF-16 so many times; with `start`, the instance does
/// so while it starts.
fn copier(start: &str) -> String {
    format!(
        "(component
         (import \"rlm:sandbox/host@0.1.0\" (instance $h (export \"write-output\" (func (param \"text\" string)))))
         (core module $memory (memory (export \"m\") 100)
           (func (export \"r\") (param i32 i32 i32 i32) (result i32) (i32.const 0)))
         (core instance $memory (instantiate $memory))
         (core func $w (canon lower (func $h \"write-output\") (memory (core memory $memory \"m\"))
           (realloc (core func $memory \"r\")) string-encoding=utf16))
         (core module $m (import \"\" \"w\" (func $w (param i32 i32)))
           (func $run (export \"run\") (param $times i32) (param $units i32) (local $i i32)
             (loop $again
               (call $w (i32.const 0) (local.get $units))
               (local.set $i (i32.add (local.get $i) (i32.const 1)))
               (br_if $again (i32.lt_u (local.get $i) (local.get $times)))))
           {start})
         (core instance $i (instantiate $m (with \"\" (instance (export \"w\" (func $w))))))
         (func (export \"run\") (param \"times\" u32) (param \"units\" u32) (canon lift (core func $i \"run\"))))"
    )
}

/// A component whose `run` writes so many bytes to standard output so many times, which is no call
/// that is counted.
fn printer() -> String {
    String::from(
        "(component
         (import \"wasi:io/error@0.2.6\" (instance $err (export \"error\" (type (sub resource)))))
         (alias export $err \"error\" (type $error))
         (import \"wasi:io/streams@0.2.6\" (instance $st
           (alias outer 1 $error (type $e0)) (export \"error\" (type $e (eq $e0)))
           (export \"output-stream\" (type $os (sub resource)))
           (type $serr (variant (case \"last-operation-failed\" (own $e)) (case \"closed\")))
           (export \"stream-error\" (type $se (eq $serr)))
           (export \"[method]output-stream.write\"
             (func (param \"self\" (borrow $os)) (param \"contents\" (list u8)) (result (result (error $se)))))))
         (alias export $st \"output-stream\" (type $ostream))
         (import \"wasi:cli/stdout@0.2.6\" (instance $so
           (alias outer 1 $ostream (type $pp)) (export \"output-stream\" (type $o2 (eq $pp)))
           (export \"get-stdout\" (func (result (own $o2))))))
         (core module $memory (memory (export \"m\") 100)
           (func (export \"r\") (param i32 i32 i32 i32) (result i32) (i32.const 0)))
         (core instance $memory (instantiate $memory))
         (core func $w (canon lower (func $st \"[method]output-stream.write\") (memory (core memory $memory \"m\"))
           (realloc (core func $memory \"r\"))))
         (core func $get (canon lower (func $so \"get-stdout\")))
         (core module $m
           (import \"\" \"w\" (func $w (param i32 i32 i32 i32))) (import \"\" \"get\" (func $get (result i32)))
           (func (export \"run\") (param $times i32) (param $bytes i32) (local $i i32) (local $out i32)
             (local.set $out (call $get))
             (loop $again
               (call $w (local.get $out) (i32.const 64) (local.get $bytes) (i32.const 16))
               (local.set $i (i32.add (local.get $i) (i32.const 1)))
               (br_if $again (i32.lt_u (local.get $i) (local.get $times))))))
         (core instance $i (instantiate $m (with \"\" (instance (export \"w\" (func $w)) (export \"get\" (func $get))))))
         (func (export \"run\") (param \"times\" u32) (param \"bytes\" u32) (canon lift (core func $i \"run\"))))",
    )
}

#[test]
fn host_functions_end_with_the_time_of_the_call_and_let_other_tasks_run() {
    let start = format!("(func $s (call $run (i32.const 5000) (i32.const {MANY}))) (start $s)");
    // All of the calls take tens of seconds, and less fuel than there is between two yields.
    for (component, times, size) in [
        (copier(""), 5000, MANY),
        (copier(&start), 1, 1),
        (printer(), 100_000, 2 * MANY),
    ] {
        let plugin = plugin("timeout_ms = 300", &component);
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let (is_over, progress) = (Cell::new(false), Cell::new(0));
        let since = Instant::now();
        let run = async {
            let arguments = json!([times, size]);
            let answer = plugin.call(PluginCall::new(&plugin, "run", arguments));
            let answer = answer.await;
            is_over.set(true);
            answer
        };
        let other = async {
            while !is_over.get() {
                progress.set(progress.get() + 1);
                tokio::task::yield_now().await;
            }
        };
        let both = async { tokio::join!(run, other).0 };
        let PluginAnswer {
            answer, compute, ..
        } = runtime.expect("a runtime").block_on(both);
        let elapsed = since.elapsed();
        let error = answer.expect_err("it takes too long");
        let exception = error.exception();
        assert_eq!(exception.kind, "TimeoutError", "{exception}");
        assert!(compute >= Duration::from_millis(300), "{compute:?}");
        assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
        assert!(progress.get() >= 5, "{}", progress.get());
    }
}

#[test]
fn fuel_does_not_depend_on_the_time_of_host_functions() {
    let plugin = plugin("timeout_ms = 60000", &copier(""));
    let fuel = |units: u32| {
        let answer = call(&plugin, "run", json!([50, units]));
        answer.answer.expect("in time");
        answer.fuel
    };
    let without_yields = fuel(1);
    assert!(without_yields > 0);
    assert_eq!([fuel(MANY), fuel(MANY)], [without_yields; 2]);
}

/// Types, and the type of the elements of a list.
struct Elements {
    types: String,
    ty: &'static str,
}

/// A variant whose cases all have a payload: `c0` to the last one.
fn variant(cases: usize) -> Elements {
    let cases: String = (0..cases).map(|n| format!("(case \"c{n}\" u8)")).collect();
    Elements {
        types: format!("(type $t0 (variant {cases})) (export $t \"t\" (type $t0))"),
        ty: "$t",
    }
}

/// An enum of names from `c0` on.
fn names(count: usize) -> Elements {
    let names: String = (0..count).map(|n| format!("\"c{n}\" ")).collect();
    Elements {
        types: format!("(type $t0 (enum {names})) (export $t \"t\" (type $t0))"),
        ty: "$t",
    }
}

/// A record of optional fields from `c0` on.
fn record(fields: usize) -> Elements {
    let fields: String = (0..fields)
        .map(|n| format!("(field \"c{n}\" (option u8))"))
        .collect();
    Elements {
        types: format!("(type $t0 (record {fields})) (export $t \"t\" (type $t0))"),
        ty: "$t",
    }
}

/// A component that takes a list of elements with `take`, and gives one with `give`: so many elements,
/// each of which begins with these 16 bits.
fn lists(elements: &Elements, bytes: u32) -> WasmPlugin {
    let Elements { types, ty } = elements;
    let component = format!(
        "(component {types}
         (core module $m (memory (export \"m\") 500)
           (func (export \"r\") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
           (func (export \"take\") (param i32 i32) (result i32) (local.get 1))
           (func (export \"give\") (param $count i32) (param $bits i32) (result i32) (local $i i32)
             (loop $again
               (i32.store16 (i32.add (i32.const 65536) (i32.mul (local.get $i) (i32.const {bytes}))) (local.get $bits))
               (local.set $i (i32.add (local.get $i) (i32.const 1)))
               (br_if $again (i32.lt_u (local.get $i) (local.get $count))))
             (i32.store (i32.const 16) (i32.const 65536))
             (i32.store (i32.const 20) (local.get $count))
             (i32.const 16)))
         (core instance $i (instantiate $m))
         (func (export \"take\") (param \"elements\" (list {ty})) (result u32)
           (canon lift (core func $i \"take\") (memory (core memory $i \"m\")) (realloc (core func $i \"r\"))))
         (func (export \"give\") (param \"count\" u32) (param \"bits\" u32) (result (list {ty}))
           (canon lift (core func $i \"give\") (memory (core memory $i \"m\")))))"
    );
    plugin("timeout_ms = 60000", &component)
}

/// The least time of three calls.
fn least_time(plugin: &WasmPlugin, function: &str, arguments: &Json) -> Duration {
    let times = (0..3).map(|_| {
        let since = Instant::now();
        value(plugin, function, arguments.clone());
        since.elapsed()
    });
    times.min().expect("three")
}

#[test]
fn a_name_is_found_in_a_time_that_does_not_depend_on_how_many_there_are() {
    const COUNT: usize = 8000;
    const LAST: usize = COUNT - 1;
    let is_near = |first: Duration, last: Duration, what: &str| {
        let most = first * 8 + Duration::from_millis(200);
        assert!(last < most, "{what}: {first:?} {last:?}");
    };
    let variants = lists(&variant(COUNT), 4);
    let given = |case: usize| least_time(&variants, "give", &json!([20_000, case]));
    is_near(given(0), given(LAST), "cases that a plugin gives");
    let case = |case: usize| json!({format!("c{case}"): 1});
    let taken = |n: usize| least_time(&variants, "take", &json!([vec![case(n); 20_000]]));
    is_near(taken(0), taken(LAST), "cases that a plugin takes");
    let enums = lists(&names(COUNT), 2);
    let name = |n: usize| json!([vec![format!("c{n}"); 20_000]]);
    let taken = |n: usize| least_time(&enums, "take", &name(n));
    is_near(taken(0), taken(LAST), "names that a plugin takes");
    // The same number of fields, in many small records and in few large ones.
    let records = |fields: usize| {
        let members = (0..fields).map(|n| (format!("c{n}"), json!(1)));
        let record: Json = members.collect::<serde_json::Map<_, _>>().into();
        let plugin = lists(&self::record(fields), 2);
        least_time(&plugin, "take", &json!([vec![record; 40_000 / fields]]))
    };
    is_near(records(8), records(COUNT / 2), "fields that a plugin takes");
}

#[test]
fn conversions_count_against_the_time_of_the_call() {
    let variants = lists(&variant(2), 2);
    let elements = json!([vec![json!({"c1": 1}); 30_000]]);
    for (function, arguments) in [("take", elements.clone()), ("give", json!([30_000, 1]))] {
        let call = PluginCall::new(&variants, function, arguments);
        let since = Instant::now();
        let answer = block_on(variants.call(call));
        let elapsed = since.elapsed();
        answer.answer.expect("in time");
        let compute = answer.compute;
        assert!(
            compute > elapsed * 3 / 5,
            "{function}: {compute:?} of {elapsed:?}"
        );
    }
    let hasty = |function: &str, arguments: Json| {
        let call = PluginCall::new(&variants, function, arguments);
        let answer = block_on(variants.call(call.time(Duration::from_millis(1))));
        let error = answer.answer.expect_err("it takes longer");
        assert_eq!(
            error.exception().kind,
            "TimeoutError",
            "{}",
            error.exception()
        );
    };
    hasty("take", elements);
    hasty("give", json!([30_000, 1]));
    let (kind, _) = error(&variants, "take", json!([["no case"]]));
    assert_eq!(kind, "TypeError");
}
