//! The arguments of a call, read by position or by name.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeOwned, IntoDeserializer, Visitor};
use serde_json::{Map, Value as Json};

use crate::tool::{Tool, ToolError};
use crate::value::{MOST_LEVELS, has_reserved_key, has_tags, is_read_by_all, plain_json};

/// What Python gave a call, parsed and fitted to the tool's parameters.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Arguments {
    tool: Arc<str>,
    /// In the order of the parameters. Shared: the session keeps them for as long as the call
    /// is open, and so does its handler.
    named: Arc<Vec<(Box<str>, Json)>>,
    /// The same with tags, where that is something else.
    #[serde(default, skip_serializing_if = "is_empty")]
    tagged: Arc<Vec<Json>>,
    parameters: Arc<[Box<str>]>,
    /// The number of leading arguments that were given by position to a tool without
    /// named parameters.
    #[serde(default)]
    by_position: usize,
}

fn is_empty(tagged: &Arc<Vec<Json>>) -> bool {
    tagged.is_empty()
}

impl Arguments {
    /// Fits `{"args": […], "kwargs": {…}}`, as a guest claims it, to `tool`.
    ///
    /// The errors are those that CPython gives for a function defined in Python, and
    /// a `ValueError` if it would take more than `most_bytes` to read them.
    pub(crate) fn parse(tool: &Tool, json: &str, most_bytes: u64) -> Result<Self, ToolError> {
        #[derive(serde::Deserialize)]
        struct Claim {
            args: Vec<Json>,
            kwargs: Map<String, Json>,
        }
        if held_bytes(json) > most_bytes {
            let told = format!(
                "{}() was called with too many small values; pass fewer, or pass them as text",
                tool.name
            );
            return Err(ToolError::new("ValueError", told));
        }
        if has_reserved_key(json) {
            let told = format!(
                "{}() was called with a key that begins with $serde_json::private::, which is reserved; rename it",
                tool.name
            );
            return Err(ToolError::new("ValueError", told));
        }
        let claim: Claim = serde_json::from_str(json).map_err(|error| {
            ToolError::new(
                "ValueError",
                format!(
                    "{}() was called with arguments that cannot be read: {error}",
                    tool.name
                ),
            )
        })?;
        if !claim
            .args
            .iter()
            .chain(claim.kwargs.values())
            .all(is_read_by_all)
        {
            let message = format!(
                "{}() was called with arguments that nest more than {MOST_LEVELS} levels deep; pass them as text",
                tool.name
            );
            return Err(ToolError::new("ValueError", message));
        }
        let wrong =
            |message: String| ToolError::new("TypeError", format!("{}() {message}", tool.name));
        let (given, known) = (claim.args.len(), tool.parameters.len());
        if known > 0 && given > known {
            return Err(wrong(format!(
                "takes {known} positional argument{} but {given} were given",
                if known == 1 { "" } else { "s" }
            )));
        }
        let mut named: Vec<(Box<str>, Json)> = Vec::new();
        for (index, value) in claim.args.into_iter().enumerate() {
            let name = tool
                .parameters
                .get(index)
                .cloned()
                .unwrap_or_else(|| format!("_arg{index}").into());
            named.push((name, value));
        }
        let parameters = tool.parameters.iter().enumerate();
        let places: HashMap<&str, usize> =
            parameters.map(|(place, name)| (&**name, place)).collect();
        for (name, value) in claim.kwargs {
            let place = match known {
                0 => positional(&name),
                _ => places.get(name.as_str()).copied(),
            };
            if place.is_some_and(|place| place < given) {
                return Err(wrong(format!("got multiple values for argument '{name}'")));
            }
            if known > 0 && place.is_none() {
                return Err(wrong(format!(
                    "got an unexpected keyword argument '{name}'"
                )));
            }
            named.push((name.into(), value));
        }
        if known > 0 {
            named.sort_by_key(|(name, _)| places.get(&**name).copied());
        }
        let (name, parameters) = (Arc::clone(&tool.name), Arc::clone(&tool.parameters));
        let by_position = if known == 0 { given } else { 0 };
        Ok(Self::new(name, named, parameters, by_position))
    }

    fn new(
        tool: Arc<str>,
        named: Vec<(Box<str>, Json)>,
        parameters: Arc<[Box<str>]>,
        by_position: usize,
    ) -> Self {
        // They may be large, so there are two of them only where they differ.
        if !named.iter().any(|(_, value)| has_tags(value)) {
            return Self {
                tool,
                named: Arc::new(named),
                tagged: Arc::default(),
                parameters,
                by_position,
            };
        }
        let plain = named
            .iter()
            .map(|(name, value)| (name.clone(), plain_json(value.clone())));
        Self {
            tool,
            named: Arc::new(plain.collect()),
            tagged: Arc::new(named.into_iter().map(|(_, value)| value).collect()),
            parameters,
            by_position,
        }
    }

    /// Of a call that no guest makes: by name, by position, or a single one.
    pub(crate) fn of(function: &str, given: Json) -> Self {
        let positions = |values: Vec<Json>| {
            let values = values.into_iter().enumerate();
            let named = values.map(|(index, value)| (format!("_arg{index}").into(), value));
            named.collect()
        };
        let is_named = given.is_object();
        let named: Vec<_> = match given {
            Json::Object(members) => {
                let members = members.into_iter();
                members.map(|(name, value)| (name.into(), value)).collect()
            }
            Json::Array(values) => positions(values),
            value => positions(vec![value]),
        };
        let by_position = if is_named { 0 } else { named.len() };
        Self::new(function.into(), named, Arc::new([]), by_position)
    }

    /// Returns true if they are of a call of the tool `name`, and as many as they say.
    pub(crate) fn is_for(&self, name: &str) -> bool {
        let known: BTreeSet<_> = self.parameters.iter().collect();
        let mut given = self.named.iter();
        let fit = known.is_empty() || given.all(|(name, _)| known.contains(name));
        *self.tool == *name
            && fit
            && self.by_position <= self.named.len()
            && (self.tagged.is_empty() || self.tagged.len() == self.named.len())
    }

    /// One argument by its name.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.named
            .iter()
            .find(|(given, _)| **given == *name)
            .map(|(_, value)| value)
    }

    /// The arguments by name, in the order of the parameters.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.named.iter().map(|(name, value)| (&**name, value))
    }

    /// The same with the tags of `wit/types.wit` for what JSON lacks: tuples,
    /// sets, bytes, dates, whole numbers of any size. Given back as an answer,
    /// they are the same values again.
    pub fn tagged(&self) -> impl Iterator<Item = (&str, &Json)> {
        let values = self.named.iter().enumerate();
        values.map(|(index, (name, plain))| (&**name, self.tagged.get(index).unwrap_or(plain)))
    }

    /// The same by position and by name, to be passed on. A tool with named parameters gets all
    /// of them by name.
    pub fn split(&self) -> (Vec<&Json>, Vec<(&str, &Json)>) {
        let mut args: Vec<_> = self.tagged().collect();
        let kwargs = args.split_off(self.by_position.min(args.len()));
        (args.into_iter().map(|(_, value)| value).collect(), kwargs)
    }

    /// The arguments as a struct or map, by name, or as a tuple or sequence.
    ///
    /// # Errors
    ///
    /// A `TypeError` in Python's words if they do not fit.
    pub fn read<A: DeserializeOwned>(&self) -> Result<A, ToolError> {
        A::deserialize(self).map_err(|error: serde_json::Error| {
            ToolError::new(
                "TypeError",
                format!("{}() was called with wrong arguments: {error}", self.tool),
            )
        })
    }

    /// The values in order, with a null for each parameter that was left out.
    fn in_order(&self) -> Vec<Json> {
        if self.parameters.is_empty() {
            return self.named.iter().map(|(_, value)| value.clone()).collect();
        }
        let named: HashMap<_, _> = self.iter().collect();
        let values = self.parameters.iter();
        values
            .map(|name| {
                named
                    .get(&**name)
                    .map_or(Json::Null, |&value| value.clone())
            })
            .collect()
    }
}

/// The place of an argument that was given by position to a tool without named
/// parameters, if this is the name of one.
fn positional(name: &str) -> Option<usize> {
    name.strip_prefix("_arg")?.parse().ok()
}

/// Returns the bytes of memory that it takes at most to have read this JSON: small lists take
/// a hundred times as much as their text.
pub(crate) fn read_bytes(json: &str) -> u64 {
    let (mut bytes, mut in_text, mut is_escaped) = (json.len() as u64, false, false);
    for byte in json.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'{' if !in_text => bytes += OBJECT_BYTES,
            b'[' if !in_text => bytes += LIST_BYTES,
            b',' if !in_text => bytes += VALUE_BYTES,
            b':' if !in_text => bytes += MEMBER_BYTES,
            _ => {}
        }
    }
    bytes
}

/// Returns the bytes of memory that an open call with these arguments counts for: what it takes
/// to have read them, and the text in which they are passed on.
pub(crate) fn held_bytes(json: &str) -> u64 {
    read_bytes(json).saturating_add(json.len() as u64)
}

/// Memory that it may take to read a request, in multiples of the bytes of its text.
pub(crate) const READ_FACTOR: u64 = 16;

/// Bytes of a [`Json`] in a list that doubles its room when it is full.
const VALUE_BYTES: u64 = 2 * size_of::<Json>() as u64;
/// Bytes of a list's first room, for four values.
const LIST_BYTES: u64 = 4 * size_of::<Json>() as u64 + 16;
/// Bytes of a member beyond the [`VALUE_BYTES`] of the comma before it: its name and hash.
const MEMBER_BYTES: u64 = 112;
/// Bytes of an object's first room, for three members.
const OBJECT_BYTES: u64 = 640;

impl<'de> de::Deserializer<'de> for &Arguments {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let members = self
            .named
            .iter()
            .map(|(name, value)| (&**name, value.clone().into_deserializer()));
        visitor.visit_map(MapDeserializer::new(members))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_seq(SeqDeserializer::new(
            self.in_order()
                .into_iter()
                .map(IntoDeserializer::into_deserializer),
        ))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self.named.first() {
            None => visitor.visit_unit(),
            Some((name, _)) => Err(de::Error::custom(format!(
                "it takes no arguments, but `{name}` was given"
            ))),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit_struct tuple_struct struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::json;

    use super::*;

    fn tool(parameters: &[&str]) -> Tool {
        Tool::declared("find").parameters(parameters.iter().copied())
    }

    fn arguments(json: Json) -> Result<Arguments, ToolError> {
        Arguments::parse(&tool(&["text", "count"]), &json.to_string(), u64::MAX)
    }

    #[derive(serde::Deserialize, Debug, PartialEq)]
    struct Find {
        text: String,
        #[serde(default)]
        count: Option<u32>,
    }

    #[doc = "Keeps R3-8, X25."]
    #[test]
    fn positions_and_names_fit_structs_and_tuples() {
        for call in [
            json!({"args": ["a", 2], "kwargs": {}}),
            json!({"args": ["a"], "kwargs": {"count": 2}}),
            json!({"args": [], "kwargs": {"count": 2, "text": "a"}}),
        ] {
            let arguments = arguments(call).expect("fits");
            assert_eq!(
                arguments.read::<Find>().expect("a struct"),
                Find {
                    text: "a".into(),
                    count: Some(2)
                }
            );
            assert_eq!(
                arguments.read::<(String, u32)>().expect("a tuple"),
                ("a".into(), 2)
            );
            assert_eq!(
                arguments.read::<Json>().expect("JSON"),
                json!({"text": "a", "count": 2})
            );
        }
        let short = arguments(json!({"args": ["a"], "kwargs": {}})).expect("fits");
        assert_eq!(
            short.read::<(String, Option<u32>)>().expect("a tuple"),
            ("a".into(), None)
        );
        assert_eq!(short.read::<Find>().expect("a struct").count, None);
    }

    #[test]
    fn misfits_are_told_as_python_tells_them() {
        let message = |call: Json| arguments(call).expect_err("does not fit").exception.message;
        assert_eq!(
            message(json!({"args": [1, 2, 3], "kwargs": {}})),
            "find() takes 2 positional arguments but 3 were given"
        );
        assert_eq!(
            message(json!({"args": [], "kwargs": {"x": 1}})),
            "find() got an unexpected keyword argument 'x'"
        );
        assert_eq!(
            message(json!({"args": ["a"], "kwargs": {"text": 1}})),
            "find() got multiple values for argument 'text'"
        );
        let missing = arguments(json!({"args": [], "kwargs": {}}))
            .expect("fits no struct")
            .read::<Find>();
        assert!(
            missing
                .expect_err("missing")
                .exception
                .message
                .contains("text")
        );
        assert!(Arguments::parse(&tool(&[]), "[]", u64::MAX).is_err());
    }

    #[test]
    fn arguments_are_fitted_in_time_in_proportion_to_their_number() {
        // As long as names may be, and alike but for their ends.
        let names: Vec<_> = (0..1000).map(|number| format!("{number:a>1000}")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let tool = tool(&names);
        let kwargs: Map<_, _> = names
            .iter()
            .rev()
            .map(|name| ((*name).into(), json!(0)))
            .collect();
        let call = json!({"args": [], "kwargs": kwargs}).to_string();
        let since = Instant::now();
        for _ in 0..100 {
            let arguments = Arguments::parse(&tool, &call, u64::MAX).expect("fits");
            assert!(
                arguments
                    .iter()
                    .map(|(name, _)| name)
                    .eq(names.iter().copied())
            );
            assert_eq!(arguments.in_order().len(), 1000);
        }
        // Looking through all names for each of them takes a minute.
        assert!(
            since.elapsed() < Duration::from_secs(20),
            "{:?}",
            since.elapsed()
        );
    }

    #[test]
    fn without_parameters_anything_goes() {
        let call = json!({"args": [{"$tuple": [1]}], "kwargs": {"k": "v"}}).to_string();
        let arguments = Arguments::parse(&tool(&[]), &call, u64::MAX).expect("fits");
        assert_eq!(
            arguments.read::<Json>().expect("JSON"),
            json!({"_arg0": [1], "k": "v"})
        );
        assert_eq!(
            arguments.read::<(Vec<u8>, String)>().expect("a tuple"),
            (vec![1], "v".into())
        );
        let (args, kwargs) = arguments.split();
        assert_eq!(
            json!([args, kwargs]),
            json!([[{"$tuple": [1]}], [["k", "v"]]])
        );
        // A name of the script's own is a name.
        let arguments = Arguments::parse(
            &tool(&[]),
            r#"{"args": [1], "kwargs": {"_arg1": 2}}"#,
            u64::MAX,
        );
        let arguments = arguments.expect("fits");
        let (args, kwargs) = arguments.split();
        assert_eq!(json!([args, kwargs]), json!([[1], [["_arg1", 2]]]));
    }

    #[test]
    fn what_takes_much_to_read_is_refused_before_it_is_read() {
        let many = |item: &str| {
            format!(
                r#"{{"args":[[{}]],"kwargs":{{}}}}"#,
                vec![item; 10_000].join(",")
            )
        };
        for (item, fits) in [
            ("0", false),
            ("[1]", false),
            (r#"{"a":0}"#, false),
            (r#""{{{[,:\"""#, true),
            (r#""a text of forty characters, as rows have""#, true),
        ] {
            let json = many(item);
            let most = json.len() as u64 * READ_FACTOR;
            let read = Arguments::parse(&tool(&[]), &json, most);
            assert_eq!(read.is_ok(), fits, "{item}");
        }
    }
}
