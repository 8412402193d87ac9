//! `rlm-sandbox branch`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Args;
use rlm_sandbox::{
    Answer, Branch, CancelHandle, Change, Ending, Error, Outcome, Progress, Run, Turn, python_json,
};
use serde::Serialize;
use serde_json::Value as Json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::exec::script;
use crate::journal::{ReaderOptions, count};
use crate::limit::LimitOptions;
use crate::options::HandlerOptions;
use crate::outcome::status;
use crate::sandbox::SandboxOptions;
use crate::signals::{self, InterruptHandler};
use crate::terminal::Terminal;
use crate::{Status, read, record, sandbox, usage};

/// Goes on from a place in a recorded run, once or many times, and shows what came of it and what it cost
///
/// Nothing before the place is asked again. Without a change the recorded scripts run again from there, and the tools
/// and the model given here answer all their calls. `journal show` lists the executions and calls of a run.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
// The defaults are those of the run.
#[command(mut_arg("timeout", |timeout| timeout.help("Lowers the compute time of a script [default: as recorded]").long_help(None)))]
#[command(mut_arg("memory", |memory| memory.help("Lowers the memory that a script may hold [default: as recorded]")))]
#[command(mut_arg("fuel", |fuel| fuel.help("Lowers the fuel of a script [default: as recorded]")))]
pub(crate) struct Options {
    /// What `exec --record` wrote, or a recorded branch of it
    file: PathBuf,

    /// Execution before which the branches begin, counted from 0
    #[arg(long, value_name = "N")]
    at: u64,

    /// Answers a call of the recorded scripts with the content of a file: JSON or text for a tool, text for a
    /// prompt, and a list of texts for a batch of prompts
    ///
    /// Calls before the first one that is answered so have their recorded answers.
    #[arg(long, value_name = "CALL=FILE")]
    answer: Vec<String>,

    /// Runs this script in place of the first execution
    #[arg(
        short,
        long,
        value_name = "CODE",
        conflicts_with = "script",
        allow_hyphen_values = true
    )]
    code: Option<String>,

    /// Runs the script in this file in place of the first execution
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,

    /// Number of branches
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    count: u64,

    /// Branches that are open at the same time
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1000))]
    jobs: u32,

    /// Executions of each branch, at most [default: all that the run has, up to a final answer]
    #[arg(long, value_name = "N")]
    turns: Option<usize>,

    /// Records the branches, in the folder FILE.branches
    #[arg(long)]
    record: bool,

    /// Prints a line of JSON for each branch
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitOptions,

    #[command(flatten)]
    reader: ReaderOptions,

    #[command(flatten)]
    handlers: HandlerOptions,

    #[command(flatten)]
    sandbox: SandboxOptions,
}

const EXAMPLES: &str = "Examples:
  rlm-sandbox branch run.jsonl --at 7 --answer 3=other.txt --llm-command my-llm
  rlm-sandbox branch run.jsonl --at 7 -n 64 --llm-command my-llm
  rlm-sandbox branch run.jsonl --at 2 -c 'print(len(context))' --record
  rlm-sandbox journal branches run.jsonl
  rlm-sandbox replay run.jsonl --branches

Limits are the recorded ones; --timeout, --memory, --fuel and --limit lower them.

Exit status: 0 each branch came to its end, 1 one of them raised last, 2 bad usage, or a journal that cannot be replayed here, 3 one of
them was stopped at a limit, 4 the sandbox itself failed, 130 interrupted.";

/// Characters of a value that a row has room for.
const WIDTH: usize = 48;
/// Characters of an exception that are shown whole.
const EXCEPTION: usize = 1000;
/// Bytes of printed text that are kept of a branch, for JSON.
const STDOUT_BYTES: usize = 16 << 20;
/// Exceptions before the last execution that are kept of a branch.
const RAISED: usize = 100;
/// Different results that are listed.
const RESULTS: usize = 10;

/// The result of a branch.
#[derive(Debug, Serialize)]
struct Row {
    branch: u64,
    recorded: Option<u64>,
    session: String,
    /// The number of its first execution in the run.
    at: u64,
    executions: usize,
    ended: &'static str,
    result: String,
    /// Exceptions of executions before the last one, of each the beginning.
    raised: Vec<Raised>,
    stdout: Vec<String>,
    /// Bytes that were printed and are left out.
    dropped_bytes: u64,
    /// Calls that handlers answered.
    asked: u64,
    fuel: u64,
    model_calls: u64,
    input_tokens: u64,
    output_tokens: u64,
    compute_ms: u128,
    elapsed_ms: u128,
    #[serde(skip)]
    status: Status,
}

/// An execution of a branch that raised an exception, and was not its last one.
#[derive(Debug, Serialize)]
struct Raised {
    /// Its number in the run, from 0.
    execution: u64,
    exception: String,
}

impl Options {
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    pub(crate) fn run(self, terminal: &mut Terminal) -> Result<Status> {
        let journal = self.reader.open(&self.file)?;
        let (lowered, all) = self.limits.read(journal.limits())?;
        if !lowered.is_within(journal.limits()) {
            terminal.error("note: limits above the recorded ones have no effect: those hold\n");
        }
        let run = Run::of(journal);
        let run = match self.limits.has_any() {
            true => run.lower_limits(lowered),
            // Those that it had at each moment.
            false => run,
        };
        let (change, tickets) = self.change(&run, terminal)?;
        let sandbox = sandbox::load(self.sandbox, all, terminal)?;
        let builder = self.handlers.builder(&sandbox, terminal)?;
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads.min(8))
            .enable_all()
            .build()
            .context("cannot start the runtime")?;
        let (at, count, jobs) = (self.at, self.count, self.jobs);
        let turns = u64::try_from(self.turns.unwrap_or(usize::MAX)).unwrap_or(u64::MAX);
        let repeated = Repeated {
            at,
            end: at.saturating_add(turns),
            has_script: self.code.is_some() || self.script.is_some(),
            tickets,
        };
        let (turns, is_json) = (self.turns.unwrap_or(usize::MAX), self.json);
        let rows: Result<(BTreeMap<u64, Row>, bool, Option<Error>)> = runtime.block_on(async {
            let handler = terminal.owns_signals.then(InterruptHandler::new);
            let interrupted = async {
                match &handler {
                    Some(handler) => handler.interrupted().await,
                    None => std::future::pending().await,
                }
            };
            let mut point = tokio::select! {
                biased;
                () = interrupted => return Ok((BTreeMap::new(), true, None)),
                point = run.branch(at, builder) => point?,
            };
            let lacking = point.unanswered();
            if let Some(note) = note(&repeated.unanswered(&lacking)) {
                terminal.error(&note);
            }
            let calls = lacking.iter().flat_map(|turn| &turn.calls);
            let unanswered: BTreeSet<_> = calls.map(|call| call.name.clone()).collect();
            let unanswered = Arc::new(unanswered);
            let room = Arc::new(Semaphore::new(jobs as usize));
            let mut under_way = JoinSet::new();
            let mut cancels: Vec<CancelHandle> = Vec::new();
            let (mut rows, mut next, mut is_interrupted) = (BTreeMap::new(), 1, false);
            let mut failed = None;
            while next <= count || !under_way.is_empty() {
                let interrupted = async {
                    match &handler {
                        Some(handler) if !is_interrupted => handler.interrupted().await,
                        _ => std::future::pending().await,
                    }
                };
                tokio::select! {
                    biased;
                    () = interrupted => {
                        is_interrupted = true;
                        next = count + 1;
                        cancels.iter().for_each(CancelHandle::cancel);
                    }
                    Some(row) = under_way.join_next() => {
                        let mut row: Row = row.context("a branch ended early")?;
                        if is_json && !terminal.is_closed() {
                            terminal.print_json(&row);
                        }
                        row.shorten();
                        rows.insert(row.branch, row);
                    }
                    permit = Arc::clone(&room).acquire_owned(), if next <= count => {
                        // Those under way have cost something: they come to their end, and are shown.
                        let mut branch = match point.open(&change).await {
                            Ok(branch) => branch,
                            Err(error) => {
                                failed = Some(error);
                                next = count + 1;
                                continue;
                            }
                        };
                        cancels.push(branch.session().cancel_handle());
                        let number = next;
                        let unanswered = Arc::clone(&unanswered);
                        under_way.spawn(async move {
                            let row = finish(number, branch, at, turns, is_json, &unanswered).await;
                            drop(permit);
                            row
                        });
                        next += 1;
                    }
                }
            }
            Ok((rows, is_interrupted, failed))
        });
        signals::shut_down(runtime, false);
        let (rows, is_interrupted, failed) = rows?;
        if !is_json && !rows.is_empty() {
            terminal.print(&table(rows.values()));
        }
        if let Some(error) = failed {
            return Err(error.into());
        }
        Ok(match is_interrupted {
            true => Status::Interrupted,
            false => rows
                .values()
                .map(|row| row.status)
                .max()
                .unwrap_or(Status::Done),
        })
    }

    /// Returns the change of the options, and the tickets that they answer.
    fn change(&self, run: &Run, terminal: &Terminal) -> Result<(Change, Vec<u64>)> {
        let mut change = Change::new();
        if self.code.is_some() || self.script.is_some() {
            change = change.source(script(
                self.code.as_deref(),
                self.script.as_deref(),
                terminal,
            )?);
        }
        let turns = run.turns();
        let end = turns.last().map_or(0, |turn| turn.number + 1);
        if self.at == end && self.code.is_none() && self.script.is_none() {
            return Err(usage(format!(
                "the run has {} up to there and no script after it: choose another --at, or give a script with --code or --script",
                count(end, "execution")
            )));
        }
        let mut tickets = Vec::new();
        for answer in &self.answer {
            let (ticket, path) = answer
                .split_once('=')
                .and_then(|(ticket, path)| Some((ticket.parse::<u64>().ok()?, path)))
                .ok_or_else(|| {
                    usage(format!(
                        "--answer {answer}: write CALL=FILE, as in 3=answer.txt"
                    ))
                })?;
            if tickets.contains(&ticket) {
                return Err(usage(format!(
                    "--answer {answer}: call {ticket} has an answer already"
                )));
            }
            tickets.push(ticket);
            let text = String::from_utf8(read(Path::new(path))?)
                .map_err(|_| usage(format!("--answer {answer}: the file is not UTF-8")))?;
            let value = value(&turns, ticket, text);
            change = change.answer(ticket, Answer::Returned(value));
        }
        change = match self.record {
            true => change.record(),
            false => record::branch_unasked(change)?,
        };
        Ok((change, tickets))
    }
}

/// The part of a run that branches repeat.
struct Repeated {
    at: u64,
    /// The number of the first execution that none of them has.
    end: u64,
    /// True if the first execution has another script.
    has_script: bool,
    /// The calls that options answer.
    tickets: Vec<u64>,
}

impl Repeated {
    /// Returns the names of functions that the recorded scripts call in the branches and that nothing answers. Calls before
    /// the first one that an option answers have their recorded answers.
    fn unanswered(&self, turns: &[Turn]) -> BTreeSet<String> {
        let first = self.tickets.iter().min().copied().unwrap_or(0);
        let turns = turns.iter().filter(|turn| {
            let is_replaced = self.has_script && turn.number == self.at;
            turn.number < self.end && !is_replaced
        });
        let calls = turns.flat_map(|turn| &turn.calls);
        let calls =
            calls.filter(|call| call.ticket >= first && !self.tickets.contains(&call.ticket));
        calls.map(|call| call.name.clone()).collect()
    }
}

/// Returns the note about functions that nothing answers.
fn note(unanswered: &BTreeSet<String>) -> Option<String> {
    let names: Vec<_> = unanswered.iter().map(|name| format!("{name}()")).collect();
    let calls = match names.len() {
        0 => return None,
        1 => "whose calls raise an exception",
        _ => "which raise an exception",
    };
    Some(format!(
        "note: nothing answers {} of the recorded scripts, {calls}; give --tool, --plugin or --llm-command\n",
        names.join(", ")
    ))
}

/// Returns a text as a command that answers the call would be understood.
fn value(turns: &[Turn], ticket: u64, mut text: String) -> Json {
    let mut calls = turns.iter().flat_map(|turn| &turn.calls);
    let call = calls.find(|call| call.ticket == ticket);
    if text.ends_with('\n') {
        text.pop();
    }
    match call.map(|call| call.name.as_str()) {
        Some("llm_query" | "rlm_query") => Json::String(text),
        _ => python_json(&text, false).unwrap_or(Json::String(text)),
    }
}

async fn finish(
    number: u64,
    mut branch: Branch,
    at: u64,
    turns: usize,
    is_json: bool,
    unanswered: &BTreeSet<String>,
) -> Row {
    let mut row = Row {
        branch: number,
        recorded: branch.number(),
        session: branch.session().id().to_owned(),
        at,
        executions: 0,
        ended: "at the end",
        result: String::new(),
        raised: Vec::new(),
        stdout: Vec::new(),
        dropped_bytes: 0,
        asked: 0,
        fuel: 0,
        model_calls: 0,
        input_tokens: 0,
        output_tokens: 0,
        compute_ms: 0,
        elapsed_ms: 0,
        status: Status::Done,
    };
    while row.executions < turns {
        match branch.advance().await {
            Ok(Some(outcome)) => {
                let asked = outcome.calls.iter();
                let asked = asked.filter(|call| {
                    call.progress != Progress::Refused
                        && !unanswered.contains(&call.name)
                        && !branch.gave(call)
                });
                row.asked += asked.count() as u64;
                let is_over = outcome.finish.is_some() || outcome.is_canceled();
                row.add(outcome, is_json);
                if is_over {
                    break;
                }
            }
            Ok(None) => break,
            Err(error) => {
                row.status = Status::Sandbox;
                (row.ended, row.result) = ("failed", error.to_string());
                break;
            }
        }
    }
    row
}

impl Row {
    /// Adds an execution, which is the last one so far. What it printed is kept for JSON alone.
    fn add(&mut self, outcome: Outcome, is_json: bool) {
        if matches!(self.ended, "raised" | "stopped" | "crashed") && self.raised.len() < RAISED {
            let most = if is_json { EXCEPTION } else { 4 * WIDTH };
            let exception = one_line(&self.result, most);
            let execution = self.at + self.executions as u64 - 1;
            self.raised.push(Raised {
                execution,
                exception,
            });
        }
        self.executions += 1;
        self.status = status(&outcome);
        self.fuel = self.fuel.saturating_add(outcome.usage.fuel);
        self.model_calls = self.model_calls.saturating_add(outcome.usage.model_calls);
        self.input_tokens = self.input_tokens.saturating_add(outcome.usage.tokens.input);
        self.output_tokens = self
            .output_tokens
            .saturating_add(outcome.usage.tokens.output);
        self.compute_ms += outcome.usage.compute.as_millis();
        self.elapsed_ms += outcome.usage.elapsed.as_millis();
        (self.ended, self.result) = match (outcome.finish, outcome.ending) {
            (Some(finish), _) => ("final", finish.answer.repr),
            (None, Ending::Value(Some(value))) => ("value", value.repr),
            (None, Ending::Value(None)) => ("done", outcome.stdout.trim_end().to_owned()),
            (None, Ending::Raised(exception)) => ("raised", exception.to_string()),
            (None, Ending::Stopped(_, exception)) => ("stopped", exception.to_string()),
            (None, Ending::Crashed(exception)) => ("crashed", exception.to_string()),
            (None, _) => ("ended", String::new()),
        };
        let kept: usize = self.stdout.iter().map(String::len).sum();
        self.dropped_bytes += outcome.dropped_bytes;
        let has_room = kept + outcome.stdout.len() <= STDOUT_BYTES;
        match (is_json, has_room) {
            (true, true) => self.stdout.push(outcome.stdout),
            (true, false) => {
                self.dropped_bytes += outcome.stdout.len() as u64;
                self.stdout.push(String::new());
            }
            (false, _) => self.shorten(),
        }
    }

    /// Keeps what the table shows.
    fn shorten(&mut self) {
        self.result = one_line(&self.result, EXCEPTION);
        self.stdout = Vec::new();
    }
}

/// Returns a table of all branches, and of what they came to.
fn table<'r>(rows: impl Iterator<Item = &'r Row>) -> String {
    let mut text = format!(
        "{:>6}  {:>5}  {:<10}  {:<WIDTH$}  {:>6}  {:>14}  {:>9}  {:>9}\n",
        "branch", "execs", "ended", "result", "asked", "fuel", "compute", "elapsed"
    );
    let mut results: BTreeMap<(&str, String), u64> = BTreeMap::new();
    let (mut is_recorded, mut shown) = (false, BTreeSet::new());
    for row in rows {
        let (ended, result) = (row.ended, one_line(&row.result, WIDTH));
        text.push_str(&format!(
            "{:>6}  {:>5}  {ended:<10}  {result:<WIDTH$}  {:>6}  {:>14}  {:>6} ms  {:>6} ms\n",
            row.recorded.unwrap_or(row.branch),
            row.executions,
            row.asked,
            row.fuel,
            row.compute_ms,
            row.elapsed_ms,
        ));
        for Raised {
            execution,
            exception,
        } in row.raised.iter().take(RESULTS)
        {
            let line = format!("        execution {execution} raised {exception}\n");
            // Branches often fail alike: each failure is shown once.
            if shown.insert(line.clone()) {
                text.push_str(&line);
            }
        }
        let is_exception = !matches!(ended, "final" | "value" | "done" | "at the end");
        let line = format!("        {ended} by {}\n", row.result);
        if is_exception && result != row.result && shown.insert(line.clone()) {
            text.push_str(&line);
        }
        is_recorded |= row.recorded.is_some();
        *results.entry((ended, result)).or_default() += 1;
    }
    if results.values().sum::<u64>() > 1 {
        let mut results: Vec<_> = results.into_iter().collect();
        results.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        text.push_str(&match results.len() {
            1 => String::from("one result\n"),
            many => format!("{many} different results\n"),
        });
        for ((ended, result), times) in results.iter().take(RESULTS) {
            text.push_str(&format!("{times:>6} times  {ended:<10}  {result}\n"));
        }
    }
    if is_recorded {
        text.push_str("recorded under these numbers beside the run\n");
    }
    text
}

/// Returns the beginning of a text, on one line.
fn one_line(text: &str, most: usize) -> String {
    let is_shown = |character: char| match character.is_control() {
        true => ' ',
        false => character,
    };
    let mut line: String = text.chars().take(most).map(is_shown).collect();
    if text.chars().nth(most).is_some() {
        line.pop();
        line.push('…');
    }
    line
}
