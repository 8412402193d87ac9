def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    missing = []
    assignments, update_wrapper = _rlm_kit['wrapper']
    def wraps(wrapped, assigned=assignments, updated=('__dict__',)):
        return lambda wrapper: update_wrapper(wrapper, wrapped, assigned, updated)
    class Key:
        def __init__(self, compare, obj):
            self.compare = compare
            self.obj = obj
        def __lt__(self, other):
            return self.compare(self.obj, other.obj) < 0
        def __gt__(self, other):
            return self.compare(self.obj, other.obj) > 0
        def __le__(self, other):
            return self.compare(self.obj, other.obj) <= 0
        def __ge__(self, other):
            return self.compare(self.obj, other.obj) >= 0
        def __eq__(self, other):
            return self.compare(self.obj, other.obj) == 0
    def cmp_to_key(mycmp):
        return lambda obj: Key(mycmp, obj)
    # How each comparison follows from the one that is there: whether from its contrary, and what equals do to it.
    orders = {
        '__lt__': {'__gt__': (True, 'but'), '__le__': (False, 'or'), '__ge__': (True, '')},
        '__le__': {'__ge__': (True, 'or'), '__lt__': (False, 'but'), '__gt__': (True, '')},
        '__gt__': {'__lt__': (True, 'but'), '__ge__': (False, 'or'), '__le__': (True, '')},
        '__ge__': {'__le__': (True, 'or'), '__gt__': (False, 'but'), '__lt__': (True, '')},
    }
    def derived(root, contrary, equals):
        def compare(self, other):
            known = getattr(self, root)(other)
            if known is NotImplemented:
                return known
            if contrary:
                known = not known
            if equals == 'or':
                return known or self == other
            return known and self != other if equals == 'but' else known
        return compare
    def total_ordering(cls):
        for root, others in orders.items():
            if hasattr(cls, root):
                for name, (contrary, equals) in others.items():
                    if not hasattr(cls, name):
                        setattr(cls, name, derived(root, contrary, equals))
                return cls
        raise ValueError('must define at least one ordering operation: < > <= >=')
    class cached_property:
        def __init__(self, func):
            self.func = func
            self.attrname = None
        def __set_name__(self, owner, name):
            self.attrname = name
        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = self.func(instance)
            setattr(instance, self.attrname, value)
            return value
    class singledispatch:
        def __init__(self, func):
            self.registry = {}
            self._default = func
        def _find(self, cls, suits):
            if cls in self.registry:
                return self.registry[cls]
            found = None
            for known in self.registry:
                if suits(known) and (found is None or issubclass(known, found)):
                    found = known
            return self._default if found is None else self.registry[found]
        def __call__(self, *args, **named):
            if not args:
                raise TypeError('a function with singledispatch requires at least 1 positional argument')
            first = args[0]
            return self._find(type(first), lambda known: isinstance(first, known))(*args, **named)
        def dispatch(self, cls):
            return self._find(cls, lambda known: False)
        def register(self, cls, func=missing):
            if type(cls) is type(wraps):
                raise TypeError('annotations cannot be read here: use @f.register(type)')
            if func is missing:
                return lambda func: self.register(cls, func)
            # The base of everything comes last.
            if f'{cls!r}' == "<class 'object'>":
                self._default = func
            else:
                self.registry[cls] = func
            return func
    return _rlm_Module('functools', {
        'update_wrapper': update_wrapper, 'wraps': wraps, 'WRAPPER_ASSIGNMENTS': assignments, 'cmp_to_key': cmp_to_key,
        'total_ordering': total_ordering, 'cached_property': cached_property, 'singledispatch': singledispatch,
    })
_rlm_module_functools = _rlm_load(*_rlm_kit['builtins'])
