//! A snapshot of pages goes on as if nothing had been.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rlm_sandbox::{
    Call, Ending, Limits, Outcome, Parked, Session, State, Step, Stop, Tool, ToolContext,
};

use crate::check::{KEY, block_on, described, exec, sandbox, value};
use crate::replay::{check_identical, place, record};

/// Returns all that must not differ.
pub(crate) fn shown(outcome: &Outcome) -> String {
    format!(
        "{:?} {:?} {} {} fuel {} memory {}",
        outcome.ending,
        outcome.names,
        outcome.stdout,
        outcome.stderr,
        outcome.usage.fuel,
        outcome.usage.peak_memory_bytes,
    )
}

fn fork(session: &mut Session) -> Session {
    block_on(session.fork()).expect("forks")
}

/// Goes on with a script that waits for these calls, whose handlers answer.
pub(crate) fn answered(session: &mut Session, calls: &[Call]) -> Step {
    let answers: Vec<_> = calls
        .iter()
        .map(|call| (call.ticket, block_on(session.perform(call))))
        .collect();
    block_on(session.resume(answers)).expect("goes on")
}

/// Returns a generator of numbers below the one that it is given, the same in each run.
pub(crate) fn numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |most| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % most.max(1)
    }
}

/// Ends at a limit, so that the next execution has another instance.
fn fail(session: &mut Session) {
    let outcome = exec(session, "'x' * (10 ** 9)");
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Memory, _)),
        "{outcome:?}"
    );
    assert_eq!(outcome.state, State::RolledBack);
}

/// Scripts that depend on what a writer of values loses: identities, orders, spare room, and what is shared.
pub(crate) const STEPS: [&str; 18] = [
    "import random, json, re, time\nxs = [random.random() for _ in range(500)]\nid(xs)",
    "d = {str(i): [i] * 3 for i in range(2000)}\n(len(d), id(d['7']))",
    "class P:\n    def __init__(self, a):\n        self.a = a\nps = [P(i) for i in range(300)]\nrepr(ps[-1])",
    "ys = [later(i) for i in range(5)]\nys",
    "del d['7']\n(sum(p.a for p in ps), {str(n) for n in range(50)})",
    "s = 'abc' * 40_000\n(len(s), id(s))",
    "re.findall('b', s)[:3]",
    "for i in range(20_000): d[str(i)] = i\nlen(d)",
    "1 / 0",
    "def f(n): return 1 if n == 0 else f(n - 1)\nf(200)",
    "d = None\nxs = None\nrandom.random()",
    "big = [i for i in range(100_000)]\ntime.time()",
    "big = None\nrandom.randint(0, 10 ** 9)",
    "print(sorted(globals_seen := [n for n in ('ps', 's', 'ys')]))\nid(globals_seen)",
    "x = 'a' * 10_000_000\nx2 = x + x\n(len(x2), x is x2)",
    "json.dumps([p.a for p in ps])[:20]",
    "def gen():\n    for n in range(5): yield n\ng = gen()\nnext(g)",
    "(next(g), next(g), repr(P(1)))",
];

#[test]
fn a_chain_of_forks_goes_on_as_one_session_does() {
    let mut alone = described().open().expect("right");
    let mut chain = described().open().expect("right");
    for (number, step) in STEPS.iter().enumerate() {
        let mut next = fork(&mut chain);
        // Of some steps the parent goes on, too, and fails; of others it is gone.
        match number % 3 {
            0 => drop(chain),
            1 => drop(exec(&mut chain, step)),
            _ => fail(&mut next),
        }
        chain = next;
        let (lone, forked) = (exec(&mut alone, step), exec(&mut chain, step));
        assert_eq!(shown(&lone), shown(&forked), "{step}");
    }
}

#[test]
fn a_script_is_forked_at_each_of_its_calls() {
    let source = "seen = {}\nclass A: pass\nfor n in range(6):\n    a = A()\n    seen[id(a)] = later(n)\n    \
                  seen[str(n)] = a\n(len(seen), repr(a), {str(n) for n in range(20)})";
    let mut alone = described().open().expect("right");
    let wanted = shown(&exec(&mut alone, source));
    let mut session = described().open().expect("right");
    let mut step = block_on(session.step(source)).expect("begins");
    let mut forks = Vec::new();
    while let Step::Waiting(calls) = step {
        forks.push(fork(&mut session));
        step = answered(&mut session, &calls);
    }
    assert_eq!(forks.len(), 6);
    for mut fork in forks {
        // A fork of the fork, and then itself.
        let mut next = block_on(fork.fork()).expect("forks");
        for session in [&mut next, &mut fork] {
            let outcome = block_on(session.finish()).expect("ends");
            assert_eq!(shown(&outcome), wanted);
        }
    }
}

/// Lines of Python, chosen by a generator of numbers, so that each run tries the same programs.
pub(crate) fn program(random: &mut impl FnMut(u64) -> u64) -> String {
    let line = |random: &mut dyn FnMut(u64) -> u64| match random(12) {
        0 => format!("a = [n * {} for n in range({})]", random(9), random(3000)),
        1 => format!("b = {{str(n): n for n in range({})}}", random(4000)),
        2 => String::from("b = dict(list(b.items())[::2]); c = id(b)"),
        3 => format!("t = 'x{}' * {}", random(100), random(100_000)),
        4 => String::from("s = {str(n % 97) for n in a}; print(s)"),
        5 => String::from("import random; r = random.random(); a.append(r)"),
        6 => format!("e = echo([{}, 'text'])", random(1000)),
        7 => format!("l = later({})", random(1000)),
        8 => String::from("a = a[: len(a) // 2]; a.sort()"),
        9 => String::from("class K:\n    pass\nk = K(); print(k)"),
        10 => String::from("a, b = [], {}"),
        _ => format!("w = sum(i for i in range({}))", random(30_000)),
    };
    let lines = 1 + random(4);
    let lines: Vec<_> = (0..lines).map(|_| line(random)).collect();
    format!("{}\n(len(a), len(b), id(a), id(b))", lines.join("\n"))
}

/// Returns seeds of made-up programs: four that are always the same, or as many as `RLM_SANDBOX_TEST_SEEDS` wants.
pub(crate) fn seeds() -> impl Iterator<Item = u64> {
    let wanted = std::env::var("RLM_SANDBOX_TEST_SEEDS");
    let count = wanted.map_or(4, |wanted| wanted.parse().expect("a number"));
    (1..=count).map(|number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[test]
fn random_programs_come_out_the_same_wherever_they_are_forked_or_fail() {
    for seed in seeds().flat_map(|seed| (0..12).map(move |round| seed ^ round)) {
        let mut random = numbers(seed);
        let mut alone = described().open().expect("right");
        let mut other = described().open().expect("right");
        for session in [&mut alone, &mut other] {
            exec(session, "a, b = [], {}");
        }
        for _ in 0..12 {
            let source = program(&mut random);
            match random(4) {
                0 => other = fork(&mut other),
                1 => fail(&mut other),
                2 => drop(fork(&mut other)),
                _ => {}
            }
            let (lone, disturbed) = (exec(&mut alone, &source), exec(&mut other, &source));
            assert_eq!(shown(&lone), shown(&disturbed), "seed {seed}: {source}");
        }
    }
}

#[test]
fn many_branches_do_not_disturb_each_other() {
    let begin = "lines = ['line %d' % n for n in range(140_000)]\nindex = {line: n for n, line in enumerate(lines)}";
    let script = |number: usize| {
        format!(
            "index['line {number}'] = 'mine'\nlines[{number}] = {number}\n(id(index), index['line {number}'], len(lines))"
        )
    };
    let mut limits = Limits::default();
    limits.memory_bytes = 128 << 20;
    let open = || described().limits(limits.clone()).open().expect("right");
    let mut session = open();
    exec(&mut session, begin);
    let mut branches: Vec<Session> = (0..64).map(|_| fork(&mut session)).collect();
    let mut wanted = Vec::new();
    for (number, branch) in branches.iter_mut().enumerate() {
        let outcome = exec(branch, &script(number));
        let mut alone = fork(&mut session);
        wanted.push(shown(&outcome));
        assert_eq!(shown(&exec(&mut alone, &script(number))), wanted[number]);
    }
    // Each has what it wrote, and nothing of others.
    for (number, branch) in branches.iter_mut().enumerate() {
        let mine = format!(
            "[n for n in range(64) if lines[n] == n and index['line %d' % n] == 'mine'] == [{number}]"
        );
        assert_eq!(value(branch, &mine), "True", "{number}");
    }
    assert_eq!(
        value(&mut session, "lines[3], index['line 3']"),
        "('line 3', 3)"
    );
    // One that was never forked.
    let mut alone = open();
    exec(&mut alone, begin);
    assert_eq!(shown(&exec(&mut alone, &script(7))), wanted[7]);
}

/// Set in the process that measures branches.
const MEASURES: &str = "RLM_SANDBOX_TEST_MEASURES_BRANCHES";

/// Returns the bytes of memory that this process has, each page in proportion to the processes that share it.
fn resident_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").expect("readable");
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.expect("a number").parse::<u64>().expect("a number") << 10
}

/// Measured in a process of its own, where no other test takes memory.
#[test]
fn branches_of_140_000_lines_with_an_index_take_at_most_8_mib_each() {
    let name = "snapshots::branches_of_140_000_lines_with_an_index_take_at_most_8_mib_each";
    if std::env::var_os(MEASURES).is_none() {
        let test = std::env::current_exe().expect("a test");
        let status = std::process::Command::new(test)
            .args(["--exact", name, "--nocapture"])
            .env(MEASURES, "1")
            .status();
        assert!(status.expect("it runs").success());
        return;
    }
    const BRANCHES: u64 = 64;
    let mut limits = Limits::default();
    limits.memory_bytes = 128 << 20;
    let mut session = described().limits(limits).open().expect("right");
    let begin = "lines = ['line %d' % n for n in range(140_000)]\nindex = {line: n for n, line in enumerate(lines)}";
    exec(&mut session, begin);
    // The snapshot is shared.
    drop(fork(&mut session));
    let before = resident_bytes();
    let mut branches: Vec<Session> = (0..BRANCHES).map(|_| fork(&mut session)).collect();
    for (number, branch) in branches.iter_mut().enumerate() {
        let source = format!(
            "index['line {number}'] = 'mine'\nlines[{number}] = {number}\nsum(index[line] for line in lines[1000:9000])"
        );
        exec(branch, &source);
    }
    let each = (resident_bytes() - before) / BRANCHES;
    assert!(each < 8 << 20, "{each} bytes each");
}

/// A dictionary whose keys all collide takes seconds to be built anew.
#[test]
fn what_was_costly_to_make_is_not_made_again() {
    let mut limits = Limits::default();
    limits.time = std::time::Duration::from_secs(60);
    let mut session = described().limits(limits).open().expect("right");
    let made = exec(
        &mut session,
        "class Key:\n    def __hash__(self): return 1\nd = {Key(): 0 for _ in range(6_000)}\nid(d)",
    );
    assert!(made.usage.fuel > 1_000_000_000, "{made:?}");
    for _ in 0..3 {
        fail(&mut session);
        let outcome = exec(&mut session, "len(d)");
        assert!(outcome.is_success(), "{outcome:?}");
        assert!(
            outcome.usage.recovery_fuel < made.usage.fuel / 100,
            "{outcome:?}"
        );
        let mut fork = fork(&mut session);
        assert_eq!(
            value(&mut fork, "id(d)"),
            made.value::<u64>().expect("a number").to_string()
        );
        assert_eq!((fork.upkeep_fuel(), fork.repeated_fuel()), (0, 0));
    }
    assert_eq!(session.upkeep_fuel(), 0);
}

/// The cost of a rollback depends on the size of a session, and not on its history.
#[test]
fn a_rollback_repeats_little_however_long_a_session_was() {
    let mut session = described().open().expect("right");
    exec(&mut session, "kept = [1]");
    let mut most = 0;
    for round in 0..20 {
        for _ in 0..round % 7 {
            exec(&mut session, "s = sum(i * i for i in range(5_000))");
        }
        fail(&mut session);
        let outcome = exec(&mut session, "kept");
        assert!(outcome.is_success(), "{round}: {outcome:?}");
        most = most.max(outcome.usage.recovery_fuel);
    }
    assert!(most > 0 && most < 30_000_000, "{most}");
    assert_eq!(session.upkeep_fuel(), 0);
}

/// A dictionary of 140,000 entries, with 24 MiB of memory, takes a second of fuel to be made.
#[test]
fn not_even_the_first_rollback_or_eviction_repeats_what_was_costly() {
    let mut limits = Limits::default();
    limits.time = std::time::Duration::from_secs(60);
    limits.memory_bytes = 256 << 20;
    let mut few = rlm_sandbox::SandboxLimits::default();
    few.live_sessions = 1;
    let sandbox = rlm_sandbox::Sandbox::builder()
        .limits(few)
        .build()
        .expect("loads");
    let mut session = sandbox.session().limits(limits).open().expect("right");
    let made = exec(
        &mut session,
        "xs = {}\nfor i in range(140_000):\n    xs['key-%d' % i] = i\nid(xs)",
    );
    assert!(made.usage.fuel > 900_000_000, "{made:?}");
    let id = made.value::<u64>().expect("a number").to_string();
    let mut other = sandbox.session().open().expect("right");
    // The other session has the only room.
    assert_eq!(value(&mut other, "1"), "1");
    assert_eq!(value(&mut session, "id(xs)"), id);
    assert_eq!(session.repeated_fuel(), 0);
    fail(&mut session);
    assert_eq!(value(&mut session, "id(xs)"), id);
    // The last executions, which were short.
    assert!(
        session.repeated_fuel() < 5_000_000,
        "{}",
        session.repeated_fuel()
    );
    assert_eq!(session.upkeep_fuel(), 0);
}

#[test]
fn a_recording_with_forks_and_failures_has_no_states_in_it() {
    let (_folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "d = {str(n): [n] for n in range(20_000)}");
        for _ in 0..3 {
            drop(fork(session));
            fail(session);
            exec(session, "s = sum(i * i for i in range(100_000))\nid(d)");
        }
    });
    let text = std::fs::read_to_string(&path).expect("text");
    assert!(!text.contains("{\"base\":"), "{text}");
    check_identical(&path);
}

/// Instances that follow each other in one memory see nothing of each other.
#[test]
fn a_memory_that_is_used_again_is_as_if_new() {
    let fuel = |session: &mut Session| {
        let outcome = exec(
            session,
            "x = [n for n in range(2000)]\nd = {str(n): n for n in x}\n(id(x), id(d))",
        );
        shown(&outcome)
    };
    let wanted = fuel(&mut described().open().expect("right"));
    for source in [
        "s = 'secret' * 1000",
        "s = ['secret' * 100] * 200_000",
        "def f(n): return n and f(n - 1)\nf(900)",
        "s = 'secret' * 3_000_000",
        "1 / 0",
    ] {
        let mut session = described().open().expect("right");
        exec(&mut session, source);
        let forked = fork(&mut session);
        drop((session, forked));
        assert_eq!(
            fuel(&mut described().open().expect("right")),
            wanted,
            "{source}"
        );
    }
}

/// Answers that came before a fork are its own; calls that are open are asked by each.
#[test]
fn branches_share_the_answers_before_the_fork() {
    let asked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&asked);
    let ask = Tool::immediate("ask", move |_: &ToolContext, (n,): (u64,)| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(n * 2)
    });
    let session = sandbox().session().seed(1).tool(ask);
    let mut session = session.open().expect("right");
    exec(&mut session, "got = [ask(n) for n in range(20)]");
    for _ in 0..8 {
        let mut branch = fork(&mut session);
        fail(&mut branch);
        assert_eq!(value(&mut branch, "sum(got)"), "380");
    }
    assert_eq!(asked.load(Ordering::Relaxed), 20);
}

/// Much of a snapshot is given up, so that what is left of it is copied; the next snapshot, fork and memory have it still.
#[test]
fn what_is_left_of_a_snapshot_stays_when_most_of_it_is_gone() {
    let steps = [
        "w = [0]",
        "a = 'a' * (500 * 1024)\nb = 'b' * (330 * 1024)",
        "del a\nz = '\\0' * (495 * 1024)",
        "x = 1",
        "c = 'c' * (200 * 1024)\ndel z",
        "del c\ny = [n for n in range(1000)]",
    ];
    let look = "(b.count('b'), b.count('\\0'), w)";
    let mut session = described().open().expect("right");
    for step in steps {
        exec(&mut session, step);
        let mut forked = fork(&mut session);
        if step != steps[0] {
            assert_eq!(value(&mut forked, look), "(337920, 0, [0])", "{step}");
        }
        fail(&mut forked);
        drop(forked);
    }
    assert_eq!(value(&mut session, look), "(337920, 0, [0])");
    fail(&mut session);
    assert_eq!(value(&mut session, look), "(337920, 0, [0])");
}

/// A fork answers to its own caller, and must look the same to the script.
#[test]
fn a_fork_with_other_handlers_has_the_same_names() {
    let tool = |n: u64| Tool::immediate("whose", move |_: &ToolContext, (): ()| Ok(n));
    let open = |n| sandbox().session().tool(tool(n));
    let mut session = open(1).seed(7).open().expect("right");
    assert_eq!(value(&mut session, "kept = [whose()]\nkept[0]"), "1");
    let mut forked = block_on(session.fork_with(open(2))).expect("forks");
    assert_eq!(
        value(&mut forked, "(kept, whose(), id(kept))").replace("[1], 2", "[1], 1"),
        value(&mut session, "(kept, whose(), id(kept))")
    );
    let other = Tool::immediate("other", |_: &ToolContext, (): ()| Ok(3));
    let error = block_on(session.fork_with(sandbox().session().tool(other))).expect_err("refused");
    assert!(
        error.to_string().contains("restore it with others"),
        "{error}"
    );
    assert_eq!(value(&mut session, "kept"), "[1]");
}

#[test]
fn a_session_that_is_parked_goes_on_as_if_nothing_had_been() {
    let run = |parks: bool| {
        let mut session = described().open().expect("right");
        let steps = STEPS.iter().map(|step| {
            let outcome = shown(&exec(&mut session, step));
            if parks {
                let parked = block_on(session.park()).expect("parks").to_bytes(KEY);
                Parked::from_bytes(sandbox(), &parked, KEY).expect("reads");
            }
            outcome
        });
        steps.collect::<Vec<_>>()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_session_that_is_parked_around_forks_replays_without_a_base() {
    let (_folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "x = [later(i) for i in range(5)]");
        block_on(session.park()).expect("parks");
        let mut forked = fork(session);
        block_on(session.park()).expect("parks");
        assert_eq!(value(&mut forked, "x"), value(session, "x"));
        // An execution that failed has changed nothing either.
        block_on(session.park()).expect("parks");
        fork(session);
        fail(session);
        block_on(session.park()).expect("parks");
        exec(session, "y = x + [1]");
    });
    let text = std::fs::read_to_string(&path).expect("readable");
    assert_eq!(text.matches("{\"base\":").count(), 0, "{text}");
    check_identical(&path);
}

#[test]
fn a_script_that_waits_is_parked_around_a_fork_without_a_base() {
    let (_folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "x = 1");
        let step = block_on(session.step("y = later(2)\ny + x")).expect("a step");
        assert!(matches!(step, Step::Waiting(_)), "{step:?}");
        block_on(session.park()).expect("parks");
        let mut forked = fork(session);
        block_on(session.park()).expect("parks");
        block_on(forked.finish()).expect("goes on");
        block_on(session.finish()).expect("goes on");
        assert_eq!(value(&mut forked, "y"), value(session, "y"));
    });
    let text = std::fs::read_to_string(&path).expect("readable");
    assert_eq!(text.matches("{\"base\":").count(), 0, "{text}");
    check_identical(&path);
}

#[test]
fn a_session_that_was_restored_is_forked_by_its_memory_and_written_as_it_was() {
    let mut session = described().open().expect("right");
    exec(&mut session, "x = [str(i) for i in range(10_000)]");
    let parked = block_on(session.park()).expect("parks").to_bytes(KEY);
    let parked = Parked::from_bytes(sandbox(), &parked, KEY).expect("reads");
    let mut restored = described().restore(&parked).expect("restores");
    let mut forked = fork(&mut restored);
    assert_eq!(value(&mut forked, "len(x)"), "10000");
    let again = block_on(restored.park()).expect("parks").to_bytes(KEY);
    let again = Parked::from_bytes(sandbox(), &again, KEY).expect("reads");
    let mut third = described().restore(&again).expect("restores");
    assert_eq!(value(&mut third, "x[-1]"), value(&mut restored, "x[-1]"));
}
