//! Hints for exceptions whose message does not say what to do, in one line, for
//! the model that wrote the script.
//!
//! Python's own messages stay as they are. These are for what Python has and
//! Monty has not.

mod instead;

use std::borrow::Cow;

use instead::{MEMBERS, PACKAGES};
use monty_types::{ExcType, MontyException};

use crate::contexts::Count;
use crate::modules;
use crate::profile::Profile;

/// Constructs that Monty's compiler does not support, and what to write instead.
const SYNTAX: [(&str, &str); 11] = [
    (
        "class variable targets",
        "assign plain names in the body of a class",
    ),
    (
        "yield",
        "return a list, or write the loop where its items are used",
    ),
    (
        "'del'",
        "use d.pop(key), assign a new list, or set the name to None",
    ),
    (
        "async for",
        "await the values one by one in a plain for loop",
    ),
    (
        "async with",
        "write the steps in try and finally; in place of a semaphore, asyncio.gather(*calls[:n]) waits for n calls at a time",
    ),
    (
        "async comprehension",
        "use asyncio.gather(*[f(x) for x in xs])",
    ),
    ("except*", "use except"),
    ("type alias", "leave the type statement out"),
    ("import *", "import the names that you use"),
    ("template string", "use an f-string"),
    (
        "unpacking",
        "merge the dictionaries first, as in {**a, **b}",
    ),
];

/// Parts of messages of things that Monty's functions do not take.
const CALLS: [(&str, &str); 22] = [
    (
        "this waits for ever",
        "here one thread runs at a time; use concurrent.futures, and wait for its results only",
    ),
    (
        "the __context__ of an exception",
        "raise it with from, and read its __cause__",
    ),
    (
        "is not an acceptable base type",
        "keep one in an attribute and write the methods that you need",
    ),
    (
        "metaclasses of one's own",
        "write a class decorator, or __init_subclass__ in a base class",
    ),
    (
        "Wildcard imports",
        "import the names that you use, as in from math import sqrt, pi",
    ),
    (
        "'typing._SpecialForm' object is not subscriptable",
        "leave the type out where the code runs; annotations may have it",
    ),
    (
        "cannot create 'object' instances",
        "use a list of its own as a mark, as in MISSING = []",
    ),
    (
        "error handler is not supported",
        "use errors='replace' or errors='backslashreplace'",
    ),
    (
        "() takes no argument or one text in this sandbox",
        "give the exception one text, as in raise ValueError(f'bad row {n}')",
    ),
    (
        "has to wait for the host, which nothing can",
        "call the function before, in a for loop or a list comprehension, as in [f(x) for x in xs], and use the results here",
    ),
    (
        "callable replacement",
        "build the text in a loop over re.finditer()",
    ),
    (
        "dataclass() does not yet support",
        "leave the option out; sort with key=lambda x: (x.a, x.b)",
    ),
    (
        "field() does not yet support",
        "leave the option out; default= and default_factory= are there",
    ),
    (
        "gather() does not yet support",
        "catch the exceptions inside of the functions that you gather",
    ),
    (
        "JSONEncoder",
        "convert the values before json.dumps(), or give it default=function",
    ),
    ("JSONDecoder", "convert the values after json.loads()"),
    ("runtime_checkable is not", "test with hasattr(x, 'method')"),
    (
        "can only concatenate list (not",
        "use xs.extend(...), or make it a list first",
    ),
    (
        "positional-only arguments passed as keyword",
        "give the parameter before the / another name than the keyword has",
    ),
    (
        "object to bytes",
        "call bytes([...]) by its name, not from a variable",
    ),
    (
        "dir() of the names of a script",
        "SHOW_VARS() lists the variables",
    ),
    (
        "is not available in this sandbox",
        "write it with plain lists, dicts and functions",
    ),
];

/// Builtins that are not there.
const BUILTINS: [(&str, &str); 16] = [
    (
        "_",
        "the last value has no name of its own here: give it one, as in x = ...",
    ),
    (
        "locals",
        "keep what you want to look up in a dict of your own",
    ),
    ("history", "this session was given no conversation"),
    (
        "help",
        "dir(x) lists what an object has; the instructions list the functions of the host",
    ),
    (
        "globals",
        "keep what you want to look up in a dict of your own",
    ),
    ("input", "nobody can type here; work with the context"),
    ("compile", "call the function itself"),
    ("__import__", "write import statements"),
    ("exec", "write the code itself"),
    (
        "eval",
        "use json.loads() or ast.literal_eval() for data, and write code itself",
    ),
    ("memoryview", "use slices of bytes"),
    ("IndentationError", "use SyntaxError"),
    (
        "Warning",
        "leave warnings out, but in calls of the warnings module",
    ),
    (
        "UserWarning",
        "leave warnings out, but in calls of the warnings module",
    ),
    (
        "DeprecationWarning",
        "leave warnings out, but in calls of the warnings module",
    ),
    (
        "ExceptionGroup",
        "raise one exception, with a list of texts in its message",
    ),
];

/// Modules of ours that lack what there are hints for.
const OURS: [&str; 6] = ["ast", "collections", "inspect", "string", "sys", "zlib"];

/// Types whose attributes Monty has only in part.
const TYPES: [&str; 24] = [
    "str",
    "bytes",
    "int",
    "float",
    "complex",
    "list",
    "tuple",
    "dict",
    "set",
    "frozenset",
    "range",
    "slice",
    "type",
    "function",
    "re.Match",
    "re.Pattern",
    "datetime.date",
    "datetime.datetime",
    "datetime.timedelta",
    "collections.deque",
    "collections.defaultdict",
    "Counter",
    "builtin_function_or_method",
    "bool",
];

/// Replacements for hints where scripts have no `context`.
const WITHOUT_CONTEXT: [(&str, &str); 6] = [
    ("work with the context; csv", "csv"),
    ("work with the context and the tools", "use the tools"),
    ("; work with the context, and", ";"),
    ("work with the context", "work with what you were given"),
    (
        "read the variable context, and print or return what you would write",
        "work with the values that you were given, and print or return results",
    ),
    (", and texts in contexts,", ""),
];
/// Replacements for hints where scripts ask no model.
const WITHOUT_MODEL: [(&str, &str); 3] = [
    ("llm_query(prompt) or the other functions", "the functions"),
    (", or llm_query_batched(prompts)", ""),
    (", and ask llm_query(prompt) for the rest", ""),
];
/// Replacements for hints where scripts cannot list variables.
const WITHOUT_LISTS: [(&str, &str); 1] = [(
    "SHOW_VARS() lists the variables",
    "keep what you want to look up in a dict of your own",
)];

/// The functions and names that scripts have, of those that hints name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offered {
    /// True if the name `context` means a context where there is one.
    names_context: bool,
    contexts: Count,
    asks: bool,
    lists: bool,
}

impl Offered {
    /// Returns what scripts under `profile` have in a session with `contexts`.
    pub(crate) fn new(profile: &Profile, contexts: Count) -> Self {
        Self {
            names_context: profile.origin("context").is_some(),
            contexts,
            asks: profile.origin("llm_query").is_some(),
            lists: profile.origin("SHOW_VARS").is_some(),
        }
    }

    /// Returns what scripts under `profile` have in a session with all that it has names for.
    pub(crate) fn of(profile: &Profile) -> Self {
        Self::new(profile, Count::default_alone())
    }

    fn has_context(self) -> bool {
        self.names_context && self.contexts.defines("context")
    }

    /// Returns `hint` without what scripts do not have.
    pub(crate) fn fit(self, hint: &str) -> Cow<'_, str> {
        let tables = [
            (self.has_context(), &WITHOUT_CONTEXT[..]),
            (self.asks, &WITHOUT_MODEL),
            (self.lists, &WITHOUT_LISTS),
        ];
        let missing = tables.into_iter().filter(|(has, _)| !has);
        let mut text = Cow::Borrowed(hint);
        for (phrase, other) in missing.flat_map(|(_, table)| table) {
            if text.contains(phrase) {
                text = Cow::Owned(text.replace(phrase, other));
            }
        }
        text
    }

    /// Returns what to say of a name for contexts that is bound to none.
    fn unbound(self, name: &str) -> Option<String> {
        if name != "context" || !self.names_context || self.contexts.defines(name) {
            return None;
        }
        let why = match self.contexts.defines("files") {
            true => "none of the contexts is the default",
            false => "this session was given no context",
        };
        Some(format!("{why}; do not make up its data"))
    }
}

/// Returns the hint for `error`, if there is one.
pub(crate) fn hint(error: &MontyException, offered: Offered) -> Option<String> {
    if error.exc_type() == ExcType::NameError
        && let Some(name) = error.message().and_then(|text| text.split('\'').nth(1))
        && let Some(hint) = offered.unbound(name)
    {
        return Some(hint);
    }
    general(error).map(|hint| offered.fit(&hint).into_owned())
}

/// Returns the hint for a module that there is not.
pub(crate) fn missing_module(name: &str) -> &'static str {
    let other =
        "nothing can be installed here; write it in plain Python with the modules that there are";
    package(name).unwrap_or(other)
}

/// Returns the hint for `error` where scripts have all that hints name.
fn general(error: &MontyException) -> Option<String> {
    let message = error.message().unwrap_or_default();
    let of = |table: &[(&str, &str)]| {
        let found = table.iter().find(|(part, _)| message.contains(part));
        found.map(|(_, hint)| (*hint).to_owned())
    };
    match error.exc_type() {
        ExcType::NotImplementedError if message.starts_with("this Python does not support ") => {
            Some(of(&SYNTAX).unwrap_or_else(|| {
                String::from("write it with plain functions, loops, lists and dicts")
            }))
        }
        ExcType::TypeError if message == "a bytes-like object is required, not 'str'" => {
            Some(String::from(
                "it is bytes: a context that is no UTF-8 is, too; make it text with context.decode('utf-8', 'replace')",
            ))
        }
        ExcType::ValueError if message.contains("the name of a model, which has no spaces") => {
            Some(String::from(
                "put all text into the prompt, as in llm_query(f'{question}\\n\\n{text}')",
            ))
        }
        ExcType::RecursionError => Some(String::from(
            "the depth has a limit of its own here, whatever sys.setrecursionlimit() says; write it as a loop",
        )),
        ExcType::NotImplementedError | ExcType::RuntimeError | ExcType::TypeError => of(&CALLS)
            .or_else(|| {
                let is_ours = message.contains("not yet support");
                is_ours.then(|| String::from("leave this option out and do it in plain Python"))
            }),
        ExcType::ModuleNotFoundError => {
            let name = message.split('\'').nth(1)?;
            if message.contains(" is there without modules in it") {
                let itself =
                    || format!("import {name} itself, and write what is missing in plain Python");
                return Some(package(name).map_or_else(itself, str::to_owned));
            }
            Some(missing_module(name).to_owned())
        }
        ExcType::ImportError if message.starts_with("import of '") => {
            let name = message.split('\'').nth(1)?;
            package(name).map(str::to_owned)
        }
        ExcType::ImportError if message.starts_with("cannot import name") => {
            let mut quoted = message.split('\'').skip(1).step_by(2);
            let (name, module) = (quoted.next()?, quoted.next()?);
            let other = "this module is there in part only; write what is missing in plain Python";
            Some(member(module, name).unwrap_or(other).to_owned())
        }
        ExcType::PermissionError if message.starts_with("Permission denied: '") => {
            Some(String::from(
                "there are no files; read the variable context, and print or return what you would write",
            ))
        }
        ExcType::NameError => {
            let name = message.split('\'').nth(1)?;
            let known = BUILTINS.iter().find(|(builtin, _)| *builtin == name);
            known.map(|(_, hint)| (*hint).to_owned())
        }
        ExcType::AttributeError => lacking(message),
        ExcType::ValueError
            if message.starts_with("invalid literal for int()")
                && message.chars().any(|c| !c.is_ascii() && c.is_numeric()) =>
        {
            Some(String::from(
                "other digits than 0 to 9 are not read here; translate them first",
            ))
        }
        ExcType::ValueError if message.starts_with("Exceeds the limit (") => Some(String::from(
            "the limit stays as it is here: look at n.bit_length(), or take the digits in parts, as in divmod(n, 10**4000)",
        )),
        ExcType::LookupError if message.starts_with("unknown encoding") => Some(String::from(
            "only utf-8, utf-16, utf-32, ascii, latin-1 and cp1252 are there",
        )),
        _ => None,
    }
}

/// Returns the entry of `table` for `name`.
fn found(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    let mut all = table.iter();
    let one = all.find(|(names, _)| names.split(' ').any(|other| other == name));
    one.map(|(_, hint)| *hint)
}

/// Returns the replacement for `module`.
pub(crate) fn package(module: &str) -> Option<&'static str> {
    let top = module.split('.').next()?;
    found(&PACKAGES, module).or_else(|| found(&PACKAGES, top))
}

/// Returns the replacement for a member of a module.
fn member(module: &str, name: &str) -> Option<&'static str> {
    found(&MEMBERS, &format!("{module}.{name}"))
}

/// For attributes that Monty's types and modules do not have.
fn lacking(message: &str) -> Option<String> {
    let mut quoted = message.split('\'');
    let (before, of) = (quoted.next()?, quoted.next()?);
    let is_known = match before {
        "module " => modules::is_standard(of),
        "type object " | "" => {
            TYPES.contains(&of)
                || of.ends_with("Error")
                || of.ends_with("Exception")
                || matches!(of, "module" | "StopIteration" | "list_iterator")
        }
        _ => false,
    };
    // Modules of ours do not say which they are.
    let name = quoted.nth(1).unwrap_or_default();
    let hint = match (before, of) {
        ("module ", home) | ("", home @ "coroutine") => member(home, name),
        ("", "module") => OURS.into_iter().find_map(|module| member(module, name)),
        _ => None,
    };
    if let Some(hint) = hint {
        return Some(hint.to_owned());
    }
    is_known.then(|| {
        String::from("if Python has this, it is not there in this sandbox: write it with functions, lists and dicts")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(kind: ExcType, message: &str) -> MontyException {
        MontyException::new(kind, Some(message.to_owned()))
    }

    #[test]
    fn only_modules_of_python_lack_what_python_has() {
        let lacks = |module: &str| {
            let message = format!("module '{module}' has no attribute 'nope'");
            general(&error(ExcType::AttributeError, &message))
        };
        assert!(lacks("math").is_some_and(|hint| hint.starts_with("if Python has this")));
        assert!(lacks("os.path").is_some());
        assert_eq!(lacks("arith"), None);
    }

    #[test]
    fn hints_name_only_what_scripts_have() {
        let none = Offered::new(&Profile::default(), Count::default());
        let all = [&PACKAGES[..], &MEMBERS, &BUILTINS, &CALLS, &SYNTAX].concat();
        let denied = error(ExcType::PermissionError, "Permission denied: 'x'");
        let denied = general(&denied).expect("a hint");
        let all = all.iter().map(|(_, hint)| *hint).chain([denied.as_str()]);
        for hint in all {
            let fitted = none.fit(hint).replace("contextlib", "");
            for word in ["context", "llm_query", "SHOW_VARS"] {
                assert!(!fitted.contains(word), "{hint}: {fitted}");
            }
        }
    }

    #[test]
    fn a_context_that_is_not_there_has_a_hint_of_its_own() {
        let unbound = error(ExcType::NameError, "name 'context' is not defined");
        let offered = |names_context, contexts| Offered {
            names_context,
            contexts,
            asks: true,
            lists: true,
        };
        let told = |offered| hint(&unbound, offered);
        assert!(
            told(offered(true, Count::default()))
                .is_some_and(|hint| hint.contains("was given no context"))
        );
        assert_eq!(told(offered(false, Count::default())), None);
        assert_eq!(told(offered(true, Count::default_alone())), None);
    }
}
