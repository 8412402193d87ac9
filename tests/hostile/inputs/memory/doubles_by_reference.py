# Towers where each floor holds the one below twice are copied, sent, written and shown
a = b = [1]
t = u = (1,)
d = {}
for i in range(100):
    a, b = [a, a], [b, b]
    t, u = (t, t), (u, u)
    d = {'a': d, 'b': d}
import json, copy
def go(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: len(copy.deepcopy(a)))
go(lambda: echo([1, [2] * 1000000]))
a, t, d
