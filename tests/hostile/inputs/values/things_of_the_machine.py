# Is a list of what a value should never be: modules, namespaces, coroutines, handles
import sys, json, asyncio, heapq, threading, concurrent.futures, io
async def wait(): await soon(1)
def count():
    yield from count()
def make(x): return lambda: x
things = []
lock = threading.Lock()
lock.acquire()
things += [sys, json, heapq, type(heapq), asyncio, sys.stdout, wait(), wait, count(), count, make(1), make,
           soon(1), asyncio.gather(soon(2), wait()), asyncio.sleep(1), lock, io.StringIO('x' * 100000), print, FINAL, echo, context, files,
           concurrent.futures.ThreadPoolExecutor(3).submit(wait), iter(things), zip(things), map(print, things), reversed(things), __name__, things]
answer['content'] = things
things
