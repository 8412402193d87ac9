//! Bytes that are nearly a plugin.
//!
//! Components are changed, and what still loads is called with whatever it is given,
//! by a script. The call has an answer or an exception, the script an outcome,
//! and the plugin beside it the answer that it always has.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use rlm_sandbox::{Limits, Plugin as _};
use rlm_sandbox_plugins::{Manifest, Registry, WasmPlugin};
use serde::{Deserialize, Serialize};

use crate::parked::{Edit, edit, edits};
use crate::sandboxed::{answers, described, exec};
use crate::target::Target;

pub(crate) struct PluginBytes;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Changed {
    component: usize,
    edits: Vec<Edit>,
    arguments: Vec<String>,
}

/// Code that loops, calls itself, grows what it has and jumps by a number; text
/// that goes through memory; a list of records.
const COMPONENTS: [&str; 3] = [
    "(component (core module $m
        (memory (export \"memory\") 1) (table 2 funcref) (global $g (mut i32) (i32.const 1))
        (func $spin (export \"spin\") (param i32) (result i32) (local i32)
            (loop $again (local.set 1 (i32.add (local.get 1) (i32.const 1)))
                (br_if $again (i32.lt_u (local.get 1) (local.get 0)))) (local.get 1))
        (func $deep (export \"deep\") (param i32) (result i32)
            (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 0))
                (else (i32.add (i32.const 1) (call $deep (i32.sub (local.get 0) (i32.const 1)))))))
        (func (export \"grow\") (param i32) (result i32)
            (i32.store (i32.const 8) (memory.grow (local.get 0))) (i32.load (i32.const 8)))
        (func (export \"pick\") (param i32) (result i32)
            (call_indirect (param i32) (result i32) (i32.const 3) (local.get 0)))
        (elem (i32.const 0) $spin $deep))
      (core instance $i (instantiate $m))
      (func (export \"spin\") (param \"n\" u32) (result u32) (canon lift (core func $i \"spin\")))
      (func (export \"deep\") (param \"n\" u32) (result u32) (canon lift (core func $i \"deep\")))
      (func (export \"grow\") (param \"n\" u32) (result u32) (canon lift (core func $i \"grow\")))
      (func (export \"pick\") (param \"n\" u32) (result u32) (canon lift (core func $i \"pick\"))))",
    "(component (core module $m
        (memory (export \"memory\") 1) (global $free (mut i32) (i32.const 64))
        (func (export \"realloc\") (param i32 i32 i32 i32) (result i32) (local i32)
            (local.set 4 (global.get $free))
            (global.set $free (i32.add (global.get $free) (local.get 3))) (local.get 4))
        (func (export \"same\") (param i32 i32) (result i32)
            (i32.store (i32.const 16) (local.get 0)) (i32.store (i32.const 20) (local.get 1)) (i32.const 16)))
      (core instance $i (instantiate $m))
      (func (export \"same\") (param \"text\" string) (result string)
        (canon lift (core func $i \"same\") (memory (core memory $i \"memory\"))
            (realloc (core func $i \"realloc\")))))",
    "(component
      (type $r' (record (field \"line\" u32) (field \"text\" (option string)) (field \"tags\" (list u8))))
      (export $r \"row\" (type $r'))
      (core module $m
        (memory (export \"memory\") 1) (global $free (mut i32) (i32.const 64))
        (func (export \"realloc\") (param i32 i32 i32 i32) (result i32) (local i32)
            (local.set 4 (i32.and (i32.add (global.get $free) (i32.const 7)) (i32.const -8)))
            (global.set $free (i32.add (local.get 4) (local.get 3))) (local.get 4))
        (func (export \"rows\") (param i32 i32) (result i32)
            (i32.store (i32.const 16) (local.get 0)) (i32.store (i32.const 20) (local.get 1)) (i32.const 16)))
      (core instance $i (instantiate $m))
      (func (export \"rows\") (param \"rows\" (list $r)) (result (list $r))
        (canon lift (core func $i \"rows\") (memory (core memory $i \"memory\"))
            (realloc (core func $i \"realloc\")))))",
];

/// What is handed over.
const ARGUMENTS: [&str; 12] = [
    "0",
    "7",
    "2 ** 31",
    "2 ** 64",
    "-1",
    "1.5",
    "None",
    "'text'",
    "'\\ud7ff' * 5000",
    "[]",
    "[{'line': 1, 'text': None, 'tags': [1, 2]}] * 50",
    "{'line': []}",
];

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let registry = Registry::builder().no_cache().pool(8);
    registry.build().expect("an engine")
});

static WHOLE: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let whole = COMPONENTS.iter().map(wat::parse_str);
    whole.map(|bytes| bytes.expect("a component")).collect()
});

/// The one beside, which must not notice.
static GOOD: LazyLock<WasmPlugin> = LazyLock::new(|| load("good", &WHOLE[0]).expect("it loads"));

fn load(name: &str, bytes: &[u8]) -> rlm_sandbox::Result<WasmPlugin> {
    let mut manifest = Manifest::named(name);
    manifest.limits.fuel = Some(2_000_000);
    REGISTRY.load(manifest, bytes)
}

impl Target for PluginBytes {
    type Input = Changed;
    const NAME: &'static str = "plugins";

    fn inputs() -> BoxedStrategy<Changed> {
        let argument = prop::sample::select(&ARGUMENTS[..]).prop_map(str::to_owned);
        (
            0..COMPONENTS.len(),
            edits(),
            prop::collection::vec(argument, 0..3),
        )
            .prop_map(|(component, edits, arguments)| Changed {
                component,
                edits,
                arguments,
            })
            .boxed()
    }

    fn attempt(changed: &Changed) -> Result<(), String> {
        let mut bytes = WHOLE[changed.component].clone();
        edit(&mut bytes, &changed.edits);
        let Ok(plugin) = load("changed", &bytes) else {
            return Ok(());
        };
        let mut session = described(Limits::default())
            .plugin(plugin.clone())
            .plugin(GOOD.clone())
            .open()
            .map_err(|error| error.to_string())?;
        let arguments = changed.arguments.join(", ");
        for function in plugin.functions() {
            let name = function.name.as_str();
            let source = format!(
                "try:\n    r = changed.{name}({arguments})\nexcept Exception as e:\n    r = type(e).__name__\ngood.spin(5)"
            );
            let outcome = exec(&mut session, &source)?;
            if outcome.value::<u32>().ok() != Some(5) {
                return Err(format!("{source}: {outcome:?}"));
            }
        }
        answers(&mut session)
    }
}
