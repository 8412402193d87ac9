# generators that go through themselves, close themselves, and are left a thousand deep
def deep(n):
    try:
        yield n
        yield from deep(n + 1)
    finally:
        yield from deep(n + 1)
def own():
    try: yield next(x)
    finally: x.close(); x.send(1)
x = own()
for f in [lambda: next(x), lambda: x.throw(KeyError), lambda: list(x), lambda: [*deep(0)], lambda: sum(deep(0)), lambda: {**{n: 1 for n in deep(0)}}]:
    try: print(f())
    except Exception as e: print(type(e).__name__)
for y in deep(0):
    if y > 90: break
