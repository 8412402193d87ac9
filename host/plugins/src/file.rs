//! Files that should be plugins, and what they are when they are not.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rlm_sandbox::{Error, ErrorKind, Result};
use wasmparser::{Parser, Payload};

use crate::manifest::Manifest;

/// A file that is larger is no plugin.
const MOST_BYTES: u64 = 64 << 20;
/// The largest manifest.
const MANIFEST_BYTES: u64 = 1 << 20;

/// Reads a plugin and its manifest. `path` is either.
pub(crate) fn read(path: &Path) -> Result<(Manifest, Vec<u8>)> {
    let is_manifest = path.extension().is_some_and(|end| end == "toml");
    let manifest_path = match is_manifest {
        true => path.to_owned(),
        false => path.with_extension("toml"),
    };
    let mut manifest = match is_manifest || manifest_path.is_file() {
        true => manifest(&manifest_path)?,
        false => Manifest::default(),
    };
    let named = beside(&manifest_path, &manifest);
    let is_same = |other: &Path| match (named.canonicalize(), other.canonicalize()) {
        (Ok(named), Ok(other)) => named == other,
        _ => named == other,
    };
    if !is_manifest && manifest_path.is_file() && !is_same(path) {
        return Err(Error::usage(format!(
            "{} is beside {}, but is the manifest of {}; rename one of them, or load the manifest",
            manifest_path.display(),
            path.display(),
            named.display()
        )));
    }
    let component = match is_manifest {
        true => named,
        false => path.to_owned(),
    };
    if manifest.name.is_none() {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        manifest.name = Some(stem.replace('-', "_"));
    }
    let wasm = bytes(&component, MOST_BYTES)?;
    Ok((manifest, wasm))
}

/// The component that a manifest is of.
pub(crate) fn component_of(path: &Path) -> Result<PathBuf> {
    let named = beside(path, &manifest(path)?);
    Ok(named.canonicalize().unwrap_or(named))
}

fn beside(path: &Path, manifest: &Manifest) -> PathBuf {
    match &manifest.wasm.path {
        Some(wasm) => path.parent().unwrap_or(Path::new("")).join(wasm),
        None => path.with_extension("wasm"),
    }
}

fn manifest(path: &Path) -> Result<Manifest> {
    let text = String::from_utf8(bytes(path, MANIFEST_BYTES)?)
        .map_err(|error| Error::usage(format!("{} is no text", path.display())).because(error))?;
    Manifest::parse(&text).map_err(|error| Error::usage(format!("{}: {error}", path.display())))
}

/// What is in a file, if that is not too much.
fn bytes(path: &Path, most: u64) -> Result<Vec<u8>> {
    let shown = path.display();
    let unreadable =
        |error: std::io::Error| Error::usage(format!("{shown} cannot be read")).because(error);
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(Error::usage(format!("{shown} is no file")));
    }
    let file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    // It may have grown since.
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(Error::usage(format!(
            "{shown} is larger than {} MiB, which no plugin is",
            most >> 20
        )));
    }
    Ok(bytes)
}

/// Says what is wrong with bytes that are no component.
pub(crate) fn check(wasm: &[u8]) -> Result<()> {
    const COMPONENT: [u8; 8] = *b"\0asm\x0d\0\x01\0";
    const MODULE: [u8; 8] = *b"\0asm\x01\0\0\0";
    if wasm.len() as u64 > MOST_BYTES {
        return Err(Error::usage(format!(
            "it is larger than {} MiB, which no plugin is",
            MOST_BYTES >> 20
        )));
    }
    match wasm.get(..8) {
        Some(magic) if magic == COMPONENT => Ok(()),
        Some(magic) if magic == MODULE && is_of_javy(wasm) => Err(Error::usage(
            "it is a core module made by javy, and plugins are components\n  JavaScript becomes one with:  jco \
             componentize plugin.js --wit wit -n plugin --disable all -o plugin.wasm",
        )),
        Some(magic) if magic == MODULE => Err(Error::usage(
            "it is a core module, and plugins are components\n  build it with:  cargo build --release --target \
             wasm32-wasip2   (or wrap it:  wasm-tools component new core.wasm --adapt \
             wasi_snapshot_preview1.reactor.wasm -o plugin.wasm)",
        )),
        _ if wasm.trim_ascii_start().starts_with(b"(") => Err(Error::usage(
            "it is WebAssembly as text; make a component of it with:  wasm-tools parse plugin.wat -o plugin.wasm",
        )),
        _ => Err(Error::usage(
            "it is no WebAssembly; give the file that `cargo build --target wasm32-wasip2` wrote",
        )),
    }
}

fn is_of_javy(wasm: &[u8]) -> bool {
    let payloads = Parser::new(0).parse_all(wasm).map_while(Result::ok);
    payloads.into_iter().any(|payload| match payload {
        Payload::ImportSection(imports) => imports
            .into_imports()
            .flatten()
            .any(|import| import.module.starts_with("javy")),
        Payload::CustomSection(section) => section.name().starts_with("javy"),
        _ => false,
    })
}

/// The error of a component that the compiler refuses, as one that its author
/// can do something about.
pub(crate) fn refused(error: Error) -> Error {
    if error.kind() != ErrorKind::Guest {
        return error;
    }
    let mut source = std::error::Error::source(&error);
    while let Some(deeper) = source.and_then(std::error::Error::source) {
        source = Some(deeper);
    }
    let why = source.map_or_else(|| error.to_string(), ToString::to_string);
    Error::new(
        ErrorKind::Guest,
        format!("it is damaged, or uses what this engine does not ({why}); build it again for wasm32-wasip2"),
    )
    .because(error)
}
