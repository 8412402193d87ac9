//! An error for functions that can fail in many ways.

use std::fmt;

/// Whatever went wrong, as text.
///
/// Made by `?` from any error, or from words by [`new`](Self::new). Like
/// `anyhow::Error` it is no `std::error::Error` itself, which is what lets `?`
/// make one from all others.
pub struct Error(String);

impl Error {
    /// An error that says `message`.
    pub fn new(message: impl fmt::Display) -> Self {
        Self(message.to_string())
    }
}

impl<E: std::error::Error> From<E> for Error {
    /// Says what `error` says, and after colons what was behind it.
    fn from(error: E) -> Self {
        let mut text = error.to_string();
        let mut behind = error.source();
        while let Some(cause) = behind {
            let cause_text = cause.to_string();
            // Many errors say what was behind them themselves.
            if !text.contains(&cause_text) {
                text.push_str(": ");
                text.push_str(&cause_text);
            }
            behind = cause.source();
        }
        Self(text)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_error_becomes_one() {
        fn parse(text: &str) -> Result<u8, Error> {
            Ok(text.parse::<u8>()?)
        }
        assert_eq!(
            parse("x").expect_err("no number").to_string(),
            "invalid digit found in string"
        );
        assert_eq!(
            Error::new(format_args!("{} lines", 3)).to_string(),
            "3 lines"
        );
    }
}
