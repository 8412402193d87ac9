# %% Counter most_common and missing keys
from collections import Counter
words = "the cat and the hat and the bat".split()
c = Counter(words)
print(c)
print(c.most_common(2), c.most_common()[-1], c.most_common(0))
print(c["dog"], "dog" in c, len(c), sum(c.values()), c.total())
for w, n in sorted(c.items(), key=lambda kv: (-kv[1], kv[0])):
    print(f"{w:<4}{'#' * n}")
Counter("mississippi").most_common(1)[0][0]
# %% Counter arithmetic
from collections import Counter
a, b = Counter(x=3, y=1), Counter(x=1, y=2, z=5)
print(a + b, a - b, a & b, a | b)
print(+Counter(p=2, q=-1, r=0), -Counter(p=2, q=-1))
print(a == Counter("xxxy"), a <= a + b, a > b, Counter(a=0) == Counter())
a += Counter("yy")
print(a)
try:
    a - {"x": 1}
except (TypeError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% Counter update, subtract and elements
from collections import Counter
stock = Counter({"bolt": 5, "nut": 2})
stock.update(["nut", "gear"])
stock.update({"bolt": 10}, washer=1)
print(stock)
stock.subtract({"bolt": 20, "nut": 1})
print(stock, [k for k, v in stock.items() if v < 0])
print(sorted(stock.elements()), list(Counter(b=2, a=1).elements()))
stock["new"] += 1
print(dict(stock))
try:
    Counter.fromkeys("ab")
except NotImplementedError as e:
    print(type(e).__name__, e)
try:
    print(Counter(3))
except TypeError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% Counter for anagram and multiset checks
from collections import Counter
def can_build(note: str, letters: str) -> bool:
    return not Counter(note.replace(" ", "")) - Counter(letters)

print(can_build("hello", "ollehx"), can_build("hello", "helo"))
print(Counter("listen") == Counter("silent"))
votes = [("ann", 3), ("bob", 1), ("ann", 2)]
tally = Counter()
for who, n in votes:
    tally[who] += n
print(tally, max(tally, key=tally.get))
print(Counter(len(w) for w in "a bb cc ddd".split()), Counter(map(type, [1, "a", 2.0, 3])).most_common(1))
sum((Counter(s) for s in ("ab", "bc", "cd")), Counter())
# %% defaultdict of list, int, set and lambda
from collections import defaultdict
dl, di, ds, dx = defaultdict(list), defaultdict(int), defaultdict(set), defaultdict(lambda: "n/a")
for i, ch in enumerate("abcab"):
    dl[ch].append(i)
    di[ch] += 1
    ds[i % 2].add(ch)
print(dict(dl), dict(di), {k: sorted(v) for k, v in ds.items()})
print(dx["q"], dx.get("w"), dict(dx), len(dx))
print(dl, di)
print(defaultdict(None, a=1), dl.default_factory.__name__)
defaultdict(None)["missing"]
# %% nested defaultdict tree
from collections import defaultdict
import json
def tree():
    return defaultdict(tree)

t = tree()
t["animals"]["mammal"]["cat"] = "meow"
t["animals"]["bird"]["owl"] = "hoot"
t["plants"]
print(json.dumps(t))
table = defaultdict(lambda: defaultdict(int))
for region, prod, n in [("eu", "a", 3), ("us", "a", 1), ("eu", "b", 2), ("eu", "a", 4)]:
    table[region][prod] += n
print({r: dict(p) for r, p in table.items()})
print(table["asia"]["z"], sorted(table))
try:
    defaultdict(5)
except TypeError as e:
    print(e)
# %% dict subclass with __missing__
class Squares(dict):
    def __missing__(self, n):
        print("computing", n)
        self[n] = n * n
        return self[n]

sq = Squares({1: 1})
print(sq[4], sq[4], sq.get(9), 9 in sq, sq)
class Strict(dict):
    def __missing__(self, k):
        raise KeyError(f"unknown option {k!r}, try one of {sorted(self)}")
opts = Strict(a=1, b=2)
print(opts["a"], "{a}".format_map(opts))
try:
    print(opts["c"])
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% OrderedDict moves and equality
from collections import OrderedDict
od = OrderedDict.fromkeys("abcd", 0)
od.move_to_end("a")
od.move_to_end("d", last=False)
print(list(od), od)
print(od.popitem(), od.popitem(last=False), list(od))
x, y = OrderedDict([("p", 1), ("q", 2)]), OrderedDict([("q", 2), ("p", 1)])
print(x == y, x == dict(y), dict(x) == dict(y), list(reversed(x)))
print(x | {"z": 0}, OrderedDict())
try:
    od.move_to_end("zz")
except KeyError as e:
    print(type(e).__name__, e)
try:
    OrderedDict().popitem()
except KeyError as e:
    print(type(e).__name__, e)
# %% LRU cache class on OrderedDict
from collections import OrderedDict
class LRUCache:
    def __init__(self, capacity: int):
        self.capacity = capacity
        self._data: OrderedDict = OrderedDict()

    def get(self, key, default=None):
        if key not in self._data:
            return default
        self._data.move_to_end(key)
        return self._data[key]

    def put(self, key, value):
        self._data[key] = value
        self._data.move_to_end(key)
        while len(self._data) > self.capacity:
            evicted, _ = self._data.popitem(last=False)
            print("evict", evicted)

cache = LRUCache(2)
cache.put("a", 1); cache.put("b", 2)
print(cache.get("a"))
cache.put("c", 3)
print(cache.get("b", "gone"), list(cache._data.items()))
# %% ChainMap scopes
from collections import ChainMap
defaults = {"color": "red", "user": "guest"}
env, cli = {"user": "root"}, {"color": "blue"}
cm = ChainMap(cli, env, defaults)
print(cm["color"], cm["user"], dict(sorted(cm.items())), len(cm))
child = cm.new_child({"depth": 1})
child["color"] = "green"
print(child["color"], cm["color"], child.parents["color"], child.maps[0])
cm["user"] = "me"
print(cli, env, cm)
print(list(cm), "depth" in cm)
del cm["user"]
try:
    del cm["user"]
except KeyError as e:
    print(e)
cm["nope"]
# %% deque basics
from collections import deque
d = deque([1, 2, 3])
d.append(4)
d.appendleft(0)
d.extend([5, 6])
d.extendleft("ba")
print(d, len(d), d[0], d[-1], d[3])
print(d.pop(), d.popleft(), d.count(2), d.index(3), 5 in d)
d.remove("b")
d.insert(1, "ins")
d.reverse()
print(d, list(reversed(d)), d.copy() == d)
d.clear()
try:
    d.popleft()
except IndexError as e:
    print(e)
try:
    print(d[0])
except Exception as exc:
    print(f"{type(exc).__name__}: {exc}")
# %% deque rotate and maxlen
from collections import deque
d = deque("abcde")
d.rotate(2)
print("".join(d))
d.rotate(-3)
print("".join(d))
last3 = deque(maxlen=3)
for i in range(6):
    last3.append(i)
    print(list(last3), end=" ")
print()
last3.appendleft("L")
print(last3, last3.maxlen, deque([1, 2, 3], 2))
print(list(deque(enumerate("xyz"), maxlen=1)), deque([1]) + deque([2]), deque("ab") * 2)
def josephus(n, k):
    q = deque(range(1, n + 1))
    while len(q) > 1:
        q.rotate(-(k - 1))
        q.popleft()
    return q[0]
josephus(7, 3), josephus(41, 3)
# %% namedtuple features
from collections import namedtuple
Point = namedtuple("Point", "x y z", defaults=[0])
p = Point(1, 2)
print(p, p.x, p[1], p._fields, Point._field_defaults, len(p))
q = p._replace(z=9)
print(q, q._asdict(), Point._make("abc"), p == (1, 2, 0), p < q)
x, *yz = q
print(x, yz, hash(p) == hash((1, 2, 0)), isinstance(p, tuple), Point(**{"x": 5, "y": 6}))
print(max([p, q], key=lambda t: t.z), [*map(sum, [p, q])])
for f in (lambda: Point(1), lambda: p._replace(w=1), lambda: namedtuple("T", "a a")):
    try:
        f()
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
caught = None
try:
    p.x = 10
except AttributeError as err:
    caught = str(err)
caught
# %% namedtuple from csv rows
from collections import namedtuple
raw = """name,dept,salary
Ann,eng,120
Bob,ops,95
Cyd,eng,110"""
header, *body = raw.splitlines()
Emp = namedtuple("Emp", header.split(","))
staff = [Emp(*line.split(","))._replace(salary=int(line.rsplit(",", 1)[1])) for line in body]
print(sorted(staff, key=lambda e: -e.salary)[0])
print({e.dept: sum(o.salary for o in staff if o.dept == e.dept) for e in staff})
class Emp2(namedtuple("Emp2", "name salary")):
    __slots__ = ()
    @property
    def monthly(self):
        return round(self.salary / 12, 2)
    def __str__(self):
        return f"{self.name}: {self.monthly}/mo"
e = Emp2("Dee", 100)
print(e, repr(e), f"{e!s:>20}")
staff[1]._asdict()
# %% set operators and methods
a, b = {1, 2, 3, 4}, {3, 4, 5}
print(sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b))
print(a.isdisjoint({9}), {3} <= a, a > {1}, a.issuperset(b), {1, 2} < {1, 2}, a >= a)
print(sorted(a.union([7], (8,))), sorted(a.intersection(range(2, 9), b)), sorted(a.difference([1], [2])))
try:
    a | [1]
except TypeError as e:
    print(e)
try:
    {[1, 2]}
except TypeError as e:
    print(e)
empty = set()
print(empty, {}, len({1, 1.0, True, "1"}), {x % 3 for x in range(9)} == {0, 1, 2})
sorted({"b", "a"} | set("cab")), set([1]) == frozenset([1])
# %% set *_update methods
s = {1, 2, 3}
s.update([3, 4], (5,))
print(sorted(s))
s.intersection_update({2, 3, 4, 9})
print(sorted(s))
s.difference_update([4], [99])
print(sorted(s))
s.symmetric_difference_update({3, 10})
print(sorted(s))
s |= {7}; s &= {7, 10, 2}; s -= {2}; s ^= {0}
print(sorted(s), s.add(1), s.discard(404))
t = s.copy()
t.clear()
print(len(s), t)
s.remove(404)
# %% frozenset as dict key and set element
edges = {frozenset({"a", "b"}): 5, frozenset("bc"): 2}
print(edges[frozenset(("b", "a"))], frozenset(["c", "b"]) in edges)
pairs = {frozenset(p) for p in [("x", "y"), ("y", "x"), ("z", "x")]}
print(sorted("".join(sorted(p)) for p in pairs))
f = frozenset([1, 2])
print(f | {3} == frozenset({1, 2, 3}), type(f | {3}).__name__, type({3} | f).__name__, frozenset(), f.union([9]) >= f)
print(sorted(map(sorted, {frozenset({1, 2}), frozenset({2, 1}), frozenset({3})})))
try:
    {set(): 1}
except TypeError as e:
    print(e)
try:
    print(f.add(3))
except AttributeError as e:
    print(type(e).__name__, "->", e.args)
# %% dict merging with | and |=
base = {"host": "x", "port": 1}
over = {"port": 2, "tls": True}
print(base | over, over | base, {**base, **over, "last": 0})
base |= over
base |= [("k", "v")]
print(base, base == over | base)
d = dict(base, port=3)
d.update(a=1)
d.update([["b", 2]], c=3)
print(d, dict(zip("ab", [1, 2])), dict([(1, 2)], x=3))
try:
    {} | [("a", 1)]
except TypeError as e:
    print(e)
try:
    dict(a=1) | None
except (TypeError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% setdefault, popitem, fromkeys, get
index = {}
for word in "apple ant bee ace bob".split():
    index.setdefault(word[0], []).append(word)
print(index)
print(index.setdefault("a", "ignored"), index.setdefault("z"), index)
shared = dict.fromkeys("ab", [])
shared["a"].append(1)
print(shared, dict.fromkeys(range(3)), index.get("q"), index.get("q", {}).get("deep", 0))
print(index.popitem(), list(index), index.pop("a", None))
while index:
    print(index.popitem())
index.popitem()
# %% dict inversion and comprehension tricks
codes = {"a": 1, "b": 2, "c": 1}
print({v: k for k, v in codes.items()})
inv = {}
for k, v in codes.items():
    inv.setdefault(v, []).append(k)
print(inv, {v: sorted(k for k in codes if codes[k] == v) for v in set(codes.values())})
print({k: v for k, v in sorted(codes.items(), key=lambda kv: (-kv[1], kv[0])) if k != "c"})
matrix = {(r, c): r * c for r in range(3) for c in range(r)}
print(matrix, {i: {j: i + j for j in range(2)} for i in range(2)})
(lambda **kw: {k.upper(): v for k, v in kw.items()})(x=1, y=2)
# %% sorting dicts by value, key and nested field
scores = {"ann": 88, "bob": 95, "cat": 88}
print(dict(sorted(scores.items())), dict(sorted(scores.items(), key=lambda kv: kv[1], reverse=True)))
print(sorted(scores, key=scores.get), sorted(scores.items(), key=lambda kv: (-kv[1], kv[0]))[:2])
people = {"p1": {"age": 40, "n": "z"}, "p2": {"age": 22, "n": "a"}}
print([k for k, _ in sorted(people.items(), key=lambda kv: kv[1]["age"])])
print(max(people.values(), key=lambda p: p["n"]), min(scores.items(), key=lambda kv: kv[::-1]))
ranked = {name: rank for rank, name in enumerate(sorted(scores, key=scores.get, reverse=True), 1)}
print(ranked, list(ranked.items())[0], list(scores)[-1])
try:
    print(sorted(people.values()))
except TypeError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% dict views behave like sets
a, b = {"x": 1, "y": 2}, {"y": 2, "z": 3}
print(sorted(a.keys() & b.keys()), sorted(a.keys() | b), sorted(a.keys() - b.keys()), sorted(a.items() & b.items()))
keys = a.keys()
a["w"] = 0
print(keys, list(keys), ("x", 1) in a.items(), 2 in a.values(), len(a.values()))
print(a.keys() == {"x", "y", "w"}, a == {"w": 0, "y": 2, "x": 1}, list(a.values()), [*a], list(reversed(a)))
print({"x": 1}.items() <= a.items(), keys.isdisjoint(["q"]))
try:
    print(a.keys()[0])
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% heapq as priority queue
import heapq
heap = []
for prio, task in [(3, "write"), (1, "plan"), (2, "code"), (1, "meet")]:
    heapq.heappush(heap, (prio, task))
print(heap[0], len(heap))
print([heapq.heappop(heap)[1] for _ in range(len(heap))])
nums = [9, 4, 7, 1, 8]
heapq.heapify(nums)
print(nums, heapq.heappushpop(nums, 0), heapq.heapreplace(nums, 10), nums)
print(heapq.nlargest(2, [5, 1, 9, 3]), heapq.nsmallest(2, ["ccc", "a", "bb"], key=len))
print(list(heapq.merge([1, 4, 9], [2, 3], reverse=False)), [-heapq.heappop(h) for h in [[-5, -1, -3]]])
heapq.heappop([])
# %% dijkstra with heapq
import heapq
def dijkstra(graph: dict, src: str) -> dict:
    dist = {src: 0}
    pq = [(0, src, (src,))]
    paths = {}
    while pq:
        d, u, path = heapq.heappop(pq)
        if u in paths:
            continue
        paths[u] = path
        for v, w in graph.get(u, {}).items():
            nd = d + w
            if nd < dist.get(v, float("inf")):
                dist[v] = nd
                heapq.heappush(pq, (nd, v, path + (v,)))
    return {v: (dist[v], "->".join(paths[v])) for v in sorted(paths)}

g = {"A": {"B": 4, "C": 1}, "C": {"B": 2, "D": 7}, "B": {"D": 1}}
for node, (cost, path) in dijkstra(g, "A").items():
    print(f"{node}: {cost:>2} via {path}")
dijkstra(g, "D")
# %% bisect for grades and sorted inserts
import bisect
grade = lambda score, cuts=(60, 70, 80, 90), letters="FDCBA": letters[bisect.bisect(cuts, score)]
print([grade(s) for s in (33, 60, 77, 89.9, 90, 100)])
xs = [1, 3, 3, 5]
print(bisect.bisect_left(xs, 3), bisect.bisect_right(xs, 3), bisect.bisect_left(xs, 4), bisect.bisect(xs, 0))
for v in (4, 0, 9):
    bisect.insort(xs, v)
print(xs)
def contains(seq, v):
    i = bisect.bisect_left(seq, v)
    return i < len(seq) and seq[i] == v
print(contains(xs, 5), contains(xs, 6))
rows = [("a", 1), ("b", 5), ("c", 9)]
bisect.bisect_left(rows, 5, key=lambda r: r[1]), bisect.bisect(xs, 3, 0, 2)
# %% itertools.groupby with and without sorting
from itertools import groupby
data = [("eng", "ann"), ("ops", "bob"), ("eng", "cy"), ("eng", "dee")]
print([(k, [n for _, n in g]) for k, g in groupby(data, key=lambda r: r[0])])
print({k: sorted(n for _, n in g) for k, g in groupby(sorted(data), key=lambda r: r[0])})
print([(k, len(list(g))) for k, g in groupby("aaabccd")], [k for k, _ in groupby([1, 1, 2, 1])])
print({k: list(g) for k, g in groupby(range(10), lambda n: n // 4)})
words = sorted(["kiwi", "fig", "plum", "pea"], key=len)
for size, grp in groupby(words, key=len):
    print(size, *grp)
groups = [(k, g) for k, g in groupby("aab")]
[(k, list(g)) for k, g in groups]
# %% product, permutations, combinations
from itertools import product, permutations, combinations, combinations_with_replacement as cwr
print(list(product("ab", [1, 2])), ["".join(p) for p in product("01", repeat=2)])
print(list(permutations([1, 2, 3], 2)), len(list(permutations("abcd"))))
print(["".join(c) for c in combinations("ABCD", 2)], list(cwr("xy", 2)))
print([c for r in range(4) for c in combinations((1, 2, 3), r)], list(combinations("ab", 5)), list(product()))
print([p for p in combinations([2, 3, 5, 7, 10], 3) if sum(p) == 15])
dice = [a + b for a, b in product(range(1, 7), repeat=2)]
print(max(set(dice), key=dice.count), dice.count(7), sum(1 for d in dice if d >= 10))
next(permutations([]))
# %% accumulate and pairwise
from itertools import accumulate, pairwise
import operator
print(list(accumulate([1, 2, 3, 4])), list(accumulate([1, 2, 3, 4], operator.mul)), list(accumulate([], initial=0)))
print(list(accumulate([3, 1, 4, 1, 5], max)), list(accumulate("abc")), list(accumulate([10, -3], initial=100)))
print(list(pairwise([1, 4, 9, 16])), [b - a for a, b in pairwise([1, 4, 9, 16])], list(pairwise("a")))
print(all(a <= b for a, b in pairwise([1, 2, 2, 5])), list(accumulate([0.05] * 3, lambda bal, r: bal * (1 + r), initial=100)))
try:
    list(accumulate(["a", 1]))
except TypeError as e:
    print(type(e).__name__, e)
# %% chunks without itertools.batched
from itertools import islice, zip_longest, chain
def batched(it, n):
    it = iter(it)
    return iter(lambda: tuple(islice(it, n)), ())

print(list(batched("abcdefg", 3)))
grouper = lambda xs, n, fill=None: list(zip_longest(*[iter(xs)] * n, fillvalue=fill))
print(grouper([1, 2, 3, 4, 5], 2, 0))
xs = list(range(1, 8))
print([xs[i:i + 3] for i in range(0, len(xs), 3)], [xs[i::3] for i in range(3)])
split = lambda xs, k: [xs[len(xs) * i // k:len(xs) * (i + 1) // k] for i in range(k)]
print(split(xs, 3), split("ab", 3))
sum(map(sum, batched(xs, 2))), list(chain(*batched("xyz", 2)))
# %% starmap, tee, compress, filterfalse
from itertools import starmap, tee, compress, filterfalse, repeat
import math
print(list(starmap(pow, [(2, 5), (3, 2)])), list(starmap(lambda a, b: f"{a}:{b}", {"x": 1}.items())))
print([round(d, 3) for d in starmap(math.dist, [((0, 0), (3, 4)), ((1, 1), (2, 2))])])
a, b = tee(iter([1, 2, 3]))
print(next(a), next(a), list(b), list(a))
print(list(compress("ABCDEF", [1, 0, 1, 0, 1])), list(filterfalse(str.isdigit, "a1b2")), list(map(pow, [1, 2, 3], repeat(2))))
try:
    print(list(starmap(divmod, [(7, 2), (1, 0)])))
except Exception as exc:
    print(f"{type(exc).__name__}: {exc}")
# %% chain and chain.from_iterable
from itertools import chain
print(list(chain("ab", [1], (x for x in (2, 3)), {})))
nested = [[1, 2], (3,), "xy", {"k": 0}]
flat = list(chain.from_iterable(nested))
print(flat, sum(map(len, nested)) == len(flat))
docs = {"a.txt": "x y", "b.txt": "y z w"}
vocab = sorted(set(chain.from_iterable(t.split() for t in docs.values())))
print(vocab, [[t.split().count(v) for v in vocab] for t in docs.values()])
lazy = chain.from_iterable([i] * i for i in range(1, 4))
print(next(lazy), next(lazy), list(lazy))
list(chain([1], 2))
# %% collections.abc isinstance checks
from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence, Callable, Hashable, Sized, Set, Generator
samples = {"list": [], "tuple": (), "str": "", "dict": {}, "set": set(), "gen": (i for i in ()), "int": 3, "range": range(2), "fn": len}
kinds = [Iterable, Iterator, Sequence, MutableSequence, Mapping, Set, Sized, Hashable, Callable, Generator]
for name, obj in samples.items():
    print(f"{name:<6}", ", ".join(k.__name__ for k in kinds if isinstance(obj, k)))
class Bag:
    def __len__(self): return 0
    def __iter__(self): return iter(())
    def __contains__(self, x): return False
print(isinstance(Bag(), Sized), isinstance(Bag(), Iterable), issubclass(Bag, Sequence), issubclass(dict, Mapping))
is_listlike = lambda o: isinstance(o, Iterable) and not isinstance(o, (str, bytes))
[is_listlike(o) for o in ("s", [1], 5, b"b", {1})]
# %- custom Mapping and Sequence via abc mixins
from collections.abc import MutableMapping, Sequence
class CIDict(MutableMapping):
    def __init__(self, **kw): self._d = {}; self.update(kw)
    def __getitem__(self, k): return self._d[k.lower()]
    def __setitem__(self, k, v): self._d[k.lower()] = v
    def __delitem__(self, k): del self._d[k.lower()]
    def __iter__(self): return iter(self._d)
    def __len__(self): return len(self._d)

class Evens(Sequence):
    def __len__(self): return 5
    def __getitem__(self, i):
        if not -5 <= i < 5: raise IndexError(i)
        return (i % 5) * 2

h = CIDict(Host="x", PORT=1)
print(h["HOST"], "port" in h, h.get("nope", 0), dict(h), h.pop("Host"), h.setdefault("TTL", 9), list(h.items()))
e = Evens()
print(list(e), 6 in e, e.index(4), e.count(8), list(reversed(e)), e[-1])
class Half(Sequence):
    def __len__(self): return 0
caught = None
try:
    Half()
except TypeError as err:
    caught = str(err)
caught
# %- UserDict, UserList and __missing__ style defaults
from collections import UserDict, UserList
class Upper(UserDict):
    def __setitem__(self, k, v):
        super().__setitem__(k.upper(), v)

u = Upper(a=1)
u.update({"b": 2})
u["c"] = 3
print(u, u.data, "A" in u, "a" in u, len(u), isinstance(u, dict))
class Stack(UserList):
    push = UserList.append
    peek = property(lambda self: self.data[-1] if self.data else None)
s = Stack([1, 2])
s.push(3)
print(s, s.peek, s.pop(), s[0:1], s + [9], len(s), Stack().peek, s == [1, 2])
try:
    print(u["a"])
except LookupError as e:
    print(type(e).__name__, "->", e.args)
# %% graph traversal with deque
from collections import deque, defaultdict
edges = [(1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (6, 7)]
adj = defaultdict(set)
for a, b in edges:
    adj[a].add(b)
    adj[b].add(a)
def shortest(src, dst):
    queue, parent = deque([src]), {src: None}
    while queue:
        node = queue.popleft()
        if node == dst:
            path = []
            while node is not None:
                path.append(node)
                node = parent[node]
            return path[::-1]
        for nb in sorted(adj[node] - parent.keys()):
            parent[nb] = node
            queue.append(nb)
    raise LookupError(f"no path {src} -> {dst}")
print(shortest(1, 5), shortest(7, 6), shortest(3, 3))
shortest(1, 7)
# %% topological sort with counters
from collections import Counter, defaultdict, deque
deps = {"app": ["db", "web"], "web": ["net"], "db": ["net", "disk"], "net": [], "disk": []}
def topo(deps):
    indeg = Counter({k: len(v) for k, v in deps.items()})
    users = defaultdict(list)
    for k, vs in deps.items():
        for v in vs:
            users[v].append(k)
    ready = deque(sorted(k for k in deps if indeg[k] == 0))
    order = []
    while ready:
        order.append(n := ready.popleft())
        for u in sorted(users[n]):
            indeg[u] -= 1
            if not indeg[u]:
                ready.append(u)
    if len(order) != len(deps):
        raise ValueError(f"cycle among {sorted(deps.keys() - set(order))}")
    return order
print(topo(deps))
try:
    topo({"a": ["b"], "b": ["a"], "c": []})
except (ValueError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% grouping records into nested report
from collections import defaultdict
sales = [("Q1", "east", 10), ("Q1", "west", 7), ("Q2", "east", 4), ("Q2", "east", 6), ("Q1", "east", 1)]
report = defaultdict(lambda: defaultdict(list))
for q, region, amt in sales:
    report[q][region].append(amt)
for q in sorted(report):
    print(q)
    for region, amts in sorted(report[q].items()):
        print(f"  {region:<6} n={len(amts)} sum={sum(amts):>3} avg={sum(amts) / len(amts):.2f}")
pivot = {q: {r: sum(v) for r, v in regs.items()} for q, regs in report.items()}
print(pivot)
best = max(((q, r, t) for q, m in pivot.items() for r, t in m.items()), key=lambda x: x[-1])
best
# %% list methods and copies
import copy
xs = [3, 1, 2]
print(xs.sort(), xs, sorted(xs, reverse=True), xs.index(2), xs + [4] * 2, xs.insert(1, "i"), xs)
xs.extend("ab"); xs.reverse()
print(xs, xs[::2], xs[-2:], xs.count("a"), xs[10:])
a = [[0] * 2] * 2
b = [[0] * 2 for _ in range(2)]
a[0][0] = b[0][0] = 1
print(a, b)
shallow, deep = b[:], copy.deepcopy(b)
b[1].append("x")
print(shallow, deep, b is not shallow, shallow[1] is b[1])
b[0:1] = [7, 8, 9]
b[::2] = ["e", "o"]
print(b, [1, 2] < [1, 3], [1] * 0, [*range(3), *"z"])
try:
    b[::2] = [1]
except ValueError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% tuple unpacking, swapping and comparison
a, (b, *c), d = 1, (2, 3, 4), 5
print(a, b, c, d)
a, d = d, a
first, *_, last = "unpack"
print(a, d, first, last, (1,) + (2,) * 2, (1, 2) < (1, 2, 0), max((1, "b"), (1, "a")))
t = (1, [2])
try:
    t[1] += [3]
except TypeError as e:
    print(e, t)
for i, (k, (x, y)) in enumerate({"p": (1, 2), "q": (3, 4)}.items()):
    print(i, k, x * y)
pts = sorted([(2, "b"), (1, "z"), (2, "a")], key=lambda p: (-p[0], p[1]))
print(pts, tuple(zip(*pts)), (3, 4).index(4), hash((1, 2)) == hash((1, 2)))
# %% what an ordered dictionary does as a dictionary
from collections import OrderedDict
o = OrderedDict([("b", 1), ("a", 2)])
print(o == {"a": 2, "b": 1}, o == OrderedDict(a=2, b=1), o != OrderedDict(b=1, a=2), {"a": 2, "b": 1} == o)
print(list(reversed(o)), list(o.keys()), dict(o), [*o], "a" in o, len(o), bool(OrderedDict()))
print(o.pop("zz", default=5), o.pop("zz", 6), o.setdefault("k", default=7), o.setdefault("k"), o)
for last in (True, False):
    o.move_to_end("a", last=last)
    print(list(o))
print(o | {"n": 1}, {"n": 1} | o, o.copy() == o, type(o.copy()).__name__, type({} | o).__name__)
o |= {"b": 9}
o.update([("y", 1)], x=2)
print(o, OrderedDict.fromkeys("ab", 1), hasattr(o, "move_to_end"), type(o))
print([o.popitem(last=i % 2 == 0) for i in range(4)], o)
for wrong in (lambda: o.move_to_end("zz"), lambda: OrderedDict().popitem(), lambda: o.pop("zz"), lambda: o["zz"]):
    try:
        wrong()
    except KeyError as e:
        print(type(e).__name__, e)
import copy
deep = copy.deepcopy(OrderedDict(a=[1]))
print(dict(deep), type(deep).__name__, deep["a"])
# %% a queue of an ordered dictionary
from collections import OrderedDict
q = OrderedDict((i, str(i)) for i in range(5000))
total = 0
while q:
    k, v = q.popitem(last=False)
    total += k
    if k % 3 == 0 and k < 4000: q[k + 10000] = v
print(total)
