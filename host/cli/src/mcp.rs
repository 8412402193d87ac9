//! `rlm-sandbox mcp`: a session for a client of the Model Context Protocol.

mod resource;
mod search;
mod shown;
mod tools;

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use clap::Args;
use rlm_sandbox::{CancelHandle, Context, Session};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::{
    GetExtensions as _, Implementation, JsonRpcMessage, ListResourceTemplatesResult,
    ListResourcesResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _, tool_handler};

use crate::Status;
use crate::files::Files;
use crate::options::SessionOptions;
use crate::terminal::Terminal;
use crate::wire::{self, INVALID_REQUEST, MessageOptions, Peer, Wire};

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
    /// cut, and the model is told
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1000..))]
    max_output: u32,

    #[command(flatten)]
    messages: MessageOptions,
}

const EXAMPLE: &str = "In the configuration of a client:
  {\"mcpServers\": {\"python\": {\"command\": \"rlm-sandbox\", \"args\": [\"mcp\", \"--allow-read\", \"/var/log\"]}}}";

impl Options {
    pub(crate) fn run(self, terminal: &Terminal) -> Result<Status> {
        let files = Files::new(&self.allow_read)?;
        let printed = Arc::<Mutex<String>>::default();
        let mut opener = self.made_of.opener(terminal, false)?;
        let heard = Arc::clone(&printed);
        opener.hear(move |text| {
            let mut last = heard.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(line) = text.lines().rfind(|line| !line.trim().is_empty()) {
                *last = line.chars().take(200).collect();
            }
        });
        let session = opener.open(None)?;
        let server = Server {
            instructions: instructions(&session),
            cancel: session.cancel_handle(),
            max_output: self.max_output as usize,
            files: Arc::new(files),
            printed,
            session: Arc::new(tokio::sync::Mutex::new(session)),
            contexts: Arc::new(Mutex::new(opener.contexts().to_vec())),
            tool_router: tools::plain_schemas(Server::tool_router()),
        };
        let runtime = wire::runtime().context("cannot start the runtime")?;
        let wire = Wire::new(terminal, &self.messages);
        runtime.block_on(async {
            let lines = Lines(wire, server.cancel.clone());
            // A client that goes away before it said hello is no error.
            if let Ok(running) = server.serve(lines).await {
                let _ = running.waiting().await;
            }
        });
        runtime.shutdown_background();
        Ok(Status::Done)
    }
}

/// What the client's model is told about the tools as a whole.
fn instructions(session: &Session) -> String {
    format!(
        "Run Python over texts that are too large to read. Load them with load_context (or they are there already: \
         list_variables), look with search_context, compute with exec_python, and print only what you need.\n\n{}",
        session.instructions()
    )
}

#[derive(Clone)]
struct Server {
    session: Arc<tokio::sync::Mutex<Session>>,
    /// What the session can read; to be looked at also while it runs.
    contexts: Arc<Mutex<Vec<Context>>>,
    cancel: CancelHandle,
    instructions: String,
    /// Characters of one result.
    max_output: usize,
    files: Arc<Files>,
    /// The last line that was printed.
    printed: Arc<Mutex<String>>,
    tool_router: ToolRouter<Self>,
}

impl Server {
    fn contexts(&self) -> Vec<Context> {
        let contexts = self.contexts.lock();
        contexts.unwrap_or_else(PoisonError::into_inner).clone()
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

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resources = self.contexts();
        let resources = resources.iter().map(resource::describe).collect();
        Ok(ListResourcesResult::with_all_items(resources))
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
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resource::read(&self.contexts(), &request.uri).map(Into::into)
    }
}

/// Our lines, as the library wants them. What runs ends with them.
struct Lines(Wire, CancelHandle);

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn name() -> Cow<'static, str> {
        "lines".into()
    }

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let peer: Peer = self.0.peer();
        async move {
            peer.send(&message);
            match peer.is_gone() {
                true => Err(io::ErrorKind::BrokenPipe.into()),
                false => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(text) = self.0.text().await else {
                self.1.cancel();
                return None;
            };
            let message =
                serde_json::from_str::<RxJsonRpcMessage<RoleServer>>(&wire::healed(&text.line));
            let Ok(mut message) = message else {
                let why = "this is no message of the protocol";
                self.0.refuse(&text.line, INVALID_REQUEST, why);
                continue;
            };
            if let JsonRpcMessage::Request(request) = &mut message {
                let Some(held) = self.0.hold(&text, false) else {
                    continue;
                };
                // It ends with the request.
                request.request.extensions_mut().insert(Arc::new(held));
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
