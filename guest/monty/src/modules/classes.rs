//! Builtin functions that the interpreter lacks: those that make classes and descriptors in them, and others.

mod inspection;

use crate::{
    args::ArgValues,
    builtins::{Builtins, BuiltinsFunctions},
    bytecode::{CallResult, VM, gathering},
    defer_drop,
    exception_objects::{self, traceback},
    exception_private::{ExcType, ExcTypeExt, RunError, RunResult, SimpleException},
    heap::{DropWithContext as _, HeapData, HeapReadOutput},
    modules::ModuleFunctions,
    types::{
        List, Type,
        class::{bases, creation, meta},
        deletion,
        descriptor::{self, Descriptor},
        instance::{class_name, members},
        itertools::lazy,
        str::allocate_string,
    },
    value::{EitherStr, Value},
};

/// The name under which the statement `class Name(…)` finds [`ClassFunctions::WithBases`]. A script cannot write it.
pub(crate) const WITH_BASES: &str = "<bases>";

/// The name under which `raise … from` finds [`ClassFunctions::WithCause`].
pub(crate) const WITH_CAUSE: &str = "<with cause>";

/// The names under which `del` finds [`ClassFunctions::DeleteItem`] and [`ClassFunctions::Delattr`].
pub(crate) const DELETE_ITEM: &str = "<delete item>";
pub(crate) const DELETE_ATTRIBUTE: &str = "<delete attribute>";

/// A function of this file.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, serde::Serialize, serde::Deserialize,
)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum ClassFunctions {
    /// Waits for a class, to which it gives bases and keywords.
    WithBases,
    SetBases,
    Yield,
    YieldFrom,
    /// `iter` of one argument, also where the builtin is disabled.
    Iterate,
    /// Stands for the end of a generator where native code asks it for an item; it is never called.
    End,
    /// Returns whether a function yields, for code of the host's own.
    Yields,
    /// Returns whether a value gives its items once, for internal code.
    IsIterator,
    /// Methods of generators, bound to one.
    #[strum(serialize = "send")]
    GeneratorSend,
    #[strum(serialize = "throw")]
    GeneratorThrow,
    #[strum(serialize = "close")]
    GeneratorClose,
    #[strum(serialize = "__next__")]
    GeneratorNext,
    Super,
    Issubclass,
    Delattr,
    DeleteItem,
    Callable,
    Ascii,
    Vars,
    Dir,
    Exit,
    Quit,
    Staticmethod,
    Classmethod,
    /// Gives those of the names in a tuple that are bound where it is called, with their values.
    BoundMembers,
    /// `p.getter`, `p.setter` and `p.deleter`, bound to `p`.
    Getter,
    Setter,
    Deleter,
    /// Members of `object`.
    #[strum(serialize = "__init__")]
    ObjectInit,
    #[strum(serialize = "__new__")]
    ObjectNew,
    #[strum(serialize = "__repr__")]
    ObjectRepr,
    #[strum(serialize = "__eq__")]
    ObjectEq,
    #[strum(serialize = "__ne__")]
    ObjectNe,
    #[strum(serialize = "__hash__")]
    ObjectHash,
    #[strum(serialize = "__getattribute__")]
    ObjectGetattribute,
    #[strum(serialize = "__delattr__")]
    ObjectDelattr,
    #[strum(serialize = "__init_subclass__")]
    ObjectInitSubclass,
    ObjectNothing,
    Mro,
    /// Members of exceptions.
    #[strum(serialize = "__init__")]
    ExceptionInit,
    #[strum(serialize = "__str__")]
    ExceptionStr,
    #[strum(serialize = "__repr__")]
    ExceptionRepr,
    WithTraceback,
    AddNote,
    /// Returns its first argument with the second one as its cause.
    WithCause,
    /// Returns the exception that is handled, for code of the host's own.
    Handled,
    /// Returns the traceback of the line of a script that runs, for code of the host's own.
    RunningLine,
    /// Returns a line of a script by its file and number, for code of the host's own.
    SourceLine,
}

impl ClassFunctions {
    /// Returns the builtin function of this name.
    pub(crate) fn from_name(name: &str) -> Option<Value> {
        Some(Value::from(match name {
            // Nothing else is of that type; see `bytecode/vm/generators.rs`.
            "GeneratorExit" => {
                return Some(Value::Builtin(Builtins::ExcType(
                    ExcType::KeyboardInterrupt,
                )));
            }
            WITH_BASES => Self::WithBases,
            "_rlm_yields" => Self::Yields,
            "_rlm_handled" => Self::Handled,
            "_rlm_running_line" => Self::RunningLine,
            "_rlm_source_line" => Self::SourceLine,
            WITH_CAUSE => Self::WithCause,
            "super" => Self::Super,
            "issubclass" => Self::Issubclass,
            "delattr" | DELETE_ATTRIBUTE => Self::Delattr,
            DELETE_ITEM => Self::DeleteItem,
            "callable" => Self::Callable,
            "ascii" => Self::Ascii,
            "vars" => Self::Vars,
            "dir" => Self::Dir,
            "exit" => Self::Exit,
            "quit" => Self::Quit,
            "staticmethod" => Self::Staticmethod,
            "classmethod" => Self::Classmethod,
            _ => return None,
        }))
    }
}

impl From<ClassFunctions> for Value {
    fn from(function: ClassFunctions) -> Self {
        Self::ModuleFunction(ModuleFunctions::Classes(function))
    }
}

/// Calls a function of this file.
pub(crate) fn call(
    vm: &mut VM<'_>,
    function: ClassFunctions,
    args: ArgValues,
) -> RunResult<CallResult> {
    let value = match function {
        ClassFunctions::WithBases => creation::with_bases(args, vm),
        ClassFunctions::SetBases => creation::set_bases(args, vm),
        ClassFunctions::Yield => {
            let value = args.get_one_arg("yield", vm.heap)?;
            return vm.call_yield(value);
        }
        ClassFunctions::End => {
            args.drop_with(vm);
            Err(RunError::internal("the end of a generator is called"))
        }
        ClassFunctions::GeneratorSend => return vm.call_generator_method("send", args),
        ClassFunctions::GeneratorThrow => return vm.call_generator_method("throw", args),
        ClassFunctions::GeneratorClose => return vm.call_generator_method("close", args),
        ClassFunctions::GeneratorNext => return vm.call_generator_method("__next__", args),
        ClassFunctions::Yields => {
            let function = args.get_one_arg("yields", vm.heap)?;
            let yields = vm.yields(&function);
            function.drop_with(vm);
            Ok(Value::Bool(yields))
        }
        ClassFunctions::IsIterator => gathering::call_is_iterator(args, vm),
        ClassFunctions::YieldFrom => {
            let iterable = args.get_one_arg("yield from", vm.heap)?;
            let result = vm.call_yield_from(&iterable);
            iterable.drop_with(vm);
            return result;
        }
        ClassFunctions::Iterate => {
            let iterable = args.get_one_arg("iter", vm.heap)?;
            return iterable.into_py_iter(vm);
        }
        ClassFunctions::BoundMembers => creation::bound_members(args, vm),
        ClassFunctions::ExceptionInit => exception_objects::init(args, vm),
        ClassFunctions::WithCause => exception_objects::with_cause(args, vm),
        ClassFunctions::ExceptionStr
        | ClassFunctions::ExceptionRepr
        | ClassFunctions::WithTraceback
        | ClassFunctions::AddNote => exception_objects::call_function(function, args, vm),
        ClassFunctions::Handled => {
            args.check_zero_args("handled", vm.heap)?;
            Ok(vm.handled())
        }
        ClassFunctions::RunningLine => {
            args.check_zero_args("running_line", vm.heap)?;
            let place = vm.running_place();
            Ok(place.map_or(Value::None, |place| traceback::object(&[(place, 1)], vm)))
        }
        ClassFunctions::SourceLine => {
            let (file, line) = args.get_two_args("source_line", vm.heap)?;
            defer_drop!(file, vm);
            defer_drop!(line, vm);
            Ok(traceback::source_line(file, line, vm))
        }
        ClassFunctions::Super => super_of(args, vm),
        ClassFunctions::Issubclass => {
            let (class, of) = args.get_two_args("issubclass", vm.heap)?;
            defer_drop!(class, vm);
            defer_drop!(of, vm);
            issubclass(class, of, vm).map(Value::Bool)
        }
        ClassFunctions::Delattr | ClassFunctions::ObjectDelattr => {
            let (object, name) = args.get_two_args("delattr", vm.heap)?;
            defer_drop!(object, vm);
            defer_drop!(name, vm);
            let name = attribute(name, vm)?;
            let is_asked = function == ClassFunctions::Delattr;
            members::delete(object, &name, is_asked, vm).map(|()| Value::None)
        }
        ClassFunctions::DeleteItem => {
            let (object, key) = args.get_two_args("del", vm.heap)?;
            defer_drop!(object, vm);
            defer_drop!(key, vm);
            return deletion::item(object, key, vm);
        }
        ClassFunctions::Callable => {
            let value = args.get_one_arg("callable", vm.heap)?;
            defer_drop!(value, vm);
            Ok(Value::Bool(value.is_callable(vm)))
        }
        ClassFunctions::Ascii => inspection::ascii(args, vm),
        ClassFunctions::Vars => inspection::vars(args, vm),
        ClassFunctions::Dir => inspection::dir(args, vm),
        ClassFunctions::Exit | ClassFunctions::Quit => {
            let exits = Value::Builtin(Builtins::ExcType(ExcType::SystemExit));
            let exit = vm.evaluate_function(&exits, args)?;
            Err(vm.raised(exit))
        }
        ClassFunctions::ObjectGetattribute => {
            let (object, name) = args.get_two_args("__getattribute__", vm.heap)?;
            defer_drop!(object, vm);
            defer_drop!(name, vm);
            let name = attribute(name, vm)?;
            let read = object.py_getattr(&name, vm)?;
            return Ok(read);
        }
        ClassFunctions::Staticmethod => {
            let function = args.get_one_arg("staticmethod", vm.heap)?;
            Ok(Descriptor::Static(function).allocate(vm))
        }
        ClassFunctions::Classmethod => {
            let function = args.get_one_arg("classmethod", vm.heap)?;
            Ok(Descriptor::Class(function).allocate(vm))
        }
        ClassFunctions::Getter | ClassFunctions::Setter | ClassFunctions::Deleter => {
            accessor(function, args, vm)
        }
        ClassFunctions::ObjectInit if args.count() > 1 || has_keywords(&args) => {
            args.drop_with(vm);
            let text = "object.__init__() takes exactly one argument (the instance to initialize)";
            Err(ExcType::type_error(text))
        }
        ClassFunctions::ObjectInitSubclass => {
            let (given, named) = args.into_parts();
            defer_drop!(given, vm);
            defer_drop!(named, vm);
            match (
                given.as_slice().first().and_then(Value::ref_id),
                named.is_empty(),
            ) {
                (Some(class), false) if matches!(vm.heap.get(class), HeapData::Class(_)) => {
                    let class = class_name(class, vm.heap, vm.interns);
                    let text = "__init_subclass__() takes no keyword arguments";
                    Err(ExcType::type_error(format!("{class}.{text}")))
                }
                _ => Ok(Value::None),
            }
        }
        ClassFunctions::ObjectInit | ClassFunctions::ObjectNothing => {
            args.drop_with(vm);
            Ok(Value::None)
        }
        ClassFunctions::ObjectNew => {
            let class = args
                .first_positional()
                .map(|class| class.clone_with_heap(vm.heap));
            args.drop_with(vm);
            defer_drop!(class, vm);
            match class {
                Some(Value::Ref(id)) if matches!(vm.heap.get(*id), HeapData::Class(_)) => {
                    Ok(Value::Ref(creation::allocate(*id, vm)))
                }
                _ => Err(ExcType::type_error(
                    "object.__new__(X): X is not a type object",
                )),
            }
        }
        ClassFunctions::ObjectRepr => {
            let object = args.get_one_arg("__repr__", vm.heap)?;
            defer_drop!(object, vm);
            let text = format!(
                "<{} object at 0x{:x}>",
                object.py_type_name(vm),
                object.id().encoded()
            );
            Ok(allocate_string(text, vm.heap))
        }
        ClassFunctions::ObjectEq | ClassFunctions::ObjectNe => {
            let (object, other) = args.get_two_args("__eq__", vm.heap)?;
            defer_drop!(object, vm);
            defer_drop!(other, vm);
            Ok(match object.ref_id() == other.ref_id() {
                true => Value::Bool(function == ClassFunctions::ObjectEq),
                false => Value::NotImplemented,
            })
        }
        ClassFunctions::Mro => {
            let class = args.get_one_arg("mro", vm.heap)?;
            defer_drop!(class, vm);
            let order = class
                .ref_id()
                .and_then(|id| bases::special(id, "__mro__", vm));
            defer_drop!(order, vm);
            let order = match order {
                Some(Value::Ref(id)) if let HeapData::Tuple(order) = vm.heap.get(*id) => {
                    let order = order.as_slice().iter();
                    order.map(|one| one.clone_with_heap(vm.heap)).collect()
                }
                _ => Vec::new(),
            };
            let order = HeapData::List(List::new(order));
            Ok(Value::Ref(vm.heap.allocate(order)))
        }
        ClassFunctions::ObjectHash => {
            let object = args.get_one_arg("__hash__", vm.heap)?;
            defer_drop!(object, vm);
            let id = object.ref_id().map_or(0, |id| id.index());
            Ok(Value::Int(i64::try_from(id).unwrap_or(i64::MAX)))
        }
    };
    value.map(CallResult::Value)
}

fn has_keywords(args: &ArgValues) -> bool {
    match args {
        ArgValues::Kwargs(keywords)
        | ArgValues::ArgsKargs {
            kwargs: keywords, ..
        } => !keywords.is_empty(),
        _ => false,
    }
}

/// Calls `property(fget, fset, fdel, doc)`.
pub(crate) fn property(vm: &mut VM<'_>, args: ArgValues) -> RunResult<Value> {
    let (given, named) = args.into_parts();
    let mut accessors = [Value::None, Value::None, Value::None];
    let mut unknown = given.len() > 4;
    for (at, value) in given.enumerate() {
        match accessors.get_mut(at) {
            Some(accessor) => *accessor = value,
            None => value.drop_with(vm),
        }
    }
    for (name, value) in named {
        let text = name.as_either_str(vm.heap);
        let text = text.as_ref().map_or("", |text| text.as_str(vm.interns));
        let at = ["fget", "fset", "fdel"].iter().position(|one| *one == text);
        unknown |= at.is_none() && text != "doc";
        match at {
            Some(at) => std::mem::replace(&mut accessors[at], value).drop_with(vm),
            None => value.drop_with(vm),
        }
        name.drop_with(vm);
    }
    if unknown {
        accessors.drop_with(vm);
        return Err(ExcType::type_error(
            "property() takes fget, fset, fdel and doc",
        ));
    }
    Ok(Descriptor::Property(accessors).allocate(vm))
}

/// Returns a property with another accessor.
fn accessor(function: ClassFunctions, args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    let (property, accessor) = args.get_two_args("property", vm.heap)?;
    defer_drop!(property, vm);
    let Some(Descriptor::Property(known)) = descriptor::of(property, vm) else {
        accessor.drop_with(vm);
        return Err(ExcType::type_error("a property is expected"));
    };
    let mut accessors = known.each_ref().map(|one| one.clone_with_heap(vm.heap));
    let at = match function {
        ClassFunctions::Getter => 0,
        ClassFunctions::Setter => 1,
        _ => 2,
    };
    std::mem::replace(&mut accessors[at], accessor).drop_with(vm);
    Ok(Descriptor::Property(accessors).allocate(vm))
}

/// Returns the name of an attribute that a function is given.
fn attribute(name: &Value, vm: &VM<'_>) -> RunResult<EitherStr> {
    let text = name.as_either_str(vm.heap);
    text.map(|text| text.resolve_interned(vm.interns))
        .ok_or_else(|| {
            let kind = name.py_type_name(vm);
            ExcType::type_error(format!("attribute name must be string, not '{kind}'"))
        })
}

fn super_of(args: ArgValues, vm: &mut VM<'_>) -> RunResult<Value> {
    if args.count() == 0 {
        args.drop_with(vm);
        return Err(
            SimpleException::new_msg(ExcType::RuntimeError, "super(): no arguments").into(),
        );
    }
    let (class, receiver) = args.get_two_args("super", vm.heap)?;
    let is_class = |value: &Value| match value {
        Value::Ref(id) => matches!(vm.heap.get(*id), HeapData::Class(_)),
        Value::Builtin(builtin) => matches!(builtin, Builtins::Type(_) | Builtins::ExcType(_)),
        _ => false,
    };
    if !is_class(&class) {
        let kind = class.py_type_name(vm);
        let message = format!("super() argument 1 must be a type, not {kind}");
        [class, receiver].drop_with(vm);
        return Err(ExcType::type_error(message));
    }
    let follows = match (&class, &receiver) {
        (Value::Ref(class), Value::Ref(receiver)) => {
            bases::is_subclass(bases::receiver_class(*receiver, vm.heap), *class, vm.heap)
        }
        _ => false,
    };
    if !follows {
        [class, receiver].drop_with(vm);
        return Err(ExcType::type_error(
            "super(type, obj): obj must be an instance or subtype of type",
        ));
    }
    match (class.into_ref_id(), receiver.into_ref_id()) {
        (Some(class), Some(receiver)) => Ok(Descriptor::Super { class, receiver }.allocate(vm)),
        _ => Err(RunError::internal("super() of no object")),
    }
}

fn issubclass(class: &Value, of: &Value, vm: &mut VM<'_>) -> RunResult<bool> {
    if let Some(HeapReadOutput::Tuple(all)) = of.read_heap(vm) {
        let mut guard = vm.recursion_guard()?;
        let vm = &mut *guard;
        for at in 0..all.get(vm.heap).as_slice().len() {
            let one = all.get(vm.heap).as_slice()[at].clone_with_heap(vm.heap);
            defer_drop!(one, vm);
            if issubclass(class, one, vm)? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    let is_class = |value: &Value| match value {
        Value::Builtin(Builtins::ExcType(_)) => true,
        Value::Ref(id) => matches!(
            vm.heap.get(*id),
            HeapData::Class(_) | HeapData::NamedTupleClass(_) | HeapData::HostClassType(_)
        ),
        value => builtin_type(value).is_some(),
    };
    if !is_class(class) {
        return Err(ExcType::type_error("issubclass() arg 1 must be a class"));
    }
    if !is_class(of) {
        return Err(ExcType::type_error(
            "issubclass() arg 2 must be a class, a tuple of classes, or a union",
        ));
    }
    if let Some(of) = builtin_type(of) {
        return Ok(match class {
            _ if of == Type::Object => true,
            Value::Ref(class) => {
                let is_row = matches!(vm.heap.get(*class), HeapData::NamedTupleClass(_));
                is_row && of == Type::Tuple || meta::is_subclass(*class, of, vm)
            }
            class => builtin_type(class).is_some_and(|class| class.is_instance_of(of)),
        });
    }
    Ok(match (class, of) {
        (Value::Builtin(Builtins::ExcType(class)), Value::Builtin(Builtins::ExcType(of))) => {
            class.is_subclass_of(*of)
        }
        (Value::Ref(class), Value::Builtin(Builtins::ExcType(of))) => {
            exception_objects::is_class_below(*class, *of, vm)
        }
        (Value::Ref(class), Value::Ref(of)) => bases::is_subclass(*class, *of, vm.heap),
        _ => false,
    })
}

/// Returns the type that a value is, if it is one of a builtin type. Some are functions here.
fn builtin_type(value: &Value) -> Option<Type> {
    match value {
        Value::Builtin(Builtins::Type(of)) => Some(*of),
        Value::Builtin(Builtins::Function(BuiltinsFunctions::Type)) => Some(Type::Type),
        Value::Builtin(Builtins::Function(function)) => lazy::type_made_by(*function),
        _ => None,
    }
}
