//! The distribution of what people wait for, and what a session weighs.
//!
//! Criterion tells a mean; here each round trip is timed alone, so that the
//! 99th percentile is there, too. `--json` prints one line for
//! `benches/compare`. Any other argument picks the figures that begin with it.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may panic, and prints its figures"
)]

use std::fs;
use std::hint::black_box;
use std::process::Command;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use rlm_sandbox::{Parked, Sandbox, SandboxLimits, Session, Tool, ToolContext};
use serde_json::{Value, json};

/// What it is called, and what measures it.
type Figure = (&'static str, fn() -> Value);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == ONCE) {
        return once(&Sandbox::new().unwrap());
    }
    let as_json = arguments.iter().any(|argument| argument == "--json");
    let wanted = arguments
        .iter()
        .find(|argument| !argument.starts_with("--"));
    let mut all = serde_json::Map::new();
    let figures: [Figure; 8] = [
        ("fresh", fresh),
        ("on-demand", fresh_on_demand),
        ("exec", exec),
        ("call", call),
        ("threads", threads),
        ("session", session_size),
        ("process", process),
        ("parked", parked),
    ];
    for (name, figure) in figures {
        if wanted.is_some_and(|wanted| !name.starts_with(wanted.as_str())) {
            continue;
        }
        let Value::Object(found) = figure() else {
            continue;
        };
        if !as_json {
            for (name, value) in &found {
                println!("{name:24} {value}");
            }
        }
        all.extend(found);
    }
    if as_json {
        println!("{}", Value::Object(all));
    }
}

/// A sandbox as a server has it. `RLM_BENCH_GUEST` names another interpreter.
fn pooled() -> Sandbox {
    let mut builder = Sandbox::builder().live_sessions(64);
    if let Some(path) = std::env::var_os("RLM_BENCH_GUEST") {
        builder = builder.guest(fs::read(path).unwrap());
    }
    builder.build().unwrap()
}

fn open(sandbox: &Sandbox) -> Session {
    let now = Tool::immediate("now", |_: &ToolContext, (n,): (u64,)| Ok(n + 1));
    sandbox.session().tool(now).seed(1).open().unwrap()
}

fn once(sandbox: &Sandbox) {
    black_box(open(sandbox).exec_blocking("1+1").unwrap());
}

/// Times each of many round trips, after as many that are not counted.
fn percentiles(count: usize, mut run: impl FnMut()) -> Value {
    (0..count / 4).for_each(|_| run());
    let mut times: Vec<f64> = (0..count)
        .map(|_| {
            let started = Instant::now();
            run();
            started.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| round(times[(count as f64 * share) as usize]);
    json!({"median": at(0.5), "p99": at(0.99), "least": at(0.0)})
}

fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// A new session with its instance, `1+1`, and both dropped.
fn fresh() -> Value {
    let sandbox = pooled();
    json!({"fresh_us": percentiles(20_000, || once(&sandbox))})
}

/// The same without a pool, as in the command line.
fn fresh_on_demand() -> Value {
    let sandbox = Sandbox::new().unwrap();
    json!({"fresh_on_demand_us": percentiles(5_000, || once(&sandbox))})
}

/// `1+1` in a session that is there.
fn exec() -> Value {
    let sandbox = pooled();
    let mut session = open(&sandbox);
    json!({"exec_us": percentiles(20_000, || {
        black_box(session.exec_blocking("1+1").unwrap());
    })})
}

/// What ten calls add to an exec, a tenth of it.
fn call() -> Value {
    const CALLS: &str = "now(1);now(2);now(3);now(4);now(5);now(6);now(7);now(8);now(9);now(0)";
    const NONE: &str = "noz(1);noz(2);noz(3);noz(4);noz(5);noz(6);noz(7);noz(8);noz(9);noz(0)";
    let sandbox = pooled();
    let timed = |source: &str| {
        let mut session = open(&sandbox);
        session.exec_blocking("def noz(n): return n + 1").unwrap();
        percentiles(4_000, || {
            assert!(session.exec_blocking(source).unwrap().is_success());
        })
    };
    let (with, without) = (timed(CALLS), timed(NONE));
    let base = without["median"].as_f64().unwrap();
    let tenth = |key: &str| round((with[key].as_f64().unwrap() - base) / 10.0);
    json!({"call_us": {"median": tenth("median"), "p99": tenth("p99")}})
}

/// Fresh sandboxes each second, on one thread and on two.
fn threads() -> Value {
    let sandbox = pooled();
    let rate = |threads: usize| {
        let barrier = Barrier::new(threads);
        let took: Vec<Duration> = thread::scope(|scope| {
            let each = |_| {
                scope.spawn(|| {
                    (0..1000).for_each(|_| once(&sandbox));
                    barrier.wait();
                    let started = Instant::now();
                    (0..10_000).for_each(|_| once(&sandbox));
                    started.elapsed()
                })
            };
            let threads: Vec<_> = (0..threads).map(each).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        took.iter()
            .map(|took| 10_000.0 / took.as_secs_f64())
            .sum::<f64>()
    };
    let (one, two) = (rate(1), rate(2));
    json!({"per_second_1": one.round(), "per_second_2": two.round(), "scaling": round(two / one)})
}

/// What one more session weighs in this process after a small exec, in KiB.
fn session_size() -> Value {
    const SESSIONS: u64 = 1000;
    let limits = SandboxLimits::default();
    let sandbox = Sandbox::builder().limits(limits).build().unwrap();
    once(&sandbox);
    let before = proportional_kib();
    let sessions: Vec<Session> = (0..SESSIONS)
        .map(|_| {
            let mut session = open(&sandbox);
            session.exec_blocking("x = [1, 2, 3]\nsum(x)").unwrap();
            session
        })
        .collect();
    let after = proportional_kib();
    drop(sessions);
    json!({"session_kib": (after - before) / SESSIONS})
}

/// Asks this program to do one exec and end.
const ONCE: &str = "--once";

/// A whole process that does one exec, with the interpreter compiled before.
fn process() -> Value {
    let program = std::env::current_exe().unwrap();
    let took = percentiles(60, || {
        let status = Command::new(&program).arg(ONCE).status();
        assert!(status.unwrap().success());
    });
    json!({"process_ms": round(took["median"].as_f64().unwrap() / 1e3)})
}

/// A list of 10,000 numbers written down and taken up again, with the first exec.
fn parked() -> Value {
    const KEY: &[u8] = b"a key of thirty-two random bytes";
    let sandbox = pooled();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let mut session = open(&sandbox);
    let list = "numbers = [i * 7 for i in range(10_000)]";
    session.exec_blocking(list).unwrap();
    let mut bytes = Vec::new();
    let took = percentiles(200, || {
        bytes = runtime.block_on(session.park()).unwrap().to_bytes(KEY);
        let read = Parked::from_bytes(&sandbox, &bytes, KEY).unwrap();
        let mut other = sandbox.session().restore(&read).unwrap();
        let outcome = runtime.block_on(other.exec("numbers[9]")).unwrap();
        assert_eq!(outcome.value::<u64>().unwrap(), 63);
    });
    json!({"park_and_restore_us": took, "parked_bytes": bytes.len()})
}

/// The share of memory that is this process's own.
fn proportional_kib() -> u64 {
    let rollup = fs::read_to_string("/proc/self/smaps_rollup").unwrap();
    let line = rollup
        .lines()
        .find(|line| line.starts_with("Pss:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
