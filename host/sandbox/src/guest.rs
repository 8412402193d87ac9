//! The guest that this crate carries.

/// True if it carries one.
pub(crate) const IS_HERE: bool = cfg!(feature = "python");

/// Bytes of the stack with which its memory begins (`guest/python/build.rs`).
pub(crate) const STACK_BYTES: usize = 8 << 20;

/// The Python interpreter, packed.
#[cfg(feature = "python")]
const PACKED: &[u8] = include_bytes!("../guest/python.wasm.zst");
#[cfg(not(feature = "python"))]
const PACKED: &[u8] = &[];

/// The Python interpreter: a component for the world `rlm:sandbox/python`. Unpacking it
/// takes some 15 milliseconds, compiling it some seconds.
pub(crate) fn python() -> Vec<u8> {
    zstd::decode_all(PACKED).expect("a test unpacks it")
}

/// What is packed of a session in which nothing has happened: what all sessions of
/// this interpreter have in common. `tests/it/parking.rs` writes it.
pub(crate) const PRISTINE: &[u8] = include_bytes!("../guest/pristine.parked");

/// What `guest/build.sh` noted about it: `name value` lines.
const RECORD: &str = include_str!("../guest/python.digest");

/// SHA-256 of what [`python`] gives, in hex. Written down when it was built, because
/// hashing it would take longer than loading its compiled form; a test compares.
pub(crate) fn digest() -> &'static str {
    recorded("wasm")
}

/// SHA-256 of the sources that it was built from.
#[cfg(test)]
fn sources() -> &'static str {
    recorded("sources")
}

fn recorded(name: &str) -> &'static str {
    RECORD
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .map_or("", str::trim)
}

#[cfg(all(test, feature = "python"))]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;
    use rlm_sandbox_engine::hex;

    #[test]
    fn the_artefact_is_the_one_that_was_recorded() {
        assert_eq!(hex(&Sha256::digest(python())), digest());
        assert_eq!(sources().len(), 64);
    }
}
