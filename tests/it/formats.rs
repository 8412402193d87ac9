//! How outcomes are written: a golden file for each format, and what a model
//! is shown.

use expect_test::expect_file;
use rlm_sandbox::{
    Context, Format, Lm, LmAnswer, LmError, LmRequest, Profile, Session, Tool, format_iteration,
};
use serde_json::{Value as Json, json};

use crate::bombs::{growth_of, runs_alone};
use crate::check::{block_on, described, exec, sandbox};

/// Scripts that end in every way there is.
const ENDINGS: [&str; 9] = [
    "x = 10\nprint('hello')\nx * 2",
    "result = {'rows': [(1, 2.5)], 'who': None}",
    "import json, sys\nprint('warned', file=sys.stderr)\ndef twice(n): return 2 * n\nname = 'a' * 300\nNone",
    "print('before')\n1 / 0",
    "y = (",
    "import os",
    "FINAL({'answer': 42})\nprint('never')",
    "FINAL_VAR('x')",
    "SUBMIT(answer='42', confidence=0.95)",
];

/// Answers with what it was asked.
struct Echo;

impl Lm for Echo {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        Ok(LmAnswer::new(request.prompt))
    }
}

fn session(profile: &str) -> Session {
    let mut profile = Profile::named(profile).expect("carried");
    // One set of scripts for all, whatever their dialects lack.
    profile.imports = rlm_sandbox::Imports::Standard;
    profile.names = Profile::default().names;
    profile.namespace = rlm_sandbox::Namespace::Session;
    let builder = sandbox().session().profile(profile).model(Echo);
    builder.seed(1).id("test").open().expect("right")
}

/// Hides what is another number each time.
fn scrub(json: &mut Json) {
    const VARY: [&str; 9] = [
        "execution_time_ms",
        "execution_time",
        "duration_ms",
        "fuel",
        "compute_ms",
        "peak_memory_bytes",
        "live_memory_bytes",
        "llm_wait_ms",
        "elapsed_ms",
    ];
    match json {
        Json::Object(members) => {
            for (name, value) in members.iter_mut() {
                match VARY.contains(&name.as_str()) {
                    true => *value = Json::from("…"),
                    false => scrub(value),
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(scrub),
        _ => {}
    }
}

fn written(profile: &str, format: Format) -> String {
    let mut session = session(profile);
    let mut text = String::new();
    for source in ENDINGS.iter().chain(&["llm_query('what?')"]) {
        let outcome = exec(&mut session, source);
        let mut report = block_on(session.report_as(&outcome, format)).expect("a report");
        scrub(&mut report);
        for line in source.lines() {
            text.push_str(&format!(">>> {line}\n"));
        }
        text.push_str(&format!(
            "{}\n\n",
            serde_json::to_string_pretty(&report).expect("JSON")
        ));
    }
    text
}

#[doc = "Keeps R0-16, R0-17, R0-18, R1-16, R1-17, X04, X05, X35, X36, X40."]
#[test]
fn exec_python() {
    expect_file!["../golden/exec_python.txt"].assert_eq(&written("horizons", Format::ExecPython));
}

#[doc = "Keeps R4-6, R4-18, R4-21, R4-24, X37."]
#[test]
fn rlm_code() {
    expect_file!["../golden/rlm_code.txt"].assert_eq(&written("rlm-code", Format::RlmCode));
}

#[doc = "Keeps R2-13, X06."]
#[test]
fn cairn() {
    expect_file!["../golden/cairn.txt"].assert_eq(&written("cairn", Format::Cairn));
}

#[test]
fn an_exception_of_a_script_is_not_written_as_a_limit() {
    for (profile, format) in [("apexflow", Format::Apexflow), ("cairn", Format::Cairn)] {
        for (source, text) in [
            ("raise TimeoutError('slow answer')", "slow answer"),
            ("raise MemoryError('full cart')", "full cart"),
        ] {
            let mut session = session(profile);
            let outcome = exec(&mut session, source);
            let report = block_on(session.report_as(&outcome, format)).expect("a report");
            assert!(report["error"].to_string().contains(text), "{report}");
            let kind = &report["error_type"];
            assert!(kind != "timeout" && kind != "memory", "{report}");
        }
    }
}

#[doc = "Keeps R3-33, R3-34, X23."]
#[test]
fn apexflow() {
    expect_file!["../golden/apexflow.txt"].assert_eq(&written("apexflow", Format::Apexflow));
}

#[test]
fn official() {
    expect_file!["../golden/official.txt"].assert_eq(&written("rlm", Format::Official));
}

#[doc = "Keeps X41."]
#[test]
fn a_model_is_told_that_a_limit_undid_its_variables() {
    let mut session = session("rlm");
    let said = "[variables are as they were before this script]";
    for (source, is_undone) in [
        ("x = 1\n'a' * 10 ** 9", true),
        ("x = 1\n1 / 0", false),
        ("x = 1", false),
    ] {
        let outcome = exec(&mut session, source);
        let view = session.view(&outcome);
        assert_eq!(view.contains(said), is_undone, "{view}");
    }
}

#[test]
fn what_a_model_is_shown() {
    let mut session = session("rlm");
    let mut text = String::new();
    let mut outcomes = Vec::new();
    for source in ENDINGS.iter().chain(&["pass", "print('é' * 50_000)"]) {
        let outcome = exec(&mut session, source);
        for line in source.lines() {
            text.push_str(&format!(">>> {line}\n"));
        }
        let view = session.view(&outcome);
        assert!(view.chars().count() < 20_100);
        let short = view.replace(&"é".repeat(5_000), "é…");
        text.push_str(&format!("{short}\n\n"));
        let variables = block_on(session.variables(rlm_sandbox::Look::default())).expect("listed");
        outcomes.push((outcome, variables));
    }
    let block = |index: usize| {
        let (outcome, variables) = &outcomes[index];
        (outcome, &variables[..])
    };
    text.push_str("--- as one message of an iteration\n");
    let mut view = session.profile().view.clone();
    (view.head, view.tail, view.marker) = (80, 0, "... + [{omitted} chars...]".into());
    text.push_str(&format_iteration([0, 3, 10].map(block), &view).replace(&"é".repeat(50), "é…"));
    text.push_str(&format!(
        "\n\n--- alone\n{}\n",
        format_iteration([block(9)], &view)
    ));
    expect_file!["../golden/view.txt"].assert_eq(&text);
}

#[doc = "Keeps R0-22."]
#[test]
fn a_long_result_in_json_says_that_it_was_cut() {
    let mut session = sandbox()
        .session()
        .profile(Profile::named("horizons").expect("carried"))
        .open()
        .expect("right");
    let shown = |session: &mut Session, source: &str| -> Json {
        let outcome = exec(session, source);
        let text = session.view(&outcome);
        assert!(text.chars().count() <= 4000, "{}", text.chars().count());
        assert!(outcome.stdout.len() < 1 << 20);
        serde_json::from_str(&text).expect("JSON")
    };
    let short = shown(&mut session, "print('a')");
    assert!(short.get("_truncated").is_none());
    let long = shown(&mut session, "print('ü' * 3000)");
    let stdout = long["stdout"].as_str().expect("text");
    assert!(
        stdout.ends_with("ü... (truncated)") && stdout.chars().count() == 2000 + 15,
        "{} {}",
        stdout.chars().count(),
        stdout.trim_start_matches('ü')
    );
    assert_eq!(
        (&long["_truncated"], long["_hint"].is_string()),
        (&Json::Bool(true), true)
    );
    let huge = shown(&mut session, "x = list(range(5000))\nprint(x)\nx");
    assert_eq!(huge["_truncated"], Json::Bool(true));
    let finished = shown(&mut session, "FINAL('q' * 9000)");
    let answer = finished["final"]["answer"].as_str().expect("text");
    assert!(
        answer.starts_with("qqq") && answer.ends_with("... (truncated)"),
        "{answer}"
    );
    let names = (0..2000)
        .map(|n| format!("name_{n} = 1\n"))
        .collect::<String>();
    assert_eq!(shown(&mut session, &names)["_truncated"], Json::Bool(true));
}

/// Modules of Python, and some that are often installed.
const MODULES: &str = "
abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2
cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal
difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq
hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache
locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing
netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle
pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile
pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched
secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3
sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys
sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token
tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu
uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport
zlib zoneinfo numpy pandas requests pydantic
";

#[doc = "Keeps R1-24, R3-29, R4-2, X38, X39."]
#[test]
fn every_profile_has_instructions_that_are_true() {
    for name in Profile::names_carried() {
        let profile = Profile::named(name).expect("carried");
        let text = profile.instructions([]);
        assert!(tokens(&text) <= 400, "{name}: {}", tokens(&text));
        assert!(profile.short_instructions([]).lines().count() <= 3);
        let modules = text.lines().find_map(|line| line.strip_prefix("Modules: "));
        let modules = modules.unwrap_or_default().trim_end_matches('.');
        // Behind some stands what there is of them.
        let listed = modules.split(", ");
        let modules: Vec<_> = listed
            .filter_map(|listed| listed.split(" (").next())
            .collect();
        let mut session = sandbox()
            .session()
            .profile(profile.clone())
            .model(Echo)
            .context(Context::text("context", "text"))
            .open()
            .expect("right");
        let awaits = exec(&mut session, "import asyncio\nawait asyncio.sleep(0)").is_success();
        for module in MODULES.split_whitespace() {
            let import = format!("import {module}");
            let is_there = exec(&mut session, &import).is_success();
            let validation = block_on(sandbox().validate(&import, &profile, &[], &[]));
            let validation = validation.expect("looked at");
            assert_eq!(validation.is_ok(), is_there, "{name}: {module}");
            // Nothing can be done with it where nothing can be awaited.
            let is_useful = awaits || module != "asyncio";
            // Of these packages there is one module.
            let listed = match module {
                "concurrent" => "concurrent.futures",
                "urllib" => "urllib.parse",
                module => module,
            };
            assert_eq!(
                modules.contains(&listed),
                is_there && is_useful,
                "{name}: {module}"
            );
        }
        for offered in &profile.names {
            let is_there = exec(&mut session, offered.as_str()).is_success();
            // Contexts and conversations come with a session that has some.
            let comes_later = matches!(offered, rlm_sandbox::Name::History);
            assert!(is_there || comes_later, "{name}: {offered:?}");
        }
    }
    let tool = rlm_sandbox::Tool::declared("search")
        .parameters(["text", "count"])
        .doc("finds lines");
    let session = described().tool(tool).open().expect("right");
    assert!(
        session
            .instructions()
            .contains("- search(text, count): finds lines"),
        "{}",
        session.instructions()
    );
    for (missing, source) in [
        ("str, int as base classes", "class A(str): pass"),
        ("eval, exec", "eval('1')"),
        ("open", "open('x')"),
    ] {
        let mut session = sandbox().session().open().expect("right");
        assert!(session.instructions().contains(missing), "{missing}");
        assert!(
            !exec(&mut session, source).is_success(),
            "{source} runs now; say so"
        );
    }
    // Also where nothing is rewritten.
    let mut strict = Profile::default();
    strict.compat = false;
    let mut plain = sandbox().session().profile(strict).open().expect("right");
    let source = "class A:\n    @property\n    def n(self): return 1\nclass B(A):\n    @property\n    def n(self): return super().n + 1\nB().n";
    let outcome = exec(&mut plain, source);
    assert_eq!(outcome.value::<u8>().expect("a number"), 2);
    let missing = "Not available: dict, list, str as base classes, eval";
    assert!(plain.instructions().contains(missing), "{missing}");
    for class in ["class A(dict): pass", "class A(str): pass"] {
        assert!(!exec(&mut plain, class).is_success(), "{class} runs now");
    }
    let source = "class Odd(ValueError): pass\nd = {1: 2}\ndel d[1]\nnext(x for x in [len(d)])";
    let outcome = exec(&mut plain, source);
    assert_eq!(outcome.value::<u8>().expect("a number"), 0);
}

/// About as many tokens as a model makes of a text, rather too many: a word is
/// one for each nine letters, and so is each run of signs or digits.
fn tokens(text: &str) -> usize {
    let kind = |character: char| match character {
        ' ' => 0,
        '\n' => 1,
        _ if character.is_ascii_alphabetic() => 2,
        _ if character.is_ascii_digit() => 3,
        _ => 4,
    };
    let (mut count, mut letters, mut before) = (0, 0, 0);
    for character in text.chars() {
        let now = kind(character);
        letters = if now == before { letters + 1 } else { 0 };
        // A blank belongs to what follows it.
        count += usize::from(now != 0 && (now != before || (now == 2 && letters % 9 == 8)));
        before = now;
    }
    count
}

#[test]
fn the_skill_beside_the_crate_is_what_the_sandbox_says() {
    let text = format!(
        "---\nname: rlm-sandbox\ndescription: How to write Python for rlm-sandbox, a sandbox that runs a subset of Python 3 with \
         functions of its host and language models.\n---\n\n{}",
        Profile::default().instructions([])
    );
    expect_file!["../../host/sandbox/SKILL.md"].assert_eq(&text);
}

#[test]
fn values_of_variables_in_a_report_take_bounded_memory() {
    if runs_alone("formats::values_of_variables_in_a_report_take_bounded_memory") {
        return;
    }
    let profile = Profile::named("rlms").expect("there");
    let mut session = sandbox().session().profile(profile).open().expect("right");
    let bind = |name: &str, value: &str| format!("{name} = {value}\n");
    let small = bind("a", "[1]") + &bind("z", "'small'");
    let large = ["b", "c", "d", "e"].map(|name| bind(name, "[[] for _ in range(500_000)]"));
    let outcome = exec(&mut session, &(small + &large.concat()));
    let growth = growth_of(|| {
        let report = block_on(session.report(&outcome)).expect("a report");
        let locals = &report["locals"];
        assert_eq!(locals["a"], json!([1]));
        assert_eq!(locals["z"], json!("small"));
        let shown = locals["b"].as_str().expect("its repr");
        assert!(shown.starts_with("[[], []"), "{shown}");
    });
    // Each takes more than 150 MiB, and a snapshot of the session some 100.
    assert!(growth < 300 << 20, "{growth} bytes more");
}

#[test]
fn instructions_name_no_model_where_there_is_none() {
    let with = described().model(Echo).open().expect("right");
    let without = described().open().expect("right");
    for name in ["llm_query", "rlm_query"] {
        for (text, is_named) in [
            (with.instructions(), true),
            (with.short_instructions(), true),
            (without.instructions(), false),
            (without.short_instructions(), false),
        ] {
            assert_eq!(text.contains(name), is_named, "{text}");
        }
    }
}

#[test]
fn instructions_show_the_signature_of_a_tool_that_has_one() {
    let tool = |signature: &str| {
        let tool = Tool::declared("find").parameters(["a", "b"]).doc("Finds.");
        sandbox().session().tool(tool.signature(signature))
    };
    let shown = |signature: &str| {
        let session = tool(signature).open().expect("right");
        let text = session.instructions();
        let mut lines = text.lines();
        let line = lines.find(|line| line.starts_with("- find"));
        line.expect("it is there").to_owned()
    };
    assert_eq!(shown(""), "- find(a, b): Finds.");
    assert_eq!(
        shown("(a: int, *, b: str = '') -> dict"),
        "- find(a: int, *, b: str = '') -> dict: Finds."
    );
    for wrong in [
        "a, b",
        "(a)\n- FINAL(x): never",
        "(\u{1b}[2J)",
        &format!("({})", "a".repeat(1000)),
    ] {
        let error = tool(wrong).open().expect_err("no signature").to_string();
        assert!(error.contains("the signature of tool `find`"), "{error}");
    }
}
