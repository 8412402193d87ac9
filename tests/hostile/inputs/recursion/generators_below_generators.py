# Generators that go down into generators, feed themselves, throw into themselves and never end
def down(n):
    if n:
        yield from down(n - 1)
    yield n
def both(n):
    yield n
    for x in both(n + 1):
        yield from (y for y in both(x))
def send():
    x = yield
    while True:
        x = yield x
        g.send(x)
def closes():
    try:
        yield 1
    finally:
        for i in closes():
            yield i
def chain(n):
    g = iter([1])
    for i in range(n):
        g = (x for x in g)
    return g
g, held = send(), closes()
for f in (lambda: sum(down(5000)), lambda: max(both(0)), lambda: (next(g), g.send(1), g.send(2)), lambda: list(map(next, [held])), lambda: sum(chain(50_000)), lambda: list(map(lambda x: list(down(x)), range(1100)))[-1], lambda: g.throw(ValueError), lambda: g.close(), lambda: [*down(990)][0]):
    try:
        print(str(f())[:40])
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
