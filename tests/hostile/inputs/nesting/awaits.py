# coroutines of coroutines: each awaits the one before, and all are gathered
import asyncio
async def f(n): return await f(n - 1) if n else later(n)
async def g(n, x): return await x
x = soon(1)
for n in range(20000): x = g(n, x)
print(await asyncio.gather(f(100), *[f(n) for n in range(100)]))
print(await x)
