//! `rlm-sandbox repl`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;
use rlm_sandbox::{Cause, Look, Profile, Session, State};

use crate::lines::{Input, Lines};
use crate::options::{Opener, SessionOptions};
use crate::outcome::{LimitsFrom, Runtime, run_until_interrupted, runtime, tell, tell_state};
use crate::saved::{SessionFile, Wait};
use crate::signals::InterruptHandler;
use crate::terminal::Terminal;
use crate::{Status, saved, usage};

/// Runs Python as it is typed, in one session
#[derive(Debug, Args)]
#[command(after_help = COMMANDS)]
pub(crate) struct Options {
    #[command(flatten)]
    made_of: SessionOptions,

    /// Begins with the session in this file; `:save FILE` writes it, the end does not
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,

    /// Fails at once where another process has the session in that file
    #[arg(long, requires = "session")]
    no_wait: bool,
}

const COMMANDS: &str = "Commands:
  :vars        lists the variables
  :save FILE   writes the session to a file
  :load FILE   goes on with the session in a file
  :fork        goes on in a copy of the session
  :back        goes back to the session that was forked
  :reset       empties the session
  :help        shows this
  :quit        ends, as exit() and Ctrl-D do

An empty line ends a block. Ctrl-C stops the script that runs, and the session stays as it was before it; or it breaks off
what is shown. Where input is no terminal, Ctrl-C between scripts ends the program.";

/// Lines that end it with status 0.
const EXITS: [&str; 12] = [
    "exit",
    "exit()",
    "exit(0)",
    "quit",
    "quit()",
    "quit(0)",
    "sys.exit()",
    "sys.exit(0)",
    "import sys; sys.exit()",
    "raise SystemExit",
    "raise SystemExit()",
    "raise SystemExit(0)",
];

/// Bytes of a repr that `:vars` shows.
const SHOWN_BYTES: u32 = 60;

/// What the commands work on.
pub(crate) struct Repl<'a> {
    terminal: &'a Terminal,
    opener: Opener,
    runtime: Runtime,
    session: Session,
    limits: LimitsFrom,
    /// The file that the session is of, which no other process has meanwhile.
    held: Option<SessionFile>,
    /// Sessions that were forked, the last one last.
    forked: Vec<Session>,
    /// The file that the session began with, while it holds another state than the session.
    unsaved: Unsaved,
}

/// A file that a session was read from.
#[derive(Debug, Default)]
struct Unsaved {
    file: Option<PathBuf>,
    is_changed: bool,
    /// True if `:save` wrote the file.
    is_saved: bool,
}

impl Options {
    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        let opener = self.made_of.opener(terminal, true, None)?;
        let wait = if self.no_wait { Wait::No } else { Wait::Yes };
        let file = self.session.as_deref();
        let file = file.map(|file| SessionFile::lock(file, wait, terminal));
        let file = file.transpose()?;
        let saved = file.as_ref().map(|file| file.read(&opener.sandbox));
        let saved = saved.transpose()?.flatten();
        if let (None, Some(path)) = (&saved, &self.session) {
            let path = path.display();
            terminal.error(&format!("{path} is not there yet: this session is empty\n"));
        }
        let session = opener.open(saved.as_ref())?;
        let runtime = runtime().context("cannot start the runtime")?;
        let mut repl = Repl::new(terminal, opener, runtime, session, LimitsFrom::Options);
        repl.unsaved.file = self.session;
        repl.held = file;
        repl.run()
    }
}

impl<'a> Repl<'a> {
    pub(crate) fn new(
        terminal: &'a Terminal,
        opener: Opener,
        runtime: Runtime,
        session: Session,
        limits: LimitsFrom,
    ) -> Self {
        Self {
            terminal,
            opener,
            runtime,
            session,
            limits,
            forked: Vec::new(),
            unsaved: Unsaved::default(),
            held: None,
        }
    }

    /// Does what is typed, until the end.
    pub(crate) fn run(mut self) -> Result<Status> {
        let terminal = self.terminal;
        let mut lines = Lines::new(terminal, saved::history())?;
        if terminal.is_typed {
            terminal.error("Python in a sandbox; :help lists commands, Ctrl-D ends\n");
        }
        let mut status = Status::Done;
        // A person's interrupt ends what is done, or its output, and never the session.
        let is_persons = terminal.is_typed && terminal.owns_signals;
        let _never_the_session = is_persons.then(InterruptHandler::new);
        while !terminal.is_closed() {
            let script = match lines.read(|script| self.is_wrong(script))? {
                Input::Script(script) => script,
                Input::Nothing => continue,
                Input::End => break,
            };
            if EXITS.contains(&script.trim()) {
                break;
            }
            let handler = is_persons.then(InterruptHandler::new);
            let typed = match script.trim() {
                "help" | "help()" => ":help",
                typed => typed,
            };
            let done = match typed.strip_prefix(':') {
                Some(command) => self.command(command),
                None => self.exec(&script).map(|ended| {
                    status = ended.unwrap_or(status);
                    ended.is_some()
                }),
            };
            match done {
                Ok(true) => break,
                Ok(false) => {}
                // The session is as it was; say why and go on.
                Err(error) => terminal.error(&format!("error: {error:#}\n")),
            }
            drop(handler);
            if terminal.take_broken_off() {
                terminal.end_line();
                terminal.error("[interrupted]\n");
            }
        }
        if let Unsaved {
            file: Some(file),
            is_changed: true,
            is_saved,
        } = &self.unsaved
        {
            let left = match (is_saved, file.exists()) {
                (true, _) => "is as `:save` left it",
                (false, true) => "is as it was before",
                (false, false) => "was not made",
            };
            terminal.error(&format!(
                "{file} {left}: only `:save {file}` writes the session\n",
                file = file.display()
            ));
        }
        Ok(status)
    }

    /// Returns whether a script with an open bracket has an error that nothing that follows mends.
    fn is_wrong(&self, script: &str) -> bool {
        // A long script is looked at when it is whole: each look reads all of it.
        const LOOKED_AT_BYTES: usize = 16 << 10;
        if script.len() > LOOKED_AT_BYTES {
            return false;
        }
        let (sandbox, profile) = (&self.opener.sandbox, Profile::default());
        let validated = sandbox.validate(script, &profile, &[], &[]);
        let Ok(validation) = self.runtime.block_on(validated) else {
            return false;
        };
        validation.exception.is_some_and(|exception| {
            let may_go_on = ["was never closed", "found `not`"];
            exception.cause == Cause::Syntax
                && !may_go_on
                    .iter()
                    .any(|words| exception.message.contains(words))
        })
    }

    /// Runs a script, and returns the status with which it ends the program, if it exited.
    fn exec(&mut self, script: &str) -> Result<Option<Status>> {
        let run = run_until_interrupted(&mut self.session, script, self.terminal);
        let outcome = self.runtime.block_on(run)?;
        tell(&outcome, self.limits, self.terminal);
        tell_state(&outcome, self.terminal);
        self.unsaved.is_changed |= outcome.state == State::Intact;
        let failed = outcome
            .exception()
            .is_some_and(|exception| exception.exit_code().is_some());
        Ok(match (outcome.exited, failed) {
            (true, _) => Some(Status::Done),
            (_, true) => Some(Status::Raised),
            _ => None,
        })
    }

    /// Says, after a change of the session, that the recording is of another one, if it is.
    fn say_what_is_recorded(&mut self) {
        if self.opener.records() && !self.session.is_recorded() {
            self.terminal.error(
                "--record is of the session that this began with: this one is not recorded\n",
            );
        }
    }

    /// Carries out a command; says whether it was the last one.
    fn command(&mut self, command: &str) -> Result<bool> {
        let (name, argument) = command.split_once(' ').unwrap_or((command, ""));
        let file = || match argument.trim() {
            "" => Err(usage(format!("write :{name} FILE"))),
            path if path.ends_with('/') => Err(usage(format!(
                "{path} is a folder; write :{name} {path}FILE"
            ))),
            path => Ok(from_home(path)),
        };
        if !matches!(name, "save" | "load")
            && COMMANDS.contains(&format!(":{name} "))
            && !argument.trim().is_empty()
        {
            return Err(usage(format!(":{name} takes no argument")));
        }
        match name {
            "vars" => {
                let look = Look::reprs(SHOWN_BYTES);
                let variables = self.runtime.block_on(self.session.variables(look))?;
                if variables.is_empty() {
                    self.say("there are no variables");
                }
                for variable in variables {
                    let line = format!("{}: {} = {}", variable.name, variable.kind, variable.repr);
                    self.terminal
                        .print(&format!("{}\n", line.replace('\n', " ")));
                }
            }
            "save" => {
                let path = &*file()?;
                let other = self.locked(path)?;
                let file = file_of(other.as_ref(), self.held.as_ref())?;
                file.check_replaceable()?;
                let parked = self
                    .runtime
                    .block_on(saved::snapshot(&mut self.session, self.terminal))?;
                file.write(&parked)?;
                // A file of another name is another copy.
                let is_own = self.unsaved.file.as_deref() == Some(path);
                self.unsaved.is_changed &= !is_own;
                self.unsaved.is_saved |= is_own;
                self.say(&format!("saved to {}", path.display()));
            }
            "load" => {
                let path = &*file()?;
                let other = self.locked(path)?;
                let file = file_of(other.as_ref(), self.held.as_ref())?;
                let Some(parked) = file.read(&self.opener.sandbox)? else {
                    return Err(usage(format!("there is no file {}", path.display())));
                };
                // Its own limits hold, whatever this one was opened with.
                self.session = self.opener.prepare(Some(&parked))?;
                if other.is_some() {
                    self.held = other;
                }
                self.say_what_is_recorded();
                self.say(&format!("loaded {}", path.display()));
            }
            "fork" => {
                let fork = self.runtime.block_on(self.session.fork())?;
                self.opener.watch(&fork);
                self.forked.push(std::mem::replace(&mut self.session, fork));
                self.say_what_is_recorded();
                self.say(&format!(
                    "this is session {}; :back goes back",
                    self.session.id()
                ));
            }
            "back" => {
                let Some(session) = self.forked.pop() else {
                    return Err(usage("no session was forked"));
                };
                self.opener.watch(&session);
                self.session = session;
                self.say(&format!("this is session {}", self.session.id()));
            }
            "reset" => {
                self.session.reset()?;
                self.say("the session is empty");
            }
            "help" => self.say(COMMANDS),
            "quit" | "q" | "exit" => return Ok(true),
            _ => {
                return Err(usage(format!(
                    "there is no command :{name}; :help lists them"
                )));
            }
        }
        Ok(false)
    }

    /// Locks a file; none if it is the one that this process has already.
    fn locked(&self, path: &Path) -> Result<Option<SessionFile>> {
        match &self.held {
            Some(held) if held.is_at(path) => Ok(None),
            _ => SessionFile::lock(path, self.wait(), self.terminal).map(Some),
        }
    }

    /// The behavior while another process has a file: where a person types, Ctrl-C leads back to
    /// the prompt, so that the session is not lost; else it ends the process.
    fn wait(&self) -> Wait {
        match self.terminal.is_typed {
            true => Wait::UntilInterrupted,
            false => Wait::Yes,
        }
    }

    fn say(&self, text: &str) {
        self.terminal.error(&format!("{text}\n"));
    }
}

/// Returns a path in which `~/` stands for the folder of the user, as in a shell.
fn from_home(path: &str) -> PathBuf {
    let home = path.strip_prefix("~/").zip(std::env::var_os("HOME"));
    home.map_or_else(
        || PathBuf::from(path),
        |(rest, home)| Path::new(&home).join(rest),
    )
}

/// Returns the file that was locked now, or the one that this process has already.
fn file_of<'s>(
    locked: Option<&'s SessionFile>,
    held: Option<&'s SessionFile>,
) -> Result<&'s SessionFile> {
    locked.or(held).context("the session has no file")
}
