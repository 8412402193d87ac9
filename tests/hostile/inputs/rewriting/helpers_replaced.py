# what the functions that stand in for Python's stand on, bound to something else
class A:
    def __len__(self): return 1
    def __lt__(self, o): return 1
    @property
    def x(self): yield 1
getattr = setattr = hasattr = isinstance = type = callable = iter = next = super = object = property = lambda *a: a[0]
StopIteration = Exception = AttributeError = TypeError = KeyError = BaseException = A
len = list = sorted = map = str = repr = print = bool = 0
a = A()
for f in [lambda: [y for y in a.x], lambda: a < a < a, lambda: not a, lambda: [later(y) for y in [1]], lambda: f'{a.x:>9}', lambda: (yield_ for yield_ in a.x), lambda: a.y]:
    try: f()
    except: pass
result = a
