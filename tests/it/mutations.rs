//! Whatever is changed in a journal is noticed, and named.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rlm_sandbox::{Answer, Context, Divergence, Journal, Profile, Recording, Step, Verdict};

use crate::check::{block_on, described, dumped, exec, sandbox};
use crate::plugins::{Echo, Helper};
use crate::replay::{Counting, place, record};
use crate::{plugins, sums};

/// A session in which everything is that a journal can hold.
pub(crate) fn recorded(path: &Path) {
    let context = Context::text("log.txt", "line\n".repeat(1000));
    let mut limits = rlm_sandbox::Limits::default();
    limits.fuel = Some(20_000_000);
    // Where memory cannot be mapped, to park is an event.
    let builder = dumped().model(Counting).context(context).limits(limits);
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
            "base" => &[("\"digest\":\"", "\"digest\":\"0")],
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

/// Lines of a journal in a file.
fn lines_of(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("text");
    text.lines().map(str::to_owned).collect()
}

/// The place of the first line of this kind that has this text.
#[track_caller]
fn line_with(lines: &[String], kind: &str, text: &str) -> usize {
    let begin = format!("{{\"{kind}\":");
    let is_it = |line: &String| line.starts_with(&begin) && line.contains(text);
    let found = lines.iter().position(is_it);
    found.unwrap_or_else(|| panic!("no {kind} with {text}: {lines:#?}"))
}

/// A line with one more member.
fn with_member(line: &str, member: &str) -> String {
    line.replacen("},\"sum\":", &format!(",{member}}},\"sum\":"), 1)
}

/// Checks that a replay of these lines names the line at `at`.
#[track_caller]
fn check_named(path: &Path, lines: &[String], at: usize, why: &str) {
    fs::write(path, resealed(lines)).expect("written");
    let journal = Journal::open(path).expect("a journal");
    match found(path) {
        Some(Ok(divergence)) => {
            assert_eq!(divergence.line, at + 1, "{}: {divergence}", lines[at]);
            assert!(divergence.what.contains(why), "{why}: {divergence}");
        }
        other => panic!("{} was not noticed: {other:?}\n{journal}", lines[at]),
    }
    // No session goes on from there.
    if why != "was refused for want" {
        assert!(block_on(journal.rebuild(described())).is_err(), "{why}");
    }
}

const SET_ASIDE: &str = r#""set-aside":{"fuel":5,"time":{"secs":1,"nanos":0},"model_calls":1}"#;
const CHARGE: &str = r#""charge":{"fuel":"0","model-calls":2,"compute-us":5}"#;
const TOKENS: &str = r#""tokens":{"input":1,"output":2}"#;

#[test]
fn a_limit_that_no_script_reached_is_noticed() {
    let (_folder, path) = place();
    let mut limits = rlm_sandbox::Limits::default();
    limits.time = std::time::Duration::from_millis(100);
    record(&path, described().limits(limits), |session| {
        exec(session, "print('hi')\nwhile True: pass");
    });
    assert_eq!(found(&path).map(|_| ()), None);
    let lines = lines_of(&path);
    let stop = line_with(&lines, "stop", "time");
    for why in ["fuel", "output", "calls", "memory"] {
        let mut changed = lines.clone();
        changed[stop] = lines[stop].replace("\"why\":\"time\"", &format!("\"why\":\"{why}\""));
        fs::write(&path, resealed(&changed)).expect("written");
        match found(&path) {
            Some(Ok(divergence)) => assert_eq!(divergence.line, stop + 1, "{divergence}"),
            other => panic!("{why} was not noticed: {other:?}"),
        }
    }
    let (_folder, path) = place();
    record(&path, described(), |session| {
        let step = block_on(session.step("later(1)")).expect("a step");
        assert!(matches!(step, rlm_sandbox::Step::Waiting(_)), "{step:?}");
        session.cancel_handle().cancel();
        let outcome = block_on(session.finish()).expect("an outcome");
        assert!(!outcome.is_success(), "{outcome:?}");
    });
    assert_eq!(found(&path).map(|_| ()), None);
    let lines = lines_of(&path);
    let resumed = line_with(&lines, "resume", "canceled");
    let mut changed = lines.clone();
    changed[resumed] = lines[resumed].replace("canceled", "fuel");
    check_named(
        &path,
        &changed,
        resumed,
        "a cancellation or its deadline alone",
    );
}

#[test]
fn members_that_contradict_each_other_are_noticed() {
    let (_folder, path) = place();
    let mut limits = rlm_sandbox::Limits::default();
    limits.model_calls = 2;
    record(
        &path,
        described().model(Counting).limits(limits),
        |session| {
            exec(session, "a = echo(1), later(2)\nb = llm_query('one')");
            exec(
                session,
                "c = later(3)\ntry:\n    llm_query_batched(['x', 'y', 'z'])\nexcept RuntimeError as error:\n    d = str(error)\nd",
            );
        },
    );
    assert_eq!(found(&path).map(|_| ()), None);
    let lines = lines_of(&path);
    let call = |text: &str| line_with(&lines, "call", text);
    let answer = |text: &str| line_with(&lines, "answer", text);
    let (echo, later, model) = (call("\"echo\""), call("\"later\""), call("one"));
    let (second, third) = (answer("\"returned\":2"), answer("\"returned\":3"));
    for (at, member, why) in [
        (echo, "\"refused\":true", "returned a value"),
        (later, "\"refused\":true", "answered later"),
        (model, "\"refused\":true", "answered later"),
        (echo, SET_ASIDE, "answered at once"),
        (model, SET_ASIDE, "none of one"),
        (second, CHARGE, "the charge of a plugin"),
        (answer("one has"), CHARGE, "the charge of a plugin"),
        (second, TOKENS, "tokens of a model"),
    ] {
        let mut changed = lines.clone();
        changed[at] = with_member(&lines[at], member);
        check_named(&path, &changed, at, why);
    }
    for (at, reply, why) in [
        (
            later,
            "\"reply\":{\"returned\":2}",
            "returned a value at once",
        ),
        (
            echo,
            "\"reply\":\"pending\"",
            "answered later, and its function",
        ),
    ] {
        let mut line: serde_json::Value = serde_json::from_str(&lines[at]).expect("JSON");
        let reply: serde_json::Value = serde_json::from_str(&format!("{{{reply}}}")).expect("JSON");
        line["call"]["reply"] = reply["reply"].clone();
        let mut changed = lines.clone();
        changed[at] = line.to_string();
        check_named(&path, &changed, at, why);
    }
    // Two answers, whichever is the right one.
    for other in [
        lines[second].clone(),
        lines[second].replace("\"returned\":2", "\"returned\":7"),
    ] {
        for at in [second, second + 1] {
            let mut changed = lines.clone();
            changed.insert(at, other.clone());
            check_named(&path, &changed, second + 1, "answered before");
        }
    }
    // An answer that comes when no script waits, or waits for others.
    for (to, why) in [
        (line_with(&lines, "end", ""), "no script waits"),
        (line_with(&lines, "exec", "c = later"), "no script waits"),
        (third, "has ended"),
    ] {
        let mut changed = lines.clone();
        changed.insert(to, lines[second].clone());
        check_named(&path, &changed, to, why);
    }
    // An answer of a model to a plugin, where there is none.
    let told = lines[second].replace("{\"answer\":{", "{\"told\":{\"number\":0,\"prompt\":\"\",");
    let mut changed = lines.clone();
    changed.insert(second, told);
    check_named(&path, &changed, second, "none of a plugin");
    // No answer at all.
    let mut changed = lines.clone();
    changed[second] = lines[second].replace("{\"returned\":2}", "\"pending\"");
    check_named(&path, &changed, second, "no answer");
}

#[test]
fn a_refusal_of_prompts_that_no_limit_made_is_noticed() {
    for (most, source, other) in [
        (
            0,
            "try: llm_query('a')\nexcept RuntimeError as error: a = str(error)",
            50_u64,
        ),
        (2, "llm_query('a'); a = llm_query('b')", 1),
    ] {
        let (_folder, path) = place();
        let mut limits = rlm_sandbox::Limits::default();
        limits.model_calls = most;
        record(
            &path,
            described().model(Counting).limits(limits),
            |session| {
                exec(session, source);
            },
        );
        assert_eq!(found(&path).map(|_| ()), None);
        let mut lines = lines_of(&path);
        let mut header: serde_json::Value = serde_json::from_str(&lines[0]).expect("JSON");
        header["header"]["limits"]["model_calls"] = other.into();
        lines[0] = header.to_string();
        fs::write(&path, resealed(&lines)).expect("written");
        assert!(matches!(found(&path), Some(Ok(_))), "{source}");
    }
}

#[test]
fn charges_above_what_was_set_aside_are_noticed() {
    let (_folder, path) = place();
    let helper = crate::plugins::Helper::default();
    record(&path, crate::plugins::session(&helper), |session| {
        exec(session, "helper.double(4)");
    });
    assert_eq!(found(&path).map(|_| ()), None);
    let lines = lines_of(&path);
    let (call, answer) = (
        line_with(&lines, "call", "set-aside"),
        line_with(&lines, "answer", "charge"),
    );
    let fuel = |lines: &[String], at: usize, name: &str, fuel: u64| {
        let mut line: serde_json::Value = serde_json::from_str(&lines[at]).expect("JSON");
        let kind = if at == call { "call" } else { "answer" };
        let member = &mut line[kind][name]["fuel"];
        *member = if member.is_string() {
            fuel.to_string().into()
        } else {
            fuel.into()
        };
        let mut changed = lines.to_vec();
        changed[at] = line.to_string();
        changed
    };
    let changed = fuel(&lines, call, "set-aside", 1);
    check_named(&path, &changed, answer, "above what was set aside");
    let mut line: serde_json::Value = serde_json::from_str(&lines[answer]).expect("JSON");
    line["answer"]["charge"]["model-calls"] = 1_000_000_u64.into();
    let mut changed = lines.clone();
    changed[answer] = line.to_string();
    check_named(&path, &changed, answer, "above what was set aside");
    // No call has more than its script.
    for most in [u64::MAX, rlm_sandbox::Limits::default().fuel_budget() + 1] {
        fs::write(&path, resealed(&fuel(&lines, call, "set-aside", most))).expect("written");
        assert!(matches!(found(&path), Some(Ok(_))), "{most}");
    }
}

#[test]
fn a_header_that_denies_its_model_is_noticed() {
    let (_folder, path) = place();
    let profile = || Profile::named("rlm-code").expect("there");
    let flip = |lines: &[String], from: bool| {
        let mut changed = lines.to_vec();
        let (is, other) = (format!("\"model\":{from}"), format!("\"model\":{}", !from));
        assert!(lines[0].contains(&is), "{}", lines[0]);
        changed[0] = lines[0].replace(&is, &other);
        changed
    };
    record(
        &path,
        described().profile(profile()).model(Counting),
        |session| {
            exec(session, "a = llm_query('one')");
        },
    );
    assert_eq!(found(&path).map(|_| ()), None);
    check_named(&path, &flip(&lines_of(&path), true), 0, "names of a model");
    let (_folder, path) = place();
    record(&path, described(), |session| {
        let refused = "try: llm_query('one')\nexcept RuntimeError as error: a = str(error)\na";
        let outcome = exec(session, refused);
        assert!(
            format!("{outcome:?}").contains("no language model"),
            "{outcome:?}"
        );
    });
    assert_eq!(found(&path).map(|_| ()), None);
    let lines = lines_of(&path);
    let refused = line_with(&lines, "call", "one");
    check_named(&path, &flip(&lines, false), refused, "the session has one");
    // A session that went on without its model tells scripts otherwise.
    let (_folder, path) = place();
    record(&path, described().model(Counting), |session| {
        exec(session, "a = 1");
    });
    let journal = Journal::open(&path).expect("a journal");
    let mut session = block_on(journal.rebuild(described())).expect("rebuilt");
    exec(&mut session, "llm_query('one')");
    drop(session);
    assert_eq!(found(&path).map(|_| ()), None);
    // One that went on with a model has answers of it.
    let (_folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "a = 1");
    });
    let journal = Journal::open(&path).expect("a journal");
    let rebuilt = block_on(journal.rebuild(described().model(Counting)));
    let mut session = rebuilt.expect("rebuilt");
    exec(&mut session, "llm_query('one')");
    drop(session);
    assert_eq!(found(&path).map(|_| ()), None);
}

#[test]
fn what_plugins_have_in_a_journal_is_no_contradiction() {
    let (_folder, path) = place();
    let asked = std::sync::Arc::default();
    let builder = || plugins::session(&Helper::default()).seed(1).id("s");
    record(&path, builder().model(Echo(asked)), |session| {
        exec(session, "a = helper.double(4), helper.ask(['a', 'b'])");
    });
    assert_eq!(found(&path).map(|_| ()), None);
    let lines = lines_of(&path);
    let (call, told) = (
        line_with(&lines, "call", "ask"),
        line_with(&lines, "told", "1 b"),
    );
    let answer = line_with(&lines, "answer", "1 b");
    // Without the allowance, the charge of the plugin has no basis.
    let mut changed = lines.clone();
    let start = lines[call].find(",\"set-aside\":").expect("a plugin's");
    let end = lines[call].find("},\"sum\":").expect("a sum");
    changed[call].replace_range(start..end, "");
    let first = line_with(&lines, "told", "0 a");
    check_named(&path, &changed, first, "none of a plugin");
    // An answer of a model behind the answer of the call.
    let mut changed = lines.clone();
    changed.swap(told, answer);
    check_named(&path, &changed, answer, "answered before");
}

/// Such a call is in no line, and was answered once more after its script had ended.
#[test]
fn a_second_answer_to_a_call_that_came_with_a_parked_session_is_noticed() {
    let (_folder, path) = place();
    let mut parked = described().open().expect("right");
    let step = block_on(parked.step("x = later(5)")).expect("a step");
    let Step::Waiting(calls) = step else {
        panic!("it waits: {step:?}");
    };
    let parked = block_on(parked.park()).expect("written");
    let recording = Recording::create(&path).expect("a new file");
    let builder = described().record(&recording);
    let mut session = builder.restore(&parked).expect("right");
    let answer = (calls[0].ticket, Answer::value(3).expect("JSON"));
    let step = block_on(session.resume([answer])).expect("a step");
    assert!(matches!(step, Step::Done(_)), "{step:?}");
    exec(&mut session, "y = later(1)\nz = later(2)");
    drop(session);
    assert_eq!(found(&path).map(|_| ()), None);
    let lines = lines_of(&path);
    let first = line_with(&lines, "answer", "\"ticket\":0");
    let places: Vec<_> = (first + 1..=lines.len())
        .filter(|at| lines[at - 1].starts_with("{\"suspended\""))
        .collect();
    assert_eq!(places.len(), 2, "{lines:#?}");
    for at in places {
        let mut changed = lines.clone();
        changed.insert(at, lines[first].replace("\"returned\":3", "\"returned\":4"));
        check_named(&path, &changed, at, "has ended");
    }
}

#[test]
fn lines_behind_an_execution_without_an_end_are_noticed() {
    let (_folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "a = 1");
    });
    let lines = lines_of(&path);
    let exec = &lines[line_with(&lines, "exec", "")];
    let end = line_with(&lines, "end", "");
    let numbered = |number: u64| exec.replace("\"number\":0", &format!("\"number\":{number}"));
    // It broke off in it, which may be.
    let mut changed = lines[..end].to_vec();
    changed.push(numbered(1));
    fs::write(&path, resealed(&changed)).expect("written");
    assert!(matches!(found(&path), Some(Err(unfinished)) if unfinished == "Unfinished"));
    for behind in [numbered(2), lines[end].clone()] {
        let mut changed = changed.clone();
        changed.push(behind);
        fs::write(&path, resealed(&changed)).expect("written");
        match found(&path) {
            Some(Ok(divergence)) => assert!(
                divergence.what.contains("without an end")
                    || divergence.what.contains("contradicts"),
                "{divergence}"
            ),
            other => panic!("it was not noticed: {other:?}"),
        }
    }
}

#[test]
fn text_behind_the_end_of_a_journal_is_noticed() {
    let (_folder, path) = place();
    record(&path, described(), |session| {
        exec(session, "a = 1");
    });
    let text = fs::read_to_string(&path).expect("text");
    let number = text.lines().count();
    for behind in ["{\"ex", " ", "{\"exec\":{}}\n", "\n", "{\"exec\":{}}\n{\"t"] {
        fs::write(&path, format!("{text}{behind}")).expect("written");
        let Some(Ok(divergence)) = found(&path) else {
            panic!("{behind:?} was not noticed");
        };
        assert_eq!(divergence.line, number + 1, "{behind:?}");
        assert!(divergence.what.contains("after the end"), "{divergence}");
        let journal = Journal::open(&path).expect("a journal");
        assert!(!journal.is_finished());
        assert!(journal.to_string().contains("after the end"), "{journal}");
        assert!(block_on(journal.rebuild(described())).is_err());
    }
    // A process that died wrote half a line, and no end.
    let end = text.trim_end().rfind('\n').expect("two lines") + 1;
    fs::write(&path, format!("{}{{\"ex", &text[..end])).expect("written");
    assert!(matches!(found(&path), Some(Err(unfinished)) if unfinished == "Unfinished"));
}
