//! What plugins and hosts have agreed on: `wit/plugin.wit`.

use proc_macro2::TokenStream;
use quote::quote;

/// The contract, less the package that it is part of.
const CONTRACT: &str = include_str!("../../../../wit/plugin.wit");

/// The package of the contract; `wit/world.wit` says so too.
const PACKAGE: &str = "package rlm:sandbox@0.1.0;";

/// A package with a world `host-only`, which has the host's functions alone.
pub(crate) fn host() -> String {
    format!("{PACKAGE}\n{CONTRACT}\nworld host-only {{ import host; }}\n")
}

/// Exports `function` as `run` of the world `plugin`.
pub(crate) fn run(function: &syn::Path) -> TokenStream {
    let wit = format!("{PACKAGE}\n{CONTRACT}");
    quote! {
        #[allow(warnings, clippy::all, reason = "generated")]
        const _: () = {
            struct Component;

            impl Component {
                /// There natively too, so that its types are checked in tests.
                fn run(input: &str) -> ::std::result::Result<::std::string::String, ::std::string::String> {
                    ::rlm_plugin::__private::run(#function, input)
                }
            }

            #[cfg(target_family = "wasm")]
            mod bindings {
                ::rlm_plugin::__private::wit_bindgen::generate!({
                    inline: #wit,
                    path: [],
                    world: "rlm:sandbox/plugin@0.1.0",
                    runtime_path: "::rlm_plugin::__private::wit_bindgen::rt",
                });
            }

            #[cfg(target_family = "wasm")]
            impl bindings::Guest for Component {
                fn run(input: ::std::string::String) -> ::std::result::Result<::std::string::String, ::std::string::String> {
                    Self::run(&input)
                }
            }

            #[cfg(target_family = "wasm")]
            bindings::export!(Component with_types_in bindings);
        };
    }
}
