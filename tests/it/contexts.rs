//! Data that scripts read.

use expect_test::expect;
use rlm_sandbox::{Context, Ending, ErrorKind, Session, Stop};

use crate::check::{CRASH, block_on, check_in, crashing, described};

#[doc = "Keeps R0-4, R0-5, R0-7, R1-15."]
#[test]
fn a_context_added_between_execs_is_seen_by_the_next() {
    let mut session = described()
        .context(Context::text("b.txt", "bee"))
        .open()
        .expect("right");
    check_in(
        &mut session,
        "context, context_files, context_0",
        expect![[r#"
        ('bee', ['b.txt'], 'bee') as {"$tuple":["bee",["b.txt"],"bee"]}
    "#]],
    );
    session
        .add_context(Context::text("a.txt", "ay"))
        .expect("a new name");
    check_in(
        &mut session,
        "context, context_files, context_0, context_1, files",
        expect![[r#"
        ('ay', ['a.txt', 'b.txt'], 'ay', 'bee', {'a.txt': 'ay', 'b.txt': 'bee'}) as {"$tuple":["ay",["a.txt","b.txt"],"ay","bee",{"a.txt":"ay","b.txt":"bee"}]}
    "#]],
    );
    assert!(session.remove_context("a.txt"));
    check_in(
        &mut session,
        "context",
        expect![[r#"
        'bee' as "bee"
    "#]],
    );
    let error = session
        .add_context(Context::text("b.txt", "again"))
        .expect_err("taken");
    assert_eq!(error.kind(), ErrorKind::Usage);
}

#[test]
fn a_context_that_a_script_does_not_mention_costs_it_nothing() {
    let text = "line\n".repeat(1 << 20);
    let plain = block_on(described().open().expect("right").exec("1 + 1")).expect("runs");
    let mut session = described()
        .context(Context::text("big.txt", text))
        .open()
        .expect("right");
    let unmentioned = block_on(session.exec("1 + 1")).expect("runs");
    // Telling the session what there is moved a few blocks of its heap.
    let difference = unmentioned.usage.fuel.abs_diff(plain.usage.fuel);
    assert!(difference < plain.usage.fuel / 50, "{difference}");
    assert_eq!(
        unmentioned.usage.peak_memory_bytes,
        plain.usage.peak_memory_bytes
    );
    let mentioned = block_on(session.exec("len(context)")).expect("runs");
    assert_eq!(mentioned.value::<usize>().expect("a number"), 5 << 20);
    // The interpreter had up to a MiB of its own to spare.
    assert!(mentioned.usage.peak_memory_bytes > plain.usage.peak_memory_bytes + (4 << 20));
}

#[doc = "Keeps X08."]
#[test]
fn contexts_are_not_charged_to_the_memory_of_a_script() {
    let mut limits = rlm_sandbox::Limits::default();
    limits.memory_bytes = 1 << 20;
    let text = "x".repeat(20 << 20);
    let mut session = crashing()
        .limits(limits)
        .context(Context::text("big.txt", text))
        .open()
        .expect("right");
    let is_stopped = |session: &mut Session, source: &str| {
        let outcome = block_on(session.exec(source));
        let outcome = outcome.expect("an outcome");
        matches!(outcome.ending, Ending::Stopped(Stop::Memory, _))
    };
    for crash in [false, true] {
        if crash {
            // The same in an instance that was brought back.
            let outcome = block_on(session.exec(CRASH)).expect("an outcome");
            assert!(matches!(outcome.ending, Ending::Crashed(_)), "{outcome:?}");
        }
        for source in [
            "len(context) == 20 * 2 ** 20 and files['big.txt'] is context",
            "len('y' * 500_000) == 500_000",
        ] {
            let outcome = block_on(session.exec(source)).expect("an outcome");
            assert!(outcome.value::<bool>().expect("a truth"), "{outcome:?}");
        }
        // What is not the context's is charged.
        assert!(is_stopped(&mut session, "z = 'z' * 2_000_000"));
        assert!(is_stopped(
            &mut session,
            "z = []\nwhile True: z.append('z' * 1000)"
        ));
    }
}

#[test]
fn slices_are_read_without_loading_the_context() {
    let text: String = (0..300_000)
        .map(|n| char::from_u32(0xe0 + n % 20).expect("a letter"))
        .collect();
    let wanted: String = text.chars().skip(250_000).take(3).collect();
    let mut session = described()
        .context(Context::text("t", text))
        .open()
        .expect("right");
    let outcome = block_on(session.exec("read_context('t', 250_000, 3) + read_context('t', -1)"))
        .expect("runs");
    assert_eq!(outcome.value::<String>().expect("text"), wanted + "ó");
    assert!(outcome.usage.peak_memory_bytes < 20 << 20);
}

#[doc = "Keeps X30."]
#[test]
fn json_and_bytes_are_what_they_are() {
    let mut session = described()
        .context(Context::json("a.json", r#"{"rows": [1, {"$set": [2]}]}"#).expect("JSON"))
        .context(Context::bytes("b.bin", vec![0, 255]))
        .open()
        .expect("right");
    check_in(
        &mut session,
        "context, files['a.json'][:7], context_1, files['b.bin'] is context_1",
        expect![[r#"
        ({'rows': [1, {'$set': [2]}]}, '{"rows"', b'\x00\xff', True) as {"$tuple":[{"rows":[1,{"$dict":[["$set",[2]]]}]},"{\"rows\"",{"$bytes":"AP8="},true]}
    "#]],
    );
    assert_eq!(
        Context::json("x", "{").expect_err("not JSON").kind(),
        ErrorKind::Usage
    );
}

#[test]
fn a_real_file_of_a_megabyte_is_searched_in_a_fraction_of_the_limits() {
    let lock = std::fs::read_to_string(crate::check::root().join("Cargo.lock")).expect("readable");
    let text = lock.repeat((1 << 20) / lock.len() + 1);
    let mut session = described()
        .context(Context::text("Cargo.lock", text))
        .open()
        .expect("right");
    let code = "import re\nlen(set(re.findall(r'name = \"([^\"]+)\"', context))) > 100";
    let outcome = block_on(session.exec(code)).expect("runs");
    assert!(outcome.value::<bool>().expect("a flag"));
}

#[test]
fn a_variable_that_a_context_would_hide_is_refused() {
    let mut session = described()
        .context(Context::text("a.txt", "ay"))
        .open()
        .expect("right");
    for name in ["context_0", "files", "context_files"] {
        let error = session.set(name, 1).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    }
    session.set("context_1", 1).expect("there is one context");
    check_in(
        &mut session,
        "context_0, context_1",
        expect![[r#"
        ('ay', 1) as {"$tuple":["ay",1]}
    "#]],
    );
}
