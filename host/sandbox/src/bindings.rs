//! Rust types of the world `rlm:sandbox/python`, generated from `wit/`.
#![allow(
    missing_docs,
    clippy::use_self,
    reason = "generated; the documentation is in the WIT files"
)]

wasmtime::component::bindgen!({
    path: "wit",
    world: "python",
    imports: { default: trappable },
    exports: { default: async },
    additional_derives: [Clone, PartialEq],
});
