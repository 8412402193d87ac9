//! The memory of what sessions keep outside of instances to be brought back: written states, and
//! what happened since.

use std::sync::Arc;

use crate::admission::Admission;
use crate::base::Checkpoint;
use crate::session::Session;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// Bytes that count for the sandbox until this is dropped.
#[derive(Debug)]
pub(crate) struct KeptBytes {
    admission: Arc<Admission>,
    bytes: u64,
}

/// Returns the memory that values take which are read from this JSON, at most: that of the text, and some for each
/// value, as an empty text of three bytes takes 24.
pub(crate) fn of_json(json: &[u8]) -> u64 {
    const VALUE: u64 = 64;
    let (mut is_text, mut is_escaped, mut values) = (false, false, 1_u64);
    for byte in json {
        match (is_text, byte) {
            (true, _) if is_escaped => is_escaped = false,
            (true, b'\\') => is_escaped = true,
            (_, b'"') => is_text = !is_text,
            (false, b',' | b'[' | b'{') => values += 1,
            _ => {}
        }
    }
    (json.len() as u64).saturating_add(values.saturating_mul(VALUE))
}

impl KeptBytes {
    pub(crate) fn new(admission: &Arc<Admission>, bytes: u64) -> Self {
        admission.keep(bytes);
        Self {
            admission: Arc::clone(admission),
            bytes,
        }
    }

    /// Counts the bytes of a session before there is memory for them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`] if sessions would keep more than they may together; nothing counts then.
    pub(crate) fn in_advance(admission: &Arc<Admission>, bytes: u64) -> Result<Self> {
        let kept = Self::new(admission, bytes);
        check(admission, bytes, 0)?;
        Ok(kept)
    }

    /// Returns whether the bytes count for this sandbox.
    pub(crate) fn is_of(&self, admission: &Arc<Admission>) -> bool {
        Arc::ptr_eq(&self.admission, admission)
    }

    /// Counts the same bytes once more.
    pub(crate) fn again(&self) -> Self {
        Self::new(&self.admission, self.bytes)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Counts so many bytes in place of those before.
    pub(crate) fn set(&mut self, bytes: u64) {
        self.admission.keep(bytes);
        self.admission.release_kept(self.bytes);
        self.bytes = bytes;
    }
}

/// Checks that sessions keep no more than they may together, and `more`, where one of them keeps `own` bytes.
///
/// # Errors
///
/// [`ErrorKind::Host`].
fn check(admission: &Admission, own: u64, more: u64) -> Result<()> {
    let (kept, most) = (admission.kept_bytes(), admission.limits().kept_bytes());
    let more = match own <= admission.limits().little_kept_bytes() {
        true => most / 2,
        false => more,
    };
    if kept <= most.saturating_add(more) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Host,
        format!(
            "sessions keep {kept} bytes of states to be brought back from, more than the {most} bytes that \
             `SandboxLimits::memory_bytes` (`total-memory`) allows, and this one {own} of them; close or reset \
             sessions, or allow more"
        ),
    ))
}

impl Drop for KeptBytes {
    fn drop(&mut self) {
        self.admission.release_kept(self.bytes);
    }
}

impl Session {
    /// Counts the events since the base, those of the checkpoints to which the session can still go back, and the
    /// records of the calls of the script at hand.
    pub(crate) fn count_events(&mut self) {
        /// Bytes of a record with the name and the digest that it has, more or less.
        const RECORD: u64 = 256;
        let before = self.doing.before().map_or(0, Checkpoint::events_bytes);
        let records = match self.doing.is_suspended() {
            true => self.state().tally.records.len() as u64 * RECORD,
            false => 0,
        };
        let events = self.checkpoint.events_bytes().saturating_add(before);
        self.kept.set(events.saturating_add(records));
    }

    /// Refuses to run a script, or to bring a session back, while sessions keep more than they may together. A session
    /// that keeps little itself may while they keep half more, so that large ones do not stop all others.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`]; nothing has changed then.
    pub(crate) fn check_kept(&self) -> Result<()> {
        self.check_kept_with(0)
    }

    /// Refuses to enter values or to write the session down while sessions keep a quarter more than they may
    /// together: with that, sessions can be parked when no script is run any more.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`]; nothing has changed then.
    pub(crate) fn check_kept_to_write(&self) -> Result<()> {
        let limits = self.settings.sandbox.admission().limits();
        self.check_kept_with(limits.kept_bytes() / 4)
    }

    fn check_kept_with(&self, more: u64) -> Result<()> {
        check(self.settings.sandbox.admission(), self.kept_itself(), more)
    }

    /// Returns the bytes that this session keeps, with those that it shares with forks and of values that have not
    /// entered.
    fn kept_itself(&self) -> u64 {
        let queued = self.durable.queued.iter();
        let queued = queued.map(|variable| variable.json.len() as u64);
        let checkpoints = self.doing.before().into_iter().chain([&self.checkpoint]);
        let bases = checkpoints.map(Checkpoint::bases_bytes);
        let others: u64 = bases.chain(queued).sum();
        [&self.kept, &self.described, &self.restored]
            .into_iter()
            .fold(others, |sum, kept| sum.saturating_add(kept.bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::of_json;

    #[test]
    fn the_memory_of_values_is_that_of_texts_and_of_places() {
        let long = format!("[{:?}]", "a,[\"".repeat(1000));
        let bytes = long.len() as u64;
        assert_eq!(of_json(long.as_bytes()), bytes + 2 * 64);
        assert_eq!(of_json(br#"["","",{"a":1}]"#), 15 + 5 * 64);
    }
}
