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

use std::io::Read as _;
use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};
use zstd::bulk::Compressor;
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::stream::read::Decoder;

use crate::guest;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// Higher ones gain little and take long.
const LEVEL: i32 = 3;

/// The most that is unpacked. An instance has no more than this, twice over.
pub(crate) const MOST_BYTES: u64 = 8 << 30;

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

/// Appends `payload`, packed.
pub(crate) fn pack(payload: &[u8], guest: &str, to: &mut Vec<u8>) {
    let name = dictionary(guest);
    let compressor = match name == NO_DICTIONARY {
        true => Compressor::new(LEVEL),
        false => Compressor::with_prepared_dictionary(&ENCODER),
    };
    let packed = compressor.and_then(|mut compressor| compressor.compress(payload));
    to.extend_from_slice(&name);
    to.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    to.extend_from_slice(&packed.expect("memory is all that it takes"));
}

/// What [`pack`] was given; none if it did not write this. Takes no more memory than
/// was packed, whatever the bytes claim.
///
/// # Errors
///
/// [`ErrorKind::Parked`] if it was packed with a dictionary that is not here.
pub(crate) fn unpack(bytes: &[u8], guest: &str, most_bytes: u64) -> Result<Option<Vec<u8>>> {
    let Some((name, rest)) = bytes.split_first_chunk() else {
        return Ok(None);
    };
    if *name != dictionary(guest) {
        return Err(Error::new(
            ErrorKind::Parked,
            "the session was parked by another version of the sandbox; restore it with the program that parked it",
        ));
    }
    Ok(inflate(rest, *name != NO_DICTIONARY, most_bytes))
}

fn inflate(bytes: &[u8], with_dictionary: bool, most_bytes: u64) -> Option<Vec<u8>> {
    let (length, packed) = bytes.split_first_chunk()?;
    let length = u64::from_le_bytes(*length);
    if length > most_bytes.min(MOST_BYTES) {
        return None;
    }
    let mut payload = Vec::new();
    let read = match with_dictionary {
        true => Decoder::with_prepared_dictionary(packed, &DECODER)
            .ok()?
            .take(length + 1)
            .read_to_end(&mut payload),
        false => Decoder::with_buffer(packed)
            .ok()?
            .take(length + 1)
            .read_to_end(&mut payload),
    };
    (read.is_ok() && payload.len() as u64 == length).then_some(payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_comes_back_and_nothing_else_does() {
        let payload = b"much the same, much the same, much the same".repeat(100);
        for guest in [guest::digest(), "another"] {
            let mut packed = Vec::new();
            pack(&payload, guest, &mut packed);
            assert!(packed.len() < payload.len() / 10);
            let back = unpack(&packed, guest, MOST_BYTES).expect("the same dictionary");
            assert_eq!(back.as_deref(), Some(&payload[..]));
            // Larger than the reader allows.
            assert_eq!(
                unpack(&packed, guest, 100).expect("the same dictionary"),
                None
            );
            // Cut short, or with another length than it says.
            let cut = &packed[..packed.len() - 4];
            assert_eq!(
                unpack(cut, guest, MOST_BYTES).expect("the same dictionary"),
                None
            );
            for length in [0, payload.len() as u64 - 1, 1 << 33, u64::MAX] {
                let mut lying = packed.clone();
                lying[8..16].copy_from_slice(&length.to_le_bytes());
                assert_eq!(
                    unpack(&lying, guest, MOST_BYTES).expect("the same dictionary"),
                    None
                );
            }
        }
        let mut packed = Vec::new();
        pack(&payload, guest::digest(), &mut packed);
        let error = unpack(&packed, "another", MOST_BYTES).expect_err("another dictionary");
        assert_eq!(error.kind(), ErrorKind::Parked);
    }
}
