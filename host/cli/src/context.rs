//! `--context` and `--input`.

use std::path::Path;

use anyhow::{Context as _, Result};
use rlm_sandbox::{Context, is_identifier, python_json};
use serde_json::Value as Json;

use crate::terminal::Terminal;
use crate::{read_file, usage};

/// The variable that is a context, where the profile says so.
pub(crate) const NAME: &str = "context";

/// Names that `--context` binds.
const BOUND: [&str; 2] = ["files", "context_files"];

/// The parts of `[NAME=]PATH[:text|:json|:bytes]`.
#[derive(Debug, PartialEq, Eq)]
struct Wish<'a> {
    name: Option<&'a str>,
    path: &'a str,
    form: Option<&'a str>,
}

impl<'a> Wish<'a> {
    fn parse(text: &'a str) -> Self {
        let mut wish = Self {
            name: None,
            path: text,
            form: None,
        };
        // A file that has exactly this name is meant, whatever is in it.
        if Path::new(text).exists() {
            return wish;
        }
        if let Some((name, path)) = text.split_once('=')
            && !name.is_empty()
            && name
                .chars()
                .all(|character| character.is_alphanumeric() || "_-. ".contains(character))
        {
            wish.name = Some(name);
            wish.path = path;
        }
        if let Some((path, form @ ("text" | "json" | "bytes"))) = wish.path.rsplit_once(':') {
            wish.form = Some(form);
            wish.path = path;
        }
        wish
    }

    /// Returns the words for a path whose end looks like a form.
    fn forms(&self) -> &'static str {
        let end = self.path.rsplit_once(':').map(|(_, end)| end);
        let is_word = end.is_some_and(|end| end.chars().all(|c| c.is_ascii_alphanumeric()));
        match is_word {
            true => "; what follows the last colon may be text, json or bytes",
            false => "",
        }
    }
}

/// Reads the files of all `--context` options.
pub(crate) fn read(options: &[String], terminal: &Terminal) -> Result<Vec<Context>> {
    let mut contexts: Vec<(Context, &str)> = Vec::new();
    for option in options {
        let wish = Wish::parse(option);
        let bytes = if wish.path == "-" {
            terminal.read().context("cannot read standard input")?
        } else {
            read_file(Path::new(wish.path), crate::FILE_BYTES).map_err(|error| {
                usage(format!(
                    "cannot read --context {}: {error}{}",
                    wish.path,
                    wish.forms()
                ))
            })?
        };
        let base = Path::new(wish.path)
            .file_name()
            .and_then(|name| name.to_str());
        let name = wish.name.or(if wish.path == "-" {
            Some("stdin")
        } else {
            base
        });
        let name = name.ok_or_else(|| {
            usage(format!(
                "--context {option}: give it a name, as in --context data.txt={option}"
            ))
        })?;
        if let Some((_, other)) = contexts.iter().find(|(context, _)| context.name() == name) {
            return Err(usage(format!(
                "--context {other} and --context {option} are both named `{name}`; rename one, as in --context other-{name}={}",
                wish.path
            )));
        }
        let mut context = match (wish.form, String::from_utf8(bytes)) {
            (Some("bytes"), Ok(text)) => Context::bytes(name, text.into_bytes()),
            (Some("json"), Ok(text)) => Context::json(name, text)?,
            (_, Ok(text)) => Context::text(name, text),
            (Some("bytes"), Err(error)) => Context::bytes(name, error.into_bytes()),
            (None, Err(error)) => {
                terminal.error(&format!(
                    "note: --context {option} is not UTF-8, so scripts see bytes; context.decode('utf-8', 'replace') makes text of them\n"
                ));
                Context::bytes(name, error.into_bytes())
            }
            (Some(form), Err(_)) => {
                return Err(usage(format!(
                    "--context {option} is not UTF-8; take `:{form}` away and read it as bytes"
                )));
            }
        };
        if let Some(name) = wish.name {
            context = context.field(name);
        }
        contexts.push((context, option));
    }
    Ok(contexts.into_iter().map(|(context, _)| context).collect())
}

/// Returns whether one of these options reads standard input.
pub(crate) fn reads_input(options: &[String]) -> bool {
    options.iter().any(|option| Wish::parse(option).path == "-")
}

/// Reads an `--input NAME=JSON`.
pub(crate) fn input(option: &str) -> Result<(String, Json)> {
    let (name, json) = option.split_once('=').ok_or_else(|| {
        usage(format!(
            "--input {option}: write NAME=JSON, as in --input rows=[1,2]"
        ))
    })?;
    if BOUND.contains(&name) || name.starts_with("context_") {
        return Err(usage(format!(
            "--input {name}: this name belongs to --context; choose another"
        )));
    }
    if !is_identifier(name) {
        return Err(usage(format!(
            "--input {name}: scripts cannot write this name; Python's names are letters, digits and _ in their \
             normal form (NFKC), and no keyword"
        )));
    }
    serde_json::from_str::<serde::de::IgnoredAny>(json).map_err(|error| {
        usage(format!("--input {name}: `{json}` is not JSON ({error}); text needs quotes, as in --input '{name}=\"text\"'"))
    })?;
    let value = python_json(json, true)?;
    Ok((name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_says_name_path_and_form() {
        let wish = |name, path, form| Wish { name, path, form };
        assert_eq!(Wish::parse("a/b.log"), wish(None, "a/b.log", None));
        assert_eq!(
            Wish::parse("q=b.log:json"),
            wish(Some("q"), "b.log", Some("json"))
        );
        assert_eq!(
            Wish::parse("c.log=b.log:bytes"),
            wish(Some("c.log"), "b.log", Some("bytes"))
        );
        assert_eq!(Wish::parse("./x=y:z"), wish(None, "./x=y:z", None));
    }
}
