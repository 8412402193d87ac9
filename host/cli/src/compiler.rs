//! Compiling plugins in a process of its own, which has a deadline and a cap on memory.
//!
//! The process is this program with the hidden command `compile-plugin`: the component on standard input,
//! compiled code on standard output, or an error as text there. What the process writes to standard error
//! (of a panic, for want of memory) is for the operator.

use std::io::{self, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context as _, Result};
use clap::Args;
use rlm_sandbox::{Error, ErrorKind};
use rlm_sandbox_plugins::CompileRequest;

use crate::Status;
use crate::subprocess::{end_with_this_process, ended_within};
use crate::terminal::Terminal;

/// Bytes of the largest compiled plugin.
const CODE_BYTES: u64 = 1 << 30;
/// Bytes of standard error, and of an error, that are kept.
const ERROR_BYTES: u64 = 4 << 10;
/// Threads of the compiler. Each takes address space.
const THREADS: u32 = 4;

/// Compiles a plugin for another process of this program
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Configuration of the engine
    #[arg(long)]
    configuration: String,

    /// Bytes of address space
    #[arg(long)]
    memory_bytes: u64,

    /// Seconds of processor time
    #[arg(long)]
    seconds: u64,
}

impl Options {
    pub(crate) fn run(self, terminal: &Terminal) -> Result<Status> {
        // Before the first byte of the component. The limit on processor time ends a process whose
        // parent died.
        limits::apply(self.memory_bytes, self.seconds).context("cannot limit the compiler")?;
        let mut wasm = Vec::new();
        io::stdin()
            .lock()
            .take(crate::FILE_BYTES)
            .read_to_end(&mut wasm)
            .context("cannot read the component")?;
        match rlm_sandbox_plugins::compile(&self.configuration, &wasm) {
            Ok(code) => {
                io::stdout().lock().write_all(&code)?;
                Ok(Status::Done)
            }
            Err(error) => {
                let mut source: &dyn std::error::Error = &error;
                while let Some(deeper) = source.source() {
                    source = deeper;
                }
                Ok(match error.kind() {
                    ErrorKind::Guest => {
                        terminal.print(&source.to_string());
                        Status::Raised
                    }
                    _ => {
                        terminal.error(&source.to_string());
                        Status::Sandbox
                    }
                })
            }
        }
    }
}

static HAS_PROGRAM: AtomicBool = AtomicBool::new(false);

/// Says that the program of this process has the command `compile-plugin`, which that of a
/// test has not.
pub(crate) fn enable() {
    HAS_PROGRAM.store(true, Ordering::Relaxed);
}

pub(crate) fn is_enabled() -> bool {
    HAS_PROGRAM.load(Ordering::Relaxed)
}

/// Returns this program, as it was started: another file may have its name by now.
fn program() -> io::Result<PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok(PathBuf::from("/proc/self/exe")),
        false => std::env::current_exe(),
    }
}

/// Ends a process that is not waited for, as after a panic.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Compiles a plugin in a child process.
pub(crate) fn in_child(request: &CompileRequest<'_>) -> rlm_sandbox::Result<Vec<u8>> {
    let not_started = |error: io::Error| {
        let message = format!(
            "cannot start the process that compiles it: {error}; this program starts itself again for that, which needs \
             /proc and room for one more process"
        );
        Error::new(ErrorKind::Host, message).because(error)
    };
    let seconds = request.timeout.as_secs().saturating_add(1);
    let child = program().and_then(|program| {
        let mut command = Command::new(program);
        // This thread waits for it, so the process ends when this one does.
        end_with_this_process(&mut command);
        command
            .arg("compile-plugin")
            .args(["--configuration", request.configuration])
            .args(["--memory-bytes", &request.memory_bytes.to_string()])
            .args([
                "--seconds",
                &seconds.saturating_mul(THREADS.into()).to_string(),
            ])
            .env("RAYON_NUM_THREADS", THREADS.to_string())
            .env("MALLOC_ARENA_MAX", THREADS.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    });
    let mut child = Running(child.map_err(not_started)?);
    let (stdin, stdout, stderr) = (
        child.0.stdin.take(),
        child.0.stdout.take(),
        child.0.stderr.take(),
    );
    let (ended, code, said) = thread::scope(|scope| {
        let code = scope.spawn(|| read(stdout, CODE_BYTES));
        let said = scope.spawn(|| read(stderr, ERROR_BYTES));
        scope.spawn(|| {
            // A compiler that was ended reads no more; its end tells why.
            stdin.map(|mut stdin| stdin.write_all(request.wasm))
        });
        let ended = ended_within(request.timeout, || child.0.try_wait());
        if !matches!(ended, Ok(Some(_))) {
            // Its pipes end with it, and the threads with them.
            let _ = child.0.kill();
        }
        (ended, code.join(), said.join())
    });
    let Some(status) = ended.map_err(not_started)? else {
        return Err(Error::usage(format!(
            "compiling it took longer than {:?} and was ended; raise `timeout_ms` under [compile] of its manifest",
            request.timeout
        )));
    };
    show(&said.unwrap_or_default());
    match (status.code(), code) {
        (Some(0), Ok(code)) if !code.is_empty() => Ok(code),
        (Some(status), Ok(message)) if status == i32::from(Status::Raised as u8) => {
            let message = &message[..message.len().min(ERROR_BYTES as usize)];
            let cause = io::Error::other(String::from_utf8_lossy(message).into_owned());
            Err(Error::new(ErrorKind::Guest, "cannot compile the plugin").because(cause))
        }
        _ => Err(failed(status, request)),
    }
}

/// Shows the operator what a compiler wrote to standard error. It has paths of this machine, so it
/// is no part of an error, which a client may read.
fn show(said: &[u8]) {
    let said = String::from_utf8_lossy(said);
    let said = said.trim();
    if !said.is_empty() {
        Terminal::of_process().error(&format!("[compile-plugin: {said}]\n"));
    }
}

/// Returns the error for a compiler that ended without compiled code and without an
/// error of its own: mostly for want of memory.
fn failed(status: ExitStatus, request: &CompileRequest<'_>) -> Error {
    Error::usage(format!(
        "the process that compiles it ended with {status}; it may use {} bytes of memory, which `memory_bytes` \
         under [compile] of its manifest raises",
        request.memory_bytes
    ))
}

/// Reads at most `most` bytes, and drops the rest. What was read before an error is what there is.
fn read(from: Option<impl Read>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        let _ = from.by_ref().take(most).read_to_end(&mut bytes);
        let _ = io::copy(&mut from, &mut io::sink());
    }
    bytes
}

#[cfg(unix)]
mod limits {
    use std::io;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Lowers the limits of this process.
    pub(super) fn apply(memory_bytes: u64, seconds: u64) -> io::Result<()> {
        // No file of a crashed compiler.
        lower(Resource::Core, 0)?;
        lower(Resource::Cpu, seconds)?;
        lower(Resource::As, memory_bytes)
    }

    fn lower(resource: Resource, limit: u64) -> io::Result<()> {
        let has = getrlimit(resource);
        let least = |has: Option<u64>| Some(has.map_or(limit, |has| has.min(limit)));
        let limits = Rlimit {
            current: least(has.current),
            maximum: least(has.maximum),
        };
        Ok(setrlimit(resource, limits)?)
    }
}

#[cfg(not(unix))]
mod limits {
    /// Does nothing: there is the deadline alone.
    pub(super) fn apply(_memory_bytes: u64, _seconds: u64) -> std::io::Result<()> {
        Ok(())
    }
}
