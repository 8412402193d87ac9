//! A guest can never abort the host.
//!
//! Each file below `inputs/` is Python that means harm. It runs in a process of
//! its own, which must end well, in time and in little memory: the exec has a
//! typed outcome, the same session then answers `1+1` and still has what it had,
//! and a session beside it was not disturbed.
//!
//! `cargo test` runs each file once; `.ci/hostile` runs each in every kind of
//! process (`place.rs`), changed in every way (`mutation.rs`), and prints what
//! came of it. Adding an input is dropping a file.
//!
//! Only Linux has the means: a kernel that ends a process which reaches out.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a process tells its parent, and the report is for people"
)]

#[cfg(target_os = "linux")]
#[path = "../forbidden.rs"]
mod forbidden;
#[cfg(target_os = "linux")]
mod gate;
#[cfg(target_os = "linux")]
mod input;
#[cfg(target_os = "linux")]
mod mutation;
#[cfg(target_os = "linux")]
mod place;
#[cfg(target_os = "linux")]
mod report;
#[cfg(target_os = "linux")]
mod victim;
#[cfg(target_os = "linux")]
mod wall;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    gate::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {}
