//! Host functions and the model.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use expect_test::expect;
use rlm_sandbox::{
    ErrorKind, Limits, Lm, LmAnswer, LmError, LmRequest, TokenUsage, Tool, ToolContext,
};

use crate::check::{
    block_on, check, check_in, described, exec, sandbox, session, session_with, value,
};

/// Answers with the prompt in capitals; fails where it says `fail`.
#[derive(Default)]
struct Capitals {
    busy: AtomicUsize,
    busiest: Arc<AtomicUsize>,
}

impl Lm for Capitals {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let busy = self.busy.fetch_add(1, Ordering::SeqCst) + 1;
        self.busiest.fetch_max(busy, Ordering::SeqCst);
        // Later prompts answer first.
        let wait = 20_u64.saturating_sub(request.prompt.len() as u64);
        tokio::time::sleep(Duration::from_millis(wait)).await;
        self.busy.fetch_sub(1, Ordering::SeqCst);
        match request.prompt.as_str() {
            "fail" => Err(LmError::new("the model is asleep")),
            prompt => Ok(LmAnswer::new(format!(
                "{}{}",
                prompt.to_uppercase(),
                request.model.unwrap_or_default()
            ))
            .usage(TokenUsage {
                input: 2,
                output: 3,
            })),
        }
    }
}

#[test]
fn immediate_and_deferred_tools_read_alike() {
    check(
        "print(echo({'k': (1, 2)}))\nprint(later('x'))\nsum(later(n) for n in range(4))",
        expect![[r#"
        6 as 6
        out  {'k': [1, 2]}
        out  x
        call 0 echo Returned
        call 1 later Returned
        call 2 later Returned
        call 3 later Returned
        call 4 later Returned
        call 5 later Returned
    "#]],
    );
}

#[doc = "Keeps X12."]
#[test]
fn a_gather_mixes_plain_and_awaitable_calls_and_keeps_their_order() {
    let code = "import asyncio\nawait asyncio.gather(later('slow', 40), echo('now'), soon('soon'), later('fast', 1))";
    check(
        code,
        expect![[r#"
        ['slow', 'now', 'soon', 'fast'] as ["slow","now","soon","fast"]
        names  asyncio
        call 0 later Returned
        call 1 echo Returned
        call 2 soon Returned
        call 3 later Returned
    "#]],
    );
}

#[test]
fn gathered_calls_run_at_the_same_time() {
    let started = std::time::Instant::now();
    check(
        "import asyncio\nlen(await asyncio.gather(*[later(n, 200) for n in range(20)])) * 0",
        expect![[r#"
        0 as 0
        names  asyncio
        call 0 later Returned
        call 1 later Returned
        call 2 later Returned
        call 3 later Returned
        call 4 later Returned
        call 5 later Returned
        call 6 later Returned
        call 7 later Returned
        call 8 later Returned
        call 9 later Returned
        call 10 later Returned
        call 11 later Returned
        call 12 later Returned
        call 13 later Returned
        call 14 later Returned
        call 15 later Returned
        call 16 later Returned
        call 17 later Returned
        call 18 later Returned
        call 19 later Returned
    "#]],
    );
    assert!(
        started.elapsed() < Duration::from_secs(3),
        "twenty calls of 200 ms took {:?}",
        started.elapsed()
    );
}

#[test]
fn work_starts_when_it_is_asked_for_not_when_it_is_awaited() {
    let started = Arc::new(AtomicUsize::new(0));
    let (counter, seen) = (Arc::clone(&started), Arc::clone(&started));
    let work = Tool::deferred("work", move |_, (): ()| {
        let counter = Arc::clone(&counter);
        async move {
            counter.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }
    })
    .awaitable();
    let look = Tool::immediate("look", move |_: &ToolContext, (): ()| {
        Ok(seen.load(Ordering::SeqCst))
    });
    let mut session = sandbox()
        .session()
        .tool(work)
        .tool(look)
        .open()
        .expect("right");
    // The loop takes some milliseconds, so the guest gives way in between.
    let code = "t = work()\nn = 0\nwhile look() == 0 and n < 100_000: n += 1\nawait t\nn < 100_000";
    let outcome = block_on(session.exec(code)).expect("runs");
    assert!(
        outcome.value::<bool>().expect("a flag"),
        "the work did not start while the script ran"
    );
}

#[test]
fn exceptions_of_tools_are_pythons_and_can_be_caught() {
    check(
        "try:\n    fail('KeyError', 'k')\nexcept KeyError as e:\n    print('caught', e)\nfail('Odd', 'what?')",
        expect![[r#"
            raised (other) RuntimeError: Odd: what?
            out  caught 'k'
            call 0 fail Raised
            call 1 fail Raised
        "#]],
    );
    check(
        "import asyncio\nawait asyncio.gather(later(1), later(2, 'not a number'))",
        expect![[r#"
        raised (type) TypeError: later() was called with wrong arguments: invalid type: string "not a number", expected u64
        names  asyncio
        call 0 later Returned
        call 1 later Raised
    "#]],
    );
}

#[test]
fn a_class_among_the_arguments_is_a_typed_crash_and_not_the_hosts() {
    let mut session = session();
    let outcome = block_on(session.exec("print('before')\nclass A: pass\necho([A, A()])"))
        .expect("an outcome");
    assert_eq!(outcome.stdout, "before\n");
    let exception = outcome.exception().expect("a crash");
    assert_eq!(exception.cause.as_str(), "trap");
    assert!(
        exception
            .hint
            .as_deref()
            .is_some_and(|hint| hint.contains("plain values")),
        "{exception:?}"
    );
}

#[doc = "Keeps R3-27."]
#[test]
fn handlers_know_the_session_and_the_ticket_of_their_call() {
    struct Tenant(&'static str);
    let who = Tool::immediate("who", |context: &ToolContext, (): ()| {
        let tenant = context.extension::<Tenant>().map(|tenant| tenant.0);
        Ok((
            context.session().to_owned(),
            context.ticket(),
            context.user().map(str::to_owned),
            context.trace_id().map(str::to_owned),
            tenant,
        ))
    });
    let builder = sandbox()
        .session()
        .tool(who)
        .id("s1")
        .user("ann")
        .trace_id("t9")
        .extension(Tenant("acme"));
    let mut session = builder.open().expect("right");
    check_in(
        &mut session,
        "who()\nwho()",
        expect![[r#"
        ['s1', 1, 'ann', 't9', 'acme'] as ["s1",1,"ann","t9","acme"]
        call 0 who Returned
        call 1 who Returned
    "#]],
    );
    check_in(
        &mut session,
        "who()[1]",
        expect![[r#"
        2 as 2
        call 2 who Returned
    "#]],
    );
}

#[doc = "Keeps R3-23."]
#[test]
fn names_that_would_run_code_again_or_collide_are_refused() {
    for name in [
        "exec_python",
        "exec_wasm",
        "run_code",
        "codex_exec",
        "llm_query",
        "context_3",
        "not a name",
        "class",
    ] {
        let error = described()
            .tool(Tool::declared(name))
            .open()
            .expect_err(name);
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    }
    let error = described()
        .tool(Tool::declared("echo"))
        .open()
        .expect_err("twice");
    assert!(
        error.to_string().contains("two tools are named `echo`"),
        "{error}"
    );
}

#[doc = "Keeps X27, X31."]
#[test]
fn the_model_answers_single_prompts_and_batches_in_order() {
    let busiest = Arc::new(AtomicUsize::new(0));
    let model = Capitals {
        busiest: Arc::clone(&busiest),
        ..Capitals::default()
    };
    let mut session = described().model(model).open().expect("right");
    check_in(
        &mut session,
        "print(llm_query('hello', model='-tiny'))\nllm_query_batched(['a' * n for n in range(1, 11)] + ['fail'])[8:]",
        expect![[r#"
        ['AAAAAAAAA', 'AAAAAAAAAA', '[ERROR] the model is asleep'] as ["AAAAAAAAA","AAAAAAAAAA","[ERROR] the model is asleep"]
        out  HELLO-tiny
        call 0 llm_query Returned
        call 1 llm_query_batched Returned
    "#]],
    );
    assert_eq!(busiest.load(Ordering::SeqCst), 8);
    let outcome = block_on(
        session.exec("import asyncio\nawait asyncio.gather(llm_query('b'), llm_query('c'))"),
    )
    .expect("runs");
    assert_eq!(outcome.value::<Vec<String>>().expect("text"), ["B", "C"]);
    assert_eq!(outcome.usage.model_calls, 2);
    assert_eq!(
        outcome.usage.tokens,
        TokenUsage {
            input: 4,
            output: 6
        }
    );
    check_in(
        &mut session,
        "llm_query('fail')",
        expect![[r#"
        raised (other) RuntimeError: the model is asleep
        names  asyncio
        call 4 llm_query Raised
    "#]],
    );
}

#[test]
fn without_a_model_a_script_is_told_to_do_without() {
    let outcome = block_on(session().exec("llm_query('hello?')")).expect("runs");
    let message = outcome.exception().expect("raised").to_string();
    // The model that wrote it cannot attach one.
    assert!(
        message.contains("no language model is attached") && !message.contains("SessionBuilder"),
        "{message}"
    );
}

#[test]
fn the_budget_of_the_model_is_claimed_before_anything_is_asked() {
    let mut session = {
        let mut limits = rlm_sandbox::Limits::default();
        limits.model_calls = 3;
        described()
            .limits(limits)
            .model(Capitals::default())
            .open()
            .expect("right")
    };
    check_in(
        &mut session,
        "llm_query('a')\ntry:\n    llm_query_batched(['b'] * 3)\nexcept RuntimeError as e:\n    print(e)\nllm_query_batched(['b'] * 2)",
        expect![[r#"
            ['B', 'B'] as ["B","B"]
            out  LLM call limit exceeded: 1 + 3 > 3. Use Python code for aggregation instead of making more LLM calls.
            call 0 llm_query Returned
            call 1 llm_query_batched Refused
            call 2 llm_query_batched Returned
        "#]],
    );
}

#[doc = "Keeps R3-26."]
#[test]
fn an_answer_that_is_too_large_is_an_error_value() {
    let mut session = session_with(|limits| limits.tool_answer_bytes = 100);
    check_in(
        &mut session,
        "print(len(echo('x' * 98)))\nprint(echo('x' * 99)['error'])\nlater('x' * 99)['error']",
        expect![[r#"
        'response_too_large' as "response_too_large"
        out  98
        out  response_too_large
        call 0 echo Returned
        call 1 echo Returned
        call 2 later Returned
    "#]],
    );
}

#[test]
fn a_request_that_is_too_large_never_leaves_the_guest() {
    let mut session = session_with(|limits| limits.request_bytes = 1000);
    check_in(
        &mut session,
        "try:\n    echo('x' * 2000)\nexcept ValueError as e:\n    print(e)",
        expect![[r#"
            None
            out  echo() was given 2025 bytes, more than the 1000 that one request may carry; send a slice
        "#]],
    );
}

#[test]
fn a_call_may_be_as_long_as_the_limit_on_requests() {
    let mut limits = Limits::default();
    limits.request_bytes = 200 << 20;
    limits.memory_bytes = 1 << 30;
    limits.time = Duration::from_secs(60);
    let length = Tool::immediate("length", |_: &ToolContext, (text,): (String,)| {
        Ok(text.len())
    });
    let builder = sandbox().session().limits(limits).tool(length);
    let mut session = builder.open().expect("right");
    assert_eq!(
        value(&mut session, "length('a' * 190_000_000)"),
        "190000000"
    );
    let outcome = exec(&mut session, "length('a' * 210_000_000)");
    let exception = outcome.exception().expect("refused");
    assert_ne!(exception.kind, "SystemError", "{exception}");
}
