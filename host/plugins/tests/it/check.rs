//! How the tests use plugins.

use std::sync::LazyLock;

use rlm_sandbox::{Plugin as _, PluginAnswer, PluginCall, Sandbox};
use rlm_sandbox_plugins::{Manifest, Registry, WasmPlugin};
use serde_json::Value as Json;
use tokio::runtime::Runtime;

/// The interpreter is compiled once, into the target folder.
pub(crate) fn sandbox() -> &'static Sandbox {
    static SANDBOX: LazyLock<Sandbox> =
        LazyLock::new(|| Sandbox::new().expect("the interpreter loads"));
    &SANDBOX
}

/// The registry of most tests.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> =
        LazyLock::new(|| Registry::builder().no_cache().build().expect("an engine"));
    &REGISTRY
}

/// Runs a future as an embedder would.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));
    RUNTIME.block_on(future)
}

/// A plugin in WebAssembly's text form.
#[track_caller]
pub(crate) fn plugin(manifest: &str, text: &str) -> WasmPlugin {
    load(manifest, text).expect("loads")
}

/// The same, if it can be loaded.
#[track_caller]
pub(crate) fn load(manifest: &str, text: &str) -> rlm_sandbox::Result<WasmPlugin> {
    let wasm = wat::parse_str(text).expect("a component");
    let manifest = format!("name = \"test\"\n{manifest}");
    registry().load(Manifest::parse(&manifest).expect("a manifest"), &wasm)
}

/// Calls a function with these arguments.
pub(crate) fn call(plugin: &WasmPlugin, function: &str, arguments: Json) -> PluginAnswer {
    block_on(plugin.call(PluginCall::new(plugin, function, arguments)))
}

/// What it gives.
#[track_caller]
pub(crate) fn value(plugin: &WasmPlugin, function: &str, arguments: Json) -> Json {
    call(plugin, function, arguments).answer.expect("a value")
}

/// The class and the message of the exception it ends in.
#[track_caller]
pub(crate) fn error(plugin: &WasmPlugin, function: &str, arguments: Json) -> (String, String) {
    let error = call(plugin, function, arguments).answer.expect_err("fails");
    let exception = error.exception().clone();
    (exception.kind, exception.message)
}

/// A component with one core module in it, whose exports of the same names are
/// functions without parameters and results.
pub(crate) fn of_module(module: &str, functions: &[&str]) -> String {
    let functions = functions
        .iter()
        .map(|name| format!("(func (export \"{name}\") (canon lift (core func $i \"{name}\")))\n"));
    format!(
        "(component (core module $m {module})\n(core instance $i (instantiate $m))\n{})",
        functions.collect::<String>()
    )
}

/// A component whose `f` gives back what it is given, of a type that goes through
/// memory: what is handed over lies where `realloc` says, and its place is what is
/// given back.
pub(crate) fn echo_in_memory(types: &str, ty: &str) -> String {
    format!(
        "(component {types}
         (core module $m (memory (export \"memory\") 2) (global $next (mut i32) (i32.const 1024))
           (func (export \"realloc\") (param i32 i32 i32 i32) (result i32) (local i32)
             (global.set $next (i32.and (i32.add (global.get $next) (i32.const 15)) (i32.const -16)))
             (local.set 4 (global.get $next))
             (global.set $next (i32.add (global.get $next) (local.get 3)))
             local.get 4)
           (func (export \"f\") (param i32 i32) (result i32)
             (i32.store (i32.const 16) (local.get 0)) (i32.store (i32.const 20) (local.get 1)) i32.const 16))
         (core instance $i (instantiate $m))
         (func (export \"f\") (param \"value\" {ty}) (result {ty})
           (canon lift (core func $i \"f\") (memory (core memory $i \"memory\")) (realloc (core func $i \"realloc\")))))"
    )
}

/// A component of two, each with a memory, of which one calls the other with two strings in these
/// encodings.
pub(crate) fn of_two_memories(encodings: [&str; 2]) -> String {
    let memory = "(core module $memory (memory (export \"m\") 1)
            (func (export \"r\") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
        (core instance $memory (instantiate $memory))";
    let options = |encoding: &str| {
        format!(
            "string-encoding={encoding} (memory (core memory $memory \"m\")) (realloc (core func $memory \"r\"))"
        )
    };
    let ty = "(func $f (param \"a\" string) (param \"b\" string))";
    format!(
        "(component
         (component $a {memory}
           (core module $m (func (export \"f\") (param i32 i32 i32 i32)))
           (core instance $i (instantiate $m))
           (func (export \"f\") (param \"a\" string) (param \"b\" string)
             (canon lift (core func $i \"f\") {})))
         (instance $a (instantiate $a))
         (component $b {memory} (import \"f\" {ty})
           (core func $f (canon lower (func $f) {}))
           (core module $m (import \"\" \"f\" (func $f (param i32 i32 i32 i32)))
             (func (export \"g\") (call $f (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 1))))
           (core instance $i (instantiate $m (with \"\" (instance (export \"f\" (func $f))))))
           (func (export \"g\") (canon lift (core func $i \"g\"))))
         (instance $b (instantiate $b (with \"f\" (func $a \"f\"))))
         (export \"g\" (func $b \"g\")))",
        options(encodings[1]),
        options(encodings[0])
    )
}
