# Recursion that only goes through builtins: map, sorted, max, sum, all, join, sub, print, dict
import re, functools
n = [0]
ways = (
    lambda f: list(map(f, [1])), lambda f: sorted([1, 2], key=f), lambda f: max([1, 2], key=f), lambda f: min([1], [2], key=lambda x: f(1)), lambda f: [*filter(f, [1])], lambda f: functools.reduce(lambda a, b: f(a), [1, 2]), lambda f: re.sub('a', lambda m: f(1), 'a'), lambda f: ''.join(str(f(x)) for x in [1]),
    lambda f: sum(f(x) for x in [1]), lambda f: any(f(x) for x in [1]), lambda f: {f(x): 1 for x in [1]}, lambda f: [[f(1)] for x in [1]], lambda f: (lambda g=f: g(1))(), lambda f: print(f(1)), lambda f: [].sort(key=f) or [2, 1].sort(key=f), lambda f: list(zip(map(f, [1]), [1])), lambda f: next(map(f, iter([1]))), lambda f: dict(map(lambda x: (x, f(x)), [1])),
    lambda f: eval('f(1)'), lambda f: [*iter(lambda: f(1), 1)], lambda f: echo(f(1)), lambda f: later(f(1)), lambda f: getattr(Node(f), 'x'), lambda f: f'{f(1)}', lambda f: Node(f)[1],
)
class Node:
    def __init__(self, f):
        self.f = f
    def __getattr__(self, name):
        return self.f(1)
    def __getitem__(self, i):
        return self.f(i)
for way in ways:
    def f(x):
        n[0] += 1
        return way(f)
    try:
        f(1)
    except RecursionError as e:
        print(n)
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
def all_of(x):
    n[0] += 1
    for way in ways[:12]:
        try:
            way(all_of)
        except RecursionError:
            pass
all_of(1)
