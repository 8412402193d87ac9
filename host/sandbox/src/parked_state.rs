//! The namespace of a parked session: what the interpreter wrote, or the pages of its memory.

use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::{Base, Stored};
use crate::dump::Dump;
use crate::guest_state::Readable;
use crate::kept_bytes::KeptBytes;
use crate::sandbox::Sandbox;
use rlm_sandbox_engine::pages::{Kept, PAGE, Pages, Snapshot, Unmapped};
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// The namespace of a session, as it leaves the process.
#[derive(Clone, Debug)]
pub(crate) enum ParkedState {
    /// Nothing has happened in it.
    New,
    /// Bytes that the interpreter wrote.
    Dump(Dump),
    /// The memory of the interpreter.
    Pages(ParkedPages),
}

/// The memory of an interpreter, as far as it differs from the image.
#[derive(Clone, Debug)]
pub(crate) struct ParkedPages {
    /// Digest of what the interpreter was configured with.
    configured: Arc<str>,
    least_bytes: u64,
    memory: Memory,
}

#[derive(Clone, Debug)]
enum Memory {
    /// Pages of this process, and the contexts that scripts could read.
    Mapped(Arc<Snapshot>, Arc<Pages>, Readable),
    /// Pages that were read, of which contexts are only named.
    Read {
        size_bytes: u64,
        stretches: Arc<[(u32, u32)]>,
        content: Dump,
    },
}

/// The part of a namespace that stands before its bytes.
#[derive(Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Described {
    New,
    Dump,
    Pages {
        configured: Arc<str>,
        least_bytes: u64,
        size_bytes: u64,
        stretches: Vec<(u32, u32)>,
    },
}

impl ParkedState {
    /// Returns the state of a base after which nothing has happened. `configured` is the digest of what its interpreter was
    /// configured with.
    pub(crate) fn of(base: &Base, pages: &Arc<Pages>, configured: &Arc<str>) -> Self {
        match &base.stored {
            Stored::New => Self::New,
            Stored::Dump(dump) => Self::Dump(dump.clone()),
            Stored::Pages {
                snapshot,
                least_bytes,
                configured: before,
                ..
            } => Self::Pages(ParkedPages {
                configured: Arc::clone(before.as_ref().unwrap_or(configured)),
                least_bytes: *least_bytes,
                memory: Memory::Mapped(
                    Arc::clone(snapshot),
                    Arc::clone(pages),
                    Arc::clone(&base.contexts),
                ),
            }),
        }
    }

    /// Returns what an interpreter wrote, or a new one.
    pub(crate) fn written(dump: Option<Dump>) -> Self {
        dump.map_or(Self::New, Self::Dump)
    }

    /// Returns whether it is the memory of an interpreter.
    pub(crate) fn is_pages(&self) -> bool {
        matches!(self, Self::Pages(_))
    }

    /// Returns the bytes of what is packed, without contexts, which are only named.
    pub(crate) fn size_bytes(&self) -> u64 {
        match self {
            Self::New => 0,
            Self::Dump(dump) => dump.size_bytes(&Readable::default()),
            Self::Pages(pages) => pages.size_bytes(),
        }
    }

    /// Returns the bytes that mapping pages takes which were read.
    pub(crate) fn mapped_bytes(&self) -> u64 {
        match self {
            Self::Pages(pages) => pages.mapped_bytes(),
            Self::New | Self::Dump(_) => 0,
        }
    }

    /// Returns the base of a session that begins so, and the account of what it keeps beside its pages.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Parked`] for pages that no memory here can have, and [`ErrorKind::Host`] if there is no memory for them.
    pub(crate) fn stored(
        &self,
        sandbox: &Sandbox,
        contexts: &Readable,
    ) -> Result<(Stored, Option<Arc<KeptBytes>>)> {
        let admission = sandbox.admission();
        match self {
            Self::New => Ok((Stored::New, None)),
            Self::Dump(dump) => Ok((Stored::Dump(dump.clone()), Some(dump.keep(admission)))),
            Self::Pages(pages) => {
                let snapshot = pages.snapshot(sandbox, contexts)?;
                let stored = Stored::Pages {
                    snapshot,
                    least_bytes: pages.least_bytes,
                    dump: None,
                    configured: Some(Arc::clone(&pages.configured)),
                };
                Ok((stored, None))
            }
        }
    }

    /// Returns it as a description and the bytes that follow.
    ///
    /// # Panics
    ///
    /// If there is no memory for the bytes.
    pub(crate) fn described(&self) -> (Described, Vec<u8>) {
        let mut bytes = Vec::new();
        let described = match self {
            Self::New => Described::New,
            Self::Dump(dump) => {
                dump.write(&mut bytes);
                Described::Dump
            }
            Self::Pages(pages) => {
                let (size_bytes, stretches, content) = pages.unmapped();
                content.write(&mut bytes);
                Described::Pages {
                    configured: Arc::clone(&pages.configured),
                    least_bytes: pages.least_bytes,
                    size_bytes,
                    stretches,
                }
            }
        };
        (described, bytes)
    }

    /// Reads what [`described`](Self::described) gave, if it did.
    pub(crate) fn read(described: Described, bytes: &[u8]) -> Option<Self> {
        Some(match described {
            Described::New if bytes.is_empty() => Self::New,
            Described::New => return None,
            Described::Dump => Self::Dump(Dump::read(bytes)?),
            Described::Pages {
                configured,
                least_bytes,
                size_bytes,
                stretches,
            } => Self::Pages(ParkedPages {
                configured,
                least_bytes,
                memory: Memory::Read {
                    size_bytes,
                    stretches: stretches.into(),
                    content: Dump::read(bytes)?,
                },
            }),
        })
    }

    /// Returns the bytes of what the interpreter wrote, if it did.
    pub(crate) fn dump_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Self::Dump(dump) = self {
            dump.write(&mut bytes);
        }
        bytes
    }
}

impl ParkedPages {
    fn snapshot(&self, sandbox: &Sandbox, contexts: &Readable) -> Result<Arc<Snapshot>> {
        let (size_bytes, stretches, content) = match &self.memory {
            Memory::Mapped(snapshot, ..) => return Ok(Arc::clone(snapshot)),
            Memory::Read {
                size_bytes,
                stretches,
                content,
            } => (*size_bytes, stretches, content),
        };
        let damaged = || {
            let what = "the parked session is damaged: its pages fit no memory; take another copy";
            Error::new(ErrorKind::Parked, what)
        };
        let pages = sandbox.pages().ok_or_else(no_pages)?;
        let parts = content.chunks(contexts);
        if parts.clone().any(|part| part.is_none()) {
            return Err(damaged());
        }
        // A part may be much of a context, of which the bytes hold the name alone.
        let kept = KeptBytes::in_advance(sandbox.admission(), self.mapped_bytes())?;
        let keep = |_| Box::new(kept) as Kept;
        let parts = parts.flatten();
        let snapshot = Snapshot::map(pages, size_bytes, stretches, parts, keep);
        snapshot.map(Arc::new).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => damaged(),
            _ => {
                let what = "this machine has no memory for the pages of the session";
                Error::new(ErrorKind::Host, what).because(error)
            }
        })
    }

    /// Returns the bytes of pages that were read and are not mapped.
    fn mapped_bytes(&self) -> u64 {
        match &self.memory {
            Memory::Mapped(..) => 0,
            Memory::Read { .. } => self.size_bytes(),
        }
    }

    /// Returns the bytes of the pages.
    fn size_bytes(&self) -> u64 {
        match &self.memory {
            Memory::Mapped(snapshot, ..) => snapshot.bytes(),
            Memory::Read { stretches, .. } => {
                let pages = stretches.iter().map(|(_, count)| u64::from(*count));
                pages.sum::<u64>().saturating_mul(PAGE as u64)
            }
        }
    }

    fn unmapped(&self) -> (u64, Vec<(u32, u32)>, Dump) {
        match &self.memory {
            Memory::Mapped(snapshot, pages, contexts) => {
                let unmapped = snapshot.unmapped(pages);
                let Unmapped {
                    size_bytes,
                    stretches,
                    content,
                } = unmapped.expect("memory for the bytes of a session");
                (size_bytes, stretches, Dump::divided(&content, contexts))
            }
            Memory::Read {
                size_bytes,
                stretches,
                content,
            } => (*size_bytes, stretches.to_vec(), content.clone()),
        }
    }
}

/// Returns the error where pages cannot be mapped.
pub(crate) fn no_pages() -> Error {
    Error::new(
        ErrorKind::Parked,
        "the session is a snapshot of pages, which this process does not map (it is isolated, has little address space, or runs on \
         another system); park the session instead of taking a snapshot",
    )
}
