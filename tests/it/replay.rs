//! A recorded session comes out the same again, to the last unit of fuel, and
//! nothing that was changed in a journal goes unnoticed.

use std::path::{Path, PathBuf};

use rlm_sandbox::{
    Answer, Context, ErrorKind, Journal, Lm, LmAnswer, LmError, LmRequest, Recording, Session,
    SessionBuilder, Step, Verdict,
};

use crate::check::{block_on, described, exec, sandbox, value};

/// Answers with the length of the prompt, and says what it was.
pub(crate) struct Counting;

impl Lm for Counting {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let count = request.prompt.len();
        Ok(LmAnswer::new(format!("{} has {count}", request.prompt)))
    }
}

/// The folder of a test, and a journal in it.
pub(crate) fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    (folder, path)
}

/// Records what is done with a session.
pub(crate) fn record(path: &Path, builder: SessionBuilder, run: impl FnOnce(&mut Session)) {
    let recording = Recording::create(path).expect("a new file");
    let mut session = builder.record(&recording).open().expect("right");
    run(&mut session);
}

/// What came of replaying a journal.
#[track_caller]
pub(crate) fn verdict(path: &Path) -> Verdict {
    let journal = Journal::open(path).expect("a journal");
    block_on(journal.replay(sandbox()))
        .expect("replayed")
        .verdict
}

const MUCH: &str = "import random, time, asyncio
print(random.random(), time.time())
answers = await asyncio.gather(*[llm_query(f'{n} {random.random()}') for n in range(3)])
echo({'a': [1.5, None, 'ä']})
try:
    fail('KeyError', 'no')
except KeyError as e:
    print(e)
answers, later(0.1 + 0.2)";

#[test]
fn what_was_recorded_comes_out_the_same_again() {
    // RC-7.
    let (_folder, path) = place();
    let context = Context::text("log.txt", "a\nb\nc\n".repeat(2000));
    record(
        &path,
        described().model(Counting).context(context),
        |session| {
            exec(session, MUCH);
            session.set("given", vec![1, 2, 3]).expect("JSON");
            exec(session, "given.append(len(context)); given");
            block_on(session.get("given")).expect("bound");
            exec(session, "1 / 0");
            block_on(session.variables(20)).expect("listed");
            block_on(session.park()).expect("written");
            exec(session, "given, later(2)");
            session.reset().expect("idle");
            exec(session, "import random\nrandom.random()");
        },
    );
    let journal = Journal::open(&path).expect("a journal");
    let replayed = block_on(journal.replay(sandbox())).expect("replayed");
    assert_eq!(replayed.verdict, Verdict::Identical, "{journal}");
    assert_eq!((replayed.execs, replayed.calls), (5, 7));
}

#[test]
fn limits_of_each_kind_come_out_the_same_again() {
    for (script, change) in [
        ("while True: pass", 0),
        ("while True: pass", 1),
        ("x = 'a' * 10 ** 9", 2),
        ("while True: print('x' * 100)", 3),
        ("while True: echo(1)", 4),
        (
            "import asyncio\nawait asyncio.gather(*[later(n) for n in range(99)])",
            5,
        ),
        ("class A: pass\necho([A, A()])", 6),
        ("def f(n): return f(n + 1)\nf(0)", 6),
    ] {
        let (_folder, path) = place();
        let mut limits = rlm_sandbox::Limits::default();
        match change {
            0 => limits.time = std::time::Duration::from_millis(20),
            1 => limits.fuel = 20_000_000,
            2 => limits.memory_bytes = 1 << 20,
            3 => {
                limits.output_bytes = 10_000;
                limits.output_overflow = rlm_sandbox::Overflow::Stop;
            }
            4 => limits.calls = 50,
            5 => limits.open_calls = 10,
            _ => {}
        }
        record(&path, described().limits(limits), |session| {
            exec(session, "kept = 1");
            exec(session, script);
            exec(session, "kept + 1");
        });
        assert_eq!(
            verdict(&path),
            Verdict::Identical,
            "{script}: {}",
            Journal::open(&path).expect("read")
        );
    }
}

#[test]
fn a_session_is_handed_back_at_any_exec_and_answered_otherwise() {
    let (_folder, path) = place();
    record(&path, described().model(Counting), |session| {
        exec(session, "x = 1");
        exec(session, "x = llm_query('how many')");
        exec(session, "x = 3");
    });
    let journal = Journal::open(&path).expect("a journal");
    let mut before = block_on(journal.until(1, described())).expect("handed back");
    assert_eq!(value(&mut before, "x"), "1");
    let mut at = block_on(journal.until_call(0, described())).expect("handed back");
    let answer = Answer::value("none at all").expect("JSON");
    let step = block_on(at.resume([(0, answer)])).expect("goes on");
    assert!(matches!(step, Step::Done(_)), "{step:?}");
    assert_eq!(value(&mut at, "x"), "'none at all'");
    let error = block_on(journal.until_call(9, described())).expect_err("no such call");
    assert_eq!(error.kind(), ErrorKind::Usage);
}
