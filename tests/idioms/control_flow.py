# %% while else and for else
def first_factor(n):
    d = 2
    while d * d <= n:
        if n % d == 0:
            break
        d += 1
    else:
        return None
    return d

for n in (2, 15, 49, 97):
    print(n, first_factor(n) or "prime")

for word in ["tea", "ship", "storm"]:
    for ch in word:
        if ch not in "aeioust":
            print(word, "stopped at", ch)
            break
    else:
        print(word, "complete")

# %% nested break and continue with a grid
grid = ["..#.", "#...", "...E"]
found = None
steps = 0
for r, row in enumerate(grid):
    for c, cell in enumerate(row):
        steps += 1
        if cell == "#":
            continue
        if cell == "E":
            found = (r, c)
            break
    if found:
        break
print(found, steps)
total = 0
for i in range(10):
    if i % 2: continue
    if i > 6: break
    total += i
total, i

# %% try else finally with returns
def probe(x):
    try:
        if x == 0:
            return "zero"
        y = 10 / x
    except TypeError as e:
        return f"type:{e}"
    else:
        return f"else:{y}"
    finally:
        log.append(x)
        if x == 99:
            return "finally wins"

log = []
print([probe(x) for x in (0, 4, "a", 99)], log)

def loop():
    for i in range(5):
        try:
            if i == 1: continue
            if i == 3: break
        finally:
            log.append(f"f{i}")
    return log[-3:]
loop()

# %! nonlocal and global counters
hits = 0

def make_counter(step=1):
    count = 0
    def tick():
        nonlocal count
        global hits
        count += step
        hits += 1
        return count
    def reset():
        nonlocal count
        count, old = 0, count
        return old
    return tick, reset

a, reset_a = make_counter()
b, _ = make_counter(5)
print(a(), a(), b(), a(), b(), reset_a(), a(), hits)
print(a.__closure__[0].cell_contents, a.__code__.co_freevars)
hits

# %% late binding closures in loops
late = [lambda: i for i in range(3)]
bound = [lambda i=i: i for i in range(3)]
print([f() for f in late], [f() for f in bound])
adders = {}
for name in ("a", "b"):
    def add(x, prefix=name):
        return prefix + x + name
    adders[name] = add
print(adders["a"]("-"), adders["b"]("-"))
make = lambda n: lambda x: x * n
[make(k)(10) for k in range(3)]

# %% recursion with memo dictionary
from functools import lru_cache

memo = {}
def fib(n):
    if n in memo:
        return memo[n]
    memo[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
    return memo[n]

@lru_cache(maxsize=None)
def ways(n, coins=(1, 5, 10, 25)):
    if n == 0: return 1
    if n < 0 or not coins: return 0
    return ways(n, coins[:-1]) + ways(n - coins[-1], coins)

def ackermann(m, n):
    return n + 1 if not m else ackermann(m - 1, 1) if not n else ackermann(m - 1, ackermann(m, n - 1))

print(fib(80), len(memo), ways(100), ackermann(2, 3))
hanoi = lambda n, a="A", b="B", c="C": [] if n == 0 else hanoi(n - 1, a, c, b) + [a + c] + hanoi(n - 1, b, a, c)
hanoi(3)

# %% match on shapes and literals
def describe(x):
    match x:
        case None: return "none"
        case True | False: return "bool"
        case 0 | 1: return "bit"
        case int(n) if n < 0: return f"negative {n}"
        case int() | float(): return "number"
        case "": return "empty text"
        case str(s): return f"text of {len(s)}"
        case []: return "empty list"
        case [only]: return f"one {only!r}"
        case [first, *_, last]: return f"{first}..{last}"
        case {"kind": "point", "x": x0, **rest}: return f"point {x0} {rest}"
        case {}: return f"dict {len(x)}"
        case _: return type(x).__name__

for v in (None, True, 1, 1.0, -7, 3.5, "", "tea", [], (1,), [1, 2, 3], {"kind": "point", "x": 1, "y": 2}, {}, {1}):
    print(f"{v!r:<38}{describe(v)}")

# %% match classes, nested captures and guards
from dataclasses import dataclass

@dataclass
class Num:
    v: float

@dataclass
class Op:
    sym: str
    a: object
    b: object

def ev(e):
    match e:
        case Num(v): return v
        case Op("+", a, b): return ev(a) + ev(b)
        case Op("*", Num(0), _) | Op("*", _, Num(0)): return 0
        case Op(sym="*", a=a, b=b): return ev(a) * ev(b)
        case Op(sym=("-" | "/") as s): raise NotImplementedError(f"operator {s}")
    raise TypeError(f"not an expression: {e!r}")

print(ev(Op("+", Num(2), Op("*", Num(3), Num(4)))), ev(Op("*", Num(0), "never")))
for bad in (Op("-", Num(1), Num(2)), "x"):
    try:
        ev(bad)
    except (NotImplementedError, TypeError) as e:
        print(type(e).__name__, e)

# %% command parser with match and split
def run(cmd, state):
    match cmd.split():
        case ["go", ("n" | "s" | "e" | "w") as d]:
            state["pos"] += d
        case ["take", *things] if things:
            state["bag"] += things
        case ["drop", thing] if thing in state["bag"]:
            state["bag"].remove(thing)
        case ["quit" | "exit"]:
            return "bye"
        case [verb, *args]:
            return f"{verb}? ({len(args)} args)"
        case _:
            return "say something"
    return "ok"

state = {"pos": "", "bag": []}
for c in ("go n", "go up", "take lamp tea", "drop tea", "drop sea", "take", "", "exit"):
    print(f"{c!r:>16} -> {run(c, state)}")
state

# %% walrus in conditions and comprehensions
import re

data = ["a=1", "b = 22", "bad", "c=x3"]
pairs = {m[1]: int(m[2]) for s in data if (m := re.match(r"(\w)\s*=\s*(\d+)$", s))}
print(pairs, m)
n = 85
path = [n]
while (n := n // 2 if n % 2 == 0 else 3 * n + 1) > 30:
    path.append(n)
print(path, n)
if (size := len(data)) > 3 and (last := data[-1])[0] == "c":
    print(size, last)
print([y := 1, y ** 2, (y := y + 5), y])
any((hit := s).startswith("b") for s in data), hit

# %% chained comparisons and truthiness
def f(x, seen=[]):
    seen.append(x)
    return x

print(1 < f(2) < 3, 1 < f(5) < 3 < f(4), f.__defaults__[0])
print(1 == 1.0 == True, [] is not None is not False, "a" < "b" > "a", 3 > 2 in [2])
for v in (0, 0.0, "", "0", [], [0], None, (), {}, set(), range(0), -1, 0j, b"", ...):
    print(repr(v), "T" if v else "F", end="; ")
print()
print(None or 0 or "x", 1 and [] and 2, not 1 == 2, (0 or None) is None)
x = 7
"big" if x > 10 else "mid" if x > 5 else "small"

# %% star unpacking in assignments and calls
first, *mid, last = "lamps"
(a, b), [c, *d], *e = (1, 2), [3, 4, 5], 6, 7
print(first, mid, last, a, b, c, d, e)
head, *none = [1]
print(none, [*range(3), *"ab"], {*"aab"} == {"a", "b"}, (*mid, 0))
print(max(*[3, 9], *[4]), dict(**{"x": 1}, y=2), "{}-{}".format(*"pq"))
for i, (k, *vs) in enumerate([("n", 1, 2), ("m",)]):
    print(i, k, vs)
for wrong in ("a, b = [1, 2, 3]", "a, *b, c = [1]"):
    try:
        values = [1, 2, 3] if "*" not in wrong else [1]
        if "*" in wrong: a, *b, c = values
        else: a, b = values
    except ValueError as err:
        print(wrong, "->", err)

# %% swaps and multiple assignment
a = b = []
a.append(1)
x, y, z = 1, 2, 3
x, y, z = z, x, y
print(a is b, b, x, y, z)
xs = [3, 1, 2]
xs[0], xs[2] = xs[2], xs[0]
i = 0
i, xs[i] = 1, 99
print(xs, i)
(q,) = {7}
p, q = q, p = 5, 6
print(p, q)
f0, f1 = 0, 1
for _ in range(10):
    f0, f1 = f1, f0 + f1
f0, f1

# %% keyword only and positional only parameters
def f(a, b=2, /, c=3, *args, d, e=5, **kw):
    """Everything at once."""
    return a, b, c, args, d, e, kw

print(f(1, d=0), f(1, 9, 8, 7, 6, d=4, z=1))
first, named = lambda x, /: x, lambda *, k: k
calls = [lambda: f(d=1), lambda: f(1), lambda: first(x=1), lambda: named(1)]
for c in calls:
    try:
        print(c())
    except TypeError as e:
        print("TypeError:", e)
print(f.__doc__, f.__defaults__, f.__kwdefaults__, f.__name__)
f(*range(4), **dict.fromkeys("de", 0))

# %% forwarding args and merging dictionaries
def trace(fn, *args, **kwargs):
    shown = ", ".join([*map(repr, args), *(f"{k}={v!r}" for k, v in kwargs.items())])
    result = fn(*args, **kwargs)
    print(f"{fn.__name__}({shown}) -> {result!r}")
    return result

trace(max, 3, 8, 5)
trace(sorted, ["b", "C", "a"], reverse=True)
trace(int, "ff", base=16)
trace(dict, [("a", 1)], b=2)
base, extra = {"a": 1, "b": 2}, {"b": 3, "c": 4}
print({**base, **extra, "d": 0}, base | extra, extra | base)
base |= [("z", 26)]
base, dict(base, a=None)

# %% mutable default argument gotcha
def add(item, bucket=[]):
    bucket.append(item)
    return bucket

def add_safe(item, bucket=None):
    bucket = [] if bucket is None else bucket
    bucket.append(item)
    return bucket

print(add(1), add(2), add(3, []), add(4), add.__defaults__)
print(add_safe(1), add_safe(2), add_safe(3, [0]))
rows = [[0] * 2] * 3
rows[0][0] = 9
rows2 = [[0] * 2 for _ in range(3)]
rows2[0][0] = 9
print(rows, rows2)
def now(n=len(rows)): return n
rows.append(1)
now()

# %% assert messages and __debug__
def mean(xs):
    assert xs, "mean of nothing"
    assert all(isinstance(x, (int, float)) for x in xs), ("bad types", [type(x).__name__ for x in xs])
    return sum(xs) / len(xs)

print(mean([1, 2, 4.5]), __debug__)
for arg in ([], [1, "2"], (3,)):
    try:
        print(mean(arg))
    except AssertionError as e:
        print(repr(e), "|", str(e))
assert 1 + 1 == 3

# %% with several managers and contextlib
from contextlib import contextmanager, ExitStack, nullcontext

events = []

@contextmanager
def tag(name):
    events.append(f"<{name}>")
    try:
        yield name
    finally:
        events.append(f"</{name}>")

with tag("a") as a, tag("b") as b:
    events.append(a + b)
with ExitStack() as stack:
    names = [stack.enter_context(tag(n)) for n in "xy"]
    stack.callback(events.append, "callback")
with nullcontext(5) as five:
    events.append(five)
print(*events)
try:
    with tag("z"):
        raise LookupError("inside z")
except LookupError as e:
    print(type(e).__name__, e)
events[-2:]

# %% stacked decorators and decorators with arguments
import functools

def tag(name):
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*a, **k):
            return f"<{name}>{fn(*a, **k)}</{name}>"
        return wrapper
    return deco

def shout(fn):
    return lambda *a: fn(*a).upper()

@tag("b")
@tag("i")
def hello(who="you"):
    "Say hello."
    return f"hello {who}"

@shout
@tag("u")
def bye(): return "bye"

print(hello("Ada"), hello(), bye(), hello.__name__, hello.__doc__, bye.__name__, hello.__wrapped__.__name__)
try:
    hello(1, 2)
except TypeError as e:
    print(type(e).__name__, e)

# %! async gather, tasks and results in order
import asyncio

order = []

async def work(name, rounds):
    for i in range(rounds):
        order.append(f"{name}{i}")
        await asyncio.sleep(0)
    if name == "c":
        raise ValueError("c failed")
    return name.upper() * rounds

async def main() -> list:
    results = await asyncio.gather(work("a", 2), work("b", 1), work("c", 1), return_exceptions=True)
    task = asyncio.create_task(work("d", 1))
    return results + [await task]

if __name__ == "__main__":
    print(asyncio.run(main()))
    print(order)

# %- async generators and async with
import asyncio

class Conn:
    async def __aenter__(self):
        print("open")
        return self

    async def __aexit__(self, *exc):
        print("close", exc[0].__name__ if exc[0] else None)

async def ticks(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i

async def main():
    async with Conn():
        squares = [i * i async for i in ticks(4) if i]
        async for t in ticks(2):
            print("tick", t)
        raise RuntimeError(f"squares {squares}")

try:
    asyncio.run(main())
except RuntimeError as e:
    print(type(e).__name__, e)

# %% generators with send, return and yield from
def averager():
    total = n = 0
    avg = None
    while True:
        x = yield avg
        if x is None:
            return total, n
        total, n = total + x, n + 1
        avg = total / n

def outer(results):
    results.append((yield from averager()))
    yield "finished"

res = []
g = outer(res)
print(next(g), g.send(10), g.send(20), g.send(None), res)
gen = (c for c in "ab")
print(next(gen), list(gen), next(gen, "empty"))
def pairs(xs): yield from zip(xs, xs[1:])
print(list(pairs([1, 4, 9])))
sum(x * x for x in range(10) if x % 3 == 0), next(g, None)

# %% sorting with several keys
people = [("Bo", 41, 1.7), ("ada", 34, 1.6), ("Cy", 34, 1.8), ("Di", 27, 1.6)]
print(sorted(people, key=lambda p: (-p[1], p[0].lower())))
print([p[0] for p in sorted(people, key=lambda p: p[2], reverse=True)])
people.sort(key=lambda p: p[0])
people.sort(key=lambda p: p[1], reverse=True)
print([p[0] for p in people])
from functools import cmp_to_key
from operator import itemgetter
print(sorted("b10 a2 a10 b1".split(), key=lambda s: (s[0], int(s[1:]))))
print(sorted([3, -1, 2], key=cmp_to_key(lambda a, b: abs(b) - abs(a))), sorted(people, key=itemgetter(1, 0))[0][0])
try:
    sorted([3, "2", 1])
except TypeError as e:
    print(type(e).__name__, e)

# %% bit tricks and integer methods
n = 0b1011_0110
print(n & -n, n & (n - 1), n | 1 << 10, n ^ 0xFF, ~n, n >> 3, bin(n).count("1"), n.bit_count())
print(n.bit_length(), (0).bit_length(), (-5).bit_length(), (1024).to_bytes(2, "big"), int.from_bytes(b"\x00\xff", "little"))
print([i for i in range(8) if n >> i & 1], f"{n:#010b} {n:x} {n:o}", -7 >> 1, -7 // 2, -7 % 3)
is_pow2 = lambda k: k > 0 and k & (k - 1) == 0
print([k for k in range(70) if is_pow2(k)], (2 ** 100).bit_length(), 5 .real)
subsets = [[c for j, c in enumerate("abc") if m >> j & 1] for m in range(8)]
print(["".join(s) for s in subsets])
try:
    (300).to_bytes(1, "big")
except OverflowError as e:
    print(type(e).__name__, e)

# %% float methods, rounding and formatting
x = 2.5
print(x.is_integer(), (4.0).is_integer(), x.as_integer_ratio(), (0.1).hex(), float.fromhex("0x1.8p+1"))
print([round(v) for v in (0.5, 1.5, 2.5, -0.5)], round(2.675, 2), round(1234, -2), round(1e20), round(7, 1))
print(0.1 + 0.2, 1e16, 1e-5, 123456789.0, 1 / 3, -0.0, 1e308 * 10, float("nan") != float("nan"))
print(f"{x:.0f} {3.5:.0f} {1e6:,.1f} {0.00012:.2e} {12.5:g} {1e10:g} {0.5:%} {-3.14159:+08.2f}")
print(7 // 2.0, -7 % 3.5, divmod(-7, 2), divmod(7.5, 2), int(-3.9), 2 ** -1, 10 ** 20 // 3)
float("1_000.5"), float(" inf "), float("1e400")

# %% divmod, pow with modulus and number bases
print(pow(3, 200, 13), pow(3, -1, 11), pow(2, 0.5), pow(-8, 1 / 3).real > 0, divmod(17, -5))
print(int("0x1f", 16), int("z", 36), int("0b101", 0), int("-0o17", 0), int(" 42\n"), int("1_000"))
def to_base(n, b, digits="0123456789abcdef"):
    return (to_base(n // b, b) if n >= b else "") + digits[n % b]
print([to_base(255, b) for b in (2, 3, 8, 16)], hex(-255), oct(8), bin(-2))
for text, base in (("12", 2), ("", 10), ("0x1", 10), ("9", 37), ("1__0", 10)):
    try:
        print(int(text, base))
    except ValueError as e:
        print(e)
try:
    pow(2, -1, 4)
except ValueError as e:
    print(type(e).__name__, e)

# %% slices with negative steps and slice assignment
s = list(range(10))
print(s[::-1], s[8:2:-2], s[-3:], s[:-8], s[::4], s[5:1], s[100:], "lamp"[::-1])
s[2:5] = "xy"
print(s)
s[::2] = [0] * len(s[::2])
print(s)
s[1:1] = [7, 7]
del s[-4:], s[0]
s[len(s):] = ["end"]
print(s, slice(1, None, 2), list(range(10))[slice(None, None, 3)])
t = (1, 2, 3)[::-1] + (4,) * 2
print(t, t[-1:], "abc"[1:-1], b"abc"[0], b"abc"[:1])
try:
    s[::2] = [1]
except ValueError as e:
    print(type(e).__name__, e)
s[::2]

# %% nested comprehensions and dictionary ordering
table = {r: {c: r * c for c in range(1, 4)} for r in range(1, 4)}
print(table[3], [v for row in table.values() for v in row.values() if v % 2])
flat = [(x, y) for x in "ab" for y in range(3) if (x, y) != ("a", 1)]
print(flat, [[j for j in range(i)] for i in range(4)])
inv = {v: k for k, v in zip("abca", range(4))}
d = dict(b=1, a=2)
d["c"] = d.pop("b")
d["a"] = 0
print(inv, d, list(reversed(d)), next(iter(d)), d.popitem(), {} == {**d, **{}})
print({x % 3: x for x in range(7)}, sorted({len(w) for w in "a bb cc ddd".split()}))
primes = [n for n in range(2, 40) if all(n % k for k in range(2, int(n ** .5) + 1))]
for k in d:
    d[k + "!"] = 1

# %% print options, string methods and complex numbers
print(*range(4), sep=" < ", end=" !\n")
print("a", None, 1.0, sep="", end="")
print("", "|", "x".center(5, "-"), "7".zfill(3), "-7".zfill(4), "ab".rjust(4, "."), sep="\n")
print("  Tea, ships;  more tea ".strip().replace(";", ",").title().split(",  "), "a--b".split("-"), "a b".partition(" "))
print("x=%d y=%5.2f z=%-4s| %s %%" % (3, 2.718, "q", [1]), "{0}{1}{0} {k:>4}".format("a", "b", k=1))
z = complex(3, -4)
print(z, abs(z), z.conjugate(), z * 1j, z == 3 - 4j, (1 + 2j) / (1 - 1j), -1 ** .5, complex("1+2j").imag)
n = 3
print(f"{n} item{'s' if n != 1 else ''} {'odd' if n % 2 else 'even'} {n = } {n!r:>3} {'a' 'b'} {{}}")
try:
    z < 1
except TypeError as e:
    print(type(e).__name__, e)

# %! docstrings, names, annotations and string building
def greet(name: str, times: int = 1, *, sep: str = ", ") -> str:
    """Greet somebody.

    The greeting is repeated `times` times.
    """
    parts = []
    for i in range(times):
        parts.append("Hello" if i == 0 else "hello")
    return sep.join(parts) + f" {name}!"

add: "a plain comment" = lambda a, b=1: a + b
print(greet("Ada", 3, sep="/"), greet.__name__, add.__name__, add.__doc__)
print(greet.__doc__.splitlines()[0], len(greet.__doc__.splitlines()), greet.__annotations__)
print(greet.__defaults__, greet.__kwdefaults__, greet.__code__.co_varnames[:3], greet.__module__)
line = ""
for i, ch in enumerate("lighthouse"):
    line += ch.upper() if i % 3 == 0 else ch
line += "-" * 3
print(line, "".join(sorted(set(line.lower()))).strip("-"), __name__)
if __name__ == "__main__":
    greet("Bo", "2")
