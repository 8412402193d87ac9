# Ranges whose ends, steps and lengths fit into no machine
def go(f):
    try:
        print(str(f())[:40])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
n = 10 ** 30
for f in (
    lambda: len(range(2 ** 63)), lambda: len(range(-2 ** 63, 2 ** 63 - 1)), lambda: range(n)[-1], lambda: n - 1 in range(n), lambda: range(n)[::n], lambda: range(n) == range(n), lambda: hash(range(n)),
    lambda: range(0, 2 ** 63 - 1, 2 ** 62)[5], lambda: list(range(2 ** 63 - 2, 2 ** 63 + 2)), lambda: list(range(-2 ** 63 + 1, -2 ** 63 - 3, -1)), lambda: [*range(0, 2 ** 63, 2 ** 62)],
    lambda: [*reversed(range(2 ** 63 - 3, 2 ** 63 - 1))], lambda: range(-2 ** 63, 2 ** 63 - 1)[2 ** 62], lambda: range(2 ** 63 - 1)[2 ** 62:].index(2 ** 63 - 2), lambda: range(1, 2, 0), lambda: range(1.5),
    lambda: max(range(-2 ** 63, 2 ** 63 - 1, 2 ** 62)), lambda: range(9).count(n), lambda: 'x' in range(9), lambda: slice(n, -n, n).indices(2 ** 62), lambda: [1, 2, 3][-n:n:n], lambda: 'abc'[n:-n:-n],
    lambda: list(enumerate([1, 2], 2 ** 63 - 1)), lambda: list(zip(range(2 ** 63), 'ab')), lambda: chr(2 ** 40), lambda: sum(range(2 ** 63 - 5, 2 ** 63 - 1)), lambda: 5e300 in range(2 ** 62),
):
    go(f)
sum(range(-2 ** 62, 2 ** 62)) + len(list(range(2 ** 62)))
