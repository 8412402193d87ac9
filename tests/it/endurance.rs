//! Sessions that live long, and runtimes that do not.
//!
//! What a process holds is counted, not timed: bytes that the allocator has
//! given out, mappings, files and threads. `.ci/endurance` runs more of it.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "what is held is for people")]

use std::fs;
use std::future::pending;
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use rlm_sandbox::{
    Ending, Parked, Sandbox, Session, State, Step, Stop, Tool, ToolContext, ToolError,
};
use tokio::runtime::Runtime;
use tokio::sync::Mutex;

use crate::bombs::resident_bytes;
use crate::check::{KEY, block_on, described, exec, session, tools, value};

/// Execs of one session. The interpreter keeps some hundred bytes of each, and now
/// and then looks through all that it has, which takes more fuel than one may use
/// here.
const LIFE: usize = 5000;

/// How many execs the process has to endure that does nothing else.
const EXECS: &str = "RLM_SANDBOX_TEST_EXECS";

#[derive(Clone, Copy, Debug)]
struct Held {
    heap_bytes: usize,
    resident_bytes: usize,
    mappings: usize,
    files: usize,
    threads: usize,
}

impl Held {
    #[expect(unsafe_code, reason = "the allocator has no other way to be asked")]
    fn now() -> Self {
        // SAFETY: it has no conditions; it reads the allocator's own books.
        let heap = unsafe { libc::mallinfo2() };
        let count = |folder| fs::read_dir(folder).expect("there").count();
        Self {
            heap_bytes: heap.uordblks + heap.hblkhd,
            resident_bytes: resident_bytes() as usize,
            mappings: fs::read_to_string("/proc/self/maps")
                .expect("there")
                .lines()
                .count(),
            files: count("/proc/self/fd"),
            threads: count("/proc/self/task"),
        }
    }
}

fn open(sandbox: &Sandbox) -> Session {
    let mut profile = rlm_sandbox::Profile::default();
    profile.eval = true;
    let mut limits = rlm_sandbox::Limits::default();
    limits.fuel = Some(5_000_000);
    limits.memory_bytes = 4 << 20;
    let mut builder = sandbox.session().profile(profile).limits(limits).seed(1);
    for tool in tools() {
        builder = builder.tool(tool);
    }
    let mut session = builder.open().expect("right");
    exec(&mut session, "n = 0\nseen = []");
    session
}

/// One of all the things that happen to sessions, over and over.
fn happens(sandbox: &Sandbox, session: &mut Session, number: usize) {
    let canceled = |session: &mut Session, source| {
        session.cancel_handle().cancel();
        let outcome = exec(session, source);
        assert!(
            matches!(outcome.ending, Ending::Stopped(Stop::Canceled, _)),
            "{outcome:?}"
        );
    };
    let rolled_back = |session: &mut Session, source| {
        let outcome = exec(session, source);
        assert_eq!(outcome.state, State::RolledBack, "{outcome:?}");
    };
    match number % 20 {
        0 => canceled(session, "seen.append(later(1))"),
        1 => block_on(async {
            match session.step("seen.append(later(1))").await {
                Ok(Step::Waiting(_)) => {}
                other => panic!("exec {number}: {other:?}"),
            }
            session.abandon().await.expect("it ends");
        }),
        2 => block_on(async {
            let waits = session.exec("seen.append(later(1, 600_000))");
            let waited = tokio::time::timeout(Duration::ZERO, waits).await;
            assert!(waited.is_err());
        }),
        3 => rolled_back(session, "while True: pass"),
        4 => rolled_back(session, "seen.append('a' * (1 << 26))"),
        5 if number % 100 == 5 => rolled_back(session, "x = 1 << 300_000_000"),
        6 => drop(exec(session, "1 / 0")),
        7 => drop(exec(session, "not python")),
        8 => drop(exec(session, "print('a' * 10_000)")),
        9 => drop(exec(session, "fail('ValueError', 'no')")),
        10 => drop(exec(session, "[later(n, 0) for n in range(3)]")),
        11 if number % 100 == 11 => {
            let bytes = block_on(session.park()).expect("parks").to_bytes(KEY);
            let parked = Parked::from_bytes(sandbox, &bytes, KEY).expect("ours");
            let mut builder = sandbox.session();
            for tool in tools() {
                builder = builder.tool(tool);
            }
            *session = builder.restore(&parked).expect("restores");
        }
        12 if number % 100 == 12 => {
            let mut fork = block_on(session.fork()).expect("forks");
            exec(&mut fork, "seen = None");
        }
        13 if number % 100 == 13 => drop(exec(&mut open(sandbox), "x = [1] * 1000")),
        _ => drop(exec(session, "n += 1\nseen = list(range(n % 100))")),
    }
}

/// Does nothing else for so many execs.
fn endure(execs: usize) {
    let sandbox = Sandbox::builder()
        .live_sessions(4)
        .build()
        .expect("it loads");
    let mut session = open(&sandbox);
    let started = Instant::now();
    let mut held = Vec::new();
    for number in 0..=execs {
        if number % (execs / 10) == 0 {
            held.push(Held::now());
        }
        happens(&sandbox, &mut session, number);
        if number % LIFE == LIFE - 1 {
            session = open(&sandbox);
        }
    }
    for (tenth, held) in held.iter().enumerate() {
        println!("{:>8} execs: {held:?}", tenth * execs / 10);
    }
    assert!(exec(&mut session, "n").is_success());
    // Whatever is made once has been made after a fifth.
    let (early, late) = (held[2], held[10]);
    let per_exec =
        |early: usize, late: usize| (late as f64 - early as f64) / (execs - execs / 5) as f64;
    println!(
        "{execs} execs in {:?}: the heap grows by {:.1} bytes each, what is resident by {:.1}",
        started.elapsed(),
        per_exec(early.heap_bytes, late.heap_bytes),
        per_exec(early.resident_bytes, late.resident_bytes),
    );
    assert!(
        late.heap_bytes < early.heap_bytes + (256 << 10),
        "the heap grows"
    );
    assert!(late.mappings <= early.mappings + 8, "mappings are left");
    // The session that lives may have its snapshot in a file.
    assert!(late.files <= early.files + 1, "files are left open");
    assert!(late.threads <= early.threads + 1, "threads are left");
}

#[test]
fn what_a_process_holds_does_not_grow() {
    if let Ok(execs) = std::env::var(EXECS) {
        return endure(execs.parse().expect("a number"));
    }
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args([
            "endurance::what_a_process_holds_does_not_grow",
            "--exact",
            "--nocapture",
        ])
        .env(EXECS, "2000")
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{stderr}");
    assert!(told.contains("2000 execs in"), "{told}");
}

/// A tool that says that it was called, and answers at once, and one that says so
/// and never answers.
fn telling(name: &str, answers: bool) -> (Tool, Receiver<()>) {
    let (called, was_called) = mpsc::channel();
    let tool = match answers {
        true => Tool::immediate(name, move |_: &ToolContext, (): ()| {
            let _ = called.send(());
            Ok(())
        }),
        false => Tool::deferred(name, move |_, (): ()| {
            let _ = called.send(());
            pending::<Result<(), ToolError>>()
        }),
    };
    (tool, was_called)
}

#[test]
fn a_runtime_that_is_dropped_leaves_a_session_that_goes_on() {
    for (source, answers) in [
        ("x.append(tell())", false),
        ("tell()\nwhile True: x.append(3)", true),
    ] {
        let (tool, was_called) = telling("tell", answers);
        let session = described().tool(tool).open().expect("right");
        let session = Arc::new(Mutex::new(session));
        exec(&mut session.try_lock().expect("nobody has it"), "x = [1]");
        let runtime = Runtime::new().expect("a runtime");
        let theirs = Arc::clone(&session);
        runtime.spawn(async move { drop(theirs.lock().await.exec(source).await) });
        was_called.recv().expect("the script runs");
        runtime.shutdown_background();
        let mut session = session.blocking_lock();
        assert_eq!(value(&mut session, "x"), "[1]", "{source}");
        assert_eq!(value(&mut session, "later(x)"), "[1]");
    }
}

#[test]
fn a_tool_that_never_answers_holds_up_its_own_script_alone() {
    let (tool, was_called) = telling("never", false);
    let mut waits = described().tool(tool).open().expect("right");
    let cancel = waits.cancel_handle();
    let canceler = std::thread::spawn(move || {
        was_called.recv().expect("the script runs");
        let mut other = session();
        assert_eq!(value(&mut other, "later(1) + 1"), "2");
        cancel.cancel();
    });
    let outcome = exec(&mut waits, "print('on')\nnever()");
    canceler.join().expect("the other session answered");
    assert!(matches!(outcome.ending, Ending::Stopped(Stop::Canceled, _)));
    assert_eq!(outcome.stdout, "on\n");
    assert_eq!(value(&mut waits, "1 + 1"), "2");
}

/// The text of 1,100 executions of 65,000 bytes is more than the memory of a session with default limits, 64 MiB.
#[test]
fn texts_of_executions_that_define_nothing_are_not_kept() {
    let mut profile = rlm_sandbox::Profile::default();
    profile.eval = true;
    let sandbox = Sandbox::builder().build().expect("it loads");
    let mut session = sandbox.session().profile(profile).open().expect("right");
    let comment = format!("#{}", "x".repeat(65_000));
    for number in 0..1100 {
        let outcome = exec(&mut session, &format!("{comment}\nn = {number}"));
        assert!(
            matches!(outcome.ending, Ending::Value(_)),
            "{number}: {outcome:?}"
        );
    }
    // What `eval` is given is a value of the script, so it is kept as long as the script has it.
    exec(&mut session, "text = ' ' * 65000");
    for number in 0..1100 {
        let outcome = exec(&mut session, &format!("n = eval(text + '{number}')"));
        assert!(
            matches!(outcome.ending, Ending::Value(_)),
            "{number}: {outcome:?}"
        );
    }
    // The text of a function stays, for its tracebacks.
    exec(
        &mut session,
        &format!("{comment}\ndef broken():\n    return 1 / 0"),
    );
    exec(&mut session, "n = 1");
    let outcome = exec(&mut session, "broken()");
    let exception = outcome.exception().expect("raises");
    assert!(
        exception.traceback.contains("return 1 / 0"),
        "{exception:?}"
    );
}
