//! Journals that are not what was recorded: those of runs, and those of their branches.
//!
//! With sums that fit, as a forger would write them. They are refused, or their
//! replay says where it differs; it ends, and harms nobody.

use std::fs;
use std::sync::LazyLock;
use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::BoxedStrategy;
use rlm_sandbox::{Answer, Change, ErrorKind, Journal, Limits, ReaderLimits, Recording, Run};
use serde::{Deserialize, Serialize};

use crate::parked::{Edit, edit, edits};
use crate::sandboxed::{answers, block_on, described, sandbox};
use crate::sums;
use crate::target::Target;

pub(crate) struct JournalLines;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Forged {
    deeds: Vec<Forgery>,
    /// True if sums are made to fit.
    is_resealed: bool,
    /// True for the journal of a branch, beside that of its run.
    #[serde(default)]
    is_branch: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Forgery {
    /// Bytes of a line change.
    Edit(usize, Vec<Edit>),
    Remove(usize),
    /// A line comes again elsewhere.
    Copy(usize, usize),
    /// A number or text of a line takes the place of another.
    Word(usize, usize),
}

/// The lines of a run, and those of one of its branches.
static LINES: LazyLock<[Vec<String>; 2]> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let recording = Recording::create(&path).expect("a new file");
    let mut limits = Limits::default();
    limits.fuel = Some(30_000_000);
    let mut session = described(limits).record(&recording).open().expect("right");
    for source in [
        "x = [echo(1), later('two')]\nprint(x)",
        "import asyncio\ny = await asyncio.gather(*[soon(n) for n in range(3)])\ny",
        "while True: pass",
        "fail('KeyError', 'no')",
    ] {
        block_on(session.exec(source)).expect("runs");
    }
    session.set("given", [1, 2]).expect("JSON");
    block_on(session.get("given")).expect("bound");
    block_on(session.park()).expect("written");
    block_on(session.exec("given + x")).expect("runs");
    drop(session);
    let run = Run::open(&path).expect("a run");
    let mut place =
        block_on(run.branch(BRANCHED_AT, described(Limits::default()))).expect("followed");
    let calls = &run.turns()[BRANCHED_AT as usize].calls;
    let change = Change::new().answer(calls[0].ticket, Answer::value(7).expect("JSON"));
    let mut branch = block_on(place.open(&change.record())).expect("opens");
    block_on(branch.finish()).expect("runs");
    drop(branch);
    [path, folder.path().join(BRANCH)].map(|path| {
        let text = fs::read_to_string(path).expect("text");
        text.lines().map(str::to_owned).collect()
    })
});

/// The execution at which the branch begins.
const BRANCHED_AT: u64 = 1;

/// The journal of a branch, beside that of its run.
const BRANCH: &str = "run.jsonl.branches/1.jsonl";

impl Target for JournalLines {
    type Input = Forged;
    const NAME: &'static str = "journals";

    fn inputs() -> BoxedStrategy<Forged> {
        let line = || any::<Index>().prop_map(|index| index.index(1000));
        let forgery = prop_oneof![
            4 => (line(), edits()).prop_map(|(line, edits)| Forgery::Edit(line, edits)),
            1 => line().prop_map(Forgery::Remove),
            1 => (line(), line()).prop_map(|(from, to)| Forgery::Copy(from, to)),
            3 => (line(), any::<Index>().prop_map(|index| index.index(1000))).prop_map(|(line, word)| Forgery::Word(line, word)),
        ];
        (
            prop::collection::vec(forgery, 1..4),
            prop::bool::weighted(0.9),
            any::<bool>(),
        )
            .prop_map(|(deeds, is_resealed, is_branch)| Forged {
                deeds,
                is_resealed,
                is_branch,
            })
            .boxed()
    }

    fn attempt(forged: &Forged) -> Result<(), String> {
        let mut lines = LINES[usize::from(forged.is_branch)].clone();
        for deed in &forged.deeds {
            forge(&mut lines, deed);
        }
        let text = match forged.is_resealed {
            true => resealed(lines.iter().map(String::as_str)),
            false => lines.iter().map(|line| format!("{line}\n")).collect(),
        };
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut path = folder.path().join("run.jsonl");
        if forged.is_branch {
            let run: String = LINES[0].iter().map(|line| format!("{line}\n")).collect();
            fs::write(&path, run).map_err(|error| error.to_string())?;
            path = folder.path().join(BRANCH);
            let folder = path.parent().ok_or("a branch has a folder")?;
            fs::create_dir(folder).map_err(|error| error.to_string())?;
        }
        fs::write(&path, text).map_err(|error| error.to_string())?;
        // A forged journal may name any time and fuel for its endless loop.
        let mut limits = ReaderLimits::default();
        limits.time = Duration::from_secs(10);
        let journal = Journal::open_with(&path, limits);
        let replayed = journal.and_then(|journal| block_on(journal.replay(sandbox())));
        is_refused_or_replayed(replayed)
    }
}

/// Checks that reading and replaying a journal ended in a verdict or an error about the
/// journal, and that a session afterwards answers.
pub(crate) fn is_refused_or_replayed<T>(replayed: rlm_sandbox::Result<T>) -> Result<(), String> {
    match replayed {
        Ok(_) => {}
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::Journal
                    | ErrorKind::Diverged
                    | ErrorKind::Parked
                    | ErrorKind::Usage
                    | ErrorKind::Limit
            ) => {}
        Err(error) => return Err(format!("{:?}: {error}", error.kind())),
    }
    let mut other = described(Limits::default())
        .open()
        .map_err(|error| error.to_string())?;
    answers(&mut other)
}

fn forge(lines: &mut Vec<String>, deed: &Forgery) {
    if lines.is_empty() {
        return;
    }
    let at = |line: usize, lines: &[String]| line % lines.len();
    match deed {
        Forgery::Edit(line, edits) => {
            let line = at(*line, lines);
            let mut bytes = std::mem::take(&mut lines[line]).into_bytes();
            edit(&mut bytes, edits);
            lines[line] = String::from_utf8_lossy(&bytes).replace('\n', " ");
        }
        Forgery::Remove(line) => drop(lines.remove(at(*line, lines))),
        Forgery::Copy(from, to) => {
            let (from, to) = (at(*from, lines), at(*to, lines));
            lines.insert(to, lines[from].clone());
        }
        Forgery::Word(line, word) => {
            // Some of these are what a number is parsed from, or how long something is.
            const WORDS: [&str; 12] = [
                "0",
                "-1",
                "18446744073709551615",
                "1e309",
                "null",
                "true",
                "[]",
                "{}",
                "\"\"",
                "\"\\u0000\"",
                "99999999999999999999",
                "\"18446744073709551615\"",
            ];
            let line = at(*line, lines);
            let text = lines[line].clone();
            let values: Vec<usize> = text
                .match_indices(':')
                .map(|(index, _)| index + 1)
                .collect();
            if values.is_empty() {
                return;
            }
            let start = values[word % values.len()];
            let end = text[start..]
                .find([',', '}', ']'])
                .map_or(text.len(), |length| start + length);
            lines[line] = format!(
                "{}{}{}",
                &text[..start],
                WORDS[word % WORDS.len()],
                &text[end..]
            );
        }
    }
}

/// Lines with sums that fit; those that lost theirs stay as they are.
pub(crate) fn resealed<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut sum = 0;
    let mut text = String::new();
    for line in lines {
        let (fitting, line) = sums::resealed(sum, line).unwrap_or((sum, format!("{line}\n")));
        sum = fitting;
        text.push_str(&line);
    }
    text
}
