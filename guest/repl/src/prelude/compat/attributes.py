# Attributes that Monty does not have as Python has them; see `compat/attributes.rs`.
# What functions say of themselves, by function, and methods of named tuples, by class.
_rlm_functions = _rlm_kit.setdefault('functions', {})
_rlm_rows = _rlm_kit.setdefault('rows', {})
def _rlm_load(functions, rows, type, getattr, setattr, hasattr, delattr, list, dict, AttributeError, TypeError):
    kind_of_classes = type(int)
    kind_of_functions = type(lambda: 0)
    def is_class(t):
        return type(t).__name__ == 'type'
    def said(f, name):
        told = functions.get(f, {})
        if name in told:
            return told[name]
        if name == '__doc__' and '__wrapped__' in told:
            return said(told['__wrapped__'], name)
        if name in ('__doc__', '__defaults__', '__kwdefaults__'):
            raise NotImplementedError(f'{name} of this function is not available in this sandbox')
        raise AttributeError(f"'function' object has no attribute '{name}'")
    def bound(o, v):
        return lambda *args, **kwargs: v(o, *args, **kwargs)
    def get(o, name, other=getattr):
        t = type(o)
        if t is kind_of_functions and hasattr(o, '__func__'):
            # What a bound method says is what its function says.
            return getattr(o, name) if name in ('__self__', '__func__') else get(o.__func__, name, other)
        if t in rows or is_class(o) and o in rows:
            row = t if t in rows else o
            own = rows[row].get(name)
            if own is not None:
                if hasattr(own, '__func__'):
                    f = own.__func__
                    return bound(row, f) if f'{own!r}'[:12] == '<classmethod' else f
                if t not in rows:
                    return own
                return own.fget(o) if hasattr(own, 'fget') else bound(o, own)
        if t is kind_of_functions and (name[:2] != '__' or name in ('__doc__', '__wrapped__', '__defaults__', '__kwdefaults__') or o in functions and name in functions[o]):
            return said(o, name)
        if name == '__hash__' and is_class(o) and not hasattr(o, name) and hasattr(o, '__eq__') and not hasattr(o, '__dataclass_fields__'):
            return None
        if name == '__doc__' and hasattr(o, 'fget'):
            return said(o.fget, name)
        try:
            return other(o, name)
        except AttributeError:
            if name == '__doc__':
                if is_class(t) and hasattr(o, '__dict__'):
                    return None
                raise NotImplementedError('__doc__ of this is not available in this sandbox')
            raise
    def set(o, name, value):
        if type(name) is not str:
            raise TypeError(f"attribute name must be string, not '{type(name).__name__}'")
        t = type(o)
        if t is kind_of_functions:
            if o not in functions:
                functions[o] = {}
            functions[o][name] = value
            return
        if hasattr(o, '_fields') and name in o._fields and not is_class(o) and not hasattr(o, '__init__'):
            raise AttributeError("can't set attribute")
        setattr(o, name, value)
    def delete(o, name):
        if type(o) is not kind_of_functions:
            return delattr(o, name)
        if o not in functions or name not in functions[o]:
            raise AttributeError(f"'function' object has no attribute '{name}'")
        functions[o].pop(name)
    def get_or(other):
        def getattr_(o, name, *default):
            try:
                return get(o, name, other)
            except AttributeError:
                if default:
                    return default[0]
                raise
        return getattr_
    def has(other):
        def hasattr_(o, name):
            try:
                get(o, name, other)
            except AttributeError:
                return False
            return True
        return hasattr_
    def in_place(way, a, b):
        if way == '+':
            a += b
        elif way == '-':
            a -= b
        elif way == '*':
            a *= b
        elif way == '/':
            a /= b
        elif way == '//':
            a //= b
        elif way == '%':
            a %= b
        elif way == '**':
            a **= b
        elif way == '&':
            a &= b
        elif way == '|':
            a |= b
        elif way == '^':
            a ^= b
        elif way == '<<':
            a <<= b
        elif way == '>>':
            a >>= b
        else:
            a = a @ b
        return a
    class target:
        def __init__(self, o):
            self.o = o
        def __setitem__(self, name, value):
            set(self.o, name, value)
    def described(doc=None, defaults=None):
        def describe(f):
            g = f.fget if hasattr(f, 'fget') else f.__func__ if hasattr(f, '__func__') else f
            if type(g) is kind_of_functions:
                told = functions.setdefault(g, {})
                # An accessor that is added to a property leaves its text.
                if g is f or '__doc__' not in told:
                    told['__doc__'] = doc
                if defaults:
                    plain, named = defaults()
                    told['__defaults__'] = plain or None
                    told['__kwdefaults__'] = named or None
            return f
        return describe
    return get, set, delete, get_or, has, in_place, described, target
_rlm_get, _rlm_set, _rlm_del, _rlm_get_or, _rlm_has, _rlm_in_place, _rlm_described, _rlm_target = _rlm_load(_rlm_functions, _rlm_rows, type, getattr, setattr, hasattr, _rlm_kit['delattr'], list, dict, AttributeError, TypeError)
