//! Sessions of a worker in processes of their own.
//!
//! The worker starts a process for each session and passes on what its client asks, in order, and what the session asks of the
//! client. The process is a worker of one session, which seals itself when the session is open.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, mpsc};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rlm_sandbox::Parked;
use rlm_sandbox_files::Links;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinSet;

use super::cancellation::Cancellation;
use super::live::key;
use super::method::{InSession, Served};
use super::{LONG_BYTES, Mailbox, Named, Worker, blocking};
use crate::isolation::{Child, PIPE_KEY, Role};
use crate::memory::Memory;
use crate::subprocess::on_starter;
use crate::terminal::Terminal;
use crate::wire::{
    Answer, Failure, INTERNAL_ERROR, Message, MessageOptions, Peer, Replied, Wire, answered,
    replied,
};

/// Bytes of the longest message of a session's process, and of what waits to be read by one.
const MESSAGE_BYTES: u64 = 256 << 20;

/// The process of a session.
pub(super) struct Isolated {
    name: String,
    child: Child,
    /// Asks the process.
    peer: Peer,
    input: Input,
}

impl Drop for Isolated {
    fn drop(&mut self) {
        // It ends when it has read what there is; if that takes long, the one who waits for it ends it.
        self.input.close();
    }
}

/// What the worker wants of a session's task.
pub(super) enum Wanted {
    Request(InSession, Message),
    Close(Message),
}

impl Worker {
    /// Opens or restores a session in a process of its own.
    pub(super) async fn open_isolated(
        self: &Arc<Self>,
        message: &Message,
        canceled: &Cancellation,
    ) -> Replied {
        let permit = self.permit()?;
        let _turn = canceled.unless_canceled(self.turn(message)).await??;
        let params = match message.method.as_str() {
            "restore" => {
                let (params, peer) = (message.params(), self.peer.clone());
                blocking(move || sealed_for_child(&params, &peer)).await??
            }
            _ => message.params(),
        };
        self.make_isolated(&message.method, params, permit, canceled)
            .await
    }

    /// Parses code in a process of its own.
    pub(super) async fn validate_isolated(
        self: &Arc<Self>,
        message: &Message,
        canceled: &Cancellation,
    ) -> Replied {
        let _turn = canceled.unless_canceled(self.validations.acquire()).await?;
        let isolated = Isolated::start(self, self.name()).await?;
        let question = isolated
            .peer
            .begin("validate", message.params(), MESSAGE_BYTES);
        replied(canceled.unless_canceled(question.answer()).await??)
    }

    async fn make_isolated(
        self: &Arc<Self>,
        method: &str,
        params: Box<RawValue>,
        permit: OwnedSemaphorePermit,
        canceled: &Cancellation,
    ) -> Replied {
        let isolated = Isolated::start(self, self.name()).await?;
        let question = isolated.peer.begin(method, params, MESSAGE_BYTES);
        let answer = canceled.unless_canceled(question.answer()).await??;
        // It is what the client is told, so it has to be this session.
        let opened = serde_json::from_str::<Named>(answer.get());
        if opened.map(|opened| opened.session).ok().as_deref() != Some(&isolated.name) {
            isolated.child.kill();
            return Err(unlike_us());
        }
        let (requests, mut mail) = tokio::sync::mpsc::unbounded_channel();
        let mailbox = Mailbox::Isolated(requests);
        self.sessions().insert(isolated.name.clone(), mailbox);
        let worker = Arc::clone(self);
        tokio::spawn(async move {
            let _permit = permit;
            while let Some(wanted) = mail.recv().await {
                match wanted {
                    Wanted::Request(method, message) => {
                        isolated.pass_on(&worker, method, message).await
                    }
                    Wanted::Close(message) => {
                        let closed = isolated
                            .peer
                            .begin("close", message.params(), MESSAGE_BYTES);
                        let closed = closed.answer().await;
                        isolated.input.close();
                        let child = isolated.child.clone();
                        // What it writes is written when it has ended.
                        let _ = blocking(move || child.wait()).await;
                        worker.tell(&message, closed.and_then(replied));
                        break;
                    }
                }
            }
            let child = isolated.child.clone();
            drop(isolated);
            let _ = blocking(move || child.wait()).await;
        });
        replied(answer)
    }
}

impl Isolated {
    /// Starts the process of a session of this name.
    async fn start(worker: &Arc<Worker>, name: String) -> Result<Self, Failure> {
        let not_started = |error: io::Error| {
            Failure::new(
                INTERNAL_ERROR,
                format!(
                    "cannot start an isolated process: {error}; it needs /proc and room for one more process"
                ),
            )
        };
        let mut command = Child::command(&Role::Session { name: name.clone() });
        command
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped());
        let started = on_starter(move || {
            let mut process = command.spawn()?;
            let pipes = (process.stdin.take(), process.stdout.take());
            Ok((Child::new(process), pipes))
        });
        let (child, (stdin, stdout)) = started.await.map_err(not_started)?;
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(unlike_us());
        };
        let input = Input::of(stdin);
        let pipes: Terminal = worker
            .terminal
            .over(stdout, Arc::new(Mutex::new(input.clone())));
        let wire = Wire::new(&pipes, &MessageOptions::of_child(MESSAGE_BYTES));
        let peer = wire.peer();
        tokio::spawn(answer_to(
            Arc::downgrade(worker),
            wire,
            worker.peer.clone(),
            name.clone(),
            child.clone(),
        ));
        Ok(Self {
            name,
            child,
            peer,
            input,
        })
    }

    /// Passes a request on to the process, in its order, and its answer to the client.
    async fn pass_on(&self, worker: &Arc<Worker>, method: InSession, message: Message) {
        let params = match method {
            InSession::Served(Served::Set) => {
                let (params, memory) = (message.params(), Arc::clone(&worker.memory));
                blocking(move || with_files_read(&params, &memory))
                    .await
                    .flatten()
            }
            _ => Ok(message.params()),
        };
        let question = params.map(|params| self.peer.begin(&message.method, params, MESSAGE_BYTES));
        let worker = Arc::clone(worker);
        tokio::spawn(async move {
            let answer = match question {
                Ok(question) => question.answer().await,
                Err(failure) => Err(failure),
            };
            let answer = match (method, answer) {
                (InSession::Fork, Ok(restore)) => Arc::clone(&worker).fork_isolated(restore).await,
                (InSession::Served(Served::Park), Ok(parked)) => {
                    let peer = worker.peer.clone();
                    blocking(move || sealed_for_client(&parked, &peer))
                        .await
                        .flatten()
                        .and_then(replied)
                }
                (_, answer) => answer.and_then(replied),
            };
            let is_long = matches!(&answer, Ok(reply) if reply.json_bytes() > LONG_BYTES);
            worker.tell_aside(message, answer, is_long, None).await;
        });
    }
}

impl Worker {
    /// Takes up in another process what a session has handed over to be forked.
    fn fork_isolated(
        self: Arc<Self>,
        restore: Box<RawValue>,
    ) -> Pin<Box<dyn Future<Output = Replied> + Send>> {
        Box::pin(async move {
            let permit = self.permit()?;
            let never = self.cancelers.begin(None);
            self.make_isolated("restore", restore, permit, &never).await
        })
    }
}

/// Does for a process what it asks, until it ends. Tells those who wait for its answers then.
async fn answer_to(worker: Weak<Worker>, mut wire: Wire, client: Peer, name: String, child: Child) {
    let peer = wire.peer();
    let mut asked = JoinSet::new();
    while let Some(message) = wire.next().await {
        while asked.try_join_next().is_some() {}
        let is_its_own =
            matches!(message.read::<Named>(), Ok(Named { session }) if session == name);
        match (message.method.as_str(), &message.id) {
            ("call" | "ask", Some(_)) if is_its_own => {
                // Asked in the order in which they came.
                let question = client.begin(&message.method, message.params(), u64::MAX);
                let peer = peer.clone();
                asked.spawn(async move {
                    let answer = question.answer().await;
                    peer.answer(message.id.as_deref(), answer);
                });
            }
            ("output", None) if is_its_own => client.notify("output", message.params()),
            _ => {
                client.tell_operator(&format!(
                    "[the isolated process of session {name} sent a message that no session sends, and was ended]\n"
                ));
                child.kill();
                break;
            }
        }
    }
    drop(asked);
    let waited = child.clone();
    let ended = blocking(move || waited.wait()).await;
    let why = match ended {
        Ok(Ok(ended)) => ended.to_string(),
        Ok(Err(error)) => format!("the isolated process of the session is lost: {error}"),
        Err(failure) => failure.message,
    };
    if let Some(worker) = worker.upgrade() {
        worker.sessions().remove(&name);
    }
    peer.hang_up(Failure {
        data: Some(serde_json::json!({"kind": "lost"})),
        ..Failure::new(
            super::said::FAILED,
            format!("{why}; session {name} is closed, and no other one is concerned"),
        )
    });
}

fn unlike_us() -> Failure {
    Failure::new(
        INTERNAL_ERROR,
        "the isolated process did not answer as this program does",
    )
}

type Members = Map<String, Json>;

fn members(params: &RawValue) -> Result<Members, Failure> {
    serde_json::from_str::<Members>(&crate::wire::healed(params.get()))
        .map_err(|error| Failure::new(crate::wire::INVALID_PARAMS, error.to_string()))
}

/// Returns the params of `restore` with the session sealed for a child.
fn sealed_for_child(params: &RawValue, peer: &Peer) -> Answer {
    /// The member alone: a tree of the rest takes many times its text.
    #[derive(Deserialize)]
    struct Sealed {
        parked: Option<String>,
    }
    let wanted = serde_json::from_str::<Sealed>(params.get())
        .map_err(|error| Failure::new(crate::wire::INVALID_PARAMS, error.to_string()))?;
    let Some(parked) = wanted.parked else {
        return Ok(params.to_owned());
    };
    let bytes = BASE64_STANDARD
        .decode(parked)
        .map_err(|_| Failure::usage("`parked` is not base64"))?;
    let sealed = BASE64_STANDARD.encode(Parked::reseal(&bytes, &key(peer)?, PIPE_KEY)?);
    let mut members = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(params.get())
        .map_err(|error| Failure::new(crate::wire::INVALID_PARAMS, error.to_string()))?;
    members.insert(String::from("parked"), answered(sealed)?);
    answered(members)
}

/// Returns the answer to `park` with the session sealed by this user's key.
fn sealed_for_client(answer: &RawValue, peer: &Peer) -> Answer {
    #[derive(Deserialize, serde::Serialize)]
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
    if !params.get().contains("\"path\"") {
        return Ok(params.to_owned());
    }
    let mut all = members(params)?;
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
        let (bytes, _share) = memory.read(&file, &path)?;
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

/// Standard input of a process, which is written on a thread of its own: a process that reads nothing holds up no one.
#[derive(Clone)]
struct Input(Arc<Queue>);

struct Queue {
    sender: Mutex<Option<mpsc::Sender<Vec<u8>>>>,
    waiting: Arc<AtomicU64>,
}

impl Input {
    fn of(mut stdin: impl Write + Send + 'static) -> Self {
        let (sender, pieces) = mpsc::channel::<Vec<u8>>();
        let waiting = Arc::<AtomicU64>::default();
        let written = Arc::clone(&waiting);
        std::thread::spawn(move || {
            for piece in pieces {
                // A process that is gone reads nothing; its end tells why.
                if stdin
                    .write_all(&piece)
                    .and_then(|()| stdin.flush())
                    .is_err()
                {
                    break;
                }
                written.fetch_sub(piece.len() as u64, Ordering::AcqRel);
            }
        });
        let sender = Mutex::new(Some(sender));
        Self(Arc::new(Queue { sender, waiting }))
    }

    fn close(&self) {
        self.sender().take();
    }

    fn sender(&self) -> MutexGuard<'_, Option<mpsc::Sender<Vec<u8>>>> {
        self.0.sender.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Input {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let waiting = self.0.waiting.load(Ordering::Acquire);
        let sender = self.sender();
        let Some(sender) = sender.as_ref().filter(|_| waiting <= 2 * MESSAGE_BYTES) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        self.0
            .waiting
            .fetch_add(bytes.len() as u64, Ordering::AcqRel);
        sender
            .send(bytes.to_vec())
            .map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
