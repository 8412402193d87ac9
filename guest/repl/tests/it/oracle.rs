//! What a program gives here, and what it gives under CPython.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rlm_repl::bindings::exports::rlm::sandbox::repl::*;
use rlm_repl::{Accepted, Channel, ContextError, Host, Level, Prompt, Repl, Reply};
use serde_json::{Value as Json, json};

use crate::host::{profile, settings};

/// A model that says what it was asked.
#[derive(Default)]
struct Echo {
    printed: RefCell<String>,
    asked: RefCell<Vec<(bool, Vec<String>)>>,
    context: String,
}

impl Host for &Echo {
    fn write_output(&self, to: Channel, text: &str) -> Accepted {
        if matches!(to, Channel::Out) {
            self.printed.borrow_mut().push_str(text);
        }
        Accepted::All
    }

    fn log(&self, _: Level, message: &str) {
        panic!("{message}");
    }

    fn at(&self, _: u32, _: u32) {}

    fn read_context(&self, _: &str, offset: u64, length: u32) -> Result<String, ContextError> {
        let end = self.context.len().min(offset as usize + length as usize);
        Ok(self.context[offset as usize..end].to_owned())
    }

    fn read_context_bytes(&self, _: &str, _: u64, _: u32) -> Result<Vec<u8>, ContextError> {
        Err(ContextError::Unknown)
    }

    fn llm_query(&self, prompts: &[Prompt], batched: bool) -> Reply {
        let mut asked = self.asked.borrow_mut();
        let texts = prompts.iter().map(|prompt| prompt.text.clone());
        asked.push((batched, texts.collect()));
        Reply::Pending(asked.len() as u64 - 1)
    }

    fn call_tool(&self, _: &str, _: &str) -> Reply {
        Reply::Returned(String::from("null"))
    }
}

impl Echo {
    fn answer(&self, ticket: u64) -> Answer {
        let (batched, prompts) = &self.asked.borrow()[ticket as usize];
        let mut answers = prompts.iter().map(|prompt| {
            let said: String = prompt.chars().take(40).collect();
            json!(format!("echo: {said}"))
        });
        let answer = match batched {
            true => answers.collect(),
            false => answers.next().unwrap_or_default(),
        };
        Answer::Returned(answer.to_string())
    }
}

/// What a program came to.
#[derive(Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) printed: String,
    pub(crate) value: Option<String>,
    pub(crate) error: Option<(String, String)>,
}

/// What we make of a program, and the hint if it was refused with one.
pub(crate) fn run(context: &str, source: &str) -> (Ran, Option<String>) {
    let host = Echo {
        context: context.to_owned(),
        ..Echo::default()
    };
    let mut repl = Repl::new(&host);
    let mut settings = settings(profile());
    settings.functions.clear();
    settings.limits.recursion = 1000;
    repl.configure(settings).expect("right");
    let entry = Entry {
        name: "context".into(),
        form: Form::Text,
        size_bytes: context.len() as u64,
        characters: context.chars().count() as u64,
    };
    repl.set_contexts(vec![entry.clone()], Some(entry))
        .expect("idle");
    let mut step = repl.exec(source).expect("idle");
    let outcome = loop {
        match step {
            Step::Complete(outcome) => break outcome,
            Step::Suspended(suspension) => {
                let tickets = suspension.waiting.iter();
                let answers = tickets.map(|ticket| (*ticket, host.answer(*ticket)));
                let how = Resumption::Answers(answers.collect());
                step = repl.resume(how).expect("waits");
            }
        }
    };
    let (value, failure) = match outcome.ending {
        Ending::Value(value) => (value.map(|value| value.repr), None),
        Ending::Raised(failure) => (None, Some(failure)),
        Ending::Stopped((stop, _)) => panic!("{stop:?}: {source}"),
    };
    let hint = failure.as_ref().and_then(|failure| failure.hint.clone());
    let error = failure.map(|failure| (failure.exception.kind, older(failure.exception.message)));
    let printed = older(host.printed.borrow().clone());
    let value = value.map(older);
    (
        Ran {
            printed,
            value,
            error,
        },
        hint,
    )
}

/// Where the programs lie, and what runs them under CPython.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/idioms")
}

/// The text that all programs have as their context.
pub(crate) fn context() -> String {
    std::fs::read_to_string(folder().join("context.txt")).expect("readable")
}

/// CPython, for as many programs as one likes.
pub(crate) struct Oracle {
    python: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    /// None without a python3.
    pub(crate) fn start() -> Option<Self> {
        let mut python = Command::new("python3")
            .arg(folder().join("expect.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let questions = python.stdin.take();
        let answers = BufReader::new(python.stdout.take()?);
        Some(Self {
            python,
            questions,
            answers,
        })
    }

    /// What CPython makes of the programs.
    pub(crate) fn ask<'a>(
        &mut self,
        context: &str,
        sources: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Ran> {
        let mut given = vec![json!(context)];
        given.extend(sources.into_iter().map(|source| json!(source)));
        let questions = self.questions.as_mut().expect("not ended");
        writeln!(questions, "{}", Json::Array(given)).expect("read");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("told");
        type Told = (String, Option<String>, Option<(String, String)>);
        let results: Vec<Told> = serde_json::from_str(&answer).expect("results");
        let results = results.into_iter();
        results
            .map(|(printed, value, error)| Ran {
                printed,
                value,
                error,
            })
            .collect()
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        self.questions = None;
        let _ = self.python.wait();
    }
}

/// What the newest CPython, and Monty with it, says with a number at its end,
/// and what older ones say instead.
const LONGER: [(&str, &str); 9] = [
    ("must be in 0..23, not ", "must be in 0..23"),
    ("must be in 0..59, not ", "must be in 0..59"),
    ("must be in 1..12, not ", "must be in 1..12"),
    ("expected a nonnegative input, got ", "math domain error"),
    ("expected a positive input, got ", "math domain error"),
    ("expected a positive input", "math domain error"),
    (
        "expected a number in range from -1 up to 1, got ",
        "math domain error",
    ),
    ("are not JSON compliant: ", "are not JSON compliant"),
    (
        "%c requires an int or a unicode character, not a string of length ",
        "%c requires int or char",
    ),
];

/// A text with the messages in it as older versions of CPython word them.
fn older(mut text: String) -> String {
    let is_number = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '+');
    for (newer, older) in LONGER {
        while let Some(at) = text.find(newer) {
            let rest = &text[at + newer.len()..];
            let number = rest.find(|c| !is_number(c)).unwrap_or(rest.len());
            text.replace_range(at..at + newer.len() + number, older);
        }
    }
    // What else is said around it.
    let around = [
        (
            "cannot use '",
            "(unhashable type: ",
            ")",
            "unhashable type: ",
        ),
        ("too many values to unpack (expected ", ", got ", ")", ""),
    ];
    for (begins, newer, ends, older) in around {
        let mut done = 0;
        while let Some(at) = text[done..].find(begins).map(|at| done + at) {
            done = at + begins.len();
            let line = text[done..].lines().next().unwrap_or_default();
            let parts = line.find(newer).and_then(|middle| {
                let rest = &line[middle + newer.len()..];
                Some((
                    done + middle,
                    done + middle + newer.len() + rest.find(ends)?,
                ))
            });
            match parts {
                Some((middle, end)) if older.is_empty() => text.replace_range(middle..end, ""),
                Some((middle, end)) => {
                    text.replace_range(end..end + ends.len(), "");
                    text.replace_range(at..middle + newer.len(), older);
                }
                None => {}
            }
        }
    }
    text
}
