//! Bounds on the cost of compiling a component, checked before the compiler sees it.
//!
//! Compile time does not follow the size of a file: nested components multiply their
//! instantiations, types and instances multiply their members, and a function costs
//! locals times blocks. [`CompileBounds::measure`] walks the binary once and counts
//! these quantities. It stops at the first one above its bound, so its own time and
//! memory are limited by the bounds and the length of the file.

mod component;
mod core;
mod expansion;
mod merges;

use std::fmt;

use rlm_sandbox::{Error, ErrorKind, Result};
use serde::Deserialize;

macro_rules! bounds {
    ($($(#[$doc:meta])* $name:ident, $quantity:ident = $default:expr, $what:literal;)*) => {
        /// Bounds on the cost of compiling a component.
        ///
        /// The defaults are set for less than two seconds of compile time on two cores for the most
        /// expensive component that passes (1.6 s for the worst of those that `.ci/bounds` compiles); they
        /// are no deadline. A plugin of some 550 KB of ordinary code passes. A manifest raises single bounds
        /// in its table `[compile]`, under the names of these fields.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct CompileBounds {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Default for CompileBounds {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        /// Counts of the quantities that [`CompileBounds`] limits, for one component.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct CompileCost {
            $($(#[$doc])* pub $name: u64,)*
        }

        /// The table `[compile]` of a manifest: bounds that differ from those of the registry.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        #[non_exhaustive]
        pub struct Compile {
            $($(#[$doc])* pub $name: Option<u64>,)*
            /// Milliseconds that a compiler in a process of its own may take. Default: 30,000.
            pub timeout_ms: Option<u64>,
            /// Bytes of address space of a compiler in a process of its own. Default: 4 GiB.
            pub memory_bytes: Option<u64>,
        }

        impl Compile {
            /// Returns `bounds` with the figures of the manifest in place.
            pub(crate) fn over(&self, bounds: CompileBounds) -> CompileBounds {
                CompileBounds { $($name: self.$name.unwrap_or(bounds.$name),)* }
            }
        }

        /// A counted quantity.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Quantity { $($quantity,)* }

        impl Quantity {
            const ALL: &[Self] = &[$(Self::$quantity,)*];

            /// Returns the name of the bound, and its meaning.
            fn describe(self) -> (&'static str, &'static str) {
                match self { $(Self::$quantity => (stringify!($name), $what),)* }
            }
        }

        impl CompileBounds {
            fn of(&self, quantity: Quantity) -> u64 {
                match quantity { $(Quantity::$quantity => self.$name,)* }
            }

            /// Returns bounds that are `times` as large.
            fn times(&self, times: u64) -> Self {
                Self { $($name: self.$name.max(1).saturating_mul(times),)* }
            }
        }

        impl CompileCost {
            fn of(&mut self, quantity: Quantity) -> &mut u64 {
                match quantity { $(Quantity::$quantity => &mut self.$name,)* }
            }
        }
    };
}

bounds! {
    /// Depth of modules and components inside of components, of types inside of types, and
    /// of instances inside of instances. Default: 50.
    nesting, Nesting = 50, "levels of nesting";
    /// Modules and components that the file defines. Default: 200.
    parts, Parts = 200, "modules and components";
    /// Instantiations of modules and components, with multiplicity: an instantiation of a component
    /// counts all those in its body. Default: 500.
    instantiations, Instantiations = 500, "instantiations";
    /// Definitions that the compiler handles, with multiplicity: types by their expanded
    /// size, imports, exports, aliases, instances by the number of their members, items of core
    /// modules. Default: 200,000.
    definitions, Definitions = 200_000, "expanded definitions";
    /// Bytes of all sections but code, data and custom sections. Default: 2 MiB.
    metadata_bytes, MetadataBytes = 2 << 20, "bytes of sections other than code and data";
    /// Functions with a body. Default: 20,000.
    functions, Functions = 20_000, "functions";
    /// Bytes of the largest function body. Default: 64 KiB.
    function_bytes, FunctionBytes = 64 << 10, "bytes of code in one function";
    /// Bytes of all function bodies. Default: 2 MiB.
    code_bytes, CodeBytes = 2 << 20, "bytes of code";
    /// Locals and parameters of one function. Default: 2,000.
    locals, Locals = 2_000, "locals of one function";
    /// Nesting of blocks in one function. Default: 1,000.
    block_depth, BlockDepth = 1_000, "levels of blocks in one function";
    /// Estimated microseconds that the compiler needs for the most expensive function: see
    /// [`work`](Self::work). Default: 1,500,000.
    function_work, FunctionWork = 1_500_000, "microseconds of estimated compile time of one function";
    /// Estimated microseconds of processor time that the compiler needs for all functions:
    /// 100 for each function and each export of a core module, 1 for each byte of code, 40 for each block, branch
    /// and target of a branch table, 10 for each call, 200 for each indirect one and each operator that reads, fills or
    /// grows a table, 2,000 for each copy from table to table, 120 for each that grows a memory, 30 for each other operator on a whole memory, table or segment, 25 for each operator that rounds a float, takes its root or changes its size,
    /// 4 for each argument and result of a call, 12 for each value that a block or branch passes, 1 for each local at each block, where the compiler
    /// may have to merge its values, 1 for each value on the operand stack there and a fiftieth at each other operator, or a quarter in a function that may have floats,
    /// a twentieth for each local at each read of one, a hundredth of the square of the blocks of a function, and a
    /// nine hundredth of the square of the merges in each outermost block, of which an `if` has one for each local that is
    /// assigned in it, a loop two, and another block one for each that was assigned before a branch to its end.
    /// A function counts at least a four thousandth of the square of its bytes.
    /// Default: 3,000,000.
    work, Work = 3_000_000, "microseconds of estimated compile time";
    /// Bytes of the initial images of memories, gaps between data segments included. Default: 64 MiB.
    image_bytes, ImageBytes = 64 << 20, "bytes of initial memory";
    /// Elements that tables have at the start, and items of element segments. Default: 100,000.
    table_elements, TableElements = 100_000, "elements of tables";
    /// Bytes that the host takes for one instance beside memories, tables and the stack, at the most:
    /// for each instantiation of a core module 1,024, and for what the module has 64 for each import,
    /// 32 for each function, global, tag, element segment and data segment, 16 for each export and each
    /// item of an element segment, 256 for each memory and table; for each function that is lifted or
    /// lowered 512. Default: 16 MiB.
    instance_bytes, InstanceBytes = 16 << 20, "bytes of the host's memory for each instance";
}

/// Multiple of the bounds up to which a component that is refused is counted, to tell all that it exceeds.
const FURTHER: u64 = 32;

/// Reason to stop counting.
#[derive(Debug)]
enum Stop {
    Exceeded {
        quantity: Quantity,
        found: u64,
        bound: u64,
    },
    /// The file is not valid.
    Damaged(String),
}

type Counted<T = ()> = Result<T, Stop>;

impl From<wasmparser::BinaryReaderError> for Stop {
    fn from(error: wasmparser::BinaryReaderError) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exceeded {
                quantity,
                found,
                bound,
            } => {
                let (name, what) = quantity.describe();
                write!(
                    f,
                    "compiling it would cost too much: it has at least {found} {what}, and {bound} are permitted; if you \
                     trust it, write `{name} = {found}` or more under [compile] of its manifest"
                )
            }
            // The first bytes that the engine dumps are of no use to a reader.
            Self::Damaged(why) if why.contains("bad magic number") => {
                f.write_str("it does not begin as WebAssembly does; name a component that was built for wasm32-wasip2")
            }
            Self::Damaged(why) => write!(
                f,
                "it is damaged, or uses what this engine does not ({why}); build it again for wasm32-wasip2"
            ),
        }
    }
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Self {
        let kind = match stop {
            Stop::Exceeded { .. } => ErrorKind::Usage,
            Stop::Damaged(_) => ErrorKind::Guest,
        };
        Self::new(kind, stop.to_string())
    }
}

/// Returns the message for a component whose whole cost is known.
fn explain(mut cost: CompileCost, bounds: &CompileBounds) -> String {
    let all = Quantity::ALL.iter().copied();
    let exceeded = all.filter_map(|quantity| {
        let (found, bound) = (*cost.of(quantity), bounds.of(quantity));
        let (name, what) = quantity.describe();
        (found > bound).then(|| {
            (
                format!("{found} {what} ({bound} are permitted)"),
                format!("`{name} = {found}`"),
            )
        })
    });
    let (found, lines): (Vec<_>, Vec<_>) = exceeded.unzip();
    format!(
        "compiling it would cost too much: it has {}; if you trust it, write {} under [compile] of its manifest",
        found.join(", "),
        lines.join(", ")
    )
}

/// Counts so far, and their bounds.
#[derive(Debug)]
struct Counter {
    bounds: CompileBounds,
    cost: CompileCost,
    /// Imports of the core module that has most.
    most_imports: u64,
    /// Imports and exports of the core module, or type of one, that has most.
    most_items: u64,
    /// Bytes for an instance of the core module that takes most.
    most_instance_bytes: u64,
}

impl Counter {
    /// Adds `count` to a quantity.
    fn add(&mut self, quantity: Quantity, count: u64) -> Counted {
        let total = self.cost.of(quantity).saturating_add(count);
        self.reach(quantity, total)
    }

    /// Raises a quantity that is a maximum to `found`.
    fn reach(&mut self, quantity: Quantity, found: u64) -> Counted {
        let most = self.cost.of(quantity);
        *most = found.max(*most);
        let bound = self.bounds.of(quantity);
        if found > bound {
            return Err(Stop::Exceeded {
                quantity,
                found,
                bound,
            });
        }
        Ok(())
    }
}

impl CompileBounds {
    /// Counts the cost of compiling a component, without compiling it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`] with the name of the bound, the count and the permitted count, if a
    /// quantity exceeds its bound; [`ErrorKind::Guest`] if the bytes are no component.
    pub fn measure(&self, wasm: &[u8]) -> Result<CompileCost> {
        let count = |bounds| {
            let cost = CompileCost::default();
            component::count(
                wasm,
                Counter {
                    bounds,
                    cost,
                    most_imports: 0,
                    most_items: 0,
                    most_instance_bytes: 0,
                },
            )
        };
        count(*self).map_err(|stop| {
            if let Stop::Exceeded { .. } = stop {
                // So that a person has to raise bounds once. Nothing is nested deeper than before, and what is
                // kept of definitions takes little memory.
                let mut wide = self.times(FURTHER);
                wide.nesting = self.nesting;
                wide.definitions = self.definitions.saturating_mul(4);
                if let Ok(cost) = count(wide) {
                    return Error::usage(explain(cost, self));
                }
            }
            stop.into()
        })
    }
}
