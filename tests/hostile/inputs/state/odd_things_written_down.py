# Has the session written down while it holds what cannot be, and waits in the midst of it
import asyncio, io, re, json, itertools, functools, contextlib, threading, heapq, decimal, datetime, logging, collections
def gen(n):
    try:
        with contextlib.suppress(ValueError), threading.Lock():
            for i in iter(int, 1): yield [later('y' * 100000), echo('x' * 100000)]
    finally:
        return gen(n)
class Node:
    def __init__(self): self.me, self.kind = self, Node
    def __repr__(self): return 'x' * 100
async def task(n):
    g = gen(n)
    next(g)
    kept.append((g, Node(), lambda: (g, n, task), re.compile(f'a{n}*'), re.match('(a)', 'a'), functools.partial(task, g), iter(kept), {Node: g}.items(), itertools.count(n), range(n), map(task, kept), zip(kept, kept)))
    try:
        raise ValueError(n)
    except ValueError as error:
        kept.extend([error, type(error), io.StringIO('x' * n), decimal.Decimal(n), datetime.datetime.max, soon(n), asyncio.sleep(n), collections.deque(kept, 5), functools.lru_cache(task), print, echo, json, heapq, type(heapq), Node])
        await asyncio.gather(soon(kept[:0]), *[task(n + 1) for _ in range(n < 3 and 2)])
        raise
kept = []
try:
    await asyncio.gather(*[task(0) for _ in range(3)])
except ValueError:
    [echo('y' * 100000) for _ in range(200)]
kept
