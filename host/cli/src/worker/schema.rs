//! The JSON Schema of the protocol.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value as Json, json};

use super::protocol::{
    Advance, Advanced, CallAsked, CallTool, Cancel, Done, Exec, Fork, Get, Got, Hello, Import,
    Instructed, Instructions, Of, Open, Opened, Park, ParkedSaid, Printed, PromptAnswered,
    PromptAsked, Ran, Register, Replay, ReplaySaid, Restore, Resume, Set, StepSaid, ToolSaid,
    ToolsSaid, ToolsWanted, Turns, TurnsSaid, Validate, Validated, Variables, VariablesSaid,
    WaitingSaid,
};

/// Collects methods, each with what it takes and gives.
struct Methods {
    generator: SchemaGenerator,
    methods: Map<String, Json>,
}

impl Methods {
    fn new() -> Self {
        Self {
            generator: SchemaSettings::draft2020_12().into_generator(),
            methods: Map::new(),
        }
    }

    fn add<P: JsonSchema, R: JsonSchema>(mut self, method: &str) -> Self {
        let params = self.generator.subschema_for::<P>();
        let result = self.generator.subschema_for::<R>();
        self.methods.insert(
            method.to_owned(),
            json!({"params": params, "result": result}),
        );
        self
    }

    /// With what has no type of ours.
    fn add_any<P: JsonSchema>(mut self, method: &str) -> Self {
        let params = self.generator.subschema_for::<P>();
        self.methods
            .insert(method.to_owned(), json!({"params": params, "result": true}));
        self
    }
}

/// The protocol: `requests` from the client, `asked` of the client.
pub(super) fn schema() -> Json {
    let mut requests = Methods::new()
        .add::<Done, Hello>("hello")
        .add::<Open, Opened>("open")
        .add::<Restore, Opened>("restore")
        .add::<Exec, Ran>("exec")
        .add::<Exec, StepSaid>("step")
        .add::<Advance, Advanced>("advance")
        .add::<Resume, StepSaid>("resume")
        .add::<Of, Ran>("finish")
        .add::<Set, Done>("set")
        .add::<Get, Got>("get")
        .add::<Variables, VariablesSaid>("variables")
        .add_any::<Of>("export")
        .add::<Import, Done>("import")
        .add::<Park, ParkedSaid>("park")
        .add::<Fork, Opened>("fork")
        .add::<Register, Done>("register")
        .add::<Of, Done>("reset")
        .add_any::<Of>("stats")
        .add::<Of, WaitingSaid>("waiting")
        .add::<Cancel, Done>("cancel")
        .add::<Of, Done>("close")
        .add::<Validate, Validated>("validate")
        .add::<Instructions, Instructed>("instructions")
        .add::<ToolsWanted, ToolsSaid>("tools")
        .add::<CallTool, ToolSaid>("call-tool")
        .add::<Replay, ReplaySaid>("replay")
        .add::<Turns, TurnsSaid>("turns");
    let all = std::mem::take(&mut requests.methods);
    let mut asked = requests
        .add_any::<CallAsked<'_>>("call")
        .add::<PromptAsked<'_>, PromptAnswered>("ask")
        .add::<Printed<'_>, Done>("output");
    let definitions = asked.generator.take_definitions(true);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rlm-sandbox worker",
        "description": "JSON-RPC 2.0, one message on each line. `requests` go to the worker; `asked` come from it, \
                        of which `output` is a notification. An error of the sandbox has the code -32000 and its \
                        kind in `data.kind`.",
        "requests": all,
        "asked": asked.methods,
        "$defs": definitions,
    })
}
