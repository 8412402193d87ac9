def _rlm_load(_rlm_eval, abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
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
    def contains(a, b): return b in a
    def getitem(a, b): return a[b]
    def setitem(a, b, c): a[b] = c
    def delitem(a, b):
        if isinstance(a, list):
            part = a[b]
            if isinstance(b, int):
                a.pop(b)
            elif b.step is None:
                a[b] = []
            else:
                raise NotImplementedError('operator.delitem() of a slice with a step is not available in this sandbox')
        elif hasattr(a, '__delitem__'):
            a.__delitem__(b)
        elif type(a) is tuple or isinstance(a, (str, int, float)):
            raise TypeError(f"'{type(a).__name__}' object doesn't support item deletion")
        else:
            a.pop(b)
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
    def methodcaller(name, /, *args, **kwargs):
        if type(name) is not str or not name.isidentifier():
            raise TypeError('method name must be a string')
        def call(value):
            if name in special and not hasattr(value, name):
                return special[name](value, *args, **kwargs)
            return _rlm_eval(f'value.{name}(*args, **kwargs)') if (value, args, kwargs) else None
        return call
    members = {
        'add': add, 'sub': sub, 'mul': mul, 'truediv': truediv, 'floordiv': floordiv, 'mod': mod, 'pow': pow,
        'neg': neg, 'pos': pos, 'invert': invert, 'inv': invert, 'abs': abs, 'index': index, 'call': call, 'lshift': lshift, 'rshift': rshift,
        'and_': and_, 'or_': or_, 'xor': xor, 'not_': not_, 'truth': truth, 'eq': eq, 'ne': ne, 'lt': lt, 'le': le,
        'gt': gt, 'ge': ge, 'is_': is_, 'is_not': is_not, 'concat': concat, 'contains': contains, 'getitem': getitem,
        'setitem': setitem, 'delitem': delitem, 'length_hint': length_hint, 'matmul': matmul, 'imatmul': matmul, 'countOf': countOf, 'indexOf': indexOf, 'itemgetter': itemgetter,
        'attrgetter': attrgetter, 'methodcaller': methodcaller,
        'iadd': add, 'isub': sub, 'imul': mul, 'iconcat': concat, 'imod': mod, 'ifloordiv': floordiv, 'itruediv': truediv, 'ipow': pow, 'ilshift': lshift, 'irshift': rshift,
        'ior': or_, 'iand': and_, 'ixor': xor,
    }
    return _rlm_Module('operator', members)
_rlm_module_operator = _rlm_load(_rlm_kit['eval'], *_rlm_kit['builtins'])
