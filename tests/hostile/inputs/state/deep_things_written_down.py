# Has the session written down with chains deeper than any stack and large patterns
import re, functools
class Node: pass
x = t = f = n = d = p = 1
for i in range(12000):
    x, t, d, f, p = [x], (t,), {i: d}, (lambda f: lambda: f)(f), functools.partial(p) if callable(p) else print
    node = Node()
    node.next, n = n, node
frozen = (1,)
for i in range(200): frozen = frozenset([frozen, i])
patterns = [re.compile(f'(?:[a-z{i}]{{1,300}}|\\d)+') for i in range(100)]
for i in range(120):
    echo('y' * 100000)
