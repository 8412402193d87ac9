def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    class module:
        def __init__(self, name, members):
            self.__name__ = name
            for k, v in members.items():
                setattr(self, k, v)
        def __repr__(self):
            return f"<module '{self.__name__}'>"
        def __getattr__(self, name):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
    assignments = ('__module__', '__name__', '__qualname__', '__doc__')
    def update_wrapper(wrapper, wrapped, assigned=assignments, updated=('__dict__',)):
        for name in assigned:
            if hasattr(wrapped, name):
                setattr(wrapper, name, getattr(wrapped, name))
        for name in updated:
            getattr(wrapper, name).update(getattr(wrapped, name, {}))
        setattr(wrapper, '__wrapped__', wrapped)
        return wrapper
    _rlm_kit['wrapper'] = assignments, update_wrapper
    def take(source, name):
        if hasattr(source, name):
            return getattr(source, name)
        raise ImportError(f"cannot import name '{name}' from '{source.__name__}'")
    def failure(home, name, base=Exception):
        # A type of exceptions of a module.
        return type(name, (base,), {'__module__': home})
    # Functions that leave the `with` statements of ours which the script is in. They know
    # what they restore, and call nothing that a script can change: after a finisher they
    # run when the script has ended.
    entered = []
    def enter(leave):
        entered.append(leave)
        return leave
    def left(leave):
        for i in reversed(range(len(entered))):
            if entered[i] is leave:
                entered.pop(i)
                break
        return leave
    def leave_all():
        while entered:
            try:
                entered.pop()()
            except:
                pass
    _rlm_kit['enter'], _rlm_kit['left'], _rlm_kit['leave'], _rlm_kit['entered'] = enter, left, leave_all, entered
    tuple, hashed = type(()), hash
    plain = [int, str, float, list, set, type(None), type(True), tuple, type({}), type(b''), type(int)]
    def shown(arg, home):
        if isinstance(arg, list):
            return f"[{', '.join([shown(one, home) for one in arg])}]"
        if home == 'typing' and (arg is None or isinstance(arg, str)):
            return 'NoneType' if arg is None else f'ForwardRef({arg!r})'
        text = '...' if arg is ... else f'{arg!r}'
        if text[:8] != "<class '":
            return text
        return text[8:-2] if arg in plain or '.' in text else f'__main__.{text[8:-2]}'
    # Kinds that say which methods a class has, and have none themselves.
    bare = 'Iterable Container Sized Callable Hashable Collection Reversible Awaitable SupportsInt SupportsFloat'.split()
    class Iterator:
        def __iter__(self):
            return self
    class Form:
        # A kind of values that is no class here: for annotations, and to be tested for.
        def __init__(self, home, name, args=None):
            self._rlm_kind, self._home, self._args = name, home, args
            self.__name__ = name
            self._frozen = True
        def __getitem__(self, args):
            return Form(self._home, self._rlm_kind, args if isinstance(args, tuple) else (args,))
        def __mro_entries__(self, bases):
            if self._rlm_kind in bare:
                return ()
            if self._rlm_kind == 'Iterator':
                return (Iterator,)
            raise TypeError(f'a class that inherits from {self!r} is not available in this sandbox: write the methods that you need')
        def __or__(self, other):
            return Form(self._home, '|', (self, other))
        def __ror__(self, other):
            return Form(self._home, '|', (other, self))
        def __repr__(self):
            args = [f'{arg!r}' if self._rlm_kind == 'Literal' else shown(arg, self._home) for arg in self._args or ()]
            if self._rlm_kind == '|':
                if self._home != 'typing':
                    return ' | '.join(args)
                return f'typing.Optional[{args[0]}]' if args[1] == 'NoneType' else f"typing.Union[{', '.join(args)}]"
            if self._args is None:
                return f'typing.{self._rlm_kind}' if self._home == 'typing' else f"<class '{self._home}.{self._rlm_kind}'>"
            return f"{self._home}.{self._rlm_kind}[{', '.join(args)}]"
        def __eq__(self, other):
            return f'{self!r}' == f'{other!r}'
        def __hash__(self):
            return hashed(f'{self!r}')
    return module, take, Form, failure
_rlm_Module, _rlm_from, _rlm_Form, _rlm_failure = _rlm_load(*_rlm_kit['builtins'])
