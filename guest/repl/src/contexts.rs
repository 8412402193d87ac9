//! The names `files`, `context_files`, `context`, `context_0` …, and `read_context`.
//!
//! Contexts stay with the host until a script mentions one of the names; then
//! each text is fetched once and every name for it shares the one string. A
//! script may bind the names anew; the next script that mentions them sees the
//! contexts again.

use std::collections::BTreeSet;

use monty_types::unstable::{self, MontyGraph, MontyNode, NodeId};
use monty_types::{
    CallArgs, ExcType, FileMode, MontyException, MontyFileHandle, MontyObject, MontyPath,
    NamedValues, OsFunctionCall,
};
use serde::{Deserialize, Serialize};

use crate::allocations;
use crate::bindings::exports::rlm::sandbox::repl::{Entry, Form};
use crate::host::{ContextError, Host};
use crate::value::{self, decode_into};

/// Bytes fetched at a time; the host gives no more in one call.
const PIECE: u32 = 1 << 20;
/// The most `context_N` names there are.
const ALIASES: usize = 256;
/// The name of the function that reads a slice without binding anything.
pub(crate) const READ: &str = "read_context";

/// The contexts of a session, and which of their names are bound.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Contexts {
    files: Vec<Entry>,
    default: Option<Entry>,
    /// Names that some script mentioned so far.
    wanted: BTreeSet<String>,
    /// True if the wanted names may differ from what the host says they mean.
    stale: bool,
    /// True if functions may read one of them.
    read_later: bool,
    /// Bytes that those which were loaded last take, at most.
    loaded_bytes: usize,
}

/// The number of contexts of a session.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Count {
    files: usize,
    has_default: bool,
}

impl Count {
    /// Returns the count of a session with one context that is the default.
    pub(crate) fn default_alone() -> Self {
        Self {
            files: 1,
            has_default: true,
        }
    }

    /// True if `name`, one of the names for contexts, is bound to one.
    pub(crate) fn defines(self, name: &str) -> bool {
        let number = name.strip_prefix("context_").map(str::parse::<usize>);
        match number {
            Some(Ok(index)) => index < self.files,
            _ if name == "context" => self.has_default,
            _ => self.files > 0 || self.has_default,
        }
    }
}

impl Contexts {
    pub(crate) fn set(&mut self, files: Vec<Entry>, default: Option<Entry>) {
        self.files = files;
        self.default = default;
        self.stale = true;
    }

    /// True if there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.default.is_none()
    }

    /// Returns how many there are.
    pub(crate) fn count(&self) -> Count {
        Count {
            files: self.files.len(),
            has_default: self.default.is_some(),
        }
    }

    /// Returns the names that scripts have read and that are bound to no context now. `files`
    /// and `context_files` are bound in any case.
    pub(crate) fn unbound(&self) -> impl Iterator<Item = &String> {
        let count = self.count();
        let is_one = |name: &&String| name.starts_with("context") && *name != "context_files";
        let wanted = self.wanted.iter().filter(is_one);
        wanted.filter(move |name| !count.defines(name))
    }

    /// Has `names` mean contexts again, wherever code reads them that an earlier script defined.
    pub(crate) fn reclaim(&mut self, names: impl Iterator<Item = String>) {
        let known = self.wanted.len();
        self.wanted.extend(names);
        if self.wanted.len() > known {
            self.stale = true;
            self.read_later = true;
        }
    }

    /// Returns what has to be bound before a script that mentions `names`; `is_forged` where
    /// the script before it bound one of all names.
    pub(crate) fn inputs<'a>(
        &mut self,
        host: &impl Host,
        names: impl Iterator<Item = &'a str>,
        defines_code: bool,
        is_forged: bool,
    ) -> Result<NamedValues, MontyException> {
        let mut is_mentioned = false;
        let mut added = Vec::new();
        for name in names {
            is_mentioned = true;
            if self.wanted.insert(name.to_owned()) {
                added.push(name);
                self.stale = true;
            }
        }
        self.read_later |= is_mentioned && defines_code;
        if !is_mentioned {
            let is_read = (self.read_later || is_forged) && self.stale && !self.is_empty();
            return Ok(match is_read.then(|| self.load(host)) {
                Some(Ok(loaded)) => {
                    self.stale = false;
                    loaded
                }
                // Who does not mention them must not fail for them.
                Some(Err(_)) | None => NamedValues::new(),
            });
        }
        if !std::mem::take(&mut self.stale) {
            return Ok(NamedValues::new());
        }
        let loaded = self.load(host);
        if loaded.is_err() {
            // A script that mentions others only must not fail for these.
            for name in added {
                self.wanted.remove(name);
            }
        }
        loaded
    }

    /// Returns `files` and `context_files`, as far as a script may read them, each with the line
    /// that binds it anew, so that what another script changed in it is gone.
    pub(crate) fn renewals(
        &self,
        names: &BTreeSet<String>,
    ) -> impl Iterator<Item = (&'static str, &'static str)> {
        let lines = [
            ("files", "files={**_rlm_files}"),
            ("context_files", "context_files=[*_rlm_context_files]"),
        ];
        let is_read = |name: &str| !self.stale && (names.contains(name) || self.read_later);
        lines
            .into_iter()
            .filter(move |(name, _)| self.wanted.contains(*name) && is_read(name))
    }

    /// Returns the bytes that the contexts which were loaded last take as values of the namespace, at most.
    pub(crate) fn footprint(&self) -> usize {
        self.loaded_bytes
    }

    /// Has the next script that mentions one of the names load them again.
    pub(crate) fn renew(&mut self) {
        self.stale = true;
    }

    /// Returns the text of a context that a script reads as a file, if there is one.
    pub(crate) fn as_file(
        &self,
        host: &impl Host,
        call: &OsFunctionCall,
    ) -> Option<Result<MontyObject, MontyException>> {
        let entry = |path: &MontyPath| {
            let name = path.as_str().trim_start_matches('/');
            self.files.iter().find(|entry| entry.name == name)
        };
        let missing = |path: &MontyPath| {
            MontyException::new(
                ExcType::FileNotFoundError,
                Some(format!(
                    "[Errno 2] No such file or directory: '{}'",
                    path.as_str().trim_start_matches('/')
                )),
            )
        };
        Some(match call {
            OsFunctionCall::Exists(path) | OsFunctionCall::IsFile(path) => {
                Ok(MontyObject::bool(entry(path).is_some()))
            }
            OsFunctionCall::Open(open) => match (open.mode, entry(&open.path)) {
                (FileMode::Read(_), Some(_)) => Ok(MontyObject::file_handle(MontyFileHandle {
                    path: open.path.as_str().to_owned(),
                    mode: open.mode,
                    position: 0,
                })),
                (FileMode::Read(_), None) => Err(missing(&open.path)),
                _ => return None,
            },
            OsFunctionCall::ReadText(path) => match entry(path) {
                None => Err(missing(path)),
                Some(entry) => fetch_text(host, entry, 0, entry.size_bytes)
                    .map(MontyObject::string)
                    .map_err(|error| unreadable(entry, error)),
            },
            OsFunctionCall::ReadBytes(path) => match entry(path) {
                None => Err(missing(path)),
                Some(entry) => fetch_bytes(host, entry, 0, entry.size_bytes)
                    .map(MontyObject::bytes)
                    .map_err(|error| unreadable(entry, error)),
            },
            _ => return None,
        })
    }

    /// Fetches every wanted name, each text once.
    fn load(&mut self, host: &impl Host) -> Result<NamedValues, MontyException> {
        let (loaded, bytes) = allocations::measured(|| self.fetch_all(host));
        if loaded.is_ok() {
            let has_json = self.files.iter().any(|entry| entry.form == Form::Json);
            self.loaded_bytes = match has_json {
                true => bytes.saturating_mul(value::OBJECTS_FOR_NODES),
                false => bytes,
            };
        }
        loaded
    }

    fn fetch_all(&self, host: &impl Host) -> Result<NamedValues, MontyException> {
        let mut graph = MontyGraph::new();
        let mut names: Vec<(String, NodeId)> = Vec::new();
        let all = self.wanted.contains("files");
        let mut raw: Vec<Option<NodeId>> = vec![None; self.files.len()];
        for (index, entry) in self.files.iter().enumerate() {
            let alias = format!("context_{index}");
            let aliased = index < ALIASES && self.wanted.contains(&alias);
            let is_default = self
                .default
                .as_ref()
                .is_some_and(|default| default.name == entry.name);
            let default = is_default && self.wanted.contains("context");
            if !(all || aliased || default) {
                continue;
            }
            let (text, value) = fetch(host, entry, &mut graph, all, aliased || default)?;
            raw[index] = text;
            if let Some(value) = value {
                if aliased {
                    names.push((alias, value));
                }
                if default {
                    names.push((String::from("context"), value));
                }
            }
        }
        if all {
            let mut pairs = Vec::new();
            for (entry, text) in self.files.iter().zip(raw) {
                let Some(text) = text else { continue };
                pairs.push((graph.push(MontyNode::String(entry.name.clone())), text));
            }
            names.push((
                String::from("_rlm_files"),
                graph.push(MontyNode::Dict(pairs)),
            ));
        }
        if self.wanted.contains("context_files") {
            let items = self
                .files
                .iter()
                .map(|entry| graph.push(MontyNode::String(entry.name.clone())))
                .collect();
            names.push((
                String::from("_rlm_context_files"),
                graph.push(MontyNode::List(items)),
            ));
        }
        if self.wanted.contains("context") && !names.iter().any(|(name, _)| name == "context") {
            let value = match &self.default {
                Some(entry) => fetch(host, entry, &mut graph, false, true)?.1,
                None => None,
            };
            if let Some(value) = value {
                names.push((String::from("context"), value));
            }
        }
        unstable::named_values_from_parts(graph, names).map_err(MontyException::runtime_error)
    }

    /// `read_context(name, start=0, length=None)`: `text[start:][:length]`
    /// without loading the text.
    pub(crate) fn read(
        &self,
        host: &impl Host,
        args: &CallArgs,
    ) -> Result<MontyObject, MontyException> {
        let (name, start, length) = read_arguments(args)?;
        let entry = self
            .files
            .iter()
            .chain(&self.default)
            .find(|entry| entry.name == name)
            .ok_or_else(|| {
                MontyException::new(
                    ExcType::KeyError,
                    Some(format!("no context is named '{name}'")),
                )
            })?;
        let size = if entry.form == Form::Bytes {
            entry.size_bytes
        } else {
            entry.characters
        };
        let start = if start < 0 {
            size.saturating_sub(start.unsigned_abs())
        } else {
            start as u64
        }
        .min(size);
        let end = match length {
            None => size,
            Some(length) if length < 0 => size.saturating_sub(length.unsigned_abs()).max(start),
            Some(length) => start.saturating_add(length as u64).min(size),
        };
        let failed = |error| unreadable(entry, error);
        if entry.form == Form::Bytes {
            return fetch_bytes(host, entry, start, end)
                .map(MontyObject::bytes)
                .map_err(failed);
        }
        if entry.characters == entry.size_bytes {
            return fetch_text(host, entry, start, end)
                .map(MontyObject::string)
                .map_err(failed);
        }
        // Not ASCII: walk over the text to find where the slice lies in bytes.
        let mut slice = String::new();
        let (mut byte, mut character) = (0_u64, 0_u64);
        while character < end && byte < entry.size_bytes {
            let piece = host
                .read_context(&entry.name, byte, PIECE)
                .map_err(failed)?;
            if piece.is_empty() {
                break;
            }
            byte += piece.len() as u64;
            let count = piece.chars().count() as u64;
            if character + count > start {
                let skip = start.saturating_sub(character) as usize;
                let take = (end - character).min(count) as usize - skip;
                slice.extend(piece.chars().skip(skip).take(take));
            }
            character += count;
        }
        Ok(MontyObject::string(slice))
    }
}

fn read_arguments(args: &CallArgs) -> Result<(String, i64, Option<i64>), MontyException> {
    let wrong = |message: &str| {
        MontyException::new(ExcType::TypeError, Some(format!("{READ}() {message}")))
    };
    let mut given = [None, None, None];
    if args.args().len() > 3 {
        return Err(wrong("takes at most 3 arguments: name, start, length"));
    }
    for (slot, value) in given.iter_mut().zip(args.args()) {
        *slot = Some(value);
    }
    for (name, value) in args.kwargs() {
        let index = match name.as_str() {
            Some("name") => 0,
            Some("start") => 1,
            Some("length") => 2,
            _ => return Err(wrong("takes the arguments name, start and length")),
        };
        if given[index].replace(value).is_some() {
            return Err(wrong("got an argument twice"));
        }
    }
    let name = given[0]
        .and_then(|value| value.as_str())
        .ok_or_else(|| wrong("needs the name of a context"))?;
    let number = |value: Option<monty_types::ObjectRef<'_>>| match value {
        None => Ok(None),
        Some(value) if matches!(unstable::node(value), MontyNode::None) => Ok(None),
        Some(value) => value
            .as_int()
            .map(Some)
            .ok_or_else(|| wrong("needs whole numbers for start and length")),
    };
    Ok((
        name.to_owned(),
        number(given[1])?.unwrap_or(0),
        number(given[2])?,
    ))
}

/// Fetches one context: as what `files` holds, and as what its own names mean.
fn fetch(
    host: &impl Host,
    entry: &Entry,
    graph: &mut MontyGraph,
    raw: bool,
    value: bool,
) -> Result<(Option<NodeId>, Option<NodeId>), MontyException> {
    let failed = |error| unreadable(entry, error);
    match entry.form {
        Form::Bytes => {
            let bytes = fetch_bytes(host, entry, 0, entry.size_bytes).map_err(failed)?;
            let node = graph.push(MontyNode::Bytes(bytes));
            Ok((Some(node), Some(node)))
        }
        Form::Text => {
            let text = fetch_text(host, entry, 0, entry.size_bytes).map_err(failed)?;
            let node = graph.push(MontyNode::String(text));
            Ok((Some(node), Some(node)))
        }
        Form::Json => {
            let text = fetch_text(host, entry, 0, entry.size_bytes).map_err(failed)?;
            let parsed = value
                .then(|| decode_into(graph, &text, false))
                .transpose()
                .map_err(|error| {
                    MontyException::new(
                        ExcType::ValueError,
                        Some(format!("context '{}' is not JSON: {error}", entry.name)),
                    )
                })?;
            Ok((raw.then(|| graph.push(MontyNode::String(text))), parsed))
        }
    }
}

fn fetch_text(
    host: &impl Host,
    entry: &Entry,
    start: u64,
    end: u64,
) -> Result<String, ContextError> {
    let mut text = String::with_capacity((end - start) as usize);
    while start + (text.len() as u64) < end {
        let at = start + text.len() as u64;
        let piece = host.read_context(&entry.name, at, (end - at).min(PIECE.into()) as u32)?;
        if piece.is_empty() {
            break;
        }
        text.push_str(&piece);
    }
    Ok(text)
}

fn fetch_bytes(
    host: &impl Host,
    entry: &Entry,
    start: u64,
    end: u64,
) -> Result<Vec<u8>, ContextError> {
    let mut bytes = Vec::with_capacity((end - start) as usize);
    while start + (bytes.len() as u64) < end {
        let at = start + bytes.len() as u64;
        let piece =
            host.read_context_bytes(&entry.name, at, (end - at).min(PIECE.into()) as u32)?;
        if piece.is_empty() {
            break;
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

fn unreadable(entry: &Entry, error: ContextError) -> MontyException {
    MontyException::new(
        ExcType::RuntimeError,
        Some(format!("cannot read context '{}': {error:?}", entry.name)),
    )
}
