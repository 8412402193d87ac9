//! Texts that many memories hold unchanged: contexts, of which each guest has a copy.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::snapshot::{CountedFile, Data, Kept, Place, Store};
use super::{PAGE, anonymous_file, seal, write_all_at};

/// Bytes of a text from which on its pages are looked for in a memory.
const LEAST_BYTES: usize = 1 << 20;
/// Texts that one snapshot looks for, at the most; of more, the longest.
const MOST_TEXTS: usize = 4;
/// Bytes of the beginning of a text that a place of it is found by.
const PROBE_BYTES: usize = 256;
/// Places of one memory that begin as a text does and are compared with it, at the most.
const MOST_PLACES: usize = 4;

/// A text, and the files of its pages. A snapshot refers to these in place of a copy of its own, and memories are mapped
/// from them.
pub struct SharedText {
    bytes: Arc<[u8]>,
    /// Pages of the text by where it begins in its first page, while snapshots or memories use them.
    stores: Mutex<Vec<(usize, Weak<Store>)>>,
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedText")
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

/// A text in a memory.
pub(super) struct Found {
    pub(super) store: Arc<Store>,
    /// Number of the page of the memory in which it begins, the first one of the store.
    pub(super) first: u32,
}

impl SharedText {
    /// Returns a text of at least 1 MiB; `None` for a shorter one, which is copied.
    pub fn new(bytes: Arc<[u8]>) -> Option<Self> {
        (bytes.len() >= LEAST_BYTES).then(|| Self {
            bytes,
            stores: Mutex::default(),
        })
    }

    /// Returns the pages of the text where it begins at this byte of a page.
    fn store(
        &self,
        offset: usize,
        keep: &mut dyn FnMut(u64) -> Kept,
    ) -> io::Result<Option<Arc<Store>>> {
        let mut stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        stores.retain(|(_, store)| store.strong_count() > 0);
        let known = stores.iter().find(|(known, _)| *known == offset);
        if let Some(store) = known.and_then(|(_, store)| store.upgrade()) {
            return Ok(Some(store));
        }
        let Some(counted) = CountedFile::new() else {
            return Ok(None);
        };
        let pages = (offset + self.bytes.len()).div_ceil(PAGE);
        let kept = keep((pages * PAGE) as u64);
        let file = anonymous_file()?;
        write_all_at(&file, &self.bytes, offset as u64)?;
        rustix::fs::ftruncate(&file, (pages * PAGE) as u64)?;
        seal(&file)?;
        let store = Store::of_text(pages as u32, Data::File(file, counted), kept);
        let store = Arc::new(store);
        stores.push((offset, Arc::downgrade(&store)));
        Ok(Some(store))
    }
}

/// Finds texts in the pages that a memory alone has, and marks those that are of one: they need no copy. `memory` has the
/// bytes from page `first` on, to which `places` belongs. Each page is compared with the text: a guest can write into
/// it. A text whose file cannot be made is copied.
pub(super) fn find(
    memory: &[u8],
    first: u32,
    places: &mut [Place],
    texts: &[Arc<SharedText>],
    keep: &mut dyn FnMut(u64) -> Kept,
) -> Vec<Found> {
    let mut found = Vec::new();
    let own = places
        .iter()
        .filter(|place| **place == Place::Memory)
        .count();
    let mut texts: Vec<_> = texts
        .iter()
        .filter(|text| text.bytes.len() <= own * PAGE)
        .collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.bytes.len()));
    for text in texts.into_iter().take(MOST_TEXTS) {
        let Some(at) = position(memory, places, &text.bytes) else {
            continue;
        };
        let store = match text.store(at % PAGE, keep) {
            Ok(Some(store)) => store,
            Ok(None) => continue,
            Err(error) => {
                crate::reservation::page_error("a context is copied into a snapshot", &error);
                continue;
            }
        };
        // Of its first page and its last one only a part may be the text's.
        let whole = at.div_ceil(PAGE)..(at + text.bytes.len()) / PAGE;
        places[whole].fill(Place::Text(found.len()));
        found.push(Found {
            store,
            first: first + (at / PAGE) as u32,
        });
    }
    found
}

/// Returns where a text begins, if all of it lies in pages that the memory alone has.
fn position(memory: &[u8], places: &[Place], text: &[u8]) -> Option<usize> {
    let probe = memchr::memmem::Finder::new(text.get(..PROBE_BYTES)?);
    let mut left = MOST_PLACES;
    let mut page = 0;
    while page < places.len() {
        let is_own = |place: &Place| *place == Place::Memory;
        let count = places[page..]
            .iter()
            .take_while(|place| is_own(place))
            .count();
        let run = &memory[page * PAGE..(page + count) * PAGE];
        if run.len() >= text.len() {
            // It begins where the rest of the run has room for it.
            let begins = &run[..run.len() - text.len() + PROBE_BYTES];
            for at in probe.find_iter(begins) {
                if run[at..].starts_with(text) {
                    return Some(page * PAGE + at);
                }
                left -= 1;
                if left == 0 {
                    return None;
                }
            }
        }
        page += count.max(1);
    }
    None
}
