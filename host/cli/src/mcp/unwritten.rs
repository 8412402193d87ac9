//! Results that wait to be written.
//!
//! The protocol's library runs each request in a task, and hands its result to the one writer of
//! lines. A client that asks for more than it reads would let results pile up before that, so a
//! request counts until its result is about to be written, and the bytes of the result count until
//! they are. No further request is carried out while there are too many of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::Notify;

use crate::wire::Held;

/// Bytes of results that wait to be written, above which no request is carried out.
const MOST_BYTES: u64 = 16 << 20;

/// Requests whose result is not written yet, and the bytes of the results that there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Unwritten(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    table: Mutex<Table>,
    /// Notifies those that wait for fewer bytes.
    has_room: Notify,
}

#[derive(Debug, Default)]
struct Table {
    requests: HashMap<RequestId, Entry>,
    bytes: u64,
}

#[derive(Debug)]
struct Entry {
    /// Bytes of the result, once there is one.
    bytes: u64,
    #[expect(dead_code, reason = "it counts while the entry is there")]
    held: Arc<Held>,
}

/// A result that is being written. Its bytes count until this is dropped; the request itself is
/// over before the client can have read the answer, and counts no more.
#[derive(Debug)]
pub(super) struct Writing {
    of: Unwritten,
    bytes: u64,
}

impl Unwritten {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request that came; returns false if one of this id has no answer yet.
    pub(super) fn begin(&self, id: &RequestId, held: &Arc<Held>) -> bool {
        let mut table = self.table();
        let is_new = !table.requests.contains_key(id);
        if is_new {
            let held = Arc::clone(held);
            table.requests.insert(id.clone(), Entry { bytes: 0, held });
        }
        is_new
    }

    /// Counts the bytes of a result. A request that was canceled has none.
    pub(super) fn finish(&self, id: &RequestId, bytes: u64) {
        let mut table = self.table();
        if let Some(entry) = table.requests.get_mut(id) {
            let before = std::mem::replace(&mut entry.bytes, bytes);
            table.bytes = table.bytes - before + bytes;
        }
    }

    /// Takes the request whose result is written next.
    pub(super) fn write(&self, id: &RequestId) -> Writing {
        let entry = self.table().requests.remove(id);
        Writing {
            bytes: entry.map_or(0, |entry| entry.bytes),
            of: self.clone(),
        }
    }

    /// Returns whether a request of this id has no answer yet.
    pub(super) fn knows(&self, id: &RequestId) -> bool {
        self.table().requests.contains_key(id)
    }

    /// Forgets a request that was canceled: the library drops its result.
    pub(super) fn cancel(&self, id: &RequestId) {
        drop(self.write(id));
    }

    /// Waits until few enough results wait.
    pub(super) async fn room(&self) {
        loop {
            let mut changed = std::pin::pin!(self.0.has_room.notified());
            changed.as_mut().enable();
            if self.table().bytes <= MOST_BYTES {
                return;
            }
            changed.await;
        }
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.of.table().bytes -= self.bytes;
            self.of.0.has_room.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn results_make_others_wait_until_they_are_written_or_canceled() {
        let unwritten = Unwritten::default();
        let ids = [1, 2, 3].map(RequestId::Number);
        for id in &ids {
            assert!(unwritten.begin(id, &Arc::new(Held::of_nothing())));
            assert!(!unwritten.begin(id, &Arc::new(Held::of_nothing())));
            unwritten.finish(id, MOST_BYTES / 2);
        }
        let waits = unwritten.clone();
        let waits = tokio::spawn(async move { waits.room().await });
        // A request that was canceled is forgotten, and its result counts no more.
        unwritten.cancel(&ids[2]);
        waits.await.expect("there is room");
        unwritten.finish(&ids[2], MOST_BYTES);
        unwritten.room().await;
        let writing = unwritten.write(&ids[0]);
        assert_eq!(unwritten.table().bytes, MOST_BYTES);
        drop(writing);
        drop(unwritten.write(&ids[1]));
        assert_eq!(unwritten.table().bytes, 0);
        assert!(unwritten.table().requests.is_empty());
    }
}
