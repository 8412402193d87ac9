//! A namespace with what every session needs in it.

use monty::{MontyRepl, ReplProgress};
use monty_types::{
    AssertMessageAnnotations, CompileOptions, NamedValues, PrintWriter, ResourceTracker,
};

use crate::{report, system};

/// Fills Monty's table of names up to where it grows, which would cost the first
/// script a few microseconds. With the prelude as it is, eight are more than enough.
const ROOM: &str = "'~0','~1','~2','~3','~4','~5','~6','~7'";

/// A namespace with the prelude in it, and `eval` and `exec` where they are allowed.
///
/// # Panics
///
/// If Monty refuses our own prelude.
pub(crate) fn namespace(eval: bool) -> MontyRepl {
    let options = CompileOptions {
        // Python's own message is the one that was written.
        assert_message_annotations: AssertMessageAnnotations::Off,
        // Sources are small; each is checked for nesting before it is parsed.
        source_scan_threshold: 0,
    };
    let repl = MontyRepl::new("<session>", ResourceTracker::default(), options)
        .with_os_policy(system::policy(0));
    let run = |repl: MontyRepl, text: &str, inputs: NamedValues| match repl.feed_start(
        text,
        inputs,
        PrintWriter::Disabled,
    ) {
        Ok(ReplProgress::Complete { repl, .. }) => repl,
        Ok(_) => panic!("the prelude waits"),
        Err(error) => panic!("the prelude does not run: {}", error.error),
    };
    let repl = run(repl, report::PRELUDE, NamedValues::new());
    let repl = run(repl, ROOM, NamedValues::new());
    let check = if eval {
        "_rlm_check=_rlm_kit['check']"
    } else {
        "pass"
    };
    run(repl, check, report::hidden(eval))
}
