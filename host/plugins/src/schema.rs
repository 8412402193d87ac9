//! JSON schemas of what functions take and give.
//!
//! A schema repeats the names and docs of a type for each of its occurrences, so a small
//! component can ask for gigabytes of schemas. All schemas of a component have
//! [`MOST_BYTES`] together; a type for which there is no room left is `true`.

use std::cell::Cell;

use serde_json::{Map, Value as Json, json};
use wasmtime::component::Type;

use crate::docs::{Docs, TypeDoc};
use crate::value::{python, snake};

/// Bytes of all schemas of one component, about.
const MOST_BYTES: usize = 4 << 20;
/// Bytes that a schema counts for besides its names and docs.
const SCHEMA_BYTES: usize = 128;

/// Docs for schemas, and the bytes that may still be written.
pub(crate) struct Schemas<'a> {
    docs: &'a Docs,
    room: Cell<usize>,
}

impl<'a> Schemas<'a> {
    pub(crate) fn new(docs: &'a Docs) -> Self {
        Self {
            docs,
            room: Cell::new(MOST_BYTES),
        }
    }

    /// Takes room for a schema with these names and docs; returns false, and leaves no room
    /// for others, if there is not enough.
    fn takes<'t>(&self, mut texts: impl Iterator<Item = &'t str>) -> bool {
        let room = self.room.get().checked_sub(SCHEMA_BYTES);
        // A name stands in two places, and may be escaped.
        let left = texts.try_fold(room, |room, text| {
            let room = room?.checked_sub(SCHEMA_BYTES + 4 * text.len());
            room.is_some().then_some(room)
        });
        let left = left.flatten();
        self.room.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// The schema (draft 2020-12) of an object with these members, of which those
/// that are no options are required.
pub(crate) fn of_parameters(parameters: &[(String, Type)], docs: &Schemas<'_>) -> Json {
    if !docs.takes(parameters.iter().map(|(name, _)| name.as_str())) {
        return json!(true);
    }
    let members = parameters
        .iter()
        .map(|(name, ty)| (name.as_str(), ty.clone(), None));
    object(members, python, docs)
}

fn object<'a>(
    members: impl Iterator<Item = (&'a str, Type, Option<&'a str>)>,
    name_of: fn(&str) -> String,
    docs: &Schemas<'_>,
) -> Json {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, ty, doc) in members {
        if !matches!(ty, Type::Option(_)) {
            required.push(name_of(name));
        }
        let mut schema = of(&ty, docs);
        let doc = doc.filter(|doc| !doc.is_empty());
        if let (Some(doc), Some(schema)) = (doc, schema.as_object_mut()) {
            schema.insert(String::from("description"), json!(doc));
        }
        properties.insert(name_of(name), schema);
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The schema of values of a type.
pub(crate) fn of(ty: &Type, docs: &Schemas<'_>) -> Json {
    let mut record_doc = None;
    let has_room = match ty {
        Type::Record(record) => {
            let names = || record.fields().map(|field| field.name);
            // The docs are looked up for names that were counted, since that takes as long as they are.
            docs.takes(names()) && {
                record_doc = docs.docs.record(names());
                docs.takes(record_doc.into_iter().flat_map(TypeDoc::words))
            }
        }
        Type::Variant(variant) => docs.takes(variant.cases().map(|case| case.name)),
        Type::Enum(names) => docs.takes(names.names()),
        Type::Flags(flags) => docs.takes(flags.names()),
        _ => docs.takes(std::iter::empty()),
    };
    if !has_room {
        return json!(true);
    }
    let range =
        |least: i64, most: u64| json!({"type": "integer", "minimum": least, "maximum": most});
    match ty {
        Type::Bool => json!({"type": "boolean"}),
        Type::S8 => range(i8::MIN.into(), 127),
        Type::U8 => range(0, u8::MAX.into()),
        Type::S16 => range(i16::MIN.into(), i16::MAX as u64),
        Type::U16 => range(0, u16::MAX.into()),
        Type::S32 => range(i32::MIN.into(), i32::MAX as u64),
        Type::U32 => range(0, u32::MAX.into()),
        Type::S64 => range(i64::MIN, i64::MAX as u64),
        Type::U64 => range(0, u64::MAX),
        Type::Float32 | Type::Float64 => json!({"type": "number"}),
        Type::Char => json!({"type": "string", "minLength": 1, "maxLength": 1}),
        Type::String => json!({"type": "string"}),
        Type::List(list) if list.ty() == Type::U8 => {
            let tagged = json!({
                "type": "object",
                "properties": {"$bytes": {"type": "string", "contentEncoding": "base64"}},
                "required": ["$bytes"],
            });
            json!({"anyOf": [tagged, {"type": "array", "items": range(0, u8::MAX.into())}]})
        }
        Type::List(list) => json!({"type": "array", "items": of(&list.ty(), docs)}),
        Type::Tuple(tuple) => {
            let items: Vec<_> = tuple.types().map(|ty| of(&ty, docs)).collect();
            json!({"type": "array", "prefixItems": items, "minItems": items.len(), "maxItems": items.len()})
        }
        Type::Record(record) => {
            let doc = record_doc;
            let fields = record.fields().map(|field| {
                let doc = doc.and_then(|doc: &TypeDoc| doc.fields.get(field.name));
                (field.name, field.ty, doc.map(String::as_str))
            });
            let mut schema = object(fields, snake, docs);
            if let (Some(doc), Some(schema)) = (
                doc.filter(|doc| !doc.doc.is_empty()),
                schema.as_object_mut(),
            ) {
                schema.insert(String::from("description"), json!(doc.doc));
            }
            schema
        }
        Type::Variant(variant) => {
            let cases = variant.cases().map(|case| match &case.ty {
                None => json!({"const": snake(case.name)}),
                Some(ty) => {
                    let name = snake(case.name);
                    json!({
                        "type": "object",
                        "properties": {&name: of(ty, docs)},
                        "required": [name],
                        "additionalProperties": false,
                    })
                }
            });
            json!({"oneOf": cases.collect::<Vec<_>>()})
        }
        Type::Enum(names) => json!({"enum": names.names().map(snake).collect::<Vec<_>>()}),
        Type::Flags(flags) => {
            let names: Vec<_> = flags.names().map(snake).collect();
            json!({"type": "array", "items": {"enum": names}, "uniqueItems": true})
        }
        Type::Option(option) if matches!(option.ty(), Type::Option(_)) => {
            let some = json!({
                "type": "object",
                "properties": {"some": of(&option.ty(), docs)},
                "required": ["some"],
                "additionalProperties": false,
            });
            json!({"anyOf": [some, {"type": "null"}]})
        }
        Type::Option(option) => json!({"anyOf": [of(&option.ty(), docs), {"type": "null"}]}),
        Type::Result(result) => {
            let part = |name: &str, ty: Option<Type>| {
                let schema = ty.map_or_else(|| json!({"type": "null"}), |ty| of(&ty, docs));
                json!({
                    "type": "object",
                    "properties": {name: schema},
                    "required": [name],
                    "additionalProperties": false,
                })
            };
            json!({"oneOf": [part("ok", result.ok()), part("err", result.err())]})
        }
        _ => json!(false),
    }
}
