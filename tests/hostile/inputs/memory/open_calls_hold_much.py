# Asks for as many awaited calls as may be open, each with the largest argument there may be
import asyncio
big = 'x' * 8_000_000
held = []
for i in range(255):
    try:
        held.append(soon(big))
    except Exception as e:
        print(type(e).__name__, str(e)[:80])
        break
print(len(held))
try:
    print(len(await asyncio.gather(*held)))
except Exception as e:
    print(type(e).__name__, str(e)[:80])
