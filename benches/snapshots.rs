//! The cost of a branch: snapshots of pages beside states that the interpreter writes.
//!
//! Each figure has its twin in the same run: `_baseline` is a sandbox with [`rlm_sandbox::Builder::dump_states`]; of `sealed`,
//! [`Session::park`] beside [`Session::snapshot`]. `--json`
//! prints one line. Any other argument picks the figures that begin with it.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may panic, and prints its figures"
)]

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use rlm_sandbox::{
    Answer, Builder, Change, Context, Limits, Parked, Recording, Run, Sandbox, SandboxLimits,
    Session, Tool, ToolContext,
};
use serde_json::{Map, Value, json};
use tokio::runtime;

/// Sessions by name: what is run first, a look at it, and a change.
const SESSIONS: [(&str, &str, &str, &str); 4] = [
    ("small", "x = 1", "x", "x = 2"),
    (
        "list",
        "xs = list(range(10_000))",
        "len(xs)",
        "xs.append(1)\nlen(xs)",
    ),
    (
        "objects",
        "xs = [{'i': i, 's': 'item %d' % i} for i in range(10_000)]",
        "len(xs)",
        "xs.append(1)\nlen(xs)",
    ),
    (
        "index",
        "xs = {}\nfor i in range(140_000):\n    xs['key-%d' % i] = i",
        "len(xs)",
        "xs['key-7'] = 9\nxs['new'] = 1\nlen(xs)",
    ),
];
const BRANCHES: usize = 64;

/// Name of a figure, and its measurement.
type Figure = (&'static str, fn() -> Map<String, Value>);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let as_json = arguments.iter().any(|argument| argument == "--json");
    let wanted = arguments
        .iter()
        .find(|argument| !argument.starts_with("--"));
    let mut all = Map::new();
    let figures: [Figure; 10] = [
        ("fresh", fresh),
        ("fork", forks),
        ("branches", branches),
        ("log", log),
        ("shared", shared),
        ("large", large),
        ("recorded", recorded),
        ("rollback", rollback),
        ("evicted", eviction),
        ("sealed", sealed),
    ];
    for (name, figure) in figures {
        if wanted.is_some_and(|wanted| !name.starts_with(wanted.as_str())) {
            continue;
        }
        let found = figure();
        if !as_json {
            for (name, value) in &found {
                println!("{name:36} {value}");
            }
        }
        all.extend(found);
    }
    if as_json {
        println!("{}", Value::Object(all));
    }
}

/// Sandboxes with the ending of what is measured in them.
fn both(change: impl Fn(Builder) -> Builder) -> [(&'static str, Sandbox); 2] {
    let mut limits = SandboxLimits::default();
    limits.memory_bytes = 64 << 30;
    limits.live_sessions = 256;
    let new = || change(Sandbox::builder().limits(limits.clone()));
    [
        ("", new().build().unwrap()),
        ("_baseline", new().dump_states().build().unwrap()),
    ]
}

fn open(sandbox: &Sandbox) -> Session {
    let mut limits = Limits::default();
    limits.fuel = Some(1 << 50);
    limits.memory_bytes = 256 << 20;
    limits.time = Duration::from_secs(100);
    let session = sandbox.session().seed(1).limits(limits);
    session.open().unwrap()
}

fn run(session: &mut Session, source: &str) {
    let outcome = session.exec_blocking(source).unwrap();
    assert!(outcome.is_success(), "{outcome:?}");
}

fn fork(session: &mut Session) -> Session {
    let runtime = runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(session.fork()).unwrap()
}

/// Returns the median and the least of many times, in microseconds.
fn timed(count: usize, mut work: impl FnMut() -> Duration) -> Value {
    let mut times: Vec<f64> = (0..count).map(|_| work().as_secs_f64() * 1e6).collect();
    times.sort_by(f64::total_cmp);
    let round = |number: f64| (number * 10.0).round() / 10.0;
    json!({"median": round(times[count / 2]), "least": round(times[0])})
}

fn time(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

/// A new session, `1+1`, and both dropped, on one thread and on two.
fn fresh() -> Map<String, Value> {
    const COUNT: usize = 4000;
    let mut found = Map::new();
    for (name, pool) in [("on_demand", None), ("pooled", Some(64))] {
        let sandboxes = both(|builder| match pool {
            Some(sessions) => builder.live_sessions(sessions),
            None => builder,
        });
        let once = |sandbox: &Sandbox| run(&mut open(sandbox), "1+1");
        for round in 0..2 {
            for (ending, sandbox) in &sandboxes {
                let alone = timed(COUNT, || time(|| once(sandbox)));
                let together = time(|| {
                    thread::scope(|scope| {
                        for _ in 0..2 {
                            scope.spawn(|| (0..COUNT).for_each(|_| once(sandbox)));
                        }
                    });
                });
                if round == 0 {
                    continue;
                }
                let together = together.as_secs_f64() * 1e6 / COUNT as f64;
                found.insert(format!("fresh_{name}_us{ending}"), alone);
                found.insert(
                    format!("fresh_{name}_two_us{ending}"),
                    json!(together as u64),
                );
            }
        }
    }
    found
}

/// Sessions of which each is measured once: what a session does for the first time.
const FIRST: usize = 9;

/// A fork and a script in it: the first of a session, one after a small change, and one of a session that was forked before.
fn forks() -> Map<String, Value> {
    let mut found = Map::new();
    let sandboxes = both(|builder| builder);
    for (name, made, look, change) in SESSIONS {
        for (ending, sandbox) in &sandboxes {
            let mut session = open(sandbox);
            run(&mut session, made);
            let count = if ending.is_empty() { 100 } else { 10 };
            let first = timed(FIRST, || {
                let mut session = open(sandbox);
                run(&mut session, made);
                time(|| run(&mut fork(&mut session), look))
            });
            let changed = timed(count, || {
                run(&mut session, change);
                time(|| run(&mut fork(&mut session), look))
            });
            let next = timed(count, || time(|| run(&mut fork(&mut session), look)));
            found.insert(format!("fork_{name}_first_us{ending}"), first);
            found.insert(format!("fork_{name}_changed_us{ending}"), changed);
            found.insert(format!("fork_{name}_us{ending}"), next);
        }
    }
    found
}

/// Returns the proportional share of memory that this process has, in KiB.
fn resident_kilobytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.map_or(0, |number| number.parse().unwrap_or(0))
}

/// Runs a script in so many forks on two threads, all of which live at once, and drops them.
fn branch(session: &mut Session, source: &str) -> Duration {
    time(|| {
        let mut forks: Vec<Session> = (0..BRANCHES).map(|_| fork(session)).collect();
        thread::scope(|scope| {
            for half in forks.chunks_mut(BRANCHES / 2) {
                scope.spawn(|| {
                    for fork in half {
                        run(fork, source);
                    }
                });
            }
        });
        black_box(&forks);
    })
}

/// Sixty-four branches of a dictionary with 140,000 entries.
fn branches() -> Map<String, Value> {
    let mut found = Map::new();
    for (ending, sandbox) in &both(|builder| builder) {
        let (_, made, _, change) = SESSIONS[3];
        let mut session = open(sandbox);
        run(&mut session, made);
        let count = if ending.is_empty() { 10 } else { 1 };
        let all = timed(count, || {
            run(&mut session, change);
            branch(&mut session, change)
        });
        found.insert(format!("branches_of_index_us{ending}"), all);
        if ending.is_empty() {
            drop(fork(&mut session));
            let before = resident_kilobytes();
            let mut forks: Vec<Session> = (0..BRANCHES).map(|_| fork(&mut session)).collect();
            forks.iter_mut().for_each(|fork| run(fork, change));
            let each = resident_kilobytes().saturating_sub(before) / BRANCHES as u64;
            found.insert(String::from("branch_of_index_kib"), json!(each));
        }
    }
    found
}

/// Sixty-four branches of a session over a log of 20 MB that counts its lines.
fn log() -> Map<String, Value> {
    let line = "2024-05-01T12:00:00Z node-17 kernel: instruction cache parity error corrected\n";
    let text = line.repeat((20 << 20) / line.len());
    let mut found = Map::new();
    for (ending, sandbox) in &both(|builder| builder) {
        let mut limits = Limits::default();
        limits.memory_bytes = 256 << 20;
        let context = Context::text("context", text.as_str());
        let session = sandbox.session().seed(1).limits(limits).context(context);
        let mut session = session.open().unwrap();
        run(
            &mut session,
            "lines = context.split('\\n')\nindex = {}\nfor n, line in enumerate(lines[:140_000]):\n    index[n] = line[:19]\nlen(lines)",
        );
        let count = if ending.is_empty() { 10 } else { 1 };
        let script = "len(lines) + len(index)";
        let own = timed(count, || {
            time(|| (0..BRANCHES).for_each(|_| run(&mut session, script)))
        });
        let all = timed(count, || {
            run(&mut session, "index[0] = 'changed'");
            branch(&mut session, script)
        });
        found.insert(format!("log_without_branches_us{ending}"), own);
        found.insert(format!("log_branches_us{ending}"), all);
    }
    found
}

/// Memory that each of sixteen sessions has, all of which hold one log of 20 MB and have a snapshot. Of the baseline none has a
/// snapshot.
fn shared() -> Map<String, Value> {
    const SESSIONS: usize = 16;
    let line = "2024-05-01T12:00:00Z node-17 kernel: instruction cache parity error corrected\n";
    let lines = (0..(20 << 20) / (line.len() + 7)).map(|n| format!("{n:07}{line}"));
    let context = Context::text("context", lines.collect::<String>());
    let mut found = Map::new();
    for (ending, sandbox) in &both(|builder| builder) {
        let made = || {
            let session = sandbox.session().seed(1).context(context.clone());
            let mut session = session.open().unwrap();
            run(&mut session, "len(context)");
            if ending.is_empty() {
                drop(fork(&mut session));
            }
            session
        };
        let before = resident_kilobytes();
        let all: Vec<Session> = (0..SESSIONS).map(|_| made()).collect();
        let each = resident_kilobytes().saturating_sub(before) / SESSIONS as u64;
        drop(all);
        found.insert(format!("shared_log_kib{ending}"), json!(each));
    }
    found
}

/// Forks of a dictionary of 1,400,000 texts: the first of a session, and one of a session that was forked before.
fn large() -> Map<String, Value> {
    let mut found = Map::new();
    for (ending, sandbox) in &both(|builder| builder) {
        let mut limits = Limits::default();
        limits.memory_bytes = 1 << 30;
        limits.time = Duration::from_secs(100);
        let mut session = sandbox.session().seed(1).limits(limits).open().unwrap();
        run(
            &mut session,
            "xs = {}\nfor i in range(1_400_000):\n    xs['key-%d' % i] = i",
        );
        let first = time(|| run(&mut fork(&mut session), "len(xs)"));
        let count = if ending.is_empty() { 30 } else { 1 };
        let next = timed(count, || {
            time(|| run(&mut fork(&mut session), "xs['key-7'] = 9\nlen(xs)"))
        });
        let first = first.as_secs_f64() * 1e6;
        found.insert(format!("large_first_us{ending}"), json!(first as u64));
        found.insert(format!("large_us{ending}"), next);
    }
    found
}

/// Sixty-four branches of a recorded run over a log of 20 MB, each with another answer: opened and run to the end, beside
/// the same executions in one session, and beside following the run anew for each.
fn recorded() -> Map<String, Value> {
    let line = "2024-05-01T12:00:00Z node-17 kernel: instruction cache parity error corrected\n";
    let text = line.repeat((20 << 20) / line.len());
    let ask = || Tool::immediate("ask", |_: &ToolContext, (n,): (u64,)| Ok(n));
    let sources = [
        "lines = context.split('\\n')\nindex = {}\nfor n, line in enumerate(lines[:140_000]):\n    index[n] = line[:19]\nlen(lines)",
        "answer = ask(7)\nindex[0] = answer\nlen(lines) + len(index) + answer",
    ];
    let runtime = runtime::Builder::new_current_thread().build().unwrap();
    let mut found = Map::new();
    for (ending, sandbox) in &both(|builder| builder) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let mut limits = Limits::default();
        limits.memory_bytes = 256 << 20;
        let context = Context::text("context", text.as_str());
        let session = sandbox
            .session()
            .limits(limits)
            .context(context)
            .tool(ask());
        let recording = Recording::create(&path).unwrap();
        let mut session = session.record(&recording).open().unwrap();
        run(&mut session, sources[0]);
        let alone = session.exec_blocking(sources[1]).unwrap();
        let count = if ending.is_empty() { 10 } else { 1 };
        let own = timed(count, || {
            time(|| (0..BRANCHES).for_each(|_| run(&mut session, sources[1])))
        });
        drop(session);
        let opened = Run::open(&path).unwrap();
        let ticket = opened.turns()[1].calls[0].ticket;
        let start = || sandbox.session().tool(ask());
        let anew = timed(1, || {
            time(|| drop(runtime.block_on(opened.branch(1, start())).unwrap()))
        });
        let mut place = runtime.block_on(opened.branch(1, start())).unwrap();
        let all = timed(count, || {
            time(|| {
                for number in 0..BRANCHES {
                    let answer = Answer::value(number).unwrap();
                    let change = Change::new().answer(ticket, answer);
                    let mut branch = runtime.block_on(place.open(&change)).unwrap();
                    let outcome = runtime.block_on(branch.advance()).unwrap().unwrap();
                    assert!(outcome.is_success(), "{outcome:?}");
                    if number == 7 && ending.is_empty() {
                        assert_eq!(outcome.usage.fuel, alone.usage.fuel);
                    }
                }
            })
        });
        found.insert(format!("recorded_without_branches_us{ending}"), own);
        found.insert(format!("recorded_branches_us{ending}"), all);
        found.insert(format!("recorded_followed_once_us{ending}"), anew);
    }
    found
}

/// The script after one that failed at a limit, for the first time and later.
fn rollback() -> Map<String, Value> {
    let fail = |session: &mut Session| {
        session
            .exec_blocking("f = lambda: f()\n[0] * 10**9")
            .unwrap();
    };
    let mut found = Map::new();
    for (name, made, look, _) in SESSIONS {
        for (ending, sandbox) in &both(|builder| builder) {
            let first = timed(FIRST, || {
                let mut session = open(sandbox);
                run(&mut session, made);
                fail(&mut session);
                time(|| run(&mut session, look))
            });
            let mut session = open(sandbox);
            run(&mut session, made);
            let count = if ending.is_empty() { 50 } else { 10 };
            let back = timed(count, || {
                fail(&mut session);
                time(|| run(&mut session, look))
            });
            found.insert(format!("rollback_{name}_first_us{ending}"), first);
            found.insert(format!("rollback_{name}_us{ending}"), back);
        }
    }
    found
}

/// The first script of a session after another session had its room, and scripts before that one: what snapshots at the end
/// of executions cost is in them.
fn eviction() -> Map<String, Value> {
    let mut found = Map::new();
    let mut limits = SandboxLimits::default();
    limits.memory_bytes = 64 << 30;
    limits.live_sessions = 1;
    for (name, made, look, change) in SESSIONS {
        for (ending, sandbox) in &both(|builder| builder.limits(limits.clone())) {
            let first = timed(FIRST, || {
                let (mut session, mut other) = (open(sandbox), open(sandbox));
                run(&mut session, made);
                run(&mut other, "1");
                drop(other);
                time(|| run(&mut session, look))
            });
            let mut session = open(sandbox);
            run(&mut session, made);
            let script = timed(1000, || time(|| run(&mut session, change)));
            found.insert(format!("evicted_{name}_first_us{ending}"), first);
            found.insert(format!("evicted_{name}_never_us{ending}"), script);
        }
    }
    found
}

/// A session to bytes and from them: taking it, sealing it, reading it, and a script in what was restored.
fn sealed() -> Map<String, Value> {
    const KEY: &[u8] = b"a key of thirty-two bytes, or so";
    let mut found = Map::new();
    let sandbox = Sandbox::new().unwrap();
    let runtime = runtime::Builder::new_current_thread().build().unwrap();
    for (name, made, look, change) in SESSIONS {
        for (ending, as_pages) in [("", true), ("_baseline", false)] {
            let mut session = open(&sandbox);
            run(&mut session, made);
            let mut parts = [const { Vec::new() }; 4];
            for _ in 0..10 {
                run(&mut session, change);
                let started = Instant::now();
                let parked = runtime.block_on(async {
                    match as_pages {
                        true => session.snapshot().await,
                        false => session.park().await,
                    }
                });
                let parked = parked.unwrap();
                let taken = started.elapsed();
                let bytes = parked.to_bytes(KEY);
                let sealed = started.elapsed();
                let parked = Parked::from_bytes(&sandbox, &bytes, KEY).unwrap();
                let read = started.elapsed();
                let mut restored = sandbox.session().restore(&parked).unwrap();
                run(&mut restored, look);
                let ran = started.elapsed();
                let steps = [taken, sealed - taken, read - sealed, ran - read];
                for (part, step) in parts.iter_mut().zip(steps) {
                    part.push(step);
                }
                let size = format!("sealed_{name}_bytes{ending}");
                found.insert(size, json!(bytes.len()));
            }
            let names = ["take", "seal", "read", "restore_and_look"];
            for (part, times) in names.into_iter().zip(parts) {
                let mut times = times.into_iter();
                let figure = timed(10, || times.next().unwrap_or_default());
                found.insert(format!("sealed_{name}_{part}_us{ending}"), figure);
            }
        }
    }
    found
}
