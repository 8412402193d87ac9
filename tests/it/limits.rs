//! Limits, obeyed and violated. The cases in `cases/limits` have more of them.

use std::time::Duration;

use expect_test::expect;
use rlm_sandbox::{Ending, Limits, Overflow, Profile, Stop};

use crate::check::{block_on, check_in, described, exec, sandbox, session_with, value};

#[doc = "Keeps RC-4."]
#[test]
fn a_deadline_inside_one_long_builtin_kills_and_tells_so() {
    // Time, with fuel and memory out of reach.
    let mut session = session_with(|limits| {
        limits.time = Duration::from_millis(20);
        limits.fuel = Some(u64::MAX / 4);
    });
    let started = std::time::Instant::now();
    let outcome =
        block_on(session.exec("print('before')\nn = 10 ** (10 ** 7)")).expect("an outcome");
    assert!(
        matches!(&outcome.ending, Ending::Stopped(Stop::Time, exception) if exception.to_string().to_lowercase().contains("timeout")),
        "{outcome:?}"
    );
    assert_eq!(outcome.stdout, "before\n");
    assert!(
        started.elapsed() < Duration::from_secs(2),
        "it took {:?}",
        started.elapsed()
    );
}

/// The most fuel that was measured for a second of compute time: `bytes(16_000)` in a loop.
const MOST_IN_A_SECOND: u64 = 85_000_000_000;

#[test]
fn the_budget_of_fuel_follows_the_time() {
    let profiles =
        Profile::names_carried().map(|name| Profile::named(name).expect("carried").limits);
    for limits in profiles.chain([Limits::default()]) {
        let most = limits.time.as_secs() * MOST_IN_A_SECOND;
        assert!(
            limits.fuel_budget() > 2 * most,
            "{:?} {}",
            limits.time,
            limits.fuel_budget()
        );
    }
    let mut session = session_with(|limits| limits.time = Duration::from_secs(2));
    assert_eq!(session.limits().fuel_budget(), 500_000_000_000);
    session.set_time_limit(Duration::from_secs(600));
    assert_eq!(session.limits().fuel_budget(), 150_000_000_000_000);
    let mut session = session_with(|limits| limits.fuel = Some(10_000_000));
    session.set_time_limit(Duration::from_secs(600));
    assert_eq!(session.limits().fuel_budget(), 10_000_000);
    let outcome = block_on(session.exec("while True: pass")).expect("an outcome");
    assert!(
        matches!(&outcome.ending, Ending::Stopped(Stop::Fuel, exception) if exception.to_string().contains("10000000")),
        "{outcome:?}"
    );
}

#[test]
fn waiting_is_no_compute_time() {
    let mut session = session_with(|limits| limits.time = Duration::from_millis(100));
    check_in(
        &mut session,
        "later('x', 300)",
        expect![[r#"
        'x' as "x"
        call 0 later Returned
    "#]],
    );
}

#[test]
fn a_sleep_is_over_at_once_and_moves_the_clock() {
    let started = std::time::Instant::now();
    let mut session = session_with(|limits| limits.time = Duration::from_millis(200));
    check_in(
        &mut session,
        "import time\nt = time.time()\ntime.sleep(3600)\nround(time.time() - t)",
        expect![[r#"
        3600 as 3600
        names  t time
    "#]],
    );
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_sleep_takes_its_time_where_that_is_asked_for() {
    let mut session = described().real_sleep().open().expect("right");
    let started = std::time::Instant::now();
    let outcome = block_on(session.exec("import time\ntime.sleep(0.15)\ntime.sleep(0.05)"));
    let outcome = outcome.expect("an outcome");
    assert!(started.elapsed() >= Duration::from_millis(200));
    assert!(outcome.usage.compute < Duration::from_millis(100));
    // What would take too long is canceled, and what was slept is not slept again.
    let cancel = session.cancel_handle();
    let ended = block_on(async {
        let late = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            cancel.cancel();
        };
        tokio::join!(session.exec("time.sleep(3600)"), late).0
    });
    let ended = ended.expect("an outcome");
    assert!(
        matches!(ended.ending, Ending::Stopped(Stop::Canceled, _)),
        "{ended:?}"
    );
    assert!(block_on(session.exec("1")).expect("there").is_success());
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[doc = "Keeps X09."]
#[test]
fn calls_nest_a_thousand_deep() {
    let deep = "def f(n): return n and f(n - 1)\n";
    for (depth, succeeds) in [(990, true), (1001, false)] {
        let outcome = block_on(session_with(|_| {}).exec(&format!("{deep}f({depth})")));
        let outcome = outcome.expect("an outcome");
        assert_eq!(outcome.is_success(), succeeds, "{depth}: {outcome:?}");
    }
}

#[test]
fn each_limit_names_the_line_where_it_struck() {
    const SEEN: &str = "Traceback (last seen at line 2):\n  File \"<python-input-0>\", line 2\n";
    const IN_F: &str = "  File \"<python-input-0>\", line 5, in <module>\n    f()\n    ~~~\n  File \"<python-input-0>\", line 3, in f\n";
    let looping = "def f():\n    n = 0\n    while True: n += 1\n\nf()";
    type Change = fn(&mut Limits);
    let cases: [(&str, Change, Stop, &str); 9] = [
        (
            looping,
            |limits| limits.time = Duration::from_millis(300),
            Stop::Time,
            IN_F,
        ),
        (
            looping,
            |limits| limits.fuel = Some(1_000_000_000),
            Stop::Fuel,
            IN_F,
        ),
        (
            looping,
            |limits| limits.deadline = Some(Duration::from_millis(300)),
            Stop::Deadline,
            IN_F,
        ),
        (
            "x = []\n\nwhile True:\n    x.append(bytes(10_000))",
            |limits| limits.memory_bytes = 4 << 20,
            Stop::Memory,
            "line 4, in <module>",
        ),
        (
            "x = 1\nwhile x:\n    print('a')",
            |limits| {
                limits.output_bytes = 10;
                limits.output_overflow = Overflow::Stop;
            },
            Stop::Output,
            "last seen at line 3",
        ),
        (
            "x = 1\nwhile x:\n    echo(1)",
            |limits| limits.calls = 5,
            Stop::Calls,
            "line 3, in <module>",
        ),
        (
            "x = 1\n\ny = later('a', 5000)",
            |limits| limits.deadline = Some(Duration::from_millis(300)),
            Stop::Deadline,
            "line 3, in <module>",
        ),
        // Nothing is left of what is killed.
        (
            "x = 1\nprint('before')\nn = 10 ** (10 ** 7)",
            |limits| limits.time = Duration::from_millis(20),
            Stop::Time,
            SEEN,
        ),
        (
            "x = 1\necho(1)\nn = 10 ** (10 ** 7)",
            |limits| limits.fuel = Some(10_000_000),
            Stop::Fuel,
            SEEN,
        ),
    ];
    for (source, change, why, line) in cases {
        let mut session = session_with(change);
        let outcome = block_on(session.exec(source)).expect("an outcome");
        assert!(
            matches!(&outcome.ending, Ending::Stopped(found, exception)
            if *found == why && exception.traceback.contains(line)),
            "{source}: {outcome:?}"
        );
    }
    let mut session = session_with(|_| {});
    let cancel = session.cancel_handle();
    let canceler = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        cancel.cancel();
    });
    let outcome = block_on(session.exec(looping)).expect("an outcome");
    canceler.join().expect("no panic");
    assert!(
        matches!(&outcome.ending, Ending::Stopped(Stop::Canceled, exception)
        if exception.traceback.contains(IN_F)),
        "{outcome:?}"
    );
    // What a killed script did before is not of this one.
    let mut session = session_with(|limits| limits.fuel = Some(10_000_000));
    block_on(session.exec("\nprint(1)")).expect("an outcome");
    let outcome = block_on(session.exec("n = 10 ** (10 ** 7)")).expect("an outcome");
    let traceback = &outcome.exception().expect("why").traceback;
    assert!(!traceback.contains("line"), "{traceback}");
    // One that goes on in another process is seen, too.
    let step = block_on(session.step("x = 1\nlater(1)\nn = 10 ** (10 ** 7)")).expect("a step");
    assert!(matches!(step, rlm_sandbox::Step::Waiting(_)), "{step:?}");
    let parked = block_on(session.park()).expect("parks");
    drop(session);
    let mut limits = Limits::default();
    limits.fuel = Some(10_000_000);
    let mut restored = described().limits(limits).restore(&parked).expect("right");
    let outcome = block_on(restored.finish()).expect("an outcome");
    let traceback = &outcome.exception().expect("why").traceback;
    assert!(traceback.contains("last seen at line 2"), "{traceback}");
}

#[doc = "Keeps RC-4, R3-15."]
#[test]
fn memory_that_grows_between_two_checkpoints_is_stopped_by_the_hard_cap() {
    // The memory cap, with fuel and time out of reach.
    let mut session = session_with(|limits| {
        limits.memory_bytes = 4 << 20;
        limits.time = Duration::from_secs(60);
    });
    let outcome =
        block_on(session.exec("x = ['a' * 100_000] * 1000\ny = ''.join(x)")).expect("an outcome");
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Memory, _)),
        "{outcome:?}"
    );
    assert!(
        outcome
            .exception()
            .expect("why")
            .to_string()
            .contains("memory")
    );
    assert!(outcome.usage.peak_memory_bytes < 64 << 20);
}

#[test]
fn patterns_that_are_kept_leave_memory_to_scripts() {
    // The cache of compiled patterns counts as memory of the session.
    // Compiling them takes seconds on a slow machine.
    let mut session = session_with(|limits| limits.time = Duration::from_secs(60));
    for source in [
        r"import re
for i in range(400): re.search(r'[\w.+-]+@[\w-]+\.[\w.-]+ id%d' % i, 'x')",
        r"for i in range(60): re.match(r'\w{20}' + str(i), 'a')",
        r"for i in range(60): re.compile(r'(?:\w{4}-){5}%d' % i)",
        r"for i in range(300): re.search('x' * 20_000 + str(i), 'x')",
    ] {
        let outcome = block_on(session.exec(source)).expect("an outcome");
        assert!(outcome.is_success(), "{source}: {outcome:?}");
        let live_bytes = outcome.usage.live_memory_bytes;
        assert!(live_bytes < 24 << 20, "{source}: {live_bytes}");
    }
}

#[doc = "Keeps RC-4, X29."]
#[test]
fn fuel_is_a_hard_wall_where_no_checkpoint_is_reached() {
    // Fuel, with time and memory out of reach.
    let mut session = session_with(|limits| {
        limits.fuel = Some(10_000_000);
        limits.time = Duration::from_secs(60);
    });
    let outcome = block_on(session.exec("n = 10 ** (10 ** 7)")).expect("an outcome");
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Fuel, _)),
        "{outcome:?}"
    );
}

#[test]
fn too_many_open_calls_end_the_script() {
    let mut session = session_with(|limits| limits.open_calls = 4);
    check_in(
        &mut session,
        "import asyncio\nprint(len(await asyncio.gather(*[later(n) for n in range(4)])))",
        expect![[r#"
        None
        out  4
        names  asyncio
        call 0 later Returned
        call 1 later Returned
        call 2 later Returned
        call 3 later Returned
    "#]],
    );
    check_in(
        &mut session,
        "await asyncio.gather(*[later(n) for n in range(5)])",
        expect![[r#"
            stopped Calls (host_call_limit) RuntimeError: external call limit exceeded: 4 calls open at a time
            names  asyncio
            call 4 later Asked
            call 5 later Asked
            call 6 later Asked
            call 7 later Asked
            call 8 later Refused
        "#]],
    );
}

#[test]
fn a_value_that_is_too_large_is_cut_and_has_no_json() {
    let mut session = session_with(|limits| limits.value_bytes = 10);
    let outcome = block_on(session.exec("'é' * 100")).expect("runs");
    let Ending::Value(Some(value)) = outcome.ending else {
        panic!("a value")
    };
    assert_eq!(
        (value.repr.as_str(), value.json, value.truncated),
        ("'éééé", None, true)
    );
}

#[test]
fn a_flood_of_output_costs_its_cap_and_no_more() {
    let mut session = session_with(|limits| limits.output_bytes = 1000);
    let outcome = block_on(
        session.exec("for n in range(2000): print('x' * 99)\nprint('y' * 5_000_000)\n'end'"),
    )
    .expect("runs");
    assert_eq!(outcome.stdout.len(), 1000);
    assert_eq!(outcome.dropped_bytes, 2000 * 100 + 5_000_001 - 1000);
    assert!(outcome.is_success());
}

#[test]
fn limits_out_of_range_are_refused() {
    let mut limits = rlm_sandbox::Limits::default();
    limits.recursion = 5000;
    let error = crate::check::described()
        .limits(limits)
        .open()
        .expect_err("too deep");
    assert!(error.to_string().contains("from 1 to 1000"), "{error}");
}

#[test]
fn x08_r4_9_the_profile_of_rlm_code_has_a_gibibyte_also_in_a_pool() {
    let pool = rlm_sandbox::Sandbox::builder()
        .live_sessions(2)
        .build()
        .expect("a pool");
    for sandbox in [sandbox(), &pool] {
        let profile = Profile::named("rlm-code").expect("there");
        let mut session = sandbox.session().profile(profile).open().expect("right");
        let limits = session.limits();
        assert_eq!(limits.memory_bytes, 1 << 30);
        assert_eq!(
            (limits.time, limits.allocations),
            (Duration::from_secs(30), None)
        );
        // Nothing is checked for types, and a model that was not given is no name.
        assert!(!session.profile().type_check);
        let outcome = exec(&mut session, "llm_query('a')");
        assert_eq!(outcome.exception().expect("it raises").kind, "NameError");
        let length = value(&mut session, "len('a' * (1000 << 20))");
        assert_eq!(length, (1000 << 20).to_string());
        let outcome = exec(&mut session, "len('a' * (1030 << 20))");
        assert!(
            matches!(outcome.ending, Ending::Stopped(Stop::Memory, _)),
            "{outcome:?}"
        );
    }
}

#[test]
fn allocations_count_where_a_script_ends_soon() {
    let mut session = session_with(|limits| limits.allocations = Some(500));
    let outcome = exec(&mut session, "rows = [[n] for n in range(1000)]");
    let exception = outcome.exception().expect("too many").to_string();
    let says = ["allocation limit exceeded", "> 500 allocations"];
    assert!(
        says.iter().all(|says| exception.contains(says)),
        "{exception}"
    );
    assert!(exec(&mut session, "1 + 1").is_success());
}
