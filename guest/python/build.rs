//! Sets what must not depend on anybody's environment.

fn main() {
    // Depth 1000 of Python needs about 2 MiB of native stack, and the parser's
    // deepest legal input about 4; the default is 1. A linker argument of the
    // build script survives any `RUSTFLAGS`.
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=8388608");
    println!("cargo::rerun-if-changed=build.rs");
}
