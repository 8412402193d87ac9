//! Runs each line of its input, a JSON string with a program, and answers with a
//! line: what it printed, and the kind of exception that ended it.

use std::io::{self, BufRead as _, Write as _};
use std::time::Duration;

use monty::MontyRepl;
use monty_types::{CompileOptions, NamedValues, PrintWriter, ResourceLimits, ResourceTracker};
use serde_json::json;

#[global_allocator]
static ALLOCATOR: monty_alloc::LimitedAllocator = monty_alloc::LimitedAllocator;

/// What one may print.
const OUTPUT_BYTES: usize = 16 << 20;

fn main() -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let source: String = serde_json::from_str(&line?)?;
        let (output, raised) = run(&source);
        writeln!(stdout, "{}", json!({"output": output, "raised": raised}))?;
        stdout.flush()?;
    }
    Ok(())
}

fn run(source: &str) -> (String, Option<String>) {
    let limits = ResourceLimits {
        max_feed_duration: Some(Duration::from_secs(5)),
        max_memory: Some(64 << 20),
        ..ResourceLimits::default()
    };
    let tracker = ResourceTracker::new(limits);
    let mut repl = MontyRepl::new("<repl>", tracker, CompileOptions::default());
    let mut output = String::new();
    let print = PrintWriter::CollectString(&mut output, Some(OUTPUT_BYTES));
    let raised = repl.feed_run(source, NamedValues::new(), print).err();
    let raised = raised.map(|raised| raised.exc_type().to_string());
    (output, raised)
}
