//! The module's own types.

use std::collections::HashMap;

use proc_macro2::Ident;
use syn::{Error, Fields, Generics, Item, ItemEnum, ItemStruct, ItemType, Result, Visibility};

use crate::docs;
use crate::name::Name;
use crate::shape::{self, Shape};

/// A type that the host sees.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) ident: Ident,
    pub(crate) name: Name,
    pub(crate) doc: String,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    Record(Vec<Field>),
    /// No case has a payload.
    Enum(Vec<Case>),
    Variant(Vec<Case>),
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) name: Name,
    pub(crate) doc: String,
    pub(crate) shape: Shape,
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) ident: Ident,
    pub(crate) name: Name,
    pub(crate) doc: String,
    pub(crate) payload: Option<Shape>,
}

/// The types of a module, and which of them functions need so far.
pub(crate) struct Types<'a> {
    items: HashMap<String, Definition<'a>>,
    /// Types that are needed; none while they are being read.
    read: Vec<(&'a Ident, Option<Named>)>,
    /// Aliases that are being followed.
    following: Vec<&'a Ident>,
}

#[derive(Clone, Copy)]
enum Definition<'a> {
    Struct(&'a ItemStruct),
    Enum(&'a ItemEnum),
    Alias(&'a ItemType),
}

impl<'a> Types<'a> {
    /// Finds the definitions among `items`.
    pub(crate) fn new(items: &'a [Item]) -> Self {
        let items = items.iter().filter_map(|item| {
            let (ident, definition) = match item {
                Item::Struct(it) => (&it.ident, Definition::Struct(it)),
                Item::Enum(it) => (&it.ident, Definition::Enum(it)),
                Item::Type(it) => (&it.ident, Definition::Alias(it)),
                _ => return None,
            };
            Some((ident.to_string(), definition))
        });
        Self {
            items: items.collect(),
            read: Vec::new(),
            following: Vec::new(),
        }
    }

    /// Returns whether the module has a type called `ident`.
    pub(crate) fn has(&self, ident: &Ident) -> bool {
        self.items.contains_key(&ident.to_string())
    }

    /// Reads the type called `ident`, if the module has one.
    pub(crate) fn named(&mut self, ident: &Ident) -> Result<Option<Shape>> {
        let Some(&definition) = self.items.get(&ident.to_string()) else {
            return Ok(None);
        };
        if let Definition::Alias(alias) = definition {
            return self.follow(alias, ident).map(Some);
        }
        if let Some(at) = self.read.iter().position(|(known, _)| *known == ident) {
            let (_, Some(named)) = &self.read[at] else {
                return Err(Error::new(
                    ident.span(),
                    "a type that contains itself cannot cross to the host",
                ));
            };
            return Ok(Some(Shape::Named(at, named.name.clone())));
        }
        let at = self.read.len();
        let named = match definition {
            Definition::Struct(item) => {
                self.read.push((&item.ident, None));
                self.record(item)?
            }
            Definition::Enum(item) => {
                self.read.push((&item.ident, None));
                self.cases(item)?
            }
            Definition::Alias(_) => unreachable!("followed above"),
        };
        let name = named.name.clone();
        self.read[at].1 = Some(named);
        Ok(Some(Shape::Named(at, name)))
    }

    /// The types that were needed, in the order of their first use.
    pub(crate) fn into_needed(self) -> Result<Vec<Named>> {
        let mut needed: Vec<Named> = Vec::new();
        for named in self.read.into_iter().filter_map(|(_, named)| named) {
            if let Some(other) = needed.iter().find(|it| it.name == named.name) {
                let message = format!(
                    "the host would see `{}` and `{}` under one name",
                    other.ident, named.ident
                );
                return Err(Error::new(named.ident.span(), message));
            }
            needed.push(named);
        }
        Ok(needed)
    }

    fn follow(&mut self, alias: &'a ItemType, used: &Ident) -> Result<Shape> {
        check_generics(&alias.generics)?;
        if self.following.contains(&&alias.ident) {
            return Err(Error::new(used.span(), "this type is defined by itself"));
        }
        self.following.push(&alias.ident);
        let shape = shape::value(&alias.ty, self);
        self.following.pop();
        shape
    }

    fn record(&mut self, item: &ItemStruct) -> Result<Named> {
        check(&item.vis, &item.ident, &item.generics)?;
        let Fields::Named(fields) = &item.fields else {
            return Err(Error::new_spanned(
                item,
                "a struct that crosses to the host has named fields",
            ));
        };
        if fields.named.is_empty() {
            return Err(Error::new_spanned(
                item,
                "a struct that crosses to the host has at least one field",
            ));
        }
        let mut read: Vec<Field> = Vec::new();
        for field in &fields.named {
            let ident = field.ident.clone().expect("named fields have names");
            if !matches!(field.vis, Visibility::Public(_)) {
                return Err(Error::new(
                    ident.span(),
                    "every field of a struct that crosses to the host is seen there, so it has to be `pub`",
                ));
            }
            let name = Name::of(&ident)?;
            if read.iter().any(|it| it.name == name) {
                return Err(twice(&ident));
            }
            read.push(Field {
                name,
                doc: docs::comment(&field.attrs),
                shape: shape::value(&field.ty, self)?,
                ident,
            });
        }
        Ok(Named {
            ident: item.ident.clone(),
            name: Name::of_type(&item.ident)?,
            doc: docs::comment(&item.attrs),
            body: Body::Record(read),
        })
    }

    fn cases(&mut self, item: &ItemEnum) -> Result<Named> {
        check(&item.vis, &item.ident, &item.generics)?;
        if item.variants.is_empty() {
            return Err(Error::new_spanned(
                item,
                "an enum that crosses to the host has at least one case",
            ));
        }
        let mut read: Vec<Case> = Vec::new();
        for variant in &item.variants {
            let payload = match &variant.fields {
                Fields::Unit => None,
                Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    Some(shape::value(&fields.unnamed[0].ty, self)?)
                }
                _ => {
                    return Err(Error::new_spanned(
                        variant,
                        "a case that crosses to the host has no payload or one; \
                         put several values into a struct of this module",
                    ));
                }
            };
            let name = Name::of_type(&variant.ident)?;
            if read.iter().any(|it| it.name == name) {
                return Err(twice(&variant.ident));
            }
            read.push(Case {
                ident: variant.ident.clone(),
                name,
                doc: docs::comment(&variant.attrs),
                payload,
            });
        }
        let body = if read.iter().all(|case| case.payload.is_none()) {
            Body::Enum(read)
        } else {
            Body::Variant(read)
        };
        Ok(Named {
            ident: item.ident.clone(),
            name: Name::of_type(&item.ident)?,
            doc: docs::comment(&item.attrs),
            body,
        })
    }
}

fn check(visibility: &Visibility, ident: &Ident, generics: &Generics) -> Result<()> {
    if !matches!(visibility, Visibility::Public(_)) {
        return Err(Error::new(
            ident.span(),
            "a type that crosses to the host has to be `pub`",
        ));
    }
    check_generics(generics)
}

fn check_generics(generics: &Generics) -> Result<()> {
    if generics.params.is_empty() {
        return Ok(());
    }
    Err(Error::new_spanned(
        generics,
        "a type that crosses to the host has no parameters",
    ))
}

pub(crate) fn twice(ident: &Ident) -> Error {
    Error::new(
        ident.span(),
        "the host would see two things under this name",
    )
}
