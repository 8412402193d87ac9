//! A namespace from exec to exec.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use expect_test::expect;
use rlm_sandbox::{CancelHandle, Ending, ErrorKind, Sandbox, Session, Step, Stop, Tool};

use crate::check::{
    block_on, check, check_in, described, sandbox, session, session_with, two_threads,
};

#[doc = "Keeps P1, P2, P3, R0-13, X02."]
#[test]
fn variables_functions_and_imports_live_on() {
    let mut session = session();
    check_in(
        &mut session,
        "x = 10",
        expect![[r#"
        None
        names  x
    "#]],
    );
    check_in(
        &mut session,
        "y = x + 5\nimport math\ndef half(n): return n / 2",
        expect![[r#"
        None
        names  half math x y
    "#]],
    );
    check_in(
        &mut session,
        "a = 10",
        expect![[r#"
        None
        names  a half math x y
    "#]],
    );
    check_in(
        &mut session,
        "b = a * 2\nprint(b)",
        expect![[r#"
        None
        out  20
        names  a b half math x y
    "#]],
    );
    check_in(
        &mut session,
        "x = 1 + 2\nprint(x)\nhalf(math.floor(y + 0.5))",
        expect![[r#"
        7.5 as 7.5
        out  3
        names  a b half math x y
    "#]],
    );
}

#[test]
fn what_was_printed_before_an_exception_is_kept_and_so_is_the_namespace() {
    let mut session = session();
    check_in(
        &mut session,
        "print('a')\nx = 1\n1 / 0\nx = 2",
        expect![[r#"
        raised (other) ZeroDivisionError: division by zero
        out  a
        names  x
    "#]],
    );
    check_in(
        &mut session,
        "x",
        expect![[r#"
        1 as 1
        names  x
    "#]],
    );
}

#[doc = "Keeps X16."]
#[test]
fn a_class_next_to_its_instance_is_text() {
    check(
        "class A: pass\nclass B:\n    def __repr__(self): return 'B!'\n[A, B(), {'k': B()}]",
        expect![[r#"
            [<class '__main__.A'>, B!, {'k': B!}] as [{"$repr":"<class '__main__.A'>"},{"$repr":"B!"},{"k":{"$repr":"B!"}}]
            names  A B
        "#]],
    );
}

#[test]
fn values_go_both_ways_through_serde() {
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    struct Row {
        id: u64,
        name: Option<String>,
    }
    let rows = vec![
        Row {
            id: u64::MAX,
            name: None,
        },
        Row {
            id: 2,
            name: Some("ü".into()),
        },
    ];
    let mut session = session();
    session.set("rows", &rows).expect("a name and JSON");
    let outcome = block_on(session.exec("rows[::-1]")).expect("runs");
    let back: Vec<Row> = outcome.value().expect("rows");
    assert_eq!(back.into_iter().rev().collect::<Vec<_>>(), rows);
    let pair: (u64, Vec<String>) = block_on(session.exec("(7, {'a'})"))
        .expect("runs")
        .value()
        .expect("a pair");
    assert_eq!(pair, (7, vec!["a".into()]));
    assert!(
        block_on(session.exec("'text'"))
            .expect("runs")
            .value::<u8>()
            .is_err()
    );
    block_on(session.exec("None"))
        .expect("runs")
        .value::<()>()
        .expect("nothing");
    assert_eq!(
        block_on(session.get("rows"))
            .expect("a name")
            .expect("bound")
            .get::<Vec<Row>>()
            .expect("rows")
            .len(),
        2
    );
    assert_eq!(block_on(session.get("nope")).expect("a name"), None);
    assert_eq!(
        session.set("no name", 1).expect_err("refused").kind(),
        ErrorKind::Usage
    );
}

#[test]
fn a_step_hands_calls_to_the_embedder() {
    let mut session = session();
    let step = block_on(session.step(
        "import asyncio\nx = later('a')\nawait asyncio.gather(later('b'), soon('c'), echo('d'))",
    ));
    let Step::Waiting(calls) = step.expect("runs") else {
        panic!("it waits")
    };
    assert_eq!(
        calls
            .iter()
            .map(|call| (call.ticket, call.open))
            .collect::<Vec<_>>(),
        [(0, false)]
    );
    let error = block_on(session.exec("1")).expect_err("a script waits");
    assert_eq!(
        (error.kind(), error.to_string()),
        (
            ErrorKind::Usage,
            "a script waits for answers; `resume` it first".into()
        )
    );
    let answer = rlm_sandbox::Answer::value("A").expect("JSON");
    assert_eq!(
        block_on(session.resume([(9, answer.clone())]))
            .expect_err("unknown")
            .kind(),
        ErrorKind::Usage
    );
    // The same call twice is refused, and costs nothing.
    let twice = [(0, answer.clone()), (0, answer.clone())];
    let error = block_on(session.resume(twice)).expect_err("answered twice");
    assert_eq!(
        (error.kind(), error.to_string()),
        (
            ErrorKind::Usage,
            "ticket 0 is not asked, or was answered before".into()
        )
    );
    let Step::Waiting(calls) = block_on(session.resume([(0, answer.clone())])).expect("runs")
    else {
        panic!("it waits")
    };
    assert_eq!(
        calls.iter().map(|call| call.ticket).collect::<Vec<_>>(),
        [1, 2]
    );
    // Out of order, and one of them with its registered handler.
    let handled = block_on(session.perform(&calls[1]));
    let Step::Waiting(calls) = block_on(session.resume([(2, handled)])).expect("runs") else {
        panic!("it waits")
    };
    assert_eq!(
        calls.iter().map(|call| call.ticket).collect::<Vec<_>>(),
        [1]
    );
    let Step::Done(outcome) = block_on(session.resume([(1, answer)])).expect("runs") else {
        panic!("it is done")
    };
    assert_eq!(
        outcome.value::<Vec<String>>().expect("a list"),
        ["A", "c", "d"]
    );
    assert_eq!(
        block_on(session.resume([]))
            .expect_err("nothing waits")
            .kind(),
        ErrorKind::Usage
    );
}

#[doc = "Keeps R1-13."]
#[test]
fn a_blocking_call_inside_a_runtime_is_refused_by_name() {
    let mut session = session();
    let error = block_on(async { session.exec_blocking("1") }).expect_err("refused");
    assert!(error.to_string().contains("`exec`"), "{error}");
    assert!(
        session
            .exec_blocking("1")
            .expect("no runtime here")
            .is_success()
    );
}

#[doc = "Keeps R0-8, R1-16, X14."]
#[test]
fn output_is_heard_while_the_script_runs() {
    let (sender, heard) = std::sync::mpsc::channel();
    let mut session = described()
        .on_output(move |channel, text| sender.send((channel, text.to_owned())).expect("heard"))
        .open()
        .expect("right");
    let outcome = block_on(
        session.exec("import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c', end='')"),
    )
    .expect("runs");
    let all: Vec<_> = heard
        .try_iter()
        .map(|(channel, text)| format!("{channel:?} {text:?}"))
        .collect();
    assert_eq!(all, [r#"Out "a\n""#, r#"Err "b\n""#, r#"Out "c""#]);
    assert_eq!(
        (outcome.stdout.as_str(), outcome.stderr.as_str()),
        ("a\nc", "b\n")
    );
}

#[test]
fn a_cancelled_exec_ends_with_what_it_printed() {
    let mut session = session_with(|limits| limits.fuel = Some(u64::MAX / 4));
    let cancel: CancelHandle = session.cancel_handle();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(30));
        cancel.cancel();
    });
    let outcome = block_on(session.exec("print('before')\nwhile True: pass")).expect("an outcome");
    thread.join().expect("joined");
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Canceled, _)),
        "{outcome:?}"
    );
    assert_eq!(outcome.stdout, "before\n");
}

#[test]
fn a_waiting_exec_can_be_cancelled_too() {
    let mut session = session();
    let cancel = session.cancel_handle();
    let outcome = block_on(async {
        let canceled = async {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            cancel.cancel();
        };
        let (outcome, ()) = tokio::join!(
            session.exec("try:\n    later(1, 600_000)\nexcept BaseException:\n    print('no')"),
            canceled
        );
        outcome.expect("an outcome")
    });
    assert!(
        matches!(outcome.ending, Ending::Stopped(Stop::Canceled, _)),
        "{outcome:?}"
    );
    assert_eq!(outcome.stdout, "");
}

#[test]
fn a_dropped_exec_ends_the_script_and_keeps_the_session() {
    let mut session = session();
    for source in ["x = 2\nlater(1, 600_000)", "x = 3\nwhile True: pass"] {
        block_on(session.exec("x = 1")).expect("runs");
        block_on(async {
            let exec = session.exec(source);
            let late = tokio::time::timeout(std::time::Duration::from_millis(20), exec).await;
            assert!(late.is_err());
        });
        check_in(
            &mut session,
            "x",
            expect![[r#"
            1 as 1
            names  x
        "#]],
        );
    }
}

#[test]
fn a_dropped_exec_drops_the_calls_it_waits_for() {
    struct Alive(Arc<AtomicBool>);
    impl Drop for Alive {
        fn drop(&mut self) {
            self.0.store(false, Ordering::SeqCst);
        }
    }
    let alive = Arc::new(AtomicBool::new(true));
    let held = Arc::clone(&alive);
    let forever = Tool::deferred("forever", move |_, (): ()| {
        let held = Alive(Arc::clone(&held));
        async move {
            std::future::pending::<()>().await;
            drop(held);
            Ok(())
        }
    });
    let mut session = sandbox().session().tool(forever).open().expect("opens");
    block_on(async {
        let exec = session.exec("forever()");
        let late = tokio::time::timeout(std::time::Duration::from_millis(20), exec).await;
        assert!(late.is_err());
    });
    assert!(!alive.load(Ordering::SeqCst));
}

#[test]
fn one_value_that_cannot_be_bound_does_not_cost_the_others() {
    let mut session = session();
    let deep = (0..1000).fold(serde_json::json!(1), |inner, _| serde_json::json!([inner]));
    session.set("a", 1).expect("queued");
    session.set("deep", &deep).expect("queued");
    session.set("b", 2).expect("queued");
    let error = block_on(session.exec("a + b")).expect_err("too deep");
    assert_eq!(error.kind(), ErrorKind::Usage);
    check_in(
        &mut session,
        "a + b",
        expect![[r#"
        3 as 3
        names  a b
    "#]],
    );
}

#[test]
fn sessions_and_their_futures_go_where_threads_go() {
    fn is_send<T: Send>(_: &T) {}
    fn is_sync<T: Sync>(_: &T) {}
    let mut session = session();
    is_send(&session);
    is_send(&session.exec("1"));
    is_send(&session.step("1"));
    is_send(&session.resume([]));
    is_send(&session.get("x"));
    is_send(&rlm_sandbox::LocalTools::new().call(
        &mut session,
        "exec_python",
        &serde_json::Value::Null,
    ));
    is_sync(sandbox());
    let moved =
        std::thread::spawn(move || session.exec_blocking("6 * 7").expect("runs").value::<u8>());
    assert_eq!(moved.join().expect("joined").expect("a number"), 42);
}

#[test]
fn many_sessions_run_side_by_side_on_two_threads() {
    two_threads().block_on(async {
        let tasks: Vec<_> = (0..64_u64)
            .map(|n| {
                let mut session: Session = session();
                tokio::spawn(async move {
                    let code = format!("x = later({n}, 5)\nsum(later(i, 1) for i in range(5)) + x");
                    session
                        .exec(&code)
                        .await
                        .expect("runs")
                        .value::<u64>()
                        .expect("a number")
                })
            })
            .collect();
        for (n, task) in tasks.into_iter().enumerate() {
            assert_eq!(task.await.expect("joined"), 10 + n as u64);
        }
    });
}

#[test]
fn a_guest_runs_on_a_stack_of_its_own_whatever_thread_it_is_on() {
    let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(|| {
        let code = "def f(n): return 0 if n == 0 else 1 + f(n - 1)\nx = []\nfor _ in range(900): x = [x]\n(f(900), len(repr(x)))";
        session().exec_blocking(code).expect("runs").value::<(u32, u32)>().expect("two numbers")
    });
    assert_eq!(
        thread.expect("a thread").join().expect("joined"),
        (900, 1802)
    );
}

#[test]
fn a_pool_and_a_narrow_address_space_give_the_same_results_and_fuel() {
    let code = "import random\nrows = sorted(random.random() for _ in range(1000))\nsum(rows)";
    let run = |sandbox: &Sandbox| {
        let mut session = sandbox.session().seed(1).open().expect("right");
        let outcome = block_on(session.exec(code)).expect("runs");
        (
            outcome.value::<f64>().expect("a number"),
            outcome.usage.fuel,
        )
    };
    let pool = Sandbox::builder().live_sessions(2).build().expect("a pool");
    let narrow = Sandbox::builder()
        .narrow_address_space()
        .build()
        .expect("a narrow one");
    assert!(narrow.engine_configuration().contains("narrow"));
    let wide = run(sandbox());
    assert_eq!(run(&pool), wide);
    assert_eq!(run(&narrow), wide);
}
