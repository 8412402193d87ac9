//! Reading contexts: the long texts that a session holds for its scripts.

use std::fmt;
use std::io::{self, BufRead, Read};

use crate::host::piece;

/// What one call of the host gives at the most.
const PIECE_BYTES: u32 = 1 << 20;

/// Reads all of the context `name`, with a call of the host for each mebibyte.
///
/// # Errors
///
/// [`ContextError::Unknown`] if there is none, or the plugin may not read it.
pub fn read_context(name: &str) -> Result<Vec<u8>, ContextError> {
    whole(|offset, length| piece(name, offset, length))
}

/// Reads all of the context `name`, which is text.
///
/// # Errors
///
/// [`ContextError::Unknown`] if there is none, or the plugin may not read it;
/// [`ContextError::NotText`] if it is no UTF-8.
pub fn read_context_text(name: &str) -> Result<String, ContextError> {
    String::from_utf8(read_context(name)?).map_err(|_| ContextError::NotText)
}

/// Reads at most `length_bytes` of the context `name` from `offset_bytes` on;
/// fewer only at its end.
///
/// # Errors
///
/// [`ContextError::Unknown`] if there is none, or the plugin may not read it;
/// [`ContextError::Offset`] if it ends before `offset_bytes`.
pub fn read_context_at(
    name: &str,
    offset_bytes: u64,
    length_bytes: u32,
) -> Result<Vec<u8>, ContextError> {
    range(offset_bytes, length_bytes, |offset, length| {
        piece(name, offset, length)
    })
}

/// Reads a context from its beginning to its end without holding all of it.
///
/// ```no_run
/// use std::io::BufRead as _;
///
/// use rlm_plugin::host::ContextReader;
///
/// fn lines() -> std::io::Result<usize> {
///     let mut lines = 0;
///     for line in ContextReader::new("context").lines() {
///         line?;
///         lines += 1;
///     }
///     Ok(lines)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct ContextReader {
    name: String,
    piece: Vec<u8>,
    /// Bytes of the piece that were taken.
    taken: usize,
    /// Bytes of the context that were read.
    offset: u64,
    ended: bool,
}

impl ContextReader {
    /// Reads the context `name`; whether it is there shows in the first read.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            piece: Vec::new(),
            taken: 0,
            offset: 0,
            ended: false,
        }
    }
}

impl Read for ContextReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for ContextReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.piece.len() && !self.ended {
            self.piece = next(self.offset, |offset, length| {
                piece(&self.name, offset, length)
            })
            .map_err(io::Error::other)?;
            self.taken = 0;
            self.offset += self.piece.len() as u64;
            self.ended = self.piece.len() < PIECE_BYTES as usize;
        }
        Ok(&self.piece[self.taken..])
    }

    fn consume(&mut self, length: usize) {
        self.taken = (self.taken + length).min(self.piece.len());
    }
}

/// Why a context cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContextError {
    /// No context has this name, or the plugin may not read it.
    Unknown,
    /// The context ends before the place that was to be read.
    Offset,
    /// The context is no UTF-8.
    NotText,
}

impl fmt::Display for ContextError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unknown => "there is no such context, or the plugin may not read it",
            Self::Offset => "the context ends before that",
            Self::NotText => "the context is not text in UTF-8",
        })
    }
}

impl std::error::Error for ContextError {}

type Piece = Result<Vec<u8>, ContextError>;

/// All there is, by pieces.
fn whole(mut read: impl FnMut(u64, u32) -> Piece) -> Piece {
    let mut bytes = next(0, &mut read)?;
    let mut last = bytes.len();
    while last == PIECE_BYTES as usize {
        let piece = next(bytes.len() as u64, &mut read)?;
        last = piece.len();
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// A stretch, by pieces.
fn range(offset: u64, length: u32, mut read: impl FnMut(u64, u32) -> Piece) -> Piece {
    let mut bytes = read(offset, length.min(PIECE_BYTES))?;
    let mut last = bytes.len();
    while last == PIECE_BYTES as usize && bytes.len() < length as usize {
        let left = length - bytes.len() as u32;
        let piece = next_of(offset + bytes.len() as u64, left, &mut read)?;
        last = piece.len();
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// The piece at `offset`, which is inside or right behind the end.
fn next(offset: u64, read: impl FnMut(u64, u32) -> Piece) -> Piece {
    next_of(offset, PIECE_BYTES, read)
}

fn next_of(offset: u64, length: u32, mut read: impl FnMut(u64, u32) -> Piece) -> Piece {
    match read(offset, length.min(PIECE_BYTES)) {
        // The end itself is no place to read from for some hosts.
        Err(ContextError::Offset) => Ok(Vec::new()),
        read => read,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host with one context of `length` bytes.
    fn host(length: usize) -> impl FnMut(u64, u32) -> Piece {
        let bytes: Vec<u8> = (0..length).map(|at| at as u8).collect();
        move |offset, wanted| {
            assert!(wanted <= PIECE_BYTES);
            let rest = bytes.get(offset as usize..).ok_or(ContextError::Offset)?;
            Ok(rest[..rest.len().min(wanted as usize)].to_vec())
        }
    }

    #[test]
    fn all_of_a_context_is_read() {
        let mebibyte = PIECE_BYTES as usize;
        for length in [0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte] {
            let read = whole(host(length)).expect("a context");
            assert_eq!(read.len(), length);
            assert!(read.iter().enumerate().all(|(at, &it)| it == at as u8));
        }
        assert_eq!(
            whole(|_, _| Err(ContextError::Unknown)),
            Err(ContextError::Unknown)
        );
    }

    #[test]
    fn a_stretch_is_read() {
        let mebibyte = PIECE_BYTES;
        let length = 3 * mebibyte as usize;
        for (offset, wanted, given) in [
            (0, 0, 0),
            (5, 7, 7),
            (length as u64, 1, 0),
            (length as u64 - 1, 9, 1),
            (10, 2 * mebibyte + 3, 2 * mebibyte as usize + 3),
            (u64::from(mebibyte), u32::MAX, 2 * mebibyte as usize),
        ] {
            let read = range(offset, wanted, host(length)).expect("inside");
            assert_eq!(read.len(), given, "{offset} {wanted}");
            assert!(read.first().is_none_or(|&it| it == offset as u8));
        }
        assert_eq!(
            range(length as u64 + 1, 1, host(length)),
            Err(ContextError::Offset)
        );
    }
}
