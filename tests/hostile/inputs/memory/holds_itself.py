# Lists, dicts, tuples and instances that hold themselves, given to all that walks
import copy, json
class Node:
    pass
l, d, n = [], {}, Node()
t = (l, d, n)
l.extend([l, d, t, n])
d.update({'l': l, 'd': d, 't': t, 1: n})
n.me, n.l, n.d = n, l, d
def go(f):
    try:
        print(str(f())[:60])
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
for f in (
    lambda: repr(l), lambda: str(d), lambda: f'{t!r:>100}', lambda: copy.copy(l), lambda: copy.deepcopy(n), lambda: copy.deepcopy(t),
    lambda: json.dumps(l), lambda: json.dumps(d, default=lambda o: d), lambda: l == copy.copy(l), lambda: l == [l, d, t, n], lambda: l < [l], lambda: t in l,
    lambda: l.index(None), lambda: l.count(d), lambda: sorted([l, l]), lambda: hash(t), lambda: {t}, lambda: echo(l), lambda: echo(d), lambda: later(t),
    lambda: fail('ValueError', l), lambda: print(l), lambda: FINAL(l), lambda: SHOW_VARS(), lambda: max(l, l), lambda: sum(l, []), lambda: d == {**d},
):
    go(f)
t
