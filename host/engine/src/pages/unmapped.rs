//! Snapshots as bytes.

use std::io;
use std::sync::Arc;

use super::snapshot::{Data, Run, Store};
use super::{Kept, PAGE, Pages, Snapshot};
use crate::unmapped::Unmapped;

/// Bytes of WebAssembly's own pages, by which a memory grows.
const WASM_PAGE: u64 = 64 << 10;

impl Snapshot {
    /// Returns the snapshot as bytes.
    ///
    /// # Errors
    ///
    /// The system's, if there is no memory for them.
    pub fn unmapped(&self, pages: &Pages) -> io::Result<Unmapped> {
        let total = self.bytes() as usize;
        let mut content = Vec::new();
        content
            .try_reserve_exact(total)
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        content.resize(total, 0);
        let mut stretches: Vec<(u32, u32)> = Vec::new();
        let mut rest = &mut content[..];
        for run in self.runs() {
            let bytes = rest.split_off_mut(..run.count as usize * PAGE);
            let bytes = bytes.ok_or(io::ErrorKind::UnexpectedEof)?;
            run.store.read(run.at, bytes)?;
            differ(pages, run.first, bytes);
            match stretches.last_mut() {
                Some((first, count)) if *first + *count == run.first => *count += run.count,
                _ => stretches.push((run.first, run.count)),
            }
        }
        Ok(Unmapped {
            size_bytes: self.size() as u64,
            stretches,
            content,
        })
    }

    /// Returns a snapshot of bytes that [`unmapped`](Self::unmapped) gave, whose content comes in parts. Nothing of them is believed:
    /// they may be a stranger's. `keep` is called with the bytes that it holds; what it returns is dropped with them.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::InvalidData`] where no memory of these pages is like that, and the system's, if there is no memory for it.
    pub fn map<'a>(
        pages: &Pages,
        size_bytes: u64,
        stretches: &[(u32, u32)],
        content: impl Iterator<Item = &'a [u8]> + Clone,
        keep: impl FnOnce(u64) -> Kept,
    ) -> io::Result<Self> {
        let all = count(pages, size_bytes, stretches).ok_or(io::ErrorKind::InvalidData)?;
        let total = all as usize * PAGE;
        let given: u64 = content.clone().map(|part| part.len() as u64).sum();
        if given != total as u64 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let kept = keep(given);
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(total)
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        content.for_each(|part| bytes.extend_from_slice(part));
        let mut rest = &mut bytes[..];
        for (first, count) in stretches {
            let part = rest.split_off_mut(..*count as usize * PAGE);
            differ(pages, *first, part.ok_or(io::ErrorKind::InvalidData)?);
        }
        let store = Arc::new(Store::new(all, Data::of(bytes, stretches), kept));
        let mut at = 0;
        let runs = stretches.iter().map(|(first, count)| {
            at += count;
            Run {
                first: *first,
                count: *count,
                store: Arc::clone(&store),
                at: at - count,
            }
        });
        Ok(Self::new(size_bytes as usize, runs.collect()))
    }
}

/// Returns the number of all pages, if a memory can have these.
fn count(pages: &Pages, size_bytes: u64, stretches: &[(u32, u32)]) -> Option<u32> {
    let most = (4 << 30) - WASM_PAGE;
    let least = pages.minimum.get().copied().unwrap_or_default() as u64;
    if !size_bytes.is_multiple_of(WASM_PAGE) || !(least..=most).contains(&size_bytes) {
        return None;
    }
    let mut next = (pages.stack_bytes() / PAGE) as u32;
    let mut all = 0_u32;
    for (first, count) in stretches {
        if *first < next || *count == 0 {
            return None;
        }
        next = first.checked_add(*count)?;
        all += count;
    }
    (u64::from(next) * PAGE as u64 <= size_bytes || all == 0).then_some(all)
}

/// Turns pages into their differences from the image, and those into pages.
fn differ(pages: &Pages, first: u32, bytes: &mut [u8]) {
    for (number, page) in bytes.chunks_mut(PAGE).enumerate() {
        let initial = pages.initial((first as usize + number) * PAGE);
        for (byte, initial) in page.iter_mut().zip(initial) {
            *byte ^= initial;
        }
    }
}
