//! Modules that Monty does not have, in Python; each is fed when a script first
//! imports it.
//!
//! A module is an object of ours under a name of ours, and an import of it
//! becomes an assignment from that name.

use ruff_python_ast::Stmt;

/// What the modules are made of.
pub(crate) const BASE: &str = include_str!("modules/module.py");

/// Each with its source.
const MODULES: [(&str, &str); 28] = [
    ("abc", include_str!("modules/abc.py")),
    ("ast", include_str!("modules/ast.py")),
    ("bisect", include_str!("modules/bisect.py")),
    ("calendar", include_str!("modules/calendar.py")),
    ("collections", include_str!("modules/collections.py")),
    ("concurrent", include_str!("modules/concurrent.py")),
    ("contextlib", include_str!("modules/contextlib.py")),
    ("dataclasses", include_str!("modules/dataclasses.py")),
    ("difflib", include_str!("modules/difflib.py")),
    ("fractions", include_str!("modules/fractions.py")),
    ("functools", include_str!("modules/functools.py")),
    ("heapq", include_str!("modules/heapq.py")),
    ("html", include_str!("modules/html.py")),
    ("io", include_str!("modules/io.py")),
    ("logging", include_str!("modules/logging.py")),
    ("operator", include_str!("modules/operator.py")),
    ("pprint", include_str!("modules/pprint.py")),
    ("statistics", include_str!("modules/statistics.py")),
    ("string", include_str!("modules/string.py")),
    ("struct", include_str!("modules/struct.py")),
    ("textwrap", include_str!("modules/textwrap.py")),
    ("traceback", include_str!("modules/traceback.py")),
    ("types", include_str!("modules/types.py")),
    ("typing", include_str!("modules/typing.py")),
    ("urllib", include_str!("modules/urllib.py")),
    ("uuid", include_str!("modules/uuid.py")),
    ("warnings", include_str!("modules/warnings.py")),
    ("zlib", include_str!("modules/zlib.py")),
];

/// Modules that Monty has a part of, that part, and what ours adds.
const PARTS: [(&str, &str, &[&str]); 4] = [
    (
        "collections",
        "Counter defaultdict deque namedtuple",
        &["OrderedDict", "ChainMap"],
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
    (
        "typing",
        "TYPE_CHECKING Union Any Optional List Dict Tuple Set FrozenSet Callable Type Sequence Mapping Iterable Iterator Generator ClassVar Final Literal Generic Protocol Annotated Self Never NoReturn",
        &[
            "cast",
            "overload",
            "final",
            "override",
            "NewType",
            "TypeVar",
            "NamedTuple",
            "TypedDict",
            "runtime_checkable",
            "AnyStr",
            "Text",
            "Deque",
            "DefaultDict",
            "OrderedDict",
            "Counter",
            "MutableMapping",
            "MutableSequence",
            "Collection",
            "Hashable",
            "Sized",
            "TypeAlias",
            "Required",
            "NotRequired",
            "LiteralString",
            "Pattern",
            "Match",
            "Awaitable",
            "Coroutine",
            "AsyncIterator",
            "AsyncIterable",
            "Container",
            "Reversible",
            "AbstractSet",
            "MutableSet",
            "Concatenate",
            "SupportsFloat",
            "SupportsInt",
            "TypeGuard",
            "IO",
            "TextIO",
        ],
    ),
];

/// Members of modules of ours that are modules.
const INNER: [&str; 2] = ["concurrent.futures", "urllib.parse"];

/// Stands where line ends go that have to stay.
pub(crate) const GAP: &str = "\u{0}";

/// The names of all of them.
pub(crate) fn all() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name)
}

/// The name of the module of ours that an import of `module` needs, if one.
pub(crate) fn find(module: &str) -> Option<&'static str> {
    let top = match INNER.contains(&module) {
        true => module.split('.').next()?,
        false => module,
    };
    let known = MODULES.iter().find(|(name, _)| *name == top);
    known.map(|(name, _)| *name)
}

/// The same for `from module import name`.
pub(crate) fn find_member(module: &str, name: &str) -> Option<&'static str> {
    let found = find(module)?;
    let part = PARTS.iter().find(|(part, ..)| *part == found);
    part.is_none_or(|(.., ours)| ours.contains(&name))
        .then_some(found)
}

/// What has to be fed to have it.
pub(crate) fn source(module: &str) -> String {
    let known = MODULES.iter().find(|(name, _)| *name == module);
    let mut source = known.map_or("", |(_, source)| source).to_owned();
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

/// What an import says once modules of ours are objects.
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
