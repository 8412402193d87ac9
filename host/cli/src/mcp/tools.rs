//! The tools.

use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use rlm_sandbox::{Context, Look};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{CallToolResult, ContentBlock, ProgressNotificationParam};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as AnyJson;

use super::Server;
use super::order::Use;
use super::search::{self, Found, Wanted};
use super::shown::{Got, LISTED, Loaded, Ran, loaded};

/// How often a client that wants to hear of progress does.
const PROGRESS: Duration = Duration::from_millis(500);

/// Code to run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Exec {
    /// Python. Variables stay from call to call; the last expression is shown.
    code: String,
    /// Compute time, at most 60000. Default: what the server was started with.
    #[serde(default)]
    timeout_ms: Option<u64>,
}

/// A text to load.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Load {
    /// Its name in `files`; another one of this name is replaced. Default: the file's.
    #[serde(default)]
    name: Option<String>,
    /// The text itself.
    #[serde(default)]
    text: Option<String>,
    /// Or a file, if the server was started with --allow-read for it.
    #[serde(default)]
    path: Option<String>,
    /// Whether it is JSON, which Python sees parsed as `context`.
    #[serde(default)]
    json: bool,
}

/// A variable to read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Get {
    name: String,
}

/// What there is.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    variables: Vec<Named>,
    contexts: Vec<Loaded>,
    /// Whether there are more variables.
    truncated: bool,
}

/// A name that scripts made.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Named {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    repr: String,
    size: Option<u64>,
}

/// What is gone.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Emptied {
    /// Variables that are gone.
    variables: usize,
}

/// Returns the parts of the session that a tool uses; none if there is no such tool.
pub(super) fn uses(tool: &str) -> Option<Use> {
    Some(match tool {
        "exec_python" | "get_variable" | "reset" => Use::Session,
        "list_variables" => Use::SessionAndContexts,
        "load_context" => Use::ChangeContexts,
        "search_context" => Use::ReadContexts,
        _ => return None,
    })
}

/// An error as a client is told it.
fn told(error: impl ToString) -> String {
    error.to_string()
}

#[tool_router(vis = "pub(super)")]
impl Server {
    /// Runs Python in a sandbox: no files, no network, no packages. Variables stay from call to call. Loaded
    /// contexts are files[NAME]; the first by name is `context`, too. Give the answer of a task with FINAL(answer).
    #[tool(
        name = "exec_python",
        output_schema = rmcp::handler::server::tool::schema_for_output::<Ran>(),
        annotations(title = "Run Python", read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn exec_python(
        &self,
        Parameters(exec): Parameters<Exec>,
        request: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, String> {
        let mut session = self.session(&request).await?;
        let before = session.limits().time;
        if let Some(timeout) = exec.timeout_ms {
            session.set_time_limit(Duration::from_millis(timeout.clamp(1, 60_000)));
        }
        self.printed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        let outcome = {
            let telling = self.tell_progress(&request);
            let running = session.exec(&exec.code);
            let mut running = std::pin::pin!(running);
            tokio::select! {
                // Who is done is not canceled.
                biased;
                outcome = &mut running => outcome,
                () = telling => running.await,
                () = request.ct.cancelled() => {
                    self.cancel.cancel();
                    running.await
                }
            }
        };
        session.set_time_limit(before);
        let outcome = outcome.map_err(told)?;
        let text = outcome.view(&self.view(self.max_output)).text;
        let ran = self.ran(outcome);
        let is_error = !ran.success;
        let mut result = CallToolResult::structured(serde_json::to_value(ran).map_err(told)?);
        result.content = vec![ContentBlock::text(text)];
        result.is_error = Some(is_error);
        Ok(result)
    }

    /// Loads a text as a context, so that Python and search_context can read it. Give `text`, or the `path` of a
    /// file that the server may read.
    #[tool(
        name = "load_context",
        annotations(
            title = "Load a context",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn load_context(
        &self,
        Parameters(load): Parameters<Load>,
        request: RequestContext<RoleServer>,
    ) -> Result<Json<Loaded>, String> {
        let this = self.clone();
        let read = tokio::task::spawn_blocking(move || this.context(load));
        let context = tokio::select! {
            context = read => context.map_err(told)??,
            () = request.ct.cancelled() => return Err(String::from("canceled")),
        };
        let loaded = loaded(&context);
        let name = context.name().to_owned();
        let mut session = self.session(&request).await?;
        session.remove_context(&name);
        session.add_context(context.clone()).map_err(told)?;
        {
            let mut contexts = self.contexts.lock().unwrap_or_else(PoisonError::into_inner);
            contexts.retain(|other| other.name() != name);
            contexts.push(context);
        }
        drop(session);
        // A client that does not listen any more is no reason to fail.
        let _ = request.peer.notify_resource_list_changed().await;
        Ok(Json(loaded))
    }

    /// Finds lines of the contexts that match a regular expression, with their line numbers.
    #[tool(
        name = "search_context",
        annotations(
            title = "Search the contexts",
            read_only_hint = true,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn search_context(
        &self,
        Parameters(wanted): Parameters<Wanted>,
        request: RequestContext<RoleServer>,
    ) -> Result<Json<Found>, String> {
        let turn = self.turn(&request).await?;
        let contexts = self.contexts();
        // It has what it searches; later requests may change the rest.
        drop(turn);
        let room = self.max_output;
        let found = tokio::task::spawn_blocking(move || search::search(&contexts, &wanted, room));
        found.await.map_err(told)?.map(Json)
    }

    /// Reads a Python variable.
    #[tool(
        name = "get_variable",
        annotations(
            title = "Read a variable",
            read_only_hint = true,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn get_variable(
        &self,
        Parameters(get): Parameters<Get>,
        request: RequestContext<RoleServer>,
    ) -> Result<Json<Got>, String> {
        let mut session = self.session(&request).await?;
        let value = session.get(&get.name).await.map_err(told)?;
        let value = value.ok_or_else(|| {
            format!(
                "no variable is named `{}`; list_variables names those there are",
                get.name
            )
        })?;
        Ok(Json(self.got(get.name, &value)))
    }

    /// Lists the Python variables with their types and values in short, and the contexts.
    #[tool(
        name = "list_variables",
        annotations(
            title = "List variables and contexts",
            read_only_hint = true,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn list_variables(
        &self,
        request: RequestContext<RoleServer>,
    ) -> Result<Json<Listed>, String> {
        let mut session = self.session(&request).await?;
        let look = Look::reprs(
            u32::try_from(self.max_output / LISTED)
                .unwrap_or(u32::MAX)
                .clamp(20, 400),
        );
        let variables = session.variables(look).await.map_err(told)?;
        let truncated = variables.len() > LISTED;
        let variables = variables.into_iter().take(LISTED).map(|variable| Named {
            name: variable.name,
            kind: variable.kind,
            repr: variable.repr,
            size: variable.size,
        });
        Ok(Json(Listed {
            variables: variables.collect(),
            contexts: self.contexts().iter().map(loaded).collect(),
            truncated,
        }))
    }

    /// Forgets all Python variables. Contexts stay.
    #[tool(
        name = "reset",
        annotations(
            title = "Forget all variables",
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn reset(&self, request: RequestContext<RoleServer>) -> Result<Json<Emptied>, String> {
        let mut session = self.session(&request).await?;
        let look = Look::reprs(0);
        let variables = session.variables(look).await.map_err(told)?;
        session.reset().map_err(told)?;
        Ok(Json(Emptied {
            variables: variables.len(),
        }))
    }
}

/// Takes away what readers of schemas complain about: formats of Rust's numbers.
pub(super) fn plain_schemas(mut router: ToolRouter<Server>) -> ToolRouter<Server> {
    fn plain(schema: &mut serde_json::Map<String, AnyJson>) {
        if schema.get("format").is_some_and(AnyJson::is_string) {
            schema.remove("format");
        }
        schema.values_mut().for_each(within);
    }
    fn within(value: &mut AnyJson) {
        match value {
            AnyJson::Object(schema) => plain(schema),
            AnyJson::Array(items) => items.iter_mut().for_each(within),
            _ => {}
        }
    }
    for route in router.map.values_mut() {
        plain(Arc::make_mut(&mut route.attr.input_schema));
        if let Some(schema) = &mut route.attr.output_schema {
            plain(Arc::make_mut(schema));
        }
    }
    router
}

impl Server {
    /// Tells a client that wants to know, now and then, until it is dropped.
    async fn tell_progress(&self, request: &RequestContext<RoleServer>) {
        let Some(token) = request.meta.get_progress_token() else {
            return std::future::pending().await;
        };
        let since = std::time::Instant::now();
        loop {
            let printed = self
                .printed
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            let message = if printed.is_empty() {
                String::from("running")
            } else {
                printed
            };
            let progress =
                ProgressNotificationParam::new(token.clone(), since.elapsed().as_secs_f64());
            if request
                .peer
                .notify_progress(progress.with_message(message))
                .await
                .is_err()
            {
                // The client is gone, but the request can still be canceled.
                return std::future::pending().await;
            }
            tokio::time::sleep(PROGRESS).await;
        }
    }

    fn context(&self, load: Load) -> Result<Context, String> {
        let text = match (load.text, load.path) {
            (Some(text), None) => Ok(text),
            (None, Some(path)) => {
                let path = Path::new(&path);
                let name = load
                    .name
                    .clone()
                    .or_else(|| Some(path.file_name()?.to_str()?.to_owned()));
                let name = name.ok_or("give the context a name")?;
                let context = self.files.read(path, &name).map_err(told)?;
                match context.as_text() {
                    Some(text) if load.json => Err((name, text.to_owned())),
                    None if load.json => {
                        return Err(format!("{name} is not text; load it without json"));
                    }
                    _ => return Ok(context),
                }
            }
            _ => return Err(String::from("give either `text` or `path`")),
        };
        let (name, text) = match text {
            Ok(text) => (load.name.ok_or("give the context a `name`")?, text),
            Err(named) => named,
        };
        match load.json {
            true => Context::json(name, text).map_err(told),
            false => Ok(Context::text(name, text)),
        }
    }
}
