//! What the crates that run guests have in common: one configuration of the
//! engine, one cache of compiled code, one meter of time, one error.
//!
//! Nothing here is meant for embedders, who use `rlm-sandbox`; it may change
//! with every release.

mod alarm;
pub mod cache;
pub mod compile;
mod error;
mod meter;
#[cfg_attr(
    any(
        feature = "no-pages",
        not(all(target_os = "linux", target_pointer_width = "64"))
    ),
    path = "no_pages.rs"
)]
pub mod pages;
#[cfg(target_os = "linux")]
mod remapped;
#[cfg(target_os = "linux")]
#[cfg_attr(
    any(feature = "no-pages", not(target_pointer_width = "64")),
    expect(dead_code, reason = "memories of pages use the rest")
)]
mod reservation;
mod settings;
mod ticker;
mod turn;
mod unmapped;

pub use alarm::{Alarm, AlarmClock};
pub use error::{Error, ErrorKind, Result};
pub use meter::Meter;
pub use settings::{AddressSpace, Metering, SLICE_FUEL, Settings, VERSION, hex};
pub use ticker::{RunningGuest, TICK, Ticker};
