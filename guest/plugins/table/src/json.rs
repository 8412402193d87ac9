//! Rows that are JSON objects.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// An object as a row: names and cells, in the order of the text.
#[derive(Debug)]
pub(crate) struct Object(pub(crate) Vec<(String, String)>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Cells)
    }
}

struct Cells;

impl<'de> Visitor<'de> for Cells {
    type Value = Object;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object for each row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut cells = Vec::new();
        while let Some((name, value)) = map.next_entry::<Cow<'_, str>, Value>()? {
            add(&mut cells, name.into_owned(), value);
        }
        Ok(Object(cells))
    }
}

/// Adds the cell of a value, or those of what is in it.
fn add(cells: &mut Vec<(String, String)>, name: String, value: Value) {
    let cell = match value {
        Value::Object(inner) => {
            for (inner_name, value) in inner {
                add(cells, format!("{name}.{inner_name}"), value);
            }
            return;
        }
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    };
    cells.push((name, cell));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_become_cells() {
        let text = r#"{"b": 1.5, "a": {"y": "ü", "x": [1, true]}, "n": null, "t": false}"#;
        let object: Object = serde_json::from_str(text).expect("an object");
        let cells: Vec<_> = object
            .0
            .iter()
            .map(|(name, cell)| (&name[..], &cell[..]))
            .collect();
        let wanted = [
            ("b", "1.5"),
            ("a.x", "[1,true]"),
            ("a.y", "ü"),
            ("n", ""),
            ("t", "false"),
        ];
        assert_eq!(cells, wanted);
        assert!(serde_json::from_str::<Object>("[1]").is_err());
    }
}
