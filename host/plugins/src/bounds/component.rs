//! Components: the types they define, and the instantiations that their bodies lead to.
//!
//! Reading a file gives the shape of each type, instance and component, with shared parts counted as
//! often as they occur, and a list of [`Step`]s for each component. `expansion.rs` then follows the
//! steps as the compiler does.

use std::collections::HashMap;
use std::rc::Rc;

use wasmparser::{
    BinaryReader, CanonicalFunction, ComponentAlias, ComponentDefinedType, ComponentExternalKind,
    ComponentFuncType, ComponentImport, ComponentInstance, ComponentOuterAliasKind, ComponentType,
    ComponentTypeRef, ComponentValType, CoreType, Encoding, Instance, Parser, Payload, TypeBounds,
};

use super::core::{Module, metadata};
use super::expansion::{Capture, Definition, Step, expand};
use super::{CompileCost, Counted, Counter, Quantity, Stop};

/// Expanded size of a lowered function's type, as a multiple of the type itself: where the function is
/// another component's, the compiler makes an adapter that converts each value.
const ADAPTER: u64 = 4;

/// Bytes that the host takes for each function that an instance lifts or lowers, with its adapter.
const CANONICAL_BYTES: u64 = 512;

/// A type, function, instance or component, in the index space of a component.
#[derive(Clone, Debug)]
pub(super) enum Item<'a> {
    /// With the expanded size of its type.
    Func(u64),
    Type(Type<'a>),
    Instance(Rc<Shape<'a>>),
    Component(Rc<Shape<'a>>),
    /// A core module, or a value.
    Other,
}

/// A type of the component model.
#[derive(Clone, Debug)]
pub(super) struct Type<'a> {
    /// Number of types in it, each counted as often as it occurs.
    size: u64,
    depth: u64,
    of: TypeOf<'a>,
}

#[derive(Clone, Debug)]
enum TypeOf<'a> {
    Value,
    Instance(Rc<Shape<'a>>),
    Component(Rc<Shape<'a>>),
}

/// Exports of an instance, or of a component's instances.
#[derive(Debug, Default)]
pub(super) struct Shape<'a> {
    size: u64,
    depth: u64,
    pub(super) exports: HashMap<&'a str, Item<'a>>,
}

impl Item<'_> {
    fn size(&self) -> u64 {
        match self {
            Self::Func(size) => *size,
            Self::Type(ty) => ty.size,
            Self::Instance(shape) | Self::Component(shape) => shape.size,
            Self::Other => 1,
        }
    }

    fn depth(&self) -> u64 {
        match self {
            Self::Func(_) | Self::Other => 0,
            Self::Type(ty) => ty.depth,
            Self::Instance(shape) | Self::Component(shape) => shape.depth,
        }
    }
}

impl<'a> Shape<'a> {
    fn add(&mut self, name: &'a str, item: Item<'a>) {
        self.size = self.size.saturating_add(item.size());
        self.depth = self.depth.max(item.depth());
        self.exports.insert(name, item);
    }

    /// Returns the finished shape, one level deeper than its parts.
    fn close(mut self, counter: &mut Counter) -> Counted<Rc<Self>> {
        self.size = self.size.saturating_add(1);
        self.depth += 1;
        counter.reach(Quantity::Nesting, self.depth)?;
        Ok(Rc::new(self))
    }
}

/// A component while it is read.
#[derive(Default)]
struct Scope<'a> {
    types: Vec<Type<'a>>,
    funcs: Vec<u64>,
    instances: Vec<Rc<Shape<'a>>>,
    components: Vec<Rc<Shape<'a>>>,
    /// Bytes that the host takes for an instance of each core module; none for one from outside.
    modules: Vec<Option<u64>>,
    exports: Shape<'a>,
    definition: Definition<'a>,
}

impl Scope<'_> {
    /// Counts bytes that the host takes for each instance.
    fn take(&mut self, bytes: u64) {
        let taken = &mut self.definition.instance_bytes;
        *taken = taken.saturating_add(bytes);
    }
}

/// An instance or component type while it is read.
struct Declarations<'a> {
    types: Vec<Type<'a>>,
    instances: Vec<Rc<Shape<'a>>>,
    exports: Shape<'a>,
    /// Declarations that are not read yet.
    remaining: u32,
    is_component: bool,
}

enum Level<'a> {
    Component(Box<Scope<'a>>),
    Module(Module),
}

struct Reader<'a> {
    wasm: &'a [u8],
    counter: Counter,
    levels: Vec<Level<'a>>,
    definitions: Vec<Definition<'a>>,
}

/// Counts the cost of a component.
pub(super) fn count(wasm: &[u8], counter: Counter) -> Counted<CompileCost> {
    let mut reader = Reader {
        wasm,
        counter,
        levels: Vec::new(),
        definitions: Vec::new(),
    };
    for payload in Parser::new(0).parse_all(wasm) {
        reader.payload(payload?)?;
    }
    let Reader {
        mut counter,
        definitions,
        ..
    } = reader;
    expand(&definitions, &mut counter)?;
    Ok(counter.cost)
}

fn damaged<T>(why: &str) -> Counted<T> {
    Err(Stop::Damaged(why.to_owned()))
}

fn at<T: Clone>(space: &[T], index: u32) -> Counted<T> {
    match space.get(index as usize) {
        Some(item) => Ok(item.clone()),
        None => damaged("an index is out of range"),
    }
}

impl<'a> Reader<'a> {
    fn payload(&mut self, payload: Payload<'a>) -> Counted {
        match payload {
            Payload::Version { encoding, .. } => {
                self.counter.add(Quantity::Parts, 1)?;
                let depth = self.levels.len() as u64;
                self.counter.reach(Quantity::Nesting, depth)?;
                self.levels.push(match encoding {
                    Encoding::Component => Level::Component(Box::default()),
                    Encoding::Module => Level::Module(Module::default()),
                });
                return Ok(());
            }
            Payload::End(_) => return self.end(),
            _ => {}
        }
        match self.levels.last_mut() {
            Some(Level::Module(module)) => module.payload(payload, &mut self.counter),
            Some(Level::Component(_)) => self.section(payload),
            None => damaged("a section outside of a component"),
        }
    }

    /// Ends a module or component, and defines it in the one around it.
    fn end(&mut self) -> Counted {
        let mut scope = match self.levels.pop() {
            Some(Level::Component(scope)) => scope,
            Some(Level::Module(module)) if !self.levels.is_empty() => {
                let bytes = module.instance_bytes();
                self.counter.most_instance_bytes = self.counter.most_instance_bytes.max(bytes);
                self.scope()?.modules.push(Some(bytes));
                return Ok(());
            }
            _ => return Ok(()),
        };
        let shape = std::mem::take(&mut scope.exports).close(&mut self.counter)?;
        let index = self.definitions.len();
        self.definitions.push(scope.definition);
        if !self.levels.is_empty() {
            let around = self.scope()?;
            around.components.push(shape);
            around.definition.steps.push(Step::Component(index));
        }
        Ok(())
    }

    fn scope(&mut self) -> Counted<&mut Scope<'a>> {
        match self.levels.last_mut() {
            Some(Level::Component(scope)) => Ok(scope),
            _ => damaged("a component inside of a module"),
        }
    }

    /// Counts definitions that each instantiation of this component repeats.
    fn define(&mut self, count: u64) -> Counted {
        self.counter.add(Quantity::Definitions, count)?;
        let definition = &mut self.scope()?.definition;
        definition.own = definition.own.saturating_add(count);
        Ok(())
    }

    fn section(&mut self, payload: Payload<'a>) -> Counted {
        let bytes =
            |counter: &mut Counter, range: std::ops::Range<usize>| metadata(counter, range.len());
        match payload {
            Payload::CoreTypeSection(section) => {
                bytes(&mut self.counter, section.range())?;
                for ty in section {
                    let size = core_size(&ty?);
                    self.counter.most_items = self.counter.most_items.max(size);
                    self.define(size)?;
                }
            }
            Payload::ComponentTypeSection(section) => {
                let range = section.range();
                bytes(&mut self.counter, range.clone())?;
                let data = self.wasm.get(range.clone());
                let mut reader = BinaryReader::new(data.unwrap_or_default(), range.start);
                for _ in 0..reader.read_var_u32()? {
                    self.ty(&mut reader)?;
                }
            }
            Payload::ComponentImportSection(section) => {
                bytes(&mut self.counter, section.range())?;
                for import in section {
                    self.import(import?)?;
                }
            }
            Payload::ComponentAliasSection(section) => {
                bytes(&mut self.counter, section.range())?;
                for alias in section {
                    self.define(1)?;
                    self.alias(alias?)?;
                }
            }
            Payload::InstanceSection(section) => {
                bytes(&mut self.counter, section.range())?;
                for instance in section {
                    match instance? {
                        Instance::Instantiate { module_index, args } => {
                            self.define(1 + args.len() as u64)?;
                            let scope = self.scope()?;
                            scope.definition.core_instances += 1;
                            match scope.modules.get(module_index as usize).copied().flatten() {
                                Some(bytes) => scope.take(bytes),
                                None => scope.definition.other_core_instances += 1,
                            }
                        }
                        Instance::FromExports(exports) => self.define(1 + exports.len() as u64)?,
                    }
                }
            }
            Payload::ComponentInstanceSection(section) => {
                bytes(&mut self.counter, section.range())?;
                for instance in section {
                    self.instance(instance?)?;
                }
            }
            Payload::ComponentCanonicalSection(section) => {
                bytes(&mut self.counter, section.range())?;
                for function in section {
                    self.canonical(function?)?;
                }
            }
            Payload::ComponentExportSection(section) => {
                bytes(&mut self.counter, section.range())?;
                for export in section {
                    let export = export?;
                    let item = match export.ty {
                        Some(ty) => self.of_ref(ty, &[])?,
                        None => self.item(export.kind, export.index)?,
                    };
                    self.define(item.size().saturating_add(1))?;
                    let scope = self.scope()?;
                    scope.exports.add(export.name.name, item.clone());
                    let (kind, index) = (export.kind, export.index);
                    scope
                        .definition
                        .exports
                        .push((export.name.name, kind, index));
                    self.push(item, Step::Export(kind, index))?;
                    if kind == ComponentExternalKind::Module {
                        self.scope()?.modules.push(None);
                    }
                }
            }
            Payload::ComponentStartSection { .. } => return damaged("a start function"),
            _ => {}
        }
        Ok(())
    }

    /// Adds an item to its index space.
    fn push(&mut self, item: Item<'a>, step: Step<'a>) -> Counted {
        let scope = self.scope()?;
        match item {
            Item::Func(size) => scope.funcs.push(size),
            Item::Type(ty) => scope.types.push(ty),
            Item::Instance(shape) => {
                scope.instances.push(shape);
                scope.definition.steps.push(step);
            }
            Item::Component(shape) => {
                scope.components.push(shape);
                scope.definition.steps.push(step);
            }
            Item::Other => {}
        }
        Ok(())
    }

    fn item(&mut self, kind: ComponentExternalKind, index: u32) -> Counted<Item<'a>> {
        let scope = self.scope()?;
        Ok(match kind {
            ComponentExternalKind::Func => Item::Func(at(&scope.funcs, index)?),
            ComponentExternalKind::Type => Item::Type(at(&scope.types, index)?),
            ComponentExternalKind::Instance => Item::Instance(at(&scope.instances, index)?),
            ComponentExternalKind::Component => Item::Component(at(&scope.components, index)?),
            ComponentExternalKind::Module | ComponentExternalKind::Value => Item::Other,
        })
    }

    fn import(&mut self, import: ComponentImport<'a>) -> Counted {
        let item = self.of_ref(import.ty, &[])?;
        self.define(item.size().saturating_add(1))?;
        if let ComponentTypeRef::Module(_) = import.ty {
            self.scope()?.modules.push(None);
        }
        self.push(item.clone(), Step::Import(import.name.name, item))
    }

    fn alias(&mut self, alias: ComponentAlias<'a>) -> Counted {
        match alias {
            ComponentAlias::InstanceExport {
                kind,
                instance_index,
                name,
            } => {
                let scope = self.scope()?;
                let instance = at(&scope.instances, instance_index)?;
                if kind == ComponentExternalKind::Module {
                    scope.modules.push(None);
                }
                let item = match (instance.exports.get(name), kind) {
                    (Some(item), _) => item.clone(),
                    (None, ComponentExternalKind::Module | ComponentExternalKind::Value) => {
                        Item::Other
                    }
                    (None, _) => return damaged("an alias of something that is not exported"),
                };
                self.push(item, Step::Alias(instance_index, name))
            }
            ComponentAlias::CoreInstanceExport { .. } => Ok(()),
            ComponentAlias::Outer { kind, count, index } => match kind {
                ComponentOuterAliasKind::Type => {
                    let ty = self.outer(count, &[], index)?;
                    self.scope()?.types.push(ty);
                    Ok(())
                }
                ComponentOuterAliasKind::Component => self.capture(count, index),
                ComponentOuterAliasKind::CoreModule => {
                    let scope = self.scope()?;
                    scope.modules.push(None);
                    scope.definition.captured_modules += 1;
                    Ok(())
                }
                ComponentOuterAliasKind::CoreType => Ok(()),
            },
        }
    }

    /// Brings a component of an enclosing one into this one, by way of those between.
    fn capture(&mut self, count: u32, index: u32) -> Counted {
        let Some(from) = self.levels.len().checked_sub(1 + count as usize) else {
            return damaged("an alias of a component that is not around this one");
        };
        let Some(Level::Component(scope)) = self.levels.get(from) else {
            return damaged("an alias into a module");
        };
        let shape = at(&scope.components, index)?;
        let mut capture = Capture::Local(index);
        for level in &mut self.levels[from + 1..] {
            self.counter.add(Quantity::Definitions, 1)?;
            if let Level::Component(scope) = level {
                scope.definition.captures.push(capture);
                capture = Capture::Outer(scope.definition.captures.len() - 1);
            }
        }
        let scope = self.scope()?;
        scope.components.push(shape);
        scope.definition.steps.push(Step::Captured(capture));
        Ok(())
    }

    fn instance(&mut self, instance: ComponentInstance<'a>) -> Counted {
        match instance {
            ComponentInstance::Instantiate {
                component_index,
                args,
            } => {
                self.define(1 + args.len() as u64)?;
                let scope = self.scope()?;
                let shape = at(&scope.components, component_index)?;
                scope.instances.push(shape);
                let arguments = args.iter().map(|arg| (arg.name, arg.kind, arg.index));
                let step = Step::Instantiate(component_index, arguments.collect());
                scope.definition.steps.push(step);
            }
            ComponentInstance::FromExports(exports) => {
                self.define(1 + exports.len() as u64)?;
                let mut shape = Shape::default();
                let mut members = Vec::with_capacity(exports.len());
                for export in &exports {
                    let item = self.item(export.kind, export.index)?;
                    shape.add(export.name.name, item);
                    members.push((export.name.name, export.kind, export.index));
                }
                let shape = shape.close(&mut self.counter)?;
                self.define(shape.size)?;
                let scope = self.scope()?;
                scope.instances.push(shape);
                scope.definition.steps.push(Step::Group(members));
            }
        }
        Ok(())
    }

    fn canonical(&mut self, function: CanonicalFunction) -> Counted {
        self.scope()?.take(CANONICAL_BYTES);
        match function {
            CanonicalFunction::Lift { type_index, .. } => {
                let size = at(&self.scope()?.types, type_index)?.size;
                self.define(size)?;
                self.scope()?.funcs.push(size);
            }
            CanonicalFunction::Lower { func_index, .. } => {
                let size = at(&self.scope()?.funcs, func_index)?;
                self.define(size.saturating_mul(ADAPTER).saturating_add(1))?;
            }
            _ => self.define(1)?,
        }
        Ok(())
    }

    /// Returns a type of an enclosing component or declaration, `count` levels out.
    fn outer(
        &self,
        count: u32,
        declarations: &[Declarations<'a>],
        index: u32,
    ) -> Counted<Type<'a>> {
        let count = count as usize;
        if let Some(place) = declarations.len().checked_sub(1 + count) {
            return at(&declarations[place].types, index);
        }
        let count = count - declarations.len();
        let level = self.levels.len().checked_sub(1 + count);
        match level.map(|level| &self.levels[level]) {
            Some(Level::Component(scope)) => at(&scope.types, index),
            _ => damaged("an alias of a type that is not around this one"),
        }
    }

    /// Returns the item that an import or export of this type declares.
    fn of_ref(&self, ty: ComponentTypeRef, declarations: &[Declarations<'a>]) -> Counted<Item<'a>> {
        let resource = Type {
            size: 1,
            depth: 0,
            of: TypeOf::Value,
        };
        Ok(match ty {
            ComponentTypeRef::Func(index) => Item::Func(self.outer(0, declarations, index)?.size),
            ComponentTypeRef::Type(TypeBounds::Eq(index)) => {
                Item::Type(self.outer(0, declarations, index)?)
            }
            ComponentTypeRef::Type(TypeBounds::SubResource) => Item::Type(resource),
            ComponentTypeRef::Instance(index) => match self.outer(0, declarations, index)?.of {
                TypeOf::Instance(shape) => Item::Instance(shape),
                _ => return damaged("an instance of a type that is no instance's"),
            },
            ComponentTypeRef::Component(index) => match self.outer(0, declarations, index)?.of {
                TypeOf::Component(shape) => Item::Component(shape),
                _ => return damaged("a component of a type that is no component's"),
            },
            ComponentTypeRef::Module(_) | ComponentTypeRef::Value(_) => Item::Other,
        })
    }

    /// Reads a type and all within, without recursion: the library's reader would descend as deep as a
    /// file says.
    fn ty(&mut self, reader: &mut BinaryReader<'a>) -> Counted {
        let mut stack: Vec<Declarations<'a>> = Vec::new();
        loop {
            // One type, or the beginning of one.
            let byte = self.wasm.get(reader.original_position()).copied();
            let mut finished = match byte {
                Some(0x41 | 0x42) => {
                    let is_component = reader.read_u8()? == 0x41;
                    stack.push(Declarations {
                        types: Vec::new(),
                        instances: Vec::new(),
                        exports: Shape::default(),
                        remaining: reader.read_var_u32()?,
                        is_component,
                    });
                    let depth = stack.len() as u64;
                    self.counter.reach(Quantity::Nesting, depth)?;
                    None
                }
                _ => {
                    let ty = reader.read::<ComponentType<'a>>()?;
                    Some(self.leaf(&ty, &stack)?)
                }
            };
            // Declarations up to the next type.
            loop {
                if let Some(ty) = finished.take() {
                    self.define(ty.size)?;
                    match stack.last_mut() {
                        Some(declarations) => declarations.types.push(ty),
                        None => {
                            self.scope()?.types.push(ty);
                            return Ok(());
                        }
                    }
                }
                let Some(declarations) = stack.last_mut() else {
                    return Ok(());
                };
                if declarations.remaining == 0 {
                    finished = self.close(&mut stack)?;
                    continue;
                }
                declarations.remaining -= 1;
                if self.declaration(reader, &mut stack)? {
                    break;
                }
            }
        }
    }

    /// Ends the innermost declarations.
    fn close(&mut self, stack: &mut Vec<Declarations<'a>>) -> Counted<Option<Type<'a>>> {
        let Some(declarations) = stack.pop() else {
            return Ok(None);
        };
        let shape = declarations.exports.close(&mut self.counter)?;
        Ok(Some(Type {
            size: shape.size,
            depth: shape.depth,
            of: match declarations.is_component {
                true => TypeOf::Component(shape),
                false => TypeOf::Instance(shape),
            },
        }))
    }

    /// Reads one declaration. True if it defines a type, which comes next.
    fn declaration(
        &mut self,
        reader: &mut BinaryReader<'a>,
        stack: &mut [Declarations<'a>],
    ) -> Counted<bool> {
        self.define(1)?;
        let mut declared = None;
        match reader.read_u8()? {
            0x00 => {
                let size = core_size(&reader.read::<CoreType<'a>>()?);
                self.counter.most_items = self.counter.most_items.max(size);
                self.define(size)?;
            }
            0x01 => return Ok(true),
            0x02 => {
                let alias = reader.read::<ComponentAlias<'a>>()?;
                declared = self.declared_alias(alias, stack)?;
            }
            0x03 => {
                let import = reader.read::<ComponentImport<'a>>()?;
                let item = self.of_ref(import.ty, stack)?;
                if let Some(declarations) = stack.last_mut() {
                    let size = &mut declarations.exports.size;
                    *size = size.saturating_add(item.size());
                }
                declared = Some(item);
            }
            0x04 => {
                let name = reader.read::<wasmparser::ComponentExternName<'a>>()?.name;
                let item = self.of_ref(reader.read()?, stack)?;
                if let Some(declarations) = stack.last_mut() {
                    declarations.exports.add(name, item.clone());
                }
                declared = Some(item);
            }
            _ => return damaged("an unknown declaration"),
        }
        match (declared, stack.last_mut()) {
            (Some(Item::Type(ty)), Some(declarations)) => declarations.types.push(ty),
            (Some(Item::Instance(shape)), Some(declarations)) => declarations.instances.push(shape),
            _ => {}
        }
        Ok(false)
    }

    fn declared_alias(
        &self,
        alias: ComponentAlias<'a>,
        stack: &[Declarations<'a>],
    ) -> Counted<Option<Item<'a>>> {
        match alias {
            ComponentAlias::InstanceExport {
                instance_index,
                name,
                ..
            } => {
                let instances = stack.last().map(|declarations| &declarations.instances[..]);
                let instance = at(instances.unwrap_or_default(), instance_index)?;
                match instance.exports.get(name) {
                    Some(item) => Ok(Some(item.clone())),
                    None => damaged("an alias of something that is not exported"),
                }
            }
            ComponentAlias::Outer {
                kind: ComponentOuterAliasKind::Type,
                count,
                index,
            } => Ok(Some(Item::Type(self.outer(count, stack, index)?))),
            _ => Ok(None),
        }
    }

    /// Returns the size of a type without declarations in it.
    fn leaf(&mut self, ty: &ComponentType<'_>, stack: &[Declarations<'a>]) -> Counted<Type<'a>> {
        let (mut size, mut depth, mut names, mut times) = (1_u64, 0, 0, 1);
        let mut part = |ty: &ComponentValType| -> Counted {
            size = size.saturating_add(1);
            if let ComponentValType::Type(index) = ty {
                let ty = self.outer(0, stack, *index)?;
                size = size.saturating_add(ty.size);
                depth = depth.max(ty.depth);
            }
            Ok(())
        };
        match ty {
            ComponentType::Func(ComponentFuncType { params, result, .. }) => {
                params.iter().try_for_each(|(_, ty)| part(ty))?;
                result.iter().try_for_each(&mut part)?;
            }
            ComponentType::Defined(defined) => match defined {
                ComponentDefinedType::Record(fields) => {
                    fields.iter().try_for_each(|(_, ty)| part(ty))?;
                }
                ComponentDefinedType::Variant(cases) => {
                    names = cases.len() as u64;
                    let mut types = cases.iter().filter_map(|case| case.ty.as_ref());
                    types.try_for_each(&mut part)?;
                }
                ComponentDefinedType::Tuple(types) => types.iter().try_for_each(&mut part)?,
                ComponentDefinedType::Flags(all) | ComponentDefinedType::Enum(all) => {
                    names = all.len() as u64;
                }
                ComponentDefinedType::List(ty) | ComponentDefinedType::Option(ty) => part(ty)?,
                // The elements are as many values in the layout of the type.
                ComponentDefinedType::FixedLengthList(ty, length) => {
                    part(ty)?;
                    times = u64::from(*length).max(1);
                }
                ComponentDefinedType::Map(key, value) => {
                    part(key)?;
                    part(value)?;
                }
                ComponentDefinedType::Result { ok, err } => {
                    ok.iter().chain(err).try_for_each(&mut part)?;
                }
                ComponentDefinedType::Future(ty) | ComponentDefinedType::Stream(ty) => {
                    ty.iter().try_for_each(&mut part)?;
                }
                ComponentDefinedType::Primitive(_)
                | ComponentDefinedType::Own(_)
                | ComponentDefinedType::Borrow(_) => {}
            },
            ComponentType::Resource { .. } => self.scope()?.definition.resources += 1,
            ComponentType::Component(_) | ComponentType::Instance(_) => {
                return damaged("a type that was read twice");
            }
        }
        depth += 1;
        self.counter.reach(Quantity::Nesting, depth)?;
        Ok(Type {
            size: size.saturating_mul(times).saturating_add(names),
            depth,
            of: TypeOf::Value,
        })
    }
}

/// Returns the number of definitions in a core type.
fn core_size(ty: &CoreType<'_>) -> u64 {
    match ty {
        CoreType::Rec(group) => 1 + group.types().len() as u64,
        CoreType::Module(declarations) => 1 + declarations.len() as u64,
    }
}
