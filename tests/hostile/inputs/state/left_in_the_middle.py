# Leaves everything that can be left halfway, bound to names and held by each other
import asyncio, io, csv, threading, contextlib, itertools, json
def endless():
    with contextlib.suppress(BaseException), threading.Lock() as lock:
        while True:
            try:
                yield locals if 0 else lock
            finally:
                kept.append(endless())
async def task(n):
    try:
        await soon(n)
    finally:
        await task(n + 1)
kept = []
g, h = endless(), endless()
next(g), next(h), kept.extend([g, h])
tasks = [task(n) for n in range(100)] + [soon(n) for n in range(100)] + [asyncio.gather(task(1), soon(2)), asyncio.sleep(10 ** 9)]
lock, manager, reader = threading.RLock(), contextlib.ExitStack(), csv.reader(io.StringIO('"a\n' * 1000))
lock.acquire(), manager.__enter__(), next(reader)
cycle, tee, loop = itertools.cycle(endless()), itertools.tee(g, 100), iter(lambda: next(cycle), 0)
[next(cycle) for _ in range(3)], [next(t) for t in tee[:3]]
it = iter(kept)
next(it)
kept.clear()
next(h)
