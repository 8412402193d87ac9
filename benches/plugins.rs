//! What a plugin's call costs, and what an index is worth.
//!
//! `call` is a fresh instance and one call of a small plugin; its baseline is an
//! immediate host function of a session, called from Rust. `python` is the same
//! call from a script, next to a tool that answers the same. `search` is a query
//! over a 50 MB log by the plugin `search` with `keep = "session"`, once its index is
//! built; the baseline is the same search in sandboxed Python, and what building
//! costs is printed. Needs `cargo build --release --target wasm32-wasip2
//! --manifest-path guest/plugins/Cargo.toml`.
#![allow(
    missing_docs,
    clippy::print_stderr,
    reason = "criterion writes its own main, and building an index is measured once"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rlm_sandbox::{Context, Limits, Plugin as _, PluginCall, Sandbox, Session, Tool, ToolContext};
use rlm_sandbox_plugins::{Manifest, Registry, WasmPlugin};
use tokio::runtime::{Builder, Runtime};

const SMALL: &str = "(component
    (core module $m (memory 1)
        (func (export \"add\") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1))))
    (core instance $i (instantiate $m))
    (func (export \"add\") (param \"a\" u32) (param \"b\" u32) (result u32) (canon lift (core func $i \"add\"))))";

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

fn small(registry: &Registry) -> WasmPlugin {
    let wasm = wat::parse_str(SMALL).expect("a component");
    registry
        .load(Manifest::named("small"), &wasm)
        .expect("loads")
}

/// One of the examples, under the manifest beside it.
fn example(registry: &Registry, name: &str) -> WasmPlugin {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../guest/plugins")
        .join(name)
        .join(format!("{name}.toml"));
    let plugin = registry.load_file(&manifest);
    plugin.expect("build guest/plugins first")
}

fn calls(criterion: &mut Criterion) {
    let runtime = runtime();
    let registry = Registry::new().expect("an engine");
    let pooled = Registry::builder().pool(4).build().expect("an engine");
    let mut group = criterion.benchmark_group("call");
    let arguments = || serde_json::json!([1, 2]);
    for (name, plugin) in [("fresh", small(&registry)), ("pool", small(&pooled))] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let call = PluginCall::new(&plugin, "add", arguments());
                runtime.block_on(plugin.call(call)).answer.expect("3")
            });
        });
    }
    let tokens = example(&registry, "tokens");
    group.bench_function("rust_plugin", |bencher| {
        bencher.iter(|| {
            let call = PluginCall::new(&tokens, "count", serde_json::json!(["to be or not to be"]));
            runtime
                .block_on(tokens.call(call))
                .answer
                .expect("a number")
        });
    });
    group.bench_function("fresh_baseline", |bencher| {
        bencher.iter(|| {
            let given: (u32, u32) = serde_json::from_value(arguments()).expect("numbers");
            serde_json::to_value(given.0 + given.1).expect("3")
        });
    });
    group.finish();

    let sandbox = Sandbox::new().expect("the interpreter loads");
    let tool = Tool::deferred("add", |_: ToolContext, (a, b): (u32, u32)| async move {
        Ok(a + b)
    });
    let builder = sandbox.session().tool(tool).plugin(small(&registry));
    let mut session = builder.open().expect("right");
    let mut group = criterion.benchmark_group("python");
    for (name, code) in [
        ("plugin", "small.add(1, 2)"),
        ("plugin_baseline", "add(1, 2)"),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| runtime.block_on(session.exec(code)).expect("runs"));
        });
    }
    group.finish();
}

/// A log of `bytes` bytes in which few lines are errors.
fn log(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 200);
    let mut random = 1_u64;
    while text.len() < bytes {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let (user, host, took) = ((random >> 33) % 5000, (random >> 20) % 300, random >> 54);
        let what = if random >> 48 == 7 {
            "kernel panic"
        } else {
            "request served"
        };
        let line = writeln!(
            text,
            "2026-11-22T10:00:00Z host-{host} app[{user}]: {what} for user{user} in {took} ms with status 200"
        );
        line.expect("text takes everything");
    }
    text
}

fn search(criterion: &mut Criterion) {
    let runtime = runtime();
    let registry = Registry::new().expect("an engine");
    let sandbox = Sandbox::new().expect("the interpreter loads");
    let mut limits = Limits::default();
    limits.time = Duration::from_secs(600);
    limits.fuel = Some(100_000_000_000_000);
    limits.memory_bytes = 512 << 20;
    let builder = sandbox
        .session()
        .limits(limits)
        .context(Context::text("context", log(50 << 20)))
        .plugin(example(&registry, "search"));
    let mut session = builder.open().expect("right");
    let exec = |session: &mut Session, code: &str| {
        let since = Instant::now();
        let outcome = runtime.block_on(session.exec(code)).expect("runs");
        let found = outcome.value::<usize>();
        (
            found.unwrap_or_else(|error| panic!("{error}: {outcome:?}")),
            outcome.usage.fuel,
            since.elapsed(),
        )
    };
    // As a model would write it; both give the number of lines.
    let plugin = "search.count('kernel panic')";
    let python =
        "len([line for line in context.splitlines() if 'kernel' in line and 'panic' in line])";
    let (found, fuel, took) = exec(&mut session, plugin);
    eprintln!("building the index over 50 MiB: {took:.1?}, {fuel} fuel");
    let (expected, fuel, took) = exec(&mut session, python);
    eprintln!("the first search in Python: {took:.1?}, {fuel} fuel");
    assert_eq!(found, expected);
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    for (name, code) in [("index", plugin), ("index_baseline", python)] {
        group.bench_function(name, |bencher| bencher.iter(|| exec(&mut session, code)));
    }
    group.finish();
}

criterion_group!(benches, calls, search);
criterion_main!(benches);
