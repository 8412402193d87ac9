//! What stands between the author's functions and the host.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{ItemMod, Result};

use crate::docs;
use crate::flat;
use crate::functions::{Function, Parameter};
use crate::plugin::Plugin;
use crate::shape::{Pass, Returned, Shape};
use crate::types::{Body, Named};
use crate::wit;

/// The module as it was, with a hidden module inside.
///
/// That one is there for WebAssembly only: natively an exported function called
/// `read` would be C's, and nobody would call it.
pub(crate) fn module(mut module: ItemMod, plugin: &Plugin) -> Result<TokenStream> {
    let wit = wit::package(plugin);
    let world = plugin.name.kebab();
    let docs = docs::section(plugin);
    let docs_bytes = docs.len();
    let docs = Literal::byte_string(docs.as_bytes());
    let calls = plugin.functions.iter().map(|it| call(it, &plugin.types));
    let exports = plugin
        .functions
        .iter()
        .enumerate()
        .map(|(at, function)| export(at, function, &plugin.types));
    let conversions = plugin.types.iter().map(conversion);
    let glue = quote! {
        #[cfg(target_family = "wasm")]
        #[doc(hidden)]
        #[allow(warnings, unsafe_code, clippy::all, clippy::pedantic, clippy::restriction, reason = "generated")]
        mod __rlm_plugin {
            use ::rlm_plugin::__private::{Lift, Lower};

            mod bindings {
                ::rlm_plugin::__private::wit_bindgen::generate!({
                    inline: #wit,
                    path: [],
                    world: #world,
                    runtime_path: "::rlm_plugin::__private::wit_bindgen::rt",
                });
            }

            struct Component;

            impl bindings::Guest for Component {
                #(#calls)*
            }

            #(#exports)*
            #(#conversions)*

            #[unsafe(link_section = "rlm:docs")]
            #[used]
            static DOCS: [u8; #docs_bytes] = *#docs;
        }
    };
    if let Some((_, items)) = &mut module.content {
        items.push(syn::Item::Verbatim(glue));
    }
    Ok(quote! {
        // The host is whoever reaches these functions; natively nobody does.
        #[allow(unreachable_pub, reason = "exported by the macro")]
        #[cfg_attr(not(target_family = "wasm"), allow(dead_code, reason = "exported in WebAssembly"))]
        #module
    })
}

/// A function of the bindings' trait: lifts, calls the author's, lowers.
fn call(function: &Function, types: &[Named]) -> TokenStream {
    let wire = |at: usize| {
        let name = ident(&types[at].name.camel());
        quote!(bindings::#name)
    };
    let name = ident(&function.name.field());
    let theirs = &function.ident;
    let arguments: Vec<_> = (0..function.parameters.len())
        .map(|at| format_ident!("a{at}"))
        .collect();
    let wires = function
        .parameters
        .iter()
        .map(|parameter| parameter.shape.rust(&wire));
    let result = function.result.as_ref().map(|shape| {
        let wire = shape.rust(&wire);
        quote!(-> #wire)
    });
    let lifts = function
        .parameters
        .iter()
        .zip(&arguments)
        .map(|(parameter, argument)| lift(parameter, argument, types));
    let passed = function
        .parameters
        .iter()
        .zip(&arguments)
        .map(|(parameter, argument)| match parameter.pass {
            Pass::Value => lifted(&parameter.shape, quote!(#argument)),
            Pass::Reference => quote!(&#argument),
            Pass::OptionalReference => quote!(#argument.as_deref()),
        });
    let span = theirs.span();
    let called = quote_spanned!(span=> super::#theirs(#(#passed),*));
    let called = match function.returned {
        Returned::AsItIs => called,
        Returned::DisplayedError => {
            quote_spanned!(span=> #called.map_err(|error| ::std::format!("{error:#}")))
        }
    };
    let lowered = match &function.result {
        Some(shape) => lowered(shape, called),
        None => called,
    };
    quote! {
        fn #name(#(#arguments: #wires),*) #result {
            #(#lifts)*
            #lowered
        }
    }
}

/// Makes what a reference refers to.
fn lift(parameter: &Parameter, argument: &Ident, types: &[Named]) -> Option<TokenStream> {
    if parameter.pass == Pass::Value {
        return None;
    }
    let ty = parameter.shape.rust(&|at| {
        let name = &types[at].ident;
        quote!(super::#name)
    });
    let lifted = lifted(&parameter.shape, quote!(#argument));
    Some(quote! { let #argument: #ty = #lifted; })
}

/// The core function that the host calls, and the one that frees what it read.
///
/// Their names are the standard ones of the component model. The older ones,
/// which wit-bindgen gives them, would take the place of C's `read` or `log`.
fn export(at: usize, function: &Function, types: &[Named]) -> TokenStream {
    let kebab = function.name.kebab();
    let symbol = format!("cm32p2||{kebab}");
    let export = format_ident!("export_{at}");
    let cabi = format_ident!("_export_{}_cabi", function.name.snake());
    let flat = flat::parameters(function, types);
    let arguments: Vec<_> = (0..flat.len()).map(|at| format_ident!("a{at}")).collect();
    let flat = flat.into_iter().map(flat::Flat::tokens);
    let result = flat::result(function, types).map(|it| {
        let result = it.tokens();
        quote!(-> #result)
    });
    let freeing = flat::is_freed(function, types).then(|| {
        let symbol = format!("cm32p2||{kebab}_post");
        let post = format_ident!("post_{at}");
        let free = format_ident!("__post_return_{}", function.name.snake());
        quote! {
            #[unsafe(export_name = #symbol)]
            unsafe extern "C" fn #post(a0: *mut u8) {
                unsafe { bindings::#free::<Component>(a0) }
            }
        }
    });
    quote! {
        #[unsafe(export_name = #symbol)]
        unsafe extern "C" fn #export(#(#arguments: #flat),*) #result {
            unsafe { bindings::#cabi::<Component>(#(#arguments),*) }
        }
        #freeing
    }
}

/// How a type of the author's becomes one of the bindings', and back.
fn conversion(named: &Named) -> TokenStream {
    let theirs = &named.ident;
    let wire = ident(&named.name.camel());
    let (lift, lower) = match &named.body {
        Body::Record(fields) => {
            let ours: Vec<_> = fields.iter().map(|it| ident(&it.name.field())).collect();
            let names: Vec<_> = fields.iter().map(|it| &it.ident).collect();
            let lifts = fields
                .iter()
                .zip(&ours)
                .map(|(it, ours)| lifted(&it.shape, quote!(wire.#ours)));
            let lowers = fields.iter().map(|it| {
                let name = &it.ident;
                lowered(&it.shape, quote!(self.#name))
            });
            (
                quote! { Self { #(#names: #lifts),* } },
                quote! { bindings::#wire { #(#ours: #lowers),* } },
            )
        }
        Body::Enum(cases) | Body::Variant(cases) => {
            let lifts = cases.iter().map(|case| {
                let (name, ours) = (&case.ident, ident(&case.name.case()));
                let Some(payload) = &case.payload else {
                    return quote!(bindings::#wire::#ours => Self::#name);
                };
                let lifted = lifted(payload, quote!(it));
                quote!(bindings::#wire::#ours(it) => Self::#name(#lifted))
            });
            let lowers = cases.iter().map(|case| {
                let (name, ours) = (&case.ident, ident(&case.name.case()));
                let Some(payload) = &case.payload else {
                    return quote!(Self::#name => bindings::#wire::#ours);
                };
                let lowered = lowered(payload, quote!(it));
                quote!(Self::#name(it) => bindings::#wire::#ours(#lowered))
            });
            (
                quote! { match wire { #(#lifts),* } },
                quote! { match self { #(#lowers),* } },
            )
        }
    };
    quote! {
        impl Lift for super::#theirs {
            type Wire = bindings::#wire;
            fn lift(wire: bindings::#wire) -> Self {
                #lift
            }
        }
        impl Lower for super::#theirs {
            type Wire = bindings::#wire;
            fn lower(self) -> bindings::#wire {
                #lower
            }
        }
    }
}

/// A value of the bindings as the author has it. Nothing is done where both
/// have the same type, so that bytes are not walked over.
fn lifted(shape: &Shape, value: TokenStream) -> TokenStream {
    if shape.is_ours() {
        quote!(Lift::lift(#value))
    } else {
        value
    }
}

/// A value of the author's as the bindings have it.
fn lowered(shape: &Shape, value: TokenStream) -> TokenStream {
    if shape.is_ours() {
        quote!(Lower::lower(#value))
    } else {
        value
    }
}

/// An identifier of the bindings.
fn ident(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}
