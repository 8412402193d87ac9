//! The functions that a component exports.

use std::collections::{BTreeSet, HashMap, HashSet};

use rlm_sandbox::{Error, Result};
use serde_json::{Value as Json, json};
use wasmtime::Engine;
use wasmtime::component::types::{ComponentFunc, ComponentItem};
use wasmtime::component::{Component, ComponentExportIndex, Type};

use crate::docs::Docs;
use crate::manifest::Manifest;
use crate::schema::{self, Schemas};
use crate::value::{noun, python, snake};

/// Bytes of memory of all functions of a plugin, as [`Function::memory_bytes`] counts them.
const MOST_BYTES: u64 = 4 << 20;

/// A function of a plugin.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// As the component names it.
    pub(crate) name: String,
    /// As Python calls it.
    pub(crate) python: String,
    pub(crate) parameters: Vec<(String, Type)>,
    /// Positions of the parameters, by the names that Python uses and by their own with underscores.
    positions: HashMap<String, usize>,
    pub(crate) result: Option<Type>,
    /// Bytes of memory that a byte of the result takes as the engine counts it, in multiples of what others take.
    pub(crate) result_factor: usize,
    pub(crate) doc: String,
    pub(crate) index: ComponentExportIndex,
    /// True if it is the one of the world `plugin`, which takes and gives JSON.
    pub(crate) speaks_json: bool,
}

impl Function {
    fn new(
        name: &str,
        of: &ComponentFunc,
        index: ComponentExportIndex,
        docs: &Docs,
    ) -> Result<Self> {
        if of.async_() {
            return Err(Error::usage(format!(
                "its function `{name}` is asynchronous, which plugins cannot be; export a plain one"
            )));
        }
        let parameters: Vec<_> = of
            .params()
            .map(|(name, ty)| (name.to_owned(), ty))
            .collect();
        let result = of.results().next();
        for ty in parameters.iter().map(|(_, ty)| ty).chain(&result) {
            if let Some(what) = unfit(ty, 0) {
                return Err(Error::usage(format!(
                    "its function `{name}` takes or gives {what}, which cannot be handed to Python; export functions \
                     over plain values (records, lists, text, numbers), or leave `{name}` out of `exports` in the \
                     manifest"
                )));
            }
        }
        let speaks_json = name == "run"
            && matches!(&parameters[..], [(parameter, Type::String)] if parameter == "input")
            && matches!(&result, Some(Type::Result(result))
                if result.ok() == Some(Type::String) && result.err() == Some(Type::String));
        let names = parameters.iter().enumerate();
        let names = names.flat_map(|(position, (name, _))| {
            [python(name), snake(name)].map(|name| (name, position))
        });
        let positions = names.collect();
        Ok(Self {
            name: name.to_owned(),
            python: python(name),
            doc: docs
                .functions
                .get(name)
                .map(|doc| doc.doc.trim().to_owned())
                .unwrap_or_default(),
            positions,
            parameters,
            result_factor: result.as_ref().map_or(1, flags_factor),
            result,
            index,
            speaks_json,
        })
    }

    /// Returns the position of the parameter with this name, which may be written with hyphens.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(&*snake(name)).copied()
    }

    /// All that the manifest wants, in the order of their names.
    pub(crate) fn all(
        component: &Component,
        engine: &Engine,
        manifest: &Manifest,
        docs: &Docs,
    ) -> Result<Vec<Self>> {
        let mut found: Vec<Self> = Vec::new();
        let mut names = BTreeSet::new();
        let (mut known, mut room) = (HashSet::new(), MOST_BYTES);
        let mut add = |name: &str, of: &ComponentFunc, index| {
            names.insert(name.to_owned());
            let mut wanted = manifest.exports.iter().flatten();
            if manifest.exports.is_some() && !wanted.any(|wanted| snake(wanted) == snake(name)) {
                return Ok(());
            }
            let function = Self::new(name, of, index, docs)?;
            // Functions may share one type, whose names each of them repeats.
            room = room.checked_sub(function.memory_bytes()).ok_or_else(|| {
                Error::usage(format!(
                    "its functions take more than {MOST_BYTES} bytes with the names and types of their parameters; export \
                     fewer functions, or give them shorter names"
                ))
            })?;
            if !known.insert(function.python.clone()) {
                return Err(Error::usage(format!(
                    "it exports two functions that Python would call `{}`; rename one",
                    function.python
                )));
            }
            found.push(function);
            Ok(())
        };
        for (name, item) in component.component_type().exports(engine) {
            match item.ty {
                ComponentItem::ComponentFunc(of) => {
                    if let Some(index) = component.get_export_index(None, name) {
                        add(name, &of, index)?;
                    }
                }
                ComponentItem::ComponentInstance(interface) => {
                    let Some(inside) = component.get_export_index(None, name) else {
                        continue;
                    };
                    for (name, item) in interface.exports(engine) {
                        if let ComponentItem::ComponentFunc(of) = item.ty
                            && let Some(index) = component.get_export_index(Some(&inside), name)
                        {
                            add(name, &of, index)?;
                        }
                    }
                }
                _ => {}
            }
        }
        for wanted in manifest.exports.iter().flatten() {
            if !names.iter().any(|name| snake(name) == snake(wanted)) {
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                return Err(Error::usage(format!(
                    "its manifest names `{wanted}`, which it does not export; it exports {}",
                    names.join(", ")
                )));
            }
        }
        if found.is_empty() {
            return Err(Error::usage(
                "it exports no function; export `run` of the world `rlm:sandbox/plugin`, or functions of your own",
            ));
        }
        found.sort_by(|a, b| a.python.cmp(&b.python));
        Ok(found)
    }

    /// Returns the bytes of memory that the function takes in its plugin, in a session and in what models
    /// read, about.
    pub(crate) fn memory_bytes(&self) -> u64 {
        /// Bytes of a function without texts: its places in lists and tables.
        const FUNCTION: usize = 512;
        /// Bytes of a parameter without its name.
        const PARAMETER: usize = 384;
        /// Copies of a name.
        const NAMES: usize = 4;
        /// Copies of what the author says.
        const DOCS: usize = 2;
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(name, _)| PARAMETER + NAMES * name.len());
        let texts = NAMES * self.name.len() + DOCS * self.doc.len() + self.signature().len();
        (FUNCTION + texts + parameters.sum::<usize>()) as u64
    }

    /// As it is written in Python, with types.
    pub(crate) fn signature(&self) -> String {
        if self.speaks_json {
            return String::from("run(input)");
        }
        let parameters = self.parameters.iter().map(|(name, ty)| {
            let default = if matches!(ty, Type::Option(_)) {
                " = None"
            } else {
                ""
            };
            format!("{}: {}{default}", python(name), word(ty))
        });
        let parameters: Vec<_> = parameters.collect();
        let given = match &self.result {
            None => String::new(),
            Some(Type::Result(result)) => result.ok().map_or_else(String::new, |ty| word(&ty)),
            Some(ty) => word(ty),
        };
        let arrow = if given.is_empty() { "" } else { " -> " };
        format!("{}({}){arrow}{given}", self.python, parameters.join(", "))
    }

    /// The JSON schema of its arguments, by name.
    pub(crate) fn input_schema(&self, docs: &Schemas<'_>) -> Json {
        match self.speaks_json {
            true => json!({"type": "object", "properties": {"input": true}, "required": ["input"]}),
            false => schema::of_parameters(&self.parameters, docs),
        }
    }

    /// The JSON schema of what it gives; its errors are exceptions.
    pub(crate) fn output_schema(&self, docs: &Schemas<'_>) -> Json {
        match &self.result {
            _ if self.speaks_json => json!(true),
            None => json!({"type": "null"}),
            Some(Type::Result(result)) => {
                let ok = result.ok().map(|ty| schema::of(&ty, docs));
                ok.unwrap_or_else(|| json!({"type": "null"}))
            }
            Some(ty) => schema::of(ty, docs),
        }
    }
}

/// A type in Python's words.
fn word(ty: &Type) -> String {
    match ty {
        Type::Bool => String::from("bool"),
        Type::Float32 | Type::Float64 => String::from("float"),
        Type::Char | Type::String | Type::Enum(_) => String::from("str"),
        Type::List(list) if list.ty() == Type::U8 => String::from("bytes"),
        Type::List(list) => format!("list[{}]", word(&list.ty())),
        Type::Flags(_) => String::from("list[str]"),
        Type::Tuple(tuple) => {
            let parts: Vec<_> = tuple.types().map(|ty| word(&ty)).collect();
            format!("tuple[{}]", parts.join(", "))
        }
        Type::Option(option) if matches!(option.ty(), Type::Option(_)) => {
            String::from("dict | None")
        }
        Type::Option(option) => format!("{} | None", word(&option.ty())),
        Type::Record(_) | Type::Result(_) => String::from("dict"),
        Type::Variant(_) => String::from("str | dict"),
        other if noun(other).starts_with("an int") => String::from("int"),
        _ => String::from("object"),
    }
}

/// What of a type no value can be handed over for.
fn unfit(ty: &Type, depth: usize) -> Option<&'static str> {
    if depth > 32 {
        return Some("a type that nests more than 32 levels deep");
    }
    let within = |ty: &Type| unfit(ty, depth + 1);
    match ty {
        Type::Own(_) | Type::Borrow(_) => Some("a resource"),
        Type::Future(_) => Some("a future"),
        Type::Stream(_) => Some("a stream"),
        Type::ErrorContext => Some("an error context"),
        Type::Map(_) => Some("a map"),
        Type::FixedLengthList(_) => Some("a list of fixed length"),
        Type::List(list) => within(&list.ty()),
        Type::Option(option) => within(&option.ty()),
        Type::Record(record) => record.fields().find_map(|field| within(&field.ty)),
        Type::Tuple(tuple) => tuple.types().find_map(|ty| within(&ty)),
        Type::Variant(variant) => variant
            .cases()
            .find_map(|case| case.ty.as_ref().and_then(within)),
        Type::Result(result) => {
            let parts = [result.ok(), result.err()];
            parts.iter().flatten().find_map(within)
        }
        _ => None,
    }
}

/// Returns in how many multiples of other values the flags of a type take memory for what the engine counts: the bytes
/// of a flag's name, whose text takes at least 80 with its place in a list.
fn flags_factor(ty: &Type) -> usize {
    const FLAG_BYTES: usize = 80;
    /// Bytes that other values take for one that is counted, at most.
    const USUAL: usize = 8;
    match ty {
        Type::Flags(flags) => {
            let shortest = flags.names().map(str::len).min().unwrap_or(FLAG_BYTES);
            FLAG_BYTES.div_ceil(USUAL * shortest.max(1))
        }
        Type::List(list) => flags_factor(&list.ty()),
        Type::Option(option) => flags_factor(&option.ty()),
        Type::Record(record) => most(record.fields().map(|field| field.ty)),
        Type::Tuple(tuple) => most(tuple.types()),
        Type::Variant(variant) => most(variant.cases().filter_map(|case| case.ty)),
        Type::Result(result) => most([result.ok(), result.err()].into_iter().flatten()),
        _ => 1,
    }
}

fn most(types: impl Iterator<Item = Type>) -> usize {
    types.map(|ty| flags_factor(&ty)).max().unwrap_or(1)
}
