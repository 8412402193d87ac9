//! What is parked, made small.
//!
//! ```text
//! dictionary: 8 bytes           of its SHA-256; zeros if there was none
//! length: u64                   before it was packed
//! the rest                      a frame of zstd
//! ```
//!
//! Sessions of one interpreter have most of their state in common: functions of ours,
//! names, interned text. So a session in which nothing has happened is the dictionary
//! for all others. Those of another interpreter are packed without.

use std::io::{self, BufRead, Read};
use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};
use zstd::bulk::Compressor;
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::stream::read::Decoder;

use crate::guest;
use crate::journal::ReaderGuard;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// Higher ones gain little and take long.
const LEVEL: i32 = 3;

/// The most that is unpacked. An instance has no more than this, twice over.
const MOST_BYTES: u64 = 8 << 30;

static ENCODER: LazyLock<EncoderDictionary<'static>> =
    LazyLock::new(|| EncoderDictionary::copy(guest::PRISTINE, LEVEL));
static DECODER: LazyLock<DecoderDictionary<'static>> =
    LazyLock::new(|| DecoderDictionary::copy(guest::PRISTINE));
static NAME: LazyLock<[u8; 8]> = LazyLock::new(|| {
    let digest = Sha256::digest(guest::PRISTINE);
    std::array::from_fn(|index| digest[index])
});

const NO_DICTIONARY: [u8; 8] = [0; 8];

/// The name of the dictionary for sessions of the interpreter `guest`.
fn dictionary(guest: &str) -> [u8; 8] {
    match guest == guest::digest() {
        true => *NAME,
        false => NO_DICTIONARY,
    }
}

/// Appends `payload`, packed for the interpreter `guest`, or for any if there is none.
pub(crate) fn pack(payload: &[u8], guest: Option<&str>, to: &mut Vec<u8>) {
    let name = guest.map_or(NO_DICTIONARY, dictionary);
    let compressor = match name == NO_DICTIONARY {
        true => Compressor::new(LEVEL),
        false => Compressor::with_prepared_dictionary(&ENCODER),
    };
    let packed = compressor.and_then(|mut compressor| compressor.compress(payload));
    to.extend_from_slice(&name);
    to.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    to.extend_from_slice(&packed.expect("memory is all that it takes"));
}

/// Returns the length that packed bytes claim for what [`unpack`] returns.
pub(crate) fn length(bytes: &[u8]) -> Option<u64> {
    let (_, rest) = bytes.split_at_checked(NO_DICTIONARY.len())?;
    let (length, _) = rest.split_first_chunk()?;
    Some(u64::from_le_bytes(*length)).filter(|length| *length <= MOST_BYTES)
}

/// Bytes that are packed, or unpacked, between two checks of the reader's limits.
const CHECKED_BYTES: u64 = 1 << 20;

/// Returns what [`pack`] was given; none if it did not write this, or a limit of the reader
/// was reached. Takes no more memory than was packed, whatever the bytes claim.
///
/// # Errors
///
/// [`ErrorKind::Parked`] if it was packed with a dictionary that is not here.
pub(crate) fn unpack(
    bytes: &[u8],
    guest: &str,
    reader: Option<&ReaderGuard>,
) -> Result<Option<Vec<u8>>> {
    let Some((name, rest)) = bytes.split_first_chunk() else {
        return Ok(None);
    };
    if ![NO_DICTIONARY, dictionary(guest)].contains(name) {
        return Err(Error::new(
            ErrorKind::Parked,
            "the session was parked by another version of the sandbox; restore it with the program that parked it",
        ));
    }
    Ok(inflate(rest, *name != NO_DICTIONARY, reader))
}

fn inflate(bytes: &[u8], with_dictionary: bool, reader: Option<&ReaderGuard>) -> Option<Vec<u8>> {
    let (length, packed) = bytes.split_first_chunk()?;
    let length = u64::from_le_bytes(*length);
    if length > MOST_BYTES || reader.is_some_and(|reader| !reader.takes_data(length)) {
        return None;
    }
    let packed = Checked {
        rest: packed,
        reader,
    };
    match with_dictionary {
        true => read_checked(
            Decoder::with_prepared_dictionary(packed, &DECODER).ok()?,
            length,
            reader,
        ),
        false => read_checked(Decoder::with_buffer(packed).ok()?, length, reader),
    }
}

/// Returns exactly `length` bytes, all that there are.
fn read_checked(from: impl Read, length: u64, reader: Option<&ReaderGuard>) -> Option<Vec<u8>> {
    let mut from = from.take(length + 1);
    let mut payload = Vec::new();
    loop {
        may_go_on(reader).ok()?;
        let mut piece = from.by_ref().take(CHECKED_BYTES);
        if piece.read_to_end(&mut payload).ok()? == 0 {
            return (payload.len() as u64 == length).then_some(payload);
        }
    }
}

/// Packed bytes, which are read as long as the reader's limits allow: a frame can be long and
/// unpack to nothing.
struct Checked<'a> {
    rest: &'a [u8],
    reader: Option<&'a ReaderGuard>,
}

impl BufRead for Checked<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        may_go_on(self.reader)?;
        let length = self.rest.len().min(CHECKED_BYTES as usize);
        Ok(&self.rest[..length])
    }

    fn consume(&mut self, amount: usize) {
        self.rest = self.rest.get(amount..).unwrap_or_default();
    }
}

impl Read for Checked<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

fn may_go_on(reader: Option<&ReaderGuard>) -> io::Result<()> {
    match reader.and_then(ReaderGuard::reached) {
        None => Ok(()),
        Some(limit) => Err(io::Error::other(format!("the reader's limit `{limit}`"))),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::journal::{ReaderLimit, ReaderLimits};

    #[test]
    fn a_frame_that_unpacks_to_nothing_ends_at_the_readers_time() {
        // Blocks of no bytes, of which each has a header of three.
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00];
        frame.resize(frame.len() + (3 << 20), 0);
        let mut packed = NO_DICTIONARY.to_vec();
        packed.extend_from_slice(&1_u64.to_le_bytes());
        packed.extend_from_slice(&frame);
        let reader = ReaderGuard::new(ReaderLimits {
            time: Duration::ZERO,
            ..ReaderLimits::default()
        });
        let mut checked = Checked {
            rest: &frame,
            reader: Some(&reader),
        };
        checked.fill_buf().expect_err("no time is left");
        assert_eq!(
            unpack(&packed, "another", Some(&reader)).expect("no dictionary"),
            None
        );
        assert_eq!(reader.reached(), Some(ReaderLimit::Time));
    }

    #[test]
    fn what_was_packed_comes_back_and_nothing_else_does() {
        let payload = b"much the same, much the same, much the same".repeat(100);
        for guest in [guest::digest(), "another"] {
            let mut packed = Vec::new();
            pack(&payload, Some(guest), &mut packed);
            assert!(packed.len() < payload.len() / 10);
            let back = unpack(&packed, guest, None).expect("the same dictionary");
            assert_eq!(back.as_deref(), Some(&payload[..]));
            // Larger than the reader allows.
            let reader = ReaderGuard::new(ReaderLimits {
                data_bytes: 100,
                ..ReaderLimits::default()
            });
            assert_eq!(
                unpack(&packed, guest, Some(&reader)).expect("the same dictionary"),
                None
            );
            assert_eq!(reader.reached(), Some(ReaderLimit::Data));
            // Cut short, or with another length than it says.
            let cut = &packed[..packed.len() - 4];
            assert_eq!(unpack(cut, guest, None).expect("the same dictionary"), None);
            for length in [0, payload.len() as u64 - 1, 1 << 33, u64::MAX] {
                let mut lying = packed.clone();
                lying[8..16].copy_from_slice(&length.to_le_bytes());
                assert_eq!(
                    unpack(&lying, guest, None).expect("the same dictionary"),
                    None
                );
            }
        }
        let mut packed = Vec::new();
        pack(&payload, Some(guest::digest()), &mut packed);
        let error = unpack(&packed, "another", None).expect_err("another dictionary");
        assert_eq!(error.kind(), ErrorKind::Parked);
    }
}
