# Keys that all have one hash, and say only after a long look that they are not equal
class Same:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        return 42
    def __eq__(self, other):
        return 'x' * 10_000 + str(self.n) == 'x' * 10_000 + str(other.n)
d, s = {}, set()
for i in range(100_000):
    d[Same(i)] = i
    s.add(Same(-i))
    s & {Same(i)}
