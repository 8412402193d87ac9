# %% dataclass basics, repr, eq and defaults
from dataclasses import dataclass, field
@dataclass
class Task:
    title: str
    done: bool = False
    tags: list[str] = field(default_factory=list)
    secret: str = field(default="x", repr=False, compare=False)

a, b = Task("write"), Task("write", tags=["t"])
b.tags.pop()
b.secret = "other"
print(a, a == b, a is b, a != Task("read"))
a.tags.append("now")
print(a, Task("new").tags, [t.title for t in sorted([b, Task("abc")], key=lambda t: t.title)])
for call in (lambda: Task(), lambda: Task("a", nope=1), lambda: a < b, lambda: hash(a)):
    try:
        call()
    except TypeError as e:
        print(e)
# %% dataclass asdict, astuple, replace and fields
from dataclasses import dataclass, field, asdict, astuple, replace, fields, is_dataclass
@dataclass
class Addr:
    city: str
    zip: str = "00000"

@dataclass
class Person:
    name: str
    home: Addr
    past: list[Addr] = field(default_factory=list)

p = Person("Ann", Addr("Rome"), [Addr("Oslo", "1")])
print(asdict(p))
print(astuple(p))
q = replace(p, name="Bob", home=replace(p.home, city="Lima"))
print(q, q.past is p.past)
print([(f.name, f.type) for f in fields(Addr)], [f.name for f in fields(p)], fields(Person)[2].default_factory is list)
print(is_dataclass(p), is_dataclass(Person), is_dataclass(3))
try:
    print(replace(p, age=3))
except TypeError as e:
    print(type(e).__name__, "->", e.args)
# %% dataclass order, frozen and hash
from dataclasses import dataclass, FrozenInstanceError
@dataclass(order=True, frozen=True)
class Version:
    major: int
    minor: int = 0
    label: str = ""

    @classmethod
    def parse(cls, s):
        nums, _, label = s.partition("-")
        return cls(*map(int, nums.split(".")), label=label)

vs = [Version.parse(s) for s in ("1.10", "1.2", "2.0-rc", "1.2-a")]
print(sorted(vs), max(vs) > Version(1, 99), len({*vs, Version(1, 2)}))
try:
    vs[0].minor = 3
except FrozenInstanceError as e:
    print(type(e).__name__, e)
{Version(1): "one"}[Version(1, 0)], Version(1) <= Version(1)
# %% dataclass __post_init__, InitVar and inheritance
from dataclasses import dataclass, field, InitVar
import math
@dataclass
class Shape:
    name: str = field(init=False, default="shape")

    def __post_init__(self):
        self.name = type(self).__name__.lower()

@dataclass
class Circle(Shape):
    r: float = 1.0
    unit: InitVar[str] = "cm"
    area: float = field(init=False)

    def __post_init__(self, unit):
        super().__post_init__()
        if self.r < 0:
            raise ValueError(f"radius must be >= 0, got {self.r}{unit}")
        self.area = round(math.pi * self.r ** 2, 3)

print(Circle(2), Circle(r=0.5).area, Shape())
try:
    Circle(-1, "mm")
except ValueError as e:
    print(e)
# %% functools.wraps and decorators with arguments
import functools
def logged(prefix="call"):
    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            parts = [repr(a) for a in args] + [f"{k}={v!r}" for k, v in kwargs.items()]
            result = fn(*args, **kwargs)
            print(f"{prefix}: {fn.__name__}({', '.join(parts)}) -> {result!r}")
            return result
        return wrapper
    return deco

@logged()
@logged("inner")
def area(w, h=1):
    """Compute w*h."""
    return w * h

area(3, h=4)
print(area.__name__, area.__doc__, area.__wrapped__.__wrapped__(5))
area("ab", "c")
# %% retry decorator with an exception filter
import functools
def retry(times, exceptions=(Exception,)):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a, **k):
            last = None
            for attempt in range(1, times + 1):
                try:
                    return fn(*a, attempt=attempt, **k)
                except exceptions as e:
                    last = e
                    print(f"attempt {attempt} failed: {e}")
            raise RuntimeError(f"{fn.__name__} gave up") from last
        return inner
    return deco

@retry(3, (ValueError,))
def flaky(limit, attempt):
    if attempt < limit:
        raise ValueError(f"too early ({attempt})")
    return f"ok on {attempt}"

print(flaky(2))
try:
    flaky(9)
except RuntimeError as e:
    print(e, "|", repr(e.__cause__))
# %% cmp_to_key and custom orders
from functools import cmp_to_key
def compare(a, b):
    """Largest number when concatenated."""
    return (a + b < b + a) - (a + b > b + a)

nums = ["3", "30", "34", "5", "9"]
print("".join(sorted(nums, key=cmp_to_key(compare))))
by_len_then_alpha = cmp_to_key(lambda a, b: len(a) - len(b) or (a > b) - (a < b))
print(sorted(["pear", "fig", "date", "apple"], key=by_len_then_alpha))
print(max([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
K = cmp_to_key(lambda a, b: a - b)
K(1) < K(2), K(3) == K(3), K(5) >= K(9)
# %% total_ordering
from functools import total_ordering
@total_ordering
class Card:
    RANKS = "23456789TJQKA"

    def __init__(self, code):
        self.code = code
        self.rank = self.RANKS.index(code[0])

    def __eq__(self, other):
        return self.rank == other.rank if isinstance(other, Card) else NotImplemented

    def __lt__(self, other):
        return self.rank < other.rank if isinstance(other, Card) else NotImplemented

    def __repr__(self):
        return self.code

hand = [Card(c) for c in "KH 2C TS AD 9S".split()]
print(sorted(hand), max(hand), hand[0] >= hand[1], hand[0] <= Card("KS"), Card("2H") != Card("2D"), Card("3H") == "3H")
try:
    print(Card("AS") > 5)
except TypeError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% reduce in its many uses
from functools import reduce
import operator
print(reduce(lambda a, b: a * b, range(1, 6)), reduce(operator.add, [[1], [2, 3]], []), reduce(max, [3, 9, 2]))
print(reduce(lambda acc, w: {**acc, w: acc.get(w, 0) + 1}, "a b a".split(), {}))
compose = lambda *fs: reduce(lambda f, g: lambda x: g(f(x)), fs)
print(compose(str.strip, str.title, lambda s: s + "!")("  hi there "))
print(reduce(lambda n, d: n * 2 + int(d), "1011", 0), reduce(operator.getitem, ["a", 1, "b"], {"a": [0, {"b": "deep"}]}))
print(reduce(operator.xor, [5, 3, 5, 7, 3]), reduce(lambda a, b: b, [], "only initial"))
try:
    reduce(operator.add, [])
except TypeError as e:
    print(e)
# %% partial objects
from functools import partial
base2 = partial(int, base=2)
print(base2("1010"), base2.func is int, base2.args, base2.keywords)
def power(base, exp, mod=None):
    return pow(base, exp, mod)

square, cube = partial(power, exp=2), partial(power, exp=3)
print(square(5), cube(2), square(7, mod=10), list(map(partial(power, 2), range(5))))
say = partial(print, "log:", sep=" ", end=";\n")
say("one", 2)
nested = partial(partial(max, 3), 5)
print(nested(), nested(9), nested.args)
try:
    square(2, 3)
except TypeError as e:
    print(e)
sorted(["b", "A"], key=partial(str.replace, "xAx", "A"))
# %% lru_cache statistics and cache_clear
from functools import lru_cache, cache
calls = []
@lru_cache(maxsize=2)
def slow(n, scale=1):
    calls.append(n)
    return n * scale

print([slow(n) for n in (1, 2, 1, 3, 2)], calls)
print(slow.cache_info())
slow.cache_clear()
print(slow.cache_info().currsize, slow.__wrapped__(5), calls[-1])
@cache
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80), fib.cache_info().hits > 0, fib.cache_info().misses)
try:
    slow([1])
except TypeError as e:
    print(e)
# %% grid paths and coin change by memo
from functools import cache, lru_cache
@cache
def paths(r, c):
    return 1 if 0 in (r, c) else paths(r - 1, c) + paths(r, c - 1)

def coins(amount, denoms=(25, 10, 5, 1)):
    @lru_cache(None)
    def go(rem, i):
        if rem == 0:
            return 1
        if rem < 0 or i == len(denoms):
            return 0
        return go(rem - denoms[i], i) + go(rem, i + 1)
    return go(amount, 0)

print(paths(4, 4), coins(50), coins(0), coins(7, (2, 4)))
knap = lambda items, cap: max([0] + [v + knap(items[i + 1:], cap - w) for i, (w, v) in enumerate(items) if w <= cap])
print(knap([(1, 1), (3, 4), (4, 5), (5, 7)], 7))
paths(16, 16)
# %% cached_property and property
from functools import cached_property
class Dataset:
    def __init__(self, values):
        self.values = values
        self.computed = 0

    @cached_property
    def mean(self):
        self.computed += 1
        return sum(self.values) / len(self.values)

    @property
    def size(self):
        return len(self.values)

d = Dataset([1, 2, 6])
print(d.mean, d.mean, d.computed, "mean" in d.__dict__)
d.values.append(11)
print(d.mean, d.size)
del d.mean
print(d.mean, d.computed)
try:
    d.size = 9
except AttributeError as e:
    print(e)
Dataset([]).mean
# %! singledispatch renderers
from functools import singledispatch, singledispatchmethod
@singledispatch
def show(x):
    return f"<{type(x).__name__}>"

@show.register
def _(x: int):
    return f"int {x:,}"

@show.register(list)
@show.register(tuple)
def _(x):
    return "[" + "; ".join(map(show, x)) + "]"

@show.register
def _(x: dict):
    return "{" + ", ".join(f"{k}: {show(v)}" for k, v in x.items()) + "}"

print(show(1234567), show([1, (2, "s")]), show({"a": True, "b": None}), show(2.5))
class Box:
    @singledispatchmethod
    def put(self, x): return "other"
    @put.register
    def _(self, x: str): return "text " + x
Box().put("hi"), Box().put(3), show.dispatch(bool) is show.dispatch(int), sorted(t.__name__ for t in show.registry)
# %% contextmanager with cleanup order
from contextlib import contextmanager
@contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name.upper()
    except ZeroDivisionError as e:
        print(f"  handled {e}")
    finally:
        print(f"</{name}>")

with tag("div") as d, tag("b"):
    print(" ", d)
    1 / 0
print("continued")
@tag("deco")
def work():
    print("working")
work()
with tag("p"):
    {}["k"]
# %% class based context managers
class Timerless:
    def __init__(self, name, swallow=()):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, exc_type, exc, tb):
        print("exit", self.name, exc_type.__name__ if exc_type else None, exc)
        return exc_type is not None and issubclass(exc_type, self.swallow)

with Timerless("a", (KeyError,)) as t, Timerless("b"):
    raise KeyError("inner")
def early():
    with Timerless("c"):
        return "returned"
print(early(), t.name)
for i in range(2):
    with Timerless(i):
        if i == 0:
            continue
        break
with open:
    pass
# %% suppress, closing, nullcontext and redirect_stdout
from contextlib import suppress, closing, nullcontext, redirect_stdout
import io
with suppress(KeyError, IndexError):
    [][0]
    print("not reached")
buf = io.StringIO()
with redirect_stdout(buf):
    print("captured", 1, sep="=")
    help_text = "x"
print(repr(buf.getvalue()))
class Res:
    def close(self):
        print("closed")
with closing(Res()) as r:
    print(type(r).__name__)
def run(cm=None):
    with cm or nullcontext("default") as v:
        return v
print(run(), run(nullcontext(5)))
try:
    with suppress(ValueError):
        int(None)
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% ExitStack
from contextlib import ExitStack, contextmanager
@contextmanager
def res(n, fail=False):
    print("open", n)
    if fail:
        raise OSError(f"cannot open {n}")
    try:
        yield n
    finally:
        print("close", n)

with ExitStack() as stack:
    got = [stack.enter_context(res(n)) for n in "ab"]
    stack.callback(print, "callback", 1, sep=":")
    stack.push(lambda *exc: print("exc type:", exc[0]))
    print(got)
try:
    with ExitStack() as stack:
        for n, bad in (("x", False), ("y", True)):
            stack.enter_context(res(n, bad))
except OSError as e:
    print("error:", e)
saved = ExitStack()
saved.callback(print, "late")
saved.pop_all().close()
# %% StringIO reading and writing
import io
buf = io.StringIO()
buf.write("first\n")
print("second", 2, file=buf)
buf.writelines(["third\n", "fourth"])
print(repr(buf.getvalue()), buf.tell())
buf.seek(0)
print(repr(buf.readline()), buf.read(3), [l.rstrip() for l in buf])
buf.seek(6)
buf.truncate()
print(buf.getvalue().splitlines(), buf.read() == "")
with io.StringIO("a b\nc d\n\ne") as f:
    table = [line.split() for line in f if line.strip()]
print(table, f.closed)
try:
    f.read()
except ValueError as e:
    print(e)
io.StringIO("x\ny").readlines(), io.StringIO().write("four")
# %% BytesIO and struct packing
import io, struct
out = io.BytesIO()
for code, val in [(1, 2.5), (2, -1.0)]:
    out.write(struct.pack("<Hf", code, val))
raw = out.getvalue()
print(raw.hex(" "), len(raw), struct.calcsize("<Hf"), struct.calcsize(">bhi"))
src = io.BytesIO(raw)
while chunk := src.read(6):
    print(struct.unpack("<Hf", chunk))
print(list(struct.iter_unpack(">H", b"\x00\x01\x00\x02")), struct.pack(">I4s?", 258, b"ab", True))
print(struct.unpack_from("<h", b"\xff\xff\x05\x00", 2), out.getbuffer()[:2].tobytes(), src.tell())
try:
    struct.unpack("<I", b"\x00")
except struct.error as e:
    print(e)
int.from_bytes(raw[:2], "little"), struct.unpack("<i", struct.pack("<I", 0xFFFFFFFE))
# %% uuid namespaces and parsing
import uuid
u = uuid.uuid5(uuid.NAMESPACE_DNS, "python.org")
print(u, u.version, u.hex, repr(u))
print(uuid.uuid3(uuid.NAMESPACE_URL, "http://x.y/"), uuid.uuid5(u, "child"))
v = uuid.UUID("{12345678-1234-5678-1234-567812345678}")
print(v == uuid.UUID(int=v.int), v.fields[0], v.bytes[:2], v.urn, sorted([u, v])[0] == v)
print(uuid.UUID(bytes=b"\x01" * 16), uuid.UUID("0" * 32), str(uuid.uuid4()).count("-"), uuid.uuid4() != uuid.uuid4())
try:
    uuid.UUID("not-a-uuid")
except ValueError as e:
    print(type(e).__name__, e)
len({uuid.uuid5(uuid.NAMESPACE_DNS, n) for n in ("a", "b", "a")})
# %% pprint of nested data
from pprint import pprint, pformat, pp
data = {"name": "service", "ports": list(range(8000, 8015)), "env": {"ZED": "z" * 30, "ALPHA": None, "list": [{"a": 1}, {"b": (1, 2)}]}}
pprint(data)
pprint(data, width=40, compact=True)
pp({"b": 1, "a": 2})
pprint({"b": 1, "a": {3}})
print(pformat([["x" * 20] * 2] * 2, width=50, indent=4))
pprint({"l1": {"l2": {"l3": {"l4": 1}}}}, depth=2)
pprint("a long string that must be split over several lines to fit", width=30)
pformat((1,)), pformat({"k": "v"}, sort_dicts=False)
# %% difflib ratios and close matches
import difflib
sm = difflib.SequenceMatcher(None, "private Thread currentThread;", "private volatile Thread currentThread;")
print(round(sm.ratio(), 3), round(sm.quick_ratio(), 3))
print([tuple(m) for m in sm.get_matching_blocks()])
for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(a="qabxcd", b="abycdf").get_opcodes():
    print(f"{tag:<8} a[{i1}:{i2}] b[{j1}:{j2}]")
print(difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]))
print(difflib.get_close_matches("wheel", ["heel", "while", "eel"], n=1, cutoff=0.8), difflib.get_close_matches("zzz", ["abc"]))
sim = lambda a, b: difflib.SequenceMatcher(None, a, b).ratio()
max(["recieve", "relieve", "retrieve"], key=lambda w: sim("receive", w)), sim("", ""), sim("ab", "ba")
# %% difflib diffs of lines
import difflib
old = "one\ntwo\nthree\nfour\n".splitlines()
new = "zero\none\ntree\nfour\n".splitlines()
for line in difflib.unified_diff(old, new, "old.txt", "new.txt", lineterm="", n=1):
    print(line)
print("\n".join(difflib.ndiff(old[2:3], new[2:3])))
delta = list(difflib.ndiff(["a\n", "b\n"], ["b\n", "c\n"]))
print(delta, "".join(difflib.restore(delta, 2)).split())
print([d for d in difflib.Differ().compare(["x=1"], ["x=2"]) if d[0] in "+-"])
list(difflib.unified_diff(["same"], ["same"])), list(difflib.context_diff(["a"], ["b"], lineterm=""))[3:]
# %% exact fractions
from fractions import Fraction as F
print(F(3, 6), F("0.125"), F("-7/21"), F(0.5), F(5), repr(F(1, 3)))
print(F(1, 3) + F(1, 6), F(1, 2) * 4, F(3, 4) / F(1, 8), F(1, 2) ** 3, 1 - F(1, 3), F(7, 2) // 1, F(7, 2) % 1)
print(float(F(1, 4)), F(1, 2) == 0.5, F(1, 3) < F(1, 2), round(F(7, 3)), round(F(22, 7), 2), abs(F(-1, 9)), int(F(-7, 2)))
print(sum(F(1, n) for n in range(1, 6)), F(3.14159).limit_denominator(100), F(22, 7).numerator, F(1, 3) + 0.5)
egypt, x = [], F(5, 6)
while x:
    d = -(-x.denominator // x.numerator)
    egypt.append(F(1, d)); x -= F(1, d)
print(*egypt, max(F(1, 3), F(2, 5)), F(6, 4).as_integer_ratio(), hash(F(2, 1)) == hash(2))
for bad in ("1/0", "abc"):
    try:
        F(bad)
    except (ValueError, ZeroDivisionError) as e:
        print(type(e).__name__, e)
# %% decimal money arithmetic
from decimal import Decimal as D, ROUND_HALF_UP, ROUND_DOWN, getcontext, localcontext, InvalidOperation
print(D("0.1") + D("0.2"), D("1.10") * 3, D(1) / D(3), D("10") // 3, D("-7") % 3, D(0.5), D("1E+3"))
price = D("19.995")
print(price.quantize(D("0.01")), price.quantize(D("0.01"), ROUND_HALF_UP), price.quantize(D("1."), rounding=ROUND_DOWN), round(price, 1))
print(D("1.20") == D("1.2"), str(D("1.20").normalize()), D("100").normalize(), f"{D('1234567.891'):,.2f}", D("3.14").as_tuple())
with localcontext() as ctx:
    ctx.prec = 5
    print(D(2).sqrt(), D(1) / 7)
print(getcontext().prec, sum([D("0.1")] * 10) == 1, max(D("2"), D("10")), D("NaN").is_nan(), -D("0"), abs(D("-1.5")))
try:
    D("twelve")
except InvalidOperation as e:
    print(type(e).__name__)
try:
    D("1.1") + 1.1
except TypeError as e:
    print(e)
D("2") ** 10, D("5").compare(D("6")), int(D("9.99")), D(5) / 2
# %% ast.literal_eval and friends
import ast
for text in ("[1, 2, (3, None)]", "{'a': {1, 2}, 'b': b'x'}", "-3.5e2", "'quo\\'te'", "1 + 2j", "True", "()"):
    print(repr(ast.literal_eval(text)))
for bad in ("__import__('os')", "a", "[1, 2", "1 + 1", "f'x'", "len([1])"):
    try:
        ast.literal_eval(bad)
    except ValueError as e:
        print("ValueError", bad)
    except SyntaxError as e:
        print("SyntaxError", bad)
    else:
        print("fine", bad)
ast.literal_eval(" {'k': [1, 2.5, 'x']} ".strip())["k"]
# %! ast walking and unparse
import ast
src = """
import os, sys as system
def f(a, b=2):
    return a + b * 2
class C:
    def m(self): pass
x = [f(i) for i in range(3)]
"""
tree = ast.parse(src)
print([type(n).__name__ for n in tree.body], ast.unparse(tree.body[3]))
print([n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))])
print([a.asname or a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names])
print(sorted({n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call)}))
try:
    ast.parse("def broken(:")
except SyntaxError as e:
    print(type(e).__name__, e.lineno)
OPS = {ast.Add: lambda a, b: a + b, ast.Mult: lambda a, b: a * b, ast.Sub: lambda a, b: a - b}
def ev(n):
    return n.value if isinstance(n, ast.Constant) else OPS[type(n.op)](ev(n.left), ev(n.right))
ev(ast.parse("2 + 3 * (7 - 4)", mode="eval").body)
# %% statistics
import statistics as st
data = [2, 4, 4, 4, 5, 5, 7, 9]
print(st.mean(data), st.median(data), st.mode(data), st.pstdev(data), round(st.stdev(data), 4), st.variance([1, 2, 3]))
print(st.fmean([1.5, 2.5]), st.median_low([1, 3, 5, 7]), st.median_high([1, 3, 5, 7]), st.multimode("aabbc"), st.mode(["x", "y", "x"]))
print(st.quantiles(data, n=4), round(st.harmonic_mean([40, 60]), 2), round(st.geometric_mean([1, 3, 9]), 3))
print(st.mean([0.1] * 3), st.median([3, 1, 2]), st.pvariance([0, 0, 4, 4]))
print(round(st.correlation([1, 2, 3], [2, 4, 7]), 4), st.linear_regression([1, 2, 3], [3, 5, 7]))
for f, arg in ((st.mean, []), (st.stdev, [1]), (st.mode, [])):
    try:
        f(arg)
    except st.StatisticsError as e:
        print(type(e).__name__, e)
# %% math tour
import math
print(math.sqrt(16), math.isqrt(17), math.factorial(10), math.gcd(12, 18), math.lcm(4, 6), math.comb(5, 2), math.perm(5, 2))
print(math.floor(-2.5), math.ceil(-2.5), math.trunc(-2.7), math.fabs(-3), math.copysign(1, -0.0), math.fmod(-7, 3), -7 % 3)
print(f"{math.pi:.5f} {math.e:.5f} {math.tau:.3f}", math.inf > 10**100, math.isnan(math.nan), math.isclose(0.1 + 0.2, 0.3))
print(math.hypot(3, 4), math.degrees(math.pi), round(math.sin(math.radians(30)), 10), math.log(8, 2), math.log2(1024), math.log10(1000))
print(math.prod([1, 2, 3, 4]), math.fsum([0.25] * 10), math.modf(3.25), math.frexp(8.0), math.dist((0, 0), (1, 1)), math.exp(0))
for f in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.factorial(-1), lambda: math.exp(1000), lambda: math.floor(math.inf), lambda: math.factorial(2.5), lambda: math.isqrt(-4)):
    try:
        f()
    except (ValueError, OverflowError, TypeError) as e:
        print(type(e).__name__, e)
round(2.5), round(-3.5), divmod(-17, 5), 7 // -2, 2 ** -1, pow(3, -1, 11), 10 ** 20 // 3
# %% seeded random module functions
import random
random.seed(42)
print(random.randint(1, 100), random.randint(1, 6), random.randrange(0, 100, 5))
print(random.choice(["a", "b", "c"]), round(random.random(), 6), random.uniform(1, 2))
deck = list(range(10))
random.shuffle(deck)
print(deck)
print(random.sample(range(100), 5), random.choices("xyz", k=5), random.choices([1, 2], weights=[9, 1], k=5))
random.seed(42)
again = [random.randint(1, 100) for _ in range(3)]
random.seed(42)
print(again == [random.randint(1, 100) for _ in range(3)], random.getrandbits(16))
random.seed(0)
random.random(), random.randint(0, 9)
# %% independent Random instances
import random
a, b = random.Random(7), random.Random(7)
print([a.randint(1, 6) for _ in range(5)] == [b.randint(1, 6) for _ in range(5)])
rng = random.Random(2024)
print([rng.randrange(10) for _ in range(8)], rng.choice("abcdef"), round(rng.gauss(0, 1), 6))
state = rng.getstate()
x = rng.sample(["w", "x", "y", "z"], 2)
rng.setstate(state)
print(x == rng.sample(["w", "x", "y", "z"], 2), round(rng.triangular(0, 10, 5), 4), round(rng.expovariate(1.5), 4))
inside = sum(rng.random() ** 2 + rng.random() ** 2 <= 1 for _ in range(2000))
print(inside, 4 * inside / 2000)
for f in (lambda: rng.choice([]), lambda: rng.sample([1], 2)):
    try:
        f()
    except (IndexError, ValueError) as e:
        print(type(e).__name__, e)
random.Random("text seed").randint(0, 10**6)
# %% datetime arithmetic
from datetime import date, datetime, time, timedelta
d = date(2024, 2, 28)
print(d + timedelta(days=2), d.weekday(), d.isoweekday(), d.isocalendar(), d.replace(day=1), (date(2024, 12, 25) - d).days)
dt = datetime(2024, 1, 31, 23, 59, 30)
print(dt + timedelta(minutes=1), dt - timedelta(weeks=1, hours=3), dt.date(), dt.time(), repr(dt))
gap = datetime(2024, 3, 1) - dt
print(gap, gap.days, gap.seconds, gap.total_seconds(), gap / 2, gap // timedelta(days=1), -timedelta(hours=1))
print(timedelta(seconds=3725), timedelta(days=-1, microseconds=5), divmod(timedelta(hours=5), timedelta(hours=2)), abs(timedelta(-3)))
print(max(date(2020, 1, 1), d), d == date.fromisoformat("2024-02-28"), datetime.combine(d, time(8, 30)), date.fromordinal(738000))
for f in (lambda: d - 5,):
    try:
        f()
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
d
# %% strftime and strptime
from datetime import datetime, date
dt = datetime(2024, 7, 4, 15, 5, 9, 1234)
print(dt.strftime("%Y-%m-%d %H:%M:%S"), dt.strftime("%d/%m/%y %I:%M %p"), dt.strftime("%A %B %j %a %b %%"))
print(dt.isoformat(), dt.isoformat(" ", "minutes"), f"{dt:%H:%M:%S.%f}", str(dt), dt.ctime())
print(datetime.strptime("04 Jul 2024 03:05 PM", "%d %b %Y %I:%M %p"), datetime.strptime("20240704T1505", "%Y%m%dT%H%M"))
print(datetime.fromisoformat("2024-07-04T15:05:09.000123"), f"{date(2024, 1, 9):%d.%m.%Y}|{dt.date()!s:>12}|")
for text, fmt in [("2024-99-01", "%Y-%m-%d"), ("2024-01-01 x", "%Y-%m-%d"), ("12:61", "%H:%M")]:
    try:
        datetime.strptime(text, fmt)
    except ValueError as e:
        print(e)
rows = ["2024-03-05", "2023-12-31", "2024-01-20"]
sorted(rows, key=lambda s: datetime.strptime(s, "%Y-%m-%d"))[0], {d[:7] for d in rows} == {"2024-03", "2023-12", "2024-01"}
# %% time zones and timestamps
from datetime import datetime, timezone, timedelta
utc = datetime(2024, 1, 1, 12, tzinfo=timezone.utc)
tokyo = timezone(timedelta(hours=9), "JST")
print(utc, utc.astimezone(tokyo), utc.astimezone(tokyo).tzname(), repr(timezone.utc), tokyo)
print(utc.timestamp(), datetime.fromtimestamp(0, timezone.utc), datetime.fromtimestamp(1.5e9, tz=timezone.utc).isoformat())
print(utc == utc.astimezone(tokyo), utc.utcoffset(), datetime.fromisoformat("2024-01-01T12:00:00+05:30").utcoffset())
print(datetime.strptime("2024-01-01 +0200", "%Y-%m-%d %z").isoformat(), f"{utc.astimezone(timezone(-timedelta(hours=3, minutes=30))):%H:%M %z}")
try:
    utc - datetime(2024, 1, 1)
except TypeError as e:
    print(type(e).__name__)
utc.replace(tzinfo=None), (utc - datetime(1970, 1, 1, tzinfo=timezone.utc)).days
# %% calendar facts
import calendar
print(calendar.isleap(2024), calendar.isleap(1900), calendar.leapdays(2000, 2025), calendar.monthrange(2024, 2))
print(calendar.month_name[1:4], calendar.day_abbr[:], list(calendar.month_abbr)[-1])
print(calendar.weekday(2024, 7, 4), calendar.day_name[calendar.weekday(2024, 7, 4)])
for week in calendar.monthcalendar(2024, 2):
    print(" ".join(f"{d:2}" if d else " ." for d in week))
print(calendar.TextCalendar(calendar.SUNDAY).formatmonth(2023, 9))
fridays = [d for d, wd in calendar.Calendar().itermonthdays2(2024, 9) if d == 13 and wd == calendar.FRIDAY]
fridays, [m for m in range(1, 13) if calendar.weekday(2024, m, 13) == 4]
# %% hashlib digests
import hashlib
print(hashlib.md5(b"hello").hexdigest())
print(hashlib.sha1("héllo".encode()).hexdigest())
h = hashlib.sha256()
for part in ("a", "b", "c"):
    h.update(part.encode())
print(h.hexdigest() == hashlib.sha256(b"abc").hexdigest(), h.name, h.digest_size, h.block_size, len(h.digest()))
print(hashlib.sha512(b"").hexdigest()[:16], hashlib.new("sha256", b"x").hexdigest()[:8], hashlib.blake2b(b"k", digest_size=8).hexdigest())
bucket = lambda key, n=8: int(hashlib.md5(key.encode()).hexdigest(), 16) % n
print({k: bucket(k) for k in ("alice", "bob", "carol")})
chain, prev = [], "0" * 8
for tx in ["a->b", "b->c"]:
    prev = hashlib.sha256((prev + tx).encode()).hexdigest()[:8]
    chain.append(prev)
print(chain)
hashlib.md5("not bytes")
# %% base64 and binascii
import base64, binascii
raw = "Hello, wörld! ÿ".encode()
b = base64.b64encode(raw)
print(b, base64.b64decode(b).decode(), base64.urlsafe_b64encode(b"\xfb\xff\xfe"), base64.b64encode(b"\xfb\xff\xfe"))
print([base64.b64encode(b"x" * n).decode() for n in range(4)], base64.b32encode(b"hi"), base64.b16encode(b"hi"), base64.b85encode(b"hello"))
print(binascii.hexlify(b"\x00\xff"), binascii.unhexlify("48 69".replace(" ", "")), base64.b64decode("SGk=\n"), base64.b64decode("SGk="))
for bad in ("abc", "a", "SGk"):
    try:
        base64.b64decode(bad)
    except binascii.Error as e:
        print(type(e).__name__, e)
try:
    base64.b64encode("text")
except TypeError as e:
    print(e)
pad = lambda s: s + "=" * (-len(s) % 4)
base64.b64decode(pad("SGVsbG8")).decode()
# %! operator module
import operator as op
print(op.add(1, 2), op.concat("a", "b"), op.contains([1, 2], 2), op.countOf("banana", "a"), op.indexOf([5, 6], 6), op.truth([]))
d = {"k": 1}
op.setitem(d, "j", 2); op.delitem(d, "k")
print(d, op.getitem(d, "j"), op.not_(0), op.neg(3), op.invert(5), op.lshift(1, 4), op.is_(None, None), op.index(True))
xs = [1]
print(op.iadd(xs, [2]), xs, op.mod(7, 4), op.le(1, 1), op.xor(6, 3))
cmp = {"<": op.lt, "<=": op.le, "==": op.eq, "!=": op.ne, ">": op.gt, ">=": op.ge}
rules = [("age", ">=", 18), ("name", "!=", "bob")]
check = lambda rec: all(cmp[o](rec[f], v) for f, o, v in rules)
print(check({"age": 20, "name": "al"}), check({"age": 3, "name": "al"}))
print(sorted([(2, "b"), (1, "z")], key=op.itemgetter(1)), op.attrgetter("real", "imag")(3 + 4j), op.methodcaller("upper")("x"))
op.itemgetter(0, -1)("hello"), op.length_hint(iter([1, 2])), op.itemgetter(slice(1, 3))("hello")
# %% copy and deepcopy
import copy
a = {"xs": [1, [2]], "t": (1, [3])}
s, d = copy.copy(a), copy.deepcopy(a)
a["xs"][1].append(9)
a["t"][1].append(8)
a["new"] = 1
print(s, d, s["xs"] is a["xs"], d["xs"] is a["xs"])
loop = [1]
loop.append(loop)
c = copy.deepcopy(loop)
print(c[1] is c, copy.copy((1, 2)) == (1, 2))
class Node:
    def __init__(self, v): self.v, self.kids = v, []
    def __copy__(self): return Node(f"copy of {self.v}")
    def __deepcopy__(self, memo):
        n = Node(f"deep {self.v}")
        n.kids = copy.deepcopy(self.kids, memo)
        return n
root = Node("r"); root.kids.append(Node("k"))
copy.copy(root).v, copy.deepcopy(root).kids[0].v, [n.v for n in copy.deepcopy([root] * 2)]
# %% csv reading through StringIO
import csv, io
text = 'name,qty,note\n"Smith, J",3,"said ""hi"""\nBob,,plain\n\n"multi\nline",7,x\n'
for row in csv.reader(io.StringIO(text)):
    print(len(row), row)
rows = list(csv.DictReader(io.StringIO(text)))
print(rows[0], [r["name"] for r in rows], sum(int(r["qty"] or 0) for r in rows))
print(list(csv.reader(["a;b;'c;d'", "1;2"], delimiter=";", quotechar="'")), list(csv.reader(["a\tb"], "excel-tab")))
print(list(csv.DictReader(["1,2,3", "4"], fieldnames=["x", "y"], restkey="extra", restval="?")))
r = csv.DictReader(io.StringIO("a,b\n1,2"))
print(r.fieldnames, next(r), r.line_num)
try:
    print(next(r))
except StopIteration as stop:
    print("stopped", stop.value)
# %% csv writing through StringIO
import csv, io
buf = io.StringIO()
w = csv.writer(buf)
w.writerow(["id", "text", "n"])
w.writerows([[1, 'quote " and, comma', 2.5], [2, None, True], [3, "new\nline", ""]])
print(repr(buf.getvalue()))
out = io.StringIO(newline="")
dw = csv.DictWriter(out, fieldnames=["a", "b"], extrasaction="ignore", lineterminator="\n", restval="-")
dw.writeheader()
dw.writerows([{"a": 1, "b": 2, "c": 3}, {"a": 4}])
print(out.getvalue())
q = io.StringIO()
csv.writer(q, quoting=csv.QUOTE_NONNUMERIC, delimiter="|", lineterminator=";").writerows([["x", 1], ["y z", 2.0]])
print(q.getvalue())
try:
    csv.DictWriter(out, ["a"]).writerow({"a": 1, "zz": 2})
except ValueError as e:
    print(e)
[row for row in csv.reader(io.StringIO(buf.getvalue()))][1]
# %! typing NamedTuple, TypedDict, cast and Optional
from typing import NamedTuple, TypedDict, Optional, Union, Any, Callable, TypeVar, cast, get_type_hints
class Coord(NamedTuple):
    lat: float
    lon: float = 0.0
    def scaled(self, k: float) -> "Coord":
        return Coord(self.lat * k, self.lon * k)

class Movie(TypedDict, total=False):
    title: str
    year: int

T = TypeVar("T")
def first(xs: list[T], default: Optional[T] = None) -> Optional[T]:
    return xs[0] if xs else default

m: Movie = {"title": "Up"}
print(Coord(1.5).scaled(2), Coord(1)._asdict(), Coord._field_defaults, m, Movie(title="X", year=1), type(m).__name__)
print(first([]), first([], "d"), first(["q"]), cast(int, "still str"), get_type_hints(first)["xs"])
print(Optional[int], Union[int, str], list[int], dict[str, Any], Callable[[int], str], int | None, sorted(Movie.__annotations__))
Optional[int] == Union[int, None], Coord.__annotations__["lat"], isinstance(5, int | str)
# %- Protocol and abstract base classes
from abc import ABC, abstractmethod
from typing import Protocol, runtime_checkable
class Shape(ABC):
    @property
    @abstractmethod
    def area(self) -> float: ...

    @abstractmethod
    def scale(self, k): ...

    def describe(self): return f"{type(self).__name__} of area {self.area:.2f}"

class Square(Shape):
    def __init__(self, s): self.s = s
    @property
    def area(self): return self.s ** 2
    def scale(self, k): return Square(self.s * k)

@runtime_checkable
class Quacks(Protocol):
    def quack(self) -> str: ...

class Duck:
    def quack(self): return "quack"

print(Square(2).scale(1.5).describe(), isinstance(Duck(), Quacks), isinstance(5, Quacks), sorted(Shape.__abstractmethods__))
Shape()
# %% perf_counter differences only
import time
t0 = time.perf_counter()
total = sum(i * i for i in range(1000))
elapsed = time.perf_counter() - t0
print(elapsed >= 0, isinstance(elapsed, float), total)
def timed(fn, *args):
    start = time.perf_counter()
    result = fn(*args)
    return result, time.perf_counter() - start

(result, secs) = timed(sorted, [3, 1, 2])
print(result, secs >= 0, f"{secs:.0f}" == "0")
t1 = time.monotonic()
time.sleep(0)
print(time.monotonic() >= t1, time.strftime("%Y-%m-%d %H:%M", time.gmtime(0)), time.gmtime(86400 * 365).tm_year)
type(t1).__name__
# %% html escaping and unescaping
import html
s = '<a href="x?a=1&b=2">Tom\'s</a>'
print(html.escape(s))
print(html.escape(s, quote=False))
print(html.unescape("&lt;p&gt; &amp;amp; &quot;q&quot; &#39;s&#39; &eacute; &#x41;&#66; &nbsp;| &copy; &bogus; &lt"))
print(html.unescape(html.escape(s)) == s)
def el(name, *kids, **attrs):
    a = "".join(f' {k.rstrip("_")}="{html.escape(str(v))}"' for k, v in attrs.items())
    return f"<{name}{a}>{''.join(kids)}</{name}>"
el("ul", *(el("li", html.escape(t), class_="i" + str(n)) for n, t in enumerate(["a<b", '"q"'])))
# %- html.parser subclass
from html.parser import HTMLParser
class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.depth, self.text = [], 0, []

    def handle_starttag(self, tag, attrs):
        self.depth += tag not in ("br", "img")
        if tag == "a":
            self.links.append(dict(attrs).get("href"))

    def handle_endtag(self, tag):
        self.depth -= 1

    def handle_data(self, data):
        if data.strip():
            self.text.append((self.depth, data.strip()))

p = Links()
p.feed('<div><p>Hi <b>you</b> &amp; me<br></p><a href="/x?y=1&amp;z=2" id=k>go</a><a>none</a></div>')
print(p.links)
print(p.text)
p.depth
# %% urllib.parse splitting and joining
from urllib.parse import urlparse, urlsplit, urlunparse, urljoin
u = urlparse("https://user:pw@Example.com:8443/a/b;p?q=1&r=x%20y#frag")
print(u)
print(u.scheme, u.hostname, u.port, u.username, u.path, u.query, u.fragment, u.netloc)
print(u._replace(query="", fragment="").geturl(), urlsplit("//cdn.x/y").netloc, urlparse("mailto:a@b.c").path)
for rel in ("c", "/c", "../c", "?q", "#f", "//h/p", "http://z/", "./d/../e", ""):
    print(f"{rel:<10}", urljoin("http://host/a/b", rel))
try:
    urlparse("http://h:99999").port
except ValueError as e:
    print(e)
urlunparse(("ftp", "h", "/p", "", "k=v", "")), urlparse("noscheme/path")[2]
# %% urllib.parse quoting and queries
from urllib.parse import quote, quote_plus, unquote, unquote_plus, urlencode, parse_qs, parse_qsl
print(quote("a b/c?d=é&~"), quote("a/b", safe=""), quote_plus("a b&c"), unquote("a%20b%C3%A9+c"), unquote_plus("a+b%2B"))
print(urlencode({"q": "x y", "n": 5, "t": "é"}), urlencode([("k", 1), ("k", 2)]), urlencode({"ids": [1, 2]}, doseq=True))
print(parse_qs("a=1&b=2&a=3&e=&f"), parse_qs("e=&f", keep_blank_values=True), parse_qsl("x=1&y=%26+z"))
params = {k: v[0] for k, v in parse_qs("user=al&page=2").items()}
params["page"] = int(params["page"]) + 1
print("/list?" + urlencode(params), quote(b"\xff\x00"), unquote("%zz%4"))
dict(parse_qsl(urlencode({"redirect": "http://x/?a=b&c=d"})))
# %- zlib, crc32 and compression
import zlib, gzip, io
data = b"abcabcabc" * 50
z = zlib.compress(data)
print(len(data), len(z) < 60, zlib.decompress(z) == data, zlib.crc32(b"hello"), zlib.adler32(b"hello"), f"{zlib.crc32(b'') :#x}")
print(zlib.crc32(b"world", zlib.crc32(b"hello ")) == zlib.crc32(b"hello world"), hex(zlib.crc32("é".encode())))
g = gzip.compress(data, mtime=0)
print(gzip.decompress(g) == data, g[:2])
try:
    zlib.decompress(b"not zlib")
except zlib.error as e:
    print(type(e).__name__)
checksum = lambda *parts: f"{zlib.crc32('|'.join(map(str, parts)).encode()):08x}"
checksum("a", 1, None), checksum()
# %% warnings captured
import warnings
def old_api(x):
    warnings.warn("old_api is deprecated", DeprecationWarning, stacklevel=2)
    return x * 2

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(old_api(4), old_api(5))
    warnings.warn("careful")
print([(w.category.__name__, str(w.message)) for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        old_api(1)
    except DeprecationWarning as e:
        print("raised:", e)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(old_api(6))
issubclass(UserWarning, Warning), issubclass(DeprecationWarning, Exception)
# %% logging to stdout
import logging, sys
logger = logging.getLogger("app.db")
logger.handlers.clear()
h = logging.StreamHandler(sys.stdout)
h.setFormatter(logging.Formatter("%(levelname)-8s|%(name)s|%(message)s"))
logger.addHandler(h)
logger.setLevel(logging.INFO)
logger.propagate = False
logger.debug("hidden")
logger.info("connected to %s:%d", "host", 5432)
logger.warning("slow query %.2fs", 1.234)
try:
    1 / 0
except ZeroDivisionError as e:
    logger.error("failed: %s", e)
print(logger.level, logging.getLevelName(40), logger.isEnabledFor(logging.DEBUG), logging.getLogger("app.db") is logger)
logger.setLevel("ERROR")
logger.info("no longer shown")
logger.log(logging.CRITICAL, {"structured": True})
logger.getEffectiveLevel(), logger.parent.name
# %% itertools recipes
from itertools import chain, combinations, count, cycle, filterfalse, groupby, islice, repeat, starmap, tee
def take(n, it): return list(islice(it, n))
def powerset(it):
    s = list(it)
    return chain.from_iterable(combinations(s, r) for r in range(len(s) + 1))
def unique_justseen(it, key=None): return map(next, map(lambda kg: kg[1], groupby(it, key)))
def partition(pred, it):
    a, b = tee(it)
    return list(filterfalse(pred, a)), list(filter(pred, b))
def ncycles(it, n): return chain.from_iterable(repeat(tuple(it), n))
def nth(it, n, default=None): return next(islice(it, n, None), default)
def all_equal(it):
    g = groupby(it)
    return next(g, True) and not next(g, False)
def dotproduct(a, b): return sum(starmap(lambda x, y: x * y, zip(a, b)))

print(take(3, count(10)), list(powerset("abc")), "".join(unique_justseen("AAAABBBCCDAABBB")))
print(partition(lambda x: x % 2, range(7)), list(ncycles("ab", 2)), nth("hello", 1), nth("hi", 9, "none"))
all_equal([1, 1.0, True]), all_equal("ab"), all_equal([]), dotproduct([1, 2, 3], [4, 5, 6]), take(4, cycle("xy"))
# %% ThreadPoolExecutor.map keeps order
from concurrent.futures import ThreadPoolExecutor
def square(n):
    return n * n

with ThreadPoolExecutor(max_workers=4) as pool:
    print(list(pool.map(square, range(6))))
    print(list(pool.map(lambda a, b: a + b, "abc", "xyz")))
    results = pool.map(lambda s: int(s), ["1", "2", "bad", "4"])
    try:
        for r in results:
            print(r)
    except ValueError as e:
        print(type(e).__name__, e)
with ThreadPoolExecutor() as ex:
    docs = ["a b", "c d e", ""]
    counts = dict(zip(docs, ex.map(lambda d: len(d.split()), docs)))
counts
# %% futures with submit and as_completed
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
def job(n):
    if n == 3:
        raise ValueError(f"job {n} failed")
    return n * 10

with ThreadPoolExecutor(max_workers=2) as ex:
    futures = {ex.submit(job, n): n for n in range(5)}
    results = {}
    for fut in as_completed(futures):
        n = futures[fut]
        try:
            results[n] = fut.result()
        except ValueError as e:
            results[n] = f"error: {e}"
print(dict(sorted(results.items())))
with ThreadPoolExecutor(1) as ex:
    f = ex.submit(pow, 2, 10)
    print(f.result(timeout=5), f.done(), f.exception(), f.cancelled())
    done, not_done = wait([ex.submit(job, i) for i in (3, 4)])
sorted(type(f.exception()).__name__ for f in done), len(not_done)
# %% threads with llm style batch workers
from concurrent.futures import ThreadPoolExecutor
import functools
def process(chunk, *, prefix=""):
    return f"{prefix}{sum(chunk)}"

chunks = [list(range(i, i + 3)) for i in range(0, 9, 3)]
with ThreadPoolExecutor(max_workers=3) as pool:
    futs = [pool.submit(process, c, prefix=f"#{i}=") for i, c in enumerate(chunks)]
    print([f.result() for f in futs])
    worker = functools.partial(process, prefix="total ")
    print(", ".join(pool.map(worker, chunks)))
    boom = pool.submit(lambda: {}["missing"])
print(type(boom.exception()).__name__, boom.exception())
boom.result()
# %% stack class with dunders
class Stack:
    def __init__(self, items=()): self._items = list(items)
    def push(self, x): self._items.append(x); return self
    def pop(self):
        if not self:
            raise IndexError("pop from empty stack")
        return self._items.pop()
    def __len__(self): return len(self._items)
    def __bool__(self): return bool(self._items)
    def __repr__(self): return f"Stack({self._items})"
    def __eq__(self, o): return isinstance(o, Stack) and o._items == self._items
    def __contains__(self, x): return x in self._items
    def __add__(self, o): return Stack(self._items + o._items)

def balanced(s):
    st, match = Stack(), {")": "(", "]": "[", "}": "{"}
    for c in s:
        if c in match.values(): st.push(c)
        elif c in match and (not st or st.pop() != match[c]): return False
    return not st

print([balanced(s) for s in ("([]{})", "([)]", "((", "", "}")], Stack("ab").push(3) + Stack([4]), Stack() == Stack([]), 2 in Stack([2]))
try:
    print(Stack().pop())
except Exception as exc:
    print(f"{type(exc).__name__}: {exc}")
# %% string module Formatter and textwrap in a report
import string, textwrap
class Safe(string.Formatter):
    def get_value(self, key, args, kwargs):
        return kwargs.get(key, f"<{key}?>") if isinstance(key, str) else args[key]

    def convert_field(self, value, conversion):
        return value.upper() if conversion == "u" else super().convert_field(value, conversion)

f = Safe()
print(f.format("{0} {name} {missing} {name!u} {1:>5}", "a", 7, name="bob"))
print(list(string.Formatter().parse("x{a!r:>{w}}y{{z")))
report = textwrap.dedent("""\
    Title:
      indented
    end""")
print(textwrap.indent(report, "| ", lambda l: not l.startswith("T")))
string.ascii_letters[24:28], string.Formatter().vformat("{a[0]}", (), {"a": [9]})
# %% custom exception hierarchies and chaining
class AppError(Exception):
    code = 500

class NotFound(AppError):
    code = 404
    def __init__(self, what, hint=None):
        super().__init__(f"{what} not found")
        self.what, self.hint = what, hint

def lookup(d, k):
    try:
        return d[k]
    except KeyError as e:
        raise NotFound(k, hint=sorted(d)) from e

for err in (NotFound("x"), AppError(), AppError("a", 2)):
    print(repr(err), str(err), err.args, err.code)
try:
    lookup({"a": 1, "b": 2}, "c")
except AppError as e:
    print(type(e).__name__, e, e.hint, repr(e.__cause__), e.__suppress_context__)
raise LookupError(str(NotFound("page")), NotFound.code)
# %% implicit context, from None and re-raise
def convert(s, quiet):
    try:
        return int(s)
    except ValueError:
        if quiet:
            raise TypeError(f"cannot use {s!r}") from None
        raise TypeError("second")

for quiet in (True, False):
    try:
        convert("q", quiet)
    except TypeError as e:
        print(e, "|", repr(e.__context__), e.__cause__, e.__suppress_context__)
def reraise(v):
    try:
        return 10 // v
    except ZeroDivisionError as e:
        e.add_note(f"v was {v}")
        raise
try:
    reraise(0)
except ArithmeticError as e:
    print(type(e).__name__, e, e.__notes__)
raise AssertionError("done: %d" % reraise(2))
# %% try, else, finally flows
def flow(x):
    trace = []
    try:
        trace.append("try")
        y = 10 / x
    except ZeroDivisionError:
        trace.append("except")
        return trace
    except (TypeError, ValueError) as e:
        trace.append(type(e).__name__)
    else:
        trace.append(f"else {y}")
    finally:
        trace.append("finally")
    return trace + ["end"]

for v in (4, 0, "s", None):
    print(v, flow(v))
# %% finally against return, continue and break
def override():
    try:
        return "try"
    finally:
        return "finally"
def loop():
    for i in range(3):
        try:
            if i == 1: continue
            if i == 2: break
        finally:
            print("fin", i)
loop()
assert override() == "finally", "never shown"
caught = None
try:
    assert 1 + 1 == 3, f"math says {1 + 1}"
except AssertionError as err:
    caught = str(err)
caught
# %% match statement over shapes of data
from dataclasses import dataclass
@dataclass
class Pt:
    x: int
    y: int

def describe(v):
    match v:
        case None | False: return "nothing"
        case bool(): return "true"
        case int(n) if n < 0: return f"negative {n}"
        case int() | float(): return "number"
        case "": return "empty text"
        case str(s): return f"text {s[:3]}"
        case []: return "empty list"
        case [x]: return f"one {x}"
        case [first, *rest]: return f"{first} then {len(rest)}"
        case {"type": "circle", "r": r, **other}: return f"circle r={r} {other}"
        case Pt(x=0, y=y): return f"on axis at {y}"
        case Pt(x, y): return f"point {x + y}"
        case _: return f"other {type(v).__name__}"

for v in (None, True, -5, 2.5, "", "hello", [], [1], (1, 2, 3), {"type": "circle", "r": 2, "c": "red"}, Pt(0, 7), Pt(1, 2), {1}, {}):
    print(describe(v))
# %% enum-free constants and bit flags
class Perm:
    READ, WRITE, EXEC = (1 << i for i in range(3))
    ALL = READ | WRITE | EXEC
    NAMES = {READ: "r", WRITE: "w", EXEC: "x"}

    @classmethod
    def text(cls, mask):
        return "".join(ch if mask & bit else "-" for bit, ch in cls.NAMES.items())

COLORS = RED, GREEN, BLUE = range(3)
print(Perm.ALL, Perm.text(Perm.READ | Perm.EXEC), Perm.text(Perm.ALL & ~Perm.WRITE), COLORS, BLUE)
mode = 0o754
print([Perm.text(int(bin(d)[2:].zfill(3)[::-1], 2)) for d in (mode >> 6 & 7, mode >> 3 & 7, mode & 7)], f"{mode:o} {mode:b}")
x = 0b1011
print(bin(x ^ 0b1111), x.bit_length(), bin(x).count("1"), x.bit_count(), x & -x, ~x, -x >> 1, x << 3)
[k for k in vars(Perm) if k.isupper()]
# %% inheritance, super and mro
class Base:
    registry = {}
    def __init_subclass__(cls, key=None, **kw):
        super().__init_subclass__(**kw)
        Base.registry[key or cls.__name__.lower()] = cls
    def who(self): return ["Base"]

class Left(Base):
    def who(self): return ["Left"] + super().who()
class Right(Base, key="r"):
    def who(self): return ["Right"] + super().who()
class Both(Left, Right):
    def who(self): return ["Both"] + super().who()
    def __getattr__(self, name):
        if name.startswith("dyn_"):
            return lambda *a: (name[4:], a)
        raise AttributeError(f"{type(self).__name__!r} has no {name!r}")

b = Both()
print(b.who(), [c.__name__ for c in Both.__mro__], sorted(Base.registry), b.dyn_go(1, 2), issubclass(Both, Right))
print(hasattr(b, "nope"), getattr(b, "nope", "dflt"), Both.__bases__ == (Left, Right), vars(b), isinstance(b, (int, Right)))
try:
    print(b.nope)
except AttributeError as e:
    print(type(e).__name__, "->", e.args)
# %% operator overloading on a vector
from math import hypot
class Vec:
    __slots__ = ("x", "y")
    def __init__(self, x=0, y=0): self.x, self.y = x, y
    def __repr__(self): return f"Vec({self.x!r}, {self.y!r})"
    def __add__(self, o): return Vec(self.x + o.x, self.y + o.y) if isinstance(o, Vec) else NotImplemented
    def __radd__(self, o): return self if o == 0 else NotImplemented
    def __mul__(self, k): return Vec(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __matmul__(self, o): return self.x * o.x + self.y * o.y
    def __neg__(self): return self * -1
    def __abs__(self): return hypot(self.x, self.y)
    def __eq__(self, o): return (self.x, self.y) == (o.x, o.y)
    def __hash__(self): return hash((self.x, self.y))
    def __iter__(self): yield self.x; yield self.y
    def __getitem__(self, i): return (self.x, self.y)[i]
    def __bool__(self): return any(self)
    def __call__(self, f): return Vec(*map(f, self))
v = Vec(3, 4)
print(v + Vec(1, 1), 2 * v, v * 0.5, v @ Vec(1, 2), -v, abs(v), v == Vec(3, 4), {v: 1}[Vec(3, 4)], bool(Vec()), v[-1], v(str), sum([v, v]))
v += Vec(1)
x, y = v
print(x, y, v, max(v), [*v])
v + 5
# %! type introspection helpers
import inspect
def f(a, b: int = 2, *args, key=None, **kw) -> str:
    "Doc line."
    return "x"

sig = inspect.signature(f)
print(sig, list(sig.parameters), sig.parameters["b"].default, sig.return_annotation)
print(f.__name__, f.__doc__, f.__defaults__, f.__kwdefaults__, f.__annotations__, f.__code__.co_varnames[:2])
print([n for n, m in inspect.getmembers(str, callable) if n.startswith("is")][:4], callable(f), inspect.isfunction(len))
class A:
    x: int = 1
    def m(self): ...
print([n for n in dir(A) if not n.startswith("_")], A.__name__, A().__class__ is A, type(A).__name__, A.__dict__["x"])
print(type(3).__name__, type(type).__name__, isinstance(True, int), int.__mro__, bool.__bases__)
sig.bind(1, b=5).arguments, inspect.getdoc(f)
# %% event simulation on a heap of dataclasses
import heapq
from collections import Counter
from dataclasses import dataclass, field
@dataclass(order=True)
class Event:
    t: float
    kind: str = field(compare=False)
    data: dict = field(compare=False, default_factory=dict)

queue, log, stats = [], [], Counter()
for t, who in [(2.5, "b"), (0.5, "a"), (1.0, "c")]:
    heapq.heappush(queue, Event(t, "arrive", {"who": who}))
while queue:
    ev = heapq.heappop(queue)
    stats[ev.kind] += 1
    log.append(f"{ev.t:>4}: {ev.kind} {ev.data['who']}")
    if ev.kind == "arrive":
        heapq.heappush(queue, Event(ev.t + 1.25, "leave", ev.data))
print("\n".join(log))
print(stats, Event(1, "x") < Event(2, "a"), Event(1, "x") == Event(1, "y"))
max([Event(3, "q"), Event(1, "r")])
# %% numeric tower and conversions
import numbers
for x in (1, True, 2.5, 1 + 2j, 10**25):
    print(type(x).__name__, isinstance(x, numbers.Integral), isinstance(x, numbers.Real), isinstance(x, numbers.Number))
print(int(3.99), int(-3.99), int("0x1f", 16), float("1e3"), float(" inf "), complex("1+2j"), bool("False"), int(True))
print((2.5).is_integer(), (4.0).as_integer_ratio(), (0.1).hex(), float.fromhex("0x1.8p1"), (1 + 2j).conjugate(), abs(3 - 4j), (5).bit_length())
print(0.1 + 0.2 == 0.3, 1e308 * 10, -1 / 3, 2 ** 0.5, 7 / 2, 7 // 2.0, 10 ** -2, 1_000_000, 0xFF, 1 == 1.0, hash(1) == hash(1.0))
for f in (lambda: int("1.5"), lambda: float("x"), lambda: int([]), lambda: 1 / 0.0, lambda: 5 % 0, lambda: complex("1+"), lambda: int(float("nan")), lambda: 2.0 ** 5000, lambda: 1 < 2j):
    try:
        f()
    except (ValueError, TypeError, ArithmeticError) as e:
        print(type(e).__name__, e)
sum([0.25] * 10), round(1234.567, -2), round(0.5 + 1e-9), 3 .real, divmod(7.5, 2)
# %% matrix operations without numpy
def matmul(a, b):
    if len(a[0]) != len(b):
        raise ValueError(f"shape mismatch: {len(a)}x{len(a[0])} @ {len(b)}x{len(b[0])}")
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]

transpose = lambda m: [list(r) for r in zip(*m)]
identity = lambda n: [[int(i == j) for j in range(n)] for i in range(n)]
def mpow(m, k):
    out = identity(len(m))
    while k:
        if k & 1:
            out = matmul(out, m)
        m, k = matmul(m, m), k >> 1
    return out

a = [[1, 2, 3], [4, 5, 6]]
print(matmul(a, transpose(a)), transpose(a), mpow([[1, 1], [1, 0]], 50)[0][1])
rot = lambda m: [list(r) for r in zip(*m[::-1])]
print(rot(a), [a[i][j] for j in range(3) for i in range(2)], sum(map(sum, a)), [max(c) for c in zip(*a)])
print("\n".join(" ".join(f"{v:>3}" for v in row) for row in matmul(identity(2), a)))
try:
    matmul(a, a)
except (ValueError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %! nonlocal counters and closures
def make_counter(start=0, step=1):
    n = start
    def inc(by=None):
        nonlocal n
        n += step if by is None else by
        return n
    def reset():
        nonlocal n
        n = start
    inc.reset = reset
    return inc

c, d = make_counter(), make_counter(10, 5)
print(c(), c(), d(), c(by=10), d())
c.reset()
print(c(), d(-100), c.__closure__ is not None, len(inc_cells := c.__closure__))
# %% global totals and the unbound local trap
total = 0
def add(x):
    global total
    total += x
    return total

print([add(i) for i in range(5)], total)
def broken():
    total += 1
for fn in (lambda: add(1), broken, lambda: nothing_here, lambda: add(total)):
    try:
        print(fn())
    except UnboundLocalError as e:
        print("unbound:", e)
    except NameError as e:
        print("name:", e, e.name)
def shadow(total=total):
    total *= 2
    return total
shadow(), total
# %% defaults, keyword-only and argument errors
def f(a, b=2, /, c=3, *args, d, e=5, **kw):
    return a, b, c, args, d, e, kw

print(f(1, d=4), f(1, 9, 8, 7, 6, d=0, z=1), f(*[1, 2], **{"d": 3, "c": 4}))
def acc(x, bucket=[]):
    bucket.append(x)
    return bucket
print(acc(1), acc(2), acc(3, []), acc.__defaults__)
def g(x, *, y): return x
def h(): pass
same = lambda x: x
for call in (lambda: f(1), lambda: f(), lambda: g(1, 2), lambda: g(1), lambda: h(1), lambda: h(k=1), lambda: g(1, y=2, x=3),
             lambda: same(), lambda: len(), lambda: max()):
    try:
        call()
    except TypeError as e:
        print(e)
# %% query helper with groupby and aggregates
from itertools import groupby
from operator import itemgetter
from statistics import mean
rows = [dict(zip(("dept", "name", "pay"), r)) for r in [("eng", "ann", 120), ("ops", "bob", 80), ("eng", "cy", 100), ("hr", "di", 70), ("ops", "ed", 95)]]
def query(rows, where=lambda r: True, group=None, agg=None, order=None, limit=None):
    out = [r for r in rows if where(r)]
    if group:
        out = sorted(out, key=itemgetter(group))
        out = [{group: k, **{name: fn(items) for name, fn in agg.items()}} for k, items in ((k, list(g)) for k, g in groupby(out, key=itemgetter(group)))]
    if order:
        key, rev = order.lstrip("-"), order.startswith("-")
        out = sorted(out, key=itemgetter(key), reverse=rev)
    return out[:limit]

print(query(rows, lambda r: r["pay"] >= 95, order="-pay", limit=2))
summary = query(rows, group="dept", agg={"n": len, "avg": lambda rs: mean(r["pay"] for r in rs), "top": lambda rs: max(rs, key=itemgetter("pay"))["name"]}, order="-avg")
for s in summary:
    print("{dept:<4}{n:>2}{avg:>8.1f} {top}".format(**s))
query(rows, order="age")
# %% times are read as the format says
from datetime import datetime
import time
for text, form in [("05:30", "%M:%S"), ("2024-01-15 14", "%Y-%m-%d %H"), ("5 PM", "%I %p"), ("03:15", "%I:%M"), ("12 am", "%I %p"), ("12 PM", "%I %p"),
                   ("01/02/69", "%m/%d/%y"), ("01/02/68", "%m/%d/%y"), ("2024050610", "%Y%m%d%H"), ("6/May/2024:10", "%d/%b/%Y:%H"), ("5/6/24 3 pm", "%m/%d/%y %I %p"),
                   ("45.123", "%S.%f"), ("10:11:12.5", "%H:%M:%S.%f"), ("12/31/99", "%m/%d/%Y"), ("24-05-06", "%Y-%m-%d"), ("Tue, 06 May 2024", "%a, %d %b %Y"),
                   ("2024- 5- 6", "%Y-%m-%d"), ("Sep 1", "%B %d"), ("september 1 2020", "%B %d %Y"), ("2024-05-06T10:11:12Z", "%Y-%m-%dT%H:%M:%SZ"),
                   ("2024-05-06T10:11:12+02:00", "%Y-%m-%dT%H:%M:%S%z"), ("2024-05-06 10:11:12 -0330", "%Y-%m-%d %H:%M:%S %z"), ("2024-05-06Z", "%Y-%m-%d%z"),
                   ("2024 100", "%Y %j"), ("2024 60", "%Y %j"), ("2024 10 1", "%Y %W %w"), ("2024 10 1", "%Y %U %w"), ("2024 10 3", "%G %V %u"), ("2024-05-06 extra", "%Y-%m-%d"),
                   (" 2024-05-06", "%Y-%m-%d"), ("2024-05-06 ", "%Y-%m-%d"), ("2024  05", "%Y %m"), ("2024-13-01", "%Y-%m-%d"), ("2023-02-29", "%Y-%m-%d"), ("100%", "%H0%%"),
                   ("x", "%Q"), ("x", "%"), ("Mon Jan  5 10:11:12 2024", "%c"), ("01/02/24", "%x"), ("10:11:12", "%X"), ("", ""), ("a", "A"),
                   ("20240506101112123456", "%Y%m%d%H%M%S%f"), ("1/2/2024 9:05", "%d/%m/%Y %H:%M"), ("UTC 10", "%Z %H"), ("24:00", "%H:%M"), ("2024-05-06 10:60", "%Y-%m-%d %H:%M")]:
    try:
        print(text, form, datetime.strptime(text, form))
    except ValueError as e:
        # Newer releases word what is out of range in another way.
        print(text, form, "" if "range" in str(e) else e)
for text, form in [("Mar  5 10:11:12", "%b %d %H:%M:%S"), ("2024", "%Y"), ("2024-05", "%Y-%m"), ("10:11", "%H:%M"), ("2024-05-06 10", "%Y-%m-%d %H")]:
    print(time.strptime(text, form)[:6])
# %% a name of a module that is bound anew
import json, re
class Own:
    def loads(self, text): return "own " + text
    def dumps(self, x, default=None): return "own"
json = Own()
print(json.loads("[1]"), json.dumps({1: 2}, default=str))
for re in ["abc"]:
    print(re.split("b"), re.find("c"))
