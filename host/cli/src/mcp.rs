//! `rlm-sandbox mcp`: a session for a client of the Model Context Protocol.
//!
//! Requests have their effects in the order in which they arrive (`order.rs`); answers
//! come as they are ready, and a request counts until its answer is written (`unwritten.rs`).
//! A request whose handler panics gets an error.

mod order;
mod resource;
mod search;
mod shown;
mod tools;
mod unwritten;

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use bytesize::ByteSize;
use clap::Args;
use rlm_sandbox::{CancelHandle, Context, LocalTools, Sandbox, Session};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientNotification, ClientRequest,
    ContentBlock, CustomRequest, CustomResult, ErrorCode, GetExtensions as _, Implementation,
    JsonRpcMessage, ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, RequestId,
    ServerCapabilities, ServerConfig, ServerResult,
};
use rmcp::service::{
    NotificationContext, RequestContext, RxJsonRpcMessage, ServerInitializeError, Service,
    TxJsonRpcMessage,
};
use rmcp::transport::Transport;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _, tool_handler};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::{OwnedMutexGuard, watch};
use tokio::time::{Instant, timeout_at};

use crate::files::Files;
use crate::memory::{Memory, MemoryOptions};
use crate::options::SessionOptions;
use crate::terminal::Terminal;
use crate::wire::{self, INVALID_REQUEST, MessageOptions, Peer, Wire};
use crate::{Status, limit, usage};
use order::{Place, Queues, Turn, Use};
use shown::Loaded;
use unwritten::Unwritten;

/// Serves Python over contexts to a client of the Model Context Protocol
///
/// The client starts it and speaks with it over standard input and output. One
/// session lives as long as the client.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Options {
    #[command(flatten)]
    made_of: SessionOptions,

    /// Lets the model load this file, or files of this folder, as contexts
    #[arg(long, value_name = "PATH")]
    allow_read: Vec<PathBuf>,

    /// Characters of a result, as text and once more as data; what is over is
    /// cut, and the model is told. At least 1,000; units are taken, as in 20KB
    #[arg(long, value_name = "N", default_value = "20000", value_parser = characters)]
    max_output: u32,

    /// Time after which search_context returns what it found so far
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = limit::duration_option)]
    search_timeout: Duration,

    #[command(flatten)]
    memory: MemoryOptions,

    #[command(flatten)]
    messages: MessageOptions,
}

/// Advice to a client that has loaded too much.
const REMEDY: &str =
    "drop a context with remove_context, or start the server with a larger --max-contexts";

/// Searches that run or wait, at most. Chosen by hand: a model sends a few at a time, and each
/// keeps the contexts that it searches in memory.
const PENDING_SEARCHES: usize = 64;

/// Characters of a name of the client's that an error repeats.
const SHOWN_NAME: usize = 100;

/// Resources that are read at the same time. Chosen by hand: reading one copies up to a megabyte.
const READS: usize = 4;

const EXAMPLE: &str = "In the configuration of a client:
  {\"mcpServers\": {\"python\": {\"command\": \"rlm-sandbox\", \"args\": [\"mcp\", \"--allow-read\", \"/var/log\"]}}}";

/// Reads how many characters a result may have.
fn characters(text: &str) -> Result<u32, String> {
    let count = text.parse::<ByteSize>()?.as_u64();
    let count = u32::try_from(count).ok().filter(|count| *count >= 1000);
    count.ok_or_else(|| {
        String::from("a result has 1000 characters at the least, and less than 4 GiB")
    })
}

impl Options {
    pub(crate) fn run(self, terminal: &Terminal) -> Result<Status> {
        let messages = self.messages;
        let server = self.server(terminal)?;
        let runtime = wire::runtime().context("cannot start the runtime")?;
        let wire = Wire::new(terminal, &messages).context(wire::CANNOT_READ)?;
        wire::say_what_is_read(terminal, "MCP");
        runtime.block_on(serve(server, wire));
        crate::signals::shut_down(runtime, terminal.owns_signals);
        Ok(Status::Done)
    }

    fn server(mut self, terminal: &Terminal) -> Result<Server> {
        self.made_of.load_in_background();
        self.made_of.leave_input_to("the protocol")?;
        let files = Files::new(&self.allow_read)?;
        let printed = Arc::<Mutex<String>>::default();
        let mut opener = self.made_of.opener(terminal, false, None)?;
        let heard = Arc::clone(&printed);
        opener.hear(move |text| {
            let mut last = heard.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(line) = text.lines().rfind(|line| !line.trim().is_empty()) {
                *last = line.chars().take(200).collect();
            }
        });
        let memory = self.memory.memory(REMEDY);
        let contexts = opener.contexts().iter().map(|context| {
            let context = memory.admit(context.clone());
            Ok(Held::new(
                context.map_err(|error| usage(error.to_string()))?,
            ))
        });
        let contexts = contexts.collect::<Result<Vec<_>>>()?;
        let mut session = opener.open(None)?;
        // In place of those that nobody counts.
        for held in &contexts {
            session.remove_context(held.context.name());
            session.add_context(held.context.clone())?;
        }
        let sandbox = opener.sandbox.clone();
        let is_timed = opener.is_timed();
        let local_tools = limit::local_tools(session.limits().time, is_timed);
        drop(opener);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut tool_router = tools::plain_schemas(Server::tool_router());
        tools::describe_tools(&mut tool_router, &local_tools, &session);
        tools::describe_search(&mut tool_router, self.search_timeout);
        Ok(Server {
            instructions: instructions(&session),
            sandbox,
            cancel: session.cancel_handle(),
            max_output: self.max_output as usize,
            files: Arc::new(files),
            printed,
            queues: Queues::new(session),
            has_panicked: Arc::default(),
            contexts: Arc::new(Mutex::new(contexts)),
            memory,
            searches: Arc::new(tokio::sync::Semaphore::new(cores)),
            pending_searches: Arc::new(tokio::sync::Semaphore::new(PENDING_SEARCHES)),
            reads: Arc::new(tokio::sync::Semaphore::new(READS)),
            unwritten: Unwritten::default(),
            search_timeout: self.search_timeout,
            local_tools,
            is_gone: Arc::default(),
            left: watch::Sender::new(false),
            tool_router,
        })
    }
}

/// Serves a client until it goes away.
async fn serve(server: Server, wire: Wire) {
    let operator = wire.peer();
    let lines = Lines::new(wire, &server);
    // A client that goes away before it said hello is no error.
    let unwritten = server.unwritten.clone();
    let guarded = Guarded {
        service: server,
        unwritten,
    };
    match guarded.serve(lines).await {
        Ok(running) => {
            let _ = running.waiting().await;
        }
        Err(ServerInitializeError::ExpectedInitializeRequest(Some(_))) => {
            operator.tell_operator("error: the first message of the client is not `initialize`; nothing was answered\n");
        }
        Err(_) => {}
    }
}

/// What the client's model is told about the tools as a whole.
fn instructions(session: &Session) -> String {
    if !session.profile().reads_contexts() {
        return format!(
            "Run Python with exec_python, and print only what you need. Scripts see no contexts here: load_context and \
             search_context are for searches.\n\n{}",
            session.instructions()
        );
    }
    format!(
        "Run Python over texts that are too large to read. Load them with load_context (or they are there already: \
         list_variables), look with search_context, compute with exec_python, and print only what you need.\n\n{}",
        session.instructions()
    )
}

#[derive(Clone)]
struct Server {
    sandbox: Sandbox,
    queues: Queues<Session>,
    /// True after a handler panicked that had the session.
    has_panicked: Arc<AtomicBool>,
    /// What the session can read; to be looked at also while it runs.
    contexts: Arc<Mutex<Vec<Held>>>,
    /// The memory that contexts may take.
    memory: Arc<Memory>,
    /// A permit for each search that may run at the same time: one for each core.
    searches: Arc<tokio::sync::Semaphore>,
    /// A permit for each search that has no result yet.
    pending_searches: Arc<tokio::sync::Semaphore>,
    /// A permit for each resource that may be read at the same time.
    reads: Arc<tokio::sync::Semaphore>,
    /// Results that wait to be written.
    unwritten: Unwritten,
    search_timeout: Duration,
    /// Tools that run scripts.
    local_tools: LocalTools,
    /// True after the client has closed the connection.
    is_gone: Arc<AtomicBool>,
    /// The same, for those who wait for it.
    left: watch::Sender<bool>,
    cancel: CancelHandle,
    instructions: String,
    /// Characters of one result.
    max_output: usize,
    files: Arc<Files>,
    /// The last line that was printed.
    printed: Arc<Mutex<String>>,
    tool_router: ToolRouter<Self>,
}

/// A context, and its description, which takes a while to make.
#[derive(Clone, Debug)]
struct Held {
    context: Context,
    loaded: Loaded,
}

impl Held {
    fn new(context: Context) -> Self {
        Self {
            loaded: shown::loaded(&context),
            context,
        }
    }
}

impl Server {
    fn held(&self) -> MutexGuard<'_, Vec<Held>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the client that there are other contexts. The library sends nothing more once the client has left.
    async fn tell_of_contexts(&self, request: &RequestContext<RoleServer>) {
        let mut left = self.left.subscribe();
        tokio::select! {
            // A client that does not listen any more is no reason to fail.
            _ = request.peer.notify_resource_list_changed() => {}
            _ = left.wait_for(|left| *left) => {}
        }
    }

    fn contexts(&self) -> Vec<Context> {
        let held = self.held();
        held.iter().map(|held| held.context.clone()).collect()
    }

    /// Waits for the turn of a request; the error of one that is canceled first, and
    /// then has no effect.
    async fn turn(&self, request: &RequestContext<RoleServer>) -> Result<Turn<Session>, String> {
        let place = request.extensions.get::<Place<Session>>().cloned();
        // All that use something have a place. One in a single queue, taken as late as
        // here, cannot make requests wait for each other.
        let place = place.unwrap_or_else(|| self.queues.place(Use::Session));
        let canceled = || String::from("canceled");
        let turn = place.turn(request.ct.cancelled()).await;
        let turn = turn.ok_or_else(canceled)?;
        // Only now: a request that waits for results of others to be written has its turn, so it
        // waits for no other request.
        let room = request.ct.run_until_cancelled(self.unwritten.room()).await;
        room.map(|()| turn).ok_or_else(canceled)
    }

    /// Waits for the interpreter, which the first start of a version compiles.
    async fn ready(&self, request: &RequestContext<RoleServer>) -> Result<(), String> {
        if self.sandbox.is_ready() {
            return Ok(());
        }
        let sandbox = self.sandbox.clone();
        let ready = tokio::task::spawn_blocking(move || sandbox.wait());
        let ready = request.ct.run_until_cancelled(ready).await;
        let ready = ready.ok_or_else(|| String::from("canceled"))?;
        let ready = ready.map_err(|error| error.to_string())?;
        ready.map_err(|error| error.to_string())
    }

    /// Waits for the turn of a request that uses the session, and for the interpreter.
    async fn session(&self, request: &RequestContext<RoleServer>) -> Result<InUse, String> {
        self.ready(request).await?;
        let mut turn = self.turn(request).await?;
        let session = turn.session.take();
        let mut session = session.ok_or("the session is not free for this request")?;
        if self.has_panicked.swap(false, Ordering::AcqRel) || session.is_lost() {
            session.reset().map_err(|error| error.to_string())?;
        }
        Ok(InUse {
            session,
            has_panicked: Arc::clone(&self.has_panicked),
            _turn: turn,
        })
    }
}

/// The session, for a request that has its turn.
struct InUse {
    session: OwnedMutexGuard<Session>,
    has_panicked: Arc<AtomicBool>,
    _turn: Turn<Session>,
}

impl std::ops::Deref for InUse {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl std::ops::DerefMut for InUse {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.has_panicked.store(true, Ordering::Release);
        }
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_list_changed()
            .build();
        let mut info = ServerConfig::new(capabilities).with_instructions(&self.instructions);
        info.server_info = Implementation::new("rlm-sandbox", env!("CARGO_PKG_VERSION"));
        info
    }

    /// Calls a tool, or says which there are.
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !self.tool_router.has_route(&request.name) {
            let name: String = request.name.chars().take(SHOWN_NAME).collect();
            let tools = self.tool_router.list_all();
            let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
            let message = format!("there is no tool {name:?}; there are {}", names.join(", "));
            // In band, as other failures of tools are: the model is to see it.
            return Ok(CallToolResult::error(vec![ContentBlock::text(message)]).into());
        }
        let call = ToolCallContext::new(self, request, context);
        let called = self.tool_router.call(call).await;
        let said = match &called {
            Ok(CallToolResponse::Complete(result)) if result.is_error == Some(true) => {
                let first = result.content.first();
                first.and_then(|content| Some(content.as_text()?.text.as_str()))
            }
            Ok(_) => None,
            Err(error) => Some(&*error.message),
        };
        match said.filter(|said| said.starts_with(WRONG_ARGUMENTS)) {
            Some(said) => {
                let message = ContentBlock::text(wrong_arguments(said));
                Ok(CallToolResult::error(vec![message]).into())
            }
            None => called,
        }
    }

    /// Refuses what is no request of the protocol, a method that lacks its parameters among it.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method: String = request.method.chars().take(SHOWN_NAME).collect();
        Err(match &*method {
            "tools/call" | "resources/read" => {
                let message = format!("the parameters of {method} are missing or wrong");
                ErrorData::invalid_params(message, None)
            }
            _ => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None),
        })
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        request: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let _turn = self.turn(&request).await.map_err(canceled)?;
        let cursor = page.and_then(|page| page.cursor);
        resource::list(&self.contexts(), cursor.as_deref())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![
            resource::template(),
        ]))
    }

    async fn read_resource(
        &self,
        wanted: ReadResourceRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let turn = self.turn(&request).await.map_err(canceled)?;
        let contexts = self.contexts();
        drop(turn);
        let reads = async {
            let permit = Arc::clone(&self.reads).acquire_owned().await;
            self.unwritten.room().await;
            permit
        };
        let Some(permit) = request.ct.run_until_cancelled(reads).await else {
            return Err(canceled(String::from("canceled")));
        };
        let read = tokio::task::spawn_blocking(move || {
            let read = resource::read(&contexts, &wanted.uri);
            // A read that was canceled counts until it has ended.
            (read, permit)
        });
        let read = read.await.map_err(|error| {
            ErrorData::internal_error(format!("the resource was not read: {error}"), None)
        })?;
        let (read, _permit) = read;
        read.map(Into::into)
    }
}

/// The words of the library for arguments that do not fit.
const WRONG_ARGUMENTS: &str = "failed to deserialize parameters: ";

/// Returns the message about arguments that do not fit, without words of Rust.
fn wrong_arguments(message: &str) -> String {
    let why = message.trim_start_matches(WRONG_ARGUMENTS);
    let why = ["usize", "u64", "u32"]
        .iter()
        .fold(why.to_owned(), |why, name| {
            why.replace(name, "a whole number of 0 or more")
        });
    format!(
        "the arguments do not fit: {}",
        why.replace("missing field", "missing argument")
            .replace("unknown field", "unknown argument")
    )
}

fn canceled(why: String) -> ErrorData {
    ErrorData::invalid_request(why, None)
}

/// Answers requests whose handler panics with an error. The library would not answer
/// them at all.
struct Guarded<S> {
    service: S,
    unwritten: Unwritten,
}

impl<S: Service<RoleServer>> Service<RoleServer> for Guarded<S> {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let id = context.id.clone();
        let token = context.ct.clone();
        self.unwritten.start(&id, move || token.cancel());
        // Others wait when they have their turn.
        if used_by(&request).is_none() {
            let room = self.unwritten.room();
            if context.ct.run_until_cancelled(room).await.is_none() {
                return Err(canceled(String::from("canceled")));
            }
        }
        let handled = wire::unless_it_panics(self.service.handle_request(request, context));
        let result = handled.await.unwrap_or_else(|| {
            let why = "the server failed at this request, which is a bug; \
                       if it used the session, all Python variables are gone";
            Err(ErrorData::internal_error(why, None))
        });
        let result = result.map_err(|mut error| {
            if error.code == ErrorCode::METHOD_NOT_FOUND {
                // The library says the method alone.
                error.message = format!("there is no method {:?} here", error.message).into();
            }
            error
        });
        let bytes = match &result {
            Ok(result) => wire::json_bytes(result),
            Err(error) => wire::json_bytes(error),
        };
        self.unwritten.finish(&id, bytes);
        result
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let handled =
            wire::unless_it_panics(self.service.handle_notification(notification, context));
        handled.await.unwrap_or(Ok(()))
    }

    fn get_info(&self) -> ServerConfig {
        self.service.get_info()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.service.supported_protocol_versions()
    }
}

/// Lines as the protocol's library wants them, each request with its place in the
/// queues. What runs ends with them.
struct Lines {
    wire: Wire,
    cancel: CancelHandle,
    is_gone: Arc<AtomicBool>,
    left: watch::Sender<bool>,
    queues: Queues<Session>,
    unwritten: Unwritten,
    /// True after the client has said hello.
    is_begun: bool,
    is_initialized: bool,
    /// The moment at which requests end, once the input has ended.
    last: Option<Instant>,
}

/// Time for answers after the end of the input. Clients that end a server close its input, and kill it after 2 s
/// (the SDKs of the protocol for Python and TypeScript); a pipe of requests ends with answers to all that are quick.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

impl Lines {
    fn new(wire: Wire, server: &Server) -> Self {
        Self {
            wire,
            cancel: server.cancel.clone(),
            is_gone: Arc::clone(&server.is_gone),
            left: server.left.clone(),
            queues: server.queues.clone(),
            unwritten: server.unwritten.clone(),
            is_begun: false,
            is_initialized: false,
            last: None,
        }
    }
}

/// Returns the parts of the session that a request uses; none for one that waits for
/// nothing, or that no handler takes.
fn used_by(request: &ClientRequest) -> Option<Use> {
    match request {
        ClientRequest::CallToolRequest(call) => tools::uses(&call.params.name),
        ClientRequest::ListResourcesRequest(_) | ClientRequest::ReadResourceRequest(_) => {
            Some(Use::ReadContexts)
        }
        _ => None,
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn name() -> Cow<'static, str> {
        "lines".into()
    }

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let peer: Peer = self.wire.peer();
        let id = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        let writing = id.map(|id| self.unwritten.write(id));
        async move {
            if !writing.as_ref().is_some_and(|writing| writing.is_canceled) {
                peer.send(&message);
            }
            drop(writing);
            match peer.is_gone() {
                true => Err(io::ErrorKind::BrokenPipe.into()),
                false => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(text) = self.wire.text().await else {
                if !self.wire.peer().is_gone() {
                    // The library may ask again before it is over.
                    let last = || Instant::now() + LAST_ANSWERS;
                    let last = *self.last.get_or_insert_with(last);
                    let _ = timeout_at(last, self.unwritten.emptied()).await;
                }
                self.unwritten.end();
                self.cancel.cancel();
                self.is_gone.store(true, Ordering::Relaxed);
                self.left.send_replace(true);
                return None;
            };
            // The library starts a task for each notification, which counts nowhere: only those that say something
            // are handed on, and only what they say.
            let mut text = text;
            if let Some((method, params)) = wire::notification(&text.line) {
                match self.notified(&method, params.as_deref()) {
                    Some(line) => text.line = line,
                    None => continue,
                }
            }
            let message =
                serde_json::from_str::<RxJsonRpcMessage<RoleServer>>(&wire::healed(&text.line));
            let Ok(mut message) = message else {
                let why = "this is no message of the protocol";
                self.wire.refuse(&text.line, INVALID_REQUEST, why);
                continue;
            };
            if let JsonRpcMessage::Request(request) = &mut message {
                self.is_begun |= matches!(request.request, ClientRequest::InitializeRequest(_));
                // A newer protocol has no such request, and says its version with each.
                let says_version = || {
                    text.line
                        .contains("io.modelcontextprotocol/protocolVersion")
                };
                let is_ping = matches!(request.request, ClientRequest::PingRequest(_));
                if !self.is_begun && !is_ping && !says_version() {
                    let why =
                        "send `initialize` first, and `notifications/initialized` after its answer";
                    self.wire.refuse(&text.line, INVALID_REQUEST, why);
                    continue;
                }
                let Some(held) = self.wire.hold(&text, false) else {
                    continue;
                };
                let held = Arc::new(held);
                if !self.unwritten.begin(&request.id, &held) {
                    let why = "a request of this id has no answer yet; give each an id of its own";
                    self.wire.refuse(&text.line, INVALID_REQUEST, why);
                    continue;
                }
                let place = used_by(&request.request).map(|what| self.queues.place(what));
                let extensions = request.request.extensions_mut();
                // Both end with the request; its bytes count until the answer is written, too.
                extensions.insert(held);
                if let Some(place) = place {
                    extensions.insert(place);
                }
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Lines {
    /// Cancels a request. Returns what is left of another notification: that the client is ready, once.
    fn notified(&mut self, method: &str, params: Option<&RawValue>) -> Option<String> {
        match method {
            "notifications/initialized" if !self.is_initialized => {
                self.is_initialized = true;
                Some(json!({"jsonrpc": "2.0", "method": method}).to_string())
            }
            "notifications/cancelled" => {
                let id = serde_json::from_str::<Canceled>(params?.get())
                    .ok()?
                    .request_id;
                self.unwritten.cancel(&id);
                None
            }
            _ => None,
        }
    }
}

/// Params of a notification that cancels a request.
#[derive(Deserialize)]
struct Canceled {
    #[serde(rename = "requestId")]
    request_id: RequestId,
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};

    use clap::Parser;
    use rmcp::handler::server::router::tool::ToolRoute;
    use rmcp::handler::server::tool::ToolCallContext;
    use rmcp::model::Tool;
    use serde_json::{Value as Json, json};

    use super::*;

    #[derive(Debug, Parser)]
    struct Arguments {
        #[command(flatten)]
        options: Options,
    }

    /// A tool that panics, before its turn or with the session.
    fn panics(has_session: bool) -> ToolRoute<Server> {
        let name = if has_session {
            "panics_with_it"
        } else {
            "panics"
        };
        let tool = Tool::new(name, "", serde_json::Map::new());
        ToolRoute::new_dyn(tool, move |call: ToolCallContext<'_, Server>| {
            Box::pin(async move {
                let _session = match has_session {
                    true => call.service.session(&call.request_context).await.ok(),
                    false => None,
                };
                panic!("a panic of the test")
            })
        })
    }

    #[test]
    fn a_handler_that_panics_is_an_error_and_the_server_goes_on() {
        let (input, mut client) = std::io::pipe().expect("a pipe");
        let (answers, output) = std::io::pipe().expect("a pipe");
        let terminal = Terminal::new(
            input,
            Arc::new(Mutex::new(output)),
            Arc::new(Mutex::new(Vec::new())),
        );
        let options = Arguments::parse_from(["mcp"]).options;
        let messages = options.messages;
        let mut server = options.server(&terminal).expect("a session");
        server.tool_router.add_route(panics(false));
        server.tool_router.add_route(panics(true));
        let wire = Wire::new(&terminal, &messages).expect("a thread");
        drop(terminal);
        let serving = std::thread::spawn(move || {
            wire::runtime()
                .expect("a runtime")
                .block_on(serve(server, wire));
        });
        let mut send = |message: Json| writeln!(client, "{message}").expect("it reads");
        let about = json!({"name": "test", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about});
        send(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}));
        send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        let calls = [
            ("exec_python", json!({"code": "x = 1"})),
            ("panics", json!({})),
            ("exec_python", json!({"code": "x"})),
            ("panics_with_it", json!({})),
            ("exec_python", json!({"code": "x"})),
            ("exec_python", json!({"code": "6 * 7"})),
        ];
        let mut lines = BufReader::new(answers).lines();
        let mut answers = Vec::new();
        for (id, (tool, arguments)) in calls.into_iter().enumerate() {
            let params = json!({"name": tool, "arguments": arguments});
            send(json!({"jsonrpc": "2.0", "id": id + 1, "method": "tools/call", "params": params}));
            answers.push(loop {
                let line = lines.next().expect("an answer").expect("text");
                let answer: Json = serde_json::from_str(&line).expect(&line);
                if answer["id"] == id + 1 {
                    break answer;
                }
            });
        }
        for place in [1, 3] {
            let error = &answers[place]["error"];
            assert_eq!(error["code"], -32603, "{error}");
            assert!(error["message"].to_string().contains("a bug"), "{error}");
        }
        let shown = |place: usize| answers[place]["result"]["structuredContent"].to_string();
        assert!(shown(2).contains("\"return_value\":\"1\""), "{}", shown(2));
        // A session is reset after a panic, as its state is unknown.
        assert!(shown(4).contains("NameError"), "{}", shown(4));
        assert!(shown(5).contains("42"), "{}", shown(5));
        drop(client);
        serving.join().expect("no panic");
    }

    #[test]
    fn each_tool_says_what_it_uses() {
        for tool in Server::tool_router().list_all() {
            assert!(tools::uses(&tool.name).is_some(), "{}", tool.name);
        }
        assert_eq!(tools::uses("nope"), None);
    }
}
