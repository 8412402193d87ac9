//! Scripts as a person types them: line by line, until one is whole.

use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::Result;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::terminal::Terminal;

/// What came of asking for a script.
pub(crate) enum Input {
    Script(String),
    /// Ctrl-C: what was typed is not meant.
    Nothing,
    End,
}

/// Reads scripts from a person or from a pipe.
pub(crate) struct Lines {
    /// None where no person types.
    editor: Option<DefaultEditor>,
    history: Option<PathBuf>,
    terminal: Terminal,
}

impl Lines {
    /// Keeps what a person types in the file `history`.
    pub(crate) fn new(terminal: &Terminal, history: Option<PathBuf>) -> Result<Self> {
        let mut editor = match terminal.is_typed {
            true => Some(DefaultEditor::new()?),
            false => None,
        };
        if let (Some(editor), Some(history)) = (&mut editor, &history) {
            // There is none the first time.
            let _ = editor.load_history(history);
        }
        Ok(Self {
            editor,
            history,
            terminal: terminal.clone(),
        })
    }

    /// The next script.
    pub(crate) fn read(&mut self) -> Result<Input> {
        let mut script = String::new();
        loop {
            let line = match self.line(if script.is_empty() { ">>> " } else { "... " }) {
                Ok(Some(line)) => line,
                Ok(None) if script.is_empty() => return Ok(Input::End),
                Ok(None) => break,
                Err(ReadlineError::Interrupted) => return Ok(Input::Nothing),
                Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                    let told = "what was typed is no UTF-8 and was ignored\n";
                    self.terminal.error(told);
                    return Ok(Input::Nothing);
                }
                Err(error) => return Err(error.into()),
            };
            if script.is_empty() && line.trim().is_empty() {
                return Ok(Input::Nothing);
            }
            script.push_str(&line);
            // A command is one line, and a blank line ends a block.
            let is_command = script.starts_with(':');
            if is_command || is_whole(&script) || (line.is_empty() && !scan(&script).0) {
                break;
            }
            script.push('\n');
        }
        if let Some(editor) = &mut self.editor {
            let _ = editor.add_history_entry(script.trim_end());
            if let Some(history) = &self.history {
                if let Some(folder) = history.parent() {
                    let _ = crate::saved::make_private_folder(folder);
                }
                // Losing it is no reason to end.
                let _ = editor.save_history(history);
            }
        }
        Ok(Input::Script(script))
    }

    fn line(&mut self, prompt: &str) -> Result<Option<String>, ReadlineError> {
        match &mut self.editor {
            None => Ok(self.terminal.read_line()?),
            Some(editor) => match editor.readline(prompt) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Eof) => Ok(None),
                Err(error) => Err(error),
            },
        }
    }
}

/// Whether nothing has to follow: no bracket, text or line is open, and no
/// block, which an empty line closes.
fn is_whole(script: &str) -> bool {
    let (is_open, last) = scan(script);
    let last_line = script.rsplit('\n').next().unwrap_or_default();
    let in_block = last_line.starts_with([' ', '\t']) || last_line.starts_with('@');
    !(is_open || in_block || matches!(last, ':' | '\\'))
}

/// Whether a bracket or a text is open, and the last character that is neither
/// space nor comment.
fn scan(script: &str) -> (bool, char) {
    let mut depth = 0_i32;
    let mut quote: Option<&str> = None;
    let mut rest = script;
    let mut last = ' ';
    while let Some(next) = rest.chars().next() {
        if let Some(end) = quote {
            if rest.starts_with(end) || (end.len() == 1 && next == '\n') {
                rest = &rest[if next == '\n' { 1 } else { end.len() }..];
                quote = None;
                continue;
            }
            if next == '\\' {
                rest = &rest[1..];
            }
        } else {
            let opened = ["\"\"\"", "'''", "\"", "'"]
                .into_iter()
                .find(|open| rest.starts_with(open));
            if let Some(open) = opened {
                quote = Some(open);
                last = '"';
                rest = &rest[open.len()..];
                continue;
            }
            match next {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                '#' => {
                    rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                    continue;
                }
                _ => {}
            }
            if !next.is_whitespace() {
                last = next;
            }
        }
        rest = rest.strip_prefix(|_| true).unwrap_or_default();
    }
    let is_open = depth > 0 || quote.is_some_and(|quote| quote.len() == 3);
    (is_open, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_whole_when_nothing_is_open() {
        for whole in [
            "1 + 1",
            "while True: pass",
            "f('(')",
            "x = \"it's\" # (",
            "x = {1: 2}",
            "'''a\nb'''",
            "'open",
            "f(1,\n2)",
            "'\\''",
        ] {
            assert!(is_whole(whole), "{whole}");
        }
        for part in [
            "def f():",
            "def f():  # note",
            "if x:\n    y",
            "f(1,",
            "'''a",
            "x = 1 + \\",
            "@decorated",
            "[\n1,",
            "if x:\n    y\nelse:",
        ] {
            assert!(!is_whole(part), "{part}");
        }
    }
}
