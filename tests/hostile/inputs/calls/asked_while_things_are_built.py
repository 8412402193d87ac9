# Asks in decorators, defaults, class bodies, patterns, targets and generators left halfway
@(lambda f: later(1) and f)
@(lambda f: [echo(1), f][1])
def made(a=later(1), *, b: later(2) = soon(3)) -> later(4): return b
class Body:
    x = [later(i) for i in range(3)]
    later(x)
    @property
    def y(self): return later(1)
    for i in range(3): locals_ = echo(i)
def halfway():
    try:
        while True:
            yield later(1)
    finally:
        yield soon(2)
        later(halfway())
g = halfway()
next(g)
x = [0, 0]
x[later(1)], x[echo(0)], *rest = later([1, 2, 3])
match later({'a': [1, 2]}):
    case {'a': [one, *others]} if later(one): print(one, others)
with open(later('x')) if later(0) else [] as nothing: pass
