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
# %% parameters of a lambda that an inner one captures
n = 10
def table():
    scale = lambda n: list(map(lambda v: v * n, [1, 2, 3]))
    return scale(2), n
print(table())
x = "g"
def deco(fn):
    def wrapper(*a):
        add = lambda x: lambda y: x + y
        return add(1)(2), x, fn
    return wrapper
print(deco(1)())
def outer():
    c = 7
    def mid():
        def inner():
            nonlocal c
            c = 8
            return (lambda c=1: (lambda: c)())()
        return inner()
    r = mid()
    return r, c
print(outer())
def top(rows):
    pick = lambda max=4: (lambda: max)()
    return pick(), max(rows), (lambda f: lambda g: f(g(2)))(abs)(lambda v: -v)
print(top([1, 3]))
class K:
    n = 3
    f = lambda n: (lambda: n + 1)()
    m = n
print(K.f(5), K.m)
# %% assignment expressions in defaults and decorators
def f():
    z = 0
    return (lambda b=(z := 5): (b, (lambda c=(z := "s"): c)()))(), z
print(f())
z = 0
def g(): return (lambda b=(z := 7): b)(), z
print(g(), z)
def h():
    y = 1
    z = 2
    def g(a):
        h = lambda b=(z := a): b + y
        return h(), z
    return g(5), z
print(h())
def i():
    def inner(a=(z := 3), *, b=(w := 4)): return a + b + z
    def tag(t): return lambda fn: (t, fn)
    @tag(u := "u")
    def named(): return u
    return inner(), z, w, named[0], named[1](), u
print(i(), z)
# %% functions in functions in functions
def f0(a):
    def f1(b):
        def f2(c):
            def f3(d):
                def f4(e):
                    def f5(f):
                        def f6(g):
                            def f7(h):
                                def f8(i):
                                    def f9(j): return (a, b, c, d, e, f, g, h, i, j)
                                    return f9(9)
                                return f8(8)
                            return f7(7)
                        return f6(6)
                    return f5(5)
                return f4(4)
            return f3(3)
        return f2(2)
    return f1(1)
print(f0(0))
