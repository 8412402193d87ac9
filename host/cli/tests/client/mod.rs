//! A client of the doors, line by line.
#![allow(dead_code, reason = "each test file needs a part of it")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use rlm_sandbox::Sandbox;
use serde_json::{Value as Json, json};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_rlm-sandbox");

/// Long enough for a busy machine, and far from for ever.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The method that runs code, and its params.
pub(crate) type Runs = Box<dyn Fn(&str) -> (&'static str, Json)>;

pub(crate) struct Client {
    child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Client {
    pub(crate) fn of(door: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(PROGRAM);
        command.arg(door).args(arguments).stderr(Stdio::null());
        // Where it is set, no cassette is recorded.
        command.env_remove("CI").env_remove("RLM_SANDBOX_RECORD");
        Self::started(&mut command)
    }

    /// A client of a command that is ready but for its standard input and output.
    pub(crate) fn started(command: &mut Command) -> Self {
        Sandbox::new().expect("compiled");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        Self {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().expect("piped")),
            child,
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("open");
        stdin.write_all(bytes).expect("it reads");
        stdin.flush().expect("it reads");
    }

    pub(crate) fn send(&mut self, message: &Json) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// The next line, which has to be a message.
    pub(crate) fn read(&mut self) -> Option<Json> {
        let mut line = String::new();
        if self.stdout.read_line(&mut line).expect("text") == 0 {
            return None;
        }
        let message: Json =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        let parts = ["method", "result", "error"].map(|part| message.get(part).is_some());
        assert_eq!(parts.iter().filter(|there| **there).count(), 1, "{line}");
        Some(message)
    }

    /// The next message, or none where none comes in time.
    pub(crate) fn reads_within(&mut self, time: Duration) -> Option<Json> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        if self.stdout.buffer().is_empty() {
            let time = Timespec::try_from(time).expect("short");
            let mut ready = [PollFd::new(self.stdout.get_ref(), PollFlags::IN)];
            if poll(&mut ready, Some(&time)).expect("a pipe") == 0 {
                return None;
            }
        }
        self.read()
    }

    /// The most memory that it has held at once, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        1024 * kilobytes
            .expect("a peak")
            .trim()
            .parse::<u64>()
            .expect("a number")
    }

    /// Begins to measure [`peak`](Self::peak) anew.
    pub(crate) fn forget_peak(&self) {
        let path = format!("/proc/{}/clear_refs", self.child.id());
        std::fs::write(path, "5").expect("a process of this user");
    }

    /// The answer to a request; what comes before it is dropped.
    pub(crate) fn ask(&mut self, id: u64, method: &str, params: Json) -> Json {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.read().expect("an answer");
            if message["id"] == json!(id) {
                return message;
            }
        }
    }

    /// The result of a request.
    pub(crate) fn get(&mut self, id: u64, method: &str, params: Json) -> Json {
        let answer = self.ask(id, method, params);
        assert!(answer.get("result").is_some(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Opens what the door needs, and gives what runs code: its method and params.
    pub(crate) fn ready(&mut self, door: &str) -> Runs {
        match door {
            "worker" => {
                let session = self.get(1000, "open", json!({}))["session"].clone();
                Box::new(move |code| ("exec", json!({"session": session, "code": code})))
            }
            "mcp" => {
                self.greet();
                Box::new(|code| {
                    let arguments = json!({"code": code, "timeout_ms": 60_000});
                    (
                        "tools/call",
                        json!({"name": "exec_python", "arguments": arguments}),
                    )
                })
            }
            _ => Box::new(|code| ("execute", json!({"code": code}))),
        }
    }

    pub(crate) fn greet(&mut self) -> Json {
        let client = json!({"name": "test", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let greeting = self.get(1001, "initialize", hello);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        greeting
    }

    /// Returns whether it ends soon, and well, with whole lines.
    #[track_caller]
    pub(crate) fn ends(mut self) {
        drop(self.stdin.take());
        let pid = self.child.id();
        let (done, is_done) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            while self.read().is_some() {}
            let _ = done.send(self.child.wait().expect("a child"));
        });
        match is_done.recv_timeout(PATIENCE) {
            Ok(status) => assert!(status.success(), "{status}"),
            Err(_) => panic!("process {pid} goes on without a client, or wrote what is no message"),
        }
    }
}
