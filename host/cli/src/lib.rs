//! The command line of rlm-sandbox.
//!
//! [`run`] is the whole program, with its streams as arguments, so that tests
//! call it in process. Each command is a file: its options, whose comments are
//! its help, and its `run`.

mod branch;
mod compile;
mod compiler;
mod context;
mod dspy_runner;
mod exec;
mod files;
mod instructions;
mod isolation;
mod journal;
mod limit;
mod lines;
mod mcp;
mod memory;
mod migrate;
mod options;
mod outcome;
mod plain;
mod plugin;
mod profile;
mod queued;
mod record;
mod repl;
mod replay;
mod sandbox;
mod saved;
mod signals;
mod subprocess;
mod terminal;
mod validate;
mod verbose;
mod version;
mod wire;
mod worker;

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand};
use rlm_sandbox::ErrorKind;

pub use terminal::Terminal;

/// Runs untrusted Python inside WebAssembly.
#[derive(Debug, Parser)]
#[command(name = "rlm-sandbox", version, arg_required_else_help = true, after_help = EXIT_STATUS)]
struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// Passes control characters of scripts and files to a terminal, which shows
    /// them escaped otherwise
    #[arg(long, global = true)]
    raw: bool,

    /// Writes what happens inside to standard error: executions, and what scripts log; twice for calls, too
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

const EXIT_STATUS: &str = "Exit status: 0 done, 1 the script raised or did not parse, 2 bad usage or unreadable \
input, 3 the script was stopped at a limit or crashed the interpreter, 4 the sandbox itself failed, 130 interrupted.";

#[derive(Debug, Subcommand)]
enum Command {
    #[command(visible_alias = "run")]
    Exec(Box<exec::Options>),
    Repl(Box<repl::Options>),
    Replay(Box<replay::Options>),
    Branch(Box<branch::Options>),
    Journal(journal::Options),
    Validate(Box<validate::Options>),
    Instructions(instructions::Options),
    Plugin(plugin::Options),
    Migrate(migrate::Options),
    Compile(compile::Options),
    #[command(hide = true)]
    CompilePlugin(compiler::Options),
    Worker(worker::Options),
    DspyRunner(Box<dspy_runner::Options>),
    Mcp(Box<mcp::Options>),
    Version(version::Options),
}

impl Command {
    /// Returns whether it serves a client, which need not read standard error.
    fn is_server(&self) -> bool {
        matches!(self, Self::Worker(_) | Self::DspyRunner(_) | Self::Mcp(_))
    }

    /// Returns whether standard output is to have JSON, also after a failure.
    fn is_json(&self) -> bool {
        match self {
            Self::Exec(options) => options.is_json(),
            Self::Plugin(options) => options.is_json(),
            Self::Branch(options) => options.is_json(),
            Self::Journal(options) => options.is_json(),
            _ => false,
        }
    }
}

/// How a command ends, as an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum Status {
    Done = 0,
    Raised = 1,
    Usage = 2,
    Stopped = 3,
    Sandbox = 4,
    Interrupted = 130,
}

impl Status {
    /// Returns the status that a process of this program ended with; none if it ended otherwise.
    fn of_code(code: u8) -> Option<Self> {
        use Status::{Done, Interrupted, Raised, Sandbox, Stopped, Usage};
        [Done, Raised, Usage, Stopped, Sandbox, Interrupted]
            .into_iter()
            .find(|status| *status as u8 == code)
    }
}

/// A mistake of the person at the keyboard, told apart from other errors by
/// its exit status.
#[derive(Debug)]
struct UsageError(String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Bytes of one file that is read whole.
pub(crate) const FILE_BYTES: u64 = 512 << 20;

/// Reads a file that the operator named.
fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_up_to(path, FILE_BYTES)
}

/// Reads a file that the operator named, of at most so many bytes.
fn read_up_to(path: &Path, most_bytes: u64) -> anyhow::Result<Vec<u8>> {
    let read = read_file(path, most_bytes);
    read.map_err(|error| usage(format!("cannot read {}: {error}", path.display())))
}

/// Reads a file that the operator named, of at most so many bytes. A pipe is waited for only if it is one of
/// this process's own, named by its descriptor as in a shell's `<(command)`; a path may lead to what
/// other people prepared, who need not write anything.
///
/// # Errors
///
/// The system's; `InvalidInput` for what is no regular file, and `WouldBlock` for one that has
/// nothing yet, as `/proc/kmsg`.
fn read_file(path: &Path, most_bytes: u64) -> std::io::Result<Vec<u8>> {
    use std::io::{Error, ErrorKind};
    if is_own(path) {
        let file = open_own(path)?;
        let about = file.metadata()?;
        return match about.is_file() || is_pipe(&about) {
            true => rlm_sandbox_files::read_to_end(&file, most_bytes),
            false => Err(Error::new(
                ErrorKind::InvalidInput,
                "not a regular file or pipe",
            )),
        };
    }
    let read = rlm_sandbox_files::open(path, rlm_sandbox_files::Links::Follow).and_then(|file| {
        memory::never_wait(&file)?;
        rlm_sandbox_files::read_to_end(&file, most_bytes)
    });
    read.map_err(|error| match error.kind() {
        ErrorKind::InvalidInput if std::fs::metadata(path).is_ok_and(|about| is_pipe(&about)) => {
            Error::new(
                ErrorKind::InvalidInput,
                "a named pipe is not waited for; redirect it to standard input and write -",
            )
        }
        ErrorKind::WouldBlock => Error::new(
            ErrorKind::WouldBlock,
            "it has nothing to read yet, and is not waited for",
        ),
        _ => error,
    })
}

/// Opens a file of this process by its descriptor. A named pipe whose writers have closed it has
/// what they wrote, and opening it would wait for another one; only reads wait.
#[cfg(unix)]
fn open_own(path: &Path) -> std::io::Result<std::fs::File> {
    use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl, open};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    let file = open(path, flags, Mode::empty())?;
    let flags = fcntl_getfl(&file)?;
    fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
    Ok(file.into())
}

#[cfg(not(unix))]
fn open_own(path: &Path) -> std::io::Result<std::fs::File> {
    std::fs::File::open(path)
}

/// Returns whether a path names an open file of this process by its descriptor, as it is written.
fn is_own(path: &Path) -> bool {
    if path == Path::new("/dev/stdin") {
        return true;
    }
    let folders = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"].map(Path::new);
    let number = folders
        .iter()
        .find_map(|folder| path.strip_prefix(folder).ok());
    let number = number.and_then(Path::to_str).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(unix)]
fn is_pipe(about: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    about.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_about: &std::fs::Metadata) -> bool {
    false
}

/// An error that ends with status 2.
fn usage(message: impl Into<String>) -> anyhow::Error {
    UsageError(message.into()).into()
}

/// Runs the program and gives its exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>, mut terminal: Terminal) -> u8 {
    let status = run_in(arguments, &mut terminal);
    terminal.settle_errors();
    status
}

/// Returns how to run the script that was given where a command is expected.
fn script_for_a_command(error: &clap::Error) -> Option<String> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word),
        _ => None,
    };
    match (
        word(ContextKind::InvalidSubcommand),
        word(ContextKind::InvalidArg),
    ) {
        (Some(file), _) if Path::new(file).is_file() => Some(format!("exec {file}")),
        (None, Some(option)) if option == "-c" => Some(String::from("exec -c CODE")),
        _ => None,
    }
}

fn run_in(arguments: impl IntoIterator<Item = OsString>, terminal: &mut Terminal) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let text = error.render().to_string();
            if error.use_stderr() {
                terminal.error(&text);
                if let Some(script) = script_for_a_command(&error) {
                    terminal.error(&format!("To run a script: rlm-sandbox {script}\n"));
                }
                return Status::Usage as u8;
            }
            terminal.print(&text);
            return Status::Done as u8;
        }
    };
    terminal.is_raw = arguments.raw;
    if terminal.owns_signals && arguments.command.is_server() {
        // Without a thread it waits.
        let _ = terminal.queue_errors();
    }
    if arguments.verbose > 0 {
        verbose::enable(terminal, arguments.verbose);
    }
    let is_json = arguments.command.is_json();
    if terminal.owns_signals {
        isolation::begin();
        compiler::enable();
    }
    if terminal.owns_signals
        && (arguments.command.is_server() || isolation::is_isolated())
        && let Err(error) = isolation::check_threads()
    {
        terminal.error(&format!(
            "error: the system gives this process too few threads: {error}; see ulimit -u\n"
        ));
        return Status::Sandbox as u8;
    }
    if terminal.owns_signals
        && let Err(error) = signals::watch()
    {
        // What runs scripts would panic.
        if signals::is_for_lack_of_descriptors(&error) {
            terminal.error(&format!("error: cannot begin: {error}; see ulimit -n\n"));
            return Status::Sandbox as u8;
        }
        terminal.error(&format!("warning: signals are not handled: {error}\n"));
    }
    let result = match arguments.command {
        Command::Exec(options) => options.run(terminal),
        Command::Repl(options) => options.run(terminal),
        Command::Replay(options) => options.run(terminal),
        Command::Branch(options) => options.run(terminal),
        Command::Journal(options) => options.run(terminal),
        Command::Validate(options) => options.run(terminal),
        Command::Instructions(options) => options.run(terminal),
        Command::Plugin(options) => options.run(terminal),
        Command::Migrate(options) => options.run(terminal),
        Command::Compile(options) => options.run(terminal),
        Command::CompilePlugin(options) => options.run(terminal),
        Command::Worker(options) => options.run(terminal),
        Command::DspyRunner(options) => options.run(terminal),
        Command::Mcp(options) => options.run(terminal),
        Command::Version(options) => options.run(terminal, arguments.verbose > 0),
    };
    let status = result.unwrap_or_else(|error| {
        let mut text = format!("error: {error}\n");
        for cause in error.chain().skip(1) {
            text.push_str(&format!("  because: {cause}\n"));
        }
        if isolation::is_isolated() && text.contains("this machine refuses another instance") {
            text.push_str("  the isolated process has no more memory; give it more with --isolated-memory, or leave that out\n");
        }
        let status = status_of(&error);
        if is_json && !terminal.has_printed() {
            terminal.print_json(&failure(&error, status));
        }
        terminal.error(&text);
        status
    });
    if terminal.owns_signals {
        signals::end_all();
    }
    if let Some(error) = terminal.failure() {
        terminal.error(&format!(
            "error: standard output cannot be written: {error}; what was not written is lost\n"
        ));
        return Status::Sandbox as u8;
    }
    status as u8
}

/// Returns a failure as `--json` shows it.
fn failure(error: &anyhow::Error, status: Status) -> serde_json::Value {
    serde_json::json!({
        "success": false,
        "error": format!("{error:#}"),
        "error_kind": match status {
            _ if error.is::<isolation::Died>() => "process_ended",
            Status::Usage => "usage",
            Status::Interrupted => "canceled",
            Status::Stopped => "limit",
            Status::Done | Status::Raised | Status::Sandbox => "host_error",
        },
    })
}

fn status_of(error: &anyhow::Error) -> Status {
    if error.is::<isolation::Died>() {
        return Status::Stopped;
    }
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let of_usage = cause.is::<UsageError>().then_some(ErrorKind::Usage);
        let error = cause.downcast_ref::<rlm_sandbox::Error>();
        of_usage.or(error.map(rlm_sandbox::Error::kind))
    };
    let mut kinds = error.chain().filter_map(kind);
    match kinds.next() {
        Some(ErrorKind::Usage | ErrorKind::Journal | ErrorKind::Parked) => Status::Usage,
        Some(ErrorKind::Limit) => Status::Stopped,
        Some(ErrorKind::Diverged) => Status::Raised,
        _ => Status::Sandbox,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_this_process_are_named_by_a_descriptor() {
        for path in [
            "/dev/stdin",
            "/dev/fd/63",
            "/proc/self/fd/0",
            "/proc/thread-self/fd/7",
        ] {
            assert!(is_own(Path::new(path)), "{path}");
        }
        for path in [
            "stdin",
            "/dev/zero",
            "/dev/fd",
            "/dev/fd/",
            "/dev/fd/../../tmp/pipe",
            "/dev/fd/3/pipe",
            "/proc/1/fd/0",
            "/tmp/dev/fd/3",
            "",
        ] {
            assert!(!is_own(Path::new(path)), "{path}");
        }
    }
}
