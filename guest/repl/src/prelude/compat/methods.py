# Methods of builtin types as values, and those that Monty lacks; see
# `compat/methods.rs`. `_rlm_natives` gets an entry for each that is needed.
_rlm_natives = {}
def _rlm_load(natives, type, str, int, float, bytes, dict, list, tuple, set, frozenset, len, range, ord, chr, abs, divmod, getattr, isinstance, min, max, iter):
    import re, binascii, math
    basic = {'str': str, 'int': int, 'float': float, 'bytes': bytes, 'dict': dict, 'list': list, 'tuple': tuple, 'set': set, 'frozenset': frozenset}
    sets = '__contains__ __len__ copy difference intersection isdisjoint issubset issuperset symmetric_difference union'
    dicts = '__contains__ __getitem__ __len__ clear copy fromkeys get items keys pop popitem setdefault update values'
    lists = '__contains__ __getitem__ __len__ append clear copy count extend index insert pop remove reverse'
    texts = '__contains__ __getitem__ __len__ capitalize center count endswith expandtabs find index isalnum isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper zfill'
    has = {
        'str': texts + ' casefold encode format isdecimal isidentifier isnumeric isprintable', 'bytes': texts + ' decode hex',
        'list': lists + ' sort', 'dict': dicts, 'defaultdict': dicts, 'Counter': dicts + ' most_common elements',
        'set': sets + ' add clear discard pop remove update', 'frozenset': sets, 'tuple': '__contains__ __getitem__ __len__ count index',
        'deque': lists + ' appendleft extendleft popleft rotate', 'int': '', 'float': '', 'bool': '', 'NoneType': '', 'range': 'count index',
    }
    others = ('Match', 'Pattern', 'date', 'datetime', 'time', 'timedelta', 'Decimal', 'Random')
    functions = _rlm_kit.setdefault('functions', {})
    def name_of(x):
        told = functions.get(x, {}) if type(x) is type(name_of) else {}
        if '__name__' in told:
            return told['__name__']
        if '__wrapped__' in told:
            return name_of(told['__wrapped__'])
        text = f'{x!r}'
        if text == '<bound method>':
            raise NotImplementedError('the name of a bound method is not available in this sandbox: ask the function of its class')
        if text[:7] == "<class ":
            return text[8:-2].split('.')[-1]
        for start in ('<function ', '<built-in function '):
            if text[:len(start)] == start:
                name = text[len(start):].split(' at ')[0].split(' external')[0]
                return name[1:-1] if name[:1] == "'" else name[:-1] if name[-1:] == '>' and name[:1] != '<' else name
        return type(x).__name__
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
        return made([int(clean[i:i + 2], 16) for i in range(0, len(clean), 2)])
    def all_groups(m, default=None):
        return (*[default if g is None else g for g in m.groups()],)
    def named_groups(m, default=None):
        return {k: default if g is None else g for k, g in m.groupdict().items()}
    def at(p, way, s, start=0, *end):
        given = s[:end[0]] if end else s
        by = min(max(start, 0), len(given))
        if not by:
            return ways[way](p, given)
        if by and (p.pattern[:1] in ('^', '\\') or '(?<' in p.pattern.replace('(?P<', '')):
            raise NotImplementedError(f'Pattern.{way}() from a position with this pattern is not available in this sandbox')
        found = ways[way](p, given[by:])
        if way == 'finditer':
            return iter([Match(m, by, s) for m in found])
        return Match(found, by, s) if found is not None and way != 'findall' else found
    def sub(p, repl, string, count=0):
        if type(repl) is str and '\\' not in repl and '$' not in repl:
            return p.sub(repl, string, count)
        return _rlm_re_replaced(lambda s: p.finditer(s), repl, string, count)[0]
    def subn(p, repl, string, count=0):
        return _rlm_re_replaced(lambda s: p.finditer(s), repl, string, count)
    special = {
        '__getitem__': lambda o, k: o[k], '__contains__': lambda o, x: x in o, '__len__': lambda o: len(o), '__neg__': lambda o: -o,
        '__add__': lambda o, x: o + x, '__sub__': lambda o, x: o - x, '__mul__': lambda o, x: o * x, '__eq__': lambda o, x: o == x,
        '__lt__': lambda o, x: o < x, '__gt__': lambda o, x: o > x, '__iter__': lambda o: iter(o), '__str__': lambda o: f'{o}', '__repr__': lambda o: f'{o!r}',
    }
    def fullmatch(p, s):
        return re.fullmatch(p, s)
    def numbers(pattern):
        # The number of each named group, by the parentheses of the pattern.
        p = pattern.pattern
        found = {}
        n = i = 0
        in_class = False
        while i < len(p):
            c = p[i]
            if c == '\\':
                i += 1
            elif in_class:
                in_class = c != ']'
            elif c == '[':
                in_class = True
                if p[i + 1:i + 2] == '^':
                    i += 1
                if p[i + 1:i + 2] == ']':
                    i += 1
            elif c == '(' and p[i + 1:i + 2] != '?':
                n += 1
            elif c == '(' and p[i + 1:i + 4] == '?P<':
                n += 1
                found[p[i + 4:p.index('>', i)]] = n
            i += 1
        return found
    def lastindex(m):
        best = None
        for n in range(1, len(m.groups()) + 1):
            if m.start(n) >= 0 and (best is None or m.end(n) > m.end(best)):
                best = n
        return best
    def lastgroup(m):
        n = lastindex(m)
        for name, number in numbers(m.re).items():
            if number == n:
                return name
        return None
    class Match:
        def __init__(self, m, by, string):
            self._m = m
            self._by = by
            self.string = string
            self.re = m.re
            self.pos = by
            self.lastindex = lastindex(m)
            self.lastgroup = lastgroup(m)
        def __getitem__(self, n):
            return self._m.group(n)
        def group(self, *n):
            return self._m.group(*n)
        def groups(self, default=None):
            return all_groups(self._m, default)
        def groupdict(self, default=None):
            return named_groups(self._m, default)
        def start(self, n=0):
            at = self._m.start(n)
            return at + self._by if at >= 0 else at
        def end(self, n=0):
            at = self._m.end(n)
            return at + self._by if at >= 0 else at
        def span(self, n=0):
            return (self.start(n), self.end(n))
        def __repr__(self):
            return f'<re.Match object; span={self.span()!r}, match={self._m.group()!r}>'
    def indices(s, n):
        step = 1 if s.step is None else s.step
        if step == 0:
            raise ValueError('slice step cannot be zero')
        low, high = (0, n) if step > 0 else (-1, n - 1)
        def bound(x, default):
            return default if x is None else max(low, x + n) if x < 0 else min(high, x)
        return (bound(s.start, low if step > 0 else high), bound(s.stop, high if step > 0 else low), step)
    extras = {
        'slice': {'indices': indices},
        'str': {'translate': translate, 'format_map': format_map, 'isdecimal': lambda s: s.isdigit() and s.isnumeric() and not [c for c in s if c in '²³¹']},
        'int': {
            'bit_length': bit_length, 'bit_count': lambda n: f'{abs(n):b}'.count('1'), 'to_bytes': to_bytes, 'conjugate': lambda n: n,
            'as_integer_ratio': lambda n: (n, 1), 'is_integer': lambda n: True,
        },
        'float': {'hex': float_hex, 'is_integer': lambda x: x == x and abs(x) != float('inf') and x == int(x), 'as_integer_ratio': ratio, 'conjugate': lambda x: x},
        'set': {
            'union': union, 'intersection': common, 'difference': rest, 'update': update, 'difference_update': difference_update,
            'intersection_update': intersection_update, 'symmetric_difference_update': symmetric_difference_update,
        },
        'frozenset': {'union': union, 'intersection': common, 'difference': rest},
        'Match': {'groups': all_groups, 'groupdict': named_groups, 'expand': lambda m, t: _rlm_re_expanded(m, t)},
        'Pattern': {'sub': sub, 'subn': subn, 'fullmatch': fullmatch},
    }
    values = {
        'int': {'real': lambda n: n, 'imag': lambda n: 0, 'numerator': lambda n: n, 'denominator': lambda n: 1},
        'float': {'real': lambda x: x, 'imag': lambda x: 0.0},
        'Match': {'lastindex': lastindex, 'lastgroup': lastgroup},
        'Pattern': {'groupindex': lambda p: numbers(p), 'groups': lambda p: p.pattern.replace('\\\\', '').replace('\\(', '').count('(') - p.pattern.count('(?') + p.pattern.count('(?P<')},
    }
    ways = {
        'match': lambda p, s: p.match(s), 'search': lambda p, s: p.search(s), 'findall': lambda p, s: p.findall(s),
        'finditer': lambda p, s: p.finditer(s), 'fullmatch': fullmatch,
    }
    statics = {'maketrans': maketrans, 'from_bytes': from_bytes, 'fromhex': unhex}
    def of_class(o, name):
        kind = name_of(o)
        if name in ('__name__', '__qualname__'):
            return o.__qualname__ if name == '__qualname__' and kind not in basic and hasattr(o, name) else kind
        if name == '__class__':
            return type
        if kind not in basic:
            return getattr(o, name)
        if name in statics:
            return statics[name]
        if name == 'fromkeys':
            return lambda keys, value=None: {k: value for k in keys}
        own = extras.get(kind, {}).get(name) or special.get(name)
        if own is None and name in has[kind].split(' '):
            own = lambda self, *a, **k: natives[name](self)(*a, **k)
        if own is None:
            raise AttributeError(f"type object '{kind}' has no attribute '{name}'")
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
        if name in ('__name__', '__qualname__') and kind in ('function', 'builtin_function_or_method', 'builtin_function'):
            return name_of(o)
        if name == '__class__':
            return t
        if name == '__dict__' and hasattr(o, '__dataclass_fields__'):
            return {field: getattr(o, field) for field in o.__dataclass_fields__}
        own = extras.get(kind, {}).get(name)
        if own is not None:
            return lambda *a, **k: own(o, *a, **k)
        own = values.get(kind, {}).get(name)
        if own is not None:
            return own(o)
        if name in ('match', 'search', 'findall', 'finditer', 'fullmatch') and kind == 'Pattern':
            return lambda *a: at(o, name, *a)
        if name in special and kind in has:
            way = special[name]
            return lambda *a: way(o, *a)
        if kind in has and name in natives:
            if name in has[kind].split(' '):
                return natives[name](o)
            raise AttributeError(f"'{kind}' object has no attribute '{name}'")
        if kind in others and name in natives:
            return natives[name](o)
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
    def member_name(o, name):
        v = getattr(o, name)
        return name_of(getattr(type(o), name)) if f'{v!r}' == '<bound method>' else method(v, '__name__')
    return method, getattr_, hasattr_, member_name
_rlm_method, _rlm_getattr, _rlm_hasattr, _rlm_member_name = _rlm_load(_rlm_natives, type, str, int, float, bytes, dict, list, tuple, set, frozenset, len, range, ord, chr, abs, divmod, getattr, isinstance, min, max, iter)
