//! Instantiations that a component leads to, followed as the compiler follows them.
//!
//! The compiler instantiates the root component symbolically: each instantiation of a component goes
//! through the steps of its body again, and each use of an instance copies it with all of its
//! members. This module takes the same steps and adds up sizes in place of making copies.

use std::collections::HashMap;
use std::rc::Rc;

use wasmparser::ComponentExternalKind;

use super::component::{Item, Shape};
use super::{Counted, Counter, Quantity, Stop};

type Named<'a> = Vec<(&'a str, ComponentExternalKind, u32)>;

/// A step of a component's body that concerns instances or components.
#[derive(Debug)]
pub(super) enum Step<'a> {
    Import(&'a str, Item<'a>),
    Alias(u32, &'a str),
    Export(ComponentExternalKind, u32),
    /// A component that the body defines.
    Component(usize),
    /// A component of an enclosing one.
    Captured(Capture),
    Instantiate(u32, Named<'a>),
    Group(Named<'a>),
}

/// Origin of a component that a nested one uses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Capture {
    /// The enclosing component's own.
    Local(u32),
    /// One that the enclosing component captured, too.
    Outer(usize),
}

/// A component that the file defines.
#[derive(Debug, Default)]
pub(super) struct Definition<'a> {
    /// Definitions that each instantiation repeats.
    pub(super) own: u64,
    pub(super) core_instances: u64,
    /// Bytes that the host takes for each instance, without those of `other_core_instances`.
    pub(super) instance_bytes: u64,
    /// Instantiations of core modules from outside.
    pub(super) other_core_instances: u64,
    pub(super) resources: u64,
    pub(super) captured_modules: u64,
    pub(super) captures: Vec<Capture>,
    pub(super) steps: Vec<Step<'a>>,
    pub(super) exports: Named<'a>,
}

#[derive(Clone)]
enum Value<'a> {
    Instance(Rc<Members<'a>>),
    /// An instance that the host provides, which the compiler copies by its path.
    Imported(Rc<Shape<'a>>),
    Component(Rc<Closure<'a>>),
    Other,
}

/// An instance of the component model.
struct Members<'a> {
    size: u64,
    depth: u64,
    values: HashMap<&'a str, Value<'a>>,
}

/// A component with those that it uses from outside.
struct Closure<'a> {
    definition: usize,
    captures: Vec<Value<'a>>,
    size: u64,
    depth: u64,
}

impl Value<'_> {
    fn size(&self) -> u64 {
        match self {
            Self::Instance(members) => members.size,
            Self::Component(closure) => closure.size,
            Self::Imported(_) | Self::Other => 1,
        }
    }

    fn depth(&self) -> u64 {
        match self {
            Self::Instance(members) => members.depth,
            Self::Component(closure) => closure.depth,
            Self::Imported(_) | Self::Other => 0,
        }
    }
}

/// An instantiation that is under way.
struct Frame<'a> {
    closure: Rc<Closure<'a>>,
    arguments: HashMap<&'a str, Value<'a>>,
    instances: Vec<Value<'a>>,
    components: Vec<Value<'a>>,
    next: usize,
}

fn damaged<T>(why: &str) -> Counted<T> {
    Err(Stop::Damaged(why.to_owned()))
}

impl<'a> Frame<'a> {
    fn new(closure: Rc<Closure<'a>>, arguments: HashMap<&'a str, Value<'a>>) -> Self {
        Self {
            closure,
            arguments,
            instances: Vec::new(),
            components: Vec::new(),
            next: 0,
        }
    }

    fn value(&self, kind: ComponentExternalKind, index: u32) -> Counted<Value<'a>> {
        let space = match kind {
            ComponentExternalKind::Instance => &self.instances,
            ComponentExternalKind::Component => &self.components,
            _ => return Ok(Value::Other),
        };
        match space.get(index as usize) {
            Some(value) => Ok(value.clone()),
            None => damaged("an index is out of range"),
        }
    }

    fn captured(&self, capture: Capture) -> Counted<Value<'a>> {
        match capture {
            Capture::Local(index) => self.value(ComponentExternalKind::Component, index),
            Capture::Outer(index) => match self.closure.captures.get(index) {
                Some(value) => Ok(value.clone()),
                None => damaged("an index is out of range"),
            },
        }
    }

    /// Collects values under their names, and adds the sizes of their copies.
    fn collect(&self, named: &Named<'a>, counter: &mut Counter) -> Counted<Members<'a>> {
        let mut members = Members {
            size: 1,
            depth: 0,
            values: HashMap::with_capacity(named.len()),
        };
        for (name, kind, index) in named {
            let value = self.value(*kind, *index)?;
            // The type of a module that is passed is compared with what is wanted, item by item.
            let size = match kind {
                ComponentExternalKind::Module => 1 + counter.most_items,
                _ => value.size(),
            };
            members.size = members.size.saturating_add(size);
            members.depth = members.depth.max(value.depth());
            look_up(name, counter)?;
            // Functions and types go by their declared shape.
            if !matches!(value, Value::Other) {
                members.values.insert(name, value);
            }
        }
        members.depth += 1;
        counter.reach(Quantity::Nesting, members.depth)?;
        counter.add(Quantity::Definitions, members.size)?;
        Ok(members)
    }

    /// Adds a value to its index space, as a copy.
    fn push(&mut self, value: Value<'a>, counter: &mut Counter) -> Counted {
        counter.add(Quantity::Definitions, value.size())?;
        match &value {
            Value::Instance(_) | Value::Imported(_) => self.instances.push(value),
            Value::Component(_) => self.components.push(value),
            Value::Other => {}
        }
        Ok(())
    }
}

/// Counts a long name, which each instantiation looks up, by what that takes.
fn look_up(name: &str, counter: &mut Counter) -> Counted {
    /// Bytes of a name that take as long as a definition.
    const DEFINITION_BYTES: usize = 64;
    counter.add(
        Quantity::Definitions,
        (name.len() / DEFINITION_BYTES) as u64,
    )
}

/// Follows the last definition, which is the root component.
pub(super) fn expand<'a>(definitions: &[Definition<'a>], counter: &mut Counter) -> Counted {
    let Some(root) = definitions.len().checked_sub(1) else {
        return damaged("it is no component");
    };
    let closure = Rc::new(Closure {
        definition: root,
        captures: Vec::new(),
        size: 1,
        depth: 0,
    });
    let mut resources = 0_u64;
    let mut is_counted = vec![false; definitions.len()];
    let mut enter = |closure: Rc<Closure<'a>>, arguments, counter: &mut Counter| {
        let definition = &definitions[closure.definition];
        counter.add(Quantity::Instantiations, 1 + definition.core_instances)?;
        // Each instantiation of a core module keeps what every import is given, which may be an instance with
        // all of them; which module it is does not matter, since those of honest components have few imports.
        let given = counter
            .most_imports
            .saturating_mul(definition.core_instances);
        counter.add(Quantity::Definitions, given)?;
        let others = counter
            .most_instance_bytes
            .saturating_mul(definition.other_core_instances);
        let instance_bytes = definition.instance_bytes.saturating_add(others);
        counter.add(Quantity::InstanceBytes, instance_bytes)?;
        // The compiler keeps a copy of the resources so far.
        counter.add(Quantity::Definitions, resources)?;
        // Reading the file has counted the first instantiation.
        if std::mem::replace(&mut is_counted[closure.definition], true) {
            counter.add(Quantity::Definitions, definition.own)?;
        }
        resources = resources.saturating_add(definition.resources);
        Ok::<_, Stop>(Frame::new(closure, arguments))
    };
    let mut frames = vec![enter(closure, HashMap::new(), counter)?];
    while let Some(frame) = frames.last_mut() {
        let definition = &definitions[frame.closure.definition];
        let Some(step) = definition.steps.get(frame.next) else {
            let members = frame.collect(&definition.exports, counter)?;
            frames.pop();
            if let Some(around) = frames.last_mut() {
                around.instances.push(Value::Instance(Rc::new(members)));
            }
            continue;
        };
        frame.next += 1;
        counter.add(Quantity::Definitions, 1)?;
        match step {
            Step::Import(name, declared) => {
                look_up(name, counter)?;
                let given = frame.arguments.get(name).cloned();
                let value = match (given, declared) {
                    (Some(value), _) => value,
                    (None, Item::Instance(shape)) => Value::Imported(Rc::clone(shape)),
                    (None, _) => return damaged("it imports a component"),
                };
                frame.push(value, counter)?;
            }
            Step::Alias(instance, name) => {
                look_up(name, counter)?;
                let value = match frame.value(ComponentExternalKind::Instance, *instance)? {
                    Value::Instance(members) => members.values.get(name).cloned(),
                    Value::Imported(shape) => match shape.exports.get(name) {
                        Some(Item::Instance(shape)) => Some(Value::Imported(Rc::clone(shape))),
                        _ => None,
                    },
                    Value::Component(_) | Value::Other => None,
                };
                match value {
                    Some(value) => frame.push(value, counter)?,
                    None => return damaged("an alias of something that is not exported"),
                }
            }
            Step::Export(kind, index) => {
                let value = frame.value(*kind, *index)?;
                frame.push(value, counter)?;
            }
            Step::Component(index) => {
                let captured = &definitions[*index];
                let (mut size, mut depth) = (1 + captured.captured_modules, 0);
                let mut captures = Vec::with_capacity(captured.captures.len());
                for capture in &captured.captures {
                    let value = frame.captured(*capture)?;
                    size = size.saturating_add(value.size());
                    depth = depth.max(value.depth());
                    captures.push(value);
                }
                depth += 1;
                counter.reach(Quantity::Nesting, depth)?;
                let closure = Closure {
                    definition: *index,
                    captures,
                    size,
                    depth,
                };
                frame.push(Value::Component(Rc::new(closure)), counter)?;
            }
            Step::Captured(capture) => {
                let value = frame.captured(*capture)?;
                frame.push(value, counter)?;
            }
            Step::Instantiate(component, named) => {
                let Value::Component(closure) =
                    frame.value(ComponentExternalKind::Component, *component)?
                else {
                    return damaged("an instance of what is no component");
                };
                let arguments = frame.collect(named, counter)?.values;
                counter.add(Quantity::Definitions, closure.size)?;
                let frame = enter(closure, arguments, counter)?;
                frames.push(frame);
            }
            Step::Group(named) => {
                let members = frame.collect(named, counter)?;
                frame.instances.push(Value::Instance(Rc::new(members)));
            }
        }
    }
    Ok(())
}
