//! A plugin made with the SDK that uses all that a host has, and misuses it.

use std::fs;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use rlm_sandbox::{Context, Lm, LmAnswer, LmError, LmRequest, Plugin as _, PluginCall};
use rlm_sandbox_plugins::{Registry, WasmPlugin};
use serde_json::{Value as Json, json};

use crate::check::{block_on, call, error, value};
use crate::components::{built, file};

/// All that it imports. `{folder}` is a folder that it may read.
const GRANTS: &str = "allowed_paths = { \"{folder}\" = \"/data\" }\n{more}\n[permissions]\nclock = true\n\
                      llm_query = true\ncontexts = [\"log\", \"context\"]\nenvironment = [\"CARGO_MANIFEST_DIR\"]\n";

/// The plugin with a folder of its own, and more for its manifest; none on a
/// machine that cannot build it.
fn unruly(more: &str) -> Option<(WasmPlugin, tempfile::TempDir)> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.txt"), "from the host").expect("written");
    let path = folder.path().to_str().expect("text");
    let manifest = GRANTS.replace("{folder}", path).replace("{more}", more);
    Some((built("unruly", &manifest)?, folder))
}

#[track_caller]
fn survives(plugin: &WasmPlugin, function: &str, arguments: Json, kind: &str, told: &str) {
    let (found, message) = error(plugin, function, arguments);
    assert_eq!(found, kind, "{function}: {message}");
    assert!(message.contains(told), "{function}: {message}");
    assert_eq!(value(plugin, "echo_u8", json!([7])), json!(7));
}

#[doc = "Keeps R1-19, R1-20."]
#[test]
fn what_it_does_to_itself_is_told_and_forgotten() {
    let limits = "timeout_ms = 60000\n[memory]\nmax_pages = 512\n[limits]\nfuel = 200000000\nhost_calls = 50\n\
                  output_bytes = 1000";
    let Some((plugin, _folder)) = unruly(limits) else {
        return;
    };
    survives(
        &plugin,
        "spin",
        json!([]),
        "RuntimeError",
        "used up its 200000000 fuel",
    );
    survives(
        &plugin,
        "grow",
        json!([64]),
        "MemoryError",
        "more than 33554432 bytes",
    );
    assert_eq!(value(&plugin, "grow", json!([8])), json!(8));
    let (_, message) = error(&plugin, "recurse", json!([100_000_000]));
    assert!(message.contains("plugin"), "{message}");
    survives(
        &plugin,
        "panic",
        json!(["as it was told"]),
        "RuntimeError",
        "as it was told",
    );
    survives(
        &plugin,
        "fail",
        json!(["no such row"]),
        "RuntimeError",
        "unruly.fail(): no such row",
    );
    survives(&plugin, "exit", json!([3]), "RuntimeError", "ended itself");
    survives(
        &plugin,
        "flood_log",
        json!([51]),
        "RuntimeError",
        "more than 50 times",
    );
    survives(
        &plugin,
        "call_many",
        json!([51]),
        "RuntimeError",
        "more than 50 times",
    );
    assert_eq!(value(&plugin, "call_many", json!([50])), json!(0));
    survives(
        &plugin,
        "big_list",
        json!([1000]),
        "ValueError",
        "more than it may, 1000 bytes",
    );
    survives(
        &plugin,
        "big_text",
        json!([1000]),
        "ValueError",
        "more than it may, 1000 bytes",
    );
    assert_eq!(
        value(&plugin, "big_text", json!([100])),
        json!("x".repeat(100))
    );
    let (_, message) = error(&plugin, "big_list", json!([5_000_000]));
    assert!(message.contains("the plugin failed"), "{message}");
    let printed = call(&plugin, "flood_output", json!([1_000_000]));
    assert!(printed.answer.is_ok());
    assert!(printed.printed.len() < 1100, "{}", printed.printed.len());
    assert!(
        printed
            .printed
            .ends_with("[999000 bytes more were printed and dropped]\n")
    );
    // A sleep is over at once, and no time of the session's.
    assert_eq!(value(&plugin, "sleep", json!([3_600_000])), Json::Null);
}

/// Says what it was asked.
struct Echo(Arc<Mutex<Vec<Option<String>>>>);

impl Lm for Echo {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        self.0.lock().expect("whole").push(request.model);
        // The plugin waits meanwhile, on a stack of its own.
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        match request.prompt.as_str() {
            "no" => Err(LmError::new("it said no")),
            prompt => Ok(LmAnswer::new(prompt.to_uppercase())),
        }
    }
}

#[doc = "Keeps R1-21."]
#[test]
fn each_function_of_the_host_is_there_for_who_may_use_it() {
    let Some((plugin, _folder)) = unruly("[limits]\nmodel_calls = 3") else {
        return;
    };
    let contexts = [Context::text("log", "héllo"), Context::text("secret", "no")];
    let asked = Arc::default();
    let ask = |function: &str, arguments: Json| {
        let mut call =
            PluginCall::new(&plugin, function, arguments).model(Echo(Arc::clone(&asked)));
        for context in &contexts {
            call = call.context(context.clone());
        }
        block_on(plugin.call(call))
    };
    let given = |function: &str, arguments: Json| ask(function, arguments).answer.expect("a value");
    // read-context
    assert_eq!(
        given("read", json!(["log", 0, 100])),
        json!({"$bytes": "aMOpbGxv"})
    );
    assert_eq!(
        given("read", json!(["log", 2, 1])),
        json!({"$bytes": "qQ=="})
    );
    let nothing = json!({"$bytes": ""});
    assert_eq!(given("read", json!(["log", 6, 1])), nothing);
    assert_eq!(given("read_all", json!(["log"])), json!(6));
    for (name, offset) in [("log", 7), ("secret", 0), ("nothing", 0)] {
        assert!(
            ask("read", json!([name, offset, 1])).answer.is_err(),
            "{name}"
        );
    }
    // llm-query
    assert_eq!(given("ask", json!([["a", "b"]])), json!(["A", "B"]));
    assert_eq!(
        given("ask", json!([["no"]])),
        json!(["no answer: it said no"])
    );
    assert_eq!(given("ask_of", json!(["a", "small"])), json!("A"));
    assert_eq!(
        asked.lock().expect("whole").last(),
        Some(&Some(String::from("small")))
    );
    let four = given("ask", json!([["a", "b", "c", "d"]]));
    assert!(
        four[3].as_str().expect("text").contains("may ask 3 times"),
        "{four}"
    );
    // write-output and log, and what Rust prints
    let said = ask("say", json!(["out"]));
    assert_eq!((said.answer.is_ok(), said.printed.as_str()), (true, "out"));
    assert_eq!(ask("print", json!(["line"])).printed, "line\n");
}

#[test]
fn of_the_machine_it_has_what_was_granted() {
    let Some((plugin, folder)) = unruly("") else {
        return;
    };
    assert_eq!(
        value(&plugin, "read_file", json!(["/data/a.txt"])),
        json!("from the host")
    );
    assert_eq!(
        value(&plugin, "list_files", json!(["/data"])),
        json!(["a.txt"])
    );
    for (function, path) in [
        ("write_file", "/data/b.txt"),
        ("write_file", "/data/a.txt"),
        ("read_file", "/data/../a.txt"),
        ("read_file", "/etc/passwd"),
        ("read_file", "/data/none.txt"),
        ("list_files", "/"),
    ] {
        let (kind, _) = error(&plugin, function, json!([path]));
        assert_eq!(kind, "RuntimeError", "{function} {path}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc", folder.path().join("out")).expect("made");
        assert!(
            call(&plugin, "read_file", json!(["/data/out/passwd"]))
                .answer
                .is_err()
        );
    }
    assert_eq!(
        fs::read_to_string(folder.path().join("a.txt")).expect("there"),
        "from the host"
    );
    assert!(!folder.path().join("b.txt").exists());
    let there = value(&plugin, "environment", json!(["CARGO_MANIFEST_DIR"]));
    assert_eq!(there, json!(env!("CARGO_MANIFEST_DIR")));
    assert_eq!(value(&plugin, "environment", json!(["PATH"])), Json::Null);
    assert_eq!(value(&plugin, "read_line", json!([])), json!(""));
    let now = value(&plugin, "now", json!([]));
    let real = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .expect("after 1970")
        .as_nanos();
    let now: u128 = now.as_u64().expect("a number").into();
    assert!(real.abs_diff(now) < 60_000_000_000, "{now}");
    // Keys of hash maps are no entropy.
    let random = || value(&plugin, "random", json!([]));
    assert_eq!(random(), random());
}

#[cfg(unix)]
#[test]
fn no_pipe_in_its_folder_is_waited_for() {
    use std::os::unix::net::UnixListener;
    let Some((plugin, folder)) = unruly("") else {
        return;
    };
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status();
    assert!(made.expect("there is a mkfifo").success());
    let _socket = UnixListener::bind(folder.path().join("socket")).expect("made");
    std::os::unix::fs::symlink("pipe", folder.path().join("link")).expect("made");
    for name in ["pipe", "socket", "link"] {
        let since = std::time::Instant::now();
        let (kind, _) = error(&plugin, "read_file", json!([format!("/data/{name}")]));
        assert_eq!(kind, "RuntimeError", "{name}");
        assert!(since.elapsed().as_secs() < 10, "{name}");
    }
    let listed = value(&plugin, "list_files", json!(["/data"]));
    assert_eq!(listed.as_array().map(Vec::len), Some(4), "{listed}");
}

#[cfg(unix)]
#[test]
fn a_grant_stays_with_the_folder_that_was_opened() {
    let Some((plugin, folder)) = unruly("") else {
        return;
    };
    let path = folder.path().to_owned();
    let away = path.with_extension("away");
    fs::rename(&path, &away).expect("moved");
    std::os::unix::fs::symlink("/etc", &path).expect("linked");
    let read = value(&plugin, "read_file", json!(["/data/a.txt"]));
    let hostname = call(&plugin, "read_file", json!(["/data/passwd"]));
    fs::remove_file(&path).expect("the link");
    fs::rename(&away, &path).expect("moved back");
    assert_eq!(read, json!("from the host"));
    assert!(hostname.answer.is_err());
}

#[test]
fn a_large_folder_is_listed_within_the_limits_of_the_plugin() {
    let Some((plugin, folder)) = unruly("[memory]\nmax_pages = 64") else {
        return;
    };
    let name = "n".repeat(200);
    for number in 0..30_000 {
        fs::write(folder.path().join(format!("{number}{name}")), "").expect("written");
    }
    // The plugin has 4 MiB for 6 MB of names.
    let (kind, message) = error(&plugin, "list_files", json!(["/data"]));
    assert!(
        kind == "MemoryError" || message.contains("bytes"),
        "{kind}: {message}"
    );
}

#[test]
fn the_same_call_uses_the_same_fuel() {
    let Some((plugin, _folder)) = unruly("") else {
        return;
    };
    for (function, arguments) in [
        ("grow", json!([2])),
        ("random", json!([])),
        ("read_file", json!(["/data/a.txt"])),
        ("echo_list", json!([["a", "b"]])),
    ] {
        let fuel = || call(&plugin, function, arguments.clone()).fuel;
        let first = fuel();
        assert!(first > 0 && (0..3).all(|_| fuel() == first), "{function}");
    }
}

#[test]
fn all_kinds_of_values_come_back() {
    let Some((plugin, _folder)) = unruly("") else {
        return;
    };
    let word = json!({"text": "to", "type": "proper_name", "places": [{"$tuple": [1, 2]}]});
    for (function, given) in [
        ("echo_bool", json!(true)),
        ("echo_s64", json!(i64::MIN)),
        ("echo_u64", json!({"$int": u64::MAX.to_string()})),
        ("echo_f32", json!(1.5)),
        ("echo_f64", json!({"$float": "-inf"})),
        ("echo_char", json!("é")),
        ("echo_text", json!("aé\u{1f600}")),
        ("echo_bytes", json!({"$bytes": "AAH/"})),
        ("echo_list", json!(["a", ""])),
        ("echo_lists", json!([[1, -2], []])),
        ("echo_option", Json::Null),
        ("echo_option", json!("a")),
        ("echo_options", json!({"some": null})),
        ("echo_options", json!({"some": 3})),
        ("echo_results", json!([{"ok": null}, {"err": "verb"}])),
        ("echo_tuple", json!({"$tuple": [1, "a", true]})),
        ("echo_record", word.clone()),
        ("echo_records", json!([word])),
        ("echo_enum", json!("noun")),
        ("echo_variant", json!({"circle": 1.5})),
        (
            "echo_variants",
            json!(["empty", {"polygon": [{"$tuple": [0.0, 1.0]}]}, {"named": "x"}]),
        ),
    ] {
        assert_eq!(
            value(&plugin, function, json!([given])),
            given,
            "{function}"
        );
    }
    assert_eq!(value(&plugin, "echo_result", json!([{"ok": 3}])), json!(3));
    assert_eq!(
        error(&plugin, "echo_result", json!([{"err": "no"}])).1,
        "unruly.echo_result(): no"
    );
    let (_, message) = error(&plugin, "fail_as", json!([{"named": "x"}]));
    assert!(message.ends_with(r#"{"named":"x"}"#), "{message}");
}

#[test]
fn its_authors_words_are_what_models_are_told() {
    let Some((plugin, _folder)) = unruly("") else {
        return;
    };
    let inspected = serde_json::to_value(plugin.inspect()).expect("JSON");
    let functions = inspected["functions"].as_array().expect("functions");
    let of = |name: &str| {
        functions
            .iter()
            .find(|function| function["name"] == name)
            .expect("there")
    };
    assert_eq!(
        of("grow")["doc"],
        json!("Takes memory and writes to every page of it; gives the mebibytes it has.")
    );
    assert_eq!(
        of("echo_option")["signature"],
        json!("echo_option(value: str | None = None) -> str | None")
    );
    let word = &of("echo_record")["input_schema"]["properties"]["value"];
    assert_eq!(word["description"], json!("A record."));
    assert_eq!(
        word["properties"]["text"],
        json!({"type": "string", "description": "The word itself."})
    );
    assert_eq!(word["required"], json!(["text", "places"]));
    let kinds = json!({"anyOf": [{"enum": ["noun", "verb", "proper_name"]}, {"type": "null"}]});
    assert_eq!(word["properties"]["type"]["anyOf"], kinds["anyOf"]);
}

#[test]
fn a_component_that_wants_the_network_is_not_loaded() {
    let Some(path) = file("sockets") else { return };
    let registry = Registry::builder().no_cache().build().expect("an engine");
    let error = registry.load_file(&path).expect_err("refused").to_string();
    assert!(
        error.contains("wasi:sockets/") && error.contains("which no manifest can grant"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");
    // What it is can be looked at all the same.
    let inspected = registry.inspect_file(&path).expect("a component");
    assert!(
        inspected
            .imports
            .iter()
            .any(|import| !import.is_granted && import.granted_by.is_none())
    );
}
