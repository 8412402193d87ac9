//! Snapshots of sessions as bytes: exact, small, and refused where nothing maps them.

use std::time::Duration;

use rlm_sandbox::{
    Context, ErrorKind, Limits, Outcome, Parked, Profile, Recording, Sandbox, SandboxLimits,
    Session, SessionBuilder, Step, Tool,
};

use crate::bombs::{growth_of, runs_alone};
use crate::check::{KEY, block_on, described, exec, sandbox, value};
use crate::replay::{check_identical, place};
use crate::snapshots::{STEPS, answered, numbers, program, seeds, shown};

fn snapshot(session: &mut Session) -> Parked {
    block_on(session.snapshot()).expect("a snapshot")
}

/// Takes a snapshot to bytes and reads it.
fn through_bytes(session: &mut Session) -> Parked {
    let bytes = snapshot(session).to_bytes(KEY);
    let parked = Parked::from_bytes(sandbox(), &bytes, KEY).expect("reads");
    assert!(parked.is_pages());
    parked
}

fn restore(parked: &Parked) -> Session {
    described().restore(parked).expect("restores")
}

#[test]
fn a_chain_of_snapshots_goes_on_as_one_session_does() {
    let mut alone = described().open().expect("right");
    let mut chain = described().open().expect("right");
    for (number, step) in STEPS.iter().enumerate() {
        let lone = exec(&mut alone, step);
        let same = exec(&mut chain, step);
        assert_eq!(shown(&lone), shown(&same), "{step}");
        let parked = match number % 3 {
            0 => snapshot(&mut chain),
            _ => through_bytes(&mut chain),
        };
        chain = restore(&parked);
    }
}

#[test]
fn a_script_is_taken_at_each_of_its_calls() {
    let source = "seen = {}\nclass A: pass\nfor n in range(6):\n    a = A()\n    seen[id(a)] = later(n)\n    \
                  seen[str(n)] = a\n(len(seen), repr(a), {str(n) for n in range(20)})";
    let mut alone = described().open().expect("right");
    exec(&mut alone, "x = [str(n) for n in range(3000)]");
    let wanted = shown(&exec(&mut alone, source));
    let mut session = described().open().expect("right");
    exec(&mut session, "x = [str(n) for n in range(3000)]");
    let mut step = block_on(session.step(source)).expect("begins");
    let mut taken = Vec::new();
    while let Step::Waiting(calls) = step {
        taken.push(through_bytes(&mut session));
        taken.push(snapshot(&mut session));
        step = answered(&mut session, &calls);
    }
    assert_eq!(taken.len(), 12);
    for parked in taken {
        assert!(parked.is_waiting());
        // A snapshot of what was restored, and then that itself.
        let mut restored = restore(&parked);
        let mut again = restore(&through_bytes(&mut restored));
        for session in [&mut again, &mut restored] {
            let outcome = block_on(session.finish()).expect("ends");
            assert_eq!(shown(&outcome), wanted);
        }
        // What the script is rolled back to is part of it.
        let mut canceled = restore(&parked);
        canceled.cancel_handle().cancel();
        let outcome = block_on(canceled.finish()).expect("canceled");
        assert!(outcome.is_canceled(), "{outcome:?}");
        assert_eq!(value(&mut canceled, "len(x)"), "3000");
    }
}

#[test]
fn random_programs_come_out_the_same_from_bytes() {
    for seed in seeds().flat_map(|seed| (0..6).map(move |round| seed ^ round)) {
        let mut random = numbers(seed);
        let mut alone = described().open().expect("right");
        let mut other = described().open().expect("right");
        for session in [&mut alone, &mut other] {
            exec(session, "a, b = [], {}");
        }
        for _ in 0..6 {
            let source = program(&mut random);
            if random(2) == 0 {
                other = restore(&through_bytes(&mut other));
            }
            let (lone, same) = (exec(&mut alone, &source), run(&mut other, &source));
            assert_eq!(shown(&lone), shown(&same), "seed {seed}: {source}");
        }
    }
}

/// Runs a script, through bytes at each of its suspensions.
fn run(session: &mut Session, source: &str) -> Outcome {
    let mut step = block_on(session.step(source)).expect("runs");
    loop {
        match step {
            Step::Done(outcome) => return outcome,
            Step::Waiting(calls) => {
                *session = restore(&through_bytes(session));
                step = answered(session, &calls);
            }
        }
    }
}

fn with(name: &str) -> SessionBuilder {
    let answer = |_, (value,): (u64,)| async move { Ok(value + 1) };
    sandbox().session().tool(Tool::deferred(name, answer))
}

#[test]
fn other_tools_and_limits_are_those_of_the_session_that_goes_on() {
    let mut session = with("first").open().expect("right");
    exec(&mut session, "kept = [first(1)]\nf = first");
    for parked in [snapshot(&mut session), through_bytes(&mut session)] {
        let mut same = with("first").restore(&parked).expect("restores");
        assert_eq!(value(&mut same, "kept.append(first(5)) or kept"), "[2, 6]");
        let mut other = with("second").restore(&parked).expect("restores");
        assert_eq!(
            value(&mut other, "kept.append(second(6)) or kept"),
            "[2, 7]"
        );
        let outcome = exec(&mut other, "first(1)");
        assert!(!outcome.is_success(), "{outcome:?}");
        // And from a snapshot of that.
        let again = through_bytes(&mut other);
        let mut third = with("second").restore(&again).expect("restores");
        assert_eq!(value(&mut third, "second(kept[1])"), "8");
        // The instance is lost, and another one is configured again.
        let outcome = exec(&mut other, "'x' * (10 ** 9)");
        assert!(!outcome.is_success(), "{outcome:?}");
        assert_eq!(value(&mut other, "second(1)"), "2");
        let mut limits = parked.limits().clone();
        limits.memory_bytes = 2 << 20;
        let small = parked.clone().with_limits(limits).expect("idle");
        let mut small = with("first").restore(&small).expect("restores");
        assert!(!exec(&mut small, "y = 'y' * (8 << 20)").is_success());
        assert_eq!(value(&mut small, "kept"), "[2]");
    }
}

#[test]
fn a_recording_begins_with_what_the_interpreter_writes() {
    let mut session = described().open().expect("right");
    exec(&mut session, "kept = {str(n): n for n in range(3000)}");
    let idle = through_bytes(&mut session);
    let step = block_on(session.step("later(len(kept))")).expect("waits");
    assert!(matches!(step, Step::Waiting(_)), "{step:?}");
    for parked in [idle, through_bytes(&mut session), snapshot(&mut session)] {
        let (_folder, path) = place();
        let recording = Recording::create(&path).expect("a file");
        let recorded = described().record(&recording);
        let mut session = recorded.restore(&parked).expect("restores");
        if parked.is_waiting() {
            let outcome = block_on(session.finish()).expect("ends");
            assert!(outcome.is_success(), "{outcome:?}");
        }
        assert_eq!(value(&mut session, "len(kept)"), "3000");
        // A snapshot is no event.
        snapshot(&mut session);
        assert_eq!(value(&mut session, "kept['7'] + later(1)"), "8");
        drop(session);
        check_identical(&path);
    }
}

#[test]
fn a_snapshot_is_small_and_names_its_contexts() {
    let mut session = described().open().expect("right");
    exec(&mut session, "x = 1");
    let parked = snapshot(&mut session);
    assert_eq!(parked.state(), b"");
    let bytes = parked.to_bytes(KEY).len();
    assert!(bytes <= 8 << 10, "{bytes}");
    let line = |n: u64| {
        format!(
            "{:016x} {:016x}\n",
            n.wrapping_mul(n << 7 | 0x9e37_79b9),
            n * n
        )
    };
    let log: String = (0..130_000).map(line).collect();
    let context = || Context::text("log", log.clone());
    let mut session = described().context(context()).open().expect("right");
    assert_eq!(
        value(&mut session, "kept = context\nlen(kept)"),
        log.len().to_string()
    );
    let parked = snapshot(&mut session);
    let bytes = parked.to_bytes(KEY);
    // A part of the log that came through a buffer of the guest's, which nothing has written over yet.
    assert!(
        bytes.len() < 512 << 10 && log.len() > 4 << 20,
        "{}",
        bytes.len()
    );
    let parked = Parked::from_bytes(sandbox(), &bytes, KEY).expect("reads");
    let mut restored = described()
        .context(context())
        .restore(&parked)
        .expect("there");
    assert_eq!(
        value(&mut restored, "kept == context, kept is context"),
        "(True, True)"
    );
    let error = described().restore(&parked).expect_err("no context");
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    let held = block_on(session.snapshot_with_contexts()).expect("a snapshot");
    let held = Parked::from_bytes(sandbox(), &held.to_bytes(KEY), KEY).expect("reads");
    let mut restored = described().restore(&held).expect("it holds it");
    assert_eq!(value(&mut restored, "kept == context"), "True");
}

/// A script that waits reads the contexts that it began with, and the next one those that were given meanwhile.
#[test]
fn contexts_that_were_changed_while_a_script_waits_are_part_of_it() {
    let text = |name: &str, text: &str| Context::text(name, text.repeat(2000));
    let changes = [
        (Vec::new(), "sorted(files)"),
        (vec![text("a", "another")], "sorted(files), len(context)"),
        (
            vec![text("a", "secret"), text("b", "more")],
            "sorted(files), len(files['b'])",
        ),
    ];
    for (contexts, look) in changes {
        let opened = described().context(text("a", "secret")).open();
        let mut session = opened.expect("right");
        let source = "n = later(len(context))\n(n, len(context))";
        let step = block_on(session.step(source)).expect("begins");
        assert!(matches!(step, Step::Waiting(_)), "{step:?}");
        session.set_contexts(contexts).expect("right");
        let taken = [
            block_on(session.snapshot_with_contexts()).expect("taken"),
            block_on(session.park_with_contexts()).expect("taken"),
        ];
        for alone in [block_on(session.park()), block_on(session.snapshot())] {
            let refused = alone.expect_err("it holds one of the two");
            assert_eq!(refused.kind(), ErrorKind::Usage, "{refused}");
        }
        let seen = |session: &mut Session| {
            let calls = session.waiting_calls();
            let Step::Done(outcome) = answered(session, &calls) else {
                panic!("one call");
            };
            (
                outcome.value::<(u64, u64)>().expect("a pair"),
                value(session, look),
            )
        };
        let wanted = seen(&mut session);
        assert_eq!(wanted.0, (12_000, 12_000));
        for parked in taken {
            let bytes = parked.to_bytes(KEY);
            let read = Parked::from_bytes(sandbox(), &bytes, KEY).expect("reads");
            for parked in [&parked, &read] {
                assert_eq!(seen(&mut restore(parked)), wanted, "{look}");
            }
            let none = read.without_contexts();
            let refused = none.map(drop).expect_err("nothing restores it");
            assert_eq!(refused.kind(), ErrorKind::Usage, "{refused}");
        }
    }
}

/// A snapshot holds the name of a context in place of each copy of its text.
#[test]
fn pages_are_mapped_only_if_there_is_memory_for_them() {
    if runs_alone("sealed_snapshots::pages_are_mapped_only_if_there_is_memory_for_them") {
        return;
    }
    let text: String = (0..100_000)
        .map(|n| format!("{n} a line of a log\n"))
        .collect();
    let context = || Context::text("log", text.clone());
    let mut limits = Limits::default();
    limits.memory_bytes = 1 << 30;
    limits.time = Duration::from_secs(60);
    let opened = described().limits(limits).context(context()).open();
    let mut session = opened.expect("right");
    exec(
        &mut session,
        "k = [context.replace('0 a', '0 a') for n in range(150)]\nlen(k)",
    );
    let bytes = snapshot(&mut session).to_bytes(KEY);
    assert!(bytes.len() < 200_000, "{} bytes", bytes.len());
    let mut all = SandboxLimits::default();
    all.memory_bytes = 256 << 20;
    let small = Sandbox::builder().limits(all).build().expect("loads");
    let parked = Parked::from_bytes(&small, &bytes, KEY).expect("reads");
    assert!(parked.mapped_bytes() > 150 * text.len() as u64);
    let mut other = small.session().open().expect("right");
    let more = growth_of(|| {
        for _ in 0..3 {
            let builder = small.session().profile(Profile::default());
            let refused = builder.context(context()).restore(&parked);
            let refused = refused.map(drop).expect_err("too much");
            assert_eq!(refused.kind(), ErrorKind::Host, "{refused}");
            // Nothing of it counts any more.
            assert_eq!(value(&mut other, "1"), "1");
        }
    });
    assert!(more < 60 << 20, "{more} bytes");
}

#[test]
fn a_snapshot_is_refused_where_it_cannot_be_mapped() {
    let mut session = described().open().expect("right");
    exec(&mut session, "x = 1");
    let parked = snapshot(&mut session);
    let bytes = parked.to_bytes(KEY);
    let written = Sandbox::builder().dump_states().build().expect("builds");
    let read = Parked::from_bytes(&written, &bytes, KEY).expect_err("no pages");
    let restored = written.session().restore(&parked).expect_err("no pages");
    let sealed = Parked::reseal(&bytes, KEY, b"another key").expect_err("pages");
    for error in [read, restored, sealed] {
        assert_eq!(error.kind(), ErrorKind::Parked);
        assert!(
            error.to_string().contains("park the session instead"),
            "{error}"
        );
    }
    for at in (0..bytes.len()).step_by(97) {
        let mut other = bytes.clone();
        other[at] ^= 1;
        let error = Parked::from_bytes(sandbox(), &other, KEY).expect_err("damaged");
        assert_eq!(error.kind(), ErrorKind::Parked, "{at}: {error}");
    }
    // Where memories are not mapped, it is what the interpreter writes.
    let mut session = written
        .session()
        .limits(Limits::default())
        .open()
        .expect("right");
    exec(&mut session, "x = 2");
    let parked = block_on(session.snapshot()).expect("written");
    assert!(!parked.is_pages());
    let mut restored = sandbox().session().restore(&parked).expect("restores");
    assert_eq!(value(&mut restored, "x"), "2");
}

#[test]
fn a_snapshot_of_a_script_with_a_deadline_keeps_what_is_left() {
    let mut limits = Limits::default();
    limits.deadline = Some(Duration::from_secs(3600));
    let mut session = described().limits(limits).open().expect("right");
    let step = block_on(session.step("later(1)")).expect("waits");
    assert!(matches!(step, Step::Waiting(_)), "{step:?}");
    let parked = through_bytes(&mut session);
    let outcome = block_on(restore(&parked).finish()).expect("ends");
    assert!(outcome.is_success(), "{outcome:?}");
}
