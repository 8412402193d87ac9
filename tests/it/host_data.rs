//! What scripts are told by the host: budgets, conversations, models of models.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rlm_sandbox::{
    Answer, Errors, Lm, LmAnswer, LmError, LmRequest, Profile, Progress, Request, Step, Tool,
    ToolContext,
};
use serde_json::json;

use crate::check::{block_on, described, exec, sandbox, value};

/// Says who it is; fails where it is told to.
struct Named(&'static str);

impl Lm for Named {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        match request.prompt.as_str() {
            "fail" => Err(LmError::new("out of tokens")),
            prompt => Ok(LmAnswer::new(format!("{}: {prompt}", self.0))),
        }
    }
}

#[test]
fn rlm_query_goes_deeper_while_there_is_depth() {
    let deeper = described()
        .model(Named("model"))
        .recursion(Named("session"), 1);
    let mut session = deeper.open().expect("right");
    let outcome = exec(
        &mut session,
        "rlm_query('a'), rlm_query_batched(['b', 'c']), llm_query('d')",
    );
    let told: (String, Vec<String>, String) = outcome.value().expect("three");
    assert_eq!(told.0, "session: a");
    assert_eq!(told.1, ["session: b", "session: c"]);
    assert_eq!(told.2, "model: d");
    let names: Vec<_> = outcome
        .calls
        .iter()
        .map(|call| call.name.as_str())
        .collect();
    assert_eq!(names, ["rlm_query", "rlm_query_batched", "llm_query"]);
    assert_eq!(outcome.usage.model_calls, 4);
    // At the bottom, and where nobody is attached, the model answers.
    for builder in [described().recursion(Named("session"), 0), described()] {
        let mut session = builder.model(Named("model")).open().expect("right");
        assert_eq!(value(&mut session, "rlm_query('a')"), "'model: a'");
    }
    // Whoever owns the loop sees which it is.
    let mut session = described().open().expect("right");
    let Step::Waiting(calls) = block_on(session.step("rlm_query('a', model='m')")).expect("waits")
    else {
        panic!("it does not wait")
    };
    assert!(
        matches!(&calls[0].request, Request::Model { recursive: true, batched: false, prompts } if prompts[0].model.as_deref() == Some("m"))
    );
    let answer = (calls[0].ticket, Answer::value("mine").expect("JSON"));
    let Step::Done(outcome) = block_on(session.resume([answer])).expect("goes on") else {
        panic!("it waits again")
    };
    assert_eq!(outcome.value::<String>().expect("text"), "mine");
}

/// Counts how many prompts are asked at the same moment.
struct Counted(Arc<AtomicU64>, Arc<AtomicU64>);

impl Lm for Counted {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let now = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        self.1.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        self.0.fetch_sub(1, Ordering::SeqCst);
        Ok(LmAnswer::new(request.prompt))
    }
}

#[doc = "Keeps X27."]
#[test]
fn a_batch_is_as_wide_as_is_said_and_keeps_its_order() {
    for (width, most) in [(None, 8), (Some(3), 3), (Some(0), 1)] {
        let at_most = Arc::new(AtomicU64::new(0));
        let mut builder = described().model(Counted(Arc::default(), Arc::clone(&at_most)));
        if let Some(width) = width {
            builder = builder.concurrent_prompts(width);
        }
        let mut session = builder.open().expect("right");
        let asked = value(
            &mut session,
            "ps = [str(n) for n in range(20)]\nllm_batch(ps) == ps",
        );
        assert_eq!(
            (asked.as_str(), at_most.load(Ordering::SeqCst)),
            ("True", most)
        );
    }
}

#[doc = "Keeps X18."]
#[test]
fn a_failing_model_raises_or_answers_in_text() {
    let mut session = described().model(Named("model")).open().expect("right");
    let outcome = exec(&mut session, "llm_query('fail')");
    assert_eq!(
        outcome.exception().expect("raised").to_string(),
        "RuntimeError: out of tokens"
    );
    assert_eq!(
        value(&mut session, "llm_query_batched(['a', 'fail'])"),
        "['model: a', '[ERROR] out of tokens']"
    );
    let mut profile = Profile::default();
    profile.model_errors = Errors::Text;
    let mut session = described()
        .profile(profile)
        .model(Named("model"))
        .open()
        .expect("right");
    assert_eq!(
        value(&mut session, "llm_query('fail')"),
        "'ERROR: out of tokens'"
    );
}

#[test]
fn a_budget_is_told_and_spent() {
    let mut session = described()
        .model(Named("m"))
        .recursion(Named("s"), 2)
        .open()
        .expect("right");
    let source = "before = budget()\nllm_query_batched(['a', 'b'])\n(before['llm_calls_left'], budget()['llm_calls_left'], \
                  before['depth_left'], before['tokens_left'], before['cost_left'], 0 < before['time_left_s'] <= 5)";
    assert_eq!(value(&mut session, source), "(50, 48, 2, None, None, True)");
}

#[test]
fn a_conversation_is_a_copy_each_time() {
    let messages = json!([{"role": "user", "content": "hello"}]);
    let mut session = described().history(&messages).open().expect("right");
    exec(
        &mut session,
        "history.append('mine')\nhistory[0]['content'] = 'changed'",
    );
    assert_eq!(
        value(&mut session, "history, history_0 == history"),
        "([{'role': 'user', 'content': 'hello'}], True)"
    );
    session.set_history(1, json!(["second"])).expect("added");
    session.set_history(0, json!(["first"])).expect("replaced");
    assert_eq!(
        value(&mut session, "history, history_1"),
        "(['first'], ['second'])"
    );
    let error = session.set_history(5, json!([])).expect_err("left one out");
    assert!(
        error.to_string().contains("there is no history 5"),
        "{error}"
    );
    // Nobody else has one, and the name is theirs.
    let mut plain = described().open().expect("right");
    assert!(exec(&mut plain, "history").exception().is_some());
    assert_eq!(value(&mut plain, "history = [1]\nhistory"), "[1]");
    assert_eq!(exec(&mut plain, "1").names, ["history"]);
}

#[doc = "Keeps R3-8, R4-15, X25."]
#[test]
fn values_go_both_ways_without_loss() {
    let echo = Tool::with_arguments("same", |_, arguments| async move {
        let first = arguments.tagged().next().map(|(_, value)| value.clone());
        Ok(first.unwrap_or_default())
    });
    let mut session = sandbox().session().tool(echo).open().expect("right");
    exec(&mut session, "import datetime as d");
    for shown in [
        "(1, 'a', None)",
        "10 ** 40",
        "-(2 ** 63)",
        "0.1",
        "float('inf')",
        "b'\\x00\\xff'",
        "{1, 2}",
        "frozenset([3])",
        "{1: 'a', (2, 3): {'b': [()]}}",
        "d.date(2026, 1, 31)",
        "d.datetime(2026, 1, 31, 12, 30, 5, 7)",
        "'\\x00ü🦀\\n'",
        "{'$tuple': [1]}",
        "{}",
        "[[], {}]",
        "True",
    ] {
        assert_eq!(
            value(
                &mut session,
                &format!("x = {shown}\ny = same(x)\n(y == x, type(y) is type(x))")
            ),
            "(True, True)",
            "{shown}"
        );
    }
    assert_eq!(value(&mut session, "str(same(float('nan')))"), "'nan'");
}

#[doc = "Keeps R3-8, X25."]
#[test]
fn positions_and_names_are_fitted_to_the_parameters() {
    let find = Tool::deferred(
        "find",
        |_, (text, count): (String, Option<u32>)| async move { Ok(format!("{text} {count:?}")) },
    )
    .parameters(["text", "count"]);
    let mut session = sandbox().session().tool(find).open().expect("right");
    for call in [
        "find('a', 2)",
        "find(count=2, text='a')",
        "find('a', count=2)",
    ] {
        assert_eq!(value(&mut session, call), "'a Some(2)'");
    }
    let outcome = exec(&mut session, "find('a', text='b')");
    assert!(
        outcome
            .exception()
            .expect("twice")
            .message
            .contains("multiple values for argument 'text'")
    );
}

#[test]
fn names_that_a_script_overwrote_are_whole_again() {
    let asked = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&asked);
    let ask = Tool::immediate("ask", move |_: &ToolContext, (): ()| {
        Ok(counter.fetch_add(1, Ordering::SeqCst))
    });
    let mut session = sandbox().session().tool(ask).open().expect("right");
    exec(&mut session, "print = ask = FINAL = len = 3");
    let outcome = exec(&mut session, "print(ask())\nlen");
    assert_eq!(
        (outcome.stdout.as_str(), outcome.value::<u32>().expect("3")),
        ("0\n", 3)
    );
    assert_eq!(outcome.calls[0].progress, Progress::Returned);
    assert!(exec(&mut session, "FINAL(1)").finish.is_some());
}
