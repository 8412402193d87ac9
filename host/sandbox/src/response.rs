//! What a model wrote, taken apart: pure functions for a loop of one's own.
//!
//! A response has any shape, so each function takes time in proportion to its length: no part
//! of it is searched once for each fence, line or parenthesis.

use std::fmt;

/// Marks the beginning and the end of a block of code in Markdown.
const FENCE: &str = "```";

/// Words for Python after a fence.
const PYTHON: [&str; 4] = ["python", "py", "python3", "py3"];

/// The blocks of code that a response wants executed, in order and trimmed:
/// those fenced as `repl`, or where there are none, those fenced as Python.
///
/// ```
/// # use rlm_sandbox::find_code_blocks;
/// let response = "First:\n```repl\nx = 1\n```\nThen:\n```repl\nprint(x)\n```\n";
/// assert_eq!(find_code_blocks(response), ["x = 1", "print(x)"]);
/// ```
///
/// # Source
///
/// `find_code_blocks` of `alexzhang13/rlm`, which knows `repl` only.
pub fn find_code_blocks(text: &str) -> Vec<String> {
    let repl = blocks(text, &["repl"]);
    match repl.is_empty() {
        true => blocks(text, &PYTHON),
        false => repl,
    }
}

/// What the expression ```` ```language\s*\n(.*?)\n``` ```` finds, trimmed.
fn blocks(text: &str, languages: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once(FENCE) {
        rest = after;
        let opened = languages.iter().find_map(|language| {
            let after = after.strip_prefix(language)?;
            let code = after.trim_start();
            // The code begins after the last line end of the white space.
            let space = &after[..after.len() - code.len()];
            Some(&after[space.rfind('\n')? + 1..])
        });
        if let Some(code) = opened {
            // Where nothing closes this block, nothing closes a later one.
            let Some(end) = code.find("\n```") else {
                break;
            };
            found.push(code[..end].trim().to_owned());
            rest = &code[end + 1 + FENCE.len()..];
        }
    }
    found
}

/// A response that is code in another language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongLanguage(String);

impl fmt::Display for WrongLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let language = &self.0;
        write!(
            f,
            "Expected Python code but got ```{language} fence. Write Python code, not {language}."
        )
    }
}

impl std::error::Error for WrongLanguage {}

/// The code in a text: in its first fence if it has one, to the end of the
/// fence or of the text; else all of it. Trimmed.
///
/// # Errors
///
/// If the first fence is of another language.
///
/// ```
/// # use rlm_sandbox::strip_code_fences;
/// assert_eq!(strip_code_fences("```py\nx = 1\n```").as_deref(), Ok("x = 1"));
/// assert_eq!(strip_code_fences("x = 1").as_deref(), Ok("x = 1"));
/// assert!(strip_code_fences("```bash\nls\n```").is_err());
/// ```
///
/// # Source
///
/// What dspy does with a model's code.
pub fn strip_code_fences(text: &str) -> Result<String, WrongLanguage> {
    let mut code = text.trim();
    // A bare pair of fences may stand around another for decoration.
    while let Some(inner) = code
        .strip_prefix("```\n")
        .and_then(|code| code.strip_suffix(FENCE))
        && inner.contains(FENCE)
    {
        code = inner.trim();
    }
    match code.split_once(FENCE) {
        None => Ok(code.to_owned()),
        Some((_, fenced)) if is_python(fenced) => Ok(inside(fenced).to_owned()),
        Some((_, fenced)) => Err(WrongLanguage(language(fenced).to_lowercase())),
    }
}

/// The code in a response: its first block that is fenced as Python or bare,
/// trimmed, to the end of the text if it is not closed; else the response as it
/// is.
///
/// ```
/// # use rlm_sandbox::extract_code;
/// assert_eq!(extract_code("```python\nresult = 2 + 2\n```"), "result = 2 + 2");
/// assert_eq!(extract_code("result = 2 + 2"), "result = 2 + 2");
/// ```
///
/// # Source
///
/// `extract_code` of the code generators that this library serves.
pub fn extract_code(text: &str) -> &str {
    // Every other fence closes the one before it.
    let opening = text.match_indices(FENCE).step_by(2);
    let mut fenced = opening.map(|(at, _)| &text[at + FENCE.len()..]);
    fenced.find(|fenced| is_python(fenced)).map_or(text, inside)
}

/// Returns whether the first word after a fence, on its line, stands for Python, or there is none.
fn is_python(fenced: &str) -> bool {
    let line = fenced.trim_start_matches(|space: char| space.is_whitespace() && space != '\n');
    // The word itself may be as long as the text.
    ["", "repl"].iter().chain(&PYTHON).any(|word| {
        line.split_at_checked(word.len())
            .is_some_and(|(begin, rest)| {
                let is_whole = rest.chars().next().is_none_or(char::is_whitespace);
                is_whole && begin.eq_ignore_ascii_case(word)
            })
    })
}

/// Returns the first word after a fence, on its line.
fn language(fenced: &str) -> &str {
    let line = fenced.split('\n').next().unwrap_or_default();
    line.split_whitespace().next().unwrap_or_default()
}

/// Returns what is between the line of a fence and the next fence or the end, trimmed.
fn inside(fenced: &str) -> &str {
    let (_, code) = fenced.split_once('\n').unwrap_or_default();
    code.split_once(FENCE).map_or(code, |(code, _)| code).trim()
}

/// An answer that a response gives outside of code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinalText {
    /// `FINAL(answer)`, as it stands between the parentheses.
    Answer(String),
    /// `FINAL_VAR(name)`.
    Variable(String),
}

/// The answer in a response that says `FINAL(…)` or `FINAL_VAR(…)` at the
/// beginning of a line.
///
/// None where the response has blocks of code: what it says about their results
/// was made up before they ran.
///
/// ```
/// # use rlm_sandbox::{FinalText, parse_final};
/// assert_eq!(parse_final("I am done.\nFINAL(42)"), Some(FinalText::Answer("42".into())));
/// assert_eq!(parse_final("FINAL_VAR('x')"), Some(FinalText::Variable("x".into())));
/// assert_eq!(parse_final("```repl\nx = 1\n```\nFINAL(1)"), None);
/// ```
pub fn parse_final(text: &str) -> Option<FinalText> {
    if !find_code_blocks(text).is_empty() {
        return None;
    }
    // Where nothing closes the first answer of a kind, nothing closes a later one.
    let variable = after_first(text, "FINAL_VAR(").and_then(|rest| rest.split_once(')'));
    if let Some((name, _)) = variable {
        let name = name.trim().trim_matches(['"', '\'']).trim();
        return Some(FinalText::Variable(name.to_owned()));
    }
    let answer = before_last_closing(after_first(text, "FINAL(")?)?;
    Some(FinalText::Answer(answer.to_owned()))
}

/// Returns the text after the first `start` that begins a line, white space apart.
fn after_first<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let mut rest = text.trim_start();
    loop {
        if let Some(after) = rest.strip_prefix(start) {
            return Some(after);
        }
        let (_, lines) = rest.split_once('\n')?;
        rest = lines.trim_start();
    }
}

/// Returns the text before the last parenthesis that ends a line, white space apart.
fn before_last_closing(text: &str) -> Option<&str> {
    let mut rest = text.trim_end();
    loop {
        if let Some(before) = rest.strip_suffix(')') {
            return Some(before);
        }
        let (lines, _) = rest.rsplit_once('\n')?;
        rest = lines.trim_end();
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn code_is_found_however_it_is_fenced() {
        // Contracts of source 002, and repl.md 2.10.5.
        for (text, code) in [
            ("```python\nresult = 2 + 2\n```", "result = 2 + 2"),
            ("result = 2 + 2", "result = 2 + 2"),
            ("Sure!\n\n```py\nx = 1\n```\nDone.", "x = 1"),
            ("```\nx\n```", "x"),
            ("```python\nx = '''\n", "x = '''"),
            ("```sh\nls\n```\n```python3\ny\n```", "y"),
            ("```python\na\n```\n```python\nb\n```", "a"),
            ("```sh ```py\nx", "```sh ```py\nx"),
            ("```sh ``` ```\u{2003}PY \t\nx", "x"),
            ("```\u{2003}\nx\n```", "x"),
            ("```py3.12\nx\n```", "```py3.12\nx\n```"),
            ("```p\u{fd}\nx\n```", "```p\u{fd}\nx\n```"),
            ("```py", ""),
            ("```sh", "```sh"),
        ] {
            assert_eq!(extract_code(text), code, "{text}");
        }
        assert_eq!(
            find_code_blocks("```python\na\n```\n```repl\nb\n```"),
            ["b"]
        );
        assert_eq!(find_code_blocks("```python\na\n```"), ["a"]);
        // Where a fence need not stand alone on its line.
        let prose = "Look: ```repl\na\n``` and then\n```repl  \n\nb = '''\n ```\n'''\n```";
        assert_eq!(find_code_blocks(prose), ["a", "b = '''\n ```\n'''"]);
        assert!(find_code_blocks("```repl\nnot closed").is_empty());
        let last_is_open = "```repl\na\n```\n```repl\nb ```py\nc";
        assert_eq!(find_code_blocks(last_is_open), ["a"]);
        for (text, code) in [
            ("```\n```python\nx = 7\n```\n```", "x = 7"),
            ("```Python\nx\n```", "x"),
            ("```python title=a\nx\n```", "x"),
            ("Here: ```py\nx\n``` so", "x"),
            ("```python\nx", "x"),
        ] {
            assert_eq!(strip_code_fences(text).as_deref(), Ok(code), "{text}");
        }
        assert_eq!(
            strip_code_fences("```bash\nls\n```")
                .expect_err("no Python")
                .to_string(),
            "Expected Python code but got ```bash fence. Write Python code, not bash."
        );
    }

    #[doc = "Keeps X19."]
    #[test]
    fn answers_in_text_are_found_where_nothing_is_to_run() {
        let answer = |text: &str| Some(FinalText::Answer(text.to_owned()));
        for (text, told) in [
            ("FINAL(42)", answer("42")),
            ("so\n  FINAL(a (b)\nc)\n", answer("a (b)\nc")),
            ("I would say FINAL(1)", None),
            ("FINAL(1", None),
            ("FINAL(1\nFINAL(2)", answer("1\nFINAL(2")),
            (
                "FINAL(1) FINAL(2) so\n) \t\n x)y",
                answer("1) FINAL(2) so\n"),
            ),
            ("FINAL(1)\nFINAL(2", answer("1")),
            ("a)\nFINAL(1", None),
            ("\u{2003}FINAL()", answer("")),
            (
                "FINAL_VAR(x\nFINAL(1) so",
                Some(FinalText::Variable("x\nFINAL(1".into())),
            ),
            ("FINAL_VAR(x\nFINAL(1", None),
            (
                "FINAL(1)\nFINAL_VAR(y)",
                Some(FinalText::Variable("y".into())),
            ),
            ("FINAL_VAR( \"x\" )", Some(FinalText::Variable("x".into()))),
            ("```python\nx\n```\nFINAL(1)", None),
        ] {
            assert_eq!(parse_final(text), told, "{text}");
        }
    }

    #[test]
    fn a_response_of_any_shape_takes_time_in_proportion_to_its_length() {
        const BYTES: usize = 1 << 20;
        /// A hundred times what each call takes in a build without optimization. Searching the rest of
        /// the text for each of its parts takes minutes.
        const MOST: Duration = Duration::from_secs(10);
        type Count = fn(&str) -> usize;
        let functions: [(&str, Count); 4] = [
            ("find_code_blocks", |text| find_code_blocks(text).len()),
            ("strip_code_fences", |text| {
                strip_code_fences(text).map_or(0, |code| code.len())
            }),
            ("extract_code", |text| extract_code(text).len()),
            ("parse_final", |text| {
                usize::from(parse_final(text).is_some())
            }),
        ];
        // A beginning, a part that is repeated, and an end that may be repeated, too.
        for (begin, part, end) in [
            // Blocks that are opened and never closed.
            ("", "a```repl\nx ", ""),
            ("", "```python\n", ""),
            ("", "```repl \t", ""),
            ("```repl\na\n```\n", "```repl\n", "`x\n"),
            // Fences of another language, in one line or one word, and no end of a line.
            ("", "```c ", ""),
            ("", "```c", ""),
            ("", "```c ", "x"),
            ("", "```c ", "\nx"),
            ("", "```c\n", "x"),
            ("", "```\n", "```"),
            ("", "```", " "),
            // Answers inside of a line, behind white space, and without an end.
            ("", "xFINAL(", ""),
            (" ", "FINAL(", ")x"),
            ("", "FINAL(\n", ")x\n"),
            ("", "FINAL(a)b\n", ""),
            ("", "FINAL_VAR(\n", "x"),
            ("FINAL(", ")", "x"),
            ("FINAL(", ") ", " \n"),
            ("FINAL_VAR(x\n", "FINAL(", "\n"),
            ("", " ", "FINAL("),
            ("", "\n", ")"),
        ] {
            let end = end.repeat(BYTES / 2 / end.len().max(1));
            let parts = part.repeat((BYTES - end.len()) / part.len());
            let text = format!("{begin}{parts}{end}");
            for (name, function) in functions {
                let since = Instant::now();
                black_box(function(&text));
                let time = since.elapsed();
                assert!(time < MOST, "{name} takes {time:?} for {part:?}");
            }
        }
    }
}
