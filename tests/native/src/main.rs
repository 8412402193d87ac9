//! Runs each line of its input, a JSON string with a program, and answers with a
//! line: what it printed, the kind of exception that ended it, and the seconds it took.

use std::io::{self, BufRead as _, Write as _};
use std::time::{Duration, Instant};

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
        let started = Instant::now();
        let (output, raised) = run(&source);
        let seconds = started.elapsed().as_secs_f64();
        let answer = json!({"output": output, "raised": raised, "seconds": seconds});
        writeln!(stdout, "{answer}")?;
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
