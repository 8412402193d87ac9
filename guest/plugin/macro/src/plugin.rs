//! A module that is a plugin.

use proc_macro2::TokenStream;
use syn::{Error, Item, ItemMod, Result};

use crate::docs;
use crate::functions::Function;
use crate::glue;
use crate::name::Name;
use crate::types::{Named, Types, twice};

/// What the host sees of a module.
#[derive(Debug)]
pub(crate) struct Plugin {
    pub(crate) name: Name,
    pub(crate) doc: String,
    pub(crate) functions: Vec<Function>,
    /// The types that the functions need.
    pub(crate) types: Vec<Named>,
}

/// The module with what makes a plugin of it.
pub(crate) fn expand(arguments: TokenStream, module: TokenStream) -> Result<TokenStream> {
    if !arguments.is_empty() {
        return Err(Error::new_spanned(arguments, "nothing is to be said here"));
    }
    let module: ItemMod = syn::parse2(module).map_err(|error| {
        Error::new(
            error.span(),
            "`#[rlm_plugin::plugin]` belongs on a module: `mod name { pub fn … }`",
        )
    })?;
    let plugin = Plugin::read(&module)?;
    glue::module(module, &plugin)
}

impl Plugin {
    /// Reads a module.
    pub(crate) fn read(module: &ItemMod) -> Result<Self> {
        let Some((_, items)) = &module.content else {
            return Err(Error::new_spanned(
                module,
                "the module has to be written here, in braces: a macro cannot see into another file",
            ));
        };
        let mut types = Types::new(items);
        let mut functions: Vec<Function> = Vec::new();
        // All of what is wrong is told at once.
        let mut errors: Option<Error> = None;
        for item in items {
            let Item::Fn(item) = item else { continue };
            if !Function::is_exported(item) {
                continue;
            }
            let read = Function::read(item, &mut types).and_then(|function| {
                let unique = functions.iter().all(|it| it.name != function.name);
                if unique {
                    Ok(function)
                } else {
                    Err(twice(&item.sig.ident))
                }
            });
            match (read, &mut errors) {
                (Ok(function), _) => functions.push(function),
                (Err(error), None) => errors = Some(error),
                (Err(error), Some(errors)) => errors.combine(error),
            }
        }
        if let Some(errors) = errors {
            return Err(errors);
        }
        if functions.is_empty() {
            return Err(Error::new_spanned(
                &module.ident,
                "a plugin has at least one `pub fn` in its module",
            ));
        }
        Ok(Self {
            name: Name::of(&module.ident)?,
            doc: docs::comment(&module.attrs),
            functions,
            types: types.into_needed()?,
        })
    }
}
