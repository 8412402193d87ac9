//! Fuel and epochs: each ends a script alone, and so do the limits inside of the interpreter.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rlm_sandbox::{
    Answer, Cassette, Ending, ErrorKind, Limits, Metering, Outcome, Parked, Profile, Record,
    Recording, Sandbox, Session, State, Step, Stop, Tool,
};

use crate::check::{KEY, block_on, exec, value};
use crate::plugins::Helper;
use crate::replay::place;

/// Returns the sandbox of a mode, made once.
fn sandbox(metering: Metering) -> &'static Sandbox {
    static EPOCH: LazyLock<Sandbox> = LazyLock::new(|| build(Metering::Epoch));
    static BOTH: LazyLock<Sandbox> = LazyLock::new(|| build(Metering::FuelAndEpoch));
    match metering {
        Metering::Epoch => &EPOCH,
        Metering::FuelAndEpoch => &BOTH,
        Metering::Fuel => crate::check::sandbox(),
    }
}

fn build(metering: Metering) -> Sandbox {
    let sandbox = Sandbox::builder().metering(metering).build();
    sandbox.expect("the interpreter loads")
}

fn session(metering: Metering, change: impl FnOnce(&mut Limits)) -> Session {
    let mut limits = Limits::default();
    // Out of reach, unless a test brings one near.
    limits.time = Duration::from_secs(3600);
    change(&mut limits);
    let builder = sandbox(metering).session().limits(limits).seed(7);
    let builder = builder.start_time(std::time::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    builder
        .tool(Tool::declared("later").parameters(["value"]))
        .open()
        .expect("right")
}

#[track_caller]
fn check_stopped(outcome: &Outcome, why: Stop) {
    assert!(
        matches!(&outcome.ending, Ending::Stopped(stop, _) if *stop == why),
        "{outcome:?}"
    );
    assert_eq!(outcome.state, State::RolledBack);
}

const ENDLESS: [&str; 3] = [
    "while True: pass",
    "def f(): return sum(range(1000))\nwhile True: f()",
    // No checkpoint is reached in it, so it is killed.
    "n = 10 ** (10 ** 7)",
];

#[test]
fn r3_12_epochs_end_a_script_where_fuel_is_out_of_reach() {
    for metering in [Metering::Epoch, Metering::FuelAndEpoch] {
        let mut session = session(metering, |limits| {
            limits.time = Duration::from_millis(200);
            if metering == Metering::FuelAndEpoch {
                limits.fuel = Some(u64::MAX / 4);
            }
        });
        exec(&mut session, "kept = 1");
        for source in ENDLESS {
            let since = Instant::now();
            let outcome = exec(&mut session, &format!("kept = 2\nprint('begun')\n{source}"));
            check_stopped(&outcome, Stop::Time);
            assert_eq!(outcome.stdout, "begun\n");
            assert!(
                outcome.usage.compute < Duration::from_secs(5),
                "{:?}",
                outcome.usage
            );
            assert!(
                since.elapsed() < Duration::from_secs(20),
                "{:?}",
                since.elapsed()
            );
            assert_eq!(value(&mut session, "kept"), "1");
        }
    }
}

#[test]
fn fuel_ends_a_script_where_time_is_out_of_reach() {
    for metering in [Metering::Fuel, Metering::FuelAndEpoch] {
        let mut session = session(metering, |limits| limits.fuel = Some(300_000_000));
        for source in ENDLESS {
            check_stopped(&exec(&mut session, source), Stop::Fuel);
        }
    }
}

#[doc = "Keeps RC-4, RC-5."]
#[test]
fn inner_limits_end_a_script_where_fuel_and_time_are_out_of_reach() {
    for metering in [Metering::Fuel, Metering::Epoch, Metering::FuelAndEpoch] {
        let mut session = session(metering, |limits| {
            limits.memory_bytes = 4 << 20;
            limits.allocations = Some(100_000);
            if metering.counts_fuel() {
                limits.fuel = Some(u64::MAX / 4);
            }
        });
        let outcome = exec(&mut session, "x = 'a' * (8 << 20)");
        check_stopped(&outcome, Stop::Memory);
        let outcome = exec(&mut session, "def f(n): return f(n + 1)\nf(0)");
        assert_eq!(
            outcome.exception().expect("it raises").kind,
            "RecursionError"
        );
        let outcome = exec(&mut session, "while True: [[]]");
        let exception = outcome.exception().expect("it ends");
        assert!(
            exception.message.contains("allocation"),
            "{metering:?}: {exception}"
        );
    }
}

#[test]
fn a_session_without_fuel_does_what_others_do() {
    let scripts = [
        "import random, time, json\nclass A:\n    def __repr__(self): return 'A!'\nall = {i: [A(), random.random()] for i in range(200)}",
        "first = time.time()\nfor i in range(30_000): all[i % 7] = i\nall[3], len(all), random.random(), time.time() - first > 0",
        "time.sleep(100)\nround((time.time() - first) / 100)",
        "undefined",
        "json.dumps([str(all[9][0]), hash('a') == hash('a')])",
    ];
    let mut fuel = session(Metering::Fuel, |_| {});
    let mut epochs = session(Metering::Epoch, |_| {});
    let mut again = session(Metering::Epoch, |_| {});
    for source in scripts {
        let expected = exec(&mut fuel, source);
        let outcome = exec(&mut epochs, source);
        assert_eq!(outcome.ending, expected.ending, "{source}");
        assert_eq!(exec(&mut again, source).ending, outcome.ending, "{source}");
        // There are no figures of fuel.
        assert!(expected.usage.fuel > 0);
        assert_eq!((outcome.usage.fuel, outcome.usage.recovery_fuel), (0, 0));
    }
    // The clock goes by what the script does, not by the machine.
    let now = "time.time()";
    assert_eq!(value(&mut epochs, now), value(&mut again, now));
}

#[test]
fn a_session_without_fuel_waits_moves_and_comes_back() {
    let mut session = session(Metering::Epoch, |limits| {
        limits.time = Duration::from_secs(1)
    });
    exec(&mut session, "x = [1]");
    let step = block_on(session.step("y = later(x)\nx.append(y)\nx")).expect("a step");
    let Step::Waiting(calls) = step else {
        panic!("{step:?}")
    };
    let parked = block_on(session.park()).expect("parks");
    let bytes = parked.to_bytes(KEY);
    let mut fork = block_on(session.fork()).expect("forks");
    let answers = || [(calls[0].ticket, Answer::value(2).expect("JSON"))];
    let finished =
        |session: &mut Session| match block_on(session.resume(answers())).expect("a step") {
            Step::Done(outcome) => outcome.value::<Vec<u32>>().expect("a list"),
            Step::Waiting(calls) => panic!("{calls:?}"),
        };
    assert_eq!(finished(&mut session), [1, 2]);
    assert_eq!(finished(&mut fork), [1, 2]);
    let here = sandbox(Metering::Epoch);
    let parked = Parked::from_bytes(here, &bytes, KEY).expect("reads");
    let tool = Tool::declared("later").parameters(["value"]);
    let mut moved = here
        .session()
        .tool(tool.clone())
        .restore(&parked)
        .expect("restores");
    assert_eq!(finished(&mut moved), [1, 2]);
    // What is repeated after a limit comes out the same, many times and after very many executions.
    for round in 0..60 {
        exec(
            &mut moved,
            &format!("x.append({round})\nfor i in range(10_000): pass"),
        );
        if round % 20 == 0 {
            check_stopped(
                &exec(&mut moved, "x.append(1)\nwhile True: pass"),
                Stop::Time,
            );
        }
    }
    assert_eq!(value(&mut moved, "len(x)"), "62");
    // Snapshots do not cross modes, as bytes or in the process.
    for other in [Metering::Fuel, Metering::FuelAndEpoch] {
        let error = Parked::from_bytes(sandbox(other), &bytes, KEY).expect_err("another mode");
        assert_eq!(error.kind(), ErrorKind::Parked, "{error}");
        let restored = sandbox(other).session().tool(tool.clone()).restore(&parked);
        assert_eq!(
            restored.expect_err("another mode").kind(),
            ErrorKind::Parked
        );
    }
}

#[test]
fn what_needs_fuel_is_refused_without_it() {
    let (_folder, path) = place();
    let recording = || Recording::create(&path).expect("a new file");
    let refused = |metering: Metering, change: fn(&mut Limits)| {
        let mut limits = Limits::default();
        change(&mut limits);
        sandbox(metering).session().limits(limits)
    };
    let plain = |metering| refused(metering, |_| {});
    for metering in [Metering::Epoch, Metering::FuelAndEpoch] {
        let error = plain(metering)
            .record(&recording())
            .open()
            .expect_err("refused");
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains("--metering fuel"), "{error}");
        std::fs::remove_file(&path).expect("it was made");
    }
    drop(
        crate::check::sandbox()
            .session()
            .record(&recording())
            .open()
            .expect("right"),
    );
    let cassette = Cassette::open(&path, Record::None).expect("a cassette");
    plain(Metering::Epoch)
        .cassette(&cassette)
        .open()
        .expect_err("refused");
    refused(Metering::Epoch, |limits| limits.fuel = Some(1 << 40))
        .open()
        .expect_err("refused");
    plain(Metering::Epoch)
        .plugin(Helper::default())
        .open()
        .expect_err("refused");
    refused(Metering::FuelAndEpoch, |limits| limits.fuel = Some(1 << 40))
        .open()
        .expect("it counts fuel");
    plain(Metering::FuelAndEpoch)
        .plugin(Helper::default())
        .open()
        .expect("it counts fuel");
    // Journals of fuel are not replayed by epochs.
    let journal = rlm_sandbox::Journal::open(&path).expect("a journal");
    let error = block_on(journal.replay(sandbox(Metering::Epoch))).expect_err("another mode");
    assert_eq!(error.kind(), ErrorKind::Journal, "{error}");
    // Checking a script works in each.
    for metering in [Metering::Epoch, Metering::FuelAndEpoch] {
        let profile = Profile::default();
        let checked = sandbox(metering).validate("x = (", &profile, &[], &[]);
        assert!(block_on(checked).expect("checked").message.is_some());
    }
}

#[test]
fn fuel_is_the_same_with_epochs() {
    let source =
        "import re, json\nx = [re.sub('a', 'b', str(i)) for i in range(3000)]\nlen(json.dumps(x))";
    let used = |metering| exec(&mut session(metering, |_| {}), source).usage.fuel;
    assert_eq!(used(Metering::Fuel), used(Metering::FuelAndEpoch));
}

/// Without fuel, what a script cost is known by its time.
#[test]
fn what_took_long_is_not_repeated_after_each_failure_without_fuel() {
    let mut session = session(Metering::Epoch, |limits| {
        limits.time = Duration::from_secs(30);
    });
    let mut costly = Duration::ZERO;
    let mut scripts = 0;
    // Few checkpoints, and much work.
    while costly < Duration::from_secs(4) {
        let script = format!("n = 3 ** {}; m = n * n % 7", 600_000 + scripts);
        costly += exec(&mut session, &script).usage.compute;
        scripts += 1;
    }
    let mut last = costly;
    for _ in 0..3 {
        session.set_time_limit(Duration::from_millis(50));
        check_stopped(&exec(&mut session, "while True: pass"), Stop::Time);
        session.set_time_limit(Duration::from_secs(30));
        let since = Instant::now();
        assert_eq!(value(&mut session, "m < 7"), "True");
        last = since.elapsed();
    }
    assert!(
        last < costly / 4,
        "{last:?} of {costly:?}, {scripts} scripts"
    );
}

#[test]
fn sessions_without_fuel_are_written_no_more_often_than_it_pays() {
    let bases = |metering: Metering| {
        let builder = Sandbox::builder().metering(metering).dump_states();
        let sandbox = builder.build().expect("the interpreter loads");
        let mut limits = Limits::default();
        limits.time = Duration::from_secs(3600);
        let session = sandbox.session().limits(limits).seed(7);
        let mut session = session.open().expect("right");
        exec(&mut session, "d = {i: str(i) for i in range(20_000)}\n0");
        // Until it has been written once, which is when it is known what that takes.
        while session.upkeep_fuel() == 0 {
            exec(&mut session, "n = 0\nfor i in range(1_000_000): n += i");
        }
        let mut bases = 0;
        for _ in 0..30 {
            let before = session.upkeep_fuel();
            exec(&mut session, "n = 0\nfor i in range(30_000): n += i");
            bases += u32::from(session.upkeep_fuel() != before);
        }
        bases
    };
    // Each writes a state of megabytes, which takes much longer than these scripts.
    let (fuel, epochs) = (bases(Metering::Fuel), bases(Metering::Epoch));
    assert!(fuel <= 6 && epochs <= 10, "{fuel}, {epochs}");
}
