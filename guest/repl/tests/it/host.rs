//! A host that answers natively, and how the tests use it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rlm_repl::bindings::exports::rlm::sandbox::repl::*;
use rlm_repl::{Accepted, Channel, ContextError, Host, Level, Prompt, Repl, Reply};

/// Answers tools by their name: `now_*` at once, `fail` with an exception,
/// anything else later.
#[derive(Default)]
pub(crate) struct TestHost {
    pub(crate) said: RefCell<String>,
    pub(crate) asked: RefCell<Vec<String>>,
    pub(crate) contexts: BTreeMap<String, Vec<u8>>,
    pub(crate) reads: RefCell<u32>,
    /// Positions that the host was told: script and line.
    pub(crate) positions: RefCell<Vec<(u32, u32)>>,
    /// The conversation as JSON, where it is not the usual one.
    pub(crate) history: Option<String>,
}

impl TestHost {
    fn ticket(&self, request: String) -> u64 {
        self.asked.borrow_mut().push(request);
        self.asked.borrow().len() as u64 - 1
    }
}

impl Host for &TestHost {
    fn write_output(&self, to: Channel, text: &str) -> Accepted {
        self.said.borrow_mut().push_str(match to {
            Channel::Out => "",
            Channel::Err => "!",
        });
        self.said.borrow_mut().push_str(text);
        Accepted::All
    }

    fn log(&self, _: Level, message: &str) {
        panic!("{message}");
    }

    fn at(&self, script: u32, line: u32) {
        self.positions.borrow_mut().push((script, line));
    }

    fn read_context(&self, name: &str, offset: u64, length: u32) -> Result<String, ContextError> {
        let bytes = self.contexts.get(name).ok_or(ContextError::Unknown)?;
        let text = std::str::from_utf8(bytes).map_err(|_| ContextError::Binary)?;
        *self.reads.borrow_mut() += 1;
        let start = offset as usize;
        let mut end = text.len().min(start + length as usize);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Ok(text.get(start..end).ok_or(ContextError::Offset)?.to_owned())
    }

    fn read_context_bytes(
        &self,
        name: &str,
        offset: u64,
        length: u32,
    ) -> Result<Vec<u8>, ContextError> {
        let bytes = self.contexts.get(name).ok_or(ContextError::Unknown)?;
        Ok(bytes[offset as usize..bytes.len().min(offset as usize + length as usize)].to_vec())
    }

    fn llm_query(&self, prompts: &[Prompt], batched: bool) -> Reply {
        let texts: Vec<_> = prompts.iter().map(|prompt| prompt.text.as_str()).collect();
        Reply::Pending(self.ticket(format!(
            "llm{} {}",
            if batched { "s" } else { "" },
            texts.join("|")
        )))
    }

    fn call_tool(&self, name: &str, arguments: &str) -> Reply {
        let ticket = self.ticket(format!("{name}{arguments}"));
        match name {
            "now" | "index.now" => Reply::Returned(format!("{ticket}")),
            "fail" => Reply::Raised(Exception {
                kind: "ValueError".into(),
                message: "no such row".into(),
            }),
            "halt" => Reply::Stopped(Stop::Calls),
            "budget" => Reply::Returned(r#"{"llm_calls_left":3}"#.into()),
            "history" => Reply::Returned(match &self.history {
                Some(json) => json.clone(),
                None => r#"[{"role":"user","content":"hi"}]"#.into(),
            }),
            _ => Reply::Pending(ticket),
        }
    }
}

/// All names, all modules but those that reach outside, and no `eval`.
pub(crate) fn profile() -> Profile {
    use Name::*;
    Profile {
        names: vec![
            Context,
            Files,
            ReadContext,
            LlmQuery,
            LlmQueryBatched,
            LlmBatch,
            RlmQuery,
            RlmQueryBatched,
            AskLlm,
            Final,
            FinalVar,
            Submit,
            SubmitAnswer,
            Name::Answer,
            ShowVars,
            Budget,
            History,
            Buffers,
            ChunkIndices,
            Log,
        ],
        imports: Imports::Standard,
        eval: false,
        refused: vec![],
        wraps_return: false,
        fences: Fences::Whole,
        ends_undefined: false,
        shows_values: false,
        opens_contexts: false,
        outputs: vec![],
        compat: true,
    }
}

pub(crate) fn settings(profile: Profile) -> Settings {
    let function = |name: &str, awaitable| Function {
        name: name.into(),
        awaitable,
    };
    Settings {
        functions: vec![
            function("now", false),
            function("later", false),
            function("fail", false),
            function("halt", false),
            function("soon", true),
            function("index.now", false),
            function("index.later", false),
            function("index.soon", true),
        ],
        profile,
        limits: Limits {
            memory_bytes: 64 << 20,
            recursion: 200,
            source_bytes: 65_536,
            value_bytes: 1 << 20,
            request_bytes: 1 << 20,
            allocations: None,
            jump_nanoseconds: 1 << 50,
        },
        seed: 42,
    }
}

pub(crate) fn repl(host: &TestHost) -> Repl<&TestHost> {
    repl_with(host, profile())
}

pub(crate) fn repl_with(host: &TestHost, profile: Profile) -> Repl<&TestHost> {
    let mut repl = Repl::new(host);
    repl.configure(settings(profile))
        .expect("settings are right");
    let entry = |name: &str, bytes: &Vec<u8>| Entry {
        name: name.into(),
        form: match name {
            _ if name.ends_with(".json") => Form::Json,
            _ if name.ends_with(".bin") => Form::Bytes,
            _ => Form::Text,
        },
        size_bytes: bytes.len() as u64,
        characters: String::from_utf8_lossy(bytes).chars().count() as u64,
    };
    let files: Vec<_> = host
        .contexts
        .iter()
        .map(|(name, bytes)| entry(name, bytes))
        .collect();
    let default = files.first().cloned();
    repl.set_contexts(files, default).expect("idle");
    repl
}

/// Tells a step in one line.
pub(crate) fn tell(step: Step) -> String {
    match step {
        Step::Complete(Outcome {
            finish: Some(finish),
            ..
        }) => {
            let json = finish.answer.json.unwrap_or_default();
            match finish.by {
                Finisher::Direct => format!("FINAL {json}"),
                Finisher::Variable(name) => format!("FINAL {name} = {json}"),
                Finisher::Undefined(name) => format!("FINAL undefined {name}: {json}"),
                Finisher::Fields(_) => format!("SUBMIT {json}"),
                Finisher::Ready => format!("answer {json}"),
            }
        }
        Step::Suspended(suspension) => format!(
            "waits for {:?}, open {:?}",
            suspension.waiting, suspension.open
        ),
        Step::Complete(Outcome {
            ending: Ending::Value(None),
            ..
        }) => "None".into(),
        Step::Complete(Outcome {
            ending: Ending::Value(Some(value)),
            ..
        }) => match value.json {
            Some(json) if json != value.repr => format!("{} = {json}", value.repr),
            _ => value.repr,
        },
        Step::Complete(Outcome {
            ending: Ending::Raised(failure),
            ..
        }) => {
            let places: Vec<_> = failure
                .frames
                .iter()
                .map(|at| format!("{}:{}:{}-{}", at.file, at.line, at.column, at.end_column))
                .collect();
            format!(
                "{}: {} [{}] {}",
                failure.exception.kind,
                failure.exception.message,
                failure.cause,
                places.join(" ")
            )
        }
        Step::Complete(Outcome {
            ending: Ending::Stopped((stop, _)),
            ..
        }) => format!("stopped: {stop:?}"),
    }
}

/// Runs scripts one after another in a namespace and tells each step.
#[track_caller]
pub(crate) fn check(host: &TestHost, steps: &[(&str, &str)]) {
    check_with(host, profile(), steps);
}

#[track_caller]
pub(crate) fn check_with(host: &TestHost, profile: Profile, steps: &[(&str, &str)]) {
    let mut repl = repl_with(host, profile);
    for (source, expected) in steps {
        let step = repl.exec(source).expect("idle");
        assert_eq!(tell(step), *expected, "{source}");
    }
}

pub(crate) fn returned(ticket: u64, json: &str) -> (u64, Answer) {
    (ticket, Answer::Returned(json.into()))
}
