//! Plugins that were written to get out, to stay or to take everything. Each ends
//! in an exception that says why, and neither the host nor the next call minds.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::check::{call, error, load, of_module, plugin, value};

/// `good()` gives 7 whatever `bad()` did before.
fn with_good(module: &str) -> String {
    format!(
        "(component (core module $m {module} (func (export \"good\") (result i32) i32.const 7))\n\
         (core instance $i (instantiate $m))\n\
         (func (export \"bad\") (canon lift (core func $i \"bad\")))\n\
         (func (export \"good\") (result u32) (canon lift (core func $i \"good\"))))"
    )
}

#[track_caller]
fn ends_in(manifest: &str, module: &str, kind: &str, told: &str) {
    let plugin = plugin(manifest, &with_good(module));
    let (found, message) = error(&plugin, "bad", json!([]));
    assert_eq!(found, kind, "{message}");
    assert!(message.contains(told), "{message}");
    assert!(message.starts_with("test.bad(): "), "{message}");
    assert_eq!(value(&plugin, "good", json!([])), json!(7));
}

#[doc = "Keeps R1-19."]
#[test]
fn a_loop_ends_at_its_fuel_or_its_time() {
    let spin = "(func (export \"bad\") (loop br 0))";
    let fuel = "[limits]\nfuel = 1000000";
    ends_in(fuel, spin, "RuntimeError", "used up its 1000000 fuel");
    let plugin = plugin(fuel, &with_good(spin));
    assert_eq!(call(&plugin, "bad", json!([])).fuel, 1_000_000);
    let time = "timeout_ms = 30\n[limits]\nfuel = 1000000000000";
    let since = Instant::now();
    ends_in(time, spin, "TimeoutError", "longer than 30ms");
    assert!(since.elapsed() < Duration::from_secs(30));
}

#[doc = "Keeps R1-19."]
#[test]
fn memory_and_tables_end_where_they_may() {
    let grow = "(memory 1) (func (export \"bad\") (loop (drop (memory.grow (i32.const 16))) br 0))";
    let pages = "[memory]\nmax_pages = 64";
    ends_in(pages, grow, "MemoryError", "more than 4194304 bytes");
    // Exactly what it may have is fine.
    let enough = "(memory 1) (func (export \"bad\") (drop (memory.grow (i32.const 63))))";
    assert_eq!(
        value(&plugin(pages, &with_good(enough)), "bad", json!([])),
        Json::Null
    );
    let start = "(memory 65) (func (export \"bad\"))";
    let plugin = plugin(pages, &with_good(start));
    let (kind, message) = error(&plugin, "bad", json!([]));
    assert!(
        kind == "MemoryError" && message.contains("while it started"),
        "{message}"
    );
    let table = "(table $t 1 funcref) (func (export \"bad\") (loop (drop (table.grow $t (ref.null func) \
                 (i32.const 1000))) br 0))";
    ends_in("", table, "MemoryError", "20000 elements");
}

#[test]
fn recursion_ends_where_the_stack_does() {
    let recurse = "(func $r (export \"bad\") (call $r) (call $r))";
    ends_in("", recurse, "RecursionError", "out of stack");
    // Next to a small stack of the caller's, too.
    let thread = std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || {
            ends_in("", recurse, "RecursionError", "out of stack");
        });
    thread.expect("a thread").join().expect("unharmed");
}

#[test]
fn traps_are_told_by_what_they_are() {
    for (module, told) in [
        ("(func (export \"bad\") unreachable)", "gave up"),
        (
            "(func (export \"bad\") (drop (i32.div_u (i32.const 1) (i32.const 0))))",
            "divide by zero",
        ),
        (
            "(memory 1) (func (export \"bad\") (drop (i32.load (i32.const 70000))))",
            "out of bounds",
        ),
        (
            "(table 1 funcref) (func (export \"bad\") (call_indirect (i32.const 0)))",
            "uninitialized",
        ),
    ] {
        ends_in("", module, "RuntimeError", told);
    }
}

#[test]
fn a_start_that_traps_or_never_ends_is_told_at_the_call() {
    for (start, told) in [
        (
            "(func $s unreachable) (start $s)",
            "gave up while it started",
        ),
        ("(func $s (loop br 0)) (start $s)", "fuel while it started"),
    ] {
        let plugin = plugin(
            "",
            &of_module(&format!("{start} (func (export \"f\"))"), &["f"]),
        );
        let (kind, message) = error(&plugin, "f", json!([]));
        assert_eq!(kind, "RuntimeError");
        assert!(message.contains(told), "{message}");
    }
    let spin = of_module(
        "(func $s (loop br 0)) (start $s) (func (export \"f\"))",
        &["f"],
    );
    let plugin = plugin("timeout_ms = 10", &spin);
    assert_eq!(error(&plugin, "f", json!([])).0, "TimeoutError");
}

/// No charge follows a clock, however a call fails: `work` takes the same fuel before each failure.
#[test]
fn a_call_that_fails_costs_the_same_each_time() {
    let work = "(local $i i32) (loop (br_if 0 (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) \
                (i32.const 3000000))))";
    for end in [
        "(drop (i32.div_u (i32.const 1) (i32.const 0)))",
        "(drop (i32.load (i32.const 70000)))",
        "(call $deep)",
        "unreachable",
    ] {
        let module = with_good(&format!(
            "(memory 1) (func $deep (call $deep) (call $deep)) (func (export \"bad\") {work} {end})"
        ));
        let fuel = || call(&plugin("", &module), "bad", json!([])).fuel;
        let first = fuel();
        assert!((18_000_000..40_000_000).contains(&first), "{end}: {first}");
        for _ in 0..5 {
            assert_eq!(fuel(), first, "{end}");
        }
    }
    let text = plugin("", &giving("string", 16, u32::MAX));
    let fuel = || call(&text, "f", json!([])).fuel;
    assert_eq!(fuel(), fuel());
}

/// A function that gives text or bytes at this place, of this length.
fn giving(ty: &str, at: u32, length: u32) -> String {
    format!(
        "(component (core module $m (memory (export \"memory\") 1)
           (data (i32.const 16) \"\\ff\\fe\\80abc\")
           (func (export \"f\") (result i32)
             (i32.store (i32.const 0) (i32.const {at}))
             (i32.store (i32.const 4) (i32.const {length}))
             i32.const 0))
         (core instance $i (instantiate $m))
         (func (export \"f\") (result {ty}) (canon lift (core func $i \"f\") (memory (core memory $i \"memory\")))))"
    )
}

#[test]
fn lengths_and_text_are_claims() {
    for (ty, at, length, told) in [
        ("string", 16, 3, "utf-8"),
        ("string", 16, u32::MAX, "out of bounds"),
        ("(list u8)", 65_530, 100, "out of bounds"),
        ("(list u64)", 16, u32::MAX, ""),
        ("(list u64)", 17, 1, ""),
        ("(list (list string))", 16, 0x0fff_ffff, ""),
    ] {
        let plugin = plugin("", &giving(ty, at, length));
        let (kind, message) = error(&plugin, "f", json!([]));
        assert_eq!(kind, "RuntimeError", "{ty}: {message}");
        assert!(message.to_lowercase().contains(told), "{ty}: {message}");
    }
    assert_eq!(
        value(&plugin("", &giving("string", 19, 3)), "f", json!([])),
        json!("abc")
    );
}

#[test]
fn what_it_gives_has_a_cap() {
    let limits = "[limits]\noutput_bytes = 1000";
    let plugin = plugin(limits, &giving("(list u8)", 0, 60_000));
    let (kind, message) = error(&plugin, "f", json!([]));
    assert_eq!(kind, "ValueError");
    assert!(
        message.contains("more than it may, 1000 bytes"),
        "{message}"
    );
    let large = giving("(list u16)", 0, 30_000);
    assert!(
        call(&self::plugin("", &large), "f", json!([]))
            .answer
            .is_ok()
    );
}

#[test]
fn flags_of_short_names_take_bounded_memory() {
    // Four bytes of the guest are 32 texts; of the most that passed, 190 MB.
    let letters = ('a'..='z').map(String::from);
    let pairs = ('a'..='f').map(|letter| format!("x{letter}"));
    let names = letters.chain(pairs).map(|name| format!(" \"{name}\""));
    let names = names.collect::<String>();
    let passes = |count: u32| {
        let component = format!(
            "(component (type $t0 (flags{names})) (export $t \"t\" (type $t0))
             (core module $m (memory (export \"memory\") 200)
               (func (export \"f\") (result i32)
                 (memory.fill (i32.const 16) (i32.const 255) (i32.const {}))
                 (i32.store (i32.const 0) (i32.const 16)) (i32.store (i32.const 4) (i32.const {count})) (i32.const 0)))
             (core instance $i (instantiate $m))
             (func (export \"f\") (result (list $t))
               (canon lift (core func $i \"f\") (memory (core memory $i \"memory\")))))",
            4 * count
        );
        call(&plugin("", &component), "f", json!([])).answer.is_ok()
    };
    // Each has 32 bytes, and 38 of names; as JSON all have less than a megabyte.
    assert!(passes(5_000));
    assert!(!passes(7_000));
}

#[test]
fn fields_that_are_left_out_take_bounded_memory() {
    let fields: String = (0..8000)
        .map(|n| format!("(field \"c{n}\" (option u8))"))
        .collect();
    let component = format!(
        "(component (type $t0 (record {fields})) (export $t \"t\" (type $t0))
         (core module $m (memory (export \"memory\") 200)
           (func (export \"realloc\") (param i32 i32 i32 i32) (result i32) (i32.const 0))
           (func (export \"f\") (param i32 i32) (result i32) (local.get 1)))
         (core instance $i (instantiate $m))
         (func (export \"f\") (param \"records\" (list $t)) (result u32)
           (canon lift (core func $i \"f\") (memory (core memory $i \"memory\")) (realloc (core func $i \"realloc\")))))"
    );
    let plugin = plugin("", &component);
    assert_eq!(value(&plugin, "f", json!([vec![json!({}); 20]])), json!(20));
    // 1200 bytes of JSON, and 220 MB of values.
    let (kind, message) = error(&plugin, "f", json!([vec![json!({}); 400]]));
    assert_eq!(kind, "ValueError", "{message}");
    assert!(message.contains("too many optional fields"), "{message}");
}

#[doc = "Keeps R1-25."]
#[test]
fn what_is_imported_beyond_the_grants_is_told_when_it_is_loaded() {
    // Denied capabilities.
    let importing = |interface: &str, function: &str| {
        format!(
            "(component (import \"{interface}\" (instance (export \"{function}\" (func (result u64)))))
             (core module $m (func (export \"f\")))
             (core instance $i (instantiate $m))
             (func (export \"f\") (canon lift (core func $i \"f\"))))"
        )
    };
    for (interface, function, told) in [
        (
            "wasi:sockets/tcp-create-socket@0.2.0",
            "create-tcp-socket",
            "which no manifest can grant",
        ),
        (
            "wasi:http/outgoing-handler@0.2.0",
            "handle",
            "which no manifest can grant",
        ),
        ("acme:other/things", "f", "which no manifest can grant"),
        (
            "rlm:sandbox/calls@0.1.0",
            "call-tool",
            "which no manifest can grant",
        ),
        (
            "rlm:sandbox/host@0.2.0",
            "log",
            "build it with the SDK of this version",
        ),
        (
            "rlm:sandbox/host@0.1.0",
            "llm-query",
            "`llm_query = true` under [permissions]",
        ),
        (
            "rlm:sandbox/host@0.1.0",
            "read-context",
            "`contexts = [\"context\"]` under [permissions]",
        ),
        (
            "wasi:clocks/wall-clock@0.2.0",
            "now",
            "`clock = true` under [permissions]",
        ),
        (
            "wasi:random/random@0.2.0",
            "get-random-u64",
            "`entropy = true` under [permissions]",
        ),
        (
            "wasi:filesystem/types@0.2.0",
            "unlink-file-at",
            "`allowed_paths = ",
        ),
    ] {
        let error = match load("", &importing(interface, function)) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{interface} is granted to everybody"),
        };
        assert!(error.contains(told), "{error}");
        assert!(
            error.contains(interface) && error.contains(function),
            "{error}"
        );
        assert!(
            error.starts_with("the plugin `test` is not loaded"),
            "{error}"
        );
    }
    // Granted, but not what the host means by it.
    let granted = load(
        "[permissions]\nllm_query = true",
        &importing("rlm:sandbox/host@0.1.0", "llm-query"),
    );
    assert!(
        granted
            .expect_err("of another type")
            .to_string()
            .contains("do not fit this host")
    );
    let granted = load(
        "[permissions]\nentropy = true",
        &importing("wasi:random/random@0.2.0", "get-random-u64"),
    );
    assert!(granted.is_ok());
}

#[test]
fn what_cannot_be_handed_to_python_is_refused_by_name() {
    let resource = "(component (type $r (resource (rep i32)))
        (export $R \"thing\" (type $r))
        (core module $m (func (export \"f\") (result i32) i32.const 1))
        (core instance $i (instantiate $m))
        (func (export \"f\") (result (own $R)) (canon lift (core func $i \"f\"))))";
    let error = load("", resource).expect_err("refused").to_string();
    assert!(error.contains("`f` takes or gives a resource"), "{error}");
    let none = load("", "(component)").expect_err("refused").to_string();
    assert!(none.contains("exports no function"), "{none}");
}

#[test]
fn a_plugin_has_64_core_instances_at_the_most() {
    let component = |count: usize| {
        let empty = "(core instance (instantiate $e))\n".repeat(count - 1);
        let text = of_module("(func (export \"f\"))", &["f"]);
        text.replacen(
            "(component",
            &format!("(component (core module $e)\n{empty}"),
            1,
        )
    };
    let answer = call(&plugin("", &component(64)), "f", json!([])).answer;
    answer.expect("as many as are permitted");
    let (kind, message) = error(&plugin("", &component(65)), "f", json!([]));
    assert_eq!(kind, "RuntimeError", "{message}");
    assert!(message.contains("instance count"), "{message}");
}

#[test]
fn components_with_two_memories_are_refused_and_do_not_end_the_process() {
    for encodings in [
        ["utf8", "utf8"],
        ["utf8", "utf16"],
        ["latin1+utf16", "utf8"],
    ] {
        let error = load("", &crate::check::of_two_memories(encodings)).expect_err("refused");
        assert_eq!(error.kind(), rlm_sandbox::ErrorKind::Guest);
        let message = error.to_string();
        assert!(
            message.contains("not loaded: components in it hand text"),
            "{message}"
        );
    }
    // Numbers need no memory.
    let numbers = "(component
        (component $a (core module $m (func (export \"f\") (param i32) (result i32) local.get 0))
            (core instance $i (instantiate $m))
            (func (export \"f\") (param \"n\" u32) (result u32) (canon lift (core func $i \"f\"))))
        (instance $a (instantiate $a))
        (component $b (import \"f\" (func $f (param \"n\" u32) (result u32)))
            (core func $f (canon lower (func $f)))
            (core module $m (import \"\" \"f\" (func $f (param i32) (result i32)))
                (func (export \"g\") (result i32) (call $f (i32.const 7))))
            (core instance $i (instantiate $m (with \"\" (instance (export \"f\" (func $f))))))
            (func (export \"g\") (result u32) (canon lift (core func $i \"g\"))))
        (instance $b (instantiate $b (with \"f\" (func $a \"f\"))))
        (export \"g\" (func $b \"g\")))";
    assert_eq!(value(&plugin("", numbers), "g", json!([])), json!(7));
}
