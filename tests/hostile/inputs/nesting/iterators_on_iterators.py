# iterators on iterators: one next goes through all of them
import itertools, functools
a, b, c, d, e = [1], iter([1]), iter([1]), lambda x: x, int
for _ in range(30000):
    a, b, c = enumerate(a), itertools.chain(b, b), itertools.islice(c, 1)
    d, e = functools.partial(d), e | type(None)
for f in [lambda: list(a), lambda: next(b), lambda: list(c), lambda: d(1), lambda: isinstance(1, e)]:
    try: print(f())
    except Exception as error: print(type(error).__name__)
