# %% custom exception with pass
class ParseError(Exception):
    pass

def parse(text):
    if not text.isdigit():
        raise ParseError(f"not a number: {text!r}")
    return int(text)

for t in ("12", "x1", ""):
    try:
        print(parse(t) * 2)
    except ParseError as e:
        print(type(e).__name__, "|", e, "|", repr(e), e.args)
issubclass(ParseError, Exception), ParseError("a", 1).args

# %% exception with attributes and super().__init__
class HttpError(Exception):
    """Raised when a request fails."""

    def __init__(self, status, path, *, retry=False):
        super().__init__(f"{status} on {path}")
        self.status = status
        self.path = path
        self.retry = retry

def get(path):
    if path == "/busy":
        raise HttpError(503, path, retry=True)
    raise HttpError(404, path)

for p in ("/busy", "/none"):
    try:
        get(p)
    except HttpError as e:
        print(e, e.status, e.path, e.retry, e.args, vars(e))
isinstance(HttpError(1, "/"), Exception)

# %% exception hierarchy and catch order
class AppError(Exception): ...
class DbError(AppError): ...
class Locked(DbError, TimeoutError): ...

def classify(exc):
    try:
        raise exc
    except Locked as e:
        return f"locked {e}"
    except DbError as e:
        return f"db {e}"
    except AppError as e:
        return f"app {e}"
    except OSError as e:
        return f"os {e}"

print([classify(x) for x in (Locked("t1"), DbError("t2"), AppError(), TimeoutError("slow"))])
print([c.__name__ for c in Locked.__mro__][:5])
try:
    classify(KeyError("k"))
except LookupError as e:
    print("escaped", repr(e))

# %% exception str override and subclass of ValueError
class FieldError(ValueError):
    def __init__(self, field, reason):
        self.field, self.reason = field, reason

    def __str__(self):
        return f"{self.field}: {self.reason}"

def validate(rec):
    problems = []
    for field, ok in (("age", lambda v: v >= 0), ("name", str.isalpha)):
        try:
            if not ok(rec[field]):
                raise FieldError(field, f"bad value {rec[field]!r}")
        except FieldError as e:
            problems.append(str(e))
    return problems

print(validate({"age": -1, "name": "Ada"}), validate({"age": 3, "name": "R2"}))
try:
    raise FieldError("zip", "missing")
except ValueError as e:
    print(e, e.args, repr(e))
FieldError("age", "low").reason, issubclass(FieldError, ValueError)

# %% property with setter and deleter
class Temperature:
    def __init__(self, celsius=0.0):
        self.celsius = celsius

    @property
    def celsius(self):
        """Degrees Celsius."""
        return self._c

    @celsius.setter
    def celsius(self, value):
        if value < -273.15:
            raise ValueError(f"below absolute zero: {value}")
        self._c = float(value)

    @property
    def fahrenheit(self):
        return self._c * 9 / 5 + 32

t = Temperature(25)
t.celsius += 75
print(t.celsius, t.fahrenheit, vars(t), Temperature.celsius.__doc__)
for change in (lambda: setattr(t, "fahrenheit", 1), lambda: setattr(t, "celsius", -300), lambda: delattr(t, "celsius")):
    try:
        change()
    except (AttributeError, ValueError) as e:
        print(type(e).__name__, e)

# %% static and class methods as alternative constructors
class Pixel:
    count = 0

    def __init__(self, r, g, b):
        self.rgb = (r, g, b)
        type(self).count += 1

    @classmethod
    def from_hex(cls, text):
        if not cls.is_hex(text):
            raise ValueError(f"bad colour {text!r}")
        return cls(*(int(text[i:i + 2], 16) for i in (1, 3, 5)))

    @staticmethod
    def is_hex(text):
        return len(text) == 7 and text[0] == "#"

class Bright(Pixel):
    count = 100

p, q = Pixel.from_hex("#ff8000"), Bright.from_hex("#000010")
print(p.rgb, q.rgb, type(q).__name__, Pixel.count, Bright.count, p.is_hex("#12"))
Pixel.from_hex("red")

# %% inheritance with super and overriding
class Animal:
    sound = "..."

    def __init__(self, name):
        self.name = name

    def speak(self):
        return f"{self.name} says {self.sound}"

class Dog(Animal):
    sound = "Woof"

class Puppy(Dog):
    def __init__(self, name, age):
        super().__init__(name.title())
        self.age = age

    def speak(self):
        return super().speak().replace("oof", "if") + "!" * self.age

zoo = [Animal("Bo"), Dog("Rex"), Puppy("pip", 2)]
print(*(a.speak() for a in zoo), sep="\n")
print([isinstance(a, Dog) for a in zoo], issubclass(Puppy, Animal), type(zoo[2]) is Dog)
try:
    Puppy("solo")
except TypeError as e:
    print(type(e).__name__)

# %% abstract base class
from abc import ABC, abstractmethod

class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...

    def describe(self):
        return f"{type(self).__name__} of {self.area():.2f}"

class Square(Shape):
    def __init__(self, s):
        self.s = s

    def area(self):
        return self.s ** 2

class Blob(Shape):
    pass

print(Square(1.5).describe())
for cls in (Shape, Blob):
    try:
        cls()
    except TypeError as e:
        print(str(e).split(' with')[0])
sum(s.area() for s in map(Square, range(4)))

# %% enum members, lookup and iteration
from enum import Enum, auto

class Color(Enum):
    RED = 1
    GREEN = auto()
    CRIMSON = 1

    @property
    def pretty(self):
        return self.name.capitalize()

print(Color.RED, repr(Color.GREEN), Color(2), Color["RED"], Color.CRIMSON is Color.RED)
print([c.name for c in Color], {c: c.value for c in Color}, len(Color), Color.RED.pretty)
print(Color.RED == 1, isinstance(Color.RED, Color), Color.GREEN in Color, f"{Color.GREEN}")
for bad in (lambda: Color(9), lambda: Color["BLUE"], lambda: Color.RED < Color.GREEN):
    try:
        bad()
    except (ValueError, KeyError, TypeError) as e:
        print(type(e).__name__, e)

# %% IntEnum and Flag arithmetic
from enum import IntEnum, Flag, auto

class Prio(IntEnum):
    LOW = 10
    HIGH = 20

class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W

print(sorted([Prio.HIGH, Prio.LOW]), Prio.LOW < Prio.HIGH, Prio.LOW + 1, max(Prio).name)
mine = Perm.R | Perm.X
print(mine, mine.value, Perm.W in mine, Perm.RW & mine, bool(Perm.W & mine), ~mine)
print([p.name for p in Perm if p in Perm.RW], Prio(10) is Prio.LOW, f"{Prio.LOW:>4}")
try:
    Prio(15)
except ValueError as e:
    print(type(e).__name__, e)

# %% NamedTuple class with defaults and methods
from typing import NamedTuple

class Row(NamedTuple):
    name: str
    qty: int = 1
    price: float = 0.0

    def total(self) -> float:
        return self.qty * self.price

rows = [Row("lamp", 2, 19.9), Row("desk", price=149.0), Row("pen")]
print(rows[1], rows[0].total(), sorted(rows)[0].name, rows[2]._asdict())
name, qty, _ = rows[0]
print(name, qty, rows[0]._replace(qty=5), Row._fields, rows[0] == ("lamp", 2, 19.9))
try:
    rows[0].qty = 3
except AttributeError as e:
    print(e)
Row("rug", 3, 2.5).total(), Row._make(["cup", 1, 4.0]), len(Row("x"))

# %% mixins and method resolution order
class JsonMixin:
    def to_json(self):
        import json
        return json.dumps(vars(self), sort_keys=True)

class ReprMixin:
    def __repr__(self):
        args = ", ".join(f"{k}={v!r}" for k, v in vars(self).items())
        return f"{type(self).__name__}({args})"

class User(ReprMixin, JsonMixin):
    def __init__(self, name, admin=False):
        self.name, self.admin = name, admin

u = User("ada", admin=True)
print(u, u.to_json(), [u])
print([c.__name__ for c in User.mro()], User.__bases__[0].__name__)
try:
    User("bo").to_xml()
except AttributeError as e:
    print(type(e).__name__, e)

# %% cooperative diamond
class Base:
    def __init__(self):
        self.log = ["Base"]

    def hello(self): return "base"

class Left(Base):
    def __init__(self):
        super().__init__()
        self.log.append("Left")

    def hello(self): return "left>" + super().hello()

class Right(Base):
    def __init__(self):
        super().__init__()
        self.log.append("Right")

    def hello(self): return "right>" + super().hello()

class Bottom(Left, Right):
    def hello(self): return "bottom>" + super().hello()

b = Bottom()
print(b.log, b.hello(), Left().hello(), super(Left, b).hello())

# %- metaclass that registers plugins
class Registry(type):
    plugins = {}

    def __new__(mcls, name, bases, ns, **kw):
        cls = super().__new__(mcls, name, bases, ns)
        if bases:
            mcls.plugins[kw.get("key", name.lower())] = cls
        return cls

    def __len__(cls):
        return len(cls.plugins)

class Plugin(metaclass=Registry):
    def run(self):
        return self.__class__.__name__

class Csv(Plugin): pass
class Xml(Plugin, key="markup"): pass

print({k: v().run() for k, v in Registry.plugins.items()}, len(Plugin), type(Csv).__name__)
try:
    Registry.plugins["json"]
except KeyError as e:
    print(type(e).__name__, e)

# %% descriptor with validation and __set_name__
class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return f"descriptor {self.name} of {owner.__name__}"
        return getattr(obj, self.name, 0)

    def __set__(self, obj, value):
        if value <= 0:
            raise ValueError(f"{self.name[1:]} must be > 0, got {value}")
        setattr(obj, self.name, value)

class Box:
    width = Positive()
    height = Positive()

b = Box()
b.width = 4
print(b.width, b.height, vars(b), Box.width)
try:
    b.height = -1
except ValueError as e:
    print(type(e).__name__, e)
hasattr(b, '_height')

# %% nested classes and class level constants
class Menu:
    class Item:
        def __init__(self, name, cents):
            self.name, self.cents = name, cents

        def __str__(self):
            return f"{self.name}: {self.cents / 100:.2f}"

    class Meta:
        currency = "EUR"
        items = []

    def add(self, *args):
        self.Meta.items.append(Menu.Item(*args))
        return self

m = Menu().add("tea", 250).add("cake", 399)
print(*m.Meta.items, sep="; ")
print(Menu.Item.__name__, Menu.Item.__qualname__, m.Meta.currency, Menu.Meta is m.Meta)
try:
    m.add("milk")
except TypeError as e:
    print(type(e).__name__)
len(Menu.Meta.items)

# %% __init_subclass__ with keyword arguments
class Codec:
    registry = {}

    def __init_subclass__(cls, /, ext=None, **kwargs):
        super().__init_subclass__(**kwargs)
        if ext is None:
            raise TypeError(f"{cls.__name__} needs ext=")
        cls.ext = ext
        Codec.registry[ext] = cls.__name__

class Png(Codec, ext="png"):
    pass

class Jpeg(Codec, ext="jpg"):
    pass

print(Codec.registry, Png.ext, Jpeg().ext)
try:
    class Bad(Codec):
        pass
except TypeError as e:
    print("TypeError:", e)

# %% protocol with a method
from typing import Protocol

class Closable(Protocol):
    def close(self) -> str: ...

class Door:
    def close(self) -> str:
        return "door closed"

class Wall:
    pass

def shut(things: list[Closable]) -> list[str]:
    return [t.close() for t in things if hasattr(t, "close")]

print(shut([Door(), Wall(), Door()]))
try:
    Closable()
except TypeError as e:
    print(e)
try:
    Wall().close()
except AttributeError as e:
    print(type(e).__name__, e)

# %% TypedDict is just a dict
from typing import TypedDict

class Movie(TypedDict, total=False):
    title: str
    year: int

m: Movie = {"title": "The Lamp", "year": 1999}
n = Movie(title="Tea", year="unchecked")
print(m, n, type(n).__name__, m == dict(m), sorted(Movie.__annotations__))
print(Movie.__total__, Movie(), {**m, "year": 2000})
m.get("director", "unknown"), "year" in m, m.pop("year")

# %% inheriting from dict and list
class DefaultDict(dict):
    def __missing__(self, key):
        self[key] = value = key * 2
        return value

class Stack(list):
    def push(self, x):
        self.append(x)
        return self

    def __repr__(self):
        return "Stack" + super().__repr__()

d = DefaultDict(a=1)
print(d["a"], d["b"], d[3], d, d.get("zz"), "zz" in d)
s = Stack([1]).push(2).push(3)
print(s, s.pop(), len(s), s + [9], isinstance(s, list), s == [1, 2])
try:
    Stack().pop()
except IndexError as e:
    print(type(e).__name__, e)

# %- inheriting from str and int
class Slug(str):
    def __new__(cls, text):
        return super().__new__(cls, "-".join(text.lower().split()))

    def short(self, n=6):
        return self[:n] + "…" if len(self) > n else self

class Even(int):
    def __add__(self, other):
        return Even(int(self) + int(other) + (int(self) + int(other)) % 2)

s = Slug("Hello Big World")
print(s, s.short(), type(s.upper()).__name__, s == "hello-big-world", {s: 1}["hello-big-world"])
e = Even(4) + 3
print(e, type(e).__name__, e - 1, type(e - 1).__name__, sum([Even(1), Even(2)], Even(0)))
try:
    Slug(5)
except AttributeError as e:
    print(type(e).__name__, e)

# %% dataclass inheritance and post init
from dataclasses import dataclass, field, InitVar

@dataclass
class Base:
    id: int
    tags: list = field(default_factory=list, repr=False)

@dataclass
class Order(Base):
    qty: int = 1
    price: float = 2.5
    discount: InitVar[float] = 0.0
    total: float = field(init=False)

    def __post_init__(self, discount):
        if self.qty < 1:
            raise ValueError(f"qty must be >= 1, not {self.qty}")
        self.total = self.qty * self.price * (1 - discount)

print(Order(1), Order(2, ["x"], 4, discount=0.5), sep="\n")
print(Order(1) == Order(1), Order(1) == Base(1), isinstance(Order(1), Base))
Order(3, qty=0)

# %% generic container and class getitem
from typing import Generic, TypeVar, Optional

T = TypeVar("T")

class Maybe(Generic[T]):
    def __init__(self, value: Optional[T] = None):
        self.value = value

    def map(self, fn) -> "Maybe":
        return self if self.value is None else Maybe(fn(self.value))

    def or_else(self, default: T) -> T:
        return default if self.value is None else self.value

print(Maybe[int](4).map(lambda x: x + 1).or_else(0), Maybe().map(str.upper).or_else("nothing"))
print(Maybe("a").map(str.upper).map(len).value, Maybe[str]("x").value)
try:
    Maybe(0).map(lambda x: 1 // x)
except ZeroDivisionError as e:
    print(type(e).__name__, e)

# %% singleton with __new__ and a borg
class Singleton:
    _instance = None

    def __new__(cls, *args):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.opened = 0
        return cls._instance

    def __init__(self, name="default"):
        self.name = name
        self.opened += 1

class Borg:
    shared = {}

    def __init__(self):
        self.__dict__ = self.shared

a, b = Singleton("one"), Singleton("two")
print(a is b, a.name, b.opened)
x, y = Borg(), Borg()
x.mood = "calm"
print(y.mood, x is y, vars(y))
try:
    y.missing
except AttributeError as e:
    print(type(e).__name__, e)

# %% private name mangling and protected access
class Vault:
    def __init__(self, pin):
        self.__pin = pin
        self._hint = "four digits"

    def __check(self, guess):
        return guess == self.__pin

    def open(self, guess):
        return "open" if self.__check(guess) else "locked"

class Copy(Vault):
    def peek(self):
        return self.__pin

v = Copy(4417)
print(v.open(1), v.open(4417), v._hint, sorted(vars(v)), v._Vault__pin)
try:
    v.peek()
except AttributeError as e:
    print(e)
v.__pin
