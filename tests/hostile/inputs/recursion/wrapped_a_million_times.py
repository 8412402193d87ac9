# Functions in functions: decorators, partials, reductions, caches and methods, without end
import functools as ft
def go(f):
    try:
        print(str(f())[:60])
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
def plus(f):
    @ft.wraps(f)
    def inner(*a, **k):
        return f(*a, **k)
    return inner
def closure(f):
    return lambda *a: f(*a)
def method(f):
    class C:
        def call(self, *a):
            return f(*a)
    return C().call
for wrap in (closure, method, lambda f: ft.partial(f), lambda f: ft.partial(f, 1), lambda f: ft.lru_cache(f), lambda f: ft.partial(ft.partial, f)(), plus):
    for n in (900, 3_000):
        f = lambda *a: len(a)
        try:
            for i in range(n):
                f = wrap(f)
        except Exception as e:
            print('made', i, type(e).__name__)
        go(lambda: f())
        go(lambda: repr(f)[:40])
        f = None
@ft.lru_cache(maxsize=None)
def fib(n):
    return fib(n - 1) + fib(n - 2)
go(lambda: fib(10 ** 6))
go(lambda: ft.reduce(lambda f, i: (lambda x: f(x) + i), range(10_000), abs)(1))
go(lambda: ft.reduce(lambda a, b: [a], range(30_000)) and 1)
ft.reduce(lambda a, b: (a, b), range(30_000))
