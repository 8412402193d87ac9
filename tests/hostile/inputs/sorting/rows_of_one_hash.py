# Tuples and frozen sets of numbers that are not equal and hash alike, in sets and counters
p = 2 ** 61 - 1
xs = [(i * p, (j * p, -1)) for i in range(60) for j in range(60)] + [(-1, i) for i in range(500)] + [(-2, i) for i in range(500)]
s = set(xs) | {frozenset([i * p, j * p]) for i in range(90) for j in range(90)}
print(len(s), len({hash(x) for x in s}))
from collections import Counter
c = Counter()
deep = ()
for i in range(20_000):
    deep = (deep[:2], i * p, deep[1:])
    c[deep] += 1
    c[(i * p,) * 300] += 1
len(c)
