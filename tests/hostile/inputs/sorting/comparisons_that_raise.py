# Comparisons that fail now and then, with errors of all kinds, in the middle of sorting
import random
kinds = (ValueError, KeyError, StopIteration, MemoryError, RecursionError, KeyboardInterrupt, SystemExit, GeneratorExit, NotImplementedError, TimeoutError)
class Odd:
    def __init__(self, n):
        self.n = n
    def __lt__(self, other):
        if random.random() < 0.01:
            raise kinds[self.n % len(kinds)](str(self.n))
        return self.n < other.n
    __gt__ = __lt__
    __eq__ = __lt__
for turn in range(300):
    xs = [Odd(i * 7919 % 1000) for i in range(200)]
    for way in (lambda: xs.sort(), lambda: sorted(xs), lambda: min(xs), lambda: max(xs), lambda: xs.index(None), lambda: xs.remove(0), lambda: xs.sort(key=lambda x: [x], reverse=True)):
        try:
            way()
        except BaseException as e:
            kind = type(e)
    assert len(xs) == 200
print(kind)
