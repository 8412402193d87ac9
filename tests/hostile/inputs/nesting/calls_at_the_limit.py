# the host is called from the last frames there may be, where nothing fits any more
def f(n, g, x): return g(x) if n == 0 else f(n - 1, g, x)
x = {'a': [1, (2, 'b')]}
for g in [echo, later, soon, lambda x: llm_query('prompt'), lambda x: SHOW_VARS(), lambda x: fail('KeyError', 'm'), repr, lambda x: read_context('a'), lambda x: x == x]:
    for n in range(960, 1000):
        try:
            y = f(n, g, x)
            if g is echo and y != {'a': [1, [2, 'b']]} and y != x: print(n, y)
        except BaseException as e: print(type(e).__name__, end=' ')
f(985, FINAL, x)
