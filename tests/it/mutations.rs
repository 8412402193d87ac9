//! Whatever is changed in a journal is noticed, and named.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rlm_sandbox::{Context, Divergence, Journal, Verdict};

use crate::check::{block_on, described, exec, sandbox};
use crate::replay::{Counting, place, record};
use crate::sums;

/// A session in which everything is that a journal can hold.
pub(crate) fn recorded(path: &Path) {
    let context = Context::text("log.txt", "line\n".repeat(1000));
    let mut limits = rlm_sandbox::Limits::default();
    limits.fuel = 20_000_000;
    let builder = described().model(Counting).context(context).limits(limits);
    record(path, builder, |session| {
        exec(
            session,
            "import random, asyncio\nx = random.random(), len(context)",
        );
        session.set("given", [1, 2]).expect("JSON");
        exec(
            session,
            "a = await asyncio.gather(*[llm_query(f'question {n} {x}') for n in range(3)])\nprint(a)\na",
        );
        exec(
            session,
            "try:\n    fail('KeyError', 'no')\nexcept KeyError:\n    b = echo([given, 2.5])\nb",
        );
        block_on(session.get("b")).expect("bound");
        block_on(session.park()).expect("written");
        exec(session, "while True: pass");
        exec(session, "1 / 0");
    });
}

/// What somebody may do to a journal: the line it hits, and what is left.
type Mutation = (String, Option<usize>, Vec<u8>);

fn mutations(lines: &[&str]) -> Vec<Mutation> {
    let whole = |lines: &[String]| lines.concat().into_bytes();
    let owned: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut all: Vec<Mutation> = Vec::new();
    for at in 0..lines.len() {
        let mut fewer = owned.clone();
        fewer.remove(at);
        // The line after it is out of place; after the last one there is none.
        let named = (at > 0 && at + 1 < lines.len()).then_some(at);
        all.push((format!("drop line {}", at + 1), named, whole(&fewer)));
        for other in at + 1..lines.len() {
            let mut swapped = owned.clone();
            swapped.swap(at, other);
            if lines[at] != lines[other] {
                all.push((
                    format!("swap lines {} and {}", at + 1, other + 1),
                    Some(at),
                    whole(&swapped),
                ));
            }
        }
        // Every kind of digit and letter, all over the line.
        for (index, byte) in lines[at].bytes().enumerate().skip(at % 5).step_by(5) {
            let other = match byte {
                b'0'..=b'8' => byte + 1,
                b'9' => b'0',
                b'a'..=b'y' | b'A'..=b'Y' => byte + 1,
                b'"' | b'{' | b'}' => b' ',
                _ => continue,
            };
            let mut changed = owned.clone();
            let mut bytes = changed[at].clone().into_bytes();
            bytes[index] = other;
            changed[at] = String::from_utf8(bytes).expect("still text");
            all.push((
                format!("byte {index} of line {}", at + 1),
                Some(at),
                whole(&changed),
            ));
        }
    }
    all
}

/// What the replay says of a journal, if anything is wrong with it.
fn found(path: &Path) -> Option<Result<Box<Divergence>, String>> {
    let journal = match Journal::open(path) {
        Ok(journal) => journal,
        Err(error) => return Some(Err(error.to_string())),
    };
    match block_on(journal.replay(sandbox())) {
        Err(error) => Some(Err(error.to_string())),
        Ok(replayed) => match replayed.verdict {
            Verdict::Identical => None,
            Verdict::Diverged(divergence) => Some(Ok(divergence)),
            other => Some(Err(format!("{other:?}"))),
        },
    }
}

#[test]
fn none_of_a_thousand_changes_goes_unnoticed() {
    let (folder, path) = place();
    recorded(&path);
    assert_eq!(found(&path).map(|_| ()), None);
    let text = fs::read_to_string(&path).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    let all = mutations(&lines);
    assert!(all.len() >= 1000, "{} mutations", all.len());
    let changed = folder.path().join("changed.jsonl");
    let data = |path: &Path| path.with_extension("jsonl.data");
    copy(&data(&path), &data(&changed));
    for (what, line, bytes) in all {
        fs::write(&changed, bytes).expect("written");
        let found = found(&changed);
        match (found, line) {
            (None, _) => panic!("{what} was not noticed"),
            // Of the header, what it says may not even be possible.
            (Some(Err(_)), Some(0) | None) => {}
            (Some(Err(error)), _) => panic!("{what}: {error}"),
            (Some(Ok(divergence)), Some(line)) => {
                assert_eq!(divergence.line, line + 1, "{what}: {divergence}");
            }
            (Some(Ok(_)), None) => {}
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
    }
}

#[test]
fn one_byte_of_a_context_is_noticed_and_named() {
    let (_folder, path) = place();
    recorded(&path);
    let data = path.with_extension("jsonl.data");
    let mut files = fs::read_dir(&data).expect("a folder");
    let file = files.next().expect("a context").expect("an entry").path();
    let mut bytes = fs::read(&file).expect("readable");
    bytes[1234] ^= 1;
    fs::write(&file, bytes).expect("written");
    let error = found(&path).expect("noticed").expect_err("no way to go on");
    assert!(
        error.contains("log.txt") && error.contains("not those"),
        "{error}"
    );
    fs::remove_file(&file).expect("removed");
    let error = found(&path).expect("noticed").expect_err("no way to go on");
    assert!(
        error.contains("log.txt") && error.contains("cannot read"),
        "{error}"
    );
}

/// The lines with sums that fit, as a forger would write them.
pub(crate) fn resealed(lines: &[String]) -> String {
    let mut sum = 0;
    let mut text = String::new();
    for line in lines {
        let (fitting, line) = sums::resealed(sum, line).expect("a sum");
        sum = fitting;
        text.push_str(&line);
    }
    text
}

#[test]
fn what_a_forger_changes_comes_out_when_it_is_run() {
    let (_folder, path) = place();
    recorded(&path);
    let text = fs::read_to_string(&path).expect("text");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(resealed(&lines), text);
    let mut kinds = BTreeSet::new();
    let mut forgeries = 0;
    for (at, line) in lines.iter().enumerate() {
        let kind = line.split('"').nth(1).unwrap_or_default().to_owned();
        let changes: &[(&str, &str)] = match kind.as_str() {
            "header" => &[("\"seed\":\"42\"", "\"seed\":\"43\"")],
            "exec" => &[("range(3)", "range(4)"), ("1 / 0", "2 / 0")],
            "call" => &[
                ("\"name\":\"echo\"", "\"name\":\"fail\""),
                ("question 1", "question 7"),
                ("2.5", "2.6"),
            ],
            "answer" => &[("question 1", "question 9")],
            "set" => &[("[1,2]", "[1,3]")],
            "outcome" => &[("\"exec\":1", "\"exec\":2")],
            "base" => &[("\"asked\":true", "\"asked\":false")],
            _ => &[],
        };
        let mut forged: Vec<String> = Vec::new();
        for (from, to) in changes {
            if line.contains(from) {
                forged.push(line.replacen(from, to, 1));
            }
        }
        // Every count of fuel, by one digit.
        for name in ["fuel", "total", "read"] {
            let field = format!("\"{name}\":\"");
            if let Some(start) = line.find(&field) {
                let digit = start + field.len();
                let mut bytes = line.clone().into_bytes();
                bytes[digit] = if bytes[digit] == b'9' {
                    b'8'
                } else {
                    bytes[digit] + 1
                };
                forged.push(String::from_utf8(bytes).expect("text"));
            }
        }
        for line in forged {
            let mut all = lines.clone();
            all[at] = line;
            fs::write(&path, resealed(&all)).expect("written");
            let found = found(&path);
            assert!(found.is_some(), "line {} was forged: {}", at + 1, all[at]);
            kinds.insert(kind.clone());
            forgeries += 1;
        }
    }
    let expected = [
        "answer",
        "base",
        "call",
        "end",
        "exec",
        "header",
        "outcome",
        "returned",
        "set",
        "stop",
        "suspended",
    ];
    assert_eq!(
        kinds.iter().map(String::as_str).collect::<Vec<_>>(),
        expected
    );
    assert!(forgeries >= 30, "{forgeries}");
}

#[test]
fn a_divergence_says_where_it_is_and_what_was_expected() {
    let (_folder, path) = place();
    recorded(&path);
    let text = fs::read_to_string(&path).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let call = lines
        .iter()
        .position(|line| line.starts_with("{\"call\"") && line.contains("echo"))
        .expect("called");
    lines[call] = lines[call].replace("2.5", "2.75");
    fs::write(&path, resealed(&lines)).expect("written");
    let divergence = found(&path).expect("noticed").expect("while it ran");
    assert_eq!((divergence.exec, divergence.call), (Some(2), Some(4)));
    assert!(
        divergence.expected.contains("2.75") && divergence.got.contains("2.5"),
        "{divergence}"
    );
    let place = divergence.place.as_ref().expect("a line");
    assert_eq!(
        (place.line, place.text.as_deref()),
        (4, Some("    b = echo([given, 2.5])"))
    );
    let (expected, got) = divergence.fuel.expect("both say");
    assert_eq!(expected, got);
}

#[test]
fn a_forged_journal_does_no_harm_whatever_stands_where() {
    let (_folder, path) = place();
    recorded(&path);
    let text = fs::read_to_string(&path).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // What nothing of this session can have led to.
    for foreign in [
        r#"{"time-limit":{"time":{"secs":5,"nanos":0}},"sum":"0"}"#,
        r#"{"base":{"asked":true,"bytes":0,"digest":""},"sum":"0"}"#,
        r#"{"base":{"asked":false,"bytes":0,"digest":""},"sum":"0"}"#,
        r#"{"reset":{},"sum":"0"}"#,
        r#"{"given-up":{"inside":true},"sum":"0"}"#,
        r#"{"given-up":{"inside":false},"sum":"0"}"#,
        r#"{"failed":{"why":"","killed":true},"sum":"0"}"#,
        r#"{"resume":{"tickets":[],"stop":"canceled"},"sum":"0"}"#,
        r#"{"resume":{"tickets":[0,0,18446744073709551615]},"sum":"0"}"#,
        r#"{"answer":{"ticket":18446744073709551615,"answer":"pending","at-us":0},"sum":"0"}"#,
        r#"{"variables":{"repr-bytes":4294967295},"sum":"0"}"#,
        r#"{"contexts":{"files":[{"name":"","form":"","bytes":0,"digest":"../../etc/passwd"}],"default":null},"sum":"0"}"#,
        r#"{"set":{"name":"\u0000","value":{"returned":[[[[[]]]]]}},"sum":"0"}"#,
        r#"{"get":{"name":"_rlm_show"},"sum":"0"}"#,
    ] {
        lines.push(foreign.to_owned());
    }
    // Each line in each place, once more.
    for from in 0..lines.len() {
        for to in 1..lines.len() {
            let mut forged = lines.clone();
            forged.insert(to, lines[from].clone());
            forged.truncate(to + 6);
            fs::write(&path, resealed(&forged)).expect("written");
            // That it ends, and takes nothing with it.
            let _ = found(&path);
            let journal = Journal::open(&path).expect("a journal");
            let _ = journal.to_string();
            if let Ok(mut session) = block_on(journal.rebuild(described())) {
                let _ = block_on(session.exec("1 + 1"));
            }
        }
    }
}
