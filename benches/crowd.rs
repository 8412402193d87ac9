//! How many sessions does one machine hold?
//!
//! `waiting` opens 10,000 that wait for a model, counts how often the process is
//! woken in ten seconds in which nothing happens, says what they weigh
//! together, and how long they take to go on when all are answered: by snapshots of pages, and by dumps; `live` gives as many as it can an instance at the same time. An
//! argument picks one of the two.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may panic, and prints its figures"
)]

use std::os::unix::fs::MetadataExt as _;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use rlm_sandbox::{Sandbox, SandboxLimits, Session, Tool, ToolError};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

const WAITING: usize = 10_000;
const IDLE: Duration = Duration::from_secs(10);

fn main() {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    match wanted.as_deref() {
        Some("waiting-by-pages") => return waiting_by("pages"),
        Some("waiting-by-dumps") => return waiting_by("dumps"),
        _ => {}
    }
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

/// A session whose tool answers when the sender says so.
fn open(sandbox: &Sandbox, seed: u64, answers: &watch::Receiver<bool>) -> Session {
    let answers = answers.clone();
    let ask = Tool::deferred("ask", move |_, (n,): (u64,)| {
        ASKED.fetch_add(1, Relaxed);
        let mut answers = answers.clone();
        async move {
            let waited = answers.wait_for(|may_answer| *may_answer).await;
            waited
                .map(|_| n)
                .map_err(|_| ToolError::new("ValueError", "gone"))
        }
    });
    sandbox.session().tool(ask).seed(seed).open().unwrap()
}

/// Runs this program again for each way of keeping a state, so that neither finds memory that the other one left.
fn waiting() {
    for way in ["pages", "dumps"] {
        let program = std::env::current_exe().unwrap();
        let status = Command::new(program)
            .arg(format!("waiting-by-{way}"))
            .status();
        assert!(status.unwrap().success());
    }
}

fn waiting_by(way: &str) {
    let runtime = runtime();
    let sandbox = match way {
        "dumps" => Sandbox::builder().dump_states().build().unwrap(),
        _ => Sandbox::new().unwrap(),
    };
    let (answer, answers) = watch::channel(false);
    // Pages of an image count once, however many instances map them.
    let memory = || status("RssAnon") + shared_memory();
    let before = memory();
    let started = Instant::now();
    let tasks: Vec<_> = (0..WAITING)
        .map(|number| {
            let mut session = open(&sandbox, number as u64, &answers);
            runtime.spawn(async move {
                let outcome = session.exec("x = [1, 2, 3]\nask(1)").await.unwrap();
                assert!(outcome.is_success());
            })
        })
        .collect();
    while ASKED.load(Relaxed) < WAITING || sandbox.usage().running_execs > 0 {
        thread::sleep(Duration::from_millis(100));
    }
    println!(
        "by {way}: {WAITING} sessions wait after {:.1} s",
        started.elapsed().as_secs_f64()
    );
    let (live, kilobytes) = (sandbox.usage().live_sessions, memory() - before);
    println!(
        "  {live} of them have an instance; together they take {} MiB",
        kilobytes >> 10
    );
    let before = switches();
    thread::sleep(IDLE);
    let woken = switches() - before;
    println!(
        "  woken {woken} times in {} s, of which one is this count",
        IDLE.as_secs()
    );
    let started = Instant::now();
    answer.send(true).unwrap();
    for task in tasks {
        runtime.block_on(task).unwrap();
    }
    println!(
        "  all went on and ended within {:.1} s",
        started.elapsed().as_secs_f64()
    );
}

/// Returns the KiB of files in memory that this process holds.
fn shared_memory() -> u64 {
    let open = std::fs::read_dir("/proc/self/fd").unwrap();
    let bytes = open.flatten().filter_map(|file| {
        let name = std::fs::read_link(file.path()).ok()?;
        let is_memory = name.to_string_lossy().starts_with("/memfd:");
        // In blocks of 512 bytes.
        is_memory.then(|| std::fs::metadata(file.path()).map_or(0, |file| file.blocks() / 2))
    });
    bytes.sum()
}

/// Opens sessions with an instance each until the system gives no more.
fn live() {
    let mut limits = SandboxLimits::default();
    limits.live_sessions = usize::MAX;
    limits.memory_bytes = u64::MAX;
    let sandbox = Sandbox::builder().limits(limits).build().unwrap();
    let (_answer, answers) = watch::channel(false);
    let mut sessions = Vec::new();
    let stopped = loop {
        let mut session = open(&sandbox, 1, &answers);
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
    let mut another = open(&sandbox, 1, &answers);
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
