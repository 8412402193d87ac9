//! Values that cross the wall, and plain JSON.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};

use crate::arguments::read_bytes;
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
    /// True if `repr` was cut.
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

/// Prefix of the keys that `serde_json` keeps for itself, with its feature `raw_value`.
const RESERVED: &[u8] = b"$serde_json::private::";

/// Levels of lists and dictionaries that JSON of a script has, in reports, arguments of calls and exports. Parsers in Rust stop
/// at 128 levels, with those of the message around it, and Python's at its recursion limit.
pub const MOST_LEVELS: usize = 100;

/// Returns whether a value has at most [`MOST_LEVELS`], and no key that `serde_json` keeps for itself.
pub fn is_read_by_all(value: &Json) -> bool {
    fn has_levels(value: &Json, most: usize) -> bool {
        match value {
            Json::Array(_) | Json::Object(_) if most == 0 => false,
            Json::Array(items) => items.iter().all(|item| has_levels(item, most - 1)),
            Json::Object(members) => members.iter().all(|(name, member)| {
                !name.as_bytes().starts_with(RESERVED) && has_levels(member, most - 1)
            }),
            _ => true,
        }
    }
    has_levels(value, MOST_LEVELS)
}

/// Returns whether a value that came out of a guest holds the repr of one that has no JSON form. It has at most
/// [`MOST_LEVELS`].
pub(crate) fn holds_repr(value: &Json) -> bool {
    match value {
        Json::Array(items) => items.iter().any(holds_repr),
        Json::Object(members) if members.len() == 1 && members.contains_key("$repr") => true,
        Json::Object(members) => members.values().any(holds_repr),
        _ => false,
    }
}

/// Returns whether an object in this JSON, at any depth, has a key that `serde_json` keeps for
/// itself. Its `Value` reads the text behind such a key as JSON once more, with a stack of its
/// own: past every limit on depth and on the number of values.
#[doc(hidden)]
pub fn has_reserved_key(json: &str) -> bool {
    let bytes = json.as_bytes();
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(|byte| *byte == b'"') {
        let text = at + start + 1;
        let mut end = text;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        at = (end + 1).min(bytes.len());
        let Some(text) = bytes.get(text..end) else {
            return false;
        };
        if matches!(text.first(), Some(b'$' | b'\\')) && begins_reserved(text) {
            // Texts may begin so; what a colon follows is a key.
            let mut rest = bytes[at..].iter();
            if rest.find(|byte| !byte.is_ascii_whitespace()) == Some(&b':') {
                return true;
            }
        }
    }
    false
}

/// Returns whether the text of a string begins with [`RESERVED`] when its escapes are read.
fn begins_reserved(mut text: &[u8]) -> bool {
    for wanted in RESERVED {
        let read = match text {
            [b'\\', b'u', digits @ ..] => {
                let hex = digits
                    .get(..4)
                    .and_then(|hex| std::str::from_utf8(hex).ok());
                text = digits.get(4..).unwrap_or_default();
                hex.and_then(|hex| u32::from_str_radix(hex, 16).ok())
            }
            [byte, rest @ ..] => {
                text = rest;
                Some(u32::from(*byte))
            }
            [] => None,
        };
        if read != Some(u32::from(*wanted)) {
            return false;
        }
    }
    true
}

/// Error for JSON with a key that is reserved.
fn reserved() -> Error {
    Error::usage(
        "the JSON has a key that begins with `$serde_json::private::`, which is reserved; rename it",
    )
}

/// Bytes of memory that one value may take when it is read as JSON.
pub(crate) const READ_BYTES: u64 = 512 << 20;

/// Refuses JSON that takes much more memory than its text.
fn check_size(json: &str) -> Result<()> {
    if read_bytes(json) <= READ_BYTES {
        return Ok(());
    }
    Err(Error::usage(format!(
        "the value has so many small values that reading it would take more than {READ_BYTES} bytes; take a part of it"
    )))
}

/// Refuses JSON that takes much more memory than its text, or has keys that are reserved.
fn check_readable(json: &str) -> Result<()> {
    check_size(json)?;
    match has_reserved_key(json) {
        true => Err(reserved()),
        false => Ok(()),
    }
}

/// Parses what a guest claims to be JSON.
///
/// # Errors
///
/// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if it nests more than 128 levels deep, would take
/// more than 512 MiB of memory, or has a key that is reserved.
#[doc(hidden)]
pub fn parse(json: &str) -> Result<Json> {
    check_readable(json)?;
    serde_json::from_str(json).map_err(|error| {
        Error::usage("the value nests too deeply to be read as JSON").because(error)
    })
}

/// Reads JSON of another program as Python's `json.loads` does: `-0` is 0, and a whole
/// number of any size keeps all its digits. What looks like a tag of `wit/types.wit`, as
/// `{"$tuple": [1, 2]}`, stays a dictionary, unless `tags` says that the program writes them.
///
/// # Errors
///
/// [`ErrorKind::Usage`](crate::ErrorKind::Usage) if it is no JSON, nests more than 128 levels deep, or would
/// take more than 512 MiB of memory.
pub fn python_json(text: &str, tags: bool) -> Result<Json> {
    check_readable(text)?;
    let exact = exact(text);
    if let Cow::Owned(exact) = &exact {
        // A number that becomes an object takes as much as one.
        check_size(exact)?;
    }
    let value = serde_json::from_str(&exact).map_err(|error| {
        Error::usage("this is no JSON, or it nests too deeply to be read").because(error)
    })?;
    Ok(marked(value, tags))
}

/// The key of the only member of an object that [`exact`] puts in the place of a number.
const MARK: &str = "\0";

/// The escape of that character, which JSON has in no other form.
const ESCAPED: &str = "\\u0000";

/// Returns the same JSON with numbers as Python reads them: `-0` is 0, a whole number of more
/// than 64 bits becomes `{MARK: digits}`, and one that is too large for a float `{MARK: "inf"}`.
/// Texts that begin with a NUL get another one, which [`unmarked`] takes off, so that no key
/// of the JSON is the mark.
fn exact(json: &str) -> Cow<'_, str> {
    const DIGITS: usize = 19;
    let is_part = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    let (mut text, mut done, mut in_text, mut at) = (String::new(), 0, false, 0);
    let bytes = json.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if in_text => at += 1,
            b'"' => {
                in_text = !in_text;
                if in_text && json[at + 1..].starts_with(ESCAPED) {
                    text.push_str(&json[done..=at]);
                    text.push_str(ESCAPED);
                    done = at + 1;
                }
            }
            b'-' | b'0'..=b'9' if !in_text => {
                let length = bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                let number = &json[at..at + length];
                let digits = number.strip_prefix('-').unwrap_or(number);
                let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
                let is_large = length >= DIGITS && number.parse::<i64>().is_err();
                let marked = if is_whole {
                    (is_large && !digits.starts_with('0')).then_some(number)
                } else {
                    infinite(number)
                };
                if number == "-0" {
                    text.push_str(&json[done..at]);
                    text.push('0');
                    done = at + length;
                } else if let Some(number) = marked {
                    text.push_str(&json[done..at]);
                    for part in ["{\"", ESCAPED, "\":\"", number, "\"}"] {
                        text.push_str(part);
                    }
                    done = at + length;
                }
                at += length - 1;
            }
            _ => {}
        }
        at += 1;
    }
    if done == 0 {
        return json.into();
    }
    text.push_str(&json[done..]);
    text.into()
}

/// Returns a text of the JSON as it was before [`exact`].
fn unmarked(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Returns the infinity that Python reads `number` as, if it is a number of JSON with a
/// fraction or an exponent and too large for a float.
fn infinite(number: &str) -> Option<&'static str> {
    /// Digits that a number without an exponent has to have.
    const DIGITS: usize = 309;
    if number.len() < DIGITS && !number.contains(['e', 'E']) {
        return None;
    }
    let value = number
        .parse::<f64>()
        .ok()
        .filter(|value| value.is_infinite())?;
    // Rust reads more than JSON has: `1.`, `01e400`.
    let digits = number.strip_prefix('-').unwrap_or(number);
    let (whole, rest) = digits.split_at(digits.find(['.', 'e', 'E']).unwrap_or(digits.len()));
    let is_whole = !whole.is_empty() && (whole == "0" || !whole.starts_with('0'));
    let is_fraction = rest
        .strip_prefix('.')
        .is_none_or(|fraction| fraction.starts_with(|digit: char| digit.is_ascii_digit()));
    let sign = if value > 0.0 { "inf" } else { "-inf" };
    (is_whole && is_fraction).then_some(sign)
}

/// Gives large numbers their tag; what else looks like one is marked as a dictionary,
/// unless it is a tag.
fn marked(value: Json, tags: bool) -> Json {
    match value {
        Json::Array(items) => items.into_iter().map(|item| marked(item, tags)).collect(),
        Json::Object(members) => {
            let is_single = members.len() == 1;
            let mut members = members.into_iter();
            let first = match members.next() {
                Some((name, value)) if name == MARK => {
                    let is_float = matches!(value.as_str(), Some("inf" | "-inf"));
                    return match is_float {
                        true => json!({"$float": value}),
                        false => json!({"$int": value}),
                    };
                }
                first => first,
            };
            let mut members = first.into_iter().chain(members).map(|(name, value)| {
                let name = match name.strip_prefix(MARK) {
                    Some(name) => name.to_owned(),
                    None => name,
                };
                (name, marked(value, tags))
            });
            match members.next() {
                Some((name, value)) if is_single && !tags && name.starts_with('$') => {
                    json!({"$dict": [[name, value]]})
                }
                first => Json::Object(first.into_iter().chain(members).collect()),
            }
        }
        Json::String(text) if text.starts_with(MARK) => Json::String(unmarked(&text).to_owned()),
        plain => plain,
    }
}

/// Returns whether there is anything that [`plain_json`] would change.
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

/// Returns whether a dictionary is in this value with tags, at any depth. Python has none in the
/// key of another one; written as text, each level of such keys would double the length.
#[doc(hidden)]
pub fn holds_dictionary(value: &Json) -> bool {
    match value {
        Json::Array(items) => items.iter().any(holds_dictionary),
        Json::Object(members) => {
            let is_tag = |name: &str| name.starts_with('$') && name != "$dict";
            let mut members = members.iter();
            match (members.next(), members.next()) {
                (Some((name, inner)), None) if is_tag(name) => holds_dictionary(inner),
                _ => true,
            }
        }
        _ => false,
    }
}

/// Returns whether this is a pair of a dictionary that an object can have.
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
    use super::*;

    #[test]
    fn json_of_other_programs_is_read_as_python_reads_it() {
        let large = "1000000000000000000000000000000";
        for (text, value) in [
            ("-0", json!(0)),
            ("[-0.0, -1]", json!([-0.0, -1])),
            (r#"{"-0": "a\"-0"}"#, json!({"-0": "a\"-0"})),
            (large, json!({"$int": large})),
            (
                "18446744073709551615",
                json!({"$int": "18446744073709551615"}),
            ),
            (
                r#"{"$tuple": [1, 2]}"#,
                json!({"$dict": [["$tuple", [1, 2]]]}),
            ),
            (r#"[{"$int": -0}]"#, json!([{"$dict": [["$int", 0]]}])),
            ("[-1e400, 1]", json!([{"$float": "-inf"}, 1])),
            ("1e400", json!({"$float": "inf"})),
            (r#"{"\u0000$int": "7"}"#, json!({"\0$int": "7"})),
            (
                r#"["\u0000a", {"\u0000": 1, "b": 2}]"#,
                json!(["\0a", {"\0": 1, "b": 2}]),
            ),
            (
                r#"[{"\u0000": "7"}, 18446744073709551616]"#,
                json!([{"\0": "7"}, {"$int": "18446744073709551616"}]),
            ),
            (r#"{"$ref": 1, "a": 2}"#, json!({"$ref": 1, "a": 2})),
        ] {
            assert_eq!(python_json(text, false).expect(text), value, "{text}");
        }
        for (text, is_key) in [
            (r#"["$serde_json::private::RawValue", 1]"#, false),
            (r#"{"a": "$serde_json::private::RawValue"}"#, false),
            (r#"{"$serde_json::private::RawValue": "1"}"#, true),
            ("{\"\\u0024serde_json::private::Number\" \n : \"1\"}", true),
        ] {
            assert_eq!(has_reserved_key(text), is_key, "{text}");
        }
        let tagged = json!({"$tuple": [1, {"$int": large}]});
        let text = format!(r#"{{"$tuple": [1, {large}]}}"#);
        assert_eq!(python_json(&text, true).expect("JSON"), tagged);
        for text in [
            "00",
            "-",
            "-00",
            "01234567890123456789",
            "{",
            "--12345678901234567890",
            "1.e400",
            "01e400",
        ] {
            assert!(python_json(text, false).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_that_the_parser_keeps_for_itself_are_found_however_they_are_written() {
        for json in [
            r#"{"$serde_json::private::RawValue":"[1]","b":1}"#,
            r#"[[{"a":{"\u0024serde_json::private::RawValue":"[1]"}}]]"#,
            r#"{"\u0024\u0073\u0065\u0072de_json\u003A:private::Number":"1"}"#,
        ] {
            assert!(has_reserved_key(json), "{json}");
            parse(json).expect_err("refused");
            python_json(json, true).expect_err("refused");
        }
        for json in [
            r#"{"$serde_json":1,"\\u0024serde_json::private::RawValue":2}"#,
            r#"{"a\"$serde_json::private::":1,"$":"\\"}"#,
            "\"",
            "\"\\",
            "\"\\u00",
        ] {
            assert!(!has_reserved_key(json), "{json}");
        }
    }

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
