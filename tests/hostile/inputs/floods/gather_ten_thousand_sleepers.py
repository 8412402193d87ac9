# Each of many sleepers that wakes has all others looked at again
import asyncio
async def nap(n):
    await asyncio.sleep(n % 7 + n / 100000)
    return n
await asyncio.gather(*[nap(n) for n in range(20000)])
