//! Streams, of which those that a plugin reads are files.

use rlm_sandbox::PluginMemory;
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource, ResourceTable};
use wasmtime_wasi::p2::FsResult;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;
use wasmtime_wasi_io::bindings::wasi::io::streams::{
    self, Host as _, HostInputStream as _, HostOutputStream as _,
};
use wasmtime_wasi_io::bytes::Bytes;
use wasmtime_wasi_io::poll::Pollable;
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream, InputStream, StreamResult};

use crate::instance::State;
use crate::wasi::Io;

/// The interface with the name under which wasmtime-wasi-io defines it.
const STREAMS: &str = "wasi:io/streams@0.2.12";

/// Bytes that a stream reads in advance, at the most.
const READ_BYTES: u64 = 64 << 10;

/// A stream that counts what it reads in advance in the memory of all plugins.
struct CountedStream {
    stream: DynInputStream,
    _memory: PluginMemory,
}

/// Replaces a stream that was made for a plugin by one that counts its memory.
pub(crate) fn count_memory(
    state: &mut State,
    stream: Resource<DynInputStream>,
) -> FsResult<Resource<DynInputStream>> {
    let stream = state.table().delete(stream)?;
    let Some(memory) = state.memory_for(READ_BYTES) else {
        return Err(ErrorCode::InsufficientMemory.into());
    };
    let counted: DynInputStream = Box::new(CountedStream {
        stream,
        _memory: memory,
    });
    Ok(state.table().push(counted)?)
}

#[wasmtime_wasi_io::async_trait]
impl InputStream for CountedStream {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        self.stream.read(size)
    }

    async fn blocking_read(&mut self, size: usize) -> StreamResult<Bytes> {
        self.stream.blocking_read(size).await
    }

    fn skip(&mut self, size: usize) -> StreamResult<usize> {
        self.stream.skip(size)
    }

    async fn blocking_skip(&mut self, size: usize) -> StreamResult<usize> {
        self.stream.blocking_skip(size).await
    }

    async fn cancel(&mut self) {
        self.stream.cancel().await;
    }
}

#[wasmtime_wasi_io::async_trait]
impl Pollable for CountedStream {
    async fn ready(&mut self) {
        self.stream.ready().await;
    }
}

type Store<'a> = StoreContextMut<'a, State>;
type Read = (Resource<DynInputStream>, u64);
type Splice = (Resource<DynOutputStream>, Resource<DynInputStream>, u64);

/// Defines the streams, whose reads are counted as calls for files.
pub(crate) fn define(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    streams::add_to_linker::<State, Io>(linker, State::table)?;
    linker.allow_shadowing(true);
    let mut streams = linker.instance(STREAMS)?;
    streams.func_wrap(
        "[method]input-stream.read",
        |mut store: Store<'_>, (stream, length): Read| {
            let table = counted(&mut store)?;
            let read = table.read(stream, length);
            Ok((coded(table, read)?,))
        },
    )?;
    streams.func_wrap(
        "[method]input-stream.skip",
        |mut store: Store<'_>, (stream, length): Read| {
            let table = counted(&mut store)?;
            let skipped = table.skip(stream, length);
            Ok((coded(table, skipped)?,))
        },
    )?;
    streams.func_wrap_async(
        "[method]input-stream.blocking-read",
        |mut store: Store<'_>, (stream, length): Read| {
            Box::new(async move {
                let table = counted(&mut store)?;
                let read = table.blocking_read(stream, length).await;
                Ok((coded(table, read)?,))
            })
        },
    )?;
    streams.func_wrap_async(
        "[method]input-stream.blocking-skip",
        |mut store: Store<'_>, (stream, length): Read| {
            Box::new(async move {
                let table = counted(&mut store)?;
                let skipped = table.blocking_skip(stream, length).await;
                Ok((coded(table, skipped)?,))
            })
        },
    )?;
    streams.func_wrap(
        "[method]output-stream.splice",
        |mut store: Store<'_>, (to, from, length): Splice| {
            let table = counted(&mut store)?;
            let spliced = table.splice(to, from, length);
            Ok((coded(table, spliced)?,))
        },
    )?;
    streams.func_wrap_async(
        "[method]output-stream.blocking-splice",
        |mut store: Store<'_>, (to, from, length): Splice| {
            Box::new(async move {
                let table = counted(&mut store)?;
                let spliced = table.blocking_splice(to, from, length).await;
                Ok((coded(table, spliced)?,))
            })
        },
    )?;
    linker.allow_shadowing(false);
    Ok(())
}

/// Counts a call, and returns what serves it.
fn counted<'a>(store: &'a mut Store<'_>) -> wasmtime::Result<&'a mut ResourceTable> {
    let state = store.data_mut();
    state.count_file_call()?;
    Ok(state.table())
}

/// Returns the code of an error, unless that is a trap.
fn coded<T>(
    table: &mut ResourceTable,
    result: StreamResult<T>,
) -> wasmtime::Result<Result<T, streams::StreamError>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error) => Ok(Err(table.convert_stream_error(error)?)),
    }
}
