# Keys, comparisons and hashes that ask the host, which answers at once, later, or not well
class Asks:
    def __init__(self, n):
        self.n = n
    def __lt__(self, other):
        return echo(self.n) < later(other.n)
    def __hash__(self):
        return later(self.n)
    def __eq__(self, other):
        return later(True)
    def __repr__(self):
        return f'{later(1)}'
xs = [Asks(i % 17) for i in range(40)]
for way in (
    lambda: sorted(range(300), key=later), lambda: sorted(range(300), key=echo), lambda: sorted(range(9), key=lambda x: soon(x)), lambda: max(range(99), key=llm_query), lambda: sorted(xs), lambda: max(xs), lambda: min(xs, key=lambda x: later(x.n)),
    lambda: {x for x in xs}, lambda: xs.index(xs[-1]), lambda: xs.sort(key=lambda x: sorted([x.n, 1], key=later)), lambda: sorted(xs, key=FINAL), lambda: [*map(later, filter(echo, map(later, range(99))))], lambda: sum(map(later, range(99))),
    lambda: sorted([3, 1, 2], key=lambda x: fail('ValueError', 'x')), lambda: f'{xs}', lambda: list(zip(map(later, range(9)), map(echo, range(9)))), lambda: any(map(later, [0] * 99)), lambda: dict(map(lambda x: (x, later(x)), range(9))),
):
    try:
        print(str(way())[:50])
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
xs
