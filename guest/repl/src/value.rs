//! Python values as JSON text and back; the tags are those of `types.json`.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use monty_types::unstable::{self, MontyGraph, MontyNode, NodeId};
use monty_types::{MontyDate, MontyDateTime, MontyObject, ObjectRef};
use num_bigint::BigInt;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};

use crate::numbers::{MARK, exact, unmarked};

/// Marks a node that stands for a value without a JSON form: a tuple of this
/// builtin and the value's repr. Scripts cannot put a bare builtin into a
/// reduced value, so the mark cannot be forged; see `report.rs`.
pub(crate) const OPAQUE: monty_types::BuiltinsFunctions = monty_types::BuiltinsFunctions::Locals;

/// Appends `value` to `out` as JSON.
pub(crate) fn encode(value: ObjectRef<'_>, out: &mut String) {
    match unstable::node(value) {
        MontyNode::None => out.push_str("null"),
        MontyNode::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        MontyNode::Int(number) => {
            let _ = write!(out, "{number}");
        }
        MontyNode::BigInt(number) => tagged(out, "$int", &number.to_string()),
        MontyNode::Float(number) if number.is_finite() => {
            let _ = write!(out, "{number:?}");
        }
        MontyNode::Float(number) if number.is_nan() => tagged(out, "$float", "nan"),
        MontyNode::Float(number) => {
            tagged(out, "$float", if *number > 0.0 { "inf" } else { "-inf" })
        }
        MontyNode::String(text) => string(text, out),
        MontyNode::Bytes(bytes) => tagged(out, "$bytes", &BASE64.encode(bytes)),
        MontyNode::Date(date) => tagged(out, "$date", &date_text(date)),
        MontyNode::DateTime(moment) => tagged(out, "$datetime", &datetime_text(moment)),
        MontyNode::List(items) => array(value, items, out),
        MontyNode::Tuple(items) => {
            if let [mark, text] = items[..]
                && matches!(unstable::node(unstable::child(value, mark)), MontyNode::BuiltinFunction(f) if *f == OPAQUE)
                && let MontyNode::String(text) = unstable::node(unstable::child(value, text))
            {
                tagged(out, "$repr", text);
            } else {
                collection(value, "$tuple", items, out);
            }
        }
        MontyNode::NamedTuple { values, .. } => collection(value, "$tuple", values, out),
        MontyNode::Set(items) => collection(value, "$set", items, out),
        MontyNode::FrozenSet(items) => collection(value, "$frozenset", items, out),
        MontyNode::Dict(pairs) => dictionary(value, pairs, out),
        MontyNode::Repr(text) => tagged(out, "$repr", text),
        MontyNode::ClassInstance {
            class_type, attrs, ..
        } => {
            let text = member(value, *class_type, attrs).unwrap_or_else(|| value.py_repr());
            tagged(out, "$repr", &text);
        }
        _ => tagged(out, "$repr", &value.py_repr()),
    }
}

/// Returns the repr of a member of an enumeration, `<Color.RED: 1>`; `None` for another instance. No code of a script runs.
fn member(value: ObjectRef<'_>, class: NodeId, attrs: &[(NodeId, NodeId)]) -> Option<String> {
    let child = |id| unstable::child(value, id);
    let attr = |wanted: &str| {
        let mut attrs = attrs.iter();
        attrs.find_map(|&(name, value)| match unstable::node(child(name)) {
            MontyNode::String(name) if name == wanted => Some(child(value)),
            _ => None,
        })
    };
    let MontyNode::ClassType(class) = unstable::node(child(class)) else {
        return None;
    };
    let MontyNode::String(name) = unstable::node(attr("_name_")?) else {
        return None;
    };
    let held = attr("_value_")?.py_repr();
    Some(format!("<{}.{name}: {held}>", class.name))
}

/// Returns whether an argument, or a part of one at any depth, was too deep in the stack
/// to be read: Monty puts a text of its own in its place.
pub(crate) fn is_cut(args: &monty_types::CallArgs) -> bool {
    let named = args.kwargs().map(|(_, value)| value);
    args.args().chain(named).any(has_cut)
}

fn has_cut(value: ObjectRef<'_>) -> bool {
    let any = |items: &[NodeId]| {
        items
            .iter()
            .any(|&item| has_cut(unstable::child(value, item)))
    };
    match unstable::node(value) {
        MontyNode::Repr(text) => text == "<deeply nested>",
        MontyNode::List(items)
        | MontyNode::Tuple(items)
        | MontyNode::Set(items)
        | MontyNode::FrozenSet(items)
        | MontyNode::NamedTuple { values: items, .. } => any(items),
        MontyNode::Dict(pairs) => pairs.iter().any(|&(key, item)| any(&[key, item])),
        _ => false,
    }
}

/// Encodes the arguments of a call as `{"args": […], "kwargs": {…}}`.
pub(crate) fn encode_call(args: &monty_types::CallArgs) -> String {
    let mut out = String::from("{\"args\":[");
    for (index, arg) in args.args().enumerate() {
        if index > 0 {
            out.push(',');
        }
        encode(arg, &mut out);
    }
    out.push_str("],\"kwargs\":{");
    for (index, (name, value)) in args.kwargs().enumerate() {
        if index > 0 {
            out.push(',');
        }
        string(name.as_str().unwrap_or_default(), &mut out);
        out.push(':');
        encode(value, &mut out);
    }
    out.push_str("}}");
    out
}

pub(crate) fn string(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (index, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(&text[plain..index]);
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
        plain = index + 1;
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

fn tagged(out: &mut String, tag: &str, text: &str) {
    let _ = write!(out, "{{\"{tag}\":");
    string(text, out);
    out.push('}');
}

fn array(value: ObjectRef<'_>, items: &[NodeId], out: &mut String) {
    out.push('[');
    for (index, &item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        encode(unstable::child(value, item), out);
    }
    out.push(']');
}

fn collection(value: ObjectRef<'_>, tag: &str, items: &[NodeId], out: &mut String) {
    let _ = write!(out, "{{\"{tag}\":");
    array(value, items, out);
    out.push('}');
}

fn dictionary(value: ObjectRef<'_>, pairs: &[(NodeId, NodeId)], out: &mut String) {
    let key_text = |key: NodeId| match unstable::node(unstable::child(value, key)) {
        MontyNode::String(text) => Some(text.as_str()),
        _ => None,
    };
    let looks_like_a_tag =
        matches!(pairs, [(key, _)] if key_text(*key).is_some_and(|text| text.starts_with('$')));
    if looks_like_a_tag || pairs.iter().any(|(key, _)| key_text(*key).is_none()) {
        out.push_str("{\"$dict\":[");
        for (index, (key, item)) in pairs.iter().enumerate() {
            out.push_str(if index > 0 { ",[" } else { "[" });
            encode(unstable::child(value, *key), out);
            out.push(',');
            encode(unstable::child(value, *item), out);
            out.push(']');
        }
        out.push_str("]}");
        return;
    }
    out.push('{');
    for (index, (key, item)) in pairs.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        string(key_text(*key).unwrap_or_default(), out);
        out.push(':');
        encode(unstable::child(value, *item), out);
    }
    out.push('}');
}

fn date_text(date: &MontyDate) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}

fn datetime_text(moment: &MontyDateTime) -> String {
    let mut text = format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second
    );
    if moment.microsecond != 0 {
        let _ = write!(text, ".{:06}", moment.microsecond);
    }
    if let Some(offset) = moment.offset_seconds {
        let sign = if offset < 0 { '-' } else { '+' };
        let (hours, minutes, seconds) = (
            offset.abs() / 3600,
            offset.abs() / 60 % 60,
            offset.abs() % 60,
        );
        let _ = write!(text, "{sign}{hours:02}:{minutes:02}");
        if seconds != 0 {
            let _ = write!(text, ":{seconds:02}");
        }
    }
    text
}

/// Bytes of Python objects for each byte of the nodes that they are made of, at most: a dictionary takes most.
pub(crate) const OBJECTS_FOR_NODES: usize = 4;

/// Parses JSON text into a Python value. With `tags` the one-member objects of
/// `types.json` become what they stand for; without, they stay dictionaries.
pub(crate) fn decode(json: &str, tags: bool) -> Result<MontyObject, String> {
    let mut graph = MontyGraph::new();
    let root = decode_into(&mut graph, json, tags)?;
    unstable::object_from_graph(graph, root).map_err(|error| error.to_string())
}

/// Like [`decode`], into an arena that other values share.
pub(crate) fn decode_into(
    graph: &mut MontyGraph,
    json: &str,
    tags: bool,
) -> Result<NodeId, String> {
    let json = exact(json);
    let mut parser = serde_json::Deserializer::from_str(&json);
    let root = Builder { graph, tags }
        .deserialize(&mut parser)
        .map_err(|error| error.to_string())?;
    parser.end().map_err(|error| error.to_string())?;
    Ok(root)
}

/// Pushes what a JSON parser reports into an arena, children first.
struct Builder<'g> {
    graph: &'g mut MontyGraph,
    tags: bool,
}

impl Builder<'_> {
    fn again(&mut self) -> Builder<'_> {
        Builder {
            graph: self.graph,
            tags: self.tags,
        }
    }

    /// Returns the node for the tag `tag` around `inner`, or `None` if it is no tag or
    /// Python has no such value: a set of lists, a thirtieth of February.
    fn untag(&mut self, tag: &str, inner: NodeId) -> Option<MontyNode> {
        let items = |graph: &MontyGraph| match &graph.nodes()[inner.index()] {
            MontyNode::List(items) => Some(items.clone()),
            _ => None,
        };
        if let "$tuple" | "$set" | "$frozenset" = tag {
            let items = items(self.graph)?;
            if tag != "$tuple" && !items.iter().all(|&item| self.is_hashable(item)) {
                return None;
            }
            return Some(match tag {
                "$tuple" => MontyNode::Tuple(items),
                "$set" => MontyNode::Set(items),
                _ => MontyNode::FrozenSet(items),
            });
        }
        if tag == "$dict" {
            let pairs = items(self.graph)?.into_iter().map(|pair| {
                match &self.graph.nodes()[pair.index()] {
                    MontyNode::List(pair) if pair.len() == 2 && self.is_hashable(pair[0]) => {
                        Some((pair[0], pair[1]))
                    }
                    _ => None,
                }
            });
            return pairs.collect::<Option<_>>().map(MontyNode::Dict);
        }
        let MontyNode::String(text) = &self.graph.nodes()[inner.index()] else {
            return None;
        };
        match tag {
            "$int" => text.parse::<BigInt>().ok().map(integer),
            "$float" => match text.as_str() {
                "nan" => Some(MontyNode::Float(f64::NAN)),
                "inf" => Some(MontyNode::Float(f64::INFINITY)),
                "-inf" => Some(MontyNode::Float(f64::NEG_INFINITY)),
                _ => None,
            },
            "$bytes" => BASE64.decode(text).ok().map(MontyNode::Bytes),
            "$date" => parse_date(text).map(MontyNode::Date),
            "$datetime" => parse_datetime(text).map(MontyNode::DateTime),
            _ => None,
        }
    }

    /// Returns the number that `inner`, its text, was marked for.
    fn number(&self, inner: NodeId) -> MontyNode {
        match &self.graph.nodes()[inner.index()] {
            MontyNode::String(text) => match text.parse::<BigInt>() {
                Ok(number) => integer(number),
                Err(_) if text.starts_with('-') => MontyNode::Float(f64::NEG_INFINITY),
                Err(_) => MontyNode::Float(f64::INFINITY),
            },
            other => other.clone(),
        }
    }

    fn is_hashable(&self, node: NodeId) -> bool {
        match &self.graph.nodes()[node.index()] {
            MontyNode::List(_) | MontyNode::Dict(_) | MontyNode::Set(_) => false,
            MontyNode::Tuple(items) => items.iter().all(|&item| self.is_hashable(item)),
            _ => true,
        }
    }
}

fn integer(number: BigInt) -> MontyNode {
    i64::try_from(&number).map_or(MontyNode::BigInt(number), MontyNode::Int)
}

impl<'de> DeserializeSeed<'de> for Builder<'_> {
    type Value = NodeId;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<NodeId, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Builder<'_> {
    type Value = NodeId;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<NodeId, E> {
        Ok(self.graph.push(MontyNode::None))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<NodeId, E> {
        Ok(self.graph.push(MontyNode::Bool(flag)))
    }

    fn visit_i64<E>(self, number: i64) -> Result<NodeId, E> {
        Ok(self.graph.push(MontyNode::Int(number)))
    }

    fn visit_u64<E>(self, number: u64) -> Result<NodeId, E> {
        Ok(self.graph.push(integer(number.into())))
    }

    fn visit_f64<E>(self, number: f64) -> Result<NodeId, E> {
        Ok(self.graph.push(MontyNode::Float(number)))
    }

    fn visit_str<E>(self, text: &str) -> Result<NodeId, E> {
        Ok(self
            .graph
            .push(MontyNode::String(unmarked(text).to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<NodeId, A::Error> {
        let mut ids = Vec::new();
        while let Some(id) = items.next_element_seed(self.again())? {
            ids.push(id);
        }
        Ok(self.graph.push(MontyNode::List(ids)))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<NodeId, A::Error> {
        let mut pairs = Vec::new();
        let mut only = None;
        while let Some(mut name) = members.next_key::<String>()? {
            let value = members.next_value_seed(self.again())?;
            if name == MARK {
                let number = self.number(value);
                let rest = members.next_key::<String>()?;
                debug_assert!(rest.is_none(), "`exact` wrote the object");
                return Ok(self.graph.push(number));
            }
            if name.starts_with(MARK) {
                name.remove(0);
            }
            only = (pairs.is_empty() && self.tags && name.starts_with('$'))
                .then(|| (name.clone(), value));
            pairs.push((self.graph.push(MontyNode::String(name)), value));
        }
        // Anything else with a `$` (a JSON schema's `$ref`, say) is data.
        if let Some(node) = only.and_then(|(tag, inner)| self.untag(&tag, inner)) {
            return Ok(self.graph.push(node));
        }
        Ok(self.graph.push(MontyNode::Dict(pairs)))
    }
}

fn parse_date(text: &str) -> Option<MontyDate> {
    let [year, month, day] = numbers(text, '-')?;
    let year = i32::try_from(year)
        .ok()
        .filter(|year| (1..=9999).contains(year))?;
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(MontyDate {
        year,
        month: month as u8,
        day: day as u8,
    })
}

fn parse_datetime(text: &str) -> Option<MontyDateTime> {
    let (date, time) = text.split_once('T')?;
    let date = parse_date(date)?;
    let (time, offset_seconds) = match time.find(['+', '-', 'Z']) {
        None => (time, None),
        Some(at) if &time[at..] == "Z" => (&time[..at], Some(0)),
        Some(at) => {
            let written = &time[at + 1..];
            let [hours, minutes, seconds] = match numbers(written, ':') {
                Some(parts) => parts,
                None => numbers(written, ':').map(|[hours, minutes]| [hours, minutes, 0])?,
            };
            let total = clock(hours, minutes, seconds)?;
            let is_west = time.as_bytes()[at] == b'-';
            (&time[..at], Some(if is_west { -total } else { total }))
        }
    };
    let (written, fraction) = time.split_once('.').unwrap_or((time, ""));
    let [hour, minute, second] = numbers(written, ':')?;
    clock(hour, minute, second)?;
    let microsecond = match fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("{fraction:0<6}").get(..6)?.parse().ok()?,
        false => return None,
    };
    Some(MontyDateTime {
        year: date.year,
        month: date.month,
        day: date.day,
        hour: hour as u8,
        minute: minute as u8,
        second: second as u8,
        microsecond,
        offset_seconds,
        timezone_name: None,
    })
}

/// Reads exactly `N` numbers of at most four digits, with `between` between them.
fn numbers<const N: usize>(text: &str, between: char) -> Option<[u32; N]> {
    let mut parts = text.split(between);
    let mut numbers = [0; N];
    for number in &mut numbers {
        let part = parts.next()?;
        let is_number =
            (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        *number = is_number.then(|| part.parse().ok())??;
    }
    parts.next().is_none().then_some(numbers)
}

/// Returns the seconds since midnight, or `None` for a time that no day has.
fn clock(hours: u32, minutes: u32, seconds: u32) -> Option<i32> {
    (hours < 24 && minutes < 60 && seconds < 60)
        .then_some((hours * 3600 + minutes * 60 + seconds) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(json: &str) -> String {
        let value = decode(json, true).expect("parses");
        let mut out = String::new();
        encode(value.as_ref(), &mut out);
        out
    }

    #[test]
    fn json_comes_back_as_it_went_in() {
        for json in [
            r#"null"#,
            r#"[true,false,1,-9223372036854775808,1.5,1e300,"ü\n\"\u0001"]"#,
            r#"{"a":[1,{"b":null}],"":0}"#,
            r#"{"$int":"18446744073709551616"}"#,
            r#"[{"$float":"nan"},{"$float":"inf"},{"$float":"-inf"}]"#,
            r#"{"$bytes":"AAH/"}"#,
            r#"{"$tuple":[1,{"$set":[2]},{"$frozenset":[]}]}"#,
            r#"{"$dict":[[1,"one"],[{"$tuple":[]},null]]}"#,
            r#"{"$dict":[["$tuple",1]]}"#,
            r#"{"$date":"2026-01-31"}"#,
            r#"{"$datetime":"2026-01-31T23:59:58.000001-05:30"}"#,
        ] {
            assert_eq!(round_trip(json), json);
        }
    }

    #[test]
    fn what_only_looks_like_a_tag_stays_a_dictionary() {
        for (json, tags, repr) in [
            (r##"{"$ref":"#/row"}"##, true, "{'$ref': '#/row'}"),
            (r#"{"$set":1}"#, true, "{'$set': 1}"),
            (r#"{"$set":[1]}"#, false, "{'$set': [1]}"),
            (r#"{"$set":[1]}"#, true, "{1}"),
            (r#"{"$set":[[1]]}"#, true, "{'$set': [[1]]}"),
            (
                r#"{"$frozenset":[{"$tuple":[{"a":1}]}]}"#,
                true,
                "{'$frozenset': [({'a': 1})]}",
            ),
            (r#"{"$dict":[[[1],2]]}"#, true, "{'$dict': [[[1], 2]]}"),
            (
                r#"{"$dict":[[{"$tuple":[{"$frozenset":[1]}]},2]]}"#,
                true,
                "{(frozenset({1})): 2}",
            ),
            (r#"{"$date":"2026-02-29"}"#, true, "{'$date': '2026-02-29'}"),
            (
                r#"{"$date":"2024-02-29"}"#,
                true,
                "datetime.date(2024, 2, 29)",
            ),
        ] {
            assert_eq!(decode(json, tags).expect("parses").py_repr(), repr);
        }
        for moment in [
            "2026-04-31T00:00:00",
            "2026-01-31T24:00:00",
            "2026-01-31T00:00:00+99:00",
            "2026-01-31T00:00:00+2147483647:00",
            "2026-01-31T00:00:00--1:00",
            "2026-01-31T00:00:00.+1",
            "2026-01-31T00:00",
            "2026-01-31T00:00:00:00",
            "0000-01-01T00:00:00",
        ] {
            let json = format!(r#"{{"$datetime":"{moment}"}}"#);
            let repr = format!("{{'$datetime': '{moment}'}}");
            assert_eq!(decode(&json, true).expect("parses").py_repr(), repr);
        }
    }
}
