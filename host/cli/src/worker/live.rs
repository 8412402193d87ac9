//! A session of a worker, and what is asked of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rlm_sandbox::{
    Answer as Told, CancelHandle, Cassette, Context, Journal, Name, Parked, ReaderLimits, Record,
    Recording, Sandbox, Session, SessionBuilder,
};
use serde_json::Value as Json;

use super::blocking;
use super::parts::{History, Supplies, contexts, duration, limits, profile, time};
use super::protocol::{
    AnswerGiven, CallSaid, Done, Exec, Get, Got, Import, Instructed, Instructions, JournalPlace,
    Open, Opened, ParkedSaid, Ran, RecordMode, Register, Restore, Resume, Set, StepSaid, Values,
    Variables, VariablesSaid, WaitingSaid,
};
use super::said;
use crate::memory::{self, Full, JournalShare, Memory};
use crate::saved;
use crate::wire::{Answer, Failure, Message, Peer, answered};

type Result<T> = std::result::Result<T, Failure>;

/// The requests that a session serves, besides those that make or end one.
pub(super) const METHODS: [&str; 17] = [
    "exec",
    "step",
    "resume",
    "finish",
    "set",
    "get",
    "variables",
    "export",
    "import",
    "park",
    "fork",
    "register",
    "reset",
    "instructions",
    "stats",
    "waiting",
    "cancel",
];
/// Those that run scripts.
pub(super) const SCRIPTS: [&str; 4] = ["exec", "step", "resume", "finish"];

/// A session, with what it takes to make another one like it.
pub(super) struct Live {
    sandbox: Arc<Sandbox>,
    /// The memory of all contexts of the worker.
    memory: Arc<Memory>,
    supplies: Supplies,
    session: Session,
    /// Whether a journal follows what it does.
    is_taped: bool,
    /// The memory of the journal that it plays, or of contexts beside the one it came from.
    journal: Option<Arc<JournalShare>>,
    /// Compute time of a script that has no other.
    time: Duration,
}

impl Live {
    pub(super) async fn open(
        sandbox: Arc<Sandbox>,
        memory: Arc<Memory>,
        reader: &ReaderLimits,
        peer: Peer,
        name: String,
        open: Open,
    ) -> Result<Self> {
        let mut profile = profile(open.profile.as_ref())?;
        profile.eval |= open.allow_eval;
        let limits = limits(&profile.limits, open.limits)?;
        let mut builder = sandbox.session().profile(profile).limits(limits);
        if let Some(seed) = open.seed {
            builder = builder.seed(seed);
        }
        if let Some(start) = open.start {
            builder = builder.start_time(time(start)?);
        }
        if let Some(id) = open.id {
            builder = builder.id(id);
        }
        let is_taped = open.record.is_some() || open.cassette.is_some();
        let mut journal = None;
        if let Some(cassette) = open.cassette {
            let record = match cassette.record {
                RecordMode::Once => Record::Once,
                RecordMode::None => Record::None,
                RecordMode::New => Record::New,
                RecordMode::All => Record::All,
            };
            let (memory, reader) = (Arc::clone(&memory), reader.clone());
            let opened = blocking(move || {
                let share = JournalShare::of_text(&memory, cassette.path.as_ref(), &reader)?;
                let opened = Cassette::open_with(cassette.path, record, share.reader_limits())?;
                Ok::<_, anyhow::Error>((opened, share))
            });
            let (opened, share) = opened.await??;
            journal = Some(Arc::new(share));
            builder = builder.cassette(&opened);
        }
        let (contexts, variables) = beginning(open.values, &memory).await?;
        let histories = History::all(open.histories, &memory)?;
        let supplies = Supplies::new(peer, name, contexts, histories, open.handlers).await?;
        // Last, so that what is refused before leaves no file.
        if let Some(path) = open.record {
            builder = builder.record(&Recording::create(path)?);
        }
        let session = supplies.attach(builder, open.outputs.as_deref()).open()?;
        let live = Self {
            time: session.limits().time,
            sandbox,
            memory,
            supplies,
            session,
            is_taped,
            journal,
        };
        live.with(variables)
    }

    pub(super) async fn restore(
        sandbox: Arc<Sandbox>,
        memory: Arc<Memory>,
        reader: &ReaderLimits,
        peer: Peer,
        name: String,
        restore: Restore,
    ) -> Result<Self> {
        let (contexts, variables) = beginning(restore.values, &memory).await?;
        let histories = History::all(restore.histories, &memory)?;
        let supplies =
            Supplies::new(peer.clone(), name, contexts, histories, restore.handlers).await?;
        let builder = supplies.attach(sandbox.session(), restore.outputs.as_deref());
        let (session, journal) = match (restore.parked, &restore.journal) {
            (Some(parked), None) => {
                let bytes = BASE64_STANDARD.decode(parked);
                let bytes = bytes.map_err(|_| Failure::usage("`parked` is not base64"))?;
                let parked = Parked::from_bytes(&sandbox, &bytes, &key(&peer)?)?;
                (builder.restore(&parked)?, None)
            }
            (None, Some(place)) => {
                let (path, all) = (PathBuf::from(&place.path), Arc::clone(&memory));
                let limits = reader.clone();
                let of_data = blocking(move || JournalShare::of_data(&all, &path, &limits));
                let of_data = of_data.await??;
                let (journal, _share) =
                    open_journal(place.path.clone().into(), &memory, reader).await?;
                let session = from_journal(&journal, place, restore.record, builder).await?;
                (session, Some(Arc::new(of_data)))
            }
            _ => {
                return Err(Failure::usage(
                    "give either `parked` or `journal` to take a session up from",
                ));
            }
        };
        // With those of the journal, for forks and other handlers.
        let supplies = Supplies {
            contexts: session.contexts().to_vec(),
            ..supplies
        };
        let live = Self {
            time: session.limits().time,
            sandbox,
            memory,
            supplies,
            session,
            is_taped: restore.record,
            journal,
        };
        live.with(variables)
    }

    /// Binds the variables that it begins with.
    fn with(mut self, variables: BTreeMap<String, Json>) -> Result<Self> {
        self.bind(variables)?;
        Ok(self)
    }

    /// Carries out a request that has to do with no other session.
    pub(super) async fn serve(&mut self, message: &Message) -> Answer {
        self.end_timeout(&message.method);
        match message.method.as_str() {
            "exec" => answered(self.exec(message.read()?).await?),
            "step" => answered(self.step(message.read()?).await?),
            "resume" => answered(self.resume(message.read()?).await?),
            "finish" => answered(self.finish().await?),
            "set" => answered(self.set(message.read()?).await?),
            "get" => answered(self.get(message.read()?).await?),
            "variables" => answered(self.variables(message.read()?).await?),
            "export" => answered(self.session.export().await?),
            "import" => answered(self.import(message.read()?)?),
            "park" => answered(self.park().await?),
            "cancel" => answered(self.give_up().await?),
            "reset" => answered(self.session.reset().map(|()| Done {})?),
            "stats" => answered(self.session.stats()),
            "waiting" => answered(WaitingSaid {
                waiting: self.waiting(),
            }),
            _ => answered(self.instructions(&message.read()?)),
        }
    }

    pub(super) fn opened(&mut self) -> Opened {
        Opened {
            session: self.supplies.name.clone(),
            id: self.session.id().to_owned(),
            seed: self.session.seed(),
            waiting: self.waiting(),
        }
    }

    fn waiting(&mut self) -> Vec<CallSaid> {
        let calls = self.session.waiting_calls();
        calls.into_iter().map(said::call).collect()
    }

    pub(super) fn cancel_handle(&self) -> CancelHandle {
        self.session.cancel_handle()
    }

    async fn exec(&mut self, exec: Exec) -> Result<Ran> {
        self.limit_time(exec.timeout)?;
        let outcome = self.session.exec(&exec.code).await?;
        let outcome = said::outcome(&mut self.session, outcome, exec.report).await?;
        Ok(Ran { outcome })
    }

    /// Ends the script that waits, if one does; what ran has ended by now.
    async fn give_up(&mut self) -> Result<Done> {
        if self.session.is_waiting() {
            self.session.abandon().await?;
        }
        Ok(Done {})
    }

    async fn finish(&mut self) -> Result<Ran> {
        let outcome = self.session.finish().await?;
        let outcome = said::outcome(&mut self.session, outcome, false).await?;
        Ok(Ran { outcome })
    }

    async fn step(&mut self, exec: Exec) -> Result<StepSaid> {
        self.limit_time(exec.timeout)?;
        let step = self.session.step(&exec.code).await?;
        said::step(&mut self.session, step, exec.report).await
    }

    async fn resume(&mut self, resume: Resume) -> Result<StepSaid> {
        let answers = resume.answers.into_iter().map(answer);
        let answers = answers.collect::<Result<Vec<_>>>()?;
        let step = self.session.resume(answers).await?;
        said::step(&mut self.session, step, resume.report).await
    }

    async fn set(&mut self, set: Set) -> Result<Done> {
        // Whatever may be refused comes first.
        let specs = Arc::new(set.values.contexts);
        let contexts = match contexts(Arc::clone(&specs), &self.memory).await {
            // Contexts that were taken away may still be there.
            Err(error) if error.is::<Full>() => {
                memory::free(&mut self.session).await;
                contexts(specs, &self.memory).await
            }
            read => read,
        }?;
        for name in &set.values.without {
            let mut known = self.supplies.contexts.iter();
            if !known.any(|context| context.name() == name) {
                return Err(Failure::usage(format!("no context is named `{name}`")));
            }
        }
        let mut histories = Vec::new();
        let mut numbers = self.supplies.histories.len();
        for (number, messages) in set.histories {
            if numbers == 0 || number > numbers {
                return Err(Failure::usage(format!(
                    "there is no history {number}; the session has {numbers}, and the first has to be given when it is opened"
                )));
            }
            numbers = numbers.max(number + 1);
            histories.push((number, History::new(number, messages, &self.memory)?));
        }
        let before = self.supplies.contexts.clone();
        if let Err(failure) = self.change(set.values.variables, &set.values.without, contexts) {
            self.put_back(before)?;
            return Err(failure);
        }
        for (number, history) in histories {
            self.session.set_history(number, history.messages())?;
            let histories = &mut self.supplies.histories;
            match histories.get_mut(number) {
                Some(old) => *old = history,
                None => histories.push(history),
            }
        }
        Ok(Done {})
    }

    /// Changes contexts, and binds all of the variables or none.
    fn change(
        &mut self,
        variables: BTreeMap<String, Json>,
        without: &[String],
        contexts: Vec<Context>,
    ) -> Result<()> {
        let variables = self.put_context_variable(variables)?;
        for name in without {
            self.take_away(name);
        }
        for context in contexts {
            self.put(context)?;
        }
        Ok(self.session.set_all(variables)?)
    }

    /// Gives the session the contexts that it had.
    fn put_back(&mut self, before: Vec<Context>) -> Result<()> {
        for context in self.supplies.contexts.clone() {
            self.take_away(context.name());
        }
        before.into_iter().try_for_each(|context| self.put(context))
    }

    async fn get(&mut self, get: Get) -> Result<Got> {
        let value = self.session.get(&get.name).await?;
        Ok(Got {
            value: value.map(said::value),
        })
    }

    async fn variables(&mut self, variables: Variables) -> Result<VariablesSaid> {
        let found = self.session.variables(variables.look()).await?;
        Ok(VariablesSaid {
            variables: found.into_iter().map(said::variable).collect(),
        })
    }

    fn import(&mut self, import: Import) -> Result<Done> {
        let portable = serde_json::from_value(import.portable).map_err(|error| {
            Failure::usage(format!("`portable` is not what export gives: {error}"))
        })?;
        self.session.import(&portable)?;
        Ok(Done {})
    }

    async fn park(&mut self) -> Result<ParkedSaid> {
        let parked = self.session.park().await?;
        Ok(ParkedSaid {
            parked: BASE64_STANDARD.encode(parked.to_bytes(&key(&self.supplies.peer)?)),
            waiting: parked.is_waiting(),
        })
    }

    pub(super) async fn fork(&mut self, name: String) -> Result<Self> {
        let histories = self.supplies.histories.iter().enumerate();
        let histories = histories.map(|(number, history)| history.of_fork(number, &self.memory));
        // The handlers of the other one tell whose they are.
        let supplies = Supplies {
            name,
            histories: histories.collect::<std::result::Result<_, _>>()?,
            ..self.supplies.clone()
        };
        let parked = self.session.fork().await?.park().await?;
        let builder = supplies.attach(self.sandbox.session(), None);
        Ok(Self {
            sandbox: Arc::clone(&self.sandbox),
            memory: Arc::clone(&self.memory),
            supplies,
            session: builder.restore(&parked)?,
            is_taped: false,
            journal: self.journal.clone(),
            time: self.time,
        })
    }

    /// Goes on in a session with other handlers.
    pub(super) async fn register(&mut self, register: Register) -> Result<()> {
        if self.is_taped {
            return Err(Failure::usage(
                "a session that a journal follows keeps its functions; give all of them to `open`",
            ));
        }
        let supplies = Supplies {
            handlers: register.handlers,
            ..self.supplies.clone()
        };
        let builder = supplies.attach(self.sandbox.session(), register.outputs.as_deref());
        let parked = self.session.park().await?;
        self.session = builder.restore(&parked)?;
        self.supplies = supplies;
        Ok(())
    }

    fn instructions(&self, wanted: &Instructions) -> Instructed {
        Instructed {
            text: match wanted.short {
                true => self.session.short_instructions(),
                false => self.session.instructions(),
            },
        }
    }

    /// Binds variables; `context` is a context where the profile says what that is.
    fn bind(&mut self, variables: BTreeMap<String, Json>) -> Result<()> {
        let variables = self.put_context_variable(variables)?;
        Ok(self.session.set_all(variables)?)
    }

    /// Makes a context of the variable `context` where the profile says what that is, and
    /// returns the other variables.
    fn put_context_variable(
        &mut self,
        mut variables: BTreeMap<String, Json>,
    ) -> Result<BTreeMap<String, Json>> {
        const NAME: &str = "context";
        if self.session.profile().defines(Name::Context)
            && let Some(value) = variables.remove(NAME)
        {
            let context = match value {
                Json::String(text) => Context::text(NAME, text),
                value => Context::json(NAME, value.to_string())?,
            };
            let context = self.memory.admit(context.field(NAME))?;
            self.put(context)?;
        }
        Ok(variables)
    }

    /// Adds a context, or replaces the one of its name.
    fn put(&mut self, context: Context) -> Result<()> {
        self.take_away(context.name());
        self.session.add_context(context.clone())?;
        self.supplies.contexts.push(context);
        Ok(())
    }

    fn take_away(&mut self, name: &str) {
        self.session.remove_context(name);
        let contexts = &mut self.supplies.contexts;
        contexts.retain(|other| other.name() != name);
    }

    /// Takes back the `timeout` of an earlier request, unless the script that it came with
    /// waits, or this request brings a time itself.
    pub(super) fn end_timeout(&mut self, method: &str) {
        if !self.session.is_waiting() && !SCRIPTS.contains(&method) {
            self.session.set_time_limit(self.time);
        }
    }

    /// Sets the time of the script that comes next.
    fn limit_time(&mut self, timeout: Option<f64>) -> Result<()> {
        let time = timeout.map_or(Ok(self.time), duration)?;
        self.session.set_time_limit(time);
        Ok(())
    }
}

/// Returns the key of snapshots. The reason why there is none has paths of this machine, so it goes
/// to the operator alone.
fn key(peer: &Peer) -> Result<Vec<u8>> {
    saved::key().map_err(|error| {
        peer.tell_operator(&format!("error: {error:#}\n"));
        Failure::usage(
            "the worker cannot use its key for snapshots; its operator finds the reason on its standard error",
        )
    })
}

/// The contexts and variables that a session begins with.
async fn beginning(
    values: Values,
    memory: &Arc<Memory>,
) -> Result<(Vec<Context>, BTreeMap<String, Json>)> {
    match values.without.as_slice() {
        [] => Ok((
            contexts(Arc::new(values.contexts), memory).await?,
            values.variables,
        )),
        _ => Err(Failure::usage(
            "`without` is for `set`; leave such a context out of `contexts`",
        )),
    }
}

async fn from_journal(
    journal: &Journal,
    place: &JournalPlace,
    record: bool,
    builder: SessionBuilder,
) -> Result<Session> {
    Ok(match (place.exec, place.call, record) {
        (Some(exec), None, false) => journal.until(exec, builder).await?,
        (None, Some(call), false) => journal.until_call(call, builder).await?,
        (None, None, true) => journal.rebuild(builder).await?,
        (None, None, false) => journal.until(u64::MAX, builder).await?,
        (_, _, true) => {
            return Err(Failure::usage(
                "a journal is gone on with at its end; leave `exec`, `call` or `record` out",
            ));
        }
        _ => return Err(Failure::usage("give `exec` or `call`, not both")),
    })
}

/// Opens a journal on a thread that may wait, with the memory that its lines take.
pub(super) async fn open_journal(
    path: PathBuf,
    memory: &Arc<Memory>,
    reader: &ReaderLimits,
) -> Result<(Journal, JournalShare)> {
    let (memory, reader) = (Arc::clone(memory), reader.clone());
    let opened = blocking(move || {
        let share = JournalShare::of_text(&memory, &path, &reader)?;
        let journal = Journal::open_with(path, share.reader_limits())?;
        Ok::<_, anyhow::Error>((journal, share))
    });
    Ok(opened.await??)
}

fn answer(given: AnswerGiven) -> Result<(u64, Told)> {
    let answer = match (given.value, given.error) {
        (value, None) => Told::Returned(value.unwrap_or_default()),
        (None, Some(error)) => Told::error(error.kind, error.message),
        (Some(_), Some(_)) => {
            return Err(Failure::usage(format!(
                "the answer to call {} is a value or an error, not both",
                given.ticket
            )));
        }
    };
    Ok((given.ticket, answer))
}
