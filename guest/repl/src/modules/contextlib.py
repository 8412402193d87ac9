def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import sys
    _, update_wrapper = _rlm_kit['wrapper']
    enter, left = _rlm_kit['enter'], _rlm_kit['left']
    builtin = (type(int), int, str, float, list, set, type(None), type(True), type(()), type({}), type(b''))
    class _GeneratorContextManager:
        def __init__(self, f, args, kwargs):
            self._f = f
            self._args = args
            self._kwargs = kwargs
            self.gen = f(*args, **kwargs)
        def __call__(self, f):
            def inside(*args, **kwargs):
                with _GeneratorContextManager(self._f, self._args, self._kwargs):
                    return f(*args, **kwargs)
            return inside
        def __enter__(self):
            try:
                return self.gen.send(None)
            except StopIteration:
                raise RuntimeError("generator didn't yield") from None
        def __exit__(self, kind, error, trace):
            try:
                if kind is None:
                    self.gen.send(None)
                else:
                    self.gen.throw(error)
            except StopIteration:
                return kind is not None
            except BaseException as raised:
                if raised is error:
                    return False
                raise
            if kind is None:
                raise RuntimeError("generator didn't stop")
            raise RuntimeError("generator didn't stop after throw()")
    def contextmanager(f):
        def helper(*args, **kwargs):
            return _GeneratorContextManager(f, args, kwargs)
        return update_wrapper(helper, f)
    class suppress:
        def __init__(self, *exceptions):
            self._exceptions = exceptions
        def __enter__(self):
            pass
        def __exit__(self, kind, error, trace):
            return kind is not None and isinstance(error, self._exceptions)
    class nullcontext:
        def __init__(self, enter_result=None):
            self.enter_result = enter_result
        def __enter__(self):
            return self.enter_result
        def __exit__(self, *details):
            pass
    class closing:
        def __init__(self, thing):
            self.thing = thing
        def __enter__(self):
            return self.thing
        def __exit__(self, *details):
            self.thing.close()
    def redirect(name):
        class redirected:
            def __init__(self, new_target):
                self._target, self._old = new_target, []
            def __enter__(self):
                before = getattr(sys, name)
                def leave():
                    setattr(sys, name, before)
                self._old.append(enter(leave))
                setattr(sys, name, self._target)
                return self._target
            def __exit__(self, *details):
                left(self._old.pop())()
        return redirected
    class ExitStack:
        def __init__(self):
            self._leave = []
        def __enter__(self):
            return self
        def enter_context(self, cm):
            if type(cm) in builtin or not hasattr(cm, '__enter__') or not hasattr(cm, '__exit__'):
                home = 'builtins' if type(cm) in builtin else '__main__'
                raise TypeError(f"'{home}.{type(cm).__name__}' object does not support the context manager protocol")
            result = cm.__enter__()
            self._leave.append(lambda *details: cm.__exit__(*details))
            return result
        def push(self, exit):
            if hasattr(exit, '__exit__'):
                self._leave.append(lambda *details: exit.__exit__(*details))
            else:
                self._leave.append(exit)
            return exit
        def callback(self, callback, /, *args, **kwds):
            def leave(*details):
                callback(*args, **kwds)
            self._leave.append(leave)
            return callback
        def pop_all(self):
            other = ExitStack()
            other._leave, self._leave = self._leave, []
            return other
        def close(self):
            self.__exit__(None, None, None)
        def __exit__(self, *details):
            came = details[0] is not None
            raised = False
            while self._leave:
                try:
                    if self._leave.pop()(*details):
                        details = (None, None, None)
                        raised = False
                except BaseException as e:
                    details = (type(e), e, None)
                    raised = True
            if raised:
                raise details[1]
            return came and details[0] is None
    return _rlm_Module('contextlib', {
        'contextmanager': contextmanager, 'suppress': suppress, 'nullcontext': nullcontext,
        'closing': closing, 'ExitStack': ExitStack,
        'redirect_stdout': redirect('stdout'), 'redirect_stderr': redirect('stderr'),
    })
_rlm_module_contextlib = _rlm_load(*_rlm_kit['builtins'])
