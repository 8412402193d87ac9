//! A recorded session comes out the same again, to the last unit of fuel, and
//! nothing that was changed in a journal goes unnoticed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rlm_sandbox::{
    Answer, Context, Ending, ErrorKind, Journal, Limits, Lm, LmAnswer, LmError, LmRequest, Look,
    Overflow, Parked, Profile, Recording, Sandbox, Session, SessionBuilder, Step, Tool,
    ToolContext, Verdict,
};

use crate::check::{
    KEY, block_on, described, dumped, dumping, exec, interpreter, root, sandbox, value,
};
use crate::mutations::resealed;

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

/// That a journal comes out the same again; else shows it.
#[track_caller]
pub(crate) fn check_identical(path: &Path) {
    let found = verdict(path);
    let journal = Journal::open(path).expect("a journal");
    assert_eq!(found, Verdict::Identical, "{journal}");
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
fn a_journal_says_what_budget_of_fuel_the_time_came_to() {
    let (_folder, path) = place();
    let mut limits = Limits::default();
    limits.time = Duration::from_millis(50);
    record(&path, described().limits(limits), |session| {
        exec(session, "while True: pass");
        session.set_time_limit(Duration::from_millis(60));
        exec(session, "while True: pass");
    });
    assert_eq!(verdict(&path), Verdict::Identical);
    let text = fs::read_to_string(&path).expect("text");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // With another budget the same scripts end earlier, whatever a second comes to here.
    for (written, other, exec) in [
        (
            "\"fuel_of_time\":12500000000",
            "\"fuel_of_time\":1000000",
            0,
        ),
        ("\"fuel\":\"15000000000\"", "\"fuel\":\"1000000\"", 1),
    ] {
        assert_eq!(text.matches(written).count(), 1, "{text}");
        let forged: Vec<String> = lines
            .iter()
            .map(|line| line.replace(written, other))
            .collect();
        fs::write(&path, resealed(&forged)).expect("written");
        match verdict(&path) {
            Verdict::Diverged(divergence) => {
                assert_eq!(divergence.exec, Some(exec), "{divergence}")
            }
            other => panic!("{other:?}"),
        }
    }
}

#[doc = "Keeps RC-7."]
#[test]
fn what_was_recorded_comes_out_the_same_again() {
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
            block_on(session.variables(Look::reprs(20))).expect("listed");
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
            0 => limits.time = Duration::from_millis(20),
            1 => limits.fuel = Some(20_000_000),
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
            let outcome = exec(session, script);
            assert!(!outcome.is_success(), "{script}: {outcome:?}");
            let is_stopped = matches!(outcome.ending, Ending::Stopped(..));
            assert_eq!(is_stopped, change < 6, "{script}: {outcome:?}");
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
fn two_limits_between_two_reads_of_the_clock_come_out_the_same_again() {
    for (call, calls) in [
        ("print(s.replace('ab', 'cd'))", 1000),
        ("echo(1); s.replace('ab', 'cd'); echo(2)", 1),
    ] {
        for million in 1..6 {
            let (_folder, path) = place();
            let mut limits = Limits::default();
            (limits.time, limits.grace) = (Duration::from_millis(5), Duration::from_millis(500));
            (limits.output_overflow, limits.output_bytes, limits.calls) =
                (Overflow::Stop, 10, calls);
            record(&path, described().limits(limits), |session| {
                exec(
                    session,
                    &format!("s = 'ab' * {}; {call}", million * 100_000),
                );
            });
            check_identical(&path);
        }
    }
}

#[test]
fn wrong_arguments_where_errors_are_text_come_out_the_same_again() {
    let (_folder, path) = place();
    let profile = Profile::named("apexflow").expect("there");
    let one = |_: ToolContext, (one,): (i64,)| async move { Ok(one) };
    let builder = sandbox().session().profile(profile);
    let builder = builder.tool(Tool::deferred("later", one).parameters(["one"]));
    record(&path, builder, |session| {
        let outcome = exec(session, "print(later(1, 2))\nprint(later(3))");
        assert!(
            outcome
                .stdout
                .starts_with("ERROR: later() takes 1 positional argument"),
            "{outcome:?}"
        );
    });
    check_identical(&path);
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

#[test]
fn a_journal_is_replayed_by_another_process_with_other_threads_and_a_pool() {
    // The other process is this test, told where the journal is.
    const PATH: &str = "RLM_SANDBOX_TEST_REPLAY";
    if let Some(path) = std::env::var_os(PATH) {
        let sandbox = Sandbox::builder().live_sessions(8).build().expect("a pool");
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder
            .worker_threads(4)
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            for n in 0..1000 {
                let mut other = sandbox.session().open().expect("right");
                other.exec(&format!("{n} + 1")).await.expect("runs");
            }
            let replays = (0..8).map(|_| {
                let (sandbox, path) = (sandbox.clone(), path.clone());
                tokio::spawn(async move {
                    let journal = Journal::open(path).expect("a journal");
                    journal.replay(&sandbox).await.expect("replayed").verdict
                })
            });
            for replay in replays.collect::<Vec<_>>() {
                assert_eq!(replay.await.expect("ended"), Verdict::Identical);
            }
        });
        return;
    }
    let (_folder, path) = place();
    let mut limits = rlm_sandbox::Limits::default();
    limits.time = Duration::from_millis(50);
    record(
        &path,
        described().model(Counting).limits(limits),
        |session| {
            exec(session, MUCH);
            exec(session, "while True: pass");
            exec(session, MUCH);
        },
    );
    let test = "replay::a_journal_is_replayed_by_another_process_with_other_threads_and_a_pool";
    let status = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", test])
        .env(PATH, &path)
        .status();
    assert!(status.expect("runs").success());
}

#[test]
fn a_session_that_begins_with_a_parked_one_is_recorded_with_it() {
    let (_folder, path) = place();
    let context = || Context::text("log.txt", "a\nb\n".repeat(5000));
    let mut first = described()
        .model(Counting)
        .context(context())
        .open()
        .expect("right");
    exec(&mut first, "n = len(context)");
    block_on(first.step("m = llm_query(f'{n}')")).expect("waits");
    let parked = block_on(first.park()).expect("written");
    let parked = Parked::from_bytes(sandbox(), &parked.to_bytes(KEY), KEY).expect("read");
    let recording = Recording::create(&path).expect("a new file");
    let builder = described()
        .model(Counting)
        .context(context())
        .record(&recording);
    let mut session = builder.restore(&parked).expect("restored");
    block_on(session.finish()).expect("goes on");
    exec(&mut session, "n, m, len(context)");
    drop(session);
    let journal = Journal::open(&path).expect("a journal");
    let replayed = block_on(journal.replay(sandbox())).expect("replayed");
    assert_eq!(replayed.verdict, Verdict::Identical, "{journal}");
    assert_eq!(replayed.execs, 1);
    // It says of what nothing compares which it is.
    let digest = journal.begins_with().expect("it begins with one");
    let says = format!("begins with a parked session, which nothing compares: sha256 {digest}");
    assert!(journal.to_string().contains(&says), "{journal}");
    let mut again = block_on(journal.at_end(described().model(Counting))).expect("at its end");
    let outcome = exec(&mut again, "m, n");
    let values: (String, u64) = outcome.value().expect("two values");
    assert_eq!(values, (String::from("20000 has 5"), 20000));
}

#[test]
fn rebases_are_part_of_what_is_replayed() {
    let (_folder, path) = place();
    record(&path, dumped(), |session| {
        exec(session, "class A: pass\nkept = [A() for _ in range(50)]");
        for _ in 0..40 {
            exec(
                session,
                "for n in range(20000): pass\n[repr(A()), len({str(n) for n in range(100)})]",
            );
        }
    });
    let text = fs::read_to_string(&path).expect("text");
    assert!(text.contains("{\"base\":{\"asked\":false"), "none was due");
    assert_eq!(verdict(&path), Verdict::Identical);
    let journal = Journal::open(&path).expect("a journal");
    let replayed = block_on(journal.replay(dumping())).expect("replayed");
    assert_eq!(replayed.verdict, Verdict::Identical, "{journal}");
    // A journal without one differs in what comes after it.
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let bases = lines.iter().position(|line| line.starts_with("{\"base\":"));
    lines.remove(bases.expect("one"));
    fs::write(&path, crate::mutations::resealed(&lines)).expect("written");
    let Verdict::Diverged(divergence) = verdict(&path) else {
        panic!("a base was left out");
    };
    let what = &divergence.what;
    assert!(what.starts_with("the outcome of exec"), "{divergence:?}");
}

#[test]
fn values_that_are_costly_to_set_are_no_fuel_of_the_script_and_replay() {
    let (_folder, path) = place();
    let mut fuel = Vec::new();
    record(&path, dumped(), |session| {
        for bytes in [1000, 2_500_000, 4_500_000] {
            session.set("a", "s".repeat(bytes)).expect("JSON");
            session.set("b", "s".repeat(bytes)).expect("JSON");
            fuel.push(block_on(session.exec("x = 1")).expect("runs").usage.fuel);
        }
    });
    assert!(fuel.iter().all(|used| *used < 2 * fuel[0]), "{fuel:?}");
    let text = fs::read_to_string(&path).expect("text");
    assert!(text.contains("{\"base\":{\"asked\":false"), "none was due");
    assert_eq!(verdict(&path), Verdict::Identical);
    let journal = Journal::open(&path).expect("a journal");
    let mut session = block_on(journal.rebuild(dumped())).expect("rebuilt");
    exec(&mut session, "y = 2");
    drop(session);
    assert_eq!(verdict(&path), Verdict::Identical);
}

#[test]
fn a_recording_says_that_a_base_was_due_and_broken_off() {
    let (_folder, path) = place();
    record(&path, dumped(), |session| {
        session.set("a", "s".repeat(4_500_000)).expect("JSON");
        exec(session, "x = 1");
    });
    let text = fs::read_to_string(&path).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let base = lines
        .iter()
        .position(|line| line.starts_with("{\"base\":"))
        .expect("one was due");
    // The script used the instance in which the value was set; so far nothing differs.
    lines[base] = String::from(r#"{"base":{"asked":false,"bytes":0,"digest":""},"sum":"0"}"#);
    fs::write(&path, crate::mutations::resealed(&lines)).expect("written");
    let Verdict::Diverged(divergence) = verdict(&path) else {
        panic!("the fuel is that behind a base");
    };
    assert_eq!(divergence.what, "the outcome of exec 0: fuel");
}

#[test]
fn a_redacted_recording_holds_no_data_and_can_be_compared_but_not_replayed() {
    let run = |path: &Path, key: &[u8], secret: &str| {
        let recording = Recording::create(path)
            .expect("a new file")
            .redact(key)
            .expect("a key");
        let context = Context::text("secret.txt", secret);
        let builder = described()
            .model(Counting)
            .context(context)
            .record(&recording);
        let mut session = builder.open().expect("right");
        session.set("given", secret).expect("JSON");
        exec(
            &mut session,
            "print(context)\necho(given)\nllm_query(context)",
        );
        exec(&mut session, "raise ValueError(given)");
    };
    let (folder, one) = place();
    let path = |name: &str| folder.path().join(name);
    run(&one, b"key", "swordfish");
    run(&path("two"), b"key", "swordfish");
    run(&path("three"), b"key", "starfish.");
    run(&path("four"), b"another key", "swordfish");
    let text = fs::read_to_string(&one).expect("text");
    assert!(!text.contains("swordfish"), "{text}");
    assert!(!one.with_extension("jsonl.data").exists());
    let open = |path: &Path| Journal::open(path).expect("a journal");
    assert_eq!(open(&one).compare(&open(&path("two"))), None);
    let differs = open(&one)
        .compare(&open(&path("three")))
        .expect("another secret");
    assert!(differs.what.contains("the contexts"), "{differs}");
    assert!(open(&one).compare(&open(&path("four"))).is_some());
    let error = block_on(open(&one).replay(sandbox())).expect_err("nothing to replay");
    assert_eq!(error.kind(), ErrorKind::Journal);
    assert!(error.to_string().contains("redacted"), "{error}");
}

#[test]
fn a_recording_is_of_one_session_and_replaces_nothing() {
    let (_folder, path) = place();
    let recording = Recording::create(&path).expect("a new file");
    let builder = described().record(&recording);
    let mut session = builder.clone().open().expect("right");
    let error = builder.open().expect_err("taken");
    assert_eq!(error.kind(), ErrorKind::Usage);
    let error = Recording::create(&path).expect_err("there is one");
    assert!(error.to_string().contains("remove it"), "{error}");
    exec(&mut session, "1");
    drop(session);
    assert_eq!(verdict(&path), Verdict::Identical);
    for (text, says) in [
        ("", "not a journal"),
        ("{}\n", "not a journal"),
        (
            "{\"header\":{\"journal\":99},\"sum\":\"0000000000000000\"}\n",
            "format 99",
        ),
        (
            "{\"header\":{\"journal\":1},\"sum\":\"0000000000000000\"}\n",
            "it is of format 1, and this version reads 2; use the version that wrote it",
        ),
        (
            "{\"header\":{\"journal\":2},\"sum\":\"00000000\"}\n",
            "its header cannot be read",
        ),
    ] {
        fs::write(&path, text).expect("written");
        let error = Journal::open(&path).expect_err("no journal");
        assert_eq!(error.kind(), ErrorKind::Journal);
        assert!(error.to_string().contains(says), "{error}");
    }
}

/// Where one journal is kept for each interpreter that was released.
fn journals() -> PathBuf {
    root().join("tests/journals")
}

#[test]
fn journals_of_every_interpreter_come_out_the_same_again() {
    let mine = journals().join(format!("{}.jsonl", &sandbox().guest_digest()[..16]));
    if std::env::var_os("UPDATE_EXPECT").is_some() && !mine.exists() {
        crate::mutations::recorded(&mine);
    }
    assert!(
        mine.exists(),
        "there is no journal of this interpreter; UPDATE_EXPECT=1 records one, and those of interpreters that were \
         never released can go"
    );
    for entry in fs::read_dir(journals()).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "jsonl")
        {
            continue;
        }
        let journal = Journal::open(&path).expect("a journal");
        let needed = journal.guest_digest();
        let sandbox = match std::env::var_os("RLM_SANDBOX_GUESTS") {
            _ if needed == sandbox().guest_digest() => sandbox().clone(),
            Some(guests) => {
                let path = Path::new(&guests).join(format!("{needed}.wasm"));
                let wasm = fs::read(path).expect("the interpreter that it needs");
                Sandbox::builder().guest(wasm).build().expect("it fits")
            }
            // Interpreters are large, and kept with their releases.
            None => continue,
        };
        let replayed = match journal.engine_version() == sandbox.engine_version() {
            true => block_on(journal.replay(&sandbox)),
            false => block_on(journal.replay_ignoring_fuel(&sandbox)),
        };
        let verdict = replayed.expect("replayed").verdict;
        assert_eq!(verdict, Verdict::Identical, "{}", path.display());
    }
}

#[test]
fn an_interpreter_in_a_file_is_as_good_as_the_one_within() {
    let (_folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "1 + 1");
    });
    let wasm = interpreter();
    let same = Sandbox::builder()
        .guest(wasm.clone())
        .build()
        .expect("it fits");
    assert_eq!(same.guest_digest(), sandbox().guest_digest());
    let journal = Journal::open(&path).expect("a journal");
    let replayed = block_on(journal.replay(&same)).expect("replayed");
    assert_eq!(replayed.verdict, Verdict::Identical);
    // Any other is told apart by its digest; a custom section changes nothing else.
    let mut other = wasm;
    other.extend_from_slice(&[0, 2, 1, b'x']);
    let other = Sandbox::builder().guest(other).build().expect("it fits");
    let error = block_on(journal.replay(&other)).expect_err("another interpreter");
    assert_eq!(error.kind(), ErrorKind::Journal);
    for word in [sandbox().guest_digest(), other.guest_digest(), "--guest"] {
        assert!(error.to_string().contains(word), "{error}");
    }
    assert!(Sandbox::builder().guest(b"no wasm").build().is_err());
}

#[test]
fn a_long_conversation_is_replayed() {
    let (_folder, path) = place();
    let recording = rlm_sandbox::Recording::create(&path).expect("a new file");
    let text = "x".repeat(3_000_000);
    let builder = described().history(serde_json::json!([{"role": "user", "content": text}]));
    let mut session = builder.record(&recording).open().expect("right");
    let outcome = exec(&mut session, "len(history[0]['content'])");
    assert_eq!(outcome.value::<usize>().expect("a number"), text.len());
    // A text that begins as a key that is reserved is a text.
    exec(&mut session, "print('$serde_json::private::RawValue')");
    drop(session);
    check_identical(&path);
}

#[test]
fn an_answer_that_no_journal_holds_is_an_error_and_the_recording_goes_on() {
    let (_folder, path) = place();
    let recording = rlm_sandbox::Recording::create(&path).expect("a new file");
    let tool = rlm_sandbox::Tool::with_arguments("deep", |_, _| async {
        let deep = (0..500).fold(serde_json::json!(1), |inner, _| serde_json::json!([inner]));
        Ok::<_, rlm_sandbox::ToolError>(deep)
    });
    let builder = sandbox().session().tool(tool).record(&recording);
    let mut session = builder.open().expect("right");
    let code = "try:\n    deep()\nexcept ValueError as error:\n    said = str(error)\nsaid";
    let outcome = exec(&mut session, code);
    let said = outcome.value::<String>().expect("text");
    assert!(said.contains("nests too deeply"), "{said}");
    exec(&mut session, "x = 1");
    drop(session);
    check_identical(&path);
}

#[test]
fn a_forged_budget_is_found() {
    let (_folder, path) = place();
    let mut limits = Limits::default();
    limits.model_calls = 3;
    record(
        &path,
        described().limits(limits).model(Counting),
        |session| {
            exec(session, "llm_query('a')\nbudget()");
        },
    );
    check_identical(&path);
    let text = fs::read_to_string(&path).expect("text");
    for (written, other) in [
        ("\"llm_calls_left\":2", "\"llm_calls_left\":424242"),
        ("\"time_left_s\":5.0", "\"time_left_s\":6.0"),
        ("\"tokens_left\":null", "\"tokens_left\":7"),
        ("\"depth_left\":0", "\"depth_left\":\"0\""),
    ] {
        let forged: Vec<String> = text
            .lines()
            .map(|line| line.replace(written, other))
            .collect();
        assert_ne!(resealed(&forged), text, "{written}: {text}");
        fs::write(&path, resealed(&forged)).expect("written");
        // What the script makes of it does not matter: a forger could say that it was canceled.
        match verdict(&path) {
            Verdict::Diverged(divergence) => {
                let what = &divergence.what;
                assert!(
                    what.contains("a reply that no session"),
                    "{written}: {divergence}"
                );
            }
            other => panic!("{written}: {other:?}"),
        }
    }
}

#[test]
fn no_script_is_ended_by_a_deadline_that_its_session_has_not() {
    let (_folder, path) = place();
    record(&path, described(), |session| {
        let step = block_on(session.step("later(1)")).expect("begins");
        assert!(matches!(step, Step::Waiting(_)));
        block_on(session.abandon()).expect("ends");
    });
    check_identical(&path);
    let text = fs::read_to_string(&path).expect("text");
    let forged: Vec<String> = text
        .lines()
        .map(|line| line.replace("\"stop\":\"canceled\"", "\"stop\":\"deadline\""))
        .collect();
    assert_ne!(resealed(&forged), text, "{text}");
    fs::write(&path, resealed(&forged)).expect("written");
    match verdict(&path) {
        Verdict::Diverged(divergence) => {
            assert!(divergence.what.contains("contradicts"), "{divergence}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_line_that_was_changed_is_a_difference_also_where_it_is_not_compared() {
    let (folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "later(1)");
    });
    let copy = folder.path().join("copy.jsonl");
    fs::copy(&path, &copy).expect("copied");
    let open = |path: &Path| Journal::open(path).expect("a journal");
    assert_eq!(open(&path).compare(&open(&copy)), None);
    let text = fs::read_to_string(&path).expect("text");
    let changed = text.replace("\"compute-us\":", "\"compute-us\":1");
    assert_ne!(changed, text);
    fs::write(&copy, changed).expect("written");
    for (one, other, which) in [(&path, &copy, "second"), (&copy, &path, "first")] {
        let found = open(one).compare(&open(other)).expect("a difference");
        assert!(found.what.contains(which), "{found}");
    }
}
