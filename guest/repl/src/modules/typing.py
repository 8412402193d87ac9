def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    class form:
        # What only annotations name.
        def __init__(self, name):
            self._name = name
        def __getitem__(self, of):
            return self
        def __or__(self, other):
            return self
        def __ror__(self, other):
            return self
        def __repr__(self):
            return f'typing.{self._name}'
    def cast(typ, val):
        return val
    def same(x):
        return x
    def NewType(name, tp):
        return lambda x: x
    class TypeVar:
        def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
            self.__name__ = name
        def __repr__(self):
            return f'~{self.__name__}'
        def __or__(self, other):
            return self
        def __ror__(self, other):
            return self
    def NamedTuple(typename, fields=()):
        from collections import namedtuple
        return namedtuple(typename, [name for name, _ in fields])
    def TypedDict(typename, fields=None, total=True):
        dict = type({})
        return lambda *given, **named: dict(*given, **named)
    def runtime_checkable(cls):
        raise NotImplementedError("runtime_checkable is not available here: test with hasattr(x, 'method')")
    members = {
        'cast': cast, 'overload': same, 'final': same, 'override': same, 'NewType': NewType, 'TypeVar': TypeVar,
        'NamedTuple': NamedTuple, 'TypedDict': TypedDict, 'runtime_checkable': runtime_checkable,
    }
    for name in ('AnyStr', 'Text', 'Deque', 'DefaultDict', 'OrderedDict', 'Counter', 'MutableMapping', 'MutableSequence', 'Collection', 'Hashable', 'Sized', 'TypeAlias', 'Required', 'NotRequired', 'LiteralString', 'Pattern', 'Match', 'Awaitable', 'Coroutine', 'AsyncIterator', 'AsyncIterable', 'Container', 'Reversible', 'AbstractSet', 'MutableSet', 'Concatenate', 'SupportsFloat', 'SupportsInt', 'TypeGuard', 'IO', 'TextIO'):
        members[name] = form(name)
    return _rlm_Module('typing', members)
_rlm_module_typing = _rlm_load(*_rlm_kit['builtins'])
