# %% a class with attributes, properties, methods and other special methods
class ApiError(Exception):
    retryable = False
    def __init__(self, message, *, status=500, details=None):
        super().__init__(message)
        self.status = status
        self.details = details or {}
    def __str__(self):
        return f"[{self.status}] {super().__str__()}"
    def __repr__(self):
        return f"{type(self).__name__}({self.args[0]!r}, status={self.status})"
    def __eq__(self, other):
        return isinstance(other, ApiError) and self.status == other.status
    def __hash__(self):
        return hash(self.status)
    @property
    def is_client(self):
        return 400 <= self.status < 500
    @classmethod
    def of(cls, status):
        return cls("made", status=status)
class RateLimit(ApiError):
    retryable = True
    def __init__(self, after):
        super().__init__("slow down", status=429, details={"after": after})
        self.after = after
for make in (lambda: ApiError("bad"), lambda: RateLimit(3), lambda: RateLimit.of(4) if False else ApiError.of(404)):
    try:
        raise make()
    except ApiError as e:
        print(str(e), repr(e), e.args, e.status, e.details, e.is_client, e.retryable, type(e).__mro__)
print(ApiError("a") == ApiError("b"), len({ApiError("a"), ApiError("b")}), ApiError("x", status=1) in [ApiError("y", status=1)])
raise RateLimit(7)

# %% several bases and mixins
class Coded:
    code = "E000"
    def describe(self):
        return f"{self.code}: {self}"
class NotFound(Coded, KeyError):
    code = "E404"
class Both(ValueError, LookupError):
    pass
class Deep(NotFound, Both):
    code = "E500"
for kind in (NotFound, Both, Deep):
    try:
        raise kind("thing")
    except LookupError as e:
        print(kind.__name__, str(e), e.args, isinstance(e, ValueError), isinstance(e, KeyError), getattr(e, "describe", lambda: None)())
print(issubclass(Deep, Both), issubclass(Deep, Exception), issubclass(Both, KeyError))
try:
    raise Both("x")
except (KeyError, TypeError):
    print("no")
except (IndexError, ValueError) as e:
    print("yes", repr(e))

# %% a dataclass that is an exception
from dataclasses import dataclass, field
@dataclass
class Invalid(Exception):
    name: str
    problems: list = field(default_factory=list)
    def __str__(self):
        return f"{self.name}: {', '.join(self.problems)}"
try:
    raise Invalid("cfg", ["a", "b"])
except Invalid as e:
    print(e, e.name, e.problems, e == Invalid("cfg", ["a", "b"]))
@dataclass(frozen=True)
class Frozen(ValueError):
    n: int
try:
    raise Frozen(3)
except ValueError as e:
    print(e.n, repr(e))

# %% attributes of exceptions that the interpreter raises
def attempt(f):
    try:
        f()
    except Exception as e:
        return e
e = attempt(lambda: {}[3])
e.hint = "look"
e.seen = [1]
e.seen.append(2)
print(e.hint, e.seen, e.args, e.__dict__)
e = attempt(lambda: int("x"))
e.args = ("changed", 2)
print(e, e.args)
e = attempt(lambda: [].nothing)
print(e.name, type(e).__name__)
e = attempt(lambda: undefined_name)
print(e.name)
e = attempt(lambda: {1: 2}[(1, 2)])
print(e.args, e.args[0] == (1, 2), str(e))
try:
    import no_such_module
except ImportError as e:
    print(e.name, e.msg)
del_me = ValueError("x")
del_me.extra = 1
del del_me.extra
print(hasattr(del_me, "extra"), hasattr(del_me, "args"))

# %% causes, contexts and suppression
def load(n):
    try:
        return {"a": 1}[n]
    except KeyError as e:
        raise ValueError(f"no {n}") from e
try:
    load("b")
except ValueError as e:
    print(repr(e.__cause__), e.__cause__ is e.__context__, e.__suppress_context__)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise TypeError("second")
except TypeError as e:
    print(repr(e.__context__), e.__cause__, e.__suppress_context__)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise TypeError("third") from None
except TypeError as e:
    print(repr(e.__context__), e.__cause__, e.__suppress_context__)
try:
    try:
        raise KeyError("a")
    finally:
        raise IndexError("b")
except IndexError as e:
    print(repr(e.__context__))
try:
    try:
        raise KeyError("a")
    except KeyError:
        try:
            raise ValueError("b")
        except ValueError:
            pass
        raise RuntimeError("c")
except RuntimeError as e:
    print(repr(e.__context__), repr(e.__context__.__context__))
def chain(e):
    out = []
    while e is not None:
        out.append(type(e).__name__)
        e = e.__cause__ or (None if e.__suppress_context__ else e.__context__)
    return out
try:
    try:
        try:
            {}["x"]
        except KeyError as e:
            raise ValueError("v") from e
    except ValueError as e:
        raise RuntimeError("r")
except RuntimeError as e:
    print(chain(e))
try:
    raise ValueError("x") from TypeError
except ValueError as e:
    print(repr(e.__cause__))
try:
    raise ValueError("x") from 3
except TypeError as e:
    print(e)

# %% notes and tracebacks
try:
    try:
        raise ValueError("base")
    except ValueError as e:
        e.add_note("first")
        e.add_note("second")
        raise
except ValueError as e:
    print(e.__notes__, e.with_traceback(None) is e)
class Noted(Exception):
    pass
e = Noted("n")
e.add_note("own")
print(e.__notes__, hasattr(ValueError(), "__notes__"))
try:
    e.add_note(3)
except TypeError as problem:
    print(problem)

# %% the same object, wherever it passes
class Stop(Exception):
    def __init__(self, payload):
        self.payload = payload
made = []
def thrower(x):
    s = Stop({"x": x})
    made.append(s)
    raise s
for way in (lambda: sorted([3, 1], key=thrower), lambda: list(map(thrower, [5])), lambda: max([1, 2], key=thrower),
            lambda: [thrower(i) for i in range(2)], lambda: next(thrower(i) for i in [9])):
    try:
        way()
    except Stop as e:
        print(e is made[-1], e.payload, e.args)
class Lazy:
    def __getattr__(self, name):
        if name == "miss":
            raise AttributeError("custom", name)
        raise Stop(name)
    def __len__(self):
        raise Stop("len")
    def __eq__(self, other):
        raise Stop("eq")
try:
    Lazy().anything
except Stop as e:
    print(e.payload)
print(hasattr(Lazy(), "miss"), getattr(Lazy(), "miss", "default"))
for way in (lambda: len(Lazy()), lambda: Lazy() == 1, lambda: Lazy() in [2]):
    try:
        way()
    except Stop as e:
        print(e.payload)

# %% generators give and take exceptions
class Halt(Exception):
    def __init__(self, n):
        super().__init__(n)
        self.n = n
def work():
    total = 0
    while True:
        try:
            total += (yield total) or 0
        except Halt as e:
            total -= e.n
        except ValueError:
            return ["done", total]
g = work()
next(g)
print(g.send(5), g.throw(Halt(2)), g.send(1))
try:
    g.throw(ValueError)
except StopIteration as e:
    print(e.value, e.args)
for start in (False, True):
    g = work()
    if start:
        next(g)
        g.close()
    try:
        g.throw(Halt(8))
    except Halt as e:
        print("thrown", e.n, e.args, start)
def inner():
    yield 1
    raise Halt(7)
def outer():
    try:
        yield from inner()
    except Halt as e:
        yield ("caught", e.n)
        raise RuntimeError("after") from e
out = []
try:
    for x in outer():
        out.append(x)
except RuntimeError as e:
    print(out, repr(e.__cause__), e.__cause__.n)
def returns():
    yield 1
    return {"k": (1, 2)}
def delegates():
    r = yield from returns()
    yield r["k"]
print(list(delegates()))

# %% contexts managers see the class and the object
class Guard:
    def __init__(self):
        self.seen = []
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        self.seen.append((kind, error))
        return kind is not None and issubclass(kind, LookupError)
class Missing(LookupError):
    def __init__(self, key):
        super().__init__(f"missing {key}")
        self.key = key
g = Guard()
with g:
    raise Missing("a")
with g:
    {}["k"]
print([(k.__name__, str(e), getattr(e, "key", None)) for k, e in g.seen], g.seen[0][0] is Missing)
try:
    with g:
        raise ValueError("out")
except ValueError as e:
    print(g.seen[-1][1] is e)
from contextlib import suppress, contextmanager
with suppress(Missing, OSError):
    raise Missing("b")
@contextmanager
def wrapping():
    try:
        yield "in"
    except Missing as e:
        raise RuntimeError("wrapped") from e
try:
    with wrapping() as w:
        raise Missing(w)
except RuntimeError as e:
    print(e, e.__cause__.key)

# %% tasks and results that are exceptions
import asyncio
class Failed(Exception):
    def __init__(self, n):
        super().__init__("failed", n)
        self.n = n
async def job(n):
    await asyncio.sleep(0.001 * n)
    if n % 2:
        raise Failed(n)
    return n
async def main():
    got = await asyncio.gather(*[job(i) for i in range(4)], return_exceptions=True)
    print([g if isinstance(g, int) else (type(g).__name__, g.n, g.args) for g in got])
    try:
        await asyncio.gather(job(2), job(1))
    except Failed as e:
        print(e.n, e.args)
    try:
        await job(3)
    except Failed as e:
        print(repr(e), e.__context__)
asyncio.run(main())

# %% errors of the system
for args in ((2, "No such file", "a.txt"), (13, "denied"), (17, "there", "b"), ("text",), (5, "io", "f"), (17, "x")):
    e = OSError(*args)
    print(type(e).__name__, e.errno, e.strerror, e.filename, e.args, str(e))
class Disk(OSError):
    pass
e = Disk(28, "full", "/tmp/x")
print(repr(e), e, e.errno, e.filename)
try:
    raise FileNotFoundError("config.toml")
except OSError as e:
    print(e, e.errno, e.args)
try:
    raise ConnectionResetError(104, "reset")
except ConnectionError as e:
    print(type(e).__name__, e.errno, e)

# %% classes as values, in tables and by name
class A(Exception): pass
class B(A): pass
table = {A: "a", B: "b", ValueError: "v"}
def kind_of(f):
    try:
        f()
    except tuple(table) as e:
        return table[type(e)], e.__class__.__name__
def raises(e):
    raise e
print([kind_of(lambda e=e: raises(e)) for e in (A, B("x"), ValueError)])
names = {c.__name__: c for c in (A, B, KeyError)}
try:
    raise names["B"]("by name")
except A as e:
    print(type(e) is B, e)
print(Exception.__name__, A.__bases__, B.__base__, KeyError.__mro__)
try:
    raise 3
except TypeError as e:
    print(e)
try:
    raise int
except TypeError as e:
    print(e)
try:
    try:
        raise A
    except int:
        pass
except TypeError as e:
    print(e)

# %% asserts with anything
try:
    assert 1 == 2, {"why": "because"}
except AssertionError as e:
    print(e.args, e)
try:
    assert [], ("a", 1)
except AssertionError as e:
    print(e.args)
try:
    assert False, ValueError("inner")
except AssertionError as e:
    print(repr(e.args[0]))

# %% an exception in a variable outlives its handler
saved = []
class Keep(Exception):
    pass
for i in range(3):
    try:
        raise Keep(i, [i])
    except Keep as e:
        saved.append(e)
print([(e.args, repr(e)) for e in saved], saved[0] is not saved[1])
try:
    e
except NameError:
    print("unbound")
import copy
c = copy.copy(saved[1])
print(c.args, type(c) is Keep, c is saved[1])
try:
    raise saved[2]
except Keep as again:
    print(again is saved[2])

# %% logs and tracebacks name what was handled
import logging, io, traceback
stream = io.StringIO()
handler = logging.StreamHandler(stream)
handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
log = logging.getLogger("tracebacks")
log.addHandler(handler)
log.propagate = False
class Broken(Exception):
    pass
def ends(text):
    return [line for line in text.splitlines() if not line.startswith("  ")]
try:
    try:
        {}["k"]
    except KeyError as e:
        raise Broken("no k") from e
except Broken as e:
    log.exception("failed")
    log.error("again", exc_info=e)
    log.error("quiet")
    print([line.replace("__main__.", "") for line in ends(traceback.format_exc())])
    print([line.replace("__main__.", "") for line in ends("".join(traceback.format_exception(e, chain=False)))])
print(*[line.replace("__main__.", "") for line in ends(stream.getvalue())][-3:], sep="|")
print("failed" in stream.getvalue(), stream.getvalue().count("Broken: no k"))

# %% classes show their module
class Plain:
    class Inner:
        pass
print(Plain, type(Plain()), [Plain], {"c": Plain}, f"{Plain}", str(Plain))
from dataclasses import dataclass
from enum import Enum
@dataclass
class Point:
    x: int
class Color(Enum):
    RED = 1
print(Point, type(Point(1)), Color, type(Color.RED))

# %% dates that are out of range
from datetime import date, datetime, timedelta
for f in (lambda: date.max + timedelta(1), lambda: date.min - timedelta(1), lambda: datetime.max + timedelta(seconds=1),
          lambda: datetime(2024, 1, 1) + timedelta(days=9_000_000), lambda: datetime.fromtimestamp(1772200000000)):
    try:
        f()
    except OverflowError as e:
        print("overflow", e)
    except ValueError as e:
        print("value")
print(date(2024, 2, 28) + timedelta(2), datetime(2024, 1, 1) - timedelta(hours=1))

# %% a class below KeyError in its own words
class Own(KeyError):
    def __str__(self):
        return "in my words"
print(str(Own(1)), repr(Own(1)))
# %% classes behind an exception's builtin types
class Tracked:
    def __init__(self, *a, **k): self.tracked = True
    def __str__(self): return "tracked"
    def label(self): return "label of " + type(self).__name__
class AppError(ValueError, Tracked):
    def __init__(self, msg, code):
        super().__init__(msg)
        self.code = code
e = AppError("x", 5)
print(e, e.args, repr(e), e.code, e.label(), hasattr(e, "tracked"), [c.__name__ for c in AppError.__mro__])
class Describe:
    def __str__(self): return "described"
    def __repr__(self): return "repr described"
class Base(Exception): pass
class NotFound(Base, Describe): pass
class Other(Describe, Base): pass
print(NotFound("user"), repr(NotFound("user")), Other("user"), repr(Other("u")))
for c in (NotFound, Other): print([x.__name__ for x in c.__mro__])
class A: pass
class B(A): pass
class C(A): pass
class V(B, ValueError, C): pass
class W(KeyError, B): pass
class X(Base, W, B): pass
for c in (V, W, X): print([x.__name__ for x in c.__mro__])
class Sub(AppError):
    def __init__(self, *a): super().__init__("sub", *a)
    def __str__(self): return "<" + super().__str__() + ">"
print(Sub(1), repr(Sub(2)), Sub(3).code, Sub(4).label())
try:
    raise Sub(9)
except ValueError as e:
    print(type(e).__name__, e, e.code)
class Made(Exception, Tracked):
    pass
print(Made("a", 1), Made().args, hasattr(Made(), "tracked"))
