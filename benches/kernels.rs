//! How much slower is Python behind the second wall?
//!
//! Each kernel runs in a sandbox, metered, and, with the feature `native`, in
//! the same interpreter as part of this process, with its limits armed and its
//! allocations counted, too. The two take turns, so that a noisy machine slows
//! both; the ratio is that of the medians.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may panic, and prints its figures"
)]

use std::time::Instant;

use rlm_sandbox::{Sandbox, Session};

/// Files of `kernels/`, by name.
macro_rules! kernels {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("kernels/", $name, ".py")))),*]
    };
}

const KERNELS: [(&str, &str); 8] = kernels![
    "recursion",
    "integer_loop",
    "while_loop",
    "dict_building",
    "string_building",
    "json_round_trip",
    "regex_over_text",
    "sort",
];

const ROUNDS: usize = 15;

fn main() {
    let wanted = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with("--"));
    let sandbox = sandbox();
    let mut session = sandbox.session().seed(1).open().unwrap();
    println!(
        "{:18} {:>14} {:>10} {:>10} {:>7}",
        "kernel", "fuel", "ms", "native ms", "ratio"
    );
    let (mut product, mut count) = (1.0, 0);
    for (name, source) in KERNELS {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !name.starts_with(wanted))
        {
            continue;
        }
        let (mut ours, mut theirs, mut fuel) = (Vec::new(), Vec::new(), 0);
        for _ in 0..ROUNDS {
            ours.push(sandboxed(&mut session, source, &mut fuel));
            theirs.push(native::run(source));
        }
        let (ours, theirs) = (median(ours), median(theirs));
        let ratio = ours / theirs;
        println!("{name:18} {fuel:>14} {ours:>10.2} {theirs:>10.2} {ratio:>7.2}");
        product *= ratio;
        count += 1;
    }
    println!("geometric mean {:.2}", product.powf(1.0 / f64::from(count)));
}

/// `RLM_BENCH_GUEST` names another interpreter.
fn sandbox() -> Sandbox {
    match std::env::var_os("RLM_BENCH_GUEST") {
        Some(path) => Sandbox::builder()
            .guest(std::fs::read(path).unwrap())
            .build()
            .unwrap(),
        None => Sandbox::new().unwrap(),
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn sandboxed(session: &mut Session, source: &str, fuel: &mut u64) -> f64 {
    let started = Instant::now();
    let outcome = session.exec_blocking(source).unwrap();
    let took = started.elapsed();
    assert!(outcome.is_success(), "{outcome:?}");
    *fuel = outcome.usage.fuel;
    took.as_secs_f64() * 1e3
}

#[cfg(feature = "native")]
mod native {
    use std::time::{Duration, Instant};

    use monty::{MontyRepl, ReplProgress};
    use monty_types::{CompileOptions, NamedValues, PrintWriter, ResourceLimits, ResourceTracker};

    #[global_allocator]
    static ALLOCATOR: monty_alloc::LimitedAllocator = monty_alloc::LimitedAllocator;

    pub(super) fn run(source: &str) -> f64 {
        let limits = ResourceLimits {
            max_feed_duration: Some(Duration::from_secs(60)),
            max_memory: Some(64 << 20),
            ..ResourceLimits::default()
        };
        let options = CompileOptions::default();
        monty_alloc::set_hard_limit(Some(1 << 30)).unwrap();
        let repl = MontyRepl::new("<bench>", ResourceTracker::new(limits), options);
        let started = Instant::now();
        let done = repl.feed_start(source, NamedValues::new(), PrintWriter::Disabled);
        let took = started.elapsed();
        assert!(matches!(done, Ok(ReplProgress::Complete { .. })));
        took.as_secs_f64() * 1e3
    }
}

/// Without the interpreter in this process there is nothing to compare with.
#[cfg(not(feature = "native"))]
mod native {
    pub(super) fn run(_source: &str) -> f64 {
        f64::NAN
    }
}
