//! Commands as tools and models, names that an operator gives, and saved sessions
//! that several processes want at once.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "what cannot be tried here is said")]

mod program;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use program::{PROGRAM, check, compiled, text};

/// The program with a home of its own, so that its key lies there.
fn program(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .env("XDG_STATE_HOME", home)
        .current_dir(home)
        .args(arguments);
    command
}

fn exec(arguments: &[&str]) -> Output {
    let home = tempfile::tempdir().expect("a folder");
    let compiled = compiled();
    let compiled = compiled.to_str().expect("text");
    let all = [&["exec", "--compiled", compiled], arguments].concat();
    program(home.path(), &all).output().expect("runs")
}

/// Processes whose command line has the marker.
fn pids(marker: &str) -> Vec<String> {
    let is_marked = |entry: &fs::DirEntry| {
        fs::read(entry.path().join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(marker))
    };
    let all = fs::read_dir("/proc").expect("there").flatten();
    all.filter(is_marked)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

fn processes(marker: &str) -> usize {
    pids(marker).len()
}

/// Waits until no process has the marker.
fn all_ended(marker: &str) {
    let since = Instant::now();
    while processes(marker) > 0 {
        assert!(
            since.elapsed() < Duration::from_secs(10),
            "{marker} runs on"
        );
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_operator_is_shown_what_a_command_wrote_beside_its_answer() {
    let output = exec(&["--tool", "t=echo a note >&2; echo 5", "-c", "t()"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "5\n");
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(
        shown.contains("wrote to standard error]\na note\n"),
        "{shown}"
    );
    let output = exec(&["--tool", "t=echo the half of it; exit 2", "-c", "t()"]);
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(
        shown.contains("exit status: 2]\nthe half of it\n"),
        "{shown}"
    );
}

#[test]
fn a_traceback_names_the_file_of_the_script_also_behind_earlier_exceptions() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("odd.py");
    let name = file.to_str().expect("text");
    for (earlier, later) in [
        ("", "1 / 0"),
        (
            "try: int('x')\nexcept ValueError as e: ",
            "raise RuntimeError('y') from e",
        ),
        ("try: 1 / 0\nexcept ArithmeticError: ", "[][1]"),
    ] {
        fs::write(&file, format!("{earlier}{later}\n")).expect("written");
        let output = exec(&[name]);
        let shown = String::from_utf8_lossy(&output.stderr);
        assert!(shown.contains(&format!("File \"{name}\", line")), "{shown}");
        assert!(!shown.contains("python-input"), "{shown}");
    }
}

#[test]
fn a_script_learns_how_a_command_ended_and_nothing_of_its_line_or_standard_error() {
    let secret = "KEY=s3cret; echo s3cret >&2;";
    for (tool, code, told) in [
        (
            "exit 7",
            "t()",
            "RuntimeError: t() failed with exit status 7",
        ),
        (
            "kill -9 $$",
            "t()",
            "RuntimeError: t() was ended by a signal",
        ),
        (
            "printf '\\377'",
            "t()",
            "RuntimeError: t() answered with something that is not UTF-8",
        ),
        (
            "echo 'ValueError: no such row'; exit 1",
            "t()",
            "ValueError: no such row",
        ),
        (
            "echo 'ValueError: s3cret' >&2; exit 1",
            "t()",
            "RuntimeError: t() failed with exit status 1",
        ),
    ] {
        let journal = tempfile::tempdir().expect("a folder");
        let journal = journal.path().join("j");
        let code = format!(
            "try: {code}\nexcept BaseException as e: print(type(e).__name__ + ': ' + str(e))"
        );
        let line = format!("t={secret}{tool}");
        let name = journal.to_str().expect("text");
        let output = exec(&["--record", name, "--tool", &line, "-c", &code]);
        check(&output, 0, &format!("{told}\n"), &[]);
        let written = fs::read_to_string(&journal).expect("written");
        assert!(!written.contains("s3cret"), "{written}");
    }
    let line = format!("{secret} exit 3");
    let code = "try: llm_query('x')\nexcept Exception as e: print(e)";
    let journal = tempfile::tempdir().expect("a folder");
    let journal = journal.path().join("j");
    let name = journal.to_str().expect("text");
    let output = exec(&["--record", name, "--llm-command", &line, "-c", code]);
    check(
        &output,
        0,
        "the model's command failed with exit status 3\n",
        &["s3cret"],
    );
    let written = fs::read_to_string(&journal).expect("written");
    assert!(!written.contains("s3cret"), "{written}");
    // The operator is told all of it.
    let output = exec(&["--tool", &format!("t={secret}exit 7"), "-c", "t()"]);
    check(&output, 1, "", &["KEY=s3cret", "exit status: 7"]);
    let line = format!("t={secret}echo 'no route' >&2; exit 7");
    let output = exec(&["--verbose", "--tool", &line, "-c", "t()"]);
    let logged = text(&output.stderr);
    let event = logged
        .lines()
        .find(|line| line.contains("a command failed"));
    let event = event.expect("logged");
    for part in ["WARN", "KEY=s3cret", "exit status: 7", "no route"] {
        assert!(event.contains(part), "{event}");
    }
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    let context = ["--context", "-", "--input", "context=5", "-c", "1"];
    let output = exec(&context);
    check(&output, 2, "", &["--input context=…", "--context"]);
    let home = tempfile::tempdir().expect("a folder");
    let epoch = ["exec", "--record", "j", "--metering", "epoch", "-c", "1"];
    let output = program(home.path(), &epoch).output().expect("runs");
    check(
        &output,
        2,
        "",
        &["--record makes a recording, which needs --metering fuel"],
    );
}

#[test]
fn a_null_character_in_the_name_of_a_model_starts_no_command() {
    let code = "try: llm_query('x', model='a\\0b')\nexcept Exception as e: print(e)";
    let output = exec(&["--llm-command", "echo s3cret", "-c", code]);
    let told = "the name of a model cannot hold a null character\n";
    check(&output, 0, told, &[]);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn fifty_gathered_commands_end_with_the_script() {
    let marker = "987654.25";
    let tool = format!("t=sleep {marker} & sleep {marker}; echo 1");
    let code = "import asyncio\nasync def main():\n    await asyncio.gather(*[t() for _ in range(50)])\nawait main()";
    let output = exec(&[
        "--timeout",
        "30s",
        "--limit",
        "call-wait=2s",
        "--tool",
        &tool,
        "-c",
        code,
    ]);
    assert_ne!(output.status.code(), Some(0), "{}", text(&output.stderr));
    all_ended(marker);
}

#[test]
fn what_a_shell_leaves_running_does_not_hold_its_answer_up() {
    let marker = "987654.5";
    let since = Instant::now();
    let tool = format!("t=sleep {marker} & echo 5");
    check(&exec(&["--tool", &tool, "-c", "t()"]), 0, "5\n", &[]);
    assert!(since.elapsed() < Duration::from_secs(60));
    all_ended(marker);
}

#[test]
fn a_process_that_left_the_group_of_its_shell_does_not_hold_its_answer_up() {
    let marker = "987655.5";
    let since = Instant::now();
    // It has standard output and standard error open, and outlives its group.
    let daemon = format!("setsid sh -c 'touch up$$; exec sleep {marker}'");
    let tool = format!("t={daemon} & while ! ls up*; do sleep 0.01; done; rm up*; echo 5");
    let output = exec(&["--tool", &tool, "-c", "t().split()[-1]"]);
    check(&output, 0, "'5'\n", &[]);
    assert!(since.elapsed() < Duration::from_secs(20));
    // One that writes on is read no further than the moment at which the shell ended.
    let flood = format!("setsid sh -c 'while :; do echo y; sleep 0.01; done; : {marker}'");
    let output = exec(&[
        "--tool",
        &format!("t={flood} & sleep 0.2; echo 5"),
        "-c",
        "len(t()) < 1000",
    ]);
    check(&output, 0, "True\n", &[]);
    for pid in pids(marker) {
        let killed = Command::new("kill").args(["-9", &pid]).status();
        assert!(killed.expect("runs").success());
    }
}

#[test]
fn commands_end_with_the_program_whatever_signal_ends_it() {
    for (signal, marker) in [
        ("TERM", "987651.5"),
        ("HUP", "987652.5"),
        ("INT", "987653.5"),
        ("USR1", "987661.5"),
        ("XCPU", "987662.5"),
        ("ALRM", "987663.5"),
    ] {
        let home = tempfile::tempdir().expect("a folder");
        let tool = format!("t=sleep {marker} & sleep {marker}");
        let arguments = ["exec", "--timeout", "60s", "--tool", &tool, "-c", "t()"];
        let mut child = program(home.path(), &arguments)
            .stderr(Stdio::null())
            .spawn()
            .expect("runs");
        let since = Instant::now();
        while processes(marker) < 3 {
            assert!(
                since.elapsed() < Duration::from_secs(60),
                "nothing was started"
            );
            sleep(Duration::from_millis(20));
        }
        kill(&child, signal);
        let status = child.wait().expect("ends");
        assert!(!status.success(), "{status}");
        all_ended(marker);
    }
}

/// The kernel ends the direct command.
#[cfg(target_os = "linux")]
#[test]
fn a_command_ends_with_a_program_that_is_killed() {
    let home = tempfile::tempdir().expect("a folder");
    let marker = "987664.5";
    let tool = format!("t=exec sleep {marker}");
    let arguments = ["exec", "--timeout", "60s", "--tool", &tool, "-c", "t()"];
    let mut child = program(home.path(), &arguments)
        .stderr(Stdio::null())
        .spawn()
        .expect("runs");
    let since = Instant::now();
    // The program names the marker, too.
    while processes(marker) < 2 {
        assert!(since.elapsed() < Duration::from_secs(60), "not started");
        sleep(Duration::from_millis(20));
    }
    kill(&child, "KILL");
    child.wait().expect("ends");
    all_ended(marker);
}

fn kill(child: &Child, signal: &str) {
    let killed = Command::new("kill")
        .args([format!("-{signal}"), child.id().to_string()])
        .status();
    assert!(killed.expect("runs").success());
}

#[test]
fn a_command_is_read_up_to_its_cap_and_no_further() {
    // 100 KiB are the default; the command would write for ever.
    let code = "try: t()\nexcept Exception as e: print(e)";
    let output = exec(&["--tool", "t=yes", "-c", code]);
    let told = "t() answered more than the 102400 bytes that it may; ask for less\n";
    check(&output, 0, told, &[]);
    let output = exec(&[
        "--llm-command",
        "yes",
        "-c",
        &code.replace("t()", "llm_query('x')"),
    ]);
    let told =
        "the model's command answered more than the 1048576 bytes that it may; ask for less\n";
    check(&output, 0, told, &[]);
    // What fits, fits.
    let output = exec(&[
        "--tool",
        "t=head -c 102000 /dev/zero | tr '\\0' a",
        "-c",
        "len(t())",
    ]);
    check(&output, 0, "102000\n", &[]);
}

#[test]
fn answers_of_commands_are_plain_json() {
    for (answer, shown) in [
        ("-0", "0"),
        ("[-0, -0.0, 1.5]", "[0, -0.0, 1.5]"),
        (r#"{"$tuple": [1, 2]}"#, "{'$tuple': [1, 2]}"),
        (
            r#"[{"$bytes": "AAE="}, {"$int": "5"}]"#,
            "[{'$bytes': 'AAE='}, {'$int': '5'}]",
        ),
        (r#"{"$dict": [[1, 2]]}"#, "{'$dict': [[1, 2]]}"),
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
        ("-0 or so", "'-0 or so'"),
        ("1e400", "inf"),
        ("[-1e400]", "[-inf]"),
        (r#"{"\u0000$int": "7"}"#, r"{'\x00$int': '7'}"),
    ] {
        let tool = format!("t=printf '%s' '{answer}'");
        let output = exec(&["--tool", &tool, "-c", "t()"]);
        check(&output, 0, &format!("{shown}\n"), &[]);
    }
    // Arguments are plain JSON, too.
    for (tool, shown) in [
        ("t=cat", "{'args': [[1, 2], [3]], 'kwargs': {}}"),
        ("t(a,b)=cat", "{'a': [1, 2], 'b': [3]}"),
    ] {
        let output = exec(&["--tool", tool, "-c", "t((1, 2), {3})"]);
        check(&output, 0, &format!("{shown}\n"), &[]);
    }
    // A variable of the shell that is not set.
    for option in [["--tool", "t="], ["--llm-command", " "]] {
        let output = exec(&[option[0], option[1], "-c", "1"]);
        check(&output, 2, "", &["the command is empty"]);
    }
    let output = exec(&["--input", "x=1", "--input", "x=2", "-c", "x"]);
    check(&output, 2, "", &["is there twice"]);
    // What is too large to be shown undoes nothing.
    let large = "x = [str(i) for i in range(400_000)]\nx";
    let output = exec(&["-c", large]);
    assert!(output.status.success(), "{output:.200?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("the value is cut; allow more with --limit value=SIZE"),
        "{said}"
    );
    let output = exec(&["-c", "2 ** 10 ** 7"]);
    check(
        &output,
        0,
        "<int of more than 4194304 bits> […]\n",
        &["the value is cut"],
    );
    let output = exec(&["--input", "x=-0", "-c", "x"]);
    check(&output, 0, "0\n", &[]);
}

#[test]
fn a_name_that_scripts_could_not_see_is_a_usage_error() {
    for (option, value, told) in [
        ("--input", "answer=5", "`answer` is defined by the profile"),
        ("--input", "FINAL=5", "`FINAL` is defined by the profile"),
        (
            "--input",
            "SHOW_VARS=5",
            "`SHOW_VARS` is defined by the profile",
        ),
        ("--input", "\u{ff46}=1", "scripts cannot write this name"),
        ("--input", "class=1", "scripts cannot write this name"),
        ("--input", "a-b=1", "scripts cannot write this name"),
        ("--input", "_rlm_x=1", "not a name that a variable can have"),
        ("--tool", "\u{ff46}=cat", "is not a Python name"),
        ("--tool", "answer=cat", "is defined by the session"),
    ] {
        check(&exec(&[option, value, "-c", "1"]), 2, "", &[told]);
    }
    let output = exec(&["--tool", "t=cat", "--input", "t=1", "-c", "1"]);
    check(&output, 2, "", &["`t` is defined by a tool"]);
    check(
        &exec(&["--input", "gr\u{f6}\u{df}e=1", "-c", "gr\u{f6}\u{df}e"]),
        0,
        "1\n",
        &[],
    );
    check(&exec(&["--input", "log=1", "-c", "log"]), 0, "1\n", &[]);
}

#[test]
fn what_the_help_offers_is_taken_as_it_stands() {
    let home = tempfile::tempdir().expect("a folder");
    let mut child = program(
        home.path(),
        &["exec", "--context", "-:json", "-c", "context['a'][1]"],
    )
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("runs");
    let mut input = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut input, b"{\"a\": [1, 2]}").expect("written");
    drop(input);
    check(&child.wait_with_output().expect("ends"), 0, "2\n", &[]);
    let refused = exec(&["--tool", "t(a,b=2)=cat", "-c", "1"]);
    let said = ["arguments have no defaults"];
    check(&refused, 2, "", &said);
}

#[test]
fn eight_appends_at_once_all_survive() {
    let home = tempfile::tempdir().expect("a folder");
    let run = |code: &str| {
        program(home.path(), &["exec", "--session", "s", "-c", code])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs")
    };
    let begun = run("xs = []").wait_with_output().expect("ends");
    check(&begun, 0, "", &[]);
    let all: Vec<_> = (0..8)
        .map(|number| run(&format!("xs.append({number})")))
        .collect();
    for child in all {
        check(&child.wait_with_output().expect("ends"), 0, "", &[]);
    }
    let output = run("sorted(xs)").wait_with_output().expect("ends");
    check(&output, 0, "[0, 1, 2, 3, 4, 5, 6, 7]\n", &[]);
    let left: Vec<_> = fs::read_dir(home.path())
        .expect("there")
        .map(|entry| entry.expect("read").file_name())
        .filter(|name| name.to_string_lossy().starts_with('.'))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_session_in_use_is_waited_for_or_refused_at_once() {
    let home = tempfile::tempdir().expect("a folder");
    let arguments = [
        "exec",
        "--session",
        "s",
        "--tool",
        "t=touch up; sleep 2; echo 1",
        "-c",
        "x = t()",
    ];
    let mut first = program(home.path(), &arguments).spawn().expect("runs");
    let since = Instant::now();
    while !home.path().join("up").exists() {
        assert!(
            since.elapsed() < Duration::from_secs(60),
            "it does not begin"
        );
        sleep(Duration::from_millis(10));
    }
    let refused = program(
        home.path(),
        &["exec", "--no-wait", "--session", "s", "-c", "x"],
    );
    let refused = { refused }.output().expect("runs");
    check(&refused, 2, "", &["another process has the session in s"]);
    let waited = program(home.path(), &["exec", "--session", "s", "-c", "x"]);
    let waited = { waited }.output().expect("runs");
    check(&waited, 0, "1\n", &["waiting for another process"]);
    assert!(first.wait().expect("ends").success());
}

#[test]
fn a_link_is_followed_and_stays_a_link() {
    let home = tempfile::tempdir().expect("a folder");
    let (folder, link) = (home.path().join("kept"), home.path().join("s"));
    fs::create_dir(&folder).expect("made");
    fs::write(folder.join("real"), "").expect("made");
    fs::remove_file(folder.join("real")).expect("there");
    let run = |code: &str| {
        let run = program(home.path(), &["exec", "--session", "s", "-c", code]).output();
        run.expect("runs")
    };
    symlink("kept/real", &link).expect("linked");
    // A link to nothing names no session.
    check(&run("x = 1"), 2, "", &["cannot use s"]);
    fs::remove_file(&link).expect("there");
    check(&run("x = 1"), 0, "", &[]);
    fs::rename(&link, folder.join("real")).expect("moved");
    symlink("kept/real", &link).expect("linked");
    check(&run("x += 1; x"), 0, "2\n", &[]);
    check(&run("x += 1; x"), 0, "3\n", &[]);
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
}

#[test]
fn a_session_is_kept_and_told_whatever_its_variables_are() {
    let home = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| {
        let all = [&["exec", "--session", "s"][..], arguments].concat();
        program(home.path(), &all).output().expect("runs")
    };
    // Little memory, and as text without end.
    let source = "x = [1]\nfor i in range(12): x = [x] * 10\ny = 5";
    let told = run(&[
        "--profile",
        "rlms",
        "--timeout",
        "3s",
        "--json",
        "-c",
        source,
    ]);
    assert_eq!(told.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&told.stdout).contains("\"y\":5"));
    check(&run(&["-c", "y"]), 0, "5\n", &[]);
}

#[test]
fn no_other_file_passes_for_a_lock() {
    let home = tempfile::tempdir().expect("a folder");
    let notes = home.path().join(".todo.session-lock");
    fs::write(&notes, "notes").expect("written");
    let run = program(home.path(), &["exec", "--session", "todo", "-c", "1"]).output();
    check(
        &run.expect("runs"),
        2,
        "",
        &["something else has that name"],
    );
    assert_eq!(fs::read_to_string(&notes).expect("there"), "notes");
}

#[test]
fn what_a_killed_process_left_is_gone_after_the_next() {
    let home = tempfile::tempdir().expect("a folder");
    fs::write(home.path().join(".s.abc123.tmp-session"), "left").expect("written");
    fs::write(home.path().join(".other.abc123.tmp-session"), "another's").expect("written");
    // Of a session that is called `s.session`.
    let longer = home.path().join(".s.session.abc123.tmp-session");
    fs::write(&longer, "another's").expect("written");
    let run = program(home.path(), &["exec", "--session", "s", "-c", "1"]).output();
    check(&run.expect("runs"), 0, "1\n", &[]);
    assert!(!home.path().join(".s.abc123.tmp-session").exists());
    assert!(home.path().join(".other.abc123.tmp-session").exists());
    assert!(longer.exists());
}

/// Ends `command` by each of the signals as soon as there is a temporary file, and checks that the file is gone.
/// `prepare` is called before each.
fn strike(
    folder: &Path,
    ending: &str,
    signals: &[&str],
    command: impl Fn() -> Command,
    mut prepare: impl FnMut(),
) {
    let temporary = || {
        let names = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(ending)).count()
    };
    let mut struck = 0;
    for signal in signals {
        prepare();
        let mut child = command()
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        while temporary() == 0 && child.try_wait().expect("ours").is_none() {
            sleep(Duration::from_millis(1));
        }
        struck += temporary();
        let sent = Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .output();
        sent.expect("kill(1)");
        child.wait().expect("ours");
        assert_eq!(temporary(), 0, "{signal}");
    }
    assert!(struck > 0, "no signal came while {ending} was written");
}

const SIGNALS: [&str; 4] = ["TERM", "INT", "HUP", "QUIT"];

/// Writes a log of 48 MiB of letters, which no packing makes much smaller, and returns its path.
fn long_log(home: &Path) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes().map(|byte| b'0' + byte % 64)
    };
    let log: Vec<u8> = (0..6 << 20).flat_map(|_| random()).collect();
    let path = home.join("log.txt");
    fs::write(&path, log).expect("written");
    path.display().to_string()
}

/// A context of 48 MiB takes a while to be written, in which a signal ends the process.
#[test]
fn a_signal_while_a_context_is_recorded_leaves_no_temporary_file() {
    let home = tempfile::tempdir().expect("a folder");
    let log = long_log(home.path());
    let data = home.path().join("run.jsonl.data");
    let command = || {
        let recorded = [
            "exec",
            "--record",
            "run.jsonl",
            "--context",
            &log,
            "-c",
            "1",
        ];
        program(home.path(), &recorded)
    };
    strike(&data, ".part", &SIGNALS, command, || {
        let _ = fs::remove_file(home.path().join("run.jsonl"));
        let _ = fs::remove_dir_all(&data);
    });
}

/// The compiled interpreter has some megabytes, which are on the disk before the file has its name. To compile it takes
/// long in a debug build, so it is done once.
#[test]
fn a_signal_while_compiled_code_is_kept_leaves_no_temporary_file() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("compiled");
    let plugins = home.path().join("plugins");
    let command = || {
        let mut command = program(home.path(), &["compile", "-o", "compiled/guest.cwasm"]);
        command.env("RLM_SANDBOX_CACHE", &plugins);
        command
    };
    strike(&folder, ".tmp", &["TERM"], command, || {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("made");
    });
}

/// A session of 48 MiB takes a while to be written, in which a signal ends the process.
#[test]
fn a_signal_while_a_session_is_saved_leaves_no_temporary_file() {
    let home = tempfile::tempdir().expect("a folder");
    let path = long_log(home.path());
    let arguments = [
        "exec",
        "--session",
        "s",
        "--context",
        &path,
        "-c",
        "n = len(context)\nn",
    ];
    let said = "50331648\n";
    check(
        &program(home.path(), &arguments).output().expect("runs"),
        0,
        said,
        &[],
    );
    let command = || program(home.path(), &arguments);
    strike(home.path(), ".tmp-session", &SIGNALS, command, || ());
    check(
        &program(home.path(), &arguments).output().expect("runs"),
        0,
        said,
        &[],
    );
}

#[test]
fn control_characters_are_escaped_on_a_terminal_and_nowhere_else() {
    let home = tempfile::tempdir().expect("a folder");
    let code = "print('\\x1b[2Jred\\u202e'); raise ValueError('\\x9b1m')";
    let piped = program(home.path(), &["exec", "-c", code])
        .output()
        .expect("runs");
    check(&piped, 1, "\u{1b}[2Jred\u{202e}\n", &["\u{9b}1m"]);
    let shown = |raw: &str| {
        let line = format!("{PROGRAM} exec {raw} -c \"$CODE\"");
        let output = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .env("CODE", code)
            .env("XDG_STATE_HOME", home.path())
            .stdin(Stdio::null())
            .output();
        output.ok().map(|output| text(&output.stdout))
    };
    let Some(safe) = shown("") else {
        eprintln!("NOT TRIED: there is no script(1) that makes a terminal");
        return;
    };
    assert!(safe.contains("\\x1b[2Jred\\u202e"), "{safe:?}");
    assert!(safe.contains("\\x9b1m"), "{safe:?}");
    assert!(!safe.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{safe:?}");
    assert!(
        shown("--raw")
            .expect("as before")
            .contains("\u{1b}[2Jred\u{202e}")
    );
}

#[test]
fn what_files_and_scripts_say_is_escaped_on_a_terminal_by_every_command() {
    let home = tempfile::tempdir().expect("a folder");
    let at = |name: &str| home.path().join(name).display().to_string();
    let code = "print('\\x1b[2Jred\\u202e'); raise ValueError('\\x9b1m')";
    for (name, last) in [("one", "1"), ("other", "2")] {
        let code = format!("x = {last}\n{code}");
        let record = ["exec", "--record", &at(name), "-c", &code];
        let output = program(home.path(), &record).output().expect("runs");
        check(&output, 1, "\u{1b}[2Jred\u{202e}\n", &[]);
    }
    fs::write(at("typed"), format!("{code}\n:quit\n")).expect("written");
    let bytes = b"\0asm\x0d\0\x01\0\x07\x10\x01\x41\x02\0\x04\x01\x1b[2J\x05\0";
    fs::write(at("plugin.wasm"), bytes).expect("written");
    let shown = |line: &str, typed: &str| {
        let output = Command::new("script")
            .args(["-qec", &format!("{PROGRAM} {line}"), "/dev/null"])
            .env("XDG_STATE_HOME", home.path())
            .stdin(match typed {
                "" => Stdio::null(),
                typed => fs::File::open(at(typed)).expect("there").into(),
            })
            .output();
        output.ok().map(|output| text(&output.stdout))
    };
    let (one, other) = (at("one"), at("other"));
    for (line, typed, is_shown) in [
        (format!("journal show {one}"), "", true),
        (format!("journal compare {one} {other}"), "", false),
        (format!("replay {one} --repl"), "typed", true),
        (String::from("repl"), "typed", true),
        (format!("plugin inspect {}", at("plugin.wasm")), "", false),
    ] {
        let Some(safe) = shown(&line, typed) else {
            eprintln!("NOT TRIED: there is no script(1) that makes a terminal");
            return;
        };
        // What a person types is echoed as it was typed, and prompts may have colors.
        let raw = ["\u{1b}[2J", "\u{202e}", "\u{9b}"];
        assert!(
            !raw.iter().any(|raw| safe.contains(raw)),
            "{line}: {safe:?}"
        );
        assert!(!is_shown || safe.contains("\\u202e"), "{line}: {safe:?}");
        assert!(safe.len() > 20, "{line}: {safe:?}");
    }
}

#[test]
fn a_reader_sets_limits_on_what_a_journal_takes() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("j").display().to_string();
    let record = [
        "exec",
        "--record",
        &path,
        "--timeout",
        "2s",
        "-c",
        "while True: pass",
    ];
    let output = program(home.path(), &record).output().expect("runs");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let run = |arguments: &[&str]| program(home.path(), arguments).output().expect("runs");
    let output = run(&["replay", &path, "--reader-limit", "time=300ms"]);
    let said = text(&output.stdout);
    assert!(said.starts_with("reader-limit: "), "{said}");
    assert!(said.contains("--reader-limit time="), "{said}");
    let output = run(&["replay", &path, "--reader-limit", "time=60s"]);
    assert!(
        text(&output.stdout).starts_with("identical"),
        "{}",
        text(&output.stdout)
    );
    for command in [
        &["replay", &path][..],
        &["journal", "show", &path],
        &["journal", "compare", &path, &path],
    ] {
        for (limit, status) in [
            ("line=100", 2),
            ("lines=1", 2),
            ("file=100", 2),
            ("nonsense=1", 2),
        ] {
            let output = run(&[command, &["--reader-limit", limit]].concat());
            let said = text(&output.stderr);
            assert_eq!(
                output.status.code(),
                Some(status),
                "{command:?} {limit}: {said}"
            );
            let name = limit.split('=').next().expect("a name");
            assert!(said.contains(name), "{command:?} {limit}: {said}");
        }
    }
}

#[test]
fn a_session_is_written_into_the_folder_that_was_locked() {
    let home = tempfile::tempdir().expect("a folder");
    let at = |name: &str| home.path().join(name);
    fs::create_dir(at("work")).expect("made");
    let work = at("work").display().to_string();
    let swap = format!("swap=mv {work} {work}-moved; mkdir {work}; echo 1");
    let session = at("work/s").display().to_string();
    let output = program(
        home.path(),
        &[
            "exec",
            "--session",
            &session,
            "--tool",
            &swap,
            "-c",
            "x = swap()",
        ],
    )
    .output()
    .expect("runs");
    check(&output, 0, "", &[]);
    let names = |folder: &str| -> Vec<_> {
        let entries = fs::read_dir(at(folder)).expect("there");
        entries
            .map(|entry| entry.expect("there").file_name())
            .collect()
    };
    assert_eq!(names("work"), [""; 0]);
    assert_eq!(names("work-moved"), ["s"]);
}

#[test]
fn the_folder_of_the_key_is_private_under_every_umask() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = tempfile::tempdir().expect("a folder");
    compiled();
    let output = Command::new("sh")
        .args([
            "-c",
            "umask 000; exec \"$PROGRAM\" exec --session s -c 'x = 1'",
        ])
        .env("PROGRAM", PROGRAM)
        .env("XDG_STATE_HOME", home.path().join("state"))
        .current_dir(home.path())
        .output()
        .expect("runs");
    check(&output, 0, "", &[]);
    for folder in ["state", "state/rlm-sandbox"] {
        let mode = fs::metadata(home.path().join(folder))
            .expect("made")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o700, "{folder}");
    }
}

/// Runs a command that must end at once, and returns its output.
#[track_caller]
fn ends_at_once(command: &mut Command) -> Output {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    let since = Instant::now();
    while child.try_wait().expect("asked").is_none() {
        if since.elapsed() > Duration::from_secs(30) {
            child.kill().expect("killed");
            panic!("it waits: {command:?}");
        }
        sleep(Duration::from_millis(20));
    }
    child.wait_with_output().expect("read")
}

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("runs");
    assert!(made.success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_named_pipe_or_device_is_refused_and_not_waited_for() {
    let home = tempfile::tempdir().expect("a folder");
    let pipe = home.path().join("pipe.txt");
    make_pipe(&pipe);
    symlink("/proc/self/fd/0", home.path().join("link.txt")).expect("linked");
    let compiled = compiled();
    let compiled = compiled.to_str().expect("text");
    for path in ["pipe.txt", "/dev/zero", "/proc/kmsg", "link.txt"] {
        let context = format!("a={path}");
        for (arguments, names) in [
            (vec!["exec", "--context", &context, "-c", "1"], path),
            (vec!["exec", "--profile", path, "-c", "1"], path),
            (vec!["exec", path], path),
            (vec!["validate", path], path),
        ] {
            let mut command = program(home.path(), &arguments);
            if arguments[0] == "exec" {
                command.args(["--compiled", compiled]);
            }
            // Standard input is a pipe into which nothing is written.
            let (idle, writer) = std::io::pipe().expect("a pipe");
            let output = ends_at_once(command.stdin(idle));
            drop(writer);
            let stderr = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
            assert!(stderr.contains(names), "{arguments:?}: {stderr}");
            if path == "pipe.txt" {
                assert!(
                    stderr.contains("a named pipe is not waited for"),
                    "{stderr}"
                );
            }
        }
    }
}

/// `--output` was opened to see what is there.
#[test]
fn a_compiled_interpreter_replaces_no_pipe_and_waits_for_none() {
    let home = tempfile::tempdir().expect("a folder");
    let pipe = home.path().join("pipe");
    make_pipe(&pipe);
    for path in ["pipe", "/dev/zero"] {
        let arguments = ["exec", "--compiled", path, "-c", "1"];
        let output = ends_at_once(&mut program(home.path(), &arguments));
        assert_eq!(output.status.code(), Some(2), "{path}: {output:?}");
    }
    // A program has the first bytes of compiled code, too.
    fs::copy(PROGRAM, home.path().join("program")).expect("copied");
    for path in ["pipe", "/dev/zero", "program"] {
        let output = ends_at_once(&mut program(home.path(), &["compile", "-o", path]));
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{path}: {stderr}");
        assert!(
            stderr.contains("that is no compiled interpreter"),
            "{stderr}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_of_the_process_itself_are_read_to_their_end() {
    let home = tempfile::tempdir().expect("a folder");
    let (program, compiled) = (PROGRAM, compiled());
    let run = |script: &str| {
        let output = Command::new("bash")
            .args(["-c", script])
            .env("P", program)
            .env("C", &compiled)
            .env("XDG_STATE_HOME", home.path())
            .current_dir(home.path())
            .output()
            .expect("runs");
        assert_eq!(
            text(&output.stdout),
            "'a text'\n",
            "{script}: {}",
            text(&output.stderr)
        );
    };
    let slowly = "(sleep 0.2; printf 'a text')";
    let script = "(sleep 0.2; echo \"'a text'\")";
    for arguments in [
        format!("--context <{slowly} -c context"),
        format!("--context /dev/stdin -c context < <{slowly}"),
        format!("--context a=/proc/self/fd/0 -c context < <{slowly}"),
        format!("--context - -c context < <{slowly}"),
        format!("<{script}"),
        format!("/dev/stdin < <{script}"),
        format!("- < <{script}"),
    ] {
        run(&format!("\"$P\" exec --compiled \"$C\" {arguments}"));
    }
    fs::write(home.path().join("file"), "a text").expect("written");
    run("\"$P\" exec --compiled \"$C\" --context /dev/stdin -c context < file");
    // A named pipe that the shell opened, and whose writer has gone.
    run(
        "mkfifo pipe; printf 'a text' > pipe & sleep 0.2; \"$P\" exec --compiled \"$C\" --context /dev/fd/3 -c context 3< pipe",
    );
}

/// A component whose one function has so many locals and loops.
fn component(locals: u32, loops: u32) -> Vec<u8> {
    let leb = |mut number: usize| {
        let mut bytes = Vec::new();
        while number > 127 {
            bytes.push(number as u8 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let section = |id: u8, content: &[u8]| [&[id], &*leb(content.len()), content].concat();
    let mut body = [&[1], &*leb(locals as usize), b"\x7f"].concat();
    body.extend(b"\x03\x40\x0b".repeat(loops as usize));
    body.push(0x0b);
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    module.extend(section(1, b"\x01\x60\0\0"));
    module.extend(section(3, b"\x01\0"));
    let code = [&[1], &*leb(body.len()), &*body].concat();
    module.extend(section(10, &code));
    [b"\0asm\x0d\0\x01\0", &*section(1, &module)].concat()
}

#[test]
fn a_file_that_is_no_interpreter_is_not_compiled_at_any_cost_nor_kept() {
    let home = tempfile::tempdir().expect("a folder");
    let cache = home.path().join("cache");
    for (locals, loops, told) in [
        (49_000, 12_000, "is no interpreter"),
        (10, 10, "the interpreter does not fit"),
    ] {
        fs::write(home.path().join("guest.wasm"), component(locals, loops)).expect("written");
        let since = Instant::now();
        let ran = program(home.path(), &["exec", "--guest", "guest.wasm", "-c", "1"])
            .env("RLM_SANDBOX_CACHE", &cache)
            .output()
            .expect("runs");
        check(&ran, if loops == 10 { 4 } else { 2 }, "", &[told]);
        assert!(since.elapsed() < Duration::from_secs(10));
    }
    fs::write(home.path().join("guest.wasm"), "no code").expect("written");
    let mut exec = program(home.path(), &["exec", "--guest", "guest.wasm", "-c", "1"]);
    let ran = exec.output().expect("runs");
    let begins = "error: guest.wasm is no interpreter: it does not begin as WebAssembly does; name a component";
    check(&ran, 2, "", &[begins]);
    let kept = fs::read_dir(&cache).into_iter().flatten().flatten();
    let kept: Vec<_> = kept.map(|entry| entry.file_name()).collect();
    assert!(
        !kept
            .iter()
            .any(|name| name.to_string_lossy().ends_with(".cwasm")),
        "{kept:?}"
    );
}

#[test]
fn commands_that_are_about_to_start_end_with_their_script() {
    let mark = format!("33.{}", std::process::id());
    let tool = format!("f()=sleep {mark}");
    let script = "import asyncio\nawait asyncio.gather(*[f() for _ in range(60)])";
    for _ in 0..12 {
        let limit = ["--limit", "deadline=60ms"];
        let output = exec(&[&["--tool", &tool][..], &limit, &["-c", script]].concat());
        check(&output, 3, "", &["deadline exceeded"]);
        // What was killed takes a moment to be gone; one that runs on takes half a minute.
        let since = Instant::now();
        while !pids(&mark).is_empty() {
            assert!(
                since.elapsed() < Duration::from_secs(10),
                "{:?}",
                pids(&mark)
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
