//! The engine with the compiled guest in it.

use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread;

use sha2::{Digest as _, Sha256};
use wasmtime::Engine;
use wasmtime::component::{Component, Linker};

use crate::admission::Admission;
use crate::bindings::PythonPre;
use crate::builder::SessionBuilder;
use crate::guest;
use crate::guest_state::GuestState;
use crate::imports;
use crate::limits::{SandboxLimits, SandboxUsage};
use crate::wasi;
use rlm_sandbox_engine::compile::{Steps, load_or_compile, precompile};
use rlm_sandbox_engine::pages::Pages;
use rlm_sandbox_engine::{
    AddressSpace, AlarmClock, Error, ErrorKind, Metering, Result, Settings, Ticker, VERSION, cache,
    hex,
};

/// Engine and compiled interpreter. Make one for each process; it holds no
/// state of any session, and clones share it.
///
/// # Cost
///
/// Loading the compiled interpreter takes about a millisecond. Where there is
/// none yet it is compiled, which takes some seconds, and kept in
/// [`cache_folder`](Builder::cache_folder) for later processes.
#[derive(Clone)]
pub struct Sandbox {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    engine: Engine,
    settings: Settings,
    ticker: Ticker,
    /// Unset while the interpreter is loaded in the background.
    loaded: OnceLock<Loaded>,
    alarms: AlarmClock,
    admission: Arc<Admission>,
    guest_digest: String,
    compiled: Option<PathBuf>,
}

/// Makes a [`Sandbox`].
#[derive(Default)]
pub struct Builder {
    guest: Option<Vec<u8>>,
    compiled: Option<PathBuf>,
    cache: Cache,
    pool: Option<u32>,
    limits: SandboxLimits,
    /// Set where the engine makes memories, and the interpreter writes sessions.
    dumps: bool,
    address_space: Option<AddressSpace>,
    interprets: bool,
    metering: Metering,
    /// As if this crate were built without one, for tests.
    has_no_guest: bool,
    on_compile: Option<Box<dyn FnOnce() + Send>>,
}

#[derive(Debug, Default)]
enum Cache {
    #[default]
    Default,
    Folder(PathBuf),
    None,
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sandbox")
            .field("guest", &self.guest_digest())
            .finish_non_exhaustive()
    }
}

impl Builder {
    /// Runs this interpreter, a component for the world `rlm:sandbox/python`,
    /// in place of the one that the library carries: for journals and sessions
    /// of another version.
    ///
    /// It is compiled in this process, without optimisations and without a bound: check that of a
    /// stranger before, as the command line does with `CompileBounds` of `rlm-sandbox-plugins`.
    #[must_use]
    pub fn guest(mut self, wasm: impl Into<Vec<u8>>) -> Self {
        self.guest = Some(wasm.into());
        self
    }

    /// Loads the compiled interpreter from this file, which
    /// [`Sandbox::compile`] or `rlm-sandbox compile` wrote, and nowhere else.
    #[must_use]
    pub fn compiled(mut self, path: impl Into<PathBuf>) -> Self {
        self.compiled = Some(path.into());
        self
    }

    /// Keeps the compiled interpreter in this folder. By default this is
    /// `$RLM_SANDBOX_CACHE`, or else `rlm-sandbox` in the user's cache folder.
    #[must_use]
    pub fn cache_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache = Cache::Folder(folder.into());
        self
    }

    /// Writes and reads no cache: the interpreter is compiled in memory.
    #[must_use]
    pub fn no_cache(mut self) -> Self {
        self.cache = Cache::None;
        self
    }

    /// Sets [`SandboxLimits::live_sessions`] and lays out a pool for so many,
    /// which makes new ones cheaper. By default memory is taken on demand.
    #[must_use]
    pub fn live_sessions(mut self, sessions: u32) -> Self {
        self.pool = Some(sessions);
        self
    }

    /// Sets what all sessions may take together.
    #[must_use]
    pub fn limits(mut self, limits: SandboxLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Saves address space, as is done by itself where little may be had: the
    /// same fuel, but slower.
    #[must_use]
    pub fn narrow_address_space(mut self) -> Self {
        self.address_space = Some(AddressSpace::Narrow);
        self
    }

    /// Makes the interpreter write the state of sessions, as is done by itself where memories cannot be mapped page by page:
    /// on other systems than Linux, and where address space is saved. Forks and recoveries take longer then, and the first
    /// one changes the fuel of what follows.
    #[must_use]
    pub fn dump_states(mut self) -> Self {
        self.dumps = true;
        self
    }

    /// Saves address space, and lets the system move a memory that grows, so that no part of it is there twice: for a process
    /// whose address space is bounded (`RLIMIT_AS`). The same fuel, but slower; each instance copies its image, and
    /// none waits in a pool. As [`narrow_address_space`](Self::narrow_address_space) on other systems than Linux.
    #[must_use]
    pub fn bounded_address_space(mut self) -> Self {
        self.address_space = Some(AddressSpace::Bounded);
        self
    }

    /// Sets how scripts are interrupted. Default: [`Metering::Fuel`].
    ///
    /// The compiled interpreter of each mode is a file of its own, made when it is needed first. Snapshots do not cross modes.
    /// With [`Metering::Epoch`] no fuel is counted: figures of fuel are 0, limits of fuel and plugins are refused, and the
    /// clock of scripts advances by their reads. Scripts take some 0.91 times as long then, and 1.07 times with
    /// [`Metering::FuelAndEpoch`]. Recordings and cassettes need [`Metering::Fuel`].
    #[must_use]
    pub fn metering(mut self, metering: Metering) -> Self {
        self.metering = metering;
        self
    }

    /// Runs on the engine's own interpreter in place of native code, as machines
    /// do for which there is no compiler: the same fuel, but much slower.
    #[cfg(feature = "pulley")]
    #[must_use]
    pub fn interpret(mut self) -> Self {
        self.interprets = true;
        self
    }

    #[cfg(test)]
    pub(crate) fn without_guest(mut self) -> Self {
        self.has_no_guest = true;
        self
    }

    /// Is called before the interpreter is compiled, here or by another process that
    /// is waited for, to tell whoever waits.
    #[must_use]
    pub fn on_compile(mut self, tell: impl FnOnce() + Send + 'static) -> Self {
        self.on_compile = Some(Box::new(tell));
        self
    }

    /// Loads or compiles the interpreter.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Guest`] if the compiled interpreter does not fit, or has to
    /// be compiled and cannot be; [`ErrorKind::Host`] if this machine refuses
    /// what the engine needs; [`ErrorKind::Usage`] if the limits leave no room
    /// for anything.
    pub fn build(self) -> Result<Sandbox> {
        let (sandbox, load) = self.begin()?;
        let mut loaded = load.run(&sandbox.inner);
        let python = std::mem::replace(&mut loaded.python, Ok(None));
        loaded.python = Ok(python?);
        let _ = sandbox.inner.loaded.set(loaded);
        Ok(sandbox)
    }

    /// Loads or compiles the interpreter on a thread of its own, and returns at once. What needs it waits for it, and fails
    /// with the error where there is one: [`Sandbox::wait`] waits for it before.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`] and [`ErrorKind::Usage`] as [`build`](Self::build), and [`ErrorKind::Host`] if there is no thread.
    pub fn build_in_background(self) -> Result<Sandbox> {
        let (sandbox, load) = self.begin()?;
        let inner = Arc::clone(&sandbox.inner);
        let work = move || {
            let loaded = panic::catch_unwind(AssertUnwindSafe(|| load.run(&inner)));
            let panicked = || Error::new(ErrorKind::Guest, "loading the interpreter panicked");
            let _ = inner
                .loaded
                .set(loaded.unwrap_or_else(|_| Loaded::failed(panicked())));
        };
        let thread = thread::Builder::new().name(String::from("rlm-sandbox load"));
        thread.spawn(work).map_err(|error| {
            Error::new(
                ErrorKind::Host,
                "this machine has no thread to load the interpreter on",
            )
            .because(error)
        })?;
        Ok(sandbox)
    }

    /// Returns a sandbox without an interpreter, and the work of loading that.
    fn begin(self) -> Result<(Sandbox, Load)> {
        let mut limits = self.limits;
        if let Some(pool) = self.pool {
            limits.live_sessions = limits.live_sessions.min(pool as usize);
        }
        if limits.live_sessions == 0 || limits.concurrent_execs == 0 {
            return Err(Error::usage(
                "a sandbox for no session at all can do nothing; allow at least one live session and one exec",
            ));
        }
        let mut settings = match self.address_space {
            Some(address_space) => Settings::new(address_space, self.pool),
            None => Settings::detect(self.pool),
        };
        settings.interprets = self.interprets;
        settings.metering = self.metering;
        // A stranger's is compiled at a cost that follows its size.
        settings.optimizes = self.guest.is_none();
        if !self.dumps && self.guest.as_deref().is_none_or(can_be_split) {
            let is_own = self.guest.is_none();
            settings.map_pages(if is_own { guest::STACK_BYTES } else { 0 });
        }
        let guest_digest = match &self.guest {
            // It is not on record.
            Some(wasm) => hex(&Sha256::digest(wasm)),
            None => guest::digest().to_owned(),
        };
        let has_guest = self.guest.is_some() || guest::IS_HERE && !self.has_no_guest;
        let engine = settings.engine(&guest_digest)?;
        let compiled = self.compiled.clone().or_else(|| {
            let folder = match self.cache {
                Cache::Default => cache::default_folder(),
                Cache::Folder(folder) => Some(folder),
                Cache::None => None,
            };
            let name = cache::file_name("python", &settings.key(&guest_digest));
            folder.filter(|_| has_guest).map(|folder| folder.join(name))
        });
        let inner = Arc::new(Inner {
            ticker: Ticker::new(&engine),
            engine,
            settings,
            loaded: OnceLock::new(),
            alarms: AlarmClock::default(),
            admission: Admission::new(limits),
            guest_digest,
            compiled,
        });
        let load = Load {
            guest: self.guest,
            has_guest,
            is_compiled: self.compiled.is_some(),
            on_compile: self.on_compile,
        };
        Ok((Sandbox { inner }, load))
    }
}

/// The interpreter of a sandbox, once it is loaded.
struct Loaded {
    /// None if this crate was built without a guest.
    python: Result<Option<PythonPre<GuestState>>>,
    warnings: Vec<String>,
}

impl Loaded {
    fn failed(error: Error) -> Self {
        Self {
            python: Err(error),
            warnings: Vec::new(),
        }
    }
}

/// The work of loading or compiling the interpreter of a sandbox.
struct Load {
    guest: Option<Vec<u8>>,
    has_guest: bool,
    /// True if the file of the sandbox is the operator's compiled interpreter.
    is_compiled: bool,
    on_compile: Option<Box<dyn FnOnce() + Send>>,
}

impl Load {
    fn run(self, inner: &Inner) -> Loaded {
        let mut warnings = Vec::new();
        let python = self.python(inner, &mut warnings);
        for warning in &warnings {
            tracing::warn!(target: "rlm_sandbox", "{warning}");
        }
        Loaded { python, warnings }
    }

    fn python(
        self,
        inner: &Inner,
        warnings: &mut Vec<String>,
    ) -> Result<Option<PythonPre<GuestState>>> {
        let (engine, path) = (&inner.engine, inner.compiled.as_deref());
        let pages = inner.settings.pages.as_deref();
        let component = match path.filter(|_| self.is_compiled) {
            Some(path) => cache::load(engine, path, pages)?,
            None if !self.has_guest => return Ok(None),
            None => {
                if cfg!(debug_assertions) && !cfg!(test) && path.is_none_or(|path| !path.exists()) {
                    tracing::warn!(target: "rlm_sandbox", "{SLOW}");
                }
                // Code of what is none is not kept.
                let is_interpreter = |component: &Component| link(engine, component).map(drop);
                let wasm = || match &self.guest {
                    Some(wasm) => wasm.into(),
                    None => guest::python().into(),
                };
                let steps = Steps {
                    check: self.guest.is_some().then_some(&is_interpreter),
                    pages,
                    ..Steps::default()
                };
                load_or_compile(
                    engine,
                    INTERPRETER,
                    wasm,
                    path,
                    steps,
                    self.on_compile,
                    warnings,
                )?
            }
        };
        link(engine, &component).map(Some)
    }
}

/// What is compiled, in messages.
const INTERPRETER: &str = "the interpreter";

const SLOW: &str = "compiling the interpreter with a debug build, which is slow if the compiler is not optimised; put \
     `[profile.dev.package.\"*\"]` with `opt-level = 2` into your workspace's Cargo.toml";

fn link(engine: &Engine, component: &Component) -> Result<PythonPre<GuestState>> {
    let unfit = |error| {
        Error::new(
            ErrorKind::Guest,
            "the interpreter does not fit this version of the library",
        )
        .because(error)
    };
    let mut linker = Linker::new(engine);
    wasi::define(&mut linker, component).map_err(unfit)?;
    linker.allow_shadowing(true);
    imports::define(&mut linker).map_err(unfit)?;
    let pre = linker.instantiate_pre(component).map_err(unfit)?;
    PythonPre::new(pre).map_err(unfit)
}

impl Sandbox {
    /// Loads the interpreter as [`Builder::build`] does by default.
    ///
    /// # Errors
    ///
    /// The errors of [`Builder::build`].
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// Settings for a sandbox.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// A new session, to be described and opened.
    pub fn session(&self) -> SessionBuilder {
        SessionBuilder::new(self.clone())
    }

    /// Compiles the interpreter into a file for [`Builder::compiled`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Guest`] without the features `python` and `compiler`;
    /// [`ErrorKind::Host`] if the file cannot be written.
    pub fn compile(path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        if !guest::IS_HERE {
            return Err(unavailable());
        }
        let mut settings = Settings::detect(None);
        settings.map_pages(guest::STACK_BYTES);
        let engine = settings.engine(guest::digest())?;
        let pages = settings.pages.as_deref();
        let code = precompile(&engine, INTERPRETER, &guest::python(), pages)?;
        cache::store(path, &code).map_err(|error| {
            Error::new(
                ErrorKind::Host,
                format!(
                    "cannot write the compiled interpreter to {}",
                    path.display()
                ),
            )
            .because(error)
        })
    }

    /// SHA-256 of the interpreter's component, in hex.
    pub fn guest_digest(&self) -> &str {
        &self.inner.guest_digest
    }

    /// The version of the WebAssembly engine; fuel is comparable within one.
    pub fn engine_version(&self) -> &'static str {
        VERSION
    }

    /// How the engine is configured, for people.
    pub fn engine_configuration(&self) -> String {
        self.inner.settings.describe()
    }

    /// The digest of all settings of the engine that fuel depends on.
    pub fn fuel_configuration(&self) -> String {
        self.inner.settings.fuel_key()
    }

    /// The file that holds the compiled interpreter, or would.
    pub fn compiled_file(&self) -> Option<&Path> {
        self.inner.compiled.as_deref()
    }

    /// Returns what was not as it should be while the interpreter was loaded, with a remedy in each sentence. Waits as
    /// [`wait`](Self::wait) does.
    pub fn warnings(&self) -> &[String] {
        &self.inner.loaded.wait().warnings
    }

    /// Returns whether the interpreter is loaded, or could not be: only after
    /// [`Builder::build_in_background`] it may not be yet.
    pub fn is_ready(&self) -> bool {
        self.inner.loaded.get().is_some()
    }

    /// Waits until the interpreter is loaded, which blocks the thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Guest`] and [`ErrorKind::Host`] as [`Builder::build`], and [`ErrorKind::Guest`] without the feature
    /// `python`.
    pub fn wait(&self) -> Result<()> {
        self.python().map(drop)
    }

    pub(crate) fn python(&self) -> Result<&PythonPre<GuestState>> {
        match &self.inner.loaded.wait().python {
            Ok(python) => python.as_ref().ok_or_else(unavailable),
            Err(error) => Err(Error::new(error.kind(), error.to_string())),
        }
    }

    /// Returns how scripts are interrupted.
    pub fn metering(&self) -> Metering {
        self.inner.settings.metering
    }

    /// Refuses recordings and cassettes where fuel alone does not interrupt scripts. A program that is about to make their files
    /// asks before.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] with any [`Metering`] but [`Metering::Fuel`].
    pub fn check_records(&self) -> Result<()> {
        match self.metering() {
            Metering::Fuel => Ok(()),
            _ => Err(needs_fuel("a recording or a cassette")),
        }
    }

    /// Starts the threads that sessions come to need, for a process that can start none later.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Host`] if there is no thread to be had.
    pub fn prepare_threads(&self) -> Result<()> {
        self.inner.alarms.prepare();
        let Some(ticker) = self.ticker() else {
            return Ok(());
        };
        ticker.prepare().map_err(|error| {
            Error::new(ErrorKind::Host, "this machine has no thread for epochs").because(error)
        })
    }

    /// Returns what advances epochs, if there are any.
    pub(crate) fn ticker(&self) -> Option<&Ticker> {
        self.metering().has_epochs().then_some(&self.inner.ticker)
    }

    /// Returns whether memories are mapped page by page, and states of sessions are snapshots of them.
    pub(crate) fn has_pages(&self) -> bool {
        self.pages().is_some()
    }

    /// Returns the pages that memories are mapped from, if they are.
    pub(crate) fn pages(&self) -> Option<&Arc<Pages>> {
        self.inner.settings.pages.as_ref()
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.inner.engine
    }

    pub(crate) fn admission(&self) -> &Arc<Admission> {
        &self.inner.admission
    }

    /// What all sessions may take together.
    pub fn limits(&self) -> &SandboxLimits {
        self.inner.admission.limits()
    }

    /// What all sessions take together now.
    pub fn usage(&self) -> SandboxUsage {
        self.inner.admission.usage()
    }

    pub(crate) fn alarms(&self) -> &AlarmClock {
        &self.inner.alarms
    }
}

/// Returns whether the data of a component can be cut out, so that its memory can be mapped.
fn can_be_split(wasm: &[u8]) -> bool {
    rlm_sandbox_engine::pages::image::split(wasm, 0).is_some()
}

/// Returns the error for what a metering cannot do.
pub(crate) fn needs_fuel(refused: &str) -> Error {
    Error::usage(format!(
        "a session with {refused} cannot be metered by epochs; leave one of the two out (`--metering fuel` is the default)"
    ))
}

/// What is told where there is no interpreter.
pub(crate) fn unavailable() -> Error {
    Error::new(
        ErrorKind::Guest,
        "exec_python unavailable: rlm-sandbox was built without feature 'python'",
    )
}
