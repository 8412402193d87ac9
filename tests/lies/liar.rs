//! Sessions with the guest that lies, and what must hold for each of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, UNIX_EPOCH};

use rlm_sandbox::{
    Context, ErrorKind, Journal, Limits, Look, Outcome, Parked, Profile, Recording, Sandbox,
    Session, SessionBuilder, Step, Tool, ToolContext, ToolError,
};
use serde_json::Value;
use tokio::runtime::Runtime;

/// Seals parked sessions.
pub(crate) const KEY: &[u8] = b"a key for tests, of 32 bytes ...";

/// The most text that one entry of a guest may hand over, in bytes: the host's cap
/// on what it copies for one call.
pub(crate) const ENTRY_BYTES: usize = 64 << 20;

/// What all lies together may have the process hold: the compiled guests, and for
/// each thread two instances and what one entry hands over, a few times.
pub(crate) const MOST_BYTES: u64 = 2 << 30;

/// The most that any call of the public interface takes, in seconds, on a machine
/// that does many other things. It tells a hang from work, and nothing finer.
const PATIENCE: Duration = Duration::from_secs(60);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The artefact of `tests/liar/build.sh`.
pub(crate) fn component() -> Vec<u8> {
    fs::read(root().join("tests/liar/liar.wasm")).expect("the artefact")
}

/// A sandbox with the guest that lies.
pub(crate) fn sandbox() -> &'static Sandbox {
    static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| {
        let builder = Sandbox::builder().guest(component());
        builder.build().expect("the liar loads")
    });
    &SANDBOX
}

/// A sandbox with the interpreter.
pub(crate) fn honest() -> &'static Sandbox {
    static SANDBOX: LazyLock<Sandbox> =
        LazyLock::new(|| Sandbox::new().expect("the interpreter loads"));
    &SANDBOX
}

/// Runs a future that has to end.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));
    let within = async { tokio::time::timeout(PATIENCE, future).await };
    RUNTIME.block_on(within).expect("it ends within a minute")
}

/// Limits under which a lie is soon over.
pub(crate) fn small() -> Limits {
    let mut limits = Limits::default();
    limits.fuel = Some(50_000_000);
    limits.time = Duration::from_millis(100);
    limits.call_wait = Duration::from_millis(200);
    limits.calls = 2000;
    limits.memory_bytes = 16 << 20;
    limits
}

/// A session of a sandbox with the tools that scripts of the liar name.
pub(crate) fn described(sandbox: &Sandbox, limits: Limits) -> SessionBuilder {
    let echo = |_: &ToolContext, (value,): (Value,)| Ok(value);
    let later = |_, (value,): (Value,)| async move { Ok::<_, ToolError>(value) };
    let fail = |_: &ToolContext, (kind, message): (String, String)| {
        Err::<(), _>(ToolError::new(kind, message))
    };
    sandbox
        .session()
        .profile(Profile::default())
        .limits(limits)
        .seed(1)
        .start_time(UNIX_EPOCH)
        .id("lies")
        .context(Context::text("notes", "n".repeat(70_000)))
        .tool(Tool::immediate("echo", echo))
        .tool(Tool::deferred("later", later))
        .tool(Tool::immediate("fail", fail))
}

/// A session of the liar.
pub(crate) fn session(limits: Limits) -> Session {
    described(sandbox(), limits).open().expect("right")
}

/// Tells one lie and returns the outcome.
pub(crate) fn outcome(session: &mut Session, script: &str) -> Outcome {
    block_on(session.exec(script)).expect("an outcome")
}

/// The peak of resident memory of this process, in bytes; 0 where the system does
/// not tell.
pub(crate) fn peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kibibytes
        .and_then(|text| text.trim().parse::<u64>().ok())
        .map_or(0, |number| number << 10)
}

/// Checks the sizes of an outcome against the limits that the host documents.
pub(crate) fn check_sizes(outcome: &Outcome, limits: &Limits) -> Result<(), String> {
    let output = outcome.stdout.len() + outcome.stderr.len();
    if output as u64 > limits.output_bytes {
        return Err(format!("{output} bytes of output"));
    }
    // The call that is one too many is on record, and a few that a guest may make
    // before it notices.
    if outcome.calls.len() as u64 > limits.calls + 1001 {
        return Err(format!("{} calls on record", outcome.calls.len()));
    }
    if let Some(call) = outcome
        .calls
        .iter()
        .find(|call| call.name.len() > (1 << 10) + 3)
    {
        return Err(format!("a name of {} bytes on record", call.name.len()));
    }
    let names: usize = outcome.names.iter().map(String::len).sum();
    let traceback = outcome.exception().map_or(0, |exception| {
        exception.message.len() + exception.traceback.len()
    });
    if names > ENTRY_BYTES || traceback > 3 * ENTRY_BYTES {
        return Err(format!(
            "{names} bytes of names, {traceback} of a traceback"
        ));
    }
    Ok(())
}

/// Accepts the kinds of errors that a lie may end in.
fn typed(what: &str, error: &rlm_sandbox::Error) -> Result<(), String> {
    match error.kind() {
        ErrorKind::Usage | ErrorKind::Limit | ErrorKind::Guest | ErrorKind::Lost => Ok(()),
        kind => Err(format!("{what}: {kind:?}: {error}")),
    }
}

/// Returns whether an honest session answers as ever.
pub(crate) fn check_honest() -> Result<(), String> {
    let mut session = described(honest(), Limits::default())
        .open()
        .expect("right");
    let told = block_on(session.exec("x = [later(n) for n in range(3)]\nsum(x) + len(context)"))
        .map_err(|error| format!("the honest session: {error}"))?;
    match told.value::<u64>() {
        Ok(70_003) => Ok(()),
        _ => Err(format!("the honest session says {told:?}")),
    }
}

/// Tells a lie through every part of the public interface, with a journal.
pub(crate) fn attempt(script: &str, limits: &Limits) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let recording = Recording::create(&path).expect("a new file");
    let session = described(sandbox(), limits.clone())
        .record(&recording)
        .open();
    let mut session = session.map_err(|error| error.to_string())?;
    let told = block_on(tell(&mut session, script, limits));
    drop(session);
    told?;
    let journal = Journal::open(&path).map_err(|error| format!("the journal: {error}"))?;
    match block_on(journal.replay(sandbox())) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::Journal => Ok(()),
        Err(error) => typed("the replay", &error),
    }
}

/// How long an execution may go on that waits again and again; it is given up then.
const WAIT: Duration = Duration::from_millis(300);

async fn tell(session: &mut Session, script: &str, limits: &Limits) -> Result<(), String> {
    steps(session, script, limits).await?;
    let get = session.get("x").await;
    get.map(drop).or_else(|error| typed("get", &error))?;
    let set = session.set("x", [1, 2]);
    set.or_else(|error| typed("set", &error))?;
    for look in [Look::default(), Look::reprs(100).json()] {
        let listed = session.variables(look).await;
        listed
            .map(drop)
            .or_else(|error| typed("variables", &error))?;
    }
    let exported = session.export().await;
    exported
        .map(drop)
        .or_else(|error| typed("export", &error))?;
    match session.fork().await {
        Ok(mut fork) => run(&mut fork, "exec value 1 1", limits).await?,
        Err(error) => typed("fork", &error)?,
    }
    if let Err(error) = session.step(script).await {
        typed("step", &error)?;
    }
    match session.park().await {
        Ok(parked) => {
            let bytes = parked.to_bytes(KEY);
            let parked = Parked::from_bytes(sandbox(), &bytes, KEY)
                .map_err(|error| format!("parked bytes: {error}"))?;
            let restored = described(sandbox(), limits.clone()).restore(&parked);
            match restored {
                Ok(mut restored) => match restored.is_waiting() {
                    true => finish(&mut restored, limits).await?,
                    false => run(&mut restored, script, limits).await?,
                },
                Err(error) => typed("restore", &error)?,
            }
        }
        Err(error) => typed("park", &error)?,
    }
    if session.is_waiting() {
        let abandoned = session.abandon().await;
        abandoned
            .map(drop)
            .or_else(|error| typed("abandon", &error))?;
    }
    run(session, script, limits).await
}

/// Runs a script by steps, and answers what it asks.
async fn steps(session: &mut Session, script: &str, limits: &Limits) -> Result<(), String> {
    let mut step = session.step(script).await;
    for _ in 0..5 {
        match step {
            Ok(Step::Done(outcome)) => return check_sizes(&outcome, limits),
            Ok(Step::Waiting(calls)) => {
                let mut answers = Vec::new();
                for call in &calls {
                    answers.push((call.ticket, session.perform(call).await));
                }
                step = session.resume(answers).await;
            }
            Err(error) => return typed("step", &error),
        }
    }
    finish(session, limits).await
}

async fn finish(session: &mut Session, limits: &Limits) -> Result<(), String> {
    if !session.is_waiting() {
        return Ok(());
    }
    match tokio::time::timeout(WAIT, session.finish()).await {
        Ok(Ok(outcome)) => check_sizes(&outcome, limits),
        Ok(Err(error)) => typed("finish", &error),
        // A script may ask and wait for ever; it is given up where the future is dropped.
        Err(_) => Ok(()),
    }
}

async fn run(session: &mut Session, script: &str, limits: &Limits) -> Result<(), String> {
    match tokio::time::timeout(WAIT, session.exec(script)).await {
        Ok(Ok(outcome)) => check_sizes(&outcome, limits),
        Ok(Err(error)) => typed("exec", &error),
        Err(_) => Ok(()),
    }
}
