//! What a plugin is allowed, as its author or its user wrote it down.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rlm_sandbox::{Error, Result, is_identifier};
use serde::Deserialize;

use crate::bounds::Compile;
use crate::limits::PluginLimits;

/// A plugin's manifest, a TOML file. Nothing is allowed that does not stand in
/// it. Where [extism](https://extism.org) has a key of the same meaning it is
/// called as there.
///
/// ```toml
/// name = "index"                    # what Python calls it; default: the file's name
/// exports = ["search", "count"]     # functions that may be called; default: all
/// keep = "session"                  # one instance for a session; default: "call"
/// timeout_ms = 2000
/// allowed_paths = { "/var/log" = "/logs" }     # read-only, always
///
/// [wasm]
/// path = "search.wasm"              # beside the manifest; default: its name
/// hash = "9f86d081…"                # SHA-256; another file is refused
///
/// [memory]
/// max_pages = 8192                  # of 64 KiB
///
/// [limits]
/// fuel = 20_000_000_000
///
/// [compile]
/// code_bytes = 16_777_216           # bounds on compiling: see `CompileBounds`
///
/// [permissions]
/// contexts = ["context"]            # or ["*"]
/// llm_query = true
/// clock = true
/// entropy = true
/// environment = ["LANG"]
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Manifest {
    /// The name by which Python calls it. Default: that of the file.
    pub name: Option<String>,
    /// The functions that may be called, as the component names them. Default: all.
    pub exports: Option<Vec<String>>,
    /// How long an instance lives.
    pub keep: Keep,
    /// Compute time of one call, in milliseconds. Default: 5000.
    pub timeout_ms: Option<u64>,
    /// Folders and files of the host that it may read, and where it sees them.
    pub allowed_paths: BTreeMap<String, String>,
    /// Which file it is.
    pub wasm: Wasm,
    /// How much memory it gets.
    pub memory: Memory,
    /// What else it may use.
    pub limits: Limits,
    /// Bounds on compiling it that differ from the defaults.
    pub compile: Compile,
    /// What it may reach.
    pub permissions: Permissions,
}

/// The file of a plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Wasm {
    /// Where it is, from the manifest. Default: beside it, with the same name.
    pub path: Option<PathBuf>,
    /// SHA-256 of the file, in hex. A file with another one is refused.
    pub hash: Option<String>,
}

/// Memory of a plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Memory {
    /// Pages of 64 KiB that an instance may have. Default: 4096, which is 256 MiB.
    pub max_pages: Option<u32>,
}

/// Limits of one call, beside time and memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Limits {
    /// Fuel. Default: 10 × 10⁹, about a second.
    pub fuel: Option<u64>,
    /// Bytes that it may print, and bytes that its answer may have. Default: 1 MiB.
    pub output_bytes: Option<u64>,
    /// Calls to the host. Default: 100,000.
    pub host_calls: Option<u64>,
    /// Calls for files, and reads of them. Default: 1,000,000.
    pub file_calls: Option<u64>,
    /// Prompts to the model. Default: 16.
    pub model_calls: Option<u64>,
}

/// What a plugin may reach. Nothing by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Permissions {
    /// The time of day. Without it there is a clock that counts fuel alone.
    pub clock: bool,
    /// Randomness of the machine. Without it hash maps have keys all the same,
    /// the same ones in each run.
    pub entropy: bool,
    /// Variables of the environment.
    pub environment: Vec<String>,
    /// The session's model.
    pub llm_query: bool,
    /// Contexts of the session, by name; `*` is all of them.
    pub contexts: Vec<String>,
}

/// How long an instance lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Each call gets a fresh one.
    #[default]
    Call,
    /// A session keeps one. It is gone after a call that failed or ran into a
    /// limit, when others need its memory, and when the session is restored, forked or brought back
    /// from a journal: what it holds must be something that it can build again. A session keeps 16
    /// instances at the most, those of the plugins that it called first.
    Session,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](rlm_sandbox::ErrorKind::Usage) if it is no TOML, has a key that no
    /// manifest has, or says something impossible.
    pub fn parse(text: &str) -> Result<Self> {
        let manifest: Self = toml::from_str(text)
            .map_err(|error| Error::usage(format!("the manifest cannot be read: {error}")))?;
        manifest.check()?;
        Ok(manifest)
    }

    /// One for a plugin of this name, that allows nothing.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: Some(name.into()),
            ..Self::default()
        }
    }

    fn check(&self) -> Result<()> {
        for host in self.allowed_paths.keys() {
            if !Path::new(readable(host)).is_absolute() {
                return Err(Error::usage(format!(
                    "allowed_paths: `{host}` is not absolute; write the whole path"
                )));
            }
        }
        if let Some(hash) = &self.wasm.hash
            && !(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
        {
            return Err(Error::usage(
                "wasm.hash is no SHA-256; `rlm-sandbox plugin inspect` prints it",
            ));
        }
        for (host, guest) in &self.allowed_paths {
            if !guest.starts_with('/') {
                return Err(Error::usage(format!(
                    "allowed_paths: the plugin would see {host} at `{guest}`; write a path that begins with /"
                )));
            }
        }
        let zeros = [
            ("timeout_ms", self.timeout_ms),
            ("memory.max_pages", self.memory.max_pages.map(u64::from)),
            ("limits.fuel", self.limits.fuel),
            ("limits.output_bytes", self.limits.output_bytes),
        ];
        if let Some((name, _)) = zeros.iter().find(|(_, value)| *value == Some(0)) {
            return Err(Error::usage(format!(
                "{name} is 0, with which no call could do anything; leave it out for the default"
            )));
        }
        if self.memory.max_pages.is_some_and(|pages| pages > 1 << 14) {
            return Err(Error::usage(
                "memory.max_pages: an instance can have 16384 pages (1 GiB) at the most",
            ));
        }
        Ok(())
    }

    /// The folders that it may read, with where it sees them.
    pub(crate) fn folders(&self) -> impl Iterator<Item = (&Path, &str)> {
        let paths = self.allowed_paths.iter();
        paths.map(|(host, guest)| (Path::new(readable(host)), guest.as_str()))
    }

    /// Returns whether it may read a context of this name.
    pub(crate) fn reads(&self, context: &str) -> bool {
        let mut contexts = self.permissions.contexts.iter();
        contexts.any(|name| name == "*" || name == context)
    }

    /// Returns the bytes of memory that the manifest takes, about.
    pub(crate) fn memory_bytes(&self) -> u64 {
        /// Bytes of a text without its own: its place, in a list or in a node with few others.
        const TEXT: usize = 128;
        let Permissions {
            environment,
            contexts,
            ..
        } = &self.permissions;
        let lists = [environment, contexts].into_iter().chain(&self.exports);
        let paths = self.allowed_paths.iter();
        let texts = paths.flat_map(|(host, guest)| [host, guest]);
        let texts = texts.chain(lists.flatten()).chain(&self.wasm.hash);
        let texts: usize = texts.map(|text| TEXT + text.len()).sum();
        let path = self.wasm.path.as_ref();
        let path = path.map_or(0, |path| path.as_os_str().len());
        (size_of::<Self>() + path + texts) as u64
    }

    pub(crate) fn limits(&self) -> PluginLimits {
        let default = PluginLimits::default();
        let (limits, timeout) = (&self.limits, self.timeout_ms.map(Duration::from_millis));
        let pages = self.memory.max_pages;
        PluginLimits {
            fuel: limits.fuel.unwrap_or(default.fuel),
            time: timeout.unwrap_or(default.time),
            memory_bytes: pages.map_or(default.memory_bytes, |pages| u64::from(pages) << 16),
            output_bytes: limits.output_bytes.unwrap_or(default.output_bytes),
            host_calls: limits.host_calls.unwrap_or(default.host_calls),
            file_calls: limits.file_calls.unwrap_or(default.file_calls),
            model_calls: limits.model_calls.unwrap_or(default.model_calls),
        }
    }
}

/// Refuses what Python could not call a plugin.
pub(crate) fn check_name(name: &str) -> Result<()> {
    match is_identifier(name) {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "`{name}` is not a name that Python could call a plugin by; give another one, with `name = \"…\"` in its \
             manifest or as --plugin NAME=FILE"
        ))),
    }
}

/// A path without the mark for read-only, which extism has and we need not.
fn readable(path: &str) -> &str {
    path.strip_prefix("ro:").unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_manifest_has_is_refused_by_name() {
        for (text, told) in [
            ("nmae = 'a'", "unknown field `nmae`"),
            ("[permissions]\nnetwork = true", "unknown field `network`"),
            ("allowed_paths = {'logs' = '/logs'}", "is not absolute"),
            ("[wasm]\nhash = 'abc'", "plugin inspect"),
            ("[memory]\nmax_pages = 20000", "at the most"),
            ("keep = 'forever'", "forever"),
        ] {
            let error = Manifest::parse(text).expect_err(text);
            assert!(error.to_string().contains(told), "{error}");
        }
    }

    #[test]
    fn what_is_left_out_is_not_allowed() {
        let manifest = Manifest::parse("name = 'index'").expect("a manifest");
        assert_eq!(manifest.permissions, Permissions::default());
        assert!(!manifest.reads("context") && manifest.folders().next().is_none());
        assert_eq!(manifest.limits(), PluginLimits::default());
        let text = "allowed_paths = {'ro:/var/log' = '/logs'}\n[permissions]\ncontexts = ['*']";
        let manifest = Manifest::parse(text).expect("a manifest");
        assert!(manifest.reads("anything"));
        let folders: Vec<_> = manifest.folders().collect();
        assert_eq!(folders, [(Path::new("/var/log"), "/logs")]);
    }
}
