//! Sessions in processes of their own: what still works in them, and what their death means for others.
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use client::{Client, PROGRAM};

/// Runs `exec --isolate process` in a folder.
fn exec(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PROGRAM)
        .args(["exec", "--isolate", "process"])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("it starts")
}

#[track_caller]
fn check(output: &Output, code: i32, stdout: &str, stderr: &str) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout_text, stderr_text) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(
        output.status.code(),
        Some(code),
        "{stdout_text}{stderr_text}"
    );
    assert_eq!(stdout_text, stdout, "{stderr_text}");
    assert!(stderr_text.contains(stderr), "{stderr_text}");
}

#[doc = "Keeps R3-4, X24."]
#[test]
fn a_script_has_all_that_it_has_without_isolation() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    fs::write(at.join("notes.txt"), "some notes").expect("written");
    let arguments = [
        "--context",
        "notes.txt",
        "--tool",
        "twice=cat; echo",
        "--llm-command",
        "tr a-z A-Z",
        "--record",
        "r.jsonl",
        "--session",
        "s.session",
    ];
    let script = "print(twice(1)); x = llm_query(context)\nx";
    let first = exec(at, &[&arguments[..], &["-c", script]].concat());
    let called = r#"{'args': [1], 'kwargs': {}}"#;
    check(&first, 0, &format!("{called}\n'SOME NOTES'\n"), "");
    let context = ["--session", "s.session", "--context", "notes.txt"];
    let second = exec(at, &[&context[..], &["-c", "x + '!'"]].concat());
    check(&second, 0, "'SOME NOTES!'\n", "");
    // Without isolation, too.
    let plain = Command::new(PROGRAM)
        .args([
            "exec",
            "--session",
            "s.session",
            "--context",
            "notes.txt",
            "-c",
            "len(x)",
        ])
        .current_dir(at)
        .output()
        .expect("it starts");
    check(&plain, 0, "10\n", "");
    let replay = Command::new(PROGRAM)
        .args(["replay", "r.jsonl"])
        .current_dir(at)
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&replay.stdout);
    assert!(said.starts_with("identical: 1 exec, 2 calls"), "{said}");
    let raised = exec(at, &["-c", "1/0"]);
    check(&raised, 1, "", "ZeroDivisionError");
    let endless = exec(at, &["--timeout", "300ms", "-c", "while True: pass"]);
    check(&endless, 3, "", "time limit exceeded: 300ms");
    let large = exec(at, &["-c", "x = 'x' * 100_000_000"]);
    check(&large, 3, "", "memory limit exceeded");
}

#[test]
fn a_tool_ends_with_the_script_that_waits_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mark = format!("sleep 31.{}", std::process::id());
    let tool = format!("slow={mark}");
    let arguments = ["--tool", &tool, "--limit", "deadline=500ms", "-c", "slow()"];
    check(
        &exec(folder.path(), &arguments),
        3,
        "",
        "deadline exceeded: 500ms",
    );
    let found = Command::new("pgrep")
        .args(["-f", &format!("^{mark}")])
        .output();
    let found = found.map(|output| output.stdout).unwrap_or_default();
    assert!(found.is_empty(), "{}", String::from_utf8_lossy(&found));
}

/// The script may hold a gigabyte, and its process has not as much.
#[doc = "Keeps R3-4, X24."]
#[test]
fn the_cap_of_the_process_holds_where_the_limits_of_the_script_do_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "a = []\nfor i in range(900): a.append('x' * 1_000_000 + str(i))";
    let limits = ["--memory", "1GiB", "--isolated-memory", "300MiB"];
    let output = exec(
        folder.path(),
        &[&limits[..], &["--json", "-c", script]].concat(),
    );
    let said: Json = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(said["success"], json!(false), "{said}");
    assert!(matches!(output.status.code(), Some(3 | 4)), "{output:?}");
    let kinds = ["host_error", "process_ended"].map(Json::from);
    assert!(kinds.contains(&said["error_kind"]), "{said}");
}

#[test]
fn a_script_that_fits_its_limits_fits_its_process() {
    let folder = tempfile::tempdir().expect("a folder");
    // Almost all of 256 MiB, written and read again for the session.
    let script =
        "import random\na = [random.randbytes(1_000_000) for i in range(230)]\nprint(len(a))";
    let arguments = ["--memory", "256MiB", "--session", "s", "-c"];
    let output = exec(folder.path(), &[&arguments[..], &[script]].concat());
    check(&output, 0, "230\n", "");
    let output = exec(folder.path(), &["--session", "s", "-c", "sum(map(len, a))"]);
    check(&output, 0, "230000000\n", "");
}

#[test]
fn descriptors_of_the_one_who_starts_it_stay_with_him() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("secret"), "secret").expect("written");
    // The script's process is looked at while it runs.
    let line = format!(
        "'{PROGRAM}' exec --isolate process --timeout 3s --fuel 1e15 -c 'while True: pass' 7<secret & sleep 1.5; \
         parent=$!; child=$(pgrep -P $parent | head -1); ls -l /proc/$child/fd; grep -E 'Seccomp:|NoNewPrivs|VmSize' \
         /proc/$child/status; grep -E 'address space|core' /proc/$child/limits; wait $parent"
    );
    let output = Command::new("sh")
        .args(["-c", &line])
        .env("SECRET_OF_THE_PARENT", "1")
        .current_dir(folder.path())
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("pipe:"), "{said}");
    assert!(!said.contains("secret"), "{said}");
    assert!(said.contains("NoNewPrivs:\t1"), "{said}");
    assert!(said.contains("Seccomp:\t2"), "{said}");
    let number = |name: &str| {
        let line = said.lines().find(|line| line.starts_with(name))?;
        let mut words = line[name.len()..].split_whitespace();
        words.find_map(|word| word.parse::<u64>().ok())
    };
    let limit = number("Max address space").expect("a limit");
    let mapped = number("VmSize:").expect("a size") << 10;
    // The most that 64 MiB allow in the interpreter (three times that, the stack, the image and work in between) and on the way
    // out (five times that), and 128 MiB beside it.
    let allowed = (16 + 3 * 64 + 32 + 5 * 64 + 128) << 20;
    assert!(limit <= mapped + allowed, "{said}");
    assert_eq!(output.status.code(), Some(3), "{said}");
}

/// Returns what the threads of a process have started.
fn children_of(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("threads");
    let listed = threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let all = listed.collect::<Vec<_>>().join(" ");
    all.split_whitespace()
        .filter_map(|id| id.parse().ok())
        .collect()
}

/// Returns the role that a process of this program was given.
fn role_of(process: u32) -> Option<String> {
    let variables = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let variables = String::from_utf8_lossy(&variables).into_owned();
    let mut roles = variables.split('\0');
    roles.find_map(|variable| Some(variable.strip_prefix("RLM_SANDBOX_ISOLATED=")?.to_owned()))
}

/// Returns the isolated process of an `exec`, and the numbers of its pipes.
fn pipes_of(parent: u32) -> (u32, u32, u32) {
    let pipes = |id: u32| {
        let role = role_of(id)?;
        let (reads, writes) = role.strip_prefix("exec:")?.split_once(':')?;
        Some((id, reads.parse().ok()?, writes.parse().ok()?))
    };
    let found = children_of(parent).into_iter().find_map(pipes);
    found.expect("an isolated process")
}

/// Returns the process of a session.
fn process_of(client: &Client, session: &str) -> u32 {
    let role = format!("session:{session}");
    let all = children_of(client.pid());
    let found = all.iter().find(|id| role_of(**id).as_ref() == Some(&role));
    *found.unwrap_or_else(|| panic!("no process of {session}: {all:?}"))
}

fn kill(process: u32) {
    let status = Command::new("kill")
        .args(["-9", &process.to_string()])
        .status();
    assert!(status.expect("kill runs").success());
}

#[doc = "Keeps R3-4, X24."]
#[test]
fn the_death_of_a_process_is_told_and_concerns_no_other_session() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let session = |client: &mut Client| {
        let opened = client.get(1, "open", json!({"handlers": {"tools": [{"name": "f"}]}}));
        opened["session"].as_str().expect("a name").to_owned()
    };
    let (lost, kept) = (session(&mut client), session(&mut client));
    for name in [&lost, &kept] {
        let ran = client.get(2, "exec", json!({"session": name, "code": "x = 7"}));
        assert_eq!(ran["outcome"]["ok"], json!(true), "{ran}");
    }
    let process = process_of(&client, &lost);
    assert_ne!(process, process_of(&client, &kept));
    let code = "while True: pass";
    client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "exec", "params": {"session": lost, "code": code}}));
    std::thread::sleep(Duration::from_millis(200));
    kill(process);
    let answer = client.read().expect("an answer");
    assert_eq!(answer["id"], json!(3), "{answer}");
    assert_eq!(answer["error"]["data"]["kind"], json!("lost"), "{answer}");
    assert!(answer.to_string().contains("SIGKILL"), "{answer}");
    let gone = client.ask(4, "exec", json!({"session": lost, "code": "x"}));
    assert!(
        gone["error"]["message"].to_string().contains(&lost),
        "{gone}"
    );
    let ran = client.get(5, "exec", json!({"session": kept, "code": "x"}));
    assert_eq!(ran["outcome"]["value"]["value"], json!(7), "{ran}");
    client.ends();
}

#[doc = "Keeps R3-4, X24."]
#[test]
fn a_process_out_of_memory_leaves_the_memory_of_the_worker_alone() {
    let mut client = Client::of(
        "worker",
        &["--isolate", "process", "--isolated-memory", "300MiB"],
    );
    let limits = json!({"limits": {"memory": 1 << 30, "time": 60}});
    let name = client.get(1, "open", limits)["session"].clone();
    let other = client.get(2, "open", json!({}))["session"].clone();
    client.forget_peak();
    let before = client.peak();
    let code = "a = []\nfor i in range(900): a.append('x' * 1_000_000 + str(i))";
    let answer = client.ask(3, "exec", json!({"session": name, "code": code}));
    let kind = &answer["error"]["data"]["kind"];
    assert!(["host", "lost"].map(Json::from).contains(kind), "{answer}");
    let grown = client.peak().saturating_sub(before);
    assert!(grown < 32 << 20, "{grown}");
    let ran = client.get(4, "exec", json!({"session": other, "code": "6 * 7"}));
    assert_eq!(ran["outcome"]["value"]["value"], json!(42), "{ran}");
    client.ends();
}

#[test]
fn sessions_with_processes_do_what_others_do() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    fs::write(path("a.txt"), "from a file").expect("written");
    let open = json!({
        "values": {"variables": {"n": 3}, "contexts": [{"name": "a.txt", "path": path("a.txt")}]},
        "histories": [[{"role": "user", "content": "hi"}]],
        "record": path("r.jsonl"),
    });
    let opened = client.get(1, "open", open);
    let session = opened["session"].clone();
    let value = |client: &mut Client, session: &Json, code: &str| {
        let ran = client.get(2, "exec", json!({"session": session, "code": code}));
        ran["outcome"]["value"]["value"].clone()
    };
    let all = json!(["from a file", 3, 1]);
    assert_eq!(
        value(&mut client, &session, "y = [1]; [context, n, len(history)]"),
        all
    );
    // A fork has a process and a state of its own.
    let fork = client.get(3, "fork", json!({"session": session}))["session"].clone();
    assert_ne!(fork, session);
    assert_eq!(
        value(
            &mut client,
            &fork,
            "y.append(2); [context, y, len(history)]"
        ),
        json!(["from a file", [1, 2], 1])
    );
    assert_eq!(value(&mut client, &session, "y"), json!([1]));
    // What is parked is sealed with this user's key: any worker takes it up.
    let parked = client.get(4, "park", json!({"session": fork}))["parked"].clone();
    let restore = json!({
        "parked": parked,
        "values": {"contexts": [{"name": "a.txt", "text": "from a file"}]},
        "histories": [[{"role": "user", "content": "hi"}]],
    });
    let again = client.get(5, "restore", restore.clone())["session"].clone();
    assert_eq!(value(&mut client, &again, "y"), json!([1, 2]));
    let mut plain = Client::of("worker", &[]);
    let there = plain.get(1, "restore", restore)["session"].clone();
    assert_eq!(value(&mut plain, &there, "y"), json!([1, 2]));
    plain.ends();
    // The worker reads files for it.
    fs::write(path("b.bin"), b"\xff\0").expect("written");
    let contexts = json!([{"name": "b.bin", "path": path("b.bin")}]);
    client.get(
        6,
        "set",
        json!({"session": fork, "values": {"contexts": contexts}}),
    );
    assert_eq!(
        value(&mut client, &fork, "list(files['b.bin'])"),
        json!([255, 0])
    );
    let refused = client.ask(
        7,
        "set",
        json!({"session": session, "values": {"contexts": contexts}}),
    );
    assert!(
        refused
            .to_string()
            .contains("takes contexts with `open` alone"),
        "{refused}"
    );
    for (method, params) in [
        ("replay", json!({"path": path("r.jsonl")})),
        ("restore", json!({"journal": {"path": path("r.jsonl")}})),
    ] {
        let refused = client.ask(8, method, params);
        assert!(
            refused.to_string().contains("without --isolate"),
            "{refused}"
        );
    }
    let bad = client.get(9, "validate", json!({"code": "x = = 1"}));
    assert_eq!(bad["ok"], json!(false), "{bad}");
    // In order, although the client does not wait.
    let scripts = (0..100).map(|n| match n {
        0 => String::from("q = [0]"),
        99 => String::from("q == list(range(99))"),
        n => format!("q.append({n})"),
    });
    for (id, code) in (1000..).zip(scripts) {
        let params = json!({"session": fork, "code": code});
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "exec", "params": params}));
    }
    let last = (0..100)
        .map(|_| client.read().expect("an answer"))
        .find(|answer| answer["id"] == json!(1099));
    assert_eq!(
        last.expect("the last")["result"]["outcome"]["value"]["value"],
        json!(true)
    );
    let process = process_of(&client, fork.as_str().expect("a name"));
    client.get(10, "close", json!({"session": session}));
    let replayed = Command::new(PROGRAM)
        .args(["replay", &path("r.jsonl")])
        .output();
    let replayed = replayed.expect("it starts");
    assert!(replayed.status.success(), "{replayed:?}");
    client.ends();
    // Its processes end with it.
    let since = Instant::now();
    while Path::new(&format!("/proc/{process}")).exists() {
        assert!(since.elapsed() < client::PATIENCE, "{process} goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

const NONBLOCK: i32 = 0o4000;

/// A process that is taken over: the honest one is stopped, and its pipes are used in its place.
struct Taken {
    /// Never waits: the kernel may wake the one that is stopped in its place.
    reads: fs::File,
    writes: fs::File,
}

impl Taken {
    /// Takes over a process of a worker.
    fn over(process: u32) -> Self {
        Self::with_pipes(process, 0, 1)
    }

    fn with_pipes(process: u32, reads: u32, writes: u32) -> Self {
        let status = Command::new("kill")
            .args(["-STOP", &process.to_string()])
            .status();
        assert!(status.expect("kill runs").success());
        // A thread that has not stopped yet would still take the next request.
        let since = Instant::now();
        while !all_stopped(process) {
            assert!(since.elapsed() < client::PATIENCE, "{process} goes on");
            std::thread::sleep(Duration::from_millis(1));
        }
        let pipe = |number: u32| format!("/proc/{process}/fd/{number}");
        Self {
            reads: fs::File::options()
                .read(true)
                .custom_flags(NONBLOCK)
                .open(pipe(reads))
                .expect("its input"),
            writes: fs::File::options()
                .write(true)
                .open(pipe(writes))
                .expect("its output"),
        }
    }

    fn say(&mut self, line: &str) {
        use std::io::Write as _;
        // The worker may have ended it.
        let _ = self.writes.write_all(format!("{line}\n").as_bytes());
    }

    /// Returns the next request of the worker.
    fn hear(&mut self) -> Json {
        use std::io::Read as _;
        let (mut line, mut byte) = (Vec::new(), [0]);
        let since = Instant::now();
        while !line.ends_with(b"\n") {
            match self.reads.read(&mut byte) {
                Ok(1) => line.push(byte[0]),
                _ => std::thread::sleep(Duration::from_millis(1)),
            }
            assert!(since.elapsed() < client::PATIENCE, "no request");
        }
        serde_json::from_slice(&line).expect("JSON")
    }
}

/// Returns whether each thread of a process is stopped.
fn all_stopped(process: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("threads");
    threads.flatten().all(|thread| {
        let line = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The state follows the name, which is in parentheses.
        line.rsplit(") ")
            .next()
            .is_some_and(|rest| rest.starts_with('T'))
    })
}

/// A worker with two sessions: one to take over, and another one.
fn two_sessions(handlers: Json) -> (Client, String, String) {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let mut open = |handlers: Json| {
        let opened = client.get(1, "open", json!({"handlers": handlers}));
        opened["session"].as_str().expect("a name").to_owned()
    };
    let (taken, other) = (open(handlers), open(json!({})));
    (client, taken, other)
}

#[track_caller]
fn goes_on(client: &mut Client, session: &str) {
    let ran = client.get(90, "exec", json!({"session": session, "code": "6 * 7"}));
    assert_eq!(ran["outcome"]["value"]["value"], json!(42), "{ran}");
}

#[doc = "Keeps R3-4, X24."]
#[test]
fn a_process_that_is_taken_over_names_no_file_to_the_next_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let secret = folder.path().join("secret");
    fs::write(&secret, "secret").expect("written");
    let path = secret.to_str().expect("text");
    for (member, value) in [
        (
            "values",
            json!({"variables": {}, "contexts": [{"name": "c", "path": path}], "without": []}),
        ),
        ("journal", json!({"path": path})),
        ("record", json!(true)),
        ("limits", json!({"memory": "4GiB"})),
    ] {
        let (mut client, taken, other) = two_sessions(json!({}));
        let honest = client.get(2, "park", json!({"session": taken}));
        assert!(honest["parked"].is_string());
        client.send(
            &json!({"jsonrpc": "2.0", "id": 3, "method": "stats", "params": {"session": taken}}),
        );
        client.read().expect("an answer");
        let mut process = Taken::over(process_of(&client, &taken));
        client.send(
            &json!({"jsonrpc": "2.0", "id": 4, "method": "fork", "params": {"session": taken}}),
        );
        let asked = process.hear();
        assert_eq!(asked["method"], json!("fork"), "{asked}");
        let mut handed_over = json!({
            "parked": honest["parked"],
            "handlers": {"plugins": [path]},
            "values": {"variables": {}, "contexts": [], "without": []},
            "histories": [],
            "journal": null,
            "outputs": null,
            "record": false,
            "limits": {},
        });
        handed_over[member] = value;
        process
            .say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": handed_over}).to_string());
        let answer = client.read().expect("an answer");
        assert_eq!(answer["id"], json!(4), "{answer}");
        let answer = answer["error"]["message"].to_string();
        assert!(
            answer.contains("did not answer as this program does"),
            "{answer}"
        );
        goes_on(&mut client, &other);
        client.ends();
    }
}

#[doc = "Keeps R3-4, X24."]
#[test]
fn a_process_that_says_what_no_session_says_is_ended_alone() {
    let handlers = json!({"tools": [{"name": "f"}], "model": true, "stream": true});
    let deep = format!("{}{}", "[".repeat(1500), "]".repeat(1500));
    let long = "9".repeat(4350);
    let of_session = |method: &str, rest: &str| {
        let id = if method == "output" {
            ""
        } else {
            r#""id": "x", "#
        };
        format!(
            r#"{{"jsonrpc": "2.0", {id}"method": "{method}", "params": {{"session": "SESSION", {rest}}}}}"#
        )
    };
    let arguments = |args: &str| {
        of_session(
            "call",
            &format!(r#""ticket": 1, "name": "f", "args": [{args}], "kwargs": {{}}"#),
        )
    };
    for line in [
        String::from("{}"),
        String::from("nothing"),
        String::from(r#"{"jsonrpc": "2.0", "method": "shutdown", "params": {}}"#),
        of_session("output", r#""stream": "nowhere", "text": "x""#),
        of_session("output", r#""stream": "stdout", "text": "x", "more": 1"#),
        of_session("output", r#""stream": "stdout", "text": "x""#).replace("SESSION", "s2"),
        arguments(&deep),
        // Some readers end a line here.
        arguments("\r{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {}}\r"),
        arguments(&long),
        of_session(
            "call",
            r#""ticket": 1, "name": "g", "args": [], "kwargs": {}"#,
        ),
        of_session("call", r#""ticket": 1, "name": "f""#),
        // Its session has no model for recursion.
        of_session(
            "ask",
            r#""ticket": 1, "prompt": "p", "model": null, "recursive": true"#,
        ),
        // Answers to no question.
        String::from(r#"{"jsonrpc": "2.0", "id": "r999", "result": 1}"#),
        String::from(r#"{"jsonrpc": "2.0", "id": "zz", "error": "why"}"#),
        String::from(r#"{"jsonrpc": "2.0", "id": null, "result": 1}"#),
        of_session(
            "call",
            r#""ticket": 1, "name": "f", "args": 1, "kwargs": {}"#,
        ),
    ] {
        let (mut client, taken, other) = two_sessions(handlers.clone());
        client.send(
            &json!({"jsonrpc": "2.0", "id": 2, "method": "stats", "params": {"session": taken}}),
        );
        client.read().expect("an answer");
        let process = process_of(&client, &taken);
        client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "exec", "params": {"session": taken, "code": "1"}}));
        client.read().expect("an answer");
        let mut held = Taken::over(process);
        client.send(&json!({"jsonrpc": "2.0", "id": 4, "method": "exec", "params": {"session": taken, "code": "1"}}));
        held.hear();
        held.say(&line.replace("SESSION", &taken));
        let answer = client.read().expect("an answer");
        assert_eq!(answer["id"], json!(4), "{line}: {answer}");
        assert_eq!(
            answer["error"]["data"]["kind"],
            json!("lost"),
            "{line}: {answer}"
        );
        goes_on(&mut client, &other);
        client.ends();
    }
}

#[test]
fn a_process_that_is_taken_over_calls_nothing_for_a_script_that_is_driven_by_steps() {
    let handlers = json!({"tools": [{"name": "f"}], "model": true});
    let calls = json!({"jsonrpc": "2.0", "id": "x", "method": "call",
        "params": {"session": "SESSION", "ticket": 1, "name": "f", "args": [], "kwargs": {}}});
    let asks = json!({"jsonrpc": "2.0", "id": "x", "method": "ask",
        "params": {"session": "SESSION", "ticket": 1, "prompt": "p", "model": null, "recursive": false}});
    for (method, line, is_passed_on) in [
        ("exec", &calls, true),
        ("exec", &asks, true),
        ("step", &calls, false),
        ("step", &asks, false),
        ("stats", &calls, false),
    ] {
        let (mut client, taken, other) = two_sessions(handlers.clone());
        let process = process_of(&client, &taken);
        let mut held = Taken::over(process);
        let params = match method {
            "stats" => json!({"session": taken}),
            _ => json!({"session": taken, "code": "1"}),
        };
        client.send(&json!({"jsonrpc": "2.0", "id": 4, "method": method, "params": params}));
        held.hear();
        held.say(&line.to_string().replace("SESSION", &taken));
        // Its pipe ends with the process.
        drop(held);
        let heard = client.read().expect("a message");
        if is_passed_on {
            assert_eq!(heard["method"], line["method"], "{heard}");
            kill(process);
        }
        let heard = match is_passed_on {
            true => client.read().expect("an answer"),
            false => heard,
        };
        assert_eq!(heard["id"], json!(4), "{method}: {heard}");
        assert_eq!(heard["error"]["data"]["kind"], json!("lost"), "{heard}");
        goes_on(&mut client, &other);
        client.ends();
    }
}

/// The answer went to the process past the cancellation, and the script went on with it.
#[test]
fn an_answer_does_not_overtake_a_cancellation_that_came_before_it() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    client.get(1, "hello", json!({}));
    let handlers = json!({"handlers": {"tools": [{"name": "tool"}]}});
    let opened = client.get(2, "open", handlers);
    let session = opened["session"].as_str().expect("a name").to_owned();
    for number in 10..210 {
        let code = "kept = 'before'\nr = tool(1)\nkept = 'after'\nr";
        client.send(&json!({"jsonrpc": "2.0", "id": number, "method": "exec", "params": {"session": session, "code": code}}));
        let call = client.read().expect("a call");
        assert_eq!(call["method"], "call", "{call}");
        let lines = [
            json!({"jsonrpc": "2.0", "id": "c", "method": "cancel", "params": {"session": session}}),
            json!({"jsonrpc": "2.0", "id": call["id"], "result": "A"}),
        ];
        client.write(lines.map(|line| format!("{line}\n")).concat().as_bytes());
        let answers = [(); 2].map(|()| client.read().expect("an answer"));
        let ended = answers.iter().find(|answer| answer["id"] == number);
        let outcome = &ended.expect("of the script")["result"]["outcome"];
        assert_eq!(outcome["state"], "rolled-back", "{number}: {outcome}");
    }
    client.ends();
}

/// More than may wait for a process ended it, though it read all the time.
#[test]
fn a_session_outlives_many_large_requests_at_once() {
    const SETS: u64 = 24;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    // Eight MiB that are 48 MiB of JSON.
    std::fs::write(&file, "\u{1}".repeat(8 << 20)).expect("written");
    let mut client = Client::of("worker", &["--isolate", "process"]);
    client.get(1, "hello", json!({}));
    let opened = client.get(2, "open", json!({}));
    let session = opened["session"].as_str().expect("a name").to_owned();
    client.get(3, "exec", json!({"session": session, "code": "kept = 41"}));
    for number in 10..10 + SETS {
        let contexts = json!([{"name": "b", "path": file}]);
        client.send(&json!({"jsonrpc": "2.0", "id": number, "method": "set", "params": {"session": session, "values": {"contexts": contexts}}}));
    }
    for _ in 0..SETS {
        let answer = client
            .reads_within(Duration::from_secs(120))
            .expect("an answer");
        assert!(answer["error"].is_null(), "{answer}");
    }
    let kept = client.get(
        4,
        "exec",
        json!({"session": session, "code": "kept + len(files['b'])"}),
    );
    assert_eq!(kept["outcome"]["value"]["repr"], json!("8388649"), "{kept}");
    client.ends();
}

#[test]
fn a_process_whose_session_is_canceled_is_gone_before_the_answer() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    client.get(1, "hello", json!({}));
    for number in 10..60 {
        client.send(&json!({"jsonrpc": "2.0", "id": number, "method": "open", "params": {}}));
        let since = Instant::now();
        let process = loop {
            // Before it is this program, its parent waits for it.
            if let [process] = children_of(client.pid())[..]
                && role_of(process).is_some()
            {
                break process.to_string();
            }
            assert!(since.elapsed() < client::PATIENCE, "no process");
        };
        let stopped = Command::new("kill").args(["-STOP", &process]).status();
        assert!(stopped.expect("kill runs").success());
        client.send(&json!({"jsonrpc": "2.0", "method": "cancel", "params": {"request": number}}));
        std::thread::sleep(Duration::from_millis(50));
        let answer = client.read().expect("an answer");
        let is_there = Path::new(&format!("/proc/{process}/exe")).exists();
        let mut continued = Command::new("kill");
        let _ = continued
            .args(["-CONT", &process])
            .stderr(Stdio::null())
            .status();
        if let Some(opened) = answer["result"]["session"].as_str() {
            // It was faster.
            client.get(5, "close", json!({"session": opened}));
            continue;
        }
        assert_eq!(
            answer["error"]["data"]["kind"],
            json!("canceled"),
            "{answer}"
        );
        assert!(!is_there);
        return client.ends();
    }
    panic!("no request was canceled");
}

#[test]
fn an_isolated_process_has_no_key_that_redacts() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("key"), "k".repeat(32)).expect("written");
    let output = exec(
        folder.path(),
        &["--record", "r.jsonl", "--redact", "key", "-c", "1"],
    );
    check(&output, 2, "", "leave --redact or --isolate out");
}

#[test]
fn a_process_that_answers_nothing_is_ended_with_its_session() {
    let (mut client, taken, other) = two_sessions(json!({}));
    let process = process_of(&client, &taken);
    drop(Taken::over(process));
    let since = Instant::now();
    client
        .send(&json!({"jsonrpc": "2.0", "id": 2, "method": "close", "params": {"session": taken}}));
    goes_on(&mut client, &other);
    let closed = client.read().expect("an answer");
    assert_eq!(closed["id"], json!(2), "{closed}");
    assert!(
        since.elapsed() < Duration::from_secs(45),
        "{:?}",
        since.elapsed()
    );
    assert!(!Path::new(&format!("/proc/{process}/exe")).exists());
    client.ends();
}

#[test]
fn processes_that_answer_nothing_hold_up_no_other_request() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    client.get(1, "hello", json!({}));
    let mut stopped = Vec::new();
    let begin = |client: &mut Client, id: u64, method: &str| {
        let params = match method {
            "validate" => json!({"code": "x = 1"}),
            _ => json!({}),
        };
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    };
    // As many as may be served at the same time, stopped as they start.
    for (id, method) in (10..14)
        .map(|id| (id, "validate"))
        .chain((20..24).map(|id| (id, "open")))
    {
        loop {
            begin(&mut client, id, method);
            let since = Instant::now();
            let process = loop {
                let mut all = children_of(client.pid()).into_iter();
                // Before it is this program, its parent waits for it.
                let is_new =
                    |process: &u32| !stopped.contains(process) && role_of(*process).is_some();
                if let Some(process) = all.find(is_new) {
                    break process;
                }
                assert!(since.elapsed() < client::PATIENCE, "no process");
            };
            let status = Command::new("kill")
                .args(["-STOP", &process.to_string()])
                .stderr(Stdio::null())
                .status()
                .expect("kill runs");
            let answer = client.reads_within(Duration::from_millis(300));
            let Some(answer) = answer else {
                assert!(status.success());
                stopped.push(process);
                break;
            };
            // It was faster than the signal.
            assert_eq!(answer["id"], json!(id), "{answer}");
            assert!(answer["result"].is_object(), "{answer}");
            while role_of(process).is_some() {
                let _ = Command::new("kill")
                    .args(["-9", &process.to_string()])
                    .status();
                assert!(since.elapsed() < client::PATIENCE, "{process} is there");
            }
        }
    }
    let since = Instant::now();
    begin(&mut client, 30, "validate");
    begin(&mut client, 31, "open");
    let mut answers = BTreeMap::new();
    while answers.len() < 6 {
        let answer = client.read().expect("an answer");
        let id = answer["id"].as_u64().expect("a number");
        answers.insert(id, answer["result"].is_object());
    }
    let waited = since.elapsed();
    assert!(waited < Duration::from_secs(50), "{waited:?}");
    let served = [
        (10, false),
        (11, false),
        (12, false),
        (13, false),
        (30, true),
        (31, true),
    ];
    assert_eq!(answers, BTreeMap::from(served));
    for process in &stopped[4..] {
        kill(*process);
    }
    client.ends();
}

/// Writes a plugin whose function `f` returns a number.
fn plugin(path: &Path, number: u32) {
    let text = format!(
        "(component (core module $m (func (export \"f\") (result i32) i32.const {number}))
            (core instance $i (instantiate $m))
            (func (export \"f\") (result u32) (canon lift (core func $i \"f\"))))"
    );
    fs::write(path, wat::parse_str(text).expect("a component")).expect("written");
}

#[test]
fn a_fork_has_the_plugins_of_its_session_or_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.wasm");
    plugin(&path, 1);
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let open = json!({"handlers": {"plugins": [path]}});
    let session = client.get(1, "open", open)["session"].clone();
    let value = |client: &mut Client, session: &Json| {
        let ran = client.get(2, "exec", json!({"session": session, "code": "p.f()"}));
        ran["outcome"]["value"]["value"].clone()
    };
    let fork = client.get(3, "fork", json!({"session": session}))["session"].clone();
    assert_eq!(value(&mut client, &fork), 1);
    plugin(&path, 2);
    let refused = client
        .ask(4, "fork", json!({"session": session}))
        .to_string();
    assert!(
        refused.contains("the file of a plugin has changed"),
        "{refused}"
    );
    // A manifest belongs to it.
    plugin(&path, 1);
    let fork = client.get(5, "fork", json!({"session": fork}))["session"].clone();
    fs::write(path.with_extension("toml"), "[limits]\nfuel = 1000000\n").expect("written");
    let refused = client.ask(6, "fork", json!({"session": fork})).to_string();
    assert!(
        refused.contains("the file of a plugin has changed"),
        "{refused}"
    );
    assert_eq!(value(&mut client, &session), 1);
    client.ends();
}

#[test]
fn processes_of_requests_that_make_no_session_are_gone_before_the_answer() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    client.get(1, "hello", json!({}));
    for _ in 0..3 {
        client.get(2, "validate", json!({"code": "x = 1"}));
        assert_eq!(children_of(client.pid()), Vec::<u32>::new());
        client.ask(3, "open", json!({"profile": "none of that name"}));
        assert_eq!(children_of(client.pid()), Vec::<u32>::new());
    }
    client.ends();
}

/// Returns the processes of `sleep` with this argument.
fn sleeping(argument: &str) -> usize {
    let line = format!("sleep\0{argument}\0");
    let all = fs::read_dir("/proc").expect("processes").flatten();
    all.filter(|entry| {
        let found = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        found == line.as_bytes()
    })
    .count()
}

#[doc = "Keeps R3-4, X24."]
#[test]
fn a_process_that_is_taken_over_has_no_more_commands_at_once_than_its_script() {
    const OPEN: usize = 4;
    let mark = format!("7.{}", std::process::id());
    let mut parent = Command::new(PROGRAM)
        .args([
            "exec",
            "--isolate",
            "process",
            "--tool",
            &format!("f()=sleep {mark}"),
        ])
        .args(["--limit", &format!("open-calls={OPEN}"), "-c", "f()"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let since = Instant::now();
    while sleeping(&mark) == 0 {
        assert!(since.elapsed() < client::PATIENCE, "no command");
        std::thread::sleep(Duration::from_millis(10));
    }
    let (process, reads, writes) = pipes_of(parent.id());
    let mut held = Taken::with_pipes(process, reads, writes);
    for number in 0..300 {
        let run = json!({"run": 77 + number, "command": 0, "input": "", "model": null});
        let asked = json!({"jsonrpc": "2.0", "id": 1000 + number, "method": "run", "params": run});
        held.say(&asked.to_string());
    }
    // Each is answered that is refused.
    let mut refused = 0;
    while refused < 300 - (OPEN - 1) {
        let said = held.hear();
        refused += usize::from(said["error"].is_object());
    }
    assert!(sleeping(&mark) <= OPEN);
    drop(held);
    let killed = Command::new("kill")
        .args(["-KILL", &process.to_string()])
        .status();
    assert!(killed.expect("kill runs").success());
    parent.wait().expect("ends");
    // They were killed, and the system takes a moment to end them; by themselves they take seven seconds.
    let since = Instant::now();
    while sleeping(&mark) > 0 {
        assert!(since.elapsed() < Duration::from_secs(4), "commands go on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn large_contexts_are_set_and_forked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.txt");
    fs::write(&path, "line\n".repeat(6 << 20)).expect("written");
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let limits = json!({"limits": {"memory": 256 << 20}});
    let session = client.get(1, "open", limits)["session"].clone();
    let contexts = json!([{"name": "large.txt", "path": path}]);
    client.get(
        2,
        "set",
        json!({"session": session, "values": {"contexts": contexts}}),
    );
    let fork = client.get(3, "fork", json!({"session": session}))["session"].clone();
    for session in [session, fork] {
        let ran = client.get(
            4,
            "exec",
            json!({"session": session, "code": "len(context)"}),
        );
        assert_eq!(
            ran["outcome"]["value"]["value"],
            json!(5 * (6 << 20)),
            "{ran}"
        );
    }
    client.ends();
}

#[test]
fn a_process_has_neither_the_terminal_nor_the_streams_of_its_parent() {
    let line = format!(
        "'{PROGRAM}' exec --isolate process --timeout 3s --fuel 1e15 -c 'while True: pass' <&0 & sleep 1.5; \
         child=$(pgrep -P $! | head -1); readlink /proc/$child/fd/0 /proc/$child/fd/1 /proc/$child/fd/2; \
         readlink /proc/$$/fd/1; kill $!"
    );
    let output = Command::new("sh")
        .args(["-c", &line])
        .stdin(Stdio::piped())
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let links: Vec<_> = said.lines().collect();
    let [stdin, stdout, stderr, ours] = links[..] else {
        panic!("{said}")
    };
    assert_eq!(stdin, "/dev/null");
    assert!(
        stdout.starts_with("pipe:") && stderr.starts_with("pipe:"),
        "{said}"
    );
    assert!(stdout != ours && stdout != stderr, "{said}");
}

#[test]
fn an_interrupt_ends_the_script_and_its_recording_has_an_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "print('begun')\nwhile True: pass";
    let mut command = Command::new(PROGRAM);
    command
        .args([
            "exec",
            "--isolate",
            "process",
            "--timeout",
            "60s",
            "--fuel",
            "1e15",
        ])
        .args(["--record", "r.jsonl", "-c", script])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("starts");
    std::thread::sleep(Duration::from_millis(1500));
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupted.expect("kill runs").success());
    let output = child.wait_with_output().expect("ends");
    check(&output, 130, "begun\n", "KeyboardInterrupt");
    let replay = Command::new(PROGRAM)
        .args(["replay", "r.jsonl"])
        .current_dir(folder.path())
        .output()
        .expect("it starts");
    assert!(replay.status.success(), "{replay:?}");
}

#[test]
fn a_process_does_not_know_the_commands_that_others_run_for_it() {
    let line = format!(
        "'{PROGRAM}' exec --isolate process --timeout 3s --fuel 1e15 --tool 'f=curl KEY-OF-TOOL' --llm-command 'KEY-OF-MODEL' \
         -c 'while True: pass' & sleep 1.5; child=$(pgrep -P $! | head -1); tr '\\0' ' ' </proc/$child/cmdline; kill $!"
    );
    let output = Command::new("sh")
        .args(["-c", &line])
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("--tool f=-") && !said.contains("KEY"),
        "{said}"
    );
}

/// Returns bytes of memory of a process, by the name that the kernel has for them.
fn memory_of(process: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kib.expect("a number") << 10
}

#[doc = "Keeps R3-4, X24."]
#[test]
fn a_worker_keeps_nothing_of_what_its_session_refused() {
    let (mut client, session, other) = two_sessions(json!({}));
    let before = memory_of(client.pid(), "VmRSS");
    for number in 0..40 {
        let tools =
            json!([{"name": format!("a{number}{}", "x".repeat(8 << 20))}, {"name": "no name"}]);
        let refused = client.ask(
            2,
            "register",
            json!({"session": session, "handlers": {"tools": tools}}),
        );
        assert!(
            refused.to_string().contains("is not a Python name"),
            "{refused}"
        );
    }
    // What one request takes is not given back at once.
    let grown = memory_of(client.pid(), "VmRSS").saturating_sub(before);
    assert!(grown < 128 << 20, "{grown}");
    goes_on(&mut client, &other);
    client.ends();
}

#[doc = "Keeps R3-4, X24."]
#[test]
fn a_worker_holds_one_message_of_a_process_at_a_time() {
    const MESSAGE: usize = 255 << 20;
    let (client, taken, _) = two_sessions(json!({}));
    let process = process_of(&client, &taken);
    let held = Taken::over(process);
    let mut pipe = held.writes;
    // Answers to no question, of which the first ends the process.
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":\"q99\",\"result\":\"{}\"}}\n",
        "x".repeat(MESSAGE)
    );
    // The others stay unread.
    std::thread::spawn(move || {
        use std::io::Write as _;
        (0..4).try_for_each(|_| pipe.write_all(line.as_bytes()))
    });
    let since = Instant::now();
    while Path::new(&format!("/proc/{process}/exe")).exists() {
        assert!(since.elapsed() < client::PATIENCE, "it goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
    let most = memory_of(client.pid(), "VmHWM");
    assert!(most < 640 << 20, "{most}");
    client.ends();
}

#[doc = "Keeps R3-4, X24."]
#[test]
fn a_process_that_answers_what_no_session_answers_is_ended_alone() {
    for result in [
        json!({}),
        json!({"outcome": {}}),
        json!({"outcome": {"ok": true, "value": {"repr": "1"}}}),
        json!([1]),
        json!("text"),
    ] {
        let (mut client, taken, other) = two_sessions(json!({}));
        let mut held = Taken::over(process_of(&client, &taken));
        let params = json!({"session": taken, "code": "1"});
        client.send(&json!({"jsonrpc": "2.0", "id": 4, "method": "exec", "params": params}));
        let asked = held.hear();
        held.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}).to_string());
        let answer = client.read().expect("an answer");
        let said = answer["error"]["message"].to_string();
        assert!(
            said.contains("did not answer as this program does"),
            "{answer}"
        );
        goes_on(&mut client, &other);
        client.ends();
    }
}

#[test]
fn a_request_that_is_too_long_for_a_process_is_refused_and_nothing_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("control");
    // As JSON each of them takes six bytes.
    fs::write(&path, vec![1; 60 << 20]).expect("written");
    let arguments = ["--isolate", "process", "--max-message", "600MiB"];
    let mut client = Client::of("worker", &arguments);
    let handlers = json!({"tools": [{"name": "f"}]});
    let session = client.get(1, "open", json!({"handlers": handlers}))["session"].clone();
    client.get(2, "exec", json!({"session": session, "code": "x = 1"}));
    let contexts = json!({"contexts": [{"name": "c", "path": path}]});
    let set = json!({"session": session, "values": contexts});
    let refused = client.ask(3, "set", set)["error"]["message"].to_string();
    assert!(
        refused.contains("an isolated session takes 134217728"),
        "{refused}"
    );
    let code = json!({"session": session, "code": "1".repeat(200 << 20)});
    let refused = client.ask(4, "exec", code)["error"]["message"].to_string();
    assert!(
        refused.contains("an isolated session takes 134217728"),
        "{refused}"
    );
    // An answer of a tool's.
    let code = json!({"session": session, "code": "try: f()\nexcept Exception as e: print(str(e)[:60])\nx"});
    client.send(&json!({"jsonrpc": "2.0", "id": 5, "method": "exec", "params": code}));
    let call = client.read().expect("a call");
    client.send(&json!({"jsonrpc": "2.0", "id": call["id"], "result": "a".repeat(200 << 20)}));
    let ran = client.read().expect("an answer");
    assert_eq!(ran["result"]["outcome"]["value"]["value"], 1, "{ran}");
    let said = ran["result"]["outcome"]["stdout"].to_string();
    assert!(said.contains("the answer has"), "{said}");
    client.ends();
}

#[test]
fn a_fork_behind_a_register_has_what_that_gave_and_no_more() {
    let (mut client, session, other) =
        two_sessions(json!({"tools": [{"name": "f"}], "model": true}));
    // All of this is asked at once, behind a script.
    let code = json!({"session": session, "code": "sum(range(300_000))"});
    client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "exec", "params": code}));
    let register = json!({"session": session, "handlers": {"tools": [{"name": "g"}]}});
    client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "register", "params": register}));
    client.send(
        &json!({"jsonrpc": "2.0", "id": 4, "method": "fork", "params": {"session": session}}),
    );
    let mut answers: Vec<_> = (0..3).map(|_| client.read().expect("an answer")).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    let fork = answers[2]["result"]["session"]
        .as_str()
        .expect("a fork")
        .to_owned();
    let code = json!({"session": fork, "code": "g()"});
    client.send(&json!({"jsonrpc": "2.0", "id": 5, "method": "exec", "params": code}));
    let call = client.read().expect("a call");
    assert_eq!(call["params"]["name"], "g", "{call}");
    client.send(&json!({"jsonrpc": "2.0", "id": call["id"], "result": 7}));
    let ran = client.read().expect("an answer");
    assert_eq!(ran["result"]["outcome"]["value"]["value"], 7, "{ran}");
    // One that is taken over names what was taken away.
    let process = process_of(&client, &fork);
    let mut held = Taken::over(process);
    let code = json!({"session": fork, "code": "1"});
    client.send(&json!({"jsonrpc": "2.0", "id": 6, "method": "exec", "params": code}));
    held.hear();
    let params = json!({"session": fork, "ticket": 1, "name": "f", "args": [], "kwargs": {}});
    held.say(&json!({"jsonrpc": "2.0", "id": "x", "method": "call", "params": params}).to_string());
    drop(held);
    let heard = client.read().expect("an answer");
    assert_eq!(heard["id"], json!(6), "{heard}");
    goes_on(&mut client, &other);
    client.ends();
}

#[test]
fn forks_that_are_asked_for_share_the_names_of_tools() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let session = client.get(1, "open", json!({}))["session"].clone();
    let code = json!({"session": session, "code": "while True: pass", "timeout": 60.0});
    client.send(&json!({"jsonrpc": "2.0", "id": "exec", "method": "exec", "params": code}));
    for round in 0..10 {
        let name = |tool: u32| json!({"name": format!("tool_{round}_{tool}")});
        let tools: Vec<_> = (0..10_000).map(name).collect();
        let params = json!({"session": session, "handlers": {"tools": tools}});
        let request =
            json!({"jsonrpc": "2.0", "id": "register", "method": "register", "params": params});
        client.send(&request);
    }
    for fork in 0..1000 {
        let id = format!("fork {fork}");
        let params = json!({"session": session});
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "fork", "params": params}));
    }
    // Behind all of that.
    client.send(&json!({"jsonrpc": "2.0", "id": "last", "method": "fork", "params": {}}));
    while client.read().expect("an answer")["id"] != "last" {}
    let most = memory_of(client.pid(), "VmHWM");
    assert!(most < 300 << 20, "{most} bytes");
}

#[test]
fn an_open_with_escapes_is_not_ended_in_the_midst_of_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = Client::of("worker", &["--isolate", "process"]);
    for number in 0..10 {
        let run = folder.path().join(format!("{number}.jsonl"));
        let run = json!(run.to_str().expect("text"));
        let request = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":\"open\",\"params\":{{\"\\u0072ecord\":{run}}}}}\n"
        );
        client.write(request.as_bytes());
        std::thread::sleep(Duration::from_millis(3 * number));
        let cancel = json!({"jsonrpc": "2.0", "method": "cancel", "params": {"id": number}});
        client.send(&cancel);
        let answer = client.read().expect("an answer");
        let is_there = folder.path().join(format!("{number}.jsonl")).exists();
        // A session that was not opened leaves no file.
        assert_eq!(answer["result"].is_object(), is_there, "{answer}");
    }
    client.ends();
}

#[test]
fn a_script_with_much_in_open_calls_goes_on_as_without_isolation() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let limits = json!({"request": "200MiB", "memory": "512MiB"});
    let handlers = json!({"tools": [{"name": "f"}], "stream": true});
    let open = json!({"handlers": handlers, "limits": limits});
    let session = client.get(1, "open", open)["session"].clone();
    // As many bytes as a script may have in open calls by default; all are there before the first is answered.
    let code = "import asyncio\nx = 'a' * 7_500_000\nsum(await asyncio.gather(*[f(x) for _ in range(16)]))";
    let params = json!({"session": session, "code": code});
    client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "exec", "params": params}));
    let call = |client: &mut Client| {
        let call = client.read().expect("a call");
        assert_eq!(call["method"], "call", "{:.300}", call.to_string());
        call["id"].clone()
    };
    let asked: Vec<_> = (0..16).map(|_| call(&mut client)).collect();
    for id in asked {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "result": 7}));
    }
    let ran = client.read().expect("an answer");
    assert_eq!(
        ran["result"]["outcome"]["value"]["value"],
        112,
        "{:.300}",
        ran.to_string()
    );
    // More is refused, and nothing is lost.
    let code = "y = 'a' * 14_000_000\nasync def last():\n    try: await f(y)\n    except Exception as e: print(e)\n\
                (await asyncio.gather(*[f(y) for _ in range(11)], last()))[0] + len(x)";
    let params = json!({"session": session, "code": code, "timeout": 60});
    client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "exec", "params": params}));
    let asked: Vec<_> = (0..11).map(|_| call(&mut client)).collect();
    // Nothing tells when the last one was refused.
    std::thread::sleep(Duration::from_secs(8));
    for id in asked {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "result": 7}));
    }
    let said = client.read().expect("what is printed")["params"].to_string();
    assert!(said.contains("call with less at a time"), "{said:.300}");
    let ran = client.read().expect("an answer");
    let value = &ran["result"]["outcome"]["value"]["value"];
    assert_eq!(*value, 7_500_007, "{:.300}", ran.to_string());
    client.ends();
}

/// They counted until the client answered them, and left no room for any other.
#[test]
fn calls_that_a_script_gave_up_leave_room_for_others() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let handlers = json!({"tools": [{"name": "never"}, {"name": "echo"}]});
    let open = json!({"handlers": handlers, "limits": {"call-wait": 0.25}});
    let session = client.get(1, "open", open)["session"].clone();
    let code = "n = 0\nfor size in [7_500_000] * 22 + [1_000_000] * 5 + [1000] * 5:\n  try: never('b' * size)\n  except TimeoutError: n += 1\nn, echo(1)";
    let params = json!({"session": session, "code": code, "timeout": 60});
    client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "exec", "params": params}));
    let ran = loop {
        let message = client.read().expect("a message");
        if message["id"] == 2 {
            break message;
        }
        assert_eq!(message["method"], "call", "{:.300}", message.to_string());
        if message["params"]["name"] == "echo" {
            client.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": 7}));
        }
    };
    let repr = &ran["result"]["outcome"]["value"]["repr"];
    assert_eq!(*repr, "(32, 7)", "{:.300}", ran.to_string());
    client.ends();
}

#[test]
fn a_session_that_is_refused_leaves_no_file_and_removes_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.wasm");
    plugin(&path, 1);
    let manifest = "allowed_paths = { \"/tmp\" = \"/g\" }\n";
    let (cassette, journal) = (folder.path().join("c.jsonl"), folder.path().join("r.jsonl"));
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let open = json!({"cassette": {"path": cassette, "record": "once"}});
    let session = client.get(1, "open", open)["session"].clone();
    client.get(2, "exec", json!({"session": session, "code": "1"}));
    client.get(3, "close", json!({"session": session}));
    let recorded = fs::read(&cassette).expect("recorded");
    fs::write(path.with_extension("toml"), manifest).expect("written");
    let handlers = json!({"plugins": [path]});
    for open in [
        json!({"handlers": handlers, "cassette": {"path": cassette, "record": "all"}}),
        json!({"handlers": handlers, "record": journal}),
    ] {
        let refused = client.ask(4, "open", open).to_string();
        assert!(
            refused.contains("reads files or the environment"),
            "{refused}"
        );
    }
    assert_eq!(fs::read(&cassette).expect("it is there"), recorded);
    assert!(!journal.exists());
    client.ends();
    let output = exec(
        folder.path(),
        &["--record", "r.jsonl", "--plugin", "p.wasm", "-c", "1"],
    );
    check(&output, 2, "", "reads files or the environment");
    assert!(!journal.exists());
}

#[test]
fn a_session_that_is_restored_waits_for_what_it_waited_for() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let handlers = json!({"tools": [{"name": "f"}], "model": true});
    let session = client.get(1, "open", json!({"handlers": handlers}))["session"].clone();
    let code = "import asyncio\nawait asyncio.gather(f(), llm_query('p'))";
    client.get(2, "step", json!({"session": session, "code": code}));
    let parked = client.get(3, "park", json!({"session": session}))["parked"].clone();
    let restored = client.get(4, "restore", json!({"parked": parked}))["session"].clone();
    let waiting = client.get(5, "waiting", json!({"session": restored}))["waiting"].clone();
    let tickets: Vec<_> = waiting
        .as_array()
        .expect("calls")
        .iter()
        .map(|call| call["ticket"].clone())
        .collect();
    assert_eq!(tickets.len(), 2, "{waiting}");
    let answer = json!([{"ticket": tickets[0], "value": "a"}]);
    let step = client.get(6, "resume", json!({"session": restored, "answers": answer}));
    assert_eq!(step["waiting"].as_array().map(Vec::len), Some(1), "{step}");
    let answer = json!([{"ticket": tickets[1], "value": "b"}]);
    let step = client.get(7, "resume", json!({"session": restored, "answers": answer}));
    assert_eq!(step["outcome"]["value"]["repr"], "['a', 'b']", "{step}");
    client.ends();
}

/// Returns a call that a script is said to wait for.
fn waiting(name: &str, change: Json) -> Json {
    let mut call = json!({"ticket": 1, "name": name, "open": false, "arguments": {"args": [], "kwargs": {}},
        "prompts": null, "batched": false, "recursive": false});
    for (member, value) in change.as_object().expect("an object") {
        call[member] = value.clone();
    }
    json!({"waiting": [call]})
}

#[test]
fn a_process_that_is_taken_over_waits_for_nothing_that_its_session_has_not() {
    let prompts = json!([{"text": "p", "model": null}]);
    let asks = json!({"arguments": null, "prompts": prompts});
    let recurses = json!({"arguments": null, "prompts": prompts, "recursive": true});
    let both = json!({"prompts": prompts});
    let (tool, model) = (json!({"tools": [{"name": "f"}]}), json!({"model": true}));
    for (handlers, method, result, is_passed_on) in [
        (&tool, "step", waiting("f", json!({})), true),
        (&tool, "step", waiting("g", json!({})), false),
        (&tool, "waiting", waiting("g", json!({})), false),
        (&tool, "resume", waiting("f.g", json!({})), false),
        (&tool, "step", waiting("llm_query", asks.clone()), true),
        (&tool, "step", waiting("rlm_query", asks.clone()), false),
        (&tool, "step", waiting("f", asks.clone()), false),
        (&tool, "step", waiting("f", both), false),
        (
            &tool,
            "step",
            waiting("f", json!({"arguments": null})),
            false,
        ),
        (&model, "step", waiting("llm_query", asks.clone()), true),
        (&model, "step", waiting("rlm_query", recurses.clone()), true),
        (&model, "step", waiting("llm_query", recurses), false),
        (&model, "step", waiting("f", json!({})), false),
    ] {
        let (mut client, taken, other) = two_sessions(handlers.clone());
        let process = process_of(&client, &taken);
        let mut held = Taken::over(process);
        let params = match method {
            "step" => json!({"session": taken, "code": "1"}),
            "resume" => json!({"session": taken, "answers": []}),
            _ => json!({"session": taken}),
        };
        client.send(&json!({"jsonrpc": "2.0", "id": 4, "method": method, "params": params}));
        let asked = held.hear();
        held.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}).to_string());
        let answer = client.read().expect("an answer");
        assert_eq!(
            answer["result"] == result,
            is_passed_on,
            "{result}: {answer}"
        );
        if !is_passed_on {
            let said = answer["error"]["message"].to_string();
            assert!(
                said.contains("did not answer as this program does"),
                "{answer}"
            );
        }
        goes_on(&mut client, &other);
        kill(process);
        client.ends();
    }
}

/// Returns the snapshot and handlers that a process hands over for a fork: its script waits for a tool of this name.
fn handed_over(name: &str) -> Json {
    let mut command = Command::new(PROGRAM);
    command
        .arg("worker")
        .env("RLM_SANDBOX_ISOLATED", "session:s1")
        .env_remove("RLM_SANDBOX_RECORD");
    let mut process = Client::started(&mut command);
    let handlers = json!({"tools": [{"name": name}]});
    process.get(1, "open", json!({"handlers": handlers}));
    let code = format!("x = {name}(1)\nprint(x)");
    let step = process.get(2, "step", json!({"session": "s1", "code": code}));
    assert_eq!(step["waiting"][0]["name"], json!(name), "{step}");
    process.get(3, "fork", json!({"session": "s1"}))
}

#[test]
fn a_process_that_is_taken_over_gives_a_fork_no_tool_that_its_session_never_had() {
    let (f, g) = (handed_over("f"), handed_over("g"));
    // What it says that the fork has, and what the script in it waits for.
    let mut hidden = g.clone();
    hidden["handlers"] = f["handlers"].clone();
    let mut further = f.clone();
    further["handlers"]["model"] = true.into();
    for (handed_over, is_made) in [(f, true), (g, false), (hidden, false), (further, false)] {
        let (mut client, taken, other) = two_sessions(json!({"tools": [{"name": "f"}]}));
        let process = process_of(&client, &taken);
        let mut held = Taken::over(process);
        client.send(
            &json!({"jsonrpc": "2.0", "id": 4, "method": "fork", "params": {"session": taken}}),
        );
        let asked = held.hear();
        held.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": handed_over}).to_string());
        let answer = client.read().expect("an answer");
        assert_eq!(answer["result"]["session"].is_string(), is_made, "{answer}");
        if !is_made {
            let said = answer["error"]["message"].to_string();
            assert!(
                said.contains("did not answer as this program does"),
                "{answer}"
            );
        }
        goes_on(&mut client, &other);
        if children_of(client.pid()).contains(&process) {
            kill(process);
        }
        client.ends();
    }
}

/// Starts a worker that isolates its sessions and records them in a folder.
fn recording(folder: &Path, limit: &str) -> Client {
    let script = format!("{limit}; exec \"$0\" worker --isolate process 2>errors");
    let mut command = Command::new("bash");
    command
        .args(["-c", &script, PROGRAM])
        .current_dir(folder)
        .env_remove("CI")
        .env("RLM_SANDBOX_RECORD", "./runs");
    Client::started(&mut command)
}

#[test]
fn what_the_environment_records_keeps_no_isolated_session_from_anything() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = recording(folder.path(), "true");
    let mut number = 0;
    let mut get = |method: &str, params: Json| {
        number += 1;
        client.get(number, method, params)
    };
    for (method, params, code) in [
        (
            "register",
            json!({"handlers": {"tools": [{"name": "f"}]}}),
            "x, callable(f)",
        ),
        (
            "set",
            json!({"values": {"contexts": [{"name": "a.txt", "text": "abc"}]}}),
            "x, len(files['a.txt'])",
        ),
    ] {
        let session = get("open", json!({}))["session"].clone();
        get("exec", json!({"session": session, "code": "x = 1"}));
        let mut params = params;
        params["session"] = session.clone();
        get(method, params);
        let ran = get("exec", json!({"session": session, "code": code}));
        assert_eq!(ran["outcome"]["ok"], json!(true), "{ran}");
        get("close", json!({"session": session}));
    }
    client.ends();
    let errors = fs::read_to_string(folder.path().join("errors")).expect("text");
    assert_eq!(errors.matches("ends here, where").count(), 2, "{errors}");
    let runs = fs::read_dir(folder.path().join("runs")).expect("made");
    let runs: Vec<_> = runs.flatten().map(|run| run.path()).collect();
    assert_eq!(runs.len(), 2, "{runs:?}");
    for run in runs {
        let output = Command::new(PROGRAM).arg("replay").arg(&run).output();
        let said = String::from_utf8(output.expect("it starts").stdout).expect("text");
        // The session went on behind it.
        assert!(said.starts_with("identical as far as it goes"), "{said}");
        assert!(said.contains("(1 exec, 0 calls, "), "{said}");
    }
}

#[test]
fn what_an_isolated_session_is_refused_leaves_its_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = recording(folder.path(), "true");
    let session = client.get(1, "open", json!({}))["session"].clone();
    client.get(2, "exec", json!({"session": session, "code": "x = 1"}));
    let context = json!({"name": "a.txt", "text": "abc"});
    for (number, values) in [
        json!({"contexts": [context], "without": ["none"]}),
        json!({"contexts": [context], "variables": {"no name": 1}}),
    ]
    .into_iter()
    .enumerate()
    {
        let params = json!({"session": session, "values": values});
        let answer = client.ask(3 + number as u64, "set", params);
        assert!(answer.get("error").is_some(), "{answer}");
    }
    client.get(9, "exec", json!({"session": session, "code": "x + 1"}));
    client.get(10, "close", json!({"session": session}));
    client.ends();
    let errors = fs::read_to_string(folder.path().join("errors")).expect("text");
    assert!(!errors.contains("ends here, where"), "{errors}");
    let mut runs = fs::read_dir(folder.path().join("runs")).expect("made");
    let run = runs.next().expect("one").expect("readable").path();
    let output = Command::new(PROGRAM).arg("replay").arg(&run).output();
    let said = String::from_utf8(output.expect("it starts").stdout).expect("text");
    assert!(said.starts_with("identical: 2 execs"), "{said}");
}

#[test]
fn an_isolated_session_goes_on_where_its_recording_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = recording(folder.path(), "ulimit -f 60");
    let session = client.get(1, "open", json!({}))["session"].clone();
    let source = format!("x = 1 # {}", "-".repeat(40_000));
    let code = json!({"session": session, "code": source});
    client.get(9, "exec", code.clone());
    // The client did not ask for the recording, so its end costs the script nothing.
    client.get(2, "exec", code);
    let ran = client.get(
        3,
        "exec",
        json!({"session": session, "code": "y = x + 1\ny"}),
    );
    assert_eq!(ran["outcome"]["value"]["value"], json!(2), "{ran}");
    client.ends();
    let errors = fs::read_to_string(folder.path().join("errors")).expect("text");
    assert!(
        errors.contains("warning: the recording ") && errors.contains("File too large"),
        "{errors}"
    );
}

#[test]
fn long_answers_of_a_process_are_in_memory_one_at_a_time() {
    const MESSAGE: usize = 64 << 20;
    const ANSWERS: u64 = 4;
    let (mut client, taken, _) = two_sessions(json!({}));
    let process = process_of(&client, &taken);
    let mut held = Taken::over(process);
    for id in 0..ANSWERS {
        let params = json!({"session": taken});
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools", "params": params}));
    }
    let asked: Vec<_> = (0..ANSWERS).map(|_| held.hear()["id"].clone()).collect();
    // Very many small values, and a long text.
    let values = "{\"\":0},".repeat(300_000);
    let text = "x".repeat(MESSAGE - values.len());
    let mut pipe = held.writes;
    std::thread::spawn(move || {
        use std::io::Write as _;
        asked.iter().try_for_each(|id| {
            let result = format!("{{\"tools\":[{values}\"{text}\"]}}");
            pipe.write_all(
                format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n").as_bytes(),
            )
        })
    });
    // The answers stay unread for a while.
    std::thread::sleep(Duration::from_secs(3));
    for id in 0..ANSWERS {
        assert_eq!(client.read().expect("an answer")["id"], json!(id));
    }
    let most = memory_of(client.pid(), "VmHWM");
    assert!(most < 6 * MESSAGE as u64, "{most}");
    kill(process);
    client.ends();
}

#[doc = "Keeps R3-4, X24."]
#[test]
fn a_process_that_reads_nothing_is_ended_by_an_interrupt() {
    let mut parent = Command::new(PROGRAM)
        .args([
            "exec",
            "--isolate",
            "process",
            "--tool",
            "f()=sleep 9.75",
            "-c",
            "f()",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let since = Instant::now();
    while sleeping("9.75") == 0 {
        assert!(since.elapsed() < client::PATIENCE, "no command");
        std::thread::sleep(Duration::from_millis(10));
    }
    let (process, reads, writes) = pipes_of(parent.id());
    let mut held = Taken::with_pipes(process, reads, writes);
    for number in 0..3000 {
        let asked = json!({"jsonrpc": "2.0", "id": number, "method": "nothing", "params": {}});
        held.say(&asked.to_string());
    }
    let interrupted = Command::new("kill")
        .args(["-INT", &parent.id().to_string()])
        .status();
    assert!(interrupted.expect("kill runs").success());
    let since = Instant::now();
    while parent.try_wait().expect("a child").is_none() {
        // Ten seconds are what it waits for a process that was interrupted.
        assert!(since.elapsed() < Duration::from_secs(30), "it goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_text_that_begins_as_a_reserved_key_is_a_text() {
    let text = "$serde_json::private::RawValue";
    for isolation in [&[][..], &["--isolate", "process"]] {
        let mut client = Client::of("worker", isolation);
        let session = client.get(1, "open", json!({}))["session"].clone();
        for code in [
            format!("print('{text}')\n'{text}'"),
            format!("raise ValueError('{text}')"),
        ] {
            let ran = client.get(2, "exec", json!({"session": session, "code": code}));
            assert!(ran.to_string().contains(text), "{ran}");
        }
        goes_on(&mut client, session.as_str().expect("a name"));
        client.ends();
    }
}

#[test]
fn values_that_few_readers_read_end_no_process() {
    for isolation in [&[][..], &["--isolate", "process"]] {
        let mut client = Client::of("worker", isolation);
        let handlers = json!({"tools": [{"name": "f"}]});
        let session = client.get(1, "open", json!({"handlers": handlers}))["session"].clone();
        let run = |client: &mut Client, code: &str| {
            let exec = json!({"session": session, "code": code, "report": true});
            let ran = client.get(2, "exec", exec);
            let stepped = client.get(3, "step", json!({"session": session, "code": code}));
            let called =
                json!({"session": session, "name": "exec_python", "arguments": {"code": code}});
            let called = client.get(4, "call-tool", called);
            (ran["outcome"].clone(), stepped, called["result"].clone())
        };
        let nested = |levels: usize, last: &str| {
            format!("y = 2\nx = 1\nfor _ in range({levels}): x = [x]\n{last}")
        };
        // A key that serde_json keeps for itself is shown in a repr.
        for key in ["RawValue", "Number"] {
            let (ran, stepped, called) = run(
                &mut client,
                &format!("{{'$serde_json::private::{key}': 'x'}}"),
            );
            assert_eq!(ran["ok"], json!(true), "{ran}");
            assert_eq!(stepped["outcome"]["ok"], json!(true), "{stepped}");
            assert_eq!(called["success"], json!(true), "{called}");
            assert!(called["return_value"].to_string().contains(key), "{called}");
            assert_eq!(called["truncated"], json!(true), "{called}");
        }
        for levels in [100, 101, 118, 120, 126, 127, 128, 500] {
            let (ran, stepped, called) = run(&mut client, &nested(levels, "FINAL(x)"));
            assert_eq!(ran["ok"], json!(true), "{levels}: {ran}");
            assert_eq!(stepped["outcome"]["ok"], json!(true), "{levels}: {stepped}");
            let answer = called["final"]["answer"].clone();
            assert_eq!(answer.is_array(), levels <= 100, "{levels}: {called}");
        }
        for levels in [101, 116, 119, 120, 125, 126, 500] {
            let (ran, stepped, called) = run(&mut client, &nested(levels, "f(x)"));
            for error in [&ran["error"], &stepped["outcome"]["error"]] {
                assert_eq!(error["kind"], "ValueError", "{levels}: {ran} {stepped}");
            }
            assert_eq!(called["success"], json!(false), "{levels}: {called}");
            // Others are exported, and import again.
            let exported = client.get(5, "export", json!({"session": session}));
            assert_eq!(exported["variables"]["y"], json!(2), "{levels}: {exported}");
            assert_eq!(exported["skipped"][0]["name"], "x", "{levels}: {exported}");
            let import = json!({"session": session, "portable": exported});
            client.get(6, "import", import);
        }
        goes_on(&mut client, session.as_str().expect("a name"));
        client.ends();
    }
}

#[test]
fn a_limit_on_memory_below_that_of_isolation_stays() {
    let command = format!("ulimit -v 1500000; exec {PROGRAM} exec --isolate process -c '6 * 7'");
    let ran = Command::new("sh")
        .args(["-c", &command])
        .output()
        .expect("runs");
    check(&ran, 0, "42\n", "");
}

/// The process may call before the worker's thread goes on.
#[test]
fn a_session_whose_scripts_call_at_once_is_not_taken_for_another_program() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    client.get(1, "hello", json!({}));
    let open = json!({"handlers": {"tools": [{"name": "f"}]}});
    let opened = client.get(2, "open", open);
    let session = opened["session"].as_str().expect("a name").to_owned();
    for id in 10..1500 {
        let params = json!({"session": session, "code": "f(1)"});
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "exec", "params": params}));
        let asked = client.read().expect("a call");
        assert_eq!(asked["method"], "call", "{id}: {asked}");
        client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": 2}));
        let answer = client.read().expect("an answer");
        assert_eq!(answer["id"], id, "{answer}");
        assert!(answer.get("error").is_none(), "{answer}");
    }
    client.ends();
}

#[test]
fn a_process_that_is_taken_over_asks_no_model_that_was_taken_away() {
    let asks = json!({"jsonrpc": "2.0", "id": "x", "method": "ask",
        "params": {"session": "SESSION", "ticket": 1, "prompt": "p", "model": null, "recursive": false}});
    for model in [true, false] {
        let (mut client, taken, other) = two_sessions(json!({"model": true}));
        let handlers = json!({"model": model, "tools": [{"name": "g"}]});
        client.get(
            3,
            "register",
            json!({"session": taken, "handlers": handlers}),
        );
        let process = process_of(&client, &taken);
        let mut held = Taken::over(process);
        let params = json!({"session": taken, "code": "1"});
        client.send(&json!({"jsonrpc": "2.0", "id": 4, "method": "exec", "params": params}));
        held.hear();
        held.say(&asks.to_string().replace("SESSION", &taken));
        drop(held);
        let heard = client.read().expect("a message");
        match model {
            true => {
                assert_eq!(heard["method"], "ask", "{heard}");
                kill(process);
                client.read().expect("an answer");
            }
            false => assert_eq!(heard["error"]["data"]["kind"], json!("lost"), "{heard}"),
        }
        goes_on(&mut client, &other);
        client.ends();
    }
}

#[test]
fn a_script_that_waits_in_steps_waits_for_what_it_would_without_isolation() {
    let handlers = json!({"tools": [{"name": "f"}], "model": true});
    let fewer = json!({"tools": [{"name": "g"}]});
    for (begins, code, registers) in [
        // The driver brings its own model.
        (json!({}), "llm_query('a')", None),
        (json!({"model": true}), "rlm_query('a')", None),
        (json!({"model": true}), "rlm_query_batched(['a'])[0]", None),
        // What it has asked for goes away.
        (handlers.clone(), "llm_query('a')", Some(json!({}))),
        (handlers.clone(), "f(1)", Some(json!({}))),
        (handlers, "f(1)", Some(fewer)),
    ] {
        let found = [&[][..], &["--isolate", "process"]].map(|arguments| {
            let mut client = Client::of("worker", arguments);
            let session = client.get(1, "open", json!({"handlers": begins}))["session"].clone();
            let of = json!({"session": session});
            let mut said = vec![client.ask(2, "step", json!({"session": session, "code": code}))];
            if let Some(handlers) = &registers {
                let params = json!({"session": session, "handlers": handlers});
                said.push(client.ask(3, "register", params));
            }
            said.push(client.ask(4, "waiting", of));
            let answer = match code.contains("batched") {
                true => json!(["x"]),
                false => json!("x"),
            };
            let answers = json!([{"ticket": 0, "value": answer}]);
            let params = json!({"session": session, "answers": answers});
            let outcome = client.get(5, "resume", params);
            said.push(outcome["outcome"]["value"].clone());
            client.ends();
            said
        });
        assert_eq!(found[0], found[1], "{code}");
        assert!(found[0][0]["result"]["waiting"].is_array(), "{found:?}");
        assert!(found[0].last().is_some_and(Json::is_object), "{found:?}");
    }
}

#[test]
fn a_call_that_is_too_long_for_a_process_is_refused_and_nothing_is_lost() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let limits = json!({"request": "600MiB", "memory": "2500MiB", "time": 60});
    let handlers = json!({"tools": [{"name": "f"}], "model": true});
    let open = json!({"handlers": handlers, "limits": limits});
    let session = client.get(1, "open", open)["session"].clone();
    client.get(2, "exec", json!({"session": session, "code": "x = 7"}));
    for code in [
        // As JSON a control character takes six bytes.
        "f('\\x01' * 45_000_000)",
        "f('a' * 270_000_000)",
        "llm_query('\\x01' * 45_000_000)",
        "f([0] * 8_500_000)",
    ] {
        let params = json!({"session": session, "code": code});
        let ran = client.get(3, "exec", params);
        let error = ran["outcome"]["error"].to_string();
        assert!(
            error.contains("than one of an isolated process can have"),
            "{code}: {error:.300}"
        );
        let params = json!({"session": session, "code": "x"});
        let ran = client.get(4, "exec", params);
        assert_eq!(ran["outcome"]["value"]["value"], 7, "{code}");
    }
    client.ends();
}

#[test]
fn a_session_that_could_print_more_than_its_process_can_answer_is_refused() {
    let mut client = Client::of("worker", &["--isolate", "process"]);
    let limits = |output: &str| json!({"limits": {"output": output, "memory": "512MiB"}});
    let answer = client.ask(1, "open", limits("600MiB"));
    let said = answer["error"]["message"].to_string();
    assert!(said.contains("lower that"), "{answer}");
    let session = client.get(2, "open", limits("200MiB"))["session"].clone();
    let code = "for n in range(20): print('a' * 1_000_000)";
    let params = json!({"session": session, "code": code});
    let ran = client.get(3, "exec", params);
    let stdout = ran["outcome"]["stdout"].as_str().expect("text");
    assert_eq!(stdout.len(), 20 * 1_000_001);
    client.ends();
}
