//! The arguments of a tool's call as JSON, written without a copy of their values.

use std::borrow::Cow;

use rlm_sandbox::Arguments;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

/// The arguments of a tool's call: by name where its parameters are known.
#[derive(Debug)]
pub(crate) struct ArgumentsSaid(pub(crate) Arguments);

impl Serialize for ArgumentsSaid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (args, kwargs) = self.0.split();
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
pub(crate) struct ByName<'a>(pub(crate) Vec<(&'a str, &'a Json)>);

impl Serialize for ByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}
