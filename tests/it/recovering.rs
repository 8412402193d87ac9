//! What it costs to bring a session back after failures, and how often it is paid.

use std::path::Path;
use std::time::{Duration, Instant};

use rlm_sandbox::{
    Answer, Ending, Faults, Journal, Limits, OnError, Outcome, Profile, Session, State, Step, Stop,
};

use crate::check::{block_on, dumped as described, dumping as sandbox, exec, value};
use crate::replay::{check_identical, place, record};

fn session() -> Session {
    described().open().expect("right")
}

/// An execution that costs more to repeat than to write its state, and too little to have it
/// written when it ends.
const COSTLY: &str = "s = sum(i * i for i in range(40_000))";

/// An execution that fails at once.
const FAILURE: &str = "'x' * (10 ** 9)";

/// Has a script fail, and returns what the execution after it paid to bring the session back.
fn fail_and_go_on(session: &mut Session) -> u64 {
    let outcome = exec(session, FAILURE);
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Memory, _)),
        "{outcome:?}"
    );
    recovery(session)
}

fn recovery(session: &mut Session) -> u64 {
    let outcome = exec(session, "len(kept)");
    assert!(outcome.is_success(), "{outcome:?}");
    outcome.usage.recovery_fuel
}

fn begin(session: &mut Session) -> u64 {
    let outcome = exec(session, &format!("kept = [1]\n{COSTLY}"));
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(outcome.usage.recovery_fuel, 0);
    outcome.usage.fuel
}

#[test]
fn what_was_costly_is_repeated_once_whatever_fails_later() {
    let mut session = session();
    let fuel = begin(&mut session);
    let first = fail_and_go_on(&mut session);
    assert!(first >= fuel, "{first} of {fuel}");
    for _ in 0..5 {
        let later = fail_and_go_on(&mut session);
        assert!(later > 0 && later < first / 3, "{later} of {first}");
    }
    assert_eq!(value(&mut session, "(kept, s > 0)"), "([1], True)");
}

#[test]
fn many_small_repetitions_are_repeated_a_few_times_only() {
    let mut session = session();
    begin(&mut session);
    fail_and_go_on(&mut session);
    let mut repeated = session.repeated_fuel();
    let outcome = exec(&mut session, "s = sum(i for i in range(20_000))");
    let small = outcome.usage.fuel;
    for _ in 0..60 {
        exec(&mut session, FAILURE);
        exec(&mut session, "1");
    }
    repeated = session.repeated_fuel() - repeated;
    let all = 60 * small;
    assert!(repeated < all / 2, "{repeated} of {all}");
}

#[test]
fn an_execution_that_nothing_failed_before_pays_no_recovery() {
    let mut session = session();
    begin(&mut session);
    for _ in 0..5 {
        assert_eq!(recovery(&mut session), 0);
    }
    assert_eq!(session.repeated_fuel(), 0);
}

#[test]
fn inspections_and_values_pay_once_too() {
    let mut session = session();
    let fuel = begin(&mut session);
    exec(&mut session, FAILURE);
    let shown = block_on(session.get("kept")).expect("idle");
    assert!(shown.is_some());
    assert!(session.repeated_fuel() >= fuel);
    let repeated = session.repeated_fuel();
    for _ in 0..3 {
        exec(&mut session, FAILURE);
        let _ = block_on(session.get("kept")).expect("idle");
        session.set("given", 1).expect("a name");
        exec(&mut session, "given");
    }
    let more = session.repeated_fuel() - repeated;
    assert!(more < fuel / 10, "{more} of {fuel}");
}

/// Records failures after something costly; returns their outcomes.
fn record_failures(path: &Path) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    record(path, described(), |session| {
        begin(session);
        for n in 0..4 {
            outcomes.push(exec(session, FAILURE));
            outcomes.push(exec(session, &format!("kept.append({n})\nid(kept)")));
        }
    });
    outcomes
}

/// The bases that a journal notes.
fn bases(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).expect("a journal");
    text.lines()
        .filter(|line| line.starts_with("{\"base\""))
        .count()
}

#[test]
fn a_recording_of_failures_replays_to_the_last_unit_of_fuel() {
    let (_folder, path) = place();
    let outcomes = record_failures(&path);
    assert_eq!(bases(&path), 1);
    assert!(outcomes[1].usage.recovery_fuel > outcomes[3].usage.recovery_fuel);
    check_identical(&path);
}

#[test]
fn a_failure_that_nothing_can_repeat_leaves_its_base_in_the_replay() {
    let (_folder, path) = place();
    let mut limits = Limits::default();
    limits.time = Duration::from_millis(300);
    record(&path, described().limits(limits), |session| {
        begin(session);
        // One long builtin: it is killed between two checkpoints.
        let outcome = exec(session, "n = 10 ** (10 ** 8)");
        assert_eq!(outcome.state, State::RolledBack, "{outcome:?}");
        exec(session, "kept.append(id(kept))");
    });
    assert_eq!(bases(&path), 1);
    let journal = Journal::open(&path).expect("a journal");
    let mut again = block_on(journal.until(9, described())).expect("followed");
    assert_eq!(value(&mut again, "len(kept)"), "2");
}

#[test]
fn a_session_goes_on_from_any_place_of_such_a_journal() {
    let (_folder, path) = place();
    record_failures(&path);
    let journal = Journal::open(&path).expect("a journal");
    for (exec, length) in [(1, 1), (2, 1), (3, 2), (5, 3), (7, 4), (99, 5)] {
        let mut again = block_on(journal.until(exec, described())).expect("followed");
        assert_eq!(value(&mut again, "len(kept)"), length.to_string(), "{exec}");
    }
    let mut again = block_on(journal.rebuild(described())).expect("followed");
    for _ in 0..3 {
        fail_and_go_on(&mut again);
    }
    drop(again);
    check_identical(&path);
}

#[test]
fn a_stored_session_and_a_fork_pay_for_their_own_failures() {
    let mut session = session();
    let fuel = begin(&mut session);
    fail_and_go_on(&mut session);
    let mut fork = block_on(session.fork()).expect("written");
    let parked = block_on(session.park()).expect("written");
    let builder = sandbox().session();
    let mut restored = builder.restore(&parked).expect("right");
    for session in [&mut fork, &mut restored] {
        assert_eq!(value(session, "(kept, s > 0)"), "([1], True)");
        assert!(fail_and_go_on(session) < fuel / 3);
        assert!(session.repeated_fuel() < fuel / 10);
    }
}

#[test]
fn a_script_that_waits_is_brought_back_with_what_it_asked_for() {
    let mut session = session();
    begin(&mut session);
    exec(&mut session, FAILURE);
    let step = block_on(session.step(&format!("{COSTLY}\n(later(3), kept)"))).expect("begun");
    let Step::Waiting(calls) = step else {
        panic!("{step:?}")
    };
    let repeated = session.repeated_fuel();
    let answers = [(calls[0].ticket, Answer::value(30).expect("JSON"))];
    let step = block_on(session.resume(answers)).expect("answered");
    let Step::Done(outcome) = step else {
        panic!("{step:?}")
    };
    assert!(outcome.usage.recovery_fuel > 0, "{outcome:?}");
    assert_eq!(session.repeated_fuel(), repeated);
    assert_eq!(value(&mut session, "len(kept)"), "1");
}

#[test]
fn an_exception_that_rolls_back_is_a_failure_like_a_limit() {
    let mut profile = Profile::default();
    profile.on_error = OnError::RollBack;
    let mut session = described().profile(profile).open().expect("right");
    let fuel = begin(&mut session);
    let mut paid = Vec::new();
    for _ in 0..4 {
        assert_eq!(exec(&mut session, "1 / 0").state, State::RolledBack);
        paid.push(recovery(&mut session));
    }
    assert!(paid[0] >= fuel && paid[1..].iter().all(|later| *later < fuel / 3));
}

#[test]
fn a_state_that_cannot_be_written_is_repeated_and_tried_again_later() {
    let mut faults = Faults::default();
    faults.trap_in_dumps = 1;
    let mut session = described().faults(faults).open().expect("right");
    let fuel = begin(&mut session);
    for _ in 0..3 {
        assert!(fail_and_go_on(&mut session) >= fuel);
    }
    for _ in 0..20 {
        exec(&mut session, COSTLY);
    }
    fail_and_go_on(&mut session);
    assert!(fail_and_go_on(&mut session) < fuel / 3);
    assert_eq!(value(&mut session, "kept"), "[1]");
}

#[test]
fn a_cancel_ends_a_recovery_and_nothing_is_lost() {
    let mut session = session_of_seconds();
    let since = Instant::now();
    let cancel = session.cancel_handle();
    let outcome = std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        exec(&mut session, "kept.append(2)")
    });
    let waited = since.elapsed();
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Canceled, _)),
        "{outcome:?}"
    );
    let since = Instant::now();
    assert_eq!(value(&mut session, "(kept, s > 0)"), "([1], True)");
    assert!(waited < since.elapsed() / 2, "{waited:?}");
}

/// A session whose next execution has to repeat what took seconds.
fn session_of_seconds() -> Session {
    let mut limits = Limits::default();
    limits.time = Duration::from_secs(60);
    limits.fuel = Some(1 << 40);
    let mut session = described().limits(limits).open().expect("right");
    begin(&mut session);
    // A large state is written seldom.
    let outcome = exec(
        &mut session,
        "large = [str(n) for n in range(300_000)]\nfor i in range(6_000_000): s += i",
    );
    assert!(outcome.is_success(), "{outcome:?}");
    exec(&mut session, FAILURE);
    session
}
