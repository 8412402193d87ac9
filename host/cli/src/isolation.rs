//! Sessions in processes of their own, which can compute and answer, and do nothing else.
//!
//! A child process is this program again, with the same arguments and a [`Role`]. It opens what its session is made of,
//! seals itself ([`Seal`]), and only then runs scripts. Everything that a script may have done outside is asked of
//! the parent over two pipes: the commands of tools and the model, a saved session, the requests of a worker's client.

mod broker;
mod child;
mod input;
#[cfg(target_os = "linux")]
mod seal;

use std::env;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::Result;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use rlm_sandbox::{Limits, Plugin as _, Session};
use rlm_sandbox_plugins::{Keep, WasmPlugin};
use tokio::runtime::Handle;

use crate::{plugin, usage};

pub(crate) use broker::{Broker, CommandLimits, Died, RunLimits, supervise};
pub(crate) use child::{Child, Ended};
pub(crate) use input::Input;

/// The choice of an isolation.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct IsolationOptions {
    /// Runs each session in a process of its own, which opens no file, starts no process, makes no connection, and has a
    /// cap on its memory; on Linux
    #[arg(long, value_name = "WHAT", value_enum)]
    isolate: Option<Isolation>,

    /// Memory of such a process beside the program and the interpreter [default: what its limits allow, and 128MiB]
    #[arg(long, value_name = "SIZE", requires = "isolate")]
    isolated_memory: Option<ByteSize>,
}

/// An isolation beside WebAssembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Isolation {
    /// A process with a seccomp filter
    Process,
}

impl IsolationOptions {
    /// Returns whether sessions are to have processes of their own.
    ///
    /// # Errors
    ///
    /// A usage error where the system has no such processes.
    pub(crate) fn is_wanted(&self) -> Result<bool> {
        match self.isolate {
            None => Ok(false),
            Some(Isolation::Process) if is_available() => Ok(true),
            Some(Isolation::Process) => Err(usage(
                "--isolate process is available on Linux alone (x86-64 and 64-bit ARM); leave it out, or run this program in a \
                 container",
            )),
        }
    }

    /// Returns the seal of a child process, which may take `other_bytes` beside those of its session.
    pub(crate) fn seal(&self, other_bytes: u64) -> Seal {
        Seal {
            memory_bytes: self.isolated_memory.map(|size| size.as_u64()),
            other_bytes,
        }
    }
}

/// Returns whether this system has processes that can be sealed.
fn is_available() -> bool {
    cfg!(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))
}

/// Variable of the environment with the role of a child.
const ROLE: &str = "RLM_SANDBOX_ISOLATED";

/// The part of a child process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Runs the script of `exec`. The descriptors of the pipe that it reads and the one that it writes.
    Exec { reads: i32, writes: i32 },
    /// Serves one session of a worker, of this name, over standard input and output.
    Session { name: String },
}

impl Role {
    /// Returns the role of this process; none if it is no child.
    pub(crate) fn of_process() -> Option<&'static Self> {
        static ROLE_OF_PROCESS: OnceLock<Option<Role>> = OnceLock::new();
        let role = ROLE_OF_PROCESS.get_or_init(|| Self::parse(&env::var(ROLE).ok()?));
        role.as_ref()
    }

    fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(':')?;
        match kind {
            "exec" => {
                let (reads, writes) = rest.split_once(':')?;
                Some(Self::Exec {
                    reads: reads.parse().ok()?,
                    writes: writes.parse().ok()?,
                })
            }
            "session" => Some(Self::Session {
                name: rest.to_owned(),
            }),
            _ => None,
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exec { reads, writes } => write!(f, "exec:{reads}:{writes}"),
            Self::Session { name } => write!(f, "session:{name}"),
        }
    }
}

/// Returns whether this process is an isolated one.
pub(crate) fn is_isolated() -> bool {
    Role::of_process().is_some()
}

/// The key with which parent and child seal sessions for each other. It is no secret: their pipes have no other end.
pub(crate) const PIPE_KEY: &[u8] = &[0; 32];

/// Returns the bytes of a session that leaves its process: its state as it is written, packed and sealed, and the text of a
/// message.
fn leaving_bytes(limits: &Limits) -> u64 {
    limits.memory_bytes.saturating_mul(5)
}

/// Bytes of address space of a child beside all else: stacks, buffers, fragments, what memories reserve ahead.
const SLACK_BYTES: u64 = 128 << 20;

/// The seal of a child process, not closed yet.
#[derive(Debug)]
pub(crate) struct Seal {
    /// Bytes that the operator allows, if any were named.
    memory_bytes: Option<u64>,
    /// Bytes that the process may take beside those of its session.
    other_bytes: u64,
}

impl Seal {
    /// Takes from this process, for good, what its session does not need. What the session is made of has to be open.
    ///
    /// # Errors
    ///
    /// A usage error for plugins that read folders or the environment; the system's where it has no such filters.
    pub(crate) fn close(
        &self,
        session: &mut Session,
        plugins: &[WasmPlugin],
        runtime: &Handle,
    ) -> Result<()> {
        check(plugins)?;
        // Nothing is written beside a recording later.
        if let Some(write) = session.contexts_to_record() {
            write();
        }
        start_threads(session, runtime)?;
        let most_bytes = || {
            session
                .most_memory_bytes()
                .saturating_add(leaving_bytes(session.limits()))
                .saturating_add(plugin_bytes(plugins))
                .saturating_add(self.other_bytes)
                .saturating_add(SLACK_BYTES)
        };
        close(self.memory_bytes.unwrap_or_else(most_bytes))
    }
}

#[cfg(target_os = "linux")]
fn close(most_bytes: u64) -> Result<()> {
    use anyhow::Context as _;
    seal::close(most_bytes).context("cannot isolate the process of the session")
}

#[cfg(not(target_os = "linux"))]
fn close(_most_bytes: u64) -> Result<()> {
    Err(usage("processes are isolated on Linux alone"))
}

/// Threads of an isolated process for work that may wait.
const WAITING_THREADS: usize = 4;

/// Lets a runtime of an isolated process have no other threads than those of [`start_threads`].
pub(crate) fn keep_threads(builder: &mut tokio::runtime::Builder) {
    if is_isolated() {
        builder
            .max_blocking_threads(WAITING_THREADS)
            .thread_keep_alive(Duration::from_secs(1 << 32));
    }
}

/// Threads that a server or an isolated process comes to have beside the first one and those that run scripts, at most.
const THREADS: usize = 12;

/// Checks that the system gives this process the threads that a server needs, of which some are started by code that panics
/// without them.
///
/// # Errors
///
/// That of the system, for the first thread that it refuses.
pub(crate) fn check_threads() -> std::io::Result<()> {
    let running = std::thread::available_parallelism().map_or(2, usize::from);
    let all = Arc::new(Mutex::new(()));
    let held = all.lock().unwrap_or_else(PoisonError::into_inner);
    let threads = (0..THREADS + running).map(|_| {
        let all = Arc::clone(&all);
        let thread = std::thread::Builder::new().stack_size(64 << 10);
        thread.spawn(move || drop(all.lock()))
    });
    let threads: Vec<_> = threads.collect();
    drop(held);
    // All of them have ended when the first error is returned.
    let mut all = Ok(());
    for thread in threads {
        all = all.and(thread.map(|thread| drop(thread.join())));
    }
    all
}

/// Starts all threads that a session comes to need, since its process starts none when it is sealed.
fn start_threads(session: &Session, runtime: &Handle) -> Result<()> {
    session.sandbox().prepare_threads()?;
    plugin::prepare_threads();
    let started = Arc::new((Mutex::new(0), Condvar::new()));
    for _ in 0..WAITING_THREADS {
        let started = Arc::clone(&started);
        // It keeps its thread until there are all of them.
        runtime.spawn_blocking(move || wait_for_threads(&started, true));
    }
    // Where the system refuses one, the runtime runs what it was to do on another one, later.
    anyhow::ensure!(
        wait_for_threads(&started, false),
        "the system gives an isolated process too few threads"
    );
    Ok(())
}

/// Time in which the system starts a few threads, also on a machine that is busy. Chosen by hand.
const STARTS_WITHIN: Duration = Duration::from_secs(20);

/// Waits until all threads for work that may wait have started; false if they do not.
fn wait_for_threads(started: &(Mutex<usize>, Condvar), is_one: bool) -> bool {
    let (count, changed) = started;
    let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
    *count += usize::from(is_one);
    changed.notify_all();
    let (count, _) = changed
        .wait_timeout_while(count, STARTS_WITHIN, |count| *count < WAITING_THREADS)
        .unwrap_or_else(PoisonError::into_inner);
    *count >= WAITING_THREADS
}

/// Notes which descriptors this process has got from the one that started it, to close them when it is sealed.
pub(crate) fn begin() {
    #[cfg(target_os = "linux")]
    seal::note_inherited();
}

/// Refuses what [`Seal::close`] would refuse, before a session leaves anything behind: plugins that ask the system for
/// something while they run.
pub(crate) fn check(plugins: &[WasmPlugin]) -> Result<()> {
    let reads = |plugin: &&WasmPlugin| {
        let manifest = plugin.manifest();
        !manifest.allowed_paths.is_empty() || !manifest.permissions.environment.is_empty()
    };
    match plugins.iter().find(reads) {
        None => Ok(()),
        Some(plugin) => Err(usage(format!(
            "the plugin {} reads files or the environment, which an isolated process cannot; take `allowed_paths` and \
             `environment` out of its manifest, or leave --isolate out",
            plugin.name()
        ))),
    }
}

/// Calls of plugins that run at the same moment in an isolated process.
pub(crate) const PLUGIN_CALLS: usize = 4;

/// Returns the bytes that instances of plugins may have together in an isolated process.
fn plugin_bytes(plugins: &[WasmPlugin]) -> u64 {
    let bytes = |plugin: &WasmPlugin| plugin.limits().memory_bytes;
    let kept = plugins
        .iter()
        .filter(|plugin| plugin.manifest().keep == Keep::Session)
        .map(bytes)
        .fold(0, u64::saturating_add);
    let largest = plugins.iter().map(bytes).max().unwrap_or(0);
    largest
        .saturating_mul(PLUGIN_CALLS as u64)
        .saturating_add(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_read_as_it_is_written() {
        let exec = Role::Exec {
            reads: 5,
            writes: 8,
        };
        let session = Role::Session {
            name: String::from("s7"),
        };
        for role in [exec, session] {
            assert_eq!(Role::parse(&role.to_string()), Some(role));
        }
        for text in ["", "exec", "exec:1", "exec:a:2", "other:1"] {
            assert_eq!(Role::parse(text), None, "{text}");
        }
    }
}
