//! What all targets have in common.

use std::sync::LazyLock;
use std::time::Duration;

use rlm_sandbox::{
    Limits, Outcome, Profile, Sandbox, Session, SessionBuilder, Tool, ToolContext, ToolError,
};
use serde_json::Value;
use tokio::runtime::Runtime;

/// One with a pool, whose instances are used again and again.
pub(crate) fn sandbox() -> &'static Sandbox {
    static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| {
        Sandbox::builder()
            .live_sessions(8)
            .build()
            .expect("it loads")
    });
    &SANDBOX
}

/// Waits for what must end. Whatever takes a minute does not.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));
    let within = async { tokio::time::timeout(Duration::from_secs(60), future).await };
    RUNTIME.block_on(within).expect("it ends within a minute")
}

pub(crate) const KEY: &[u8] = b"a key for tests, of 32 bytes ...";

/// A session with `eval` and three tools that give back what they get.
pub(crate) fn described(limits: Limits) -> SessionBuilder {
    let mut profile = Profile::default();
    profile.eval = true;
    let echo = |_: &ToolContext, (value,): (Value,)| Ok(value);
    let later = |_, (value,): (Value,)| async move { Ok::<_, ToolError>(value) };
    let fail = |_: &ToolContext, (kind, message): (String, String)| {
        Err::<(), _>(ToolError::new(kind, message))
    };
    sandbox()
        .session()
        .profile(profile)
        .limits(limits)
        .seed(1)
        .start_time(std::time::UNIX_EPOCH)
        .id("fuzz")
        .tool(Tool::immediate("echo", echo))
        .tool(Tool::deferred("later", later))
        .tool(Tool::deferred("soon", later).awaitable())
        .tool(Tool::immediate("fail", fail))
}

/// Runs a script to its end. That it has one is the least that is promised.
pub(crate) fn exec(session: &mut Session, source: &str) -> Result<Outcome, String> {
    block_on(session.exec(source))
        .map_err(|error| format!("{:?} for {source:?}: {error}", error.kind()))
}

/// Returns whether a session still answers.
pub(crate) fn answers(session: &mut Session) -> Result<(), String> {
    let outcome = exec(session, "1+1")?;
    match outcome.value::<u8>() {
        Ok(2) => Ok(()),
        _ => Err(format!("1+1 is {outcome:?}")),
    }
}
