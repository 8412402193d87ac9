//! Results that wait to be written.
//!
//! The protocol's library runs each request in a task, and hands its result to the one writer of
//! lines. A client that asks for more than it reads would let results pile up before that, so a
//! request counts until its result is about to be written, and the bytes of the result count until
//! they are. No further request is carried out while there are too many of them.
//!
//! The library would forget the id of a canceled request while its handler runs, and answer a later
//! request of that id with the result of the earlier one. So requests are canceled here, and an id
//! is free when the library hands over the result, which is dropped.

use std::collections::HashMap;
use std::fmt;
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
    /// Notifies those that wait for the last answer.
    is_empty: Notify,
}

#[derive(Debug, Default)]
struct Table {
    requests: HashMap<RequestId, Entry>,
    bytes: u64,
    /// True once no handler runs to its end any more.
    has_ended: bool,
}

struct Entry {
    /// Bytes of the result, once there is one.
    bytes: u64,
    is_canceled: bool,
    /// Ends the handler, once that is there.
    cancel: Option<Box<dyn FnOnce() + Send>>,
    held: Arc<Held>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("bytes", &self.bytes)
            .field("is_canceled", &self.is_canceled)
            .field("held", &self.held)
            .finish_non_exhaustive()
    }
}

/// A result that is being written. Its bytes count until this is dropped; the request itself is
/// over before the client can have read the answer, and counts no more.
#[derive(Debug)]
pub(super) struct Writing {
    of: Unwritten,
    bytes: u64,
    /// True if the client does not want the result any more.
    pub(super) is_canceled: bool,
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
            let entry = Entry {
                bytes: 0,
                is_canceled: false,
                cancel: None,
                held: Arc::clone(held),
            };
            table.requests.insert(id.clone(), entry);
        }
        is_new
    }

    /// Notes how the handler of a request is canceled. One that was canceled already is canceled now.
    pub(super) fn start(&self, id: &RequestId, cancel: impl FnOnce() + Send + 'static) {
        let mut table = self.table();
        let has_ended = table.has_ended;
        match table.requests.get_mut(id) {
            Some(entry) if !entry.is_canceled && !has_ended => {
                entry.cancel = Some(Box::new(cancel));
            }
            entry => {
                let is_canceled = entry.is_some();
                drop(table);
                if is_canceled {
                    cancel();
                }
            }
        }
    }

    /// Counts the bytes of a result.
    pub(super) fn finish(&self, id: &RequestId, bytes: u64) {
        let mut table = self.table();
        if let Some(entry) = table.requests.get_mut(id) {
            let before = std::mem::replace(&mut entry.bytes, bytes);
            table.bytes = table.bytes - before + bytes;
        }
    }

    /// Takes the request whose result is written next.
    pub(super) fn write(&self, id: &RequestId) -> Writing {
        let mut table = self.table();
        let entry = table.requests.remove(id);
        if table.requests.is_empty() {
            self.0.is_empty.notify_waiters();
        }
        drop(table);
        Writing {
            bytes: entry.as_ref().map_or(0, |entry| entry.bytes),
            is_canceled: entry.is_some_and(|entry| entry.is_canceled),
            of: self.clone(),
        }
    }

    /// Cancels a request, whose result is not written then.
    pub(super) fn cancel(&self, id: &RequestId) {
        let mut table = self.table();
        let Some(entry) = table.requests.get_mut(id) else {
            return;
        };
        entry.is_canceled = true;
        let cancel = entry.cancel.take();
        drop(table);
        if let Some(cancel) = cancel {
            cancel();
        }
    }

    /// Waits until each request has its answer.
    pub(super) async fn emptied(&self) {
        loop {
            let mut changed = std::pin::pin!(self.0.is_empty.notified());
            changed.as_mut().enable();
            if self.table().requests.is_empty() {
                return;
            }
            changed.await;
        }
    }

    /// Ends all handlers, and those that begin later at once. Their results say so, and are written.
    pub(super) fn end(&self) {
        let mut table = self.table();
        table.has_ended = true;
        let handlers = table.requests.values_mut();
        let cancels: Vec<_> = handlers.filter_map(|entry| entry.cancel.take()).collect();
        drop(table);
        for cancel in cancels {
            cancel();
        }
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
    async fn results_make_others_wait_until_they_are_written() {
        let unwritten = Unwritten::default();
        let ids = [1, 2, 3].map(RequestId::Number);
        for id in &ids {
            assert!(unwritten.begin(id, &Arc::new(Held::of_nothing())));
            assert!(!unwritten.begin(id, &Arc::new(Held::of_nothing())));
            unwritten.finish(id, MOST_BYTES / 2);
        }
        let waits = unwritten.clone();
        let waits = tokio::spawn(async move { waits.room().await });
        let writing = unwritten.write(&ids[2]);
        assert!(!writing.is_canceled);
        drop(writing);
        waits.await.expect("there is room");
        let writing = unwritten.write(&ids[0]);
        assert_eq!(unwritten.table().bytes, MOST_BYTES);
        drop(writing);
        drop(unwritten.write(&ids[1]));
        assert_eq!(unwritten.table().bytes, 0);
        assert!(unwritten.table().requests.is_empty());
    }

    #[test]
    fn a_canceled_request_has_its_id_until_its_handler_has_ended() {
        let unwritten = Unwritten::default();
        let (early, late) = (RequestId::Number(1), RequestId::Number(2));
        let canceled = Arc::new(Mutex::new(Vec::new()));
        let start = |id: &RequestId| {
            let (canceled, of) = (Arc::clone(&canceled), id.clone());
            unwritten.start(id, move || canceled.lock().expect("whole").push(of));
        };
        for id in [&early, &late] {
            assert!(unwritten.begin(id, &Arc::new(Held::of_nothing())));
        }
        start(&late);
        for id in [&early, &late, &late] {
            unwritten.cancel(id);
        }
        // Its handler began after the cancellation.
        start(&early);
        assert_eq!(
            *canceled.lock().expect("whole"),
            [late.clone(), early.clone()]
        );
        for id in [&early, &late] {
            unwritten.finish(id, 5);
            assert!(!unwritten.begin(id, &Arc::new(Held::of_nothing())));
            assert!(unwritten.write(id).is_canceled);
            assert!(unwritten.begin(id, &Arc::new(Held::of_nothing())));
        }
        assert_eq!(unwritten.table().bytes, 0);
    }
}
