# Lists, tuples, dicts and objects as deep as memory allows, given to all that goes down
import copy, json
class Node:
    pass
def obj(x):
    n = Node()
    n.x = x
    return n
def go(f):
    try:
        return str(f())[:40]
    except BaseException as e:
        return type(e).__name__
for wrap in (lambda x: [x], lambda x: (x,), lambda x: {1: x}, obj, lambda x: frozenset([x]), lambda x: (lambda: x), lambda x: [x, x]):
    for n in (400, 3_000):
        x = y = 1
        try:
            for i in range(n):
                x, y = wrap(x), wrap(y)
        except Exception as e:
            print('made', i, type(e).__name__)
        print([go(f) for f in (lambda: repr(x) and 1, lambda: x == y, lambda: hash(x), lambda: {x}, lambda: x < y, lambda: copy.copy(x) and 1, lambda: copy.deepcopy(x) and 1, lambda: json.dumps(x) and 1, lambda: echo(x) and 1, lambda: x in [y], lambda: sorted([x, y]) and 1, lambda: str(x) and 1, lambda: isinstance(x, list), lambda: exec('z = x'), lambda: print(x), lambda: f'{x!r:9}' and 1, lambda: bool(x), lambda: x is y)])
    x = y = None
