//! Plugins called from Python: values both ways, one ledger, instances apart.

use rlm_sandbox::{
    Ending, Journal, Limits, Lm, LmAnswer, LmError, LmRequest, Outcome, Recording, Sandbox,
    SandboxLimits, Session, Stop, Verdict,
};
use rlm_sandbox_plugins::{Keep, Manifest, Registry, WasmPlugin};
use serde_json::{Value as Json, json};

use crate::check::{block_on, echo_in_memory, plugin, registry, sandbox, value};

/// Adds, loops, and remembers in linear memory what it was given last.
const SMALL: &str = "(component (core module $m (global $last (mut i32) (i32.const 0))
        (func (export \"add\") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
        (func (export \"spin\") (loop br 0))
        (func (export \"work\") (param i32) (loop
            (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br_if 0 (local.get 0))))
        (func (export \"swap\") (param i32) (result i32)
            (global.get $last) (global.set $last (local.get 0))))
    (core instance $i (instantiate $m))
    (func (export \"add\") (param \"a\" u32) (param \"b\" u32) (result u32) (canon lift (core func $i \"add\")))
    (func (export \"spin\") (canon lift (core func $i \"spin\")))
    (func (export \"work\") (param \"rounds\" u32) (canon lift (core func $i \"work\")))
    (func (export \"swap\") (param \"value\" u32) (result u32) (canon lift (core func $i \"swap\"))))";

fn small(manifest: &str) -> WasmPlugin {
    plugin(manifest, SMALL)
}

#[track_caller]
fn exec(session: &mut Session, code: &str) -> Outcome {
    block_on(session.exec(code)).expect("runs")
}

#[track_caller]
fn given(session: &mut Session, code: &str) -> Json {
    let outcome = exec(session, code);
    match &outcome.ending {
        Ending::Value(_) => outcome.value().expect("a value"),
        other => panic!("{code}: {other:?}"),
    }
}

fn open(plugin: &WasmPlugin) -> Session {
    sandbox()
        .session()
        .plugin(plugin.clone())
        .open()
        .expect("right")
}

#[doc = "Keeps RC-6, R1-5."]
#[test]
fn python_calls_a_plugin_as_a_function() {
    let mut session = open(&small(""));
    assert_eq!(given(&mut session, "test.add(2, b=3)"), json!(5));
    let code = "import asyncio\nawait asyncio.gather(*[test.add(i, i) for i in range(3)])";
    assert_eq!(given(&mut session, code), json!([0, 2, 4]));
    assert_eq!(
        given(
            &mut session,
            "sorted([3, 1, 2], key=lambda x: test.add(x, 1))"
        ),
        json!([1, 2, 3])
    );
    let code =
        "try:\n    test.add('a', 1)\nexcept TypeError as error:\n    told = str(error)\ntold";
    assert_eq!(
        given(&mut session, code),
        json!("test.add(): a: this should be an int of 32 bits, not negative, and is a str")
    );
    let code = "try:\n    test.spin()\nexcept TimeoutError as error:\n    told = str(error)\ntold";
    let mut limited = open(&small("timeout_ms = 20\n[limits]\nfuel = 1000000000000"));
    assert_eq!(
        given(&mut limited, code),
        json!(
            "test.spin(): the plugin took longer than 20ms (`timeout_ms` of its manifest, or the exec's own time)"
        )
    );
    assert_eq!(given(&mut limited, "test.add(1, 1)"), json!(2));
    assert!(
        session.instructions().contains("test.add(a, b)"),
        "{}",
        session.instructions()
    );
}

#[test]
fn its_fuel_is_the_sessions_and_the_same_each_time() {
    let plugin = small("");
    let alone = crate::check::call(&plugin, "work", json!([1_000_000])).fuel;
    assert!(alone > 3_000_000, "{alone}");
    let mut session = open(&plugin);
    exec(&mut session, "test.work(1)");
    let idle = exec(&mut session, "test.work(1)").usage.fuel;
    let busy = exec(&mut session, "test.work(1000000)").usage.fuel;
    let little = crate::check::call(&plugin, "work", json!([1])).fuel;
    // The script itself uses what it used before, give or take its literals.
    let both = busy - idle;
    assert!(both.abs_diff(alone - little) < 10_000, "{both} {alone}");
    // Nor does it get more time than the session has.
    let mut limits = Limits::default();
    limits.time = std::time::Duration::from_millis(50);
    let patient = small("timeout_ms = 60000\n[limits]\nfuel = 1000000000000000");
    let builder = sandbox().session().plugin(patient).limits(limits);
    let mut session = builder.open().expect("right");
    let outcome = exec(
        &mut session,
        "while True:\n    try: test.spin()\n    except TimeoutError: pass",
    );
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Time, _)),
        "{:?}",
        outcome.ending
    );
    assert_eq!(given(&mut session, "test.add(1, 1)"), json!(2));
    // A session that has no more fuel ends at its own limit, whatever the plugin may use.
    let mut limits = Limits::default();
    limits.fuel = Some(10_000_000);
    let builder = sandbox().session().plugin(plugin.clone()).limits(limits);
    let mut session = builder.open().expect("right");
    let outcome = exec(&mut session, "for i in range(100): test.work(1000000)");
    assert!(
        matches!(
            outcome.ending,
            Ending::Stopped(Stop::Fuel, _) | Ending::Raised(_)
        ),
        "{:?}",
        outcome.ending
    );
    assert!(outcome.usage.fuel < 11_000_000, "{}", outcome.usage.fuel);
    assert_eq!(given(&mut session, "test.add(1, 1)"), json!(2));
}

/// A call that is ended by its time limit costs what an exec of that time has, or all that was set aside.
#[test]
fn a_time_limit_costs_the_same_on_every_machine() {
    for (fuel, expected) in [("1000000000000", 12_500_000_000), ("1000000", 1_000_000)] {
        let slow = small(&format!("timeout_ms = 50\n[limits]\nfuel = {fuel}"));
        let spun = crate::check::call(&slow, "spin", json!([]));
        assert!(spun.answer.is_err());
        assert_eq!(spun.fuel, expected);
    }
}

/// Repeats a recording, which has to be identical, and returns its fuel.
fn repeated_fuel(path: &std::path::Path) -> u64 {
    let journal = Journal::open(path).expect("whole");
    let replayed = block_on(journal.replay(sandbox())).expect("can be repeated");
    assert!(
        matches!(replayed.verdict, Verdict::Identical),
        "{:?}",
        replayed.verdict
    );
    replayed.fuel
}

#[test]
fn a_recorded_call_is_repeated_with_equal_fuel() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let plugin = small("");
    let builder = sandbox().session().plugin(plugin.clone());
    let recording = Recording::create(&path).expect("a file");
    let mut session = builder.record(&recording).open().expect("right");
    let outcome = exec(&mut session, "test.work(100000)\ntest.add(1, 2)");
    drop(session);
    assert_eq!(repeated_fuel(&path), outcome.usage.fuel);
    // And carried out again by the plugin itself.
    let again = || crate::check::call(&plugin, "work", json!([100_000])).fuel;
    let text = std::fs::read_to_string(&path).expect("text");
    assert!(text.contains(&format!(r#""fuel":"{}""#, again())), "{text}");
    assert_eq!(again(), again());
}

#[test]
fn a_question_to_no_model_is_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let asks = plugin("[permissions]\nllm_query = true", HOLDER);
    let recording = Recording::create(&path).expect("a file");
    let builder = sandbox().session().plugin(asks).record(&recording);
    let mut session = builder.open().expect("right");
    exec(&mut session, "test.ask(0)");
    drop(session);
    let text = std::fs::read_to_string(&path).expect("text");
    assert!(text.contains("no language model is attached"), "{text}");
    repeated_fuel(&path);
}

#[test]
fn instances_are_fresh_or_kept_for_their_session_alone() {
    let fresh = small("");
    let mut session = open(&fresh);
    assert_eq!(
        given(&mut session, "[test.swap(7), test.swap(8)]"),
        json!([0, 0])
    );

    let kept = small("keep = \"session\"");
    assert_eq!(kept.manifest().keep, Keep::Session);
    let (mut first, mut second) = (open(&kept), open(&kept));
    assert_eq!(
        given(&mut first, "[test.swap(7), test.swap(8)]"),
        json!([0, 7])
    );
    assert_eq!(given(&mut second, "[test.swap(9)]"), json!([0]));
    assert_eq!(given(&mut first, "[test.swap(1)]"), json!([8]));
    // It is built again after a call that failed, and for a session that moved.
    let mut limited = open(&small("keep = \"session\"\n[limits]\nfuel = 100000"));
    let code = "a = test.swap(5)\ntry:\n    test.spin()\nexcept RuntimeError: pass\n[a, test.swap(6), test.swap(7)]";
    assert_eq!(given(&mut limited, code), json!([0, 0, 6]));
    let parked = block_on(first.park()).expect("written");
    let mut restored = sandbox()
        .session()
        .plugin(kept.clone())
        .restore(&parked)
        .expect("fits");
    assert_eq!(given(&mut restored, "[test.swap(1)]"), json!([0]));
    // Outside of sessions nothing is kept.
    assert_eq!(value(&kept, "swap", json!([3])), json!(0));
    assert_eq!(value(&kept, "swap", json!([4])), json!(0));
}

/// Looks through all its memory for a number and then fills it with that number.
const CANARY: &str = "(component (core module $m (memory 16)
        (func (export \"look\") (param $mark i64) (result i32) (local $at i32) (local $found i32)
            (loop
                (if (i64.ne (i64.load (local.get $at)) (i64.const 0)) (then (local.set $found (i32.const 1))))
                (i64.store (local.get $at) (local.get $mark))
                (local.set $at (i32.add (local.get $at) (i32.const 8)))
                (br_if 0 (i32.lt_u (local.get $at) (i32.const 1048576))))
            (local.get $found)))
    (core instance $i (instantiate $m))
    (func (export \"look\") (param \"mark\" u64) (result bool) (canon lift (core func $i \"look\"))))";

#[test]
fn no_instance_sees_what_another_left_behind() {
    let wasm = wat::parse_str(CANARY).expect("a component");
    let pooled = Registry::builder()
        .no_cache()
        .pool(4)
        .build()
        .expect("an engine");
    for registry in [registry(), &pooled] {
        let canary = registry
            .load(Manifest::named("canary"), &wasm)
            .expect("loads");
        let mut sessions: Vec<_> = (0..3).map(|_| open(&canary)).collect();
        for round in 0..20_u64 {
            for (index, session) in sessions.iter_mut().enumerate() {
                let mark = 0xdead_0000 + round * 10 + index as u64;
                assert_eq!(
                    given(session, &format!("canary.look({mark})")),
                    json!(false)
                );
            }
        }
    }
}

#[test]
fn a_pool_that_is_full_is_an_exception() {
    let pooled = Registry::builder()
        .no_cache()
        .pool(1)
        .build()
        .expect("an engine");
    let wasm = wat::parse_str(SMALL).expect("a component");
    let mut manifest = Manifest::named("test");
    manifest.keep = Keep::Session;
    let kept = pooled.load(manifest, &wasm).expect("loads");
    let (mut first, mut second) = (open(&kept), open(&kept));
    assert_eq!(given(&mut first, "test.add(1, 1)"), json!(2));
    let outcome = exec(&mut second, "test.add(1, 1)");
    let exception = outcome.exception().expect("no room").clone();
    assert_eq!(exception.kind, "RuntimeError");
    drop(first);
    assert_eq!(given(&mut second, "test.add(1, 1)"), json!(2));
}

#[test]
fn an_exec_that_is_dropped_drops_the_plugin() {
    let busy = small("timeout_ms = 60000\n[limits]\nfuel = 1000000000000000");
    let mut session = open(&busy);
    block_on(async {
        let exec = session.exec("test.spin()");
        let patience = std::time::Duration::from_millis(50);
        assert!(tokio::time::timeout(patience, exec).await.is_err());
    });
    assert_eq!(given(&mut session, "test.add(1, 1)"), json!(2));
    // Or canceled, from anywhere.
    let cancel = session.cancel_handle();
    let canceler = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        cancel.cancel();
    });
    let outcome = exec(&mut session, "test.spin()");
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Canceled, _)),
        "{:?}",
        outcome.ending
    );
    canceler.join().expect("ended");
    assert_eq!(given(&mut session, "test.add(1, 1)"), json!(2));
}

/// Grows its memory by `grow` pages, and returns how often it was called. `ask` waits for the model.
const HOLDER: &str = r#"(component
    (import "rlm:sandbox/host@0.1.0" (instance $host
        (export "llm-query" (func (param "prompt" string) (param "model" (option string))
            (result (result string (error string)))))))
    (core module $memory (memory (export "m") 1)
        (func (export "r") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
    (core instance $memory (instantiate $memory))
    (core func $ask (canon lower (func $host "llm-query") (memory (core memory $memory "m"))
        (realloc (core func $memory "r"))))
    (core module $m (import "" "m" (memory 1))
        (import "" "ask" (func $ask (param i32 i32 i32 i32 i32 i32)))
        (global $calls (mut i32) (i32.const 0))
        (func $grow (export "grow") (param i32) (result i32)
            (drop (memory.grow (local.get 0)))
            (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
            (global.get $calls))
        (func (export "ask") (param i32) (result i32)
            (drop (call $grow (local.get 0)))
            (call $ask (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 64))
            (i32.const 7)))
    (core instance $i (instantiate $m (with "" (instance
        (export "m" (memory $memory "m")) (export "ask" (func $ask))))))
    (func (export "grow") (param "pages" u32) (result u32) (canon lift (core func $i "grow")))
    (func (export "ask") (param "pages" u32) (result u32) (canon lift (core func $i "ask"))))"#;

/// A model that answers when it may.
struct Gate(std::sync::Arc<tokio::sync::Semaphore>);

impl Lm for Gate {
    async fn answer(&self, _request: LmRequest) -> Result<LmAnswer, LmError> {
        self.0.acquire().await.expect("open").forget();
        Ok(LmAnswer::new("yes"))
    }
}

/// Pages of 240 MiB.
const MANY: u32 = 3840;

#[test]
fn instances_of_all_sessions_have_half_of_the_memory_together() {
    let mut all = SandboxLimits::default();
    all.memory_bytes = 1 << 30;
    let sandbox = Sandbox::builder().limits(all).build().expect("loads");
    let grants = "[permissions]\nllm_query = true";
    // Kept between calls: the one that was used least recently is dropped, and built again.
    let kept = plugin(&format!("keep = \"session\"\n{grants}"), HOLDER);
    let open = || {
        let session = sandbox.session().plugin(kept.clone());
        session.open().expect("right")
    };
    let mut sessions: Vec<_> = (0..5).map(|_| open()).collect();
    for session in &mut sessions {
        assert_eq!(given(session, &format!("test.grow({MANY})")), json!(1));
        let usage = sandbox.usage();
        assert!(usage.plugin_bytes <= 512 << 20, "{usage:?}");
        assert!(usage.plugin_bytes > 240 << 20, "{usage:?}");
    }
    assert_eq!(given(&mut sessions[4], "test.grow(0)"), json!(2));
    assert_eq!(given(&mut sessions[3], "test.grow(0)"), json!(2));
    assert_eq!(given(&mut sessions[0], "test.grow(0)"), json!(1));
    drop(sessions);
    assert_eq!(sandbox.usage().plugin_bytes, 0);

    // In use, waiting for the model: nothing can be dropped, and the third one is refused.
    let holder = plugin(grants, HOLDER);
    let gate = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
    let code = format!(
        "try:\n    answer = str(test.ask({MANY}))\nexcept MemoryError as error:\n    answer = str(error)\nanswer"
    );
    let start = || {
        let model = Gate(std::sync::Arc::clone(&gate));
        let session = sandbox.session().plugin(holder.clone()).model(model);
        let (mut session, code) = (session.open().expect("right"), code.clone());
        tokio::spawn(async move {
            let outcome = session.exec(&code).await.expect("runs");
            outcome.value::<Json>().expect("a value")
        })
    };
    let answers = block_on(async {
        let (first, second) = (start(), start());
        let held = async {
            while sandbox.usage().plugin_bytes < 480 << 20 {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        let patience = std::time::Duration::from_secs(60);
        tokio::time::timeout(patience, held)
            .await
            .expect("both hold their memory");
        let third = start().await.expect("refused");
        gate.add_permits(2);
        [
            third,
            first.await.expect("ended"),
            second.await.expect("ended"),
        ]
    });
    let refused = answers[0].as_str().expect("text");
    assert!(
        refused.contains("of all sessions may have 536870912 bytes together"),
        "{refused}"
    );
    assert_eq!(answers[1..], [json!("7"), json!("7")]);
    assert_eq!(sandbox.usage().plugin_bytes, 0);
}

#[test]
fn arguments_count_in_the_memory_of_plugins() {
    let mut all = SandboxLimits::default();
    all.memory_bytes = 300 << 20;
    let sandbox = Sandbox::builder().limits(all).build().expect("loads");
    let plugin = plugin("", &echo_in_memory("", "(list u8)"));
    let session = sandbox.session().plugin(plugin);
    let mut session = session.open().expect("right");
    // Each byte takes dozens in the host until the call is over.
    let code = "try:\n    test.f(b'a' * 5_000_000)\nexcept MemoryError as error:\n    answer = str(error)\nanswer";
    let refused = given(&mut session, code);
    let refused = refused.as_str().expect("text");
    assert!(
        refused.contains(
            "the arguments want more memory, and plugins of all sessions may have 157286400 bytes"
        ),
        "{refused}"
    );
    assert_eq!(
        given(&mut session, "len(test.f(b'a' * 10_000))"),
        json!(10_000)
    );
    assert_eq!(sandbox.usage().plugin_bytes, 0);
}

#[test]
fn a_session_that_needs_the_memory_of_idle_plugins_gets_it() {
    let mut all = SandboxLimits::default();
    // Two executions under the default limits.
    all.memory_bytes = 520 << 20;
    let sandbox = Sandbox::builder().limits(all).build().expect("loads");
    let kept = plugin(
        "keep = \"session\"\n[permissions]\nllm_query = true",
        HOLDER,
    );
    let mut holder = sandbox.session().plugin(kept).open().expect("right");
    assert_eq!(given(&mut holder, "test.grow(3840)"), json!(1));
    assert!(sandbox.usage().plugin_bytes > 240 << 20);
    // More than the other half.
    let mut limits = Limits::default();
    limits.memory_bytes = 110 << 20;
    let mut large = sandbox.session().limits(limits).open().expect("right");
    assert_eq!(given(&mut large, "1 + 1"), json!(2));
    assert_eq!(sandbox.usage().plugin_bytes, 0);
    assert_eq!(given(&mut holder, "test.grow(0)"), json!(1));
}

#[test]
fn a_session_keeps_few_instances() {
    let mut builder = sandbox().session();
    let wasm = wat::parse_str(SMALL).expect("a component");
    for number in 0..20 {
        let mut manifest = Manifest::named(format!("p{number}"));
        manifest.keep = Keep::Session;
        builder = builder.plugin(registry().load(manifest, &wasm).expect("loads"));
    }
    let mut session = builder.open().expect("right");
    let all = |give: u32| {
        let calls = (0..20).map(|number| format!("p{number}.swap({give})"));
        format!("[{}]", calls.collect::<Vec<_>>().join(", "))
    };
    assert_eq!(given(&mut session, &all(7)), json!(vec![0; 20]));
    let seen = given(&mut session, &all(8));
    let kept = [vec![7; 16], vec![0; 4]].concat();
    assert_eq!(seen, json!(kept));
}

/// Asks the model while it starts, after so long that others begin meanwhile.
const ASKS_AT_ITS_START: &str = "(component
    (import \"rlm:sandbox/host@0.1.0\" (instance $h
        (export \"llm-query\" (func (param \"prompt\" string) (param \"model\" (option string)) (result (result string (error string)))))))
    (core module $mem (memory (export \"m\") 2) (global $p (mut i32) (i32.const 1024))
        (func (export \"realloc\") (param i32 i32 i32 i32) (result i32) (local i32)
            (local.set 4 (global.get $p))
            (global.set $p (i32.and (i32.add (i32.add (global.get $p) (local.get 3)) (i32.const 15)) (i32.const -16)))
            (local.get 4)))
    (core instance $mi (instantiate $mem))
    (core func $ask (canon lower (func $h \"llm-query\") (memory (core memory $mi \"m\")) (realloc (core func $mi \"realloc\"))))
    (core module $main (import \"h\" \"ask\" (func $ask (param i32 i32 i32 i32 i32 i32)))
        (func $start (local $i i32)
            (loop $l (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 3000000))))
            (call $ask (i32.const 0) (i32.const 4) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 64)))
        (start $start)
        (func (export \"f\") (result i32) (i32.const 7)))
    (core instance $mm (instantiate $main (with \"h\" (instance (export \"ask\" (func $ask))))))
    (func (export \"f\") (result u32) (canon lift (core func $mm \"f\"))))";

#[test]
fn instances_that_ask_while_they_start_take_no_second_place() {
    let plugin = plugin("[permissions]\nllm_query = true", ASKS_AT_ITS_START);
    let mut limits = Limits::default();
    limits.call_wait = std::time::Duration::from_secs(20);
    let session = sandbox().session().plugin(plugin).limits(limits);
    let mut session = session.open().expect("right");
    let code = "import asyncio\nawait asyncio.gather(*[test.f() for i in range(40)])";
    assert_eq!(given(&mut session, code), json!(vec![7; 40]));
}
