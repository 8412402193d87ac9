# Puts other things into modules and the classes of the library, and goes on using them
import heapq, functools, contextlib, io, collections, concurrent.futures, threading, queue, logging, warnings, statistics, types, csv, json, time
module = type(heapq)
for m in (heapq, functools, contextlib, io, concurrent.futures, threading, queue, logging, warnings, statistics, types, csv, json, time, collections):
    for name in ('__getattr__', '__repr__', 'print', '_rlm_kit', '__name__', 'heappush', 'Lock', 'StringIO', 'ThreadPoolExecutor', 'sleep', 'dumps', 'wraps'):
        try:
            setattr(m, name, m)
        except Exception as error:
            said = str(error)
module.__getattr__ = module.__repr__ = module.__eq__ = lambda *args: module
threading.Lock = queue.Queue = None
for t in (type(threading.current_thread()), concurrent.futures.Future, type(io.BytesIO()), types.SimpleNamespace, contextlib.suppress):
    try:
        t.__init__ = t._carry_out = t._finish = t.result = t.__enter__ = print
    except Exception as error:
        said = str(error)
print(heapq, module(1, {}), module('x', {'a': 1}).b)
import heapq, queue, threading, concurrent.futures
from heapq import heappush, nothing_at_all
from threading import Lock
concurrent.futures.wait([concurrent.futures.Future()])
