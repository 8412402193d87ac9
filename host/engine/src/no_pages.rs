//! Stand-in for `pages` on systems where memories cannot be mapped page by page.

use std::any::Any;
use std::convert::Infallible;
use std::io;
use std::sync::Arc;

use wasmtime::{Config, Store};

pub use crate::unmapped::{PAGE, Unmapped};

/// Parts that all memories of one engine would share.
#[derive(Debug, PartialEq, Eq)]
pub struct Pages(Infallible);

/// An order that has no effect.
#[derive(Clone, Debug, Default)]
pub struct Order;

/// A memory that there is not.
#[derive(Clone, Debug)]
pub struct Memory(Infallible);

/// A snapshot that there is not.
#[derive(Debug)]
pub struct Snapshot(Infallible);

/// A text that no memory shares.
#[derive(Debug)]
pub struct SharedText(Infallible);

impl SharedText {
    /// Returns none: nothing is shared.
    pub fn new(_bytes: Arc<[u8]>) -> Option<Self> {
        None
    }
}

/// Account of bytes that are held, dropped with them.
pub type Kept = Box<dyn Any + Send + Sync>;

impl Pages {
    /// Returns none: this system maps no memories.
    pub fn new(_pool: Option<u32>, _stack_bytes: usize) -> Option<Arc<Self>> {
        None
    }

    /// Never called.
    pub fn stack_bytes(&self) -> usize {
        match self.0 {}
    }

    /// Never called.
    pub fn set_image(&self, _image: image::Image) {
        match self.0 {}
    }

    pub(crate) fn configure(&self, _config: &mut Config, _pool: Option<u32>) {
        match self.0 {}
    }
}

impl Order {
    /// Never called.
    pub fn from(snapshot: &Arc<Snapshot>) -> Self {
        match snapshot.0 {}
    }

    /// Does nothing.
    pub fn place(&self) {}

    /// Returns none.
    pub fn memory(&self) -> Option<Memory> {
        None
    }
}

impl Memory {
    /// Never called.
    pub fn byte_size(&self) -> usize {
        match self.0 {}
    }

    /// Never called.
    pub fn is_whole(&self) -> bool {
        match self.0 {}
    }

    /// Never called.
    ///
    /// # Errors
    ///
    /// None.
    pub fn snapshot<T>(
        &self,
        _store: &mut Store<T>,
        _texts: &[Arc<SharedText>],
        _keep: impl FnMut(u64) -> Kept,
    ) -> io::Result<Snapshot> {
        match self.0 {}
    }
}

impl Snapshot {
    /// Never called.
    ///
    /// # Errors
    ///
    /// None.
    pub fn unmapped(&self, _pages: &Pages) -> io::Result<Unmapped> {
        match self.0 {}
    }

    /// Never called.
    ///
    /// # Errors
    ///
    /// None.
    pub fn map<'a>(
        pages: &Pages,
        _size_bytes: u64,
        _stretches: &[(u32, u32)],
        _content: impl Iterator<Item = &'a [u8]> + Clone,
        _keep: impl FnOnce(u64) -> Kept,
    ) -> io::Result<Self> {
        match pages.0 {}
    }

    /// Never called.
    pub fn bytes(&self) -> u64 {
        match self.0 {}
    }

    /// Never called.
    pub fn own_bytes(&self) -> u64 {
        match self.0 {}
    }

    /// Never called.
    pub fn size(&self) -> usize {
        match self.0 {}
    }
}

pub mod image {
    //! Images that there are not.

    use std::convert::Infallible;
    use std::fs::File;
    use std::io;

    /// The data of a guest.
    #[derive(Debug)]
    pub struct Data(Infallible);

    /// An image that there is not.
    #[derive(Debug)]
    pub struct Image(Infallible);

    impl Data {
        /// Never called.
        pub fn append_to(&self, _code: &mut Vec<u8>) {
            match self.0 {}
        }
    }

    impl Image {
        /// Returns none.
        ///
        /// # Errors
        ///
        /// None.
        pub fn of_bytes(_code: &[u8]) -> io::Result<Option<Self>> {
            Ok(None)
        }

        /// Returns none.
        ///
        /// # Errors
        ///
        /// None.
        pub fn of_file(_file: &File) -> io::Result<Option<Self>> {
            Ok(None)
        }
    }

    /// Returns none: no data is cut out here.
    pub fn split(_component: &[u8], _stack_bytes: usize) -> Option<(Vec<u8>, Data)> {
        None
    }
}
