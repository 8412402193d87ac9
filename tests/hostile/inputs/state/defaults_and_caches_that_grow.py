# Grows what functions keep: defaults, caches, closures, attributes, interned text
import functools, sys, re
@functools.lru_cache(maxsize=None)
def cached(*args, **more): return args
@functools.cache
def tree(n): return [tree(n - 1) if n else cached, n]
def keeps(x, kept=[], *, more={}, again=set()):
    kept.append(more)
    more[len(kept)] = x
    again.add(f'{x}')
    keeps.kept = kept
    return kept
n = 0
while True:
    n += 1
    cached(n, 'x' * 100, a=n, b=(n,)), keeps(n), sys.intern(f'{n}' * 100)
    re.compile(f'(?P<a{n}>x{{{n % 900}}})|[{n}]')
    if n < 900: tree(n)
    functools.singledispatch(keeps)
