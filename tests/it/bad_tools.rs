//! Tools and models that are worse than the scripts.

use std::time::Duration;

use rlm_sandbox::{
    Allowance, Journal, Lm, LmAnswer, LmError, LmRequest, Plugin, PluginAnswer, PluginCall,
    PluginFunction, Recording, SessionBuilder, Tool, ToolContext, ToolError, Verdict,
};
use serde::{Serialize, Serializer};

use crate::check::{block_on, exec, sandbox, value};
use crate::replay::place;

struct Panicking;

impl Lm for Panicking {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        assert!(request.prompt != "bad", "the model's own bug");
        Ok(LmAnswer::new(request.prompt))
    }
}

impl Plugin for Panicking {
    fn name(&self) -> &str {
        "broken"
    }

    fn functions(&self) -> Vec<PluginFunction> {
        vec![PluginFunction::new("run", [] as [&str; 0])]
    }

    fn allowance(&self) -> Allowance {
        Allowance::new(1_000_000, Duration::from_secs(1), 0)
    }

    async fn call(&self, _call: PluginCall) -> PluginAnswer {
        panic!("the plugin's own bug")
    }
}

/// An answer that cannot be written down.
struct Unwritable;

impl Serialize for Unwritable {
    fn serialize<S: Serializer>(&self, _serializer: S) -> Result<S::Ok, S::Error> {
        panic!("the answer's own bug")
    }
}

type Told<T> = Result<T, ToolError>;

fn broken() -> SessionBuilder {
    let immediate = |_: &ToolContext, (n,): (u64,)| -> Told<u64> { panic!("bug {n}") };
    let unwritable = |_: &ToolContext, (): ()| -> Told<Unwritable> { Ok(Unwritable) };
    let at_once =
        |_: ToolContext, (n,): (u64,)| -> std::future::Ready<Told<u64>> { panic!("bug {n}") };
    let later = |_: ToolContext, (n,): (u64,)| async move {
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert!(n != 3, "bug {n}");
        Ok::<_, ToolError>(n)
    };
    sandbox()
        .session()
        .seed(1)
        .model(Panicking)
        .plugin(Panicking)
        .tool(Tool::immediate("immediate", immediate))
        .tool(Tool::immediate("unwritable", unwritable))
        .tool(Tool::deferred("at_once", at_once))
        .tool(Tool::deferred("later", later))
        .tool(Tool::deferred("soon", later).awaitable())
}

const SCRIPT: &str = "\
import asyncio
kept = 'as it was'
said = []
for ask in [
    lambda: immediate(1), lambda: unwritable(), lambda: at_once(2), lambda: later(3), lambda: llm_query('bad'),
    lambda: broken.run(), lambda: later(4), lambda: llm_query('good'),
]:
    try:
        said.append(ask())
    except RuntimeError as error:
        said.append(str(error).split(',')[0])
said += llm_query_batched(['bad', 'good'])
said += [type(one).__name__ for one in await asyncio.gather(soon(3), soon(5), return_exceptions=True)]
said";

#[test]
fn handlers_that_panic_are_exceptions_for_the_script() {
    let (_folder, path) = place();
    let recording = Recording::create(&path).expect("a new file");
    let mut session = broken().record(&recording).open().expect("right");
    let outcome = exec(&mut session, SCRIPT);
    let said: Vec<String> = outcome
        .value::<Vec<serde_json::Value>>()
        .expect("a list")
        .iter()
        .map(ToString::to_string)
        .collect();
    expect_test::expect![[r#"
        "the tool panicked"
        "the tool panicked"
        "the tool panicked"
        "the tool panicked"
        "the model's handler panicked"
        "the tool panicked"
        4
        "good"
        "[ERROR] the model's handler panicked, which is a bug of the program that runs this script"
        "good"
        "RuntimeError"
        "int""#]]
    .assert_eq(&said.join("\n"));
    assert_eq!(value(&mut session, "kept"), "'as it was'");
    // Uncaught, it is like any exception.
    let outcome = exec(&mut session, "kept = 'changed'\nimmediate(1)");
    assert!(!outcome.is_success());
    assert_eq!(value(&mut session, "kept"), "'changed'");
    drop(session);
    let journal = Journal::open(&path).expect("whole");
    let replayed = block_on(journal.replay(sandbox())).expect("replays");
    assert_eq!(replayed.verdict, Verdict::Identical);
}

#[test]
fn answers_that_are_kept_until_a_script_ends_are_bounded() {
    let long = |_: &ToolContext, (): ()| Ok("x".repeat(100_000));
    let refuse = |_: &ToolContext, (): ()| {
        Err::<(), _>(ToolError::new("k".repeat(1_000_000), "m".repeat(1_000_000)))
    };
    let builder = sandbox().session().tool(Tool::immediate("long", long));
    let mut session = builder
        .tool(Tool::immediate("refuse", refuse))
        .open()
        .expect("right");
    let outcome = exec(&mut session, "for n in range(1000): long()");
    let told = format!("{:?}", outcome.ending);
    assert!(told.contains("more than 64 MiB"), "{told}");
    // It is the answers of one script that count.
    for _ in 0..2 {
        assert!(exec(&mut session, "for n in range(600): long()").is_success());
    }
    let script = "try: refuse()\nexcept Exception as error: told = str(error)\nlen(told) < 110_000";
    assert_eq!(value(&mut session, script), "True");
}

#[test]
fn a_tool_that_answers_with_a_gigabyte_gets_nothing_of_it_in() {
    let giant = |_: &ToolContext, (count,): (usize,)| Ok("x".repeat(count));
    let later =
        |_: ToolContext, (count,): (usize,)| async move { Ok::<_, ToolError>("x".repeat(count)) };
    let builder = sandbox().session().tool(Tool::immediate("giant", giant));
    let mut session = builder
        .tool(Tool::deferred("later", later))
        .open()
        .expect("right");
    for name in ["giant", "later"] {
        let outcome = exec(&mut session, &format!("{name}({})['error']", 1_usize << 30));
        assert_eq!(
            outcome.value::<String>().expect("text"),
            "response_too_large"
        );
        assert_eq!(
            value(&mut session, &format!("len({name}(100_000))")),
            "100000"
        );
    }
}

#[test]
fn a_tool_may_be_named_as_frameworks_name_theirs() {
    let tool = Tool::immediate("__dspy_construct__", |_: &ToolContext, (n,): (u64,)| {
        Ok(n + 1)
    });
    let mut session = sandbox().session().tool(tool).open().expect("opens");
    assert_eq!(value(&mut session, "__dspy_construct__(41)"), "42");
    for special in ["__import__", "__build_class__", "__name__"] {
        let tool = Tool::immediate(special, |_: &ToolContext, (n,): (u64,)| Ok(n + 1));
        let error = sandbox().session().tool(tool).open().expect_err("refused");
        assert!(error.to_string().contains("builtin of Python"), "{error}");
    }
}
