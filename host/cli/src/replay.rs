//! `rlm-sandbox replay`.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use rlm_sandbox::{Journal, Replayed, Verdict};

use crate::journal::{ReaderOptions, count, name_of, run_branches};
use crate::limit::LimitOptions;
use crate::options::{HandlerOptions, Opener};
use crate::outcome::{LimitsFrom, runtime};
use crate::repl::Repl;
use crate::sandbox::SandboxOptions;
use crate::terminal::Terminal;
use crate::{Status, sandbox, status_of, usage};

/// Runs a recorded session again and compares every call, outcome and unit of fuel
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// What `exec --record` wrote
    file: PathBuf,

    /// Stops just before this exec, counted from 0
    #[arg(long, value_name = "N")]
    until: Option<u64>,

    /// Replays the branches that were recorded of the run as well, each with what it begins in
    #[arg(long, conflicts_with_all = ["repl", "until"])]
    branches: bool,

    /// Goes on by hand from there, or from the end, with the tools, the plugins and the model given here
    #[arg(long)]
    repl: bool,

    #[command(flatten)]
    lowered: LoweredOptions,

    /// Compares everything but fuel, for another version of the engine
    #[arg(long, conflicts_with_all = ["repl", "until"])]
    ignore_fuel: bool,

    #[command(flatten)]
    reader: ReaderOptions,

    #[command(flatten)]
    handlers: HandlerOptions,

    #[command(flatten)]
    sandbox: SandboxOptions,
}

/// Limits of the session that `--repl` hands back, at most.
#[derive(Debug, Args)]
struct LoweredOptions {
    /// Lowers the compute time of what is typed [default: as recorded, within the reader's limit]
    #[arg(long, value_name = "DURATION", requires = "repl")]
    timeout: Option<String>,

    /// Lowers the memory of what is typed [default: as recorded, within the reader's limit]
    #[arg(long, value_name = "SIZE", requires = "repl")]
    memory: Option<String>,

    /// Lowers the fuel of what is typed [default: as recorded]
    #[arg(long, value_name = "N", requires = "repl")]
    fuel: Option<String>,

    /// Lowers any other limit of what is typed, but recursion; a wrong NAME lists them
    ///
    /// A value above the recorded one changes nothing, and what is typed ends at most 16 MiB past
    /// a lowered limit on memory. The replay up to there keeps to the recorded limits, or nothing
    /// in it would be identical; `--reader-limit` bounds it.
    #[arg(long, value_name = "NAME=VALUE", requires = "repl")]
    limit: Vec<String>,
}

impl From<LoweredOptions> for LimitOptions {
    fn from(lowered: LoweredOptions) -> Self {
        Self {
            timeout: lowered.timeout,
            memory: lowered.memory,
            fuel: lowered.fuel,
            limit: lowered.limit,
        }
    }
}

const EXAMPLES: &str = "Examples:
  rlm-sandbox exec --record run.jsonl -c 'import random; random.random()'
  rlm-sandbox replay run.jsonl
  rlm-sandbox replay run.jsonl --branches
  rlm-sandbox replay run.jsonl --until 0 --repl
  rlm-sandbox replay run.jsonl --repl --timeout 1s --memory 32MiB --limit output=100KiB

Exit status: 0 identical, 1 something differs, 2 bad usage, or a journal that cannot be replayed here, 3 the
journal has no end or an exec that nothing can repeat, 4 the sandbox itself failed; the largest of them with --branches.";

impl Options {
    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        if let Some(option) = self.handlers.first().filter(|_| !self.repl) {
            return Err(usage(format!(
                "a replay takes all answers from the recording: {option} needs --repl, which goes on from there"
            )));
        }
        let reader = self.reader.tree()?;
        let journal = reader.open(&self.file)?;
        let branches = match self.branches {
            true => run_branches(&journal)?,
            false => Vec::new(),
        };
        if self
            .lowered
            .limit
            .iter()
            .any(|limit| limit.starts_with("recursion="))
        {
            return Err(usage(
                "--limit recursion: a recorded session keeps its recursion limit; leave that out",
            ));
        }
        let (lowered, all) = LimitOptions::from(self.lowered).read(journal.limits())?;
        let sandbox = sandbox::load(self.sandbox, all, terminal)?;
        let runtime = runtime().context("cannot start the runtime")?;
        let first = journal.first_exec();
        let last = first + journal.sources().count() as u64;
        let until = self.until.unwrap_or(last);
        if until > last {
            let from = match first {
                0 => String::new(),
                first => format!(", from exec {first} on"),
            };
            return Err(usage(format!(
                "{} has {}{from}; choose one of them with --until",
                self.file.display(),
                count(last - first, "exec")
            )));
        }
        if self.repl {
            let opener = Opener::new(sandbox, self.handlers, terminal)?;
            let journal = journal.lower_limits(lowered);
            let mut session = runtime.block_on(journal.until(until, opener.builder()))?;
            opener.watch(&session);
            let shown = |exec: u64| {
                let at = exec.checked_sub(first)? as usize;
                let source = journal.sources().nth(at)?;
                Some(source.trim_end().replace('\n', "\n| "))
            };
            if session.is_waiting() {
                // The process that recorded it died in a call.
                runtime.block_on(session.abandon())?;
                let exec = until.saturating_sub(1);
                let source = shown(exec).unwrap_or_default();
                terminal.error(&format!(
                    "exec {exec} waited for a call when the recording ended, and is undone; it was\n| {source}\n"
                ));
            }
            if let Some(source) = shown(until) {
                terminal.error(&format!("exec {until} comes next; it was\n| {source}\n"));
            }
            return Repl::new(terminal, opener, runtime, session, LimitsFrom::Recording).run();
        }
        let replay = |journal: &Journal| {
            runtime.block_on(async {
                match (self.ignore_fuel, self.until) {
                    (true, _) => journal.replay_ignoring_fuel(&sandbox).await,
                    (false, Some(exec)) => journal.replay_until(exec, &sandbox).await,
                    (false, None) => journal.replay(&sandbox).await,
                }
            })
        };
        let begins_with = journal.begins_with();
        let steps = journal.steps_of_run();
        let (text, mut worst) = described(&replay(&journal)?, self.until, begins_with, steps);
        if !self.branches {
            terminal.print(&text);
            return Ok(worst);
        }
        terminal.print(&format!("run: {text}"));
        for path in branches {
            // One at a time: each holds the recordings that it begins in.
            let replayed = reader
                .branch(&path)
                .and_then(|branch| Ok((replay(&branch)?, branch.steps_of_run())));
            let (text, status) = match &replayed {
                Ok((replayed, steps)) => described(replayed, None, begins_with, *steps),
                Err(error) => (format!("{error:#}\n"), status_of(error)),
            };
            terminal.print(&format!("{}: {text}", name_of(&path)));
            worst = worst.max(status);
        }
        Ok(worst)
    }
}

/// Returns the lines that say what came of a replay, and the exit status.
fn described(
    replayed: &Replayed,
    until: Option<u64>,
    begins_with: Option<&str>,
    steps_of_run: u64,
) -> (String, Status) {
    let mut counted = format!(
        "{}, {}, {} fuel",
        count(replayed.execs, "exec"),
        count(replayed.calls, "call"),
        replayed.fuel
    );
    if replayed.left_out > 0 {
        // What they gave is not compared.
        let left_out = count(replayed.left_out, "inspection");
        counted.push_str(&format!(", {left_out} left out that nothing can repeat"));
    }
    if let Some(digest) = begins_with {
        counted.push_str(&format!(
            "; it begins with a saved session, whose content is not compared (SHA-256 {digest})"
        ));
    }
    if steps_of_run > 0 {
        counted.push_str(&format!(
            ", beginning before {} of the run ahead of its execution, no part of the branch",
            count(steps_of_run, "step")
        ));
    }
    match &replayed.verdict {
        Verdict::Identical => {
            let up_to = until.map(|exec| format!(" up to exec {exec}"));
            let text = format!("identical{}: {counted}\n", up_to.unwrap_or_default());
            (text, Status::Done)
        }
        Verdict::Diverged(divergence) => {
            let text = format!("different: {divergence}\n  replayed  {counted}\n");
            (text, Status::Raised)
        }
        Verdict::NotReplayable { exec, why } => {
            let text = format!(
                "identical up to exec {exec}, and not replayable past it: {why} ({counted})\n"
            );
            (text, Status::Stopped)
        }
        Verdict::ReaderLimit { limit, exec } => {
            let place = exec.map_or_else(
                || String::from("before the first exec"),
                |exec| format!("in exec {exec}"),
            );
            let text = format!(
                "reader-limit: replaying it took more than the reader's limit `{limit}` {place}; raise it with \
                 --reader-limit {limit}=… if you trust the file ({counted})\n"
            );
            (text, Status::Stopped)
        }
        Verdict::Unfinished => {
            let text = format!(
                "identical as far as it goes, but the journal has no end: the process that wrote it died or \
                 recorded no further, or lines were cut off ({counted})\n"
            );
            (text, Status::Stopped)
        }
        _ => (format!("not replayed ({counted})\n"), Status::Stopped),
    }
}
