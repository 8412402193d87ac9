//! The distribution of what people wait for, and what a session weighs.
//!
//! Criterion tells a mean; here each round trip is timed alone, so that the
//! 99th percentile is there, too. Each has a twin that ends in `_baseline`: the
//! same without what is measured. `--json` prints one line for
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

use rlm_sandbox::{Context, Limits, Parked, Sandbox, SandboxLimits, Session, Tool, ToolContext};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

/// What it is called, and what measures it.
type Figure = (&'static str, fn() -> Value);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == ONCE) {
        return once(&Sandbox::new().unwrap());
    }
    if arguments.iter().any(|argument| argument == NOTHING) {
        return;
    }
    let as_json = arguments.iter().any(|argument| argument == "--json");
    let wanted = arguments
        .iter()
        .find(|argument| !argument.starts_with("--"));
    let mut all = serde_json::Map::new();
    let figures: [Figure; 11] = [
        ("fresh", fresh),
        ("on-demand", fresh_on_demand),
        ("exec", exec),
        ("call", call),
        ("deferred", deferred),
        ("threads", threads),
        ("session", session_size),
        ("process", process),
        ("parked", parked),
        ("context", context),
        ("deadline", deadline),
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
    let later = Tool::deferred("later", |_, (n,): (u64,)| async move { Ok(n + 1) });
    let session = sandbox.session().tool(now).tool(later);
    session.seed(1).open().unwrap()
}

fn runtime() -> Runtime {
    Builder::new_current_thread().build().unwrap()
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
    json!({
        "fresh_us": percentiles(20_000, || once(&sandbox)),
        // Without an instance: that is made when the first script comes.
        "fresh_us_baseline": percentiles(20_000, || drop(black_box(open(&sandbox)))),
    })
}

/// The same without a pool, as in the command line.
fn fresh_on_demand() -> Value {
    let sandbox = Sandbox::new().unwrap();
    json!({
        "fresh_on_demand_us": percentiles(5_000, || once(&sandbox)),
        "fresh_on_demand_us_baseline": percentiles(5_000, || drop(black_box(open(&sandbox)))),
    })
}

/// `1+1` in a session that is there.
fn exec() -> Value {
    let sandbox = pooled();
    let mut session = open(&sandbox);
    let mut timed = |source: &str| {
        percentiles(20_000, || {
            black_box(session.exec_blocking(source).unwrap());
        })
    };
    json!({"exec_us": timed("1+1"), "exec_us_baseline": timed("")})
}

/// What ten calls of `function` add to an exec, a tenth of it; the baseline is a
/// function of the script's own.
fn per_call(function: &str) -> (Value, Value) {
    let sandbox = pooled();
    let runtime = runtime();
    let timed = |function: &str| {
        let calls = format!("{function}(1);").repeat(10);
        let mut session = open(&sandbox);
        let own = "def own(n): return n + 1\ndef nop(n): pass";
        session.exec_blocking(own).unwrap();
        percentiles(4_000, || {
            assert!(runtime.block_on(session.exec(&calls)).unwrap().is_success());
        })
    };
    let (with, own, nop) = (timed(function), timed("own"), timed("nop"));
    let base = nop["median"].as_f64().unwrap();
    let tenth = |of: &Value, key: &str| round((of[key].as_f64().unwrap() - base) / 10.0);
    let told = |of: &Value| json!({"median": tenth(of, "median"), "p99": tenth(of, "p99")});
    (told(&with), told(&own))
}

/// A call that is answered where it is made.
fn call() -> Value {
    let (call, own) = per_call("now");
    json!({"call_us": call, "call_us_baseline": own})
}

/// A call for which the script leaves the instance, and is resumed.
fn deferred() -> Value {
    let (call, own) = per_call("later");
    json!({"deferred_us": call, "deferred_us_baseline": own})
}

/// Fresh sandboxes each second, on one thread and on two; the baseline is execs in
/// sessions that are there, which share nothing but the engine.
fn threads() -> Value {
    let sandbox = pooled();
    let fresh = |threads| each_second(threads, || || once(&sandbox));
    let live = |threads| {
        each_second(threads, || {
            let mut session = open(&sandbox);
            move || drop(black_box(session.exec_blocking("1+1").unwrap()))
        })
    };
    let told = |one: f64, two: f64| json!({"one": one.round(), "two": two.round(), "ratio": round(two / one)});
    json!({
        "per_second": told(fresh(1), fresh(2)),
        "per_second_baseline": told(live(1), live(2)),
    })
}

/// How often `threads` together run each what `make` makes for it.
fn each_second<R: FnMut()>(threads: usize, make: impl Fn() -> R + Sync) -> f64 {
    const RUNS: u32 = 10_000;
    let barrier = Barrier::new(threads);
    let one = || {
        let mut run = make();
        (0..RUNS / 10).for_each(|_| run());
        barrier.wait();
        let started = Instant::now();
        (0..RUNS).for_each(|_| run());
        f64::from(RUNS) / started.elapsed().as_secs_f64()
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        let rates = threads.into_iter().map(|thread| thread.join().unwrap());
        rates.sum()
    })
}

/// What one more session weighs in this process after a small exec, in KiB; the
/// baseline is one that has not run anything, and so has no instance.
fn session_size() -> Value {
    const SESSIONS: u64 = 1000;
    let limits = SandboxLimits::default();
    let sandbox = Sandbox::builder().limits(limits).build().unwrap();
    once(&sandbox);
    let each = |source: Option<&str>| {
        let before = proportional_kib();
        let sessions: Vec<Session> = (0..SESSIONS)
            .map(|_| {
                let mut session = open(&sandbox);
                if let Some(source) = source {
                    session.exec_blocking(source).unwrap();
                }
                session
            })
            .collect();
        let more = proportional_kib().saturating_sub(before);
        drop(sessions);
        round(more as f64 / SESSIONS as f64)
    };
    json!({
        "session_kib": each(Some("x = [1, 2, 3]\nsum(x)")),
        "session_kib_baseline": each(None),
    })
}

/// Asks this program to do one exec and end.
const ONCE: &str = "--once";

/// Asks this program to end at once.
const NOTHING: &str = "--nothing";

/// A whole process that does one exec, with the interpreter compiled before; the
/// baseline is the same program, loaded and ended.
fn process() -> Value {
    let program = std::env::current_exe().unwrap();
    let took = |argument: &str| {
        let took = percentiles(60, || {
            let status = Command::new(&program).arg(argument).status();
            assert!(status.unwrap().success());
        });
        round(took["median"].as_f64().unwrap() / 1e3)
    };
    json!({"process_ms": took(ONCE), "process_ms_baseline": took(NOTHING)})
}

/// A list of 10,000 numbers written down and taken up again, with the first exec.
fn parked() -> Value {
    const KEY: &[u8] = b"a key of thirty-two random bytes";
    let sandbox = pooled();
    let runtime = runtime();
    let mut session = open(&sandbox);
    let list = "numbers = [i * 7 for i in range(10_000)]";
    session.exec_blocking(list).unwrap();
    let mut bytes = Vec::new();
    let took = percentiles(200, || {
        bytes = runtime.block_on(session.park()).unwrap().to_bytes(KEY);
        let read = Parked::from_bytes(&sandbox, &bytes, KEY).unwrap();
        session = sandbox.session().restore(&read).unwrap();
        let outcome = runtime.block_on(session.exec("numbers[9]")).unwrap();
        assert_eq!(outcome.value::<u64>().unwrap(), 63);
    });
    let list_again = percentiles(200, || {
        let mut other = open(&sandbox);
        other.exec_blocking(list).unwrap();
        other.exec_blocking("numbers[9]").unwrap();
    });
    let mut idle = open(&sandbox);
    idle.exec_blocking("x = 1").unwrap();
    let small = runtime.block_on(idle.park()).unwrap().to_bytes(KEY).len();
    json!({
        "park_and_restore_us": took,
        "park_and_restore_us_baseline": list_again,
        "parked_list_bytes": bytes.len(),
        "parked_bytes": small,
    })
}

/// A context of 50 MB: until a script has it, and a slice of it without that.
fn context() -> Value {
    const LINE: &str = "a line of a log, 40 bytes with its end.\n";
    const BYTES: usize = 50_000_000;
    let text = LINE.repeat(BYTES / LINE.len());
    let mut limits = SandboxLimits::default();
    limits.memory_bytes = 64 << 30;
    let sandbox = Sandbox::builder().limits(limits).build().unwrap();
    let opened = |context: Context| {
        let session = sandbox.session().context(context).seed(1);
        session.open().unwrap()
    };
    let long = Context::text("log", text.as_str());
    // Nothing is done with it: counting its characters alone takes 25 ms.
    let whole = percentiles(20, || {
        let mut session = opened(long.clone());
        let outcome = session.exec_blocking("context is None").unwrap();
        assert!(!outcome.value::<bool>().unwrap());
    });
    // The same with a context of no size, and the bytes copied into new memory.
    let copied = percentiles(20, || {
        let mut session = opened(Context::text("log", ""));
        session.exec_blocking("context is None").unwrap();
        drop(black_box(black_box(text.as_bytes()).to_vec()));
    });
    let mut session = opened(long);
    let mut timed = |source: &str| {
        percentiles(2_000, || {
            let outcome = session.exec_blocking(source).unwrap();
            assert!(outcome.is_success(), "{outcome:?}");
        })
    };
    json!({
        "context_us": whole,
        "context_us_baseline": copied,
        "slice_us": timed("s = read_context('log', 25_000_000, 1000)"),
        "slice_us_baseline": timed("s = 'read' + 'log'"),
    })
}

/// How long after its deadline a script has ended, and one inside of a builtin
/// that cannot be stopped, after its grace; the baseline is a sleep of as long.
fn deadline() -> Value {
    let mut limits = Limits::default();
    limits.time = Duration::from_millis(100);
    let sandbox = pooled();
    let late = |after: Duration, source: Option<&str>| {
        let mut times: Vec<f64> = (0..15)
            .map(|_| {
                let session = sandbox.session().limits(limits.clone()).seed(1);
                let mut session = session.open().unwrap();
                session.exec_blocking("1").unwrap();
                let started = Instant::now();
                match source {
                    Some(source) => assert!(!session.exec_blocking(source).unwrap().is_success()),
                    None => thread::sleep(after),
                }
                (started.elapsed().as_secs_f64() - after.as_secs_f64()) * 1e3
            })
            .collect();
        times.sort_by(f64::total_cmp);
        round(times[times.len() / 2])
    };
    let grace = limits.time + limits.grace;
    json!({
        "late_in_a_loop_ms": late(limits.time, Some("while True: pass")),
        "late_in_a_builtin_ms": late(grace, Some("n = 10 ** 10 ** 7")),
        "late_ms_baseline": late(limits.time, None),
    })
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
