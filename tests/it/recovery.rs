//! No limit, crash or dropped future costs a session.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rlm_sandbox::{
    Ending, ErrorKind, Faults, Format, Limits, Look, Outcome, Session, State, Step, Stop, Tool,
    ToolContext,
};

use serde_json::Value;

use crate::check::{CRASH, block_on, crashing, described, dumped, exec, sandbox, session, value};
use crate::replay::{check_identical, place, record};

/// Limits that a test reaches soon.
fn tight() -> Limits {
    let mut limits = Limits::default();
    limits.time = Duration::from_millis(30);
    limits.fuel = Some(300_000_000);
    limits.memory_bytes = 4 << 20;
    limits.calls = 20;
    limits.open_calls = 4;
    limits.allocations = Some(50_000);
    limits
}

/// Scripts that end at a limit, and at which.
const FATAL: [(&str, Option<Stop>); 7] = [
    ("x = -1\nwhile True: pass", None),
    ("x = -1\ny = 'x' * (10 ** 9)", Some(Stop::Memory)),
    (
        "x = -1\ny = []\nwhile True: y.append('a' * 100_000)",
        Some(Stop::Memory),
    ),
    ("x = -1\ny = [str(n) for n in range(100_000)]", None),
    ("x = -1\nfor n in range(30): tick()", Some(Stop::Calls)),
    (
        "x = -1\nimport asyncio\nawait asyncio.gather(*[later(n) for n in range(9)])",
        Some(Stop::Calls),
    ),
    (
        "x = -1\nimport random\nrandom.random()\nn = 10 ** (10 ** 7)",
        None,
    ),
];

/// A tool that counts how often it really ran.
fn counting() -> (Tool, Arc<AtomicU64>) {
    let ran = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&ran);
    let tool = Tool::immediate("tick", move |_: &ToolContext, (): ()| {
        Ok(counter.fetch_add(1, Ordering::SeqCst))
    });
    (tool, ran)
}

#[doc = "Keeps R0-9, R1-8, R3-12, R3-13, X03, X11."]
#[test]
fn every_limit_ends_the_exec_and_the_next_one_sees_the_state_from_before() {
    let (tool, _) = counting();
    let mut session = described()
        .tool(tool)
        .limits(tight())
        .open()
        .expect("right");
    exec(
        &mut session,
        "x = 0\ndef step():\n    global x\n    x += 1\n    return x",
    );
    for round in 1..=3 {
        for (source, stop) in FATAL {
            let outcome = exec(&mut session, source);
            assert_eq!(outcome.state, State::RolledBack, "{source}: {outcome:?}");
            match (&outcome.ending, stop) {
                (Ending::Stopped(why, _), Some(stop)) => assert_eq!(*why, stop, "{source}"),
                (Ending::Stopped(..) | Ending::Crashed(_), None) => {}
                other => panic!("{source}: {other:?}"),
            }
            assert_eq!(outcome.names, ["step", "x"]);
            assert_eq!(
                value(&mut session, "x"),
                (round - 1).to_string(),
                "{source}"
            );
        }
        assert_eq!(value(&mut session, "step()"), round.to_string());
    }
}

#[test]
fn a_thousand_limits_in_a_row_lose_nothing_and_leak_nothing() {
    let (tool, ran) = counting();
    let mut limits = tight();
    limits.time = Duration::from_secs(5);
    limits.fuel = Some(20_000_000);
    limits.memory_bytes = 1 << 20;
    let mut session = sandbox()
        .session()
        .seed(1)
        .tool(tool)
        .limits(limits)
        .open()
        .expect("right");
    exec(&mut session, "n = 0\nseen = []\ntick()");
    for round in 0..1000 {
        let fatal = match round % 4 {
            0 => "n = -1\nwhile True: pass",
            1 => "n = -1\nx = [0] * (10 ** 8)",
            2 => "n = -1\nfor i in range(30): len(str(i))\nx = 'a' * (1 << 21)",
            _ => "n = -1\nx = []\nwhile True: x.append('a' * 1000)",
        };
        let outcome = exec(&mut session, fatal);
        assert_eq!(outcome.state, State::RolledBack, "{outcome:?}");
        let expected = (round + 1).to_string();
        assert_eq!(value(&mut session, "n += 1\nseen.append(n)\nn"), expected);
    }
    assert_eq!(
        value(&mut session, "(n, len(seen), sum(seen))"),
        "(1000, 1000, 500500)"
    );
    assert!(session.events().len() < 2000, "{}", session.events().len());
    assert_eq!(ran.load(Ordering::SeqCst), 1, "a tool was called again");
}

#[test]
fn random_and_the_clock_go_back_and_budgets_do_not() {
    let mut session = described().limits(tight()).open().expect("right");
    let before = "import random, time\nrandom.seed(3)\nt = time.time()";
    exec(&mut session, before);
    exec(
        &mut session,
        "time.sleep(100)\nrandom.random()\nprint('gone')\nwhile True: pass",
    );
    let mut other = described().limits(tight()).open().expect("right");
    exec(&mut other, before);
    let look = "(random.random(), round(time.time() - t, 3))";
    assert_eq!(value(&mut session, look), value(&mut other, look));
}

#[test]
fn recovered_and_rebased_sessions_have_the_same_identities_and_fuel() {
    // design: whatever happens to one instance, the session is the same.
    let sources: Vec<String> = (0..300)
        .map(|n| {
            format!(
                "class A{n}: pass\na{n} = A{n}()\nd = {{'k{n}': [object() if False else {n}] * 50}}\n\
                 s = sum(i * i for i in range(3_000))\n(id(a{n}), repr(a{n}), hash('k{n}'), len(d))"
            )
        })
        .collect();
    let run = |disturbed: bool| {
        let mut session = described().limits(tight_fuel()).open().expect("right");
        let (mut seen, mut rebased, mut failures) = (Vec::new(), false, 0);
        for source in &sources {
            let events = session.events().len();
            // Little is repeated then, so that failures alone give it no base.
            let fails = disturbed && rebased && events == 1;
            if fails {
                let outcome = exec(&mut session, "while True: pass");
                assert_eq!(outcome.state, State::RolledBack);
            }
            let outcome = exec(&mut session, source);
            seen.push((format!("{:?}", outcome.ending), outcome.usage.fuel));
            rebased |= session.events().len() <= events;
            failures += u64::from(fails);
        }
        assert!(rebased, "the session was never given a new base");
        assert_eq!(failures > 1, disturbed, "{failures}");
        seen
    };
    let (calm, disturbed) = (run(false), run(true));
    let differs = calm.iter().zip(&disturbed).position(|(a, b)| a != b);
    assert_eq!(
        differs,
        None,
        "{:?}",
        differs.map(|n| (&calm[n], &disturbed[n]))
    );
}

fn tight_fuel() -> Limits {
    let mut limits = Limits::default();
    limits.fuel = Some(200_000_000);
    limits
}

#[test]
fn traps_while_a_session_moves_lose_nothing() {
    for (dumps, loads) in [(1, 0), (0, 1), (3, 3), (0, 40)] {
        let mut faults = Faults::default();
        faults.trap_in_dumps = dumps;
        faults.trap_in_loads = loads;
        let mut session = dumped().faults(faults).open().expect("right");
        exec(&mut session, "x = []");
        for n in 0..60 {
            exec(
                &mut session,
                &format!("x.append({n})\ns = sum(i for i in range(40_000))"),
            );
        }
        assert_eq!(value(&mut session, "(len(x), x[-1])"), "(60, 59)");
    }
}

#[test]
fn no_state_is_handed_out_that_cannot_be_loaded() {
    for asks in ["park", "fork"] {
        let mut faults = Faults::default();
        faults.trap_in_loads = 1;
        let mut session = dumped().faults(faults).open().expect("right");
        exec(&mut session, "x = [1]");
        let refused = match asks {
            "park" => block_on(session.park()).map(drop),
            _ => block_on(session.fork()).map(drop),
        };
        let error = refused.expect_err("nobody could read it");
        assert_eq!(error.kind(), ErrorKind::Guest, "{error}");
        assert_eq!(value(&mut session, "x"), "[1]");
        let parked = block_on(session.park()).expect("it can be read now");
        let mut restored = dumped().restore(&parked).expect("right");
        assert_eq!(value(&mut restored, "x"), "[1]");
    }
}

#[test]
fn a_session_whose_state_is_never_loaded_keeps_little_and_can_be_read() {
    let mut limits = Limits::default();
    limits.memory_bytes = 16 << 20;
    let mut faults = Faults::default();
    faults.trap_in_loads = 100;
    let long = Tool::immediate("long", |_: &ToolContext, (): ()| Ok("x".repeat(100_000)));
    let session = dumped().faults(faults).limits(limits).tool(long);
    let mut session = session.open().expect("right");
    exec(&mut session, "x = [1]");
    let source = "for n in range(200): long()";
    let mut execs = 0;
    let error = loop {
        match block_on(session.exec(source)) {
            Ok(outcome) => assert!(outcome.is_success(), "{outcome:?}"),
            Err(error) => break error,
        }
        execs += 1;
        assert!(execs < 10, "it keeps {execs} times 20 MB");
    };
    assert_eq!(error.kind(), ErrorKind::Guest, "{error}");
    assert!(error.to_string().contains("reset the session"), "{error}");
    // It is known, and not tried again.
    let fuel = session.upkeep_fuel() + session.repeated_fuel();
    assert!(block_on(session.exec("x")).is_err());
    assert!(block_on(session.park()).is_err());
    assert_eq!(session.upkeep_fuel() + session.repeated_fuel(), fuel);
    let exported = block_on(session.export()).expect("read");
    assert_eq!(exported.variables["x"], serde_json::json!([1]));
    session.reset().expect("idle");
    assert_eq!(value(&mut session, "1 + 1"), "2");
}

#[test]
fn patterns_that_are_costly_to_compile_are_loaded() {
    let mut session = described().open().expect("right");
    let source = r"import re
patterns = [re.compile('(?i)[a' + '\\w\\W' * 100 + ']' + str(n)) for n in range(40)]";
    exec(&mut session, source);
    let parked = block_on(session.park()).expect("written");
    let mut restored = described().restore(&parked).expect("right");
    assert_eq!(value(&mut restored, "len(patterns)"), "40");
}

#[test]
fn a_new_base_costs_a_twentieth_of_the_execs() {
    // Counted in fuel, for small and large states.
    for (bytes, execs) in [(1_000, 400), (1_000_000, 200), (10_000_000, 40)] {
        let mut session = dumped().open().expect("right");
        exec(
            &mut session,
            &format!("data = ['%08d' % n for n in range({bytes} // 40)]"),
        );
        let (mut spent, mut upkeep) = (0, 0);
        for _ in 0..execs {
            let outcome = exec(&mut session, "s = sum(i * 2 for i in range(100_000))");
            assert!(outcome.is_success(), "{outcome:?}");
            spent += outcome.usage.fuel;
            upkeep = session.upkeep_fuel();
        }
        let share = upkeep as f64 / spent as f64;
        assert!(share <= 0.05, "{bytes} bytes: {upkeep} of {spent}");
    }
}

#[test]
fn a_session_that_asked_for_much_does_not_keep_it_all() {
    let mut session = session();
    exec(&mut session, "total = 0");
    for _ in 0..200 {
        exec(&mut session, "total += len(echo('x' * 90_000))");
    }
    let events = session.events().len();
    assert!(events < 150, "{events} events are kept");
    assert_eq!(value(&mut session, "total"), "18000000");
}

#[test]
fn an_exec_that_waits_often_is_written_down_on_the_way_and_still_rolls_back() {
    let long = "class A: pass\nkept = []\nfor n in range(40):\n    s = sum(i * i for i in range(30_000))\n    \
                kept.append(A())\n    got = later(n)\n(got, s, len(kept), id(kept[7]), repr(kept[-1]))";
    let run = |disturbed: bool| {
        let mut session = dumped().open().expect("right");
        exec(&mut session, "got = 'old'");
        // Both are rolled back after the same calls, so that tickets are the same
        // afterwards; only one is written down before that.
        let doomed = match disturbed {
            true => long,
            false => "for n in range(40): got = later(n)",
        };
        session.set_time_limit(Duration::from_secs(2));
        let outcome = exec(&mut session, &format!("{doomed}\nwhile True: pass"));
        assert_eq!(outcome.state, State::RolledBack, "{outcome:?}");
        assert_eq!(outcome.calls.len(), 40);
        assert_eq!(session.upkeep_fuel() > 0, disturbed);
        session.set_time_limit(Duration::from_secs(5));
        assert_eq!(value(&mut session, "got"), "'old'");
        let before = session.upkeep_fuel();
        let outcome = exec(&mut session, long);
        assert!(session.upkeep_fuel() > before, "never written down");
        let kept: u64 = session
            .events()
            .iter()
            .filter_map(|event| event.fuel())
            .sum();
        assert!(kept < outcome.usage.fuel / 2, "{kept} of {outcome:?}");
        (format!("{:?}", outcome.ending), outcome.usage.fuel)
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn a_limit_that_strikes_our_own_work_is_told_and_undone() {
    let mut limits = Limits::default();
    limits.fuel = Some(30_000_000);
    let mut session = described().limits(limits).open().expect("right");
    exec(&mut session, "x = 1");
    let numbers: Vec<u64> = (0..40_000).collect();
    session.set("big", &numbers).expect("queued");
    let outcome = exec(&mut session, "x = 2");
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Fuel, _)),
        "{outcome:?}"
    );
    assert_eq!(outcome.usage.fuel, 0);
    session.set("big", &numbers).expect("queued");
    let error = block_on(session.get("x")).expect_err("it is too much to decode");
    assert!(error.to_string().contains("had no effect"), "{error}");
    for _ in 0..2 {
        assert_eq!(value(&mut session, "x"), "1");
        exec(&mut session, "while True: pass");
    }
}

#[test]
fn a_limit_that_a_value_reaches_is_the_outcome_of_the_script_behind_it() {
    let mut limits = Limits::default();
    limits.memory_bytes = 16 << 20;
    let mut session = described().limits(limits).open().expect("right");
    exec(&mut session, "x = 'x' * (12 << 20)");
    session.set("first", 1).expect("queued");
    session.set("big", "y".repeat(8 << 20)).expect("queued");
    session.set("last", 2).expect("queued");
    let outcome = exec(&mut session, "ran = True");
    let Ending::Stopped(Stop::Memory, exception) = &outcome.ending else {
        panic!("{outcome:?}");
    };
    assert_eq!(exception.kind, "MemoryError");
    assert!(
        exception.message.contains("the value of `big`"),
        "{exception}"
    );
    assert_eq!((outcome.state, outcome.usage.fuel), (State::RolledBack, 0));
    assert!(
        outcome.usage.elapsed < Duration::from_secs(60),
        "{outcome:?}"
    );
    for name in ["big", "ran"] {
        assert!(!exec(&mut session, name).is_success(), "{name} is bound");
    }
    assert_eq!(
        value(&mut session, "first, last, len(x)"),
        "(1, 2, 12582912)"
    );
    // Once there is room it enters.
    exec(&mut session, "x = None");
    session.set("big", "y".repeat(1 << 20)).expect("queued");
    assert_eq!(value(&mut session, "len(big)"), (1 << 20).to_string());
}

#[test]
fn a_value_that_cannot_be_is_refused_and_nothing_else_is() {
    let mut session = crashing().open().expect("right");
    session.set("good", 1).expect("queued");
    // The interpreter reads 128 levels.
    let bad = (0..200).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    session.set("bad", bad).expect("queued");
    let error = block_on(session.exec("good")).expect_err("it is nested too deeply");
    assert!(error.to_string().contains("JSON"), "{error}");
    assert_eq!(value(&mut session, "good"), "1");
    let outcome = exec(&mut session, CRASH);
    assert!(matches!(outcome.ending, Ending::Crashed(_)), "{outcome:?}");
    assert_eq!(value(&mut session, "good"), "1");
}

#[test]
fn allocations_of_one_exec_do_not_burden_the_next() {
    let mut limits = Limits::default();
    limits.allocations = Some(20_000);
    let mut session = described().limits(limits).open().expect("right");
    exec(&mut session, "x = 1");
    let words: Vec<String> = (0..30_000).map(|n| n.to_string()).collect();
    session.set("words", &words).expect("queued");
    assert_eq!(value(&mut session, "len(words)"), "30000");
    for _ in 0..3 {
        let outcome = exec(&mut session, "x = [str(n) for n in range(100_000)]");
        assert_eq!(outcome.state, State::RolledBack);
        assert_eq!(value(&mut session, "(x, len(words))"), "(1, 30000)");
        let listed = block_on(session.variables(Look::reprs(10))).expect("lists");
        assert_eq!(listed.len(), 2);
    }
}

#[test]
fn what_was_given_to_a_session_arrives_even_if_an_exec_is_dropped_on_the_way() {
    let mut session = described().open().expect("right");
    let numbers: Vec<u64> = (0..50_000).collect();
    session.set("numbers", &numbers).expect("queued");
    let text = "a line\n".repeat(1000);
    let context = rlm_sandbox::Context::text("late.txt", text.as_str());
    session.add_context(context).expect("new");
    for polls in 0..6 {
        let mut exec = std::pin::pin!(session.exec("while True: pass"));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        for _ in 0..polls {
            if exec.as_mut().poll(&mut context).is_ready() {
                break;
            }
        }
    }
    let look = "(len(numbers), len(context))";
    assert_eq!(value(&mut session, look), "(50000, 7000)");
}

#[test]
fn a_cancel_hits_one_exec() {
    let mut session = session();
    exec(&mut session, "x = 1");
    let cancel = session.cancel_handle();
    cancel.cancel();
    let outcome = exec(&mut session, "x = 2");
    assert!(matches!(outcome.ending, Ending::Stopped(Stop::Canceled, _)));
    assert_eq!(value(&mut session, "x"), "1");
    // One that comes as a script ends does not wait for the next.
    let handle = Arc::new(std::sync::OnceLock::<rlm_sandbox::CancelHandle>::new());
    let mine = Arc::clone(&handle);
    let tool = Tool::immediate("stop", move |_: &ToolContext, (): ()| {
        mine.get().expect("it is open").cancel();
        Ok(())
    });
    let mut session = described().tool(tool).open().expect("right");
    handle.set(session.cancel_handle()).expect("once");
    exec(&mut session, "stop()");
    assert_eq!(value(&mut session, "1"), "1");
}

#[test]
fn a_cancel_ends_what_is_no_script_and_nothing_later() {
    const ENDLESS: &str = "class A:\n  def __repr__(self):\n    while True: pass\nx = A()\nn = [1]";
    let (_folder, path) = place();
    let mut limits = Limits::default();
    (limits.time, limits.fuel) = (Duration::from_secs(20), Some(u64::MAX / 4));
    record(&path, described().limits(limits), |session| {
        exec(session, ENDLESS);
        let mut look = Look::default();
        look.user_reprs = true;
        for early in [true, false] {
            let cancel = session.cancel_handle();
            let canceled = |work: &mut dyn FnMut() -> Option<ErrorKind>| {
                let cancel = cancel.clone();
                let canceler = std::thread::spawn(move || {
                    if !early {
                        std::thread::sleep(Duration::from_millis(100));
                    }
                    cancel.cancel();
                });
                if early {
                    // Before it begins.
                    canceler.join().expect("canceled");
                    return work();
                }
                let kind = work();
                canceler.join().expect("canceled");
                kind
            };
            let kind = |error: rlm_sandbox::Error| error.kind();
            let kinds = [
                canceled(&mut || block_on(session.get("x")).map_err(kind).err()),
                canceled(&mut || block_on(session.variables(look)).map_err(kind).err()),
            ];
            assert_eq!(kinds, [Some(ErrorKind::Canceled); 2], "{early}");
        }
        // Those that run no code here are ended before they begin.
        session.set("given", [1, 2]).expect("a name");
        session.cancel_handle().cancel();
        let exported = block_on(session.export());
        session.cancel_handle().cancel();
        let parked = block_on(session.park());
        session.cancel_handle().cancel();
        let forked = block_on(session.fork());
        let kinds = [
            exported.expect_err("canceled").kind(),
            parked.expect_err("canceled").kind(),
            forked.expect_err("canceled").kind(),
        ];
        assert_eq!(kinds, [ErrorKind::Canceled; 3]);
        // A report is there, and tells why the variables are not.
        let outcome = exec(session, "n.append(2)");
        session.cancel_handle().cancel();
        let report = block_on(session.report_as(&outcome, Format::Official)).expect("a report");
        assert!(
            report["variables_left_out"]
                .to_string()
                .contains("canceled"),
            "{report}"
        );
        assert_eq!(value(session, "(n, given)"), "([1, 2], [1, 2])");
    });
    check_identical(&path);
}

#[test]
fn a_cancel_of_a_script_that_waits_is_not_lost_to_a_snapshot() {
    let mut session = session();
    let step = block_on(session.step("later(1)")).expect("it waits");
    assert!(matches!(step, Step::Waiting(_)), "{step:?}");
    session.cancel_handle().cancel();
    let parked = block_on(session.park());
    assert_eq!(parked.expect_err("canceled").kind(), ErrorKind::Canceled);
    let outcome = block_on(session.finish()).expect("an outcome");
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Canceled, _)),
        "{outcome:?}"
    );
}

/// What may happen to a session between two execs that count.
#[derive(Clone, Copy, Debug)]
enum Trouble {
    Park,
    Fork,
    Time,
    Memory,
    Calls,
    Crash,
    Cancel,
    Drop,
}

const TROUBLES: [Trouble; 8] = [
    Trouble::Park,
    Trouble::Fork,
    Trouble::Time,
    Trouble::Memory,
    Trouble::Calls,
    Trouble::Crash,
    Trouble::Cancel,
    Trouble::Drop,
];

/// Execs that build on each other and print no identity.
const STEPS: [&str; 10] = [
    "import json, re, random, asyncio\nxs = []\nclass P:\n    def __init__(self, n): self.n = n\n    def __repr__(self): return f'P({self.n})'",
    "def add(n):\n    xs.append(P(n))\n    return len(xs)\nadd(random.randint(1, 9))",
    "counts = {}\nfor w in 'a b a c'.split(): counts[w] = counts.get(w, 0) + 1\ncounts",
    "got = [later(n) for n in range(3)]\ngot + [add(n) for n in got]",
    "print(await asyncio.gather(later('p'), soon('q')))\nxs",
    "try:\n    undefined_name\nexcept NameError as e:\n    err = str(e)\nerr",
    "f = lambda k: (k, counts.get(k), [p.n for p in xs])\nf('a')",
    "json.dumps({'n': len(xs), 's': sorted(counts), 'r': random.random()})",
    "s = {1, 2, 3} | {len(xs)}\nt = (s, 1.5, b'x', None, 10 ** 30)\nt",
    "re.findall('[0-9]+', repr(xs)) + [add(7)]",
];

#[track_caller]
fn make_trouble(session: &mut Session, trouble: Trouble) {
    match trouble {
        Trouble::Park => {
            let parked = block_on(session.park()).expect("parks");
            *session = crashing().restore(&parked).expect("restores");
        }
        Trouble::Fork => {
            let mut fork = block_on(session.fork()).expect("forks");
            // Either of the two goes on; the other must not be felt.
            std::mem::swap(session, &mut fork);
            exec(&mut fork, "xs = counts = None");
        }
        Trouble::Time => {
            session.set_time_limit(Duration::from_millis(5));
            exec(session, "xs = 0\nwhile True: pass");
            session.set_time_limit(Duration::from_secs(5));
        }
        Trouble::Memory => drop(exec(session, "xs = [0] * (10 ** 8)")),
        Trouble::Calls => drop(exec(
            session,
            "xs = 0\nimport asyncio\nawait asyncio.gather(*[later(n) for n in range(300)])",
        )),
        Trouble::Crash => {
            let outcome = exec(session, &format!("xs = 0\n{CRASH}"));
            assert!(matches!(outcome.ending, Ending::Crashed(_)), "{outcome:?}");
        }
        Trouble::Cancel => {
            session.cancel_handle().cancel();
            exec(session, "xs = 0\nlater(1, 600_000)");
        }
        Trouble::Drop => block_on(async {
            let exec = session.exec("xs = 0\nlater(1, 600_000)");
            let late = tokio::time::timeout(Duration::from_millis(5), exec).await;
            assert!(late.is_err());
        }),
    }
}

#[test]
fn whatever_happens_to_a_session_its_execs_see_the_same() {
    let told = |outcome: &Outcome| {
        let value = match &outcome.ending {
            Ending::Value(value) => value.as_ref().map(|value| value.repr.clone()),
            other => panic!("{other:?}"),
        };
        (value, outcome.stdout.clone(), outcome.names.clone())
    };
    let mut calm = crashing().open().expect("right");
    let expected: Vec<_> = STEPS.map(|step| told(&exec(&mut calm, step))).into();
    for seed in 0..6_u64 {
        let mut state = seed;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(seed | 1);
            (state >> 33) % below
        };
        let mut session = crashing().open().expect("right");
        let mut story = Vec::new();
        for (step, expected) in STEPS.iter().zip(&expected) {
            for _ in 0..next(3) {
                let trouble = TROUBLES[next(TROUBLES.len() as u64) as usize];
                story.push(trouble);
                make_trouble(&mut session, trouble);
            }
            assert_eq!(&told(&exec(&mut session, step)), expected, "{story:?}");
        }
    }
}
