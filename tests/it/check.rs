//! How the tests use the sandbox.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, UNIX_EPOCH};

use expect_test::Expect;
use rlm_sandbox::{
    Ending, Faults, Limits, Outcome, Profile, Sandbox, Session, SessionBuilder, Tool, ToolContext,
    ToolError,
};
use tokio::runtime::Runtime;

/// The interpreter is compiled once, into the target folder.
pub(crate) fn sandbox() -> &'static Sandbox {
    static SANDBOX: LazyLock<Sandbox> =
        LazyLock::new(|| Sandbox::new().expect("the interpreter loads"));
    &SANDBOX
}

/// A sandbox in which the interpreter writes the state of sessions.
pub(crate) fn dumping() -> &'static Sandbox {
    static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| {
        let sandbox = Sandbox::builder().dump_states().build();
        sandbox.expect("the interpreter loads")
    });
    &SANDBOX
}

/// Runs a future as an embedder would.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));
    RUNTIME.block_on(future)
}

/// Two threads of a runtime, for what has to be more than one.
pub(crate) fn two_threads() -> Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).enable_all().build();
    runtime.expect("a runtime")
}

/// The component that the library carries.
pub(crate) fn interpreter() -> Vec<u8> {
    let packed = root().join("host/sandbox/guest/python.wasm.zst");
    zstd::decode_all(&std::fs::read(packed).expect("the artefact")[..]).expect("zstd")
}

/// Seals parked sessions.
pub(crate) const KEY: &[u8] = b"a key for tests, of 32 bytes ...";

/// Runs a script to its end.
#[track_caller]
pub(crate) fn exec(session: &mut Session, source: &str) -> Outcome {
    block_on(session.exec(source)).expect("an outcome")
}

/// The repr of what a script gives.
#[track_caller]
pub(crate) fn value(session: &mut Session, source: &str) -> String {
    match exec(session, source).ending {
        Ending::Value(Some(value)) => value.repr,
        other => panic!("{source}: {other:?}"),
    }
}

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A script that crashes in a session of [`crashing`], and ends at a limit in others.
pub(crate) const CRASH: &str = "while True: pass";

/// A session that traps at a fuel that no other script of the tests reaches.
pub(crate) fn crashing() -> SessionBuilder {
    let mut faults = Faults::default();
    faults.trap_at_fuel = Some(2_000_000_000);
    described().faults(faults)
}

/// A session in which nothing is left to chance, with the tools that all tests
/// share. It has `eval`, which can crash the interpreter.
pub(crate) fn described() -> SessionBuilder {
    described_in(sandbox())
}

/// Such a session in [`dumping`].
pub(crate) fn dumped() -> SessionBuilder {
    described_in(dumping())
}

fn described_in(sandbox: &Sandbox) -> SessionBuilder {
    let mut profile = Profile::default();
    profile.eval = true;
    let mut builder = sandbox
        .session()
        .profile(profile)
        .seed(42)
        .start_time(UNIX_EPOCH + Duration::from_secs(1_769_817_600))
        .id("test");
    for tool in tools() {
        builder = builder.tool(tool);
    }
    builder
}

/// `echo` answers at once with what it got, `fail` raises, `later` answers
/// after a moment, `soon` does so and is awaitable.
pub(crate) fn tools() -> Vec<Tool> {
    vec![
        Tool::immediate("echo", |_: &ToolContext, (value,): (serde_json::Value,)| {
            Ok(value)
        }),
        Tool::immediate(
            "fail",
            |_: &ToolContext, (kind, message): (String, String)| {
                Err::<(), _>(ToolError::new(kind, message))
            },
        )
        .parameters(["kind", "message"]),
        Tool::deferred(
            "later",
            |_, (value, ms): (serde_json::Value, Option<u64>)| async move {
                tokio::time::sleep(Duration::from_millis(ms.unwrap_or(1))).await;
                Ok(value)
            },
        )
        .parameters(["value", "ms"]),
        Tool::deferred("soon", |_, (value,): (serde_json::Value,)| async move {
            Ok(value)
        })
        .awaitable(),
    ]
}

/// A session as [`described`].
pub(crate) fn session() -> Session {
    described().open().expect("the description is right")
}

/// A session with other limits.
pub(crate) fn session_with(change: impl FnOnce(&mut Limits)) -> Session {
    let mut limits = Limits::default();
    change(&mut limits);
    described()
        .limits(limits)
        .open()
        .expect("the description is right")
}

/// Runs one script in a session of its own and compares what came of it.
#[track_caller]
pub(crate) fn check(code: &str, expected: Expect) {
    check_in(&mut session(), code, expected);
}

/// Runs one script in `session` and compares what came of it.
#[track_caller]
pub(crate) fn check_in(session: &mut Session, code: &str, expected: Expect) {
    let outcome = block_on(session.exec(code)).expect("the sandbox works");
    expected.assert_eq(&tell(&outcome));
}

/// The part of an outcome that is the same everywhere.
pub(crate) fn tell(outcome: &Outcome) -> String {
    let mut text = String::new();
    let _ = match &outcome.ending {
        Ending::Value(None) => writeln!(text, "None"),
        Ending::Value(Some(value)) => writeln!(
            text,
            "{} as {}",
            value.repr,
            value.json.as_deref().unwrap_or("-")
        ),
        Ending::Raised(exception) => {
            writeln!(text, "raised ({}) {exception}", exception.cause.as_str())
        }
        Ending::Stopped(stop, exception) => writeln!(
            text,
            "stopped {stop:?} ({}) {exception}",
            exception.cause.as_str()
        ),
        Ending::Crashed(exception) => {
            writeln!(text, "crashed ({}) {exception}", exception.cause.as_str())
        }
        other => writeln!(text, "{other:?}"),
    };
    for (name, said) in [("out", &outcome.stdout), ("err", &outcome.stderr)] {
        for line in said.lines() {
            let _ = writeln!(text, "{name}  {line}");
        }
    }
    if !outcome.names.is_empty() {
        let _ = writeln!(text, "names  {}", outcome.names.join(" "));
    }
    for call in &outcome.calls {
        let _ = writeln!(
            text,
            "call {} {} {:?}",
            call.ticket, call.name, call.progress
        );
    }
    text
}
