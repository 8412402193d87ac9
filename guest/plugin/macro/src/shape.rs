//! The types that can cross to the host.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{Error, GenericArgument, PathArguments, Result, ReturnType, Type};

use crate::name::Name;
use crate::types::Types;

/// A type as WIT has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A number, a truth value, a letter: Rust's name and WIT's.
    Scalar(Scalar),
    String,
    List(Box<Self>),
    Option(Box<Self>),
    Result(Option<Box<Self>>, Option<Box<Self>>),
    Tuple(Vec<Self>),
    /// A type of the module: its place in [`Types`], and its name.
    Named(usize, Name),
}

impl Shape {
    /// Returns whether a type of the module is part of it.
    pub(crate) fn is_ours(&self) -> bool {
        match self {
            Self::Scalar(_) | Self::String => false,
            Self::List(inner) | Self::Option(inner) => inner.is_ours(),
            Self::Result(ok, error) => [ok, error].into_iter().flatten().any(|it| it.is_ours()),
            Self::Tuple(shapes) => shapes.iter().any(Self::is_ours),
            Self::Named(..) => true,
        }
    }

    /// As Rust has it; `named` says what to call a type of the module.
    pub(crate) fn rust(&self, named: &impl Fn(usize) -> TokenStream) -> TokenStream {
        let whole = |shape: &Option<Box<Self>>| match shape {
            Some(shape) => shape.rust(named),
            None => quote!(()),
        };
        match self {
            Self::Scalar(scalar) => {
                let name = Ident::new(scalar.rust, Span::call_site());
                quote!(::core::primitive::#name)
            }
            Self::String => quote!(::std::string::String),
            Self::List(inner) => {
                let inner = inner.rust(named);
                quote!(::std::vec::Vec<#inner>)
            }
            Self::Option(inner) => {
                let inner = inner.rust(named);
                quote!(::core::option::Option<#inner>)
            }
            Self::Result(ok, error) => {
                let (ok, error) = (whole(ok), whole(error));
                quote!(::core::result::Result<#ok, #error>)
            }
            Self::Tuple(shapes) => {
                let shapes = shapes.iter().map(|it| it.rust(named));
                quote!((#(#shapes,)*))
            }
            Self::Named(at, _) => named(*at),
        }
    }
}

/// A type of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub(crate) rust: &'static str,
    pub(crate) wit: &'static str,
}

/// As many as `rlm-plugin` converts; chosen by hand.
const MAX_TUPLE: usize = 8;

const SCALARS: &[(&str, &str)] = &[
    ("bool", "bool"),
    ("u8", "u8"),
    ("u16", "u16"),
    ("u32", "u32"),
    ("u64", "u64"),
    ("i8", "s8"),
    ("i16", "s16"),
    ("i32", "s32"),
    ("i64", "s64"),
    ("f32", "f32"),
    ("f64", "f64"),
    ("char", "char"),
];

/// How a parameter is handed to the author's function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    Value,
    /// `&str` and `&[T]`.
    Reference,
    /// `Option<&str>` and `Option<&[T]>`.
    OptionalReference,
}

/// How what the author's function returns becomes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returned {
    AsItIs,
    /// A `Result` whose error is told as text, by way of `Display`.
    DisplayedError,
}

/// Reads the type of a parameter.
pub(crate) fn parameter(ty: &Type, types: &mut Types<'_>) -> Result<(Shape, Pass)> {
    let ty = bare(ty);
    if let Type::Reference(_) = ty {
        return Ok((referred(ty, types)?, Pass::Reference));
    }
    if let Some([inner]) = generic(ty, "Option").as_deref()
        && let Type::Reference(_) = bare(inner)
    {
        let inner = referred(bare(inner), types)?;
        return Ok((Shape::Option(Box::new(inner)), Pass::OptionalReference));
    }
    Ok((value(ty, types)?, Pass::Value))
}

/// Reads the type that a function returns.
pub(crate) fn returned(
    ty: &ReturnType,
    types: &mut Types<'_>,
) -> Result<(Option<Shape>, Returned)> {
    let ReturnType::Type(_, ty) = ty else {
        return Ok((None, Returned::AsItIs));
    };
    let ty = bare(ty);
    if is_unit(ty) {
        return Ok((None, Returned::AsItIs));
    }
    // `anyhow::Result<T>` and its like name their error themselves.
    let (ok, error) = match generic(ty, "Result").as_deref() {
        Some([ok]) => (ok.clone(), None),
        Some([ok, error]) => (ok.clone(), Some(error.clone())),
        _ => return Ok((Some(value(ty, types)?), Returned::AsItIs)),
    };
    if let Some(error) = &error
        && crosses(error, types)
    {
        let shape = value(ty, types).map_err(|told| {
            if value(error, types).is_ok() {
                return told;
            }
            let hint = "an error that is to cross as text is a String, an `rlm_plugin::Error` \
                        or a type from outside this module";
            Error::new(told.span(), format!("{told}\n{hint}"))
        });
        return Ok((Some(shape?), Returned::AsItIs));
    }
    let ok = unless_unit(&ok, types)?;
    let shape = Shape::Result(ok, Some(Box::new(Shape::String)));
    Ok((Some(shape), Returned::DisplayedError))
}

/// Reads the type of a value that is handed over whole.
pub(crate) fn value(ty: &Type, types: &mut Types<'_>) -> Result<Shape> {
    let ty = bare(ty);
    if let Type::Tuple(tuple) = ty
        && !tuple.elems.is_empty()
    {
        if tuple.elems.len() > MAX_TUPLE {
            let message = format!(
                "a tuple that crosses to the host has {MAX_TUPLE} parts at the most; make it a struct"
            );
            return Err(Error::new_spanned(tuple, message));
        }
        let shapes: Result<_> = tuple.elems.iter().map(|it| value(it, types)).collect();
        return Ok(Shape::Tuple(shapes?));
    }
    let Type::Path(path) = ty else {
        return Err(unsupported(ty));
    };
    if path.qself.is_some() {
        return Err(unsupported(ty));
    }
    if let Some(name) = path.path.get_ident() {
        if let Some(shape) = types.named(name)? {
            return Ok(shape);
        }
        let name = name.to_string();
        if let Some(&(rust, wit)) = SCALARS.iter().find(|(rust, _)| *rust == name) {
            return Ok(Shape::Scalar(Scalar { rust, wit }));
        }
    }
    if generic(ty, "String").is_some_and(|arguments| arguments.is_empty()) {
        return Ok(Shape::String);
    }
    if let Some([inner]) = generic(ty, "Vec").as_deref() {
        return Ok(Shape::List(Box::new(value(inner, types)?)));
    }
    if let Some([inner]) = generic(ty, "Option").as_deref() {
        return Ok(Shape::Option(Box::new(value(inner, types)?)));
    }
    if let Some([ok, error]) = generic(ty, "Result").as_deref() {
        let ok = unless_unit(ok, types)?;
        return Ok(Shape::Result(ok, unless_unit(error, types)?));
    }
    Err(unsupported(ty))
}

/// `&str` is text, `&[T]` a list.
fn referred(ty: &Type, types: &mut Types<'_>) -> Result<Shape> {
    let Type::Reference(reference) = ty else {
        return Err(unsupported(ty));
    };
    if reference.mutability.is_some() {
        return Err(unsupported(ty));
    }
    match bare(&reference.elem) {
        Type::Path(path) if path.path.get_ident().is_some_and(|it| it == "str") => {
            Ok(Shape::String)
        }
        Type::Slice(slice) => Ok(Shape::List(Box::new(value(&slice.elem, types)?))),
        _ => Err(unsupported(ty)),
    }
}

fn unless_unit(ty: &Type, types: &mut Types<'_>) -> Result<Option<Box<Shape>>> {
    if is_unit(ty) {
        return Ok(None);
    }
    Ok(Some(Box::new(value(ty, types)?)))
}

/// Returns whether an error is meant to cross as it is, and not as its text.
fn crosses(error: &Type, types: &Types<'_>) -> bool {
    match bare(error) {
        Type::Tuple(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            types.has(&last.ident)
                || ["String", "Vec", "Option", "Result"].contains(&name.as_str())
                || SCALARS.iter().any(|(scalar, _)| *scalar == name)
        }),
        _ => false,
    }
}

fn is_unit(ty: &Type) -> bool {
    matches!(bare(ty), Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// The type without parentheses.
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => bare(&inner.elem),
        Type::Group(inner) => bare(&inner.elem),
        other => other,
    }
}

/// The type arguments of `ty`, if it is called `name`.
fn generic(ty: &Type, name: &str) -> Option<Vec<Type>> {
    let Type::Path(path) = bare(ty) else {
        return None;
    };
    let last = path.path.segments.last()?;
    if last.ident != name {
        return None;
    }
    match &last.arguments {
        PathArguments::None => Some(Vec::new()),
        PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty.clone()),
                _ => None,
            })
            .collect(),
        PathArguments::Parenthesized(_) => None,
    }
}

fn unsupported(ty: &Type) -> Error {
    let text = ty.to_token_stream().to_string().replace(' ', "");
    let hint = match text.as_str() {
        "usize" | "u128" => "; take u64 or u32",
        "isize" | "i128" => "; take i64 or i32",
        "&str" | "&'staticstr" => "; here it has to be String",
        it if it.contains("Map<") => "; take a Vec of pairs",
        it if it.contains("Set<") || it.starts_with('[') || it.starts_with("&[") => "; take a Vec",
        _ => "",
    };
    Error::new_spanned(
        ty,
        format!(
            "this type cannot cross to the host{hint}\n\
             supported are bool, u8 to u64, i8 to i64, f32, f64, char, String, Vec, Option, \
             Result, tuples, the `pub` structs and enums of this module, and `&str` and `&[T]` \
             as parameters"
        ),
    )
}
