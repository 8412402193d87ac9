# Products and permutations without number, kept in lists, sorted, zipped and counted
import itertools as it
def go(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: list(it.product(range(1000), repeat=1_000_000)))
go(lambda: next(it.permutations(range(3_000_000))))
go(lambda: list(it.combinations(range(40), -1)))
go(lambda: next(it.combinations_with_replacement([1], 100_000_000)))
go(lambda: list(zip(*[range(2000)] * 3000)))
go(lambda: it.tee(it.count(), 100_000_000))
go(lambda: list(zip(*it.tee(range(10_000_000), 2))))
go(lambda: list(it.islice(it.cycle([1]), 2 ** 62, None)))
go(lambda: [*map(list, it.combinations(range(60), 30))])
