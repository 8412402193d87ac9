//! `--verbose`: the library's log on standard error.

use std::io::{self, Write};

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::terminal::Terminal;

/// Writes what the library logs to standard error: executions and what scripts log, and at the second level calls and
/// what else happens.
pub(crate) fn enable(terminal: &Terminal, level: u8) {
    let terminal = terminal.clone();
    let level = match level {
        1 => LevelFilter::INFO,
        _ => LevelFilter::DEBUG,
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(move || Errors(terminal.clone()))
        .with_filter(Targets::new().with_target("rlm_sandbox", level));
    // Another subscriber of the process stays, as in tests.
    let _ = tracing_subscriber::registry().with(lines).try_init();
}

/// Standard error of the program, on which a terminal shows control characters escaped.
struct Errors(Terminal);

impl Write for Errors {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // One event at a time.
        let event = String::from_utf8_lossy(bytes);
        self.0
            .error(&format!("{}\n", indented(event.trim_end_matches('\n'))));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns an event whose further lines are indented, so that none of a script or plugin looks like one of the log.
fn indented(event: &str) -> String {
    event
        .replace("\r\n", "\n")
        .replace('\r', "\\r")
        .replace('\n', "\n    ")
}
