//! The clients that people use, from their registries: the wheel, rlm-code's
//! page, dspy, rlms and the Model Context Protocol's client run in
//! `host/python/tests`; its inspector here.
//!
//! They are installed below the target folder when they are first needed. Where
//! a registry is out of reach, this says so loudly and proves nothing.
#![cfg(unix)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rlm_sandbox::Sandbox;
use serde_json::Value as Json;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rlm-sandbox");
const INSPECTOR: &str = "@modelcontextprotocol/inspector@0.15.0";

/// While a wheel is built, the program may be gone for a moment.
static PROGRAM_IS_THERE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    PROGRAM_IS_THERE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

fn python_package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../python")
}

/// Where things are installed; one folder for each list of what to install.
fn place(kind: &str, wanted: &[u8]) -> PathBuf {
    let digest = wanted
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
            (digest ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        });
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{kind}-{digest:016x}"))
}

/// Says, past whatever catches the output of tests, that something was not tested.
fn skip(what: &str, why: &str) {
    let text = format!("\n*** NOT TESTED: {what}. {why}\n\n");
    std::io::stderr()
        .write_all(text.as_bytes())
        .expect("somebody listens");
}

/// Returns whether a command could be run, and went well.
fn succeeds(command: &mut Command) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(told(&output)),
    }
}

fn told(output: &Output) -> String {
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    format!("{out}\n{err}")
}

/// Makes a folder with `fill`, unless that was done before.
fn installed(place: &Path, fill: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let done = place.join("installed");
    if done.exists() {
        return Ok(());
    }
    let _ = fs::remove_dir_all(place);
    fs::create_dir_all(place).map_err(|error| error.to_string())?;
    fill()?;
    fs::write(done, "").map_err(|error| error.to_string())
}

#[doc = "Keeps R3-2, R3-3."]
#[test]
#[ignore = "takes minutes and the network; `.ci/clients` runs it"]
fn python_clients() {
    // Tools of a service, and a process of its own for whoever wants one.
    let _alone = alone();
    let package = python_package();
    let wanted = package.join("tests/requirements.txt");
    let place = place("python", &fs::read(&wanted).expect("a list"));
    let made = installed(&place, || {
        succeeds(Command::new("python3").args(["-m", "venv"]).arg(&place))?;
        let mut install = Command::new(place.join("bin/python"));
        // Most of what is installed is never imported.
        install
            .args(["-m", "pip", "install", "--quiet", "--no-compile", "-r"])
            .arg(&wanted);
        succeeds(&mut install)
    });
    if let Err(why) = made {
        return skip("the clients in Python", &why);
    }
    Sandbox::new().expect("compiled");
    let python = place.join("bin/python");
    let wheels = place.join("wheels");
    let _ = fs::remove_dir_all(&wheels);
    let folder = Path::new(PROGRAM).parent().expect("a folder");
    let profile = match folder.ends_with("debug") {
        true => "dev",
        false => "release",
    };
    let mut build = Command::new(place.join("bin/maturin"));
    build
        .args(["build", "--profile", profile, "--out"])
        .arg(&wheels)
        .current_dir(&package);
    build.env(
        "CARGO_TARGET_DIR",
        folder.parent().expect("the target folder"),
    );
    succeeds(&mut build).unwrap_or_else(|why| panic!("the wheel cannot be built: {why}"));
    let mut install = Command::new(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--force-reinstall",
        "--find-links",
    ]);
    install.arg(&wheels).arg("rlm-sandbox");
    succeeds(&mut install).unwrap_or_else(|why| panic!("the wheel cannot be installed: {why}"));
    for arguments in [
        ["-m", "mypy"].as_slice(),
        &["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"],
    ] {
        // With the program of the wheel, wherever others may be.
        let mut check = Command::new(&python);
        check
            .args(arguments)
            .current_dir(&package)
            .env_remove("RLM_SANDBOX_BINARY")
            .env_remove("PYTHONPATH");
        check
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("MYPY_CACHE_DIR", place.join("mypy"));
        let output = check.output().expect("starts");
        assert!(output.status.success(), "{arguments:?}: {}", told(&output));
        if told(&output).contains("SKIPPED") {
            skip("a part of the clients in Python", &told(&output));
        }
    }
}

#[test]
#[ignore = "takes minutes and the network; `.ci/clients` runs it"]
fn the_inspector_of_the_model_context_protocol() {
    let _alone = alone();
    let place = place("inspector", INSPECTOR.as_bytes());
    let made = installed(&place, || {
        let mut install = Command::new("npm");
        install
            .args(["install", "--silent", "--no-fund", "--no-audit", "--prefix"])
            .arg(&place)
            .arg(INSPECTOR);
        succeeds(&mut install)
    });
    if let Err(why) = made {
        return skip("the inspector of the Model Context Protocol", &why);
    }
    Sandbox::new().expect("compiled");
    let inspect = |arguments: &[&str]| -> Json {
        let mut command = Command::new(place.join("node_modules/.bin/mcp-inspector"));
        command.arg("--cli").arg(PROGRAM).arg("mcp").args(arguments);
        let output = command.output().expect("starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!errors.contains("unknown format"), "{errors}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", told(&output)))
    };
    let tools = inspect(&["--method", "tools/list"]);
    let names = tools["tools"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|tool| tool["name"].clone());
    assert_eq!(
        names.collect::<Vec<_>>(),
        [
            "exec_python",
            "get_variable",
            "list_variables",
            "load_context",
            "remove_context",
            "reset",
            "search_context"
        ]
    );
    let ran = inspect(&[
        "--method",
        "tools/call",
        "--tool-name",
        "exec_python",
        "--tool-arg",
        "code=6 * 7",
    ]);
    assert_eq!(ran["structuredContent"]["return_value"], "42");
    let resources = inspect(&["--method", "resources/list"]);
    assert_eq!(resources["resources"], serde_json::json!([]));
}
