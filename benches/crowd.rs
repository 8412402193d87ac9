//! How many sessions does one machine hold?
//!
//! `waiting` opens 10,000 that wait for a model, counts how often the process is
//! woken in ten seconds in which nothing happens, and says what they weigh
//! together; `live` gives as many as it can an instance at the same time. An
//! argument picks one of the two.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may panic, and prints its figures"
)]

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use rlm_sandbox::{Sandbox, SandboxLimits, Session, Tool, ToolError};
use tokio::runtime::{Builder, Runtime};

const WAITING: usize = 10_000;
const IDLE: Duration = Duration::from_secs(10);

fn main() {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    if is_wanted("waiting") {
        waiting();
    }
    if is_wanted("live") {
        live();
    }
}

fn runtime() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
}

/// Calls that were made.
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// A session whose tool never answers.
fn open(sandbox: &Sandbox, seed: u64) -> Session {
    let ask = Tool::deferred("ask", |_, (_,): (u64,)| {
        ASKED.fetch_add(1, Relaxed);
        pending::<Result<u64, ToolError>>()
    });
    sandbox.session().tool(ask).seed(seed).open().unwrap()
}

fn waiting() {
    let runtime = runtime();
    let sandbox = Sandbox::new().unwrap();
    let before = status("VmRSS");
    let started = Instant::now();
    let tasks: Vec<_> = (0..WAITING)
        .map(|number| {
            let mut session = open(&sandbox, number as u64);
            runtime.spawn(async move {
                session.exec("x = [1, 2, 3]\nask(1)").await.unwrap();
            })
        })
        .collect();
    while ASKED.load(Relaxed) < WAITING || sandbox.usage().running_execs > 0 {
        thread::sleep(Duration::from_millis(100));
    }
    println!(
        "{WAITING} sessions wait after {:.1} s",
        started.elapsed().as_secs_f64()
    );
    let (live, bytes) = (sandbox.usage().live_sessions, status("VmRSS") - before);
    println!(
        "{live} of them have an instance; together they take {} MiB",
        bytes >> 10
    );
    let before = switches();
    thread::sleep(IDLE);
    let woken = switches() - before;
    println!(
        "woken {woken} times in {} s, of which one is this count",
        IDLE.as_secs()
    );
    tasks.iter().for_each(|task| task.abort());
}

/// Opens sessions with an instance each until the system gives no more.
fn live() {
    let mut limits = SandboxLimits::default();
    limits.live_sessions = usize::MAX;
    limits.memory_bytes = u64::MAX;
    let sandbox = Sandbox::builder().limits(limits).build().unwrap();
    let mut sessions = Vec::new();
    let stopped = loop {
        let mut session = open(&sandbox, 1);
        match session.exec_blocking("x = [1, 2, 3]\nsum(x)") {
            Ok(_) => sessions.push(session),
            Err(error) => break error,
        }
    };
    println!(
        "{} sessions have an instance, then: {stopped}",
        sessions.len()
    );
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    println!("{} mappings", maps.lines().count());
    // One less makes room for another.
    sessions.pop();
    let mut another = open(&sandbox, 1);
    assert!(another.exec_blocking("1").unwrap().is_success());
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap();
    let each = number(&rollup, "Pss:") / sessions.len() as u64;
    println!("{each} KiB each, their share of what all have in common included");
}

/// How often threads of this process have been given a processor.
fn switches() -> u64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let of = |task: std::fs::DirEntry| {
        let status = std::fs::read_to_string(task.path().join("status")).unwrap();
        number(&status, "voluntary_ctxt_switches")
    };
    tasks.map(|task| of(task.unwrap())).sum()
}

fn status(name: &str) -> u64 {
    number(&std::fs::read_to_string("/proc/self/status").unwrap(), name)
}

fn number(status: &str, name: &str) -> u64 {
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
