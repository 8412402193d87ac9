//! The iterators of `enumerate`, `zip`, `map`, `filter`, `reversed` and `iter(function, sentinel)`.
//!
//! Where a step is all native code the iterator is a [`Lazy`]. Where one may run code of a script, it is a generator of the
//! Python code below: a loop, `next` and other generators run it in a frame of its own, and can wait for the host there.

use serde::{Deserialize, Serialize};
use smallvec::smallvec;

use crate::{
    args::{ArgValues, KwargsValues},
    builtins::{Builtins, BuiltinsFunctions},
    bytecode::VM,
    defer_drop,
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult, SimpleException},
    frozen::FrozenFunction,
    heap::{DropGuard, DropWithContext, HeapData, HeapId, HeapReadMut},
    intern::{FunctionId, Interns},
    predicate::call_predicate,
    resource_checks::check_estimated_size,
    types::{
        ItertoolsIter, List, PyTrait, Type, allocate_tuple,
        instance::{class_defines, special},
        iter::collect_owned_iterable,
        itertools::{
            step::{next_item, next_source, next_tested},
            waiting::Tool,
        },
        tuple::TupleVec,
    },
    value::{VALUE_SIZE, Value},
};

/// The builtin function that made an iterator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Made {
    Enumerate,
    Zip,
    /// `zip(strict=True)`
    ZipStrict,
    Map,
    /// `map` of several iterables: each item of its source is a row of arguments.
    MapRows,
    Filter,
    Reversed,
    /// `iter(function, sentinel)`
    Iter,
    /// One of `itertools`.
    Tool(Tool),
}

impl Made {
    pub(crate) fn py_type(self) -> Type {
        match self {
            Self::Enumerate => Type::Enumerate,
            Self::Zip | Self::ZipStrict => Type::Zip,
            Self::Map | Self::MapRows => Type::Map,
            Self::Filter => Type::Filter,
            Self::Reversed => Type::Reversed,
            Self::Iter => Type::CallableIterator,
            Self::Tool(tool) => tool.py_type(),
        }
    }

    /// Returns the generator function whose calls are such iterators. `StopIteration` that a function raises ends them.
    pub(crate) fn source(self) -> &'static str {
        match self {
            Self::Tool(tool) => tool.source(),
            Self::Enumerate => {
                r"
def enumerate(source, at):
    for item in source:
        yield (at, item)
        at += 1
"
            }
            Self::Zip => {
                r"
def zip(sources):
    while sources:
        row = []
        for source in sources:
            for item in source:
                row.append(item)
                break
            else:
                return
        yield (*row,)
"
            }
            Self::ZipStrict => {
                r#"
def zip(sources, error):
    while sources:
        row = []
        at = count = longer = 0
        for source in sources:
            at += 1
            for item in source:
                if count < at - 1:
                    longer = at
                row.append(item)
                count += 1
                break
            else:
                if row:
                    break
            if longer:
                break
        if longer:
            raise error(f"zip() argument {longer} is longer than argument{'s 1-' if longer > 2 else ' '}{longer - 1}")
        if not row:
            return
        if count < at:
            raise error(f"zip() argument {at} is shorter than argument{'s 1-' if at > 2 else ' '}{at - 1}")
        yield (*row,)
"#
            }
            Self::Map => {
                r"
def map(function, source, stop):
    for item in source:
        try:
            item = function(item)
        except stop:
            return
        yield item
"
            }
            Self::MapRows => {
                r"
def map(function, source, stop):
    for item in source:
        try:
            item = function(*item)
        except stop:
            return
        yield item
"
            }
            Self::Filter => {
                r"
def filter(function, source, stop):
    for item in source:
        try:
            wanted = function(item)
        except stop:
            return
        if wanted:
            yield item
"
            }
            Self::Reversed => {
                r"
def reversed(sequence, at):
    while at > 0:
        at -= 1
        yield sequence[at]
"
            }
            Self::Iter => {
                r"
def callable_iterator(function, sentinel, stop):
    while True:
        try:
            item = function()
        except stop:
            return
        if item == sentinel:
            return
        yield item
"
            }
        }
    }
}

/// Returns the builtin function that made the generators of a function.
pub(crate) fn made_by(function: FunctionId, interns: &Interns) -> Option<Made> {
    match interns.get_function(function).internal.get() {
        Some(FrozenFunction::Lazy(made)) => Some(made),
        _ => None,
    }
}

/// Returns the builtin function that stands for a type of iterators.
pub(crate) fn maker(of: Type) -> Option<BuiltinsFunctions> {
    match of {
        Type::Enumerate => Some(BuiltinsFunctions::Enumerate),
        Type::Zip => Some(BuiltinsFunctions::Zip),
        Type::Map => Some(BuiltinsFunctions::Map),
        Type::Filter => Some(BuiltinsFunctions::Filter),
        Type::Reversed => Some(BuiltinsFunctions::Reversed),
        _ => None,
    }
}

/// Returns the type of the iterators that a builtin function makes.
pub(crate) fn type_made_by(function: BuiltinsFunctions) -> Option<Type> {
    match function {
        BuiltinsFunctions::Enumerate => Some(Type::Enumerate),
        BuiltinsFunctions::Zip => Some(Type::Zip),
        BuiltinsFunctions::Map => Some(Type::Map),
        BuiltinsFunctions::Filter => Some(Type::Filter),
        BuiltinsFunctions::Reversed => Some(Type::Reversed),
        _ => None,
    }
}

/// Returns whether a builtin function is a class in CPython.
pub(crate) fn is_class(function: BuiltinsFunctions) -> bool {
    function == BuiltinsFunctions::Type || type_made_by(function).is_some()
}

/// An iterator whose steps are native code.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Lazy {
    made: Made,
    /// The function that `map` and `filter` call.
    function: Value,
    /// The iterators that it asks; for `reversed` a list.
    sources: Vec<Value>,
    /// The number of the next item; for `reversed` that of the last one.
    at: i64,
}

impl Lazy {
    fn allocate(
        made: Made,
        function: Value,
        sources: Vec<Value>,
        at: i64,
        vm: &mut VM<'_>,
    ) -> Value {
        let lazy = Self {
            made,
            function,
            sources,
            at,
        };
        let iter = ItertoolsIter::Lazy(lazy);
        Value::Ref(vm.heap.allocate(HeapData::Itertools(iter)))
    }

    pub(crate) fn py_type(&self) -> Type {
        self.made.py_type()
    }

    /// Invokes `on_child` for each heap id this iterator owns (GC trace hook).
    pub(crate) fn for_each_child_id(&self, on_child: impl FnMut(HeapId)) {
        let owned = std::iter::once(&self.function).chain(&self.sources);
        owned.filter_map(Value::ref_id).for_each(on_child);
    }

    /// Releases the refs this iterator owns (mirrors `for_each_child_id`).
    pub(crate) fn py_dec_ref_ids(&mut self, stack: &mut Vec<HeapId>) {
        self.function.py_dec_ref_ids(stack);
        for source in &mut self.sources {
            source.py_dec_ref_ids(stack);
        }
    }
}

/// Returns whether a step of an iterator may run code of a script, or wait for the host.
fn runs_code(iterator: &Value, vm: &VM<'_>) -> bool {
    iterator.ref_id().is_some_and(|id| {
        matches!(
            vm.heap.get(id),
            HeapData::Coroutine(_)
                | HeapData::Instance(_)
                | HeapData::OpenFile(_)
                | HeapData::CallableIterator(_)
        )
    })
}

/// Returns whether an iterator does something when it is asked: what its items are added to changes item by item.
pub(crate) fn runs_as_asked(iterator: &Value, vm: &VM<'_>) -> bool {
    let is_adaptor = |id| matches!(vm.heap.get(id), HeapData::Itertools(_));
    runs_code(iterator, vm) || iterator.ref_id().is_some_and(is_adaptor)
}

/// Appends each item of an iterator to a list.
pub(crate) fn append_each<'h>(
    list: &HeapReadMut<'h, List>,
    iterator: Value,
    vm: &mut VM<'h>,
) -> RunResult<()> {
    let mut count = 0usize;
    each(iterator, vm, |item, vm| {
        count += 1;
        if let Err(error) = check_estimated_size(count.saturating_mul(VALUE_SIZE), &vm.heap.tracker)
        {
            item.drop_with(vm);
            return Err(error.into());
        }
        let grown = list.get_mut(vm.heap);
        if matches!(item, Value::Ref(_)) {
            grown.set_contains_refs();
        }
        grown.as_vec_mut().push(item);
        Ok(())
    })
}

/// Gives each item of an iterator to `take`.
pub(crate) fn each<'h>(
    iterator: Value,
    vm: &mut VM<'h>,
    mut take: impl FnMut(Value, &mut VM<'h>) -> RunResult<()>,
) -> RunResult<()> {
    defer_drop!(iterator, vm);
    let mut items = iterator.read(vm);
    let mut steps = 0usize;
    while let Some(item) = items.py_next(vm)? {
        if let Err(error) = vm.heap.tracker.check_time_every(steps) {
            item.drop_with(vm);
            return Err(error.into());
        }
        steps += 1;
        take(item, vm)?;
    }
    Ok(())
}

/// Returns whether calling a function may run code of a script, or wait for the host.
pub(crate) fn calls_code(function: &Value, vm: &VM<'_>) -> bool {
    match function {
        Value::None | Value::Builtin(_) => false,
        Value::ModuleFunction(_) => false,
        Value::Ref(id) => match vm.heap.get(*id) {
            // A method of a builtin type is the text of its name, bound to an object.
            HeapData::BoundMethod(method) => {
                !matches!(method.func, Value::InternString(_)) && calls_code(&method.func, vm)
            }
            _ => true,
        },
        _ => true,
    }
}

fn stop() -> Value {
    Value::Builtin(Builtins::ExcType(ExcType::StopIteration))
}

/// Returns the iterators of several values.
pub(super) fn sources(iterables: Vec<Value>, vm: &mut VM<'_>) -> RunResult<Vec<Value>> {
    let mut given = iterables.into_iter();
    let mut sources = DropGuard::new(Vec::with_capacity(given.len()), vm);
    while let Some(iterable) = given.next() {
        let (sources, vm) = sources.as_parts_mut();
        let source = iterable
            .into_py_iter(vm)
            .and_then(|call| call.require_synchronous(vm));
        match source {
            Ok(source) => sources.push(source),
            Err(error) => {
                given.drop_with(vm);
                return Err(error);
            }
        }
    }
    Ok(sources.into_inner())
}

/// The greatest number that an iterator of native code begins to count at: no iterator ever gives as many items as are left.
const GREATEST_START: i64 = i64::MAX >> 1;

/// `enumerate(iterable, start)`, of a whole number.
pub(crate) fn enumerate(iterable: Value, start: Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let mut start = DropGuard::new(start, vm);
    let (first, vm) = start.as_parts_mut();
    let source = iterable.into_py_iter(vm)?.require_synchronous(vm)?;
    let native = match first {
        Value::Int(at @ ..=GREATEST_START) if !runs_code(&source, vm) => Some(*at),
        _ => None,
    };
    let (start, vm) = start.into_parts();
    let Some(at) = native else {
        return vm.frozen_generator(FrozenFunction::Lazy(Made::Enumerate), [source, start]);
    };
    Ok(Lazy::allocate(
        Made::Enumerate,
        Value::None,
        vec![source],
        at,
        vm,
    ))
}

/// `zip(*iterables, strict=…)`
pub(crate) fn zip(iterables: Vec<Value>, strict: bool, vm: &mut VM<'_>) -> RunResult<Value> {
    let sources = sources(iterables, vm)?;
    let made = if strict { Made::ZipStrict } else { Made::Zip };
    if !sources.iter().any(|source| runs_code(source, vm)) {
        return Ok(Lazy::allocate(made, Value::None, sources, 0, vm));
    }
    let sources = Value::Ref(vm.heap.allocate(HeapData::List(List::new(sources))));
    let function = FrozenFunction::Lazy(made);
    match strict {
        true => {
            let error = Value::Builtin(Builtins::ExcType(ExcType::ValueError));
            vm.frozen_generator(function, [sources, error])
        }
        false => vm.frozen_generator(function, [sources]),
    }
}

/// `map(function, *iterables)`, of one iterable at least.
pub(crate) fn map(function: Value, iterables: Vec<Value>, vm: &mut VM<'_>) -> RunResult<Value> {
    let mut function = DropGuard::new(function, vm);
    let (called, vm) = function.as_parts_mut();
    let mut sources = sources(iterables, vm)?;
    if !calls_code(called, vm) && !sources.iter().any(|source| runs_code(source, vm)) {
        let (function, vm) = function.into_parts();
        return Ok(Lazy::allocate(Made::Map, function, sources, 0, vm));
    }
    let (made, source) = if sources.len() == 1 {
        (Made::Map, sources.remove(0))
    } else {
        (Made::MapRows, zip(sources, false, vm)?)
    };
    let (function, vm) = function.into_parts();
    vm.frozen_generator(FrozenFunction::Lazy(made), [function, source, stop()])
}

/// `filter(function, iterable)`
pub(crate) fn filter(function: Value, iterable: Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let mut function = DropGuard::new(function, vm);
    let (called, vm) = function.as_parts_mut();
    let source = iterable.into_py_iter(vm)?.require_synchronous(vm)?;
    let runs = calls_code(called, vm) || runs_code(&source, vm);
    let (mut function, vm) = function.into_parts();
    if !runs {
        return Ok(Lazy::allocate(Made::Filter, function, vec![source], 0, vm));
    }
    if matches!(function, Value::None) {
        function = Value::Builtin(Builtins::Type(Type::Bool));
    }
    vm.frozen_generator(
        FrozenFunction::Lazy(Made::Filter),
        [function, source, stop()],
    )
}

/// `reversed(sequence)`, of what `is_native` has found to be a sequence of the interpreter, or of an instance.
pub(crate) fn reversed(sequence: Value, is_native: bool, vm: &mut VM<'_>) -> RunResult<Value> {
    if !is_native {
        return reversed_instance(sequence, vm);
    }
    let is_list = matches!(
        sequence.ref_id().map(|id| vm.heap.get(id)),
        Some(HeapData::List(_))
    );
    let list = if is_list {
        sequence
    } else {
        let items: Vec<Value> = collect_owned_iterable(sequence, vm)?;
        Value::Ref(vm.heap.allocate(HeapData::List(List::new(items))))
    };
    let at = length(&list, vm);
    Ok(Lazy::allocate(
        Made::Reversed,
        Value::None,
        vec![list],
        at,
        vm,
    ))
}

/// Returns an iterator over an instance with `__len__` and `__getitem__`.
fn reversed_instance(sequence: Value, vm: &mut VM<'_>) -> RunResult<Value> {
    let mut sequence = DropGuard::new(sequence, vm);
    let (value, vm) = sequence.as_parts_mut();
    let class = value.ref_id().and_then(|id| match vm.heap.get(id) {
        HeapData::Instance(instance) => Some(instance.class()),
        _ => None,
    });
    let is_sequence = class.is_some_and(|class| {
        class_defines(class, "__len__", vm) && class_defines(class, "__getitem__", vm)
    });
    let len = match value.ref_id().filter(|_| is_sequence) {
        Some(id) => special::len_of(id, vm)?,
        None => None,
    };
    let Some(len) = len else {
        return Err(ExcType::type_error_not_reversible(&value.py_type_name(vm)));
    };
    let (sequence, vm) = sequence.into_parts();
    vm.frozen_generator(FrozenFunction::Lazy(Made::Reversed), [sequence, len])
}

/// `iter(function, sentinel)`
pub(crate) fn until(function: Value, sentinel: Value, vm: &mut VM<'_>) -> RunResult<Value> {
    vm.frozen_generator(
        FrozenFunction::Lazy(Made::Iter),
        [function, sentinel, stop()],
    )
}

fn length(list: &Value, vm: &VM<'_>) -> i64 {
    match list.ref_id().map(|id| vm.heap.get(id)) {
        Some(HeapData::List(list)) => i64::try_from(list.len()).unwrap_or(i64::MAX),
        _ => 0,
    }
}

fn lazy<'a, 'h>(iter: &'a HeapReadMut<'h, ItertoolsIter>, vm: &'a VM<'h>) -> &'a Lazy {
    match iter.get(vm.heap) {
        ItertoolsIter::Lazy(lazy) => lazy,
        _ => unreachable!("dispatched on Kind::Lazy"),
    }
}

fn lazy_mut<'a, 'h>(iter: &'a HeapReadMut<'h, ItertoolsIter>, vm: &'a mut VM<'h>) -> &'a mut Lazy {
    match iter.get_mut(vm.heap) {
        ItertoolsIter::Lazy(lazy) => lazy,
        _ => unreachable!("dispatched on Kind::Lazy"),
    }
}

/// Returns the item that was asked for.
pub(super) fn next<'h>(
    iter: &HeapReadMut<'h, ItertoolsIter>,
    vm: &mut VM<'h>,
) -> RunResult<Option<Value>> {
    match lazy(iter, vm).made {
        Made::Enumerate => {
            let Some(item) = ask(iter, 0, vm)? else {
                return Ok(None);
            };
            let lazy = lazy_mut(iter, vm);
            let at = lazy.at;
            lazy.at = at + 1;
            Ok(Some(allocate_tuple(
                smallvec![Value::Int(at), item],
                vm.heap,
            )))
        }
        Made::Zip => Ok(row(iter, false, vm)?.map(|row| allocate_tuple(row, vm.heap))),
        Made::ZipStrict => Ok(row(iter, true, vm)?.map(|row| allocate_tuple(row, vm.heap))),
        Made::Map | Made::MapRows => {
            let args = if lazy(iter, vm).sources.len() == 1 {
                ask(iter, 0, vm)?.map(ArgValues::One)
            } else {
                row(iter, false, vm)?.map(arguments)
            };
            let Some(args) = args else {
                return Ok(None);
            };
            let function = lazy(iter, vm).function.clone_with_heap(vm.heap);
            defer_drop!(function, vm);
            called(function, args, vm)
        }
        Made::Filter => {
            let function = lazy(iter, vm).function.clone_with_heap(vm.heap);
            let source = lazy(iter, vm).sources[0].clone_with_heap(vm.heap);
            defer_drop!(function, vm);
            defer_drop!(source, vm);
            wanted(function, source, vm)
        }
        Made::Reversed => {
            let lazy = self::lazy(iter, vm);
            let at = usize::try_from(lazy.at - 1).ok();
            let item = match (at, lazy.sources[0].ref_id()) {
                (Some(at), Some(id)) => match vm.heap.get(id) {
                    HeapData::List(list) => list.as_slice().get(at),
                    _ => None,
                },
                _ => None,
            };
            let item = item.map(|item| item.clone_with_heap(vm.heap));
            // Without one it has ended, also where the list grows again.
            let at = at.filter(|_| item.is_some()).unwrap_or(0);
            lazy_mut(iter, vm).at = i64::try_from(at).unwrap_or(0);
            Ok(item)
        }
        Made::Iter | Made::Tool(_) => unreachable!("always a generator"),
    }
}

/// Does what the frame of a generator would do up to its next `yield`, for native code, which cannot wait for the host: this
/// is much faster. `None` where that takes the frame.
pub(crate) fn step(id: HeapId, made: Made, vm: &mut VM<'_>) -> Option<RunResult<Option<Value>>> {
    if !matches!(made, Made::Map | Made::Filter) {
        return None;
    }
    let HeapData::Coroutine(generator) = vm.heap.get(id) else {
        return None;
    };
    // The parameters are the first values, whether the frame has run or not.
    let [first, second, ..] = &generator.namespace[..] else {
        return None;
    };
    let function = first.clone_with_heap(vm.heap);
    let source = second.clone_with_heap(vm.heap);
    defer_drop!(function, vm);
    defer_drop!(source, vm);
    if made == Made::Filter {
        return Some(wanted(function, source, vm));
    }
    let item = match next_source(source, vm) {
        Ok(Some(item)) => item,
        Ok(None) => return Some(Ok(None)),
        Err(error) => return Some(Err(error)),
    };
    Some(called(function, ArgValues::One(item), vm))
}

/// Asks one of the sources for an item. One that is an adaptor itself may run code in which this iterator is dropped.
fn ask<'h>(
    iter: &HeapReadMut<'h, ItertoolsIter>,
    source: usize,
    vm: &mut VM<'h>,
) -> RunResult<Option<Value>> {
    let source = &lazy(iter, vm).sources[source];
    if let Some(id) = source.ref_id()
        && is_plain(vm.heap.get(id))
    {
        return vm.heap.read(id).py_next(vm);
    }
    next_item(source.clone_with_heap(vm.heap), vm)
}

/// Returns whether an iterator gives what a container holds, and runs no code.
fn is_plain(iterator: &HeapData) -> bool {
    matches!(
        iterator,
        HeapData::ListIterator(_)
            | HeapData::DequeIterator(_)
            | HeapData::TupleIterator(_)
            | HeapData::StringIterator(_)
            | HeapData::BytesIterator(_)
            | HeapData::RangeIterator(_)
            | HeapData::DictKeyIterator(_)
            | HeapData::DictItemIterator(_)
            | HeapData::DictValueIterator(_)
            | HeapData::SetIterator(_)
    )
}

/// Returns an item of each source; `None` if one has no more, or if there is no source.
///
/// # Errors
/// A `ValueError` if only some have no more, where that `is_strict`.
fn row<'h>(
    iter: &HeapReadMut<'h, ItertoolsIter>,
    is_strict: bool,
    vm: &mut VM<'h>,
) -> RunResult<Option<TupleVec>> {
    let count = lazy(iter, vm).sources.len();
    let mut row = DropGuard::new(TupleVec::with_capacity(count), vm);
    for at in 0..count {
        let (items, vm) = row.as_parts_mut();
        if let Some(item) = ask(iter, at, vm)? {
            items.push(item);
            continue;
        }
        if is_strict && at > 0 {
            return Err(length_error(at + 1, "shorter"));
        }
        for other in if is_strict { 1..count } else { 0..0 } {
            if let Some(item) = ask(iter, other, vm)? {
                item.drop_with(vm);
                return Err(length_error(other + 1, "longer"));
            }
        }
        return Ok(None);
    }
    let row = row.into_inner();
    Ok((count > 0).then_some(row))
}

/// Returns the error of an iterable, counted from one, that has not as many items as those before it.
fn length_error(at: usize, relation: &str) -> RunError {
    let others = match at {
        2 => String::from("argument 1"),
        _ => format!("arguments 1-{}", at - 1),
    };
    let message = format!("zip() argument {at} is {relation} than {others}");
    SimpleException::new_msg(ExcType::ValueError, message).into()
}

fn arguments(row: TupleVec) -> ArgValues {
    let mut row = row.into_vec();
    match (row.pop(), row.pop(), row.is_empty()) {
        (Some(second), Some(first), true) => ArgValues::Two(first, second),
        (last, before, _) => {
            row.extend(before);
            row.extend(last);
            ArgValues::ArgsKargs {
                args: row,
                kwargs: KwargsValues::Empty,
            }
        }
    }
}

/// Returns what a function gives; `None` if it raises `StopIteration`.
fn called(function: &Value, args: ArgValues, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    match vm.evaluate_function(function, args) {
        Ok(item) => Ok(Some(item)),
        Err(error) if error.is_stop_iteration() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Asks a source for items until the function wants one.
fn wanted(function: &Value, source: &Value, vm: &mut VM<'_>) -> RunResult<Option<Value>> {
    let mut steps = 0usize;
    loop {
        vm.heap.tracker.check_time_every(steps)?;
        steps += 1;
        let (asked, function) = (
            source.clone_with_heap(vm.heap),
            function.clone_with_heap(vm.heap),
        );
        let tested = next_tested(function, asked, vm, |function, item, vm| match function {
            Value::None => item.py_bool(vm),
            function => call_predicate(function, item, vm),
        });
        match tested {
            Ok(Some((item, true))) => return Ok(Some(item)),
            Ok(Some((item, false))) => item.drop_with(vm),
            Ok(None) => return Ok(None),
            Err(error) if error.is_stop_iteration() => return Ok(None),
            Err(error) => return Err(error),
        }
    }
}
