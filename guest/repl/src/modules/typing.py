def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import collections
    dict, tuple, Form = type({}), type(()), _rlm_Form
    forms = (
        'AbstractSet AnyStr AsyncGenerator AsyncIterable AsyncIterator Awaitable BinaryIO ByteString Collection Concatenate '
        'Container ContextManager Coroutine Counter DefaultDict Deque Hashable IO ItemsView KeysView LiteralString MappingView '
        'Match MutableMapping MutableSequence MutableSet NotRequired OrderedDict Pattern Required Reversible Sized SupportsFloat '
        'SupportsInt TextIO TypeAlias TypeGuard Unpack ValuesView'
    )
    origins = {'List': list, 'Dict': dict, 'Tuple': tuple, 'Set': set, 'FrozenSet': type(frozenset()), 'Deque': collections.deque,
               'DefaultDict': collections.defaultdict, 'Type': type(int)}
    class TypeVar:
        def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
            self.__name__, self.__bound__, self.__constraints__ = name, bound, constraints
            self._sign = '+' if covariant else '-' if contravariant else '~'
        def __repr__(self):
            return f'{self._sign}{self.__name__}'
        def __or__(self, other):
            return Form('typing', '|', (self, other))
        def __ror__(self, other):
            return Form('typing', '|', (other, self))
    class NewType:
        def __init__(self, name, tp):
            self.__name__, self.__supertype__ = name, tp
        def __call__(self, x):
            return x
        def __repr__(self):
            return f'__main__.{self.__name__}'
    class Generic:
        def __class_getitem__(cls, params):
            return cls
    class Protocol(Generic):
        def __init_subclass__(cls, **named):
            cls._is_protocol = Protocol in cls.__bases__
            if cls._is_protocol and '__init__' not in cls._rlm_attributes:
                cls.__init__ = no_init
    def no_init(self, *args, **kwargs):
        if type(self)._is_protocol:
            raise TypeError('Protocols cannot be instantiated')
        if args or kwargs:
            raise TypeError(f'{type(self).__name__}() takes no arguments')
    def same(x):
        return x
    def cast(typ, val):
        return val
    def overload(func):
        return lambda *args, **kwargs: never()
    def never():
        raise NotImplementedError(
            'You should not call an overloaded function. A series of @overload-decorated functions outside a stub module should '
            'always be followed by an implementation that is not @overload-ed.'
        )
    def assert_never(arg, /):
        raise AssertionError(f'Expected code to be unreachable, but got: {arg!r}')
    def runtime_checkable(cls):
        raise NotImplementedError("runtime_checkable is not available here: test with hasattr(x, 'method')")
    def named_tuple(typename, fields):
        return collections.namedtuple(typename, [name for name, _ in fields])
    def typed_dict(typename, fields, *, total=True):
        return lambda *args, **named: dict(*args, **named)
    def get_args(tp):
        return (tp._args or ()) if isinstance(tp, Form) else getattr(tp, '__args__', ())
    def get_origin(tp):
        if not isinstance(tp, Form):
            return getattr(tp, '__origin__', None)
        if tp._args is None:
            return None
        if tp._rlm_kind in origins:
            return origins[tp._rlm_kind]
        return Form('collections.abc', tp._rlm_kind)
    def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
        hints = {}
        for base in [*obj.__mro__][::-1]:
            for name, hint in getattr(base, '__annotations__', {}).items():
                hints[name] = type(None) if hint is None else hint
        return hints
    def form(native):
        text = f'{native!r}'
        return Form('typing', text[7:]) if text[:7] == 'typing.' else native
    members = {name: Form('typing', name) for name in forms.split()}
    members.update({
        'AnyStr': TypeVar('AnyStr'), 'Text': str, 'TypeVar': TypeVar, 'ParamSpec': TypeVar, 'NewType': NewType, 'cast': cast, 'overload': overload,
        'final': same, 'runtime_checkable': runtime_checkable, 'no_type_check': same, 'assert_never': assert_never,
        'Generic': Generic, 'Protocol': Protocol, 'NamedTuple': named_tuple, 'TypedDict': typed_dict, 'get_args': get_args, 'get_origin': get_origin,
        'get_type_hints': get_type_hints,
    })
    return _rlm_Module('typing', members), form
_rlm_module_typing, _rlm_form = _rlm_load(*_rlm_kit['builtins'])
