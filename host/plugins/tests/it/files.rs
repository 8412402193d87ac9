//! Calls for files: their time, their number, and what other sessions notice of them.

use std::fs;
use std::time::{Duration, Instant};

use rlm_sandbox::{Ending, Session};
use rlm_sandbox_plugins::WasmPlugin;
use serde_json::json;
use tempfile::TempDir;

use crate::check::{block_on, call, error, plugin, sandbox, value};

const CODES: &str = r#""access" "would-block" "already" "bad-descriptor" "busy" "deadlock" "quota" "exist"
    "file-too-large" "illegal-byte-sequence" "in-progress" "interrupted" "invalid" "io" "is-directory" "loop"
    "too-many-links" "message-size" "name-too-long" "no-device" "no-entry" "no-lock" "insufficient-memory"
    "insufficient-space" "not-directory" "not-empty" "not-recoverable" "unsupported" "no-tty" "no-such-device"
    "overflow" "not-permitted" "pipe" "read-only" "invalid-seek" "text-file-busy" "cross-device""#;

/// Code of an error that says that there are too many open files.
const INSUFFICIENT_MEMORY: u32 = 22;

/// One function of `wasi:filesystem/types` each: its name, its parameters and result as types,
/// those of the core function, and the call of it for the descriptor `$d`.
const FUNCTIONS: [(&str, &str, &str, &str, &str); 7] = [
    (
        "sync",
        "",
        "(result (error $ec))",
        "i32 i32",
        "(local.get $d) (i32.const 16)",
    ),
    (
        "sync-data",
        "",
        "(result (error $ec))",
        "i32 i32",
        "(local.get $d) (i32.const 16)",
    ),
    (
        "read",
        "(param \"length\" u64) (param \"offset\" u64)",
        "(result (tuple (list u8) bool) (error $ec))",
        "i32 i64 i64 i32",
        "(local.get $f) (i64.const 65536) (i64.const 0) (i32.const 16)",
    ),
    (
        "get-type",
        "",
        "(result $dt (error $ec))",
        "i32 i32",
        "(local.get $f) (i32.const 16)",
    ),
    (
        "metadata-hash",
        "",
        "(result $mh (error $ec))",
        "i32 i32",
        "(local.get $f) (i32.const 16)",
    ),
    (
        "readlink-at",
        "(param \"path\" string)",
        "(result string (error $ec))",
        "i32 i32 i32 i32",
        "(local.get $d) (i32.const 2000) (local.get $p) (i32.const 16)",
    ),
    (
        "open-at",
        "(param \"path-flags\" $pf) (param \"path\" string) (param \"open-flags\" $of) (param \"flags\" $df)",
        "(result (own $d) (error $ec))",
        "i32 i32 i32 i32 i32 i32 i32",
        "(local.get $d) (i32.const 1) (i32.const 2000) (local.get $p) (i32.const 0) (i32.const 1) (i32.const 16)",
    ),
];

/// A component that exports each of [`FUNCTIONS`]: called so many times, it returns 0, or 1000 and
/// the code of the error of the last call. What `open-at` opens is closed
/// at once; `leak` leaves it open. `stream` reads a file by its stream, and `streams` by streams that it leaves open.
pub(crate) fn component() -> String {
    let (mut imports, mut lowered, mut core, mut given, mut bodies, mut lifted) =
        <(String, String, String, String, String, String)>::default();
    for (name, parameters, result, core_parameters, arguments) in FUNCTIONS {
        imports += &format!(
            "(export \"[method]descriptor.{name}\" (func (param \"self\" (borrow $d)) {parameters} (result {result})))\n"
        );
        lowered += &format!(
            "(core func ${name} (canon lower (func $types \"[method]descriptor.{name}\") (memory $mm) (realloc $re)))\n"
        );
        core += &format!("(import \"h\" \"{name}\" (func ${name} (param {core_parameters})))\n");
        given += &format!("(export \"{name}\" (func ${name}))\n");
        let close = match name {
            "open-at" => {
                "(if (i32.eqz (i32.load8_u (i32.const 16))) (then (call $drop (i32.load (i32.const 20)))))"
            }
            _ => "",
        };
        for (export, close) in [(name, close), ("leak", "")] {
            if export == "leak" && name != "open-at" {
                continue;
            }
            bodies += &format!(
                "(func (export \"{export}\") (param $n i32) (result i32) (local $d i32) (local $f i32) (local $p i32)
                   (local.set $d (call $dir)) (local.set $f (call $file (local.get $d)))
                   (local.set $p (call $path (i32.const 4000)))
                   (loop $l (call ${name} {arguments}) {close}
                     (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
                   (call $code))\n"
            );
            lifted += &format!(
                "(func (export \"{export}\") (param \"n\" u32) (result u32) (canon lift (core func $i \"{export}\")))\n"
            );
        }
    }
    for (export, end) in [("stream", "(call $end (local.get $s))"), ("streams", "")] {
        bodies += &format!(
            "(func (export \"{export}\") (param $n i32) (result i32) (local $f i32) (local $s i32)
               (local.set $f (call $file (call $dir)))
               (loop $l
                 (call $via (local.get $f) (i64.const 0) (i32.const 16))
                 (local.set $s (i32.load (i32.const 20)))
                 (call $from (local.get $s) (i64.const 65536) (i32.const 16)) {end}
                 (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
               (i32.load8_u (i32.const 16)))\n"
        );
        lifted += &format!(
            "(func (export \"{export}\") (param \"n\" u32) (result u32) (canon lift (core func $i \"{export}\")))\n"
        );
    }
    format!(
        r#"(component
 (import "wasi:io/error@0.2.12" (instance $errors (export "error" (type (sub resource)))))
 (alias export $errors "error" (type $error))
 (import "wasi:io/streams@0.2.12" (instance $streams
  (alias outer 1 $error (type $e0)) (export "error" (type $e (eq $e0)))
  (export "input-stream" (type $s (sub resource)))
  (type $se0 (variant (case "last-operation-failed" (own $e)) (case "closed")))
  (export "stream-error" (type $se (eq $se0)))
  (export "[method]input-stream.blocking-read" (func (param "self" (borrow $s)) (param "len" u64)
    (result (result (list u8) (error $se)))))))
 (alias export $streams "input-stream" (type $stream))
 (import "wasi:filesystem/types@0.2.12" (instance $types
  (alias outer 1 $stream (type $s0)) (export "input-stream" (type $s (eq $s0)))
  (export "descriptor" (type $d (sub resource)))
  (type $ec0 (enum {CODES})) (export "error-code" (type $ec (eq $ec0)))
  (type $pf0 (flags "symlink-follow")) (export "path-flags" (type $pf (eq $pf0)))
  (type $of0 (flags "create" "directory" "exclusive" "truncate")) (export "open-flags" (type $of (eq $of0)))
  (type $df0 (flags "read" "write" "file-integrity-sync" "data-integrity-sync" "requested-write-sync"
    "mutate-directory")) (export "descriptor-flags" (type $df (eq $df0)))
  (type $dt0 (enum "unknown" "block-device" "character-device" "directory" "fifo" "symbolic-link" "regular-file"
    "socket")) (export "descriptor-type" (type $dt (eq $dt0)))
  (type $mh0 (record (field "lower" u64) (field "upper" u64)))
  (export "metadata-hash-value" (type $mh (eq $mh0)))
  (export "[method]descriptor.read-via-stream" (func (param "self" (borrow $d)) (param "offset" u64)
    (result (result (own $s) (error $ec)))))
  {imports}))
 (alias export $types "descriptor" (type $desc))
 (import "wasi:filesystem/preopens@0.2.12" (instance $pre
  (alias outer 1 $desc (type $d0)) (export "descriptor" (type $d (eq $d0)))
  (export "get-directories" (func (result (list (tuple (own $d) string)))))))
 (core module $memory (memory (export "m") 40) (global $next (mut i32) (i32.const 1000000))
  (func (export "realloc") (param i32 i32 i32 i32) (result i32)
   (if (i32.gt_u (global.get $next) (i32.const 2000000)) (then (global.set $next (i32.const 1000000))))
   (global.get $next)
   (global.set $next (i32.and (i32.add (i32.add (global.get $next) (local.get 3)) (i32.const 7)) (i32.const -8)))))
 (core instance $m (instantiate $memory))
 (alias core export $m "m" (core memory $mm))
 (alias core export $m "realloc" (core func $re))
 {lowered}
 (core func $dirs (canon lower (func $pre "get-directories") (memory $mm) (realloc $re)))
 (core func $via (canon lower (func $types "[method]descriptor.read-via-stream") (memory $mm)))
 (core func $from (canon lower (func $streams "[method]input-stream.blocking-read") (memory $mm) (realloc $re)))
 (core func $drop (canon resource.drop $desc))
 (core func $end (canon resource.drop $stream))
 (core module $main
  (import "h" "m" (memory 40))
  {core}
  (import "h" "dirs" (func $dirs (param i32)))
  (import "h" "drop" (func $drop (param i32)))
  (import "h" "via" (func $via (param i32 i64 i32)))
  (import "h" "from" (func $from (param i32 i64 i32)))
  (import "h" "end" (func $end (param i32)))
  (func $dir (result i32) (call $dirs (i32.const 0)) (i32.load (i32.load (i32.const 0))))
  ;; d/../d/../f, of some length.
  (func $path (param $n i32) (result i32) (local $i i32)
   (loop $l
    (i32.store (i32.add (i32.const 2000) (local.get $i)) (i32.const 0x2e2e2f64))
    (i32.store8 (i32.add (i32.const 2004) (local.get $i)) (i32.const 0x2f))
    (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 5))) (local.get $n))))
   (i32.store8 (i32.add (i32.const 2000) (local.get $i)) (i32.const 0x66))
   (i32.add (local.get $i) (i32.const 1)))
  (func $file (param $d i32) (result i32)
   (call $open-at (local.get $d) (i32.const 1) (i32.const 2000) (call $path (i32.const 5)) (i32.const 0) (i32.const 1)
     (i32.const 16))
   (i32.load (i32.const 20)))
  (func $code (result i32)
   (i32.mul (i32.load8_u (i32.const 16)) (i32.add (i32.const 1000) (i32.load8_u (i32.const 20)))))
  {bodies})
 (core instance $i (instantiate $main (with "h" (instance (export "m" (memory $mm)) {given}
  (export "dirs" (func $dirs)) (export "drop" (func $drop)) (export "via" (func $via))
  (export "from" (func $from)) (export "end" (func $end))))))
 {lifted})"#
    )
}

/// A folder that has a file `f` and a folder `d`.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("f"), vec![b'x'; 100_000]).expect("written");
    fs::create_dir(folder.path().join("d")).expect("made");
    folder
}

/// The component, with such a folder of its own.
fn reader(more: &str) -> (WasmPlugin, TempDir) {
    let folder = folder();
    let path = folder.path().to_str().expect("text");
    let manifest = format!("allowed_paths = {{ \"ro:{path}\" = \"/g\" }}\n{more}");
    (plugin(&manifest, &component()), folder)
}

const FOR_EVER: u32 = u32::MAX;
const PATIENT: &str =
    "timeout_ms = 1000\n[limits]\nfuel = 1000000000000000\nfile_calls = 1000000000000";

#[test]
fn calls_for_files_end_with_the_time_of_the_call_and_are_charged() {
    let (plugin, _folder) = reader(PATIENT);
    let names = FUNCTIONS.iter().map(|function| function.0);
    for name in names.chain(["stream"]) {
        let since = Instant::now();
        let answered = call(&plugin, name, json!([FOR_EVER]));
        let took = since.elapsed();
        let error = answered.answer.expect_err(name).exception().clone();
        assert_eq!(error.kind, "TimeoutError", "{name}: {}", error.message);
        assert!(took < Duration::from_secs(3), "{name}: {took:?}");
        let charged = answered.compute;
        assert!(charged >= Duration::from_secs(1), "{name}: {charged:?}");
        assert!(charged <= took, "{name}: {charged:?} {took:?}");
    }
}

#[test]
fn a_reader_synchronizes_nothing() {
    let (plugin, _folder) = reader("timeout_ms = 10000");
    for name in ["sync", "sync-data"] {
        let since = Instant::now();
        assert_eq!(value(&plugin, name, json!([500_000])), json!(0));
        // Writing to a disk takes minutes.
        assert!(since.elapsed() < Duration::from_secs(8), "{name}");
    }
}

#[test]
fn calls_for_files_have_a_limit_that_is_exact() {
    let (plugin, _folder) = reader("[limits]\nfile_calls = 100");
    // The list of folders and opening the file are two more.
    for (name, each) in [("read", 1), ("sync", 1), ("open-at", 1), ("stream", 2)] {
        let most = 98 / each;
        assert_eq!(value(&plugin, name, json!([most])), json!(0), "{name}");
        let (kind, message) = error(&plugin, name, json!([most + 1]));
        assert_eq!(kind, "RuntimeError", "{message}");
        assert!(
            message.contains("more than 100 times (`file_calls`"),
            "{message}"
        );
    }
}

#[test]
fn a_session_leaves_places_to_others() {
    let (plugin, _folder) =
        reader("timeout_ms = 4000\n[limits]\nfuel = 1000000000000000\nfile_calls = 1000000000000");
    let open = || {
        let builder = sandbox().session().plugin(plugin.clone());
        builder.open().expect("right")
    };
    let (mut greedy, mut modest) = (open(), open());
    block_on(async {
        modest.exec("test.read(1)").await.expect("runs");
        let gathered = tokio::spawn(async move {
            let code = format!(
                "import asyncio\nawait asyncio.gather(*[test.read({FOR_EVER}) for _ in range(64)], return_exceptions=True)"
            );
            greedy.exec(&code).await.expect("runs")
        });
        tokio::time::sleep(Duration::from_millis(500)).await;
        for _ in 0..5 {
            let since = Instant::now();
            let outcome = modest.exec("test.read(1)").await.expect("runs");
            assert!(
                matches!(outcome.ending, Ending::Value(_)),
                "{:?}",
                outcome.ending
            );
            assert!(
                since.elapsed() < Duration::from_secs(1),
                "{:?}",
                since.elapsed()
            );
        }
        assert!(!gathered.is_finished());
        gathered.abort();
    });
}

#[track_caller]
fn leaked(session: &mut Session, name: &str, count: u32) -> u32 {
    let outcome = block_on(session.exec(&format!("{name}.leak({count})"))).expect("runs");
    outcome.value().expect("a number")
}

#[test]
fn the_plugins_of_a_session_have_few_files_open() {
    let keeps = || reader("keep = \"session\"\ntimeout_ms = 10000");
    let ((plugin, _folder), (other, _other_folder)) = (keeps(), keeps());
    let open = |plugin: &WasmPlugin| {
        let builder = sandbox().session().plugin(plugin.clone());
        builder.open().expect("right")
    };
    let mut session = open(&plugin);
    // Each call opens one by itself.
    assert_eq!(leaked(&mut session, "test", 62), 0);
    assert_eq!(leaked(&mut session, "test", 5), 1000 + INSUFFICIENT_MEMORY);
    // Another session has files of its own.
    let mut second = open(&other);
    assert_eq!(leaked(&mut second, "test", 62), 0);
    // What is closed is no longer open.
    drop(session);
    let mut again = open(&plugin);
    assert_eq!(leaked(&mut again, "test", 62), 0);
}
