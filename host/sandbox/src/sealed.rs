//! Parked sessions as bytes, sealed.
//!
//! ```text
//! "rlm-sandbox session\0"  format: u16  MAC: 32 bytes
//! origin: u32 length, JSON      the guest and the engine that wrote it
//! payload: the rest             packed (`packed.rs`)
//!
//! session: u32 length, JSON     the host's side
//! state: u32 length, JSON       its form, and which pages it is (`parked_state.rs`)
//!        u64 length, bytes      what the guest wrote, or its pages, contexts by name (`dump.rs`)
//! before: as `state`            the same from before the exec that waits
//! contexts: u32 length, JSON    names, forms and lengths, if it holds contexts
//! data: the rest                their bytes, in this order
//! ```
//!
//! The MAC covers everything after it. All numbers are little-endian.

use std::time::Duration;

use hmac::{Hmac, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::arguments::read_bytes;
use crate::context::Context;
use crate::journal::{Account, JOURNAL_KEY, ReaderGuard, ReaderLimits, is_readable_within};
use crate::kept_bytes;
use crate::packed;
use crate::parked::{Body, Contexts, Form, Origin, Parked};
use crate::parked_state::{ParkedState, no_pages};
use crate::sandbox::Sandbox;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

const MAGIC: &[u8] = b"rlm-sandbox session\0";
const FORMAT: u16 = 5;
const MAC_BYTES: usize = 32;
/// Bytes of the part that names the interpreter and the engine, which is read before the
/// seal is checked.
const ORIGIN_BYTES: u32 = 4 << 10;
/// Bytes of everything before the payload, at most.
const HEADER_BYTES: usize = MAGIC.len() + 2 + MAC_BYTES + 4 + ORIGIN_BYTES as usize;

impl Parked {
    /// As bytes, which [`from_bytes`](Self::from_bytes) reads with the same
    /// `key`. The key should be secret and random, of 32 bytes: whoever has it
    /// can make up sessions.
    pub fn to_bytes(&self, key: &[u8]) -> Vec<u8> {
        self.sealed(&self.origin, key)
    }

    /// Returns bytes that [`from_bytes`](Self::from_bytes) of another version of the sandbox reads, if its interpreter is the
    /// same but for what the sandbox adds to it: variables, functions, classes and what the session has used stay; its fuel
    /// may be another. They are larger than those of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] for a [snapshot](crate::Session::snapshot) of pages, and for a session in which a script waits.
    pub fn to_portable_bytes(&self, key: &[u8]) -> Result<Vec<u8>> {
        if self.is_waiting() {
            return Err(Error::usage(
                "a script waits in the session, and cannot go on in another version; let it come to its end first",
            ));
        }
        if self.is_pages() {
            return Err(Error::usage(
                "a snapshot of pages is of one version of the sandbox; park the session instead",
            ));
        }
        let origin = Origin {
            form: Form::Portable,
            ..self.origin.clone()
        };
        Ok(self.sealed(&origin, key))
    }

    fn sealed(&self, origin: &Origin, key: &[u8]) -> Vec<u8> {
        let mut rest = Vec::new();
        push_json(origin, &mut rest);
        // What lies beside a journal has the contexts beside it, too.
        let payload = self.payload(key != JOURNAL_KEY);
        let guest = (origin.form != Form::Portable).then_some(origin.guest.as_str());
        packed::pack(&payload, guest, &mut rest);
        join(&mac(key, &rest).finalize().into_bytes(), &rest)
    }

    /// What the guest wrote.
    #[doc(hidden)]
    pub fn state(&self) -> Vec<u8> {
        self.state.dump_bytes()
    }

    fn payload(&self, with_contexts: bool) -> Vec<u8> {
        let mut payload = Vec::new();
        push_json(&self.body, &mut payload);
        for state in [&self.state, &self.before] {
            let (described, bytes) = state.described();
            push_json(&described, &mut payload);
            payload.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            payload.extend_from_slice(&bytes);
        }
        let now = self.contexts.all().map(|held| (held, false));
        let mut all = now
            .chain(self.pending.all().map(|held| (held, true)))
            .peekable();
        if with_contexts && all.peek().is_some() {
            let (said, data): (Vec<_>, Vec<_>) = all
                .map(|((context, is_graph_input), is_pending)| {
                    let said = Held {
                        name: context.name().to_owned(),
                        field: context.field_name().map(str::to_owned),
                        form: context.form().to_owned(),
                        bytes: context.size_bytes(),
                        is_graph_input,
                        is_pending,
                    };
                    (said, context.as_bytes())
                })
                .unzip();
            push_json(&said, &mut payload);
            data.into_iter()
                .for_each(|bytes| payload.extend_from_slice(bytes));
        }
        payload
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote with the same `key`, for
    /// this `sandbox`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Parked`] if the bytes are something else, damaged, written
    /// with another key, or by another version of the sandbox or its
    /// interpreter. Nothing of them has reached the interpreter then.
    pub fn from_bytes(sandbox: &Sandbox, bytes: &[u8], key: &[u8]) -> Result<Self> {
        Self::read(sandbox, bytes, key, None)
    }

    /// Reads as [`from_bytes`](Self::from_bytes), and asks `take` for memory before values are built: it is given the bytes that
    /// they take at most. Where it returns false, nothing is. Values of less than 1 MiB are not asked for.
    ///
    /// # Errors
    ///
    /// The errors of [`from_bytes`](Self::from_bytes), and [`ErrorKind::Limit`] where `take` returns false.
    #[doc(hidden)]
    pub fn from_bytes_within(
        sandbox: &Sandbox,
        bytes: &[u8],
        key: &[u8],
        take: impl Fn(u64) -> bool + Send + Sync + 'static,
    ) -> Result<Self> {
        let limits = ReaderLimits {
            memory_bytes: u64::MAX,
            data_bytes: u64::MAX,
            time: Duration::MAX,
            ..ReaderLimits::default()
        };
        let guard = ReaderGuard::with_account(limits, Some(Account::new(take)));
        let read = Self::read(sandbox, bytes, key, Some(&guard));
        match guard.reached() {
            Some(_) => Err(Error::new(
                ErrorKind::Limit,
                "there is no room for the values of the parked session; close sessions, or raise the limit on memory",
            )),
            None => read,
        }
    }

    /// Checks that bytes begin as a parked session of this format does, so that a caller need not read the rest of something else.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Parked`] if they do not.
    pub fn check_start(start: &[u8]) -> Result<()> {
        split(start).map(drop)
    }

    /// Seals the bytes of a parked session, which `key` sealed, with `other` in its place, on its way to an isolated process or
    /// from it: that maps no pages, and has no snapshot to give. Nothing of them is unpacked: that is left to
    /// [`from_bytes`](Self::from_bytes), as are all checks but that of the seal.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Parked`] if the bytes are something else, of another format, damaged, a snapshot of pages, or sealed with
    /// another key.
    pub fn reseal(bytes: &[u8], key: &[u8], other: &[u8]) -> Result<Vec<u8>> {
        let (code, sealed) = split(bytes)?;
        if mac(key, sealed).verify_slice(code).is_err() {
            return Err(refused(OTHER_KEY));
        }
        let origin: Origin = Reader(sealed)
            .json(ORIGIN_BYTES, None)
            .ok_or_else(damaged)?;
        if origin.form == Form::Pages {
            return Err(no_pages());
        }
        Ok(join(&mac(other, sealed).finalize().into_bytes(), sealed))
    }

    /// Bytes of the beginning that [`check_header`](Self::check_header) needs, at most.
    pub const HEADER_BYTES: usize = HEADER_BYTES;

    /// Checks the beginning of a parked session, so that a caller can refuse a file before
    /// it reads the rest: `start` holds the first [`HEADER_BYTES`](Self::HEADER_BYTES), or
    /// everything if there is less. The seal is left to [`from_bytes`](Self::from_bytes).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Parked`], as [`from_bytes`](Self::from_bytes) gives it for something else,
    /// for another format and for another version of the sandbox or its interpreter.
    pub fn check_header(sandbox: &Sandbox, start: &[u8]) -> Result<()> {
        read_header(sandbox, start).map(drop)
    }

    /// Returns the bytes that a parked session says it has when it is unpacked.
    /// [`from_bytes`](Self::from_bytes) refuses one that has more.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Parked`], as [`check_header`](Self::check_header).
    pub fn unpacked_bytes(sandbox: &Sandbox, bytes: &[u8]) -> Result<u64> {
        packed::length(read_header(sandbox, bytes)?.payload).ok_or_else(damaged)
    }

    /// Reads as [`from_bytes`](Self::from_bytes), under the limits of the reader of a journal
    /// if there is one.
    pub(crate) fn read(
        sandbox: &Sandbox,
        bytes: &[u8],
        key: &[u8],
        reader: Option<&ReaderGuard>,
    ) -> Result<Self> {
        let Header {
            code,
            sealed,
            payload,
            origin,
        } = read_header(sandbox, bytes)?;
        if mac(key, sealed).verify_slice(code).is_err() {
            return Err(refused(OTHER_KEY));
        }
        if origin.form == Form::Portable && key == JOURNAL_KEY {
            return Err(damaged());
        }
        if origin.form == Form::Pages {
            if key == JOURNAL_KEY {
                return Err(refused(
                    "a journal begins with a snapshot of pages, which its author may have made up; record the session anew",
                ));
            }
            if !sandbox.has_pages() {
                return Err(no_pages());
            }
        }
        let payload = packed::unpack(payload, &origin.guest, reader)?.ok_or_else(damaged)?;
        let guard = reader;
        let mut reader = Reader(&payload);
        let body: Body = reader.json(u32::MAX, guard).ok_or_else(damaged)?;
        let body_memory = kept_bytes::of_json(&payload[..payload.len() - reader.0.len()]);
        let state = reader.state(guard).ok_or_else(damaged)?;
        let before = reader.state(guard).ok_or_else(damaged)?;
        if (state.is_pages() || before.is_pages()) != (origin.form == Form::Pages) {
            return Err(damaged());
        }
        let [contexts, pending] = match key == JOURNAL_KEY {
            true => Default::default(),
            false => reader.contexts(guard).ok_or_else(damaged)?,
        };
        if !reader.0.is_empty() || !body.is_sound() {
            return Err(damaged());
        }
        let here = Origin::here(sandbox);
        let is_portable = origin.form == Form::Portable;
        if is_portable && body.is_waiting() {
            return Err(damaged());
        }
        let is_foreign = is_portable && origin.guest != here.guest;
        let origin = if is_portable { here } else { origin };
        if key == JOURNAL_KEY && !body.keeps_limits(guard) {
            return Err(refused(
                "the script that waits in the parked session has more open calls, arguments, prompts, answers or printed \
                 text than its limits allow",
            ));
        }
        Ok(Self {
            origin,
            body,
            state,
            before,
            body_memory,
            contexts,
            pending,
            is_foreign,
        })
    }
}

/// The parts of a parked session that are read before its seal is checked.
struct Header<'a> {
    code: &'a [u8; MAC_BYTES],
    /// Bytes that the MAC covers.
    sealed: &'a [u8],
    payload: &'a [u8],
    origin: Origin,
}

fn refused(message: &str) -> Error {
    Error::new(ErrorKind::Parked, message)
}

fn damaged() -> Error {
    refused("the parked session is damaged or cut short; take another copy")
}

const OTHER_KEY: &str =
    "the parked session is damaged, or was parked with another key; use the key it was parked with";

/// Returns the bytes of a parked session, from its MAC and what that covers.
fn join(code: &[u8], sealed: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(code);
    bytes.extend_from_slice(sealed);
    bytes
}

/// Returns the MAC of a parked session, and the bytes that it covers.
fn split(bytes: &[u8]) -> Result<(&[u8; MAC_BYTES], &[u8])> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| refused("this is not a saved session"))?;
    let (format, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
    match u16::from_le_bytes(*format) {
        FORMAT => {}
        other if other < FORMAT => {
            return Err(refused(
                "the session was parked by an older version, whose format is gone; open a new one",
            ));
        }
        _ => {
            return Err(refused(
                "the session was parked by a newer version; restore it with that one",
            ));
        }
    }
    rest.split_first_chunk::<MAC_BYTES>().ok_or_else(damaged)
}

/// Reads everything before the payload, and checks that it is for this sandbox.
fn read_header<'a>(sandbox: &Sandbox, bytes: &'a [u8]) -> Result<Header<'a>> {
    let (code, sealed) = split(bytes)?;
    let mut reader = Reader(sealed);
    let origin: Origin = reader.json(ORIGIN_BYTES, None).ok_or_else(damaged)?;
    let here = Origin::here(sandbox);
    let differences = [
        ("interpreter", &origin.guest, &here.guest),
        ("engine version", &origin.engine, &here.engine),
        (
            "engine configuration",
            &origin.configuration,
            &here.configuration,
        ),
    ];
    if origin.form != Form::Portable {
        for (what, theirs, ours) in differences {
            if theirs != ours {
                let other = match what {
                    "engine configuration" => {
                        "; where the program is the same, it is the metering (`--metering`, `SandboxBuilder::metering`): give it \
                         as it was there"
                    }
                    _ => "",
                };
                return Err(refused(&format!(
                    "the session was parked with another {what} ({theirs}, here {ours}){other}; restore it with the program that \
                     parked it, or have that one write it for others (Parked::to_portable_bytes, `rlm-sandbox migrate`)"
                )));
            }
        }
    }
    Ok(Header {
        code,
        sealed,
        payload: reader.0,
        origin,
    })
}

/// Returns whether the host's side of a session can be read again: arguments and answers of calls nest up to 400 deep, and stand
/// in members of it.
pub(crate) fn is_readable_body(json: &str) -> bool {
    is_readable_within(json, 500)
}

fn push_json(value: &impl Serialize, to: &mut Vec<u8>) {
    let json = serde_json::to_vec(value).expect("strings, numbers and JSON");
    to.extend_from_slice(&(json.len() as u32).to_le_bytes());
    to.extend_from_slice(&json);
}

/// A context that a session holds; its bytes follow.
#[derive(Serialize, Deserialize)]
struct Held {
    name: String,
    field: Option<String>,
    form: String,
    bytes: u64,
    is_graph_input: bool,
    /// True if the next execution reads it, and not the script that waits.
    #[serde(default)]
    is_pending: bool,
}

/// Takes what was written, piece by piece.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// Reads JSON of any author, under any key: an isolated process that is taken over says what its own
    /// session is. It has no more than `most_bytes`, is [readable](is_readable_body), and its reader has memory for its values.
    fn json<T: for<'de> Deserialize<'de>>(
        &mut self,
        most_bytes: u32,
        guard: Option<&ReaderGuard>,
    ) -> Option<T> {
        let length = u32::from_le_bytes(self.take(4)?.try_into().ok()?);
        if length > most_bytes {
            return None;
        }
        let json = std::str::from_utf8(self.take(length as usize)?).ok()?;
        if !is_readable_body(json) {
            return None;
        }
        // The session that is made of it has its values once more.
        let bytes = read_bytes(json).saturating_mul(2);
        if guard.is_some_and(|guard| !guard.takes_values(bytes)) {
            return None;
        }
        let mut json = serde_json::Deserializer::from_str(json);
        json.disable_recursion_limit();
        let value = T::deserialize(&mut json).ok()?;
        json.end().ok()?;
        Some(value)
    }

    /// Reads the contexts that a session holds, if it holds some, and those of the next execution.
    fn contexts(&mut self, guard: Option<&ReaderGuard>) -> Option<[Contexts; 2]> {
        let mut contexts = <[Contexts; 2]>::default();
        if self.0.is_empty() {
            return Some(contexts);
        }
        for held in self.json::<Vec<Held>>(u32::MAX, guard)? {
            let bytes = self.take(usize::try_from(held.bytes).ok()?)?;
            let text = || std::str::from_utf8(bytes).ok();
            let context = match held.form.as_str() {
                "text" => Context::text(held.name, text()?),
                "json" => Context::json(held.name, text()?).ok()?,
                "bytes" => Context::bytes(held.name, bytes),
                _ => return None,
            };
            let context = match held.field {
                Some(field) => context.field(field),
                None => context,
            };
            let of = &mut contexts[usize::from(held.is_pending)];
            match held.is_graph_input {
                true => of.graph_input = Some(context),
                false => of.files.push(context),
            }
        }
        Some(contexts)
    }

    fn state(&mut self, guard: Option<&ReaderGuard>) -> Option<ParkedState> {
        let described = self.json(u32::MAX, guard)?;
        let length = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
        ParkedState::read(described, self.take(usize::try_from(length).ok()?)?)
    }
}

fn mac(key: &[u8], bytes: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::new_from_slice(key).expect("a key of any length will do");
    mac.update(&[FORMAT as u8]);
    mac.update(bytes);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parked session with this for its host's side.
    fn forged(sandbox: &Sandbox, body: &[u8], key: &[u8]) -> Vec<u8> {
        let (mut rest, origin) = (Vec::new(), Origin::here(sandbox));
        push_json(&origin, &mut rest);
        let mut payload = (body.len() as u32).to_le_bytes().to_vec();
        payload.extend_from_slice(body);
        payload.extend_from_slice(&[0; 16]);
        packed::pack(&payload, Some(&origin.guest), &mut rest);
        join(&mac(key, &rest).finalize().into_bytes(), &rest)
    }

    #[test]
    fn the_hosts_side_of_a_session_is_not_trusted_for_its_seal() {
        let sandbox = Sandbox::builder()
            .without_guest()
            .build()
            .expect("an engine");
        // The key of journals is public, and an isolated process says what this user's key seals.
        for key in [JOURNAL_KEY, b"this user's"] {
            for body in [
                String::from("{}"),
                "[".repeat(3_000_000),
                "{\"a\":".repeat(1_000_000),
                format!("[{}[]]", "[],".repeat(10_000_000)),
            ] {
                let bytes = forged(&sandbox, body.as_bytes(), key);
                let error = Parked::from_bytes(&sandbox, &bytes, key).expect_err("forged");
                assert_eq!(error.kind(), ErrorKind::Parked);
            }
        }
    }

    #[test]
    fn a_session_is_bound_to_its_interpreter_engine_and_configuration() {
        let sandbox = Sandbox::builder()
            .without_guest()
            .build()
            .expect("an engine");
        let other = |change: fn(&mut Origin)| {
            let mut origin = Origin::here(&sandbox);
            change(&mut origin);
            origin
        };
        for form in [Form::Written, Form::Pages] {
            for (origin, word) in [
                (other(|origin| origin.guest.insert(0, '0')), "interpreter"),
                (other(|origin| origin.engine.push('9')), "engine"),
                (other(|origin| origin.configuration.push('9')), "configur"),
            ] {
                let (mut rest, origin) = (Vec::new(), Origin { form, ..origin });
                push_json(&origin, &mut rest);
                packed::pack(&[0; 64], Some(&origin.guest), &mut rest);
                let bytes = join(&mac(b"key", &rest).finalize().into_bytes(), &rest);
                let error = Parked::from_bytes(&sandbox, &bytes, b"key").expect_err("another");
                assert_eq!(error.kind(), ErrorKind::Parked);
                assert!(error.to_string().contains(word), "{word}: {error}");
            }
        }
    }

    #[test]
    fn values_of_a_session_take_memory_before_they_are_built() {
        let sandbox = Sandbox::builder()
            .without_guest()
            .build()
            .expect("an engine");
        let body = format!("[{}[]]", "[],".repeat(100_000));
        let bytes = forged(&sandbox, body.as_bytes(), b"key");
        for (has_room, kind) in [(true, ErrorKind::Parked), (false, ErrorKind::Limit)] {
            let read = Parked::from_bytes_within(&sandbox, &bytes, b"key", move |bytes| {
                assert!(bytes > 100_000 * 100, "{bytes}");
                has_room
            });
            assert_eq!(read.expect_err("no session").kind(), kind);
        }
    }
}
