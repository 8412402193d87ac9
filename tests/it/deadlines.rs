//! Deadlines: time on the wall, waits and calls included. Each is far below what it ends, and
//! checked with a second to spare.

use std::time::{Duration, Instant};

use rlm_sandbox::{
    Answer, Ending, Journal, Limits, Outcome, Profile, Session, State, Step, Stop, Tool,
    ToolContext, Verdict,
};

use crate::check::{KEY, block_on, described, dumping, exec, sandbox, value};
use crate::replay::{place, record, verdict};

fn limits(deadline_ms: u64) -> Limits {
    let mut limits = Limits::default();
    limits.time = Duration::from_secs(30);
    limits.deadline = Some(Duration::from_millis(deadline_ms));
    limits
}

fn session(deadline_ms: u64) -> Session {
    described()
        .limits(limits(deadline_ms))
        .open()
        .expect("right")
}

fn with_tool(tool: Tool, deadline_ms: u64) -> Session {
    let session = described().tool(tool).limits(limits(deadline_ms));
    session.open().expect("right")
}

#[track_caller]
fn check_struck(outcome: &Outcome) {
    assert!(
        matches!(&outcome.ending, Ending::Stopped(Stop::Deadline, exception)
            if exception.kind == "TimeoutError" && exception.message.contains("deadline exceeded")),
        "{outcome:?}"
    );
    assert_eq!(outcome.state, State::RolledBack);
}

#[doc = "Keeps R3-12."]
#[test]
fn a_deadline_of_a_second_ends_a_call_of_four() {
    let mut session = session(1000);
    exec(&mut session, "x = 1");
    let since = Instant::now();
    let outcome = exec(
        &mut session,
        "x = 2\nprint('asked')\nx = later('late', 4000)",
    );
    let took = since.elapsed();
    check_struck(&outcome);
    assert_eq!(outcome.stdout, "asked\n");
    assert!(
        (Duration::from_secs(1)..Duration::from_secs(2)).contains(&took),
        "{took:?}"
    );
    assert_eq!(value(&mut session, "x"), "1");
    // What comes next has a deadline of its own.
    assert_eq!(value(&mut session, "later('soon', 10)"), "'soon'");
}

#[test]
fn a_deadline_ends_what_runs_and_what_sleeps_on_the_wall() {
    let mut session = session(300);
    for source in ["while True: pass", "n = sum(range(10 ** 13))"] {
        let since = Instant::now();
        check_struck(&exec(&mut session, source));
        assert!(since.elapsed() < Duration::from_secs(2), "{source}");
    }
    assert_eq!(value(&mut session, "1 + 1"), "2");
}

#[test]
fn an_immediate_tool_ends_its_execution_when_it_returns() {
    let slow = Tool::immediate("slow", |_: &ToolContext, (): ()| {
        std::thread::sleep(Duration::from_millis(700));
        Ok("late")
    });
    let mut session = with_tool(slow, 200);
    let outcome = exec(
        &mut session,
        "x = slow()\nprint('went on')\nwhile True: pass",
    );
    check_struck(&outcome);
    assert_eq!(outcome.calls.len(), 1);
    assert!(
        outcome.usage.compute < Duration::from_millis(500),
        "{:?}",
        outcome.usage
    );
}

#[test]
fn the_time_between_step_and_resume_counts() {
    let mut session = session(300);
    let Step::Waiting(calls) = block_on(session.step("x = later('a')")).expect("runs") else {
        panic!("it waits")
    };
    std::thread::sleep(Duration::from_millis(400));
    let answer = Answer::value("a").expect("JSON");
    let Step::Done(outcome) = block_on(session.resume([(calls[0].ticket, answer)])).expect("runs")
    else {
        panic!("it is done")
    };
    check_struck(&outcome);
    assert!(!session.is_waiting());
    assert_eq!(value(&mut session, "1 + 1"), "2");
}

#[test]
fn time_stands_still_while_a_session_is_stored() {
    let mut session = session(1500);
    let source = "x = later('a', 1)\nx";
    assert!(matches!(
        block_on(session.step(source)).expect("runs"),
        Step::Waiting(_)
    ));
    std::thread::sleep(Duration::from_millis(200));
    let parked = block_on(session.park()).expect("parks");
    let bytes = parked.to_bytes(KEY);
    drop(session);
    std::thread::sleep(Duration::from_millis(1600));
    let parked = rlm_sandbox::Parked::from_bytes(sandbox(), &bytes, KEY).expect("of ours");
    let mut restored = described().restore(&parked).expect("right");
    let outcome = block_on(restored.finish()).expect("goes on");
    assert!(outcome.is_success(), "{outcome:?}");
    // What was left goes with it.
    let mut late = described().restore(&parked).expect("right");
    std::thread::sleep(Duration::from_millis(1400));
    check_struck(&block_on(late.finish()).expect("goes on"));
}

#[test]
fn a_tool_that_waits_for_a_person_pauses_the_deadline() {
    let asks = Tool::deferred("ask", |context: ToolContext, (): ()| async move {
        let paused = context.pause_deadline();
        tokio::time::sleep(Duration::from_millis(600)).await;
        drop(paused);
        Ok("yes")
    });
    let mut session = with_tool(asks, 400);
    assert_eq!(value(&mut session, "ask()"), "'yes'");
    let outcome = exec(&mut session, "ask()\nlater('late', 2000)");
    check_struck(&outcome);
}

#[test]
fn a_deadline_ends_a_wait_for_room() {
    let mut all = rlm_sandbox::SandboxLimits::default();
    all.concurrent_execs = 1;
    let small = rlm_sandbox::Sandbox::builder()
        .limits(all)
        .build()
        .expect("an engine");
    let mut one = small
        .session()
        .limits(limits(20_000))
        .open()
        .expect("right");
    let mut other = small.session().limits(limits(300)).open().expect("right");
    block_on(async {
        let cancel = one.cancel_handle();
        let first = one.exec("while True: pass");
        let second = async {
            let since = Instant::now();
            let outcome = other.exec("1").await.expect("an outcome");
            cancel.cancel();
            (outcome, since.elapsed())
        };
        let (first, (second, took)) = tokio::join!(first, second);
        first.expect("an outcome");
        check_struck(&second);
        assert!(took < Duration::from_secs(2), "{took:?}");
    });
    assert_eq!(value(&mut other, "1 + 1"), "2");
}

#[test]
fn what_a_deadline_ended_is_replayed_exactly() {
    let (_folder, path) = place();
    record(&path, described().limits(limits(300)), |session| {
        check_struck(&exec(session, "x = later('late', 4000)"));
        check_struck(&exec(session, "print(1)\nwhile True: pass"));
        assert_eq!(value(session, "later(3, 1)"), "3");
    });
    assert_eq!(verdict(&path), Verdict::Identical);
    let text = std::fs::read_to_string(&path).expect("text");
    assert_eq!(text.matches("\"deadline\"").count(), 3, "{text}");
}

#[test]
fn profiles_say_it_in_the_words_of_their_source() {
    for (name, seconds) in [("apexflow", 30), ("cairn", 60)] {
        let limits = Profile::named(name).expect("carried").limits;
        assert_eq!(limits.deadline, Some(Duration::from_secs(seconds)));
    }
    let mut profile = Profile::named("apexflow").expect("carried");
    profile.limits.deadline = Some(Duration::from_secs(1));
    let mut session = described().profile(profile).open().expect("right");
    let outcome = exec(&mut session, "later('late', 4000)");
    let report = block_on(session.report(&outcome)).expect("a report");
    assert_eq!(report["error"], "Execution timed out after 1s", "{report}");
    let mut profile = Profile::named("cairn").expect("carried");
    profile.limits.deadline = Some(Duration::from_secs(1));
    let mut session = described().profile(profile).open().expect("right");
    let outcome = exec(&mut session, "later('late', 4000)");
    let report = block_on(session.report(&outcome)).expect("a report");
    assert_eq!(report["error_type"], "timeout", "{report}");
}

#[test]
fn a_script_that_waits_and_is_taken_up_from_its_journal_has_a_deadline() {
    let (_folder, path) = place();
    let builder = || described().limits(limits(300));
    record(&path, builder(), |session| {
        block_on(session.step("later('late', 4000)")).expect("it waits");
    });
    let journal = Journal::open(&path).expect("a journal");
    let mut session = block_on(journal.until_call(0, builder())).expect("it waits");
    let since = Instant::now();
    let outcome = block_on(session.finish()).expect("an outcome");
    check_struck(&outcome);
    assert!(
        since.elapsed() < Duration::from_secs(2),
        "{:?}",
        since.elapsed()
    );
}

/// Repeating the state takes longer than the deadline.
#[test]
fn a_deadline_stands_still_while_a_session_is_brought_back() {
    let mut limits = limits(2000);
    limits.time = Duration::from_secs(60);
    let mut session = dumping().session().limits(limits).open().expect("right");
    // With so many bytes live a base is due after some six seconds.
    assert_eq!(
        value(&mut session, "x = 'a' * 40_000_000\nn = 0\nlen(x)"),
        "40000000"
    );
    let mut repeated = Duration::ZERO;
    while repeated < Duration::from_millis(2500) {
        let outcome = exec(&mut session, "for i in range(1_000_000): n += 1\nn");
        assert!(matches!(outcome.ending, Ending::Value(_)), "{outcome:?}");
        repeated += outcome.usage.compute;
    }
    session.set_time_limit(Duration::from_millis(50));
    let stopped = exec(&mut session, "while True: pass");
    assert!(
        matches!(stopped.ending, Ending::Stopped(Stop::Time, _)),
        "{stopped:?}"
    );
    let since = Instant::now();
    assert_eq!(value(&mut session, "len(x)"), "40000000");
    // Else this shows nothing.
    assert!(
        since.elapsed() > Duration::from_millis(2000),
        "{:?}",
        since.elapsed()
    );
}
