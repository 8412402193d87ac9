//! Lies told while the host writes a session and loads it again.

use rlm_sandbox::{ErrorKind, Limits};

use crate::liar::{block_on, check_honest, described, honest, outcome, session};

const LIES: [&str; 15] = [
    "trap",
    "exit",
    "wild",
    "recurse",
    "loop",
    "misuse dump",
    "misuse limit",
    "grow 1048576 4000",
    "call echo {\"args\":[1],\"kwargs\":{}}",
    "call later {\"args\":[1],\"kwargs\":{}}",
    "ask hello",
    "print out x",
    "log error x*20000000 max",
    "read notes 0 70000 max",
    "clock max",
];

#[test]
fn a_state_that_cannot_be_written_leaves_the_session_as_it_was() {
    let pieces = [
        // One byte each, without end; larger than a piece may be; without end.
        "pieces 1 max",
        "pieces 1000 max",
        "pieces 1048577 1",
        "pieces 20000000 1",
        "pieces 1048576 max",
    ];
    let mut session = session(Limits::default());
    for lie in LIES.into_iter().chain(pieces) {
        let told = outcome(&mut session, &format!("dump {lie}\nexec value 1 1"));
        assert!(told.is_success(), "{lie}: {told:?}");
        let error = block_on(session.park()).expect_err(lie);
        assert_eq!(error.kind(), ErrorKind::Guest, "{lie}: {error}");
        let told = outcome(&mut session, "exec value 2 2");
        assert_eq!(told.value::<u8>().expect("a number"), 2, "{lie}");
    }
    check_honest().expect("the honest session");
}

#[test]
fn a_state_that_cannot_be_loaded_is_handed_to_nobody() {
    for lie in LIES {
        let mut session = session(Limits::default());
        let told = outcome(&mut session, &format!("load {lie}\nexec value 1 1"));
        assert!(told.is_success(), "{lie}: {told:?}");
        let error = block_on(session.park()).expect_err(lie);
        assert_eq!(error.kind(), ErrorKind::Guest, "{lie}: {error}");
        // The session falls back to what it was before.
        let told = outcome(&mut session, "exec value 2 2");
        assert_eq!(told.value::<u8>().expect("a number"), 2, "{lie}");
    }
    check_honest().expect("the honest session");
}

#[test]
fn a_state_that_is_empty_or_of_another_size_is_refused_or_goes_on() {
    for lie in ["empty", "pieces 5 1", "pieces 1048576 3"] {
        let mut session = session(Limits::default());
        outcome(&mut session, &format!("dump {lie}\nexec value 1 1"));
        match block_on(session.park()) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), ErrorKind::Guest, "{lie}: {error}"),
        }
        let told = outcome(&mut session, "exec value 2 2");
        assert_eq!(told.value::<u8>().expect("a number"), 2, "{lie}");
    }
}

#[test]
fn a_guest_that_repeats_an_execution_otherwise_loses_the_session_or_falls_back() {
    // Output is refused at its cap when a script runs, and taken when it is repeated.
    for how in ["trap", "loop", "recurse"] {
        let mut session = session(Limits::default());
        let told = outcome(&mut session, &format!("exec repeated 2000000 {how}"));
        assert!(told.is_success(), "{how}: {told:?}");
        // A crash takes the instance away, and the next entry repeats the first.
        outcome(&mut session, "exec trap");
        let error = block_on(session.exec("exec value 1 1")).expect_err(how);
        assert_eq!(error.kind(), ErrorKind::Lost, "{how}: {error}");
        assert!(session.is_lost(), "{how}");
        let error = block_on(session.park()).expect_err(how);
        assert_eq!(error.kind(), ErrorKind::Lost, "{how}: {error}");
        session.reset().expect("it begins anew");
        let told = outcome(&mut session, "exec value 2 2");
        assert_eq!(told.value::<u8>().expect("a number"), 2, "{how}");
    }
    check_honest().expect("the honest session");
}

#[test]
fn a_suspension_that_is_claimed_at_a_load_is_not_believed() {
    let mut session = session(Limits::default());
    let told = outcome(
        &mut session,
        "load suspend 0,1 7 max\nload live max\nexec value 1 1",
    );
    assert!(told.is_success(), "{told:?}");
    let mut fork = block_on(session.fork()).expect("written");
    assert!(!fork.is_waiting());
    let told = outcome(&mut fork, "exec value 2 2");
    assert_eq!(told.value::<u8>().expect("a number"), 2);
}

#[test]
fn the_interpreter_takes_a_fraction_of_what_upkeep_may() {
    for source in [
        "x = [str(n) for n in range(400000)]",
        "x = {n: (n, n) for n in range(150000)}",
        "x = [[n] for n in range(400000)]",
        "class A:\n    def __init__(self, n):\n        self.n = n\nx = [A(n) for n in range(60000)]",
    ] {
        let mut session = described(honest(), Limits::default())
            .open()
            .expect("right");
        let told = outcome(&mut session, source);
        assert!(told.is_success(), "{source}: {:?}", told.ending);
        let parked = block_on(session.park()).expect("written");
        let written = session.upkeep_fuel();
        outcome(&mut session, "1");
        let loaded = session.upkeep_fuel() - written;
        // What `fault.rs` allows: for nothing, and for each byte of the memory or the state.
        let most = |each: u64, bytes: u64| 2_000_000_000 + each * bytes;
        let (memory, state) = (told.usage.peak_memory_bytes, parked.state().len() as u64);
        let shares = (
            most(100, memory) / written.max(1),
            most(1000, state) / loaded.max(1),
        );
        assert!(
            shares.0 >= 3 && shares.1 >= 3,
            "{source}: {written} of {memory} bytes, {loaded} of {state} bytes"
        );
    }
}
