//! Programs as models write them give what they give under CPython, or are
//! refused with a hint. The programs lie in `tests/idioms`, one file for each
//! kind of idiom.

use std::cell::RefCell;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
struct Ran {
    printed: String,
    value: Option<String>,
    error: Option<(String, String)>,
}

fn run(context: &str, source: &str) -> (Ran, Option<String>) {
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

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/idioms")
}

/// What is expected of a program, by the mark before its name.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    /// `%`: it runs as in CPython.
    Same,
    /// `!`: it is refused, with a hint.
    Refused,
    /// `?`: it is known to differ, in the text of a message or in a corner of a builtin.
    Differs,
}

/// What the newest CPython, and Monty with it, says with a number at its end,
/// and what older ones say instead.
const LONGER: [(&str, &str); 6] = [
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

struct Program {
    name: String,
    source: String,
    fate: Fate,
}

/// The programs of one file; `# %`, the mark and the name begin each.
fn programs(path: &Path) -> Vec<Program> {
    let class = path.file_stem().expect("named").to_string_lossy();
    let text = std::fs::read_to_string(path).expect("readable");
    let mut programs: Vec<Program> = Vec::new();
    for line in text.lines() {
        let head = line
            .strip_prefix("# %")
            .and_then(|head| head.split_once(' '));
        match (head, programs.last_mut()) {
            (Some((mark @ ("%" | "!" | "?"), name)), _) => programs.push(Program {
                name: format!("{class}: {name}"),
                source: String::new(),
                fate: match mark {
                    "%" => Fate::Same,
                    "!" => Fate::Refused,
                    _ => Fate::Differs,
                },
            }),
            (_, Some(program)) => {
                program.source.push_str(line);
                program.source.push('\n');
            }
            (_, None) => panic!("{}: a program begins with its name", path.display()),
        }
    }
    programs
}

/// What CPython makes of the programs; none without one.
fn expected(context: &str, sources: &[&str]) -> Option<Vec<Ran>> {
    let mut python = Command::new("python3")
        .arg(folder().join("expect.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut given = vec![json!(context)];
    given.extend(sources.iter().map(|source| json!(source)));
    let mut stdin = python.stdin.take().expect("a pipe");
    stdin
        .write_all(Json::Array(given).to_string().as_bytes())
        .expect("read");
    drop(stdin);
    let output = python.wait_with_output().expect("ends");
    type Told = (String, Option<String>, Option<(String, String)>);
    let results: Vec<Told> = serde_json::from_slice(&output.stdout).expect("results");
    let results = results.into_iter();
    Some(
        results
            .map(|(printed, value, error)| Ran {
                printed,
                value,
                error,
            })
            .collect(),
    )
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "nobody is to miss that nothing was compared"
)]
fn programs_do_what_they_do_in_cpython_or_are_refused_with_a_hint() {
    let context = std::fs::read_to_string(folder().join("context.txt")).expect("readable");
    let mut files: Vec<_> = std::fs::read_dir(folder())
        .expect("a folder")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| {
            path.extension().is_some_and(|end| end == "py") && !path.ends_with("expect.py")
        })
        .collect();
    files.sort();
    let wanted = std::env::var("IDIOMS").ok();
    let mut all: Vec<_> = files.iter().flat_map(|path| programs(path)).collect();
    if let Some(wanted) = wanted {
        all.retain(|program| program.name.starts_with(&wanted));
    }
    let sources: Vec<&str> = all.iter().map(|program| program.source.as_str()).collect();
    let Some(expected) = expected(&context, &sources) else {
        eprintln!(
            "NOT COMPARED: there is no python3 here, so nothing is known of {} programs",
            all.len()
        );
        return;
    };
    let (mut counts, mut wrong) = ([0; 3], Vec::new());
    for (program, expected) in all.iter().zip(expected) {
        let (got, hint) = run(&context, &program.source);
        let fate = match (got == expected, hint.is_some()) {
            (true, _) => Fate::Same,
            (false, true) => Fate::Refused,
            (false, false) => Fate::Differs,
        };
        counts[fate as usize] += 1;
        let Program { name, source, .. } = program;
        if fate != program.fate {
            wrong.push(format!(
                "##### {name}, {:?} expected\n{source}\n--- want {expected:?}\n--- got  {got:?} {hint:?}\n",
                program.fate
            ));
        }
    }
    let [same, refused, differ] = counts;
    eprintln!("{same} the same, {refused} refused, {differ} known to differ");
    if let Ok(path) = std::env::var("IDIOMS_REPORT") {
        std::fs::write(path, wrong.join("\n")).expect("writable");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
