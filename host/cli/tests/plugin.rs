//! Plugins on the command line, as a person uses them.

mod program;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use program::{PROGRAM, check_told};

const ADDER: &str = "(component
    (type $s (record (field \"sum\" u32) (field \"is-even\" bool)))
    (export $sum \"sum\" (type $s))
    (core module $m (memory (export \"memory\") 1)
        (func (export \"add\") (param i32 i32) (result i32)
            (i32.store (i32.const 0) (i32.add (local.get 0) (local.get 1)))
            (i32.store8 (i32.const 4) (i32.eqz (i32.and (i32.load (i32.const 0)) (i32.const 1))))
            i32.const 0)
        (func (export \"stop\") unreachable))
    (core instance $i (instantiate $m))
    (func (export \"add\") (param \"a\" u32) (param \"b\" u32) (result $sum)
        (canon lift (core func $i \"add\") (memory (core memory $i \"memory\"))))
    (func (export \"stop\") (canon lift (core func $i \"stop\"))))";

/// A folder with the component in it.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my-sums.wasm");
    fs::write(&path, wat::parse_str(ADDER).expect("a component")).expect("written");
    (folder, path)
}

fn run(arguments: &[&str], path: &Path) -> Output {
    let arguments = arguments
        .iter()
        .map(|argument| argument.replace("FILE", path.to_str().expect("text")));
    let mut program = Command::new(PROGRAM);
    program.args(arguments).output().expect("runs")
}

#[track_caller]
fn check(arguments: &[&str], path: &Path, status: i32, told: &[&str]) {
    check_told(&run(arguments, path), status, told);
}

#[test]
fn a_plugin_is_looked_at_and_called() {
    let (_folder, path) = folder();
    check(
        &["plugin", "inspect", "FILE"],
        &path,
        0,
        &[
            "my_sums.add(a: int, b: int) -> dict",
            "hash = \"",
            "imports\n  none",
        ],
    );
    let output = run(&["plugin", "inspect", "--json", "FILE"], &path);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        json["functions"][0]["input_schema"]["required"],
        serde_json::json!(["a", "b"])
    );
    check(
        &["plugin", "call", "FILE", "add(2, 3)"],
        &path,
        0,
        &["\"sum\": 5", "\"is_even\": false", " fuel, "],
    );
    for (call, status, told) in [
        (
            "stop()",
            1,
            "RuntimeError: my_sums.stop(): the plugin gave up",
        ),
        ("add(1)", 2, "is no call of my_sums.add(a: int, b: int)"),
        ("add(1, -2)", 2, "is no call of"),
        ("add(1, 2", 2, "is no call of"),
        (
            "sub(1, 2)",
            2,
            "my_sums has no function `sub`; it has add, stop",
        ),
    ] {
        check(&["plugin", "call", "FILE", call], &path, status, &[told]);
    }
    check(
        &["plugin", "inspect", "nowhere.wasm"],
        &path,
        2,
        &["nowhere.wasm cannot be read"],
    );
    check(
        &["plugin", "inspect", "Cargo.toml"],
        &path,
        2,
        &["the manifest cannot be read"],
    );
}

#[doc = "Keeps R1-22."]
#[test]
fn scripts_call_it_by_the_name_it_is_given() {
    let (folder, path) = folder();
    let code = "my_sums.add(1, 2)['sum']";
    check(&["exec", "--plugin", "FILE", "-c", code], &path, 0, &["3"]);
    check(
        &["exec", "--plugin", "sums=FILE", "-c", "sums.add(4, 4)"],
        &path,
        0,
        &["'is_even': True"],
    );
    check(&["exec", "--plugin", "=FILE", "-c", code], &path, 0, &["3"]);
    check(
        &["exec", "--plugin", "a=", "-c", "1"],
        &path,
        2,
        &["the file is missing"],
    );
    check(
        &["exec", "--plugin", "for=FILE", "-c", "1"],
        &path,
        2,
        &["not a name that Python could call a plugin by"],
    );
    check(
        &["exec", "--plugin", "FILE", "-c", "my_sums.stop()"],
        &path,
        1,
        &["the plugin gave up"],
    );
    let journal = folder.path().join("a.jsonl");
    let journal = journal.to_str().expect("text");
    check(
        &["exec", "--plugin", "FILE", "--record", journal, "-c", code],
        &path,
        0,
        &["3"],
    );
    check(&["replay", journal], &path, 0, &["identical"]);
    check(
        &["journal", "show", journal],
        &path,
        0,
        &["my_sums.add", "fuel of the plugin"],
    );
    let module = folder.path().join("core.wasm");
    fs::write(&module, wat::parse_str("(module)").expect("a module")).expect("written");
    check(
        &["exec", "--plugin", "FILE", "-c", "1"],
        &module,
        2,
        &["cargo build --release --target wasm32-wasip2"],
    );
}

#[test]
fn a_compiler_that_fails_tells_the_operator_and_not_the_client() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("two.wasm");
    let memory = "(core module $memory (memory (export \"m\") 1)
            (func (export \"r\") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
        (core instance $memory (instantiate $memory))";
    let options = "(memory (core memory $memory \"m\")) (realloc (core func $memory \"r\"))";
    let text = format!(
        "(component
         (component $a {memory}
           (core module $m (func (export \"f\") (param i32 i32)))
           (core instance $i (instantiate $m))
           (func (export \"f\") (param \"a\" string) (canon lift (core func $i \"f\") {options})))
         (instance $a (instantiate $a))
         (component $b {memory} (import \"f\" (func $f (param \"a\" string)))
           (core func $f (canon lower (func $f) {options}))
           (core module $m (import \"\" \"f\" (func $f (param i32 i32)))
             (func (export \"g\") (call $f (i32.const 0) (i32.const 1))))
           (core instance $i (instantiate $m (with \"\" (instance (export \"f\" (func $f))))))
           (func (export \"g\") (canon lift (core func $i \"g\"))))
         (instance $b (instantiate $b (with \"f\" (func $a \"f\"))))
         (export \"g\" (func $b \"g\")))"
    );
    fs::write(&path, wat::parse_str(text).expect("a component")).expect("written");
    check(
        &["plugin", "call", "FILE", "g()"],
        &path,
        4,
        &[
            "[compile-plugin: ",
            "panicked at",
            "components in it hand text",
        ],
    );
    // A client of the worker reads the error, and no place in a source.
    let message = format!(
        "{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"open\", \"params\": {{\"handlers\": {{\"plugins\": [{path:?}]}}}}}}\n"
    );
    let mut worker = Command::new(PROGRAM);
    let worker = worker
        .arg("worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut worker = worker.stderr(Stdio::piped()).spawn().expect("starts");
    let mut stdin = worker.stdin.take().expect("a pipe");
    stdin.write_all(message.as_bytes()).expect("written");
    drop(stdin);
    let output = worker.wait_with_output().expect("ends");
    let (answer, log) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(answer.contains("components in it hand text"), "{answer}");
    assert!(!answer.contains("panicked"), "{answer}");
    assert!(log.contains("panicked at"), "{log}");
}
