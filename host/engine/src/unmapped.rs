//! Snapshots outside of any process, where memories are mapped and where they are not.

/// Bytes of a page.
pub const PAGE: usize = 4096;

/// A snapshot outside of any process: the pages that differ from the image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unmapped {
    /// Size of the memory in bytes.
    pub size_bytes: u64,
    /// Number of the first page of each stretch, and how many there are, by address.
    pub stretches: Vec<(u32, u32)>,
    /// Content of these pages, one after the other. Bits that are as in the image are zero.
    pub content: Vec<u8>,
}
