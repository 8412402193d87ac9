# %% next over a genexpr finds the first match
users = [
    {"id": 1, "name": "ann", "admin": False},
    {"id": 2, "name": "bo", "admin": True},
    {"id": 3, "name": "cy", "admin": True},
]
first_admin = next(u for u in users if u["admin"])
print(first_admin["name"])
idx = next(i for i, u in enumerate(users) if u["name"] == "cy")
print(idx)
next(u["id"] for u in users if u["name"].startswith("z"))
# %% next with a default
nums = [3, 7, 11]
print(next((n for n in nums if n % 2 == 0), None))
print(next((n for n in nums if n > 5), -1))
print(next(iter([]), "empty"), next(iter({}), "no keys"))
lookup = lambda key, table, default="?": next((v for k, v in table if k == key), default)
table = [("a", 1), ("b", 2)]
[lookup(k, table) for k in "abc"]
# %% iter and next until StopIteration
it = iter([10, 20])
print(next(it))
print(next(it))
try:
    next(it)
except StopIteration as e:
    print(type(e).__name__, repr(str(e)), e.value)
print(next(it, "still exhausted"))
iter(it) is it
# %% any short-circuits before a failing item
def positive(x):
    print("check", x)
    return 10 // x > 3

print(any(positive(x) for x in [9, 2, 0]))   # never reaches 0
print(all(positive(x) for x in (1, 5, 0)))   # stops at 5
print(any([]), all([]))
try:
    print(any(positive(x) for x in [8, 0]))
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% genexpr stored now and consumed later
data = [1, 2, 3]
squares = (x * x for x in data)
data.append(4)              # list is still live inside the generator
print(next(squares))
print(list(squares))
print(list(squares))
factor = 2
scaled = (x * factor for x in data)
factor = 10
print(sum(scaled), sum(scaled))
data = []
bool(scaled)
# %% chained generator expressions
lines = ["  3 ", "x", "", " 14", "-2 ", "# note", "7"]
stripped = (l.strip() for l in lines)
nonblank = (l for l in stripped if l and not l.startswith("#"))
numbers = (int(l) for l in nonblank if l.lstrip("-").isdigit())
evens = (n for n in numbers if n % 2 == 0)
print(next(evens))
print(list(evens))
list(stripped), list(numbers)
# %% zip(it, it) pairs up a flat list
flat = ["host", "localhost", "port", "8080", "debug"]
it = iter(flat)
print(dict(zip(it, it)))
print(list(zip(*[iter(range(10))] * 3)))
def pairs(seq):
    i = iter(seq)
    return list(zip(i, i))
print(pairs("abcdef"))
[int(a + b, 16) for a, b in zip(*[iter("48656c6c6f")] * 2)]
# %% iter(callable, sentinel)
queue = ["task1", "task2", "STOP", "task3"]
for job in iter(lambda: queue.pop(0), "STOP"):
    print("run", job)
print(queue)
import io
buf = io.StringIO("abcdefgh")
print(list(iter(lambda: buf.read(3), "")))
rolls = iter([4, 2, 6, 1])
list(iter(rolls.__next__, 6))
# %% enumerate with a start
text = """alpha
beta

gamma"""
for no, line in enumerate(text.splitlines(), start=1):
    if not line:
        continue
    print(f"{no:>3}: {line}")
print(list(enumerate("ab", 10)))
e = enumerate(["x", "y", "z"], -1)
print(next(e), next(e))
{name: i for i, name in enumerate(sorted(["q", "p"]), 100)}
# %% zip_longest with fillvalue
from itertools import zip_longest
a, b = [1, 2, 3], ["x"]
print(list(zip_longest(a, b)))
print(list(zip_longest(a, b, fillvalue="-")))
def cmp_versions(v1: str, v2: str) -> int:
    for p, q in zip_longest(map(int, v1.split(".")), map(int, v2.split(".")), fillvalue=0):
        if p != q:
            return 1 if p > q else -1
    return 0
print(cmp_versions("1.2", "1.2.0"), cmp_versions("1.10", "1.9.9"), cmp_versions("2", "2.0.1"))
try:
    cmp_versions("1.x", "1")
except ValueError as e:
    print(type(e).__name__, e)
# %% islice windows over infinite sources
from itertools import islice, count, cycle, repeat
print(list(islice(count(5, 5), 4)))
print(list(islice(cycle("RGB"), 2, 9, 2)))
print(list(islice(range(100), 95, None)))
print(list(repeat("=", 3)))
it = iter("abcdefgh")
print(list(islice(it, 3)), next(it), list(islice(it, 100)))
try:
    islice([1, 2, 3], -1)
except ValueError as e:
    print(e)
# %% takewhile and dropwhile on one iterator
from itertools import takewhile, dropwhile
log = ["# hdr", "# v2", "a=1", "# inline", "b=2"]
is_comment = lambda s: s.startswith("#")
print(list(takewhile(is_comment, log)))
print(list(dropwhile(is_comment, log)))
it = iter([1, 3, 5, 6, 7, 9])
print(list(takewhile(lambda n: n % 2, it)), list(it))   # 6 is swallowed
sum(takewhile(lambda n: n < 50, (n * n for n in range(1, 1000))))
# %% itertools.count inside zip
from itertools import count
names = ["foo", "bar", "baz"]
ids = dict(zip(names, count(1)))
print(ids)
print(list(zip(count(0.5, 0.25), names)))
uid = count(100)
rows = [{"id": next(uid), "name": n} for n in names]
print([r["id"] for r in rows], next(uid))
next(n for n in count(1) if n * n > 200)
# %% reversed on several kinds
print(list(reversed([1, 2, 3])), "".join(reversed("abc")))
print(list(reversed(range(0, 10, 3))), list(reversed((1, "x"))))
print(list(reversed({"a": 1, "b": 2})), list(reversed({"a": 1}.items())))
for i, c in reversed(list(enumerate("xyz"))):
    print(i, c, end="; ")
print()
try:
    reversed({1, 2})
except TypeError as e:
    print(e)
reversed(x for x in [1, 2])
# %% map is lazy, with interleaved prints
def double(x):
    print(f"  double({x})")
    return x * 2

m = map(double, [1, 2, 3])
print("created")
print("got", next(m))
for v in m:
    print("loop", v)
    break
print("after break")
print(list(m))
# %% filter and zip laziness
log = []
def keep(n):
    log.append(f"keep{n}")
    return n > 1
def src():
    for n in range(4):
        log.append(f"src{n}")
        yield n
z = zip(filter(keep, src()), "ab")
print(log)
print(next(z), log)
print(list(z))
log
# %% mutating the list under enumerate
nums = [1, 2, 3, 4, 5, 6]
for i, n in enumerate(nums):
    if n % 2 == 0:
        nums.remove(n)       # skips the following item
print(nums)
items = ["a", "b", "c"]
for i, x in enumerate(items):
    if len(items) < 6:
        items.append(x * 2)
print(items)
grid = [0] * 5
for i, _ in enumerate(grid):
    grid[i] = i ** 2
grid
# %% dict changed size during iteration
d = {"a": 1, "b": 2}
try:
    for k in d:
        d[k + "x"] = 0
except RuntimeError as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    for x in s:
        s.add(x + 10)
except RuntimeError as e:
    print(e)
for k in list(d):
    if len(k) > 1:
        d.pop(k)
d
# %% early break from a loop over map
def parse(s):
    print("parsing", s)
    return int(s)

inputs = ["4", "8", "15", "bad", "23"]
total = 0
for v in map(parse, inputs):
    total += v
    if total > 20:
        break
else:
    print("no break")
print(total)
try:
    print(list(map(int, inputs)))
except Exception as exc:
    print(f"{type(exc).__name__}: {exc}")
# %% iterator class with __iter__ and __next__
class Countdown:
    """Iterate from n down to 1."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n + 1

c = Countdown(3)
print([x for x in c], list(c))
print(sum(Countdown(4)), max(Countdown(7)), 2 in Countdown(5), 9 in Countdown(5))
a, b, c = Countdown(3)
(a, b, c, *Countdown(2))
# %% iterable class handing out fresh iterators
class Deck:
    suits = "SH"
    ranks = ("A", "K")

    def __init__(self):
        self.cards = [r + s for s in self.suits for r in self.ranks]

    def __iter__(self):
        return iter(self.cards)

    def __reversed__(self):
        return (c.lower() for c in self.cards[::-1])

d = Deck()
print(list(d), list(d))
print(list(reversed(d)))
first, *rest = d
print(first, rest, [a + b for a in d for b in d if a < b][:3])
caught = None
try:
    len(d)
except TypeError as err:
    caught = str(err)
caught
# %% old sequence protocol through __getitem__
class Squares:
    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(f"no square at {i}")
        return i * i

sq = Squares(5)
print(list(sq), 16 in sq, 5 in sq)
for i, v in zip("abc", sq):
    print(i, v)
print([*map(str, sq)])
sq[5]
# %% StopIteration from a bare next inside a helper
def first_two(iterable):
    it = iter(iterable)
    try:
        return next(it), next(it)
    except StopIteration:
        return None

print(first_two("ab"), first_two([1]), first_two({}))
def head(it):
    return next(iter(it))
print(head({"k": 1}), head(range(5, 9)))
try:
    print(head([]))
except StopIteration as stop:
    print("stopped", stop.value)
# %% unpacking from iterators
it = iter("hello")
a, b, *c = it
print(a, b, c)
try:
    x, y = (n for n in range(3))
except ValueError as e:
    print(e)
try:
    x, y, z = iter([1])
except ValueError as e:
    print(e)
first, *_, last = map(int, "1 2 3 4".split())
first, *mid = zip("ab", [1, 2])
try:
    x, y = 5
except (TypeError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% not iterable and not an iterator errors
for bad in (lambda: iter(5), lambda: next([1, 2]), lambda: list(None), lambda: [*3.5],
            lambda: zip([1], 2), lambda: sum(["a"]), lambda: next(range(3))):
    try:
        bad()
    except TypeError as e:
        print(type(e).__name__, "|", e)
for x in 42:
    print(x)
# %% peeking at the head with chain
from itertools import chain
def peek(iterable):
    """Return (first, equivalent iterator) or (None, empty)."""
    it = iter(iterable)
    try:
        head = next(it)
    except StopIteration:
        return None, iter(())
    return head, chain([head], it)

h, rest = peek(x ** 3 for x in range(1, 5))
print(h, list(rest))
h, rest = peek("")
(h, list(rest))
# %% header then body with a shared iterator
raw = """name,qty
nut,10
bolt,25
gear,3"""
rows = (line.split(",") for line in raw.splitlines())
header = next(rows)
records = [dict(zip(header, r)) for r in rows]
print(header)
print(records)
print(sum(int(r["qty"]) for r in records))
max(records, key=lambda r: int(r["qty"]))["name"]
# %% strict zip
names, ages = ["ann", "bo"], [31, 27]
print(list(zip(names, ages, strict=True)))
for other in ([1], [1, 2, 3]):
    try:
        list(zip(names, other, strict=True))
    except ValueError as e:
        print(e)
matrix = [[1, 2, 3], [4, 5, 6]]
print(list(zip(*matrix)), [list(c) for c in zip(*matrix[::-1])])
list(zip()), list(zip("ab"))
# %% sum, min, max over generators with defaults
orders = [("a", 2, 9.5), ("b", 1, 20.0), ("c", 0, 3.25)]
print(sum(q * p for _, q, p in orders))
print(max((p for _, q, p in orders if q), default=0))
print(min((p for _, q, p in orders if q > 5), default="none"))
print(max(orders, key=lambda o: o[1] * o[2]), min(o[0] for o in orders))
print(sum(1 for o in orders if o[1]), sum((list(o[:1]) for o in orders), []))
try:
    print(max(p for _, q, p in orders if q > 100))
except ValueError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% infinite cycle for round robin
from itertools import cycle, islice
workers = cycle(["w1", "w2", "w3"])
assignment = {task: next(workers) for task in "abcde"}
print(assignment)
def roundrobin(*iterables):
    pending = [iter(i) for i in iterables]
    while pending:
        for it in pending[:]:
            try:
                yield next(it)
            except StopIteration:
                pending.remove(it)
print("".join(roundrobin("ABC", "D", "EF")))
list(islice(workers, 2))
# %% for-else while searching primes
primes = []
for n in range(2, 30):
    for p in primes:
        if p * p > n:
            primes.append(n)
            break
        if n % p == 0:
            break
    else:
        primes.append(n)
print(primes)
is_prime = lambda n: n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))
[n for n in range(30) if is_prime(n)] == primes
# %% shared iterator in nested loops
tokens = iter("( a ( b c ) d ) e".split())
def parse(it):
    out = []
    for tok in it:
        if tok == "(":
            out.append(parse(it))      # consumes from the same iterator
        elif tok == ")":
            break
        else:
            out.append(tok)
    return out
tree = parse(tokens)
print(tree)
depth = lambda t: 1 + max(map(depth, t), default=0) if isinstance(t, list) else 0
depth(tree), list(tokens)
# %! iterating with a list iterator while it grows
work = [("root", 0)]
children = {"root": ["a", "b"], "a": ["a1"], "b": []}
for name, depth in work:
    print("  " * depth + name)
    work.extend((c, depth + 1) for c in children.get(name, []))
print(len(work))
it = iter(work)
print(it.__length_hint__(), next(it)[0], it.__length_hint__())
[n for n, d in work if d == max(d for _, d in work)]
# %% genexpr scoping and evaluation time
rows = [[1, 2], [3, 4], [5, 6]]
print(sum(x for row in rows for x in row))
print(list(sum(r) for r in rows), set(len(r) for r in rows))
funcs = [lambda: i for i in range(3)]
print([f() for f in funcs])
fixed = [lambda i=i: i for i in range(3)]
print([f() for f in fixed])
gen = (1 / x for x in [1, 2, 0, 4])
try:
    for v in gen:
        print(v)
except ZeroDivisionError as e:
    print("stopped:", e)
print(list(gen))
try:
    gen2 = (y for y in undefined_name)
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% type and truthiness of lazy objects
lazies = [map(int, "12"), filter(None, []), zip("a", "b"), iter([]), iter(()), iter("s"), iter({}), iter({1}),
          iter(range(2)), enumerate([]), reversed([]), (x for x in []), iter({}.items())]
print([type(z).__name__ for z in lazies if z is not lazies[10]])
print(all(lazies), all(iter(z) is z for z in lazies))
print([hasattr(z, "__next__") for z in ([], (), "", range(1), {})])
len(map(int, "12"))
# %% two-pass mistake and tee as the fix
from itertools import tee
def stats(values):
    return {"sum": sum(values), "n": sum(1 for _ in values)}
print(stats([1, 2, 3]))
print(stats(v for v in [1, 2, 3]))
a, b = tee(v * v for v in range(4))
print(max(a), list(b))
x, y, z = tee("pq", 3)
next(y)
list(zip(x, z)), list(y)
# %% adjacent differences via two staggered iterators
temps = [20.5, 21.0, 19.0, 19.0, 23.5]
cur, nxt = iter(temps), iter(temps)
next(nxt, None)
diffs = [round(b - a, 2) for a, b in zip(cur, nxt)]
print(diffs)
rising = [i for i, (a, b) in enumerate(zip(temps, temps[1:]), 1) if b > a]
print(rising)
runs = "".join("+" if d > 0 else "-" if d < 0 else "=" for d in diffs)
f"{runs!r} max jump {max(diffs, key=abs)}"
