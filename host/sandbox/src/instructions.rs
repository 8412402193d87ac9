//! What a model is told about its sandbox, made from what the sandbox does.

use std::fmt::Write as _;

use crate::profile::{Imports, Name, Namespace, Opens, Profile, Syntax};
use crate::session::Session;
use crate::tool::Tool;

/// Modules that can be imported under [`Imports::All`] besides [`STANDARD`].
const REACHING: [&str; 2] = ["os", "pathlib"];

/// Returns the names of all modules that a profile may allow.
pub(crate) fn all_modules() -> impl Iterator<Item = &'static str> {
    STANDARD.iter().chain(&REACHING).copied()
}

/// Modules that can be imported under [`Imports::Standard`].
pub(crate) const STANDARD: [&str; 59] = [
    "abc",
    "ast",
    "asyncio",
    "base64",
    "binascii",
    "bisect",
    "calendar",
    "codecs",
    "collections",
    "concurrent",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "enum",
    "fnmatch",
    "fractions",
    "functools",
    "graphlib",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "inspect",
    "io",
    "itertools",
    "json",
    "keyword",
    "logging",
    "math",
    "numbers",
    "operator",
    "posixpath",
    "pprint",
    "queue",
    "random",
    "re",
    "secrets",
    "shlex",
    "statistics",
    "string",
    "struct",
    "sys",
    "textwrap",
    "threading",
    "time",
    "timeit",
    "tomllib",
    "traceback",
    "types",
    "typing",
    "unicodedata",
    "urllib",
    "uuid",
    "warnings",
    "zlib",
];

/// Things that scripts cannot do, in words that models use.
const MISSING: &str = "str, int as base classes";

/// The same where nothing is rewritten.
const MISSING_PLAIN: &str = "dict, list, str as base classes";

impl Profile {
    /// What a model needs to know to write code for a session with this profile
    /// and these tools: what runs, what there is, how to finish, what to avoid.
    /// At most 400 tokens, tools apart.
    pub fn instructions<'a>(&self, tools: impl IntoIterator<Item = &'a Tool>) -> String {
        self.instruct(tools, true)
    }

    /// Returns the same for a session that may have no model, and so no functions that ask one.
    fn instruct<'a>(&self, tools: impl IntoIterator<Item = &'a Tool>, has_model: bool) -> String {
        let mut text = String::from(
            "Your Python runs in a sandbox: a subset of Python 3 without files, network or packages.\n",
        );
        text.push_str(match self.namespace {
            Namespace::Session => "Variables stay between blocks of code. ",
            Namespace::Exec => "Each block of code begins with nothing: keep it self-contained. ",
        });
        text.push_str("print() what you want to see; the last expression is shown.\n");
        let names = self.described(has_model);
        let tools: Vec<_> = tools.into_iter().map(described_tool).collect();
        if !names.is_empty() || !tools.is_empty() {
            text.push_str("\nDefined for you:\n");
            for line in names.iter().chain(&tools) {
                let _ = writeln!(text, "- {line}");
            }
        }
        let _ = writeln!(text, "\n{}", self.modules());
        let mut missing = vec![if self.compat { MISSING } else { MISSING_PLAIN }.to_owned()];
        missing.extend(
            self.refused
                .iter()
                .map(|syntax| refused(*syntax).to_owned()),
        );
        if !self.eval {
            missing.push(String::from("eval, exec"));
        }
        if self.open == Opens::Nothing {
            missing.push(String::from("open"));
        }
        let _ = writeln!(text, "Not available: {}.", missing.join(", "));
        let gathers = self.listed_modules().contains(&"asyncio");
        if has_model && self.defines(Name::LlmQuery) && gathers {
            text.push_str("Calls may be awaited.\n");
        }
        if let Some(finish) = self.finishing() {
            let _ = writeln!(text, "\n{finish}");
        }
        text
    }

    /// The same in two or three lines.
    pub fn short_instructions<'a>(&self, tools: impl IntoIterator<Item = &'a Tool>) -> String {
        self.instruct_shortly(tools, true)
    }

    fn instruct_shortly<'a>(
        &self,
        tools: impl IntoIterator<Item = &'a Tool>,
        has_model: bool,
    ) -> String {
        let names = self.names.iter();
        let names = names.filter(|name| has_model || !name.asks_model());
        let mut names: Vec<_> = names.map(|name| name.as_str()).collect();
        let tools: Vec<_> = tools
            .into_iter()
            .map(|tool| tool.name().to_owned())
            .collect();
        names.extend(tools.iter().map(String::as_str));
        let mut text = String::from("Python subset in a sandbox; no files, network or packages.");
        if !names.is_empty() {
            let _ = write!(text, " Defined: {}.", names.join(", "));
        }
        let _ = write!(text, " {}", self.modules());
        if let Some(finish) = self.finishing() {
            let _ = write!(text, "\n{finish}");
        }
        text
    }

    fn modules(&self) -> String {
        let named = self
            .listed_modules()
            .into_iter()
            .map(|module| match module {
                "asyncio" => "asyncio (run gather sleep)",
                // Of these packages there is one module.
                "concurrent" => "concurrent.futures",
                "urllib" => "urllib.parse",
                module => module,
            });
        match named.collect::<Vec<_>>().join(", ").as_str() {
            "" => String::from("Nothing can be imported."),
            modules => format!("Modules: {modules}."),
        }
    }

    /// Returns the modules that scripts can import, but for `asyncio` where they cannot await.
    fn listed_modules(&self) -> Vec<&'static str> {
        let is_allowed = |module: &&str| match &self.imports {
            Imports::Only(modules) => modules.iter().any(|name| name == module),
            Imports::Standard => !REACHING.contains(module),
            Imports::All => true,
        };
        let awaits = !self.refused.contains(&Syntax::Await);
        all_modules()
            .filter(is_allowed)
            .filter(|module| awaits || *module != "asyncio")
            .collect()
    }

    fn described(&self, has_model: bool) -> Vec<String> {
        let all = [
            (
                Name::Context,
                "context: the input; context_0, context_1, …: each file",
            ),
            (Name::Files, "files: dict of name to text"),
            (
                Name::ReadContext,
                "read_context(name, start=0, length=None): a slice of a file",
            ),
            (
                Name::LlmQuery,
                "llm_query(prompt, model=None) -> str: asks a language model",
            ),
            (
                Name::LlmQueryBatched,
                "llm_query_batched(prompts, model=None) -> list[str]: [ERROR] if one fails",
            ),
            (
                Name::RlmQuery,
                "rlm_query(prompt), rlm_query_batched(prompts): with a sandbox",
            ),
            (
                Name::AskLlm,
                "ask_llm(prompt, context=\"\") -> str: asks a language model",
            ),
            (Name::History, "history: the conversation"),
            (Name::ShowVars, "SHOW_VARS(): the variables"),
            (Name::Budget, "budget(): calls and time left"),
            (Name::Buffers, "buffers: a list for findings"),
            (
                Name::ChunkIndices,
                "chunk_indices(total, chunk_size): list of (start, end)",
            ),
            (Name::Log, "log(message)"),
        ];
        let is_there = |name: Name| self.defines(name) && (has_model || !name.asks_model());
        let offered = all.into_iter().filter(|(name, _)| is_there(*name));
        let opens = (self.open == Opens::Contexts).then_some("open(name): reads one of the files");
        let lines = offered.map(|(_, text)| text).chain(opens);
        lines.map(str::to_owned).collect()
    }

    fn finishing(&self) -> Option<String> {
        let mut ways = Vec::new();
        if self.defines(Name::Submit) && !self.outputs.is_empty() {
            let fields = self
                .outputs
                .iter()
                .map(|output| match output.kind.as_str() {
                    "" => output.name.clone(),
                    kind => format!("{}: {kind}", output.name),
                });
            ways.push(format!("SUBMIT({})", fields.collect::<Vec<_>>().join(", ")));
        } else {
            let all = [
                (Name::Final, "FINAL(answer)"),
                (Name::FinalVar, "FINAL_VAR(\"variable\")"),
                (Name::SubmitAnswer, "submit_answer(answer)"),
                (Name::Submit, "SUBMIT(field=value, …)"),
            ];
            // One way and another is enough to know.
            let offered = all.into_iter().filter(|(name, _)| self.defines(*name));
            ways.extend(offered.take(2).map(|(_, text)| text.to_owned()));
        }
        match ways.is_empty() {
            true if self.defines(Name::Answer) => Some(String::from(
                "When you are done, set answer[\"content\"] = … and answer[\"ready\"] = True.",
            )),
            true => None,
            false => Some(format!(
                "When you are done, call {}; nothing runs after it.",
                ways.join(" or ")
            )),
        }
    }
}

impl Session {
    /// What a model needs to know to write code for this session.
    pub fn instructions(&self) -> String {
        let handlers = &self.settings.handlers;
        let has_model = handlers.answerer(false).is_some();
        self.settings.profile.instruct(&handlers.tools, has_model)
    }

    /// The same in a few lines, as [`Profile::short_instructions`] with the
    /// session's tools.
    pub fn short_instructions(&self) -> String {
        let handlers = &self.settings.handlers;
        let has_model = handlers.answerer(false).is_some();
        self.settings
            .profile
            .instruct_shortly(&handlers.tools, has_model)
    }
}

fn described_tool(tool: &Tool) -> String {
    let mut text = tool.shown();
    if !tool.documentation().is_empty() {
        let _ = write!(text, ": {}", tool.documentation());
    }
    text
}

fn refused(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Await => "async and await",
        Syntax::Class => "class",
        Syntax::Decorator => "decorators",
        Syntax::Match => "match",
        Syntax::Lambda => "lambda",
        Syntax::Try => "try",
        Syntax::With => "with",
    }
}
