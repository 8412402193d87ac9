//! The limits of a whole sandbox: who is let in, and that nobody notices.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use rlm_sandbox::{
    Answer, Context as Input, ErrorKind, Journal, Limits, Lm, LmAnswer, LmError, LmRequest, Look,
    Recording, Sandbox, SandboxLimits, Session, Step, Tool, ToolContext, Verdict,
};
use serde_json::json;
use tokio::sync::Notify;

use crate::check::{block_on, two_threads};
use crate::replay::place;

/// A sandbox with limits of its own; the compiled interpreter is shared.
fn sandbox(change: impl FnOnce(&mut SandboxLimits)) -> Sandbox {
    crate::check::sandbox();
    let mut limits = SandboxLimits::default();
    change(&mut limits);
    Sandbox::builder().limits(limits).build().expect("loads")
}

/// Returns a sandbox in which the interpreter writes the state of sessions.
fn dumping(change: impl FnOnce(&mut SandboxLimits)) -> Sandbox {
    crate::check::dumping();
    let mut limits = SandboxLimits::default();
    change(&mut limits);
    let builder = Sandbox::builder().limits(limits).dump_states();
    builder.build().expect("loads")
}

fn open(sandbox: &Sandbox) -> Session {
    sandbox.session().seed(7).open().expect("right")
}

#[track_caller]
fn told(session: &mut Session, source: &str) -> (String, u64) {
    let outcome = block_on(session.exec(source)).expect("an outcome");
    let value = outcome.value::<String>().expect("text");
    (value, outcome.usage.fuel)
}

#[test]
fn more_sessions_than_may_live_do_not_notice_each_other() {
    let crowded = sandbox(|limits| limits.live_sessions = 3);
    let roomy = sandbox(|_| {});
    let open_all = |sandbox| (0..12).map(|_| open(sandbox)).collect::<Vec<_>>();
    let (mut few, mut many) = (open_all(&crowded), open_all(&roomy));
    for round in 0..4 {
        for (number, (one, other)) in few.iter_mut().zip(&mut many).enumerate() {
            // Identities, hashes, randomness and fuel: all as if nothing had been.
            let source = match round {
                0 => format!("class A: pass\nall = [A()]\n'{number}'"),
                _ => String::from(
                    "import random\nall.append(A())\nf'{all} {hash(all[0])} {id(all[-1])} {random.random()}'",
                ),
            };
            assert_eq!(told(one, &source), told(other, &source));
        }
        assert_eq!(crowded.usage().live_sessions, 3);
        assert_eq!(roomy.usage().live_sessions, 12);
    }
    drop((few, many));
    let usage = crowded.usage();
    assert_eq!((usage.live_sessions, usage.memory_bytes), (0, 0));
    assert_eq!(usage.running_execs, 0);
}

#[test]
fn no_request_leaves_a_session_running() {
    let sandbox = sandbox(|limits| limits.live_sessions = 1);
    let (_folder, path) = place();
    let recording = Recording::create(&path).expect("a new file");
    let builder = sandbox.session().record(&recording);
    let builder = builder
        .tool(Tool::declared("later"))
        .context(Input::text("a", "1"));
    let mut session = builder.open().expect("right");
    type Request = fn(&mut Session);
    let requests: [(&str, Request); 18] = [
        ("exec", |session| {
            drop(block_on(session.exec("x = 1")).expect("an outcome"))
        }),
        ("add_context", |session| {
            session.add_context(Input::text("b", "2")).expect("right")
        }),
        ("contexts_to_record", |session| {
            session.contexts_to_record().expect("there are some")()
        }),
        ("set", |session| session.set("y", 1).expect("right")),
        ("remove_context", |session| {
            session.remove_context("b");
        }),
        ("queued_bytes", |session| {
            assert!(session.queued_bytes() < 1 << 20)
        }),
        ("get", |session| {
            drop(block_on(session.get("x")).expect("right"))
        }),
        ("variables", |session| {
            drop(block_on(session.variables(Look::default())).expect("right"))
        }),
        ("export", |session| {
            drop(block_on(session.export()).expect("right"))
        }),
        ("set_time_limit", |session| {
            session.set_time_limit(Duration::from_secs(1))
        }),
        ("fork", |session| {
            drop(block_on(session.fork()).expect("right"))
        }),
        ("park", |session| {
            drop(block_on(session.park()).expect("right"))
        }),
        ("step", |session| {
            drop(block_on(session.step("later(1)")).expect("it waits"))
        }),
        ("waiting_calls", |session| drop(session.waiting_calls())),
        ("queued_bytes", |session| {
            assert!(session.queued_bytes() < 1 << 20)
        }),
        ("abandon", |session| {
            drop(block_on(session.abandon()).expect("right"))
        }),
        ("set_history", |session| drop(session.set_history(0, "x"))),
        ("reset", |session| session.reset().expect("right")),
    ];
    for (name, request) in requests {
        request(&mut session);
        assert_eq!(sandbox.usage().running_execs, 0, "{name}");
        // There is room for one.
        let other =
            async { tokio::time::timeout(Duration::from_secs(20), open(&sandbox).exec("1")).await };
        assert!(block_on(other).is_ok(), "{name}");
    }
}

/// Answers nobody before as many as that have asked.
#[derive(Clone)]
struct Patient(Arc<Crowd>);

struct Crowd {
    sandbox: Sandbox,
    asked: AtomicUsize,
    wanted: usize,
    most_live: AtomicUsize,
    enough: Notify,
}

impl Lm for Patient {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let crowd = &self.0;
        let mut enough = std::pin::pin!(crowd.enough.notified());
        enough.as_mut().enable();
        let live = crowd.sandbox.usage().live_sessions;
        crowd.most_live.fetch_max(live, Ordering::SeqCst);
        if crowd.asked.fetch_add(1, Ordering::SeqCst) + 1 == crowd.wanted {
            crowd.enough.notify_waiters();
        } else {
            enough.await;
        }
        Ok(LmAnswer::new(format!("re: {}", request.prompt)))
    }
}

#[doc = "Keeps R0-11, X07."]
#[test]
fn a_thousand_sessions_wait_for_a_model_at_once_in_eight_instances_on_two_threads() {
    // Waiting takes no thread, no time and no instance.
    const SESSIONS: usize = 1000;
    let sandbox = sandbox(|limits| limits.live_sessions = 8);
    let model = Patient(Arc::new(Crowd {
        sandbox: sandbox.clone(),
        asked: AtomicUsize::new(0),
        wanted: SESSIONS,
        most_live: AtomicUsize::new(0),
        enough: Notify::new(),
    }));
    two_threads().block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..SESSIONS {
            let session = sandbox.session().model(model.clone());
            let mut session = session.open().expect("right");
            tasks.spawn(async move {
                let source = format!(
                    "mine = [{number}]\nanswer = llm_query(str(mine[0]))\nf'{{mine}} {{answer}}'"
                );
                let outcome = session.exec(&source).await.expect("an outcome");
                assert_eq!(
                    outcome.value::<String>().expect("text"),
                    format!("[{number}] re: {number}")
                );
                assert_eq!(outcome.calls.len(), 1);
                session
            });
        }
        let sessions = tasks.join_all().await;
        assert_eq!(sessions.len(), SESSIONS);
        assert_eq!(sandbox.usage().live_sessions, 8);
    });
    assert!(model.0.most_live.load(Ordering::SeqCst) <= 8);
    assert_eq!(model.0.asked.load(Ordering::SeqCst), SESSIONS);
}

/// How many of six threads were in a tool at the same moment.
fn most_at_once(sandbox: &Sandbox, limits: &Limits) -> usize {
    let (inside, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let threads = (0..6).map(|_| {
        let (inside, at_most) = (Arc::clone(&inside), Arc::clone(&most));
        let dwell = Tool::immediate("dwell", move |_: &ToolContext, (): ()| {
            at_most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(10));
            inside.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        });
        let session = sandbox.session().tool(dwell).limits(limits.clone());
        let mut session = session.open().expect("right");
        // Small: no stack of the caller is used for scripts.
        let thread = thread::Builder::new().stack_size(128 << 10);
        let run = move || session.exec_blocking("for n in range(5): dwell()");
        thread.spawn(run).expect("a thread")
    });
    for thread in threads.collect::<Vec<_>>() {
        let outcome = thread.join().expect("no panic").expect("an outcome");
        assert!(outcome.is_success(), "{outcome:?}");
    }
    most.load(Ordering::SeqCst)
}

#[test]
fn no_more_execs_run_at_once_than_may() {
    let at_once = |most| {
        let sandbox = sandbox(|limits| limits.concurrent_execs = most);
        most_at_once(&sandbox, &Limits::default())
    };
    assert_eq!(at_once(1), 1);
    assert!(at_once(3) <= 3);
}

#[test]
fn memory_is_promised_once() {
    let mut limits = Limits::default();
    limits.memory_bytes = 16 << 20;
    // Two of these fit, and a third would if nobody used what was promised.
    let two = sandbox(|all| all.memory_bytes = 200 << 20);
    assert!(most_at_once(&two, &limits) <= 2);

    let small = sandbox(|all| all.memory_bytes = 100 << 20);
    let error = block_on(open(&small).exec("1")).expect_err("too large");
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(
        error
            .to_string()
            .contains("raise the memory of all sessions")
    );
    let session = small.session().limits(limits).open();
    let outcome = block_on(session.expect("right").exec("1")).expect("fits");
    assert!(outcome.is_success());
}

#[test]
fn a_session_that_waits_step_by_step_gives_its_room_to_others_and_goes_on() {
    let sandbox = sandbox(|limits| limits.live_sessions = 1);
    let ask = Tool::deferred("ask", |_, (n,): (u64,)| async move { Ok(n) });
    let mut one = sandbox.session().tool(ask).open().expect("right");
    let mut other = open(&sandbox);
    let step = block_on(one.step("mine = [1]\nmine.append(ask(2))\nmine.append(ask(3))\nmine"));
    let mut step = step.expect("a step");
    for answer in ["two", "three"] {
        assert!(block_on(other.exec("1")).expect("runs").is_success());
        let Step::Waiting(calls) = &step else {
            panic!("{step:?}")
        };
        let answer = (calls[0].ticket, Answer::value(answer).expect("JSON"));
        assert_eq!(sandbox.usage().live_sessions, 1);
        step = block_on(one.resume([answer])).expect("goes on");
    }
    let Step::Done(outcome) = step else {
        panic!("{step:?}")
    };
    let value = outcome.value::<serde_json::Value>().expect("JSON");
    assert_eq!(value, serde_json::json!([1, "two", "three"]));
}

#[test]
fn whoever_stops_waiting_for_room_stands_in_nobodys_way() {
    let sandbox = sandbox(|limits| limits.concurrent_execs = 1);
    let (entered, hold) = (mpsc::channel::<()>(), mpsc::channel::<()>());
    let (enter, hold_rx) = (entered.0, std::sync::Mutex::new(hold.1));
    let block = Tool::immediate("block", move |_: &ToolContext, (): ()| {
        enter.send(()).expect("somebody waits");
        hold_rx.lock().expect("one at a time").recv().expect("sent");
        Ok(())
    });
    let mut busy = sandbox.session().tool(block).open().expect("right");
    let busy = thread::spawn(move || busy.exec_blocking("block()"));
    entered.1.recv().expect("it runs");
    let (mut second, mut third) = (open(&sandbox), open(&sandbox));
    {
        let mut gone = std::pin::pin!(second.exec("1"));
        let mut context = Context::from_waker(Waker::noop());
        assert!(matches!(gone.as_mut().poll(&mut context), Poll::Pending));
        assert_eq!(sandbox.usage().queued_execs, 1);
    }
    assert_eq!(sandbox.usage().queued_execs, 0);
    let third = thread::spawn(move || third.exec_blocking("3"));
    hold.0.send(()).expect("it listens");
    busy.join().expect("no panic").expect("an outcome");
    third.join().expect("no panic").expect("an outcome");
    assert!(block_on(second.exec("2")).expect("its turn").is_success());
}

#[test]
fn a_tool_may_use_a_session_of_the_same_sandbox_however_little_room_there_is() {
    let sandbox = sandbox(|limits| (limits.concurrent_execs, limits.live_sessions) = (1, 1));
    let inner = sandbox.clone();
    let sub = Tool::deferred("sub", move |_, (n,): (u64,)| {
        let mut session = open(&inner);
        async move {
            tokio::time::sleep(Duration::from_millis(5)).await;
            let outcome = session.exec(&format!("sum(range({n}))")).await;
            Ok(outcome
                .expect("an outcome")
                .value::<u64>()
                .expect("a number"))
        }
    });
    let quick = Tool::deferred("quick", |_, (): ()| async {
        tokio::time::sleep(Duration::from_millis(2)).await;
        Ok(1)
    });
    let outer = sandbox.session().tool(sub.awaitable()).tool(quick).open();
    let mut outer = outer.expect("right");
    let source = "import asyncio\nt = sub(10)\nquick()\nawait asyncio.gather(t, *[sub(n) for n in range(5)])";
    let outcome =
        block_on(async { tokio::time::timeout(Duration::from_secs(60), outer.exec(source)).await });
    let outcome = outcome.expect("it ends").expect("an outcome");
    let value = outcome.value::<Vec<u64>>().expect("numbers");
    assert_eq!(value, [45, 0, 0, 1, 3, 6]);
}

#[test]
fn an_answer_that_could_not_go_in_is_not_lost() {
    let sandbox = sandbox(|limits| limits.concurrent_execs = 1);
    let ask = Tool::deferred("ask", |_, (): ()| async { Ok(0) });
    let mut one = sandbox.session().tool(ask).open().expect("right");
    let step = block_on(one.step("ask()")).expect("a step");
    assert!(matches!(step, Step::Waiting(_)));
    let (held, hold) = mpsc::channel::<()>();
    let (enter, entered) = mpsc::channel::<()>();
    let hold = std::sync::Mutex::new(hold);
    let block = Tool::immediate("block", move |_: &ToolContext, (): ()| {
        enter.send(()).expect("somebody waits");
        hold.lock().expect("one at a time").recv().expect("sent");
        Ok(())
    });
    let mut busy = sandbox.session().tool(block).open().expect("right");
    let busy = thread::spawn(move || busy.exec_blocking("block()"));
    entered.recv().expect("it runs");
    {
        let mut gone = std::pin::pin!(one.resume([(0, Answer::value(1).expect("JSON"))]));
        let mut context = Context::from_waker(Waker::noop());
        assert!(gone.as_mut().poll(&mut context).is_pending());
    }
    held.send(()).expect("it listens");
    busy.join().expect("no panic").expect("an outcome");
    let step = block_on(one.resume([(0, Answer::value(2).expect("JSON"))]));
    let Step::Done(outcome) = step.expect("still waits") else {
        panic!("it has all it needs")
    };
    assert_eq!(outcome.value::<u64>().expect("a number"), 2);
}

#[test]
fn limits_that_let_nobody_in_are_refused() {
    for change in [
        |limits: &mut SandboxLimits| limits.live_sessions = 0,
        |limits: &mut SandboxLimits| limits.concurrent_execs = 0,
    ] {
        let mut limits = SandboxLimits::default();
        change(&mut limits);
        let error = Sandbox::builder()
            .limits(limits)
            .build()
            .expect_err("nobody");
        assert_eq!(error.kind(), ErrorKind::Usage);
    }
}

#[test]
fn arguments_of_open_calls_of_all_sessions_have_a_quarter_of_the_memory_together() {
    // 64 MiB for arguments, of which each session has a third while it waits.
    let sandbox = sandbox(|limits| limits.memory_bytes = 256 << 20);
    let source = "import asyncio\nt = 'x' * 5_000_000\nawait asyncio.gather(f(t), f(t))";
    let open = |recording: Option<&Recording>| {
        let mut limits = Limits::default();
        limits.memory_bytes = 32 << 20;
        let f = Tool::declared("f").awaitable();
        let mut builder = sandbox.session().limits(limits).tool(f);
        if let Some(recording) = recording {
            builder = builder.record(recording);
        }
        builder.open().expect("right")
    };
    let held = || sandbox.usage().argument_bytes;
    let mut waiting: Vec<_> = (0..3).map(|_| open(None)).collect();
    for (number, session) in waiting.iter_mut().enumerate() {
        let step = block_on(session.step(source)).expect("a step");
        assert!(matches!(step, Step::Waiting(_)), "{number}: {step:?}");
        assert_eq!(held() >> 20, 19 * (number as u64 + 1));
    }
    let (_folder, path) = place();
    let recording = Recording::create(&path).expect("a new file");
    let mut refused = open(Some(&recording));
    let step = block_on(refused.step(source)).expect("a step");
    let Step::Done(outcome) = step else {
        panic!("there is no room for its arguments: {step:?}");
    };
    let ending = format!("{:?}", outcome.ending);
    assert!(ending.contains("memory of all sessions"), "{ending}");
    assert_eq!(held() >> 20, 57);
    // A call without much still finds room, and a replay does what was done.
    let step = block_on(refused.step("await f('x')")).expect("a step");
    let Step::Waiting(calls) = step else {
        panic!("there is room for this one: {step:?}");
    };
    let answer = Answer::value(1).expect("a number");
    block_on(refused.resume([(calls[0].ticket, answer)])).expect("a step");
    drop(refused);
    let journal = Journal::open(&path).expect("whole");
    for sandbox in [crate::check::sandbox(), &sandbox] {
        let replayed = block_on(journal.replay(sandbox)).expect("replays");
        assert_eq!(replayed.verdict, Verdict::Identical, "{replayed:?}");
    }
    assert_eq!(held() >> 20, 57);
    // An answer, an end and a drop release what they end; a copy counts as well.
    let [mut one, mut two, mut three] = waiting.try_into().expect("three");
    let answers = one.waiting_calls().into_iter().map(|call| {
        let answer = Answer::value(1).expect("a number");
        (call.ticket, answer)
    });
    let answers: Vec<_> = answers.collect();
    block_on(one.resume(answers)).expect("a step");
    assert_eq!(held() >> 20, 38);
    block_on(two.abandon()).expect("an outcome");
    assert_eq!(held() >> 20, 19);
    let copy = block_on(three.fork()).expect("a copy");
    assert_eq!(held() >> 20, 38);
    // There is no room for more copies than that, and nothing of the session is lost.
    let copies: Vec<_> = (0..3).map(|_| block_on(three.fork())).collect();
    let is_room = copies.iter().map(Result::is_ok).collect::<Vec<_>>();
    assert_eq!((is_room, held() >> 20), (vec![true, false, false], 57));
    let parked = block_on(three.park()).expect("written");
    let f = || Tool::declared("f").awaitable();
    let restore = || sandbox.session().tool(f()).restore(&parked);
    let error = restore().expect_err("no room");
    assert_eq!(error.kind(), ErrorKind::Host);
    drop((copies, copy));
    let restored = restore().expect("room");
    assert_eq!((restored.is_waiting(), held() >> 20), (true, 38));
    drop((restored, three));
    assert_eq!(held(), 0);
}

#[test]
fn a_journal_brings_no_arguments_back_for_which_there_is_no_room() {
    let sandbox = sandbox(|limits| limits.memory_bytes = 256 << 20);
    let f = || Tool::declared("f").awaitable();
    let mut limits = Limits::default();
    limits.memory_bytes = 32 << 20;
    let (_folder, path) = place();
    let recording = Recording::create(&path).expect("a new file");
    let builder = sandbox.session().limits(limits).tool(f());
    let mut session = builder.record(&recording).open().expect("right");
    let source = "import asyncio\nt = 'x' * 5_000_000\nawait asyncio.gather(f(t), f(t))";
    block_on(session.step(source)).expect("a step");
    drop(session);
    let journal = Journal::open(&path).expect("whole");
    let waits = || block_on(journal.until_call(0, sandbox.session().tool(f())));
    let three: Vec<_> = (0..3).map(|_| waits().expect("room")).collect();
    assert_eq!(sandbox.usage().argument_bytes >> 20, 57);
    let error = waits().expect_err("no room");
    assert_eq!(error.kind(), ErrorKind::Host, "{error}");
    assert_eq!(sandbox.usage().argument_bytes >> 20, 57);
    drop(three);
    waits().expect("room");
}

#[test]
fn what_sessions_are_brought_back_from_has_as_much_as_the_memory_together() {
    const MIB: u64 = 1 << 20;
    check_kept(&dumping(|limits| limits.memory_bytes = 256 * MIB), 20);
    // Pages hold what the script has used no more, too: the JSON of the text.
    check_kept(&sandbox(|limits| limits.memory_bytes = 256 * MIB), 6);
}

/// Fills what sessions may keep with texts of 12 MiB. More than `least` of them have room.
fn check_kept(sandbox: &Sandbox, least: usize) {
    const MIB: u64 = 1 << 20;
    let kept = || sandbox.usage().kept_bytes / MIB;
    let mut limits = Limits::default();
    limits.memory_bytes = 32 * MIB;
    let open = || {
        sandbox
            .session()
            .limits(limits.clone())
            .open()
            .expect("right")
    };
    let text = "x".repeat(12 << 20);
    let mut sessions = Vec::new();
    let mut refused = loop {
        let mut session = open();
        session.set("x", &text).expect("a text");
        match block_on(session.exec("len(x)")) {
            Ok(outcome) => assert!(outcome.is_success(), "{outcome:?}"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Host, "{error}");
                assert!(error.to_string().contains("total-memory"), "{error}");
                break session;
            }
        }
        sessions.push(session);
        assert!(sessions.len() < 30, "{}", kept());
    };
    assert!(
        sessions.len() > least && kept() >= 256 && kept() < 300,
        "{} of {}",
        kept(),
        sessions.len()
    );
    // A waiting one, and what is already there, are refused as well; inspection, forks, snapshots and resets are not.
    let first = &mut sessions[0];
    assert!(block_on(first.exec("1")).is_err());
    // Those that keep little go on.
    let mut small = open();
    for source in ["x = 'a' * 1000", "len(x)"] {
        let outcome = block_on(small.exec(source)).expect("room");
        assert!(outcome.is_success(), "{outcome:?}");
    }
    drop(block_on(small.fork()).expect("written"));
    drop(small);
    let found = block_on(first.variables(Look::reprs(0))).expect("idle");
    assert_eq!(found.len(), 1);
    let parked = block_on(first.park()).expect("written");
    drop(block_on(first.fork()).expect("written"));
    let before = kept();
    let fork = block_on(first.fork()).expect("written");
    assert!(kept() <= before + 1, "a fork shares its state: {}", kept());
    drop(fork);
    first.reset().expect("idle");
    sessions.truncate(15);
    let outcome = block_on(refused.exec("len(x)")).expect("room");
    assert_eq!(outcome.value::<u64>().expect("a number"), 12 << 20);
    // A snapshot that the program keeps is its own.
    drop((refused, sessions));
    assert_eq!(sandbox.usage().kept_bytes, 0);
    let restore = || sandbox.session().restore(&parked).expect("right");
    let restored = [restore(), restore(), restore()];
    assert!((12..14).contains(&kept()), "{}", kept());
    drop(restored);
    assert_eq!(sandbox.usage().kept_bytes, 0);
}

#[test]
fn what_scripts_were_answered_counts_as_long_as_it_is_kept() {
    const MIB: u64 = 1 << 20;
    let sandbox = dumping(|_| {});
    let kept = || sandbox.usage().kept_bytes / MIB;
    let long = Tool::immediate("long", |_: &ToolContext, (): ()| Ok("x".repeat(100_000)));
    let wait = Tool::deferred("wait", |_, (): ()| std::future::pending::<Result<u64, _>>());
    let note = Tool::immediate("note", |_: &ToolContext, (n,): (u64,)| Ok(n));
    let open = || {
        let session = sandbox.session();
        let tools = [&long, &wait, &note].map(Clone::clone);
        let session = tools.into_iter().fold(session, |all, tool| all.tool(tool));
        session.open().expect("right")
    };
    // Of one that was rolled back, until something else enters.
    let mut undone = open();
    let source = "r = [long() for n in range(120)]\n'a' * 400_000_000";
    let outcome = block_on(undone.exec(source)).expect("an outcome");
    assert!(!outcome.is_success(), "{outcome:?}");
    assert_eq!(kept(), 11);
    block_on(undone.variables(Look::reprs(0))).expect("idle");
    assert_eq!(kept(), 0);
    // Of one after which the state was written, until that has been loaded.
    let mut written = open();
    let source = "r = [long() for n in range(120)]\nr = None";
    let outcome = block_on(written.exec(source)).expect("an outcome");
    assert!(outcome.is_success(), "{outcome:?}");
    assert_eq!(kept(), 11);
    block_on(written.variables(Look::reprs(0))).expect("idle");
    assert_eq!(kept(), 0);
    // Of one that waits, with what is noted of each of its calls.
    let mut waiting = open();
    let source = "for n in range(20_000): note(n)\nwait()\nwait()";
    let step = block_on(waiting.step(source)).expect("waits");
    assert!(matches!(step, Step::Waiting(_)), "{step:?}");
    let events = 20_000 * (128 + 5);
    let all = sandbox.usage().kept_bytes;
    assert!((events + 20_000 * 256..4 * events).contains(&all), "{all}");
    drop((undone, written, waiting));
    assert_eq!(sandbox.usage().kept_bytes, 0);
}

#[test]
fn values_that_enter_to_be_looked_at_count_like_those_of_scripts() {
    const MIB: u64 = 1 << 20;
    let sandbox = sandbox(|limits| limits.memory_bytes = 256 * MIB);
    let kept = || sandbox.usage().kept_bytes / MIB;
    let mut limits = Limits::default();
    limits.memory_bytes = 64 * MIB;
    let text = "x".repeat(12 << 20);
    let mut sessions = Vec::new();
    for ask in ["get", "variables", "export", "park", "fork"].repeat(6) {
        let session = sandbox.session().limits(limits.clone()).open();
        let mut session = session.expect("right");
        session.set("x", &text).expect("a text");
        let asked = match ask {
            "get" => block_on(session.get("y")).map(drop),
            "variables" => block_on(session.variables(Look::reprs(0))).map(drop),
            "export" => block_on(session.export()).map(drop),
            "park" => block_on(session.park()).map(drop),
            _ => block_on(session.fork()).map(drop),
        };
        match asked {
            Ok(()) => assert!(kept() < 256 + 64 + 24, "{ask}: {}", kept()),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Host, "{error}");
                assert!(error.to_string().contains("total-memory"), "{error}");
                assert!(kept() > 256 + 64, "{ask}: {}", kept());
            }
        }
        sessions.push(session);
    }
    assert!((256 + 64..256 + 64 + 24).contains(&kept()), "{}", kept());
}

#[test]
fn changes_of_very_many_contexts_do_not_add_up() {
    let sandbox = sandbox(|_| {});
    let name = "n".repeat(3990);
    let mut session = open(&sandbox);
    let contexts = |round: usize| {
        let text = |number: usize| format!("{}", number * round);
        let context = |number| Input::text(format!("{name}{number}"), text(number));
        (0..1000).map(context).collect::<Vec<_>>()
    };
    for round in 0..12 {
        session.set_contexts(contexts(round)).expect("right");
        block_on(session.exec("1")).expect("an outcome");
        // Names of 4 MB, twice for each change.
        let kept = sandbox.usage().kept_bytes >> 20;
        assert!(kept < 40, "{round}: {kept}");
    }
}

#[test]
fn an_eviction_that_costs_seconds_is_paid_once() {
    let sandbox = dumping(|limits| limits.live_sessions = 1);
    let mut limits = Limits::default();
    limits.time = Duration::from_secs(60);
    limits.fuel = Some(1 << 40);
    let mut costly = sandbox.session().limits(limits).open().expect("right");
    let mut other = open(&sandbox);
    // A state that is dear to write, and less than twenty times its price since.
    let code =
        "kept = [str(n) for n in range(300_000)]\nfor n in range(45_000_000): pass\nid(kept)";
    let id = block_on(costly.exec(code))
        .expect("an outcome")
        .value::<i64>();
    let mut paid = Vec::new();
    for _ in 0..4 {
        block_on(other.exec("1")).expect("an outcome");
        let before = costly.repeated_fuel();
        let outcome = block_on(costly.exec("len(kept)")).expect("an outcome");
        assert_eq!(outcome.value::<u64>().expect("a number"), 300_000);
        paid.push(costly.repeated_fuel() - before);
    }
    assert!(id.is_ok() && paid[0] > 20_000_000_000, "{paid:?}");
    assert!(
        paid[1..].iter().all(|paid| *paid < 1_000_000_000),
        "{paid:?}"
    );
}

#[test]
fn what_is_asked_of_a_waiting_session_leaves_its_instance_to_others() {
    let sandbox = sandbox(|limits| limits.live_sessions = 1);
    let tool = Tool::declared("f").awaitable();
    let builder = sandbox.session().tool(tool).history(json!([1]));
    let mut waiting = builder.open().expect("right");
    let mut other = open(&sandbox);
    let ask: [fn(&mut Session); 5] = [
        |session| assert!(session.queued_bytes() < 1000),
        |session| drop(session.waiting_calls()),
        |session| session.set_history(0, [2]).expect("there"),
        |session| session.set_time_limit(Duration::from_secs(3)),
        |session| assert!(session.stats().total_executions < 9),
    ];
    for step in [false, true] {
        if step {
            block_on(waiting.step("f(1)")).expect("a step");
        }
        for ask in ask {
            ask(&mut waiting);
            // It would wait for ever.
            assert_eq!(told(&mut other, "'1'").0, "1");
        }
    }
}
