//! Calls of a session that have no answer yet, and the memory of their arguments.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::admission::Admission;
use crate::arguments::held_bytes;
use crate::asked::prompt_bytes;
use crate::call::{Call, Request};
use crate::limits::Limits;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// The open calls of a session. Their arguments count for the session and, until they are dropped,
/// for the sandbox.
#[derive(Debug)]
pub(crate) struct OpenCalls {
    calls: BTreeMap<u64, Call>,
    /// By ticket.
    held: BTreeMap<u64, Held>,
    /// The sum of what counts for the session.
    session_bytes: u64,
    admission: Arc<Admission>,
}

/// Bytes that the arguments of a call count for.
#[derive(Clone, Copy, Debug)]
struct Held {
    session_bytes: u64,
    sandbox_bytes: u64,
}

/// A limit that refuses a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum CallLimit {
    /// [`Limits::calls`].
    Calls,
    /// [`Limits::open_calls`].
    OpenCalls,
    /// [`Limits::open_bytes`].
    OpenBytes,
    /// The memory of the arguments of open calls of all sessions.
    Sandbox,
}

impl Deref for OpenCalls {
    type Target = BTreeMap<u64, Call>;

    fn deref(&self) -> &Self::Target {
        &self.calls
    }
}

impl OpenCalls {
    pub(crate) fn new(admission: &Arc<Admission>) -> Self {
        Self {
            calls: BTreeMap::new(),
            held: BTreeMap::new(),
            session_bytes: 0,
            admission: Arc::clone(admission),
        }
    }

    /// Counts one more call with arguments of so many bytes, until it is removed.
    ///
    /// A call that `was_open` when its session was recorded is open again, whatever other sessions
    /// hold meanwhile.
    pub(crate) fn reserve(
        &mut self,
        ticket: u64,
        bytes: u64,
        limits: &Limits,
        was_open: bool,
    ) -> std::result::Result<(), CallLimit> {
        let most = limits.open_bytes();
        // What is too much by itself is an error of that call, whose arguments are not read.
        let bytes = if bytes > most { 0 } else { bytes };
        if self.calls.len() as u64 >= u64::from(limits.open_calls) {
            return Err(CallLimit::OpenCalls);
        }
        if self.session_bytes.saturating_add(bytes) > most {
            return Err(CallLimit::OpenBytes);
        }
        if !self.admission.hold_arguments(bytes, was_open) {
            return Err(CallLimit::Sandbox);
        }
        self.session_bytes += bytes;
        let held = Held {
            session_bytes: bytes,
            sandbox_bytes: bytes,
        };
        self.held.insert(ticket, held);
        Ok(())
    }

    /// Adds a call whose arguments count already.
    pub(crate) fn insert(&mut self, mut call: Call) {
        let held = self.held.get(&call.ticket);
        call.asked_bytes = held.map_or(0, |held| held.session_bytes);
        self.calls.insert(call.ticket, call);
    }

    pub(crate) fn remove(&mut self, ticket: u64) {
        self.calls.remove(&ticket);
        if let Some(held) = self.held.remove(&ticket) {
            self.session_bytes = self.session_bytes.saturating_sub(held.session_bytes);
            self.admission.release_arguments(held.sandbox_bytes);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.calls.clear();
        self.session_bytes = 0;
        let bytes = self.held.values().map(|held| held.sandbox_bytes).sum();
        self.held.clear();
        self.admission.release_arguments(bytes);
    }

    /// Replaces them with those of a session that was restored or forked. They count for the session as they did when
    /// they were made, and for the sandbox as much as they take.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`] if the arguments of all sessions would be more than they may be; there
    /// are no calls then.
    pub(crate) fn restore(&mut self, calls: impl IntoIterator<Item = Call>) -> Result<()> {
        self.clear();
        for call in calls {
            let sandbox_bytes = call.held_bytes();
            if !self.admission.hold_arguments(sandbox_bytes, false) {
                self.clear();
                return Err(no_room());
            }
            let held = Held {
                session_bytes: call.asked_bytes,
                sandbox_bytes,
            };
            self.session_bytes = self.session_bytes.saturating_add(call.asked_bytes);
            self.held.insert(call.ticket, held);
            self.calls.insert(call.ticket, call);
        }
        Ok(())
    }

    /// Refuses open calls that a replay made, if they leave the sandbox with more than it may have.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`] if the arguments of all sessions are more than they may be.
    pub(crate) fn check_room(&self) -> Result<()> {
        match self.calls.is_empty() || self.admission.has_room_for_arguments() {
            true => Ok(()),
            false => Err(no_room()),
        }
    }
}

fn no_room() -> Error {
    Error::new(
        ErrorKind::Host,
        "the arguments of the open calls of all sessions take a quarter of the memory of all sessions \
         (`--limit total-memory`), and those of this session find no room; try again when calls have their answers",
    )
}

impl Drop for OpenCalls {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Call {
    /// Returns the bytes that its arguments count for, from the request itself.
    pub(crate) fn held_bytes(&self) -> u64 {
        match &self.request {
            Request::Tool { arguments, .. } => {
                let json = serde_json::to_string(arguments);
                json.map_or(0, |json| held_bytes(&json))
            }
            Request::Model { prompts, .. } => prompts
                .iter()
                .map(|prompt| prompt_bytes(&prompt.text, prompt.model.as_deref()))
                .sum(),
        }
    }

    /// Returns the prompts to the model that it asks.
    pub(crate) fn prompts(&self) -> u64 {
        match &self.request {
            Request::Tool { .. } => 0,
            Request::Model { prompts, .. } => prompts.len() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::SandboxLimits;

    fn call(ticket: u64, bytes: usize) -> Call {
        let prompt = crate::call::Prompt {
            text: "x".repeat(bytes),
            model: None,
        };
        Call {
            ticket,
            request: Request::Model {
                prompts: vec![prompt],
                batched: false,
                recursive: false,
            },
            open: true,
            allowance: None,
            asked_bytes: 0,
        }
    }

    #[test]
    fn arguments_count_until_their_call_is_answered_or_its_session_dropped() {
        let limits = SandboxLimits {
            memory_bytes: 4000,
            ..SandboxLimits::default()
        };
        let admission = Admission::new(limits);
        let held = || admission.usage().argument_bytes;
        let limits = Limits::default();
        let (mut one, mut other) = (OpenCalls::new(&admission), OpenCalls::new(&admission));
        let open = |calls: &mut OpenCalls, ticket| {
            calls.reserve(ticket, 400, &limits, false)?;
            calls.insert(call(ticket, 100));
            Ok::<_, CallLimit>(())
        };
        assert_eq!(open(&mut one, 0), Ok(()));
        assert_eq!(open(&mut other, 0), Ok(()));
        assert_eq!(open(&mut other, 1), Err(CallLimit::Sandbox));
        assert_eq!((held(), other.len()), (800, 1));
        // A replay does what was done.
        assert_eq!(other.reserve(1, 400, &limits, true), Ok(()));
        assert_eq!(held(), 1200);
        other.remove(1);
        other.remove(7);
        one.remove(0);
        assert_eq!(held(), 400);
        let mut fork = OpenCalls::new(&admission);
        for _ in 0..2 {
            fork.restore(other.values().cloned()).expect("room");
        }
        assert_eq!(held(), 800);
        assert_eq!(fork.session_bytes, other.session_bytes);
        // What a replay made leaves no room for a fork, which has no calls then.
        assert!(other.check_room().is_ok());
        assert_eq!(other.reserve(2, 400, &limits, true), Ok(()));
        assert!(other.check_room().is_err());
        let error = fork.restore(other.values().cloned()).expect_err("no room");
        assert_eq!(
            (error.kind(), fork.len(), held()),
            (ErrorKind::Host, 0, 800)
        );
        other.remove(2);
        fork.restore(other.values().cloned()).expect("room");
        assert_eq!(held(), 800);
        other.clear();
        other.clear();
        assert_eq!(held(), 400);
        drop((one, other, fork));
        assert_eq!(held(), 0);
    }

    #[test]
    fn very_many_calls_can_be_open() {
        let admission = Admission::new(SandboxLimits::default());
        let mut calls = OpenCalls::new(&admission);
        let limits = Limits {
            open_calls: u32::MAX,
            ..Limits::default()
        };
        // Minutes, if each of them took time for all before it.
        for ticket in 0..200_000 {
            assert_eq!(calls.reserve(ticket, 10, &limits, false), Ok(()));
            calls.insert(call(ticket, 5));
        }
        assert_eq!(calls.session_bytes, 2_000_000);
        for ticket in 0..200_000 {
            calls.remove(ticket);
        }
        assert_eq!(
            (calls.session_bytes, admission.usage().argument_bytes),
            (0, 0)
        );
    }
}
