//! `--tool` and `--llm-command`: host functions that are commands.
//!
//! A script learns of a command that failed its name and how it ended, and what the
//! command itself said on standard output. The command line and standard error
//! may hold keys and paths; they go to the operator alone, on standard error and, as an event, in the log.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rlm_sandbox::{
    Arguments, Limits, Lm, LmAnswer, LmError, LmRequest, Tool, ToolError, python_json,
};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};

use crate::isolation::Broker;
use crate::plain::plain;
use crate::signals::{self, ProcessGroup};
use crate::terminal::Terminal;
use crate::usage;
use crate::wire::{Members, ReadArguments};

/// Bytes of standard error of a command, and of the answer of a failed one, that the operator is shown.
const STDERR_BYTES: usize = 16 << 10;

/// Bytes of an exception's message that a command may choose.
const MESSAGE_BYTES: usize = 2000;

/// Returns a tool from `NAME=COMMAND` or `NAME(PARAMETER,…)=COMMAND`.
///
/// The command gets the arguments as JSON on standard input: an object by
/// parameter if there are parentheses, else `{"args": […], "kwargs": {…}}`. With parentheses, a call with other arguments raises
/// a `TypeError`. The command answers with JSON, or with text, on standard output. Both are plain JSON: tuples and sets are lists in arguments,
/// bytes base64 and what JSON lacks text. A command that fails and whose last line on standard output names an
/// exception, as in `ValueError: no such word`, raises that.
pub(crate) fn tool(option: &str, command: HostCommand) -> anyhow::Result<Tool> {
    let Declared {
        name, parameters, ..
    } = Declared::parse(option)?;
    let named = parameters.clone().unwrap_or_default();
    let expected = parameters.map(|names| names.into_iter().map(str::to_owned).collect::<Vec<_>>());
    let tool = Tool::with_arguments(name, move |_, arguments: Arguments| {
        let input = match &expected {
            Some(names) => {
                check_arguments(&command.name, names, &arguments).map(|()| input(&arguments, true))
            }
            None => Ok(input(&arguments, false)),
        };
        let command = command.clone();
        async move {
            let input = input?;
            let output = command.run(&input, None).await?;
            Ok(python_json(&output, false).unwrap_or(Json::String(output)))
        }
    });
    Ok(tool.parameters(named))
}

/// Refuses arguments that are not those of a function with these parameters, in Python's words.
fn check_arguments(
    function: &str,
    parameters: &[String],
    arguments: &Arguments,
) -> Result<(), ToolError> {
    let given: Vec<&str> = arguments.tagged().map(|(name, _)| name).collect();
    let refusal = |text: String| Err(ToolError::new("TypeError", format!("{function} {text}")));
    if parameters.is_empty() && !given.is_empty() {
        let were = if given.len() == 1 { "was" } else { "were" };
        return refusal(format!(
            "takes 0 arguments but {} {were} given",
            given.len()
        ));
    }
    let missing: Vec<_> = parameters
        .iter()
        .filter(|name| !given.contains(&name.as_str()))
        .map(|name| format!("'{name}'"))
        .collect();
    match missing.as_slice() {
        [] => Ok(()),
        [one] => refusal(format!("missing 1 required argument: {one}")),
        [first @ .., last] => {
            let (count, first) = (missing.len(), first.join(", "));
            refusal(format!(
                "missing {count} required arguments: {first} and {last}"
            ))
        }
    }
}

/// Returns a tool, for descriptions of it.
pub(crate) fn declared(option: &str, terminal: &Terminal) -> anyhow::Result<Tool> {
    tool(
        option,
        HostCommand::of_tool(option, &Limits::default(), terminal)?,
    )
}

/// Refuses a command that is empty, which a variable of the shell is that is not set: the shell would run nothing, and say that it
/// went well.
fn check_line(line: &str, option: &str, value: &str) -> anyhow::Result<()> {
    match line.trim().is_empty() {
        true => Err(usage(format!("{option} '{value}': the command is empty"))),
        false => Ok(()),
    }
}

/// A tool as its option says it.
struct Declared<'a> {
    name: &'a str,
    /// The names in parentheses; none without parentheses.
    parameters: Option<Vec<&'a str>>,
    line: &'a str,
}

impl<'a> Declared<'a> {
    fn parse(option: &'a str) -> anyhow::Result<Self> {
        let (head, line) = option.split_once('=').ok_or_else(|| {
            usage(format!(
                "--tool {option}: write NAME=COMMAND, as in --tool 'today=date +%F'"
            ))
        })?;
        let (name, parameters) = match head.split_once('(') {
            Some((name, rest)) => {
                let list = rest.strip_suffix(')').ok_or_else(|| {
                    let why = match line.contains(")=") {
                        true => "arguments have no defaults, and a call takes all of them",
                        false => "a `)` is missing",
                    };
                    usage(format!(
                        "--tool {option}: {why}; write 'find(text,count)=…'"
                    ))
                })?;
                let names = list.split(',').map(str::trim);
                (name, Some(names.filter(|name| !name.is_empty()).collect()))
            }
            None => (head, None),
        };
        Ok(Self {
            name,
            parameters,
            line,
        })
    }
}

/// Reason why a command gave no answer, in words that a script may read.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CommandFailure {
    kind: String,
    message: String,
    /// Last line of its standard output, which is meant for the script.
    last: String,
}

impl CommandFailure {
    pub(crate) fn new(kind: &str, message: String) -> Self {
        let last = String::new();
        Self {
            kind: kind.to_owned(),
            message,
            last,
        }
    }
}

impl From<CommandFailure> for ToolError {
    /// Returns the exception that the command names in the last line of its standard
    /// output, or else one that says how the command ended.
    fn from(failure: CommandFailure) -> Self {
        match failure.last.split_once(": ") {
            Some((kind, text)) if is_exception(kind) => {
                Self::new(kind, &text[..text.floor_char_boundary(MESSAGE_BYTES)])
            }
            _ => Self::new(&failure.kind, failure.message),
        }
    }
}

fn is_exception(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric())
        && (name.ends_with("Error") || name.ends_with("Exception"))
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("JSON has a text")
}

fn input(arguments: &Arguments, by_name: bool) -> String {
    let named = |(name, value): (&str, &Json)| (name.to_owned(), plain(value));
    if by_name {
        return json(&Members(arguments.tagged().map(named).collect()));
    }
    let (args, kwargs) = arguments.split();
    json(&ReadArguments {
        args: args.into_iter().map(plain).collect(),
        kwargs: Members(kwargs.into_iter().map(named).collect()),
    })
}

/// A model that is a command: the prompt on standard input, the answer on
/// standard output, the model's name, if one was asked for, in `$LLM_MODEL`.
#[derive(Debug)]
pub(crate) struct CommandModel(HostCommand);

impl CommandModel {
    pub(crate) fn new(command: HostCommand) -> Self {
        Self(command)
    }
}

impl Lm for CommandModel {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let answer = self.0.run(&request.prompt, request.model.as_deref()).await;
        answer
            .map(LmAnswer::new)
            .map_err(|failure| LmError::new(failure.message))
    }
}

/// A command of the operator's that scripts may have run.
#[derive(Debug, Clone)]
pub(crate) struct HostCommand {
    /// Its name in exceptions.
    name: String,
    line: String,
    /// Bytes of an answer; a command that writes more is killed.
    most_bytes: u64,
    asks_model: bool,
    terminal: Terminal,
    /// The process that runs it, and its number there; none if it is this one.
    elsewhere: Option<(Broker, usize)>,
}

impl HostCommand {
    /// Returns the command of `--tool`.
    ///
    /// # Errors
    ///
    /// A usage error if the option is not `NAME=COMMAND` or `NAME(PARAMETER,…)=COMMAND`.
    pub(crate) fn of_tool(
        option: &str,
        limits: &Limits,
        terminal: &Terminal,
    ) -> anyhow::Result<Self> {
        let Declared { name, line, .. } = Declared::parse(option)?;
        check_line(line, "--tool", option)?;
        Ok(Self {
            name: format!("{name}()"),
            line: line.to_owned(),
            most_bytes: limits.tool_answer_bytes,
            asks_model: false,
            terminal: terminal.clone(),
            elsewhere: None,
        })
    }

    /// Returns the command of `--llm-command`.
    ///
    /// # Errors
    ///
    /// A usage error for a command that is empty.
    pub(crate) fn of_model(
        line: &str,
        limits: &Limits,
        terminal: &Terminal,
    ) -> anyhow::Result<Self> {
        check_line(line, "--llm-command", line)?;
        Ok(Self {
            name: String::from("the model's command"),
            line: line.to_owned(),
            most_bytes: limits.model_answer_bytes,
            asks_model: true,
            terminal: terminal.clone(),
            elsewhere: None,
        })
    }

    /// Returns whether it is the command of the model.
    pub(crate) fn asks_model(&self) -> bool {
        self.asks_model
    }

    /// Leaves it to another process, which knows it by this number.
    pub(crate) fn elsewhere(mut self, broker: &Broker, number: usize) -> Self {
        self.elsewhere = Some((broker.clone(), number));
        self
    }

    /// Runs `sh -c COMMAND` in a process group of its own, which ends with the
    /// shell, and with the future. The answer is what the shell and its group have
    /// written by then: a process that left the group keeps the pipes open, and is not
    /// waited for.
    pub(crate) async fn run(
        &self,
        input: &str,
        model: Option<&str>,
    ) -> Result<String, CommandFailure> {
        let Self { name, line, .. } = self;
        if let Some((broker, number)) = &self.elsewhere {
            return broker.run(*number, input, model, self.most_bytes).await;
        }
        if model.is_some_and(|model| model.contains('\0')) {
            let message = String::from("the name of a model cannot hold a null character");
            return Err(CommandFailure::new("ValueError", message));
        }
        let not_started = |error: std::io::Error| {
            self.terminal
                .error(&format!("[{name}: cannot run `{line}`: {error}]\n"));
            tracing::warn!(target: "rlm_sandbox", name, command = line, %error, "a command could not be run");
            CommandFailure::new("RuntimeError", format!("{name} could not be started"))
        };
        let mut shell = Command::new("sh");
        shell
            .arg("-c")
            .arg(line)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        shell.process_group(0);
        if let Some(model) = model {
            shell.env("LLM_MODEL", model);
        }
        let (mut child, group) = start(shell).await.map_err(not_started)?;
        let mut stdin = child.stdin.take();
        let (has_ended, ended) = watch::channel(false);
        let mut fed = ended.clone();
        let feed = async {
            if let Some(stdin) = &mut stdin {
                // A command need not read what it is given.
                tokio::select! {
                    _ = stdin.write_all(input.as_bytes()) => {}
                    _ = fed.wait_for(|ended| *ended) => {}
                }
            }
            drop(stdin);
        };
        // A line end is no part of the answer.
        let most_bytes = self.most_bytes.saturating_add(1);
        let (from, of_stdout) = (child.stdout.take(), ended.clone());
        let stdout = async {
            let read = read_capped(from, most_bytes, of_stdout).await;
            if read.is_err() {
                group.kill();
            }
            read
        };
        let stderr = read_last(child.stderr.take(), ended);
        let end = async {
            let status = child.wait().await;
            // What the shell has left running would hold the pipes open.
            group.kill();
            has_ended.send_replace(true);
            status
        };
        let (status, read, stderr, ()) = tokio::join!(end, stdout, stderr, feed);
        let output = match read {
            Ok(output) => output,
            Err(TooMuch) => {
                let message = format!(
                    "{name} answered more than the {} bytes that it may; ask for less",
                    self.most_bytes
                );
                return Err(CommandFailure::new("ValueError", message));
            }
        };
        let status = status.map_err(not_started)?;
        if !status.success() {
            let answer = &output[output.len().saturating_sub(STDERR_BYTES)..];
            self.terminal.error(&format!(
                "[{name}: `{line}` ended with {status}]\n{}{}",
                with_line_end(answer),
                with_line_end(&stderr)
            ));
            let last_words = String::from_utf8_lossy(&stderr);
            tracing::warn!(target: "rlm_sandbox", name, command = line, %status, stderr = &*last_words, "a command failed");
            let said = String::from_utf8_lossy(&output);
            return Err(CommandFailure {
                kind: String::from("RuntimeError"),
                message: format!("{name} {}", how(status)),
                last: said
                    .trim_end()
                    .lines()
                    .next_back()
                    .unwrap_or_default()
                    .to_owned(),
            });
        }
        if !stderr.is_empty() {
            let text = with_line_end(&stderr);
            self.terminal.error(&format!(
                "[{name}: `{line}` wrote to standard error]\n{text}"
            ));
        }
        let mut text = String::from_utf8(output).map_err(|_| {
            let message = format!("{name} answered with something that is not UTF-8");
            CommandFailure::new("RuntimeError", message)
        })?;
        if text.ends_with('\n') {
            text.pop();
        }
        Ok(text)
    }
}

/// Looks again and again for the end of a process, until the deadline. Blocks. None if it runs on.
///
/// # Errors
///
/// Errors of `look`.
pub(crate) fn ended_within(
    timeout: Duration,
    mut look: impl FnMut() -> io::Result<Option<ExitStatus>>,
) -> io::Result<Option<ExitStatus>> {
    let since = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = look()? {
            return Ok(Some(status));
        }
        let left = timeout.saturating_sub(since.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Starts a command, and takes charge of the process group that it leads.
async fn start(mut command: Command) -> io::Result<(Child, ProcessGroup)> {
    end_with_this_process(command.as_std_mut());
    let runtime = Handle::current();
    on_starter(move || {
        let _inside = runtime.enter();
        let child = command.spawn()?;
        let group = ProcessGroup::of(&child);
        Ok((child, group))
    })
    .await
}

/// Starts something on a thread that lives as long as this process. Linux ends a process when
/// the thread that started it ends, and threads of the runtime end when they are idle.
pub(crate) async fn on_starter<T: Send + 'static>(
    start: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    type Job = Box<dyn FnOnce() + Send>;
    static STARTER: Mutex<Option<mpsc::Sender<Job>>> = Mutex::new(None);

    let (sender, started) = oneshot::channel();
    let job: Job = Box::new(move || {
        signals::unless_ended(|| {
            // Nothing is started for a caller that was dropped; one that is dropped meanwhile drops the process, which ends it.
            if !sender.is_closed() {
                let _ = sender.send(start());
            }
        });
    });
    {
        let mut starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
        let jobs = match starter.take() {
            Some(jobs) => jobs,
            None => {
                let (jobs, all) = mpsc::channel::<Job>();
                std::thread::Builder::new()
                    .name(String::from("commands"))
                    .spawn(move || all.into_iter().for_each(|job| job()))?;
                jobs
            }
        };
        // A job that is lost drops its end of the channel.
        let _ = jobs.send(job);
        *starter = Some(jobs);
    }
    let lost = || io::Error::other("the thread that starts commands has ended");
    started.await.map_err(|_| lost())?
}

/// Has the kernel end a command when the thread that starts it ends, as when this process is killed. Processes that the command
/// started are not ended by that.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "the request to the kernel has to come from the new process"
)]
pub(crate) fn end_with_this_process(command: &mut std::process::Command) {
    use std::os::unix::process::CommandExt as _;

    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
    let parent = getpid();
    let request = move || {
        // Where the kernel refuses it, a command still ends with a program that is not killed.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        match getppid() == Some(parent) {
            true => Ok(()),
            // It was killed before the request.
            false => Err(io::Error::from(io::ErrorKind::Interrupted)),
        }
    };
    // SAFETY: between fork and exec it makes two system calls, and allocates nothing.
    unsafe {
        command.pre_exec(request);
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn end_with_this_process(_command: &mut std::process::Command) {}

/// Says how a command ended, without a word of its own.
fn how(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("failed with exit status {code}"),
        None => String::from("was ended by a signal"),
    }
}

fn with_line_end(bytes: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// A command that writes more than it may.
struct TooMuch;

/// Bytes that are read at once.
const PIECE: usize = 16 << 10;

/// Reads to the end, or up to one byte more than `most_bytes`.
async fn read_capped(
    from: Option<impl AsyncRead + Unpin + Buffered>,
    most_bytes: u64,
    ended: watch::Receiver<bool>,
) -> Result<Vec<u8>, TooMuch> {
    let mut bytes = Vec::new();
    read_until_ended(from, ended, |piece| {
        bytes.extend_from_slice(piece);
        bytes.len() as u64 <= most_bytes
    })
    .await;
    if bytes.len() as u64 > most_bytes {
        return Err(TooMuch);
    }
    Ok(bytes)
}

/// Reads to the end and keeps the last [`STDERR_BYTES`].
async fn read_last(
    from: Option<impl AsyncRead + Unpin + Buffered>,
    ended: watch::Receiver<bool>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    read_until_ended(from, ended, |piece| {
        bytes.extend_from_slice(piece);
        bytes.drain(..bytes.len().saturating_sub(STDERR_BYTES));
        true
    })
    .await;
    bytes
}

/// Gives `take` what is read, until it returns false, the pipe ends, or the shell has ended
/// and everything is read that the pipe held at that moment.
async fn read_until_ended(
    from: Option<impl AsyncRead + Unpin + Buffered>,
    mut ended: watch::Receiver<bool>,
    mut take: impl FnMut(&[u8]) -> bool,
) {
    let Some(mut from) = from else { return };
    let mut piece = vec![0; PIECE];
    let mut left = None;
    while left != Some(0) {
        let most = left.unwrap_or(PIECE).min(PIECE);
        let read = tokio::select! {
            biased;
            _ = ended.wait_for(|ended| *ended), if left.is_none() => {
                left = Some(from.buffered_bytes());
                continue;
            }
            read = from.read(&mut piece[..most]) => read,
        };
        // What was read before an error is what there is.
        let count = read.unwrap_or(0);
        if count == 0 || !take(&piece[..count]) {
            return;
        }
        left = left.map(|left| left - count);
    }
}

/// A pipe that tells how much it holds.
trait Buffered {
    fn buffered_bytes(&self) -> usize;
}

#[cfg(unix)]
impl<T: std::os::fd::AsFd> Buffered for T {
    fn buffered_bytes(&self) -> usize {
        let bytes = rustix::io::ioctl_fionread(self).unwrap_or(0);
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }
}

#[cfg(not(unix))]
impl<T> Buffered for T {
    fn buffered_bytes(&self) -> usize {
        0
    }
}
