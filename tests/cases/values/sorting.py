# RUN: exec %
#
# Sorting by an order that is none.
import math, random
from collections import Counter, namedtuple
nan = float('nan')
random.seed(1)
for size in (3, 30, 100, 1000):
    xs = [random.random() for _ in range(size)]
    for at in range(0, size, max(1, size // 5)):
        ys = xs[:at] + [nan] + xs[at + 1:]
        for reverse in (False, True):
            zs = sorted(ys, reverse=reverse)
            assert len(zs) == size and sum(1 for z in zs if math.isnan(z)) == 1
            assert sorted(zs[:], key=lambda z: (math.isnan(z), z))[:-1] == sorted(x for x in ys if not math.isnan(x))
        assert len(sorted(ys, key=lambda y: (y, 1))) == size
P = namedtuple('P', 'x y')
class Odd:
    def __init__(self, n): self.n = n
    def __lt__(self, other): return random.random() < 0.5
odd = [P(Odd(n), n) for n in range(200)]
print(sorted(p.y for p in sorted(odd)) == list(range(200)))
print(Counter({'a': nan, 'b': 1, 'c': 2}).most_common()[0][0] in 'abc')
print(sorted([3, 1.5, True, 10 ** 30, -2]), sorted(['b', 'a', 'é']), sorted([(2, 'b'), (1, 'c'), (2, 'a')], reverse=True))
rows = [(i % 3, i) for i in range(12)]
print(sorted(rows, key=lambda r: r[0], reverse=True) == [r for k in (2, 1, 0) for r in rows if r[0] == k])
shared = list(range(100_000))
print(len(sorted((i % 7, shared) for i in range(300))))
try:
    sorted([1, 'a', 2])
except TypeError as e:
    print(e)
