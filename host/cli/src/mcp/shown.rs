//! What results show: cut to what a client may be given.

use rlm_sandbox::{Context, Value, View, is_read_by_all};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::{Server, resource};

/// Names that are listed.
pub(super) const LISTED: usize = 200;

/// Characters that a list in a result may take together.
pub(super) struct Room(usize);

impl Room {
    pub(super) fn new(characters: usize) -> Self {
        Self(characters)
    }

    /// Returns whether these texts fit, each with its quotes and a comma, and takes
    /// their room; once something did not fit, nothing does.
    pub(super) fn take(&mut self, texts: &[&str]) -> bool {
        let characters = |text: &&str| text.chars().count() + QUOTED;
        let wanted: usize = texts.iter().map(characters).sum();
        let left = self.0.checked_sub(wanted);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }

    /// Returns the characters that are left.
    pub(super) fn left(&self) -> usize {
        self.0
    }
}

/// Characters around a text in a list.
const QUOTED: usize = 4;

/// A context that was loaded, and what Python sees now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct LoadedNow {
    #[serde(flatten)]
    pub(super) loaded: Loaded,
    /// Python for the context. Numbers of `context_0`, `context_1` … go by the names of all contexts, and change when others are
    /// loaded or dropped.
    pub(super) python: String,
    /// Name of the context that is `context` in Python: that named `context.txt`, or else the first one by name.
    pub(super) default_context: String,
    /// The change for scripts that were written before: `context` is another context now. Null if it is not.
    pub(super) note: Option<String>,
}

/// A context that there is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Loaded {
    name: String,
    /// Where to read it as a resource.
    uri: String,
    mime_type: String,
    size_bytes: u64,
    /// Of a text.
    characters: Option<u64>,
    lines: Option<u64>,
}

impl Loaded {
    /// Returns whether it fits into a list, and takes its room.
    pub(super) fn takes(&self, room: &mut Room) -> bool {
        const MEMBERS: &str =
            r#"{"name":,"uri":,"mime_type":,"size_bytes":,"characters":,"lines":,}"#;
        let number = |number: Option<u64>| number.map_or_else(String::new, |it| it.to_string());
        room.take(&[
            &self.name,
            &self.uri,
            &self.mime_type,
            &self.size_bytes.to_string(),
            &number(self.characters),
            &number(self.lines),
            MEMBERS,
        ])
    }
}

/// A variable.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Got {
    name: String,
    repr: String,
    /// As JSON, where it has that and is not too long.
    value: Option<Json>,
    truncated: bool,
}

impl Server {
    /// Cuts what a script made to what a client may be given, a quarter of it from
    /// the end.
    pub(super) fn view(&self, characters: usize) -> View {
        let mut view = View::default();
        (view.head, view.tail) = (characters - characters / 4, characters / 4);
        view.marker =
            String::from("\n... [{omitted} characters omitted; print less, or slice] ...\n");
        view
    }

    /// A value as JSON, if that is not too long.
    fn json(&self, value: &Value) -> Option<Json> {
        let fits = value.json.as_ref()?.len() <= self.max_output / 2;
        let json = if fits { value.get().ok() } else { None };
        json.filter(is_read_by_all)
    }

    pub(super) fn got(&self, name: String, value: &Value) -> Got {
        // What is beyond the limit on values is no end.
        let end = if value.truncated { " […]" } else { "" };
        let shown = self
            .view(self.max_output / 2)
            .cut(&format!("{}{end}", value.repr));
        Got {
            name,
            value: self.json(value),
            truncated: value.truncated || shown.omitted > 0,
            repr: shown.text,
        }
    }
}

pub(super) fn loaded(context: &Context) -> Loaded {
    let text = context.as_text();
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    Loaded {
        name: context.name().to_owned(),
        uri: resource::uri(context.name()),
        mime_type: resource::mime_type(context).to_owned(),
        size_bytes: context.size_bytes(),
        characters: text.map(|text| count(text.chars().count())),
        lines: text.map(|text| {
            let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
            count(ends + usize::from(!text.is_empty() && !text.ends_with('\n')))
        }),
    }
}
