//! Code of users that scripts may call: a namespace of functions, sandboxed by
//! somebody else and charged to the session.

use std::any::Any;
use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::admission::{Admission, PluginMemory};
use crate::arguments::Arguments;
use crate::call::{Answered, NO_MODEL, digest};
use crate::context::{Context, default_of};
use crate::cost::{Allowance, Charge, Cost, Ledger, Told};
use crate::guest_state::Readable;
use crate::limits::Limits;
use crate::meter::CancelHandle;
use crate::model::{AnyLm, Lm, LmRequest, TokenUsage};
use crate::outcome::Exception;
use crate::panics::caught_later;
use crate::profile::Errors;
use crate::tool::{BoxFuture, ToolContext, ToolError};
use rlm_sandbox_engine::Meter;

/// Functions that scripts call as members of a namespace, `index.search("error")`,
/// and that use fuel of their own, which is charged to the session.
///
/// `rlm-sandbox-plugins` makes these of WebAssembly components. A call is a
/// deferred call like any other: the script waits for it, the journal has it,
/// and a replay gives the answer and the charge from there.
pub trait Plugin: Send + Sync + 'static {
    /// The namespace, a Python name.
    fn name(&self) -> &str;

    /// Its functions.
    fn functions(&self) -> Vec<PluginFunction>;

    /// What one call may use at the most; less is left where a session is
    /// near its own limits.
    fn allowance(&self) -> Allowance;

    /// Carries out a call.
    ///
    /// # Cancelling
    ///
    /// The future is dropped when the exec ends first. A call whose process died
    /// is made again, with the answers that the model gave it.
    fn call(&self, call: PluginCall) -> impl Future<Output = PluginAnswer> + Send;
}

/// One function of a [`Plugin`], as scripts and those who write prompts see it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PluginFunction {
    /// A Python name.
    pub name: String,
    /// The names of its parameters, in order.
    pub parameters: Vec<String>,
    /// What it is for.
    pub doc: String,
    /// True if its only argument is any JSON value.
    pub takes_json: bool,
}

impl PluginFunction {
    /// A function without a word about it.
    pub fn new<S: Into<String>>(
        name: impl Into<String>,
        parameters: impl IntoIterator<Item = S>,
    ) -> Self {
        Self {
            name: name.into(),
            parameters: parameters.into_iter().map(Into::into).collect(),
            doc: String::new(),
            takes_json: false,
        }
    }

    /// Says what it is for.
    #[must_use]
    pub fn doc(mut self, doc: impl Into<String>) -> Self {
        self.doc = doc.into();
        self
    }

    /// Says that its only argument is any JSON value.
    #[must_use]
    pub fn takes_json(mut self) -> Self {
        self.takes_json = true;
        self
    }
}

/// A call of a [`Plugin`], with all that it may reach.
#[derive(Debug)]
#[non_exhaustive]
pub struct PluginCall {
    /// The function, by its own name.
    pub function: String,
    /// What the script gave it.
    pub arguments: Arguments,
    /// On whose behalf.
    pub caller: ToolContext,
    /// What this call may use.
    pub allowance: Allowance,
    reach: Reach,
}

/// What a plugin's call came to.
#[derive(Debug)]
#[non_exhaustive]
pub struct PluginAnswer {
    /// A value, as JSON with the tags of `wit/types.wit`, or an exception that
    /// the script may catch.
    pub answer: Result<Json, ToolError>,
    /// Fuel it used; no more than its allowance counts.
    pub fuel: u64,
    /// Compute time it used.
    pub compute: Duration,
    /// What it printed; the script is told as if it had printed that.
    pub printed: String,
}

impl PluginAnswer {
    /// An answer that cost nothing.
    pub fn new(answer: Result<Json, ToolError>) -> Self {
        Self {
            answer,
            fuel: 0,
            compute: Duration::ZERO,
            printed: String::new(),
        }
    }
}

/// What calls of plugins share with the session they are made in.
#[derive(Clone)]
pub(crate) struct Reach {
    pub(crate) contexts: Readable,
    pub(crate) kept: Kept,
    pub(crate) ledger: Arc<Mutex<Ledger>>,
    pub(crate) model: Option<Arc<dyn AnyLm>>,
    /// Compute time of the exec, and how much it may be.
    meter: Arc<Meter>,
    limits: Limits,
    /// Counts the memory of instances; none outside of sessions.
    admission: Option<Arc<Admission>>,
    asked: Arc<AtomicU64>,
    tokens: Arc<Mutex<TokenUsage>>,
}

/// What plugins keep from one call of a session to the next, by plugin.
pub(crate) type Kept = Arc<Mutex<Vec<(String, Arc<dyn Any + Send + Sync>)>>>;

impl fmt::Debug for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reach").finish_non_exhaustive()
    }
}

impl Reach {
    pub(crate) fn new(
        contexts: &Readable,
        kept: &Kept,
        ledger: &Arc<Mutex<Ledger>>,
        model: Option<&Arc<dyn AnyLm>>,
        meter: &Arc<Meter>,
        limits: &Limits,
    ) -> Self {
        Self {
            contexts: Arc::clone(contexts),
            kept: Arc::clone(kept),
            ledger: Arc::clone(ledger),
            model: model.cloned(),
            meter: Arc::clone(meter),
            limits: limits.clone(),
            admission: None,
            asked: Arc::default(),
            tokens: Arc::default(),
        }
    }

    /// Counts the memory of instances there.
    pub(crate) fn counted_by(mut self, admission: &Arc<Admission>) -> Self {
        self.admission = Some(Arc::clone(admission));
        self
    }
}

impl PluginCall {
    /// A call outside of any session, with `arguments` by name if they are an
    /// object, by position if they are an array, and else the only one. It may
    /// use all that the plugin allows, and reaches no context and no model but
    /// those that are added.
    pub fn new(plugin: &impl Plugin, function: impl Into<String>, arguments: Json) -> Self {
        let function = function.into();
        Self {
            arguments: Arguments::of(&function, arguments),
            function,
            caller: ToolContext::new(&Arc::default(), 0, &CancelHandle::default()),
            allowance: plugin.allowance(),
            reach: Reach::new(
                &Arc::default(),
                &Kept::default(),
                &Arc::default(),
                None,
                &Arc::default(),
                &Limits {
                    time: Duration::MAX,
                    ..Limits::default()
                },
            ),
        }
    }

    /// Lets the plugin read a context, if its own permissions do.
    #[must_use]
    pub fn context(mut self, context: Context) -> Self {
        let contexts = Arc::make_mut(&mut self.reach.contexts);
        contexts.insert(Arc::from(context.name()), context);
        self
    }

    /// Lets the plugin ask a model, if its own permissions do.
    #[must_use]
    pub fn model(mut self, model: impl Lm) -> Self {
        self.reach.model = Some(Arc::new(model));
        self
    }

    /// Lets it run no longer than this.
    #[must_use]
    pub fn time(mut self, most: Duration) -> Self {
        self.allowance.time = self.allowance.time.min(most);
        self
    }

    /// The context of this name, if scripts of the session can read it; `context`
    /// is the one that they call so.
    pub fn readable(&self, name: &str) -> Option<&Context> {
        let contexts = &self.reach.contexts;
        contexts.get(name).or_else(|| match name {
            // What scripts call so, whatever its own name is.
            "context" => default_of(contexts.values()),
            _ => None,
        })
    }

    /// Returns an account for the memory of an instance that this call makes, with nothing on it.
    pub fn memory(&self) -> PluginMemory {
        let admission = self.reach.admission.as_ref();
        admission.map_or_else(PluginMemory::default, PluginMemory::new)
    }

    /// Returns a function that counts time that the host spends on this call while its future is not
    /// polled, as on reading files. Calls side by side share what the execution has left; the answer's
    /// [`compute`](PluginAnswer::compute) is to include it, too.
    pub fn time_counter(&self) -> impl Fn(Duration) + Send + Sync + 'static + use<> {
        let (ledger, ticket) = (Arc::clone(&self.reach.ledger), self.caller.ticket);
        move |time| {
            lock(&ledger).compute(ticket, time);
        }
    }

    /// What the plugin kept in this session under its type, made if there is
    /// nothing yet. It is dropped with the session, and neither parked nor
    /// forked nor rolled back with it.
    pub fn kept<T: Any + Send + Sync>(&self, plugin: &str, make: impl FnOnce() -> T) -> Arc<T> {
        let mut kept = lock(&self.reach.kept);
        let found = kept.iter().filter(|(name, _)| name == plugin);
        let mut found = found.filter_map(|(_, value)| Arc::clone(value).downcast().ok());
        if let Some(found) = found.next() {
            return found;
        }
        drop(found);
        let made = Arc::new(make());
        kept.push((plugin.to_owned(), Arc::clone(&made) as _));
        made
    }

    /// Asks the session's model, on the session's budget. An answer that this
    /// call got before its process died is given again.
    ///
    /// # Errors
    ///
    /// In words, why there is no answer.
    pub fn ask(
        &self,
        prompt: String,
        model: Option<String>,
    ) -> impl Future<Output = Result<String, String>> + Send + 'static + use<> {
        let (reach, context) = (self.reach.clone(), self.caller.clone());
        let most = self.allowance.model_calls;
        async move { reach.ask(prompt, model, context, most).await }
    }
}

impl Reach {
    async fn ask(
        self,
        prompt: String,
        model: Option<String>,
        context: ToolContext,
        most: u64,
    ) -> Result<String, String> {
        let (bytes, most_bytes) = (prompt.len() as u64, self.limits.request_bytes);
        if bytes > most_bytes.into() {
            return Err(format!(
                "the prompt has {bytes} bytes, more than the {most_bytes} that one request may carry; send a slice"
            ));
        }
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        if number >= most {
            self.asked.store(most, Ordering::Relaxed);
            return Err(format!(
                "LLM call limit exceeded: this call of a plugin may ask {most} times"
            ));
        }
        let ticket = context.ticket;
        let asked = format!("{prompt}\0{}", model.as_deref().unwrap_or_default());
        let prompt_digest = digest(asked.as_bytes());
        let before = lock(&self.ledger).told(ticket, number, &prompt_digest);
        let told = match before {
            Some(told) => told,
            None => {
                let answered = match &self.model {
                    None => Err(NO_MODEL.to_owned()),
                    Some(answerer) => {
                        let call = context.clone();
                        let request = LmRequest {
                            prompt,
                            model,
                            call,
                        };
                        let answered = Arc::clone(answerer).answer_boxed(request).await;
                        answered.map_err(|error| error.message)
                    }
                };
                let most = self.limits.model_answer_bytes;
                let (answer, tokens) = match answered {
                    Ok(answer) if answer.text.len() as u64 > most => {
                        let bytes = answer.text.len();
                        let message = format!(
                            "the model answered {bytes} bytes, more than the {most} it may; ask for less"
                        );
                        (Err(message), answer.usage.unwrap_or_default())
                    }
                    Ok(answer) => (Ok(answer.text), answer.usage.unwrap_or_default()),
                    Err(message) => (Err(message), TokenUsage::default()),
                };
                let told = Told {
                    ticket,
                    number,
                    prompt: prompt_digest,
                    answer,
                    tokens,
                    is_noted: false,
                };
                lock(&self.ledger).tell(told.clone());
                // It is written down before anything comes of it.
                once_more().await;
                told
            }
        };
        lock(&self.tokens).add(told.tokens);
        told.answer
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Is ready when it is polled again.
fn once_more() -> impl Future<Output = ()> + Send {
    let mut is_again = false;
    poll_fn(move |context| {
        if std::mem::replace(&mut is_again, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

/// [`Plugin`] without its type.
pub(crate) trait AnyPlugin: Send + Sync {
    fn allowed(&self) -> Allowance;
    fn call_boxed(self: Arc<Self>, call: PluginCall) -> BoxFuture<PluginAnswer>;
}

impl<P: Plugin> AnyPlugin for P {
    fn allowed(&self) -> Allowance {
        self.allowance()
    }

    fn call_boxed(self: Arc<Self>, call: PluginCall) -> BoxFuture<PluginAnswer> {
        Box::pin(async move {
            let all = call.allowance;
            let answer = caught_later(async { self.call(call).await }).await;
            answer.unwrap_or_else(|| PluginAnswer {
                fuel: all.fuel,
                ..PluginAnswer::new(Err(ToolError::panicked()))
            })
        })
    }
}

/// Starts a call of a plugin.
pub(crate) fn start(
    plugin: Arc<dyn AnyPlugin>,
    function: &str,
    arguments: &Arguments,
    context: ToolContext,
    mut allowance: Allowance,
    reach: Reach,
    errors: Errors,
) -> BoxFuture<Answered> {
    let (ticket, asked) = (context.ticket, Arc::clone(&reach.asked));
    let (tokens, ledger) = (Arc::clone(&reach.tokens), Arc::clone(&reach.ledger));
    let (meter, most) = (Arc::clone(&reach.meter), reach.limits.time);
    // Calls side by side share what is left of the exec's time.
    let time_left = move |took| {
        let computed = lock(&ledger).compute(ticket, took);
        most.saturating_sub(meter.read()).saturating_sub(computed)
    };
    allowance.time = allowance.time.min(time_left(Duration::ZERO));
    let (name, ledger) = (function.to_owned(), Arc::clone(&reach.ledger));
    let mut answer = plugin.call_boxed(PluginCall {
        function: function.to_owned(),
        arguments: arguments.clone(),
        caller: context,
        allowance,
        reach,
    });
    let in_time = poll_fn(move |context| {
        let since = Instant::now();
        let polled = answer.as_mut().poll(context);
        match (polled, time_left(since.elapsed()).is_zero()) {
            (Poll::Ready(answered), _) => Poll::Ready(Some(answered)),
            (Poll::Pending, true) => Poll::Ready(None),
            (Poll::Pending, false) => Poll::Pending,
        }
    });
    Box::pin(async move {
        let Some(answered) = in_time.await else {
            let message = format!("{name}(): the compute time of the exec is over");
            let answer = errors.answer(Exception::new("TimeoutError", message));
            let mut cost = Cost::of_all(Some(allowance));
            cost.tokens = *lock(&tokens);
            cost.charge.compute = lock(&ledger).computed(ticket);
            return Answered::new(ticket, answer, cost);
        };
        let answer = match answered.answer {
            Ok(json) => crate::Answer::Returned(json),
            Err(ToolError { exception }) => errors.answer(catchable(exception)),
        };
        let cost = Cost {
            tokens: *lock(&tokens),
            charge: Charge {
                fuel: answered.fuel.min(allowance.fuel),
                model_calls: asked.load(Ordering::Relaxed),
                compute: answered.compute,
                printed: answered.printed,
            },
        };
        Answered::new(ticket, answer, cost)
    })
}

/// Classes that no `except` catches are not for plugins to raise.
fn catchable(exception: Exception) -> Exception {
    const UNCATCHABLE: [&str; 3] = ["KeyboardInterrupt", "SystemExit", "GeneratorExit"];
    match UNCATCHABLE.contains(&exception.kind.as_str()) {
        true => Exception::new("RuntimeError", exception.to_string()),
        false => exception,
    }
}
