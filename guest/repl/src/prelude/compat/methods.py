# Methods of builtin types that Monty lacks; see `compat/methods.rs`.
def _rlm_load(type, str, int, float, bytes, dict, list, tuple, set, frozenset, len, range, ord, chr, abs, divmod, getattr, isinstance, min, max, iter, next, hash, format, hasattr, bool, callable, reversed, round):
    import re, binascii
    basic = {'str': str, 'int': int, 'float': float, 'bytes': bytes, 'dict': dict, 'list': list, 'tuple': tuple, 'set': set, 'frozenset': frozenset}
    def replaced(row):
        def _replace(**given):
            odd = [name for name in given if name not in row._fields]
            if odd:
                raise ValueError(f'Got unexpected field names: {odd!r}')
            return row._replace(**given)
        return _replace
    def made(digits):
        return binascii.unhexlify(''.join([f'{d:02x}' for d in digits]))
    def all_groups(m, default=None):
        return (*[default if g is None else g for g in m.groups()],)
    def named_groups(m, default=None):
        return {k: default if g is None else g for k, g in m.groupdict().items()}
    def kin(o, x):
        # Whether a builtin knows how to work with another.
        if type(o) is bool or type(o) is int:
            return isinstance(x, int)
        if type(o) is float:
            return isinstance(x, (int, float))
        return type(o) is type(x) or isinstance(o, (set, frozenset)) and isinstance(x, (set, frozenset))
    def both(way):
        return lambda o, x: way(o, x) if kin(o, x) or isinstance(o, (str, bytes, list, tuple)) else NotImplemented
    def compared(way):
        return lambda o, x: way(o, x) if kin(o, x) else NotImplemented
    def put(o, k, x):
        o[k] = x
    def drop(o, k):
        del o[k]
    special = {
        '__getitem__': lambda o, k: o[k], '__contains__': lambda o, x: x in o, '__len__': lambda o: len(o), '__neg__': lambda o: -o,
        '__add__': both(lambda o, x: o + x), '__sub__': both(lambda o, x: o - x), '__mul__': both(lambda o, x: o * x), '__radd__': both(lambda o, x: x + o),
        '__truediv__': both(lambda o, x: o / x), '__floordiv__': both(lambda o, x: o // x), '__mod__': both(lambda o, x: o % x), '__pow__': both(lambda o, x: o ** x),
        '__and__': both(lambda o, x: o & x), '__or__': both(lambda o, x: o | x), '__xor__': both(lambda o, x: o ^ x),
        '__eq__': compared(lambda o, x: o == x), '__ne__': compared(lambda o, x: o != x), '__lt__': compared(lambda o, x: o < x),
        '__gt__': compared(lambda o, x: o > x), '__le__': compared(lambda o, x: o <= x), '__ge__': compared(lambda o, x: o >= x),
        '__iter__': lambda o: iter(o), '__next__': lambda o: next(o), '__str__': lambda o: f'{o}', '__repr__': lambda o: f'{o!r}',
        '__bool__': lambda o: bool(o), '__int__': lambda o: int(o), '__float__': lambda o: float(o), '__index__': lambda o: int(o),
        '__round__': lambda o, *digits: round(o, *digits), '__reversed__': lambda o: reversed(o), '__abs__': lambda o: abs(o), '__hash__': lambda o: hash(o), '__setitem__': put, '__delitem__': drop, '__format__': lambda o, spec: format(o, spec),
    }
    anything = ('__eq__', '__ne__', '__lt__', '__gt__', '__le__', '__ge__', '__str__', '__repr__', '__format__', '__hash__')
    number = ('__add__', '__radd__', '__sub__', '__mul__', '__truediv__', '__floordiv__', '__mod__', '__pow__', '__neg__', '__abs__', '__bool__', '__int__', '__float__', '__round__')
    sized = ('__len__', '__contains__', '__iter__')
    items = (*sized, '__getitem__')
    sequence = (*items, '__add__', '__mul__')
    changed = (*items, '__setitem__', '__delitem__', '__reversed__')
    bits = ('__and__', '__or__', '__xor__')
    of_sets = (*sized, '__sub__', '__and__', '__or__', '__xor__')
    of_kinds = {
        'int': (*number, *bits, '__index__'), 'float': number, 'str': (*sequence, '__mod__'), 'bytes': (*sequence, '__mod__'), 'list': (*sequence, '__setitem__', '__delitem__', '__reversed__'),
        'tuple': sequence, 'dict': (*changed, '__or__'), 'set': of_sets, 'frozenset': of_sets, 'range': (*items, '__bool__', '__reversed__'), 'deque': (*changed, '__add__', '__mul__'),
        'defaultdict': (*changed, '__or__'), 'Counter': (*changed, '__add__', '__sub__', '__and__', '__or__'), 'NoneType': ('__bool__',), 'bool': (*number, *bits, '__index__'),
        'dict_keys': (*of_sets, '__reversed__'), 'dict_items': (*of_sets, '__reversed__'), 'dict_values': ('__len__', '__iter__', '__reversed__'),
    }
    def dunders(kind):
        if kind[-8:] == 'iterator':
            return ('__next__', '__iter__')
        return (*anything, *of_kinds[kind]) if kind in of_kinds else ()
    def protocol(o, name):
        # What iterators, generators and functions have by what they are.
        if name == '__call__' and callable(o):
            return lambda *a, **k: o(*a, **k)
        if name in ('__iter__', '__next__') and type(o).__name__ != 'type':
            try:
                it = iter(o)
            except TypeError:
                return None
            if it is o or name == '__iter__' and not hasattr(o, '__getitem__'):
                return lambda: special[name](o)
        return None
    extras = {'str': {}, 'bytes': {}, 'Match': {'groups': all_groups, 'groupdict': named_groups}, 'date': {}, 'datetime': {}}
    statics = {'date': {}, 'datetime': {}}
    of_modules = {}
    whole = ('lastindex', 'lastgroup', 'regs')
    patterns = ('match', 'search', 'findall', 'finditer', 'fullmatch', 'sub', 'subn', 'split', 'flags', 'groups', 'groupindex')
    def of_re(o, name):
        # Patterns and matches, Monty's and ours.
        if isinstance(o, re.Pattern) and name in patterns:
            try:
                compile = _rlm_re_compile
            except NameError:
                # No script has needed patterns of ours: this one's methods are the interpreter's.
                return getattr(o, name)
            return getattr(compile(o), name)
        if name in whole and hasattr(o, '_regs'):
            return getattr(o, '_' + name)()
        if isinstance(o, re.Match) and name in ('re', 'pos', 'endpos', 'expand', *whole):
            raise NotImplementedError(f'{name} of a match that an earlier script made is not available in this sandbox')
        return None
    def of_class(o, name):
        kind = o.__name__
        if name == '__class__':
            return type
        if kind in statics and name in statics[kind]:
            return statics[kind][name]
        if kind not in basic:
            return getattr(o, name)
        if name == '__init__':
            # The class that stands for the type where a class of a script inherits from it; see `held.py`.
            return lambda one, *args, **named: [c for c in type(one).__mro__ if '_rlm_stands_for' in getattr(c, '_rlm_attributes', ())][0].__init__(one, *args, **named)
        own = extras.get(kind, {}).get(name) or (special.get(name) if name in dunders(kind) else None)
        if own is None:
            return getattr(o, name)
        def method(*args, **kwargs):
            if not args:
                raise TypeError(f'unbound method {kind}.{name}() needs an argument')
            if not isinstance(args[0], o):
                raise TypeError(f"descriptor '{name}' for '{kind}' objects doesn't apply to a '{type(args[0]).__name__}' object")
            # Not what a class that inherits from the type has of its own.
            return own(getattr(args[0], '_rlm_value', args[0]), *args[1:], **kwargs)
        return method
    def method(o, name):
        t = type(o)
        kind = t.__name__
        if kind == 'type':
            return of_class(o, name)
        if kind == 'bool':
            kind = 'int'
        if name == '__class__':
            return t
        if name == '_replace' and hasattr(o, '_fields') and not hasattr(o, '__init__'):
            return replaced(o)
        if kind == 'module':
            return of_modules[name] if name in of_modules else getattr(o, name)
        if kind in ('Pattern', 'Match'):
            own = of_re(o, name)
            if own is not None or name in whole:
                return own
        own = extras.get(kind, {}).get(name)
        if own is not None:
            return lambda *a, **k: own(o, *a, **k)
        if kind in statics and name in statics[kind]:
            return statics[kind][name]
        if name in special and name in dunders(kind):
            way = special[name]
            return lambda *a: way(o, *a)
        if name in ('__call__', '__iter__', '__next__') and not hasattr(o, name):
            own = protocol(o, name)
            if own is not None:
                return own
        return getattr(o, name)
    def getattr_(o, name, *default):
        try:
            return method(o, name)
        except AttributeError:
            if default:
                return default[0]
            raise
    def hasattr_(o, name):
        try:
            method(o, name)
        except AttributeError:
            return False
        return True
    return method, getattr_, hasattr_, extras, statics, of_modules, made
_rlm_method, _rlm_getattr, _rlm_hasattr, _rlm_extras, _rlm_statics, _rlm_of_modules, _rlm_made = _rlm_load(type, str, int, float, bytes, dict, list, tuple, set, frozenset, len, range, ord, chr, abs, divmod, getattr, isinstance, min, max, iter, next, hash, format, hasattr, bool, callable, reversed, round)
