//! Values that cross the wall, and plain JSON.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use rlm_sandbox_engine::{Error, Result};

/// A Python value, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Value {
    /// What `repr()` gives, cut at [`Limits::value_bytes`](crate::Limits::value_bytes).
    pub repr: String,
    /// The value as JSON with tags for what JSON lacks (`{"$tuple": […]}`; all
    /// of them stand in `wit/types.wit`), or none if it is too large.
    pub json: Option<String>,
    /// Whether `repr` was cut.
    pub truncated: bool,
}

impl Value {
    /// The value as a Rust type.
    ///
    /// Tuples and sets become sequences, bytes base64 text, dates ISO text;
    /// dictionaries whose keys are not text become sequences of pairs.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if it is too large for
    /// JSON or is not a `T`.
    pub fn get<T: DeserializeOwned>(&self) -> Result<T> {
        let json = self
            .json
            .as_deref()
            .ok_or_else(|| Error::usage("the value is too large to be read as JSON"))?;
        let tagged = parse(json)?;
        serde_json::from_value(plain_json(tagged)).map_err(|error| {
            Error::usage(format!("the value {} is of another type", clip(&self.repr)))
                .because(error)
        })
    }
}

pub(crate) fn clip(text: &str) -> &str {
    &text[..text.floor_char_boundary(80)]
}

/// Parses what a guest claims to be JSON. Deeper than 128 levels it is refused.
pub(crate) fn parse(json: &str) -> Result<Json> {
    serde_json::from_str(json).map_err(|error| {
        Error::usage("the value nests too deeply to be read as JSON").because(error)
    })
}

/// Whether there is anything that [`plain_json`] would change.
pub(crate) fn has_tags(value: &Json) -> bool {
    match value {
        Json::Array(items) => items.iter().any(has_tags),
        Json::Object(members) => {
            let is_tag = members.len() == 1 && members.keys().all(|name| name.starts_with('$'));
            is_tag || members.values().any(has_tags)
        }
        _ => false,
    }
}

/// Whether this is a pair of a dictionary that an object can have.
fn is_member(pair: &Json) -> bool {
    matches!(pair, Json::Array(pair) if matches!(&pair[..], [Json::String(_), _]))
}

fn member(pair: Json) -> Option<(String, Json)> {
    let Json::Array(pair) = pair else { return None };
    match <[Json; 2]>::try_from(pair) {
        Ok([Json::String(name), value]) => Some((name, plain_json(value))),
        _ => None,
    }
}

/// Replaces the tags of `wit/types.wit` for what JSON lacks by the nearest plain
/// JSON: tuples and sets become arrays, bytes base64 text, dictionaries objects if their
/// keys are text, and else arrays of pairs.
pub fn plain_json(value: Json) -> Json {
    match value {
        Json::Array(items) => Json::Array(items.into_iter().map(plain_json).collect()),
        Json::Object(members) if members.len() == 1 => {
            let (name, inner) = members.into_iter().next().expect("one member");
            match (name.as_str(), inner) {
                ("$dict", Json::Array(pairs)) if pairs.iter().all(is_member) => {
                    Json::Object(pairs.into_iter().filter_map(member).collect())
                }
                ("$tuple" | "$set" | "$frozenset" | "$dict", Json::Array(items)) => {
                    Json::Array(items.into_iter().map(plain_json).collect())
                }
                ("$int", Json::String(text)) => {
                    text.parse::<u64>().map_or(Json::String(text), Json::from)
                }
                ("$float", Json::String(text)) => Json::from(match text.as_str() {
                    "inf" => "Infinity",
                    "-inf" => "-Infinity",
                    _ => "NaN",
                }),
                ("$bytes" | "$date" | "$datetime" | "$repr", Json::String(text)) => {
                    Json::String(text)
                }
                (_, inner) => Json::Object(Map::from_iter([(name, plain_json(inner))])),
            }
        }
        Json::Object(members) => Json::Object(
            members
                .into_iter()
                .map(|(name, value)| (name, plain_json(value)))
                .collect(),
        ),
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tags_become_the_nearest_plain_json() {
        let tagged = json!({"a": {"$tuple": [1, {"$set": ["x"]}]}, "b": {"$int": "18446744073709551615"}, "$ref": 1});
        assert_eq!(
            plain_json(tagged),
            json!({"a": [1, ["x"]], "b": u64::MAX, "$ref": 1})
        );
        assert_eq!(
            plain_json(json!({"$dict": [[1, "one"]]})),
            json!([[1, "one"]])
        );
        assert_eq!(
            plain_json(json!({"$ref": {"$tuple": []}})),
            json!({"$ref": []})
        );
    }
}
