//! Journals of strangers: whatever they say, reading and replaying them stays within
//! the reader's limits, and ends in a verdict or an error.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rlm_sandbox::{
    Context, Ending, ErrorKind, Journal, Limits, ReaderLimit, ReaderLimits, Recording, Sandbox,
    Session, SessionBuilder, Step, Stop, Tool, ToolContext, Verdict,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::bombs::{growth_of, resident_bytes, runs_alone};
use crate::check::{block_on, described, exec, sandbox};
use crate::mutations::resealed;
use crate::replay::record;

/// A journal of one exec, in a folder of its own.
fn journal(source: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    record(&path, described(), |session| {
        exec(session, source);
    });
    (folder, path)
}

/// Changes lines of a journal and makes the sums fit.
pub(crate) fn forge(path: &Path, mut change: impl FnMut(&mut Value)) {
    let text = fs::read_to_string(path).expect("readable");
    let forged = text.lines().map(|line| {
        let mut value: Value = serde_json::from_str(line).expect("JSON");
        change(&mut value);
        let body = value.as_object_mut().expect("an object");
        let written = body.remove("sum").expect("it has one");
        let mut text = serde_json::to_string(&body).expect("JSON");
        text.pop();
        format!("{text},\"sum\":{written}}}")
    });
    let forged: Vec<_> = forged.collect();
    fs::write(path, resealed(&forged)).expect("written");
}

/// A journal whose only exec has another source, under limits that bound nothing.
fn boundless(source: &str) -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = journal("1");
    forge(&path, |line| {
        if let Some(header) = line.get_mut("header") {
            let limits = &mut header["limits"];
            limits["time"] = json!({"secs": u64::MAX / 2, "nanos": 0});
            limits["grace"] = json!({"secs": u64::MAX / 2, "nanos": 0});
            limits["fuel"] = json!(u64::MAX);
            limits["memory_bytes"] = json!(u64::MAX);
            limits["output_bytes"] = json!(u64::MAX);
            limits["calls"] = json!(u64::MAX);
            limits["model_calls"] = json!(u64::MAX);
            limits["call_wait"] = json!({"secs": u64::MAX / 2, "nanos": 0});
        }
        if let Some(exec) = line.get_mut("exec") {
            exec["source"] = json!(source);
        }
    });
    (folder, path)
}

fn replayed(path: &Path, limits: ReaderLimits) -> Verdict {
    let journal = Journal::open_with(path, limits).expect("a journal");
    let replayed = block_on(journal.replay(sandbox())).expect("it can be replayed");
    replayed.verdict
}

fn limits(change: impl FnOnce(&mut ReaderLimits)) -> ReaderLimits {
    let mut limits = ReaderLimits::default();
    change(&mut limits);
    limits
}

#[test]
fn an_endless_loop_ends_at_the_readers_time() {
    let (_folder, path) = boundless("while True: pass");
    let since = Instant::now();
    let verdict = replayed(&path, limits(|limits| limits.time = Duration::from_secs(1)));
    let reached = Verdict::ReaderLimit {
        limit: ReaderLimit::Time,
        exec: Some(0),
    };
    assert_eq!(verdict, reached);
    assert!(since.elapsed() < Duration::from_secs(20));
    // To go on from its end ends as well, with an error that names the limit.
    let journal = Journal::open_with(&path, limits(|limits| limits.time = Duration::from_secs(1)));
    let journal = journal.expect("a journal");
    let error = block_on(journal.until(1, sandbox().session())).expect_err("it never ends");
    assert!(
        error.to_string().contains("reader's limit `time`"),
        "{error}"
    );
}

#[test]
fn a_replay_reserves_the_memory_of_its_reader_at_most() {
    let (_folder, path) = boundless("while True: pass");
    let two_seconds = limits(|limits| limits.time = Duration::from_secs(2));
    let journal = Journal::open_with(&path, two_seconds).expect("a journal");
    // The header allows all memory that there is.
    let alone = Sandbox::builder().build().expect("loads");
    std::thread::scope(|scope| {
        let replayed = scope.spawn(|| block_on(journal.replay(&alone)).expect("replayed"));
        let reserved = loop {
            match alone.usage() {
                usage if usage.running_execs > 0 => break usage.memory_bytes,
                _ => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        assert_eq!(reserved, ReaderLimits::default().memory_bytes);
        let verdict = replayed.join().expect("no panic").verdict;
        let limit = ReaderLimit::Time;
        assert_eq!(
            verdict,
            Verdict::ReaderLimit {
                limit,
                exec: Some(0)
            }
        );
    });
}

#[test]
fn what_is_printed_is_kept_up_to_the_readers_cap() {
    let (_folder, path) = boundless("while True: print('x' * 100000)");
    // The default, 64 MiB.
    let before = resident_bytes();
    let verdict = replayed(&path, ReaderLimits::default());
    let reached = Verdict::ReaderLimit {
        limit: ReaderLimit::Text,
        exec: Some(0),
    };
    assert_eq!(verdict, reached);
    assert!(resident_bytes() < before + (400 << 20));
}

#[test]
fn memory_grows_to_the_readers_cap() {
    let (_folder, path) = boundless("xs = []\nwhile True: xs.append('x' * 1000000 + str(len(xs)))");
    // The default, 1 GiB.
    let verdict = replayed(&path, ReaderLimits::default());
    let reached = Verdict::ReaderLimit {
        limit: ReaderLimit::Memory,
        exec: Some(0),
    };
    assert_eq!(verdict, reached);
}

#[test]
fn limits_that_nothing_looks_at_are_looked_at_first() {
    for (name, value, limit) in [
        ("request_bytes", json!(u32::MAX), ReaderLimit::Text),
        ("value_bytes", json!(u32::MAX), ReaderLimit::Text),
        ("source_bytes", json!(u32::MAX), ReaderLimit::Text),
        ("open_calls", json!(u32::MAX), ReaderLimit::OpenCalls),
    ] {
        let (_folder, path) = journal("1");
        forge(&path, |line| {
            if let Some(header) = line.get_mut("header") {
                header["limits"][name] = value.clone();
            }
        });
        let reached = Verdict::ReaderLimit { limit, exec: None };
        assert_eq!(replayed(&path, ReaderLimits::default()), reached, "{name}");
    }
}

#[test]
fn a_large_honest_recording_passes_under_raised_limits() {
    let (_folder, path) = journal("print('x' * 1000)");
    let small = limits(|limits| limits.text_bytes = 100);
    assert!(matches!(
        replayed(&path, small),
        Verdict::ReaderLimit { .. }
    ));
    assert_eq!(replayed(&path, ReaderLimits::default()), Verdict::Identical);
}

#[test]
fn numbers_are_checked_before_they_are_converted() {
    for start in [
        "18446744073709551615.4294967295",
        "18446744073709551615.999999999",
        "18446744073709551615.000000000",
        "9223372036854775807.999999999",
        "1.4294967295",
        "1.1",
        "-1.000000000",
    ] {
        let (_folder, path) =
            journal("import time, datetime\ntime.time(), datetime.datetime.now()");
        forge(&path, |line| {
            if let Some(header) = line.get_mut("header") {
                header["start"] = json!(start);
            }
        });
        // An error or a verdict; anything but a panic.
        if let Ok(journal) = Journal::open(&path) {
            let _ = block_on(journal.replay(sandbox()));
            let _ = journal.to_string();
        }
    }
}

#[test]
fn an_answer_of_very_many_values_is_not_read() {
    let (_folder, path) = journal("later(1)");
    let many = format!("[{}0]", "0,".repeat(20_000_000));
    let many = serde_json::value::RawValue::from_string(many).expect("JSON");
    let mut found = false;
    let text = fs::read_to_string(&path).expect("readable");
    let changed = text.lines().map(|line| {
        match line.contains("\"answer\"") && line.contains("\"returned\"") {
            true => {
                found = true;
                line.replacen("\"returned\":1", &format!("\"returned\":{many}"), 1)
            }
            false => line.to_owned(),
        }
    });
    let changed: Vec<_> = changed.collect();
    let forged = resealed(&changed);
    assert!(found && forged.len() > 20_000_000, "{text}");
    fs::write(&path, forged).expect("written");
    let error = Journal::open(&path).expect_err("refused");
    assert!(error.to_string().contains("has more values"), "{error}");
}

#[test]
fn a_session_that_is_handed_back_keeps_to_the_readers_limits() {
    let (_folder, path) = boundless("1");
    let reader = limits(|limits| {
        limits.text_bytes = 16 << 20;
        limits.memory_bytes = 128 << 20;
        limits.time = Duration::from_secs(5);
    });
    let journal = Journal::open_with(&path, reader).expect("a journal");
    let mut session = block_on(journal.until(1, sandbox().session())).expect("as recorded");
    let limits = session.limits();
    assert_eq!(limits.memory_bytes, 128 << 20);
    assert_eq!(limits.output_bytes, 16 << 20);
    assert_eq!(limits.time, Duration::from_secs(5));
    assert_eq!(limits.calls, 100_000);
    assert_eq!(limits.model_calls, 1000);
    assert_eq!(limits.call_wait, Duration::from_secs(5));
    let before = resident_bytes();
    let outcome = exec(&mut session, "while True: print('x' * 100000)");
    assert!(outcome.stdout.len() <= 16 << 20, "{}", outcome.stdout.len());
    exec(
        &mut session,
        "xs = []\nwhile True: xs.append('x' * 1000000 + str(len(xs)))",
    );
    assert!(resident_bytes() < before + (400 << 20));
    exec(&mut session, "1");
}

#[test]
fn contexts_of_a_session_that_is_handed_back_give_it_no_more_memory() {
    if runs_alone("readers::contexts_of_a_session_that_is_handed_back_give_it_no_more_memory") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    let many = format!("[{}0]", "{\"a\":1},".repeat(1_000_000));
    let context = Context::json("c", many).expect("JSON");
    record(&path, described().context(context), |session| {
        exec(session, "1");
    });
    let reader = limits(|limits| limits.memory_bytes = 128 << 20);
    let journal = Journal::open_with(&path, reader).expect("a journal");
    let growth = growth_of(|| {
        let mut session = block_on(journal.until(1, sandbox().session())).expect("as recorded");
        for _ in 0..2 {
            let outcome = exec(&mut session, "len(context)");
            assert!(
                matches!(outcome.ending, Ending::Stopped(Stop::Memory, _)),
                "{outcome:?}"
            );
        }
        let mut fork = block_on(session.fork()).expect("forks");
        let outcome = exec(&mut fork, "len(context)");
        assert!(
            matches!(outcome.ending, Ending::Stopped(Stop::Memory, _)),
            "{outcome:?}"
        );
        exec(&mut session, "1");
    });
    assert!(growth < 350 << 20, "{growth} bytes more");
}

#[test]
fn what_is_put_into_another_entry_is_not_left_out() {
    let call = r#"{"call":{"ticket":0,"name":"send_money","arguments":"{}","fuel":"1","reply":{"returned":true}}"#;
    let killed = r#"{"failed":{"why":"killed","killed":true}"#;
    let exec = r#"{"exec":{"number":7,"source":"send_money()","at-us":3}"#;
    let outcome = r#"{"outcome":{"exec":7,"ending":"value","shown":"True","stdout":"paid\n","fuel":"1","total":"777000","digest":"0000000000000000000000000000000000000000000000000000000000000000","rolled-back":false,"killed":true,"compute-us":1,"elapsed-us":1}"#;
    let suspended = r#"{"suspended":{"waiting":[0],"fuel":"5","total":"777"}"#;
    let given_up = r#"{"given-up":{"inside":true}"#;
    for look in [
        r#"{"get":{"name":"x"}"#,
        r#"{"variables":{"look":{"repr-bytes":10,"json":false,"user-reprs":false}}"#,
        r#"{"set":{"name":"q","value":{"returned":1}}"#,
        r#"{"contexts":{"files":[],"default":null}"#,
    ] {
        for put in [
            &[call, suspended, killed][..],
            &[exec, outcome],
            &[exec, call, given_up],
        ] {
            let (_folder, path) = journal("1");
            let text = fs::read_to_string(&path).expect("readable");
            let mut lines = text.lines();
            let header = lines.next().expect("a header");
            let unsealed = std::iter::once(&look)
                .chain(put)
                .map(|line| format!("{line},\"sum\":\"00000000\"}}"));
            let all = std::iter::once(header.to_owned())
                .chain(unsealed)
                .chain(lines.map(str::to_owned));
            let all: Vec<_> = all.collect();
            fs::write(&path, resealed(&all)).expect("written");
            let replayed = Journal::open(&path)
                .and_then(|journal| block_on(journal.replay(sandbox())))
                .map(|replayed| replayed.verdict);
            assert!(
                !matches!(replayed, Ok(Verdict::Identical)),
                "{look} {put:?}: {replayed:?}"
            );
        }
    }
}

#[test]
fn a_tool_with_other_parameters_than_recorded_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    let send = |names: [&'static str; 2]| {
        Tool::immediate("send", |_: &ToolContext, (a, b): (String, String)| {
            Ok(format!("{a} {b}"))
        })
        .parameters(names)
    };
    let builder = sandbox().session().tool(send(["payee", "payer"]));
    record(&path, builder, |session| {
        exec(session, "send('alice', 'bob')");
    });
    let journal = Journal::open(&path).expect("a journal");
    let same = sandbox().session().tool(send(["payee", "payer"]));
    block_on(journal.until(1, same)).expect("as recorded");
    let swapped = sandbox().session().tool(send(["payer", "payee"]));
    let error = block_on(journal.until(1, swapped)).expect_err("other parameters");
    assert!(
        error
            .to_string()
            .contains("other parameters (payee, payer)"),
        "{error}"
    );
}

#[test]
fn files_lines_and_their_number_have_caps() {
    let (_folder, path) = journal("'x' * 10000");
    let error = |change: fn(&mut ReaderLimits)| {
        let error = Journal::open_with(&path, limits(change)).expect_err("too large");
        assert_eq!(error.kind(), ErrorKind::Journal);
        error.to_string()
    };
    assert!(error(|limits| limits.file_bytes = 100).contains("limit `file`"));
    assert!(error(|limits| limits.line_bytes = 100).contains("limit `line`"));
    assert!(error(|limits| limits.lines = 1).contains("limit `lines`"));
    // A file without a line end is read up to the cap of a line, not whole.
    let zeros = path.with_file_name("zeros");
    fs::File::create(&zeros)
        .expect("made")
        .set_len(4 << 30)
        .expect("sparse");
    let before = resident_bytes();
    let since = Instant::now();
    let error = Journal::open(&zeros).expect_err("no journal").to_string();
    assert!(error.contains("limit `line`"), "{error}");
    assert!(resident_bytes() < before + (300 << 20) && since.elapsed() < Duration::from_secs(20));
}

/// A journal that begins with a parked session, whose bytes are chosen by `change`: it is given the length of what was
/// packed, and that, and returns both as they are written.
fn beginning_with(
    mut session: Session,
    builder: impl Fn() -> SessionBuilder,
    change: impl FnOnce(&[u8]) -> (u64, Vec<u8>),
) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    let parked = block_on(session.park()).expect("written");
    let recording = Recording::create(&path).expect("a new file");
    let mut session = builder()
        .record(&recording)
        .restore(&parked)
        .expect("right");
    if !session.is_waiting() {
        exec(&mut session, "1");
    }
    drop(session);
    let data = folder.path().join("j.data");
    let kept = fs::read_dir(&data)
        .expect("there")
        .next()
        .expect("one")
        .expect("read")
        .path();
    let bytes = fs::read(&kept).expect("readable");
    // Head, format, code, origin; then the dictionary's name, the length, a frame.
    let origin = 20 + 2 + 32;
    let length = u32::from_le_bytes(bytes[origin..origin + 4].try_into().expect("four"));
    let payload = origin + 4 + length as usize;
    let (unpacked, frame) = change(&bytes[payload + 16..]);
    let mut rest = bytes[origin..payload + 8].to_vec();
    rest.extend_from_slice(&unpacked.to_le_bytes());
    rest.extend_from_slice(&frame);
    let mut forged = bytes[..22].to_vec();
    forged.extend_from_slice(&seal(&bytes[20..22], &rest));
    forged.extend_from_slice(&rest);
    begin_with(&path, &forged);
    (folder, path)
}

/// Has a journal that begins with a parked session begin with these bytes.
fn begin_with(path: &Path, forged: &[u8]) {
    let digest: String = Sha256::digest(forged)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let data = PathBuf::from(format!("{}.data", path.display()));
    fs::write(data.join(&digest), forged).expect("written");
    forge(path, |line| {
        if let Some(header) = line.get_mut("header") {
            header["parked"]["digest"] = json!(digest);
        }
    });
}

/// An honest execution may take ten minutes.
#[test]
fn the_default_limits_of_a_reader_pass_recordings_of_ten_minutes() {
    let most = Limits::default().time.max(Duration::from_secs(600));
    assert!(ReaderLimits::default().time > most);
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_beside_a_journal_is_not_read() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    record(
        &path,
        described().context(Context::text("c", "some text")),
        |session| {
            exec(session, "len(context)");
        },
    );
    let data = folder.path().join("j.data");
    let kept = fs::read_dir(&data).expect("there").flatten().next();
    let kept = kept.expect("one").path();
    let refused = || {
        let replayed = Journal::open(&path).and_then(|journal| block_on(journal.replay(sandbox())));
        replayed.expect_err("no regular file").to_string()
    };
    fs::remove_file(&kept).expect("there");
    let made = std::process::Command::new("mkfifo").arg(&kept).status();
    assert!(made.expect("mkfifo").success());
    let since = Instant::now();
    assert!(refused().contains("regular file"), "{}", refused());
    fs::remove_file(&kept).expect("there");
    symlink("/dev/zero", &kept).expect("linked");
    assert!(refused().contains("symbolic link"), "{}", refused());
    assert!(since.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_journal_that_begins_with_pages_is_refused() {
    let mut session = described().open().expect("right");
    exec(&mut session, "x = 1");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    let recording = Recording::create(&path).expect("a new file");
    let written = block_on(session.park()).expect("written");
    drop(described().record(&recording).restore(&written));
    drop(recording);
    begin_with(&path, &written.to_bytes(b"rlm-sandbox journal"));
    assert_eq!(replayed(&path, ReaderLimits::default()), Verdict::Identical);
    let pages = block_on(session.snapshot()).expect("a snapshot");
    begin_with(&path, &pages.to_bytes(b"rlm-sandbox journal"));
    let replayed = Journal::open(&path).and_then(|journal| block_on(journal.replay(sandbox())));
    let error = replayed.expect_err("pages of a stranger").to_string();
    assert!(error.contains("snapshot of pages"), "{error}");
}

/// A journal that begins with a session which unpacks to so many bytes of zeros.
fn beginning_with_zeros(unpacked: u64) -> (tempfile::TempDir, PathBuf) {
    let mut session = described().open().expect("right");
    exec(&mut session, "x = 1");
    beginning_with(session, described, |_| {
        let zeros = std::io::Read::take(std::io::repeat(0), unpacked);
        (
            unpacked,
            zstd::stream::encode_all(zeros, 3).expect("packed"),
        )
    })
}

#[test]
fn a_journal_that_begins_with_a_state_that_cannot_be_loaded_is_refused() {
    let mut session = described().open().expect("right");
    exec(&mut session, "x = 1");
    let dictionary = include_bytes!("../../host/sandbox/guest/pristine.parked");
    let (_folder, path) = beginning_with(session, described, |frame| {
        let unpack = zstd::bulk::Decompressor::with_dictionary(dictionary);
        let unpacked = unpack.expect("a dictionary").decompress(frame, 64 << 20);
        let mut forged = unpacked.expect("unpacked");
        // The host's side, what is said of the state, and the state, each behind its length.
        let length = |at: usize, of: &[u8]| {
            4 + u32::from_le_bytes(of[at..at + 4].try_into().expect("four")) as usize
        };
        let said = length(0, &forged);
        let state = said + length(said, &forged) + 8;
        let bytes = u64::from_le_bytes(forged[state - 8..state].try_into().expect("eight"));
        let middle = state + bytes as usize / 2;
        forged[middle..middle + 100].fill(0xff);
        let frame = zstd::stream::encode_all(forged.as_slice(), 3).expect("packed");
        (forged.len() as u64, frame)
    });
    let replayed = Journal::open(&path).and_then(|journal| block_on(journal.replay(sandbox())));
    let error = replayed.expect_err("no state");
    assert_eq!(error.kind(), ErrorKind::Journal, "{error}");
    assert!(error.to_string().contains("cannot be loaded"), "{error}");
}

/// A journal that begins with a session which waits, of which `change` makes another one.
fn beginning_with_body(
    source: &str,
    builder: impl Fn() -> SessionBuilder,
    change: impl FnOnce(&mut Value),
) -> (tempfile::TempDir, PathBuf) {
    let mut session = builder().open().expect("right");
    let step = block_on(session.step(source)).expect("a step");
    assert!(matches!(step, Step::Waiting(_)), "{step:?}");
    let dictionary = include_bytes!("../../host/sandbox/guest/pristine.parked");
    beginning_with(session, builder, |frame| {
        let unpack = zstd::bulk::Decompressor::with_dictionary(dictionary);
        let unpacked = unpack.expect("a dictionary").decompress(frame, 64 << 20);
        let unpacked = unpacked.expect("unpacked");
        let length = u32::from_le_bytes(unpacked[..4].try_into().expect("four")) as usize;
        let (body, states) = unpacked[4..].split_at(length);
        let mut body: Value = serde_json::from_slice(body).expect("JSON");
        change(&mut body);
        let body = serde_json::to_vec(&body).expect("JSON");
        let length = u32::try_from(body.len()).expect("short").to_le_bytes();
        let forged = [&length, body.as_slice(), states].concat();
        let frame = zstd::stream::encode_all(forged.as_slice(), 3).expect("packed");
        (forged.len() as u64, frame)
    })
}

/// Takes a journal up at its end, and checks whether a limit of the script that waits forbids it.
#[track_caller]
fn check_taken_up(path: &Path, builder: SessionBuilder, is_within: bool) {
    let journal = Journal::open(path).expect("a journal");
    let taken_up = block_on(journal.until(u64::MAX, builder));
    match is_within {
        true => drop(taken_up.expect("within its limits")),
        false => {
            let error = taken_up.expect_err("above a limit").to_string();
            assert!(error.contains("than its limits allow"), "{error}");
        }
    }
}

#[test]
fn a_script_that_waits_beside_a_journal_is_held_to_its_limits() {
    let builder = || described().model(crate::replay::Counting);
    // What it holds, and limits that it is within and above.
    for (source, name, within, above) in [
        ("print('hello')\nlater(1)", "output_bytes", 6, 5),
        (
            "import asyncio\nawait asyncio.gather(soon(1), soon(2))",
            "open_calls",
            2,
            1,
        ),
        ("llm_query_batched(['a', 'b'])", "model_calls", 2, 1),
        ("later('x' * 100_000)", "request_bytes", 110_000, 1),
    ] {
        for limit in [within, above] {
            let change = |body: &mut Value| body["limits"][name] = json!(limit);
            let (_folder, path) = beginning_with_body(source, builder, change);
            forge(&path, |line| {
                if let Some(header) = line.get_mut("header") {
                    header["limits"][name] = json!(limit);
                }
            });
            check_taken_up(&path, builder(), limit == within);
        }
    }
}

#[test]
fn a_script_that_waits_beside_a_journal_waits_for_calls_that_it_made() {
    let builder = || described().model(crate::replay::Counting);
    type Forgery = fn(&mut Value);
    let forgeries: [(&str, Forgery); 4] = [
        ("llm_query('a')", |request| {
            request["Model"]["prompts"][0]["text"] = json!("b");
        }),
        ("llm_query('a')", |request| {
            request["Model"]["batched"] = json!(true);
        }),
        ("later(1)", |request| {
            request["Tool"]["name"] = json!("soon");
        }),
        ("later(1)", |request| {
            request["Tool"]["arguments"]["tool"] = json!("soon");
        }),
    ];
    for (source, forgery) in forgeries {
        let (_folder, path) = beginning_with_body(source, builder, |body| {
            let request = &mut body["script"]["underway"]["pending"][0]["request"];
            let before = request.clone();
            forgery(request);
            assert_ne!(*request, before, "nothing was forged");
        });
        let journal = Journal::open(&path).expect("a journal");
        let error = block_on(journal.at_end(builder())).expect_err("forged");
        assert!(error.to_string().contains("damaged"), "{source}: {error}");
    }
}

#[test]
fn answers_that_came_in_a_session_beside_a_journal_are_held_to_its_limits() {
    let builder = || described().model(crate::replay::Counting);
    let most = Limits::default().model_answer_bytes as usize;
    let cost = json!({"tokens": {"input": 0, "output": 0}});
    for (bytes, ticket, is_within) in [(most, 0, true), (7 * most, 0, false), (1, 1, false)] {
        let (_folder, path) = beginning_with_body("later(1)", builder, |body| {
            let answer = json!([ticket, {"Returned": "x".repeat(bytes)}, cost]);
            body["script"]["underway"]["settled"] = json!([answer]);
        });
        check_taken_up(&path, builder(), is_within);
    }
    for (count, bytes, is_within) in [(50, 1, true), (51, 1, false), (1, 7 * most, false)] {
        let (_folder, path) = beginning_with_body("later(1)", builder, |body| {
            let told = |number: u64| {
                let told = json!({"ticket": 0, "number": number, "prompt": "00", "answer": {"Ok": "x".repeat(bytes)}});
                (number.to_string(), told)
            };
            body["script"]["underway"]["ledger"]["told"] =
                json!({"0": (0..count).map(told).collect::<serde_json::Map<_, _>>()});
        });
        check_taken_up(&path, builder(), is_within);
    }
    // A charge that nothing was set aside for.
    let (_folder, path) = beginning_with_body("later(1)", builder, |body| {
        let cost =
            json!({"tokens": {"input": 0, "output": 0}, "charge": {"fuel": "1", "compute-us": 0}});
        body["script"]["underway"]["settled"] = json!([[0, {"Returned": 1}, cost]]);
    });
    check_taken_up(&path, builder(), false);
}

#[test]
fn answers_to_one_of_many_calls_beside_a_journal_take_no_time() {
    const CALLS: usize = 50_000;
    let (_folder, path) = beginning_with_body("later(1)", described, |body| {
        let calls = (0..CALLS).map(|ticket| json!([ticket, {"Model": [[], false]}, true]));
        body["counts"]["next_ticket"] = json!(CALLS);
        body["script"]["underway"]["pending"] = calls.collect();
        let record = |ticket| {
            let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
            json!([ticket, "llm_query", digest, "Asked"])
        };
        body["script"]["underway"]["tally"]["records"] = (0..CALLS).map(record).collect();
        body["script"]["underway"]["settled"] =
            vec![json!([CALLS - 1, {"Returned": 1}, [[0, 0]]]); CALLS].into();
    });
    let since = Instant::now();
    check_taken_up(&path, described(), false);
    // A look at each pair of a call and an answer takes minutes.
    assert!(
        since.elapsed() < Duration::from_secs(30),
        "{:?}",
        since.elapsed()
    );
}

fn reached(limit: ReaderLimit) -> Verdict {
    Verdict::ReaderLimit { limit, exec: None }
}

#[test]
fn a_small_frame_beside_a_journal_is_not_unpacked_to_gigabytes() {
    if runs_alone("readers::a_small_frame_beside_a_journal_is_not_unpacked_to_gigabytes") {
        return;
    }
    for unpacked in [3 << 30, 300 << 20] {
        let (_folder, path) = beginning_with_zeros(unpacked);
        let growth = growth_of(|| {
            // The default, 256 MiB.
            let verdict = replayed(&path, ReaderLimits::default());
            assert_eq!(verdict, reached(ReaderLimit::Data));
        });
        assert!(growth < 64 << 20, "{growth} bytes more");
    }
}

#[test]
fn unpacking_ends_at_the_readers_time() {
    if runs_alone("readers::unpacking_ends_at_the_readers_time") {
        return;
    }
    let (_folder, path) = beginning_with_zeros(3 << 29);
    let growth = growth_of(|| {
        let little = limits(|limits| {
            limits.data_bytes = 4 << 30;
            limits.time = Duration::from_millis(30);
        });
        assert_eq!(replayed(&path, little), reached(ReaderLimit::Time));
    });
    assert!(growth < 512 << 20, "{growth} bytes more");
}

#[test]
fn reading_ends_at_the_readers_time() {
    let (_folder, path) = journal("1");
    let none = limits(|limits| limits.time = Duration::ZERO);
    let error = Journal::open_with(&path, none).expect_err("no time");
    assert_eq!(error.kind(), ErrorKind::Journal);
    assert!(error.to_string().contains("limit `time`"), "{error}");
}

#[test]
fn a_context_counts_once_however_many_lines_name_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    let context = Context::text("c", "x".repeat(10_000));
    record(&path, described().context(context), |session| {
        for _ in 0..5 {
            exec(session, "len(context)");
            session.reset().expect("idle");
        }
    });
    let text = fs::read_to_string(&path).expect("readable");
    assert!(text.matches("{\"contexts\"").count() >= 5, "{text}");
    let once = limits(|limits| limits.data_bytes = 10_000);
    assert_eq!(replayed(&path, once), Verdict::Identical);
}

#[test]
fn a_large_context_under_many_names_is_counted_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    let context = Context::text("c", "é".repeat(16 << 20));
    record(&path, described().context(context), |session| {
        exec(session, "1");
    });
    forge(&path, |line| {
        if let Some(contexts) = line.get_mut("contexts") {
            let one = contexts["files"][0].clone();
            let named = |n: usize| {
                let mut other = one.clone();
                other["name"] = json!(format!("c{n}"));
                other
            };
            contexts["files"] = (0..10_000).map(named).collect();
            contexts["default"] = contexts["files"][0].clone();
        }
    });
    let since = Instant::now();
    let verdict = replayed(&path, ReaderLimits::default());
    // Counting the characters of each took a minute.
    let taken = since.elapsed();
    assert!(taken < Duration::from_secs(20), "{taken:?}, {verdict:?}");
}

#[test]
fn graph_input_is_in_memory_once() {
    if runs_alone("readers::graph_input_is_in_memory_once") {
        return;
    }
    let input = Value::from("x".repeat(8 << 20));
    let builder = sandbox().session().graph_input(input);
    let mut session = builder.open().expect("right");
    let growth = growth_of(|| {
        let forks = (0..30).map(|_| {
            let mut fork = block_on(session.fork()).expect("idle");
            exec(&mut fork, "1");
            fork
        });
        let forks = forks.collect::<Vec<_>>();
        drop(forks);
    });
    assert!(growth < 100 << 20, "{growth} bytes more");
}

#[test]
fn values_of_a_session_beside_a_journal_take_memory_before_they_are_built() {
    if runs_alone("readers::values_of_a_session_beside_a_journal_take_memory_before_they_are_built")
    {
        return;
    }
    let many = vec![json!({"a": 1}); 400_000];
    let (_folder, path) = beginning_with_body("later(1)", described, |body| {
        body["script"]["underway"]["pending"][0]["args"] = Value::from(many);
    });
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let given = std::sync::Arc::clone(&asked);
    let growth = growth_of(|| {
        let journal = Journal::open(&path)
            .expect("a journal")
            .account(move |bytes| {
                given.fetch_add(bytes, std::sync::atomic::Ordering::SeqCst);
                false
            });
        let replayed = block_on(journal.replay(sandbox())).expect("replayed");
        assert_eq!(replayed.verdict, reached(ReaderLimit::Memory));
        let small = limits(|limits| limits.memory_bytes = 64 << 20);
        assert_eq!(self::replayed(&path, small), reached(ReaderLimit::Memory));
    });
    let asked = asked.load(std::sync::atomic::Ordering::SeqCst);
    assert!(asked > 400 << 20, "{asked}");
    assert!(growth < 100 << 20, "{growth} bytes more");
}

#[test]
fn a_file_beside_a_journal_counts_once_in_all_forms() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    let text = format!("[\"{}\"]", "x".repeat(9_996));
    let builder = described()
        .context(Context::bytes("a", text.as_bytes()))
        .context(Context::json("b", text.as_str()).expect("JSON"))
        .context(Context::text("c", text.as_str()));
    record(&path, builder, |session| {
        exec(session, "[len(files[name]) for name in 'abc']");
    });
    for (most, verdict) in [
        (10_000, Verdict::Identical),
        (
            9_999,
            Verdict::ReaderLimit {
                limit: ReaderLimit::Data,
                exec: None,
            },
        ),
    ] {
        let journal = Journal::open(&path).expect("a journal").limit_data(most);
        let replayed = block_on(journal.replay(sandbox())).expect("replayed");
        assert_eq!(replayed.verdict, verdict);
    }
}

/// A journal as its lines, changed, with sums that fit.
fn with_lines(path: &Path, change: impl FnOnce(&mut Vec<String>)) {
    let text = fs::read_to_string(path).expect("readable");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    fs::write(path, resealed(&lines)).expect("written");
}

/// A line of a forged journal, whose sum is to be made.
fn line(value: &Value) -> String {
    let mut text = serde_json::to_string(value).expect("JSON");
    text.pop();
    format!("{text},\"sum\":\"00000000\"}}")
}

/// The place of the first line of this kind.
fn place_of(lines: &[String], kind: &str) -> usize {
    let start = format!("{{\"{kind}\"");
    let place = lines.iter().position(|line| line.starts_with(&start));
    place.unwrap_or_else(|| panic!("no {kind} in {lines:?}"))
}

#[test]
fn lines_of_many_values_are_compared_in_little_memory() {
    if runs_alone("readers::lines_of_many_values_are_compared_in_little_memory") {
        return;
    }
    const VALUES: usize = 7_000_000;
    let journal = |last: u64| {
        let (folder, path) = journal("1");
        with_lines(&path, |lines| {
            let tickets = format!("{}{last}", "0,".repeat(VALUES));
            lines.push(format!(
                "{{\"resume\":{{\"tickets\":[{tickets}]}},\"sum\":\"00000000\"}}"
            ));
        });
        (folder, Journal::open(&path).expect("a journal"))
    };
    let ((_one, one), (_other, other)) = (journal(1), journal(2));
    let mut found = None;
    let growth = growth_of(|| found = one.compare(&other));
    let found = found.expect("another ticket");
    assert!(found.what.contains("tickets"), "{found}");
    let line_bytes = 2 * VALUES as u64;
    assert!(growth < 6 * line_bytes, "{growth} bytes for {line_bytes}");
}

#[test]
fn headers_are_compared() {
    let (_folder, path) = journal("1");
    let one = Journal::open(&path).expect("a journal");
    let differs = |change: fn(&mut Value)| {
        let (_folder, other) = journal("1");
        forge(&other, |line| {
            if let Some(header) = line.get_mut("header") {
                change(header);
            }
        });
        let other = Journal::open(&other).expect("a journal");
        one.compare(&other)
    };
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 8] = [
        ("library", |header| header["library"] = json!("0.0.0")),
        ("guest", |header| header["guest"] = json!("00")),
        ("engine", |header| header["engine"] = json!("1")),
        ("configuration", |header| {
            header["configuration"] = json!("1")
        }),
        ("limits.output_bytes", |header| {
            header["limits"]["output_bytes"] = json!(77);
        }),
        ("profile.", |header| {
            let eval = &mut header["profile"]["eval"];
            *eval = json!(eval != &json!(true));
        }),
        ("functions", |header| {
            header["functions"][0]["parameters"] = json!(["a", "b"]);
        }),
        ("model", |header| {
            let model = &mut header["model"];
            *model = json!(model != &json!(true));
        }),
    ];
    for (name, change) in changes {
        let found = differs(change).unwrap_or_else(|| panic!("{name} was not compared"));
        assert!(
            found.what.contains(&format!("the header: {name}")),
            "{found}"
        );
        assert_eq!((found.line, found.exec), (1, None), "{found}");
        assert_ne!(found.expected, found.got);
    }
    // Drawn by each recording.
    let changes: [Change; 3] = [
        |header| header["session"] = json!("another"),
        |header| header["seed"] = json!("7"),
        |header| header["start"] = json!("5.000000000"),
    ];
    for change in changes {
        assert_eq!(differs(change), None);
    }
}

#[test]
fn arguments_in_a_replay_have_the_cap_of_a_live_call() {
    const SOURCE: &str = "later([{}] * 50_000)";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    let with = |request_bytes: u32| {
        let mut limits = Limits::default();
        limits.request_bytes = request_bytes;
        described().limits(limits)
    };
    record(&path, with(8 << 20), |session| {
        let outcome = exec(session, SOURCE);
        assert!(outcome.is_success(), "{outcome:?}");
    });
    let until_call = || {
        let journal = Journal::open(&path).expect("a journal");
        block_on(journal.until_call(0, described()))
    };
    until_call().expect("it waits for its call");
    // The guest lets so many bytes pass; the host refuses to read so many objects.
    let few = 300_000;
    let mut live = with(few).open().expect("right");
    let outcome = exec(&mut live, SOURCE);
    let Ending::Raised(exception) = &outcome.ending else {
        panic!("{outcome:?}");
    };
    assert!(
        exception.message.contains("too many small values"),
        "{exception}"
    );
    forge(&path, |line| {
        if let Some(header) = line.get_mut("header") {
            header["limits"]["request_bytes"] = json!(few);
        }
    });
    let error = until_call().expect_err("refused as a live call is");
    assert_eq!(error.kind(), ErrorKind::Diverged, "{error}");
    let verdict = replayed(&path, ReaderLimits::default());
    assert!(matches!(verdict, Verdict::Diverged(_)), "{verdict:?}");
}

#[test]
fn an_answer_that_no_call_has_asked_for_is_refused() {
    let answer =
        |ticket: u64| json!({"answer": {"ticket": ticket, "answer": {"returned": 1}, "at-us": 1}});
    let told = json!({"told": {"ticket": 7, "number": 0, "prompt": "00", "answer": {"returned": "x"}, "at-us": 1}});
    for (kind, stray) in [
        // Before its call is made, after the last execution, and of no call at all.
        ("call", answer(0)),
        ("end", answer(7)),
        ("resume", answer(7)),
        ("exec", told),
    ] {
        let (_folder, path) = journal("later(1)");
        assert_eq!(replayed(&path, ReaderLimits::default()), Verdict::Identical);
        with_lines(&path, |lines| {
            let place = place_of(lines, kind);
            lines.insert(place, line(&stray));
        });
        let verdict = replayed(&path, ReaderLimits::default());
        let Verdict::Diverged(found) = verdict else {
            panic!("{kind}: {verdict:?}");
        };
        let says = |why: &str| found.what.contains(why);
        assert!(
            says("no script has asked for") || says("no script waits for it"),
            "{found}"
        );
        let journal = Journal::open(&path).expect("a journal");
        let error = block_on(journal.until(9, described())).expect_err("refused");
        assert_eq!(error.kind(), ErrorKind::Diverged, "{error}");
    }
    // One that was called at once has no answer later.
    let (_folder, path) = journal("echo(1)");
    with_lines(&path, |lines| {
        let place = place_of(lines, "end");
        lines.insert(place, line(&answer(0)));
    });
    let verdict = replayed(&path, ReaderLimits::default());
    assert!(matches!(verdict, Verdict::Diverged(_)), "{verdict:?}");
}

#[test]
fn inspections_that_are_left_out_are_counted() {
    let (_folder, path) = journal("x = 1");
    with_lines(&path, |lines| {
        let place = place_of(lines, "end");
        for inspection in [
            json!({"get": {"name": "x"}}),
            json!({"variables": {"look": {"repr-bytes": 10, "json": false, "user-reprs": false}}}),
        ] {
            let killed = json!({"failed": {"why": "killed", "killed": true}});
            lines.splice(place..place, [line(&inspection), line(&killed)]);
        }
    });
    let journal = Journal::open(&path).expect("a journal");
    let replayed = block_on(journal.replay(sandbox())).expect("replayed");
    assert_eq!(replayed.verdict, Verdict::Identical);
    assert_eq!((replayed.execs, replayed.left_out), (1, 2));
}

#[test]
fn very_many_answers_are_searched_once() {
    // Answers that stand ahead while a script runs, whose clock is read at each fuel yield.
    let (_folder, path) = journal("a = soon(1)\nfor n in range(1_000_000): pass\nawait a");
    with_lines(&path, |lines| {
        let answer = lines[place_of(lines, "answer")].clone();
        let place = place_of(lines, "call") + 1;
        lines.splice(place..place, vec![answer; 200_000]);
    });
    check_linear(&path);
    // What models told the plugin of one call, before answers to another.
    let (_folder, path) = journal("import asyncio\nawait asyncio.gather(soon(1), soon(2))");
    with_lines(&path, |lines| {
        let answer = lines[place_of(lines, "answer")].clone();
        let told = (0..60_000).map(|number| {
            line(&json!({"told": {"ticket": 1, "number": number, "prompt": "00", "answer": {"returned": "x"}, "at-us": 1}}))
        });
        let answers = vec![answer.replace("\"ticket\":1,", "\"ticket\":0,"); 60_000];
        let place = place_of(lines, "suspended") + 1;
        lines.splice(place..place, told.chain(answers).collect::<Vec<_>>());
    });
    check_linear(&path);
}

/// Checks that a replay finds answers that nothing can have recorded, within seconds.
#[track_caller]
fn check_linear(path: &Path) {
    let journal = Journal::open(path).expect("a journal");
    let since = Instant::now();
    let replayed = block_on(journal.replay(sandbox())).expect("replayed");
    let took = since.elapsed();
    assert!(
        matches!(replayed.verdict, Verdict::Diverged(_)),
        "{replayed:?}"
    );
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[test]
fn a_session_that_is_handed_back_has_lowered_limits() {
    let (_folder, path) = journal("x = list(range(1000))\nlater(1)");
    let lowered = || {
        let mut lowered = Limits::default();
        lowered.memory_bytes = 8 << 20;
        lowered.output_bytes = 100;
        lowered.time = Duration::from_millis(500);
        // Above the recorded one, which stays.
        lowered.fuel = Some(u64::MAX);
        lowered
    };
    let journal = Journal::open(&path)
        .expect("a journal")
        .lower_limits(lowered());
    let replayed = block_on(journal.replay(sandbox())).expect("replayed");
    assert_eq!(replayed.verdict, Verdict::Identical);
    let mut waiting = block_on(journal.until_call(0, described())).expect("it waits");
    let outcome = block_on(waiting.finish()).expect("an outcome");
    assert!(outcome.is_success(), "{outcome:?}");
    let idle = block_on(journal.until(1, described())).expect("as recorded");
    for mut session in [waiting, idle] {
        let limits = session.limits();
        assert_eq!(limits.memory_bytes, 8 << 20);
        assert_eq!(limits.fuel, Limits::default().fuel);
        let outcome = exec(&mut session, "print('x' * 1000)\nlen(x)");
        assert_eq!(outcome.stdout.len(), 100, "{outcome:?}");
        for (source, stop) in [
            (
                "y = ['a' * 1_000_000 + str(n) for n in range(40)]",
                Stop::Memory,
            ),
            ("while True: pass", Stop::Time),
        ] {
            let outcome = exec(&mut session, source);
            assert!(
                matches!(&outcome.ending, Ending::Stopped(why, _) if *why == stop),
                "{source}: {outcome:?}"
            );
        }
        exec(&mut session, "assert x[-1] == 999");
    }
}

/// The code of a session beside a journal, whose key everybody knows.
pub(crate) fn seal(format: &[u8], rest: &[u8]) -> Vec<u8> {
    use hmac::Mac as _;
    let key = b"rlm-sandbox journal";
    let mut mac = hmac::Hmac::<Sha256>::new_from_slice(key).expect("any length");
    mac.update(&format[..1]);
    mac.update(rest);
    mac.finalize().into_bytes().to_vec()
}

#[cfg(unix)]
#[test]
fn what_lies_beside_a_journal_is_opened_once_and_only_if_it_is_a_file() {
    use std::os::unix::fs::symlink;
    let context = Context::text("c", "some text");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    record(&path, described().context(context), |session| {
        exec(session, "len(context)");
    });
    assert_eq!(replayed(&path, ReaderLimits::default()), Verdict::Identical);
    let small = limits(|limits| limits.data_bytes = 5);
    let reached = Verdict::ReaderLimit {
        limit: ReaderLimit::Data,
        exec: None,
    };
    assert_eq!(replayed(&path, small), reached);
    let data = folder.path().join("j.data");
    let kept = fs::read_dir(&data)
        .expect("there")
        .next()
        .expect("one")
        .expect("read")
        .path();
    let elsewhere = folder.path().join("elsewhere");
    fs::rename(&kept, &elsewhere).expect("moved");
    symlink(&elsewhere, &kept).expect("linked");
    let journal = Journal::open(&path).expect("a journal");
    let error = block_on(journal.replay(sandbox())).expect_err("a link");
    assert!(error.to_string().contains("symbolic link"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_recording_keeps_to_files_of_its_own() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let context = || Context::text("c", "secret text");
    let folder = tempfile::tempdir().expect("a folder");
    let run = |path: &Path| {
        let recording = Recording::create(path).expect("a new file");
        let mut session = described()
            .context(context())
            .record(&recording)
            .open()
            .expect("right");
        let outcome = session.exec_blocking("len(context)");
        outcome.map(drop).map_err(|error| error.to_string())
    };
    let path = folder.path().join("j");
    run(&path).expect("recorded");
    let data = folder.path().join("j.data");
    assert_eq!(fs::metadata(&data).expect("there").mode() & 0o777, 0o700);
    let name = fs::read_dir(&data)
        .expect("there")
        .next()
        .expect("one")
        .expect("read")
        .file_name();
    // Links where the file and its part would be written lead nowhere.
    let victim = folder.path().join("victim");
    fs::write(&victim, "whole").expect("written");
    let planted = folder.path().join("k.data");
    fs::create_dir(&planted).expect("made");
    fs::set_permissions(&planted, fs::Permissions::from_mode(0o700)).expect("changed");
    symlink(&victim, planted.join(&name)).expect("linked");
    symlink(&victim, planted.join(format!("{}.part", name.display()))).expect("linked");
    run(&folder.path().join("k")).expect("recorded");
    assert_eq!(fs::read_to_string(&victim).expect("there"), "whole");
    assert!(
        fs::symlink_metadata(planted.join(&name))
            .expect("there")
            .is_file()
    );
    // A folder that others may write, and a link to one.
    let open = folder.path().join("l.data");
    fs::create_dir(&open).expect("made");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).expect("changed");
    let error = run(&folder.path().join("l")).expect_err("others may write it");
    assert!(error.contains("other users may write it"), "{error}");
    symlink(&planted, folder.path().join("m.data")).expect("linked");
    let error = run(&folder.path().join("m")).expect_err("a link");
    assert!(error.contains("m.data: Not a directory"), "{error}");
}

#[test]
fn one_session_at_a_time_records_to_a_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    let recording = Recording::create(&path).expect("a new file");
    let mut session = described().record(&recording).open().expect("right");
    exec(&mut session, "x = 1");
    let journal = Journal::open(&path).expect("a journal");
    let error = block_on(journal.rebuild(described())).expect_err("it is recorded to");
    assert!(
        error.to_string().contains("a session records to"),
        "{error}"
    );
    exec(&mut session, "x = 2");
    drop(session);
    let journal = Journal::open(&path).expect("a journal");
    assert_eq!(journal.sources().count(), 2);
}

#[cfg(unix)]
#[test]
fn a_recording_stays_in_the_folder_that_was_opened() {
    let outer = tempfile::tempdir().expect("a folder");
    let (here, away) = (outer.path().join("here"), outer.path().join("away"));
    let elsewhere = outer.path().join("elsewhere");
    for folder in [&here, &elsewhere] {
        fs::create_dir(folder).expect("made");
    }
    let count = |folder: &Path| fs::read_dir(folder).expect("there").count();
    let recording = Recording::create(here.join("j")).expect("a new file");
    let mut session = described().record(&recording).open().expect("right");
    let mut see = |text: &str| {
        session.remove_context("note");
        let added = session.add_context(Context::text("note", text));
        added.expect("queued");
        exec(&mut session, "len(files['note'])");
    };
    see("one");
    // The folder of data becomes a link, as a person who owns the folder around it can do.
    fs::rename(here.join("j.data"), here.join("k.data")).expect("moved");
    std::os::unix::fs::symlink(&elsewhere, here.join("j.data")).expect("linked");
    see("two");
    fs::rename(&here, &away).expect("moved");
    fs::create_dir(&here).expect("made");
    see("three");
    assert_eq!((count(&elsewhere), count(&here)), (0, 0));
    assert_eq!(count(&away.join("k.data")), 3);
}

#[test]
fn a_journal_that_another_process_continued_is_not_cut() {
    let (folder, path) = journal("x = 1");
    let text = fs::read_to_string(&path).expect("readable");
    // Without its end, as a process leaves it that dies; and torn.
    let end = text.find("{\"end\"").expect("it was closed");
    let unfinished = format!("{}{{\"torn", &text[..end]);
    fs::write(&path, &unfinished).expect("written");
    let first = Journal::open(&path).expect("a journal");
    let second = Journal::open(&path).expect("a journal");
    let mut session = block_on(first.rebuild(described())).expect("rebuilt");
    exec(&mut session, "x += 1");
    drop(session);
    let continued = fs::read(&path).expect("readable");
    let error = block_on(second.rebuild(described())).expect_err("it was continued");
    assert!(
        error.to_string().contains("changed since it was read"),
        "{error}"
    );
    assert_eq!(fs::read(&path).expect("readable"), continued);
    let third = Journal::open(&path).expect("a journal");
    let mut session = block_on(third.rebuild(described())).expect("rebuilt");
    let outcome = exec(&mut session, "x");
    assert!(matches!(outcome.ending, Ending::Value(Some(value)) if value.repr == "2"));
    drop(session);
    // Another file has the path, and is left as it is, even with the same bytes.
    let fourth = Journal::open(&path).expect("a journal");
    let bytes = fs::read(&path).expect("readable");
    let other = folder.path().join("other");
    fs::write(&other, &bytes).expect("written");
    fs::rename(&other, &path).expect("moved");
    let error = block_on(fourth.rebuild(described())).expect_err("another file");
    assert!(
        error.to_string().contains("changed since it was read"),
        "{error}"
    );
    assert_eq!(fs::read(&path).expect("readable"), bytes);
}

#[test]
fn an_empty_key_redacts_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = Recording::create(folder.path().join("j")).expect("a new file");
    let error = recording.redact(b"").expect_err("no key");
    assert_eq!(error.kind(), ErrorKind::Usage);
}

#[test]
fn a_header_of_very_many_values_is_not_read() {
    if runs_alone("readers::a_header_of_very_many_values_is_not_read") {
        return;
    }
    let (_folder, path) = journal("1");
    let parameters = vec!["a"; 7_900_000];
    forge(&path, |line| {
        if let Some(header) = line.get_mut("header") {
            let function = json!({"name": "f", "parameters": parameters, "awaitable": false, "immediate": false});
            header["functions"] = json!([function]);
        }
    });
    let growth = growth_of(|| {
        let error = Journal::open(&path).expect_err("too many").to_string();
        assert!(error.contains("line 1 has more values"), "{error}");
    });
    assert!(growth < 128 << 20, "{growth} bytes more");
}

#[test]
fn a_header_that_is_no_text_is_not_built() {
    if runs_alone("readers::a_header_that_is_no_text_is_not_built") {
        return;
    }
    let (_folder, path) = journal("1");
    let text = fs::read_to_string(&path).expect("readable");
    let many = format!("\"imports\":[{}\"\"]", "\"\",".repeat(20_000_000));
    let forged = text.replacen("\"imports\":\"standard\"", &many, 1);
    assert_ne!(forged, text);
    // Behind them a byte that is no text.
    let marker = forged.find("\"marker\":\"").expect("a member") + 10;
    let mut forged = forged.into_bytes();
    forged[marker] = 0xff;
    fs::write(&path, forged).expect("written");
    let growth = growth_of(|| {
        let error = Journal::open(&path).expect_err("no text").to_string();
        assert!(error.contains("header cannot be read"), "{error}");
    });
    assert!(growth < 300 << 20, "{growth} bytes more");
}

#[test]
fn only_the_first_line_is_read_as_a_header() {
    for written in ["{\"header\"", "{ \"header\"", "{\"\\u0068eader\""] {
        let (_folder, path) = journal("1");
        with_lines(&path, |lines| {
            let header = lines[0].replacen("{\"header\"", written, 1);
            lines.insert(1, header);
        });
        match replayed(&path, ReaderLimits::default()) {
            Verdict::Diverged(divergence) => {
                let text = divergence.to_string();
                assert!(text.contains("a line that cannot be read"), "{text}");
            }
            verdict => panic!("{written}: {verdict:?}"),
        }
    }
}

#[test]
fn a_profile_in_a_journal_has_a_length() {
    let long = |body: &mut Value| body["profile"]["view"]["marker"] = json!("x".repeat(5 << 20));
    let (_folder, path) = journal("1");
    forge(&path, |line| {
        if let Some(header) = line.get_mut("header") {
            long(header);
        }
    });
    let (_other, parked) = beginning_with_body("later(1)", described, long);
    for path in [path, parked] {
        let journal = Journal::open(&path).expect("a journal");
        let error = block_on(journal.until(0, described())).expect_err("too long");
        assert!(
            error.to_string().contains("the profile in the journal has"),
            "{error}"
        );
    }
}

#[test]
fn tools_of_a_session_have_a_number_of_parameters_together() {
    let tools = |count: usize| {
        let names = (0..1000).map(|number| format!("p{number}"));
        let names = names.collect::<Vec<_>>();
        let mut builder = sandbox().session();
        for number in 0..count {
            let names = names.iter().map(String::as_str);
            builder = builder.tool(Tool::declared(format!("f{number}")).parameters(names));
        }
        builder.open()
    };
    tools(100).expect("as many as are possible");
    let error = tools(101).expect_err("too many").to_string();
    assert!(error.contains("100000 are possible"), "{error}");
}

#[test]
fn a_journal_with_very_many_parameters_or_outputs_is_refused_at_once() {
    let many = |count: usize| (0..count).map(|n| format!("p{n}")).collect::<Vec<_>>();
    for (count, says) in [
        (1001, " 1000 are possible"),
        (200_000, " 100000 are possible"),
    ] {
        let (_folder, path) = journal("1");
        let parameters = many(count);
        forge(&path, |line| {
            if let Some(header) = line.get_mut("header") {
                let function = json!({"name": "f", "parameters": parameters, "awaitable": false, "immediate": false});
                header["functions"] = json!([function]);
            }
        });
        let since = Instant::now();
        let error = Journal::open(&path)
            .and_then(|journal| block_on(journal.replay(sandbox())))
            .expect_err("too many");
        assert!(error.to_string().contains(says), "{error}");
        // It took minutes.
        assert!(since.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn names_that_a_profile_repeats_count_once() {
    let long = format!("context_{}x", "0".repeat(2000));
    let names = vec!["context"; 200_000];
    let functions = (0..200).map(|n| {
        json!({"name": format!("{long}{n}"), "parameters": [], "awaitable": false, "immediate": false})
    });
    let functions = functions.collect::<Vec<_>>();
    let (_folder, path) = journal("1");
    forge(&path, |line| {
        if let Some(header) = line.get_mut("header") {
            header["profile"]["names"] = json!(names);
            header["functions"] = json!(functions);
        }
    });
    let since = Instant::now();
    let journal = Journal::open(&path).expect("a journal");
    let replayed = block_on(journal.replay(sandbox()));
    // It took minutes.
    let taken = since.elapsed();
    assert!(taken < Duration::from_secs(20), "{taken:?}, {replayed:?}");
}

#[test]
fn a_recording_with_limits_above_the_readers_is_not_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("j");
    let recording = Recording::create(&path).expect("a new file");
    let mut limits = Limits::default();
    limits.memory_bytes = 200 << 20;
    let builder = described().limits(limits).record(&recording);
    let mut session = builder.open().expect("right");
    exec(&mut session, "x = 1");
    drop(session);
    let recorded = fs::read(&path).expect("there");
    let mut reader = ReaderLimits::default();
    reader.memory_bytes = 96 << 20;
    let journal = Journal::open_with(&path, reader).expect("a journal");
    let refused = block_on(journal.rebuild(described())).expect_err("it would run into lower ones");
    assert_eq!(refused.kind(), ErrorKind::Usage, "{refused}");
    assert!(
        refused
            .to_string()
            .contains("the reader's limits are below"),
        "{refused}"
    );
    assert_eq!(fs::read(&path).expect("there"), recorded);
    // Without a recording it goes on, within them; and within its own, where the reader allows them.
    let taken_up = block_on(journal.until(u64::MAX, described())).expect("taken up");
    assert!(taken_up.limits().memory_bytes <= 96 << 20);
    let journal = Journal::open(&path).expect("a journal");
    let mut rebuilt = block_on(journal.rebuild(described())).expect("taken up");
    exec(&mut rebuilt, "x + 1");
    drop(rebuilt);
    crate::replay::check_identical(&path);
}

#[test]
fn a_member_that_no_recording_has_is_refused_wherever_it_stands() {
    let (_folder, path) = journal("later(1)");
    let text = fs::read_to_string(&path).expect("readable");
    let places: [fn(&mut Value) -> Option<&mut Value>; 4] = [
        |line| line.get_mut("header"),
        |line| line.get_mut("header").map(|header| &mut header["limits"]),
        |line| line.get_mut("answer"),
        |line| {
            line.get_mut("answer").map(|answer| {
                answer["tokens"] = json!({"prompt": 1, "completion": 1});
                &mut answer["tokens"]
            })
        },
    ];
    for place in places {
        fs::write(&path, &text).expect("written");
        forge(&path, |line| {
            if let Some(object) = place(line) {
                object["unheard-of"] = json!(1);
            }
        });
        let read = Journal::open(&path).map(|journal| block_on(journal.replay(sandbox())));
        let verdict = read
            .and_then(|replayed| replayed)
            .map(|replayed| replayed.verdict);
        assert!(!matches!(verdict, Ok(Verdict::Identical)), "{verdict:?}");
    }
}

#[test]
fn executions_that_are_not_numbered_one_after_the_other_are_not_identical() {
    let (_folder, path) = journal("1");
    forge(&path, |line| {
        if let Some(exec) = line.get_mut("exec") {
            exec["number"] = json!(1);
        }
        if let Some(outcome) = line.get_mut("outcome") {
            outcome["exec"] = json!(1);
            outcome["shown"] = json!("'the audit passed'");
        }
    });
    let journal = Journal::open(&path).expect("a journal");
    for until in [None, Some(1)] {
        let replayed = match until {
            None => block_on(journal.replay(sandbox())),
            Some(exec) => block_on(journal.replay_until(exec, sandbox())),
        };
        let is_identical =
            replayed.is_ok_and(|replayed| matches!(replayed.verdict, Verdict::Identical));
        assert!(!is_identical, "{until:?}");
    }
}

#[test]
fn a_header_that_was_changed_is_shown_as_changed() {
    let (_folder, path) = journal("1");
    let text = fs::read_to_string(&path).expect("text");
    let (header, rest) = text.split_once('\n').expect("lines");
    let seed = header.find("\"seed\":\"").expect("a seed") + "\"seed\":\"".len();
    let end = seed + header[seed..].find('"').expect("its end");
    fs::write(
        &path,
        format!("{}43{}\n{rest}", &header[..seed], &header[end..]),
    )
    .expect("written");
    let shown = Journal::open(&path).expect("a journal").to_string();
    assert!(shown.contains("line 1 was changed"), "{shown}");
}
