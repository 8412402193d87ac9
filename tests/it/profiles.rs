//! Profiles: what is carried, what a file may say, and what a session makes of it.

use std::time::Duration;

use rlm_sandbox::{
    Cause, Ending, Errors, Fences, Imports, Name, Namespace, OnError, Overflow, Parked, Profile,
    Returns, Session, State, Syntax,
};

use crate::check::{KEY, block_on, exec, sandbox, value};

fn open(change: impl FnOnce(&mut Profile)) -> Session {
    let mut profile = Profile::default();
    change(&mut profile);
    sandbox().session().profile(profile).open().expect("right")
}

#[track_caller]
fn raised(session: &mut Session, source: &str) -> String {
    let outcome = exec(session, source);
    match outcome.ending {
        Ending::Raised(exception) => exception.to_string(),
        other => panic!("{source}: {other:?}"),
    }
}

#[doc = "Keeps R2-12, R3-4, X01, X05, X09, X10, X14, X29."]
#[test]
fn profiles_are_carried_with_their_limits() {
    let all: Vec<_> = Profile::names_carried().collect();
    assert_eq!(
        all,
        [
            "apexflow", "cairn", "dspy", "horizons", "rlm", "rlm-code", "rlms", "strict"
        ]
    );
    let limits = |name: &str| Profile::named(name).expect("carried").limits;
    let seconds = |name: &str| limits(name).time.as_secs();
    assert_eq!(
        ["rlm", "cairn", "apexflow", "rlm-code"].map(seconds),
        [5, 60, 30, 30]
    );
    assert_eq!(limits("cairn").memory_bytes, 100 << 20);
    assert_eq!(limits("cairn").recursion, 1000);
    assert_eq!(limits("apexflow").memory_bytes, 256 << 20);
    assert_eq!(limits("apexflow").output_overflow, Overflow::Stop);
    assert_eq!(limits("apexflow").calls, 100_000);
    assert_eq!(limits("horizons").grace, Duration::from_millis(250));
    let strict = Profile::named("strict").expect("carried");
    let eight = [
        "json",
        "re",
        "math",
        "collections",
        "itertools",
        "functools",
        "string",
        "datetime",
    ];
    assert_eq!(
        strict.imports,
        Imports::Only(eight.map(String::from).into())
    );
    assert_eq!(Profile::default(), Profile::named("rlm").expect("carried"));
    let error = Profile::named("unheard-of")
        .expect_err("unknown")
        .to_string();
    assert!(error.contains("there are apexflow, cairn"), "{error}");
}

#[test]
fn imports_name_whole_modules() {
    for (name, told) in [
        ("urllib.parse", "name `urllib`"),
        (
            "jsn",
            "`jsn` in the imports of a profile is no module of the sandbox; there are abc, ast",
        ),
    ] {
        let mut profile = Profile::default();
        profile.imports = Imports::Only(vec![String::from("json"), name.to_owned()]);
        let opened = sandbox().session().profile(profile).open();
        let error = opened.expect_err(name).to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn a_profile_has_a_length() {
    let fields = |bytes: usize| {
        let mut text = String::from("outputs = [");
        while text.len() + 24 < bytes {
            text.push_str("{name=\"a\"},");
        }
        let padding = " ".repeat(bytes - text.len() - 1);
        text + &padding + "]"
    };
    let text = fields(Profile::MOST_BYTES);
    assert_eq!(text.len(), Profile::MOST_BYTES);
    Profile::parse(&text).expect("read");
    let error = Profile::parse(&(text + " ")).expect_err("too long");
    assert!(
        error.to_string().contains("1048576 are possible"),
        "{error}"
    );
}

#[doc = "Keeps R4-8, R4-10."]
#[test]
fn a_profile_file_says_what_it_wants_and_mistakes_are_told() {
    let profile = Profile::parse(
        "names = ['FINAL', 'context']\nimports = ['json']\neval = true\nrefused = ['class', 'await']\nreturn = 'wrap'\nfences \
         = 'first'\non-error = 'roll-back'\nnamespace = 'exec'\noutputs = [{ name = 'answer', type = 'str' }]\n\n[view]\nhead \
         = 3\n\n[limits]\ntime = 1.5\nmodel-calls = 7\noutput-overflow = 'stop'",
    )
    .expect("right");
    assert_eq!(profile.names, [Name::Final, Name::Context]);
    assert_eq!(profile.refused, [Syntax::Class, Syntax::Await]);
    assert_eq!(
        (profile.returns, profile.fences),
        (Returns::Wrap, Fences::First)
    );
    assert_eq!(
        (profile.on_error, profile.namespace),
        (OnError::RollBack, Namespace::Exec)
    );
    assert_eq!(profile.outputs[0].kind, "str");
    assert_eq!(profile.limits.time, Duration::from_millis(1500));
    assert_eq!(profile.limits.model_calls, 7);
    assert_eq!(profile.view.head, 3);
    let theirs = Profile::parse(
        "{\"runtime\": \"monty\", \"timeout\": 30, \"monty_type_check\": false, \"monty_max_allocations\": null, \
         \"monty_max_memory\": 50000000}",
    )
    .expect("right");
    assert_eq!(theirs.limits.time, Duration::from_secs(30));
    assert_eq!(
        (theirs.limits.memory_bytes, theirs.limits.allocations),
        (50_000_000, None)
    );
    let manual = Profile::parse(
        "[resource_limits]\nmax_duration_secs = 5.0\nmax_memory = 10_000_000\nmax_allocations = 50_000\n\
         max_recursion_depth = 100",
    )
    .expect("right");
    assert_eq!(manual.limits.allocations, Some(50_000));
    assert_eq!(manual.limits.recursion, 100);
    let with_units = Profile::parse(
        "[limits]\ntime = '250ms'\ndeadline = '1m'\nmemory = '64MiB'\noutput = '100KB'\nsource = '2KiB'\ncall-wait = 3",
    )
    .expect("right")
    .limits;
    assert_eq!(
        (with_units.time, with_units.deadline, with_units.call_wait),
        (
            Duration::from_millis(250),
            Some(Duration::from_secs(60)),
            Duration::from_secs(3)
        )
    );
    assert_eq!(
        (
            with_units.memory_bytes,
            with_units.output_bytes,
            with_units.source_bytes
        ),
        (64 << 20, 100_000, 2048)
    );
    for (text, part) in [
        ("[limits]\nmemory = 'much'", "as \"64MiB\""),
        ("[limits]\nmemory = -1", "as \"64MiB\""),
        ("[limits]\nsource = '5GiB'", "less than 4 GiB"),
        ("[limits]\ntime = 'soon'", "as \"250ms\""),
        ("name = ['FINAL']", "unknown field `name`"),
        ("names = ['FINALE']", "unknown variant `FINALE`"),
        ("imports = 'some'", "a list of modules"),
        ("[limits]\ntime = -1", "a number of seconds"),
        ("[limits]\nspeed = 1", "unknown field `speed`"),
        ("runtime = 'cpython'", "expected `monty`"),
        ("eval = ", "line 1"),
    ] {
        let error = Profile::parse(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_preset_is_short_and_no_code_names_its_dialect() {
    let root = crate::check::root();
    for entry in std::fs::read_dir(root.join("host/sandbox/profiles")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("text");
        assert!(text.lines().count() <= 25, "{}", path.display());
    }
    let mut found = Vec::new();
    collect(&root.join("host"), &mut found);
    collect(&root.join("guest"), &mut found);
    assert!(found.is_empty(), "{found:?}");
}

/// Rust files outside of tests and formats that name a dialect.
fn collect(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if path.is_dir() {
            if !matches!(name, "target" | "tests" | "format" | ".git") {
                collect(&path, found);
            }
        } else if name.ends_with(".rs") && name != "format.rs" {
            let text = std::fs::read_to_string(&path).expect("text").to_lowercase();
            if ["cairn", "apexflow", "horizons"]
                .iter()
                .any(|dialect| text.contains(dialect))
            {
                found.push(path);
            }
        }
    }
}

#[doc = "Keeps R3-1, X17."]
#[test]
fn eval_is_there_only_where_it_is_allowed_and_then_checked() {
    let mut session = open(|_| ());
    for name in ["eval", "exec", "compile", "input", "__import__", "globals"] {
        let told = raised(&mut session, &format!("{name}('1')"));
        assert_eq!(told, format!("NameError: name '{name}' is not defined"));
    }
    let mut free = open(|profile| profile.eval = true);
    assert_eq!(value(&mut free, "eval('6 * 7')"), "42");
    let told = raised(&mut free, "exec('import os')");
    assert!(
        told.starts_with("ImportError: import of 'os' is not allowed"),
        "{told}"
    );
}

/// No profile that is carried evaluates code, whatever a script does with the names that would, before and after its session
/// moved.
#[test]
fn no_profile_gives_a_builtin_back_for_a_name_that_is_unbound() {
    let parked = |session: &mut Session| block_on(session.park()).expect("parks").to_bytes(KEY);
    for profile in Profile::names_carried() {
        let open = || {
            sandbox()
                .session()
                .profile(Profile::named(profile).expect("carried"))
        };
        let mut session = open().open().expect("right");
        for round in 0..2 {
            for name in ["eval", "exec", "locals", "globals"] {
                for source in [
                    format!("try:\n    1 / 0\nexcept Exception as {name}:\n    pass\n{name}('1')"),
                    format!("{name} = 1\ndel {name}\n{name}('1')"),
                    format!("def f():\n    return {name}\nf()('1')"),
                    format!("list(map({name}, ['1']))"),
                    format!("f = {name}"),
                ] {
                    let outcome = exec(&mut session, &source);
                    let error = outcome.exception().expect(&source).to_string();
                    let is_refused = error == format!("NameError: name '{name}' is not defined")
                        || error.contains("not allowed")
                        || error.contains("does not yet support the 'del' statement");
                    assert!(is_refused, "{profile}, {round}: {source}: {error}");
                }
            }
            let bytes = parked(&mut session);
            let parked = Parked::from_bytes(sandbox(), &bytes, KEY).expect("reads");
            session = open().restore(&parked).expect("restores");
        }
    }
}

#[doc = "Keeps X02."]
#[test]
fn a_namespace_may_live_for_one_exec() {
    let mut session = open(|profile| profile.namespace = Namespace::Exec);
    exec(&mut session, "x = 1");
    assert_eq!(
        raised(&mut session, "x"),
        "NameError: name 'x' is not defined"
    );
    session.set("given", 5).expect("JSON");
    assert_eq!(value(&mut session, "given"), "5");
    assert_eq!(
        raised(&mut session, "given"),
        "NameError: name 'given' is not defined"
    );
    assert_eq!(session.stats().total_executions, 4);
    // A look sees what the last one left, unless something was given since.
    exec(&mut session, "y = 2");
    let names = |session: &mut Session| {
        let listed = block_on(session.variables(rlm_sandbox::Look::default())).expect("listed");
        listed
            .into_iter()
            .map(|variable| variable.name)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(names(&mut session), "y");
    session.set("given", 6).expect("JSON");
    assert_eq!(names(&mut session), "given");
    assert_eq!(value(&mut session, "given"), "6");
    session.set("given", 7).expect("JSON");
    let parked = block_on(session.park()).expect("written");
    let mut other = sandbox().session().restore(&parked).expect("read");
    assert_eq!(value(&mut other, "given"), "7");
    let mut fork = block_on(other.fork()).expect("forked");
    assert_eq!(
        raised(&mut fork, "given"),
        "NameError: name 'given' is not defined"
    );
    assert_eq!(fork.stats().total_executions, 8);
}

#[doc = "Keeps X03."]
#[test]
fn an_exception_may_undo_what_the_script_did() {
    let mut keeps = open(|_| ());
    exec(&mut keeps, "x = [1]");
    let outcome = exec(&mut keeps, "x.append(2)\n1 / 0");
    assert_eq!(outcome.state, State::Intact);
    assert_eq!(value(&mut keeps, "x"), "[1, 2]");
    let mut undoes = open(|profile| profile.on_error = OnError::RollBack);
    exec(&mut undoes, "x = [1]");
    let outcome = exec(&mut undoes, "print('said')\ny = 1\nx.append(2)\n1 / 0");
    assert_eq!(
        (outcome.state, outcome.stdout.as_str()),
        (State::RolledBack, "said\n")
    );
    assert_eq!(outcome.names, ["x"]);
    assert_eq!(value(&mut undoes, "x"), "[1]");
}

#[doc = "Keeps R3-34, X18."]
#[test]
fn a_tools_error_may_be_text() {
    let mut session = crate::check::described();
    let mut profile = Profile::default();
    profile.tool_errors = Errors::Text;
    session = session.profile(profile);
    let mut session = session.open().expect("right");
    assert_eq!(
        value(&mut session, "fail('ValueError', 'no row')"),
        "'ERROR: no row'"
    );
}

#[doc = "Keeps R3-7, X12, X34, R4-23, X16."]
#[test]
fn a_refusal_says_why_and_nothing_ran() {
    let mut session = open(|profile| profile.refused = vec![Syntax::Await, Syntax::Class]);
    let outcome = exec(
        &mut session,
        "print('never')\nresult = await web_search('test')",
    );
    let exception = outcome.exception().expect("refused");
    assert_eq!(exception.cause, Cause::Policy);
    assert_eq!(
        exception.to_string(),
        "ValueError: Code contains 'await' which is not supported in Monty. Remove 'await' keywords — external function \
         calls are synchronous in Monty."
    );
    assert_eq!(outcome.stdout, "");
    assert!(
        exception.traceback.contains("line 2"),
        "{}",
        exception.traceback
    );
    exec(&mut session, "match 1:\n    case 1: x = 'matched'");
    assert_eq!(value(&mut session, "x"), "'matched'");
    assert!(raised(&mut session, "class A: pass").contains("class is not allowed"));
}

#[test]
fn a_profile_travels_with_a_session() {
    let mut strict = Profile::named("strict").expect("carried");
    strict.eval = true;
    let mut session = sandbox()
        .session()
        .profile(strict.clone())
        .open()
        .expect("right");
    exec(&mut session, "x = 1");
    let parked = block_on(session.park()).expect("written");
    // The parked session's counts, not this builder's.
    let mut other = sandbox().session().restore(&parked).expect("read");
    assert_eq!(other.profile().imports, strict.imports);
    assert_eq!(value(&mut other, "eval('x')"), "1");
    assert!(raised(&mut other, "import csv").starts_with("ImportError"));
    let mut fork = block_on(other.fork()).expect("forked");
    assert!(raised(&mut fork, "import csv").starts_with("ImportError"));
}

#[test]
fn the_interpreters_own_fault_lines_have_hints() {
    let mut session = crate::check::session();
    let outcome = exec(&mut session, "fs = [later]\nmax([1], key=fs[0])");
    let hint = outcome
        .exception()
        .and_then(|exception| exception.hint.clone());
    assert!(hint.expect("a hint").contains("[f(x) for x in xs]"));
}
