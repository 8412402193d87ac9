//! Modules that Monty does not have, in Python; each is fed when a script first
//! imports it.
//!
//! A module is an object of ours under a name of ours, and an import of it
//! becomes an assignment from that name.

use ruff_python_ast::Stmt;

/// The sources of the modules.
pub(crate) const BASE: &str = include_str!("modules/module.py");

/// Each with its source.
const MODULES: [(&str, &str); 43] = [
    ("abc", include_str!("modules/abc.py")),
    ("ast", include_str!("modules/ast.py")),
    ("bisect", include_str!("modules/bisect.py")),
    ("calendar", include_str!("modules/calendar.py")),
    ("codecs", include_str!("modules/codecs.py")),
    ("collections", include_str!("modules/collections.py")),
    ("concurrent", include_str!("modules/concurrent.py")),
    ("contextlib", include_str!("modules/contextlib.py")),
    ("csv", include_str!("modules/csv.py")),
    ("dataclasses", include_str!("modules/dataclasses.py")),
    ("difflib", include_str!("modules/difflib.py")),
    ("enum", include_str!("modules/enum.py")),
    ("fnmatch", include_str!("modules/fnmatch.py")),
    ("fractions", include_str!("modules/fractions.py")),
    ("functools", include_str!("modules/functools.py")),
    ("graphlib", include_str!("modules/graphlib.py")),
    ("heapq", include_str!("modules/heapq.py")),
    ("hmac", include_str!("modules/hmac.py")),
    ("html", include_str!("modules/html.py")),
    ("inspect", include_str!("modules/inspect.py")),
    ("io", include_str!("modules/io.py")),
    ("keyword", include_str!("modules/keyword.py")),
    ("logging", include_str!("modules/logging.py")),
    ("numbers", include_str!("modules/numbers.py")),
    ("operator", include_str!("modules/operator.py")),
    ("pprint", include_str!("modules/pprint.py")),
    ("queue", include_str!("modules/queue.py")),
    ("secrets", include_str!("modules/secrets.py")),
    ("shlex", include_str!("modules/shlex.py")),
    ("statistics", include_str!("modules/statistics.py")),
    ("string", include_str!("modules/string.py")),
    ("struct", include_str!("modules/struct.py")),
    ("sys", include_str!("modules/sys.py")),
    ("textwrap", include_str!("modules/textwrap.py")),
    ("threading", include_str!("modules/threading.py")),
    ("timeit", include_str!("modules/timeit.py")),
    ("traceback", include_str!("modules/traceback.py")),
    ("types", include_str!("modules/types.py")),
    ("typing", include_str!("modules/typing.py")),
    ("urllib", include_str!("modules/urllib.py")),
    ("uuid", include_str!("modules/uuid.py")),
    ("warnings", include_str!("modules/warnings.py")),
    ("zlib", include_str!("modules/zlib.py")),
];

/// Modules that Monty has a part of, that part, and what ours adds.
const PARTS: [(&str, &str, &[&str]); 3] = [
    (
        "collections",
        "Counter OrderedDict defaultdict deque namedtuple",
        &["ChainMap", "abc"],
    ),
    (
        "dataclasses",
        "dataclass field is_dataclass MISSING FrozenInstanceError",
        &[
            "Field", "InitVar", "KW_ONLY", "fields", "asdict", "astuple", "replace",
        ],
    ),
    (
        "functools",
        "reduce partial cache lru_cache",
        &[
            "update_wrapper",
            "wraps",
            "cmp_to_key",
            "total_ordering",
            "cached_property",
            "singledispatch",
        ],
    ),
];

/// Members of modules of ours that are modules.
const INNER: [&str; 3] = ["collections.abc", "concurrent.futures", "urllib.parse"];

/// Modules of Monty's, and what ours has that they do not. They stay what they
/// are; what they lack is taken from ours where a script names it.
const ADDED: [(&str, &[&str]); 3] = [
    ("csv", &["Sniffer"]),
    (
        "sys",
        &[
            "exc_info",
            "exception",
            "exit",
            "getrecursionlimit",
            "intern",
            "setrecursionlimit",
        ],
    ),
    (
        "typing",
        &[
            "AbstractSet",
            "AnyStr",
            "AsyncGenerator",
            "AsyncIterable",
            "AsyncIterator",
            "Awaitable",
            "BinaryIO",
            "ByteString",
            "Collection",
            "Concatenate",
            "Container",
            "ContextManager",
            "Coroutine",
            "Counter",
            "DefaultDict",
            "Deque",
            "Generic",
            "Hashable",
            "IO",
            "ItemsView",
            "KeysView",
            "LiteralString",
            "MappingView",
            "Match",
            "MutableMapping",
            "MutableSequence",
            "MutableSet",
            "NamedTuple",
            "NewType",
            "NotRequired",
            "OrderedDict",
            "ParamSpec",
            "Pattern",
            "Protocol",
            "Required",
            "Reversible",
            "Sized",
            "SupportsFloat",
            "SupportsInt",
            "Text",
            "TextIO",
            "TypeAlias",
            "TypeGuard",
            "TypeVar",
            "TypedDict",
            "Unpack",
            "ValuesView",
            "assert_never",
            "cast",
            "final",
            "get_args",
            "get_origin",
            "get_type_hints",
            "no_type_check",
            "overload",
            "runtime_checkable",
        ],
    ),
];

/// Dependencies between the modules.
const NEEDS: [(&str, &str); 2] = [("logging", "traceback"), ("queue", "heapq")];

/// Stands where line ends go that have to stay.
pub(crate) const GAP: &str = "\u{0}";

/// Modules that Monty has.
const OF_MONTY: [&str; 26] = [
    "__future__",
    "asyncio",
    "base64",
    "binascii",
    "bisect",
    "collections",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "functools",
    "hashlib",
    "itertools",
    "json",
    "math",
    "os",
    "pathlib",
    "posixpath",
    "random",
    "re",
    "sys",
    "time",
    "tomllib",
    "typing",
    "unicodedata",
];

/// Returns whether `name` is a module of Python, and no namespace that a program gives.
pub(crate) fn is_standard(name: &str) -> bool {
    let top = name.split('.').next().unwrap_or(name);
    OF_MONTY.contains(&top) || all().any(|module| module == top)
}

/// The names of all of them.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name)
}

/// The module of ours that has the member `name` that Monty's `module` lacks.
pub(crate) fn added(module: &str, name: &str) -> Option<&'static str> {
    let (ours, names) = ADDED.iter().find(|(ours, _)| *ours == module)?;
    names.contains(&name).then_some(*ours)
}

/// The name of the module of ours that an import of `module` needs, if one.
pub(crate) fn find(module: &str) -> Option<&'static str> {
    let top = match INNER.contains(&module) {
        true => module.split('.').next()?,
        false => module,
    };
    let is_added = |name: &str| ADDED.iter().any(|(ours, _)| *ours == name);
    let known = MODULES.iter().find(|(name, _)| *name == top);
    known.map(|(name, _)| *name).filter(|name| !is_added(name))
}

/// Returns the only module that there is of a package of ours.
pub(crate) fn part_of(package: &str) -> Option<&'static str> {
    match package {
        "concurrent" => Some("concurrent.futures"),
        "urllib" => Some("urllib.parse"),
        _ => None,
    }
}

/// The same for `from module import name`.
pub(crate) fn find_member(module: &str, name: &str) -> Option<&'static str> {
    if let Some(ours) = added(module, name) {
        return Some(ours);
    }
    let found = find(module)?;
    let part = PARTS.iter().find(|(part, ..)| *part == module);
    part.is_none_or(|(.., ours)| ours.contains(&name))
        .then_some(found)
}

/// Returns the source that has to be fed to have it.
pub(crate) fn source(module: &str) -> String {
    let needed = NEEDS.iter().filter(|(name, _)| *name == module);
    let mut source = needed
        .map(|(_, other)| self::source(other))
        .collect::<String>();
    let known = MODULES.iter().find(|(name, _)| *name == module);
    source.push_str(known.map_or("", |(_, source)| source));
    if let Some((_, native, _)) = PARTS.iter().find(|(part, ..)| *part == module) {
        for name in native.split(' ') {
            let line = format!(
                "\nfrom {module} import {name} as _rlm_part;_rlm_module_{module}.{name}=_rlm_part"
            );
            source.push_str(&line);
        }
    }
    source
}

/// Returns the text of an import once modules of ours are objects.
pub(crate) fn rewritten(stmt: &Stmt) -> Option<String> {
    let mut parts = Vec::new();
    let mut ours = Vec::new();
    match stmt {
        Stmt::Import(import) => {
            for alias in &import.names {
                let name = alias.name.as_str();
                match (find(name), &alias.asname) {
                    (Some(module), None) => ours.push(format!("{module}=_rlm_module_{module}")),
                    (Some(_), Some(bound)) => ours.push(format!("{bound}=_rlm_module_{name}")),
                    (None, Some(bound)) => parts.push(format!("import {name} as {bound}")),
                    (None, None) => parts.push(format!("import {name}")),
                }
            }
        }
        Stmt::ImportFrom(import) => {
            let module = import.module.as_ref()?.as_str();
            for alias in &import.names {
                let name = alias.name.as_str();
                if name == "*" {
                    return None;
                }
                let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
                match find_member(module, name) {
                    Some(_) => {
                        ours.push(format!("{bound}=_rlm_from(_rlm_module_{module},'{name}')"))
                    }
                    None => parts.push(format!("from {module} import {name} as {bound}")),
                }
            }
        }
        _ => return None,
    }
    // Ours come last, so that the gap can be in parentheses.
    let last = ours.pop()?;
    let (name, value) = last.split_once('=')?;
    parts.append(&mut ours);
    parts.push(format!("{name}=({value}{GAP})"));
    Some(parts.join(";"))
}
