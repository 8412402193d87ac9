//! The recording that a recorded branch begins in.
//!
//! Branches of the run `run.jsonl` lie beside it in the folder `run.jsonl.branches`, each a journal that
//! a number names: `1.jsonl`. Its header names its parent, the execution before which it begins, and the number
//! and sum of the parent's lines up to there; they are not repeated.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::header::Header;
use super::recorder::Sum;

/// Branches of branches that a reader follows.
pub(super) const MOST_LEVELS: usize = 64;
/// The end of the name of the folder of branches.
const FOLDER: &str = ".branches";
/// Branches of one run that are listed.
const MOST_BRANCHES: usize = 1_000_000;

/// The place of a recorded branch in the tree of its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedBranch {
    /// Its number among the branches of the run, from 1.
    pub number: u64,
    /// Number of the branch that it begins in; none if it begins in the run itself.
    pub parent: Option<u64>,
    /// Number of the execution, from 0, before which it begins.
    pub exec: u64,
}

/// The place in another recording at which one begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct BranchOf {
    /// Id of the parent's session.
    pub(crate) session: String,
    /// Number of the parent among the branches of the run; none if it is the run itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<u64>,
    /// Number of the parent's execution before which it begins, or of the one that would come next.
    pub(crate) exec: u64,
    /// Lines that the parent had before that. Those that it gets later are no part of the branch.
    pub(crate) lines: u64,
    /// Sum of the last of them.
    pub(crate) sum: Sum,
}

impl BranchOf {
    /// Returns where the parent of the branch in this file lies, or none if no recorder has put the file there.
    pub(super) fn parent(&self, file: &Path) -> Option<PathBuf> {
        let (run, number) = Self::place(file)?;
        match self.branch {
            None => Some(run),
            // A parent is there first, so that no branch is its own ancestor.
            Some(parent) if parent < number => Some(Self::path(&run, parent)),
            Some(_) => None,
        }
    }

    /// Returns the run of the branch in this file, and the number of the branch.
    pub(super) fn place(file: &Path) -> Option<(PathBuf, u64)> {
        let file = std::path::absolute(file).ok()?;
        let digits = file.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        let number: u64 = digits.parse().ok()?;
        // One way to write it.
        (number.to_string() == digits).then_some(())?;
        let folder = file.parent()?;
        let run = folder.file_name()?.to_str()?.strip_suffix(FOLDER)?;
        (!run.is_empty()).then(|| (folder.with_file_name(run), number))
    }

    /// Returns the numbers of the branches beside this run, in their order.
    ///
    /// # Errors
    ///
    /// The system's, and `InvalidData` if the folder has more than 1,000,000 of them.
    pub(super) fn numbers(run: &Path) -> io::Result<Vec<u64>> {
        let folder = match branches_folder(run).read_dir() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            folder => folder?,
        };
        let mut numbers = Vec::new();
        for file in folder {
            if let Some((_, number)) = Self::place(&file?.path()) {
                numbers.push(number);
            }
            if numbers.len() > MOST_BRANCHES {
                let why = format!("there are more than {MOST_BRANCHES} branches");
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Returns the file of a branch of this run.
    pub(super) fn path(run: &Path, number: u64) -> PathBuf {
        branches_folder(run).join(format!("{number}.jsonl"))
    }

    /// Returns what differs between the headers of a branch and of its parent that cannot differ.
    pub(super) fn difference(branch: &Header, parent: &Header) -> Option<&'static str> {
        let functions = |header: &Header| {
            let functions = header.functions.iter();
            functions
                .map(|function| {
                    let parameters = function.parameters.clone();
                    (function.name.clone(), parameters, function.awaitable)
                })
                .collect::<Vec<_>>()
        };
        let differences = [
            ("interpreter", branch.guest != parent.guest),
            ("engine", branch.engine != parent.engine),
            (
                "configuration",
                branch.configuration != parent.configuration,
            ),
            ("seed", branch.seed != parent.seed),
            ("start", branch.start != parent.start),
            ("clock", branch.follows_time != parent.follows_time),
            ("profile", branch.profile != parent.profile),
            (
                "functions",
                !functions(branch).starts_with(&functions(parent)),
            ),
            ("redaction", branch.redacted != parent.redacted),
            ("parked session", branch.parked.is_some()),
        ];
        let found = differences.into_iter().find(|(_, differs)| *differs);
        found.map(|(what, _)| what)
    }
}

/// Returns the folder of the branches of this run.
pub(super) fn branches_folder(run: &Path) -> PathBuf {
    let mut name = run.file_name().unwrap_or(OsStr::new("")).to_owned();
    name.push(FOLDER);
    run.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(branch: Option<u64>) -> BranchOf {
        BranchOf {
            session: String::new(),
            branch,
            exec: 0,
            lines: 0,
            sum: 0,
        }
    }

    #[test]
    fn parents_lie_where_recorders_put_them() {
        let file = Path::new("/runs/a.jsonl.branches/7.jsonl");
        assert_eq!(of(None).parent(file), Some("/runs/a.jsonl".into()));
        let sibling = Some("/runs/a.jsonl.branches/3.jsonl".into());
        assert_eq!(of(Some(3)).parent(file), sibling);
        assert_eq!(BranchOf::path(Path::new("/runs/a.jsonl"), 7), file);
    }

    #[test]
    fn no_branch_is_its_own_ancestor_or_lies_elsewhere() {
        let file = Path::new("/runs/a.jsonl.branches/7.jsonl");
        assert_eq!(of(Some(7)).parent(file), None);
        assert_eq!(of(Some(8)).parent(file), None);
        for elsewhere in [
            "/runs/a.jsonl",
            "/runs/7.jsonl",
            "/runs/.branches/7.jsonl",
            "/runs/a.jsonl.branches/07.jsonl",
            "/runs/a.jsonl.branches/+7.jsonl",
            "/runs/a.jsonl.branches/x.jsonl",
            "/runs/a.jsonl.branches",
        ] {
            assert_eq!(of(None).parent(Path::new(elsewhere)), None, "{elsewhere}");
        }
    }
}
