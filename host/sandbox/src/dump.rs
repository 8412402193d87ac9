//! The state of a namespace as the guest wrote it, without the contexts in it:
//! the host has those already.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::iter;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::admission::Admission;
use crate::guest_state::Readable;
use crate::kept_bytes::KeptBytes;
use crate::meter::yield_now;

/// A context that is smaller is not searched for. Also the length of the window whose hash finds
/// the others.
const WORTH_BYTES: usize = 4 << 10;
/// Contexts that a dump can have: a guest has 4 GiB at the most.
const CONTEXT_STRETCHES: usize = (4 << 30) / WORTH_BYTES;
/// Contexts that are searched for in one state; of more, the longest.
const SEARCHED_CONTEXTS: usize = 8 << 10;
/// Bytes that may be compared in vain, in multiples of the bytes of the state and of a step.
const COMPARED_FACTOR: u64 = 4;
/// Bytes that may be compared in vain at one place, or one context more.
const COMPARED_HERE_BYTES: u64 = 8 << 20;
/// Bytes that are compared at once, and those at the end of a context that are compared first:
/// contexts that begin alike seldom end alike.
const COMPARED_BYTES: usize = 4 << 10;
const TAIL_BYTES: usize = 64;
/// Bytes of work between two moments at which other tasks may run.
const STEP_BYTES: u64 = 1 << 20;
/// Bytes of a state that enter the guest at once.
const CHUNK_BYTES: usize = 1 << 20;

const OWN: u8 = 0;
const CONTEXT: u8 = 1;

/// What a guest wrote, of which every stretch that is a whole context only
/// names it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Dump {
    stretches: Arc<[Stretch]>,
    kept: Kept,
}

impl fmt::Debug for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dump")
            .field("stretches", &self.stretches.len())
            .finish_non_exhaustive()
    }
}

/// The account of a state, which all clones share. All are equal.
#[derive(Clone, Debug, Default)]
struct Kept(Arc<Mutex<Weak<KeptBytes>>>);

impl PartialEq for Kept {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Kept {}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stretch {
    Own(Arc<[u8]>),
    Context(Arc<str>),
}

impl Dump {
    /// Divides what a guest wrote. Lets other tasks run after each [`STEP_BYTES`] of it.
    pub(crate) async fn new(bytes: &[u8], contexts: &Readable) -> Self {
        let mut search = Search::new(bytes, contexts);
        while !search.step() {
            yield_now().await;
        }
        Self::found(search)
    }

    /// Divides bytes as [`new`](Self::new) does, without letting other tasks run.
    pub(crate) fn divided(bytes: &[u8], contexts: &Readable) -> Self {
        let mut search = Search::new(bytes, contexts);
        while !search.step() {}
        Self::found(search)
    }

    fn found(search: Search<'_>) -> Self {
        Self {
            stretches: search.stretches.into(),
            kept: Kept::default(),
        }
    }

    /// What the guest wrote, in chunks of a megabyte at the most. None in place
    /// of a context that is not there.
    pub(crate) fn chunks<'a>(
        &'a self,
        contexts: &'a Readable,
    ) -> impl Iterator<Item = Option<&'a [u8]>> + Clone {
        self.stretches.iter().flat_map(|stretch| {
            let whole = match stretch {
                Stretch::Own(bytes) => Some(bytes.as_ref()),
                Stretch::Context(name) => contexts.get(name).map(|context| context.as_bytes()),
            };
            let missing = whole.is_none().then_some(None);
            let chunks = whole.unwrap_or_default().chunks(CHUNK_BYTES).map(Some);
            chunks.chain(missing)
        })
    }

    /// Counts the bytes of it that are in memory, contexts left out; once for all sessions of a
    /// sandbox that have it.
    pub(crate) fn keep(&self, admission: &Arc<Admission>) -> Arc<KeptBytes> {
        let mut kept = self.kept.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.upgrade().filter(|kept| kept.is_of(admission)) {
            return kept;
        }
        let bytes = self.size_bytes(&Readable::default());
        let counted = Arc::new(KeptBytes::new(admission, bytes));
        *kept = Arc::downgrade(&counted);
        counted
    }

    /// Bytes of what the guest wrote.
    pub(crate) fn size_bytes(&self, contexts: &Readable) -> u64 {
        let chunks = self.chunks(contexts).flatten();
        chunks.map(|chunk| chunk.len() as u64).sum()
    }

    /// Appends it to a file: for each stretch its kind, its length and itself.
    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        for stretch in self.stretches.iter() {
            let (kind, bytes) = match stretch {
                Stretch::Own(bytes) => (OWN, bytes.as_ref()),
                Stretch::Context(name) => (CONTEXT, name.as_bytes()),
            };
            to.push(kind);
            to.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            to.extend_from_slice(bytes);
        }
    }

    /// What [`write`](Self::write) wrote, if it did.
    pub(crate) fn read(mut from: &[u8]) -> Option<Self> {
        let (mut before, mut contexts) = (CONTEXT, 0);
        let mut names = BTreeSet::new();
        let stretches = iter::from_fn(|| {
            let (&kind, rest) = from.split_first()?;
            from = rest;
            // Contexts alone divide a dump of ours, and each has its length in it. Many small
            // stretches would take much more memory than their bytes.
            let is_divided = kind == OWN && before == OWN;
            before = kind;
            contexts += usize::from(kind == CONTEXT);
            let is_possible = !is_divided && contexts <= CONTEXT_STRETCHES;
            let stretch = stretch(kind, &mut from, &mut names);
            Some(stretch.filter(|_| is_possible))
        });
        let stretches = stretches.collect::<Option<Vec<_>>>()?;
        Some(Self {
            stretches: stretches.into(),
            kept: Kept::default(),
        })
    }
}

/// A search for all contexts at once, in one pass over a state.
///
/// The work is bounded by the bytes of the state and the number of contexts, whatever they hold.
/// It depends on nothing but these, so equal sessions are written alike. A context that is not
/// found is stored as a part of the state.
struct Search<'a> {
    bytes: &'a [u8],
    /// Contexts that are not in the index yet, the shortest first.
    rest: Vec<Candidate<'a>>,
    /// Contexts by the hash of their first window, the longest first.
    index: HashMap<u64, Vec<Candidate<'a>>>,
    /// A bit for each hash of the index, cut to [`FILTER_BITS`].
    filter: Box<[u64]>,
    /// The first byte that is in no stretch yet.
    end: usize,
    /// Where the window begins, and its hash.
    at: usize,
    hash: Option<u64>,
    stretches: Vec<Stretch>,
    /// Bytes that may yet be compared in vain.
    may_compare: u64,
    /// Bytes that were hashed and compared.
    work: u64,
}

#[derive(Clone, Copy)]
struct Candidate<'a> {
    bytes: &'a [u8],
    name: &'a Arc<str>,
}

/// Bits of a hash that choose a bit of the filter.
const FILTER_BITS: u32 = 18;

impl<'a> Search<'a> {
    fn new(bytes: &'a [u8], contexts: &'a Readable) -> Self {
        let candidates = contexts.iter().map(|(name, context)| Candidate {
            bytes: context.as_bytes(),
            name,
        });
        let fits = WORTH_BYTES..=bytes.len();
        let mut rest: Vec<_> = candidates
            .filter(|candidate| fits.contains(&candidate.bytes.len()))
            .collect();
        // Of equal length the first by name is the first here as well.
        rest.sort_by_key(|candidate| std::cmp::Reverse(candidate.bytes.len()));
        rest.truncate(SEARCHED_CONTEXTS);
        rest.reverse();
        let words = if rest.is_empty() {
            0
        } else {
            1 << (FILTER_BITS - 6)
        };
        Self {
            bytes,
            rest,
            index: HashMap::new(),
            filter: vec![0; words].into(),
            end: 0,
            at: 0,
            hash: None,
            stretches: Vec::new(),
            may_compare: COMPARED_FACTOR.saturating_mul(STEP_BYTES + bytes.len() as u64),
            work: 0,
        }
    }

    /// Does the work of [`STEP_BYTES`], and compares at one place. Returns whether it is done.
    fn step(&mut self) -> bool {
        let until = self.work.saturating_add(STEP_BYTES);
        while let Some(candidate) = self.rest.pop() {
            let hash = hash_of(&candidate.bytes[..WORTH_BYTES]);
            let (word, bit) = filter_place(hash);
            self.filter[word] |= bit;
            self.index.entry(hash).or_default().push(candidate);
            self.work += WORTH_BYTES as u64;
            if self.work >= until {
                return false;
            }
        }
        while !self.index.is_empty()
            && self.may_compare > 0
            && self.at + WORTH_BYTES <= self.bytes.len()
        {
            if self.work >= until {
                return false;
            }
            let hash = self.scan(until);
            if let Some(found) = hash.and_then(|hash| self.longest_here(hash)) {
                self.push_own(self.at);
                self.stretches
                    .push(Stretch::Context(Arc::clone(found.name)));
                self.at += found.bytes.len();
                (self.end, self.hash) = (self.at, None);
            } else if let Some(hash) = hash {
                self.roll(hash);
            }
        }
        self.push_own(self.bytes.len());
        true
    }

    /// Moves the window to the next place that the filter does not rule out, and returns its hash.
    /// Returns none after enough work, and at the end of the state.
    fn scan(&mut self, until: u64) -> Option<u64> {
        let first = self.hash.unwrap_or_else(|| {
            self.work += WORTH_BYTES as u64;
            hash_of(&self.bytes[self.at..self.at + WORTH_BYTES])
        });
        let most = usize::try_from(until.saturating_sub(self.work))
            .unwrap_or(usize::MAX)
            .max(1);
        let leaving = &self.bytes[self.at..];
        let entering = &self.bytes[self.at + WORTH_BYTES..];
        let (mut hash, mut moved) = (first, 0);
        for (entering, leaving) in entering.iter().zip(leaving).take(most) {
            let (word, bit) = filter_place(hash);
            if self.filter[word] & bit != 0 {
                break;
            }
            hash = rolled(hash, *leaving, *entering);
            moved += 1;
        }
        self.at += moved;
        self.work += moved as u64;
        self.hash = Some(hash);
        let (word, bit) = filter_place(hash);
        if self.filter[word] & bit != 0 {
            return Some(hash);
        }
        if self.at + WORTH_BYTES == self.bytes.len() {
            // This was the last window.
            self.at += 1;
        }
        None
    }

    /// Moves the window by one byte.
    fn roll(&mut self, hash: u64) {
        self.hash = match self.bytes.get(self.at + WORTH_BYTES) {
            Some(entering) => Some(rolled(hash, self.bytes[self.at], *entering)),
            None => None,
        };
        self.at += 1;
        self.work += 1;
    }

    /// Returns the longest context that begins where the window does.
    fn longest_here(&mut self, hash: u64) -> Option<Candidate<'a>> {
        let rest = &self.bytes[self.at..];
        let mut may_compare = COMPARED_HERE_BYTES.min(self.may_compare);
        for candidate in self.index.get(&hash)? {
            let Some(here) = rest.get(..candidate.bytes.len()) else {
                continue;
            };
            let (is_equal, compared) = compare(here, candidate.bytes);
            self.work += compared;
            if is_equal {
                return Some(*candidate);
            }
            self.may_compare = self.may_compare.saturating_sub(compared);
            may_compare = may_compare.saturating_sub(compared);
            if may_compare == 0 {
                return None;
            }
        }
        None
    }

    /// Appends what is in no stretch yet, up to this place.
    fn push_own(&mut self, until: usize) {
        if until > self.end {
            let own = &self.bytes[self.end..until];
            self.stretches.push(Stretch::Own(own.into()));
        }
    }
}

/// Returns whether two texts of one length are equal, and the bytes that it took to see that.
fn compare(one: &[u8], other: &[u8]) -> (bool, u64) {
    let tail = one.len().saturating_sub(TAIL_BYTES);
    let mut compared = (one.len() - tail) as u64;
    if one[tail..] != other[tail..] {
        return (false, compared);
    }
    let chunks = one[..tail].chunks(COMPARED_BYTES);
    for (one, other) in chunks.zip(other[..tail].chunks(COMPARED_BYTES)) {
        compared += one.len() as u64;
        if one != other {
            return (false, compared);
        }
    }
    (true, compared)
}

/// A hash of a window: its bytes are the digits of a number to this base. It is the same in every
/// process, since what is found may depend on it.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
/// What the byte before a window counts for in its hash.
const BASE_OF_LEAVING: u64 = {
    let (mut power, mut times) = (1_u64, 0);
    while times < WORTH_BYTES {
        power = power.wrapping_mul(BASE);
        times += 1;
    }
    power
};

fn hash_of(window: &[u8]) -> u64 {
    window.iter().fold(0, |hash: u64, byte| {
        hash.wrapping_mul(BASE).wrapping_add(u64::from(*byte) + 1)
    })
}

fn rolled(hash: u64, leaving: u8, entering: u8) -> u64 {
    let change = (u64::from(entering) + 1)
        .wrapping_sub((u64::from(leaving) + 1).wrapping_mul(BASE_OF_LEAVING));
    hash.wrapping_mul(BASE).wrapping_add(change)
}

/// Returns the place of a hash in the filter: a word, and a bit in it.
fn filter_place(hash: u64) -> (usize, u64) {
    let bit = hash >> (64 - FILTER_BITS);
    ((bit >> 6) as usize, 1 << (bit & 63))
}

/// Reads a stretch. `names` has the names of contexts that were read before.
fn stretch(kind: u8, from: &mut &[u8], names: &mut BTreeSet<Arc<str>>) -> Option<Stretch> {
    let (length, rest) = from.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (bytes, rest) = rest.split_at_checked(length)?;
    *from = rest;
    match kind {
        _ if bytes.is_empty() => None,
        OWN => Some(Stretch::Own(bytes.into())),
        CONTEXT => {
            let name = std::str::from_utf8(bytes).ok()?;
            let known = names.get(name).cloned();
            Some(Stretch::Context(known.unwrap_or_else(|| {
                let name = Arc::<str>::from(name);
                names.insert(Arc::clone(&name));
                name
            })))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::context::Context;

    #[test]
    fn many_small_stretches_are_refused() {
        let own = |bytes: &[u8]| {
            let mut written = vec![OWN];
            written.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            written.extend_from_slice(bytes);
            written
        };
        assert!(Dump::read(&own(b"a")).is_some());
        assert!(Dump::read(&own(b"")).is_none());
        assert!(Dump::read(&[own(b"a"), own(b"b")].concat()).is_none());
        let mut named = own(b"c");
        named[0] = CONTEXT;
        let most = named.repeat(CONTEXT_STRETCHES);
        assert!(Dump::read(&most).is_some());
        assert!(Dump::read(&[most, named].concat()).is_none());
    }

    fn contexts(texts: impl IntoIterator<Item = String>) -> Readable {
        let texts = texts.into_iter().enumerate();
        Arc::new(BTreeMap::from_iter(texts.map(|(number, text)| {
            let name = Arc::<str>::from(format!("{number:04}"));
            (Arc::clone(&name), Context::text(name, text))
        })))
    }

    /// The dump, the steps that it took, and the bytes that were looked at.
    fn dump_of(bytes: &[u8], contexts: &Readable) -> (Dump, u64, u64) {
        let mut search = Search::new(bytes, contexts);
        let mut steps = 1;
        while !search.step() {
            steps += 1;
        }
        let stretches = search.stretches.into();
        (
            Dump {
                stretches,
                kept: Kept::default(),
            },
            steps,
            search.work,
        )
    }

    fn names(dump: &Dump) -> Vec<&str> {
        let names = dump.stretches.iter().map(|stretch| match stretch {
            Stretch::Own(_) => "",
            Stretch::Context(name) => name,
        });
        names.collect()
    }

    #[test]
    fn contexts_and_state_that_are_nearly_alike_take_work_in_proportion_to_the_state() {
        const MANY: usize = 200;
        let state = "a".repeat(4 << 20);
        for length in [4090, 4096, 5000, 100_000] {
            let near = (0..MANY).map(|number| format!("{}{number:06}", "a".repeat(length)));
            let near = contexts(near);
            let equal = contexts((0..MANY).map(|_| "a".repeat(length + 6)));
            let begin_alike = contexts(
                (0..MANY)
                    .map(|number| format!("{}{number:06}{}", "a".repeat(length), "a".repeat(64))),
            );
            for (contexts, is_found) in [(near, false), (equal, true), (begin_alike, false)] {
                let (dump, steps, work) = dump_of(state.as_bytes(), &contexts);
                let most = 6 * (state.len() + STEP_BYTES as usize) + MANY * WORTH_BYTES;
                assert!(work < most as u64, "{length}: {work} bytes of work");
                // Other tasks run in between.
                let most = STEP_BYTES + COMPARED_HERE_BYTES + 2 * length as u64;
                assert!(work < steps * most, "{work} bytes, {steps} steps");
                let found = names(&dump).iter().filter(|name| !name.is_empty()).count();
                let wanted = if is_found {
                    state.len() / (length + 6)
                } else {
                    0
                };
                assert_eq!(found, wanted, "{length}");
                let read: Option<Vec<_>> = dump.chunks(&contexts).collect();
                assert_eq!(read.expect("all there").concat(), state.as_bytes());
            }
        }
    }

    #[test]
    fn contexts_that_begin_alike_are_all_found_and_the_longest_first() {
        // As files with one long notice at their head.
        let head = "notice ".repeat(1000);
        let mut texts: Vec<_> = (0..300)
            .map(|number| format!("{head}{number} {}", "b".repeat(number)))
            .collect();
        texts.push(head);
        let contexts = contexts(texts.iter().cloned());
        let state = texts
            .iter()
            .map(|text| format!("{text}-"))
            .collect::<String>();
        let (dump, _, work) = dump_of(state.as_bytes(), &contexts);
        let wanted: Vec<_> = (0..=300)
            .flat_map(|number| [format!("{number:04}"), String::new()])
            .collect();
        assert_eq!(names(&dump), wanted);
        assert!(work < 8 * state.len() as u64, "{work} bytes of work");
        // Of equal contexts the first by name counts.
        let equal = self::contexts([texts[3].clone(), texts[3].clone()]);
        assert_eq!(names(&dump_of(texts[3].as_bytes(), &equal).0), ["0000"]);
    }

    #[test]
    fn contexts_in_a_state_are_named_and_come_back() {
        let texts = ["x".repeat(5000), "yz".repeat(4000), "w".repeat(100)];
        let contexts = contexts(texts.clone());
        let [one, two, small] = &texts;
        for written in [
            String::new(),
            format!("a{one}b{two}{one}c{small}"),
            format!("{one}{one}"),
            // One that begins as a context does, and one that holds more of it.
            format!("{}{}", &one[1..], two),
            format!("x{one}"),
        ] {
            let dump = dump_of(written.as_bytes(), &contexts).0;
            let mut bytes = Vec::new();
            dump.write(&mut bytes);
            let read = Dump::read(&bytes).expect("whole");
            assert_eq!(read, dump);
            let chunks: Option<Vec<_>> = read.chunks(&contexts).collect();
            assert_eq!(chunks.expect("all there").concat(), written.as_bytes());
            assert_eq!(dump.size_bytes(&contexts), written.len() as u64);
            assert!(bytes.len() < 6000, "{} bytes", bytes.len());
            for cut in [1, 5, bytes.len() / 2] {
                if cut < bytes.len() && cut > 0 {
                    let rest = Dump::read(&bytes[..bytes.len() - cut]);
                    assert_ne!(rest.as_ref(), Some(&dump));
                }
            }
            if written.contains(one.as_str()) {
                assert!(
                    dump.chunks(&Readable::default())
                        .any(|chunk| chunk.is_none())
                );
            }
        }
    }
}
