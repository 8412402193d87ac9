//! The signature that an exported function has in the core module: the
//! canonical ABI's flattening, in the types of wit-bindgen.
//!
//! A mistake here does not compile: what is exported calls what wit-bindgen
//! made, with the types found here.

use proc_macro2::TokenStream;
use quote::quote;

use crate::functions::Function;
use crate::shape::Shape;
use crate::types::{Body, Named};

/// More parameters than these go through memory.
const MAX_PARAMETERS: usize = 16;

/// A core type, told apart where wit-bindgen does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flat {
    I32,
    I64,
    F32,
    F64,
    Pointer,
    /// Either of two cases, one a pointer and one of 64 bits.
    PointerOrI64,
    Length,
}

impl Flat {
    /// As Rust has it.
    pub(crate) fn tokens(self) -> TokenStream {
        match self {
            Self::I32 => quote!(i32),
            Self::I64 => quote!(i64),
            Self::F32 => quote!(f32),
            Self::F64 => quote!(f64),
            Self::Pointer => quote!(*mut u8),
            Self::PointerOrI64 => quote!(::core::mem::MaybeUninit<u64>),
            Self::Length => quote!(usize),
        }
    }

    /// The type that holds either of two: `join` of wit-parser.
    fn join(self, other: Self) -> Self {
        use Flat::{F32, F64, I32, I64, Length, Pointer, PointerOrI64};
        match (self, other) {
            (a, b) if a == b => a,
            (PointerOrI64, _) | (_, PointerOrI64) => PointerOrI64,
            (Pointer, I64 | F64) | (I64 | F64, Pointer) => PointerOrI64,
            (Pointer, _) | (_, Pointer) => Pointer,
            (I64 | F64, _) | (_, I64 | F64) => I64,
            (Length, _) | (_, Length) => Length,
            (I32 | F32, _) => I32,
        }
    }
}

/// The core parameters of a function.
pub(crate) fn parameters(function: &Function, types: &[Named]) -> Vec<Flat> {
    let flat: Vec<_> = function
        .parameters
        .iter()
        .flat_map(|it| flatten(&it.shape, types))
        .collect();
    if flat.len() > MAX_PARAMETERS {
        return vec![Flat::Pointer];
    }
    flat
}

/// The core result of a function, of which there is one at the most.
pub(crate) fn result(function: &Function, types: &[Named]) -> Option<Flat> {
    let flat = flatten(function.result.as_ref()?, types);
    match flat[..] {
        [] => None,
        [one] => Some(one),
        _ => Some(Flat::Pointer),
    }
}

/// Returns whether what a function returned has to be freed once the host has read it.
pub(crate) fn is_freed(function: &Function, types: &[Named]) -> bool {
    function.result.as_ref().is_some_and(|it| owns(it, types))
}

fn flatten(shape: &Shape, types: &[Named]) -> Vec<Flat> {
    match shape {
        Shape::Scalar(scalar) => vec![match scalar.rust {
            "u64" | "i64" => Flat::I64,
            "f32" => Flat::F32,
            "f64" => Flat::F64,
            _ => Flat::I32,
        }],
        Shape::String | Shape::List(_) => vec![Flat::Pointer, Flat::Length],
        Shape::Option(inner) => cases([None, Some(&**inner)], types),
        Shape::Result(ok, error) => cases([ok.as_deref(), error.as_deref()], types),
        Shape::Tuple(shapes) => shapes.iter().flat_map(|it| flatten(it, types)).collect(),
        Shape::Named(at, _) => match &types[*at].body {
            Body::Record(fields) => fields
                .iter()
                .flat_map(|it| flatten(&it.shape, types))
                .collect(),
            Body::Enum(_) => vec![Flat::I32],
            Body::Variant(all) => cases(all.iter().map(|it| it.payload.as_ref()), types),
        },
    }
}

/// A number that says which case it is, and room for any of them.
fn cases<'a>(payloads: impl IntoIterator<Item = Option<&'a Shape>>, types: &[Named]) -> Vec<Flat> {
    let mut flat = vec![Flat::I32];
    for payload in payloads.into_iter().flatten() {
        for (at, part) in flatten(payload, types).into_iter().enumerate() {
            match flat.get_mut(at + 1) {
                Some(known) => *known = known.join(part),
                None => flat.push(part),
            }
        }
    }
    flat
}

/// Returns whether values of this shape own memory.
fn owns(shape: &Shape, types: &[Named]) -> bool {
    match shape {
        Shape::Scalar(_) => false,
        Shape::String | Shape::List(_) => true,
        Shape::Option(inner) => owns(inner, types),
        Shape::Result(ok, error) => [ok, error].into_iter().flatten().any(|it| owns(it, types)),
        Shape::Tuple(shapes) => shapes.iter().any(|it| owns(it, types)),
        Shape::Named(at, _) => match &types[*at].body {
            Body::Record(fields) => fields.iter().any(|it| owns(&it.shape, types)),
            Body::Enum(_) => false,
            Body::Variant(all) => all
                .iter()
                .filter_map(|it| it.payload.as_ref())
                .any(|it| owns(it, types)),
        },
    }
}
