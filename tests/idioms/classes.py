# %% point with repr, str and eq
class Point:
    def __init__(self, x, y=0):
        self.x = x
        self.y = y

    def __repr__(self):
        return f"Point({self.x!r}, {self.y!r})"

    def __str__(self):
        return f"<{self.x},{self.y}>"

    def __eq__(self, other):
        if not isinstance(other, Point):
            return NotImplemented
        return (self.x, self.y) == (other.x, other.y)

p = Point(1, 2)
print(p, repr(p), [p], f"{p}", f"{p!r:>14}|", "%s %r" % (p, p))
print(p == Point(1, 2), p != Point(1, 3), p == (1, 2), p in [Point(0), Point(1, 2)])
[Point(3), p].index(Point(1, 2)), {"k": p}

# %% hash and sets of objects
class Tag:
    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(len(self.name))

    def __eq__(self, other):
        return isinstance(other, Tag) and self.name.lower() == other.name.lower()

    def __repr__(self):
        return f"Tag({self.name})"

tags = [Tag("eu"), Tag("EU"), Tag("promo"), Tag("new")]
print(len(set(tags)), Tag("NEW") in set(tags))
counts = {}
for t in tags:
    counts[t] = counts.get(t, 0) + 1
print(len(counts), list(counts.values()))
try:
    counts[Tag("gone")]
except KeyError as e:
    print(type(e).__name__, e)

# %% eq without hash is unhashable
class Box:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

a, b = Box(1), Box(1)
print(a == b, a is b, a != b, Box.__hash__)
for attempt in (lambda: {a}, lambda: {a: 1}, lambda: hash(a), lambda: a == 5):
    try:
        attempt()
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
[a, b].count(Box(1)), [Box(2), a].remove(b)

# %% ordering with __lt__ only
class Task:
    def __init__(self, name, prio):
        self.name, self.prio = name, prio

    def __lt__(self, other):
        return self.prio < other.prio

    def __repr__(self):
        return self.name

tasks = [Task("mid", 5), Task("low", 9), Task("top", 1), Task("mid2", 5)]
print(sorted(tasks), sorted(tasks, reverse=True))
print(min(tasks), max(tasks), tasks[0] > tasks[2])
tasks.sort(key=lambda t: t.name)
print(tasks)
try:
    tasks[0] <= tasks[1]
except TypeError as e:
    print("TypeError:", e)
tasks.index(tasks[-1]), tasks.count(Task("mid", 5))

# %% heap of comparable objects
import heapq
from bisect import bisect_left, insort

class Event:
    def __init__(self, t, what):
        self.t = t
        self.what = what

    def __lt__(self, other):
        return (self.t, self.what) < (other.t, other.what)

    def __repr__(self):
        return f"{self.what}@{self.t}"

heap = []
for ev in (Event(5, "stop"), Event(1, "boot"), Event(3, "ping"), Event(1, "arm")):
    heapq.heappush(heap, ev)
print(heap[0], heapq.nsmallest(2, heap), heapq.nlargest(1, heap))
ordered = [heapq.heappop(heap) for _ in range(len(heap))]
insort(ordered, Event(2, "late"))
print(ordered, bisect_left(ordered, Event(3, "a")))
len(heap), [ev.t for ev in ordered]

# %% len and truthiness
class Basket:
    def __init__(self, *items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

empty, full = Basket(), Basket("a", "b")
print(len(empty), bool(empty), not full, "yes" if full else "no")
print([len(b) for b in filter(None, [empty, full, Basket(0)])])
print(any([empty, Basket()]), all([full, Basket(1)]), (empty or full).items, (full and empty).items)
while full:
    print("pop", full.items.pop())
try:
    iter(full)
except TypeError as e:
    print(e)

# %% bool method wins over len
class Flag:
    def __init__(self, on):
        self.on = on
        self.asked = 0

    def __bool__(self):
        self.asked += 1
        return self.on

    def __len__(self):
        return 10

f = Flag(False)
if f:
    print("on")
elif not f:
    print("off", f.asked)
assert len(f) == 10 and f.asked == 2
print([bool(x) for x in (Flag(True), f)], f.asked)
Flag.__bool__ = lambda self: "yes"
bool(f)

# %% container protocol
class Grid:
    def __init__(self, w, h, fill="."):
        self.cells = [[fill] * w for _ in range(h)]

    def __getitem__(self, pos):
        x, y = pos
        return self.cells[y][x]

    def __setitem__(self, pos, value):
        x, y = pos
        self.cells[y][x] = value

    def __contains__(self, value):
        return any(value in row for row in self.cells)

    def __str__(self):
        return "\n".join("".join(r) for r in self.cells)

g = Grid(4, 2)
g[1, 0] = "#"
g[-1, -1] = "@"
print(g, g[1, 0], "@" in g, "?" not in g, sep="\n")
try:
    g[9, 0] = "!"
except IndexError as e:
    print(type(e).__name__, e)

# %% sequence protocol through getitem only
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
try:
    print(sq[5], sq[6])
except IndexError as e:
    print(type(e).__name__, e)

# %% iterator class with next
class Countdown:
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        self.now = self.start
        return self

    def __next__(self):
        if self.now <= 0:
            raise StopIteration
        self.now -= 1
        return self.now + 1

c = Countdown(3)
print(list(c), list(c), [x * y for x in Countdown(2) for y in Countdown(2)])
it = iter(c)
print(next(it), next(it), next(it), next(it, "done"))
for i, v in enumerate(Countdown(2)):
    print(i, v)
try:
    next(it)
except StopIteration as e:
    print("exhausted", e.args, e.value)

# %% generator based iter and reversed
class Playlist:
    def __init__(self, *songs):
        self._songs = songs

    def __iter__(self):
        yield from self._songs

    def __reversed__(self):
        return iter(self._songs[::-1])

    def __len__(self):
        return len(self._songs)

pl = Playlist("intro", "sea", "outro")
print(list(pl), list(reversed(pl)), sorted(pl, key=len), " / ".join(pl))
print({s: i for i, s in enumerate(pl)}, *pl, "sea" in pl)
first, *_, last = pl
first, last, len(pl)

# %% callable objects as counters and decorators
class CountCalls:
    def __init__(self, fn):
        self.fn = fn
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.fn(*args, **kwargs)

@CountCalls
def area(w, h=1):
    return w * h

print(area(3), area(2, h=5), area.calls, callable(area), callable(area.calls))
print(list(map(area, [1, 2, 3])), area.calls)
sorted([3, 1], key=CountCalls(lambda v: -v))

# %% context manager protocol
class Timer:
    log = []

    def __init__(self, name, swallow=()):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        self.log.append(f"+{self.name}")
        return self

    def __exit__(self, exc_type, exc, tb):
        what = exc_type.__name__ if exc_type else "ok"
        self.log.append(f"-{self.name}:{what}:{exc}")
        return exc_type is not None and issubclass(exc_type, self.swallow)

with Timer("a") as t, Timer("b", (ZeroDivisionError,)):
    print(t.name, 1 // 0)
with Timer("c", (LookupError,)):
    [].pop()
print(Timer.log)
try:
    with Timer("d"):
        int("d")
except ValueError as e:
    print(type(e).__name__, e)
Timer.log[-1]

# %% vector arithmetic
class Vec:
    def __init__(self, *c):
        self.c = c

    def __add__(self, o): return Vec(*(a + b for a, b in zip(self.c, o.c)))
    def __sub__(self, o): return self + -o
    def __neg__(self): return Vec(*(-a for a in self.c))
    def __mul__(self, k): return Vec(*(a * k for a in self.c))
    __rmul__ = __mul__
    def __matmul__(self, o): return sum(a * b for a, b in zip(self.c, o.c))
    def __abs__(self): return (self @ self) ** 0.5
    def __pos__(self): return Vec(*map(abs, self.c))
    def __repr__(self): return f"Vec{self.c}"

u, v = Vec(3, 4), Vec(-1, 2)
print(u + v, u - v, -u, u * 2, 0.5 * u, u @ v, abs(u), +v)
w = u
w += v
print(w, u, w is u)
try:
    u + 1
except AttributeError as e:
    print(type(e).__name__, e)

# %% radd, sum and NotImplemented
class Money:
    def __init__(self, cents):
        self.cents = cents

    def __add__(self, other):
        if isinstance(other, Money):
            return Money(self.cents + other.cents)
        if isinstance(other, int):
            return Money(self.cents + other * 100)
        return NotImplemented

    __radd__ = __add__

    def __repr__(self):
        return f"{self.cents // 100}.{self.cents % 100:02d}"

wallet = [Money(1990), Money(505), Money(8)]
print(sum(wallet), sum(wallet, Money(1)), 3 + Money(5), Money(5) + 3)
try:
    Money(1) + "1"
except TypeError as e:
    print(e)
try:
    "1" + Money(1)
except TypeError as e:
    print(type(e).__name__, e)

# %% in place operators mutate
class Bag:
    def __init__(self, items=()):
        self.items = dict(items)

    def __iadd__(self, item):
        self.items[item] = self.items.get(item, 0) + 1
        return self

    def __isub__(self, item):
        if self.items.get(item, 0) <= 1:
            self.items.pop(item)
        else:
            self.items[item] -= 1
        return self

bag = alias = Bag()
bag += "lamp"
bag += "tea"
bag += "lamp"
print(bag.items, alias is bag)
bag -= "tea"
print(alias.items)
try:
    bag -= "tea"
except KeyError as e:
    print(type(e).__name__, e)

# %% getattr fallback
class Config:
    def __init__(self, **values):
        self._values = values

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"no setting {name!r}") from None

cfg = Config(host="192.0.2.1", port=80)
cfg.extra = True
print(cfg.host, cfg.port + 1, cfg.extra, getattr(cfg, "user", "nobody"), hasattr(cfg, "host"), hasattr(cfg, "x"))
print(vars(cfg))
try:
    cfg.tiemout
except AttributeError as e:
    print(type(e).__name__, e)

# %% format, int, float and index conversions
class Celsius:
    def __init__(self, deg):
        self.deg = deg

    def __format__(self, spec):
        if spec == "F":
            return f"{self.deg * 9 / 5 + 32:.1f}°F"
        return format(self.deg, spec or ".1f") + "°C"

    def __int__(self): return int(self.deg)
    def __float__(self): return float(self.deg)
    def __index__(self): return round(self.deg)
    def __round__(self, n=0): return Celsius(round(self.deg, n))

t = Celsius(21.456)
print(f"{t} {t:F} {t:08.2f} {t:>6}", format(t), "{:F}".format(t))
print(int(t), float(t), round(t, 1).deg, list("abc" * 8)[t], range(t)[-1], hex(t), bin(t))
try:
    f"{t:Q}"
except ValueError as e:
    print(type(e).__name__, e)

# %% del, missing and setdefault on a dict-like class
class Registry:
    def __init__(self):
        self._d = {}

    def __setitem__(self, k, v): self._d[k.lower()] = v
    def __delitem__(self, k): del self._d[k.lower()]
    def __contains__(self, k): return k.lower() in self._d
    def __getitem__(self, k):
        return self._d[k.lower()] if k in self else self.__missing__(k)
    def __missing__(self, k): return f"<{k}?>"

r = Registry()
r["Host"] = "north"
r["PORT"] = 22
print(r["host"], r["nope"], "port" in r)
del r["port"]
print("port" in r, vars(r))
r.__missing__("a"), list(r._d), "HOST" in r, None or r["x"]

# %% class attributes versus instance attributes
class Counter:
    total = 0
    names = []

    def __init__(self, name):
        self.name = name
        Counter.total += 1
        self.names.append(name)

    def bump(self):
        self.total += 10
        return self.total

a, b = Counter("a"), Counter("b")
print(a.total, a.bump(), b.total, Counter.total, a.names is Counter.names, b.names)
print(vars(a), b.__dict__)
del a.total
print(a.total)
try:
    del a.total
except AttributeError as e:
    print(type(e).__name__, e)
vars(a)

# %% linked list with iteration and reverse
class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next

class LinkedList:
    def __init__(self, values=()):
        self.head = None
        for v in reversed(list(values)):
            self.head = Node(v, self.head)

    def __iter__(self):
        node = self.head
        while node:
            yield node.value
            node = node.next

    def reverse(self):
        prev, node = None, self.head
        while node:
            node.next, prev, node = prev, node, node.next
        self.head = prev

ll = LinkedList("abcd")
ll.reverse()
print("->".join(ll), list(LinkedList()), "c" in ll)
LinkedList([0]).head.next is None, sum(LinkedList(range(5)))

# %% stack and queue with errors
class Stack:
    def __init__(self):
        self._items = []

    def push(self, *xs):
        self._items.extend(xs)
        return self

    def pop(self):
        if not self._items:
            raise IndexError("pop from empty stack")
        return self._items.pop()

    def peek(self, default=None):
        return self._items[-1] if self._items else default

    def __len__(self): return len(self._items)
    def __repr__(self): return f"{type(self).__name__}({self._items})"

s = Stack().push(1, 2).push(3)
print(s, s.pop(), s.peek(), len(s))
while s:
    s.pop()
print(s, s.peek("none"), bool(s))
try:
    s.pop()
except IndexError as e:
    print(type(e).__name__, e)

# %% binary search tree
class Tree:
    def __init__(self):
        self.root = None
        self.size = 0

    def insert(self, key):
        if self.root is None:
            self.root = [key, None, None]
        else:
            node = self.root
            while True:
                side = 1 if key < node[0] else 2
                if node[side] is None:
                    node[side] = [key, None, None]
                    break
                node = node[side]
        self.size += 1
        return self

    def walk(self, node="root"):
        node = self.root if node == "root" else node
        return [] if node is None else [*self.walk(node[1]), node[0], *self.walk(node[2])]

t = Tree().insert(5).insert(2).insert(8).insert(1).insert(9)
print(t.walk(), t.size, t.root)

# %% matrix class with shape checks
class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]
        self.shape = len(self.rows), len(self.rows[0])

    def __matmul__(self, o):
        if self.shape[1] != o.shape[0]:
            raise ValueError(f"cannot multiply {self.shape} by {o.shape}")
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])

    def __pow__(self, n):
        out = Matrix([[int(i == j) for j in range(self.shape[0])] for i in range(self.shape[0])])
        for _ in range(n):
            out = out @ self
        return out

    def __str__(self):
        return "\n".join("[" + ", ".join(f"{v:>3}" for v in r) + "]" for r in self.rows)

fib = Matrix([[1, 1], [1, 0]])
print(fib ** 10, Matrix([(1, 2, 3)]) @ Matrix([[1], [0], [2]]), sep="\n")
try:
    fib @ Matrix([[1, 2, 3]])
except ValueError as e:
    print(type(e).__name__, e)

# %% bank account with history
class Account:
    """A tiny account."""
    fee = 0.5

    def __init__(self, owner: str, balance: float = 0.0) -> None:
        self.owner = owner
        self.balance = balance
        self.history: list[tuple[str, float]] = []

    def deposit(self, amount: float) -> "Account":
        if amount <= 0:
            raise ValueError("Deposit amount must be positive")
        self.balance += amount
        self.history.append(("in", amount))
        return self

    def withdraw(self, amount):
        if amount + self.fee > self.balance:
            raise ValueError(f"Insufficient funds: balance {self.balance:.2f}, requested {amount:.2f}")
        self.balance -= amount + self.fee
        self.history.append(("out", amount))

acc = Account("Ada").deposit(100).deposit(20.25)
acc.withdraw(50)
print(acc.owner, acc.balance, acc.history, Account.__doc__)
acc.withdraw(500)

# %% state machine driven by a table
class Door:
    moves = {("closed", "open"): "open", ("open", "close"): "closed",
             ("closed", "lock"): "locked", ("locked", "unlock"): "closed"}

    def __init__(self):
        self.state = "closed"
        self.trail = [self.state]

    def do(self, action):
        try:
            self.state = self.moves[self.state, action]
        except KeyError as e:
            print("refused:", e.args[0], "|", e)
        else:
            self.trail.append(self.state)
        return self

d = Door().do("lock").do("open").do("unlock").do("open").do("close")
print(" > ".join(d.trail))
d.state, ("closed", "kick") in d.moves, sorted({s for s, _ in d.moves})

# %% event emitter with bound methods and closures
class Emitter:
    def __init__(self):
        self.handlers = {}

    def on(self, name, fn=None):
        if fn is None:
            return lambda f: self.on(name, f) or f
        self.handlers.setdefault(name, []).append(fn)

    def emit(self, name, *args):
        return [fn(*args) for fn in self.handlers.get(name, [])]

bus = Emitter()
seen = []
bus.on("add", seen.append)

@bus.on("add")
def double(x):
    return x * 2

bus.on("end", lambda: len(seen))
print(bus.emit("add", 21), bus.emit("add", "ab"), bus.emit("end"), bus.emit("none"), seen)
try:
    bus.emit("end", 1)
except TypeError as e:
    print(type(e).__name__, e)

# %% lru cache on an ordered dict
from collections import OrderedDict

class LRU:
    def __init__(self, cap):
        self.cap, self.data = cap, OrderedDict()

    def get(self, k, default=-1):
        if k not in self.data:
            return default
        self.data.move_to_end(k)
        return self.data[k]

    def put(self, k, v):
        self.data[k] = v
        self.data.move_to_end(k)
        if len(self.data) > self.cap:
            self.data.popitem(last=False)

c = LRU(2)
c.put("a", 1); c.put("b", 2); c.get("a"); c.put("c", 3)
print(list(c.data.items()), c.get("b"), c.get("a"))
try:
    OrderedDict().popitem()
except Exception as e:
    print(type(e).__name__, e)

# %% method chaining query builder
class Query:
    def __init__(self, rows):
        self.rows = list(rows)

    def where(self, **conds):
        return Query(r for r in self.rows if all(r.get(k) == v for k, v in conds.items()))

    def order(self, key, desc=False):
        return Query(sorted(self.rows, key=lambda r: r[key], reverse=desc))

    def pick(self, *cols):
        return [tuple(r[c] for c in cols) for r in self.rows]

data = [dict(n="lamp", q=2, r="n"), dict(n="desk", q=1, r="s"), dict(n="rug", q=7, r="n")]
q = Query(data)
print(q.where(r="n").order("q", desc=True).pick("n", "q"), q.where(r="x").pick("n"))
try:
    q.order("n").pick("n", "price")
except KeyError as e:
    print(type(e).__name__, e)

# %% dataclass with methods and defaults
from dataclasses import dataclass, field, asdict, replace

@dataclass
class Item:
    name: str
    price: float = 1.0
    tags: list[str] = field(default_factory=list)

    def total(self, qty: int = 1) -> float:
        return round(self.price * qty, 2)

a = Item("lamp", 19.9, ["new"])
b = replace(a, price=5)
print(a, b == Item("lamp", 5, ["new"]), a.total(3), asdict(b), sep="\n")
b.tags.append("shared")
print(a.tags, Item("x").tags is Item("y").tags)
try:
    Item()
except TypeError as e:
    print(type(e).__name__, e)

# %% frozen and ordered dataclasses
from dataclasses import dataclass, FrozenInstanceError

@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0

    def __str__(self):
        return f"v{self.major}.{self.minor}"

vs = [Version(2, 1), Version(1, 9), Version(2)]
print(*sorted(vs), max(vs), {Version(2): "hit"}[Version(2, 0)], sorted(vs)[0])
try:
    vs[0].major = 3
except FrozenInstanceError as e:
    print(type(e).__name__, e)
try:
    Version(1) < (1, 0)
except TypeError as e:
    print(type(e).__name__, e)

# %% slots, vars and dynamic attributes
class Slim:
    __slots__ = ("x", "y")

    def __init__(self, x):
        self.x = x

class Open:
    pass

s, o = Slim(1), Open()
for name, value in {"b": 2, "a": 1}.items():
    setattr(o, name, value)
print(vars(o), sorted(o.__dict__), hasattr(s, "__dict__"), hasattr(s, "y"), getattr(o, "a"))
for stmt in (lambda: setattr(s, "z", 1), lambda: s.y, lambda: vars(s), lambda: getattr(o, "c")):
    try:
        stmt()
    except (AttributeError, TypeError) as e:
        print(type(e).__name__, e)
print(type(s).__name__, o.__class__.__name__, isinstance(s, (Open, Slim)))
delattr(o, "b")
o.__dict__

# %% total_ordering and mixed comparisons
from functools import total_ordering

@total_ordering
class Grade:
    ORDER = "FEDCBA"

    def __init__(self, letter):
        self.letter = letter

    def __eq__(self, other):
        return self.letter == other.letter

    def __lt__(self, other):
        return self.ORDER.index(self.letter) < self.ORDER.index(other.letter)

a, c = Grade("A"), Grade("C")
print(a > c, a >= c, a <= c, a != c, c <= Grade("C"), not a < c)
print("".join(g.letter for g in sorted(map(Grade, "BADCAF"), reverse=True)))
Grade("Z") > a

# %% explicit comparison operators without eq
class Level:
    names = ["debug", "info", "warn", "error"]

    def __init__(self, name):
        self.n = self.names.index(name)

    def __le__(self, o): return self.n <= o.n
    def __ge__(self, o): return self.n >= o.n
    def __gt__(self, o): return self.n > o.n

lo, hi = Level("info"), Level("error")
print(lo <= hi, lo >= hi, hi > lo, lo < hi, Level("info") == lo, lo == lo, Level("info") <= lo <= hi)
print([n for n in Level.names if Level(n) >= Level("warn")])
try:
    Level("fatal")
except ValueError as e:
    print(type(e).__name__, e)

