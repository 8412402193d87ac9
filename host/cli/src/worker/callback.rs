//! Handlers that the client carries out: tools and the model.

use rlm_sandbox::{
    Arguments, Lm, LmAnswer, LmError, LmRequest, SessionBuilder, TokenUsage, Tool, ToolContext,
    ToolError,
};

use super::protocol::{CallAsked, Handlers, Printed, PromptAnswered, PromptAsked, ToolSpec};
use crate::wire::{ArgumentsSaid, Failure, Peer, healed, read_answer};

/// Attaches what the client does for the session that it knows as `session`.
pub(super) fn attach(
    mut builder: SessionBuilder,
    handlers: &Handlers,
    session: &str,
    peer: &Peer,
) -> SessionBuilder {
    for spec in &handlers.tools {
        builder = builder.tool(tool(spec, session, peer));
    }
    let model = |recursive| Model {
        peer: peer.clone(),
        session: session.to_owned(),
        recursive,
    };
    if handlers.model {
        builder = builder.model(model(false));
    }
    if handlers.depth > 0 {
        builder = builder.recursion(model(true), handlers.depth);
    }
    if let Some(count) = handlers.concurrent_prompts {
        builder = builder.concurrent_prompts(count);
    }
    if handlers.stream {
        let (peer, session) = (peer.clone(), session.to_owned());
        builder = builder.on_output(move |channel, text| {
            let stream = match channel {
                rlm_sandbox::Channel::Out => "stdout",
                rlm_sandbox::Channel::Err => "stderr",
            };
            let session = &session;
            peer.notify(
                "output",
                Printed {
                    session,
                    stream,
                    text,
                },
            );
        });
    }
    builder
}

/// What is said of a tool, without the one who carries it out.
pub(super) fn described(spec: &ToolSpec) -> Tool {
    as_said(Tool::declared(spec.name.as_str()), spec)
}

fn as_said(tool: Tool, spec: &ToolSpec) -> Tool {
    tool.parameters(spec.parameters.iter().map(String::as_str))
        .doc(spec.doc.as_str())
        .signature(spec.signature.as_str())
}

fn tool(spec: &ToolSpec, session: &str, peer: &Peer) -> Tool {
    let (name, session, peer) = (spec.name.clone(), session.to_owned(), peer.clone());
    let handler = move |context: ToolContext, arguments: Arguments| {
        let (name, session, peer) = (name.clone(), session.clone(), peer.clone());
        async move {
            let asked = CallAsked {
                session: &session,
                ticket: context.ticket(),
                name: &name,
                arguments: ArgumentsSaid::Of(arguments),
            };
            let answer = peer.ask("call", asked, context.answer_bytes()).await;
            let answer = answer.map_err(refusal)?;
            Ok(read_answer(&context, answer.get(), true)?)
        }
    };
    let tool = as_said(Tool::with_arguments(spec.name.as_str(), handler), spec);
    if spec.awaitable {
        tool.awaitable()
    } else {
        tool
    }
}

/// The exception that the client names.
fn refusal(failure: Failure) -> ToolError {
    let kind = failure.exception().unwrap_or("RuntimeError");
    ToolError::new(kind, failure.message.as_str())
}

struct Model {
    peer: Peer,
    session: String,
    recursive: bool,
}

impl Lm for Model {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let asked = PromptAsked {
            session: &self.session,
            ticket: request.call.ticket(),
            prompt: &request.prompt,
            model: request.model.as_deref(),
            recursive: self.recursive,
        };
        let answer = self.peer.ask("ask", asked, request.call.answer_bytes());
        let answer = answer.await;
        let answer = answer.map_err(|failure| LmError::new(failure.message))?;
        let answer = serde_json::from_str(&healed(answer.get()));
        match answer
            .map_err(|error| LmError::new(format!("the client's answer to `ask`: {error}")))?
        {
            PromptAnswered::Text(text) => Ok(LmAnswer::new(text)),
            PromptAnswered::Counted {
                text,
                input_tokens: input,
                output_tokens: output,
            } => Ok(LmAnswer::new(text).usage(TokenUsage { input, output })),
        }
    }
}
