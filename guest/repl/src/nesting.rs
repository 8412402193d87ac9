//! The depth of the tree of a source, found without a recursion.
//!
//! The parser reads a chain, as `a.b().c + d`, in a loop, and makes a tree that is as deep as the
//! chain is long. All that walks or drops the tree needs as deep a stack. What nests to the right
//! or in brackets is the interpreter's to refuse, before anything parses it.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};
use ruff_text_size::TextRange;

use crate::survey::Refusal;

/// Most links of a chain, together with those of the chains in it. Whatever has more than 200
/// is refused by the interpreter, which words that better.
const LINKS: usize = 1000;

/// The text between two brackets, or in none.
#[derive(Default)]
struct Level {
    /// Links of the chain at hand.
    links: usize,
    /// Depth of the deepest part in brackets that is in it.
    inner: usize,
    /// Depth of the deepest chain before it.
    before: usize,
}

impl Level {
    fn depth(&self) -> usize {
        self.links + self.inner
    }

    /// Ends the chain at hand.
    fn end(&mut self) {
        *self = Self {
            before: self.before.max(self.depth()),
            ..Self::default()
        };
    }
}

/// Refuses a source with a chain that is too long for the stack.
pub(crate) fn check(source: &str) -> Result<(), Refusal> {
    match too_deep(source) {
        None => Ok(()),
        Some(range) => Err(Refusal {
            kind: "SyntaxError",
            cause: "syntax",
            message: String::from("Source is too deeply nested"),
            range,
            hint: None,
        }),
    }
}

/// Returns the place where a chain becomes too long.
fn too_deep(source: &str) -> Option<TextRange> {
    // No chain has more links than characters.
    if source.len() <= LINKS {
        return None;
    }
    let mut lexer = lexer::lex(source, Mode::Module);
    let mut around = Vec::new();
    let mut level = Level::default();
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => return None,
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                around.push(std::mem::take(&mut level));
            }
            kind @ (TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace) => {
                if let Some(outer) = around.pop() {
                    level.end();
                    let inner = std::mem::replace(&mut level, outer).before;
                    level.inner = level.inner.max(inner);
                    // A call or a subscript, perhaps.
                    level.links += usize::from(kind != TokenKind::Rbrace);
                }
            }
            TokenKind::Dot
            | TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::DoubleStar
            | TokenKind::Slash
            | TokenKind::DoubleSlash
            | TokenKind::Percent
            | TokenKind::At
            | TokenKind::LeftShift
            | TokenKind::RightShift
            | TokenKind::Amper
            | TokenKind::Vbar
            | TokenKind::CircumFlex
            | TokenKind::Tilde
            | TokenKind::Await => level.links += 1,
            // These bind less than all of the above, so no chain goes on behind them.
            TokenKind::Comma
            | TokenKind::Colon
            | TokenKind::ColonEqual
            | TokenKind::Semi
            | TokenKind::Newline
            | TokenKind::Equal
            | TokenKind::EqEqual
            | TokenKind::NotEqual
            | TokenKind::Less
            | TokenKind::LessEqual
            | TokenKind::Greater
            | TokenKind::GreaterEqual
            | TokenKind::And
            | TokenKind::Or
            | TokenKind::Not
            | TokenKind::In
            | TokenKind::Is
            | TokenKind::If
            | TokenKind::Else
            | TokenKind::For => level.end(),
            _ => {}
        }
        if level.depth() > LINKS {
            return Some(lexer.current_range());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_count_with_the_chains_in_them() {
        for (source, is_deep) in [
            (format!("1{}", "+1".repeat(LINKS)), false),
            (format!("1{}", "+1".repeat(LINKS + 1)), true),
            (format!("a{}", ".a".repeat(LINKS + 1)), true),
            (format!("a{}", "()".repeat(LINKS + 1)), true),
            (format!("a{} = 1", "[0]".repeat(LINKS + 1)), true),
            (format!("a{}", ".a()".repeat(LINKS / 2 + 1)), true),
            // The first part of a chain is the deepest.
            (
                format!("a(1{}){}", "+1".repeat(600), ".a".repeat(600)),
                true,
            ),
            (
                format!("a(1{}), a{}", "+1".repeat(600), ".a".repeat(600)),
                false,
            ),
            (format!("[{}]", "-1, a.b(), ".repeat(5000)), false),
            (format!("x = {{{}}}", "'a': b.c[0], ".repeat(5000)), false),
            ("a.b(c)\n".repeat(5000), false),
            ("a.b();".repeat(5000), false),
            (format!("a.b{}", " and a.b < a.b".repeat(5000)), false),
            (format!("f'{}'", "{a.b}".repeat(5000)), false),
            (format!("x = '{}'", "+1".repeat(5000)), false),
            (format!("{}{}", "(1+".repeat(150), "1)".repeat(150)), false),
        ] {
            let shown: String = source.chars().take(40).collect();
            assert_eq!(too_deep(&source).is_some(), is_deep, "{shown}");
        }
    }
}
