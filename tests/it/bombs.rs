//! What would hurt the process, tried in processes of their own.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rlm_sandbox::{
    Ending, Limits, Lm, LmAnswer, LmError, LmRequest, Parked, Session, State, Step, Stop, Tool,
    ToolContext, ToolError,
};
use serde_json::Value;

use crate::check::{KEY, block_on, described, exec, sandbox, session_with, value};
use crate::replay::Counting;

const ALONE: &str = "RLM_SANDBOX_TEST_ALONE";
const FILE: &str = "RLM_SANDBOX_TEST_FILE";

/// This program again, to run one test, which knows by [`ALONE`] or [`FILE`]
/// that it is there.
pub(crate) fn process(test: &str) -> Command {
    sandbox();
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args([test, "--exact", "--nocapture"]);
    command
}

/// Runs a test, named with its module, in a process of its own, where it can measure what
/// the process holds. Returns false in that process.
#[track_caller]
pub(crate) fn runs_alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return false;
    }
    let output = process(test).env(ALONE, "1").output().expect("starts");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let ran = String::from_utf8_lossy(&output.stdout).contains("1 passed");
    assert!(output.status.success() && ran, "{told}");
    true
}

/// Returns by how many bytes at the most the process grew while it did something.
pub(crate) fn growth_of(act: impl FnOnce()) -> u64 {
    let before = resident_bytes();
    // Resets the peak.
    fs::write("/proc/self/clear_refs", "5").expect("Linux has it");
    act();
    figure("VmHWM:").saturating_sub(before)
}

/// Resident bytes of this process.
pub(crate) fn resident_bytes() -> u64 {
    figure("VmRSS:")
}

fn figure(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find(|line| line.starts_with(name));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
    kilobytes
        .expect("a figure")
        .parse::<u64>()
        .expect("a number")
        << 10
}

#[doc = "Keeps R3-31, R3-32, D2, D3, D4, D5, D6."]
#[test]
fn memory_bombs_do_not_grow_the_process() {
    if !runs_alone("bombs::memory_bombs_do_not_grow_the_process") {
        explode();
    }
}

fn explode() {
    const BOMBS: [&str; 6] = [
        "x = 'x' * (10 ** 9)",
        "x = [0] * (10 ** 8)",
        "x = []\nwhile True: x.append('a' * 1_000_000)",
        "x = []\nwhile True: x = [x, x, [0] * 1000]",
        "x = ['a' * 100_000] * 10_000\ny = ''.join(x)",
        "x = {}\nfor n in range(10 ** 8): x[n] = str(n)",
    ];
    let mut kept = session_with(|limits| limits.time = Duration::from_secs(60));
    run(&mut kept, "mine = 'as it was'");
    let before = resident_bytes();
    for bomb in BOMBS {
        let mut other = session_with(|limits| limits.time = Duration::from_secs(60));
        for session in [&mut kept, &mut other] {
            let outcome = block_on(session.exec(bomb)).expect("an outcome");
            assert!(
                matches!(outcome.ending, Ending::Stopped(Stop::Memory, _)),
                "{bomb}: {outcome:?}"
            );
            let growth = resident_bytes().saturating_sub(before);
            assert!(growth < 50 << 20, "{bomb}: {growth} bytes more");
        }
        let outcome = block_on(kept.exec("mine")).expect("an outcome");
        assert_eq!(outcome.value::<String>().expect("text"), "as it was");
        let growth = resident_bytes().saturating_sub(before);
        assert!(growth < 50 << 20, "after {bomb}: {growth} bytes more");
    }
    // One more way to use memory up, which ends otherwise.
    let outcome = block_on(kept.exec("def f(n): return f(n + 1)\nf(0)")).expect("an outcome");
    assert!(
        matches!(&outcome.ending, Ending::Raised(exception) if exception.to_string().starts_with("RecursionError")),
        "{outcome:?}"
    );
    assert_eq!(outcome.state, State::Intact);
}

#[track_caller]
fn run(session: &mut Session, source: &str) {
    let outcome = block_on(session.exec(source)).expect("an outcome");
    assert!(outcome.is_success(), "{outcome:?}");
}

#[doc = "Keeps R3-10."]
#[test]
fn a_session_that_waits_outlives_its_process() {
    if let Some(file) = std::env::var_os(FILE) {
        return park_and_wait(Path::new(&file));
    }
    // What matters is in the bytes, wherever they are kept.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("session");
    let mut child = process("bombs::a_session_that_waits_outlives_its_process")
        .env(FILE, &file)
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let stdout = BufReader::new(child.stdout.take().expect("piped"));
    let parked = stdout
        .lines()
        .map_while(Result::ok)
        .any(|line| line == "parked");
    assert!(parked, "it never parked");
    child.kill().expect("it waits for that");
    child.wait().expect("it is gone");

    let bytes = fs::read(&file).expect("it wrote the session");
    let parked = Parked::from_bytes(sandbox(), &bytes, KEY).expect("whole");
    assert!(parked.is_waiting());
    let mut session = described().restore(&parked).expect("the same tools");
    let outcome = block_on(session.finish()).expect("an outcome");
    assert_eq!(outcome.stdout, "before\nafter\n");
    let value = outcome.value::<(u64, Vec<u64>)>().expect("a pair");
    assert_eq!(value, (41, vec![1, 2, 3]));
    run(&mut session, "assert total == 41 and kept() == 3");
}

/// Parks a session that waits, and waits to be killed.
fn park_and_wait(file: &Path) {
    let mut session = described().open().expect("right");
    run(&mut session, "xs = [1, 2]\ndef kept(): return len(xs)");
    let source = "print('before')\ntotal = later(41)\nxs.append(3)\nprint('after')\n(total, xs)";
    let step = block_on(session.step(source)).expect("a step");
    assert!(matches!(step, Step::Waiting(_)), "{step:?}");
    let parked = block_on(session.park()).expect("parks");
    fs::write(file, parked.to_bytes(KEY)).expect("written");
    let mut stdout = std::io::stdout();
    writeln!(stdout, "\nparked")
        .and_then(|()| stdout.flush())
        .expect("somebody reads");
    // Bounded, should nobody kill it.
    std::thread::sleep(Duration::from_secs(60));
}

#[test]
fn arguments_of_open_calls_take_bounded_memory() {
    if runs_alone("bombs::arguments_of_open_calls_take_bounded_memory") {
        return;
    }
    // Under default limits: lists of one element, and lists in lists.
    let scripts = [
        "y = [[1]] * 100_000\nresults = await asyncio.gather(*[take(y) for _ in range(200)])",
        "y = [[1]] * 1_300_000\nawait take(y)",
        "x = []\nfor _ in range(120): x = [x]\ny = [x] * 8000\nawait asyncio.gather(*[take(y) for _ in range(30)])",
    ];
    let take = |_: ToolContext, _: (Value,)| async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        Ok::<_, ToolError>(1)
    };
    for script in scripts {
        let mut session = sandbox()
            .session()
            .tool(Tool::deferred("take", take).awaitable())
            .open()
            .expect("right");
        let growth = growth_of(|| {
            let outcome = block_on(session.exec(&format!("import asyncio\n{script}")));
            let outcome = outcome.expect("an outcome");
            // What is too much by itself is an error of the call, which may be caught.
            let raises = !script.contains("range(200)");
            let is_raised = matches!(outcome.ending, Ending::Raised(_));
            assert!(
                !outcome.is_success() && is_raised == raises,
                "{script}: {outcome:?}"
            );
        });
        assert!(growth < 320 << 20, "{script}: {growth} bytes more");
    }
}

#[test]
fn answers_that_wait_for_another_call_take_bounded_memory() {
    if runs_alone("bombs::answers_that_wait_for_another_call_take_bounded_memory") {
        return;
    }
    // Larger than a tool may answer, and lists of small objects that are not.
    let answer = |_: ToolContext, (number,): (u64,)| async move {
        Ok::<_, ToolError>(match number % 2 {
            0 => Value::from("x".repeat(2 << 20)),
            _ => vec![serde_json::json!({"a": 0}); 4_000].into(),
        })
    };
    let slow = |_: ToolContext, (): ()| async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok::<_, ToolError>(1)
    };
    let session = sandbox().session();
    let mut session = session
        .tool(Tool::deferred("look", answer).awaitable())
        .tool(Tool::deferred("slow", slow).awaitable())
        .model(Talkative)
        .open()
        .expect("right");
    let script = "\
looks = [look(n) for n in range(100)]
answers = [await slow(), await looks[0], await looks[1]]
[type(one).__name__ for one in answers], answers[1]['error'], len(answers[2])";
    let growth = growth_of(|| {
        let outcome = block_on(session.exec(script)).expect("an outcome");
        let given: Option<(Vec<String>, String, u64)> = outcome.value().ok();
        let wanted = (
            ["int", "dict", "list"].map(String::from).to_vec(),
            String::from("response_too_large"),
            4_000,
        );
        assert_eq!(given, Some(wanted), "{outcome:?}");
    });
    assert!(growth < 192 << 20, "{growth} bytes more");
    let growth = growth_of(|| {
        let source = "llm_query_batched(['again'] * 50)";
        let outcome = block_on(session.exec(source)).expect("an outcome");
        let told = format!("{:?}", outcome.ending);
        assert!(
            told.contains("the model answered 209715351 bytes, more than the 1048576 it may"),
            "{told}"
        );
    });
    assert!(growth < 96 << 20, "{growth} bytes more");
}

/// Answers much more than it may.
struct Talkative;

impl Lm for Talkative {
    async fn answer(&self, _: LmRequest) -> Result<LmAnswer, LmError> {
        Ok(LmAnswer::new("x".repeat(4 << 20)))
    }
}

#[test]
fn a_value_of_very_many_small_ones_is_not_read() {
    if runs_alone("bombs::a_value_of_very_many_small_ones_is_not_read") {
        return;
    }
    let mut session = session_with(|limits| {
        limits.value_bytes = 16 << 20;
        limits.memory_bytes = 512 << 20;
        limits.time = Duration::from_secs(60);
    });
    let outcome = block_on(session.exec("[[1]] * 3_500_000")).expect("an outcome");
    let Ending::Value(Some(value)) = &outcome.ending else {
        panic!("{outcome:?}");
    };
    assert!(value.json.as_ref().expect("it fits").len() > 10_000_000);
    let growth = growth_of(|| {
        let error = value.get::<Value>().expect_err("2 GB");
        assert!(error.to_string().contains("many small values"), "{error}");
        let shown = outcome.to_exec_python().to_string();
        assert!(shown.contains("[[1], [1]"), "the repr stands for it");
    });
    assert!(growth < 256 << 20, "{growth} bytes more");
    let numbers = block_on(session.exec("list(range(1_500_000))")).expect("an outcome");
    let numbers = numbers.value::<Vec<u64>>().expect("of usual size");
    assert_eq!(numbers.len(), 1_500_000);
}

#[test]
fn prompts_without_text_take_bounded_memory() {
    let mut limits = Limits::default();
    limits.model_calls = u64::MAX;
    limits.memory_bytes = 512 << 20;
    let mut session = described()
        .limits(limits)
        .model(Counting)
        .open()
        .expect("right");
    // 200 bytes for each: more than sixteen times what a request may have.
    let outcome = exec(&mut session, "llm_query_batched([''] * 1_000_000)");
    let told = outcome
        .exception()
        .map(ToString::to_string)
        .unwrap_or_default();
    assert!(
        told.starts_with("ValueError") && told.contains("too many small prompts"),
        "{told}"
    );
    let source = "import asyncio\nx = [''] * 100_000\n\
                  await asyncio.gather(*[llm_query_batched(x) for _ in range(60)])";
    let outcome = exec(&mut session, source);
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Calls, _)),
        "{:?}",
        outcome.ending
    );
    assert!(outcome.calls.len() < 10, "{}", outcome.calls.len());
    assert_eq!(
        value(&mut session, "len(llm_query_batched(['a'] * 10))"),
        "10"
    );
}
