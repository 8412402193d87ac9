//! Bytes that pass through the imports of a guest, and their budget.

use crate::bindings::rlm::sandbox::calls::Reply;
use crate::guest_state::{GuestState, Purpose};
use crate::tool::ToolError;

/// Bytes of the answers that a script may be given before it waits or ends: they
/// are kept until then, to repeat what happened.
const REPLIED_BYTES: u64 = 64 << 20;

/// The share of one call of an import in what passes: its work without any bytes.
const IMPORT_BYTES: u64 = 64;
/// Bytes that may pass in one entry while no script runs. The interpreter only logs
/// what it panics of.
const UPKEEP_BYTES: u64 = 64 << 20;

impl GuestState {
    /// Counts the bytes of one call of an import, and ends the entry where it is due.
    ///
    /// A guest uses next to no fuel for a call that has the host copy many bytes, so
    /// slices of fuel do not bound it. Scripts are bound by their time; what has none
    /// is bound by the bytes.
    pub(crate) fn pass(&mut self, bytes: usize) -> wasmtime::Result<()> {
        let passed = (bytes as u64).saturating_add(IMPORT_BYTES);
        self.passed_bytes = self.passed_bytes.saturating_add(passed);
        if self
            .reader
            .as_ref()
            .is_some_and(|reader| reader.reached().is_some())
        {
            wasmtime::bail!("the reader of the journal allows no more");
        }
        let most = match self.purpose {
            Purpose::Script => {
                return match self.watch() {
                    Some(watch) => watch.look(self.meter.read()).map_err(wasmtime::Error::new),
                    None => Ok(()),
                };
            }
            Purpose::Repeat(_) => self.repeated_bytes,
            Purpose::Upkeep => UPKEEP_BYTES,
        };
        if self.passed_bytes > most {
            wasmtime::bail!("the guest passes more than {most} bytes to the host");
        }
        Ok(())
    }

    /// Refuses what only a script may do.
    pub(crate) fn expect_script(&self) -> wasmtime::Result<()> {
        match self.purpose {
            Purpose::Script | Purpose::Repeat(_) => Ok(()),
            Purpose::Upkeep => wasmtime::bail!("the guest made a host call while no script ran"),
        }
    }

    /// Bounds the exceptions and answers that the host gives without a tool, which
    /// are kept, too.
    pub(crate) fn kept(&mut self, reply: Reply) -> Reply {
        let bytes = match &reply {
            Reply::Returned(json) => json.len(),
            Reply::Raised(exception) => exception.kind.len() + exception.message.len(),
            Reply::Pending(_) | Reply::Stopped(_) => 0,
        };
        match self.keep_bytes(bytes as u64) {
            Ok(()) => reply,
            Err(error) => Reply::Raised(error.exception.into()),
        }
    }

    /// Keeps an answer, if there is room for it.
    pub(crate) fn keep(&mut self, json: String) -> Result<String, ToolError> {
        self.keep_bytes(json.len() as u64)?;
        Ok(json)
    }

    fn keep_bytes(&mut self, bytes: u64) -> Result<(), ToolError> {
        let bytes = self.replied_bytes.saturating_add(bytes);
        if bytes > REPLIED_BYTES {
            let told = "the answers that came at once are more than 64 MiB; take fewer in one exec";
            return Err(ToolError::new("RuntimeError", told));
        }
        self.replied_bytes = bytes;
        Ok(())
    }
}
