//! A case is a Python file in `cases/` that says how it is run; the files
//! beside it say what must come of it. `cases/readme.py` explains how.
//!
//! Every case is recorded and replayed, and its fuel is compared with
//! `cases/fuel.txt`.
//!
//! `UPDATE_EXPECT=1 cargo test --test cases` writes the expectations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, LazyLock, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use rlm_sandbox_cli::Terminal;

/// What a case without another seed or time has.
const SETTLED: [&str; 2] = ["--seed=1", "--now=2026-01-31T00:00:00Z"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = folder();
    let mut cases = Vec::new();
    find(&folder, &mut cases);
    cases.sort();
    let names: Vec<String> = cases.iter().map(|path| name(path)).collect();
    let trials = cases
        .into_iter()
        .map(|path| Trial::test(name(&path), move || check(&path)));
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    if is_update() && !conclusion.has_failed() {
        write_fuel(&names);
    }
    conclusion.exit_code()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

fn name(path: &Path) -> String {
    let path = path.strip_prefix(folder()).unwrap_or(path);
    path.display().to_string()
}

fn find(folder: &Path, cases: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of cases") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            find(&path, cases);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            cases.push(path);
        }
    }
}

/// What a command did.
struct Ran {
    status: u8,
    stdout: String,
    stderr: String,
}

fn run(words: impl IntoIterator<Item = String>) -> Ran {
    let streams = [(); 2].map(|()| Arc::new(Mutex::new(Vec::new())));
    let [stdout, stderr] = &streams;
    let terminal = Terminal::new(
        io::empty(),
        Arc::clone(stdout) as _,
        Arc::clone(stderr) as _,
    );
    let program = std::iter::once(String::from("rlm-sandbox"));
    let status = rlm_sandbox_cli::run(program.chain(words).map(Into::into), terminal);
    let read = |stream: &Mutex<Vec<u8>>| {
        String::from_utf8_lossy(&stream.lock().expect("not poisoned")).into_owned()
    };
    Ran {
        status,
        stdout: read(stdout),
        stderr: read(stderr),
    }
}

fn check(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let first = text.lines().next().unwrap_or_default();
    let (wanted, command) = match first
        .strip_prefix("# ")
        .and_then(|line| line.split_once(": "))
    {
        Some(("RUN", command)) => (0, command),
        Some((word, command)) => match word
            .strip_prefix("FAIL ")
            .and_then(|status| status.parse().ok())
        {
            Some(status) => (status, command),
            None => return Err("the first line must be `# RUN: …` or `# FAIL status: …`".into()),
        },
        None => return Err("the first line must be `# RUN: …` or `# FAIL status: …`".into()),
    };
    let folder = path.parent().unwrap_or(path).display().to_string();
    let recorded = tempfile::tempdir()?;
    let journal = recorded.path().join("run.jsonl");
    let mut words: Vec<String> = split(command)
        .into_iter()
        .map(|word| match word.as_str() {
            "%" => path.display().to_string(),
            _ => word.replace("%d", &folder),
        })
        .collect();
    words.push(format!("--record={}", journal.display()));
    for setting in SETTLED {
        let option = setting.split('=').next().unwrap_or(setting);
        if !words.iter().any(|word| word == option) {
            words.push(setting.to_owned());
        }
    }
    let Ran {
        status,
        stdout,
        stderr,
    } = run(words);
    let stderr = stderr.replace(&folder, "%d");
    if status != wanted {
        return Err(format!(
            "status {status} instead of {wanted}\n--- stdout\n{stdout}--- stderr\n{stderr}"
        )
        .into());
    }
    expect(&path.with_extension("py.stdout"), &stdout)?;
    expect(&path.with_extension("py.stderr"), &stderr)?;
    if status == 2 {
        // Nothing ran.
        return Ok(());
    }
    replay(path, &journal)
}

/// Replays what was recorded, and compares calls and fuel with what they were
/// wherever this was run before.
fn replay(path: &Path, journal: &Path) -> Result<(), Failed> {
    let replayed = run([String::from("replay"), journal.display().to_string()]);
    if replayed.status != 0 || !replayed.stdout.starts_with("identical: 1 exec, ") {
        return Err(format!("not replayed: {}{}", replayed.stdout, replayed.stderr).into());
    }
    #[cfg(feature = "pulley")]
    interpret(journal)?;
    let text = fs::read_to_string(journal)?;
    let (mut calls, mut fuel, mut is_timed) = (String::new(), String::new(), false);
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line)?;
        if let Some(call) = line.get("call") {
            let word = |name: &str| call[name].as_str().unwrap_or_default().to_owned();
            let (ticket, name, arguments) = (&call["ticket"], word("name"), word("arguments"));
            writeln!(
                calls,
                "{ticket} {name} {arguments} at {} fuel",
                word("fuel")
            )?;
        }
        // Where the time is over is another read of the clock each time.
        is_timed |= line["stop"]["why"] == "time";
        if let Some(total) = line["end"]["total"].as_str() {
            fuel = total.to_owned();
        }
    }
    expect(&path.with_extension("py.calls"), &calls)?;
    if is_timed {
        return Ok(());
    }
    let name = name(path);
    let pinned = PINNED.get(&name);
    if !is_update() && pinned != Some(&fuel) {
        return Err(format!(
            "{name} took {fuel} fuel, and cases/fuel.txt says {pinned:?}; UPDATE_EXPECT=1 writes it"
        )
        .into());
    }
    FOUND.lock().expect("not poisoned").insert(name, fuel);
    Ok(())
}

/// Replays what was recorded in native code on the engine's own interpreter.
#[cfg(feature = "pulley")]
fn interpret(journal: &Path) -> Result<(), Failed> {
    use rlm_sandbox::{Journal, Sandbox, Verdict};
    static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| {
        Sandbox::builder()
            .interpret()
            .build()
            .expect("it is compiled")
    });
    let replayed = Journal::open(journal)?.replay_blocking(&SANDBOX)?;
    match replayed.verdict {
        Verdict::Identical => Ok(()),
        other => Err(format!("on the interpreter: {other:?}").into()),
    }
}

/// Fuel of each case, as it was recorded.
static PINNED: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let text = fs::read_to_string(folder().join("fuel.txt")).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines
        .map(|(fuel, name)| (name.to_owned(), fuel.to_owned()))
        .collect()
});

/// Fuel of each case, as it is.
static FOUND: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

fn write_fuel(names: &[String]) {
    let mut fuel = PINNED.clone();
    fuel.extend(FOUND.lock().expect("not poisoned").clone());
    fuel.retain(|name, _| names.contains(name));
    let lines = fuel.iter().map(|(name, fuel)| format!("{fuel} {name}\n"));
    fs::write(folder().join("fuel.txt"), lines.collect::<String>()).expect("written");
}

fn is_update() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// Splits a command at spaces; single quotes keep words together.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn expect(path: &Path, found: &str) -> Result<(), Failed> {
    let wanted = fs::read_to_string(path).unwrap_or_default();
    if wanted == found {
        return Ok(());
    }
    if is_update() {
        if found.is_empty() {
            fs::remove_file(path)?;
        } else {
            fs::write(path, found)?;
        }
        return Ok(());
    }
    Err(format!(
        "{} differs\n--- wanted\n{wanted}--- found\n{found}",
        path.display()
    )
    .into())
}
