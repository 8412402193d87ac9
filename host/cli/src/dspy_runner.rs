//! `rlm-sandbox dspy-runner`: the other end of `dspy.PythonInterpreter`.
//!
//! dspy starts its runner with `deno_command`, and speaks JSON-RPC with it: what
//! `runner.js` of dspy 3.4 understands, this understands.

mod inputs;
mod literal;
mod tools;

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Args;
use rlm_sandbox::{
    Cause, Context, Ending, ErrorKind, Exception, Outcome, Session, SessionBuilder, Stop, Tool,
    Value, parse_value,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use crate::Status;
use crate::files::Files;
use crate::limit::LimitOptions;
use crate::memory::{self, Full, Kept, Memory, MemoryOptions, Share};
use crate::plain::plain;
use crate::profile::ProfileOptions;
use crate::record;
use crate::sandbox::{self, SandboxOptions};
use crate::terminal::Terminal;
use crate::wire::{
    self, Answer, Failure, INTERNAL_ERROR, METHOD_NOT_FOUND, Message, MessageOptions, Peer, Wire,
    answered, unless_it_panics,
};
use inputs::{Inputs, Line, Prepared};
use tools::Signature;

/// Runs the code of dspy: give it to PythonInterpreter as its deno_command
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
#[command(mut_arg("profile", |profile| profile.help("What Python sees: a name, or a TOML file [default: dspy]").long_help(None::<&str>)))]
#[command(mut_arg("timeout", |timeout| timeout.help("Compute time of a script [default: the profile's, which is 60s in dspy]").long_help(None::<&str>)))]
pub(crate) struct Options {
    #[command(flatten)]
    profile: ProfileOptions,

    #[command(flatten)]
    limits: LimitOptions,

    /// Lets dspy mount files of this folder, or this file; scripts read them with `open`
    #[arg(long, value_name = "PATH")]
    allow_read: Vec<PathBuf>,

    #[command(flatten)]
    memory: MemoryOptions,

    #[command(flatten)]
    sandbox: SandboxOptions,

    #[command(flatten)]
    messages: MessageOptions,
}

/// Advice to a client that has mounted or registered too much.
const REMEDY: &str = "start the runner with a larger --max-contexts";

/// Note to a model whose variables left no room for its code or the inputs of that.
const DROPPED: &str = "all variables were dropped to make room; the inputs and tools are there again in the next code";

/// Error of the code that finds its session lost.
const LOST: &str = "the session was lost, and all variables with it, so this code did not run to its end; the inputs \
                    and tools are there again in the next code";

/// Beginning of the error of code for which the interpreter has no more names and texts.
const TABLES: &str = "the interpreter's tables are full";
const TABLES_HINT: &str = "keep values under the keys";
/// Bytes of code that every session should have names and texts for. Chosen by hand: models write a
/// few hundred lines at once.
const ORDINARY: usize = 16 << 10;

const EXAMPLE: &str = "In Python:
  import dspy
  interpreter = lambda: dspy.PythonInterpreter(deno_command=[\"rlm-sandbox\", \"dspy-runner\"])
  rlm = dspy.RLM(\"context, query -> answer\", interpreter_factory=interpreter)";

impl Options {
    pub(crate) fn run(self, terminal: &Terminal) -> Result<Status> {
        let profile = self.profile.read_or("dspy")?;
        let (limits, all) = self.limits.read(&profile.limits)?;
        let files = Files::new(&self.allow_read)?;
        let sandbox = sandbox::load(self.sandbox, all, terminal)?;
        let runtime = wire::runtime().context("cannot start the runtime")?;
        let builder = sandbox.session().profile(profile).limits(limits);
        let mut wire = Wire::new(terminal, &self.messages).context(wire::CANNOT_READ)?;
        wire::say_what_is_read(terminal, "JSON-RPC");
        let runner = Runner {
            builder,
            peer: wire.peer(),
            session: None,
            tools: Vec::new(),
            outputs: Arc::default(),
            contexts: Vec::new(),
            inputs: Inputs::default(),
            lines: Vec::new(),
            was_lost: false,
            files: Arc::new(files),
            memory: self.memory.memory(REMEDY),
        };
        runtime.block_on(runner.serve(&mut wire));
        crate::signals::shut_down(runtime, terminal.owns_signals);
        Ok(Status::Done)
    }
}

/// Codes that dspy knows, by exception; the last one is for all others. Any
/// other code ends dspy's session.
const CODES: [(&str, i64); 9] = [
    ("SyntaxError", -32000),
    ("NameError", -32001),
    ("TypeError", -32002),
    ("ValueError", -32003),
    ("AttributeError", -32004),
    ("IndexError", -32005),
    ("KeyError", -32006),
    ("RuntimeError", -32007),
    ("CodeInterpreterError", -32008),
];
const UNKNOWN: i64 = -32099;

struct Runner {
    /// What all sessions have in common.
    builder: SessionBuilder,
    peer: Peer,
    session: Option<Session>,
    tools: Vec<Tool>,
    outputs: Arc<Outputs>,
    contexts: Vec<Context>,
    inputs: Inputs,
    /// The assignments in front of the last code that had some.
    lines: Vec<Line>,
    /// True if variables are gone, and no result has said so yet.
    was_lost: bool,
    files: Arc<Files>,
    memory: Arc<Memory>,
}

/// A field of what SUBMIT takes.
#[derive(Debug, Deserialize)]
struct Field {
    name: String,
}

/// What SUBMIT takes, with the memory that it takes.
#[derive(Debug, Default)]
struct Outputs {
    fields: Vec<Field>,
    _share: Option<Share>,
}

impl Outputs {
    /// Counts the fields, which the runner keeps from now on.
    ///
    /// # Errors
    ///
    /// [`Full`] if there is no memory for them.
    fn new(fields: Vec<Field>, memory: &Arc<Memory>) -> Result<Self, Full> {
        let mut kept = Kept::default();
        for field in &fields {
            kept.text(&field.name);
        }
        let share = kept.share_of("outputs", memory)?;
        Ok(Self {
            fields,
            _share: Some(share),
        })
    }
}

#[derive(Deserialize)]
struct Execute {
    #[serde(default)]
    code: String,
}

#[derive(Deserialize)]
struct Register {
    #[serde(default)]
    tools: Vec<Signature>,
    outputs: Option<Vec<Field>>,
}

#[derive(Deserialize)]
struct Mount {
    host_path: PathBuf,
    virtual_path: Option<String>,
}

#[derive(Deserialize)]
struct Inject {
    name: String,
    value: String,
}

impl Runner {
    async fn serve(mut self, wire: &mut Wire) {
        let mut later = VecDeque::new();
        loop {
            let message = match later.pop_front() {
                Some(message) => message,
                None => match wire.next().await {
                    Some(message) => message,
                    None => return,
                },
            };
            match message.method.as_str() {
                "shutdown" => return,
                // Nothing is ever written back. dspy sends it without an id.
                "sync_file" => {
                    let nothing = answered(Json::Null);
                    self.peer.answer(message.id.as_deref(), nothing);
                    continue;
                }
                _ => {}
            }
            let answer = unless_it_panics(self.carry_out(&message, wire, &mut later)).await;
            let answer = match answer {
                Some(Some(answer)) => answer,
                Some(None) => return,
                None => {
                    // The state of the session is unknown, so the next request opens another one.
                    self.session = None;
                    let why = "the runner failed at this request, which is a bug; all Python variables are gone";
                    Err(match message.method.as_str() {
                        "execute" => recoverable("RuntimeError", why, None),
                        _ => Failure::new(INTERNAL_ERROR, why),
                    })
                }
            };
            self.peer.answer(message.id.as_deref(), answer);
        }
    }

    /// Carries out a request; none if the client is gone.
    async fn carry_out(
        &mut self,
        message: &Message,
        wire: &mut Wire,
        later: &mut VecDeque<Message>,
    ) -> Option<Answer> {
        Some(match message.method.as_str() {
            "execute" => self.execute(message, wire, later).await?,
            "register" => self.register(message).await,
            "mount_file" => self.mount(message).await,
            "inject_var" => self.inject(message),
            #[cfg(test)]
            "panic" => panic!("a panic of the test"),
            method => Err(Failure::new(
                METHOD_NOT_FOUND,
                format!("there is no method `{method}`"),
            )),
        })
    }

    /// The session; it is made when it is first wanted.
    fn session(&mut self) -> Result<&mut Session, Failure> {
        if self.session.is_none() {
            let builder = self.described(&self.tools, &self.outputs);
            self.session = Some(self.made(&builder, |builder| builder.open().map_err(of_sandbox))?);
        }
        self.session
            .as_mut()
            .ok_or_else(|| Failure::new(UNKNOWN, "there is no session"))
    }

    /// Returns the session that `make` makes, recorded if the environment wants that. A session that is refused leaves no recording.
    fn made(
        &self,
        builder: &SessionBuilder,
        make: impl Fn(SessionBuilder) -> Result<Session, Failure>,
    ) -> Result<Session, Failure> {
        let terminal = self.peer.terminal();
        let unrecorded = make(builder.clone())?;
        let recorded = record::attached(builder, terminal)
            .map_err(|error| of_sandbox(record::refused(&error, terminal)))?;
        recorded.map_or(Ok(unrecorded), make)
    }

    /// A session with these tools and outputs. Types of outputs are dspy's to check.
    fn described(&self, tools: &[Tool], outputs: &Outputs) -> SessionBuilder {
        let mut builder = self.builder.clone();
        for tool in tools {
            builder = builder.tool(tool.clone());
        }
        for context in &self.contexts {
            builder = builder.context(context.clone());
        }
        match outputs.fields.as_slice() {
            [] => builder.outputs([("output", "")]),
            fields => builder.outputs(fields.iter().map(|field| (field.name.as_str(), ""))),
        }
    }

    /// Runs code; none if nobody waits for it any more.
    async fn execute(
        &mut self,
        message: &Message,
        wire: &mut Wire,
        later: &mut VecDeque<Message>,
    ) -> Option<Answer> {
        let code = match message.read::<Execute>() {
            Ok(execute) => self.inputs.prepare(&execute.code),
            // Whatever cannot be read is the model's to write anew.
            Err(failure) => return Some(Err(coded("SyntaxError", &failure.message, Vec::new()))),
        };
        #[cfg(test)]
        assert_ne!(code.code, "panic", "a panic of the test");
        let earlier = match code.lines.as_slice() {
            [] => Vec::new(),
            lines => std::mem::replace(&mut self.lines, lines.to_vec()),
        };
        if std::mem::take(&mut self.was_lost) {
            return Some(Err(recoverable("RuntimeError", LOST, None)));
        }
        let session = match self.session() {
            Ok(session) => session,
            Err(failure) => return Some(Err(failure)),
        };
        Some(
            match run_in_room(session, &code, &earlier, wire, later).await? {
                Ok(answer) => answer,
                // Of a state that cannot be written and read again there is nothing to go on with.
                Err(error) if matches!(error.kind(), ErrorKind::Lost | ErrorKind::Guest) => {
                    self.session = None;
                    Err(recoverable("RuntimeError", LOST, None))
                }
                Err(error) => Err(of_session(error)),
            },
        )
    }

    /// Goes on with other tools and outputs, or as before if those are refused.
    async fn register(&mut self, message: &Message) -> Answer {
        let Register {
            tools: added,
            outputs,
        } = message.read()?;
        // The last one of a name takes the place of all others.
        let mut names = HashSet::new();
        let mut added: Vec<_> = added.into_iter().rev().collect();
        added.retain(|tool| names.insert(tool.name().to_owned()));
        let mut tools = self.tools.clone();
        tools.retain(|tool| !names.contains(tool.name()));
        for signature in added.into_iter().rev() {
            let tool = signature.tool(&self.peer, &self.memory);
            tools.push(tool.map_err(of_memory)?);
        }
        let outputs = match outputs {
            Some(fields) => Outputs::new(fields, &self.memory)
                .map_err(of_memory)?
                .into(),
            None => Arc::clone(&self.outputs),
        };
        let builder = self.described(&tools, &outputs);
        let parked = match &mut self.session {
            Some(session) => Some(session.park().await),
            None => None,
        };
        let session = self.made(&builder, |builder| {
            let session = match &parked {
                Some(Ok(parked)) => builder.restore(parked),
                // Of a state that cannot be written there is nothing to go on with.
                Some(Err(_)) | None => builder.open(),
            };
            session.map_err(of_session)
        });
        self.session = Some(session?);
        self.was_lost |= matches!(parked, Some(Err(_)));
        (self.tools, self.outputs) = (tools, outputs);
        let names = |names: Vec<&str>| names.into_iter().map(Json::from).collect::<Json>();
        let outputs = self.outputs.fields.iter();
        answered(json!({
            "tools": names(self.tools.iter().map(Tool::name).collect()),
            "outputs": names(outputs.map(|field| field.name.as_str()).collect()),
        }))
    }

    async fn mount(&mut self, message: &Message) -> Answer {
        let mount: Mount = message.read()?;
        let as_path = || mount.host_path.display().to_string();
        let mounted = mount.virtual_path.clone().unwrap_or_else(as_path);
        let name = mounted.trim_start_matches('/').to_owned();
        let mount = Arc::new(mount);
        let read = || {
            let (files, memory) = (Arc::clone(&self.files), Arc::clone(&self.memory));
            let (mount, name) = (Arc::clone(&mount), name.clone());
            let read = tokio::task::spawn_blocking(move || {
                let (bytes, share) = files.read(&mount.host_path, &name, &memory)?;
                Ok(memory::context(&name, bytes, share))
            });
            async { read.await.map_err(anyhow::Error::from).flatten() }
        };
        let mut context = read().await;
        if let (Err(error), Some(session)) = (&context, &mut self.session)
            && error.is::<Full>()
        {
            // Files that were replaced may still be there.
            memory::free(session).await;
            context = read().await;
        }
        let context = context
            .map_err(|error| coded("CodeInterpreterError", &error.to_string(), Vec::new()))?;
        let name = context.name().to_owned();
        let session = self.session()?;
        session.remove_context(&name);
        session
            .add_context(context.clone())
            .map_err(|error| coded("CodeInterpreterError", &error.to_string(), Vec::new()))?;
        self.contexts.retain(|other| other.name() != name);
        self.contexts.push(context);
        answered(json!({"mounted": mounted}))
    }

    fn inject(&mut self, message: &Message) -> Answer {
        let Inject { name, value } = message.read()?;
        let injected = answered(json!({"injected": &name}));
        self.inputs
            .inject(name, value, &self.memory)
            .map_err(|error| coded("CodeInterpreterError", &error.to_string(), Vec::new()))?;
        injected
    }
}

/// Runs code, and makes room for it and its inputs if there is none; none if the client is gone.
/// `earlier` are the assignments in front of the code before it.
async fn run_in_room(
    session: &mut Session,
    code: &Prepared,
    earlier: &[Line],
    wire: &mut Wire,
    later: &mut VecDeque<Message>,
) -> Option<rlm_sandbox::Result<Answer>> {
    let mut attempt = match Attempt::new(session, code, wire, later).await? {
        Ok(attempt) => attempt,
        Err(error) => return Some(Err(error)),
    };
    // Inputs of earlier runs may take the room; without them there is more.
    if attempt.lacked_room() && unbind(session, code).await.is_ok() {
        attempt = match Attempt::new(session, code, wire, later).await? {
            Ok(attempt) => attempt,
            Err(error) => return Some(Err(error)),
        };
    }
    let lacks_room = match attempt
        .lacks_room(session, code, earlier, wire, later)
        .await?
    {
        Ok(lacks_room) => lacks_room,
        Err(error) => return Some(Err(error)),
    };
    // No script can make room, as each has its inputs before it.
    if lacks_room && code.fits(session.limits()) && session.reset().is_ok() {
        return Some(Ok(attempt.dropped()));
    }
    Some(Ok(attempt.answer()))
}

/// A run of code with its inputs: the outcome, or why the inputs are refused.
struct Attempt(Result<Outcome, String>);

impl Attempt {
    async fn new(
        session: &mut Session,
        code: &Prepared,
        wire: &mut Wire,
        later: &mut VecDeque<Message>,
    ) -> Option<rlm_sandbox::Result<Self>> {
        match bind(session, code) {
            Ok(()) => {}
            Err(error) if matches!(error.kind(), ErrorKind::Usage | ErrorKind::Limit) => {
                return Some(Ok(Self(Err(error.to_string()))));
            }
            Err(error) => return Some(Err(error)),
        }
        let outcome = run(session, &code.code, wire, later).await?;
        Some(outcome.map(|mut outcome| {
            if let Ending::Stopped(_, exception) = &mut outcome.ending {
                exception.message = inputs::shown(&exception.message);
            }
            Self(Ok(outcome))
        }))
    }

    /// Returns whether the script did not run for want of memory for its inputs.
    fn lacked_room(&self) -> bool {
        matches!(&self.0, Ok(outcome) if lacked_room(outcome))
    }

    /// Returns whether other code fails as well, as there is no room for the inputs of both or for any
    /// code; none if the client is gone. It runs no code but the inputs.
    async fn lacks_room(
        &self,
        session: &mut Session,
        code: &Prepared,
        earlier: &[Line],
        wire: &mut Wire,
        later: &mut VecDeque<Message>,
    ) -> Option<rlm_sandbox::Result<bool>> {
        if self.lacked_room() {
            return Some(Ok(true));
        }
        if matches!(&self.0, Ok(outcome) if !may_lack_room(outcome)) {
            return Some(Ok(false));
        }
        let inputs = code.inputs(earlier);
        let is_ordinary = code.code.len() - inputs.code.len() <= ORDINARY;
        if is_ordinary && matches!(&self.0, Ok(outcome) if lacks_tables(outcome)) {
            return Some(Ok(true));
        }
        if inputs.lines.is_empty() {
            return Some(Ok(false));
        }
        for frees in [false, true] {
            if frees && unbind(session, &inputs).await.is_err() {
                break;
            }
            if bind(session, &inputs).is_ok() {
                match run(session, &inputs.code, wire, later).await? {
                    Ok(bound) if bound.is_success() => return Some(Ok(false)),
                    Ok(_) => {}
                    Err(error) => return Some(Err(error)),
                }
            }
        }
        Some(Ok(true))
    }

    /// Returns the answer.
    fn answer(&self) -> Answer {
        match &self.0 {
            Ok(outcome) => answer(outcome),
            Err(refusal) => Err(recoverable("ValueError", refusal, None)),
        }
    }

    /// Returns the error of code for which all variables were dropped.
    fn dropped(&self) -> Answer {
        let ending = self.0.as_ref().map(|outcome| &outcome.ending);
        Err(match ending {
            Ok(Ending::Raised(exception) | Ending::Stopped(_, exception)) => {
                raised(exception, Some(DROPPED))
            }
            Ok(_) => recoverable("RuntimeError", DROPPED, None),
            Err(refusal) => recoverable("ValueError", refusal, Some(vec![DROPPED.to_owned()])),
        })
    }
}

/// Sets the inputs that are too long to be parsed as Python.
fn bind(session: &mut Session, code: &Prepared) -> rlm_sandbox::Result<()> {
    let values = code.hidden.iter().map(|(name, text)| (name.clone(), text));
    session.set_all(values)
}

/// Unbinds the inputs of earlier runs that `code` binds anew: both values of a name are in memory
/// while the new one enters.
///
/// # Errors
///
/// The session's, if there is no memory even for that.
async fn unbind(session: &mut Session, code: &Prepared) -> rlm_sandbox::Result<()> {
    let hidden = code.hidden.iter().map(|(hidden, _)| hidden.as_str());
    // A tool that has the name by now hides the variable.
    session.unset(hidden.flat_map(|hidden| [hidden, inputs::variable(hidden)]))?;
    // Values enter before anything is read.
    session.get(inputs::MODULE).await.map(drop)
}

/// Returns whether a script did not run for want of memory for its inputs.
fn lacked_room(outcome: &Outcome) -> bool {
    let is_memory = matches!(outcome.ending, Ending::Stopped(Stop::Memory, _));
    is_memory && outcome.usage.fuel == 0
}

/// Returns whether a script ended as one does whose inputs have no room: without memory, or with
/// more names than there may be.
fn may_lack_room(outcome: &Outcome) -> bool {
    match &outcome.ending {
        Ending::Stopped(why, _) => *why == Stop::Memory,
        Ending::Raised(exception) => exception.kind == "RuntimeError",
        _ => false,
    }
}

/// Returns whether a script did not run because the interpreter's tables are full, which they are for
/// as long as the session has no reset.
fn lacks_tables(outcome: &Outcome) -> bool {
    let is_full = |exception: &Exception| {
        // A script can raise that message, but not with the hint.
        let hint = exception.hint.as_deref().unwrap_or_default();
        exception.message.starts_with(TABLES) && hint.starts_with(TABLES_HINT)
    };
    matches!(&outcome.ending, Ending::Raised(exception) if is_full(exception))
}

/// Runs a script, and keeps requests that come meanwhile for later; none if the client is gone.
async fn run(
    session: &mut Session,
    code: &str,
    wire: &mut Wire,
    later: &mut VecDeque<Message>,
) -> Option<rlm_sandbox::Result<Outcome>> {
    let cancel = session.cancel_handle();
    let mut exec = std::pin::pin!(session.exec(code));
    let is_ended = loop {
        tokio::select! {
            outcome = &mut exec => return Some(outcome),
            message = wire.next() => match message {
                Some(message) if message.method != "shutdown" => later.push_back(message),
                Some(_) => break false,
                None => break true,
            },
        }
    };
    if is_ended {
        // The client has asked for all that it wants, or it is gone.
        let peer = wire.peer();
        tokio::select! {
            outcome = &mut exec => return Some(outcome),
            () = peer.until_gone() => {}
        }
    }
    cancel.cancel();
    None
}

/// What dspy is told of an outcome.
fn answer(outcome: &Outcome) -> Answer {
    if let (Some(finish), true) = (&outcome.finish, outcome.is_success()) {
        let fields = tagged(&finish.answer).ok_or_else(|| {
            let message = "what SUBMIT was given is too long, or nests too deeply; submit less";
            recoverable("ValueError", message, None)
        })?;
        return answered(Told {
            output: None,
            last: Some(plain(&fields)),
        });
    }
    match &outcome.ending {
        Ending::Value(Some(value)) => {
            let output = match tagged(value) {
                Some(tagged) => plain(&tagged),
                None => plain(&Json::from(format!(
                    "{}\n[this is not all of it; slice it]",
                    value.repr
                ))),
            };
            answered(Told {
                output: Some(output),
                last: None,
            })
        }
        Ending::Value(None) => {
            let mut output = outcome.stdout.clone();
            if outcome.dropped_bytes > 0 {
                output.push_str(&format!(
                    "\n[{} bytes of output dropped; print less]",
                    outcome.dropped_bytes
                ));
            }
            answered(Told {
                output: Some(plain(&Json::from(output))),
                last: None,
            })
        }
        Ending::Raised(exception) => Err(raised(exception, None)),
        Ending::Stopped(_, exception) | Ending::Crashed(exception) => {
            let undone = "variables are as they were before this code";
            Err(raised(exception, Some(undone)))
        }
        _ => Err(recoverable("RuntimeError", "the script did not end", None)),
    }
}

/// The result of `execute`.
#[derive(Serialize)]
struct Told {
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Box<RawValue>>,
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    last: Option<Box<RawValue>>,
}

/// A value as JSON with tags, unless it is too large for that.
fn tagged(value: &Value) -> Option<Json> {
    parse_value(value.json.as_deref()?).ok()
}

fn raised(exception: &Exception, note: Option<&str>) -> Failure {
    if exception.cause == Cause::Syntax {
        let mut message = exception.traceback.trim_end().to_owned();
        if let Some(hint) = &exception.hint {
            message.push_str(&format!("\nhint: {hint}"));
        }
        return coded("SyntaxError", &message, Vec::new());
    }
    let hint = exception.hint.as_ref().map(|hint| format!("hint: {hint}"));
    let notes: Vec<_> = hint.into_iter().chain(note.map(str::to_owned)).collect();
    recoverable(&exception.kind, &exception.message, Some(notes))
}

/// An error that the model is shown, in the form that `runner.js` gives it: with
/// the arguments of the exception.
fn recoverable(kind: &str, message: &str, notes: Option<Vec<String>>) -> Failure {
    let mut told = vec![message.to_owned()];
    told.extend(notes.unwrap_or_default());
    coded(kind, message, told)
}

fn coded(kind: &str, message: &str, arguments: Vec<String>) -> Failure {
    let known = CODES.iter().find(|(name, _)| *name == kind);
    Failure {
        data: Some(json!({"type": kind, "args": arguments})),
        ..Failure::new(known.map_or(UNKNOWN, |(_, code)| *code), message)
    }
}

/// The error of what finds no memory, which leaves the session as it was.
fn of_memory(full: Full) -> Failure {
    coded("CodeInterpreterError", &full.to_string(), Vec::new())
}

/// An error of a session: one that leaves the session as it was is the model's to correct, or over
/// when the machine has room again, and any other ends dspy's session.
fn of_session(error: rlm_sandbox::Error) -> Failure {
    match error.kind() {
        ErrorKind::Usage | ErrorKind::Limit | ErrorKind::Host => {
            recoverable("RuntimeError", &error.to_string(), None)
        }
        _ => of_sandbox(error),
    }
}

/// What the sandbox itself fails at, which ends dspy's session.
fn of_sandbox(error: rlm_sandbox::Error) -> Failure {
    Failure {
        data: Some(json!({"type": "CodeInterpreterError", "args": []})),
        ..Failure::new(INTERNAL_ERROR, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Lines, PipeReader, PipeWriter, Write as _};
    use std::sync::Mutex;
    use std::thread::JoinHandle;
    use std::time::{Duration, Instant};

    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Arguments {
        #[command(flatten)]
        options: Options,
    }

    /// A client, and the runner that serves it.
    struct Client {
        requests: PipeWriter,
        answers: Lines<BufReader<PipeReader>>,
        serving: JoinHandle<Result<Status>>,
    }

    impl Client {
        fn new(arguments: &[&str]) -> Self {
            let (input, requests) = std::io::pipe().expect("a pipe");
            let (answers, output) = std::io::pipe().expect("a pipe");
            let terminal = Terminal::new(
                input,
                Arc::new(Mutex::new(output)),
                Arc::new(Mutex::new(Vec::new())),
            );
            let arguments = ["dspy-runner"].iter().chain(arguments);
            let options = Arguments::parse_from(arguments).options;
            Self {
                requests,
                answers: BufReader::new(answers).lines(),
                serving: std::thread::spawn(move || options.run(&terminal)),
            }
        }

        fn ask(&mut self, method: &str, params: &Json) -> Json {
            let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
            writeln!(self.requests, "{request}").expect("it reads");
            let line = self.answers.next().expect("an answer").expect("text");
            serde_json::from_str(&line).expect("JSON")
        }

        fn execute(&mut self, code: &str) -> Json {
            self.ask("execute", &json!({"code": code}))
        }

        fn leave(self) {
            drop(self.requests);
            let ended = self.serving.join().expect("no panic");
            assert_eq!(ended.expect("served"), Status::Done);
        }
    }

    #[test]
    fn a_request_that_panics_is_an_error_and_the_runner_goes_on() {
        let mut client = Client::new(&[]);
        assert_eq!(client.execute("x = 1\nx")["result"]["output"], 1);
        let answer = client.ask("panic", &json!({}));
        assert_eq!(answer["error"]["code"], INTERNAL_ERROR, "{answer}");
        assert!(answer["error"].to_string().contains("a bug"), "{answer}");
        // The session is another one, as the state of the first is unknown.
        let answer = client.execute("x");
        assert!(
            answer["error"].to_string().contains("NameError"),
            "{answer}"
        );
        assert_eq!(client.execute("6 * 7")["result"]["output"], 42);
        // Any other code would end dspy's session.
        let answer = client.execute("panic");
        assert_eq!(answer["error"]["data"]["type"], "RuntimeError", "{answer}");
        assert!(answer["error"].to_string().contains("a bug"), "{answer}");
        assert_eq!(client.execute("6 * 7")["result"]["output"], 42);
        client.leave();
    }

    #[test]
    fn inputs_that_are_refused_leave_nothing_for_the_next_code() {
        let mut client = Client::new(&["--limit", "memory=1MiB"]);
        let input = |number| format!("x{number} = '{}'\n", "y".repeat(2000));
        let code: String = (0..1000).map(input).collect();
        let answer = client.execute(&code);
        assert!(answer.to_string().contains("ValueError"), "{answer}");
        assert_eq!(client.execute("1")["result"]["output"], 1);
        assert_eq!(client.execute(&input(0))["result"]["output"], "");
        client.leave();
    }

    #[test]
    fn very_many_inputs_find_the_memory_of_earlier_ones_in_little_time() {
        let mut client = Client::new(&["--limit", "memory=14MiB"]);
        client.execute("keep = 'z' * 3_000_000");
        let since = Instant::now();
        for letter in ["x", "y", "z"] {
            let input = |number| format!("x{number} = '{}'\n", letter.repeat(1024));
            let code: String = (0..4900).map(input).collect();
            client.execute(&code);
        }
        // Looking through all that wait for each of them takes more than a minute.
        assert!(since.elapsed() < Duration::from_secs(30));
        client.leave();
    }

    #[test]
    fn a_file_more_than_there_may_be_is_refused_and_the_session_goes_on() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let path = file.path().to_str().expect("UTF-8");
        let mut client = Client::new(&["--allow-read", path]);
        let mut mount = |number: usize| {
            let params = json!({"host_path": path, "virtual_path": format!("/{number}")});
            client.ask("mount_file", &params)
        };
        for number in 0..10_000 {
            let answer = mount(number);
            assert!(answer["result"].is_object(), "{answer}");
        }
        let answer = mount(10_000);
        assert!(answer["error"].to_string().contains("contexts"), "{answer}");
        assert!(mount(0)["result"].is_object());
        let answer = client.ask("register", &json!({"tools": ["f"]}));
        assert!(answer["result"].is_object(), "{answer}");
        client.leave();
    }
}
