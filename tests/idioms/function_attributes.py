# %% what functions say of themselves
def f(a, b=2, *, c=3):
    "doc of f"
    return a
class A:
    "doc of A"
    def m(self, x=1):
        """doc of m"""
    @property
    def p(self):
        "doc of p"
        return 1
    @staticmethod
    def s(): "doc s"
    @classmethod
    def k(cls): "doc k"
    class Inner:
        def deep(self): pass
print(f.__name__, f.__qualname__, f.__doc__, f.__defaults__, f.__kwdefaults__, f.__module__)
print(A.__doc__, A().__doc__, A.m.__doc__, A().m.__doc__, A.m.__qualname__, A.p.__doc__, A.p.fget.__doc__)
print(A.s.__doc__, A.k.__doc__, A.m.__defaults__, A().m.__name__, A.s.__qualname__, A.k.__name__)
print((lambda q: 1).__name__, A.Inner.deep.__qualname__, A.Inner.__qualname__, len.__name__, len.__qualname__, int.__qualname__)
def outer():
    def inner(): pass
    class Local:
        def m(self): pass
    return inner, Local
inner, Local = outer()
print(inner.__qualname__, Local.m.__qualname__, outer.__doc__, outer.__defaults__, outer.__kwdefaults__)
print(f"{f}"[:13], f"{inner}"[:31], str(outer)[:17], repr(A.m)[:13])
# %% attributes of functions
def f(): return f.calls
f.calls = 0
f.calls += 1
print(f.calls, f(), vars(f), f.__dict__, hasattr(f, "y"), getattr(f, "y", 7))
try:
    f.y
except AttributeError as e:
    print(e)
f.run = lambda n: n * 2
print(f.run(4), sorted(f.__dict__))
del f.run
try:
    del f.run
except AttributeError as e:
    print("gone", hasattr(f, "run"))
f.__dict__["k"] = 5
f.__dict__.update(z=1)
print(f.k, f.z)
f.__name__ = "g"
f.__doc__ = "text"
print(f.__name__, f.__doc__, f.__dict__)
for name, wrong in (("__name__", 5), ("__dict__", 5)):
    try:
        setattr(f, name, wrong)
    except TypeError as e:
        print(e)
f.__dict__ = {"only": 1}
print(vars(f), hasattr(f, "calls"))
class A:
    def m(self): return A.m.count
    m.count = 3
    @staticmethod
    def s(): pass
print(A().m(), A.m.count, A().m.count)
A.m.count = 4
A.s.tag = "t"
print(A().m.count, A().s.tag)
g = lambda: g.x
g.x = [1]
g.x += [2]
print(g(), g.x)
def counter():
    counter.n = getattr(counter, "n", 0) + 1
    return counter.n
print([counter() for _ in range(3)])
def decorated(limit=2):
    def wrap(fn):
        fn.limit = limit
        return fn
    return wrap
@decorated(5)
def h(): pass
fs = [h, f]
for i, x in enumerate(fs): x.order = i
print([(x.order, getattr(x, "limit", None)) for x in fs])
# %% wrappers of functions
import functools
def deco(fn):
    @functools.wraps(fn)
    def w(*a, **k):
        "of w"
        w.calls += 1
        return fn(*a, **k)
    w.calls = 0
    return w
def h(x=1): "doc of h"
h.tag = "t"
h = deco(h)
h(); h()
print(h.calls, h.__name__, h.__doc__, h.__wrapped__.__doc__, h.__qualname__, h.tag, h.__wrapped__.__defaults__)
class C:
    @deco
    def m(self): "doc of m"
c = C()
c.m(); c.m()
print(c.m.__name__, C.m.calls, C.m.__doc__, c.m.__wrapped__.__name__)
@functools.lru_cache(maxsize=None)
def fib(n):
    "doc of fib"
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(20), fib.__name__, fib.__doc__, fib.__wrapped__.__name__, fib.cache_info().hits)
class Call:
    def __init__(self, fn): functools.update_wrapper(self, fn)
    def __call__(self): return 1
print(Call(h).__name__, Call(h).__doc__, Call(h).__wrapped__ is h)
registry = {}
def register(fn):
    registry[fn.__name__] = fn
    fn.registered = True
    return fn
@register
def first(): return 1
@register
@deco
def second(): return 2
print({k: (v(), v.registered) for k, v in registry.items()}, functools.WRAPPER_ASSIGNMENTS[:2])
# %% functions hold what they are given no longer than they live
import copy
def make():
    def f(): pass
    f.me = f
    f.data = [1]
    return f
x = make()
y = copy.copy(x)
print(x.me is x, y is x, x.data, make() == make())
# %% methods that are context managers
from contextlib import contextmanager
class Db:
    def __init__(self): self.log = []
    @contextmanager
    def transaction(self, name):
        "doc"
        self.log.append(f"begin {name}")
        try:
            yield self
            self.log.append("commit")
        except ValueError as e:
            self.log.append(f"rollback {e}")
db = Db()
with db.transaction("a") as t:
    t.log.append("work")
with db.transaction("b"):
    raise ValueError("bad")
print(db.log, Db.transaction.__name__, Db.transaction.__doc__)
# %% named tuples with methods
from typing import NamedTuple
class P(NamedTuple):
    "a point"
    x: int
    y: int = 2
    def __add__(self, other): return P(self.x + other[0], self.y + other[1])
    def __str__(self): return f"<{self.x},{self.y}>"
    @property
    def total(self): return self.x + self.y
    @classmethod
    def zero(cls): return cls(0, 0)
    @staticmethod
    def name(): return "p"
    def moved(self, **k): return self._replace(**k)
p = P(1)
print(p, repr(p), p + (1, 1), p.total, P.zero(), P.name(), p.moved(x=9), p[0], len(p), p == (1, 2), hash(p) == hash((1, 2)))
x, y = p
print(x, y, [*p], P._fields, P._field_defaults, p._asdict(), isinstance(p, tuple), P._make([3, 4]), {p: 1}[P(1, 2)])
try:
    p.x = 5
except AttributeError as e:
    print(e)
match p:
    case P(a, b):
        print(a, b)
print(sorted([P(2), P(1, 5), P(1)]), max(P(1), P(0)), p.__doc__, p < (1, 3))
class Q(P):
    def twice(self): return self.x * 2
print(Q(4).twice(), Q(4).total, repr(Q(4)))
try:
    P()
except TypeError as e:
    print(type(e).__name__)
# %% fields that are functions, and types
from collections import namedtuple
C = namedtuple("C", "do undo")
c = C(lambda: 5, lambda n: n + 1)
print(c.do(), c.undo(4), c.count(c.do), c._asdict()["do"]())
try:
    c.do = 1
except AttributeError as e:
    print(e)
try:
    c.other()
except AttributeError as e:
    print(e)
class A: pass
print([isinstance(x, type) for x in (int, A, C, type, ValueError, 5, "int", len, A())], isinstance(int, (str, type)))
# %% containers in themselves
import copy
loop = [1, 2]
loop.append(loop)
d = {1: 2}
d["me"] = d
t = ([],)
t[0].append(t)
print(loop, d, t, f"{loop} {d}", str(loop), repr(loop), [loop])
twin = copy.deepcopy(loop)
print(twin, twin[2] is twin)
# %% classes that say what is equal have no number
class A:
    def __eq__(self, other): return True
class B(A): pass
class D:
    def __eq__(self, other): return True
    def __hash__(self): return 1
print(A.__hash__, B.__hash__, D.__hash__ is None)
# %% classes that a function makes have methods of their own
def route(path):
    def mark(fn):
        fn.path = path
        return fn
    return mark
def handler(path):
    class Handler:
        @route(path)
        def get(self): return path
        def plain(self): return 1
    return Handler
A, B = handler("/a"), handler("/b")
A.plain.tag = 1
print(A.get.path, B.get.path, A().get(), B().get(), hasattr(B.plain, "tag"), A.plain == B.plain, A.plain is A.plain)
