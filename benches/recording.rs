//! What does it cost to record a session?
//!
//! Each workload runs with a recording and, as its `_baseline` twin, without
//! one. Calls come by the hundred, so the price of one is a hundredth of the
//! difference.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a bench may panic, and criterion writes its own main"
)]

use std::cell::Cell;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rlm_sandbox::{Journal, Recording, Sandbox, Session, Tool, ToolContext};
use tokio::runtime::{Builder, Runtime};

const KERNELS: [(&str, &str); 5] = [
    ("loop", "n = 0\nfor i in range(100_000): n += i % 7\nn"),
    (
        "dicts",
        "d = {}\nfor i in range(20_000): d[f'k{i % 997}'] = d.get(f'k{i % 997}', 0) + i\nlen(d)",
    ),
    (
        "text",
        "words = ('the quick brown fox ' * 2000).split()\nlen(' '.join(sorted(word.upper() for word in words)))",
    ),
    (
        "functions",
        "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(18)",
    ),
    ("print", "for i in range(2000): print('line', i)"),
];

const CALLS: [(&str, &str); 3] = [
    ("immediate", "for i in range(100): now(i)"),
    ("deferred", "for i in range(100): later(i)"),
    (
        "gathered",
        "import asyncio\nawait asyncio.gather(*[later(i) for i in range(100)])",
    ),
];

struct Bench {
    sandbox: Sandbox,
    runtime: Runtime,
    folder: tempfile::TempDir,
    recordings: Cell<u32>,
}

impl Bench {
    fn new() -> Self {
        Self {
            sandbox: Sandbox::new().unwrap(),
            runtime: Builder::new_current_thread().build().unwrap(),
            folder: tempfile::tempdir().unwrap(),
            recordings: Cell::new(0),
        }
    }

    /// A session with its instance, recorded or not.
    fn session(&self, is_recorded: bool) -> Session {
        let now = Tool::immediate("now", |_: &ToolContext, (n,): (u64,)| Ok(n + 1));
        let later = Tool::deferred("later", |_, (n,): (u64,)| async move { Ok(n + 1) });
        let mut builder = self.sandbox.session().tool(now).tool(later).seed(1);
        if is_recorded {
            self.recordings.set(self.recordings.get() + 1);
            let path = self.folder.path().join(self.recordings.get().to_string());
            builder = builder.record(&Recording::create(path).unwrap());
        }
        let mut session = builder.open().unwrap();
        self.runtime.block_on(session.exec("0")).unwrap();
        session
    }

    /// The time of so many execs, fifty to a session.
    fn run(&self, source: &str, is_recorded: bool, count: u64) -> Duration {
        let mut total = Duration::ZERO;
        let mut left = count;
        while left > 0 {
            let mut session = self.session(is_recorded);
            let started = Instant::now();
            for _ in 0..left.min(50) {
                let outcome = self.runtime.block_on(session.exec(source)).unwrap();
                assert!(outcome.is_success());
            }
            total += started.elapsed();
            left = left.saturating_sub(50);
        }
        total
    }
}

fn record(c: &mut Criterion) {
    let bench = Bench::new();
    for (group, workloads) in [
        ("recording", &KERNELS[..]),
        ("recording-100-calls", &CALLS[..]),
    ] {
        let mut group = c.benchmark_group(group);
        for (name, source) in workloads {
            for (name, is_recorded) in [
                (format!("{name}_baseline"), false),
                ((*name).to_owned(), true),
            ] {
                group.bench_function(name, |b| {
                    b.iter_custom(|count| bench.run(source, is_recorded, count));
                });
            }
        }
        group.finish();
    }
}

/// Replaying what was recorded, and as a twin running it for the first time.
fn replay(c: &mut Criterion) {
    let bench = Bench::new();
    let mut group = c.benchmark_group("replay");
    for (name, source) in KERNELS.iter().chain(&CALLS) {
        drop({
            let mut session = bench.session(true);
            bench.runtime.block_on(session.exec(source)).unwrap();
            session
        });
        let path = bench.folder.path().join(bench.recordings.get().to_string());
        let journal = Journal::open(path).unwrap();
        group.bench_function(*name, |b| {
            b.iter(|| {
                bench
                    .runtime
                    .block_on(journal.replay(&bench.sandbox))
                    .unwrap()
            });
        });
        group.bench_function(format!("{name}_baseline"), |b| {
            b.iter(|| bench.run(source, false, 1));
        });
    }
    group.finish();
}

criterion_group!(benches, record, replay);
criterion_main!(benches);
