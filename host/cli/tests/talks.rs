//! Conversations with good clients, word for word: what the doors offer beside
//! running code. And commands that run none.
#![cfg(unix)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use client::{Client, PROGRAM};

/// What a tool of the server gives, as it is structured.
fn call(client: &mut Client, tool: &str, arguments: Json) -> Json {
    let params = json!({"name": tool, "arguments": arguments});
    let result = client.get(1, "tools/call", params);
    match result.get("structuredContent") {
        Some(content) => content.clone(),
        None => result["content"][0]["text"].clone(),
    }
}

#[test]
fn a_model_looks_at_contexts_and_variables_through_mcp() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("server.log");
    fs::write(&log, "INFO started\nERROR disk\nINFO on\nERROR net\n").expect("written");
    let mut client = Client::of("mcp", &["--context", log.to_str().expect("text")]);
    client.greet();
    let tools = client.get(2, "tools/list", json!({}));
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    for name in [
        "exec_python",
        "get_variable",
        "list_variables",
        "load_context",
        "remove_context",
        "reset",
        "search_context",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    let loaded = call(
        &mut client,
        "load_context",
        json!({"name": "a b.json", "text": "{\"k\": 1}", "json": true}),
    );
    assert_eq!(loaded["name"], "a b.json", "{loaded}");
    // What Python sees now: it is the first one by name.
    assert_eq!(loaded["default_context"], "a b.json", "{loaded}");
    let note =
        "`context` is a b.json from now on; it was server.log, which is files[\"server.log\"]";
    assert_eq!(loaded["note"], note, "{loaded}");
    assert_eq!(loaded["python"], "context_0", "{loaded}");
    let code = "(context['k'], context_0['k'])";
    let ran = call(&mut client, "exec_python", json!({"code": code}));
    assert_eq!(ran["return_value"], "(1, 1)", "{ran}");
    let found = call(&mut client, "search_context", json!({"pattern": "^ERROR"}));
    assert!(found.to_string().contains("ERROR net"), "{found}");
    let code = "n = files['server.log'].count('ERROR')\nk = files['a b.json']\nn";
    let ran = call(
        &mut client,
        "exec_python",
        json!({"code": code, "timeout_ms": 9000}),
    );
    assert_eq!(ran["return_value"], "2", "{ran}");
    let got = call(&mut client, "get_variable", json!({"name": "n"}));
    assert_eq!(got["value"], 2, "{got}");
    let missing = call(&mut client, "get_variable", json!({"name": "m"}));
    assert!(
        missing
            .to_string()
            .contains("list_variables names those there are"),
        "{missing}"
    );
    let listed = call(&mut client, "list_variables", json!({}));
    assert_eq!(
        listed["variables"].as_array().map(Vec::len),
        Some(2),
        "{listed}"
    );
    let path = call(&mut client, "load_context", json!({"path": "/etc/passwd"}));
    assert!(path.to_string().contains("--allow-read"), "{path}");
    assert_eq!(call(&mut client, "reset", json!({}))["variables"], 2);
    let again = call(&mut client, "exec_python", json!({"code": "n"}));
    assert_eq!(again["success"], false, "{again}");

    let resources = client.get(3, "resources/list", json!({}));
    assert_eq!(
        resources["resources"].as_array().map(Vec::len),
        Some(2),
        "{resources}"
    );
    let templates = client.get(4, "resources/templates/list", json!({}));
    assert_eq!(
        templates["resourceTemplates"].as_array().map(Vec::len),
        Some(1)
    );
    let part = json!({"uri": "context://server.log?start=5&length=7"});
    let part = client.get(5, "resources/read", part);
    assert_eq!(part["contents"][0]["text"], "started", "{part}");
    let whole = client.get(6, "resources/read", json!({"uri": "context://a%20b.json"}));
    assert_eq!(
        whole["contents"][0]["mimeType"], "application/json",
        "{whole}"
    );
    let long = "é".repeat(450_000);
    let loaded = call(
        &mut client,
        "load_context",
        json!({"name": "z", "text": long}),
    );
    assert_eq!(loaded["default_context"], "a b.json", "{loaded}");
    assert!(loaded["note"].is_null(), "{loaded}");
    assert_eq!(loaded["python"], "files[\"z\"]", "{loaded}");
    for (query, said) in [
        (
            "",
            "[cut: characters 0 to 200000 of 450000; read context://z?start=200000 for more]",
        ),
        (
            "?start=200000",
            "[cut: characters 200000 to 400000 of 450000; read context://z?start=400000 for more]",
        ),
        ("?start=400000", "é"),
        ("?start=7&length=200000", "é"),
    ] {
        let uri = format!("context://z{query}");
        let part = client.get(6, "resources/read", json!({"uri": uri}));
        let text = part["contents"][0]["text"].as_str().expect("a text");
        assert!(text.ends_with(said), "{query}");
    }
    call(&mut client, "remove_context", json!({"name": "z"}));
    for (uri, told) in [
        ("context://nope", "resources/list names those there are"),
        ("context://server.log?from=1", "write ?start=0"),
    ] {
        let refused = client.ask(7, "resources/read", json!({"uri": uri}));
        assert!(refused["error"].to_string().contains(told), "{refused}");
    }
    client.ends();
}

/// Asks the runner to execute, and does what it asks for meanwhile.
fn execute(client: &mut Client, code: &str, tool: impl Fn(&Json) -> Json) -> Json {
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "execute", "params": {"code": code}}));
    loop {
        let message = client.read().expect("a message");
        if message["method"] != "tool_call" {
            return message;
        }
        let mut answer = tool(&message["params"]);
        answer["jsonrpc"] = json!("2.0");
        answer["id"] = message["id"].clone();
        client.send(&answer);
    }
}

#[test]
fn answers_of_dspy_are_plain_json() {
    let mut client = Client::of("dspy-runner", &[]);
    client.get(2, "register", json!({"tools": ["bare"], "outputs": []}));
    let of = |answer: &Json| answer["result"]["output"].to_string();
    for (value, shown) in [
        ("-0", "0"),
        (r#"{"$tuple": [1, 2]}"#, "{'$tuple': [1, 2]}"),
        (
            "[123456789012345678901234567890, -0]",
            "[123456789012345678901234567890, 0]",
        ),
    ] {
        let answer = execute(
            &mut client,
            "print(bare())",
            |_| json!({"result": {"value": value, "type": "json"}}),
        );
        assert!(of(&answer).contains(shown), "{answer}");
    }
    let answer = execute(
        &mut client,
        "print(bare())",
        |_| json!({"result": {"value": {"$set": [1]}, "type": ""}}),
    );
    assert!(of(&answer).contains("{'$set': [1]}"), "{answer}");
}

#[test]
fn no_script_forges_an_input_of_dspy() {
    let mut client = Client::of("dspy-runner", &["--timeout", "500ms"]);
    let words = "client ".repeat(500);
    let inputs = format!("context = '{words}'\nrows = [{}3]\n", "1, 2, ".repeat(500));
    let check = format!("{inputs}print(context == 'client ' * 500, sum(rows), len(rows))");
    let tool = |_: &Json| panic!("there is none");
    let expected = "True 1503 1001\n";
    let answer = execute(&mut client, &check, tool);
    assert_eq!(answer["result"]["output"], expected, "{answer}");
    // Python takes `\u{1d432}` for `y`, and text becomes a name in many ways.
    for forgery in [
        "_dsp\u{1d432}_input_context = 'forged'\n_dsp\u{1d432}_input_rows = '[1]'",
        "for _dsp\u{1d432}_input_context in ['forged']: pass",
        "import math as _dsp\u{1d432}_input_rows",
        "(_dsp\u{1d432}_input_rows := '[1]')",
        "def _dsp\u{1d432}_input_rows(): pass",
        "globals()['_dspy' + '_input_context'] = 'forged'",
        "exec('_dspy' + '_input_context = 1')",
        "import json\njson.loads = lambda text: [1]",
        "import json\nsetattr(json, 'lo' + 'ads', lambda text: [1])",
        "class Loader:\n    loads = len\n_dsp\u{1d432}_input_ = Loader()",
        "rows.append(4)\nrows.clear()\ncontext = rows = None",
    ] {
        execute(&mut client, forgery, tool);
        let forgery = format!("{inputs}{forgery}");
        execute(&mut client, &forgery, tool);
        let answer = execute(&mut client, &check, tool);
        assert_eq!(answer["result"]["output"], expected, "{forgery}: {answer}");
    }
    let json = json!({"name": "big", "value": "\"client\""});
    client.get(3, "inject_var", json);
    let check = "import json\nbig = json.loads(open('/tmp/dspy_vars/big.json').read())\nprint(big)";
    for code in [
        "_dsp\u{1d432}_input_big = 'forged'",
        "while True: pass",
        "1",
    ] {
        execute(&mut client, code, tool);
        let answer = execute(&mut client, check, tool);
        assert_eq!(answer["result"]["output"], "client\n", "{code}: {answer}");
    }
    client.ends();
}

/// Sources that each take as much memory as they can, down to some hundred bytes.
fn fillers() -> impl Iterator<Item = String> {
    let sizes = (8..23)
        .rev()
        .flat_map(|power| std::iter::repeat_n(1 << power, 4));
    sizes.map(|size: u32| format!("big.append('x' * {size})"))
}

#[test]
fn inputs_of_dspy_find_the_room_that_they_had_in_full_memory() {
    let mut client = Client::of("dspy-runner", &["--memory", "16MiB"]);
    let none = |_: &Json| panic!("there is none");
    let inputs = |bytes: usize| {
        let (text, numbers) = ("w".repeat(bytes), "1, 2, ".repeat(bytes / 60));
        format!("context = '{text}'\nrows = [{numbers}3]\n")
    };
    let check = "print(len(context), len(rows))";
    let answer = execute(&mut client, &format!("{}big = []", inputs(600_000)), none);
    assert!(answer["error"].is_null(), "{answer}");
    let mut full = 0;
    for code in fillers() {
        let answer = execute(&mut client, &code, none);
        full += u32::from(!answer["error"].is_null());
    }
    assert!(full > 10, "{full}");
    let run = |client: &mut Client, bytes: usize, code: &str| {
        let answer = execute(client, &format!("{}{code}", inputs(bytes)), none);
        if !answer["error"].is_null() {
            assert_eq!(answer["error"]["code"], -32099, "{answer}");
            assert_eq!(answer["error"]["data"]["type"], "MemoryError", "{answer}");
            assert!(!answer.to_string().contains("_dspy"), "{answer}");
        }
        answer
    };
    // Smaller values have the room of those before them.
    for bytes in [60_000, 6000] {
        let answer = run(&mut client, bytes, check);
        let expected = format!("{bytes} {}\n", bytes / 60 * 2 + 1);
        assert_eq!(answer["result"]["output"], expected, "{answer}");
    }
    // Values that are too large for the session change nothing.
    for _ in 0..2 {
        let answer = run(&mut client, 5_000_000, check);
        let told = answer["error"].to_string();
        assert!(
            told.contains("`context`") && told.contains("as they were"),
            "{answer}"
        );
        let answer = execute(&mut client, "len(big) > 0", none);
        assert_eq!(answer["result"]["output"], true, "{answer}");
    }
    // Those that would fit but for what scripts made find room in its place.
    let answer = run(&mut client, 600_000, check);
    assert!(
        answer["error"]
            .to_string()
            .contains("variables were dropped"),
        "{answer}"
    );
    let answer = run(&mut client, 600_000, check);
    assert_eq!(answer["result"]["output"], "600000 20001\n", "{answer}");
    let answer = client.ask(2, "register", json!({"tools": ["tool"], "outputs": []}));
    assert_ne!(answer["error"]["code"], -32603, "{answer}");
    client.ends();
}

/// Checks that an answer of the runner is an error after which dspy goes on.
fn check_recoverable(answer: &Json) {
    let code = answer["error"]["code"].as_i64().expect("an error");
    let is_known = (-32008..=-32000).contains(&code) || code == -32099;
    assert!(is_known, "{answer}");
}

#[test]
fn inputs_of_dspy_take_the_place_of_variables_without_number() {
    let none = |_: &Json| panic!("there is none");
    let long = format!("context = '{}'\nquery = 'q'\n", "w".repeat(5000));
    let variables = |name: &str, count: usize| {
        let all: Vec<_> = (0..count).map(|n| format!("{name}{n}=0")).collect();
        all.join(";")
    };
    let mut client = Client::of("dspy-runner", &[]);
    let mut run = |code: &str| execute(&mut client, &format!("{long}{code}"), none);
    let answer = run(&variables("v", 5000));
    assert!(answer["error"].is_null(), "{answer}");
    // What is too much by itself changes nothing.
    let answer = run(&variables("x", 5000));
    assert!(
        answer.to_string().contains("more than 10000 variables"),
        "{answer}"
    );
    assert_eq!(run("v0")["result"]["output"], 0);
    // The most that there may be without the inputs.
    let fill = |count: usize| format!("del context, query\n{}", variables("w", count));
    let fits = |count: usize| run(&fill(count))["error"].is_null();
    assert!((4980..5000).rev().any(fits));
    let answers: Vec<_> = (0..4).map(|_| run("len(query)")).collect();
    let is_error = |answer: &&Json| !answer["error"].is_null();
    let error = answers.iter().find(is_error).expect("there is no room");
    check_recoverable(error);
    assert!(
        error.to_string().contains("variables were dropped"),
        "{error}"
    );
    let answer = run("v1 = len(query)\nlen(context) + v1");
    assert_eq!(answer["result"]["output"], 5001, "{answer}");
    client.ends();
}

#[test]
fn tables_that_a_script_filled_are_emptied_for_code_of_dspy() {
    let none = |_: &Json| panic!("there is none");
    let long = format!("context = '{}'\nquery = 'q'\n", "w".repeat(5000));
    for inputs in [long.as_str(), "query = 'q'\n"] {
        let mut client = Client::of("dspy-runner", &[]);
        let mut run = |code: &str| execute(&mut client, &format!("{inputs}{code}"), none);
        let mut texts = 0..;
        let mut dropped = 0;
        // Large pieces are errors of their code alone; in the end the smallest has no room.
        for size in [
            30_000, 20_000, 10_000, 5000, 2000, 1000, 300, 100, 30, 10, 3, 1,
        ] {
            for _ in 0..8 {
                let list: Vec<_> = texts
                    .by_ref()
                    .take(size)
                    .map(|n: u32| format!("'s{n}'"))
                    .collect();
                let answer = run(&format!("x=[{}]\n0", list.join(",")));
                if !answer["error"].is_null() {
                    check_recoverable(&answer);
                    assert!(answer.to_string().contains("tables are full"), "{answer}");
                    dropped += u32::from(answer.to_string().contains("variables were dropped"));
                    break;
                }
            }
            if dropped > 0 {
                break;
            }
        }
        assert_eq!(dropped, 1);
        let answer = run("new_name = 'a new text'\nlen(new_name) + len(query)");
        assert_eq!(answer["result"]["output"], 11, "{answer}");
        // Code that ran is not run again.
        client.get(2, "register", json!({"tools": ["act"]}));
        let calls = std::cell::Cell::new(0);
        let act = |_: &Json| {
            calls.set(calls.get() + 1);
            json!({"result": {"value": "", "type": "string"}})
        };
        for code in [
            "raise RuntimeError(\"the interpreter's tables are full\")",
            "'x' * 10**9",
        ] {
            let answer = execute(&mut client, &format!("{inputs}act()\n{code}"), act);
            check_recoverable(&answer);
        }
        assert_eq!(calls.get(), 2);
        client.ends();
    }
}

/// The interpreter that does what it is told: `tests/liar`.
const LIAR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/liar/liar.wasm");
/// Code of the liar that makes it lose its session at the next entry.
const LOSES: [&str; 2] = ["exec repeated 2000000 trap", "exec trap"];

#[test]
fn a_runner_of_dspy_whose_session_is_lost_goes_on_with_another() {
    let none = |_: &Json| panic!("there is none");
    let mut client = Client::of("dspy-runner", &["--guest", LIAR, "--limit", "output=1MiB"]);
    let tools = json!({"tools": ["echo"], "outputs": [{"name": "answer"}]});
    client.get(2, "register", tools.clone());
    for registers in [false, true] {
        for code in LOSES {
            execute(&mut client, code, none);
        }
        if registers {
            client.get(2, "register", json!({"tools": ["late"]}));
        }
        let answer = execute(&mut client, "exec value 1 1", none);
        check_recoverable(&answer);
        assert!(answer.to_string().contains("session was lost"), "{answer}");
        let answer = execute(&mut client, "exec value 2 2", none);
        assert_eq!(answer["result"]["output"], 2, "{answer}");
        let call = "exec call echo {\"args\":[1],\"kwargs\":{}}\nexec value 3 3";
        let answer = execute(&mut client, call, |_| json!({"result": {"value": 1}}));
        assert_eq!(answer["result"]["output"], 3, "{answer}");
    }
    // A state that cannot be written: functions are registered all the same.
    let answer = execute(&mut client, "load trap\nexec value 1 1", none);
    assert_eq!(answer["result"]["output"], 1, "{answer}");
    client.get(2, "register", tools);
    let answer = execute(&mut client, "exec value 1 1", none);
    assert!(answer.to_string().contains("session was lost"), "{answer}");
    let answer = execute(&mut client, "exec value 2 2", none);
    assert_eq!(answer["result"]["output"], 2, "{answer}");
    client.ends();
}

#[test]
fn a_session_of_mcp_or_a_worker_that_is_lost_can_be_used_again() {
    let mut client = Client::of("mcp", &["--guest", LIAR, "--limit", "output=1MiB"]);
    client.greet();
    for resets in [false, true] {
        let mut run = |code: &str| {
            let params = json!({"name": "exec_python", "arguments": {"code": code}});
            client.get(1, "tools/call", params)
        };
        for code in LOSES {
            run(code);
        }
        let answer = run("exec value 1 1");
        assert!(answer.to_string().contains("all its variables"), "{answer}");
        if resets {
            call(&mut client, "reset", json!({}));
        }
        let ran = call(
            &mut client,
            "exec_python",
            json!({"code": "exec value 2 2"}),
        );
        assert_eq!(ran["return_value"], "2", "{ran}");
    }
    client.ends();

    let mut client = Client::of("worker", &["--guest", LIAR]);
    let limits = json!({"limits": {"output": "1MiB"}});
    let session = client.get(1, "open", limits)["session"].clone();
    let params = |code: &str| json!({"session": session, "code": code});
    for code in LOSES {
        client.get(2, "exec", params(code));
    }
    for _ in 0..2 {
        let refused = client.ask(3, "exec", params("exec value 1 1"));
        assert_eq!(refused["error"]["data"]["kind"], "lost", "{refused}");
    }
    client.get(4, "reset", json!({"session": session}));
    let ran = client.get(5, "exec", params("exec value 2 2"));
    assert_eq!(ran["outcome"]["state"], "intact", "{ran}");
    client.ends();
}

#[test]
fn a_session_of_mcp_whose_memory_is_full_can_be_reset() {
    let mut client = Client::of("mcp", &["--memory", "16MiB"]);
    client.greet();
    let run = |client: &mut Client, code: &str| {
        call(client, "exec_python", json!({"code": code}))["success"] == true
    };
    assert!(run(&mut client, "big = []"));
    let full = fillers().filter(|code| !run(&mut client, code)).count();
    assert!(full > 10, "{full}");
    let lists = client.get(
        1,
        "tools/call",
        json!({"name": "list_variables", "arguments": {}}),
    );
    assert_eq!(lists["isError"], true, "memory is not full: {lists}");
    let reset = client.get(1, "tools/call", json!({"name": "reset", "arguments": {}}));
    assert_eq!(reset["isError"], false, "{reset}");
    assert_eq!(reset["structuredContent"]["variables"], Json::Null);
    assert!(run(&mut client, "x = 'x' * 8_000_000"));
    let reset = call(&mut client, "reset", json!({}));
    assert_eq!(reset["variables"], 1, "{reset}");
    client.ends();
}

#[test]
fn integers_that_python_cannot_read_from_json_are_text_for_dspy() {
    let mut client = Client::of("dspy-runner", &[]);
    let tools = json!([{"name": "look", "parameters": [{"name": "key"}]}]);
    let outputs = json!([{"name": "answer"}]);
    client.get(2, "register", json!({"tools": tools, "outputs": outputs}));
    let none = |_: &Json| panic!("there is none");
    // 2 to the power of 20,000.
    let is_text = |value: &Json| {
        let digits = value.as_str().unwrap_or_default();
        digits.len() == 6021 && digits.starts_with("39802768403379")
    };
    let answer = execute(&mut client, "1 << 20_000", none);
    assert!(is_text(&answer["result"]["output"]), "{answer}");
    let answer = execute(&mut client, "SUBMIT(answer=1 << 20_000)", none);
    assert!(is_text(&answer["result"]["final"]["answer"]), "{answer}");
    let answer = execute(&mut client, "look({1: 1 << 20_000})", |asked| {
        assert!(is_text(&asked["kwargs"]["key"]["1"]), "{asked}");
        json!({"result": {"value": "1", "type": "json"}})
    });
    assert_eq!(answer["result"]["output"], 1, "{answer}");
    client.ends();
}

#[test]
fn a_client_of_mcp_is_served_while_the_interpreter_is_compiled() {
    let cache = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(PROGRAM);
    let command = command.arg("mcp").env("RLM_SANDBOX_CACHE", cache.path());
    let mut client = Client::started(command.stderr(Stdio::null()));
    client.greet();
    let tools = client.get(2, "tools/list", json!({}));
    assert!(
        tools["tools"]
            .as_array()
            .is_some_and(|tools| tools.len() > 5),
        "{tools}"
    );
    let call = json!({"name": "exec_python", "arguments": {"code": "6 * 7"}});
    client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call}));
    let is_compiled = || {
        let kept = std::fs::read_dir(cache.path()).expect("there").flatten();
        let mut names = kept.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.any(|name| name.ends_with(".cwasm"))
    };
    assert!(!is_compiled(), "it was answered before");
    let ran = client.read().expect("an answer").to_string();
    assert!(ran.contains("42") && is_compiled(), "{ran}");
    client.ends();
}

#[test]
fn results_are_as_long_as_max_output_allows() {
    const MOST: usize = 1000;
    let mut client = Client::of("mcp", &["--max-output", &MOST.to_string()]);
    client.greet();
    for code in [
        "from collections import namedtuple\nN = namedtuple('N' * 1_000_000, 'a')\nn = N(1)\nn",
        &"abcdefgh"
            .chars()
            .map(|c| format!("{} = 1\n", c.to_string().repeat(1000)))
            .collect::<String>(),
        "raise ValueError('m' * 1_000_000)",
        "class E(Exception): pass\nraise E('e' * 1_000_000)",
        "{}['k' * 1_000_000]",
        "FINAL('x' * 1_000_000)",
        "SUBMIT(**{'n' * 900: 'x' * 400})",
        "print('x' * 1_000_000)",
        "import sys\nprint('x' * 1_000_000, file=sys.stderr)\n'y' * 1_000_000",
        &format!("import {}", "m".repeat(900)),
    ] {
        let ran = call(&mut client, "exec_python", json!({"code": code}));
        // Members and marks for what was left out take some room of their own.
        let length = ran.to_string().chars().count();
        assert!(length < 3 * MOST, "{code}: {length} {ran}");
        let listed = call(&mut client, "list_variables", json!({}));
        let length = listed.to_string().chars().count();
        assert!(length < MOST + 200, "{code}: {length} {listed}");
    }
    let listed = call(&mut client, "list_variables", json!({}));
    assert_eq!(listed["truncated"], true, "{listed}");
    // Names of contexts count, too.
    for number in 0..60 {
        let name = format!(
            "{}{number}",
            "n".repeat(if number % 2 == 0 { 90 } else { 4000 })
        );
        let load = json!({"name": name, "text": "x"});
        call(&mut client, "load_context", load);
    }
    let listed = call(&mut client, "list_variables", json!({}));
    let length = listed.to_string().chars().count();
    assert!(length < MOST + 200, "{length} {listed}");
    assert_eq!(listed["truncated"], true, "{listed}");
    // All of them are listed, page by page, but for those that no result has room for.
    let (mut names, mut offsets) = (Vec::new(), json!({}));
    for _ in 0..200 {
        let listed = call(&mut client, "list_variables", offsets.clone());
        let length = listed.to_string().chars().count();
        assert!(length < MOST + 200, "{length} {listed}");
        for kind in ["variables", "contexts"] {
            let named = listed[kind].as_array().expect("a list").iter();
            names.extend(named.map(|one| one["name"].as_str().expect("a name").to_owned()));
        }
        let next = |kind: &str| {
            listed[format!("next_{kind}_offset")]
                .as_u64()
                .unwrap_or(1_000)
        };
        offsets =
            json!({"variables_offset": next("variables"), "contexts_offset": next("contexts")});
        if offsets == json!({"variables_offset": 1_000, "contexts_offset": 1_000}) {
            break;
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "each of them once");
    assert_eq!(
        names.iter().filter(|name| name.starts_with("nn")).count(),
        30,
        "{names:?}"
    );
    let found = call(&mut client, "search_context", json!({"pattern": "x"}));
    let length = found.to_string().chars().count();
    assert!(length < 3 * MOST, "{length} {found}");
    client.ends();
}

#[test]
fn dspy_registers_functions_and_answers_them() {
    let mut client = Client::of("dspy-runner", &[]);
    let tools = json!([
        "bare",
        {"name": "look", "parameters": [{"name": "key"}, {"name": "most", "default": 3}]},
    ]);
    let registered = client.get(
        2,
        "register",
        json!({"tools": tools, "outputs": [{"name": "answer"}]}),
    );
    assert_eq!(
        registered,
        json!({"tools": ["bare", "look"], "outputs": ["answer"]})
    );
    let echo =
        |asked: &Json| json!({"result": {"value": asked["kwargs"].to_string(), "type": "json"}});
    let of = |answer: &Json| answer["result"]["output"].to_string();
    let answer = execute(
        &mut client,
        "print(look('k'), look(key='j', most=1), bare())",
        echo,
    );
    for part in ["'k'", "'most': 3", "'j'", "'most': 1", "{}"] {
        assert!(of(&answer).contains(part), "{part} in {answer}");
    }
    for (code, told) in [
        (
            "look()",
            "look() missing 1 required positional argument: 'key'",
        ),
        (
            "bare(1)",
            "bare() takes 0 positional arguments but 1 was given",
        ),
    ] {
        let answer = execute(&mut client, code, echo);
        assert_eq!(answer["error"]["code"], -32002, "{answer}");
        assert!(answer["error"].to_string().contains(told), "{answer}");
    }
    let refuse = |_: &Json| json!({"error": {"code": -32004, "message": "no row", "data": {"type": "LookupError"}}});
    let code = "try:\n    look('k')\nexcept RuntimeError as e:\n    print(e)";
    let answer = execute(&mut client, code, refuse);
    assert!(of(&answer).contains("no row"), "{answer}");
    for strange in [
        json!({"result": 5}),
        json!({"result": {"value": "{", "type": "json"}}),
    ] {
        let answer = execute(&mut client, code, |_| strange.clone());
        assert!(
            of(&answer).contains("Tool bridge error for 'look'"),
            "{answer}"
        );
    }
    let answer = execute(&mut client, "rows = [1, 2, 3]\nprint(sum(rows))", echo);
    assert!(of(&answer).contains('6'), "{answer}");
    let answer = execute(&mut client, "SUBMIT(answer=len(rows))", echo);
    assert_eq!(answer["result"]["final"], json!({"answer": 3}), "{answer}");
    let refused = client.ask(9, "mount_file", json!({"host_path": "/etc/passwd"}));
    assert!(
        refused["error"].to_string().contains("--allow-read"),
        "{refused}"
    );
    client.ends();
}

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM)
        .args(arguments)
        .output()
        .expect("runs")
}

#[track_caller]
fn check(arguments: &[&str], status: i32, stdout_has: &str, stderr_has: &str) {
    let output = run(arguments);
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(status), "{stdout}{stderr}");
    assert!(stdout.contains(stdout_has), "no `{stdout_has}` in {stdout}");
    assert!(stderr.contains(stderr_has), "no `{stderr_has}` in {stderr}");
}

#[test]
fn commands_that_run_no_script() {
    rlm_sandbox::Sandbox::new().expect("compiled");
    check(&["validate", "-c", "x = 1"], 0, "ok\n", "");
    check(
        &["validate", "-c", "import os"],
        1,
        "import of 'os' is not allowed",
        "hint: ",
    );
    check(&["validate", "-c", "x = ("], 1, "SyntaxError: ", "");
    check(&["validate", "-c", "f(y)"], 0, "nothing defines: ", "");
    // What is imported in a function may never be.
    let missing = "ok, but nothing defines: pandas\n";
    let code = "def f():\n    from pandas import DataFrame";
    check(&["validate", "-c", code], 0, missing, "");
    let code = "import json\nimport numpy.linalg as la";
    check(
        &["validate", "-c", code],
        1,
        "line 2, in <module>",
        "hint: use plain lists",
    );
    let code = "try:\n    import numpy\nexcept ImportError:\n    numpy = None";
    check(&["validate", "-c", code], 0, "ok\n", "");
    let code =
        "import collections.abc, concurrent.futures, urllib.parse, json\nfrom typing import Any";
    check(&["validate", "-c", code], 0, "ok\n", "");
    check(
        &["validate", "-c", "f(y)", "--tool", "f", "--known", "y"],
        0,
        "ok\n",
        "",
    );
    check(&["validate", "/nowhere/at/all.py"], 2, "", "cannot read");
    check(
        &["exec", "--timeout", "0s", "-c", "1"],
        2,
        "",
        "`0s` leaves no time",
    );
    let ended = "[the script ended with exit code 7]\n";
    check(&["exec", "-c", "import sys\nsys.exit(7)"], 1, "", ended);
    let text = run(&["exec", "-c", "import sys\nprint(1)\nsys.exit('bye')"]);
    assert_eq!(text.status.code(), Some(1));
    assert_eq!((&*text.stdout, &*text.stderr), (&b"1\n"[..], &b"bye\n"[..]));
    check(
        &["exec", "print(1)"],
        2,
        "",
        "; `-c CODE` takes the script itself",
    );
    let script = tempfile::NamedTempFile::new().expect("created");
    let path = script.path().to_str().expect("text");
    let tip = format!("To run a script: rlm-sandbox exec {path}\n");
    check(&[path], 2, "", &tip);
    std::fs::write(path, "import os\n").expect("written");
    check(
        &["validate", path],
        1,
        &format!("File \"{path}\", line 1"),
        "",
    );
    check(&["instructions"], 0, "concurrent.futures", "");
    check(
        &["instructions", "--output", "lines:int"],
        0,
        "lines: int",
        "",
    );
    let instructions = run(&["instructions"]);
    let instructions = String::from_utf8_lossy(&instructions.stdout);
    assert!(!instructions.contains("history") && !instructions.contains("llm_query"));
    let with_model = ["instructions", "--llm-command", "cat"];
    check(&with_model, 0, "llm_query(prompt, model=None)", "");
    check(
        &["mcp", "--context", "-"],
        2,
        "",
        "and so does the protocol",
    );
    check(
        &["exec", "--context", "-", "-"],
        2,
        "",
        "and so does the script",
    );
    check(
        &["exec", "--timeout", "5", "-c", "1"],
        2,
        "",
        "--timeout: `5` is no duration",
    );
    check(
        &["instructions", "--short", "--tool", "look(key)=cat"],
        0,
        "look",
        "",
    );
    check(&["compile"], 0, ".cwasm\n", "");
    check(&["version", "--verbose"], 0, "rlm-sandbox", "");
}

#[test]
fn options_that_would_be_lost_are_told() {
    rlm_sandbox::Sandbox::new().expect("compiled");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keep.txt");
    std::fs::write(&file, "whole").expect("written");
    let path = file.to_str().expect("text");
    check(
        &[
            "exec",
            "--profile",
            "strict",
            "--output",
            "n:int",
            "-c",
            "1",
        ],
        2,
        "",
        "no SUBMIT",
    );
    let output = ["compile", "--output", path];
    check(&output, 2, "", "no compiled interpreter");
    let missing = folder.path().join("missing");
    let inside = missing.join("python.cwasm");
    let output = ["compile", "--output", inside.to_str().expect("text")];
    check(&output, 2, "", "there is no such folder");
    assert!(!missing.exists());
    assert_eq!(std::fs::read_to_string(&file).expect("there"), "whole");
    check(
        &[
            "exec",
            "--profile",
            "cairn",
            "--context",
            path,
            "-c",
            "6 * 7",
        ],
        0,
        "42",
        "see no contexts",
    );
    let recorded = Command::new(PROGRAM)
        .args(["exec", "--metering", "epoch", "-c", "1"])
        .env("RLM_SANDBOX_RECORD", folder.path().join("runs"))
        .output()
        .expect("starts");
    let said = String::from_utf8_lossy(&recorded.stderr);
    assert!(said.contains("needs --metering fuel"), "{said}");
}

#[test]
fn limits_that_scripts_meet_name_their_options() {
    rlm_sandbox::Sandbox::new().expect("compiled");
    // The default of a source is 64 KiB, that of prompts 50.
    let source = format!("# {}", "-".repeat(64 << 10));
    check(
        &["exec", "-c", &source],
        1,
        "",
        "hint: allow more with --limit source=SIZE",
    );
    let code = "for n in range(51): llm_query('p')";
    check(
        &["exec", "--llm-command", "cat", "-c", code],
        1,
        "",
        "hint: allow more with --limit model-calls=N",
    );
    // Those of a tool's answer, a model's and a request are 100 KiB, 1 MiB and 8 MiB.
    let of_calls = [
        (
            ["--tool", r"f()=head -c 102500 /dev/zero | tr '\0' 1"],
            "f()",
            "tool-answer=SIZE",
        ),
        (
            ["--llm-command", r"head -c 1048577 /dev/zero | tr '\0' x"],
            "llm_query('p')",
            "model-answer=SIZE",
        ),
        (
            ["--llm-command", "cat"],
            "llm_query('x' * ((8 << 20) + 1))",
            "request=SIZE",
        ),
    ];
    for ([option, command], code, limit) in of_calls {
        let hint = format!("hint: allow more with --limit {limit}");
        check(&["exec", option, command, "-c", code], 1, "", &hint);
    }
    let slow = [
        "exec",
        "--limit",
        "call-wait=1s",
        "--tool",
        "f()=sleep 60",
        "-c",
        "f()",
    ];
    let hint = "hint: allow more with --limit call-wait=DURATION";
    check(&slow, 1, "", hint);
    let twice = ["exec", "--timeout", "2s", "--limit", "time=5s", "-c", "1"];
    let text = "--timeout 2s and --limit time=5s set the same limit";
    check(&twice, 2, "", text);
}

#[test]
fn a_tool_with_parentheses_takes_these_arguments() {
    rlm_sandbox::Sandbox::new().expect("compiled");
    let refused = [
        ("f(a,b)=cat", "f(1)", "f() missing 1 required argument: 'b'"),
        (
            "f(a,b,c)=cat",
            "f(b=1)",
            "f() missing 2 required arguments: 'a' and 'c'",
        ),
        ("f()=cat", "f(1)", "f() takes 0 arguments but 1 was given"),
        (
            "f()=cat",
            "f(a=1, b=2)",
            "f() takes 0 arguments but 2 were given",
        ),
    ];
    for (tool, code, text) in refused {
        let text = format!("TypeError: {text}");
        check(&["exec", "--tool", tool, "-c", code], 1, "", &text);
    }
    let given = [
        ("f(a,b)=cat", "f(1, b=2)", "{'a': 1, 'b': 2}"),
        ("f()=cat", "f()", "{}"),
        ("f=cat", "f(1, b=2)", "{'args': [1], 'kwargs': {'b': 2}}"),
    ];
    for (tool, code, value) in given {
        check(&["exec", "--tool", tool, "-c", code], 0, value, "");
    }
}

#[test]
fn a_client_of_mcp_is_not_told_of_contexts_that_scripts_do_not_see() {
    for (profile, sees) in [("rlm", true), ("apexflow", false)] {
        let mut client = Client::of("mcp", &["--profile", profile]);
        let greeting = client.greet();
        let instructions = greeting["instructions"].as_str().expect("text");
        let is_told = instructions.contains("Scripts see no contexts here");
        assert_eq!(is_told, !sees, "{instructions}");
        let loaded = call(
            &mut client,
            "load_context",
            json!({"name": "a", "text": "x"}),
        );
        let python = loaded["python"].as_str().expect("text");
        assert_eq!(python == "files[\"a\"]", sees, "{loaded}");
        client.ends();
    }
}

#[test]
fn a_client_of_mcp_learns_which_tools_there_are() {
    let mut client = Client::of("mcp", &[]);
    client.greet();
    let unknown = json!({"name": "exec_pyton", "arguments": {}});
    let answer = client.get(1, "tools/call", unknown);
    assert_eq!(answer["isError"], true, "{answer}");
    let message = answer["content"][0]["text"].as_str().expect("text");
    let start = r#"there is no tool "exec_pyton"; there are exec_python, "#;
    assert!(message.starts_with(start), "{message}");
    let error = client.ask(2, "tools/call", Json::Null)["error"].clone();
    assert_eq!(error["code"], -32602, "{error}");
    assert_eq!(
        error["message"],
        "the parameters of tools/call are missing or wrong"
    );
    let error = client.ask(3, "foo/bar", json!({}))["error"].clone();
    assert_eq!(error["code"], -32601, "{error}");
    assert_eq!(error["message"], r#"there is no method "foo/bar" here"#);
}

#[test]
fn what_a_branch_raised_on_its_way_is_told() {
    rlm_sandbox::Sandbox::new().expect("compiled");
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run.jsonl");
    let run = run.to_str().expect("text");
    let mut client = Client::of("worker", &[]);
    let session = client.get(1, "open", json!({"record": run}))["session"].clone();
    for (id, code) in [(2, "x = budget()"), (3, "1 + 1")] {
        client.get(id, "exec", json!({"session": session, "code": code}));
    }
    client.ends();
    let code = ["branch", run, "--at", "0", "-c", "def ("];
    check(&code, 0, "execution 0 raised SyntaxError", "");
    let json = [&code[..], &["--json"]].concat();
    check(&json, 0, "\"raised\":[{\"execution\":0,", "");
    // One that is longer than the table is wide.
    let end = "that is where it ends";
    let long = format!("raise ValueError('x' * 200 + ' {end}')");
    let code = ["branch", run, "--at", "0", "-c", &long];
    check(&[&code[..], &["--json"]].concat(), 0, end, "");
    // What an execution raised is not what a later one came to.
    let output = Command::new(PROGRAM).args(code).output().expect("runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("execution 0 raised ValueError"), "{said}");
    assert!(!said.contains(" by ValueError"), "{said}");
    let code = ["branch", run, "--at", "1", "-c", &long];
    check(
        &code,
        1,
        &format!("raised by ValueError: {}", "x".repeat(200)),
        "",
    );
    // The session answers some calls itself.
    let json = ["branch", run, "--at", "0", "--json"];
    check(&json, 0, "\"asked\":0,", "");
}

#[test]
fn functions_that_nothing_answers_in_a_branch_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run.jsonl");
    let run = run.to_str().expect("text");
    let code = "try: one = t(1)\nexcept Exception as e: one = str(e)\none, t2()";
    let tools = ["--tool", "t(a)=echo 7", "--tool", "t2=echo 8"];
    let exec = [&["exec", "--record", run, "-c", code], &tools[..]].concat();
    check(&exec, 0, "(7, 8)", "");
    let branch = ["branch", run, "--at", "0", "--json"];
    let note = "note: nothing answers t(), t2() of the recorded scripts, which raise an exception; give --tool";
    check(&branch, 1, "\"asked\":0,", note);
    let with_one = [&branch[..], &["--tool", "t2=echo 9"]].concat();
    let note = "note: nothing answers t() of the recorded scripts, whose calls raise an exception";
    check(&with_one, 0, "\"asked\":1,", note);
    let answer = folder.path().join("answer");
    std::fs::write(&answer, "5").expect("written");
    let answer = format!("0={}", answer.display());
    let with_both = [&with_one[..], &["--answer", &answer]].concat();
    let (status, said) = printed(&with_both);
    assert!(status == Some(0) && said.contains("(5, 9)"), "{said}");
}

/// Returns what the program writes to standard output, and its exit status.
fn printed(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(PROGRAM)
        .args(arguments)
        .output()
        .expect("runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), said)
}

#[test]
fn a_run_and_its_branches_are_one_tree_that_replays() {
    rlm_sandbox::Sandbox::new().expect("compiled");
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run.jsonl");
    // A process that was killed before its first line leaves an empty file.
    std::fs::File::create(&run).expect("made");
    let run = run.to_str().expect("text");
    let exec = ["exec", "--record", run, "-c", "budget(); 1 + 1"];
    check(&exec, 0, "2", "");
    let mode = std::fs::metadata(run).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    check(&exec, 2, "", "exists; remove it");
    check(&["journal", "branches", run], 0, "run: 1 exec\n", "");
    let branch = |file: &str, at: &str, code: &str| {
        let code = ["branch", file, "--at", at, "--record", "-c", code];
        check(&code, 0, "recorded under these numbers", "");
    };
    let file = |number: u64| format!("{run}.branches/{number}.jsonl");
    branch(run, "0", "x = 2; x + 1");
    branch(&file(1), "1", "x + 2");
    branch(run, "1", "5");
    let tree = [
        "run: 1 exec\n",
        "  branch 1 from exec 0: 1 exec\n",
        "    branch 2 from exec 1: 1 exec\n",
        "  branch 3 from exec 1: 1 exec\n",
    ];
    let (status, said) = printed(&["journal", "branches", run]);
    assert_eq!((status, said), (Some(0), tree.concat()));
    let lines = [
        r#"{"branch":1,"parent":null,"at":0,"executions":1,"is_finished":true}"#,
        r#"{"branch":3,"parent":null,"at":1,"executions":1,"is_finished":true}"#,
        r#"{"branch":2,"parent":1,"at":1,"executions":1,"is_finished":true}"#,
    ];
    let (status, said) = printed(&["journal", "branches", run, "--json"]);
    assert_eq!(
        (status, said.lines().collect::<Vec<_>>()),
        (Some(0), lines.to_vec())
    );
    // Behind the last execution there is no script to run.
    let end = ["branch", run, "--at", "1"];
    check(
        &end,
        2,
        "",
        "the run has 1 execution up to there and no script after it",
    );
    let replay = ["replay", run, "--branches"];
    let (status, said) = printed(&replay);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((status, lines.len()), (Some(0), 4), "{said}");
    for (line, name) in lines
        .iter()
        .zip(["run", "branch 1", "branch 2", "branch 3"])
    {
        assert!(line.starts_with(&format!("{name}: identical: ")), "{line}");
    }
    // What was changed in a branch is found there, and in what begins behind it.
    let text = std::fs::read_to_string(file(1)).expect("text");
    std::fs::write(file(1), text.replace("x = 2; x + 1", "x = 3; x + 1")).expect("written");
    std::fs::File::create(file(4)).expect("made");
    // A recording that begins nowhere in the run is no branch of it.
    std::fs::copy(run, file(5)).expect("copied");
    let (status, said) = printed(&replay);
    assert_eq!(status, Some(2), "{said}");
    for begins in [
        "run: identical: ",
        "branch 1: different: ",
        "branch 3: identical: ",
        "branch 4: ",
        &format!("branch 5: {} is a recording of its own", file(5)),
    ] {
        let is_there = said.lines().any(|line| line.starts_with(begins));
        assert!(is_there, "{begins}: {said}");
    }
    assert!(!said.contains("branch 2: identical: "), "{said}");
    let (status, said) = printed(&["journal", "branches", run]);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("\nbranch 4: "), "{said}");
    assert!(said.contains("\nbranch 5: "), "{said}");
    let of_branch = ["replay", &file(3), "--branches"];
    check(&of_branch, 2, "", "the file is branch 3 of a run");
}

#[test]
fn a_branch_without_the_model_of_its_run_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run.jsonl");
    let run = run.to_str().expect("text");
    let model = [
        "--profile",
        "rlm-code",
        "--llm-command",
        "cat >/dev/null; echo a",
    ];
    let exec = [&["exec"], &model[..], &["--record", run, "-c", "x = 1"]].concat();
    check(&exec, 0, "", "");
    check(&["branch", run, "--at", "0", "--record"], 0, "", "");
    let (status, said) = printed(&["replay", run, "--branches"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("\nbranch 1: identical: "), "{said}");
    // The header of a run that had none is made up.
    let text = std::fs::read_to_string(run).expect("text");
    std::fs::write(run, text.replacen("\"model\":true", "\"model\":false", 1)).expect("written");
    check(&["replay", run], 1, "different: ", "");
}

/// Starts the program in a folder, with pipes for all that it reads and writes.
fn piped(arguments: &[&str], folder: &Path) -> Child {
    Command::new(PROGRAM)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts")
}

#[test]
fn a_client_that_does_not_begin_is_told_to_the_operator() {
    use std::io::Write as _;
    let mut child = piped(&["mcp"], Path::new("."));
    let mut input = child.stdin.take().expect("piped");
    for line in [
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
    ] {
        input.write_all(line.as_bytes()).expect("written");
    }
    let output = child.wait_with_output().expect("ends");
    let answered = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(answered.contains("send `initialize` first"), "{answered}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("the first message of the client is not `initialize`"),
        "{said}"
    );
}

#[test]
fn what_was_asked_before_the_end_of_the_input_is_answered() {
    use std::io::Write as _;
    let slow = "sum(range(3000000))";
    let dspy = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"execute\",\"params\":{{\"code\":\"print({slow})\"}},\"id\":1}}\n"
    );
    let open = "{\"jsonrpc\":\"2.0\",\"method\":\"open\",\"params\":{},\"id\":1}\n";
    let exec = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"exec\",\"params\":{{\"session\":\"s1\",\"code\":\"{slow}\"}},\"id\":2}}\n"
    );
    let total = "4499998500000";
    for _ in 0..5 {
        let mut child = piped(&["dspy-runner"], Path::new("."));
        let mut input = child.stdin.take().expect("piped");
        input.write_all(dspy.as_bytes()).expect("written");
        drop(input);
        let output = child.wait_with_output().expect("ends");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(total), "{said}");
    }
    for arguments in [&["worker"][..], &["worker", "--isolate", "process"]] {
        let mut child = piped(arguments, Path::new("."));
        let mut input = child.stdin.take().expect("piped");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        input.write_all(open.as_bytes()).expect("written");
        let opened = lines.next().expect("an answer").expect("text");
        assert!(opened.contains("s1"), "{opened}");
        input.write_all(exec.as_bytes()).expect("written");
        drop(input);
        let said = lines.next().expect("an answer").expect("text");
        assert!(said.contains(total), "{said}");
        child.wait().expect("ends");
    }
}

#[test]
fn a_server_ends_what_it_does_when_its_output_has_no_reader() {
    use std::io::Write as _;
    let endless = "{\"jsonrpc\":\"2.0\",\"method\":\"execute\",\"params\":{\"code\":\"while True: pass\"},\"id\":1}\n";
    let mut child = piped(&["dspy-runner"], Path::new("."));
    let mut input = child.stdin.take().expect("piped");
    input.write_all(endless.as_bytes()).expect("written");
    std::thread::sleep(Duration::from_millis(500));
    let since = Instant::now();
    drop((input, child.stdout.take(), child.stderr.take()));
    child.wait().expect("ends");
    // Its limit is 60 s.
    assert!(since.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_repl_says_which_session_it_does_not_record() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = piped(&["repl", "--record", "r.jsonl"], folder.path());
    let mut input = child.stdin.take().expect("piped");
    input
        .write_all(b"x = 1\n:save s\n:fork\nx\n:load s\n")
        .expect("written");
    drop(input);
    let output = child.wait_with_output().expect("ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // The fork is recorded as a branch.
    assert!(folder.path().join("r.jsonl.branches/1.jsonl").exists());
    assert_eq!(
        said.matches("this one is not recorded").count(),
        1,
        "{said}"
    );
}

#[test]
fn a_client_need_not_read_what_is_for_the_operator() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = piped(
        &[
            "mcp",
            "--limit",
            "calls=1000000",
            "--tool",
            "f()=echo error >&2; exit 1",
        ],
        folder.path(),
    );
    let mut input = server.stdin.take().expect("piped");
    let mut output = std::io::BufReader::new(server.stdout.take().expect("piped"));
    let mut ask = |message: Json| {
        use std::io::{BufRead as _, Write as _};
        writeln!(input, "{message}").expect("written");
        let mut line = String::new();
        output.read_line(&mut line).expect("an answer");
        serde_json::from_str::<Json>(&line).expect("JSON")
    };
    let client = json!({"name": "a test", "version": "1"});
    let params = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client});
    ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    // Each failure writes some 100 bytes, and a pipe holds 64 KiB.
    let code =
        "for i in range(1500):\n    try:\n        f()\n    except RuntimeError:\n        pass\ni";
    let params = json!({"name": "exec_python", "arguments": {"code": code, "timeout_ms": 60_000}});
    let ran = ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}));
    assert_eq!(
        ran["result"]["structuredContent"]["return_value"],
        json!("1499"),
        "{ran}"
    );
    drop(input);
    assert!(server.wait().expect("ends").success());
}

#[test]
fn a_context_that_is_loaded_last_is_answered_at_once() {
    use std::io::Write as _;
    let since = std::time::Instant::now();
    let mut server = piped(&["mcp"], Path::new("."));
    let client = json!({"name": "a test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client});
    let load = json!({"name": "load_context", "arguments": {"name": "a", "text": "text"}});
    let mut input = server.stdin.take().expect("piped");
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": load}),
    ] {
        writeln!(input, "{message}").expect("written");
    }
    // The client has said all that it wants to.
    drop(input);
    let output = server.wait_with_output().expect("ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.lines()
            .any(|line| line.contains("\"id\":2") && line.contains("size_bytes")),
        "{said}"
    );
    // The library waits five seconds for handlers that have not ended.
    assert!(since.elapsed() < std::time::Duration::from_millis(4500));
}
