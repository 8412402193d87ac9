//! Starting a child process, and its end.

use std::ffi::OsString;
use std::process::{Child as Process, Command, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{env, fmt, io};

use super::{ROLE, Role};
use crate::subprocess::{end_with_this_process, ended_within};

/// Variables of the environment that a child gets: places of files of this program, and of temporary ones. What else is there may
/// be a secret.
const VARIABLES: [&str; 10] = [
    "HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "RLM_SANDBOX_CACHE",
    "RLM_SANDBOX_RECORD",
    "CI",
    "TMPDIR",
    "PATH",
    "RUST_BACKTRACE",
    "RUST_LOG",
];

/// Time that a child may take to end by itself.
const PATIENCE: Duration = Duration::from_secs(3);

/// A child process. Dropping the last clone ends it.
#[derive(Clone, Debug)]
pub(crate) struct Child(Arc<Mutex<Running>>);

#[derive(Debug)]
struct Running(Process);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The end of a child process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended(pub(crate) ExitStatus);

impl Child {
    /// Returns the command that starts a child of this role: this program, as it was started.
    pub(crate) fn command(role: &Role) -> Command {
        let kept = |name: &str| Some((OsString::from(name), env::var_os(name)?));
        // Another file may have its name by now.
        let mut command = Command::new("/proc/self/exe");
        command
            .args(without_commands(env::args_os().skip(1)))
            .env_clear()
            .envs(VARIABLES.iter().filter_map(|name| kept(name)))
            .env(ROLE, role.to_string())
            // Each arena takes 64 MiB of address space.
            .env("MALLOC_ARENA_MAX", "2");
        end_with_this_process(&mut command);
        command
    }

    pub(crate) fn new(process: Process) -> Self {
        Self(Arc::new(Mutex::new(Running(process))))
    }

    /// Ends the process.
    pub(crate) fn kill(&self) {
        // It may have ended by itself.
        let _ = self.running().0.kill();
    }

    /// Passes an interrupt on.
    #[cfg(unix)]
    pub(crate) fn interrupt(&self) {
        use rustix::process::{Pid, Signal, kill_process};
        let id = i32::try_from(self.running().0.id()).ok();
        if let Some(id) = id.and_then(Pid::from_raw) {
            let _ = kill_process(id, Signal::INT);
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn interrupt(&self) {}

    /// Waits for the end of the process, which is killed if that takes long. Blocks.
    ///
    /// # Errors
    ///
    /// The system's.
    pub(crate) fn wait(&self) -> io::Result<Ended> {
        if let Some(ended) = self.ends_soon()? {
            return Ok(ended);
        }
        self.kill();
        self.running().0.wait().map(Ended)
    }

    /// Waits for the process to end by itself. Blocks. None if it runs on.
    ///
    /// # Errors
    ///
    /// The system's.
    pub(crate) fn ends_soon(&self) -> io::Result<Option<Ended>> {
        let ended = ended_within(PATIENCE, || self.running().0.try_wait());
        Ok(ended?.map(Ended))
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Running> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the arguments of this program without the commands of tools and of the model, which are run elsewhere and may hold keys.
fn without_commands(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    /// Stands for a command.
    const ELSEWHERE: &str = "-";
    let tool = |tool: &str| {
        let name = tool.split_once('=').map_or(tool, |(name, _)| name);
        format!("{name}={ELSEWHERE}")
    };
    let mut kept = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy().into_owned();
        kept.push(match text.split_once('=') {
            Some(("--tool", rest)) => format!("--tool={}", tool(rest)).into(),
            Some(("--llm-command", _)) => format!("--llm-command={ELSEWHERE}").into(),
            _ => argument,
        });
        match text.as_str() {
            "--" => kept.extend(arguments.by_ref()),
            // A script may be any text, and a file may have any name.
            "--code" | "--context" => kept.extend(arguments.next()),
            // `-c`, alone or behind other short options.
            short if takes_code(short) => kept.extend(arguments.next()),
            "--tool" => {
                let next = arguments.next();
                kept.extend(next.map(|next| tool(&next.to_string_lossy()).into()));
            }
            "--llm-command" => kept.extend(arguments.next().map(|_| ELSEWHERE.into())),
            _ => {}
        }
    }
    kept
}

/// Returns whether the code of a script is the argument after this one: `-c` stands alone in it, or behind `-v`.
fn takes_code(short: &str) -> bool {
    let options = short
        .strip_prefix('-')
        .and_then(|options| options.strip_suffix('c'));
    options.is_some_and(|others| others.chars().all(|other| other == 'v'))
}

impl Ended {
    /// Returns whether the process gave its own exit status and did not die.
    pub(crate) fn code(self) -> Option<u8> {
        u8::try_from(self.0.code()?).ok()
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remedy = match signal(self.0) {
            Some(SIGSYS) => "; it made a system call that no session makes",
            Some(SIGABRT) => {
                "; mostly there was no memory left for it, which a lower --memory, or a larger --isolated-memory, changes"
            }
            _ => "",
        };
        write!(
            f,
            "the isolated process of the session ended with {}{remedy}",
            self.0
        )
    }
}

const SIGABRT: i32 = 6;
const SIGSYS: i32 = 31;

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal()
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_gets_names_of_tools_and_no_commands() {
        let arguments = [
            ("exec", "exec"),
            ("--context", "--context"),
            ("-c", "-c"),
            ("--context", "--context"),
            ("--", "--"),
            ("--tool", "--tool"),
            ("f(a,b)=curl -H KEY", "f(a,b)=-"),
            ("--tool=g=KEY=KEY", "--tool=g=-"),
            ("--llm-command", "--llm-command"),
            ("KEY", "-"),
            ("--llm-command=KEY", "--llm-command=-"),
            ("-c", "-c"),
            ("--tool", "--tool"),
            ("-vc", "-vc"),
            ("--", "--"),
            ("-cabc", "-cabc"),
            ("--tool", "--tool"),
            ("h=KEY", "h=-"),
            ("--llm-command", "--llm-command"),
            ("KEY", "-"),
            ("--limit", "--limit"),
            ("calls=3", "calls=3"),
            ("--", "--"),
            ("--tool", "--tool"),
            ("file", "file"),
        ];
        let kept = without_commands(arguments.map(|(given, _)| OsString::from(given)));
        assert_eq!(kept, arguments.map(|(_, kept)| OsString::from(kept)));
    }
}
