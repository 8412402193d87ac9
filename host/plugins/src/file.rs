//! Files that should be plugins, and what they are when they are not.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rlm_sandbox::{Error, Result};
use rlm_sandbox_files::{Folder, Links};
use sha2::{Digest as _, Sha256};
use wasmparser::{Parser, Payload};

use crate::manifest::Manifest;

/// A file that is larger is no plugin.
const MOST_BYTES: u64 = 64 << 20;
/// The largest manifest.
const MANIFEST_BYTES: u64 = 1 << 20;

/// The origin of a path.
#[derive(Clone, Copy)]
enum Place<'a> {
    /// The operator.
    Named,
    /// A name beside a component, or in a folder that the operator named.
    Found(Option<&'a Folder>),
}

/// Reads a plugin and its manifest. `path` is either; it may be in a `folder` that was named.
pub(crate) fn read(path: &Path, folder: Option<&Folder>) -> Result<(Manifest, Vec<u8>)> {
    if path.extension().is_some_and(|end| end == "toml") {
        let (manifest, component) = read_manifest(path, None)?;
        return Ok((manifest, read_component(&component)?));
    }
    let beside = path.with_extension("toml");
    let mut misnamed = path.as_os_str().to_owned();
    misnamed.push(".toml");
    let misnamed = Path::new(&misnamed);
    if misnamed.exists() && !beside.exists() {
        return Err(Error::usage(format!(
            "{} is not read: the manifest of {} is called {}; rename it",
            misnamed.display(),
            path.display(),
            beside.display()
        )));
    }
    let mut manifest = match bytes(&beside, MANIFEST_BYTES, Place::Found(folder)) {
        Ok(text) => {
            let (manifest, named) = parse_manifest(&beside, text)?;
            let is_same = match (named.canonicalize(), path.canonicalize()) {
                (Ok(named), Ok(path)) => named == path,
                _ => named == path,
            };
            if !is_same {
                return Err(Error::usage(format!(
                    "{} is beside {}, but is the manifest of {}; rename one of them, or load the manifest",
                    beside.display(),
                    path.display(),
                    named.display()
                )));
            }
            manifest
        }
        Err((ErrorKind::NotFound | ErrorKind::NotADirectory, _)) => Manifest::default(),
        Err((_, error)) => return Err(error),
    };
    manifest.name.get_or_insert_with(|| name_of(path));
    Ok((manifest, read_component(path)?))
}

/// Returns the digest of a plugin and its manifest, where `path` is either: it tells whether they are what they were.
///
/// # Errors
///
/// [`ErrorKind::Usage`](rlm_sandbox::ErrorKind::Usage) if they cannot be read.
pub fn file_digest(path: &Path) -> Result<[u8; 32]> {
    let (manifest, component) = read(path, None)?;
    let digest = Sha256::new().chain_update(format!("{manifest:?}"));
    Ok(digest.chain_update(component).finalize().into())
}

/// Reads a manifest, and returns the path of its component with it. It was named, or is in a `folder` that was.
pub(crate) fn read_manifest(path: &Path, folder: Option<&Folder>) -> Result<(Manifest, PathBuf)> {
    let place = folder.map_or(Place::Named, |folder| Place::Found(Some(folder)));
    let text = bytes(path, MANIFEST_BYTES, place).map_err(|(_, error)| error)?;
    let (mut manifest, component) = parse_manifest(path, text)?;
    manifest.name.get_or_insert_with(|| name_of(path));
    Ok((manifest, component))
}

/// Reads a component.
pub(crate) fn read_component(path: &Path) -> Result<Vec<u8>> {
    bytes(path, MOST_BYTES, Place::Named).map_err(|(_, error)| error)
}

fn parse_manifest(path: &Path, text: Vec<u8>) -> Result<(Manifest, PathBuf)> {
    let text = String::from_utf8(text)
        .map_err(|error| Error::usage(format!("{} is no text", path.display())).because(error))?;
    let manifest = Manifest::parse(&text)
        .map_err(|error| Error::usage(format!("{}: {error}", path.display())))?;
    let component = match &manifest.wasm.path {
        Some(wasm) => path.parent().unwrap_or(Path::new("")).join(wasm),
        None => path.with_extension("wasm"),
    };
    Ok((manifest, component))
}

fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem.replace('-', "_")
}

/// Reads a regular file of at most `most` bytes, which is opened once. No pipe is waited for.
fn bytes(path: &Path, most: u64, place: Place<'_>) -> Result<Vec<u8>, (ErrorKind, Error)> {
    let file = match place {
        Place::Named => rlm_sandbox_files::open(path, Links::Follow),
        Place::Found(folder) => rlm_sandbox_files::open_found(path, Links::Follow, folder),
    };
    let read = file.and_then(|file| rlm_sandbox_files::read_to_end(&file, most));
    read.map_err(|error| {
        let (kind, shown) = (error.kind(), path.display());
        let message = match kind {
            ErrorKind::InvalidInput => {
                format!("{shown} is no file: plugins and manifests are regular files")
            }
            ErrorKind::FileTooLarge => {
                format!(
                    "{shown} is larger than {} MiB, which no plugin is",
                    most >> 20
                )
            }
            ErrorKind::PermissionDenied if matches!(place, Place::Found(_)) && error.raw_os_error().is_none() => {
                format!(
                    "{shown} is a manifest that was found by its name, and {error}; if you trust it, load it by its own path, \
                     and if not, take the component to a folder of yours"
                )
            }
            ErrorKind::NotFound => {
                format!("{shown} cannot be read; build the component first, unless it lies elsewhere")
            }
            _ => format!("{shown} cannot be read"),
        };
        (kind, Error::usage(message).because(error))
    })
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
        // Packed files may begin with a bracket, too.
        Some(first) if first.is_ascii() && first.trim_ascii_start().starts_with(b"(") => {
            Err(Error::usage(
                "it is WebAssembly as text; make a component of it with:  wasm-tools parse plugin.wat -o plugin.wasm",
            ))
        }
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

/// Part of the message with which wasmtime's compiler panics on an adapter between two memories:
/// it writes one as if the proposal `multi-memory` were enabled.
pub(crate) const ADAPTER_PANIC: &str = "invalid adapter module";

/// The error of a component that the compiler refuses, as one that its author
/// can do something about.
pub(crate) fn refused(error: Error) -> Error {
    if error.kind() != rlm_sandbox::ErrorKind::Guest {
        return error;
    }
    let mut source = std::error::Error::source(&error);
    while let Some(deeper) = source.and_then(std::error::Error::source) {
        source = Some(deeper);
    }
    let why = source.map_or_else(|| error.to_string(), ToString::to_string);
    let message = match why.contains(ADAPTER_PANIC) {
        // The adapter would need both memories.
        true => String::from(
            "components in it hand text, lists or records to each other, each with a memory of its own, which this \
             engine does not compile; build one component from the sources of all of them",
        ),
        false => format!(
            "it is damaged, or uses what this engine does not ({why}); build it again for wasm32-wasip2"
        ),
    };
    Error::new(rlm_sandbox::ErrorKind::Guest, message).because(error)
}
