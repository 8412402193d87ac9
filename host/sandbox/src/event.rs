//! What happened to a session, in order.
//!
//! Nothing enters an instance but through one of these events, and the list
//! holds everything that could have gone another way: answers, and where the
//! host ended a script. Running the events of a list again gives the same
//! session, to the last unit of fuel.

use crate::bindings::exports::rlm::sandbox::repl::{Answer, Entry, Misuse, Resumption};
use crate::bindings::rlm::sandbox::calls::Reply;
use crate::guest_state::Readable;
use crate::outcome::Look;

/// One entry into the instance of a session.
#[derive(Clone, Debug)]
pub struct Event {
    pub(crate) kind: Kind,
    /// What the imports answered, in order. Contexts, clocks and randomness are
    /// not among them: they follow from the session's settings.
    pub(crate) replies: Vec<Reply>,
    pub(crate) stopped: Option<StoppedAt>,
    pub(crate) fuel: Option<u64>,
    /// Fuel that repeating it may take; where none is counted, what its compute time stands for. It decides when a session
    /// gets a new base.
    pub(crate) work: u64,
    /// Bytes that passed through the imports.
    pub(crate) passed_bytes: u64,
    /// What the guest had against it, if it did nothing.
    pub(crate) refused: Option<Misuse>,
    /// True if the exec it belongs to was rolled back.
    pub(crate) undone: bool,
    /// Bytes that are kept to repeat it.
    pub(crate) kept_bytes: u64,
}

impl Event {
    /// The function of `wit/repl.wit` that was called.
    pub fn function(&self) -> &'static str {
        self.kind.name()
    }

    /// Fuel of this entry; none if it trapped.
    pub fn fuel(&self) -> Option<u64> {
        self.fuel
    }

    /// Host calls that were made in it.
    pub fn calls(&self) -> usize {
        self.replies.len()
    }

    /// Returns whether the exec it belongs to was rolled back.
    pub fn undone(&self) -> bool {
        self.undone
    }

    /// Counts the bytes that are kept to repeat it: those of its texts, and what an event and each
    /// part of it take besides.
    pub(crate) fn weighed(mut self) -> Self {
        self.kept_bytes = self.weigh();
        self
    }

    fn weigh(&self) -> u64 {
        const EVENT: usize = 256;
        const PART: usize = 128;
        let replies = self.replies.iter().map(|reply| {
            PART + match reply {
                Reply::Returned(json) => json.len(),
                Reply::Raised(exception) => exception.message.len(),
                Reply::Pending(_) | Reply::Stopped(_) => 0,
            }
        });
        let given = match &self.kind {
            Kind::Exec { source, .. } => source.len(),
            Kind::SetVariable { name, json } => name.len() + json.len(),
            Kind::GetVariable { name } => name.len(),
            Kind::SetContexts { files, .. } => {
                // The guest's list, and the host's table of the same names.
                let names = files.iter().map(|entry| entry.name.len());
                2 * (names.sum::<usize>() + size_of_val(files.as_slice()))
            }
            Kind::Resume {
                how: Resumption::Answers(answers),
            } => answers
                .iter()
                .map(|(_, answer)| {
                    PART + match answer {
                        Answer::Returned(json) => json.len(),
                        Answer::Raised(exception) => exception.message.len(),
                    }
                })
                .sum(),
            _ => 0,
        };
        (EVENT + given + replies.sum::<usize>()) as u64
    }

    /// Where the host ended the script, if it did so at a checkpoint.
    pub fn stopped(&self) -> Option<StoppedAt> {
        self.stopped
    }
}

/// What was called.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    SetContexts {
        files: Vec<Entry>,
        default: Option<Entry>,
        readable: Readable,
    },
    Exec {
        source: String,
        /// Seconds by which the time of day has gone on between executions, all together.
        waited_seconds: u64,
    },
    Resume {
        how: Resumption,
    },
    SetVariable {
        name: String,
        json: String,
    },
    GetVariable {
        name: String,
    },
    Variables {
        look: Look,
    },
    /// No event: how the host moves a session from instance to instance.
    Dump {
        piece: u32,
    },
    Load {
        piece: Vec<u8>,
        last: bool,
    },
}

impl Kind {
    /// The name of the function in `repl.wit`.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::SetContexts { .. } => "set-contexts",
            Self::Exec { .. } => "exec",
            Self::Resume { .. } => "resume",
            Self::SetVariable { .. } => "set-variable",
            Self::GetVariable { .. } => "get-variable",
            Self::Variables { .. } => "variables",
            Self::Dump { .. } => "dump",
            Self::Load { .. } => "load",
        }
    }

    /// Returns whether fuel is counted anew from here.
    pub(crate) fn begins_exec(&self) -> bool {
        !matches!(self, Self::Resume { .. })
    }
}

/// The read of the clock that told the guest to end its script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoppedAt {
    /// The number of the read, from 0 within the event.
    pub read: u64,
    /// Fuel of the event at that read.
    pub fuel: u64,
}
