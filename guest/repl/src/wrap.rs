//! A source whose top-level `return` becomes that of a function.

use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{ModModule, Stmt};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextRange};

use crate::edits::INDENT;
use crate::profile::Profile;
use crate::survey::Survey;

/// The name of the function.
const MAIN: &str = "__agent_main__";

/// The source as the body of a function that is called, or nothing if it has no
/// top-level `return`. Text inside of literals stays as it is.
pub(crate) fn wrapped(source: &str, parsed: &Parsed<ModModule>) -> Option<String> {
    let profile = Profile::default();
    let body: &[Stmt] = &parsed.syntax().body;
    if Survey::of(body, &profile).returns.is_empty() {
        return None;
    }
    let literals = literals(parsed.tokens().iter());
    let mut text = format!("def {MAIN}():\n");
    let mut offset = 0;
    for line in source.split_inclusive('\n') {
        let inside = |range: &TextRange| {
            range.start().to_usize() < offset && offset < range.end().to_usize()
        };
        if !line.trim().is_empty() && !literals.iter().any(inside) {
            text.push_str(INDENT);
        }
        text.push_str(line);
        offset += line.len();
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(MAIN);
    text.push_str("()");
    Some(text)
}

/// Returns that text, and what it parses as.
pub(crate) fn as_main(
    source: &str,
    parsed: &Parsed<ModModule>,
) -> Option<(String, Parsed<ModModule>)> {
    let text = wrapped(source, parsed)?;
    let parsed = ruff_python_parser::parse_module(&text).ok()?;
    Some((text, parsed))
}

/// Where literals of text stand, with all that is in them.
fn literals<'a>(tokens: impl Iterator<Item = &'a Token>) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    for token in tokens {
        match token.kind() {
            TokenKind::String => found.push(token.range()),
            TokenKind::FStringStart | TokenKind::TStringStart => open.push(token.start()),
            TokenKind::FStringEnd | TokenKind::TStringEnd => {
                if let Some(start) = open.pop() {
                    found.push(TextRange::new(start, token.end()));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(source: &str) -> Option<String> {
        let parsed = ruff_python_parser::parse_module(source).expect("parses");
        wrapped(source, &parsed)
    }

    #[test]
    fn a_source_that_returns_becomes_a_function() {
        // R3-6.
        assert_eq!(
            wrap("x = 1\n# note\nreturn x").as_deref(),
            Some("def __agent_main__():\n    x = 1\n    # note\n    return x\n__agent_main__()")
        );
        assert_eq!(
            wrap("if x:\n    return '''a\n  b\n'''\n\nfor y in z: return f'''c\n{y}\nd'''\n")
                .as_deref(),
            Some(
                "def __agent_main__():\n    if x:\n        return '''a\n  b\n'''\n\n    for y in z: return f'''c\n{y}\n\
                 d'''\n__agent_main__()"
            )
        );
    }

    #[test]
    fn a_source_that_does_not_return_stays_as_it_is() {
        for source in [
            "x = 1",
            "def f():\n  return 1",
            "class A:\n  def f(self): return 1",
            "'return'",
        ] {
            assert_eq!(wrap(source), None, "{source}");
        }
    }
}
