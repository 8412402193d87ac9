# %% key errors of several key types
d = {"a": 1, 3: "three", (1, 2): "pair"}
for key in ("b", 4, None, 2.5, (2, 1), "it's", 'say "hi"', ""):
    try:
        d[key]
    except KeyError as e:
        print(type(e).__name__, str(e), e.args, repr(e), e.args[0] == key)
try:
    d.pop("zz")
except KeyError as e:
    print("pop:", e)
try:
    {1, 2}.remove(5)
except KeyError as e:
    print("remove:", e)
print(d.pop("zz", "default"), KeyError("a", 1), KeyError(), sep="|")
d["missing key"]

# %% index errors of sequences
cases = {
    "list": lambda: [1, 2][5],
    "negative": lambda: [1, 2][-3],
    "tuple": lambda: (1,)[1],
    "str": lambda: "abc"[3],
    "bytes": lambda: b"ab"[2],
    "range": lambda: range(3)[3],
    "pop empty": lambda: [].pop(),
    "pop index": lambda: [1].pop(3),
    "empty max": lambda: max([]),
    "split": lambda: "a b".split()[2],
}
for name, fn in cases.items():
    try:
        print(name, fn())
    except (IndexError, ValueError) as e:
        print(f"{name:<10} {type(e).__name__}: {e}")
xs = [1, 2, 3]
try:
    xs[7] = 0
except IndexError as e:
    print(type(e).__name__, e)
xs[-3:], xs[1:99]

# %% zero division in all spellings
import operator

for text, fn in [
    ("1 / 0", lambda: 1 / 0),
    ("1 // 0", lambda: 1 // 0),
    ("1 % 0", lambda: 1 % 0),
    ("1.5 / 0", lambda: 1.5 / 0),
    ("1.5 // 0", lambda: 1.5 // 0),
    ("1.5 % 0", lambda: 1.5 % 0.0),
    ("divmod", lambda: divmod(7, 0)),
    ("fdivmod", lambda: divmod(7.0, 0)),
    ("pow", lambda: 0 ** -1),
    ("fpow", lambda: 0.0 ** -2),
    ("modpow", lambda: pow(2, 3, 0)),
    ("complex", lambda: 1j / 0),
    ("truediv", lambda: operator.truediv(2, 0)),
]:
    try:
        fn()
    except (ZeroDivisionError, ValueError) as e:
        print(f"{text:>8}: {type(e).__name__}: {e}")
0 / 5, 0 ** 0, 0.0 ** 0, divmod(0, 3), -7 // 2

# %% value errors of conversions
def unhexed(text): return bytes.fromhex(text)

for fn, arg in [(int, "x"), (int, ""), (int, " 1 2 "), (int, "3.5"), (int, "\n"), (int, "١٢a"), (float, "x"), (float, ""),
                (float, "1,5"), (complex, "1+"), (int, float("nan")), (int, float("inf")), (chr, -1), (chr, 2 ** 21),
                (unhexed, "zz")]:
    try:
        print(fn.__name__, repr(arg), fn(arg))
    except (ValueError, OverflowError) as e:
        print(f"{fn.__name__}({arg!r}) -> {type(e).__name__}: {e}")
int("12a", 16), float("1e5"), int("-0")

# %% value errors of lists, strings and unpacking
def unpack(seq):
    a, b = seq
    return a, b

actions = [
    lambda: [1, 2].remove(3), lambda: ["a"].index("b"), lambda: (1,).index(2), lambda: "abc".index("z"),
    lambda: "abc".rindex("z"), lambda: "abc".split(""), lambda: unpack([1]), lambda: unpack("xyz"), lambda: unpack([]),
    lambda: max([]), lambda: min((), key=len), lambda: range(0, 5, 0), lambda: [][::0], lambda: "a".replace("", "-", 1).join([]).index("-"),
    lambda: dict([("a", 1, 2)]), lambda: "{} {".format(1), lambda: format(3, "q"), lambda: format("s", "d"), lambda: "%d%" % 1,
    lambda: list(zip([1], [1, 2], strict=True)), lambda: range(3).index(9), lambda: b"ab".index(b"c"),
]
for i, act in enumerate(actions):
    try:
        print(i, "no error:", act())
    except ValueError as e:
        print(i, e)
try:
    first, second = "abc".split("-")
except ValueError as e:
    print(type(e).__name__, e)

# %% type errors of wrong call arguments
def f(a, b, c=0, *, flag): ...
def g(): return 1
def h(x, *rest): ...
same = lambda q: q

calls = [
    lambda: f(), lambda: f(1, flag=1), lambda: f(1, 2), lambda: f(1, 2, 3, 4, flag=0), lambda: f(1, 2, flag=0, zoom=1),
    lambda: f(1, 2, a=3, flag=1), lambda: g(1), lambda: g(x=1), lambda: h(), lambda: h(rest=1, x=2), lambda: same(),
    lambda: len(), lambda: len(1, 2), lambda: [].append(), lambda: "a".upper(1), lambda: int("1", foo=2),
    lambda: sorted([1], lambda v: v), lambda: print(1, end=2), lambda: {}.get(), lambda: isinstance(1), lambda: round("x"),
]
for call in calls:
    try:
        call()
        print("fine")
    except TypeError as e:
        print(e)

# %% unsupported operands
import operator as op

values = [1, 2.5, "s", [1], (1,), None, {"a": 1}, {1}, b"b"]
for name, fn in (("+", op.add), ("-", op.sub), ("*", op.mul), ("<", op.lt), ("|", op.or_)):
    failures = set()
    for a in values:
        for b in values:
            if name == "+" and type(a) in (tuple, bytes):
                continue
            try:
                fn(a, b)
            except TypeError as e:
                failures.add(str(e))
    print(name, len(failures))
    print(*sorted(failures)[::7], sep="\n")
"count: " + str(3), [1] * 2 + [3], 2 * "ab", True + 1.5

# %% augmented and unary operators on wrong types
def attempt(code):
    try:
        return code()
    except TypeError as e:
        return f"TypeError: {e}"

def iadd(x, y):
    x += y
    return x

def isub(x, y):
    x -= y
    return x

for a, b in ((1, "1"), ("1", 1), (None, 1), ({}, {}), ({1}, {2})):
    print(f"{a!r} += {b!r}:", attempt(lambda: iadd(a, b)))
print(attempt(lambda: isub({1}, {2})))
print(attempt(lambda: -"a"), attempt(lambda: +None), attempt(lambda: ~1.5), attempt(lambda: abs("x")), sep="\n")
print(attempt(lambda: 2 ** "a"), attempt(lambda: [1] * 1.0), attempt(lambda: "ab" * "c"), attempt(lambda: 1 << 2.0), sep="\n")
t = (1, [2])
try:
    t[1] += [3]
except TypeError as e:
    print(type(e).__name__, e)
t

# %% not iterable, subscriptable, callable
num, real, text, nothing, nums, pair, table, pool = 5, 1.5, "abc", None, [1], (1,), {}, {1, 2}
things = [
    lambda: [x for x in num], lambda: list(nothing), lambda: dict(3), lambda: set(real), lambda: tuple(len), lambda: sum(7), lambda: sorted(True),
    lambda: num[0], lambda: nothing["a"], lambda: real[0], lambda: len[0], lambda: pool[0], lambda: num(), lambda: text(), lambda: nothing(),
    lambda: nums(0), lambda: table(), lambda: 3 in num, lambda: "a" in nothing, lambda: len(5), lambda: next(nums), lambda: iter(1), lambda: text["a"],
    lambda: nums["0"], lambda: pair[None], lambda: nums[1.0], lambda: table[[]], lambda: hash({}), lambda: {nums: 2}, lambda: reversed(pool),
    lambda: enumerate(3), lambda: zip([1], 2), lambda: map(len), lambda: list(map(3, [1])), lambda: ", ".join([1]), lambda: ", ".join(5),
]
for t in things:
    try:
        print("?", t())
    except TypeError as e:
        print(e)
try:
    a, b = num
except TypeError as e:
    print(type(e).__name__, e)

# %% item assignment and deletion refused
def attempt(fn, *args):
    try:
        fn(*args)
    except (TypeError, IndexError, KeyError, AttributeError) as e:
        print(f"{type(e).__name__:<15}{e}")

def put(obj, key, value): obj[key] = value
def cut(obj, key): del obj[key]

attempt(put, "abc", 0, "x")
attempt(put, (1, 2), 0, 9)
attempt(put, 5, 0, 1)
attempt(put, None, "k", 1)
attempt(put, [1], "a", 1)
attempt(put, [1], 3, 1)
attempt(put, [1], slice(0, 1), 5)
attempt(put, {}, [], 1)
attempt(put, b"ab", 0, 1)
attempt(cut, "abc", 0)
attempt(cut, (1,), 0)
attempt(cut, [1], 4)
attempt(cut, {"a": 1}, "b")
attempt(cut, range(3), 0)
attempt(put, frozenset(), 0, 1)

# %% attribute errors on builtin and user objects
import math

class User:
    name = "ada"

    def __init__(self):
        self.mail = "ada@example.org"

def attempt(fn):
    try:
        return fn()
    except AttributeError as e:
        return f"{e} (name={e.name!r})"

u = User()
for fn in (lambda: "x".foo, lambda: [].push(1), lambda: {}.a, lambda: None.split(), lambda: (1).real.bar, lambda: 1.5.x,
           lambda: (1, 2).append(3), lambda: len.x, lambda: u.nmae, lambda: User.mail, lambda: {1}.sort(), lambda: (lambda: 0).z,
           lambda: range(3).stop2, lambda: print.text, lambda: int.parse("4"), lambda: u.mail.domain, lambda: math.tau2):
    print(attempt(fn))
try:
    delattr(u, "gone")
except AttributeError as e:
    print(e)
getattr(u, "phone", None), hasattr(u, "mail"), hasattr(User, "mail")

# %% name errors and unbound locals
def uses_missing(): return undefined_variable + 1

def unbound():
    total += 1

def branch(flag):
    if flag:
        value = 1
    return value

def deleted():
    x = 1
    del x
    return x

def free():
    def inner(): return later
    inner()
    later = 1

for fn in (uses_missing, unbound, lambda: branch(False), deleted, free):
    try:
        fn()
    except NameError as e:
        print(type(e).__name__, "|", e)
branch(True)

# %% recursion error type only
def forever(n):
    return forever(n + 1) + 1

class Loop:
    def __repr__(self):
        return repr([self])

def reach(fn):
    try:
        fn()
    except RecursionError as e:
        return type(e).__name__, isinstance(e, RuntimeError)

print(reach(lambda: forever(0)))
print(reach(lambda: (lambda f: f(f))(lambda f: f(f))))
print(reach(lambda: repr(Loop())))
deep = lambda n: 0 if n == 0 else 1 + deep(n - 1)
deep(200)

# %% assertions of all kinds
def check(*conds):
    for i, (ok, msg) in enumerate(conds):
        try:
            if msg is None:
                assert ok
            else:
                assert ok, msg
        except AssertionError as e:
            print(i, repr(e), repr(str(e)), e.args)
        else:
            print(i, "held")

check((True, None), (0, None), ([], "empty list"), ("", ("a", 1)), (None, 3), (1, "unused"), (False, f"{2 + 2=}"))
data = {"n": -1}
assert isinstance(data["n"], int) and data["n"] >= 0, f"n must be >= 0, got {data['n']}"

# %% raise from and the context chain
def load(raw):
    try:
        return int(raw)
    except ValueError as err:
        raise RuntimeError("load failed") from err

def quiet(raw):
    try:
        return int(raw)
    except ValueError:
        raise KeyError(raw) from None

def implicit(raw):
    try:
        return int(raw)
    except ValueError:
        return {}["fallback"]

for fn in (load, quiet, implicit):
    try:
        fn("x9")
    except Exception as e:
        print(fn.__name__, repr(e), "cause:", repr(e.__cause__), "ctx:", type(e.__context__).__name__, e.__suppress_context__)
try:
    raise ValueError("outer") from ZeroDivisionError("inner")
except ValueError as e:
    print(repr(e), repr(e.__cause__), e.__context__)

# %% args, str and repr of exceptions
samples = [ValueError(), ValueError("a"), ValueError("a", 2), ValueError(None), ValueError(("t", 1)), KeyError("k"), KeyError(3),
           KeyError("a", "b"), IndexError(""), TypeError({"x": [1]}), StopIteration(5), OSError(2, "No such thing"), OSError("plain"),
           OSError(2, "No such thing", "file.txt"), Exception("line\nbreak"), Exception(ValueError("nested")), SystemExit(3), KeyboardInterrupt()]
for e in samples:
    print(f"{type(e).__name__:<18} str={str(e)!r:<34} {e!r}  {len(e.args)}")
print(samples[2].args[1] + 1, samples[10].value, samples[11].errno, samples[11].strerror, samples[13].filename, type(samples[13]).__name__)
raise samples[2]

# %% nested handlers and bare raise
log = []

def inner(n):
    try:
        return [10, 0][n] / n
    except ZeroDivisionError:
        log.append("inner saw zero")
        raise
    except IndexError as e:
        log.append(f"inner translates {e}")
        raise ValueError("translated") from e
    finally:
        log.append(f"finally {n}")

for n in (0, 1, 2):
    try:
        try:
            log.append(inner(n))
        except ZeroDivisionError as e:
            log.append(f"outer {e}")
            raise LookupError("relabelled")
    except (LookupError, ValueError) as e:
        log.append(f"{type(e).__name__}: {e}")
print(*log, sep="\n")
try:
    raise
except RuntimeError as e:
    print(e)

# %% order of finally blocks
trail = []

def f(kind):
    try:
        trail.append("try")
        if kind == "return":
            return trail.append("value")
        if kind == "raise":
            raise OSError("boom")
    except OSError as e:
        trail.append(f"except {e}")
        return "handled"
    else:
        trail.append("else")
    finally:
        trail.append("finally")
    trail.append("after")

for kind in ("return", "raise", "fall"):
    trail.clear()
    print(kind, f(kind), trail)
try:
    try:
        1 / 0
    finally:
        print("cleanup")
except ZeroDivisionError:
    print("caught")

# %- except tuple and exception variables
def convert(x):
    try:
        return float(x) / len(str(x))
    except (TypeError, ValueError) as e:
        return type(e).__name__, str(e)[:38]

print([convert(x) for x in ("2.50", None, "abc", [], b"4")])
NUMERIC = (ZeroDivisionError, OverflowError)
for fn in (lambda: 1 / 0, lambda: 2.0 ** 5000, lambda: int("q")):
    try:
        fn()
    except NUMERIC as e:
        print("numeric", e)
    except Exception as e:
        print("other", e)
err = "before"
try:
    raise ValueError("gone after the block")
except ValueError as err:
    kept = err
print(kept, "err" in dir())
err

# %% last line of the formatted traceback
import traceback

def compute(data):
    return data["total"] / data["n"]

for data in ({"total": 3, "n": 0}, {"total": 3}, None, {"total": "3", "n": 1}):
    try:
        compute(data)
    except Exception as e:
        tb = traceback.format_exc()
        print(tb.strip().splitlines()[-1], "|", tb.splitlines()[0])
        print(traceback.format_exception_only(type(e), e))
print(issubclass(KeyError, LookupError), KeyError.__mro__[1].__name__, ZeroDivisionError.__bases__[0].__name__)

# %% error messages formatted for a user
def safe_eval(op, a, b):
    table = {"+": lambda: a + b, "/": lambda: a / b, "%": lambda: a % b, "[]": lambda: a[b]}
    try:
        result = table[op]()
    except ZeroDivisionError:
        return "Error: cannot divide by zero"
    except KeyError as e:
        return f"Error: unknown operator or key {e}"
    except Exception as e:
        return f"Error ({e.__class__.__name__}): {e}".rstrip(".") + "."
    return f"{a!r} {op} {b!r} = {result!r}"

for args in [("+", 1, 2), ("/", 1, 0), ("^", 1, 2), ("+", "a", 1), ("[]", {"k": 1}, "z"), ("[]", [1], 4), ("%", "%d", "x"), ("%", "%s-%s", (1,)), ("%", "%(a)s", {})]:
    print(safe_eval(*args))
try:
    safe_eval("+", 1)
except TypeError as e:
    print(type(e).__name__, e)

# %% overflow and arithmetic limits
import math

for label, fn in {
    "exp": lambda: math.exp(1000), "pow": lambda: 10.0 ** 400, "int to float": lambda: float(10 ** 400), "div": lambda: 10 ** 400 / 3,
    "inf to int": lambda: int(float("-inf")), "nan round": lambda: round(float("nan")), "sqrt": lambda: math.sqrt(-1), "log": lambda: math.log(0),
    "fact": lambda: math.factorial(-1), "chr": lambda: chr(0x110000), "bytes": lambda: bytes([300]), "to_bytes": lambda: (-1).to_bytes(2, "big"),
    "range len": lambda: len(range(10 ** 20)), "repeat": lambda: "ab" * 10 ** 20, "shift": lambda: 1 << -1, "acos": lambda: math.acos(2), "ceil": lambda: math.ceil(float("inf")),
}.items():
    try:
        print(label, fn())
    except (OverflowError, ValueError) as e:
        print(f"{label:<13}{type(e).__name__}: {e}")
print(math.inf > 10 ** 400, 1e308 * 10 == math.inf, 10 ** 400 // 10 ** 398)
math.isnan(math.inf - math.inf), math.floor(-2.5), math.trunc(-2.5)

# %% unicode errors
for raw in (b"\xff\xfe", b"caf\xc3", b"ok \x80 bad", "é".encode("latin-1")):
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as e:
        print(e, "|", e.start, e.end, e.reason, e.object[:2])
        print("   ", raw.decode("utf-8", errors="replace"), raw.decode("utf-8", "ignore"), raw.decode("latin-1"))
for text, enc in (("naïve", "ascii"), ("€5", "latin-1")):
    try:
        text.encode(enc)
    except UnicodeEncodeError as e:
        print(e)
try:
    "abc".encode("utf-99")
except LookupError as e:
    print(type(e).__name__, e)
try:
    b"\xe2\x82".decode()
except ValueError as e:
    print(type(e).__name__, e)

# %% stop iteration and generator errors
def gen():
    x = yield 1
    if x == "stop":
        return "result"
    next(iter([]))

g = gen()
next(g)
try:
    g.send("stop")
except StopIteration as e:
    print(e.value, e.args)
g = gen()
try:
    g.send("early")
except TypeError as e:
    print(e)
next(g)
try:
    g.send(None)
except RuntimeError as e:
    print(type(e).__name__, e, repr(e.__cause__))

# %% catching base classes and selecting handlers by a table
HANDLERS = {LookupError: "lookup", ArithmeticError: "math", OSError: "system", Exception: "general"}

def route(exc):
    for cls in type(exc).__mro__:
        if cls in HANDLERS:
            return HANDLERS[cls]

raised = []
for make in (lambda: {}["x"], lambda: [][0], lambda: 1 % 0, lambda: int("!"), lambda: 9.0 ** 999):
    try:
        make()
    except Exception as e:
        raised.append(e)
for e in raised + [FileNotFoundError("f"), TimeoutError(), NotImplementedError("todo"), UnicodeError("u")]:
    print(f"{type(e).__name__:<20}{route(e):<9}{e}")
print(route(KeyboardInterrupt()), isinstance(raised[0], (ValueError, KeyError)))
raise NotImplementedError("the end of the table")
