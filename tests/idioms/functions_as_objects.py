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
