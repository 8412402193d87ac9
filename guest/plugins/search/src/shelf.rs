//! The index that is kept between calls.

use std::cell::RefCell;

use rlm_plugin::{Error, host};

use crate::index::Index;

thread_local! {
    static SHELF: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

/// Bytes at a context's two ends by which a change is noticed.
const ENDS: usize = 4096;

/// The index of a context.
struct Kept {
    name: String,
    /// Bytes of the context.
    length: u64,
    /// Its first and last bytes.
    head: Vec<u8>,
    tail: Vec<u8>,
    index: Index,
}

/// Calls `look` with the index of the context `name`, which is made if it is not
/// the one that is kept.
///
/// A context of the same length and ends is taken for the same.
pub(crate) fn with_index<R>(name: &str, look: impl FnOnce(&Index) -> R) -> Result<R, Error> {
    SHELF.with_borrow_mut(|shelf| {
        let kept = match shelf.take() {
            Some(kept) if kept.name == name && kept.is_current()? => kept,
            // The old one's memory is free before the new one is made.
            old => {
                drop(old);
                Kept::new(name)?
            }
        };
        Ok(look(&shelf.insert(kept).index))
    })
}

/// Forgets the index.
pub(crate) fn clear() {
    SHELF.set(None);
}

impl Kept {
    fn new(name: &str) -> Result<Self, Error> {
        let bytes = host::read_context(name)?;
        let length = bytes.len();
        let head = bytes[..length.min(ENDS)].to_vec();
        let tail = bytes[length.saturating_sub(ENDS)..].to_vec();
        // Logs may hold anything.
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok(Self {
            name: name.to_owned(),
            length: length as u64,
            head,
            tail,
            index: Index::new(text),
        })
    }

    /// Returns whether the context still has the same ends, and is as long.
    fn is_current(&self) -> Result<bool, Error> {
        let start = self.length - self.tail.len() as u64;
        // One byte more would be there if it had grown.
        let tail = match host::read_context_at(&self.name, start, ENDS as u32 + 1) {
            Err(host::ContextError::Offset) => return Ok(false),
            tail => tail?,
        };
        let head = host::read_context_at(&self.name, 0, self.head.len() as u32)?;
        Ok(tail == self.tail && head == self.head)
    }
}
