//! A namespace with what every session needs in it.

use monty::{MontyRepl, ReplProgress};
use monty_types::{
    AssertMessageAnnotations, CompileOptions, NamedValues, PrintWriter, ResourceTracker,
};

use crate::{report, system};

/// Fills Monty's table of names up to where it grows, which would cost the first
/// script a few microseconds. With the prelude as it is, eight are more than enough.
const ROOM: &str = "'~0','~1','~2','~3','~4','~5','~6','~7'";

/// Returns a namespace with the prelude in it and nothing else.
///
/// # Panics
///
/// If Monty refuses our own prelude.
pub(crate) fn namespace() -> MontyRepl {
    let options = CompileOptions {
        // Python's own message is the one that was written.
        assert_message_annotations: AssertMessageAnnotations::Off,
        // Sources are small; each is checked for nesting before it is parsed.
        source_scan_threshold: 0,
    };
    let mut repl = MontyRepl::new("<session>", ResourceTracker::default(), options)
        .with_os_policy(system::policy(0));
    let run = |repl: MontyRepl, text: &str| match repl.feed_start(
        text,
        NamedValues::new(),
        PrintWriter::Disabled,
    ) {
        Ok(ReplProgress::Complete { repl, .. }) => repl,
        Ok(_) => panic!("the prelude waits"),
        Err(error) => panic!("the prelude does not run: {}", error.error),
    };
    repl.feed_own_code(true);
    let repl = run(repl, report::PRELUDE);
    let mut repl = run(repl, ROOM);
    repl.feed_own_code(false);
    repl
}
