# Leaves generators, tasks and managers in the middle of handling what was raised
import asyncio
def half(n):
    try:
        raise ValueError(f'{n}')
    except ValueError:
        try:
            yield n
            raise
        finally:
            yield from half(n + 1) if n < 200 else [1, 2]
async def task(n):
    try:
        raise KeyError(n)
    except KeyError:
        await asyncio.gather(soon(n), asyncio.sleep(n))
        raise
    finally:
        next(gens[n])
        await soon(n)
gens = [half(0) for _ in range(1000)]
for n, g in enumerate(gens):
    for _ in range(n % 7): next(g)
try:
    await asyncio.gather(*[task(n) for n in range(100)])
finally:
    for g in gens:
        try:
            g.throw(SystemExit)
        except BaseException:
            raise
