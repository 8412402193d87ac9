//! Promises that a Python file alone cannot show.
//!
//! One module for each noun; `check.rs` is the only one that touches the
//! interface more than once in the same way.

mod check;
mod compat;
mod finishing;
mod formats;
mod host_data;
mod portable;
mod profiles;
mod validation;

mod admission;
mod bad_tools;
mod bombs;
mod branches;
mod budgets;
mod calls;
mod cassettes;
mod charges;
mod clock;
mod commands;
mod contexts;
mod deadlines;
mod determinism;
mod embedding;
mod endurance;
mod exec_python;
mod faults;
#[cfg(target_os = "linux")]
#[path = "../forbidden.rs"]
mod forbidden;
mod guest;
mod journals;
mod limits;
mod metering;
mod mutations;
mod nesting;
#[cfg(target_os = "linux")]
mod no_process;
mod outputs;
mod pairs;
mod parking;
mod plugins;
mod positions;
mod promises;
mod readers;
mod rebuilding;
mod recovering;
mod recovery;
mod replay;
mod sealed_snapshots;
mod session;
mod snapshots;
#[path = "../sums.rs"]
mod sums;
mod tidy;
mod what_runs;
