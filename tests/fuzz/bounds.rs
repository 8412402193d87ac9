//! Components that are cheap to write and expensive to compile.
//!
//! Each input is a shape with its figures. The bounds count what the shape is known to have; a
//! component above a bound is refused by that bound's name, and one below all of them is loaded if
//! it is cheap enough for a test.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use rlm_sandbox_plugins::{CompileBounds, CompileCost, Manifest, Registry};
use serde::{Deserialize, Serialize};

use crate::target::Target;
use crate::wasm_binary::{MODULE, component, core_module, leb, section};

pub(crate) struct Bounds;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Shape {
    /// Components in components, each instantiating the one in it.
    Towers { levels: u32, times: u32 },
    /// Components beside each other, each of which captures the one before.
    Captures { levels: u32, times: u32 },
    /// Instances of instances.
    Groups { levels: u32, times: u32 },
    /// Instances that go through a component whose types do not tell of them.
    Hidden { levels: u32 },
    /// Tuples of tuples.
    Tuples { levels: u32, times: u32 },
    /// Types beside each other.
    Types { count: u32 },
    /// Instance types in instance types.
    DeepTypes { depth: u32 },
    /// Locals by entries of their declaration, with loops.
    Locals { entries: Vec<u32>, loops: u32 },
    /// A table of branches, each of which passes values.
    BranchTable { targets: u32, values: u32 },
    /// Blocks in blocks.
    Blocks { depth: u32 },
    /// Functions of so many operators.
    Functions { count: u32, operators: u32 },
    /// Imports with long names.
    Imports { count: u32, letters: u32 },
    /// A memory with a gap between two bytes.
    Gap { bytes: u32 },
    /// A table.
    Table { elements: u32 },
    /// Instances of a core module.
    Modules { instances: u32 },
}

use Shape::*;

type Figure = fn(&CompileCost) -> u64;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let registry = Registry::builder().no_cache();
    registry.build().expect("an engine")
});

/// A component with a module of these types, and functions that are all of the last type.
fn module(types: &[Vec<u8>], count: u32, body: &[u8]) -> Vec<u8> {
    let function = (types.len() as u8 - 1, body.to_vec());
    component(&[(1, core_module(types, &vec![function; count as usize]))])
}

fn text(text: &str) -> Result<Vec<u8>, String> {
    wat::parse_str(text).map_err(|error| format!("the generator is wrong: {error}"))
}

impl Shape {
    fn wasm(&self) -> Result<Vec<u8>, String> {
        let repeat = |part: &str, times: u32| part.repeat(times as usize);
        Ok(match self {
            Towers { levels, times } => {
                let mut inner = String::from("(component $c)");
                for _ in 0..*levels {
                    let instances = repeat("(instance (instantiate $c))", *times);
                    inner = format!("(component $c {inner} {instances})");
                }
                text(&inner)?
            }
            Captures { levels, times } => {
                let mut all = String::from("(component $c0)");
                for level in 1..=*levels {
                    let alias = format!("(alias outer 1 $c{} (component))", level - 1);
                    all += &format!("(component $c{level} {})", repeat(&alias, *times));
                }
                text(&format!(
                    "(component {all} (instance (instantiate $c{levels})))"
                ))?
            }
            Groups { levels, times } => {
                let mut all = String::from("(instance $i0)");
                for level in 1..=*levels {
                    let exports = (0..*times)
                        .map(|n| format!("(export \"e{n}\" (instance $i{}))", level - 1));
                    all += &format!("(instance $i{level} {})", exports.collect::<String>());
                }
                text(&format!("(component {all})"))?
            }
            Hidden { levels } => {
                let mut all = String::from(
                    "(component $c (import \"x\" (instance $x)) (export \"a\" (instance $x)) (export \"b\" (instance $x)))
                     (instance $i0)",
                );
                for level in 1..=*levels {
                    let of = level - 1;
                    all += &format!(
                        "(instance $i{level} (instantiate $c (with \"x\" (instance $i{of}))))"
                    );
                }
                text(&format!("(component {all})"))?
            }
            Tuples { levels, times } => {
                let mut all = String::from("(type $t0 (tuple u8))");
                for level in 1..=*levels {
                    let parts = repeat(&format!(" $t{}", level - 1), *times);
                    all += &format!("(type $t{level} (tuple{parts}))");
                }
                text(&format!("(component {all})"))?
            }
            Types { count } => {
                let types = [0x40, 0, 1, 0].repeat(*count as usize);
                component(&[(7, [leb((*count).into()), types].concat())])
            }
            DeepTypes { depth } => {
                let deep = [0x42, 1, 1].repeat(*depth as usize - 1);
                component(&[(7, [vec![1], deep, vec![0x42, 0]].concat())])
            }
            Locals { entries, loops } => {
                let mut body = leb(entries.len() as u64);
                for entry in entries {
                    body.extend(leb((*entry).into()));
                    body.push(0x7f);
                }
                body.extend([0x03, 0x40, 0x0b].repeat(*loops as usize));
                body.push(0x0b);
                module(&[vec![0x60, 0, 0]], 1, &body)
            }
            BranchTable { targets, values } => {
                let ty = [
                    vec![0x60, 0],
                    leb((*values).into()),
                    vec![0x7f; *values as usize],
                ];
                let table = vec![0; *targets as usize + 1];
                let body = [
                    vec![0, 0x02, 0, 0, 0x0e],
                    leb((*targets).into()),
                    table,
                    vec![0x0b, 0, 0x0b],
                ];
                module(&[ty.concat(), vec![0x60, 0, 0]], 1, &body.concat())
            }
            Blocks { depth } => {
                let depth = *depth as usize;
                let body = [vec![0], [0x02, 0x40].repeat(depth), vec![0x0b; depth + 1]];
                module(&[vec![0x60, 0, 0]], 1, &body.concat())
            }
            Functions { count, operators } => {
                let body = [vec![0], vec![0x01; *operators as usize], vec![0x0b]];
                module(&[vec![0x60, 0, 0]], *count, &body.concat())
            }
            Imports { count, letters } => {
                let name = [
                    leb((*letters).into()),
                    vec![b'n'; *letters as usize],
                    vec![0, 0, 0],
                ];
                let imports = [leb((*count).into()), name.concat().repeat(*count as usize)];
                let module = [
                    MODULE.to_vec(),
                    section(1, &[1, 0x60, 0, 0]),
                    section(2, &imports.concat()),
                ];
                component(&[(1, module.concat())])
            }
            Gap { bytes } => text(&format!(
                "(component (core module (memory 1024) (data (i32.const 0) \"a\") (data (i32.const {}) \"b\")))",
                bytes - 1
            ))?,
            Table { elements } => text(&format!(
                "(component (core module (table {elements} funcref)))"
            ))?,
            Modules { instances } => {
                let instances = repeat("(core instance (instantiate $m))", *instances);
                text(&format!("(component (core module $m) {instances})"))?
            }
        })
    }

    /// The name of a bound, its figure by `cost`, and the figure that the shape has, if it is known
    /// to the last one.
    fn known(&self) -> (&'static str, Figure, Option<u64>, u64) {
        let bounds = CompileBounds::default();
        /// Sum of the powers up to this one.
        fn sum(times: u32, levels: u32) -> u64 {
            let powers = (0..=levels).map(|level| u64::from(times).saturating_pow(level));
            powers.fold(0, u64::saturating_add)
        }
        match *self {
            Towers { levels, times } => (
                "instantiations",
                |cost| cost.instantiations,
                Some(sum(times, levels)),
                bounds.instantiations,
            ),
            Modules { instances } => (
                "instantiations",
                |cost| cost.instantiations,
                Some(u64::from(instances) + 1),
                bounds.instantiations,
            ),
            // At least so many copies are made of the first one.
            Captures { levels, times } | Groups { levels, times } | Tuples { levels, times } => (
                "definitions",
                |cost| cost.definitions,
                None,
                bounds
                    .definitions
                    .min(u64::from(times).saturating_pow(levels)),
            ),
            Hidden { levels } => (
                "definitions",
                |cost| cost.definitions,
                None,
                bounds.definitions.min(2_u64.saturating_pow(levels)),
            ),
            Types { count } => (
                "definitions",
                |cost| cost.definitions,
                // The root's own exports are one more.
                Some(u64::from(count) + 1),
                bounds.definitions,
            ),
            DeepTypes { depth } => (
                "nesting",
                |cost| cost.nesting,
                Some(depth.into()),
                bounds.nesting,
            ),
            Locals { ref entries, .. } => (
                "locals",
                |cost| cost.locals,
                Some(entries.iter().map(|entry| u64::from(*entry)).sum()),
                bounds.locals,
            ),
            BranchTable { targets, values } => (
                "function_work",
                |cost| cost.function_work,
                None,
                bounds
                    .function_work
                    .min(u64::from(targets) * (u64::from(values) + 40)),
            ),
            Blocks { depth } => (
                "block_depth",
                |cost| cost.block_depth,
                Some(depth.into()),
                bounds.block_depth,
            ),
            Functions { count, .. } => (
                "functions",
                |cost| cost.functions,
                Some(count.into()),
                bounds.functions,
            ),
            Imports { count, letters } => (
                "metadata_bytes",
                |cost| cost.metadata_bytes,
                None,
                bounds
                    .metadata_bytes
                    .min(u64::from(count) * u64::from(letters)),
            ),
            Gap { bytes } => (
                "image_bytes",
                |cost| cost.image_bytes,
                // The engine makes none that is larger and sparse.
                Some(if bytes < 64 << 20 { bytes.into() } else { 4 }),
                bounds.image_bytes,
            ),
            Table { elements } => (
                "table_elements",
                |cost| cost.table_elements,
                Some(elements.into()),
                bounds.table_elements,
            ),
        }
    }
}

/// Cost up to which a component is compiled in a test.
fn is_cheap(cost: &CompileCost) -> bool {
    cost.work < 50_000 && cost.definitions < 20_000 && cost.image_bytes < 1 << 20
}

impl Target for Bounds {
    type Input = Shape;
    const NAME: &'static str = "bounds";

    fn inputs() -> BoxedStrategy<Shape> {
        // Small ones more often than large ones.
        let figure =
            |most: u32| (0.0_f64..1.0).prop_map(move |x| 1 + (x.powi(3) * f64::from(most)) as u32);
        prop_oneof![
            (figure(30), 1_u32..4).prop_map(|(levels, times)| Towers { levels, times }),
            (figure(40), 1_u32..4).prop_map(|(levels, times)| Captures { levels, times }),
            (figure(40), 1_u32..4).prop_map(|(levels, times)| Groups { levels, times }),
            figure(40).prop_map(|levels| Hidden { levels }),
            (figure(40), 1_u32..20).prop_map(|(levels, times)| Tuples { levels, times }),
            figure(400_000).prop_map(|count| Types { count }),
            figure(200_000).prop_map(|depth| DeepTypes { depth }),
            (
                prop::collection::vec(prop_oneof![figure(600), any::<u32>()], 0..6),
                figure(1000)
            )
                .prop_map(|(entries, loops)| Locals { entries, loops }),
            (figure(100_000), 0_u32..100)
                .prop_map(|(targets, values)| BranchTable { targets, values }),
            figure(3000).prop_map(|depth| Blocks { depth }),
            (figure(40_000), 0_u32..40)
                .prop_map(|(count, operators)| Functions { count, operators }),
            (figure(100), figure(90_000)).prop_map(|(count, letters)| Imports { count, letters }),
            (2_u32..=64 << 20).prop_map(|bytes| Gap { bytes }),
            any::<u32>().prop_map(|bits| Table {
                elements: bits % 10_000_000
            }),
            figure(1000).prop_map(|instances| Modules { instances }),
        ]
        .boxed()
    }

    fn attempt(shape: &Shape) -> Result<(), String> {
        let wasm = shape.wasm()?;
        let bounds = CompileBounds::default();
        let (name, figure, exact, least) = shape.known();
        let measured = bounds.measure(&wasm);
        let loaded = match &measured {
            Ok(cost) => {
                let found = figure(cost);
                match exact {
                    Some(exact) if found != exact => {
                        return Err(format!("{name} is {exact}, and {found} was counted"));
                    }
                    None if found < least => {
                        return Err(format!(
                            "{name} is {least} at least, and {found} was counted"
                        ));
                    }
                    _ => {}
                }
                if !is_cheap(cost) {
                    return Ok(());
                }
                REGISTRY.load(Manifest::named("made_up"), &wasm)
            }
            Err(error) => {
                let message = error.to_string();
                let is_over = message.contains("are permitted");
                if !is_over {
                    return Err(format!("a valid component is refused: {message}"));
                }
                // Another bound may be reached first, but none is reached without need.
                if message.contains(&format!("`{name} = "))
                    && exact.is_some_and(|exact| exact <= least)
                {
                    return Err(format!("{name} is {exact:?}: {message}"));
                }
                REGISTRY.load(Manifest::named("made_up"), &wasm)
            }
        };
        match (measured, loaded) {
            (Err(measured), Err(loaded)) if loaded.to_string().ends_with(&measured.to_string()) => {
                Ok(())
            }
            (Err(measured), loaded) => Err(format!("{measured}, but to load it gave {loaded:?}")),
            // The engine has rules of its own; a panic is caught by the test's harness.
            (Ok(_), _) => Ok(()),
        }
    }
}
