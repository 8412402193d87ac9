//! What Python sees, and how it is told to whoever reads an outcome.

mod preset;
mod table;

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bindings::exports::rlm::sandbox::repl;
use crate::format::Format;
use crate::limits::Limits;
use crate::view::View;

pub use preset::ProfileNames;

/// What Python sees: names, imports, what is refused, how a run is finished.
///
/// A profile is a TOML file, one that this library carries ([`named`](Self::named))
/// or one of your own ([`parse`](Self::parse)). The default is `rlm`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Profile {
    /// Names that are defined besides Python's own and the tools. Default: none.
    #[serde(default, deserialize_with = "each_once")]
    pub names: Vec<Name>,
    /// What may be imported. Default: `standard`.
    #[serde(default)]
    pub imports: Imports,
    /// True if `eval` and `exec` exist. Default: no.
    #[serde(default)]
    pub eval: bool,
    /// Syntax that is refused before anything runs. Default: none. It is syntax alone: with `class` refused,
    /// `type(name, bases, namespace)` still makes a class.
    #[serde(default, deserialize_with = "each_once")]
    pub refused: Vec<Syntax>,
    /// What becomes of a source with a top-level `return`. Default: `native`.
    #[serde(default, rename = "return")]
    pub returns: Returns,
    /// What becomes of the Markdown fences around a source. Default: `keep`.
    #[serde(default)]
    pub fences: Fences,
    /// What `FINAL_VAR` does about a name that is not bound. Default: `help`.
    #[serde(default)]
    pub undefined: Undefined,
    /// What `SHOW_VARS` tells. Default: `types`.
    #[serde(default)]
    pub show_vars: ShowVars,
    /// What `open` may read. Default: `nothing`.
    #[serde(default)]
    pub open: Opens,
    /// What `SUBMIT` takes, in order. Default: anything by name.
    #[serde(default)]
    pub outputs: Vec<Output>,
    /// True if what models write and the interpreter lacks is rewritten to what
    /// it has; [`Outcome::rewrites`](crate::Outcome::rewrites) says what was.
    /// Default: yes.
    #[serde(default = "yes")]
    pub compat: bool,
    /// True if the names of a model that is not attached are undefined; else
    /// asking raises an error that says so. Default: no.
    #[serde(default)]
    pub hide_unprovided: bool,
    /// How long a namespace lives. Default: `session`.
    #[serde(default)]
    pub namespace: Namespace,
    /// What becomes of the namespace when a script raises. Default: `keep`.
    #[serde(default)]
    pub on_error: OnError,
    /// How a tool's error reaches the script. Default: `raise`.
    #[serde(default)]
    pub tool_errors: Errors,
    /// How an error of the model reaches the script, outside of batches, where
    /// each answer stands for itself. Default: `raise`.
    #[serde(default)]
    pub model_errors: Errors,
    /// Where printed text goes besides the outcome. Default: `capture`.
    #[serde(default)]
    pub print: Print,
    /// Asks for type checking, which is not built in: outcomes and validations
    /// say so. Default: no.
    #[serde(default, alias = "monty_type_check")]
    pub type_check: bool,
    /// How [`Session::report`](crate::Session::report) writes an outcome. Default: `exec-python`.
    #[serde(default)]
    pub format: Format,
    /// What a model is shown of an outcome. Default: 20,000 characters.
    #[serde(default)]
    pub view: View,
    /// What an exec may use; see [`Limits`] for the defaults.
    #[serde(default, with = "table", alias = "resource_limits", skip_serializing)]
    pub limits: Limits,
    /// The name of the interpreter, for configurations that say it: `monty`.
    #[serde(default, rename = "runtime", skip_serializing)]
    runtime: Runtime,
    /// [`Limits::time`], as other configurations call it.
    #[serde(default, skip_serializing)]
    timeout: Option<table::Seconds>,
    #[serde(default, rename = "monty_max_allocations", skip_serializing)]
    monty_max_allocations: Option<u64>,
    #[serde(default, rename = "monty_max_memory", skip_serializing)]
    monty_max_memory: Option<u64>,
}

/// Declares the names, each once: as it is here and in the WIT, and in Python.
macro_rules! names {
    ($($name:ident $python:literal,)*) => {
        /// A name that a session may define.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "`wit/repl.wit` says what each is")]
        pub enum Name {
            $(#[serde(rename = $python)] $name,)*
        }

        impl Name {
            /// The Python name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $python,)*
                }
            }
        }

        impl From<Name> for repl::Name {
            fn from(name: Name) -> Self {
                match name {
                    $(Name::$name => Self::$name,)*
                }
            }
        }
    };
}

names! {
    Context "context",
    Files "files",
    ReadContext "read_context",
    LlmQuery "llm_query",
    LlmQueryBatched "llm_query_batched",
    LlmBatch "llm_batch",
    RlmQuery "rlm_query",
    RlmQueryBatched "rlm_query_batched",
    AskLlm "ask_llm",
    Final "FINAL",
    FinalVar "FINAL_VAR",
    Submit "SUBMIT",
    SubmitAnswer "submit_answer",
    Answer "answer",
    ShowVars "SHOW_VARS",
    Budget "budget",
    History "history",
    Buffers "buffers",
    ChunkIndices "chunk_indices",
    Log "log",
}

impl Name {
    /// Returns whether it defines the Python name `name`.
    pub(crate) fn is(self, name: &str) -> bool {
        match self {
            Self::Context => name == "context" || numbered(name, "context_"),
            Self::History => name == "history" || numbered(name, "history_"),
            Self::Files => matches!(name, "files" | "context_files"),
            _ => self.as_str() == name,
        }
    }

    /// Returns whether it stays what it is where an embedder binds a variable of the
    /// same name. `budget` and `log` are common words, and a variable is a variable;
    /// contexts have names only where there are some.
    pub(crate) fn hides_variable(self) -> bool {
        !matches!(self, Self::Budget | Self::Log | Self::Context)
    }

    /// Returns whether it asks a model.
    pub fn asks_model(self) -> bool {
        matches!(
            self,
            Self::LlmQuery
                | Self::LlmQueryBatched
                | Self::LlmBatch
                | Self::RlmQuery
                | Self::RlmQueryBatched
                | Self::AskLlm
        )
    }

    /// Returns whether it may be answered without the session's model, by a deeper session.
    pub(crate) fn may_recurse(self) -> bool {
        matches!(self, Self::RlmQuery | Self::RlmQueryBatched)
    }
}

fn yes() -> bool {
    true
}

fn numbered(name: &str, prefix: &str) -> bool {
    let number = name.strip_prefix(prefix);
    number.is_some_and(|number| number.parse::<u8>().is_ok())
}

/// Reads a list of which every value counts once, however often a file repeats it.
fn each_once<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de> + PartialEq,
    D: Deserializer<'de>,
{
    struct Each<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de> + PartialEq> Visitor<'de> for Each<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut each = Vec::new();
            while let Some(value) = list.next_element()? {
                if !each.contains(&value) {
                    each.push(value);
                }
            }
            Ok(each)
        }
    }

    deserializer.deserialize_seq(Each(PhantomData))
}

/// What may be imported. In TOML `"standard"`, `"all"`, or a list of modules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Imports {
    /// These modules and no others.
    Only(Vec<String>),
    /// All but `os` and `pathlib`, which could only fail.
    #[default]
    Standard,
    /// All there are.
    All,
}

impl Serialize for Imports {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Only(modules) => modules.serialize(serializer),
            Self::Standard => serializer.serialize_str("standard"),
            Self::All => serializer.serialize_str("all"),
        }
    }
}

impl<'de> Deserialize<'de> for Imports {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Word(String),
            List(Vec<String>),
        }
        match Written::deserialize(deserializer) {
            Ok(Written::List(modules)) => Ok(Self::Only(modules)),
            Ok(Written::Word(word)) if word == "standard" => Ok(Self::Standard),
            Ok(Written::Word(word)) if word == "all" => Ok(Self::All),
            _ => Err(D::Error::custom(
                "imports is \"standard\", \"all\" or a list of modules",
            )),
        }
    }
}

/// Declares words that stand in a profile.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$meta:meta])* $word:ident,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[non_exhaustive]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$meta])* $word,)* }
    };
}

words! {
    /// What becomes of a source with a top-level `return`.
    Returns {
        /// It ends there, with that value; what it bound stays bound.
        #[default]
        Native,
        /// It becomes the body of a function, so that what it binds is gone.
        Wrap,
    }
}
words! {
    /// What becomes of the Markdown fences around a source.
    Fences {
        /// They are part of it.
        #[default]
        Keep,
        /// They go where one fenced block is all there is.
        Whole,
        /// The first fenced block is the source.
        First,
    }
}
words! {
    /// What `FINAL_VAR` does about a name that is not bound.
    Undefined {
        /// It gives a text that says which names there are.
        #[default]
        Help,
        /// It ends the run with `<undefined: name>`.
        End,
    }
}
words! {
    /// What `SHOW_VARS` tells.
    ShowVars {
        /// The types, in one line.
        #[default]
        Types,
        /// Types and values, one variable on each line.
        Values,
    }
}
words! {
    /// What `open` may read.
    Opens {
        /// Nothing at all.
        #[default]
        Nothing,
        /// The context of that name.
        Contexts,
    }
}
words! {
    /// How long a namespace lives.
    Namespace {
        /// As long as its session.
        #[default]
        Session,
        /// For one exec: each begins with an empty one.
        Exec,
    }
}
words! {
    /// What becomes of the namespace when a script raises.
    OnError {
        /// What it did before stays, as in Python.
        #[default]
        Keep,
        /// It goes back to where it was before the exec.
        RollBack,
    }
}
words! {
    /// How an error reaches a script.
    Errors {
        /// As an exception.
        #[default]
        Raise,
        /// As the text `ERROR: …` in place of the answer.
        Text,
    }
}
words! {
    /// Where printed text goes besides the outcome.
    Print {
        /// Nowhere.
        #[default]
        Capture,
        /// To the log.
        Log,
    }
}
words! {
    /// Syntax that a profile may refuse.
    Syntax {
        /// `await`, `async def`, `async for`, `async with`.
        #[default]
        Await,
        /// Classes.
        Class,
        /// Decorators.
        Decorator,
        /// `match`.
        Match,
        /// `lambda`.
        Lambda,
        /// `try`.
        Try,
        /// `with`.
        With,
    }
}
words! {
    /// An interpreter, by name.
    Runtime {
        #[default]
        /// The only one there is.
        Monty,
    }
}

/// A field of what `SUBMIT` takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The name of the field.
    pub name: String,
    /// `str`, `int`, `float`, `bool`, `list`, `dict` or `NoneType`; any other
    /// word fits any value.
    #[serde(default, rename = "type")]
    pub kind: String,
}

impl Output {
    /// Returns the bytes of its texts.
    pub(crate) fn size_bytes(&self) -> usize {
        self.name.len() + self.kind.len()
    }

    /// From names and types.
    pub(crate) fn list<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Self> {
        let fields = fields.into_iter().map(|(name, kind)| Self {
            name: name.to_owned(),
            kind: kind.to_owned(),
        });
        fields.collect()
    }
}

static DEFAULT: LazyLock<Arc<Profile>> =
    LazyLock::new(|| Arc::new(Profile::named("rlm").expect("the default is carried")));

impl Default for Profile {
    /// The profile `rlm`.
    fn default() -> Self {
        Self::clone(&DEFAULT)
    }
}

impl Profile {
    /// Returns whether scripts see contexts: by a name, or by `open`.
    pub fn reads_contexts(&self) -> bool {
        let mut readers = [Name::Context, Name::Files, Name::ReadContext].into_iter();
        readers.any(|name| self.defines(name)) || self.open == Opens::Contexts
    }

    /// Returns whether scripts ask a model: by one of the names that do.
    pub fn asks_models(&self) -> bool {
        let asking = [
            Name::LlmQuery,
            Name::LlmQueryBatched,
            Name::LlmBatch,
            Name::RlmQuery,
            Name::RlmQueryBatched,
            Name::AskLlm,
        ];
        asking.into_iter().any(|name| self.defines(name))
    }

    pub(crate) fn shared() -> Arc<Self> {
        Arc::clone(&DEFAULT)
    }

    /// Sets what `SUBMIT` takes: names with types, in order.
    #[must_use]
    pub fn outputs<'a>(mut self, fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        self.outputs = Output::list(fields);
        self
    }

    /// Returns whether it defines `name`.
    pub fn defines(&self, name: Name) -> bool {
        self.names.contains(&name)
    }

    /// What the guest is told of it.
    pub(crate) fn settings(&self) -> repl::Profile {
        repl::Profile {
            names: self.names.iter().map(|name| (*name).into()).collect(),
            imports: match &self.imports {
                Imports::Only(modules) => repl::Imports::Only(modules.clone()),
                Imports::Standard => repl::Imports::Standard,
                Imports::All => repl::Imports::All,
            },
            eval: self.eval,
            refused: self.refused.iter().map(|syntax| (*syntax).into()).collect(),
            wraps_return: self.returns == Returns::Wrap,
            fences: match self.fences {
                Fences::Keep => repl::Fences::Keep,
                Fences::Whole => repl::Fences::Whole,
                Fences::First => repl::Fences::First,
            },
            ends_undefined: self.undefined == Undefined::End,
            shows_values: self.show_vars == ShowVars::Values,
            opens_contexts: self.open == Opens::Contexts,
            compat: self.compat,
            outputs: self
                .outputs
                .iter()
                .map(|output| repl::Output {
                    name: output.name.clone(),
                    kind: output.kind.clone(),
                })
                .collect(),
        }
    }
}

impl From<Syntax> for repl::Syntax {
    fn from(syntax: Syntax) -> Self {
        match syntax {
            Syntax::Await => Self::Await,
            Syntax::Class => Self::Class,
            Syntax::Decorator => Self::Decorator,
            Syntax::Match => Self::Match,
            Syntax::Lambda => Self::Lambda,
            Syntax::Try => Self::Try,
            Syntax::With => Self::With,
        }
    }
}
