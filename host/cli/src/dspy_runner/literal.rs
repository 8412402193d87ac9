//! What Python's `repr` writes of plain data, as JSON.

/// A value that a line of Python spells out.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Literal {
    /// A text, as it is.
    Text(String),
    /// Anything else that JSON has, as JSON.
    Json(String),
}

/// Levels of nesting that readers of JSON bear.
const DEEPEST: usize = 100;

impl Literal {
    /// None if it is not all plain data, or has no JSON that is the same again:
    /// tuples, bytes, keys that are not text, half of a surrogate pair.
    pub(super) fn parse(source: &str) -> Option<Self> {
        let mut reader = Reader { rest: source };
        let literal = if source.starts_with(['\'', '"']) {
            Self::Text(reader.text()?)
        } else {
            let mut json = String::new();
            reader.value(&mut json, 0)?;
            Self::Json(json)
        };
        reader.rest.is_empty().then_some(literal)
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(token)?;
        Some(())
    }

    fn value(&mut self, json: &mut String, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match self.rest.chars().next()? {
            '\'' | '"' => {
                let text = self.text()?;
                json.push_str(&serde_json::to_string(&text).ok()?);
                Some(())
            }
            '[' => self.items("[", "]", json, |reader, json| reader.value(json, depth + 1)),
            '{' => self.items("{", "}", json, |reader, json| {
                let key = reader.text()?;
                reader.eat(": ")?;
                json.push_str(&serde_json::to_string(&key).ok()?);
                json.push(':');
                reader.value(json, depth + 1)
            }),
            _ => self.word(json),
        }
    }

    fn items(
        &mut self,
        open: &str,
        close: &str,
        json: &mut String,
        mut item: impl FnMut(&mut Self, &mut String) -> Option<()>,
    ) -> Option<()> {
        self.eat(open)?;
        json.push_str(open);
        if self.eat(close).is_none() {
            loop {
                item(self, json)?;
                if self.eat(close).is_some() {
                    break;
                }
                self.eat(", ")?;
                json.push(',');
            }
        }
        json.push_str(close);
        Some(())
    }

    /// Names and numbers, as Python's `json` reads them: of any size, and with
    /// `NaN` and `Infinity`.
    fn word(&mut self, json: &mut String) -> Option<()> {
        const WORDS: [(&str, &str); 6] = [
            ("None", "null"),
            ("True", "true"),
            ("False", "false"),
            ("float('nan')", "NaN"),
            ("float('inf')", "Infinity"),
            ("float('-inf')", "-Infinity"),
        ];
        for (python, written) in WORDS {
            if self.eat(python).is_some() {
                json.push_str(written);
                return Some(());
            }
        }
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(end);
        number.parse::<f64>().ok()?;
        // `1.` and `01` are not JSON, and no repr.
        serde_json::from_str::<&serde_json::value::RawValue>(number).ok()?;
        json.push_str(number);
        self.rest = rest;
        Some(())
    }

    fn text(&mut self) -> Option<String> {
        let quote = self
            .rest
            .chars()
            .next()
            .filter(|c| matches!(c, '\'' | '"'))?;
        let mut rest = &self.rest[1..];
        // Two of the same would be an empty text, or the begin of another form.
        if rest.starts_with(quote) && rest[1..].starts_with(quote) {
            return None;
        }
        let mut text = String::new();
        loop {
            let end = rest.find([quote, '\\', '\n'])?;
            text.push_str(&rest[..end]);
            let found = rest[end..].chars().next()?;
            rest = &rest[end + 1..];
            if found == quote {
                self.rest = rest;
                return Some(text);
            }
            if found == '\n' {
                return None;
            }
            let escaped = rest.chars().next()?;
            rest = &rest[escaped.len_utf8()..];
            let mut code = |digits: usize| {
                let hex = rest.get(..digits)?;
                rest = &rest[digits..];
                char::from_u32(u32::from_str_radix(hex, 16).ok()?)
            };
            text.push(match escaped {
                '\\' | '\'' | '"' => escaped,
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'x' => code(2)?,
                'u' => code(4)?,
                'U' => code(8)?,
                _ => return None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> Option<Literal> {
        Literal::parse(source)
    }

    #[test]
    fn a_repr_is_the_value_again() {
        let said = |text: &str| Some(Literal::Text(text.to_owned()));
        assert_eq!(
            text(r"'it\'s\n\\ \x1b \u2028 \U0001f600'"),
            said("it's\n\\ \u{1b} \u{2028} \u{1f600}")
        );
        assert_eq!(text("\"it's é\""), said("it's é"));
        assert_eq!(text("''"), said(""));
        let json = |json: &str| Some(Literal::Json(json.to_owned()));
        assert_eq!(
            text(r#"[{'a': None, "b'": [True, -1, 2.5e+16, float('nan')]}, []]"#),
            json(r#"[{"a":null,"b'":[true,-1,2.5e+16,NaN]},[]]"#)
        );
        assert_eq!(
            text("123456789012345678901234567890"),
            json("123456789012345678901234567890")
        );
    }

    #[test]
    fn anything_else_is_left_to_python() {
        for source in [
            r"'\ud800'",
            r"'\xd'",
            r"'\u12é4'",
            "(1,)",
            "b'x'",
            "{1: 2}",
            "{'a'}",
            "[1 ,2]",
            "f()",
            "'a' + 'b'",
            "x",
            "'''a'''",
            "'",
            "\"a'",
            "[",
            "1.",
            "01",
            "-",
            "'a' 'b'",
            "{'a': }",
            r"'\N{DASH}'",
            "",
        ] {
            assert_eq!(text(source), None, "{source}");
        }
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        assert_eq!(text(&deep), None);
    }
}
