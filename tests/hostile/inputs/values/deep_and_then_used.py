# Goes through chains deeper than any stack in every way that visits all of it
import copy, json, itertools, functools
def deep(make, value=1):
    for _ in range(20000):
        value = make(value)
    return value
x, y, t, d = deep(lambda v: [v]), deep(lambda v: [v]), deep(lambda v: (v,)), deep(lambda v: {'a': v})
m, c, p = deep(lambda v: map(abs, v), [1]), deep(lambda v: itertools.chain(v, v), [1]), deep(functools.partial, print)
ways = [lambda: x == y, lambda: x < y, lambda: hash(t), lambda: {t}, lambda: repr(x), lambda: copy.deepcopy(d), lambda: json.dumps(d), lambda: str(t),
        lambda: x in [y], lambda: [x].index(y), lambda: sorted([x, y]), lambda: max(t, t[0]), lambda: [*m], lambda: next(c), lambda: p(1), lambda: isinstance(1, t),
        lambda: FINAL(1) if x != y else 0, lambda: '%r' % (t,), lambda: json.loads('[' * 20000), lambda: eval('-' * 20000 + '1'), lambda: x.count(y), lambda: d == d]
for way in ways:
    try:
        print(f'{way()!r}'[:50])
    except BaseException as error:
        print(repr(error)[:50])
[x, t, d, m, c]
