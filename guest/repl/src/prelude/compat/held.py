# Classes that stand for builtin types where a class of a script inherits from one; see `compat/bases.rs`. Their instances hold
# a value of that type.
def _rlm_load(kit):
    from collections import Counter, OrderedDict, defaultdict, deque
    # A class may have a `__setattr__` of its own.
    make, keep = object.__new__, object.__setattr__
    dict_ = type({})
    def bare(x):
        return x._rlm_value if isinstance(x, Held) else x
    class Held:
        def __eq__(self, other):
            return self._rlm_value == bare(other)
        def __ne__(self, other):
            return self._rlm_value != bare(other)
        def __lt__(self, other):
            return self._rlm_value < bare(other)
        def __le__(self, other):
            return self._rlm_value <= bare(other)
        def __gt__(self, other):
            return self._rlm_value > bare(other)
        def __ge__(self, other):
            return self._rlm_value >= bare(other)
        def __len__(self):
            return len(self._rlm_value)
        def __iter__(self):
            return iter(self._rlm_value)
        def __contains__(self, item):
            return bare(item) in self._rlm_value
        def __getitem__(self, key):
            return self._rlm_value[key]
        def __add__(self, other):
            return self._rlm_value + bare(other)
        def __radd__(self, other):
            return other + self._rlm_value
        def __repr__(self):
            return f'{self._rlm_value!r}'
        def copy(self):
            return self._rlm_value.copy()
        def clear(self):
            self._rlm_value.clear()
    def pairs(args, named):
        # What `update` of a mapping is given, pair by pair.
        given = bare(args[0]) if args else ()
        found = [(key, given[key]) for key in given.keys()] if hasattr(given, 'keys') else [*given]
        return [*found, *named.items()]
    class Combined:
        # Operators of sets and counters that change what is held.
        def __isub__(self, other):
            value = self._rlm_value
            value -= bare(other)
            return self
        def __iand__(self, other):
            value = self._rlm_value
            value &= bare(other)
            return self
        def __ior__(self, other):
            value = self._rlm_value
            value |= bare(other)
            return self
    class OfDict(Held):
        _rlm_stands_for = dict_
        __hash__ = None
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_rlm_value', {})
            return one
        def __init__(self, *args, **named):
            keep(self, '_rlm_value', dict_(*[bare(arg) for arg in args], **named))
        def __getitem__(self, key):
            if key not in self._rlm_value and hasattr(type(self), '__missing__'):
                return self.__missing__(key)
            return self._rlm_value[key]
        def __setitem__(self, key, value):
            self._rlm_value[key] = value
        def __delitem__(self, key):
            self._rlm_value.pop(key)
        def __reversed__(self):
            return iter([*self._rlm_value][::-1])
        def __or__(self, other):
            return self._rlm_value | bare(other)
        def __ror__(self, other):
            return other | self._rlm_value
        def __ior__(self, other):
            self._rlm_value.update(bare(other))
            return self
        def keys(self):
            return self._rlm_value.keys()
        def values(self):
            return self._rlm_value.values()
        def items(self):
            return self._rlm_value.items()
        def get(self, key, default=None):
            return self._rlm_value.get(key, default)
        def setdefault(self, key, default=None):
            return self._rlm_value.setdefault(key, default)
        def pop(self, *args):
            return self._rlm_value.pop(*args)
        def popitem(self):
            return self._rlm_value.popitem()
        def update(self, *args, **named):
            self._rlm_value.update(*[bare(arg) for arg in args], **named)
        @classmethod
        def fromkeys(cls, keys, value=None):
            one = cls()
            for key in keys:
                one[key] = value
            return one
    class OfList(Held):
        _rlm_stands_for = list
        __hash__ = None
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_rlm_value', [])
            return one
        def __init__(self, iterable=()):
            keep(self, '_rlm_value', [*bare(iterable)])
        def __setitem__(self, key, value):
            self._rlm_value[key] = bare(value)
        def __delitem__(self, key):
            if type(key) is int:
                self._rlm_value.pop(key)
            else:
                drop = [*range(len(self._rlm_value))][key]
                left = [item for i, item in enumerate(self._rlm_value) if i not in drop]
                self._rlm_value.clear()
                self._rlm_value.extend(left)
        def __reversed__(self):
            return iter(self._rlm_value[::-1])
        def __iadd__(self, other):
            self._rlm_value.extend([*bare(other)])
            return self
        def __imul__(self, count):
            value = self._rlm_value
            value *= count
            return self
        def __mul__(self, count):
            return self._rlm_value * count
        def __rmul__(self, count):
            return self._rlm_value * count
        def append(self, item):
            self._rlm_value.append(item)
        def extend(self, items):
            self._rlm_value.extend([*bare(items)])
        def insert(self, at, item):
            self._rlm_value.insert(at, item)
        def remove(self, item):
            self._rlm_value.remove(item)
        def pop(self, *at):
            return self._rlm_value.pop(*at)
        def index(self, *args):
            return self._rlm_value.index(*args)
        def count(self, item):
            return self._rlm_value.count(item)
        def sort(self, *, key=None, reverse=False):
            self._rlm_value.sort(key=key, reverse=reverse)
        def reverse(self):
            self._rlm_value.reverse()
    class OfSet(Combined, Held):
        _rlm_stands_for = set
        __hash__ = None
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_rlm_value', set())
            return one
        def __init__(self, iterable=()):
            keep(self, '_rlm_value', {*bare(iterable)})
        def __repr__(self):
            return f'{type(self).__name__}({self._rlm_value!r})' if self._rlm_value else f'{type(self).__name__}()'
        def __and__(self, other):
            return self._rlm_value & bare(other)
        def __or__(self, other):
            return self._rlm_value | bare(other)
        def __sub__(self, other):
            return self._rlm_value - bare(other)
        def __xor__(self, other):
            return self._rlm_value ^ bare(other)
        def __rand__(self, other):
            return other & self._rlm_value
        def __ror__(self, other):
            return other | self._rlm_value
        def __rsub__(self, other):
            return other - self._rlm_value
        def __rxor__(self, other):
            return other ^ self._rlm_value
        def __ixor__(self, other):
            value = self._rlm_value
            value ^= bare(other)
            return self
        def add(self, item):
            self._rlm_value.add(item)
        def discard(self, item):
            self._rlm_value.discard(item)
        def remove(self, item):
            self._rlm_value.remove(item)
        def pop(self):
            return self._rlm_value.pop()
        def update(self, *others):
            for other in others:
                self._rlm_value.update(bare(other))
        def union(self, *others):
            return self._rlm_value.union(*[bare(other) for other in others])
        def intersection(self, *others):
            return self._rlm_value.intersection(*[bare(other) for other in others])
        def difference(self, *others):
            return self._rlm_value.difference(*[bare(other) for other in others])
        def issubset(self, other):
            return self._rlm_value.issubset(bare(other))
        def issuperset(self, other):
            return self._rlm_value.issuperset(bare(other))
        def isdisjoint(self, other):
            return self._rlm_value.isdisjoint(bare(other))
    class Fixed(Held):
        # What is held is chosen where an instance is made.
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_rlm_value', cls._rlm_stands_for(*[bare(arg) for arg in args], **named))
            return one
        def __hash__(self):
            return hash(self._rlm_value)
        def __bool__(self):
            return bool(self._rlm_value)
    class OfTuple(Fixed):
        _rlm_stands_for = tuple
        def index(self, *args):
            return self._rlm_value.index(*args)
        def count(self, item):
            return self._rlm_value.count(item)
    class OfDefault(OfDict):
        _rlm_stands_for = defaultdict
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_rlm_value', defaultdict())
            return one
        def __init__(self, factory=None, *args, **named):
            keep(self, '_rlm_value', defaultdict(factory, *[bare(arg) for arg in args], **named))
        @property
        def default_factory(self):
            return self._rlm_value.default_factory
        @default_factory.setter
        def default_factory(self, factory):
            keep(self, '_rlm_value', defaultdict(factory, self._rlm_value))
        def copy(self):
            return type(self)(self.default_factory, self._rlm_value)
        def __or__(self, other):
            return type(self)(self.default_factory, self._rlm_value | dict_(bare(other)))
        def __ror__(self, other):
            return type(self)(self.default_factory, dict_(other) | self._rlm_value)
        def __missing__(self, key):
            if self.default_factory is None:
                return {}[key]
            self[key] = value = self.default_factory()
            return value
        def __repr__(self):
            return f'{type(self).__name__}({self.default_factory!r}, {dict_(self._rlm_value)!r})'
    class OfCounter(Combined, OfDict):
        _rlm_stands_for = Counter
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_rlm_value', Counter())
            return one
        def __init__(self, *args, **named):
            self._rlm_value.clear()
            self.update(*args, **named)
        def __delitem__(self, key):
            self._rlm_value.pop(key, None)
        def __repr__(self):
            return f"{type(self).__name__}{f'{self._rlm_value!r}'[7:]}"
        def update(self, *args, **named):
            given = bare(args[0]) if args and args[0] is not None else ()
            counts = hasattr(given, 'items')
            if type(self).__setitem__ is OfDict.__setitem__ or counts and not self._rlm_value:
                self._rlm_value.update(given)
            elif counts:
                for key, count in given.items():
                    self[key] = count + self._rlm_value[key]
            else:
                for key in given:
                    self[key] = self._rlm_value[key] + 1
            if named:
                self.update(named)
        def copy(self):
            return type(self)(self._rlm_value)
        def subtract(self, *args, **named):
            given = bare(args[0]) if args and args[0] is not None else ()
            if type(self).__setitem__ is OfDict.__setitem__:
                self._rlm_value.subtract(given)
            elif hasattr(given, 'items'):
                for key, count in given.items():
                    self[key] = self._rlm_value[key] - count
            else:
                for key in given:
                    self[key] = self._rlm_value[key] - 1
            if named:
                self.subtract(named)
        def most_common(self, *count):
            return self._rlm_value.most_common(*count)
        def elements(self):
            return self._rlm_value.elements()
        def total(self):
            return self._rlm_value.total()
        def __sub__(self, other):
            return self._rlm_value - bare(other)
        def __and__(self, other):
            return self._rlm_value & bare(other)
        def __iadd__(self, other):
            for key, count in bare(other).items():
                self[key] += count
            return positive(self)
        def __isub__(self, other):
            for key, count in bare(other).items():
                self[key] -= count
            return positive(self)
    def positive(counter):
        for key in [key for key, count in counter._rlm_value.items() if not count > 0]:
            del counter[key]
        return counter
    class OfOrdered(OfDict):
        _rlm_stands_for = OrderedDict
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_rlm_value', OrderedDict())
            return one
        def __init__(self, *args, **named):
            self._rlm_value.clear()
            OfOrdered.update(self, *args, **named)
        # As in Python, by what a class has of its own.
        def update(self, *args, **named):
            for key, item in pairs(args, named):
                self[key] = item
        def __ior__(self, other):
            self.update(other)
            return self
        def setdefault(self, key, default=None):
            if key in self:
                return self[key]
            self[key] = default
            return default
        def __repr__(self):
            return f"{type(self).__name__}({dict_(self._rlm_value)!r})" if self._rlm_value else f'{type(self).__name__}()'
        def __reversed__(self):
            return reversed(self._rlm_value)
        def __or__(self, other):
            new = self.copy()
            new.update(bare(other))
            return new
        def __ror__(self, other):
            return type(self)(OrderedDict(other) | self._rlm_value)
        def copy(self):
            return type(self)(self._rlm_value)
        def pop(self, key, *args, **named):
            return self._rlm_value.pop(key, *args, **named)
        def popitem(self, last=True):
            return self._rlm_value.popitem(last)
        def move_to_end(self, key, last=True):
            self._rlm_value.move_to_end(key, last)
    held = {dict_: OfDict, OrderedDict: OfOrdered, list: OfList, set: OfSet, tuple: OfTuple, Counter: OfCounter, defaultdict: OfDefault}
    def base(x):
        # The class that stands for `x` among the bases of a class.
        if hasattr(x, '_fields') and not hasattr(x, '_rlm_stands_for'):
            return row(x)
        try:
            return held.get(x, x)
        except TypeError:
            return x
    class Row(Held):
        _rlm_stands_for = tuple
        def __new__(cls, *args, **kwargs):
            one = make(cls)
            keep(one, '_rlm_value', cls._rlm_named(*args, **kwargs))
            return one
        def __getattr__(self, name):
            if name in type(self)._fields:
                return getattr(self._rlm_value, name)
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        def __setattr__(self, name, value):
            if name in type(self)._fields:
                raise AttributeError("can't set attribute")
            keep(self, name, value)
        def __hash__(self):
            return hash(self._rlm_value)
        def __repr__(self):
            text = f'{self._rlm_value!r}'
            return f"{type(self).__name__}{text[text.find('('):]}"
        def _asdict(self):
            return self._rlm_value._asdict()
        def _replace(self, **changes):
            values = {**self._rlm_value._asdict(), **changes}
            return type(self)(**values)
        @classmethod
        def _make(cls, values):
            return cls(*values)
        def index(self, *args):
            return self._rlm_value.index(*args)
        def count(self, item):
            return self._rlm_value.count(item)
    def is_of(cls, named):
        setattr(cls, '_rlm_named', staticmethod(named))
        setattr(cls, '_field_defaults', named._field_defaults)
        setattr(cls, '__match_args__', named._fields)
        setattr(cls, '_fields', named._fields)
    def row(named):
        class Of(Row):
            pass
        is_of(Of, named)
        return Of
    class Typed(Row):
        # The class that names it has the fields; those that inherit from that one have them, too.
        def __init_subclass__(cls, **keywords):
            if hasattr(cls, '_fields'):
                return
            named = kit['named'](cls)
            for name in named._field_defaults:
                delattr(cls, name)
            is_of(cls, named)
    return base, Typed
_rlm_base, _rlm_row = _rlm_load(_rlm_kit)
