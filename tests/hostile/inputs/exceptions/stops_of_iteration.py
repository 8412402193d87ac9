# Raises what ends loops, in generators, coroutines, iterators, comparisons and comprehensions
import asyncio, itertools
def stop(*args): raise StopIteration(*args)
def gen(n):
    try:
        yield next(iter([]))
    except (StopIteration, RuntimeError) as error:
        yield error
        yield from gen(n + 1) if n < 300 else stop(n)
    finally:
        stop('last')
async def co(): return stop(later(1))
class Stops:
    def __iter__(self): return self
    def __next__(self): return stop(self)
    def __eq__(self, other): stop()
    def __hash__(self): stop()
    def __getitem__(self, i): raise (IndexError if i else StopIteration)(Stops())
    def __contains__(self, x): stop()
g = gen(0)
ways = [lambda: [*gen(0)], lambda: asyncio.run(co()), lambda: [stop() for _ in [1]], lambda: [*Stops()], lambda: next(Stops()), lambda: {Stops()}, lambda: Stops() in Stops(), lambda: [*map(stop, [1])], lambda: g.throw(StopIteration('x')),
        lambda: g.send(1), lambda: g.close(), lambda: g.throw(GeneratorExit), lambda: max(Stops()), lambda: dict(Stops()), lambda: [*zip(Stops(), gen(1))], lambda: sum(itertools.chain(Stops(), gen(1))), lambda: (lambda *a: a)(*Stops()), lambda: [*iter(stop, 1)]]
for again in range(3):
    for way in ways:
        try:
            print(f'{way()!r}'[:60])
        except BaseException as error:
            print(f'{error!r}'[:60])
