//! What a client of the worker may count on, however things are put and in
//! whatever order they come.
#![cfg(unix)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::process::Command;
use std::time::{Duration, Instant};

use rlm_sandbox::Sandbox;
use serde_json::json;

use client::{Client, PATIENCE, PROGRAM};

#[test]
fn mistakes_of_a_good_client_are_answered_under_their_id() {
    let mut client = Client::of("worker", &[]);
    for (method, params, code, part) in [
        ("nope", json!({}), -32601, "--schema"),
        ("exec", json!({"code": "1"}), -32602, "session"),
        (
            "exec",
            json!({"session": "s9", "code": "1"}),
            -32000,
            "`open` names one",
        ),
        (
            "open",
            json!({"profil": "rlm"}),
            -32602,
            "unknown field `profil`",
        ),
        ("open", json!({"seed": -1}), -32602, "seed"),
        ("restore", json!({}), -32000, "either"),
        ("restore", json!({"parked": "%"}), -32000, "base64"),
        ("restore", json!({"parked": "AAAA"}), -32000, "parked"),
        (
            "restore",
            json!({"journal": {"path": "/nowhere"}}),
            -32000,
            "/nowhere",
        ),
        ("cancel", json!({"session": "s9"}), -32000, "s9"),
        ("replay", json!({"path": "/nowhere"}), -32000, "/nowhere"),
    ] {
        let answer = client.ask(5, method, params);
        assert_eq!(answer["error"]["code"], json!(code), "{method}: {answer}");
        assert!(answer.to_string().contains(part), "{method}: {answer}");
    }
    let session = client.get(6, "open", json!({}))["session"].clone();
    for (method, params, part) in [
        (
            "resume",
            json!({"session": session, "answers": []}),
            "waits",
        ),
        (
            "exec",
            json!({"session": session, "code": "1", "timeout": -1}),
            "seconds",
        ),
        (
            "set",
            json!({"session": session, "values": {"without": ["a"]}}),
            "no context",
        ),
        (
            "set",
            json!({"session": session, "values": {"contexts": [{"name": "a"}]}}),
            "one of",
        ),
        (
            "import",
            json!({"session": session, "portable": 5}),
            "export",
        ),
        ("close", json!({"session": "s9"}), "s9"),
    ] {
        let answer = client.ask(7, method, params);
        assert!(
            answer["error"]["message"]
                .as_str()
                .is_some_and(|text| text.contains(part)),
            "{method}: {answer}"
        );
    }
    let value = client.get(8, "exec", json!({"session": session, "code": "6 * 7"}));
    assert_eq!(value["outcome"]["value"]["value"], json!(42));
    client.get(9, "close", json!({"session": session}));
    client.ends();
}

#[test]
fn a_hundred_megabytes_are_a_context() {
    let much = "x".repeat(100 << 20);
    let mut client = Client::of("worker", &["--max-message", "128MiB"]);
    let session = client.get(1, "open", json!({}))["session"].clone();
    let refused = client.ask(
        2,
        "set",
        json!({"session": session, "values": {"variables": {"a": much}}}),
    );
    assert!(
        refused["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("context")),
        "{refused}"
    );
    let contexts = json!([{"name": "a", "text": much}]);
    client.get(
        3,
        "set",
        json!({"session": session, "values": {"contexts": contexts}}),
    );
    let ran = client.get(
        4,
        "exec",
        json!({"session": session, "code": "read_context('a', 99, 3), len(context)"}),
    );
    assert_eq!(ran["outcome"]["value"]["repr"], "('xxx', 104857600)");
    client.ends();
}

#[test]
fn a_client_that_never_answers_is_not_waited_for() {
    let mut client = Client::of("worker", &[]);
    let handlers = json!({"tools": [{"name": "ask_me"}], "model": true});
    let session = client.get(1, "open", json!({"handlers": handlers}))["session"].clone();
    for code in ["ask_me()", "llm_query('q')"] {
        client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "exec", "params": {"session": session, "code": code}}));
        let asked = client.read().expect("a question");
        assert!(
            asked["method"] == "call" || asked["method"] == "ask",
            "{asked}"
        );
        client.send(&json!({"jsonrpc": "2.0", "method": "cancel", "params": {"session": session}}));
        let outcome = client.read().expect("an outcome");
        assert_eq!(outcome["result"]["outcome"]["error"]["stopped"], "canceled");
    }
    // And one that waits for ever ends with its client.
    client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "exec", "params": {"session": session, "code": "ask_me()"}}));
    client.read().expect("a question");
    client.ends();
}

#[test]
fn an_answer_is_understood_however_it_is_put() {
    let mut client = Client::of("worker", &[]);
    let handlers = json!({"tools": [{"name": "f"}]});
    let session = client.get(1, "open", json!({"handlers": handlers}))["session"].clone();
    for (answer, shown) in [
        (json!({"error": {"message": "no"}}), "RuntimeError: no"),
        (json!({"error": "no"}), "RuntimeError: no"),
        (
            json!({"error": {"code": 1.5, "message": null, "data": {"type": "KeyError"}}}),
            "KeyError: 'null'",
        ),
        (
            json!({"error": {"code": 1, "message": "m", "data": 5}}),
            "RuntimeError: m",
        ),
        (json!({}), "None"),
    ] {
        client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "exec", "params": {"session": session, "code": "str(f())"}}));
        let asked = client.read().expect("a question");
        let mut answer = answer;
        answer["id"] = asked["id"].clone();
        client.send(&answer);
        let outcome = client.read().expect("an outcome")["result"]["outcome"].clone();
        assert!(outcome.to_string().contains(shown), "{answer}: {outcome}");
    }
    // Nobody answers an answer, or two programs would talk for ever.
    client.send(&json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "x"}}));
    assert_eq!(
        client.get(3, "hello", json!({}))["version"],
        env!("CARGO_PKG_VERSION")
    );
    client.ends();
}

#[test]
fn a_session_that_is_closed_does_nothing_more() {
    let mut client = Client::of("worker", &[]);
    let handlers = json!({"tools": [{"name": "f"}]});
    let session = client.get(1, "open", json!({"handlers": handlers}))["session"].clone();
    for (id, code) in [(2, "while True: pass"), (3, "f()"), (4, "f()")] {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "exec", "params": {"session": session, "code": code}}));
    }
    client.send(
        &json!({"jsonrpc": "2.0", "id": 5, "method": "close", "params": {"session": session}}),
    );
    let mut answers: Vec<_> = (0..4).map(|_| client.read().expect("an answer")).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    // It may not have begun.
    let first = answers[0].to_string();
    assert!(
        first.contains("canceled") || first.contains("closed"),
        "{first}"
    );
    for answer in &answers[1..3] {
        assert!(
            answer["error"]["message"]
                .as_str()
                .is_some_and(|text| text.contains("closed")),
            "{answer}"
        );
    }
    client.ends();
}

#[test]
fn a_session_that_is_closed_has_written_its_journal() {
    let mut client = Client::of("worker", &[]);
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..30 {
        let path = folder.path().join(format!("{number}.jsonl"));
        let opened = client.get(1, "open", json!({"record": path}));
        client.get(
            2,
            "exec",
            json!({"session": opened["session"], "code": "1"}),
        );
        client.get(3, "close", json!({"session": opened["session"]}));
        let written = std::fs::read_to_string(&path).expect("a journal");
        assert!(written.contains("{\"end\":"), "{written}");
    }
    client.ends();
}

#[test]
fn sessions_that_are_open_at_the_end_have_written_their_journals() {
    let mut client = Client::of("worker", &[]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = |number: u64| folder.path().join(format!("{number}.jsonl"));
    for number in 0..30 {
        let open = json!({"record": path(number)});
        let session = client.get(1, "open", open)["session"].clone();
        client.get(2, "exec", json!({"session": session, "code": "1"}));
    }
    client.ends();
    for number in 0..30 {
        let written = std::fs::read_to_string(path(number)).expect("a journal");
        assert!(written.contains("{\"end\":"), "{written}");
    }
}

#[test]
fn a_cancel_ends_all_that_was_asked_and_nothing_later() {
    let mut client = Client::of("worker", &[]);
    let session = client.get(1, "open", json!({"handlers": {"model": true}}))["session"].clone();
    for (id, method, params) in [
        (2, "variables", json!({"session": session})),
        (
            3,
            "exec",
            json!({"session": session, "code": "while True: pass"}),
        ),
        (
            4,
            "exec",
            json!({"session": session, "code": "while True: pass"}),
        ),
        (
            5,
            "step",
            json!({"session": session, "code": "llm_query('q')"}),
        ),
        (6, "cancel", json!({"session": session})),
        (7, "exec", json!({"session": session, "code": "6 * 7"})),
    ] {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }
    let answers: Vec<_> = (2..8).map(|_| client.read().expect("an answer")).collect();
    for place in [1, 2] {
        assert_eq!(
            answers[place]["result"]["outcome"]["error"]["stopped"], "canceled",
            "{}",
            answers[place]
        );
    }
    assert_eq!(answers[4], json!({"jsonrpc": "2.0", "id": 6, "result": {}}));
    assert_eq!(answers[5]["result"]["outcome"]["value"]["value"], json!(42));
    client.ends();
}

/// A script that leaves a variable whose `__repr__` has no end.
const ENDLESS: &str = "class A:\n  def __repr__(self):\n    while True: pass\nx = A()";

#[test]
fn inspections_are_canceled_and_hold_no_close_up() {
    let mut client = Client::of("worker", &[]);
    let since = Instant::now();
    let limits = json!({"time": 60, "fuel": 1_000_000_000_000_000_u64});
    let session = client.get(1, "open", json!({"limits": limits}))["session"].clone();
    client.get(2, "exec", json!({"session": session, "code": ENDLESS}));
    let get = json!({"session": session, "name": "x"});
    let variables = json!({"session": session, "user_reprs": true});
    let send = |client: &mut Client, id: u64, method: &str, params: &serde_json::Value| {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    };
    for (method, params) in [("get", &get), ("variables", &variables), ("get", &get)] {
        for wait in [0, 300] {
            send(&mut client, 3, method, params);
            std::thread::sleep(Duration::from_millis(wait));
            send(&mut client, 4, "cancel", &json!({"session": session}));
            let answer = client.read().expect("an answer");
            assert_eq!(answer["id"], 3, "{answer}");
            assert_eq!(answer["error"]["data"]["kind"], "canceled", "{answer}");
            assert_eq!(client.read().expect("an answer")["id"], 4);
        }
    }
    let ran = client.get(5, "exec", json!({"session": session, "code": "type(x)"}));
    assert_eq!(ran["outcome"]["ok"], true, "{ran}");
    send(&mut client, 6, "get", &get);
    std::thread::sleep(Duration::from_millis(300));
    send(&mut client, 7, "close", &json!({"session": session}));
    let answer = client.read().expect("an answer");
    assert_eq!(answer["id"], 6, "{answer}");
    assert_eq!(client.read().expect("an answer")["id"], 7);
    // Nothing of it took the time limit.
    assert!(since.elapsed() < PATIENCE);
    client.ends();
}

/// Long states are packed one after the other.
#[test]
fn a_park_that_waits_is_canceled_and_a_short_one_waits_for_no_long_one() {
    let mut client = Client::of("worker", &["--max-message", "256MiB"]);
    let mut open = |code: String| {
        let limits = json!({"time": 60, "fuel": 1_000_000_000_000_000_u64});
        let session = client.get(1, "open", json!({"limits": limits}))["session"].clone();
        let ran = client.get(2, "exec", json!({"session": session, "code": code}));
        assert_eq!(ran["outcome"]["ok"], true, "{ran}");
        session
    };
    let long = |seed: u64| {
        format!(
            "import random\nr = random.Random({seed})\nx = [r.getrandbits(60000) for _ in range(3000)]"
        )
    };
    let parked: Vec<_> = (0..5).map(|seed| open(long(seed))).collect();
    let short = open(String::from("y = 1"));
    let send = |client: &mut Client, id: usize, method: &str, session: &serde_json::Value| {
        let params = match method {
            "park" => json!({"session": session, "snapshot": true}),
            _ => json!({"session": session}),
        };
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    };
    for (n, session) in parked.iter().enumerate() {
        send(&mut client, 10 + n, "park", session);
    }
    send(&mut client, 20, "park", &short);
    send(&mut client, 21, "cancel", &parked[4]);
    send(&mut client, 22, "close", &parked[3]);
    let mut answers = Vec::new();
    for _ in 0..8 {
        let answer = client.read().expect("an answer");
        let id = answer["id"].as_u64().expect("an id");
        let is_refused = answer["error"].is_object();
        let expected = [13, 14].contains(&id);
        assert_eq!(is_refused, expected, "{id}: {:.200}", answer.to_string());
        answers.push(id);
    }
    let place = |id: u64| answers.iter().position(|other| *other == id);
    // Each of them comes before the last of the long ones that were not canceled.
    for id in [20, 21, 22, 13, 14] {
        assert!(place(id) < place(12), "{id}: {answers:?}");
    }
    client.ends();
}

#[test]
fn a_long_journal_holds_up_no_other_and_is_canceled() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let mut client = Client::of("worker", &[]);
    for (name, times) in [("long", 60_000_000), ("short", 1)] {
        let limits = json!({"time": 120, "fuel": 1_000_000_000_000_000_u64});
        let open = json!({"record": path(name), "limits": limits});
        let session = client.get(1, "open", open)["session"].clone();
        let code = format!("i = 0\nwhile i < {times}: i += 1\ni");
        let ran = client.get(2, "exec", json!({"session": session, "code": code}));
        assert_eq!(ran["outcome"]["value"]["value"], json!(times), "{ran}");
        client.get(3, "close", json!({"session": session}));
    }
    let send = |client: &mut Client, id: serde_json::Value, method: &str, name: &str| {
        let params = match method {
            "replay" => json!({"path": path(name)}),
            "restore" => json!({"journal": {"path": path(name)}}),
            _ => json!({"request": name}),
        };
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    };
    for method in ["replay", "restore"] {
        send(&mut client, json!("slow"), method, "long");
        send(&mut client, json!(5), method, "short");
        assert_eq!(client.read().expect("an answer")["id"], 5);
        // Both places are taken, and a third one waits.
        send(&mut client, json!("other"), method, "long");
        send(&mut client, json!("waits"), method, "short");
        for canceled in ["waits", "other", "slow"] {
            send(&mut client, json!(6), "cancel", canceled);
            let answers = [(); 2].map(|()| client.read().expect("an answer"));
            let of = |id: serde_json::Value| answers.iter().find(|answer| answer["id"] == id);
            let answer = of(json!(canceled)).expect("the answer to what was canceled");
            assert_eq!(answer["error"]["data"]["kind"], "canceled", "{answer}");
            assert_eq!(of(json!(6)).expect("its own")["result"], json!({}));
        }
        // Canceling a request that has its answer has no effect.
        send(&mut client, json!(7), "cancel", "slow");
        assert_eq!(client.read().expect("an answer")["result"], json!({}));
    }
    for params in [json!({}), json!({"session": "s1", "request": 1})] {
        let answer = client.ask(8, "cancel", params);
        assert!(answer.to_string().contains("either"), "{answer}");
    }
    client.ends();
}

#[test]
fn a_restore_that_is_refused_leaves_the_journal_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let (open, path) = (
        folder.path().join("open.jsonl"),
        folder.path().join("dead.jsonl"),
    );
    let mut client = Client::of("worker", &[]);
    let session = client.get(1, "open", json!({"record": open}))["session"].clone();
    client.get(2, "exec", json!({"session": session, "code": "x = 1"}));
    // As it is where the process ends here.
    std::fs::copy(&open, &path).expect("a journal");
    let before = std::fs::read(&path).expect("a journal");
    let journal = json!({"path": path});
    for wrong in [
        json!({"variables": {"no name": 1}}),
        json!({"variables": {"FINAL": 1}}),
        json!({"contexts": [{"name": "c", "path": "/nonexistent"}]}),
        json!({"without": ["c"]}),
    ] {
        let restore = json!({"journal": journal, "record": true, "values": wrong});
        let refused = client.ask(3, "restore", restore);
        assert!(refused.get("error").is_some(), "{wrong} {refused}");
        assert!(
            std::fs::read(&path).expect("a journal") == before,
            "{wrong}"
        );
    }
    let values = json!({"variables": {"y": 2}});
    let restore = json!({"journal": journal, "record": true, "values": values});
    let session = client.get(4, "restore", restore)["session"].clone();
    let ran = client.get(5, "exec", json!({"session": session, "code": "(x, y)"}));
    assert_eq!(ran["outcome"]["value"]["repr"], "(1, 2)", "{ran}");
    let parked = client.get(6, "park", json!({"session": session}))["parked"].clone();
    client.get(7, "close", json!({"session": session}));
    let replayed = client.get(8, "replay", json!({"path": path}));
    assert_eq!(replayed["identical"], true, "{replayed}");
    // A snapshot has no recording to go on with.
    let refused = client.ask(9, "restore", json!({"parked": parked, "record": true}));
    assert!(
        refused.to_string().contains("leave `record` out"),
        "{refused}"
    );
    client.ends();
}

#[test]
fn what_was_asked_before_the_end_is_answered() {
    let mut client = Client::of("worker", &[]);
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "validate", "params": {"code": "1"}}));
    drop(client.stdin.take());
    assert_eq!(client.read().expect("an answer")["result"]["ok"], true);
    client.ends();
}

#[test]
fn sessions_of_a_worker_do_not_wait_for_each_other() {
    let mut client = Client::of("worker", &[]);
    let limits = json!({"time": 60, "fuel": 1_000_000_000_000_000_u64});
    let slow = client.get(1, "open", json!({"limits": limits}))["session"].clone();
    let quick = client.get(2, "open", json!({}))["session"].clone();
    client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "exec", "params": {"session": slow, "code": "while True: pass"}}));
    let ran = client.get(4, "exec", json!({"session": quick, "code": "6 * 7"}));
    assert_eq!(ran["outcome"]["value"]["value"], json!(42));
    client.get(5, "close", json!({"session": slow}));
    client.ends();
}

#[test]
fn the_schema_of_the_protocol_is_the_one_in_the_repository() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/worker.schema.json");
    let output = Command::new(PROGRAM)
        .args(["worker", "--schema"])
        .output()
        .expect("starts");
    let schema = String::from_utf8(output.stdout).expect("text");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &schema).expect("writable");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == schema,
        "the protocol has changed; run the tests with UPDATE_EXPECT=1 and commit {path}"
    );
}

#[test]
fn a_timeout_holds_for_its_request_alone() {
    let mut client = Client::of("worker", &[]);
    let limits = json!({"time": 30, "value": 4_000_000});
    let session = client.get(1, "open", json!({"limits": limits}))["session"].clone();
    let code = "numbers = [*range(100_000)]";
    client.get(2, "exec", json!({"session": session, "code": code}));
    let brief = json!({"session": session, "code": "1", "timeout": 0.003});
    client.get(3, "exec", brief);
    let got = client.get(4, "get", json!({"session": session, "name": "numbers"}));
    assert_eq!(
        got["value"]["value"].as_array().map(Vec::len),
        Some(100_000)
    );
}

#[test]
fn a_set_that_is_refused_changes_nothing() {
    let mut client = Client::of("worker", &[]);
    let values = json!({"variables": {"a": 1}, "contexts": [{"name": "kept", "text": "old"}]});
    let session = client.get(1, "open", json!({"values": values}))["session"].clone();
    for (number, values) in [
        json!({"variables": {"a": 2, "b": 3, "no name": 4}}),
        json!({"variables": {"a": 2, "zip_": 1, "zz z": 1}, "without": ["kept"]}),
        json!({"variables": {"a": 2, "no name": 1}, "contexts": [{"name": "kept", "text": "new"}, {"name": "more", "text": ""}]}),
        json!({"variables": {"a": 2}, "without": ["unknown"]}),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = client.ask(2, "set", json!({"session": session, "values": values}));
        assert!(answer["error"].is_object(), "{number}: {answer}");
        let ran = client.get(3, "exec", json!({"session": session, "code": "(a, read_context('kept', 0, 9))"}));
        assert_eq!(ran["outcome"]["value"]["repr"], "(1, 'old')", "{number}: {ran}");
        for code in ["b", "zip_", "read_context('more', 0, 9)"] {
            let got = client.get(4, "exec", json!({"session": session, "code": code}));
            assert_eq!(got["outcome"]["ok"], false, "{number}: {got}");
        }
    }
}

#[test]
fn arguments_of_a_tool_may_be_json_text_and_no_time_is_refused() {
    let mut client = Client::of("worker", &[]);
    let session = client.get(1, "open", json!({}))["session"].clone();
    for arguments in [json!({"code": "1 + 1"}), json!("{\"code\": \"1 + 1\"}")] {
        let call = json!({"session": session, "name": "exec_python", "arguments": arguments});
        let called = client.get(2, "call-tool", call);
        assert_eq!(called["result"]["return_value"], "2", "{called}");
    }
    let call = json!({"session": session, "name": "exec_python", "arguments": "[1]"});
    let called = client.get(3, "call-tool", call);
    assert_eq!(called["result"]["success"], false, "{called}");
    let exec = json!({"session": session, "code": "1", "timeout": 0});
    let answer = client.ask(4, "exec", exec);
    assert!(
        answer["error"].to_string().contains("more than 0"),
        "{answer}"
    );
}

#[test]
fn a_limit_that_a_value_reaches_is_an_outcome_of_the_next_script() {
    let mut client = Client::of("worker", &[]);
    let session = client.get(1, "open", json!({"limits": {"memory": 16 << 20}}))["session"].clone();
    let exec = |client: &mut Client, code: &str| {
        let ran = client.get(2, "exec", json!({"session": session, "code": code}));
        ran["outcome"].clone()
    };
    exec(&mut client, "x = 'x' * (12 << 20)");
    let values = json!({"variables": {"big": "y".repeat(7 << 20)}});
    client.get(3, "set", json!({"session": session, "values": values}));
    let outcome = exec(&mut client, "z = 1");
    assert_eq!(outcome["ok"], false, "{outcome}");
    let told = outcome.to_string();
    assert!(
        told.contains("MemoryError") && told.contains("`big`"),
        "{told}"
    );
    assert_eq!(exec(&mut client, "len(x)")["value"]["value"], 12 << 20);
}

#[test]
fn no_path_of_the_key_reaches_a_client() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("state/rlm-sandbox");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("session.key"), "short").expect("written");
    let state = home.path().join("state").display().to_string();
    let mut command = Command::new(PROGRAM);
    let stderr = home.path().join("stderr");
    let file = std::fs::File::create(&stderr).expect("made");
    let command = command.arg("worker").env("XDG_STATE_HOME", &state);
    let mut client = Client::started(command.stderr(file));
    let session = client.get(1, "open", json!({}))["session"].clone();
    let parked = client.ask(2, "park", json!({"session": session}));
    let restored = client.ask(3, "restore", json!({"parked": "AAAA"}));
    for answer in [parked, restored] {
        let text = answer.to_string();
        assert!(
            text.contains("its operator") && !text.contains(&state),
            "{text}"
        );
    }
    client.ends();
    let told = std::fs::read_to_string(&stderr).expect("text");
    assert!(told.contains(&state), "{told}");
}

#[test]
fn no_path_of_a_recording_reaches_a_client() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().display().to_string();
    let runs = home.path().join("runs");
    let errors = home.path().join("errors");
    let start = |runs: &std::path::Path| {
        let file = std::fs::File::create(&errors).expect("made");
        let mut command = Command::new(PROGRAM);
        command.arg("worker").stderr(file);
        Client::started(command.env_remove("CI").env("RLM_SANDBOX_RECORD", runs))
    };
    // Its data cannot be written.
    let mut client = start(&runs);
    let session = client.get(1, "open", json!({}))["session"].clone();
    client.get(2, "exec", json!({"session": session, "code": "x = 1"}));
    std::fs::remove_dir_all(&runs).expect("removed");
    let contexts = json!([{"name": "a.txt", "text": "abc"}]);
    client.get(
        3,
        "set",
        json!({"session": session, "values": {"contexts": contexts}}),
    );
    let code = json!({"session": session, "code": "len(files)"});
    // The session goes on without the recording, which the client did not ask for.
    let ran = client.get(4, "exec", code);
    assert!(!ran.to_string().contains(&path), "{ran}");
    assert_eq!(ran["outcome"]["value"]["value"], json!(1), "{ran}");
    client.ends();
    let told = std::fs::read_to_string(&errors).expect("text");
    assert!(told.contains(&path), "{told}");
    // It cannot be begun.
    std::fs::write(&runs, "a file").expect("written");
    let mut client = start(&runs.join("deeper"));
    let failed = client.ask(1, "open", json!({})).to_string();
    assert!(failed.contains("cannot be recorded"), "{failed}");
    assert!(!failed.contains(&path), "{failed}");
    client.ends();
    let told = std::fs::read_to_string(&errors).expect("text");
    assert!(told.contains(&path), "{told}");
}

/// Compilers that a process has started and that run.
#[cfg(target_os = "linux")]
fn compilers_of(parent: u32) -> usize {
    let is_one = |entry: std::fs::DirEntry| {
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let status = std::fs::read_to_string(entry.path().join("status")).ok()?;
        let is_child = status.contains(&format!("\nPPid:\t{parent}\n"));
        let is_compiler = line.windows(14).any(|word| word == b"compile-plugin");
        (is_child && is_compiler).then_some(())
    };
    let entries = std::fs::read_dir("/proc").expect("there");
    entries.flatten().filter_map(is_one).count()
}

#[cfg(target_os = "linux")]
#[test]
fn few_compilers_of_plugins_run_at_once() {
    const SESSIONS: u64 = 8;
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    // The compiled interpreter lies there, too.
    std::fs::create_dir(&cache).expect("made");
    let sandbox = Sandbox::new().expect("compiled");
    let compiled = sandbox.compiled_file().expect("cached");
    let mut command = Command::new(PROGRAM);
    command.args(["worker", "--compiled"]).arg(compiled);
    let command = command.env("RLM_SANDBOX_CACHE", &cache);
    let mut client = Client::started(command);
    for number in 0..SESSIONS {
        let path = folder.path().join(format!("p{number}.wasm"));
        let text = format!(
            "(component (core module $m (func (export \"f{number}\"))) (core instance $i (instantiate $m))
                (func (export \"f\") (canon lift (core func $i \"f{number}\"))))"
        );
        std::fs::write(&path, wat::parse_str(text).expect("a component")).expect("written");
        let params = json!({"handlers": {"plugins": [path]}});
        client.send(&json!({"jsonrpc": "2.0", "id": number, "method": "open", "params": params}));
    }
    let is_done = std::sync::atomic::AtomicBool::new(false);
    let parent = client.pid();
    let most = std::thread::scope(|scope| {
        let watched = scope.spawn(|| {
            let mut most = 0;
            while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                most = most.max(compilers_of(parent));
            }
            most
        });
        let answers: Vec<_> = (0..SESSIONS).map(|_| client.read()).collect();
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        for answer in answers.into_iter().flatten() {
            assert!(answer["result"].is_object(), "{answer}");
        }
        watched.join().expect("counted")
    });
    assert!((1..=2).contains(&most), "{most}");
}

#[test]
fn a_value_that_nests_deeply_is_shown() {
    let mut client = Client::of("worker", &[]);
    let session = client.get(1, "open", json!({}))["session"].clone();
    for (depth, code, has_value) in [
        (99, "[x]", true),
        (101, "[x]", false),
        (49, "(x,)", true),
        (51, "(x,)", false),
        (900, "(x,)", false),
        (900, "{'[': x}", false),
    ] {
        let code = format!("x = '[[[['\nfor _ in range({depth}): x = {code}\nx");
        let exec = json!({"session": session, "code": code});
        let value = client.get(2, "exec", exec)["outcome"]["value"].clone();
        let name = json!({"session": session, "name": "x"});
        let got = client.get(3, "get", name)["value"].clone();
        let all = json!({"session": session, "json": true});
        let listed = client.get(4, "variables", all)["variables"][0]["value"].clone();
        for (which, has) in [
            ("exec", value["has_value"] == json!(true)),
            ("get", got["has_value"] == json!(true)),
            ("variables", !listed.is_null()),
        ] {
            assert_eq!(has, has_value, "{which}: {code}");
        }
        assert!(value["repr"].as_str().expect("text").contains("[[[["));
    }
}

#[test]
fn a_recording_that_the_metering_refuses_leaves_no_file_and_removes_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let mut fuel = Client::of("worker", &[]);
    let open = json!({"cassette": {"path": path("c.jsonl")}, "values": {"contexts": [{"name": "a", "text": "text"}]}});
    let session = fuel.get(1, "open", open)["session"].clone();
    fuel.get(
        2,
        "exec",
        json!({"session": session, "code": "len(context)"}),
    );
    fuel.get(3, "close", json!({"session": session}));
    fuel.ends();
    let recorded = std::fs::read(path("c.jsonl")).expect("recorded");
    for metering in ["epoch", "fuel-and-epoch"] {
        let mut client = Client::of("worker", &["--metering", metering]);
        for open in [
            json!({"cassette": {"path": path("c.jsonl"), "record": "all"}}),
            json!({"cassette": {"path": path("new.jsonl")}}),
            json!({"record": path("new.jsonl")}),
        ] {
            let refused = client.ask(1, "open", open);
            assert!(
                refused.to_string().contains("metered by epochs"),
                "{refused}"
            );
        }
        client.ends();
        let record = [
            "exec",
            "--metering",
            metering,
            "--record",
            &path("new.jsonl"),
            "-c",
            "1",
        ];
        let ran = Command::new(PROGRAM)
            .args(record)
            .output()
            .expect("it starts");
        assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    }
    assert_eq!(std::fs::read(path("c.jsonl")).expect("there"), recorded);
    assert!(folder.path().join("c.jsonl.data").is_dir());
    assert!(!folder.path().join("new.jsonl").exists());
}

#[test]
fn outputs_that_no_reader_of_a_journal_takes_are_refused() {
    let mut client = Client::of("worker", &[]);
    let outputs: Vec<_> = (0..5000)
        .map(|number| json!({"name": format!("{}{number}", "a".repeat(900))}))
        .collect();
    let refused = client.ask(1, "open", json!({"outputs": outputs}));
    assert!(
        refused.to_string().contains("262144 are possible"),
        "{refused}"
    );
    client.ends();
}

/// Returns the most milliseconds that a model may ask for in this session.
fn most_ms(client: &mut Client, session: &serde_json::Value) -> u64 {
    let params = json!({"session": session, "shape": "mcp"});
    let tools = client.get(70, "tools", params)["tools"].clone();
    let most = &tools[0]["inputSchema"]["properties"]["timeout_ms"]["maximum"];
    most.as_u64().unwrap_or_else(|| panic!("{tools}"))
}

#[test]
fn a_model_asks_for_no_more_time_than_was_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r.jsonl");
    let mut client = Client::of("worker", &[]);
    let unset = client.get(1, "open", json!({}))["session"].clone();
    assert_eq!(most_ms(&mut client, &unset), 600_000);
    // The time that sessions have by default may be set, too.
    let limits = json!({"time": 5});
    let opens = json!({"limits": limits, "record": path});
    let set = client.get(2, "open", opens)["session"].clone();
    let profile = json!({"profile": {"limits": {"time": 5.0}}});
    let own = client.get(3, "open", profile)["session"].clone();
    let fork = client.get(4, "fork", json!({"session": set}))["session"].clone();
    let restored = |client: &mut Client, of: &serde_json::Value| {
        let parked = client.get(5, "park", json!({"session": of}))["parked"].clone();
        client.get(6, "restore", json!({"parked": parked}))["session"].clone()
    };
    let again = restored(&mut client, &set);
    let unset_again = restored(&mut client, &unset);
    client.get(7, "close", json!({"session": set}));
    let journal = json!({"journal": {"path": path}});
    let taken_up = client.get(8, "restore", journal.clone())["session"].clone();
    // A reader's limit is above that of the file.
    let mut careful = Client::of("worker", &["--reader-limit", "time=2s"]);
    let again_taken_up = careful.get(8, "restore", journal)["session"].clone();
    assert_eq!(most_ms(&mut careful, &again_taken_up), 2000);
    let since = Instant::now();
    let endless = json!({"session": again_taken_up, "code": "while True: pass"});
    let ended = careful.get(9, "exec", endless);
    assert_eq!(
        ended["outcome"]["error"]["cause"],
        json!("timeout"),
        "{ended}"
    );
    assert!(since.elapsed() < Duration::from_secs(20));
    careful.ends();
    for session in [own, fork, again, taken_up] {
        assert_eq!(most_ms(&mut client, &session), 5000);
    }
    assert_eq!(most_ms(&mut client, &unset_again), 600_000);
    client.ends();
}

#[test]
fn a_request_that_panics_is_answered_and_the_worker_goes_on() {
    let isolations: &[&[&str]] = match cfg!(target_os = "linux") {
        true => &[&[], &["--isolate", "process"]],
        false => &[&[]],
    };
    for isolation in isolations {
        for (method, params) in [
            ("instructions", json!({})),
            ("get", json!({"session": "%", "name": "x"})),
        ] {
            let mut command = std::process::Command::new(PROGRAM);
            command
                .arg("worker")
                .args(*isolation)
                .env("RLM_SANDBOX_PANIC", method);
            let mut client = Client::started(command.stderr(std::process::Stdio::null()));
            let open =
                |client: &mut Client, id| client.get(id, "open", json!({}))["session"].clone();
            let (session, other) = (open(&mut client, 1), open(&mut client, 2));
            for of in [&session, &other] {
                client.get(3, "exec", json!({"session": of, "code": "x = 5"}));
            }
            let mut params = params;
            if params.get("session").is_some() {
                params["session"] = session.clone();
            }
            let answer = client.ask(4, method, params);
            assert_eq!(answer["error"]["code"], json!(-32603), "{answer}");
            assert_eq!(answer["error"]["data"]["kind"], json!("lost"), "{answer}");
            let ran = client.get(5, "exec", json!({"session": other, "code": "x"}));
            assert_eq!(ran["outcome"]["value"]["value"], json!(5), "{ran}");
            let last = open(&mut client, 6);
            client.get(7, "close", json!({"session": last}));
            client.ends();
        }
    }
}

/// A script that waits goes on with its contexts under other functions, and the next one reads those that came meanwhile.
#[test]
fn a_script_that_waits_keeps_its_contexts_under_other_functions() {
    let mut client = Client::of("worker", &[]);
    let contexts = |text: &str| json!({"contexts": [{"name": "a", "text": text}]});
    let handlers = json!({"tools": [{"name": "f"}]});
    let opens = json!({"handlers": handlers, "values": contexts("first")});
    let session = client.get(1, "open", opens)["session"].clone();
    let waits = json!({"session": session, "code": "f()\ncontext"});
    client.get(2, "step", waits);
    let other = json!({"session": session, "values": contexts("second")});
    client.get(3, "set", other);
    let handlers = json!({"tools": [{"name": "f"}, {"name": "g"}]});
    client.get(
        4,
        "register",
        json!({"session": session, "handlers": handlers}),
    );
    let answers = json!([{"ticket": 0, "value": 7}]);
    let params = json!({"session": session, "answers": answers});
    let done = client.get(5, "resume", params);
    assert_eq!(done["outcome"]["value"]["value"], "first", "{done}");
    let next = client.get(6, "exec", json!({"session": session, "code": "context"}));
    assert_eq!(next["outcome"]["value"]["value"], "second", "{next}");
    client.ends();
}

#[test]
fn a_timeout_of_a_script_that_waits_is_for_that_script() {
    let mut client = Client::of("worker", &[]);
    let handlers = json!({"tools": [{"name": "f"}]});
    let opens = json!({"limits": {"time": 1}, "handlers": handlers});
    let session = client.get(1, "open", opens)["session"].clone();
    let waits = json!({"session": session, "code": "f()", "timeout": 30});
    let waiting = client.get(2, "step", waits)["waiting"].clone();
    assert_eq!(waiting[0]["ticket"], json!(0), "{waiting}");
    // One that is refused changes nothing.
    let refused = json!({"session": session, "code": "1", "timeout": 0.001});
    let refused = client.ask(3, "exec", refused);
    assert!(refused.to_string().contains("a script waits"), "{refused}");
    let parked = client.get(4, "park", json!({"session": session}))["parked"].clone();
    let restored = json!({"parked": parked, "handlers": handlers});
    let restored = client.get(5, "restore", restored)["session"].clone();
    for session in [session, restored] {
        let answers = json!([{"ticket": 0, "value": 7}]);
        let params = json!({"session": session, "answers": answers});
        let done = client.get(6, "resume", params);
        assert_eq!(done["outcome"]["value"]["value"], json!(7), "{done}");
        assert_eq!(most_ms(&mut client, &session), 1000);
        let since = Instant::now();
        let endless = json!({"session": session, "code": "while True: pass"});
        let ended = client.get(7, "exec", endless);
        assert_eq!(
            ended["outcome"]["error"]["cause"],
            json!("timeout"),
            "{ended}"
        );
        assert!(since.elapsed() < Duration::from_secs(10));
    }
    client.ends();
}

/// A component with which the compiler panics, so that its process has something to say to the operator.
const PANICS: &str = r#"(component
 (component $a
  (core module $m (memory (export "m") 1) (func (export "realloc") (param i32 i32 i32 i32) (result i32) i32.const 1024) (func (export "f") (param i32 i32)))
  (core instance $i (instantiate $m))
  (func (export "f") (param "s" string) (canon lift (core func $i "f") (memory (core memory $i "m")) (realloc (core func $i "realloc")))))
 (instance $ai (instantiate $a))
 (component $b
  (import "f" (func $f (param "s" string)))
  (core module $mm (memory (export "m") 1) (func (export "realloc") (param i32 i32 i32 i32) (result i32) i32.const 1024))
  (core instance $mi (instantiate $mm))
  (core func $lf (canon lower (func $f) (memory (core memory $mi "m"))))
  (core module $m (import "" "f" (func $f (param i32 i32))) (func (export "g") (result i32) (call $f (i32.const 0) (i32.const 4)) i32.const 1))
  (core instance $i (instantiate $m (with "" (instance (export "f" (func $lf))))))
  (func (export "g") (result u32) (canon lift (core func $i "g"))))
 (instance $bi (instantiate $b (with "f" (func $ai "f"))))
 (func (export "g") (alias export $bi "g")))"#;

#[test]
fn a_plugin_that_is_not_compiled_waits_for_no_reader_of_standard_error() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let folder = tempfile::tempdir().expect("a folder");
    let plugin = folder.path().join("panics.wasm");
    std::fs::write(&plugin, wat::parse_str(PANICS).expect("a component")).expect("written");
    // It has no reader, and is full.
    let (reader, mut errors) = std::io::pipe().expect("a pipe");
    errors
        .write_all(&vec![b'x'; 64 << 10])
        .expect("as much as a pipe of Linux holds");
    let mut worker = std::process::Command::new(env!("CARGO_BIN_EXE_rlm-sandbox"))
        .arg("worker")
        .env("RLM_SANDBOX_CACHE", folder.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(errors)
        .spawn()
        .expect("starts");
    let mut input = worker.stdin.take().expect("piped");
    let output = BufReader::new(worker.stdout.take().expect("piped"));
    let (said, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        output
            .lines()
            .map_while(Result::ok)
            .for_each(|line| drop(said.send(line)))
    });
    for id in 0..3 {
        let handlers = json!({"plugins": [plugin]});
        let open =
            json!({"jsonrpc": "2.0", "id": id, "method": "open", "params": {"handlers": handlers}});
        writeln!(input, "{open}").expect("written");
        let answer = heard
            .recv_timeout(Duration::from_secs(60))
            .expect("an answer");
        assert!(answer.contains("\"error\""), "{answer}");
    }
    drop(input);
    drop(reader);
    worker.wait().expect("ends");
}

/// Memories reserve 4 GiB each. A limit on address space is no limit of the sandbox's.
#[test]
fn sessions_that_rest_give_their_address_space_to_others() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 18874368; exec \"$0\" worker", PROGRAM]);
    let mut client = Client::started(&mut command);
    client.get(1, "hello", json!({}));
    let sessions: Vec<_> = (0..9)
        .map(|number| {
            let opened = client.get(2, "open", json!({}));
            let code = format!("x = {number}");
            let params = json!({"session": opened["session"], "code": code});
            client.get(3, "exec", params);
            opened["session"].clone()
        })
        .collect();
    for (number, session) in sessions.iter().enumerate() {
        let params = json!({"session": session, "code": "x"});
        let ran = client.get(4, "exec", params);
        assert!(ran.to_string().contains(&format!("\"{number}\"")), "{ran}");
    }
    client.ends();
}

#[test]
fn whole_numbers_of_any_size_keep_their_digits() {
    const NUMBER: &str = "123456789012345678901234567890";
    let mut client = Client::of("worker", &[]);
    let ask = |client: &mut Client, method: &str, params: &str| {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        client.write(format!("{line}\n").as_bytes());
        let answer = client.read().expect("an answer");
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    };
    let tools = r#"{"tools":[{"name":"t"}]}"#;
    let open = format!(
        r#"{{"handlers":{tools},"values":{{"variables":{{"a":{NUMBER}}}}},"histories":[[{{"role":"user","content":{NUMBER}}}]]}}"#
    );
    let opened = ask(&mut client, "open", &open);
    let session = opened["session"].as_str().expect("a name");
    let values = format!(
        r#"{{"session":"{session}","values":{{"variables":{{"b":[{{"c":{NUMBER}}}],"m":-0}}}}}}"#
    );
    ask(&mut client, "set", &values);
    let import =
        format!(r#"{{"session":"{session}","portable":{{"variables":{{"d":{NUMBER}}}}}}}"#);
    ask(&mut client, "import", &import);
    let step = format!(r#"{{"session":"{session}","code":"e = t()\ne"}}"#);
    let waits = ask(&mut client, "step", &step);
    let ticket = &waits["waiting"][0]["ticket"];
    let resume =
        format!(r#"{{"session":"{session}","answers":[{{"ticket":{ticket},"value":{NUMBER}}}]}}"#);
    ask(&mut client, "resume", &resume);
    let code = "(a, b[0]['c'], d, e, m, history[0]['content'])";
    let exec = format!(r#"{{"session":"{session}","code":"{code}"}}"#);
    let ran = ask(&mut client, "exec", &exec);
    let expected = format!("({NUMBER}, {NUMBER}, {NUMBER}, {NUMBER}, 0, {NUMBER})");
    assert_eq!(ran["outcome"]["value"]["repr"], expected.as_str(), "{ran}");
    client.ends();
}

/// 1,500 prompts that wait are more than the 1,000 that the reader's limits leave to a session that goes on from a journal.
#[test]
fn no_recording_begins_with_a_script_that_no_reader_would_take() {
    let folder = tempfile::tempdir().expect("a folder");
    let worker = |recorded: bool| {
        let mut command = Command::new(PROGRAM);
        command
            .arg("worker")
            .current_dir(folder.path())
            .env_remove("CI");
        match recorded {
            true => command.env("RLM_SANDBOX_RECORD", "./runs"),
            false => command.env_remove("RLM_SANDBOX_RECORD"),
        };
        Client::started(&mut command)
    };
    let handlers = json!({"model": true});
    let mut client = worker(false);
    let params =
        json!({"handlers": handlers, "record": "run.jsonl", "limits": {"model-calls": 5000}});
    let session = client.get(1, "open", params)["session"].clone();
    let code = "len(llm_query_batched(['p'] * 1500))";
    client.get(2, "step", json!({"session": session, "code": code}));
    client.ends();
    let mut client = worker(false);
    let params = json!({"handlers": handlers, "journal": {"path": "run.jsonl"}});
    let session = client.get(1, "restore", params)["session"].clone();
    let parked = client.get(2, "park", json!({"session": session}))["parked"].clone();
    client.ends();
    let params = json!({"handlers": handlers, "parked": parked});
    let mut client = worker(true);
    let answer = client.ask(1, "restore", params.clone());
    let message = answer["error"]["message"].as_str().expect("refused");
    assert!(message.contains("no recording can begin"), "{answer}");
    assert!(
        !folder.path().join("runs").exists()
            || std::fs::read_dir(folder.path().join("runs"))
                .expect("a folder")
                .next()
                .is_none()
    );
    client.ends();
    // It goes on where nothing is recorded.
    let mut client = worker(false);
    let restored = client.get(1, "restore", params);
    let call = &restored["waiting"][0];
    let answers = json!([{"ticket": call["ticket"], "value": vec!["a"; 1500]}]);
    let params = json!({"session": restored["session"], "answers": answers});
    let ran = client.get(2, "resume", params);
    assert_eq!(ran["outcome"]["value"]["repr"], json!("1500"), "{ran}");
    client.ends();
}
