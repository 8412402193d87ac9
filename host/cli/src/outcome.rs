//! Running a script, and telling a person how it ended.

use anyhow::Result;
use rlm_sandbox::{Cause, Ending, Exception, Final, Outcome, Session, State, Stop};

use crate::Status;
use crate::isolation;
use crate::signals::{self, InterruptHandler};
use crate::terminal::Terminal;

/// A runtime whose end waits for no thread: one may hang in a read of a dead disk.
#[derive(Debug)]
pub(crate) struct Runtime(Option<tokio::runtime::Runtime>);

impl Runtime {
    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        let runtime = self.0.as_ref();
        runtime.expect("there until it is dropped").block_on(future)
    }

    pub(crate) fn handle(&self) -> tokio::runtime::Handle {
        let runtime = self.0.as_ref();
        runtime.expect("there until it is dropped").handle().clone()
    }

    /// Begins with a task, which goes on while [`block_on`](Self::block_on) runs.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let runtime = self.0.as_ref();
        runtime.expect("there until it is dropped").spawn(task);
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            signals::shut_down(runtime, false);
        }
    }
}

/// Returns a runtime of one thread, which is enough: the script that runs on it gives way several times a millisecond.
pub(crate) fn runtime() -> std::io::Result<Runtime> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    isolation::keep_threads(&mut builder);
    let runtime = builder.enable_all().event_interval(1).build()?;
    Ok(Runtime(Some(runtime)))
}

/// Runs the script; Ctrl-C and a closed pipe end it and keep what it printed.
pub(crate) async fn run_until_interrupted(
    session: &mut Session,
    script: &str,
    terminal: &Terminal,
) -> Result<Outcome> {
    let cancel = session.cancel_handle();
    let handler = terminal.owns_signals.then(InterruptHandler::new);
    let interrupted = async {
        match &handler {
            Some(handler) => handler.interrupted().await,
            None => std::future::pending().await,
        }
    };
    let mut exec = std::pin::pin!(session.exec(script));
    tokio::select! {
        // Whoever sees what the script prints can already stop it.
        biased;
        () = interrupted => cancel.cancel(),
        outcome = &mut exec => return Ok(outcome?),
    }
    Ok(exec.await?)
}

/// Tells a person how it ended. What the script printed has been shown.
pub(crate) fn tell(outcome: &Outcome, limits: LimitsFrom, terminal: &Terminal) {
    if outcome.dropped_bytes > 0 {
        terminal.end_shown_line();
        terminal.error(&format!(
            "[{} bytes of output dropped; allow more with --limit output=SIZE]\n",
            outcome.dropped_bytes
        ));
    }
    let is_cut = match (&outcome.finish, &outcome.ending) {
        (Some(finish), _) => finish.answer.truncated,
        (None, Ending::Value(Some(value))) => value.truncated,
        _ => false,
    };
    if let Some(finish) = &outcome.finish {
        let cut = if finish.answer.truncated {
            " […]"
        } else {
            ""
        };
        terminal.print(&format!("{}{cut}\n", answer(finish)));
    }
    match &outcome.ending {
        Ending::Value(Some(value)) => {
            let cut = if value.truncated { " […]" } else { "" };
            terminal.print(&format!("{}{cut}\n", value.repr));
        }
        Ending::Value(None) => {}
        // As CPython ends: with the text, or with a status.
        Ending::Raised(exception) if let Some(code) = exception.exit_code() => {
            let is_status = exception.message == "True" || exception.message.parse::<i64>().is_ok();
            let text = match is_status {
                true => format!("[the script ended with exit code {code}]\n"),
                false => format!("{}\n", exception.message),
            };
            terminal.end_shown_line();
            terminal.error(&text);
        }
        Ending::Raised(exception) | Ending::Crashed(exception) => {
            terminal.error(&format!("{}\n", exception.traceback));
            let lacks_model = exception
                .message
                .starts_with("no language model is attached");
            let hint = match exception.cause {
                _ if lacks_model => Some("attach one with --llm-command COMMAND"),
                Cause::Source if exception.message.starts_with("source is too long") => {
                    Some("allow more with --limit source=SIZE")
                }
                Cause::LlmBudget => Some(
                    "allow more with --limit model-calls=N, which counts in the whole life of a session",
                ),
                _ if exception
                    .hint
                    .as_deref()
                    .is_some_and(|hint| hint.starts_with("this session was given no context")) =>
                {
                    Some("give one with --context FILE, or --context - for standard input")
                }
                _ => exception
                    .hint
                    .as_deref()
                    .or_else(|| remedy_of_call(&exception.message)),
            };
            if let Some(hint) = hint {
                terminal.error(&format!("hint: {}\n", limits.hint(hint)));
            }
        }
        Ending::Stopped(why, exception) => {
            terminal.error(&format!("{}\n", shown(*why, exception)));
            let message = &*exception.message;
            let remedy = match *why {
                _ if message.starts_with("allocation limit") => {
                    Some("allow more with --limit allocations=N")
                }
                Stop::Calls if message.contains("calls in one execution") => {
                    Some("allow more with --limit calls=N")
                }
                Stop::Calls if message.contains("calls open at a time") => {
                    Some("allow more with --limit open-calls=N")
                }
                Stop::Calls if message.contains("bytes of arguments") => {
                    Some("allow more with --limit request=SIZE")
                }
                why => remedy(why),
            };
            if let Some(remedy) = remedy {
                terminal.error(&format!("hint: {}\n", limits.hint(remedy)));
            }
        }
        _ => {}
    }
    if is_cut {
        terminal.error("[the value is cut; allow more with --limit value=SIZE]\n");
    }
}

/// The answer of a run: text as it is, anything else as Python shows it.
fn answer(finish: &Final) -> String {
    match finish.answer.get::<String>() {
        Ok(text) if finish.answer.repr.starts_with(['\'', '"']) => text,
        _ => finish.answer.repr.clone(),
    }
}

/// Tells a person what became of the namespace, where it goes on to be used.
pub(crate) fn tell_state(outcome: &Outcome, terminal: &Terminal) {
    if outcome.state == State::RolledBack {
        terminal.error("[the session is as it was before this script]\n");
    }
}

/// Returns the option for a limit of single calls, which raise an exception that a script may catch, by the words that the
/// sandbox has for it.
fn remedy_of_call(message: &str) -> Option<&'static str> {
    const CALL_WAIT: &str = "allow more with --limit call-wait=DURATION";
    const REQUEST: &str = "allow more with --limit request=SIZE";
    const MODEL_ANSWER: &str = "allow more with --limit model-answer=SIZE";
    const TOOL_ANSWER: &str = "allow more with --limit tool-answer=SIZE";
    // The first words that are found count.
    const REMEDIES: [(&str, &str); 6] = [
        ("() did not answer within ", CALL_WAIT),
        (" that one request may carry", REQUEST),
        ("the model's command answered ", MODEL_ANSWER),
        ("the model answered ", MODEL_ANSWER),
        (" answered more than the ", TOOL_ANSWER),
        ("() answered ", TOOL_ANSWER),
    ];
    if message.contains("is not UTF-8") {
        return None;
    }
    let remedy = REMEDIES.iter().find(|(words, _)| message.contains(words));
    remedy.map(|(_, remedy)| *remedy)
}

/// Returns the traceback of an execution that a limit ended. That of one that was killed speaks of the tool `exec_python`.
fn shown(why: Stop, exception: &Exception) -> String {
    let is_killed = why == Stop::Time && exception.message.ends_with("(host timeout backstop)");
    let killed =
        "timeout: the time limit passed within one operation, with which the script was ended";
    match is_killed {
        true => exception.traceback.replace(&exception.message, killed),
        false => exception.traceback.clone(),
    }
}

/// The place that the limits of a session come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitsFrom {
    /// Options of the command.
    Options,
    /// A recording, which a replay follows.
    Recording,
}

impl LimitsFrom {
    /// Returns the hint, which names no option where none counts.
    fn hint(self, hint: &str) -> &str {
        match self {
            Self::Recording if hint.starts_with("allow more with") => {
                "the limits are those of the recording, or below them by --timeout, --memory, --fuel and --limit"
            }
            _ => hint,
        }
    }
}

fn remedy(why: Stop) -> Option<&'static str> {
    Some(match why {
        Stop::Time => "allow more with --timeout DURATION",
        Stop::Deadline => "allow more with --limit deadline=DURATION",
        Stop::Fuel => "allow more with --fuel N",
        Stop::Memory => "allow more with --memory SIZE, or work on slices of what is large",
        Stop::Calls => "allow more with --limit calls=N or --limit open-calls=N",
        Stop::Output => {
            "allow more with --limit output=SIZE, or drop what is over with --limit output-overflow=drop"
        }
        _ => return None,
    })
}

pub(crate) fn status(outcome: &Outcome) -> Status {
    match outcome.ending {
        Ending::Value(_) => Status::Done,
        Ending::Raised(_) => Status::Raised,
        Ending::Stopped(Stop::Canceled, _) => Status::Interrupted,
        _ => Status::Stopped,
    }
}
