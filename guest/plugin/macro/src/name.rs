//! Names: as Rust has them, as WIT has them, as the bindings have them.

use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::{Error, Result};

/// A name in kebab case: lowercase words with hyphens between them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name(Vec<String>);

impl Name {
    /// The name that an identifier has in WIT.
    ///
    /// `line_count`, `LineCount` and `_line_count` are all `line-count`;
    /// `HTTPError` is `http-error`.
    pub(crate) fn of(ident: &Ident) -> Result<Self> {
        let text = ident.unraw().to_string();
        if !text.is_ascii() {
            return Err(Error::new(
                ident.span(),
                "a name that the host sees has letters of ASCII only",
            ));
        }
        let mut words: Vec<String> = Vec::new();
        for part in text.split('_').filter(|part| !part.is_empty()) {
            let letters: Vec<char> = part.chars().collect();
            for (at, &letter) in letters.iter().enumerate() {
                let begins = at == 0
                    || letter.is_uppercase()
                        && (!letters[at - 1].is_uppercase()
                            || letters.get(at + 1).is_some_and(char::is_ascii_lowercase));
                if begins {
                    words.push(String::new());
                }
                let word = words.last_mut().expect("the first letter begins one");
                word.push(letter.to_ascii_lowercase());
            }
        }
        let starts_well = words
            .first()
            .is_some_and(|word| word.starts_with(|it: char| it.is_ascii_lowercase()));
        if starts_well {
            Ok(Self(words))
        } else {
            Err(Error::new(
                ident.span(),
                "a name that the host sees starts with a letter",
            ))
        }
    }

    /// The name of a type or a case; the bindings have a type for it.
    pub(crate) fn of_type(ident: &Ident) -> Result<Self> {
        let name = Self::of(ident)?;
        if name.case() == "Self" {
            return Err(Error::new(
                ident.span(),
                "the host would see this type or case as `self`, \
                 which Rust has no type for; give it another name",
            ));
        }
        Ok(name)
    }

    /// As JSON and messages have it.
    pub(crate) fn kebab(&self) -> String {
        self.0.join("-")
    }

    /// As WIT has it: never taken for a keyword.
    pub(crate) fn wit(&self) -> String {
        format!("%{}", self.kebab())
    }

    /// The part of the name that a function's export has in the bindings.
    pub(crate) fn snake(&self) -> String {
        self.0.join("_")
    }

    /// A function or field of the bindings.
    pub(crate) fn field(&self) -> String {
        let snake = self.snake();
        if KEYWORDS.contains(&snake.as_str()) {
            format!("{snake}_")
        } else {
            snake
        }
    }

    /// A case of an enum of the bindings.
    pub(crate) fn case(&self) -> String {
        self.0
            .iter()
            .map(|word| word[..1].to_ascii_uppercase() + &word[1..])
            .collect()
    }

    /// A type of the bindings.
    pub(crate) fn camel(&self) -> String {
        let camel = self.case();
        if camel == "Guest" {
            // The bindings keep that name for themselves.
            return "Guest_".to_owned();
        }
        camel
    }
}

/// What wit-bindgen puts an underscore behind.
const KEYWORDS: &[&str] = &[
    "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for",
    "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where",
    "while", "async", "await", "dyn", "abstract", "become", "box", "do", "final", "macro",
    "override", "priv", "typeof", "unsized", "virtual", "yield", "try",
];

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    fn name(text: &str) -> Result<Name> {
        Name::of(&Ident::new(text, Span::call_site()))
    }

    #[test]
    fn names_are_made_of_words() {
        for (rust, kebab) in [
            ("count", "count"),
            ("line_count", "line-count"),
            ("_line__count_", "line-count"),
            ("LineCount", "line-count"),
            ("HTTPError", "http-error"),
            ("Sha256Sum", "sha256-sum"),
            ("U8", "u8"),
            ("n_2", "n-2"),
        ] {
            assert_eq!(name(rust).expect(rust).kebab(), kebab);
        }
    }

    #[test]
    fn names_that_wit_cannot_have_are_errors() {
        assert!(name("_").is_err());
        assert!(name("_2").is_err());
        assert!(name("größe").is_err());
    }

    #[test]
    fn types_are_not_called_self() {
        for text in ["Self_", "self_", "_Self", "SELF_"] {
            let ident = Ident::new(text, Span::call_site());
            let refused = Name::of_type(&ident).expect_err(text).to_string();
            assert!(refused.contains("give it another name"), "{refused}");
            assert_eq!(name(text).expect("a field").field(), "self_");
        }
    }

    #[test]
    fn bindings_avoid_keywords() {
        assert_eq!(name("TypeOf").expect("a name").field(), "type_of");
        assert_eq!(name("Type").expect("a name").field(), "type_");
        assert_eq!(name("guest").expect("a name").camel(), "Guest_");
    }
}
