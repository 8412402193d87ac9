//! Iterators of `itertools` over a generator, which may ask the host for each of its items: generators of the Python code below.

use serde::{Deserialize, Serialize};

use crate::{
    args::{ArgValues, KwargsValues},
    builtins::Builtins,
    bytecode::VM,
    exception_private::{ExcType, RunResult},
    frozen::FrozenFunction,
    heap::{DropGuard, HeapData},
    types::{
        List, Type,
        itertools::lazy::{self, Made},
    },
    value::Value,
};

/// The type of `itertools` that an iterator is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Tool {
    Accumulate,
    Batched,
    Chain,
    ChainFromIterable,
    Compress,
    Cycle,
    DropWhile,
    FilterFalse,
    Islice,
    Pairwise,
    StarMap,
    TakeWhile,
    ZipLongest,
}

impl Tool {
    fn of(type_: Type) -> Option<Self> {
        Some(match type_ {
            Type::ItertoolsAccumulate => Self::Accumulate,
            Type::ItertoolsBatched => Self::Batched,
            Type::ItertoolsChain => Self::Chain,
            Type::ItertoolsCompress => Self::Compress,
            Type::ItertoolsCycle => Self::Cycle,
            Type::ItertoolsDropWhile => Self::DropWhile,
            Type::ItertoolsFilterFalse => Self::FilterFalse,
            Type::ItertoolsIslice => Self::Islice,
            Type::ItertoolsPairwise => Self::Pairwise,
            Type::ItertoolsStarMap => Self::StarMap,
            Type::ItertoolsTakeWhile => Self::TakeWhile,
            Type::ItertoolsZipLongest => Self::ZipLongest,
            _ => return None,
        })
    }

    pub(crate) fn py_type(self) -> Type {
        match self {
            Self::Accumulate => Type::ItertoolsAccumulate,
            Self::Batched => Type::ItertoolsBatched,
            Self::Chain | Self::ChainFromIterable => Type::ItertoolsChain,
            Self::Compress => Type::ItertoolsCompress,
            Self::Cycle => Type::ItertoolsCycle,
            Self::DropWhile => Type::ItertoolsDropWhile,
            Self::FilterFalse => Type::ItertoolsFilterFalse,
            Self::Islice => Type::ItertoolsIslice,
            Self::Pairwise => Type::ItertoolsPairwise,
            Self::StarMap => Type::ItertoolsStarMap,
            Self::TakeWhile => Type::ItertoolsTakeWhile,
            Self::ZipLongest => Type::ItertoolsZipLongest,
        }
    }

    /// Returns the generator function. `args` are the positional arguments, `more` is the keyword that a tool may have.
    pub(crate) fn source(self) -> &'static str {
        match self {
            Self::Accumulate => {
                r"
def accumulate(args, more, is_given, stop):
    source, *function = args
    function = function[0] if function else None
    total = more
    if is_given:
        yield total
    for item in source:
        if not is_given:
            total, is_given = item, True
        elif function is None:
            total = total + item
        else:
            try:
                total = function(total, item)
            except stop:
                return
        yield total
"
            }
            Self::Batched => {
                r"
def batched(args, more, is_given, stop):
    source, size = args
    batch = []
    left = size
    for item in source:
        batch.append(item)
        left -= 1
        if not left:
            yield (*batch,)
            batch = []
            left = size
    if batch:
        yield (*batch,)
"
            }
            Self::Chain => {
                r"
def chain(args, more, is_given, stop):
    for source in args:
        for item in source:
            yield item
"
            }
            Self::ChainFromIterable => {
                r"
def chain(args, more, is_given, stop):
    for source in args[0]:
        for item in source:
            yield item
"
            }
            Self::Compress => {
                r"
def compress(args, more, is_given, stop):
    source, selectors = args
    for item in source:
        for is_wanted in selectors:
            break
        else:
            return
        if is_wanted:
            yield item
"
            }
            Self::Cycle => {
                r"
def cycle(args, more, is_given, stop):
    items = []
    for item in args[0]:
        yield item
        items.append(item)
    while items:
        for item in items:
            yield item
"
            }
            Self::DropWhile => {
                r"
def dropwhile(args, more, is_given, stop):
    predicate, source = args
    is_dropping = True
    for item in source:
        if is_dropping:
            try:
                is_dropping = predicate(item)
            except stop:
                return
            if is_dropping:
                continue
        yield item
"
            }
            Self::FilterFalse => {
                r"
def filterfalse(args, more, is_given, stop):
    predicate, source = args
    for item in source:
        try:
            is_left = predicate(item) if predicate is not None else item
        except stop:
            return
        if not is_left:
            yield item
"
            }
            Self::Islice => {
                r"
def islice(args, more, is_given, stop):
    source, start, end, step = args
    at, wanted, step = 0, start or 0, step or 1
    while True:
        while at < wanted:
            for item in source:
                break
            else:
                return
            at += 1
        if end is not None and at >= end:
            return
        for item in source:
            break
        else:
            return
        at += 1
        wanted += step
        if end is not None and wanted > end:
            wanted = end
        yield item
"
            }
            Self::Pairwise => {
                r"
def pairwise(args, more, is_given, stop):
    is_first = True
    for item in args[0]:
        if not is_first:
            yield (before, item)
        before, is_first = item, False
"
            }
            Self::StarMap => {
                r"
def starmap(args, more, is_given, stop):
    function, source = args
    for item in source:
        try:
            item = function(*item)
        except stop:
            return
        yield item
"
            }
            Self::TakeWhile => {
                r"
def takewhile(args, more, is_given, stop):
    predicate, source = args
    for item in source:
        try:
            is_wanted = predicate(item)
        except stop:
            return
        if not is_wanted:
            return
        yield item
"
            }
            Self::ZipLongest => {
                r"
def zip_longest(args, more, is_given, stop):
    ended = [False for source in args]
    left = 0
    for source in args:
        left += 1
    while left:
        row = []
        at = -1
        for source in args:
            at += 1
            if not ended[at]:
                for item in source:
                    row.append(item)
                    break
                else:
                    ended[at] = True
                    left -= 1
                    row.append(more)
            else:
                row.append(more)
        if not left:
            return
        yield (*row,)
"
            }
        }
    }

    /// Returns whether these are arguments as the Python code takes them. Others are an error, or nothing that waits.
    fn takes(self, args: &[&Value], name: Option<&str>) -> bool {
        let is_bound = |value: &&Value| matches!(value, Value::Int(0..) | Value::None);
        let count = match self {
            Self::Accumulate => (1..=2).contains(&args.len()),
            Self::Batched => matches!(args, [_, Value::Int(1..)]),
            Self::Chain | Self::ZipLongest => !args.is_empty(),
            Self::ChainFromIterable | Self::Cycle | Self::Pairwise => args.len() == 1,
            Self::Islice => {
                (2..=4).contains(&args.len())
                    && args[1..].iter().all(is_bound)
                    && !matches!(args.get(3), Some(Value::Int(0)))
            }
            _ => args.len() == 2,
        };
        count
            && match name {
                None => true,
                Some("initial") => self == Self::Accumulate,
                Some("fillvalue") => self == Self::ZipLongest,
                Some(_) => false,
            }
    }
}

/// Returns the iterator that a type of `itertools` makes where one of its arguments is a generator; else gives the arguments back.
pub(crate) fn construct(
    type_: Type,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> Result<RunResult<Value>, ArgValues> {
    match Tool::of(type_) {
        Some(tool) => made(tool, args, vm),
        None => Err(args),
    }
}

/// Returns the iterator of one of the tools where one of the arguments is a generator; else gives the arguments back.
pub(crate) fn made(
    tool: Tool,
    args: ArgValues,
    vm: &mut VM<'_>,
) -> Result<RunResult<Value>, ArgValues> {
    let (positional, named) = match &args {
        ArgValues::One(one) => (vec![one], None),
        ArgValues::Two(one, two) => (vec![one, two], None),
        ArgValues::ArgsKargs { args, kwargs } => (args.iter().collect(), Some(kwargs)),
        ArgValues::Empty | ArgValues::Kwargs(_) => return Err(args),
    };
    let name = match named {
        None | Some(KwargsValues::Empty) => None,
        Some(KwargsValues::Inline(named)) => match &named[..] {
            [(name, _)] => Some(vm.interns.get_str(*name)),
            _ => return Err(args),
        },
        Some(_) => return Err(args),
    };
    let is_generator = |value: &&Value| value.ref_id().is_some_and(|id| vm.is_generator(id));
    if !positional.iter().any(is_generator) || !tool.takes(&positional, name) {
        return Err(args);
    }
    Ok(generator(tool, args, vm))
}

fn generator(tool: Tool, args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let (positional, named) = args.into_parts();
    let mut more = Value::None;
    let mut is_given = false;
    for (name, value) in named {
        name.drop_with(vm);
        more = value;
        is_given = true;
    }
    let mut more = DropGuard::new(more, vm);
    let (_, vm) = more.as_parts_mut();
    let mut items = match tool {
        Tool::Compress | Tool::ZipLongest => lazy::sources(positional.collect(), vm)?,
        _ => positional.collect(),
    };
    if tool == Tool::Islice {
        // The end alone, or the start before it.
        if items.len() == 2 {
            items.insert(1, Value::None);
        }
        items.resize_with(4, || Value::None);
    }
    let (more, vm) = more.into_parts();
    let args = Value::Ref(vm.heap.allocate(HeapData::List(List::new(items))));
    let stop = Value::Builtin(Builtins::ExcType(ExcType::StopIteration));
    vm.frozen_generator(
        FrozenFunction::Lazy(Made::Tool(tool)),
        [args, more, Value::Bool(is_given), stop],
    )
}
