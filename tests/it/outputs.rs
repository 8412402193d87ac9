//! Texts that leave a session have caps, at the limits as they are by default; and
//! nothing that a script sees tells how fast the machine is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rlm_sandbox::{
    Context, Ending, Format, Limits, Look, Outcome, Session, State, Stop, Tool, ToolContext,
    ToolError,
};

use crate::check::{block_on, described, dumped, exec, value};
use crate::replay::{Counting, check_identical, place, record};

/// Everything by which a script could tell the time.
const CLOCKS: &str = "import time, datetime, asyncio
seen = []
def look():
    seen.append((budget()['time_left_s'], time.time(), time.time_ns(), time.monotonic(), time.perf_counter()))
    seen.append((time.process_time(), str(datetime.datetime.now()), time.localtime()[:6]))
look()
sum(range(200_000))
look()
time.sleep(0.0004)
look()
await asyncio.gather(*[asyncio.sleep(n / 1000) for n in range(3)])
look()
later('x')
look()
seen";

fn clocks() -> String {
    let mut session = described().open().expect("right");
    value(&mut session, CLOCKS)
}

/// Runs `run` while other threads keep the processors busy.
fn under_load<T>(run: impl FnOnce() -> T) -> T {
    let busy = Arc::new(AtomicBool::new(true));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let busy = Arc::clone(&busy);
            std::thread::spawn(move || while busy.load(Ordering::Relaxed) {})
        })
        .collect();
    let result = run();
    busy.store(false, Ordering::Relaxed);
    for thread in threads {
        thread.join().expect("ends");
    }
    result
}

#[test]
fn a_script_cannot_measure_real_time() {
    let alone = clocks();
    assert_eq!(alone, clocks());
    assert_eq!(alone, under_load(clocks));
    // It is a clock all the same.
    let mut session = described().open().expect("right");
    let passes = "before = budget()['time_left_s']\nsum([n for n in range(2_000_000)])\nbefore - budget()['time_left_s'] > 0.001";
    assert_eq!(value(&mut session, passes), "True");
}

#[test]
fn what_is_left_of_the_time_is_in_the_journal_and_comes_out_again() {
    let (_folder, path) = place();
    record(&path, described().model(Counting), |session| {
        exec(session, CLOCKS);
        exec(session, "llm_query('a')\nprint(budget())\nlater(budget())");
    });
    let journal = std::fs::read_to_string(&path).expect("readable");
    assert!(journal.contains("time_left_s"), "{journal}");
    check_identical(&path);
}

/// All the text of an outcome, in every form that it is given in.
fn lengths(session: &mut Session, outcome: &Outcome) -> usize {
    let formats = [
        Format::ExecPython,
        Format::RlmCode,
        Format::Cairn,
        Format::Apexflow,
        Format::Official,
    ];
    let reports = formats.map(|format| {
        let report = block_on(session.report_as(outcome, format)).expect("written");
        report.to_string().len()
    });
    let debug = format!("{outcome:?}").len();
    reports.into_iter().max().unwrap_or(0).max(debug)
}

#[test]
fn no_text_of_an_outcome_is_without_a_cap() {
    // Bytes of one value, which a message may have; it stands in the traceback again.
    let message = 2 * (1 << 20) + (300 << 10);
    for (source, most) in [
        ("raise ValueError('m' * 5_000_000)", 2 * message),
        ("{}['k' * 5_000_000]", 2 * message),
        ("print(**{'k' * 5_000_000: 1})", 2 * message),
        ("llm_query('p', **{'k' * 5_000_000: 1})", 20_000),
        (
            "from collections import namedtuple\nN = namedtuple('N' * 1_000_000, 'a')\nn = N(1)\nNone",
            20_000,
        ),
        (
            "from collections import namedtuple\nN = namedtuple('N' * 1_000_000, 'a')\nN(1)",
            4 << 20,
        ),
        (
            "class E(Exception): pass\nE.__name__ = 'E' * 1_000_000\nraise E('x')",
            2 * message,
        ),
        ("def f(n): return f(n + 1)\nf(0)", 20_000),
        (
            "class R:\n    def __repr__(self): return 'r' * 5_000_000\nR()",
            4 << 20,
        ),
        (
            "class R:\n    def __repr__(self): return 'r' * 5_000_000\nr = R()\nNone",
            20_000,
        ),
        ("x = ('é' * 700_000 for _ in range(3))\n[*x]", 8 << 20),
        (
            "SUBMIT(**{f'n{i}': 'x' * 1_000_000 for i in range(5)})",
            70 << 20,
        ),
        ("FINAL('x' * 5_000_000)", 5 << 20),
        ("print('x' * 5_000_000)", 4 << 20),
    ] {
        let mut session = described().open().expect("right");
        let outcome = exec(&mut session, source);
        assert!(
            matches!(outcome.ending, Ending::Value(_) | Ending::Raised(_)),
            "{source}: {:?}",
            outcome.exception()
        );
        let length = lengths(&mut session, &outcome);
        assert!(length <= most, "{source}: {length}");
    }
}

#[test]
fn long_names_are_refused_where_they_stand() {
    let long = "n".repeat(30_000);
    for source in [
        format!("{long} = 1"),
        format!("def {long}(): pass"),
        format!("class {long}(Exception): pass\nraise {long}('x')"),
        format!("def f(n): return f(n + 1)\n{long}"),
        format!("exec('{long} = 1')"),
        format!("f'{{{long}}}'"),
    ] {
        let mut session = described().open().expect("right");
        let outcome = exec(&mut session, &source);
        let told = outcome.exception().expect("refused");
        assert_eq!(told.kind, "SyntaxError", "{told}");
        assert!(
            told.message
                .contains("a name of 30000 bytes is too long; shorten it to 1000 bytes"),
            "{told}"
        );
        assert!(lengths(&mut session, &outcome) < 20_000);
    }
}

#[test]
fn variables_have_a_number_and_a_length() {
    let mut session = described().open().expect("right");
    let outcome = exec(
        &mut session,
        "exec(''.join([f'a{n}=0\\n' for n in range(100_000)]))",
    );
    let told = outcome.exception().expect("refused");
    assert!(
        told.message
            .contains("more than 10000 variables or 262144 bytes"),
        "{told}"
    );
    assert_eq!(outcome.state, State::Intact);
    let outcome = exec(
        &mut session,
        "exec(''.join([f'a{n}=0\\n' for n in range(10_000)]))",
    );
    assert_eq!(outcome.names.len(), 10_000);
    assert!(lengths(&mut session, &outcome) < 4 << 20);
    let outcome = exec(&mut session, "one_more = 1");
    assert!(
        outcome
            .exception()
            .expect("refused")
            .message
            .contains("10001 variables")
    );
    assert_eq!(value(&mut session, "a1 = 5\na1 + a2"), "5");
    let error = session.set("one_more", 1).expect_err("too many");
    assert!(error.to_string().contains("10000 variables"), "{error}");
    session.set("a3", 7).expect("there is one");
    assert_eq!(value(&mut session, "a3"), "7");
    let error = session.set("n".repeat(1001), 1).expect_err("too long");
    assert!(
        error
            .to_string()
            .contains("1001 bytes; shorten it to 1000 bytes"),
        "{error}"
    );
    let listed = block_on(session.variables(Look::default())).expect("listed");
    assert_eq!(listed.len(), 10_000);
}

#[test]
fn an_export_leaves_out_names_that_an_import_refuses() {
    let open = || {
        rlm_sandbox::Sandbox::new()
            .expect("compiled")
            .session()
            .profile(rlm_sandbox::Profile::named("rlm").expect("a preset"))
            .open()
            .expect("right")
    };
    let mut session = open();
    assert!(exec(&mut session, "answer = 42\nnotes = ['hours']").is_success());
    let portable = block_on(session.export()).expect("exported");
    assert_eq!(portable.skipped[0].name, "answer");
    assert!(
        portable.skipped[0]
            .reason
            .contains("defined by the profile"),
        "{portable:?}"
    );
    let mut next = open();
    next.import(&portable).expect("all that it has");
    let outcome = exec(&mut next, "notes");
    assert_eq!(outcome.value::<Vec<String>>().expect("a list"), ["hours"]);
}

#[test]
fn an_export_skips_what_holds_a_value_without_a_json_form() {
    let sandbox = rlm_sandbox::Sandbox::new().expect("compiled");
    let mut session = sandbox.session().open().expect("right");
    let script = "one = 2j\nrow = [1, {'a': 2j}]\nsaid = {'$repr': '2j'}";
    assert!(exec(&mut session, script).is_success());
    let portable = block_on(session.export()).expect("exported");
    let skipped: Vec<_> = portable.skipped.iter().map(|one| &*one.name).collect();
    assert_eq!(skipped, ["one", "row"]);
    session.import(&portable).expect("all that it has");
    let outcome = exec(&mut session, "said == {'$repr': '2j'}");
    assert!(outcome.value::<bool>().expect("a flag"));
}

#[test]
fn a_hostile_variable_does_not_keep_others_from_an_export() {
    // What a busy machine takes is not counted: the fuel is, which stands for some five seconds.
    let mut limits = Limits::default();
    limits.time = std::time::Duration::from_secs(120);
    let mut session = dumped().limits(limits).open().expect("right");
    let source = "shared = []\nfor _ in range(60): shared = [shared, shared]\n\
                  other = [shared] * 1000\nlarge = ['t' * 1_000_000] * 100\ndigits = [10 ** 4000] * 100_000\n\
                  many = [None] * 2_000_000\npairs = [[1, 2]] * 400_000\n\
                  a, z = [1, {'k': (2,)}], 'text'\nnumbers = [*range(100_000)]\ndef f(): pass";
    assert!(exec(&mut session, source).is_success());
    let portable = block_on(session.export()).expect("exported");
    let names: Vec<_> = portable.variables.keys().map(String::as_str).collect();
    assert_eq!(names, ["a", "numbers", "z"]);
    let left: Vec<_> = portable
        .skipped
        .iter()
        .map(|skipped| format!("{}: {}", skipped.name, skipped.reason))
        .collect();
    let large = "its JSON is larger than 1048576 bytes or takes too long to write, or it holds what has none";
    let expected = [
        format!("digits: {large}"),
        String::from("f: a value of the type `function` has no JSON form"),
        format!("large: {large}"),
        format!("many: {large}"),
        format!("other: {large}"),
        format!("pairs: {large}"),
        format!("shared: {large}"),
    ];
    assert_eq!(left, expected);
    let fuel = session.events().last().and_then(|event| event.fuel());
    assert!(fuel.is_some_and(|fuel| fuel < 60_000_000_000), "{fuel:?}");
}

#[test]
fn what_a_script_raises_is_no_limit() {
    let mut session = described().open().expect("right");
    for (source, kind) in [
        (
            "kept = 1\nraise MemoryError('memory limit exceeded: 1 bytes > 0 bytes')",
            "MemoryError",
        ),
        (
            "import time\ntime.sleep(10 ** 7)\nraise TimeoutError('timeout: time limit exceeded: 1s')",
            "TimeoutError",
        ),
    ] {
        let outcome = exec(&mut session, source);
        assert!(
            matches!(&outcome.ending, Ending::Raised(told) if told.kind == kind),
            "{outcome:?}"
        );
        assert_eq!(outcome.state, State::Intact);
    }
    assert_eq!(value(&mut session, "kept"), "1");
    let outcome = exec(&mut session, "x = [0] * (10 ** 8)");
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Memory, _)),
        "{outcome:?}"
    );
}

#[test]
fn sleeps_last_a_hundred_years_together() {
    let mut session = described().open().expect("right");
    let source = "import time, asyncio\nbefore = time.monotonic()\nawait asyncio.gather(*[asyncio.sleep(1e9) for _ in range(10)])\n\
                  for _ in range(2): time.sleep(1e9)\nround((time.monotonic() - before) / 1e9)";
    assert_eq!(value(&mut session, source), "3");
    for source in [
        "time.sleep(2e8)",
        "await asyncio.sleep(2e8)",
        "time.sleep(1e12)",
    ] {
        let outcome = exec(&mut session, source);
        let told = outcome.exception().expect("too long");
        assert_eq!(told.kind, "OverflowError", "{told}");
        assert!(told.message.starts_with("timestamp "), "{told}");
    }
    // What was slept is part of the state.
    let parked = block_on(session.park()).expect("written");
    let mut session = described().restore(&parked).expect("right");
    assert!(exec(&mut session, "time.sleep(2e8)").exception().is_some());
    // A script that sleeps no time is still ended: by its time, or by its fuel on a fast machine.
    let outcome = exec(&mut session, "while True: time.sleep(0)");
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Time | Stop::Fuel, _)),
        "{outcome:?}"
    );
}

#[test]
fn a_source_that_is_far_too_long_is_not_copied_to_the_interpreter() {
    let mut session = described().open().expect("right");
    exec(&mut session, "kept = 1");
    let before = session.events().len();
    for bytes in [16 * 65_536 + 1, 100_000_000] {
        let source = format!("x = 1\n{}", "#".repeat(bytes - 6));
        let outcome = exec(&mut session, &source);
        let told = outcome.exception().expect("refused");
        assert_eq!(
            told.message,
            format!("source is too long: {bytes} bytes > 65536 bytes")
        );
        assert_eq!(
            (outcome.state, &outcome.names[..]),
            (State::Intact, &["kept".to_owned()][..])
        );
    }
    assert_eq!(session.events().len(), before);
    assert_eq!(value(&mut session, "kept"), "1");
    // What is around a block does not count, up to sixteen times the limit.
    let around = "\n".repeat(100_000);
    let block = format!("{around}```python\n40 + 2\n```{around}");
    assert_eq!(value(&mut session, &block), "42");
    let block = format!("```python\n{}\n```", "#".repeat(16 * 65_536));
    let outcome = exec(&mut session, &block);
    assert!(
        outcome
            .exception()
            .expect("refused")
            .message
            .starts_with("source is too long: 10485")
    );
    let checked = block_on(rlm_sandbox::Sandbox::new().expect("compiled").validate(
        &"#".repeat(100_000_000),
        &rlm_sandbox::Profile::default(),
        &[],
        &[],
    ));
    let message = checked.expect("checked").message.expect("refused");
    assert_eq!(
        message,
        "SyntaxError: source is too long: 100000000 bytes > 65536 bytes"
    );
}

#[test]
fn a_refused_source_stands_in_no_journal_and_the_rest_comes_out_again() {
    let (_folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "x = 1");
        exec(session, &"#".repeat(20_000_000));
        exec(session, "x + 1");
    });
    assert!(std::fs::metadata(&path).expect("there").len() < 100_000);
    check_identical(&path);
}

#[test]
fn the_name_of_a_model_has_a_cap() {
    let mut session = described().model(Counting).open().expect("right");
    let source = "llm_query_batched([''] * 49, model='m' * 1500000)";
    let outcome = exec(&mut session, source);
    let told = outcome.exception().expect("refused");
    assert_eq!(told.kind, "ValueError");
    assert!(
        told.message
            .contains("1500000 bytes; give one of at most 200 bytes"),
        "{told}"
    );
    assert_eq!(outcome.usage.model_calls, 0);
    assert_eq!(
        value(&mut session, "llm_query('a', model='m' * 200)"),
        "'a has 1'"
    );
}

#[test]
fn a_pool_of_three_hundred_has_no_more_open_than_a_session_may() {
    let mut session = described().open().expect("right");
    assert_eq!(Limits::default().open_calls, 256);
    let source = "from concurrent.futures import ThreadPoolExecutor\n\
                  with ThreadPoolExecutor(300) as pool: r = list(pool.map(later, range(300)))\n\
                  r == [*range(300)]";
    assert_eq!(value(&mut session, source), "True");
}

#[test]
fn plain_json_is_read_as_python_reads_it() {
    let text = r#"{"zero": -0, "large": 123456789012345678901234567890, "tag": {"$tuple": [1]},
        "key": {"\u0000$int": "7"}, "infinite": [1e400, -1e400]}"#;
    let value_of = rlm_sandbox::python_json(text, false).expect("JSON");
    let given = Context::json("given.json", text).expect("JSON");
    let mut session = described().context(given).open().expect("right");
    session.set("same", value_of).expect("JSON");
    assert_eq!(
        value(&mut session, "same"),
        "{'zero': 0, 'large': 123456789012345678901234567890, 'tag': {'$tuple': [1]}, 'key': {'\\x00$int': '7'}, \
         'infinite': [inf, -inf]}"
    );
    assert_eq!(
        value(
            &mut session,
            "same == context and repr(same) == repr(context)"
        ),
        "True"
    );
}

#[test]
fn values_that_wait_for_an_exec_take_no_more_than_the_memory_limit() {
    let mut session = described().open().expect("right");
    let text = "x".repeat(1 << 20);
    for round in 0..600 {
        session
            .set("same", format!("{round}{text}"))
            .expect("replaced");
    }
    // 64 MiB by default, of which one is taken.
    for number in 0..40 {
        session.set(format!("v{number}"), &text).expect("room");
    }
    let error = session.set("more", text.repeat(30)).expect_err("full");
    assert!(error.to_string().contains("run one first"), "{error}");
    let seen = value(&mut session, "same[:3] + str(len(v39))");
    assert_eq!(seen, "'5991048576'");
    session.set("more", &text).expect("room again");
}

#[test]
fn a_session_has_caps_on_contexts_parameters_and_fields() {
    let text = |n: usize| rlm_sandbox::Context::text(format!("c{n}"), "x");
    let with = |count: usize| (0..count).fold(described(), |builder, n| builder.context(text(n)));
    let mut session = with(9_990).open().expect("as many as are possible");
    let mut added = 0;
    while session.add_context(text(20_000 + added)).is_ok() {
        added += 1;
    }
    assert!((1..=10).contains(&added), "{added}");
    let error = with(10_001).open().expect_err("too many");
    assert!(error.to_string().contains("10000 are possible"), "{error}");
}

#[test]
fn a_key_that_the_parser_keeps_for_itself_opens_no_second_stack() {
    // The parser reads the text behind the key as JSON, with a limit on depth of its own: 300
    // times 124 levels ended the process.
    let source = r#"
K = '$serde_json::private::RawValue'
x = '0'
for _ in range(300):
    x = '[' * 124 + '{"' + K + '":"' + x.replace('\\', '\\u005c').replace('"', '\\u0022') + '"}' + ']' * 124
x = {K: x, 'b': 1}
"#;
    let echo = |_: &ToolContext, (value,): (serde_json::Value,)| Ok::<_, ToolError>(value);
    let builder = described().tool(Tool::immediate("give_back", echo));
    let mut session = builder.open().expect("right");
    let outcome = exec(&mut session, &format!("{source}x"));
    let error = outcome.value::<serde_json::Value>().expect_err("refused");
    assert!(error.to_string().contains("reserved"), "{error}");
    let outcome = exec(&mut session, &format!("{source}FINAL(x)"));
    assert!(outcome.finish.is_some(), "{outcome:?}");
    let raised = "try:\n    give_back(x)\nexcept ValueError as e:\n    r = str(e)\nr";
    assert!(value(&mut session, raised).contains("reserved"));
    let exported = block_on(session.export()).expect("without it");
    assert!(
        exported.skipped.iter().any(|one| one.name == "x"),
        "{exported:?}"
    );
    let parked = block_on(session.park()).expect("parked");
    let mut session = described().restore(&parked).expect("restored");
    assert_eq!(value(&mut session, "len(x)"), "2");
}

#[test]
fn prompts_that_are_used_up_have_a_cause_of_their_own() {
    let mut limits = Limits::default();
    limits.model_calls = 1;
    let (_folder, path) = crate::replay::place();
    let builder = described().limits(limits).model(crate::replay::Counting);
    crate::replay::record(&path, builder, |session| {
        let cause = |session: &mut rlm_sandbox::Session, source: &str| {
            let outcome = exec(session, source);
            let exception = outcome.exception().expect("it raises").clone();
            (exception.cause.as_str(), exception.message)
        };
        exec(session, "llm_query('one')");
        let (word, message) = cause(session, "llm_query('two')");
        assert_eq!(word, "llm_budget", "{message}");
        let again =
            "try: llm_query_batched(['a', 'b'])\nexcept RuntimeError as error: e = error\nraise e";
        assert_eq!(cause(session, again).0, "llm_budget");
        // What a script says itself is none.
        let forged = format!("raise RuntimeError({message:?})");
        assert_eq!(cause(session, &forged).0, "other");
    });
    assert_eq!(
        crate::replay::verdict(&path),
        rlm_sandbox::Verdict::Identical
    );
}

#[test]
fn a_report_is_written_though_its_variables_cannot_be_listed() {
    let mut session = described().open().expect("right");
    // Eight copies of a megabyte do not fit beside it.
    let source = "filler = 'x' * 57_000_000\na, b, c, d, e, f, g, h = [n * 1_000_000 for n in 'abcdefgh']\n42";
    let outcome = exec(&mut session, source);
    assert_eq!(outcome.value::<u64>().expect("a number"), 42);
    let report = block_on(session.report_as(&outcome, Format::Official)).expect("written");
    let why = report["variables_left_out"].as_str().unwrap_or_default();
    assert!(why.contains("limit"), "{report}");
    assert_eq!(value(&mut session, "len(h)"), "1000000");
}

#[test]
fn values_that_are_queued_count_against_the_time_of_the_execution() {
    let mut limits = Limits::default();
    limits.time = std::time::Duration::from_millis(20);
    let mut session = described().limits(limits).open().expect("right");
    for number in 0..4_000 {
        let name = format!("queued_{number}");
        session.set(name, vec![number; 500]).expect("room");
    }
    let mut stopped = 0;
    let since = std::time::Instant::now();
    let outcome = exec(&mut session, "print('begun')");
    let elapsed = since.elapsed();
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Time, _)),
        "{outcome:?}"
    );
    let told = outcome.exception().expect("stopped");
    assert!(told.message.contains("are left"), "{told}");
    assert_eq!(outcome.stdout, "");
    assert!(elapsed.as_secs() < 10, "{elapsed:?}");
    let error = block_on(session.get("queued_3999")).expect_err("not there yet");
    assert!(error.to_string().contains("are left"), "{error}");
    // What entered stays, so that the execution begins at last.
    session.set_time_limit(std::time::Duration::from_secs(5));
    loop {
        let outcome = exec(&mut session, "queued_3999[0] - queued_0[0]");
        match outcome.ending {
            Ending::Stopped(Stop::Time, _) if stopped < 60 => stopped += 1,
            _ => {
                assert!(outcome.is_success(), "{outcome:?}");
                break;
            }
        }
    }
    let parked = block_on(session.park()).expect("parked");
    let mut session = described().restore(&parked).expect("restored");
    assert_eq!(value(&mut session, "queued_2500[0]"), "2500");
}

#[test]
fn an_export_skips_what_runs_into_a_limit() {
    let mut session = described().open().expect("right");
    // Eight copies of a megabyte do not fit beside it.
    let source = "filler = 'x' * 57_000_000\na, b, c, d, e, f, g, h = [n * 1_000_000 for n in 'abcdefgh']\n\
                  z = 'text'\ndef function(): pass";
    assert!(exec(&mut session, source).is_success());
    let mut look = Look::reprs(0);
    look.json = true;
    block_on(session.variables(look)).expect_err("too much at once");
    let portable = block_on(session.export()).expect("the others");
    let names: Vec<_> = portable.variables.keys().map(String::as_str).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e", "f", "g", "h", "z"]);
    let skipped: Vec<_> = portable
        .skipped
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(skipped, ["filler", "function"]);
    let reason = &portable.skipped[0].reason;
    assert!(reason.contains("larger than"), "{reason}");
    assert_eq!(value(&mut session, "z"), "'text'");
}

#[test]
fn values_as_large_as_their_limits_are_returned() {
    let mut limits = Limits::default();
    limits.value_bytes = 16 << 20;
    limits.memory_bytes = 512 << 20;
    limits.time = std::time::Duration::from_secs(60);
    let builder = described().limits(limits);
    let outputs = [("a", "str"), ("b", "str"), ("c", "str")];
    let mut session = builder.outputs(outputs).open().expect("right");
    let long = "'x' * 14_000_000";
    let outcome = exec(&mut session, &format!("keep = {long}\n{long}"));
    assert!(outcome.is_success(), "{:?}", outcome.exception());
    // A message has a cap of its own.
    let outcome = exec(&mut session, &format!("raise ValueError({long})"));
    let exception = outcome.exception().expect("raised");
    assert_eq!(exception.message.len(), 1 << 20);
    assert!(exception.traceback.len() < (1 << 20) + 1000);
    let outcome = exec(&mut session, &format!("SUBMIT({long}, {long}, {long})"));
    assert!(outcome.finish.is_some(), "{:?}", outcome.exception());
    assert!(exec(&mut session, &format!("also = {long}")).is_success());
    let look = Look::reprs(16 << 20).json();
    let listed = block_on(session.variables(look)).expect("listed");
    assert_eq!(listed.len(), 2);
}
