//! Profiles: the names that scripts see, what they may import, what is refused.

use monty::DisabledBuiltins;
use monty_types::BuiltinsFunctions;

use crate::bindings::exports::rlm::sandbox::repl::{
    Fences, Imports, Name, Output, Profile as Settings, Syntax,
};
use crate::functions::Functions;

/// Modules that reach for files and the environment. A script that imports one
/// would only fail later and less clearly.
const REACHING: [&str; 2] = ["os", "pathlib"];

/// The profile of a session.
#[derive(Debug)]
pub(crate) struct Profile {
    /// One bit for each name.
    names: u32,
    imports: Imports,
    pub(crate) eval: bool,
    refused: Vec<Syntax>,
    pub(crate) wraps_return: bool,
    pub(crate) fences: Fences,
    pub(crate) ends_undefined: bool,
    pub(crate) shows_values: bool,
    pub(crate) opens_contexts: bool,
    pub(crate) outputs: Vec<Output>,
    pub(crate) compat: bool,
    /// Namespaces of host functions, which may be imported, too.
    namespaces: Vec<String>,
}

impl Default for Profile {
    /// Nothing is offered and little is allowed; for before `configure`.
    fn default() -> Self {
        Self {
            names: 0,
            imports: Imports::Standard,
            eval: false,
            refused: Vec::new(),
            wraps_return: false,
            fences: Fences::Keep,
            ends_undefined: false,
            shows_values: false,
            opens_contexts: false,
            outputs: Vec::new(),
            compat: false,
            namespaces: Vec::new(),
        }
    }
}

impl From<Settings> for Profile {
    fn from(settings: Settings) -> Self {
        Self {
            names: settings
                .names
                .into_iter()
                .fold(0, |names, name| names | 1 << name as u8),
            imports: settings.imports,
            eval: settings.eval,
            refused: settings.refused,
            wraps_return: settings.wraps_return,
            fences: settings.fences,
            ends_undefined: settings.ends_undefined,
            shows_values: settings.shows_values,
            opens_contexts: settings.opens_contexts,
            outputs: settings.outputs,
            compat: settings.compat,
            namespaces: Vec::new(),
        }
    }
}

/// The origin of a name that the session defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A function that is asked of the guest or the host when it is called.
    Asked,
    /// A function of our prelude.
    Prelude,
    /// Data, bound when a script first mentions it.
    Data,
    /// One of the names for contexts.
    Context,
}

impl Profile {
    /// The same for a session with these functions.
    pub(crate) fn with_namespaces(mut self, functions: &Functions) -> Self {
        self.namespaces = functions.namespaces().cloned().collect();
        self
    }

    /// The names of functions that may ask a model.
    pub(crate) fn models(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            "llm_query",
            "llm_query_batched",
            "llm_batch",
            "rlm_query",
            "rlm_query_batched",
            "ask_llm",
        ];
        all.into_iter().filter(|name| self.origin(name).is_some())
    }

    /// The names of functions that ask the host, but for those of [`models`](Self::models).
    pub(crate) fn asked() -> impl Iterator<Item = &'static str> {
        ["budget", "log", "read_context"].into_iter()
    }

    /// Names that are bound when they are needed, but for contexts.
    pub(crate) fn lazy() -> impl Iterator<Item = &'static str> {
        let all = [
            "FINAL",
            "FINAL_VAR",
            "SUBMIT",
            "submit_answer",
            "SHOW_VARS",
            "chunk_indices",
            "answer",
            "buffers",
        ];
        all.into_iter()
    }

    /// Returns whether the builtin `name` is Python's again before each script: what prints, and
    /// what reads contexts.
    pub(crate) fn restores(&self, name: &str) -> bool {
        name == "print" || name == "open" && self.opens_contexts
    }

    /// Returns the meaning of `name` in this profile; `None` if it does not define it.
    pub(crate) fn origin(&self, name: &str) -> Option<Origin> {
        let (wanted, origin) = match name {
            "llm_query" => (Name::LlmQuery, Origin::Asked),
            "llm_query_batched" => (Name::LlmQueryBatched, Origin::Asked),
            "llm_batch" => (Name::LlmBatch, Origin::Asked),
            "rlm_query" => (Name::RlmQuery, Origin::Asked),
            "rlm_query_batched" => (Name::RlmQueryBatched, Origin::Asked),
            "ask_llm" => (Name::AskLlm, Origin::Asked),
            "budget" => (Name::Budget, Origin::Asked),
            "log" => (Name::Log, Origin::Asked),
            "read_context" => (Name::ReadContext, Origin::Asked),
            "FINAL" => (Name::Final, Origin::Prelude),
            "FINAL_VAR" => (Name::FinalVar, Origin::Prelude),
            "SUBMIT" => (Name::Submit, Origin::Prelude),
            "submit_answer" => (Name::SubmitAnswer, Origin::Prelude),
            "SHOW_VARS" => (Name::ShowVars, Origin::Prelude),
            "chunk_indices" => (Name::ChunkIndices, Origin::Prelude),
            "answer" => (Name::Answer, Origin::Data),
            "buffers" => (Name::Buffers, Origin::Data),
            "history" => (Name::History, Origin::Data),
            "context" => (Name::Context, Origin::Context),
            "files" | "context_files" => (Name::Files, Origin::Context),
            _ if numbered(name, "context_") => (Name::Context, Origin::Context),
            _ if numbered(name, "history_") => (Name::History, Origin::Data),
            _ => return None,
        };
        (self.names & 1 << wanted as u8 != 0).then_some(origin)
    }

    /// Returns the builtins and modules that scripts of this session do not have: `locals`,
    /// whose dictionary has names of ours, and `eval`, `exec`, `os` and `pathlib` unless they are allowed.
    pub(crate) fn disabled(&self) -> DisabledBuiltins {
        let mut disabled = DisabledBuiltins::default().with(BuiltinsFunctions::Locals);
        if !self.eval {
            disabled = disabled
                .with(BuiltinsFunctions::Eval)
                .with(BuiltinsFunctions::Exec);
        }
        REACHING
            .into_iter()
            .filter(|module| self.denial(module).is_some())
            .fold(disabled, DisabledBuiltins::with_module)
    }

    /// Returns why a module that the interpreter does not import may not be imported, if that is so. Everything else
    /// is refused before a script runs.
    pub(crate) fn denial_of_disabled(&self, module: &str) -> Option<String> {
        REACHING
            .contains(&module)
            .then(|| self.denial(module))
            .flatten()
    }

    /// Returns whether a script may try to import what is denied: it is denied then when it is imported, so that it can do
    /// without.
    pub(crate) fn denies_late(&self) -> bool {
        matches!(self.imports, Imports::Standard)
    }

    /// Returns whether `syntax` is refused.
    pub(crate) fn refuses(&self, syntax: Syntax) -> bool {
        self.refused.contains(&syntax)
    }

    /// Returns true if a program gives a namespace of this name, which can be imported.
    pub(crate) fn has_namespace(&self, name: &str) -> bool {
        self.namespaces.iter().any(|namespace| namespace == name)
    }

    /// Why the module may not be imported, if so.
    pub(crate) fn denial(&self, module: &str) -> Option<String> {
        let top = module.split('.').next().unwrap_or(module);
        let allowed = match &self.imports {
            _ if self.has_namespace(module) => return None,
            Imports::All => return None,
            Imports::Standard if !REACHING.contains(&top) => return None,
            Imports::Only(modules) if modules.iter().any(|allowed| allowed == top) => return None,
            Imports::Standard => String::new(),
            Imports::Only(modules) if modules.is_empty() => {
                String::from(" (nothing can be imported)")
            }
            Imports::Only(modules) => format!(" (allowed: {})", modules.join(", ")),
        };
        Some(format!(
            "import of '{module}' is not allowed in this sandbox{allowed}"
        ))
    }
}

/// Returns whether `name` is `prefix` and a number up to 255.
fn numbered(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|index| index.parse::<u8>().is_ok_and(|n| n.to_string() == index))
}
