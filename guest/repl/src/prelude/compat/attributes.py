# Attributes that Monty does not have as Python has them; see `compat/attributes.rs`.
_rlm_names = {'__wrapped__'}
_rlm_classes = {'SimpleNamespace'}
# What functions say of themselves, by function, and methods of named tuples, by class.
_rlm_functions = _rlm_kit.setdefault('functions', {})
_rlm_rows = _rlm_kit.setdefault('rows', {})
# How exceptions are read that have attributes of their own, once there are any.
_rlm_errors = _rlm_kit.setdefault('errors', [])
def _rlm_load(names, classes, functions, rows, errors, type, getattr, setattr, hasattr, put, list, dict, len, isinstance, AttributeError, TypeError, str):
    kind_of_classes = type(int)
    kind_of_functions = type(lambda: 0)
    # Types whose instances have no attributes of their own.
    bare = ('int', 'str', 'list', 'dict', 'tuple', 'set', 'float', 'bool', 'NoneType', 'bytes', 'complex', 'frozenset', 'range', 'deque', 'date', 'datetime', 'time', 'timedelta', 'Decimal', 'slice')
    class gone:
        # Stands where an attribute was deleted.
        pass
    class property:
        def __init__(self, fget=None, fset=None, fdel=None, kept=None, doc=None):
            read, write, delete = fget, fset, fdel
            known = type(read) is property
            self.read = read.read if known else read
            self.write = read.write if known and write is None else write
            self.delete = read.delete if known and delete is None else delete
            self.kept = kept
    class static:
        def __init__(self, f):
            self.f = f
        def __call__(self, *args, **kwargs):
            return self.f(*args, **kwargs)
    class method_of_class:
        def __init__(self, f):
            self.f = f
            self.owner = None
        def __call__(self, *args, **kwargs):
            return self.f(self.owner, *args, **kwargs)
    def is_class(t):
        return type(t).__name__ == 'type'
    def lacks(o, name):
        t = type(o)
        if hasattr(t, '__getattr__') and not is_class(o):
            return t.__getattr__(o, name)
        kind = f"type object '{o.__name__}'" if is_class(o) else f"'{t.__name__}' object"
        raise AttributeError(f"{kind} has no attribute '{name}'")
    def said(f, name):
        told = functions.get(f, {})
        if name in told:
            return told[name]
        if name == '__doc__' and '__wrapped__' in told:
            return said(told['__wrapped__'], name)
        if name in ('__doc__', '__defaults__', '__kwdefaults__'):
            raise NotImplementedError(f'{name} of this function is not available in this sandbox')
        if name in ('__self__', '__func__'):
            # The function of a bound method is asked with a copy of what it is bound to.
            raise NotImplementedError(f'{name} is not available in this sandbox: keep the instance beside the method')
        raise AttributeError(f"'function' object has no attribute '{name}'")
    def bound(o, v):
        return lambda *args, **kwargs: v(o, *args, **kwargs)
    def from_class(o, v, name):
        if type(v) is property:
            if v.kept is None:
                return v.read(o)
            setattr(o, name, v.read(o))
            return getattr(o, name)
        return v
    def get(o, name, other=getattr):
        if errors:
            held, is_bare, read = errors
            o = held(o)
            if is_bare(o):
                return read(o, name)
        t = type(o)
        if t in rows or is_class(o) and o in rows:
            own = rows[t if t in rows else o].get(name)
            if own is not None:
                if t not in rows or type(own) in (static, method_of_class):
                    return own
                return own.read(o) if type(own) is property else bound(o, own)
        if name == '__dict__':
            if t.__name__ in bare or hasattr(t, '__slots__'):
                raise AttributeError(f"'{t.__name__}' object has no attribute '__dict__'")
            return vars_(o)
        if t is kind_of_functions and (name[:2] != '__' or name in ('__doc__', '__wrapped__', '__self__', '__func__', '__dict__', '__defaults__', '__kwdefaults__') or o in functions and name in functions[o]):
            return said(o, name)
        if name == '__hash__' and is_class(o) and not hasattr(o, name) and hasattr(o, '__eq__') and not hasattr(o, '__dataclass_fields__'):
            return None
        if t is property and name == '__doc__':
            return said(o.read, name)
        if t in (static, method_of_class) and name in ('__doc__', '__wrapped__'):
            return said(o.f, name)
        try:
            v = other(o, name)
        except AttributeError:
            if name == '__doc__':
                if is_class(t) and t.__name__ in classes:
                    return None
                raise NotImplementedError('__doc__ of this is not available in this sandbox')
            if hasattr(t, '__getattr__') and not is_class(o):
                return t.__getattr__(o, name)
            raise
        if v is gone:
            if is_class(o) or not hasattr(t, name) or getattr(t, name) is gone:
                return lacks(o, name)
            v = getattr(t, name)
            if type(v) is kind_of_functions:
                return bound(o, v)
            return from_class(o, v, name)
        if type(v) is property and not is_class(o):
            return from_class(o, v, name)
        return v
    def callee(o, name, native):
        # A method that is called; those of builtin types are no values.
        t = type(o)
        if hasattr(t, '__getattr__') or t in rows or t is kind_of_functions and name in functions.get(o, {}):
            return get(o, name)
        if is_class(o) and o in rows:
            return get(o, name)
        if errors:
            held, is_bare, read = errors
            o = held(o)
            if is_bare(o):
                return read(o, name)
        return native(o)
    def set(o, name, value):
        if errors:
            o = errors[0](o)
        t = type(o)
        names.add(name)
        if t is kind_of_functions:
            if o not in functions:
                functions[o] = {}
            functions[o][name] = value
            return
        if hasattr(o, '_fields') and name in o._fields and not is_class(o) and not hasattr(o, '__init__'):
            raise AttributeError("can't set attribute")
        v = None if is_class(o) else getattr(t, name, None)
        if type(v) is not property or v.kept is not None:
            if hasattr(t, '__slots__') and not is_class(o):
                slots = t.__slots__
                if name not in ((slots,) if type(slots) is str else [*slots]):
                    if hasattr(t, name):
                        raise AttributeError(f"'{t.__name__}' object attribute '{name}' is read-only")
                    raise AttributeError(f"'{t.__name__}' object has no attribute '{name}'")
            setattr(o, name, value)
        elif v.write is None:
            raise AttributeError(f"property '{name}' of '{t.__name__}' object has no setter")
        else:
            v.write(o, value)
    def owns(o, name):
        # Whether the instance itself has it, not only its class.
        t = type(o)
        if not hasattr(o, name):
            return False
        if not hasattr(t, name):
            return True
        kept = getattr(t, name)
        mark = []
        try:
            setattr(t, name, mark)
        except TypeError:
            # A class of ours, which stays as it is.
            return False
        own = getattr(o, name) is not mark
        setattr(t, name, kept)
        return own
    def delete(o, name):
        t = type(o)
        if t is kind_of_functions:
            if o not in functions or name not in functions[o]:
                raise AttributeError(f"'function' object has no attribute '{name}'")
            functions[o].pop(name)
            return
        if is_class(o):
            if not hasattr(o, name) or getattr(o, name) is gone:
                raise AttributeError(f"type object '{o.__name__}' has no attribute '{name}'")
            setattr(o, name, gone)
            return
        v = getattr(t, name, None)
        if type(v) is property and v.kept is None:
            if v.delete is None:
                raise AttributeError(f"property '{name}' of '{t.__name__}' object has no deleter")
            v.delete(o)
            return
        if hasattr(t, '__dataclass_fields__') and name in t.__dataclass_fields__:
            raise NotImplementedError('del of a field of a dataclass is not available in this sandbox')
        if not owns(o, name) or getattr(o, name) is gone:
            if hasattr(t, '__slots__') and name in t.__slots__:
                raise AttributeError(name)
            raise AttributeError(f"'{t.__name__}' object has no attribute '{name}'")
        setattr(o, name, gone)
    def vars_(*given):
        if len(given) != 1:
            raise NotImplementedError('vars() of the script is not available in this sandbox')
        o = given[0]
        t = type(o)
        if is_class(o) or t.__name__ not in classes:
            if t.__name__ in bare:
                raise TypeError('vars() argument must have __dict__ attribute')
            raise NotImplementedError('vars() of this is not available in this sandbox')
        if hasattr(t, '__slots__'):
            raise TypeError('vars() argument must have __dict__ attribute')
        return {name: value for name, value in o._rlm_attributes.items() if value is not gone and not name.startswith('_rlm_')}
    def fill(o):
        def update(*given, **more):
            for name, value in {**dict(*given), **more}.items():
                names.add(name)
                setattr(o, name, value)
        return update
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
            if name == '__dict__':
                t = type(o)
                if t.__name__ in classes:
                    return not hasattr(t, '__slots__')
            try:
                get(o, name, other)
            except AttributeError:
                return False
            return True
        return hasattr_
    ways = {
        '+': '__iadd__', '-': '__isub__', '*': '__imul__', '/': '__itruediv__', '//': '__ifloordiv__', '%': '__imod__', '**': '__ipow__',
        '&': '__iand__', '|': '__ior__', '^': '__ixor__', '<<': '__ilshift__', '>>': '__irshift__', '@': '__imatmul__',
    }
    def in_place(way, a, b):
        if hasattr(type(a), ways[way]):
            r = getattr(type(a), ways[way])(a, b)
            if r is not NotImplemented:
                return r
        if way == '+':
            a += list(b) if type(a) is list and type(b) is not list else b
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
    def put_item(o, key, value):
        o[key] = value
    class target:
        def __init__(self, o):
            self.o = o
        def __setitem__(self, name, value):
            set(self.o, name, value)
    def described(doc=None, defaults=None):
        def describe(f):
            if type(f) is kind_of_functions:
                if f not in functions:
                    functions[f] = {}
                functions[f]['__doc__'] = doc
                if defaults:
                    plain, named = defaults()
                    functions[f]['__defaults__'] = plain or None
                    functions[f]['__kwdefaults__'] = named or None
            return f
        return describe
    return property, static, method_of_class, get, callee, set, delete, vars_, fill, get_or, has, in_place, put_item, described, target
_rlm_property, _rlm_static, _rlm_classmethod, _rlm_get, _rlm_callee, _rlm_set, _rlm_del, _rlm_vars, _rlm_fill, _rlm_get_or, _rlm_has, _rlm_in_place, _rlm_put, _rlm_described, _rlm_target = _rlm_load(_rlm_names, _rlm_classes, _rlm_functions, _rlm_rows, _rlm_errors, type, getattr, setattr, hasattr, object.__setattr__, list, dict, len, isinstance, AttributeError, TypeError, str)
