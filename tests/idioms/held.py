# %% classes that inherit from builtin types
import json
from collections import Counter, defaultdict, namedtuple, OrderedDict
class Config(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.changes = 0
    def __setitem__(self, key, value):
        self.changes += 1
        super().__setitem__(key, value)
    def dotted(self, path):
        value = self
        for part in path.split('.'):
            value = value[part]
        return value
c = Config(a=1, b={'c': 2})
c['x'] = 5
print(c, c.changes, c['a'], c.get('q', 'none'), len(c), 'a' in c, list(c), c.dotted('b.c'), isinstance(c, dict), json.dumps(c))
for k, v in c.items():
    print(k, v)
print({**c, 'y': 1}, dict(c), sorted(c), c == {'a': 1, 'b': {'c': 2}, 'x': 5}, {'a': 1} == Config(a=1), c.pop('x'), c.setdefault('z', 9), bool(Config()), bool(c))
del c['z']
try:
    c['nothing']
except KeyError as e:
    print('KeyError', e)
def f(**kw):
    return sorted(kw)
print(f(**c), c.copy(), c.keys() == {'a', 'b'})
class Missing(dict):
    def __missing__(self, key):
        self[key] = key.upper()
        return self[key]
m = Missing()
print(m['a'], m, m.get('b'))
class AttrDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)
    def __setattr__(self, name, value):
        self[name] = value
a = AttrDict(x=1)
a.y = 2
print(a.x, a.y, a, hasattr(a, 'z'))
class Stack(list):
    def push(self, x):
        self.append(x)
    def peek(self):
        return self[-1]
    @property
    def size(self):
        return len(self)
s = Stack([1, 2])
s.push(3)
print(s, s.peek(), s.size, s.pop(), s[0], s[1:], list(s), len(s), 2 in s, sum(s), s + [9], [0] + s, isinstance(s, list), s == [1, 2], json.dumps({'s': s}))
s.extend([5, 4])
s.sort(reverse=True)
s += [0]
s[0] = 50
del s[1]
print(s, sorted(s), max(s), [x * 2 for x in s], s.index(2), s.count(0), reversed(s) is not None, *s)
a, *rest = s
print(a, rest, Stack('abc'), Stack(), type(s).__name__, s * 2)
class Unique(set):
    def add_all(self, *xs):
        for x in xs:
            self.add(x)
        return self
u = Unique([1, 2]).add_all(2, 3)
print(u, len(u), 3 in u, u | {9}, u & {1}, u - {1}, sorted(u), isinstance(u, set), u == {1, 2, 3})
class Bag(Counter):
    def top(self):
        return self.most_common(1)[0]
b = Bag('hello')
b['z'] += 2
print(b.top(), b['nope'], b['l'], sum(b.values()), b)
class Groups(defaultdict):
    pass
g = Groups(list)
g['a'].append(1)
print(g['a'], dict(g), g['q'], len(g))
class Point(namedtuple('Point', ['x', 'y'])):
    __slots__ = ()
    @property
    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5
    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)
    def __str__(self):
        return f'({self.x}, {self.y})'
p = Point(3, 4)
print(p, repr(p), p.norm, p + Point(1, 1), p[0], len(p), p == (3, 4), p == Point(3, 4), tuple(p), p._asdict(), p._replace(x=0), isinstance(p, tuple), hash(p) == hash((3, 4)), {p: 1}[Point(3, 4)])
x, y = p
print(x, y, sorted([Point(2, 1), Point(1, 5)]), p._fields, Point._make([7, 8]), Point(x=1, y=2), max(p))
class Od(OrderedDict):
    def first(self):
        return next(iter(self))
o = Od([('b', 1), ('a', 2)])
print(o.first(), list(o.items()))
class LRU(OrderedDict):
    def __init__(self, n):
        super().__init__()
        self.n = n
    def put(self, k, v):
        if k in self:
            self.move_to_end(k)
        self[k] = v
        if len(self) > self.n:
            self.popitem(last=False)
l = LRU(2)
for i in range(4):
    l.put(i, i * i)
print(list(l.items()))
class T(tuple):
    def first(self):
        return self[0]
t = T([1, 2, 3])
print(t, t.first(), t[1:], len(t), t == (1, 2, 3), t + (4,), isinstance(t, tuple), [*t])
# %% patterns over classes that inherit from builtin ones
from collections import Counter
class D(dict): pass
class L(list): pass
class C(Counter): pass
def m(x):
    match x:
        case {"a": v, **rest}: return ("map", v, rest)
        case [a, *more]: return ("seq", a, more)
        case dict(): return "dict"
        case list(): return "list"
print([m(x) for x in (D(a=1, b=2), L([1, 2]), C("aab"), D(), L(), Counter("a"))])
# %% classes that inherit from builtin ones, and those behind them
from collections import Counter, OrderedDict, defaultdict
class C(Counter): pass
class O(OrderedDict): pass
class F(defaultdict): pass
class D(dict): pass
for x in (C(), O(), F(int), D(), Counter(), OrderedDict()):
    print([isinstance(x, k) for k in (dict, Counter, OrderedDict, defaultdict, list, object)])
    print([issubclass(type(x), k) for k in (dict, Counter, OrderedDict, defaultdict, (int, dict), object)])
# %% where mappings are expected
import csv, io, json
from collections import OrderedDict
class D(dict):
    def __missing__(self, key): return f"<{key}>"
class Pair(tuple): pass
d = D(a=1)
print("%(a)s %(b)s" % d, "%s-%s" % Pair((1, 2)), "{a}".format(**d))
print({**d, **OrderedDict(z=1)}, (lambda **k: k)(**OrderedDict(q=2)), json.dumps([OrderedDict(b=1, a=OrderedDict(c=2))]))
s = io.StringIO()
w = csv.DictWriter(s, ["a"])
w.writeheader()
w.writerow(D(a=5))
w.writerow(OrderedDict(a=6))
print(s.getvalue().split())
# %% a cache that inherits from an ordered dictionary
from collections import OrderedDict
class LRU(OrderedDict):
    def __init__(self, most):
        super().__init__()
        self.most = most
    def __getitem__(self, key):
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self.most:
            self.popitem(last=False)
c = LRU(2)
for k in "abacbd":
    c[k] = k.upper()
    if "a" in c: c["a"]
print(list(c), len(c), c.get("z"), list(c.items()), isinstance(c, dict))
# %% copies and unions of classes that inherit from dicts
from collections import Counter, OrderedDict, defaultdict
import copy
class G(defaultdict): pass
class C(Counter): pass
class O(OrderedDict): pass
class D(dict): pass
g, c, o, d = G(list, {1: [2]}), C("aab"), O(a=1), D(a=1)
for x in (g, c, o, d):
    print(type(x).__name__, type(x.copy()).__name__, x.copy() == x, type(copy.copy(x)).__name__)
h = g.copy()
h[5].append(1)
print(h, g, h.default_factory is list)
for x, y in ((g, {2: [3]}), (c, c), (o, {"b": 2}), (d, {"b": 2})):
    print(type(x | y).__name__, list((x | y).items()), type(y | x).__name__, list((y | x).items()))
u = {3: [4]} | g
u[9].append(0)
print(u, type(c + c).__name__, type(c - c).__name__)
# %% copies of instances do not share what they hold
import copy
from collections import Counter, OrderedDict, defaultdict
class D(dict): pass
class L(list): pass
class S(set): pass
class C(Counter): pass
class O(OrderedDict): pass
class F(defaultdict): pass
for a, change in ((D(x=1), lambda b: b.update(y=2)), (L([1]), lambda b: b.append(2)), (S("a"), lambda b: b.add("b")), (O(x=1), lambda b: b.update(y=2))):
    a.note = [0]
    vars(a)
    for b in (copy.copy(a), copy.deepcopy(a)):
        change(b)
        b.note.append(1)
        print(len(a), len(b), a.note, type(b).__name__, b == a, sorted(vars(b)))
c = C("a")
b = copy.copy(c)
b.update("b")
print(c, b, copy.deepcopy(b))
f = F(list, x=[1])
g = copy.copy(f)
g["y"].append(2)
g["x"].append(3)
print(f, g, copy.deepcopy(g))
# %% attributes of instances that hold something
from collections import defaultdict
class D(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.hits = 0
d = D(a=1)
print(vars(d), d.__dict__, hasattr(d, "_value_"), d)
d.__dict__["hits"] = 5
d.more = 1
d["b"] = 2
print(d.hits, d, vars(d), len(d), dict(d))
class F(defaultdict): pass
f = F(int)
f["x"] += 1
f.default_factory = list
f["y"].append(1)
print(vars(f), f, f.default_factory)
class Attr(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.__dict__ = self
a = Attr(x=1)
a.y = 2
a["z"] = 3
print(a.x, a["y"], a.z, a, sorted(vars(a)), len(a))
del a.x
print(a, "x" in a)
# %% methods of a class that update, setdefault and missing keys call
from collections import Counter, OrderedDict, defaultdict
class LRU(OrderedDict):
    def __init__(self, cap):
        super().__init__()
        self.cap = cap
    def __setitem__(self, k, v):
        super().__setitem__(k, v)
        self.move_to_end(k)
        if len(self) > self.cap:
            self.popitem(last=False)
c = LRU(2)
c.update({"a": 1, "b": 2, "c": 3})
print(dict(c), len(c))
c.update([("d", 4), ("d", 5)], e=6)
print(dict(c), c.setdefault("f", 7), c.setdefault("f", 8), dict(c))
c |= {"g": 9}
print(dict(c), type(c).__name__)
class Pos(Counter):
    def __setitem__(self, k, v):
        super().__setitem__(k, max(0, v))
p = Pos("aab")
p.subtract("bbb")
print(p, p["z"])
p.update({"b": -5, "c": 2})
p.update("cc", a=-9)
print(p)
p += Counter(a=3, q=-1)
print(p)
p -= Counter(c=1)
print(p)
del p["none"]
class Logged(defaultdict):
    def __setitem__(self, k, v):
        print("set", k, v)
        super().__setitem__(k, v)
d = Logged(list)
d["b"].append(1)
d.update(x=[2])
print(d, d.setdefault("y", 3))
# %% methods of builtin types on instances
class D(dict):
    def __setitem__(self, k, v):
        dict.__setitem__(self, k, v * 2)
    def __getitem__(self, k):
        return dict.__getitem__(self, k) + 1
    def __init__(self, *a, **k):
        dict.__init__(self, *a, **k)
        self.n = 0
    def update(self, other):
        dict.update(self, other)
d = D(a=1)
d["b"] = 2
d.update({"c": 3})
print(d, d["a"], d["b"], d["c"], dict.get(d, "b"), dict.__len__(d), dict.__contains__(d, "a"), list(dict.items(d)))
class L(list):
    def append(self, x):
        list.append(self, x + 1)
    push = list.append
x = L([1])
x.append(2)
print(x, list.index(x, 3), list.__len__(x))
# %% text of classes that inherit from two
class M:
    def __str__(self): return "M"
    def __repr__(self): return "repr of M"
class D(dict, M): pass
class E(M, dict): pass
class L(list, M): pass
print(D(a=1), repr(D(a=1)), E(a=1), repr(E()), f"{L([1])}", f"{L([1])!r}", str(D()))
class P(list): pass
class Q(dict):
    def __repr__(self): return "Q!"
print(f"{P([1])}", str(P()), str(Q()), f"{Q()}", "%s" % Q(), f"{P([1])!s:>6}")
try:
    print(f"{P():>5}")
except TypeError as e:
    print(e)
# %% own sequences drawn from
import random, collections
Card = collections.namedtuple("Card", "rank suit")
class Deck:
    def __init__(self): self._cards = [Card(r, s) for s in "SH" for r in "23A"]
    def __len__(self): return len(self._cards)
    def __getitem__(self, at): return self._cards[at]
    def __setitem__(self, at, card): self._cards[at] = card
class Hand(list): pass
random.seed(5)
deck, hand = Deck(), Hand([1, 2, 3, 4])
print(random.choice(deck), random.choice(hand), random.sample(hand, 2))
random.shuffle(deck)
random.shuffle(hand)
print([c.rank + c.suit for c in deck], hand, type(hand).__name__)
from enum import StrEnum
class Color(StrEnum):
    RED = "r"
    BLUE = "b"
print(",".join(Color), "-".join([Color.RED, "x"]))
