//! Outcomes whose fields are false, contradictory or out of range.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rlm_sandbox::{Ending, Journal, Limits, Look, Recording, Tool, ToolContext, Verdict};
use serde_json::Value;

use crate::liar::{
    MOST_BYTES, attempt, block_on, check_honest, check_sizes, described, outcome, peak_bytes,
    sandbox, session, small,
};

/// The default limits, with a time that nothing here reaches.
fn patient() -> Limits {
    let mut limits = Limits::default();
    limits.time = Duration::from_secs(50);
    limits
}

#[test]
fn claims_out_of_range_are_told_and_harm_nobody() {
    for script in [
        "exec live max\nexec pauses max",
        "exec rewrites 3 %00%0A max max",
        "exec value %00%1B%0D x*10",
        "exec value x {\"a\": truncated",
        "exec value x 1e999",
        "exec value x NaN",
        "exec value x [*200000",
        "exec raised %00 %0A cause hint 100000 f max",
        "exec stopped time\nexec finish ready 1 1\nexec value 1 1",
        "exec raised K m c\nexec finish undefined x y - name",
        "exec finish fields a 1 - k*1000 1000",
        "exec finish variable a 1 - %00",
        "exec names 3 %00\nexec live 0",
        "exec call later {\"args\":[1],\"kwargs\":{}} 3\nexec value 1 1",
        "exec call later {\"args\":[1],\"kwargs\":{}} 3\nexec suspend mine\nresume suspend mine",
        "exec call later {\"args\":[1],\"kwargs\":{}} 3\nexec suspend 0,1,2\nexec live max\nresume suspend 0",
        "exec call later {\"args\":[1],\"kwargs\":{}} 2\nexec suspend 0 1\nresume suspend 1\nresume trap",
        "exec call later {\"args\":[1],\"kwargs\":{}}\nexec suspend mine\nresume call later {\"args\":[1],\"kwargs\":{}}\nresume suspend mine",
        "exec call later {\"args\":[1],\"kwargs\":{}}\nexec suspend mine\nresume misuse ticket",
        "exec call later {\"args\":[1],\"kwargs\":{}}\nexec suspend mine\nresume loop",
        "exec misuse ticket",
        "exec misuse settings",
        "set-contexts trap",
        "set-contexts misuse settings",
        "heap null",
        "exec heap null 1\nresume heap wild",
        "after-exec heap wild",
        "after-exec heap odd",
        "after-exec heap low",
        "after-exec heap loop",
        "exec sleep max 300",
        "exec ask hello 100000",
        "exec ask %00 1 1 x*30000000",
    ] {
        attempt(script, &small()).unwrap_or_else(|why| panic!("{script}: {why}"));
    }
    check_honest().expect("the honest session");
}

#[test]
fn a_journal_of_lies_is_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let recording = Recording::create(&path).expect("a new file");
    let builder = described(sandbox(), small()).record(&recording);
    let mut session = builder.open().expect("right");
    for script in [
        "exec value %00%1B x*10\nexec names 3 %0A",
        "exec call later {\"args\":[1],\"kwargs\":{}} 3\nexec suspend mine\nresume live max",
        "exec call %00%0A {} 5",
        "exec suspend 7",
        "exec raised %00 %0A cause hint 1000 f max",
    ] {
        outcome(&mut session, script);
    }
    drop(session);
    let journal = Journal::open(&path).expect("a journal");
    let replayed = block_on(journal.replay(sandbox())).expect("a replay");
    assert_eq!(replayed.verdict, Verdict::Identical);
}

#[test]
fn calls_beyond_the_limit_are_not_kept() {
    let limits = patient();
    let count = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&count);
    let builder = described(sandbox(), limits.clone());
    let builder = builder.tool(Tool::immediate(
        "count",
        move |_: &ToolContext, (_,): (Value,)| {
            counted.fetch_add(1, Ordering::SeqCst);
            Ok(1)
        },
    ));
    let mut session = builder.open().expect("right");
    let script = "exec call count {\"args\":[1],\"kwargs\":{}} 3000000";
    let told = outcome(&mut session, script);
    assert!(!told.is_success(), "{:?}", told.ending);
    assert_eq!(count.load(Ordering::SeqCst), limits.calls);
    check_sizes(&told, &limits).expect("within the limits");
    check_honest().expect("the honest session");
}

#[test]
fn names_and_refusals_of_calls_do_not_fill_the_memory() {
    for script in [
        // Names of 50 MB, and refusals that quote what they are about.
        "exec call x*15000000 {} 200",
        "exec call x*200000 {} 15000",
        "exec call fail {\"args\":[\"ValueError\",\"~x*100000~\"],\"kwargs\":{}} 30000",
        "exec call echo {\"args\":[~{\"a\":0},*4000000~0],\"kwargs\":{}} 20",
        "exec call rlm_query x*15000000 200",
        "exec ask x*1000000 15 200",
        "exec ask x 1 200 m*15000000",
    ] {
        let limits = patient();
        let mut session = session(limits.clone());
        let told = outcome(&mut session, script);
        check_sizes(&told, &limits).unwrap_or_else(|why| panic!("{script}: {why}"));
    }
    assert!(peak_bytes() < MOST_BYTES, "{} bytes", peak_bytes());
}

#[test]
fn what_is_exported_does_not_fill_the_memory() {
    let mut limits = patient();
    limits.value_bytes = 64 << 20;
    let mut session = session(limits);
    // Small objects take a hundred times as much as their text.
    for (count, fits) in [(500_000, true), (1_000_000, false)] {
        let objects = format!("[~{{\"a\":0}},*{count}~0]");
        outcome(
            &mut session,
            &format!("variables list 1 name kind repr - {objects}"),
        );
        let listed = block_on(session.variables(Look::default().json())).expect("a claim");
        assert_eq!(listed.len(), 1);
        let exported = block_on(session.export()).expect("with it or without");
        assert_eq!(exported.variables.len(), usize::from(fits), "{count}");
        for skipped in &exported.skipped {
            assert!(skipped.reason.contains("536870912 bytes"), "{skipped:?}");
        }
        assert_eq!(exported.skipped.len(), usize::from(!fits), "{count}");
    }
}

#[test]
fn a_value_that_is_no_json_is_an_error_where_it_is_read() {
    let mut session = session(Limits::default());
    for json in ["{\"a\":", "[*100000", "NaN", "1e999"] {
        let told = outcome(&mut session, &format!("exec value x {json}"));
        assert!(matches!(&told.ending, Ending::Value(Some(_))), "{told:?}");
        told.value::<Value>().expect_err(json);
    }
}
