//! What is rewritten so that a script runs, as an embedder sees it.

use rlm_sandbox::{Ending, Limits, Profile};

use crate::check::{block_on as block, sandbox};

#[doc = "Keeps X43."]
#[test]
fn what_was_rewritten_is_told_and_can_be_turned_off() {
    let mut session = sandbox().session().open().expect("right");
    let code = "best = 'b'\nn = best.__len__()\nf'{n}'";
    let outcome = block(session.exec(code)).expect("runs");
    assert_eq!(outcome.value::<String>().expect("text"), "1");
    let told = &outcome.rewrites[..];
    assert_eq!(told.len(), 1);
    assert_eq!(
        (told[0].rule.as_str(), told[0].line, told[0].column),
        ("missing-method", 2, 5)
    );
    for name in ["strict", "apexflow"] {
        let profile = Profile::named(name).expect("carried");
        let builder = sandbox().session().profile(profile);
        let mut session = builder.open().expect("right");
        let outcome = block(session.exec("'b'.__len__()")).expect("runs");
        assert!(outcome.rewrites.is_empty());
        assert!(matches!(outcome.ending, Ending::Raised(_)), "{name}");
    }
}

#[test]
fn places_are_the_scripts_wherever_the_session_goes_on() {
    let mut session = sandbox().session().open().expect("right");
    let code = "def drop(d, k):\n    before = len(d); del d[k]  # gone\n    yield_ = [x for x in map(str.strip, [k])]";
    block(session.exec(code)).expect("runs");
    let parked = block(session.park()).expect("idle");
    let mut session = sandbox().session().restore(&parked).expect("restores");
    let outcome = block(session.exec("drop({}, 'k')")).expect("runs");
    let exception = outcome.exception().expect("raises");
    assert!(
        exception
            .traceback
            .contains("line 2, in drop\n    before = len(d); del d[k]  # gone\n"),
        "{}",
        exception.traceback
    );
}

#[test]
fn who_needs_no_rewriting_pays_little_and_carries_nothing() {
    let lines: Vec<_> = (0..200)
        .map(|n| format!("name_{n} = [value * {n} for value in range(3)] + [len('x{n}')]"))
        .collect();
    let source = lines.join("\n");
    let mut fuel = Vec::new();
    let mut sizes = Vec::new();
    for compat in [false, true] {
        let mut profile = Profile::default();
        profile.compat = compat;
        let builder = sandbox().session().profile(profile).seed(1);
        let mut session = builder.limits(Limits::default()).open().expect("right");
        fuel.push(block(session.exec(&source)).expect("runs").usage.fuel);
        sizes.push(
            block(session.park())
                .expect("idle")
                .to_bytes(&[7; 32])
                .len(),
        );
    }
    // What does not parse is parsed once by us and once by Monty, and no more.
    let broken = format!("{source}\n((");
    let mut session = sandbox().session().seed(1).open().expect("right");
    let parsed = block(session.exec(&broken)).expect("told").usage.fuel / 2;
    let more = fuel[1] - fuel[0];
    assert!(
        more < parsed,
        "{more} on top of {}, a parse is {parsed}",
        fuel[0]
    );
    assert!(sizes[1].abs_diff(sizes[0]) < 300, "{sizes:?}");
}
