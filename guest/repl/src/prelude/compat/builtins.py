# Builtins that Monty does not have; see `compat/calls.rs`.
def _rlm_load(type, hasattr, isinstance, bytes, str, int, tuple, is_below):
    # What a class must have to be a kind; of others it would have to inherit.
    asked = {
        'Iterable': ('__iter__',), 'Iterator': ('__iter__', '__next__'), 'Sized': ('__len__',), 'Container': ('__contains__',), 'Callable': ('__call__',),
        'Collection': ('__len__', '__iter__', '__contains__'), 'Reversible': ('__iter__', '__reversed__'), 'Generator': ('__iter__', '__next__', 'send', 'throw', 'close'),
    }
    natives = ('frozenset', 'range', 'deque', 'Counter', 'defaultdict', 'object', 'type', 'NoneType', 'function', 'OrderedDict', 'Decimal', 'Fraction', 'UUID', 'complex', 'slice')
    samples = {'list': [], 'tuple': (), 'str': '', 'bytes': b'', 'dict': {}, 'set': {1}, 'int': 0, 'bool': True, 'float': 0.5}
    def named(kind):
        return f'{kind!r}'[8:-2].split('.')[-1]
    def issubclass(kind, kinds):
        for base in (kinds if type(kinds) is tuple else (kinds,)):
            if hasattr(base, '_rlm_kind') and named(kind) in samples:
                if _rlm_isinstance(samples[named(kind)], base):
                    return True
                continue
            if hasattr(base, '_rlm_kind') and f'{kind!r}'[:8] == "<class '" and f'{base!r}'.find('collections.abc') >= 0 and named(kind) not in natives and named(base) != 'Hashable':
                ways = asked.get(named(base), ())
                if ways and not [1 for way in ways if not hasattr(kind, way)]:
                    return True
                continue
            if hasattr(base, '_rlm_kind') or f'{base!r}'[:7] == 'typing.':
                raise NotImplementedError(f'issubclass() of {base!r} is not available in this sandbox')
            if is_below(kind, base):
                return True
        return False
    def bytes_(*args):
        if len(args) != 1 or type(args[0]) in (bytes, str, int) or hasattr(args[0], '__bytes__'):
            if args and hasattr(args[0], '__bytes__'):
                return args[0].__bytes__()
            return bytes(*args)
        import binascii
        digits = []
        for d in args[0]:
            if not 0 <= d < 256:
                raise ValueError('bytes must be in range(0, 256)')
            digits.append(f'{d:02x}')
        return binascii.unhexlify(''.join(digits))
    class object:
        __slots__ = ()
    return bytes_, object, issubclass
_rlm_bytes, _rlm_object, _rlm_issubclass = _rlm_load(type, hasattr, isinstance, bytes, str, int, tuple, issubclass)
