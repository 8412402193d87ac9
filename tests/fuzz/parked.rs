//! Parked sessions that are not what was parked.
//!
//! Bytes are changed before and behind the seal, packed and unpacked. They are
//! refused, or they are a session that behaves like one; the host is not harmed
//! and nobody else is.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use hmac::{Hmac, Mac as _};
use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use rlm_sandbox::{ErrorKind, Limits, Parked, Step};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use zstd::bulk::{Compressor, Decompressor};

use crate::sandboxed::{KEY, block_on, described, sandbox};
use crate::target::Target;

pub(crate) struct ParkedBytes;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Depth {
    /// As anybody may who has the file.
    Outside,
    /// With a seal that is right.
    Behind,
    /// With the packing undone and done again, too.
    Within,
    /// In what the host wrote, whose length is then right.
    Host,
    /// In what the interpreter wrote, or in its pages, likewise.
    Interpreter,
    /// In the list of the pages.
    Pages,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Changed {
    is_waiting: bool,
    /// True for the pages of its memory, false for what its interpreter wrote.
    #[serde(default)]
    is_snapshot: bool,
    depth: Depth,
    edits: Vec<Edit>,
}

/// A place, in millionths of the whole, and what is done there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Edit {
    at: u32,
    what: What,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum What {
    Set(u8),
    Flip(u8),
    Insert(Vec<u8>),
    Remove(u16),
    /// A stretch from elsewhere comes here.
    Copy(u32, u16),
    Cut,
    /// The next number becomes this one.
    Number(u64),
    /// The first text, wherever it is, becomes the second.
    Word(String, String),
}

pub(crate) fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let what = prop_oneof![
        4 => any::<u8>().prop_map(What::Set),
        4 => (0..8_u8).prop_map(|bit| What::Flip(1 << bit)),
        2 => prop::collection::vec(any::<u8>(), 1..9).prop_map(What::Insert),
        2 => (1..40_u16).prop_map(What::Remove),
        2 => (0..1_000_000_u32, 1..60_u16).prop_map(|(from, count)| What::Copy(from, count)),
        1 => Just(What::Cut),
        4 => prop_oneof![0..5_u64, Just(u64::from(u32::MAX)), Just(u64::MAX), any::<u64>()].prop_map(What::Number),
    ];
    let edit = (0..1_000_000_u32, what).prop_map(|(at, what)| Edit { at, what });
    prop::collection::vec(edit, 1..6)
}

pub(crate) fn edit(bytes: &mut Vec<u8>, edits: &[Edit]) {
    for Edit { at, what } in edits {
        let place = |millionths: u32, bytes: &[u8]| {
            (bytes.len() as u64 * u64::from(millionths) / 1_000_000) as usize
        };
        if bytes.is_empty() {
            return;
        }
        let at = place(*at, bytes);
        match what {
            What::Set(value) => bytes[at] = *value,
            What::Flip(bits) => bytes[at] ^= bits,
            What::Insert(more) => drop(bytes.splice(at..at, more.iter().copied())),
            What::Remove(count) => {
                let end = bytes.len().min(at + usize::from(*count));
                bytes.drain(at..end);
            }
            What::Copy(from, count) => {
                let from = place(*from, bytes);
                let end = bytes.len().min(from + usize::from(*count));
                let stretch = bytes[from..end].to_vec();
                bytes.splice(at..at, stretch);
            }
            What::Cut => bytes.truncate(at),
            What::Number(number) => {
                let is_digit = |byte: &u8| byte.is_ascii_digit();
                let Some(start) = bytes[at..].iter().position(is_digit) else {
                    continue;
                };
                let rest = &bytes[at + start..];
                let end = rest.iter().position(|byte| !is_digit(byte));
                let end = at + start + end.unwrap_or(rest.len());
                bytes.splice(at + start..end, number.to_string().into_bytes());
            }
            What::Word(from, to) => {
                let mut places = bytes.windows(from.len());
                let start = places.position(|place| place == from.as_bytes());
                let start = start.expect("only the corpus has these, and knows the text");
                bytes.splice(start..start + from.len(), to.bytes());
            }
        }
    }
}

/// An idle session and one that waits, as bytes: as the interpreter writes them, and as snapshots.
static WHOLE: LazyLock<[Vec<u8>; 4]> = LazyLock::new(|| {
    [(false, false), (true, false), (false, true), (true, true)].map(|(is_waiting, is_snapshot)| {
        let mut session = described(Limits::default()).open().expect("right");
        let source = "import json\nclass A:\n    def __init__(self, n): self.n = n\na = A(1)\nxs = [1, 'two', {3: (4, 5.5)}, a]\ndef f(n): return n + xs[0]\nd = {str(n): n for n in range(50)}";
        block_on(session.exec(source)).expect("runs");
        if is_waiting {
            let step = block_on(session.step("ys = []\nfor n in range(3): ys.append(later(f(n)))")).expect("runs");
            assert!(matches!(step, Step::Waiting(_)));
        }
        let parked = match is_snapshot {
            true => block_on(session.snapshot()),
            false => block_on(session.park()),
        };
        parked.expect("parks").to_bytes(KEY)
    })
});

impl Target for ParkedBytes {
    type Input = Changed;
    const NAME: &'static str = "parked";

    fn inputs() -> BoxedStrategy<Changed> {
        let depth = prop_oneof![
            1 => Just(Depth::Outside),
            2 => Just(Depth::Behind),
            2 => Just(Depth::Within),
            4 => Just(Depth::Host),
            4 => Just(Depth::Interpreter),
            2 => Just(Depth::Pages),
        ];
        (any::<bool>(), any::<bool>(), depth, edits())
            .prop_map(|(is_waiting, is_snapshot, depth, edits)| Changed {
                is_waiting,
                is_snapshot,
                depth,
                edits,
            })
            .boxed()
    }

    fn attempt(changed: &Changed) -> Result<(), String> {
        let number = usize::from(changed.is_waiting) + 2 * usize::from(changed.is_snapshot);
        let whole = &WHOLE[number];
        let mut bytes = whole.clone();
        match changed.depth {
            Depth::Outside => edit(&mut bytes, &changed.edits),
            Depth::Behind => {
                let mut rest = bytes.split_off(SEALED_FROM);
                edit(&mut rest, &changed.edits);
                seal(&mut bytes, &rest);
            }
            depth => {
                let rest = bytes.split_off(SEALED_FROM);
                let (origin, packed) = rest.split_at(
                    4 + u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]) as usize,
                );
                let mut payload = unpack(packed);
                change(&mut payload, depth, &changed.edits);
                let mut rest = origin.to_vec();
                pack(&payload, &packed[..8], &mut rest);
                seal(&mut bytes, &rest);
            }
        }
        let is_changed = bytes != *whole;
        let parked = match Parked::from_bytes(sandbox(), &bytes, KEY) {
            Ok(_) if is_changed && matches!(changed.depth, Depth::Outside) => {
                return Err(String::from("changed bytes were taken"));
            }
            Ok(parked) => parked,
            Err(error) if error.kind() == ErrorKind::Parked => return Ok(()),
            Err(error) => return Err(format!("{:?}: {error}", error.kind())),
        };
        let mut limits = Limits::default();
        limits.fuel = Some(50_000_000);
        let mut session = match described(limits).restore(&parked) {
            Ok(session) => session,
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::Parked | ErrorKind::Usage | ErrorKind::Limit
                ) =>
            {
                return Ok(());
            }
            Err(error) => return Err(format!("restored: {:?}: {error}", error.kind())),
        };
        // Whoever has the key may write any session; it may be one that does not work.
        for round in 0..3 {
            let tried = match session.is_waiting() {
                true => block_on(session.finish()),
                false => block_on(session.exec("[f(1), str(xs), len(d)]")),
            };
            if let Err(error) = tried
                && !matches!(
                    error.kind(),
                    ErrorKind::Parked | ErrorKind::Lost | ErrorKind::Usage | ErrorKind::Limit
                )
            {
                return Err(format!("round {round}: {:?}: {error}", error.kind()));
            }
        }
        drop(session);
        let mut other = described(Limits::default())
            .open()
            .map_err(|error| error.to_string())?;
        crate::sandboxed::answers(&mut other)
    }
}

/// Magic, format and seal come before.
const SEALED_FROM: usize = b"rlm-sandbox session\0".len() + 2 + 32;

fn seal(head: &mut Vec<u8>, rest: &[u8]) {
    let mut mac = Hmac::<Sha256>::new_from_slice(KEY).expect("any length");
    mac.update(&head[SEALED_FROM - 34..SEALED_FROM - 33]);
    mac.update(rest);
    head.truncate(SEALED_FROM - 32);
    head.extend_from_slice(&mac.finalize().into_bytes());
    head.extend_from_slice(rest);
}

/// What every session is packed against.
static DICTIONARY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../host/sandbox/guest/pristine.parked");
    fs::read(file).expect("there")
});

fn unpack(packed: &[u8]) -> Vec<u8> {
    let length = u64::from_le_bytes(packed[8..16].try_into().expect("eight"));
    let mut decompressor = Decompressor::with_dictionary(&DICTIONARY).expect("a dictionary");
    let unpacked = decompressor.decompress(&packed[16..], length as usize);
    unpacked.expect("it was packed with this")
}

fn change(payload: &mut Vec<u8>, depth: Depth, edits: &[Edit]) {
    let (mut host, mut pages, mut state) = match depth {
        Depth::Host | Depth::Interpreter | Depth::Pages => {
            (part(payload, 4), part(payload, 4), part(payload, 8))
        }
        Depth::Outside | Depth::Behind | Depth::Within => return edit(payload, edits),
    };
    match depth {
        Depth::Host => edit(&mut host, edits),
        Depth::Pages => edit(&mut pages, edits),
        _ => {
            // Its one stretch has a kind and a length of its own.
            let mut stretch = state.split_off(9);
            edit(&mut stretch, edits);
            state.truncate(1);
            state.extend((stretch.len() as u64).to_le_bytes());
            state.extend(stretch);
        }
    }
    let rest = std::mem::take(payload);
    for part in [host, pages] {
        payload.extend((part.len() as u32).to_le_bytes());
        payload.extend(part);
    }
    payload.extend((state.len() as u64).to_le_bytes());
    payload.extend(state.into_iter().chain(rest));
}

/// Takes the first part away, whose length is a number of so many bytes.
fn part(payload: &mut Vec<u8>, prefix: usize) -> Vec<u8> {
    let mut length = [0; 8];
    length[..prefix].copy_from_slice(&payload[..prefix]);
    let end = prefix + u64::from_le_bytes(length) as usize;
    let rest = payload.split_off(end);
    std::mem::replace(payload, rest).split_off(prefix)
}

fn pack(payload: &[u8], name: &[u8], to: &mut Vec<u8>) {
    let mut compressor = Compressor::with_dictionary(3, &DICTIONARY).expect("a dictionary");
    to.extend_from_slice(name);
    to.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    to.extend_from_slice(
        &compressor
            .compress(payload)
            .expect("memory is all that it takes"),
    );
}
