# Sleeps until the clock is full, and then never stops
import time, asyncio
for wrong in (float('nan'), float('inf'), -1, 10 ** 400, 1e308, '1', None, True):
    try:
        time.sleep(wrong)
    except Exception as error:
        print(repr(error)[:60])
await asyncio.gather(*[asyncio.sleep(9e9) for _ in range(10)])
for _ in range(300):
    time.sleep(9e9)
print(time.monotonic(), time.time())
while True:
    time.sleep(0)
