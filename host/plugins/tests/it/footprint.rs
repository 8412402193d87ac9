//! Resources of a process that instances of plugins take beside their memory: mappings,
//! descriptors, stacks and what the host keeps for them.

use std::sync::{Arc, Mutex, OnceLock};

use rlm_sandbox::{
    Allowance, ErrorKind, Plugin, PluginAnswer, PluginCall, PluginFunction, PluginMemory, Sandbox,
    Session,
};
use rlm_sandbox_plugins::{CompileBounds, Manifest, Registry, WasmPlugin, compile};
use serde_json::{Value as Json, json};

use crate::check::{block_on, load, registry};
use crate::files;

/// Names under which a session has a plugin: as many as it keeps instances.
const NAMES: usize = 16;
/// Bytes of the stack of an instance.
const STACK_BYTES: u64 = 3 << 20;

/// The plugin under [`NAMES`] names.
fn named(manifest: &str, text: &str) -> Vec<WasmPlugin> {
    let wasm = wat::parse_str(text).expect("a component");
    let named = (0..NAMES).map(|number| {
        let manifest = Manifest::parse(&format!("name = \"p{number}\"\n{manifest}"));
        registry().load(manifest.expect("a manifest"), &wasm)
    });
    named.collect::<Result<_, _>>().expect("loads")
}

fn new_sandbox() -> Sandbox {
    Sandbox::builder().build().expect("the interpreter loads")
}

fn open(sandbox: &Sandbox, plugins: &[WasmPlugin]) -> Session {
    let builder = sandbox.session();
    let builder = plugins
        .iter()
        .cloned()
        .fold(builder, |all, plugin| all.plugin(plugin));
    builder.open().expect("right")
}

#[track_caller]
fn given(session: &mut Session, code: &str) -> Json {
    let outcome = block_on(session.exec(code)).expect("runs");
    match outcome.value() {
        Ok(value) => value,
        Err(error) => panic!("{error}: {:?}", outcome.ending),
    }
}

/// Calls `f` of each plugin of [`named`] in one execution.
#[track_caller]
fn call_all(session: &mut Session, argument: &str) -> Json {
    let calls = (0..NAMES).map(|number| format!("p{number}.f({argument})"));
    given(
        session,
        &format!("[{}]", calls.collect::<Vec<_>>().join(", ")),
    )
}

/// A component of as many memories as one may have.
fn memories() -> String {
    let instances = (0..16).map(|number| format!("(core instance $i{number} (instantiate $m))"));
    format!(
        "(component (core module $m (memory 1) (func (export \"f\") (result i32) i32.const 7)) {} \
         (func (export \"f\") (result u32) (canon lift (core func $i0 \"f\"))))",
        instances.collect::<String>()
    )
}

#[test]
fn idle_instances_have_a_quarter_of_the_mappings_of_a_process() {
    let sandbox = new_sandbox();
    let plugins = named("keep = \"session\"", &memories());
    let mut sessions = Vec::new();
    let mut most = 0;
    for _ in 0..36 {
        let mut session = open(&sandbox, &plugins);
        assert_eq!(call_all(&mut session, ""), json!(vec![7; NAMES]));
        sessions.push(session);
        most = most.max(sandbox.usage().plugin_mappings);
        assert!(most <= 16 << 10, "{:?}", sandbox.usage());
    }
    // All that there may be, but for less than an instance.
    assert!(most > 16_000, "{most}");
    // Others run tests in this process.
    #[cfg(target_os = "linux")]
    {
        let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux");
        let maps = maps.lines().count();
        assert!(maps < 17_000, "{maps}");
    }
    drop(sessions);
    assert_eq!(sandbox.usage().plugin_mappings, 0);
}

/// A plugin that takes all mappings there are, and keeps them.
struct Hog(Arc<Mutex<PluginMemory>>);

impl Plugin for Hog {
    fn name(&self) -> &str {
        "hog"
    }

    fn functions(&self) -> Vec<PluginFunction> {
        vec![PluginFunction::new("f", [""; 0])]
    }

    fn allowance(&self) -> Allowance {
        Allowance::new(1, std::time::Duration::from_secs(1), 0)
    }

    async fn call(&self, call: PluginCall) -> PluginAnswer {
        let mut memory = call.memory();
        let most = memory.most_mappings();
        let answer = json!([memory.map(most), memory.map(1)]);
        *self.0.lock().expect("whole") = memory;
        PluginAnswer::new(Ok(answer))
    }
}

#[test]
fn an_instance_without_room_for_its_mappings_is_refused() {
    let sandbox = new_sandbox();
    let plugins = named("keep = \"session\"", &memories());
    let hog = Arc::<Mutex<PluginMemory>>::default();
    let builder = sandbox.session().plugin(Hog(Arc::clone(&hog)));
    let builder = builder.plugin(plugins[0].clone());
    let mut session = builder.open().expect("right");
    assert_eq!(given(&mut session, "p0.f()"), json!(7));
    // The idle instance makes room.
    assert_eq!(given(&mut session, "hog.f()"), json!([true, false]));
    assert_eq!(sandbox.usage().plugin_mappings, 16 << 10);
    let code = "try:\n    p0.f()\nexcept MemoryError as error:\n    answer = str(error)\nanswer";
    let refused = given(&mut session, code);
    let refused = refused.as_str().expect("text");
    assert!(
        refused.contains(
            "wanted more memory mappings, and the instances of plugins of all sessions may have 16384 together"
        ),
        "{refused}"
    );
    assert!(refused.ends_with("while it started"), "{refused}");
    *hog.lock().expect("whole") = PluginMemory::default();
    assert_eq!(given(&mut session, "p0.f()"), json!(7));
}

/// A component whose instances have references to so many functions in each of so many core
/// instances, and no memory.
fn references(functions: u32, instances: u32) -> String {
    let all = |part: &dyn Fn(u32) -> String, count| (0..count).map(part).collect::<String>();
    let define = all(&|number| format!("(func $f{number})"), functions);
    let names = all(&|number| format!(" $f{number}"), functions);
    let refer = all(
        &|number| format!("(global.set $g (ref.func $f{number}))"),
        functions,
    );
    let instances = all(
        &|number| format!("(core instance $i{number} (instantiate $m))"),
        instances,
    );
    format!(
        "(component (core module $m (global $g (mut funcref) (ref.null func)) {define} (elem declare func {names})
            (func $start {refer}) (start $start) (func (export \"f\") (result i32) i32.const 7)) {instances}
        (func (export \"f\") (result u32) (canon lift (core func $i0 \"f\"))))"
    )
}

#[test]
fn what_the_host_keeps_for_an_instance_counts() {
    let text = references(2000, 50);
    let wasm = wat::parse_str(&text).expect("a component");
    let cost = CompileBounds::default()
        .measure(&wasm)
        .expect("within the bounds");
    // A reference has four pointers.
    let references = 2000 * 50 * 32;
    assert!(cost.instance_bytes >= references, "{cost:?}");
    assert!(cost.instance_bytes < 2 * references, "{cost:?}");
    let sandbox = new_sandbox();
    let mut session = open(&sandbox, &named("keep = \"session\"", &text));
    assert_eq!(call_all(&mut session, ""), json!(vec![7; NAMES]));
    let bytes = sandbox.usage().plugin_bytes;
    let least = NAMES as u64 * (references + STACK_BYTES);
    assert!(bytes >= least && bytes < 2 * least, "{bytes}");
    drop(session);
    assert_eq!(sandbox.usage().plugin_bytes, 0);
}

#[test]
fn what_instances_take_counts_wherever_their_core_modules_are() {
    let measure = |text: &str| {
        let wasm = wat::parse_str(text).expect("a component");
        let cost = CompileBounds::default().measure(&wasm);
        cost.expect("within the bounds").instance_bytes
    };
    let functions = "(func)".repeat(1000);
    let module = format!("(core module $m {functions})");
    let twice = "(core instance (instantiate $m)) (core instance (instantiate $m))";
    let one = measure(&format!(
        "(component {module} (core instance (instantiate $m)))"
    ));
    assert!(one > 32_000, "{one}");
    // A small module beside it counts by itself.
    let small = "(core module $s) (core instance (instantiate $s))";
    let with_small = measure(&format!(
        "(component {module} {small} (core instance (instantiate $m)))"
    ));
    assert!(with_small < one + 2000, "{with_small} {one}");
    for text in [
        format!("(component {module} {twice})"),
        format!(
            "(component {module} (component $c (alias outer 1 $m (core module $m)) (core instance (instantiate $m)))
            (instance (instantiate $c)) (instance (instantiate $c)))"
        ),
        format!(
            "(component {module} (component $c (import \"m\" (core module $m)) {twice})
            (instance (instantiate $c (with \"m\" (core module $m)))))"
        ),
        format!(
            "(component (component $c {module} (export \"m\" (core module $m))) (instance $i (instantiate $c))
            (alias export $i \"m\" (core module $m)) {twice})"
        ),
    ] {
        let bytes = measure(&text);
        assert!(bytes >= 2 * one, "{bytes} {one}: {text}");
    }
    let many = format!(
        "(component (core module $m {}) {})",
        functions.repeat(2),
        "(core instance (instantiate $m))".repeat(400)
    );
    let error = load("", &many).expect_err("refused").to_string();
    assert!(
        error.contains("bytes of the host's memory for each instance"),
        "{error}"
    );
}

/// The descriptors of this process that lead to a folder.
#[cfg(target_os = "linux")]
pub(crate) fn descriptors(folder: &std::path::Path) -> usize {
    let folder = folder.canonicalize().expect("there");
    let all = std::fs::read_dir("/proc/self/fd").expect("Linux");
    let paths = all.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    paths.filter(|path| *path == folder).count()
}

#[cfg(target_os = "linux")]
#[test]
fn instances_share_the_folders_of_their_plugin() {
    let folder = files::folder();
    let path = folder.path().to_str().expect("text");
    let manifest = format!("keep = \"session\"\nallowed_paths = {{ \"{path}\" = \"/g\" }}");
    let plugins = named(&manifest, &files::component());
    let sandbox = new_sandbox();
    let mut sessions = [open(&sandbox, &plugins), open(&sandbox, &plugins)];
    for session in &mut sessions {
        let calls = (0..NAMES).map(|number| format!("p{number}.stream(1)"));
        let code = format!("[{}]", calls.collect::<Vec<_>>().join(", "));
        assert_eq!(given(session, &code), json!(vec![0; NAMES]));
    }
    assert_eq!(descriptors(folder.path()), 1);
    drop(sessions);
    drop(plugins);
}

#[test]
fn a_manifest_grants_few_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let granted = |count: usize| {
        let paths = (0..count).map(|number| {
            let path = folder.path().join(number.to_string());
            std::fs::create_dir_all(&path).expect("made");
            format!("\"{}\" = \"/g{number}\"", path.display())
        });
        let paths = paths.collect::<Vec<_>>().join(", ");
        let text =
            "(component (core module $m (func (export \"f\"))) (core instance $i (instantiate $m))
            (func (export \"f\") (canon lift (core func $i \"f\"))))";
        load(&format!("allowed_paths = {{ {paths} }}"), text)
    };
    granted(32).expect("loads");
    let error = granted(33).expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(
        error
            .to_string()
            .contains("there are 33 folders, and 32 are permitted"),
        "{error}"
    );
}

#[test]
fn few_different_plugins_are_loaded_at_once() {
    // A file of compiled code for each would be more than some systems let a process open.
    let compiled = OnceLock::new();
    let registry = Registry::builder().no_cache().compiler(move |request| {
        let compile = || compile(request.configuration, request.wasm).expect("compiled");
        Ok(compiled.get_or_init(compile).clone())
    });
    let registry = registry.build().expect("an engine");
    let text =
        "(component (core module $m (func (export \"f\"))) (core instance $i (instantiate $m))
        (func (export \"f\") (canon lift (core func $i \"f\"))))";
    let wasm = wat::parse_str(text).expect("a component");
    let load = |name: &str, fuel: usize| {
        let manifest = format!("name = \"{name}\"\n[limits]\nfuel = {fuel}");
        registry.load(Manifest::parse(&manifest).expect("a manifest"), &wasm)
    };
    let mut held: Vec<_> = (0..1024)
        .map(|number| load("a", 1 + number).expect("loads"))
        .collect();
    let error = load("b", 2000).expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::Host);
    assert!(
        error
            .to_string()
            .contains("1024 plugins of different components or manifests are loaded"),
        "{error}"
    );
    // One that is loaded has another name, and what is not used makes room.
    load("c", 1).expect("loads");
    held.pop();
    load("a", 1).expect("replaces the last one");
    load("b", 2000).expect("loads");
}

#[test]
fn what_streams_read_in_advance_counts() {
    let folder = files::folder();
    let path = folder.path().to_str().expect("text");
    let manifest = format!("keep = \"session\"\nallowed_paths = {{ \"{path}\" = \"/g\" }}");
    let plugin = load(&manifest, &files::component()).expect("loads");
    let sandbox = new_sandbox();
    let mut session = open(&sandbox, &[plugin]);
    assert_eq!(given(&mut session, "test.streams(1)"), json!(0));
    let before = sandbox.usage().plugin_bytes;
    assert_eq!(given(&mut session, "test.streams(100)"), json!(0));
    let bytes = sandbox.usage().plugin_bytes - before;
    assert_eq!(bytes, 100 * (64 << 10));
    drop(session);
    assert_eq!(sandbox.usage().plugin_bytes, 0);
}
