//! Conversions of values between JSON and components: the names in types, and the time.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use rlm_sandbox_engine::Meter;
use wasmtime::component::Type;

use crate::value::{Misfit, snake};

/// Values between two deadline checks of a conversion, which takes less than a millisecond for them.
const CHECKED_VALUES: u32 = 1024;

/// One conversion, on the clock of its call.
pub(crate) struct Conversion<'a> {
    meter: &'a Meter,
    most: Duration,
    values: u32,
    /// Members of each type that the conversion met, by the address of the first one's name. The
    /// type owns that name, so no other type has it.
    known: HashMap<usize, Rc<Members>>,
}

impl<'a> Conversion<'a> {
    /// A conversion that ends when `meter` reads `most`.
    pub(crate) fn new(meter: &'a Meter, most: Duration) -> Self {
        Self {
            meter,
            most,
            values: 0,
            known: HashMap::new(),
        }
    }

    /// Counts a value.
    ///
    /// # Errors
    ///
    /// The time of the call is over.
    pub(crate) fn count(&mut self) -> Result<(), Misfit> {
        self.values = self.values.wrapping_add(1);
        match self.values.is_multiple_of(CHECKED_VALUES) && self.meter.read() >= self.most {
            true => Err(Misfit::new("the time of the call is over")),
            false => Ok(()),
        }
    }

    /// Returns the members of a record, variant, enum or flags type. Indexes them when it meets
    /// the type for the first time, so that finding one takes the same time for each type.
    pub(crate) fn members(&mut self, ty: &Type) -> Rc<Members> {
        let Some(first) = first_name(ty) else {
            return Rc::default();
        };
        let members = self.known.entry(first);
        Rc::clone(members.or_insert_with(|| Rc::new(Members::of(ty))))
    }
}

/// Returns the address of the name of a type's first member.
fn first_name(ty: &Type) -> Option<usize> {
    let name = match ty {
        Type::Record(record) => record.fields().next().map(|field| field.name),
        Type::Variant(variant) => variant.cases().next().map(|case| case.name),
        Type::Enum(names) => names.names().next(),
        Type::Flags(flags) => flags.names().next(),
        _ => None,
    };
    name.map(|name| name.as_ptr().addr())
}

/// The fields of a record, the cases of a variant or enum, or the flags of a type, in order.
#[derive(Default)]
pub(crate) struct Members {
    members: Vec<Member>,
    /// Positions by the names that Python uses.
    positions: HashMap<String, usize>,
}

/// A field, case or flag.
pub(crate) struct Member {
    pub(crate) name: String,
    /// The type of the field, or of the payload of the case.
    pub(crate) ty: Option<Type>,
}

impl Members {
    fn of(ty: &Type) -> Self {
        let member = |name: &str, ty| Member {
            name: name.to_owned(),
            ty,
        };
        let name = |name| member(name, None);
        let members: Vec<_> = match ty {
            Type::Record(record) => {
                let fields = record.fields();
                fields
                    .map(|field| member(field.name, Some(field.ty)))
                    .collect()
            }
            Type::Variant(variant) => {
                let cases = variant.cases();
                cases.map(|case| member(case.name, case.ty)).collect()
            }
            Type::Enum(names) => names.names().map(name).collect(),
            Type::Flags(flags) => flags.names().map(name).collect(),
            _ => Vec::new(),
        };
        let names = members.iter().enumerate();
        let positions = names.map(|(position, member)| (snake(&member.name), position));
        Self {
            positions: positions.collect(),
            members,
        }
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Member> {
        self.members.iter()
    }

    /// Returns the position of the member with this name, which may be written with hyphens.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(&*snake(name)).copied()
    }

    /// Returns the member with this name, which may be written with hyphens.
    pub(crate) fn find(&self, name: &str) -> Option<&Member> {
        self.members.get(self.position(name)?)
    }

    /// Returns the names that Python uses.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        self.iter().map(|member| snake(&member.name))
    }
}
