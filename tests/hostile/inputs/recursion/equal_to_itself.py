# Instances that compare, hash, order and count themselves to know what they are
class Self:
    def __eq__(self, other):
        return [other] == [self]
    def __hash__(self):
        return hash((self, 1))
    def __lt__(self, other):
        return other > self
    def __gt__(self, other):
        return (other,) < (self,)
    def __len__(self):
        return len(self)
    def __bool__(self):
        return not not self
    def __contains__(self, x):
        return x in self
    def __index__(self):
        return range(9)[self]
    def __int__(self):
        return int(self)
    def __neg__(self):
        return -self
    def __add__(self, x):
        return x + self
    __radd__ = __iadd__ = __sub__ = __mul__ = __or__ = __add__
a, b = Self(), Self()
for f in (lambda: a == b, lambda: hash(a), lambda: {a: 1}, lambda: a < b, lambda: sorted([a, b]), lambda: len(a), lambda: bool(a), lambda: 1 if a else 2, lambda: 1 in a, lambda: [1][a], lambda: int(a), lambda: -a, lambda: a + b, lambda: 1 + a, lambda: sum([a, b]), lambda: a in [b], lambda: [a].index(b), lambda: max(a, b), lambda: a | b, lambda: all([a]), lambda: list(filter(None, [a])), lambda: a and b, lambda: not a, lambda: [a, b].remove(b), lambda: {1: a} == {1: b}, lambda: divmod(a, b), lambda: a != b, lambda: a <= b):
    try:
        f()
    except RecursionError:
        print('deep')
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
