//! Lies that the liar makes up from seeds.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::liar::{MOST_BYTES, attempt, check_honest, peak_bytes, small};

/// Tells the lies of these seeds, and returns what was wrong.
fn tell(seeds: std::ops::Range<u64>) {
    let limits = small();
    let mut wrong = Vec::new();
    for seed in seeds {
        let told = catch_unwind(AssertUnwindSafe(|| {
            attempt(&format!("seed {seed}"), &limits)
        }));
        match told {
            Ok(Ok(())) => {}
            Ok(Err(why)) => wrong.push(format!("seed {seed}: {why}")),
            Err(_) => wrong.push(format!("seed {seed}: panicked")),
        }
        if seed.is_multiple_of(25) {
            check_honest().expect("the honest session");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(peak_bytes() < MOST_BYTES, "{} bytes", peak_bytes());
}

/// Threads that tell lies; most of the time a lie waits for its limits.
const THREADS: u64 = 6;

#[test]
fn lies_of_500_seeds_end_typed() {
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let seeds = 500 * thread / THREADS..500 * (thread + 1) / THREADS;
            scope.spawn(move || tell(seeds));
        }
    });
}
