//! The language model behind `llm_query`.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use crate::panics::{PANICKED, caught_later};
use crate::tool::{BoxFuture, ToolContext};

/// A language model that scripts may ask.
///
/// Python reaches it as `llm_query(prompt, model=None)` and
/// `llm_query_batched(prompts, model=None)`. A batch is asked eight prompts at
/// a time, [unless said otherwise](crate::SessionBuilder::concurrent_prompts), and
/// answered in order.
pub trait Lm: Send + Sync + 'static {
    /// Answers one prompt. If it panics, the script gets a `RuntimeError`.
    ///
    /// # Cancelling
    ///
    /// The future is dropped when the exec ends first.
    fn answer(&self, request: LmRequest) -> impl Future<Output = Result<LmAnswer, LmError>> + Send;
}

/// One prompt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LmRequest {
    /// What the script wrote.
    pub prompt: String,
    /// The model the script asked for, if it did.
    pub model: Option<String>,
    /// The call it is part of; all prompts of a batch share one.
    pub call: ToolContext,
}

/// What the model said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LmAnswer {
    /// The text that Python gets.
    pub text: String,
    /// What it cost, if the provider said.
    pub usage: Option<TokenUsage>,
}

/// Tokens of one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenUsage {
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens of the answer.
    pub output: u64,
}

impl TokenUsage {
    pub(crate) fn add(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}

impl LmAnswer {
    /// An answer of unknown cost.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            usage: None,
        }
    }

    /// Says what it cost.
    #[must_use]
    pub fn usage(mut self, usage: TokenUsage) -> Self {
        self.usage = Some(usage);
        self
    }
}

/// The model did not answer. Python sees a `RuntimeError` with the message, or
/// `[ERROR] …` in its place in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LmError {
    pub(crate) message: String,
}

impl LmError {
    /// An error that tells the script `message`.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl fmt::Display for LmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LmError {}

/// [`Lm`] without its type.
pub(crate) trait AnyLm: Send + Sync {
    fn answer_boxed(self: Arc<Self>, request: LmRequest) -> BoxFuture<Result<LmAnswer, LmError>>;
}

impl<L: Lm> AnyLm for L {
    fn answer_boxed(self: Arc<Self>, request: LmRequest) -> BoxFuture<Result<LmAnswer, LmError>> {
        Box::pin(async move {
            let answer = caught_later(async { self.answer(request).await }).await;
            answer.unwrap_or_else(|| Err(LmError::new(format!("the model's handler {PANICKED}"))))
        })
    }
}
