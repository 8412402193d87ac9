//! Places for calls that run at the same moment.

use std::sync::Arc;

use rlm_sandbox::PluginCall;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::instance::NO_PLUGIN;

/// A session has a place in this many, so that its calls leave places to other sessions.
const SHARE: usize = 4;

/// The places of a registry.
#[derive(Clone, Debug)]
pub(crate) struct AllPlaces {
    places: Arc<Semaphore>,
    each_session: usize,
}

impl AllPlaces {
    pub(crate) fn new(calls: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(calls)),
            each_session: calls.div_ceil(SHARE),
        }
    }

    /// The places that the session of a call may take.
    pub(crate) fn of_session(&self, call: &PluginCall) -> Places {
        let share = || SessionPlaces(Arc::new(Semaphore::new(self.each_session)));
        let session = call.kept(NO_PLUGIN, share);
        Places {
            all: Arc::clone(&self.places),
            session: Arc::clone(&session.0),
        }
    }
}

/// The share of one session, in what it keeps.
struct SessionPlaces(Arc<Semaphore>);

/// The places that calls of one session take.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    all: Arc<Semaphore>,
    session: Arc<Semaphore>,
}

impl Places {
    /// Waits for a place. Calls wait for their own session first, so that those that wait for
    /// other sessions are at most the share of each.
    pub(crate) async fn take(&self) -> Option<Place> {
        let session = Arc::clone(&self.session).acquire_owned().await.ok()?;
        let all = Arc::clone(&self.all).acquire_owned().await.ok()?;
        Some(Place {
            _all: all,
            _session: session,
        })
    }
}

/// A place, which is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    _all: OwnedSemaphorePermit,
    _session: OwnedSemaphorePermit,
}
