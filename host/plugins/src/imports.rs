//! What a component wants of its host, and whether its manifest grants it.
//!
//! Rust's standard library makes nearly every component import the streams of a
//! terminal, the environment and the end of a process. In an empty world those
//! are harmless, so they are served to everybody; all others need a grant.

use std::fmt;

use rlm_sandbox::{Error, Result};
use serde::Serialize;
use wasmtime::Engine;
use wasmtime::component::Component;
use wasmtime::component::types::ComponentItem;

use crate::manifest::Manifest;

/// The interface of `wit/plugin.wit`.
pub(crate) const HOST: &str = "rlm:sandbox/host@0.1.0";

/// True if a function is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Served,
    /// If this line stands in the manifest.
    Granted(Grant),
    /// Nothing grants it.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grant {
    Contexts,
    LlmQuery,
    Clock,
    Entropy,
    Folders,
}

impl Grant {
    fn is_given(self, manifest: &Manifest) -> bool {
        let permissions = &manifest.permissions;
        match self {
            Self::Contexts => !permissions.contexts.is_empty(),
            Self::LlmQuery => permissions.llm_query,
            Self::Clock => permissions.clock,
            Self::Entropy => permissions.entropy,
            Self::Folders => !manifest.allowed_paths.is_empty(),
        }
    }

    /// Where it stands in a manifest, and how.
    fn line(self) -> &'static str {
        match self {
            Self::Contexts => "`contexts = [\"context\"]` under [permissions]",
            Self::LlmQuery => "`llm_query = true` under [permissions]",
            Self::Clock => "`clock = true` under [permissions]",
            Self::Entropy => "`entropy = true` under [permissions]",
            Self::Folders => "`allowed_paths = { \"/folder\" = \"/folder\" }` at the top",
        }
    }
}

/// What holds for a function of an interface.
fn rule(interface: &str, function: &str) -> Rule {
    let name = interface.split('@').next().unwrap_or(interface);
    match (name, function) {
        ("rlm:sandbox/host", _) if interface != HOST => Rule::Never,
        (_, "read-context") if interface == HOST => Rule::Granted(Grant::Contexts),
        (_, "llm-query") if interface == HOST => Rule::Granted(Grant::LlmQuery),
        (_, "write-output" | "log") if interface == HOST => Rule::Served,
        (
            "wasi:cli/environment"
            | "wasi:cli/exit"
            | "wasi:cli/stdin"
            | "wasi:cli/stdout"
            | "wasi:cli/stderr"
            | "wasi:cli/terminal-input"
            | "wasi:cli/terminal-output"
            | "wasi:cli/terminal-stdin"
            | "wasi:cli/terminal-stdout"
            | "wasi:cli/terminal-stderr",
            _,
        ) => Rule::Served,
        ("wasi:io/error" | "wasi:io/poll" | "wasi:io/streams", _) => Rule::Served,
        // It counts fuel, and a sleep is over at once.
        ("wasi:clocks/monotonic-clock", _) => Rule::Served,
        ("wasi:clocks/wall-clock", _) => Rule::Granted(Grant::Clock),
        // Of hash maps; the same in each run.
        ("wasi:random/insecure-seed", _) => Rule::Served,
        ("wasi:random/random" | "wasi:random/insecure", _) => Rule::Granted(Grant::Entropy),
        ("wasi:filesystem/preopens" | "wasi:filesystem/types", _) => Rule::Granted(Grant::Folders),
        _ => Rule::Never,
    }
}

/// A function that a component imports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Import {
    /// The interface, with its version; the first 256 bytes of a longer name.
    pub interface: String,
    /// The function, if an interface was imported and nothing else.
    pub function: String,
    /// The line of a manifest that grants it, and where it goes. None if
    /// everybody has it.
    pub granted_by: Option<String>,
    /// True if the plugin has it: everybody does, or its manifest grants it.
    pub is_granted: bool,
}

impl Import {
    /// Returns the bytes of memory that the import takes, about.
    pub(crate) fn memory_bytes(&self) -> u64 {
        /// Bytes of an import without texts, and what a linker keeps of it.
        const IMPORT: usize = 256;
        let texts = [&self.interface, &self.function].into_iter();
        let texts = texts.chain(&self.granted_by).map(String::len);
        (IMPORT + texts.sum::<usize>()) as u64
    }
}

impl fmt::Display for Import {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.interface)?;
        match self.function.is_empty() {
            true => Ok(()),
            false => write!(f, ".{}", self.function),
        }
    }
}

/// Bytes of memory of all imports of a plugin.
const MOST_BYTES: u64 = 1 << 20;

/// Bytes of an interface's name that an [`Import`] repeats: a component may have a hundred thousand
/// imports from an interface with a long name.
const INTERFACE_BYTES: usize = 256;

/// Returns the beginning of an interface's name.
fn shorten(interface: &str) -> String {
    match interface.len() > INTERFACE_BYTES {
        true => format!(
            "{}…",
            &interface[..interface.floor_char_boundary(INTERFACE_BYTES)]
        ),
        false => interface.to_owned(),
    }
}

/// All that a component imports, but for types.
pub(crate) fn all(component: &Component, engine: &Engine, manifest: &Manifest) -> Vec<Import> {
    let mut found = Vec::new();
    let mut add = |interface: &str, function: &str| {
        let rule = rule(interface, function);
        found.push(Import {
            interface: shorten(interface),
            function: function.to_owned(),
            granted_by: match rule {
                Rule::Granted(grant) => Some(grant.line().to_owned()),
                Rule::Served | Rule::Never => None,
            },
            is_granted: match rule {
                Rule::Served => true,
                Rule::Granted(grant) => grant.is_given(manifest),
                Rule::Never => false,
            },
        });
    };
    for (name, item) in component.component_type().imports(engine) {
        match item.ty {
            ComponentItem::ComponentInstance(interface) => {
                for (function, item) in interface.exports(engine) {
                    if matches!(item.ty, ComponentItem::ComponentFunc(_)) {
                        add(name, function);
                    }
                }
            }
            ComponentItem::Type(_) | ComponentItem::Resource(_) => {}
            _ => add(name, ""),
        }
    }
    found
}

/// Checks that there are not too many, and that everything is granted. Each lack is told once, by its first import.
pub(crate) fn check(imports: &[Import]) -> Result<()> {
    if imports.iter().map(Import::memory_bytes).sum::<u64>() > MOST_BYTES {
        return Err(Error::usage(format!(
            "it imports {} functions, which take more than {MOST_BYTES} bytes; import each interface once",
            imports.len()
        )));
    }
    let mut lacks: Vec<(String, String, usize)> = Vec::new();
    for import in imports.iter().filter(|import| !import.is_granted) {
        let because = match &import.granted_by {
            Some(line) => format!("to allow that, write {line} of its manifest"),
            None if import.interface.starts_with("rlm:sandbox/host") => {
                format!("and this host has {HOST}; build it with the SDK of this version")
            }
            None => String::from("which no manifest can grant; build it without"),
        };
        match lacks.iter_mut().find(|(_, other, _)| *other == because) {
            Some((_, _, more)) => *more += 1,
            None => lacks.push((import.to_string(), because, 0)),
        }
    }
    if lacks.is_empty() {
        return Ok(());
    }
    let lacks = lacks.into_iter().map(|(import, because, more)| match more {
        0 => format!("it imports {import}, {because}"),
        more => format!("it imports {import} and {more} more functions, {because}"),
    });
    Err(Error::usage(lacks.collect::<Vec<_>>().join("\n  ")))
}
