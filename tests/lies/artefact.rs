//! The artefact of the liar, and how it is cached.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rlm_sandbox::Sandbox;
use sha2::{Digest as _, Sha256};

use crate::liar::{check_honest, component, described, outcome, small};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn walk(folder: &Path, paths: &mut Vec<String>, name: &str) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let file = path.file_name().expect("a name").to_string_lossy();
        let name = format!("{name}/{file}");
        match path.is_dir() {
            true => walk(&path, paths, &name),
            false => paths.push(name),
        }
    }
}

#[test]
fn the_artefact_is_not_older_than_its_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let record = fs::read_to_string(root.join("tests/liar/liar.digest")).expect("a record");
    let recorded = |name: &str| record.lines().find(|line| line.starts_with(name));
    let mut names = vec![
        String::from("tests/liar/Cargo.lock"),
        String::from("tests/liar/Cargo.toml"),
    ];
    for folder in ["tests/liar/src", "wit"] {
        walk(&root.join(folder), &mut names, folder);
    }
    names.sort();
    let mut text = String::new();
    for name in names {
        let content = fs::read(root.join(&name)).expect("readable");
        text.push_str(&format!("{}  {name}\n", hex(&Sha256::digest(content))));
    }
    text.push_str(recorded("rustc").expect("the compiler"));
    text.push('\n');
    let wasm = format!("wasm {}", hex(&Sha256::digest(component())));
    let sources = format!("sources {}", hex(&Sha256::digest(text)));
    assert_eq!(recorded("wasm"), Some(wasm.as_str()));
    assert_eq!(
        recorded("sources"),
        Some(sources.as_str()),
        "the sources of the liar have changed; run tests/liar/build.sh and commit what it makes"
    );
}

#[test]
fn a_foreign_guest_has_a_file_of_its_own_in_the_cache() {
    let folder = tempfile::tempdir().expect("a folder");
    let build = || {
        let was_compiled = Arc::new(AtomicBool::new(false));
        let noted = Arc::clone(&was_compiled);
        let sandbox = Sandbox::builder()
            .guest(component())
            .cache_folder(folder.path())
            .on_compile(move || noted.store(true, Ordering::SeqCst))
            .build()
            .expect("it loads");
        (sandbox, was_compiled.load(Ordering::SeqCst))
    };
    let (first, was_compiled) = build();
    assert!(was_compiled);
    let (second, was_compiled) = build();
    assert!(!was_compiled, "the second one is loaded from the cache");
    assert_eq!(first.compiled_file(), second.compiled_file());
    let honest = crate::liar::honest();
    assert_ne!(first.guest_digest(), honest.guest_digest());
    assert_ne!(
        first.compiled_file().and_then(Path::file_name),
        honest.compiled_file().and_then(Path::file_name)
    );
    let mut session = described(&second, small()).open().expect("right");
    let told = outcome(&mut session, "exec value 1 1");
    assert_eq!(told.value::<u8>().expect("a number"), 1);
    check_honest().expect("the honest session");
}

#[test]
fn compiled_code_of_a_foreign_guest_does_not_pass_for_the_interpreter() {
    let folder = tempfile::tempdir().expect("a folder");
    let liar = Sandbox::builder()
        .guest(component())
        .cache_folder(folder.path())
        .build()
        .expect("it loads");
    let file = liar.compiled_file().expect("a cache");
    let error = Sandbox::builder().compiled(file).build();
    let error = error.map(drop).expect_err("this is not the interpreter");
    assert_eq!(error.kind(), rlm_sandbox::ErrorKind::Guest);
}
