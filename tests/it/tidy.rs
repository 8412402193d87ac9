//! The house is kept: what must stay true of the sources themselves.

use std::fs;
use std::path::{Path, PathBuf};

use crate::check::root;

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path
                .file_name()
                .is_some_and(|name| name != "target" && name != ".git")
            {
                found.extend(files(&path, extension));
            }
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found
}

#[test]
fn an_example_is_read_at_a_glance() {
    for path in files(&root().join("host/sandbox/examples"), "rs") {
        let lines = fs::read_to_string(&path).expect("readable").lines().count();
        assert!(lines <= 60, "{} has {lines} lines", path.display());
    }
}

#[test]
fn every_source_file_says_what_lives_in_it() {
    for path in files(&root(), "rs") {
        let text = fs::read_to_string(&path).expect("readable");
        assert!(
            text.starts_with("//! "),
            "{} opens with no `//!` sentence",
            path.display()
        );
    }
}

/// A fresh clone is built with no step before cargo: nothing that cargo builds at the root needs what `guest/` generates.
#[test]
fn no_crate_at_the_root_needs_what_is_generated() {
    let manifest = |path: &Path| fs::read_to_string(path).expect("a manifest");
    let all = files(&root(), "toml");
    let guest = root().join("guest");
    let native = root().join("tests/native");
    let manifests = all.iter().filter(|path| path.ends_with("Cargo.toml"));
    let of_root = manifests.filter(|path| !path.starts_with(&guest) && !path.starts_with(&native));
    let mut count = 0;
    for path in of_root {
        let text = manifest(path);
        let paths = text.lines().filter(|line| line.contains("path ="));
        for line in paths {
            assert!(!line.contains("guest/"), "{}: {line}", path.display());
        }
        assert!(!text.contains("monty"), "{}", path.display());
        count += 1;
    }
    assert!(count >= 6, "{count} manifests");
}

#[test]
fn the_guest_has_the_lints_of_the_host() {
    let table = |path: &str, name: &str| {
        let text = fs::read_to_string(root().join(path)).expect("a manifest");
        let start = text.find(name).expect("a table");
        text[start..]
            .lines()
            .skip(1)
            .take_while(|line| !line.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    for name in ["[workspace.lints.rust]", "[workspace.lints.clippy]"] {
        for guest in ["guest/Cargo.toml", "guest/plugins/Cargo.toml"] {
            assert_eq!(table("Cargo.toml", name), table(guest, name), "{guest}");
        }
    }
}

#[test]
fn every_wit_item_is_documented() {
    for path in files(&root().join("wit"), "wit") {
        let text = fs::read_to_string(&path).expect("readable");
        let mut before = "";
        for line in text.lines() {
            let item = [
                "interface ",
                "world ",
                "record ",
                "variant ",
                "enum ",
                "type ",
                "package ",
            ]
            .iter()
            .any(|word| line.trim_start().starts_with(word))
                || line.contains(": func(");
            if item {
                assert!(
                    before.trim_start().starts_with("///"),
                    "{}: `{}` has no comment",
                    path.display(),
                    line.trim()
                );
            }
            before = line;
        }
    }
}

#[test]
fn a_package_of_the_library_holds_the_wit_and_the_guest() {
    let output = std::process::Command::new(env!("CARGO"))
        .args([
            "package",
            "--list",
            "--allow-dirty",
            "--offline",
            "-p",
            "rlm-sandbox",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let listed = String::from_utf8(output.stdout).expect("UTF-8");
    for name in [
        "wit/world.wit",
        "wit/repl.wit",
        "guest/python.wasm.zst",
        "guest/python.digest",
        "guest/NOTICES.md",
    ] {
        assert!(
            listed.lines().any(|line| line == name),
            "{name} is not in the package:\n{listed}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// Whoever reads a claim finds the program that measures it.
#[doc = "Keeps R1-1."]
#[test]
fn claims_about_speed_stand_beside_their_measurements() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("there");
    let (readme, measured) = (read("README.md"), read("benches/README.md"));
    let claims = readme
        .split("## What it costs")
        .nth(1)
        .expect("the section");
    let claims = claims.split("\n## ").next().unwrap_or_default();
    assert!(claims.contains("`benches/README.md`"), "{claims}");
    assert!(root().join("benches/peers.svg").is_file());
    let manifest = read("benches/Cargo.toml");
    let benches = manifest.split("[[bench]]").skip(1);
    for bench in benches {
        let name = bench.split('"').nth(1).expect("a name");
        assert!(
            measured.contains(&format!("`{name}`"))
                || measured.contains(&format!("--bench {name}`")),
            "{name}"
        );
    }
}

#[test]
fn the_version_is_in_the_changelog() {
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).expect("a changelog");
    assert!(changelog.contains(&format!("## {}", env!("CARGO_PKG_VERSION"))));
}

#[doc = "Keeps RC-2."]
#[test]
fn the_top_level_is_what_it_should_be() {
    let wanted = [
        "Cargo.toml",
        "host",
        "guest",
        "wit",
        "tests",
        "benches",
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "LICENSE",
        "Cargo.lock",
    ];
    for name in wanted {
        assert!(root().join(name).exists(), "{name} is missing");
    }
}

#[test]
fn no_limit_reads_a_clock_that_people_set() {
    let mut readers: Vec<String> = Vec::new();
    for room in ["host/engine/src", "host/sandbox/src", "host/plugins/src"] {
        let folder = root().join(room);
        for path in files(&folder, "rs") {
            let text = fs::read_to_string(&path).expect("readable");
            if text.contains("SystemTime::now") {
                let name = path.strip_prefix(root()).expect("inside");
                readers.push(name.display().to_string());
            }
        }
    }
    readers.sort();
    // Names of files that are being written, and where a session's clock starts.
    assert_eq!(
        readers,
        ["host/engine/src/cache.rs", "host/sandbox/src/clock.rs"]
    );
}

/// Sources that parse JSON into a type that is not named in the call, with the number of such
/// calls. Each either has no `serde_json::Value` inside, or refuses what `has_reserved_key` finds first.
const UNNAMED: [(&str, usize); 14] = [
    ("host/cli/src/dspy_runner/tools.rs", 1),
    ("host/cli/src/plain.rs", 1),
    ("host/cli/src/wire.rs", 2),
    ("host/cli/src/worker/callback.rs", 1),
    ("host/cli/src/worker/protocol/request.rs", 1),
    ("host/plugins/src/plugin.rs", 1),
    ("host/plugins/src/wave.rs", 1),
    ("host/sandbox/src/arguments.rs", 1),
    ("host/sandbox/src/budget.rs", 1),
    ("host/sandbox/src/journal.rs", 3),
    ("host/sandbox/src/journal/divergence.rs", 2),
    ("host/sandbox/src/journal/line.rs", 1),
    ("host/sandbox/src/profile/preset.rs", 1),
    ("host/sandbox/src/value.rs", 2),
];

#[test]
fn json_of_others_becomes_a_value_only_behind_the_check_of_its_keys() {
    let mut found = Vec::new();
    for folder in ["host/sandbox", "host/cli", "host/plugins", "host/engine"] {
        for path in files(&root().join(folder).join("src"), "rs") {
            let text = fs::read_to_string(&path).expect("readable");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let checks = code.contains("has_reserved_key(");
            let mut unnamed = 0;
            for function in ["from_str", "from_slice", "from_reader"] {
                for (at, _) in code.match_indices(&format!("serde_json::{function}")) {
                    let rest = &code[at + "serde_json::".len() + function.len()..];
                    let named = rest.strip_prefix("::<").map(|rest| rest.split('(').next());
                    match named.flatten() {
                        Some(kind) => {
                            let is_value =
                                ["Json>", "Value>", "serde_json::Value>"].contains(&kind);
                            assert!(
                                !is_value || checks,
                                "{}: {function}::<{kind}",
                                path.display()
                            );
                        }
                        None => unnamed += 1,
                    }
                }
            }
            if unnamed > 0 {
                let name = path.strip_prefix(root()).expect("below").display();
                found.push((name.to_string(), unnamed));
            }
        }
    }
    found.sort();
    let expected = UNNAMED.map(|(name, count)| (name.to_owned(), count));
    assert_eq!(found, expected, "look at the new call, then count it here");
}

#[test]
fn rc_1_the_packages_are_direct_dependencies_where_they_belong() {
    for (package, manifest) in [
        // The interpreter, and what its component speaks.
        ("monty", "guest/repl"),
        ("wit-bindgen", "guest/repl"),
        ("serde_json", "guest/repl"),
        // The engine, in the crate that configures it and in those that run guests.
        ("wasmtime", "host/engine"),
        ("wasmtime", "host/sandbox"),
        ("wasmtime", "host/plugins"),
        // The interpreter gets an empty WASI of our own; plugins get what they are granted.
        ("wasmtime-wasi", "host/plugins"),
        // Values that cross the boundary.
        ("serde_json", "host/sandbox"),
        ("serde_json", "host/cli"),
        // Tasks and timers of the servers, and chains of errors that people read.
        ("tokio", "host/cli"),
        ("anyhow", "host/cli"),
    ] {
        let path = root().join(manifest).join("Cargo.toml");
        let text = std::fs::read_to_string(&path).expect("a manifest");
        let (_, direct) = text.split_once("\n[dependencies]\n").expect("a table");
        let direct = direct.split("\n[").next().unwrap_or_default();
        let mut names = direct
            .lines()
            .filter_map(|line| line.split(['.', ' ']).next());
        assert!(
            names.any(|name| name == package),
            "{manifest} does not depend on {package} itself"
        );
    }
}
