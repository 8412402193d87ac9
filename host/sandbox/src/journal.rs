//! The journal of a session: a file of everything that crossed its wall.
//!
//! A journal is lines of JSON, each an object with one member that says what
//! happened (`journal/line.rs` has them all) and the line's `sum`: CRC-32 of all
//! lines up to it, without their sums. The first line is the header. Each entry
//! into the instance is a line (`exec`, `resume`, `set` …), each call is one with
//! what it was told at once, each answer that came later is one, and the end of a
//! turn is one (`suspended`, `outcome`, `returned` …).
//! What is needed to repeat the session is there as it is; what is only
//! compared is there as a digest, next to as much of it as people want to read.
//! Numbers that may be large are text. The last line is `end`; where it is
//! missing, the process that wrote the journal died, or lines were cut off.
//!
//! Contexts, and the parked session that a recorded one may begin with, lie
//! beside the journal in a folder, each in a file that its digest names. Branches
//! lie beside it in another one (`journal/branch_of.rs`).

mod agreement;
mod branch_of;
mod cassette;
mod conversations;
mod divergence;
mod header;
mod host_step;
mod line;
mod places;
mod player;
mod reader;
mod recorder;
mod replay;
mod tape;
mod timeline;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rlm_sandbox_files::Links;

use crate::builder::SessionBuilder;
use crate::call::digest;
use crate::context::{Context, Data};
use crate::limits::Limits;
use crate::parked::Parked;
use crate::sandbox::Sandbox;
use crate::tool::Tool;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

pub use branch_of::RecordedBranch;
pub use cassette::{Cassette, Record};
pub use divergence::{Divergence, Place};
pub use reader::{ReaderLimit, ReaderLimits};
pub use recorder::Recording;
pub use replay::{Replayed, Verdict};

use agreement::Agreement;
pub(crate) use branch_of::BranchOf;
pub(crate) use cassette::Inserted;
pub(crate) use conversations::Histories;
use divergence::{Difference, Tolerance, difference};
pub(crate) use header::{Begins, Function, Given, Header};
pub(crate) use host_step::{HostStep, Repeated};
pub(crate) use line::{
    CallLine, Count, FORMAT, HEADER_VALUES, LINE_VALUES, Line, Said, Start, as_text, cut as shown,
    is_bounded, is_readable_within,
};
use places::Places;
pub(crate) use player::Next;
pub(crate) use reader::{Account, ReaderGuard};
pub(crate) use recorder::Recorder;
use recorder::{Sum, data_folder, sum};
pub(crate) use replay::JOURNAL_KEY;
pub(crate) use tape::{Heard, Tape};

/// A journal that was read.
#[derive(Clone, Debug)]
pub struct Journal {
    inner: Arc<Inner>,
    /// Limits of sessions that a replay hands back, at most.
    lowered: Option<Arc<Limits>>,
    /// Bytes beside it that a replay reads, at most, if that is less than the reader's limit.
    data_bytes: Option<u64>,
    account: Option<Account>,
}

/// What is in the file.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) source: Source,
    pub(crate) header: Header,
    /// With the header.
    pub(crate) entries: Vec<Entry>,
    pub(crate) places: Places,
    /// The recording that it branches from.
    pub(crate) parent: Option<Arc<Self>>,
    /// Caps of whoever opened it.
    pub(crate) reader: ReaderLimits,
}

/// The file that a journal was read from.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// Open, so that the file that has the path later can be compared with it.
    pub(crate) file: File,
    /// Bytes that were read, with a torn line at the end.
    bytes: u64,
    /// CRC-32 of them.
    sum: u32,
}

impl Source {
    /// Returns whether a file holds what was read and nothing else.
    pub(crate) fn is_in(&self, file: &File) -> io::Result<bool> {
        let mut rest = BufReader::new(file).take(self.bytes.saturating_add(1));
        let (mut bytes, mut sum) = (0, crc32fast::Hasher::new());
        loop {
            let piece = rest.fill_buf()?;
            if piece.is_empty() {
                return Ok((bytes, sum.finalize()) == (self.bytes, self.sum));
            }
            sum.update(piece);
            bytes += piece.len() as u64;
            let length = piece.len();
            rest.consume(length);
        }
    }
}

/// A line with what stands around it.
#[derive(Debug)]
pub(crate) struct Entry {
    /// None if it cannot be read.
    pub(crate) line: Option<Line>,
    /// True if its sum does not fit it and the line before.
    pub(crate) altered: bool,
    /// What in the line, or in those before it, contradicts it, if that can be said: of lines
    /// that were altered, and of those after one, it cannot.
    pub(crate) contradicts: Option<&'static str>,
    pub(crate) sum: Sum,
    /// Where it ends in the file, in bytes.
    pub(crate) end: u64,
}

impl Journal {
    /// Reads a journal, under the default [`ReaderLimits`]. Its end may be torn off in the
    /// middle of a line, which then counts as not written, unless it stands behind the end of a
    /// recording that was closed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Journal`] if it cannot be read, is something else, is larger than
    /// the limits, or was written by another version of this format. Lines that were changed, or
    /// that contradict each other, are no error here; [`replay`](Self::replay) names them.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        Self::open_with(path, ReaderLimits::default())
    }

    /// [`open`](Self::open) under these limits, which bound replays of it, too.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open).
    pub fn open_with(path: impl Into<PathBuf>, reader: ReaderLimits) -> Result<Self> {
        let guard = ReaderGuard::new(reader.clone());
        Ok(Self {
            inner: Arc::new(Inner::read(path.into(), reader, &guard, 0)?),
            lowered: None,
            data_bytes: None,
            account: None,
        })
    }

    /// Returns this file and those of the recordings that it branches from, so that a caller can count them before they are
    /// read. What cannot be read is left out, and refused when it is.
    #[doc(hidden)]
    pub fn lineage(path: &Path) -> Vec<PathBuf> {
        let mut files = vec![path.to_owned()];
        while let Some(parent) = files.last().and_then(|file| parent_of(file))
            && files.len() <= branch_of::MOST_LEVELS
        {
            files.push(parent);
        }
        files
    }

    /// Returns the bytes that the session which it begins with says it has when it is unpacked, so that a caller can
    /// refuse it before; 0 if it begins with none.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Journal`] if that session cannot be read.
    pub fn beginning_bytes(&self, sandbox: &Sandbox) -> Result<u64> {
        self.inner.beginning_bytes(sandbox)
    }

    /// Lowers the limits of the sessions that [`until`](Self::until) and
    /// [`until_call`](Self::until_call) hand back: each is the least of the recorded one, the
    /// reader's and this one. The replay up to there keeps the recorded limits. The interpreter
    /// keeps its recorded limits on memory and recursion, which are a part of its state: the host
    /// ends a script at most 16 MiB past a lowered limit on memory, and
    /// [`Limits::recursion`] is not lowered.
    #[must_use]
    pub fn lower_limits(mut self, limits: Limits) -> Self {
        self.lowered = Some(Arc::new(limits));
        self
    }

    /// Lowers [`ReaderLimits::data_bytes`] to `most`, for a caller that has counted what lies beside the journal.
    /// The session that it begins with counts as stored and as unpacked
    /// ([`beginning_bytes`](Self::beginning_bytes)); other files count once.
    #[must_use]
    pub fn limit_data(mut self, most: u64) -> Self {
        self.data_bytes = Some(most);
        self
    }

    /// Asks `take` for memory before values of the session that the journal begins with are built: it is given the
    /// bytes that they take at most. Where it returns false, the limit [`ReaderLimit::Memory`] is reached. Values of
    /// less than 1 MiB are not asked for.
    #[must_use]
    pub fn account(mut self, take: impl Fn(u64) -> bool + Send + Sync + 'static) -> Self {
        self.account = Some(Account::new(take));
        self
    }

    /// Returns the guard of a replay.
    pub(crate) fn guard(&self) -> ReaderGuard {
        let mut reader = self.inner.reader.clone();
        if let Some(most) = self.data_bytes {
            reader.data_bytes = reader.data_bytes.min(most);
        }
        ReaderGuard::with_account(reader, self.account.clone())
    }

    /// Returns the file that it was read from.
    pub(crate) fn path(&self) -> &Path {
        &self.inner.source.path
    }

    /// Returns the lines that can be read.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &Line> {
        let entries = self.inner.entries.iter();
        entries.filter_map(|entry| entry.line.as_ref())
    }

    /// Returns the lines from an execution on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Diverged`] if they are not as they were recorded.
    pub(crate) fn lines_from(&self, exec: u64) -> Result<impl Iterator<Item = &Line>> {
        let entries = &self.inner.entries;
        let before = self.inner.entries_before(exec).map_or(0, <[Entry]>::len);
        let entries = &entries[before..];
        let is_changed =
            |entry: &Entry| entry.line.is_none() || entry.altered || entry.contradicts.is_some();
        if let Some(at) = entries.iter().position(is_changed) {
            return Err(Error::new(
                ErrorKind::Diverged,
                format!(
                    "line {} of {} is not as it was recorded, and a branch would go by it; take a copy that was not changed",
                    before + at + 1,
                    self.path().display()
                ),
            ));
        }
        Ok(entries.iter().filter_map(|entry| entry.line.as_ref()))
    }

    /// Returns the contexts that a line names, and the graph input among them.
    pub(crate) fn contexts(
        &self,
        files: &[Given],
        default: Option<&Given>,
        guard: &ReaderGuard,
    ) -> Result<(Vec<Context>, Option<Context>)> {
        self.inner.contexts(files, default, guard)
    }

    /// Returns the seconds by which the time of day had gone on before an execution.
    pub(crate) fn seconds_waited(&self, exec: u64) -> Option<u64> {
        self.lines().find_map(|line| match line {
            Line::Exec {
                number, waited_s, ..
            } if *number == exec => Some(*waited_s),
            _ => None,
        })
    }

    /// Returns how many lines stand before an execution, and the sum of the last one, if there is one of that number or it
    /// would be the next one.
    pub(crate) fn place_before(&self, exec: u64) -> Option<(u64, Sum)> {
        let before = self.inner.entries_before(exec)?;
        Some((before.len() as u64, before.last()?.sum))
    }

    /// Refuses to branch what is as many levels deep as a reader follows.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`].
    pub(crate) fn check_levels(&self) -> Result<()> {
        let parents = std::iter::successors(Some(&self.inner), |inner| inner.parent.as_ref());
        match parents.count() <= branch_of::MOST_LEVELS {
            true => Ok(()),
            false => Err(Error::usage(format!(
                "a reader follows branches of branches {} levels deep; record a session of its own",
                branch_of::MOST_LEVELS
            ))),
        }
    }

    /// Returns the number of the branch that it records, if it records one.
    pub(crate) fn branch_number(&self) -> Option<u64> {
        self.branch().map(|branch| branch.number)
    }

    /// Returns its place in the tree of its run, if it records a branch.
    pub fn branch(&self) -> Option<RecordedBranch> {
        let of = self.inner.header.branch_of.as_ref()?;
        let (_, number) = BranchOf::place(self.path())?;
        Some(RecordedBranch {
            number,
            parent: of.branch,
            exec: of.exec,
        })
    }

    /// Returns the files of all branches that were recorded of its run, branches of branches included, in the order of
    /// their numbers: each branch is there after its parent. Of a branch, those of the run that it began in.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Journal`] if their folder cannot be read, or has more than 1,000,000 of them; [`ErrorKind::Usage`] for
    /// a branch that does not lie where it was recorded.
    pub fn branches(&self) -> Result<Vec<PathBuf>> {
        let (run, _) = self.place_of_branches()?;
        let numbers = BranchOf::numbers(&run).map_err(|error| {
            let why = format!("cannot list the branches of {}: {error}", run.display());
            Error::new(ErrorKind::Journal, why)
        })?;
        Ok(numbers
            .into_iter()
            .map(|number| BranchOf::path(&run, number))
            .collect())
    }

    /// Returns the run whose branches its own ones are, and its number among them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] for a branch that does not lie where it was recorded.
    pub(crate) fn place_of_branches(&self) -> Result<(PathBuf, Option<u64>)> {
        if self.inner.header.branch_of.is_none() {
            return Ok((self.path().to_owned(), None));
        }
        let place = BranchOf::place(self.path());
        place
            .map(|(run, number)| (run, Some(number)))
            .ok_or_else(|| {
                Error::usage("a branch is branched again where it was recorded; put its file back")
            })
    }

    /// Takes the tools of a builder that the recording has no function for.
    pub(crate) fn take_unknown_tools(&self, builder: &mut SessionBuilder) -> Vec<Tool> {
        self.inner.take_unknown(builder)
    }

    /// Returns whether the time of day went on between executions.
    pub(crate) fn follows_time(&self) -> bool {
        self.inner.header.follows_time
    }

    /// Returns the functions of the host whose calls were not answered at once.
    pub(crate) fn deferred(&self) -> BTreeSet<&str> {
        let functions = self.inner.header.functions.iter();
        let deferred = functions.filter(|function| !function.immediate);
        deferred.map(|function| function.name.as_str()).collect()
    }

    /// Returns the most compute time that a script of a session has which it hands back.
    pub(crate) fn most_time(&self) -> std::time::Duration {
        let most = self.inner.reader.time;
        let lowered = self.lowered.as_ref();
        lowered.map_or(most, |limits| limits.time.min(most))
    }

    /// Returns the limits of the session that was recorded.
    pub fn limits(&self) -> &Limits {
        &self.inner.header.limits
    }

    /// SHA-256 of the interpreter it was recorded with, in hex.
    pub fn guest_digest(&self) -> &str {
        &self.inner.header.guest
    }

    /// The version of the engine it was recorded with.
    pub fn engine_version(&self) -> &str {
        &self.inner.header.engine
    }

    /// Returns the SHA-256, in hex, of the parked session that the recording begins with, or that of its run, if it does.
    ///
    /// The recorder alone vouches for what that session holds, its variables and the calls that a script in it waits for:
    /// a replay compares what came of it.
    pub fn begins_with(&self) -> Option<&str> {
        let of_branch = std::iter::successors(Some(&self.inner), |inner| inner.parent.as_ref());
        let parked = of_branch.last()?.header.parked.as_ref();
        parked.map(|parked| parked.digest.as_str())
    }

    /// Returns the number of its first execution: 0, or that of the run before which a branch begins.
    pub fn first_exec(&self) -> u64 {
        self.inner.first_exec()
    }

    /// Returns the contexts, variables, limits and resets that the run has ahead of the execution before which this branch
    /// begins, and that are no part of the branch, as it begins before them: none if it is no branch.
    ///
    /// A run that goes on after it was branched has such steps; a branch whose place was forged has, too.
    pub fn steps_of_run(&self) -> u64 {
        self.inner.steps_of_run()
    }

    /// The id of the session.
    pub fn session(&self) -> &str {
        &self.inner.header.session
    }

    /// The sources of its execs, in order.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        let lines = self.inner.entries.iter();
        lines.filter_map(|entry| match &entry.line {
            Some(Line::Exec { source, .. }) => Some(source.as_str()),
            _ => None,
        })
    }

    /// Returns whether the recording program closed it.
    pub fn is_finished(&self) -> bool {
        let last = self.inner.entries.last();
        matches!(last.map(|entry| &entry.line), Some(Some(Line::End { .. })))
    }

    /// Returns whether both were recorded with the same seed.
    pub fn has_seed_of(&self, other: &Self) -> bool {
        self.inner.header.seed == other.inner.header.seed
    }

    /// Returns the first thing in which `other` is not as this one, whatever both took. The
    /// headers are compared first, without the session's id, its seed and its start: each
    /// recording draws its own, and the lines differ where a script used them. Where the seeds differ, fuel is
    /// [not compared](Self::has_seed_of): what is looked up by hash takes more or less of it.
    /// Also for journals that are redacted, with the same key. A line of either that was changed after it was recorded, or
    /// that contradicts lines before it, is a difference.
    pub fn compare(&self, other: &Self) -> Option<Divergence> {
        let (mine, theirs) = (&self.inner.entries, &other.inner.entries);
        let tolerance = match self.has_seed_of(other) {
            true => Tolerance::Nothing,
            false => Tolerance::Fuel,
        };
        let mut exec = None;
        let nothing = Line::End {
            execs: 0,
            total: Count(0),
        };
        for at in 0..mine.len().max(theirs.len()) {
            let (expected, got) = (line_at(mine, at), line_at(theirs, at));
            if let Some(Line::Exec { number, .. }) = expected {
                exec = Some(*number);
            }
            let found =
                match (expected, got) {
                    (Some(expected), Some(got)) => difference(expected, got, tolerance),
                    (Some(line), None) => difference(line, &nothing, tolerance)
                        .or_else(|| Some(Difference::unreadable())),
                    (None, Some(line)) => difference(&nothing, line, tolerance)
                        .or_else(|| Some(Difference::unreadable())),
                    (None, None) => Some(Difference::unreadable()),
                };
            if let Some(found) = found {
                let call = expected.and_then(Line::ticket);
                return Some(found.at(at, exec, call));
            }
            let entries = [("first", mine.get(at)), ("second", theirs.get(at))];
            let changed = entries
                .into_iter()
                .find_map(|(which, entry)| Some((which, entry?.change()?)));
            if let Some((which, why)) = changed {
                let found = Difference {
                    what: format!("a line of the {which} recording {why}"),
                    expected: String::from("a line as it was recorded"),
                    got: String::from("another one"),
                    fuel: None,
                };
                return Some(found.at(at, exec, expected.and_then(Line::ticket)));
            }
        }
        None
    }
}

/// Returns the line in this place, if there is one that can be read.
fn line_at(entries: &[Entry], at: usize) -> Option<&Line> {
    entries.get(at)?.line.as_ref()
}

impl Inner {
    /// Reads a journal, and those that it branches from, which the limits bound together. `level` counts the branches
    /// that were read before.
    fn read(
        path: PathBuf,
        reader: ReaderLimits,
        guard: &ReaderGuard,
        level: usize,
    ) -> Result<Self> {
        let refused =
            |why: String| Error::new(ErrorKind::Journal, format!("{}: {why}", path.display()));
        let file = rlm_sandbox_files::open(&path, Links::Follow)
            .map_err(|error| refused(error.to_string()))?;
        let kept = file
            .try_clone()
            .map_err(|error| refused(error.to_string()))?;
        let mut lines = BufReader::new(file);
        let (mut read, mut whole) = (0, crc32fast::Hasher::new());
        let mut entries: Vec<Entry> = Vec::new();
        let (mut end, mut format) = (0, None);
        let mut text = Vec::new();
        let (mut agreement, mut parent) = (None, None);
        let mut room = reader.clone();
        loop {
            if let Some(limit) = guard.reached() {
                return Err(refused(format!(
                    "reading it took more than {:?}, the reader's limit `{limit}`; raise it (`--reader-limit {limit}=…`) if you trust the file",
                    reader.time
                )));
            }
            text.clear();
            let most = reader.line_bytes.saturating_add(1);
            let length = lines
                .by_ref()
                .take(most)
                .read_until(b'\n', &mut text)
                .map_err(|error| refused(error.to_string()))?;
            read += length as u64;
            whole.update(&text);
            let number = entries.len() + 1;
            if length as u64 == most && text.last() != Some(&b'\n') {
                return Err(refused(format!(
                    "line {number} has more than {} bytes, the reader's limit `line`; raise it (`--reader-limit line=…`) if you trust the file",
                    reader.line_bytes
                )));
            }
            let Some(body) = text.strip_suffix(b"\n") else {
                if number == 1 {
                    format = format_of(&text);
                }
                // A torn line was not written, but no recorder writes behind the end.
                let last = entries.last().and_then(|entry| entry.line.as_ref());
                if matches!(last, Some(Line::End { .. })) && !text.is_empty() {
                    entries.push(Entry::torn(end + length as u64));
                }
                break;
            };
            if number == 1 {
                format = format_of(body);
            }
            end += length as u64;
            for (what, is, most) in [
                ("file", end, room.file_bytes),
                ("lines", number as u64, room.lines),
            ] {
                if is > most {
                    return Err(refused(format!(
                        "it has more than {most} {}, the reader's limit `{what}`; raise it (`--reader-limit {what}=…`) if you trust the file",
                        if what == "file" { "bytes" } else { "lines" }
                    )));
                }
            }
            // What a line holds takes many times the two bytes that a value may have.
            let body_text = std::str::from_utf8(body);
            // An answer nests 400 deep at the most, and stands in a member of its line.
            let most_values = match number {
                1 => HEADER_VALUES,
                _ => LINE_VALUES,
            };
            if !is_bounded(body_text.unwrap_or_default(), 500, most_values) {
                return Err(refused(format!(
                    "line {number} has more values, nests deeper, or has other keys than any line of a recording"
                )));
            }
            let before = entries.last().map_or(Sum::default(), |entry| entry.sum);
            let mut entry = match body_text.ok().and_then(kind) {
                Some("header") if number > 1 => Entry::torn(end),
                Some(_) => Entry::read(body, before, end),
                // It was changed, and nothing of it is built.
                None => Entry::torn(end),
            };
            entry.contradicts = match (&entry.line, entry.altered, &mut agreement) {
                (Some(Line::Header(header)), false, _) if number == 1 => {
                    let of_parent = header.branch_of.as_ref().map(|branch_of| {
                        let left = ReaderLimits {
                            file_bytes: reader.file_bytes.saturating_sub(end),
                            lines: reader.lines.saturating_sub(1),
                            ..reader.clone()
                        };
                        let found = Self::read_parent(&path, branch_of, left, guard, level);
                        found.map(Arc::new)
                    });
                    parent = of_parent.transpose()?;
                    if let Some(parent) = &parent {
                        // All of them together.
                        let (bytes, lines) = parent.size();
                        room.file_bytes = room.file_bytes.saturating_sub(bytes);
                        room.lines = room.lines.saturating_sub(lines);
                    }
                    agreement = match (&parent, &header.branch_of) {
                        (Some(parent), Some(branch_of)) => {
                            if let Some(what) = BranchOf::difference(header, &parent.header) {
                                return Err(refused(format!(
                                    "its {what} is not that of the recording which it branches from; take copies of both that \
                                     were not changed"
                                )));
                            }
                            let agreed = parent.agreement_of(branch_of.lines);
                            agreed.map(|mut agreed| {
                                agreed.branch(header);
                                agreed
                            })
                        }
                        _ => Some(Agreement::new(header)),
                    };
                    Agreement::check_header(header)
                }
                (Some(line), false, Some(agreement)) => agreement.check(line),
                _ => {
                    agreement = None;
                    None
                }
            };
            let is_readable = entry.line.is_some();
            entries.push(entry);
            if !is_readable {
                // Nothing after it can be placed.
                break;
            }
        }
        match format {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                return Err(refused(format!(
                    "it is of format {format}, and this version reads {FORMAT}; use the version that wrote it"
                )));
            }
            None => return Err(refused(String::from("this is not a journal of a session"))),
        }
        let Some(Some(Line::Header(header))) = entries.first().map(|entry| &entry.line) else {
            return Err(refused(String::from(
                "its header cannot be read; take another copy of the journal",
            )));
        };
        let header = header.as_ref().clone();
        Ok(Self {
            source: Source {
                path,
                file: kept,
                bytes: read,
                sum: whole.finalize(),
            },
            header,
            places: Places::new(&entries),
            entries,
            parent,
            reader,
        })
    }

    /// Reads the recording that the branch in this file begins in.
    fn read_parent(
        file: &Path,
        branch_of: &BranchOf,
        reader: ReaderLimits,
        guard: &ReaderGuard,
        level: usize,
    ) -> Result<Self> {
        let refused =
            |why: String| Error::new(ErrorKind::Journal, format!("{}: {why}", file.display()));
        if level == branch_of::MOST_LEVELS {
            return Err(refused(format!(
                "it is a branch of a branch, {} levels deep, and a reader follows {level}",
                level + 1
            )));
        }
        let Some(path) = branch_of.parent(file) else {
            return Err(refused(String::from(
                "it is a branch, and does not lie in the folder of its run under the name that it was given; put it back \
                 there, as in run.jsonl.branches/1.jsonl",
            )));
        };
        let parent = Self::read(path, reader, guard, level + 1).map_err(|error| {
            match level {
                0 => refused(format!("the recording that it branches from: {error}")),
                // Said once.
                _ => error,
            }
        })?;
        if parent.header.session != branch_of.session
            || parent.sum_of(branch_of.lines) != Some(branch_of.sum)
            || parent.exec_after(branch_of.lines) != Some(branch_of.exec)
        {
            return Err(refused(format!(
                "it branches from another recording than the one in {}, or that was changed since",
                parent.source.path.display()
            )));
        }
        Ok(parent)
    }

    /// Returns the number of its first execution.
    fn first_exec(&self) -> u64 {
        self.header.branch_of.as_ref().map_or(0, |of| of.exec)
    }

    /// Returns the lines before an execution of this number, or before the end if it would be the next one.
    fn entries_before(&self, exec: u64) -> Option<&[Entry]> {
        let mut execs = self.first_exec();
        for (at, entry) in self.entries.iter().enumerate() {
            match &entry.line {
                Some(Line::Exec { number, .. }) if *number == exec => {
                    return Some(&self.entries[..at]);
                }
                Some(Line::Exec { number, .. }) => execs = number.saturating_add(1),
                Some(Line::End { .. }) | None => {
                    return (execs == exec).then(|| &self.entries[..at]);
                }
                _ => {}
            }
        }
        (execs == exec).then_some(&self.entries)
    }

    /// Returns the steps of the host that the recording which it branches from has between the place where it begins and the
    /// execution before which it does: contexts, variables, limits and resets that are no part of it.
    fn steps_of_run(&self) -> u64 {
        let (Some(parent), Some(branch_of)) = (&self.parent, &self.header.branch_of) else {
            return 0;
        };
        let before = parent.entries_before(branch_of.exec).unwrap_or_default();
        let begins = usize::try_from(branch_of.lines).unwrap_or(usize::MAX);
        let between = before.get(begins..).unwrap_or_default().iter();
        let is_step = |entry: &&Entry| {
            matches!(
                entry.line,
                None | Some(
                    Line::Contexts { .. }
                        | Line::Set { .. }
                        | Line::Reset {}
                        | Line::TimeLimit { .. }
                )
            )
        };
        between.filter(is_step).count() as u64
    }

    /// Returns the first lines, if there are so many.
    fn first_entries(&self, lines: u64) -> Option<&[Entry]> {
        self.entries.get(..usize::try_from(lines).ok()?)
    }

    /// Returns the bytes and the lines of it, and of the recordings that it branches from.
    fn size(&self) -> (u64, u64) {
        let of_parents = self.parent.as_ref().map_or((0, 0), |parent| parent.size());
        let lines = self.entries.len() as u64;
        (self.source.bytes + of_parents.0, lines + of_parents.1)
    }

    /// Returns the number of the execution that comes after so many lines.
    fn exec_after(&self, lines: u64) -> Option<u64> {
        let mut before = self.first_entries(lines)?.iter().rev();
        let last = before.find_map(|entry| match &entry.line {
            Some(Line::Exec { number, .. }) => Some(number.saturating_add(1)),
            _ => None,
        });
        Some(last.unwrap_or(self.first_exec()))
    }

    /// Returns the sum of the last one of so many lines.
    fn sum_of(&self, lines: u64) -> Option<Sum> {
        Some(self.first_entries(lines)?.last()?.sum)
    }

    /// Returns what the first lines say, or none if some of them were changed.
    fn agreement_of(&self, lines: u64) -> Option<Agreement> {
        let mut agreement = match (&self.parent, &self.header.branch_of) {
            (Some(parent), Some(branch_of)) => {
                let mut agreement = parent.agreement_of(branch_of.lines)?;
                agreement.branch(&self.header);
                agreement
            }
            _ => Agreement::new(&self.header),
        };
        for entry in self.first_entries(lines)?.iter().skip(1) {
            let line = entry.line.as_ref().filter(|_| !entry.altered)?;
            agreement.check(line);
        }
        Some(agreement)
    }

    /// Refuses what this sandbox cannot repeat.
    pub(crate) fn check(&self, sandbox: &Sandbox, may_differ: Tolerance) -> Result<()> {
        let header = &self.header;
        let refused = |why: String| {
            let path = self.source.path.display();
            Err(Error::new(ErrorKind::Journal, format!("{path}: {why}")))
        };
        if header.redacted {
            return refused(String::from(
                "it is redacted, so it can be compared with another journal but not replayed; record without `redact` \
                 (--redact) to replay",
            ));
        }
        if may_differ == Tolerance::AllButCalls {
            return Ok(());
        }
        if header.guest != sandbox.guest_digest() {
            return refused(format!(
                "it needs the interpreter {}, and this is {}; load that one, with `Builder::guest` or `--guest FILE`",
                header.guest,
                sandbox.guest_digest()
            ));
        }
        let here = (sandbox.engine_version(), sandbox.fuel_configuration());
        if may_differ == Tolerance::Nothing
            && (header.engine.as_str(), header.configuration.as_str()) != (here.0, here.1.as_str())
        {
            return refused(format!(
                "it was recorded by engine {} (configuration {}), and this is {} ({}), which may count fuel otherwise; \
                 ignore the fuel (`--ignore-fuel`, `Journal::replay_ignoring_fuel`) to replay it here",
                header.engine, header.configuration, here.0, here.1
            ));
        }
        Ok(())
    }

    /// Returns the first call of this ticket.
    pub(crate) fn call(&self, ticket: u64) -> Option<&CallLine> {
        match line_at(&self.entries, self.places.call(ticket)?)? {
            Line::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the bytes that the session which the journal begins with says it has when it is unpacked.
    pub(crate) fn beginning_bytes(&self, sandbox: &Sandbox) -> Result<u64> {
        if let Some(parent) = &self.parent {
            return parent.beginning_bytes(sandbox);
        }
        let Some(parked) = &self.header.parked else {
            return Ok(0);
        };
        let path = data_folder(&self.source.path).join(file_name(&parked.digest));
        let read = rlm_sandbox_files::open(&path, Links::Refuse).and_then(|file| {
            let mut start = Vec::new();
            let most = Parked::HEADER_BYTES as u64;
            file.take(most).read_to_end(&mut start).map(|_| start)
        });
        let start = read.map_err(|error| {
            let why = format!(
                "cannot read {}, which belongs to the journal: {error}",
                path.display()
            );
            Error::new(ErrorKind::Journal, why)
        })?;
        Parked::unpacked_bytes(sandbox, &start).map_err(|error| {
            Error::new(
                ErrorKind::Journal,
                format!("the session that the journal begins with: {error}"),
            )
        })
    }

    /// Reads what lies beside the journal under a digest.
    pub(crate) fn stored(&self, name: &str, wanted: &str, guard: &ReaderGuard) -> Result<Vec<u8>> {
        let path = data_folder(&self.source.path).join(file_name(wanted));
        let refused = |why: String| Err(Error::new(ErrorKind::Journal, why));
        let read = rlm_sandbox_files::open(&path, Links::Refuse).and_then(|file| {
            let size = file.metadata()?.len();
            match guard.takes_data(size) {
                true => rlm_sandbox_files::read_to_end(&file, size).map(Some),
                false => Ok(None),
            }
        });
        match read {
            Ok(Some(bytes)) if digest(&bytes) == wanted => Ok(bytes),
            Ok(Some(_)) => refused(format!(
                "{name}: the bytes in {} are not those that were recorded",
                path.display()
            )),
            Ok(None) => refused(format!(
                "{name}: what lies beside the journal has more than {} bytes, the reader's limit `data`",
                self.reader.data_bytes
            )),
            Err(error) => refused(format!(
                "{name}: cannot read {}, which belongs to the journal: {error}",
                path.display()
            )),
        }
    }

    /// A context that scripts saw.
    pub(crate) fn context(&self, given: &Given, guard: &ReaderGuard) -> Result<Context> {
        let name = given.name.as_str();
        if name.len() > CONTEXT_NAME_BYTES {
            return Err(Error::new(
                ErrorKind::Journal,
                format!("the name of a context has more than {CONTEXT_NAME_BYTES} bytes"),
            ));
        }
        let context = match guard.context(&given.digest, &given.form) {
            Some(context) => context.renamed(name),
            None => {
                let context = self.read_context(given, guard)?;
                guard.keep_context(&given.digest, &context);
                context
            }
        };
        if context.size_bytes() != given.bytes {
            return Err(Error::new(
                ErrorKind::Journal,
                format!(
                    "context `{name}` has {} bytes, and the journal says {}; take a journal that was not changed",
                    context.size_bytes(),
                    given.bytes
                ),
            ));
        }
        Ok(context)
    }

    fn read_context(&self, given: &Given, guard: &ReaderGuard) -> Result<Context> {
        let name = given.name.as_str();
        if !["text", "json", "bytes"].contains(&given.form.as_str()) {
            return Err(Error::new(
                ErrorKind::Journal,
                format!(
                    "context `{name}` has a form that there is not; take a journal that was not changed"
                ),
            ));
        }
        let data = match guard.data(&given.digest) {
            Some(data) => data,
            None => {
                let bytes = self.stored(&format!("context `{name}`"), &given.digest, guard)?;
                let data = match String::from_utf8(bytes) {
                    Ok(text) => Data::Text(text.into()),
                    Err(error) => Data::Bytes(error.into_bytes().into()),
                };
                guard.keep_data(&given.digest, &data);
                data
            }
        };
        match (data, given.form.as_str()) {
            (Data::Bytes(bytes), "bytes") => Ok(Context::bytes(name, bytes)),
            (Data::Bytes(_), _) => Err(Error::new(
                ErrorKind::Journal,
                format!("context `{name}` is no text"),
            )),
            (Data::Text(text) | Data::Json(text), "bytes") => Ok(Context::bytes(name, text)),
            (Data::Text(text) | Data::Json(text), "json") => Context::json(name, text),
            (Data::Text(text) | Data::Json(text), _) => Ok(Context::text(name, text)),
        }
    }
}

/// Bytes of the name of a context that a journal tells of, as frontends have them.
const CONTEXT_NAME_BYTES: usize = 4096;

/// A digest as a file's name; what is none names no file elsewhere.
fn file_name(digest: &str) -> String {
    let hex = digest.chars().filter(char::is_ascii_hexdigit);
    hex.collect()
}

impl Entry {
    fn read(text: &[u8], before: Sum, end: u64) -> Self {
        let parsed = split(text);
        let (line, written) = match &parsed {
            Some((body, written)) => (serde_json::from_slice(body).ok(), Some(*written)),
            None => (None, None),
        };
        let expected = parsed.as_ref().map(|(body, _)| sum(before, body));
        Self {
            line,
            altered: written.is_none() || written != expected,
            contradicts: None,
            sum: written.unwrap_or_default(),
            end,
        }
    }

    /// Returns what shows that it is not as it was recorded, if anything does.
    fn change(&self) -> Option<String> {
        match (self.altered, self.contradicts) {
            (true, _) => Some(String::from("was changed after it was recorded")),
            (false, Some(why)) => Some(format!("contradicts itself or lines before it: {why}")),
            (false, None) => None,
        }
    }

    /// A line that breaks off before its end.
    fn torn(end: u64) -> Self {
        Self {
            line: None,
            altered: true,
            contradicts: None,
            sum: Sum::default(),
            end,
        }
    }
}

/// Returns which line this is, if it begins as a recorder writes it.
fn kind(line: &str) -> Option<&str> {
    let (kind, _) = line.strip_prefix("{\"")?.split_once('"')?;
    let is_written = |c: char| c.is_ascii_lowercase() || c == '-';
    kind.chars().all(is_written).then_some(kind)
}

/// A line without its sum, and the sum.
fn split(text: &[u8]) -> Option<(Vec<u8>, Sum)> {
    let rest = text.strip_suffix(b"\"}")?;
    let (rest, digits) = rest.split_last_chunk::<8>()?;
    let mut body = rest.strip_suffix(b",\"sum\":\"")?.to_vec();
    body.push(b'}');
    // One way to write it.
    let is_digit = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    let digits = digits.iter().all(is_digit).then_some(digits)?;
    let sum = Sum::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    Some((body, sum))
}

/// Returns the format that the first line of a file says it has, if it says so.
fn format_of(line: &[u8]) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct First {
        header: Named,
    }
    #[derive(serde::Deserialize)]
    struct Named {
        journal: u64,
    }
    let first: First = serde_json::from_slice(line).ok()?;
    Some(first.header.journal)
}

/// Bytes of a header that is looked at by itself. It has a profile and the names of functions in it.
const HEADER_BYTES: u64 = 16 << 20;

/// Returns whether a file begins as a journal of any format does.
pub(crate) fn is_journal(file: &File) -> bool {
    let mut first = Vec::new();
    let mut file = BufReader::new(file).take(HEADER_BYTES);
    file.read_until(b'\n', &mut first)
        .is_ok_and(|_| format_of(&first).is_some())
}

/// Returns the file of the recording that the one in this file branches from, if it says so.
fn parent_of(path: &Path) -> Option<PathBuf> {
    #[derive(serde::Deserialize)]
    struct First {
        header: Branch,
    }
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    struct Branch {
        branch_of: BranchOf,
    }
    let mut first = Vec::new();
    let file = rlm_sandbox_files::open(path, Links::Follow).ok()?;
    let mut file = BufReader::new(file).take(HEADER_BYTES);
    file.read_until(b'\n', &mut first).ok()?;
    let first: First = serde_json::from_slice(&first).ok()?;
    first.header.branch_of.parent(path)
}
