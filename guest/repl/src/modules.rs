//! Modules that Monty does not have, in Python; each is fed when a script first
//! imports it.
//!
//! A module is an object of ours under a name of ours, and an import of it
//! becomes an assignment from that name.

use ruff_python_ast::{Alias, Stmt};

/// What the modules are made of.
pub(crate) const BASE: &str = include_str!("modules/module.py");

const MODULES: [(&str, &str); 5] = [
    ("heapq", include_str!("modules/heapq.py")),
    ("operator", include_str!("modules/operator.py")),
    ("statistics", include_str!("modules/statistics.py")),
    ("string", include_str!("modules/string.py")),
    ("textwrap", include_str!("modules/textwrap.py")),
];

/// Stands where line ends go that have to stay.
pub(crate) const GAP: &str = "\u{0}";

/// The names of all of them.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name)
}

/// The name of the module, if it is one of ours.
pub(crate) fn find(module: &str) -> Option<&'static str> {
    let known = MODULES.iter().find(|(name, _)| *name == module);
    known.map(|(name, _)| *name)
}

/// What has to be fed to have it.
pub(crate) fn source(module: &str) -> &'static str {
    let known = MODULES.iter().find(|(name, _)| *name == module);
    known.map_or("", |(_, source)| source)
}

/// What an import says once modules of ours are objects. `text` gives the
/// source of other modules' parts as they are.
pub(crate) fn rewritten(stmt: &Stmt) -> Option<String> {
    let mut parts = Vec::new();
    match stmt {
        Stmt::Import(import) => {
            // Ours come last, so that the gap can be in parentheses.
            for alias in import
                .names
                .iter()
                .filter(|alias| find(alias.name.as_str()).is_none())
            {
                let name = alias.name.as_str();
                parts.push(match alias.asname.is_some() {
                    true => format!("import {name} as {}", bound(alias)),
                    false => format!("import {name}"),
                });
            }
            for alias in &import.names {
                if let Some(module) = find(alias.name.as_str()) {
                    parts.push(format!("{}=_rlm_module_{module}", bound(alias)));
                }
            }
        }
        Stmt::ImportFrom(import) => {
            let module = find(import.module.as_ref()?.as_str())?;
            for alias in &import.names {
                let name = alias.name.as_str();
                if name == "*" {
                    return None;
                }
                parts.push(format!(
                    "{}=_rlm_from(_rlm_module_{module},'{name}')",
                    bound(alias)
                ));
            }
        }
        _ => return None,
    }
    let last = parts.pop()?;
    let (name, value) = last.split_once('=')?;
    parts.push(format!("{name}=({value}{GAP})"));
    Some(parts.join(";"))
}

fn bound(alias: &Alias) -> &str {
    alias.asname.as_ref().unwrap_or(&alias.name).as_str()
}
