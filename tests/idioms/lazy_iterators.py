# %% builtin iterators work when they are asked
def loud(xs):
    for x in xs:
        print("give", x)
        yield x
for i, x in enumerate(loud("abc")):
    print(i, x)
    if i == 1:
        break
for a, b in zip(loud([1, 2]), loud([3, 4])):
    print(a + b)
for x in map(lambda v: print("call", v) or v * 2, [1, 2, 3]):
    print(x)
    if x == 4:
        break
for x in filter(lambda v: print("test", v) or v % 2, [1, 2, 3]):
    print(x)
for x in reversed([1, 2, 3]):
    print(x)
# %% one source is shared
it = iter(range(10))
print([(a, b) for a, b in zip(it, it)])
it = iter("abcdef")
for x in it:
    print(x, next(it))
lines = iter(["a", "b", "", "c", "d"])
head = [x for x in iter(lambda: next(lines), "")]
print(head, list(lines))
it = iter([1, 2, 3, 4, 5])
print(list(zip(it, [10, 20])), list(it))
nums = iter([1, 3, 5])
print(sum(x for x in it), any(x > 2 for x in nums), list(nums))
# %% infinite sources
from itertools import count, cycle, islice
for i, n in enumerate(count(10, 5)):
    if i > 3:
        break
print(i, n)
print(list(zip("abc", count(1))), dict(zip(count(), "xy")))
def primes():
    found = []
    for n in count(2):
        if all(n % p for p in found):
            found.append(n)
            yield n
print(list(islice(primes(), 10)), next(x for x in primes() if x > 50))
print(list(islice(map(lambda x: x * x, count()), 5)), list(islice(filter(lambda x: x % 3 == 0, count(1)), 4)))
print(next(n for n in count() if n * n > 1000), any(n > 5 for n in count()))
print([c for _, c in zip(range(5), cycle("ab"))])
squares = (n * n for n in count())
print([next(squares) for _ in range(4)], next(squares))
# %% lists that grow while they are gone through
todo = [1, 2, 3]
for i, n in enumerate(todo):
    if n < 3 and len(todo) < 8:
        todo.append(n + 1)
print(todo)
xs = [1, 2]
for a, b in zip(xs, "abcdef"):
    xs.append(a * 2)
print(xs)
ys = [3, 2, 1]
for y in reversed(ys):
    if y > 1:
        ys.remove(y)
print(ys)
def grow(xs):
    for x in (x for x in xs if x):
        if len(xs) < 6:
            xs.append(x - 1)
    return xs
print(grow([3]))
# %% types and texts
e, z, m, f, r = enumerate("a"), zip("a"), map(str, [1]), filter(None, [1]), reversed([1])
def g(): yield 1
ge, gz, gm, gf = enumerate(g()), zip(g(), g()), map(lambda x: x, [1]), filter(lambda x: x, [1])
print([type(x).__name__ for x in (e, z, m, f, ge, gz, gm, gf)])
print([repr(x).split(" at ")[0] for x in (e, z, m, f, ge, gz, gm, gf)])
print(isinstance(e, enumerate), isinstance(gz, zip), isinstance(gm, map), isinstance(gf, filter), isinstance(e, zip), isinstance([], map))
print(iter(z) is z, list(z), list(z), list(gm), list(gm))
gen = (x for x in [1])
print(type(gen).__name__, repr(gen).split(" at ")[0], gen.__name__)
for wrong in (lambda: enumerate(5), lambda: zip([1], 2), lambda: map(str), lambda: filter(1), lambda: reversed({1}), lambda: (x for x in 5), lambda: reversed(g()), lambda: len(map(str, "a")), lambda: zip("a")[0]):
    try:
        print(wrong())
    except TypeError as error:
        print(error)
try:
    list(map(None, [1]))
except TypeError as error:
    print(error)
# %% zip strict
def g(n): yield from range(n)
for a, b, c in ((2, 2, 2), (2, 1, 2), (1, 2, 2), (1, 1, 2), (2, 2, 1), (0, 0, 0), (0, 0, 1), (3, 2, 2)):
    for make in (range, g):
        seen = []
        try:
            for row in zip(make(a), make(b), make(c), strict=True):
                seen.append(row)
            print(seen, "same")
        except ValueError as e:
            print(seen, e)
print(list(zip()), list(zip(strict=True)), list(zip([1])), list(zip([1, 2], strict=True)))
# %% errors in the middle
def bad(xs):
    for x in xs:
        if x == 3:
            raise ValueError("three")
        yield x
def f(x):
    if x == 3:
        raise ValueError("three")
    return x * 10
for make in (lambda: enumerate(bad([1, 2, 3, 4])), lambda: zip(bad([1, 3]), [1, 2]), lambda: map(f, [1, 2, 3, 4]), lambda: filter(f, [1, 3]), lambda: (f(x) for x in [1, 3, 4])):
    got = []
    it = make()
    try:
        for x in it:
            got.append(x)
    except ValueError as e:
        print(got, e)
it = map(f, [1, 3, 4])
print(next(it))
try:
    next(it)
except ValueError:
    pass
got = []
try:
    got.extend(f(x) for x in [1, 2, 3, 4])
except ValueError:
    print(got)
try:
    got += map(f, [4, 3])
except ValueError:
    print(got)
seen = set()
try:
    seen.update(bad([1, 2, 3]))
except ValueError:
    print(seen)
d = {}
try:
    d.update((x, f(x)) for x in [1, 3])
except ValueError:
    print(d)
from collections import Counter, deque
c, q = Counter(), deque()
try:
    c.update(bad("ab3"[:2] + "")); c.update(bad([1, 3]))
except ValueError:
    print(c)
try:
    q.extend(bad([1, 2, 3]))
except ValueError:
    print(q)
# %% methods of ones own take generators as they are
class Log:
    def __init__(self): self.rows = []
    def extend(self, rows):
        for row in rows:
            print("take", row)
            self.rows.append(row)
            if row == 2:
                return self
    def update(self, rows): return next(iter(rows))
    def join(self, rows): return type(rows).__name__
    def union(self, rows): return [next(rows), next(rows)]
def rows():
    for x in (1, 2, 3):
        print("make", x)
        yield x
def show(x):
    print("show", x)
    return x
log = Log()
print(log.extend(rows()).rows, log.extend(show(x) for x in (1, 2, 3)).rows)
print(log.update(show(x) for x in "ab"), log.union(show(x) for x in "abc"))
# %% names that generator expressions bind
def first_long(words):
    if any(len(found := w) > 3 for w in words):
        return found
    return None
print(first_long(["a", "four", "fiver"]), first_long(["a"]))
if any((hit := n) % 7 == 0 for n in range(1, 20)):
    print(hit)
total = 0
print(list(total := total + n for n in [1, 2, 3]), total)
def nested():
    best = None
    print(all(any((best := (x, y)) and x * y == 6 for y in range(5)) for x in [2, 3]))
    return best
print(nested())
def counted():
    n = 0
    def step():
        nonlocal n
        return sum((n := n + x) for x in [1, 2])
    return step(), n
print(counted())
xs = [lambda: k for k in range(2)]
gs = ((lambda: k) for k in range(3))
print([g() for g in gs], [x() for x in xs])
class C:
    base = 10
    rows = [1, 2]
    made = tuple(x * 2 for x in rows)
print(C.made)
x = "outer"
print(list(x for x in "ab"), x)
# %% generator expressions take their first source at once
xs = [1, 2, 3]
g = (x * n for x in xs for n in ns)
xs = [9]
ns = [1, 10]
print(list(g))
d = {"a": 1}
g = (k for k in d)
d["b"] = 2
try:
    print(list(g))
except RuntimeError as e:
    print(e)
g = (x for x in [1, 2, 3])
print(next(g), g.send(None), list(g), list(g))
g = (x for x in [1, 2, 3])
g.close()
print(list(g))
def delegate():
    result = yield from (x for x in "ab")
    yield result
print(list(delegate()))
def throw_in():
    g = (x for x in [1, 2])
    next(g)
    try:
        g.throw(KeyError("k"))
    except KeyError as e:
        return e, list(g)
print(throw_in())
# %% what is iterated
from collections import deque
from itertools import count
def g(): yield 1
from collections.abc import Iterator, Iterable, Generator, Callable, Sized, Collection, Reversible
things = [g(), (x for x in "a"), enumerate("a"), zip("a"), map(str, "a"), filter(None, "a"), count(), iter([1]), {1: 2}.keys(), {1: 2}.values(), {1: 2}.items(), [1], "a", range(2), len, g, 5]
for t in things:
    print(type(t).__name__, isinstance(t, Iterator), isinstance(t, Iterable), isinstance(t, Generator), isinstance(t, Callable), isinstance(t, Sized), isinstance(t, Reversible), hasattr(t, "__iter__"), hasattr(t, "__next__"), hasattr(t, "__len__"), hasattr(t, "__call__"))
it = [1, 2].__iter__()
print(it.__next__(), count(5).__next__(), g().__next__(), zip("ab").__iter__().__next__(), {1: 2}.keys().__len__(), (5).__bool__(), (2.7).__int__(), (2.5).__round__(), len.__call__("ab"))
print(getattr(g(), "__next__")(), [name for name in ("__iter__", "__getitem__", "__call__") if hasattr(deque(), name)])
# %% reversed of what says how
class Deck:
    def __init__(self): self.cards = [1, 2, 3]
    def __len__(self): return len(self.cards)
    def __getitem__(self, i):
        print("get", i)
        return self.cards[i]
class Own:
    def __reversed__(self): return iter("zyx")
for card in reversed(Deck()):
    print(card)
    if card == 2:
        break
print(list(reversed(Own())), list(reversed("abc")), list(reversed((1, 2))), list(reversed(range(3))), list(reversed({"a": 1, "b": 2})), "".join(reversed("xyz")))
class Neither: pass
try:
    reversed(Neither())
except TypeError as e:
    print(e)
print(list(enumerate(reversed(["a", "b"]), start=1)), [*reversed(list(enumerate("ab")))], list(reversed({"k": 1}.items())))
# %% StopIteration ends what calls
its = [iter([1]), iter([])]
print(list(map(next, its)))
def stop(x):
    if x > 2:
        raise StopIteration
    return x
print(list(map(stop, [1, 2, 3, 4])), [x for x in map(stop, [1, 3])], list(filter(stop, [1, 0, 3, 2])))
n = [3]
def down():
    n[0] -= 1
    return n[0]
print(list(iter(down, 0)), [x for x in iter(iter("abc").__next__, "c")])
# %% many iterators around each other
def deep(n):
    g = iter([1, 2])
    for _ in range(n):
        g = map(lambda x: x + 1, g)
    return g
print(list(deep(50)), sum(deep(40)), [x for x in deep(30)])
g = enumerate(deep(5))
print(next(g), list(g))
m = map(lambda x: x * 2, [1, 2, 3, 4])
print(next(m), sum(m), list(m))
f = filter(lambda x: x % 2, range(6))
for x in f:
    print(x, list(f))
# %% numbers that enumerate begins with
from itertools import islice
for start in (10**30, 2**63 - 2, -5, True, 2**62):
    print(list(enumerate("abc", start)))
for wrong in ("1", 1.0, None):
    try:
        enumerate([], wrong)
    except TypeError as e:
        print(e)
try:
    enumerate(5, start=10**30)
except TypeError as e:
    print(e)
# %% keywords with names of positional parameters
def emit(event, /, **payload): return event, payload
print(emit("a", event="x"), emit("b", other=1))
class Bus:
    def send(self, name, /, **fields): return name, sorted(fields.items())
print(Bus().send("n", name=1, self=2))
def strict(a, /, b): pass
try:
    strict(a=1, b=2)
except TypeError as e:
    print(e)
from typing import Literal, Annotated, Final, ClassVar
Mode = Literal["r", "w"]
Pair = Annotated[int, "unit"]
print(True.real, True.numerator, True.conjugate(), (5).real)
# %% iterators go on behind an error
m = map(lambda x: 10 // x, [5, 0, 2, 1])
f = filter(lambda x: 10 // x > 3, [5, 0, 2, 1])
n = [3]
def down():
    n[0] -= 1
    if n[0] == 1: raise ValueError("one")
    return n[0]
u = iter(down, -1)
def g():
    yield 1
    raise KeyError("k")
z, e = zip(g(), "ab"), enumerate(g(), 5)
for it in (m, f, u, z, e):
    got = []
    for _ in range(6):
        try:
            got.append(next(it, "end"))
        except (ZeroDivisionError, ValueError, KeyError) as error:
            got.append(type(error).__name__)
    print(got)
# %% what is added to is read meanwhile
out = []
out.extend(x for x in [1, 1, 2] if x not in out)
out += (x for x in [2, 3, 3] if x not in out)
v = {}
v.update((w, len(v)) for w in "the cat sat".split())
from collections import Counter, OrderedDict, defaultdict
from types import MappingProxyType
import json
c = Counter()
c.update(w for w in "a a a".split() if c[w] < 2)
rows = []
try:
    rows.extend(json.loads(s) for s in ["1", "2", "x"])
except ValueError:
    pass
print(out, v, c, rows)
def apply(f, xs):
    got = []
    try:
        got.extend(f(x) for x in xs)
    except ZeroDivisionError:
        pass
    return got
print(apply(lambda x: 6 // x, [1, 2, 0, 3]))
d = {}
d.update(OrderedDict(id=7))
d.update(MappingProxyType({"us": 1}))
class M:
    def keys(self): return ["ab", "cd"]
    def __getitem__(self, key): return key.upper()
    def __iter__(self): return iter(["xy"])
d.update(M())
print(d, dict(M()), defaultdict(int, OrderedDict(id=1)), Counter(OrderedDict(a=5)), dict(MappingProxyType({"us": 1})))
class W(Counter): pass
class D(dict): pass
t = Counter()
t.update(W("aaab"))
t.update(D(a=2))
print(t)
# %% rounding by other names, sets in sets, the nearest type
r = round
print(r(2.675, 2), list(map(round, [2.675, 1.005, 0.125, -2.5, 1e22], [2, 2, 2, 0, -3])), round(2.675, ndigits=2), round(1234567.5, -3), round(-1250.0, -2), round(5e-324, 300), round(15.0, -1), round(25.000001, -1), round(96.0, -2), round(0.5, 400))
from itertools import combinations
subsets = [frozenset(c) for n in range(5) for c in combinations(range(13), n)]
print(len({hash(s) for s in subsets}) > len(subsets) * 0.99, hash(frozenset("ab")) == hash(frozenset("ba")), len({frozenset([1, 2]), frozenset([2, 1])}))
from functools import singledispatch
class Shape: pass
class Circle(Shape): pass
class Big(Circle): pass
@singledispatch
def area(x): return "any"
area.register(Shape, lambda x: "shape")
area.register(Circle, lambda x: "circle")
area.register(Exception, lambda x: "exception")
area.register(ValueError, lambda x: "value")
import json
print(area(Big()), area(Shape()), area(1), area(json.JSONDecodeError("a", "b", 0)), area(KeyError()))
# %% generators in variables that functions take whole
from collections import Counter, OrderedDict, deque
def gen(n):
    for i in range(n):
        print("<", i, end=" ")
        yield i
for take in (list, tuple, set, frozenset, sorted, sum, min, max, any, all, deque, Counter, lambda g: [*g], lambda g: {*g, 9},
             lambda g: sum(g, 10), lambda g: sum(g, 0.5), lambda g: max(g, default=7), lambda g: min(g, key=lambda x: -x),
             lambda g: sorted(g, reverse=True), lambda g: deque(g, maxlen=2), lambda g: dict(zip("abc", g)), lambda g: OrderedDict((x, x) for x in g),
             lambda g: 1 in g, lambda g: 1 not in g, lambda g: print(*g), lambda g: list(enumerate(g, 5)), lambda g: next(g),
             lambda g: ",".join(map(str, g)), lambda g: dict.fromkeys(g), lambda g: sorted({1, 2}.union(g)), lambda g: {1, 2} & set(g)):
    g = gen(3)
    print(take(g))
a, b = gen(2)
a, *b = gen(4)
try:
    a, b = gen(9)
except ValueError as e:
    print(e)
try:
    a, b = gen(1)
except ValueError as e:
    print(e)
try:
    max(gen(0))
except ValueError as e:
    print(e)
try:
    sum(x for x in ["a"])
except TypeError as e:
    print(e)
try:
    max(x for x in [1, "a"])
except TypeError as e:
    print(e)
# %% generators in variables that are added to something
from collections import Counter, deque
def gen(n, seen):
    for i in range(n):
        print(len(seen), end=" ")
        yield i
    raise KeyError(n)
for made, add in (([], "extend"), (set(), "update"), (deque(), "extend"), (deque(), "extendleft"), (Counter(), "update")):
    try:
        getattr(made, add)(gen(3, made))
    except KeyError as e:
        print(add, made, e)
    try:
        if add == "extend": made.extend(gen(2, made))
        else: made.update(gen(2, made)) if add == "update" else made.extendleft(gen(2, made))
    except KeyError as e:
        print(add, made, e)
xs = ys = [1]
try:
    xs += gen(2, xs)
except KeyError:
    print(xs, xs is ys)
d = {}
def pairs():
    for i in range(3):
        print(len(d), end=" ")
        yield i, i * i
d.update(pairs())
d |= pairs()
print(d)
# %% sums and extremes of generator expressions
print(sum(x for x in [1, 2, 3]), sum((x / 10 for x in range(11))), sum([y for y in range(3)], 1), sum((x for x in [[1], [2]]), []))
print(min(x % 7 for x in range(20)), max(x % 7 for x in range(20)), max((x for x in []), default=None), min((x for x in [3, 1]), default=0))
print(round(sum(0.1 for _ in range(10)), 9), sum(x for x in [1, 0.5, True, 2]), sum(1 for a in range(3) for b in range(a)))
print(set(x % 3 for x in range(9)), dict((x, x * x) for x in range(3)), dict((str(x), y) for x, y in zip("ab", [1, 2])), set(x for x in "aab" if x > "a"))
class V:
    def __init__(self, n): self.n = n
    def __add__(self, o): return V(self.n + (o.n if isinstance(o, V) else o))
    __radd__ = __add__
    def __lt__(self, o): return self.n < o.n
    def __gt__(self, o): return self.n > o.n
print(sum(V(i) for i in range(4)).n, max(V(i) for i in (2, 9, 4)).n, min(V(i) for i in (2, 9, 4)).n)
for wrong in (lambda: max(x for x in []), lambda: sum(x for x in [1, None]), lambda: min(x for x in [1, "a"]), lambda: set([x] for x in [1]), lambda: max(1 / x for x in [1, 0])):
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
def f():
    total = 0
    return sum(total + x for x in range(3)), [max(x + y for y in range(3)) for x in range(2)]
print(f(), max((len(w), w) for w in "a bb cc".split()), min((w for w in ["b", "a"]), key=len))
# %% items are asked for when they are wanted
def loud(x):
    print("!", x, end=" ")
    return x
g = (loud(x) for x in range(5))
m = map(loud, range(5))
print(next(g), next(m))
print(list(zip(g, m)), list(g), list(m))
k = filter(loud, range(3))
print(2 in k, list(k))
# %% flags of patterns in variables
import re
flags = re.VERBOSE
print(re.findall(r"a b  # c", "ab a b", flags), re.findall("a b", "ab a b"))
mode = re.ASCII
print(re.findall(r"\w+", "caf\u00e9 x", mode), re.findall(r"\w+", "caf\u00e9 x"), re.sub(r"\w", "_", "\u00e9a", flags=mode))
opts = {"flags": re.I | re.X}
print(re.findall("A b", "ab", **opts), re.split("X y", "1xy2", 0, re.I | re.X), re.compile(r"\d", mode).findall("1\u0661"))
# %% names of modules that are something else later
import re, json
class Mine:
    def findall(self, *a): return ("mine", a)
    def dumps(self, x, **k): return ("mine", x, sorted(k))
def change():
    global re
    re = Mine()
change()
print(re.findall("a", "b"))
if (json := Mine()):
    print(json.dumps(1, default=str))
import math
match Mine():
    case math: print(type(math).__name__)
# %% types of iterators, and iterators that have ended
xs = [1]
it = iter(xs)
print(next(it), next(it, "end"))
xs.append(2)
print(next(it, "end"), list(it))
m, f, z = map(str, xs), filter(None, xs), zip(xs)
print(type(m) is map, type(f) is filter, type(z) is zip, type(enumerate(xs)) is enumerate, type(m) is filter)
print(isinstance(m, (list, map)), isinstance(xs, (map, filter)), isinstance(z, (zip, int)), type(m), map, type(map), callable(map), isinstance(map, type))
print(type(m).__name__, {type(m): 1}[map], issubclass(map, map), issubclass(map, object))
# %% a map whose function fails or stops
def f(x):
    if x == 2: raise StopIteration
    if x == 5: raise KeyError(x)
    return x * 10
m = map(f, range(4))
print(list(m), sorted(map(f, [1, 2, 3])), [*map(f, [1, 0])])
m = map(f, [1, 5, 6])
try:
    list(m)
except KeyError as e:
    print(e)
print(list(m))
m = map(lambda x: x + next(m, 0), [1, 2, 3])
print(",".join(map(lambda x: str(x), [1, 2])), set(map(lambda x: x % 2, range(5))))
# %% itertools over generators
import itertools as it
def gen(n, name=""):
    for i in range(n):
        print(f"<{name}{i}", end=" ")
        yield i
print(list(it.islice(gen(9), 2)), list(it.islice(gen(9), 1, 6, 2)), list(it.islice(gen(3), 5, 7)), list(it.islice(gen(4), 2, None)), list(it.islice(gen(9), 4, 2)))
g = gen(9)
print(next(it.islice(g, 2, 3)), next(g), list(it.islice(g, 0)), next(g))
print(list(it.takewhile(lambda x: x < 2, gen(5))), list(it.dropwhile(lambda x: x < 2, gen(4))), list(it.filterfalse(lambda x: x % 2, gen(4))), list(it.filterfalse(None, gen(2))))
print(list(it.chain(gen(2, "a"), [7], gen(1, "b"))), list(it.chain.from_iterable(gen(2, c) for c in "xy")), list(it.starmap(lambda a, b: a + b, zip(gen(2), gen(2)))))
print(list(it.accumulate(gen(4))), list(it.accumulate(gen(3), lambda a, b: a * 10 + b)), list(it.accumulate(gen(3), initial=5)), list(it.accumulate(gen(0))), list(it.accumulate(gen(0), initial=1)))
print(list(it.pairwise(gen(4))), list(it.pairwise(gen(1))), list(it.zip_longest(gen(3), "ab", fillvalue="-")), list(it.zip_longest(gen(1), gen(2))))
print(list(it.compress(gen(4), [1, 0, 1])), [x for x, _ in zip(it.cycle(gen(2)), range(5))], list(it.cycle(gen(0))))
for x in it.chain(gen(2), gen(1)):
    print(x, end=" ")
a = it.islice(gen(5), 3)
print(type(a).__name__, type(it.chain(gen(1))) is it.chain, next(a), list(a), next(a, "end"))
def bad():
    yield 1
    raise ValueError("bad")
for make in (lambda: it.islice(bad(), 3), lambda: it.chain(bad(), [2]), lambda: it.accumulate(bad()), lambda: it.takewhile(bool, bad())):
    try:
        print(list(make()))
    except ValueError as e:
        print(e)
print([[*g] for g in [it.islice(s, 2) for s in [gen(5)] * 3]], list(it.product(gen(2), repeat=2)), [(k, list(v)) for k, v in it.groupby(gen(4), lambda x: x // 2)])
# %% aliases of modules beside others in one line
import json, re as rx
print(rx.sub("a*", "-", "baac"), rx.split("x*", "axb"), bool(rx.search("a$", "a\n")), json.dumps({"a": 1}))
