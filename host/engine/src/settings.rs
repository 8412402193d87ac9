//! The one place where wasmtime is configured.
//!
//! Everything that changes compiled code or fuel is a field of [`Settings`];
//! its text goes into the cache key, so a changed setting can never meet code
//! that was compiled under another.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use wasmtime::{Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, WasmFeatures};

use crate::error::{Error, ErrorKind, Result};
use crate::pages::Pages;

/// The version of the engine, to the patch: fuel is comparable within one only.
pub const VERSION: &str = wasmtime_environ::VERSION;

/// Native stack of the guest. Depth 1000 of Python takes about 2 MiB, the
/// deepest source the parser accepts about 4.
const WASM_STACK_BYTES: usize = 8 << 20;
/// Stack for host functions on top of it. A guest that overflows its own part
/// must leave the host room to run.
const HOST_STACK_BYTES: usize = 1 << 20;
/// Bytes of a pool slot in a narrow address space. A wide memory has its 4 GiB there, too, which hold the largest session:
/// see `memory.rs`.
const NARROW_SLOT_BYTES: usize = 1 << 30;
const WIDE_SLOT_BYTES: usize = 4 << 30;

/// Fuel after which a guest comes up for air, a quarter of a millisecond or so: its future is polled again, and whoever
/// polls it looks at the time. Without fuel it does so at each epoch.
pub const SLICE_FUEL: u64 = 2_000_000;

/// Bytes of address space that a narrow memory reserves ahead when it grows: each time they are used up, it is copied.
const GROWTH_BYTES: u64 = 16 << 20;

/// More than the tables of the interpreter take.
const TABLE_BYTES: usize = 256 << 10;

/// How much address space there is to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressSpace {
    /// 4 GiB for each memory, so that accesses need no bounds checks.
    Wide,
    /// Memories that grow by moving, with bounds checks; same fuel.
    Narrow,
    /// Narrow memories that the system moves, so that none is there twice: for a process whose address space is bounded.
    /// Their image is copied when they begin, and there is no pool. As narrow on other systems than Linux.
    Bounded,
}

/// Mechanism by which the engine interrupts guests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metering {
    /// By fuel, which is counted exactly: the only one with exact replay, and so with recordings.
    #[default]
    Fuel,
    /// By epochs: a thread advances one every millisecond, and code tests it at each function and loop. No fuel is counted.
    Epoch,
    /// By both, each of which ends a guest alone.
    FuelAndEpoch,
}

impl Metering {
    /// Returns whether fuel is counted.
    pub fn counts_fuel(self) -> bool {
        matches!(self, Self::Fuel | Self::FuelAndEpoch)
    }

    /// Returns whether epochs interrupt guests.
    pub fn has_epochs(self) -> bool {
        matches!(self, Self::Epoch | Self::FuelAndEpoch)
    }
}

/// What the engine is configured with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Mechanism that interrupts guests.
    pub metering: Metering,
    /// True if every NaN has the same bits.
    pub canonical_nans: bool,
    /// How memory is laid out.
    pub address_space: AddressSpace,
    /// Native stack of a guest.
    pub wasm_stack_bytes: usize,
    /// Sessions a pool is laid out for; none means memory on demand. Compiled
    /// code does not depend on it.
    pub live_sessions: Option<u32>,
    /// True if compiled code is optimised. Without, code of LLVM is a tenth slower, and no chain of
    /// operators takes the compiler long: its rewriting of them takes up to 60 µs for each.
    pub optimizes: bool,
    /// True if the engine interprets a bytecode of its own in place of running
    /// native code; same fuel.
    pub interprets: bool,
    /// Pages from which memories are mapped, with code that is compiled without its data. None means that the engine makes
    /// memories.
    pub pages: Option<Arc<Pages>>,
}

impl Settings {
    /// What the interpreter runs under.
    pub fn new(address_space: AddressSpace, live_sessions: Option<u32>) -> Self {
        Self {
            metering: Metering::Fuel,
            canonical_nans: true,
            address_space,
            wasm_stack_bytes: WASM_STACK_BYTES,
            live_sessions,
            optimizes: true,
            interprets: false,
            pages: None,
        }
    }

    /// Maps memories from pages, where this system and these settings allow it. They begin with a stack of so many
    /// bytes.
    pub fn map_pages(&mut self, stack_bytes: usize) {
        if self.address_space == AddressSpace::Wide && !self.interprets {
            self.pages = Pages::new(self.live_sessions, stack_bytes);
        }
    }

    /// The settings that fit this process.
    pub fn detect(live_sessions: Option<u32>) -> Self {
        Self::new(
            if wide_memory_fits() {
                AddressSpace::Wide
            } else {
                AddressSpace::Narrow
            },
            live_sessions,
        )
    }

    /// Bytes of the native stack on which a guest and the host functions that it calls run.
    pub fn stack_bytes(&self) -> usize {
        self.wasm_stack_bytes + HOST_STACK_BYTES
    }

    /// What a person is told, and what cache keys are made of.
    pub fn describe(&self) -> String {
        let on = |flag| if flag { "on" } else { "off" };
        format!(
            "fuel {}, {}canonical NaNs {}, address space {}, wasm stack {} KiB, {}{}{}features bulk-memory \
             multi-value reference-types without function-references",
            on(self.metering.counts_fuel()),
            if self.metering.has_epochs() {
                "epochs on, "
            } else {
                ""
            },
            on(self.canonical_nans),
            match self.address_space {
                AddressSpace::Wide => "wide",
                AddressSpace::Narrow => "narrow",
                AddressSpace::Bounded => "bounded",
            },
            self.wasm_stack_bytes >> 10,
            if self.optimizes {
                ""
            } else {
                "not optimised, "
            },
            if self.interprets { "interpreted, " } else { "" },
            if self.pages.is_some() {
                "memories of pages, "
            } else {
                ""
            },
        )
    }

    /// The digest of everything that fuel depends on, but for the guest and the
    /// engine's version. How memory is laid out is not part of it.
    pub fn fuel_key(&self) -> String {
        let Self {
            metering,
            canonical_nans,
            wasm_stack_bytes,
            address_space: _,
            live_sessions: _,
            optimizes: _,
            interprets: _,
            pages: _,
        } = self;
        let (fuel, epochs) = (metering.counts_fuel(), metering.has_epochs());
        let epochs = if epochs { " epochs" } else { "" };
        let text = format!("{fuel} {canonical_nans} {wasm_stack_bytes}{epochs}");
        hex(&Sha256::digest(text)[..8])
    }

    /// Names code compiled from `guest` under these settings by this engine.
    pub fn key(&self, guest_digest: &str) -> String {
        let text = format!(
            "{guest_digest}\n{VERSION}\n{}\n{}",
            std::env::consts::ARCH,
            self.describe()
        );
        hex(&Sha256::digest(text))
    }

    fn config(&self) -> Config {
        let mut config = Config::new();
        config
            .consume_fuel(self.metering.counts_fuel())
            .epoch_interruption(self.metering.has_epochs())
            .max_wasm_stack(self.wasm_stack_bytes)
            .async_stack_size(self.stack_bytes())
            .wasm_relaxed_simd(false)
            .wasm_simd(false)
            .wasm_tail_call(false)
            .wasm_multi_memory(false)
            .wasm_memory64(false)
            .wasm_custom_page_sizes(false)
            .wasm_wide_arithmetic(false)
            .wasm_features(WasmFeatures::FUNCTION_REFERENCES | WasmFeatures::GC, false)
            .concurrency_support(false)
            .generate_address_map(false)
            .wasm_backtrace_max_frames(None)
            .native_unwind_info(false)
            .memory_init_cow(true)
            // The interpreter's image is a few MiB in a memory that starts with
            // 8 MiB of stack; it must be mapped, not copied.
            .memory_guaranteed_dense_image_size(64 << 20);
        #[cfg(feature = "compiler")]
        config
            .cranelift_nan_canonicalization(self.canonical_nans)
            .cranelift_opt_level(match self.optimizes {
                true => wasmtime::OptLevel::Speed,
                false => wasmtime::OptLevel::None,
            });
        match self.address_space {
            AddressSpace::Wide => config
                .memory_reservation(4 << 30)
                .memory_guard_size(32 << 20)
                .memory_may_move(false),
            AddressSpace::Narrow | AddressSpace::Bounded => config
                .memory_reservation(0)
                .memory_reservation_for_growth(GROWTH_BYTES)
                .memory_guard_size(64 << 10)
                .memory_may_move(true),
        };
        #[cfg(feature = "pulley")]
        if self.interprets {
            config
                .target("pulley64")
                .expect("the feature `pulley` is on");
        }
        if let Some(pages) = &self.pages {
            pages.configure(&mut config, self.live_sessions);
        } else if cfg!(target_os = "linux") && self.address_space == AddressSpace::Bounded {
            #[cfg(target_os = "linux")]
            config
                .memory_init_cow(false)
                .with_host_memory(Arc::new(crate::remapped::Creator));
        } else if let Some(sessions) = self.live_sessions {
            config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(
                sessions,
                self.address_space,
            )));
        }
        config
    }

    /// An engine that loads no code but what was compiled from this guest by
    /// such an engine.
    pub fn engine(&self, guest_digest: &str) -> Result<Engine> {
        let mut config = self.config();
        let strategy = wasmtime::ModuleVersionStrategy::Custom(self.key(guest_digest));
        config
            .module_version(strategy)
            .and_then(|config| Engine::new(config))
            .map_err(|error| {
                Error::new(
                    ErrorKind::Host,
                    "cannot start the WebAssembly engine on this machine",
                )
                .because(error)
            })
    }
}

/// A component made by the linker is four core instances at the most, with
/// three tables and one memory; a store keeps its stack until it is dropped.
fn pool(sessions: u32, address_space: AddressSpace) -> PoolingAllocationConfig {
    let slot_bytes = match address_space {
        AddressSpace::Wide => WIDE_SLOT_BYTES,
        AddressSpace::Narrow | AddressSpace::Bounded => NARROW_SLOT_BYTES,
    };
    let mut pool = PoolingAllocationConfig::default();
    pool.total_component_instances(sessions)
        .total_core_instances(4 * sessions)
        .total_memories(sessions)
        .total_tables(3 * sessions)
        .total_stacks(sessions)
        .max_memory_size(slot_bytes)
        .table_elements(20_000)
        // Tables are small: quicker written over than given back and faulted in.
        .table_keep_resident(TABLE_BYTES)
        // A scan of the page map would spare most of the rest, but it sees no page
        // that is swapped out or on its way to another place in memory, and what it
        // does not see the next session gets as it is.
        .pagemap_scan(wasmtime::Enabled::No);
    pool
}

/// Returns whether this process may reserve what one wide memory takes, with room for
/// a second one and for everything else.
fn wide_memory_fits() -> bool {
    const BYTES: usize = (4 << 30) + (64 << 20);
    can_reserve(2 * BYTES)
}

/// Returns whether this process may have so much more address space.
pub(crate) fn can_reserve(bytes: usize) -> bool {
    wasmtime_probe(bytes).is_ok()
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "asking the system is the only way to know")]
fn wasmtime_probe(bytes: usize) -> Result<(), rustix::io::Errno> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
    // SAFETY: a new anonymous mapping that nobody has a pointer into, given
    // back with the length it was made with.
    unsafe {
        let at = mmap_anonymous(
            std::ptr::null_mut(),
            bytes,
            ProtFlags::empty(),
            MapFlags::PRIVATE | MapFlags::NORESERVE,
        )?;
        munmap(at, bytes)
    }
}

#[cfg(not(unix))]
fn wasmtime_probe(_bytes: usize) -> Result<(), std::convert::Infallible> {
    Ok(())
}

/// Bytes in hex.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_that_changes_code_changes_the_key() {
        let base = Settings::new(AddressSpace::Wide, None);
        let key = base.key("g");
        // The whole digest: of a part of it, an author of plugins finds two components with the same.
        assert_eq!(key.len(), 64, "{key}");
        for changed in [
            Settings {
                metering: Metering::Epoch,
                ..base.clone()
            },
            Settings {
                canonical_nans: false,
                ..base.clone()
            },
            Settings {
                address_space: AddressSpace::Narrow,
                ..base.clone()
            },
            Settings {
                wasm_stack_bytes: 1 << 20,
                ..base.clone()
            },
            Settings {
                optimizes: false,
                ..base.clone()
            },
        ] {
            assert_ne!(changed.key("g"), key, "{changed:?}");
        }
        assert_ne!(base.key("h"), key);
        assert_eq!(
            Settings {
                live_sessions: Some(4),
                ..base.clone()
            }
            .key("g"),
            key
        );
    }
}
