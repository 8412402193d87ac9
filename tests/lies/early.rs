//! Lies told before any script: in `prepare` and `configure`, and where sources are
//! only checked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use rlm_sandbox::{ErrorKind, Limits, Profile, Tool, ToolContext, ToolError};
use serde_json::Value;

use crate::liar::{block_on, check_honest, sandbox};

/// The numbers of `EARLY` in `tests/liar/src/lib.rs`, without the honest one.
const EARLY: std::ops::Range<u64> = 1..13;
const MISUSE: u64 = 10;
/// Ten megabytes of log messages, and sleeps for which the clock stands still.
const HARMLESS: [u64; 2] = [9, 12];

/// Opens a session that lies early, and counts the calls of its tools.
fn told(seed: u64, seconds: u64) -> (Result<(), rlm_sandbox::Error>, u64) {
    let count = Arc::new(AtomicU64::new(0));
    let (one, two) = (Arc::clone(&count), Arc::clone(&count));
    let session = sandbox()
        .session()
        .limits(Limits::default())
        .id("early")
        .seed(seed)
        .start_time(UNIX_EPOCH + Duration::from_secs(seconds))
        .tool(Tool::immediate(
            "echo",
            move |_: &ToolContext, (value,): (Value,)| {
                one.fetch_add(1, Ordering::SeqCst);
                Ok(value)
            },
        ))
        .tool(Tool::deferred("later", move |_, (value,): (Value,)| {
            two.fetch_add(1, Ordering::SeqCst);
            async move { Ok::<_, ToolError>(value) }
        }))
        .open();
    let mut session = session.expect("nothing runs yet");
    let told = block_on(session.exec("exec value 1 1"));
    (told.map(drop), count.load(Ordering::SeqCst))
}

#[test]
fn a_guest_that_lies_before_any_script_is_an_error_of_the_guest() {
    for number in EARLY {
        for (seed, seconds) in [
            (0x11e0_0000_0000_0000 | number, 0),
            (1, 4_000_000_000 + number),
        ] {
            let in_prepare = seconds > 0;
            let (told, calls) = told(seed, seconds);
            let name = format!("lie {number}, in prepare: {in_prepare}");
            assert_eq!(calls, 0, "{name}: tools were called");
            // `prepare` has no result in which it could claim a misuse.
            if HARMLESS.contains(&number) || (number == MISUSE && in_prepare) {
                told.expect(&name);
                continue;
            }
            let error = told.expect_err(&name);
            let kinds = [
                ErrorKind::Guest,
                ErrorKind::Lost,
                ErrorKind::Usage,
                ErrorKind::Limit,
            ];
            assert!(
                kinds.contains(&error.kind()),
                "{name}: {:?}: {error}",
                error.kind()
            );
        }
    }
    check_honest().expect("the honest session");
}

#[test]
fn lies_about_sources_that_are_only_checked_are_errors_or_claims() {
    let profile = Profile::default();
    for lie in [
        "trap",
        "loop",
        "recurse",
        "exit",
        "wild",
        "grow 1048576 4000",
        "call echo {\"args\":[1],\"kwargs\":{}}",
        "ask hello",
        "print out x*1000000 100000",
        "log error x*20000000 1000000",
        "names 100000000 x",
    ] {
        for export in ["validate", "wrap"] {
            let script = format!("{export} {lie}");
            let kind = match export {
                "validate" => {
                    let told = block_on(sandbox().validate(&script, &profile, &[], &[]));
                    told.map(drop).map_err(|error| error.kind())
                }
                _ => {
                    let told = block_on(sandbox().preprocess_agent_code(&script));
                    told.map(drop).map_err(|error| error.kind())
                }
            };
            match lie.starts_with("names") && export == "wrap" {
                // Not a field of this answer.
                true => assert_eq!(kind, Ok(()), "{script}"),
                false => assert_eq!(kind, Err(ErrorKind::Limit), "{script}"),
            }
        }
    }
    let told = block_on(sandbox().validate(
        "validate raised %00K m*1000000 syntax - 1000 frame max\nvalidate names 3 %00%0A",
        &profile,
        &[],
        &[],
    ));
    let told = told.expect("a claim");
    assert!(!told.is_ok());
    assert_eq!(told.unknown_names.len(), 3);
    check_honest().expect("the honest session");
}
