//! Messages of the largest size and beyond, at the default of `--max-message`: what is
//! over is refused with the option's name, and nothing takes more memory than it may.
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod client;

use serde_json::{Value as Json, json};

use client::Client;

const FRONTENDS: [&str; 3] = ["worker", "mcp", "dspy-runner"];
/// Bytes of the longest message.
const LONGEST: usize = 16 << 20;
/// Bytes that a process may hold at the most, whatever it is sent.
const MOST: u64 = 600 << 20;

/// A request of `method` whose member `params` is `params`, of `length` bytes by
/// blanks before its end.
fn line(id: &str, method: &str, params: &str, length: usize) -> String {
    let mut line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}"#);
    line.push_str(&" ".repeat(length.saturating_sub(line.len() + 1)));
    line.push('}');
    line
}

fn send(client: &mut Client, line: &str) {
    client.write(line.as_bytes());
    client.write(b"\n");
}

#[track_caller]
fn shows_42(client: &mut Client, frontend: &str, run: &client::Runs) {
    let (method, params) = run("6 * 7");
    let answer = client.get(42, method, params);
    assert!(answer.to_string().contains("42"), "{frontend}: {answer}");
}

/// The answer to the next line; notifications are dropped.
fn answer(client: &mut Client) -> Json {
    loop {
        let message = client.read().expect("an answer");
        if message.get("method").is_none() {
            return message;
        }
    }
}

#[test]
fn a_line_is_taken_up_to_the_limit_and_skipped_beyond_it() {
    for frontend in FRONTENDS {
        let mut client = Client::of(frontend, &[]);
        let run = client.ready(frontend);
        let (method, params) = run("6 * 7");
        let params = params.to_string();
        send(&mut client, &line("1", method, &params, LONGEST));
        let taken = answer(&mut client);
        assert!(
            taken["result"].to_string().contains("42"),
            "{frontend}: {taken}"
        );
        for length in [LONGEST + 1, 2 * LONGEST] {
            let before = line("\"a b\"", method, &params, length);
            // As clients write it whose library adds the id at the end.
            let after = format!(
                r#"{{"method":"{method}","params":{{"id":5,"a":["{}"]}},"jsonrpc":"2.0","id":7}}"#,
                "x\\\"".repeat(length / 3)
            );
            let none = format!(
                r#"{{"method":"{method}","params":"{}"}}"#,
                "x".repeat(length)
            );
            for (line, id) in [
                (before, json!("a b")),
                (after, json!(7)),
                (none, Json::Null),
            ] {
                send(&mut client, &line);
                let refused = answer(&mut client);
                assert_eq!(refused["id"], id, "{frontend}: {refused}");
                let message = refused["error"]["message"].as_str().expect("a message");
                assert!(
                    message.contains("16777216 bytes") && message.contains("--max-message"),
                    "{frontend}: {message}"
                );
            }
            shows_42(&mut client, frontend, &run);
        }
        let peak = client.peak();
        assert!(peak < 200 << 20, "{frontend}: {peak}");
        client.ends();
    }
}

#[test]
fn a_limit_can_be_chosen_within_bounds() {
    for frontend in FRONTENDS {
        let mut client = Client::of(frontend, &["--max-message", "64KiB"]);
        let run = client.ready(frontend);
        send(&mut client, &line("1", "x", "{}", (64 << 10) + 1));
        let refused = answer(&mut client).to_string();
        assert!(refused.contains("65536 bytes"), "{frontend}: {refused}");
        shows_42(&mut client, frontend, &run);
        client.ends();
        for wrong in ["1KiB", "2GiB", "-1", "much"] {
            let output = std::process::Command::new(client::PROGRAM)
                .args([frontend, &format!("--max-message={wrong}")])
                .output()
                .expect("runs");
            assert_eq!(output.status.code(), Some(2), "{frontend} {wrong}");
            let why = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(why.contains("64KiB to 1GiB"), "{why}");
        }
    }
}

/// A list of as many times `item` as fit a message, at the most.
fn many(item: &str, most: usize) -> String {
    let count = ((LONGEST - 1000) / (item.len() + 1)).min(most);
    format!("[{}]", vec![item; count].join(","))
}

/// Requests that may hold any JSON, for a frontend: the method, and the params before and
/// after that.
fn holders(frontend: &str, session: &Json) -> Vec<(&'static str, String, &'static str)> {
    let worker = |rest: &str| format!(r#"{{"session":{session},{rest}"#);
    match frontend {
        "worker" => vec![
            ("set", worker(r#""values":{"variables":{"v":"#), "}}}"),
            ("set", worker(r#""values":{"variables":{"context":"#), "}}}"),
            ("set", worker(r#""histories":{"0":"#), "}}"),
            ("import", worker(r#""portable":"#), "}"),
            ("exec", worker(r#""code":"1","unknown":"#), "}"),
            ("open", String::from(r#"{"profile":"#), "}"),
            ("open", String::from(r#"{"limits":"#), "}"),
            ("no_such", String::from("{\"a\":"), "}"),
        ],
        "mcp" => vec![
            (
                "tools/call",
                String::from(r#"{"name":"exec_python","arguments":{"code":"1","a":"#),
                "}}",
            ),
            (
                "tools/call",
                String::from(r#"{"name":"reset","_meta":{"a":"#),
                "}}",
            ),
            ("resources/list", String::from(r#"{"a":"#), "}"),
            ("no/such", String::from(r#"{"a":"#), "}"),
            ("initialize", String::from(r#"{"capabilities":"#), "}"),
        ],
        _ => vec![
            ("execute", String::from(r#"{"code":"#), "}"),
            (
                "register",
                String::from(r#"{"tools":[{"name":"f","parameters":[{"name":"a","default":"#),
                "}]}]}",
            ),
            ("register", String::from(r#"{"tools":"#), "}"),
        ],
    }
}

/// The values that take the most for their bytes. The last one fills a message with fewer
/// than it may have.
const ITEMS: [&str; 9] = [
    "0",
    "[]",
    "{}",
    "[0]",
    "[[0]]",
    "{\"a\":0}",
    "{\"a\":[0]}",
    "\"\\n\"",
    "1234567890.1234567890123456789012345",
];

/// Sends every kind of value in each place where a frontend takes any JSON, as many as
/// are read, and checks the most memory that it held.
fn values_take_no_more_than_they_may(frontend: &str) {
    let mut worst = (0, String::new());
    for (method, before, after) in holders(frontend, &json!("s1")) {
        let mut client = Client::of(frontend, &[]);
        let run = client.ready(frontend);
        for item in ITEMS {
            let count = |c: &str| item.matches(c).count();
            let (texts, objects) = (count("\"") / 2, count("{"));
            let weight = 1 + count(",") + count(":") + texts + 2 * count("[") + 3 * objects;
            let values = many(item, (VALUES - 100) / weight);
            send(
                &mut client,
                &line("7", method, &format!("{before}{values}{after}"), 0),
            );
            let answered = answer(&mut client);
            // It was parsed, whatever came of that.
            assert_eq!(answered["id"], 7, "{frontend} {method} {item}");
            assert!(!answered.to_string().contains("--max-message"), "{item}");
            let peak = client.peak();
            if peak > worst.0 {
                worst = (peak, format!("{method} {before}[{item}"));
            }
        }
        for deep in ["[", "{\"a\":"] {
            let values = deep.repeat(VALUES / 10);
            send(
                &mut client,
                &line("7", method, &format!("{before}{values}{after}"), 0),
            );
            answer(&mut client);
        }
        // What was bound here may be more than a session holds.
        let run = match frontend {
            "worker" => client.ready(frontend),
            _ => run,
        };
        shows_42(&mut client, frontend, &run);
        worst.0 = worst.0.max(client.peak());
        client.ends();
    }
    assert!(
        worst.0 < MOST,
        "{frontend}: {} MiB, {}",
        worst.0 >> 20,
        worst.1
    );
}

/// The values that a message of the default size may have.
const VALUES: usize = LONGEST / 32;

#[test]
fn values_of_a_worker_take_no_more_than_they_may() {
    values_take_no_more_than_they_may("worker");
}

#[test]
fn values_of_mcp_take_no_more_than_they_may() {
    values_take_no_more_than_they_may("mcp");
}

#[test]
fn values_of_the_runner_take_no_more_than_they_may() {
    values_take_no_more_than_they_may("dspy-runner");
}

#[test]
fn lines_of_sixteen_mebibytes_with_too_many_values_are_refused_unread() {
    for frontend in FRONTENDS {
        let mut client = Client::of(frontend, &[]);
        let run = client.ready(frontend);
        let (method, before, after) = holders(frontend, &json!("s1")).swap_remove(0);
        let lists = ITEMS[..8].iter().map(|item| many(item, usize::MAX));
        let deep = ["[", "{\"a\":"].map(|deep| deep.repeat((LONGEST - 1000) / deep.len()));
        for values in lists.chain(deep) {
            send(
                &mut client,
                &line("7", method, &format!("{before}{values}{after}"), 0),
            );
            let refused = answer(&mut client);
            assert_eq!(refused["id"], 7, "{frontend}");
            let message = refused["error"]["message"].as_str().expect("a message");
            assert!(
                message.contains("524288 JSON values") && message.contains("--max-message"),
                "{frontend}: {message}"
            );
        }
        let peak = client.peak();
        assert!(peak < 200 << 20, "{frontend}: {peak}");
        shows_42(&mut client, frontend, &run);
        client.ends();
    }
}

#[test]
fn a_text_of_fifteen_mebibytes_is_a_context() {
    let text = "x \u{e9}\u{1f600}".repeat((15 << 20) / 8);
    let size = text.chars().count();
    let mut client = Client::of("mcp", &[]);
    client.greet();
    let load = json!({"name": "load_context", "arguments": {"name": "c", "text": text}});
    let loaded = client.get(1, "tools/call", load);
    assert_eq!(loaded["structuredContent"]["characters"], size, "{loaded}");
    let length = json!({"name": "exec_python", "arguments": {"code": "len(context)"}});
    let ran = client.get(2, "tools/call", length);
    assert_eq!(ran["structuredContent"]["return_value"], size.to_string());
    assert!(client.peak() < MOST, "{}", client.peak());
    client.ends();

    let mut client = Client::of("worker", &[]);
    let session = client.get(1, "open", json!({}))["session"].clone();
    let contexts = json!([{"name": "c", "text": text}]);
    client.get(
        2,
        "set",
        json!({"session": session, "values": {"contexts": contexts}}),
    );
    let ran = client.get(
        3,
        "exec",
        json!({"session": session, "code": "len(context)"}),
    );
    assert_eq!(ran["outcome"]["value"]["value"], size, "{ran}");
    assert!(client.peak() < MOST, "{}", client.peak());
    client.ends();
}

#[test]
fn requests_that_wait_are_bounded_together() {
    const WAITING: usize = 8;
    let code = format!("1 #{}", "x".repeat(15 << 20));
    for frontend in FRONTENDS {
        let mut client = Client::of(
            frontend,
            match frontend {
                "mcp" => &["--fuel", "1e17"],
                _ => &[],
            },
        );
        let tools = json!([{"name": "f"}]);
        // A request that ends when it is told to, and what tells it.
        let (run, first): (client::Runs, _) = match frontend {
            "worker" => {
                let opened = client.get(100, "open", json!({"handlers": {"tools": tools}}));
                let session = opened["session"].clone();
                let run = move |code: &str| ("exec", json!({"session": session, "code": code}));
                (Box::new(run), "f()")
            }
            "mcp" => (client.ready(frontend), "while True: pass"),
            _ => {
                client.get(100, "register", json!({"tools": tools}));
                (client.ready(frontend), "f()")
            }
        };
        let (method, params) = run(first);
        client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
        let end = match frontend {
            "mcp" => {
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
            }
            _ => {
                let asked = client.read().expect("a question");
                let result = json!({"value": "1", "type": "json"});
                json!({"jsonrpc": "2.0", "id": asked["id"], "result": result})
            }
        };
        let (method, params) = run(&code);
        let params = params.to_string();
        for id in 2..30 {
            send(&mut client, &line(&id.to_string(), method, &params, 0));
        }
        for id in 2 + WAITING..30 {
            let refused = answer(&mut client);
            assert_eq!(refused["id"], id, "{frontend}: {refused:.300}");
            let message = refused["error"]["message"].as_str().expect("a message");
            assert!(message.contains("no answer yet") && message.contains("--max-message"));
        }
        client.send(&end);
        let others = WAITING + usize::from(frontend != "mcp");
        for _ in 0..others {
            let served = answer(&mut client);
            assert!(
                served["id"].as_u64() < Some(2 + WAITING as u64),
                "{frontend}"
            );
        }
        let peak = client.peak();
        assert!(peak < MOST, "{frontend}: {peak}");
        shows_42(&mut client, frontend, &run);
        client.ends();
    }
}

/// Returns the request that runs code in a session with the tool `f`.
fn with_tool(client: &mut Client, frontend: &str, code: &str) -> (&'static str, Json) {
    let tools = json!([{"name": "f"}]);
    match frontend {
        "worker" => {
            let opened = client.get(1, "open", json!({"handlers": {"tools": tools}}));
            ("exec", json!({"session": opened["session"], "code": code}))
        }
        _ => {
            client.get(1, "register", json!({"tools": tools}));
            ("execute", json!({"code": code}))
        }
    }
}

#[test]
fn an_answer_that_is_too_long_is_an_exception() {
    let much = "x".repeat(LONGEST);
    let code = "try:\n    f()\nexcept Exception as e:\n    message = str(e)\nmessage";
    for (frontend, question) in [("worker", "call"), ("dspy-runner", "tool_call")] {
        let mut client = Client::of(frontend, &[]);
        let (method, params) = with_tool(&mut client, frontend, code);
        for long in [json!(much), json!(vec![0; VALUES + 1])] {
            client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": method, "params": params}));
            let asked = client.read().expect("a question");
            assert_eq!(asked["method"], question, "{asked}");
            client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": long}));
            let answer = client.read().expect("an answer");
            assert_eq!(answer["id"], 2, "{answer}");
            assert!(
                answer["result"].to_string().contains("--max-message"),
                "{answer}"
            );
        }
        client.ends();
    }
}

#[test]
fn half_a_character_in_an_answer_is_a_sign() {
    const HALF: &str = r#""half \ud83d""#;
    let error = format!(r#"{{"code":-32000,"message":{HALF},"data":{{"type":"ValueError"}}}}"#);
    let code = "try:\n    said = f()\nexcept Exception as e:\n    said = str(e)\nsaid";
    for (frontend, result) in [
        ("worker", String::from(HALF)),
        (
            "dspy-runner",
            format!(r#"{{"value":{HALF},"type":"string"}}"#),
        ),
    ] {
        let mut client = Client::of(frontend, &[]);
        let (method, params) = with_tool(&mut client, frontend, code);
        for part in [format!("\"result\":{result}"), format!("\"error\":{error}")] {
            client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": method, "params": params}));
            let id = &client.read().expect("a question")["id"];
            client.write(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{part}}}\n").as_bytes());
            let answer = client.read().expect("an answer");
            assert_eq!(answer["id"], 2, "{answer}");
            let shown = answer["result"].to_string();
            assert!(shown.contains("half \u{fffd}"), "{answer}");
        }
        client.ends();
    }
}
