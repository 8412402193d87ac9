//! A session whose process was killed goes on in another one.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rlm_sandbox::{
    Answer, CancelHandle, Context, ErrorKind, Journal, Limits, Look, Recording, Session,
    SessionBuilder, Step, Tool, ToolContext, Verdict,
};

use crate::check::{block_on, described, exec, sandbox, value};
use crate::replay::{Counting, check_identical, place, record, verdict};

/// Where such a process records.
pub(crate) const PATH: &str = "RLM_SANDBOX_TEST_RECORD_TO";

/// `paid` answers and counts how often, `stuck` answers only if it may.
fn builder(paid: &Arc<AtomicU64>, answers: bool) -> SessionBuilder {
    let paid = Arc::clone(paid);
    described()
        .tool(Tool::deferred("paid", move |_, (n,): (u64,)| {
            paid.fetch_add(1, Ordering::SeqCst);
            async move { Ok(n * 10) }
        }))
        .tool(Tool::deferred("stuck", move |_, (n,): (u64,)| async move {
            if !answers {
                std::future::pending::<()>().await;
            }
            Ok(n * 100)
        }))
}

/// Runs one test of this program again, as another process that records.
pub(crate) fn child(test: &str, path: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", test])
        .env(PATH, path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("another process")
}

/// Waits until the journal says so, and kills whoever writes it.
pub(crate) fn kill_when(mut child: Child, path: &Path, says: &str) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !fs::read_to_string(path).is_ok_and(|text| text.contains(says)) {
        assert!(Instant::now() < patience, "it never said {says}");
        assert!(child.try_wait().expect("asked").is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("waited for");
}

#[test]
fn a_session_that_was_killed_while_it_waited_goes_on_and_pays_nothing_twice() {
    if let Some(path) = std::env::var_os(PATH) {
        let recording = Recording::create(path).expect("a new file");
        let mut session = builder(&Arc::default(), false)
            .record(&recording)
            .open()
            .expect("right");
        exec(&mut session, "import random\nx = random.random()");
        exec(
            &mut session,
            "import asyncio\ny = await asyncio.gather(paid(1), stuck(2), paid(3))\n(x, y, random.random())",
        );
        return;
    }
    let (_folder, path) = place();
    let test =
        "rebuilding::a_session_that_was_killed_while_it_waited_goes_on_and_pays_nothing_twice";
    kill_when(child(test, &path), &path, "\"answer\":{\"ticket\":2");

    let paid = Arc::new(AtomicU64::new(0));
    let journal = Journal::open(&path).expect("a journal");
    assert_eq!(verdict(&path), Verdict::Unfinished);
    let mut session = block_on(journal.rebuild(builder(&paid, true))).expect("rebuilt");
    assert!(session.is_waiting());
    let outcome = block_on(session.finish()).expect("goes on");
    let (x, y, after): (f64, Vec<u64>, f64) = outcome.value().expect("a tuple");
    assert_eq!((y, paid.load(Ordering::SeqCst)), (vec![10, 200, 30], 0));

    // It is what it would have been.
    let mut other = builder(&paid, true).open().expect("right");
    exec(&mut other, "import random\nx = random.random()");
    let same = exec(
        &mut other,
        "import asyncio\ny = await asyncio.gather(paid(1), stuck(2), paid(3))\n(x, y, random.random())",
    );
    assert_eq!(
        same.value::<(f64, Vec<u64>, f64)>().expect("a tuple"),
        (x, vec![10, 200, 30], after)
    );
    assert_eq!(same.usage.fuel, outcome.usage.fuel);

    // And it went on recording.
    exec(&mut session, "z = 1");
    drop(session);
    assert_eq!(verdict(&path), Verdict::Identical);
}

#[test]
fn a_session_that_was_killed_while_it_ran_is_as_it_was_before_that_turn() {
    if let Some(path) = std::env::var_os(PATH) {
        let recording = Recording::create(path).expect("a new file");
        let mut limits = Limits::default();
        limits.time = Duration::from_secs(600);
        limits.fuel = Some(u64::MAX / 4);
        let builder = builder(&Arc::default(), false).limits(limits);
        let mut session = builder.record(&recording).open().expect("right");
        exec(&mut session, "x = [1]");
        exec(&mut session, "x.append(paid(2))\nwhile True: pass");
        return;
    }
    let (_folder, path) = place();
    let test = "rebuilding::a_session_that_was_killed_while_it_ran_is_as_it_was_before_that_turn";
    kill_when(child(test, &path), &path, "\"resume\"");

    let paid = Arc::new(AtomicU64::new(0));
    let journal = Journal::open(&path).expect("a journal");
    let mut session = block_on(journal.rebuild(builder(&paid, true))).expect("rebuilt");
    // It waits for the answer that it had before it ran on; this time somebody
    // ends it there.
    assert!(session.is_waiting());
    session.set_time_limit(Duration::from_millis(50));
    let outcome = block_on(session.finish()).expect("ended");
    assert!(!outcome.is_success());
    assert_eq!(paid.load(Ordering::SeqCst), 0);
    assert_eq!(value(&mut session, "x"), "[1]");
}

#[test]
fn a_torn_line_counts_as_not_written() {
    let (_folder, path) = place();
    let builder = || described().context(Context::text("a.txt", "text"));
    record(&path, builder(), |session| {
        exec(session, "x = 1");
        session.set("y", "a text").expect("JSON");
        exec(session, "x = later(2)");
        block_on(session.get("x")).expect("bound");
        block_on(session.variables(Look::reprs(9))).expect("listed");
    });
    let text = fs::read(&path).expect("readable");
    let ends: Vec<usize> = (1..text.len())
        .filter(|&at| text[at - 1] == b'\n')
        .collect();
    for cut in (ends[0]..text.len()).step_by(7).chain(ends) {
        fs::write(&path, &text[..cut]).expect("written");
        let journal = Journal::open(&path).expect("a journal");
        assert!(
            !journal.is_finished() && verdict(&path) == Verdict::Unfinished,
            "{cut}"
        );
        // Whose contexts count where none had been recorded yet.
        let mut session = block_on(journal.rebuild(builder())).expect("rebuilt");
        let mut done = outcomes(&text[..cut]);
        if session.is_waiting() {
            block_on(session.finish()).expect("goes on");
            done += 1;
        }
        assert_eq!(value(&mut session, "context"), "'text'", "{cut}");
        drop(session);
        let again = fs::read(&path).expect("readable");
        assert_eq!(verdict(&path), Verdict::Identical, "{cut}");
        assert_eq!(outcomes(&again), done + 1, "{cut}");
    }
}

fn outcomes(text: &[u8]) -> usize {
    let text = String::from_utf8_lossy(text);
    let lines = text.split_inclusive('\n');
    lines
        .filter(|line| line.starts_with("{\"outcome\"") && line.ends_with('\n'))
        .count()
}

#[test]
fn what_nothing_can_repeat_is_told_and_left_out_when_a_session_is_rebuilt() {
    let (_folder, path) = place();
    let mut limits = Limits::default();
    limits.time = Duration::from_millis(20);
    limits.grace = Duration::from_millis(1);
    record(&path, described().limits(limits), |session| {
        exec(session, "x = 1");
        exec(session, "echo(1); x = 2; 7 ** 10 ** 7 % 10");
        exec(session, "y = echo(x)");
    });
    let journal = Journal::open(&path).expect("a journal");
    let replayed = block_on(journal.replay(sandbox())).expect("replayed");
    let Verdict::NotReplayable { exec: number, why } = &replayed.verdict else {
        panic!("{replayed:?}");
    };
    assert_eq!((*number, replayed.execs), (1, 1));
    assert!(why.contains("killed"), "{why}");
    let mut session = block_on(journal.until(9, described())).expect("handed back");
    assert_eq!(value(&mut session, "x, y"), "(1, 1)");
    // No ticket is used twice.
    assert_eq!(exec(&mut session, "echo(3)").calls[0].ticket, 2);
}

#[test]
fn a_script_that_was_dropped_or_canceled_is_repeated_if_it_waited() {
    let (_folder, path) = place();
    record(&path, described().model(Counting), |session| {
        exec(session, "x = 1");
        // Dropped while it waits.
        let mut handle = None;
        block_on(async {
            let wait = tokio::time::timeout(
                Duration::from_millis(20),
                session.exec("x = 2; later(1, 60000)"),
            );
            wait.await.expect_err("dropped");
        });
        // Canceled while it waits.
        handle.replace(session.cancel_handle());
        cancel_soon(handle.as_ref().expect("there"));
        let outcome = exec(session, "x = 3; later(1, 60000)");
        assert!(!outcome.is_success());
        // Canceled while it runs.
        cancel_soon(handle.as_ref().expect("there"));
        let outcome = exec(session, "x = 4\nwhile True: pass");
        assert!(!outcome.is_success());
        exec(session, "x = x + 10");
    });
    check_identical(&path);
    // Dropped while it runs.
    let (_folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "x = 1");
        block_on(async {
            let run = tokio::time::timeout(
                Duration::from_millis(20),
                session.exec("x = 2\nwhile True: pass"),
            );
            run.await.expect_err("dropped");
        });
        exec(session, "x = x + 10");
    });
    let found = verdict(&path);
    assert!(
        matches!(found, Verdict::NotReplayable { exec: 1, .. }),
        "{found:?}"
    );
    let journal = Journal::open(&path).expect("a journal");
    let mut session: Session = block_on(journal.until(9, described())).expect("handed back");
    assert_eq!(value(&mut session, "x"), "11");
}

fn cancel_soon(handle: &CancelHandle) {
    let handle = handle.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        handle.cancel();
    });
}

#[test]
fn a_loop_of_ones_own_is_recorded_like_any_other() {
    let (_folder, path) = place();
    record(&path, described().model(Counting), |session| {
        let ask = "import asyncio\nawait asyncio.gather(*[llm_query(str(n)) for n in range(3)])";
        let mut step = block_on(session.step(ask)).expect("waits");
        // One by one, the last one first.
        while let Step::Waiting(calls) = step {
            let call = calls.last().expect("one that is asked").clone();
            let answer = Answer::value(format!("to {}", call.ticket)).expect("JSON");
            step = block_on(session.resume([(call.ticket, answer)])).expect("goes on");
        }
        exec(session, "1");
    });
    check_identical(&path);
}

#[test]
fn what_is_done_with_a_session_while_it_waits_is_recorded() {
    let (_folder, path) = place();
    record(&path, described().model(Counting), |session| {
        let ask = "class A: pass\na = A()\nb = llm_query('q'), repr(a), repr(A())\nb";
        block_on(session.step(ask)).expect("waits");
        session.set_time_limit(Duration::from_secs(9));
        block_on(session.park()).expect("written");
        block_on(session.fork()).expect("two of it");
        session.set("later_on", 1).expect("JSON");
        let answer = Answer::value("an answer").expect("JSON");
        block_on(session.resume([(0, answer)])).expect("goes on");
        exec(session, "repr(A()), later_on");
        block_on(session.fork()).expect("two of it");
        exec(session, "repr(A())");
    });
    check_identical(&path);
}

#[test]
fn a_session_may_be_dropped_while_it_waits() {
    let (_folder, path) = place();
    record(&path, described().model(Counting), |session| {
        exec(session, "x = 1");
        block_on(session.step("x = llm_query('q')")).expect("waits");
    });
    assert_eq!(verdict(&path), Verdict::Identical);
    let journal = Journal::open(&path).expect("a journal");
    let mut session = block_on(journal.rebuild(described().model(Counting))).expect("rebuilt");
    block_on(session.finish()).expect("goes on");
    assert_eq!(value(&mut session, "x"), "'q has 1'");
    drop(session);
    assert_eq!(verdict(&path), Verdict::Identical);
}

#[test]
fn what_no_script_did_may_be_killed_too() {
    let (_folder, path) = place();
    let mut limits = Limits::default();
    limits.time = Duration::from_millis(20);
    limits.grace = Duration::from_millis(1);
    record(&path, described().limits(limits), |session| {
        exec(
            session,
            "class A:\n    def __repr__(self): return str(7 ** 10 ** 7 % 10)\nx = A()",
        );
        block_on(session.variables(Look::reprs(9).user_reprs())).expect_err("killed");
        // While it waits the limit changes, and then it is killed.
        block_on(session.step("y = later(1)\nrepr(x)")).expect("waits");
        session.set_time_limit(Duration::from_millis(21));
        block_on(session.finish()).expect("an outcome");
        session.set_time_limit(Duration::from_millis(20));
        exec(session, "echo(1)");
    });
    let found = verdict(&path);
    assert!(
        matches!(found, Verdict::NotReplayable { exec: 1, .. }),
        "{found:?}"
    );
    let journal = Journal::open(&path).expect("a journal");
    let up_to = |exec| block_on(journal.replay_until(exec, sandbox())).expect("replayed");
    assert_eq!(up_to(1).verdict, Verdict::Identical);
    assert!(matches!(up_to(2).verdict, Verdict::NotReplayable { .. }));
    let mut session = block_on(journal.until(9, described())).expect("handed back");
    assert_eq!(session.limits().time, Duration::from_millis(20));
    let outcome = exec(&mut session, "echo(2)");
    let text = fs::read_to_string(&path).expect("text");
    let calls = text
        .lines()
        .filter(|line| line.starts_with("{\"call\""))
        .count();
    assert_eq!(outcome.calls[0].ticket, calls as u64);
}

#[test]
fn answers_that_had_come_are_kept_however_the_session_goes_on() {
    let (folder, path) = place();
    let paid = Arc::new(AtomicU64::new(0));
    let script = "import asyncio\nawait asyncio.gather(paid(1), paid(2), paid(3))";
    record(&path, builder(&paid, true), |session| {
        exec(session, script);
    });
    let text = fs::read_to_string(&path).expect("text");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = lines
        .iter()
        .position(|line| line.starts_with("{\"answer\""))
        .expect("answered");
    // All answers but the last, all of them, and the torn resumption.
    for (kept, missing) in [(first + 2, 1), (first + 3, 0), (first + 4, 0)] {
        for way in 0..3 {
            fs::write(&path, lines[..kept].concat()).expect("written");
            paid.store(0, Ordering::SeqCst);
            let journal = Journal::open(&path).expect("a journal");
            let mut session = block_on(journal.rebuild(builder(&paid, true))).expect("rebuilt");
            let outcome = match way {
                0 => block_on(session.finish()).expect("goes on"),
                1 => {
                    let calls = session.waiting_calls();
                    let answers: Vec<_> = calls
                        .iter()
                        .map(|call| (call.ticket, block_on(session.perform(call))))
                        .collect();
                    match block_on(session.resume(answers)).expect("goes on") {
                        Step::Done(outcome) => outcome,
                        step @ Step::Waiting(_) => panic!("{step:?}"),
                    }
                }
                _ => {
                    let parked = block_on(session.park()).expect("written");
                    drop(session);
                    let other = folder.path().join(format!("{kept}.jsonl"));
                    let recording = Recording::create(&other).expect("a new file");
                    let builder = builder(&paid, true).record(&recording);
                    session = builder.restore(&parked).expect("restored");
                    let outcome = block_on(session.finish()).expect("goes on");
                    drop(session);
                    assert_eq!(verdict(&other), Verdict::Identical, "{kept} lines");
                    session = described().open().expect("right");
                    outcome
                }
            };
            drop(session);
            assert_eq!(outcome.value::<Vec<u64>>().expect("numbers"), [10, 20, 30]);
            assert_eq!(
                paid.load(Ordering::SeqCst),
                missing,
                "{kept} lines, way {way}"
            );
            assert_eq!(
                verdict(&path),
                Verdict::Identical,
                "{kept} lines, way {way}"
            );
        }
    }
}

#[test]
fn a_call_has_one_answer_in_a_recording_that_goes_on() {
    let (_folder, path) = place();
    let paid = Arc::new(AtomicU64::new(0));
    record(&path, builder(&paid, true), |session| {
        exec(session, "paid(1)");
    });
    let text = fs::read_to_string(&path).expect("text");
    let resumed = text.find("{\"resume\"").expect("answered");
    fs::write(&path, &text[..resumed]).expect("written");
    let journal = Journal::open(&path).expect("a journal");
    let mut session = block_on(journal.rebuild(builder(&paid, true))).expect("rebuilt");
    let other = Answer::value(7).expect("JSON");
    let error = block_on(session.resume([(0, other)])).expect_err("another one");
    assert!(error.to_string().contains("another answer"), "{error}");
    let same = Answer::value(10).expect("JSON");
    let step = block_on(session.resume([(0, same)])).expect("the same");
    assert!(matches!(step, Step::Done(_)), "{step:?}");
    drop(session);
    check_identical(&path);
    let text = fs::read_to_string(&path).expect("text");
    assert_eq!(text.matches("{\"answer\":").count(), 1);
}

#[test]
fn no_plugin_takes_the_place_of_a_tool_in_a_recording_that_goes_on() {
    let declared = || Tool::declared("helper.double").parameters(["x"]);
    let others = ["ask", "fail", "size", "count", "much"];
    let parameters: [&[&str]; 5] = [&["prompts"], &["kind"], &["name"], &[], &["bytes"]];
    let builder = || {
        let tools = others.iter().zip(parameters).map(|(name, parameters)| {
            Tool::declared(format!("helper.{name}")).parameters(parameters.iter().copied())
        });
        let mut builder = sandbox().session().tool(declared());
        for tool in tools {
            builder = builder.tool(tool);
        }
        builder
    };
    let (_folder, path) = place();
    record(&path, builder(), |session| {
        block_on(session.step("helper.double(4)")).expect("waits");
    });
    let journal = Journal::open(&path).expect("a journal");
    let plugin = crate::plugins::session(&crate::plugins::Helper::default());
    let error = block_on(journal.rebuild(plugin)).expect_err("it is a plugin now");
    assert!(error.to_string().contains("no plugin"), "{error}");
    block_on(journal.rebuild(builder())).expect("as it was");
}

#[test]
fn what_is_rebuilt_or_answered_by_hand_leaves_its_room_to_others() {
    let mut limits = rlm_sandbox::SandboxLimits::default();
    limits.live_sessions = 1;
    let small = rlm_sandbox::Sandbox::builder()
        .limits(limits)
        .build()
        .expect("small");
    let (_folder, path) = place();
    let describe = || {
        let mut builder = small.session().seed(1);
        for tool in crate::check::tools() {
            builder = builder.tool(tool);
        }
        builder
    };
    record(&path, describe(), |session| {
        let step = block_on(session.step("later(1)")).expect("waits");
        let Step::Waiting(calls) = step else {
            panic!("{step:?}");
        };
        // While its call goes on, another session may run.
        let answer = session.perform(&calls[0]);
        let mut other = describe().open().expect("right");
        assert_eq!(value(&mut other, "1 + 1"), "2");
        let answer = block_on(answer);
        block_on(session.resume([(calls[0].ticket, answer)])).expect("goes on");
        exec(session, "x = 1");
    });
    let journal = Journal::open(&path).expect("a journal");
    let mut kept = Vec::new();
    for _ in 0..3 {
        kept.push(block_on(journal.until(1, describe())).expect("handed back"));
        kept.push(block_on(journal.until_call(0, describe())).expect("handed back"));
    }
    let rebuilt = block_on(journal.rebuild(describe())).expect("rebuilt");
    let mut other = describe().open().expect("right");
    assert_eq!(value(&mut other, "1 + 1"), "2");
    drop((kept, rebuilt));
}

#[test]
fn a_recording_that_goes_on_refuses_other_outputs() {
    let (_folder, path) = place();
    record(
        &path,
        sandbox().session().outputs([("answer", "str")]),
        |session| {
            exec(session, "1");
        },
    );
    let journal = Journal::open(&path).expect("a journal");
    let other = sandbox().session().outputs([("other", "str")]);
    let error = block_on(journal.rebuild(other)).expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    let mut session = block_on(journal.rebuild(sandbox().session())).expect("as before");
    exec(&mut session, "SUBMIT(answer='a')");
    drop(session);
    check_identical(&path);
}

/// Executions of the run that is killed, and calls that each has in flight at once.
const TURNS: u64 = 12;
const AT_ONCE: u64 = 5;

/// A session whose handlers write each call of theirs down, as a service would that is paid for.
fn paying(log: &Path) -> SessionBuilder {
    let write = |log: &Path, ticket: u64| {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(log);
        let file = file.as_mut().expect("a log");
        // One line at a time, whenever the process ends.
        std::io::Write::write_all(file, format!("{ticket}\n").as_bytes()).expect("written");
    };
    let (now, later) = (log.to_owned(), log.to_owned());
    described()
        .tool(Tool::immediate(
            "paid_at_once",
            move |context: &ToolContext, (n,): (u64,)| {
                write(&now, context.ticket());
                Ok(n + 1)
            },
        ))
        .tool(Tool::deferred(
            "paid",
            move |context: ToolContext, (n,): (u64,)| {
                write(&later, context.ticket());
                async move {
                    tokio::time::sleep(Duration::from_millis(1 + n % 4)).await;
                    Ok(n * 7)
                }
            },
        ))
}

/// Runs it, or goes on with it after a kill, to its end.
fn pay(path: &Path, log: &Path) {
    let mut session = match Journal::open(path) {
        Ok(journal) => block_on(journal.rebuild(paying(log))).expect("rebuilt"),
        Err(_) => {
            // Of one that was killed before its header was written there is nothing.
            let _ = fs::remove_file(path);
            let recording = Recording::create(path).expect("a new file");
            let session = paying(log).record(&recording).open();
            session.expect("right")
        }
    };
    if session.is_waiting() {
        block_on(session.finish()).expect("goes on");
    }
    let turn = block_on(session.get("turn")).expect("a value");
    let turn = turn.map_or(0, |turn| turn.get::<u64>().expect("a number"));
    for turn in turn..TURNS {
        let source = format!(
            "import asyncio\nfirst = paid_at_once({turn})\nmany = await asyncio.gather(*[paid(n) for n in range({AT_ONCE})])\n\
             one = paid(first)\nturn = {}\n(turn, many, one)",
            turn + 1
        );
        let outcome = exec(&mut session, &source);
        assert!(outcome.is_success(), "{outcome:?}");
    }
}

/// Returns the calls whose answers stand in a journal and are never asked for again: those that came later, and those at
/// once in turns that were handed back.
fn settled(path: &Path) -> BTreeSet<u64> {
    let text = fs::read(path).unwrap_or_default();
    let (mut settled, mut at_once) = (BTreeSet::new(), Vec::new());
    for line in String::from_utf8_lossy(&text).lines() {
        let Ok(line) = serde_json::from_str::<serde_json::Value>(line) else {
            // It was torn.
            break;
        };
        let ticket = |of: &str| line[of]["ticket"].as_u64();
        if let Some(ticket) = ticket("answer") {
            settled.insert(ticket);
        }
        if let (Some(ticket), true) = (
            ticket("call"),
            line["call"]["reply"]["returned"] != serde_json::Value::Null,
        ) {
            at_once.push(ticket);
        }
        if line["suspended"].is_object() || line["outcome"].is_object() {
            settled.extend(at_once.drain(..));
        }
    }
    settled
}

#[doc = "Keeps what a recording promises: what was paid for and recorded is not paid for again."]
#[test]
fn a_run_that_is_killed_at_any_moment_asks_for_no_answer_that_it_has() {
    if let Some(path) = std::env::var_os(PATH) {
        let path = Path::new(&path);
        pay(path, &path.with_extension("log"));
        return;
    }
    let test = "rebuilding::a_run_that_is_killed_at_any_moment_asks_for_no_answer_that_it_has";
    let kills = std::env::var("RLM_SANDBOX_TEST_KILLS")
        .map_or(500, |kills| kills.parse().expect("a number"));
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut killed, mut runs, mut again, mut asked) = (0, 0, 0, 0);
    while killed < kills {
        let (_folder, path) = place();
        let log = path.with_extension("log");
        let lines = || {
            let text = fs::read_to_string(&log).unwrap_or_default();
            let lines = text
                .lines()
                .map(|line| line.parse::<u64>().expect("a ticket"));
            lines.collect::<Vec<_>>()
        };
        loop {
            let (before, settled) = (lines().len(), settled(&path));
            let mut child = child(test, &path);
            // How long it takes until it does anything is no part of it.
            let patience = Instant::now() + Duration::from_secs(60);
            let mut status = None;
            while status.is_none() && lines().len() == before && Instant::now() < patience {
                std::thread::sleep(Duration::from_micros(200));
                status = child.try_wait().expect("asked");
            }
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            std::thread::sleep(Duration::from_micros((random >> 33) % 40_000));
            let _ = child.kill();
            let status = child.wait().expect("waited for");
            for ticket in &lines()[before..] {
                assert!(
                    !settled.contains(ticket),
                    "call {ticket} was asked again after {killed} kills"
                );
            }
            if status.success() {
                break;
            }
            killed += 1;
        }
        runs += 1;
        let all = lines();
        asked += all.len();
        again += all.len() - all.iter().collect::<BTreeSet<_>>().len();
        assert_eq!(verdict(&path), Verdict::Identical);
        // Each execution has one call at once, those side by side, and one more.
        let calls = all.iter().collect::<BTreeSet<_>>().len() as u64;
        assert_eq!(calls, TURNS * (AT_ONCE + 2));
    }
    #[expect(clippy::print_stderr, reason = "the figures are for people")]
    {
        eprintln!(
            "{killed} kills of {runs} runs: {asked} calls, of which {again} were in flight and came again"
        );
    }
}
