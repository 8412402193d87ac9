//! Tools for a model's function calling, dispatched by name.

mod exec_python;
mod exec_wasm;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};

pub use exec_wasm::{WasmCall, exec_wasm_definition};

use crate::format::clipped;
use crate::outcome::Outcome;
use crate::session::Session;
use crate::tool::BoxFuture;
use crate::view::View;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// Compute time of a call of `exec_python` or `exec_wasm` that asks for none.
///
/// Source: R0-2.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);

/// Compute time that a call may ask for. What is above counts as this.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(600);

/// The JSON in which a model's API wants a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// `{"type": "function", "function": {name, description, parameters}}`
    OpenAi,
    /// `{name, description, input_schema}`
    Anthropic,
    /// `{name, description, inputSchema}`
    Mcp,
}

/// Effect of a tool outside of the sandbox, by which a program decides what a model may call.
///
/// Source: R1-24.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// Computes, inside the sandbox.
    Compute,
    /// Reads or writes files.
    Filesystem,
    /// Speaks with other machines.
    Network,
    /// Runs commands.
    Shell,
    /// Gives work to another model or agent.
    Delegate,
    /// Anything that the program does: the capability of its own tools that name none.
    Host,
}

impl Capability {
    /// Returns its name, as in `compute`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Filesystem => "filesystem",
            Self::Network => "network",
            Self::Shell => "shell",
            Self::Delegate => "delegate",
            Self::Host => "host",
        }
    }
}

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Definition {
    /// Name by which a model calls it.
    pub name: String,
    /// Purpose, in words for a model.
    pub description: String,
    /// JSON schema of its arguments.
    pub parameters: Json,
    /// Capability that a call needs. A model does not see it.
    pub capability: Capability,
}

impl Definition {
    /// Creates a definition with the capability [`Host`](Capability::Host).
    pub fn new(name: impl Into<String>, description: impl Into<String>, parameters: Json) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            parameters,
            capability: Capability::Host,
        }
    }

    /// Sets the capability that a call needs.
    #[must_use]
    pub fn capability(mut self, capability: Capability) -> Self {
        self.capability = capability;
        self
    }

    /// Writes it for a list of tools.
    pub fn shaped(&self, shape: Shape) -> Json {
        let Self {
            name,
            description,
            parameters,
            capability: _,
        } = self;
        match shape {
            Shape::OpenAi => json!({
                "type": "function",
                "function": {"name": name, "description": description, "parameters": parameters},
            }),
            Shape::Anthropic => {
                json!({"name": name, "description": description, "input_schema": parameters})
            }
            Shape::Mcp => {
                json!({"name": name, "description": description, "inputSchema": parameters})
            }
        }
    }
}

/// The result of a call of a tool.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolResult {
    /// Result for the model. Failures are in it, too: `success` is false.
    pub json: Json,
    /// Outcome of the script that ran; none of a call that was refused, and of the program's own tools.
    pub outcome: Option<Outcome>,
}

impl ToolResult {
    /// Returns the result with each text cut by `view`, and all of it at about `total` characters. If something was cut, it
    /// has the members `_truncated` and `_hint`.
    pub fn clipped(&self, view: &View, total: usize) -> Json {
        clipped(self.json.clone(), view, total)
    }
}

/// A function that carries out calls of a tool.
type Handler = Arc<dyn Fn(Json) -> BoxFuture<Json> + Send + Sync>;

/// The tools that a model may call: `exec_python`, `exec_wasm` if the session has plugins, and the program's own.
///
/// ```
/// use rlm_sandbox::{LocalTools, Sandbox, Shape};
/// use serde_json::json;
///
/// # async fn run() -> rlm_sandbox::Result<()> {
/// let mut session = Sandbox::new()?.session().open()?;
/// let tools = LocalTools::new();
/// let list = tools.schemas(&session, Shape::OpenAi);
/// let result = tools.call(&mut session, "exec_python", &json!({"code": "6 * 7"})).await;
/// assert_eq!(result.json["return_value"], json!("42"));
/// # Ok(())
/// # }
/// ```
///
/// Source: R0-3.
#[derive(Clone)]
pub struct LocalTools {
    own: Vec<(Definition, Handler)>,
    timeouts: Timeouts,
    /// The capabilities that calls may need; all of them without a set.
    allowed: Option<BTreeSet<Capability>>,
}

/// Compute times of calls.
#[derive(Clone, Copy, Debug)]
struct Timeouts {
    default: Duration,
    max: Duration,
}

impl Timeouts {
    /// Reads the argument `timeout_ms` of a call.
    fn read(self, tool: &str, arguments: &Json) -> std::result::Result<Duration, String> {
        let wrong =
            || format!("{tool}: 'timeout_ms' must be a whole number of milliseconds above 0");
        match arguments.get("timeout_ms") {
            None | Some(Json::Null) => Ok(self.default),
            // Any number without a fraction is an integer of JSON Schema, and what is too long is the most there is.
            Some(Json::Number(number)) => match number.as_f64() {
                Some(timeout) if timeout >= 1.0 && timeout.fract() == 0.0 => {
                    let timeout = number.as_u64().unwrap_or(timeout as u64);
                    Ok(Duration::from_millis(timeout).min(self.max))
                }
                _ => Err(wrong()),
            },
            Some(_) => Err(wrong()),
        }
    }

    /// Returns the JSON schema of the argument `timeout_ms`.
    fn schema(self) -> Json {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        json!({
            "type": "integer",
            "description": "max wall-clock execution time in milliseconds; waiting for tools and models does not count",
            "default": ms(self.default),
            "minimum": 1,
            "maximum": ms(self.max),
        })
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            default: DEFAULT_TIMEOUT,
            max: MAX_TIMEOUT,
        }
    }
}

impl Default for LocalTools {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for LocalTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own: Vec<_> = self.own.iter().map(|(own, _)| &own.name).collect();
        f.debug_struct("LocalTools")
            .field("own", &own)
            .field("timeouts", &self.timeouts)
            .field("allowed", &self.allowed)
            .finish()
    }
}

impl LocalTools {
    /// Creates a registry of `exec_python` and `exec_wasm`.
    pub fn new() -> Self {
        Self {
            own: Vec::new(),
            timeouts: Timeouts::default(),
            allowed: None,
        }
    }

    /// Adds a tool of the program's own, which runs outside of the sandbox. Its handler gets the arguments as the model gave
    /// them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] if there is a tool of this name already.
    pub fn tool<F, Fut>(mut self, definition: Definition, handler: F) -> Result<Self>
    where
        F: Fn(Json) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Json> + Send + 'static,
    {
        let is_ours = [exec_python::NAME, exec_wasm::NAME].contains(&&*definition.name);
        if is_ours || self.own.iter().any(|(own, _)| own.name == definition.name) {
            return Err(Error::usage(format!(
                "there is a tool `{}` already; give this one another name",
                definition.name
            )));
        }
        let handler = Arc::new(move |arguments| Box::pin(handler(arguments)) as BoxFuture<Json>);
        self.own.push((definition, handler));
        Ok(self)
    }

    /// Sets the compute time of calls that ask for none, and the most that one may ask for. Defaults: [`DEFAULT_TIMEOUT`] and
    /// [`MAX_TIMEOUT`].
    #[must_use]
    pub fn timeouts(mut self, default: Duration, max: Duration) -> Self {
        self.timeouts = Timeouts {
            default: default.min(max),
            max,
        };
        self
    }

    /// Leaves out the tools that need another capability than these: they are not listed, and a call is refused in band.
    /// Default: none is left out.
    ///
    /// Source: R1-24.
    #[must_use]
    pub fn allow(mut self, capabilities: impl IntoIterator<Item = Capability>) -> Self {
        self.allowed = Some(capabilities.into_iter().collect());
        self
    }

    /// Returns the capability that each tool of this session needs, also of those that are [left out](Self::allow).
    pub fn capabilities(&self, session: &Session) -> BTreeMap<String, Capability> {
        let all = self.all(session).into_iter();
        all.map(|definition| (definition.name, definition.capability))
            .collect()
    }

    fn allows(&self, capability: Capability) -> bool {
        let allowed = self.allowed.as_ref();
        allowed.is_none_or(|allowed| allowed.contains(&capability))
    }

    /// Lists the tools of this session. `exec_python` names `context` and `llm_query` only if its scripts have them.
    pub fn definitions(&self, session: &Session) -> Vec<Definition> {
        let mut all = self.all(session);
        all.retain(|definition| self.allows(definition.capability));
        all
    }

    fn all(&self, session: &Session) -> Vec<Definition> {
        let mut all = vec![exec_python::definition(session, self.timeouts)];
        all.extend(exec_wasm::definition(session, self.timeouts));
        all.extend(self.own.iter().map(|(definition, _)| definition.clone()));
        all
    }

    /// Writes the tools of this session for a model's API.
    pub fn schemas(&self, session: &Session, shape: Shape) -> Vec<Json> {
        let all = self.definitions(session).into_iter();
        all.map(|definition| definition.shaped(shape)).collect()
    }

    /// Returns the JSON schema of the results of `exec_python` and `exec_wasm`.
    pub fn output_schema() -> Json {
        exec_python::output_schema()
    }

    /// Carries out a call. Every failure is in the result, also an unknown name and wrong arguments. The session's time limit
    /// is as before afterwards, also if the future is dropped.
    pub async fn call(&self, session: &mut Session, name: &str, arguments: &Json) -> ToolResult {
        let is_ours = [exec_python::NAME, exec_wasm::NAME].contains(&name);
        let own = self.own.iter().find(|(own, _)| own.name == name);
        let capability = match is_ours {
            true => Some(Capability::Compute),
            false => own.map(|(own, _)| own.capability),
        };
        if let Some(refused) = capability.filter(|capability| !self.allows(*capability)) {
            return self::refused(&format!(
                "{name} needs the capability `{}`, which is not allowed here",
                refused.word()
            ));
        }
        match name {
            exec_python::NAME => exec_python::call(session, arguments, self.timeouts).await,
            exec_wasm::NAME => exec_wasm::call(session, arguments, self.timeouts).await,
            _ => {
                let json = match own {
                    Some((_, handler)) => handler(arguments.clone()).await,
                    None => self.unknown(session, name),
                };
                ToolResult {
                    json,
                    outcome: None,
                }
            }
        }
    }

    fn unknown(&self, session: &Session, name: &str) -> Json {
        let all = self.definitions(session).into_iter();
        let names: Vec<_> = all.map(|definition| definition.name).collect();
        refusal(
            POLICY,
            &format!(
                "there is no tool '{}'; there are {}",
                name.escape_debug(),
                names.join(", ")
            ),
        )
    }
}

/// Returns the sentence that refuses an argument which the tool does not have, if there is one: one that is ignored misleads.
fn unknown(tool: &str, known: &[&str], arguments: &Json) -> Option<String> {
    const SHOWN: usize = 100;
    let mut names = arguments.as_object()?.keys();
    let name = names.find(|name| !known.contains(&name.as_str()))?;
    let name: String = name.chars().take(SHOWN).collect();
    Some(format!(
        "{tool}: there is no parameter '{}'; there are {}",
        name.escape_debug(),
        known.join(", ")
    ))
}

/// Runs a script with a time limit of its own.
async fn run(session: &mut Session, source: &str, timeout: Duration) -> ToolResult {
    let ran = match session.is_waiting() {
        // Nothing runs, and the script that waits keeps its time limit.
        true => session.exec(source).await,
        false => {
            let limited = TimeLimited::new(session, timeout);
            limited.session.exec(source).await
        }
    };
    match ran {
        Ok(outcome) => ToolResult {
            json: outcome.to_exec_python(),
            outcome: Some(outcome),
        },
        Err(error) => ToolResult {
            json: failed(&error),
            outcome: None,
        },
    }
}

/// A session that has another time limit for one call, also if the call is dropped.
struct TimeLimited<'a> {
    session: &'a mut Session,
    before: Duration,
}

impl<'a> TimeLimited<'a> {
    fn new(session: &'a mut Session, limit: Duration) -> Self {
        let before = session.limits().time;
        session.set_time_limit(limit);
        Self { session, before }
    }
}

impl Drop for TimeLimited<'_> {
    fn drop(&mut self) {
        self.session.set_time_limit(self.before);
    }
}

/// The result of a script that the sandbox could not run.
fn failed(error: &Error) -> Json {
    let kind = match error.kind() {
        // A caller can do something about it.
        ErrorKind::Usage => POLICY,
        ErrorKind::Limit => "limit",
        ErrorKind::Canceled => "canceled",
        _ => "host_error",
    };
    refusal(kind, &error.to_string())
}

/// The result of a call that was refused.
fn refused(message: &str) -> ToolResult {
    ToolResult {
        json: refusal(POLICY, message),
        outcome: None,
    }
}

/// The error kind of a call that is refused before a script runs.
const POLICY: &str = "policy";

fn refusal(kind: &str, message: &str) -> Json {
    json!({
        "success": false,
        "stdout": "",
        "return_value": null,
        "error": message,
        "execution_time_ms": 0,
        "variables": [],
        "_local": true,
        "_rust": true,
        "_sandbox": "monty",
        "_isolation": "wasmtime",
        "error_kind": kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sandbox;
    use crate::meter::block_on;

    #[doc = "Keeps R0-21."]
    #[test]
    fn without_the_interpreter_the_tool_says_so_in_band() {
        let mut session = Sandbox::builder()
            .without_guest()
            .build()
            .expect("an engine")
            .session()
            .open()
            .expect("right");
        let tools = LocalTools::new();
        let result = block_on(tools.call(&mut session, "exec_python", &json!({"code": "1"}))).json;
        assert_eq!(result["success"], json!(false));
        assert_eq!(
            result["error"],
            json!("exec_python unavailable: rlm-sandbox was built without feature 'python'")
        );
        assert_eq!(
            block_on(session.exec("1"))
                .expect_err("nothing to run")
                .kind(),
            ErrorKind::Guest
        );
    }
}
