# a generator function with every statement that it is taken apart at, around each other
def g(n, *a, b=1, **k):
    """x"""
    global z; z = n
    for x, (y, *w) in [(1, [2, 3])] * n:
        while y:
            try:
                with open() as f, f as (h, i): k = yield f
            except (OSError, ValueError) as e:
                z = yield from g(n - 1) if n else []
                if z: return (yield_ := 1)
                elif e: x = yield
                else: raise
            else: continue
            finally:
                yield; break
        else: yield [(yield_) for yield_ in w]
    else:
        return lambda: [*g(n)]
⟦x = [*g(3)]; ⟧90 x = g(9)
try: x.send(1)
except TypeError: print([x.send(None), x.throw(ValueError), x.close(), [*x]])
