//! What a plugin is, told to people and to programs.

use serde::Serialize;
use serde_json::Value as Json;

use crate::docs::Docs;
use crate::function::Function;
use crate::imports::Import;
use crate::schema::Schemas;

/// What a plugin imports and exports.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Inspection {
    /// Its name in Python.
    pub name: String,
    /// What its author says of it as a whole.
    pub doc: String,
    /// SHA-256 of its file, in hex.
    pub digest: String,
    /// Everything it imports.
    pub imports: Vec<Import>,
    /// What it can be asked.
    pub functions: Vec<FunctionInspection>,
}

/// One function of a plugin.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FunctionInspection {
    /// As Python calls it.
    pub name: String,
    /// With its parameters and types, in Python's words.
    pub signature: String,
    /// What its author says of it.
    pub doc: String,
    /// JSON schema of its arguments, by name.
    pub input_schema: Json,
    /// JSON schema of what it gives.
    pub output_schema: Json,
}

impl Inspection {
    pub(crate) fn new(
        name: &str,
        digest: &str,
        imports: &[Import],
        functions: &[Function],
        docs: &Docs,
    ) -> Self {
        let schemas = Schemas::new(docs);
        let function = |function: &Function| FunctionInspection {
            name: function.python.clone(),
            signature: function.signature(),
            doc: function.doc.clone(),
            input_schema: function.input_schema(&schemas),
            output_schema: function.output_schema(&schemas),
        };
        Self {
            name: name.to_owned(),
            doc: docs.doc.trim().to_owned(),
            digest: digest.to_owned(),
            imports: imports.to_vec(),
            functions: functions.iter().map(function).collect(),
        }
    }
}
