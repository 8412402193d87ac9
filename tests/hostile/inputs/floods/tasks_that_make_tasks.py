# A tree of tasks that grows while it waits, and a chain of loops in loops
import asyncio
async def chain(n):
    try:
        return asyncio.run(chain(n + 1))
    except RecursionError:
        return await soon(n)
async def tree(n):
    await asyncio.sleep(1)
    await asyncio.gather(chain(0), *[tree(n + 1) for _ in range(10)])
await tree(0)
