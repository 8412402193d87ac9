//! What do a session, an exec and a host call cost?
//!
//! Groups follow the life of a session. Each figure has a `_baseline` twin: the
//! same work without what is measured, so the price is one division away.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a bench may panic, and criterion writes its own main"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rlm_sandbox::{Sandbox, Session, Tool, ToolContext};
use tokio::runtime::{Builder, Runtime};

fn runtime() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

fn session(sandbox: &Sandbox) -> Session {
    let now = Tool::immediate("now", |_: &ToolContext, (n,): (u64,)| Ok(n + 1));
    let later = Tool::deferred("later", |_, (n,): (u64,)| async move { Ok(n + 1) });
    sandbox
        .session()
        .tool(now)
        .tool(later)
        .seed(1)
        .open()
        .unwrap()
}

fn load(c: &mut Criterion) {
    let mut group = c.benchmark_group("load");
    // The first one compiles and caches; later ones are what a process sees.
    Sandbox::new().unwrap();
    group.bench_function("compiled", |b| {
        b.iter(|| black_box(Sandbox::new().unwrap()))
    });
    group.finish();
}

fn exec(c: &mut Criterion) {
    let (sandbox, runtime) = (Sandbox::new().unwrap(), runtime());
    let mut group = c.benchmark_group("exec");
    group.bench_function("fresh", |b| {
        b.iter(|| runtime.block_on(session(&sandbox).exec("1+1")).unwrap());
    });
    let pool = Sandbox::builder().live_sessions(4).build().unwrap();
    group.bench_function("fresh-pool", |b| {
        b.iter(|| runtime.block_on(session(&pool).exec("1+1")).unwrap());
    });
    group.bench_function("fresh_baseline", |b| {
        b.iter(|| black_box(session(&sandbox)))
    });
    for (name, source) in [("live", "1+1"), ("live_baseline", "")] {
        group.bench_function(name, |b| {
            b.iter_custom(|count| live(&sandbox, &runtime, source, count))
        });
    }
    group.finish();
}

/// Runs `source` so many times. Monty keeps what it compiled, so a session does
/// not last for as many execs as a bench makes.
fn live(sandbox: &Sandbox, runtime: &Runtime, source: &str, count: u64) -> Duration {
    let mut total = Duration::ZERO;
    let mut left = count;
    while left > 0 {
        let mut session = warm(sandbox, runtime);
        let started = Instant::now();
        for _ in 0..left.min(10_000) {
            runtime.block_on(session.exec(source)).unwrap();
        }
        total += started.elapsed();
        left = left.saturating_sub(10_000);
    }
    total
}

/// A session with its instance.
fn warm(sandbox: &Sandbox, runtime: &Runtime) -> Session {
    let mut session = session(sandbox);
    runtime.block_on(session.exec("0")).unwrap();
    session
}

fn call(c: &mut Criterion) {
    let (sandbox, runtime) = (Sandbox::new().unwrap(), runtime());
    let mut group = c.benchmark_group("call-100");
    for (name, source) in [
        ("immediate", "for i in range(100): now(i)"),
        ("deferred", "for i in range(100): later(i)"),
        (
            "gathered",
            "import asyncio\nawait asyncio.gather(*[later(i) for i in range(100)])",
        ),
        (
            "immediate_baseline",
            "def now_(n): return n + 1\nfor i in range(100): now_(i)",
        ),
    ] {
        group.bench_function(name, |b| {
            b.iter_batched_ref(
                || warm(&sandbox, &runtime),
                |session| assert!(runtime.block_on(session.exec(source)).unwrap().is_success()),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, load, exec, call);
criterion_main!(benches);
