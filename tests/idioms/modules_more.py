# %% redirect none
from contextlib import redirect_stdout
with redirect_stdout(None):
    print('nothing')
print('something')
# %% message
import warnings
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    warnings.warn("dep", DeprecationWarning)
print(repr(w[0].message), f"{w[0].message!r}", str(w[-1].message), [w[0].category])
# %% tasks
import asyncio
async def f(x):
    print('begin', x)
    await asyncio.sleep(0.01)
    print('end', x)
    return x * 2
async def main():
    tasks = [asyncio.create_task(f(i)) for i in range(3)]
    print('made', len(tasks))
    print(await asyncio.gather(*tasks))
    a = asyncio.create_task(f(7))
    b = asyncio.create_task(f(8))
    x, y = await asyncio.gather(a, b)
    ts = []
    for i in range(2):
        ts.append(asyncio.create_task(f(i)))
    r = await asyncio.gather(*ts, return_exceptions=True)
    return x, y, r, await asyncio.gather(*[asyncio.create_task(f(i)) for i in range(2)])
print(asyncio.run(main()))
# %! tasks apart
import asyncio
async def f(x):
    return x * 2
async def main():
    t = asyncio.create_task(f(1))
    await asyncio.sleep(0)
    return await t
asyncio.run(main())
# %! semaphores
import asyncio
s = asyncio.Semaphore(3)
# %- os
import os
# %- path
from pathlib import Path
# %- open
open("data.txt").read()
# %- numpy
import numpy as np
# %- tqdm
from tqdm import tqdm
# %% class errors and types
class AppError(Exception): pass
class NotFound(AppError): pass
def f(k):
    if k == 1: raise NotFound('nf')
    if k == 2: raise ConnectionError('c')
    raise ValueError('v')
from collections.abc import Mapping, Sequence
for k in range(3):
    try:
        f(k)
    except Exception as e:
        print(type(e) is NotFound, type(e) == ValueError, type(e).__name__, isinstance(e, (AppError, Mapping)), isinstance({}, (Mapping, AppError)), isinstance([1], Sequence))
# %% sys exit in functions
import sys
def main(argv):
    if not argv:
        print('usage')
        sys.exit(2)
    return 0
try:
    main([])
except SystemExit as e:
    print('exit', e.code, e)
try:
    1/0
except ZeroDivisionError:
    t, v, tb = sys.exc_info()
    print(t.__name__, v)
# %% sys exit as value
import sys
die = sys.exit
try:
    die('bye')
except SystemExit as e:
    print(e)
# %% isinstance of typing with errors
from typing import Callable, Iterable
import numbers
try:
    raise EOFError('end')
except EOFError as e:
    print(isinstance(e, Exception), isinstance(print, Callable), isinstance(3, numbers.Number), isinstance('x', (int, Iterable)))
# %- with open
with open('data.txt') as f:
    text = f.read()
# %% tasks in methods
import asyncio
class Crawler:
    def __init__(self): self.seen = []
    async def visit(self, u):
        self.seen.append(u)
        await asyncio.sleep(0)
        return len(u)
    async def run(self, urls):
        tasks = []
        for u in urls:
            tasks.append(asyncio.create_task(self.visit(u)))
        results = await asyncio.gather(*tasks, return_exceptions=True)
        return dict(zip(urls, results))
c = Crawler()
print(asyncio.run(c.run(['a', 'bb'])), c.seen)
# %! task result
import asyncio
async def f(): return 1
async def main():
    t = asyncio.create_task(f())
    await asyncio.gather(t)
    return t.result()
asyncio.run(main())
# %% output of functions that goes elsewhere
import io, sys
from contextlib import redirect_stdout, redirect_stderr
from pprint import pprint
def f():
    print('in f', 1, sep='-')
    print('err', file=sys.stderr)
    sys.stdout.write('w\n')
    list(map(print, 'ab'))
buf, err = io.StringIO(), io.StringIO()
with redirect_stdout(buf) as b:
    f()
    print('here', end='!')
    with redirect_stderr(err):
        f()
    pprint([1, 2])
    inner = io.StringIO()
    with redirect_stdout(inner):
        print('inner', file=sys.stdout)
    print('to outer')
print(b is buf, repr(buf.getvalue()), repr(err.getvalue()), inner.getvalue())
try:
    with redirect_stdout(io.StringIO()) as s:
        print('lost')
        1 / 0
except ZeroDivisionError:
    print('back', s.getvalue())
def capture(fn, *args, emit=print):
    out = io.StringIO()
    with redirect_stdout(out):
        emit('begin')
        result = fn(*args)
    return result, out.getvalue()
capture(print, 1, 2), capture(lambda x: x + 1, 2)
# %% exceptions of modules under their names
import statistics, queue, graphlib, struct
from statistics import StatisticsError, mean
for f in (lambda: statistics.mean([]), lambda: queue.Queue().get_nowait(), lambda: list(graphlib.TopologicalSorter({1: [2], 2: [1]}).static_order()), lambda: struct.pack('b', 300)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, repr(e), e, e.args, isinstance(e, ValueError), isinstance(e, statistics.StatisticsError))
try:
    mean([])
except (KeyError, ValueError) as e:
    print('caught', e.__class__)
q = queue.Queue(maxsize=1)
q.put(1)
try:
    q.put_nowait(2)
except queue.Full:
    print('full')
try:
    raise queue.Empty
except KeyError:
    print('no')
except queue.Empty as e:
    print('own', repr(e))
issubclass(StatisticsError, ValueError), StatisticsError, queue.Empty, isinstance(3, int), graphlib.CycleError
# %% what fails has its own name
import statistics
statistics.stdev([1])
# %% gather with failures as results
import asyncio
class Fail(Exception): pass
async def f(x):
    if x % 2: raise Fail(f'odd {x}')
    return x
async def main():
    out = await asyncio.gather(*(f(i) for i in range(4)), return_exceptions=True)
    good = [r for r in out if not isinstance(r, BaseException)]
    bad = [f'{type(r).__name__}: {r}' for r in out if isinstance(r, Exception)]
    return good, bad, [isinstance(r, Fail) for r in out]
asyncio.run(main())
# %% warnings as exceptions and values
import warnings
class MyWarning(UserWarning):
    pass
def dep(cat=DeprecationWarning):
    warnings.warn("old", category=cat, stacklevel=2)
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    dep()
    warnings.warn("mine", MyWarning)
    warnings.warn(RuntimeWarning("rt"))
    warnings.warn("plain")
print([(x.category.__name__, str(x.message), x.category) for x in w], repr(w[0].message))
print(issubclass(w[1].category, UserWarning), isinstance(w[2].message, RuntimeWarning), w[0].category is DeprecationWarning)
warnings.filterwarnings("error", category=UserWarning)
for cat in (UserWarning, MyWarning, DeprecationWarning):
    try:
        warnings.warn("now", cat)
        print("quiet")
    except Warning as e:
        print(type(e).__name__, e)
raise UserWarning("careful")
# %% ports that are none
from urllib.parse import urlparse, urlsplit
for u in ('http://h:80/x', 'http://h', 'http://h:99999', 'http://h:ab'):
    try:
        print(urlparse(u).port, urlsplit(u).port)
    except ValueError as e:
        print(e)
# %% order of ids
import uuid
us = [uuid.uuid5(uuid.NAMESPACE_DNS, x) for x in 'abc']
sorted(us), min(us), us[0] < us[1], us[0] >= us[1]
