//! A source as it came, and as it is parsed.

use std::borrow::Cow;

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_text_size::Ranged as _;

use crate::bindings::exports::rlm::sandbox::repl::Fences;

/// Marks the beginning and the end of a block of code in Markdown.
const FENCE: &str = "```";

/// The same text, in which comments are as many spaces: what looks for a word or a
/// sign between two expressions must not find it there.
pub(crate) fn without_comments<'a>(source: &'a str, tokens: &Tokens) -> Cow<'a, str> {
    if !source.contains('#') {
        return source.into();
    }
    let mut text = String::with_capacity(source.len());
    let comments = tokens
        .iter()
        .filter(|token| token.kind() == TokenKind::Comment);
    for comment in comments {
        text.push_str(&source[text.len()..comment.start().to_usize()]);
        text.extend(std::iter::repeat_n(' ', comment.range().len().to_usize()));
    }
    text.push_str(&source[text.len()..]);
    text.into()
}

/// Takes the byte order mark, the carriage returns and, if so wished, the
/// fences away.
pub(crate) fn normalize(source: &str, fences: Fences) -> Cow<'_, str> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let source = match fences {
        Fences::Keep => source,
        Fences::Whole => whole_block(source).unwrap_or(source),
        Fences::First => first_block(source).unwrap_or(source),
    };
    if source.contains('\r') {
        source.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        source.into()
    }
}

/// Returns the content of a source that is one fenced block and nothing else.
fn whole_block(source: &str) -> Option<&str> {
    let inner = source.trim().strip_prefix(FENCE)?.strip_suffix(FENCE)?;
    let (language, code) = inner.split_once('\n')?;
    let has_another = code
        .lines()
        .any(|line| line.trim_start().starts_with(FENCE));
    (is_python(language) && !has_another && (code.is_empty() || code.ends_with('\n')))
        .then_some(code)
}

/// Returns the content of the first block that may be Python, up to its end or to
/// that of the text.
fn first_block(source: &str) -> Option<&str> {
    let mut rest = source;
    loop {
        let (_, after) = rest.split_once(FENCE)?;
        let (language, code) = after.split_once('\n')?;
        let (block, next) = match code.split_once("\n```") {
            Some((block, next)) => (&code[..block.len() + 1], next),
            None => (code, ""),
        };
        if is_python(language) {
            return Some(block);
        }
        rest = next;
    }
}

/// Returns whether a block that is marked so holds Python, as far as anybody says.
fn is_python(language: &str) -> bool {
    matches!(
        language.trim().to_ascii_lowercase().as_str(),
        "" | "python" | "py" | "python3" | "py3" | "repl" | "tool_code"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_go_only_where_they_are_all_there_is() {
        for (source, whole, first) in [
            ("x = 1", "x = 1", "x = 1"),
            ("```python\nx = 1\n```", "x = 1\n", "x = 1\n"),
            ("\n``` \nx = 1\n```\n", "x = 1\n", "x = 1\n"),
            ("```repl\r\nx\r\n```", "x\n", "x\n"),
            ("Do:\n```py\nx\n```", "Do:\n```py\nx\n```", "x\n"),
            ("```sh\nls\n```\n```py\nx", "```sh\nls\n```\n```py\nx", "x"),
            (
                "```python\ns = \"```\"\n```",
                "s = \"```\"\n",
                "s = \"```\"\n",
            ),
        ] {
            assert_eq!(normalize(source, Fences::Whole), whole, "{source}");
            assert_eq!(normalize(source, Fences::First), first, "{source}");
            assert_eq!(
                normalize(source, Fences::Keep),
                source.replace("\r\n", "\n")
            );
        }
    }
}
