//! A case is a Python file in `cases/` that says how it is run; the files
//! beside it say what must come of it. `cases/readme.py` explains how.
//!
//! `UPDATE_EXPECT=1 cargo test --test cases` writes the expectations.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use rlm_sandbox_cli::Terminal;

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut cases = Vec::new();
    find(&folder, &mut cases);
    cases.sort();
    let trials = cases.into_iter().map(|path| {
        let name = path
            .strip_prefix(&folder)
            .unwrap_or(&path)
            .display()
            .to_string();
        Trial::test(name, move || check(&path))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
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
    let words = split(command).into_iter().map(|word| match word.as_str() {
        "%" => path.display().to_string(),
        _ => word.replace("%d", &folder),
    });
    let (stdout, stderr) = (
        Arc::new(Mutex::new(Vec::new())),
        Arc::new(Mutex::new(Vec::new())),
    );
    let terminal = Terminal::new(
        io::empty(),
        Arc::clone(&stdout) as _,
        Arc::clone(&stderr) as _,
    );
    let status = rlm_sandbox_cli::run(
        std::iter::once("rlm-sandbox".to_owned())
            .chain(words)
            .map(Into::into),
        terminal,
    );
    let read = |stream: &Mutex<Vec<u8>>| {
        String::from_utf8_lossy(&stream.lock().expect("not poisoned")).into_owned()
    };
    let (stdout, stderr) = (read(&stdout), read(&stderr).replace(&folder, "%d"));
    if status != wanted {
        return Err(format!(
            "status {status} instead of {wanted}\n--- stdout\n{stdout}--- stderr\n{stderr}"
        )
        .into());
    }
    expect(&path.with_extension("py.stdout"), &stdout)?;
    expect(&path.with_extension("py.stderr"), &stderr)
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
    if std::env::var_os("UPDATE_EXPECT").is_some() {
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
