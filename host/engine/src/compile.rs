//! From a component to code that can run, by way of the cache.

use std::any::Any;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use wasmtime::Engine;
use wasmtime::component::Component;

use crate::cache;
use crate::error::{Error, ErrorKind, Result};
use crate::pages::Pages;
#[cfg(feature = "compiler")]
use crate::pages::image::split;
use crate::settings::can_reserve;
use crate::turn::Turn;

/// Compiles the component with these bytes for an engine.
pub type Compiler<'a> = dyn Fn(&Engine, &[u8]) -> Result<Vec<u8>> + 'a;

/// Checks compiled code before it is kept.
pub type Check<'a> = dyn Fn(&Component) -> Result<()> + 'a;

/// Differences from the usual way of compiling.
#[derive(Default)]
pub struct Steps<'a> {
    /// The compiler. Default: [`precompile`].
    pub compiler: Option<&'a Compiler<'a>>,
    /// A check of code that was just compiled. Code that it refuses is not kept.
    pub check: Option<&'a Check<'a>>,
    /// Pages from which the memories of the guest are mapped. They get its image.
    pub pages: Option<&'a Pages>,
}

impl std::fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps").finish_non_exhaustive()
    }
}

/// Loads the code of a component from `path`, or else compiles it and keeps it
/// there. `wasm` is asked for the component only if it is compiled. `what` it is
/// stands in messages, and what could be better goes to `warnings`, each with a
/// remedy.
///
/// # Errors
///
/// [`ErrorKind::Guest`] if it has to be compiled and cannot be;
/// [`ErrorKind::Host`] if there is no memory for it; the errors of `steps`.
pub fn load_or_compile<'a>(
    engine: &Engine,
    what: &str,
    wasm: impl FnOnce() -> Cow<'a, [u8]>,
    path: Option<&Path>,
    steps: Steps<'_>,
    on_compile: Option<Box<dyn FnOnce() + Send>>,
    warnings: &mut Vec<String>,
) -> Result<Component> {
    let path = path.filter(|_| cache::IS_SUPPORTED);
    let look = || -> Result<Option<Component>> {
        match path.filter(|path| path.exists()) {
            Some(path) => cache::load(engine, path, steps.pages).map(Some),
            None => Ok(None),
        }
    };
    match look() {
        Ok(Some(component)) => return Ok(component),
        Ok(None) => {}
        // To compile it takes far more memory.
        Err(error) if error.kind() == ErrorKind::Host => return Err(error),
        Err(error) => warnings.push(error.to_string()),
    }
    if let Some(tell) = on_compile {
        tell();
    }
    // Of many processes that start at once, one compiles.
    let _turn = path.and_then(Turn::take);
    match look() {
        Ok(Some(component)) => return Ok(component),
        Err(error) if error.kind() == ErrorKind::Host => return Err(error),
        // Whatever was wrong with it has been said.
        Ok(None) | Err(_) => {}
    }
    let code = match steps.compiler {
        Some(compiler) => compiler(engine, &wasm())?,
        None => {
            let wasm = wasm();
            check_room(what, wasm.len())?;
            precompile(engine, what, &wasm, steps.pages)?
        }
    };
    if let Some(check) = steps.check {
        check(&in_memory(engine, what, &code, None)?)?;
    }
    let Some(path) = path else {
        let (why, remedy) = match cache::IS_SUPPORTED {
            true => (
                "there is no folder for compiled code",
                "; set RLM_SANDBOX_CACHE",
            ),
            false => (
                "this system does not say who may write a file of compiled code",
                "",
            ),
        };
        warnings.push(format!(
            "{why}, so every process compiles {what} again{remedy}"
        ));
        return in_memory(engine, what, &code, steps.pages);
    };
    match cache::store(path, &code) {
        Ok(()) => cache::load(engine, path, steps.pages)
            .or_else(|_| in_memory(engine, what, &code, steps.pages)),
        Err(error) => {
            warnings.push(format!(
                "{what} as compiled cannot be kept in {} ({error}), so every process compiles it again; set \
                 RLM_SANDBOX_CACHE to a folder that you can write",
                path.parent().unwrap_or(path).display()
            ));
            in_memory(engine, what, &code, steps.pages)
        }
    }
}

/// Address space that compiling takes, for each byte of a component: the interpreter, of 13 MB, is compiled under
/// `ulimit -v 700000`, and not under 600000.
const ROOM_FOR_EACH_BYTE: usize = 48;

/// Checks that a component of so many bytes can be compiled in this process. A process that runs out of memory
/// while it compiles is aborted.
fn check_room(what: &str, bytes: usize) -> Result<()> {
    let needed = bytes.saturating_mul(ROOM_FOR_EACH_BYTE);
    if can_reserve(needed) {
        return Ok(());
    }
    let message = format!(
        "compiling {what} takes {} MiB of address space, and this process may not have so much more; raise its limit \
         (`ulimit -v`), or compile it elsewhere, with `rlm-sandbox compile -o FILE`, and load that file",
        needed >> 20
    );
    Err(Error::new(ErrorKind::Host, message))
}

fn in_memory(engine: &Engine, what: &str, code: &[u8], pages: Option<&Pages>) -> Result<Component> {
    cache::from_bytes(engine, code, pages).map_err(|error| {
        let message = format!("cannot load {what} that was just compiled");
        Error::new(ErrorKind::Host, message).because(error)
    })
}

/// Beginning of the source of an error that was a panic.
pub const PANICKED: &str = "the compiler failed: ";

/// Calls `read`, which parses or compiles a component, and turns its panic into an error:
/// a component that the engine did not expect must not end the process.
///
/// The panic hook runs, so the message is on standard error, too.
///
/// # Errors
///
/// Those of `read`, and [`ErrorKind::Guest`] with the message of a panic.
pub fn catch_panic<T>(what: &str, read: impl FnOnce() -> Result<T>) -> Result<T> {
    // What `read` has changed when it panics is its own, or behind a lock that is poisoned then.
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let why = format!("{PANICKED}{}", panic_message(&*panic));
        Err(
            Error::new(ErrorKind::Guest, format!("cannot compile {what}"))
                .because(std::io::Error::other(why)),
        )
    })
}

/// Returns the beginning of a panic's message.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    const CHARACTERS: usize = 300;
    let message = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(message), _) => message,
        (None, Some(message)) => message.as_str(),
        (None, None) => "a panic without a message",
    };
    message.chars().take(CHARACTERS).collect()
}

/// Compiles a component. With `pages` its data is cut out and stands behind the code.
///
/// # Errors
///
/// [`ErrorKind::Guest`] if that is no component that this engine takes, the compiler
/// panics, or this program was built without a compiler.
#[cfg(feature = "compiler")]
pub fn precompile(
    engine: &Engine,
    what: &str,
    wasm: &[u8],
    pages: Option<&Pages>,
) -> Result<Vec<u8>> {
    let failed = || Error::new(ErrorKind::Guest, format!("cannot compile {what}"));
    catch_panic(what, || {
        let compile = |wasm| {
            let compiled = engine.precompile_component(wasm);
            compiled.map_err(|error| failed().because(error))
        };
        let Some(pages) = pages else {
            return compile(wasm);
        };
        let (code, data) = split(wasm, pages.stack_bytes()).ok_or_else(failed)?;
        let mut compiled = compile(&code)?;
        data.append_to(&mut compiled);
        Ok(compiled)
    })
}

/// Says that this program was built without a compiler.
///
/// # Errors
///
/// Always.
#[cfg(not(feature = "compiler"))]
pub fn precompile(
    _engine: &Engine,
    what: &str,
    _wasm: &[u8],
    _pages: Option<&Pages>,
) -> Result<Vec<u8>> {
    Err(Error::new(
        ErrorKind::Guest,
        format!(
            "{what} is not compiled, and this program was built without the feature `compiler`; make a compiled file \
             with `rlm-sandbox compile -o FILE` and pass it to `Builder::compiled`"
        ),
    ))
}

#[cfg(all(test, feature = "compiler"))]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_message() {
        let error = catch_panic("it", || -> Result<()> { panic!("a bug in line {}", 7) });
        let error = error.expect_err("a panic");
        assert_eq!(error.kind(), ErrorKind::Guest);
        let source = std::error::Error::source(&error).expect("the message");
        assert_eq!(source.to_string(), "the compiler failed: a bug in line 7");
    }

    #[test]
    fn of_ten_that_start_at_once_one_compiles() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/a.cwasm");
        let engine = Engine::default();
        let (start, compiled) = (Barrier::new(10), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..10 {
                scope.spawn(|| {
                    start.wait();
                    let empty = || {
                        compiled.fetch_add(1, Ordering::Relaxed);
                        Cow::Borrowed(&b"\0asm\x0d\0\x01\0"[..])
                    };
                    let mut warnings = Vec::new();
                    load_or_compile(
                        &engine,
                        "nothing",
                        empty,
                        Some(&path),
                        Steps::default(),
                        None,
                        &mut warnings,
                    )
                    .expect("it loads");
                    assert!(warnings.is_empty(), "{warnings:?}");
                });
            }
        });
        assert_eq!(compiled.load(Ordering::Relaxed), 1);
    }
}
