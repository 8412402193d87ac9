//! The methods of the protocol, by where they are served.

use serde::Deserialize;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error, StrDeserializer};

/// A method of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Hello,
    Close,
    /// Cancels what a session does, or a request that belongs to none.
    Cancel,
    /// Describes a session, or a profile.
    Instructions,
    Apart(Apart),
    InSession(InSession),
}

/// A method that belongs to no session that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    Open,
    Restore,
    Validate,
    Replay,
    Turns,
    Instructions,
}

/// A method that waits for its turn in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InSession {
    /// Makes another session.
    Fork,
    /// Replaces the session by one with other handlers.
    Register,
    Served(Served),
}

/// A method that the session serves itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Served {
    Exec,
    Step,
    Advance,
    Resume,
    Finish,
    Set,
    Get,
    Variables,
    Export,
    Import,
    Park,
    Reset,
    Instructions,
    Stats,
    Waiting,
    Cancel,
    Tools,
    CallTool,
}

impl Method {
    /// Returns the method of this name; none if there is none.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "hello" => Self::Hello,
            "close" => Self::Close,
            "cancel" => Self::Cancel,
            "instructions" => Self::Instructions,
            "open" => Self::Apart(Apart::Open),
            "restore" => Self::Apart(Apart::Restore),
            "validate" => Self::Apart(Apart::Validate),
            "replay" => Self::Apart(Apart::Replay),
            "turns" => Self::Apart(Apart::Turns),
            "fork" => Self::InSession(InSession::Fork),
            "register" => Self::InSession(InSession::Register),
            name => {
                let name: StrDeserializer<'_, Error> = name.into_deserializer();
                Self::InSession(InSession::Served(Served::deserialize(name).ok()?))
            }
        })
    }
}

impl InSession {
    /// Returns whether the answer holds values, however many there are.
    pub(super) fn is_list(self) -> bool {
        use Served::{Export, Get, Instructions, Variables};
        matches!(self, Self::Served(Get | Variables | Export | Instructions))
    }

    /// Returns whether it runs scripts whose calls are carried out by handlers of the client.
    pub(super) fn calls_handlers(self) -> bool {
        use Served::{Advance, CallTool, Exec, Finish};
        matches!(self, Self::Served(Exec | Finish | CallTool | Advance))
    }

    /// Returns whether it runs a script, or goes on with one, whose time limit is its own.
    pub(super) fn runs_script(self) -> bool {
        use Served::{Advance, Exec, Finish, Resume, Step};
        matches!(self, Self::Served(Exec | Step | Resume | Finish | Advance))
    }
}
