# what is awaited has a name that everything flows into
import asyncio
def f(x): return later(x)
a = b = c = d = [1]
⟦a = [b, c, d, later(1)]; b = {1: a[0], 2: c[0]}; c = (d[:1], a[:1], b) if a else [b for b in a for c in b]
⟧600print(await asyncio.gather(*[later(n) for n in range(50)], *map(f, range(50)), return_exceptions=True))
await a
