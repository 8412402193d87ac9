//! The memory of what sessions keep outside of instances to be brought back: written states, and
//! what happened since.

use std::sync::Arc;

use crate::admission::Admission;
use crate::session::Session;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// Bytes that count for the sandbox until this is dropped.
#[derive(Debug)]
pub(crate) struct KeptBytes {
    admission: Arc<Admission>,
    bytes: u64,
}

impl KeptBytes {
    pub(crate) fn new(admission: &Arc<Admission>, bytes: u64) -> Self {
        admission.keep(bytes);
        Self {
            admission: Arc::clone(admission),
            bytes,
        }
    }

    /// Returns whether the bytes count for this sandbox.
    pub(crate) fn is_of(&self, admission: &Arc<Admission>) -> bool {
        Arc::ptr_eq(&self.admission, admission)
    }

    /// Counts so many bytes in place of those before.
    pub(crate) fn set(&mut self, bytes: u64) {
        self.admission.keep(bytes);
        self.admission.release_kept(self.bytes);
        self.bytes = bytes;
    }
}

impl Drop for KeptBytes {
    fn drop(&mut self) {
        self.admission.release_kept(self.bytes);
    }
}

impl Session {
    /// Counts the events since the base.
    pub(crate) fn count_events(&mut self) {
        self.kept.set(self.rebasing.kept_bytes);
    }

    /// Refuses to run a script, or to bring a session back, while sessions keep more than they may together.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`]; nothing has changed then.
    pub(crate) fn check_kept(&self) -> Result<()> {
        let admission = self.settings.sandbox.admission();
        let (kept, most) = (admission.kept_bytes(), admission.limits().kept_bytes());
        if kept <= most {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Host,
            format!(
                "sessions keep {kept} bytes of states to be brought back from, more than the {most} bytes that \
                 `SandboxLimits::memory_bytes` (`total-memory`) allows; close or reset sessions, or allow more"
            ),
        ))
    }
}
