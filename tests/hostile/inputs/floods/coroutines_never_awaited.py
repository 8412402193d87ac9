# Coroutines by the hundred thousand, started halfway or not at all, and dropped
import asyncio
async def work(n):
    try:
        await soon([n] * 100)
    finally:
        keep.append(work(n))
keep = [work(n) for n in range(100000)]
tasks = [asyncio.gather(*keep[i:i + 100]) for i in range(0, 100000, 100)]
await asyncio.gather(*[work(1) for n in range(100)])
keep.clear()
tasks = None
await asyncio.gather(*keep, *keep)
