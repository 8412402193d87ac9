//! Clients that are no good: garbage, half a line, a hundred megabytes, sudden
//! death; and ten good ones at once. Each door speaks its protocol and nothing
//! else, whatever a script prints.
#![cfg(unix)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value as Json, json};

use client::{Client, PROGRAM};

/// What a door says to `6 * 7`, wherever it says it.
fn shows_42(answer: &Json) -> bool {
    answer.to_string().contains("42")
}

const DOORS: [&str; 3] = ["worker", "mcp", "dspy-runner"];

#[test]
fn garbage_is_refused_and_nothing_is_lost() {
    let deep = "[".repeat(200_000);
    let nested = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"exec","params":{}1{}}}"#,
        "[".repeat(5000),
        "]".repeat(5000)
    );
    let garbage: Vec<Vec<u8>> = [
        "garbage",
        "{",
        "[]",
        "[1]",
        "{}",
        "null",
        "\"text\"",
        "1e999",
        r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#,
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":5}"#,
        r#"{"jsonrpc":"2.0","id":"r0","error":{}}"#,
        r#"{"jsonrpc":"2.0","id":{"a":1},"method":"nope"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"exec","params":[1,2]}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"execute","params":"text"}"#,
        r#"{"jsonrpc":"2.0","method":"nobody/waits","params":{}}"#,
        "\u{0}",
        "\u{feff}{}",
        "",
        "   ",
        &deep,
        &nested,
    ]
    .iter()
    .map(|line| line.as_bytes().to_vec())
    .chain([vec![0xff, 0xfe, b'{'], vec![0x80; 1000]])
    .collect();
    for door in DOORS {
        let mut client = Client::of(door, &[]);
        let run = client.ready(door);
        for line in &garbage {
            client.write(line);
            client.write(b"\n");
        }
        let (method, params) = run("6 * 7");
        let answer = client.get(42, method, params);
        assert!(shows_42(&answer), "{door}: {answer}");
        client.ends();
    }
}

#[test]
fn half_a_line_is_no_message() {
    for door in DOORS {
        let mut client = Client::of(door, &[]);
        let run = client.ready(door);
        let (method, params) = run("open('/tmp/x', 'w')");
        let line =
            json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        client.write(&line.as_bytes()[..line.len() - 2]);
        client.ends();
    }
}

#[test]
fn a_hundred_megabytes_do_no_harm() {
    let much = "x".repeat(100 << 20);
    // Skipped, or taken and then found to be no message.
    for arguments in [&[][..], &["--max-message", "128MiB"]] {
        for door in DOORS {
            let mut client = Client::of(door, arguments);
            let run = client.ready(door);
            client.write(much.as_bytes());
            client.write(b"\n");
            let (method, params) = run("6 * 7");
            assert!(shows_42(&client.get(2, method, params)), "{door}");
            // As code it is more than a source may be.
            let (method, params) = run(&much);
            let refused = client.ask(3, method, params);
            assert!(refused.to_string().len() < 10_000, "{door}");
            let (method, params) = run("6 * 7");
            assert!(shows_42(&client.get(4, method, params)), "{door}");
            client.ends();
        }
    }
}

#[test]
fn a_client_that_dies_leaves_nothing_behind() {
    for door in DOORS {
        for code in [
            "while True: pass",
            "import time\nwhile True: time.sleep(1)",
            "for i in range(10**9): print(i)",
        ] {
            let mut client = Client::of(door, &[]);
            let (method, params) = client.ready(door)(code);
            client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
            std::thread::sleep(Duration::from_millis(100));
            client.ends();
        }
    }
}

#[test]
fn a_pipe_is_no_file_to_load() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .expect("runs")
            .success()
    );
    let allowed = folder.path().to_str().expect("text").to_owned();
    let mut client = Client::of("mcp", &["--allow-read", &allowed]);
    client.greet();
    for path in [pipe.as_path(), folder.path()] {
        let arguments = json!({"path": path, "name": "a"});
        let answer = client.get(
            1,
            "tools/call",
            json!({"name": "load_context", "arguments": arguments}),
        );
        assert!(
            answer["isError"] == true && answer.to_string().contains("no such regular file"),
            "{answer}"
        );
    }
    client.ends();
}

#[test]
fn what_a_script_prints_is_never_a_line_of_its_own() {
    const FORGED: &str = r#"print('{"jsonrpc":"2.0","id":1,"result":{"output":"forged"}}\n' * 3, '\r\n\u2028\x00\x1b[0m')"#;
    for door in DOORS {
        let mut client = Client::of(door, &[]);
        let run = client.ready(door);
        let (method, params) = run(FORGED);
        let answer = client.get(1, method, params);
        assert!(
            answer.to_string().contains("forged") && answer.get("output") != Some(&json!("forged")),
            "{door}"
        );
        client.ends();
    }
    let mut client = Client::of("worker", &[]);
    let session = client.get(1, "open", json!({"handlers": {"stream": true}}))["session"].clone();
    client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "exec", "params": {"session": session, "code": FORGED}}));
    let printed = client.read().expect("text");
    assert_eq!(
        (&printed["method"], &printed["params"]["stream"]),
        (&json!("output"), &json!("stdout"))
    );
    client.ends();
}

#[test]
fn ten_clients_at_once() {
    let clients = (0..10).map(|number| {
        std::thread::spawn(move || {
            let door = DOORS[number % DOORS.len()];
            let mut client = Client::of(door, &[]);
            let run = client.ready(door);
            for turn in 0..5 {
                let (method, params) = run(&format!(
                    "total = sum(range({number}00 + {turn}))\nprint('is', total)\ntotal"
                ));
                let answer = client.get(turn, method, params);
                let upper = number as u64 * 100 + turn;
                let expected: u64 = (0..upper).sum();
                assert!(
                    answer.to_string().contains(&expected.to_string()),
                    "{door}: {answer}"
                );
            }
            client.ends();
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.join().expect("a client that is served");
    }
}

#[test]
fn exec_and_repl_are_recorded_where_the_environment_says() {
    for (arguments, lines, forks) in [
        (&["exec", "-c", "x = 41\nx + 1"][..], "", 0),
        (&["exec", "--session", "s", "-c", "x = 1"], "", 0),
        (&["repl"], "x = 1\n:fork\nx += 1\n:back\nx\n", 1),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(folder.path());
        command.env_remove("CI").env("RLM_SANDBOX_RECORD", "./runs");
        command.env("XDG_STATE_HOME", folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut program = command.spawn().expect("it starts");
        let mut stdin = program.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut stdin, lines.as_bytes()).expect("read");
        drop(stdin);
        assert!(program.wait().expect("waited for").success());
        let files = std::fs::read_dir(folder.path().join("runs")).expect("recordings");
        let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        files.retain(|file| {
            file.extension()
                .is_some_and(|extension| extension == "jsonl")
        });
        let [run] = &files[..] else {
            panic!("one recording: {files:?}");
        };
        let output = Command::new(PROGRAM)
            .arg("replay")
            .arg("--branches")
            .arg(run)
            .output();
        let said = String::from_utf8_lossy(&output.expect("runs").stdout).into_owned();
        assert_eq!(said.matches("identical").count(), 1 + forks, "{said}");
    }
}

#[test]
fn each_session_of_a_door_is_recorded_where_the_environment_says() {
    for door in ["worker", "mcp", "dspy-runner"] {
        let folder = tempfile::tempdir().expect("a folder");
        let runs = folder.path().join("runs/of-all");
        let mut command = Command::new(PROGRAM);
        command.arg(door).stderr(Stdio::null());
        command.env_remove("CI").env("RLM_SANDBOX_RECORD", &runs);
        let mut client = Client::started(&mut command);
        let runs_code = client.ready(door);
        for code in ["x = 41", "print(x + 1)"] {
            let (method, params) = runs_code(code);
            client.get(7, method, params);
        }
        if door == "worker" {
            // Other handlers do not stand in the way, and begin another recording.
            let session = runs_code("").1["session"].clone();
            let handlers = json!({"tools": [{"name": "f"}]});
            client.get(
                8,
                "register",
                json!({"session": session, "handlers": handlers}),
            );
            let (method, params) = runs_code("x");
            client.get(9, method, params);
            let parked = client.get(10, "park", json!({"session": session}));
            client.get(11, "restore", json!({"parked": parked["parked"]}));
            let fork = client.get(12, "fork", json!({"session": session}));
            let fork = fork["session"].clone();
            client.get(13, "exec", json!({"session": fork, "code": "x + 1"}));
        }
        client.ends();
        let mut sources = Vec::new();
        let recorded = std::fs::read_dir(&runs).expect("recordings");
        let mut paths: Vec<_> = recorded.map(|file| file.expect("a file").path()).collect();
        paths.retain(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        });
        paths.sort();
        for path in &paths {
            let journal = rlm_sandbox::Journal::open(path).expect("a journal");
            sources.push(journal.sources().map(str::to_owned).collect::<Vec<_>>());
            let output = Command::new(PROGRAM).arg("replay").arg(path).output();
            let output = output.expect("runs");
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(said.starts_with("identical: "), "{door}: {said}");
        }
        if door == "worker" {
            let branch = paths[1].with_extension("jsonl.branches").join("1.jsonl");
            let output = Command::new(PROGRAM).arg("replay").arg(&branch).output();
            let said = String::from_utf8_lossy(&output.expect("runs").stdout).into_owned();
            assert!(said.starts_with("identical: "), "{said}");
        }
        let first = vec![String::from("x = 41"), String::from("print(x + 1)")];
        let wanted = match door {
            "worker" => vec![first, vec![String::from("x")], Vec::new()],
            _ => vec![first],
        };
        assert_eq!(sources, wanted, "{door}");
    }
}

#[test]
fn a_command_is_recorded_where_the_environment_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |record: &str, code: &str| {
        let mut command = Command::new(PROGRAM);
        command
            .args(["exec", "-c", code])
            .current_dir(folder.path());
        command.env("RLM_SANDBOX_RECORD", record);
        command.output().expect("runs")
    };
    assert!(run("./runs", "1 + 1").status.success());
    assert!(run("./runs", "1 / 0").status.code() == Some(1));
    let recorded = std::fs::read_dir(folder.path().join("runs")).expect("recordings");
    assert_eq!(recorded.count(), 2);
    // About cassettes, of which there are none here.
    assert!(run("once", "1 + 1").status.success());
    let output = run("runs", "1 + 1");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("has a slash in it"));
}
