//! `rlm-sandbox exec`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;
use rlm_sandbox::{Ending, Outcome, Parked, Sandbox, Stop};

use crate::isolation::{self, Broker, IsolationOptions, PIPE_KEY, supervise};
use crate::options::SessionOptions;
use crate::outcome::{
    LimitsFrom, Runtime, run_until_interrupted, runtime, status, tell, tell_state,
};
use crate::saved::{self, SessionFile, Wait};
use crate::terminal::Terminal;
use crate::{Status, read, usage};

/// Runs a Python script in a sandbox of its own
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The script itself
    #[arg(
        short,
        long,
        value_name = "CODE",
        conflicts_with = "file",
        allow_hyphen_values = true
    )]
    code: Option<String>,

    /// A file with the script; `-` is standard input
    file: Option<PathBuf>,

    /// Goes on with the session in this file, and saves it there again; begins
    /// one if there is no such file
    ///
    /// The session keeps its limits: --memory, --fuel and --limit of a later invocation hold from then on, its --timeout for its
    /// own script alone. The file is sealed with a key of this user (`rlm-sandbox/session.key` in XDG_STATE_HOME); other users
    /// cannot restore it.
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,

    /// Fails at once where another process has the session in that file
    #[arg(long, requires = "session")]
    no_wait: bool,

    #[command(flatten)]
    made_of: SessionOptions,

    #[command(flatten)]
    isolation: IsolationOptions,

    /// Prints the outcome as one line of JSON, in the format of the profile
    #[arg(long)]
    json: bool,

    /// Prints what a model would be shown of the outcome
    #[arg(long, conflicts_with = "json")]
    view: bool,

    /// Says on standard error what was rewritten so that the script could run
    #[arg(long)]
    show_rewrites: bool,
}

const EXAMPLES: &str = "Examples:
  rlm-sandbox exec -c '2 ** 100'
  rlm-sandbox exec --context server.log -c 'len(context.splitlines())'
  rlm-sandbox exec --context notes.txt --llm-command 'my-llm' -c 'llm_query(f\"Summarize: {context}\")'
  rlm-sandbox exec --session work.session -c 'x = 1'

Exit status: 0 done, 1 the script raised or did not parse, 2 bad usage or unreadable input, 3 stopped at a limit (or
the interpreter crashed), 4 the sandbox itself failed, 130 interrupted.";

impl Options {
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        let runtime = runtime().context("cannot start the runtime")?;
        let broker = Broker::of_process(&runtime, terminal)?;
        if self.code.is_none() && self.file.as_deref() == Some(Path::new("-")) {
            self.made_of.leave_input_to("the script")?;
        }
        if self.isolation.is_wanted()? && broker.is_none() {
            return self.run_isolated(&runtime, terminal);
        }
        let script = script(self.code.as_deref(), self.file.as_deref(), terminal)?;
        let is_quiet = self.json || self.view;
        let opener = self.made_of.opener(terminal, !is_quiet, broker.as_ref())?;
        let store = match (&self.session, &broker) {
            (None, _) => None,
            (Some(_), Some(broker)) => Some(Store::Parent(broker.clone())),
            (Some(path), None) => Some(Store::File(lock(path, self.no_wait, terminal)?)),
        };
        let saved = match &store {
            Some(store) => store.read(&opener.sandbox, &runtime)?,
            None => None,
        };
        if broker.is_some() {
            isolation::check(opener.plugins())?;
        }
        let mut session = opener.open(saved.as_ref())?;
        if store.is_some() {
            // Its state is saved, also where the reader of its output has gone.
            opener.watch_none();
        }
        if broker.is_some() {
            let seal = self.isolation.seal(0);
            seal.close(&mut session, opener.plugins(), &runtime.handle())?;
        }
        let ran = runtime.block_on(run_until_interrupted(&mut session, &script, terminal));
        let outcome = match &saved {
            // Nothing has replaced the file.
            Some(_) if session.is_lost() => ran.context(
                "the saved session cannot be taken up under these limits; its file is whole: give it more --memory",
            )?,
            _ => ran?,
        };
        let outcome = with_line_of(&script, outcome);
        let outcome = match &self.file {
            Some(path) if path.as_os_str() != "-" => with_name_of(path, outcome, store.is_none()),
            _ => outcome,
        };
        if let Some(saved) = &saved {
            // `--timeout` is of this script.
            session.set_time_limit(saved.own_time().0);
        }
        // What happened is told even if it cannot be kept, and kept even if it cannot be told.
        let saved = match &store {
            Some(store) => runtime
                .block_on(saved::snapshot(&mut session, terminal))
                .and_then(|parked| store.write(&parked, &runtime)),
            None => Ok(()),
        };
        let report = match self.json {
            true => Some(runtime.block_on(session.report(&outcome))?),
            false => None,
        };
        let is_cut_off = matches!(outcome.ending, Ending::Stopped(Stop::Canceled, _));
        if terminal.is_closed() && is_cut_off && store.is_none() {
            // The reader of its output has gone, as that of any program in a pipe.
            return saved.map(|()| Status::Done);
        }
        if self.show_rewrites {
            for rewrite in &outcome.rewrites {
                let (line, column) = (rewrite.line, rewrite.column);
                terminal.error(&format!(
                    "[rewritten at {line}:{column}: {}]\n",
                    rewrite.rule
                ));
            }
        }
        if let Some(report) = report {
            terminal.print(&format!("{report}\n"));
        } else if self.view {
            terminal.print(&format!("{}\n", session.view(&outcome)));
        } else {
            tell(&outcome, LimitsFrom::Options, terminal);
            if self.session.is_some() {
                tell_state(&outcome, terminal);
            }
        }
        saved.map(|()| status(&outcome))
    }

    /// Runs the script in a process of its own, which this one waits for and runs commands for.
    fn run_isolated(&self, runtime: &Runtime, terminal: &Terminal) -> Result<Status> {
        self.made_of.check_isolated()?;
        let file = match &self.session {
            Some(path) => Some(lock(path, self.no_wait, terminal)?),
            None => None,
        };
        let is_saved = file.as_ref().is_some_and(SessionFile::exists);
        let (commands, limits) = self.made_of.commands(terminal, is_saved)?;
        supervise(&commands, limits, file.as_ref(), runtime, terminal)
    }
}

/// The place of a saved session.
enum Store {
    File(SessionFile),
    /// The process that started this one has the file.
    Parent(Broker),
}

impl Store {
    fn read(&self, sandbox: &Sandbox, runtime: &Runtime) -> Result<Option<Parked>> {
        match self {
            Self::File(file) => file.read(sandbox),
            Self::Parent(broker) => {
                let bytes = runtime.block_on(broker.session())?;
                let parked = bytes.map(|bytes| Parked::from_bytes(sandbox, &bytes, PIPE_KEY));
                parked
                    .transpose()
                    .map_err(|error| usage(format!("the saved session: {error}")))
            }
        }
    }

    fn write(&self, parked: &Parked, runtime: &Runtime) -> Result<()> {
        match self {
            Self::File(file) => file.write(parked),
            Self::Parent(broker) => runtime.block_on(broker.save(parked)),
        }
    }
}

fn lock(path: &Path, no_wait: bool, terminal: &Terminal) -> Result<SessionFile> {
    let wait = if no_wait { Wait::No } else { Wait::Yes };
    let file = SessionFile::lock(path, wait, terminal)?;
    // Nothing runs that could not be saved for want of a key.
    saved::key()?;
    Ok(file)
}

/// The first line of a traceback.
const TRACEBACK: &str = "Traceback (most recent call last):\n";

/// Divides the text of an exception into lines, each with whether it is one of the frames of a traceback: those of the
/// exception, or of one before it.
fn lines_of(text: &str) -> Vec<(&str, bool)> {
    let ends = ["exception:\n\n", "occurred:\n\n"];
    let (mut at, mut in_frames) = (0, false);
    let lines = text.split_inclusive('\n').map(|line| {
        let before = &text[..at];
        let is_first =
            line == TRACEBACK && (at == 0 || ends.iter().any(|end| before.ends_with(end)));
        // What follows the frames is the exception's text, which may be anything.
        in_frames = is_first || (in_frames || at == 0) && line.starts_with("  ");
        at += line.len();
        (line, in_frames)
    });
    lines.collect()
}

/// Returns the outcome with the text of the line at which a script was seen last, if that is all that is known.
fn with_line_of(script: &str, mut outcome: Outcome) -> Outcome {
    let (Ending::Stopped(_, exception) | Ending::Crashed(exception)) = &mut outcome.ending else {
        return outcome;
    };
    let shown = exception
        .traceback
        .strip_prefix("Traceback (last seen at line ")
        .and_then(|rest| {
            let number = rest.split_once(')')?.0.parse::<usize>().ok()?;
            let text = script.lines().nth(number.checked_sub(1)?)?.trim();
            let frame_end = exception.traceback.match_indices('\n').nth(1)?.0;
            let (frame, rest) = exception.traceback.split_at(frame_end);
            Some(format!("{frame}\n    {text}{rest}"))
        });
    exception.traceback = shown.unwrap_or_else(|| exception.traceback.clone());
    outcome
}

/// Returns the outcome with the name of the script's file in its traceback. In a session, other scripts keep theirs,
/// and so does the one of which all that is known is a line.
fn with_name_of(path: &Path, mut outcome: Outcome, is_first: bool) -> Outcome {
    let (Ending::Raised(exception) | Ending::Stopped(_, exception) | Ending::Crashed(exception)) =
        &mut outcome.ending
    else {
        return outcome;
    };
    if !is_first && exception.traceback.starts_with("Traceback (last seen") {
        return outcome;
    }
    // The script is the last input of its session.
    let last = |line: &str| {
        let number = line.trim_start().strip_prefix("File \"<python-input-")?;
        number.split_once(">\"")?.0.parse::<u64>().ok()
    };
    let lines = lines_of(&exception.traceback);
    let frames = lines.iter().filter(|(_, is_frame)| *is_frame);
    let Some(last) = frames.filter_map(|(line, _)| last(line)).max() else {
        return outcome;
    };
    let name = format!("File \"{}\"", path.display());
    let frame = format!("File \"<python-input-{last}>\"");
    let shown: String = lines
        .iter()
        .map(
            |(line, is_frame)| match *is_frame && line.trim_start().starts_with(&frame) {
                true => line.replacen(&frame, &name, 1),
                false => (*line).to_owned(),
            },
        )
        .collect();
    exception.traceback = shown;
    outcome
}

/// The script that the options name.
pub(crate) fn script(
    code: Option<&str>,
    file: Option<&Path>,
    terminal: &Terminal,
) -> Result<String> {
    let bytes = match (code, file) {
        (Some(code), _) => return Ok(code.to_owned()),
        (None, None) => {
            return Err(usage(
                "there is no script; give -c CODE, a FILE, or - for standard input",
            ));
        }
        (None, Some(path)) if path.as_os_str() == "-" => {
            terminal.read().context("cannot read standard input")?
        }
        (None, Some(path)) => read(path).map_err(|error| match path.exists() {
            true => error,
            false => usage(format!("{error}; `-c CODE` takes the script itself")),
        })?,
    };
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
        let name = match file.filter(|file| file.as_os_str() != "-") {
            Some(file) => format!(", {},", file.display()),
            None => String::from(" on standard input"),
        };
        usage(format!(
            "the script{name} is not UTF-8: line {line} has other bytes; save it as UTF-8"
        ))
    })
}
