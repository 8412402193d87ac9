# Hands over values that hold themselves, by way of every kind of container
from collections import deque, defaultdict, OrderedDict
class Node: pass
x, d, q, n, w = [], {}, deque(), Node(), defaultdict(list)
x.extend([x, d, (x,)])
d['d'], d[1] = d, [x, d]
q.append(q)
n.n, n.x = n, x
w['w'].append(w)
o = OrderedDict(o=x)
o['o'] = o
for value in (x, d, q, n, w, o, [n, Node], (x, d, q, n, w, o)):
    for ask in (echo, later, llm_query_batched):
        try:
            print(f'{ask(value)!r}'[:80])
        except Exception as error:
            print(str(error)[:80])
later(x, d, *x, **{'d': d})
