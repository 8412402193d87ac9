//! The inner wall alone: natively there is no engine with fuel, epochs and a cap on
//! memory around the interpreter, and its own limits end a script all the same.
//!
//! One test in a process of its own: the interpreter counts what the process holds.

#[path = "it/host.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the other tests need the rest of it"
)]
mod host;

use std::time::{Duration, Instant};

use host::{TestHost, profile, settings, tell};
use rlm_repl::Repl;

#[global_allocator]
static ALLOCATOR: monty_alloc::LimitedAllocator = monty_alloc::LimitedAllocator;

#[test]
fn the_interpreters_own_limits_end_a_script_where_no_engine_does() {
    let host = TestHost::default();
    let exec = |source: &str| {
        let mut settings = settings(profile());
        settings.limits.memory_bytes = 8 << 20;
        // The clock is the machine's; half of this is what a script may take.
        settings.limits.jump_nanoseconds = 1_000_000_000;
        let mut repl = Repl::new(&host);
        repl.configure(settings).expect("settings are right");
        let started = Instant::now();
        let told = tell(repl.exec(source).expect("idle"));
        assert!(started.elapsed() < Duration::from_secs(60), "{source}");
        told
    };
    for (source, ends) in [
        ("while True: pass", "stopped: Stop::Time"),
        (
            "n = 0\nfor i in range(10 ** 12): n += i * i",
            "stopped: Stop::Time",
        ),
        (
            "try:\n    while True: pass\nexcept BaseException:\n    while True: pass",
            "stopped: Stop::Time",
        ),
        ("sum([n for n in range(10 ** 9)])", "stopped: Stop::Memory"),
        ("x = 'x' * (10 ** 9)", "stopped: Stop::Memory"),
        ("x = [0] * (10 ** 8)", "stopped: Stop::Memory"),
        (
            "x = []\nwhile True: x.append('a' * 1000)",
            "stopped: Stop::Memory",
        ),
        ("x = 7 ** (10 ** 8)", "stopped: Stop::Memory"),
        (
            "def f(n): return f(n + 1)\nf(0)",
            "RecursionError: maximum recursion depth exceeded",
        ),
        (
            "class A:\n    def __repr__(self): return f'{self!r}'\nstr(A())",
            "RecursionError",
        ),
        (&"(".repeat(5000), "SyntaxError"),
        (&"x = 1\n".repeat(20_000), "SyntaxError: "),
    ] {
        let told = exec(source);
        assert!(
            told.starts_with(ends),
            "{}: {told}",
            &source[..source.len().min(60)]
        );
        assert_eq!(exec("1 + 1"), "2");
    }
    // One that is met before the script begins, by a module that it imports.
    let mut settings = settings(profile());
    settings.limits.memory_bytes = 8 << 20;
    let mut repl = Repl::new(&host);
    repl.configure(settings).expect("settings are right");
    for power in (12..23).rev() {
        // As much as there is room for.
        let _ = repl.exec(&format!("kept{power} = 'x' * {}", 1 << power));
    }
    let step = repl.exec("import statistics, difflib, urllib.parse, fractions");
    assert_eq!(tell(step.expect("idle")), "stopped: Stop::Memory");
    dropping_contexts_gives_scripts_no_memory();
    cycles_take_no_memory_for_good();
}

/// What contexts and conversations take is charged to no script, once: whoever drops them, or keeps them under other
/// names, has no more for it the next time that they are bound.
fn dropping_contexts_gives_scripts_no_memory() {
    const BYTES: usize = 16 << 20;
    let mut host = TestHost::default();
    let text = "x".repeat(BYTES).into_bytes();
    host.contexts.insert("c".to_owned(), text);
    host.history = Some(format!("[\"{}\"]", "y".repeat(BYTES)));
    for name in ["context", "history"] {
        let mut repl = host::repl_with(&host, profile());
        for drops in [
            format!("{name} = None"),
            format!("kept.append({name}); {name} = None"),
        ] {
            tell(repl.exec("kept = []").expect("idle"));
            for _ in 0..12 {
                let source = format!("{drops}\nlen(kept)");
                tell(repl.exec(&source).expect("idle"));
            }
            let source = "x = []\nfor n in range(200): x.append('a' * 1_000_000 + str(n))";
            let told = tell(repl.exec(source).expect("idle"));
            assert_eq!(told, "stopped: Stop::Memory", "{drops}");
        }
    }
}

/// Objects that refer to each other and that nothing else refers to are collected before memory is full of them.
fn cycles_take_no_memory_for_good() {
    const NODE: &str = "class Node:\n    def __init__(self, n, of=100_000):\n        self.text = 'x' * of + str(n)\n        \
                        self.me = self\n        self.rest = [self]\n    def __lt__(self, other):\n        \
                        Node(0)\n        return self.text < other.text\ndef f(n):\n    Node(n)\n    return n";
    let host = TestHost::default();
    for scripts in [
        &["for n in range(2000): Node(n)\nn"][..],
        &["len([*map(f, range(2000))])"],
        &["max(range(2000), key=f)"],
        &["len(sorted(range(2000), key=f))"],
        &["len(sorted([Node(n, 1) for n in range(200)]))"],
        &["import re\nlen(re.sub('a', lambda m: str(f(m.start())), 'a' * 2000))"],
        &["Node(0)"; 500],
        &[
            "def tree(depth, up=None):\n    node = Node(0, 10)\n    node.up = up\n    node.down = [tree(depth - 1, node) \
           for _ in range(2)] if depth else []\n    return node\nfor _ in range(40): tree(8)",
        ],
        // Memory is asked for at once where a good deal of it is held by cycles.
        &[
            "for n in range(60): Node(n)",
            "x = 'y' * 2_000_000\nfor n in range(60): Node(n)",
            "x = [0] * 300_000",
        ],
        &[
            "x = 'y' * 5_000_000",
            "x = 0\nfor n in range(55): Node(n)",
            "x = 'y' * 5_000_000",
        ],
    ] {
        let mut settings = settings(profile());
        settings.limits.memory_bytes = 8 << 20;
        let mut repl = Repl::new(&host);
        repl.configure(settings).expect("settings are right");
        tell(repl.exec(NODE).expect("idle"));
        for script in scripts {
            let ended = tell(repl.exec(script).expect("idle"));
            assert!(
                !ended.contains("stopped") && !ended.contains("Error"),
                "{script}: {ended}"
            );
        }
    }
}
