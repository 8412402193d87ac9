//! The folders that a plugin may read.
//!
//! Opening and listing are not wasmtime-wasi's: that opens a pipe and waits for its other end
//! on a thread that nothing can take back, and reads a whole folder into memory before a
//! plugin sees the first entry. The rest is wasmtime-wasi's behind a view that counts each call
//! and answers without the system where a reader has nothing to change.

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use cap_std::fs::{Dir, FileType, OpenOptions, ReadDir};
use rlm_sandbox::{Error, PluginMemory, Result};
use rlm_sandbox_files::{Folder, Links};
use wasmtime::StoreContextMut;
use wasmtime::component::{HasData, Linker, Resource, ResourceType};
use wasmtime_wasi::FsPerms;
use wasmtime_wasi::filesystem::{
    self, Descriptor, OpenMode, WasiFilesystemCtxView, WasiFilesystemView as _,
};
use wasmtime_wasi::p2::bindings::filesystem::preopens;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    self, Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry,
    DirectoryEntryStream, ErrorCode, HostDescriptor, HostDirectoryEntryStream, MetadataHashValue,
    NewTimestamp, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, FsError, FsResult};
use wasmtime_wasi::runtime::spawn_blocking;

use crate::instance::State;
use crate::manifest::Manifest;
use crate::streams;

/// The interface with the name under which wasmtime-wasi defines it.
const TYPES: &str = "wasi:filesystem/types@0.2.12";

/// The most folders of one manifest.
const FOLDERS: usize = 32;
/// Bytes that the list of a folder takes while it is read, at the most.
const LISTING_BYTES: u64 = 64 << 10;

/// The folders of a manifest. Each is opened once, when the plugin is loaded, and all instances
/// share it: what has its path later is not looked at, and an instance opens nothing.
pub(crate) struct Folders(Vec<(filesystem::Dir, String)>);

impl fmt::Debug for Folders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|(_, name)| name);
        f.debug_set().entries(names).finish()
    }
}

impl Folders {
    /// Opens the folders.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](rlm_sandbox::ErrorKind::Usage) for more than [`FOLDERS`] folders, and for a
    /// path that leads to no folder, or to one that cannot be read.
    pub(crate) fn open(manifest: &Manifest) -> Result<Self> {
        let count = manifest.folders().count();
        if count > FOLDERS {
            return Err(Error::usage(format!(
                "allowed_paths: there are {count} folders, and {FOLDERS} are permitted; grant a folder around them"
            )));
        }
        let folders = manifest.folders().map(|(path, name)| {
            let folder = Folder::open(path, Links::Follow).and_then(Folder::into_file);
            let folder = folder.map_err(|error| refused(path, error))?;
            let folder = filesystem::Dir::new(folder, FsPerms::ReadOnly, OpenMode::READ, false);
            Ok((folder, name.to_owned()))
        });
        Ok(Self(folders.collect::<Result<_>>()?))
    }

    /// Returns whether others are the same open folders under the same names.
    pub(crate) fn is_same(&self, others: &Self) -> bool {
        let folders = self.0.iter().zip(&others.0);
        self.0.len() == others.0.len() && { folders }.all(
            |((folder, name), (other, other_name))| {
                let is_same = || rlm_sandbox_files::is_same(&folder.dir, &other.dir);
                name == other_name && is_same().unwrap_or(false)
            },
        )
    }

    fn iter(&self) -> impl Iterator<Item = &(filesystem::Dir, String)> {
        self.0.iter()
    }
}

fn refused(path: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    let path = path.display();
    Error::usage(format!(
        "allowed_paths: {path} is no folder that can be read"
    ))
    .because(error)
}

/// Defines the list of granted folders.
pub(crate) fn define_preopens(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    preopens::add_to_linker::<State, Files<'static>>(linker, files)
}

/// Defines the types of files, with our ways to open and to list.
pub(crate) fn define(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    types::add_to_linker::<State, Files<'static>>(linker, files)?;
    linker.allow_shadowing(true);
    let mut types = linker.instance(TYPES)?;
    types.resource(
        "directory-entry-stream",
        ResourceType::host::<Listing>(),
        |mut store, number| {
            let listing = Resource::<Listing>::new_own(number);
            State::table(store.data_mut()).delete(listing)?;
            Ok(())
        },
    )?;
    types.func_wrap_async(
        "[method]descriptor.open-at",
        |mut store: StoreContextMut<'_, State>, (folder, links, path, how, flags): OpenAt| {
            Box::new(async move {
                store.data_mut().count_file_call()?;
                let opened = open_at(store.data_mut(), &folder, links, path, how, flags).await;
                Ok((coded(opened)?,))
            })
        },
    )?;
    types.func_wrap(
        "[method]descriptor.read-directory",
        |mut store: StoreContextMut<'_, State>, (folder,): (Resource<Descriptor>,)| {
            store.data_mut().count_file_call()?;
            Ok((coded(list(store.data_mut(), &folder))?,))
        },
    )?;
    types.func_wrap(
        "[method]directory-entry-stream.read-directory-entry",
        |mut store: StoreContextMut<'_, State>, (listing,): (Resource<Listing>,)| {
            store.data_mut().count_file_call()?;
            Ok((coded(entry(store.data_mut(), &listing))?,))
        },
    )?;
    linker.allow_shadowing(false);
    Ok(())
}

type OpenAt = (
    Resource<Descriptor>,
    PathFlags,
    String,
    OpenFlags,
    DescriptorFlags,
);

/// Returns the code of an error, unless that is a trap.
fn coded<T>(result: FsResult<T>) -> wasmtime::Result<std::result::Result<T, ErrorCode>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error) => Ok(Err(error.downcast()?)),
    }
}

/// Opens a file or folder beneath a folder, for reading.
async fn open_at(
    state: &mut State,
    folder: &Resource<Descriptor>,
    links: PathFlags,
    path: String,
    how: OpenFlags,
    flags: DescriptorFlags,
) -> FsResult<Resource<Descriptor>> {
    let folder = folder_of(state, folder)?;
    let reads = how | OpenFlags::DIRECTORY == OpenFlags::DIRECTORY
        && flags | DescriptorFlags::READ == DescriptorFlags::READ;
    if !reads {
        return Err(ErrorCode::NotPermitted.into());
    }
    let opened = spawn_blocking(move || open(&folder, &path, links, how)).await?;
    let has_room = match &opened {
        Descriptor::File(file) => state.open_files.add(&file.file),
        Descriptor::Dir(folder) => state.open_files.add(&folder.dir),
    };
    if !has_room {
        return Err(ErrorCode::InsufficientMemory.into());
    }
    Ok(State::table(state).push(opened)?)
}

fn folder_of(state: &mut State, folder: &Resource<Descriptor>) -> FsResult<Arc<File>> {
    match State::table(state).get(folder)? {
        Descriptor::Dir(folder) => Ok(Arc::clone(&folder.dir)),
        Descriptor::File(_) => Err(ErrorCode::NotDirectory.into()),
    }
}

fn open(folder: &File, path: &str, links: PathFlags, how: OpenFlags) -> FsResult<Descriptor> {
    let folder = Dir::from_std_file(folder.try_clone()?);
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        use rustix::fs::OFlags;
        // No pipe is waited for.
        let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        if !links.contains(PathFlags::SYMLINK_FOLLOW) {
            flags |= OFlags::NOFOLLOW;
        }
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = folder.open_with(path, &options)?.into_std();
    if rlm_sandbox_files::is_scarce(&file) {
        return Err(ErrorCode::InsufficientMemory.into());
    }
    let metadata = file.metadata()?;
    let mode = OpenMode::READ;
    if metadata.is_dir() {
        let folder = filesystem::Dir::new(file, FsPerms::ReadOnly, mode, false);
        return Ok(Descriptor::Dir(folder));
    }
    if how.contains(OpenFlags::DIRECTORY) {
        return Err(ErrorCode::NotDirectory.into());
    }
    if !metadata.is_file() {
        return Err(ErrorCode::NotPermitted.into());
    }
    let file = filesystem::File::new(file, FsPerms::ReadOnly, mode, false);
    Ok(Descriptor::File(file))
}

/// What is left of the entries of a folder. They are read as a plugin asks for them.
struct Listing {
    entries: ReadDir,
    /// Lives as long as the folder is open.
    _open: Arc<()>,
    /// The system's entries that were read in advance.
    _memory: PluginMemory,
}

fn list(state: &mut State, folder: &Resource<Descriptor>) -> FsResult<Resource<Listing>> {
    let folder = folder_of(state, folder)?.try_clone()?;
    if rlm_sandbox_files::is_scarce(&folder) {
        return Err(ErrorCode::InsufficientMemory.into());
    }
    let open = Arc::new(());
    if !state.open_files.add(&open) {
        return Err(ErrorCode::InsufficientMemory.into());
    }
    let Some(memory) = state.memory_for(LISTING_BYTES) else {
        return Err(ErrorCode::InsufficientMemory.into());
    };
    let listing = Listing {
        entries: Dir::from_std_file(folder).entries()?,
        _open: open,
        _memory: memory,
    };
    Ok(State::table(state).push(listing)?)
}

fn entry(state: &mut State, listing: &Resource<Listing>) -> FsResult<Option<DirectoryEntry>> {
    let Some(entry) = State::table(state).get_mut(listing)?.entries.next() else {
        return Ok(None);
    };
    let entry = entry?;
    let name = entry.file_name().into_string();
    Ok(Some(DirectoryEntry {
        type_: kind(entry.file_type()?),
        name: name.map_err(|_| ErrorCode::IllegalByteSequence)?,
    }))
}

fn kind(file_type: FileType) -> DescriptorType {
    if file_type.is_dir() {
        DescriptorType::Directory
    } else if file_type.is_file() {
        DescriptorType::RegularFile
    } else if file_type.is_symlink() {
        DescriptorType::SymbolicLink
    } else {
        DescriptorType::Unknown
    }
}

/// The files of a plugin, whose calls are counted. All of its grants are read-only.
struct Files<'a>(&'a mut State);

fn files(state: &mut State) -> Files<'_> {
    Files(state)
}

impl HasData for Files<'static> {
    type Data<'a> = Files<'a>;
}

impl Files<'_> {
    /// Counts a call, and returns the view that serves it.
    fn counted(&mut self) -> wasmtime::Result<WasiFilesystemCtxView<'_>> {
        self.0.count_file_call()?;
        Ok(self.0.filesystem())
    }

    /// Counts a call that would change `descriptor`.
    fn refuse<T>(&mut self, descriptor: &Resource<Descriptor>) -> FsResult<T> {
        self.look_up(descriptor)?;
        Err(ErrorCode::NotPermitted.into())
    }

    /// Counts a call that does nothing to `descriptor`.
    fn look_up(&mut self, descriptor: &Resource<Descriptor>) -> FsResult<()> {
        self.0.count_file_call().map_err(FsError::trap)?;
        State::table(self.0).get(descriptor)?;
        Ok(())
    }
}

impl preopens::Host for Files<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Resource<Descriptor>, String)>> {
        self.0.count_file_call()?;
        let folders = Arc::clone(&self.0.folders);
        let granted = folders.iter().map(|(folder, name)| {
            let folder = State::table(self.0).push(Descriptor::Dir(folder.clone()))?;
            Ok((folder, name.clone()))
        });
        granted.collect()
    }
}

impl types::Host for Files<'_> {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<ErrorCode> {
        types::Host::convert_error_code(&mut self.0.filesystem(), error)
    }

    fn filesystem_error_code(
        &mut self,
        error: Resource<wasmtime::Error>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        types::Host::filesystem_error_code(&mut self.0.filesystem(), error)
    }
}

impl HostDescriptor for Files<'_> {
    // A file that was not written has nothing to synchronize, and advice would make the host read.

    async fn sync(&mut self, file: Resource<Descriptor>) -> FsResult<()> {
        self.look_up(&file)
    }

    async fn sync_data(&mut self, file: Resource<Descriptor>) -> FsResult<()> {
        self.look_up(&file)
    }

    async fn advise(
        &mut self,
        file: Resource<Descriptor>,
        _offset: u64,
        _length: u64,
        _advice: Advice,
    ) -> FsResult<()> {
        self.look_up(&file)
    }

    async fn read(
        &mut self,
        file: Resource<Descriptor>,
        length: u64,
        offset: u64,
    ) -> FsResult<(Vec<u8>, bool)> {
        self.counted()
            .map_err(FsError::trap)?
            .read(file, length, offset)
            .await
    }

    fn read_via_stream(
        &mut self,
        file: Resource<Descriptor>,
        offset: u64,
    ) -> FsResult<Resource<DynInputStream>> {
        let mut files = self.counted().map_err(FsError::trap)?;
        let stream = files.read_via_stream(file, offset)?;
        streams::count_memory(self.0, stream)
    }

    async fn get_flags(&mut self, file: Resource<Descriptor>) -> FsResult<DescriptorFlags> {
        self.counted().map_err(FsError::trap)?.get_flags(file).await
    }

    async fn get_type(&mut self, file: Resource<Descriptor>) -> FsResult<DescriptorType> {
        self.counted().map_err(FsError::trap)?.get_type(file).await
    }

    async fn stat(&mut self, file: Resource<Descriptor>) -> FsResult<DescriptorStat> {
        self.counted().map_err(FsError::trap)?.stat(file).await
    }

    async fn stat_at(
        &mut self,
        folder: Resource<Descriptor>,
        links: PathFlags,
        path: String,
    ) -> FsResult<DescriptorStat> {
        self.counted()
            .map_err(FsError::trap)?
            .stat_at(folder, links, path)
            .await
    }

    async fn readlink_at(
        &mut self,
        folder: Resource<Descriptor>,
        path: String,
    ) -> FsResult<String> {
        self.counted()
            .map_err(FsError::trap)?
            .readlink_at(folder, path)
            .await
    }

    async fn metadata_hash(&mut self, file: Resource<Descriptor>) -> FsResult<MetadataHashValue> {
        self.counted()
            .map_err(FsError::trap)?
            .metadata_hash(file)
            .await
    }

    async fn metadata_hash_at(
        &mut self,
        folder: Resource<Descriptor>,
        links: PathFlags,
        path: String,
    ) -> FsResult<MetadataHashValue> {
        self.counted()
            .map_err(FsError::trap)?
            .metadata_hash_at(folder, links, path)
            .await
    }

    async fn is_same_object(
        &mut self,
        file: Resource<Descriptor>,
        other: Resource<Descriptor>,
    ) -> wasmtime::Result<bool> {
        self.counted()?.is_same_object(file, other).await
    }

    fn drop(&mut self, file: Resource<Descriptor>) -> wasmtime::Result<()> {
        HostDescriptor::drop(&mut self.0.filesystem(), file)
    }

    // Functions of the linker take the place of these two.

    async fn open_at(
        &mut self,
        folder: Resource<Descriptor>,
        _links: PathFlags,
        _path: String,
        _how: OpenFlags,
        _flags: DescriptorFlags,
    ) -> FsResult<Resource<Descriptor>> {
        self.refuse(&folder)
    }

    async fn read_directory(
        &mut self,
        folder: Resource<Descriptor>,
    ) -> FsResult<Resource<DirectoryEntryStream>> {
        self.refuse(&folder)
    }

    // The grant of a reader has none of the following.

    async fn set_size(&mut self, file: Resource<Descriptor>, _size: u64) -> FsResult<()> {
        self.refuse(&file)
    }

    async fn set_times(
        &mut self,
        file: Resource<Descriptor>,
        _accessed: NewTimestamp,
        _modified: NewTimestamp,
    ) -> FsResult<()> {
        self.refuse(&file)
    }

    async fn write(
        &mut self,
        file: Resource<Descriptor>,
        _bytes: Vec<u8>,
        _offset: u64,
    ) -> FsResult<u64> {
        self.refuse(&file)
    }

    fn write_via_stream(
        &mut self,
        file: Resource<Descriptor>,
        _offset: u64,
    ) -> FsResult<Resource<DynOutputStream>> {
        self.refuse(&file)
    }

    fn append_via_stream(
        &mut self,
        file: Resource<Descriptor>,
    ) -> FsResult<Resource<DynOutputStream>> {
        self.refuse(&file)
    }

    async fn create_directory_at(
        &mut self,
        folder: Resource<Descriptor>,
        _path: String,
    ) -> FsResult<()> {
        self.refuse(&folder)
    }

    async fn set_times_at(
        &mut self,
        folder: Resource<Descriptor>,
        _links: PathFlags,
        _path: String,
        _accessed: NewTimestamp,
        _modified: NewTimestamp,
    ) -> FsResult<()> {
        self.refuse(&folder)
    }

    async fn link_at(
        &mut self,
        folder: Resource<Descriptor>,
        _old_links: PathFlags,
        _old_path: String,
        _new_folder: Resource<Descriptor>,
        _new_path: String,
    ) -> FsResult<()> {
        self.refuse(&folder)
    }

    async fn remove_directory_at(
        &mut self,
        folder: Resource<Descriptor>,
        _path: String,
    ) -> FsResult<()> {
        self.refuse(&folder)
    }

    async fn rename_at(
        &mut self,
        folder: Resource<Descriptor>,
        _old_path: String,
        _new_folder: Resource<Descriptor>,
        _new_path: String,
    ) -> FsResult<()> {
        self.refuse(&folder)
    }

    async fn symlink_at(
        &mut self,
        folder: Resource<Descriptor>,
        _old_path: String,
        _new_path: String,
    ) -> FsResult<()> {
        self.refuse(&folder)
    }

    async fn unlink_file_at(
        &mut self,
        folder: Resource<Descriptor>,
        _path: String,
    ) -> FsResult<()> {
        self.refuse(&folder)
    }
}

impl HostDirectoryEntryStream for Files<'_> {
    // Functions of the linker take the place of both.

    async fn read_directory_entry(
        &mut self,
        _listing: Resource<DirectoryEntryStream>,
    ) -> FsResult<Option<DirectoryEntry>> {
        Err(ErrorCode::Unsupported.into())
    }

    fn drop(&mut self, listing: Resource<DirectoryEntryStream>) -> wasmtime::Result<()> {
        HostDirectoryEntryStream::drop(&mut self.0.filesystem(), listing)
    }
}
