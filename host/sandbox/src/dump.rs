//! The state of a namespace as the guest wrote it, without the contexts in it:
//! the host has those already.

use std::iter;
use std::sync::Arc;

use memchr::memmem;

use crate::guest_state::Readable;

/// A context that is smaller is not worth looking for.
const WORTH_BYTES: usize = 4 << 10;
/// Bytes of a state that enter the guest at once.
const CHUNK_BYTES: usize = 1 << 20;

const OWN: u8 = 0;
const CONTEXT: u8 = 1;

/// What a guest wrote, of which every stretch that is a whole context only
/// names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dump {
    stretches: Arc<[Stretch]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stretch {
    Own(Arc<[u8]>),
    Context(Arc<str>),
}

impl Dump {
    pub(crate) fn new(bytes: &[u8], contexts: &Readable) -> Self {
        let mut found: Vec<(usize, usize, &Arc<str>)> = Vec::new();
        for (name, context) in contexts.iter() {
            let context = context.as_bytes();
            // A longer one cannot be in there, and preparing the search for it takes time.
            if (WORTH_BYTES..=bytes.len()).contains(&context.len()) {
                let at = memmem::find_iter(bytes, context);
                found.extend(at.map(|at| (at, context.len(), name)));
            }
        }
        // Of those that overlap the first counts, and of those the longest.
        found.sort_by_key(|(at, length, _)| (*at, usize::MAX - length));
        let mut stretches = Vec::new();
        let mut end = 0;
        for (at, length, name) in found {
            if at < end {
                continue;
            }
            if at > end {
                stretches.push(Stretch::Own(bytes[end..at].into()));
            }
            stretches.push(Stretch::Context(Arc::clone(name)));
            end = at + length;
        }
        if end < bytes.len() {
            stretches.push(Stretch::Own(bytes[end..].into()));
        }
        Self {
            stretches: stretches.into(),
        }
    }

    /// What the guest wrote, in chunks of a megabyte at the most. None in place
    /// of a context that is not there.
    pub(crate) fn chunks<'a>(
        &'a self,
        contexts: &'a Readable,
    ) -> impl Iterator<Item = Option<&'a [u8]>> {
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
        let mut before = CONTEXT;
        let stretches = iter::from_fn(|| {
            let (&kind, rest) = from.split_first()?;
            from = rest;
            // Contexts alone divide a dump of ours. Many small stretches would take
            // much more memory than their bytes.
            let is_divided = kind == OWN && before == OWN;
            before = kind;
            Some(stretch(kind, &mut from).filter(|_| !is_divided))
        });
        let stretches = stretches.collect::<Option<Vec<_>>>()?;
        Some(Self {
            stretches: stretches.into(),
        })
    }
}

fn stretch(kind: u8, from: &mut &[u8]) -> Option<Stretch> {
    let (length, rest) = from.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (bytes, rest) = rest.split_at_checked(length)?;
    *from = rest;
    match kind {
        _ if bytes.is_empty() => None,
        OWN => Some(Stretch::Own(bytes.into())),
        CONTEXT => Some(Stretch::Context(std::str::from_utf8(bytes).ok()?.into())),
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
    }

    #[test]
    fn contexts_in_a_state_are_named_and_come_back() {
        let texts = ["x".repeat(5000), "yz".repeat(4000), "w".repeat(100)];
        let contexts: Readable = Arc::new(BTreeMap::from_iter(texts.iter().enumerate().map(
            |(number, text)| {
                let name = Arc::<str>::from(number.to_string());
                (Arc::clone(&name), Context::text(name, text.as_str()))
            },
        )));
        let [one, two, small] = &texts;
        for written in [
            String::new(),
            format!("a{one}b{two}{one}c{small}"),
            format!("{one}{one}"),
            // One that begins as a context does, and one that holds more of it.
            format!("{}{}", &one[1..], two),
            format!("x{one}"),
        ] {
            let dump = Dump::new(written.as_bytes(), &contexts);
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
