//! Finishes the guest: `rlm-bake IN.wasm OUT.wasm.zst`.
//!
//! Runs the component's `prepare` once and keeps the memory it leaves behind,
//! so that no session pays for it; drops custom sections, so that nothing about
//! the builder stays; packs the result and prints the SHA-256 of what it was
//! before that.

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Engine, Store};
use wasmtime_wizer::Wizer;

/// It is packed once, and every program that holds it is smaller for it.
const LEVEL: i32 = 19;

fn main() -> Result<()> {
    let paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [input, output] = &paths[..] else {
        anyhow::bail!("usage: rlm-bake IN.wasm OUT.wasm.zst")
    };
    let wasm = fs::read(input).with_context(|| format!("cannot read {}", input.display()))?;
    let baked = strip(&prepare(&wasm)?)?;
    let packed = zstd::bulk::compress(&baked, LEVEL).context("cannot pack the guest")?;
    fs::write(output, &packed).with_context(|| format!("cannot write {}", output.display()))?;
    println!("{:x}", Sha256::digest(&baked));
    eprintln!("{} bytes, packed {}", baked.len(), packed.len());
    Ok(())
}

/// Pre-initialises the component in a world where nothing ever changes.
fn prepare(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut config = Config::new();
    config.max_wasm_stack(8 << 20).async_stack_size(16 << 20);
    let engine = Engine::new(&config)?;
    let mut store = Store::new(&engine, ());
    let mut wizer = Wizer::new();
    // Without the export the component would name a core function that is gone.
    wizer.init_func("prepare").keep_init_func(true);
    let run = wizer.run_component(&mut store, wasm, async |store, component| {
        let linker = frozen_world(component)?;
        linker.instantiate_async(store, component).await
    });
    // Nothing in there waits, so one poll is enough.
    let mut run = std::pin::pin!(run);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match run.as_mut().poll(&mut context) {
        std::task::Poll::Ready(result) => Ok(result.map_err(anyhow::Error::from)?.0),
        std::task::Poll::Pending => anyhow::bail!("`prepare` waits for something"),
    }
}

/// A constant clock and constant randomness; anything else is a trap, so that
/// an image which depends on the builder's machine cannot be made.
fn frozen_world(component: &Component) -> wasmtime::Result<Linker<()>> {
    let engine = component.engine();
    let mut linker = Linker::new(engine);
    linker.allow_shadowing(true);
    linker.define_unknown_imports_as_traps(component)?;
    for (name, item) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(_) = item.ty else {
            continue;
        };
        let interface = name.split('@').next().unwrap_or(name);
        let mut instance = match interface {
            "wasi:random/insecure-seed" | "wasi:random/random" | "wasi:clocks/monotonic-clock" => {
                linker.instance(name)?
            }
            _ => continue,
        };
        match interface {
            "wasi:random/insecure-seed" => {
                instance.func_wrap("insecure-seed", |_, (): ()| Ok(((0_u64, 0_u64),)))?;
            }
            "wasi:random/random" => {
                instance.func_wrap("get-random-bytes", |_, (length,): (u64,)| {
                    Ok((vec![0_u8; length as usize],))
                })?;
                instance.func_wrap("get-random-u64", |_, (): ()| Ok((0_u64,)))?;
            }
            _ => instance.func_wrap("now", |_, (): ()| Ok((0_u64,)))?,
        }
    }
    Ok(linker)
}

/// Drops the custom sections of a component and of the modules in it.
fn strip(wasm: &[u8]) -> Result<Vec<u8>> {
    const CUSTOM: u8 = 0;
    const CORE_MODULE: u8 = 1;
    ensure!(
        wasm.len() >= 8 && wasm.starts_with(b"\0asm"),
        "not a WebAssembly binary"
    );
    // The layer: 0 for a core module, 1 for a component. Section 1 of a core
    // module is its types.
    let is_component = wasm[6] == 1;
    let (header, mut rest) = wasm.split_at(8);
    let mut stripped = header.to_vec();
    while let Some((&id, after)) = rest.split_first() {
        let (size, after) = read_leb(after)?;
        let (payload, after) = after
            .split_at_checked(size)
            .context("a section is cut off")?;
        rest = after;
        if id == CUSTOM {
            continue;
        }
        let inner = if is_component && id == CORE_MODULE {
            strip(payload)?
        } else {
            payload.to_vec()
        };
        stripped.push(id);
        write_leb(inner.len(), &mut stripped);
        stripped.extend(inner);
    }
    Ok(stripped)
}

fn read_leb(mut bytes: &[u8]) -> Result<(usize, &[u8])> {
    let (mut value, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        value |= usize::from(byte & 0x7f) << shift;
        bytes = rest;
        if byte & 0x80 == 0 {
            return Ok((value, bytes));
        }
        shift += 7;
        ensure!(shift < 35, "a section size is too large");
    }
    anyhow::bail!("a section size is cut off")
}

fn write_leb(mut value: usize, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
