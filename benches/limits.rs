//! How soon does a script end that has to, and what does it cost to go on?
//!
//! `stop` is the time beyond the deadline: in bytecode, where the interpreter
//! looks at the clock, and inside one long builtin, where it does not and is
//! killed after its grace. Their baseline is an exec that ends by itself.
//! `recover` is the next exec after a limit, which brings a session back;
//! its baseline is an exec in the same session without one.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a bench may panic, and criterion writes its own main"
)]

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rlm_sandbox::{Limits, Sandbox, Session};

const TIME: Duration = Duration::from_millis(20);

fn session() -> Session {
    let mut limits = Limits::default();
    limits.time = TIME;
    let sandbox = Sandbox::new().unwrap();
    sandbox.session().limits(limits).seed(1).open().unwrap()
}

fn stop(c: &mut Criterion) {
    let mut group = c.benchmark_group("stop");
    group.sample_size(20);
    let grace = Limits::default().grace;
    for (name, source, after) in [
        ("bytecode", "while True: pass", TIME),
        ("builtin-after-grace", "n = 10 ** (10 ** 7)", TIME + grace),
        ("bytecode_baseline", "pass", Duration::ZERO),
    ] {
        group.bench_function(name, |b| {
            b.iter_custom(|count| {
                let mut session = session();
                let mut total = Duration::ZERO;
                for _ in 0..count {
                    session.exec_blocking("1").unwrap();
                    let started = Instant::now();
                    session.exec_blocking(source).unwrap();
                    total += started.elapsed().saturating_sub(after);
                }
                total
            });
        });
    }
    group.finish();
}

fn recover(c: &mut Criterion) {
    let mut group = c.benchmark_group("recover");
    group.sample_size(10);
    for (name, bytes) in [("1-KB", 1_000), ("1-MB", 1_000_000), ("10-MB", 10_000_000)] {
        for (suffix, source) in [("", "while True: pass"), ("_baseline", "pass")] {
            group.bench_function(format!("{name}{suffix}"), |b| {
                b.iter_custom(|count| {
                    let mut session = session();
                    session.set_time_limit(Duration::from_secs(60));
                    let data = format!("data = ['%08d' % n for n in range({bytes} // 40)]");
                    session.exec_blocking(&data).unwrap();
                    for _ in 0..20 {
                        session
                            .exec_blocking("s = sum(n for n in range(100_000))")
                            .unwrap();
                    }
                    session.set_time_limit(TIME);
                    let mut total = Duration::ZERO;
                    for _ in 0..count {
                        session.exec_blocking(source).unwrap();
                        let started = Instant::now();
                        session.exec_blocking("1").unwrap();
                        total += started.elapsed();
                    }
                    total
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, stop, recover);
criterion_main!(benches);
