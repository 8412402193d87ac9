//! What things may cost, in quantities that are counted: whatever machine this
//! runs on, and however busy it is, these are the same.

use std::fs;
use std::process::Command;

use rlm_sandbox::{Session, Tool, ToolContext};

use crate::check::{block_on as block, sandbox};

macro_rules! kernel {
    ($name:literal, $most:literal) => {
        (
            $name,
            include_str!(concat!("../../benches/kernels/", $name, ".py")),
            $most,
        )
    };
}

/// Fuel is the limit that is the same everywhere.
///
/// A twentieth above what it was when somebody last looked. Less is always fine;
/// whoever needs more says why, and raises it.
const KERNELS: [(&str, &str, u64); 9] = [
    kernel!("dict_building", 336_000_000),
    kernel!("integer_loop", 350_000_000),
    kernel!("json_round_trip", 123_000_000),
    kernel!("recursion", 95_200_000),
    kernel!("regex_over_text", 18_500_000),
    kernel!("sort", 408_000_000),
    kernel!("string_building", 405_000_000),
    kernel!("text_positions", 305_000_000),
    kernel!("while_loop", 340_000_000),
];

fn open() -> Session {
    let now = Tool::immediate("now", |_: &ToolContext, (n,): (u64,)| Ok(n + 1));
    let later = Tool::deferred("later", |_, (n,): (u64,)| async move { Ok(n + 1) });
    let builder = sandbox().session().seed(1).tool(now).tool(later);
    builder.open().expect("right")
}

fn fuel(session: &mut Session, source: &str) -> u64 {
    let outcome = block(session.exec(source)).expect("runs");
    assert!(outcome.is_success(), "{outcome:?}");
    outcome.usage.fuel
}

#[doc = "Keeps R1-2."]
#[test]
fn kernels_take_no_more_fuel_than_they_did() {
    let over: Vec<_> = KERNELS
        .iter()
        .filter_map(|(name, source, most)| {
            let used = fuel(&mut open(), source);
            (used > *most).then_some((name, used, most))
        })
        .collect();
    assert!(over.is_empty(), "name, fuel, most: {over:?}");
}

#[test]
fn what_every_exec_and_call_pays_is_no_more_than_it_was() {
    let mut session = open();
    let first = fuel(&mut session, "1+1");
    let again = fuel(&mut session, "1+1");
    fuel(&mut session, "for i in range(10): now(i)");
    let ten = fuel(&mut session, "for i in range(10): now(i)");
    let twenty = fuel(&mut session, "for i in range(20): now(i)");
    let call = (twenty - ten) / 10;
    fuel(&mut session, "for i in range(10): later(i)");
    let ten = fuel(&mut session, "for i in range(10): later(i)");
    let twenty = fuel(&mut session, "for i in range(20): later(i)");
    let deferred = (twenty - ten) / 10;
    for (what, used, most) in [
        // Whether the value is too large to be shown is asked of each.
        ("the first exec", first, 142_000),
        ("an exec", again, 142_000),
        ("a call", call, 46_000),
        // Each time that a script is suspended, the names that the host has move with it.
        ("a deferred call", deferred, 49_000),
    ] {
        assert!(used <= most, "{what}: {used} fuel, at most {most}");
    }
}

/// Says that this process is the one to be weighed.
const WEIGHED: &str = "RLM_SANDBOX_WEIGHED";

#[test]
fn a_live_session_weighs_little() {
    const NAME: &str = "budgets::a_live_session_weighs_little";
    // Other tests come and go in this process.
    if std::env::var_os(WEIGHED).is_none() {
        let tests = std::env::current_exe().expect("has a path");
        let mut child = Command::new(tests);
        child.args(["--exact", NAME]).env(WEIGHED, "1");
        let status = child.status().expect("starts");
        return assert!(status.success());
    }
    const SESSIONS: u64 = 200;
    const MOST_KIB: u64 = 180;
    let live = || {
        let mut session = open();
        fuel(&mut session, "x = [1, 2, 3]\nsum(x)");
        session
    };
    let warm: Vec<Session> = (0..8).map(|_| live()).collect();
    let before = written_kib();
    let sessions: Vec<Session> = (0..SESSIONS).map(|_| live()).collect();
    let each = (written_kib() - before) / SESSIONS;
    drop((warm, sessions));
    assert!(each <= MOST_KIB, "{each} KiB, at most {MOST_KIB}");
}

/// Pages that were written, by this process alone. What is read of the compiled
/// interpreter is everybody's, and how much of it is mapped depends on the kernel.
fn written_kib() -> u64 {
    let rollup = fs::read_to_string("/proc/self/smaps_rollup").expect("on Linux");
    let line = rollup.lines().find(|line| line.starts_with("Anonymous:"));
    let size = line.and_then(|line| line.split_whitespace().nth(1));
    size.and_then(|size| size.parse().ok()).expect("a number")
}
