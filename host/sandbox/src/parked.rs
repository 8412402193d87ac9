//! Sessions outside of any process: as bytes, idle or in the middle of a call.
//!
//! ```text
//! "rlm-sandbox session\0"  format: u16  MAC: 32 bytes
//! origin: u32 length, JSON      the guest and the engine that wrote it
//! session: u32 length, JSON     the host's side
//! state: u64 length, bytes      what the guest wrote (`dump.rs`), contexts by name
//! before: u64 length, bytes     the same from before the exec that waits
//! ```
//!
//! The MAC covers everything after it. All numbers are little-endian.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use hmac::{Hmac, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::base::{Base, Checkpoint, Price};
use crate::builder::SessionBuilder;
use crate::call::{Answer, Call, CallRecord, Settled};
use crate::clock::{Clock, Random};
use crate::dump::Dump;
use crate::engine::{self, hex};
use crate::error::{Error, ErrorKind, Result};
use crate::event::Kind;
use crate::guest_state::{GuestState, Readable};
use crate::limits::Limits;
use crate::memory::footprint;
use crate::model::TokenUsage;
use crate::sandbox::Sandbox;
use crate::session::{Phase, Session, Stay};

const MAGIC: &[u8] = b"rlm-sandbox session\0";
const FORMAT: u16 = 1;
const MAC_BYTES: usize = 32;

/// A session that was written down.
///
/// It holds the namespace, the host's side of it and the limits, but no
/// handlers and no contexts: those come with the [`SessionBuilder`] that
/// [restores](SessionBuilder::restore) it.
#[derive(Clone, Debug)]
pub struct Parked {
    origin: Origin,
    body: Body,
    state: Option<Dump>,
    /// Of a session that waits.
    before: Option<Dump>,
}

/// Who wrote a session. Only the same can read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Origin {
    guest: String,
    engine: String,
    configuration: String,
}

impl Origin {
    fn here(sandbox: &Sandbox) -> Self {
        Self {
            guest: sandbox.guest_digest().to_owned(),
            engine: engine::VERSION.to_owned(),
            configuration: sandbox.engine_configuration(),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Body {
    id: String,
    user: Option<String>,
    trace_id: Option<String>,
    seed: u64,
    start: SystemTime,
    limits: Limits,
    names: Vec<String>,
    live_bytes: u64,
    /// Name and digest of each context that scripts could read.
    contexts: Vec<(String, String)>,
    clock: Clock,
    random: Random,
    price: Option<Price>,
    next_ticket: u64,
    model_calls: u64,
    forks: u64,
    /// Variables that have yet to enter, as JSON.
    queued: Vec<(String, String)>,
    script: Option<Script>,
}

/// A script that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Script {
    waiting: Vec<u64>,
    open: Vec<u64>,
    model_calls_before: u64,
    tokens: TokenUsage,
    compute: Duration,
    elapsed: Duration,
    stdout: String,
    stderr: String,
    dropped_bytes: u64,
    records: Vec<CallRecord>,
    pending: Vec<Call>,
    /// Answers that came and were not waited for yet.
    settled: Vec<(u64, Answer, TokenUsage)>,
    clock_before: Clock,
    random_before: Random,
    price_before: Option<Price>,
    live_bytes: u64,
}

impl Parked {
    /// The id of the session.
    pub fn id(&self) -> &str {
        &self.body.id
    }

    /// Whether a script waits in it.
    pub fn is_waiting(&self) -> bool {
        self.body.script.is_some()
    }

    /// As bytes, which [`from_bytes`](Self::from_bytes) reads with the same
    /// `key`. The key should be secret and random, of 32 bytes: whoever has it
    /// can make up sessions.
    pub fn to_bytes(&self, key: &[u8]) -> Vec<u8> {
        let mut rest = Vec::new();
        for json in [
            serde_json::to_vec(&self.origin),
            serde_json::to_vec(&self.body),
        ] {
            let json = json.expect("strings, numbers and JSON");
            rest.extend_from_slice(&(json.len() as u32).to_le_bytes());
            rest.extend_from_slice(&json);
        }
        for state in [&self.state, &self.before] {
            let mut bytes = Vec::new();
            if let Some(state) = state {
                state.write(&mut bytes);
            }
            rest.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            rest.extend_from_slice(&bytes);
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        bytes.extend_from_slice(&mac(key, &rest).finalize().into_bytes());
        bytes.extend_from_slice(&rest);
        bytes
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
        let refused = |message: &str| Error::new(ErrorKind::Parked, message);
        let damaged = || refused("the parked session is damaged or cut short; take another copy");
        let rest = bytes
            .strip_prefix(MAGIC)
            .ok_or_else(|| refused("this is not a parked session"))?;
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
        let (code, rest) = rest.split_first_chunk::<MAC_BYTES>().ok_or_else(damaged)?;
        let mut reader = Reader(rest);
        let origin: Origin = reader.json().ok_or_else(damaged)?;
        let here = Origin::here(sandbox);
        for (what, theirs, ours) in [
            ("interpreter", &origin.guest, &here.guest),
            ("engine version", &origin.engine, &here.engine),
            (
                "engine configuration",
                &origin.configuration,
                &here.configuration,
            ),
        ] {
            if theirs != ours {
                return Err(refused(&format!(
                    "the session was parked with another {what} ({theirs}, here {ours}); restore it with the program \
                     that parked it"
                )));
            }
        }
        if mac(key, rest).verify_slice(code).is_err() {
            return Err(refused(
                "the parked session is damaged, or was parked with another key; use the key it was parked with",
            ));
        }
        let body = reader.trusted().ok_or_else(damaged)?;
        let state = reader.state().ok_or_else(damaged)?;
        let before = reader.state().ok_or_else(damaged)?;
        if !reader.0.is_empty() {
            return Err(damaged());
        }
        Ok(Self {
            origin,
            body,
            state,
            before,
        })
    }
}

/// Takes what was written, piece by piece.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn json<T: for<'de> Deserialize<'de>>(&mut self) -> Option<T> {
        let length = u32::from_le_bytes(self.take(4)?.try_into().ok()?);
        serde_json::from_slice(self.take(length as usize)?).ok()
    }

    /// What the MAC says is ours. Arguments of calls nest as deeply as they
    /// may, and a little deeper here.
    fn trusted<T: for<'de> Deserialize<'de>>(&mut self) -> Option<T> {
        let length = u32::from_le_bytes(self.take(4)?.try_into().ok()?);
        let mut json = serde_json::Deserializer::from_slice(self.take(length as usize)?);
        json.disable_recursion_limit();
        let value = T::deserialize(&mut json).ok()?;
        json.end().ok()?;
        Some(value)
    }

    fn state(&mut self) -> Option<Option<Dump>> {
        let length = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
        match self.take(usize::try_from(length).ok()?)? {
            [] => Some(None),
            state => Dump::read(state).map(Some),
        }
    }
}

fn mac(key: &[u8], bytes: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::new_from_slice(key).expect("a key of any length will do");
    mac.update(&[FORMAT as u8]);
    mac.update(bytes);
    mac
}

fn digests(readable: &Readable) -> Vec<(String, String)> {
    let digest = |context: &crate::Context| {
        let form = context.form();
        format!("{form}:{}", hex(&Sha256::digest(context.as_bytes())))
    };
    readable
        .iter()
        .map(|(name, context)| (name.as_ref().to_owned(), digest(context)))
        .collect()
}

impl Session {
    /// Writes the session down, idle or waiting for calls, so that it can go on
    /// in another process. This one can go on too, but then there are two of one
    /// name: use [`fork`](Self::fork) for that.
    ///
    /// Values that were [set](Self::set) or contexts that were added since the
    /// last exec become part of the session first.
    ///
    /// # Errors
    ///
    /// As [`exec`](Self::exec), and [`ErrorKind::Guest`] if the interpreter
    /// cannot write its state; nothing has changed then.
    pub async fn park(&mut self) -> Result<Parked> {
        let stay = Stay::new(self);
        stay.0.park_here().await
    }

    async fn park_here(&mut self) -> Result<Parked> {
        self.write_down().await?;
        let before = match &self.before {
            Some(before) if self.phase == Phase::Waiting => {
                let before = before.as_ref().clone();
                // The interpreter that works this out takes the place of ours.
                self.residence.rest();
                self.residence.run(self.room()).await?;
                Some(self.flatten(before).await?)
            }
            _ => None,
        };
        let compute = self.meter.read();
        let contexts = digests(&self.checkpoint.base.contexts);
        let settled = self.in_flight.settled.iter().map(|settled| {
            let Settled {
                ticket,
                answer,
                tokens,
                ..
            } = settled;
            (*ticket, answer.clone(), *tokens)
        });
        let settled = settled.collect();
        let (base, running) = (self.checkpoint.base.clone(), self.running.clone());
        let state = self.state();
        let script = before.as_ref().map(|before| Script {
            waiting: running.waiting,
            open: running.open,
            model_calls_before: running.model_calls_before,
            tokens: running.tokens,
            compute,
            elapsed: running.since.elapsed(),
            stdout: state.output.stdout.clone(),
            stderr: state.output.stderr.clone(),
            dropped_bytes: state.output.dropped_bytes,
            records: state.records.clone(),
            pending: state.pending.values().cloned().collect(),
            settled,
            clock_before: before.clock.clone(),
            random_before: before.random.clone(),
            price_before: before.price,
            live_bytes: running.live_bytes,
        });
        let (next_ticket, model_calls) = (state.next_ticket, state.model_calls);
        let queued = self.queued.iter().filter_map(|kind| match kind {
            Kind::SetVariable { name, json } => Some((name.clone(), json.clone())),
            _ => None,
        });
        let queued = queued.collect();
        let caller = &self.settings.caller;
        Ok(Parked {
            origin: Origin::here(&self.settings.sandbox),
            body: Body {
                id: caller.session.clone(),
                user: caller.user.clone(),
                trace_id: caller.trace_id.clone(),
                seed: self.seed,
                start: self.start,
                limits: self.settings.limits.clone(),
                names: self.names.clone(),
                live_bytes: self.live_bytes,
                contexts,
                clock: base.clock,
                random: base.random,
                price: base.price,
                next_ticket,
                model_calls,
                forks: self.forks,
                queued,
                script,
            },
            state: base.dump,
            before: before.and_then(|before| before.dump),
        })
    }
}

impl SessionBuilder {
    /// Takes up a session that was [parked](Session::park), with the handlers,
    /// contexts and listener of this builder. Id, seed, clock and limits are
    /// those of the parked session.
    ///
    /// If a script waits in it, [`Session::finish`] or [`Session::resume`] goes
    /// on with it; its calls are started again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] as [`open`](Self::open), and if a context that the
    /// session had is missing or has another content.
    pub fn restore(mut self, parked: &Parked) -> Result<Session> {
        let body = &parked.body;
        self.limits = body.limits.clone();
        self.seed = Some(body.seed);
        self.start = Some(body.start);
        self = self.id(&body.id);
        if let (None, Some(user)) = (&self.caller.user, &body.user) {
            self = self.user(user);
        }
        if let (None, Some(trace_id)) = (&self.caller.trace_id, &body.trace_id) {
            self = self.trace_id(trace_id);
        }
        let mut session = self.open_from(Some(parked))?;
        let contexts = session.readable();
        let have = digests(&contexts);
        for wanted in &body.contexts {
            if !have.contains(wanted) {
                let name = &wanted.0;
                return Err(Error::usage(if contexts.contains_key(name.as_str()) {
                    format!("context `{name}` has another content than when the session was parked")
                } else {
                    format!("the parked session had a context `{name}`; add it again")
                }));
            }
        }
        session.contexts_changed = have != body.contexts;
        session.names.clone_from(&body.names);
        session.live_bytes = body.live_bytes;
        session.forks = body.forks;
        let queued = body.queued.iter().cloned();
        session.queued = queued
            .map(|(name, json)| Kind::SetVariable { name, json })
            .collect();
        session.context_bytes = footprint(&contexts);
        let state = session.state();
        state.next_ticket = body.next_ticket;
        state.model_calls = body.model_calls;
        state.starts_handlers = false;
        session.checkpoint = Checkpoint::from(Base {
            dump: parked.state.clone(),
            clock: body.clock.clone(),
            random: body.random.clone(),
            price: body.price,
            contexts: Arc::clone(&contexts),
        });
        if let Some(script) = &body.script {
            session.take_up(script, parked.before.clone(), contexts);
        }
        Ok(session)
    }
}

impl Session {
    fn take_up(&mut self, script: &Script, before: Option<Dump>, contexts: Readable) {
        self.before = Some(Box::new(Checkpoint::from(Base {
            dump: before,
            clock: script.clock_before.clone(),
            random: script.random_before.clone(),
            price: script.price_before,
            contexts,
        })));
        self.phase = Phase::Waiting;
        self.running.waiting.clone_from(&script.waiting);
        self.running.open.clone_from(&script.open);
        self.running.model_calls_before = script.model_calls_before;
        self.running.tokens = script.tokens;
        self.running.live_bytes = script.live_bytes;
        let now = std::time::Instant::now();
        self.running.since = now.checked_sub(script.elapsed).unwrap_or(now);
        self.meter.resume_at(script.compute);
        let settled = script.settled.iter().cloned();
        self.in_flight.settled = settled
            .map(|(ticket, answer, tokens)| Settled::told(ticket, answer, tokens))
            .collect();
        let state: &mut GuestState = self.state();
        state.output.stdout.clone_from(&script.stdout);
        state.output.stderr.clone_from(&script.stderr);
        state.output.dropped_bytes = script.dropped_bytes;
        state.records.clone_from(&script.records);
        let pending = script.pending.iter();
        state.pending = pending.map(|call| (call.ticket, call.clone())).collect();
    }
}
