//! The functions that a module exports.

use proc_macro2::Ident;
use syn::{Attribute, Error, FnArg, ItemFn, Pat, Result, Visibility};

use crate::docs;
use crate::name::Name;
use crate::shape::{self, Pass, Returned, Shape};
use crate::types::{Types, twice};

/// A function that the host can call.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) ident: Ident,
    pub(crate) name: Name,
    pub(crate) doc: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) result: Option<Shape>,
    pub(crate) returned: Returned,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Name,
    pub(crate) shape: Shape,
    pub(crate) pass: Pass,
}

impl Function {
    /// Returns whether `item` is to be exported: it is `pub`.
    pub(crate) fn is_exported(item: &ItemFn) -> bool {
        matches!(item.vis, Visibility::Public(_))
    }

    /// Reads the signature of a function that is to be exported.
    pub(crate) fn read(item: &ItemFn, types: &mut Types<'_>) -> Result<Self> {
        plain(item)?;
        let mut parameters: Vec<Parameter> = Vec::new();
        for input in &item.sig.inputs {
            let FnArg::Typed(input) = input else {
                return Err(Error::new_spanned(input, "a method cannot be exported"));
            };
            let Pat::Ident(pattern) = &*input.pat else {
                return Err(Error::new_spanned(
                    &input.pat,
                    "a parameter of an exported function has a name, which the host sees",
                ));
            };
            let name = Name::of(&pattern.ident)?;
            if parameters.iter().any(|it| it.name == name) {
                return Err(twice(&pattern.ident));
            }
            let (shape, pass) = shape::parameter(&input.ty, types)?;
            parameters.push(Parameter { name, shape, pass });
        }
        let (result, returned) = shape::returned(&item.sig.output, types)?;
        Ok(Self {
            ident: item.sig.ident.clone(),
            name: Name::of(&item.sig.ident)?,
            doc: docs::comment(&item.attrs),
            parameters,
            result,
            returned,
        })
    }
}

/// Refuses what has no meaning for the host.
fn plain(item: &ItemFn) -> Result<()> {
    let signature = &item.sig;
    if let Some(attribute) = item.attrs.iter().find(|it| is_conditional(it)) {
        return Err(Error::new_spanned(
            attribute,
            "an exported function is always there; put the condition on a private one",
        ));
    }
    if !signature.generics.params.is_empty() {
        return Err(Error::new_spanned(
            &signature.generics,
            "an exported function has no type parameters and no named lifetimes",
        ));
    }
    if let Some(asyncness) = &signature.asyncness {
        return Err(Error::new_spanned(
            asyncness,
            "an exported function is not `async`; calls of the host simply wait",
        ));
    }
    if let Some(unsafety) = &signature.unsafety {
        return Err(Error::new_spanned(
            unsafety,
            "an exported function is not `unsafe`",
        ));
    }
    if let Some(abi) = &signature.abi {
        return Err(Error::new_spanned(
            abi,
            "an exported function is a plain Rust function",
        ));
    }
    if let Some(variadic) = &signature.variadic {
        return Err(Error::new_spanned(
            variadic,
            "an exported function has a fixed number of parameters",
        ));
    }
    Ok(())
}

fn is_conditional(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("test")
}
