//! The program, and what is expected of it.
#![allow(dead_code, reason = "each test file needs a part of it")]

use std::path::PathBuf;
use std::process::Output;

use rlm_sandbox::Sandbox;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_rlm-sandbox");

/// The compiled interpreter, by a path that any environment understands.
pub(crate) fn compiled() -> PathBuf {
    let sandbox = Sandbox::new().expect("compiled");
    let file = sandbox.compiled_file().expect("in the cache");
    file.canonicalize().expect("there")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// All of its standard output, and parts of the other.
#[track_caller]
pub(crate) fn check(output: &Output, status: i32, stdout: &str, stderr_has: &[&str]) {
    let stderr = text(&output.stderr);
    assert_eq!(
        (output.status.code(), text(&output.stdout).as_str()),
        (Some(status), stdout),
        "{stderr}"
    );
    for part in stderr_has {
        assert!(stderr.contains(part), "no `{part}` in {stderr}");
    }
}

/// Parts of what it says, wherever it says them.
#[track_caller]
pub(crate) fn check_told(output: &Output, status: i32, told: &[&str]) {
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{said}");
    for part in told {
        assert!(said.contains(part), "no `{part}` in {said}");
    }
}
