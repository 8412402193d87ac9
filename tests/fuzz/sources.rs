//! Python that nobody wrote, under limits that nobody chose.
//!
//! Lines of all the Python in this folder's neighbours are put together anew, and
//! letters are changed. Whatever it is, the exec ends in a typed outcome, within its
//! limits; its replay is what it was; the next exec is answered; and a session
//! that is opened afterwards, in the memory that this one had, cannot tell.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::BoxedStrategy;
use rlm_sandbox::{Journal, Limits, Outcome, Recording, Verdict};
use serde::{Deserialize, Serialize};

use crate::sandboxed::{answers, block_on, described, exec, sandbox};
use crate::target::Target;

pub(crate) struct Sources;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Tried {
    sources: Vec<String>,
    fuel: u64,
    memory_bytes: u64,
    output_bytes: u64,
    value_bytes: u32,
    calls: u64,
    open_calls: u32,
    recursion: u32,
}

/// Lines of Python, with how far they are moved in.
static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut lines = Vec::new();
    for folder in ["hostile/inputs", "cases", "idioms"] {
        read(&here.join(folder), &mut lines);
    }
    assert!(lines.len() > 1000, "only {} lines", lines.len());
    lines
});

fn read(folder: &Path, lines: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    // Seeds mean the same wherever this runs.
    entries.sort();
    for path in entries {
        if path.is_dir() {
            read(&path, lines);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let short = text
                .lines()
                .filter(|line| !line.trim().is_empty() && line.len() < 200 && !line.contains('⟦'));
            lines.extend(short.map(str::to_owned));
        }
    }
}

/// What may be put anywhere.
const TOKENS: [&str; 40] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    ".",
    "=",
    "==",
    ":=",
    "->",
    "**",
    "*",
    "@",
    "lambda x: ",
    "await ",
    "yield ",
    "async ",
    "not ",
    " if ",
    " else ",
    " for x in ",
    "0",
    "1e309",
    "-1",
    "10**9",
    "''",
    "f'{x}'",
    "None",
    "\\\n",
    "\n",
    "    ",
    "\t",
    ";",
    "#",
    "\u{0}",
    "é",
    "🙂",
];

#[derive(Clone, Debug)]
enum Change {
    /// A token goes where this points.
    Insert(Index, Index),
    /// So many letters go.
    Remove(Index, u8),
    /// A stretch comes twice.
    Repeat(Index, u8),
}

fn source() -> impl Strategy<Value = String> {
    // Mostly stretches of one file, which make sense together.
    let stretch = (any::<Index>(), 1..8_usize);
    let change = prop_oneof![
        3 => (any::<Index>(), any::<Index>()).prop_map(|(at, token)| Change::Insert(at, token)),
        2 => (any::<Index>(), 1..4_u8).prop_map(|(at, count)| Change::Remove(at, count)),
        1 => (any::<Index>(), 1..30_u8).prop_map(|(at, count)| Change::Repeat(at, count)),
    ];
    (
        prop::collection::vec(stretch, 1..6),
        prop::collection::vec(change, 0..6),
    )
        .prop_map(|(stretches, changes)| {
            let mut lines = Vec::new();
            for (at, count) in stretches {
                let first = at.index(LINES.len());
                lines.extend(LINES[first..].iter().take(count).cloned());
            }
            let mut letters: Vec<char> = lines.join("\n").chars().collect();
            for change in changes {
                if letters.is_empty() {
                    break;
                }
                match change {
                    Change::Insert(at, token) => {
                        let at = at.index(letters.len());
                        letters.splice(at..at, TOKENS[token.index(TOKENS.len())].chars());
                    }
                    Change::Remove(at, count) => {
                        let at = at.index(letters.len());
                        let end = letters.len().min(at + usize::from(count));
                        letters.drain(at..end);
                    }
                    Change::Repeat(at, count) => {
                        let at = at.index(letters.len());
                        let end = letters.len().min(at + usize::from(count));
                        let stretch: Vec<char> = letters[at..end].to_vec();
                        letters.splice(at..at, stretch);
                    }
                }
            }
            letters.into_iter().collect()
        })
}

impl Target for Sources {
    type Input = Tried;
    const NAME: &'static str = "sources";

    fn inputs() -> BoxedStrategy<Tried> {
        let numbers = (
            // Enough for `1+1`, and for a while.
            3_000_000..100_000_000_u64,
            (1_u64 << 20)..(32 << 20),
            0..20_000_u64,
            0..20_000_u32,
            0..100_u64,
            0..20_u32,
            20..=1000_u32,
        );
        (prop::collection::vec(source(), 1..3), numbers)
            .prop_map(
                |(
                    sources,
                    (fuel, memory_bytes, output_bytes, value_bytes, calls, open_calls, recursion),
                )| Tried {
                    sources,
                    fuel,
                    memory_bytes,
                    output_bytes,
                    value_bytes,
                    calls,
                    open_calls,
                    recursion,
                },
            )
            .boxed()
    }

    fn attempt(tried: &Tried) -> Result<(), String> {
        let limits = tried.limits();
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("run.jsonl");
        let recording = Recording::create(&path).map_err(|error| error.to_string())?;
        let builder = described(limits.clone()).record(&recording);
        let mut session = builder.open().map_err(|error| error.to_string())?;
        for source in &tried.sources {
            let outcome = exec(&mut session, source)?;
            within(&limits, &outcome).map_err(|why| format!("{why} in {source:?}: {outcome:?}"))?;
        }
        answers(&mut session)?;
        drop(session);
        undisturbed()?;
        let journal = Journal::open(&path).map_err(|error| error.to_string())?;
        let replayed = block_on(journal.replay(sandbox())).map_err(|error| error.to_string())?;
        match replayed.verdict {
            Verdict::Identical | Verdict::NotReplayable { .. } => Ok(()),
            other => Err(format!("not replayed: {other:?}")),
        }
    }
}

impl Tried {
    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.fuel = Some(self.fuel);
        limits.memory_bytes = self.memory_bytes;
        limits.output_bytes = self.output_bytes;
        limits.value_bytes = self.value_bytes.max(10);
        limits.calls = self.calls;
        limits.open_calls = self.open_calls.max(1);
        limits.recursion = self.recursion;
        // Fuel ends it, wherever it runs.
        limits.time = Duration::from_secs(60);
        limits
    }
}

/// Returns whether an exec kept to its limits, or to their documented slack.
fn within(limits: &Limits, outcome: &Outcome) -> Result<(), String> {
    let over = (limits.fuel_budget() / 10).clamp(50_000_000, 2_000_000_000);
    if outcome.usage.fuel > limits.fuel_budget() + over {
        return Err(format!("{} fuel", outcome.usage.fuel));
    }
    let printed = outcome.stdout.len() + outcome.stderr.len();
    if printed as u64 > limits.output_bytes {
        return Err(format!("{printed} bytes printed"));
    }
    if outcome.calls.len() as u64 > limits.calls + 1 {
        return Err(format!("{} calls", outcome.calls.len()));
    }
    // The stack, the image, and what the limit is above.
    let most = limits.memory_bytes + (8 << 20) + (16 << 20) + (16 << 20);
    if outcome.usage.peak_memory_bytes > most {
        return Err(format!(
            "{} bytes of memory",
            outcome.usage.peak_memory_bytes
        ));
    }
    if let rlm_sandbox::Ending::Value(Some(value)) = &outcome.ending {
        let json = value.json.as_ref().map_or(0, |json| json.len());
        if value.repr.len().max(json) > limits.value_bytes as usize + 100 {
            return Err(format!("a value of {} bytes", value.repr.len()));
        }
    }
    Ok(())
}

/// A session of its own, always the same, whose bytes must be, too.
fn undisturbed() -> Result<(), String> {
    static FIRST: LazyLock<Result<Vec<u8>, String>> = LazyLock::new(witness);
    let (now, first) = (witness()?, FIRST.clone()?);
    if now == first {
        Ok(())
    } else {
        Err(String::from("a new session is not as the first one was"))
    }
}

fn witness() -> Result<Vec<u8>, String> {
    let mut session = described(Limits::default())
        .open()
        .map_err(|error| error.to_string())?;
    let outcome = exec(
        &mut session,
        "import random\nx = [random.random() for _ in range(20)]\ny = {str(n): hash(str(n)) for n in x}\nid(x)",
    )?;
    let parked = block_on(session.park()).map_err(|error| error.to_string())?;
    let mut bytes = parked.state();
    bytes.extend_from_slice(&outcome.usage.fuel.to_le_bytes());
    bytes.extend_from_slice(format!("{:?}", outcome.ending).as_bytes());
    Ok(bytes)
}
