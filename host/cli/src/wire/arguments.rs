//! The arguments of a tool's call as JSON, written without a copy of their values.

use std::borrow::Cow;
use std::fmt;

use rlm_sandbox::Arguments;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;
use serde_json::value::RawValue;

/// The arguments of a tool's call: by name where its parameters are known.
#[derive(Debug)]
pub(crate) enum ArgumentsSaid {
    Of(Arguments),
    /// Arguments that another process of this program has written.
    Read(ReadArguments),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadArguments {
    pub(crate) args: Vec<Box<RawValue>>,
    pub(crate) kwargs: Members,
}

/// Members of an object in their order, with values that are not parsed.
#[derive(Debug)]
pub(crate) struct Members(pub(crate) Vec<(String, Box<RawValue>)>);

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Read)
    }
}

impl<'de> Deserialize<'de> for ArgumentsSaid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ReadArguments::deserialize(deserializer).map(Self::Read)
    }
}

impl Serialize for ArgumentsSaid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let arguments = match self {
            Self::Of(arguments) => arguments,
            Self::Read(read) => return read.serialize(serializer),
        };
        let (args, kwargs) = arguments.split();
        let mut said = serializer.serialize_struct("ArgumentsSaid", 2)?;
        said.serialize_field("args", &args)?;
        said.serialize_field("kwargs", &ByName(kwargs))?;
        said.end()
    }
}

impl JsonSchema for ArgumentsSaid {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("ArgumentsSaid")
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        /// The arguments of a tool's call: by name where its parameters are known.
        #[derive(JsonSchema)]
        #[expect(dead_code, reason = "for its schema")]
        struct ArgumentsSaid {
            args: Vec<Json>,
            kwargs: serde_json::Map<String, Json>,
        }
        ArgumentsSaid::json_schema(generator)
    }
}

/// Values in an object, under their names.
#[derive(Debug)]
struct ByName<'a>(Vec<(&'a str, &'a Json)>);

impl Serialize for ByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}
