//! Journals of strangers, with the files beside them.
//!
//! Any bytes in the journal, in a context and in the session that it begins with,
//! under reader limits that honest recordings hardly pass. Reading one ends with a
//! verdict or an error, within the reader's limits.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::BoxedStrategy;
use rlm_sandbox::{Context, Journal, Limits, Parked, ReaderLimits, Recording};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::journals::{is_refused_or_replayed, resealed};
use crate::parked::{Edit, edit, edits};
use crate::sandboxed::{KEY, block_on, described, sandbox};
use crate::target::Target;

pub(crate) struct Recordings;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Prepared {
    /// Changes of the journal's bytes, as they are.
    lines: Vec<Edit>,
    numbers: Vec<(usize, usize)>,
    beside: Beside,
    /// True if digests and sums are made to fit the changes.
    fits: bool,
}

/// Preparation of one of the files beside the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Beside {
    Honest,
    Changed(usize, Vec<Edit>),
    /// So many megabytes of zeros, packed to a few kilobytes.
    Bomb(usize, u8),
    Empty(usize),
    Missing(usize),
    /// A link to a file that nobody named.
    Link(usize),
    Folder(usize),
}

struct Recorded {
    journal: Vec<u8>,
    /// Names and bytes.
    beside: Vec<(String, Vec<u8>)>,
}

static RECORDED: LazyLock<Recorded> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let context = || Context::text("notes", "a line\n".repeat(1000));
    let mut first = described(Limits::default()).open().expect("right");
    block_on(first.exec("x = list(range(100))")).expect("runs");
    let parked = block_on(first.park()).expect("written").to_bytes(KEY);
    let parked = Parked::from_bytes(sandbox(), &parked, KEY).expect("just written");
    let recording = Recording::create(&path).expect("a new file");
    let mut session = described(Limits::default())
        .context(context())
        .record(&recording)
        .restore(&parked)
        .expect("right");
    for source in [
        "len(notes) + len(x)",
        "y = [echo(1), later('two')]\nprint(y)",
    ] {
        block_on(session.exec(source)).expect("runs");
    }
    drop(session);
    let mut beside: Vec<(String, Vec<u8>)> = fs::read_dir(folder.path().join("run.jsonl.data"))
        .expect("made")
        .map(|entry| {
            let path = entry.expect("read").path();
            let name = path
                .file_name()
                .expect("named")
                .to_string_lossy()
                .into_owned();
            (name, fs::read(path).expect("read"))
        })
        .collect();
    beside.sort();
    assert_eq!(beside.len(), 2, "a context and a session");
    Recorded {
        journal: fs::read(&path).expect("read"),
        beside,
    }
});

/// Text in place of a number: what is parsed from it overflows somewhere.
const NUMBERS: [&str; 10] = [
    "18446744073709551615",
    "\"18446744073709551615\"",
    "\"18446744073709551615.4294967295\"",
    "\"0.1000000000\"",
    "\"-1.5\"",
    "-9223372036854775808",
    "1e400",
    "4294967296",
    "\"340282366920938463463374607431768211456\"",
    "0",
];

impl Target for Recordings {
    type Input = Prepared;
    const NAME: &'static str = "recordings";

    fn inputs() -> BoxedStrategy<Prepared> {
        let index = || any::<Index>().prop_map(|index| index.index(1000));
        let beside = prop_oneof![
            2 => Just(Beside::Honest),
            4 => (index(), edits()).prop_map(|(which, edits)| Beside::Changed(which, edits)),
            1 => (index(), any::<u8>()).prop_map(|(which, size)| Beside::Bomb(which, size)),
            1 => index().prop_map(Beside::Empty),
            1 => index().prop_map(Beside::Missing),
            1 => index().prop_map(Beside::Link),
            1 => index().prop_map(Beside::Folder),
        ];
        let lines = prop_oneof![3 => Just(Vec::new()), 1 => edits()];
        let numbers = prop::collection::vec((index(), index()), 0..4);
        (lines, numbers, beside, prop::bool::weighted(0.8))
            .prop_map(|(lines, numbers, beside, fits)| Prepared {
                lines,
                numbers,
                beside,
                fits,
            })
            .boxed()
    }

    fn attempt(prepared: &Prepared) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("run.jsonl");
        prepare(folder.path(), &path, prepared).map_err(|error| error.to_string())?;
        let mut limits = ReaderLimits::default();
        limits.time = Duration::from_secs(10);
        limits.data_bytes = 16 << 20;
        limits.memory_bytes = 256 << 20;
        limits.file_bytes = 1 << 20;
        let journal = Journal::open_with(&path, limits);
        let replayed = journal.and_then(|journal| {
            // The lines that `journal show` writes are read already.
            let _read = journal.sources().map(str::len).sum::<usize>();
            block_on(journal.replay(sandbox()))
        });
        is_refused_or_replayed(replayed)
    }
}

/// Writes the journal and its files as they were prepared.
fn prepare(folder: &Path, path: &Path, prepared: &Prepared) -> std::io::Result<()> {
    let data = folder.join("run.jsonl.data");
    fs::create_dir(&data)?;
    let mut text = String::from_utf8_lossy(&RECORDED.journal).into_owned();
    for (place, number) in &prepared.numbers {
        replace_number(&mut text, *place, NUMBERS[number % NUMBERS.len()]);
    }
    let secret = folder.join("secret");
    fs::write(&secret, "of the reader")?;
    let chosen = match &prepared.beside {
        Beside::Honest => None,
        Beside::Changed(which, _)
        | Beside::Bomb(which, _)
        | Beside::Empty(which)
        | Beside::Missing(which)
        | Beside::Link(which)
        | Beside::Folder(which) => Some(which % RECORDED.beside.len()),
    };
    for (index, (name, bytes)) in RECORDED.beside.iter().enumerate() {
        let mut bytes = bytes.clone();
        if chosen == Some(index) {
            match &prepared.beside {
                Beside::Changed(_, edits) => edit(&mut bytes, edits),
                Beside::Bomb(_, size) => bytes = bomb(&bytes, *size)?,
                Beside::Empty(_) => bytes.clear(),
                Beside::Missing(_) => continue,
                Beside::Link(_) => {
                    #[cfg(unix)]
                    std::os::unix::fs::symlink(&secret, data.join(name))?;
                    continue;
                }
                Beside::Folder(_) => {
                    fs::create_dir(data.join(name))?;
                    continue;
                }
                Beside::Honest => {}
            }
        }
        let named = match prepared.fits {
            true => hex(&Sha256::digest(&bytes)),
            false => name.clone(),
        };
        text = text.replace(name.as_str(), &named);
        fs::write(data.join(named), bytes)?;
    }
    let mut bytes = match prepared.fits {
        true => resealed(text.lines()).into_bytes(),
        false => text.into_bytes(),
    };
    edit(&mut bytes, &prepared.lines);
    fs::write(path, bytes)
}

/// Returns a file whose first eight bytes say what was there before and whose rest
/// unpacks to so many megabytes.
fn bomb(honest: &[u8], megabytes: u8) -> std::io::Result<Vec<u8>> {
    let mut bytes = honest[..honest.len().min(8)].to_vec();
    let zeros = std::io::Read::take(std::io::repeat(0), u64::from(megabytes) << 20);
    bytes.extend(zstd::encode_all(zeros, 3)?);
    Ok(bytes)
}

/// Puts `number` in place of one of the values that are numbers, or text that
/// begins with a digit.
fn replace_number(text: &mut String, place: usize, number: &str) {
    let starts: Vec<usize> = text
        .match_indices(':')
        .map(|(index, _)| index + 1)
        .filter(|&start| {
            let value = text[start..].trim_start_matches('"');
            value.starts_with(|first: char| first.is_ascii_digit())
        })
        .collect();
    let Some(&start) = starts.get(place % starts.len().max(1)) else {
        return;
    };
    let end = text[start..]
        .find([',', '}', ']'])
        .map_or(text.len(), |length| start + length);
    text.replace_range(start..end, number);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
