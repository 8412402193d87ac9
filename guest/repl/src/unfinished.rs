//! Sources that end before what they say is complete.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, ParseError, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged as _, TextRange, TextSize};

use crate::survey::Refusal;

/// Returns why a source that ends too soon is no Python, at a place that it has: a bracket that nothing closes, else its
/// end. `None` where `error` is elsewhere, unless that is a line below such a bracket: the bracket is the cause then, as
/// CPython has it.
pub(crate) fn refusal(source: &str, error: &ParseError) -> Option<Refusal> {
    let end = source.trim_end().len();
    let at_error = error.location.start().to_usize();
    let unclosed = unclosed(source);
    let is_below = unclosed.is_some_and(|(_, range)| {
        let between = source.get(range.start().to_usize()..at_error);
        between.is_some_and(|between| between.contains('\n'))
    });
    if at_error < end && !is_below {
        return None;
    }
    let (message, range) = match unclosed {
        Some((bracket, range)) => (format!("'{bracket}' was never closed"), range),
        // On the last line there is a place to name.
        None if !source[end..at_error].contains('\n') => return None,
        None => {
            let last = source[..end].chars().next_back().map_or(0, char::len_utf8);
            let range = TextRange::new(at(end - last), at(end));
            (error.error.to_string(), range)
        }
    };
    Some(Refusal {
        kind: "SyntaxError",
        cause: "syntax",
        message,
        range,
        hint: None,
    })
}

fn at(offset: usize) -> TextSize {
    TextSize::try_from(offset).unwrap_or_default()
}

/// Returns the innermost bracket that is open at the end, and where it stands.
fn unclosed(source: &str) -> Option<(char, TextRange)> {
    let parsed = parse_unchecked(source, ParseOptions::from(Mode::Module));
    let mut open = Vec::new();
    for token in parsed.tokens() {
        match token.kind() {
            TokenKind::Lpar => open.push(('(', token.range())),
            TokenKind::Lsqb => open.push(('[', token.range())),
            TokenKind::Lbrace => open.push(('{', token.range())),
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_ends_too_soon_is_refused_at_a_place_that_it_has() {
        for (source, message, place) in [
            ("x = 1\nprint(1\n", "'(' was never closed", 11..12),
            ("f([1, {2: 3}, (4)\n\n", "'[' was never closed", 2..3),
            ("x = [1, 2\nprint(x)\n", "'[' was never closed", 4..5),
            ("x = [1 2\n", "", 0..0),
            ("x = [1, 2]\nprint 3\n", "", 0..0),
            ("f'{x'", "", 0..0),
        ] {
            let error = ruff_python_parser::parse_module(source).expect_err("no Python");
            let refused = refusal(source, &error);
            let refused = refused.map(|refused| (refused.message, refused.range));
            let expected = (!message.is_empty()).then(|| {
                let range = TextRange::new(at(place.start), at(place.end));
                (message.to_owned(), range)
            });
            assert_eq!(refused, expected, "{source}");
        }
        for source in [
            "if True:\n\n",
            "x = \n",
            "def f():\n",
            "try:\n    1\n\n",
            "@a\n\n",
        ] {
            let error = ruff_python_parser::parse_module(source).expect_err("no Python");
            if let Some(refused) = refusal(source, &error) {
                assert!(
                    refused.range.end() <= at(source.trim_end().len()),
                    "{source}"
                );
            }
        }
    }
}
