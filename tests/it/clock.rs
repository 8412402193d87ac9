//! The time of day: it follows the real one between executions, and nothing within one.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rlm_sandbox::{Journal, Parked, Session, SessionBuilder, Step, Verdict};

use crate::check::{KEY, block_on, described, exec, sandbox, value};
use crate::readers::forge;
use crate::replay::{check_identical, place, record, verdict};

/// Returns what a script reads from the clock, in seconds since 1970.
fn time(session: &mut Session) -> f64 {
    let read = value(session, "import time\ntime.time()");
    read.parse().expect("a number")
}

/// Returns the real time, in seconds since 1970.
fn real() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.expect("after 1970").as_secs_f64()
}

/// Returns a session whose start is not set.
fn open() -> SessionBuilder {
    sandbox().session()
}

/// Waits until clocks that follow the real one have gone on.
fn wait() {
    std::thread::sleep(Duration::from_millis(2100));
}

#[track_caller]
fn follows(session: &mut Session) {
    let (read, now) = (time(session), real());
    assert!((now - 1.2..=now).contains(&read), "{read} {now}");
}

#[test]
fn the_time_of_day_follows_real_time_between_executions() {
    let mut plain = open().open().expect("right");
    let mut failing = open().open().expect("right");
    let mut waiting = open().tool(rlm_sandbox::Tool::declared("ask")).open();
    let waiting = waiting.as_mut().expect("right");
    let mut first = Vec::new();
    for session in [&mut plain, &mut failing, waiting] {
        follows(session);
        first.push(time(session));
    }
    let step = "import time\nt = time.time()\nask()\ntime.time() - t";
    let Step::Waiting(calls) = block_on(waiting.step(step)).expect("waits") else {
        panic!("it waits");
    };
    let mut fork = block_on(plain.fork()).expect("forks");
    let parked = block_on(plain.park()).expect("parks").to_bytes(KEY);
    wait();
    let failed = exec(&mut failing, "import time\nprint(time.time())\n1 / 0");
    assert!(!failed.is_success());
    let read: f64 = failed.stdout.trim().parse().expect("a number");
    assert!(read >= first[1] + 2.0, "{read} {}", first[1]);
    let parked = Parked::from_bytes(sandbox(), &parked, KEY).expect("reads");
    let mut restored = open().restore(&parked).expect("restores");
    for session in [&mut plain, &mut failing, &mut fork, &mut restored] {
        follows(session);
    }
    // A script that waits for an answer is within one execution.
    let answers = calls
        .iter()
        .map(|call| (call.ticket, rlm_sandbox::Answer::Returned(1.into())));
    let step = block_on(waiting.resume(answers.collect::<Vec<_>>())).expect("goes on");
    let Step::Done(outcome) = step else {
        panic!("it is done");
    };
    let passed: f64 = outcome.value().expect("a number");
    assert!(passed < 0.1, "{passed}");
    follows(waiting);
    // And a session that is reset begins again where it began, and goes on from there.
    plain.reset().expect("resets");
    follows(&mut plain);
}

#[test]
fn the_time_of_day_never_goes_back() {
    let mut session = open().open().expect("right");
    let before = time(&mut session);
    exec(&mut session, "import time\ntime.sleep(1000)");
    std::thread::sleep(Duration::from_millis(1100));
    let after = time(&mut session);
    assert!(
        (1000.0..1001.0).contains(&(after - before)),
        "{before} {after}"
    );
}

#[test]
fn a_clock_that_is_set_counts_fuel_and_sleeps_alone() {
    let mut session = described().open().expect("right");
    let before = time(&mut session);
    let parked = block_on(session.park()).expect("parks");
    std::thread::sleep(Duration::from_millis(1100));
    assert!(time(&mut session) - before < 0.1);
    let mut restored = described().restore(&parked).expect("restores");
    assert!(time(&mut restored) - before < 0.1);
}

#[test]
fn a_replay_reads_the_time_that_was_recorded() {
    let (_folder, path) = place();
    let mut read = 0.0;
    record(&path, open(), |session| {
        time(session);
        wait();
        read = time(session);
        exec(session, "import time\nprint(time.time())\n1 / 0");
    });
    let text = std::fs::read_to_string(&path).expect("readable");
    assert!(
        text.contains(r#""follows-time":true"#) && text.contains(r#""waited-s":2"#),
        "{text}"
    );
    check_identical(&path);
    let journal = Journal::open(&path).expect("reads");
    // A session that goes on with it is in the present.
    wait();
    let mut on = block_on(journal.rebuild(sandbox().session())).expect("goes on");
    assert!(time(&mut on) >= read + 2.0);
    follows(&mut on);
}

#[test]
fn a_clock_that_goes_back_was_not_recorded_so() {
    let (_folder, path) = place();
    record(&path, open(), |session| {
        for source in ["a = 1", "'x' * (10 ** 9)", "b = 1"] {
            exec(session, source);
        }
    });
    let text = std::fs::read_to_string(&path).expect("readable");
    // The second execution is rolled back, and its time with it.
    for (waited, is_identical) in [
        ([1, 2, 3], true),
        ([1, 5, 3], true),
        ([2, 1, 3], false),
        ([3, 4, 2], false),
        ([1, u64::MAX, 1], true),
    ] {
        std::fs::write(&path, &text).expect("written");
        let mut seconds = waited.into_iter();
        forge(&path, |line| {
            if let Some(exec) = line.get_mut("exec") {
                exec["waited-s"] = seconds.next().into();
            }
        });
        let verdict = verdict(&path);
        assert_eq!(
            verdict == Verdict::Identical,
            is_identical,
            "{waited:?} {verdict:?}"
        );
    }
    // One whose start was set stands still.
    let fixed = text.replace(r#""follows-time":true,"#, "");
    std::fs::write(&path, &fixed).expect("written");
    forge(&path, |line| {
        if let Some(exec) = line.get_mut("exec") {
            exec["waited-s"] = 1.into();
        }
    });
    assert_ne!(verdict(&path), Verdict::Identical);
}
