//! Names the sources of the interpreter and of this crate, so that a state that was written says which program wrote it.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

fn main() {
    let interpreter = ["../monty/Cargo.lock", "../monty/patches", "../monty/src"];
    println!("cargo::rustc-env=RLM_INTERPRETER={}", name(&interpreter));
    println!("cargo::rustc-env=RLM_REPL={}", name(&["src"]));
    println!("cargo::rerun-if-changed=build.rs");
    for folder in interpreter.iter().chain(&["src"]) {
        println!("cargo::rerun-if-changed={folder}");
    }
}

/// Returns a digest of all files at or below these paths, and of their names.
fn name(paths: &[&str]) -> String {
    let mut files = Vec::new();
    for path in paths {
        collect(Path::new(path), &mut files);
    }
    files.sort();
    let mut digest = DefaultHasher::new();
    for file in files {
        file.to_string_lossy().hash(&mut digest);
        fs::read(&file).unwrap_or_default().hash(&mut digest);
    }
    format!("{:016x}", digest.finish())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Ok(entries) => {
            for entry in entries.flatten() {
                collect(&entry.path(), files);
            }
        }
        Err(_) => files.push(path.to_owned()),
    }
}
