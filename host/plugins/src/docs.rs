//! What the author of a plugin wrote about its functions.
//!
//! Components carry no doc comments. The SDK puts them into a custom section
//! `rlm:docs`, a line of JSON for each module of its author's; a plugin without it
//! has none.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use wasmparser::{Parser, Payload};

/// The section's name.
const SECTION: &str = "rlm:docs";
/// Bytes of all sections of one component, those of nested modules included. What is beyond is
/// ignored: in memory docs take a multiple of their bytes in the file.
const MOST_BYTES: usize = 1 << 20;

/// Words about functions and types, by the names that the component has for them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Docs {
    /// Of the plugin as a whole.
    pub(crate) doc: String,
    pub(crate) functions: BTreeMap<String, FunctionDoc>,
    pub(crate) types: BTreeMap<String, TypeDoc>,
    /// Name of the type in `types` with these fields; none if there are several.
    #[serde(skip)]
    by_fields: HashMap<String, Option<String>>,
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
        let mut room = MOST_BYTES;
        for payload in Parser::new(0).parse_all(wasm).map_while(Result::ok) {
            let Payload::CustomSection(section) = payload else {
                continue;
            };
            if section.name() != SECTION {
                continue;
            }
            let Some(left) = room.checked_sub(section.data().len()) else {
                break;
            };
            room = left;
            let lines = section.data().split(|byte| *byte == b'\n');
            for line in lines.filter_map(|line| serde_json::from_slice::<Self>(line).ok()) {
                if docs.doc.is_empty() {
                    docs.doc = line.doc;
                }
                docs.functions.extend(line.functions);
                docs.types.extend(line.types);
            }
        }
        for (name, doc) in &docs.types {
            let named = docs
                .by_fields
                .entry(key(doc.fields.keys().map(String::as_str)));
            // Two that look alike cannot be told apart.
            named
                .and_modify(|named| *named = None)
                .or_insert_with(|| Some(name.clone()));
        }
        docs
    }

    /// Returns the docs of the record with these fields: a component's types have no names.
    pub(crate) fn record<'f>(&self, fields: impl Iterator<Item = &'f str>) -> Option<&TypeDoc> {
        if self.by_fields.is_empty() {
            return None;
        }
        let mut fields: Vec<_> = fields.collect();
        fields.sort_unstable();
        let name = self.by_fields.get(&key(fields.into_iter()))?.as_ref()?;
        self.types.get(name)
    }
}

/// Returns one text for sorted names of fields. No name has a line feed in a component.
fn key<'f>(fields: impl Iterator<Item = &'f str>) -> String {
    fields.fold(String::new(), |key, field| key + field + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A component with these sections of docs.
    fn component(sections: &[String]) -> Vec<u8> {
        let mut wasm = b"\0asm\x0d\0\x01\0".to_vec();
        let leb = |mut number: usize| {
            let mut bytes = Vec::new();
            while number > 127 {
                bytes.push((number & 127) as u8 | 128);
                number >>= 7;
            }
            bytes.push(number as u8);
            bytes
        };
        for text in sections {
            wasm.push(0);
            wasm.extend(leb(1 + SECTION.len() + text.len()));
            wasm.push(SECTION.len() as u8);
            wasm.extend(SECTION.bytes().chain(text.bytes()));
        }
        wasm
    }

    #[test]
    fn all_sections_have_a_cap_together() {
        let section = |number: usize| {
            let types = (0..1000).map(|ty| format!("\"t{number}-{ty}\":{{}}"));
            let types = types.collect::<Vec<_>>().join(",");
            format!("{{\"types\":{{{types}}}}}")
        };
        let sections: Vec<_> = (0..1000).map(section).collect();
        let docs = Docs::of(&component(&sections));
        let bytes = sections[0].len();
        assert!(docs.types.len() > 50_000, "{}", docs.types.len());
        assert!(docs.types.len() <= MOST_BYTES / bytes * 1000 + 10_000);
        let long = format!("{{\"doc\":\"{}\"}}", "a".repeat(MOST_BYTES));
        assert_eq!(Docs::of(&component(&[long])).doc, "");
    }

    #[test]
    fn records_are_found_by_their_fields() {
        let text = r#"{"types":{
            "a":{"doc":"A","fields":{"x":"1","y-z":"2"}},
            "b":{"doc":"B","fields":{"x":"1"}},
            "c":{"doc":"C","fields":{"y":"1"}},
            "d":{"doc":"D","fields":{"y":"2"}}}}"#;
        let docs = Docs::of(&component(&[text.replace('\n', " ")]));
        let found = |fields: &[&str]| Some(docs.record(fields.iter().copied())?.doc.clone());
        assert_eq!(found(&["y-z", "x"]).as_deref(), Some("A"));
        assert_eq!(found(&["x"]).as_deref(), Some("B"));
        for fields in [&["y"][..], &["x", "y"], &[], &["x", "y-z", "y"]] {
            assert_eq!(found(fields), None, "{fields:?}");
        }
    }
}
