//! Lines from clients, made up.
//!
//! Each input goes to a process of its own: requests with parameters of every form,
//! lines with damaged bytes, in one piece or in pieces. Each line that comes back is a
//! message; afterwards a script runs as ever, the process has held no more memory than
//! it may, and it ends well. `tests/fuzz` has the other targets and describes how to
//! run them.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]
#![allow(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test may panic, and people read how far it got"
)]

mod client;
#[path = "../../../tests/fuzz/target.rs"]
mod target;

use std::io::Write as _;
use std::process::{Command, ExitCode};
use std::sync::mpsc::{RecvTimeoutError, channel};

use libtest_mimic::Arguments;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::BoxedStrategy;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use client::{Client, PATIENCE};
use target::Target;

fn main() -> ExitCode {
    let mut all = Vec::new();
    if cfg!(target_os = "linux") {
        all.extend(target::trials::<Messages>(30));
    }
    libtest_mimic::run(&Arguments::from_args(), all).exit_code()
}

struct Messages;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Input {
    frontend: Frontend,
    lines: Vec<Line>,
    /// Bytes written at a time.
    piece: usize,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Frontend {
    Worker,
    Mcp,
    DspyRunner,
}

/// A line as text, and damage to its bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    text: String,
    damage: Vec<(usize, Damage)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Damage {
    Set(u8),
    Insert(Vec<u8>),
    Repeat(Vec<u8>, usize),
    Remove(usize),
    Cut,
}

/// Bytes that a process may hold at the most, as in `messages.rs`.
const MOST: u64 = 600 << 20;
/// The id of the request that follows the made-up lines.
const LAST: u64 = 4_242_424_242;

const NAMES: [&str; 14] = [
    "x", "data", "context", "s1", "s2", "f", "answer", "", "a b", "_rlm_kit", "𝐢𝐟", "\0", "../x",
    "*",
];
const CODES: [&str; 14] = [
    "x = 1",
    "x",
    "data = [1] * 1000\nlen(data)",
    "len(context)",
    "print('a' * 100000)",
    "1 / 0",
    "def (",
    "llm_query('q')",
    "f(1, a=2)",
    "SUBMIT(answer=1)",
    "x = {(1, 2): b'3', 'n': float('nan'), 'i': 10 ** 5000}\nx",
    "'\\x1b[31m\\u202e'",
    "import os",
    "globals()['y'] = 1",
];

/// JSON of any form, as text: a parser of its own would refuse some of it.
fn any_json() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        4 => select(vec![
            "null", "true", "0", "-0", "-1", "1e999", "-0.0", "9007199254740993", "1e-400",
            "18446744073709551616", "4294967296", "\"\"", "\"\\ud800\"", "\"\\u0000\"", "{}", "[]",
            "{\"$int\":\"x\"}", "{\"$set\":[[1]]}", "\"2026-01-01T00:00:00+99:00\"", "01", "NaN",
            "\"\\x\"", "'a'",
        ])
        .prop_map(str::to_owned),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => (1..30_000_usize).prop_map(|digits| "7".repeat(digits)),
        1 => any::<String>().prop_map(|text| json!(text).to_string()),
        1 => (1..400_usize).prop_map(|depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth))),
        2 => select(NAMES.to_vec()).prop_map(|name| json!(name).to_string()),
        2 => select(CODES.to_vec()).prop_map(|code| json!(code).to_string()),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((member(), inner), 0..5).prop_map(object),
        ]
    })
    .boxed()
}

fn object(members: Vec<(String, String)>) -> String {
    let members: Vec<_> = members
        .iter()
        .map(|(name, value)| format!("{}:{value}", json!(name)))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn member() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => select(vec![
            "session", "code", "name", "text", "path", "pattern", "timeout_ms", "limit", "offset",
            "context_lines", "value", "type", "contexts", "with", "without", "limits", "profile",
            "tools", "outputs", "host_path", "virtual_path", "parked", "key", "journal", "file",
            "arguments", "format", "params", "id", "$int", "max_results", "ignore_case", "seed",
        ])
        .prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

/// Parameters that a method knows, some of them replaced.
fn params(known: Json) -> BoxedStrategy<String> {
    let known: Vec<(String, String)> = known
        .as_object()
        .expect("an object")
        .iter()
        .map(|(name, value)| (name.clone(), value.to_string()))
        .collect();
    let replaced = prop::collection::vec((any::<prop::sample::Index>(), any_json()), 0..2);
    let added = prop::collection::vec((member(), any_json()), 0..2);
    prop_oneof![
        8 => (Just(known), replaced, added).prop_map(|(mut members, replaced, added)| {
            for (index, value) in replaced {
                if !members.is_empty() {
                    let index = index.index(members.len());
                    members[index].1 = value;
                }
            }
            members.extend(added);
            object(members)
        }),
        1 => any_json(),
    ]
    .boxed()
}

fn worker() -> BoxedStrategy<(String, String)> {
    let code = || select(CODES.to_vec());
    let name = || select(NAMES.to_vec());
    prop_oneof![
        2 => Just(json!({"profile": "rlm"})).prop_flat_map(|known| call("open", known)),
        6 => (name(), code()).prop_flat_map(|(_, code)| call("exec", json!({"session": "s1", "code": code}))),
        2 => (name(), any::<bool>()).prop_flat_map(|(name, _)| call("set", json!({"session": "s1", "with": {name: "text"}, "without": [name]}))),
        2 => name().prop_flat_map(|name| call("get_variable", json!({"session": "s1", "name": name}))),
        1 => code().prop_flat_map(|code| call("validate", json!({"code": code}))),
        1 => select(vec!["close", "cancel", "reset", "list_variables", "park", "variables", "instructions", "hello", "step", "resume"])
            .prop_flat_map(|method| call(method, json!({"session": "s1"}))),
        1 => select(vec!["restore", "replay"])
            .prop_flat_map(|method| call(method, json!({"parked": "AAAA", "journal": "/dev/null", "key": "aaaa"}))),
    ]
    .boxed()
}

fn mcp() -> BoxedStrategy<(String, String)> {
    let tool = |name: &'static str, arguments: Json| {
        params(arguments).prop_map(move |arguments| {
            let params = format!("{{\"name\":\"{name}\",\"arguments\":{arguments}}}");
            (String::from("tools/call"), params)
        })
    };
    let code = || select(CODES.to_vec());
    prop_oneof![
        6 => code().prop_flat_map(move |code| tool("exec_python", json!({"code": code, "timeout_ms": 1000}))),
        2 => select(NAMES.to_vec()).prop_flat_map(move |name| tool("load_context", json!({"name": name, "text": "a\nb"}))),
        2 => select(vec!["a", "(a*)*b", "[", "\\p{Greek}{1000}", "(?s).{9999}", ""])
            .prop_flat_map(move |pattern| tool("search_context", json!({"pattern": pattern, "name": "context"}))),
        1 => tool("load_context", json!({"name": "f", "path": "/etc/passwd"})),
        1 => tool("remove_context", json!({"name": "context"})),
        1 => tool("get_variable", json!({"name": "x"})),
        1 => tool("list_variables", json!({})),
        1 => tool("reset", json!({})),
        1 => select(vec!["ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list", "initialize", "logging/setLevel", "notifications/initialized"])
            .prop_flat_map(|method| call(method, json!({}))),
        1 => call("resources/read", json!({"uri": "context://context"})),
        1 => call("notifications/cancelled", json!({"requestId": 1})),
    ]
    .boxed()
}

fn dspy_runner() -> BoxedStrategy<(String, String)> {
    prop_oneof![
        6 => select(CODES.to_vec()).prop_flat_map(|code| call("execute", json!({"code": code}))),
        2 => call("register", json!({"tools": [{"name": "f", "parameters": [{"name": "a", "type": "int"}]}], "outputs": [{"name": "answer", "type": "str"}]})),
        2 => select(NAMES.to_vec()).prop_flat_map(|name| call("inject_var", json!({"name": name, "value": "[1, 2]"}))),
        1 => call("mount_file", json!({"host_path": "/etc/passwd", "virtual_path": "/sandbox/x"})),
        1 => call("sync_file", json!({"host_path": "/dev/null", "virtual_path": "/sandbox/x"})),
        1 => select(vec!["ping", "health", "nothing"]).prop_flat_map(|method| call(method, json!({}))),
    ]
    .boxed()
}

fn call(method: &'static str, known: Json) -> BoxedStrategy<(String, String)> {
    params(known)
        .prop_map(move |params| (method.to_owned(), params))
        .boxed()
}

fn line(calls: BoxedStrategy<(String, String)>) -> impl Strategy<Value = Line> {
    let id = prop_oneof![
        8 => (1..40_u32).prop_map(|id| id.to_string()),
        1 => Just(String::from("null")),
        1 => any_json(),
    ];
    let text = prop_oneof![
        16 => (calls, id).prop_map(|((method, params), id)| {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
        }),
        1 => any_json().prop_map(|id| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)),
        1 => any_json().prop_map(|error| format!(r#"{{"jsonrpc":"2.0","id":1,"error":{error}}}"#)),
        1 => any_json(),
    ];
    let damage = prop_oneof![
        any::<u8>().prop_map(Damage::Set),
        prop::collection::vec(any::<u8>(), 1..5).prop_map(Damage::Insert),
        (
            select(vec!["[", "{\"a\":", "\"", "\\", "9", " ", "\n"]),
            1..300_000_usize
        )
            .prop_map(|(text, count)| Damage::Repeat(text.into(), count)),
        (1..50_usize).prop_map(Damage::Remove),
        Just(Damage::Cut),
    ];
    let damage = prop_oneof![
        6 => Just(Vec::new()),
        1 => prop::collection::vec((any::<usize>(), damage), 1..3),
    ];
    (text, damage).prop_map(|(text, damage)| Line { text, damage })
}

impl Line {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.text.clone().into_bytes();
        for (at, damage) in &self.damage {
            let at = at % (bytes.len() + 1);
            match damage {
                Damage::Set(byte) => {
                    if let Some(there) = bytes.get_mut(at) {
                        *there = *byte;
                    }
                }
                Damage::Insert(more) => drop(bytes.splice(at..at, more.iter().copied())),
                Damage::Repeat(more, count) => {
                    drop(bytes.splice(at..at, more.repeat(*count)));
                }
                Damage::Remove(count) => {
                    let end = bytes.len().min(at + count);
                    drop(bytes.drain(at..end));
                }
                Damage::Cut => bytes.truncate(at),
            }
        }
        bytes.push(b'\n');
        bytes
    }
}

impl Target for Messages {
    type Input = Input;
    const NAME: &'static str = "messages";
    const FOLDER: &'static str = "../../tests/fuzz";

    fn inputs() -> BoxedStrategy<Input> {
        let of = |frontend, calls| (Just(frontend), prop::collection::vec(line(calls), 1..20));
        let lines = prop_oneof![
            of(Frontend::Worker, worker()),
            of(Frontend::Mcp, mcp()),
            of(Frontend::DspyRunner, dspy_runner()),
        ];
        let piece = prop_oneof![3 => Just(usize::MAX), 1 => 1..5000_usize];
        (lines, piece)
            .prop_map(|((frontend, lines), piece)| Input {
                frontend,
                lines,
                piece,
            })
            .boxed()
    }

    fn attempt(input: &Input) -> Result<(), String> {
        let name = match input.frontend {
            Frontend::Worker => "worker",
            Frontend::Mcp => "mcp",
            Frontend::DspyRunner => "dspy-runner",
        };
        let mut client = Client::of(
            name,
            &["--search-timeout", "1s"][..2 * usize::from(name == "mcp")],
        );
        let run = client.ready(name);
        let mut bytes: Vec<u8> = input.lines.iter().flat_map(Line::bytes).collect();
        // The session may be closed by now, and scripts may have changed everything.
        let last = match input.frontend {
            Frontend::Worker => ("open", json!({})),
            Frontend::Mcp => ("tools/call", json!({"name": "reset", "arguments": {}})),
            Frontend::DspyRunner => run("6 * 7"),
        };
        let last = json!({"jsonrpc": "2.0", "id": LAST, "method": last.0, "params": last.1});
        bytes.extend_from_slice(format!("{last}\n").as_bytes());

        let mut stdin = client.stdin.take().expect("open");
        let piece = input.piece;
        let mut writer = Some(std::thread::spawn(move || {
            for piece in bytes.chunks(piece) {
                if stdin.write_all(piece).is_err() {
                    break;
                }
            }
            stdin
        }));
        let pid = client.pid().to_string();
        let (done, is_done) = channel::<()>();
        let watch = std::thread::spawn(move || {
            if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let _ = Command::new("kill").args(["-9", &pid]).status();
            }
        });
        let mut answer = None;
        while let Some(message) = client.read() {
            if message["id"] == json!(LAST) {
                answer = Some(message);
                break;
            }
            // A script calls a function of the client.
            if message.get("method").is_some() && message.get("id").is_some() {
                if let Some(writer) = writer.take() {
                    client.stdin = Some(writer.join().expect("joined"));
                }
                let error = json!({"code": -32000, "message": "no"});
                client.send(&json!({"jsonrpc": "2.0", "id": message["id"], "error": error}));
            }
        }
        drop(done);
        watch.join().expect("joined");
        if let Some(writer) = writer {
            client.stdin = Some(writer.join().expect("joined"));
        }
        let answer = answer.ok_or_else(|| format!("{name}: no answer"))?;
        if answer.get("result").is_none() {
            return Err(format!("{name}: {answer}"));
        }
        let shown = match input.frontend {
            Frontend::Worker => {
                let params = json!({"session": answer["result"]["session"], "code": "6 * 7"});
                client.ask(LAST + 1, "exec", params)
            }
            Frontend::Mcp => {
                let (method, params) = run("6 * 7");
                client.ask(LAST + 1, method, params)
            }
            Frontend::DspyRunner => answer,
        };
        if !shown.to_string().contains("42") {
            return Err(format!("{name}: {shown}"));
        }
        let peak = client.peak();
        if peak > MOST {
            return Err(format!("{name} held {peak} bytes"));
        }
        client.ends();
        Ok(())
    }
}
