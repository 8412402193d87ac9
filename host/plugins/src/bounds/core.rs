//! Core modules: their functions, tables and memories.

use wasmparser::{
    BlockType, CompositeInnerType, ConstExpr, ContType, DataKind, ElementItems, ExternalKind,
    FrameKind, FuncType, FunctionBody, ModuleArity, Operator, Payload, RefType, SubType, TableInit,
    TypeRef, ValType,
};

use super::merges::Merges;
use super::{Counted, Counter, Quantity, Stop};

/// Images that are smaller than this are made however sparse they are; see `memory_guaranteed_dense_image_size`
/// of the engine's settings.
const DENSE_IMAGE_BYTES: u64 = 64 << 20;

/// Estimated microseconds for the parts of a function, each measured with many of the same kind in a
/// release build.
mod work {
    pub(super) const FUNCTION: u64 = 100;
    /// For each export of a core module, which gets a trampoline if it is a function.
    pub(super) const EXPORT: u64 = 100;
    /// For each parameter and result of a function that is referred to, which gets a trampoline, and of a type of
    /// functions, which may get one.
    pub(super) const PASSED: u64 = 8;
    /// For each byte of code.
    pub(super) const BYTE: u64 = 1;
    /// For each block, branch, and target of a branch table.
    pub(super) const BRANCH: u64 = 40;
    pub(super) const CALL: u64 = 10;
    /// For an indirect call, and for an operator that reads, fills or grows a table.
    pub(super) const INDIRECT_CALL: u64 = 200;
    /// For each copy from table to table or from a segment, and the blocks that it becomes. Measured for those from segments: a
    /// millisecond each, where a function has thousands.
    pub(super) const TABLE_COPY: u64 = 2000;
    pub(super) const TABLE_COPY_BLOCKS: u64 = 10;
    /// For each operator that rounds a float, takes its root or changes its size: these take memory of the compiler, too.
    pub(super) const ROUNDING: u64 = 25;
    /// For each other operator that is more than an instruction: most on floats, whose NaN is made canonical,
    /// on vectors, divisions, and those that may trap.
    pub(super) const OPERATOR: u64 = 15;
    /// For each other operator that becomes one instruction.
    pub(super) const INSTRUCTION: u64 = 3;
    /// For each load and store, and for each access to a global.
    pub(super) const ACCESS: u64 = 5;
    /// For each parameter and result of a call.
    pub(super) const ARGUMENT: u64 = 4;
    /// For each value that a block takes or gives, or a branch passes. It takes memory, too.
    pub(super) const VALUE: u64 = 12;
    /// For each local at each block.
    pub(super) const MERGE: u64 = 1;
    /// For each growth of a memory.
    pub(super) const GROW: u64 = 120;
    /// For each other operator on memories, tables or segments that becomes a call of the engine.
    pub(super) const BULK: u64 = 30;
    /// Values on the operand stack at an operator for one microsecond: what is alive has to stay in
    /// registers or be saved, and compared with all else that is alive.
    pub(super) const ALIVE: u64 = 50;
    /// The same in a function that may have floats: none of their registers is kept over a call, and the compiler takes
    /// long to find a place for each. Measured: a ninth of a microsecond, and more than a fifth for results of calls.
    pub(super) const ALIVE_FLOATS: u64 = 4;
    /// Locals of a function at a read of one of them for one microsecond: all may be alive there, and compete for
    /// registers.
    pub(super) const READ: u64 = 20;
    /// Values that blocks take and give and branches pass, multiplied with the blocks of their function, for one microsecond.
    /// It is less time, but some 4 bytes of memory: 256 MiB for a function within the default bounds.
    pub(super) const KEPT: u64 = 40;
    /// Calls in one function, multiplied with each other, for one microsecond. Each takes 8 KiB until the function is
    /// compiled: 256 MiB within the default bounds, too.
    pub(super) const CALLS: u64 = 640;
    /// Segments and computed globals of a module, multiplied with each other, for one microsecond.
    pub(super) const INITIALIZERS: u64 = 50;
    /// Bytes of one function, multiplied with each other, for one microsecond: the least that a function counts. No operator is
    /// known whose cost, beside what is counted for it, grows faster with the square of their number.
    pub(super) const SQUARE: u64 = 4000;
    /// Pairs of blocks in one function for one microsecond: some passes of the compiler are quadratic.
    pub(super) const PAIRS: u64 = 100;
}

/// Bytes that the host takes for an instance of a core module, and for the parts of one: those of the
/// engine's context, which compiled code addresses, and of its lists beside it.
mod instance_bytes {
    pub(super) const INSTANCE: u64 = 1024;
    pub(super) const IMPORT: u64 = 64;
    pub(super) const EXPORT: u64 = 16;
    /// For each memory and table.
    pub(super) const MEMORY: u64 = 256;
    /// For each function, global, tag and segment. A function has a reference if it is referred to.
    pub(super) const ITEM: u64 = 32;
    /// For each item of an element segment.
    pub(super) const ELEMENT: u64 = 16;
}

/// Numbers of parameters and results of a function or block type.
#[derive(Clone, Copy, Debug, Default)]
struct Arity {
    parameters: u64,
    results: u64,
    /// True if one of them is a float.
    has_floats: bool,
}

impl Arity {
    fn total(self) -> u64 {
        self.parameters + self.results
    }
}

/// Extent of the active data segments of one memory.
#[derive(Clone, Copy, Debug)]
struct Extent {
    from: u64,
    to: u64,
    data: u64,
}

/// Returns whether an operator makes a float of something else. All others take one from an operand, a local, a global or a call.
fn makes_float(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::F32Const { .. }
            | Operator::F64Const { .. }
            | Operator::F32Load { .. }
            | Operator::F64Load { .. }
            | Operator::F32ConvertI32S
            | Operator::F32ConvertI32U
            | Operator::F32ConvertI64S
            | Operator::F32ConvertI64U
            | Operator::F64ConvertI32S
            | Operator::F64ConvertI32U
            | Operator::F64ConvertI64S
            | Operator::F64ConvertI64U
            | Operator::F32ReinterpretI32
            | Operator::F64ReinterpretI64
    )
}

fn is_float(ty: ValType) -> bool {
    matches!(ty, ValType::F32 | ValType::F64)
}

/// A core module while it is read.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// True for each global that is a float, imported ones first.
    float_globals: Vec<bool>,
    types: Vec<Arity>,
    /// Arity of each function, imported ones first.
    functions: Vec<Arity>,
    /// Marks of functions that are referred to, so that the host or a table may call them.
    referred: Vec<bool>,
    imported: usize,
    bodies: usize,
    extents: Vec<(u32, Extent)>,
    /// Bytes that the host takes for the parts of an instance.
    part_bytes: u64,
    /// Segments and globals that the module's start may have to compute.
    initializers: u64,
}

impl Module {
    /// Returns the bytes that the host takes for an instance of the module, at the most.
    pub(super) fn instance_bytes(&self) -> u64 {
        instance_bytes::INSTANCE.saturating_add(self.part_bytes)
    }

    fn take(&mut self, count: impl Into<u64>, bytes: u64) {
        let all = count.into().saturating_mul(bytes);
        self.part_bytes = self.part_bytes.saturating_add(all);
    }

    /// Counts segments or globals that are initialized at the start of an instance. The compiler makes one function of all that
    /// it does not know before.
    fn initialize(&mut self, count: u64, counter: &mut Counter) -> Counted {
        let work = |count: u64| count.saturating_mul(count) / work::INITIALIZERS;
        let before = work(self.initializers);
        self.initializers = self.initializers.saturating_add(count);
        let now = work(self.initializers);
        counter.reach(Quantity::FunctionWork, now)?;
        counter.add(Quantity::Work, now - before)
    }

    /// Counts one section, or one function body.
    pub(super) fn payload(&mut self, payload: Payload<'_>, counter: &mut Counter) -> Counted {
        match payload {
            Payload::TypeSection(section) => {
                metadata(counter, section.range().len())?;
                for group in section {
                    for ty in group?.types() {
                        let (arity, size) = match &ty.composite_type.inner {
                            CompositeInnerType::Func(ty) => {
                                let mut types = ty.params().iter().chain(ty.results());
                                let arity = Arity {
                                    parameters: ty.params().len() as u64,
                                    results: ty.results().len() as u64,
                                    has_floats: types.any(|ty| is_float(*ty)),
                                };
                                (arity, arity.total())
                            }
                            CompositeInnerType::Struct(ty) => {
                                (Arity::default(), ty.fields.len() as u64)
                            }
                            _ => (Arity::default(), 1),
                        };
                        counter.add(Quantity::Definitions, 1 + size)?;
                        counter.add(Quantity::Work, arity.total() * work::PASSED)?;
                        self.types.push(arity);
                    }
                }
            }
            Payload::ImportSection(section) => {
                metadata(counter, section.range().len())?;
                let mut imports = 0;
                for import in section.into_imports() {
                    self.take(1_u64, instance_bytes::IMPORT);
                    counter.add(Quantity::Definitions, 1)?;
                    imports += 1;
                    counter.most_imports = counter.most_imports.max(imports);
                    counter.most_items = counter.most_items.max(imports);
                    match import?.ty {
                        TypeRef::Func(ty) | TypeRef::FuncExact(ty) => {
                            let arity = self.ty(ty)?;
                            self.functions.push(arity);
                            self.imported += 1;
                        }
                        TypeRef::Global(global) => {
                            self.float_globals.push(is_float(global.content_type));
                        }
                        _ => {}
                    }
                }
            }
            Payload::FunctionSection(section) => {
                self.take(section.count(), instance_bytes::ITEM);
                metadata(counter, section.range().len())?;
                for ty in section {
                    counter.add(Quantity::Functions, 1)?;
                    let arity = self.ty(ty?)?;
                    self.functions.push(arity);
                }
            }
            Payload::TableSection(section) => {
                self.take(section.count(), instance_bytes::MEMORY);
                metadata(counter, section.range().len())?;
                for table in section {
                    let table = table?;
                    counter.add(Quantity::Definitions, 1)?;
                    counter.add(Quantity::TableElements, table.ty.initial)?;
                    if let TableInit::Expr(expression) = &table.init {
                        self.refer_in(expression, counter)?;
                    }
                }
            }
            Payload::ElementSection(section) => {
                self.take(section.count(), instance_bytes::ITEM);
                metadata(counter, section.range().len())?;
                self.initialize(section.count().into(), counter)?;
                for element in section {
                    counter.add(Quantity::Definitions, 1)?;
                    let items = element?.items;
                    let count = match &items {
                        ElementItems::Functions(items) => items.count(),
                        ElementItems::Expressions(_, items) => items.count(),
                    };
                    self.take(count, instance_bytes::ELEMENT);
                    counter.add(Quantity::TableElements, count.into())?;
                    match items {
                        ElementItems::Functions(items) => {
                            for index in items {
                                self.refer(index?, counter)?;
                            }
                        }
                        ElementItems::Expressions(_, items) => {
                            for expression in items {
                                self.refer_in(&expression?, counter)?;
                            }
                        }
                    }
                }
            }
            Payload::MemorySection(section) => {
                self.take(section.count(), instance_bytes::MEMORY);
                listed(counter, section.count(), section.range().len())?
            }
            Payload::TagSection(section) => {
                self.take(section.count(), instance_bytes::ITEM);
                listed(counter, section.count(), section.range().len())?
            }
            Payload::GlobalSection(section) => {
                self.take(section.count(), instance_bytes::ITEM);
                listed(counter, section.count(), section.range().len())?;
                let mut computed = 0;
                for global in section {
                    let global = global?;
                    self.float_globals.push(is_float(global.ty.content_type));
                    let initial = global.init_expr;
                    self.refer_in(&initial, counter)?;
                    // A constant and its end are no work.
                    let operators = initial.get_operators_reader();
                    computed += u64::from(operators.into_iter().nth(2).is_some());
                }
                self.initialize(computed, counter)?;
            }
            Payload::ExportSection(section) => {
                self.take(section.count(), instance_bytes::EXPORT);
                listed(counter, section.count(), section.range().len())?;
                let exports = u64::from(section.count());
                counter.most_items = counter.most_items.max(exports);
                let work = exports * work::EXPORT;
                counter.add(Quantity::Work, work)?;
                for export in section {
                    let export = export?;
                    if matches!(export.kind, ExternalKind::Func | ExternalKind::FuncExact) {
                        self.refer(export.index, counter)?;
                    }
                }
            }
            Payload::DataSection(section) => {
                self.take(section.count(), instance_bytes::ITEM);
                self.initialize(section.count().into(), counter)?;
                for data in section {
                    counter.add(Quantity::Definitions, 1)?;
                    let data = data?;
                    if let DataKind::Active {
                        memory_index,
                        offset_expr,
                    } = data.kind
                    {
                        metadata(counter, offset_expr.get_binary_reader().bytes_remaining())?;
                        self.place(memory_index, &offset_expr, data.data.len() as u64);
                    }
                }
                for (_, extent) in self.extents.drain(..) {
                    let bytes = match extent.to - extent.from {
                        bytes if bytes < DENSE_IMAGE_BYTES => bytes,
                        bytes => bytes.min(extent.data.saturating_mul(2)),
                    };
                    counter.add(Quantity::ImageBytes, bytes)?;
                }
            }
            Payload::CodeSectionEntry(body) => self.body(&body, counter)?,
            _ => {}
        }
        Ok(())
    }

    fn ty(&self, index: u32) -> Counted<Arity> {
        let found = self.types.get(index as usize).copied();
        found.ok_or_else(|| Stop::Damaged(format!("unknown type {index}")))
    }

    /// Counts the trampoline of a function, once.
    fn refer(&mut self, function: u32, counter: &mut Counter) -> Counted {
        let index = function as usize;
        let Some(arity) = self.functions.get(index) else {
            return Err(Stop::Damaged(format!("unknown function {function}")));
        };
        let passed = arity.total();
        self.referred.resize(self.functions.len(), false);
        match std::mem::replace(&mut self.referred[index], true) {
            true => Ok(()),
            false => counter.add(Quantity::Work, passed * work::PASSED),
        }
    }

    /// Counts the trampolines of functions that a constant expression refers to.
    fn refer_in(&mut self, expression: &ConstExpr<'_>, counter: &mut Counter) -> Counted {
        for operator in expression.get_operators_reader() {
            if let Operator::RefFunc { function_index } = operator? {
                self.refer(function_index, counter)?;
            }
        }
        Ok(())
    }

    /// Adds a data segment to the extent of its memory.
    fn place(&mut self, memory: u32, offset: &ConstExpr<'_>, bytes: u64) {
        let from = match offset.get_operators_reader().read() {
            Ok(Operator::I32Const { value }) => u64::from(value.cast_unsigned()),
            Ok(Operator::I64Const { value }) => value.cast_unsigned(),
            // The engine makes no image of what lies at an address that it has to compute.
            _ => return,
        };
        let (to, data) = (from.saturating_add(bytes), bytes);
        // The engine refuses a second memory; the list stays short in any case.
        if bytes == 0 || memory > 100 {
            return;
        }
        let known = self.extents.iter_mut().find(|(other, _)| *other == memory);
        if let Some((_, extent)) = known {
            extent.from = extent.from.min(from);
            extent.to = extent.to.max(to);
            extent.data = extent.data.saturating_add(data);
        } else {
            self.extents.push((memory, Extent { from, to, data }));
        }
    }

    fn body(&mut self, body: &FunctionBody<'_>, counter: &mut Counter) -> Counted {
        let bytes = body.range().len() as u64;
        counter.reach(Quantity::FunctionBytes, bytes)?;
        counter.add(Quantity::CodeBytes, bytes)?;
        let index = self.imported + self.bodies;
        self.bodies += 1;
        let Some(&signature) = self.functions.get(index) else {
            return Err(Stop::Damaged(String::from("more bodies than functions")));
        };
        let mut has_floats = signature.has_floats;
        let mut reader = body.get_locals_reader()?;
        let mut locals = signature.parameters;
        // One entry of a few bytes can declare four billion.
        for _ in 0..reader.get_count() {
            let (count, ty) = reader.read()?;
            has_floats |= is_float(ty);
            locals = locals.saturating_add(count.into());
            counter.reach(Quantity::Locals, locals)?;
        }
        // Values that a branch to each open block passes.
        let mut labels = vec![signature.results];
        let mut stack = OperandStack::new(signature);
        let (mut blocks, mut work) = (1_u64, bytes * work::BYTE + work::FUNCTION);
        // Values that are alive, added up over all operators, and over all blocks.
        let (mut alive, mut merged) = (0_u64, 0_u64);
        let (mut reads, mut calls, mut values) = (0_u64, 0_u64, 0_u64);
        let mut meeting = Merges::new(locals);
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let operator = operators.read()?;
            let blocks_before = blocks;
            has_floats |= makes_float(&operator) || self.reads_float(&operator);
            stack.step(self, &operator)?;
            meeting.step(&operator);
            alive = alive.saturating_add(stack.height);
            reads += u64::from(matches!(operator, Operator::LocalGet { .. }));
            // Values that are passed, and what it takes beside.
            let (passed, base) = match operator {
                Operator::Block { blockty }
                | Operator::If { blockty }
                | Operator::Loop { blockty }
                | Operator::Try { blockty } => {
                    let arity = self.block(blockty)?;
                    let is_loop = matches!(operator, Operator::Loop { .. });
                    labels.push(if is_loop {
                        arity.parameters
                    } else {
                        arity.results
                    });
                    counter.reach(Quantity::BlockDepth, labels.len() as u64 - 1)?;
                    blocks += 1;
                    (arity.total(), work::BRANCH)
                }
                Operator::TryTable { try_table } => {
                    let arity = self.block(try_table.ty)?;
                    labels.push(arity.results);
                    counter.reach(Quantity::BlockDepth, labels.len() as u64 - 1)?;
                    let targets = 1 + try_table.catches.len() as u64;
                    blocks += targets;
                    (arity.total(), targets * work::BRANCH)
                }
                Operator::Else | Operator::Catch { .. } | Operator::CatchAll => {
                    blocks += 1;
                    (0, work::BRANCH)
                }
                Operator::End => {
                    labels.pop();
                    continue;
                }
                Operator::Br { relative_depth }
                | Operator::BrIf { relative_depth }
                | Operator::BrOnNull { relative_depth }
                | Operator::BrOnNonNull { relative_depth }
                | Operator::BrOnCast { relative_depth, .. }
                | Operator::BrOnCastFail { relative_depth, .. } => {
                    blocks += 1;
                    (label(&labels, relative_depth), work::BRANCH)
                }
                Operator::BrTable { targets } => {
                    let mut passed = label(&labels, targets.default());
                    for target in targets.targets() {
                        passed += label(&labels, target?);
                    }
                    let targets = 1 + u64::from(targets.len());
                    blocks += targets;
                    (passed, targets * work::BRANCH)
                }
                Operator::Return => (signature.results, 0),
                Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                    calls += 1;
                    let callee = self.functions.get(function_index as usize);
                    has_floats |= callee.is_some_and(|arity| arity.has_floats);
                    let values = callee.map_or(0, |arity| arity.total());
                    (0, work::CALL + values * work::ARGUMENT)
                }
                Operator::CallIndirect { type_index, .. }
                | Operator::ReturnCallIndirect { type_index, .. }
                | Operator::CallRef { type_index }
                | Operator::ReturnCallRef { type_index } => {
                    calls += 1;
                    blocks += 1;
                    let arity = self.ty(type_index)?;
                    has_floats |= arity.has_floats;
                    let values = arity.total();
                    (0, work::INDIRECT_CALL + values * work::ARGUMENT)
                }
                // Where the processor may lack an instruction, the compiler calls a function.
                Operator::F32Ceil
                | Operator::F32Floor
                | Operator::F32Trunc
                | Operator::F32Nearest
                | Operator::F64Ceil
                | Operator::F64Floor
                | Operator::F64Trunc
                | Operator::F64Nearest
                | Operator::F32Sqrt
                | Operator::F64Sqrt
                | Operator::F32DemoteF64
                | Operator::F64PromoteF32 => (0, work::ROUNDING),
                Operator::MemoryGrow { .. } => {
                    calls += 1;
                    (0, work::GROW)
                }
                Operator::MemoryCopy { .. }
                | Operator::MemoryFill { .. }
                | Operator::MemoryInit { .. }
                | Operator::DataDrop { .. }
                | Operator::TableSet { .. }
                | Operator::ElemDrop { .. }
                | Operator::RefFunc { .. } => (0, work::BULK),
                // It may trap.
                Operator::RefAsNonNull => {
                    blocks += 1;
                    (0, work::BRANCH)
                }
                // They test whether the elements that they touch were initialized.
                Operator::TableCopy { .. } | Operator::TableInit { .. } => {
                    blocks += work::TABLE_COPY_BLOCKS;
                    (0, work::TABLE_COPY)
                }
                Operator::TableGrow { .. }
                | Operator::TableFill { .. }
                | Operator::TableGet { .. } => {
                    blocks += 1;
                    (0, work::INDIRECT_CALL)
                }
                Operator::Nop
                | Operator::Drop
                | Operator::Unreachable
                | Operator::LocalGet { .. }
                | Operator::LocalSet { .. }
                | Operator::LocalTee { .. }
                | Operator::I32Const { .. }
                | Operator::I64Const { .. }
                | Operator::F32Const { .. }
                | Operator::F64Const { .. } => continue,
                ref operator if is_instruction(operator) => (0, work::INSTRUCTION),
                ref operator if is_access(operator) => (0, work::ACCESS),
                _ => (0, work::OPERATOR),
            };
            work = work.saturating_add(passed.saturating_mul(work::VALUE) + base);
            values = values.saturating_add(passed);
            let met = stack.height.saturating_mul(blocks - blocks_before);
            merged = merged.saturating_add(met);
        }
        let merges = locals.saturating_mul(blocks).saturating_add(merged);
        let merges = merges.saturating_mul(work::MERGE);
        let pairs = blocks.saturating_mul(blocks) / work::PAIRS;
        let work = work
            .saturating_add(merges)
            .saturating_add(pairs)
            .saturating_add(values.saturating_mul(blocks) / work::KEPT)
            .saturating_add(calls.saturating_mul(calls) / work::CALLS)
            .saturating_add(meeting.work())
            .saturating_add(match has_floats {
                true => alive / work::ALIVE_FLOATS,
                false => alive / work::ALIVE,
            })
            .saturating_add(reads.saturating_mul(locals) / work::READ)
            .max(bytes.saturating_mul(bytes) / work::SQUARE);
        counter.reach(Quantity::FunctionWork, work)?;
        counter.add(Quantity::Work, work)
    }

    /// Returns whether an operator reads a global that is a float.
    fn reads_float(&self, operator: &Operator<'_>) -> bool {
        let Operator::GlobalGet { global_index } = operator else {
            return false;
        };
        let global = self.float_globals.get(*global_index as usize);
        global.copied().unwrap_or(false)
    }

    fn block(&self, ty: BlockType) -> Counted<Arity> {
        Ok(match ty {
            BlockType::Empty => Arity::default(),
            BlockType::Type(ty) => Arity {
                parameters: 0,
                results: 1,
                has_floats: is_float(ty),
            },
            BlockType::FuncType(index) => self.ty(index)?,
        })
    }
}

/// Returns whether an operator becomes one instruction.
fn is_instruction(operator: &Operator<'_>) -> bool {
    use Operator as Op;
    let is_value = matches!(
        operator,
        Op::Select
            | Op::I32WrapI64
            | Op::I64ExtendI32S
            | Op::I64ExtendI32U
            | Op::I32Extend8S
            | Op::I32Extend16S
            | Op::I64Extend8S
            | Op::I64Extend16S
            | Op::I64Extend32S
    );
    let is_i32 = matches!(
        operator,
        Op::I32Add
            | Op::I32Sub
            | Op::I32Mul
            | Op::I32And
            | Op::I32Or
            | Op::I32Rotl
            | Op::I32Rotr
            | Op::I32Eqz
            | Op::I32Eq
            | Op::I32Ne
            | Op::I32LtS
            | Op::I32LtU
            | Op::I32GtS
            | Op::I32GtU
            | Op::I32LeS
            | Op::I32LeU
            | Op::I32GeS
            | Op::I32GeU
            | Op::I32Clz
            | Op::I32Ctz
            | Op::I32Xor
            | Op::I32Shl
            | Op::I32ShrS
            | Op::I32ShrU
    );
    let is_i64 = matches!(
        operator,
        Op::I64Add
            | Op::I64Sub
            | Op::I64Mul
            | Op::I64And
            | Op::I64Or
            | Op::I64Rotl
            | Op::I64Rotr
            | Op::I64Eqz
            | Op::I64Eq
            | Op::I64Ne
            | Op::I64LtS
            | Op::I64LtU
            | Op::I64GtS
            | Op::I64GtU
            | Op::I64LeS
            | Op::I64LeU
            | Op::I64GeS
            | Op::I64GeU
            | Op::I64Clz
            | Op::I64Ctz
            | Op::I64Xor
            | Op::I64Shl
            | Op::I64ShrS
            | Op::I64ShrU
    );
    is_value || is_i32 || is_i64
}

/// Returns whether an operator reads or writes one value of a memory or global.
fn is_access(operator: &Operator<'_>) -> bool {
    use Operator as Op;
    matches!(
        operator,
        Op::GlobalGet { .. }
            | Op::GlobalSet { .. }
            | Op::I32Load { .. }
            | Op::I64Load { .. }
            | Op::F32Load { .. }
            | Op::F64Load { .. }
            | Op::I32Load8S { .. }
            | Op::I32Load8U { .. }
            | Op::I32Load16S { .. }
            | Op::I32Load16U { .. }
            | Op::I64Load8S { .. }
            | Op::I64Load8U { .. }
            | Op::I64Load16S { .. }
            | Op::I64Load16U { .. }
            | Op::I64Load32S { .. }
            | Op::I64Load32U { .. }
            | Op::I32Store { .. }
            | Op::I64Store { .. }
            | Op::F32Store { .. }
            | Op::F64Store { .. }
            | Op::I32Store8 { .. }
            | Op::I32Store16 { .. }
            | Op::I64Store8 { .. }
            | Op::I64Store16 { .. }
            | Op::I64Store32 { .. }
    )
}

/// The number of values on the operand stack of a function while it is read.
#[derive(Debug)]
struct OperandStack {
    height: u64,
    /// The open blocks, the function itself first.
    frames: Vec<Frame>,
}

/// An open block.
#[derive(Clone, Copy, Debug)]
struct Frame {
    arity: Arity,
    /// Height below the values that the block takes.
    base: u64,
}

impl OperandStack {
    fn new(signature: Arity) -> Self {
        let frame = Frame {
            arity: Arity {
                parameters: 0,
                ..signature
            },
            base: 0,
        };
        Self {
            height: 0,
            frames: vec![frame],
        }
    }

    /// Takes and gives as many values as the operator. Code that is not valid, which the engine
    /// refuses, makes the height wrong and nothing else.
    fn step(&mut self, module: &Module, operator: &Operator<'_>) -> Counted {
        let base = self.frames.last().map_or(0, |frame| frame.base);
        match operator {
            Operator::Block { blockty }
            | Operator::If { blockty }
            | Operator::Loop { blockty }
            | Operator::Try { blockty } => {
                let arity = module.block(*blockty)?;
                self.pop(u64::from(matches!(operator, Operator::If { .. })));
                self.open(arity);
            }
            Operator::TryTable { try_table } => self.open(module.block(try_table.ty)?),
            Operator::Else => {
                let parameters = self.frames.last().map_or(0, |frame| frame.arity.parameters);
                self.height = base.saturating_add(parameters);
            }
            // An exception's values; a few.
            Operator::Catch { .. } | Operator::CatchAll => self.height = base,
            Operator::End | Operator::Delegate { .. } => {
                if let Some(frame) = self.frames.pop() {
                    self.height = frame.base.saturating_add(frame.arity.results);
                }
            }
            // What follows is not reached, up to the end of the block.
            Operator::Br { .. }
            | Operator::BrTable { .. }
            | Operator::Return
            | Operator::Unreachable
            | Operator::ReturnCall { .. }
            | Operator::ReturnCallIndirect { .. }
            | Operator::ReturnCallRef { .. }
            | Operator::Throw { .. }
            | Operator::ThrowRef
            | Operator::Rethrow { .. } => self.height = base,
            Operator::BrIf { .. } => self.pop(1),
            Operator::Call { function_index } => {
                let callee = module.functions.get(*function_index as usize);
                self.call(callee.copied().unwrap_or_default());
            }
            Operator::CallIndirect { type_index, .. } | Operator::CallRef { type_index } => {
                self.pop(1);
                self.call(module.ty(*type_index)?);
            }
            // An operator that is not known is of a proposal that the engine does not have.
            _ => {
                if let Some((taken, given)) = operator.operator_arity(&Fixed) {
                    self.pop(taken.into());
                    self.height = self.height.saturating_add(given.into());
                }
            }
        }
        Ok(())
    }

    fn pop(&mut self, count: u64) {
        let base = self.frames.last().map_or(0, |frame| frame.base);
        self.height = self.height.saturating_sub(count).max(base);
    }

    fn call(&mut self, arity: Arity) {
        self.pop(arity.parameters);
        self.height = self.height.saturating_add(arity.results);
    }

    fn open(&mut self, arity: Arity) {
        let base = self.height.saturating_sub(arity.parameters);
        self.frames.push(Frame { arity, base });
    }
}

/// Knows no types: for the operators that take and give the same number of values everywhere.
struct Fixed;

impl ModuleArity for Fixed {
    fn sub_type_at(&self, _type: u32) -> Option<&SubType> {
        None
    }

    fn tag_type_arity(&self, _tag: u32) -> Option<(u32, u32)> {
        None
    }

    fn type_index_of_function(&self, _function: u32) -> Option<u32> {
        None
    }

    fn func_type_of_cont_type(&self, _type: &ContType) -> Option<&FuncType> {
        None
    }

    fn sub_type_of_ref_type(&self, _type: &RefType) -> Option<&SubType> {
        None
    }

    fn control_stack_height(&self) -> u32 {
        0
    }

    fn label_block(&self, _depth: u32) -> Option<(BlockType, FrameKind)> {
        None
    }
}

/// Returns the number of values that a branch passes; none for a label that does not exist, which
/// the engine refuses.
fn label(labels: &[u64], depth: u32) -> u64 {
    let place = labels.len().checked_sub(1 + depth as usize);
    place.map_or(0, |place| labels[place])
}

pub(super) fn metadata(counter: &mut Counter, bytes: usize) -> Counted {
    counter.add(Quantity::MetadataBytes, bytes as u64)
}

/// Counts a section of `count` items.
fn listed(counter: &mut Counter, count: u32, bytes: usize) -> Counted {
    metadata(counter, bytes)?;
    counter.add(Quantity::Definitions, count.into())
}
