//! Sessions as bytes, forks, and what must be refused.

use std::time::Duration;

use rlm_sandbox::{
    Answer, Context, ErrorKind, Look, Parked, Session, SessionBuilder, Step, Tool, ToolContext,
};

use crate::check::{
    CRASH, KEY, block_on, crashing, described, exec, root, sandbox, session, value,
};

/// Through bytes, into another session.
#[track_caller]
fn moved(session: &mut Session, into: SessionBuilder) -> Session {
    let parked = block_on(session.park()).expect("parks");
    let bytes = parked.to_bytes(KEY);
    let parked = Parked::from_bytes(sandbox(), &bytes, KEY).expect("reads");
    into.restore(&parked).expect("restores")
}

#[test]
fn what_is_queued_and_what_was_forked_travels_too() {
    let mut session = described().open().expect("right");
    let fork = block_on(session.fork()).expect("forks");
    assert_eq!(fork.id(), "test.1");
    // As deep as arguments may be.
    let deep = format!("later({}{})", "[".repeat(100), "]".repeat(100));
    let step = block_on(session.step(&deep)).expect("a step");
    assert!(matches!(step, Step::Waiting(_)), "{step:?}");
    session.set("given", 5).expect("queued");
    let mut other = moved(&mut session, described());
    assert!(block_on(other.finish()).expect("goes on").is_success());
    assert_eq!(value(&mut other, "given"), "5");
    assert_eq!(block_on(other.fork()).expect("forks").id(), "test.2");
}

#[test]
fn a_tool_that_is_given_later_takes_the_place_of_a_variable_of_its_name() {
    let mut session = sandbox().session().open().expect("right");
    let source = "def check(action): return 'ALLOWED'\ndef f(): return check('x')\nf()";
    assert_eq!(value(&mut session, source), "'ALLOWED'");
    let check = Tool::immediate("check", |_: &ToolContext, (_,): (String,)| Ok("DENIED"));
    let mut moved = moved(&mut session, sandbox().session().tool(check));
    assert_eq!(value(&mut moved, "check('x'), f()"), "('DENIED', 'DENIED')");
    let outcome = exec(&mut moved, "check('rm')");
    assert_eq!((outcome.calls.len(), &*outcome.calls[0].name), (1, "check"));
}

#[test]
fn tools_that_python_would_not_call_are_refused() {
    for name in [
        "Exception",
        "KeyError",
        "StopIteration",
        "__name__",
        "len",
        "print",
    ] {
        let tool = Tool::immediate(name, |_: &ToolContext, (): ()| Ok(1));
        let refused = sandbox()
            .session()
            .tool(tool)
            .open()
            .expect_err(name)
            .to_string();
        assert!(refused.contains(name), "{refused}");
    }
    // Every exception that the interpreter has, or that stands for one that it lacks.
    let errors = std::fs::read_to_string(root().join("guest/repl/src/compat/errors.rs"));
    let errors = errors.expect("readable");
    let lines = errors.lines().map(str::trim);
    let names = lines.filter_map(|line| line.strip_prefix('"')?.strip_suffix("\","));
    let names: Vec<_> = names
        .filter(|name| name.starts_with(char::is_uppercase))
        .collect();
    assert!(names.len() > 50, "{names:?}");
    for name in names {
        let tool = Tool::immediate(name, |_: &ToolContext, (): ()| Ok(1));
        sandbox().session().tool(tool).open().expect_err(name);
    }
    let tool = Tool::immediate("ReportError", |_: &ToolContext, (): ()| Ok(1));
    let mut session = sandbox()
        .session()
        .tool(tool)
        .open()
        .expect("a name of its own");
    assert_eq!(value(&mut session, "ReportError()"), "1");
}

#[test]
fn moving_a_session_makes_no_room_in_its_memory() {
    let mut limits = rlm_sandbox::Limits::default();
    limits.memory_bytes = 1 << 20;
    let mut session = described().limits(limits).open().expect("right");
    let mut kept = 0;
    for round in 0..10 {
        let outcome = exec(&mut session, &format!("x{round} = 'a' * 300_000"));
        kept += u32::from(outcome.is_success());
        session = moved(&mut session, described());
    }
    assert_eq!(kept, 3);
}

#[test]
fn containers_of_a_moved_session_count_no_more_memory() {
    for source in [
        "x = {i: i for i in range(1000000)}",
        "x = set(range(1000000))",
        "x = [0] * 2200000",
        "from collections import deque\nx = deque(range(1100000))",
    ] {
        let mut session = described().open().expect("right");
        assert!(exec(&mut session, source).is_success(), "{source}");
        let mut other = moved(&mut session, described());
        assert_eq!(value(&mut other, "1 + 1"), "2", "{source}");
    }
}

/// Returns the bytes of a parked session as a version with another interpreter has them.
fn of_other_version(bytes: &[u8]) -> Vec<u8> {
    use hmac::Mac as _;
    // The head, the format and the seal; then who wrote it.
    let (head, sealed) = (&bytes[..22], &bytes[22 + 32..]);
    let digest = sandbox().guest_digest().as_bytes();
    let at = sealed.windows(digest.len()).position(|part| part == digest);
    let at = at.expect("it names its interpreter");
    let mut sealed = sealed.to_vec();
    sealed[at..at + digest.len()].fill(b'0');
    let mut mac = hmac::Hmac::<sha2::Sha256>::new_from_slice(KEY).expect("a key");
    mac.update(&[head[20]]);
    mac.update(&sealed);
    [head, &mac.finalize().into_bytes(), &sealed].concat()
}

#[test]
fn a_session_goes_on_in_another_version_by_portable_bytes() {
    let mut session = described().open().expect("right");
    exec(
        &mut session,
        "from collections import Counter\ncounts = Counter('abca')\ndef double(x): return echo(x) * 2\n\
         class A:\n    def f(self): return 'f'\na = A()",
    );
    let parked = block_on(session.park()).expect("written");
    let other = of_other_version(&parked.to_bytes(KEY));
    let error = Parked::from_bytes(sandbox(), &other, KEY).expect_err("another one");
    assert!(error.to_string().contains("rlm-sandbox migrate"), "{error}");
    let portable = parked.to_portable_bytes(KEY).expect("idle");
    for (bytes, is_foreign) in [(of_other_version(&portable), true), (portable, false)] {
        let parked = Parked::from_bytes(sandbox(), &bytes, KEY).expect("portable");
        assert_eq!(parked.is_foreign(), is_foreign);
        let mut session = described().restore(&parked).expect("right");
        for _ in 0..2 {
            let shown = value(&mut session, "counts['a'], double(4), a.f(), A().f()");
            assert_eq!(shown, "(2, 8, 'f', 'f')");
            // It is of this version from now on.
            let parked = block_on(session.park()).expect("written");
            let parked = Parked::from_bytes(sandbox(), &parked.to_bytes(KEY), KEY);
            let parked = parked.expect("its own");
            assert!(!parked.is_foreign());
            session = described().restore(&parked).expect("right");
        }
    }
    // The key of journals is public: no session of another version begins one.
    let public = b"rlm-sandbox journal";
    let open = parked.to_portable_bytes(public).expect("idle");
    Parked::from_bytes(sandbox(), &open, public).expect_err("of no journal");
    let step = block_on(session.step("later(1)")).expect("a step");
    assert!(matches!(step, Step::Waiting(_)), "{step:?}");
    let waiting = block_on(session.park()).expect("written");
    let error = waiting.to_portable_bytes(KEY).expect_err("it waits");
    assert_eq!(error.kind(), ErrorKind::Usage);
}

/// A state that the interpreter refuses, as that of another one.
#[test]
fn a_session_of_another_interpreter_is_refused_when_it_is_loaded() {
    let mut session = described().open().expect("right");
    exec(&mut session, "x = 1");
    let parked = block_on(session.park()).expect("written");
    let portable = parked.to_portable_bytes(KEY).expect("idle");
    let mut unpacked =
        zstd::stream::decode_all(&portable[payload(&portable) + 16..]).expect("a frame");
    let before = b"\"interpreter\":\"";
    let at = unpacked
        .windows(before.len())
        .rposition(|part| part == before);
    let at = at.expect("a digest") + before.len();
    unpacked[at..at + 16].fill(b'0');
    let frame = zstd::stream::encode_all(&unpacked[..], 3).expect("packed");
    let other = [&portable[..payload(&portable) + 16], &frame].concat();
    let parked = Parked::from_bytes(sandbox(), &of_other_version(&other), KEY).expect("portable");
    let mut session = described().restore(&parked).expect("right");
    let error = block_on(session.exec("x")).expect_err("another interpreter");
    assert_eq!(error.kind(), ErrorKind::Parked, "{error}");
}

/// Returns where the payload of a parked session begins.
fn payload(bytes: &[u8]) -> usize {
    let origin = 22 + 32;
    let length = u32::from_le_bytes(bytes[origin..origin + 4].try_into().expect("four"));
    origin + 4 + length as usize
}

#[test]
fn what_fits_into_a_session_can_be_loaded_again() {
    // Many small objects take far more to be read than their bytes.
    for source in [
        "x = [(i,) for i in range(500000)]",
        "x = [[i] for i in range(500000)]",
        "x = [str(i) for i in range(500000)]",
        "x = 1 << 300_000_000",
    ] {
        let mut limits = rlm_sandbox::Limits::default();
        limits.time = Duration::from_secs(120);
        let mut session = described().limits(limits).open().expect("right");
        exec(&mut session, "keep = 5");
        let outcome = exec(&mut session, source);
        let mut other = moved(&mut session, described());
        assert_eq!(value(&mut other, "keep"), "5", "{source}");
        if outcome.is_success() {
            assert_eq!(value(&mut other, "bool(x)"), "True", "{source}");
        }
        assert!(exec(&mut other, "x = None").is_success(), "{source}");
    }
}

#[test]
fn a_parked_session_is_small() {
    // What all sessions have in common is in a file of the library.
    let mut pristine = sandbox().session().seed(0).open().expect("right");
    exec(&mut pristine, "pass");
    let state = block_on(pristine.park()).expect("parks").state();
    let path = root().join("host/sandbox/guest/pristine.parked");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &state).expect("written");
    }
    let kept = std::fs::read(&path).expect("there");
    assert!(
        kept == state,
        "what sessions have in common has changed; run this with UPDATE_EXPECT=1"
    );
    let mut session = described().open().expect("right");
    for (source, most) in [
        ("x = 1", 3_100),
        (
            "import json, re\ndef clean(text):\n    return re.sub(r'\\s+', ' ', text).strip()",
            4_096,
        ),
        (
            "rows = [{'id': i, 'name': clean(f' row  {i} ')} for i in range(20)]\nprint(json.dumps(rows[3]))",
            4_700,
        ),
    ] {
        assert!(exec(&mut session, source).is_success(), "{source}");
        let bytes = block_on(session.park()).expect("parks").to_bytes(KEY).len();
        assert!(bytes <= most, "{bytes} bytes after {source}");
    }
}

#[test]
fn a_clock_that_starts_before_all_clocks_or_after_all_dates_is_refused() {
    let early = std::time::UNIX_EPOCH - Duration::from_secs(1);
    let late = std::time::UNIX_EPOCH + Duration::from_secs(253_370_764_800);
    let error = described().start_time(late).open().expect_err("too late");
    assert_eq!(error.kind(), ErrorKind::Usage);
    let last = late - Duration::from_secs(1);
    let mut session = described().start_time(last).open().expect("right");
    let outcome = exec(&mut session, "import datetime\ndatetime.date.today().year");
    assert_eq!(outcome.value::<u32>().expect("a year"), 9998);
    let error = described().start_time(early).open().expect_err("too early");
    assert_eq!(error.kind(), ErrorKind::Usage);
}

#[doc = "Keeps X42."]
#[test]
fn contexts_do_not_travel_with_a_session() {
    // What a script made of them does.
    let text = "a line of a log, and then another one\n".repeat(100_000);
    let described = || crashing().context(Context::text("log.txt", text.as_str()));
    let mut session = described().open().expect("right");
    let source =
        "first = context[:5000]\nlines = context.count('\\n')\nf = lambda: len(context)\nf()";
    assert_eq!(value(&mut session, source), text.len().to_string());
    let bytes = block_on(session.park()).expect("parks").to_bytes(KEY);
    assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
    let mut other = moved(&mut session, described());
    for session in [&mut session, &mut other] {
        let look = "(f(), lines, files['log.txt'] is context, first == context[:5000])";
        assert_eq!(
            value(session, look),
            format!("({}, 100000, True, True)", text.len())
        );
        // Nor do they when it has to be brought back.
        exec(session, &format!("context = None\n{CRASH}"));
        assert_eq!(value(session, "len(context)"), text.len().to_string());
    }
}

#[test]
fn an_idle_session_moves_with_everything_it_has() {
    let mut session = described().open().expect("right");
    exec(
        &mut session,
        "import random, math\nclass P:\n    def __init__(self, n): self.n = n\n    def __repr__(self): return f'P{self.n}'\n\
         ps = [P(1), P(2)]\ndef add(n):\n    ps.append(P(n))\n    return ps\nrandom.seed(5)\nlater('a')",
    );
    session.set("given", [1, 2]).expect("queued");
    let mut other = moved(&mut session, described());
    for session in [&mut session, &mut other] {
        assert_eq!(
            value(
                session,
                "(add(len(ps) + 1), given, round(random.random(), 6), math.pi > 3)"
            ),
            "([P1, P2, P3], [1, 2], 0.622902, True)"
        );
        let outcome = exec(session, "later('b')");
        assert_eq!(outcome.calls[0].ticket, 1);
        assert_eq!(outcome.names, ["P", "add", "given", "math", "ps", "random"]);
        // Tracebacks still tell the line of an earlier exec.
        let outcome = exec(session, "add(1, 2)");
        let traceback = &outcome.exception().expect("raised").traceback;
        assert!(traceback.contains("add"), "{traceback}");
    }
}

#[test]
fn a_waiting_session_goes_on_elsewhere_and_can_still_roll_back() {
    let mut session = described().open().expect("right");
    exec(&mut session, "n = 1");
    let step = block_on(session.step(
        "import asyncio\nn = 2\nprint('asked')\nasync def ask(x):\n    await asyncio.sleep(5)\n    return await later(x)\n\
         x = await asyncio.gather(later('a'), ask('b'))\nprint(x)\ny = later('c')\nwhile y == 'stop': pass\ny",
    ));
    let Step::Waiting(calls) = step.expect("runs") else {
        panic!("it waits")
    };
    assert_eq!(
        calls.iter().map(|call| call.ticket).collect::<Vec<_>>(),
        [0, 1]
    );
    let mut other = moved(&mut session, described());
    assert!(other.is_waiting());
    assert_eq!(other.waiting_calls(), calls);
    // One goes on by hand, the other with the handlers that are registered.
    let outcome = block_on(other.finish()).expect("runs");
    assert_eq!(
        (outcome.stdout.as_str(), outcome.calls.len()),
        ("asked\n['a', 'b']\n", 3)
    );
    assert_eq!(outcome.value::<String>().expect("text"), "c");
    let answer = |text: &str| Answer::value(text).expect("JSON");
    let answers = [(1, answer("B")), (0, answer("A"))];
    let Step::Waiting(calls) = block_on(session.resume(answers)).expect("runs") else {
        panic!("it waits")
    };
    let mut third = moved(&mut session, described());
    third.set_time_limit(Duration::from_millis(20));
    let Step::Done(outcome) =
        block_on(third.resume([(calls[0].ticket, answer("stop"))])).expect("runs")
    else {
        panic!("it is done")
    };
    assert_eq!(outcome.state, rlm_sandbox::State::RolledBack, "{outcome:?}");
    assert_eq!(outcome.stdout, "asked\n['A', 'B']\n");
    assert_eq!(value(&mut third, "n"), "1");
    assert_eq!(value(&mut other, "n"), "2");
}

#[test]
fn contexts_stay_with_the_host_and_are_checked() {
    let with = |text: &str| described().context(Context::text("a.txt", text));
    let mut session = with("hello").open().expect("right");
    exec(
        &mut session,
        "first = context[:1]\ndef whole(): return context",
    );
    let mut other = moved(&mut session, with("hello"));
    assert_eq!(
        value(&mut other, "(first, whole(), read_context('a.txt', 1, 2))"),
        "('h', 'hello', 'el')"
    );
    let parked = block_on(session.park()).expect("parks");
    for (builder, says) in [
        (described(), "add it again"),
        (with("other"), "has another content"),
    ] {
        let error = builder.restore(&parked).expect_err("contexts differ");
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains(says), "{error}");
    }
    let grown = with("hello, and more").restore(&parked);
    let mut grown = grown.expect("what was there is still there");
    assert_eq!(
        value(&mut grown, "(first, whole(), context)"),
        "('h', 'hello, and more', 'hello, and more')"
    );
    let more = with("hello").context(Context::text("b.txt", "more"));
    let mut other = more.restore(&parked).expect("restores");
    assert_eq!(value(&mut other, "sorted(files)"), "['a.txt', 'b.txt']");
}

#[test]
fn a_session_that_holds_its_contexts_needs_none_and_takes_others() {
    let builder = described()
        .context(Context::text("a.txt", "hello"))
        .context(Context::json("b", "[1, 2]").expect("JSON").field("context"))
        .context(Context::bytes("c", [0, 255]));
    let mut session = builder.open().expect("right");
    exec(
        &mut session,
        "first = files['a.txt']\ndef whole(): return context",
    );
    let parked = block_on(session.park_with_contexts()).expect("parks");
    assert_eq!(parked.context_bytes(), 5 + 6 + 2);
    let bytes = parked.to_bytes(KEY);
    let parked = Parked::from_bytes(sandbox(), &bytes, KEY).expect("whole");
    assert_eq!(parked.context_bytes(), 5 + 6 + 2);
    let look = "(context, sorted(files), files['c'], first, whole())";
    let mut same = described().restore(&parked).expect("restores");
    let seen = "([1, 2], ['a.txt', 'b', 'c'], b'\\x00\\xff', 'hello', [1, 2])";
    assert_eq!(value(&mut same, look), seen);
    // Those of the builder take their place.
    let others = described()
        .context(Context::text("a.txt", "other"))
        .context(Context::text("c", "text"));
    let mut other = others.restore(&parked).expect("restores");
    assert_eq!(
        value(&mut other, look),
        "('other', ['a.txt', 'c'], 'text', 'hello', 'other')"
    );
    let error = described()
        .restore(&parked.without_contexts().expect("unchanged"))
        .expect_err("without them");
    assert!(error.to_string().contains("add it again"), "{error}");
}

#[test]
fn a_session_that_waits_holds_its_contexts_too() {
    let builder = described()
        .tool(Tool::declared("ask"))
        .graph_input("input".into());
    let mut session = builder.open().expect("right");
    block_on(session.step("y = ask(context)\n[y, context]")).expect("waits");
    let parked = block_on(session.park_with_contexts()).expect("parks");
    let parked = Parked::from_bytes(sandbox(), &parked.to_bytes(KEY), KEY).expect("whole");
    let mut other = described()
        .tool(Tool::declared("ask"))
        .context(Context::text("new", "new"))
        .restore(&parked)
        .expect("restores");
    let calls = other.waiting_calls();
    let answer = Answer::value(7).expect("JSON");
    let Step::Done(outcome) = block_on(other.resume([(calls[0].ticket, answer)])).expect("runs")
    else {
        panic!("it is done")
    };
    let seen: (i64, String) = outcome.value().expect("a list");
    assert_eq!(seen, (7, String::from("input")));
    assert_eq!(value(&mut other, "context"), "'new'");
}

#[test]
fn foreign_damaged_and_older_bytes_are_refused_by_name() {
    let mut session = session();
    exec(&mut session, "x = 1");
    let bytes = block_on(session.park()).expect("parks").to_bytes(KEY);
    let refused = |bytes: &[u8], key: &[u8], says: &str| {
        let error = Parked::from_bytes(sandbox(), bytes, key).expect_err(says);
        assert_eq!(error.kind(), ErrorKind::Parked);
        assert!(error.to_string().contains(says), "{error}");
    };
    refused(b"", KEY, "not a saved session");
    refused(b"#!/bin/sh\n", KEY, "not a saved session");
    refused(&bytes, b"another key", "another key");
    let mut older = bytes.clone();
    older[20] = 0;
    refused(&older, KEY, "older version");
    older[20] = 9;
    refused(&older, KEY, "newer version");
    for end in [25, 60, 90, bytes.len() / 2, bytes.len() - 1] {
        let error = Parked::from_bytes(sandbox(), &bytes[..end], KEY).expect_err("cut short");
        assert_eq!(error.kind(), ErrorKind::Parked, "{end}: {error}");
    }
    for at in (0..bytes.len()).step_by(bytes.len() / 97 + 1) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let error = Parked::from_bytes(sandbox(), &damaged, KEY).expect_err("damaged");
        assert_eq!(error.kind(), ErrorKind::Parked, "{at}: {error}");
    }
    let text = String::from_utf8_lossy(&bytes).replace(sandbox().guest_digest(), &"0".repeat(64));
    let error = Parked::from_bytes(sandbox(), text.as_bytes(), KEY).expect_err("foreign");
    assert_eq!(error.kind(), ErrorKind::Parked, "{error}");
}

#[test]
fn forks_go_their_own_ways() {
    let mut session = described().open().expect("right");
    exec(&mut session, "import random\nxs = [1]");
    let mut fork = block_on(session.fork()).expect("forks");
    assert_eq!(fork.id(), "test.1");
    assert_eq!(
        value(&mut session, "random.random()"),
        value(&mut fork, "random.random()")
    );
    exec(&mut session, "xs.append(2)");
    exec(&mut fork, "xs.append(3)");
    assert_eq!(value(&mut session, "xs"), "[1, 2]");
    assert_eq!(value(&mut fork, "xs"), "[1, 3]");
    let mut second = block_on(session.fork()).expect("forks");
    assert_eq!(second.id(), "test.2");
    assert_eq!(value(&mut second, "xs"), "[1, 2]");
    // In the middle of a call.
    block_on(session.step("xs.append(later('z'))\nxs")).expect("waits");
    let mut third = block_on(session.fork()).expect("forks");
    let outcome = block_on(third.finish()).expect("runs");
    assert_eq!(
        outcome.value::<serde_json::Value>().expect("JSON"),
        serde_json::json!([1, 2, "z"])
    );
    let outcome = block_on(session.finish()).expect("runs");
    assert_eq!(
        outcome.value::<serde_json::Value>().expect("JSON"),
        serde_json::json!([1, 2, "z"])
    );
}

#[test]
fn a_reset_empties_the_namespace_and_keeps_the_contexts() {
    let mut session = described()
        .context(Context::text("a", "hello"))
        .open()
        .expect("right");
    let first = value(
        &mut session,
        "import random\nx = later(context)\nrandom.random()",
    );
    session.reset().expect("idle");
    let outcome = exec(&mut session, "x");
    assert_eq!(outcome.exception().expect("gone").kind, "NameError");
    assert_eq!(value(&mut session, "import random\nrandom.random()"), first);
    assert_eq!(value(&mut session, "context"), "'hello'");
    assert_eq!(exec(&mut session, "later(1)").calls[0].ticket, 1);
}

#[test]
fn variables_are_listed_with_type_and_a_short_repr() {
    let mut session = session();
    exec(
        &mut session,
        "b = list(range(1000))\na = 'é' * 50\nclass C:\n    def __repr__(self): return 1 / 0\nc = C()\n_hidden = 1\n\
         def f(): pass",
    );
    let listed = block_on(session.variables(Look::reprs(20))).expect("listed");
    let listed: Vec<_> = listed
        .iter()
        .map(|variable| format!("{} {} {}", variable.name, variable.kind, variable.repr))
        .collect();
    assert_eq!(
        listed[..3],
        [
            "C type <class '__main__.C'>",
            "a str 'ééééééééé",
            "b list [0, 1, 2, 3, 4, 5, 6"
        ]
    );
    assert!(listed[3].starts_with("c C "), "{listed:?}");
    // One that never ends is a limit like any other.
    exec(
        &mut session,
        "class D:\n    def __repr__(self):\n        while True: pass\nd = D()",
    );
    session.set_time_limit(Duration::from_millis(20));
    let error = block_on(session.variables(Look::reprs(20).user_reprs())).expect_err("a limit");
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert_eq!(value(&mut session, "len(b)"), "1000");
}

#[test]
fn arguments_of_open_calls_count_in_forks_and_after_a_move_as_before() {
    let mut limits = rlm_sandbox::Limits::default();
    limits.request_bytes = 10_000;
    let begun = |calls: usize| {
        let source = format!(
            "import asyncio
async def two():
    await later('a')
    return await later('x' * 9000)
await asyncio.gather(*[later('x' * 9000) for _ in range({calls})], two())"
        );
        let mut session = described().limits(limits.clone()).open().expect("right");
        let step = block_on(session.step(&source)).expect("a step");
        matches!(step, Step::Waiting(_)).then_some(session)
    };
    // As many as there is room for.
    let most = (1..30).take_while(|calls| begun(*calls).is_some()).count();
    let begun = || begun(most).expect("it waits");
    let ending = |session: &mut Session| {
        let calls = session.waiting_calls();
        let small = calls
            .iter()
            .find(|call| format!("{call:?}").len() < 400)
            .expect("a small one");
        let step = block_on(session.resume([(small.ticket, Answer::value(1).expect("JSON"))]));
        match step.expect("a step") {
            Step::Done(outcome) => outcome.exception().map(ToString::to_string),
            Step::Waiting(_) => None,
        }
    };
    let expected = ending(&mut begun());
    assert!(
        expected
            .as_ref()
            .is_some_and(|ending| ending.contains("225536 bytes of arguments of open calls")),
        "{expected:?}"
    );
    let mut moved = moved(&mut begun(), described());
    assert_eq!(ending(&mut moved), expected);
    let mut fork = block_on(begun().fork()).expect("forks");
    assert_eq!(ending(&mut fork), expected);
}

#[test]
fn a_budget_that_was_refused_before_a_move_is_the_reason_after_it() {
    let mut limits = rlm_sandbox::Limits::default();
    limits.model_calls = 0;
    let builder = || {
        described()
            .limits(limits.clone())
            .model(crate::replay::Counting)
    };
    let mut session = builder().open().expect("right");
    let source = "try:
    llm_query('x')
except RuntimeError as e:
    error = e
later(1)
raise error";
    block_on(session.step(source)).expect("it waits");
    for mut session in [
        moved(&mut session, builder()),
        block_on(session.fork()).expect("forks"),
    ] {
        let outcome = block_on(session.finish()).expect("an outcome");
        let exception = outcome.exception().expect("it raises");
        assert_eq!(exception.cause.as_str(), "llm_budget", "{outcome:?}");
    }
}

/// Ten generators lose their last reference at once; the first waits in its `finally`, the others are closed after the move.
#[test]
fn generators_that_are_left_to_be_closed_move_with_their_session() {
    let source = "log = []
def g(i):
    try: yield
    finally: log.append(later(i))
xs = [g(i) for i in range(10)]
for x in xs: next(x)
del x
xs.clear()
sorted(log)";
    let ending = |session: &mut Session| {
        let outcome = block_on(session.finish()).expect("an outcome");
        outcome.value::<Vec<u32>>().expect("JSON")
    };
    let begun = || {
        let mut session = described().open().expect("right");
        block_on(session.step(source)).expect("it waits");
        assert_eq!(session.waiting_calls().len(), 1);
        session
    };
    let expected = ending(&mut begun());
    assert_eq!(expected, Vec::from_iter(0..10));
    assert_eq!(ending(&mut moved(&mut begun(), described())), expected);
    let mut fork = block_on(begun().fork()).expect("forks");
    assert_eq!(ending(&mut fork), expected);
    // None is left to a later execution.
    let mut session = session();
    exec(
        &mut session,
        "def g():\n    try: yield\n    finally: FINAL('forged')\nprint = g()\nnext(print)",
    );
    let mut moved = moved(&mut session, described());
    for session in [&mut session, &mut moved] {
        let outcome = exec(session, "x = 1\nFINAL('honest')");
        let said = format!("{outcome:?}");
        assert!(
            said.contains("honest") && !said.contains("forged"),
            "{said}"
        );
    }
}
