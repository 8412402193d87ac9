//! Loading: what is pinned, what lies in folders, and files that are no plugins.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rlm_sandbox::{ErrorKind, Plugin as _};
use rlm_sandbox_plugins::{Manifest, Registry};
use serde_json::json;

use crate::check::{registry, value};
#[cfg(target_os = "linux")]
use crate::footprint::descriptors;

const SEVEN: &str = "(component (core module $m (func (export \"f\") (result i32) i32.const 7))
    (core instance $i (instantiate $m))
    (func (export \"get-seven\") (result u32) (canon lift (core func $i \"f\"))))";

fn seven() -> Vec<u8> {
    wat::parse_str(SEVEN).expect("a component")
}

#[track_caller]
fn refused(wasm: &[u8], told: &str) {
    let error = registry()
        .load(Manifest::named("a"), wasm)
        .expect_err("refused");
    assert!(error.to_string().contains(told), "{error}");
    assert!(
        matches!(error.kind(), ErrorKind::Usage | ErrorKind::Guest),
        "{error:?}"
    );
}

#[test]
fn a_manifest_pins_its_file() {
    let seven = registry()
        .load(Manifest::named("seven"), &seven())
        .expect("loads");
    let mut manifest = Manifest::named("seven");
    manifest.wasm.hash = Some(seven.digest().to_uppercase());
    registry()
        .load(manifest.clone(), &self::seven())
        .expect("it is the one");
    manifest.wasm.hash = Some("0".repeat(64));
    let error = registry()
        .load(manifest, &self::seven())
        .expect_err("another")
        .to_string();
    assert!(
        error.contains(&format!("write hash = \"{}\"", seven.digest())),
        "{error}"
    );
    let strict = Registry::builder()
        .no_cache()
        .require_hashes()
        .build()
        .expect("an engine");
    let error = strict
        .load(Manifest::named("seven"), &self::seven())
        .expect_err("not pinned");
    assert!(
        error.to_string().contains("does not pin its file"),
        "{error}"
    );
}

#[test]
fn names_come_from_files_and_functions_from_exports() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("lucky-number.wasm"), seven()).expect("written");
    let plugin = registry()
        .load_file(at("lucky-number.wasm"))
        .expect("loads");
    assert_eq!(plugin.name(), "lucky_number");
    let functions = plugin.functions();
    assert_eq!(functions[0].name, "get_seven");
    assert_eq!(functions[0].doc, "get_seven() -> int");
    assert_eq!(value(&plugin, "get_seven", json!([])), json!(7));
    assert_eq!(value(&plugin, "get-seven", json!([])), json!(7));

    // Its manifest lies beside it, or is what is loaded.
    fs::write(
        at("lucky-number.toml"),
        "name = \"lucky\"\n[limits]\nfuel = 5000",
    )
    .expect("written");
    for name in ["lucky-number.wasm", "lucky-number.toml"] {
        let plugin = registry().load_file(at(name)).expect("loads");
        assert_eq!((plugin.name(), plugin.limits().fuel), ("lucky", 5000));
    }
    let plugin = registry()
        .load_file_as("eight", at("lucky-number.wasm"))
        .expect("loads");
    assert_eq!((plugin.name(), plugin.limits().fuel), ("eight", 5000));
    fs::write(
        at("other.toml"),
        "exports = [\"nothing\"]\n[wasm]\npath = \"lucky-number.wasm\"",
    )
    .expect("written");
    let error = registry()
        .load_file(at("other.toml"))
        .expect_err("no such function")
        .to_string();
    assert!(
        error.contains("names `nothing`, which it does not export; it exports get-seven"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_manifest_that_others_put_beside_a_component_is_refused() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("seven.wasm"), seven()).expect("written");
    fs::write(at("seven.toml"), "[limits]\nfuel = 5000").expect("written");
    let mode = |name: &str, mode| {
        fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).expect("changed");
    };
    let error = || {
        let beside = registry().load_file(at("seven.wasm")).map(drop);
        let in_folder = registry().load_folder(folder.path()).map(drop);
        (beside.err(), in_folder.err())
    };
    let is_told = |error: Option<rlm_sandbox::Error>, why: &str| {
        error.is_some_and(|error| error.to_string().contains(why))
    };
    // A group is the owner's choice.
    mode("seven.toml", 0o664);
    assert!(matches!(error(), (None, None)));
    mode("seven.toml", 0o666);
    let (beside, in_folder) = error();
    assert!(
        is_told(beside, "all users may write it") && is_told(in_folder, "all users may write it")
    );
    // One that is named is trusted.
    registry().load_file(at("seven.toml")).expect("named");
    mode("seven.toml", 0o644);
    if fs::metadata(folder.path()).expect("there").uid() != 0 {
        // Only root can give a file away.
        return;
    }
    chown(at("seven.toml"), Some(65534), None).expect("given away");
    let (beside, in_folder) = error();
    assert!(
        is_told(beside, "belongs to another user") && is_told(in_folder, "belongs to another user")
    );
    // A folder that is read as its owner wants it.
    chown(folder.path(), Some(65534), None).expect("given away");
    let (beside, in_folder) = error();
    assert!(is_told(beside, "belongs to another user") && in_folder.is_none());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777)).expect("changed");
    assert!(is_told(error().1, "belongs to another user"));
}

#[test]
fn a_folder_is_loaded_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for name in ["b.wasm", "a.wasm", "c.wasm"] {
        fs::write(at(name), seven()).expect("written");
    }
    fs::write(at("pinned.toml"), "[wasm]\npath = \"c.wasm\"").expect("written");
    fs::write(at("readme.md"), "not a plugin").expect("written");
    let registry = Registry::builder().no_cache().build().expect("an engine");
    let plugins = registry.load_folder(folder.path()).expect("loads");
    let names: Vec<_> = plugins.iter().map(|plugin| plugin.name()).collect();
    assert_eq!(names, ["pinned", "a", "b"]);
    assert_eq!(registry.plugins().len(), 3);
    assert!(registry.plugin("b").is_some() && registry.plugin("c").is_none());
    fs::write(at("broken.toml"), "name =").expect("written");
    let error = registry
        .load_folder(folder.path())
        .expect_err("broken")
        .to_string();
    assert!(
        error.contains("broken.toml: the manifest cannot be read"),
        "{error}"
    );
    assert!(registry.load_folder(at("nowhere")).is_err());
}

#[test]
fn files_that_are_no_plugins_are_told_what_to_do() {
    refused(b"", "it is no WebAssembly");
    refused(b"\x7fELF and so on", "it is no WebAssembly");
    refused(b"\0asm\x0d\0\x01\0\xff\xff\xff", "it is damaged");
    refused(SEVEN.as_bytes(), "wasm-tools parse");
    let module = wat::parse_str("(module (import \"wasi_snapshot_preview1\" \"fd_write\" (func)))");
    refused(&module.expect("a module"), "--target wasm32-wasip2");
    let javy = wat::parse_str("(module (import \"javy_quickjs_provider_v3\" \"eval\" (func)))");
    refused(&javy.expect("a module"), "jco componentize");
    let whole = seven();
    for cut in [whole.len() / 2, whole.len() - 1, 12] {
        refused(&whole[..cut], "it is damaged");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("huge.wasm");
    fs::File::create(&path)
        .and_then(|file| file.set_len(65 << 20))
        .expect("made");
    let error = registry().load_file(&path).expect_err("huge").to_string();
    assert!(error.contains("larger than 64 MiB"), "{error}");
    let error = registry()
        .load_file(folder.path())
        .expect_err("a folder")
        .to_string();
    assert!(error.contains("is no file"), "{error}");
    let error = registry()
        .load_file(folder.path().join("none.wasm"))
        .expect_err("nothing");
    assert!(error.to_string().contains("cannot be read"), "{error}");
}

#[test]
fn compiled_plugins_lie_in_the_cache() {
    let folder = tempfile::tempdir().expect("a folder");
    let load = || {
        let registry = Registry::builder()
            .cache_folder(folder.path())
            .build()
            .expect("an engine");
        registry
            .load(Manifest::named("seven"), &seven())
            .expect("loads")
    };
    assert_eq!(value(&load(), "get_seven", json!([])), json!(7));
    let files = || {
        let files = fs::read_dir(folder.path()).expect("a folder");
        files
            .map(|file| file.expect("a file").path())
            .collect::<Vec<_>>()
    };
    let [file] = &files()[..] else {
        panic!("{:?}", files());
    };
    assert!(
        file.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("plugin-"))
    );
    assert_eq!(value(&load(), "get_seven", json!([])), json!(7));
    fs::write(file, b"damaged").expect("written");
    assert_eq!(value(&load(), "get_seven", json!([])), json!(7));
    assert_eq!(files().len(), 1);
}

#[test]
fn what_it_is_can_be_read() {
    let plugin = registry()
        .load(Manifest::named("seven"), &seven())
        .expect("loads");
    let inspected = serde_json::to_value(plugin.inspect()).expect("JSON");
    assert_eq!(inspected["imports"], json!([]));
    assert_eq!(
        inspected["functions"][0]["output_schema"],
        json!({"type": "integer", "minimum": 0, "maximum": u32::MAX})
    );
}

#[test]
fn one_that_was_replaced_goes_on_for_who_has_it() {
    let eight = SEVEN.replace("i32.const 7", "i32.const 8");
    let eight = wat::parse_str(eight).expect("a component");
    let first = registry()
        .load(Manifest::named("replaced"), &seven())
        .expect("loads");
    let second = registry()
        .load(Manifest::named("replaced"), &eight)
        .expect("loads");
    assert_ne!(first.digest(), second.digest());
    assert_eq!(value(&first, "get_seven", json!([])), json!(7));
    let found = registry().plugin("replaced").expect("there");
    assert_eq!(value(&found, "get_seven", json!([])), json!(8));
}

#[test]
fn plugins_that_nothing_uses_are_dropped_up_to_a_number() {
    let builder = Registry::builder().no_cache().unused_plugins(2);
    let registry = builder.build().expect("an engine");
    let load = |name: &str| {
        let manifest = format!("name = '{name}'\nallowed_paths = {{'/tmp' = '/tmp'}}");
        let manifest = Manifest::parse(&manifest).expect("a manifest");
        registry.load(manifest, &seven()).expect("loads")
    };
    let names = || -> Vec<String> {
        let plugins = registry.plugins();
        plugins
            .iter()
            .map(|plugin| plugin.name().to_owned())
            .collect()
    };
    let held = load("held");
    for name in ["a", "b", "c"] {
        load(name);
    }
    // The last one is held while it is loaded.
    assert_eq!(names(), ["a", "b", "c", "held"]);
    assert!(registry.plugin("a").is_some());
    load("d");
    assert_eq!(names(), ["a", "c", "d", "held"]);
    assert_eq!(value(&held, "get_seven", json!([])), json!(7));
    let mut session = crate::check::sandbox().session();
    session = session.plugin(load("used"));
    let session = session.open().expect("right");
    #[cfg(target_os = "linux")]
    let descriptors = || fs::read_dir("/proc/self/fd").expect("listed").count();
    #[cfg(target_os = "linux")]
    let before = descriptors();
    for number in 0..100 {
        load(&format!("p{number}"));
    }
    // Other tests open files meanwhile.
    #[cfg(target_os = "linux")]
    assert!(descriptors() < before + 60, "{before} {}", descriptors());
    assert_eq!(names(), ["held", "p97", "p98", "p99", "used"]);
    drop(session);
    load("last");
    assert_eq!(names(), ["held", "last", "p98", "p99"]);
    // Also where nothing more is loaded.
    drop(held);
    registry.drop_unused();
    assert_eq!(names(), ["last", "p99"]);
    let used = [load("q0"), load("q1"), load("q2")];
    drop(used);
    let refused = registry.load(Manifest::named("bad"), b"");
    refused.expect_err("no component");
    assert_eq!(names(), ["q1", "q2"]);
}

/// A registry that counts the components that it has compiled.
fn counting() -> (Registry, Arc<AtomicUsize>) {
    let compiled = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&compiled);
    let builder = Registry::builder().no_cache().compiler(move |request| {
        count.fetch_add(1, Ordering::Relaxed);
        rlm_sandbox_plugins::compile(request.configuration, request.wasm)
    });
    (builder.build().expect("an engine"), compiled)
}

#[test]
fn equal_plugins_are_loaded_once() {
    let (registry, compiled) = counting();
    let load = |name: &str, more: &str| {
        let manifest = format!("name = '{name}'\n{more}");
        let manifest = Manifest::parse(&manifest).expect("a manifest");
        registry.load(manifest, &seven()).expect("loads")
    };
    let compiled = || compiled.load(Ordering::Relaxed);
    let first = load("p", "");
    let others: Vec<_> = (0..100)
        .map(|number| load(&format!("p{number}"), ""))
        .collect();
    assert_eq!(compiled(), 1);
    assert_eq!(
        (others[99].name(), others[99].digest()),
        ("p99", first.digest())
    );
    assert_eq!(value(&others[99], "get_seven", json!([])), json!(7));
    // Another plugin has the name meanwhile.
    let eight = SEVEN.replace("i32.const 7", "i32.const 8");
    let eight = wat::parse_str(eight).expect("a component");
    let eight = registry.load(Manifest::named("p"), &eight).expect("loads");
    assert_eq!(compiled(), 2);
    load("p", "");
    assert_eq!(compiled(), 2);
    assert_eq!(value(&eight, "get_seven", json!([])), json!(8));
    // Other limits are for those who have them.
    let other = load("p", "[limits]\nfuel = 5000");
    assert_eq!(compiled(), 2);
    assert_eq!(
        (other.limits().fuel, first.limits().fuel),
        (5000, others[0].limits().fuel)
    );
    // A grant is for the folder that is there.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("granted");
    fs::create_dir(&path).expect("made");
    let grants = format!("allowed_paths = {{'{}' = '/granted'}}", path.display());
    let _held = [load("a", &grants), load("b", &grants)];
    let old = folder.path().join("old");
    fs::rename(&path, &old).expect("renamed");
    fs::create_dir(&path).expect("made");
    let _also_held = [load("c", &grants), load("d", &grants)];
    assert_eq!(compiled(), 2);
    #[cfg(target_os = "linux")]
    assert_eq!((descriptors(&old), descriptors(&path)), (1, 1));
}

#[test]
fn what_nothing_uses_is_loaded_anew() {
    let (registry, compiled) = counting();
    registry
        .load(Manifest::named("a"), &seven())
        .expect("loads");
    // The same name, so the first is gone.
    let eight = SEVEN.replace("i32.const 7", "i32.const 8");
    let eight = wat::parse_str(eight).expect("a component");
    registry.load(Manifest::named("a"), &eight).expect("loads");
    registry
        .load(Manifest::named("a"), &seven())
        .expect("loads");
    assert_eq!(compiled.load(Ordering::Relaxed), 3);
}

#[test]
fn what_a_plugin_takes_beside_its_code_is_counted() {
    let bytes = |manifest: &str, text: &str| {
        crate::check::load(manifest, text).map(|plugin| plugin.memory_bytes())
    };
    let small = bytes("", SEVEN).expect("loads");
    assert!(small < 16 << 10, "{small}");
    let contexts = vec!["'c'"; 1000].join(",");
    let manifest = format!("[permissions]\ncontexts = [{contexts}]");
    let large = bytes(&manifest, SEVEN).expect("loads");
    assert!(large > small + 1000 * 24, "{large}");
    // Parameters with short names take many times their text.
    let functions = |count: usize| {
        let parameters = (0..16).map(|number| format!("(param \"p{number}\" u32)"));
        let functions = (0..count).map(|number| {
            format!("(func (export \"f{number}\") (type $t) (canon lift (core func $i \"f\")))")
        });
        format!(
            "(component (type $t (func {}))
             (core module $m (func (export \"f\") (param {})))
             (core instance $i (instantiate $m)) {})",
            parameters.collect::<String>(),
            "i32 ".repeat(16),
            functions.collect::<String>()
        )
    };
    let some = bytes("", &functions(100)).expect("loads");
    assert!(some > small + 100 * 16 * 100, "{some}");
    let error = bytes("", &functions(1000))
        .expect_err("too much")
        .to_string();
    assert!(error.contains("its functions take more than"), "{error}");
    // So do imports.
    let imports = |count: usize| {
        let functions = (0..count).map(|number| format!("(export \"f{number}\" (func))"));
        let functions = functions.collect::<String>();
        format!("(component (import \"wasi:cli/exit@0.2.0\" (instance {functions})))")
    };
    let error = bytes("", &imports(5000)).expect_err("too much").to_string();
    assert!(
        error.contains("it imports 5000 functions, which take more than"),
        "{error}"
    );
}

#[test]
fn a_manifest_of_another_name_is_not_ignored() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("add.wasm");
    std::fs::write(&path, b"\0asm\x0d\0\x01\0").expect("written");
    std::fs::write(folder.path().join("add.wasm.toml"), "keep = \"session\"").expect("written");
    let refused = registry()
        .load_file(&path)
        .expect_err("it would be ignored");
    assert!(refused.to_string().contains("add.toml"), "{refused}");
}
