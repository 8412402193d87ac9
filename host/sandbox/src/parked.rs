//! Sessions outside of any process, idle or in the middle of a call.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::answer::json_bytes;
use crate::base::{Base, Checkpoint, Price};
use crate::builder::{DATES, SessionBuilder};
use crate::call::{Answer, Call, CallRecord};
use crate::caps;
use crate::clock::{Clock, Random};
use crate::context::{Context, default_of};
use crate::cost::Allowance;
use crate::guest_state::{Readable, are_asked};
use crate::instance;
use crate::journal::{Header, ReaderGuard};
use crate::kept_bytes;
use crate::limits::Limits;
use crate::memory::footprint;
use crate::meter::block_on;
use crate::model::TokenUsage;
use crate::parked_state::{ParkedState, no_pages};
use crate::profile::Profile;
use crate::recovery::unless_canceled;
use crate::requests::REFUSED_CALLS;
use crate::sandbox::Sandbox;
use crate::sealed::is_readable_body;
use crate::session::{Session, Stay};
use crate::state::{Began, Durable, Execution, SessionState};
use crate::underway::{Counts, Underway};
use rlm_sandbox_engine::{self as engine, Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

/// A session that was written down, or a snapshot of it.
///
/// It holds the namespace, the host's side of it and the limits, but no
/// handlers: those come with the [`SessionBuilder`] that
/// [restores](SessionBuilder::restore) it. Contexts come with it, too, unless
/// [`Session::park_with_contexts`] wrote it.
#[derive(Clone, Debug)]
pub struct Parked {
    pub(crate) origin: Origin,
    pub(crate) body: Body,
    pub(crate) state: ParkedState,
    /// The state from before the script that waits.
    pub(crate) before: ParkedState,
    /// Bytes of memory that the body takes, at most; none for one that was written here.
    pub(crate) body_memory: u64,
    pub(crate) contexts: Contexts,
    /// Those that it holds in place of `contexts` for the next execution, where contexts have yet to enter.
    pub(crate) pending: Contexts,
    /// True if another version of the sandbox wrote it.
    pub(crate) is_foreign: bool,
}

/// The contexts that a snapshot holds: all that scripts could read, or none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contexts {
    pub(crate) files: Vec<Context>,
    /// The context that is none of the files.
    pub(crate) graph_input: Option<Context>,
}

impl Contexts {
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.graph_input.is_none()
    }

    /// Returns all of them, and whether each is none of the files.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Context, bool)> {
        let files = self.files.iter().map(|context| (context, false));
        files.chain(self.graph_input.iter().map(|context| (context, true)))
    }

    fn try_map<E>(
        self,
        mut change: impl FnMut(Context) -> std::result::Result<Context, E>,
    ) -> std::result::Result<Self, E> {
        let files = self.files.into_iter().map(&mut change);
        Ok(Self {
            files: files.collect::<std::result::Result<_, E>>()?,
            graph_input: self.graph_input.map(change).transpose()?,
        })
    }

    /// Returns whether scripts of a session could read these and no others, and called the same one `context`.
    fn are_those_of(&self, body: &Body) -> bool {
        let all = self.files.iter().chain(&self.graph_input);
        let named = all.map(|context| (Arc::from(context.name()), context.clone()));
        body.had(
            &self.files,
            self.graph_input.as_ref(),
            &Arc::new(named.collect()),
        )
    }

    /// Returns the contexts of a session whose files have grown at their ends since: the beginnings of these that it had.
    fn beginnings(&self, body: &Body) -> Option<Self> {
        let had = |context: &Context| {
            let mut had = body.contexts.iter();
            let (_, described) = had.find(|(name, _)| name == context.name())?;
            if describe(context) == *described {
                return Some(context.clone());
            }
            let (_, size) = described.rsplit_once(':')?;
            let beginning = context.beginning(size.parse().ok()?)?;
            (describe(&beginning) == *described).then_some(beginning)
        };
        let files: Option<Vec<_>> = self.files.iter().map(had).collect();
        let beginnings = Self {
            files: files?,
            graph_input: self.graph_input.clone(),
        };
        beginnings.are_those_of(body).then_some(beginnings)
    }
}

/// Who wrote a session. Only the same can read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origin {
    pub(crate) guest: String,
    pub(crate) engine: String,
    pub(crate) configuration: String,
    pub(crate) form: Form,
}

/// The form of a parked session, which stands before its seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    /// Its interpreter wrote it.
    Written,
    /// Pages of the memory of its interpreter.
    Pages,
    /// Its interpreter wrote it, for any version of the sandbox with the same interpreter.
    Portable,
}

impl Origin {
    pub(crate) fn here(sandbox: &Sandbox) -> Self {
        Self {
            guest: sandbox.guest_digest().to_owned(),
            engine: engine::VERSION.to_owned(),
            // How memory is laid out makes no difference to a session.
            configuration: sandbox.fuel_configuration(),
            form: Form::Written,
        }
    }

    /// Returns it for a session with these states.
    fn of(self, state: &ParkedState, before: &ParkedState) -> Self {
        let form = match state.is_pages() || before.is_pages() {
            true => Form::Pages,
            false => Form::Written,
        };
        Self { form, ..self }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Body {
    id: String,
    user: Option<String>,
    trace_id: Option<String>,
    seed: u64,
    start: SystemTime,
    follows_time: bool,
    limits: Limits,
    pub(crate) profile: Profile,
    durable: Durable,
    /// Name and digest of each context that scripts could read.
    contexts: Vec<(String, String)>,
    /// The one that scripts call `context`; none if others have been given since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default_context: Option<DefaultContext>,
    clock: Clock,
    random: Random,
    price: Option<Price>,
    counts: Counts,
    script: Option<Script>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    own_time: Option<OwnTime>,
}

/// The context that scripts call `context`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct DefaultContext {
    name: String,
    /// True if it is none of the files.
    is_graph_input: bool,
}

impl DefaultContext {
    fn of(files: &[Context], graph_input: Option<&Context>) -> Option<Self> {
        let file = default_of(files.iter());
        Some(Self {
            name: file.or(graph_input)?.name().to_owned(),
            is_graph_input: file.is_none(),
        })
    }
}

/// Compute time of scripts that bring none, for who drives the session: the limit is that of the last script.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct OwnTime {
    limit: Duration,
    /// True if it was chosen, and is not the default.
    is_set: bool,
}

/// A script that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Script {
    waiting: Vec<u64>,
    open: Vec<u64>,
    model_calls_before: u64,
    tokens: TokenUsage,
    elapsed: Duration,
    underway: Underway,
    clock_before: Clock,
    random_before: Random,
    price_before: Option<Price>,
    live_bytes: u64,
}

impl Parked {
    /// Checks that a recording can begin with this session.
    ///
    /// # Errors
    ///
    /// A usage error where no reader would take it: limits were lowered while its script waited.
    #[doc(hidden)]
    pub fn check_recordable(&self) -> Result<()> {
        match self.body.keeps_limits(None) {
            true => Ok(()),
            false => Err(Error::usage(
                "the script that waits has more open calls, arguments, prompts, answers or printed text than its limits \
                 allow, which were lowered while it waited, so no recording can begin with it; finish it first",
            )),
        }
    }

    /// The id of the session.
    pub fn id(&self) -> &str {
        &self.body.id
    }

    /// Returns whether it is a [snapshot](Session::snapshot) of pages.
    pub fn is_pages(&self) -> bool {
        self.origin.form == Form::Pages
    }

    /// Returns whether another version of the sandbox wrote it, as [portable bytes](Self::to_portable_bytes).
    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Returns whether a script waits in it.
    pub fn is_waiting(&self) -> bool {
        self.body.is_waiting()
    }

    /// Keeps the compute time of scripts that bring none, where the last one may have brought another, and whether it was set.
    #[doc(hidden)]
    #[must_use]
    pub fn with_own_time(mut self, limit: Duration, is_set: bool) -> Self {
        self.body.own_time = Some(OwnTime { limit, is_set });
        self
    }

    /// Returns the compute time of scripts that bring none, and whether it was set; where nothing was kept, that of the last
    /// script, as if it had been.
    #[doc(hidden)]
    pub fn own_time(&self) -> (Duration, bool) {
        match self.body.own_time {
            Some(OwnTime { limit, is_set }) => (limit, is_set),
            None => (self.body.limits.time, true),
        }
    }
}

impl Body {
    /// Returns whether scripts could read these contexts and no others, and called the same one `context`.
    fn had(&self, files: &[Context], graph_input: Option<&Context>, readable: &Readable) -> bool {
        DefaultContext::of(files, graph_input) == self.default_context
            && digests(readable) == self.contexts
    }

    /// Returns whether a script waits.
    pub(crate) fn is_waiting(&self) -> bool {
        self.script.is_some()
    }

    /// Returns true if it has names as a guest has them and starts within Python's dates, and a script that waits in it
    /// waits for calls that stand among those that it made.
    pub(crate) fn is_sound(&self) -> bool {
        if self.counts.next_ticket > u64::MAX / 2 {
            // Nobody comes that far.
            return false;
        }
        let names = &self.durable.names;
        if caps::names(names.clone()).len() < names.len() {
            // More than a guest may have.
            return false;
        }
        let clocks = self.script.iter().map(|script| &script.clock_before);
        let mut clocks = clocks.chain([&self.clock]);
        if clocks.any(|clock| clock.started >= UNIX_EPOCH + DATES) {
            return false;
        }
        let Some(script) = &self.script else {
            return true;
        };
        let records = script.underway.tally.records.iter();
        let records: BTreeMap<u64, &CallRecord> =
            records.map(|record| (record.ticket, record)).collect();
        let asked: BTreeSet<u64> = script
            .underway
            .pending
            .iter()
            .map(|call| call.ticket)
            .collect();
        asked.len() == script.underway.pending.len()
            && script.underway.pending.iter().all(|call| {
                records
                    .get(&call.ticket)
                    .is_some_and(|record| record.is_of(call))
            })
            && asked
                .last()
                .is_some_and(|last| *last < self.counts.next_ticket)
            && are_asked(&script.waiting, &script.open, |ticket| {
                asked.contains(&ticket)
            })
    }
}

impl Body {
    /// Returns whether what a waiting script holds on the host is within its own limits and those of the reader. The
    /// author of the file chose all of it.
    pub(crate) fn keeps_limits(&self, reader: Option<&ReaderGuard>) -> bool {
        let Some(script) = &self.script else {
            return true;
        };
        let limits = &self.limits;
        let asked: u64 = script.underway.pending.iter().map(Call::held_bytes).sum();
        let prompts: u64 = script.underway.pending.iter().map(Call::prompts).sum();
        let printed = script.underway.printed.bytes();
        let text = reader.map_or(u64::MAX, |reader| reader.text(u64::MAX));
        let one = limits.tool_answer_bytes.max(limits.model_answer_bytes);
        let one = one.min(text);
        // As JSON a character takes six bytes, and as many answers may be in one as a call has prompts.
        let most = |calls: u64| {
            one.saturating_mul(6)
                .saturating_add(1000)
                .saturating_mul(calls)
        };
        let pending = script
            .underway
            .pending
            .iter()
            .map(|call| (call.ticket, call));
        let mut calls: BTreeMap<u64, &Call> = pending.collect();
        let is_complete = calls.len() == script.underway.pending.len();
        let answered = script
            .underway
            .settled
            .iter()
            .all(|(ticket, answer, cost)| {
                calls.remove(ticket).is_some_and(|call| {
                    let nothing = Allowance::new(0, Duration::ZERO, 0);
                    answer_bytes(answer) <= most(call.prompts().max(1)).min(text)
                        && cost.charge.printed.len() as u64 <= limits.output_bytes.min(text)
                        && cost.charge.is_within(&call.allowance.unwrap_or(nothing))
                })
            });
        answered
            && is_complete
            && script.underway.ledger.is_within(limits, most(1).min(text))
            && script.underway.pending.len() as u64 <= u64::from(limits.open_calls)
            && asked <= limits.open_bytes()
            && prompts <= limits.model_calls
            && printed <= limits.output_bytes.min(text)
            && script.underway.tally.records.len() as u64
                <= limits.calls.saturating_add(REFUSED_CALLS)
    }
}

fn answer_bytes(answer: &Answer) -> u64 {
    match answer {
        Answer::Returned(value) => json_bytes(value),
        Answer::Raised(raised) => {
            let hint = raised.hint.as_ref().map_or(0, String::len);
            (raised.kind.len() + raised.message.len() + raised.traceback.len() + hint) as u64
        }
    }
}

fn digests(readable: &Readable) -> Vec<(String, String)> {
    readable
        .iter()
        .map(|(name, context)| (name.as_ref().to_owned(), describe(context)))
        .collect()
}

/// Returns the form, the digest and the size of a context, which tell it from others.
fn describe(context: &Context) -> String {
    let (form, digest, size) = (context.form(), context.digest(), context.size_bytes());
    format!("{form}:{digest}:{size}")
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
    /// The errors of [`exec`](Self::exec), [`ErrorKind::Guest`](crate::ErrorKind::Guest) if the interpreter
    /// cannot write its state, [`ErrorKind::Usage`](crate::ErrorKind::Usage) for a [branch](crate::Branch) with answers to calls
    /// that are yet to come, [`ErrorKind::Limit`](crate::ErrorKind::Limit) if the calls of a script that waits and their
    /// answers have more values than are read again, and [`ErrorKind::Canceled`](crate::ErrorKind::Canceled); nothing has
    /// changed then. [`ErrorKind::Usage`](crate::ErrorKind::Usage), too, if contexts were changed while the script waits:
    /// [`park_with_contexts`](Self::park_with_contexts) holds both.
    pub async fn park(&mut self) -> Result<Parked> {
        self.check_contexts_stayed()?;
        self.park_as(false).await
    }

    fn check_contexts_stayed(&self) -> Result<()> {
        match self.is_waiting() && self.durable.contexts_changed() {
            true => Err(Error::usage(CONTEXTS_CHANGED)),
            false => Ok(()),
        }
    }

    async fn park_as(&mut self, as_pages: bool) -> Result<Parked> {
        let stay = Stay::new(self);
        let parked = stay.0.park_here(as_pages).await;
        stay.0.end_cancel();
        parked
    }

    /// Takes a snapshot of the session, idle or waiting for calls: the pages of its memory that differ from a new one's. A session
    /// that is [restored](SessionBuilder::restore) from it goes on exactly as this one does, to identities, the order of sets and
    /// fuel. Taking it changes nothing in the session and is no event of a recording, and the memory is shared until it
    /// is [written to bytes](Parked::to_bytes), where the contexts that are in it are only named. The pages hold what the interpreter has
    /// freed, too: values that were deleted, and texts that were read from contexts.
    ///
    /// It is for the same interpreter, engine and system, in processes that are not isolated. Where memories are not mapped by
    /// pages (other systems than Linux, little address space, [`dump_states`](crate::Builder::dump_states)) it does what
    /// [`park`](Self::park) does. A session that is recorded begins with what `park` would write.
    ///
    /// # Errors
    ///
    /// The errors of [`park`](Self::park).
    pub async fn snapshot(&mut self) -> Result<Parked> {
        self.check_contexts_stayed()?;
        self.park_as(true).await
    }

    /// Writes the session down as [`park`](Self::park) does, with the contexts that scripts can read:
    /// a builder without contexts [restores](SessionBuilder::restore) it, and the contexts of one that
    /// has some take the place of those.
    ///
    /// # Errors
    ///
    /// The errors of [`park`](Self::park).
    pub async fn park_with_contexts(&mut self) -> Result<Parked> {
        let parked = self.park_as(false).await?;
        Ok(self.with_contexts(parked))
    }

    /// Takes a snapshot as [`snapshot`](Self::snapshot) does, with the contexts that scripts can read, as
    /// [`park_with_contexts`](Self::park_with_contexts) has them.
    ///
    /// # Errors
    ///
    /// The errors of [`park`](Self::park).
    pub async fn snapshot_with_contexts(&mut self) -> Result<Parked> {
        let parked = self.park_as(true).await?;
        Ok(self.with_contexts(parked))
    }

    fn with_contexts(&self, mut parked: Parked) -> Parked {
        // Those that the state refers to.
        let readable = &self.checkpoint.base.contexts;
        let (files, rest): (Vec<_>, Vec<_>) = readable.values().cloned().partition(|context| {
            let mut files = self.settings.contexts.iter();
            context.name() != "context" || files.any(|file| file.name() == "context")
        });
        let graph_input = rest.into_iter().next();
        parked.contexts = Contexts { files, graph_input };
        if parked.body.durable.contexts_changed() {
            parked.pending = Contexts {
                files: self.settings.contexts.clone(),
                graph_input: self.settings.graph_input.clone(),
            };
        }
        parked
    }

    async fn park_here(&mut self, as_pages: bool) -> Result<Parked> {
        let as_pages = as_pages && self.has_pages();
        let next = self.state().counts.next_ticket;
        if self.state().given.has_from(next) {
            return Err(Error::usage(
                "the branch has answers to calls that are yet to come, and they are not parked with it; run it up to them before",
            ));
        }
        self.settle_state().await?;
        if !as_pages {
            self.write_copy().await?;
        }
        let before = match self.doing.before().cloned() {
            Some(before) => {
                // The interpreter that works this out takes the place of ours.
                self.residence.rest();
                self.residence.run(self.room()).await?;
                let cancel = self.cancel.clone();
                let flat = Box::pin(self.flatten(before, as_pages));
                let how = "canceled while the session was written";
                Some(unless_canceled(&cancel, how, flat).await?)
            }
            None => None,
        };
        let underway = self.underway();
        let readable = &self.checkpoint.base.contexts;
        let contexts = digests(readable);
        let settings = &self.settings;
        let default_context = match self.durable.contexts_changed() {
            true => None,
            false => DefaultContext::of(&settings.contexts, settings.graph_input.as_ref()),
        };
        let base = self.checkpoint.base.clone();
        let execution = self.doing.execution().cloned();
        let pages = self.settings.sandbox.pages().cloned();
        let seed = self.seed;
        let state = self.state();
        let pages = pages.filter(|_| as_pages).map(|pages| {
            let configured = instance::digest(&instance::settings(state, seed));
            (pages, configured)
        });
        let parked_state = |base: &Base| match &pages {
            Some((pages, configured)) => ParkedState::of(base, pages, configured),
            None => ParkedState::written(base.dump().cloned()),
        };
        let written = parked_state(&base);
        let written_before = before.as_ref().map_or(ParkedState::New, parked_state);
        let script = before.as_ref().zip(execution);
        let script = script.map(|(before, execution)| Script {
            waiting: execution.waiting,
            open: execution.open,
            model_calls_before: execution.began.model_calls,
            tokens: execution.began.tokens,
            elapsed: execution.began.since.elapsed(),
            underway,
            clock_before: before.clock.clone(),
            random_before: before.random.clone(),
            price_before: before.price,
            live_bytes: execution.live_bytes,
        });
        let counts = state.counts;
        let mut durable = self.durable.clone();
        if script.is_none() {
            // Who restores it gives those of the next execution.
            durable.settle_contexts();
        }
        let caller = &self.settings.caller;
        let parked = Parked {
            origin: Origin::here(&self.settings.sandbox).of(&written, &written_before),
            body: Body {
                id: caller.session.clone(),
                user: caller.user.clone(),
                trace_id: caller.trace_id.clone(),
                seed: self.seed,
                start: self.start,
                follows_time: self.follows_time(),
                limits: self.settings.limits.clone(),
                profile: self.settings.whole_profile.as_ref().clone(),
                durable,
                contexts,
                default_context,
                clock: base.clock,
                random: base.random,
                price: base.price,
                counts,
                script,
                own_time: None,
            },
            state: written,
            before: written_before,
            body_memory: 0,
            contexts: Contexts::default(),
            pending: Contexts::default(),
            is_foreign: false,
        };
        // What a script that waits holds on the host can be more than is read again.
        if parked.body.script.is_some()
            && !serde_json::to_string(&parked.body).is_ok_and(|body| is_readable_body(&body))
        {
            return Err(Error::new(
                ErrorKind::Limit,
                "the calls of the script that waits, and their answers, have more values than a parked session may have; let \
                 the script go on first",
            ));
        }
        Ok(parked)
    }
}

impl Parked {
    /// Returns the bytes of the contexts that it holds.
    pub fn context_bytes(&self) -> u64 {
        let all = self.contexts.all().chain(self.pending.all());
        all.map(|(context, _)| context.size_bytes()).sum()
    }

    /// Returns the bytes of the session's state before they are packed, without contexts.
    pub fn state_bytes(&self) -> u64 {
        self.state.size_bytes() + self.before.size_bytes()
    }

    /// Returns the bytes that mapping the pages of a snapshot takes that was read from bytes, twice while it is restored. Its
    /// bytes can be far fewer: of what is part of a context they hold the name.
    pub fn mapped_bytes(&self) -> u64 {
        self.state.mapped_bytes() + self.before.mapped_bytes()
    }

    /// Returns the limits of the session.
    pub fn limits(&self) -> &Limits {
        &self.body.limits
    }

    /// Changes the limits that the session has when it is restored.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) while a script waits, which ends under those that it began with, and
    /// for another [`Limits::recursion`], which is a part of the interpreter's state.
    pub fn with_limits(mut self, mut limits: Limits) -> Result<Self> {
        if limits == self.body.limits {
            return Ok(self);
        }
        if self.is_waiting() {
            return Err(Error::usage(
                "a script waits in the parked session, and ends under the limits that it began with; change them later",
            ));
        }
        if limits.recursion != self.body.limits.recursion {
            return Err(Error::usage(
                "a parked session keeps its recursion limit; leave that out",
            ));
        }
        let (before, now) = (&self.body.limits, &mut limits);
        if (before.time, before.fuel) != (now.time, now.fuel) {
            now.fuel_of_time = None;
            now.settle_fuel();
        }
        self.body.limits = limits;
        Ok(self)
    }

    /// Changes each context that it holds, as to count its memory.
    ///
    /// # Errors
    ///
    /// The errors of `change`.
    #[doc(hidden)]
    pub fn map_contexts<E>(
        mut self,
        mut change: impl FnMut(Context) -> std::result::Result<Context, E>,
    ) -> std::result::Result<Self, E> {
        self.contexts = self.contexts.try_map(&mut change)?;
        self.pending = self.pending.try_map(&mut change)?;
        Ok(self)
    }

    /// Returns the session without its contexts: who restores it gives them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if contexts were changed while a script of the session waits, which reads
    /// others than the next one: nothing could restore it.
    pub fn without_contexts(mut self) -> Result<Self> {
        if self.body.durable.contexts_changed() {
            return Err(Error::usage(CONTEXTS_CHANGED));
        }
        self.contexts = Contexts::default();
        self.pending = Contexts::default();
        Ok(self)
    }

    /// Returns the memory of what is known of the session for all its life, at most, if it was read.
    fn described_bytes(&self) -> u64 {
        if self.body_memory == 0 {
            return 0;
        }
        let body = &self.body;
        let profile = serde_json::to_vec(&body.profile).unwrap_or_default();
        let texts = [&body.user, &body.trace_id].into_iter().flatten();
        let texts = body.id.len() + texts.map(String::len).sum::<usize>();
        kept_bytes::of_json(&profile).saturating_add(texts as u64)
    }

    /// Returns whether it is of the session that a journal is of.
    pub(crate) fn is_of(&self, header: &Header) -> bool {
        let body = &self.body;
        (body.id.as_str(), body.seed, body.start)
            == (&header.session, header.seed.0, header.start.0)
            && body.limits == header.limits
    }
}

const CONTEXTS_CHANGED: &str = "contexts were changed while a script of the session waits; park it with its contexts, or when the \
     script has ended";

impl SessionBuilder {
    /// Takes up a session that was [parked](Session::park), with the handlers,
    /// contexts, histories and listener of this builder. Id, seed, clock, profile
    /// and limits are those of the parked session. Contexts that it
    /// [holds](Session::park_with_contexts) stay if this builder has none, and are
    /// replaced by those of the builder, from the next exec on, if it has some. One that
    /// it does not hold is given again, as it was or grown at its end.
    ///
    /// If a script waits in it, [`Session::finish`] or [`Session::resume`] goes
    /// on with it; its calls are started again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) as [`open`](Self::open), and if a context that the
    /// session had, and does not hold, is missing or has another content.
    pub fn restore(mut self, parked: &Parked) -> Result<Session> {
        let given = Contexts {
            files: std::mem::take(&mut self.contexts),
            graph_input: self.graph_input.take(),
        };
        let held = &parked.contexts;
        let changed = parked.body.durable.contexts_changed();
        if changed && held.is_empty() && parked.pending.is_empty() {
            return Err(Error::usage(CONTEXTS_CHANGED));
        }
        let (own, replacing) = if changed && given.is_empty() {
            (held.clone(), Some(parked.pending.clone()))
        } else if changed {
            (held.clone(), Some(given))
        } else if given.are_those_of(&parked.body) {
            (given, None)
        } else if !held.is_empty() {
            (held.clone(), (!given.is_empty()).then_some(given))
        } else if let Some(beginnings) = given.beginnings(&parked.body) {
            (beginnings, Some(given))
        } else {
            // Refused below, by the name of the context that does not fit.
            (given, None)
        };
        (self.contexts, self.graph_input) = (own.files, own.graph_input);
        let mut written = match self.tape.is_some() && parked.is_pages() {
            true => Some(self.written(parked)?),
            false => None,
        };
        if changed {
            // A recording has the change as an event.
            let written = written.get_or_insert_with(|| parked.clone());
            written.body.durable.settle_contexts();
        }
        let mut session = self.restore_with_own(written.as_ref().unwrap_or(parked))?;
        if let Some(given) = replacing {
            session.set_contexts(given.files)?;
            session.settings.graph_input = given.graph_input;
        }
        Ok(session)
    }

    /// Returns a snapshot as its interpreter writes it: a recording begins with nothing else, since its author could make pages up.
    /// The interpreter runs beside those that are admitted, so that nothing need be waited for.
    fn written(&self, parked: &Parked) -> Result<Parked> {
        let mut builder = self.clone();
        builder.tape = None;
        let mut session = builder.restore_with_own(parked)?;
        let checkpoint = session.checkpoint.clone();
        let before = session.doing.before().cloned();
        let mut flat = |checkpoint| block_on(Box::pin(session.flatten(checkpoint, false)));
        let state = flat(checkpoint)?;
        let before = before.map(flat).transpose()?;
        let mut written = parked.clone();
        written.origin.form = Form::Written;
        written.body.price = state.price;
        if let (Some(script), Some(before)) = (&mut written.body.script, &before) {
            script.price_before = before.price;
        }
        written.state = ParkedState::written(state.dump().cloned());
        let before = before.and_then(|before| before.dump().cloned());
        written.before = ParkedState::written(before);
        Ok(written)
    }

    /// Takes up a parked session with the contexts of this builder.
    fn restore_with_own(mut self, parked: &Parked) -> Result<Session> {
        let here = Origin::here(&self.sandbox);
        if parked.origin.configuration != here.configuration {
            return Err(Error::new(
                ErrorKind::Parked,
                "the session was parked under another metering; restore it in a sandbox with the same",
            ));
        }
        if parked.is_pages() {
            if !self.sandbox.has_pages() {
                return Err(no_pages());
            }
            if parked.origin.guest != here.guest {
                return Err(Error::new(
                    ErrorKind::Parked,
                    "the session is a snapshot of another interpreter; restore it in a sandbox with the same",
                ));
            }
        }
        let body = &parked.body;
        // In a replay the journal's header knows better which names there were.
        if !self.names_as_given {
            let mut profile = body.profile.clone();
            profile.limits = body.limits.clone();
            self = self.profile(profile);
        }
        self.limits = body.limits.clone();
        self.seed = Some(body.seed);
        (self.start, self.follows_time) = (Some(body.start), Some(body.follows_time));
        self = self.id(&body.id);
        if let (None, Some(user)) = (&self.caller.user, &body.user) {
            self = self.user(user);
        }
        if let (None, Some(trace_id)) = (&self.caller.trace_id, &body.trace_id) {
            self = self.trace_id(trace_id);
        }
        let mut session = self.open_from(Some(parked))?;
        session.is_foreign = parked.is_foreign;
        session.restored.set(parked.body_memory);
        session.check_kept()?;
        session.described.set(parked.described_bytes());
        let contexts = session.readable();
        let have = digests(&contexts);
        let known: BTreeSet<_> = have.iter().collect();
        for wanted in &body.contexts {
            if !known.contains(wanted) {
                let name = &wanted.0;
                return Err(Error::usage(if contexts.contains_key(name.as_str()) {
                    format!("context `{name}` has another content than when the session was parked")
                } else {
                    format!("the parked session had a context `{name}`; add it again")
                }));
            }
        }
        let settings = &session.settings;
        let had = body.had(&settings.contexts, settings.graph_input.as_ref(), &contexts);
        session.durable = body.durable.clone();
        match had {
            true => session.durable.settle_contexts(),
            false => session.durable.change_contexts(),
        }
        session.durable.count_contexts(footprint(&contexts));
        let state = session.state();
        state.counts = body.counts;
        state.starts_handlers = false;
        let (stored, kept) = parked.state.stored(&session.settings.sandbox, &contexts)?;
        session.checkpoint = Checkpoint::from(Base {
            kept,
            stored,
            clock: body.clock.clone(),
            random: body.random.clone(),
            price: match parked.is_foreign {
                // It is known once it was loaded here.
                true => Some(Price::written(0, body.durable.live_bytes)),
                false => body.price,
            },
            contexts: Arc::clone(&contexts),
        });
        if let Some(script) = &body.script {
            session.take_up(script, &parked.before, contexts)?;
        }
        session.carry_calls();
        session.check_kept()?;
        Ok(session)
    }
}

impl Session {
    fn take_up(&mut self, script: &Script, before: &ParkedState, contexts: Readable) -> Result<()> {
        let (stored, kept) = before.stored(&self.settings.sandbox, &contexts)?;
        let before = Box::new(Checkpoint::from(Base {
            kept,
            stored,
            clock: script.clock_before.clone(),
            random: script.random_before.clone(),
            price: script.price_before,
            contexts,
        }));
        let now = std::time::Instant::now();
        self.doing = SessionState::Suspended(Execution {
            began: Began {
                since: now.checked_sub(script.elapsed).unwrap_or(now),
                model_calls: script.model_calls_before,
                tokens: script.tokens,
            },
            waiting: script.waiting.clone(),
            open: script.open.clone(),
            live_bytes: script.live_bytes,
            before: Some(before),
        });
        self.take_over(script.underway.clone())
    }
}
