//! Sessions of a worker in processes of their own.
//!
//! The worker starts a process for each session and passes on what its client asks, in order, and what the session asks of the
//! client. The process is a worker of one session, which seals itself when the session is open.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read};
use std::pin::Pin;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rlm_sandbox::Parked;
use rlm_sandbox_files::Links;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{AbortHandle, JoinSet};

use super::cancellation::Cancellation;
use super::live::key;
use super::method::{InSession, Served};
use super::parts::check_plugins;
use super::protocol::{
    CallSaid, Done, Handlers, JournalPlace, Opened, ToolSpec, Validated, Values,
};
use super::said::is_plain;
use super::{LONG_BYTES, Mailbox, Worker, answers, blocking};
use crate::isolation::{Child, Input, PIPE_KEY, Role};
use crate::memory::Memory;
use crate::plugin;
use crate::subprocess::on_starter;
use crate::terminal::Terminal;
use crate::wire::{
    Answer, Failure, GIVEN_UP, GivenUp, INTERNAL_ERROR, INVALID_PARAMS, Message, MessageOptions,
    Peer, Question, Replied, Wire, answered, healed, replied, unless_it_panics,
};

/// Bytes of the longest message of a session's process, and of what waits to be read by one.
const MESSAGE_BYTES: u64 = 256 << 20;
/// Bytes of the longest request.
const REQUEST_BYTES: u64 = MESSAGE_BYTES / 2;
/// Bytes of all files of one `set`.
const FILES_BYTES: u64 = 64 << 20;
/// Requests `set` whose files are read at the same time, of all sessions.
static READINGS: Semaphore = Semaphore::const_new(2);
/// Bytes of the longest answer.
pub(super) const ANSWER_BYTES: u64 = MESSAGE_BYTES - (64 << 10);
/// Bytes of the calls of one process that have no answer yet: what a script may have open by default, and the messages around it.
const CALLS_BYTES: u64 = 160 << 20;
/// Bytes that a session prints without a pause.
const PRINTED_AT_ONCE: u64 = 8 << 20;
/// Bytes that a session may print for each microsecond.
const PRINTED_BYTES: u64 = 8;
/// Bytes that a message counts for besides its own.
const MESSAGE: u64 = 256;
/// Returns the limits on messages to the process of a session.
pub(super) fn messages() -> MessageOptions {
    MessageOptions::of_child(MESSAGE_BYTES, 2 * MESSAGE_BYTES)
}

/// The process of a session.
pub(super) struct Isolated {
    name: String,
    child: Child,
    /// Asks the process.
    peer: Peer,
    input: Input,
    /// Handlers that the client named for the session.
    known: Known,
    cancels: Cancels,
}

/// Cancellations of a session: those that came, and those that were passed on to its process. An answer of the client is passed
/// on behind those that came before it.
#[derive(Clone, Default)]
pub(super) struct Cancels(Arc<Cancellations>);

#[derive(Default)]
struct Cancellations {
    came: AtomicU64,
    passed_on: watch::Sender<u64>,
}

impl Cancels {
    /// Notes one that came, before anything that comes later is looked at.
    pub(super) fn came(&self) {
        self.0.came.fetch_add(1, Ordering::AcqRel);
    }

    /// Notes that one was passed on.
    fn passed_on(&self) {
        self.0
            .passed_on
            .send_modify(|count| *count = count.saturating_add(1));
    }

    /// Notes that no more are passed on.
    fn end(&self) {
        self.0.passed_on.send_replace(u64::MAX);
    }

    /// Waits until all that came by now are passed on.
    async fn settled(&self) {
        let came = self.0.came.load(Ordering::Acquire);
        let mut passed_on = self.0.passed_on.subscribe();
        // The sender is there as long as this is.
        let _ = passed_on.wait_for(|count| *count >= came).await;
    }
}

impl Drop for Isolated {
    fn drop(&mut self) {
        // The process ends when it has read all of it; `Child::wait` kills it if that takes long.
        self.input.close();
    }
}

/// Request to the task of a session.
pub(super) enum Wanted {
    Request(InSession, Message),
    Close(Message),
}

impl Worker {
    /// Opens or restores a session in a process of its own.
    ///
    /// Keeps the handlers that the client named: a fork has the same plugins, and the worker passes on no call of another handler.
    pub(super) async fn open_isolated(
        self: &Arc<Self>,
        message: &Message,
        canceled: &Cancellation,
    ) -> Replied {
        let permit = self.permit()?;
        let turn = canceled.unless_canceled(self.turn(message)).await??;
        let made = async {
            let params = match message.method.as_str() {
                "restore" => {
                    let (params, peer) = (message.params(), self.peer.clone());
                    blocking(move || sealed_for_child(&params, &peer)).await??
                }
                _ => message.params(),
            };
            let known = Known::default();
            known.learn(message)?;
            self.make_isolated(&message.method, params, known, permit, canceled)
                .await
        };
        while_quick(turn, made).await
    }

    /// Parses code in a process of its own.
    pub(super) async fn validate_isolated(
        self: &Arc<Self>,
        message: &Message,
        canceled: &Cancellation,
    ) -> Replied {
        let _turn = canceled.unless_canceled(self.validations.acquire()).await?;
        let isolated = Isolated::start(self, self.name(), Known::default()).await?;
        let question = isolated
            .peer
            .begin("validate", short(message.params())?, MESSAGE_BYTES);
        // No request can close it, and it is done in two seconds: one that takes long was taken over by the text.
        let answered = within(&isolated.child, &isolated.input, isolated.answer(question));
        let answer = canceled.unless_canceled(answered).await.flatten();
        isolated.end().await;
        let validated = answers::anew::<Validated>(&answer?).ok_or_else(unlike_us)?;
        replied(validated)
    }

    async fn make_isolated(
        self: &Arc<Self>,
        method: &str,
        params: Box<RawValue>,
        known: Known,
        permit: OwnedSemaphorePermit,
        canceled: &Cancellation,
    ) -> Replied {
        let plugins = known.check_plugins().await?;
        /// Members of a request after which a session has files.
        #[derive(Deserialize)]
        struct Files {
            record: Option<IgnoredAny>,
            cassette: Option<IgnoredAny>,
        }
        // One that cannot be read is refused by the session.
        let leaves_files = serde_json::from_str::<Files>(params.get()).map_or(true, |files| {
            files.record.is_some() || files.cassette.is_some()
        });
        let isolated = Isolated::start(self, self.name(), known.clone()).await?;
        let question = isolated.peer.begin(method, short(params)?, MESSAGE_BYTES);
        let answer = {
            let mut answered = std::pin::pin!(isolated.answer(question));
            match canceled.unless_canceled(&mut answered).await {
                // Killed in the middle, it would leave a file or have removed one.
                Err(_) if leaves_files => within(&isolated.child, &isolated.input, answered).await,
                answer => answer.flatten(),
            }
        };
        let opened = answer.and_then(|answer| {
            // The answer goes to the client, so it has to name this session.
            let opened = serde_json::from_str::<Opened>(answer.get()).ok();
            let is_like_us =
                |opened: &Opened| opened.session == isolated.name && opened.branch.is_none();
            let opened = opened.filter(is_like_us);
            opened.ok_or_else(unlike_us)
        });
        known.handlers().digests = Some(plugins);
        let opened = match (opened, known.check_plugins().await) {
            (Ok(opened), Ok(_)) => opened,
            (Err(failure), _) | (_, Err(failure)) => {
                // Its places are free when it is gone, and with it what it compiles.
                isolated.end().await;
                return Err(failure);
            }
        };
        if !known.begin_waiting(&opened.waiting) {
            isolated.end().await;
            return Err(unlike_us());
        }
        let (requests, mut mail) = tokio::sync::mpsc::unbounded_channel();
        let cancels = isolated.cancels.clone();
        let mailbox = Mailbox::Isolated(requests, cancels.clone());
        self.sessions().insert(isolated.name.clone(), mailbox);
        let worker = Arc::clone(self);
        tokio::spawn(async move {
            let _permit = permit;
            let mut farewell = None;
            while let Some(wanted) = mail.recv().await {
                match wanted {
                    Wanted::Request(method, message) => {
                        isolated.pass_on(&worker, method, message).await
                    }
                    Wanted::Close(message) => {
                        let closed = isolated
                            .peer
                            .begin("close", message.params(), MESSAGE_BYTES);
                        // A session that is lost is closed, too.
                        let (child, input) = (&isolated.child, &isolated.input);
                        let _ = within(child, input, closed.answer()).await;
                        farewell = Some(message);
                        break;
                    }
                }
            }
            cancels.end();
            let child = isolated.child.clone();
            drop(isolated);
            // Its recording is complete when it has ended.
            let _ = blocking(move || child.wait()).await;
            if let Some(message) = farewell {
                worker.tell(&message, replied(Done {}));
            }
        });
        replied(opened)
    }
}

impl Isolated {
    /// Starts the process of a session of this name.
    async fn start(worker: &Arc<Worker>, name: String, known: Known) -> Result<Self, Failure> {
        let not_started = |error: io::Error| {
            Failure::new(
                INTERNAL_ERROR,
                format!(
                    "cannot start an isolated process: {error}; it needs /proc and room for one more process and its threads"
                ),
            )
        };
        let mut command = Child::command(&Role::Session { name: name.clone() });
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let started = on_starter(move || {
            let mut process = command.spawn()?;
            let pipes = (process.stdin.take(), process.stdout.take());
            let stderr = process.stderr.take();
            Ok((Child::new(process), pipes, stderr))
        });
        let (child, (stdin, stdout), stderr) = started.await.map_err(not_started)?;
        if let Some(stderr) = stderr {
            let terminal = worker.terminal.clone();
            let thread = std::thread::Builder::new();
            let passed_on = thread.spawn(move || copy_to_operator(stderr, &terminal));
            if let Err(error) = passed_on {
                child.kill();
                return Err(not_started(error));
            }
        }
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(unlike_us());
        };
        let input = Input::of(stdin, child.clone(), MESSAGE_BYTES).map_err(not_started)?;
        let pipes: Terminal = worker
            .terminal
            .over(stdout, Arc::new(Mutex::new(input.clone())));
        let options = MessageOptions::of_child(MESSAGE_BYTES, CALLS_BYTES);
        let wire = Wire::new(&pipes, &options).map_err(not_started)?.strict();
        let peer = wire.peer();
        let cancels = Cancels::default();
        tokio::spawn(answer_to(
            wire,
            worker.peer.clone(),
            name.clone(),
            known.clone(),
            child.clone(),
            cancels.clone(),
        ));
        Ok(Self {
            name,
            child,
            peer,
            input,
            known,
            cancels,
        })
    }

    /// Ends the process of a request that makes no session, and returns when it is gone.
    async fn end(self) {
        self.child.kill();
        let child = self.child.clone();
        drop(self);
        let _ = blocking(move || child.wait()).await;
    }

    /// Waits for an answer, which has to be one that every client can read.
    async fn answer(&self, question: Question) -> Answer {
        plain(question.answer().await)
    }

    /// Passes a request on to the process, in its order, and its answer to the client.
    async fn pass_on(&self, worker: &Arc<Worker>, method: InSession, message: Message) {
        if method != super::CANCEL {
            self.input.room().await;
        }
        let mut naming = None;
        let params = match method {
            InSession::Register => self.known.learn(&message).map(|number| {
                naming = Some(number);
                message.params()
            }),
            InSession::Served(Served::Set) => {
                let (params, memory) = (message.params(), Arc::clone(&worker.memory));
                // Files are there several times while they become JSON.
                let _turn = READINGS.acquire().await;
                blocking(move || with_files_read(&params, &memory))
                    .await
                    .flatten()
            }
            _ => Ok(message.params()),
        };
        // All of this before the process hears of the request, which may be quicker than this thread: what its script may
        // call, and what a fork has.
        let known = self.known.clone();
        let calling = method.calls_handlers().then(|| known.begin_calls());
        let of_fork = (method == InSession::Fork).then(|| known.of_fork());
        // More than it takes would end the process.
        let params = params.and_then(short);
        let question = params.map(|params| self.peer.begin(&message.method, params, MESSAGE_BYTES));
        if method == super::CANCEL {
            self.cancels.passed_on();
        }
        let (worker, child, input) = (Arc::clone(worker), self.child.clone(), self.input.clone());
        tokio::spawn(async move {
            let (answer, _place) = match (question, method) {
                // What it was to end has ended long before.
                (Ok(question), super::CANCEL) => {
                    (within(&child, &input, question.answer()).await, None)
                }
                (Ok(question), _) => question.placed().await,
                (Err(failure), _) => (Err(failure), None),
            };
            let answered = async {
                // What it has asked for came before its answer.
                drop(calling);
                crate::wire::panic_if_wanted(&message.method);
                let peer = worker.peer.clone();
                if let Some(naming) = naming {
                    known.settle(naming, answer.is_ok());
                }
                let answer = answer.and_then(|answer| {
                    let rewritten =
                        answers::rewritten(method, &answer, |call| known.may_wait_for(call));
                    rewritten.filter(|_| is_plain(&answer)).ok_or_else(|| {
                        // No session says that.
                        child.kill();
                        unlike_us()
                    })
                });
                match (of_fork, answer) {
                    (Some((plugins, known)), Ok(handed_over)) => {
                        let named = known.clone();
                        let restore =
                            blocking(move || restored(&handed_over, plugins.to_vec(), &named));
                        let restore = restore.await.flatten();
                        let restore = restore.inspect_err(|_| child.kill())?;
                        Arc::clone(&worker).fork_isolated(restore, known).await
                    }
                    (None, Ok(parked)) if method == InSession::Served(Served::Park) => {
                        let sealed = blocking(move || sealed_for_client(&parked, &peer)).await;
                        sealed.flatten().and_then(replied)
                    }
                    (_, answer) => answer.and_then(replied),
                }
            };
            let answer = unless_it_panics(answered).await;
            let answer = answer.unwrap_or_else(super::panicked);
            let is_long = matches!(&answer, Ok(reply) if reply.json_bytes() > LONG_BYTES);
            worker.tell_aside(message, answer, is_long, None).await;
        });
    }
}

/// Time that a process may take to carry out a cancellation or to close its session, once it has read what came before.
const PATIENCE: Duration = Duration::from_secs(30);

/// Time between two looks whether a process has read anything.
const LOOK: Duration = Duration::from_millis(100);

/// Waits for an answer that comes soon, or ends the process.
async fn within(child: &Child, input: &Input, answer: impl Future<Output = Answer>) -> Answer {
    let mut answer = std::pin::pin!(answer);
    let (mut read, mut since) = (input.read(), Instant::now());
    while since.elapsed() < PATIENCE {
        if let Ok(answer) = tokio::time::timeout(LOOK, &mut answer).await {
            return answer;
        }
        let now = input.read();
        if now > read {
            (read, since) = (now, Instant::now());
        }
    }
    child.kill();
    // The question fails with the reason.
    answer.await
}

/// Makes a session in a turn that is given up if that takes long: a process that never answers holds up no others. The number
/// of sessions bounds these processes.
async fn while_quick<T>(turn: impl Send, made: impl Future<Output = T>) -> T {
    let mut made = std::pin::pin!(made);
    if let Ok(made) = tokio::time::timeout(PATIENCE, &mut made).await {
        return made;
    }
    drop(turn);
    made.await
}

/// Passes an answer on that every client can read.
fn plain(answer: Answer) -> Answer {
    match answer {
        Ok(answer) if !is_plain(&answer) => Err(unlike_us()),
        answer => answer,
    }
}

impl Worker {
    /// Takes up in another process what a session has handed over to be forked.
    fn fork_isolated(
        self: Arc<Self>,
        restore: Box<RawValue>,
        known: Known,
    ) -> Pin<Box<dyn Future<Output = Replied> + Send>> {
        Box::pin(async move {
            let permit = self.permit()?;
            // They may have to be compiled again.
            let loading = match known.has_plugins() {
                true => self.loading.acquire().await.ok(),
                false => None,
            };
            let never = self.cancelers.begin(None);
            let made = self.make_isolated("restore", restore, known, permit, &never);
            while_quick(loading, made).await
        })
    }
}

/// Passes on what a process asks of the client, until it ends. Fails the questions that it has not answered then.
async fn answer_to(
    mut wire: Wire,
    client: Peer,
    name: String,
    known: Known,
    child: Child,
    cancels: Cancels,
) {
    let peer = wire.peer();
    let mut asked = JoinSet::new();
    let mut waiting: HashMap<String, AbortHandle> = HashMap::new();
    let (mut is_like_us, mut printed) = (true, 0);
    while let Some(message) = wire.next().await {
        while let Some(answered) = asked.try_join_next() {
            if let Ok(Some(id)) = answered {
                waiting.remove(&id);
            }
        }
        if let (GIVEN_UP, None) = (message.method.as_str(), &message.id)
            && let Ok(GivenUp { id }) = message.read()
        {
            if let Some(question) = waiting.remove(&id) {
                question.abort();
            }
            continue;
        }
        let passed = match (message.method.as_str(), &message.id) {
            ("call", Some(_)) => typed::<Call>(&message, &name, &known),
            ("ask", Some(_)) => typed::<Ask>(&message, &name, &known),
            ("output", None) => typed::<Output>(&message, &name, &known),
            _ => None,
        };
        match (passed, &message.id) {
            (Some(params), Some(_)) => {
                // Asked in the order in which they came.
                let question = client.begin(&message.method, params, u64::MAX);
                let (peer, cancels) = (peer.clone(), cancels.clone());
                let id = message.id.as_deref().map(RawValue::get);
                let id = id.and_then(|id| serde_json::from_str::<String>(id).ok());
                let answered = id.clone();
                let task = asked.spawn(async move {
                    // It counts until it is answered or given up.
                    let message = message;
                    let answer = question.answer().await.and_then(short_answer);
                    cancels.settled().await;
                    peer.answer(message.id.as_deref(), answer);
                    answered
                });
                if let Some(id) = id {
                    waiting.insert(id, task);
                }
            }
            (Some(params), None) => {
                printed += params.get().len() as u64 + MESSAGE;
                client.notify("output", params);
                if printed >= PRINTED_AT_ONCE {
                    // Others write to the client, too.
                    tokio::time::sleep(Duration::from_micros(printed / PRINTED_BYTES)).await;
                    printed = 0;
                }
            }
            (None, _) => {
                is_like_us = false;
                break;
            }
        }
    }
    // It may go on with its pipe closed.
    let ends = child.clone();
    let ends = blocking(move || ends.ends_soon());
    if !is_like_us || !matches!(ends.await, Ok(Ok(Some(_)))) {
        client.tell_operator(&format!(
            "[the isolated process of session {name} sent what no session sends, and was ended]\n"
        ));
        child.kill();
    }
    drop(asked);
    let waited = child.clone();
    let ended = blocking(move || waited.wait()).await;
    let why = match ended {
        Ok(Ok(ended)) => ended.to_string(),
        Ok(Err(error)) => format!("the isolated process of the session is lost: {error}"),
        Err(failure) => failure.message,
    };
    peer.hang_up(Failure {
        data: Some(serde_json::json!({"kind": "lost"})),
        ..Failure::new(
            super::said::FAILED,
            format!("{why}; session {name} is lost, and no other one is concerned; close it, and open another one"),
        )
    });
}

/// Handlers of the client for a session, as `open`, `restore` or `register` named them.
#[derive(Clone, Default)]
struct Known(Arc<Mutex<KnownHandlers>>);

/// Members of `handlers` that name what a session may ask for.
#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedHandlers {
    tools: Vec<KnownTool>,
    plugins: Vec<String>,
    model: bool,
    depth: u32,
    stream: bool,
}

/// Handlers that a session may ask for.
#[derive(Clone, Default)]
struct KnownHandlers {
    /// Handlers of each request that named some and that the session has not refused.
    named: Vec<Named>,
    hasher: RandomState,
    /// Handlers of forks that were asked for, some of which no answer has settled yet.
    forks: Vec<Weak<Mutex<Self>>>,
    plugins: Arc<Vec<String>>,
    /// Hashes of tools that the client names no more, and that a script may wait for: it waited for them when it was
    /// restored, or a `register` has taken them away since. Of more than [`MOST_GONE`] those that came first are forgotten.
    gone: Arc<HashSet<u64>>,
    /// The digests of the plugins that the session has.
    digests: Option<Vec<[u8; 32]>>,
    /// True if the session is a fork, which the process of another one has handed over.
    is_fork: bool,
    /// Requests under way whose scripts call handlers: those that are driven by steps call none.
    calling: usize,
}

/// Handlers that one request named.
#[derive(Clone)]
struct Named {
    naming: Naming,
    /// Hashes of the names.
    tools: Arc<HashSet<u64>>,
    model: bool,
    depth: u32,
    stream: bool,
}

/// Names of tools that are kept after the client has replaced them.
const MOST_GONE: usize = 100_000;

impl KnownHandlers {
    /// Keeps names that the client has replaced.
    fn forget(&mut self, tools: &Arc<HashSet<u64>>) {
        if self.gone.is_empty() || self.gone.len() + tools.len() > MOST_GONE {
            self.gone = Arc::clone(tools);
        } else if !tools.is_subset(&self.gone) {
            Arc::make_mut(&mut self.gone).extend(tools.iter());
        }
    }

    /// Returns whether the session has a model, or, for a recursive prompt, one that is a session itself.
    fn may_ask(&self, recursive: bool) -> bool {
        self.named.iter().any(|named| match recursive {
            true => named.depth > 0,
            false => named.model,
        })
    }
}

/// Number of a request that named handlers, of all sessions.
type Naming = u64;

/// The next one.
static NAMINGS: AtomicU64 = AtomicU64::new(0);

#[derive(Clone, Deserialize)]
struct KnownTool {
    name: String,
}

impl Known {
    /// Reads the handlers of a request. Handlers that a session had may still be called until it
    /// has [taken](Self::settle) others.
    fn learn(&self, message: &Message) -> Result<Naming, Failure> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct WithHandlers {
            handlers: NamedHandlers,
        }
        let WithHandlers { handlers } = message.read()?;
        let mut known = self.handlers();
        let naming = NAMINGS.fetch_add(1, Ordering::Relaxed);
        let tools = handlers.tools.iter();
        let tools: HashSet<u64> = tools
            .map(|tool| known.hasher.hash_one(&tool.name))
            .collect();
        // Those that it was opened with stay.
        if message.method != "register" {
            known.plugins = Arc::new(handlers.plugins);
        }
        known.named.push(Named {
            naming,
            tools: Arc::new(tools),
            model: handlers.model,
            depth: handlers.depth,
            stream: handlers.stream,
        });
        Ok(naming)
    }

    /// Forgets the handlers that a session had before the request of this number, or those that it has refused. So do its
    /// forks that were asked for behind that request.
    fn settle(&self, naming: Naming, is_taken: bool) {
        let mut known = self.handlers();
        let is_there = known.named.iter().any(|named| named.naming == naming);
        if !is_there {
            return;
        }
        let forgets = |named: &Named| match is_taken {
            true => named.naming < naming,
            false => named.naming == naming,
        };
        let (forgotten, named): (Vec<_>, Vec<_>) = std::mem::take(&mut known.named)
            .into_iter()
            .partition(forgets);
        known.named = named;
        if is_taken {
            for named in forgotten {
                known.forget(&named.tools);
            }
        }
        let forks = known.forks.clone();
        drop(known);
        for fork in forks.iter().filter_map(Weak::upgrade) {
            Self(fork).settle(naming, is_taken);
        }
    }

    /// Returns the digests of the plugins, whose files are those that the session has, if it has any yet: a fork loads them
    /// again.
    async fn check_plugins(&self) -> Result<Vec<[u8; 32]>, Failure> {
        let (plugins, known) = {
            let handlers = self.handlers();
            (handlers.plugins.clone(), handlers.digests.clone())
        };
        if plugins.is_empty() {
            return Ok(Vec::new());
        }
        let digests = blocking(move || {
            // Before any is read.
            check_plugins(&plugins)?;
            plugin::digests(&plugins).map_err(Failure::from)
        });
        let digests = digests.await??;
        match known {
            Some(known) if known != digests => Err(Failure::usage(
                "the file of a plugin has changed since the session was opened; a fork would have another plugin, so open a \
                 new session",
            )),
            _ => Ok(digests),
        }
    }

    /// Lets the session wait for the calls that it began with, whose tools the client need not have named again. Returns false
    /// for a fork that waits for what the session that handed it over never had.
    fn begin_waiting(&self, calls: &[CallSaid]) -> bool {
        let is_fork = self.handlers().is_fork;
        if is_fork {
            return calls.iter().all(|call| self.may_wait_for(call));
        }
        let mut known = self.handlers();
        let tools = calls.iter().filter(|call| call.prompts.is_none());
        let names: HashSet<_> = tools
            .map(|call| known.hasher.hash_one(&call.name))
            .collect();
        known.forget(&Arc::new(names));
        true
    }

    /// Returns whether a process that says so may have these handlers: the client named them, and no others.
    fn may_have(&self, handlers: &Handlers) -> bool {
        let known = self.handlers();
        let is_named = |tool: &ToolSpec| {
            let name = known.hasher.hash_one(&tool.name);
            known.named.iter().any(|named| named.tools.contains(&name))
        };
        let mut named = known.named.iter();
        handlers.tools.iter().all(is_named)
            && (!handlers.model || named.clone().any(|named| named.model))
            && (!handlers.stream || named.clone().any(|named| named.stream))
            && (handlers.depth == 0 || named.any(|named| named.depth >= handlers.depth))
    }

    /// Returns whether a script of the session may wait for this call.
    fn may_wait_for(&self, call: &CallSaid) -> bool {
        let known = self.handlers();
        let name = known.hasher.hash_one(&call.name);
        match (&call.arguments, &call.prompts) {
            (Some(_), None) => {
                let of_plugin = !known.plugins.is_empty() && call.name.contains('.');
                let is_known = of_plugin || known.gone.contains(&name);
                is_known || known.named.iter().any(|named| named.tools.contains(&name))
            }
            // The driver of steps may bring a model that the session has not.
            (None, Some(_)) => call.name == model_name(call),
            _ => false,
        }
    }

    fn has_plugins(&self) -> bool {
        !self.handlers().plugins.is_empty()
    }

    /// Returns the plugins, and the same for a fork. A client may ask for many forks at once: names are shared, not copied.
    fn of_fork(&self) -> (Arc<Vec<String>>, Self) {
        let mut known = self.handlers();
        let mut fork = known.clone();
        (fork.calling, fork.forks, fork.is_fork) = (0, Vec::new(), true);
        let (plugins, fork) = (Arc::clone(&fork.plugins), Arc::new(Mutex::new(fork)));
        // Looked through when there is no room, so that many forks take no time in the square of their number.
        if known.forks.len() == known.forks.capacity() {
            known.forks.retain(|fork| fork.strong_count() > 0);
        }
        known.forks.push(Arc::downgrade(&fork));
        (plugins, Self(fork))
    }

    /// Lets the session call handlers until the guard is dropped.
    fn begin_calls(&self) -> Calling {
        self.handlers().calling += 1;
        Calling(self.clone())
    }

    fn handlers(&self) -> MutexGuard<'_, KnownHandlers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns what a script calls to ask prompts so.
fn model_name(call: &CallSaid) -> &'static str {
    match (call.batched, call.recursive) {
        (false, false) => "llm_query",
        (true, false) => "llm_query_batched",
        (false, true) => "rlm_query",
        (true, true) => "rlm_query_batched",
    }
}

/// A request under way whose script calls handlers.
struct Calling(Known);

impl Drop for Calling {
    fn drop(&mut self) {
        self.0.handlers().calling -= 1;
    }
}

/// Bytes of standard error of a session's process that the operator is shown.
const STDERR_BYTES: u64 = 64 << 10;

/// Shows the operator what a process writes to standard error.
fn copy_to_operator(mut from: impl Read, terminal: &Terminal) {
    terminal.relay(Read::by_ref(&mut from).take(STDERR_BYTES), true);
    let _ = io::copy(&mut from, &mut io::sink());
}

/// A call of a function of the client's.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Call {
    session: String,
    ticket: u64,
    name: String,
    /// A list.
    args: Box<RawValue>,
    /// An object.
    kwargs: Box<RawValue>,
}

/// A prompt for the client's model.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    session: String,
    ticket: u64,
    prompt: String,
    model: Option<String>,
    recursive: bool,
}

/// Text that was printed.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Output {
    session: String,
    stream: Stream,
    text: String,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Stream {
    Stdout,
    Stderr,
}

/// A message of a process that names its session.
trait OfSession: Serialize + DeserializeOwned {
    fn session(&self) -> &str;

    /// Returns whether the client does this for the session.
    fn is_wanted(&self, handlers: &KnownHandlers) -> bool;
}

impl OfSession for Call {
    fn session(&self) -> &str {
        &self.session
    }

    fn is_wanted(&self, handlers: &KnownHandlers) -> bool {
        let is_shaped = self.args.get().starts_with('[') && self.kwargs.get().starts_with('{');
        let name = handlers.hasher.hash_one(&self.name);
        is_shaped
            && handlers.calling > 0
            && handlers
                .named
                .iter()
                .any(|named| named.tools.contains(&name))
    }
}

impl OfSession for Ask {
    fn session(&self) -> &str {
        &self.session
    }

    fn is_wanted(&self, handlers: &KnownHandlers) -> bool {
        handlers.calling > 0 && handlers.may_ask(self.recursive)
    }
}

impl OfSession for Output {
    fn session(&self) -> &str {
        &self.session
    }

    fn is_wanted(&self, handlers: &KnownHandlers) -> bool {
        handlers.named.iter().any(|named| named.stream)
    }
}

/// Returns the params of a message of this session, written anew; none if they are not what a session sends.
fn typed<T: OfSession>(message: &Message, session: &str, known: &Known) -> Option<Box<RawValue>> {
    let params = message.read::<T>().ok()?;
    if params.session() != session || !params.is_wanted(&known.handlers()) {
        return None;
    }
    answered(params).ok().filter(|params| is_plain(params))
}

/// A session that its process has handed over to be forked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HandedOver {
    parked: String,
    handlers: Handlers,
    values: Values,
    histories: Vec<Box<RawValue>>,
    // What a session that is forked has none of.
    journal: Option<JournalPlace>,
    outputs: Option<Vec<super::protocol::Output>>,
    record: bool,
    limits: BTreeMap<String, Box<RawValue>>,
}

/// Returns the request that takes a session up which its process has handed over. The next process opens what the
/// request names before it is sealed, so nothing that the process says may name a file.
fn restored(handed_over: &RawValue, plugins: Vec<String>, known: &Known) -> Answer {
    /// The members of `restore` that a fork has.
    #[derive(Serialize)]
    struct Restored {
        parked: String,
        handlers: Handlers,
        values: Values,
        histories: Vec<Box<RawValue>>,
    }
    let HandedOver {
        parked,
        mut handlers,
        values,
        histories,
        journal,
        outputs,
        record,
        limits,
    } = serde_json::from_str::<HandedOver>(handed_over.get()).map_err(|_| unlike_us())?;
    let names_files = values.contexts.iter().any(|context| context.path.is_some());
    let is_ours = journal.is_none()
        && outputs.is_none()
        && !record
        && limits.is_empty()
        && values.variables.is_empty()
        && values.without.is_empty();
    if names_files || !is_ours || !known.may_have(&handlers) {
        return Err(unlike_us());
    }
    handlers.plugins = plugins;
    let restored = Restored {
        parked,
        handlers,
        values,
        histories,
    };
    answered(restored)
}

fn unlike_us() -> Failure {
    Failure::new(
        INTERNAL_ERROR,
        "the isolated process did not answer as this program does",
    )
}

/// Returns params that a process of a session takes.
fn short(params: Box<RawValue>) -> Answer {
    match params.get().len() as u64 {
        bytes if bytes > REQUEST_BYTES => Err(too_long(bytes)),
        _ => Ok(params),
    }
}

fn too_long(bytes: u64) -> Failure {
    Failure::usage(format!(
        "the request has {bytes} bytes, and an isolated session takes {REQUEST_BYTES}; give files to `open` by their path"
    ))
}

/// Returns the bytes that these take as a text of JSON: a control character has six.
fn text_bytes(bytes: &[u8]) -> u64 {
    let escaped = |byte: &u8| match byte {
        b'\n' | b'\r' | b'\t' | b'"' | b'\\' => 2,
        0..0x20 => 6,
        _ => 1,
    };
    bytes.iter().map(escaped).sum()
}

/// Returns an answer of the client's that a process of a session takes.
fn short_answer(answer: Box<RawValue>) -> Answer {
    match answer.get().len() as u64 > REQUEST_BYTES {
        true => Err(Failure::usage(format!(
            "the answer has {} bytes, and an isolated session takes {REQUEST_BYTES}",
            answer.get().len()
        ))),
        false => Ok(answer),
    }
}

/// Returns the failure of params that are not what a method takes.
fn misfit(error: serde_json::Error) -> Failure {
    Failure::new(INVALID_PARAMS, error.to_string())
}

/// Returns the params of `restore` with the session sealed for a child.
fn sealed_for_child(params: &RawValue, peer: &Peer) -> Answer {
    /// The member alone: a tree of the rest takes many times its text.
    #[derive(Deserialize)]
    struct Sealed {
        parked: Option<String>,
    }
    let wanted = serde_json::from_str::<Sealed>(params.get()).map_err(misfit)?;
    let Some(parked) = wanted.parked else {
        return Ok(params.to_owned());
    };
    let bytes = BASE64_STANDARD
        .decode(parked)
        .map_err(|_| Failure::usage("`parked` is not base64"))?;
    let sealed = BASE64_STANDARD.encode(Parked::reseal(&bytes, &key(peer)?, PIPE_KEY)?);
    let mut members =
        serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(params.get()).map_err(misfit)?;
    members.insert(String::from("parked"), answered(sealed)?);
    answered(members)
}

/// Returns the answer to `park` with the session sealed by this user's key.
fn sealed_for_client(answer: &RawValue, peer: &Peer) -> Answer {
    #[derive(Deserialize, Serialize)]
    struct Said {
        parked: String,
        waiting: bool,
    }
    let said = serde_json::from_str::<Said>(answer.get()).map_err(|_| unlike_us())?;
    let bytes = BASE64_STANDARD
        .decode(said.parked)
        .map_err(|_| unlike_us())?;
    answered(Said {
        parked: BASE64_STANDARD.encode(Parked::reseal(&bytes, PIPE_KEY, &key(peer)?)?),
        waiting: said.waiting,
    })
}

/// Returns the params of `set` with the contents of files in place of their paths, which the process cannot open.
fn with_files_read(params: &RawValue, memory: &Arc<Memory>) -> Answer {
    // A path may be written with escapes.
    if !params.get().contains("path\"") && !params.get().contains('\\') {
        return Ok(params.to_owned());
    }
    let mut all =
        serde_json::from_str::<Map<String, Json>>(&healed(params.get())).map_err(misfit)?;
    let (mut left, mut shares, mut json) = (FILES_BYTES, Vec::new(), 0);
    let contexts = all
        .get_mut("values")
        .and_then(|values| values.get_mut("contexts"))
        .and_then(Json::as_array_mut);
    for context in contexts.into_iter().flatten() {
        let Some(members) = context.as_object_mut() else {
            continue;
        };
        let Some(Json::String(path)) = members.get("path").cloned() else {
            continue;
        };
        let cannot = |error: io::Error| Failure::usage(format!("cannot read {path}: {error}"));
        let file = rlm_sandbox_files::open(path.as_ref(), Links::Follow).map_err(cannot)?;
        let (bytes, share) = memory.read(&file, &path)?;
        // They are there three times for a moment.
        shares.push(share.again(&path)?);
        shares.push(share);
        left = left.checked_sub(bytes.len() as u64).ok_or_else(|| {
            Failure::usage(format!(
                "the files have more than {FILES_BYTES} bytes, which is the most that `set` takes in an isolated session; give \
                 them to `open`"
            ))
        })?;
        json += text_bytes(&bytes);
        if json > REQUEST_BYTES {
            return Err(too_long(json));
        }
        members.remove("path");
        match String::from_utf8(bytes) {
            Ok(text) => members.insert(String::from("text"), Json::from(text)),
            Err(bytes) => {
                let text = BASE64_STANDARD.encode(bytes.as_bytes());
                members.insert(String::from("base64"), Json::from(text))
            }
        };
    }
    answered(all)
}
