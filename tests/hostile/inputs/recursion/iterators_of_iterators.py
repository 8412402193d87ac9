# Maps of maps, zips of zips and chains of chains, a hundred thousand deep, and then asked for one
import itertools as it
def go(f):
    try:
        print(str(f())[:60])
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
wraps = (lambda x: map(abs, x), lambda x: filter(None, x), lambda x: zip(x), lambda x: enumerate(x), lambda x: iter(x), lambda x: it.chain(x), lambda x: it.islice(x, 9), lambda x: (y for y in x), lambda x: it.chain.from_iterable([x]), lambda x: it.takewhile(bool, x), lambda x: it.cycle(x), lambda x: it.groupby(x), lambda x: it.accumulate(x), lambda x: it.starmap(abs, zip(x)), lambda x: it.zip_longest(x), lambda x: it.pairwise(x))
for wrap in wraps:
    for n in (900, 3_000):
        x = [1, 2, 3]
        try:
            for i in range(n):
                x = wrap(x)
        except Exception as e:
            print('made', i, type(e).__name__)
        go(lambda: next(iter(x)))
        go(lambda: len(list(x)))
        go(lambda: x == x)
x
