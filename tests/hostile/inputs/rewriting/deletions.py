# deletions of all kinds: of slices, of what is deleted meanwhile, of what holds everything
class A:
    def __delitem__(self, key): del self[key]
    @property
    def x(self): return 1
    @x.deleter
    def x(self): del self.x
x = [*range(99999)]
for s in [slice(None, None, -1), slice(1 << 99, None), slice('a'), slice(0, -1, 1 << 99), lambda: 1]:
    try: del x[s], x[::-7], x[(1):][2:(3)], x[1 << 99:]
    except Exception as e: print(repr(e)[:60])
del x[:]
del x
def f():
    y = {1: 2}
    for k in y: del y[k]
    del y
    return y
def g(): del A().x
def h(): del A()[0]
for i in [f, g, h, lambda: x]:
    try: i()
    except Exception as e: print(repr(e)[:60])
del f, g
del print, len, answer, context, later, FINAL, _
