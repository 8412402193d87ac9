# %% grow names
xs = [1]
xs += (2, 3)
xs += 'ab'
xs += map(str, [4, 5])
xs += (i for i in range(2))
xs += {9: 1}
xs += range(2)
s = ''
s += 'abc'
t = (1,)
t += (2,)
n = 0
n += len(xs)
def g():
    yield 7
    yield 8
xs += g()
xs += {1: 2}.items()
def pair(): return 5, 6
xs += pair()
ys = xs
ys += tuple('q')
print(xs, s, t, n, ys is xs)
try:
    xs += 5
except TypeError as e:
    print(e)
try:
    xs += None
except TypeError as e:
    print(e)
# %% grow attributes and items
from collections import defaultdict
class Bag:
    def __init__(self):
        self.items = []
        self.__own = []
        self.n = 0
    def add(self, *more):
        self.items += more
        self.__own += more
        self.n += 1
        return self
    def own(self):
        return self.__own
b = Bag().add(1, 2).add(3)
print(b.items, b.own(), b.n)
d = defaultdict(list)
for k, v in [('a', 1), ('b', 2), ('a', 3)]:
    d[k] += (v, v)
    d[k] += [v]
print(dict(d))
groups = {'x': []}
groups['x'] += {5}
groups['x'] += zip('a', 'b')
def collect(acc, more):
    acc += (more,)
    return acc
print(groups, collect([], 1), collect((), 1))
# %% in-place bytearray
ba = bytearray(b'spam')
ba[0] = ord('S')
ba += b' eggs'
ba.append(33)
ba.extend([65, 66])
print(ba, len(ba), ba[1:4])
total = 0
total += 5
print(total)
# %% formats that fail
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class A:
    pass
x, xs, d = None, [1], {'a': 1}
t(lambda: f'{x:5}')
t(lambda: f'{xs:>5}|{x}')
t(lambda: f'{x:.2f}')
t(lambda: f'{d.get("q"):,}')
t(lambda: f'{(1,2):d}')
t(lambda: '{:>5}'.format(x))
t(lambda: '{0:>5} {1}'.format(x, xs))
t(lambda: '{} {n:>5}'.format(x, n=x))
t(lambda: format(x, '5'))
t(lambda: f'{d:>5}')
t(lambda: f'{True:>5}|{5:>5}|{1.5:6.2f}|{"a":^5}|{x!s:>6}|{xs!r:>6}')
t(lambda: f'{int:>5}')
t(lambda: f'{A():>5}'[:10])
t(lambda: f'{ValueError("x"):>5}')
t(lambda: f'{range(3):>{5}}')
t(lambda: f'{d["a"]:05d} {d["a"]/3:.3f} {sum(xs):>4}')
t(lambda: f'{"x":.2f}')
import datetime
t(lambda: f'{datetime.date(2020,1,1):%Y-%m}')
t(lambda: '{:%d %b}'.format(datetime.date(2020,1,1)))
from decimal import Decimal
t(lambda: f'{Decimal("1.50"):>8}')
rows = [{'n': 'a', 'v': 1.234}, {'n': 'b', 'v': None}]
try:
    for r in rows:
        print(f"{r['n']:<5}|{r['v']:>8.2f}")
except TypeError as e:
    print('bad', e)
for i, (k, v) in enumerate(d.items()):
    print(f'{i:>3} {k:<4} {v:>3}')
e = ValueError('q')
t(lambda: f'{e:>5}')
f'{xs[0]:03}'
# %% dictionary keys that are equal
print({1: 'a', True: 'b'}, {True: 1, 1: 2}, {1.0: 'x', 1: 'y', 2: 3}, {1, True, 1.0}, {0: 1, False: 2}, {1: 1, 2: 2})
# %% find beyond the end
w = ''
s = '42'
print(s.find(w, 3), s.count('', 3), s.find('', 2), s.rfind(w, 9), s.find('2', 1), s.startswith(w, 3), s.startswith('2', 1), s.count('2', 0, 1))
try:
    s.index(w, 3)
except ValueError as e:
    print(e)
xs = [1, 2, 1]
n = 1
print(xs.index(n, 1), 'banana'.count(s, 1), b'ab'.find(b'', 5))
# %% dict of an instance to json
import json
class P:
    def __init__(self, **kw):
        self.__dict__.update(kw)
class Q:
    def __init__(self, a):
        self.a = a
        self.inner = P(z=1)
print(json.dumps(P(x=1), default=lambda o: o.__dict__))
print(json.dumps(Q(1), default=vars))
print(json.dumps([Q(2)], default=lambda o: vars(o), indent=1))
print(json.dumps([Q(2), {1}], default=lambda o: o.__dict__ if hasattr(o, '__dict__') else list(o)))
def enc(o):
    if isinstance(o, set):
        return sorted(o)
    if hasattr(o, '__dict__'):
        return o.__dict__
    raise TypeError(f'no {type(o).__name__}')
print(json.dumps({'q': Q(3), 's': {2, 1}}, default=enc))
def enc2(o):
    try:
        return vars(o)
    except TypeError:
        return str(o)
print(json.dumps({'q': Q(3), 's': 2j}, default=enc2))
json.dumps(Q(1), default=lambda o: getattr(o, '__dict__', str(o)))
# %% dict of an instance updated
class Config:
    def __init__(self, **kwargs):
        defaults = {'a': 1, 'b': 2}
        self.__dict__.update(defaults)
        self.__dict__.update(kwargs)
    def __repr__(self):
        return f"Config({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"
c = Config(b=5, c=[1])
print(c, c.a, c.b, vars(c) == {'a': 1, 'b': 5, 'c': [1]})
# %% namedtuples to json
import json
from collections import namedtuple
from typing import NamedTuple
Pt = namedtuple('Pt', 'x y')
class R(NamedTuple):
    a: int
    b: str = 'q'
print(json.dumps(Pt(1, 2)), json.dumps({'r': [R(1), Pt(3, R(4))]}), json.dumps(R(2)._asdict(), indent=2), json.dumps([1, 'a']))
json.dumps({'b': Pt(1, None), 'a': 1}, sort_keys=True)
# %% generator raising from
def parse_ints(items):
    for pos, item in enumerate(items):
        try:
            yield int(item)
        except ValueError as e:
            raise ValueError(f"item {pos}: {e}") from e
def other(items):
    for item in items:
        try:
            yield int(item)
        except ValueError:
            raise KeyError(item)
for f in (parse_ints, other):
    try:
        for v in f(['1', 'x']):
            print(v)
    except (ValueError, KeyError) as e:
        print(repr(e), repr(e.__cause__), repr(e.__context__))
# %% generator with own exceptions
class Bad(Exception):
    pass
class Worse(Bad):
    pass
def g(n):
    try:
        yield 1
        if n:
            raise Worse('w')
        raise ConnectionError('c')
    except Bad as e:
        yield type(e).__name__
    except (ConnectionError, KeyError) as e:
        yield str(e)
    finally:
        yield 'end'
print(list(g(1)), list(g(0)))
def h():
    while True:
        try:
            x = yield
        except Bad:
            print('bad')
        except ValueError as e:
            print('value', e)
            return 'over'
it = h()
next(it)
it.throw(Worse('x'))
try:
    it.throw(ValueError('v'))
except StopIteration as e:
    print(e.value, e.args, str(e))
try:
    next(it)
except StopIteration as e:
    print(e.value, e.args)
try:
    next(iter([]))
except StopIteration as e:
    print(e.value, e.args)
# %% generator state
def once():
    x = yield "first"
    yield x
g = once()
print(g.__name__, g.gi_running, g.gi_frame is None)
print(next(g), g.send("hi"))
print(next(g, "end"), g.gi_frame is None)
# %% popitem and replace
from collections import namedtuple, OrderedDict, Counter, defaultdict
try:
    {}.popitem()
except KeyError as e:
    print(e, repr(e), e.args)
d = {'a': 1, 'b': 2}
print(d.popitem(), d)
o = OrderedDict(a=1, b=2)
print(o.popitem(last=False), o, Counter('a').popitem(), defaultdict(int, x=1).popitem())
P = namedtuple('P', 'x y')
print(P(1, 2)._replace(x=5))
try:
    P(1, 2)._replace(z=5)
except ValueError as e:
    print(e)
while d:
    k, v = d.popitem()
    print(k, v)
{}.popitem()
# %% issubclass of kinds
from collections.abc import Sized, Sequence, Collection, Iterator, Mapping
class Bag:
    def __len__(self): return 0
    def __iter__(self): return iter(())
    def __contains__(self, x): return False
print(issubclass(Bag, Sized), issubclass(Bag, Sequence), issubclass(Bag, Collection), issubclass(Bag, Iterator), issubclass(dict, Mapping), issubclass(Bag, Mapping))
# %% attributes of instances that are only read
import json
class U:
    def __init__(self, n):
        self.n = n
        self.t = [n]
    def to_dict(self):
        return self.__dict__
    def as_json(self):
        return json.dumps(self.to_dict())
    def both(self):
        return vars(self)
us = [U(1), U(2)]
print(json.dumps([u.to_dict() for u in us]), us[0].as_json())
print(json.dumps({'u': us[0].__dict__, 'all': [vars(u) for u in us]}))
print([vars(u) for u in us], us[1].to_dict(), us[1].both()['n'])
print(f"{us[0].to_dict()}", *[u.to_dict() for u in us], sep=' / ')
for k, v in us[0].to_dict().items():
    print(k, v)
us[0].to_dict()
# %% attributes of instances that are kept
class U:
    def __init__(self, n):
        self.n = n
    def to_dict(self):
        return self.__dict__
u = U(1)
d = u.to_dict()
d['n'] = 5
u.n
# %% gather gives exceptions
import asyncio
order = []
async def work(name, rounds):
    for i in range(rounds):
        order.append(f'{name}{i}')
        await asyncio.sleep(0)
    if name == 'c':
        raise ValueError('c failed')
    return name * rounds
async def main():
    return await asyncio.gather(work('a', 2), work('b', 1), work('c', 1), return_exceptions=True)
print(asyncio.run(main()), order)
async def two():
    results = await asyncio.gather(*[work(n, 1) for n in 'xc'], return_exceptions=True)
    return [type(r).__name__ if isinstance(r, Exception) else r for r in results]
asyncio.run(two())
# %% lists from other things
xs = [1, 2, 3, 4]
xs[1:3] = (7, 8, 9)
xs[:0] = 'ab'
xs[len(xs):] = map(str, [1])
xs[1:2] = (i for i in range(2))
xs.extend({5: 1})
xs.extend(i * 2 for i in range(2))
print(xs)
a = b = [1]
a += ('x',)
print(a is b, b)
def f(acc=[]):
    acc += (1,)
    return acc
print(f(), f())
m = [[], []]
for row in m:
    row += range(2)
m[0] += (9,)
m[1] += "zz"
q = {"a": []}
q["a"] += (c for c in "xy")
print(q)
print(m)
words = []
for line in ['a b', 'c']:
    words += line.split()
    words += line
    words += {line}
print(words)
class T:
    seen = []
    def go(self, x):
        T.seen += x,
        self.seen += {x: 1}.keys()
        return self
print(T().go('q').seen, T.seen)
# %% methodcaller of special methods
from operator import methodcaller
print(sorted(['b2', 'a10', 'c1'], key=methodcaller('__getitem__', slice(1, None))), list(map(methodcaller('__len__'), ['a', [1, 2]])))
# %% formats of what is no number
import datetime
from collections import deque, Counter
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
td = datetime.timedelta(hours=1)
x = [1]
t(lambda: f'{td:>10}')
t(lambda: f'{deque([1]):>10}')
t(lambda: f'{Counter("a"):>10}')
t(lambda: f'{td!s:>10}|{str(td):>10}')
t(lambda: f'{x + x:>10}')
t(lambda: f'{(lambda: 0):>10}'[:5])
t(lambda: f'{1j:>6}')
width = 8
name = None
t(lambda: f'{name:<{width}}')
t(lambda: f'{name or "-":<{width}}|')
t(lambda: "{:<8}{:>4}".format('a', name))
t(lambda: "{a:<8}{b!s:>4}".format(a='a', b=name))
t(lambda: "{0[0]:<3}|{0}".format([5]))
# %% last groups
import re
for p, t in (('(a)(b*)', 'a'), ('(a)|(b)', 'b'), ('(a)?(b)?', ''), ('((a)(b*))', 'a'), ('(x*)', 'a'), ('(?P<q>x*)(?P<r>y)?', 'a')):
    m = re.match(p, t)
    print(p, m.lastindex, m.lastgroup, m.groups())
# %% more of generators
def reader(lines):
    buf = []
    for line in lines:
        if not line.strip():
            if buf:
                yield " ".join(buf)
            buf = []
            continue
        buf += line.split(),
        buf[-1:] = [" ".join(buf[-1])]
    if buf:
        yield " ".join(buf)
print(list(reader(["a b", "c", "", "d"])))
class Tree:
    def __init__(self, v, *kids):
        self.v = v
        self.kids = kids
    def __iter__(self):
        yield self.v
        for kid in self.kids:
            yield from kid
    def leaves(self):
        if not self.kids:
            yield self.v
        for kid in self.kids:
            yield from kid.leaves()
t = Tree(1, Tree(2), Tree(3, Tree(4)))
print(list(t), list(t.leaves()), sum(t), max(t), 4 in t)
def retrying(n):
    for i in range(n):
        try:
            x = yield i
            if x == "bad":
                raise ValueError(f"bad at {i}")
        except ValueError as e:
            yield f"caught {e}"
        else:
            yield "ok"
        finally:
            print("done", i)
g = retrying(2)
print(next(g), g.send("bad"), next(g), g.send(None))
try:
    next(g)
except StopIteration as stop:
    print("stop", stop.value)
from contextlib import contextmanager
@contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name
    except KeyError as e:
        print("swallowed", e)
    finally:
        print(f"</{name}>")
with tag("b") as b:
    print(b)
    raise KeyError("k")
# %% more of unpacking errors
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
def a():
    x, y = [1, 2, 3]
def b():
    x, y, z = 1, 2
def c():
    x, *y = []
def d():
    x, y = 5
def e():
    for x, y in [(1, 2), (3,)]:
        pass
def f():
    x, y = {'a': 1}
def g():
    x, y = None
def h():
    (x, y), z = [1, 2], 3
    x, y = 'abc'
def i():
    x, y = map(int, '123')
def j():
    return {k: v for k, v in [('a', 1, 2)]}
for q in (a, b, c, d, e, f, g, h, i, j):
    t(q)
# %% more of json
import json
from datetime import datetime, date
from decimal import Decimal
def enc(o):
    if isinstance(o, (datetime, date)):
        return o.isoformat()
    if isinstance(o, Decimal):
        return str(o)
    if isinstance(o, set):
        return sorted(o)
    if hasattr(o, 'to_json'):
        return o.to_json()
    raise TypeError(f'Object of type {type(o).__name__} is not JSON serializable')
class X:
    def to_json(self):
        return {'x': 1}
print(json.dumps({'d': date(2020, 1, 2), 'n': Decimal('1.5'), 's': {2, 1}, 'x': X()}, default=enc, sort_keys=True))
print(json.dumps({'d': date(2020, 1, 2), 'k': object}, default=str))
try:
    json.dumps({'a': {1}})
except TypeError as e:
    print(e)
try:
    json.dumps(object(), default=lambda o: repr(o)[:7])
except TypeError as e:
    print(e)
print(json.dumps({1: 'a', None: 'b', True: 'c', 1.5: 'd'}), json.dumps('é'), json.dumps('é', ensure_ascii=False), json.dumps([1, 2], separators=(',', ':')), json.dumps(float('nan')))
print(json.dumps({'b': 1, 'a': [1, {'c': None}]}, indent=2, sort_keys=True))
try:
    json.loads('{"a": 1,}')
except json.JSONDecodeError as e:
    print(e.msg, e.pos, e.lineno, e.colno)
print(json.loads('[1.5, 2e3, -0, "\\u00e9"]'), json.loads(b'{"a": 1}'))
# %% more of strings
s = 'The quick brown fox'
print(s.split(None, 2), s.rsplit(' ', 1), s.partition(' '), s.casefold(), s.center(25, '*'), s.expandtabs(), s.swapcase())
print('%-10s|%5.2f|%03d|%x|%e|%%|%r' % ('ab', 3.14159, 7, 255, 12345.678, 'q'), '{:,}'.format(1234567), f'{1234.5:,.2f} {0.256:.1%} {255:#x} {255:08b} {-5:+d} {5:+d} {1e10:g}')
print(f"{'a'!r:>5} {3:^7} {'x':*^9} {1234567:_} {3.0} {1e100} {True:d} {7:03}", 'a,b,,c'.split(','), ' a  b '.split(), 'abc'[::-1], 'abc'.zfill(5), '-5'.zfill(4))
print('aXbXc'.replace('X', '-', 1), 'abc'.translate(str.maketrans('ab', 'xy', 'c')), 'hello world'.title(), "it's".title(), 'ß'.upper(), 'a\tb'.expandtabs(4), 'x' in 'xyz', 'abc' < 'abd')
print('line1\nline2\r\nline3'.splitlines(), 'a-b_c'.replace('-', '_').split('_'), ''.join(reversed('abc')), ' '.join(map(str, [1, 2])), 'abcabc'.rfind('b'), 'abc'.index('c'), 'a' * 3)
print('abc'.startswith(('x', 'a')), 'abc'.endswith('bc', 1), 'Abc'.isalpha(), '1'.isdigit(), 'a1'.isalnum(), ' '.isspace(), 'AB'.isupper(), 'Title Case'.istitle(), 'x'.isidentifier(), '½'.isnumeric())
print(f"{'nested ' + f'{1 + 1}'}", f'{ {"a": 1}["a"] }', f"{[x for x in range(3)]}", f'{3.14159:.{2}f}', f'{"a":>{4}}', f'{12:>+6}', f'{1_000}', f'{{}}')
try:
    'abc'.index('z')
except ValueError as e:
    print(e)
try:
    '{} {}'.format(1)
except IndexError as e:
    print(e)
try:
    '{a}'.format(b=1)
except KeyError as e:
    print(e)
try:
    '%d' % 'x'
except TypeError as e:
    print(e)
try:
    '%s %s' % (1,)
except TypeError as e:
    print(e)
'a' + 1
# %% names of methods as values
fns = [str.upper, "a".join, [].append, {}.get, len, max, int, lambda x: x]
print([f.__name__ for f in fns], [f("x") if f.__name__ == 'upper' else None for f in fns][0])
class P:
    def go(self):
        return 1
print(P.go.__name__, P().go.__name__)
for check in (str.isdigit, str.isalpha):
    print(check.__name__, check('1'))
# %% fields of named tuples
from collections import namedtuple
from typing import NamedTuple
P = namedtuple('P', 'x y')
Q = namedtuple('Q', ['a', 'b'])
class R(NamedTuple):
    name: str
    qty: int = 1
class Plain:
    def __init__(self, x):
        self.x = x
p = P(1, 2)
for row, name in ((p, 'x'), (Q(1, 2), 'b'), (R('r'), 'qty')):
    try:
        setattr(row, name, 5)
    except AttributeError as e:
        print(type(e).__name__, e)
try:
    p.x = 10
except AttributeError as e:
    print(e)
q = R('z')
try:
    q.qty += 3
except AttributeError as e:
    print(e)
o = Plain(1)
o.x = 3
o.x += 1
print(o.x, p.x + p.y, p._replace(x=4).x, q.name, R._fields)
# %% what errors of files hold
samples = [OSError(2, 'No such file', 'f.txt'), FileNotFoundError('plain')]
print(samples[0].filename, samples[0].errno, samples[1].filename, repr(samples[0]))
# %% words with nothing between them and what follows
d = {'a': 1, 'b': 2}
k = 'a'
def get():
    return{'a': 5}[k]
def parts():
    yield(1)
    yield[2]
    for x in[3, 4]:yield(x)
def items():
    return[(a, b)for a, b in d.items()if a in('a', 'c')]
print(get(), [*parts()], items())
try:
    d['x']
except(KeyError, ValueError)as e:
    print(type(e).__name__, e.args)
try:
    raise(ConnectionError('no line'))
except(ConnectionError)as e:
    print(e)
print(1 if 2 in[1, 2]else 0, not[x for x in parts()if x==9], 'b'in d, 3 if k in{'a': 1}else 4)
with_lambda = lambda a:[*map(str, a)]if a else[]
print(with_lambda([1, 2]), with_lambda([]), f'{k in[k]}', [0]or[1], d['a']and(2))
del(d['a'])
assert(not d.get('a')), 'gone'
while len(d)and True:d.popitem()
print(d, next(iter((1,)))if 1 else{}, sum(x for x in(1, 2)))
# %% names of builtins that loops and comprehensions bind
print([max(1, 2) for max in [min]], [filter(3) for filter in [lambda r: r > 1]], {k: max([3, 1]) for k, max in {"a": min}.items()})
filters = [lambda r: r > 1, lambda r: r < 5]
print([r for r in [1, 2, 6] if all(filter(r) for filter in filters)], [any(x for x in [1]) for any in [list]])
def f(): return [abs(5) for abs in [str]], [next("ab") for next in [len]], sum(len("abc") for len in [lambda s: 10])
print(f(), [len for len in [3]], list(map(3) for map in [str]))
for v in [1, 2]:
    if v == 2: print(id, type, sum(3))
    id = v
    type = "t"
    def sum(x): return ("mine", x)
i = 0
while i < 2:
    if i: print(hash)
    hash = i
    i += 1
for k in range(2):
    total = min if k else 0
    print(total, list("ab") if not k else list)
    min = k
    list = "l"
