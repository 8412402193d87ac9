//! `rlm-sandbox plugin`: WebAssembly plugins, looked at and called.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use rlm_sandbox::{ErrorKind, Limits, Plugin as _, plain_json};
use rlm_sandbox_plugins::{Registry, WasmPlugin, file_digest};

use crate::isolation::{PLUGIN_CALLS, Role};
use crate::outcome::runtime;
use crate::subprocess::{CommandModel, HostCommand};
use crate::terminal::Terminal;
use crate::{Status, compiler, context, usage};

/// Looks at WebAssembly plugins, and calls them
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Inspect(Inspect),
    Call(Call),
}

/// Says what a plugin imports, exports and may do, and its SHA-256
#[derive(Debug, Args)]
struct Inspect {
    /// The component, or its manifest
    file: PathBuf,

    /// Prints one object of JSON, with the schemas
    #[arg(long)]
    json: bool,
}

/// Calls one function of a plugin, and prints what it gives as JSON
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
struct Call {
    /// The component, or its manifest
    file: PathBuf,

    /// The call, in WAVE: a name, and values in parentheses
    call: String,

    /// A context that the plugin may read if its manifest allows it
    #[arg(long, value_name = "[NAME=]PATH[:json]", allow_hyphen_values = true)]
    context: Vec<String>,

    /// Answers the plugin's prompts with a command, if its manifest allows them
    #[arg(long, value_name = "COMMAND")]
    llm_command: Option<String>,
}

const EXAMPLE: &str =
    "Values in WAVE: 10, 1.5, true, \"text\", 'c', [1, 2], (1, \"a\"), {field: 1}, some(1), none, \
name-of-a-case(1).
Exit status: 0 done, 1 the plugin failed, 2 bad usage, or it was not loaded.";

impl Options {
    pub(crate) fn is_json(&self) -> bool {
        matches!(&self.command, Command::Inspect(inspect) if inspect.json)
    }

    pub(crate) fn run(self, terminal: &Terminal) -> Result<Status> {
        match self.command {
            Command::Inspect(inspect) => inspect.run(terminal),
            Command::Call(call) => call.run(terminal),
        }
    }
}

impl Inspect {
    fn run(self, terminal: &Terminal) -> Result<Status> {
        let inspected = registry()?.inspect_file(&self.file);
        let inspected = inspected.map_err(|error| {
            let (file, text) = (self.file.display().to_string(), error.to_string());
            match error.kind() == ErrorKind::Usage && !text.contains(&file) {
                true => usage(format!("{file}: {text}")),
                false => error.into(),
            }
        })?;
        if self.json {
            terminal.print(&format!("{:#}\n", serde_json::to_value(&inspected)?));
            return Ok(Status::Done);
        }
        let mut text = format!(
            "{}\n  hash = \"{}\"\n\nfunctions\n",
            inspected.name, inspected.digest
        );
        for line in inspected.doc.lines() {
            text.push_str(&format!("    {line}\n"));
        }
        for function in &inspected.functions {
            text.push_str(&format!("  {}.{}\n", inspected.name, function.signature));
            for line in function.doc.lines() {
                text.push_str(&format!("      {line}\n"));
            }
        }
        text.push_str("\nimports\n");
        for import in &inspected.imports {
            text.push_str(&format!("  {import}\n"));
            match &import.granted_by {
                Some(_) if import.is_granted => text.push_str("      granted\n"),
                Some(line) => text.push_str(&format!("      needs {line}\n")),
                None if import.is_granted => {}
                None => text.push_str("      which nothing grants\n"),
            }
        }
        if inspected.imports.is_empty() {
            text.push_str("  none\n");
        }
        terminal.print(&text);
        Ok(Status::Done)
    }
}

impl Call {
    fn run(self, terminal: &Terminal) -> Result<Status> {
        let plugin = load(registry()?, None, &self.file)?;
        let mut call = plugin.parse_call(&self.call)?;
        for context in context::read(&self.context, terminal)? {
            call = call.context(context);
        }
        if let Some(command) = self.llm_command {
            let command = HostCommand::of_model(&command, &Limits::default(), terminal)?;
            call = call.model(CommandModel::new(command));
        }
        let runtime = runtime().context("cannot start the runtime")?;
        let answered = runtime.block_on(plugin.call(call));
        terminal.print(&answered.printed);
        let status = match answered.answer {
            Ok(value) => {
                terminal.print(&format!("{:#}\n", plain_json(value)));
                Status::Done
            }
            Err(error) => {
                terminal.error(&format!("{}\n", error.exception()));
                Status::Raised
            }
        };
        let (fuel, took) = (answered.fuel, answered.compute);
        terminal.error(&format!("[{fuel} fuel, {took:.1?}]\n"));
        Ok(status)
    }
}

/// Plugins without a session that stay loaded: a client of the worker may name any number.
const UNUSED_PLUGINS: usize = 16;

static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// The registry of this process.
fn registry() -> Result<&'static Registry> {
    if let Some(registry) = REGISTRY.get() {
        return Ok(registry);
    }
    let builder = Registry::builder().unused_plugins(UNUSED_PLUGINS);
    let builder = match compiler::is_enabled() {
        true => builder.compiler(compiler::in_child),
        false => builder,
    };
    let builder = match Role::of_process() {
        // One session may take a quarter of the places.
        Some(_) => builder
            .bounded_address_space()
            .concurrent_calls(4 * PLUGIN_CALLS),
        None => builder,
    };
    let made = builder.build()?;
    Ok(REGISTRY.get_or_init(|| made))
}

/// Loads a plugin, under this name if there is one.
fn load(registry: &Registry, name: Option<&str>, path: &Path) -> Result<WasmPlugin> {
    Ok(match name {
        Some(name) => registry.load_file_as(name, path)?,
        None => registry.load_file(path)?,
    })
}

/// Loads what `--plugin` names.
pub(crate) fn all(options: &[String]) -> Result<Vec<WasmPlugin>> {
    options.iter().map(|option| one(option)).collect()
}

/// Loads one of them: a file, or `NAME=FILE`.
pub(crate) fn one(option: &str) -> Result<WasmPlugin> {
    let (name, path) = named(option)?;
    load(registry()?, name, path)
}

/// Returns the digests of the plugins that `--plugin` names, and of their manifests.
pub(crate) fn digests(options: &[String]) -> Result<Vec<[u8; 32]>> {
    let digest = |option: &String| Ok(file_digest(named(option)?.1)?);
    options.iter().map(digest).collect()
}

/// Returns the name that a plugin is given, if it is given one, and its file.
fn named(option: &str) -> Result<(Option<&str>, &Path)> {
    let (name, path) = match option.split_once('=') {
        // For files with such a sign in their path.
        Some(("", path)) if !path.is_empty() => (None, path),
        Some((_, "")) => return Err(usage(format!("--plugin {option}: the file is missing"))),
        Some((name, path)) => (Some(name), path),
        None => (None, option),
    };
    Ok((name, Path::new(path)))
}

/// Starts the threads that plugins of this process need.
pub(crate) fn prepare_threads() {
    if let Some(registry) = REGISTRY.get() {
        registry.prepare_threads();
    }
}

/// Drops plugins that no session uses any more, but for a few.
pub(crate) fn drop_unused() {
    if let Some(registry) = REGISTRY.get() {
        registry.drop_unused();
    }
}
