//! Generators that builtin functions, methods and instructions take whole: a frame of internal code goes through them first,
//! in which they can wait for the host.

use serde::{Deserialize, Serialize};

use super::VM;
use crate::{
    args::{ArgPosIter, ArgValues, KwargsValues},
    asyncio::CoroutineState,
    builtins::{Builtins, BuiltinsFunctions},
    bytecode::CallResult,
    defer_drop,
    exception_private::RunResult,
    frozen::FrozenFunction,
    heap::{DropGuard, HeapData, HeapId},
    intern::StaticStrings,
    modules::{ModuleFunctions, classes::ClassFunctions},
    types::{
        Dict, List, PyTrait as _, Type,
        itertools::lazy::{self, Made},
        method_values,
    },
    value::{EitherStr, Value},
};

/// A function of internal code that takes all items of a generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Gathering {
    List,
    Tuple,
    Set,
    Sum,
    Min,
    Max,
    Any,
    All,
    /// Calls a function with a list of the items, and what else it was given.
    Then,
    /// Calls a function with a list of what the function of a `map` gives, and what else it was given.
    ThenMapped,
    /// Calls a function with each of the items.
    Each,
    /// Calls a function with a tuple of each of the items.
    Apart,
    /// Adds each of the items to a list, which is the result.
    Grown,
    /// Looks for a value.
    Contains,
    /// Returns an iterator over no more items than an assignment needs to know that there are too many.
    Some,
    /// Calls a host function with lists in place of iterators.
    Give,
}

impl Gathering {
    pub(crate) fn source(self) -> &'static str {
        match self {
            Self::List => "def list(source):\n    return [item for item in source]\n",
            Self::Tuple => "def tuple(source):\n    return (*[item for item in source],)\n",
            Self::Set => "def set(source):\n    return {item for item in source}\n",
            Self::Sum => {
                "def sum(source, start):\n    return _rlm_sum_of((item for item in source), start)\n"
            }
            Self::Min => "def min(source):\n    return _rlm_min_of(item for item in source)\n",
            Self::Max => "def max(source):\n    return _rlm_max_of(item for item in source)\n",
            Self::Any => "def any(source):\n    return _rlm_any(item for item in source)\n",
            Self::All => "def all(source):\n    return _rlm_all(item for item in source)\n",
            Self::Then => {
                r"
def then(function, source, args, named):
    return function([item for item in source], *args, **named)
"
            }
            // `StopIteration` of the function ends a `map`.
            Self::ThenMapped => {
                r"
def then_mapped(outer, args, named, function, source, stop):
    items = []
    try:
        for item in source:
            items.append(function(item))
    except stop:
        pass
    return outer(items, *args, **named)
"
            }
            Self::Each => {
                r"
def each(function, source):
    for item in source:
        function(item)
"
            }
            Self::Apart => {
                r"
def apart(function, source):
    for item in source:
        function((item,))
"
            }
            Self::Grown => {
                r"
def grown(items, append, source):
    for item in source:
        append(item)
    return items
"
            }
            Self::Contains => {
                r"
def contains(wanted, source, found):
    for item in source:
        if item is wanted or item == wanted:
            return found
    return not found
"
            }
            Self::Some => {
                r"
def some(source, most, iter):
    items = []
    for item in source:
        items.append(item)
        most -= 1
        if most < 0:
            break
    return iter(items)
"
            }
            Self::Give => {
                r"
def give(function, args, named, is_iterator):
    return function(
        *[[item for item in arg] if is_iterator(arg) else arg for arg in args],
        **{name: [item for item in arg] if is_iterator(arg) else arg for name, arg in named.items()},
    )
"
            }
        }
    }
}

/// Returns how a builtin function takes the items of its first argument, if it takes all of them before a script can see any.
fn way(builtin: Builtins) -> Option<Gathering> {
    Some(match builtin {
        Builtins::Function(function) => match function {
            BuiltinsFunctions::Sum => Gathering::Sum,
            BuiltinsFunctions::Min => Gathering::Min,
            BuiltinsFunctions::Max => Gathering::Max,
            BuiltinsFunctions::Any => Gathering::Any,
            BuiltinsFunctions::All => Gathering::All,
            BuiltinsFunctions::Sorted => Gathering::Then,
            _ => return None,
        },
        Builtins::Type(of) => match of {
            Type::List => Gathering::List,
            Type::Tuple => Gathering::Tuple,
            Type::Set => Gathering::Set,
            Type::FrozenSet | Type::Dict | Type::OrderedDict | Type::Counter | Type::Deque => {
                Gathering::Then
            }
            _ => return None,
        },
        Builtins::ExcType(_) => return None,
    })
}

impl<'h> VM<'h> {
    fn is_generator_value(&self, value: &Value) -> bool {
        value.ref_id().is_some_and(|id| self.is_generator(id))
    }

    /// Calls a builtin function.
    #[inline]
    pub(super) fn call_builtin(
        &mut self,
        builtin: Builtins,
        args: ArgValues,
    ) -> RunResult<CallResult> {
        match self.gather(builtin, args) {
            Ok(result) => result,
            Err(args) => builtin.call(self, args),
        }
    }

    /// Goes through the generator that a builtin function is given, and calls the function where that takes more than the
    /// items. Gives the arguments back if there is no generator, or if the function asks for one item after the other.
    fn gather(
        &mut self,
        builtin: Builtins,
        args: ArgValues,
    ) -> Result<RunResult<CallResult>, ArgValues> {
        let Some(way) = way(builtin) else {
            return Err(args);
        };
        let first = match &args {
            ArgValues::One(first) | ArgValues::Two(first, _) => Some(first),
            ArgValues::ArgsKargs { args, .. } => args.first(),
            _ => None,
        };
        if !first.is_some_and(|first| self.is_generator_value(first)) {
            return Err(args);
        }
        Ok(match (way, args) {
            (Gathering::Sum, ArgValues::One(source)) => {
                self.call_frozen_exact(FrozenFunction::Gathering(way), [source, Value::Int(0)])
            }
            (Gathering::Sum, ArgValues::Two(source, start @ (Value::Int(_) | Value::Float(_)))) => {
                self.call_frozen_exact(FrozenFunction::Gathering(way), [source, start])
            }
            // Several arguments are those that are compared.
            (Gathering::Min | Gathering::Max, args @ ArgValues::Two(..)) => return Err(args),
            (Gathering::Min | Gathering::Max, args @ ArgValues::ArgsKargs { .. })
                if positional(&args) > 1 =>
            {
                return Err(args);
            }
            (Gathering::Sum | Gathering::Then, args) => {
                self.gather_then(Value::Builtin(builtin), args)
            }
            (Gathering::List, ArgValues::One(source)) => self.gather_list(source),
            (way, ArgValues::One(source)) => {
                self.call_frozen_exact(FrozenFunction::Gathering(way), [source])
            }
            (_, args) => self.gather_then(Value::Builtin(builtin), args),
        })
    }

    /// Does so for methods of builtin types.
    pub(super) fn gather_for_method(
        &mut self,
        object: &Value,
        name: &EitherStr,
        args: ArgValues,
    ) -> Result<RunResult<CallResult>, ArgValues> {
        let ArgValues::One(source) = &args else {
            return Err(args);
        };
        if !self.is_generator_value(source) {
            return Err(args);
        }
        let each = match (object.py_type(self), name.as_str(self.interns)) {
            (Type::Str | Type::Bytes, "join")
            | (Type::Set | Type::FrozenSet, "union" | "intersection" | "difference")
            | (Type::Set | Type::FrozenSet, "symmetric_difference" | "issubset" | "issuperset") => {
                None
            }
            (Type::List | Type::Deque, "extend") => Some(StaticStrings::Append),
            (Type::Deque, "extendleft") => Some(StaticStrings::Appendleft),
            (Type::Set, "update") => Some(StaticStrings::Add),
            (Type::Dict | Type::DefaultDict | Type::OrderedDict | Type::Counter, "update") => {
                Some(StaticStrings::Update)
            }
            _ => return Err(args),
        };
        let called = each.map(|each| EitherStr::Interned(self.interns.intern_static(each)));
        let Some(method) = method_values::read(object, called.as_ref().unwrap_or(name), self)
        else {
            return Err(args);
        };
        let way = match each {
            Some(StaticStrings::Update) => Gathering::Apart,
            _ => Gathering::Each,
        };
        Ok(match (each, args) {
            (Some(_), ArgValues::One(source)) => {
                self.call_frozen_exact(FrozenFunction::Gathering(way), [method, source])
            }
            (_, args) => self.gather_then(method, args),
        })
    }

    /// Returns the function and the source of a `map` that does not run, as [`Gathering::ThenMapped`] takes them. It is consumed.
    fn mapping(&mut self, generator: Value) -> Result<[Value; 3], Value> {
        let Some(id) = generator.ref_id() else {
            return Err(generator);
        };
        let HeapData::Coroutine(coroutine) = self.heap.get(id) else {
            return Err(generator);
        };
        let is_map = lazy::made_by(coroutine.func_id, self.interns) == Some(Made::Map)
            && coroutine.state == CoroutineState::New;
        // The parameters are the first values.
        let [function, source, stop, ..] = &coroutine.namespace[..] else {
            return Err(generator);
        };
        if !is_map {
            return Err(generator);
        }
        let parts = [function, source, stop].map(|part| part.clone_with_heap(self.heap));
        generator.drop_with(self);
        Ok(parts)
    }

    fn gather_list(&mut self, source: Value) -> RunResult<CallResult> {
        match self.mapping(source) {
            Ok(mapped) => {
                let (positional, named) = ArgValues::Empty.into_parts();
                let mut mapped = DropGuard::new(mapped, self);
                let packed = mapped.ctx().packed(positional, named)?;
                let (mapped, vm) = mapped.into_parts();
                vm.then_mapped(Value::Builtin(Builtins::Type(Type::List)), packed, mapped)
            }
            Err(source) => {
                self.call_frozen_exact(FrozenFunction::Gathering(Gathering::List), [source])
            }
        }
    }

    /// Calls a function with a list of what its first argument gives.
    fn gather_then(&mut self, function: Value, args: ArgValues) -> RunResult<CallResult> {
        let (mut positional, named) = args.into_parts();
        let source = positional.next().unwrap_or(Value::None);
        let mut called = DropGuard::new((function, source), self);
        let [args, named] = called.ctx().packed(positional, named)?;
        let ((function, source), vm) = called.into_parts();
        match vm.mapping(source) {
            Ok(mapped) => vm.then_mapped(function, [args, named], mapped),
            Err(source) => vm.call_frozen_exact(
                FrozenFunction::Gathering(Gathering::Then),
                [function, source, args, named],
            ),
        }
    }

    fn then_mapped(
        &mut self,
        outer: Value,
        [args, named]: [Value; 2],
        [function, source, stop]: [Value; 3],
    ) -> RunResult<CallResult> {
        self.call_frozen_exact(
            FrozenFunction::Gathering(Gathering::ThenMapped),
            [outer, args, named, function, source, stop],
        )
    }

    /// Returns a list of positional arguments and a dict of the others.
    fn packed(&mut self, positional: ArgPosIter, named: KwargsValues) -> RunResult<[Value; 2]> {
        let args = List::new(positional.collect());
        let args = Value::Ref(self.heap.allocate(HeapData::List(args)));
        let mut args = DropGuard::new(args, self);
        let (_, vm) = args.as_parts_mut();
        let named = Dict::from_pairs(named.into_iter().collect(), vm)?;
        let named = Value::Ref(vm.heap.allocate(HeapData::Dict(named)));
        Ok([args.into_inner(), named])
    }

    /// Calls a host function with lists in place of the iterators that it was given; gives the arguments back if there is none.
    pub(crate) fn give(
        &mut self,
        function: HeapId,
        args: ArgValues,
    ) -> Result<RunResult<CallResult>, ArgValues> {
        if !any(&args, |arg| is_iterator(arg, self)) {
            return Err(args);
        }
        self.heap.inc_ref(function);
        Ok(self.give_lists(Value::Ref(function), args))
    }

    fn give_lists(&mut self, function: Value, args: ArgValues) -> RunResult<CallResult> {
        let (positional, named) = args.into_parts();
        let mut function = DropGuard::new(function, self);
        let [args, named] = function.ctx().packed(positional, named)?;
        let (function, vm) = function.into_parts();
        let is_iterator =
            Value::ModuleFunction(ModuleFunctions::Classes(ClassFunctions::IsIterator));
        vm.call_frozen_exact(
            FrozenFunction::Gathering(Gathering::Give),
            [function, args, named, is_iterator],
        )
    }

    /// Replaces the generator on top of the stack by a list of its items, and has the instruction run again. Returns whether
    /// there is one.
    pub(super) fn gather_top(&mut self) -> RunResult<bool> {
        if !self.is_generator_value(self.peek()) {
            return Ok(false);
        }
        self.run_again();
        let source = self.pop();
        self.gather_list(source)?;
        Ok(true)
    }

    /// Adds what the generator on top of the stack gives to the list below it, which stays there. Returns whether there are
    /// these two.
    pub(super) fn gather_into(&mut self) -> RunResult<bool> {
        let below = self.stack.len().wrapping_sub(2);
        if !self.is_generator_value(self.peek())
            || !matches!(self.stack[below].py_type(self), Type::List | Type::Deque)
        {
            return Ok(false);
        }
        let append = EitherStr::Interned(self.interns.intern_static(StaticStrings::Append));
        let target = self.stack[below].clone_with_heap(self.heap);
        let Some(append) = method_values::read(&target, &append, self) else {
            target.drop_with(self);
            return Ok(false);
        };
        let source = self.pop();
        self.pop().drop_with(self);
        self.call_frozen_exact(
            FrozenFunction::Gathering(Gathering::Grown),
            [target, append, source],
        )?;
        Ok(true)
    }

    /// Looks in the generator on top of the stack for the value below it. Returns whether there is one.
    pub(super) fn gather_for(&mut self, found: bool) -> RunResult<bool> {
        if !self.is_generator_value(self.peek()) {
            return Ok(false);
        }
        let source = self.pop();
        let wanted = self.pop();
        self.call_frozen_exact(
            FrozenFunction::Gathering(Gathering::Contains),
            [wanted, source, Value::Bool(found)],
        )?;
        Ok(true)
    }

    /// Replaces the generator on top of the stack by an iterator over as many items as an assignment to `count` targets looks
    /// at, and has the instruction run again. Returns whether there is one.
    pub(super) fn gather_some(&mut self, count: usize) -> RunResult<bool> {
        if !self.is_generator_value(self.peek()) {
            return Ok(false);
        }
        self.run_again();
        let source = self.pop();
        let most = Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
        let iter = Value::Builtin(Builtins::Type(Type::Iterator));
        self.call_frozen_exact(
            FrozenFunction::Gathering(Gathering::Some),
            [source, most, iter],
        )?;
        Ok(true)
    }
}

/// Returns whether one of the arguments is such.
fn any(args: &ArgValues, is_such: impl Fn(&Value) -> bool) -> bool {
    let (positional, named) = match args {
        ArgValues::Empty => return false,
        ArgValues::One(one) => return is_such(one),
        ArgValues::Two(one, two) => return is_such(one) || is_such(two),
        ArgValues::Kwargs(named) => (&[][..], named),
        ArgValues::ArgsKargs { args, kwargs } => (&args[..], kwargs),
    };
    positional.iter().any(&is_such)
        || match named {
            KwargsValues::Empty => false,
            KwargsValues::Inline(named) => named.iter().any(|(_, value)| is_such(value)),
            KwargsValues::Pairs(named) => named.iter().any(|(_, value)| is_such(value)),
            KwargsValues::Dict(named) => named.iter().any(|(_, value)| is_such(value)),
        }
}

fn positional(args: &ArgValues) -> usize {
    match args {
        ArgValues::ArgsKargs { args, .. } => args.len(),
        _ => 0,
    }
}

/// Returns whether a host is given a list of the items of a value, which gives them once or has them nowhere.
pub(crate) fn is_iterator(value: &Value, vm: &VM<'_>) -> bool {
    value.ref_id().is_some_and(|id| {
        vm.is_generator(id)
            || matches!(vm.heap.get(id), HeapData::Range(_))
            || !matches!(vm.heap.get(id), HeapData::OpenFile(_)) && value.py_type(vm).is_iterator()
    })
}

/// `is_iterator` for internal code.
pub(crate) fn call_is_iterator(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let value = args.get_one_arg("is_iterator", vm.heap)?;
    defer_drop!(value, vm);
    Ok(Value::Bool(is_iterator(value, vm)))
}
