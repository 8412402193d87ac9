# Awaits futures twice, in turns, in circles, in pieces, too late and not at all
import asyncio
one, two = soon(1), later(2)
async def wait(*what):
    return [await each for each in what]
async def circle(n):
    return await asyncio.gather(*rounds)
rounds = [circle(1), circle(2)]
tries = [lambda: wait(one, one), lambda: asyncio.gather(one, one, wait(one)), lambda: asyncio.gather(*[one] * 1000), lambda: wait(two), lambda: wait(echo),
         lambda: asyncio.gather(*rounds), lambda: wait(asyncio.gather(one), asyncio.gather(one)), lambda: asyncio.gather(wait(rounds[0]), wait(rounds[0]))]
for each in tries:
    try:
        print(await each())
    except BaseException as error:
        print(repr(error)[:80])
left = asyncio.gather(soon(1), soon(fail), wait(soon(2)))
lost = [await soon(i) if i % 2 else soon(i) for i in range(200)]
await wait(*lost[::-2])
