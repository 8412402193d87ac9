//! The folders that a plugin may read.
//!
//! Opening and listing are not wasmtime-wasi's: that opens a pipe and waits for its other end
//! on a thread that nothing can take back, and reads a whole folder into memory before a
//! plugin sees the first entry.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use cap_std::fs::{Dir, FileType, OpenOptions, ReadDir};
use rlm_sandbox::{Error, Result};
use rlm_sandbox_files::{Folder, Links};
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource, ResourceType};
use wasmtime_wasi::filesystem::{
    self, Descriptor, OpenMode, WasiFilesystem, WasiFilesystemView as _,
};
use wasmtime_wasi::p2::FsError;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    self, DescriptorFlags, DescriptorType, DirectoryEntry, ErrorCode, OpenFlags, PathFlags,
};
use wasmtime_wasi::runtime::spawn_blocking;
use wasmtime_wasi::{FsPerms, WasiCtxBuilder};

use crate::instance::State;
use crate::manifest::Manifest;

/// The interface with the name under which wasmtime-wasi defines it.
const TYPES: &str = "wasi:filesystem/types@0.2.12";

/// The folders of a manifest. Each is opened once, when the plugin is loaded: what has its path
/// later is not looked at.
#[derive(Debug)]
pub(crate) struct Folders(Vec<(Folder, String)>);

impl Folders {
    /// Opens the folders.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](rlm_sandbox::ErrorKind::Usage) for a path that leads to no folder, or
    /// to one that cannot be read.
    pub(crate) fn open(manifest: &Manifest) -> Result<Self> {
        let folders = manifest.folders().map(|(path, name)| {
            let folder = Folder::open(path, Links::Follow).map_err(|error| refused(path, error))?;
            Ok((folder, name.to_owned()))
        });
        Ok(Self(folders.collect::<Result<_>>()?))
    }

    /// Grants the folders to an instance.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`](rlm_sandbox::ErrorKind::Usage) if one cannot be opened again.
    pub(crate) fn grant(&self, wasi: &mut WasiCtxBuilder) -> Result<()> {
        for (folder, name) in &self.0 {
            let path = folder.path().unwrap_or_default();
            wasi.preopened_dir(&path, name, FsPerms::ReadOnly)
                .map_err(|error| refused(Path::new(name), error))?;
        }
        Ok(())
    }
}

fn refused(path: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    let path = path.display();
    Error::usage(format!(
        "allowed_paths: {path} is no folder that can be read"
    ))
    .because(error)
}

/// Defines the types of files, with our ways to open and to list.
pub(crate) fn define(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    types::add_to_linker::<State, WasiFilesystem>(linker, State::filesystem)?;
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
                let opened = open_at(store.data_mut(), &folder, links, path, how, flags).await;
                Ok((coded(opened)?,))
            })
        },
    )?;
    types.func_wrap(
        "[method]descriptor.read-directory",
        |mut store: StoreContextMut<'_, State>, (folder,): (Resource<Descriptor>,)| {
            Ok((coded(list(store.data_mut(), &folder))?,))
        },
    )?;
    types.func_wrap(
        "[method]directory-entry-stream.read-directory-entry",
        |mut store: StoreContextMut<'_, State>, (listing,): (Resource<Listing>,)| {
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

type FsResult<T> = std::result::Result<T, FsError>;

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
struct Listing(ReadDir);

fn list(state: &mut State, folder: &Resource<Descriptor>) -> FsResult<Resource<Listing>> {
    let folder = folder_of(state, folder)?.try_clone()?;
    if rlm_sandbox_files::is_scarce(&folder) {
        return Err(ErrorCode::InsufficientMemory.into());
    }
    let entries = Dir::from_std_file(folder).entries()?;
    Ok(State::table(state).push(Listing(entries))?)
}

fn entry(state: &mut State, listing: &Resource<Listing>) -> FsResult<Option<DirectoryEntry>> {
    let Some(entry) = State::table(state).get_mut(listing)?.0.next() else {
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
