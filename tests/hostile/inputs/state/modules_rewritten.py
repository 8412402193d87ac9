# Writes into modules that others use, and into what is made of them
import math, json, re, random, time, sys, datetime, asyncio, itertools, functools, copy, string, heapq, textwrap
for module in (math, json, re, random, time, sys, datetime, asyncio, itertools, functools, copy, string, heapq, textwrap):
    for name in ('pi', 'dumps', 'loads', 'compile', 'random', 'time', 'sleep', 'stdout', 'gather', 'run', 'count', 'partial', 'deepcopy', 'digits', 'heappush', 'wrap', '__name__', '__dict__', 'new'):
        for way in (lambda: setattr(module, name, lambda *args, **more: [module]), lambda: module.__dict__.update({name: 3}), lambda: object.__setattr__(module, name, 3)):
            try:
                way()
                print('set', module, name)
            except Exception as error:
                said = str(error)
math = json = re = asyncio = None
import math, json, asyncio
[math.pi, json.dumps([1]), asyncio.gather, string.digits, heapq.heappush([], 1)]
