//! What only a process can show: signals, closed pipes, limits of the system,
//! a cache that cannot be written.
#![cfg(unix)]

mod program;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rlm_sandbox::Sandbox;

use program::{PROGRAM, check, compiled, text};

/// A command whose compiled interpreter is there already.
fn program(arguments: &[&str]) -> Command {
    Sandbox::new().expect("compiled");
    program_again(arguments)
}

/// The program, where the guest is known to be compiled.
fn program_again(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).stdin(Stdio::null());
    command
}

#[test]
fn a_script_from_standard_input_is_a_process_without_children() {
    let mut child = program(&["exec", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(b"print('from stdin')\n6 * 7")
        .expect("written");
    check(
        &child.wait_with_output().expect("ends"),
        0,
        "from stdin\n42\n",
        &[],
    );
}

#[test]
fn an_interrupt_ends_the_script_and_keeps_what_it_printed() {
    let mut command = program(&[
        "exec",
        "--timeout",
        "60s",
        "--fuel",
        "1e15",
        "-c",
        "print('before')\nwhile True: pass",
    ]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let pid = child.id().to_string();
    std::thread::sleep(Duration::from_millis(500));
    Command::new("kill")
        .args(["-INT", &pid])
        .status()
        .expect("kill runs");
    check(
        &child.wait_with_output().expect("ends"),
        130,
        "before\n",
        &["KeyboardInterrupt"],
    );
}

#[test]
fn a_saved_session_keeps_what_its_script_did_behind_a_closed_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("s.session");
    let saved = saved.display();
    let script = format!(
        "{PROGRAM} exec --session {saved} --limit output=10MiB -c 'x = 1
for n in range(200000): print(n)
x = 2' | head -n 1"
    );
    program(&[]);
    let output = Command::new("sh").args(["-c", &script]).output();
    check(&output.expect("runs"), 0, "0\n", &[]);
    let output = program_again(&["exec", "--session", &saved.to_string(), "-c", "x"]).output();
    check(&output.expect("runs"), 0, "2\n", &[]);
}

#[test]
fn a_script_that_fails_behind_a_closed_pipe_has_failed() {
    let script = format!("{PROGRAM} exec -c 'print(1)\n1 / 0' >&-; echo $?");
    program(&[]);
    let output = Command::new("bash").args(["-c", &script]).output();
    let output = output.expect("runs");
    assert_eq!(text(&output.stdout), "1\n");
    let told = text(&output.stderr);
    assert!(told.contains("ZeroDivisionError"), "{told}");
}

#[test]
fn a_closed_pipe_is_silent() {
    let script = format!("{PROGRAM} exec -c 'for n in range(100000): print(n)' | head -n 1");
    program(&[]);
    let output = Command::new("sh")
        .args(["-c", &script])
        .output()
        .expect("runs");
    check(&output, 0, "0\n", &[]);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn little_address_space_is_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    Sandbox::builder()
        .narrow_address_space()
        .cache_folder(folder.path())
        .build()
        .expect("compiled");
    for megabytes in [512, 300, 200, 150, 100] {
        let script = format!(
            "ulimit -v {}; exec \"$PROGRAM\" exec -c 'sum(range(1000))'",
            megabytes << 10
        );
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("PROGRAM", PROGRAM)
            .env("RLM_SANDBOX_CACHE", folder.path())
            .output()
            .expect("runs");
        let stderr = text(&output.stderr);
        match output.status.code() {
            Some(0) => assert_eq!(text(&output.stdout), "499500\n", "{megabytes} MB"),
            // Too little for an instance, or even for the compiled code.
            Some(4) if megabytes < 200 => assert!(stderr.starts_with("error: "), "{stderr}"),
            // Between the two there is a size at which nothing is left for the rest.
            None if megabytes < 150 => assert!(stderr.contains("memory allocation"), "{stderr}"),
            _ => panic!("{megabytes} MB: {:?}: {stderr}", output.status),
        }
    }
    let script = format!("ulimit -v 524288; exec {PROGRAM} version --verbose");
    let output = Command::new("sh")
        .args(["-c", &script])
        .env("RLM_SANDBOX_CACHE", folder.path())
        .output()
        .expect("runs");
    assert!(
        text(&output.stdout).contains("address space narrow"),
        "{}",
        text(&output.stdout)
    );
}

/// Nothing is compiled where what was compiled cannot be opened.
#[test]
fn too_few_descriptors_are_an_error_at_once() {
    // Where the cache has it.
    let compiled = compiled();
    let folder = compiled.parent().expect("a folder");
    let run = |descriptors: u32| {
        let script = format!("ulimit -n {descriptors}; exec {PROGRAM} exec -c '6 * 7'");
        let mut command = Command::new("sh");
        command.args(["-c", &script]);
        command.env("RLM_SANDBOX_CACHE", folder);
        command.output().expect("runs")
    };
    check(&run(100), 0, "42\n", &[]);
    let since = Instant::now();
    for descriptors in 10..18 {
        let output = run(descriptors);
        let stderr = text(&output.stderr);
        assert!(!stderr.contains("compiling"), "{descriptors}: {stderr}");
        match output.status.code() {
            Some(0) => {}
            _ => assert!(stderr.contains("open files"), "{descriptors}: {stderr}"),
        }
    }
    assert!(since.elapsed() < Duration::from_secs(60));
}

/// Compiling takes far more address space than running, and a process that runs out of it is aborted.
#[test]
fn too_little_address_space_to_compile_is_a_sentence_with_a_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    for megabytes in [600, 400, 200] {
        let script = format!("ulimit -v {}; exec {PROGRAM} exec -c 1", megabytes << 10);
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("RLM_SANDBOX_CACHE", folder.path())
            .output()
            .expect("runs");
        let said = [
            "error: compiling the interpreter takes",
            "raise its limit (`ulimit -v`), or compile it elsewhere",
        ];
        check(&output, 4, "", &said);
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_a_sentence_with_a_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    // A folder below a file can be made by nobody, root included.
    let output = program(&["exec", "-c", "1 + 1"])
        .env("RLM_SANDBOX_CACHE", file.join("cache"))
        .env_remove("HOME")
        .output();
    check(
        &output.expect("runs"),
        0,
        "2\n",
        &["set RLM_SANDBOX_CACHE to a folder that you can write"],
    );
}

#[test]
fn a_read_only_cache_that_is_filled_serves_without_a_home() {
    let folder = compiled()
        .parent()
        .map(Path::to_path_buf)
        .expect("a folder");
    let output = program(&["exec", "-c", "1 + 1"])
        .env("RLM_SANDBOX_CACHE", folder)
        .env_remove("HOME")
        .output()
        .expect("runs");
    check(&output, 0, "2\n", &[]);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_compiled_file_is_loaded_and_a_foreign_one_is_refused() {
    let path = compiled();
    let output = program(&[
        "exec",
        "--compiled",
        path.to_str().expect("a name"),
        "-c",
        "1",
    ])
    .output()
    .expect("runs");
    check(&output, 0, "1\n", &[]);
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in [
        ("empty", vec![]),
        ("text", b"not code".to_vec()),
        (
            "cut",
            std::fs::read(&path).expect("readable")[..100_000].to_vec(),
        ),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).expect("written");
        let output = program(&[
            "exec",
            "--compiled",
            file.to_str().expect("a name"),
            "-c",
            "1",
        ])
        .output()
        .expect("runs");
        check(&output, 2, "", &["compile it again"]);
    }
    let output = program(&["exec", "--compiled", "/nowhere/at/all", "-c", "1"])
        .output()
        .expect("runs");
    check(&output, 2, "", &["cannot read --compiled /nowhere/at/all"]);
}

#[doc = "Keeps R1-26, X28."]
#[test]
fn a_debug_build_with_a_warm_cache_starts_in_a_tenth_of_a_second() {
    // What a release build takes is measured in `benches`, and its
    // instructions are counted by `.ci/instructions`.
    program(&["exec", "-c", "1"]).output().expect("runs");
    // The best of several: this is about what the program does, not about what
    // else the machine does.
    let best = (0..10)
        .map(|_| {
            let started = Instant::now();
            check(
                &program_again(&["exec", "-c", "1 + 1"])
                    .output()
                    .expect("runs"),
                0,
                "2\n",
                &[],
            );
            started.elapsed()
        })
        .min();
    assert!(best.expect("ten") < Duration::from_millis(100), "{best:?}");
}

#[test]
fn json_is_one_line_even_when_interrupted_at_a_limit() {
    let output = program(&[
        "exec",
        "--json",
        "--timeout",
        "20ms",
        "-c",
        "print('a')\nwhile True: pass",
    ])
    .output()
    .expect("runs");
    let stdout = text(&output.stdout);
    assert_eq!((output.status.code(), stdout.lines().count()), (Some(3), 1));
    let result: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(
        (result["stdout"].as_str(), result["success"].as_bool()),
        (Some("a\n"), Some(false))
    );
    assert_eq!(result["error_kind"], "timeout");
}

#[test]
fn verbose_writes_the_log_of_a_run_to_standard_error() {
    let script = "print('a')\nlog('b\\x1b[2J')\nNone";
    let arguments = ["exec", "--verbose", "--profile", "cairn", "-c", script];
    let output = program(&arguments).output().expect("runs");
    assert_eq!(text(&output.stdout), "a\nb\x1b[2J\n");
    let log = text(&output.stderr);
    for expected in ["rlm_sandbox::print: a", "rlm_sandbox::guest: b", "exec{"] {
        assert!(log.contains(expected), "no `{expected}` in {log}");
    }
    // No line of a script looks like one of the log.
    let forged = "log('a\\n2026-01-01T00:00:00Z ERROR rlm_sandbox: forged\\rb')\nNone";
    let arguments = ["exec", "-v", "--profile", "cairn", "-c", forged];
    let log = text(&program(&arguments).output().expect("runs").stderr);
    assert!(
        log.contains("\n    2026-01-01T00:00:00Z ERROR rlm_sandbox: forged\\rb\n"),
        "{log}"
    );
    // Without it there is no log.
    let output = program(&["exec", "--profile", "cairn", "-c", script]).output();
    assert_eq!(text(&output.expect("runs").stderr), "");
}

#[test]
fn what_scripts_log_has_the_limit_on_output() {
    for line in ["log('x' * 8000)", "log('x')", "print('x' * 500)"] {
        let script = format!("for _ in range(100_000): {line}");
        let arguments = [
            "exec",
            "-v",
            "--profile",
            "cairn",
            "--limit",
            "output=200KB",
            "-c",
            &script,
        ];
        let output = program(&arguments).output().expect("runs");
        assert_eq!(output.status.code(), Some(0), "{line}");
        let log = text(&output.stderr);
        assert!(log.len() < 500_000, "{line}: {}", log.len());
        assert_eq!(log.matches("is left out").count(), 1, "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_typed_ahead_on_a_terminal_runs() {
    Sandbox::new().expect("compiled");
    let state = tempfile::tempdir().expect("a folder");
    // `script` gives the program a terminal.
    let mut typed = Command::new("script")
        .args(["-qec", &format!("{PROGRAM} repl"), "/dev/null"])
        .env("XDG_STATE_HOME", state.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("util-linux has it");
    let mut input = typed.stdin.take().expect("piped");
    let text =
        "x = 6\rx * 7\rdef f():\r\ty = 5\r    return y * 11\r\rf()\rprint('half', end='')\r:quit\r";
    input.write_all(text.as_bytes()).expect("written");
    let output = typed.wait_with_output().expect("it ends");
    drop(input);
    let shown = String::from_utf8_lossy(&output.stdout);
    let values: Vec<_> = shown.lines().map(str::trim).collect();
    assert!(values.contains(&"42") && values.contains(&"55"), "{shown}");
    // A prompt is not drawn over it.
    assert!(shown.contains("half\r\n"), "{shown}");
}
