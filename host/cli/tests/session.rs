//! Sessions that last: `repl`, and `exec --session`.
#![cfg(unix)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod program;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use rlm_sandbox::Sandbox;

use program::{PROGRAM, check, text};

/// The program, with its state in `folder`.
fn program(folder: &Path, arguments: &[&str]) -> Command {
    Sandbox::new().expect("compiled");
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .env("XDG_STATE_HOME", folder)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn typed(folder: &Path, arguments: &[&str], lines: &str) -> Output {
    let mut child = program(folder, arguments).spawn().expect("starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(lines.as_bytes()).expect("reads");
    drop(stdin);
    child.wait_with_output().expect("ends")
}

/// A person who types and reads.
struct Person {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Person {
    fn at(mut command: Command) -> Self {
        let mut child = command.spawn().expect("starts");
        Self {
            stdin: child.stdin.take().expect("piped"),
            stdout: BufReader::new(child.stdout.take().expect("piped")),
            child,
        }
    }

    fn types(&mut self, text: &str) {
        self.stdin.write_all(text.as_bytes()).expect("reads");
    }

    #[track_caller]
    fn reads(&mut self, expected: &str) {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("text");
        assert_eq!(line, expected);
    }

    /// Ends the input and gives what was said on standard error.
    fn leaves(self) -> String {
        drop(self.stdin);
        let output = self.child.wait_with_output().expect("ends");
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        stderr
    }
}

#[test]
fn every_accident_ends_in_a_sentence_and_x_is_what_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut person = Person::at(program(
        folder.path(),
        &["repl", "--limit", "time=900ms", "--allow", "eval"],
    ));
    person.types("x = 41\ndef f(n):\n    return n + 1\n\nf(x)\n");
    person.reads("42\n");
    for fatal in [
        "x = 0; y = [0] * (10 ** 8)\n",
        "x = 0; eval('a' + '.x' * 300_000)\n",
        "for x in iter(int, 1): pass\n\n",
        "while True: x = 0\n",
        "y = (\n1 / 0)\n",
    ] {
        person.types(fatal);
        person.types("x\n");
        person.reads("41\n");
    }
    let stderr = person.leaves();
    for part in [
        "MemoryError: memory limit exceeded",
        "SystemError: the interpreter crashed: the interpreter's stack is exhausted",
        "TimeoutError: timeout: time limit exceeded: 900ms",
        "ZeroDivisionError: division by zero",
        "[the session is as it was before this script]",
    ] {
        assert!(stderr.contains(part), "no `{part}` in {stderr}");
    }
}

#[test]
fn what_is_typed_may_have_blank_lines_and_mistakes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut person = Person::at(program(folder.path(), &["repl"]));
    person.types("text = \"\"\"a\n\nb\"\"\"\nlen(text)\n");
    person.reads("4\n");
    person.types("len([1,\n\n2])\n");
    person.reads("2\n");
    person.stdin.write_all(b"x = '\xff'\n").expect("reads");
    person.types(":load (1\nlen(text)\n");
    person.reads("4\n");
    let stderr = person.leaves();
    for part in ["no UTF-8 and was ignored", "there is no file (1"] {
        assert!(stderr.contains(part), "no `{part}` in {stderr}");
    }
}

#[test]
fn a_session_in_a_folder_that_is_not_there_is_an_error_before_anything_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = [
        "exec",
        "--session",
        "no/such/folder/s",
        "-c",
        "print('a')\n1",
    ];
    check(
        &typed(folder.path(), &arguments, ""),
        2,
        "",
        &["cannot use no/such/folder/s"],
    );
}

#[test]
fn an_interrupt_stops_the_script_and_keeps_the_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["repl", "--timeout", "60s", "--fuel", "1e15"];
    let mut person = Person::at(program(folder.path(), &arguments));
    person.types(
        "x = 41\ndef f():\n    global x\n    x = 0\n    print('on')\n    while True: pass\n\n",
    );
    for _ in 0..2 {
        person.types("f()\n");
        person.reads("on\n");
        let pid = person.child.id().to_string();
        let killed = Command::new("kill").args(["-INT", &pid]).status();
        assert!(killed.expect("kill runs").success());
        person.types("x\n");
        person.reads("41\n");
    }
    let stderr = person.leaves();
    assert_eq!(
        stderr.matches("KeyboardInterrupt: canceled").count(),
        2,
        "{stderr}"
    );
}

#[test]
fn commands_of_the_repl() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = typed(
        folder.path(),
        &["repl", "--input", "given=[1, 2]"],
        "x = 'é'\n:vars\n:save a.session\n:fork\nx = 2\n:back\nx\n:reset\nx\n:load a.session\nx\n:save\n:load none\n\
         :what\n:back\n:quit\nx = 'never'\n",
    );
    check(
        &output,
        0,
        "given: list = [1, 2]\nx: str = 'é'\n'é'\n'é'\n",
        &[
            "saved to a.session",
            ":back goes back",
            "the session is empty",
            "NameError: name 'x' is not defined",
            "loaded a.session",
            "write :save FILE",
            "there is no file none",
            ":help lists them",
            "no session was forked",
        ],
    );
}

#[test]
fn a_session_lasts_from_one_invocation_to_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let exec = |code: &str, more: &[&str]| {
        let mut arguments = vec!["exec", "--session", "work.session", "-c", code];
        arguments.extend(more);
        typed(folder.path(), &arguments, "")
    };
    let define =
        "import random\nrandom.seed(7)\nxs = []\ndef add(x):\n    xs.append(x)\n    return xs";
    check(&exec(define, &[]), 0, "", &[]);
    check(&exec("add(1)", &[]), 0, "[1]\n", &[]);
    check(
        &exec("add(2)\nwhile True: pass", &["--timeout", "50ms"]),
        3,
        "",
        &["time limit exceeded: 50ms", "as it was before"],
    );
    check(&exec("add(3)\n1 / 0", &[]), 1, "", &["ZeroDivisionError"]);
    check(&exec("add(4)", &["--json"]).status_only(), 0, "", &[]);
    check(
        &exec("add(round(random.random(), 3))", &[]),
        0,
        "[1, 3, 4, 0.324]\n",
        &[],
    );
    check(
        &exec("1", &["--memory", "1MiB"]),
        2,
        "",
        &["leave --memory out"],
    );
    // Another user's key, a damaged file.
    let elsewhere = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("work.session");
    let foreign = ["exec", "--session", file.to_str().expect("text"), "-c", "1"];
    check(
        &typed(elsewhere.path(), &foreign, ""),
        2,
        "",
        &["another key"],
    );
    std::fs::write(&file, "rubbish").expect("writes");
    check(&exec("1", &[]), 2, "", &["this is not a parked session"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let key = folder.path().join("rlm-sandbox/session.key");
        let mode = std::fs::metadata(key)
            .expect("is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

/// What is looked at of an output.
trait StatusOnly {
    fn status_only(self) -> Self;
}

impl StatusOnly for Output {
    fn status_only(mut self) -> Self {
        self.stdout.clear();
        self
    }
}
