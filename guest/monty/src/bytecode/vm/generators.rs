//! Generators: coroutines that are resumed many times.
//!
//! `yield x` is the call `<yield>(x)`, and a function with one is asynchronous for the compiler: its call gives a [`Coroutine`]
//! with a [`Generator`]. While that runs it lies right below its frame on the stack; between runs its `namespace` holds the
//! frame's part of the stack, so that collecting, releasing and dumping it need nothing new. A generator that is advanced by a loop,
//! `next`, `send`, `throw` or another generator runs in a frame of its own, and can wait for the host there.

use std::mem;

use super::{CallFrame, VM, exceptions::CaughtException, function_namespace};
use crate::{
    args::ArgValues,
    asyncio::{Coroutine, CoroutineState, Generator, Resumption},
    bytecode::CallResult,
    exception_objects,
    exception_private::{
        ExcType, ExcTypeExt, ExceptionRaise, RunError, RunResult, SimpleException,
    },
    frozen::FrozenFunction,
    heap::{DropGuard, DropWithContext as _, HeapData, HeapId, HeapReadOutput},
    intern::FunctionId,
    modules::{ModuleFunctions, classes::ClassFunctions},
    types::{
        PyTrait as _, Type,
        descriptor::bound,
        instance::members,
        itertools::lazy::{self, Made},
        str::allocate_string,
    },
    value::{EitherStr, Value},
};

/// The type of the exception that ends a generator from outside. No script sees another one of it.
const EXIT: ExcType = ExcType::KeyboardInterrupt;

/// The result of resuming a generator for a loop.
pub(crate) enum Resumed {
    /// It has nothing more.
    Ended,
    /// Its frame runs.
    Running,
    /// It gave an item.
    Item(Value),
}

/// The result of resuming a generator.
enum Step {
    /// It has nothing more.
    Ended,
    /// Its frame runs.
    Running,
    /// An iterator that it delegates to gave an item, and no frame was pushed.
    Item(Value),
    /// Frames that were pushed have been put away again; the result is for who resumed the first of them.
    Yielded(CallResult),
}

/// The answer of an iterator that is no generator.
enum Asked {
    Item(Value),
    /// It has nothing more, and this is the result.
    End(Value),
}

/// The way in which a generator is resumed.
enum Way {
    /// With what its `yield` gives.
    Send(Value),
    /// Its `yield` is executed once more, and raises an exception.
    Raise(Value),
    /// It waits in `yield from`, whose iterator goes on.
    Wait,
}

impl<'h> VM<'h> {
    /// Returns whether a heap value is a generator.
    #[inline]
    pub(crate) fn is_generator(&self, id: HeapId) -> bool {
        matches!(
            self.heap.get(id),
            HeapData::Coroutine(Coroutine {
                generator: Some(_),
                ..
            })
        )
    }

    /// Returns whether a value is a function whose calls give generators.
    pub(crate) fn yields(&self, function: &Value) -> bool {
        let func_id = match function {
            Value::DefFunction(func_id) => *func_id,
            Value::Ref(id) => match self.heap.get(*id) {
                HeapData::Closure(closure) => closure.func_id,
                HeapData::FunctionDefaults(function) => function.func_id,
                HeapData::BoundMethod(method) => return self.yields(&method.func),
                _ => return false,
            },
            _ => return false,
        };
        self.interns.get_function(func_id).is_generator
    }

    /// Returns a generator of a function of the interpreter's own, which is compiled on first use.
    pub(crate) fn frozen_generator<const N: usize>(
        &mut self,
        function: FrozenFunction,
        args: [Value; N],
    ) -> RunResult<Value> {
        let mut args = DropGuard::new(args, self);
        let (_, vm) = args.as_parts_mut();
        let func_id = vm.frozen_function(function)?;
        let (args, vm) = args.into_parts();
        let size = vm.interns.get_function(func_id).namespace_size;
        let mut namespace = Vec::with_capacity(size);
        namespace.extend(args);
        namespace.resize_with(size, || Value::Undefined);
        let mut coroutine = Coroutine::new(func_id, namespace, None);
        coroutine.generator = Some(Box::default());
        Ok(Value::Ref(vm.heap.allocate(HeapData::Coroutine(coroutine))))
    }

    /// Returns a function of the interpreter's own, which is compiled on first use.
    pub(super) fn frozen_function(&self, function: FrozenFunction) -> RunResult<FunctionId> {
        let interns = self.interns;
        if let Some(id) = interns.frozen_function(function) {
            return Ok(id);
        }
        let (id, overlay) = function.compile(interns)?;
        overlay.commit();
        interns.set_frozen_function(function, id);
        Ok(id)
    }

    /// Returns the type of a generator.
    pub(crate) fn type_of_generator(&self, id: HeapId) -> Type {
        match self.heap.get(id) {
            HeapData::Coroutine(generator) => {
                let made = lazy::made_by(generator.func_id, self.interns);
                made.map_or(Type::WalkGenerator, Made::py_type)
            }
            _ => Type::WalkGenerator,
        }
    }

    /// Returns whether a heap value is a generator that a builtin function made.
    pub(crate) fn is_builtin_iterator(&self, id: HeapId) -> bool {
        self.is_generator(id) && self.type_of_generator(id) != Type::WalkGenerator
    }

    /// Has a generator go on for a loop; `instruction` is that of the loop, which asks again when it has ended.
    pub(super) fn advance(&mut self, id: HeapId, instruction: usize) -> RunResult<Resumed> {
        let instruction = u32::try_from(instruction).unwrap_or(u32::MAX);
        let step = self.resume_generator(id, Value::None, Resumption::Loop(instruction))?;
        Ok(match step {
            Step::Ended => Resumed::Ended,
            Step::Running | Step::Yielded(CallResult::FramePushed) => Resumed::Running,
            Step::Item(item) | Step::Yielded(CallResult::Value(item)) => Resumed::Item(item),
            Step::Yielded(_) => return Err(RunError::internal("a loop is given no item")),
        })
    }

    fn generator_mut<T>(
        &mut self,
        id: HeapId,
        change: impl FnOnce(&mut Coroutine, &mut Generator) -> T,
    ) -> RunResult<T> {
        if let HeapReadOutput::Coroutine(handle) = self.heap.read(id) {
            let coroutine = handle.get_mut(self.heap);
            if let Some(mut generator) = coroutine.generator.take() {
                let result = change(coroutine, &mut generator);
                coroutine.generator = Some(generator);
                return Ok(result);
            }
        }
        Err(RunError::internal("the generator is none"))
    }

    /// Runs a generator in a frame of its own.
    fn resume_generator(&mut self, id: HeapId, sent: Value, by: Resumption) -> RunResult<Step> {
        let is_none = matches!(sent, Value::None);
        let state = self.generator_mut(id, |coroutine, _| coroutine.state)?;
        let refused = match state {
            CoroutineState::Completed => {
                sent.drop_with(self);
                return Ok(Step::Ended);
            }
            CoroutineState::Running => Some(ExcType::generator_already_executing()),
            CoroutineState::New if !is_none => Some(ExcType::type_error(
                "can't send non-None value to a just-started generator",
            )),
            CoroutineState::New | CoroutineState::Suspended => None,
        };
        if let Some(error) = refused {
            sent.drop_with(self);
            return Err(error);
        }
        let Some(iterator) = self.delegate(id)? else {
            self.enter(id, by, Way::Send(sent))?;
            return Ok(Step::Running);
        };
        if !self.is_generator(iterator) {
            match self.ask_for(id, iterator, sent)? {
                Ok(Asked::Item(item)) => return Ok(Step::Item(item)),
                Ok(Asked::End(result)) => {
                    if let Err(error) = self.enter(id, by, Way::Wait) {
                        result.drop_with(self);
                        return Err(error);
                    }
                    self.end_delegation(result);
                }
                Err(RunError::Exc(error)) => {
                    let raised = self.exception_of(error);
                    self.enter(id, by, Way::Raise(raised))?;
                }
                Err(error) => return Err(error),
            }
            return Ok(Step::Running);
        }
        self.enter(id, by, Way::Wait)?;
        match self.resume_generator(iterator, sent, Resumption::Delegated) {
            Ok(Step::Running) => {}
            Ok(Step::Item(item)) => return self.yield_value(item, true).map(Step::Yielded),
            Ok(yielded @ Step::Yielded(_)) => return Ok(yielded),
            Ok(Step::Ended) => self.end_delegation(Value::None),
            Err(RunError::Exc(error)) => {
                let raised = self.exception_of(error);
                self.raise_here(id, raised)?;
            }
            Err(error) => return Err(error),
        }
        Ok(Step::Running)
    }

    /// Asks the iterator that a generator delegates to for an item. Meanwhile the generator runs: nothing else resumes it.
    fn ask_for(
        &mut self,
        id: HeapId,
        iterator: HeapId,
        sent: Value,
    ) -> RunResult<RunResult<Asked>> {
        for held in [id, iterator] {
            self.heap.inc_ref(held);
        }
        let as_state =
            |state| move |coroutine: &mut Coroutine, _: &mut Generator| coroutine.state = state;
        self.generator_mut(id, as_state(CoroutineState::Running))?;
        let item = self.ask(iterator, sent);
        self.generator_mut(id, as_state(CoroutineState::Suspended))?;
        for held in [id, iterator] {
            Value::Ref(held).drop_with(self);
        }
        Ok(item)
    }

    /// Asks an iterator that is no generator for an item; one that is sent a value has a method for that.
    fn ask(&mut self, iterator: HeapId, sent: Value) -> RunResult<Asked> {
        let is_instance = matches!(self.heap.get(iterator), HeapData::Instance(_));
        let item = match sent {
            Value::None if is_instance => {
                let item = members::call_special(iterator, "__next__", ArgValues::Empty, self);
                item.and_then(|item| {
                    item.ok_or_else(|| ExcType::type_error("iter() returned non-iterator"))
                })
            }
            Value::None => {
                let item = self.heap.read(iterator).py_next(self)?;
                return Ok(item.map_or(Asked::End(Value::None), Asked::Item));
            }
            sent => {
                let name = EitherStr::Heap(String::from("send"));
                let mut iterator = self.heap.read(iterator);
                let item = iterator.py_call_attr(self, &name, ArgValues::One(sent));
                item.and_then(|item| item.require_synchronous(self))
            }
        };
        match item {
            Ok(item) => Ok(Asked::Item(item)),
            Err(error) if error.is_stop_iteration() => match error {
                RunError::Exc(error) => {
                    let stop = self.exception_of(error);
                    let result = match stop.ref_id() {
                        Some(id) => exception_objects::member(id, "value", self),
                        None => Ok(None),
                    };
                    stop.drop_with(self);
                    Ok(Asked::End(result?.unwrap_or(Value::None)))
                }
                error => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Returns the object of an error.
    fn exception_of(&mut self, mut error: ExceptionRaise) -> Value {
        let object = self.take_object(&mut error);
        object.unwrap_or_else(|| self.create_exception_value(&error))
    }

    /// Returns the iterator that a generator waits for in `yield from`.
    fn delegate(&mut self, id: HeapId) -> RunResult<Option<HeapId>> {
        self.generator_mut(id, |coroutine, generator| {
            let exceptions = generator.exceptions as usize;
            let last = coroutine.namespace.len().checked_sub(exceptions + 1)?;
            match coroutine.namespace.get(last) {
                Some(Value::Ref(iterator)) if generator.delegates => Some(*iterator),
                _ => None,
            }
        })
    }

    /// Pushes the frame of a generator that is new or has yielded.
    fn enter(&mut self, id: HeapId, by: Resumption, way: Way) -> RunResult<()> {
        let feed = self.heap.feed;
        let (mut stack, func_id, globals, ip, exceptions, is_new) =
            self.generator_mut(id, |coroutine, generator| {
                let is_new = coroutine.state == CoroutineState::New;
                coroutine.state = CoroutineState::Running;
                (generator.by, generator.feed) = (by, feed);
                generator.waits = mem::take(&mut generator.delegates);
                let mut stack = mem::take(&mut coroutine.namespace);
                let count = mem::take(&mut generator.exceptions) as usize;
                let exceptions = stack.split_off(stack.len().saturating_sub(count));
                let (func_id, globals) = (coroutine.func_id, coroutine.globals);
                (stack, func_id, globals, generator.ip, exceptions, is_new)
            })?;
        let call_offset = self.current_offset();
        self.heap.inc_ref(id);
        self.push(Value::Ref(id));
        let stack_base = self.stack.len();
        self.stack.append(&mut stack);
        let mut raised = None;
        match way {
            Way::Send(sent) if is_new => sent.drop_with(self),
            Way::Send(sent) => self.push(sent),
            Way::Raise(exception) => raised = Some(exception),
            Way::Wait => {}
        }
        let exception_base = self.exception_stack.len();
        let exceptions = exceptions.into_iter().map(CaughtException::Value);
        self.exception_stack.extend(exceptions);
        let function = self.interns.get_function(func_id);
        let namespace = function_namespace(globals, &*self.heap);
        let locals = u16::try_from(function.namespace_size).unwrap_or(u16::MAX);
        let mut frame = CallFrame::new_function(
            &function.code,
            stack_base,
            locals,
            exception_base,
            func_id,
            call_offset,
            namespace,
        );
        (frame.ip, frame.is_generator) = (ip as usize, true);
        if let Err(error) = self.push_frame(frame) {
            while self.exception_stack.len() > exception_base {
                self.exception_stack.pop().drop_with(self);
            }
            self.pop().drop_with(self);
            raised.drop_with(self);
            self.generator_mut(id, |coroutine, _| {
                coroutine.state = CoroutineState::Completed
            })?;
            return Err(error);
        }
        match raised {
            Some(exception) => self.raise_here(id, exception),
            None => Ok(()),
        }
    }

    /// Has the generator whose frame has just been entered execute its `yield` once more, which raises an exception.
    fn raise_here(&mut self, id: HeapId, exception: Value) -> RunResult<()> {
        let (at, delegates) = self.generator_mut(id, |_, generator| {
            generator.raises = true;
            (generator.at, mem::take(&mut generator.waits))
        })?;
        if delegates {
            self.pop().drop_with(self);
        }
        self.push(ClassFunctions::Yield.into());
        self.push(exception);
        self.current_frame_mut().ip = at as usize;
        Ok(())
    }

    /// Returns the generator whose frame runs.
    #[inline]
    fn running_generator(&self) -> Option<HeapId> {
        let frame = self.current_frame();
        if !frame.is_generator {
            return None;
        }
        match self.stack.get(frame.stack_base().checked_sub(1)?) {
            Some(Value::Ref(id)) if self.is_generator(*id) => Some(*id),
            _ => None,
        }
    }

    /// Does what `yield value` does, `yield from` with `delegates`: puts the frame away, and gives who resumed it the value.
    fn yield_value(&mut self, value: Value, mut delegates: bool) -> RunResult<CallResult> {
        loop {
            let Some(id) = self.running_generator() else {
                value.drop_with(self);
                return Err(ExcType::type_error("'yield' outside function"));
            };
            let frame = self.current_frame();
            let (ip, at) = (frame.ip, self.instruction_ip);
            let cleans_up =
                u32::try_from(ip).is_ok_and(|ip| frame.code.find_exception_handler(ip).is_some());
            let (stack_base, exception_base) = (frame.stack_base(), frame.exception_stack_base());
            let mut stack: Vec<Value> = self.stack.drain(stack_base..).collect();
            let exceptions = self.exception_stack.drain(exception_base..);
            let exceptions: Vec<Value> = exceptions.map(CaughtException::into_value).collect();
            let count = u32::try_from(exceptions.len()).unwrap_or(u32::MAX);
            stack.extend(exceptions);
            let by = self.generator_mut(id, |coroutine, generator| {
                coroutine.state = CoroutineState::Suspended;
                coroutine.namespace = stack;
                generator.ip = u32::try_from(ip).unwrap_or(u32::MAX);
                // Where it delegates it has executed nothing since that was noted.
                if !delegates {
                    generator.at = u32::try_from(at).unwrap_or(u32::MAX);
                }
                (generator.exceptions, generator.delegates) = (count, delegates);
                generator.cleans_up = cleans_up;
                generator.by
            })?;
            let stops = self.pop_frame();
            self.pop().drop_with(self);
            match by {
                Resumption::Delegated => delegates = true,
                Resumption::Finalize => {
                    value.drop_with(self);
                    return Ok(CallResult::FramePushed);
                }
                Resumption::Close if stops => {
                    value.drop_with(self);
                    return Ok(CallResult::Returned(Value::None));
                }
                Resumption::Close => {
                    value.drop_with(self);
                    let message = "generator ignored GeneratorExit";
                    return Err(SimpleException::new_msg(ExcType::RuntimeError, message).into());
                }
                Resumption::Call | Resumption::Loop(_) | Resumption::Native if stops => {
                    return Ok(CallResult::Returned(value));
                }
                Resumption::Call | Resumption::Loop(_) | Resumption::Native => {
                    return Ok(CallResult::Value(value));
                }
            }
        }
    }

    /// `<yield>(value)`
    pub(crate) fn call_yield(&mut self, value: Value) -> RunResult<CallResult> {
        if let Some(id) = self.running_generator()
            && self.generator_mut(id, |_, generator| mem::take(&mut generator.raises))?
        {
            let error = self.make_exception(&value, true);
            match exception_objects::kind(&value, self).is_some() {
                // It is caught as the object that it is.
                true => self.thrown.replace(value).drop_with(self),
                false => value.drop_with(self),
            }
            return Err(error);
        }
        self.yield_value(value, false)
    }

    /// `<yield from>(iterable)`
    pub(crate) fn call_yield_from(&mut self, iterable: &Value) -> RunResult<CallResult> {
        let at = u32::try_from(self.instruction_ip).unwrap_or(u32::MAX);
        let iterator = iterable.py_iter(self)?.require_synchronous(self)?;
        let Value::Ref(id) = iterator else {
            return Err(RunError::internal("an iterator is none"));
        };
        if let Some(generator) = self.running_generator() {
            self.generator_mut(generator, |_, generator| generator.at = at)?;
        }
        self.push(iterator);
        if self.is_generator(id) {
            return match self.resume_generator(id, Value::None, Resumption::Delegated)? {
                Step::Running => Ok(CallResult::FramePushed),
                Step::Item(item) => self.yield_value(item, true),
                Step::Yielded(result) => Ok(result),
                Step::Ended => {
                    self.pop().drop_with(self);
                    Ok(CallResult::Value(Value::None))
                }
            };
        }
        match self.ask(id, Value::None)? {
            Asked::Item(item) => self.yield_value(item, true),
            Asked::End(result) => {
                self.pop().drop_with(self);
                Ok(CallResult::Value(result))
            }
        }
    }

    /// Goes on behind `yield from`, whose iterator lies on the stack.
    fn end_delegation(&mut self, result: Value) {
        self.pop().drop_with(self);
        self.push(result);
    }

    /// Notes that the frame of a generator returns, before it is popped, and returns the generator.
    #[inline]
    pub(super) fn ends_generator(&mut self) -> RunResult<Option<HeapId>> {
        let Some(id) = self.running_generator() else {
            return Ok(None);
        };
        self.generator_mut(id, |coroutine, _| {
            coroutine.state = CoroutineState::Completed
        })?;
        Ok(Some(id))
    }

    /// Gives who resumed a generator what it returned, when its frame is popped: the value that the call has, if it was called.
    ///
    /// # Errors
    /// `StopIteration`.
    pub(super) fn generator_ended(&mut self, id: HeapId, value: Value) -> RunResult<Option<Value>> {
        let by = self.generator_mut(id, |_, generator| generator.by)?;
        self.pop().drop_with(self);
        match by {
            Resumption::Delegated => self.end_delegation(value),
            Resumption::Loop(instruction) => {
                // The loop asks again, and the iterator is exhausted.
                value.drop_with(self);
                self.current_frame_mut().ip = instruction as usize;
            }
            Resumption::Close => {
                value.drop_with(self);
                return Ok(Some(Value::None));
            }
            Resumption::Native => {
                value.drop_with(self);
                // No script has the value that stands for the end.
                return Ok(Some(ClassFunctions::End.into()));
            }
            Resumption::Finalize => {
                value.drop_with(self);
                self.close_unreachable();
            }
            Resumption::Call => {
                return Err(match value {
                    Value::None => ExcType::stop_iteration(),
                    value => exception_objects::stop_iteration(value, self),
                });
            }
        }
        Ok(None)
    }

    /// Notes that an exception leaves the frame of a generator, before that is popped. Returns the generator, and whether the
    /// exception has become another one.
    pub(super) fn generator_fails(&mut self, error: &mut RunError) -> Option<(HeapId, bool)> {
        let id = self.ends_generator().ok().flatten()?;
        self.begin_again(id);
        // Those that it was handling are handled no more.
        let base = self.current_frame().exception_stack_base();
        while self.exception_stack.len() > base {
            self.exception_stack.pop().drop_with(self);
        }
        let is_stop = error.is_stop_iteration();
        if let (true, RunError::Exc(raise)) = (is_stop, error) {
            let message = "generator raised StopIteration";
            raise.exc = SimpleException::new_msg(ExcType::RuntimeError, message);
        }
        Some((id, is_stop))
    }

    /// Has a generator that a builtin function made go on with the next item when it is asked again, as `map` does behind an
    /// error of its function: what it was given says how.
    fn begin_again(&mut self, id: HeapId) {
        let func_id = match self.heap.get(id) {
            HeapData::Coroutine(coroutine) => coroutine.func_id,
            _ => return,
        };
        if lazy::made_by(func_id, self.interns).is_none() {
            return;
        }
        let function = self.interns.get_function(func_id);
        let given = function.signature.exact_positional_count().unwrap_or(0);
        let base = self.current_frame().stack_base();
        let given = self.stack.iter().skip(base).take(given);
        let mut namespace: Vec<Value> = given
            .map(|value| value.clone_with_heap(self.heap))
            .collect();
        namespace.resize_with(function.namespace_size, || Value::Undefined);
        let begun = self.generator_mut(id, |coroutine, generator| {
            coroutine.state = CoroutineState::New;
            *generator = Generator {
                by: generator.by,
                feed: generator.feed,
                ..Generator::default()
            };
            mem::replace(&mut coroutine.namespace, namespace)
        });
        begun.unwrap_or_default().drop_with(self);
    }

    /// Looks at an exception that has left a generator whose frame is popped. Returns true if it ends there: it was closed.
    pub(super) fn is_closed_by(&mut self, id: HeapId, error: &RunError) -> bool {
        let by = self.generator_mut(id, |_, generator| generator.by);
        self.pop().drop_with(self);
        let is_exit = matches!(error, RunError::Exc(raise) if raise.exc.exc_type() == EXIT);
        match by {
            Ok(Resumption::Close) if is_exit => {
                self.push(Value::None);
                true
            }
            Ok(Resumption::Finalize) if matches!(error, RunError::Exc(_)) => {
                self.close_unreachable();
                true
            }
            _ => false,
        }
    }

    /// Returns the next item for builtins, which cannot wait.
    pub(crate) fn next_of_generator(&mut self, id: HeapId) -> RunResult<Option<Value>> {
        let (state, func_id) =
            self.generator_mut(id, |coroutine, _| (coroutine.state, coroutine.func_id))?;
        if matches!(state, CoroutineState::New | CoroutineState::Suspended)
            && let Some(made) = lazy::made_by(func_id, self.interns)
            && let Some(item) = lazy::step(id, made, self)
        {
            return item;
        }
        let result = match self.resume_generator(id, Value::None, Resumption::Native)? {
            Step::Ended => return Ok(None),
            Step::Item(item) => return Ok(Some(item)),
            Step::Running => CallResult::FramePushed,
            Step::Yielded(result) => result,
        };
        match result.require_synchronous(self)? {
            Value::ModuleFunction(ModuleFunctions::Classes(ClassFunctions::End)) => Ok(None),
            item => Ok(Some(item)),
        }
    }

    /// Returns the result of `next(generator)`, or of `send`.
    pub(crate) fn call_next(&mut self, id: HeapId, sent: Value) -> RunResult<CallResult> {
        match self.resume_generator(id, sent, Resumption::Call)? {
            Step::Running => Ok(CallResult::FramePushed),
            Step::Item(item) => Ok(CallResult::Value(item)),
            Step::Yielded(result) => Ok(result),
            Step::Ended => Err(ExcType::stop_iteration()),
        }
    }

    /// Calls a method of a generator; gives the arguments back if it has none of that name.
    pub(super) fn call_generator(
        &mut self,
        id: HeapId,
        name: &str,
        args: ArgValues,
    ) -> Result<RunResult<CallResult>, ArgValues> {
        if !self.is_generator(id) {
            return Err(args);
        }
        Ok(match name {
            "send" => args
                .get_one_arg("send", self.heap)
                .and_then(|sent| self.call_next(id, sent)),
            "__next__" => args
                .check_zero_args("__next__", self.heap)
                .and_then(|()| self.call_next(id, Value::None)),
            "__iter__" => args.check_zero_args("__iter__", self.heap).map(|()| {
                self.heap.inc_ref(id);
                CallResult::Value(Value::Ref(id))
            }),
            "close" => args
                .check_zero_args("close", self.heap)
                .and_then(|()| self.close_generator(id, Resumption::Close)),
            "throw" => self.throw(id, args),
            _ => return Err(args),
        })
    }

    /// Calls a method of a generator that was read as a value, with the generator before the other arguments.
    pub(crate) fn call_generator_method(
        &mut self,
        name: &str,
        args: ArgValues,
    ) -> RunResult<CallResult> {
        let (mut given, named) = args.into_parts();
        let generator = given.next();
        let args = ArgValues::from_parts(given.collect(), named);
        let id = generator.as_ref().and_then(Value::ref_id);
        let called = match id {
            Some(id) => self.call_generator(id, name, args),
            None => Err(args),
        };
        generator.drop_with(self);
        called.unwrap_or_else(|args| {
            args.drop_with(self);
            Err(ExcType::type_error(format!("{name}() needs a generator")))
        })
    }

    /// Returns an attribute of a generator.
    pub(crate) fn generator_attribute(
        &mut self,
        id: HeapId,
        name: &str,
    ) -> RunResult<Option<CallResult>> {
        let (func_id, state) = match self.heap.get(id) {
            HeapData::Coroutine(coroutine) if coroutine.generator.is_some() => {
                (coroutine.func_id, coroutine.state)
            }
            _ => return Ok(None),
        };
        let method = match name {
            "send" => Some(ClassFunctions::GeneratorSend),
            "throw" => Some(ClassFunctions::GeneratorThrow),
            "close" => Some(ClassFunctions::GeneratorClose),
            "__next__" => Some(ClassFunctions::GeneratorNext),
            _ => None,
        };
        if let Some(method) = method {
            self.heap.inc_ref(id);
            let value = bound(Value::Ref(id), method.into(), self);
            return Ok(Some(CallResult::Value(value)));
        }
        let value = match name {
            "__name__" | "__qualname__" => {
                let function = self.interns.get_function(func_id);
                let name = self.interns.get_str(function.name.name_id).to_owned();
                allocate_string(name, self.heap)
            }
            "gi_running" => Value::Bool(state == CoroutineState::Running),
            "gi_frame" if state == CoroutineState::Completed => Value::None,
            "gi_frame" => allocate_string("<frame object>", self.heap),
            "gi_yieldfrom" => match self.delegate(id)? {
                Some(iterator) => {
                    self.heap.inc_ref(iterator);
                    Value::Ref(iterator)
                }
                None => Value::None,
            },
            _ => return Ok(None),
        };
        Ok(Some(CallResult::Value(value)))
    }

    fn throw(&mut self, id: HeapId, args: ArgValues) -> RunResult<CallResult> {
        let (given, named) = args.into_parts();
        named.drop_with(self);
        let mut given: Vec<Value> = given.collect();
        if given.is_empty() || given.len() > 3 {
            given.drop_with(self);
            return Err(ExcType::type_error(
                "throw expected at least 1 argument, got 0",
            ));
        }
        let mut raised = given.remove(0);
        let is_class = exception_objects::kind(&raised, self).is_none();
        if is_class {
            let first = given
                .into_iter()
                .fold(None, |first: Option<Value>, one| match first {
                    None => Some(one),
                    Some(first) => {
                        one.drop_with(self);
                        Some(first)
                    }
                });
            let made = match first {
                Some(one) if exception_objects::kind(&one, self).is_some() => {
                    raised.drop_with(self);
                    Ok(one)
                }
                Some(Value::None) | None => exception_objects::raisable(raised, self),
                Some(one) => {
                    let made = self.call_function(&raised, ArgValues::One(one));
                    raised.drop_with(self);
                    made.and_then(|made| made.require_synchronous(self))
                }
            };
            raised = made?;
        } else {
            given.drop_with(self);
        }
        self.raise_in(id, raised, Resumption::Call)
    }

    /// Raises an exception where a generator has yielded.
    fn raise_in(&mut self, id: HeapId, exception: Value, by: Resumption) -> RunResult<CallResult> {
        let state = self.generator_mut(id, |coroutine, _| coroutine.state)?;
        if state != CoroutineState::Suspended {
            let left = match state {
                CoroutineState::Running => Err(ExcType::generator_already_executing()),
                CoroutineState::New => self.abandon(id),
                CoroutineState::Completed | CoroutineState::Suspended => Ok(()),
            };
            if let Err(error) = left {
                exception.drop_with(self);
                return Err(error);
            }
            return Err(self.raised(exception));
        }
        let mut exception = DropGuard::new(exception, self);
        let (mut id, mut by, mut outer) = (id, by, None);
        loop {
            let (_, vm) = exception.as_parts_mut();
            let inner = vm.delegate(id)?.filter(|inner| {
                matches!(vm.heap.get(*inner), HeapData::Coroutine(coroutine)
                    if coroutine.generator.is_some() && coroutine.state == CoroutineState::Suspended)
            });
            let Some(inner) = inner else {
                let (exception, vm) = exception.into_parts();
                let entered = vm.enter(id, by, Way::Raise(exception));
                return vm.unless_refused(entered, outer);
            };
            if let Err(error) = vm.enter(id, by, Way::Wait) {
                return vm.unless_refused(Err(error), outer);
            }
            (id, by, outer) = (inner, Resumption::Delegated, Some(id));
        }
    }

    /// Raises the error of a generator that there was no frame for in the one that waits for it, if its frame has been pushed.
    fn unless_refused(
        &mut self,
        entered: RunResult<()>,
        outer: Option<HeapId>,
    ) -> RunResult<CallResult> {
        match (entered, outer) {
            (Err(RunError::Exc(error)), Some(outer)) => {
                let raised = self.exception_of(error);
                self.raise_here(outer, raised)?;
            }
            (entered, _) => entered?,
        }
        Ok(CallResult::FramePushed)
    }

    /// Has a nested run end with the frame that it was begun for: the first of those that were pushed, if a generator that was
    /// resumed delegates to others.
    pub(super) fn stop_at_pushed(&mut self) {
        let current = self.suspended_frames.len();
        let mut at = current;
        while at > 0 && self.is_delegated(at) {
            at -= 1;
        }
        let frame = match at == current {
            true => self.current_frame_mut(),
            false => &mut self.suspended_frames[at],
        };
        frame.should_return = true;
    }

    /// Returns whether a frame is that of a generator which another one resumed.
    fn is_delegated(&self, at: usize) -> bool {
        let frame = self.suspended_frames.get(at).unwrap_or(&self.current_frame);
        let below = frame.stack_base().checked_sub(1);
        let id = below.and_then(|at| self.stack.get(at)?.ref_id());
        match id
            .filter(|_| frame.is_generator)
            .map(|id| self.heap.get(id))
        {
            Some(HeapData::Coroutine(coroutine)) => coroutine
                .generator
                .as_ref()
                .is_some_and(|generator| matches!(generator.by, Resumption::Delegated)),
            _ => false,
        }
    }

    /// Ends a generator without running it.
    fn abandon(&mut self, id: HeapId) -> RunResult<()> {
        let stack = self.generator_mut(id, |coroutine, generator| {
            coroutine.state = CoroutineState::Completed;
            (generator.delegates, generator.exceptions) = (false, 0);
            mem::take(&mut coroutine.namespace)
        })?;
        stack.drop_with(self);
        Ok(())
    }

    /// Closes a generator: what it has to do at its end is done in its frame.
    fn close_generator(&mut self, id: HeapId, by: Resumption) -> RunResult<CallResult> {
        let (state, runs) = self.generator_mut(id, |coroutine, generator| {
            (coroutine.state, generator.cleans_up || generator.delegates)
        })?;
        if state == CoroutineState::Suspended && runs {
            let exit = SimpleException::new_none(EXIT);
            let exit = Value::Ref(self.heap.allocate(HeapData::Exception(exit.into())));
            return self.raise_in(id, exit, by);
        }
        if state == CoroutineState::Running {
            return Err(ExcType::generator_already_executing());
        }
        self.abandon(id)?;
        Ok(CallResult::Value(Value::None))
    }

    /// Returns true if a frame that is active is one of a generator to which nothing refers any more.
    fn is_finalizing(&self) -> bool {
        let active = std::iter::once(&self.current_frame).chain(&self.suspended_frames);
        active.filter(|frame| frame.is_generator).any(|frame| {
            let below = frame.stack_base().checked_sub(1);
            match below.and_then(|at| self.stack.get(at)) {
                Some(Value::Ref(id)) => match self.heap.get(*id) {
                    HeapData::Coroutine(coroutine) => coroutine
                        .generator
                        .as_ref()
                        .is_some_and(|generator| matches!(generator.by, Resumption::Finalize)),
                    _ => false,
                },
                _ => false,
            }
        })
    }

    /// Has the main frame return `value` once more when the frames that are pushed now have ended.
    pub(super) fn returns_once_more(&mut self, value: Value) {
        self.push(value);
        self.run_again();
    }

    /// Has the instruction of this moment run again when the frames that are pushed now have ended.
    pub(super) fn run_again(&mut self) {
        self.current_frame_mut().ip = self.instruction_ip;
    }

    /// Does what [`VM::close_unreachable`] does where there may be nothing to do.
    #[inline]
    pub(super) fn close_if_unreachable(&mut self) {
        if !self.heap.unclosed.is_empty() {
            self.close_unreachable();
        }
    }

    /// Begins to close a generator that nothing refers to any more and that has something to do at its end.
    ///
    /// Does nothing while one is closed: they are closed one after the other, not one in the other.
    #[cold]
    #[inline(never)]
    pub(super) fn close_unreachable(&mut self) {
        if self.heap.unclosed.is_empty() || self.is_finalizing() {
            return;
        }
        let Some(id) = self.heap.unclosed.pop() else {
            return;
        };
        // One for which there is no frame is not closed, as CPython ignores what its finalizers raise.
        let marked = self.generator_mut(id, |_, generator| generator.is_finalized = true);
        if marked.is_ok()
            && let Ok(result) = self.close_generator(id, Resumption::Finalize)
        {
            result.drop_with(self);
        }
        // The frame has a reference of its own.
        Value::Ref(id).drop_with(self);
    }
}
