# Classes that stand for builtin types where a class of a script inherits from one; see `compat/bases.rs`. Their instances hold
# a value of that type.
def _rlm_load(kit):
    from collections import Counter, OrderedDict, defaultdict, deque
    # A class may have a `__setattr__` of its own.
    make, keep = object.__new__, object.__setattr__
    dict_ = type({})
    def bare(x):
        return x._value_ if isinstance(x, Held) else x
    class Held:
        def __eq__(self, other):
            return self._value_ == bare(other)
        def __ne__(self, other):
            return self._value_ != bare(other)
        def __lt__(self, other):
            return self._value_ < bare(other)
        def __le__(self, other):
            return self._value_ <= bare(other)
        def __gt__(self, other):
            return self._value_ > bare(other)
        def __ge__(self, other):
            return self._value_ >= bare(other)
        def __len__(self):
            return len(self._value_)
        def __iter__(self):
            return iter(self._value_)
        def __contains__(self, item):
            return bare(item) in self._value_
        def __getitem__(self, key):
            return self._value_[key]
        def __add__(self, other):
            return self._value_ + bare(other)
        def __radd__(self, other):
            return other + self._value_
        def __repr__(self):
            return f'{self._value_!r}'
        def __str__(self):
            return repr(self)
        def __format__(self, spec):
            return format(self._value_, spec) if spec else str(self)
        def copy(self):
            return self._value_.copy()
        def clear(self):
            self._value_.clear()
    class Combined:
        # Operators of sets and counters that change what is held.
        def __isub__(self, other):
            value = self._value_
            value -= bare(other)
            return self
        def __iand__(self, other):
            value = self._value_
            value &= bare(other)
            return self
        def __ior__(self, other):
            value = self._value_
            value |= bare(other)
            return self
    class OfDict(Held):
        _rlm_stands_for = dict_
        __hash__ = None
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_value_', {})
            return one
        def __init__(self, *args, **named):
            keep(self, '_value_', dict_(*[bare(arg) for arg in args], **named))
        def __getitem__(self, key):
            if key not in self._value_ and hasattr(type(self), '__missing__'):
                return self.__missing__(key)
            return self._value_[key]
        def __setitem__(self, key, value):
            self._value_[key] = value
        def __delitem__(self, key):
            self._value_.pop(key)
        def __reversed__(self):
            return iter([*self._value_][::-1])
        def __or__(self, other):
            return self._value_ | bare(other)
        def __ror__(self, other):
            return other | self._value_
        def __ior__(self, other):
            self._value_.update(bare(other))
            return self
        def keys(self):
            return self._value_.keys()
        def values(self):
            return self._value_.values()
        def items(self):
            return self._value_.items()
        def get(self, key, default=None):
            return self._value_.get(key, default)
        def setdefault(self, key, default=None):
            return self._value_.setdefault(key, default)
        def pop(self, *args):
            return self._value_.pop(*args)
        def popitem(self):
            return self._value_.popitem()
        def update(self, *args, **named):
            self._value_.update(*[bare(arg) for arg in args], **named)
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
            keep(one, '_value_', [])
            return one
        def __init__(self, iterable=()):
            keep(self, '_value_', [*bare(iterable)])
        def __setitem__(self, key, value):
            self._value_[key] = bare(value)
        def __delitem__(self, key):
            if type(key) is int:
                self._value_.pop(key)
            else:
                drop = [*range(len(self._value_))][key]
                left = [item for i, item in enumerate(self._value_) if i not in drop]
                self._value_.clear()
                self._value_.extend(left)
        def __reversed__(self):
            return iter(self._value_[::-1])
        def __iadd__(self, other):
            self._value_.extend([*bare(other)])
            return self
        def __imul__(self, count):
            value = self._value_
            value *= count
            return self
        def __mul__(self, count):
            return self._value_ * count
        def __rmul__(self, count):
            return self._value_ * count
        def append(self, item):
            self._value_.append(item)
        def extend(self, items):
            self._value_.extend([*bare(items)])
        def insert(self, at, item):
            self._value_.insert(at, item)
        def remove(self, item):
            self._value_.remove(item)
        def pop(self, *at):
            return self._value_.pop(*at)
        def index(self, *args):
            return self._value_.index(*args)
        def count(self, item):
            return self._value_.count(item)
        def sort(self, *, key=None, reverse=False):
            self._value_.sort(key=key, reverse=reverse)
        def reverse(self):
            self._value_.reverse()
    class OfSet(Combined, Held):
        _rlm_stands_for = set
        __hash__ = None
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_value_', set())
            return one
        def __init__(self, iterable=()):
            keep(self, '_value_', {*bare(iterable)})
        def __repr__(self):
            return f'{type(self).__name__}({self._value_!r})' if self._value_ else f'{type(self).__name__}()'
        def __str__(self):
            return repr(self)
        def __and__(self, other):
            return self._value_ & bare(other)
        def __or__(self, other):
            return self._value_ | bare(other)
        def __sub__(self, other):
            return self._value_ - bare(other)
        def __xor__(self, other):
            return self._value_ ^ bare(other)
        def __rand__(self, other):
            return other & self._value_
        def __ror__(self, other):
            return other | self._value_
        def __rsub__(self, other):
            return other - self._value_
        def __rxor__(self, other):
            return other ^ self._value_
        def __ixor__(self, other):
            value = self._value_
            value ^= bare(other)
            return self
        def add(self, item):
            self._value_.add(item)
        def discard(self, item):
            self._value_.discard(item)
        def remove(self, item):
            self._value_.remove(item)
        def pop(self):
            return self._value_.pop()
        def update(self, *others):
            for other in others:
                self._value_.update(bare(other))
        def union(self, *others):
            return self._value_.union(*[bare(other) for other in others])
        def intersection(self, *others):
            return self._value_.intersection(*[bare(other) for other in others])
        def difference(self, *others):
            return self._value_.difference(*[bare(other) for other in others])
        def issubset(self, other):
            return self._value_.issubset(bare(other))
        def issuperset(self, other):
            return self._value_.issuperset(bare(other))
        def isdisjoint(self, other):
            return self._value_.isdisjoint(bare(other))
    class Fixed(Held):
        # What is held is chosen where an instance is made.
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_value_', cls._rlm_stands_for(*[bare(arg) for arg in args], **named))
            return one
        def __hash__(self):
            return hash(self._value_)
        def __bool__(self):
            return bool(self._value_)
    class OfTuple(Fixed):
        _rlm_stands_for = tuple
        def index(self, *args):
            return self._value_.index(*args)
        def count(self, item):
            return self._value_.count(item)
    class OfDefault(OfDict):
        _rlm_stands_for = defaultdict
        def __init__(self, factory=None, *args, **named):
            keep(self, 'default_factory', factory)
            keep(self, '_value_', dict_(*[bare(arg) for arg in args], **named))
        def copy(self):
            return type(self)(self.default_factory, self._value_)
        def __or__(self, other):
            return type(self)(self.default_factory, self._value_ | dict_(bare(other)))
        def __ror__(self, other):
            return type(self)(self.default_factory, dict_(other) | self._value_)
        def __missing__(self, key):
            if self.default_factory is None:
                return {}[key]
            self._value_[key] = self.default_factory()
            return self._value_[key]
        def __repr__(self):
            return f'{type(self).__name__}({self.default_factory!r}, {self._value_!r})'
    class OfCounter(Combined, OfDict):
        _rlm_stands_for = Counter
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_value_', Counter())
            return one
        def __init__(self, *args, **named):
            keep(self, '_value_', Counter(*[bare(arg) for arg in args], **named))
        def __repr__(self):
            return f"{type(self).__name__}{f'{self._value_!r}'[7:]}"
        def update(self, *args, **named):
            self._value_.update(*[bare(arg) for arg in args], **named)
        def copy(self):
            return type(self)(self._value_)
        def subtract(self, *args, **named):
            self._value_.subtract(*[bare(arg) for arg in args], **named)
        def most_common(self, *count):
            return self._value_.most_common(*count)
        def elements(self):
            return self._value_.elements()
        def total(self):
            return self._value_.total()
        def __sub__(self, other):
            return self._value_ - bare(other)
        def __and__(self, other):
            return self._value_ & bare(other)
        def __iadd__(self, other):
            value = self._value_
            value += bare(other)
            return self
    class OfOrdered(OfDict):
        _rlm_stands_for = OrderedDict
        def __new__(cls, *args, **named):
            one = make(cls)
            keep(one, '_value_', OrderedDict())
            return one
        def __init__(self, *args, **named):
            self._value_.clear()
            # As in Python, by what a class has of its own.
            for key, item in OrderedDict(*[bare(arg) for arg in args], **named).items():
                self[key] = item
        def __repr__(self):
            return f"{type(self).__name__}({dict_(self._value_)!r})" if self._value_ else f'{type(self).__name__}()'
        def __reversed__(self):
            return reversed(self._value_)
        def __or__(self, other):
            new = self.copy()
            new.update(bare(other))
            return new
        def __ror__(self, other):
            return type(self)(OrderedDict(other) | self._value_)
        def copy(self):
            return type(self)(self._value_)
        def pop(self, key, *args, **named):
            return self._value_.pop(key, *args, **named)
        def popitem(self, last=True):
            return self._value_.popitem(last)
        def move_to_end(self, key, last=True):
            self._value_.move_to_end(key, last)
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
            keep(one, '_value_', cls._rlm_named(*args, **kwargs))
            return one
        def __getattr__(self, name):
            if name in type(self)._fields:
                return getattr(self._value_, name)
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        def __setattr__(self, name, value):
            if name in type(self)._fields:
                raise AttributeError("can't set attribute")
            keep(self, name, value)
        def __hash__(self):
            return hash(self._value_)
        def __repr__(self):
            text = f'{self._value_!r}'
            return f"{type(self).__name__}{text[text.find('('):]}"
        def __str__(self):
            return repr(self)
        def _asdict(self):
            return self._value_._asdict()
        def _replace(self, **changes):
            values = {**self._value_._asdict(), **changes}
            return type(self)(**values)
        @classmethod
        def _make(cls, values):
            return cls(*values)
        def index(self, *args):
            return self._value_.index(*args)
        def count(self, item):
            return self._value_.count(item)
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
