//! What a model wrote, taken apart: pure functions for a loop of one's own.

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
        if let Some(code) = opened
            && let Some(end) = code.find("\n```")
        {
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
    match first_fence(code) {
        None => Ok(code.to_owned()),
        Some((language, code)) if is_python(&language) => Ok(code.trim().to_owned()),
        Some((language, _)) => Err(WrongLanguage(language)),
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
    let mut rest = text;
    while let Some((language, code)) = first_fence(rest) {
        if is_python(&language) {
            return code.trim();
        }
        // On after the fence that closed it.
        let mut parts = rest.splitn(3, FENCE);
        rest = parts.nth(2).unwrap_or_default();
    }
    text
}

fn is_python(language: &str) -> bool {
    matches!(language, "" | "repl") || PYTHON.contains(&language)
}

/// The first word after the first fence, in small letters, and what is inside.
fn first_fence(text: &str) -> Option<(String, &str)> {
    let (_, after) = text.split_once(FENCE)?;
    let (line, code) = after.split_once('\n').unwrap_or((after, ""));
    let language = line.split_whitespace().next().unwrap_or_default();
    let code = code.split_once(FENCE).map_or(code, |(code, _)| code);
    Some((language.to_lowercase(), code))
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
    let lines = |start: &'static str| {
        let begins = text.match_indices(start).filter(|(at, _)| {
            let line = text[..*at].rsplit('\n').next().unwrap_or_default();
            line.trim().is_empty()
        });
        begins.map(move |(at, _)| &text[at + start.len()..])
    };
    for rest in lines("FINAL_VAR(") {
        if let Some((name, _)) = rest.split_once(')') {
            let name = name.trim().trim_matches(['"', '\'']).trim();
            return Some(FinalText::Variable(name.to_owned()));
        }
    }
    for rest in lines("FINAL(") {
        // The last one that ends a line closes it.
        let mut closing = rest.match_indices(')').filter(|(at, _)| {
            let after = rest[at + 1..].split('\n').next().unwrap_or_default();
            after.trim().is_empty()
        });
        if let Some((end, _)) = closing.next_back() {
            return Some(FinalText::Answer(rest[..end].to_owned()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn answers_in_text_are_found_where_nothing_is_to_run() {
        // X19.
        let answer = |text: &str| Some(FinalText::Answer(text.to_owned()));
        for (text, told) in [
            ("FINAL(42)", answer("42")),
            ("so\n  FINAL(a (b)\nc)\n", answer("a (b)\nc")),
            ("I would say FINAL(1)", None),
            ("FINAL(1", None),
            ("FINAL(1\nFINAL(2)", answer("1\nFINAL(2")),
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
}
