//! `collections.OrderedDict`: a dict whose kind says so. Two of them are equal only if they have the same order.

use std::fmt::Write;

use crate::{
    args::{ArgValues, FromArgs},
    bytecode::VM,
    defer_drop, defer_drop_mut,
    exception_private::{ExcType, ExcTypeExt as _, RunResult, SimpleException},
    heap::{DropGuard, DropWithContext as _, HeapObjectRead, HeapRead, HeapReadOutput},
    types::{
        Dict, LazyHeapSet, PyTrait as _,
        dict::{DictKind, dict_clear, dict_fromkeys, dict_popitem},
    },
    value::{EitherStr, VALUE_SIZE, Value},
};

/// The methods that it has beside those of `dict`, or that take more than those.
pub(crate) const METHODS: [&str; 5] = ["fromkeys", "move_to_end", "pop", "popitem", "setdefault"];

/// `OrderedDict([source], **kwargs)`
pub(crate) fn init(vm: &mut VM<'_>, args: ArgValues) -> RunResult<Value> {
    let made = Dict::init(vm, args)?;
    if let Some(HeapReadOutput::Dict(dict)) = made.read_heap(vm) {
        dict.get_mut(vm.heap).set_kind(DictKind::ordered());
    }
    Ok(made)
}

/// Returns the kind of what `|` makes of two dicts, if one of them is ordered.
pub(crate) fn of_union(left: &Dict, right: &Dict) -> Option<DictKind> {
    let is_ordered =
        left.is_ordered() || (right.is_ordered() && !left.is_defaultdict() && !left.is_counter());
    is_ordered.then(DictKind::ordered)
}

/// Returns whether two dicts have the same items in the same order.
pub(crate) fn same_order<'h>(
    left: &HeapObjectRead<'h, Dict>,
    right: &HeapRead<'h, Dict>,
    vm: &mut VM<'h>,
) -> RunResult<bool> {
    if left.get(vm.heap).len() != right.get(vm.heap).len() {
        return Ok(false);
    }
    let (left, right) = (left.iter(vm)?, right.iter(vm)?);
    defer_drop_mut!(left, vm);
    defer_drop_mut!(right, vm);
    while let (Some((key, value)), Some((other_key, other))) =
        (left.next_owned(vm)?, right.next_owned(vm)?)
    {
        let pairs = [key, value, other_key, other];
        defer_drop!(pairs, vm);
        let [key, value, other_key, other] = pairs;
        if !key.py_eq(other_key, vm)? || !value.py_eq(other, vm)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes its text as since Python 3.12: `OrderedDict({'a': 1})`.
pub(crate) fn write<'h>(
    dict: &HeapRead<'h, Dict>,
    f: &mut impl Write,
    vm: &mut VM<'h>,
    heap_ids: &mut LazyHeapSet,
) -> RunResult<()> {
    if dict.get(vm.heap).is_empty() {
        return Ok(f.write_str("OrderedDict()")?);
    }
    f.write_str("OrderedDict(")?;
    dict.write_map_repr(f, vm, heap_ids)?;
    Ok(f.write_char(')')?)
}

#[derive(FromArgs)]
#[from_args(name = "move_to_end")]
struct MoveToEnd {
    key: Value,
    #[from_args(default = Value::Bool(true))]
    last: Value,
}

#[derive(FromArgs)]
#[from_args(name = "popitem")]
struct PopItem {
    #[from_args(default = Value::Bool(true))]
    last: Value,
}

#[derive(FromArgs)]
#[from_args(name = "pop")]
struct Pop {
    key: Value,
    #[from_args(default)]
    default: Option<Value>,
}

#[derive(FromArgs)]
#[from_args(name = "setdefault")]
struct SetDefault {
    key: Value,
    #[from_args(default = Value::None)]
    default: Value,
}

/// Calls one of [`METHODS`].
pub(crate) fn call<'h>(
    dict: &HeapObjectRead<'h, Dict>,
    name: &EitherStr,
    args: ArgValues,
    vm: &mut VM<'h>,
) -> RunResult<Value> {
    match name.as_str(vm.interns) {
        "fromkeys" => dict_fromkeys(args, DictKind::ordered(), vm),
        "move_to_end" => move_to_end(dict, MoveToEnd::from_args(args, vm)?, vm),
        "popitem" => pop_item(dict, PopItem::from_args(args, vm)?, vm),
        "pop" => pop(dict, Pop::from_args(args, vm)?, vm),
        _ => set_default(dict, SetDefault::from_args(args, vm)?, vm),
    }
}

fn move_to_end<'h>(
    dict: &HeapObjectRead<'h, Dict>,
    args: MoveToEnd,
    vm: &mut VM<'h>,
) -> RunResult<Value> {
    let MoveToEnd { key, last } = args;
    defer_drop!(key, vm);
    defer_drop!(last, vm);
    let is_last = last.py_bool(vm)?;
    let Some((key, value)) = dict.pop(key, vm)? else {
        return Err(ExcType::key_error(key, vm));
    };
    let mut behind = DropGuard::new(Vec::new(), vm);
    let (behind, vm) = behind.as_parts_mut();
    behind.push((key, value));
    if !is_last {
        // All others go behind it.
        let count = dict.get(vm.heap).len();
        vm.heap
            .tracker
            .check_allocation(count.saturating_mul(2 * VALUE_SIZE))?;
        behind.extend(dict.clone_all_pairs(vm)?);
        dict_clear(dict, vm);
    }
    for (key, value) in behind.drain(..) {
        dict.set(key, value, vm)?.drop_with(vm);
    }
    Ok(Value::None)
}

fn pop_item<'h>(
    dict: &HeapObjectRead<'h, Dict>,
    args: PopItem,
    vm: &mut VM<'h>,
) -> RunResult<Value> {
    let last = args.last;
    defer_drop!(last, vm);
    let is_last = last.py_bool(vm)?;
    if dict.get(vm.heap).is_empty() {
        return Err(SimpleException::new_msg(ExcType::KeyError, "dictionary is empty").into());
    }
    dict_popitem(dict, is_last, vm)
}

fn pop<'h>(dict: &HeapObjectRead<'h, Dict>, args: Pop, vm: &mut VM<'h>) -> RunResult<Value> {
    let Pop { key, default } = args;
    defer_drop!(key, vm);
    let mut default = DropGuard::new(default, vm);
    if let Some((key, value)) = dict.pop(key, default.ctx())? {
        key.drop_with(default.ctx());
        return Ok(value);
    }
    let (default, vm) = default.into_parts();
    default.ok_or_else(|| ExcType::key_error(key, vm))
}

fn set_default<'h>(
    dict: &HeapObjectRead<'h, Dict>,
    args: SetDefault,
    vm: &mut VM<'h>,
) -> RunResult<Value> {
    let SetDefault { key, default } = args;
    let mut given = DropGuard::new((key, default), vm);
    let ((key, _), vm) = given.as_parts();
    if let Some(value) = dict.dict_get(key, vm)? {
        return Ok(value);
    }
    let ((key, default), vm) = given.into_parts();
    let kept = default.clone_with_heap(vm.heap);
    let mut kept = DropGuard::new(kept, vm);
    let replaced = dict.set(key, default, kept.ctx())?;
    replaced.drop_with(kept.ctx());
    Ok(kept.into_inner())
}
