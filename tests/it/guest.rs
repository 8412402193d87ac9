//! The interpreter that the library carries.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::check::{interpreter, root};

/// What `guest/build.sh` recorded under `name`.
fn recorded(name: &str) -> String {
    let record =
        fs::read_to_string(root().join("host/sandbox/guest/python.digest")).expect("a record");
    record
        .lines()
        .find(|line| line.starts_with(name))
        .expect("a line for it")
        .to_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_artefact_is_not_older_than_its_sources() {
    // The same lines as in `guest/build.sh`.
    let mut paths = Vec::new();
    for folder in ["guest", "wit"] {
        walk(&root().join(folder), &mut paths);
    }
    let mut names: Vec<String> = paths
        .iter()
        .map(|path| {
            path.strip_prefix(root())
                .expect("in the repository")
                .to_str()
                .expect("a plain name")
                .to_owned()
        })
        .collect();
    names.sort();
    let mut text = String::new();
    for name in names {
        let content = fs::read(root().join(&name)).expect("readable");
        text.push_str(&format!("{}  {name}\n", hex(&Sha256::digest(content))));
    }
    text.push_str(&recorded("rustc"));
    text.push('\n');
    assert_eq!(
        format!("sources {}", hex(&Sha256::digest(text))),
        recorded("sources"),
        "the sources of the guest have changed; run guest/build.sh and commit what it makes"
    );
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            // Plugins are no part of the interpreter.
            let is_source =
                |name: &OsStr| name != "target" && !name.as_encoded_bytes().starts_with(b"plugin");
            if path.file_name().is_some_and(is_source) {
                walk(&path, paths);
            }
        } else {
            paths.push(path);
        }
    }
}

#[doc = "Keeps RC-3, R0-19, R1-10, X24."]
#[test]
fn the_component_imports_what_is_listed_and_nothing_else() {
    let mut found: Vec<String> = imports(&interpreter());
    found.sort();
    let listed = fs::read_to_string(root().join("tests/imports.txt")).expect("the list");
    let listed: Vec<&str> = listed
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .collect();
    assert_eq!(
        found, listed,
        "the guest's imports changed; if that is meant, change tests/imports.txt"
    );
}

/// Names of the component's imports: section 10 of the binary format.
fn imports(wasm: &[u8]) -> Vec<String> {
    let mut rest = &wasm[8..];
    let mut names = Vec::new();
    while let Some((&id, after)) = rest.split_first() {
        let (size, after) = leb(after);
        let (payload, after) = after.split_at(size);
        rest = after;
        if id != 10 {
            continue;
        }
        let (count, mut payload) = leb(payload);
        for _ in 0..count {
            // A name with its kind byte, then what it is: an instance type.
            let (length, name) = leb(&payload[1..]);
            names.push(String::from_utf8(name[..length].to_vec()).expect("UTF-8"));
            let (_, after) = leb(&name[length + 1..]);
            payload = after;
        }
    }
    names
}

fn leb(bytes: &[u8]) -> (usize, &[u8]) {
    let end = bytes
        .iter()
        .position(|byte| byte & 0x80 == 0)
        .expect("a number")
        + 1;
    let value = bytes[..end]
        .iter()
        .rev()
        .fold(0, |value, byte| value << 7 | usize::from(byte & 0x7f));
    (value, &bytes[end..])
}
