//! `rlm-sandbox exec`.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use anyhow::{Context as _, Result};
use clap::Args;
use jiff::Timestamp;
use rlm_sandbox::{CancelHandle, Channel, Ending, Limits, Outcome, Session, Stop};

use crate::subprocess::{self, CommandModel};
use crate::terminal::Terminal;
use crate::{Status, context, limit, sandbox, usage};

/// Runs a Python script in a sandbox of its own
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The script itself
    #[arg(short, long, value_name = "CODE", conflicts_with = "file")]
    code: Option<String>,

    /// A file with the script; `-` is standard input
    file: Option<PathBuf>,

    /// Makes a file readable as `context`, `files[NAME]` and `context_0` …
    ///
    /// PATH may be `-` for standard input. `:json` parses it, `:bytes` reads it
    /// as bytes, `:name=NAME` renames it. The one with the FIELD `context` is
    /// `context`; else it is `context.txt`, else the first by name.
    #[arg(long, value_name = "[FIELD=]PATH[:json]")]
    context: Vec<String>,

    /// Binds a variable; `context` is what `context` means without any file
    #[arg(long, value_name = "NAME=JSON")]
    input: Vec<String>,

    /// Lets the script call a command: arguments as JSON on its standard
    /// input, JSON or text on its standard output
    ///
    /// With NAME(A,B) the arguments come as {"A": …, "B": …}, else as
    /// {"args": […], "kwargs": {…}}.
    #[arg(long, value_name = "NAME=COMMAND")]
    tool: Vec<String>,

    /// Answers `llm_query` with a command: the prompt on its standard input,
    /// the answer on its standard output
    #[arg(long, value_name = "COMMAND")]
    llm_command: Option<String>,

    /// Compute time of the script [default: 5s]
    #[arg(long, value_name = "DURATION")]
    timeout: Option<String>,

    /// Memory the script may hold [default: 64MiB]
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,

    /// Fuel of the script [default: 100e9]
    #[arg(long, value_name = "N")]
    fuel: Option<String>,

    /// Any other limit; a wrong NAME lists them
    #[arg(long, value_name = "NAME=VALUE")]
    limit: Vec<String>,

    /// Seed of everything random [default: drawn]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Time at which the script's clock starts [default: now]
    #[arg(long, value_name = "RFC3339")]
    now: Option<Timestamp>,

    /// Loads the compiled interpreter from this file
    #[arg(long, value_name = "FILE")]
    compiled: Option<PathBuf>,

    /// Prints the outcome as one line of JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  rlm-sandbox exec -c '2 ** 100'
  rlm-sandbox exec --context server.log -c 'len(context.splitlines())'
  rlm-sandbox exec --context notes.txt --llm-command 'my-llm' -c 'llm_query(f\"Summarize: {context}\")'

Exit status: 0 done, 1 the script raised or did not parse, 2 bad usage or unreadable input, 3 stopped at a limit (or
the interpreter crashed), 4 the sandbox itself failed, 130 interrupted.";

impl Options {
    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        let script = self.script(terminal)?;
        let json = self.json;
        let mut session = self.open(terminal)?;
        // One thread is enough: the script runs on it, and gives way every millisecond.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .event_interval(1)
            .build()
            .context("cannot start the runtime")?;
        let outcome = runtime.block_on(run_until_interrupted(&mut session, &script, terminal))?;
        if terminal.is_closed() {
            return Ok(Status::Done);
        }
        if json {
            terminal.print(&format!("{}\n", outcome.to_exec_python()));
        } else {
            tell(&outcome, terminal);
        }
        Ok(status(&outcome))
    }

    fn script(&self, terminal: &Terminal) -> Result<String> {
        let bytes = match (&self.code, &self.file) {
            (Some(code), _) => return Ok(code.clone()),
            (None, None) => {
                return Err(usage(
                    "there is no script; give -c CODE, a FILE, or - for standard input",
                ));
            }
            (None, Some(path)) if path.as_os_str() == "-" => {
                terminal.read().context("cannot read standard input")?
            }
            (None, Some(path)) => std::fs::read(path)
                .map_err(|error| usage(format!("cannot read {}: {error}", path.display())))?,
        };
        String::from_utf8(bytes).map_err(|_| usage("the script is not UTF-8"))
    }

    fn limits(&self) -> Result<Limits> {
        let mut limits = Limits::default();
        let named = [
            ("time", &self.timeout),
            ("memory", &self.memory),
            ("fuel", &self.fuel),
        ];
        let named = named
            .iter()
            .filter_map(|(name, value)| Some(format!("{name}={}", value.as_ref()?)));
        for setting in named.chain(self.limit.iter().cloned()) {
            limit::set(&mut limits, &setting)?;
        }
        Ok(limits)
    }

    fn open(self, terminal: &Terminal) -> Result<Session> {
        let limits = self.limits()?;
        let contexts = context::read(&self.context, terminal)?;
        let inputs = self
            .input
            .iter()
            .map(|input| context::input(input))
            .collect::<Result<Vec<_>>>()?;
        let tools = self
            .tool
            .iter()
            .map(|tool| subprocess::tool(tool))
            .collect::<Result<Vec<_>>>()?;

        let mut session = sandbox::load(self.compiled, terminal)?
            .session()
            .limits(limits);
        for tool in tools {
            session = session.tool(tool);
        }
        for context in contexts {
            session = session.context(context);
        }
        if let Some(command) = self.llm_command {
            session = session.model(CommandModel(command));
        }
        if let Some(seed) = self.seed {
            session = session.seed(seed);
        }
        if let Some(now) = self.now {
            session = session.start_time(SystemTime::from(now));
        }
        let cancel: Arc<OnceLock<CancelHandle>> = Arc::default();
        if !self.json {
            let (terminal, cancel) = (terminal.clone(), Arc::clone(&cancel));
            session = session.on_output(move |channel, text| {
                match channel {
                    Channel::Out => terminal.print(text),
                    Channel::Err => terminal.error(text),
                }
                // Nobody reads any more, so there is no point in going on.
                if let (true, Some(cancel)) = (terminal.is_closed(), cancel.get()) {
                    cancel.cancel();
                }
            });
        }
        let mut variables = Vec::new();
        for (name, value) in inputs {
            if name == "context" {
                session = session.graph_input(value);
            } else {
                variables.push((name, value));
            }
        }
        let mut session = session.open()?;
        cancel.get_or_init(|| session.cancel_handle());
        for (name, value) in variables {
            session.set(name, value)?;
        }
        Ok(session)
    }
}

/// Runs the script; Ctrl-C and a closed pipe end it and keep what it printed.
async fn run_until_interrupted(
    session: &mut Session,
    script: &str,
    terminal: &Terminal,
) -> Result<Outcome> {
    let cancel = session.cancel_handle();
    let owns_signals = terminal.owns_signals;
    let interrupted = async {
        if !owns_signals || tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let mut exec = std::pin::pin!(session.exec(script));
    tokio::select! {
        outcome = &mut exec => return Ok(outcome?),
        () = interrupted => cancel.cancel(),
    }
    Ok(exec.await?)
}

/// Tells a person how it ended. What the script printed has been shown.
fn tell(outcome: &Outcome, terminal: &Terminal) {
    if outcome.dropped_bytes > 0 {
        terminal.error(&format!(
            "[{} bytes of output dropped; allow more with --limit output=SIZE]\n",
            outcome.dropped_bytes
        ));
    }
    match &outcome.ending {
        Ending::Value(Some(value)) => {
            let cut = if value.truncated { " […]" } else { "" };
            terminal.print(&format!("{}{cut}\n", value.repr));
        }
        Ending::Value(None) => {}
        Ending::Raised(exception) | Ending::Crashed(exception) => {
            terminal.error(&format!("{}\n", exception.traceback));
            if let Some(hint) = &exception.hint {
                terminal.error(&format!("hint: {hint}\n"));
            }
        }
        Ending::Stopped(why, exception) => {
            terminal.error(&format!("{}\n", exception.traceback));
            if let Some(remedy) = remedy(*why) {
                terminal.error(&format!("hint: {remedy}\n"));
            }
        }
        _ => {}
    }
}

fn remedy(why: Stop) -> Option<&'static str> {
    Some(match why {
        Stop::Time => "allow more with --timeout DURATION",
        Stop::Fuel => "allow more with --fuel N",
        Stop::Memory => {
            "allow more with --memory SIZE, or read slices with read_context(name, start, length)"
        }
        Stop::Calls => "allow more with --limit calls=N or --limit open-calls=N",
        _ => return None,
    })
}

fn status(outcome: &Outcome) -> Status {
    match outcome.ending {
        Ending::Value(_) => Status::Done,
        Ending::Raised(_) => Status::Raised,
        Ending::Stopped(Stop::Canceled, _) => Status::Interrupted,
        _ => Status::Stopped,
    }
}
