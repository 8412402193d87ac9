//! Host functions that Python may call.

use std::any::{Any, TypeId};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::arguments::Arguments;
use crate::caps::PARAMETERS;
use crate::deadline::DeadlinePause;
use crate::instructions::STANDARD;
use crate::meter::CancelHandle;
use crate::outcome::Exception;
use crate::panics::{PANICKED, caught, caught_later};
use crate::plugin::{AnyPlugin, Plugin, PluginFunction};
use crate::profile::Profile;
use rlm_sandbox_engine::{Error, Result};

/// Names that would run code again, one sandbox inside another.
const FORBIDDEN: [&str; 4] = ["exec_python", "exec_wasm", "run_code", "codex_exec"];

/// Bytes of a signature.
const SIGNATURE_BYTES: usize = 1000;

/// Exceptions of Python, which are found before a tool is looked for: at least those of `guest/repl/src/compat/errors.rs`.
const EXCEPTIONS: [&str; 66] = [
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
];

/// Special names that a module, or the builtins, have of their own. Frameworks name tools in the same way, as
/// `__dspy_construct__`.
const SPECIAL: [&str; 16] = [
    "__annotations__",
    "__build_class__",
    "__builtins__",
    "__cached__",
    "__class__",
    "__debug__",
    "__dict__",
    "__doc__",
    "__file__",
    "__getattr__",
    "__import__",
    "__loader__",
    "__main__",
    "__name__",
    "__package__",
    "__spec__",
];

/// What Python finds before it looks for a tool.
const BUILTINS: [&str; 64] = [
    "Ellipsis",
    "NotImplemented",
    "abs",
    "all",
    "any",
    "ascii",
    "bin",
    "bool",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "complex",
    "delattr",
    "dict",
    "dir",
    "divmod",
    "enumerate",
    "exit",
    "filter",
    "float",
    "format",
    "frozenset",
    "getattr",
    "hasattr",
    "hash",
    "hex",
    "id",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "list",
    "locals",
    "map",
    "max",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "quit",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "vars",
    "zip",
];

/// Modules that scripts import in vain, or under a profile that allows all of them;
/// a namespace of that name would be lost.
const OTHER_MODULES: [&str; 3] = ["builtins", "os", "pathlib"];

pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Answered = std::result::Result<Json, ToolError>;
type Immediate = dyn Fn(&ToolContext, &Arguments) -> Answered + Send + Sync;
type Deferred = dyn Fn(ToolContext, &Arguments) -> BoxFuture<Answered> + Send + Sync;

/// A host function, with the name by which Python calls it.
///
/// An *immediate* tool answers inside the call and must be quick: the guest
/// stands still meanwhile. A *deferred* tool is a future; other calls go on
/// beside it, and the session holds no thread while it waits. Which one a tool
/// is can be seen by scripts and by fuel, so it is part of the registration.
///
/// Arguments arrive as any type that serde can read: a struct gets them by
/// name, a tuple in order. Give the [`parameters`](Self::parameters) their
/// names and both kinds of calls fit both kinds of types.
#[derive(Clone)]
pub struct Tool {
    pub(crate) name: Arc<str>,
    pub(crate) parameters: Arc<[Box<str>]>,
    doc: Arc<str>,
    signature: Arc<str>,
    pub(crate) awaitable: bool,
    pub(crate) handler: Handler,
}

#[derive(Clone)]
pub(crate) enum Handler {
    Immediate(Arc<Immediate>),
    Deferred(Arc<Deferred>),
    /// A function of a plugin, charged to the session.
    Plugin {
        plugin: Arc<dyn AnyPlugin>,
        takes_json: bool,
    },
    /// Answered by the embedder's own loop.
    Declared,
}

impl Tool {
    /// A tool that answers inside the call. If it panics, here or in any other kind
    /// of tool, the script gets a `RuntimeError`.
    pub fn immediate<A, R, F>(name: impl Into<Arc<str>>, function: F) -> Self
    where
        A: DeserializeOwned,
        R: Serialize,
        F: Fn(&ToolContext, A) -> std::result::Result<R, ToolError> + Send + Sync + 'static,
    {
        let handler = move |context: &ToolContext, arguments: &Arguments| {
            let arguments = arguments.read()?;
            caught(|| encode(function(context, arguments))).ok_or_else(ToolError::panicked)?
        };
        Self::new(name, Handler::Immediate(Arc::new(handler)))
    }

    /// A tool that answers later.
    pub fn deferred<A, R, F, Fut>(name: impl Into<Arc<str>>, function: F) -> Self
    where
        A: DeserializeOwned,
        R: Serialize,
        F: Fn(ToolContext, A) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = std::result::Result<R, ToolError>> + Send + 'static,
    {
        let handler = move |context: ToolContext, arguments: &Arguments| -> BoxFuture<Answered> {
            match arguments.read() {
                Ok(arguments) => later(|| function(context, arguments)),
                Err(error) => Box::pin(std::future::ready(Err(error))),
            }
        };
        Self::new(name, Handler::Deferred(Arc::new(handler)))
    }

    /// A tool that answers later and wants its arguments as they came: with
    /// [tags](Arguments::tagged) for what JSON lacks.
    pub fn with_arguments<R, F, Fut>(name: impl Into<Arc<str>>, function: F) -> Self
    where
        R: Serialize,
        F: Fn(ToolContext, Arguments) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = std::result::Result<R, ToolError>> + Send + 'static,
    {
        let handler = move |context: ToolContext, arguments: &Arguments| -> BoxFuture<Answered> {
            later(|| function(context, arguments.clone()))
        };
        Self::new(name, Handler::Deferred(Arc::new(handler)))
    }

    /// A deferred tool that only [`Session::step`](crate::Session::step) can
    /// serve: its calls are handed to the embedder.
    pub fn declared(name: impl Into<Arc<str>>) -> Self {
        Self::new(name, Handler::Declared)
    }

    /// The functions of a plugin, as members of its namespace.
    pub(crate) fn of_plugin<P: Plugin>(plugin: P) -> Vec<Self> {
        let (namespace, functions) = (plugin.name().to_owned(), plugin.functions());
        let plugin = Arc::new(plugin) as Arc<dyn AnyPlugin>;
        let tools = functions.into_iter().map(|function| {
            let name = format!("{namespace}.{}", function.name);
            let handler = Handler::Plugin {
                plugin: Arc::clone(&plugin),
                takes_json: function.takes_json,
            };
            Self::new(name, handler)
                .parameters(function.parameters)
                .doc(function.doc)
        });
        tools.collect()
    }

    fn new(name: impl Into<Arc<str>>, handler: Handler) -> Self {
        Self {
            name: name.into(),
            parameters: Arc::new([]),
            doc: "".into(),
            signature: "".into(),
            awaitable: false,
            handler,
        }
    }

    /// Names the parameters, in order. Without them Python may call the tool
    /// with anything, and positional arguments are named `_arg0`, `_arg1` …
    #[must_use]
    pub fn parameters<S: Into<Box<str>>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.parameters = names.into_iter().map(Into::into).collect();
        self
    }

    /// Says what the tool is for, to whoever writes the prompt.
    #[must_use]
    pub fn doc(mut self, doc: impl Into<Arc<str>>) -> Self {
        self.doc = doc.into();
        self
    }

    /// Sets the form of its calls in instructions, as `(a: int, *, b: str = "") -> dict`. By default the names of the
    /// parameters are shown. One of several lines, or of more than 1,000 bytes, is [`ErrorKind::Usage`](crate::ErrorKind::Usage)
    /// when the session is opened.
    #[must_use]
    pub fn signature(mut self, signature: impl Into<Arc<str>>) -> Self {
        self.signature = signature.into();
        self
    }

    /// Makes every call give an awaitable. Without this a call does so only
    /// where the script awaits its result.
    #[must_use]
    pub fn awaitable(mut self) -> Self {
        self.awaitable = true;
        self
    }

    /// The name by which Python calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for.
    pub fn documentation(&self) -> &str {
        &self.doc
    }

    /// Returns the name with the parameters, as a prompt shows them. Without any it takes what Python gives it.
    pub(crate) fn shown(&self) -> String {
        match &*self.signature {
            "" if self.parameters.is_empty() => format!("{}(...)", self.name),
            "" => format!("{}({})", self.name, self.parameters.join(", ")),
            signature => format!("{}{signature}", self.name),
        }
    }

    /// Returns the name of the plugin that it belongs to, and the function; none if it belongs to none.
    pub(crate) fn function_of_plugin(&self) -> Option<(&str, PluginFunction)> {
        let Handler::Plugin { takes_json, .. } = self.handler else {
            return None;
        };
        let (plugin, name) = self.name.split_once('.')?;
        let mut function = PluginFunction::new(name, self.parameters.iter().map(|name| &**name));
        function.doc = self.doc.to_string();
        function.takes_json = takes_json;
        Some((plugin, function))
    }

    /// Checks what a session could not honour.
    pub(crate) fn check(&self, profile: &Profile) -> Result<()> {
        let (top, member) = match self.name.split_once('.') {
            Some((top, member)) => (top, Some(member)),
            None => (self.name(), None),
        };
        if FORBIDDEN.contains(&member.unwrap_or(top)) {
            return Err(Error::usage(format!(
                "a tool named `{}` would run code inside the code; it is refused",
                self.name
            )));
        }
        if top.starts_with("_rlm_") || profile.names.iter().any(|name| name.is(top)) {
            return Err(Error::usage(format!(
                "`{top}` is defined by the session; give the tool another name"
            )));
        }
        let is_exception = top.ends_with("Error") || top.ends_with("Exception");
        let is_module = STANDARD.contains(&top) || OTHER_MODULES.contains(&top);
        if member.is_some() && (is_module || is_exception || top.starts_with("__")) {
            return Err(Error::usage(format!(
                "`{top}` means something in Python already, which would take the place of the plugin; give it another name"
            )));
        }
        if BUILTINS.contains(&top) || EXCEPTIONS.contains(&top) || SPECIAL.contains(&top) {
            return Err(Error::usage(format!(
                "`{top}` is a builtin of Python, which would be called in place of the tool; give the tool another name"
            )));
        }
        if self.parameters.len() > PARAMETERS {
            return Err(Error::usage(format!(
                "tool `{}` has {} parameters; {PARAMETERS} are possible",
                self.name,
                self.parameters.len()
            )));
        }
        let signature = &self.signature;
        let is_line = signature.is_empty() || signature.starts_with('(');
        if !is_line || signature.len() > SIGNATURE_BYTES || signature.contains(char::is_control) {
            return Err(Error::usage(format!(
                "the signature of tool `{}` is not one line of at most {SIGNATURE_BYTES} bytes that begins with a parenthesis",
                self.name
            )));
        }
        let mut names = BTreeSet::new();
        for name in self.parameters.iter() {
            if !names.insert(name) {
                return Err(Error::usage(format!(
                    "two parameters of tool `{}` are named `{name}`; rename one",
                    self.name
                )));
            }
        }
        for name in [top]
            .into_iter()
            .chain(member)
            .chain(self.parameters.iter().map(AsRef::as_ref))
        {
            if !is_identifier(name) {
                return Err(Error::usage(format!(
                    "`{name}` is not a Python name; tool `{}` needs one",
                    self.name
                )));
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.handler {
            Handler::Immediate(_) => "immediate",
            Handler::Deferred(_) => "deferred",
            Handler::Plugin { .. } => "of a plugin",
            Handler::Declared => "declared",
        };
        write!(
            f,
            "Tool({}({}), {kind})",
            self.name,
            self.parameters.join(", ")
        )
    }
}

/// Starts a handler that answers later.
fn later<R, Fut>(function: impl FnOnce() -> Fut) -> BoxFuture<Answered>
where
    R: Serialize,
    Fut: Future<Output = std::result::Result<R, ToolError>> + Send + 'static,
{
    let started = caught(function);
    Box::pin(async move {
        let answer = started.ok_or_else(ToolError::panicked)?;
        let answer = caught_later(async { encode(answer.await) }).await;
        answer.ok_or_else(ToolError::panicked)?
    })
}

fn encode<R: Serialize>(answer: std::result::Result<R, ToolError>) -> Answered {
    serde_json::to_value(answer?).map_err(|error| {
        ToolError::new(
            "TypeError",
            format!("the tool's answer has no JSON form: {error}"),
        )
    })
}

/// Returns whether scripts can use the name as it stands: an identifier of Python that
/// is no keyword. Python reads identifiers in their normal form NFKC, so a name that is
/// not in that form could never be written in a script.
pub fn is_identifier(name: &str) -> bool {
    const KEYWORDS: [&str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
        "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
        "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return",
        "try", "while", "with", "yield",
    ];
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|first| first == '_' || unicode_ident::is_xid_start(first))
        && characters.all(unicode_ident::is_xid_continue)
        && !KEYWORDS.contains(&name)
        && (name.is_ascii() || unicode_normalization::is_nfkc(name))
}

/// A tool's refusal: the exception that Python sees, and may catch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolError {
    pub(crate) exception: Exception,
}

impl ToolError {
    /// An exception of the class `kind`; a class that Python does not have
    /// becomes a `RuntimeError` that names it.
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            exception: Exception::new(kind, message),
        }
    }

    /// Of a function that the session does not have.
    pub(crate) fn undefined(name: &str) -> Self {
        let told = match name.split_once('.') {
            None => format!("name '{name}' is not defined"),
            Some((plugin, _)) => format!(
                "'{name}' is not there: this session was opened without the plugin `{plugin}`, or with another one"
            ),
        };
        Self::new("NameError", told)
    }

    /// Of a tool that panicked.
    pub(crate) fn panicked() -> Self {
        Self::new("RuntimeError", format!("the tool {PANICKED}"))
    }

    /// The exception.
    pub fn exception(&self) -> &Exception {
        &self.exception
    }
}

impl<E: std::error::Error> From<E> for ToolError {
    /// A `RuntimeError` with the error's text.
    fn from(error: E) -> Self {
        Self::new("RuntimeError", error.to_string())
    }
}

/// What a handler may know about the call it serves.
///
/// `(session, ticket)` is an idempotency key: the same pair comes again only if
/// the process died between starting a call and recording its answer. Dropping
/// the exec drops the futures of its tools.
#[derive(Clone, Debug)]
pub struct ToolContext {
    pub(crate) shared: Arc<Caller>,
    pub(crate) ticket: u64,
    pub(crate) cancel: CancelHandle,
    answer_bytes: u64,
}

/// On whose behalf a session runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    pub(crate) session: String,
    pub(crate) user: Option<String>,
    pub(crate) trace_id: Option<String>,
    pub(crate) extensions: Extensions,
}

#[derive(Clone, Default)]
pub(crate) struct Extensions(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Extensions {
    pub(crate) fn insert<T: Any + Send + Sync>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(value));
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extensions({})", self.0.len())
    }
}

impl ToolContext {
    pub(crate) fn new(shared: &Arc<Caller>, ticket: u64, cancel: &CancelHandle) -> Self {
        Self {
            shared: Arc::clone(shared),
            ticket,
            cancel: cancel.clone(),
            answer_bytes: u64::MAX,
        }
    }

    /// Sets the most bytes of JSON of an answer that a script gets.
    pub(crate) fn with_answer_bytes(mut self, bytes: u64) -> Self {
        self.answer_bytes = bytes;
        self
    }

    /// The session, by its id.
    pub fn session(&self) -> &str {
        &self.shared.session
    }

    /// The number of the call, from 0 over the life of the session.
    pub fn ticket(&self) -> u64 {
        self.ticket
    }

    /// Returns the bytes of JSON that an answer may have under the limits of the session: a
    /// longer one reaches no script, so a handler need not read it.
    pub fn answer_bytes(&self) -> u64 {
        self.answer_bytes
    }

    /// On whose behalf the session runs, if the embedder said.
    pub fn user(&self) -> Option<&str> {
        self.shared.user.as_deref()
    }

    /// The embedder's trace id.
    pub fn trace_id(&self) -> Option<&str> {
        self.shared.trace_id.as_deref()
    }

    /// What the embedder attached to the session under its type.
    pub fn extension<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.shared
            .extensions
            .0
            .get(&TypeId::of::<T>())?
            .downcast_ref()
    }

    /// Returns whether the exec was asked to end. Deferred tools need not look:
    /// they are dropped.
    pub fn is_canceled(&self) -> bool {
        self.cancel.is_canceled()
    }

    /// Stops the [deadline](crate::Limits::deadline) of the execution while the guard lives: for
    /// a tool that waits for a person, as for an approval.
    pub fn pause_deadline(&self) -> DeadlinePause {
        self.cancel.shared().pause_deadline()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_the_parser_of_the_guest_takes() {
        for name in [
            "a",
            "_",
            "_1",
            "\u{e9}",
            "x\u{17b6}",
            "x\u{b7}1",
            "\u{2118}",
            "\u{4e2d}",
        ] {
            assert!(is_identifier(name), "{name}");
        }
        for name in [
            "",
            "1a",
            "a b",
            "if",
            "None",
            "\u{17b6}",
            "\u{b7}",
            "\u{fb01}",
            "a\u{200b}",
            "\u{345}",
        ] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}
