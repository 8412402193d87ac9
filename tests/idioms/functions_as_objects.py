# %% each def makes a function of its own
fs = []
for i in range(3):
    def f(): pass
    f.tag = i
    fs.append(f)
print([f.tag for f in fs], fs[0] is fs[1], len(set(fs)), fs[0] == fs[0])
def make(name):
    def f(): return "made"
    f.name = name
    return f
a, b = make("a"), make("b")
print(a.name, b.name, a == b, a is b, a(), {a: 1, b: 2}[b])
print(len({(lambda: 0) for _ in range(4)}), [make(n) for n in "xy"][0].name)
# %% functions with defaults and captured names are equal to themselves alone
def make(n):
    def f(x=n): return x
    def g(): return n
    return f, g
(f1, g1), (f2, g2) = make(1), make(2)
print(f1 == f2, g1 == g2, f1 == f1, hash(f1) == hash(f1))
print({f1: "A", f2: "B"}[f1], {g1: "C", g2: "D"}[g2], f1(), f2())
callbacks = []
def subscribe(cb):
    if cb not in callbacks:
        callbacks.append(cb)
for name in ("a", "b", "c"):
    subscribe(lambda event, name=name: (name, event))
print([cb(1) for cb in callbacks])
# %% methods, recursion and decorators as before
class A:
    def m(self): return 1
    n = m
print(A.m is A.n, A().m() + A().n(), A.m == A.n)
def outer():
    def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
    def helper(x): return x * 2
    return [helper(fib(n)) for n in range(6)], helper is helper
print(outer())
def counted(f):
    def wrapper(*args):
        wrapper.calls += 1
        return f(*args)
    wrapper.calls = 0
    return wrapper
@counted
def add(a, b): return a + b
@counted
def sub(a, b): return a - b
add(1, 2), add(3, 4), sub(1, 1)
add.calls, sub.calls
# %% targets in brackets
def f(): pass
f.calls = 1
(f.calls) += 1
((f).calls) *= (3 +
    1)
(
    f.calls
) -= 1
print(f.calls)
# %% variables that only an inner function of one place sees
def trim(items, threshold):
    print(f"threshold={threshold}")
    return items[:len(list(filter(lambda x: x > threshold, items)))]
print(trim([9, 7, 3, 1], 4))
def write(xs, v):
    print(v)
    xs[:min(range(len(xs)), key=lambda i: abs(xs[i] - v))] = [v]
    del xs[(lambda: v - v)():(lambda: 1)()]
    return xs
print(write([1, 5, 9], 6))
def cut(text, limit):
    return text[next((i for i in range(limit) if text[i] == "q"), 0):]
print(cut("abqcd", 4))
def spec(value, width):
    print(width, f"[{value:>{(lambda: width)()}}]", f"{value!r:{'>' if (lambda: value)() else '<'}{max(map(lambda w: w + width, [1]))}}")
spec("x", 3)
def local(items):
    def key(i): return -i
    import math
    best = max(items)
    step = 2
    return items[(lambda: step - step)():sorted(items, key=lambda i: key(i))[0]:(lambda: step)()], best, math.floor(2.5), items[min(items, key=lambda i: math.floor(i)):]
print(local([3, 1, 2]))
class Box:
    def __init__(self, xs): self.xs = xs
    def tail(self): return self.xs[max(range(len(self.xs)), key=lambda i: self.xs[i]):]
print(Box([1, 5, 2]).tail())
def places(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o):
    x = [0, 1, 2, 3]
    x[(lambda: a)()] = 1
    x[(lambda: b)()] += 1
    assert (lambda: c)() is not None, (lambda: d)()
    for x[(lambda: e)()] in [7]: pass
    with Manager(lambda: f) as x[(lambda: g)()]: pass
    match (lambda: h)():
        case y if (lambda: i)() == y: print("matched")
        case _: print("other")
    try:
        raise ValueError((lambda: j)()) from (lambda: KeyError(k))()
    except ValueError as error:
        print(error, repr(error.__cause__))
    def inner(p=(lambda: l)(), *, q=lambda: m): return p, q()
    print(inner(), {**(lambda: {"n": n})()}, [*(lambda: [o])()], x)
    print(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
class Manager:
    def __init__(self, value): self.value = value
    def __enter__(self): return self.value()
    def __exit__(self, *given): return False
places(0, 1, 2, 3, 2, 5, 3, 7, 8, 9, 10, 11, 12, 13, 14)
