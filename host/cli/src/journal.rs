//! `rlm-sandbox journal`.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::{Args, Subcommand};
use rlm_sandbox::{Journal, ReaderLimits};
use serde::Serialize;

use crate::terminal::Terminal;
use crate::{Status, status_of, usage};

/// Caps above the limits that a journal names.
#[derive(Debug, Args)]
pub(crate) struct ReaderOptions {
    /// Raises or lowers what reading and replaying a journal may take: file=SIZE,
    /// line=SIZE, lines=N, data=SIZE, time=DURATION, memory=SIZE, text=SIZE, open-calls=N, calls=N,
    /// model-calls=N
    ///
    /// A replay runs under the limits that the journal names, which may be any;
    /// these hold whatever it names. Defaults: file=512MiB, line=64MiB, lines=2000000,
    /// data=256MiB, time=15m, memory=1GiB, text=64MiB, open-calls=4096; of a session that goes on from there,
    /// calls=100000 for each exec, model-calls=1000 in all. A run and its branches share the time.
    #[arg(long = "reader-limit", value_name = "NAME=VALUE")]
    limits: Vec<String>,
}

impl ReaderOptions {
    /// Opens a journal under these limits.
    pub(crate) fn open(&self, file: impl Into<PathBuf>) -> Result<Journal> {
        Ok(Journal::open_with(file, self.limits()?)?)
    }

    /// Begins to read a run and its branches.
    pub(crate) fn tree(&self) -> Result<TreeReader> {
        Ok(TreeReader {
            limits: self.limits()?,
            since: Instant::now(),
        })
    }

    /// Returns the limits.
    ///
    /// # Errors
    ///
    /// A usage error for a limit that does not exist, or whose value cannot be read.
    pub(crate) fn limits(&self) -> Result<ReaderLimits> {
        let mut limits = ReaderLimits::default();
        for limit in &self.limits {
            set(&mut limits, limit)
                .map_err(|why| usage(format!("--reader-limit {limit}: {why}")))?;
        }
        Ok(limits)
    }
}

/// Opens a run and its branches, which share the time that the limits allow: there may be any number of branches.
pub(crate) struct TreeReader {
    limits: ReaderLimits,
    since: Instant,
}

impl TreeReader {
    /// Opens a file of the tree under what is left of the time.
    ///
    /// # Errors
    ///
    /// A usage error where none is left.
    pub(crate) fn open(&self, file: impl Into<PathBuf>) -> Result<Journal> {
        let mut limits = self.limits.clone();
        limits.time = limits.time.saturating_sub(self.since.elapsed());
        if limits.time.is_zero() {
            return Err(usage(format!(
                "the run and its branches took more than {:?}, the reader's limit `time`; raise it with --reader-limit \
                 if you trust the files",
                self.limits.time
            )));
        }
        Ok(Journal::open_with(file, limits)?)
    }

    /// Opens a branch of the run under what is left of the time.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open), and a usage error for a recording that begins nowhere in the run, wherever its file
    /// lies.
    pub(crate) fn branch(&self, file: &Path) -> Result<Journal> {
        let journal = self.open(file)?;
        match journal.branch() {
            Some(_) => Ok(journal),
            None => Err(usage(format!(
                "{} is a recording of its own and no branch of the run; take it away, or replay it by itself",
                file.display()
            ))),
        }
    }
}

fn set(limits: &mut ReaderLimits, text: &str) -> std::result::Result<(), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("write NAME=VALUE, as in time=1h")?;
    let size = || {
        let size: bytesize::ByteSize = value.parse()?;
        Ok::<u64, String>(size.as_u64())
    };
    let number = || value.parse::<u64>().map_err(|error| error.to_string());
    match name {
        "file" => limits.file_bytes = size()?,
        "line" => limits.line_bytes = size()?,
        "lines" => limits.lines = number()?,
        "data" => limits.data_bytes = size()?,
        "memory" => limits.memory_bytes = size()?,
        "text" => limits.text_bytes = size()?,
        "time" => {
            limits.time = humantime::parse_duration(value).map_err(|error| error.to_string())?;
        }
        "open-calls" => {
            limits.open_calls = u32::try_from(number()?).map_err(|error| error.to_string())?;
        }
        "calls" => limits.calls = number()?,
        "model-calls" => limits.model_calls = number()?,
        _ => {
            return Err(String::from(
                "there are file, line, lines, data, time, memory, text, open-calls, calls and model-calls",
            ));
        }
    }
    Ok(())
}

/// Looks into recorded sessions
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Shows what happened: execs, calls, fuel, time
    Show {
        /// What `exec --record` wrote
        file: PathBuf,

        #[command(flatten)]
        reader: ReaderOptions,
    },
    /// Lists the branches that were recorded of a run, each below the one that it begins in
    Branches {
        /// Recording of the run, which `exec --record` wrote
        file: PathBuf,

        /// Prints a line of JSON for each branch
        #[arg(long)]
        json: bool,

        #[command(flatten)]
        reader: ReaderOptions,
    },
    /// Says in what one recording differs from another, redacted or not
    ///
    /// The headers are compared first (limits, profile, functions, interpreter, engine), then
    /// line by line. Not compared are how long things took, and the session's id, its seed and its
    /// start, which each recording draws for itself: where a script used them, its lines differ.
    Compare {
        /// What is expected
        file: PathBuf,
        /// What is compared with it
        other: PathBuf,

        #[command(flatten)]
        reader: ReaderOptions,
    },
}

/// Returns the files of the branches of a run.
///
/// # Errors
///
/// A usage error for the recording of a branch: the tree is that of a run.
pub(crate) fn run_branches(journal: &Journal) -> Result<Vec<PathBuf>> {
    match journal.branch() {
        Some(branch) => Err(usage(format!(
            "the file is branch {} of a run; name the run, whose branches are listed together",
            branch.number
        ))),
        None => Ok(journal.branches()?),
    }
}

/// Returns the name of a branch as messages have it: `branch 7`.
pub(crate) fn name_of(branch: &Path) -> String {
    let number = branch.file_stem().unwrap_or_default();
    format!("branch {}", number.display())
}

/// A branch of a run.
#[derive(Debug, Serialize)]
struct Listed {
    branch: u64,
    /// The branch that it begins in; none if that is the run.
    parent: Option<u64>,
    /// The execution before which it begins.
    at: u64,
    executions: u64,
    /// True if its recording has an end.
    is_finished: bool,
}

/// A file among the branches that cannot be read.
#[derive(Debug, Serialize)]
struct Unreadable {
    file: String,
    error: String,
}

/// The branches of a run.
struct Tree {
    execs: usize,
    /// The branches that begin in the run, or in the branch of this number.
    below: BTreeMap<Option<u64>, Vec<Listed>>,
    /// The files that cannot be read.
    unreadable: Vec<Unreadable>,
    status: Status,
}

impl Tree {
    fn read(journal: &Journal, reader: &TreeReader) -> Result<Self> {
        let mut tree = Self {
            execs: journal.sources().count(),
            below: BTreeMap::new(),
            unreadable: Vec::new(),
            status: Status::Done,
        };
        for path in run_branches(journal)? {
            match reader.branch(&path) {
                Ok(branch) => tree.add(&branch),
                Err(error) => {
                    tree.status = tree.status.max(status_of(&error));
                    tree.unreadable.push(Unreadable {
                        file: name_of(&path),
                        error: format!("{error:#}"),
                    });
                }
            }
        }
        Ok(tree)
    }

    fn add(&mut self, journal: &Journal) {
        let Some(branch) = journal.branch() else {
            return;
        };
        let below = self.below.entry(branch.parent).or_default();
        below.push(Listed {
            branch: branch.number,
            parent: branch.parent,
            at: branch.exec,
            executions: journal.sources().count() as u64,
            is_finished: journal.is_finished(),
        });
    }

    /// Prints a line of JSON for each branch, and for each file that cannot be read.
    fn print_json(&self, terminal: &Terminal) {
        let all = self.below.values().flatten();
        all.for_each(|branch| terminal.print_json(branch));
        let unreadable = self.unreadable.iter();
        unreadable.for_each(|file| terminal.print_json(file));
    }

    /// Writes what begins in this branch, or in the run. A branch has a larger number than its parent.
    fn write(&self, parent: Option<u64>, indent: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for branch in self.below.get(&parent).into_iter().flatten() {
            let end = match branch.is_finished {
                true => "",
                false => ", without an end",
            };
            let (number, execs) = (branch.branch, count(branch.executions, "exec"));
            writeln!(
                f,
                "{:indent$}branch {number} from exec {}: {execs}{end}",
                "", branch.at
            )?;
            self.write(Some(number), indent + 2, f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "run: {}", count(self.execs as u64, "exec"))?;
        self.write(None, 2, f)?;
        self.unreadable
            .iter()
            .try_for_each(|one| writeln!(f, "{}: {}", one.file, one.error))
    }
}

/// Returns a number with its noun.
pub(crate) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A text that is printed while it is written, so that it is never held as a whole.
struct Pieces<'t> {
    terminal: &'t Terminal,
    piece: String,
}

impl<'t> Pieces<'t> {
    /// Bytes that are printed at once.
    const BYTES: usize = 64 << 10;

    fn new(terminal: &'t Terminal) -> Self {
        let piece = String::new();
        Self { terminal, piece }
    }

    /// Prints what is left.
    fn print(&mut self) {
        self.terminal.print(&self.piece);
        self.piece.clear();
    }
}

impl fmt::Write for Pieces<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.piece.push_str(text);
        if self.piece.len() >= Self::BYTES {
            self.print();
        }
        // Nothing is formatted for a pipe that is closed.
        match self.terminal.is_closed() {
            true => Err(fmt::Error),
            false => Ok(()),
        }
    }
}

impl Options {
    pub(crate) fn is_json(&self) -> bool {
        matches!(self.command, Command::Branches { json: true, .. })
    }

    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        match self.command {
            Command::Show { file, reader } => {
                let journal = reader.open(file)?;
                let mut pieces = Pieces::new(terminal);
                let _ = write!(pieces, "{journal}");
                pieces.print();
                Ok(Status::Done)
            }
            Command::Branches { file, json, reader } => {
                let reader = reader.tree()?;
                let journal = reader.open(file)?;
                let tree = Tree::read(&journal, &reader)?;
                match json {
                    true => tree.print_json(terminal),
                    false => terminal.print(&tree.to_string()),
                }
                Ok(tree.status)
            }
            Command::Compare {
                file,
                other,
                reader,
            } => {
                let (file, other) = (reader.open(file)?, reader.open(other)?);
                if !file.has_seed_of(&other) {
                    terminal.error(
                        "note: the seeds differ, so fuel is not compared; record both with the same --seed to compare it\n",
                    );
                }
                Ok(match file.compare(&other) {
                    None => {
                        terminal.print("identical\n");
                        Status::Done
                    }
                    Some(divergence) => {
                        terminal.print(&format!("different: {divergence}\n"));
                        Status::Raised
                    }
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn branches_share_the_time_of_the_reader() {
        let read_for = |time: Duration| {
            let mut limits = ReaderLimits::default();
            limits.time = Duration::from_secs(15 * 60);
            let reader = TreeReader {
                limits,
                since: Instant::now() - time,
            };
            reader.open("none").expect_err("no such file").to_string()
        };
        let message = read_for(Duration::from_secs(15 * 60));
        assert!(message.contains("took more than 900s"), "{message}");
        let message = read_for(Duration::from_secs(14 * 60));
        assert!(message.contains("No such file"), "{message}");
    }
}
