//! Halves of surrogate pairs, which JSON may have and text may not.

use std::borrow::Cow;

/// The JSON with a sign for what is no character in place of halves of surrogate
/// pairs, which other languages let into their texts.
pub(crate) fn healed(json: &str) -> Cow<'_, str> {
    let unit = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (mut text, mut done, mut at) = (String::new(), 0, 0);
    while let Some(found) = memchr::memchr(b'\\', &json.as_bytes()[at..]) {
        at += found;
        match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at += 12,
            (Some(0xd800..=0xdfff), _) => {
                text.push_str(&json[done..at]);
                text.push_str("\\ufffd");
                at += 6;
                done = at;
            }
            _ => at += 2,
        }
        if at >= json.len() {
            break;
        }
    }
    if done == 0 {
        return json.into();
    }
    text.push_str(&json[done..]);
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_surrogate_pairs_become_a_sign() {
        for (json, text) in [
            (r#""a\ud83db""#, "a\u{fffd}b"),
            (r#""\ud83d\ude00""#, "\u{1f600}"),
            (r#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"),
            (r#""\\ud83d \n\u00e9""#, "\\ud83d \n\u{e9}"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            ("\"\u{e9}\"", "\u{e9}"),
        ] {
            let read: String = serde_json::from_str(&healed(json)).expect(json);
            assert_eq!(read, text, "{json}");
        }
        assert_eq!(healed(r#""\ud8"#), r#""\ud8"#);
    }
}
