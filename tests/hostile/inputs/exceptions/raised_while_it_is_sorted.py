# Raises out of comparing, hashing, indexing and counting, and goes on with what is half done
import heapq, functools, bisect, statistics, collections
count = [0]
class Raises:
    def fails(self, *other):
        count[0] += 1
        if count[0] % 3 == 0: raise (MemoryError, KeyboardInterrupt, RecursionError, ValueError)[count[0] % 4]('memory limit exceeded: no')
        xs.append(self), d.update({count[0]: self})
        return count[0] % 2
    __lt__ = __gt__ = __eq__ = __le__ = __hash__ = __len__ = __index__ = __contains__ = __add__ = __radd__ = __float__ = __int__ = fails
xs, d = [Raises() for _ in range(50)], {}
ways = [lambda: xs.sort(), lambda: sorted(xs, key=lambda x: x), lambda: {x: x for x in xs}, lambda: set(xs), lambda: heapq.heapify(xs), lambda: bisect.insort(xs, xs[0]), lambda: max(xs), lambda: sum(xs), lambda: xs.index(1), lambda: xs.remove(2),
        lambda: xs.count(3), lambda: statistics.mean(xs), lambda: collections.Counter(xs), lambda: functools.lru_cache(len)(xs[0]), lambda: d.pop(xs[0]), lambda: xs[xs[0]], lambda: range(xs[0]), lambda: 'x' * xs[0], lambda: xs == xs[:], lambda: d | {xs[0]: 1}]
while True:
    for way in ways:
        try:
            way()
        except BaseException as error:
            del xs[200:]
