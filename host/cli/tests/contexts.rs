//! Contexts of clients that mean harm: how much of them there may be, where they come from,
//! and what a search of them costs. Limits are tried at their defaults.
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rlm_sandbox::{Recording, Sandbox};
use serde_json::{Value as Json, json};

use client::{Client, PATIENCE};

const MIB: u64 = 1 << 20;

/// Runs a conversation on a thread, and fails if it takes for ever.
#[track_caller]
fn within_patience<T: Send + 'static>(conversation: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, is_done) = std::sync::mpsc::channel();
    std::thread::spawn(move || done.send(conversation()));
    let patience = 3 * PATIENCE;
    is_done.recv_timeout(patience).expect("an end of it")
}

fn pipe(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("runs").success());
    path
}

/// A file without blocks on the disk.
fn sparse(folder: &Path, name: &str, bytes: u64) -> PathBuf {
    let path = folder.join(name);
    let file = File::create(&path).expect("made");
    file.set_len(bytes).expect("sparse");
    path
}

/// The most memory that a process has held, in bytes.
fn peak_bytes(pid: u32) -> u64 {
    status_bytes(pid, "VmHWM:")
}

/// A size from the status of a process, in bytes.
fn status_bytes(pid: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("runs");
    let line = status.lines().find(|line| line.starts_with(name));
    let kib = line.and_then(|line| line.split_whitespace().nth(1));
    kib.expect("told").parse::<u64>().expect("a number") << 10
}

/// The memory that a process holds, in bytes.
fn resident_bytes(pid: u32) -> u64 {
    status_bytes(pid, "VmRSS:")
}

/// The time that a process has computed, in hundredths of a second.
fn ticks(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("runs");
    let (_, fields) = stat.rsplit_once(')').expect("a name");
    let fields = fields.split_whitespace().skip(11).take(2);
    fields
        .map(|field| field.parse::<u64>().expect("a number"))
        .sum()
}

/// The result of a tool of the server.
fn call(client: &mut Client, tool: &str, arguments: Json) -> Json {
    let params = json!({"name": tool, "arguments": arguments});
    client.get(1, "tools/call", params)
}

fn failed(result: &Json) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    result["content"][0]["text"].as_str().expect("text")
}

fn server(arguments: &[&str]) -> Client {
    let mut client = Client::of("mcp", arguments);
    client.greet();
    client
}

fn request(id: u64, method: &str, params: Json) -> Json {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

#[test]
fn pipes_and_devices_are_no_contexts_and_stop_no_session() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut client = Client::of("worker", &[]);
        let session = client.get(1, "open", json!({}))["session"].clone();
        let mut paths = vec![
            PathBuf::from("/dev/zero"),
            PathBuf::from("/dev/tty"),
            folder.path().to_owned(),
            folder.path().join("missing"),
        ];
        // More than the process has threads that run sessions.
        let threads = std::thread::available_parallelism().map_or(8, |cores| 2 * cores.get());
        paths.extend((0..threads).map(|number| pipe(folder.path(), &number.to_string())));
        for (number, path) in paths.iter().enumerate() {
            let values = json!({"contexts": [{"name": "a", "path": path}]});
            let (id, params) = (100 + number, json!({"values": values}));
            client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "open", "params": params}));
            let (id, params) = (200 + number, json!({"session": session, "values": values}));
            client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "set", "params": params}));
        }
        let run = json!({"session": session, "code": "6 * 7"});
        client.send(&json!({"jsonrpc": "2.0", "id": 9, "method": "exec", "params": run}));
        for _ in 0..2 * paths.len() + 1 {
            let answer = client.read().expect("an answer");
            if answer["id"] == 9 {
                assert_eq!(
                    answer["result"]["outcome"]["value"]["value"], 42,
                    "{answer}"
                );
            } else {
                let message = answer["error"]["message"].as_str().expect("refused");
                assert!(message.starts_with("cannot read /"), "{answer}");
            }
        }
        assert!(peak_bytes(client.pid()) < 400 * MIB);
        client.ends();
    });
}

#[test]
fn histories_of_a_worker_count_as_contexts_do() {
    within_patience(|| {
        let mut client = Client::of("worker", &["--max-contexts", "1MiB"]);
        let history = |bytes: usize| json!([{"role": "user", "content": "x".repeat(bytes)}]);
        let refused = client.ask(1, "open", json!({"histories": [history(400 << 10)]}));
        for part in ["no memory for `history_0`", "--max-contexts"] {
            assert!(refused.to_string().contains(part), "{refused}");
        }
        // With the copies of its session it takes 600 KiB.
        let open = json!({"histories": [history(200 << 10)]});
        let session = client.get(2, "open", open.clone())["session"].clone();
        for (method, params) in [
            ("open", open.clone()),
            ("fork", json!({"session": session})),
            (
                "set",
                json!({"session": session, "histories": {"1": history(200 << 10)}}),
            ),
        ] {
            let refused = client.ask(3, method, params);
            assert!(refused.to_string().contains("no memory for"), "{refused}");
        }
        let small = json!({"session": session, "histories": {"0": history(10)}});
        client.get(4, "set", small);
        let code = json!({"session": session, "code": "len(history[0]['content'])"});
        let ran = client.get(5, "exec", code);
        assert_eq!(ran["outcome"]["value"]["repr"], "10", "{ran}");
        client.get(6, "fork", json!({"session": session}));
        let other = client.get(7, "open", open.clone())["session"].clone();
        client.get(8, "close", json!({"session": other}));
        client.get(9, "open", open);
        client.ends();
    });
}

#[test]
fn what_sessions_of_a_worker_keep_counts_as_contexts_do() {
    within_patience(|| {
        let mut client = Client::of("worker", &["--max-contexts", "1MiB"]);
        let tool = |bytes: usize| json!({"tools": [{"name": "f", "doc": "d".repeat(bytes)}]});
        let refused = |client: &mut Client, method: &str, params: Json| {
            let refused = client.ask(1, method, params).to_string();
            for part in ["no memory for", "--max-contexts"] {
                assert!(refused.contains(part), "{refused}");
            }
        };
        // The text of a function is kept twice.
        refused(&mut client, "open", json!({"handlers": tool(600 << 10)}));
        let open = json!({"handlers": tool(300 << 10)});
        let session = client.get(2, "open", open.clone())["session"].clone();
        refused(&mut client, "open", open.clone());
        refused(&mut client, "fork", json!({"session": session}));
        let register = json!({"session": session, "handlers": tool(300 << 10)});
        refused(&mut client, "register", register);
        client.get(3, "close", json!({"session": session}));
        let other = client.get(4, "open", open)["session"].clone();
        client.get(5, "close", json!({"session": other}));
        let outputs: Vec<_> = (0..9000)
            .map(|number| json!({"name": format!("a{number}")}))
            .collect();
        refused(&mut client, "open", json!({"outputs": outputs}));
        // Values count until they entered.
        let [first, second] = [6, 7].map(|id| client.get(id, "open", json!({}))["session"].clone());
        let set = |session: &Json| {
            let values = json!({"variables": {"v": "x".repeat(600 << 10)}});
            json!({"session": session, "values": values})
        };
        client.get(8, "set", set(&first));
        refused(&mut client, "set", set(&second));
        let exported = json!({"session": first});
        let code = json!({"session": first, "code": "len(v)"});
        let ran = client.get(9, "exec", code);
        assert_eq!(ran["outcome"]["value"]["value"], 600 << 10, "{ran}");
        client.get(10, "set", set(&second));
        let portable = client.get(11, "export", exported);
        let import = json!({"session": first, "portable": portable});
        refused(&mut client, "import", import);
        // Texts that are no data are short.
        let long = "n".repeat(1001);
        let field = json!({"contexts": [{"name": "a", "text": "", "field": long}]});
        for params in [json!({"id": long}), json!({"values": field})] {
            let refused = client.ask(12, "open", params).to_string();
            assert!(
                refused.contains("1001 bytes; 1000 is the most"),
                "{refused}"
            );
        }
        client.ends();
    });
}

/// A component of its own for each number, with this section of docs.
fn plugin(folder: &Path, number: u32, docs: &str) -> PathBuf {
    let text = format!(
        "(component (core module $m (func (export \"f\") (result i32) i32.const {number}))
            (core instance $i (instantiate $m))
            (func (export \"f\") (result u32) (canon lift (core func $i \"f\"))))"
    );
    let mut wasm = wat::parse_str(text).expect("a component");
    let section = [b"\x08rlm:docs", docs.as_bytes()].concat();
    // An identifier of 0 and a length in five bytes.
    wasm.push(0);
    let length = section.len();
    wasm.extend([0, 7, 14, 21].map(|shift| (length >> shift) as u8 & 127 | 128));
    wasm.push((length >> 28) as u8);
    wasm.extend(section);
    let path = folder.join(format!("p{number}.wasm"));
    fs::write(&path, wasm).expect("written");
    path
}

/// Nearly as many docs as a plugin may have.
fn docs() -> String {
    let types =
        (0..900).map(|number| format!("\"{number}\":{{\"fields\":{{\"a{number}\":\"\"}}}}"));
    format!("{{\"types\":{{{}}}}}", types.collect::<Vec<_>>().join(","))
}

/// Files of compiled plugins that a process has open.
fn open_plugins(pid: u32) -> usize {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).expect("runs");
    let files = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    let names = files.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    names.filter(|name| name.starts_with("plugin-")).count()
}

#[test]
fn plugins_of_sessions_count_as_contexts_do() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = plugin(folder.path(), 1, &docs());
        let mut client = Client::of("worker", &["--max-contexts", "1500KiB"]);
        let refused = |client: &mut Client, method: &str, params: Json| {
            let refused = client.ask(1, method, params).to_string();
            assert!(refused.contains("no memory for `plugin"), "{refused}");
            assert!(refused.contains("--max-contexts"), "{refused}");
        };
        let open = json!({"handlers": {"plugins": [path]}});
        let session = client.get(2, "open", open.clone())["session"].clone();
        refused(&mut client, "open", open.clone());
        refused(&mut client, "fork", json!({"session": session}));
        // They stay with the session.
        client.get(3, "register", json!({"session": session, "handlers": {}}));
        refused(&mut client, "open", open.clone());
        let code = json!({"session": session, "code": "p1.f()"});
        let ran = client.get(4, "exec", code);
        assert_eq!(ran["outcome"]["value"]["value"], 1, "{ran}");
        client.get(5, "close", json!({"session": session}));
        let session = client.get(6, "open", open.clone())["session"].clone();
        client.get(7, "close", json!({"session": session}));
        // One after the other, so that those that fit are no more than that.
        let two = [
            format!("a={}", path.display()),
            format!("b={}", path.display()),
        ];
        refused(&mut client, "open", json!({"handlers": {"plugins": two}}));
        client.get(8, "open", open);
        client.ends();
    });
}

#[test]
fn a_session_names_few_plugins_and_equal_ones_are_loaded_once() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut client = Client::of("worker", &[]);
        let named = |count: usize, path: &Path| -> Vec<String> {
            let names = 0..count;
            names
                .map(|number| format!("p{number}={}", path.display()))
                .collect()
        };
        // None of them is looked at.
        let missing = folder.path().join("missing.wasm");
        let handlers = json!({"plugins": named(65, &missing)});
        let session = client.get(1, "open", json!({}))["session"].clone();
        for (method, params) in [
            ("open", json!({"handlers": handlers})),
            (
                "register",
                json!({"session": session, "handlers": handlers}),
            ),
        ] {
            let refused = client.ask(2, method, params).to_string();
            assert!(
                refused.contains("names 65 plugins; 64 are the most"),
                "{refused}"
            );
        }
        // Nor are others than those that the session has.
        let handlers = json!({"plugins": [missing]});
        let register = json!({"session": session, "handlers": handlers});
        let refused = client.ask(2, "register", register).to_string();
        assert!(refused.contains("keeps the plugins"), "{refused}");
        let path = plugin(folder.path(), 2, &docs());
        let before = peak_bytes(client.pid());
        let open = json!({"handlers": {"plugins": named(64, &path)}});
        let first = client.get(3, "open", open.clone())["session"].clone();
        let second = client.get(4, "open", open)["session"].clone();
        assert_eq!(open_plugins(client.pid()), 1);
        let took = peak_bytes(client.pid()) - before;
        assert!(took < 48 * MIB, "{took}");
        for session in [first, second] {
            let code = json!({"session": session, "code": "p0.f() + p63.f()"});
            let ran = client.get(5, "exec", code);
            assert_eq!(ran["outcome"]["value"]["value"], 4, "{ran}");
        }
        client.ends();
    });
}

#[test]
fn plugins_that_no_session_uses_are_dropped_at_once() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut client = Client::of("worker", &[]);
        let mut paths: Vec<_> = (100..120)
            .map(|number| plugin(folder.path(), number, ""))
            .collect();
        let open = json!({"handlers": {"plugins": paths}});
        let session = client.get(1, "open", open)["session"].clone();
        assert_eq!(open_plugins(client.pid()), 20);
        client.get(2, "close", json!({"session": session}));
        assert_eq!(open_plugins(client.pid()), 16);
        // Also those of a session that was never there: one of its plugins or tools is wrong.
        let tools = json!([{"name": "p100"}]);
        let open = json!({"handlers": {"plugins": paths, "tools": tools}});
        let refused = client.ask(3, "open", open).to_string();
        assert!(refused.contains("a tool and of a plugin"), "{refused}");
        assert_eq!(open_plugins(client.pid()), 16);
        paths.push(folder.path().join("missing.wasm"));
        let open = json!({"handlers": {"plugins": paths}});
        let refused = client.ask(4, "open", open).to_string();
        assert!(refused.contains("missing.wasm"), "{refused}");
        assert_eq!(open_plugins(client.pid()), 16);
        client.ends();
    });
}

#[test]
fn what_a_client_of_dspy_registers_counts_as_contexts_do() {
    within_patience(|| {
        let mut client = Client::of("dspy-runner", &["--max-contexts", "8MiB"]);
        // As trees, the values of one default take 38 MiB.
        let default = format!("[{}1]", r#"{"":0},"#.repeat(86_000));
        let register = |client: &mut Client, id: u64, tool: &str, default: &str| {
            let parameters = format!(r#"[{{"name":"a"}},{{"name":"b","default":{default}}}]"#);
            let tools = format!(r#"[{{"name":"{tool}","parameters":{parameters}}}]"#);
            let request = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"register","params":{{"tools":{tools}}}}}"#
            );
            client.write(format!("{request}\n").as_bytes());
            client.read().expect("an answer")
        };
        let run = |client: &mut Client, code: &str, expected: &str| {
            let ran = client.get(1, "execute", json!({"code": code}));
            assert_eq!(ran["output"], expected, "{code}");
        };
        run(&mut client, "x = 1", "");
        let before = resident_bytes(client.pid());
        let mut registered: u64 = 0;
        let refused = loop {
            let answer = register(&mut client, 2, &format!("t{registered}"), &default);
            if answer.get("error").is_some() {
                break answer.to_string();
            }
            registered += 1;
            assert!(registered < 20, "nothing counts");
        };
        assert_eq!(registered, (8 << 20) / default.len() as u64);
        let told = format!("no memory for `t{registered}`");
        for part in [told.as_str(), "--max-contexts", "start the runner with"] {
            assert!(refused.contains(part), "{refused}");
        }
        let grown = resident_bytes(client.pid()).saturating_sub(before);
        assert!(grown < 100 * MIB, "{grown}");
        // Outputs count, too, and what is refused changes nothing.
        let output = json!([{"name": "o".repeat(1 << 20)}]);
        let refused = client.ask(3, "register", json!({"outputs": output}));
        for part in ["no memory for `outputs`", "--max-contexts"] {
            assert!(refused.to_string().contains(part), "{refused}");
        }
        run(&mut client, "print(x)", "1\n");
        let sent = json!({"jsonrpc": "2.0", "id": 4, "method": "execute", "params": {"code": "print(t0(5))"}});
        client.send(&sent);
        let asked = client.read().expect("a call");
        let kwargs = &asked["params"]["kwargs"];
        assert_eq!(
            (&kwargs["a"], &kwargs["b"][7]),
            (&json!(5), &json!({"": 0}))
        );
        let answer = json!({"value": "7", "type": "json"});
        client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer}));
        let ran = client.read().expect("an answer");
        assert_eq!(ran["result"]["output"], "7\n", "{ran}");
        // One that is registered anew gives its memory back.
        for tool in ["t0", "t1"] {
            let answer = register(&mut client, 5, tool, r#"{"$tuple": [1]}"#);
            assert!(answer.get("result").is_some(), "{answer}");
        }
        let answer = register(&mut client, 6, "last", &default);
        assert!(answer.get("result").is_some(), "{answer}");
        let tools: Vec<_> = (0..10_000).map(|number| format!("u{number}")).collect();
        let refused = client.ask(7, "register", json!({"tools": tools}));
        let refused = refused.to_string();
        assert!(refused.contains("no memory for `u"), "{refused}");
        run(&mut client, "print(x + 1)", "2\n");
        client.ends();
    });
}

#[test]
fn restored_states_count_until_an_instance_has_them() {
    within_patience(|| {
        let mut client = Client::of("worker", &["--max-contexts", "12MiB"]);
        let session = client.get(1, "open", json!({}))["session"].clone();
        let code = json!({"session": session, "code": "x = 'a' * 5_000_000"});
        client.get(2, "exec", code);
        let parked = client.get(3, "park", json!({"session": session}))["parked"].clone();
        assert!(
            parked.as_str().expect("text").len() < 100_000,
            "it is packed"
        );
        let restore = json!({"parked": parked});
        let first = client.get(4, "restore", restore.clone())["session"].clone();
        let copy = client.get(4, "fork", json!({"session": first}))["session"].clone();
        let refused = client.ask(5, "restore", restore.clone()).to_string();
        assert!(refused.contains("no memory for `"), "{refused}");
        client.get(5, "close", json!({"session": copy}));
        let code = json!({"session": first, "code": "len(x)"});
        let ran = client.get(6, "exec", code);
        assert_eq!(ran["outcome"]["value"]["value"], 5_000_000, "{ran}");
        let second = client.get(7, "restore", restore.clone())["session"].clone();
        client.get(8, "reset", json!({"session": second}));
        let third = client.get(9, "restore", restore.clone())["session"].clone();
        client.get(10, "close", json!({"session": third}));
        client.get(11, "restore", restore);
        client.ends();
    });
}

/// Pages that are mapped count in the memory of the sandbox, and no longer as something that waits.
#[cfg(target_os = "linux")]
#[test]
fn sessions_of_snapshots_hold_no_memory_of_contexts() {
    within_patience(|| {
        let mut client = Client::of("worker", &["--max-contexts", "16MiB"]);
        let session = client.get(1, "open", json!({}))["session"].clone();
        let code = json!({"session": session, "code": "x = [str(n) for n in range(30_000)]"});
        client.get(2, "exec", code);
        let snapshot = json!({"session": session, "snapshot": true});
        let parked = client.get(3, "park", snapshot)["parked"].clone();
        for _ in 0..20 {
            let restored = client.get(4, "restore", json!({"parked": parked}))["session"].clone();
            let code = json!({"session": restored, "code": "len(x)"});
            let ran = client.get(5, "exec", code);
            assert_eq!(ran["outcome"]["value"]["value"], 30_000, "{ran}");
        }
        client.ends();
    });
}

/// It was parked without them, and nothing could restore that.
#[test]
fn a_session_whose_changed_contexts_are_too_large_is_not_parked_without_them() {
    within_patience(|| {
        let mut client = Client::of(
            "worker",
            &["--max-contexts", "128MiB", "--max-message", "64MiB"],
        );
        let mut seed = 1_u64;
        // Packed, each takes more than a parked session holds.
        let mut text = || -> String {
            let mut next = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                char::from(b'0' + ((seed >> 33) % 70) as u8)
            };
            (0..12 << 20).map(|_| next()).collect()
        };
        let mut contexts = || json!({"contexts": [{"name": "log", "text": text()}]});
        let handlers = json!({"tools": [{"name": "f"}]});
        let open = json!({"handlers": handlers, "values": contexts()});
        let session = client.get(1, "open", open)["session"].clone();
        let code = json!({"session": session, "code": "n = len(context)\nf(1)\nn"});
        client.get(2, "step", code);
        let changed = contexts();
        client.get(3, "set", json!({"session": session, "values": changed}));
        for snapshot in [false, true] {
            let park = json!({"session": session, "contexts": true, "snapshot": snapshot});
            let refused = client.ask(4, "park", park);
            let error = &refused["error"];
            assert_eq!(
                error["data"]["kind"],
                "usage",
                "{:.300}",
                refused.to_string()
            );
            assert!(
                error["message"].to_string().contains("too large"),
                "{error}"
            );
        }
        let waiting = client.get(5, "waiting", json!({"session": session}));
        let ticket = &waiting["waiting"][0]["ticket"];
        let answers = json!([{"ticket": ticket, "value": 1}]);
        let went = client.get(6, "resume", json!({"session": session, "answers": answers}));
        assert_eq!(
            went["outcome"]["value"]["value"],
            12 << 20,
            "{:.300}",
            went.to_string()
        );
        // They are only named in it.
        let park = json!({"session": session, "contexts": true, "snapshot": true});
        let parked = client.get(7, "park", park)["parked"].clone();
        let restore = json!({"parked": parked, "handlers": handlers, "values": changed});
        let restored = client.get(8, "restore", restore)["session"].clone();
        let got = client.get(9, "get", json!({"session": restored, "name": "n"}));
        assert_eq!(got["value"]["value"], 12 << 20, "{:.300}", got.to_string());
        client.ends();
    });
}

#[test]
fn a_set_that_waits_for_memory_holds_up_no_other_session() {
    within_patience(|| {
        let options = ["--max-contexts", "4MiB", "--limit", "concurrent-execs=1"];
        let mut client = Client::of("worker", &options);
        let mut open = |limits: Json| {
            let session = client.get(1, "open", json!({"limits": limits}))["session"].clone();
            client.get(2, "exec", json!({"session": session, "code": "1"}));
            session
        };
        let sessions: Vec<_> = (0..6).map(|_| open(json!({}))).collect();
        let busy = open(json!({"time": 300}));
        let (first, waiting) = (&sessions[0], &sessions[1..5]);
        let big = json!({"contexts": [{"name": "big", "text": "x".repeat(3 << 20)}]});
        client.get(3, "set", json!({"session": first, "values": big}));
        // What each keeps has yet to enter its instance, which waits for the place of the script that runs.
        for session in waiting {
            let values = json!({"variables": {"v": 1}});
            client.get(4, "set", json!({"session": session, "values": values}));
        }
        let code = json!({"session": busy, "code": "while True: pass"});
        client.send(&request(100, "exec", code));
        for (number, session) in waiting.iter().enumerate() {
            let params = json!({"session": session, "values": big});
            client.send(&request(10 + number as u64, "set", params));
        }
        // A session of its own goes on, also when all four wait for certain.
        for _ in 0..20 {
            let values = json!({"variables": {"v": 2}});
            client.get(20, "set", json!({"session": sessions[5], "values": values}));
            std::thread::sleep(Duration::from_millis(50));
        }
        client.send(&request(30, "cancel", json!({"session": waiting[0]})));
        let answers = [client.read(), client.read()].map(|answer| answer.expect("an answer"));
        assert_eq!(
            (&answers[0]["id"], &answers[1]["id"]),
            (&json!(10), &json!(30))
        );
        client.send(&request(31, "close", json!({"session": waiting[1]})));
        let answers = [client.read(), client.read()].map(|answer| answer.expect("an answer"));
        assert_eq!(
            (&answers[0]["id"], &answers[1]["id"]),
            (&json!(11), &json!(31))
        );
        client.send(&request(40, "cancel", json!({"session": busy})));
        let mut ended: Vec<_> = (0..4)
            .map(|_| client.read().expect("an answer"))
            .map(|answer| answer["id"].as_u64().expect("a number"))
            .collect();
        ended.sort_unstable();
        assert_eq!(ended, [12, 13, 40, 100]);
        client.ends();
    });
}

#[test]
fn a_snapshot_is_unpacked_only_if_there_is_memory() {
    within_patience(|| {
        let mut client = Client::of("worker", &["--max-contexts", "32MiB"]);
        let limits = json!({"memory": "160MiB", "time": 30});
        let session = client.get(1, "open", json!({"limits": limits}))["session"].clone();
        let code = json!({"session": session, "code": "x = 'a' * 120_000_000"});
        client.get(2, "exec", code);
        let parked = client.get(3, "park", json!({"session": session}))["parked"].clone();
        assert!(
            parked.as_str().expect("text").len() < 200_000,
            "it is packed"
        );
        client.get(4, "close", json!({"session": session}));
        client.forget_peak();
        let before = client.peak();
        for _ in 0..4 {
            let refused = client
                .ask(5, "restore", json!({"parked": parked}))
                .to_string();
            assert!(refused.contains("no memory for `a snapshot"), "{refused}");
        }
        let peak = client.peak();
        assert!(peak < before + 60 * MIB, "{before} {peak}");
        client.ends();
    });
}

#[test]
fn a_session_that_a_journal_begins_with_is_unpacked_only_if_there_is_memory() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("j");
        let sandbox = Sandbox::new().expect("loads");
        let mut session = sandbox.session().open().expect("right");
        let filled = session.exec_blocking("x = 'a' * 40_000_000");
        assert!(filled.expect("an outcome").is_success());
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let parked = runtime.expect("a runtime").block_on(session.park());
        let parked = parked.expect("written");
        let recording = Recording::create(&path).expect("a new file");
        let builder = sandbox.session().record(&recording);
        drop(builder.restore(&parked).expect("recorded"));
        let mut client = Client::of("worker", &["--max-contexts", "64MiB"]);
        client.get(0, "hello", json!({}));
        let before = client.peak();
        for (method, params) in [
            ("restore", json!({"journal": {"path": path}})),
            ("replay", json!({"path": path})),
        ] {
            let refused = client.ask(1, method, params).to_string();
            assert!(
                refused.contains("a session that a journal begins with"),
                "{refused}"
            );
        }
        let peak = client.peak();
        assert!(peak < before + 30 * MIB, "{before} {peak}");
        client.ends();
        let mut client = Client::of("worker", &["--max-contexts", "128MiB"]);
        client.get(2, "restore", json!({"journal": {"path": path}}));
        client.ends();
    });
}

#[test]
fn profiles_of_restored_sessions_count() {
    within_patience(|| {
        let mut client = Client::of("worker", &["--max-contexts", "40MiB"]);
        let profile = json!({"view": {"marker": "x".repeat(1_000_000)}});
        let session = client.get(1, "open", json!({"profile": profile}))["session"].clone();
        client.get(2, "exec", json!({"session": session, "code": "x = 1"}));
        let parked = client.get(3, "park", json!({"session": session}))["parked"].clone();
        client.get(4, "close", json!({"session": session}));
        let restored = (0..60).map(|id| client.ask(id + 5, "restore", json!({"parked": parked})));
        let restored: Vec<_> = restored.collect();
        let is_room = |answer: &&Json| answer.get("result").is_some();
        let count = restored.iter().filter(is_room).count();
        assert!((1..40).contains(&count), "{count}");
        let refused = restored[59].to_string();
        assert!(refused.contains("--max-contexts"), "{refused}");
        // Other handlers give nothing of it back.
        for answer in restored.iter().filter(is_room) {
            let session = answer["result"]["session"].clone();
            client.ask(69, "register", json!({"session": session, "handlers": {}}));
        }
        // The states do, which instances have loaded now.
        let more = (70..130).map(|id| client.ask(id, "restore", json!({"parked": parked})));
        let more = more.filter(|answer| answer.get("result").is_some()).count();
        assert!(more < count, "{more} after {count}");
        client.ends();
    });
}

#[test]
fn what_a_journal_says_of_a_session_counts_as_long_as_that_is_open() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("j.jsonl");
        let mut client = Client::of("worker", &["--max-contexts", "100MiB"]);
        // Such a text is five bytes here, and 26 in memory with what points to it.
        let imports = vec!["re"; 200_000];
        let parameters: Vec<_> = (0..900).map(|number| format!("p{number}")).collect();
        let tools = json!([{"name": "f", "parameters": parameters}]);
        let open = json!({"record": path, "handlers": {"tools": tools},
                          "profile": {"imports": imports}});
        let session = client.get(1, "open", open)["session"].clone();
        client.get(2, "exec", json!({"session": session, "code": "1"}));
        client.get(3, "close", json!({"session": session}));
        let restore = json!({"journal": {"path": path}, "handlers": {"tools": tools}});
        let restored: Vec<_> = (4..16)
            .map(|id| client.ask(id, "restore", restore.clone()).to_string())
            .collect();
        let refused = restored
            .iter()
            .filter(|answer| answer.contains("--max-contexts"));
        assert!((3..8).contains(&refused.count()), "{restored:?}");
        client.ends();
    });
}

#[test]
fn no_request_asks_for_more_time_than_the_operator_set() {
    within_patience(|| {
        let mut client = server(&["--timeout", "200ms"]);
        let endless = json!({"code": "while True: pass", "timeout_ms": 60_000});
        let ran = call(&mut client, "exec_python", endless);
        let told = ran["structuredContent"].to_string();
        assert!(told.contains("time limit exceeded: 200ms"), "{told}");
        client.ends();
    });
}

#[test]
fn notifications_that_say_nothing_take_no_memory() {
    within_patience(|| {
        let mut client = server(&[]);
        let run = json!({"name": "exec_python",
                         "arguments": {"code": "while True: pass", "timeout_ms": 15_000}});
        client.send(&json!({"jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": run}));
        let before = client.peak();
        let params = json!({"a": vec![json!({"a": 0}); 87_000]});
        for method in [
            "notifications/foo",
            "notifications/cancelled",
            "notifications/initialized",
        ] {
            let line = json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string();
            for _ in 0..40 {
                client.write(format!("{line}\n").as_bytes());
            }
        }
        // One that cancels a request does so.
        let params = json!({"requestId": 70, "reason": "enough"});
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        client.send(&cancel);
        client.send(&json!({"jsonrpc": "2.0", "id": 71, "method": "ping"}));
        assert_eq!(client.read().expect("an answer")["id"], 71);
        let peak = client.peak();
        assert!(peak < before + 150 * MIB, "{before} {peak}");
        client.ends();
    });
}

#[test]
fn requests_that_wait_to_make_a_session_are_text() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("loop.jsonl");
        let mut client = Client::of("worker", &["--max-contexts", "32MiB"]);
        let limits = json!({"time": 30, "fuel": 1_000_000_000_000_u64});
        let open = json!({"record": path, "limits": limits});
        let session = client.get(1, "open", open)["session"].clone();
        let code = json!({"session": session, "code": "i = 0\nwhile i < 12_000_000: i += 1"});
        client.get(2, "exec", code);
        client.get(3, "close", json!({"session": session}));
        client.forget_peak();
        let before = client.peak();
        let send = |client: &mut Client, id: u64, method: &str, params: &Json| {
            client.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        };
        send(&mut client, 4, "replay", &json!({"path": path}));
        // A parsed one takes 38 MiB.
        let many = vec![json!({"": 0}); 87_000];
        let restore =
            json!({"journal": {"path": path, "exec": 0}, "values": {"variables": {"x": many}}});
        for id in 5..25 {
            send(&mut client, id, "restore", &restore);
        }
        client.get(25, "hello", json!({}));
        let peak = client.peak();
        assert!(peak < before + 300 * MIB, "{before} {peak}");
    });
}

#[test]
fn an_open_that_is_refused_leaves_and_removes_no_file() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let (new, old) = (
            folder.path().join("new.jsonl"),
            folder.path().join("old.jsonl"),
        );
        let mut client = Client::of("worker", &[]);
        let tools = json!([{"name": "f"}]);
        let cassette = json!({"path": old, "record": "once"});
        let open = json!({"cassette": cassette, "handlers": {"tools": tools}});
        let session = client.get(1, "open", open)["session"].clone();
        client.get(2, "exec", json!({"session": session, "code": "1"}));
        client.get(3, "close", json!({"session": session}));
        let recorded = fs::read(&old).expect("a cassette");
        let many: Vec<_> = (0..10_000)
            .map(|number| json!({"name": format!("c{number}"), "text": "x"}))
            .collect();
        for wrong in [
            json!({"handlers": {"tools": [{"name": "print"}]}}),
            json!({"handlers": {"tools": [{"name": "g"}, {"name": "g"}]}}),
            json!({"values": {"contexts": [{"name": "c", "path": "/nonexistent"}]}}),
            json!({"values": {"variables": {"FINAL": 1}}}),
            json!({"values": {"variables": {"context": "x"}, "contexts": many}}),
        ] {
            for (member, value) in [
                ("cassette", json!({"path": old, "record": "all"})),
                ("cassette", json!({"path": new, "record": "once"})),
                ("record", json!(new)),
            ] {
                let mut open = wrong.clone();
                open[member] = value;
                let refused = client.ask(4, "open", open.clone());
                assert!(refused.get("error").is_some(), "{open} {refused}");
                assert!(!new.exists(), "{open}");
                assert_eq!(fs::read(&old).expect("there"), recorded, "{open}");
            }
        }
        let both = json!({"record": new, "cassette": {"path": old, "record": "none"}});
        let refused = client.ask(5, "open", both).to_string();
        assert!(refused.contains("not both") && !new.exists(), "{refused}");
        client.ends();
    });
}

#[test]
fn long_answers_that_nobody_reads_are_few() {
    within_patience(|| {
        let mut client = Client::of("worker", &["--limit", "total-memory=256MiB"]);
        let names: String = (0..14).map(|number| format!("b{number} = ")).collect();
        let code = format!("{names} 'x' * 1_000_000");
        let sessions: Vec<_> = (0..30)
            .map(|_| {
                let session = client.get(1, "open", json!({}))["session"].clone();
                client.get(2, "exec", json!({"session": session, "code": code}));
                session
            })
            .collect();
        let before = client.peak();
        // A control character takes six bytes.
        let code = "print('\\0' * (1 << 20))\nclass A:\n  def __repr__(self): return '\\0' * (1 << 20)\nA()";
        for session in &sessions {
            let exec = json!({"session": session, "code": code, "report": true});
            client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "exec", "params": exec}));
        }
        std::thread::sleep(Duration::from_secs(5));
        for _ in &sessions {
            let answer = client.read().expect("an answer");
            assert!(answer.to_string().len() > 12_000_000);
        }
        let peak = client.peak();
        assert!(peak < before + 250 * MIB, "{before} {peak}");
        for session in &sessions {
            let list = json!({"session": session, "json": true});
            client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "variables", "params": list}));
        }
        // The client reads nothing meanwhile.
        std::thread::sleep(Duration::from_secs(5));
        for _ in &sessions {
            let answer = client.read().expect("an answer");
            assert!(answer.to_string().len() > 14_000_000);
        }
        let peak = client.peak();
        assert!(peak < before + 450 * MIB, "{before} {peak}");
        client.ends();
    });
}

#[test]
fn answers_of_control_characters_take_the_memory_of_their_text() {
    within_patience(|| {
        const BYTES: u64 = 8 << 20;
        let mut client = Client::of("worker", &[]);
        let open = json!({"profile": "rlms", "limits": {"output": BYTES}});
        let session = client.get(1, "open", open)["session"].clone();
        let mut peak = |text: &str| {
            client.forget_peak();
            let code = format!("print('{text}' * ({BYTES} - 1))");
            let exec = json!({"session": session, "code": code, "report": true});
            let ran = client.get(2, "exec", exec);
            let outcome = &ran["outcome"];
            assert_eq!(
                outcome["stdout"].as_str().map(str::len),
                Some(BYTES as usize)
            );
            // The report has it no second time.
            assert!(outcome["report"].is_object() && outcome["report"]["stdout"].is_null());
            assert_eq!(outcome["report_shares"], json!(["stdout", "stderr"]));
            client.peak()
        };
        peak("x");
        let (plain, control) = (peak("x"), peak("\\0"));
        // As JSON, each of them takes six bytes.
        assert!(control < plain + 3 * BYTES, "{plain} {control}");
        client.ends();
    });
}

#[test]
fn lists_wait_for_no_slow_code_of_other_sessions() {
    within_patience(|| {
        let mut client = Client::of("worker", &[]);
        let slow = "class A:\n  def __repr__(self):\n    while True: pass\na = A()";
        let sessions: Vec<_> = [slow, slow, slow, slow, slow, "a = 1"]
            .into_iter()
            .map(|code| {
                let session = client.get(1, "open", json!({}))["session"].clone();
                client.get(2, "exec", json!({"session": session, "code": code}));
                session
            })
            .collect();
        for (id, session) in (3..).zip(&sessions) {
            let get = json!({"session": session, "name": "a"});
            client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "get", "params": get}));
        }
        // The others take their time limit.
        assert_eq!(client.read().expect("an answer")["id"], 8);
        for _ in 1..sessions.len() {
            client.read().expect("an answer");
        }
        client.ends();
    });
}

#[test]
fn lists_of_a_request_have_no_repetitions_and_a_number() {
    within_patience(|| {
        let mut client = Client::of("worker", &[]);
        let mut names = vec!["FINAL"; 50_000];
        names.extend(["files", "history"]);
        let open = json!({"histories": [[0]], "profile": {"names": names}});
        let session = client.get(1, "open", open)["session"].clone();
        let variables: serde_json::Map<String, Json> = (0..9000)
            .map(|number| (format!("v{number}"), json!(number)))
            .collect();
        let contexts: Vec<_> = (0..2000)
            .map(|number| json!({"name": format!("c{number}"), "text": "x"}))
            .collect();
        let values = json!({"variables": variables, "contexts": contexts});
        client.get(2, "set", json!({"session": session, "values": values}));
        let histories = |numbers: std::ops::Range<usize>| {
            let histories = numbers.map(|number| (number.to_string(), json!([number])));
            Json::Object(histories.collect())
        };
        client.get(
            3,
            "set",
            json!({"session": session, "histories": histories(1..1000)}),
        );
        let without = vec!["c1"; 60_000];
        for (params, part) in [
            (
                json!({"values": {"without": without}}),
                "names the context `c1` twice",
            ),
            (
                json!({"values": {"without": ["c1", "none"]}}),
                "no context is named `none`",
            ),
            (
                json!({"values": {"variables": {"FINAL": 1}}}),
                "defined by the profile",
            ),
            (
                json!({"histories": histories(1000..1001)}),
                "has 1000 histories",
            ),
        ] {
            let mut params = params;
            params["session"] = session.clone();
            let refused = client.ask(4, "set", params).to_string();
            assert!(refused.contains(part), "{refused}");
        }
        let open = json!({"histories": vec![json!([0]); 1001]});
        let refused = client.ask(5, "open", open).to_string();
        assert!(
            refused.contains("1001 histories; 1000 are possible"),
            "{refused}"
        );
        let without: Vec<_> = (0..1999).map(|number| format!("c{number}")).collect();
        let values = json!({"without": without, "contexts": [{"name": "c1999", "text": "yz"}]});
        client.get(6, "set", json!({"session": session, "values": values}));
        let code = "len(files), files['c1999'], v8999, history_9[0]";
        let ran = client.get(7, "exec", json!({"session": session, "code": code}));
        let repr = &ran["outcome"]["value"]["repr"];
        assert_eq!(repr, "(1, 'yz', 8999, 9)");
        client.ends();
    });
}

#[test]
fn a_worker_has_a_number_of_open_sessions() {
    within_patience(|| {
        let mut client = Client::of("worker", &["--limit", "sessions=2"]);
        let session = client.get(1, "open", json!({}))["session"].clone();
        let parked = client.get(2, "park", json!({"session": session}))["parked"].clone();
        let fork = client.get(3, "fork", json!({"session": session}))["session"].clone();
        for (method, params) in [
            ("open", json!({})),
            ("restore", json!({"parked": parked})),
            ("fork", json!({"session": session})),
        ] {
            let refused = client.ask(4, method, params.clone()).to_string();
            for part in ["2 sessions are open", "--limit sessions=N"] {
                assert!(refused.contains(part), "{refused}");
            }
        }
        client.get(5, "close", json!({"session": fork}));
        // One that is refused for another reason takes no place.
        client.ask(6, "open", json!({"profile": "none"}));
        client.get(7, "restore", json!({"parked": parked}));
        client.ends();
    });
}

#[test]
fn results_of_mcp_that_wait_to_be_written_are_bounded() {
    within_patience(|| {
        let mut client = server(&[]);
        for number in 0..150 {
            let name = format!("{}{number}", "\u{e9}".repeat(2000));
            call(
                &mut client,
                "load_context",
                json!({"name": name, "text": "x"}),
            );
        }
        let text = "\u{20ac}".repeat(200_000);
        call(
            &mut client,
            "load_context",
            json!({"name": "c", "text": text}),
        );
        let before = peak_bytes(client.pid());
        let threads = |pid| {
            fs::read_dir(format!("/proc/{pid}/task"))
                .expect("runs")
                .count()
        };
        let started = threads(client.pid());
        let mut stdin = client.stdin.take().expect("open");
        let writer = std::thread::spawn(move || {
            for id in 100..220 {
                let list = json!({"jsonrpc": "2.0", "id": id, "method": "resources/list"});
                let params = json!({"uri": "context://c"});
                let read = json!({"jsonrpc": "2.0", "id": id + 1000, "method": "resources/read", "params": params});
                let tools = json!({"jsonrpc": "2.0", "id": id + 2000, "method": "tools/list"});
                writeln!(stdin, "{list}\n{read}\n{tools}").expect("it reads");
            }
            stdin
        });
        let mut most = 0;
        for _ in 0..360 {
            let answer = client.read().expect("an answer");
            assert!(answer.get("result").is_some(), "{answer}");
            most = most.max(threads(client.pid()));
        }
        client.stdin = Some(writer.join().expect("all is written"));
        let grown = peak_bytes(client.pid()) - before;
        assert!(grown < 80 * MIB, "{grown}");
        assert!(most < started + 20, "{started} threads became {most}");
        client.ends();
    });
}

#[test]
fn resources_are_listed_in_pages() {
    within_patience(|| {
        let mut client = server(&[]);
        for number in 0..510 {
            let arguments = json!({"name": format!("c{number}"), "text": "x"});
            call(&mut client, "load_context", arguments);
        }
        for number in 510..600 {
            let name = format!("{}{number}", "\u{e9}".repeat(2000));
            call(
                &mut client,
                "load_context",
                json!({"name": name, "text": "x"}),
            );
        }
        let (mut names, mut sizes, mut params) = (Vec::new(), Vec::new(), json!({}));
        loop {
            let page = client.get(2, "resources/list", params);
            let resources = page["resources"].as_array().expect("a list");
            assert!(page.to_string().len() < 2 << 20);
            sizes.push(resources.len());
            names.extend(
                resources
                    .iter()
                    .map(|resource| resource["name"].to_string()),
            );
            match &page["nextCursor"] {
                Json::Null => break,
                next => params = json!({"cursor": next}),
            }
        }
        assert!(sizes.len() >= 3 && sizes[0] == 500, "{sizes:?}");
        assert_eq!(names.len(), 600);
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 600);
        let refused = client.ask(3, "resources/list", json!({"cursor": "x"}));
        assert!(
            refused["error"].to_string().contains("nextCursor"),
            "{refused}"
        );
        let beyond = client.get(4, "resources/list", json!({"cursor": "9000"}));
        assert_eq!(beyond["resources"], json!([]), "{beyond}");
        client.ends();
    });
}

#[test]
fn journals_of_a_worker_count_as_contexts_do() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("j");
        let mut client = Client::of("worker", &["--max-contexts", "1MiB"]);
        let values = json!({"contexts": [{"name": "a", "text": "x".repeat(100 << 10)}]});
        let open = json!({"record": path, "values": values});
        let session = client.get(1, "open", open)["session"].clone();
        let code = format!("# {}\nlen(files['a'])", "x".repeat(80 << 10));
        client.get(2, "exec", json!({"session": session, "code": code}));
        client.get(3, "close", json!({"session": session}));
        // Its lines count eight times while they are in memory.
        let tape = json!({"cassette": {"path": path, "record": "none"}});
        let session = client.get(4, "open", tape.clone())["session"].clone();
        let restore = json!({"journal": {"path": path}});
        for (method, params) in [
            ("open", tape),
            ("restore", restore.clone()),
            ("replay", json!({"path": path})),
        ] {
            let refused = client.ask(5, method, params).to_string();
            for part in ["no memory for", "--max-contexts"] {
                assert!(refused.contains(part), "{refused}");
            }
        }
        client.get(6, "close", json!({"session": session}));
        let replayed = client.get(7, "replay", json!({"path": path}));
        assert_eq!(replayed["identical"], true, "{replayed}");
        // A session that came from a journal has its contexts as long as it or a fork lives.
        let session = client.get(8, "restore", restore.clone())["session"].clone();
        let fork = client.get(9, "fork", json!({"session": session}))["session"].clone();
        let ran = client.get(
            20,
            "exec",
            json!({"session": fork, "code": "len(files['a'])"}),
        );
        assert_eq!(ran["outcome"]["value"]["repr"], "102400", "{ran}");
        client.get(10, "close", json!({"session": session}));
        for id in 11..13 {
            client.get(id, "restore", restore.clone());
        }
        let refused = client.ask(14, "restore", restore.clone()).to_string();
        assert!(refused.contains("no memory for"), "{refused}");
        client.get(15, "close", json!({"session": fork}));
        client.get(16, "restore", restore);
        client.ends();
    });
}

#[test]
fn searches_that_wait_have_a_limit() {
    within_patience(|| {
        let mut client = server(&[]);
        call(
            &mut client,
            "load_context",
            json!({"name": "a", "text": "needle"}),
        );
        let request = |id: u64, tool: &str, arguments: Json| {
            let params = json!({"name": tool, "arguments": arguments});
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
        };
        // Searches wait for the context that waits for the script.
        let slow = json!({"code": "while True: pass", "timeout_ms": 4000});
        client.send(&request(10, "exec_python", slow));
        client.send(&request(
            11,
            "load_context",
            json!({"name": "b", "text": "needle"}),
        ));
        for id in 0..100 {
            client.send(&request(
                100 + id,
                "search_context",
                json!({"pattern": "needle"}),
            ));
        }
        let (mut found, mut refused) = (0, 0);
        while found + refused < 100 {
            let message = client.read().expect("an answer");
            if message["id"].as_u64().is_none_or(|id| id < 100) {
                continue;
            }
            let result = &message["result"];
            match result["isError"] == true {
                true => {
                    let told = "64 searches have no result yet; search again when one has";
                    assert_eq!(failed(result), told);
                    refused += 1;
                }
                false => {
                    assert_eq!(result["structuredContent"]["total"], 2, "{result}");
                    found += 1;
                }
            }
        }
        assert_eq!((found, refused), (64, 36));
        let found = call(&mut client, "search_context", json!({"pattern": "needle"}));
        assert_eq!(found["structuredContent"]["total"], 2, "{found}");
        // By the word that the other tools have for it.
        let missed = call(
            &mut client,
            "search_context",
            json!({"pattern": "needle", "name": "nowhere"}),
        );
        assert_eq!(missed["isError"], true, "{missed}");
        client.ends();
    });
}

#[test]
fn contexts_of_all_sessions_of_a_worker_have_a_gibibyte_together() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let large = sparse(folder.path(), "large", 511 * MIB);
        let small = sparse(folder.path(), "small", 3 * MIB);
        let mut client = Client::of("worker", &[]);
        let mut open = |path: &Path| {
            let values = json!({"contexts": [{"name": "a", "path": path}]});
            client.ask(1, "open", json!({"values": values}))
        };
        let sessions =
            [open(&large), open(&large)].map(|answer| answer["result"]["session"].clone());
        let refused = open(&small);
        let message = refused["error"]["message"].as_str().expect("refused");
        for part in [
            "1073741824 bytes (--max-contexts)",
            "`set` and `without`",
            "close a session",
        ] {
            assert!(message.contains(part), "{message}");
        }
        // Forks share their contexts, and text counts as files do.
        let fork = client.get(2, "fork", json!({"session": sessions[0]}))["session"].clone();
        let text = json!([{"name": "b", "text": "x".repeat(3 << 20)}]);
        let set = |session: &Json, values: Json| json!({"session": session, "values": values});
        for values in [
            json!({"contexts": text}),
            json!({"variables": {"context": "x".repeat(3 << 20)}}),
        ] {
            let refused = client.ask(3, "set", set(&fork, values));
            assert!(refused.to_string().contains("--max-contexts"), "{refused}");
        }
        client.get(4, "set", set(&sessions[1], json!({"without": ["a"]})));
        // The session has run nothing that it would have to repeat.
        client.get(5, "set", set(&fork, json!({"contexts": text})));
        client.get(6, "close", json!({"session": sessions[0]}));
        let still =
            json!({"session": fork, "code": "len(read_context('a', 0, 9)), len(files['b'])"});
        let ran = client.get(7, "exec", still);
        assert_eq!(ran["outcome"]["value"]["repr"], "(9, 3145728)", "{ran}");
        // Both, and one more time the one that was read last.
        let peak = peak_bytes(client.pid());
        assert!(peak < (3 * 511 + 300) * MIB, "{peak}");
        client.ends();
    });
}

#[test]
fn contexts_of_a_server_have_a_gibibyte_together() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let large = sparse(folder.path(), "large", 511 * MIB);
        let small = sparse(folder.path(), "small", 3 * MIB);
        let mut client = server(&["--allow-read", folder.path().to_str().expect("text")]);
        for name in ["a", "b"] {
            let loaded = call(
                &mut client,
                "load_context",
                json!({"name": name, "path": large}),
            );
            assert_eq!(loaded["structuredContent"]["lines"], 1, "{loaded}");
        }
        for arguments in [
            json!({"path": small}),
            json!({"name": "text", "text": "x".repeat(3 << 20)}),
        ] {
            let refused = call(&mut client, "load_context", arguments);
            let message = failed(&refused);
            for part in ["1073741824 bytes (--max-contexts)", "remove_context"] {
                assert!(message.contains(part), "{message}");
            }
        }
        let removed = call(&mut client, "remove_context", json!({"name": "a"}));
        assert_eq!(removed["structuredContent"]["size_bytes"], 511 * MIB);
        let loaded = call(&mut client, "load_context", json!({"path": small}));
        assert_eq!(loaded["structuredContent"]["name"], "small", "{loaded}");
        let twice = call(&mut client, "remove_context", json!({"name": "c"}));
        assert!(failed(&twice).contains("no context is named `c`"));
        let peak = peak_bytes(client.pid());
        assert!(peak < (3 * 511 + 300) * MIB, "{peak}");
        client.ends();
    });
}

#[test]
fn contexts_that_are_dropped_make_room_although_scripts_read_them() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let large = folder.path().join("large");
        fs::write(&large, "a line of it\n".repeat(1 << 20)).expect("written");
        let allowed = folder.path().to_str().expect("text");
        let mut client = server(&["--allow-read", allowed, "--max-contexts", "30MiB"]);
        for name in ["a", "b"] {
            call(
                &mut client,
                "load_context",
                json!({"name": name, "path": large}),
            );
        }
        for turn in 0..4 {
            let code = json!({"code": format!("x = {turn}\nread_context('a', 2, 4)")});
            let ran = call(&mut client, "exec_python", code);
            assert_eq!(ran["structuredContent"]["return_value"], "'line'", "{ran}");
            call(&mut client, "remove_context", json!({"name": "a"}));
            let loaded = call(
                &mut client,
                "load_context",
                json!({"name": "a", "path": large}),
            );
            assert_eq!(loaded["structuredContent"]["lines"], 1 << 20, "{loaded}");
            let refused = call(
                &mut client,
                "load_context",
                json!({"name": "c", "path": large}),
            );
            assert!(failed(&refused).contains("--max-contexts"), "{refused}");
        }
        let got = call(&mut client, "get_variable", json!({"name": "x"}));
        assert_eq!(got["structuredContent"]["value"], 3, "{got}");
        client.ends();
    });
}

#[test]
fn contexts_that_a_server_starts_with_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = sparse(folder.path(), "a", 2 * MIB);
    let path = path.to_str().expect("text");
    let output = Command::new(client::PROGRAM)
        .args(["mcp", "--max-contexts", "1MiB", "--context", path])
        .output()
        .expect("runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("--max-contexts"), "{told}");
}

#[test]
fn searches_that_are_canceled_end_wherever_they_are() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        // One line, and many: hours of work for each.
        let (line, lines) = (folder.path().join("line"), folder.path().join("lines"));
        fs::write(&line, "a".repeat(64 << 20)).expect("written");
        fs::write(&lines, format!("{}\n", "a".repeat(999)).repeat(64 << 10)).expect("written");
        let paths = [&line, &lines].map(|path| path.to_str().expect("text"));
        let timeout = ["--search-timeout", "1h"];
        let contexts = ["--context", paths[0], "--context", paths[1]];
        let mut client = server(&[&timeout[..], &contexts].concat());
        for number in 0..24 {
            let context = ["line", "lines"][number % 2];
            let arguments = json!({"pattern": ".*a.{500}c", "context": context});
            let params = json!({"name": "search_context", "arguments": arguments});
            let id = 100 + number;
            client.send(
                &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}),
            );
        }
        // They run, and scripts beside them.
        let ran = call(
            &mut client,
            "exec_python",
            json!({"code": "6 * 7", "timeout_ms": 60_000}),
        );
        assert_eq!(ran["structuredContent"]["return_value"], "42", "{ran}");
        for number in 0..24 {
            let params = json!({"requestId": 100 + number});
            let method = "notifications/cancelled";
            client.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
        }
        // The cores are free again for a search that is answered.
        let found = call(
            &mut client,
            "search_context",
            json!({"pattern": "^a", "context": "lines"}),
        );
        assert_eq!(found["structuredContent"]["total"], 64 << 10);
        let (since, pid) = (Instant::now(), client.pid());
        loop {
            let before = ticks(pid);
            std::thread::sleep(Duration::from_millis(500));
            if ticks(pid) - before < 5 {
                break;
            }
            assert!(since.elapsed() < PATIENCE, "something goes on");
        }
        // Searches end with their client, too.
        for id in 200..204 {
            let arguments = json!({"pattern": ".*a.{500}c", "context": "line"});
            let params = json!({"name": "search_context", "arguments": arguments});
            client.send(
                &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}),
            );
        }
        client.ends();
    });
}

#[test]
fn a_search_without_time_tells_where_to_go_on() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("line");
        fs::write(&path, format!("{}b", "a".repeat(16 << 20))).expect("written");
        let path = path.to_str().expect("text");
        let mut client = server(&["--context", path, "--search-timeout", "1ms"]);
        let tools = client.get(2, "tools/list", json!({}));
        assert!(
            tools.to_string().contains("After 1ms it returns"),
            "{tools}"
        );
        let mut start = 0;
        for _ in 0..3 {
            let arguments = json!({"pattern": ".*a.{500}c", "context": "line", "start": start});
            let found = call(&mut client, "search_context", arguments);
            let found = &found["structuredContent"];
            let next = found["next"]["start"].as_u64().expect("a place to go on");
            assert!(next > start && found["next"]["line"] == 1, "{found}");
            assert!(
                found["note"]
                    .as_str()
                    .is_some_and(|note| note.contains("pieces")),
                "{found}"
            );
            start = next;
        }
        client.ends();
        // What is quick to search is searched to its end.
        let mut client = server(&["--context", path]);
        let found = call(&mut client, "search_context", json!({"pattern": "ab$"}));
        let found = &found["structuredContent"];
        assert_eq!(
            (&found["total"], &found["next"]),
            (&json!(1), &Json::Null),
            "{found}"
        );
        let tools = client.get(2, "tools/list", json!({}));
        assert!(
            tools.to_string().contains("After 30s it returns"),
            "{tools}"
        );
        client.ends();
    });
}

#[test]
fn a_search_takes_no_memory_for_lines() {
    within_patience(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lines");
        fs::write(&path, "\n".repeat(16 << 20)).expect("written");
        let mut client = server(&[
            "--context",
            path.to_str().expect("text"),
            "--search-timeout",
            "1h",
        ]);
        let before = peak_bytes(client.pid());
        let found = call(
            &mut client,
            "search_context",
            json!({"pattern": "x", "around": 20}),
        );
        assert_eq!(found["structuredContent"]["total"], 0, "{found}");
        let grown = peak_bytes(client.pid()) - before;
        assert!(grown < 32 * MIB, "{grown}");
        client.ends();
    });
}

#[test]
fn patterns_that_cost_too_much_are_refused() {
    let mut client = server(&[]);
    call(
        &mut client,
        "load_context",
        json!({"name": "a", "text": "a"}),
    );
    for (pattern, part) in [
        (String::from("(a{1000}){1000}"), "when compiled"),
        (String::from(r"(?i)\w{1000}"), "when compiled"),
        ("a".repeat(1 << 20), "4096 is the most"),
        ("(".repeat(4000), "pattern cannot be used"),
    ] {
        let refused = call(&mut client, "search_context", json!({"pattern": pattern}));
        assert!(failed(&refused).contains(part), "{part}");
    }
    assert!(peak_bytes(client.pid()) < 500 * MIB);
    client.ends();
}

#[test]
fn every_path_that_may_not_be_read_has_the_same_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = folder.path().join("open");
    fs::create_dir(&open).expect("made");
    let pipe = pipe(&open, "pipe");
    std::os::unix::fs::symlink("/etc/passwd", open.join("link")).expect("linked");
    let allowed = open.to_str().expect("text");
    let mut client = server(&["--allow-read", allowed]);
    for path in [
        pipe,
        open.clone(),
        open.join("link"),
        open.join("missing"),
        open.join("../open/missing"),
        PathBuf::from("/etc/passwd"),
        PathBuf::from("/nowhere/at/all"),
        PathBuf::from("/proc/self/environ"),
        PathBuf::from("/dev/zero"),
    ] {
        let refused = call(
            &mut client,
            "load_context",
            json!({"path": path, "name": "a"}),
        );
        let expected = format!(
            "cannot read {}: there is no such regular file below {} (given with --allow-read)",
            path.display(),
            open.canonicalize().expect("there").display()
        );
        assert_eq!(failed(&refused), expected);
    }
    client.ends();
}

#[test]
fn answers_that_are_far_too_long_are_not_read() {
    let mut client = Client::of("worker", &[]);
    let handlers = json!({"tools": [{"name": "ask", "awaitable": true}]});
    let session = client.get(1, "open", json!({"handlers": handlers}))["session"].clone();
    let code = "import asyncio\n[len(x['message']) > 9 and x['error'] for x in await asyncio.gather(*[ask() for _ in range(20)])]";
    client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "exec", "params": {"session": session, "code": code}}));
    let asked: Vec<_> = (0..20)
        .map(|_| client.read().expect("a question"))
        .collect();
    let before = peak_bytes(client.pid());
    // Each of these would take 34 MiB or more to read, and all are there before the script goes on.
    let small = format!("[{}[]]", "[12],".repeat(130_000));
    for asked in asked {
        let id = &asked["id"];
        client
            .write(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{small}}}\n").as_bytes());
    }
    let outcome = client.read().expect("an outcome");
    let shown = &outcome["result"]["outcome"]["value"];
    assert!(
        shown.to_string().contains("response_too_large"),
        "{outcome}"
    );
    let grown = peak_bytes(client.pid()) - before;
    assert!(grown < 150 * MIB, "{grown}");
    client.ends();
}

#[test]
fn answers_that_are_far_too_long_are_not_kept() {
    within_patience(|| {
        let mut client = Client::of("worker", &[]);
        let handlers = json!({"tools": [{"name": "f", "awaitable": true}]});
        let session = client.get(1, "open", json!({"handlers": handlers}))["session"].clone();
        let code = "waiting = [f() for _ in range(60)]\nawait f()\nsum('error' in await x for x in waiting)";
        let exec = json!({"session": session, "code": code});
        client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "exec", "params": exec}));
        let asked: Vec<_> = (0..61)
            .map(|_| client.read().expect("a question"))
            .collect();
        let before = peak_bytes(client.pid());
        let long = "x".repeat(12 << 20);
        for asked in asked.iter().rev() {
            let id = &asked["id"];
            client.send(&json!({"jsonrpc": "2.0", "id": id, "result": long}));
        }
        let outcome = client.read().expect("an outcome");
        assert_eq!(
            outcome["result"]["outcome"]["value"]["value"], 60,
            "{outcome}"
        );
        // Together they have 720 MiB.
        let grown = peak_bytes(client.pid()) - before;
        assert!(grown < 150 * MIB, "{grown}");
        client.ends();
    });
}
