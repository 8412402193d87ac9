# Methods of builtin types that Monty lacks; see `compat/methods.rs`.
def _rlm_load(type, str, int, float, bytes, dict, list, tuple, set, frozenset, len, range, ord, chr, abs, divmod, getattr, isinstance, min, max, iter, next, hash, format, hasattr, bool, callable, reversed, round):
    import re, binascii, math, json
    basic = {'str': str, 'int': int, 'float': float, 'bytes': bytes, 'dict': dict, 'list': list, 'tuple': tuple, 'set': set, 'frozenset': frozenset}
    def translate(s, table):
        out = []
        for c in s:
            n = ord(c)
            if isinstance(table, dict):
                r = table.get(n, c)
            else:
                try:
                    r = table[n]
                except LookupError:
                    r = c
            if r is not None:
                out.append(chr(r) if type(r) is int else r)
        return ''.join(out)
    def maketrans(x, *rest):
        if not rest:
            if type(x) is not dict:
                raise TypeError('if you give only one argument to maketrans it must be a dict')
            return {ord(k) if type(k) is str else k: v for k, v in x.items()}
        if len(x) != len(rest[0]):
            raise ValueError('the first two maketrans arguments must have equal length')
        table = {ord(x[i]): ord(rest[0][i]) for i in range(len(x))}
        if len(rest) == 2:
            table.update({ord(c): None for c in rest[1]})
        return table
    def popitem(d):
        if not d:
            raise KeyError('popitem(): dictionary is empty')
        return d.popitem()
    def replaced(row):
        def _replace(**given):
            odd = [name for name in given if name not in row._fields]
            if odd:
                raise ValueError(f'Got unexpected field names: {odd!r}')
            return row._replace(**given)
        return _replace
    def format_map(s, mapping):
        names = fields(s)
        return s.format(**{name: mapping[name] for name in names})
    def fields(s):
        found = []
        i = 0
        while i < len(s):
            if s[i:i + 2] in ('{{', '}}'):
                i += 2
                continue
            if s[i] == '{':
                j = i + 1
                while j < len(s) and s[j] not in '}!:.[{':
                    j += 1
                if s[i + 1:j] not in found:
                    found.append(s[i + 1:j])
                i = j
                continue
            i += 1
        return found
    def made(digits):
        return binascii.unhexlify(''.join([f'{d:02x}' for d in digits]))
    def bit_length(n):
        return len(f'{abs(n):b}') if n else 0
    def to_bytes(n, length=1, byteorder='big', *, signed=False):
        if n < 0 and not signed:
            raise OverflowError("can't convert negative int to unsigned")
        if signed and not -(1 << (8 * length - 1)) <= n < 1 << (8 * length - 1) or n >= 1 << (8 * length):
            raise OverflowError('int too big to convert')
        n %= 1 << (8 * length)
        digits = [(n >> (8 * i)) & 255 for i in range(length)]
        return made(digits if byteorder == 'little' else digits[::-1])
    def from_bytes(given, byteorder='big', *, signed=False):
        digits = [*given]
        n = 0
        for d in digits[::-1] if byteorder == 'little' else digits:
            n = n << 8 | d
        if signed and digits and n >> (8 * len(digits) - 1):
            n -= 1 << (8 * len(digits))
        return n
    def ratio(x):
        if x != x:
            raise ValueError('cannot convert NaN to integer ratio')
        if x in (float('inf'), -float('inf')):
            raise OverflowError('cannot convert Infinity to integer ratio')
        d = 1
        while x != int(x):
            x *= 2
            d *= 2
        return (int(x), d)
    def float_hex(x):
        if x != x or abs(x) == float('inf'):
            return f'{x}'
        sign = '-' if f'{x}'[:1] == '-' else ''
        if x == 0:
            return sign + '0x0.0p+0'
        m, e = math.frexp(abs(x))
        if e < -1021:
            return f'{sign}0x0.{int(m * 2.0 ** (e + 1074)):013x}p-1022'
        return f'{sign}0x1.{int((2 * m - 1) * 2.0 ** 52):013x}p{e - 1:+d}'
    def many(way):
        def method(s, *others):
            for other in others:
                s = way(s, other)
            return s
        return method
    union = many(lambda a, b: a.union(b))
    common = many(lambda a, b: a.intersection(b))
    rest = many(lambda a, b: a.difference(b))
    def update(s, *others, **more):
        for other in others:
            s.update(other)
        if more:
            s.update(more)
    def kept(s, wanted):
        for x in [*s]:
            if x not in wanted:
                s.discard(x)
    def difference_update(s, *others):
        for other in others:
            for x in [*other]:
                s.discard(x)
    def intersection_update(s, *others):
        for other in others:
            kept(s, {*other})
    def symmetric_difference_update(s, other):
        for x in {*other}:
            if x in s:
                s.discard(x)
            else:
                s.add(x)
    def unhex(text):
        clean = ''.join(text.split())
        for at in range(len(clean)):
            if clean[at] not in '0123456789abcdefABCDEF':
                raise ValueError(f'non-hexadecimal number found in fromhex() arg at position {at}')
        if len(clean) % 2:
            raise ValueError(f'non-hexadecimal number found in fromhex() arg at position {len(text)}')
        return made([int(clean[i:i + 2], 16) for i in range(0, len(clean), 2)])
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
    special = {
        '__getitem__': lambda o, k: o[k], '__contains__': lambda o, x: x in o, '__len__': lambda o: len(o), '__neg__': lambda o: -o,
        '__add__': both(lambda o, x: o + x), '__sub__': both(lambda o, x: o - x), '__mul__': both(lambda o, x: o * x), '__radd__': both(lambda o, x: x + o),
        '__truediv__': both(lambda o, x: o / x), '__floordiv__': both(lambda o, x: o // x), '__mod__': both(lambda o, x: o % x), '__pow__': both(lambda o, x: o ** x),
        '__and__': both(lambda o, x: o & x), '__or__': both(lambda o, x: o | x), '__xor__': both(lambda o, x: o ^ x),
        '__eq__': compared(lambda o, x: o == x), '__ne__': compared(lambda o, x: o != x), '__lt__': compared(lambda o, x: o < x),
        '__gt__': compared(lambda o, x: o > x), '__le__': compared(lambda o, x: o <= x), '__ge__': compared(lambda o, x: o >= x),
        '__iter__': lambda o: iter(o), '__next__': lambda o: next(o), '__str__': lambda o: f'{o}', '__repr__': lambda o: f'{o!r}',
        '__bool__': lambda o: bool(o), '__int__': lambda o: int(o), '__float__': lambda o: float(o), '__index__': lambda o: int(o),
        '__round__': lambda o, *digits: round(o, *digits), '__reversed__': lambda o: reversed(o), '__abs__': lambda o: abs(o), '__hash__': lambda o: hash(o), '__setitem__': put, '__format__': lambda o, spec: format(o, spec),
    }
    anything = ('__eq__', '__ne__', '__lt__', '__gt__', '__le__', '__ge__', '__str__', '__repr__', '__format__', '__hash__')
    number = ('__add__', '__radd__', '__sub__', '__mul__', '__truediv__', '__floordiv__', '__mod__', '__pow__', '__neg__', '__abs__', '__bool__', '__int__', '__float__', '__round__')
    sized = ('__len__', '__contains__', '__iter__')
    items = (*sized, '__getitem__')
    sequence = (*items, '__add__', '__mul__')
    changed = (*items, '__setitem__', '__reversed__')
    bits = ('__and__', '__or__', '__xor__')
    of_sets = (*sized, '__sub__', '__and__', '__or__', '__xor__')
    of_kinds = {
        'int': (*number, *bits, '__index__'), 'float': number, 'str': (*sequence, '__mod__'), 'bytes': (*sequence, '__mod__'), 'list': (*sequence, '__setitem__', '__reversed__'),
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
    def range_index(r, x):
        if x not in r:
            raise ValueError(f'{x!r} is not in range')
        start, stop, *step = [int(part) for part in f'{r!r}'[6:-1].split(', ')]
        return (int(x) - start) // (step[0] if step else 1)
    def indices(s, n):
        step = 1 if s.step is None else s.step
        if step == 0:
            raise ValueError('slice step cannot be zero')
        if n < 0:
            raise ValueError('length should not be negative')
        low = 0 if step > 0 else -1
        high = n if step > 0 else n - 1
        def bound(x, default):
            return default if x is None else max(x + n, low) if x < 0 else min(x, high)
        return bound(s.start, low if step > 0 else high), bound(s.stop, high if step > 0 else low), step
    def float_from_hex(text):
        m = re.match(r'([-+]?)(?:0[xX])?([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([-+]?[0-9]+))?\z', text.strip())
        if m is None or not (m.group(2) or m.group(3)):
            if text.strip().lower().strip('+-') in ('inf', 'infinity', 'nan'):
                return float(text)
            raise ValueError('invalid hexadecimal floating-point string')
        tail = m.group(3) or ''
        n = int(m.group(2) + tail, 16)
        e = int(m.group(4) or '0') - 4 * len(tail)
        x = n * 2 ** e / 1 if e >= 0 else n / 2 ** -e
        return -x if m.group(1) == '-' else x
    extras = {
        'dict': {'popitem': popitem}, 'defaultdict': {'popitem': popitem}, 'Counter': {'popitem': popitem},
        'str': {'translate': translate, 'format_map': format_map, 'isdecimal': lambda s: s.isdigit() and s.isnumeric() and not [c for c in s if c in '²³¹']},
        'int': {
            'bit_length': bit_length, 'bit_count': lambda n: f'{abs(n):b}'.count('1'), 'to_bytes': to_bytes, 'conjugate': lambda n: +n,
            'as_integer_ratio': lambda n: (n, 1), 'is_integer': lambda n: True,
        },
        'float': {'hex': float_hex, 'is_integer': lambda x: x == x and abs(x) != float('inf') and x == int(x), 'as_integer_ratio': ratio, 'conjugate': lambda x: x},
        'set': {
            'union': union, 'intersection': common, 'difference': rest, 'update': update, 'difference_update': difference_update,
            'intersection_update': intersection_update, 'symmetric_difference_update': symmetric_difference_update,
        },
        'frozenset': {'union': union, 'intersection': common, 'difference': rest},
        'Match': {'groups': all_groups, 'groupdict': named_groups},
        'complex': {'conjugate': lambda z: z.conjugate()}, 'bytes': {},
        'range': {'index': range_index, 'count': lambda r, x: 1 if x in r else 0}, 'slice': {'indices': indices},
        'date': {}, 'datetime': {},
    }
    values = {
        'int': {'real': lambda n: +n, 'imag': lambda n: 0, 'numerator': lambda n: +n, 'denominator': lambda n: 1},
        'float': {'real': lambda x: x, 'imag': lambda x: 0.0},
    }
    statics = {
        'str': {'maketrans': maketrans}, 'int': {'from_bytes': from_bytes}, 'bytes': {'fromhex': unhex}, 'float': {'fromhex': float_from_hex},
        'date': {}, 'datetime': {},
    }
    of_modules = {}
    whole = ('lastindex', 'lastgroup', 'regs')
    patterns = ('match', 'search', 'findall', 'finditer', 'fullmatch', 'sub', 'subn', 'split', 'flags', 'groups', 'groupindex')
    def of_re(o, name):
        # Patterns and matches, Monty's and ours.
        if isinstance(o, re.Pattern) and name in patterns:
            return getattr(_rlm_re_compile(o), name)
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
        own = extras.get(kind, {}).get(name) or (special.get(name) if name in dunders(kind) else None)
        if own is None:
            return getattr(o, name)
        def method(*args, **kwargs):
            if not args:
                raise TypeError(f'unbound method {kind}.{name}() needs an argument')
            if not isinstance(args[0], o):
                raise TypeError(f"descriptor '{name}' for '{kind}' objects doesn't apply to a '{type(args[0]).__name__}' object")
            return own(*args, **kwargs)
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
        own = values.get(kind, {}).get(name)
        if own is not None:
            return own(o)
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
