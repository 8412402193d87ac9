def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    tuple = type(())
    def add(a, b): return a + b
    def sub(a, b): return a - b
    def mul(a, b): return a * b
    def truediv(a, b): return a / b
    def floordiv(a, b): return a // b
    def mod(a, b): return a % b
    def pow(a, b): return a ** b
    def neg(a): return -a
    def pos(a): return +a
    def invert(a): return ~a
    def index(a):
        if type(a) is not int and type(a) is not type(True):
            raise TypeError(f"'{type(a).__name__}' object cannot be interpreted as an integer")
        return a + 0
    def call(f, /, *args, **kwargs): return f(*args, **kwargs)
    def lshift(a, b): return a << b
    def rshift(a, b): return a >> b
    def and_(a, b): return a & b
    def or_(a, b): return a | b
    def xor(a, b): return a ^ b
    def not_(a): return not a
    def truth(a): return True if a else False
    def eq(a, b): return a == b
    def ne(a, b): return a != b
    def lt(a, b): return a < b
    def le(a, b): return a <= b
    def gt(a, b): return a > b
    def ge(a, b): return a >= b
    def is_(a, b): return a is b
    def is_not(a, b): return a is not b
    def concat(a, b): return a + b
    def iadd(a, b):
        a += b
        return a
    def isub(a, b):
        a -= b
        return a
    def imul(a, b):
        a *= b
        return a
    def itruediv(a, b):
        a /= b
        return a
    def ifloordiv(a, b):
        a //= b
        return a
    def imod(a, b):
        a %= b
        return a
    def ipow(a, b):
        a **= b
        return a
    def ilshift(a, b):
        a <<= b
        return a
    def irshift(a, b):
        a >>= b
        return a
    def iand(a, b):
        a &= b
        return a
    def ior(a, b):
        a |= b
        return a
    def ixor(a, b):
        a ^= b
        return a
    def imatmul(a, b):
        a @= b
        return a
    def iconcat(a, b):
        a += b
        return a
    def contains(a, b): return b in a
    def getitem(a, b): return a[b]
    def setitem(a, b, c): a[b] = c
    def delitem(a, b): del a[b]
    def length_hint(obj, default=0, /):
        if hasattr(obj, '__len__'):
            return obj.__len__()
        if hasattr(obj, '__length_hint__'):
            return obj.__length_hint__()
        try:
            return len(obj)
        except TypeError:
            pass
        if type(obj).__name__ in ('list_iterator', 'tuple_iterator', 'str_iterator', 'range_iterator'):
            raise NotImplementedError('operator.length_hint() of an iterator is not available in this sandbox')
        return default
    def matmul(a, b): return a @ b
    def countOf(a, b):
        count = 0
        for x in a:
            if x is b or x == b:
                count += 1
        return count
    def indexOf(a, b):
        for i, x in enumerate(a):
            if x is b or x == b:
                return i
        raise ValueError('sequence.index(x): x not in sequence')
    def itemgetter(*items):
        if not items:
            raise TypeError('itemgetter expected 1 argument, got 0')
        if len(items) == 1:
            item = items[0]
            return lambda value: value[item]
        return lambda value: (*[value[i] for i in items],)
    def attribute(value, path):
        for name in path.split('.'):
            value = getattr(value, name)
        return value
    def attrgetter(*names):
        if not names:
            raise TypeError('attrgetter expected 1 argument, got 0')
        if len(names) == 1:
            name = names[0]
            return lambda value: attribute(value, name)
        return lambda value: (*[attribute(value, name) for name in names],)
    special = {'__getitem__': getitem, '__contains__': contains, '__len__': len, '__add__': add, '__mul__': mul, '__sub__': sub, '__eq__': eq}
    # Methods of builtin types are no values that `getattr` could give.
    methods = {
        'add': lambda v, a, k: v.add(*a, **k),
        'append': lambda v, a, k: v.append(*a, **k),
        'appendleft': lambda v, a, k: v.appendleft(*a, **k),
        'as_integer_ratio': lambda v, a, k: v.as_integer_ratio(*a, **k),
        'as_posix': lambda v, a, k: v.as_posix(*a, **k),
        'astimezone': lambda v, a, k: v.astimezone(*a, **k),
        'bit_count': lambda v, a, k: v.bit_count(*a, **k),
        'bit_length': lambda v, a, k: v.bit_length(*a, **k),
        'capitalize': lambda v, a, k: v.capitalize(*a, **k),
        'casefold': lambda v, a, k: v.casefold(*a, **k),
        'center': lambda v, a, k: v.center(*a, **k),
        'choice': lambda v, a, k: v.choice(*a, **k),
        'clear': lambda v, a, k: v.clear(*a, **k),
        'close': lambda v, a, k: v.close(*a, **k),
        'conjugate': lambda v, a, k: v.conjugate(*a, **k),
        'copy': lambda v, a, k: v.copy(*a, **k),
        'count': lambda v, a, k: v.count(*a, **k),
        'date': lambda v, a, k: v.date(*a, **k),
        'decode': lambda v, a, k: v.decode(*a, **k),
        'difference': lambda v, a, k: v.difference(*a, **k),
        'discard': lambda v, a, k: v.discard(*a, **k),
        'elements': lambda v, a, k: v.elements(*a, **k),
        'encode': lambda v, a, k: v.encode(*a, **k),
        'end': lambda v, a, k: v.end(*a, **k),
        'endswith': lambda v, a, k: v.endswith(*a, **k),
        'exists': lambda v, a, k: v.exists(*a, **k),
        'expandtabs': lambda v, a, k: v.expandtabs(*a, **k),
        'extend': lambda v, a, k: v.extend(*a, **k),
        'extendleft': lambda v, a, k: v.extendleft(*a, **k),
        'find': lambda v, a, k: v.find(*a, **k),
        'findall': lambda v, a, k: v.findall(*a, **k),
        'finditer': lambda v, a, k: v.finditer(*a, **k),
        'format': lambda v, a, k: v.format(*a, **k),
        'fromkeys': lambda v, a, k: v.fromkeys(*a, **k),
        'fullmatch': lambda v, a, k: v.fullmatch(*a, **k),
        'get': lambda v, a, k: v.get(*a, **k),
        'getvalue': lambda v, a, k: v.getvalue(*a, **k),
        'group': lambda v, a, k: v.group(*a, **k),
        'groupdict': lambda v, a, k: v.groupdict(*a, **k),
        'groups': lambda v, a, k: v.groups(*a, **k),
        'hex': lambda v, a, k: v.hex(*a, **k),
        'index': lambda v, a, k: v.index(*a, **k),
        'insert': lambda v, a, k: v.insert(*a, **k),
        'intersection': lambda v, a, k: v.intersection(*a, **k),
        'is_dir': lambda v, a, k: v.is_dir(*a, **k),
        'is_file': lambda v, a, k: v.is_file(*a, **k),
        'is_integer': lambda v, a, k: v.is_integer(*a, **k),
        'isalnum': lambda v, a, k: v.isalnum(*a, **k),
        'isalpha': lambda v, a, k: v.isalpha(*a, **k),
        'isascii': lambda v, a, k: v.isascii(*a, **k),
        'isdecimal': lambda v, a, k: v.isdecimal(*a, **k),
        'isdigit': lambda v, a, k: v.isdigit(*a, **k),
        'isdisjoint': lambda v, a, k: v.isdisjoint(*a, **k),
        'isidentifier': lambda v, a, k: v.isidentifier(*a, **k),
        'islower': lambda v, a, k: v.islower(*a, **k),
        'isnumeric': lambda v, a, k: v.isnumeric(*a, **k),
        'isocalendar': lambda v, a, k: v.isocalendar(*a, **k),
        'isoformat': lambda v, a, k: v.isoformat(*a, **k),
        'isoweekday': lambda v, a, k: v.isoweekday(*a, **k),
        'isprintable': lambda v, a, k: v.isprintable(*a, **k),
        'isspace': lambda v, a, k: v.isspace(*a, **k),
        'issubset': lambda v, a, k: v.issubset(*a, **k),
        'issuperset': lambda v, a, k: v.issuperset(*a, **k),
        'istitle': lambda v, a, k: v.istitle(*a, **k),
        'isupper': lambda v, a, k: v.isupper(*a, **k),
        'items': lambda v, a, k: v.items(*a, **k),
        'join': lambda v, a, k: v.join(*a, **k),
        'joinpath': lambda v, a, k: v.joinpath(*a, **k),
        'keys': lambda v, a, k: v.keys(*a, **k),
        'ljust': lambda v, a, k: v.ljust(*a, **k),
        'lower': lambda v, a, k: v.lower(*a, **k),
        'lstrip': lambda v, a, k: v.lstrip(*a, **k),
        'match': lambda v, a, k: v.match(*a, **k),
        'most_common': lambda v, a, k: v.most_common(*a, **k),
        'normalize': lambda v, a, k: v.normalize(*a, **k),
        'partition': lambda v, a, k: v.partition(*a, **k),
        'pop': lambda v, a, k: v.pop(*a, **k),
        'popitem': lambda v, a, k: v.popitem(*a, **k),
        'popleft': lambda v, a, k: v.popleft(*a, **k),
        'quantize': lambda v, a, k: v.quantize(*a, **k),
        'randint': lambda v, a, k: v.randint(*a, **k),
        'random': lambda v, a, k: v.random(*a, **k),
        'read': lambda v, a, k: v.read(*a, **k),
        'readline': lambda v, a, k: v.readline(*a, **k),
        'readlines': lambda v, a, k: v.readlines(*a, **k),
        'remove': lambda v, a, k: v.remove(*a, **k),
        'removeprefix': lambda v, a, k: v.removeprefix(*a, **k),
        'removesuffix': lambda v, a, k: v.removesuffix(*a, **k),
        'replace': lambda v, a, k: v.replace(*a, **k),
        'reverse': lambda v, a, k: v.reverse(*a, **k),
        'rfind': lambda v, a, k: v.rfind(*a, **k),
        'rindex': lambda v, a, k: v.rindex(*a, **k),
        'rjust': lambda v, a, k: v.rjust(*a, **k),
        'rotate': lambda v, a, k: v.rotate(*a, **k),
        'rpartition': lambda v, a, k: v.rpartition(*a, **k),
        'rsplit': lambda v, a, k: v.rsplit(*a, **k),
        'rstrip': lambda v, a, k: v.rstrip(*a, **k),
        'sample': lambda v, a, k: v.sample(*a, **k),
        'search': lambda v, a, k: v.search(*a, **k),
        'seek': lambda v, a, k: v.seek(*a, **k),
        'setdefault': lambda v, a, k: v.setdefault(*a, **k),
        'shuffle': lambda v, a, k: v.shuffle(*a, **k),
        'sort': lambda v, a, k: v.sort(*a, **k),
        'span': lambda v, a, k: v.span(*a, **k),
        'split': lambda v, a, k: v.split(*a, **k),
        'splitlines': lambda v, a, k: v.splitlines(*a, **k),
        'sqrt': lambda v, a, k: v.sqrt(*a, **k),
        'start': lambda v, a, k: v.start(*a, **k),
        'startswith': lambda v, a, k: v.startswith(*a, **k),
        'strftime': lambda v, a, k: v.strftime(*a, **k),
        'strip': lambda v, a, k: v.strip(*a, **k),
        'sub': lambda v, a, k: v.sub(*a, **k),
        'subn': lambda v, a, k: v.subn(*a, **k),
        'subtract': lambda v, a, k: v.subtract(*a, **k),
        'swapcase': lambda v, a, k: v.swapcase(*a, **k),
        'symmetric_difference': lambda v, a, k: v.symmetric_difference(*a, **k),
        'tell': lambda v, a, k: v.tell(*a, **k),
        'time': lambda v, a, k: v.time(*a, **k),
        'timestamp': lambda v, a, k: v.timestamp(*a, **k),
        'timetuple': lambda v, a, k: v.timetuple(*a, **k),
        'timetz': lambda v, a, k: v.timetz(*a, **k),
        'title': lambda v, a, k: v.title(*a, **k),
        'to_bytes': lambda v, a, k: v.to_bytes(*a, **k),
        'toordinal': lambda v, a, k: v.toordinal(*a, **k),
        'total': lambda v, a, k: v.total(*a, **k),
        'total_seconds': lambda v, a, k: v.total_seconds(*a, **k),
        'uniform': lambda v, a, k: v.uniform(*a, **k),
        'union': lambda v, a, k: v.union(*a, **k),
        'update': lambda v, a, k: v.update(*a, **k),
        'upper': lambda v, a, k: v.upper(*a, **k),
        'utcoffset': lambda v, a, k: v.utcoffset(*a, **k),
        'values': lambda v, a, k: v.values(*a, **k),
        'weekday': lambda v, a, k: v.weekday(*a, **k),
        'with_name': lambda v, a, k: v.with_name(*a, **k),
        'with_suffix': lambda v, a, k: v.with_suffix(*a, **k),
        'write': lambda v, a, k: v.write(*a, **k),
        'zfill': lambda v, a, k: v.zfill(*a, **k),
    }
    def methodcaller(name, /, *args, **kwargs):
        if type(name) is not str or not name.isidentifier():
            raise TypeError('method name must be a string')
        def call(value):
            if name in special and not hasattr(value, name):
                return special[name](value, *args, **kwargs)
            if name in methods:
                return methods[name](value, args, kwargs)
            return getattr(value, name)(*args, **kwargs)
        return call
    members = {
        'add': add, 'sub': sub, 'mul': mul, 'truediv': truediv, 'floordiv': floordiv, 'mod': mod, 'pow': pow,
        'neg': neg, 'pos': pos, 'invert': invert, 'inv': invert, 'abs': abs, 'index': index, 'call': call, 'lshift': lshift, 'rshift': rshift,
        'and_': and_, 'or_': or_, 'xor': xor, 'not_': not_, 'truth': truth, 'eq': eq, 'ne': ne, 'lt': lt, 'le': le,
        'gt': gt, 'ge': ge, 'is_': is_, 'is_not': is_not, 'concat': concat, 'contains': contains, 'getitem': getitem,
        'setitem': setitem, 'delitem': delitem, 'length_hint': length_hint, 'matmul': matmul, 'countOf': countOf, 'indexOf': indexOf, 'itemgetter': itemgetter,
        'attrgetter': attrgetter, 'methodcaller': methodcaller,
        'iadd': iadd, 'isub': isub, 'imul': imul, 'itruediv': itruediv, 'ifloordiv': ifloordiv, 'imod': imod,
        'ipow': ipow, 'ilshift': ilshift, 'irshift': irshift, 'iand': iand, 'ior': ior, 'ixor': ixor, 'imatmul':
        imatmul, 'iconcat': iconcat,
    }
    return _rlm_Module('operator', members)
_rlm_module_operator = _rlm_load(*_rlm_kit['builtins'])
