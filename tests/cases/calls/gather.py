# RUN: exec % --tool 'later(n)=read x; sleep 0.05; echo $x'
#
# Awaited calls go out together and come back in the order of the gather.
import asyncio
async def ask(n):
    row = await later(n)
    return row["n"] * 10
print(await asyncio.gather(*[ask(n) for n in range(3)], later(n=7)))
