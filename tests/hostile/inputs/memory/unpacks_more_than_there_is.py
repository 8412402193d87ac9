# Stars: unpacking of endless and giant things into names, calls, lists, sets and dicts
import itertools
def go(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
def take(*a, **k):
    return len(a) + len(k)
big = range(3_000_000)
keys = {f'k{i}': i for i in range(100_000)}
def names():
    a, *b, c = big
    (d, *e), *f = b, b
    return e
def nested():
    return [*[*[*[*big], *big], *big], *big]
go(names)
go(lambda: take(*big))
go(lambda: take(*big, *big, **keys))
go(lambda: take(**keys, **{'a' + k: v for k, v in keys.items()}))
go(lambda: take(**keys, **keys))
go(lambda: {**keys, **{k: keys for k in keys}})
go(lambda: take(**{'a' * 9_000_000: 1}))
go(lambda: print(*big, sep='x' * 1000))
go(nested)
go(lambda: [*itertools.repeat('x' * 1000)])
go(lambda: take(*itertools.count()))
