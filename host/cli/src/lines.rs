//! Scripts as a person types them: line by line, until one is whole.

use std::io::ErrorKind;

use anyhow::Result;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Editor, Helper};

use crate::saved::History;
use crate::terminal::Terminal;

/// What came of asking for a script.
pub(crate) enum Input {
    Script(String),
    /// Ctrl-C: what was typed is not meant.
    Nothing,
    End,
}

/// A tab, which completes a command, and indents a script by four spaces.
struct Indent;

/// Commands that a tab completes.
const COMMANDS: [&str; 8] = [
    ":vars", ":save ", ":load ", ":fork", ":back", ":reset", ":help", ":quit",
];

impl Helper for Indent {}
impl Highlighter for Indent {}
impl Validator for Indent {}

impl Hinter for Indent {
    type Hint = String;
}

impl Completer for Indent {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _context: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = line.get(..at).unwrap_or(line);
        if begun.starts_with(':') {
            let all = COMMANDS.iter().filter(|command| command.starts_with(begun));
            return Ok((0, all.map(|command| (*command).to_owned()).collect()));
        }
        Ok((at, vec![String::from("    ")]))
    }
}

/// Reads scripts from a person or from a pipe.
pub(crate) struct Lines {
    /// None where no person types.
    editor: Option<Editor<Indent, DefaultHistory>>,
    history: Option<History>,
    terminal: Terminal,
}

impl Lines {
    /// Keeps what a person types in the file `history`.
    pub(crate) fn new(terminal: &Terminal, history: Option<History>) -> Result<Self> {
        let mut editor = match terminal.is_typed {
            true => {
                // Each tab completes anew, so that two of them indent twice.
                let config = Config::builder().completion_type(CompletionType::List);
                let mut editor = Editor::with_config(config.build())?;
                editor.set_helper(Some(Indent));
                Some(editor)
            }
            false => None,
        };
        if let (Some(editor), Some(history)) = (&mut editor, &history) {
            // There is none the first time.
            let _ = editor.load_history(&history.path);
        }
        Ok(Self {
            editor,
            history,
            terminal: terminal.clone(),
        })
    }

    /// Reads the next script. One that a person types ends with an open bracket where `is_wrong` says of its text that
    /// nothing that follows makes it a script.
    pub(crate) fn read(&mut self, mut is_wrong: impl FnMut(&str) -> bool) -> Result<Input> {
        let (mut script, mut scan) = (String::new(), Scan::default());
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
            // What is pasted comes as one, with its line breaks.
            for (number, part) in line.split('\n').enumerate() {
                if number > 0 {
                    scan.feed("\n");
                }
                scan.feed(part);
            }
            // A command is one line, and a blank line ends a block.
            let is_command = script.trim_start().starts_with(':');
            if is_command
                || scan.is_whole(self.editor.is_some())
                || (line.is_empty() && !scan.is_open())
                || (self.editor.is_some() && scan.may_be_wrong(&script) && is_wrong(&script))
            {
                break;
            }
            script.push('\n');
            scan.feed("\n");
        }
        if let Some(editor) = &mut self.editor {
            let _ = editor.add_history_entry(script.trim_end());
            if let Some(history) = &self.history {
                // Losing it is no reason to end.
                let _ = editor.save_history(&history.path);
            }
        }
        Ok(Input::Script(script))
    }

    fn line(&mut self, prompt: &str) -> Result<Option<String>, ReadlineError> {
        match &mut self.editor {
            None => Ok(self.terminal.read_line()?),
            Some(editor) => {
                self.terminal.end_line();
                match editor.readline(prompt) {
                    Ok(line) => Ok(Some(line)),
                    Err(ReadlineError::Eof) => Ok(None),
                    Err(error) => Err(error),
                }
            }
        }
    }
}

/// A scan of a script that comes in pieces, each of which is looked at once. A piece is a line, or
/// the end of one.
#[derive(Debug, Default)]
struct Scan {
    depth: i32,
    /// The quotes that end the text that is open.
    quote: Option<&'static str>,
    /// True if the next character follows a backslash in a text.
    is_escaped: bool,
    /// The last character that is neither space nor comment.
    last: char,
    /// True if the last line that goes on with no other one is indented, or a decorator.
    is_inner: bool,
    /// The first word of that line.
    word: String,
}

impl Scan {
    fn feed(&mut self, piece: &str) {
        if piece != "\n" && !self.is_open() && self.last != '\\' {
            self.is_inner = piece.starts_with([' ', '\t', '@']);
            let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
            self.word = piece.chars().take_while(is_part).collect();
        }
        let mut rest = piece;
        while let Some(next) = rest.chars().next() {
            let after = &rest[next.len_utf8()..];
            if std::mem::take(&mut self.is_escaped) {
                rest = after;
                continue;
            }
            if let Some(end) = self.quote {
                let is_end = rest.starts_with(end);
                if is_end || (end.len() == 1 && next == '\n') {
                    self.quote = None;
                }
                self.is_escaped = next == '\\';
                rest = if is_end { &rest[end.len()..] } else { after };
                continue;
            }
            let opened = ["\"\"\"", "'''", "\"", "'"]
                .into_iter()
                .find(|open| rest.starts_with(open));
            if let Some(open) = opened {
                self.quote = Some(open);
                self.last = '"';
                rest = &rest[open.len()..];
                continue;
            }
            match next {
                '(' | '[' | '{' => self.depth += 1,
                ')' | ']' | '}' => self.depth -= 1,
                '#' => {
                    rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                    continue;
                }
                _ => {}
            }
            if !next.is_whitespace() {
                self.last = next;
            }
            rest = after;
        }
    }

    /// Returns whether a bracket or a text of several lines is open.
    fn is_open(&self) -> bool {
        self.depth > 0 || self.quote.is_some_and(|quote| quote.len() == 3)
    }

    /// Returns whether nothing may make a script of the text so far although it goes on: a bracket is open, it begins with
    /// an indented line, or its last line begins a block and has no colon at its end.
    fn may_be_wrong(&self, script: &str) -> bool {
        let is_first = self.is_inner && !script.contains('\n') && !script.starts_with('@');
        let is_header = !self.is_inner && self.last != ':' && self.begins_block();
        self.quote.is_none() && self.last != '\\' && (self.depth > 0 || is_first || is_header)
    }

    fn begins_block(&self) -> bool {
        BLOCKS.contains(&self.word.as_str())
    }

    /// Returns whether nothing has to follow the line that was fed last: no bracket, text or line
    /// is open, and no block, which an empty line closes. A person is asked for what follows a block
    /// of one line, as by Python; a program that waits for its output is not.
    fn is_whole(&self, is_typed: bool) -> bool {
        let in_block = self.is_inner
            // Nothing is whole that begins so.
            || self.word == "try"
            || is_typed && self.begins_block();
        !(self.is_open() || in_block || matches!(self.last, ':' | '\\'))
    }
}

/// Words that begin a block which may be one line, or go on with one.
const BLOCKS: [&str; 11] = [
    "async", "class", "def", "elif", "else", "except", "finally", "for", "if", "while", "with",
];

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};

    use super::*;

    fn is_whole(script: &str, is_typed: bool) -> bool {
        let mut scan = Scan::default();
        for (number, line) in script.split('\n').enumerate() {
            if number > 0 {
                scan.feed("\n");
            }
            scan.feed(line);
        }
        scan.is_whole(is_typed)
    }

    #[test]
    fn a_script_of_many_lines_is_read_in_time_in_proportion_to_them() {
        const LINES: usize = 300_000;
        let script = format!("'''{}'''\nnext\n", "\n".repeat(LINES));
        let nothing: Arc<Mutex<Vec<u8>>> = Arc::default();
        let terminal = Terminal::new(Cursor::new(script), nothing.clone(), nothing);
        let mut lines = Lines::new(&terminal, None).expect("a pipe");
        let since = Instant::now();
        for length in [LINES + 6, 4] {
            let read = lines.read(|_| false).expect("a script");
            assert!(matches!(read, Input::Script(script) if script.len() == length));
        }
        // Scanning the script anew for each of its lines takes many minutes.
        assert!(since.elapsed() < Duration::from_secs(20));
    }

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
            "f(1,\n  2)",
            "x = 1 + \\\n  2",
            "x = '''a\n  b'''",
            "'\\''",
        ] {
            assert!(is_whole(whole, false), "{whole}");
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
            "if x:\n    f(1,\n2)",
        ] {
            assert!(!is_whole(part, false), "{part}");
        }
        for block in [
            "while True: pass",
            "if 0: a",
            "try: f()",
            "if x:\n    y\nelse: z",
        ] {
            assert!(!is_whole(block, true), "{block}");
            assert_eq!(is_whole(block, false), !block.starts_with("try"), "{block}");
        }
        assert!(is_whole("iffy = 1", true) && is_whole("format(x)", true));
        // As it is pasted.
        let pasted = "def f():\n    a\n\n    b\nf()";
        assert!(is_whole(pasted, true), "{pasted}");
    }

    #[test]
    fn a_header_without_a_colon_may_be_wrong() {
        let may_be_wrong = |line: &str| {
            let mut scan = Scan::default();
            scan.feed(line);
            scan.may_be_wrong(line)
        };
        for wrong in ["if x", "def f()", "while 1 # :", "for i in range(3)"] {
            assert!(may_be_wrong(wrong), "{wrong}");
        }
        for begun in ["if x:", "def f(): # all", "x = 1", "if x \\", "@f", "iffy"] {
            assert!(!may_be_wrong(begun), "{begun}");
        }
    }
}
