//! Sessions that last: `repl`, and `exec --session`.
#![cfg(unix)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stderr, reason = "what cannot be tried here is said")]

mod program;

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rlm_sandbox::Sandbox;

use serde_json::json;

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
    let mut person = Person::at(program(folder.path(), &["repl", "--limit", "time=900ms"]));
    person.types("x = 41\ndef f(n):\n    return n + 1\n\nf(x)\n");
    person.reads("42\n");
    for fatal in [
        "x = 0; y = [0] * (10 ** 8)\n",
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

fn interrupt(child: &Child) {
    let pid = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &pid]).status();
    assert!(killed.expect("kill runs").success());
}

/// Its exit status, soon.
#[track_caller]
fn ends_soon(mut child: Child) -> Option<i32> {
    let since = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        if since.elapsed() > Duration::from_secs(20) {
            child.kill().expect("a child");
            panic!("it goes on");
        }
        sleep(Duration::from_millis(20));
    }
}

/// Holds the lock of the session `s` as another process does.
fn lock(folder: &Path) -> File {
    let lock = File::create(folder.join(".s.session-lock")).expect("made");
    lock.lock().expect("locked");
    lock
}

#[test]
fn a_session_that_is_written_for_another_version_goes_on_in_this_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| program(folder.path(), arguments).output().expect("runs");
    let exec = |code: &str| run(&["exec", "--session", "s", "-c", code]);
    check(&exec("x = 41"), 0, "", &[]);
    check(
        &run(&["migrate", "s"]),
        0,
        "",
        &["another version can take up"],
    );
    for wanted in ["42\n", "43\n"] {
        check(&exec("x += 1\nx"), 0, wanted, &[]);
    }
    check(
        &run(&["migrate", "none"]),
        2,
        "",
        &["there is no file none"],
    );
    std::fs::write(folder.path().join("other"), "text").expect("written");
    check(&run(&["migrate", "other"]), 2, "", &["not a saved session"]);
    assert_eq!(
        std::fs::read(folder.path().join("other")).expect("there"),
        b"text"
    );
}

#[test]
fn a_signal_that_ends_an_execution_leaves_no_file_beside_the_session() {
    let folder = tempfile::tempdir().expect("a folder");
    for signal in ["-TERM", "-HUP", "-INT"] {
        let script = "print('on')\nwhile True: pass";
        let arguments = ["exec", "--session", "./s", "--timeout", "60s", "-c", script];
        let child = program(folder.path(), &arguments).spawn().expect("starts");
        let lock = folder.path().join(".s.session-lock");
        let since = Instant::now();
        while !lock.exists() {
            assert!(since.elapsed() < Duration::from_secs(20), "no lock");
            sleep(Duration::from_millis(5));
        }
        let pid = child.id().to_string();
        let killed = Command::new("kill").args([signal, &pid]).status();
        assert!(killed.expect("kill runs").success());
        ends_soon(child);
        let left = folder.path().read_dir().expect("a folder");
        let left = left.map(|entry| entry.expect("an entry").file_name());
        let left: Vec<_> = left
            .filter(|name| name.as_encoded_bytes().starts_with(b"."))
            .collect();
        assert!(left.is_empty(), "{signal}: {left:?}");
    }
}

#[test]
fn an_interrupt_between_scripts_ends_a_repl_that_reads_a_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut person = Person::at(program(folder.path(), &["repl"]));
    // A script that has run changes nothing about that.
    person.types("6 * 7\n");
    person.reads("42\n");
    sleep(Duration::from_millis(200));
    interrupt(&person.child);
    assert_eq!(ends_soon(person.child), Some(130));
}

#[test]
fn an_interrupt_ends_a_wait_for_a_lock() {
    let folder = tempfile::tempdir().expect("a folder");
    let _lock = lock(folder.path());
    let mut person = Person::at(program(folder.path(), &["repl"]));
    person.types("6 * 7\n");
    person.reads("42\n");
    person.types(":save s\n");
    sleep(Duration::from_millis(1500));
    interrupt(&person.child);
    assert_eq!(ends_soon(person.child), Some(130));
}

/// Starts a command on a terminal of its own, for so many seconds at the most.
fn on_terminal(folder: &Path, seconds: u32, line: &str) -> Child {
    Command::new("timeout")
        .args(["--foreground", &seconds.to_string(), "script", "-qec"])
        .args([line, "/dev/null"])
        .env("XDG_STATE_HOME", folder)
        .env("TERM", "dumb")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts")
}

#[test]
fn an_interrupt_while_a_person_saves_leads_back_to_the_prompt() {
    let folder = tempfile::tempdir().expect("a folder");
    let _lock = lock(folder.path());
    Sandbox::new().expect("compiled");
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("NOT TRIED: there is no script(1) that makes a terminal");
        return;
    }
    let mut child = on_terminal(folder.path(), 60, &format!("exec {PROGRAM} repl"));
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = child.stdout.take().expect("piped");
    let mut shown = String::new();
    let mut wait_for = |part: &str| {
        let mut piece = [0; 1000];
        while !shown.contains(part) {
            let count = stdout.read(&mut piece).expect("reads");
            assert!(count > 0, "no `{part}` in {shown}");
            shown.push_str(&String::from_utf8_lossy(&piece[..count]));
        }
    };
    wait_for(">>>");
    stdin.write_all(b"x = 41\r:save s\r").expect("reads");
    wait_for("[waiting for another process");
    stdin.write_all(b"\x03").expect("reads");
    wait_for("interrupted while another process has the session in s");
    stdin.write_all(b"x + 1000\r").expect("reads");
    wait_for("1041");
    stdin.write_all(b"\x04").expect("reads");
    assert_eq!(ends_soon(child), Some(0));
}

#[test]
fn an_interrupt_while_a_value_is_shown_leads_back_to_the_prompt() {
    let folder = tempfile::tempdir().expect("a folder");
    Sandbox::new().expect("compiled");
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("NOT TRIED: there is no script(1) that makes a terminal");
        return;
    }
    let repl = format!("exec {PROGRAM} repl --limit value=64MiB --memory 1GiB --timeout 60s");
    let mut child = on_terminal(folder.path(), 120, &repl);
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = child.stdout.take().expect("piped");
    let mut count = 0;
    let mut wait_for = |part: &str| {
        let (mut shown, mut piece) = (String::new(), [0; 4000]);
        while !shown.contains(part) {
            let read = stdout.read(&mut piece).expect("reads");
            assert!(read > 0, "no `{part}` in {shown}");
            count += read;
            // The end of what came before may be the beginning of it.
            let kept = shown.floor_char_boundary(shown.len().saturating_sub(part.len()));
            shown = shown.split_off(kept);
            shown.push_str(&String::from_utf8_lossy(&piece[..read]));
        }
        count
    };
    wait_for(">>>");
    stdin
        .write_all(b"kept = 41\r'x' * 40_000_000\r")
        .expect("reads");
    wait_for("'xxxxxxxx");
    stdin.write_all(b"\x03").expect("reads");
    let shown = wait_for("[interrupted]");
    assert!(shown < 40_000_000, "{shown}");
    stdin.write_all(b"kept + 1000\r").expect("reads");
    wait_for("1041");
    stdin.write_all(b"\x04").expect("reads");
    assert_eq!(ends_soon(child), Some(0));
}

#[test]
fn a_file_that_is_no_session_is_refused_by_its_beginning() {
    let folder = tempfile::tempdir().expect("a folder");
    let exec = || {
        typed(
            folder.path(),
            &["exec", "--session", "s", "-c", "x = 1"],
            "",
        )
    };
    let path = folder.path().join("s");
    // More than is read of a session, without blocks on the disk.
    let file = File::create(&path).expect("made");
    file.set_len(5 << 30).expect("sparse");
    check(&exec(), 2, "", &["this is not a saved session"]);
    std::fs::remove_file(&path).expect("there");
    check(&exec(), 0, "", &[]);
    let file = File::options().write(true).open(&path).expect("there");
    file.set_len((1 << 30) + 1).expect("sparse");
    check(&exec(), 2, "", &["larger than 1073741824 bytes"]);
}

#[test]
fn keys_that_others_can_read_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("changed");
    };
    let exec = || typed(folder.path(), &["exec", "--session", "s", "-c", "1"], "");
    check(&exec(), 0, "1\n", &[]);
    let key = folder.path().join("rlm-sandbox/session.key");
    for readable in [0o640, 0o604] {
        mode(&key, readable);
        let remedy = format!("chmod 600 '{}'", key.display());
        check(&exec(), 2, "", &["other users can read this key", &remedy]);
    }
    for writable in [0o622, 0o602] {
        mode(&key, writable);
        check(&exec(), 2, "", &["session.key", "other"]);
    }
    mode(&key, 0o600);
    check(&exec(), 0, "1\n", &[]);
    let place = folder.path().join("rlm-sandbox");
    for writable in [0o770, 0o707] {
        mode(&place, writable);
        check(
            &exec(),
            2,
            "",
            &["the folder of the key", "make it yours alone"],
        );
    }
    mode(&place, 0o700);
    check(&exec(), 0, "1\n", &[]);
    let redact = folder.path().join("redact.key");
    std::fs::write(&redact, "a secret").expect("written");
    let record = || {
        let arguments = ["exec", "--record", "j", "--redact", "redact.key", "-c", "1"];
        typed(folder.path(), &arguments, "")
    };
    mode(&redact, 0o644);
    check(
        &record(),
        2,
        "",
        &["--redact redact.key", "chmod 600 'redact.key'"],
    );
    assert!(!folder.path().join("j").exists());
    mode(&redact, 0o600);
    check(&record(), 0, "1\n", &[]);
}

#[test]
fn a_session_replaces_no_recording_of_the_same_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let both = [
        "exec",
        "--session",
        "same",
        "--record",
        "./same",
        "-c",
        "print(1)",
    ];
    let output = program(folder.path(), &both).output().expect("runs");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("cannot write the session to same"));
    let replay = ["replay", "same"];
    let output = program(folder.path(), &replay).output().expect("runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn a_profile_that_is_too_long_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.toml");
    std::fs::write(&path, format!("#{}\n", "x".repeat(1 << 20))).expect("written");
    let output = program(folder.path(), &["exec", "--profile", "p.toml", "-c", "1"]).output();
    let output = output.expect("runs");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("cannot read p.toml"));
}

#[test]
fn a_usage_error_leaves_no_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = ["exec", "--session", "s", "-c", "1"];
    check(&typed(folder.path(), &saved, ""), 0, "1\n", &[]);
    std::fs::write(folder.path().join("empty"), "").expect("written");
    let empty = folder.path().join("empty");
    std::fs::set_permissions(empty, std::fs::Permissions::from_mode(0o600)).expect("changed");
    for (arguments, told) in [
        (&["--redact", "nowhere"][..], "--redact nowhere"),
        (&["--redact", "empty"], "the key is empty"),
        (&["--tool", "t"], "write NAME=COMMAND"),
        (&["--tool", "a-b=cat"], "is not a Python name"),
        (&["--plugin", "nowhere.wasm"], "nowhere.wasm"),
        (&["--input", "answer=5"], "is defined by the profile"),
        (&["--session", "s", "--seed", "1"], "leave --seed out"),
        (&["--session", "s", "--no-compat"], "leave --no-compat out"),
        (&["--session", "no/such/s"], "cannot use no/such/s"),
        (&["--session", "empty"], "this is not a saved session"),
    ] {
        let arguments = [&["exec", "--record", "j", "-c", "1"], arguments].concat();
        let output = typed(folder.path(), &arguments, "");
        let stderr = text(&output.stderr);
        assert!(stderr.contains(told), "no `{told}` in {stderr}");
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        for left in ["j", "j.data"] {
            assert!(!folder.path().join(left).exists(), "{arguments:?}");
        }
    }
    let recorded = ["exec", "--record", "j", "--session", "s", "-c", "1"];
    check(&typed(folder.path(), &recorded, ""), 0, "1\n", &[]);
    check(&typed(folder.path(), &recorded, ""), 2, "", &["j exists"]);
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
        &exec("1", &["--profile", "strict"]),
        2,
        "",
        &["leave --profile out"],
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
    check(&exec("1", &[]), 2, "", &["this is not a saved session"]);
    let key = folder.path().join("rlm-sandbox/session.key");
    let key = std::fs::metadata(key).expect("is there");
    assert_eq!(key.permissions().mode() & 0o777, 0o600);
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

#[test]
fn a_script_that_begins_with_a_sign_and_one_that_exits_end_as_in_python() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| typed(folder.path(), arguments, "");
    check(&run(&["exec", "-c", "-5 + 3"]), 0, "-2\n", &[]);
    for exit in [
        "sys.exit(0)",
        "sys.exit()",
        "sys.exit(None)",
        "raise SystemExit",
    ] {
        let code = format!("import sys\nprint(1)\n{exit}\nprint(2)");
        check(&run(&["exec", "-c", &code]), 0, "1\n", &[]);
    }
    for (exit, code, said) in [
        ("3", 3, "[the script ended with exit code 3]\n"),
        ("-1", -1, "[the script ended with exit code -1]\n"),
        ("'no'", 1, "no\n"),
        ("True", 1, "[the script ended with exit code 1]\n"),
    ] {
        let script = format!("import sys\nsys.exit({exit})");
        check(&run(&["exec", "-c", &script]), 1, "", &[said]);
        let told = run(&["exec", "--json", "-c", &script]);
        let told: serde_json::Value = serde_json::from_slice(&told.stdout).expect("JSON");
        assert_eq!(told["exit_code"], code, "{told}");
        assert_eq!(told["success"], false, "{told}");
    }
    // A status ends what is typed, too.
    let repl = |lines: &str| typed(folder.path(), &["repl"], lines);
    check(&repl("1\nexit(3)\n2\n"), 1, "1\n", &["exit code 3"]);
    for exit in [
        "exit(0)",
        "import sys; sys.exit(None)",
        "raise SystemExit(None)",
        "y = 1; exit()",
        "if y: exit()\n",
        "def f(): exit()\n\nf()",
    ] {
        check(&repl(&format!("y = 1\n1\n{exit}\n2\n")), 0, "1\n", &[]);
    }
}

#[test]
fn exceptions_before_one_stand_above_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |code: &str| typed(folder.path(), &["exec", "-c", code], "");
    let raising = "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('bad')";
    check(
        &run(&format!("{raising} from e")),
        1,
        "",
        &[
            "ZeroDivisionError: division by zero\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n",
            "\nValueError: bad\n",
        ],
    );
    check(
        &run(raising),
        1,
        "",
        &[
            "ZeroDivisionError: division by zero\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n",
        ],
    );
}

#[test]
fn a_traceback_names_the_file_of_the_script() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = |name: &str, code: &str| {
        std::fs::write(folder.path().join(name), code).expect("written");
    };
    let run = |arguments: &[&str]| typed(folder.path(), arguments, "");
    script("t1.py", "def f(n):\n    return 1 / n\nf(0)\n");
    let output = run(&["exec", "t1.py"]);
    let lines = [
        "File \"t1.py\", line 3",
        "File \"t1.py\", line 2",
        "ZeroDivisionError",
    ];
    check(&output, 1, "", &lines);
    script("t2.py", "x = 1\ny = = 2\n");
    check(
        &run(&["exec", "t2.py"]),
        1,
        "",
        &["File \"t2.py\"", "SyntaxError"],
    );
    // Scripts of a session have their own names, and a text that looks like one stays.
    script("first.py", "def g(n):\n    return 1 / n\n");
    script(
        "second.py",
        "raise ValueError('File \"<python-input-1>\"') if 0 else g(0)\n",
    );
    check(&run(&["exec", "--session", "s", "first.py"]), 0, "", &[]);
    let output = run(&["exec", "--session", "s", "second.py"]);
    let lines = [
        "File \"second.py\", line 1",
        "File \"<python-input-0>\", line 2",
    ];
    check(&output, 1, "", &lines);
    script(
        "third.py",
        "raise ValueError('x\\n  File \"<python-input-7>\", line 41, in f')\n",
    );
    let lines = [
        "File \"third.py\", line 1",
        "File \"<python-input-7>\", line 41",
    ];
    check(&run(&["exec", "third.py"]), 1, "", &lines);
}

#[test]
fn a_session_takes_the_place_of_no_socket_or_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let _socket =
        std::os::unix::net::UnixListener::bind(folder.path().join("socket")).expect("bound");
    std::fs::create_dir(folder.path().join("folder")).expect("made");
    let output = typed(
        folder.path(),
        &["repl"],
        "x = 1\n:save socket\n:save folder\n:save folder/\nx\n",
    );
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n", "{stderr}");
    assert_eq!(
        stderr
            .matches("there is a folder, a pipe or a device")
            .count(),
        2,
        "{stderr}"
    );
    assert!(stderr.contains("write :save folder/FILE"), "{stderr}");
    assert!(!folder.path().join("socket").is_file());
}

#[test]
fn a_saved_session_keeps_its_contexts_and_takes_others() {
    for isolation in [&[][..], &["--isolate", "process"]] {
        if !isolation.is_empty() && !cfg!(target_os = "linux") {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        let write = |name: &str, text: &str| std::fs::write(at.join(name), text).expect("written");
        let run = |context: &[&str], code: &str| {
            let session = ["exec", "--session", "s"];
            typed(
                at,
                &[&session[..], isolation, context, &["-c", code]].concat(),
                "",
            )
        };
        let log = ["--context", "app.log"];
        write("app.log", "one");
        check(
            &run(
                &log,
                "n = len(context); first = context\ndef whole(): return context",
            ),
            0,
            "",
            &[],
        );
        std::fs::remove_file(at.join("app.log")).expect("removed");
        check(
            &run(&[], "(n, context, whole())"),
            0,
            "(3, 'one', 'one')\n",
            &[],
        );
        // A log that grows.
        write("app.log", "one and more");
        check(
            &run(&log, "(n, first, context, whole())"),
            0,
            "(3, 'one', 'one and more', 'one and more')\n",
            &[],
        );
        check(&run(&[], "context"), 0, "'one and more'\n", &[]);
        // Others take its place.
        write("b.json", "[1, 2]");
        let others = ["--context", "b.json:json", "--context", "z=app.log"];
        check(
            &run(&others, "(context, sorted(files), first)"),
            0,
            "([1, 2], ['b.json', 'z'], 'one')\n",
            &[],
        );
        check(
            &run(&[], "(context, sorted(files))"),
            0,
            "([1, 2], ['b.json', 'z'])\n",
            &[],
        );
        check(
            &run(&["--input", "context=\"text\""], "(context, files, n)"),
            0,
            "('text', {}, 3)\n",
            &[],
        );
        check(&run(&[], "context"), 0, "'text'\n", &[]);
    }
}

#[test]
fn a_context_of_another_field_takes_the_place_of_the_one_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for (name, text) in [("a.txt", "AAA"), ("b.txt", "BBB")] {
        std::fs::write(at.join(name), text).expect("written");
    }
    let run = |contexts: [&str; 2], code: &str| {
        let [one, other] = contexts;
        let arguments = ["exec", "--session", "s", "--record", "r.jsonl"];
        let contexts = ["--context", one, "--context", other, "-c", code];
        let _ = std::fs::remove_file(at.join("r.jsonl"));
        typed(at, &[&arguments[..], &contexts].concat(), "")
    };
    check(&run(["a.txt", "b.txt"], "context"), 0, "'AAA'\n", &[]);
    let others = ["a.txt", "context=b.txt"];
    check(
        &run(others, "(context, files['a.txt'])"),
        0,
        "('BBB', 'AAA')\n",
        &[],
    );
    let replayed = typed(at, &["replay", "r.jsonl"], "");
    assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
    check(&run(others, "context"), 0, "'BBB'\n", &[]);
    check(&run(["a.txt", "b.txt"], "context"), 0, "'AAA'\n", &[]);
    // One alone may have the name.
    let both = ["context=a.txt", "context=b.txt"];
    check(&run(both, "context"), 2, "", &["both named `context`"]);
    // An input is no file.
    std::fs::write(at.join("context"), "AAA").expect("written");
    let one = |arguments: &[&str]| {
        typed(
            at,
            &[
                &["exec", "--session", "t", "-c", "(context, len(files))"],
                arguments,
            ]
            .concat(),
            "",
        )
    };
    check(&one(&["--context", "context"]), 0, "('AAA', 1)\n", &[]);
    check(
        &one(&["--input", "context=\"AAA\""]),
        0,
        "('AAA', 0)\n",
        &[],
    );
    check(&one(&["--context", "context"]), 0, "('AAA', 1)\n", &[]);
}

#[test]
fn a_saved_session_is_given_other_limits() {
    for isolation in [&[][..], &["--isolate", "process"]] {
        if !isolation.is_empty() && !cfg!(target_os = "linux") {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        let run = |options: &[&str], code: &str| {
            let session = ["exec", "--session", "s", "-c", code];
            typed(at, &[&session[..], isolation, options].concat(), "")
        };
        check(&run(&[], "x = 'a' * 30_000_000"), 0, "", &[]);
        let grow = "y = x + x + 'b'";
        check(&run(&[], grow), 3, "", &["--memory SIZE"]);
        check(
            &run(&["--memory", "256MB", "--record", "r.jsonl"], grow),
            0,
            "",
            &[],
        );
        let replayed = typed(at, &["replay", "r.jsonl"], "");
        assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
        // It keeps them.
        check(&run(&[], "len(y + 'c')"), 0, "60000002\n", &[]);
        check(
            &run(&["--limit", "output=10"], "print('a' * 50)"),
            0,
            "aaaaaaaaaa",
            &["output"],
        );
        check(
            &run(&["--limit", "recursion=10"], "1"),
            2,
            "",
            &["recursion"],
        );
        check(&run(&["--seed", "1"], "1"), 2, "", &["leave --seed out"]);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let saved = ["exec", "--session", "s", "-c", "x = 'a' * 30_000_000"];
    check(&typed(at, &saved, ""), 0, "", &[]);
    let lines = ":load s\nlen(x + x + 'b')\n";
    check(
        &typed(at, &["repl", "--memory", "300MB"], lines),
        0,
        "60000001\n",
        &[],
    );
}

#[test]
fn a_repl_saves_over_a_session_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    std::fs::write(at.join("notes.txt"), "precious").expect("written");
    let lines = "x = 1\n:save r.jsonl\n:save notes.txt\n:save s\nx = 2\n:save s\n";
    let output = typed(at, &["repl", "--record", "r.jsonl"], lines);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(stderr.matches("would be replaced").count(), 2, "{stderr}");
    let notes = std::fs::read_to_string(at.join("notes.txt")).expect("there");
    assert_eq!(notes, "precious");
    let replayed = typed(at, &["replay", "r.jsonl"], "");
    assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");
    let code = ["exec", "--session", "s", "-c", "x"];
    check(&typed(at, &code, ""), 0, "2\n", &[]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_too_long_is_refused_before_anything_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let run = |length: usize| {
        let name = "n".repeat(length);
        let tool = ["--tool", "f=touch ran; echo 1", "-c", "f()"];
        typed(at, &[&["exec", "--session", &name], &tool[..]].concat(), "")
    };
    let refused = run(236);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(!at.join("ran").exists());
    check(&run(235), 0, "1\n", &[]);
    assert!(at.join("ran").exists());
}

#[test]
fn a_saved_session_asks_for_large_contexts_by_the_option() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let log = File::create(at.join("app.log")).expect("made");
    log.set_len(65 << 20).expect("made");
    let session = ["exec", "--session", "s"];
    let with = |context: &[&str], code: &str| {
        let arguments = [&session[..], context, &["-c", code]].concat();
        typed(at, &arguments, "")
    };
    let given = ["--context", "app.log"];
    check(
        &with(&given, "n = 3"),
        0,
        "",
        &["65.0 MiB", "64.0 MiB", "as it is now"],
    );
    let size = std::fs::metadata(at.join("s")).expect("saved").len();
    assert!(size < 100_000, "{size}");
    check(&with(&given, "n"), 0, "3\n", &[]);
    check(
        &with(&[], "n"),
        2,
        "",
        &["`app.log`", "64 MiB", "with --context"],
    );
    // A log that has grown is the same log.
    log.set_len(66 << 20).expect("larger");
    check(
        &with(&given, "(n, len(context))"),
        0,
        "(3, 69206016)\n",
        &["64.0 MiB"],
    );
    log.write_all_at(b"x", 0).expect("changed");
    check(
        &with(&given, "n"),
        2,
        "",
        &["`app.log`", "as it was, with --context"],
    );
}

#[test]
fn what_speaks_against_a_script_has_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "x = 1\nimport os";
    let output = typed(folder.path(), &["validate", "-c", script], "");
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(
        said.contains("line 2") && said.contains("import of 'os'"),
        "{said}"
    );
}

#[test]
fn a_repl_that_ends_says_what_it_did_not_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = "only `:save s.session` writes the session";
    let repl = ["repl", "--session", "s.session"];
    for (lines, is_said) in [
        ("x = 1\n", true),
        ("x = 1\n:save s.session\n", false),
        ("x = 2\n:save other.session\n", true),
        ("x = 3\n:quit\n", true),
        ("", false),
    ] {
        let is_there = folder.path().join("s.session").exists();
        let output = typed(folder.path(), &repl, lines);
        let stderr = text(&output.stderr);
        assert_eq!(stderr.contains(said), is_said, "{lines}{stderr}");
        assert_eq!(stderr.contains("not there yet"), !is_there, "{stderr}");
        let left = if is_there {
            "is as it was before"
        } else {
            "was not made"
        };
        assert_eq!(stderr.contains(left), is_said, "{stderr}");
    }
    let other = ["repl", "--session", "t.session"];
    let output = typed(folder.path(), &other, "x = 4\n:save t.session\ny = 5\n");
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("t.session is as `:save` left it"),
        "{stderr}"
    );
    let output = typed(
        folder.path(),
        &["exec", "--session", "s.session", "-c", "x"],
        "",
    );
    assert_eq!(text(&output.stdout), "1\n");
}

/// Requests of a client that writes them all and closes its end, as a pipe does.
fn requests(codes: &[&str]) -> String {
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "pipe", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let calls = codes.iter().enumerate().map(|(at, code)| {
        json!({"jsonrpc": "2.0", "id": at + 1, "method": "tools/call", "params": {
            "name": "exec_python", "arguments": {"code": code}}})
    });
    let lines = [first, ready].into_iter().chain(calls);
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn requests_out_of_a_pipe_are_answered_and_long_ones_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = typed(folder.path(), &["mcp"], &requests(&["x = 41", "x + 1"]));
    let said = text(&output.stdout);
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(said.contains(r#""return_json":42"#), "{said}");
    // Five seconds of each are allowed.
    let since = Instant::now();
    let endless = ["while True: pass"; 8];
    let output = typed(folder.path(), &["mcp"], &requests(&endless));
    let took = since.elapsed();
    let said = text(&output.stdout);
    let canceled = said.lines().filter(|line| line.contains("canceled"));
    assert_eq!(canceled.count(), 8, "{said}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn the_timeline_shows_final_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let script = ["exec", "--record", "r.jsonl", "-c", "FINAL('bl' + 'ue')"];
    check(&typed(at, &script, ""), 0, "blue\n", &[]);
    let shown = typed(at, &["journal", "show", "r.jsonl"], "");
    let shown = text(&shown.stdout);
    assert!(shown.contains("final answer 'blue'\n"), "{shown}");
    let key = [&["--redact", "key"], &script[1..]].concat();
    std::fs::write(at.join("key"), "a key of the operator").expect("written");
    std::fs::set_permissions(at.join("key"), std::fs::Permissions::from_mode(0o600))
        .expect("private");
    std::fs::remove_file(at.join("r.jsonl")).expect("there");
    check(
        &typed(at, &[&["exec"], &key[..]].concat(), ""),
        0,
        "blue\n",
        &[],
    );
    let shown = std::fs::read_to_string(at.join("r.jsonl")).expect("recorded");
    assert!(!shown.contains("blue"), "{shown}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_isolated_process_without_memory_names_the_option() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = [
        "exec",
        "--isolate",
        "process",
        "--isolated-memory",
        "10MiB",
        "-c",
        "1",
    ];
    let output = typed(folder.path(), &script, "");
    check(&output, 4, "", &["give it more with --isolated-memory"]);
}

#[test]
fn a_saved_session_that_does_not_fit_is_whole_in_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let exec = |arguments: &[&str]| {
        let arguments = [&["exec", "--session", "s"], arguments].concat();
        typed(folder.path(), &arguments, "")
    };
    check(
        &exec(&["-c", "x = ['y' * 1_000_000 + str(n) for n in range(50)]"]),
        0,
        "",
        &[],
    );
    let small = exec(&["--memory", "1MiB", "-c", "len(x)"]);
    check(&small, 4, "", &["its file is whole: give it more --memory"]);
    check(
        &exec(&["--memory", "64MiB", "-c", "len(x)"]),
        0,
        "50\n",
        &[],
    );
}

/// Types `keys` on a terminal, and returns the text that appears there, up to `end`.
#[cfg(target_os = "linux")]
fn on_a_terminal(folder: &Path, arguments: &[&str], keys: &str, end: &str) -> String {
    use rustix::fs::{Mode, OFlags};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&screen).expect("granted");
    unlockpt(&screen).expect("unlocked");
    let name = ptsname(&screen, Vec::new()).expect("a name");
    let side = || {
        let opened = rustix::fs::open(&*name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty());
        Stdio::from(opened.expect("opened"))
    };
    let mut command = program(folder, arguments);
    command.env("TERM", "xterm");
    let command = command.stdin(side()).stdout(side()).stderr(side());
    let mut child = command.spawn().expect("starts");
    let mut screen = File::from(screen);
    let mut read = screen.try_clone().expect("another one");
    let (sender, shown) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut piece = [0; 1024];
        while let Ok(length) = read.read(&mut piece) {
            if length == 0 || sender.send(piece[..length].to_vec()).is_err() {
                return;
            }
        }
    });
    screen.write_all(keys.as_bytes()).expect("typed");
    let (mut all, since) = (Vec::new(), Instant::now());
    while !String::from_utf8_lossy(&all).contains(end) && since.elapsed() < Duration::from_secs(60)
    {
        if let Ok(piece) = shown.recv_timeout(Duration::from_secs(1)) {
            all.extend(piece);
        }
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    String::from_utf8_lossy(&all).into_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_an_error_behind_an_open_bracket_is_said_at_once() {
    let home = tempfile::tempdir().expect("a folder");
    let keys = "def f(:\rprint(1,\r  'tw' 'o')\r";
    let shown = on_a_terminal(home.path(), &["repl"], keys, "1 two");
    let error = shown
        .find("SyntaxError: Expected a parameter")
        .expect(&shown);
    assert!(shown.find("1 two").is_some_and(|at| at > error), "{shown}");
}
