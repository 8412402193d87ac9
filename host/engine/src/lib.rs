//! What the crates that run guests have in common: one configuration of the
//! engine, one cache of compiled code, one clock behind deadlines, one error.
//!
//! Nothing here is meant for embedders, who use `rlm-sandbox`; it may change
//! with every release.

pub mod cache;
pub mod compile;
mod error;
mod meter;
mod settings;
mod ticker;

pub use error::{Error, ErrorKind, Result};
pub use meter::Meter;
pub use settings::{AddressSpace, Settings, VERSION, hex};
pub use ticker::{Alarm, Running, TICK, Ticker};
