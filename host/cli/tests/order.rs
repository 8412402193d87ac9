//! Requests that a client sends without waiting take effect in the order in which they
//! arrive, in each session; cancels and answers overtake them.
#![cfg(unix)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use client::{Client, PATIENCE};

fn request(id: u64, method: &str, params: Json) -> Json {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn tool(id: u64, name: &str, arguments: Json) -> Json {
    request(
        id,
        "tools/call",
        json!({"name": name, "arguments": arguments}),
    )
}

fn exec(id: u64, code: &str) -> Json {
    tool(
        id,
        "exec_python",
        json!({"code": code, "timeout_ms": 60_000}),
    )
}

fn cancel(id: u64) -> Json {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
}

/// Counts children of a process that have ended and were not waited for.
#[cfg(target_os = "linux")]
fn unreaped(parent: u32) -> usize {
    let of_parent = |stat: String| {
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_whitespace();
        let (state, of) = (
            fields.next()?.to_owned(),
            fields.next()?.parse::<u32>().ok()?,
        );
        (state == "Z" && of == parent).then_some(())
    };
    let all = std::fs::read_dir("/proc").expect("mounted").flatten();
    let stats = all.filter_map(|process| std::fs::read_to_string(process.path().join("stat")).ok());
    stats.filter_map(of_parent).count()
}

#[cfg(target_os = "linux")]
#[test]
fn commands_of_a_server_are_waited_for() {
    let tools = [
        "--tool",
        "t=echo 1",
        "--tool",
        "slow=sleep 60",
        "--limit",
        "call-wait=200ms",
    ];
    let mut client = Client::of("mcp", &tools);
    client.greet();
    let code = "n = 0\nfor _ in range(10): n += t()\nn";
    let ended = "try: slow()\nexcept Exception as e: print(type(e).__name__)";
    for id in 1..=3 {
        client.send(&exec(id, code));
        client.send(&exec(id + 100, ended));
    }
    let answers = answers(&mut client, 6);
    assert_eq!(
        structured(&answers[&3])["return_json"],
        json!(10),
        "{answers:?}"
    );
    let since = std::time::Instant::now();
    while unreaped(client.pid()) > 0 {
        assert!(
            since.elapsed() < std::time::Duration::from_secs(20),
            "processes stay"
        );
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    client.ends();
}

/// The next `count` answers, by id.
fn answers(client: &mut Client, count: usize) -> BTreeMap<u64, Json> {
    let mut answers = BTreeMap::new();
    while answers.len() < count {
        let message = client.read().expect("an answer");
        // Notifications say that resources changed.
        if let Some(id) = message["id"].as_u64() {
            assert!(answers.insert(id, message).is_none(), "{id} twice");
        }
    }
    answers
}

fn structured(answer: &Json) -> &Json {
    &answer["result"]["structuredContent"]
}

/// Numbers that look drawn, the same in each run.
fn drawn(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state >> 33
    }
}

#[test]
fn mcp_serves_what_is_sent_at_once_in_order() {
    let mut clients = [Client::of("mcp", &[]), Client::of("mcp", &[])];
    clients.iter_mut().for_each(|client| drop(client.greet()));
    // Two sessions at the same time, each with contexts of its own.
    for round in 0..25 {
        for (number, client) in clients.iter_mut().enumerate() {
            let (id, lines) = (round * 4, round as usize + 1 + 100 * number);
            let text = "needle\n".repeat(lines);
            client.send(&tool(
                id,
                "load_context",
                json!({"name": "c", "text": text}),
            ));
            let seen = match round % 5 {
                0 => "seen = [len(context.splitlines())]",
                _ => "seen.append(len(context.splitlines()))",
            };
            client.send(&exec(id + 1, seen));
            client.send(&tool(
                id + 2,
                "search_context",
                json!({"pattern": "^needle"}),
            ));
            client.send(&match round % 5 {
                4 => tool(id + 3, "reset", json!({})),
                _ => tool(id + 3, "get_variable", json!({"name": "seen"})),
            });
        }
    }
    for (number, client) in clients.iter_mut().enumerate() {
        let answers = answers(client, 100);
        for round in 0..25_u64 {
            let (id, lines) = (round * 4, |round: u64| round + 1 + 100 * number as u64);
            let loaded = structured(&answers[&id]);
            assert_eq!(loaded["lines"], lines(round), "{loaded}");
            let ran = structured(&answers[&(id + 1)]);
            assert_eq!(ran["success"], true, "{round}: {ran}");
            let found = structured(&answers[&(id + 2)]);
            assert_eq!(found["total"], lines(round), "{found}");
            let last = structured(&answers[&(id + 3)]);
            if round % 5 == 4 {
                assert_eq!(last["variables"], 1, "{last}");
            } else {
                let seen: Vec<_> = (round - round % 5..=round).map(lines).collect();
                assert_eq!(last["value"], json!(seen), "{last}");
            }
        }
    }
    clients.into_iter().for_each(Client::ends);
}

#[test]
fn mcp_requests_that_are_canceled_give_their_place_back() {
    for seed in 1..4 {
        let mut draw = drawn(seed);
        let mut client = Client::of("mcp", &[]);
        client.greet();
        client.get(
            1000,
            "tools/call",
            json!({"name": "exec_python", "arguments": {"code": "done = []"}}),
        );
        // All that follows waits for these; the first ends when it is canceled.
        client.send(&exec(0, "while True: pass"));
        client.send(&tool(1, "load_context", json!({"name": "c", "text": "x"})));
        let mut waiting = Vec::new();
        for id in 2..102 {
            let kind = draw() % 4;
            client.send(&match kind {
                0 => tool(id, "load_context", json!({"name": "c", "text": "x"})),
                1 => tool(id, "search_context", json!({"pattern": "x"})),
                _ => exec(id, &format!("done.append({id})")),
            });
            waiting.push((id, kind > 1));
            if id % 3 == 0 {
                // At random, also one that is a while back.
                let (id, _) = waiting.remove(draw() as usize % waiting.len());
                client.send(&cancel(id));
            }
        }
        client.send(&cancel(0));
        let answered = answers(&mut client, 1 + waiting.len());
        let ids: Vec<_> = [1]
            .into_iter()
            .chain(waiting.iter().map(|(id, _)| *id))
            .collect();
        assert_eq!(answered.into_keys().collect::<Vec<_>>(), ids, "{seed}");
        let get = json!({"name": "get_variable", "arguments": {"name": "done"}});
        let done = client.get(1001, "tools/call", get);
        let ran: Vec<_> = waiting
            .iter()
            .filter(|(_, runs)| *runs)
            .map(|(id, _)| *id)
            .collect();
        assert_eq!(done["structuredContent"]["value"], json!(ran), "{seed}");
        client.ends();
    }
}

#[test]
fn mcp_inspections_that_are_canceled_give_their_place_back() {
    let since = Instant::now();
    let mut client = Client::of("mcp", &["--timeout", "60s", "--fuel", "1000000000000000"]);
    client.greet();
    let code = "class A:\n  def __repr__(self):\n    while True: pass\nx = A()";
    client.get(
        1000,
        "tools/call",
        json!({"name": "exec_python", "arguments": {"code": code}}),
    );
    for (first, wait) in [(1, 0), (11, 300)] {
        let (last, runs) = (first + 2, first + 3);
        client.send(&tool(first, "get_variable", json!({"name": "x"})));
        client.send(&tool(first + 1, "list_variables", json!({})));
        client.send(&tool(last, "reset", json!({})));
        std::thread::sleep(Duration::from_millis(wait));
        // The one that runs last, so that the others wait when they are canceled.
        (first..=last).rev().for_each(|id| client.send(&cancel(id)));
        client.send(&exec(runs, "type(x)"));
        let answered = answers(&mut client, 1);
        assert_eq!(
            structured(&answered[&runs])["success"],
            true,
            "{answered:?}"
        );
    }
    // Nothing of it took the time limit.
    assert!(since.elapsed() < PATIENCE);
    client.ends();
}

#[test]
fn mcp_answers_no_request_with_the_result_of_a_canceled_one() {
    let mut client = Client::of("mcp", &["--timeout", "60s", "--fuel", "1000000000000000"]);
    client.greet();
    let code = "class A:\n  def __repr__(self):\n    while True: pass\nx = A()";
    client.get(
        1000,
        "tools/call",
        json!({"name": "exec_python", "arguments": {"code": code}}),
    );
    for round in 0..20 {
        client.send(&tool(100, "get_variable", json!({"name": "x"})));
        client.send(&cancel(100));
        std::thread::sleep(Duration::from_millis(round % 5));
        // It is refused until the other one has ended, and then runs.
        let answer = loop {
            client.send(&exec(100, &format!("{round}")));
            let answer = answers(&mut client, 1).remove(&100).expect("an answer");
            match answer.get("error") {
                Some(error) => assert!(error.to_string().contains("has no answer yet"), "{answer}"),
                None => break answer,
            }
        };
        assert_eq!(
            structured(&answer)["return_value"],
            format!("{round}"),
            "{answer}"
        );
    }
    client.ends();
}

#[test]
fn mcp_requests_that_reach_no_session_block_no_other() {
    let mut client = Client::of("mcp", &[]);
    client.greet();
    let wrong = [
        tool(0, "no_such_tool", json!({})),
        tool(0, "exec_python", json!({"cod": "1"})),
        tool(0, "exec_python", json!({"code": 5})),
        tool(0, "load_context", json!({"name": "c"})),
        tool(0, "load_context", json!({"name": "c", "path": "/nowhere"})),
        tool(0, "reset", json!([1])),
        tool(0, "search_context", json!({"pattern": "("})),
        request(0, "tools/call", json!({})),
        request(0, "no/such/method", json!({})),
        request(0, "resources/read", json!({"uri": "context://nope"})),
        request(0, "resources/list", json!({})),
    ];
    client.send(&exec(0, "x = 0"));
    let count = 10 * wrong.len() as u64;
    for id in 1..=count {
        let mut wrong = wrong[id as usize % wrong.len()].clone();
        wrong["id"] = json!(2 * id - 1);
        client.send(&wrong);
        client.send(&exec(2 * id, "x += 1\nx"));
    }
    let answers = answers(&mut client, 1 + 2 * count as usize);
    for id in 1..=count {
        let ran = structured(&answers[&(2 * id)]);
        assert_eq!(ran["return_value"], json!(id.to_string()), "{ran}");
    }
    client.ends();
}

#[test]
fn mcp_reads_contexts_while_a_script_runs() {
    let mut client = Client::of("mcp", &[]);
    client.greet();
    client.send(&tool(
        1,
        "load_context",
        json!({"name": "c", "text": "needle"}),
    ));
    client.send(&exec(2, "while True: pass"));
    client.send(&tool(3, "search_context", json!({"pattern": "needle"})));
    client.send(&request(4, "resources/read", json!({"uri": "context://c"})));
    let early = answers(&mut client, 3);
    assert_eq!(structured(&early[&3])["total"], 1, "{early:?}");
    assert_eq!(early[&4]["result"]["contents"][0]["text"], "needle");
    client.send(&cancel(2));
    let ran = client.get(
        5,
        "tools/call",
        json!({"name": "exec_python", "arguments": {"code": "len(context)"}}),
    );
    assert_eq!(ran["structuredContent"]["return_value"], "6", "{ran}");
    client.ends();
}

/// Returns the values of `x = (x * 3 + i) % 1000003` from 0, for each `i`.
fn hashed() -> impl FnMut(u64) -> u64 {
    let mut x = 0;
    move |number| {
        x = (x * 3 + number) % 1_000_003;
        x
    }
}

#[test]
fn a_worker_serves_each_session_in_order_and_all_beside_each_other() {
    let mut client = Client::of("worker", &[]);
    let handlers = json!({"tools": [{"name": "f"}]});
    let mut open = || client.get(1000, "open", json!({"handlers": handlers}))["session"].clone();
    let sessions = [open(), open(), open()];
    let code = |session: &Json, code: &str| json!({"session": session, "code": code});
    // The first waits for its client, so nothing more happens there.
    client.send(&request(0, "exec", code(&sessions[0], "x = f()")));
    let asked = client.read().expect("a question");
    assert_eq!(asked["method"], "call", "{asked}");
    for session in &sessions[1..] {
        client.get(1001, "exec", code(session, "x = 0"));
    }
    for number in 0..100_u64 {
        for (place, session) in sessions.iter().enumerate() {
            let id = 1 + number * 3 + place as u64;
            let params = code(session, &format!("x = (x * 3 + {number}) % 1000003\nx"));
            client.send(&request(id, "exec", params));
        }
    }
    let mut served = [Vec::new(), Vec::new(), Vec::new()];
    let mut read = |client: &mut Client, count: usize| {
        for _ in 0..count {
            let answer = client.read().expect("an answer");
            let id = answer["id"].as_u64().expect("a number");
            if let Some(id) = id.checked_sub(1) {
                let value = answer["result"]["outcome"]["value"]["value"].as_u64();
                served[id as usize % 3].push(value.expect("a value"));
            }
        }
    };
    read(&mut client, 200);
    client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": 0}));
    read(&mut client, 101);
    for served in served {
        assert_eq!(served, (0..100).map(hashed()).collect::<Vec<_>>());
    }
    // A cancel overtakes what waits.
    for id in 1..50 {
        client.send(&request(id, "exec", code(&sessions[0], "while True: pass")));
    }
    client.send(&request(50, "cancel", json!({"session": sessions[0]})));
    for id in 1..50 {
        let answer = client.read().expect("an answer");
        assert_eq!(answer["id"], id);
        assert_eq!(answer["result"]["outcome"]["error"]["stopped"], "canceled");
    }
    client.ends();
}

#[test]
fn the_runner_of_dspy_serves_in_order_and_hears_answers_at_once() {
    let mut client = Client::of("dspy-runner", &[]);
    client.get(1000, "register", json!({"tools": ["f"]}));
    client.send(&request(0, "execute", json!({"code": "x = f()"})));
    for number in 0..100_u64 {
        let code = format!("x = (x * 3 + {number}) % 1000003\nx");
        client.send(&request(1 + number, "execute", json!({"code": code})));
        if number == 50 {
            // Goes on in another session, with what the one before had.
            client.send(&request(1001, "register", json!({"tools": ["g"]})));
        }
    }
    let asked = client.read().expect("a question");
    assert_eq!(asked["method"], "tool_call", "{asked}");
    let answer = json!({"value": "0", "type": "json"});
    client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer}));
    let answers: Vec<_> = (0..102)
        .map(|_| client.read().expect("an answer"))
        .collect();
    let mut expected = hashed();
    let mut next = 0;
    for answer in &answers {
        let id = answer["id"].as_u64().expect("a number");
        if (1..1000).contains(&id) {
            assert_eq!(id, next + 1, "{answer}");
            assert_eq!(answer["result"]["output"], expected(next), "{answer}");
            next += 1;
        }
    }
    assert_eq!(next, 100);
    client.ends();
}
