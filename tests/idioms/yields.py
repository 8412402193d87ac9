# %% generators in every place
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1
print(list(count(5)), sum(count(10)), [x * 2 for x in count(3)], max(count(4)), tuple(count(0)))
for x in count(3):
    print(x)
g = count(2)
print(next(g), next(g), next(g, 'done'))
try:
    next(g)
except StopIteration as e:
    print('stop', e.value)
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
from itertools import islice, takewhile, chain
print(list(islice(fib(), 10)), list(takewhile(lambda x: x < 30, fib())))
def echo():
    got = None
    while True:
        got = yield got
        if got == 'end':
            return 'bye'
e = echo()
print(next(e), e.send('a'), e.send('b'))
try:
    e.send('end')
except StopIteration as s:
    print(s.value)
def inner():
    x = yield 1
    print('inner got', x)
    y = yield 2
    return (x, y)
def outer():
    r = yield from inner()
    print('result', r)
    yield 3
    yield from [4, 5]
    yield from 'ab'
    return 'all'
o = outer()
print(next(o), o.send('X'), o.send('Y'), next(o), next(o), next(o), next(o))
try:
    next(o)
except StopIteration as s:
    print(s.value)
def cleanup():
    try:
        yield 1
        yield 2
    finally:
        print('cleaned')
for x in cleanup():
    print(x)
    break
print('after')
c = cleanup()
next(c)
c.close()
print('closed')
c = cleanup()
c.close()
print('never begun')
def catches():
    while True:
        try:
            yield 'ready'
        except ValueError as e:
            yield f'caught {e}'
t = catches()
print(next(t), t.throw(ValueError('bad')), next(t))
try:
    t.throw(KeyError('k'))
except KeyError as e:
    print('out', e)
print(list(t))
def walk(tree):
    if tree:
        left, value, right = tree
        yield from walk(left)
        yield value
        yield from walk(right)
print(list(walk(((None, 1, None), 2, ((None, 3, None), 4, None)))))
def flatten(x):
    for item in x:
        if isinstance(item, list):
            yield from flatten(item)
        else:
            yield item
print([*flatten([1, [2, [3, [4]], 5], []])])
a, b, *rest = count(5)
print(a, b, rest, 3 in count(5), 9 in count(5), dict(zip('abc', count(3))), sorted(count(3), reverse=True), ','.join(str(x) for x in count(3)))
def bad():
    yield 1
    raise ValueError('inside')
try:
    for x in bad():
        print(x)
except ValueError as e:
    print('got', e)
def stops():
    yield 1
    raise StopIteration
try:
    list(stops())
except RuntimeError as e:
    print(e)
class Tree:
    """doc"""
    def __init__(self, items):
        self.items = items
    def __iter__(self):
        for item in self.items:
            yield item
    def pairs(self):
        """Pairs."""
        for i, a in enumerate(self.items):
            for b in self.items[i + 1:]:
                yield a, b
print(list(Tree([1, 2, 3])), list(Tree('abc').pairs()), [x for x in Tree([4])], max(Tree([1, 9])))
class Sub(Tree):
    def __iter__(self):
        yield 'first'
        yield from super().__iter__()
print([*Sub([1])])
def running():
    yield next(g2)
g2 = running()
try:
    next(g2)
except ValueError as e:
    print(e)
try:
    count(1).send(5)
except TypeError as e:
    print(e)
def empty():
    return
    yield
print(list(empty()), list(x for x in count(3) if x), any(x > 1 for x in count(3)))
def matches(x):
    match x:
        case int():
            yield 'int'
        case str():
            yield 'str'
        case _:
            yield from ['other']
print([*matches(1)], [*matches('a')], [*matches([])])
def expr():
    print((yield 1), (yield 2))
    return [(yield 3), (yield 4)]
x = expr()
print(next(x), x.send('a'), x.send('b'), x.send('c'))
try:
    x.send('d')
except StopIteration as s:
    print(s.value)
lam = lambda: list(count(2))
print(lam(), type(count(1)).__name__, repr(count(1))[:23])
# %% generators that clean up, delegate and are closed
from contextlib import contextmanager
import functools
@contextmanager
def managed(name):
    print('enter', name)
    try:
        yield name.upper()
    except ValueError as e:
        print('handled', e)
    finally:
        print('exit', name)
with managed('a') as a:
    print(a)
with managed('b'):
    raise ValueError('v')
try:
    with managed('c'):
        raise KeyError('k')
except KeyError as e:
    print('out', e)
def nested():
    with managed('n'):
        yield 1
        yield 2
for x in nested():
    print(x)
def early():
    for x in nested():
        return x
print(early())
print('end of early')
def both():
    try:
        yield 1
    finally:
        try:
            yield 'in finally'
        finally:
            print('inner finally')
print([*both()])
def ignoring():
    while True:
        try:
            yield 1
        except GeneratorExit:
            print('exit seen')
            return
i = ignoring()
next(i)
i.close()
i.close()
def bad():
    while True:
        try:
            yield 1
        except GeneratorExit:
            pass
def pipeline(lines):
    def strip(ls):
        for l in ls:
            yield l.strip()
    def grep(ls, w):
        for l in ls:
            if w in l:
                yield l
    return grep(strip(lines), 'x')
print(list(pipeline([' ax ', 'b', ' xx'])))
def chunks(xs, n):
    for i in range(0, len(xs), n):
        yield xs[i:i + n]
for i, c in enumerate(chunks([1, 2, 3, 4, 5], 2)):
    print(i, c)
def gen_exc():
    try:
        yield 1
    except Exception as e:
        print('type', type(e).__name__, e)
        raise RuntimeError('new') from e
g = gen_exc()
next(g)
try:
    g.throw(ValueError, 'text')
except RuntimeError as e:
    print(e, repr(e.__cause__))
def deleg():
    try:
        yield from gen_exc()
    except RuntimeError as e:
        print('deleg caught', e)
        yield 'recovered'
d = deleg()
print(next(d), d.throw(ValueError('z')))
def finals():
    try:
        yield 1
    finally:
        print('finals done')
def holder():
    f = finals()
    next(f)
    print('holding')
holder()
print('holder left')
f = finals()
next(f)
f = None
print('rebound')
def permutations(xs):
    if len(xs) <= 1:
        yield xs
    else:
        for i in range(len(xs)):
            for rest in permutations(xs[:i] + xs[i + 1:]):
                yield [xs[i]] + rest
print(len(list(permutations([1, 2, 3, 4]))))
def avg():
    total, n, mean = 0, 0, None
    while True:
        x = yield mean
        total += x
        n += 1
        mean = total / n
a = avg()
next(a)
print(a.send(10), a.send(20))
def coro(f):
    @functools.wraps(f)
    def start(*args):
        g = f(*args)
        next(g)
        return g
    return start
@coro
def printer():
    while True:
        x = yield
        print('->', x)
p = printer()
p.send(1)
p.send(2)
p.close()
def primes(n):
    sieve = [True] * (n + 1)
    for p in range(2, n + 1):
        if sieve[p]:
            yield p
            for m in range(p * p, n + 1, p):
                sieve[m] = False
print(list(primes(30)), sum(primes(100)))
def loop():
    for i in range(3):
        try:
            if i == 1:
                continue
            yield i
        finally:
            print('f', i)
print(list(loop()))
def captured():
    total = 0
    def add(n):
        nonlocal total
        total += n
        return total
    for i in range(3):
        yield add(i)
print(list(captured()), [*map(lambda g: next(g), [captured(), captured()])])
gens = [captured() for _ in range(2)]
print([next(g) for g in gens], list(zip(*gens)))
print(dict((k, v) for k, v in zip('ab', captured())), {x for x in captured()}, min(captured(), key=lambda x: -x), sorted(captured(), key=lambda x: -x))
def raising():
    yield 1
    yield 1 / 0
r = raising()
print(next(r))
try:
    next(r)
except ZeroDivisionError as e:
    print(e)
print(next(r, 'ended'))
# %% generators that live on
def make():
    x = 0
    while True:
        x += 1
        yield x
g = make()
print(next(g))
print(next(g))
def take(n):
    return [next(g) for _ in range(n)]
print(take(3))
def sums():
    total = 0
    try:
        while True:
            total += (yield total)
    except GeneratorExit:
        print('total', total)
s = sums()
next(s)
s.send(5)
s.send(6)
s.close()
None
import itertools
print(list(itertools.islice(g, 2)), list(itertools.chain(iter([1]), (y for y in [2]))))
# %% generators see that they are closed
def rows(log):
    try:
        while True:
            yield len(log)
    except GeneratorExit as e:
        log.append(type(e).__name__)
        raise
    finally:
        log.append("finally")
log = []
g = rows(log)
next(g)
g.close()
print(log, issubclass(GeneratorExit, BaseException), issubclass(GeneratorExit, Exception), GeneratorExit.__name__)
def stubborn():
    try:
        yield 1
    except KeyboardInterrupt:
        print("never")
h = stubborn()
next(h)
h.close()
for kind in (KeyboardInterrupt, SystemExit, GeneratorExit):
    try:
        raise kind("x")
    except Exception:
        print("no")
    except KeyboardInterrupt as e:
        print("interrupt", repr(e), type(e).__name__)
    except BaseException as e:
        print("other", repr(e), type(e).__name__)
