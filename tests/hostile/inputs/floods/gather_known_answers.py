# Tens of thousands of calls whose answers are there before anybody waits
import asyncio
async def one(n):
    return await echo(n)
await asyncio.gather(*[one(n) for n in range(50000)])
await asyncio.gather(*[echo(n) for n in range(50000)])
