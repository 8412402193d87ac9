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
/// Bytes of memory of the docs in all sections of one component, those of nested modules included.
/// Docs from the first line on that would take more are ignored.
const MOST_BYTES: usize = 1 << 20;
/// Bytes of an object's first room, for up to 11 members.
const OBJECT_BYTES: usize = 352;
/// Bytes of a member: its part of a node, of the rounding of its texts, and of the table of records.
const MEMBER_BYTES: usize = 128;
/// Copies of a text at most: the table of records has names once more.
const COPIES: usize = 2;

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
    #[serde(skip)]
    memory_bytes: usize,
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
        let payloads = Parser::new(0).parse_all(wasm).map_while(Result::ok);
        let sections = payloads.filter_map(|payload| match payload {
            Payload::CustomSection(section) if section.name() == SECTION => Some(section.data()),
            _ => None,
        });
        for line in sections.flat_map(|section| section.split(|byte| *byte == b'\n')) {
            // A line that says nothing counts, too, for the time that it takes.
            let bytes = docs.memory_bytes + memory_bytes(line);
            if bytes > MOST_BYTES {
                break;
            }
            docs.memory_bytes = bytes;
            let Ok(line) = serde_json::from_slice::<Self>(line) else {
                continue;
            };
            if docs.doc.is_empty() {
                docs.doc = line.doc;
            }
            let functions = line.functions.into_iter();
            docs.functions
                .extend(functions.filter(|(_, doc)| !doc.doc.is_empty()));
            // Others are no records. One without a word makes those with its fields ambiguous.
            let types = line.types.into_iter();
            docs.types
                .extend(types.filter(|(_, doc)| !doc.fields.is_empty()));
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

    /// Returns the bytes of memory that they take at most.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.memory_bytes as u64
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

/// Returns the bytes of memory that it takes at most to have read a line: small entries take twenty times
/// as much as their text.
fn memory_bytes(line: &[u8]) -> usize {
    let (mut bytes, mut in_text, mut is_escaped) = (COPIES * (line.len() + 1), false, false);
    for byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            // The fields of a struct may be a list.
            b'{' | b'[' if !in_text => bytes += OBJECT_BYTES,
            b':' if !in_text => bytes += MEMBER_BYTES,
            _ => {}
        }
    }
    bytes
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

    /// The memory of this process that is not in a file.
    #[cfg(target_os = "linux")]
    fn resident_bytes() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").expect("text");
        let line = status.lines().find(|line| line.starts_with("RssAnon:"));
        let kib = line.and_then(|line| line.split_whitespace().nth(1));
        kib.expect("told").parse::<u64>().expect("a number") << 10
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn docs_count_by_the_memory_that_they_take() {
        const COMPONENTS: u64 = 64;
        let shapes = [
            ("types", "{}"),
            ("types", r#"{"doc":"d"}"#),
            ("types", r#"{"fields":{"NAME":""}}"#),
            ("types", r#"["",{"NAME":""}]"#),
            (
                "types",
                r#"{"fields":{"NAME":"","b":"","c":"","d":"","e":"","f":"","g":""}}"#,
            ),
            ("functions", r#"{"doc":"d"}"#),
            ("functions", r#"["d"]"#),
            ("functions", r#"{}"#),
        ];
        for (kind, entry) in shapes {
            let member = |number: usize| {
                let entry = entry.replace("NAME", &format!("a{number:x}"));
                format!("\"{number:x}\":{entry}")
            };
            let section = |number: usize| {
                let members: Vec<_> = (number * 100..).take(100).map(member).collect();
                format!("{{\"{kind}\":{{{}}}}}\n", members.join(","))
            };
            // As much text as a component may have for its other names.
            let sections: Vec<_> = (0..500).map(section).collect();
            let wasm = component(&sections);
            let before = resident_bytes();
            let docs: Vec<_> = (0..COMPONENTS).map(|_| Docs::of(&wasm)).collect();
            let took = resident_bytes().saturating_sub(before);
            let counted: u64 = docs.iter().map(Docs::memory_bytes).sum();
            assert!(counted <= COMPONENTS * MOST_BYTES as u64, "{counted}");
            // Other tests run meanwhile.
            assert!(took < counted + (16 << 20), "{entry}: {took} of {counted}");
        }
    }

    #[test]
    fn all_sections_have_a_cap_together() {
        let section = |number: usize| {
            let types =
                (0..10).map(|ty| format!("\"t{number}-{ty}\":{{\"fields\":{{\"a\":\"\"}}}}"));
            let types = types.collect::<Vec<_>>().join(",");
            format!("{{\"types\":{{{types}}}}}")
        };
        let sections: Vec<_> = (0..1000).map(section).collect();
        let docs = Docs::of(&component(&sections));
        let fits = MOST_BYTES / memory_bytes(sections[999].as_bytes());
        assert!(
            (10 * fits..10 * fits + 100).contains(&docs.types.len()),
            "{}",
            docs.types.len()
        );
        assert!(docs.memory_bytes <= MOST_BYTES);
        let long = format!("{{\"doc\":\"{}\"}}", "a".repeat(MOST_BYTES / COPIES));
        assert_eq!(Docs::of(&component(&[long])).doc, "");
    }

    #[test]
    fn entries_without_words_are_not_kept() {
        let text = r#"{"functions":{"a":{},"b":{"doc":"B"}},"types":{"c":{},"d":{"cases":{"x":"X"}},"e":{"fields":{"y":""}}}}"#;
        let docs = Docs::of(&component(&[text.to_owned()]));
        assert_eq!(Vec::from_iter(docs.functions.keys()), ["b"]);
        assert_eq!(Vec::from_iter(docs.types.keys()), ["e"]);
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
