//! A branch goes on from a place of a recorded run as the run would have, with what was changed and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rlm_sandbox::{
    Answer, Branch, Cassette, Change, Context, Ending, ErrorKind, Journal, Limits, Lm, LmAnswer,
    LmError, LmRequest, Look, Outcome, Profile, Record, Recording, Run, Sandbox, SandboxLimits,
    Session, SessionBuilder, Step, Tool, ToolContext, ToolError, Verdict,
};

use serde_json::{Value, json};

use crate::check::{block_on, described, dumping, exec, sandbox, two_threads};
use crate::mutations::resealed;
use crate::readers::forge;
use crate::replay::{check_identical, place, record, verdict};

/// A run with calls of each kind in each execution but the last.
const RUN: [&str; 4] = [
    "import random\nseen = [echo('first'), later('second'), llm_query('third')]\nprint(seen, random.random())",
    "more = []\nfor n in range(4):\n    more.append(later(n))\n    more.append(echo(n))\nmore",
    "answers = llm_query_batched([f'{n}?' for n in range(3)])\nprint(answers)\ntotal = {str(a) for a in answers + more}\ntotal",
    "id(seen), len(total), random.random()",
];

/// Calls of handlers.
#[derive(Clone, Debug, Default)]
struct Asked(Arc<AtomicU64>);

impl Asked {
    fn count(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns how many there were since the last time.
    fn take(&self) -> u64 {
        self.0.swap(0, Ordering::SeqCst)
    }
}

impl Lm for Asked {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        self.count();
        Ok(LmAnswer::new(format!("answer to {}", request.prompt)))
    }
}

/// Adds handlers that are counted.
fn counted(mut builder: SessionBuilder, asked: &Asked) -> SessionBuilder {
    let (echo, fail, later) = (asked.clone(), asked.clone(), asked.clone());
    let tools = [
        Tool::immediate(
            "echo",
            move |_: &ToolContext, (value,): (serde_json::Value,)| {
                echo.count();
                Ok(value)
            },
        ),
        Tool::immediate(
            "fail",
            move |_: &ToolContext, (kind, message): (String, String)| {
                fail.count();
                Err::<(), _>(ToolError::new(kind, message))
            },
        )
        .parameters(["kind", "message"]),
        Tool::deferred("later", move |_, (value,): (serde_json::Value,)| {
            later.count();
            async move { Ok(value) }
        })
        .parameters(["value", "ms"]),
        Tool::deferred("soon", |_, (value,): (serde_json::Value,)| async move {
            Ok(value)
        })
        .awaitable(),
    ];
    for tool in tools {
        builder = builder.tool(tool);
    }
    builder.model(asked.clone())
}

/// Returns all that must not differ.
fn shown(outcome: &Outcome) -> String {
    format!(
        "{:?} {:?} {} {} fuel {} memory {}",
        outcome.ending,
        outcome.names,
        outcome.stdout,
        outcome.stderr,
        outcome.usage.fuel,
        outcome.usage.peak_memory_bytes,
    )
}

/// Records [`RUN`]. Returns its outcomes.
fn recorded(path: &Path, here: &Sandbox, asked: &Asked) -> Vec<String> {
    let mut outcomes = Vec::new();
    let mut profile = Profile::default();
    profile.eval = true;
    let builder = here.session().profile(profile).seed(42).id("test");
    record(path, counted(builder, asked), |session| {
        for source in RUN {
            outcomes.push(shown(&exec(session, source)));
        }
    });
    asked.take();
    outcomes
}

fn finish(branch: &mut Branch) -> Vec<String> {
    let outcomes = block_on(branch.finish()).expect("goes on");
    outcomes.iter().map(shown).collect()
}

fn open(run: &Run, turn: u64, sandbox: &Sandbox, asked: &Asked, change: &Change) -> Branch {
    let builder = counted(sandbox.session(), asked);
    let mut point = block_on(run.branch(turn, builder)).expect("a place");
    block_on(point.open(change)).expect("a branch")
}

#[test]
fn a_branch_without_a_change_goes_on_as_the_run_did() {
    let (_folder, path) = place();
    let asked = Asked::default();
    let outcomes = recorded(&path, sandbox(), &asked);
    let run = Run::open(&path).expect("a run");
    let asked_from = [13, 11, 3, 0, 0];
    for (turn, most) in asked_from.into_iter().enumerate() {
        let mut branch = open(&run, turn as u64, sandbox(), &asked, &Change::new());
        assert_eq!(asked.take(), 0, "nothing of the run is asked again");
        assert_eq!(finish(&mut branch), outcomes[turn..]);
        assert_eq!(asked.take(), most + if turn == 0 { 1 } else { 0 });
    }
}

#[test]
fn answers_before_the_changed_one_are_the_recorded_ones() {
    let (_folder, path) = place();
    let asked = Asked::default();
    let outcomes = recorded(&path, sandbox(), &asked);
    let run = Run::open(&path).expect("a run");
    let turns = run.turns();
    let names: Vec<_> = turns[1].calls.iter().map(|call| &*call.name).collect();
    assert_eq!(names, ["later", "echo"].repeat(4));
    // Each call of the second execution, of tools that answer at once and later.
    for (number, call) in turns[1].calls.iter().enumerate() {
        let change = Change::new().answer(call.ticket, Answer::value("other").expect("text"));
        let mut branch = open(&run, 1, sandbox(), &asked, &change);
        let outcome = block_on(branch.advance()).expect("runs").expect("a script");
        let mut wanted: Vec<String> = (0..4).flat_map(|n| [n, n]).map(|n| n.to_string()).collect();
        wanted[number] = String::from("'other'");
        let Ending::Value(Some(value)) = &outcome.ending else {
            panic!("{outcome:?}");
        };
        assert_eq!(value.repr, format!("[{}]", wanted.join(", ")));
        assert_eq!(asked.take(), 7 - number as u64, "call {number}");
    }
    // The recorded answer is no change, also far behind the place.
    let ticket = turns[2].calls[0].ticket;
    let same = ["answer to 0?", "answer to 1?", "answer to 2?"];
    let change = Change::new().answer(ticket, Answer::value(same).expect("texts"));
    let mut branch = open(&run, 0, sandbox(), &asked, &change);
    assert_eq!(finish(&mut branch), outcomes);
    assert_eq!(asked.take(), 0);
}

#[test]
fn an_answer_may_be_an_exception() {
    let (_folder, path) = place();
    let asked = Asked::default();
    recorded(&path, sandbox(), &asked);
    let run = Run::open(&path).expect("a run");
    for call in &run.turns()[0].calls {
        let change = Change::new().answer(call.ticket, Answer::error("KeyError", "gone"));
        let mut branch = open(&run, 0, sandbox(), &asked, &change);
        let outcome = block_on(branch.advance()).expect("runs").expect("a script");
        let exception = outcome.exception().expect("raised");
        assert_eq!(exception.kind, "KeyError", "{}", call.name);
    }
}

#[test]
fn a_changed_script_runs_in_the_state_of_the_run() {
    let (_folder, path) = place();
    let asked = Asked::default();
    let outcomes = recorded(&path, sandbox(), &asked);
    let run = Run::open(&path).expect("a run");
    let change = Change::new().source("more = [later('x')]\nlen(seen)");
    let mut branch = open(&run, 1, sandbox(), &asked, &change);
    assert_eq!(branch.next_source(), Some("more = [later('x')]\nlen(seen)"));
    let found = block_on(branch.finish()).expect("goes on");
    assert_eq!(found.len(), 3);
    assert!(found[1].stdout.contains("answer to 0?"), "{:?}", found[1]);
    // The randomness to come is the same.
    let random = |text: &str| text.split(", ").nth(2).expect("three").to_owned();
    let Ending::Value(Some(last)) = &found[2].ending else {
        panic!("{:?}", found[2]);
    };
    assert!(outcomes[3].contains(&random(&last.repr)), "{}", last.repr);
}

#[test]
fn other_handlers_answer_in_a_branch() {
    let (_folder, path) = place();
    let asked = Asked::default();
    recorded(&path, sandbox(), &asked);
    let run = Run::open(&path).expect("a run");
    let builder = counted(sandbox().session(), &asked);
    let mut point = block_on(run.branch(2, builder)).expect("a place");
    let (mine, theirs) = (Asked::default(), Asked::default());
    for handlers in [&mine, &theirs] {
        let builder = counted(sandbox().session(), handlers);
        let mut branch = block_on(point.open_with(&Change::new(), builder)).expect("a branch");
        finish(&mut branch);
    }
    assert_eq!((mine.take(), theirs.take(), asked.take()), (3, 3, 0));
}

/// Records the branches of `open`, a branch of the first one, and checks that all replay in both sandboxes.
fn check_recorded(here: &Sandbox) {
    let (folder, path) = place();
    let asked = Asked::default();
    recorded(&path, here, &asked);
    let run = Run::open(&path).expect("a run");
    let tickets: Vec<_> = run.turns()[1]
        .calls
        .iter()
        .map(|call| call.ticket)
        .collect();
    let other = |number: usize| {
        let answer = Answer::value(format!("other {number}")).expect("text");
        Change::new().answer(tickets[number], answer).record()
    };
    let builder = counted(here.session(), &asked);
    let mut point = block_on(run.branch(1, builder)).expect("a place");
    let mut ids = vec![String::from("test")];
    for number in 0..3 {
        let mut branch = block_on(point.open(&other(number))).expect("a branch");
        assert_eq!(branch.number(), Some(number as u64 + 1));
        ids.push(branch.session().id().to_owned());
        finish(&mut branch);
    }
    let first = folder.path().join("run.jsonl.branches/1.jsonl");
    let of_branch = Run::open(&first).expect("a run");
    assert_eq!(
        of_branch
            .turns()
            .iter()
            .map(|turn| turn.number)
            .collect::<Vec<_>>(),
        [1, 2, 3]
    );
    let change = Change::new()
        .source("nested = len(more)\nnested, echo('nested')")
        .record();
    let mut branch = open(&of_branch, 2, here, &asked, &change);
    assert_eq!(branch.number(), Some(4));
    ids.push(branch.session().id().to_owned());
    finish(&mut branch);
    drop(branch);
    // After the last execution of the branch, too.
    let change = Change::new().record();
    let mut branch = open(&of_branch, 4, here, &asked, &change);
    assert!(finish(&mut branch).is_empty());
    exec(branch.session(), "echo(len(more))");
    ids.push(branch.session().id().to_owned());
    drop(branch);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 6, "each has an id of its own: {ids:?}");
    asked.take();
    for number in 1..=5 {
        let branch = folder
            .path()
            .join(format!("run.jsonl.branches/{number}.jsonl"));
        let journal = Journal::open(&branch).expect("a journal");
        let others = [sandbox(), dumping()];
        for other in others {
            let replayed = block_on(journal.replay(other)).expect("replayed");
            assert_eq!(replayed.verdict, Verdict::Identical, "{number}: {journal}");
        }
    }
    assert_eq!(asked.take(), 0);
    check_identical(&path);
}

#[test]
fn a_recorded_branch_replays_with_its_run() {
    check_recorded(sandbox());
}

#[test]
fn a_recorded_branch_replays_where_states_are_written() {
    check_recorded(dumping());
}

/// The paths of a run with one branch that is recorded.
fn branched() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let (folder, path) = place();
    let asked = Asked::default();
    recorded(&path, sandbox(), &asked);
    let run = Run::open(&path).expect("a run");
    let mut branch = open(&run, 2, sandbox(), &asked, &Change::new().record());
    finish(&mut branch);
    drop(branch);
    let branch = folder.path().join("run.jsonl.branches/1.jsonl");
    (folder, path, branch)
}

/// The message of the error with which a journal is refused.
fn refused(path: &Path) -> String {
    let error = Journal::open(path).expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::Journal, "{error}");
    error.to_string()
}

#[test]
fn a_branch_is_of_one_run_alone() {
    let (folder, path, branch) = branched();
    assert_eq!(verdict(&branch), Verdict::Identical);
    let text = fs::read_to_string(&path).expect("text");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // Another answer before the place, with sums that fit.
    let forged: Vec<String> = lines
        .iter()
        .map(|line| line.replace("\"second\"", "\"forged\""))
        .collect();
    assert_ne!(forged, lines);
    fs::write(&path, resealed(&forged)).expect("written");
    let message = refused(&branch);
    assert!(message.contains("another recording"), "{message}");
    // Fewer lines than there were.
    fs::write(&path, lines[..3].join("\n") + "\n").expect("written");
    refused(&branch);
    // What comes after the place does not matter.
    let exec = lines
        .iter()
        .position(|line| line.contains("\"number\":2"))
        .expect("an execution");
    fs::write(&path, lines[..exec].join("\n") + "\n").expect("written");
    assert_eq!(verdict(&branch), Verdict::Identical);
    fs::remove_file(&path).expect("removed");
    let message = refused(&branch);
    assert!(message.contains("branches from"), "{message}");
    fs::write(&path, &text).expect("written");
    // Elsewhere nothing says which run it is of.
    let elsewhere = folder.path().join("1.jsonl");
    fs::copy(&branch, &elsewhere).expect("copied");
    let message = refused(&elsewhere);
    assert!(message.contains("does not lie"), "{message}");
    assert_eq!(verdict(&branch), Verdict::Identical);
}

#[test]
fn a_branch_that_says_other_than_its_run_is_refused() {
    let (folder, _path, branch) = branched();
    let text = fs::read_to_string(&branch).expect("text");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (written, other, what) in [
        ("\"seed\":\"42\"", "\"seed\":\"43\"", "seed"),
        ("\"eval\":true", "\"eval\":false", "profile"),
        ("\"exec\":2", "\"exec\":1", "another recording"),
        ("\"exec\":2", "\"exec\":9", "another recording"),
        ("\"branch-of\":{", "\"branch-of\":{\"branch\":1,", "folder"),
        (
            "\"branch-of\":{",
            "\"branch-of\":{\"branch\":0,",
            "branches from",
        ),
        ("\"name\":\"echo\"", "\"name\":\"ehco\"", "functions"),
    ] {
        let mut forged = lines.clone();
        forged[0] = forged[0].replacen(written, other, 1);
        assert_ne!(forged, lines, "{written}: {}", lines[0]);
        fs::write(&branch, resealed(&forged)).expect("written");
        let message = refused(&branch);
        assert!(message.contains(what), "{written}: {message}");
    }
    // Two that are each other's parents.
    let second = folder.path().join("run.jsonl.branches/2.jsonl");
    for (file, of) in [(&branch, 2), (&second, 1)] {
        let mut forged = lines.clone();
        let named = format!("\"branch-of\":{{\"branch\":{of},");
        forged[0] = forged[0].replacen("\"branch-of\":{", &named, 1);
        fs::write(file, resealed(&forged)).expect("written");
    }
    refused(&branch);
    refused(&second);
}

/// A branch begins between two executions, also where the sum of another line of its run is right.
#[test]
fn a_branch_that_begins_within_an_execution_is_refused() {
    let (_folder, path, branch) = branched();
    let whole = fs::read_to_string(&branch).expect("text");
    let run = fs::read_to_string(&path).expect("text");
    let sums = run.lines().map(|line| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let sum = line["sum"].as_str().expect("eight digits");
        u32::from_str_radix(sum, 16).expect("eight digits")
    });
    let mut right = 0;
    for (number, sum) in sums.enumerate() {
        fs::write(&branch, &whole).expect("written");
        forge(&branch, |line| {
            if let Some(header) = line.get_mut("header") {
                header["branch-of"]["lines"] = json!(number + 1);
                header["branch-of"]["sum"] = json!(sum);
            }
        });
        let opened = Journal::open(&branch);
        let replayed = opened.and_then(|journal| block_on(journal.replay(sandbox())));
        right += u32::from(replayed.is_ok_and(|found| found.verdict == Verdict::Identical));
    }
    assert_eq!(right, 1);
}

#[test]
fn an_answer_that_was_forged_in_a_branch_is_found() {
    let (_folder, _path, branch) = branched();
    let text = fs::read_to_string(&branch).expect("text");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let forged: Vec<String> = lines
        .iter()
        .map(|line| line.replace("answer to 1?", "forged to 1?"))
        .collect();
    fs::write(&branch, resealed(&forged)).expect("written");
    match verdict(&branch) {
        Verdict::Diverged(divergence) => assert_eq!(divergence.exec, Some(2), "{divergence}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_branch_begins_in_what_was_followed_of_its_run() {
    let (_folder, path, branch) = branched();
    let read = |path: &Path| -> Vec<String> {
        let text = fs::read_to_string(path).expect("text");
        text.lines().map(str::to_owned).collect()
    };
    let (mut run, mut lines) = (read(&path), read(&branch));
    let header: serde_json::Value = serde_json::from_str(&lines[0]).expect("JSON");
    let place = &header["header"]["branch-of"];
    let (count, sum) = (place["lines"].clone(), place["sum"].clone());
    // An execution that has no end, and so is none, before the place.
    let at = usize::try_from(count.as_u64().expect("a number")).expect("few");
    let exec =
        "{\"exec\":{\"number\":9,\"source\":\"forged = 1\",\"at-us\":1},\"sum\":\"00000000\"}";
    let number = place["exec"].as_u64().expect("a number") - 1;
    run.insert(at, exec.replace("9", &number.to_string()));
    let text = resealed(&run);
    let forged = text.lines().nth(at).expect("the line");
    let forged: serde_json::Value = serde_json::from_str(forged).expect("JSON");
    let of_forged = u32::from_str_radix(forged["sum"].as_str().expect("text"), 16).expect("hex");
    fs::write(&path, text).expect("written");
    let before = format!("\"lines\":{count},\"sum\":{sum}");
    let after = format!("\"lines\":{},\"sum\":{of_forged}", at + 1);
    assert!(lines[0].contains(&before), "{}", lines[0]);
    lines[0] = lines[0].replace(&before, &after);
    fs::write(&branch, resealed(&lines)).expect("written");
    let replayed = Journal::open(&branch).and_then(|journal| block_on(journal.replay(sandbox())));
    match replayed {
        Err(error) => assert_eq!(error.kind(), ErrorKind::Diverged, "{error}"),
        Ok(replayed) => assert!(
            matches!(replayed.verdict, Verdict::Diverged(_)),
            "{replayed:?}"
        ),
    }
}

#[test]
fn a_run_is_branched_at_its_executions_alone() {
    let (folder, path, branch) = branched();
    let asked = Asked::default();
    let run = Run::open(&path).expect("a run");
    let refused = |turn: u64, change: &Change| {
        let builder = counted(sandbox().session(), &asked);
        let error = match block_on(run.branch(turn, builder)) {
            Ok(mut point) => block_on(point.open(change)).expect_err("refused"),
            Err(error) => error,
        };
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        error.to_string()
    };
    assert!(refused(5, &Change::new()).contains("no execution 5"));
    let text = || Answer::value("text").expect("text");
    let turns = run.turns();
    // A call before the place, and one that there is not.
    let before = turns[0].calls[0].ticket;
    assert!(refused(1, &Change::new().answer(before, text())).contains("no call"));
    assert!(refused(0, &Change::new().answer(999, text())).contains("no call 999"));
    let both = Change::new().answer(before, text()).source("1");
    assert!(refused(0, &both).contains("leave them out"));
    let single = turns[0].calls[2].ticket;
    let number = Answer::value(7).expect("a number");
    assert!(refused(0, &Change::new().answer(single, number)).contains("answered with a text"));
    let batch = turns[2].calls[0].ticket;
    for wrong in [
        text(),
        Answer::value(["one"]).expect("texts"),
        Answer::value([1, 2, 3]).expect("numbers"),
    ] {
        assert!(refused(0, &Change::new().answer(batch, wrong)).contains("a list of 3 texts"));
    }
    // A branch has only its own executions, and is no cassette.
    let of_branch = Run::open(&branch).expect("a run");
    let builder = counted(sandbox().session(), &asked);
    let error = block_on(of_branch.branch(1, builder)).expect_err("refused");
    assert!(
        error.to_string().contains("its executions are 2 to 3"),
        "{error}"
    );
    let journal = Journal::open(&branch).expect("a journal");
    let error = block_on(journal.replay_until(1, sandbox())).expect_err("refused");
    assert!(
        error.to_string().contains("begins before execution 2"),
        "{error}"
    );
    let cassette = Cassette::open(&branch, Record::None).expect("a journal");
    let error = described().cassette(&cassette).open().expect_err("refused");
    assert!(error.to_string().contains("no cassette"), "{error}");
    let redacted = folder.path().join("redacted.jsonl");
    let recording = Recording::create(&redacted).expect("a file");
    let recording = recording.redact(b"a key of a test").expect("a key");
    let mut session = described().record(&recording).open().expect("opens");
    exec(&mut session, "later(1)");
    drop(session);
    let run = Run::open(&redacted).expect("a run");
    let error = block_on(run.branch(0, described())).expect_err("refused");
    assert!(error.to_string().contains("redacted"), "{error}");
}

#[test]
fn limits_of_branches_are_lowered() {
    let (_folder, path) = place();
    let asked = Asked::default();
    recorded(&path, sandbox(), &asked);
    let mut limits = Limits::default();
    limits.memory_bytes = 8 << 20;
    limits.model_calls = 2;
    let run = Run::open(&path).expect("a run").lower_limits(limits);
    let builder = counted(sandbox().session(), &asked);
    let mut point = block_on(run.branch(2, builder)).expect("a place");
    let change = Change::new().record();
    let mut branch = block_on(point.open(&change)).expect("a branch");
    let outcomes = block_on(branch.finish()).expect("goes on");
    let exception = outcomes[0].exception().expect("refused");
    assert!(exception.message.contains("1 + 3 > 2"), "{exception}");
    let outcome = exec(branch.session(), "'x' * (20 << 20)");
    assert!(matches!(outcome.ending, Ending::Stopped(..)), "{outcome:?}");
    drop(branch);
    check_identical(&path.with_file_name("run.jsonl.branches").join("1.jsonl"));
}

#[doc = "Keeps what a branch promises: the fuel that it would have had alone."]
#[test]
fn branches_that_run_at_once_do_not_disturb_each_other() {
    let (_folder, path) = place();
    let asked = Asked::default();
    recorded(&path, sandbox(), &asked);
    let run = Run::open(&path).expect("a run");
    let ticket = run.turns()[1].calls[3].ticket;
    let change = |number: u64| {
        let answer = Answer::value(format!("other {}", number % 8)).expect("text");
        Change::new().answer(ticket, answer)
    };
    let alone: Vec<_> = (0..8)
        .map(|number| finish(&mut open(&run, 1, sandbox(), &asked, &change(number))))
        .collect();
    let runtime = two_threads();
    let builder = counted(sandbox().session(), &asked);
    let mut point = runtime.block_on(run.branch(1, builder)).expect("a place");
    let branches: Vec<_> = (0..1000)
        .map(|number| {
            let mut branch = runtime
                .block_on(point.open(&change(number)))
                .expect("a branch");
            runtime.spawn(async move { branch.finish().await.expect("goes on") })
        })
        .collect();
    for (number, branch) in branches.into_iter().enumerate() {
        let outcomes = runtime.block_on(branch).expect("ends");
        let found: Vec<_> = outcomes.iter().map(shown).collect();
        assert_eq!(found, alone[number % 8], "branch {number}");
    }
}

#[test]
fn a_place_gives_its_instance_to_others() {
    let mut limits = SandboxLimits::default();
    limits.live_sessions = 1;
    let small = Sandbox::builder().limits(limits).build().expect("builds");
    let (_folder, path) = place();
    let asked = Asked::default();
    recorded(&path, &small, &asked);
    let run = Run::open(&path).expect("a run");
    let builder = counted(small.session(), &asked);
    let mut point = block_on(run.branch(1, builder)).expect("a place");
    let runs = |session: &mut Session, source: &str| {
        let patience = Duration::from_secs(60);
        let ran = block_on(async { tokio::time::timeout(patience, session.exec(source)).await });
        let outcome = ran.expect("it has room").expect("runs");
        assert!(outcome.is_success(), "{outcome:?}");
    };
    let mut other = small.session().open().expect("opens");
    runs(&mut other, "1");
    let mut branch = block_on(point.open(&Change::new().record())).expect("a branch");
    runs(&mut other, "2");
    runs(branch.session(), "len(seen)");
    runs(&mut other, "3");
    let mut next = block_on(point.open(&Change::new().record())).expect("a branch");
    runs(next.session(), "len(seen)");
    runs(branch.session(), "len(seen)");
}

/// Checks that a branch at each execution does what the run did, that it replays where it is recorded, and that a branch of that
/// branch does, too. Returns the outcomes of the run.
fn check_each_place(path: &Path, start: &dyn Fn() -> SessionBuilder, outcomes: &[String]) {
    let run = Run::open(path).expect("a run");
    for turn in 0..outcomes.len() {
        let mut point = block_on(run.branch(turn as u64, start())).expect("a place");
        let mut branch = block_on(point.open(&Change::new().record())).expect("a branch");
        let number = branch.number().expect("recorded");
        assert_eq!(finish(&mut branch), outcomes[turn..], "at {turn}");
        drop(branch);
        let file = path
            .with_file_name("run.jsonl.branches")
            .join(format!("{number}.jsonl"));
        check_identical(&file);
        let again = Run::open(&file).expect("a run");
        let last = outcomes.len() - 1;
        let mut point = block_on(again.branch(last as u64, start())).expect("a place");
        let mut branch = block_on(point.open(&Change::new().record())).expect("a branch");
        let number = branch.number().expect("recorded");
        assert_eq!(finish(&mut branch), outcomes[last..], "at {turn}");
        drop(branch);
        check_identical(&file.with_file_name(format!("{number}.jsonl")));
    }
}

#[test]
fn a_branch_has_the_time_of_its_run() {
    let (_folder, path) = place();
    let mut outcomes = Vec::new();
    record(&path, sandbox().session(), |session| {
        // Before it has an instance, between executions, and behind a reset.
        std::thread::sleep(Duration::from_millis(1200));
        outcomes.push(shown(&exec(
            session,
            "import time\nfirst = time.time()\nfirst",
        )));
        std::thread::sleep(Duration::from_millis(1200));
        outcomes.push(shown(&exec(session, "time.time(), time.time() - first")));
        session.reset().expect("idle");
        std::thread::sleep(Duration::from_millis(1200));
        outcomes.push(shown(&exec(session, "import time\ntime.time()")));
    });
    check_each_place(&path, &|| sandbox().session(), &outcomes);
}

#[test]
fn a_branch_does_what_was_done_between_the_executions() {
    let (_folder, path) = place();
    let mut outcomes = Vec::new();
    let text = Context::text("a.txt", "one\ntwo");
    record(&path, sandbox().session().context(text), |session| {
        outcomes.push(shown(&exec(session, "n = len(context)\nn")));
        // Inspections take fuel of what comes next, and may run code.
        assert!(block_on(session.get("n")).expect("a value").is_some());
        block_on(session.variables(Look::reprs(100))).expect("variables");
        session.set("q", 7).expect("JSON");
        session.set_time_limit(Duration::from_millis(300));
        outcomes.push(shown(&exec(session, "n + q")));
        session.set_time_limit(Duration::from_secs(20));
        session
            .add_context(Context::text("b.txt", "three"))
            .expect("a context");
        outcomes.push(shown(&exec(
            session,
            "sum(range(3_000_000)), sorted(files), files['b.txt']",
        )));
        session.reset().expect("idle");
        outcomes.push(shown(&exec(session, "sorted(files), 'n' in SHOW_VARS()")));
        session.reset().expect("idle");
    });
    // After the reset at its end, too.
    let run = Run::open(&path).expect("a run");
    let mut point = block_on(run.branch(4, sandbox().session())).expect("a place");
    let mut branch = block_on(point.open(&Change::new().record())).expect("a branch");
    let outcome = exec(branch.session(), "len(files['a.txt'])");
    assert!(outcome.is_success(), "{outcome:?}");
    drop(branch);
    check_identical(&path.with_file_name("run.jsonl.branches").join("1.jsonl"));
    check_each_place(&path, &|| sandbox().session(), &outcomes);
}

#[test]
fn a_branch_has_the_conversations_of_its_run() {
    let (_folder, path) = place();
    let mut outcomes = Vec::new();
    let ask = || Tool::immediate("ask", |_: &ToolContext, (n,): (u64,)| Ok(n));
    let said = serde_json::json!([{"role": "user", "content": "the task"}]);
    let builder = sandbox().session().tool(ask()).history(said);
    record(&path, builder, |session| {
        outcomes.push(shown(&exec(session, "x = ask(1)\nstr(history), x")));
        outcomes.push(shown(&exec(session, "str(history)")));
    });
    assert!(outcomes[0].contains("the task"), "{outcomes:?}");
    check_each_place(&path, &|| sandbox().session().tool(ask()), &outcomes);
}

#[test]
fn a_branch_has_the_conversation_of_each_execution() {
    let (_folder, path) = place();
    let mut outcomes = Vec::new();
    let conversation = |number: u64| serde_json::json!([{"content": format!("turn {number}")}]);
    let builder = sandbox().session().history(conversation(0));
    record(&path, builder, |session| {
        outcomes.push(shown(&exec(session, "str(history)")));
        for number in 1..3 {
            session
                .set_history(0, conversation(number))
                .expect("a conversation");
            outcomes.push(shown(&exec(session, "str(history)")));
        }
        session
            .set_history(1, conversation(7))
            .expect("a conversation");
        // One execution reads one conversation several times.
        let source = "str(history_1) + str(history_0) + str(history_1)";
        outcomes.push(shown(&exec(session, source)));
        outcomes.push(shown(&exec(session, "1")));
    });
    for (number, said) in ["turn 0", "turn 1", "turn 2", "turn 7"].iter().enumerate() {
        assert!(outcomes[number].contains(said), "{outcomes:?}");
    }
    check_each_place(&path, &|| sandbox().session(), &outcomes);
    // In a branch of a branch, too.
    let run = Run::open(&path).expect("a run");
    let mut point = block_on(run.branch(2, sandbox().session())).expect("a place");
    let mut branch = block_on(point.open(&Change::new().record())).expect("a branch");
    let found = finish(&mut branch);
    assert_eq!(found, outcomes[2..]);
    drop(branch);
    let file = path.with_file_name("run.jsonl.branches").join("1.jsonl");
    check_identical(&file);
    let run = Run::open(&file).expect("a run");
    let mut point = block_on(run.branch(5, sandbox().session())).expect("a place");
    let mut branch = block_on(point.open(&Change::new())).expect("a branch");
    let outcome = exec(branch.session(), "str(history) + str(history_1)");
    let found = shown(&outcome);
    assert!(
        found.contains("turn 2") && found.contains("turn 7"),
        "{found}"
    );
    // The session answers by itself what its scripts ask for that.
    let turns = run.turns();
    let turn = turns.iter().find(|turn| turn.number == 2).expect("a turn");
    let ticket = turn.calls[0].ticket;
    let mut point = block_on(run.branch(2, sandbox().session())).expect("a place");
    let change = Change::new().answer(ticket, Answer::value("other").expect("text"));
    let error = block_on(point.open(&change)).expect_err("no handler has it");
    assert!(error.to_string().contains("history(), which"), "{error}");
}

#[test]
fn a_run_is_not_branched_behind_an_execution_without_an_end() {
    let (_folder, path) = place();
    record(&path, sandbox().session(), |session| {
        exec(session, "a = 1");
        exec(session, "b = [budget() for _ in range(20)]");
    });
    let text = fs::read_to_string(&path).expect("text");
    let lines: Vec<_> = text.lines().collect();
    let torn = lines.len() - 4;
    fs::write(&path, lines[..torn].join("\n") + "\n").expect("written");
    let run = Run::open(&path).expect("a run");
    assert_eq!(run.turns().len(), 2);
    let error = block_on(run.branch(2, sandbox().session())).expect_err("it has no end");
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    assert!(error.to_string().contains("has no end"), "{error}");
    let mut point = block_on(run.branch(1, sandbox().session())).expect("a place");
    let mut branch = block_on(point.open(&Change::new().record())).expect("a branch");
    assert!(exec(branch.session(), "a").is_success());
    drop(branch);
    check_identical(&path.with_file_name("run.jsonl.branches").join("1.jsonl"));
}

#[test]
fn a_recorded_branch_without_executions_is_branched_again() {
    let (_folder, path) = place();
    // Without a model, a recording does not change the message of the error.
    let ask = "try: llm_query('p')\nexcept Exception as e: print(e)";
    let mut outcomes = Vec::new();
    record(&path, sandbox().session(), |session| {
        exec(session, "x = 1");
        outcomes.push(shown(&exec(session, ask)));
    });
    let run = Run::open(&path).expect("a run");
    let folder = path.with_file_name("run.jsonl.branches");
    for turn in [2, 1] {
        let branch = |run: &Run| {
            let mut point = block_on(run.branch(turn, sandbox().session())).expect("a place");
            block_on(point.open(&Change::new().record())).expect("a branch")
        };
        let file = |branch: &Branch| {
            let number = branch.number().expect("recorded");
            folder.join(format!("{number}.jsonl"))
        };
        let empty = file(&branch(&run));
        let mut again = branch(&Run::open(empty).expect("a run"));
        let (outcome, file) = (exec(again.session(), ask), file(&again));
        if turn == 1 {
            assert_eq!(shown(&outcome), outcomes[0]);
        }
        drop(again);
        check_identical(&file);
    }
}

#[test]
fn a_run_that_goes_on_keeps_its_branches() {
    let (_folder, path) = place();
    let file = path.with_file_name("run.jsonl.branches").join("1.jsonl");
    record(&path, sandbox().session(), |session| {
        exec(session, "x = 1");
        let run = Run::open(&path).expect("a run");
        let mut point = block_on(run.branch(1, sandbox().session())).expect("a place");
        let mut branch = block_on(point.open(&Change::new().record())).expect("a branch");
        exec(branch.session(), "x + 1");
        drop(branch);
        check_identical(&file);
        block_on(session.get("x")).expect("a value");
        session.set_time_limit(Duration::from_secs(2));
        session.set("y", 2).expect("JSON");
        exec(session, "x + y");
        check_identical(&file);
        session.reset().expect("idle");
    });
    check_identical(&file);
    check_identical(&path);
    // It says that it begins before them, as one would whose place was forged.
    let branch = Journal::open(&file).expect("a journal");
    assert_eq!((branch.first_exec(), branch.steps_of_run()), (1, 2));
    assert!(branch.to_string().contains("has 2 steps of the host"));
    let run = Journal::open(&path).expect("a journal");
    assert_eq!((run.first_exec(), run.steps_of_run()), (0, 0));
}

#[test]
fn answers_are_given_to_tools_that_answer_otherwise() {
    let at_once = || Tool::immediate("ask", |_: &ToolContext, (n,): (u64,)| Ok(n));
    let later = || Tool::deferred("ask", |_, (n,): (u64,)| async move { Ok(n) });
    let tool = |is_immediate: bool| match is_immediate {
        true => at_once(),
        false => later(),
    };
    for is_immediate in [true, false] {
        let (of_run, of_branch) = (|| tool(is_immediate), || tool(!is_immediate));
        let (_folder, path) = place();
        record(&path, sandbox().session().tool(of_run()), |session| {
            exec(session, "a = ask(1)\nb = ask(2)\nc = ask(3)\n(a, b, c)");
        });
        let run = Run::open(&path).expect("a run");
        let builder = sandbox().session().tool(of_branch());
        let mut point = block_on(run.branch(0, builder)).expect("a place");
        let change = Change::new().answer(1, Answer::value("other").expect("text"));
        let mut branch = block_on(point.open(&change.record())).expect("a branch");
        let outcomes = block_on(branch.finish()).expect("runs");
        let Ending::Value(Some(value)) = &outcomes[0].ending else {
            panic!("{outcomes:?}");
        };
        assert_eq!(value.repr, "(1, 'other', 3)");
        drop(branch);
        check_identical(&path.with_file_name("run.jsonl.branches").join("1.jsonl"));
    }
}

#[test]
fn limits_of_a_branch_are_not_above_those_of_its_run() {
    let (_folder, _path, branch) = branched();
    let text = fs::read_to_string(&branch).expect("text");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (written, other) in [
        ("\"recursion\":1000", "\"recursion\":2000000000"),
        ("\"calls\":100000", "\"calls\":100001"),
        (
            "\"fuel_of_time\":1250000000000",
            "\"fuel_of_time\":1250000000001",
        ),
    ] {
        let mut forged = lines.clone();
        forged[0] = forged[0].replacen(written, other, 1);
        assert_ne!(forged, lines, "{written}: {}", lines[0]);
        fs::write(&branch, resealed(&forged)).expect("written");
        let journal = Journal::open(&branch).expect("a journal");
        let error = block_on(journal.replay(sandbox())).expect_err("refused");
        assert!(
            error.to_string().contains("above those of its run"),
            "{error}"
        );
    }
}

#[test]
fn a_branch_is_written_down_where_its_run_was() {
    let (_folder, path) = place();
    let mut outcomes = Vec::new();
    record(&path, sandbox().session(), |session| {
        outcomes.push(shown(&exec(session, "seen = {object() for _ in range(9)}")));
        // What comes back has other identities.
        block_on(session.park()).expect("idle");
        let look = "[id(o) for o in seen], hash(next(iter(seen)))";
        outcomes.push(shown(&exec(session, look)));
        outcomes.push(shown(&exec(session, look)));
    });
    check_each_place(&path, &|| sandbox().session(), &outcomes);
}

#[test]
fn branches_share_the_contexts_that_their_run_got_later() {
    let (_folder, path) = place();
    record(&path, sandbox().session(), |session| {
        exec(session, "x = 1");
        let added = Context::text("a.txt", "line\n".repeat(1 << 20));
        session.add_context(added).expect("a context");
        exec(session, "len(context)");
        let added = Context::text("b.txt", "short");
        session.add_context(added).expect("a context");
        exec(session, "len(files)");
    });
    let run = Run::open(&path).expect("a run");
    let mut point = block_on(run.branch(0, sandbox().session())).expect("a place");
    // What was read for the place is there, whatever becomes of the files.
    fs::remove_dir_all(path.with_file_name("run.jsonl.data")).expect("removed");
    let places: Vec<_> = (0..3)
        .map(|_| {
            let mut branch = block_on(point.open(&Change::new())).expect("a branch");
            let outcomes = block_on(branch.finish()).expect("goes on");
            assert!(outcomes.iter().all(Outcome::is_success), "{outcomes:?}");
            let contexts = branch.session().contexts().iter();
            contexts
                .map(|context| context.as_bytes().as_ptr() as usize)
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(places[0].len(), 2);
    assert!(places.iter().all(|these| *these == places[0]), "{places:?}");
}

#[test]
fn a_value_that_was_refused_in_a_run_takes_no_script_from_a_branch() {
    let (_folder, path) = place();
    let mut limits = Limits::default();
    limits.memory_bytes = 8 << 20;
    let start = || sandbox().session();
    let mut outcomes = Vec::new();
    record(&path, start().limits(limits), |session| {
        outcomes.push(shown(&exec(session, "a = 1\na")));
        let large: Vec<_> = (0..100_000).map(|number| [number]).collect();
        session.set("large", large).expect("JSON");
        // It is refused, and this script does not run; no journal has it.
        let outcome = exec(session, "a = 2");
        assert!(shown(&outcome).contains("did not run"), "{outcome:?}");
        session.set("b", 5).expect("JSON");
        outcomes.push(shown(&exec(session, "c = a + b\nc")));
        outcomes.push(shown(&exec(session, "c, id(c)")));
    });
    check_identical(&path);
    check_each_place(&path, &start, &outcomes);
}

#[test]
fn a_reset_brings_no_context_into_a_branch_that_its_run_had_not() {
    let (_folder, path) = place();
    let mut outcomes = Vec::new();
    let secret = Context::text("secret.txt", "THE OLD SECRET");
    record(&path, sandbox().session().context(secret), |session| {
        outcomes.push(shown(&exec(session, "len(context)")));
        session.remove_context("secret.txt");
        session.reset().expect("idle");
        outcomes.push(shown(&exec(session, "context")));
        session
            .add_context(Context::text("a.txt", "other"))
            .expect("a context");
        session.reset().expect("idle");
        outcomes.push(shown(&exec(session, "context")));
    });
    assert!(outcomes[1].contains("NameError"), "{outcomes:?}");
    assert!(outcomes[2].contains("other"), "{outcomes:?}");
    check_each_place(&path, &|| sandbox().session(), &outcomes);
}

#[test]
fn a_reset_takes_no_answers_from_a_branch() {
    let (_folder, path) = place();
    let asked = Asked::default();
    record(&path, counted(sandbox().session(), &asked), |session| {
        exec(session, "echo('a')");
        session.reset().expect("idle");
        exec(session, "(later('b'), echo('c'))");
    });
    asked.take();
    let run = Run::open(&path).expect("a run");
    let change = Change::new().answer(2, Answer::value("other").expect("text"));
    let mut branch = open(&run, 0, sandbox(), &asked, &change);
    let outcomes = block_on(branch.finish()).expect("goes on");
    let Ending::Value(Some(value)) = &outcomes[1].ending else {
        panic!("{outcomes:?}");
    };
    assert_eq!((value.repr.as_str(), asked.take()), ("('b', 'other')", 0));
}

#[test]
fn recorded_answers_above_the_limit_are_refused_in_a_branch() {
    let (_folder, path) = place();
    let ask = || Tool::deferred("ask", |_, (n,): (u64,)| async move { Ok(n) });
    record(&path, sandbox().session().tool(ask()), |session| {
        exec(session, "(ask(1), ask(2))");
    });
    let limit = Limits::default().tool_answer_bytes;
    forge(&path, |line| {
        if line["answer"]["ticket"] == 0 {
            line["answer"]["answer"]["returned"] = vec![0; limit as usize].into();
        }
    });
    let run = Run::open(&path).expect("a run");
    let mut point = block_on(run.branch(0, sandbox().session().tool(ask()))).expect("a place");
    let change = Change::new().answer(1, Answer::value(7).expect("a number"));
    let mut branch = block_on(point.open(&change)).expect("a branch");
    let outcomes = block_on(branch.finish()).expect("goes on");
    let shown = format!("{:?}", outcomes[0].ending);
    assert!(shown.contains("more than"), "{shown}");
}

#[test]
fn the_replay_of_a_branch_ends_where_nothing_can_repeat_its_run() {
    let (_folder, path) = place();
    let asked = Asked::default();
    recorded(&path, sandbox(), &asked);
    // A script that is said to have been killed can say anything.
    let mut exec = None;
    forge(&path, |line| {
        if let Some(begun) = line.get("exec") {
            exec = begun["number"].as_u64();
        }
        if let (Some(outcome), Some(1)) = (line.get_mut("outcome"), exec) {
            outcome["killed"] = true.into();
        }
    });
    let run = Run::open(&path).expect("a run");
    let mut branch = open(&run, 2, sandbox(), &asked, &Change::new().record());
    let code = "len(seen)";
    assert!(crate::check::exec(branch.session(), code).is_success());
    drop(branch);
    let file = path.with_file_name("run.jsonl.branches").join("1.jsonl");
    for file in [&path, &file] {
        let verdict = verdict(file);
        assert!(
            matches!(verdict, Verdict::NotReplayable { exec: 1, .. }),
            "{verdict:?}"
        );
    }
    // A branch that begins before it has nothing to do with it.
    let mut branch = open(&run, 1, sandbox(), &asked, &Change::new().record());
    let outcome = crate::check::exec(branch.session(), code);
    assert!(outcome.is_success(), "{outcome:?}");
    drop(branch);
    check_identical(&file.with_file_name("2.jsonl"));
}

/// A script whose calls come in the order in which those before them are answered.
const CHAINS: &str = "import asyncio
async def chain(i):
    first = await slow(i)
    return i, await up(f'item {i}')
all = await asyncio.gather(chain(0), chain(1), chain(2))
last = await up('last')
all, last";

/// Adds tools whose answers a program brings.
fn chained(builder: SessionBuilder, asked: &Asked) -> SessionBuilder {
    let tool = |name: &str| {
        let asked = asked.clone();
        let handler = move |_, (value,): (serde_json::Value,)| {
            asked.count();
            async move { Ok(value) }
        };
        Tool::deferred(name, handler).awaitable()
    };
    builder.tool(tool("slow")).tool(tool("up"))
}

#[test]
fn answers_go_to_the_calls_of_a_run_whatever_order_it_was_answered_in() {
    let (_folder, path) = place();
    let asked = Asked::default();
    let mut outcomes = Vec::new();
    record(&path, chained(sandbox().session(), &asked), |session| {
        let mut step = block_on(session.step(CHAINS)).expect("runs");
        for (ticket, answer) in [
            (1, "ok"),
            (2, "ok"),
            (3, "ITEM 1"),
            (0, "ok"),
            (4, "ITEM 2"),
            (5, "ITEM 0"),
            (6, "LAST"),
        ] {
            assert!(matches!(step, Step::Waiting(_)), "{ticket}: {step:?}");
            let answer = Answer::value(answer).expect("text");
            step = block_on(session.resume([(ticket, answer)])).expect("goes on");
        }
        let Step::Done(outcome) = step else {
            panic!("{step:?}");
        };
        outcomes.push(shown(&outcome));
    });
    assert!(
        outcomes[0].contains("([(0, 'ITEM 0'), (1, 'ITEM 1'), (2, 'ITEM 2')], 'LAST')"),
        "{outcomes:?}"
    );
    check_identical(&path);
    let run = Run::open(&path).expect("a run");
    let mut point = block_on(run.branch(0, chained(sandbox().session(), &asked))).expect("a place");
    let last = "([(0, 'other'), (1, 'ITEM 1'), (2, 'ITEM 2')], 'last')";
    for (ticket, all, called) in [
        (
            6,
            "([(0, 'ITEM 0'), (1, 'ITEM 1'), (2, 'ITEM 2')], 'other')",
            0,
        ),
        (5, last, 1),
        (
            4,
            "([(0, 'item 0'), (1, 'ITEM 1'), (2, 'other')], 'last')",
            2,
        ),
    ] {
        asked.take();
        let change = Change::new().answer(ticket, Answer::value("other").expect("text"));
        let mut branch = block_on(point.open(&change.record())).expect("a branch");
        let outcomes = finish(&mut branch);
        assert!(outcomes[0].contains(all), "{ticket}: {outcomes:?}");
        assert_eq!(asked.take(), called, "{ticket}");
        let number = branch.number().expect("recorded");
        drop(branch);
        let of_branch = PathBuf::from(format!("{}.branches/{number}.jsonl", path.display()));
        assert_eq!(verdict(&of_branch), Verdict::Identical, "{ticket}");
    }
    // A program that answers the first call itself keeps its place among the answers of the run.
    let change = Change::new().answer(5, Answer::value("other").expect("text"));
    let mut branch = block_on(point.open(&change)).expect("a branch");
    let session = branch.session();
    let step = block_on(session.step(CHAINS)).expect("runs");
    assert!(matches!(step, Step::Waiting(_)), "{step:?}");
    let answer = Answer::value("ok").expect("text");
    block_on(session.resume([(1, answer)])).expect("goes on");
    let outcome = shown(&block_on(session.finish()).expect("ends"));
    assert!(outcome.contains(last), "{outcome}");
}

#[test]
fn a_branch_that_leaves_its_run_before_its_change_ends() {
    let (_folder, path) = place();
    let asked = Asked::default();
    record(&path, counted(sandbox().session(), &asked), |session| {
        let source = "later('a')\necho('extra')\ndone = 1";
        let step = block_on(session.step(source)).expect("runs");
        assert!(matches!(step, Step::Waiting(_)), "{step:?}");
        session.cancel_handle().cancel();
        block_on(session.finish()).expect("canceled");
        exec(session, "echo('food')");
        exec(session, "echo('water')");
    });
    let run = Run::open(&path).expect("a run");
    asked.take();
    let answer = || Answer::value("other").expect("text");
    // The canceled script runs to its end in a branch, where its next call is another than the run's.
    for ticket in [1, 2] {
        let change = Change::new().answer(ticket, answer());
        let mut branch = open(&run, 0, sandbox(), &asked, &change);
        let error = block_on(branch.finish()).expect_err("other calls");
        assert_eq!(error.kind(), ErrorKind::Diverged, "{error}");
        assert!(error.to_string().contains("call 1"), "{error}");
        // The call that it waits for has no answer in the run; no other is made.
        assert_eq!(asked.take(), 1);
        let again = block_on(branch.finish()).expect_err("it is where it was");
        assert_eq!(again.kind(), ErrorKind::Diverged, "{again}");
    }
    asked.take();
    let mut branch = open(
        &run,
        1,
        sandbox(),
        &asked,
        &Change::new().answer(1, answer()),
    );
    let outcomes = finish(&mut branch);
    assert!(outcomes[0].contains("'other'"), "{outcomes:?}");
}

#[test]
fn a_script_that_is_refused_in_a_branch_is_yet_to_run() {
    let (_folder, path) = place();
    let asked = Asked::default();
    record(&path, counted(sandbox().session(), &asked), |session| {
        for source in ["a = [1]\na", "a.append(2)\na", "a.append(3)\na"] {
            exec(session, source);
        }
    });
    let run = Run::open(&path).expect("a run");
    for change in [Change::new(), Change::new().source("a = [0]\na")] {
        let first = change.clone();
        let mut branch = open(&run, 0, sandbox(), &asked, &first);
        let waits = block_on(branch.session().step("later('mine')")).expect("runs");
        assert!(matches!(waits, Step::Waiting(_)), "{waits:?}");
        let error = block_on(branch.advance()).expect_err("a script waits");
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        block_on(branch.session().finish()).expect("answered");
        // One that is dropped has not run, either.
        drop(branch.advance());
        let outcomes = finish(&mut branch);
        assert_eq!(outcomes.len(), 3, "{outcomes:?}");
        assert!(outcomes[2].contains(", 2, 3]"), "{outcomes:?}");
    }
}

/// Writes a forged journal: the header of a run with what `change` makes of it, and the lines that follow.
fn forged(
    path: &Path,
    change: impl FnOnce(&mut serde_json::Value),
    lines: impl Iterator<Item = String>,
) {
    let text = fs::read_to_string(path).expect("text");
    let first = text.lines().next().expect("a header");
    let mut header: serde_json::Value = serde_json::from_str::<_>(first).expect("JSON");
    header.as_object_mut().expect("an object").remove("sum");
    change(&mut header["header"]);
    let unsealed = |mut line: String| {
        line.pop();
        format!("{line},\"sum\":\"00000000\"}}")
    };
    let lines = std::iter::once(header.to_string()).chain(lines);
    let lines: Vec<String> = lines.map(unsealed).collect();
    fs::write(path, resealed(&lines)).expect("written");
}

#[test]
fn what_a_branch_reads_of_a_forged_run_takes_no_time_in_the_square_of_it() {
    let (_folder, path) = place();
    let since = std::time::Instant::now();
    record(&path, sandbox().session(), |_| {});
    // 300,000 calls of a function that none of 10,000 is.
    let functions = |header: &mut serde_json::Value| {
        let functions = (0..10_000).map(|number| {
            serde_json::json!({"name": format!("f{number:06}"), "parameters": [], "awaitable": false, "immediate": false})
        });
        header["functions"] = functions.collect();
    };
    let exec = String::from("{\"exec\":{\"number\":0,\"source\":\"1\",\"at-us\":1}}");
    let calls = (0..300_000).map(|ticket| {
        format!(
            "{{\"call\":{{\"ticket\":{ticket},\"name\":\"zzzzzzz\",\"arguments\":\"{{}}\",\"fuel\":\"1\",\"reply\":{{\"returned\":1}}}}}}"
        )
    });
    forged(&path, functions, std::iter::once(exec).chain(calls));
    let run = Run::open(&path).expect("a run");
    let change = Change::new().answer(5, Answer::value(1).expect("a number"));
    let place = block_on(run.branch(0, sandbox().session()));
    let mut place = place.expect("before the first execution");
    block_on(place.open(&change)).expect("a branch");
    // 300,000 conversations of executions that repeat their numbers.
    fs::remove_file(&path).expect("removed");
    record(&path, sandbox().session(), |_| {});
    let replies = (0..300_000_u32).flat_map(|reply| {
        let side = reply / 150_000;
        let exec = format!("{{\"exec\":{{\"number\":{side},\"source\":\"\",\"at-us\":1}}}}");
        let number = reply % 500 + 500 * side;
        let call = format!(
            "{{\"call\":{{\"ticket\":0,\"name\":\"history\",\"arguments\":\"{{\\\"args\\\":[{number}]\",\"fuel\":\"1\",\"reply\":{{\"returned\":1}}}}}}"
        );
        (reply % 500 == 0).then_some(exec).into_iter().chain([call])
    });
    forged(&path, |_| {}, replies);
    let run = Run::open(&path).expect("a run");
    // Whatever comes of it, it comes soon; it took minutes.
    let _ = block_on(run.branch(1, sandbox().session()));
    assert!(
        since.elapsed() < Duration::from_secs(20),
        "{:?}",
        since.elapsed()
    );
}

#[test]
fn forks_are_recorded_as_branches_of_their_session() {
    let (folder, path) = place();
    let recording = Recording::create(&path).expect("a new file").with_forks();
    let mut session = described().seed(3).record(&recording);
    session = session.context(Context::text("log", "one\ntwo"));
    let mut session = session.open().expect("right");
    exec(&mut session, "import random\nx = [later(1), len(log)]");
    session.set("given", 5).expect("JSON");
    let mut first = block_on(session.fork()).expect("forks");
    exec(&mut first, "x.append(later(2))\nx, given, random.random()");
    exec(&mut session, "x.append(later(3))\nx, random.random()");
    // A fork of a fork, and one of a session that went on.
    let mut inner = block_on(first.fork()).expect("forks");
    exec(&mut inner, "while True: x.append('x' * 1_000_000)");
    exec(&mut inner, "len(x), id(x)");
    let mut second = block_on(session.fork()).expect("forks");
    exec(&mut second, "x, id(x), random.random()");
    // One in which a script waits is in none.
    let step = block_on(second.step("later(4)")).expect("begins");
    assert!(matches!(step, Step::Waiting(_)), "{step:?}");
    let mut waiting = block_on(second.fork()).expect("forks");
    assert!(second.is_recorded() && !waiting.is_recorded());
    block_on(waiting.finish()).expect("ends");
    block_on(second.finish()).expect("ends");
    drop((session, first, inner, second));
    let branches = folder.path().join("run.jsonl.branches");
    let parents: Vec<_> = (1..=3)
        .map(|number| {
            let file = branches.join(format!("{number}.jsonl"));
            check_identical(&file);
            let journal = Journal::open(&file).expect("a journal");
            let branch = journal.branch().expect("a branch");
            (branch.parent, branch.exec)
        })
        .collect();
    assert_eq!(parents, [(None, 1), (Some(1), 2), (None, 2)]);
    assert!(!branches.join("4.jsonl").exists());
    check_identical(&path);
}

#[test]
fn a_fork_is_made_where_it_cannot_be_recorded_if_the_recording_is_best_effort() {
    for is_best_effort in [true, false] {
        let (folder, path) = place();
        let mut recording = Recording::create(&path).expect("a new file").with_forks();
        if is_best_effort {
            recording = recording.best_effort();
        }
        let mut session = described().record(&recording).open().expect("right");
        exec(&mut session, "x = 1");
        // A file lies where the folder would be.
        fs::write(folder.path().join("run.jsonl.branches"), "").expect("written");
        match (block_on(session.fork()), is_best_effort) {
            (Ok(mut fork), true) => {
                assert!(exec(&mut fork, "x").is_success() && !fork.is_recorded());
            }
            (Err(error), false) => assert_eq!(error.kind(), ErrorKind::Usage),
            (fork, _) => panic!("{fork:?}"),
        }
        assert!(exec(&mut session, "x").is_success());
    }
}

/// Tools that a run did not have, in a branch with another script, and in a branch of that.
#[test]
fn a_branch_can_have_functions_that_its_run_has_not() {
    let (folder, path) = place();
    let asked = Asked::default();
    record(
        &path,
        counted(sandbox().session().seed(5), &asked),
        |session| {
            for source in RUN {
                exec(session, source);
            }
        },
    );
    let find = |name: &str| {
        Tool::immediate(name, |_: &ToolContext, (what,): (String,)| {
            Ok(format!("found {what}"))
        })
    };
    let script = "x = find('a')\nx, later(3), len(total), id(seen)";
    let run = Run::open(&path).expect("a run");
    let builder = || counted(sandbox().session(), &asked);
    let mut place = block_on(run.branch(3, builder().tool(find("find")))).expect("followed");
    let change = Change::new().source(script).record();
    let shown: Vec<_> = (0..2)
        .map(|_| {
            let mut branch = block_on(place.open(&change)).expect("opens");
            let outcome = block_on(branch.advance()).expect("runs").expect("a script");
            assert!(outcome.is_success(), "{outcome:?}");
            block_on(branch.into_session().exec("x + 'b', find(x)")).expect("runs");
            crate::snapshots::shown(&outcome)
        })
        .collect();
    assert_eq!(shown[0], shown[1]);
    assert!(shown[0].contains("found a"), "{}", shown[0]);
    let first = folder.path().join("run.jsonl.branches/1.jsonl");
    check_identical(&first);
    check_identical(&first.with_file_name("2.jsonl"));
    // The run has no such function, and neither has another branch of it.
    check_identical(&path);
    let mut other = block_on(run.branch(3, builder())).expect("followed");
    let mut other = block_on(other.open(&Change::new().source("find('a')"))).expect("opens");
    let outcome = block_on(other.advance()).expect("runs").expect("a script");
    assert!(!outcome.is_success(), "{outcome:?}");
    // A branch of the branch has it, and one more.
    let inner = Run::open(&first).expect("a branch");
    let builder = builder().tool(find("find")).tool(find("look"));
    let mut place = block_on(inner.branch(4, builder)).expect("followed");
    let change = Change::new().source("look(find(x))").record();
    let mut branch = block_on(place.open(&change)).expect("opens");
    let outcome = block_on(branch.advance()).expect("runs").expect("a script");
    assert!(
        format!("{outcome:?}").contains("found found found a"),
        "{outcome:?}"
    );
    drop(branch);
    check_identical(&first.with_file_name("3.jsonl"));
    // A name that the run has given to something else.
    let taken = counted(sandbox().session(), &asked).tool(find("print"));
    let error = block_on(run.branch(3, taken)).expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
}
