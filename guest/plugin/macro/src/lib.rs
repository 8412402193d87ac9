//! The macros of `rlm-plugin`; documented there.

mod contract;
mod docs;
mod flat;
mod functions;
mod glue;
mod name;
mod plugin;
#[cfg(test)]
mod refusals;
mod shape;
mod types;
mod wit;

use proc_macro::TokenStream;
use quote::quote;
use syn::parse_macro_input;

/// Exports each `pub fn` of a module; see `rlm_plugin::plugin`.
#[proc_macro_attribute]
pub fn plugin(arguments: TokenStream, module: TokenStream) -> TokenStream {
    let module = proc_macro2::TokenStream::from(module);
    let expanded = plugin::expand(arguments.into(), module.clone()).unwrap_or_else(|error| {
        // The module stays, so that nothing else is wrong for want of it.
        let mut told = error.into_compile_error();
        told.extend(module);
        told
    });
    expanded.into()
}

/// Exports one function from JSON to JSON; see `rlm_plugin::run`.
#[proc_macro]
pub fn run(function: TokenStream) -> TokenStream {
    let function = parse_macro_input!(function as syn::Path);
    contract::run(&function).into()
}

/// The host's interface, for `rlm-plugin` itself.
#[doc(hidden)]
#[proc_macro]
pub fn host_bindings(_: TokenStream) -> TokenStream {
    let wit = contract::host();
    quote! {
        ::wit_bindgen::generate!({ inline: #wit, path: [], world: "host-only" });
    }
    .into()
}
