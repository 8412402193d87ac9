//! Contexts: data that scripts read and the host keeps.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use rlm_sandbox_engine::pages::SharedText;
use rlm_sandbox_engine::{Error, Result, hex};

/// A named input of a session: text, JSON or bytes.
///
/// Scripts see all contexts as `files` (by name), `context_files` (the names)
/// and `context_0`, `context_1` … (in the order of their names), and one of
/// them as `context`. A context is copied into the session only once a script
/// mentions it; `read_context(name, start, length)` reads a slice without that.
#[derive(Clone, PartialEq, Eq)]
pub struct Context {
    name: Arc<str>,
    field: Option<Arc<str>>,
    data: Data,
    guard: Guard,
    facts: Facts,
}

/// Results that take a pass over the data, each computed when it is first needed. All clones share
/// them, and all are equal.
#[derive(Clone, Default)]
struct Facts(Arc<Computed>);

#[derive(Default)]
struct Computed {
    digest: OnceLock<String>,
    characters: OnceLock<u64>,
    shared: OnceLock<Option<Arc<SharedText>>>,
}

impl PartialEq for Facts {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Facts {}

/// A value that lives as long as the data of a context. All guards are equal.
#[derive(Clone, Default)]
struct Guard(
    #[expect(dead_code, reason = "it is there to be dropped")] Option<Arc<dyn Any + Send + Sync>>,
);

impl PartialEq for Guard {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Guard {}

/// What a context holds. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Data {
    Text(Arc<str>),
    Json(Arc<str>),
    Bytes(Arc<[u8]>),
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Json(text) => write!(f, "{} bytes of text", text.len()),
            Self::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
        }
    }
}

impl Context {
    /// A text; Python sees a `str`.
    pub fn text(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            field: None,
            data: Data::Text(text.into()),
            guard: Guard::default(),
            facts: Facts::default(),
        }
    }

    /// JSON text; Python sees what it parses to, and the text in `files`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if it does not parse.
    pub fn json(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Result<Self> {
        let (name, text) = (name.into(), text.into());
        if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&text) {
            return Err(Error::usage(format!(
                "context `{name}` is not JSON ({error}); pass it as text"
            )));
        }
        Ok(Self {
            name,
            field: None,
            data: Data::Json(text),
            guard: Guard::default(),
            facts: Facts::default(),
        })
    }

    /// Any bytes; Python sees `bytes`.
    pub fn bytes(name: impl Into<Arc<str>>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self {
            name: name.into(),
            field: None,
            data: Data::Bytes(bytes.into()),
            guard: Guard::default(),
            facts: Facts::default(),
        }
    }

    /// Says which input of the program this is. The context of the field
    /// `context` is what scripts see as `context`.
    #[must_use]
    pub fn field(mut self, field: impl Into<Arc<str>>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Attaches a value that is dropped with the last clone of the context: a permit, for
    /// instance, that counts its memory. A session may keep a context that was removed, to
    /// repeat what read it, and so its guard. Replaces a guard from before; equality ignores
    /// it.
    #[must_use]
    pub fn guard(mut self, guard: Arc<dyn Any + Send + Sync>) -> Self {
        self.guard = Guard(Some(guard));
        self
    }

    /// Returns the same data under another name.
    pub(crate) fn renamed(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// Returns the first bytes of it as a context of the same name, form and guard, if it has more than so many. JSON has no
    /// beginning.
    pub(crate) fn beginning(&self, bytes: usize) -> Option<Self> {
        let data = match &self.data {
            Data::Text(text) if bytes < text.len() => Data::Text(text.get(..bytes)?.into()),
            Data::Bytes(all) if bytes < all.len() => Data::Bytes(all[..bytes].into()),
            Data::Text(_) | Data::Json(_) | Data::Bytes(_) => return None,
        };
        let mut beginning = self.clone();
        (beginning.data, beginning.facts) = (data, Facts::default());
        Some(beginning)
    }

    /// The name, as in `files[name]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the field that [`field`](Self::field) named, if it did.
    pub fn field_name(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// What it is read as: `text`, `json` or `bytes`.
    pub fn form(&self) -> &'static str {
        match self.data {
            Data::Text(_) => "text",
            Data::Json(_) => "json",
            Data::Bytes(_) => "bytes",
        }
    }

    /// Bytes of it.
    pub fn size_bytes(&self) -> u64 {
        self.as_bytes().len() as u64
    }

    /// Returns the SHA-256 of the data, in hexadecimal digits. The first call computes it, which
    /// takes a second for each gigabyte or two; clones share the result. Snapshots need it: a
    /// program with large contexts may call this on a thread of its own before
    /// [`park`](crate::Session::park).
    pub fn digest(&self) -> &str {
        let digest = || hex(&Sha256::digest(self.as_bytes()));
        self.facts.0.digest.get_or_init(digest)
    }

    /// Returns the number of characters, 0 for bytes.
    pub(crate) fn characters(&self) -> u64 {
        let count = |text: &str| text.chars().count() as u64;
        let computed = &self.facts.0.characters;
        *computed.get_or_init(|| self.as_text().map_or(0, count))
    }

    /// Returns the data as memories share it; `None` of data that each of them copies.
    pub(crate) fn shared(&self) -> Option<Arc<SharedText>> {
        let bytes = || match &self.data {
            Data::Text(text) | Data::Json(text) => Arc::<[u8]>::from(Arc::clone(text)),
            Data::Bytes(bytes) => Arc::clone(bytes),
        };
        let shared = || SharedText::new(bytes()).map(Arc::new);
        self.facts.0.shared.get_or_init(shared).clone()
    }

    pub(crate) fn data(&self) -> &Data {
        &self.data
    }

    /// The bytes of it.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.data {
            Data::Text(text) | Data::Json(text) => text.as_bytes(),
            Data::Bytes(bytes) => bytes,
        }
    }

    /// The text, if it is text or JSON.
    pub fn as_text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) | Data::Json(text) => Some(text),
            Data::Bytes(_) => None,
        }
    }

    /// Linear memory that holding it may take, in bytes, while it is copied in.
    pub(crate) fn footprint_bytes(&self) -> u64 {
        // Text is there twice while it moves into Python. Parsed JSON takes a
        // node of 32 bytes and a Python object for as little as two bytes.
        let factor = if matches!(self.data, Data::Json(_)) {
            48
        } else {
            3
        };
        self.size_bytes().saturating_mul(factor)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Context({:?}, {}, {} bytes)",
            self.name,
            self.form(),
            self.size_bytes()
        )
    }
}

/// Which context scripts see as `context`: the first of the field `context`,
/// else the one named `context.txt`, else the first by name, else the graph
/// input `context` (text as it is, anything else as indented JSON).
///
/// `contexts` are in the order in which they were added.
pub fn select_default_context(contexts: &[Context], graph_input: Option<&Json>) -> Option<Context> {
    let chosen = default_of(contexts.iter()).cloned();
    chosen.or_else(|| graph_input.cloned().map(of_graph_input))
}

/// Returns the context that the graph input `context` is.
pub(crate) fn of_graph_input(input: Json) -> Context {
    let text = match input {
        Json::String(text) => text,
        // Pretty-printing a parsed value cannot fail.
        other => serde_json::to_string_pretty(&other).unwrap_or_default(),
    };
    Context::text("context", text)
}

/// The one of these that is `context`: by its field, by its name, else the first.
pub(crate) fn default_of<'a>(
    contexts: impl Iterator<Item = &'a Context> + Clone,
) -> Option<&'a Context> {
    let is_named = |context: &&Context| context.name() == "context.txt";
    let by_field = |context: &&Context| context.field.as_deref() == Some("context");
    let mut all = contexts.clone();
    all.find(by_field)
        .or_else(|| contexts.clone().find(is_named))
        .or_else(|| contexts.min_by(|a, b| a.name().as_bytes().cmp(b.name().as_bytes())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[doc = "Keeps R0-6."]
    #[test]
    fn the_default_context_is_chosen_in_the_documented_order() {
        let (a, b) = (Context::text("a.txt", "a"), Context::text("b.txt", "b"));
        let named = Context::text("context.txt", "named");
        let field = Context::text("z.txt", "field").field("context");
        let input = json!({"k": [1]});
        let chosen = |contexts: &[&Context], input: Option<&Json>| {
            let contexts: Vec<_> = contexts.iter().map(|context| (*context).clone()).collect();
            select_default_context(&contexts, input)
                .map(|chosen| chosen.as_text().expect("text").to_owned())
        };
        assert_eq!(
            chosen(&[&b, &named, &field], Some(&input)).as_deref(),
            Some("field")
        );
        assert_eq!(
            chosen(&[&b, &a, &named], Some(&input)).as_deref(),
            Some("named")
        );
        assert_eq!(chosen(&[&b, &a], Some(&input)).as_deref(), Some("a"));
        assert_eq!(
            chosen(&[], Some(&input)).as_deref(),
            Some("{\n  \"k\": [\n    1\n  ]\n}")
        );
        assert_eq!(chosen(&[], Some(&json!("plain"))).as_deref(), Some("plain"));
        assert_eq!(chosen(&[], None), None);
    }
}
