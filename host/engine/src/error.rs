//! What goes wrong with the sandbox itself.

use std::error;
use std::fmt;

/// The sandbox could not do its work.
///
/// A script cannot cause one: scripts that raise, do not parse, reach a limit
/// or crash the interpreter end in an `Outcome`. Match on
/// [`kind`](Self::kind) to decide what to do; print the error and its sources
/// to tell a person.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn error::Error + Send + Sync>>,
}

/// What a caller can do about an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no guest to run, or it does not fit this library: missing,
    /// damaged, or compiled by another version. Compile or install it again.
    Guest,
    /// This machine refused something the sandbox needs: memory, address space,
    /// threads, a file. Trying again later may help.
    Host,
    /// The program that embeds the sandbox asked for something impossible. The
    /// session has not changed.
    Usage,
    /// Something that is no execution reached a limit of the session, such as a value that finds no memory or a listing that
    /// takes too long, or crashed the interpreter. The session has not changed, except that values which were set before may have entered.
    Limit,
    /// The session could not be taken up again after a limit or a crash, which
    /// is a bug of the sandbox; reset it or open a new one.
    Lost,
    /// A parked session cannot be read: foreign, damaged, of another version,
    /// or under another key. Nothing has happened.
    Parked,
    /// A journal cannot be read or repeated here: foreign, of another version,
    /// for another interpreter, redacted, or without its contexts.
    Journal,
    /// What happens is not what the journal or cassette says. The exec is rolled
    /// back; the message tells the difference.
    Diverged,
    /// A cancellation ended what is no execution: an inspection, or the writing of a session. The
    /// session has not changed, except that values which were set before may have entered.
    Canceled,
}

/// The result of what only the sandbox itself can fail at.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of this kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
        }
    }

    /// An error of the kind [`ErrorKind::Usage`].
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// An error of the kind [`ErrorKind::Limit`].
    pub fn limit(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Limit, message)
    }

    /// The same, with what it came of.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What can be done about it.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
