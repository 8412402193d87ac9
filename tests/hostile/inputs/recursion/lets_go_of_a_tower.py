# Frees chains of a million things at once: lists, tuples, dicts, objects, closures, generators
class Node:
    pass
def link(x):
    n = Node()
    n.next = n.self = x
    return n
def gen(x):
    yield x
def frame(x):
    def inner():
        return x
    return inner
for wrap in (lambda x: [x], lambda x: (x, x), lambda x: {1: x}, link, frame, lambda x: [[x], [x]], lambda x: {(x, 1): 1} if isinstance(x, int) else [{1: (x,)}], gen, lambda x: iter([x]), lambda x: map(frame, [x])):
    x = 1
    try:
        for i in range(30_000):
            x = wrap(x)
    except Exception as e:
        print(type(e).__name__, i)
    x = None
def deep():
    x = []
    for i in range(200_000):
        x = [x]
    1 / 0
try:
    deep()
except ZeroDivisionError:
    pass
last = []
for i in range(600_000):
    last = [last]
del last
