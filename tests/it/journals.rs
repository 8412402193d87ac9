//! What a journal can hold, and what must not stand in one.

use std::fs;

use rlm_sandbox::{Context, ErrorKind, Journal, Tool, ToolContext, Verdict};

use crate::check::{block_on, described, exec, sandbox, value};
use crate::mutations::resealed;
use crate::replay::{check_identical, place, record, verdict};

#[test]
fn contexts_come_and_go_and_so_does_the_namespace() {
    let (_folder, path) = place();
    let context = |name: &str| Context::text(name, name.repeat(9));
    record(&path, described().context(context("a.txt")), |session| {
        exec(session, "x = len(context)");
        session.remove_context("a.txt");
        session.reset().expect("idle");
        exec(session, "1");
        session.add_context(context("b.txt")).expect("new");
        session.reset().expect("idle");
        exec(session, "len(files['b.txt'])");
        session.reset().expect("idle");
    });
    // Where it was taken away and the namespace made anew, it does not come back.
    let journal = Journal::open(&path).expect("a journal");
    let mut session = block_on(journal.until(1, described())).expect("handed back");
    assert_eq!(value(&mut session, "context_files"), "[]");
    check_identical(&path);
    let journal = Journal::open(&path).expect("a journal");
    let mut session = block_on(journal.until(9, described())).expect("handed back");
    assert_eq!(value(&mut session, "context_files"), "['b.txt']");
}

#[test]
fn answers_may_nest_deeply() {
    let (_folder, path) = place();
    let deep = || {
        Tool::deferred("deep", |_, (depth,): (usize,)| async move {
            let nested = (0..depth).fold(serde_json::json!(0.1), |inner, _| {
                serde_json::json!([inner])
            });
            Ok(nested)
        })
    };
    let flat = Tool::immediate("flat", |_: &ToolContext, (depth,): (usize,)| {
        Ok((0..depth).fold(serde_json::json!(0.1), |inner, _| {
            serde_json::json!([inner])
        }))
    });
    record(&path, described().tool(deep()).tool(flat), |session| {
        for depth in [100, 126, 127, 128, 200, 300] {
            exec(
                session,
                &format!(
                    "try:\n    x = deep({depth})\nexcept ValueError as e:\n    x = str(e)\nlen(repr(x))"
                ),
            );
            exec(
                session,
                &format!(
                    "try:\n    x = flat({depth})\nexcept ValueError as e:\n    x = str(e)\nlen(repr(x))"
                ),
            );
        }
    });
    check_identical(&path);
    // Nothing in the same line is trusted for that.
    let text = fs::read_to_string(&path).expect("text");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = lines
        .iter()
        .rposition(|line| line.contains("\"name\":\"flat\""))
        .expect("called");
    let mut forged = lines.clone();
    forged[at] = forged[at].replace("300", "301");
    fs::write(&path, resealed(&forged)).expect("written");
    assert!(matches!(verdict(&path), Verdict::Diverged(_)));
    // And nothing may stand after the end.
    let mut forged = lines;
    forged.push(String::from("{\"reset\":{},\"sum\":\"\"}"));
    fs::write(&path, resealed(&forged)).expect("written");
    assert!(matches!(verdict(&path), Verdict::Diverged(_)));
}

#[test]
fn a_changed_line_makes_nobody_leave_out_an_exec() {
    let (_folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "x = 1");
        exec(session, "x = 2");
    });
    let text = fs::read_to_string(&path).expect("text");
    let at = text.rfind("\"rolled-back\":false").expect("an outcome");
    let (before, after) = text.split_at(at);
    fs::write(&path, format!("{before}\"killed\":true,{after}")).expect("written");
    let journal = Journal::open(&path).expect("a journal");
    let error = block_on(journal.until(9, described())).expect_err("changed");
    assert_eq!(error.kind(), ErrorKind::Diverged, "{error}");
    assert!(matches!(verdict(&path), Verdict::Diverged(_)));
}

/// Fuel depends on the seed where something is looked up by hash.
#[test]
fn recordings_with_other_seeds_are_compared_but_for_fuel() {
    let recorded = |seed: u64, source: &str| {
        let (folder, path) = place();
        let session = sandbox().session().seed(seed).id("s");
        record(&path, session, |session| drop(exec(session, source)));
        let journal = Journal::open(&path).expect("a journal");
        (journal, folder)
    };
    let source = "import json\nprint(json.loads('[1]'))";
    let (seven, _kept) = recorded(7, source);
    let (eight, _also) = recorded(8, source);
    assert!(seven.has_seed_of(&seven) && !seven.has_seed_of(&eight));
    assert_eq!(seven.compare(&eight), None);
    let (other, _too) = recorded(8, "import json\nprint(json.loads('[2]'))");
    let found = seven.compare(&other).expect("another script");
    assert!(!found.what.contains("fuel"), "{found}");
    let (random, _last) = recorded(8, "import random\nprint(random.random())");
    let (drawn, _end) = recorded(7, "import random\nprint(random.random())");
    assert!(drawn.compare(&random).is_some());
}
