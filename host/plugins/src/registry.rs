//! Where plugins are loaded, and found again by name.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rlm_sandbox::{Error, ErrorKind, Result};
use rlm_sandbox_engine::compile::{Check, Steps, catch_panic, load_or_compile};
use rlm_sandbox_engine::{AddressSpace, AlarmClock, Settings, cache, hex};
use rlm_sandbox_files::{Folder, Links};
use sha2::{Digest as _, Sha256};
use wasmtime::Engine;
use wasmtime::component::{Component, Linker};

use crate::bounds::{CompileBounds, CompileCost};
use crate::compiler::{self, CompileRequest, Compiler};
use crate::docs::Docs;
use crate::file;
use crate::folders::Folders;
use crate::function::Function;
use crate::inspect::Inspection;
use crate::instance::{Footprint, Mold};
use crate::manifest::{Manifest, check_name};
use crate::parts::{AllParts, Parts};
use crate::places::AllPlaces;
use crate::plugin::{Loaded, WasmPlugin};
use crate::{host, imports, wasi};

/// Calls that run at the same moment, unless somebody says.
const CALLS: usize = 64;

/// Default number of plugins that nothing uses and that stay loaded.
const UNUSED_PLUGINS: usize = 256;

/// The engine of plugins, and those that were loaded into it. Make one for each
/// process; clones share it.
///
/// A registry keeps every plugin that is in use, and of the others those that were used last:
/// see [`Builder::unused_plugins`]. Plugins of the same component share its code, and docs and manifest, too, if
/// their manifests are equal but for the name and grant the same folders.
///
/// # Cost
///
/// A plugin is compiled when it is first loaded, some tenths of a second for
/// each megabyte, and kept where the compiled interpreter is kept.
#[derive(Clone)]
pub struct Registry {
    inner: Arc<Inner>,
}

struct Inner {
    engine: Engine,
    settings: Settings,
    cache: Option<PathBuf>,
    places: AllPlaces,
    alarms: AlarmClock,
    wants_hashes: bool,
    bounds: CompileBounds,
    compiler: Option<Compiler>,
    unused_plugins: usize,
    plugins: Mutex<Plugins>,
}

/// The plugins of a registry by name.
#[derive(Debug, Default)]
struct Plugins {
    by_name: BTreeMap<String, Named>,
    parts: AllParts,
    /// Number of uses so far.
    uses: u64,
}

#[derive(Debug)]
struct Named {
    plugin: WasmPlugin,
    last_use: u64,
}

impl Plugins {
    fn insert(&mut self, name: String, plugin: WasmPlugin) {
        self.uses += 1;
        let last_use = self.uses;
        self.by_name.insert(name, Named { plugin, last_use });
    }

    fn find(&mut self, name: &str) -> Option<WasmPlugin> {
        self.uses += 1;
        let named = self.by_name.get_mut(name)?;
        named.last_use = self.uses;
        Some(named.plugin.clone())
    }

    /// Removes plugins that nothing else holds, least recently used first, down to `most`.
    fn drop_unused(&mut self, most: usize) {
        let unused = self
            .by_name
            .iter()
            .filter(|(_, named)| named.plugin.is_unused());
        let mut unused: Vec<_> = unused
            .map(|(name, named)| (named.last_use, name.clone()))
            .collect();
        unused.sort_unstable();
        let surplus = unused.len().saturating_sub(most);
        for (_, name) in &unused[..surplus] {
            self.by_name.remove(name);
        }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registry").field(&self.plugins()).finish()
    }
}

/// Makes a [`Registry`].
#[derive(Debug, Default)]
pub struct Builder {
    cache: Option<Option<PathBuf>>,
    pool: Option<u32>,
    calls: Option<usize>,
    wants_hashes: bool,
    bounds: CompileBounds,
    compiler: Option<Compiler>,
    unused_plugins: Option<usize>,
    address_space: Option<AddressSpace>,
}

impl Builder {
    /// Keeps compiled plugins in this folder. By default it is that of the
    /// compiled interpreter: `$RLM_SANDBOX_CACHE`, or else `rlm-sandbox` in the
    /// user's cache folder.
    #[must_use]
    pub fn cache_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache = Some(Some(folder.into()));
        self
    }

    /// Writes and reads no cache: plugins are compiled in memory.
    #[must_use]
    pub fn no_cache(mut self) -> Self {
        self.cache = Some(None);
        self
    }

    /// Lays out a pool for so many instances, which makes new ones cheaper. By
    /// default memory is taken on demand. Those that sessions keep count, too;
    /// one more is an exception for the script that wanted it.
    #[must_use]
    pub fn pool(mut self, instances: u32) -> Self {
        self.pool = Some(instances);
        self
    }

    /// Sets the number of calls that run at the same moment; others wait. Default: 64. A quarter of
    /// them, rounded up, serves one session, so that its calls leave places to others.
    #[must_use]
    pub fn concurrent_calls(mut self, calls: usize) -> Self {
        self.calls = Some(calls.max(1));
        self
    }

    /// Keeps at most so many plugins that nothing but the registry holds, those that were loaded or
    /// found by name last. Default: 256. Exact when a plugin is loaded or fails to load, and after
    /// [`Registry::drop_unused`]. A plugin that a session or the program holds stays loaded and is not counted.
    #[must_use]
    pub fn unused_plugins(mut self, plugins: usize) -> Self {
        self.unused_plugins = Some(plugins);
        self
    }

    /// Loads nothing whose manifest does not pin its SHA-256.
    #[must_use]
    pub fn require_hashes(mut self) -> Self {
        self.wants_hashes = true;
        self
    }

    /// Sets the bounds on compiling for plugins whose manifests name no others. Default:
    /// [`CompileBounds::default`].
    #[must_use]
    pub fn compile_bounds(mut self, bounds: CompileBounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// Compiles with this function, which is to call [`compile`](crate::compile) in a process of its own
    /// with the request's limits. Default: the compiler of this process, which nothing interrupts.
    ///
    /// What the function returns is loaded as native code: it must come from `compile`.
    #[must_use]
    pub fn compiler(
        mut self,
        compiler: impl Fn(&CompileRequest<'_>) -> Result<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        self.compiler = Some(Compiler(Arc::new(compiler)));
        self
    }

    /// Saves address space, as is done by itself where little may be had: the same fuel, but slower.
    #[must_use]
    pub fn narrow_address_space(mut self) -> Self {
        self.address_space = Some(AddressSpace::Narrow);
        self
    }

    /// Saves address space, and lets the system move a memory that grows, so that no part of it is there twice, on Linux: for
    /// a process whose address space is bounded. The same fuel, but slower, and there is no pool.
    #[must_use]
    pub fn bounded_address_space(mut self) -> Self {
        self.address_space = Some(AddressSpace::Bounded);
        self
    }

    /// Starts the engine.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`](rlm_sandbox::ErrorKind::Host) if this machine refuses what the engine needs.
    pub fn build(self) -> Result<Registry> {
        let detected = || Settings::detect(self.pool).address_space;
        let address_space = self.address_space.unwrap_or_else(detected);
        let settings = compiler::settings(address_space, self.pool);
        let engine = settings.engine("plugins")?;
        Ok(Registry {
            inner: Arc::new(Inner {
                engine,
                settings,
                cache: self.cache.unwrap_or_else(cache::default_folder),
                places: AllPlaces::new(self.calls.unwrap_or(CALLS)),
                alarms: AlarmClock::default(),
                wants_hashes: self.wants_hashes,
                bounds: self.bounds,
                compiler: self.compiler,
                unused_plugins: self.unused_plugins.unwrap_or(UNUSED_PLUGINS),
                plugins: Mutex::default(),
            }),
        })
    }
}

impl Registry {
    /// As [`Builder::build`] does by default.
    ///
    /// # Errors
    ///
    /// The errors of [`Builder::build`].
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// Starts the threads that plugins come to need, for a process that can start none later.
    pub fn prepare_threads(&self) {
        self.inner.alarms.prepare();
    }

    /// Settings for a registry.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Loads a plugin that is in memory already. One of the same name that was
    /// loaded before is replaced; who has it keeps it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](rlm_sandbox::ErrorKind::Usage) if this is no component, is not the one that the
    /// manifest pins, would cost more to compile than its bounds permit, wants more than the manifest grants,
    /// or exports something that cannot be called; each with what to do about it.
    /// [`ErrorKind::Guest`](rlm_sandbox::ErrorKind::Guest) if it cannot be compiled.
    /// [`ErrorKind::Host`](rlm_sandbox::ErrorKind::Host) if 1,024 plugins of different components or manifests
    /// are loaded, or if half of the files that the process may have open are open.
    pub fn load(&self, manifest: Manifest, wasm: &[u8]) -> Result<WasmPlugin> {
        let name = manifest.name.clone().ok_or_else(|| {
            Error::usage("a plugin needs a name; write `name = \"…\"` into its manifest")
        })?;
        check_name(&name)?;
        let loaded = self.load_named(&name, manifest, wasm).map_err(|error| {
            let message = format!("the plugin `{name}` is not loaded: {error}");
            Error::new(error.kind(), message)
        });
        let mut plugins = self.lock();
        if let Ok(plugin) = &loaded {
            plugins.insert(name, plugin.clone());
        }
        plugins.drop_unused(self.inner.unused_plugins);
        loaded
    }

    /// Drops plugins that nothing else holds, down to [`Builder::unused_plugins`]: for a program that has
    /// let go of some and loads no others soon.
    pub fn drop_unused(&self) {
        self.lock().drop_unused(self.inner.unused_plugins);
    }

    fn load_named(&self, name: &str, manifest: Manifest, wasm: &[u8]) -> Result<WasmPlugin> {
        let inner = &self.inner;
        file::check(wasm)?;
        let digest = hex(&Sha256::digest(wasm));
        match &manifest.wasm.hash {
            Some(hash) if !hash.eq_ignore_ascii_case(&digest) => {
                return Err(Error::usage(format!(
                    "its file is not the one that its manifest pins: that has the SHA-256 {hash}, this one {digest}; if \
                     the change is meant, write hash = \"{digest}\" under [wasm]"
                )));
            }
            None if inner.wants_hashes => {
                return Err(Error::usage(format!(
                    "its manifest does not pin its file; write hash = \"{digest}\" under [wasm]"
                )));
            }
            _ => {}
        }
        let manifest = Manifest {
            name: None,
            ..manifest
        };
        let folders = Arc::new(Folders::open(&manifest)?);
        let known = self.lock().parts.find(&digest, &manifest, &folders);
        let parts = match known {
            Some(parts) => parts,
            None => {
                if rlm_sandbox_files::are_scarce() {
                    let message = "half of the files that this process may have open are open; close sessions, or \
                                   raise the limit of the process (`ulimit -n`)";
                    return Err(Error::new(ErrorKind::Host, message));
                }
                let manifest = Arc::new(manifest);
                // Also where it lies in the cache: then it was compiled under other bounds.
                let cost = self.measure(&manifest, wasm)?;
                // Code of a component that is refused is not kept.
                let assemble = |component: &Component| {
                    self.assemble(&manifest, &folders, &digest, wasm, &cost, component)
                };
                let loaded = self.lock().parts.component(&digest);
                let component = match loaded {
                    Some(component) => component,
                    None => {
                        let check = |component: &Component| assemble(component).map(drop);
                        self.compile(name, &digest, &manifest, wasm, Some(&check))?
                    }
                };
                let parts = assemble(&component)?;
                self.lock().parts.add(parts)?
            }
        };
        Ok(WasmPlugin::new(Loaded {
            mold: Mold {
                name: name.into(),
                engine: inner.engine.clone(),
                pre: parts.pre.clone(),
                limits: parts.manifest.limits(),
                places: inner.places.clone(),
                alarms: inner.alarms.clone(),
                folders: Arc::clone(&parts.folders),
                manifest: Arc::clone(&parts.manifest),
                footprint: parts.footprint,
            },
            parts,
        }))
    }

    /// Reads the parts of a component from its compiled code, if its manifest grants all that it imports.
    fn assemble(
        &self,
        manifest: &Arc<Manifest>,
        folders: &Arc<Folders>,
        digest: &str,
        wasm: &[u8],
        cost: &CompileCost,
        component: &Component,
    ) -> Result<Parts> {
        let inner = &self.inner;
        let imports = imports::all(component, &inner.engine, manifest);
        imports::check(&imports)?;
        let docs = Docs::of(wasm);
        let functions = Function::all(component, &inner.engine, manifest, &docs)?;
        let unfit = |error: wasmtime::Error| {
            Error::usage(format!(
                "its imports do not fit this host ({}); build it with the SDK of this version",
                error.root_cause()
            ))
            .because(error)
        };
        let mut linker = Linker::new(&inner.engine);
        host::define(&mut linker).map_err(unfit)?;
        wasi::define(&mut linker, component).map_err(unfit)?;
        let pre = linker.instantiate_pre(component).map_err(unfit)?;
        Ok(Parts {
            digest: digest.to_owned(),
            manifest: Arc::clone(manifest),
            folders: Arc::clone(folders),
            footprint: Footprint::new(&inner.settings, cost, component),
            pre,
            functions,
            docs,
            imports,
        })
    }

    /// Returns the cost of compiling a component, if that is within its bounds.
    fn measure(&self, manifest: &Manifest, wasm: &[u8]) -> Result<CompileCost> {
        let bounds = manifest.compile.over(self.inner.bounds);
        catch_panic("it", || Ok(bounds.measure(wasm))).map_err(file::refused)?
    }

    /// The code of a component, from the cache or the compiler.
    fn compile(
        &self,
        name: &str,
        digest: &str,
        manifest: &Manifest,
        wasm: &[u8],
        check: Option<&Check<'_>>,
    ) -> Result<Component> {
        let inner = &self.inner;
        let path = inner.cache.as_ref().map(|folder| {
            let key = inner.settings.key(&format!("plugin {digest}"));
            folder.join(cache::file_name("plugin", &key))
        });
        let what = format!("the plugin `{name}`");
        let request = CompileRequest::new(wasm, &inner.settings, &manifest.compile);
        let elsewhere = inner.compiler.as_ref();
        let elsewhere =
            elsewhere.map(|compiler| move |_: &Engine, _: &[u8]| (compiler.0)(&request));
        let steps = Steps {
            compiler: elsewhere.as_ref().map(|compiler| compiler as &_),
            check,
            pages: None,
        };
        let (path, mut warnings) = (path.as_deref(), Vec::new());
        let wasm = || wasm.into();
        let component =
            load_or_compile(&inner.engine, &what, wasm, path, steps, None, &mut warnings);
        for warning in warnings {
            tracing::warn!(target: "rlm_sandbox", "{warning}");
        }
        component.map_err(file::refused)
    }

    /// Says what a plugin is, from the file that [`load_file`](Self::load_file)
    /// takes, whether it would be loaded or not.
    ///
    /// # Errors
    ///
    /// The errors of [`load_file`](Self::load_file), but for what is not granted or pinned.
    pub fn inspect_file(&self, path: impl AsRef<Path>) -> Result<Inspection> {
        let (manifest, wasm) = file::read(path.as_ref(), None)?;
        let name = manifest.name.clone().unwrap_or_default();
        file::check(&wasm)?;
        let digest = hex(&Sha256::digest(&wasm));
        self.measure(&manifest, &wasm)?;
        let component = self.compile(&name, &digest, &manifest, &wasm, None)?;
        let docs = Docs::of(&wasm);
        let functions = Function::all(&component, &self.inner.engine, &manifest, &docs)?;
        let imports = imports::all(&component, &self.inner.engine, &manifest);
        Ok(Inspection::new(&name, &digest, &imports, &functions, &docs))
    }

    /// Loads a plugin from a file: its manifest, or a component, whose manifest
    /// is the file of the same name that ends in `.toml`. Without one it is
    /// named as the file, and allowed nothing. A manifest that is found so must belong to this
    /// user or root, and not every user may write it.
    ///
    /// # Errors
    ///
    /// The errors of [`load`](Self::load), and [`ErrorKind::Usage`](rlm_sandbox::ErrorKind::Usage) if a file cannot be read.
    pub fn load_file(&self, path: impl AsRef<Path>) -> Result<WasmPlugin> {
        let (manifest, wasm) = file::read(path.as_ref(), None)?;
        self.load(manifest, &wasm)
    }

    /// The same under another name.
    ///
    /// # Errors
    ///
    /// The errors of [`load_file`](Self::load_file).
    pub fn load_file_as(&self, name: &str, path: impl AsRef<Path>) -> Result<WasmPlugin> {
        let (manifest, wasm) = file::read(path.as_ref(), None)?;
        let name = Some(name.to_owned());
        self.load(Manifest { name, ..manifest }, &wasm)
    }

    /// Loads all plugins of a folder, by the names of their files: those with a
    /// manifest, and components without one.
    ///
    /// # Errors
    ///
    /// The errors of [`load_file`](Self::load_file), for the first that cannot be loaded.
    pub fn load_folder(&self, folder: impl AsRef<Path>) -> Result<Vec<WasmPlugin>> {
        let folder = folder.as_ref();
        let unreadable = |error| {
            let folder = folder.display();
            Error::usage(format!("the folder {folder} cannot be read")).because(error)
        };
        let named = Folder::open(folder, Links::Follow).map_err(unreadable)?;
        let entries = fs::read_dir(folder).map_err(unreadable)?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let paths = paths.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
        let ends = |path: &Path, end: &str| path.extension().is_some_and(|found| found == end);
        let (mut manifests, components): (Vec<_>, Vec<_>) = paths
            .into_iter()
            .filter(|path| ends(path, "toml") || ends(path, "wasm"))
            .partition(|path| ends(path, "toml"));
        let mut plugins = Vec::new();
        let mut taken = Vec::new();
        manifests.sort();
        for path in &manifests {
            let (manifest, component) = file::read_manifest(path, Some(&named))?;
            let wasm = file::read_component(&component)?;
            taken.push(component.canonicalize().unwrap_or(component));
            plugins.push(self.load(manifest, &wasm)?);
        }
        let mut alone: Vec<_> = components
            .into_iter()
            .filter(|path| {
                let path = path.canonicalize();
                path.is_ok_and(|path| !taken.contains(&path))
            })
            .collect();
        alone.sort();
        for path in alone {
            let (manifest, wasm) = file::read(&path, Some(&named))?;
            plugins.push(self.load(manifest, &wasm)?);
        }
        Ok(plugins)
    }

    /// The plugin of this name, if it is loaded: one that nothing else holds may have been dropped
    /// for others, see [`Builder::unused_plugins`].
    pub fn plugin(&self, name: &str) -> Option<WasmPlugin> {
        self.lock().find(name)
    }

    /// All that are loaded, by name.
    pub fn plugins(&self) -> Vec<WasmPlugin> {
        let plugins = self.lock();
        let named = plugins.by_name.values();
        named.map(|named| named.plugin.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Plugins> {
        self.inner
            .plugins
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
