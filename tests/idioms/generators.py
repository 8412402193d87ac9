# %% chunker by slicing
def chunks(seq, n):
    """Yield successive n-sized chunks from seq."""
    for i in range(0, len(seq), n):
        yield seq[i:i + n]

print(list(chunks([1, 2, 3, 4, 5, 6, 7], 3)))
print(list(chunks("abcdefgh", 4)))
for no, part in enumerate(chunks(range(10), 4), 1):
    print(no, part, list(part))
list(chunks([], 2))
# %% chunker over any iterable with islice
from itertools import islice
def batched(iterable, n):
    if n < 1:
        raise ValueError("n must be at least one")
    it = iter(iterable)
    while batch := tuple(islice(it, n)):
        yield batch

print(list(batched("ABCDEFG", 3)))
print([sum(b) for b in batched((i * i for i in range(7)), 2)])
g = batched([1], 0)      # nothing raised yet
print(type(g).__name__)
try:
    next(g)
except (ValueError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% sliding window with a deque
from collections import deque
def windows(iterable, size):
    buf = deque(maxlen=size)
    for item in iterable:
        buf.append(item)
        if len(buf) == size:
            yield tuple(buf)

print(list(windows([1, 2, 3, 4, 5], 3)))
print(["".join(w) for w in windows("stream", 2)])
averages = [round(sum(w) / len(w), 2) for w in windows([3, 9, 6, 0, 12], 2)]
print(averages, max(windows([1, 5, 2, 8], 2), key=sum))
list(windows("ab", 5))
# %% pipeline of generators
def read(lines):
    for line in lines:
        yield line.rstrip("\n")

def grep(pattern, lines):
    return (line for line in lines if pattern in line)

def field(n, lines, sep=None):
    for line in lines:
        parts = line.split(sep)
        if len(parts) > n:
            yield parts[n]

log = ["GET /a 200\n", "GET /b 404\n", "POST /a 500\n", "\n", "GET\n"]
print(list(field(1, grep("GET", read(log)))))
codes = map(int, field(2, read(log)))
print(sum(code >= 400 for code in codes))
sorted(set(field(0, read(log))))
# %% yield from flattening recursively
def flatten(x):
    if isinstance(x, (list, tuple)):
        for item in x:
            yield from flatten(item)
    else:
        yield x

nested = [1, [2, (3, [4, [[5]]])], "six", [], ([],)]
print(list(flatten(nested)))
print(",".join(map(str, flatten(nested))))
print(sum(v for v in flatten(nested) if isinstance(v, int)))
next(flatten([[], [[], [()]]]), "nothing inside")
# %% recursive in-order tree walk
class Node:
    def __init__(self, key, left=None, right=None):
        self.key, self.left, self.right = key, left, right

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.key
        if self.right:
            yield from self.right

def build(keys):
    root = None
    for k in keys:
        if root is None:
            root = Node(k)
            continue
        cur = root
        while True:
            side = "left" if k < cur.key else "right"
            if getattr(cur, side) is None:
                setattr(cur, side, Node(k)); break
            cur = getattr(cur, side)
    return root
list(build([50, 30, 70, 20, 40, 60, 80]))
# %% walking a nested dict as paths
def walk(tree, prefix=()):
    for key, val in tree.items():
        path = prefix + (key,)
        if isinstance(val, dict):
            yield from walk(val, path)
        else:
            yield "/".join(path), val

fs = {"etc": {"hosts": 120, "ssh": {"config": 40}}, "tmp": {}, "README": 7}
for path, size in walk(fs):
    print(f"{path:<15}{size:>5}")
print(dict(walk(fs)) == {p: s for p, s in walk(fs)})
max(walk(fs), key=lambda ps: ps[1])
# %% return inside a generator
def until_blank(lines):
    n = 0
    for line in lines:
        if not line.strip():
            return f"stopped after {n}"
        n += 1
        yield line
    return "exhausted"

g = until_blank(["a", "b", "  ", "c"])
out = []
while True:
    try:
        out.append(next(g))
    except StopIteration as stop:
        print(out, "->", stop.value)
        break
def wrapper(lines):
    result = yield from until_blank(lines)
    yield f"[{result}]"
print(list(wrapper(["x"])), list(wrapper(["x", ""])))
list(until_blank([""]))
# %% try finally around yields and close
def resource(n):
    print("open")
    try:
        for i in range(n):
            yield i
    finally:
        print("close")

for v in resource(3):
    print("use", v)
g = resource(5)
print(next(g), next(g))
g.close()
print(list(g))
with_default = next(g, "closed")
with_default
# %% yield inside a with block
from contextlib import contextmanager
events = []

@contextmanager
def session(name):
    events.append(f"begin {name}")
    try:
        yield name.upper()
    except ValueError as e:
        events.append(f"swallowed {e}")
    finally:
        events.append(f"end {name}")

def rows():
    with session("db") as s:
        for i in range(2):
            yield f"{s}-{i}"

print(list(rows()))
with session("x"):
    raise ValueError("oops")
print(events)
with session("y") as y:
    {}["missing " + y]
# %% infinite generators bounded by consumers
from itertools import islice, takewhile
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b

print(list(islice(fib(), 10)))
print(list(takewhile(lambda x: x < 60, fib())))
print(next(x for x in fib() if x > 1000))
total = 0
for f in fib():
    if f > 4_000_000:
        break
    if f % 2 == 0:
        total += f
total
# %% prime sieve as a lazy chain
def integers(n=2):
    while True:
        yield n
        n += 1

def sieve(src):
    p = next(src)
    yield p
    yield from sieve(n for n in src if n % p)

primes = sieve(integers())
print([next(primes) for _ in range(12)])
next(primes)
# %% producer and consumer prints interleave
def produce():
    for x in "abc":
        print(f"producing {x}")
        yield x
    print("producer done")

def shout(src):
    for x in src:
        print(f"  upper {x}")
        yield x.upper()

for item in shout(produce()):
    print(f"    got {item}")
g = shout(produce())
print("nothing yet")
next(g)
# %% send into a running average
def averager():
    total, count, avg = 0.0, 0, None
    while True:
        value = yield avg
        if value is None:
            return count
        total += value
        count += 1
        avg = total / count

avg = averager()
next(avg)
print([avg.send(v) for v in (10, 20, 60)])
try:
    avg.send(None)
except StopIteration as e:
    print("count", e.value)
fresh = averager()
fresh.send(5)
# %% throw into a generator
def worker():
    done = []
    while True:
        try:
            job = yield len(done)
            done.append(job)
        except ValueError as e:
            print("skipping:", e)
            done.append(None)
        except GeneratorExit:
            print("finished with", done)
            raise

w = worker()
next(w)
print(w.send("a"), w.send("b"))
print(w.throw(ValueError("bad job")))
w.close()
w2 = worker()
next(w2)
try:
    print(w2.throw(KeyError("fatal")))
except KeyError as e:
    print("error:", repr(e))
finally:
    print("done")
# %% accumulating running totals
def running(xs, op=lambda a, b: a + b):
    it = iter(xs)
    try:
        acc = next(it)
    except StopIteration:
        return
    yield acc
    for x in it:
        acc = op(acc, x)
        yield acc

print(list(running([3, -1, 4, -1, 5])))
print(list(running([3, 1, 4, 1, 5], max)))
print(list(running("abc")), list(running([])))
balance = dict(zip(["jan", "feb", "mar"], running([100, -30, 45])))
balance
# %% generator feeding every kind of consumer
def gen():
    yield 3
    yield 1
    yield 2

print(sum(gen()), max(gen()), min(gen()), sorted(gen()), len(list(gen())))
print(tuple(gen()), sorted({*gen()}), dict(enumerate(gen())), "".join(str(x) for x in gen()))
a, b, c = gen()
print(a, b, c, *gen(), sep="/")
print(2 in gen(), 9 in gen(), [*gen(), *gen()], any(x > 2 for x in gen()))
first, *rest = gen()
print(first, rest, list(zip(gen(), gen())), list(reversed(list(gen()))))
try:
    x, y = gen()
except BaseException as e:
    print("%s: %s" % (e.__class__.__name__, e))
# %% class with a generator __iter__
class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        for row in self.rows:
            for cell in row:
                yield cell

    def columns(self):
        for j in range(len(self.rows[0])):
            yield [row[j] for row in self.rows]

    def diagonal(self):
        yield from (self.rows[i][i] for i in range(len(self.rows)))

m = Matrix([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
print(list(m), sum(m), 5 in m)
print(list(m.columns()), sum(m.diagonal()))
print(max(m), sorted(m, reverse=True)[:3], [x for x in m if x % 2])
iter(m) is iter(m)
# %% generator that raises midway
def parse_ints(items):
    for pos, item in enumerate(items):
        try:
            yield int(item)
        except ValueError as e:
            raise ValueError(f"item {pos}: {e}") from e

g = parse_ints(["1", "2", "x", "4"])
got = []
try:
    for v in g:
        got.append(v)
except ValueError as e:
    print(type(e).__name__, e, "| cause:", type(e.__cause__).__name__)
print(got, list(g))
sum(parse_ints(["5", "6", "7.5"]))
# %% next with a default on generator functions
def matches(pred, xs):
    for x in xs:
        if pred(x):
            yield x

print(next(matches(str.isdigit, "ab7c8"), None))
print(next(matches(str.isdigit, "abc"), None))
g = matches(lambda n: n > 1, [1, 2, 3])
print(next(g, 0), next(g, 0), next(g, 0), next(g, 0))
def empty():
    return
    yield
print(next(empty(), "never"), list(empty()))
try:
    print(next(empty()))
except StopIteration as stop:
    print("stopped", stop.value)
# %% state of a counter generator
def ticket(prefix, start=1):
    n = start
    while True:
        yield f"{prefix}-{n:04d}"
        n += 1

a, b = ticket("A"), ticket("B", 98)
print(next(a), next(b), next(a), next(b), next(b))
codes = {name: next(a) for name in ["x", "y"]}
print(codes)
[t for t, _ in zip(ticket("Z"), range(3))]
# %% grouping consecutive runs
def runs(seq):
    """Yield (value, length) for each run."""
    it = iter(seq)
    try:
        prev = next(it)
    except StopIteration:
        return
    n = 1
    for x in it:
        if x == prev:
            n += 1
        else:
            yield prev, n
            prev, n = x, 1
    yield prev, n

encode = lambda s: "".join(f"{n if n > 1 else ''}{c}" for c, n in runs(s))
print(encode("aaabccdddd"), encode(""), encode("z"))
print(list(runs([1, 1, 2, 2, 2, 1])))
max(runs("aabbbbc"), key=lambda r: r[1])
# %% merging sorted streams by hand
def merge(a, b):
    a, b = iter(a), iter(b)
    done = object()
    x, y = next(a, done), next(b, done)
    while x is not done and y is not done:
        if x <= y:
            yield x
            x = next(a, done)
        else:
            yield y
            y = next(b, done)
    while x is not done:
        yield x; x = next(a, done)
    while y is not done:
        yield y; y = next(b, done)

print(list(merge([1, 4, 7], [2, 3, 9, 10])))
print(list(merge([], "ab")), list(merge("xz", "y")))
try:
    print(list(merge([1, 2], ["a"])))
except Exception as exc:
    print(f"{type(exc).__name__}: {exc}")
# %% permutations and subsets by recursion
def perms(xs):
    if len(xs) <= 1:
        yield xs
        return
    for i in range(len(xs)):
        for rest in perms(xs[:i] + xs[i + 1:]):
            yield xs[i:i + 1] + rest

def subsets(items):
    if not items:
        yield ()
    else:
        head, *tail = items
        for s in subsets(tail):
            yield s
            yield (head, *s)

print(list(perms("abc")))
print(sorted(subsets([1, 2, 3]), key=lambda s: (len(s), s)))
sum(1 for _ in perms([1, 2, 3, 4])), len(list(subsets("abcd")))
# %% StopIteration leaking inside a generator
def first_words(lines):
    for line in lines:
        yield next(iter(line.split()))

print(list(first_words(["hello there", "big world"])))
try:
    print(list(first_words(["ok fine", "", "late"])))
except RuntimeError as e:
    print(type(e).__name__, "-", e)
    print(type(e.__cause__).__name__)
def bad():
    yield 1
    raise StopIteration("manual")
list(bad())
# %% generator attributes and exhaustion
def once():
    x = yield "first"
    print("received", x)
    yield "second"

g = once()
print(g.__name__, g.gi_running, g.gi_frame is None)
print(next(g))
print(g.send("hi"))
print(next(g, "end"), g.gi_frame is None)
try:
    g.send(1)
except StopIteration:
    print("stopped")
import inspect, types
print(inspect.isgeneratorfunction(once), inspect.isgenerator(g), isinstance(g, types.GeneratorType))
caught = None
try:
    g()
except TypeError as err:
    caught = str(err)
caught
# %% generator already executing
def selfish():
    yield 1
    next(me)

me = selfish()
print(next(me))
try:
    next(me)
except ValueError as e:
    print(type(e).__name__, e)
print(list(me))
def ignores_close():
    try:
        yield 1
    except GeneratorExit:
        yield 2
g = ignores_close()
next(g)
try:
    print(g.close())
except RuntimeError as e:
    print(type(e).__name__, "->", e.args)
# %% tokenizer generator with lookahead
def tokens(src):
    i = 0
    while i < len(src):
        c = src[i]
        if c.isspace():
            i += 1
        elif c.isdigit():
            j = i
            while j < len(src) and src[j].isdigit():
                j += 1
            yield "NUM", int(src[i:j])
            i = j
        elif c in "+-*/()":
            yield "OP", c
            i += 1
        else:
            raise SyntaxError(f"bad char {c!r} at {i}")
    yield "END", None

print(list(tokens("12+(3 * 4)")))
print([k for k, _ in tokens("1-2")])
list(tokens("7 $ 8"))
# %% breadth first search levels
def bfs(graph, start):
    seen, frontier, depth = {start}, [start], 0
    while frontier:
        yield depth, sorted(frontier)
        nxt = []
        for node in frontier:
            for nb in graph.get(node, ()):
                if nb not in seen:
                    seen.add(nb)
                    nxt.append(nb)
        frontier, depth = nxt, depth + 1

graph = {"a": ["b", "c"], "b": ["d"], "c": ["d", "e"], "e": ["a"]}
for depth, nodes in bfs(graph, "a"):
    print(depth, nodes)
print(dict(bfs(graph, "d")))
{n: d for d, ns in bfs(graph, "a") for n in ns}
# %% lazily evaluated arguments
def noisy(label):
    print("start", label)
    yield from label
    print("stop", label)

z = zip(noisy("ab"), noisy("xyz"))
for pair in z:
    print(pair)
print("any:", any(c == "b" for c in noisy("abc")))
print("max:", max(noisy("hello")))
a, *_ = noisy("pq")
"p" in noisy("pq")
# %% delegating to other iterables with yield from
def everything():
    yield from range(2)
    yield from "xy"
    yield from {"k": 1}
    yield from (n * n for n in (3, 4))
    got = yield from inner()
    yield got

def inner():
    yield "in"
    return "inner result"

print(list(everything()))
print([type(x).__name__ for x in everything()])
def broken():
    yield from 5
try:
    list(broken())
except (TypeError, OSError) as e:
    outcome = type(e).__name__, str(e)
else:
    outcome = "no error"
outcome
# %% scheduler of cooperative generators
from collections import deque
def task(name, steps):
    for i in range(1, steps + 1):
        yield f"{name}{i}/{steps}"

def run(*tasks):
    queue, trace = deque(tasks), []
    while queue:
        t = queue.popleft()
        try:
            trace.append(next(t))
        except StopIteration:
            continue
        queue.append(t)
    return trace

if __name__ == "__main__":
    print(" ".join(run(task("a", 2), task("b", 3), task("c", 1))))
# %% collatz and digit generators
def collatz(n: int):
    while n != 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    yield 1

def digits(n, base=10):
    while True:
        n, d = divmod(n, base)
        yield d
        if not n:
            break

print(list(collatz(6)), sum(1 for _ in collatz(27)))
print(max(range(1, 30), key=lambda n: len([*collatz(n)])))
print(list(digits(1234)), "".join(map(str, digits(10, 2)))[::-1], list(digits(0)))
print(*(f"{n}:{sum(digits(n))}" for n in (9, 99, 12345)), sep=", ")
[n for n in range(1, 500) if sum(d ** 3 for d in digits(n)) == n]
# %% priming decorator for coroutines
import functools
def coroutine(fn):
    @functools.wraps(fn)
    def start(*args, **kw):
        g = fn(*args, **kw)
        next(g)
        return g
    return start

@coroutine
def collect(target, key):
    while True:
        item = yield
        target.setdefault(key(item), []).append(item)

groups = {}
sink = collect(groups, key=len)
for w in "a bb cc d eee".split():
    sink.send(w)
sink.close()
print(groups, collect.__name__)
try:
    print(sink.send("late"))
except StopIteration as stop:
    print("stopped", stop.value)
# %% yaml-like rendering by recursive generator
def pretty(obj, indent=0):
    pad = "  " * indent
    if isinstance(obj, dict):
        for k, v in obj.items():
            if isinstance(v, (dict, list)):
                yield f"{pad}{k}:"
                yield from pretty(v, indent + 1)
            else:
                yield f"{pad}{k}: {v}"
    elif isinstance(obj, list):
        for item in obj:
            yield f"{pad}-"
            yield from pretty(item, indent + 1)
    else:
        yield f"{pad}{obj!r}"

doc = {"name": "svc", "ports": [80, {"tls": 443}], "env": {"A": None, "B": True}}
print("\n".join(pretty(doc)))
len(list(pretty(doc)))
# %% pagination over a fake api
DATA = [f"item{i}" for i in range(7)]
calls = []
def fetch(page, size=3):
    calls.append(page)
    start = page * size
    return {"items": DATA[start:start + size], "next": page + 1 if start + size < len(DATA) else None}

def all_items():
    page = 0
    while page is not None:
        resp = fetch(page)
        yield from resp["items"]
        page = resp["next"]

print(next(all_items()), calls)
calls.clear()
print([i for i in all_items() if int(i[-1]) % 2], calls)
"item4" in all_items(), calls
# %% sorted unique counts in one pass
def top_words(text: str, n: int = 3):
    """Yield (rank, word, count) for the n commonest words."""
    freq = {}
    for w in text.lower().split():
        w = w.strip(".,;!?")
        if w:
            freq[w] = freq.get(w, 0) + 1
    ranked = sorted(freq.items(), key=lambda kv: (-kv[1], kv[0]))
    for rank, (word, count) in enumerate(ranked[:n], 1):
        yield rank, word, count

text = "The cat sat. The dog sat; the bird flew! A cat?"
for rank, word, count in top_words(text):
    print(f"#{rank} {word:<5} x{count}")
print([w for _, w, _ in top_words(text, 5)])
list(zip(*top_words(text)))
# %% finally runs when the consumer breaks out
def cursor(rows):
    print("connect")
    try:
        for r in rows:
            yield r
        print("all rows sent")
    finally:
        print("disconnect")

for row in cursor([1, 2, 3]):
    print("row", row)
    if row == 2:
        break
print("after loop")
def find(rows, wanted):
    for r in cursor(rows):
        if r == wanted:
            return f"found {r}"
    return "missing"
print(find("xyz", "x"))
find("xyz", "q")
# %% yield from passes on what is raised in it
def read(p):
    if p == "missing":
        raise ValueError(f"no {p}")
    yield p
def walk(ps):
    skipped = 0
    for p in ps:
        try:
            n = len(p)
        except TypeError:
            skipped += 1
            continue
        yield from read(p)
try:
    print(list(walk(["a", None, "missing", "z"])))
except ValueError as e:
    print('raised', e)
def recovered():
    try:
        yield from read("missing")
    except ValueError as e:
        yield f"recovered {e}"
    finally:
        print("done")
print(list(recovered()))
class Counting:
    def __init__(self):
        self.n = 0
    def __iter__(self):
        return self
    def __next__(self):
        self.n += 1
        if self.n == 3:
            raise KeyError('third')
        return self.n
def over(make):
    try:
        yield from make()
    except KeyError as e:
        yield f"key {e}"
print(list(over(Counting)))
print(list(over(lambda: (10 // k for k in [1, 2]))), list(over(lambda: map(int, ["1", "2"]))))
def outer():
    try:
        result = yield from inner()
        yield ('result', result)
    except KeyError as e:
        yield 'caught'
def inner():
    try:
        yield 1
        yield 2
    except ValueError:
        yield 'inner'
    return 'end'
g = outer()
print(next(g), g.throw(KeyError('k')), list(g))
g = outer()
print(next(g), g.throw(ValueError('v')), list(g))
class Node:
    def __init__(self, value, *children):
        self.value, self.children = value, children
    def walk(self):
        try:
            yield self.value
            for child in self.children:
                yield from child.walk()
        finally:
            pass
print(list(Node(1, Node(2, Node(3)), Node(4)).walk()))
# %% a with statement learns that its generator is closed
class T:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, traceback):
        print("rollback" if kind else "commit", kind.__name__ if kind else None)
def rows():
    with T():
        for i in range(5):
            yield i
for r in rows():
    if r == 2:
        break
g = rows()
next(g)
g.close()
print(list(rows()))
# %% a statement behind a yield on its line
def pairs(lines):
    for line in lines:
        yield line; n = len(line)
        if n > 1:
            m = n * 2; yield m
        total = n; total += 1
        yield total
print(list(pairs(["a", "bc"])))
