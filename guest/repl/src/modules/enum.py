def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    make = object.__new__
    function, classes = type(lambda: None), type(int)
    # Set when classes that are made are enumerations.
    ready = []
    stands = {}
    class Deferred:
        # What the body of a class makes of values that are not chosen yet.
        def __or__(self, other):
            return Joined(self, other, lambda a, b: a | b)
        def __ror__(self, other):
            return Joined(other, self, lambda a, b: a | b)
        def __and__(self, other):
            return Joined(self, other, lambda a, b: a & b)
        def __xor__(self, other):
            return Joined(self, other, lambda a, b: a ^ b)
        def __add__(self, other):
            return Joined(self, other, lambda a, b: a + b)
        def __mul__(self, other):
            return Joined(self, other, lambda a, b: a * b)
        def __lshift__(self, other):
            return Joined(self, other, lambda a, b: a << b)
    class Joined(Deferred):
        def __init__(self, left, right, join):
            self.left, self.right, self.join = left, right, join
    class auto(Deferred):
        def __init__(self, value=None):
            self.value = value
    class nonmember:
        def __init__(self, value):
            self.value = value
    class member:
        def __init__(self, value):
            self.value = value
    def is_reserved(name, of):
        return name[:2] == '__' and name[-2:] == '__' or name[:1] == '_' and name[-1:] == '_' and len(name) > 2 or name[:len(of) + 3] == f"_{of.lstrip('_')}__"
    def describes(value):
        kind = type(value)
        if kind is member:
            return False
        if kind is function or kind is property or kind is nonmember or kind is classes:
            return True
        return hasattr(value, '__func__') or hasattr(value, '__get__') or hasattr(value, '__set__') or hasattr(value, '__delete__')
    def plain(function):
        return function.__func__ if hasattr(function, '__func__') else function
    def written(cls, name):
        # What a script's class says of that, or one of ours behind it.
        for base in cls.__mro__:
            own = {} if base is object else base._rlm_attributes
            if name in own:
                return plain(own[name])
    def found(cls, value):
        if cls._member_map_ is None:
            return None
        try:
            return cls._value2member_map_.get(value)
        except TypeError:
            for one in cls._member_map_.values():
                if one._value_ == value:
                    return one
    def chosen(value, name, cls, count, last):
        if type(value) is member:
            return chosen(value.value, name, cls, count, last)
        if type(value) is Joined:
            left, right = chosen(value.left, name, cls, count, last), chosen(value.right, name, cls, count, last)
            return value.join(left, right)
        if type(value) is not auto:
            return (*[chosen(one, name, cls, count, last) for one in value],) if type(value) is tuple else value
        if value.value is None:
            value.value = written(cls, '_generate_next_value_')(name, 1, count, last[:])
        return value.value
    def add(cls, name, value, new, init):
        args = value if type(value) is tuple else (value,)
        if new is None:
            one = make(cls)
        else:
            one = new(cls, *args)
        if not hasattr(one, '_value_'):
            one._value_ = value
        one._name_ = name
        one.__objclass__ = cls
        one._sort_order_ = len(cls._member_names_)
        if init is not None:
            init(one, *args)
        same = found(cls, one._value_)
        if same is None:
            same = one
            if not issubclass(cls, Flag) or one._value_ and one._value_ & (one._value_ - 1) == 0:
                cls._member_names_.append(name)
        cls._member_map_[name] = same
        try:
            if one._value_ not in cls._value2member_map_:
                cls._value2member_map_[one._value_] = same
        except TypeError:
            pass
        setattr(cls, name, same)
        return one._value_
    class EnumMeta:
        def _rlm_bases(bases):
            return (*[stands[base] if base in stands else base for base in bases],)
        def _rlm_made(cls):
            if not ready:
                return
            for base in cls.__mro__[1:]:
                if base is not object and base._rlm_attributes.get('_member_names_'):
                    raise TypeError(f'{cls!r} cannot extend {base!r}')
            own = cls._rlm_attributes
            ignored = own.get('_ignore_', ())
            ignored = ignored.replace(',', ' ').split() if isinstance(ignored, str) else ignored
            cls._member_names_, cls._member_map_, cls._value2member_map_ = [], {}, {}
            new, init = written(cls, '__new__'), written(cls, '__init__')
            last = []
            for name, value in own.items():
                if type(value) is nonmember:
                    setattr(cls, name, value.value)
                elif not is_reserved(name, cls.__name__) and name not in ignored and not describes(value):
                    value = chosen(value, name, cls, len(last), last)
                    last.append(add(cls, name, value, new, init))
            cls.__members__ = {**cls._member_map_}
        def __call__(cls, value, names=None, *more, module=None, qualname=None, type=None, start=1, boundary=None):
            if more or names is not None and cls._member_names_:
                return found_or_raise(cls, (value, names, *more))
            if names is None:
                return found_or_raise(cls, value)
            if isinstance(names, str):
                names = names.replace(',', ' ').split()
            pairs = names.items() if isinstance(names, dict) else names
            last, members = [], {}
            for count, pair in enumerate(pairs):
                if isinstance(pair, str):
                    pair = pair, written(cls, '_generate_next_value_')(pair, start, count, last[:])
                last.append(pair[1])
                members[pair[0]] = pair[1]
            return kind(value, (cls,) if type is None else (type, cls), members)
        def __iter__(cls):
            return iter([cls._member_map_[name] for name in cls._member_names_])
        def __reversed__(cls):
            return iter([cls._member_map_[name] for name in cls._member_names_][::-1])
        def __len__(cls):
            return len(cls._member_names_)
        def __getitem__(cls, name):
            return (cls._member_map_ or {})[name]
        def __contains__(cls, value):
            return isinstance(value, cls) or found(cls, value) is not None
        def __repr__(cls):
            return f"<flag '{cls.__name__}'>" if ready and issubclass(cls, Flag) else f"<enum '{cls.__name__}'>"
    kind = type
    def found_or_raise(cls, value):
        if isinstance(value, cls):
            return value
        one = found(cls, value)
        if one is None:
            one = cls._missing_(value)
        if isinstance(one, cls):
            return one
        if one is not None:
            raise TypeError(f'error in {cls.__name__}._missing_: returned {one!r} instead of None or a valid member')
        raise ValueError(f'{value!r} is not a valid {cls.__name__}')
    class Enum(metaclass=EnumMeta):
        # All scripts share these classes, so they have nothing that can be changed.
        _member_names_, _member_map_, _value2member_map_, __members__ = (), None, None, None
        def _generate_next_value_(name, start, count, last_values):
            if not last_values:
                return start
            try:
                return max(last_values) + 1
            except TypeError:
                raise TypeError('unable to sort non-numeric values')
        @classmethod
        def _missing_(cls, value):
            return None
        @property
        def name(self):
            return self._name_
        @property
        def value(self):
            return self._value_
        def __repr__(self):
            return f'<{type(self).__name__}.{self._name_}: {self._value_!r}>'
        def __str__(self):
            return f'{type(self).__name__}.{self._name_}'
        def __format__(self, spec):
            return format(str(self), spec)
        def __hash__(self):
            return hash(self._name_)
        def __copy__(self):
            return self
        def __deepcopy__(self, memo):
            return self
        def __dir__(self):
            return ['__class__', '__doc__', 'name', 'value']
    def bare(x):
        return x._value_ if isinstance(x, Held) else x
    class Held:
        # Instances hold a value of a builtin type, and do what it does.
        def __eq__(self, other):
            return self._value_ == bare(other)
        def __ne__(self, other):
            return self._value_ != bare(other)
        def __hash__(self):
            return hash(self._value_)
        def __lt__(self, other):
            return self._value_ < bare(other)
        def __le__(self, other):
            return self._value_ <= bare(other)
        def __gt__(self, other):
            return self._value_ > bare(other)
        def __ge__(self, other):
            return self._value_ >= bare(other)
        def __bool__(self):
            return bool(self._value_)
        def __add__(self, other):
            return self._value_ + bare(other)
        def __radd__(self, other):
            return other + self._value_
        def __mul__(self, other):
            return self._value_ * bare(other)
        def __rmul__(self, other):
            return other * self._value_
        def __mod__(self, other):
            return self._value_ % bare(other)
    class OfNumber(Held):
        def __int__(self):
            return int(self._value_)
        def __float__(self):
            return float(self._value_)
        def __sub__(self, other):
            return self._value_ - bare(other)
        def __rsub__(self, other):
            return other - self._value_
        def __truediv__(self, other):
            return self._value_ / bare(other)
        def __rtruediv__(self, other):
            return other / self._value_
        def __floordiv__(self, other):
            return self._value_ // bare(other)
        def __rfloordiv__(self, other):
            return other // self._value_
        def __rmod__(self, other):
            return other % self._value_
        def __pow__(self, other):
            return self._value_ ** bare(other)
        def __rpow__(self, other):
            return other ** self._value_
        def __neg__(self):
            return -self._value_
        def __pos__(self):
            return self._value_
        def __abs__(self):
            return abs(self._value_)
        def __round__(self, *digits):
            return round(self._value_, *digits)
    class OfInt(OfNumber):
        _rlm_stands_for = int
        def __index__(self):
            return self._value_
        def bit_length(self):
            return length(self._value_)
        def bit_count(self):
            return f'{abs(self._value_):b}'.count('1')
        @property
        def real(self):
            return self._value_
        def __and__(self, other):
            return self._value_ & bare(other)
        def __rand__(self, other):
            return other & self._value_
        def __or__(self, other):
            return self._value_ | bare(other)
        def __ror__(self, other):
            return other | self._value_
        def __xor__(self, other):
            return self._value_ ^ bare(other)
        def __rxor__(self, other):
            return other ^ self._value_
        def __invert__(self):
            return ~self._value_
        def __lshift__(self, other):
            return self._value_ << bare(other)
        def __rlshift__(self, other):
            return other << self._value_
        def __rshift__(self, other):
            return self._value_ >> bare(other)
        def __rrshift__(self, other):
            return other >> self._value_
    class OfFloat(OfNumber):
        _rlm_stands_for = float
    class OfStr(Held):
        _rlm_stands_for = str
        def __len__(self):
            return len(self._value_)
        def __iter__(self):
            return iter(self._value_)
        def __contains__(self, part):
            return bare(part) in self._value_
        def __getitem__(self, key):
            return self._value_[key]
        # No method of a text is a value here.
        def upper(self, *args, **more):
            return self._value_.upper(*args, **more)
        def lower(self, *args, **more):
            return self._value_.lower(*args, **more)
        def title(self, *args, **more):
            return self._value_.title(*args, **more)
        def capitalize(self, *args, **more):
            return self._value_.capitalize(*args, **more)
        def casefold(self, *args, **more):
            return self._value_.casefold(*args, **more)
        def swapcase(self, *args, **more):
            return self._value_.swapcase(*args, **more)
        def strip(self, *args, **more):
            return self._value_.strip(*args, **more)
        def lstrip(self, *args, **more):
            return self._value_.lstrip(*args, **more)
        def rstrip(self, *args, **more):
            return self._value_.rstrip(*args, **more)
        def split(self, *args, **more):
            return self._value_.split(*args, **more)
        def rsplit(self, *args, **more):
            return self._value_.rsplit(*args, **more)
        def splitlines(self, *args, **more):
            return self._value_.splitlines(*args, **more)
        def partition(self, *args, **more):
            return self._value_.partition(*args, **more)
        def rpartition(self, *args, **more):
            return self._value_.rpartition(*args, **more)
        def startswith(self, *args, **more):
            return self._value_.startswith(*args, **more)
        def endswith(self, *args, **more):
            return self._value_.endswith(*args, **more)
        def replace(self, *args, **more):
            return self._value_.replace(*args, **more)
        def find(self, *args, **more):
            return self._value_.find(*args, **more)
        def rfind(self, *args, **more):
            return self._value_.rfind(*args, **more)
        def index(self, *args, **more):
            return self._value_.index(*args, **more)
        def count(self, *args, **more):
            return self._value_.count(*args, **more)
        def join(self, *args, **more):
            return self._value_.join(*args, **more)
        def encode(self, *args, **more):
            return self._value_.encode(*args, **more)
        def format(self, *args, **more):
            return self._value_.format(*args, **more)
        def zfill(self, *args, **more):
            return self._value_.zfill(*args, **more)
        def ljust(self, *args, **more):
            return self._value_.ljust(*args, **more)
        def rjust(self, *args, **more):
            return self._value_.rjust(*args, **more)
        def center(self, *args, **more):
            return self._value_.center(*args, **more)
        def isdigit(self, *args, **more):
            return self._value_.isdigit(*args, **more)
        def isalpha(self, *args, **more):
            return self._value_.isalpha(*args, **more)
        def isalnum(self, *args, **more):
            return self._value_.isalnum(*args, **more)
        def isupper(self, *args, **more):
            return self._value_.isupper(*args, **more)
        def islower(self, *args, **more):
            return self._value_.islower(*args, **more)
        def isnumeric(self, *args, **more):
            return self._value_.isnumeric(*args, **more)
        def isdecimal(self, *args, **more):
            return self._value_.isdecimal(*args, **more)
        def isspace(self, *args, **more):
            return self._value_.isspace(*args, **more)
        def isidentifier(self, *args, **more):
            return self._value_.isidentifier(*args, **more)
        def removeprefix(self, *args, **more):
            return self._value_.removeprefix(*args, **more)
        def removesuffix(self, *args, **more):
            return self._value_.removesuffix(*args, **more)
    stands[int], stands[float], stands[str] = OfInt, OfFloat, OfStr
    class ReprEnum(Enum):
        def __str__(self):
            return str(self._value_)
        def __format__(self, spec):
            return format(self._value_, spec)
    class IntEnum(OfInt, ReprEnum):
        pass
    class StrEnum(OfStr, ReprEnum):
        def _generate_next_value_(name, start, count, last_values):
            return name.lower()
    def length(value):
        return len(f'{abs(value):b}') if value else 0
    def bits(value):
        found, bit = [], 1
        while bit <= value:
            if value & bit:
                found.append(bit)
            bit = bit << 1
        return found
    def all_bits(cls):
        every = 0
        for one in (cls._member_map_ or {}).values():
            every = every | one._value_
        return every
    def parts_of(cls, value):
        # The bits of a value, in the order of the members where that is not the order of their values.
        known = [one._value_ for one in (cls._member_map_ or {}).values() if one._value_ and not one._value_ & (one._value_ - 1)]
        if known == sorted(known):
            return bits(value)
        return [bit for bit in known if bit & value] + [bit for bit in bits(value) if bit not in known]
    class Flag(Enum):
        def _generate_next_value_(name, start, count, last_values):
            if not last_values:
                return 1 if start is None else start
            return 1 << length(max(last_values))
        @classmethod
        def _missing_(cls, value):
            if not isinstance(value, int):
                raise ValueError(f'{value!r} is not a valid {cls.__name__}')
            every = all_bits(cls)
            if value < 0:
                value = (every + 1 + value) & every if issubclass(cls, IntFlag) else every & value
                known = found(cls, value)
                if known is not None:
                    return known
            if value & ~every and not issubclass(cls, IntFlag):
                raise ValueError(f'{cls!r} invalid value {value}\n    given {value:#b}\n  allowed {every:#b}')
            one = make(cls)
            parts = [found(cls, bit) for bit in parts_of(cls, value)]
            names = [part._name_ for part in parts if part is not None]
            rest = value & ~every
            if rest and names:
                names.append(f'{rest}')
            one._name_, one._value_ = '|'.join(names) or None, value
            one.__objclass__, one._sort_order_ = cls, len(cls._member_names_)
            cls._value2member_map_[value] = one
            return one
        def __repr__(self):
            name = type(self).__name__
            return f'<{name}: {self._value_!r}>' if self._name_ is None else f'<{name}.{self._name_}: {self._value_!r}>'
        def __str__(self):
            return f'{type(self).__name__}({self._value_!r})' if self._name_ is None else f'{type(self).__name__}.{self._name_}'
        def __contains__(self, other):
            if type(other) is not type(self):
                raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__name__!r} and {type(self).__name__!r}")
            return other._value_ & self._value_ == other._value_
        def __iter__(self):
            return iter([found(type(self), bit) for bit in parts_of(type(self), self._value_) if found(type(self), bit) is not None])
        def __len__(self):
            return len(bits(self._value_))
        def __bool__(self):
            return self._value_ != 0
        def __or__(self, other):
            return combined(self, other, lambda a, b: a | b)
        def __and__(self, other):
            return combined(self, other, lambda a, b: a & b)
        def __xor__(self, other):
            return combined(self, other, lambda a, b: a ^ b)
        def __ror__(self, other):
            return combined(self, other, lambda a, b: a | b)
        def __rand__(self, other):
            return combined(self, other, lambda a, b: a & b)
        def __rxor__(self, other):
            return combined(self, other, lambda a, b: a ^ b)
        def __invert__(self):
            return found_or_raise(type(self), all_bits(type(self)) & ~self._value_)
    def combined(flag, other, join):
        cls = type(flag)
        if type(other) is cls:
            return found_or_raise(cls, join(flag._value_, other._value_))
        if isinstance(other, int) and issubclass(cls, IntFlag):
            return found_or_raise(cls, join(flag._value_, other))
        return NotImplemented
    class IntFlag(Flag, OfInt, ReprEnum):
        def __repr__(self):
            name = type(self).__name__
            return f'<{name}: {self._value_!r}>' if self._name_ is None else f'<{name}.{self._name_}: {self._value_!r}>'
        def __str__(self):
            return str(self._value_)
    ready.append(True)
    def unique(enumeration):
        twice = [f'{name} -> {one._name_}' for name, one in enumeration._member_map_.items() if name != one._name_]
        if twice:
            raise ValueError(f"duplicate values found in {enumeration!r}: {', '.join(twice)}")
        return enumeration
    return _rlm_Module('enum', {
        'Enum': Enum, 'IntEnum': IntEnum, 'StrEnum': StrEnum, 'ReprEnum': ReprEnum, 'Flag': Flag, 'IntFlag': IntFlag, 'auto': auto, 'unique': unique,
        'member': member, 'nonmember': nonmember, 'EnumMeta': EnumMeta, 'EnumType': EnumMeta, 'property': property,
    })
_rlm_module_enum = _rlm_load(*_rlm_kit['builtins'])
