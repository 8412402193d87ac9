//! `exec` in two processes: what the child may ask of its parent, and the parent's answers.

use std::collections::HashMap;
use std::fmt;
use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rlm_sandbox::Parked;
use serde::{Deserialize, Serialize};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::{Child, Ended, Input, PIPE_KEY, Role};
use crate::outcome::Runtime;
use crate::saved::SessionFile;
use crate::signals::InterruptHandler;
use crate::subprocess::{CommandFailure, HostCommand};
use crate::terminal::Terminal;
use crate::wire::{Failure, INTERNAL_ERROR, INVALID_PARAMS, MessageOptions, Peer, Wire, answered};
use crate::{Status, status_of, usage};

/// Bytes of the longest message between the two: a session of 384 MiB, or an answer.
const MESSAGE_BYTES: u64 = 512 << 20;

/// Bytes of a saved session, which base64 makes a third longer in its message.
const SESSION_BYTES: u64 = MESSAGE_BYTES / 4 * 3 - (64 << 10);

/// Refuses a saved session that fits into no message.
fn check_length(session: &[u8]) -> Result<()> {
    let bytes = session.len() as u64;
    match bytes <= SESSION_BYTES {
        true => Ok(()),
        false => Err(usage(format!(
            "the session takes {bytes} bytes, and an isolated process can have or save {SESSION_BYTES}; delete variables, or \
             leave --isolate out"
        ))),
    }
}

/// Time that a child may take to end after an interrupt.
const PATIENCE: Duration = Duration::from_secs(10);

/// The child's end of the pipes.
#[derive(Clone)]
pub(crate) struct Broker {
    peer: Peer,
    runs: Arc<AtomicU64>,
}

impl fmt::Debug for Broker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Broker").finish_non_exhaustive()
    }
}

/// `run`: runs a command of the operator's.
#[derive(Debug, Serialize, Deserialize)]
struct Run {
    /// Number of the run, for `stop`.
    run: u64,
    /// Number of the command: tools in the order of their options, then the model.
    command: usize,
    input: String,
    model: Option<String>,
}

/// `stop`: ends what a run started.
#[derive(Debug, Serialize, Deserialize)]
struct Stop {
    run: u64,
}

/// `save`: writes a session to its file.
#[derive(Debug, Serialize, Deserialize)]
struct Save {
    session: String,
}

/// Guard that stops a run whose caller was dropped.
struct Dropped<'a> {
    peer: &'a Peer,
    run: Option<u64>,
}

impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        if let Some(run) = self.run {
            self.peer.notify("stop", Stop { run });
        }
    }
}

impl Broker {
    /// Returns the broker of this process; none if it is no child of an `exec`.
    ///
    /// # Errors
    ///
    /// A usage error if the descriptors are not there.
    pub(crate) fn of_process(runtime: &Runtime, terminal: &Terminal) -> Result<Option<Self>> {
        let Some(Role::Exec { reads, writes }) = Role::of_process() else {
            return Ok(None);
        };
        let (reads, writes) = pipes(*reads, *writes)?;
        let pipes = terminal.over(reads, Arc::new(Mutex::new(writes)));
        let mut wire = Wire::new(
            &pipes,
            &MessageOptions::of_child(MESSAGE_BYTES, MESSAGE_BYTES),
        )
        .context(NO_THREAD)?;
        let peer = wire.peer();
        // The parent asks nothing; its answers are handed over here.
        runtime.spawn(async move {
            while wire.next().await.is_some() {}
            let gone = "the process that started this one is gone";
            wire.peer().hang_up(Failure::new(INVALID_PARAMS, gone));
        });
        let runs = Arc::default();
        Ok(Some(Self { peer, runs }))
    }

    /// Returns the session to go on with; none if there is none.
    pub(crate) async fn session(&self) -> Result<Option<Vec<u8>>> {
        let answer = self.peer.ask("session", (), MESSAGE_BYTES).await;
        let session = serde_json::from_str::<Option<String>>(answer.map_err(failed)?.get())?;
        session
            .map(|session| {
                let bytes = BASE64_STANDARD.decode(session);
                bytes.context("the session is not base64")
            })
            .transpose()
    }

    /// Saves a session.
    pub(crate) async fn save(&self, parked: &Parked) -> Result<()> {
        let session = parked.to_bytes(PIPE_KEY);
        check_length(&session)?;
        let session = BASE64_STANDARD.encode(session);
        let answer = self.peer.ask("save", Save { session }, MESSAGE_BYTES).await;
        answer.map(drop).map_err(failed)
    }

    /// Runs the command of this number. Dropping the future ends it.
    pub(crate) async fn run(
        &self,
        command: usize,
        input: &str,
        model: Option<&str>,
        most_bytes: u64,
    ) -> Result<String, CommandFailure> {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let asked = Run {
            run,
            command,
            input: input.to_owned(),
            model: model.map(str::to_owned),
        };
        let mut dropped = Dropped {
            peer: &self.peer,
            run: Some(run),
        };
        let answer = self.peer.ask("run", asked, most_bytes).await;
        dropped.run = None;
        let lost = |why: String| CommandFailure::new("RuntimeError", why);
        let answer = answer.map_err(|failure| lost(failure.message))?;
        let answer = serde_json::from_str::<Result<String, CommandFailure>>(answer.get());
        answer.map_err(|error| lost(error.to_string()))?
    }
}

fn failed(failure: Failure) -> anyhow::Error {
    match failure.code {
        INTERNAL_ERROR => anyhow::anyhow!(failure.message),
        _ => usage(failure.message),
    }
}

#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "a descriptor that another process passes on is a number"
)]
fn pipes(reads: i32, writes: i32) -> Result<(std::fs::File, std::fs::File)> {
    use std::os::fd::FromRawFd as _;

    use rustix::io::{FdFlags, fcntl_setfd};
    let is_pipe = |fd: i32| {
        let about = std::fs::metadata(format!("/proc/self/fd/{fd}"));
        fd > 2 && about.is_ok_and(|about| crate::is_pipe(&about))
    };
    if reads == writes || !is_pipe(reads) || !is_pipe(writes) {
        return Err(usage(
            "RLM_SANDBOX_ISOLATED is set, which rlm-sandbox does for its own processes; unset it",
        ));
    }
    let pipes = [reads, writes].map(|fd| {
        // SAFETY: the parent passes both to this process for this purpose, and nothing else takes them.
        unsafe { std::fs::File::from_raw_fd(fd) }
    });
    for pipe in &pipes {
        fcntl_setfd(pipe, FdFlags::CLOEXEC)?;
    }
    let [reads, writes] = pipes;
    Ok((reads, writes))
}

#[cfg(not(unix))]
fn pipes(_reads: i32, _writes: i32) -> Result<(std::fs::File, std::fs::File)> {
    Err(usage("processes are isolated on Linux alone"))
}

/// Limits on the commands that a child has run, which are those of its script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommandLimits {
    /// Limits on commands of tools.
    pub(crate) tools: RunLimits,
    /// Limits on the command of the model.
    pub(crate) model: RunLimits,
    /// Bytes of the input of one.
    pub(crate) request_bytes: u64,
}

/// Limits on runs of one kind of commands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunLimits {
    /// Runs in all.
    pub(crate) calls: u64,
    /// Runs at the same time.
    pub(crate) at_once: usize,
}

/// The runs of one kind of commands.
struct Runs {
    limits: RunLimits,
    now: Arc<AtomicUsize>,
}

/// The place of a run among those at the same time, until it is released or dropped.
struct Place {
    now: Arc<AtomicUsize>,
    is_held: AtomicBool,
}

impl Runs {
    fn new(limits: RunLimits) -> Self {
        Self {
            limits,
            now: Arc::default(),
        }
    }

    /// Returns a place for one more run. None if the limits allow none.
    fn place(&mut self) -> Option<Place> {
        if self.limits.calls == 0 || self.now.load(Ordering::Acquire) >= self.limits.at_once {
            return None;
        }
        self.limits.calls -= 1;
        self.now.fetch_add(1, Ordering::AcqRel);
        Some(Place {
            now: Arc::clone(&self.now),
            is_held: AtomicBool::new(true),
        })
    }
}

impl Place {
    fn release(&self) {
        if self.is_held.swap(false, Ordering::AcqRel) {
            self.now.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.release();
    }
}

/// The error of a child that died.
#[derive(Debug)]
pub(crate) struct Died(pub(crate) Ended);

impl fmt::Display for Died {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Died {}

/// Runs this `exec` in a child process, and does for it what it asks. Returns the child's status.
///
/// # Errors
///
/// [`Died`] if a signal ended the child; the system's if it cannot be started.
pub(crate) fn supervise(
    commands: &[HostCommand],
    limits: CommandLimits,
    file: Option<&SessionFile>,
    runtime: &Runtime,
    terminal: &Terminal,
) -> Result<Status> {
    let Started {
        child,
        pipes,
        printed,
    } = start(terminal)?;
    let options = MessageOptions::of_child(MESSAGE_BYTES, MESSAGE_BYTES);
    let mut wire = Wire::new(&pipes, &options).context(NO_THREAD)?.strict();
    drop(pipes);
    let (mut tools, mut model) = (Runs::new(limits.tools), Runs::new(limits.model));
    runtime.block_on(async {
        // An interrupt ends the script, and with it the child.
        let handler = terminal.owns_signals.then(InterruptHandler::new);
        let mut runs = HashMap::new();
        let mut ends_at = None;
        loop {
            let too_late = async {
                match ends_at {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            let interrupted = async {
                match &handler {
                    Some(handler) => handler.interrupted().await,
                    None => std::future::pending().await,
                }
            };
            runs.retain(|_, (run, _): &mut (AbortHandle, Arc<Place>)| !run.is_finished());
            let message = tokio::select! {
                () = interrupted => {
                    child.interrupt();
                    ends_at.get_or_insert_with(|| Instant::now() + PATIENCE);
                    continue;
                }
                () = too_late => {
                    child.kill();
                    break;
                }
                message = wire.next() => message,
            };
            let Some(message) = message else { break };
            let peer = wire.peer();
            let answer = match message.method.as_str() {
                "run" => match message.read::<Run>() {
                    // Each one can be stopped, and counts.
                    Ok(run) if runs.contains_key(&run.run) => {
                        Err(Failure::usage("a run of this number goes on"))
                    }
                    Ok(run) if run.input.len() as u64 > limits.request_bytes => Err(
                        Failure::usage("it asks for more bytes than its limits allow"),
                    ),
                    Ok(run) => {
                        let command = commands.get(run.command);
                        let place = match command.is_some_and(HostCommand::asks_model) {
                            true => model.place(),
                            false => tools.place(),
                        };
                        match (command, place) {
                            (Some(command), Some(place)) => {
                                let (number, place) = (run.run, Arc::new(place));
                                let held = Arc::clone(&place);
                                let running = carry_out(command.clone(), run, held, peer, message);
                                runs.insert(number, (tokio::spawn(running).abort_handle(), place));
                                continue;
                            }
                            (None, _) => Err(Failure::usage("there is no such command")),
                            (_, None) => {
                                Err(Failure::usage("it calls more often than its limits allow"))
                            }
                        }
                    }
                    Err(failure) => Err(failure),
                },
                "stop" => {
                    let stop = message.read::<Stop>();
                    if let Some((run, place)) = stop.ok().and_then(|stop| runs.remove(&stop.run)) {
                        run.abort();
                        place.release();
                    }
                    continue;
                }
                "session" => read(file),
                "save" => message.read::<Save>().and_then(|save| write(file, &save)),
                other => Err(Failure::new(INVALID_PARAMS, format!("no method `{other}`"))),
            };
            peer.answer(message.id.as_deref(), answer);
        }
    });
    let ended = child
        .wait()
        .context("cannot wait for the isolated process")?;
    // What it printed is shown before how it ended.
    for printed in printed {
        let _ = printed.join();
    }
    match ended.code().and_then(Status::of_code) {
        Some(status) => Ok(status),
        None => Err(Died(ended).into()),
    }
}

/// Runs a command, and answers with what came of it.
async fn carry_out(
    command: HostCommand,
    run: Run,
    place: Arc<Place>,
    peer: Peer,
    message: crate::wire::Message,
) {
    let ran = command.run(&run.input, run.model.as_deref()).await;
    // A child that hears of the end may have the next one run.
    place.release();
    peer.answer(message.id.as_deref(), answered(ran));
}

/// Returns the session in the file, sealed for the child.
fn read(file: Option<&SessionFile>) -> crate::wire::Answer {
    let session = match file {
        Some(file) => file.read_sealed(PIPE_KEY).and_then(|session| {
            session.as_deref().map_or(Ok(()), check_length)?;
            Ok(session)
        }),
        None => Ok(None),
    };
    match session {
        Ok(session) => answered(session.map(|session| BASE64_STANDARD.encode(session))),
        Err(error) => Err(Failure::usage(format!("{error:#}"))),
    }
}

fn write(file: Option<&SessionFile>, save: &Save) -> crate::wire::Answer {
    let Some(file) = file else {
        return Err(Failure::usage("there is no file for the session"));
    };
    let saved = BASE64_STANDARD
        .decode(&save.session)
        .context("the session is not base64")
        .and_then(|bytes| {
            // The process may have been taken over: what it did not read it does not replace.
            file.check_replaceable()?;
            file.write_sealed(&bytes, PIPE_KEY)
        });
    match saved {
        Ok(()) => answered(()),
        Err(error) if status_of(&error) == Status::Usage => {
            Err(Failure::usage(format!("{error:#}")))
        }
        Err(error) => Err(Failure::new(INTERNAL_ERROR, format!("{error:#}"))),
    }
}

/// An error where the system refuses a thread.
const NO_THREAD: &str = "cannot start a thread for an isolated process";

/// A child that was started, its pipes, and the threads that show what it prints.
struct Started {
    child: Child,
    pipes: Terminal,
    printed: Vec<std::thread::JoinHandle<()>>,
}

#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "descriptors are kept over the start of a program by the new process itself"
)]
fn start(terminal: &Terminal) -> Result<Started> {
    use std::io::pipe;
    use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
    use std::os::unix::process::CommandExt as _;

    use rustix::io::{FdFlags, fcntl_setfd};
    let cannot = "cannot make pipes for an isolated process";
    let (child_reads, writes) = pipe().context(cannot)?;
    let (reads, child_writes) = pipe().context(cannot)?;
    let role = Role::Exec {
        reads: child_reads.as_raw_fd(),
        writes: child_writes.as_raw_fd(),
    };
    let kept = [OwnedFd::from(child_reads), OwnedFd::from(child_writes)];
    let mut command = Child::command(&role);
    // What a terminal is shown is escaped here, and a terminal can be read, too.
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    // SAFETY: between fork and exec it makes two system calls, and allocates nothing.
    unsafe {
        command.pre_exec(move || {
            for fd in &kept {
                fcntl_setfd(fd.as_fd(), FdFlags::empty())?;
            }
            Ok(())
        });
    }
    let process = command.spawn();
    // The child's ends of the pipes are its own.
    drop(command);
    let mut process = process.context(
        "cannot start an isolated process, which needs /proc and room for one more process",
    )?;
    let (stdout, stderr) = (process.stdout.take(), process.stderr.take());
    let child = Child::new(process);
    let writes = Input::of(writes, child.clone(), MESSAGE_BYTES).context(NO_THREAD)?;
    let pipes = terminal.over(reads, Arc::new(Mutex::new(writes)));
    let relay = |from: Box<dyn Read + Send>, is_error| {
        let terminal = terminal.clone();
        let thread = std::thread::Builder::new();
        thread.spawn(move || terminal.relay(from, is_error))
    };
    let stdout = stdout.map(|from| relay(Box::new(from), false));
    let stderr = stderr.map(|from| relay(Box::new(from), true));
    let printed = stdout
        .into_iter()
        .chain(stderr)
        .collect::<std::io::Result<_>>();
    Ok(Started {
        child,
        pipes,
        printed: printed.context(NO_THREAD)?,
    })
}

#[cfg(not(unix))]
fn start(_terminal: &Terminal) -> Result<Started> {
    Err(usage("processes are isolated on Linux alone"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_fits_into_no_message_is_refused() {
        let session = vec![0; SESSION_BYTES as usize + 1];
        check_length(&session[1..]).expect("it fits");
        let error = check_length(&session).expect_err("too long");
        assert!(error.to_string().contains("leave --isolate out"), "{error}");
        const { assert!(SESSION_BYTES / 3 * 4 + 1000 < MESSAGE_BYTES) };
    }
}
