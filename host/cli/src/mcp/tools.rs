//! The tools.

use std::path::Path;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use anyhow::{anyhow, bail};
use rlm_sandbox::{
    Context, ErrorKind, LocalTools, Look, Session, Variable, select_default_context,
};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, ProgressNotificationParam};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, tool, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as AnyJson;

use super::order::Use;
use super::search::{self, Found, Stop, Wanted};
use super::shown::{Got, LISTED, Loaded, LoadedNow, Room};
use super::{Held, PENDING_SEARCHES, Server};
use crate::memory::{self, Full};

/// Text around the parts of a listed variable.
const MEMBERS: &str = r#"{"name":,"type":,"repr":,"size":}"#;

/// How often a client that wants to hear of progress does.
const PROGRESS: Duration = Duration::from_millis(500);

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
    /// Or a file, if the server was started with --allow-read for it; a relative path may begin in a folder given there.
    #[serde(default)]
    path: Option<String>,
    /// JSON or text: JSON is what Python sees parsed as `context_N`, and as `context` if it is the first one by name.
    #[serde(default)]
    json: bool,
}

/// A context to drop.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Remove {
    /// Its name in `files`.
    name: String,
}

/// A variable to read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Get {
    name: String,
}

/// A part of the variables and contexts to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// Variables to skip. Default: 0.
    #[serde(default)]
    variables_offset: usize,
    /// Contexts to skip. Default: 0.
    #[serde(default)]
    contexts_offset: usize,
}

/// Variables and contexts, as many as fit into a result.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    variables: Vec<Named>,
    contexts: Vec<Loaded>,
    /// True if more variables or contexts follow.
    truncated: bool,
    /// The `variables_offset` that lists the variables that follow; null if there are none.
    next_variables_offset: Option<usize>,
    /// The `contexts_offset` that lists the contexts that follow; null if there are none.
    next_contexts_offset: Option<usize>,
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

/// The context that is gone.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Removed {
    name: String,
    size_bytes: u64,
}

/// What is gone.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Emptied {
    /// Variables that are gone; null where memory is too full to count them.
    variables: Option<usize>,
}

/// Returns the parts of the session that a tool uses; none if there is no such tool.
pub(super) fn uses(tool: &str) -> Option<Use> {
    Some(match tool {
        "exec_python" | "exec_wasm" | "get_variable" | "reset" => Use::Session,
        "list_variables" => Use::SessionAndContexts,
        "load_context" | "remove_context" => Use::ChangeContexts,
        "search_context" => Use::ReadContexts,
        _ => return None,
    })
}

/// Returns the name of the context that is `context` in Python.
fn default_name(session: &Session) -> Option<String> {
    let default = select_default_context(session.contexts(), None);
    default.map(|default| default.name().to_owned())
}

/// An error as a client is told it.
fn told(error: impl ToString) -> String {
    error.to_string()
}

#[tool_router(vis = "pub(super)")]
impl Server {
    // Their descriptions and arguments are those of the session's tools: see `describe_tools`.
    #[tool(
        name = "exec_python",
        annotations(
            title = "Run Python",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn exec_python(
        &self,
        arguments: JsonObject,
        request: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, String> {
        self.local_tool("exec_python", arguments, request).await
    }

    #[tool(
        name = "exec_wasm",
        annotations(
            title = "Call a plugin",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn exec_wasm(
        &self,
        arguments: JsonObject,
        request: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, String> {
        self.local_tool("exec_wasm", arguments, request).await
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
    ) -> Result<Json<LoadedNow>, String> {
        // Read in its turn: whether there is room depends on what came before.
        let mut session = self.session(&request).await?;
        let load = Arc::new(load);
        let before = default_name(&session);
        let read = async {
            match self.read_context(&load).await {
                // Contexts that were dropped may still be there.
                Err(error) if error.is::<Full>() => {
                    memory::free(&mut session).await;
                    self.read_context(&load).await
                }
                read => read,
            }
        };
        let held = tokio::select! {
            held = read => held.map_err(told)?,
            () = request.ct.cancelled() => return Err(String::from("canceled")),
        };
        let loaded = held.loaded.clone();
        let name = held.context.name().to_owned();
        session.remove_context(&name);
        session.add_context(held.context.clone()).map_err(told)?;
        {
            let mut contexts = self.held();
            contexts.retain(|other| other.context.name() != name);
            contexts.push(held);
        }
        let default = default_name(&session);
        let note = before
            .filter(|before| default.as_ref() != Some(before))
            .map(|before| {
                let now = default.as_deref().unwrap_or(&name);
                format!(
                    "`context` is {now} from now on; it was {before}, which is files[{}]",
                    AnyJson::from(before.as_str())
                )
            });
        let earlier = session
            .contexts()
            .iter()
            .filter(|other| other.name() < name.as_str());
        let reads_contexts = session.profile().reads_contexts();
        let loaded_as = load.json.then(|| format!("context_{}", earlier.count()));
        drop(session);
        self.tell_of_contexts(&request).await;
        Ok(Json(LoadedNow {
            python: match reads_contexts {
                true => {
                    loaded_as.unwrap_or_else(|| format!("files[{}]", AnyJson::from(name.as_str())))
                }
                false => String::from("no name: scripts of this profile see no contexts"),
            },
            loaded,
            default_context: default.unwrap_or(name),
            note,
        }))
    }

    /// Drops a context, which makes room for others.
    #[tool(
        name = "remove_context",
        annotations(
            title = "Drop a context",
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn remove_context(
        &self,
        Parameters(Remove { name }): Parameters<Remove>,
        request: RequestContext<RoleServer>,
    ) -> Result<Json<Removed>, String> {
        let mut session = self.session(&request).await?;
        session.remove_context(&name);
        let held = {
            let mut contexts = self.held();
            let at = contexts.iter().position(|held| held.context.name() == name);
            at.map(|at| contexts.remove(at))
        };
        drop(session);
        let held = held.ok_or_else(|| {
            format!("no context is named `{name}`; list_variables names those there are")
        })?;
        self.tell_of_contexts(&request).await;
        Ok(Json(Removed {
            name,
            size_bytes: held.context.size_bytes(),
        }))
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
        let canceled = || String::from("canceled");
        let pending = Arc::clone(&self.pending_searches);
        let pending = pending.try_acquire_owned().map_err(|_| {
            format!("{PENDING_SEARCHES} searches have no result yet; search again when one has")
        })?;
        let turn = self.turn(&request).await?;
        let contexts = self.contexts();
        // It has what it searches; later requests may change the rest.
        drop(turn);
        let searches = Arc::clone(&self.searches);
        let permit = tokio::select! {
            permit = searches.acquire_owned() => permit.map_err(told)?,
            () = request.ct.cancelled() => return Err(canceled()),
        };
        let room = self.max_output;
        let is_canceled = CancelOnDrop::default();
        let flags = vec![Arc::clone(&is_canceled.0), Arc::clone(&self.is_gone)];
        let stop = Stop::new(self.search_timeout, flags);
        let found = tokio::task::spawn_blocking(move || {
            let found = search::search(&contexts, &wanted, room, stop);
            // A search that was canceled counts until it has ended.
            drop((permit, pending));
            found
        });
        tokio::select! {
            found = found => found.map_err(told)?.map(Json),
            () = request.ct.cancelled() => Err(canceled()),
        }
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
        let got = self.unless_canceled(&request, session.get(&get.name));
        let value = got.await.map_err(told)?;
        let value = value.ok_or_else(|| match get.name.as_str() {
            "context" | "files" if !self.held().is_empty() => format!(
                "`{}` is what is loaded, and no variable: exec_python reads it, search_context finds lines in it",
                get.name
            ),
            name => {
                format!("no variable is named `{name}`; list_variables names those there are")
            }
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
        Parameters(list): Parameters<List>,
        request: RequestContext<RoleServer>,
    ) -> Result<Json<Listed>, String> {
        let mut session = self.session(&request).await?;
        let most = (self.max_output / LISTED).clamp(20, 400);
        // One more byte shows whether that is all.
        let look = Look::reprs(most as u32 + 1);
        let variables = self.unless_canceled(&request, session.variables(look));
        let mut variables = variables.await.map_err(told)?;
        for variable in &mut variables {
            if variable.repr.len() > most {
                variable
                    .repr
                    .truncate(variable.repr.floor_char_boundary(most));
                variable.repr.push_str(" […]");
            }
        }
        let held = self.held();
        // Contexts take half of the room at the most, and variables what is left.
        let mut room = Room::new(self.max_output / 2);
        let of_contexts = held.iter().skip(list.contexts_offset);
        let of_contexts = of_contexts.take_while(|held| held.loaded.takes(&mut room));
        let contexts: Vec<_> = of_contexts.map(|held| held.loaded.clone()).collect();
        let left = room.left() + self.max_output.div_ceil(2);
        let mut room = Room::new(left);
        let fits = |variable: &&Variable| {
            let size = variable.size.unwrap_or_default().to_string();
            room.take(&[
                &variable.name,
                &variable.kind,
                &variable.repr,
                &size,
                MEMBERS,
            ])
        };
        let of_variables = variables.iter().skip(list.variables_offset).take(LISTED);
        let listed = of_variables.take_while(fits).count();
        let truncated = variables.len() > list.variables_offset.saturating_add(listed)
            || held.len() > list.contexts_offset.saturating_add(contexts.len());
        // An entry that no result has room for is skipped, so that a client gets to those behind it.
        let next = |offset: usize, listed: usize, all: usize| {
            Some(offset.saturating_add(listed.max(1))).filter(|next| *next < all)
        };
        let next_variables_offset = next(list.variables_offset, listed, variables.len());
        let next_contexts_offset = next(list.contexts_offset, contexts.len(), held.len());
        let variables = variables.into_iter().skip(list.variables_offset);
        let variables = variables.take(listed).map(|variable| Named {
            name: variable.name,
            kind: variable.kind,
            repr: variable.repr,
            size: variable.size,
        });
        Ok(Json(Listed {
            variables: variables.collect(),
            contexts,
            truncated,
            next_variables_offset,
            next_contexts_offset,
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
        // Counting takes memory, of which there may be none: that is what a reset is for.
        let counted = self.unless_canceled(&request, session.variables(Look::reprs(0)));
        let variables = match counted.await {
            Ok(variables) => Some(variables.len()),
            Err(error) if error.kind() == ErrorKind::Canceled => return Err(told(error)),
            Err(_) => None,
        };
        session.reset().map_err(told)?;
        Ok(Json(Emptied { variables }))
    }
}

impl Server {
    /// Carries out a call of a tool that runs a script.
    async fn local_tool(
        &self,
        name: &str,
        arguments: JsonObject,
        request: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, String> {
        let mut session = self.session(&request).await?;
        self.printed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        let arguments = AnyJson::Object(arguments);
        let running = async {
            let mut running = pin!(self.local_tools.call(&mut session, name, &arguments));
            tokio::select! {
                biased;
                result = &mut running => result,
                () = self.tell_progress(&request) => running.await,
            }
        };
        let ran = self.unless_canceled(&request, running).await;
        let view = self.view(self.max_output);
        let text = match &ran.outcome {
            Some(outcome) => outcome.view(&view).text,
            None => {
                view.cut(ran.json["error"].as_str().unwrap_or_default())
                    .text
            }
        };
        let structured = ran.clipped(&self.view(self.max_output / 2), self.max_output);
        let mut result = CallToolResult::structured(structured);
        result.content = vec![ContentBlock::text(text)];
        result.is_error = Some(ran.json["success"] != true);
        Ok(result)
    }

    /// Does work with the session, which ends when the request is canceled.
    async fn unless_canceled<T>(
        &self,
        request: &RequestContext<RoleServer>,
        work: impl Future<Output = T>,
    ) -> T {
        let mut work = pin!(work);
        tokio::select! {
            // What is done is not canceled.
            biased;
            done = &mut work => done,
            () = request.ct.cancelled() => {
                self.cancel.cancel();
                let done = work.await;
                // It may have come when the work had ended already.
                self.cancel.take_back();
                done
            }
        }
    }
}

/// A flag that is set when it is dropped.
#[derive(Default)]
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Says in the description of search_context how long it may take.
pub(super) fn describe_search(router: &mut ToolRouter<Server>, timeout: Duration) {
    if let Some(route) = router.map.get_mut("search_context") {
        let before = route.attr.description.as_deref().unwrap_or_default();
        let description = format!(
            "{before} After {} it returns what it found so far, and in `next` where to go on: search again with that \
             context and start.",
            humantime::format_duration(timeout)
        );
        route.attr.description = Some(description.into());
    }
}

/// Describes the tools that run scripts as the session's tools are described, and removes those that it does not have.
pub(super) fn describe_tools(
    router: &mut ToolRouter<Server>,
    tools: &LocalTools,
    session: &Session,
) {
    let mut definitions = tools.definitions(session);
    for name in ["exec_python", "exec_wasm"] {
        let found = definitions
            .iter()
            .position(|definition| definition.name == name);
        let Some(found) = found else {
            router.map.remove(name);
            continue;
        };
        let definition = definitions.swap_remove(found);
        if let Some(route) = router.map.get_mut(name) {
            route.attr.description = Some(definition.description.into());
            route.attr.input_schema = Arc::new(object(definition.parameters));
            route.attr.output_schema = Some(Arc::new(object(LocalTools::output_schema())));
        }
    }
}

fn object(value: AnyJson) -> JsonObject {
    match value {
        AnyJson::Object(members) => members,
        _ => JsonObject::new(),
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

    /// Reads a context on a thread that may wait.
    async fn read_context(&self, load: &Arc<Load>) -> anyhow::Result<Held> {
        let (this, load) = (self.clone(), Arc::clone(load));
        let read = tokio::task::spawn_blocking(move || this.context(&load).map(Held::new));
        read.await?
    }

    fn context(&self, load: &Load) -> anyhow::Result<Context> {
        let given = |name: &Option<String>| {
            let name = name.clone().filter(|name| !name.is_empty());
            name.ok_or_else(|| anyhow!("give the context a `name`"))
        };
        match (&load.text, &load.path) {
            (Some(text), None) => {
                let name = given(&load.name)?;
                let share = Arc::new(self.memory.share(&name, text.len() as u64)?);
                let context = match load.json {
                    true => Context::json(name, text.as_str())?,
                    false => Context::text(name, text.as_str()),
                };
                Ok(context.guard(share))
            }
            (None, Some(path)) => {
                let path = Path::new(path);
                let of_path = || Some(path.file_name()?.to_str()?.to_owned());
                let name = given(&load.name.clone().or_else(of_path))?;
                let (bytes, share) = self.files.read(path, &name, &self.memory)?;
                if !load.json {
                    return Ok(memory::context(&name, bytes, share));
                }
                let text = String::from_utf8(bytes)
                    .map_err(|_| anyhow!("{name} is not text; load it without json"))?;
                Ok(Context::json(name, text)?.guard(Arc::new(share)))
            }
            _ => bail!("give either `text` or `path`"),
        }
    }
}
