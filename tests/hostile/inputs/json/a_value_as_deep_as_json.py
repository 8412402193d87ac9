# A value, arguments and an answer that nest a little less, and a little more, than JSON is read
def tower(n, of):
    x = 1
    for i in range(n):
        x = of(x)
    return x
for n in (100, 123, 124, 125, 126, 127, 128, 129, 130, 200, 255, 256, 499, 900):
    for of in (lambda x: [x], lambda x: {'a': x}, lambda x: (x,), lambda x: {1: x}, lambda x: frozenset([x]), lambda x: [{'$tuple': [x]}]):
        x = tower(n, of)
        for f in (lambda: echo(x), lambda: echo(a=x), lambda: later(x), lambda: soon(x), lambda: fail('ValueError', x), lambda: SHOW_VARS(), lambda: len(repr(x))):
            try:
                f()
            except Exception as e:
                last = f'{n} {type(e).__name__} {e}'[:90]
print(last)
FINAL(tower(300, lambda x: {'a': [x]}))
tower(800, lambda x: {'a': (x,)})
