//! What plugins of one component share, under whatever names they are loaded.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Weak};

use rlm_sandbox::{Error, ErrorKind, Result};
use wasmtime::component::{Component, InstancePre};

use crate::docs::Docs;
use crate::folders::Folders;
use crate::function::Function;
use crate::imports::Import;
use crate::instance::{Footprint, State};
use crate::manifest::Manifest;

/// The most parts that are loaded at the same moment. Components have memory mappings and open files, and
/// grants have open folders, of which a process has few.
const LOADED: usize = 1024;

/// A component with a manifest, ready to make plugins of.
pub(crate) struct Parts {
    /// SHA-256 of the component, in hex.
    pub(crate) digest: String,
    /// The manifest without its name.
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) folders: Arc<Folders>,
    pub(crate) footprint: Footprint,
    pub(crate) pre: InstancePre<State>,
    pub(crate) functions: Vec<Function>,
    pub(crate) docs: Docs,
    pub(crate) imports: Vec<Import>,
}

impl Parts {
    /// Returns the bytes of memory that a plugin takes beside its compiled code, with what a session
    /// keeps of its functions, about.
    pub(crate) fn memory_bytes(&self) -> u64 {
        /// Bytes of a plugin without texts, in its registry and in a session.
        const PLUGIN: u64 = 4 << 10;
        let functions = self.functions.iter().map(Function::memory_bytes);
        let imports = self.imports.iter().map(Import::memory_bytes);
        PLUGIN
            + self.manifest.memory_bytes()
            + self.docs.memory_bytes()
            + functions.sum::<u64>()
            + imports.sum::<u64>()
    }
}

/// The parts of all plugins that are loaded, by the digests of their components.
#[derive(Default)]
pub(crate) struct AllParts(HashMap<String, Vec<Weak<Parts>>>);

impl AllParts {
    /// Returns the parts of a component with this digest and these grants, if a plugin has them.
    pub(crate) fn find(
        &self,
        digest: &str,
        manifest: &Manifest,
        folders: &Folders,
    ) -> Option<Arc<Parts>> {
        let parts = self.0.get(digest)?.iter().filter_map(Weak::upgrade);
        { parts }.find(|parts| *parts.manifest == *manifest && parts.folders.is_same(folders))
    }

    /// Returns the component with this digest, if a plugin has it with whatever grants.
    pub(crate) fn component(&self, digest: &str) -> Option<Component> {
        let parts = self.0.get(digest)?.iter().find_map(Weak::upgrade)?;
        Some(parts.pre.component().clone())
    }

    /// Adds parts, and returns them; if the same ones are there already, returns those.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`] if [`LOADED`] others are there.
    pub(crate) fn add(&mut self, parts: Parts) -> Result<Arc<Parts>> {
        if let Some(found) = self.find(&parts.digest, &parts.manifest, &parts.folders) {
            return Ok(found);
        }
        self.0.retain(|_, all| {
            all.retain(|parts| parts.strong_count() > 0);
            !all.is_empty()
        });
        if self.0.values().map(Vec::len).sum::<usize>() >= LOADED {
            return Err(Error::new(
                ErrorKind::Host,
                format!(
                    "{LOADED} plugins of different components or manifests are loaded; close sessions that use others"
                ),
            ));
        }
        let parts = Arc::new(parts);
        let all = self.0.entry(parts.digest.clone()).or_default();
        all.push(Arc::downgrade(&parts));
        Ok(parts)
    }
}

impl fmt::Debug for AllParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
