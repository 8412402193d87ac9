//! The initial content of a guest's memory, apart from its code.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};

use super::PAGE;
use super::region::View;

/// The data of a guest, as its memory begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// Address of the first byte, a multiple of the page size.
    start: usize,
    /// Whole pages.
    bytes: Vec<u8>,
}

/// A file from which memories are mapped.
#[derive(Debug)]
pub struct Image {
    pub(super) file: OwnedFd,
    /// Offset of its first byte in the file.
    pub(super) offset: u64,
    /// Address of the first byte.
    pub(super) start: usize,
    /// The same bytes, to compare with.
    view: View,
}

/// Mark behind an image at the end of a file of compiled code, before its address and its length.
const MARK: [u8; 16] = *b"rlm-image 1\0\0\0\0\0";
const TRAILER: usize = MARK.len() + 16;
/// Bytes that a 32-bit memory can have.
const MOST_BYTES: u64 = 4 << 30;

impl Data {
    /// Appends the data to compiled code, so that one file has both.
    pub fn append_to(&self, code: &mut Vec<u8>) {
        code.resize(code.len().next_multiple_of(PAGE), 0);
        code.extend_from_slice(&self.bytes);
        code.extend_from_slice(&MARK);
        code.extend_from_slice(&(self.start as u64).to_le_bytes());
        code.extend_from_slice(&(self.bytes.len() as u64).to_le_bytes());
    }
}

impl Image {
    /// Returns the image at the end of compiled code, if there is one.
    ///
    /// # Errors
    ///
    /// The system's, if there is no memory for it.
    pub fn of_bytes(code: &[u8]) -> io::Result<Option<Self>> {
        let trailer = code.last_chunk::<TRAILER>();
        let Some(place) = trailer.and_then(|trailer| Place::read(trailer, code.len() as u64))
        else {
            return Ok(None);
        };
        let file = super::anonymous_file()?;
        let at = place.offset as usize;
        super::write_all_at(&file, &code[at..at + place.length], 0)?;
        super::seal(&file)?;
        Self::new(file, 0, &place).map(Some)
    }

    /// Returns the image at the end of a file of compiled code, if there is one. A user who can write the file decides
    /// what guests compute.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn of_file(file: &File) -> io::Result<Option<Self>> {
        let size = file.metadata()?.len();
        let Some(at) = size.checked_sub(TRAILER as u64) else {
            return Ok(None);
        };
        let file = file.as_fd().try_clone_to_owned()?;
        let mut trailer = [0; TRAILER];
        super::read_exact_at(&file, &mut trailer, at)?;
        match Place::read(&trailer, size) {
            Some(place) => Self::new(file, place.offset, &place).map(Some),
            None => Ok(None),
        }
    }

    fn new(file: OwnedFd, offset: u64, place: &Place) -> io::Result<Self> {
        Ok(Self {
            view: View::new(&file, offset, place.length)?,
            file,
            offset,
            start: place.start,
        })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.view.bytes()
    }
}

/// Place of an image in a file and in memory.
struct Place {
    offset: u64,
    start: usize,
    length: usize,
}

impl Place {
    fn read(trailer: &[u8; TRAILER], size: u64) -> Option<Self> {
        let (mark, numbers) = trailer.split_at(MARK.len());
        let number = |at: usize| Some(u64::from_le_bytes(numbers[at..at + 8].try_into().ok()?));
        let (start, length) = (number(0)?, number(8)?);
        let offset = size.checked_sub(TRAILER as u64)?.checked_sub(length)?;
        let is_whole = |number: u64| number.is_multiple_of(PAGE as u64);
        let fits = mark == MARK
            && is_whole(start)
            && is_whole(length)
            && is_whole(offset)
            && length > 0
            && start.checked_add(length)? <= MOST_BYTES;
        fits.then_some(Self {
            offset,
            start: start as usize,
            length: length as usize,
        })
    }
}

#[cfg(feature = "compiler")]
pub use split::split;

/// Returns none: without a compiler no data is cut out.
#[cfg(not(feature = "compiler"))]
pub fn split(_component: &[u8], _stack_bytes: usize) -> Option<(Vec<u8>, Data)> {
    None
}

#[cfg(feature = "compiler")]
mod split {
    use wasmparser::{
        BinaryReader, DataKind, DataSectionReader, GlobalSectionReader, MemorySectionReader,
        Operator,
    };

    use super::{Data, PAGE};

    /// Bytes of an image, with those between its pieces: it is written to a file.
    const MOST_IMAGE_BYTES: usize = 64 << 20;

    const CORE_MODULE: u8 = 1;
    const COMPONENT: u8 = 4;
    const MEMORIES: u8 = 5;
    const GLOBALS: u8 = 6;
    const START: u8 = 8;
    const DATA: u8 = 11;
    const DATA_COUNT: u8 = 12;
    const CORE_HEADER: &[u8; 8] = b"\0asm\x01\0\0\0";
    const COMPONENT_HEADER: &[u8; 8] = b"\0asm\x0d\0\x01\0";

    /// Cuts the data out of a component. Data below `stack_bytes` is dropped: it is on the stack, which is empty when a
    /// memory begins. None if that may change the component: it has modules in inner components, a start function, more
    /// than one mutable global or memory, or data that code may read again, that spreads over more than 64 MiB or that
    /// stands at an address which is not written there.
    pub fn split(component: &[u8], stack_bytes: usize) -> Option<(Vec<u8>, Data)> {
        let mut found = Found::default();
        let code = found.cut(component, COMPONENT_HEADER)?;
        (found.memories == 1 && found.modules_with_data <= 1 && found.mutable_globals <= 1)
            .then_some(())?;
        for (at, piece) in &mut found.pieces {
            let dropped = stack_bytes.saturating_sub(*at).min(piece.len());
            (*at, *piece) = (*at + dropped, &piece[dropped..]);
        }
        found.pieces.retain(|(_, piece)| !piece.is_empty());
        let start = found.pieces.iter().map(|(at, _)| *at).min()? / PAGE * PAGE;
        let end = found
            .pieces
            .iter()
            .map(|(at, bytes)| at + bytes.len())
            .max()?;
        (end as u64 <= found.minimum && end - start <= MOST_IMAGE_BYTES).then_some(())?;
        let mut bytes = vec![0; (end - start).next_multiple_of(PAGE)];
        for (at, piece) in &found.pieces {
            bytes[at - start..at - start + piece.len()].copy_from_slice(piece);
        }
        Some((code, Data { start, bytes }))
    }

    /// Parts of modules, as far as they were seen.
    #[derive(Default)]
    struct Found<'a> {
        memories: u32,
        /// Bytes of the last memory at first.
        minimum: u64,
        modules_with_data: u32,
        /// A snapshot has none of them: the pointer to the stack is what it was at first between two entries.
        mutable_globals: u32,
        pieces: Vec<(usize, &'a [u8])>,
    }

    impl<'a> Found<'a> {
        /// Returns the binary without data sections.
        fn cut(&mut self, binary: &'a [u8], header: &[u8; 8]) -> Option<Vec<u8>> {
            let is_component = header == COMPONENT_HEADER;
            let mut code = header.to_vec();
            let mut rest = BinaryReader::new(binary.strip_prefix(header)?, 0);
            let mut has_data = false;
            while !rest.eof() {
                let id = rest.read_u8().ok()?;
                let size = rest.read_var_u32().ok()? as usize;
                let section = rest.read_bytes(size).ok()?;
                let inner = match (is_component, id) {
                    (true, CORE_MODULE) => self.cut(section, CORE_HEADER)?,
                    (false, DATA_COUNT | START) => return None,
                    (false, GLOBALS) => {
                        self.count_globals(section)?;
                        section.to_vec()
                    }
                    (true, COMPONENT) => {
                        has_no_modules(section)?;
                        section.to_vec()
                    }
                    (false, MEMORIES) => {
                        self.count_memories(section)?;
                        section.to_vec()
                    }
                    (false, DATA) => {
                        has_data |= self.take_data(section)?;
                        continue;
                    }
                    _ => section.to_vec(),
                };
                code.push(id);
                write_length(inner.len(), &mut code);
                code.extend_from_slice(&inner);
            }
            self.modules_with_data += u32::from(has_data);
            Some(code)
        }

        fn count_memories(&mut self, section: &[u8]) -> Option<()> {
            let memories = MemorySectionReader::new(BinaryReader::new(section, 0)).ok()?;
            for memory in memories {
                let memory = memory.ok()?;
                (!memory.shared && !memory.memory64 && memory.page_size_log2.is_none())
                    .then_some(())?;
                self.memories += 1;
                self.minimum = memory.initial.checked_mul(64 << 10)?;
            }
            Some(())
        }

        fn count_globals(&mut self, section: &[u8]) -> Option<()> {
            let globals = GlobalSectionReader::new(BinaryReader::new(section, 0)).ok()?;
            for global in globals {
                self.mutable_globals += u32::from(global.ok()?.ty.mutable);
            }
            Some(())
        }

        /// Returns whether there is data that initialises memory. Other data has no effect: without a count of its
        /// segments no code can name one.
        fn take_data(&mut self, section: &'a [u8]) -> Option<bool> {
            let mut has_data = false;
            for piece in DataSectionReader::new(BinaryReader::new(section, 0)).ok()? {
                let piece = piece.ok()?;
                let DataKind::Active {
                    memory_index: 0,
                    offset_expr,
                } = piece.kind
                else {
                    matches!(piece.kind, DataKind::Passive).then_some(())?;
                    continue;
                };
                let mut operators = offset_expr.get_operators_reader();
                let Operator::I32Const { value } = operators.read().ok()? else {
                    return None;
                };
                matches!(operators.read().ok()?, Operator::End).then_some(())?;
                self.pieces
                    .push((value.cast_unsigned() as usize, piece.data));
                has_data = true;
            }
            Some(has_data)
        }
    }

    /// Returns none if there are modules, or further components, in a component.
    fn has_no_modules(component: &[u8]) -> Option<()> {
        let mut rest = BinaryReader::new(component.strip_prefix(COMPONENT_HEADER)?, 0);
        while !rest.eof() {
            let id = rest.read_u8().ok()?;
            let size = rest.read_var_u32().ok()? as usize;
            rest.read_bytes(size).ok()?;
            (id != CORE_MODULE && id != COMPONENT).then_some(())?;
        }
        Some(())
    }

    /// Writes a length as LEB128.
    fn write_length(mut length: usize, code: &mut Vec<u8>) {
        while length >= 0x80 {
            code.push((length & 0x7f) as u8 | 0x80);
            length >>= 7;
        }
        code.push(length as u8);
    }
}
