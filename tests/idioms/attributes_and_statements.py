# %% attributes of an instance are one dict
class Settings:
    def __init__(self, **given):
        self.__dict__.update(given)
    def __getattr__(self, name):
        return f"no {name}"
s = Settings(a=1, b=[2])
d = s.__dict__
d["c"] = 3
s.e = 5
d["b"].append(4)
del d["a"]
print(d, s.c, s.a, d is s.__dict__, vars(s) is d, len(vars(s)), "e" in d)
d.clear()
print(vars(s), s.b)
setattr(s, "x", 1)
del s.x
print(d, hasattr(s, "__dict__"))
# %% attributes are replaced together
class P:
    kind = "point"
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __eq__(self, other):
        return self.__dict__ == other.__dict__
p, q = P(1, 2), P(3, 4)
p.__dict__ = q.__dict__
q.x = 9
print(p.x, p == q, p.__dict__ is q.__dict__, p.kind)
p.__dict__ = {"x": 0, "y": 0}
print(p == P(0, 0), p.x, q.x)
for wrong in (5, [("x", 1)], None):
    try:
        p.__dict__ = wrong
    except TypeError as e:
        print(e)
# %% copies have attributes of their own
import copy
class Node:
    def __init__(self, items):
        self.items = items
n = Node([1])
d = n.__dict__
m, k = copy.copy(n), copy.deepcopy(n)
m.extra = 1
k.items.append(2)
d["own"] = True
print(vars(n), vars(m), vars(k))
print([k for k in Node.__dict__ if not k.startswith("__")])
# %% a namespace and its dict
from types import SimpleNamespace
n = SimpleNamespace(a=1)
vars(n)["b"] = 2
n.__dict__.update(c=3)
print(n, n.b + n.c, vars(n))
# %% dir without names that Python keeps for itself
class Base:
    shared = 1
    def one(self): pass
class Child(Base):
    def two(self): pass
    @property
    def three(self): return 3
c = Child()
c.four = 4
def public(x): return [name for name in dir(x) if not name.startswith("_")]
print(public(c), public(Child), public("")[:4], public([]), public({}))
print(sorted(set(dir(c)) - set(dir(Child))), "__init__" in dir(c))
class Says:
    def __dir__(self): return ["b", "a"]
dir(Says())
# %% callable and ascii
import operator, functools
class C:
    def __call__(self): return 1
class D: pass
print([callable(x) for x in (len, str, C(), C, D(), D, lambda: 0, "a".upper, 1, None, operator.itemgetter(1), functools.partial(len))])
print(ascii("aé\u4e2d\U0001f600'"), ascii([1, "ñ"]), ascii("plain"))
list(map(callable, [print, 3]))
# %% operators of classes that work in place
class Bag:
    def __init__(self): self.log = []
    def __iadd__(self, x): self.log.append(("+", x)); return self
    def __isub__(self, x): self.log.append(("-", x)); return self
    def __imul__(self, x): self.log.append(("*", x)); return self
    def __itruediv__(self, x): self.log.append(("/", x)); return self
    def __ifloordiv__(self, x): self.log.append(("//", x)); return self
    def __imod__(self, x): self.log.append(("%", x)); return self
    def __ipow__(self, x): self.log.append(("**", x)); return self
    def __iand__(self, x): self.log.append(("&", x)); return self
    def __ior__(self, x): self.log.append(("|", x)); return self
    def __ixor__(self, x): self.log.append(("^", x)); return self
    def __ilshift__(self, x): self.log.append(("<<", x)); return self
    def __irshift__(self, x): self.log.append((">>", x)); return self
b = a = Bag()
b += 1; b -= 2; b *= 3; b /= 4; b //= 5; b %= 6; b **= 7; b &= 8; b |= 9; b ^= 10; b <<= 11; b >>= 12
print(a is b, a.log)
d = {"k": b}
d["k"] += 13
class Holder: pass
h = Holder(); h.bag = b
h.bag -= 14
print(a.log[-2:], d["k"] is a)
# %% operators that are not asked in place
class Half:
    def __init__(self, n): self.n = n
    def __add__(self, x): return Half(self.n + x)
    def __iadd__(self, x): return NotImplemented
    def __matmul__(self, x): return ("at", self.n, x)
h = g = Half(1)
h += 2
print(h.n, g.n)
h @= 5
print(h)
class Loud:
    def __iadd__(self, x): raise ValueError(x)
v = Loud()
try:
    v += "why"
except ValueError as e:
    print(e, type(v).__name__)
# %% lists grow by whatever has items
xs = ys = [1]
xs += (2, 3)
xs += "ab"
xs += {4: 5}
xs += range(2)
xs += (n * n for n in [5, 6])
print(ys, xs is ys)
for wrong in (5, None, len):
    try:
        xs += wrong
    except TypeError as e:
        print(e)
class R:
    def __radd__(self, left): return ("r", len(left))
xs += R()
print(xs, len(ys))
def grow(to, by):
    to += by
    return to
grow([1], "xy"), grow((1,), (2,)), grow("a", "b")
# %% of equal keys the first stays
d = {1: "a", True: "b", 1.0: "c"}
d[True] = "d"
d.update({1.0: "e"})
print(d, {1, True, 1.0}, {True, 1}, {**{0: 1}, False: 2})
d = {"x": 1}
d["x"] = 2
d
# %% del of names, items and attributes together
class Box: pass
box = Box(); box.a, box.b = 1, 2
xs, d, n, m = [0, 1, 2, 3, 4, 5], {"k": 1, "l": 2}, 1, 2
del xs[0], d["k"], box.a, n, (xs[1:3], [m])
print(xs, d, vars(box))
for name in ("n", "m"):
    try:
        n if name == "n" else m
    except NameError as e:
        print(e)
def f(a, b=2):
    c = [a, b]
    del a, b
    def inner(): return c
    del c[0]
    try:
        return a
    except UnboundLocalError as e:
        print(e)
    return inner()
print(f(1))
def g():
    del nothing
    nothing = 1
try:
    g()
except UnboundLocalError as e:
    print(e)
if True: del xs; del d
try:
    del xs
except NameError as e:
    print(e)
# %% del in loops, classes and closures
class K:
    temp = 3
    kept = temp * 2
    del temp
print(hasattr(K, "temp"), K.kept)
total = 0
for i in range(3):
    x = i * 2
    total += x
    del x
print(total, "x" in dir(K))
def outer():
    value = 1
    def read(): return value
    del value
    try:
        read()
    except NameError as e:
        print(type(e).__name__)
    value = 2
    return read()
print(outer())
xs = list(range(10))
del xs[::3]
del xs[-1:], xs[4:1:-2]
print(xs)
m = [[1, 2], [3, 4]]
del m[0][1], m[1][0]
m
# %% del of what has no items to delete
def cut(x, key):
    try:
        del x[key]
    except Exception as e:
        print(type(e).__name__, e)
for x in ("ab", (1,), 5, None, range(3), {1}, b"x", [1], {}):
    cut(x, 0)
    cut(x, "k")
class Plain: pass
cut(Plain(), 0)
cut([1], 7)
p = Plain()
try:
    del p.nothing
except AttributeError as e:
    print(e)
# %% exit ends a script
print("before")
def leave(): exit(3)
try:
    leave()
except SystemExit as e:
    print("caught", e.code)
try:
    quit("bye")
except BaseException as e:
    print(type(e).__name__, e.code, e.args)
# %% an index that changes what it is an index of
from collections import deque
class I:
    def __init__(self, of): self.of = of
    def __index__(self):
        self.of.clear()
        return 1
for xs in ([1, 2, 3], deque([1, 2, 3])):
    try:
        del xs[I(xs)]
    except IndexError as e:
        print(type(e).__name__, e, xs)
# %% sets change in place
a = {1, 2, 3, 4}
b = a
a |= {5}
a -= {1}
a &= {2, 3, 5, 9}
a ^= {2, 7}
print(sorted(a), a is b, sorted(b))
def drop(seen, done):
    seen -= done
    seen |= frozenset([8])
drop(a, {3})
print(sorted(b))
b -= b
print(a, a is b)
f = g = frozenset([1])
f |= {2}
print(sorted(f), g)
d = {1: 2, 3: 4}
s = t = {1}
s |= d.keys()
print(sorted(s), s is t, sorted(t))
def unite(s, x): s |= x
def less(s, x): s -= x
def common(s, x): s &= x
def either(s, x): s ^= x
for wrong in ([1], 5, "ab"):
    for f in (unite, less, common, either):
        try:
            f(s, wrong)
        except TypeError as e:
            print(type(e).__name__, s == {1, 3})
# %% lists and deques repeat in place
from collections import deque
a = b = [1, [2]]
a *= 2
print(a, a is b, b[1] is b[3])
a *= 0
print(b, a is b)
q = r = deque([1, 2], maxlen=3)
q *= 2
print(q, q is r)
class Times:
    def __rmul__(self, other): return ["new"]
    def __ror__(self, other): return {"new"}
    def __rand__(self, other): return {"new"}
c = d = [1]
c *= Times()
s = t = {1}
s |= Times()
u = v = {1}
u &= Times()
print(c, d, s, t, u, v)
x = [1, 2]
for item in x:
    if len(x) < 9:
        x *= 2
print(len(x))
# %% classes that inherit from containers change in place
from collections import Counter, OrderedDict
class Seen(set): pass
class Items(list): pass
class Counts(Counter): pass
s = t = Seen([1, 2, 3])
s |= {4}
s -= {1}
s &= {2, 4}
s ^= {5}
print(sorted(s), s is t, type(s).__name__)
i = j = Items([1])
i *= 3
i += (2,)
print(list(i), i is j, type(i).__name__)
c = d = Counts("aab")
c += Counter("bc")
c -= Counter("a")
print(sorted(c.items()), c is d, type(c).__name__)
c |= Counter(a=5)
print(sorted(c.items()), c is d)
c &= Counter(a=2, b=9)
print(sorted(c.items()), c is d)
o = p = OrderedDict(a=1)
o |= {"b": 2}
print(list(p.items()), o is p)
by = bz = bytearray(b"ab")
by *= 2
by += b"c"
print(bytes(bz), by is bz)
# %% functions of operator that work in place
import operator
from functools import reduce
a = [1]
print(operator.iadd(a, [2]), a, operator.imul(a, 2) is a, a)
s = {1}
print(operator.ior(s, {2}) is s, sorted(s), operator.isub(s, {1}) is s, s)
print(operator.iadd(1, 2), operator.ipow(2, 3), operator.imod(7, 4), operator.iconcat([1], [2]))
print(reduce(operator.ior, [{1}, {2}, {3}], set()), reduce(operator.iand, [{1, 2}, {2, 3}]))
xs = [1, 2, 3, 4]
operator.delitem(xs, slice(None, None, 2))
print(xs)
# %% items whose comparison changes the set
class K:
    def __init__(self, name): self.name = name
    def __hash__(self): return 1
    def __eq__(self, other):
        s.clear()
        return self is other
s = {K("a"), 7}
s -= {K("b"), K("c")}
print(s)
