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
