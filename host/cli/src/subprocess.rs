//! `--tool` and `--llm-command`: host functions that are commands.

use std::process::Stdio;

use rlm_sandbox::{Arguments, Lm, LmAnswer, LmError, LmRequest, Tool, ToolError};
use serde_json::{Map, Value as Json};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::usage;

/// Bytes of a command's standard error that a script is told.
const TOLD: usize = 2000;

/// A tool from `NAME=COMMAND` or `NAME(PARAMETER,…)=COMMAND`.
///
/// The command gets the arguments as JSON on standard input: an object by
/// parameter if there are parameters, else `{"args": […], "kwargs": {…}}`. It
/// answers with JSON, or with text, on standard output.
pub(crate) fn tool(option: &str) -> anyhow::Result<Tool> {
    let (head, command) = option.split_once('=').ok_or_else(|| {
        usage(format!(
            "--tool {option}: write NAME=COMMAND, as in --tool 'today=date +%F'"
        ))
    })?;
    let (name, parameters) = match head.split_once('(') {
        Some((name, rest)) => {
            let list = rest.strip_suffix(')').ok_or_else(|| {
                usage(format!(
                    "--tool {option}: a `)` is missing, as in 'find(text,count)=…'"
                ))
            })?;
            (
                name,
                list.split(',')
                    .map(str::trim)
                    .filter(|name| !name.is_empty())
                    .collect(),
            )
        }
        None => (head, Vec::new()),
    };
    let (by_name, command) = (!parameters.is_empty(), command.to_owned());
    let tool = Tool::deferred(name, move |_, arguments: Map<String, Json>| {
        let (command, input) = (command.clone(), input(arguments, by_name));
        async move {
            let output = run(&command, &input, None)
                .await
                .map_err(|message| ToolError::new("RuntimeError", message))?;
            Ok(serde_json::from_str(&output).unwrap_or(Json::String(output)))
        }
    });
    Ok(tool.parameters(parameters))
}

fn input(arguments: Map<String, Json>, by_name: bool) -> String {
    if by_name {
        return Json::Object(arguments).to_string();
    }
    let (positional, named): (Vec<_>, Vec<_>) = arguments
        .into_iter()
        .partition(|(name, _)| Arguments::is_positional(name));
    let args: Vec<Json> = positional.into_iter().map(|(_, value)| value).collect();
    serde_json::json!({"args": args, "kwargs": Map::from_iter(named)}).to_string()
}

/// A model that is a command: the prompt on standard input, the answer on
/// standard output, the model's name, if one was asked for, in `$LLM_MODEL`.
#[derive(Debug)]
pub(crate) struct CommandModel(pub(crate) String);

impl Lm for CommandModel {
    async fn answer(&self, request: LmRequest) -> Result<LmAnswer, LmError> {
        run(&self.0, &request.prompt, request.model.as_deref())
            .await
            .map(LmAnswer::new)
            .map_err(LmError::new)
    }
}

/// Runs `sh -c COMMAND`; the command ends with the future.
async fn run(command: &str, input: &str, model: Option<&str>) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("cannot run `{command}`: {error}");
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(model) = model {
        shell.env("LLM_MODEL", model);
    }
    let mut child = shell.spawn().map_err(failed)?;
    let mut stdin = child.stdin.take();
    let feed = async {
        if let Some(stdin) = &mut stdin {
            // A command need not read what it is given.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
        drop(stdin);
    };
    let (output, ()) = tokio::join!(child.wait_with_output(), feed);
    let output = output.map_err(failed)?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        let told = told.trim_end();
        return Err(format!(
            "`{command}` ended with {}: {}",
            output.status,
            &told[..told.floor_char_boundary(TOLD)]
        ));
    }
    let mut text = String::from_utf8(output.stdout)
        .map_err(|_| format!("`{command}` answered with something that is not UTF-8"))?;
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(text)
}
