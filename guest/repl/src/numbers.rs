//! Whole numbers of JSON, as Python reads them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Stands for `$int` where tags are data, too. No key of a script's begins so by chance.
pub(crate) const LARGE: &str = "\0$int";

/// The same JSON with whole numbers as Python reads them, which the parser would make
/// floats: `-0` is 0, and one of more than 64 bits is marked with [`LARGE`].
pub(crate) fn exact(json: &str) -> Cow<'_, str> {
    const DIGITS: usize = 19;
    let is_part = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    let (mut text, mut done, mut in_text, mut at) = (String::new(), 0, false, 0);
    let bytes = json.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if in_text => at += 1,
            b'"' => in_text = !in_text,
            b'-' | b'0'..=b'9' if !in_text => {
                let length = bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                let number = &json[at..at + length];
                let digits = number.strip_prefix('-').unwrap_or(number);
                let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
                let is_large = length >= DIGITS && number.parse::<i64>().is_err();
                if number == "-0" {
                    text.push_str(&json[done..at]);
                    text.push('0');
                    done = at + length;
                } else if is_whole && is_large && !digits.starts_with('0') {
                    text.push_str(&json[done..at]);
                    let _ = write!(text, "{{\"\\u0000$int\":\"{number}\"}}");
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
        ] {
            assert!(decode(json, true).is_err(), "{json}");
        }
    }
}
