//! Values as Python's `json.dumps` would write them, for dspy and commands to read.

use rlm_sandbox::holds_dictionary;
use serde_json::Value as Json;
use serde_json::value::RawValue;

/// Digits of the longest integer that Python reads from JSON unless it is set otherwise
/// (`sys.int_info.default_max_str_digits`).
const DIGITS: usize = 4300;

/// Plain JSON for JSON with tags: integers as they are, keys as text, lists for tuples
/// and sets, and text for what JSON lacks. An integer of more than 4,300 digits is text,
/// since Python's `json.loads` refuses a message with such a number.
pub(crate) fn plain(value: &Json) -> Box<RawValue> {
    let mut text = String::new();
    write(value, &mut text);
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn write(value: &Json, text: &mut String) {
    match value {
        Json::Array(items) => write_list(items, text),
        Json::Object(members) => {
            let only = members.iter().next().filter(|_| members.len() == 1);
            if let Some((tag, inner)) = only
                && write_tagged(tag, inner, text)
            {
                return;
            }
            let members = members.iter();
            write_members(members.map(|(key, value)| (key.clone(), value)), text);
        }
        plain => text.push_str(&plain.to_string()),
    }
}

/// Returns whether it is one of the tags of `wit/types.wit`, and written.
fn write_tagged(tag: &str, inner: &Json, text: &mut String) -> bool {
    match (tag, inner) {
        ("$tuple" | "$set" | "$frozenset", Json::Array(items)) => write_list(items, text),
        ("$int", Json::String(digits)) if is_readable(digits) => text.push_str(digits),
        ("$int", Json::String(digits)) if is_whole(digits) => write(inner, text),
        ("$float", Json::String(word)) => text.push_str(match word.as_str() {
            "inf" => "\"Infinity\"",
            "-inf" => "\"-Infinity\"",
            _ => "\"NaN\"",
        }),
        ("$bytes" | "$date" | "$datetime" | "$repr", Json::String(_)) => write(inner, text),
        ("$dict", Json::Array(pairs)) => {
            let pairs = pairs
                .iter()
                .filter_map(|pair| match pair.as_array()?.as_slice() {
                    // No script has such a key, but a client's default value may.
                    [key, value] if !holds_dictionary(key) => Some((key_text(key), value)),
                    _ => None,
                });
            write_members(pairs, text);
        }
        _ => return false,
    }
    true
}

/// Returns whether Python reads such an integer from JSON.
fn is_readable(digits: &str) -> bool {
    is_whole(digits) && digits.trim_start_matches('-').len() <= DIGITS
}

fn is_whole(digits: &str) -> bool {
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    !digits.is_empty()
        && digits.bytes().all(|digit| digit.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
}

fn write_list(items: &[Json], text: &mut String) {
    text.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write(item, text);
    }
    text.push(']');
}

fn write_members<'a>(members: impl Iterator<Item = (String, &'a Json)>, text: &mut String) {
    text.push('{');
    for (index, (key, value)) in members.enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&Json::from(key).to_string());
        text.push(':');
        write(value, text);
    }
    text.push('}');
}

/// A key as text: `1` for 1, `null` for `None`.
fn key_text(key: &Json) -> String {
    match plain(key).get() {
        json if json.starts_with('"') => serde_json::from_str(json).unwrap_or_default(),
        json => json.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tags_become_what_dspy_reads() {
        let tagged = json!({
            "a": {"$tuple": [1, {"$set": ["x"]}]},
            "b": {"$int": "1000000000000000000000000000000"},
            "c": {"$dict": [[1, "one"], [null, 2], [{"$tuple": [1]}, true], ["k", {"$float": "inf"}]]},
            "d": {"$unknown": 1},
            "e": {"$int": "1, 2"},
        });
        assert_eq!(
            plain(&tagged).get(),
            r#"{"a":[1,["x"]],"b":1000000000000000000000000000000,"c":{"1":"one","null":2,"[1]":true,"k":"Infinity"},"d":{"$unknown":1},"e":{"$int":"1, 2"}}"#
        );
    }

    #[test]
    fn keys_inside_of_keys_are_no_text_of_twice_the_length() {
        for (begin, end) in [
            (r#"{"$dict":[["#, r#","b"]]}"#),
            (r#"{"$dict":[[{"$tuple":["#, r#"]},"b"]]}"#),
        ] {
            let json = format!("{}\"a\"{}", begin.repeat(20), end.repeat(20));
            let value = serde_json::from_str(&json).expect("JSON");
            assert!(plain(&value).get().len() < json.len());
        }
    }

    #[test]
    fn integers_that_python_refuses_to_read_are_text() {
        for (digits, is_number) in [(4300, true), (4301, false)] {
            for sign in ["", "-"] {
                let digits = format!("{sign}{}", "7".repeat(digits));
                let expected = match is_number {
                    true => digits.clone(),
                    false => format!("\"{digits}\""),
                };
                let value = json!({"$int": digits});
                assert_eq!(plain(&value).get(), expected);
                let key = json!({"$dict": [[value, 1]]});
                assert_eq!(plain(&key).get(), format!("{{\"{digits}\":1}}"));
            }
        }
    }
}
