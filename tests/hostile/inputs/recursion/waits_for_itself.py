# Coroutines that await coroutines that await them, tasks in circles, and gathers of gathers
import asyncio
async def down(n):
    return await down(n + 1)
async def wide(n):
    return await asyncio.gather(*[wide(n + 1) for i in range(3)]) if n < 9 else n
async def deep(n):
    return await asyncio.gather(deep(n + 1))
async def circle():
    return await tasks[0]
async def turns(n):
    t = asyncio.create_task(turns(n + 1))
    await asyncio.sleep(0)
    return await t
async def host(n):
    return await soon(n) + (await host(n + 1) if n < 300 else 0)
tasks = []
async def main(f):
    try:
        return await f()
    except BaseException as e:
        return f'{type(e).__name__} {e}'[:80]
async def circles():
    tasks[:] = [asyncio.create_task(circle()) for i in range(3)]
    return await asyncio.gather(*tasks)
async def one(c):
    return await asyncio.gather(c, c)
for f in (lambda: down(0), lambda: wide(0), lambda: host(0), circles, lambda: one(down(1)), lambda: asyncio.wait_for(down(0), 1e300), lambda: asyncio.gather(*[soon(i) for i in range(200)]), lambda: deep(0), lambda: turns(0)):
    print(str(await main(f))[:80])
