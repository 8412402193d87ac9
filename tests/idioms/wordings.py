# %% an equal key replaces the first one
d = {1: "a"}
d[True] = "b"
d
# %? too many values for a namedtuple with defaults
from collections import namedtuple
Point = namedtuple("Point", "x y z", defaults=[0])
Point(1, 2, 3, 4)
# %? hash of a tuple names what is unhashable
hash((1, [2]))
# %% positional-only name among the other keywords
def f(a, /, **kw): return a, kw
f(1, a=2)
# %? error of a function inside of a function
(lambda: (lambda q: q)())()
# %% error of a method names its class
class Item:
    def __init__(self, name): self.name = name
Item()
# %? errors of unpacked keywords name the module
def f(**kw): return kw
for call in (lambda: f(k=1, **{"k": 2}), lambda: f(**[1])):
    try:
        call()
    except TypeError as e:
        print(e)
# %? star before what is not iterable
print(*5)
# %% representation of a method of a builtin type
str.lower
# %! bytes as a value called with a list
make = bytes
make([25])
# %? fromhex of an odd number of digits
bytes.fromhex("abc")
# %% name of fromhex as a value
for fn in [bytes.fromhex]:
    print(fn.__name__)
# %? tuple and something else added
(1,) + [2]
# %? bytes and something else added
b"b" + "str"
# %? augmented operators other than += name themselves
x = 1
x -= "1"
# %% list parameter augmented with what is no list
def f(x, y):
    x += y
    return x
f([1], "ab")
# %? new attribute set on a builtin
try:
    setattr("s", "k", 1)
except AttributeError as e:
    print(e)
# %? attribute of a builtin that cannot be written
try:
    setattr(5, "real", 1)
except AttributeError as e:
    print(e)
# %? name of the attribute that could not be deleted
class User: ...
try:
    delattr(User(), "gone")
except AttributeError as e:
    print(e.name)
# %! __import__ is no name here
__import__("math").pi
# %? dict of a list of numbers
dict([1, 2])
# %? type of a reversed list
type(reversed([])).__name__
# %! number in digits of another script
int("٣")
# %? missing attribute of a SimpleNamespace
from types import SimpleNamespace
SimpleNamespace(a=1).depth
# %! runtime_checkable is refused without a separate hint
from typing import Protocol, runtime_checkable
@runtime_checkable
class Closable(Protocol):
    def close(self): ...
isinstance(3, Closable)
# %? representation of the flags of re
import re
re.I | re.M
# %? order of a set given to pprint
from pprint import pprint
pprint({3, 1, 2})
# %? randint of an empty range
import random
random.randint(5, 1)
# %? day that the month does not have
from datetime import date
date(2023, 2, 29)
# %% hour that does not exist
from datetime import datetime
datetime(2024, 1, 1, 25)
# %? date compared with a datetime
from datetime import date, datetime
date(2024, 1, 1) < datetime(2024, 1, 1)
# %? text of a date with a wrong month
from datetime import date
date.fromisoformat("2024-13-01")
# %% naive time subtracted from an aware time
from datetime import datetime, timezone
datetime(2024, 1, 1, tzinfo=timezone.utc) - datetime(2024, 1, 1)
# %? unknown keyword argument of a builtin
print(foo=1)
# %% missing argument of a method
class A:
    def f(self, x): pass
A().f()
# %% closures, bound methods and default arguments stored in objects
class Pipeline:
    def __init__(self, name="main", *, start=()):
        self.name = name
        self.steps = list(start)

    def add(self, fn, *args, **kw):
        self.steps.append(lambda value, fn=fn: fn(value, *args, **kw))
        return self

    def run(self, value, trace=None):
        trace = [] if trace is None else trace
        for step in self.steps:
            value = step(value)
            trace.append(value)
        return value

clean = Pipeline("clean", start=[str.strip]).add(str.split, ",").add(sorted, reverse=True)
steps = []
print(clean.run(" b,c,a ", steps), steps[0], clean.run("x"), Pipeline().run(5))
again = clean.run
clean.add("-".join)
print(again("1,2"), len(clean.steps), again.__self__ is clean, again.__name__)
try:
    Pipeline("p", [str.upper])
except TypeError as e:
    print(e)
# %? introspecting method names
fns = [str.upper, "a".join, [].append, {}.get, len, max, int, lambda x: x]
print([f.__name__ for f in fns])
print([callable(f) for f in fns])
class Greeter:
    def hi(self): return "hi"
g = Greeter()
print(g.hi.__name__, Greeter.hi.__qualname__, g.hi == g.hi, g.hi.__func__ is Greeter.hi)
type(g.hi).__name__, type("".join).__name__, type(len).__name__
