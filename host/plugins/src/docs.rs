//! What the author of a plugin wrote about its functions.
//!
//! Components carry no doc comments. The SDK puts them into a custom section
//! `rlm:docs`, a line of JSON for each module of its author's; a plugin without it
//! has none.

use std::collections::BTreeMap;

use serde::Deserialize;
use wasmparser::{Parser, Payload};

/// The section's name.
const SECTION: &str = "rlm:docs";
/// A section that is longer is not looked at.
const MOST_BYTES: usize = 1 << 20;

/// Words about functions and types, by the names that the component has for them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Docs {
    /// Of the plugin as a whole.
    pub(crate) doc: String,
    pub(crate) functions: BTreeMap<String, FunctionDoc>,
    pub(crate) types: BTreeMap<String, TypeDoc>,
}

/// Words about one function.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FunctionDoc {
    pub(crate) doc: String,
}

/// Words about one record.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TypeDoc {
    pub(crate) doc: String,
    pub(crate) fields: BTreeMap<String, String>,
}

impl TypeDoc {
    /// Returns all docs of the type.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        let fields = self.fields.values();
        std::iter::once(&self.doc).chain(fields).map(String::as_str)
    }
}

impl Docs {
    /// Those of a component that was compiled. What cannot be read is no docs:
    /// nothing depends on them.
    pub(crate) fn of(wasm: &[u8]) -> Self {
        let mut docs = Self::default();
        for payload in Parser::new(0).parse_all(wasm).map_while(Result::ok) {
            let Payload::CustomSection(section) = payload else {
                continue;
            };
            if section.name() != SECTION || section.data().len() > MOST_BYTES {
                continue;
            }
            let lines = section.data().split(|byte| *byte == b'\n');
            for line in lines.filter_map(|line| serde_json::from_slice::<Self>(line).ok()) {
                if docs.doc.is_empty() {
                    docs.doc = line.doc;
                }
                docs.functions.extend(line.functions);
                docs.types.extend(line.types);
            }
        }
        docs
    }

    /// Those of the record with these fields: a component's types have no names.
    pub(crate) fn record(&self, fields: &[String]) -> Option<&TypeDoc> {
        let is_it = |doc: &&TypeDoc| {
            doc.fields.len() == fields.len()
                && fields.iter().all(|field| doc.fields.contains_key(field))
        };
        let mut all = self.types.values().filter(is_it);
        let first = all.next();
        // Two that look alike cannot be told apart.
        first.filter(|_| all.next().is_none())
    }
}
