//! The examples and contracts of the documents that this product implements,
//! to the letter, through the library and through the command line.
//!
//! Each file in `tests/seeds` is a session: a profile, tools, contexts, and
//! steps with what has to come of them. `expect` is JSON that must be found in
//! the report, `contains` is text that must be found in a member of it.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rlm_sandbox::{
    Context, Lm, LmAnswer, LmError, LmRequest, Namespace, Profile, Sandbox, Session, Tool,
    ToolContext, ToolError,
};
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// Time of a step in the library, as on the command line.
const UNITS: [(&str, u64); 2] = [("ms", 1), ("s", 1000)];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seed {
    profile: String,
    /// A command that answers `llm_query`.
    llm: Option<String>,
    #[serde(default)]
    tools: Vec<String>,
    /// Files that tools find.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// What is submitted in the end, if anything is.
    submission: Option<String>,
    #[serde(default)]
    contexts: BTreeMap<String, String>,
    /// True if each step has a session of its own.
    #[serde(default)]
    fresh: bool,
    step: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    code: String,
    timeout: Option<String>,
    memory: Option<String>,
    limit: Option<String>,
    expect: Option<String>,
    contains: Option<String>,
}

impl Step {
    #[track_caller]
    fn check(&self, report: &Json, way: &str) {
        let code = &self.code;
        if let Some(expect) = &self.expect {
            let expect: Json = serde_json::from_str(expect).expect("JSON");
            fits(&expect, report).unwrap_or_else(|why| panic!("{way}: {code}: {why} in {report}"));
        }
        if let Some(contains) = &self.contains {
            let contains: BTreeMap<String, String> = serde_json::from_str(contains).expect("JSON");
            for (member, part) in contains {
                let found = report[&member].as_str().unwrap_or_default();
                let is_there = found.contains(&part) || found.to_lowercase().contains(&part);
                assert!(is_there, "{way}: {code}: no `{part}` in {report}");
            }
        }
    }
}

/// Returns whether all of `wanted` is in `found`.
fn fits(wanted: &Json, found: &Json) -> Result<(), String> {
    match (wanted, found) {
        (Json::Object(wanted), Json::Object(found)) => {
            for (name, wanted) in wanted {
                let found = found.get(name).ok_or(format!("no `{name}`"))?;
                match name.as_str() {
                    // All of it, where it is what scripts made.
                    "variables" if wanted != found => {
                        return Err(format!("variables {found} instead of {wanted}"));
                    }
                    _ => fits(wanted, found).map_err(|why| format!("`{name}`: {why}"))?,
                }
            }
            Ok(())
        }
        _ if wanted == found => Ok(()),
        _ => Err(format!("{found} instead of {wanted}")),
    }
}

fn read(name: &str) -> Seed {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/seeds");
    let text = fs::read_to_string(folder.join(name).with_extension("toml")).expect("a seed");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Lays out the files of a seed.
fn lay_out(seed: &Seed) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["overlay", "stable", "contexts"] {
        fs::create_dir(folder.path().join(name)).expect("made");
    }
    let contexts = seed
        .contexts
        .iter()
        .map(|(name, text)| (format!("contexts/{name}"), text));
    for (name, text) in contexts.chain(seed.files.iter().map(|(name, text)| (name.clone(), text))) {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

#[track_caller]
fn run(name: &str) {
    let seed = read(name);
    let namespace = Profile::named(&seed.profile).expect("carried").namespace;
    for (way, run) in [
        ("library", run_in_library as fn(&Seed, &Path, bool)),
        ("command line", run_on_command_line),
    ] {
        let folder = lay_out(&seed);
        run(
            &seed,
            folder.path(),
            seed.fresh || namespace == Namespace::Exec,
        );
        let submitted = fs::read_to_string(folder.path().join("submission"));
        let submitted = submitted
            .ok()
            .map(|text| serde_json::from_str::<Json>(&text).expect("JSON"));
        let wanted = seed
            .submission
            .as_ref()
            .map(|text| serde_json::from_str(text).expect("JSON"));
        assert_eq!(submitted, wanted, "{way}");
        // Nothing reached what is stable.
        for (file, text) in &seed.files {
            assert_eq!(
                fs::read_to_string(folder.path().join(file)).expect("there"),
                *text
            );
        }
    }
}

fn run_in_library(seed: &Seed, folder: &Path, is_fresh: bool) {
    let sandbox = Sandbox::new().expect("compiled");
    let mut kept = None;
    for step in &seed.step {
        let mut session = match kept.take() {
            Some(session) if !is_fresh => session,
            _ => open(seed, step, &sandbox, folder),
        };
        let outcome = session.exec_blocking(&step.code).expect("an outcome");
        let report = block_on(session.report(&outcome)).expect("a report");
        step.check(&report, "library");
        kept = Some(session);
    }
}

fn open(seed: &Seed, step: &Step, sandbox: &Sandbox, folder: &Path) -> Session {
    let mut profile = Profile::named(&seed.profile).expect("carried");
    set_limits(step, &mut profile);
    let mut builder = sandbox.session().profile(profile);
    for tool in &seed.tools {
        builder = builder.tool(in_rust(tool, folder.to_owned()));
    }
    if let Some(command) = &seed.llm {
        builder = builder.model(Scripted(command.clone()));
    }
    for (name, text) in &seed.contexts {
        builder = builder.context(Context::text(name.as_str(), text.as_str()));
    }
    builder.open().expect("right")
}

fn set_limits(step: &Step, profile: &mut Profile) {
    if let Some(time) = &step.timeout {
        let (number, unit) = UNITS
            .iter()
            .find_map(|(suffix, unit)| {
                Some((time.strip_suffix(suffix)?.parse::<u64>().ok()?, unit))
            })
            .expect("a time");
        profile.limits.time = Duration::from_millis(number * unit);
    }
    match step.memory.as_deref() {
        Some("1MiB") => profile.limits.memory_bytes = 1 << 20,
        Some(bytes) => profile.limits.memory_bytes = bytes.parse().expect("bytes"),
        None => {}
    }
    match step
        .limit
        .as_deref()
        .and_then(|limit| limit.split_once('='))
    {
        Some(("recursion", depth)) => profile.limits.recursion = depth.parse().expect("a depth"),
        Some(("allocations", count)) => profile.limits.allocations = count.parse().ok(),
        Some(other) => panic!("{other:?} is not set here"),
        None => {}
    }
}

fn run_on_command_line(seed: &Seed, folder: &Path, is_fresh: bool) {
    Sandbox::new().expect("compiled");
    let saved = folder.join("work.session");
    for step in &seed.step {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rlm-sandbox"));
        command.args(["exec", "--json", "-c", &step.code]);
        command.env("XDG_STATE_HOME", folder).stdin(Stdio::null());
        if is_fresh || !saved.exists() {
            command.args(["--profile", &seed.profile]);
        }
        if !is_fresh {
            command.arg("--session").arg(&saved);
        }
        for (option, value) in [
            ("--timeout", &step.timeout),
            ("--memory", &step.memory),
            ("--limit", &step.limit),
            ("--llm-command", &seed.llm),
        ] {
            command.args(value.iter().flat_map(|value| [option, value.as_str()]));
        }
        for tool in &seed.tools {
            command.args(["--tool", &as_command(tool, folder)]);
        }
        for name in seed.contexts.keys() {
            command
                .arg("--context")
                .arg(folder.join("contexts").join(name));
        }
        let output = command.output().expect("runs");
        let (stdout, stderr) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        let report = serde_json::from_str(&stdout);
        let report = report.unwrap_or_else(|_| panic!("{}: {stdout}{stderr}", step.code));
        step.check(&report, "command line");
    }
}

/// A tool of a seed, in Rust.
fn in_rust(name: &str, folder: PathBuf) -> Tool {
    let root = folder.clone();
    let find = move |path: &str| {
        let places = ["overlay", "stable"].map(|place| folder.join(place).join(path));
        places.into_iter().find(|place| place.is_file())
    };
    match name {
        "fetch_data" => Tool::immediate(name, |_: &ToolContext, (key,): (String,)| {
            Ok(json!({"value": key.to_uppercase()}))
        }),
        "web_search" => Tool::deferred(name, |_, (query,): (String,)| async move {
            match query.as_str() {
                "fail" => Err(ToolError::new("RuntimeError", "no such page")),
                query => Ok(format!("found {query}")),
            }
        }),
        "read_file" => Tool::immediate(name, move |_: &ToolContext, (path,): (String,)| {
            let found = find(&path).and_then(|path| fs::read_to_string(path).ok());
            found.ok_or_else(|| ToolError::new("FileNotFoundError", path))
        }),
        "write_file" => Tool::immediate(
            name,
            move |_: &ToolContext, (path, text): (String, String)| {
                fs::write(root.join("overlay").join(path), text)?;
                Ok(true)
            },
        ),
        "file_exists" => Tool::immediate(name, move |_: &ToolContext, (path,): (String,)| {
            Ok(find(&path).is_some())
        }),
        "list_dir" => Tool::immediate(name, move |_: &ToolContext, (_path,): (String,)| {
            Ok(all(&root))
        }),
        "search_files" => Tool::immediate(name, move |_: &ToolContext, (pattern,): (String,)| {
            let ending = pattern.trim_start_matches('*').to_owned();
            let found = all(&root)
                .into_iter()
                .filter(|name| name.ends_with(&ending));
            Ok(found.collect::<Vec<_>>())
        }),
        "search_content" => Tool::immediate(
            name,
            move |_: &ToolContext, (pattern, _path): (String, String)| {
                let mut found = Vec::new();
                for name in all(&root) {
                    let text = find(&name)
                        .map(fs::read_to_string)
                        .transpose()?
                        .unwrap_or_default();
                    let lines = text
                        .lines()
                        .enumerate()
                        .filter(|(_, line)| line.contains(&pattern));
                    found.extend(
                        lines.map(|(at, line)| json!({"file": name, "line": at + 1, "text": line})),
                    );
                }
                Ok(found)
            },
        ),
        "submit_result" => Tool::immediate(
            name,
            move |_: &ToolContext, (summary, changed_files): (String, Vec<String>)| {
                let submission = json!({"summary": summary, "changed_files": changed_files});
                fs::write(root.join("submission"), submission.to_string())?;
                Ok(true)
            },
        ),
        other => panic!("there is no tool {other}"),
    }
    .parameters(parameters(name).iter().copied())
}

/// Names in the overlay and below it, sorted.
fn all(root: &Path) -> Vec<String> {
    let entries =
        ["overlay", "stable"].map(|place| fs::read_dir(root.join(place)).expect("a folder"));
    let names = entries.into_iter().flatten().flatten();
    let mut names: Vec<_> = names
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

fn parameters(name: &str) -> &'static [&'static str] {
    match name {
        "fetch_data" => &["key"],
        "web_search" => &["query"],
        "write_file" => &["path", "content"],
        "search_files" => &["pattern"],
        "search_content" => &["pattern", "path"],
        "submit_result" => &["summary", "changed_files"],
        _ => &["path"],
    }
}

/// The same tool as a command.
fn as_command(name: &str, folder: &Path) -> String {
    let list = "sort -u | sed 's/.*/\"&\"/' | paste -sd, - | sed 's/.*/[&]/'";
    let script = match name {
        "fetch_data" => "member key | tr a-z A-Z | sed 's/.*/{\"value\": \"&\"}/'".to_owned(),
        "web_search" => "q=$(member query); if [ \"$q\" = fail ]; then echo 'RuntimeError: no such page'; exit 1; \
                         fi; echo \"found $q\""
            .to_owned(),
        "read_file" => "p=$(member path); cat overlay/$p 2>/dev/null || cat stable/$p 2>/dev/null || { echo \
                        \"FileNotFoundError: $p\"; exit 1; }"
            .to_owned(),
        "write_file" => "printf %b \"$(member content)\" > overlay/$(member path); echo true".to_owned(),
        "file_exists" => "p=$(member path); if [ -e overlay/$p ] || [ -e stable/$p ]; then echo true; else echo false; fi"
            .to_owned(),
        "list_dir" => format!("(ls overlay; ls stable) | {list}"),
        "search_files" => format!("p=$(member pattern); (cd overlay; ls $p; cd ../stable; ls $p) 2>/dev/null | {list}"),
        "search_content" => "p=$(member pattern); cd stable; grep -n \"$p\" * | sed \
                             's/\\([^:]*\\):\\([0-9]*\\):\\(.*\\)/{\"file\":\"\\1\",\"line\":\\2,\"text\":\"\\3\"}/' | paste -sd, - \
                             | sed 's/.*/[&]/'"
            .to_owned(),
        "submit_result" => "echo \"$input\" > submission; echo true".to_owned(),
        other => panic!("there is no tool {other}"),
    };
    let folder = folder.display();
    // Takes one text out of an object of texts.
    let member =
        "member() { echo \"$input\" | sed \"s/.*\\\"$1\\\":\\\"\\([^\\\"]*\\)\\\".*/\\1/\"; }";
    format!(
        "{name}({})=input=$(cat); cd {folder}; {member}; {script}",
        parameters(name).join(",")
    )
}

/// A model that is the command of a seed.
struct Scripted(String);

impl Lm for Scripted {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        let text = match self.0.strip_prefix("echo ") {
            Some(text) => text.to_owned(),
            None => request.prompt,
        };
        Ok(LmAnswer::new(text))
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime").block_on(future)
}

#[doc = "Keeps R0-7, R0-8, R0-12, R0-16, R0-17, X04, X15, X40."]
#[test]
fn source_000() {
    run("000_exec_python");
}

#[doc = "Keeps R1-11, R1-12, R1-14, R1-15, R1-18, R1-23, G1, X01, X19."]
#[test]
fn source_001() {
    run("001_three_iterations");
    run("001_final_var");
}

#[doc = "Keeps R2-7, R2-8, R2-9, R2-12, R2-13, R2-14, R2-15, R2-16, R2-17, R2-18, R2-19, R2-20, R2-21."]
#[test]
fn source_002() {
    run("002_executor");
    run("002_external_functions");
}

#[doc = "Keeps R3-1, R3-4, R3-33, R3-34, X23, X34, V4, R3-30, B1, B2, B3, B4, B5, B6, B7, B8, D1, D2, D3, D4."]
#[test]
fn source_003() {
    run("003_bypass");
    run("003_dos");
    run("003_valid");
}

#[doc = "Keeps R4-1, R4-3, R4-4, R4-5, R4-6, R4-7, R4-9, R4-10, R4-11, R4-12, R4-13, R4-14, R4-15, R4-18, R4-22, R4-23, X20, P1, P2, P3, F1, F2, F3, F4."]
#[test]
fn source_004() {
    for seed in [
        "basic",
        "persistence",
        "llm_query",
        "no_model",
        "final",
        "submit",
        "register_external",
        "limits",
    ] {
        run(&format!("004_{seed}"));
    }
}
