//! The host functions of a session, by themselves or as members of a namespace.

use std::collections::BTreeMap;

use monty_types::{MontyObject, MontyUuid, is_identifier};

use crate::bindings::exports::rlm::sandbox::repl::Function;

/// The functions and namespaces that the host gives to scripts.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    /// Names, members as `namespace.member`, each with whether a call gives an awaitable
    /// in any case.
    awaitable: BTreeMap<String, bool>,
    /// The members of each namespace.
    namespaces: BTreeMap<String, Vec<String>>,
}

impl Functions {
    /// None if a name is not Python's, or means two things.
    pub(crate) fn new(all: Vec<Function>) -> Option<Self> {
        let mut functions = Self::default();
        for Function { name, awaitable } in all {
            let parts: Vec<_> = name.split('.').collect();
            match parts[..] {
                [name] if is_identifier(name) => {}
                [namespace, member] if is_identifier(namespace) && is_identifier(member) => {
                    let members = functions.namespaces.entry(namespace.to_owned());
                    members.or_default().push(member.to_owned());
                }
                _ => return None,
            }
            if functions.awaitable.insert(name, awaitable).is_some() {
                return None;
            }
        }
        let mut namespaces = functions.namespaces.keys();
        let is_one_thing = namespaces.all(|name| !functions.awaitable.contains_key(name));
        is_one_thing.then_some(functions)
    }

    /// Returns whether a call of `name`, which may be that of a member, asks the host.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.awaitable.contains_key(name)
    }

    /// Returns whether every call of `name` gives an awaitable.
    pub(crate) fn is_awaitable(&self, name: &str) -> bool {
        self.awaitable.get(name).copied().unwrap_or(false)
    }

    /// Returns whether `name` is a namespace.
    pub(crate) fn is_namespace(&self, name: &str) -> bool {
        self.namespaces.contains_key(name)
    }

    /// Returns whether `name`, without a dot, is ours.
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.is_namespace(name) || (self.is_called(name) && !name.contains('.'))
    }

    /// Returns the names that it defines, without members.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        let functions = self.awaitable.keys().filter(|name| !name.contains('.'));
        functions.chain(self.namespaces.keys())
    }

    /// The members of `namespace`, if it is one.
    pub(crate) fn members(&self, namespace: &str) -> &[String] {
        self.namespaces.get(namespace).map_or(&[], Vec::as_slice)
    }

    /// The namespaces, by name.
    pub(crate) fn namespaces(&self) -> impl Iterator<Item = &String> {
        self.namespaces.keys()
    }

    /// Returns the value of `name` in Python: a function, or a module with functions.
    pub(crate) fn value(&self, name: &str) -> MontyObject {
        let Some((index, members)) = self
            .namespaces
            .keys()
            .position(|known| known == name)
            .zip(self.namespaces.get(name))
        else {
            return MontyObject::function(name, None);
        };
        let members = members.iter().map(|member| {
            let function = MontyObject::function(format!("{name}.{member}"), None);
            (MontyObject::string(member), function)
        });
        MontyObject::module(name, MontyUuid::from_u128(index as u128), members)
    }
}
