# %% function attributes
def f(x):
    f.calls += 1
    return x
f.calls = 0
for i in range(3):
    f(i)
print(f.calls, hasattr(f, "calls"), getattr(f, "nope", 7), hasattr(f, "nope"))
def memo(fn):
    def wrapper(*a):
        wrapper.hits += 1
        return fn(*a)
    wrapper.hits = 0
    wrapper.cache = {}
    return wrapper
@memo
def g(x): return x * 2
g(1); g(2)
g.cache["k"] = [1]
g.cache["k"] += [2]
print(g.hits, g.cache)
try:
    f.missing
except AttributeError as e:
    print(e)

# %% function attributes by param
def tag(name):
    def deco(func):
        func.tag = name
        return func
    return deco
@tag("a")
def one(): return 1
@tag("b")
def two(): return 2
print({fn.tag: fn() for fn in (one, two)}, [fn.__name__ for fn in (one, two)])

# %% docs
def f():
    """What f does."""
    return 1
def g(): pass
class C:
    """A class."""
    def m(self):
        """A method."""
class D: pass
print(f.__doc__, g.__doc__, C.__doc__, D.__doc__, C().__doc__)
print(C.m.__doc__)

# %% named tuples
from typing import NamedTuple, Optional
class P(NamedTuple):
    """A point."""
    x: float
    y: float = 0.0
    label: Optional[str] = None

    def dist(self, other: "P") -> float:
        return ((self.x - other.x) ** 2 + (self.y - other.y) ** 2) ** 0.5

    @property
    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5

    @classmethod
    def parse(cls, s):
        return cls(*map(float, s.split(",")))

    @staticmethod
    def zero():
        return P(0, 0)

p = P(3, 4)
print(p, p.dist(P.zero()), p.norm, P.parse("1,2"), P._fields, p._asdict(), p._replace(x=1))
a, b, c = p
print(a, b, c, p[0], p == (3, 4, None), sorted([P(2), P(1)]), {p: 1}[P(3, 4)])
print(max([p, P(9)], key=lambda q: q.norm), [q.dist(p) for q in (p, P(3))], P.dist(p, p))
f = p.dist
print(f(P(3, 0)))

# %% plain bases
from abc import ABC, abstractmethod
from typing import Generic, TypeVar, Protocol, TypedDict
T = TypeVar("T")
class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: list[T] = []
    def push(self, x: T) -> "Stack[T]":
        self.items.append(x)
        return self
s = Stack[int]().push(1)
print(s.items)
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    @property
    @abstractmethod
    def name(self): ...
try:
    Shape()
except TypeError as e:
    print(str(e).split(' with')[0])
class Sized(Protocol):
    def size(self) -> int: ...
class Box:
    def size(self) -> int: return 3
def total(xs: list[Sized]) -> int:
    return sum(x.size() for x in xs)
print(total([Box(), Box()]))
class Movie(TypedDict):
    title: str
    year: int
m: Movie = {"title": "x", "year": 1}
print(Movie(title="a", year=2), m)

# %% dataclass options
from dataclasses import dataclass, field, asdict, replace, fields, astuple
import itertools
ids = itertools.count(1)
@dataclass(order=True)
class Job:
    prio: int
    name: str = field(compare=False)
    tags: list = field(default_factory=list, repr=False, compare=False)
    id: int = field(init=False, default=7)
j = [Job(2, "b"), Job(1, "z", ["q"]), Job(1, "a")]
print(sorted(j), min(j), j[1] == j[2], j[0] > j[1], j[1].tags, asdict(j[1]), astuple(j[0]))
@dataclass(kw_only=True)
class K:
    a: int
    b: str = "x"
print(K(a=1), K(b="q", a=2))
for bad in (lambda: K(1), lambda: K(), lambda: K(a=1, c=2), lambda: Job(), lambda: Job(1, 2, 3, 4)):
    try:
        bad()
    except TypeError as e:
        print(e)
@dataclass
class R:
    w: float
    h: float
    area: float = field(init=False)
    def __post_init__(self):
        self.area = self.w * self.h
print(R(2, 3), R(2, 3) == R(2, 3), replace(R(2, 3), w=5))
@dataclass(frozen=True, order=True)
class V:
    major: int
    minor: int = 0
    meta: str = field(default="", compare=False)
print(V(1, 2) < V(1, 3), {V(1): 1}[V(1, 0, "zz")], hash(V(1)) == hash(V(1)), V(1) in {V(1)})
import heapq
h = [V(3), V(1), V(2)]
heapq.heapify(h)
print(heapq.heappop(h))
print([f.name for f in fields(Job)])

# %% in place
class Acc:
    def __init__(self): self.n = 0
    def __iadd__(self, o):
        self.n += o
        return self
    def __ior__(self, o):
        self.n |= o
        return self
a = b = Acc()
a += 3
a |= 8
print(b.n, a is b)
d = {"k": Acc(), "l": [1], "n": 1}
d["k"] += 4
d["l"] += [2]
d["n"] += d["n"] + 1
d["n"] -= 1
d["n"] **= 2
print(d["k"].n, d["l"], d["n"])
class H:
    def __init__(self): self.acc = Acc(); self.t = 0
    def go(self):
        self.acc += 5
        self.t += 1
        return self
h = H().go().go()
print(h.acc.n, h.t)
x = (1,)
y = x
x += (2,)
print(x, y)
s = "a"
s *= 3
print(s)

# %% format
class M:
    def __init__(self, v): self.v = v
    def __format__(self, spec):
        return f"<{self.v:{spec or '.1f'}}>"
    def __str__(self): return "M"
m = M(2.345)
w = 8
print(f"{m} {m:.2f} {m:>{w}.1f} {m!r:.1} {m!s:>3}|{3.14159:.2f} {'x':>3}")
print(format(m, ".3f"), "{:.2f} {} {x:>5} {0.v}".format(m, 1, x="q"), str(m), "%s" % m)
print(f'{m:.1f}', f'''{m
:.2f}''')

# %% getattr proxies
class Proxy:
    def __init__(self, t):
        self._t = t
        self.log = []
    def __getattr__(self, name):
        self.log.append(name) if name != "log" else None
        return getattr(self._t, name)
class T:
    k = 4
    def hi(self, n): return f"hi {n}"
p = Proxy(T())
print(p.k, p.hi("x"), p.log, hasattr(p, "zip"), getattr(p, "zip", 5))
import math
print(math.pi > 3, "abc".upper(), [1].copy())
class Attr:
    def __init__(self, d): self.d = d
    def __getattr__(self, k):
        if k in self.d: return self.d[k]
        raise AttributeError(k)
a = Attr({"x": 1, "y": {"z": 2}})
print(a.x, a.y)
try:
    a.q
except AttributeError as e:
    print(e)

# %% getattr beside builtin types
class Config:
    def __init__(self, d): self.d = d
    def __getattr__(self, k):
        if k.startswith("x"): return lambda *a, **o: (k, a, o)
        try:
            return self.d[k]
        except KeyError:
            raise AttributeError(k)
    def own(self, n): return n + 1
import datetime, re, json, csv, io, functools
from collections import Counter, namedtuple
from decimal import Decimal
c = Config({"host": "h", "run": lambda n: n * 2})
print(c.host, c.run(4), c.own(1), c.x1(1, k=2), c.run(n=3))
d = datetime.date(2020, 1, 2)
print(d.strftime("%Y-%m"), d.isoformat(), d.weekday(), datetime.datetime.fromisoformat("2026-01-05T10:11:12").timestamp() > 0)
print(datetime.timedelta(hours=2).total_seconds(), datetime.datetime(2020, 1, 1, 5).date().isoformat())
m = re.match(r"(?P<a>\w)(\d)", "x1")
print(m.groups(), m.groupdict(), m.start(), m.span(), [g.group(1) for g in re.finditer(r"(\d)", "a1b2")])
print(Counter("aab").total(), Decimal("1.25").quantize(Decimal("0.1")))
Row = namedtuple("Row", "a b")
print(Row(1, 2)._asdict(), Row(1, 2)._replace(a=3))
out = io.StringIO()
w = csv.DictWriter(out, fieldnames=["a", "b"])
w.writeheader()
w.writerow({"a": 1, "b": 2})
print(out.getvalue().split())
try:
    json.loads("[1 2]")
except json.JSONDecodeError as e:
    print(e.msg, e.pos)
@functools.lru_cache
def f(n): return n
f(1); f(1)
print(f.cache_info().hits, "a-b".partition("-"), [3, 1].index(1), {"k": 1}.items())
try:
    c.missing
except AttributeError as e:
    print(e)
try:
    c.missing()
except AttributeError as e:
    print(e)

# %% deletion
class A:
    z = 1
    def __init__(self): self.x = 1; self.z = 5
a = A()
del a.z
print(a.z)
del a.x
try:
    a.x
except AttributeError as e:
    print(e)
print(hasattr(a, "x"), getattr(a, "x", 3))
try:
    del a.x
except AttributeError as e:
    print(e)
a.x = 4
print(a.x, vars(a))

# %% vars
import json
class A:
    kind = "a"
    def __init__(self, **kw):
        self.b = 1
        self.a = 2
        self.__dict__.update(kw)
    def __repr__(self):
        return f"{self.__class__.__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"
    def __eq__(self, o): return self.__dict__ == o.__dict__
a = A(q=1, kind="z")
print(a, vars(a), json.dumps(a.__dict__), a == A(q=1, kind="z"))
for k, v in list(vars(a).items()):
    setattr(a, k + "2", v)
print(sorted(vars(a)), vars(A()), {**vars(a)}["a2"])
print(json.dumps([A()], default=lambda o: o.__dict__), json.dumps(A(), default=vars))
class N:
    def __init__(self): self.__p = 1; self._q = 2
print(vars(N()))

# %% bodies
class Cfg:
    """Doc."""
    A, B = 1, 2
    X = Y = 3
    table = {}
    for i in range(3):
        table[i] = i * i
    if A:
        mode = "on"
    else:
        mode = "off"
    class Inner:
        v = 5
        def get(self): return self.v
    def get(self): return self.A + self.Inner().get()
    @property
    def b(self): return self.B
    @classmethod
    def make(cls): return cls()
    @staticmethod
    def st(): return "st"
c = Cfg()
print(Cfg.A, Cfg.B, Cfg.X, Cfg.Y, Cfg.table, Cfg.mode, Cfg.Inner.v, c.get(), c.b, Cfg.make().A, Cfg.st(), Cfg.__doc__)
print(type(c).__name__, Cfg.__name__, type(Cfg.Inner()).__name__)

# %% decorated methods
import functools, time
def retry(n):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a, **k):
            for i in range(n):
                try:
                    return fn(*a, **k)
                except ValueError as e:
                    last = e
            raise last
        return inner
    return deco
def loud(fn):
    def w(self, *a):
        return fn(self, *a) + "!"
    return w
class C:
    def __init__(self): self.n = 0
    @retry(3)
    def go(self):
        self.n += 1
        if self.n < 3:
            raise ValueError("x")
        return self.n
    @loud
    @loud
    def hi(self, x): return x
    @functools.lru_cache(maxsize=None)
    def fib(self, n):
        return n if n < 2 else self.fib(n - 1) + self.fib(n - 2)
    @staticmethod
    @functools.lru_cache
    def sq(x): return x * x
    @property
    @loud
    def p(self): return "p"
    @functools.cached_property
    def cp(self):
        print("once")
        return [1]
c = C()
print(c.go(), c.hi("a"), c.fib(20), c.sq(4), c.p, c.cp, c.cp)
print(c.go.__name__, C.go.__name__)

# %% property all
class T:
    def __init__(self): self._x = None; self.t = 1
    @property
    def x(self):
        """Doc x."""
        return self._x
    @x.setter
    def x(self, v): self._x = v
    @x.deleter
    def x(self):
        print("gone")
        del self._x
t = T()
t.x = 5
t.x += 2
t.x, t.t = 1, 2
print(t.x)
del t.x
print(hasattr(t, "_x"), T.x.__doc__)

# %% ne
class A:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __ne__(self, o): return "ne"
print(A(1) != A(1), A(1) == A(1), 3 != 4, "a" != "a", A(1) != A(2))

# %% mangling
class V:
    def __init__(self): self.__x = 1
    def __f(self): return self.__x
    def g(self): return self.__f()
v = V()
print(v.g(), v._V__x)
try:
    print(v.__x)
except AttributeError as e:
    print(e)

# %% heap tuples
import heapq, bisect
class E:
    def __init__(self, p, n): self.p = p; self.n = n
    def __lt__(self, o): return self.p < o.p
    def __repr__(self): return self.n
h = []
for p, n in [(3, "c"), (1, "a"), (2, "b"), (1, "d")]:
    heapq.heappush(h, E(p, n))
print([heapq.heappop(h) for _ in range(4)])
l = []
for p, n in [(3, "c"), (1, "a"), (2, "b"), (1, "d")]:
    bisect.insort(l, E(p, n))
print(l, bisect.bisect([1, 2, 2, 3], 2), bisect.bisect_left([(1, "a"), (2, "b")], (2,)))

# %% eq no hash
class B:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
print(B(1) in [B(1)], B.__hash__)
try:
    {B(1)}
except TypeError as e:
    print(type(e).__name__)
class K:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __hash__(self): return hash(self.n)
print(len({K(1), K(1), K(2)}), {K(1): "a"}[K(1)])

# %% wraps
from functools import wraps, update_wrapper
def timed(fn):
    @wraps(fn)
    def inner(*a, **k):
        "inner doc"
        inner.calls += 1
        return fn(*a, **k)
    inner.calls = 0
    return inner
@timed
@timed
def add(a, b):
    """Adds."""
    return a + b
add(1, 2)
print(add.__name__, add.__doc__, add.calls, add.__wrapped__.__name__, add.__wrapped__(3, 4), add.__wrapped__.calls)
class Count:
    def __init__(self, fn):
        update_wrapper(self, fn)
        self.fn = fn
        self.n = 0
    def __call__(self, *a):
        self.n += 1
        return self.fn(*a)
@Count
def hey(x):
    """Hey."""
    return x
hey(1)
print(hey.__name__, hey.__doc__, hey.n)

# %% abstract bits
class A:
    __slots__ = ("x",)
    def __init__(self): self.x = 1
a = A()
a.x = 2
print(a.x)

# %% registry
class Registry:
    def __init__(self): self.handlers = {}
    def register(self, name):
        def deco(fn):
            self.handlers[name] = fn
            fn.registered = True
            return fn
        return deco
r = Registry()
@r.register("a")
def handle(x): return x + 1
print(r.handlers["a"](1), handle.registered, sorted(r.handlers))
class Plugin:
    registry = {}
    @classmethod
    def register(cls, f):
        cls.registry[f.__name__] = f
        return f
@Plugin.register
def foo(): return 1
print(list(Plugin.registry))

# %% nested data
from dataclasses import dataclass, field
@dataclass
class Node:
    val: int
    children: list["Node"] = field(default_factory=list, repr=False)
    parent: "Node" = field(default=None, repr=False, compare=False)
    @property
    def depth(self): return 0 if self.parent is None else self.parent.depth + 1
    @classmethod
    def root(cls, v): return cls(v)
    def add(self, v):
        n = Node(v, parent=self)
        self.children.append(n)
        return n
r = Node.root(1)
c = r.add(2).add(3)
print(r, c, c.depth, c == Node(3), r == Node(1))
@dataclass(slots=False, eq=False)
class Q:
    x: int = 0
print(Q(1), Q(1) == Q(1))

# %% initvar
from dataclasses import dataclass, field, InitVar, KW_ONLY
@dataclass
class O:
    qty: int
    price: float = 2.0
    disc: InitVar[float] = 0.0
    _: KW_ONLY
    note: str = ""
    total: float = field(init=False, default=0.0)
    meta: dict = field(default_factory=dict, metadata={"unit": "x"})
    def __post_init__(self, disc):
        self.total = self.qty * self.price * (1 - disc)
print(O(2), O(2, 3.0, 0.5, note="n"))

# %% seq getitem
class Squares:
    def __init__(self, n):
        self.n = n
    def __getitem__(self, i):
        if isinstance(i, slice):
            return [k * k for k in range(*i.indices(self.n))]
        if not 0 <= i < self.n:
            raise IndexError(f"no square {i}")
        return i * i
sq = Squares(6)
print(list(sq), sq[2:], sq[::-2], 16 in sq, 17 in sq)
a, b, *rest = sq
print(a, b, rest, max(sq), sum(sq), list(zip(sq, "ab")))

# %% property call
class A:
    def __init__(self): self._v = 1
    def get(self): return self._v
    def put(self, v): self._v = v
    v = property(get, put)
    w = property(lambda self: self._v * 2)
    s = staticmethod(lambda x: x + 1)
a = A()
a.v = 5
a.v += 1
print(a.v, a.w, a.s(3), A.s(4))

# %% slots more
class P:
    __slots__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y
p = P(1, 2)
try:
    p.z = 3
except AttributeError as e:
    print(e)
p.x += 1
print(p.x, p.y)
from dataclasses import dataclass
@dataclass(slots=True)
class D:
    a: int
    b: int = 2
d = D(1)
try:
    d.c = 1
except AttributeError as e:
    print(type(e).__name__)
print(d)

# %% class registry and class attrs
class Model:
    count = 0
    _reg = {}
    def __init__(self, n):
        Model.count += 1
        self.__class__.count += 1
        type(self)._reg[n] = self
        self.n = n
    def clone(self): return type(self)(self.n + 1)
    def __iter__(self): return iter([self.n])
m = Model(1).clone()
print(Model.count, m.count, sorted(Model._reg), list(m), m.__class__ is Model, m.__class__.__name__, isinstance(m, Model))

# %% dict style get
class Row:
    def __init__(self, **kw):
        for k, v in kw.items():
            setattr(self, k, v)
    def to_dict(self):
        return {k: getattr(self, k) for k in ("a", "b")}
    def keys(self): return ["a", "b"]
    def __getitem__(self, k): return getattr(self, k)
r = Row(a=1, b=2)
print(r.to_dict(), r["a"], hasattr(r, "c"), getattr(r, "c", None), r.__dict__, dict(vars(r)))

# %% index float int
class N:
    def __index__(self): return 3
    def __int__(self): return 4
    def __float__(self): return 2.5
    def __hash__(self): return 1
    def __abs__(self): return 9
    def __neg__(self): return -9
    def __invert__(self): return 0
    def __divmod__(self, o): return (1, 2)
n = N()
print(int(n), float(n), [1, 2, 3, 4][n], list(range(n)), bin(n), abs(n), -n, ~n, divmod(n, 2), hash(n))

# %% call and context
class T:
    def __enter__(self):
        self.log = ["in"]
        return self
    def __exit__(self, *e):
        self.log.append("out")
        return True
    def __call__(self, x=1): return x * 2
    def __reversed__(self): return iter([3, 2])
    def __contains__(self, x): return x == 1
    def __missing__(self, k): return k
with T() as t:
    raise ValueError
print(t.log, t(4), list(map(t, [1, 2])), list(reversed(t)), 1 in t, 2 in t)

# %% singleton via class attr
class Config:
    _inst = None
    @classmethod
    def get(cls):
        if cls._inst is None:
            cls._inst = cls()
        return cls._inst
    @property
    def name(self): return "n"
print(Config.get() is Config.get(), Config.get().name, Config._inst.name)

# %% sets and dict of objects
class K:
    def __init__(self, a, b): self.a, self.b = a, b
    def __eq__(self, o): return isinstance(o, K) and (self.a, self.b) == (o.a, o.b)
    def __hash__(self): return hash((self.a, self.b))
    def __repr__(self): return f"K({self.a},{self.b})"
x = K(1, "x")
s = {x, K(1, "x"), K(2, "y")}
print(len(s), K(2, "y") in s, {K(1, "x"): 1, x: 2}, [x].index(K(1, "x")), [x, x].count(K(1, "x")), x != K(3, 3), sorted(s, key=lambda k: k.a))
s.discard(K(1, "x"))
print(s)
from collections import Counter
print(Counter([x, K(1, "x")]))

# %% json encode objects
import json
class P:
    def __init__(self, n): self.n = n; self.kids = []
p = P(1); p.kids.append(P(2))
print(json.dumps(p, default=lambda o: o.__dict__, indent=1))
print(json.dumps(p, default=vars))

# %% function as attr
class Btn:
    def __init__(self): self.on = None
b = Btn()
b.on = lambda x: x + 1
print(b.on(2), callable(b.on))
def helper(): 
    """Help."""
    helper.state = getattr(helper, "state", 0) + 1
    return helper.state
helper(); helper()
print(helper.state)

# %% comprehension in class
class C:
    N = 3
    sq = [i * i for i in range(3)]
    d = {k: v for k, v in zip("ab", (1, 2))}
    t = tuple(x for x in range(N))
    fs = [lambda x: x + 1]
print(C.sq, C.d, C.t, C.fs[0](1))

# %% mixed
class Temp:
    def __init__(self, c): self.c = c
    @property
    def f(self): return self.c * 9 / 5 + 32
    @f.setter
    def f(self, v): self.c = (v - 32) * 5 / 9
    @staticmethod
    def conv(x): return x + 1
    @classmethod
    def boil(cls): return cls(100)
t = Temp.boil()
t.f = 50
ts = [Temp(1), Temp(2)]
print(t.c, t.f, [x.f for x in ts], Temp.conv(1), t.conv(2), sum(x.f for x in ts), max(ts, key=lambda x: x.f).c)
for x in ts:
    x.f -= 1
print([round(x.c, 3) for x in ts])

# %% targets
class T:
    def __init__(self, a, b):
        self.x, self.y = a, b
        self.z: int = 5
    @property
    def x(self): return self._x
    @x.setter
    def x(self, v): self._x = v * 2
    @property
    def z(self): return self._z
    @z.setter
    def z(self, v): self._z = v * 3
t = T(1, 2)
t.x = t.y = 7
u = T(0, 0)
u.x, (t.y, *u.r) = 3, (4, 5, 6)
print(t.x, t.y, u.x, u.r, t.z)
for t.x in range(2): pass
print(t.x)

# %% private
class Account:
    __count = 0
    def __init__(self, owner):
        self.__owner = owner
        self.__balance = 0
        Account.__count += 1
    @property
    def balance(self): return self.__balance
    def deposit(self, n):
        self.__balance += n
        self.__log(n)
        return self
    def __log(self, n): self.__last = n
    def __eq__(self, other): return self.__owner == other.__owner
    @classmethod
    def count(cls): return cls.__count
    @staticmethod
    def __secret(): return 1
    def peek(self): return self.__secret(), [self.__owner for _ in range(2)], (lambda: self.__last)()
a = Account("x").deposit(5)
print(a.balance, Account.count(), a == Account("x"), a.peek(), vars(a), a._Account__balance, hasattr(a, "__owner"))
try:
    a.__balance
except AttributeError as e:
    print(e)

# %% session-like
class Perm:
    READ, WRITE, EXEC = (1 << i for i in range(3))
    ALL = READ | WRITE | EXEC
print(Perm.ALL)

# %% dataclass vars and private
from dataclasses import dataclass, field
from typing import ClassVar, List, Dict, Optional, Any
@dataclass
class Inv:
    items: Dict[str, int] = field(default_factory=dict)
    total: ClassVar[int] = 3
    _cache: Optional[dict] = field(default=None, init=False, repr=False)
    def add(self, k, n=1):
        self.items[k] = self.items.get(k, 0) + n
        self._cache = None
        return self
    @property
    def size(self) -> int:
        if self._cache is None:
            self._cache = {"n": sum(self.items.values())}
        return self._cache["n"]
i = Inv().add("a").add("b", 3)
print(i, i.size, Inv.total, Inv() == Inv(), vars(i))

# %% fn attr in loops and classes
class Tracker:
    def hook(self, fn):
        def inner(*a):
            inner.count += 1
            self.last = inner.count
            return fn(*a)
        inner.count = 0
        inner.history = []
        inner.history.append("made")
        return inner
t = Tracker()
sq = t.hook(lambda x: x * x)
print([sq(i) for i in range(3)], sq.count, t.last, sq.history)
def route(path):
    def deco(func):
        func.path = path
        func.methods = ["GET"]
        return func
    return deco
@route("/a")
def a(): ...
@route("/b")
def b(): ...
fs = [a, b]
print(sorted((f.path, f.__name__) for f in fs), [f for f in fs if hasattr(f, "path")] == fs, {f.path: f for f in fs}["/b"] is b)
def fact(n):
    if n in fact.memo: return fact.memo[n]
    fact.memo[n] = 1 if n < 2 else n * fact(n - 1)
    return fact.memo[n]
fact.memo = {}
print(fact(10), len(fact.memo))

# %% namedtuple odd
from typing import NamedTuple, List
import json
class Rec(NamedTuple):
    name: str
    tags: List[str]
    score: float = 0.5
    def label(self) -> str:
        return f"{self.name.upper()}:{self.best(2)}"
    def best(self, n): return self.score * n
rs = [Rec("b", ["x"]), Rec("a", [], 2.0)]
print(sorted(rs, key=lambda r: r.label()), [r.label() for r in rs], dict(rs[0]._asdict()))
for name, tags, score in rs:
    print(name, tags, score)
print(max(rs, key=Rec.label).name, list(map(Rec.label, rs)), rs[0] + (1,), len(rs[0]), rs[0][-1], "b" in rs[0], rs[0].count("b"), rs[0].index(0.5))
try:
    Rec("x")
except TypeError as e:
    print(e)
P2 = NamedTuple("P2", [("x", int), ("y", int)])
print(P2(1, 2))

# %% order mixed dataclass
from dataclasses import dataclass, field
import heapq
@dataclass(order=True)
class Item:
    priority: int
    item: object = field(compare=False)
q = []
for p, x in [(5, "e"), (1, "a"), (3, {"k": 1})]:
    heapq.heappush(q, Item(p, x))
while q:
    i = heapq.heappop(q)
    print(i.priority, i.item)
print(Item(1, 2) <= Item(1, 3), Item(1, 2) == Item(1, 3), max([Item(1, 0), Item(4, 0)]), sorted([Item(2, 0), Item(1, 0)], reverse=True))

# %% getattr dict access
class Dot:
    def __init__(self, d): self._d = d
    def __getattr__(self, k):
        try:
            v = self._d[k]
        except KeyError:
            raise AttributeError(f"no {k}")
        return Dot(v) if isinstance(v, dict) else v
    def keys(self): return self._d.keys()
d = Dot({"a": {"b": [1, 2]}, "name": "n", "items": 5})
print(d.a.b[0], d.name, list(d.keys()), getattr(d, "zip", None), [x for x in d.a.b], d.items, f"{d.name}")
try:
    d.a.c
except AttributeError as e:
    print(e)

# %% defaults
def f(x, acc=[], *, k=3, j): 
    acc.append(x)
    return acc
f(1, j=1); f(2, j=1)
print(f.__defaults__, f.__kwdefaults__, (lambda: 1) and f.__defaults__[0] is f(3, j=0))
def g(): pass
print(g.__defaults__, g.__kwdefaults__)
def h(a, b=1, c="x"):
    def inner(d=b): return d
    return inner.__defaults__
print(h(1), h.__defaults__, h(1, 5))

# %% super of nothing
from typing import Generic, TypeVar
T = TypeVar("T")
class A(Generic[T]):
    def __init__(self, x: T):
        super().__init__()
        self.x = x
print(A(1).x)

# %% routed names of builtins
def f(): pass
f.count = 1
f.items = [1, 2]
f.start = 5
f.count += 1
d = {"a": 1}
print(f.count, [1, 1].count(1), "aa".count("a"), list(d.items()), f.items, f.start, [x.upper() for x in "ab"])
f.path = "p"

print(f.path)
class Q:
    count = 3
    def items(self): return "q"
print(Q().count, Q().items(), Q.count)

# %% deleted names and others
class S:
    def __init__(self): self.data = 1; self.tmp = 2
    def reset(self):
        del self.tmp
        if not hasattr(self, "tmp"):
            self.tmp = []
        self.tmp.append(1)
        self.tmp += [2]
        return self.tmp
s = S()
print(s.reset(), s.reset(), s.data, [x.tmp for x in [s]], vars(s))

# %% with and comp targets
class W:
    def __enter__(self): return 5
    def __exit__(self, *a): pass
class H:
    def __init__(self): self._v = 0
    @property
    def v(self): return self._v
    @v.setter
    def v(self, x): self._v = x + 1
h = H()
with W() as h.v:
    print(h.v)
h.v = h.v = 3
print(h.v, (h.v, h._v), {"v": h.v}, h.v if h.v else 0, not h.v, -h.v, h.v ** 2, f"{h.v:>4}|{h.v=}")

# %% in place chained format and lt
class M:
    def __init__(self, c): self.c = c
    def __iadd__(self, o):
        return M(self.c + o.c)
    def __add__(self, o): return M(self.c + o.c)
    def __format__(self, s): return f"${self.c / 100:,.2f}" if not s else format(str(self), s)
    def __str__(self): return f"M{self.c}"
    def __lt__(self, o): return self.c < o.c
    def __bool__(self): return self.c != 0
tot = M(0)
for x in [M(150), M(2300)]:
    tot += x
rows = {"a": M(5)}
rows["a"] += tot
print(f"{tot} {tot:>8} {rows['a']:<8}|", tot < rows["a"], bool(M(0)), sorted([M(2), M(1)])[0].c, "%s" % tot, "{0} {0:>6} {1[a]}".format(tot, rows))
print(f"{'yes' if tot else 'no'} {len('abc'):03d} {3.14159:.2f} {1000000:,} {'x':^5}|{[tot][0]}")

# %% shown
x, y = 3, "q"
class P:
    def __init__(self): self.n = 2.5
    @property
    def v(self): return "w"
p = P()
d = {"k": 1}
print(f"{x=} {y=} {x = } {y=!s} {p.n=:.2f} {p.v=} {x+1=} {d['k']=} {len(y)=} {y=:>4} {x=:03d}|")
print(f'{p.v = !r:>5}', rf"{y=}\n", f"""{y=}
{x=}""")
# %% statements in the body of a class
class A:
    x, y = 1, 2
    a = b = 3
    if x > 0:
        kind = 'pos'
    else:
        other = 'neg'
    for i in range(3):
        last = i * 2
    total = 0
    for v in [1, 2, 3]:
        total += v
    try:
        import no_such_module_here
    except ImportError:
        ok = False
    names = {}
    names['q'] = 1
    names.update(r=2)
    assert x == 1
    print('in the body', x)
    gone = 1
    del gone
    def m(self):
        return self.x, self.y, self.a, self.b, self.kind, self.last, self.total
print(A().m(), A.i, A.v, A.ok, A.names, hasattr(A, 'other'), hasattr(A, 'gone'))
y = 'global'
counted = 0
class B:
    z = y
    if not z:
        v = 'never'
    w = 1
    w = w + 1
    global counted
    counted = 5
    def f(self, d=y):
        return d
    def f(self, g=f):
        return g(self), self.w
    if (n := 10) > 5:
        big = n
print(B.z, hasattr(B, 'v'), B().f(), B.n, B.big, counted, hasattr(B, 'counted'))
def make(n):
    found = []
    class C:
        nonlocal found
        found = [n]
        if n:
            val = n
        class D:
            def g(self):
                return n
    print(found, hasattr(C, 'found'))
    return C
print(make(3).val, hasattr(make(0), 'val'), make(4).D().g())
try:
    class E:
        for q in [1, 0]:
            r = 1 / q
except ZeroDivisionError as e:
    print('raised', e)
# %% classes in classes, with super
class A:
    class Inner:
        z = 5
        class Deep:
            w = 1
        def f(self):
            return self.z
    def m(self):
        return self.Inner().f()
class B(A):
    class Inner(A.Inner):
        z = 7
        def f(self):
            return super().f() + 1
    def m(self):
        return super().m(), 'b'
    class Config:
        frozen = True
print(A().m(), B().m(), B.Inner.__qualname__, A.Inner.Deep.__qualname__, B.Config.frozen)
from dataclasses import dataclass
@dataclass
class P:
    a: int
    b: int = 2
    class Config:
        name = 'p'
    if True:
        def c(self):
            return self.a + self.b
print(P(1), P.Config.name, P(1).c())
# %% object.__setattr__ asks properties and slots
class A:
    __slots__ = ('_v',)
    @property
    def v(self):
        return self._v
    @v.setter
    def v(self, value):
        self._v = value * 2
    def __setattr__(self, name, value):
        print('set', name)
        super().__setattr__(name, value)
a = A()
a.v = 4
print(a.v)
object.__setattr__(a, 'v', 5)
print(a.v)
try:
    object.__setattr__(a, 'other', 1)
except AttributeError as e:
    print(type(e).__name__)
# %% items by number beside what is inherited
class Base:
    def __init__(self, **k):
        self.d = dict(k)
    def __iter__(self):
        return iter(self.d)
    def __contains__(self, k):
        return k in self.d
class Sub(Base):
    def __getitem__(self, k):
        return self.d[k]
x = Sub(a=1, b=2)
print(list(x), "a" in x, "c" in x, x["b"])
class Numbers:
    def __getitem__(self, n):
        if n > 3:
            raise IndexError(n)
        return n * n
class More(Numbers):
    def __getitem__(self, n):
        return super().__getitem__(n) + 1
print(list(Numbers()), list(More()), 5 in More(), 4 in Numbers())
class Asked(Base):
    def __contains__(self, k):
        return True
class AskedByName(Asked):
    def __getitem__(self, k):
        return k
print(99 in AskedByName(a=1), list(AskedByName(a=1)))
def registered(cls):
    return 'another thing'
@registered
class Lost:
    def __getitem__(self, n):
        return n
print(Lost)
# %% names of a class body are looked for where they are read
total = 0
step = 1
x = 'outside'
c = [5]
class B:
    for i in range(4):
        total = total + i
    while step < 5:
        step = step * 2
    if step == 0:
        x = 'inside'
    print(x, total, step)
    def f(self, d=x):
        return d
    x = x + '!'
    kept = len('abc')
    def len(self):
        return 1
    try:
        print(len('abc'))
    except TypeError:
        print('a method by now')
    try:
        print(missing)
    except NameError as e:
        print(e)
    missing = 1
print(B.total, B.step, B.x, B.kept, B().f(), total, step, x)
def around():
    x = 'of the function'
    class C:
        y = x
        z = [x, y]
        if y:
            w = y
    class D:
        y = x
        x = 'of the class'
    return C.y, C.z, C.w, D.y, D.x
print(around())
def nonlocals():
    n = 1
    class C:
        nonlocal n
        n = n + 1
        global total
        total = total + 7
    return n, hasattr(C, 'n'), hasattr(C, 'total')
print(nonlocals(), total)
# %% super asks descriptors of the classes above
class Answers:
    def __get__(self, instance, owner):
        return instance is None, owner.__name__
class Above:
    text = Answers()
class Below(Above):
    def asked(self):
        return super().text
    @classmethod
    def of_class(cls):
        return super().text
print(Below().asked(), Below.of_class())
for wrong in (5, Below()):
    try:
        super(wrong, wrong)
    except TypeError as e:
        print(e)
# %% classes that inherit answer first
class A:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return f"A=={self.v}"
    def __ne__(self, o): return f"A!={self.v}"
    def __lt__(self, o): return f"A<{self.v}"
    def __add__(self, o): return f"A+{self.v}"
    def __radd__(self, o): return f"A r+{self.v}"
    def __mul__(self, o): return f"A*{self.v}"
    def __pow__(self, o): return f"A**{self.v}"
class B(A):
    def __eq__(self, o): return f"B=={self.v}"
    def __gt__(self, o): return f"B>{self.v}"
    def __radd__(self, o): return f"B r+{self.v}"
    def __rpow__(self, o): return NotImplemented
class C(A):
    pass
a, b, c = A(1), B(2), C(3)
print(a == b, b == a, a != b, a < b, b > a, a + b, b + a, a * b, a ** b)
print(a == c, a + c, c + a, a < c, b + c, c == a)
from dataclasses import dataclass
@dataclass
class P:
    x: int
@dataclass
class Q(P):
    y: int = 0
print(P(1) == Q(1), Q(1) == P(1), P(1) == P(1))
# %% fields that a dataclass is matched by
from dataclasses import dataclass, field
@dataclass
class A:
    a: int
    b: int = field(init=False, default=9)
    c: int = 3
    d: int = field(kw_only=True, default=2)
@dataclass(match_args=False, order=True)
class B:
    x: int
match A(1, 4):
    case A(x, y): print(x, y)
print(A.__match_args__, A(1, 4).__dict__, A(1, 4), hasattr(B, "__match_args__"))
# %% the traceback that a context manager is given
class Noted:
    def __enter__(self): return self
    def __exit__(self, kind, error, frames):
        print(kind, error, frames is None, error is not None and frames.tb_lineno == error.__traceback__.tb_lineno)
        return True
with Noted():
    raise ValueError("left")
with Noted():
    pass
