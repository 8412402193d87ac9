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
fn the_threat_model_names_tests_that_exist() {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("the threat model");
    let named: Vec<(&str, &str)> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|word| word.split_once("::"))
        .filter(|(path, _)| path.ends_with(".rs") || path.ends_with(".py"))
        .collect();
    assert!(named.len() > 50, "{} tests are named", named.len());
    for (path, function) in named {
        let source = fs::read_to_string(root().join(path));
        let source = source.unwrap_or_else(|error| panic!("{path}: {error}"));
        let keyword = if path.ends_with(".py") { "def" } else { "fn" };
        assert!(
            source.contains(&format!("{keyword} {function}(")),
            "{path} has no test {function}"
        );
    }
}

/// Every word in tests that could be an id.
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
        if path.ends_with("promises.rs") || !matches!(extension, Some("rs" | "py")) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("readable");
        // In a source file with its own tests, only those count.
        let text = match text.split_once("mod tests {") {
            Some((_, tests)) => tests.to_owned(),
            None if path.components().any(|part| part.as_os_str() == "src") => continue,
            None => text,
        };
        let words =
            text.split(|character: char| !character.is_ascii_alphanumeric() && character != '-');
        named.extend(words.map(str::to_uppercase));
    }
}
