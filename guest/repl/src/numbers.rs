//! Numbers of JSON, as Python reads them.

use std::borrow::Cow;

/// The key of the only member of an object that [`exact`] puts in the place of a number.
pub(crate) const MARK: &str = "\0";

/// The escape of that character, which JSON has in no other form.
const ESCAPED: &str = "\\u0000";

/// Returns the same JSON with numbers as Python reads them: `-0` is 0, a whole number of more
/// than 64 bits becomes `{MARK: digits}`, and one that is too large for a float `{MARK: "inf"}`.
/// Texts that begin with a NUL get another one, which [`unmarked`] takes off, so that no key
/// of the JSON is the mark.
pub(crate) fn exact(json: &str) -> Cow<'_, str> {
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
pub(crate) fn unmarked(text: &str) -> &str {
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

#[cfg(test)]
mod tests {
    use crate::value::decode;

    #[test]
    fn whole_numbers_are_read_as_python_reads_them() {
        for (json, repr) in [
            ("-0", "0"),
            ("[-0, -0.0, -1, 0]", "[0, -0.0, -1, 0]"),
            (
                r#"{"-0": "-0\" -0", "a": -0}"#,
                r#"{'-0': '-0" -0', 'a': 0}"#,
            ),
            ("18446744073709551616", "18446744073709551616"),
            ("-9223372036854775809", "-9223372036854775809"),
            ("9223372036854775808", "9223372036854775808"),
            ("1000000000000000000000.0", "1e+21"),
            ("1e30", "1e+30"),
            ("1e400", "inf"),
            (
                "[-1e+400, 1E400, -0.1e999, 1e-400]",
                "[-inf, inf, -inf, 0.0]",
            ),
            (
                r#"["\u0000a", {"\u0000": 1, "b": "\u0000"}]"#,
                r"['\x00a', {'\x00': 1, 'b': '\x00'}]",
            ),
            (r#"{"\u0000$int": "7"}"#, r"{'\x00$int': '7'}"),
            (
                r#"[{"\u0000": "7"}, {"\u0000\u0000": "8"}, 18446744073709551616, 1e400]"#,
                r"[{'\x00': '7'}, {'\x00\x00': '8'}, 18446744073709551616, inf]",
            ),
        ] {
            for tags in [false, true] {
                assert_eq!(
                    decode(json, tags).expect("parses").py_repr(),
                    repr,
                    "{json}"
                );
            }
        }
        for json in [
            "00",
            "-",
            "-00",
            "01234567890123456789012",
            "--1234567890123456789012",
            "1.e400",
            "01e400",
            ".1e400",
            "1e400e1",
        ] {
            assert!(decode(json, true).is_err(), "{json}");
        }
    }
}
