//! What plugins promise: what they can do, and above all what they cannot.

mod attacks;
mod bounds;
mod check;
mod components;
mod exec_wasm;
mod files;
mod footprint;
mod fuzz;
mod handles;
mod killed;
mod registry;
mod sessions;
mod time;
mod unruly;
mod values;
#[path = "../../../../tests/wasm_binary.rs"]
mod wasm_binary;
