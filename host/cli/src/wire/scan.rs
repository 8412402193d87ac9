//! A scan of a line of JSON that keeps nothing of it: how many values it has, and
//! whose message it is.

use rlm_sandbox::has_reserved_key;
use serde_json::Value as Json;
use serde_json::value::RawValue;

/// Bytes of the longest id that is taken.
pub(super) const LONGEST_ID: usize = 255;
/// Bytes of the longest member name that matters.
const LONGEST_NAME: usize = 8;
/// The values that a text, a list and an object count for besides themselves, as they
/// take more memory than a number. Each value then takes up to 300 bytes in the parser
/// that takes the most.
const TEXT: u64 = 1;
const LIST: u64 = 2;
const OBJECT: u64 = 3;

/// Counts the values of a line and finds its id, however long the line is. It takes
/// any bytes: what is no JSON is found by the parser.
#[derive(Debug, Default)]
pub(super) struct Scan {
    depth: u64,
    is_in_text: bool,
    is_escaped: bool,
    values: u64,
    place: Place,
    /// The name of the current member of the outermost object.
    name: Vec<u8>,
    id: Vec<u8>,
    has_method: bool,
}

/// A place in the outermost object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Outside,
    Name,
    Value,
}

/// Facts about a message that is not parsed.
#[derive(Debug, Default)]
pub(crate) struct About {
    /// The id, if it was found.
    pub(super) id: Option<Box<RawValue>>,
    /// True for a request or notification; else it is an answer.
    pub(super) has_method: bool,
}

/// Returns whether JSON is an id that an answer can repeat: a text or a number which
/// every parser reads.
pub(super) fn is_id(json: &str) -> bool {
    let is_read =
        || serde_json::from_str::<Json>(json).is_ok_and(|id| id.is_string() || id.is_number());
    json.len() <= LONGEST_ID && !has_reserved_key(json) && is_read()
}

impl Scan {
    /// Scans the next bytes of the line.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while let Some((&byte, rest)) = bytes.split_first() {
            if !self.is_in_text {
                self.step(byte);
                bytes = rest;
                continue;
            }
            if self.is_escaped {
                self.is_escaped = false;
                self.keep(&bytes[..1]);
                bytes = rest;
                continue;
            }
            let end = memchr::memchr2(b'"', b'\\', bytes);
            let (text, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
            self.keep(text);
            match text.last() {
                Some(b'\\') => self.is_escaped = true,
                Some(b'"') if end.is_some() => self.is_in_text = false,
                _ => {}
            }
            bytes = rest;
        }
    }

    /// The values so far. Each is counted by the comma before it, or else by the bracket
    /// of its list or object, and names by their colon.
    pub(super) fn values(&self) -> u64 {
        self.values
    }

    /// Returns the id and the kind of the message.
    pub(super) fn about(self) -> About {
        let id = std::str::from_utf8(&self.id).ok().map(str::trim);
        let id = id.filter(|id| is_id(id));
        About {
            id: id.and_then(|id| RawValue::from_string(id.to_owned()).ok()),
            has_method: self.has_method,
        }
    }

    /// Takes a byte that is outside of texts.
    fn step(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.values += TEXT;
                self.is_in_text = true;
            }
            b'{' | b'[' => {
                self.values += if byte == b'{' { OBJECT } else { LIST };
                self.depth += 1;
                if self.depth == 1 && byte == b'{' {
                    (self.place, self.name) = (Place::Name, Vec::new());
                    return;
                }
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.place = Place::Outside;
                    return;
                }
            }
            b',' => {
                self.values += 1;
                if self.depth == 1 && self.place == Place::Value {
                    (self.place, self.name) = (Place::Name, Vec::new());
                    return;
                }
            }
            b':' => {
                self.values += 1;
                if self.depth == 1 && self.place == Place::Name {
                    self.place = Place::Value;
                    self.has_method |= self.name == b"\"method\"";
                    if self.name == b"\"id\"" {
                        self.id.clear();
                    }
                    return;
                }
            }
            b' ' | b'\t' if self.place == Place::Name => return,
            _ => {}
        }
        self.keep(&[byte]);
    }

    /// Keeps bytes of the member's name, or of the id.
    fn keep(&mut self, bytes: &[u8]) {
        let (kept, most) = match self.place {
            Place::Name => (&mut self.name, LONGEST_NAME + 1),
            Place::Value if self.name == b"\"id\"" => (&mut self.id, LONGEST_ID + 1),
            _ => return,
        };
        let room = most.saturating_sub(kept.len()).min(bytes.len());
        kept.extend_from_slice(&bytes[..room]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The id, whether there is a method, and the values of a line; the same however
    /// the line is cut.
    fn scanned(line: &str) -> (Option<String>, bool, u64) {
        let all = |step: usize| {
            let mut scan = Scan::default();
            line.as_bytes()
                .chunks(step)
                .for_each(|part| scan.feed(part));
            let values = scan.values();
            let about = scan.about();
            (
                about.id.map(|id| id.get().to_owned()),
                about.has_method,
                values,
            )
        };
        let whole = all(line.len().max(1));
        for step in [1, 2, 3, 7] {
            assert_eq!(all(step), whole, "{line}");
        }
        whole
    }

    #[test]
    fn an_id_is_found_at_the_top_and_nowhere_else() {
        for (line, id, has_method) in [
            (
                r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{"id":8}}"#,
                Some("7"),
                true,
            ),
            (
                r#"{"method":"x","params":{"id":8,"a":["}\"{"]}, "id" : "r\"1" }"#,
                Some(r#""r\"1""#),
                true,
            ),
            (r#" {"id":-5, "result":{"method":1}}"#, Some("-5"), false),
            (r#"{"result":"\"id\":9,","x":",\"id\":3"}"#, None, false),
            (r#"{"id":{"a":1},"method":1}"#, None, true),
            (r#"{"id":[1],"method":1}"#, None, true),
            (r#"[{"id":1,"method":"x"}]"#, None, false),
            (r#"{"id":01}"#, None, false),
            (r#"{"identity":1,"methods":2}"#, None, false),
            (r#"{"params":{},"method":"x","id":3"#, Some("3"), true),
            ("", None, false),
            ("]]]}}},:::\"", None, false),
        ] {
            let (found, method, _) = scanned(line);
            assert_eq!((found.as_deref(), method), (id, has_method), "{line}");
        }
        let long = format!(r#"{{"id":"{}","method":"x"}}"#, "x".repeat(LONGEST_ID));
        assert_eq!(scanned(&long).0, None);
    }

    #[test]
    fn values_are_never_counted_too_low() {
        fn count(value: &serde_json::Value) -> u64 {
            match value {
                serde_json::Value::Array(items) => 1 + LIST + items.iter().map(count).sum::<u64>(),
                serde_json::Value::Object(members) => {
                    let members = members.values().map(|value| 1 + TEXT + count(value));
                    1 + OBJECT + members.sum::<u64>()
                }
                serde_json::Value::String(_) => 1 + TEXT,
                _ => 1,
            }
        }
        for line in [
            "[0,0,0,[],[[]],{}]",
            r#"{"a":{"b":[1,2,{"c":"x,y:z[{"}]},"d":null}"#,
            r#"["\\",",","\"[",{"k,":1}]"#,
        ] {
            let value = serde_json::from_str(line).expect(line);
            let (brackets, counted) = (line.matches(['[', '{']).count(), scanned(line).2);
            assert!(counted < count(&value), "{line}");
            // What stands first in a list or an object counts with its bracket.
            assert!(counted + brackets as u64 + 1 >= count(&value), "{line}");
        }
    }
}
