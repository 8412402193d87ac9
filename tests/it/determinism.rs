//! The same program gives the same output and the same fuel.

use rlm_sandbox::{Context, Limits};

use crate::check::{block_on, described, tell};

/// Programs that touch what differs from run to run elsewhere.
const PROGRAMS: [&str; 14] = [
    "1 + 1",
    "import random\n[random.random() for _ in range(5)], random.sample(range(1000), 5)",
    "import random\nr = random.Random()\nr.getrandbits(64)",
    "import time\nt = time.time()\nx = sum(range(10_000))\n(t, time.perf_counter(), time.monotonic_ns())",
    "from datetime import datetime, date\nstr(datetime.now()), str(date.today())",
    "{c: i for i, c in enumerate('the quick brown fox')}, {c for c in 'jumps over'}",
    "hash('text'), hash((1, 'a', 2.5)), hash(b'bytes'), hash(frozenset('abc'))",
    "class A: pass\n[A() for _ in range(3)], id(A) == id(A), repr(A())",
    "import math\n[math.sin(n) * 1e10 for n in range(20)], 0.1 + 0.2, float('nan'), float('inf') - float('inf')",
    "import asyncio\nawait asyncio.gather(*[later(n, 9 - n) for n in range(9)], echo('now'), soon('soon'))",
    "try:\n    fail('KeyError', 'k')\nexcept KeyError as e:\n    print(e)\n1 / 0",
    "import json, re, collections\nc = collections.Counter(re.findall('[a-z]+', context))\njson.dumps(c.most_common(3))",
    "def f(n): return f(n + 1)\nf(0)",
    "class A: pass\nprint('before')\necho([A, A()])",
];

/// Everything about a run that must not differ.
fn run(program: &str) -> String {
    let mut session = described()
        .context(Context::text(
            "words.txt",
            "to be or not to be that is the question",
        ))
        .limits(Limits::default())
        .open()
        .expect("right");
    let first = block_on(session.exec("seen = []")).expect("runs");
    let outcome = block_on(session.exec(program)).expect("an outcome");
    let events: Vec<_> = session
        .events()
        .iter()
        .map(|event| (event.function(), event.fuel(), event.calls()))
        .collect();
    let digests: Vec<_> = outcome
        .calls
        .iter()
        .map(|call| call.arguments_digest.clone())
        .collect();
    let memory = outcome.usage.peak_memory_bytes;
    format!(
        "{}{:?} {:?} {:?} {memory}",
        tell(&outcome),
        first.usage.fuel,
        events,
        digests
    )
}

#[doc = "Keeps R1-9."]
#[test]
fn the_same_program_gives_the_same_output_and_fuel_twice_in_one_process() {
    for program in PROGRAMS {
        assert_eq!(run(program), run(program), "{program}");
    }
}

#[test]
fn the_same_program_gives_the_same_output_and_fuel_in_two_processes() {
    // The other process is this test, told to print what it sees.
    const ASK: &str = "RLM_SANDBOX_TEST_PRINT";
    let mine: String = PROGRAMS.iter().map(|program| run(program) + "\n").collect();
    if std::env::var_os(ASK).is_some() {
        let path = std::env::var_os(ASK).expect("a path");
        std::fs::write(path, mine).expect("written");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("seen");
    let status = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--exact",
            "determinism::the_same_program_gives_the_same_output_and_fuel_in_two_processes",
        ])
        .env(ASK, &path)
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.expect("runs").success());
    assert_eq!(std::fs::read_to_string(path).expect("readable"), mine);
}

#[test]
fn another_seed_and_another_time_are_seen() {
    let draw = |seed| {
        let mut session = crate::check::sandbox()
            .session()
            .seed(seed)
            .open()
            .expect("right");
        block_on(session.exec("import random\nrandom.random()"))
            .expect("runs")
            .value::<f64>()
            .expect("a number")
    };
    assert_ne!(draw(1), draw(2));
    let mut session = crate::check::sandbox().session().open().expect("right");
    let year = block_on(session.exec("import datetime\ndatetime.date.today().year")).expect("runs");
    assert!(year.value::<u32>().expect("a year") >= 2026);
    assert_ne!(
        session.seed(),
        crate::check::sandbox()
            .session()
            .open()
            .expect("right")
            .seed()
    );
}

#[test]
fn where_a_limit_struck_is_in_the_events() {
    let strike = || {
        let mut limits = Limits::default();
        limits.fuel = Some(20_000_000);
        let mut session = described().limits(limits).open().expect("right");
        let outcome = block_on(session.exec("n = 0\nwhile True: n += 1")).expect("an outcome");
        let stopped = session
            .events()
            .last()
            .expect("an exec")
            .stopped()
            .expect("stopped at a checkpoint");
        assert!(
            stopped.fuel >= 20_000_000 && stopped.fuel < 25_000_000,
            "{stopped:?}"
        );
        (stopped, outcome.usage.fuel)
    };
    assert_eq!(strike(), strike());
}
