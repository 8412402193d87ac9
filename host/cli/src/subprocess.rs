//! `--tool` and `--llm-command`: host functions that are commands.

use std::borrow::Cow;
use std::process::Stdio;

use rlm_sandbox::{Arguments, Lm, LmAnswer, LmError, LmRequest, Tool, ToolError};
use serde_json::Value as Json;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::usage;

/// Bytes of a command's standard error that a script is told.
const TOLD: usize = 2000;

/// A tool from `NAME=COMMAND` or `NAME(PARAMETER,…)=COMMAND`.
///
/// The command gets the arguments as JSON on standard input: an object by
/// parameter if there are parameters, else `{"args": […], "kwargs": {…}}`. It
/// answers with JSON, or with text, on standard output. What JSON lacks has a
/// tag both ways, as `{"$tuple": [1, 2]}`.
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
    let tool = Tool::with_arguments(name, move |_, arguments: Arguments| {
        let (command, input) = (command.clone(), input(&arguments, by_name));
        async move {
            let output = run(&command, &input, None).await?;
            Ok(serde_json::from_str(&exact(&output)).unwrap_or(Json::String(output)))
        }
    });
    Ok(tool.parameters(parameters))
}

/// Why a command gave no answer.
struct Failure {
    message: String,
    /// The last line of its standard error.
    last: String,
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        let last = String::new();
        Self { message, last }
    }
}

impl From<Failure> for ToolError {
    /// The exception that the command names in the last line of its standard
    /// error, as Python programs do, or else a `RuntimeError` with all that is known.
    fn from(failure: Failure) -> Self {
        match failure.last.split_once(": ") {
            Some((kind, text)) if is_exception(kind) => Self::new(kind, text),
            _ => Self::new("RuntimeError", failure.message),
        }
    }
}

fn is_exception(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric())
        && (name.ends_with("Error") || name.ends_with("Exception"))
}

/// The same JSON with a tag around whole numbers that take more than 64 bits,
/// which Python has and readers of JSON round.
fn exact(json: &str) -> Cow<'_, str> {
    const DIGITS: usize = 19;
    let (mut text, mut done, mut in_text) = (String::new(), 0, false);
    let bytes = json.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if in_text => at += 1,
            b'"' => in_text = !in_text,
            b'-' | b'0'..=b'9' if !in_text => {
                let is_part =
                    |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
                let length = bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                let number = &json[at..at + length];
                let is_whole = number
                    .bytes()
                    .all(|byte| byte == b'-' || byte.is_ascii_digit());
                if is_whole && length >= DIGITS && number.parse::<i64>().is_err() {
                    text.push_str(&json[done..at]);
                    text.push_str(&format!("{{\"$int\":\"{number}\"}}"));
                    done = at + length;
                }
                at += length - 1;
            }
            _ => {}
        }
        at += 1;
    }
    if done == 0 {
        return json.into();
    }
    text.push_str(&json[done..]);
    text.into()
}

fn input(arguments: &Arguments, by_name: bool) -> String {
    if by_name {
        let tagged = arguments.tagged();
        let tagged = tagged.map(|(name, value)| (name.to_owned(), value.clone()));
        return Json::Object(tagged.collect()).to_string();
    }
    let (args, kwargs) = arguments.split();
    serde_json::json!({"args": args, "kwargs": kwargs}).to_string()
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
            .map_err(|failure| LmError::new(failure.message))
    }
}

/// Runs `sh -c COMMAND`; the command ends with the future.
async fn run(command: &str, input: &str, model: Option<&str>) -> Result<String, Failure> {
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
        // What went wrong stands at the end.
        let told = &told[told.ceil_char_boundary(told.len().saturating_sub(TOLD))..];
        return Err(Failure {
            message: format!("`{command}` ended with {}: {told}", output.status),
            last: told.lines().next_back().unwrap_or_default().to_owned(),
        });
    }
    let mut text = String::from_utf8(output.stdout)
        .map_err(|_| format!("`{command}` answered with something that is not UTF-8"))?;
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(text)
}
