# Counters, deques and default dictionaries that are asked for more elements than can be
from collections import Counter, defaultdict, deque
import random
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: deque(range(10), maxlen=10 ** 30))
go(lambda: deque([1], maxlen=-1))
go(lambda: deque([1, 2]) * 2 ** 31)
go(lambda: deque(range(1000)).rotate(10 ** 18))
go(lambda: Counter(a=10 ** 30).most_common(-10 ** 18))
tree = lambda: defaultdict(tree)
t = root = tree()
for i in range(100_000):
    t = t[i]
go(lambda: repr(root))
go(lambda: root == root)
go(lambda: random.choices([1], k=2 ** 40))
go(lambda: random.sample([1, 2], 2 ** 31, counts=[2 ** 40, 2 ** 40]))
go(lambda: list(Counter(a=10 ** 12).elements()))
d = defaultdict(lambda: defaultdict(list, {i: [i] * 100 for i in range(100)}))
for i in range(10 ** 9):
    d[i][i].append(d)
