# RUN: exec %
# Functions that keep something.
def counter():
    count = 0
    def step(by=1):
        nonlocal count
        count += by
        return count
    return step
a, b = counter(), counter()
print([a(n) for n in range(20)], b())
(lambda *xs, **kw: (xs, kw))(*range(3), z=1)
