# Teaches the session thousands of habits by which each later script is read
source = ''
for n in range(700):
    source += f'class C{n}:\n def __init__(self): self.a{n} = self.b{n} = 1\n'
exec(source)
class H:
    __slots__ = ('a',)
    def __len__(self): return 0
    def __bool__(self): return False
    def __lt__(self, other): return True
    def __iadd__(self, other): return H()
    def __getattr__(self, name): return 1
    def __format__(self, spec): return 'x'
    def __contains__(self, x): return True
    def __reversed__(self): return [self]
    def __missing__(self, key): return key
def g(): yield from g()
def f(func, fn, callback): return func(callback).__doc__, vars(fn)['x'], f.__wrapped__
h = H()
h += h
not h, sorted([h, h]), reversed(h), f'{h:>5}', h in h, len(h), h.zz
setattr(h, 'q', 1)
