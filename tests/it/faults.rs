//! Injected faults end in typed errors, and in nothing else.

use rlm_sandbox::{Ending, ErrorKind, Faults, State};

use crate::check::{block_on, described, session};

fn faults(change: impl FnOnce(&mut Faults)) -> Faults {
    let mut faults = Faults::default();
    change(&mut faults);
    faults
}

#[test]
fn a_trap_at_a_ticket_is_a_crash_with_what_was_printed() {
    let mut session = described()
        .faults(faults(|faults| faults.trap_at_ticket = Some(2)))
        .open()
        .expect("right");
    let outcome = block_on(session.exec("for n in range(5): print(echo(n))")).expect("an outcome");
    assert!(matches!(outcome.ending, Ending::Crashed(_)), "{outcome:?}");
    assert_eq!(
        (outcome.stdout.as_str(), outcome.calls.len(), outcome.state),
        ("0\n1\n", 2, State::RolledBack)
    );
}

#[test]
fn a_trap_at_a_fuel_is_a_crash() {
    let mut session = described()
        .faults(faults(|faults| faults.trap_at_fuel = Some(5_000_000)))
        .open()
        .expect("right");
    assert!(block_on(session.exec("1 + 1")).expect("runs").is_success());
    let outcome = block_on(session.exec("print('on')\nwhile True: pass")).expect("an outcome");
    assert!(matches!(outcome.ending, Ending::Crashed(_)), "{outcome:?}");
    assert_eq!(outcome.stdout, "on\n");
}

#[test]
fn memory_that_the_machine_refuses_is_the_hosts_trouble() {
    let mut session = described()
        .faults(faults(|faults| {
            faults.refuse_memory_at_bytes = Some(16 << 20)
        }))
        .open()
        .expect("right");
    let error = block_on(session.exec("x = [0] * 1_000_000")).expect_err("the machine has none");
    assert_eq!(error.kind(), ErrorKind::Host);
    // It is not the session's fault, so nothing is lost.
    assert!(block_on(session.exec("1")).expect("runs").is_success());
}

#[test]
fn a_chain_that_would_exhaust_the_stack_is_refused() {
    let mut session = session();
    let outcome = block_on(session.exec("eval('a' + '.x' * 300_000)")).expect("an outcome");
    let refused = outcome.exception().expect("refused");
    assert_eq!(refused.kind, "SyntaxError", "{outcome:?}");
    assert_eq!(outcome.state, State::Intact);
}

#[test]
fn hostile_sources_end_in_outcomes() {
    for source in [
        "(".repeat(5000),
        "-".repeat(60_000),
        "a.x".to_owned() + &".x".repeat(30_000),
        "\0".to_owned(),
        "x = '\u{202e}'".to_owned(),
        "return return".to_owned(),
    ] {
        let mut session = session();
        block_on(session.exec(&source)).expect("an outcome");
        if let Ok(outcome) = block_on(session.exec("40 + 2")) {
            assert_eq!(outcome.value::<u8>().expect("a number"), 42);
        }
    }
}
