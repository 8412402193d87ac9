//! A crate of somebody else's, outside the workspace.

use std::fs;
use std::process::Command;

use rlm_sandbox::{Journal, Look, Profile, Sandbox, Session};

use crate::check::root;

/// The first Rust block of the README: the program that it opens with.
fn readme_program() -> String {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    let (_, rest) = readme.split_once("```rust\n").expect("a program");
    rest.split_once("```").expect("its end").0.to_owned()
}

/// That every future of a session can move between threads, which the compiler
/// checks.
#[expect(dead_code, reason = "it only has to compile")]
fn futures_of_sessions_are_send(sandbox: &Sandbox, session: &mut Session, journal: &Journal) {
    fn send<T: Send>(_: T) {}
    send(session.exec(""));
    send(session.step(""));
    send(session.resume([]));
    send(session.finish());
    send(session.abandon());
    send(session.get(""));
    send(session.variables(Look::default()));
    send(session.export());
    send(session.park());
    send(session.fork());
    send(journal.replay(sandbox));
    send(journal.until(0, sandbox.session()));
    send(journal.until_call(0, sandbox.session()));
    send(journal.rebuild(sandbox.session()));
    send(sandbox.validate("", &Profile::default(), &[], &[]));
    send(sandbox.preprocess_agent_code(""));
}

#[test]
#[ignore = "it compiles the library once more; `.ci/features` runs it"]
fn a_crate_outside_the_workspace_runs_the_readme_program_without_a_compiler() {
    // It ships the compiled interpreter and leaves Cranelift out, which also
    // keeps this test short.
    let folder = tempfile::tempdir().expect("a folder");
    let library = root()
        .join("host/sandbox")
        .canonicalize()
        .expect("the library");
    let manifest = format!(
        "[package]\nname = \"outsider\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         rlm-sandbox = {{ path = {library:?}, default-features = false, features = [\"python\"] }}\n\n\
         [profile.dev]\ndebug = false\n"
    );
    fs::write(folder.path().join("Cargo.toml"), manifest).expect("written");
    fs::copy(root().join("Cargo.lock"), folder.path().join("Cargo.lock")).expect("copied");
    fs::create_dir(folder.path().join("src")).expect("made");
    let program = readme_program();
    assert!(
        program.lines().count() <= 12,
        "the README's program should have 12 lines at the most"
    );
    fs::write(folder.path().join("src/main.rs"), program).expect("written");
    let cache = folder.path().join("cache");
    Sandbox::builder()
        .cache_folder(&cache)
        .build()
        .expect("compiled for the outsider");

    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(folder.path())
        // Names of ours must not reach somebody else's build.
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("CARGO_TARGET_DIR", env!("CARGO_TARGET_TMPDIR"))
        .env("RLM_SANDBOX_CACHE", &cache)
        .output()
        .expect("cargo runs");
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{stderr}");
    assert_eq!(stdout, "[\"HELLO\", \"WASM\"]\n", "{stderr}");
}
