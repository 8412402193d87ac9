//! The ledger: `promises.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::check::root;

/// `- ID: what must be true (who owes it) done`
fn lines() -> Vec<(String, bool)> {
    let text = fs::read_to_string(root().join("tests/promises.md")).expect("the ledger");
    let lines = text.lines().filter_map(|line| line.strip_prefix("- "));
    lines
        .map(|line| {
            let (id, rest) = line.split_once(": ").expect("an id and a colon");
            let (_, state) = rest.rsplit_once(") ").expect("a state at the end");
            assert!(matches!(state, "done" | "open" | "none"), "{line}");
            (id.to_owned(), state == "done")
        })
        .collect()
}

#[test]
fn every_promise_marked_done_is_named_by_a_test() {
    let mut named = BTreeSet::new();
    for folder in [
        "tests/it",
        "tests/cases",
        "tests/hostile",
        "tests/lies",
        "host",
        "guest/repl",
    ] {
        collect(&root().join(folder), &mut named);
    }
    let missing: Vec<_> = lines()
        .into_iter()
        .filter(|(id, done)| *done && !named.contains(&id.to_uppercase()))
        .map(|(id, _)| id)
        .collect();
    assert!(
        missing.is_empty(),
        "no test names {missing:?}; name the id in the test that shows it, or mark it open"
    );
}

#[test]
fn every_id_stands_in_the_ledger_once() {
    let lines = lines();
    let ids: BTreeSet<_> = lines.iter().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), lines.len());
    assert!(ids.len() > 190, "{}", ids.len());
}

#[test]
fn every_promise_of_the_threat_model_names_tests_that_exist() {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("the threat model");
    let (_, held) = text.split_once("\n## What holds").expect("the promises");
    let (held, _) = held.split_once("\n## ").expect("more sections");
    let rows = held
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| promise"));
    let mut count = 0;
    for row in rows {
        let tests = row.trim_end_matches([' ', '|']).rsplit('|').next();
        let named: Vec<(&str, &str)> = tests
            .unwrap_or_default()
            .split('`')
            .skip(1)
            .step_by(2)
            .filter_map(|word| word.split_once("::"))
            .collect();
        assert!(!named.is_empty(), "no test: {row}");
        for (path, function) in named {
            let source = fs::read_to_string(root().join(path));
            let source = source.unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(
                is_test(path, &source, function),
                "{path} has no test {function}"
            );
        }
        count += 1;
    }
    assert!(count > 100, "{count} promises");
}

/// Returns whether a source has a test of this name, or makes the trials of a harness of its own in a function of this name.
fn is_test(path: &str, source: &str, function: &str) -> bool {
    if path.ends_with(".py") {
        return function.starts_with("test_") && source.contains(&format!("def {function}("));
    }
    let Some((before, _)) = source.split_once(&format!("fn {function}(")) else {
        return false;
    };
    let attributes = before.rsplit("\n\n").next().unwrap_or_default();
    function == "trials" || attributes.contains("test")
}

/// Collects the ids that tests name: in an attribute `#[doc = "Keeps R0-2, X09."]`, or in the name of a test or of a case.
fn collect(folder: &Path, named: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                collect(&path, named);
            }
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.components().any(|part| part.as_os_str() == "cases") {
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            named.extend(ids_in_name(stem.unwrap_or_default()));
        }
        if extension == Some("py") {
            // A test of the Python package has ids in its name alone.
            let text = fs::read_to_string(&path).expect("readable");
            let tests = text.lines().filter_map(function);
            let tests = tests.filter(|name| name.starts_with("test_"));
            named.extend(tests.flat_map(ids_in_name));
        }
        if extension != Some("rs") {
            continue;
        }
        let text = without_comments(&fs::read_to_string(&path).expect("readable"));
        let mut kept: Vec<String> = Vec::new();
        let (mut is_test, mut is_ignored) = (false, false);
        for line in text.lines().map(str::trim) {
            if let Some(ids) = line.strip_prefix("#[doc = \"Keeps ") {
                let ids = ids.trim_end_matches(".\"]").split(", ");
                kept.extend(ids.map(str::to_uppercase));
            } else if line.starts_with("#[test]") {
                is_test = true;
            } else if line.starts_with("#[ignore") && !line.contains("`.ci/") {
                // No command runs it either.
                is_ignored = true;
            } else if let Some(name) = function(line) {
                let is_run = !std::mem::take(&mut is_ignored);
                if std::mem::take(&mut is_test) && is_run {
                    named.append(&mut kept.drain(..).collect());
                    named.extend(ids_in_name(name));
                }
                assert!(kept.is_empty(), "{}: {name} is no test", path.display());
            }
        }
    }
}

/// Returns a text without what is between `/*` and `*/`.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once("*/").map_or("", |(_, rest)| rest));
    }
    kept
}

/// Returns the name of the function that a line begins.
fn function(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let rest = line
        .strip_prefix("fn ")
        .or_else(|| line.strip_prefix("def "))?;
    rest.split(['(', '<']).next()
}

/// Returns the ids in a name: `R0-2` in `r0_2_the_schema_is_the_same`.
fn ids_in_name(name: &str) -> Vec<String> {
    let words: Vec<_> = name.split('_').map(str::to_uppercase).collect();
    let pairs = words.windows(2).map(|pair| pair.join("-"));
    words.iter().cloned().chain(pairs).collect()
}
