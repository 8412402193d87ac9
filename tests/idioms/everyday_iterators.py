# %% generator pipeline over log lines
def read_lines(text):
    for line in text.splitlines():
        print("  read", line)
        yield line

def parse(lines):
    for line in lines:
        parts = line.split(",")
        if len(parts) != 3:
            continue
        yield dict(zip(("user", "action", "ms"), parts))

def slow(events, threshold=100):
    return (e for e in events if int(e["ms"]) > threshold)

def take(n, iterable):
    for i, x in enumerate(iterable):
        if i >= n:
            return
        yield x

data = "ann,login,50\nbob,search,250\nbad line\ncid,search,180\ndee,login,900"
for e in take(2, slow(parse(read_lines(data)))):
    print(e["user"], e["ms"])
print(sum(int(e["ms"]) for e in parse(iter(data.splitlines()))))

# %% itertools recipes
from itertools import (accumulate, chain, combinations, count, cycle, dropwhile, groupby,
                       islice, pairwise, permutations, product, repeat, starmap, takewhile, tee, zip_longest, filterfalse, compress)
from operator import mul, itemgetter
from collections import deque

def take(n, it):
    return list(islice(it, n))

def chunked(it, n):
    it = iter(it)
    while batch := tuple(islice(it, n)):
        yield batch

def sliding(it, n):
    it = iter(it)
    window = deque(islice(it, n - 1), maxlen=n)
    for x in it:
        window.append(x)
        yield tuple(window)

def roundrobin(*iterables):
    pending = len(iterables)
    nexts = cycle([iter(it).__next__ for it in iterables])
    while pending:
        try:
            for nxt in nexts:
                yield nxt()
        except StopIteration:
            pending -= 1
            nexts = cycle(islice(nexts, pending))

def unique_everseen(it, key=None):
    seen = set()
    for x in it:
        k = x if key is None else key(x)
        if k not in seen:
            seen.add(k)
            yield x

def partition(pred, it):
    a, b = tee(it)
    return filterfalse(pred, a), filter(pred, b)

def powerset(it):
    s = list(it)
    return chain.from_iterable(combinations(s, r) for r in range(len(s) + 1))

def grouper(it, n, fillvalue=None):
    args = [iter(it)] * n
    return zip_longest(*args, fillvalue=fillvalue)

print(list(chunked("abcdefg", 3)), list(sliding(range(5), 3)))
print("".join(roundrobin("ABC", "D", "EF")))
print(list(unique_everseen("AbBaCc", str.lower)), [list(p) for p in partition(lambda x: x % 2, range(7))])
print(list(powerset([1, 2, 3])), ["".join(g) for g in grouper("ABCDE", 2, "x")])
print(take(5, count(10, 3)), list(takewhile(lambda x: x < 4, [1, 3, 5, 2])), list(dropwhile(lambda x: x < 4, [1, 3, 5, 2])))
print(list(starmap(pow, [(2, 3), (3, 2)])), list(accumulate(range(1, 6), mul)), list(pairwise("abcd")))
print(list(compress("ABCDEF", [1, 0, 1, 0, 1, 1])), list(repeat("x", 3)), list(product([0, 1], repeat=2)), len(list(permutations("abcd", 2))))

# %% fibonacci and primes as infinite generators
from itertools import count, islice, takewhile

def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b

def primes():
    composites = {}
    for n in count(2):
        if n not in composites:
            yield n
            composites[n * n] = [n]
        else:
            for p in composites.pop(n):
                composites.setdefault(n + p, []).append(p)

print(list(islice(fibonacci(), 10)))
print(list(takewhile(lambda n: n < 40, primes())))
print(sum(f for f in takewhile(lambda f: f < 4_000_000, fibonacci()) if f % 2 == 0))
gen = fibonacci()
print([next(gen) for _ in range(5)], next(gen))
for i, p in enumerate(primes(), start=1):
    if i > 5:
        break
    print(f"prime #{i}: {p}")
print(next(p for p in primes() if p > 100), next(islice(primes(), 20, None)))

# %% coroutine running average with send
def averager():
    total, n, avg = 0.0, 0, None
    while True:
        value = yield avg
        if value is None:
            break
        total += value
        n += 1
        avg = total / n
    return n, avg

def accumulate_to(results):
    while True:
        result = yield from averager()
        results.append(result)

avg = averager()
next(avg)
print([avg.send(x) for x in (10, 20, 60)])
try:
    avg.send(None)
except StopIteration as stop:
    print("result:", stop.value)

results = []
acc = accumulate_to(results)
next(acc)
for batch in ([1, 2, 3], [10, 30]):
    for x in batch:
        acc.send(x)
    acc.send(None)
print(results)

# %% generator with cleanup and close
def resource(name):
    print("open", name)
    try:
        n = 0
        while True:
            yield f"{name}-{n}"
            n += 1
    except GeneratorExit:
        print("closing", name)
        raise
    finally:
        print("released", name)

g = resource("db")
print(next(g), next(g))
g.close()
try:
    next(g)
except StopIteration:
    print("exhausted")

def careful():
    while True:
        try:
            x = yield "waiting"
            print("got", x)
        except ValueError as e:
            print("handled", e)
            yield "recovered"

c = careful()
next(c)
c.send(1)
print(c.throw(ValueError("bad")), next(c))

# %% timing and logging decorators
import functools
import time

def timer(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = func(*args, **kwargs)
        elapsed = time.perf_counter() - start
        print(f"{func.__name__} took {'<1s' if elapsed < 1 else 'long'}")
        return result
    return wrapper

def log_calls(prefix="CALL"):
    def decorator(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            sig = ", ".join([repr(a) for a in args] + [f"{k}={v!r}" for k, v in kwargs.items()])
            print(f"{prefix}: {func.__name__}({sig})")
            result = func(*args, **kwargs)
            print(f"{prefix}: {func.__name__} -> {result!r}")
            return result
        return wrapper
    return decorator

def count_calls(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return func(*args, **kwargs)
    wrapper.calls = 0
    return wrapper

def repeat(times):
    return lambda f: functools.wraps(f)(lambda *a, **k: [f(*a, **k) for _ in range(times)])

@timer
@log_calls(prefix="DEBUG")
def add(a, b=0):
    """Add two numbers."""
    return a + b

@count_calls
def greet(name):
    return f"Hi {name}"

@repeat(times=3)
def roll():
    return 4

print(add(2, b=3), add.__name__, add.__doc__)
for n in "abc":
    greet(n)
print(greet.calls, greet.__name__, roll(), roll.__name__)

# %% retry and validation decorators
import functools

def retry(max_attempts=3, exceptions=(Exception,), on_retry=None):
    def decorator(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            last = None
            for attempt in range(1, max_attempts + 1):
                try:
                    return fn(*args, **kwargs)
                except exceptions as e:
                    last = e
                    if on_retry:
                        on_retry(attempt, e)
            raise RuntimeError(f"{fn.__name__} failed after {max_attempts} attempts") from last
        return wrapper
    return decorator

def validate(**types):
    def decorator(fn):
        @functools.wraps(fn)
        def wrapper(**kwargs):
            for name, typ in types.items():
                if not isinstance(kwargs.get(name), typ):
                    raise TypeError(f"{name} must be {typ.__name__}, got {type(kwargs.get(name)).__name__}")
            return fn(**kwargs)
        return wrapper
    return decorator

attempts = iter([ValueError("one"), KeyError("two"), None])

@retry(exceptions=(ValueError, KeyError), on_retry=lambda n, e: print(f"attempt {n}: {e!r}"))
def flaky():
    outcome = next(attempts)
    if outcome:
        raise outcome
    return "success"

@retry(2)
def broken():
    return 1 / 0

@validate(name=str, age=int)
def register(name, age):
    return f"{name} ({age})"

print(flaky())
try:
    broken()
except RuntimeError as e:
    print(e, "| cause:", repr(e.__cause__))
print(register(name="Ann", age=30))
try:
    register(name="Bob", age="30")
except TypeError as e:
    print(e)

# %% decorator classes and registries
import functools

class CountCalls:
    def __init__(self, func):
        functools.update_wrapper(self, func)
        self.func = func
        self.num_calls = 0

    def __call__(self, *args, **kwargs):
        self.num_calls += 1
        print(f"Call {self.num_calls} of {self.func.__name__!r}")
        return self.func(*args, **kwargs)

class Memoize:
    def __init__(self, fn):
        self.fn = fn
        self.memo = {}

    def __call__(self, *args):
        if args not in self.memo:
            self.memo[args] = self.fn(*args)
        return self.memo[args]

PLUGINS = {}

def register(func=None, *, name=None):
    def decorate(f):
        PLUGINS[name or f.__name__] = f
        return f
    return decorate(func) if func else decorate

@CountCalls
def say(x):
    return x.upper()

@Memoize
def stairs(n):
    return 1 if n < 2 else stairs(n - 1) + stairs(n - 2)

@register
def hello(who): return f"hello {who}"

@register(name="bye")
def goodbye(who): return f"goodbye {who}"

print(say("a"), say("b"), say.num_calls)
print(stairs(30), len(stairs.memo))
for name, f in PLUGINS.items():
    print(name, f("x"))

# %% context managers with contextlib
from contextlib import contextmanager, suppress, ExitStack, closing, nullcontext

@contextmanager
def tag(name, out):
    out.append(f"<{name}>")
    try:
        yield out
    finally:
        out.append(f"</{name}>")

@contextmanager
def temporarily(d, **changes):
    old = {k: d.get(k) for k in changes}
    d.update(changes)
    try:
        yield d
    finally:
        d.update(old)

@contextmanager
def expect(exc_type):
    try:
        yield
    except exc_type as e:
        print(f"expected {exc_type.__name__}: {e}")
    else:
        raise AssertionError(f"{exc_type.__name__} not raised")

out = []
with tag("h1", out) as o, tag("b", out):
    o.append("title")
print("".join(out))
settings = {"debug": False, "level": 1}
with temporarily(settings, debug=True):
    print(settings)
print(settings)
with expect(ZeroDivisionError):
    1 / 0
try:
    with expect(KeyError):
        pass
except AssertionError as e:
    print(e)
with suppress(FileNotFoundError, KeyError):
    {}["x"]
with ExitStack() as stack:
    for n in "abc":
        stack.enter_context(tag(n, out))
    stack.callback(print, "callback")
print(out[-6:])
with nullcontext(5) as five:
    print(five)

# %% closures, counters and partial application
from functools import partial, reduce

def make_counter(start=0, step=1):
    count = start
    def increment():
        nonlocal count
        count += step
        return count
    def reset():
        nonlocal count
        count = start
    increment.reset = reset
    return increment

def compose(*funcs):
    return reduce(lambda f, g: lambda x: f(g(x)), funcs)

def pipe(value, *funcs):
    for f in funcs:
        value = f(value)
    return value

def curry(fn, arity):
    def curried(*args):
        if len(args) >= arity:
            return fn(*args)
        return lambda *more: curried(*args, *more)
    return curried

def make_account(balance):
    def dispatch(msg, amount=0):
        nonlocal balance
        if msg == "deposit":
            balance += amount
        elif msg == "withdraw":
            if amount > balance:
                return "Insufficient funds"
            balance -= amount
        return balance
    return dispatch

c = make_counter(10, 5)
print(c(), c(), c())
c.reset()
print(c())
print(compose(str, abs, int)("-42"), pipe("  Hello ", str.strip, str.lower, lambda s: s + "!", len))
print(curry(lambda a, b, c: a + b * c, 3)(1)(2)(3), curry(max, 2)(3, 4))
square, cube = (partial(pow, exp=n) for n in (2, 3))
print(square(5), cube(2), list(map(partial(int, base=2), ["101", "11"])))
acc = make_account(100)
print(acc("withdraw", 30), acc("deposit", 5), acc("withdraw", 500))
multipliers = [lambda x, n=n: x * n for n in range(3)]
late = [lambda x: x * n for n in range(3)]
print([m(10) for m in multipliers], [m(10) for m in late])

# %% collections tour
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple

Point = namedtuple("Point", "x y", defaults=[0])
p = Point(3)
print(p, p._replace(y=5), p._asdict(), p.x + p.y, Point._fields, *p)
x, y = p
inventory = Counter(apples=3, pears=1)
inventory.update(["apples", "figs"])
inventory.subtract({"pears": 2})
print(inventory, +inventory, inventory["missing"], sum(inventory.values()), sorted(inventory.elements()))
print(Counter("hello") & Counter("world"), Counter("aab") | Counter("bcc"), (Counter("aab") - Counter("ab")))
d = deque([1, 2, 3], maxlen=3)
d.append(4)
d.appendleft(0)
d.rotate(1)
print(d, d[0], d[-1], list(reversed(d)), d.maxlen)
defaults, env = {"color": "red", "user": "guest"}, {"user": "admin"}
cm = ChainMap(env, defaults)
print(cm["user"], cm["color"], dict(cm), len(cm))
cm["color"] = "blue"
print(env, defaults, cm.maps[0])
tree = lambda: defaultdict(tree)
t = tree()
t["a"]["b"]["c"] = 1
print(t["a"]["b"]["c"], list(t), "x" in t)
od = OrderedDict.fromkeys("abc", 0)
od.move_to_end("a")
print(list(od), od == OrderedDict(b=0, c=0, a=0), od == dict(a=0, b=0, c=0), od.popitem(last=False))
nested = defaultdict(lambda: defaultdict(int))
for a, b in [("x", 1), ("x", 2), ("y", 1), ("x", 1)]:
    nested[a][b] += 1
print({k: dict(v) for k, v in nested.items()}, dict(nested["x"]))

# %% flatten and tree traversals with yield from
from collections.abc import Iterable

def flatten(items, ignore=(str, bytes)):
    for x in items:
        if isinstance(x, Iterable) and not isinstance(x, ignore):
            yield from flatten(x)
        else:
            yield x

class Tree:
    def __init__(self, label, *children):
        self.label = label
        self.children = children

    def preorder(self, depth=0):
        yield depth, self.label
        for c in self.children:
            yield from c.preorder(depth + 1)

    def postorder(self):
        for c in self.children:
            yield from c.postorder()
        yield self.label

    def levels(self):
        level = [self]
        while level:
            yield [n.label for n in level]
            level = [c for n in level for c in n.children]

    def paths(self):
        if not self.children:
            yield [self.label]
        for c in self.children:
            for p in c.paths():
                yield [self.label, *p]

print(list(flatten([1, [2, (3, {4}), "five"], range(6, 8), {"k": 9}])))
t = Tree("root", Tree("a", Tree("a1"), Tree("a2")), Tree("b"))
for depth, label in t.preorder():
    print("  " * depth + "- " + label)
print(list(t.postorder()), list(t.levels()))
for p in t.paths():
    print("/".join(p))

# %% map, filter, reduce and sorting keys
from functools import reduce, cmp_to_key
from operator import itemgetter, attrgetter, methodcaller

people = [("Ann", 31, "Rome"), ("bob", 25, "Oslo"), ("Cid", 31, "Lima"), ("dee", 25, "Rome")]
print(sorted(people, key=itemgetter(1, 0)))
print(sorted(people, key=lambda p: (-p[1], p[0].lower())))
print(max(people, key=itemgetter(1)), min(people, key=lambda p: p[0].casefold()))
print(list(map(lambda p: p[0].upper(), filter(lambda p: p[2] == "Rome", people))))
print(reduce(lambda acc, p: {**acc, p[2]: acc.get(p[2], 0) + 1}, people, {}))

def compare(a, b):
    if a[1] != b[1]:
        return b[1] - a[1]
    return -1 if a[0] < b[0] else (a[0] > b[0])

print(sorted(people, key=cmp_to_key(compare)))
nums = ["10", "9", "2", "33"]
print(sorted(nums), sorted(nums, key=int), sorted(map(int, nums), reverse=True))
print(sorted([3, 30, 34, 5, 9], key=cmp_to_key(lambda a, b: int(f"{b}{a}") - int(f"{a}{b}"))))
names, ages, cities = zip(*people)
print(names, dict(zip(names, ages)), list(zip(range(3), "ab")), any(a > 30 for a in ages), all(map(str.isalpha, names)))
print(list(map(methodcaller("split", "-"), ["a-b", "c"])), list(map(max, [1, 5], [4, 2])))
people.sort(key=itemgetter(2), reverse=True)
print(people, [*enumerate("ab", 1)], list(reversed(range(3))))

# %% lazy stream class
class Stream:
    def __init__(self, source):
        self._source = source

    @classmethod
    def of(cls, *items):
        return cls(items)

    @classmethod
    def iterate(cls, f, seed):
        def gen():
            x = seed
            while True:
                yield x
                x = f(x)
        return cls(gen())

    def map(self, f):
        return Stream(f(x) for x in self._source)

    def filter(self, p):
        return Stream(x for x in self._source if p(x))

    def take(self, n):
        def gen():
            for i, x in enumerate(self._source):
                if i == n:
                    break
                yield x
        return Stream(gen())

    def peek(self, f):
        def gen():
            for x in self._source:
                f(x)
                yield x
        return Stream(gen())

    def reduce(self, f, initial):
        for x in self._source:
            initial = f(initial, x)
        return initial

    def __iter__(self):
        return iter(self._source)

    def to_list(self):
        return list(self)

print(Stream.iterate(lambda x: x * 2, 1).filter(lambda x: x % 3 == 1).map(str).take(5).to_list())
seen = []
print(Stream.of(3, 1, 2).peek(seen.append).map(lambda x: x + 1).reduce(lambda a, b: a * b, 1), seen)
print(sum(Stream(range(5))), *Stream("ab").map(str.upper))

# %% round robin task scheduler with generators
from collections import deque

def task(name, steps):
    for i in range(1, steps + 1):
        print(f"{name}: step {i}/{steps}")
        yield
    return f"{name} done"

class Scheduler:
    def __init__(self):
        self.tasks = deque()
        self.results = []

    def add(self, gen):
        self.tasks.append(gen)

    def run(self):
        while self.tasks:
            t = self.tasks.popleft()
            try:
                next(t)
            except StopIteration as e:
                self.results.append(e.value)
            else:
                self.tasks.append(t)

s = Scheduler()
s.add(task("A", 2))
s.add(task("B", 1))
s.add(task("C", 3))
s.run()
print(s.results)

# %% producer and consumer with queue
from queue import Queue, PriorityQueue, Empty
import itertools

def producer(q, items):
    for item in items:
        q.put(item)
    q.put(None)

def consumer(q):
    while True:
        item = q.get()
        if item is None:
            break
        yield item * 2

q = Queue()
producer(q, [1, 2, 3])
print(q.qsize(), list(consumer(q)), q.empty())
pq = PriorityQueue()
counter = itertools.count()
for prio, job in [(3, "low"), (1, "high"), (2, "mid"), (1, "high2")]:
    pq.put((prio, next(counter), job))
while not pq.empty():
    prio, _, job = pq.get()
    print(prio, job)
try:
    q.get_nowait()
except Empty:
    print("queue empty")

# %% comprehension gallery
matrix = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
print([x for row in matrix for x in row if x % 2], [[row[i] for row in matrix] for i in range(3)])
print({w: len(w) for w in ["a", "bb", "ccc"]}, {len(w) for w in ["a", "b", "cc"]}, {v: k for k, v in {"a": 1}.items()})
print([("fizz" * (i % 3 == 0) + "buzz" * (i % 5 == 0)) or i for i in range(1, 16)])
print([(a, b, c) for a in range(1, 20) for b in range(a, 20) for c in range(b, 20) if a * a + b * b == c * c])
print([y for x in range(5) if (y := x * x) > 3], y)
print(sum(x * y for x, y in zip([1, 2], [3, 4])), max((len(w), w) for w in "the quick fox".split()))
print(*(f"{i}x{j}={i * j}" for i in range(1, 3) for j in range(1, 3)), sep=", ")
print("\n".join("".join("*" if abs(i) + abs(j) <= 2 else " " for j in range(-2, 3)).rstrip() for i in range(-2, 3)))
print(list(zip(*[iter(range(6))] * 2)), dict(sorted({"b": 1, "a": 2}.items())), [*range(3), *"ab"], {**{"a": 1}, "b": 2})
first, *middle, last = range(5)
(a, b), [c, *d] = (1, 2), "xyz"
print(first, middle, last, a, b, c, d)
