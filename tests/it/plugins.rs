//! Plugins in sessions, with one that is no WebAssembly: what they are charged,
//! told and given back. `host/plugins` has the real ones.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rlm_sandbox::{
    Allowance, Context, Journal, Limits, Lm, LmAnswer, LmError, LmRequest, Plugin, PluginAnswer,
    PluginCall, PluginFunction, Recording, SessionBuilder, Step, Tool, ToolContext, ToolError,
    Verdict,
};
use serde_json::{Value as Json, json};

use crate::check::{block_on as block, sandbox};
use crate::rebuilding::{PATH, child, kill_when};

/// Counts, asks, prints and fails as it is told to.
#[derive(Clone, Default)]
pub(crate) struct Helper {
    calls: Arc<AtomicU32>,
    pub(crate) allowed: Arc<Mutex<Vec<Allowance>>>,
}

/// What a call of it uses.
pub(crate) const FUEL: u64 = 1_000_000;

impl Plugin for Helper {
    fn name(&self) -> &str {
        "helper"
    }

    fn functions(&self) -> Vec<PluginFunction> {
        vec![
            PluginFunction::new("double", ["x"]).doc("double(x: int) -> int"),
            PluginFunction::new("ask", ["prompts"]),
            PluginFunction::new("fail", ["kind"]),
            PluginFunction::new("size", ["name"]),
            PluginFunction::new("count", Vec::<String>::new()),
            PluginFunction::new("much", ["bytes"]),
        ]
    }

    fn allowance(&self) -> Allowance {
        Allowance::new(10 * FUEL, Duration::from_secs(1), 3)
    }

    async fn call(&self, call: PluginCall) -> PluginAnswer {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.allowed.lock().expect("whole").push(call.allowance);
        let first = call.arguments.iter().next().map(|(_, value)| value.clone());
        let first = first.unwrap_or_default();
        let answer = match call.function.as_str() {
            "double" => Ok(json!(first.as_i64().unwrap_or(0) * 2)),
            "ask" => {
                let mut told = Vec::new();
                for prompt in first.as_array().into_iter().flatten() {
                    let prompt = prompt.as_str().unwrap_or_default().to_owned();
                    told.push(match call.ask(prompt, None).await {
                        Ok(text) => text,
                        Err(error) => format!("no: {error}"),
                    });
                }
                Ok(json!(told))
            }
            "fail" => Err(ToolError::new(
                first.as_str().unwrap_or("ValueError"),
                "as it was told",
            )),
            "size" => match call.readable(first.as_str().unwrap_or_default()) {
                Some(context) => Ok(json!(context.as_bytes().len())),
                None => Err(ToolError::new("KeyError", "no such context")),
            },
            "count" => {
                let kept = call.kept("helper", AtomicU32::default);
                Ok(json!(kept.fetch_add(1, Ordering::Relaxed) + 1))
            }
            _ => Ok(json!("x".repeat(first.as_u64().unwrap_or(0) as usize))),
        };
        let mut answer = PluginAnswer::new(answer);
        answer.fuel = FUEL.min(call.allowance.fuel);
        answer.compute = Duration::from_millis(2);
        answer.printed = format!("{} was called\n", call.function);
        answer
    }
}

pub(crate) fn session(helper: &Helper) -> SessionBuilder {
    sandbox().session().plugin(helper.clone())
}

/// A model that says what it was asked, and how often.
pub(crate) struct Echo(pub(crate) Arc<AtomicU32>);

impl Lm for Echo {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        Ok(LmAnswer::new(format!("{number} {}", request.prompt)))
    }
}

#[doc = "Keeps RC-6, R1-25."]
#[test]
fn scripts_call_plugins_as_members_of_their_name() {
    let mut session = session(&Helper::default()).open().expect("right");
    let outcome = block(session.exec(
        "import asyncio\na = helper.double(4)\nb = await asyncio.gather(*[helper.double(x=i) for i in range(3)])\n\
         try:\n    helper.fail('KeyError')\nexcept KeyError as error:\n    c = str(error)\n(a, b, c)",
    ))
    .expect("runs");
    assert_eq!(
        outcome.value::<Json>().expect("a value"),
        json!([8, [0, 2, 4], "'as it was told'"])
    );
    assert_eq!(
        outcome.stdout,
        "double was called\n".repeat(4) + "fail was called\n"
    );
    let names: Vec<_> = outcome
        .calls
        .iter()
        .map(|call| call.name.as_str())
        .collect();
    assert_eq!(names[..2], ["helper.double", "helper.double"]);
}

#[test]
fn what_a_plugin_did_is_repeated_to_the_unit_without_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let (helper, asked) = (Helper::default(), Arc::default());
    let builder = session(&helper)
        .model(Echo(Arc::clone(&asked)))
        .record(&Recording::create(&path).expect("a file"));
    let mut session = builder.open().expect("right");
    let code = "helper.double(2)\nx = helper.ask(['a', 'b'])\nprint(x)\nhelper.double(len(x))";
    let outcome = block(session.exec(code)).expect("runs");
    block(session.exec("helper.fail('ValueError')")).expect("runs");
    drop(session);
    let (calls, prompts) = (
        helper.calls.load(Ordering::Relaxed),
        asked.load(Ordering::Relaxed),
    );
    let journal = Journal::open(&path).expect("whole");
    let replayed = block(journal.replay(sandbox())).expect("can be repeated");
    assert!(
        matches!(replayed.verdict, Verdict::Identical),
        "{:?}",
        replayed.verdict
    );
    assert!(replayed.fuel > outcome.usage.fuel);
    assert_eq!(helper.calls.load(Ordering::Relaxed), calls);
    assert_eq!(asked.load(Ordering::Relaxed), prompts);
    let text = std::fs::read_to_string(&path).expect("text");
    assert!(text.contains(r#""fuel":"1000000""#), "{text}");
    assert_eq!(text.matches(r#"{"told":"#).count(), 2);
}

#[test]
fn a_call_whose_process_was_killed_is_made_again_with_what_the_model_had_said() {
    let (helper, asked) = (Helper::default(), Arc::new(AtomicU32::new(0)));
    let builder = || session(&helper).seed(1).id("s");
    if let Ok(path) = std::env::var(PATH) {
        // The other process: the model answers twice and then not at all.
        let mut session = builder()
            .model(Twice(asked))
            .record(&Recording::create(path).expect("a file"))
            .open()
            .expect("right");
        block(session.exec("x = helper.ask(['a', 'b', 'c'])\nx")).expect("never ends");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let test =
        "plugins::a_call_whose_process_was_killed_is_made_again_with_what_the_model_had_said";
    kill_when(child(test, &path), &path, r#""number":1"#);

    asked.store(100, Ordering::Relaxed);
    let open = || Journal::open(&path).expect("whole");
    let model = Echo(Arc::clone(&asked));
    let mut session = block(open().rebuild(builder().model(model))).expect("taken up");
    let outcome = block(session.finish()).expect("runs");
    let told = outcome.value::<Vec<String>>().expect("texts");
    assert_eq!(told, ["0 a", "1 b", "100 c"]);
    assert_eq!(outcome.usage.model_calls, 3);
    assert_eq!(asked.load(Ordering::Relaxed), 101);
    drop(session);
    let replayed = block(open().replay(sandbox())).expect("can be repeated");
    assert!(
        matches!(replayed.verdict, Verdict::Identical),
        "{:?}",
        replayed.verdict
    );
}

/// A model that answers two prompts.
pub(crate) struct Twice(pub(crate) Arc<AtomicU32>);

impl Lm for Twice {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        if number >= 2 {
            std::future::pending::<()>().await;
        }
        Ok(LmAnswer::new(format!("{number} {}", request.prompt)))
    }
}

#[test]
fn a_session_that_waits_for_a_plugin_moves_with_what_the_model_had_said() {
    let (helper, asked) = (Helper::default(), Arc::new(AtomicU32::new(0)));
    let mut session = session(&helper)
        .model(Twice(Arc::clone(&asked)))
        .open()
        .expect("right");
    let Step::Waiting(calls) = block(session.step("helper.ask(['a', 'b', 'c'])")).expect("runs")
    else {
        panic!("it waits for the plugin");
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let performed = session.perform(&calls[0]);
        assert!(
            tokio::time::timeout(Duration::from_millis(200), performed)
                .await
                .is_err()
        );
    });
    let parked = block(session.park()).expect("written");
    drop(session);
    asked.store(100, Ordering::Relaxed);
    let mut session = self::session(&helper)
        .model(Echo(asked))
        .restore(&parked)
        .expect("fits");
    let outcome = block(session.finish()).expect("runs");
    assert_eq!(
        outcome.value::<Vec<String>>().expect("texts"),
        ["0 a", "1 b", "100 c"]
    );
}

#[test]
fn plugins_keep_for_a_session_and_nobody_else() {
    let helper = Helper::default();
    let mut first = session(&helper).open().expect("right");
    let mut second = session(&helper).open().expect("right");
    let count = |session: &mut rlm_sandbox::Session| {
        block(session.exec("helper.count()"))
            .expect("runs")
            .value::<u32>()
            .expect("a number")
    };
    assert_eq!(
        [count(&mut first), count(&mut first), count(&mut second)],
        [1, 2, 1]
    );
    let mut fork = block(first.fork()).expect("made");
    assert_eq!([count(&mut fork), count(&mut first)], [1, 3]);
}

#[test]
fn answers_and_output_of_plugins_have_caps() {
    let mut limits = Limits::default();
    (limits.value_bytes, limits.output_bytes) = (1000, 20);
    let mut session = session(&Helper::default())
        .limits(limits)
        .open()
        .expect("right");
    let outcome = block(session.exec("helper.much(2000)")).expect("runs");
    let exception = outcome.exception().expect("too much");
    assert_eq!(exception.kind, "ValueError");
    assert!(exception.message.contains("ask for less"));
    assert_eq!(
        block(session.exec("len(helper.much(900))"))
            .expect("runs")
            .value::<u32>()
            .expect("900"),
        900
    );
    let outcome = block(session.exec("helper.double(1)\nhelper.double(1)")).expect("runs");
    assert_eq!(outcome.stdout, "double was called\ndo");
    assert!(outcome.dropped_bytes > 0);
}

#[test]
fn names_that_mean_two_things_are_refused() {
    let error = |builder: SessionBuilder| builder.open().expect_err("refused").to_string();
    let plain = |name: &str| Tool::immediate(name.to_owned(), |_: &ToolContext, (): ()| Ok(1));
    assert!(
        error(session(&Helper::default()).tool(plain("helper")))
            .contains("of a tool and of a plugin")
    );
    assert!(
        error(session(&Helper::default()).plugin(Helper::default()))
            .contains("two tools are named `helper.double`")
    );
    for (name, told) in [
        ("a.exec_wasm", "run code inside the code"),
        ("print.a", "builtin"),
        ("list.a", "builtin"),
        ("context.a", "defined by the session"),
        ("json.a", "means something in Python already"),
        ("ValueError.a", "means something in Python already"),
        ("a.b.c", "not a Python name"),
        ("a.", "not a Python name"),
    ] {
        let refused = error(sandbox().session().tool(plain(name)));
        assert!(refused.contains(told), "{name}: {refused}");
    }
    let mut session = sandbox()
        .session()
        .tool(plain("a.b"))
        .open()
        .expect("right");
    assert_eq!(
        block(session.exec("a.b() + a.b()"))
            .expect("runs")
            .value::<u32>()
            .expect("2"),
        2
    );
}

#[test]
fn a_plugin_reads_the_contexts_of_its_session() {
    let context = Context::text("log", "12345");
    let mut session = session(&Helper::default())
        .context(context)
        .open()
        .expect("right");
    let outcome = block(session.exec("helper.size('log')")).expect("runs");
    assert_eq!(outcome.value::<u32>().expect("5"), 5);
    // By the name that scripts have for it, too.
    let outcome = block(session.exec("helper.size('context')")).expect("runs");
    assert_eq!(outcome.value::<u32>().expect("5"), 5);
    let outcome = block(session.exec("helper.size('other')")).expect("runs");
    assert_eq!(outcome.exception().expect("none").kind, "KeyError");
}

#[test]
fn calls_outside_of_a_session_reach_what_they_are_given() {
    let helper = Helper::default();
    let ask = |call: PluginCall| block(helper.call(call)).answer.expect("answers");
    assert_eq!(ask(PluginCall::new(&helper, "double", json!(4))), json!(8));
    assert_eq!(
        ask(PluginCall::new(&helper, "double", json!({"x": 5}))),
        json!(10)
    );
    let call = PluginCall::new(&helper, "size", json!(["log"]));
    let log = Context::text("log", "123");
    assert_eq!(ask(call.context(log)), json!(3));
    let call = PluginCall::new(&helper, "ask", json!([["a"]]));
    assert!(
        ask(call)[0]
            .as_str()
            .expect("text")
            .contains("no language model")
    );
    let call = PluginCall::new(&helper, "ask", json!([["a"]])).model(Echo(Arc::default()));
    assert_eq!(ask(call), json!(["0 a"]));
}
