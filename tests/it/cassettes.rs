//! A test of an agent needs no network: its cassette answers.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rlm_sandbox::{
    Cassette, Context, Ending, ErrorKind, Journal, Lm, LmAnswer, LmError, LmRequest, Outcome,
    Record, Sandbox, Step, Tool, ToolContext, Verdict,
};

use crate::check::{block_on, described, exec, sandbox};
use crate::replay::{place, verdict};

/// A model that costs something, and says another thing each time.
#[derive(Clone, Default)]
struct Dear(Arc<AtomicU64>);

impl Dear {
    fn asked(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

impl Lm for Dear {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let count = self.0.fetch_add(1, Ordering::SeqCst);
        Ok(LmAnswer::new(format!("{} {count}", request.prompt)))
    }
}

/// What an agent does: one exec after the other.
fn agent(
    sandbox: &Sandbox,
    path: &Path,
    record: Record,
    model: &Dear,
    scripts: &[&str],
) -> rlm_sandbox::Result<Vec<Outcome>> {
    let cassette = Cassette::open(path, record)?;
    let count = Arc::clone(&model.0);
    let search = Tool::immediate("search", move |_: &ToolContext, (what,): (String,)| {
        Ok(format!(
            "{what} found {}",
            count.fetch_add(1, Ordering::SeqCst)
        ))
    });
    let builder = sandbox.session().model(model.clone()).tool(search);
    let mut session = builder.cassette(&cassette).open()?;
    scripts
        .iter()
        .map(|script| block_on(session.exec(script)))
        .collect()
}

/// Where nothing may be recorded, runs the test in a process where it may.
fn runs_elsewhere(test: &str) -> bool {
    if std::env::var_os("CI").is_none() {
        return false;
    }
    let status = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", &format!("cassettes::{test}")])
        .env_remove("CI")
        .status();
    assert!(status.expect("runs").success());
    true
}

const SCRIPTS: [&str; 2] = [
    "import random, time, asyncio\nx = await asyncio.gather(*[llm_query(f'{random.random()}') for _ in range(2)])\nx, time.time()",
    "search(x[0])",
];

#[test]
fn a_cassette_records_once_and_answers_ever_after() {
    if runs_elsewhere("a_cassette_records_once_and_answers_ever_after") {
        return;
    }
    let (_folder, path) = place();
    let run = |record, scripts: &[&str]| {
        let model = Dear::default();
        let outcomes = agent(sandbox(), &path, record, &model, scripts);
        let outcomes = outcomes.map(|outcomes| {
            let endings = outcomes.into_iter().map(|outcome| outcome.ending);
            endings.collect::<Vec<Ending>>()
        });
        (outcomes, model.asked())
    };
    let (refused, asked) = run(Record::None, &SCRIPTS);
    let error = refused.expect_err("there is none");
    assert_eq!((error.kind(), asked), (ErrorKind::Usage, 0));
    assert!(error.to_string().contains("RLM_SANDBOX_RECORD"), "{error}");
    let (first, asked) = run(Record::Once, &SCRIPTS);
    assert_eq!(asked, 3);
    for record in [Record::Once, Record::None, Record::New] {
        let (again, asked) = run(record, &SCRIPTS);
        assert_eq!(
            (&again.expect("answered"), asked),
            (first.as_ref().expect("recorded"), 0)
        );
    }

    // Playing it changes nothing, even where more might be added.
    let text = std::fs::read_to_string(&path).expect("text");
    run(Record::New, &SCRIPTS).0.expect("answered");
    assert_eq!(std::fs::read_to_string(&path).expect("text"), text);

    // More than there is: refused, or added.
    let more = [SCRIPTS[0], SCRIPTS[1], "llm_query('more')"];
    let (refused, asked) = run(Record::Once, &more);
    let error = refused.expect_err("not recorded");
    assert_eq!((error.kind(), asked), (ErrorKind::Diverged, 0));
    let (added, asked) = run(Record::New, &more);
    assert_eq!((added.expect("added").len(), asked), (3, 1));
    let (answered, asked) = run(Record::None, &more);
    assert_eq!((answered.expect("answered").len(), asked), (3, 0));
    assert_eq!(
        Journal::open(&path).expect("a journal").sources().count(),
        3
    );

    // Another time it is all new.
    let (other, asked) = run(Record::All, &SCRIPTS);
    assert_ne!(
        (&other.expect("recorded"), asked),
        (first.as_ref().expect("recorded"), 0)
    );
    assert_eq!(asked, 3);
}

#[test]
fn a_difference_is_told_in_words() {
    if runs_elsewhere("a_difference_is_told_in_words") {
        return;
    }
    let (_folder, path) = place();
    let model = Dear::default();
    agent(
        sandbox(),
        &path,
        Record::Once,
        &model,
        &["a = search('one')\nllm_query('two')"],
    )
    .expect("recorded");
    for (script, says) in [
        (
            "a = search('1')\nllm_query('two')",
            vec!["source", "search('one')", "search('1')"],
        ),
        (
            "import random",
            vec!["source of exec 0", "import random", "delete the cassette"],
        ),
    ] {
        let error =
            agent(sandbox(), &path, Record::None, &model, &[script]).expect_err("another script");
        assert_eq!(error.kind(), ErrorKind::Diverged);
        for word in says {
            assert!(error.to_string().contains(word), "{error}");
        }
    }
    // The same script, but what it asks depends on what it was told.
    let text = std::fs::read_to_string(&path).expect("text");
    std::fs::write(&path, text.replace("llm_query('two')", "llm_query('2')")).expect("written");
    let error = agent(
        sandbox(),
        &path,
        Record::None,
        &model,
        &["a = search('one')\nllm_query('2')"],
    )
    .expect_err("another question");
    for word in [
        "call 1, `llm_query`",
        "[\"two\"]",
        "[\"2\"]",
        "line 2",
        "llm_query('2')",
    ] {
        assert!(error.to_string().contains(word), "{word}: {error}");
    }
    // It stays so, and the session is not lost for it.
    assert_eq!(model.asked(), 2);
}

#[test]
fn an_answer_in_a_cassette_may_be_edited() {
    if runs_elsewhere("an_answer_in_a_cassette_may_be_edited") {
        return;
    }
    let (_folder, path) = place();
    let model = Dear::default();
    agent(sandbox(), &path, Record::Once, &model, &["llm_query('q')"]).expect("recorded");
    let text = std::fs::read_to_string(&path).expect("text");
    std::fs::write(&path, text.replace("\"q 0\"", "\"nothing at all\"")).expect("written");
    let outcomes =
        agent(sandbox(), &path, Record::None, &model, &["llm_query('q')"]).expect("answered");
    assert_eq!(
        outcomes[0].value::<String>().expect("text"),
        "nothing at all"
    );
}

#[test]
fn what_nothing_can_repeat_is_no_success_in_a_test() {
    if runs_elsewhere("what_nothing_can_repeat_is_no_success_in_a_test") {
        return;
    }
    let (_folder, path) = place();
    let mut limits = rlm_sandbox::Limits::default();
    limits.time = std::time::Duration::from_millis(20);
    limits.grace = std::time::Duration::from_millis(1);
    let run = || {
        let cassette = Cassette::open(&path, Record::Once).expect("a cassette");
        let builder = sandbox()
            .session()
            .limits(limits.clone())
            .cassette(&cassette);
        let mut session = builder.open().expect("right");
        block_on(session.exec("7 ** 10 ** 7 % 10"))
    };
    assert!(!run().expect("killed").is_success());
    let error = run().expect_err("not repeated");
    assert!(error.to_string().contains("killed"), "{error}");
}

#[test]
fn a_loop_of_ones_own_is_answered_too() {
    if runs_elsewhere("a_loop_of_ones_own_is_answered_too") {
        return;
    }
    let (_folder, path) = place();
    let model = Dear::default();
    for _ in 0..2 {
        let cassette = Cassette::open(&path, Record::Once).expect("a cassette");
        let builder = sandbox().session().model(model.clone()).cassette(&cassette);
        let mut session = builder.open().expect("right");
        let mut step = block_on(session.step("llm_query('q') + llm_query('r')")).expect("waits");
        let outcome = loop {
            match step {
                Step::Done(outcome) => break outcome,
                Step::Waiting(calls) => {
                    let mut answers = Vec::new();
                    for call in &calls {
                        answers.push((call.ticket, block_on(session.perform(call))));
                    }
                    step = block_on(session.resume(answers)).expect("goes on");
                }
            }
        };
        assert_eq!(outcome.value::<String>().expect("text"), "q 0r 1");
    }
    assert_eq!(model.asked(), 2);
}

#[test]
fn a_cassette_goes_on_where_its_recording_was_cut_off() {
    if runs_elsewhere("a_cassette_goes_on_where_its_recording_was_cut_off") {
        return;
    }
    let (_folder, path) = place();
    let script = "x = search('a')\nimport asyncio\ny = await asyncio.gather(*[llm_query(c) for c in 'bcd'])\nx, y, search('e')";
    let model = Dear::default();
    let whole = agent(sandbox(), &path, Record::Once, &model, &["1", script]).expect("recorded");
    let text = std::fs::read_to_string(&path).expect("text");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Wherever it is cut, the rest is asked and added.
    for kept in 1..lines.len() {
        std::fs::write(&path, lines[..kept].concat()).expect("written");
        let model = Dear::default();
        let outcomes = agent(sandbox(), &path, Record::New, &model, &["1", script]);
        let outcomes = outcomes.unwrap_or_else(|error| panic!("{kept} lines: {error}"));
        assert_eq!(outcomes.len(), whole.len());
        let told = lines[..kept]
            .iter()
            .filter(|line| line.contains("\"returned\":\""))
            .count();
        assert_eq!(model.asked(), 5 - told as u64, "{kept} lines");
        assert_eq!(verdict(&path), Verdict::Identical, "{kept} lines");
        let model = Dear::default();
        agent(sandbox(), &path, Record::None, &model, &["1", script])
            .unwrap_or_else(|error| panic!("{kept} lines, then: {error}"));
        assert_eq!(model.asked(), 0);
    }
}

#[test]
fn a_script_that_waits_where_a_cassette_ends_is_finished() {
    const TEST: &str = "a_script_that_waits_where_a_cassette_ends_is_finished";
    if runs_elsewhere(TEST) {
        return;
    }
    let script = "import asyncio\nx = llm_query('a')\ny = await asyncio.gather(*[llm_query(c) for c in 'bcd'])\nx, y, llm_query('e')";
    let run = |path: &Path, record: Record| {
        let model = Dear::default();
        let (done, is_done) = std::sync::mpsc::channel();
        let (path, counted) = (path.to_owned(), model.clone());
        std::thread::spawn(move || {
            let cassette = Cassette::open(&path, record).expect("a cassette");
            let builder = sandbox().session().model(counted).cassette(&cassette);
            let mut session = builder.open().expect("right");
            let step = block_on(session.step(script)).expect("waits");
            assert!(matches!(step, Step::Waiting(_)), "{step:?}");
            let outcome = block_on(session.finish()).expect("an outcome");
            drop(session);
            let _ = done.send(outcome.is_success());
        });
        let is_success = is_done.recv_timeout(std::time::Duration::from_secs(60));
        assert_eq!(is_success, Ok(true));
        model.asked()
    };
    let (_folder, path) = place();
    assert_eq!(run(&path, Record::Once), 5);
    let text = std::fs::read_to_string(&path).expect("text");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for kept in 1..lines.len() {
        std::fs::write(&path, lines[..kept].concat()).expect("written");
        let answers = lines[..kept].iter();
        let answers = answers
            .filter(|line| line.contains("\"returned\":\""))
            .count();
        assert_eq!(run(&path, Record::New), 5 - answers as u64, "{kept} lines");
        assert_eq!(verdict(&path), Verdict::Identical, "{kept} lines");
    }
}

#[test]
fn nothing_is_recorded_where_ci_is_set() {
    // The other process is this test, told to try.
    const PATH: &str = "RLM_SANDBOX_TEST_CASSETTE";
    if let Some(path) = std::env::var_os(PATH) {
        for record in [Record::Once, Record::New, Record::All] {
            let error = Cassette::open(&path, record).expect_err("not here");
            assert!(error.to_string().contains("CI is set"), "{error}");
        }
        return;
    }
    let (_folder, path) = place();
    for ci in ["true", "1"] {
        let status = std::process::Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "cassettes::nothing_is_recorded_where_ci_is_set"])
            .env(PATH, &path)
            .env("CI", ci)
            .env("RLM_SANDBOX_RECORD", "all")
            .status();
        assert!(status.expect("runs").success());
        assert!(!path.exists());
    }
}

/// A full disk leaves one, or a kill.
#[test]
fn a_cassette_without_a_line_is_recorded() {
    if runs_elsewhere("a_cassette_without_a_line_is_recorded") {
        return;
    }
    for record in [Record::Once, Record::New, Record::All] {
        let (_folder, path) = place();
        fs::write(&path, "").expect("written");
        Cassette::open(&path, record).expect("room");
    }
}

#[test]
fn a_cassette_that_is_recorded_anew_removes_a_cassette_and_nothing_else() {
    if runs_elsewhere("a_cassette_that_is_recorded_anew_removes_a_cassette_and_nothing_else") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes.txt");
    fs::write(&path, "not a journal").expect("written");
    let data = folder.path().join("notes.txt.data");
    fs::create_dir(&data).expect("made");
    fs::write(data.join("thesis"), "years of work").expect("written");
    let error = Cassette::open(&path, Record::All).expect_err("something else");
    assert!(
        error.to_string().contains("something else of that name"),
        "{error}"
    );
    assert!(path.exists() && data.join("thesis").exists());
    // A cassette with something in its folder that is not its own.
    fs::remove_file(&path).expect("there");
    let record = || {
        let cassette = Cassette::open(&path, Record::All).expect("may be recorded");
        let context = Context::text("c", "text");
        let mut session = described()
            .context(context)
            .cassette(&cassette)
            .open()
            .expect("right");
        exec(&mut session, "len(context)");
    };
    record();
    assert_eq!(fs::read_dir(&data).expect("there").count(), 2);
    // A session that still records to it loses nothing.
    let other = folder.path().join("other.jsonl");
    let recording = rlm_sandbox::Recording::create(&other).expect("a new file");
    let mut session = described().record(&recording).open().expect("right");
    exec(&mut session, "x = 1");
    let before = fs::read(&other).expect("there");
    let error = Cassette::open(&other, Record::All).expect_err("it is recorded");
    assert!(
        error.to_string().contains("a session records to"),
        "{error}"
    );
    assert_eq!(fs::read(&other).expect("there"), before);
    drop(session);
    record();
    assert_eq!(fs::read_dir(&data).expect("there").count(), 2);
    assert!(data.join("thesis").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_cassette_that_becomes_a_pipe_while_it_is_looked_at_is_not_waited_for() {
    if runs_elsewhere("a_cassette_that_becomes_a_pipe_while_it_is_looked_at_is_not_waited_for") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cassette.jsonl");
    // The first line takes a while to read.
    let first = format!(
        "{{\"header\":{{\"journal\":2,\"x\":[{}1]}}}}\n",
        "1,".repeat(7_000_000)
    );
    fs::write(&path, first).expect("written");
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("runs").success());
    let wanted = path.clone();
    let exchanged = std::thread::spawn(move || {
        let is_open = || {
            let open = fs::read_dir("/proc/self/fd")
                .expect("Linux has it")
                .flatten();
            open.into_iter()
                .any(|entry| fs::read_link(entry.path()).is_ok_and(|file| file == wanted))
        };
        while !is_open() {}
        fs::rename(&pipe, &wanted).expect("renamed");
    });
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || tell.send(Cassette::open(&path, Record::All).map(drop)));
    let opened = told.recv_timeout(std::time::Duration::from_secs(60));
    assert!(opened.is_ok(), "it waits for a pipe");
    exchanged.join().expect("no panic");
}

#[test]
fn contexts_behind_a_cassette_that_is_gone_on_with_are_kept() {
    if runs_elsewhere("contexts_behind_a_cassette_that_is_gone_on_with_are_kept") {
        return;
    }
    let (_folder, path) = place();
    for record in [Record::Once, Record::New] {
        let cassette = Cassette::open(&path, record).expect("a cassette");
        let mut session = sandbox()
            .session()
            .seed(1)
            .cassette(&cassette)
            .open()
            .expect("right");
        exec(&mut session, "1 + 1");
        if record == Record::New {
            session
                .add_context(Context::text("d", "a text that is only here"))
                .expect("right");
            exec(&mut session, "len(context)");
        }
    }
    crate::replay::check_identical(&path);
}

#[test]
fn a_loop_of_ones_own_gets_the_answers_of_the_cassette() {
    if runs_elsewhere("a_loop_of_ones_own_gets_the_answers_of_the_cassette") {
        return;
    }
    let (_folder, path) = place();
    for (record, answer) in [(Record::Once, 1), (Record::New, 2), (Record::None, 3)] {
        let cassette = Cassette::open(&path, record).expect("a cassette");
        let builder = sandbox().session().seed(1).cassette(&cassette);
        let mut session = builder.tool(Tool::declared("ask")).open().expect("right");
        let step = block_on(session.step("x = ask(0)\nx")).expect("a step");
        let Step::Waiting(calls) = step else {
            panic!("{step:?}")
        };
        let answer = rlm_sandbox::Answer::value(answer).expect("JSON");
        let step = block_on(session.resume([(calls[0].ticket, answer)])).expect("a step");
        let Step::Done(outcome) = step else {
            panic!("{step:?}")
        };
        assert_eq!(outcome.value::<u32>().expect("a number"), 1);
        if record == Record::New {
            exec(&mut session, "x + 1");
        }
    }
    crate::replay::check_identical(&path);
}

#[test]
fn an_inspection_at_the_end_of_a_cassette_is_recorded_once() {
    if runs_elsewhere("an_inspection_at_the_end_of_a_cassette_is_recorded_once") {
        return;
    }
    for inspects in ["get", "variables", "export"] {
        let (_folder, path) = place();
        let run = |scripts: &[&str]| {
            let cassette = Cassette::open(&path, Record::New).expect("a cassette");
            let builder = sandbox().session().seed(1).cassette(&cassette);
            let tool = Tool::with_arguments("f", |_, _| async { Ok(serde_json::json!(7)) });
            let mut session = builder.tool(tool).open().expect("right");
            for script in scripts {
                exec(&mut session, script);
                match inspects {
                    "get" => drop(block_on(session.get("x")).expect("a value")),
                    "variables" => drop(
                        block_on(session.variables(rlm_sandbox::Look::default())).expect("names"),
                    ),
                    _ => drop(block_on(session.export()).expect("values")),
                }
            }
        };
        run(&["x = f(1)"]);
        let first = std::fs::read(&path).expect("recorded");
        run(&["x = f(1)"]);
        assert_eq!(std::fs::read(&path).expect("recorded"), first, "{inspects}");
        run(&["x = f(1)", "x = f(x)"]);
        crate::replay::check_identical(&path);
        run(&["x = f(1)", "x = f(x)", "x = f(x)"]);
        crate::replay::check_identical(&path);
    }
}

#[test]
fn a_cassette_that_another_session_records_to_is_gone_on_with_afterwards() {
    if runs_elsewhere("a_cassette_that_another_session_records_to_is_gone_on_with_afterwards") {
        return;
    }
    let (_folder, path) = place();
    let open = || {
        let cassette = Cassette::open(&path, Record::New).expect("a cassette");
        sandbox()
            .session()
            .seed(1)
            .cassette(&cassette)
            .open()
            .expect("right")
    };
    exec(&mut open(), "x = 1");
    let (mut first, mut second) = (open(), open());
    for session in [&mut first, &mut second] {
        exec(session, "x = 1");
    }
    exec(&mut first, "y = 2");
    for _ in 0..2 {
        let refused = block_on(second.exec("z = 3")).expect_err("another one records");
        assert!(refused.to_string().contains("records to"), "{refused}");
    }
    drop(first);
    // The file has grown, and its end is another one: each further request fails.
    for _ in 0..2 {
        let refused = block_on(second.exec("z = 3")).expect_err("the file was changed");
        assert!(!refused.to_string().is_empty());
    }
    drop(second);
    crate::replay::check_identical(&path);
}

#[test]
fn a_cassette_that_is_gone_on_with_has_the_bases_of_its_session() {
    if runs_elsewhere("a_cassette_that_is_gone_on_with_has_the_bases_of_its_session") {
        return;
    }
    let (_folder, path) = place();
    let costly = "n = 0\nfor i in range(1_000_000): n += 1";
    let large = "x = 'a' * 10 ** 9";
    let life = [costly, large, large, large, "n"];
    for more in [
        &[][..],
        &["n + len(str(f(n)))"],
        &["n + len(str(f(n)))", "f(n)"],
    ] {
        let cassette = Cassette::open(&path, Record::New).expect("a cassette");
        let builder = sandbox().session().seed(1).cassette(&cassette);
        let tool = Tool::with_arguments("f", |_, _| async { Ok(serde_json::json!(7)) });
        let mut session = builder.tool(tool).open().expect("right");
        for script in life.iter().chain(more) {
            exec(&mut session, script);
        }
        drop(session);
        crate::replay::check_identical(&path);
    }
}

#[test]
fn a_time_limit_at_the_end_of_a_cassette_is_recorded_once() {
    if runs_elsewhere("a_time_limit_at_the_end_of_a_cassette_is_recorded_once") {
        return;
    }
    let (_folder, path) = place();
    for goes_on in [false, true] {
        let cassette = Cassette::open(&path, Record::New).expect("a cassette");
        let builder = sandbox().session().seed(1).cassette(&cassette);
        let mut session = builder.tool(Tool::declared("ask")).open().expect("right");
        let step = block_on(session.step("x = ask(0)\nx")).expect("a step");
        let Step::Waiting(calls) = step else {
            panic!("{step:?}")
        };
        session
            .add_context(Context::text("d", "a text"))
            .expect("right");
        if let Some(work) = session.contexts_to_record() {
            work();
        }
        session.set_time_limit(std::time::Duration::from_secs(2));
        if let Some(work) = session.contexts_to_record() {
            work();
        }
        if goes_on {
            let answer = rlm_sandbox::Answer::value(1).expect("JSON");
            block_on(session.resume([(calls[0].ticket, answer)])).expect("a step");
            exec(&mut session, "len(context)");
        }
        drop(session);
        crate::replay::check_identical(&path);
    }
}

#[test]
fn only_the_recorded_session_goes_on_behind_a_cassette() {
    if runs_elsewhere("only_the_recorded_session_goes_on_behind_a_cassette") {
        return;
    }
    let (_folder, path) = place();
    let tool = |name: &str| Tool::with_arguments(name, |_, _| async { Ok(serde_json::json!(7)) });
    let open = |change: &dyn Fn(rlm_sandbox::SessionBuilder) -> rlm_sandbox::SessionBuilder| {
        let cassette = Cassette::open(&path, Record::New).expect("a cassette");
        let builder = sandbox().session().seed(1).cassette(&cassette);
        change(builder.tool(tool("f"))).open()
    };
    let mut session = open(&|builder| builder).expect("right");
    exec(&mut session, "x = f(1)");
    block_on(session.get("x")).expect("a value");
    exec(&mut session, "y = 2");
    drop(session);
    let recorded = fs::read(&path).expect("recorded");
    let is_kept = || assert_eq!(fs::read(&path).expect("recorded"), recorded);
    // Another header.
    let changes: [(
        &str,
        &dyn Fn(rlm_sandbox::SessionBuilder) -> rlm_sandbox::SessionBuilder,
    ); 4] = [
        ("functions", &|builder| builder.tool(tool("g"))),
        ("limits.memory_bytes", &|builder| {
            let mut limits = rlm_sandbox::Limits::default();
            limits.memory_bytes *= 2;
            builder.limits(limits)
        }),
        ("profile.eval", &|builder| {
            let mut profile = rlm_sandbox::Profile::default();
            profile.eval = true;
            builder.profile(profile)
        }),
        ("model", &|builder| builder.model(Dear::default())),
    ];
    for (what, change) in changes {
        let error = open(change).expect_err(what);
        let text = error.to_string();
        assert_eq!(error.kind(), rlm_sandbox::ErrorKind::Diverged, "{text}");
        assert!(text.contains("the header") && text.contains(what), "{text}");
        is_kept();
    }
    // Another life: one inspection less, one more, another one, another order.
    let (first, second) = ("x = f(1)", "y = 2");
    for life in [
        &[first, second, "z = 3"][..],
        &[first, "?x", "?x", second, "z = 3"],
        &[first, "?y", second, "z = 3"],
        &[first, "?x", second, "?y", "z = 3", "?z"],
        &[second, first],
    ] {
        let mut session = open(&|builder| builder).expect("right");
        let mut did = life.iter().map(|step| match step.strip_prefix('?') {
            Some(name) => block_on(session.get(name)).map(drop),
            None => block_on(session.exec(step)).map(drop),
        });
        let ended = did.find_map(Result::err);
        let goes_on = life.starts_with(&[first, "?x", second]);
        match (goes_on, ended) {
            (true, None) => {
                drop(did);
                drop(session);
                crate::replay::check_identical(&path);
                fs::write(&path, &recorded).expect("written");
            }
            (false, Some(error)) => {
                let text = error.to_string();
                assert_eq!(error.kind(), rlm_sandbox::ErrorKind::Diverged, "{text}");
                assert!(text.contains("exactly what is recorded"), "{text}");
                drop(did);
                drop(session);
                is_kept();
            }
            (_, ended) => panic!("{life:?}: {ended:?}"),
        }
    }
    // An answer that was edited.
    let text = String::from_utf8(recorded).expect("text");
    let edited = text.replace("\"returned\":7", "\"returned\":8");
    assert_ne!(edited, text);
    fs::write(&path, &edited).expect("written");
    let mut session = open(&|builder| builder).expect("right");
    let error = block_on(session.exec(first)).expect_err("edited");
    assert!(error.to_string().contains("was changed"), "{error}");
    drop(session);
    assert_eq!(fs::read_to_string(&path).expect("there"), edited);
}

#[test]
fn lines_that_mean_nothing_to_a_cassette_are_searched_once() {
    let (_folder, path) = place();
    let script = "for i in range(1500): print(i)";
    crate::replay::record(&path, described(), |session| {
        exec(session, script);
    });
    let text = fs::read_to_string(&path).expect("readable");
    let get = "{\"get\":{\"name\":\"x\"},\"sum\":\"00000000\"}";
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with("{\"outcome\"") {
            lines.extend(vec![get.to_owned(); 1_000_000]);
        }
        lines.push(line.to_owned());
    }
    assert!(lines.len() > 1_000_000, "{text}");
    fs::write(&path, crate::mutations::resealed(&lines)).expect("written");
    let cassette = Cassette::open(&path, Record::None).expect("a cassette");
    let mut session = described().cassette(&cassette).open().expect("right");
    let since = std::time::Instant::now();
    let ended = block_on(session.exec(script));
    // A search for the end of the script in each call of `print` took half a minute.
    let taken = since.elapsed();
    assert!(
        taken < std::time::Duration::from_secs(20),
        "{taken:?}, {ended:?}"
    );
}

#[test]
fn a_parked_session_goes_on_behind_its_cassette() {
    if runs_elsewhere("a_parked_session_goes_on_behind_its_cassette") {
        return;
    }
    let (_folder, path) = place();
    let key = b"a key of this test";
    let mut session = sandbox()
        .session()
        .seed(1)
        .tool(Tool::declared("ask"))
        .open()
        .expect("right");
    exec(&mut session, "x = 1");
    let parked = |session: &mut rlm_sandbox::Session| {
        let parked = block_on(session.park()).expect("parked");
        rlm_sandbox::Parked::from_bytes(sandbox(), &parked.to_bytes(key), key).expect("a session")
    };
    let idle = parked(&mut session);
    block_on(session.step("y = ask(x)\nx += y")).expect("waits");
    let waiting = parked(&mut session);
    for (number, begun) in [idle, waiting].iter().enumerate() {
        let path = path.with_extension(number.to_string());
        for more in 0..3 {
            let cassette = Cassette::open(&path, Record::New).expect("a cassette");
            let builder = sandbox()
                .session()
                .tool(Tool::declared("ask"))
                .cassette(&cassette);
            let mut session = builder.restore(begun).expect("right");
            for call in session.waiting_calls() {
                let answer = rlm_sandbox::Answer::value(5).expect("JSON");
                block_on(session.resume([(call.ticket, answer)])).expect("goes on");
            }
            for _ in 0..=more {
                exec(&mut session, "x += 1\nx");
            }
            drop(session);
            crate::replay::check_identical(&path);
        }
    }
    // It begins with another one.
    let cassette = Cassette::open(path.with_extension("0"), Record::New).expect("a cassette");
    let builder = sandbox()
        .session()
        .seed(1)
        .tool(Tool::declared("ask"))
        .cassette(&cassette);
    let error = builder.open().expect_err("a fresh one");
    assert!(error.to_string().contains("parked"), "{error}");
}

#[test]
fn what_goes_on_behind_a_cassette_has_its_limits_on_time() {
    use std::time::{Duration, Instant};
    if runs_elsewhere("what_goes_on_behind_a_cassette_has_its_limits_on_time") {
        return;
    }
    let (folder, path) = place();
    let open = |path: &Path, record: Record, deadline: Option<Duration>| {
        let cassette = Cassette::open(path, record).expect("a cassette");
        let mut limits = rlm_sandbox::Limits::default();
        (limits.time, limits.deadline) = (Duration::from_secs(1), deadline);
        let never = Tool::with_arguments("ask", |_, _| {
            std::future::pending::<Result<u8, rlm_sandbox::ToolError>>()
        });
        let builder = sandbox().session().seed(1).cassette(&cassette);
        builder.limits(limits).tool(never).open().expect("right")
    };
    let timed = |session: &mut rlm_sandbox::Session, script: &str| {
        let since = Instant::now();
        let outcome = block_on(session.exec(script));
        // Ten times the limit is what a script may take that is played to its end.
        assert!(since.elapsed() < Duration::from_secs(6), "{outcome:?}");
        outcome
    };
    // The process died while the script waited.
    let (waits, deadline) = ("ask()", Some(Duration::from_secs(1)));
    let mut session = open(&path, Record::Once, deadline);
    block_on(session.step(waits)).expect("waits");
    let copy = folder.path().join("waits.jsonl");
    fs::copy(&path, &copy).expect("copied");
    drop(session);
    let outcome = timed(&mut open(&copy, Record::New, deadline), waits).expect("ends");
    assert!(
        matches!(
            outcome.ending,
            Ending::Stopped(rlm_sandbox::Stop::Deadline, _)
        ),
        "{outcome:?}"
    );
    // And while it computed.
    let (computes, path) = ("while True: pass", folder.path().join("computes.jsonl"));
    let outcome = timed(&mut open(&path, Record::Once, None), computes).expect("ends");
    let is_timed =
        |outcome: &Outcome| matches!(outcome.ending, Ending::Stopped(rlm_sandbox::Stop::Time, _));
    assert!(is_timed(&outcome), "{outcome:?}");
    let text = fs::read_to_string(&path).expect("text");
    let cut: String = text.split_inclusive('\n').take(2).collect();
    for record in [Record::Once, Record::New] {
        fs::write(&path, &cut).expect("written");
        let outcome = timed(&mut open(&path, record, None), computes);
        assert!(outcome.map_or(record == Record::Once, |outcome| is_timed(&outcome)));
    }
}

#[test]
fn limits_of_a_journal_that_would_void_others_are_not_taken_over() {
    use std::time::Duration;
    let (_folder, path) = place();
    let recording = rlm_sandbox::Recording::create(&path).expect("a new file");
    let mut limits = rlm_sandbox::Limits::default();
    limits.grace = Duration::from_secs(1 << 40);
    let builder = sandbox().session().limits(limits).record(&recording);
    let mut session = builder.open().expect("right");
    exec(&mut session, "x = 1");
    drop(session);
    // The budget that follows from the time, as a forger would have it.
    let text = fs::read_to_string(&path).expect("text");
    let (own, other) = (
        "\"fuel_of_time\":1250000000000",
        "\"fuel_of_time\":2305843009213693951",
    );
    assert!(text.contains(own));
    let mut sum = 0;
    let lines = text.replace(own, other);
    let lines = lines.split_inclusive('\n').map(|line| {
        let (next, line) = crate::sums::resealed(sum, line).expect("a sum");
        sum = next;
        line
    });
    fs::write(&path, lines.collect::<String>()).expect("written");
    crate::replay::check_identical(&path);
    let journal = Journal::open(&path).expect("a journal");
    let taken_up = block_on(journal.until(u64::MAX, sandbox().session())).expect("taken up");
    let mut rebuilt = block_on(journal.rebuild(sandbox().session())).expect("taken up");
    let usual = described().open().expect("right");
    let usual = usual.limits();
    for session in [&taken_up, &rebuilt] {
        let limits = session.limits();
        assert!(limits.grace <= Duration::from_secs(1), "{limits:?}");
        assert_eq!(limits.fuel_budget(), usual.fuel_budget(), "{limits:?}");
    }
    exec(&mut rebuilt, "x + 1");
    drop(rebuilt);
    crate::replay::check_identical(&path);
}

#[cfg(unix)]
#[test]
fn a_journal_that_others_may_write_is_not_gone_on_with() {
    use std::os::unix::fs::PermissionsExt as _;
    if runs_elsewhere("a_journal_that_others_may_write_is_not_gone_on_with") {
        return;
    }
    let (_folder, path) = place();
    let open = || {
        let cassette = Cassette::open(&path, Record::New).expect("a cassette");
        let builder = sandbox().session().seed(1).cassette(&cassette);
        builder.open().expect("right")
    };
    exec(&mut open(), "x = 1");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).expect("changed");
    let recorded = fs::read(&path).expect("there");
    let mut session = open();
    exec(&mut session, "x = 1");
    let refused = block_on(session.exec("x + 1")).expect_err("others could read or change it");
    assert!(
        refused.to_string().contains("cannot go on recording"),
        "{refused}"
    );
    drop(session);
    let journal = Journal::open(&path).expect("a journal");
    let refused = block_on(journal.rebuild(sandbox().session())).expect_err("the same");
    assert!(
        refused.to_string().contains("cannot go on recording"),
        "{refused}"
    );
    assert_eq!(fs::read(&path).expect("there"), recorded);
}
