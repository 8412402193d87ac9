//! The end of requests that belong to no session.

use std::collections::HashMap;
use std::future::pending;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::protocol::RequestId;
use crate::wire::Failure;

/// Those that cancel requests which have no answer yet.
#[derive(Default)]
pub(super) struct Cancelers(Mutex<HashMap<RequestId, watch::Sender<bool>>>);

/// The cancellation state of one request.
#[derive(Clone)]
pub(super) struct Cancellation(watch::Receiver<bool>);

impl Cancelers {
    /// Lets a request be canceled from now on, unless it has no id.
    pub(super) fn begin(&self, id: Option<RequestId>) -> Cancellation {
        let (canceler, canceled) = watch::channel(false);
        if let Some(id) = id {
            self.table().insert(id, canceler);
        }
        Cancellation(canceled)
    }

    /// Forgets a request, which is answered.
    pub(super) fn end(&self, id: Option<&RequestId>) {
        if let Some(id) = id {
            self.table().remove(id);
        }
    }

    /// Cancels a request, if it has no answer yet.
    pub(super) fn cancel(&self, id: &RequestId) {
        if let Some(canceler) = self.table().get(id) {
            canceler.send_replace(true);
        }
    }

    fn table(&self) -> MutexGuard<'_, HashMap<RequestId, watch::Sender<bool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cancellation {
    /// Does work, unless the request is canceled before it is done.
    ///
    /// # Errors
    ///
    /// A failure of the kind `canceled`.
    pub(super) async fn unless_canceled<T>(
        &self,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let mut canceled = self.0.clone();
        let canceled = async {
            if canceled.wait_for(|is_canceled| *is_canceled).await.is_err() {
                // The canceler is dropped: no cancellation can arrive.
                pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            () = canceled => Err(Failure::canceled()),
            done = work => Ok(done),
        }
    }
}
