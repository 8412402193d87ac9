//! Exports that never return, trap, or use up what they have, at the default limits.

use std::time::Duration;

use rlm_sandbox::{Ending, ErrorKind, Limits, Look, State, Stop};

use crate::liar::{block_on, check_honest, outcome, session};

/// The default limits, with a time that only loops reach.
fn patient() -> Limits {
    let mut limits = Limits::default();
    limits.time = Duration::from_secs(50);
    limits
}

/// The default limits, with a time that loops reach soon.
fn hasty() -> Limits {
    let mut limits = Limits::default();
    limits.time = Duration::from_millis(300);
    limits
}

/// How an execution is expected to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Crashed,
    Stopped(Stop),
}

/// Tells lies to one session, in which a variable outlives all of them.
fn check(limits: Limits, table: &[(&str, End)]) {
    let mut session = session(limits);
    session.set("kept", [1]).expect("JSON");
    outcome(&mut session, "exec none");
    let mut wrong = Vec::new();
    for (script, wanted) in table {
        let told = outcome(&mut session, script);
        let end = match &told.ending {
            Ending::Crashed(_) => Some(End::Crashed),
            Ending::Stopped(why, _) => Some(End::Stopped(*why)),
            _ => None,
        };
        if end != Some(*wanted) || told.state != State::RolledBack {
            wrong.push(format!("{script}: {end:?}, {:?}", told.state));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let kept = block_on(session.get("kept"))
        .expect("alive")
        .expect("bound");
    assert_eq!(kept.json.as_deref(), Some("[1]"));
    check_honest().expect("the honest session");
}

#[test]
fn an_execution_that_never_returns_is_stopped_for_its_time() {
    let time = End::Stopped(Stop::Time);
    check(
        hasty(),
        &[
            ("exec loop", time),
            ("exec clock max", time),
            ("exec log error x*20000000 max", time),
            ("exec print out x*20000000 max", time),
            ("exec read notes 0 70000 max", time),
            ("after-exec loop", time),
        ],
    );
}

#[test]
fn trouble_in_an_execution_is_an_outcome() {
    let memory = End::Stopped(Stop::Memory);
    check(
        patient(),
        &[
            ("exec trap", End::Crashed),
            ("exec panic", End::Crashed),
            ("exec exit", End::Crashed),
            ("exec wild", End::Crashed),
            ("exec recurse", End::Crashed),
            ("exec grow 1048576 4000", memory),
            ("after-exec trap", End::Crashed),
            ("after-exec recurse", End::Crashed),
            ("after-exec call echo {}", End::Crashed),
            ("after-exec print out x", End::Crashed),
            ("exec poke 0 255", End::Crashed),
            ("exec moved 4294967288", End::Crashed),
            ("exec moved 3", End::Crashed),
            ("exec value %ff%fe 1", End::Crashed),
            ("exec names 3 %ff", End::Crashed),
            ("exec names 100000 x*1000", memory),
            // A terabyte of names, all of which are one.
            (
                "exec names 1000003 x\nexec alias 1000003 8 0 1000000",
                End::Crashed,
            ),
            ("exec suspend none none", End::Crashed),
            ("exec suspend 0 none", End::Crashed),
            ("exec suspend max max", End::Crashed),
            ("exec suspend 0x4000000 none", End::Crashed),
            ("exec suspend 0x20000000 none", memory),
            (
                "exec call later {\"args\":[1],\"kwargs\":{}}\nexec suspend mine mine",
                End::Crashed,
            ),
            (
                "exec call later {\"args\":[1],\"kwargs\":{}}\nexec suspend 0x1000000 none",
                End::Crashed,
            ),
            ("exec stopped canceled", End::Stopped(Stop::Canceled)),
            (
                "exec stopped budget K m - - 100000 frame max",
                End::Stopped(Stop::Budget),
            ),
        ],
    );
}

#[test]
fn trouble_in_inspection_is_an_error_and_has_not_happened() {
    let mut session = session(hasty());
    for lie in [
        "trap",
        "loop",
        "recurse",
        "exit",
        "wild",
        "grow 1048576 4000",
        "poke 8 4294967295",
        "moved 4294967288",
        "misuse limit",
        "misuse state",
        "list 10000000 x x x",
        "list 300007 x x x\nvariables alias 300007 56 0 1000000",
        "log error x*20000000 max",
    ] {
        let told = outcome(&mut session, &format!("variables {lie}"));
        assert!(told.is_success(), "{lie}: {told:?}");
        let error = block_on(session.variables(Look::default())).expect_err(lie);
        let is_typed = matches!(error.kind(), ErrorKind::Usage | ErrorKind::Limit);
        assert!(is_typed, "{lie}: {error:?}");
    }
    for lie in ["trap", "loop", "recurse", "misuse limit", "misuse name"] {
        let script = format!("get-variable {lie}\nset-variable {lie}");
        let told = outcome(&mut session, &script);
        assert!(told.is_success(), "{lie}: {told:?}");
        let error = block_on(session.get("x")).expect_err(lie);
        let is_typed = matches!(error.kind(), ErrorKind::Usage | ErrorKind::Limit);
        assert!(is_typed, "{lie}: {error:?}");
        session.set("x", 1).expect("JSON");
        let error = block_on(session.variables(Look::default())).expect_err(lie);
        let is_typed = matches!(error.kind(), ErrorKind::Usage | ErrorKind::Limit);
        assert!(is_typed, "{lie}: {error:?}");
    }
    let told = outcome(&mut session, "exec value 1 1");
    assert_eq!(told.value::<u8>().expect("a number"), 1);
}
