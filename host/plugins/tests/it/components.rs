//! The plugins of `guest/plugins`, built once by the command that their authors
//! use.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use rlm_sandbox_plugins::{Manifest, WasmPlugin};

use crate::check::registry;

/// Where they are, if this machine can build them.
static BUILT: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guest/plugins/Cargo.toml");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins");
    let build = || {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args([
                "build",
                "--release",
                "--locked",
                "--target",
                "wasm32-wasip2",
                "--manifest-path",
            ])
            .arg(&sources)
            .env("CARGO_TARGET_DIR", &target);
        // What is meant for the host must not reach another target.
        for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
            cargo.env_remove(name);
        }
        cargo.output().expect("cargo runs")
    };
    let mut output = build();
    if !output.status.success() {
        let target = ["target", "add", "wasm32-wasip2"];
        let _ = Command::new("rustup").args(target).output();
        output = build();
    }
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("target may not be installed") {
        // Past the test harness, which would keep it to itself.
        let _ = std::io::stderr().write_all(
            b"\nTHE EXAMPLE PLUGINS WERE NOT TESTED: the target wasm32-wasip2 cannot be installed\n",
        );
        return None;
    }
    assert!(output.status.success(), "{said}");
    Some(target.join("wasm32-wasip2/release"))
});

/// The file of one of them, unless this machine cannot build it.
pub(crate) fn file(name: &str) -> Option<PathBuf> {
    Some(BUILT.as_ref()?.join(format!("{name}.wasm")))
}

/// One of them, under a manifest.
pub(crate) fn built(name: &str, manifest: &str) -> Option<WasmPlugin> {
    let wasm = std::fs::read(file(name)?).expect("it was built");
    let manifest = format!("name = \"{name}\"\n{manifest}");
    let manifest = Manifest::parse(&manifest).expect("a manifest");
    Some(registry().load(manifest, &wasm).expect("loads"))
}
