//! Recording and replaying from the command line.

use std::io::Cursor;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rlm_sandbox_cli::Terminal;

use crate::mutations::resealed;
use crate::replay::place;

/// Runs the program and gives its status and what it wrote.
fn run(input: &str, words: &[&str]) -> (u8, String, String) {
    let streams = [(); 2].map(|()| Arc::new(Mutex::new(Vec::new())));
    let [out, err] = &streams;
    let input = Cursor::new(input.as_bytes().to_vec());
    let terminal = Terminal::new(input, Arc::clone(out) as _, Arc::clone(err) as _);
    let words = std::iter::once(&"rlm-sandbox").chain(words);
    let status = rlm_sandbox_cli::run(words.map(|word| (*word).into()), terminal);
    let read = |stream: &Mutex<Vec<u8>>| {
        String::from_utf8_lossy(&stream.lock().expect("not poisoned")).into_owned()
    };
    (status, read(out), read(err))
}

const PROGRAM: &str = "import asyncio, random, time
print(random.random(), time.time())
answers = await asyncio.gather(*[llm_query(f'question {n}') for n in range(3)])
print(answers)
while True:
    random.random()";

fn edit(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).expect("text");
    assert!(text.contains(from), "{text}");
    std::fs::write(path, text.replacen(from, to, 1)).expect("written");
}

#[test]
fn a_recorded_exec_is_replayed_and_a_changed_answer_is_named() {
    let (_folder, path) = place();
    let file = path.to_str().expect("text");
    let exec = [
        "exec",
        "--record",
        file,
        "--timeout",
        "50ms",
        "--llm-command",
        "tr a-z A-Z",
        "-c",
        PROGRAM,
    ];
    let (status, recorded, _) = run("", &exec);
    assert_eq!(status, 3);
    assert!(
        recorded.contains("['QUESTION 0', 'QUESTION 1', 'QUESTION 2']"),
        "{recorded}"
    );

    let (status, said, _) = run("", &["replay", file]);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.starts_with("identical: 1 exec, 3 calls, ") && said.ends_with(" fuel\n"),
        "{said}"
    );
    let (status, said, _) = run("", &["replay", "--ignore-fuel", file]);
    assert_eq!((status, &said[..9]), (0, "identical"));

    let (status, shown, _) = run("", &["journal", "show", file]);
    assert_eq!(status, 0);
    for word in [
        "exec 0",
        "call 1 llm_query [\"question 1\"]",
        "told to end for time",
        "rolled back",
        "end, after 1 exec and ",
    ] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    let (status, said, error) = run("", &exec);
    assert_eq!((status, said.as_str()), (2, ""));
    assert!(error.contains("exists; remove it"), "{error}");

    let copy = path.with_file_name("copy.jsonl");
    std::fs::copy(&path, &copy).expect("copied");
    edit(&path, "\"QUESTION 1\"", "\"QUESTION 7\"");
    let (status, said, _) = run("", &["replay", file]);
    assert_eq!(status, 1);
    for word in [
        "exec 0",
        "answer to call 1, `llm_query`",
        "QUESTION 7",
        "line 3: answers = await",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let (status, said, _) = run(
        "",
        &["journal", "compare", copy.to_str().expect("text"), file],
    );
    assert_eq!(status, 1);
    assert!(
        said.contains("QUESTION 1") && said.contains("QUESTION 7"),
        "{said}"
    );
}

#[test]
fn a_recorded_session_goes_on_by_hand_from_any_exec() {
    let (_folder, path) = place();
    let file = path.to_str().expect("text");
    let typed = "x = 1\nx = llm_query('q')\nx += '!'\n";
    let (status, _, error) = run(
        typed,
        &["repl", "--record", file, "--llm-command", "echo one"],
    );
    assert_eq!((status, error.as_str()), (0, ""));
    let (status, said, _) = run("", &["replay", file]);
    assert_eq!(status, 0, "{said}");
    assert!(said.starts_with("identical: 3 execs, 1 call, "), "{said}");

    let other = "x = llm_query('q')\nx\n";
    let replay = [
        "replay",
        file,
        "--until",
        "1",
        "--repl",
        "--llm-command",
        "echo another",
    ];
    let (status, said, told) = run(other, &replay);
    assert_eq!((status, said.as_str()), (0, "'another'\n"));
    assert!(
        told.contains("exec 1 comes next") && told.contains("| x = llm_query('q')"),
        "{told}"
    );
    let (status, said, _) = run("", &["replay", file, "--until", "2"]);
    assert_eq!((status, &said[..22]), (0, "identical up to exec 2"));
    let (status, said, _) = run("x\n", &["replay", file, "--repl"]);
    assert_eq!((status, said.as_str()), (0, "'one!'\n"));
    let (status, _, error) = run("", &["replay", file, "--until", "9", "--repl"]);
    assert_eq!(status, 2);
    assert!(error.contains("3 execs"), "{error}");

    // Where lines are gone, somebody has to know.
    let text = std::fs::read_to_string(&path).expect("text");
    let cut = &text[..text.trim_end().rfind('\n').expect("lines") + 1];
    std::fs::write(&path, cut).expect("written");
    let (status, said, _) = run("", &["replay", file]);
    assert_eq!(status, 3);
    assert!(said.contains("no end"), "{said}");
    // A process that died in a call leaves a script that waits: it is undone.
    let at = text.find("{\"suspended\"").expect("a call that waits");
    let end = text[at..].find('\n').expect("lines");
    std::fs::write(&path, &text[..=at + end]).expect("written");
    let (status, said, notes) = run("x\nx + 1\n", &["replay", file, "--repl"]);
    assert_eq!((status, said.as_str()), (0, "1\n2\n"));
    assert!(
        notes.contains("exec 1 waited for a call") && notes.contains("| x = llm_query('q')"),
        "{notes}"
    );
    let (status, _, error) = run("", &["replay", "/nowhere/run.jsonl"]);
    assert_eq!(status, 2);
    assert!(error.contains("/nowhere/run.jsonl"), "{error}");
}

#[test]
fn a_redacted_recording_needs_a_key_and_is_not_replayed() {
    let (folder, path) = place();
    let file = path.to_str().expect("text");
    let key = folder.path().join("key");
    std::fs::write(&key, "a secret").expect("written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(&key, mode).expect("changed");
    }
    let key = key.to_str().expect("text");
    let exec = [
        "exec",
        "--record",
        file,
        "--redact",
        key,
        "-c",
        "'swordfish'.upper()",
    ];
    let (status, said, _) = run("", &exec);
    assert_eq!((status, said.as_str()), (0, "'SWORDFISH'\n"));
    let text = std::fs::read_to_string(&path).expect("text");
    assert!(!text.contains("SWORDFISH"), "{text}");
    let (status, _, error) = run("", &["replay", file]);
    assert_eq!(status, 2);
    assert!(error.contains("redacted"), "{error}");
    let (status, _, error) = run("", &["exec", "--redact", key, "-c", "1"]);
    assert_eq!(status, 2);
    assert!(error.contains("--record"), "{error}");
}

#[test]
fn a_session_that_a_replay_hands_back_has_limits_of_its_own() {
    let (_folder, path) = place();
    let file = path.to_str().expect("text");
    let (status, _, _) = run("x = 1\n", &["repl", "--record", file]);
    assert_eq!(status, 0);
    let words = [
        "replay",
        file,
        "--repl",
        "--memory",
        "8MiB",
        "--timeout",
        "1s",
    ];
    let typed = "y = ['a' * 1_000_000 + str(n) for n in range(40)]\nprint('x' * 1000)\nx\n";
    let limited = [&words[..], &["--limit", "output=10"]].concat();
    let (status, said, told) = run(typed, &limited);
    assert_eq!(status, 0, "{told}");
    assert!(told.contains("memory limit"), "{told}");
    assert!(
        said.starts_with("xxxxxxxxxx") && !said.contains("xxxxxxxxxxx"),
        "{said}"
    );
    assert!(said.ends_with("1\n"), "{said}");
    let (status, _, error) = run("", &["replay", file, "--repl", "--limit", "recursion=9"]);
    assert_eq!(status, 2);
    assert!(error.contains("recursion"), "{error}");
    let (status, _, error) = run("", &["replay", file, "--memory", "8MiB"]);
    assert_eq!(status, 2);
    assert!(error.contains("--repl"), "{error}");
}

#[test]
fn a_replay_tells_how_many_inspections_it_left_out() {
    let (_folder, path) = place();
    let file = path.to_str().expect("text");
    let (status, _, _) = run("", &["exec", "--record", file, "-c", "x = 1"]);
    assert_eq!(status, 0);
    let text = std::fs::read_to_string(&path).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let killed = [
        r#"{"get":{"name":"x"},"sum":"0"}"#,
        r#"{"failed":{"why":"killed","killed":true},"sum":"0"}"#,
    ];
    let end = lines.len() - 1;
    lines.splice(end..end, killed.map(str::to_owned));
    std::fs::write(&path, resealed(&lines)).expect("written");
    let (status, said, _) = run("", &["replay", file]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("1 inspection left out"), "{said}");
}

#[test]
fn json_is_printed_for_every_failure_after_the_arguments() {
    let (folder, path) = place();
    let damaged = folder.path().join("damaged.session");
    std::fs::write(&damaged, "no session").expect("written");
    let (path, damaged) = (
        path.to_str().expect("text"),
        damaged.to_str().expect("text"),
    );
    for words in [
        &["exec"][..],
        &["exec", path],
        &["exec", "-c", "1", "--input", "x"],
        &["exec", "-c", "1", "--profile", "nope"],
        &["exec", "-c", "1", "--context", path],
        &["exec", "-c", "1", "--limit", "nope=1"],
        &["exec", "-c", "1", "--session", damaged],
        &["plugin", "inspect", path],
    ] {
        let (status, out, err) = run("", &[words, &["--json"]].concat());
        assert_eq!(status, 2, "{words:?}: {err}");
        let failure: serde_json::Value = serde_json::from_str(&out).expect(&out);
        assert_eq!(failure["success"], serde_json::json!(false), "{out}");
        assert_eq!(failure["error_kind"], serde_json::json!("usage"), "{out}");
        let message = failure["error"].as_str().expect("text");
        let first = message.split(": ").next().expect("some");
        assert!(err.starts_with("error: ") && err.contains(first), "{err}");
    }
}

#[test]
fn what_cairn_prints_and_logs_is_shown() {
    let script = "print('a')\nlog('b')\nprint('c')";
    let (status, out, err) = run("", &["exec", "--profile", "cairn", "-c", script]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "a\nb\nc\n", ""));
    let (_, out, _) = run("", &["exec", "--profile", "cairn", "--json", "-c", script]);
    let report: serde_json::Value = serde_json::from_str(&out).expect(&out);
    assert_eq!(report["log"], serde_json::json!("a\nb\nc\n"));
}
